/* The models of [STRAT06 §5], and its game of tokens (§3); D39, D41, K8. */
#include "models/strategic.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "csp/strategic_core.h"

/* The answers of the paper are those of games: a move must be legal for both
 * players, and propagation decides whether it is [STRAT06 §5]. */
static alea_strategic *new_game(alea_mem *mem) {
  alea_strategic *s = alea_strategic_new(mem);
  if (s == NULL) return NULL;
  alea_strategic_set_check(s, ALEA_STRATEGIC_AC);
  alea_strategic_set_existential(s, ALEA_STRATEGIC_CONSISTENT);
  return s;
}

/* ---- tic-tac-toe ---- */

static const uint8_t three_lines[8][3] = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6},
                                          {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}};

/* Full(X,Y,Z,G): for k = 1, 2, X=Y=Z=k if and only if G=k. */
static void full_line(alea_csp *csp, const alea_csp_var *cells, alea_csp_var flag,
                      const uint8_t line[3]) {
  int32_t rows[27 * 4];
  for (int i = 0; i < 27; i++) {
    int x = i / 9, y = i / 3 % 3, z = i % 3;
    int32_t row[4] = {x, y, z, x == y && y == z ? x : 0};
    memcpy(&rows[4 * i], row, sizeof row);
  }
  alea_csp_table(csp, (alea_csp_var[]){cells[line[0]], cells[line[1]], cells[line[2]], flag}, 4,
                 rows, 27, false);
}

/* P_i = v -> X_v = player */
static void mark_cell(alea_csp *csp, alea_csp_var move, int32_t v, alea_csp_var cell,
                      int32_t player) {
  alea_csp_clause(csp, (alea_csp_lit[]){{move, v, true}, {cell, player, false}}, 2);
}

typedef struct board3 {
  alea_csp *csp;
  alea_csp_var cells[9], flags[8], moves[9], stops[9], result;
} board3;

static void board_vars(board3 *b, int model) {
  char name[16];
  for (int i = 0; i < 9; i++) {
    snprintf(name, sizeof name, "X%d.%d", i / 3 + 1, i % 3 + 1);
    b->cells[i] = alea_csp_range(b->csp, name, 0, 2);
  }
  for (int i = 0; i < 8; i++) {
    snprintf(name, sizeof name, "F%d", i + 1);
    b->flags[i] = alea_csp_range(b->csp, name, 0, 2);
  }
  for (int i = 0; i < 9; i++) {
    snprintf(name, sizeof name, "P%d", i + 1);
    b->moves[i] = alea_csp_range(b->csp, name, model == 1 ? 0 : 1, 9);
    snprintf(name, sizeof name, "Stop%d", i + 1);
    if (model == 1 && i % 2 == 0 && i < 8) b->stops[i] = alea_csp_range(b->csp, name, 0, 1);
  }
  b->result = alea_csp_range(b->csp, "F", 0, 2);
}

/* X_v = 0 unless some P_i = v: what the prose of the paper says. */
static void close_cells(board3 *b) {
  for (int v = 0; v < 9; v++) {
    alea_csp_lit lits[10];
    for (int i = 0; i < 9; i++) lits[i] = (alea_csp_lit){b->moves[i], v + 1, false};
    lits[9] = (alea_csp_lit){b->cells[v], 0, false};
    alea_csp_clause(b->csp, lits, 10);
  }
}

static void stop_rules(board3 *b) {
  for (int i = 0; i < 8; i += 2) {
    alea_csp_iff(b->csp, b->stops[i], 1, b->moves[i + 1], 0);
    alea_csp_iff(b->csp, b->stops[i], 1, b->moves[i + 2], 0);
    if (i + 2 < 8)
      alea_csp_clause(b->csp, (alea_csp_lit[]){{b->stops[i], 1, true}, {b->stops[i + 2], 1, false}},
                      2);
  }
}

