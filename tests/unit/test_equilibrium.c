/* Equilibria: known values, best responses against brute force, limits, refusals.
 *
 * CFR+ runs over the public states; its strategies are measured a second time over
 * the tree of all plays, by code that shares nothing with it but the views, and
 * whose best responses are compared with brute force. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "equilibrium/best_response.h"
#include "equilibrium/cfr_plus.h"
#include "equilibrium/public_sets.h"
#include "match/shipped.h"
#include "support/match_run.h"

typedef struct fixture {
  alea_opened opened;
  alea_mem mem;
  alea_diag diag;
  alea_extensive tree;
  alea_public_graph graph;
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

static alea_status build_graph(fixture *f, bool merge_hands) {
  alea_public_options options = {.merge_hands = merge_hands};
  return alea_public_graph_init(&f->graph, f->opened.game, &options, &f->mem, &f->diag);
}

static void setup_forms(fixture *f) {
  assert_int_equal(build(f, 0, 0), ALEA_OK);
  f->strategy = alea_mem_calloc(&f->mem, f->tree.moves.count, sizeof *f->strategy);
  assert_non_null(f->strategy);
  assert_int_equal(build_graph(f, false), ALEA_OK);
}

static void setup(fixture *f, const char *game) {
  *f = (fixture){0};
  open_game(&f->opened, game);
  setup_forms(f);
}

static void setup_rules(fixture *f, const char *rules) {
  *f = (fixture){0};
  open_sheet(&f->opened, rules);
}

static void teardown(fixture *f) {
  alea_mem_free(&f->mem, f->strategy, f->tree.moves.count * sizeof *f->strategy);
  alea_extensive_clear(&f->tree);
  alea_public_graph_clear(&f->graph);
  alea_diag_clear(&f->diag);
  assert_int_equal(f->mem.used, 0);
  alea_opened_clear(&f->opened);
}

/* A shipped rulesheet in which texts are replaced, by pairs; the caller frees it. */
static char *edited_sheet(const char *name, const char *const *edits, size_t count) {
  const alea_shipped_file *file = alea_shipped_find(name);
  assert_non_null(file);
  char *text = malloc(file->length + 1);
  assert_non_null(text);
  memcpy(text, file->bytes, file->length);
  text[file->length] = '\0';
  for (size_t i = 0; i < count; i++) {
    const char *from = edits[2 * i], *to = edits[2 * i + 1];
    char *at = strstr(text, from);
    assert_non_null(at);
    char *next = malloc(strlen(text) + strlen(to) + 1);
    assert_non_null(next);
    memcpy(next, text, (size_t)(at - text));
    strcpy(next + (at - text), to);
    strcat(next, at + strlen(from));
    free(text);
    text = next;
  }
  return text;
}

typedef struct strategy_copy {
  fixture *f;
  const alea_move_weights *weights;
  uint64_t sets;
} strategy_copy;

/* The information set of the tree with the same view. */
static const alea_extensive_set *find_set(fixture *f, const alea_public_set *set) {
  const alea_player_views *views = &f->graph.views;
  alea_u32s path = {0};
  uint32_t view;
  assert_true(alea_player_views_path(views, set->view, &f->mem, &path));
  assert_true(
      alea_player_views_add(&f->tree.views, ALEA_NO_VIEW, set->player, NULL, 0, &f->mem, &view));
  for (size_t i = 0; i < path.count; i++) {
    const alea_player_view *step = &views->list.data[path.data[i]];
    assert_true(alea_player_views_add(&f->tree.views, view, set->player,
                                      views->items.data + step->first, step->count, &f->mem,
                                      &view));
  }
  alea_vec_clear(&f->mem, &path);
  assert_true(view < f->tree.set_of_view.count);
  assert_int_not_equal(f->tree.set_of_view.data[view], ALEA_CHANCE_SET);
  return &f->tree.sets.data[f->tree.set_of_view.data[view]];
}

static alea_status copy_set(void *context, const alea_public_set *set) {
  strategy_copy *copy = context;
  const alea_extensive_set *to = find_set(copy->f, set);
  double total = 0, *strategy = copy->f->strategy + to->first;
  assert_int_equal(to->count, set->count);
  assert_memory_equal(copy->f->tree.moves.data + to->first, set->moves,
                      set->count * sizeof *set->moves);
  for (uint32_t i = 0; i < set->count; i++) {
    alea_move_weights_load(copy->weights, set->place + (uint64_t)i * set->stride, 1, &strategy[i]);
    total += strategy[i];
  }
  for (uint32_t i = 0; i < set->count; i++)
    strategy[i] = total > 0 ? strategy[i] / total : 1.0 / set->count;
  copy->sets++;
  return ALEA_OK;
}

