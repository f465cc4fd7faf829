/* Ranking games: finding their form in the constraints of a network. */
#include "csp/ranking.h"

typedef struct ranking_reader {
  const alea_strategic *strategic;
  const alea_csp *csp;
  ranking_game *game;
  alea_arena *arena;
  uint32_t n;          /* cells */
  uint32_t *cell_of;   /* per variable: its cell; NONE: no rank */
  uint32_t *line_of;   /* per variable: its line; NONE: no flag */
  alea_csp_var *ranks; /* per cell; NONE: not met */
  alea_csp_var *flags; /* per line */
  uint8_t *linked;     /* per move and cell: an iff was met */
  uint32_t above[RANKING_BITS], below[RANKING_BITS];
  uint64_t *line_cells;              /* per line, by cell */
  uint32_t links, bounds, others[3]; /* constraints met: the iffs, the orders, and one each of */
} ranking_reader;

enum { NOT_BOTH, MAXIMUM, CLOSING };

static alea_csp_var quantified_at(const ranking_reader *r, uint32_t j) {
  return r->strategic->order.data[j].var;
}

static bool has_range(const ranking_reader *r, alea_csp_var v, int32_t least, uint32_t size) {
  const csp_variable *var = &r->csp->vars.data[v];
  return var->values == NULL && var->base == least && (size == 0 || var->size == size);
}

/* P_1 exists, P_2 for all, ..., and the result exists. */
static const char *read_order(ranking_reader *r) {
  size_t count = r->strategic->order.count;
  if (count < 2 || count - 1 >= RANKING_BITS) return "it has no 1 to 63 moves and a result";
  r->n = (uint32_t)count - 1;
  for (uint32_t j = 0; j < r->n; j++) {
    if (r->strategic->order.data[j].universal != (j % 2 == 1))
      return "the quantifiers do not alternate";
    if (!has_range(r, quantified_at(r, j), 1, r->n)) return "a move does not range over the cells";
  }
  if (r->strategic->order.data[r->n].universal || !has_range(r, quantified_at(r, r->n), 0, 3))
    return "the last variable is no result of 0 to 2";
  return NULL;
}

static const char *read_iff(ranking_reader *r, const csp_constraint *c, const uint32_t *position) {
  static const char *const wrong = "an iff does not link a move and a rank";
  const csp_pair *pair = c->data;
  int side = position[c->scope[0]] != ALEA_CSP_NONE ? 0 : 1;
  uint32_t move = position[c->scope[side]];
  alea_csp_var rank = c->scope[!side];
  int32_t value = side == 0 ? pair->a : pair->b, to = side == 0 ? pair->b : pair->a;
  if (move == ALEA_CSP_NONE || move >= r->n || position[rank] != ALEA_CSP_NONE) return wrong;
  if (value < 1 || value > (int32_t)r->n || to != (int32_t)move + 1) return wrong;
  uint32_t cell = (uint32_t)value - 1;
  if (r->ranks[cell] == ALEA_CSP_NONE && r->cell_of[rank] == ALEA_CSP_NONE) {
    r->ranks[cell] = rank;
    r->cell_of[rank] = cell;
  }
  if (r->ranks[cell] != rank || r->linked[move * r->n + cell]) return wrong;
  r->linked[move * r->n + cell] = 1;
  r->links++;
  return NULL;
}

/* X_a + 1 <= X_b */
static const char *read_bound(ranking_reader *r, const csp_constraint *c) {
  uint32_t a = r->cell_of[c->scope[0]], b = r->cell_of[c->scope[1]];
  if (a == ALEA_CSP_NONE || b == ALEA_CSP_NONE || ((const csp_linear *)c->data)->rhs != -1)
    return "an order is not between ranks";
  if (r->above[a] != ALEA_CSP_NONE || r->below[b] != ALEA_CSP_NONE)
    return "the cells are not in chains";
  r->above[a] = b;
  r->below[b] = a;
  r->bounds++;
  return NULL;
}

