/* Claims: how they are decided, what their numbers are, and that those which
 * ship can be measured. */
#include <math.h>
#include <string.h>

#include "cmocka_all.h"
#include "experiment/claims.h"
#include "match/shipped.h"

/* ---- the decision ---- */

static const double inf = INFINITY;

typedef struct decision {
  double low, high; /* our interval */
  double from, to;  /* the claimed range; none if 'from' is above 'to' */
  double number;    /* published, to one digit; none if negative */
  alea_claim_outcome outcome;
} decision;

static const decision decisions[] = {
    /* above 50, published as 66.2 */
    {51, 59, 50, inf, 66.2, ALEA_CLAIM_REPRODUCED},
    {60, 90, 50, inf, 66.2, ALEA_CLAIM_REPRODUCED},
    {41, 49, 50, inf, 66.2, ALEA_CLAIM_CONTRADICTED},
    {45, 55, 50, inf, 66.2, ALEA_CLAIM_NOT_REPRODUCED},
    {40, 70, 50, inf, 66.2, ALEA_CLAIM_NOT_REPRODUCED}, /* has the number, but says nothing */
    {50, 60, 50, inf, 66.2, ALEA_CLAIM_NOT_REPRODUCED}, /* a side is strict */
    {48, 56, 50, inf, 53.9, ALEA_CLAIM_REPRODUCED},     /* the number itself */
    {48, 56, 50, inf, -1, ALEA_CLAIM_NOT_REPRODUCED},
    {0, 100, 50, inf, -1, ALEA_CLAIM_NOT_REPRODUCED},
    /* below 50 */
    {41, 49, -inf, 50, -1, ALEA_CLAIM_REPRODUCED},
    {51, 59, -inf, 50, -1, ALEA_CLAIM_CONTRADICTED},
    /* between 86 and 94: the ends belong to it */
    {86, 94, 86, 94, -1, ALEA_CLAIM_REPRODUCED},
    {90, 90, 86, 94, -1, ALEA_CLAIM_REPRODUCED},
    {70, 80, 86, 94, -1, ALEA_CLAIM_CONTRADICTED},
    {95, 100, 86, 94, -1, ALEA_CLAIM_CONTRADICTED},
    {80, 90, 86, 94, -1, ALEA_CLAIM_NOT_REPRODUCED},
    /* a number alone */
    {68.4047, 68.4047, 1, 0, 68.4, ALEA_CLAIM_REPRODUCED}, /* as printed */
    {68.4047, 68.4047, 1, 0, 70.2, ALEA_CLAIM_CONTRADICTED},
    {61, 70, 1, 0, 65.1, ALEA_CLAIM_REPRODUCED},
    {55, 75, 1, 0, 65.1, ALEA_CLAIM_NOT_REPRODUCED}, /* too wide */
    {66, 75, 1, 0, 65.1, ALEA_CLAIM_CONTRADICTED},
};

static void decided(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof decisions / sizeof *decisions; i++) {
    const decision *d = &decisions[i];
    alea_estimate ours = {.there = true, .interval = {d->low, d->high}};
    alea_claimed claimed = {.ranged = d->from <= d->to,
                            .numbered = d->number >= 0,
                            .comparable = true,
                            .range = {d->from, d->to},
                            .number = d->number,
                            .rounding = 0.05,
                            .precision = 5};
    alea_claim_outcome found = alea_claim_decide(&ours, &claimed);
    if (found != d->outcome) fail_msg("case %zu: %d instead of %d", i, found, d->outcome);
    /* Of something else, what contradicts says nothing. */
    claimed.comparable = false;
    if (found == ALEA_CLAIM_CONTRADICTED) found = ALEA_CLAIM_NOT_REPRODUCED;
    assert_int_equal(alea_claim_decide(&ours, &claimed), found);
    ours.there = false;
    assert_int_equal(alea_claim_decide(&ours, &claimed), ALEA_CLAIM_NOT_MEASURED);
  }
}

/* ---- numbers, from results made by hand ---- */

static const char experiment[] =
    "{experiment: X, kind: matches, scales: {small: {budgets: [{sims: 1}, {sims: 2}]}},\n"
    " tournament: {games: [g, h], players: [uct, mc, random]},\n"
    " published: [{title: T, columns: [{first: uct, second: mc, x: 10},\n"
    "   {first: uct, second: random, x: 20}, {first: uct, second: mc, budget: 1, x: 30}],\n"
    "   rows: [{name: G, game: g, values: [60, 70, 90]},\n"
    "          {name: H, game: h, joint: true, values: [80]}]}]}";

static double all_won[] = {1, 1, 1, 1}, half[] = {0, 0, 1, 1}, drawn[] = {0.5, 0.5, 0.5, 0.5};
static uint32_t numbers[] = {0, 1, 2, 3};
static int32_t common[] = {100, 100, 100, 0};

