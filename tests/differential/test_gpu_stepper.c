/* States on a device that is none (tests/fake_cuda) against those of lanes: every array after
 * every step with given moves, in both forms of the code. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/rng.h"
#include "cmocka_all.h"
#include "gpu/source.h"
#include "gpu/stepper.h"
#include "propnet/lanes_stepper.h"
#include "support/load.h"
#include "support/make_engine.h"
#include "support/own_cache.h"

enum { COUNT = 1100 }; /* two blocks of words there, the second not full, as its last word */

typedef struct stand {
  alea_mem mem;
  alea_game *game;
  const alea_net *net;
  alea_lanes *wide, *narrow;
  alea_stepper *here;
  alea_gpu_stepper *there;
  alea_batch_arrays ours, theirs;
  int32_t *actions;
  alea_rng rng;
  char why[ALEA_GPU_WHY];
} stand;

static size_t words_of(size_t columns) { return (columns + 63) / 64; }

static void make_arrays(const alea_net *net, alea_batch_arrays *out) {
  out->size = sizeof *out;
  out->flags = calloc(COUNT, 1);
  out->rewards = calloc(COUNT, net->role_count * sizeof(float));
  out->legal = calloc(COUNT, net->move_count);
  out->legal_bits = calloc(COUNT, words_of(net->move_count) * 8);
  out->fluents = calloc(COUNT, net->fluent_count);
  out->fluent_floats = calloc(COUNT, net->fluent_count * sizeof(float));
  out->fluent_bits = calloc(COUNT, words_of(net->fluent_count) * 8);
}

static void free_arrays(alea_batch_arrays *out) {
  free(out->flags);
  free(out->rewards);
  free(out->legal);
  free(out->legal_bits);
  free(out->fluents);
  free(out->fluent_floats);
  free(out->fluent_bits);
}

static alea_status open_stand(stand *s, const char *name, const alea_batch_options *options,
                              alea_gpu_form form) {
  char path[512];
  memset(s, 0, sizeof *s);
  alea_mem_init(&s->mem, 0);
  snprintf(path, sizeof path, "%s/games/%s.kif", ALEA_SOURCE_DIR, name);
  assert_int_equal(load_game(path, make_net, &s->mem, &s->game), ALEA_OK);
  s->net = alea_net_of_game(s->game);
  assert_int_equal(alea_stepper_compile(&s->wide, s->net, &s->mem), ALEA_OK);
  assert_int_equal(alea_gpu_lanes_new(&s->narrow, s->net, &s->mem), ALEA_OK);
  assert_int_equal(alea_stepper_new(&s->here, s->wide, COUNT, options, &s->mem), ALEA_OK);
  make_arrays(s->net, &s->ours);
  make_arrays(s->net, &s->theirs);
  s->actions = calloc(COUNT * s->net->role_count, sizeof *s->actions);
  alea_rng_seed(&s->rng, 3);
  return alea_gpu_stepper_new(&s->there, s->narrow, COUNT, options, form, &s->mem, s->why);
}

static void close_stand(stand *s) {
  alea_gpu_stepper_free(s->there);
  alea_stepper_free(s->here);
  alea_lanes_free(s->wide);
  alea_lanes_free(s->narrow);
  alea_game_free(s->game);
  free_arrays(&s->ours);
  free_arrays(&s->theirs);
  free(s->actions);
  assert_int_equal(s->mem.used, 0);
}

static void same(const stand *s, const char *name, const char *array, const void *a, const void *b,
                 size_t width) {
  (void)s;
  for (size_t i = 0; i < COUNT; i++)
    if (memcmp((const char *)a + i * width, (const char *)b + i * width, width) != 0)
      fail_msg("%s: %s of state %zu", name, array, i);
}

static void compare(stand *s, const char *name) {
  const alea_net *net = s->net;
  const alea_batch_arrays *a = &s->ours, *b = &s->theirs;
  assert_int_equal(alea_gpu_stepper_fetch(s->there, b), ALEA_OK);
  same(s, name, "fluent_bits", a->fluent_bits, b->fluent_bits, 8 * words_of(net->fluent_count));
  same(s, name, "flags", a->flags, b->flags, 1);
  same(s, name, "rewards", a->rewards, b->rewards, net->role_count * sizeof(float));
  same(s, name, "legal_bits", a->legal_bits, b->legal_bits, 8 * words_of(net->move_count));
  same(s, name, "legal", a->legal, b->legal, net->move_count);
  same(s, name, "fluents", a->fluents, b->fluents, net->fluent_count);
  same(s, name, "fluent_floats", a->fluent_floats, b->fluent_floats,
       net->fluent_count * sizeof(float));
  const uint8_t *terminated, *refused;
  const void *at[2];
  assert_int_equal(alea_gpu_stepper_array(s->there, ALEA_BATCH_ARRAY_TERMINATED, &at[0]), ALEA_OK);
  assert_int_equal(alea_gpu_stepper_array(s->there, ALEA_BATCH_ARRAY_REFUSED, &at[1]), ALEA_OK);
  terminated = at[0];
  refused = at[1];
  for (size_t i = 0; i < COUNT; i++) assert_int_equal(terminated[i] + 2 * refused[i], a->flags[i]);
  assert_int_equal(alea_stepper_playing(s->here), alea_gpu_stepper_playing(s->there));
}

