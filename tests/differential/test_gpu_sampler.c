/* The sampler of the engine `gpu`, on a GPU that is none (tests/fake_cuda), against
 * lanes: means, several positions, and what happens when the device fails. */
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cmocka_all.h"
#include "gpu/sampler.h"
#include "propnet/lanes.h"
#include "support/load.h"
#include "support/make_engine.h"
#include "support/own_cache.h"

enum { MOST_ROLES = 8, POSITIONS = 3 };

typedef struct stand {
  alea_mem mem;
  alea_game *game;
  alea_sampler *gpu, *lanes;
  alea_gpu_code_info info;
  char why[ALEA_GPU_WHY];
} stand;

static alea_status open_stand(stand *s, const char *name) {
  char path[512];
  alea_mem_init(&s->mem, 0);
  snprintf(path, sizeof path, "%s/games/%s.kif", ALEA_SOURCE_DIR, name);
  assert_int_equal(load_game(path, make_net, &s->mem, &s->game), ALEA_OK);
  assert_int_equal(alea_lanes_sampler_new(&s->lanes, s->game, 5, &s->mem), ALEA_OK);
  return alea_gpu_sampler_new(&s->gpu, s->game, 7, &s->mem, &s->info, s->why);
}

static void close_stand(stand *s) {
  alea_sampler_free(s->gpu);
  alea_sampler_free(s->lanes);
  alea_game_free(s->game);
  assert_int_equal(s->mem.used, 0);
}

typedef struct outcome {
  alea_sample_result results[POSITIONS];
  double sums[POSITIONS][2][MOST_ROLES];
} outcome;

static void sample(alea_sampler *sampler, const alea_sample_request *requests, size_t count,
                   outcome *o) {
  for (size_t i = 0; i < count; i++)
    o->results[i] = (alea_sample_result){.sum = o->sums[i][0], .sum_squares = o->sums[i][1]};
  assert_int_equal(alea_sampler_run(sampler, requests, count, NULL, o->results), ALEA_OK);
}

/* Within five standard errors of the difference. */
static void same_means(const char *name, const alea_sample_result *a, const alea_sample_result *b,
                       uint32_t roles) {
  for (uint32_t r = 0; r < roles; r++) {
    double n = (double)a->playouts, m = (double)b->playouts;
    double x = a->sum[r] / n, y = b->sum[r] / m;
    double error = sqrt((a->sum_squares[r] / n - x * x) / n + (b->sum_squares[r] / m - y * y) / m);
    if (fabs(x - y) > 5 * error + 1e-9) fail_msg("%s: %g and %g, error %g", name, x, y, error);
  }
  double length_a = (double)a->states / (double)a->playouts;
  double length_b = (double)b->states / (double)b->playouts;
  if (fabs(length_a - length_b) > 0.03 * length_b)
    fail_msg("%s: lengths %g and %g", name, length_a, length_b);
}

static void means(void **state) {
  (void)state;
  static const char *const names[] = {"tictactoe", "connect-four", "monty-hall",
                                      "rock-paper-scissors"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    stand s;
    outcome there, here;
    assert_int_equal(open_stand(&s, names[i]), ALEA_OK);
    alea_sample_request request = {.playouts = 4 * ALEA_GPU_LEAST_FEW + 77};
    sample(s.gpu, &request, 1, &there);
    sample(s.lanes, &request, 1, &here);
    assert_string_equal(s.gpu->class->engine, "gpu");
    assert_int_equal(there.results[0].playouts + there.results[0].unfinished, request.playouts);
    same_means(names[i], &there.results[0], &here.results[0], s.game->role_count);
    close_stand(&s);
  }
}

/* Positions after no, one and two moves: both ticks of the clock. */
static void set_positions(stand *s, uint64_t words[][16], alea_sample_request *requests) {
  alea_cursor *cursor;
  assert_int_equal(alea_cursor_new(s->game, &s->mem, &cursor), ALEA_OK);
  for (uint32_t i = 0; i < POSITIONS; i++) {
    size_t count;
    const uint64_t *at = alea_cursor_state(cursor, &count);
    assert_true(count <= 16);
    for (size_t k = 0; k < count; k++) words[i][k] = at[k];
    requests[i] = (alea_sample_request){words[i], count, 12000 + 1000 * i};
    alea_move joint[2];
    for (uint32_t r = 0; r < 2; r++) {
      alea_list list;
      assert_int_equal(alea_cursor_legal(cursor, r, &list), ALEA_OK);
      joint[r] = list.ids[0];
    }
    assert_int_equal(alea_cursor_play(cursor, joint), ALEA_OK);
  }
  alea_cursor_free(cursor);
}

