/* The engine `net`: a cursor over counters and triggers.
 *
 * The gates are those of wave.h.  Phases are run on demand: STATE after the
 * position changed, GOAL for a goal, NEXT once per step when the moves are set
 * (the old moves are taken back in the same pass), SEES for percepts.  Until
 * then what changed simply waits.  Exactly one move per role is always set.
 *
 * Legal moves are read off the slots that stand for them when they are asked for, so their order
 * depends on the position alone. */
#include <assert.h>
#include <string.h>

#include "propnet/wave.h"

typedef struct net_game {
  alea_game base;
  alea_mem *mem;
  alea_net *net;
  alea_image image;
} net_game;

typedef struct net_cursor {
  alea_cursor base;
  alea_mem *mem;
  const alea_image *image;
  const alea_net *net;
  alea_wave wave;
  uint64_t *state;  /* the position */
  uint64_t *next;   /* the position that the moves lead to, if it was asked for */
  uint64_t *bits;   /* scratch: legal moves of a role */
  uint64_t *change; /* scratch: bits of the position to turn over */
  uint64_t *before; /* the position before the last play, where there are percepts */
  uint64_t *saved;  /* scratch for percepts */
  uint32_t *move;   /* per role: the move that is set, ALEA_NO_MOVE if it has none */
  uint64_t hash;

  uint32_t *legal;       /* lists, each role's from move_first on */
  uint32_t *legal_count; /* per role, UINT32_MAX = not read off yet */
  uint32_t *fluents;     /* list */
  uint32_t *percepts;    /* list, role by role */
  uint32_t *percept_end; /* per role */
  bool played;           /* the position was reached by a play */
  bool percepts_known;
  size_t block_size;
} net_cursor;

/* ---- positions ---- */

/* Turns over the fluents in c->change and brings the position up to date. */
static void apply_change(net_cursor *c) {
  const alea_image *image = c->image;
  for (uint32_t w = 0; w < image->fluent_words; w++) {
    c->state[w] ^= c->change[w];
    for (uint64_t bits = c->change[w]; bits != 0; bits &= bits - 1)
      c->hash ^= image->zobrist[64 * w + (uint32_t)__builtin_ctzll(bits)];
  }
  alea_wave_turn_fluents(&c->wave, c->change, c->state);
  alea_wave_run(&c->wave, ALEA_IMAGE_STATE);
  for (uint32_t role = 0; role < c->net->role_count; role++) c->legal_count[role] = UINT32_MAX;
}

static void go_to(net_cursor *c, const uint64_t *words) {
  for (uint32_t w = 0; w < c->image->fluent_words; w++) c->change[w] = c->state[w] ^ words[w];
  apply_change(c);
}

static bool literal_value(const net_cursor *c, alea_lit lit) {
  const alea_net *net = c->net;
  uint32_t node = lit >> 1;
  bool value;
  if (node == 0) {
    value = true;
  } else if (node <= net->fluent_count) {
    value = (c->state[(node - 1) >> 6] >> ((node - 1) & 63) & 1) != 0;
  } else if (node < net->first_gate) {
    uint32_t move = node - 1 - net->fluent_count, role = 0;
    while (move >= net->move_first[role + 1]) role++;
    value = c->move[role] == move - net->move_first[role];
  } else {
    bool active = alea_wave_is_active(&c->wave, alea_image_slot_of(c->image, node));
    value = active == (net->gates[node - net->first_gate].kind == ALEA_GATE_AND);
  }
  return value != ((lit & 1) != 0);
}

static void set_moves(net_cursor *c, const alea_move *joint) {
  const alea_net *net = c->net;
  for (uint32_t role = 0; role < net->role_count; role++) {
    if (c->move[role] == ALEA_NO_MOVE || c->move[role] == joint[role]) continue;
    uint32_t leaf = c->image->slot_count + 1 + net->fluent_count + net->move_first[role];
    alea_wave_turn_move(&c->wave, leaf + c->move[role], leaf + joint[role]);
    c->move[role] = joint[role];
  }
}

/* ---- the cursor ---- */

static uint32_t move_count_of(const alea_net *net, uint32_t role) {
  return net->move_first[role + 1] - net->move_first[role];
}

static alea_status cursor_load(alea_cursor *cursor, const uint64_t *words, size_t count) {
  net_cursor *c = (net_cursor *)cursor;
  if (count != c->image->fluent_words) return ALEA_USAGE;
  c->played = false;
  go_to(c, words);
  return ALEA_OK;
}