/* A legal move for every role and state; one in 'wrong' is any number. */
static void draw_actions(stand *s, uint32_t wrong) {
  const alea_net *net = s->net;
  for (size_t i = 0; i < COUNT; i++)
    for (uint32_t r = 0; r < net->role_count; r++) {
      const uint8_t *legal = s->ours.legal + i * net->move_count + net->move_first[r];
      uint32_t moves = net->move_first[r + 1] - net->move_first[r];
      uint32_t move = moves > 0 ? alea_rng_below(&s->rng, moves) : 0;
      for (uint32_t k = 0; k < moves && !legal[move]; k++) move = (move + 1) % moves;
      if (wrong > 0 && alea_rng_below(&s->rng, wrong) == 0)
        move = alea_rng_below(&s->rng, moves + 3) - 2; /* -2 is none, -1 drawn: not here */
      s->actions[i * net->role_count + r] = (int32_t)(move == UINT32_MAX ? moves : move);
    }
}

/* What both have told, if they were asked to. */
static void compare_percepts(const stand *s, const char *name) {
  const uint64_t *first[2];
  const uint32_t *list[2];
  alea_status status = alea_stepper_percepts(s->here, &first[0], &list[0]);
  assert_int_equal(alea_gpu_stepper_percepts(s->there, &first[1], &list[1]), status);
  if (status != ALEA_OK) return;
  size_t entries = COUNT * s->net->role_count;
  for (size_t k = 0; k <= entries; k++)
    if (first[0][k] != first[1][k]) fail_msg("%s: percepts of state %zu", name, k);
  for (uint64_t k = 0; k < first[0][entries]; k++) assert_int_equal(list[0][k], list[1][k]);
}

static void step_both(stand *s, const char *name, uint32_t wrong) {
  draw_actions(s, wrong);
  alea_status expected = alea_stepper_step(s->here, s->actions, &s->ours);
  assert_int_equal(alea_gpu_stepper_step_from(s->there, s->actions), expected);
  compare(s, name);
  compare_percepts(s, name);
}

/* Steps, a reset of some states, positions that are loaded, and steps again. */
static void follow(const char *name, alea_gpu_form form, bool auto_reset, int steps) {
  stand s;
  alea_batch_options options = {
      .size = sizeof options, .seed = 7, .auto_reset = auto_reset, .percepts = auto_reset};
  assert_int_equal(open_stand(&s, name, &options, form), ALEA_OK);
  alea_stepper_look(s.here, &s.ours);
  compare(&s, name);
  for (int k = 0; k < steps; k++) step_both(&s, name, k % 3 == 2 ? 20 : 0);
  uint8_t which[COUNT];
  for (size_t i = 0; i < COUNT; i++) which[i] = alea_rng_below(&s.rng, 3) == 0 ? 7 : 0;
  uint64_t *words = malloc(COUNT * 8 * words_of(s.net->fluent_count));
  memcpy(words, s.ours.fluent_bits, COUNT * 8 * words_of(s.net->fluent_count));
  alea_stepper_reset(s.here, which);
  assert_int_equal(alea_gpu_stepper_reset(s.there, which), ALEA_OK);
  alea_stepper_look(s.here, &s.ours);
  compare(&s, name);
  for (int k = 0; k < 2; k++) step_both(&s, name, 0);
  assert_int_equal(alea_stepper_load(s.here, 17, 900, words), ALEA_OK);
  assert_int_equal(alea_gpu_stepper_load(s.there, 17, 900, words), ALEA_OK);
  alea_stepper_look(s.here, &s.ours);
  compare(&s, name);
  for (int k = 0; k < 2; k++) step_both(&s, name, 30);
  assert_int_equal(alea_gpu_stepper_judge(s.there), ALEA_OK);
  alea_stepper_look(s.here, &s.ours);
  compare(&s, name);
  free(words);
  close_stand(&s);
}

