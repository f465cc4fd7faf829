/* Random ground programs: oracle, plain net and optimised net must agree on
 * every root along random playouts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "propnet/propnet.h"
#include "support/ground_maker.h"
#include "support/oracle.h"

enum { MAX_ROLES = 3, MAX_FLUENTS = 90, MAX_STEPS = 12, VARIANTS = 4 };

/* ---- making programs up ---- */

typedef struct shape {
  uint32_t fluents, moves, state_atoms, move_atoms; /* derived: state first */
  uint32_t first_derived;
} shape;

/* A literal that an atom of number 'head' may read: negations only of smaller
 * numbers, so that most programs are stratified; positive ones of any in its half. */
static alea_glit random_literal(alea_rng *rng, const shape *s, uint32_t head) {
  bool with_moves = head >= s->first_derived + s->state_atoms;
  uint32_t last = s->first_derived + s->state_atoms + (with_moves ? s->move_atoms : 0);
  for (;;) {
    uint32_t kind = alea_rng_below(rng, 20);
    uint32_t sign = alea_rng_below(rng, 3) == 0;
    if (kind == 0) return alea_rng_below(rng, 2);
    if (kind < 8) return 2 * (1 + alea_rng_below(rng, s->fluents)) + sign;
    if (kind < 12 && with_moves) return 2 * (1 + s->fluents + alea_rng_below(rng, s->moves)) + sign;
    if (s->state_atoms == 0) continue;
    uint32_t atom = s->first_derived + alea_rng_below(rng, last - s->first_derived);
    /* Mostly downward, or everything would be one big cycle. */
    if (atom >= head && (sign || alea_rng_below(rng, 4) != 0)) continue;
    return 2 * atom + sign;
  }
}

static alea_glit random_root(alea_rng *rng, const shape *s, bool with_moves) {
  uint32_t above = s->first_derived + s->state_atoms + s->move_atoms;
  return random_literal(rng, s, with_moves ? above : s->first_derived + s->state_atoms - 1);
}

static alea_ground *random_ground(alea_rng *rng, alea_mem *mem) {
  uint32_t roles = 1 + alea_rng_below(rng, MAX_ROLES), per_role[MAX_ROLES];
  shape s = {.fluents = 1 + alea_rng_below(rng, alea_rng_below(rng, 4) == 0 ? MAX_FLUENTS : 8)};
  for (uint32_t r = 0; r < roles; r++) s.moves += per_role[r] = 1 + alea_rng_below(rng, 6);
  s.state_atoms = 1 + alea_rng_below(rng, 25);
  s.move_atoms = alea_rng_below(rng, 25);
  s.first_derived = 1 + s.fluents + s.moves;
  ground_maker maker;
  ground_maker_begin(&maker, mem, roles, s.fluents, per_role, s.state_atoms + s.move_atoms);
  for (uint32_t k = 0; k < s.state_atoms + s.move_atoms; k++) {
    for (uint32_t rules = alea_rng_below(rng, 4); rules > 0; rules--) {
      alea_glit lits[8];
      uint32_t count = 1 + alea_rng_below(rng, alea_rng_below(rng, 2) == 0 ? 3 : 8);
      for (uint32_t i = 0; i < count; i++) lits[i] = random_literal(rng, &s, s.first_derived + k);
      ground_maker_rule(&maker, s.first_derived + k, lits, count);
    }
  }
  alea_ground *g = maker.ground;
  for (uint32_t i = 0; i < s.fluents; i++) {
    g->init[i] = (uint8_t)alea_rng_below(rng, 2);
    g->next[i] = random_root(rng, &s, true);
    if (alea_rng_below(rng, 5) == 0) g->next[i] = 2 * (1 + i); /* stays as it is */
  }
  for (uint32_t i = 0; i < s.moves; i++)
    g->legal[i] = alea_rng_below(rng, 3) == 0 ? ALEA_GLIT_TRUE : random_root(rng, &s, false);
  g->terminal = alea_rng_below(rng, 2) == 0 ? ALEA_GLIT_FALSE : random_root(rng, &s, false);
  for (uint32_t i = alea_rng_below(rng, 6); i > 0; i--) {
    alea_ground_goal goal = {alea_rng_below(rng, roles), (int)alea_rng_below(rng, 101),
                             random_root(rng, &s, false)};
    assert_true(alea_vec_push(mem, &g->goals, goal));
  }
  for (uint32_t i = alea_rng_below(rng, 5); i > 0; i--) {
    alea_ground_percept p = {alea_rng_below(rng, roles), (uint32_t)g->percepts.count,
                             random_root(rng, &s, true)};
    assert_true(alea_vec_push(mem, &g->percepts, g->fluents[0]));
    assert_true(alea_vec_push(mem, &g->sees, p));
    g->has_sees = true;
  }
  return ground_maker_end(&maker);
}

