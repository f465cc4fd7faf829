/* Lanes against the engine `net`: random ground programs, with and without a
 * clock, random games of connection and of two phases, and the networks of the
 * yardsticks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/diag.h"
#include "propnet/lane_word.h"
#include "propnet/lanes_compile.h"
#include "support/ground_maker.h"
#include "support/lane_check.h"

enum { MAX_ROLES = 3, PROGRAMS = 1500, CONNECTIONS = 400, PHASES = 400 };

/* ---- making programs up ---- */

typedef struct shape {
  uint32_t fluents, moves, state_atoms, move_atoms; /* derived: state first */
  uint32_t first_derived;
} shape;

static alea_glit random_literal(alea_rng *rng, const shape *s, uint32_t head, bool with_moves) {
  for (;;) {
    uint32_t kind = alea_rng_below(rng, 16), sign = alea_rng_below(rng, 3) == 0;
    if (kind < 7) return 2 * (1 + alea_rng_below(rng, s->fluents)) + sign;
    if (kind < 10 && with_moves) return 2 * (1 + s->fluents + alea_rng_below(rng, s->moves)) + sign;
    uint32_t atoms = s->state_atoms + (with_moves ? s->move_atoms : 0);
    uint32_t atom = s->first_derived + alea_rng_below(rng, atoms);
    if (atom >= head && (sign || alea_rng_below(rng, 3) != 0)) continue; /* few cycles */
    return 2 * atom + sign;
  }
}

/* An atom that says that one of several moves is made, or sometimes that
 * something else holds. */
static void some_moves(alea_rng *rng, const shape *s, ground_maker *maker, uint32_t head) {
  for (uint32_t rules = 2 + alea_rng_below(rng, 12); rules > 0; rules--) {
    alea_glit move = 2 * (1 + s->fluents + alea_rng_below(rng, s->moves));
    ground_maker_rule(maker, head, &move, 1);
  }
  alea_glit other = random_literal(rng, s, head, true);
  if (alea_rng_below(rng, 2) == 0) ground_maker_rule(maker, head, &other, 1);
}

static void random_rules(alea_rng *rng, const shape *s, ground_maker *maker) {
  for (uint32_t k = 0; k < s->state_atoms + s->move_atoms; k++) {
    if (k >= s->state_atoms && alea_rng_below(rng, 3) == 0)
      some_moves(rng, s, maker, s->first_derived + k);
    else
      for (uint32_t rules = alea_rng_below(rng, 5); rules > 0; rules--) {
        alea_glit lits[20];
        uint32_t count = 1 + alea_rng_below(rng, alea_rng_below(rng, 6) == 0 ? 20 : 3);
        for (uint32_t i = 0; i < count; i++)
          lits[i] = random_literal(rng, s, s->first_derived + k, k >= s->state_atoms);
        ground_maker_rule(maker, s->first_derived + k, lits, count);
      }
  }
}

/* Every other program has a clock of two or three fluents. */
static void add_clock(alea_rng *rng, alea_ground *g, uint32_t fluents) {
  uint32_t ticks = 2 + alea_rng_below(rng, 2);
  if (alea_rng_below(rng, 2) == 0 || fluents <= ticks) return;
  for (uint32_t t = 0; t < ticks; t++) {
    g->init[t] = t == 0;
    g->next[(t + 1) % ticks] = 2 * (1 + t);
  }
}

