/* The gates of the engine `net` where they are many: gates with thousands of inputs, legal
 * moves that share conjuncts, positions that are far from each other, goals that nobody
 * asks for until much has changed.  After every change all that a cursor answers is what
 * alea_net_evaluate finds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "propnet/image.h"
#include "propnet/propnet.h"
#include "support/ground_maker.h"

enum { ROLES = 2, MOVES = 1500, FLUENTS = 5000, ATOMS = 30, ROUNDS = 200 };

typedef struct wave_check {
  alea_mem mem;
  alea_rng rng;
  alea_game *game;
  alea_cursor *cursor;
  const alea_net *net;
  uint8_t *values; /* per node of the net */
  alea_move joint[ROLES];
} wave_check;

/* ---- a program with wide rules ---- */

static uint32_t width(alea_rng *rng) {
  static const uint32_t widths[] = {1, 2, 3, 7, 63, 64, 65, 66, 128, 129, 4096, 4097, 4500};
  return widths[alea_rng_below(rng, sizeof widths / sizeof *widths)];
}

/* The literal of a fluent that is true in the initial position. */
static alea_glit of_fluent(const alea_ground *g, uint32_t fluent) {
  return 2 * (1 + fluent) + (g->init[fluent] == 0);
}

/* A literal of a move, if they may be read, or of an atom before 'atom'.  A rule has one of
 * them at most, for many would contradict each other. */
static alea_glit of_other(alea_rng *rng, const alea_ground *g, uint32_t atom, bool moves) {
  if (moves && alea_rng_below(rng, 2) == 0)
    return 2 * (1 + FLUENTS + alea_rng_below(rng, g->move_count));
  if (atom == 0) return of_fluent(g, 0);
  return 2 * (1 + FLUENTS + g->move_count + alea_rng_below(rng, atom)) + alea_rng_below(rng, 2);
}

/* One rule with many literals, or many rules with one. */
static void random_rules(ground_maker *maker, alea_rng *rng, uint32_t atom, bool moves) {
  uint32_t head = 1 + FLUENTS + maker->ground->move_count + atom;
  uint32_t count = width(rng), start = alea_rng_below(rng, FLUENTS);
  static alea_glit lits[4500];
  bool any = alea_rng_below(rng, 2) == 0;
  for (uint32_t i = 0; i < count; i++)
    lits[i] = of_fluent(maker->ground, (start + i) % FLUENTS) ^ (any ? 1u : 0u);
  if (alea_rng_below(rng, 3) == 0) lits[0] = of_other(rng, maker->ground, atom, moves);
  if (!any)
    ground_maker_rule(maker, head, lits, count);
  else
    for (uint32_t i = 0; i < count; i++) ground_maker_rule(maker, head, lits + i, 1);
}

/* Atoms from 'state_atoms' on may read moves. */
static alea_glit random_atom(alea_rng *rng, const alea_ground *g, uint32_t atoms) {
  return 2 * (1 + FLUENTS + g->move_count + alea_rng_below(rng, atoms)) + alea_rng_below(rng, 2);
}

static void random_roots(alea_ground *g, alea_rng *rng, uint32_t state_atoms) {
  for (uint32_t i = 0; i < FLUENTS; i++)
    g->next[i] = alea_rng_below(rng, 8) == 0 ? random_atom(rng, g, ATOMS) : 2 * (1 + i);
  for (uint32_t m = 0; m < g->move_count; m++) g->legal[m] = random_atom(rng, g, state_atoms);
  g->terminal = random_atom(rng, g, state_atoms);
  for (int i = 0; i < 6; i++) {
    alea_ground_goal goal = {(uint32_t)i % ROLES, 10 * i, random_atom(rng, g, state_atoms)};
    assert_true(alea_vec_push(g->mem, &g->goals, goal));
  }
}

/* Half of the legalities are rules of their own, which share two conjuncts; some are that of
 * another move, or its negation. */
