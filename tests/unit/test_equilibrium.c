/* Equilibria: known values, best responses against brute force, limits, refusals. */
#include <math.h>
#include <string.h>

#include "cmocka_all.h"
#include "equilibrium/best_response.h"
#include "equilibrium/cfr_plus.h"
#include "support/match_run.h"

typedef struct fixture {
  alea_opened opened;
  alea_mem mem;
  alea_diag diag;
  alea_extensive tree;
  double *strategy;
  alea_exploitability found;
} fixture;

/* cmocka compares floats; these are doubles. */
#define assert_near(a, b, most) assert_true(fabs((a) - (b)) <= (most))

static alea_status build(fixture *f, uint64_t nodes, size_t memory) {
  alea_mem_init(&f->mem, memory);
  alea_diag_init(&f->diag, &f->opened.mem);
  alea_extensive_limits limits = {.nodes = nodes};
  return alea_extensive_init(&f->tree, f->opened.game, &limits, &f->mem, &f->diag);
}

static void setup(fixture *f, const char *game) {
  *f = (fixture){0};
  open_game(&f->opened, game);
  assert_int_equal(build(f, 0, 0), ALEA_OK);
  f->strategy = alea_mem_calloc(&f->mem, f->tree.moves.count, sizeof *f->strategy);
  assert_non_null(f->strategy);
}

static void setup_rules(fixture *f, const char *rules) {
  *f = (fixture){0};
  open_sheet(&f->opened, rules);
}

static void teardown(fixture *f) {
  alea_mem_free(&f->mem, f->strategy, f->tree.moves.count * sizeof *f->strategy);
  alea_extensive_clear(&f->tree);
  alea_diag_clear(&f->diag);
  assert_int_equal(f->mem.used, 0);
  alea_opened_clear(&f->opened);
}

static void iterate(fixture *f, uint64_t iterations) {
  alea_cfr_plus cfr;
  assert_int_equal(alea_cfr_plus_init(&cfr, &f->tree, &f->mem), ALEA_OK);
  while (cfr.iterations < iterations) alea_cfr_plus_run(&cfr);
  alea_cfr_plus_average(&cfr, f->strategy);
  alea_cfr_plus_clear(&cfr);
  assert_int_equal(alea_exploitability_of(&f->tree, f->strategy, &f->mem, &f->found), ALEA_OK);
  assert_true(f->found.gap >= -1e-12);
}

/* ---- known values ---- */

static void rock_paper_scissors(void **state) {
  (void)state;
  fixture f;
  setup(&f, "rock-paper-scissors");
  assert_int_equal(f.tree.sets.count, 2); /* neither knows what the other shows */
  assert_int_equal(f.tree.nodes.count, 1 + 3 + 9);
  iterate(&f, 100);
  assert_near(f.found.value, 0.5, 1e-9);
  for (size_t i = 0; i < f.tree.moves.count; i++) assert_near(f.strategy[i], 1.0 / 3, 1e-9);
  teardown(&f);
}

/* The row player has heads/heads 100, tails/tails 50 and otherwise 0: it plays
 * heads with 1/3 and wins 1/3 of the time. */
static const char pennies[] =
    "(role row) (role column) (init fresh) (coin heads) (coin tails)"
    "(<= (legal ?r ?c) (role ?r) (coin ?c))"
    "(<= (next (shows ?r ?c)) (does ?r ?c))"
    "(<= terminal (not (true fresh)))"
    "(<= (both ?c) (true (shows row ?c)) (true (shows column ?c)))"
    "(<= same (both ?c))"
    "(<= (goal row 100) (both heads)) (<= (goal column 0) (both heads))"
    "(<= (goal row 50) (both tails)) (<= (goal column 50) (both tails))"
    "(<= (goal row 0) (not same)) (<= (goal column 100) (not same))";