static alea_ground *random_ground(alea_rng *rng, alea_mem *mem) {
  uint32_t roles = 1 + alea_rng_below(rng, MAX_ROLES), per_role[MAX_ROLES];
  shape s = {.fluents = 1 + alea_rng_below(rng, 12)};
  for (uint32_t r = 0; r < roles; r++)
    s.moves += per_role[r] = 1 + alea_rng_below(rng, alea_rng_below(rng, 4) == 0 ? 90 : 6);
  s.state_atoms = 1 + alea_rng_below(rng, 30);
  s.move_atoms = alea_rng_below(rng, 30);
  s.first_derived = 1 + s.fluents + s.moves;
  uint32_t end = s.first_derived + s.state_atoms + s.move_atoms;
  ground_maker maker;
  ground_maker_begin(&maker, mem, roles, s.fluents, per_role, s.state_atoms + s.move_atoms);
  random_rules(rng, &s, &maker);
  alea_ground *g = maker.ground;
  for (uint32_t i = 0; i < s.fluents; i++) {
    g->init[i] = (uint8_t)alea_rng_below(rng, 2);
    g->next[i] = random_literal(rng, &s, end, true);
  }
  for (uint32_t i = 0; i < s.moves; i++)
    g->legal[i] = alea_rng_below(rng, 3) == 0
                      ? ALEA_GLIT_TRUE
                      : random_literal(rng, &s, s.first_derived + s.state_atoms, false);
  g->terminal = alea_rng_below(rng, 2) == 0
                    ? ALEA_GLIT_FALSE
                    : random_literal(rng, &s, s.first_derived + s.state_atoms, false);
  for (uint32_t i = alea_rng_below(rng, 6); i > 0; i--) {
    alea_ground_goal goal = {alea_rng_below(rng, roles), (int)alea_rng_below(rng, 101),
                             random_literal(rng, &s, s.first_derived + s.state_atoms, false)};
    assert_true(alea_vec_push(mem, &g->goals, goal));
  }
  add_clock(rng, g, s.fluents);
  return ground_maker_end(&maker);
}

/* ---- games of connection ---- */

/* Atoms of a game in which two players put stones on cells; a cell is either free or has
 * stones of one or the other.  First the fluents: whose turn it is, the free cells, the
 * stones; then the moves, to put a stone or to wait; then what is derived. */
typedef struct board {
  uint32_t cells;
} board;

static uint32_t turn_atom(uint32_t p) { return 1 + p; }
static uint32_t free_atom(uint32_t c) { return 3 + c; }
static uint32_t stone_atom(const board *b, uint32_t p, uint32_t c) {
  return 3 + b->cells * (1 + p) + c;
}
static uint32_t put_atom(const board *b, uint32_t p, uint32_t c) {
  return 3 + 3 * b->cells + p * (b->cells + 1) + c;
}
static uint32_t derived_atom(const board *b, uint32_t kind, uint32_t c) {
  return 5 + 5 * b->cells + kind * b->cells + c;
}
/* Kinds of derived atoms; the first three are two, by player, and of END only one counts. */
enum { REACHED = 0, STAYS = 2, LEGAL = 4, LEAVES = 6, END = 7, KINDS = 8 };

/* Stones of a player stay, in most games; a stone reaches another in random directions. */
static void add_player(alea_rng *rng, const board *b, uint32_t p, ground_maker *maker) {
  bool stays = alea_rng_below(rng, 5) != 0, by_free = alea_rng_below(rng, 3) == 0;
  for (uint32_t c = 0; c < b->cells; c++) {
    alea_glit stone = 2 * stone_atom(b, p, c), put = 2 * put_atom(b, p, c);
    alea_glit may[2] = {2 * turn_atom(p), 2 * free_atom(c)};
    ground_maker_rule(maker, derived_atom(b, LEGAL + p, c), may, 2);
    ground_maker_rule(maker, derived_atom(b, STAYS + p, c), &put, 1);
    if (stays) ground_maker_rule(maker, derived_atom(b, STAYS + p, c), &stone, 1);
    maker->ground->next[stone / 2 - 1] = 2 * derived_atom(b, STAYS + p, c);
    maker->ground->legal[put_atom(b, p, c) - put_atom(b, 0, 0)] = 2 * derived_atom(b, LEGAL + p, c);
    if (alea_rng_below(rng, 5) == 0)
      ground_maker_rule(maker, derived_atom(b, REACHED + p, c), &stone, 1);
    for (uint32_t edges = alea_rng_below(rng, 6); edges > 0; edges--) {
      uint32_t from = alea_rng_below(rng, b->cells);
      alea_glit rule[2] = {2 * derived_atom(b, REACHED + p, from),
                           by_free ? 2 * free_atom(c) + 1 : stone};
      bool needs_stone = alea_rng_below(rng, 3) != 0; /* else old values would live for ever */
      ground_maker_rule(maker, derived_atom(b, REACHED + p, c), rule, 1 + needs_stone);
    }
  }
}