static alea_ground *random_ground(alea_rng *rng, alea_mem *mem) {
  uint32_t per_role[ROLES] = {MOVES, MOVES}, own = MOVES, state_atoms = ATOMS / 2;
  ground_maker maker;
  ground_maker_begin(&maker, mem, ROLES, FLUENTS, per_role, ATOMS + own);
  alea_ground *g = maker.ground;
  for (uint32_t i = 0; i < FLUENTS; i++) g->init[i] = (uint8_t)alea_rng_below(rng, 2);
  for (uint32_t k = 0; k < ATOMS; k++) random_rules(&maker, rng, k, k >= state_atoms);
  random_roots(g, rng, state_atoms);
  for (uint32_t k = 0; k < own; k++) {
    uint32_t head = 1 + FLUENTS + g->move_count + ATOMS + k;
    alea_glit lits[] = {2 + (g->init[0] == 0), 4 + (g->init[1] == 0),
                        of_fluent(g, alea_rng_below(rng, FLUENTS)),
                        of_fluent(g, alea_rng_below(rng, FLUENTS))};
    ground_maker_rule(&maker, head, lits, 2 + alea_rng_below(rng, 3));
    g->legal[2 * k] = 2 * head;
    if (alea_rng_below(rng, 4) == 0) g->legal[2 * k + 1] = 2 * head + alea_rng_below(rng, 2);
  }
  return ground_maker_end(&maker);
}

/* ---- comparing ---- */

static bool value_of(const wave_check *t, alea_lit lit) {
  return (t->values[lit >> 1] ^ (lit & 1)) != 0;
}

static void evaluate(wave_check *t, const uint64_t *words) {
  for (uint32_t i = 0; i < FLUENTS; i++) t->values[1 + i] = words[i / 64] >> (i % 64) & 1;
  memset(t->values + 1 + FLUENTS, 0, t->net->move_count);
  for (uint32_t r = 0; r < ROLES; r++)
    t->values[1 + FLUENTS + t->net->move_first[r] + t->joint[r]] = 1;
  alea_net_evaluate(t->net, t->values);
}

static void compare_legal(wave_check *t, uint32_t role) {
  alea_list list;
  uint32_t count = 0;
  assert_int_equal(alea_cursor_legal(t->cursor, role, &list), ALEA_OK);
  for (uint32_t m = 0; m < MOVES; m++) {
    bool legal = value_of(t, t->net->legal[t->net->move_first[role] + m]), admits;
    assert_int_equal(alea_cursor_admits(t->cursor, role, m, &admits), ALEA_OK);
    assert_int_equal(admits, legal);
    if (legal) assert_int_equal(list.ids[count++], m);
  }
  assert_int_equal(list.count, count);
}

static void compare_goals(wave_check *t) {
  for (uint32_t role = 0; role < ROLES; role++) {
    int goal, best = -1;
    for (size_t i = 0; i < t->net->goals.count; i++) {
      alea_net_goal g = t->net->goals.data[i];
      if (g.role == role && g.value > best && value_of(t, g.lit)) best = g.value;
    }
    assert_int_equal(alea_cursor_goal(t->cursor, role, &goal), ALEA_OK);
    assert_int_equal(goal, best);
  }
}

static void compare_next(wave_check *t) {
  const uint64_t *words = alea_net_preview(t->cursor, t->joint);
  for (uint32_t i = 0; i < FLUENTS; i++)
    assert_int_equal(words[i / 64] >> (i % 64) & 1, value_of(t, t->net->next[i]));
}

static void compare(wave_check *t) {
  size_t count;
  bool terminal;
  evaluate(t, alea_cursor_state(t->cursor, &count));
  assert_int_equal(alea_cursor_terminal(t->cursor, &terminal), ALEA_OK);
  assert_int_equal(terminal, value_of(t, t->net->terminal));
  for (uint32_t role = 0; role < ROLES; role++) compare_legal(t, role);
  compare_next(t);
}