static const char *read_line(ranking_reader *r, const csp_constraint *c, uint32_t line) {
  uint32_t cells = c->arity - 1;
  alea_csp_var flag = c->scope[cells];
  if (cells < 2) return "a line has fewer than two cells";
  for (uint32_t i = 0; i < cells; i++) {
    uint32_t cell = r->cell_of[c->scope[i]];
    if (cell == ALEA_CSP_NONE) return "a line is not of ranks";
    if (r->line_cells[line] >> cell & 1) return "a line has a cell twice";
    r->line_cells[line] |= UINT64_C(1) << cell;
  }
  if (r->cell_of[flag] != ALEA_CSP_NONE || r->line_of[flag] != ALEA_CSP_NONE ||
      !has_range(r, flag, 0, 3))
    return "a flag is not of one line";
  for (size_t j = 0; j < r->strategic->order.count; j++)
    if (quantified_at(r, (uint32_t)j) == flag) return "a flag is quantified";
  r->line_of[flag] = line;
  r->flags[line] = flag;
  return NULL;
}

/* Every flag once, in any order. */
static bool all_flags(ranking_reader *r, const alea_csp_var *scope, uint32_t count) {
  uint64_t seen[8] = {0}; /* 512 lines at most: see shape */
  if (count != r->game->lines) return false;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t line = r->line_of[scope[i]];
    if (line == ALEA_CSP_NONE || (seen[line >> 6] >> (line & 63) & 1)) return false;
    seen[line >> 6] |= UINT64_C(1) << (line & 63);
  }
  return true;
}

static const char *read_not_both(ranking_reader *r, const csp_constraint *c) {
  const csp_pair *pair = c->data;
  bool pair_fits = (pair->a == 1 && pair->b == 2) || (pair->a == 2 && pair->b == 1);
  if (!pair_fits || !all_flags(r, c->scope, c->arity)) return "notBoth is not over all flags";
  r->others[NOT_BOTH]++;
  return NULL;
}

static const char *read_maximum(ranking_reader *r, const csp_constraint *c) {
  if (c->scope[c->arity - 1] != quantified_at(r, r->n) || !all_flags(r, c->scope, c->arity - 1))
    return "the result is not the maximum of all flags";
  r->others[MAXIMUM]++;
  return NULL;
}

/* The result is 1, or 0 or 1. */
static const char *read_closing(ranking_reader *r, const csp_constraint *c) {
  const csp_table *table = c->data;
  unsigned allowed = 0;
  if (table->arity != 1 || table->has_star || c->scope[0] != quantified_at(r, r->n))
    return "a table is not the one of the result";
  for (size_t i = 0; i < table->count; i++) allowed |= 1u << table->rows[i];
  if (table->forbidden) allowed ^= 7;
  if (allowed != 2 && allowed != 3) return "the result is neither 1 nor 0 or 1";
  r->game->hold = allowed == 3;
  r->others[CLOSING]++;
  return NULL;
}

/* Ranks first: orders and lines are read by them, and the rest by the flags. */
static const char *read_constraints(ranking_reader *r, const uint32_t *position) {
  const char *why = NULL;
  size_t count = r->csp->constraints.count;
  for (int pass = 0; pass < 3 && why == NULL; pass++) {
    uint32_t line = 0;
    for (size_t i = 0; i < count && why == NULL; i++) {
      const csp_constraint *c = &r->csp->constraints.data[i];
      const csp_type *t = c->type;
      int when = t == &csp_iff_type ? 0 : t == &csp_order_type || t == &csp_parity_type ? 1 : 2;
      if (when != pass) continue;
      why = pass == 0                 ? read_iff(r, c, position)
            : t == &csp_order_type    ? read_bound(r, c)
            : t == &csp_parity_type   ? read_line(r, c, line++)
            : t == &csp_not_both_type ? read_not_both(r, c)
            : t == &csp_maximum_type  ? read_maximum(r, c)
            : csp_is_table(t)         ? read_closing(r, c)
                                      : "it has a constraint of another kind";
    }
  }
  return why;
}