static alea_status cursor_reset(alea_cursor *cursor) {
  net_cursor *c = (net_cursor *)cursor;
  return cursor_load(cursor, c->image->init, c->image->fluent_words);
}

static const uint64_t *cursor_state(alea_cursor *cursor, size_t *count) {
  net_cursor *c = (net_cursor *)cursor;
  *count = c->image->fluent_words;
  return c->state;
}

static uint64_t cursor_hash(alea_cursor *cursor) { return ((net_cursor *)cursor)->hash; }

/* Numbers of the bits set in 'words', offset by nothing. */
static uint32_t read_bits(const uint64_t *words, uint32_t word_count, uint32_t *list) {
  uint32_t count = 0;
  for (uint32_t w = 0; w < word_count; w++)
    for (uint64_t bits = words[w]; bits != 0; bits &= bits - 1)
      list[count++] = 64 * w + (uint32_t)__builtin_ctzll(bits);
  return count;
}

static alea_status cursor_fluents(alea_cursor *cursor, alea_list *list) {
  net_cursor *c = (net_cursor *)cursor;
  list->ids = c->fluents;
  list->count = read_bits(c->state, c->image->fluent_words, c->fluents);
  return ALEA_OK;
}

static alea_status cursor_terminal(alea_cursor *cursor, bool *terminal) {
  net_cursor *c = (net_cursor *)cursor;
  *terminal = literal_value(c, c->net->terminal);
  return ALEA_OK;
}

static alea_status cursor_goal(alea_cursor *cursor, uint32_t role, int *goal) {
  net_cursor *c = (net_cursor *)cursor;
  const alea_image *image = c->image;
  alea_wave_run(&c->wave, ALEA_IMAGE_GOAL);
  *goal = -1;
  for (uint32_t i = image->goal_first[role]; i < image->goal_first[role + 1]; i++) {
    if (!literal_value(c, image->goals[i].lit)) continue;
    *goal = image->goals[i].value;
    break;
  }
  return ALEA_OK;
}

static bool holds(const net_cursor *c, const alea_image_guard *guard) {
  return literal_value(c, guard->needs.lits[0]) && literal_value(c, guard->needs.lits[1]);
}

/* Reads off the legal moves, guard by guard but in order. */
static void find_legal(net_cursor *c, uint32_t role) {
  const alea_image *image = c->image;
  const alea_image_guard *guards = image->guards[role];
  uint32_t words = (move_count_of(c->net, role) + 63) / 64, holding = 0;
  const uint64_t *masks[ALEA_MAX_GUARDS];
  for (uint32_t i = 0; i < image->guard_count[role]; i++)
    if (holds(c, &guards[i])) masks[holding++] = guards[i].moves;
  if (holding == 0) words = 0;
  for (uint32_t w = 0; w < words; w++) { /* all of them first: then no list waits for counters */
    uint64_t under = 0;
    for (uint32_t i = 0; i < holding; i++) under |= masks[i][w];
    c->bits[w] = under & alea_wave_bits(&c->wave, image->legal_word[role] + w);
  }
  c->legal_count[role] = read_bits(c->bits, words, c->legal + c->net->move_first[role]);
}

static alea_status cursor_legal(alea_cursor *cursor, uint32_t role, alea_list *list) {
  net_cursor *c = (net_cursor *)cursor;
  if (c->legal_count[role] == UINT32_MAX) find_legal(c, role);
  list->ids = c->legal + c->net->move_first[role];
  list->count = c->legal_count[role];
  return ALEA_OK;
}

/* One bit and its guard, without the list. */
static alea_status cursor_lists(alea_cursor *cursor, uint32_t role, alea_move move, bool *lists) {
  net_cursor *c = (net_cursor *)cursor;
  const alea_image *image = c->image;
  *lists = false;
  if (move >= move_count_of(c->net, role)) return ALEA_OK;
  uint64_t bits = alea_wave_bits(&c->wave, image->legal_word[role] + move / 64);
  if ((bits >> (move % 64) & 1) == 0) return ALEA_OK;
  const alea_image_guard *guard = image->guards[role];
  while ((guard->moves[move / 64] >> (move % 64) & 1) == 0) guard++;
  *lists = holds(c, guard);
  return ALEA_OK;
}

