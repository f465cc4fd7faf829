/* Symmetries of a stage with nogoods, as nauty finds them in the graph, against
 * all permutations of fluents and moves, each tried in every state with every
 * joint move: those that keep legal, terminal and goals, permute the functions of
 * the next layer among themselves, and map nogoods to nogoods. */
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "propnet/propnet.h"
#include "support/load.h"
#include "symmetry/stage_symmetry.h"

enum { MOST_FLUENTS = 5, STATES = 1 << MOST_FLUENTS, MOST_MOVES = 8, MOST_JOINTS = 8, ROUNDS = 60 };

/* A game of a few fluents and moves, as tables. */
typedef struct tiny {
  alea_mem mem;
  alea_ground *ground;
  alea_game *game;
  alea_stage_symmetry *stage;
  uint32_t fluents, moves, roles, joints, first[3]; /* moves role by role */
  uint8_t terminal[STATES], goals[STATES][2];
  uint32_t legal[STATES];      /* a bit for each move */
  uint32_t joint[MOST_JOINTS]; /* the same: those that are made */
  uint32_t next[STATES][MOST_JOINTS];
  uint8_t (*group)[MOST_FLUENTS + MOST_MOVES]; /* all symmetries without nogoods */
  uint32_t group_count;
} tiny;

typedef uint8_t permutation[MOST_FLUENTS + MOST_MOVES];

static tiny *at_hand; /* make_game has no place for it */

static alea_status make_tiny(alea_game **game, alea_program *program, alea_mem *mem,
                             alea_diag *diag) {
  alea_ground_options as_written = {.plain = true};
  alea_net_options every_rule = {.plain = true, .any_move = true};
  alea_net *net;
  assert_int_equal(alea_ground_new(&at_hand->ground, program, &as_written, mem, diag), ALEA_OK);
  assert_int_equal(alea_net_new(&net, at_hand->ground, &every_rule, mem, diag), ALEA_OK);
  alea_program_free(program);
  return alea_net_game_new(game, net, mem);
}

/* ---- tables of a game ---- */

static void fill_joints(tiny *t) {
  uint32_t second = t->roles > 1 ? t->first[2] - t->first[1] : 1;
  for (uint32_t a = 0; a < t->first[1]; a++)
    for (uint32_t b = 0; b < second; b++) {
      assert_true(t->joints < MOST_JOINTS);
      t->joint[t->joints++] = 1u << a | (t->roles > 1 ? 1u << (t->first[1] + b) : 0);
    }
}

static void fill_state(tiny *t, alea_cursor *cursor, uint64_t state) {
  size_t words;
  bool end;
  assert_int_equal(alea_cursor_load(cursor, &state, 1), ALEA_OK);
  assert_int_equal(alea_cursor_terminal(cursor, &end), ALEA_OK);
  t->terminal[state] = end;
  for (uint32_t r = 0; r < t->roles; r++) {
    alea_list list;
    int goal;
    assert_int_equal(alea_cursor_goal(cursor, r, &goal), ALEA_OK);
    t->goals[state][r] = (uint8_t)goal;
    assert_int_equal(alea_cursor_legal(cursor, r, &list), ALEA_OK);
    for (uint32_t i = 0; i < list.count; i++) t->legal[state] |= 1u << (t->first[r] + list.ids[i]);
  }
  for (uint32_t j = 0; j < t->joints; j++) {
    alea_move joint[2] = {0, 0};
    for (uint32_t r = 0; r < t->roles; r++)
      for (uint32_t m = t->first[r]; m < t->first[r + 1]; m++)
        if (t->joint[j] >> m & 1) joint[r] = m - t->first[r];
    assert_int_equal(alea_cursor_load(cursor, &state, 1), ALEA_OK);
    assert_int_equal(alea_cursor_play(cursor, joint), ALEA_OK);
    t->next[state][j] = (uint32_t)alea_cursor_state(cursor, &words)[0];
    assert_int_equal(words, 1);
  }
}

/* ---- all permutations ---- */