static void positions(void **state) {
  (void)state;
  stand s;
  outcome there, here;
  uint64_t words[POSITIONS][16];
  alea_sample_request requests[POSITIONS];
  assert_int_equal(open_stand(&s, "connect-four"), ALEA_OK);
  set_positions(&s, words, requests);
  sample(s.gpu, requests, POSITIONS, &there);
  sample(s.lanes, requests, POSITIONS, &here);
  for (uint32_t i = 0; i < POSITIONS; i++) {
    assert_int_equal(there.results[i].playouts, requests[i].playouts);
    same_means("connect-four", &there.results[i], &here.results[i], 2);
  }
  close_stand(&s);
}

/* Same seed, same numbers. */
static void repeats(void **state) {
  (void)state;
  outcome runs[2];
  for (int k = 0; k < 2; k++) {
    stand s;
    assert_int_equal(open_stand(&s, "tictactoe"), ALEA_OK);
    alea_sample_request request = {.playouts = 100000};
    sample(s.gpu, &request, 1, &runs[k]);
    close_stand(&s);
  }
  assert_int_equal(runs[0].results[0].states, runs[1].results[0].states);
  assert_true(runs[0].sums[0][0][0] == runs[1].sums[0][0][0]);
}

static int count_files(void) {
  char folder[600];
  int count = 0;
  snprintf(folder, sizeof folder, "%s/alea", getenv("XDG_CACHE_HOME"));
  DIR *files = opendir(folder);
  assert_non_null(files);
  for (struct dirent *e; (e = readdir(files)) != NULL;) {
    size_t length = strlen(e->d_name);
    count += length > 6 && strcmp(e->d_name + length - 6, ".cubin") == 0;
  }
  closedir(files);
  return count;
}

/* ---- in flight ---- */

enum { BATCHES = 3 };

static bool start(alea_sampler *sampler, uint32_t slot, const alea_sample_request *request,
                  outcome *o) {
  bool in_flight;
  o->results[0] = (alea_sample_result){.sum = o->sums[0][0], .sum_squares = o->sums[0][1]};
  assert_int_equal(alea_sampler_start(sampler, slot, request, 1, NULL, o->results, &in_flight),
                   ALEA_OK);
  return in_flight;
}

static void same_numbers(const outcome *a, const outcome *b) {
  assert_int_equal(a->results[0].playouts, b->results[0].playouts);
  assert_int_equal(a->results[0].states, b->results[0].states);
  assert_memory_equal(a->sums[0][0], b->sums[0][0], 2 * sizeof a->sums[0][0][0]);
  assert_memory_equal(a->sums[0][1], b->sums[0][1], 2 * sizeof a->sums[0][1][0]);
}

/* Two batches in flight are those of two runs, whichever is landed first and whatever is expanded
 * between, and what is not worth the trip is not in flight. */
static void flights(void **state) {
  (void)state;
  static const alea_sample_request requests[BATCHES] = {
      {.playouts = ALEA_GPU_LEAST_FEW + 5}, {.playouts = 3 * ALEA_GPU_LEAST_FEW}, {.playouts = 77}};
  for (uint32_t first = 0; first < 2; first++) {
    stand s, t;
    outcome flown[BATCHES], run[BATCHES];
    assert_int_equal(open_stand(&s, "tictactoe"), ALEA_OK);
    assert_int_equal(open_stand(&t, "tictactoe"), ALEA_OK);
    assert_true(alea_sampler_has_background(s.gpu));
    assert_false(alea_sampler_has_background(s.lanes));
    for (int round = 0; round < 2; round++) {
      assert_true(start(s.gpu, 0, &requests[0], &flown[0]));
      assert_true(start(s.gpu, 1, &requests[1], &flown[1]));
      assert_int_equal(alea_sampler_finish(s.gpu, first), ALEA_OK);
      assert_int_equal(flown[first].results[0].playouts, requests[first].playouts);
      assert_false(start(s.gpu, first, &requests[2], &flown[2]));
      assert_int_equal(alea_sampler_finish(s.gpu, 1 - first), ALEA_OK);
      for (uint32_t i = 0; i < BATCHES; i++) {
        sample(t.gpu, &requests[i], 1, &run[i]);
        same_numbers(&flown[i], &run[i]);
      }
    }
    close_stand(&s);
    close_stand(&t);
  }
}

