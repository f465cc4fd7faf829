/* Ranking games on bit sets (csp/ranking.h) against two oracles: plain minimax
 * over the rules of Connect, which knows no constraints, and the search on
 * domains. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "cmocka_all.h"
#include "csp/strategy.h"
#include "models/strategic.h"

enum { MOST_CELLS = 25, MOST_LINES = 12, ROUNDS = 300, FULL_ROUNDS = 5000 };

/* ---- minimax ---- */

/* Cells in columns; whoever has all cells of a line first wins. */
typedef struct drop_game {
  uint32_t columns, heights[MOST_CELLS], first[MOST_CELLS], cells;
  uint32_t lines;
  uint32_t line[256]; /* sets of cells */
} drop_game;

typedef struct drop_table { /* by discs and heights, so that 4 x 4 takes no time */
  uint64_t key;
  int8_t value;
} drop_table;

enum { SLOT_BITS = 20, FEW_BITS = 12 };

static bool has_line(const drop_game *g, uint32_t discs) {
  for (uint32_t i = 0; i < g->lines; i++)
    if ((g->line[i] & ~discs) == 0) return true;
  return false;
}

/* 1, 0, -1 for the side to move. */
static int minimax(const drop_game *g, drop_table *table, uint32_t bits, uint32_t own,
                   uint32_t other) {
  uint64_t key = (uint64_t)own << 32 | other | UINT64_C(1) << 63;
  drop_table *entry = &table[key * 0x9e3779b97f4a7c15u >> (64 - bits)];
  if (entry->key == key) return entry->value;
  int best = -2;
  for (uint32_t c = 0; c < g->columns; c++)
    for (uint32_t h = 0; h < g->heights[c]; h++) {
      uint32_t cell = 1u << (g->first[c] + h);
      if ((own | other) & cell) continue;
      int value = has_line(g, own | cell) ? 1 : -minimax(g, table, bits, other, own | cell);
      if (value > best) best = value;
      break;
    }
  *entry = (drop_table){key, (int8_t)(best == -2 ? 0 : best)};
  return entry->value;
}

/* ---- the solver ---- */

static alea_strategic_options options_of(uint32_t bits, uint64_t table_bytes) {
  return (alea_strategic_options){.table = bits & 1,
                                  .order = bits & 2,
                                  .symmetry = bits & 4,
                                  .early = bits & 8,
                                  .bits = true,
                                  .table_bytes = table_bytes};
}

static bool solve(const alea_strategic *s, const alea_strategic_options *options) {
  alea_strategic_result result;
  alea_status status = alea_strategic_solve(s, options, &result);
  assert_int_equal(result.bits, options->bits);
  assert_true(status == ALEA_OK || status == ALEA_NO);
  return status == ALEA_OK;
}

/* ---- boards ---- */