/* Turns over one fluent, a few, a large part of them, or all. */
static void wander(wave_check *t) {
  static const uint32_t flips[] = {1, 2, 5, 40, 3000, 0};
  uint32_t kind = alea_rng_below(&t->rng, 6);
  size_t count;
  const uint64_t *words = alea_cursor_state(t->cursor, &count);
  uint64_t *to = alea_mem_calloc(&t->mem, count, sizeof *to);
  assert_non_null(to);
  memcpy(to, words, count * sizeof *to);
  for (uint32_t i = 0; flips[kind] == 0 && i < FLUENTS; i++) to[i / 64] ^= UINT64_C(1) << (i % 64);
  for (uint32_t n = flips[kind]; n > 0; n--) {
    uint32_t fluent = alea_rng_below(&t->rng, FLUENTS);
    to[fluent / 64] ^= UINT64_C(1) << (fluent % 64);
  }
  assert_int_equal(alea_cursor_load(t->cursor, to, count), ALEA_OK);
  alea_mem_free(&t->mem, to, count * sizeof *to);
}

static void check_program(wave_check *t, const alea_ground *ground, bool plain) {
  alea_net *net;
  alea_diag diag;
  alea_diag_init(&diag, &t->mem);
  alea_net_options options = {.aim = ALEA_NET_FEW_CHANGES, .plain = plain, .any_move = true};
  assert_int_equal(alea_net_new(&net, ground, &options, &t->mem, &diag), ALEA_OK);
  assert_int_equal(alea_net_game_new(&t->game, net, &t->mem), ALEA_OK);
  assert_int_equal(alea_cursor_new(t->game, &t->mem, &t->cursor), ALEA_OK);
  t->net = net;
  size_t nodes = net->first_gate + net->gate_count;
  t->values = alea_mem_zalloc(&t->mem, nodes);
  assert_non_null(t->values);
  for (int round = 0; round < ROUNDS; round++) {
    if (alea_rng_below(&t->rng, 16) == 0) assert_int_equal(alea_cursor_reset(t->cursor), ALEA_OK);
    if (alea_rng_below(&t->rng, 3) != 0) wander(t);
    for (uint32_t r = 0; r < ROLES; r++) t->joint[r] = alea_rng_below(&t->rng, MOVES);
    if (alea_rng_below(&t->rng, 3) == 0)
      assert_int_equal(alea_cursor_play(t->cursor, t->joint), ALEA_OK);
    if (alea_rng_below(&t->rng, 8) == 0) compare(t);
    if (round % 100 == 99) evaluate(t, alea_cursor_state(t->cursor, &nodes)), compare_goals(t);
  }
  alea_mem_free(&t->mem, t->values, net->first_gate + net->gate_count);
  alea_cursor_free(t->cursor);
  alea_game_free(t->game);
  alea_diag_clear(&diag);
}

static void wide_gates_and_far_positions(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 4; seed++) {
    wave_check t = {0};
    alea_mem_init(&t.mem, 0);
    alea_rng_seed(&t.rng, seed);
    alea_ground *ground = random_ground(&t.rng, &t.mem);
    check_program(&t, ground, seed % 2 == 0);
    alea_ground_free(ground);
    assert_int_equal(t.mem.used, 0);
  }
}

/* ---- many at once ---- */

/* Gates 'not f0 or not fi', each the legality of two moves. */
static alea_ground *crowd(uint32_t gates, alea_mem *mem) {
  uint32_t moves = 2 * gates;
  ground_maker maker;
  ground_maker_begin(&maker, mem, 1, gates + 1, &moves, gates);
  alea_ground *g = maker.ground;
  g->terminal = 1;
  for (uint32_t i = 0; i <= gates; i++) {
    g->init[i] = 1;
    g->next[i] = 2 * (1 + i);
  }
  for (uint32_t i = 0; i < gates; i++) {
    uint32_t head = 1 + (gates + 1) + moves + i;
    alea_glit lits[] = {2 * 1 + 1, 2 * (2 + i) + 1};
    ground_maker_rule(&maker, head, &lits[0], 1);
    ground_maker_rule(&maker, head, &lits[1], 1);
    g->legal[2 * i] = g->legal[2 * i + 1] = 2 * head;
  }
  return ground_maker_end(&maker);
}