/* Batches of several launches: the first is in flight, the others are made when it is landed. */
static void long_flights(void **state) {
  (void)state;
  stand s;
  outcome o[2], here;
  alea_sample_request request = {.playouts = 300000};
  assert_int_equal(open_stand(&s, "tictactoe"), ALEA_OK);
  sample(s.lanes, &request, 1, &here);
  for (uint32_t i = 0; i < 2; i++) assert_true(start(s.gpu, i, &request, &o[i]));
  for (uint32_t i = 0; i < 2; i++) {
    assert_int_equal(alea_sampler_finish(s.gpu, i), ALEA_OK);
    assert_int_equal(o[i].results[0].playouts, request.playouts);
    same_means("tictactoe", &o[i].results[0], &here.results[0], 2);
  }
  close_stand(&s);
}

/* A device that fails under two launches: lanes play both, and all that comes. */
static void lost_in_flight(void **state) {
  (void)state;
  stand s;
  outcome o[2], here;
  alea_sample_request request = {.playouts = 50000};
  assert_int_equal(open_stand(&s, "tictactoe"), ALEA_OK);
  sample(s.lanes, &request, 1, &here);
  for (uint32_t i = 0; i < 2; i++) assert_true(start(s.gpu, i, &request, &o[i]));
  setenv("FAKE_CUDA_FAILS", "wait", 1);
  for (uint32_t i = 0; i < 2; i++) {
    assert_int_equal(alea_sampler_finish(s.gpu, i), ALEA_OK);
    assert_int_equal(o[i].results[0].playouts, request.playouts);
    same_means("tictactoe", &o[i].results[0], &here.results[0], 2);
    assert_string_equal(s.gpu->class->engine, "lanes");
  }
  assert_false(start(s.gpu, 0, &request, &o[0]));
  assert_int_equal(o[0].results[0].playouts, request.playouts);
  unsetenv("FAKE_CUDA_FAILS");
  close_stand(&s);
}

/* Whoever frees a sampler need not have asked for all it plays. */
static void freed_in_flight(void **state) {
  (void)state;
  stand s;
  outcome o[2];
  alea_sample_request request = {.playouts = ALEA_GPU_LEAST_FEW};
  assert_int_equal(open_stand(&s, "tictactoe"), ALEA_OK);
  for (uint32_t i = 0; i < 2; i++) assert_true(start(s.gpu, i, &request, &o[i]));
  close_stand(&s);
}

/* The game's own code is not taken while the other is at work. */
static void code_in_flight(void **state) {
  (void)state;
  stand s;
  outcome o[2];
  alea_sample_request request = {.playouts = ALEA_GPU_LEAST_FEW};
  assert_int_equal(open_stand(&s, "sheep-and-wolf"), ALEA_OK);
  assert_true(s.info.interprets);
  assert_true(start(s.gpu, 0, &request, &o[0]));
  int files = count_files();
  while (count_files() == files) nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
  assert_true(start(s.gpu, 1, &request, &o[1]));
  for (uint32_t i = 0; i < 2; i++) {
    assert_int_equal(alea_sampler_finish(s.gpu, i), ALEA_OK);
    assert_int_equal(o[i].results[0].playouts + o[i].results[0].unfinished, request.playouts);
  }
  alea_gpu_sampler_finish(s.gpu);
  close_stand(&s);
}

static int shorten(const char *path) { return truncate(path, 5000); }
static int open_to_all(const char *path) { return chmod(path, 0666); }

