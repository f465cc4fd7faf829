/* The searches for witnesses against an interpreter of toy games.
 *
 * A toy has four fluents, two roles with up to three moves each, and, if it is
 * counted, ends after four steps at the latest.  Its rules are random, so that
 * roles lack moves and goals are missing or hold together.  The test knows the
 * toy as bits, the library as a rulesheet. */
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "match/witness.h"
#include "support/least.h"
#include "support/match_run.h"

enum { FLUENTS = 4, STATES = 1 << FLUENTS, MOVES = 3, ROLES = 2, STEPS = 4, NEXTS = 9, GOALS = 3 };
static const int goal_values[GOALS] = {0, 50, 100};

typedef struct toy_condition {
  unsigned with, without; /* fluents, as bits */
} toy_condition;

typedef struct toy_next {
  toy_condition when;
  unsigned fluent;
  int role, move; /* -1: whatever they do */
} toy_next;

typedef struct toy {
  bool counted;
  unsigned init;
  toy_condition legal[ROLES][MOVES], end, goal[ROLES][GOALS];
  toy_next next[NEXTS];
} toy;

/* What a look at all plays shows. */
typedef struct toy_truth {
  bool found[ALEA_WITNESS_KIND_COUNT][ROLES], won[ROLES], any_goal[ROLES];
} toy_truth;

/* ---- making ---- */

static toy_condition make_condition(alea_rng *rng, unsigned most) {
  toy_condition c = {0};
  for (unsigned i = alea_rng_below(rng, most + 1); i > 0; i--) {
    unsigned bit = 1u << alea_rng_below(rng, FLUENTS);
    if ((c.with | c.without) & bit) continue;
    if (alea_rng_below(rng, 2) == 0)
      c.with |= bit;
    else
      c.without |= bit;
  }
  return c;
}

static void make_toy(toy *t, uint64_t seed, bool counted) {
  alea_rng rng;
  alea_rng_seed(&rng, seed);
  *t = (toy){.counted = counted, .init = alea_rng_below(&rng, STATES)};
  for (int r = 0; r < ROLES; r++) {
    for (int m = 0; m < MOVES; m++) t->legal[r][m] = make_condition(&rng, 2);
    for (int g = 0; g < GOALS; g++) t->goal[r][g] = make_condition(&rng, 3);
  }
  t->end = make_condition(&rng, 4);
  for (int i = 0; i < NEXTS; i++) {
    bool free = alea_rng_below(&rng, 3) == 0;
    t->next[i] = (toy_next){.when = make_condition(&rng, 2),
                            .fluent = alea_rng_below(&rng, FLUENTS),
                            .role = free ? -1 : (int)alea_rng_below(&rng, ROLES),
                            .move = (int)alea_rng_below(&rng, MOVES)};
  }
}

static void write_condition(alea_text *out, toy_condition c) {
  for (unsigned i = 0; i < FLUENTS; i++) {
    if (c.with >> i & 1) alea_text_format(out, " (true p%u)", i);
    if (c.without >> i & 1) alea_text_format(out, " (not (true p%u))", i);
  }
  alea_text_put(out, " (true on))\n");
}

static void write_toy(alea_text *out, const toy *t) {
  alea_text_put(out, "(role r0) (role r1) (init on) (<= (next on) (true on))\n");
  for (unsigned i = 0; i < FLUENTS; i++)
    if (t->init >> i & 1) alea_text_format(out, "(init p%u)\n", i);
  for (int r = 0; r < ROLES; r++) {
    for (int m = 0; m < MOVES; m++) {
      alea_text_format(out, "(<= (legal r%d m%d)", r, m);
      write_condition(out, t->legal[r][m]);
    }
    for (int g = 0; g < GOALS; g++) {
      alea_text_format(out, "(<= (goal r%d %d)", r, goal_values[g]);
      write_condition(out, t->goal[r][g]);
    }
  }
  for (int i = 0; i < NEXTS; i++) {
    alea_text_format(out, "(<= (next p%u)", t->next[i].fluent);
    if (t->next[i].role >= 0)
      alea_text_format(out, " (does r%d m%d)", t->next[i].role, t->next[i].move);
    write_condition(out, t->next[i].when);
  }
  alea_text_put(out, "(<= terminal");
  write_condition(out, t->end);
  if (!t->counted) return;
  alea_text_put(out,
                "(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (init (step 0))\n"
                "(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))\n"
                "(<= terminal (true (step 4)))\n");
}

/* ---- the oracle ---- */

static bool holds(toy_condition c, unsigned state) {
  return (state & c.with) == c.with && (state & c.without) == 0;
}

static bool is_over(const toy *t, unsigned state, int step) {
  return holds(t->end, state) || (t->counted && step == STEPS);
}

