/* Beliefs, breadth first: from each one, every joint move of those who decide,
 * over every position it holds and every move of chance; what they then see
 * tells the beliefs that follow apart. */
#include "encode/belief.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

/* ---- sequences ---- */

void encode_sequences_clear(encode_sequences *s, alea_mem *mem) {
  alea_vec_clear(mem, &s->list);
  alea_vec_clear(mem, &s->words);
  alea_hash_map_clear(&s->map, mem);
}

static uint64_t hash_sequence(const void *list, uint32_t id) {
  return ((const encode_sequence *)list)[id].hash;
}

uint32_t encode_sequences_add(encode_sequences *s, const uint64_t *words, size_t count,
                              alea_mem *mem) {
  uint64_t hash = count;
  for (size_t i = 0; i < count; i++) hash = alea_hash_join(hash, words[i]);
  hash = alea_hash_mix(hash);
  if (!alea_hash_map_reserve(&s->map, mem, hash_sequence, s->list.data)) return ALEA_HASH_NONE;
  alea_hash_probe probe = alea_hash_map_probe(&s->map, hash);
  while (alea_hash_map_next(&s->map, &probe)) {
    const encode_sequence *known = &s->list.data[probe.id];
    if (known->hash == hash && known->count == count &&
        (count == 0 || memcmp(s->words.data + known->first, words, count * sizeof *words) == 0))
      return probe.id;
  }
  encode_sequence fresh = {s->words.count, (uint32_t)count, hash};
  if (s->list.count >= ALEA_HASH_NONE - 1 || !alea_vec_reserve(mem, &s->words, count) ||
      !alea_vec_push(mem, &s->list, fresh))
    return ALEA_HASH_NONE;
  if (count > 0) memcpy(s->words.data + s->words.count, words, count * sizeof *words);
  s->words.count += count;
  alea_hash_map_put(&s->map, probe, (uint32_t)s->list.count - 1);
  return (uint32_t)s->list.count - 1;
}

/* ---- refusing ---- */

static alea_status refuse(const encode_belief_graph *g, alea_status status, const char *code,
                          const char *what) {
  alea_diag_error(g->diag, ((alea_place){g->options->label, 0, 0}), code, "%s", what);
  return status;
}

static alea_status lack(const encode_belief_graph *g) {
  alea_status status = alea_mem_lack(g->mem);
  if (status != ALEA_LIMIT) return status;
  return refuse(g, status, "too-large",
                "what can be known does not fit into the memory (the limit is --memory; a smaller "
                "--horizon needs less)");
}

static alea_status no_move(const encode_belief_graph *g, uint32_t role) {
  alea_diag_error(g->diag, ((alea_place){g->options->label, 0, 0}), "no-legal-move",
                  "%s has no legal move before the end", g->game->role_spelling[role]);
  return ALEA_INPUT;
}

/* ---- a position ---- */

static alea_status enter(encode_belief_graph *g, uint32_t position) {
  const encode_sequence *words = &g->positions.list.data[position];
  return alea_cursor_load(g->cursor, g->positions.words.data + words->first, words->count);
}

/* The position of the cursor as a number; ALEA_HASH_NONE without memory. */
static uint32_t position_here(encode_belief_graph *g) {
  size_t count;
  const uint64_t *words = alea_cursor_state(g->cursor, &count);
  return encode_sequences_add(&g->positions, words, count, g->mem);
}

/* Goals of all roles as a number, a missing one as 0. */
static alea_status goals_here(encode_belief_graph *g, uint32_t *number) {
  g->words.count = 0;
  for (uint32_t r = 0; r < g->game->role_count; r++) {
    int goal;
    alea_status status = alea_cursor_goal(g->cursor, r, &goal);
    if (status != ALEA_OK) return status;
    if (!alea_vec_push(g->mem, &g->words, (uint64_t)(goal > 0 ? goal : 0))) return lack(g);
  }
  *number = encode_sequences_add(&g->goals, g->words.data, g->words.count, g->mem);
  return *number == ALEA_HASH_NONE ? lack(g) : ALEA_OK;
}