const uint64_t *alea_net_preview(alea_cursor *cursor, const alea_move *joint) {
  net_cursor *c = (net_cursor *)cursor;
  set_moves(c, joint);
  alea_wave_run(&c->wave, ALEA_IMAGE_NEXT);
  for (uint32_t w = 0; w < c->image->fluent_words; w++) c->next[w] = alea_wave_bits(&c->wave, w);
  return c->next;
}

static alea_status cursor_play(alea_cursor *cursor, const alea_move *joint) {
  net_cursor *c = (net_cursor *)cursor;
  for (uint32_t role = 0; role < c->net->role_count; role++)
    if (c->move[role] != ALEA_NO_MOVE && joint[role] >= move_count_of(c->net, role))
      return ALEA_USAGE;
  const uint64_t *next = alea_net_preview(cursor, joint);
  if (c->net->percepts.count > 0)
    memcpy(c->before, c->state, c->image->fluent_words * sizeof *c->before);
  c->played = true;
  c->percepts_known = false;
  go_to(c, next);
  return ALEA_OK;
}

/* Percepts belong to the position before the move: go back to it, look, and
 * return.  Those who never ask pay for a copy of the position only. */
static void find_percepts(net_cursor *c) {
  const alea_net *net = c->net;
  uint32_t count = 0, at = 0;
  memcpy(c->saved, c->state, c->image->fluent_words * sizeof *c->saved);
  go_to(c, c->before);
  alea_wave_run(&c->wave, ALEA_IMAGE_NEXT);
  alea_wave_run(&c->wave, ALEA_IMAGE_SEES);
  for (uint32_t role = 0; role < net->role_count; role++) {
    for (; at < net->percepts.count && net->percepts.data[at].role == role; at++)
      if (literal_value(c, net->percepts.data[at].lit))
        c->percepts[count++] = net->percepts.data[at].percept;
    c->percept_end[role] = count;
  }
  go_to(c, c->saved);
  c->percepts_known = true;
}

static alea_status cursor_percepts(alea_cursor *cursor, uint32_t role, alea_list *list) {
  net_cursor *c = (net_cursor *)cursor;
  *list = (alea_list){c->percepts, 0};
  if (!c->played || c->net->percepts.count == 0) return ALEA_OK;
  if (!c->percepts_known) find_percepts(c);
  uint32_t begin = role == 0 ? 0 : c->percept_end[role - 1];
  *list = (alea_list){c->percepts + begin, c->percept_end[role] - begin};
  return ALEA_OK;
}

static void cursor_free(alea_cursor *cursor) {
  net_cursor *c = (net_cursor *)cursor;
  alea_mem_free(c->mem, c, c->block_size);
}

static const alea_cursor_class cursor_class = {
    .free = cursor_free,
    .reset = cursor_reset,
    .load = cursor_load,
    .state = cursor_state,
    .hash = cursor_hash,
    .fluents = cursor_fluents,
    .terminal = cursor_terminal,
    .goal = cursor_goal,
    .legal = cursor_legal,
    .play = cursor_play,
    .percepts = cursor_percepts,
    .lists = cursor_lists,
};

/* A cursor is one block: the struct, then its arrays.  Called with block ==
 * NULL it only adds up the size. */
static size_t lay_out(net_cursor *c, const alea_image *image, char *block) {
  const alea_net *net = image->net;
  size_t at = (sizeof *c + 63) & ~(size_t)63;
#define TAKE(field, count)                                 \
  do {                                                     \
    if (block != NULL) c->field = (void *)(block + at);    \
    at += ((count) * sizeof *c->field + 63) & ~(size_t)63; \
  } while (0)
  TAKE(state, image->fluent_words);
  TAKE(next, image->fluent_words);
  TAKE(bits, image->root_words);
  TAKE(change, image->fluent_words);
  TAKE(before, image->fluent_words);
  TAKE(saved, image->fluent_words);
  TAKE(move, net->role_count);
  TAKE(legal, net->move_count);
  TAKE(legal_count, net->role_count);
  TAKE(fluents, net->fluent_count);
  TAKE(percepts, net->percepts.count);
  TAKE(percept_end, net->role_count);
#undef TAKE
  return alea_wave_lay_out(&c->wave, image, block, at);
}