static uint32_t map_bits(const uint8_t *p, uint32_t bits) {
  uint32_t image = 0;
  for (; bits != 0; bits &= bits - 1) image |= 1u << p[__builtin_ctz(bits)];
  return image;
}

/* Whether some order of the next layer agrees with the permutation everywhere. */
static bool permutes_next(const tiny *t, const uint8_t *fluents, const uint32_t *joints) {
  uint32_t taken = 0;
  for (uint32_t f = 0; f < t->fluents; f++) {
    uint32_t fits = ((1u << t->fluents) - 1) & ~taken;
    for (uint32_t s = 0; s < 1u << t->fluents; s++) {
      uint32_t image = map_bits(fluents, s);
      for (uint32_t j = 0; j < t->joints && fits != 0; j++) {
        uint32_t then = t->next[image][joints[j]];
        fits &= t->next[s][j] >> f & 1 ? then : ~then;
      }
    }
    if (fits == 0) return false;
    taken |= fits & -fits; /* functions that are the same are exchangeable */
  }
  return true;
}

static bool is_symmetry(const tiny *t, const uint8_t *p) {
  uint8_t moves[MOST_MOVES];
  uint32_t joints[MOST_JOINTS];
  for (uint32_t m = 0; m < t->moves; m++) moves[m] = (uint8_t)(p[t->fluents + m] - t->fluents);
  for (uint32_t s = 0; s < 1u << t->fluents; s++) {
    uint32_t image = map_bits(p, s);
    if (t->terminal[s] != t->terminal[image] || map_bits(moves, t->legal[s]) != t->legal[image] ||
        memcmp(t->goals[s], t->goals[image], sizeof t->goals[s]) != 0)
      return false;
  }
  for (uint32_t j = 0; j < t->joints; j++) {
    joints[j] = 0;
    while (t->joint[joints[j]] != map_bits(moves, t->joint[j])) joints[j]++;
  }
  return permutes_next(t, p, joints);
}

/* Tries every permutation that keeps fluents and the moves of each role apart. */
static void try_all(tiny *t, uint8_t *p, uint32_t at) {
  static const uint32_t most = 4096;
  if (at == t->fluents + t->moves) {
    if (!is_symmetry(t, p)) return;
    assert_true(t->group_count < most);
    t->group = realloc(t->group, most * sizeof *t->group);
    memcpy(t->group[t->group_count++], p, sizeof(permutation));
    return;
  }
  uint32_t first = 0, end = t->fluents;
  for (uint32_t r = 0; r < t->roles; r++)
    if (at >= t->fluents + t->first[r])
      first = t->fluents + t->first[r], end = t->fluents + t->first[r + 1];
  for (uint32_t to = first; to < end; to++) {
    bool used = false;
    for (uint32_t i = first; i < at; i++) used = used || p[i] == to;
    if (used) continue;
    p[at] = (uint8_t)to;
    try_all(t, p, at + 1);
  }
}

static void open_tiny(tiny *t, const char *text) {
  permutation p = {0};
  alea_cursor *cursor;
  *t = (tiny){0};
  alea_mem_init(&t->mem, 0);
  at_hand = t;
  assert_int_equal(load_text(text, strlen(text), "tiny", make_tiny, &t->mem, &t->game), ALEA_OK);
  const alea_net *net = alea_net_of_game(t->game);
  t->fluents = net->fluent_count;
  t->moves = net->move_count;
  t->roles = net->role_count;
  assert_in_range(t->fluents, 1, MOST_FLUENTS);
  assert_in_range(t->moves, 1, MOST_MOVES);
  assert_in_range(t->roles, 1, 2);
  memcpy(t->first, net->move_first, (t->roles + 1) * sizeof *t->first);
  fill_joints(t);
  assert_int_equal(alea_cursor_new(t->game, &t->mem, &cursor), ALEA_OK);
  for (uint64_t s = 0; s < 1u << t->fluents; s++) fill_state(t, cursor, s);
  alea_cursor_free(cursor);
  try_all(t, p, 0);
  assert_int_equal(alea_stage_symmetry_new(&t->stage, t->game, t->ground, NULL, &t->mem), ALEA_OK);
}