/* Something happens to all that was compiled; then it is compiled again. */
static void spoil(int how(const char *path)) {
  stand s;
  char folder[600], path[1200];
  assert_int_equal(open_stand(&s, "tictactoe"), ALEA_OK);
  assert_true(s.info.cached);
  close_stand(&s);
  snprintf(folder, sizeof folder, "%s/alea", getenv("XDG_CACHE_HOME"));
  DIR *files = opendir(folder);
  assert_non_null(files);
  for (struct dirent *e; (e = readdir(files)) != NULL;) {
    if (e->d_name[0] == '.') continue;
    snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
    assert_int_equal(how(path), 0);
  }
  closedir(files);
  assert_int_equal(open_stand(&s, "tictactoe"), ALEA_OK);
  assert_false(s.info.cached);
  close_stand(&s);
}

/* What is compiled once is there the next time; damage is noticed, and what others could
 * have written is not run. */
static void cache(void **state) {
  (void)state;
  spoil(shorten);
  spoil(open_to_all);
}

/* Code that takes long to compile is made beside play, which goes on from the network and plays
 * the same games: the batches of one who waited are those of one who found the code. */
static void play_beside(const char *name) {
  stand s;
  outcome first[3], second[3];
  static const alea_sample_request requests[] = {{.playouts = ALEA_GPU_LEAST_MANY + 99},
                                                 {.playouts = 3 * ALEA_GPU_LEAST_MANY},
                                                 {.playouts = 5000}};
  int files = count_files();
  assert_int_equal(open_stand(&s, name), ALEA_OK);
  assert_true(s.info.interprets);
  sample(s.gpu, &requests[0], 1, &first[0]);
  sample(s.gpu, &requests[1], 1, &first[1]);
  alea_gpu_sampler_finish(s.gpu);
  assert_int_equal(count_files(), files + 2); /* what interprets, and the game's own */
  sample(s.gpu, &requests[2], 1, &first[2]);
  assert_string_equal(s.gpu->class->engine, "gpu");
  close_stand(&s);
  assert_int_equal(open_stand(&s, name), ALEA_OK);
  assert_true(s.info.cached && !s.info.interprets);
  for (int i = 0; i < 3; i++) {
    sample(s.gpu, &requests[i], 1, &second[i]);
    assert_int_equal(first[i].results[0].playouts, requests[i].playouts);
    assert_int_equal(first[i].results[0].states, second[i].results[0].states);
    assert_memory_equal(first[i].sums, second[i].sums, 2 * sizeof second[i].sums[0][0][0]);
  }
  close_stand(&s);
}

/* In quarto the interpreter stays, and has the smaller launches. */
static void beside(void **state) {
  (void)state;
  play_beside("knight-through");
  setenv("FAKE_CUDA_PROCESSORS", "64", 1);
  play_beside("quarto");
  unsetenv("FAKE_CUDA_PROCESSORS");
}

/* Hundreds of positions with few games each, three of them again and again: their jobs share
 * blocks. */
static void many_positions(void **state) {
  (void)state;
  enum { COUNT = 500, EACH = 40 };
  stand s;
  outcome here, sum = {0};
  static alea_sample_result results[COUNT];
  static double sums[COUNT][2][MOST_ROLES];
  static alea_sample_request requests[COUNT];
  uint64_t words[POSITIONS][16];
  alea_sample_request three[POSITIONS];
  assert_int_equal(open_stand(&s, "connect-four"), ALEA_OK);
  set_positions(&s, words, three);
  for (uint32_t i = 0; i < COUNT; i++) {
    requests[i] = three[i % POSITIONS];
    requests[i].playouts = EACH + i % 7;
    results[i] = (alea_sample_result){.sum = sums[i][0], .sum_squares = sums[i][1]};
  }
  assert_int_equal(alea_sampler_run(s.gpu, requests, COUNT, NULL, results), ALEA_OK);
  assert_string_equal(s.gpu->class->engine, "gpu");
  for (uint32_t i = 0; i < POSITIONS; i++)
    sum.results[i] = (alea_sample_result){.sum = sum.sums[i][0], .sum_squares = sum.sums[i][1]};
  for (uint32_t i = 0; i < COUNT; i++) {
    alea_sample_result *to = &sum.results[i % POSITIONS];
    assert_int_equal(results[i].playouts, requests[i].playouts);
    to->playouts += results[i].playouts;
    to->states += results[i].states;
    for (uint32_t r = 0; r < 2; r++) to->sum[r] += results[i].sum[r];
    for (uint32_t r = 0; r < 2; r++) to->sum_squares[r] += results[i].sum_squares[r];
  }
  for (uint32_t i = 0; i < POSITIONS; i++) three[i].playouts = 20000;
  sample(s.lanes, three, POSITIONS, &here);
  for (uint32_t i = 0; i < POSITIONS; i++)
    same_means("connect-four", &sum.results[i], &here.results[i], 2);
  close_stand(&s);
}