static alea_result result(const char *game, const char *budget, const char *second,
                          double *scores) {
  return (alea_result){.game = game,
                       .budget = budget,
                       .first = "uct",
                       .second = second,
                       .completed = 4,
                       .scores = scores,
                       .numbers = numbers,
                       .lowest = common,
                       .score_count = 4,
                       .engines = "net"};
}

typedef struct fixture {
  alea_mem mem;
  alea_diag diag;
  alea_evidence evidence;
} fixture;

static void open_fixture(fixture *f) {
  alea_mem_init(&f->mem, 0);
  alea_diag_init(&f->diag, &f->mem);
  alea_evidence *e = &f->evidence;
  *e = (alea_evidence){.mem = &f->mem, .diag = &f->diag, .read = true, .planned = true};
  assert_int_equal(alea_yaml_read(&e->file, experiment, strlen(experiment), "x", &f->mem, &f->diag),
                   ALEA_OK);
  assert_int_equal(alea_experiment_init(&e->experiment, &e->file, "small", &f->mem), ALEA_OK);
  alea_tournament_plan_options options = {.seats = 2, .seed = -1, .extra = e->experiment.settings};
  const alea_yaml *tournament = alea_yaml_get(e->file.root, "tournament");
  assert_int_equal(alea_tournament_plan_new(&e->plan, &e->file, tournament, &options, &f->mem),
                   ALEA_OK);
  e->played = true;
  e->results = (alea_results){.mem = &f->mem};
  alea_arena_init(&e->results.arena, &f->mem);
  assert_true(alea_vec_push(&f->mem, &e->results.pairings, result("g", "sims=1", "mc", half)));
  assert_true(alea_vec_push(&f->mem, &e->results.pairings, result("g", "sims=2", "mc", all_won)));
  assert_true(alea_vec_push(&f->mem, &e->results.pairings, result("g", "sims=1", "random", drawn)));
  assert_true(alea_vec_push(&f->mem, &e->results.pairings, result("h", "sims=1", "mc", drawn)));
}

static void close_fixture(fixture *f) {
  alea_evidence_clear(&f->evidence);
  alea_diag_clear(&f->diag);
  assert_int_equal(f->mem.used, 0);
}

static alea_status measure(fixture *f, const char *text, alea_estimate *ours,
                           alea_claimed *claimed) {
  alea_yaml_file file;
  assert_int_equal(alea_yaml_read(&file, text, strlen(text), "claim", &f->mem, &f->diag), ALEA_OK);
  alea_status status = alea_claim_measure(&file, file.root, NULL, &f->evidence, ours, claimed);
  alea_yaml_clear(&file);
  return status;
}

static void near(double found, double expected) {
  if (fabs(found - expected) > 1e-4) fail_msg("%.6f instead of %.6f", found, expected);
}

/* Game g has 2 of 4, and h, whose goal is common, 3 of 4 matches won by all. */
static void means(void **state) {
  (void)state;
  fixture f;
  alea_estimate ours;
  alea_claimed claimed;
  open_fixture(&f);
  assert_int_equal(
      measure(&f, "{table: T, column: {first: uct, second: mc}, above: 50}", &ours, &claimed),
      ALEA_OK);
  assert_true(ours.there && ours.games == 2 && ours.matches == 8);
  near(ours.value, 62.5);
  alea_bounds g = alea_wilson(2, 4), h = alea_wilson(3, 4);
  near(ours.interval.low, 62.5 - 50 * hypot(0.5 - g.low, 0.75 - h.low));
  near(ours.interval.high, 62.5 + 50 * hypot(g.high - 0.5, h.high - 0.75));
  near(claimed.number, 70);
  /* The published mean is that of the games that were measured. */
  assert_int_equal(
      measure(&f, "{table: T, column: {first: uct, second: random}, above: 50}", &ours, &claimed),
      ALEA_OK);
  assert_int_equal(ours.games, 1);
  near(ours.value, 50);
  near(claimed.number, 70);
  close_fixture(&f);
}

static void differences(void **state) {
  (void)state;
  fixture f;
  alea_estimate ours;
  alea_claimed claimed;
  open_fixture(&f);
  assert_int_equal(measure(&f,
                           "{table: T, measure: difference, above: 0, column: {first: uct, second: "
                           "mc, budget: 1}, minus: {first: uct, second: mc}}",
                           &ours, &claimed),
                   ALEA_OK);
  near(ours.value, 50); /* in g alone */
  alea_bounds one = alea_wilson(4, 4), two = alea_wilson(2, 4);
  near(ours.interval.low, 50 - 100 * hypot(1 - one.low, two.high - 0.5));
  near(ours.interval.high, 50 + 100 * hypot(one.high - 1, 0.5 - two.low));
  near(claimed.number, 30);
  /* Halves of the matches: none of the first two is won, then both. */
  assert_int_equal(measure(&f,
                           "{table: T, games: [g], measure: difference, above: 0, column: {first: "
                           "uct, second: mc, part: [0.5, 1]}, minus: {first: uct, second: mc, "
                           "part: [0, 0.5]}}",
                           &ours, &claimed),
                   ALEA_OK);
  near(ours.value, 100);
  assert_int_equal(ours.matches, 4);
  close_fixture(&f);
}