static unsigned after(const toy *t, unsigned state, const int *joint) {
  unsigned result = 0;
  for (int i = 0; i < NEXTS; i++) {
    const toy_next *n = &t->next[i];
    if (holds(n->when, state) && (n->role < 0 || joint[n->role] == n->move))
      result |= 1u << n->fluent;
  }
  return result;
}

static void look(const toy *t, unsigned state, bool over, toy_truth *truth) {
  for (int r = 0; r < ROLES; r++) {
    int moves = 0, goals = 0;
    for (int m = 0; m < MOVES; m++) moves += holds(t->legal[r][m], state);
    for (int g = 0; g < GOALS; g++) goals += holds(t->goal[r][g], state);
    if (!over && moves == 0) truth->found[ALEA_WITNESS_NOT_PLAYABLE][r] = true;
    if (!over) continue;
    if (goals == 0) truth->found[ALEA_WITNESS_NO_GOAL][r] = true;
    if (goals > 1) truth->found[ALEA_WITNESS_TWO_GOALS][r] = true;
    if (goals > 0) truth->any_goal[r] = true;
    if (holds(t->goal[r][GOALS - 1], state)) truth->won[r] = true;
  }
}

/* All plays; 'path' are the states of this one. */
static void walk(const toy *t, unsigned *path, int step, toy_truth *truth) {
  unsigned state = path[step];
  bool over = is_over(t, state, step);
  look(t, state, over, truth);
  for (int i = 0; !over && !t->counted && i < step; i++) {
    if (path[i] != state) continue;
    truth->found[ALEA_WITNESS_ENDLESS][0] = true;
    return;
  }
  int joint[ROLES];
  for (joint[0] = 0; !over && joint[0] < MOVES; joint[0]++) {
    for (joint[1] = 0; joint[1] < MOVES; joint[1]++) {
      if (!holds(t->legal[0][joint[0]], state) || !holds(t->legal[1][joint[1]], state)) continue;
      path[step + 1] = after(t, state, joint);
      walk(t, path, step + 1, truth);
    }
  }
}

/* ---- comparing ---- */

/* Replays the witness as bits: it must show what it says. */
static void replay(const toy *t, const alea_witness *w, const alea_game *game) {
  unsigned state = t->init, states[256] = {state};
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_text text;
  alea_text_init(&text, &mem);
  assert_true(w->steps < 256);
  for (uint32_t step = 0; step < w->steps; step++) {
    int joint[ROLES];
    assert_false(is_over(t, state, (int)step));
    for (uint32_t r = 0; r < ROLES; r++) {
      alea_text_truncate(&text, 0);
      alea_game_move_text(game, r, w->moves.data[step * ROLES + r], false, &text);
      joint[r] = alea_text_string(&text)[1] - '0';
      assert_true(holds(t->legal[r][joint[r]], state));
    }
    states[step + 1] = state = after(t, state, joint);
  }
  toy_truth here = {0};
  look(t, state, is_over(t, state, (int)w->steps), &here);
  if (w->kind == ALEA_WITNESS_ENDLESS)
    assert_true(w->cycle && w->cycle_at < w->steps && states[w->cycle_at] == state);
  else
    assert_true(here.found[w->kind][w->role]);
  alea_text_clear(&text);
}

/* 'whole': the search must find all there is. */
static size_t compare(const toy *t, const alea_opened *opened, const toy_truth *truth,
                      alea_witness_limits limits, bool whole, bool best_known) {
  alea_witnesses found;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  assert_int_equal(alea_witness_find(&found, opened->game, &limits, &mem), ALEA_OK);
  toy_truth seen = {0};
  for (size_t i = 0; i < found.list.count; i++) {
    const alea_witness *w = &found.list.data[i];
    assert_false(seen.found[w->kind][w->role]); /* at most one of each */
    seen.found[w->kind][w->role] = true;
    if (w->kind == ALEA_WITNESS_NEVER_WON)
      assert_false(truth->won[w->role]);
    else
      replay(t, w, opened->game);
  }
  size_t count = found.list.count;
  alea_witnesses_clear(&found);
  assert_int_equal(mem.used, 0);
  for (int r = 0; whole && r < ROLES; r++) {
    for (int kind = 0; kind < ALEA_WITNESS_NEVER_WON; kind++)
      assert_int_equal(seen.found[kind][r], truth->found[kind][r]);
    bool never = !truth->won[r] && (!best_known || truth->any_goal[r]);
    assert_int_equal(seen.found[ALEA_WITNESS_NEVER_WON][r], never);
  }
  return count;
}