/* A cell stays free until somebody puts a stone there. */
static void add_cells(const board *b, ground_maker *maker) {
  for (uint32_t c = 0; c < b->cells; c++) {
    alea_glit stays[3] = {2 * free_atom(c), 2 * put_atom(b, 0, c) + 1, 2 * put_atom(b, 1, c) + 1};
    maker->ground->init[free_atom(c) - 1] = 1;
    ground_maker_rule(maker, derived_atom(b, LEAVES, c), stays, 3);
    maker->ground->next[free_atom(c) - 1] = 2 * derived_atom(b, LEAVES, c);
  }
}

static alea_ground *random_connection(alea_rng *rng, alea_mem *mem) {
  board b = {.cells = 3 + alea_rng_below(rng, 9)};
  uint32_t per_role[2] = {b.cells + 1, b.cells + 1};
  bool in_turn = alea_rng_below(rng, 4) != 0; /* else both put stones at every step */
  ground_maker maker;
  ground_maker_begin(&maker, mem, 2, 2 + 3 * b.cells, per_role, KINDS * b.cells);
  alea_ground *g = maker.ground;
  for (uint32_t p = 0; p < 2; p++) {
    g->init[turn_atom(p) - 1] = p == 0 || !in_turn;
    g->next[turn_atom(p) - 1] = 2 * turn_atom(1 - p);
    g->legal[put_atom(&b, p, b.cells) - put_atom(&b, 0, 0)] = 2 * turn_atom(p) + in_turn;
    add_player(rng, &b, p, &maker);
    alea_ground_goal goal = {p, 100,
                             2 * derived_atom(&b, REACHED + p, alea_rng_below(rng, b.cells))};
    assert_true(alea_vec_push(mem, &g->goals, goal));
    if (alea_rng_below(rng, 4) != 0)
      ground_maker_rule(&maker, derived_atom(&b, END, 0), &goal.lit, 1);
  }
  add_cells(&b, &maker);
  g->terminal = 2 * derived_atom(&b, END, 0);
  return ground_maker_end(&maker);
}

/* ---- games of two phases ---- */

/* Two players in turn who go to one of some places, and then do something from there.  Where
 * they are is no clock, but that they are somewhere is.  First the fluents: whose turn it is,
 * the places, some bits; then the moves of each player: to go, to act, to wait; then what is
 * derived. */
typedef struct phases {
  uint32_t places, goes, acts;
} phases;
enum { BITS = 3 };

static uint32_t place_atom(uint32_t c) { return 3 + c; }
static uint32_t bit_atom(const phases *x, uint32_t i) { return 3 + x->places + i; }
static uint32_t first_move_atom(const phases *x) { return 3 + x->places + BITS; }
static uint32_t move_atom(const phases *x, uint32_t p, uint32_t m) {
  return first_move_atom(x) + p * (x->goes + x->acts + 1) + m;
}
/* Derived: acting, the next turns and places, and which moves are legal. */
static uint32_t acting_atom(const phases *x) { return move_atom(x, 2, 0); }
static uint32_t next_turn_atom(const phases *x, uint32_t p) { return acting_atom(x) + 1 + p; }
static uint32_t next_place_atom(const phases *x, uint32_t c) { return acting_atom(x) + 3 + c; }
static uint32_t legal_atom(const phases *x, uint32_t p, uint32_t m) {
  return next_place_atom(x, x->places) + p * (x->goes + x->acts + 1) + m;
}

/* The moves of a player; in some games one of them leads nowhere, or can be made at any
 * time. */