/* Of 50, 50 and 100 % the last is the best, and drawn anew the first may win all
 * of four, which is best together with it; the second is always drawn. */
static void best(void **state) {
  (void)state;
  fixture f;
  alea_estimate ours;
  alea_claimed claimed;
  open_fixture(&f);
  assert_int_equal(
      measure(&f, "{table: T, games: [g], measure: best, between: [10, 20]}", &ours, &claimed),
      ALEA_OK);
  near(ours.value, 30);
  near(ours.interval.low, 10); /* with probability 1/16 */
  near(ours.interval.high, 30);
  assert_int_equal(ours.matches, 12);
  /* Game h was not measured in every column. */
  assert_int_equal(
      measure(&f, "{table: T, games: [h], measure: best, between: [10, 20]}", &ours, &claimed),
      ALEA_OK);
  assert_false(ours.there);
  close_fixture(&f);
}

static void refused(void **state) {
  (void)state;
  static const char *const texts[] = {
      "{table: T, column: {first: uct, second: mc}}",
      "{table: T, column: {first: uct, second: mc}, above: much}",
      "{table: U, column: {first: uct, second: mc}, above: 50}",
      "{table: T, column: {first: utc, second: mc}, above: 50}",
      "{table: T, column: {first: uct, second: cm}, above: 50}",
      "{table: T, games: [k], column: {first: uct, second: mc}, above: 50}",
      "{table: T, above: 50}",
      "{table: T, measure: sum, column: {first: uct, second: mc}, above: 50}",
      "{table: T, measure: difference, column: {first: uct, second: mc}, above: 50}",
      "{table: T, column: {first: uct, second: mc}, minus: {first: uct}, above: 50}",
      "{measure: value, above: 50}",
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    fixture f;
    alea_estimate ours;
    alea_claimed claimed;
    open_fixture(&f);
    if (measure(&f, texts[i], &ours, &claimed) != ALEA_INPUT) fail_msg("%s", texts[i]);
    assert_int_equal(f.diag.errors, 1);
    close_fixture(&f);
  }
}

/* ---- what ships ---- */

static const alea_shipped_file *find_claims(void) {
  for (size_t i = 0; i < alea_shipped_experiment_count; i++)
    if (strcmp(alea_shipped_experiments[i].name, "claims") == 0)
      return &alea_shipped_experiments[i];
  return NULL;
}

/* Every claim names an experiment, a table, players and games that there are, at
 * every scale; in a folder without results nothing is measured. */
static void shipped(void **state) {
  (void)state;
  static const char *const scales[] = {"small", "full", "paper"};
  const alea_shipped_file *file = find_claims();
  assert_non_null(file);
  for (size_t i = 0; i < 3; i++) {
    alea_mem mem;
    alea_diag diag;
    alea_yaml_file yaml;
    alea_experiment claims;
    alea_doc doc;
    alea_text out;
    alea_mem_init(&mem, 0);
    alea_diag_init(&diag, &mem);
    alea_doc_init(&doc, &mem);
    alea_text_init(&out, &mem);
    assert_int_equal(
        alea_yaml_read(&yaml, (const char *)file->bytes, file->length, file->file, &mem, &diag),
        ALEA_OK);
    assert_int_equal(alea_experiment_init(&claims, &yaml, scales[i], &mem), ALEA_OK);
    claims.folder = "/nonexistent";
    if (alea_experiment_doc(&claims, NULL, NULL, &doc) != ALEA_OK)
      fail_msg("%s", diag.entries.count > 0 ? diag.entries.data[0].message : "no reason");
    alea_doc_markdown(&doc, NULL, &out);
    assert_non_null(strstr(alea_text_string(&out), " 0 reproduced, 0 not reproduced, 0 contra"));
    alea_text_clear(&out);
    alea_doc_clear(&doc);
    alea_yaml_clear(&yaml);
    alea_diag_clear(&diag);
    assert_int_equal(mem.used, 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(decided), cmocka_unit_test(means),   cmocka_unit_test(differences),
      cmocka_unit_test(best),    cmocka_unit_test(refused), cmocka_unit_test(shipped),
  };
  return cmocka_run_group_tests_name("claims", tests, NULL, NULL);
}