static void turn_crowd(alea_cursor *cursor, uint32_t gates) {
  size_t count;
  alea_list list;
  uint64_t to[128];
  const uint64_t *words = alea_cursor_state(cursor, &count);
  assert_in_range(count, 1, sizeof to / sizeof *to);
  memcpy(to, words, count * sizeof *to);
  for (int turn = 0; turn < 6; turn++) {
    to[0] ^= 1;
    assert_int_equal(alea_cursor_load(cursor, to, count), ALEA_OK);
    assert_int_equal(alea_cursor_legal(cursor, 0, &list), ALEA_OK);
    assert_int_equal(list.count, (to[0] & 1) != 0 ? 0 : 2 * gates);
  }
}

/* So many gates turn at once that the counters of slots which stand for nothing would go round
 * if they counted.  How they are dealt out depends on the number of gates. */
static void crowds_turn_and_come_to_rest(void **state) {
  (void)state;
  for (uint32_t gates = 256; gates < 512; gates++) {
    alea_mem mem;
    alea_diag diag;
    alea_net *net;
    alea_game *game;
    alea_cursor *cursor;
    alea_mem_init(&mem, 0);
    alea_diag_init(&diag, &mem);
    alea_ground *ground = crowd(gates, &mem);
    alea_net_options options = {.aim = ALEA_NET_FEW_CHANGES, .plain = true, .any_move = true};
    assert_int_equal(alea_net_new(&net, ground, &options, &mem, &diag), ALEA_OK);
    assert_int_equal(alea_net_game_new(&game, net, &mem), ALEA_OK);
    assert_int_equal(alea_cursor_new(game, &mem, &cursor), ALEA_OK);
    turn_crowd(cursor, gates);
    alea_cursor_free(cursor);
    alea_game_free(game);
    alea_ground_free(ground);
    alea_diag_clear(&diag);
    assert_int_equal(mem.used, 0);
  }
}

static void check_place(const alea_image *image, alea_image_edge edge) {
  uint32_t idle = image->phase_first[ALEA_IMAGE_PHASES];
  assert_in_range(alea_edge_slot(edge), 0, idle + ALEA_IDLE_SLOTS - 1);
  assert_int_equal(alea_edge_weight(edge) == 0, alea_edge_slot(edge) >= idle);
}

static void check_places(const alea_image *image, uint32_t slot) {
  const alea_image_slot *s = &image->slots[slot];
  check_place(image, s->same[0]);
  check_place(image, s->same[1]);
  check_place(image, s->other);
  if (s->first == 0) return;
  const alea_image_edge *list = image->far + s->first;
  for (uint32_t i = 0; i < list[ALEA_FAR_BLOCKS] + list[ALEA_FAR_BIT_BLOCKS]; i++)
    assert_true(image->blocks[list[ALEA_FAR_FIRST] + i].weight > 0);
  for (uint32_t i = 0; i < list[ALEA_FAR_GROUPS]; i++)
    for (uint32_t k = 1; k <= ALEA_EDGE_GROUP; k++)
      check_place(image, list[ALEA_FAR_HEAD + i * (1 + ALEA_EDGE_GROUP) + k]);
}

/* What stands for nothing never turns over: being told changes nothing there, and something
 * everywhere else. */
static void idle_slots_count_nothing(void **state) {
  (void)state;
  alea_mem mem;
  alea_diag diag;
  alea_net *net;
  alea_image image;
  alea_rng rng;
  alea_mem_init(&mem, 0);
  alea_diag_init(&diag, &mem);
  alea_rng_seed(&rng, 1);
  alea_ground *ground = random_ground(&rng, &mem);
  alea_net_options options = {.aim = ALEA_NET_FEW_CHANGES, .any_move = true};
  assert_int_equal(alea_net_new(&net, ground, &options, &mem, &diag), ALEA_OK);
  assert_int_equal(alea_image_init(&image, net, &mem), ALEA_OK);
  for (uint32_t i = 0; i < image.slot_count + net->first_gate; i++) check_places(&image, i);
  alea_image_clear(&image);
  alea_net_free(net);
  alea_ground_free(ground);
  alea_diag_clear(&diag);
  assert_int_equal(mem.used, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(wide_gates_and_far_positions),
                                     cmocka_unit_test(idle_slots_count_nothing),
                                     cmocka_unit_test(crowds_turn_and_come_to_rest)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