/* ---- comparing ---- */

typedef struct position {
  uint8_t state[MAX_FLUENTS];
  uint32_t moves[MAX_ROLES];
} position;

static void compare_list(alea_list list, const uint32_t *expected, uint32_t count) {
  assert_int_equal(list.count, count);
  for (uint32_t i = 0; i < count; i++) assert_int_equal(list.ids[i], expected[i]);
}

static void compare_state(oracle *o, const position *p, alea_cursor *cursor) {
  uint32_t expected[MAX_FLUENTS], count = 0;
  for (uint32_t i = 0; i < o->ground->fluent_count; i++)
    if (p->state[i]) expected[count++] = i;
  alea_list list;
  assert_int_equal(alea_cursor_fluents(cursor, &list), ALEA_OK);
  compare_list(list, expected, count);
}

static void compare_roots(oracle *o, alea_cursor *cursor) {
  const alea_ground *g = o->ground;
  bool terminal;
  assert_int_equal(alea_cursor_terminal(cursor, &terminal), ALEA_OK);
  assert_int_equal(terminal, oracle_value(o, g->terminal));
  for (uint32_t r = 0; r < g->role_count; r++) {
    uint32_t expected[16], count = 0;
    for (uint32_t m = g->move_first[r]; m < g->move_first[r + 1]; m++)
      if (oracle_value(o, g->legal[m])) expected[count++] = m - g->move_first[r];
    alea_list list;
    assert_int_equal(alea_cursor_legal(cursor, r, &list), ALEA_OK);
    compare_list(list, expected, count);
    int goal, best = -1;
    for (size_t i = 0; i < g->goals.count; i++)
      if (g->goals.data[i].role == r && oracle_value(o, g->goals.data[i].lit) &&
          g->goals.data[i].value > best)
        best = g->goals.data[i].value;
    assert_int_equal(alea_cursor_goal(cursor, r, &goal), ALEA_OK);
    assert_int_equal(goal, best);
  }
}

static void compare_percepts(oracle *o, alea_cursor *cursor) {
  const alea_ground *g = o->ground;
  for (uint32_t r = 0; r < g->role_count; r++) {
    uint32_t expected[16], count = 0;
    for (size_t i = 0; i < g->sees.count; i++)
      if (g->sees.data[i].role == r && oracle_value(o, g->sees.data[i].lit))
        expected[count++] = g->sees.data[i].percept;
    alea_list list;
    assert_int_equal(alea_cursor_percepts(cursor, r, &list), ALEA_OK);
    compare_list(list, expected, count);
  }
}

static bool choose(const oracle *o, alea_rng *rng, position *p) {
  const alea_ground *g = o->ground;
  for (uint32_t r = 0; r < g->role_count; r++) {
    uint32_t legal[16], count = 0;
    for (uint32_t m = g->move_first[r]; m < g->move_first[r + 1]; m++)
      if (oracle_value(o, g->legal[m])) legal[count++] = m - g->move_first[r];
    if (count == 0) return false;
    p->moves[r] = legal[alea_rng_below(rng, count)];
  }
  return true;
}