static void add_moves(alea_rng *rng, const phases *x, uint32_t p, ground_maker *maker) {
  uint32_t flaw = alea_rng_below(rng, 6), first = first_move_atom(x);
  for (uint32_t m = 0; m < x->goes + x->acts; m++) {
    alea_glit go = 2 * move_atom(x, p, m), bit = 2 * bit_atom(x, alea_rng_below(rng, BITS));
    alea_glit when[3] = {2 * turn_atom(p), 2 * acting_atom(x) + 1, bit};
    uint32_t to = alea_rng_below(rng, x->places);
    if (m >= x->goes) when[1] = 2 * place_atom(to);
    if (flaw == 0 && m == x->goes) when[1] = when[0];
    uint32_t conditions = m > 0 && alea_rng_below(rng, 2) == 0 ? 3 : 2;
    ground_maker_rule(maker, legal_atom(x, p, m), when, conditions);
    if (m < x->goes && (flaw != 1 || m > 0))
      ground_maker_rule(maker, next_place_atom(x, to), &go, 1);
    maker->ground->legal[move_atom(x, p, m) - first] = 2 * legal_atom(x, p, m);
  }
  maker->ground->legal[move_atom(x, p, x->goes + x->acts) - first] = 2 * turn_atom(1 - p);
}

static void add_turn(const phases *x, uint32_t p, ground_maker *maker) {
  alea_glit on[2] = {2 * turn_atom(p), 2 * acting_atom(x) + 1};
  alea_glit passed[2] = {2 * turn_atom(1 - p), 2 * acting_atom(x)};
  ground_maker_rule(maker, next_turn_atom(x, p), on, 2);
  ground_maker_rule(maker, next_turn_atom(x, p), passed, 2);
  maker->ground->init[turn_atom(p) - 1] = p == 0;
  maker->ground->next[turn_atom(p) - 1] = 2 * next_turn_atom(x, p);
}

static alea_ground *random_phases(alea_rng *rng, alea_mem *mem) {
  phases x = {2 + alea_rng_below(rng, 5), 1 + alea_rng_below(rng, 9), 1 + alea_rng_below(rng, 4)};
  uint32_t moves = x.goes + x.acts + 1, per_role[2] = {moves, moves};
  ground_maker maker;
  ground_maker_begin(&maker, mem, 2, 2 + x.places + BITS, per_role, 3 + x.places + 2 * moves);
  for (uint32_t p = 0; p < 2; p++) {
    add_moves(rng, &x, p, &maker);
    add_turn(&x, p, &maker);
  }
  for (uint32_t c = 0; c < x.places; c++) {
    alea_glit here = 2 * place_atom(c);
    ground_maker_rule(&maker, acting_atom(&x), &here, 1);
    maker.ground->next[place_atom(c) - 1] = 2 * next_place_atom(&x, c);
  }
  for (uint32_t i = 0; i < BITS; i++)
    maker.ground->next[bit_atom(&x, i) - 1] =
        2 * move_atom(&x, 0, alea_rng_below(rng, 2 * moves)) + alea_rng_below(rng, 2);
  return ground_maker_end(&maker);
}

/* ---- comparing ---- */

typedef struct counts {
  uint64_t states, clocks, phases, cycles, scatters, kept, passed_over;
} counts;