static void close_tiny(tiny *t) {
  free(t->group);
  alea_stage_symmetry_free(t->stage);
  alea_game_free(t->game);
  alea_ground_free(t->ground);
  assert_int_equal(t->mem.used, 0);
}

/* ---- nogoods ---- */

typedef struct nogood_set {
  uint64_t states[256];
  alea_stage_nogood list[256];
  uint32_t count;
} nogood_set;

static bool has(const nogood_set *n, uint64_t state, alea_stage_nogood nogood) {
  for (uint32_t i = 0; i < n->count; i++)
    if (n->states[i] == state && n->list[i].role == nogood.role && n->list[i].move == nogood.move)
      return true;
  return false;
}

static void add(nogood_set *n, uint64_t state, alea_stage_nogood nogood) {
  if (has(n, state, nogood) || n->count == 256) return;
  n->states[n->count] = state;
  n->list[n->count++] = nogood;
}

static alea_stage_nogood map_nogood(const tiny *t, const uint8_t *p, alea_stage_nogood nogood) {
  nogood.move =
      p[t->fluents + t->first[nogood.role] + nogood.move] - t->fluents - t->first[nogood.role];
  return nogood;
}

static bool keeps(const tiny *t, const uint8_t *p, const nogood_set *n) {
  for (uint32_t i = 0; i < n->count; i++)
    if (!has(n, map_bits(p, (uint32_t)n->states[i]), map_nogood(t, p, n->list[i]))) return false;
  return true;
}

/* A few at random, and the images of some of them, so that not all is lost. */
static void draw(const tiny *t, alea_rng *rng, nogood_set *n) {
  const uint8_t *p = t->group[alea_rng_below(rng, t->group_count)];
  uint32_t wanted = alea_rng_below(rng, 4);
  n->count = 0;
  for (uint32_t i = 0; i < wanted; i++) {
    uint32_t role = alea_rng_below(rng, t->roles);
    alea_stage_nogood nogood = {role, alea_rng_below(rng, t->first[role + 1] - t->first[role])};
    uint64_t state = alea_rng_below(rng, 1u << t->fluents);
    add(n, state, nogood);
    for (uint32_t k = 0; i > 0 && k < t->group_count; k++) {
      state = map_bits(p, (uint32_t)state);
      nogood = map_nogood(t, p, nogood);
      add(n, state, nogood);
    }
  }
}

static bool is_element(const alea_symmetry *group, const uint8_t *p) {
  uint32_t points = alea_symmetry_points(group);
  for (uint32_t e = 0; e < group->element_count; e++) {
    uint32_t i = 0;
    while (i < points && group->elements[(size_t)e * points + i] == p[i]) i++;
    if (i == points) return true;
  }
  return false;
}

/* The group that nauty finds, listed here even where it is large. */
static uint32_t compare(tiny *t, const nogood_set *n) {
  alea_game_symmetry *found;
  uint32_t expected = 0;
  assert_int_equal(
      alea_stage_symmetry_group(t->stage, n->states, n->list, n->count, NULL, &t->mem, &found),
      ALEA_OK);
  alea_symmetry all = found->group;
  all.elements = NULL;
  all.element_count = 0;
  assert_int_equal(alea_symmetry_list(&all, 4096), ALEA_OK);
  for (uint32_t e = 0; e < t->group_count; e++) {
    if (!keeps(t, t->group[e], n)) continue;
    expected++;
    assert_true(is_element(&all, t->group[e]));
  }
  assert_int_equal(all.element_count, expected);
  alea_mem_free(&t->mem, all.elements,
                (size_t)all.element_count * alea_symmetry_points(&all) * sizeof *all.elements);
  alea_game_symmetry_free(found);
  return expected;
}

static void check(const char *text, uint32_t order) {
  tiny t;
  alea_rng rng;
  nogood_set n = {.count = 0};
  uint32_t smaller = 0, nontrivial = 0;
  open_tiny(&t, text);
  alea_rng_seed(&rng, 1);
  assert_int_equal(t.group_count, order);
  assert_int_equal(compare(&t, &n), order);
  for (int i = 0; i < ROUNDS; i++) {
    draw(&t, &rng, &n);
    uint32_t left = compare(&t, &n);
    smaller += left < order;
    nontrivial += left > 1 && left < order;
  }
  print_message("order %u: smaller with nogoods %u times of %d, and not trivial %u times\n", order,
                smaller, ROUNDS, nontrivial);
  assert_true(smaller > 0 && nontrivial > 0);
  close_tiny(&t);
}