static void same_words(alea_cursor *a, alea_cursor *b) {
  size_t m, n;
  const uint64_t *x = alea_cursor_state(a, &m), *y = alea_cursor_state(b, &n);
  assert_int_equal(m, n);
  assert_memory_equal(x, y, m * sizeof *x);
  assert_true(alea_cursor_hash(a) == alea_cursor_hash(b));
}

/* cursors[1 ..] walk beside cursors[0]; sometimes one is brought along by load. */
static void playout(oracle *o, alea_cursor **cursors, size_t count, alea_rng *rng) {
  const alea_ground *g = o->ground;
  position p;
  if (g->fluent_count > 0) memcpy(p.state, g->init, g->fluent_count);
  for (size_t i = 0; i < count; i++) assert_int_equal(alea_cursor_reset(cursors[i]), ALEA_OK);
  for (int step = 0; step < MAX_STEPS; step++) {
    oracle_evaluate(o, p.state, NULL);
    for (size_t i = 0; i < count; i++) {
      compare_state(o, &p, cursors[i]);
      compare_roots(o, cursors[i]);
      same_words(cursors[0], cursors[i]);
    }
    if (!choose(o, rng, &p)) break;
    oracle_evaluate(o, p.state, p.moves);
    for (size_t i = 0; i < count; i++) {
      assert_int_equal(alea_cursor_play(cursors[i], p.moves), ALEA_OK);
      if (alea_rng_below(rng, 2) == 0) compare_percepts(o, cursors[i]);
    }
    uint8_t next[MAX_FLUENTS];
    for (uint32_t i = 0; i < g->fluent_count; i++) next[i] = oracle_value(o, g->next[i]);
    memcpy(p.state, next, g->fluent_count);
    size_t words;
    const uint64_t *state = alea_cursor_state(cursors[0], &words);
    if (alea_rng_below(rng, 4) == 0) {
      assert_int_equal(alea_cursor_reset(cursors[count - 1]), ALEA_OK);
      assert_int_equal(alea_cursor_load(cursors[count - 1], state, words), ALEA_OK);
    }
  }
}

static void compare_program(const alea_ground *ground, alea_mem *mem, alea_rng *rng) {
  oracle o;
  if (!oracle_init(&o, ground)) { /* cycles through negation are another test's */
    oracle_clear(&o);
    return;
  }
  const alea_net_options options[VARIANTS] = {
      {.plain = true}, {.aim = ALEA_NET_FEW_CHANGES}, {.any_move = true}, {0}};
  alea_game *games[VARIANTS];
  alea_cursor *cursors[VARIANTS];
  for (int i = 0; i < VARIANTS; i++) {
    alea_net *net;
    assert_int_equal(alea_net_new(&net, ground, &options[i], mem, NULL), ALEA_OK);
    alea_net_check(net);
    assert_int_equal(alea_net_game_new(&games[i], net, mem), ALEA_OK);
    assert_int_equal(alea_cursor_new(games[i], mem, &cursors[i]), ALEA_OK);
  }
  for (int i = 0; i < 4; i++) playout(&o, cursors, VARIANTS, rng);
  for (int i = 0; i < VARIANTS; i++) {
    alea_cursor_free(cursors[i]);
    alea_game_free(games[i]);
  }
  oracle_clear(&o);
}

static void nets_agree_with_the_rules(void **state) {
  (void)state;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  const char *count = getenv("ALEA_PROPERTY_RUNS");
  const char *first = getenv("ALEA_PROPERTY_SEED");
  uint64_t runs = count != NULL ? strtoull(count, NULL, 10) : 3000;
  uint64_t seed = first != NULL ? strtoull(first, NULL, 10) : 1;
  for (uint64_t i = seed; i < seed + runs; i++) {
    alea_rng rng;
    alea_rng_seed(&rng, i);
    if (first != NULL) printf("seed %llu\n", (unsigned long long)i);
    alea_ground *ground = random_ground(&rng, &mem);
    compare_program(ground, &mem, &rng);
    alea_ground_free(ground);
    assert_int_equal(mem.used, 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nets_agree_with_the_rules),
  };
  return cmocka_run_group_tests_name("propnet properties", tests, NULL, NULL);
}