/* Lanes go on where the device does not. */
static void failures(void **state) {
  (void)state;
  static const char *const kinds[] = {"launch", "wait", "memory"};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    stand s;
    outcome there, here;
    assert_int_equal(open_stand(&s, "tictactoe"), ALEA_OK);
    setenv("FAKE_CUDA_FAILS", kinds[i], 1);
    alea_sample_request request = {.playouts = 50000};
    sample(s.gpu, &request, 1, &there);
    sample(s.lanes, &request, 1, &here);
    assert_int_equal(there.results[0].playouts, 50000);
    same_means("tictactoe", &there.results[0], &here.results[0], 2);
    assert_string_equal(s.gpu->class->engine, i < 2 ? "lanes" : "gpu");
    unsetenv("FAKE_CUDA_FAILS");
    close_stand(&s);
  }
  static const char *const starts[] = {"init", "compile", "load"};
  for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
    stand s;
    setenv("FAKE_CUDA_FAILS", starts[i], 1);
    setenv("XDG_CACHE_HOME", "/dev/null", 1);
    assert_int_equal(open_stand(&s, "nim"), ALEA_UNSUPPORTED);
    assert_true(s.why[0] != '\0');
    unsetenv("FAKE_CUDA_FAILS");
    close_stand(&s);
  }
}

/* A network that is too large for its own code is interpreted; games are cut, since this
 * processor is a slow one.  Moves and ends are looked at in test_gpu_source.c. */
static void large(void **state) {
  (void)state;
  stand s;
  outcome o;
  enum { GAMES = ALEA_GPU_LEAST_LARGE, CAP = 1 };
  assert_int_equal(open_stand(&s, "chess"), ALEA_OK);
  assert_true(s.info.interprets);
  alea_sample_request request = {.playouts = GAMES};
  alea_sample_options options = {.step_cap = CAP};
  o.results[0] = (alea_sample_result){.sum = o.sums[0][0], .sum_squares = o.sums[0][1]};
  assert_int_equal(alea_sampler_run(s.gpu, &request, 1, &options, o.results), ALEA_OK);
  assert_string_equal(s.gpu->class->engine, "gpu");
  assert_int_equal(o.results[0].playouts + o.results[0].unfinished, GAMES);
  /* Ages are looked at after both ticks of the clock, and five times. */
  assert_in_range(o.results[0].states, CAP * (uint64_t)GAMES, 5 * 2 * (uint64_t)GAMES);
  /* What is not worth the trip stays here, where games end after one step. */
  request.playouts = ALEA_GPU_LEAST_LARGE - 1;
  assert_int_equal(alea_sampler_run(s.gpu, &request, 1, &options, o.results), ALEA_OK);
  assert_int_equal(o.results[0].states, request.playouts);
  close_stand(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(means),           cmocka_unit_test(positions),
      cmocka_unit_test(repeats),         cmocka_unit_test(cache),
      cmocka_unit_test(beside),          cmocka_unit_test(flights),
      cmocka_unit_test(long_flights),    cmocka_unit_test(lost_in_flight),
      cmocka_unit_test(freed_in_flight), cmocka_unit_test(code_in_flight),
      cmocka_unit_test(failures),        cmocka_unit_test(large),
      cmocka_unit_test(many_positions)};
  return cmocka_run_group_tests(tests, make_own_cache, remove_own_cache);
}