static void follows_lanes(void **state) {
  (void)state;
  static const struct {
    const char *name;
    int steps;
  } games[] = {{"tictactoe", 10}, {"connect-four", 40},  {"pacman", 8},
               {"cant-stop", 9},  {"monty-hall", 5},     {"rock-paper-scissors", 4},
               {"hanoi", 8},      {"nim", 10},           {"breakthrough", 8},
               {"kuhn-poker", 5}, {"blind-tictactoe", 7}};
  for (size_t i = 0; i < sizeof games / sizeof *games; i++)
    for (int reset = 0; reset < 2; reset++) {
      follow(games[i].name, ALEA_GPU_FORM_OWN, reset != 0, games[i].steps);
      follow(games[i].name, ALEA_GPU_FORM_TABLES, reset != 0, games[i].steps);
    }
  follow("hex", ALEA_GPU_FORM_OWN, true, 9); /* loops whose values are kept */
}

/* Networks whose own code takes a compiler long. */
static void follows_large_networks(void **state) {
  (void)state;
  static const char *const names[] = {"chess", "amazons", "chinese-checkers", "hex", "reversi"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    follow(names[i], ALEA_GPU_FORM_TABLES, i % 2 == 0, 4);
}

/* Random moves are legal, all of them about equally likely, and do not depend on the form. */
static void draws_moves(void **state) {
  (void)state;
  static const char *const names[] = {"connect-four", "cant-stop", "rock-paper-scissors",
                                      "breakthrough"};
  for (size_t g = 0; g < sizeof names / sizeof *names; g++) {
    stand s[2];
    alea_batch_options options = {.size = sizeof options, .seed = 7};
    for (int k = 0; k < 2; k++)
      assert_int_equal(
          open_stand(&s[k], names[g], &options, k == 0 ? ALEA_GPU_FORM_OWN : ALEA_GPU_FORM_TABLES),
          ALEA_OK);
    for (int step = 0; step < 12; step++) {
      for (int k = 0; k < 2; k++) {
        assert_int_equal(alea_gpu_stepper_step(s[k].there, NULL), ALEA_OK);
        assert_int_equal(alea_gpu_stepper_fetch(s[k].there, &s[k].theirs), ALEA_OK);
      }
      same(&s[0], names[g], "fluent_bits", s[0].theirs.fluent_bits, s[1].theirs.fluent_bits,
           8 * words_of(s[0].net->fluent_count));
    }
    for (int k = 0; k < 2; k++) close_stand(&s[k]);
  }
}

/* The first move of connect four is one of seven columns. */
static void draws_evenly(void **state) {
  (void)state;
  stand s;
  alea_batch_options options = {.size = sizeof options, .seed = 11, .auto_reset = true};
  enum { ROUNDS = 60 };
  assert_int_equal(open_stand(&s, "connect-four", &options, ALEA_GPU_FORM_OWN), ALEA_OK);
  size_t width = words_of(s.net->fluent_count), kinds = 0;
  uint64_t found[16][8] = {{0}};
  uint32_t counts[16] = {0};
  assert_true(width <= 8);
  for (int round = 0; round < ROUNDS; round++) {
    assert_int_equal(alea_gpu_stepper_reset(s.there, NULL), ALEA_OK);
    assert_int_equal(alea_gpu_stepper_step(s.there, NULL), ALEA_OK);
    assert_int_equal(alea_gpu_stepper_fetch(s.there, &s.theirs), ALEA_OK);
    for (size_t i = 0; i < COUNT; i++) {
      size_t k = 0;
      while (k < kinds && memcmp(found[k], s.theirs.fluent_bits + i * width, 8 * width) != 0) k++;
      assert_true(k < 16);
      if (k == kinds) memcpy(found[kinds++], s.theirs.fluent_bits + i * width, 8 * width);
      counts[k]++;
    }
  }
  assert_int_equal(kinds, 7);
  double expected = ROUNDS * COUNT / 7.0, square = 0;
  for (size_t k = 0; k < kinds; k++)
    square += (counts[k] - expected) * (counts[k] - expected) / expected;
  assert_true(square < 22.5); /* chi squared, six degrees of freedom: one in a thousand */
  close_stand(&s);
}

/* Playouts leave the states alone and end as games end. */
static void plays_out(void **state) {
  (void)state;
  stand s;
  alea_batch_options options = {.size = sizeof options, .seed = 5, .auto_reset = true};
  float goals[2 * COUNT];
  uint64_t steps;
  assert_int_equal(open_stand(&s, "tictactoe", &options, ALEA_GPU_FORM_OWN), ALEA_OK);
  alea_stepper_look(s.here, &s.ours);
  for (int k = 0; k < 3; k++) step_both(&s, "tictactoe", 0);
  assert_int_equal(alea_gpu_stepper_playout(s.there, goals, &steps), ALEA_OK);
  assert_in_range(steps, 2 * COUNT, 6 * COUNT);
  double sum = 0;
  for (size_t i = 0; i < COUNT; i++) {
    assert_true(goals[2 * i] + goals[2 * i + 1] == 100);
    sum += goals[2 * i];
  }
  assert_true(sum > 55.0 * COUNT && sum < 75.0 * COUNT);
  compare(&s, "tictactoe");
  for (int k = 0; k < 8; k++) step_both(&s, "tictactoe", 0);
  close_stand(&s);
}

/* The game's own code is taken when it is ready, and nobody can tell. */
static void changes_code(void **state) {
  (void)state;
  stand s;
  alea_batch_options options = {.size = sizeof options, .seed = 5};
  assert_int_equal(open_stand(&s, "knight-through", &options, ALEA_GPU_FORM_AUTO), ALEA_OK);
  alea_stepper_look(s.here, &s.ours);
  for (int k = 0; k < 2; k++) step_both(&s, "knight-through", 0);
  alea_gpu_stepper_finish(s.there);
  for (int k = 0; k < 3; k++) step_both(&s, "knight-through", 0);
  close_stand(&s);
}

static void failures(void **state) {
  (void)state;
  static const struct {
    const char *what;
    alea_status status;
  } starts[] = {{"init", ALEA_UNSUPPORTED}, {"compile", ALEA_UNSUPPORTED},
                {"load", ALEA_UNSUPPORTED}, {"memory", ALEA_LIMIT},
                {"launch", ALEA_SYSTEM},    {"lost", ALEA_SYSTEM}};
  alea_batch_options options = {.size = sizeof options};
  stand s;
  char cache[600];
  snprintf(cache, sizeof cache, "%s", getenv("XDG_CACHE_HOME"));
  setenv("XDG_CACHE_HOME", "/dev/null", 1);
  for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
    setenv("FAKE_CUDA_FAILS", starts[i].what, 1);
    assert_int_equal(open_stand(&s, "nim", &options, ALEA_GPU_FORM_OWN), starts[i].status);
    assert_null(s.there);
    assert_true(s.why[0] != '\0');
    unsetenv("FAKE_CUDA_FAILS");
    close_stand(&s);
  }
  setenv("XDG_CACHE_HOME", cache, 1);
  options.device_number = 1;
  assert_int_equal(open_stand(&s, "nim", &options, ALEA_GPU_FORM_OWN), ALEA_UNSUPPORTED);
  close_stand(&s);
  /* A device that is lost stays lost; memory that does not suffice may do so later. */
  options.device_number = 0;
  assert_int_equal(open_stand(&s, "nim", &options, ALEA_GPU_FORM_OWN), ALEA_OK);
  const void *at;
  setenv("FAKE_CUDA_FAILS", "memory", 1);
  assert_int_equal(alea_gpu_stepper_array(s.there, ALEA_BATCH_ARRAY_LEGAL, &at), ALEA_LIMIT);
  assert_null(at);
  unsetenv("FAKE_CUDA_FAILS");
  assert_int_equal(alea_gpu_stepper_array(s.there, ALEA_BATCH_ARRAY_LEGAL, &at), ALEA_OK);
  assert_non_null(at);
  assert_int_equal(alea_gpu_stepper_step(s.there, NULL), ALEA_OK);
  setenv("FAKE_CUDA_FAILS", "launch", 1);
  assert_int_equal(alea_gpu_stepper_step(s.there, NULL), ALEA_SYSTEM);
  assert_true(alea_gpu_stepper_why(s.there)[0] != '\0');
  unsetenv("FAKE_CUDA_FAILS");
  assert_int_equal(alea_gpu_stepper_step(s.there, NULL), ALEA_SYSTEM);
  assert_int_equal(alea_gpu_stepper_array(s.there, ALEA_BATCH_ARRAY_FLAGS, &at), ALEA_SYSTEM);
  close_stand(&s);
}