static const char *complete(const ranking_reader *r) {
  const ranking_game *g = r->game;
  if (r->links != r->n * r->n) return "a cell has no rank";
  for (int i = 0; i < 3; i++)
    if (r->others[i] != 1) return "notBoth, maximum and the table are not there once each";
  if (r->csp->vars.count != 2 * (size_t)r->n + g->lines + 1) return "it has further variables";
  uint32_t size = r->csp->vars.data[r->ranks[0]].size;
  for (uint32_t v = 0; v < r->n; v++)
    if (size < r->n || !has_range(r, r->ranks[v], 1, size)) return "the ranks do not begin at 1";
  return NULL;
}

/* Gives every cell its bit, chain after chain. */
static const char *lay_chains(ranking_reader *r) {
  ranking_game *g = r->game;
  uint32_t next = 0, placed = 0;
  for (uint32_t v = 0; v < r->n; v++) {
    if (r->below[v] != ALEA_CSP_NONE) continue;
    uint32_t chain = g->chains++, length = 0;
    g->first[chain] = (uint8_t)next;
    for (uint32_t at = v; at != ALEA_CSP_NONE; at = r->above[at], length++, next++) {
      if (next >= RANKING_BITS) return "it has too many cells for 64 bits";
      g->bit[at] = (uint8_t)next;
      g->cell[next] = (uint8_t)at;
      g->board |= UINT64_C(1) << next;
    }
    if (next >= RANKING_BITS) return "it has too many cells for 64 bits";
    placed += length;
    g->bottoms |= UINT64_C(1) << g->first[chain];
    for (uint32_t k = 0; k < length; k += 2) g->uppers |= UINT64_C(1) << (next - 1 - k);
    g->field[chain] = ((UINT64_C(1) << length << 1) - 1) << g->first[chain];
    if (length > g->longest) g->longest = length;
    next++;
  }
  return placed == r->n ? NULL : "the cells are not in chains";
}

static uint32_t filled_up(uint32_t count) {
  return (count + RANKING_BLOCK - 1) / RANKING_BLOCK * RANKING_BLOCK;
}

static bool lay_lines(ranking_reader *r) {
  ranking_game *g = r->game;
  uint32_t total = 0, at = 0;
  for (uint32_t i = 0; i < filled_up(g->lines); i++) g->line[i] = i < g->lines ? 0 : UINT64_MAX;
  for (uint32_t i = 0; i < g->lines; i++)
    for (uint64_t m = r->line_cells[i]; m != 0; m &= m - 1) {
      uint8_t b = g->bit[__builtin_ctzll(m)];
      g->line[i] |= UINT64_C(1) << b;
      g->through[b]++;
    }
  for (uint32_t b = 0; b < RANKING_BITS; b++) total += filled_up(g->through[b]);
  g->rest = alea_arena_alloc(r->arena, (total + 1) * sizeof *g->rest);
  if (g->rest == NULL) return false;
  for (uint32_t b = 0; b < RANKING_BITS; b++) {
    g->start[b] = at;
    for (uint32_t i = 0; i < g->lines; i++)
      if (g->line[i] >> b & 1) g->rest[at++] = g->line[i] & ~(UINT64_C(1) << b);
    for (; at % RANKING_BLOCK != 0; at++) g->rest[at] = UINT64_MAX;
  }
  g->start[RANKING_BITS] = at;
  return true;
}

/* Memory for what is read; false: none.  At most 512 lines are taken. */
static bool make_room(ranking_reader *r, uint32_t **position) {
  alea_arena *arena = r->arena;
  ranking_game *g = r->game;
  size_t vars = r->csp->vars.count;
  *position = alea_arena_alloc(arena, (vars + 1) * sizeof **position);
  r->cell_of = alea_arena_alloc(arena, (vars + 1) * sizeof *r->cell_of);
  r->line_of = alea_arena_alloc(arena, (vars + 1) * sizeof *r->line_of);
  r->ranks = alea_arena_alloc(arena, r->n * sizeof *r->ranks);
  r->flags = alea_arena_alloc(arena, (g->lines + 1) * sizeof *r->flags);
  r->linked = alea_arena_alloc(arena, (size_t)r->n * r->n);
  r->line_cells = alea_arena_alloc(arena, (g->lines + 1) * sizeof *r->line_cells);
  g->line = alea_arena_alloc(arena, filled_up(g->lines) * sizeof *g->line);
  if (*position == NULL || r->cell_of == NULL || r->line_of == NULL || r->ranks == NULL ||
      r->flags == NULL || r->linked == NULL || r->line_cells == NULL || g->line == NULL)
    return false;
  memset(r->linked, 0, (size_t)r->n * r->n);
  memset(r->line_cells, 0, (g->lines + 1) * sizeof *r->line_cells);
  for (size_t v = 0; v < vars; v++) (*position)[v] = r->cell_of[v] = r->line_of[v] = ALEA_CSP_NONE;
  for (size_t j = 0; j < r->strategic->order.count; j++)
    (*position)[quantified_at(r, (uint32_t)j)] = (uint32_t)j;
  for (uint32_t v = 0; v < r->n; v++) r->ranks[v] = r->above[v] = r->below[v] = ALEA_CSP_NONE;
  return true;
}