alea_strategic *alea_model_tictactoe(alea_mem *mem, int model, bool closed) {
  alea_strategic *s = new_game(mem);
  if (s == NULL) return NULL;
  board3 b = {.csp = s->csp};
  board_vars(&b, model);
  for (int i = 0; i < 9; i++) {
    alea_strategic_quantify(s, b.moves[i], i % 2 == 1);
    if (model == 1 && i % 2 == 0 && i < 8) alea_strategic_quantify(s, b.stops[i], false);
    for (int v = 0; v < 9; v++) mark_cell(b.csp, b.moves[i], v + 1, b.cells[v], i % 2 + 1);
  }
  alea_strategic_quantify(s, b.result, false);
  for (int i = 0; i < 8; i++) full_line(b.csp, b.cells, b.flags[i], three_lines[i]);
  if (model == 1)
    stop_rules(&b);
  else
    alea_csp_not_both(b.csp, b.flags, 8, 1, 2);
  if (closed) close_cells(&b);
  alea_csp_maximum(b.csp, b.flags, 8, b.result);
  alea_csp_table(b.csp, &b.result, 1, (int32_t[]){1}, 1, false);
  return s;
}

/* ---- Connect ---- */

typedef struct connect {
  alea_csp *csp;
  alea_strategic *strategic;
  /* Ranks go beyond the number of cells: an empty cell must be able to stay
   * empty as long as a move is only tested for legality.  Without this, the
   * last free cell is known to be player 2's before it is played, and where
   * that completes a line against not-both, player 1's own winning move is
   * called inconsistent: (2,2) would be false, against the paper. */
  uint32_t columns, rows, line, cells, slack;
  bool hold; /* without a line nobody has won, and player 1 asks for no more */
  alea_csp_var *ranks, *flags, *moves, result;
  uint32_t lines;
} connect;

/* Cells are numbered up each column, so that the lexicographic order of the
 * paper goes column by column. */
static uint32_t cell(const connect *c, uint32_t column, uint32_t row) {
  return column * c->rows + row;
}

static const int directions[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};

static bool line_fits(const connect *c, uint32_t column, uint32_t row, const int step[2]) {
  int64_t end_column = (int64_t)column + step[0] * (int64_t)(c->line - 1);
  int64_t end_row = (int64_t)row + step[1] * (int64_t)(c->line - 1);
  return end_column < c->columns && end_row >= 0 && end_row < c->rows;
}

/* Calls for every line: counts, or posts with flags. */
static void each_line(connect *c, bool post) {
  alea_csp_var scope[64];
  uint32_t number = 0;
  for (int d = 0; d < 4; d++)
    for (uint32_t column = 0; column < c->columns; column++)
      for (uint32_t row = 0; row < c->rows; row++) {
        const int *step = directions[d];
        if (!line_fits(c, column, row, step)) continue;
        for (uint32_t i = 0; i < c->line && post; i++)
          scope[i] = c->ranks[cell(c, column + i * (uint32_t)step[0],
                                   (uint32_t)((int)row + (int)i * step[1]))];
        if (post) alea_csp_parity_line(c->csp, scope, c->line, c->flags[number]);
        number++;
      }
  c->lines = number;
}

static void connect_vars(connect *c) {
  char name[32];
  for (uint32_t i = 0; i < c->cells; i++) {
    snprintf(name, sizeof name, "X%u.%u", i % c->rows + 1, i / c->rows + 1);
    c->ranks[i] = alea_csp_range(c->csp, name, 1, (int32_t)(c->cells + c->slack));
  }
  for (uint32_t i = 0; i < c->lines; i++) {
    snprintf(name, sizeof name, "G%u", i + 1);
    c->flags[i] = alea_csp_range(c->csp, name, 0, 2);
  }
  for (uint32_t i = 0; i < c->cells; i++) {
    snprintf(name, sizeof name, "P%u", i + 1);
    c->moves[i] = alea_csp_range(c->csp, name, 1, (int32_t)c->cells);
    alea_strategic_quantify(c->strategic, c->moves[i], i % 2 == 1);
  }
  c->result = alea_csp_range(c->csp, "F", 0, 2);
  alea_strategic_quantify(c->strategic, c->result, false);
}