static void uneven_pennies(void **state) {
  (void)state;
  fixture f;
  setup_rules(&f, pennies);
  assert_int_equal(build(&f, 0, 0), ALEA_OK);
  f.strategy = alea_mem_calloc(&f.mem, f.tree.moves.count, sizeof *f.strategy);
  iterate(&f, 20000);
  assert_near(f.found.value, 1.0 / 3, 1e-4);
  assert_true(f.found.gap < 1e-4);
  for (size_t s = 0; s < f.tree.sets.count; s++) {
    const alea_extensive_set *set = &f.tree.sets.data[s];
    alea_move heads = alea_game_move_find(f.opened.game, f.tree.roles[set->player], "heads");
    uint32_t i = f.tree.moves.data[set->first] == heads ? 0 : 1;
    assert_near(f.strategy[set->first + i], 1.0 / 3, 1e-3);
  }
  teardown(&f);
}

/* A chip is 25 goals, and even is 50: the value -1/18 is 0.5 - 0.25 / 18. */
static void kuhn_poker(void **state) {
  (void)state;
  fixture f;
  setup(&f, "kuhn-poker");
  assert_int_equal(f.tree.sets.count, 12);
  assert_int_equal(f.tree.nodes.count, 1 + 6 * 9);
  iterate(&f, 1000);
  double early = f.found.gap;
  assert_true(early < 1e-3);
  iterate(&f, 65536);
  assert_true(f.found.gap < early / 10);
  assert_true(f.found.gap < 2e-6);
  assert_near((f.found.value - 0.5) / 0.25, -1.0 / 18, 1e-7);
  teardown(&f);
}

/* Goals of Leduc poker are rounded chips; in chips the value is the published
 * -0.0856. */
static void leduc_poker(void **state) {
  (void)state;
  static const int goals[] = {54, 62, 69, 77, 85, 92, 100};
  fixture f;
  setup(&f, "leduc-poker");
  for (int i = 0; i < 7; i++) {
    f.tree.payoffs[goals[i]] = 2 * i + 1;
    f.tree.payoffs[100 - goals[i]] = -(2 * i + 1);
  }
  f.tree.payoffs[50] = 0;
  f.tree.sum = 0;
  iterate(&f, 2000);
  assert_true(f.found.gap < 1e-3);
  assert_near(f.found.value, -0.0856, 1e-4);
  teardown(&f);
}

static void open_games_are_solved(void **state) {
  (void)state;
  fixture f;
  setup(&f, "token-game"); /* the second player wins */
  for (size_t n = 0, s = 0; n < f.tree.nodes.count; n++)
    if (f.tree.nodes.data[n].count > 0) assert_int_equal(f.tree.nodes.data[n].set, s++);
  iterate(&f, 256);
  assert_true(f.found.gap < 1e-4);
  assert_near(f.found.value, 0, 1e-4);
  teardown(&f);
}

/* ---- best responses against brute force ---- */

/* Recursion over the tree, apart from the code under test; trees of tests are
 * small. */
static double expected(const alea_extensive *tree, const double *strategy, uint32_t n) {
  const alea_extensive_node *node = &tree->nodes.data[n];
  if (node->count == 0) return tree->payoffs[node->first];
  double value = 0;
  for (uint32_t i = 0; i < node->count; i++) {
    double share = node->set == ALEA_CHANCE_SET ? 1.0 / node->count
                                                : strategy[tree->sets.data[node->set].first + i];
    value += share * expected(tree, strategy, node->first + i);
  }
  return value;
}

/* The best of all pure strategies of a player whose sets have two moves each. */
static double best_pure(const alea_extensive *tree, uint32_t player, double *strategy) {
  double best = -1;
  uint32_t sets = 0;
  for (size_t s = 0; s < tree->sets.count; s++) sets += tree->sets.data[s].player == player;
  assert_true(sets < 16);
  for (uint32_t bits = 0; bits < 1u << sets; bits++) {
    uint32_t k = 0;
    for (size_t s = 0; s < tree->sets.count; s++) {
      const alea_extensive_set *set = &tree->sets.data[s];
      if (set->player != player) continue;
      assert_int_equal(set->count, 2);
      uint32_t pick = bits >> k++ & 1;
      strategy[set->first] = pick == 0;
      strategy[set->first + 1] = pick == 1;
    }
    double value = expected(tree, strategy, 0);
    if (player == 1) value = tree->sum - value;
    if (value > best) best = value;
  }
  return best;
}

