/* Ranking games: the search on bit sets.
 *
 * One side attacks: it wants to complete a line first.  The other defends, and
 * a full board is enough for it.  Where a full board is not enough for player 1
 * the attacker is player 1, otherwise player 2.  A node asks whether the
 * attack succeeds. */
#include "base/hash.h"
#include "csp/ranking.h"

typedef struct ranking_position {
  uint64_t discs[2];
  uint64_t wins[2]; /* cells that complete a line; those that are taken do not matter */
  uint64_t open;    /* the lowest empty cell of each chain */
} ranking_position;

typedef struct ranking_move {
  uint64_t cell;
  uint64_t wins; /* of the side that moves, afterwards */
  int32_t score;
} ranking_move;

struct ranking_search {
  strategic_play *play;
  const ranking_game *game;
  ranking_table table;
  uint32_t attacker;                /* 0 is player 1 */
  bool follow;                      /* the defender can answer in the same chain: see hopeless */
  uint32_t images;                  /* symmetries, without the identity */
  uint8_t (*image)[RANKING_BITS];   /* per symmetry: where the first bit of a chain goes */
  int32_t history[2][RANKING_BITS]; /* what decided, per side and bit */
  uint64_t reply[RANKING_BITS];     /* the defender's that decided last, per bit before it */
  uint64_t print;                   /* of the network, for the file */
  uint64_t spent[2];                /* nodes and thousandths of seconds, before this run */
  double saved;                     /* when the file was written last */
};

enum {
  LOOK_EVERY = 1 << 14, /* nodes between two looks at the clock */
  SAVE_SECONDS = 120,   /* of CPU time */
  /* The score of a move: its history, and for each threat, for each line that
   * the attacker still hopes for, and for the reply that worked. */
  HISTORY_MOST = 1 << 20,
  THREAT = 1 << 8,
  HOPE = 1 << 6,
  REPLY = 1 << 28,
};

/* ---- rules ---- */

/* A block of sets.  Written out as a vector, since compilers that find one in
 * the loops by themselves run across the blocks, not along them. */
typedef uint64_t ranking_block __attribute__((vector_size(RANKING_BLOCK * sizeof(uint64_t))));

static inline ranking_block block_at(const uint64_t *sets) {
  ranking_block block;
  memcpy(&block, sets, sizeof block);
  return block;
}

/* The cells that complete a line once 'own' has the cell of bit b too. */
static inline uint64_t wins_with(const ranking_game *g, uint64_t own, uint32_t b) {
  ranking_block found = {0};
  uint64_t all = 0;
  for (uint32_t i = g->start[b]; i < g->start[b + 1]; i += RANKING_BLOCK) {
    ranking_block missing = block_at(&g->rest[i]) & ~own;
    found |= missing & (ranking_block)((missing & (missing - 1)) == 0);
  }
  for (uint32_t k = 0; k < RANKING_BLOCK; k++) all |= found[k];
  return all;
}

static inline void take(const ranking_game *g, ranking_position *at, uint32_t side, uint64_t cell,
                        uint64_t wins) {
  at->discs[side] |= cell;
  at->wins[side] = wins;
  at->open = (at->open ^ cell) | (cell << 1 & g->board);
}

/* How many lines have only cells of 'within'. */
static inline uint64_t lines_within(const ranking_game *g, uint64_t within) {
  ranking_block found = {0};
  uint64_t all = 0;
  for (uint32_t i = 0; i < g->lines; i += RANKING_BLOCK)
    found -= (ranking_block)((block_at(&g->line[i]) & ~within) == 0);
  for (uint32_t k = 0; k < RANKING_BLOCK; k++) all += found[k];
  return all;
}

/* Whether the defender has a way to keep the attacker from every line.
 *
 * Pairs of empty cells are counted down each chain from its top.  An odd chain
 * has one more, its lowest: a loose cell.  If the attacker is to move and the
 * number of loose cells is even, the defender answers the lower cell of a pair
 * with the upper one and a loose cell with a loose cell; if the defender is to
 * move and it is odd, it takes a loose cell first.  Then the attacker gets no
 * upper cell that is not loose now.  The parities are the same at every node of
 * a game, and 'follow' tells whether they are these.  (Connect calls it
 * claimeven.)  Otherwise, every empty cell may become the attacker's. */