/* A disc that has fallen matters only by its colour, the parity of its rank. */
static void connect_classes(connect *c) {
  uint32_t ranks = c->cells + c->slack;
  uint32_t *classes = csp_alloc(c->csp, 2 * (size_t)ranks, sizeof *classes);
  if (classes == NULL) return;
  for (uint32_t i = 0; i < ranks; i++) {
    classes[i] = (i + 1) & 1;
    classes[ranks + i] = i + 1;
  }
  for (uint32_t i = 0; i < c->cells; i++)
    alea_strategic_class(c->strategic, c->ranks[i], classes, classes + ranks);
}

static void connect_constraints(connect *c) {
  for (uint32_t i = 0; i < c->cells; i++)
    for (uint32_t v = 0; v < c->cells; v++)
      alea_csp_iff(c->csp, c->moves[i], (int32_t)v + 1, c->ranks[v], (int32_t)i + 1);
  for (uint32_t column = 0; column < c->columns; column++)
    for (uint32_t row = 0; row + 1 < c->rows; row++)
      alea_csp_linear(
          c->csp,
          (alea_csp_var[]){c->ranks[cell(c, column, row)], c->ranks[cell(c, column, row + 1)]},
          (int64_t[]){1, -1}, 2, ALEA_LT, 0);
  each_line(c, true);
  alea_csp_not_both(c->csp, c->flags, c->lines, 1, 2);
  alea_csp_maximum(c->csp, c->flags, c->lines, c->result);
  alea_csp_table(c->csp, &c->result, 1, (int32_t[]){1, 0}, c->hold ? 2 : 1, false);
}

static alea_strategic *connect_game(alea_mem *mem, uint32_t columns, uint32_t rows, uint32_t line,
                                    uint32_t slack, bool hold) {
  if (columns == 0 || rows == 0 || columns > 16 || rows > 16 || line < 2 || line > 16) return NULL;
  if (line > columns && line > rows) return NULL;
  connect c = {.columns = columns,
               .rows = rows,
               .line = line,
               .cells = columns * rows,
               .slack = slack,
               .hold = hold};
  c.strategic = new_game(mem);
  if (c.strategic == NULL) return NULL;
  c.csp = c.strategic->csp;
  each_line(&c, false);
  c.ranks = csp_alloc(c.csp, c.cells, sizeof *c.ranks);
  c.moves = csp_alloc(c.csp, c.cells, sizeof *c.moves);
  c.flags = csp_alloc(c.csp, c.lines, sizeof *c.flags);
  if (c.ranks != NULL && c.moves != NULL && c.flags != NULL) {
    connect_vars(&c);
    connect_constraints(&c);
    connect_classes(&c);
    /* With the ranks as printed a line may be known before it is played and
     * propagation sees less than there is: neither shortcut is safe.  Nor is the
     * first where no line is enough. */
    if (slack != 0 && !hold) alea_strategic_outcome(c.strategic, c.flags, c.lines, 1, 2);
    if (slack == 0) alea_strategic_set_check(c.strategic, ALEA_STRATEGIC_EXACT);
  }
  return c.strategic;
}

alea_strategic *alea_model_connect(alea_mem *mem, uint32_t columns, uint32_t rows, uint32_t line) {
  return connect_game(mem, columns, rows, line, 2 * rows, false);
}

alea_strategic *alea_model_connect_hold(alea_mem *mem, uint32_t columns, uint32_t rows,
                                        uint32_t line) {
  return connect_game(mem, columns, rows, line, 2 * rows, true);
}

alea_strategic *alea_model_connect_printed(alea_mem *mem, uint32_t columns, uint32_t rows,
                                           uint32_t line) {
  return connect_game(mem, columns, rows, line, 0, false);
}

/* ---- tokens ---- */