static void best_responses_are_best(void **state) {
  (void)state;
  fixture f;
  setup(&f, "kuhn-poker");
  double copy[64], response[64];
  size_t count = f.tree.moves.count;
  assert_true(count <= 64);
  alea_rng rng;
  alea_rng_seed(&rng, 7);
  for (int round = 0; round < 20; round++) {
    for (size_t i = 0; i < count; i += 2) {
      f.strategy[i] = round % 3 == 0 ? alea_rng_below(&rng, 2) : alea_rng_unit(&rng);
      f.strategy[i + 1] = 1 - f.strategy[i];
    }
    for (uint32_t player = 0; player < 2; player++) {
      double value;
      assert_int_equal(alea_best_response(&f.tree, player, f.strategy, &f.mem, response, &value),
                       ALEA_OK);
      memcpy(copy, f.strategy, count * sizeof *copy);
      assert_near(value, best_pure(&f.tree, player, copy), 1e-12);
      double played = expected(&f.tree, response, 0);
      assert_near(value, player == 0 ? played : f.tree.sum - played, 1e-12);
    }
    assert_int_equal(alea_exploitability_of(&f.tree, f.strategy, &f.mem, &f.found), ALEA_OK);
    assert_near(f.found.value, expected(&f.tree, f.strategy, 0), 1e-12);
    assert_true(f.found.gap >= -1e-12);
  }
  teardown(&f);
}

static void uniform_play_is_exploitable(void **state) {
  (void)state;
  fixture f;
  setup(&f, "kuhn-poker");
  alea_extensive_uniform(&f.tree, f.strategy);
  assert_int_equal(alea_exploitability_of(&f.tree, f.strategy, &f.mem, &f.found), ALEA_OK);
  /* In chips: 1/2 for the first player and 5/12 for the second. */
  assert_near((f.found.responses[0] - 0.5) / 0.25, 0.5, 1e-12);
  assert_near((f.found.responses[1] - 0.5) / 0.25, 5.0 / 12, 1e-12);
  teardown(&f);
}

/* ---- refusals and limits ---- */

static void expect_refusal(fixture *f, uint64_t nodes, size_t memory, alea_status wanted,
                           const char *code) {
  assert_int_equal(build(f, nodes, memory), wanted);
  assert_int_equal(f->diag.errors, 1);
  assert_string_equal(f->diag.entries.data[0].code, code);
  teardown(f);
}

static void refused(const char *game, uint64_t nodes, size_t memory, alea_status wanted,
                    const char *code) {
  fixture f = {0};
  open_game(&f.opened, game);
  expect_refusal(&f, nodes, memory, wanted, code);
}

static void refusals_say_why(void **state) {
  (void)state;
  refused("matching-pennies", 0, 0, ALEA_UNSUPPORTED, "not-constant-sum");
  refused("hanoi", 0, 0, ALEA_UNSUPPORTED, "not-two-players");
  refused("kuhn-poker", 54, 0, ALEA_LIMIT, "node-limit");
  refused("tictactoe", 0, 1 << 20, ALEA_LIMIT, "memory-limit");
  fixture f = {0};
  open_game(&f.opened, "kuhn-poker");
  assert_int_equal(build(&f, 55, 0), ALEA_OK); /* exactly enough */
  teardown(&f);
}