/* Measures with both forms, which must agree. */
static void iterate(fixture *f, uint64_t iterations) {
  alea_cfr_plus cfr;
  alea_exploitability found;
  assert_int_equal(alea_cfr_plus_init(&cfr, &f->graph, &f->mem), ALEA_OK);
  while (cfr.iterations < iterations) alea_cfr_plus_run(&cfr);
  alea_cfr_plus_measure(&cfr, &found);
  strategy_copy copy = {.f = f, .weights = &cfr.averages};
  assert_int_equal(alea_public_sets_visit(&f->graph, &f->mem, copy_set, &copy), ALEA_OK);
  assert_int_equal(copy.sets, f->tree.sets.count);
  assert_int_equal(copy.sets, alea_public_root(&f->graph)->sets);
  alea_cfr_plus_clear(&cfr);
  assert_int_equal(alea_exploitability_of(&f->tree, f->strategy, &f->mem, &f->found), ALEA_OK);
  assert_true(f->found.gap >= -1e-12);
  assert_near(f->found.gap, found.gap, 1e-12);
  assert_near(f->found.value, found.value, 1e-12);
  for (int p = 0; p < 2; p++) assert_near(f->found.responses[p], found.responses[p], 1e-12);
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
  setup_forms(&f);
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

/* Goals of Leduc poker are rounded chips.  With three goals for a chip its value
 * is the published -0.0856. */
static void leduc_poker(void **state) {
  (void)state;
  static const char *const edits[] = {
      "(worth 1 54 46) (worth 3 62 38) (worth 5 69 31) (worth 7 77 23)",
      "(worth 1 53 47) (worth 3 59 41) (worth 5 65 35) (worth 7 71 29)",
      "(worth 9 85 15) (worth 11 92 8) (worth 13 100 0)",
      "(worth 9 77 23) (worth 11 83 17) (worth 13 89 11)"};
  fixture f;
  char *sheet = edited_sheet("leduc-poker", edits, 2);
  setup_rules(&f, sheet);
  setup_forms(&f);
  iterate(&f, 2000);
  assert_true(f.found.gap / 0.03 < 1e-3);
  assert_near((f.found.value - 0.5) / 0.03, -0.0856, 1e-4);
  teardown(&f);
  free(sheet);
}

/* Liar's dice with one die each and six faces. */
static char *one_die_each(void) {
  static const char *const edits[] = {
      "(count 1) (count 2) (count 3) (count 4)",
      "(count 1) (count 2)",
      "(follows (cup first 1) (cup first 2))",
      "(follows (cup first 1) (cup second 1))",
      "(follows (cup first 2) (cup second 1))",
      "(follows (cup second 1) bidding)",
      "(follows (cup second 1) (cup second 2))",
      "",
      "(follows (cup second 2) bidding)",
      "",
      "(order first 1 0 1) (order first 2 1 2) (order second 1 2 3) (order second 2 3 4)",
      "(order first 1 0 1) (order second 1 1 2)",
      "(total 4 ?n)",
      "(total 2 ?n)",
      "(total 4 ?k)",
      "(total 2 ?k)"};
  return edited_sheet("liars-dice", edits, 8);
}

static void liars_dice_with_one_die(void **state) {
  (void)state;
  fixture f;
  char *sheet = one_die_each();
  setup_rules(&f, sheet);
  setup_forms(&f);
  /* All sequences of bids up to the last but one, for six hands. */
  assert_int_equal(f.tree.sets.count, 6 * 2048);
  iterate(&f, 64);
  assert_true(f.found.gap < 1e-3);
  assert_near(f.found.value, 0.4445, 2e-4);
  teardown(&f);
  free(sheet);
}

/* ---- what is merged ---- */

/* The shipped liar's dice: 24 bids, and the 36 hands are 21, for nobody cares which
 * die came first.  Throws and the last bid, which can only be doubted, are passed
 * over. */
static void liars_dice_is_merged(void **state) {
  (void)state;
  fixture f = {0};
  open_game(&f.opened, "liars-dice");
  alea_mem_init(&f.mem, 0);
  alea_diag_init(&f.diag, &f.opened.mem);
  for (int merge = 0; merge < 2; merge++) {
    uint32_t hands = merge ? 21 : 36;
    assert_int_equal(build_graph(&f, merge != 0), ALEA_OK);
    const alea_public_state *root = alea_public_root(&f.graph);
    assert_int_equal(root->edges, 1);
    const alea_public_edge *throws = &f.graph.edges.data[root->first_edge];
    const alea_public_state *open = &f.graph.states.data[throws->child];
    assert_int_equal(open->hands[0], hands);
    assert_int_equal(open->hands[1], hands);
    assert_int_equal(open->edges, 24);
    assert_int_equal(root->sets, 36u << 23);
    assert_int_equal(root->places, hands * ((1u << 24) - 1 + (1u << 23) - 1));
    alea_public_graph_clear(&f.graph);
    f.graph = (alea_public_graph){0};
  }
  teardown(&f);
}

static alea_exploitability measure_merged(fixture *f, bool merge_hands, uint64_t iterations,
                                          uint64_t *places) {
  alea_cfr_plus cfr;
  alea_exploitability found;
  assert_int_equal(build_graph(f, merge_hands), ALEA_OK);
  assert_int_equal(alea_cfr_plus_init(&cfr, &f->graph, &f->mem), ALEA_OK);
  while (cfr.iterations < iterations) alea_cfr_plus_run(&cfr);
  alea_cfr_plus_measure(&cfr, &found);
  *places = alea_public_root(&f->graph)->places;
  alea_cfr_plus_clear(&cfr);
  alea_public_graph_clear(&f->graph);
  f->graph = (alea_public_graph){0};
  return found;
}

/* Two dice with two faces: the iterations are the same with hands merged. */
static void merging_hands_changes_nothing(void **state) {
  (void)state;
  static const char *const edits[] = {"(face 1) (face 2) (face 3) (face 4) (face 5) (face 6)",
                                      "(face 1) (face 2)"};
  fixture f;
  char *sheet = edited_sheet("liars-dice", edits, 1);
  setup_rules(&f, sheet);
  alea_mem_init(&f.mem, 0);
  alea_diag_init(&f.diag, &f.opened.mem);
  for (uint64_t iterations = 1; iterations <= 16; iterations *= 4) {
    uint64_t places[2];
    alea_exploitability apart = measure_merged(&f, false, iterations, &places[0]);
    alea_exploitability merged = measure_merged(&f, true, iterations, &places[1]);
    assert_int_equal(3 * places[0], 4 * places[1]);
    assert_near(apart.gap, merged.gap, 1e-9);
    assert_near(apart.value, merged.value, 1e-9);
  }
  teardown(&f);
  free(sheet);
}

/* In single precision where doubles do not fit. */
static void tables_shrink_to_the_memory(void **state) {
  (void)state;
  fixture f = {0};
  alea_cfr_plus cfr;
  open_game(&f.opened, "leduc-poker");
  alea_mem_init(&f.mem, 0);
  alea_diag_init(&f.diag, &f.opened.mem);
  assert_int_equal(build_graph(&f, true), ALEA_OK);
  size_t places = (size_t)alea_public_root(&f.graph)->places;
  for (int single = 0; single < 2; single++) {
    alea_public_walk walk;
    assert_true(alea_public_walk_init(&walk, &f.graph, &f.mem));
    f.mem.limit = f.mem.used + 2 * places * (single ? sizeof(float) : sizeof(double));
    alea_public_walk_clear(&walk);
    assert_int_equal(alea_cfr_plus_init(&cfr, &f.graph, &f.mem), ALEA_OK);
    assert_int_equal(cfr.regrets.narrow != NULL, single);
    while (cfr.iterations < 64) alea_cfr_plus_run(&cfr);
    alea_cfr_plus_measure(&cfr, &f.found);
    assert_true(f.found.gap > 0 && f.found.gap < 2e-3);
    alea_cfr_plus_clear(&cfr);
  }
  f.mem.limit = f.mem.used + places;
  assert_int_equal(alea_cfr_plus_init(&cfr, &f.graph, &f.mem), ALEA_LIMIT);
  alea_cfr_plus_clear(&cfr);
  f.mem.limit = 0;
  teardown(&f);
}

/* ---- more known values ---- */

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

/* Of the tree, and then of the public states. */
static void expect_refusal(fixture *f, uint64_t nodes, size_t memory, alea_status wanted,
                           const char *code) {
  assert_int_equal(build(f, nodes, memory), wanted);
  assert_int_equal(f->diag.errors, 1);
  assert_string_equal(f->diag.entries.data[0].code, code);
  alea_extensive_clear(&f->tree);
  f->tree = (alea_extensive){0};
  f->mem.limit = memory / 8; /* they need less */
  alea_public_options options = {.positions = nodes};
  assert_int_equal(alea_public_graph_init(&f->graph, f->opened.game, &options, &f->mem, &f->diag),
                   wanted);
  assert_int_equal(f->diag.errors, 2);
  assert_string_equal(f->diag.entries.data[1].code, code);
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
  refused("kuhn-poker", 48, 0, ALEA_LIMIT, "node-limit");
  refused("tictactoe", 0, 1 << 20, ALEA_LIMIT, "memory-limit");
  fixture f = {0};
  open_game(&f.opened, "kuhn-poker");
  assert_int_equal(build(&f, 55, 0), ALEA_OK);     /* exactly enough */
  alea_public_options options = {.positions = 49}; /* the start, and six deals at eight stages */
  assert_int_equal(alea_public_graph_init(&f.graph, f.opened.game, &options, &f.mem, &f.diag),
                   ALEA_OK);
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
  alea_public_options options = {.deadline = {.stop = &stop}};
  assert_int_equal(alea_public_graph_init(&f.graph, f.opened.game, &options, &f.mem, &f.diag),
                   ALEA_LIMIT);
  assert_string_equal(f.diag.entries.data[1].code, "time-limit");
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
      cmocka_unit_test(liars_dice_with_one_die),
      cmocka_unit_test(liars_dice_is_merged),
      cmocka_unit_test(merging_hands_changes_nothing),
      cmocka_unit_test(tables_shrink_to_the_memory),
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