#define LAMPS                                                                 \
  "(role p) (init (on 1)) (lamp 1) (lamp 2) (lamp 3) (lamp 4)"                \
  "(<= terminal (true (on 1)) (true (on 2)) (true (on 3)) (true (on 4)))"     \
  "(<= (goal p 100) (true (on 1)) (true (on 2)) (true (on 3)) (true (on 4)))" \
  "(<= (goal p 0) terminal)"

/* Any lamp is like any other: their order is that of all permutations. */
static void lamps(void **state) {
  (void)state;
  check(LAMPS
        "(<= (legal p (light ?x)) (lamp ?x) (not (true (on ?x))))"
        "(<= (next (on ?x)) (true (on ?x)))"
        "(<= (next (on ?x)) (does p (light ?x)))",
        24);
}

/* A ring, where a switch turns over two lamps side by side. */
static void ring(void **state) {
  (void)state;
  check(LAMPS
        "(after 1 2) (after 2 3) (after 3 4) (after 4 1)"
        "(<= (legal p (turn ?x)) (lamp ?x))"
        "(<= (turned ?x) (does p (turn ?x)))"
        "(<= (turned ?y) (does p (turn ?x)) (after ?x ?y))"
        "(<= (next (on ?x)) (true (on ?x)) (not (turned ?x)))"
        "(<= (next (on ?x)) (lamp ?x) (turned ?x) (not (true (on ?x))))",
        8);
}

/* Lamps that pass their light on: a symmetry of the stage, whose layers are
 * permuted apart, that is none of the game.  The two moves are alike. */
static void shifting(void **state) {
  (void)state;
  check(LAMPS
        "(<= (legal p wait) (true (on ?x))) (<= (legal p stay) (true (on ?x)))"
        "(<= (next (on 2)) (true (on 1))) (<= (next (on 3)) (true (on 2)))"
        "(<= (next (on 4)) (true (on 3))) (<= (next (on 1)) (true (on 4)))",
        48);
}

/* Two roles that choose at once, each its own lamps; those of the first may change
 * places, and so may the numbers in the moves of both together. */
static void two_roles(void **state) {
  (void)state;
  check(
      "(role a) (role b) (init (on a 1)) (number 1) (number 2)"
      "(<= (legal ?r (light ?x)) (role ?r) (number ?x))"
      "(<= (next (on ?r ?x)) (does ?r (light ?x)))"
      "(<= (next same) (does a (light ?x)) (does b (light ?x)))"
      "(<= terminal (true same) (true (on a 1)) (true (on a 2)))"
      "(<= (goal a 100) (true same)) (<= (goal a 0) (not (true same)))"
      "(<= (goal b 100) (true (on b 1))) (<= (goal b 50) (true (on b 2)))",
      4);
}

/* More elements than are listed, so that generators have to be found anew. */
static void large_group(void **state) {
  (void)state;
  check(
      "(role p) (init (on 1)) (lamp 1) (lamp 2) (lamp 3) (lamp 4) (lamp 5)"
      "(<= dark (lamp ?x) (not (true (on ?x)))) (<= terminal (not dark))"
      "(<= (goal p 100) (not dark)) (<= (goal p 0) dark)"
      "(<= (legal p (light ?x)) (lamp ?x) (not (true (on ?x))))"
      "(<= (next (on ?x)) (true (on ?x)))"
      "(<= (next (on ?x)) (does p (light ?x)))",
      120);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(lamps), cmocka_unit_test(ring),
                                     cmocka_unit_test(shifting), cmocka_unit_test(two_roles),
                                     cmocka_unit_test(large_group)};
  return cmocka_run_group_tests_name("stage_nogoods", tests, NULL, NULL);
}