static void board_lines(drop_game *g, uint32_t rows, uint32_t length) {
  static const int steps[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
  for (uint32_t c = 0; c < g->columns; c++)
    for (uint32_t r = 0; r < rows; r++)
      for (int d = 0; d < 4; d++) {
        int ends[2] = {(int)c + steps[d][0] * (int)(length - 1),
                       (int)r + steps[d][1] * (int)(length - 1)};
        if (ends[0] >= (int)g->columns || ends[1] < 0 || ends[1] >= (int)rows) continue;
        uint32_t set = 0;
        for (int i = 0; i < (int)length; i++)
          set |= 1u << (((int)c + i * steps[d][0]) * (int)rows + (int)r + i * steps[d][1]);
        g->line[g->lines++] = set;
      }
}

static drop_game board(uint32_t columns, uint32_t rows, uint32_t length) {
  drop_game g = {.columns = columns, .cells = columns * rows};
  for (uint32_t c = 0; c < columns; c++) {
    g.heights[c] = rows;
    g.first[c] = c * rows;
  }
  board_lines(&g, rows, length);
  return g;
}

static const struct {
  uint32_t columns, rows, length;
} boards[] = {{2, 2, 2}, {3, 3, 2}, {3, 3, 3}, {4, 3, 3}, {3, 4, 3}, {5, 3, 3}, {4, 4, 3},
              {4, 4, 4}, {3, 5, 3}, {5, 2, 4}, {2, 5, 4}, {4, 5, 4}, {5, 4, 4}, {6, 3, 4}};

static void boards_against_minimax(void **state) {
  (void)state;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  for (size_t i = 0; i < sizeof boards / sizeof *boards; i++) {
    uint32_t c = boards[i].columns, r = boards[i].rows, l = boards[i].length;
    drop_game g = board(c, r, l);
    drop_table *table = calloc(1 << SLOT_BITS, sizeof *table);
    int value = minimax(&g, table, SLOT_BITS, 0, 0);
    alea_strategic *win = alea_model_connect(&mem, c, r, l);
    alea_strategic *hold = alea_model_connect_hold(&mem, c, r, l);
    assert_null(alea_strategic_no_ranking(win));
    assert_null(alea_strategic_no_ranking(hold));
    for (uint32_t bits = 0; bits < 16; bits++)
      for (int large = 0; large < 2; large++) {
        if (c * r > 16 && (bits & 3) != 3) continue; /* they need the table and the order */
        if ((bits & 1) == 0 && large) continue;
        alea_strategic_options options = options_of(bits, large ? 1 << 22 : 1 << 15);
        if (solve(win, &options) != (value > 0) || solve(hold, &options) != (value >= 0))
          fail_msg("%ux%u:%u, options %u: minimax says %d", c, r, l, bits, value);
      }
    alea_strategic_free(win);
    alea_strategic_free(hold);
    free(table);
  }
  assert_int_equal(mem.used, 0);
}

/* ---- random games: columns of any height, lines of any cells ---- */

static void random_game(alea_rng *rng, drop_game *g) {
  *g = (drop_game){.columns = 1 + alea_rng_below(rng, 4)};
  for (uint32_t c = 0; c < g->columns; c++) {
    g->heights[c] = 1 + alea_rng_below(rng, 3);
    g->first[c] = g->cells;
    g->cells += g->heights[c];
  }
  if (g->cells == 1) g->cells += ++g->heights[0] - 1;
  uint32_t wanted = 1 + alea_rng_below(rng, MOST_LINES);
  for (uint32_t i = 0; i < wanted; i++) {
    uint32_t set = 0;
    for (uint32_t k = 2 + alea_rng_below(rng, 2); k > 0; k--)
      set |= 1u << alea_rng_below(rng, g->cells);
    if (__builtin_popcount(set) >= 2) g->line[g->lines++] = set;
  }
  if (g->lines == 0) g->line[g->lines++] = 3;
}

/* The network of a game; cells keep their numbers. */
static alea_strategic *network(alea_mem *mem, const drop_game *g, bool hold) {
  alea_strategic *s = alea_strategic_new(mem);
  alea_csp *csp = alea_strategic_network(s);
  alea_csp_var ranks[MOST_CELLS], moves[MOST_CELLS], flags[MOST_LINES + 1];
  uint32_t n = g->cells;
  alea_strategic_set_existential(s, ALEA_STRATEGIC_CONSISTENT);
  alea_strategic_set_check(s, ALEA_STRATEGIC_EXACT);
  for (uint32_t v = 0; v < n; v++) ranks[v] = alea_csp_range(csp, "X", 1, (int32_t)n + 4);
  for (uint32_t i = 0; i < g->lines; i++) flags[i] = alea_csp_range(csp, "G", 0, 2);
  for (uint32_t i = 0; i < n; i++) {
    moves[i] = alea_csp_range(csp, "P", 1, (int32_t)n);
    alea_strategic_quantify(s, moves[i], i % 2 == 1);
    for (uint32_t v = 0; v < n; v++)
      alea_csp_iff(csp, moves[i], (int32_t)v + 1, ranks[v], (int32_t)i + 1);
  }
  alea_csp_var result = alea_csp_range(csp, "F", 0, 2);
  alea_strategic_quantify(s, result, false);
  for (uint32_t c = 0; c < g->columns; c++)
    for (uint32_t v = g->first[c]; v + 1 < g->first[c] + g->heights[c]; v++)
      alea_csp_linear(csp, &ranks[v], (int64_t[]){1, -1}, 2, ALEA_LT, 0);
  for (uint32_t i = 0; i < g->lines; i++) {
    alea_csp_var scope[MOST_CELLS];
    uint32_t count = 0;
    for (uint32_t v = 0; v < n; v++)
      if (g->line[i] >> v & 1) scope[count++] = ranks[v];
    alea_csp_parity_line(csp, scope, count, flags[i]);
  }
  alea_csp_not_both(csp, flags, g->lines, 1, 2);
  alea_csp_maximum(csp, flags, g->lines, result);
  alea_csp_table(csp, &result, 1, (int32_t[]){1, 0}, hold ? 2 : 1, false);
  return s;
}

/* Plays a random walk and compares the answers on the way, and the values that
 * are called winning. */
static void compare_walk(alea_rng *rng, const alea_strategic *s, uint64_t seed) {
  alea_strategic_options bits = options_of(15, 1 << 15), domains = {.table = true};
  alea_strategic_walk *a, *b;
  domains.table_bytes = 1 << 16;
  assert_int_equal(alea_strategic_walk_new(&a, s, &bits), ALEA_OK);
  assert_int_equal(alea_strategic_walk_new(&b, s, &domains), ALEA_OK);
  for (uint32_t count = 1; count > 0;) {
    bool by_bits, by_domains, universal = false;
    uint32_t at = alea_strategic_walk_count(a);
    assert_int_equal(alea_strategic_walk_answer(a, &by_bits), ALEA_OK);
    assert_int_equal(alea_strategic_walk_answer(b, &by_domains), ALEA_OK);
    if (by_bits != by_domains) fail_msg("seed %d: after %u values they differ", (int)seed, at);
    const int32_t *choices = alea_strategic_walk_choices(a, &count);
    if (count == 0) break;
    int32_t value = choices[alea_rng_below(rng, count)], best;
    alea_strategic_var(s, at, &universal);
    alea_status status = alea_strategic_walk_best(a, &best);
    assert_int_equal(status, by_bits != universal ? ALEA_OK : ALEA_NO);
    if (status == ALEA_OK) {
      alea_strategic_walk_push(b, best);
      assert_int_equal(alea_strategic_walk_answer(b, &by_domains), ALEA_OK);
      assert_int_equal(by_domains, by_bits);
      alea_strategic_walk_pop(b);
    }
    alea_strategic_walk_push(a, value);
    alea_strategic_walk_push(b, value);
  }
  alea_strategic_walk_free(a);
  alea_strategic_walk_free(b);
}

static void random_games(void **state) {
  (void)state;
  uint64_t rounds = getenv("ALEA_FULL") != NULL ? FULL_ROUNDS : ROUNDS;
  drop_table *table = calloc(1 << FEW_BITS, sizeof *table);
  uint32_t seen[3] = {0};
  alea_mem mem;
  alea_mem_init(&mem, 0);
  for (uint64_t seed = 0; seed < rounds; seed++) {
    drop_game g;
    alea_rng rng;
    alea_rng_seed_stream(&rng, 31, seed);
    random_game(&rng, &g);
    memset(table, 0, sizeof *table << FEW_BITS);
    int value = minimax(&g, table, FEW_BITS, 0, 0);
    seen[value + 1]++;
    for (int hold = 0; hold < 2; hold++) {
      alea_strategic *s = network(&mem, &g, hold);
      assert_null(alea_strategic_no_ranking(s));
      for (uint32_t bits = 0; bits < 16; bits++) {
        alea_strategic_options options = options_of(bits, 1 << 15);
        if (solve(s, &options) != (value >= (hold ? 0 : 1)))
          fail_msg("seed %d, hold %d, options %u: minimax says %d", (int)seed, hold, bits, value);
      }
      compare_walk(&rng, s, seed);
      alea_strategic_free(s);
    }
  }
  for (int i = 0; i < 3; i++) assert_true(seen[i] > rounds / 50);
  free(table);
  assert_int_equal(mem.used, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(boards_against_minimax),
                                     cmocka_unit_test(random_games)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