static uint64_t hopes(const ranking_search *s, const ranking_position *at, uint32_t side) {
  const ranking_game *g = s->game;
  uint64_t free = g->board & ~(at->discs[0] | at->discs[1]);
  if (s->follow) {
    uint64_t loose = at->open & g->uppers;
    if (side != s->attacker && (loose & (loose - 1)) == 0) loose = 0;
    free = (free & ~g->uppers) | loose;
  }
  return lines_within(g, at->discs[s->attacker] | free);
}

/* ---- keys ---- */

/* Player 1's cells, and above the cells of each chain a mark. */
static uint64_t key_of(const ranking_search *s, const ranking_position *at) {
  const ranking_game *g = s->game;
  uint64_t filled = at->discs[0] | at->discs[1];
  uint64_t key = (filled + g->bottoms) | at->discs[0], least = key;
  for (uint32_t i = 0; i < s->images; i++) {
    uint64_t image = 0;
    for (uint32_t c = 0; c < g->chains; c++)
      image |= (key & g->field[c]) >> g->first[c] << s->image[i][c];
    if (image < least) least = image;
  }
  return alea_hash_mix(least);
}

/* ---- the tree ---- */

static void look_around(ranking_search *s) {
  strategic_play *p = s->play;
  double now = alea_clock_thread();
  if (alea_deadline_passed(&p->options->deadline)) p->stopped = true;
  if (p->options->max_nodes != 0 && p->result->nodes > p->options->max_nodes) p->stopped = true;
  if (p->options->on_progress != NULL)
    p->options->on_progress(p->options->data, p->result->nodes, p->level, now - p->start);
  if (now - s->saved < SAVE_SECONDS) return;
  p->result->trouble = ranking_search_save(s);
  s->saved = now;
}

/* What promises most goes first: threats, and what decided elsewhere.  The
 * defender prefers the reply that worked last time, for it wins by keeping
 * pairs, and then what leaves the attacker the fewest lines. */
static int32_t promise(const ranking_search *s, const ranking_position *next, uint32_t side,
                       uint64_t cell, uint32_t last) {
  uint64_t empty = s->game->board & ~(next->discs[0] | next->discs[1]);
  int32_t score = s->history[side][__builtin_ctzll(cell)];
  score += THREAT * __builtin_popcountll(next->wins[side] & empty);
  if (side == s->attacker) return score;
  return score - HOPE * (int32_t)hopes(s, next, side ^ 1) + (s->reply[last] == cell ? REPLY : 0);
}

static uint32_t list_moves(const ranking_search *s, const ranking_position *at, uint32_t side,
                           uint64_t cells, uint32_t last, ranking_move *moves) {
  const ranking_game *g = s->game;
  uint32_t count = 0;
  for (; cells != 0; cells &= cells - 1) {
    uint32_t b = (uint32_t)__builtin_ctzll(cells), i = count++;
    ranking_move move = {.cell = UINT64_C(1) << b};
    move.wins = at->wins[side] | wins_with(g, at->discs[side] | move.cell, b);
    if (s->play->options->order) {
      ranking_position next = *at;
      take(g, &next, side, move.cell, move.wins);
      move.score = promise(s, &next, side, move.cell, last);
    }
    for (; i > 0 && moves[i - 1].score < move.score; i--) moves[i] = moves[i - 1];
    moves[i] = move;
  }
  return count;
}

/* The move that decided gains what those before it lose. */
static void learn(ranking_search *s, uint32_t side, const ranking_move *moves, uint32_t decisive,
                  uint32_t last) {
  if (side != s->attacker) s->reply[last] = moves[decisive].cell;
  if (decisive == 0) return;
  int32_t *history = s->history[side];
  for (uint32_t i = 0; i < decisive; i++) {
    int32_t *h = &history[__builtin_ctzll(moves[i].cell)];
    if (*h > -HISTORY_MOST) --*h;
  }
  int32_t *h = &history[__builtin_ctzll(moves[decisive].cell)];
  if (*h < HISTORY_MOST) *h += (int32_t)decisive;
}

/* Unit propagation: while a cell must be taken it is.  True: the node is
 * decided; otherwise '*cells' are those worth trying. */