static alea_status cursor_new(const alea_game *game, alea_mem *mem, alea_cursor **cursor) {
  const net_game *g = (const net_game *)game;
  const alea_image *image = &g->image;
  *cursor = NULL;
  net_cursor sizes;
  size_t size = lay_out(&sizes, image, NULL);
  net_cursor *c = alea_mem_zalloc(mem, size);
  if (c == NULL) return alea_mem_lack(mem);
  lay_out(c, image, (char *)c);
  c->base = (alea_cursor){&cursor_class, game};
  c->mem = mem;
  c->image = image;
  c->net = g->net;
  c->block_size = size;
  c->hash = image->init_hash;
  alea_wave_init(&c->wave);
  memcpy(c->state, image->init, image->fluent_words * sizeof *c->state);
  for (uint32_t role = 0; role < g->net->role_count; role++) {
    c->move[role] = move_count_of(g->net, role) > 0 ? 0 : ALEA_NO_MOVE;
    c->legal_count[role] = UINT32_MAX;
  }
  *cursor = &c->base;
  return ALEA_OK;
}

/* ---- the game ---- */

static void game_free(alea_game *game) {
  net_game *g = (net_game *)game;
  alea_mem *mem = g->mem;
  alea_image_clear(&g->image);
  alea_net_free(g->net);
  alea_mem_free(mem, g, sizeof *g);
}

static uint32_t game_move_count(const alea_game *game, uint32_t role) {
  return move_count_of(((const net_game *)game)->net, role);
}

static void game_move_text(const alea_game *game, uint32_t role, alea_move move, bool spelling,
                           alea_text *out) {
  const alea_net *net = ((const net_game *)game)->net;
  uint32_t m = net->move_first[role] + move;
  assert(m < net->move_first[role + 1]);
  alea_text_put(out, spelling ? net->move_spelling[m] : net->move_text[m]);
}

static alea_move game_move_find(const alea_game *game, uint32_t role, const char *text) {
  return alea_net_find_move(((const net_game *)game)->net, role, text);
}

static void game_fluent_text(const alea_game *game, uint32_t fluent, bool spelling,
                             alea_text *out) {
  const alea_net *net = ((const net_game *)game)->net;
  assert(fluent < net->fluent_count);
  alea_text_put(out, spelling ? net->fluent_spelling[fluent] : net->fluent_text[fluent]);
}

static alea_term game_move_term(const alea_game *game, uint32_t role, alea_move move,
                                alea_terms *terms) {
  const alea_net *net = ((const net_game *)game)->net;
  uint32_t m = net->move_first[role] + move;
  assert(m < net->move_first[role + 1]);
  return alea_terms_copy(terms, net->terms, net->move_terms[m]);
}

static alea_term game_fluent_term(const alea_game *game, uint32_t fluent, alea_terms *terms) {
  const alea_net *net = ((const net_game *)game)->net;
  assert(fluent < net->fluent_count);
  return alea_terms_copy(terms, net->terms, net->fluent_terms[fluent]);
}

static void game_percept_text(const alea_game *game, uint32_t percept, bool spelling,
                              alea_text *out) {
  const alea_net *net = ((const net_game *)game)->net;
  assert(percept < net->percept_count);
  alea_text_put(out, spelling ? net->percept_spelling[percept] : net->percept_text[percept]);
}

static uint32_t game_percept_find(const alea_game *game, const char *text) {
  return alea_net_find_percept(((const net_game *)game)->net, text);
}

static const alea_game_class game_class = {
    .engine = "net",
    .free = game_free,
    .cursor_new = cursor_new,
    .move_count = game_move_count,
    .move_text = game_move_text,
    .move_term = game_move_term,
    .move_find = game_move_find,
    .fluent_text = game_fluent_text,
    .fluent_term = game_fluent_term,
    .percept_text = game_percept_text,
    .percept_find = game_percept_find,
};

alea_status alea_net_game_new(alea_game **game, alea_net *net, alea_mem *mem) {
  *game = NULL;
  net_game *g = alea_mem_zalloc(mem, sizeof *g);
  alea_status status = alea_mem_lack(mem);
  if (g != NULL) status = alea_image_init(&g->image, net, mem);
  if (status != ALEA_OK) {
    alea_mem_free(mem, g, sizeof *g);
    alea_net_free(net);
    return status;
  }
  g->base = (alea_game){&game_class,        net->role_count,  net->role_text,
                        net->role_spelling, net->random_role, net->has_sees};
  g->mem = mem;
  g->net = net;
  *game = &g->base;
  return ALEA_OK;
}

const alea_net *alea_net_of_game(const alea_game *game) {
  return game->class == &game_class ? ((const net_game *)game)->net : NULL;
}