alea_strategic *alea_model_tokens(alea_mem *mem, uint32_t k) {
  if (k == 0 || k > 60) return NULL;
  alea_strategic *s = new_game(mem);
  if (s == NULL) return NULL;
  alea_csp *csp = s->csp;
  alea_csp_var tokens[60], sums[60];
  char name[24];
  for (uint32_t i = 0; i < k; i++) {
    snprintf(name, sizeof name, "X%u", i + 1);
    tokens[i] = alea_csp_range(csp, name, 1, (int32_t)k);
    alea_strategic_quantify(s, tokens[i], i % 2 == 1);
  }
  /* All different, pair by pair: each pair counts as soon as both are chosen. */
  for (uint32_t i = 0; i < k; i++)
    for (uint32_t j = 0; j < i; j++)
      alea_csp_linear(csp, (alea_csp_var[]){tokens[j], tokens[i]}, (int64_t[]){1, -1}, 2, ALEA_NE,
                      0);
  /* S_i: the sum of player 1's tokens up to turn i, modulo 3; never 0. */
  for (uint32_t i = 0; i < k; i += 2) {
    snprintf(name, sizeof name, "S%u", i + 1);
    sums[i] = alea_csp_range(csp, name, 1, 2);
    int32_t *rows = csp_alloc(csp, 9 * (size_t)k, sizeof *rows);
    size_t count = 0, arity = i == 0 ? 2 : 3;
    if (rows == NULL) return s;
    for (int32_t before = 0; before < (i == 0 ? 1 : 3); before++)
      for (int32_t token = 1; token <= (int32_t)k; token++, count++) {
        int32_t row[3] = {(before + token) % 3, token, before};
        memcpy(&rows[count * arity], row, arity * sizeof *row);
      }
    alea_csp_table(csp, (alea_csp_var[]){sums[i], tokens[i], i > 0 ? sums[i - 2] : 0},
                   (uint32_t)arity, rows, count, false);
  }
  return s;
}

/* ---- names ---- */

bool alea_model_read_name(const char *name, const char *form, unsigned *numbers) {
  for (; *form != '\0'; form++) {
    if (*form != '#') {
      if (*name++ != *form) return false;
      continue;
    }
    char *end;
    if (*name < '0' || *name > '9') return false;
    unsigned long number = strtoul(name, &end, 10); /* what is too large stays so */
    if (number > UINT_MAX) return false;
    *numbers++ = (unsigned)number;
    name = end;
  }
  return *name == '\0';
}

/* "KIND:7x6:4" or "KIND:5:4": columns, rows and the length of a line. */
static bool board_size(const char *text, const char *kind, unsigned *columns, unsigned *rows,
                       unsigned *line) {
  char form[32];
  unsigned numbers[3];
  snprintf(form, sizeof form, "%s:#x#:#", kind);
  bool both = alea_model_read_name(text, form, numbers);
  snprintf(form, sizeof form, "%s:#:#", kind);
  if (!both && !alea_model_read_name(text, form, numbers)) return false;
  *columns = numbers[0];
  *rows = both ? numbers[1] : numbers[0];
  *line = both ? numbers[2] : numbers[1];
  return true;
}

alea_strategic *alea_model_strategic(alea_mem *mem, const char *name) {
  unsigned a, b, c;
  if (board_size(name, "connect", &a, &b, &c)) return alea_model_connect(mem, a, b, c);
  if (board_size(name, "connect-hold", &a, &b, &c)) return alea_model_connect_hold(mem, a, b, c);
  if (board_size(name, "connect-printed", &a, &b, &c))
    return alea_model_connect_printed(mem, a, b, c);
  if (alea_model_read_name(name, "tokens:#", &a)) return alea_model_tokens(mem, a);
  for (int model = 1; model <= 2; model++)
    for (int closed = 0; closed <= 1; closed++) {
      char own[32];
      snprintf(own, sizeof own, "tictactoe:%d%s", model, closed ? ":closed" : "");
      if (strcmp(name, own) == 0) return alea_model_tictactoe(mem, model, closed);
    }
  return NULL;
}