static inline bool propagate(ranking_search *s, ranking_position *at, uint32_t *side,
                             uint64_t *last, uint64_t *cells, bool *attack) {
  const ranking_game *g = s->game;
  for (;;) {
    uint32_t other = *side ^ 1;
    uint64_t must = at->wins[other] & at->open, bad = at->wins[other] >> 1;
    *attack = other == s->attacker; /* if nothing helps */
    if (at->open == 0) *attack = false;
    *cells = (must != 0 ? must : at->open) & ~bad;
    if (*cells == 0 || (must & (must - 1)) != 0) return true;
    if (must == 0) return false;
    uint32_t b = (uint32_t)__builtin_ctzll(must);
    take(g, at, *side, must, at->wins[*side] | wins_with(g, at->discs[*side] | must, b));
    s->play->forced++;
    *side = other;
    *last = must;
  }
}

/* Whether the attack succeeds, where the side to move has no line to complete
 * at once.  At most RANKING_BITS deep. */
static bool attack(ranking_search *s, ranking_position at, uint32_t side, uint64_t last) {
  strategic_play *p = s->play;
  ranking_move moves[RANKING_BITS];
  uint64_t cells, key = 0, before = p->result->nodes++;
  bool answer;
  if ((before & (LOOK_EVERY - 1)) == 0) look_around(s);
  if (p->stopped || propagate(s, &at, &side, &last, &cells, &answer)) return !p->stopped && answer;
  if (p->options->early && hopes(s, &at, side) == 0) return false;
  if (s->table.words != NULL) ranking_table_prefetch(&s->table, key = key_of(s, &at));
  /* The moves are listed while the table's words are on their way. */
  uint32_t before_it = (uint32_t)__builtin_ctzll(last);
  uint32_t count = list_moves(s, &at, side, cells, before_it, moves);
  if (s->table.words != NULL && ranking_table_find(&s->table, key, &answer)) {
    p->result->table_hits++;
    return answer;
  }
  bool wanted = side == s->attacker;
  answer = !wanted;
  for (uint32_t i = 0; i < count && answer != wanted; i++) {
    ranking_position next = at;
    take(s->game, &next, side, moves[i].cell, moves[i].wins);
    answer = attack(s, next, side ^ 1, moves[i].cell);
    if (p->stopped) return false;
    if (answer == wanted) learn(s, side, moves, i, before_it);
  }
  uint64_t nodes = p->result->nodes - before;
  if (s->table.words != NULL)
    ranking_table_store(&s->table, key, answer, 63 - (uint32_t)__builtin_clzll(nodes));
  return answer;
}

/* ---- from the network and back ---- */

/* The position after the values in the engine; false: a line was completed, by
 * '*side', and with it the game is decided. */
static bool position_at(const ranking_search *s, uint32_t base, ranking_position *at,
                        uint32_t *side) {
  const ranking_game *g = s->game;
  *at = (ranking_position){.open = g->bottoms};
  for (uint32_t j = 0; j < base && j < g->cells; j++) {
    uint32_t value = csp_dom(s->play->engine, s->play->strategic->order.data[j].var)->min;
    uint32_t b = g->bit[value];
    uint64_t cell = UINT64_C(1) << b;
    *side = j & 1;
    if (at->wins[*side] & cell) return false;
    take(g, at, *side, cell, at->wins[*side] | wins_with(g, at->discs[*side] | cell, b));
  }
  *side = base & 1;
  return true;
}

/* The answer of the network: player 1 is the existential side. */
static bool network_answer(const ranking_search *s, bool attacked) {
  return attacked == (s->attacker == 0);
}

static void record(ranking_search *s, uint64_t cell) {
  s->play->result->first = s->game->cell[__builtin_ctzll(cell)] + 1;
}

/* The root as a node, and a value with which its side reaches its aim. */
static bool root(ranking_search *s, const ranking_position *at, uint32_t side) {
  strategic_play *p = s->play;
  ranking_move moves[RANKING_BITS];
  uint64_t now = at->wins[side] & at->open;
  bool wanted = side == s->attacker, answer = !wanted;
  if (now != 0) {
    record(s, now);
    return wanted;
  }
  p->result->nodes++;
  if (at->open == 0) return false;
  uint32_t count = list_moves(s, at, side, at->open, 63, moves);
  for (uint32_t i = 0; i < count && answer != wanted && !p->stopped; i++) {
    ranking_position next = *at;
    take(s->game, &next, side, moves[i].cell, moves[i].wins);
    /* Here a value may leave the other side a line to complete at once. */
    if (next.wins[side ^ 1] & next.open)
      answer = (side ^ 1) == s->attacker;
    else
      answer = attack(s, next, side ^ 1, moves[i].cell);
    if (answer == wanted) record(s, moves[i].cell);
  }
  return answer;
}