const ranking_game *ranking_find(const alea_strategic *strategic, alea_arena *arena,
                                 const char **why) {
  ranking_game *game = alea_arena_alloc(arena, sizeof *game);
  ranking_reader r = {.strategic = strategic, .csp = strategic->csp, .game = game, .arena = arena};
  uint32_t *position;
  *why = NULL;
  if (game == NULL) return NULL;
  memset(game, 0, sizeof *game);
  for (size_t i = 0; i < r.csp->constraints.count; i++)
    game->lines += r.csp->constraints.data[i].type == &csp_parity_type;
  *why = game->lines == 0 || game->lines > 512 ? "it has no lines of ranks, or more than 512"
                                               : read_order(&r);
  if (*why != NULL || !make_room(&r, &position)) return NULL;
  *why = read_constraints(&r, position);
  if (*why == NULL) *why = complete(&r);
  if (*why == NULL) *why = lay_chains(&r);
  if (*why != NULL || !lay_lines(&r)) return NULL;
  game->cells = r.n;
  game->slack = strategic->csp->vars.data[r.ranks[0]].size - r.n;
  game->ranks = r.ranks;
  game->flags = r.flags;
  return game;
}

const char *ranking_is_game(const alea_strategic *strategic, const ranking_game *game) {
  if (strategic->csp->false_) return "a constraint is false by itself";
  if (strategic->classical) return "it is a QCSP";
  if (strategic->existential != ALEA_STRATEGIC_CONSISTENT)
    return "existential values need not be consistent";
  if (game->slack < game->longest) return "it has too few ranks beyond the number of cells";
  return NULL;
}

const char *ranking_refuses_class(const ranking_game *game, alea_csp_var var,
                                  const uint32_t *classes, const uint32_t *since, uint32_t count) {
  bool rank = false;
  for (uint32_t v = 0; v < game->cells; v++) rank = rank || game->ranks[v] == var;
  if (!rank) return "the variable is no rank of a cell";
  for (uint32_t i = 0; i < count; i++)
    if (since[i] < i + 1) return "a rank is only known once its move is made";
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t k = 0; k < i; k++)
      if ((i - k) % 2 == 1 && classes[i] == classes[k])
        return "an odd and an even rank have the same class";
  return NULL;
}

const char *ranking_refuses_outcome(const ranking_game *game, const alea_csp_var *vars,
                                    uint32_t count, int64_t win, int64_t loss) {
  if (win != 1 || loss != 2) return "player 1 wins with 1 and loses with 2";
  if (game->hold) return "the result may be 0";
  if (game->slack < game->longest) return "there are too few ranks beyond the number of cells";
  for (uint32_t i = 0; i < game->lines; i++) {
    uint32_t times = 0;
    for (uint32_t k = 0; k < count; k++) times += vars[k] == game->flags[i];
    if (times != 1 || count != game->lines) return "the variables are not the flags of all lines";
  }
  return NULL;
}

const char *alea_strategic_no_ranking(const alea_strategic *strategic) {
  alea_arena arena;
  const char *why;
  alea_arena_init(&arena, strategic->mem);
  const ranking_game *game = ranking_find(strategic, &arena, &why);
  if (game != NULL) why = ranking_is_game(strategic, game);
  if (game == NULL && why == NULL) why = "there is no memory to look";
  alea_arena_clear(&arena);
  return why;
}