/* Frees 'ground'. */
static void compare(alea_ground *ground, uint32_t steps, uint32_t stride, uint64_t seed,
                    alea_mem *mem, counts *total) {
  alea_net *net;
  alea_game *game;
  alea_lanes *lanes;
  alea_status status = alea_net_new(&net, ground, NULL, mem, NULL);
  alea_ground_free(ground);
  if (status != ALEA_OK) return; /* not stratified */
  /* Every other program as if few moves were made, so that ORs are collected. */
  alea_lanes_tuning tuning = {.lanes = ALEA_LANES, .chosen = seed % 2 == 0 ? 1 : 0};
  assert_int_equal(alea_lanes_new_tuned(&lanes, net, &tuning, mem), ALEA_OK);
  for (uint32_t t = 0; t < lanes->clock.ticks; t++)
    total->scatters += lanes->ticks[t].scatter_first != NULL;
  total->scatters += lanes->general.scatter_first != NULL;
  assert_int_equal(alea_net_game_new(&game, net, mem), ALEA_OK);
  for (int general = 0; general < 2; general++) {
    lane_check check = {.lanes = lanes,
                        .game = game,
                        .general = general != 0,
                        .steps = steps,
                        .stride = stride,
                        .seed = seed};
    const char *wrong = lane_check_run(&check, mem);
    if (wrong != NULL) fail_msg("seed %llu: %s", (unsigned long long)seed, wrong);
    total->states += check.states;
  }
  alea_lanes_info info;
  alea_lanes_describe(lanes, &info);
  total->clocks += info.ticks > 0;
  total->phases += lanes->clock.gates.count > 0;
  total->cycles += net->cycles.count > 0;
  total->kept += info.kept > 0;
  for (uint32_t t = 0; t < lanes->clock.ticks; t++)
    for (size_t i = 0; i < lanes->ticks[t].kept_loops.count; i++)
      total->passed_over += lanes->ticks[t].code.data[lanes->ticks[t].kept_loops.data[i].at] != 0;
  alea_lanes_free(lanes);
  alea_game_free(game);
}

static void random_programs_agree(void **state) {
  (void)state;
  counts total = {0};
  for (uint64_t seed = 1; seed <= PROGRAMS + 1; seed++) {
    /* The last: ORs of moves took the slot of a value still to be read. */
    if (seed > PROGRAMS) seed = 16156;
    alea_mem mem;
    alea_mem_init(&mem, 0);
    alea_rng rng;
    alea_rng_seed(&rng, seed);
    compare(random_ground(&rng, &mem), 14, 37, seed, &mem, &total);
    assert_int_equal(mem.used, 0);
  }
  /* The test must not become empty by accident. */
  assert_true(total.states > 20000);
  assert_true(total.clocks > PROGRAMS / 10);
  assert_true(total.cycles > PROGRAMS / 20);
  assert_true(total.scatters > PROGRAMS / 50);
}

typedef alea_ground *random_maker(alea_rng *rng, alea_mem *mem);

static counts compare_random(random_maker *make, uint32_t programs, uint32_t steps) {
  counts total = {0};
  for (uint64_t seed = 1; seed <= programs; seed++) {
    alea_mem mem;
    alea_mem_init(&mem, 0);
    alea_rng rng;
    alea_rng_seed(&rng, seed);
    compare(make(&rng, &mem), steps, 37, seed, &mem, &total);
    assert_int_equal(mem.used, 0);
  }
  return total;
}

static void connections_agree(void **state) {
  (void)state;
  counts total = compare_random(random_connection, CONNECTIONS, 20);
  assert_true(total.clocks > CONNECTIONS / 2);
  assert_true(total.kept > CONNECTIONS / 3);
  assert_true(total.cycles > total.kept); /* some parts do not grow only */
  assert_true(total.passed_over > CONNECTIONS / 4);
}

static void phases_agree(void **state) {
  (void)state;
  counts total = compare_random(random_phases, PHASES, 15);
  assert_true(total.phases > PHASES / 4);
  assert_true(total.phases < PHASES); /* those with a flaw have no clock */
}

static void yardsticks_agree(void **state) {
  (void)state;
  static const char *const names[] = {"ticTacToe", "connectFour", "breakthrough", "reversi",
                                      "checkers"};
  counts total = {0};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char path[512];
    snprintf(path, sizeof path, "%s/yardsticks/%s.net", ALEA_SHARED_DIR, names[i]);
    alea_mem mem;
    alea_mem_init(&mem, 0);
    alea_ground *ground = ground_from_net_file(path, &mem);
    if (ground == NULL) {
      print_message("skipped: no networks at %s/yardsticks\n", ALEA_SHARED_DIR);
      skip();
    }
    compare(ground, 70, 101, i, &mem, &total);
    assert_int_equal(mem.used, 0);
  }
  assert_int_equal(total.clocks, 5);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_programs_agree),
      cmocka_unit_test(connections_agree),
      cmocka_unit_test(phases_agree),
      cmocka_unit_test(yardsticks_agree),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