bool ranking_search_run(ranking_search *s, uint32_t base) {
  ranking_position at;
  uint32_t side;
  look_around(s);
  if (!position_at(s, base, &at, &side)) return network_answer(s, side == s->attacker);
  if (base > s->play->result->deepest) s->play->result->deepest = base;
  return network_answer(s, root(s, &at, side));
}

/* ---- setting up ---- */

/* Symmetries map chains to chains, since they keep the order of ranks. */
static bool find_images(ranking_search *s) {
  const ranking_game *g = s->game;
  strategic_play *p = s->play;
  uint32_t cell_of_max = (uint32_t)p->strategic->csp->vars.count;
  if (!p->options->symmetry || p->group.count < 2) return true;
  uint32_t *cell_of = alea_arena_alloc(&p->arena, cell_of_max * sizeof *cell_of);
  s->image = alea_arena_alloc(&p->arena, p->group.count * sizeof *s->image);
  if (cell_of == NULL || s->image == NULL) return false;
  for (uint32_t v = 0; v < g->cells; v++) cell_of[g->ranks[v]] = v;
  for (uint32_t k = 1; k < p->group.count; k++) {
    const uint32_t *to = &p->group.images[(size_t)k * p->group.vars];
    for (uint32_t c = 0; c < g->chains; c++)
      s->image[s->images][c] = g->bit[cell_of[to[g->ranks[g->cell[g->first[c]]]]]];
    s->images++;
  }
  return true;
}

static uint64_t print_of(const ranking_game *g) {
  uint64_t print = alea_hash_join(alea_hash_join(11, g->hold), g->board);
  for (uint32_t i = 0; i < g->lines; i++) print = alea_hash_join(print, g->line[i]);
  return print;
}

/* At first a cell is worth the lines through it. */
static void set_history(ranking_search *s) {
  for (uint32_t b = 0; b < RANKING_BITS; b++)
    for (int side = 0; side < 2; side++) s->history[side][b] = (int32_t)s->game->through[b];
}

ranking_search *ranking_search_new(strategic_play *play, const ranking_game *game,
                                   const char **trouble) {
  alea_mem *mem = play->strategic->mem;
  const alea_strategic_options *options = play->options;
  ranking_search *s = alea_mem_zalloc(mem, sizeof *s);
  *trouble = NULL;
  if (s == NULL) return NULL;
  s->play = play;
  s->game = game;
  s->attacker = game->hold ? 1 : 0;
  s->follow = (game->cells % 2 == 0) == (s->attacker == 0);
  s->print = print_of(game);
  s->saved = alea_clock_thread();
  set_history(s);
  bool good = find_images(s);
  if (good && options->table)
    good = ranking_table_init(&s->table, mem,
                              options->table_bytes != 0 ? options->table_bytes : 256u << 20);
  if (!good) {
    ranking_search_free(s);
    return NULL;
  }
  if (options->file != NULL && options->table)
    *trouble = ranking_table_load(&s->table, options->file, s->print, s->spent);
  play->result->nodes_before = s->spent[0];
  play->result->seconds_before = (double)s->spent[1] / 1000;
  return s;
}

void ranking_search_free(ranking_search *search) {
  if (search == NULL) return;
  alea_mem *mem = search->play->strategic->mem;
  ranking_table_clear(&search->table, mem);
  alea_mem_free(mem, search, sizeof *search);
}

const char *ranking_search_save(ranking_search *s) {
  const strategic_play *p = s->play;
  if (p->options->file == NULL || s->table.words == NULL) return NULL;
  double seconds = alea_clock_thread() - p->start;
  uint64_t spent[2] = {s->spent[0] + p->result->nodes, s->spent[1] + (uint64_t)(1000 * seconds)};
  return ranking_table_save(&s->table, p->strategic->mem, p->options->file, s->print, spent);
}