static int by_word(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

static alea_status percepts_of(encode_belief_graph *g, uint32_t role, uint32_t *number) {
  alea_list list;
  alea_status status = alea_cursor_percepts(g->cursor, role, &list);
  if (status != ALEA_OK) return status;
  g->words.count = 0;
  for (uint32_t i = 0; i < list.count; i++)
    if (!alea_vec_push(g->mem, &g->words, (uint64_t)list.ids[i])) return lack(g);
  if (list.count > 1) qsort(g->words.data, g->words.count, sizeof *g->words.data, by_word);
  *number = encode_sequences_add(&g->percepts, g->words.data, g->words.count, g->mem);
  return *number == ALEA_HASH_NONE ? lack(g) : ALEA_OK;
}

static alea_status refuse_private(const encode_belief_graph *g, uint32_t a, uint32_t b) {
  uint32_t players = g->game->role_count - 1;
  alea_diag_error(
      g->diag, ((alea_place){g->options->label, 0, 0}), "private-information",
      "%s and %s decide and see different things; a stochastic network has one view of "
      "the game%s",
      g->game->role_spelling[a], g->game->role_spelling[b],
      players == 2 ? " ('alea solve GAME --equilibrium' solves games of two players)" : "");
  return ALEA_UNSUPPORTED;
}

/* What those who decide see together, which must be the same. */
static alea_status percepts_here(encode_belief_graph *g, uint32_t *number) {
  alea_status status = ALEA_OK;
  *number = 0;
  for (size_t i = 0; i < g->roles.count && status == ALEA_OK; i++) {
    uint32_t seen = 0;
    status = percepts_of(g, g->roles.data[i], &seen);
    if (status != ALEA_OK || i == 0)
      *number = seen;
    else if (seen != *number)
      return refuse_private(g, g->roles.data[0], g->roles.data[i]);
  }
  return status;
}

/* ---- a belief ---- */

/* A probability as a word: beliefs that differ by rounding are one. */
static uint64_t rounded(double weight) { return (uint64_t)llround(weight * 0x1p40); }

static alea_status add_belief(encode_belief_graph *g, const encode_drop *drops, size_t count,
                              double total, uint32_t depth, uint32_t *number) {
  g->words.count = 0;
  uint32_t goals = drops[0].over ? drops[0].seen + 1 : 0;
  bool good = alea_vec_push(g->mem, &g->words, (uint64_t)goals);
  for (size_t i = 0; i < count && goals == 0 && good; i++)
    good = alea_vec_push(g->mem, &g->words, (uint64_t)drops[i].position) &&
           alea_vec_push(g->mem, &g->words, rounded(drops[i].weight / total));
  size_t before = g->keys.list.count;
  *number =
      good ? encode_sequences_add(&g->keys, g->words.data, g->words.count, g->mem) : ALEA_HASH_NONE;
  if (*number == ALEA_HASH_NONE) return lack(g);
  if (*number < before) return ALEA_OK;
  encode_belief new = {g->shares.count, goals == 0 ? (uint32_t)count : 0, depth, goals};
  for (size_t i = 0; i < new.count &&good; i++)
    good = alea_vec_push(g->mem, &g->shares,
                         ((encode_share){drops[i].position, drops[i].weight / total}));
  if (!good || !alea_vec_push(g->mem, &g->beliefs, new)) return lack(g);
  if (g->options->max_beliefs == 0 || g->beliefs.count <= g->options->max_beliefs) return ALEA_OK;
  alea_diag_error(
      g->diag, ((alea_place){g->options->label, 0, 0}), "too-large",
      "what can be known takes more than %llu beliefs (the limit is --beliefs; a smaller "
      "--horizon needs less)",
      (unsigned long long)g->options->max_beliefs);
  return ALEA_LIMIT;
}

static int by_kind(const void *a, const void *b) {
  const encode_drop *x = a, *y = b;
  if (x->over != y->over) return x->over ? 1 : -1;
  if (x->seen != y->seen) return x->seen < y->seen ? -1 : 1;
  if (x->position != y->position && !x->over) return x->position < y->position ? -1 : 1;
  return 0;
}

/* Turns what the joint move can bring into outcomes of the situation. */
static alea_status take_drops(encode_belief_graph *g, uint32_t depth) {
  encode_drop *drops = g->drops.data;
  size_t kept = 0, count = g->drops.count;
  qsort(drops, count, sizeof *drops, by_kind);
  for (size_t i = 0; i < count; i++) {
    if (kept > 0 && by_kind(&drops[kept - 1], &drops[i]) == 0)
      drops[kept - 1].weight += drops[i].weight;
    else
      drops[kept++] = drops[i];
  }
  alea_status status = ALEA_OK;
  for (size_t first = 0, end; first < kept && status == ALEA_OK; first = end) {
    encode_outcome outcome = {0, 0};
    for (end = first;
         end < kept && drops[end].over == drops[first].over && drops[end].seen == drops[first].seen;
         end++)
      outcome.probability += drops[end].weight;
    status = add_belief(g, drops + first, end - first, outcome.probability, depth, &outcome.next);
    if (status == ALEA_OK && !alea_vec_push(g->mem, &g->outcomes, outcome)) status = lack(g);
  }
  return status;
}

/* ---- the moves of a belief ---- */

/* Adds the legal moves of deciding role number 'i', which must be the same in
 * every position of the belief where it has a choice. */
static alea_status compare_moves(encode_belief_graph *g, uint32_t role, alea_list legal, bool first,
                                 uint32_t start) {
  bool same = g->legal.count - start == legal.count;
  if (first) {
    for (uint32_t i = 0; i < legal.count; i++)
      if (!alea_vec_push(g->mem, &g->legal, legal.ids[i])) return lack(g);
    return ALEA_OK;
  }
  for (uint32_t i = 0; i < legal.count && same; i++) {
    bool found = false;
    for (size_t k = start; k < g->legal.count && !found; k++)
      found = g->legal.data[k] == legal.ids[i];
    same = found;
  }
  if (same) return ALEA_OK;
  alea_diag_error(g->diag, ((alea_place){g->options->label, 0, 0}), "unknown-moves",
                  "%s cannot tell from what it has seen what moves it has",
                  g->game->role_spelling[role]);
  return ALEA_UNSUPPORTED;
}

/* The moves of one role in all positions of a belief.  A role that nowhere has
 * a choice makes the one move it has, known or not. */
static alea_status role_moves(encode_belief_graph *g, const encode_belief *b, uint32_t role) {
  uint32_t start = (uint32_t)g->legal.count;
  bool choice = false;
  alea_status status = ALEA_OK;
  for (int pass = 0; pass < 2 && status == ALEA_OK; pass++)
    for (uint32_t i = 0; i < b->count && status == ALEA_OK; i++) {
      alea_list legal;
      status = enter(g, g->shares.data[b->first + i].position);
      if (status == ALEA_OK) status = alea_cursor_legal(g->cursor, role, &legal);
      if (status == ALEA_OK && legal.count == 0) status = no_move(g, role);
      if (status != ALEA_OK) return status;
      g->forced.data[i * g->game->role_count + role] = legal.ids[0];
      if (pass == 0)
        choice = choice || legal.count > 1;
      else if (choice)
        status = compare_moves(g, role, legal, i == 0, start);
    }
  if (choice && !g->deciding[role]) g->deciding[role] = g->restart = true;
  return status;
}

static alea_status belief_moves(encode_belief_graph *g, const encode_belief *b) {
  uint32_t roles = g->game->role_count;
  g->forced.count = g->legal.count = g->firsts.count = 0;
  if (!alea_vec_reserve(g->mem, &g->forced, (size_t)b->count * roles)) return lack(g);
  alea_status status = ALEA_OK;
  for (uint32_t r = 0; r < roles && status == ALEA_OK; r++) {
    if ((int)r == g->game->random_role) continue;
    if (g->deciding[r] && !alea_vec_push(g->mem, &g->firsts, (uint32_t)g->legal.count))
      return lack(g);
    status = role_moves(g, b, r);
  }
  if (status == ALEA_OK && !alea_vec_push(g->mem, &g->firsts, (uint32_t)g->legal.count))
    return lack(g);
  return status;
}

/* ---- one joint move ---- */

static uint32_t choices(const encode_belief_graph *g, size_t i) {
  return g->firsts.data[i + 1] - g->firsts.data[i];
}

/* The moves of all roles but chance in share 'i', by the picks of the deciding. */
static void set_joint(encode_belief_graph *g, uint32_t share) {
  for (uint32_t r = 0; r < g->game->role_count; r++)
    if ((int)r != g->game->random_role)
      g->joint[r] = g->forced.data[share * g->game->role_count + r];
  for (size_t i = 0; i < g->roles.count; i++)
    if (choices(g, i) > 0)
      g->joint[g->roles.data[i]] = g->legal.data[g->firsts.data[i] + g->picks.data[i]];
}

static alea_status drop(encode_belief_graph *g, double weight) {
  encode_drop new = {.weight = weight};
  alea_status status = alea_cursor_terminal(g->cursor, &new.over);
  if (status != ALEA_OK) return status;
  status = new.over ? goals_here(g, &new.seen) : percepts_here(g, &new.seen);
  if (status != ALEA_OK) return status;
  new.position = new.over ? 0 : position_here(g);
  if (new.position == ALEA_HASH_NONE || !alea_vec_push(g->mem, &g->drops, new)) return lack(g);
  return ALEA_OK;
}

/* Every move of chance from one position. */
static alea_status play_share(encode_belief_graph *g, encode_share share, uint32_t number) {
  uint32_t chance = (uint32_t)g->game->random_role;
  alea_list legal;
  alea_status status = enter(g, share.position);
  if (status == ALEA_OK) status = alea_cursor_legal(g->cursor, chance, &legal);
  if (status != ALEA_OK) return status;
  if (legal.count == 0) return no_move(g, chance);
  g->chances.count = 0;
  for (uint32_t i = 0; i < legal.count; i++)
    if (!alea_vec_push(g->mem, &g->chances, legal.ids[i])) return lack(g);
  set_joint(g, number);
  for (size_t i = 0; i < g->chances.count && status == ALEA_OK; i++) {
    g->joint[chance] = g->chances.data[i];
    if (i > 0) status = enter(g, share.position);
    if (status == ALEA_OK) status = alea_cursor_play(g->cursor, g->joint);
    if (status == ALEA_OK) status = drop(g, share.weight / (double)g->chances.count);
  }
  return status;
}

/* 1 + the move, or 0 where a role has one that it may not know. */
static uint32_t known_move(const encode_belief_graph *g, const encode_belief *b, size_t i) {
  uint32_t roles = g->game->role_count, role = g->roles.data[i];
  if (choices(g, i) > 0) return 1 + g->legal.data[g->firsts.data[i] + g->picks.data[i]];
  for (uint32_t s = 1; s < b->count; s++)
    if (g->forced.data[s * roles + role] != g->forced.data[role]) return 0;
  return 1 + g->forced.data[role];
}

static alea_status play_picks(encode_belief_graph *g, uint32_t number) {
  encode_belief b = g->beliefs.data[number];
  encode_situation new = {number, g->moves.count, g->outcomes.count};
  for (size_t i = 0; i < g->roles.count; i++)
    if (!alea_vec_push(g->mem, &g->moves, known_move(g, &b, i))) return lack(g);
  if (!alea_vec_push(g->mem, &g->situations, new)) return lack(g);
  g->drops.count = 0;
  alea_status status = ALEA_OK;
  for (uint32_t i = 0; i < b.count && status == ALEA_OK; i++)
    status = play_share(g, g->shares.data[b.first + i], i);
  return status == ALEA_OK ? take_drops(g, b.depth + 1) : status;
}

/* The next combination of picks, the last role turning fastest; false at the end. */
static bool next_picks(encode_belief_graph *g) {
  for (size_t i = g->roles.count; i-- > 0;) {
    if (g->picks.data[i] + 1 < choices(g, i)) {
      g->picks.data[i]++;
      return true;
    }
    g->picks.data[i] = 0;
  }
  return false;
}

static alea_status expand(encode_belief_graph *g, uint32_t number) {
  alea_status status = belief_moves(g, &g->beliefs.data[number]);
  if (status != ALEA_OK || g->restart) return status;
  g->picks.count = 0;
  for (size_t i = 0; i < g->roles.count; i++)
    if (!alea_vec_push(g->mem, &g->picks, 0)) return lack(g);
  do {
    status = play_picks(g, number);
    if (status == ALEA_OK && alea_deadline_passed(&g->options->deadline))
      return refuse(g, ALEA_LIMIT, "too-large",
                    "time was up before all that can be known was found (the limit is "
                    "--ground-seconds; a smaller --horizon needs less)");
  } while (status == ALEA_OK && next_picks(g));
  return status;
}

/* ---- the graph ---- */

static void empty(encode_belief_graph *g) {
  encode_sequences_clear(&g->positions, g->mem);
  encode_sequences_clear(&g->percepts, g->mem);
  encode_sequences_clear(&g->goals, g->mem);
  encode_sequences_clear(&g->keys, g->mem);
  g->beliefs.count = g->shares.count = g->situations.count = g->outcomes.count = 0;
  g->moves.count = g->roles.count = 0;
  g->restart = false;
}

static alea_status start(encode_belief_graph *g) {
  empty(g);
  for (uint32_t r = 0; r < g->game->role_count; r++)
    if (g->deciding[r] && !alea_vec_push(g->mem, &g->roles, r)) return lack(g);
  encode_drop first = {.weight = 1};
  alea_status status = alea_cursor_reset(g->cursor);
  if (status == ALEA_OK) status = alea_cursor_terminal(g->cursor, &first.over);
  if (status == ALEA_OK && first.over) status = goals_here(g, &first.seen);
  if (status == ALEA_OK) first.position = position_here(g);
  if (first.position == ALEA_HASH_NONE) return lack(g);
  uint32_t number;
  return status == ALEA_OK ? add_belief(g, &first, 1, 1, 0, &number) : status;
}

/* From the start again whenever one more role turns out to decide: what it sees
 * has to be told apart from the first step on. */
static alea_status explore(encode_belief_graph *g) {
  alea_status status;
  do {
    status = start(g);
    for (size_t i = 0; i < g->beliefs.count && status == ALEA_OK && !g->restart; i++) {
      const encode_belief *b = &g->beliefs.data[i];
      bool last = g->options->horizon >= 0 && b->depth >= g->options->horizon;
      if (b->goals == 0 && !last) status = expand(g, (uint32_t)i);
    }
  } while (status == ALEA_OK && g->restart);
  return status;
}

alea_status encode_belief_graph_init(encode_belief_graph *g, const alea_game *game,
                                     const alea_belief_options *options, alea_mem *mem,
                                     alea_diag *diag) {
  *g = (encode_belief_graph){.game = game, .options = options, .mem = mem, .diag = diag};
  g->deciding = alea_mem_calloc(mem, game->role_count, sizeof *g->deciding);
  g->joint = alea_mem_calloc(mem, game->role_count, sizeof *g->joint);
  if (g->deciding == NULL || g->joint == NULL) return lack(g);
  alea_status status = alea_cursor_new(game, mem, &g->cursor);
  return status == ALEA_OK ? explore(g) : status;
}

void encode_belief_graph_clear(encode_belief_graph *g) {
  alea_mem *mem = g->mem;
  empty(g);
  alea_cursor_free(g->cursor);
  alea_mem_free(mem, g->deciding, g->game->role_count * sizeof *g->deciding);
  alea_mem_free(mem, g->joint, g->game->role_count * sizeof *g->joint);
  alea_vec_clear(mem, &g->beliefs);
  alea_vec_clear(mem, &g->shares);
  alea_vec_clear(mem, &g->situations);
  alea_vec_clear(mem, &g->outcomes);
  alea_vec_clear(mem, &g->moves);
  alea_vec_clear(mem, &g->roles);
  alea_vec_clear(mem, &g->legal);
  alea_vec_clear(mem, &g->firsts);
  alea_vec_clear(mem, &g->forced);
  alea_vec_clear(mem, &g->chances);
  alea_vec_clear(mem, &g->picks);
  alea_vec_clear(mem, &g->drops);
  alea_vec_clear(mem, &g->words);
}