/* Whatever allocation fails: a status, and nothing is left behind. */
static void lacks_memory(void **state) {
  (void)state;
  stand s;
  alea_batch_options options = {.size = sizeof options, .percepts = true};
  assert_int_equal(open_stand(&s, "monty-hall", &options, ALEA_GPU_FORM_TABLES), ALEA_OK);
  alea_status status = ALEA_LIMIT;
  for (size_t limit = 1; status != ALEA_OK; limit += 997) {
    alea_mem mem;
    alea_gpu_stepper *made;
    alea_mem_init(&mem, limit);
    status = alea_gpu_stepper_new(&made, s.narrow, 50, &options, ALEA_GPU_FORM_TABLES, &mem, s.why);
    assert_true(status == ALEA_OK || status == ALEA_LIMIT);
    alea_gpu_stepper_free(made);
    assert_int_equal(mem.used, 0);
  }
  close_stand(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(follows_lanes), cmocka_unit_test(follows_large_networks),
      cmocka_unit_test(draws_moves),   cmocka_unit_test(draws_evenly),
      cmocka_unit_test(plays_out),     cmocka_unit_test(changes_code),
      cmocka_unit_test(failures),      cmocka_unit_test(lacks_memory)};
  return cmocka_run_group_tests(tests, make_own_cache, remove_own_cache);
}