static void rules_that_cannot_be_played(void **state) {
  (void)state;
  /* The deal is not told, and the moves depend on it. */
  static const char unseen[] =
      "(role a) (role b) (role random) (init (stage deal))"
      "(<= (legal random x) (true (stage deal))) (<= (legal random y) (true (stage deal)))"
      "(<= (legal random noop) (true (stage (on ?c)))) (legal b noop)"
      "(<= (legal a noop) (true (stage deal)))"
      "(<= (legal a (take ?c 1)) (true (stage (on ?c))))"
      "(<= (legal a (take ?c 2)) (true (stage (on ?c))))"
      "(<= (next (stage (on ?c))) (does random ?c) (true (stage deal)))"
      "(<= (next done) (true (stage (on ?c)))) (<= terminal (true done))"
      "(<= (sees b (dealt ?c)) (does random ?c) (true (stage deal)))"
      "(goal a 50) (goal b 50) (goal random 0)";
  static const char stuck[] =
      "(role a) (role b) (init start) (<= (legal a go) (true start)) (legal b wait)"
      "(<= (next on) (does a go)) (<= terminal (true over)) (<= (next over) (true on))"
      "(goal a 50) (goal b 50)";
  static const char endless[] =
      "(role a) (role b) (init on) (next on) (legal a wait) (legal b wait)"
      "(<= terminal (not (true on))) (goal a 50) (goal b 50)";
  fixture f;
  setup_rules(&f, unseen);
  expect_refusal(&f, 0, 0, ALEA_UNSUPPORTED, "unknown-legal-moves");
  setup_rules(&f, stuck);
  expect_refusal(&f, 0, 0, ALEA_INPUT, "no-legal-move");
  setup_rules(&f, endless);
  expect_refusal(&f, 0, 0, ALEA_LIMIT, "step-limit");
}

static void time_is_a_limit(void **state) {
  (void)state;
  fixture f = {0};
  open_game(&f.opened, "tictactoe");
  alea_mem_init(&f.mem, 0);
  alea_diag_init(&f.diag, &f.opened.mem);
  atomic_bool stop = true;
  alea_extensive_limits limits = {.deadline = {.stop = &stop}};
  assert_int_equal(alea_extensive_init(&f.tree, f.opened.game, &limits, &f.mem, &f.diag),
                   ALEA_LIMIT);
  assert_string_equal(f.diag.entries.data[0].code, "time-limit");
  teardown(&f);
}

/* ---- views ---- */

static void views_are_numbered_once(void **state) {
  (void)state;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_player_views views = {0};
  alea_u32s path = {0};
  uint32_t root, other, a, b, c;
  static const uint32_t items[] = {4, 5, 6};
  assert_true(alea_player_views_add(&views, ALEA_NO_VIEW, 0, NULL, 0, &mem, &root));
  assert_true(alea_player_views_add(&views, ALEA_NO_VIEW, 1, NULL, 0, &mem, &other));
  assert_int_not_equal(root, other);
  assert_true(alea_player_views_add(&views, root, 0, items, 2, &mem, &a));
  assert_true(alea_player_views_add(&views, root, 0, items, 3, &mem, &b));
  assert_int_not_equal(a, b);
  assert_true(alea_player_views_add(&views, root, 0, items, 2, &mem, &c));
  assert_int_equal(a, c);
  assert_true(alea_player_views_add(&views, b, 0, items, 2, &mem, &c));
  assert_int_not_equal(a, c);
  assert_true(alea_player_views_path(&views, c, &mem, &path));
  assert_int_equal(path.count, 2);
  assert_int_equal(path.data[0], b);
  assert_int_equal(path.data[1], c);
  alea_vec_clear(&mem, &path);
  alea_player_views_clear(&views, &mem);
  assert_int_equal(mem.used, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rock_paper_scissors),
      cmocka_unit_test(uneven_pennies),
      cmocka_unit_test(kuhn_poker),
      cmocka_unit_test(leduc_poker),
      cmocka_unit_test(open_games_are_solved),
      cmocka_unit_test(best_responses_are_best),
      cmocka_unit_test(uniform_play_is_exploitable),
      cmocka_unit_test(refusals_say_why),
      cmocka_unit_test(rules_that_cannot_be_played),
      cmocka_unit_test(time_is_a_limit),
      cmocka_unit_test(views_are_numbered_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