static size_t compare_all(uint64_t seed, bool counted) {
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_text sheet;
  alea_text_init(&sheet, &mem);
  toy t;
  make_toy(&t, seed, counted);
  write_toy(&sheet, &t);
  alea_opened opened;
  open_sheet(&opened, alea_text_string(&sheet));
  unsigned path[STATES + STEPS + 2] = {t.init};
  toy_truth truth = {0};
  walk(&t, path, 0, &truth);
  alea_witness_limits positions = {.positions = 100000};
  alea_witness_limits stages = {.stages = STEPS, .horizon = counted ? STEPS : 0};
  alea_witness_limits plays = {.steps = 200, .seed = seed};
  size_t count = compare(&t, &opened, &truth, positions, true, true);
  (void)compare(&t, &opened, &truth, stages, counted, false);
  (void)compare(&t, &opened, &truth, plays, false, false);
  /* Who wins in lanes is not asked for in clauses. */
  stages.playouts = 500;
  (void)compare(&t, &opened, &truth, stages, counted, false);
  alea_opened_clear(&opened);
  alea_text_clear(&sheet);
  return count;
}

static void counted_toys(void **state) {
  (void)state;
  size_t count = 0;
  for (uint64_t seed = 1; seed <= 150; seed++) count += compare_all(seed, true);
  expect_at_least(150, count, "witnesses", NULL);
}

static void endless_toys(void **state) {
  (void)state;
  size_t count = 0;
  for (uint64_t seed = 1001; seed <= 1060; seed++) count += compare_all(seed, false);
  expect_at_least(60, count, "witnesses", NULL);
}

/* The number of witnesses of a kind with the usual limits; '*steps' of the last. */
static size_t count_kind(const char *sheet, alea_witness_kind kind, uint32_t *steps) {
  alea_opened opened;
  alea_witnesses found;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_witness_limits limits;
  open_sheet(&opened, sheet);
  alea_witness_limits_init(&limits, 1);
  assert_int_equal(alea_witness_find(&found, opened.game, &limits, &mem), ALEA_OK);
  size_t count = 0;
  for (size_t i = 0; i < found.list.count; i++) {
    if (found.list.data[i].kind != kind) continue;
    *steps = found.list.data[i].steps;
    count++;
  }
  alea_witnesses_clear(&found);
  alea_opened_clear(&opened);
  return count;
}

#define DICE                                          \
  "(role you) (role random) (init on)"                \
  "(legal you wait) (legal random (roll 1))"          \
  "(<= (legal random (roll 2)) (not (true sulking)))" \
  "(<= (next on) (does random (roll 1)))"             \
  "(<= terminal (not (true on))) (goal you 100)"

/* Dice that must fall alike for ever are no fault; a player's will is one. */
static void endless_by_chance(void **state) {
  (void)state;
  uint32_t steps = 0;
  assert_int_equal(count_kind(DICE, ALEA_WITNESS_ENDLESS, &steps), 0);
  assert_int_equal(count_kind(DICE "(legal you sulk) (<= (next sulking) (does you sulk))",
                              ALEA_WITNESS_ENDLESS, &steps),
                   1);
}

/* A lock of twelve digits of four values that leaves the player without a move
 * when the right ones are dialled: one play of 16 million. */
static void needle(void **state) {
  (void)state;
  enum { DIGITS = 12 };
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_text sheet;
  alea_text_init(&sheet, &mem);
  alea_text_put(&sheet,
                "(role you) (init (at 0)) (goal you 100)\n"
                "(digit 0) (digit 1) (digit 2) (digit 3)\n"
                "(<= (legal you (dial ?d)) (digit ?d) (not open))\n"
                "(<= (next (dialled ?n ?d)) (true (at ?n)) (does you (dial ?d)))\n"
                "(<= (next (dialled ?n ?d)) (true (dialled ?n ?d)))\n"
                "(<= (next (at ?m)) (true (at ?n)) (succ ?n ?m))\n"
                "(<= terminal (true (at 13)))\n(<= open");
  for (int i = 0; i < DIGITS; i++)
    alea_text_format(&sheet, " (true (dialled %d %d))", i, i * 7 % 4);
  alea_text_put(&sheet, ")\n");
  for (int i = 0; i <= DIGITS; i++) alea_text_format(&sheet, "(succ %d %d)\n", i, i + 1);
  uint32_t steps = 0;
  assert_int_equal(count_kind(alea_text_string(&sheet), ALEA_WITNESS_NOT_PLAYABLE, &steps), 1);
  assert_int_equal(steps, DIGITS);
  alea_text_clear(&sheet);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(counted_toys),
      cmocka_unit_test(endless_toys),
      cmocka_unit_test(endless_by_chance),
      cmocka_unit_test(needle),
  };
  return cmocka_run_group_tests_name("witness", tests, NULL, NULL);
}
