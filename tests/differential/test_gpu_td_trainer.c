/* Temporal differences on a device that is none (tests/fake_cuda), against what the prover's kind
 * of play says of positions, against a network evaluated here, and against finite differences. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "cmocka_all.h"
#include "gpu/source.h"
#include "gpu/td_trainer.h"
#include "support/load.h"
#include "support/make_engine.h"
#include "support/own_cache.h"

enum { UNITS = 8, GAMES = 64, SOME = 32, ALL = 1 << 11, MOST_FLUENTS = 1024, ROLES = 2, FEW = 6 };

typedef struct stand {
  alea_mem mem;
  alea_game *game;
  const alea_net *net;
  alea_lanes *lanes;
  alea_cursor *cursor;
  uint32_t fluents;
  size_t words, parameter_count;
  int32_t scores[MOST_FLUENTS];
  uint32_t map[MOST_FLUENTS], exchange[MOST_FLUENTS];
  float *parameters;
  alea_gpu_td_task task;
  alea_gpu_td *trainer;
  uint64_t *positions;
  float *targets;
  char why[ALEA_GPU_WHY];
} stand;

static void fill_parameters(stand *s, alea_rng *rng) {
  size_t weights = (size_t)s->fluents * UNITS;
  for (size_t i = 0; i < s->parameter_count; i++) /* units are neither off nor fully on */
    s->parameters[i] = (float)(i < weights           ? 0.2 * alea_rng_unit(rng) - 0.1
                               : i < weights + UNITS ? 0.3 + 0.4 * alea_rng_unit(rng)
                                                     : 2 * alea_rng_unit(rng) - 1);
  s->parameters[s->parameter_count - 2] = 0.5f; /* the scale */
  if (s->task.exchange != NULL) s->parameters[s->parameter_count - 1] = 0;
}

static void permute(uint32_t *map, uint32_t count, alea_rng *rng) {
  for (uint32_t f = 0; f < count; f++) map[f] = f;
  for (uint32_t f = count; rng != NULL && f > 1; f--) {
    uint32_t other = alea_rng_below(rng, f), was = map[f - 1];
    map[f - 1] = map[other];
    map[other] = was;
  }
}

/* With 'strange' the maps are any permutations, the linear evaluation any numbers, and all examples
 * of a round are fitted at once. */
static alea_status open_stand(stand *s, const char *name, bool two_views, bool strange) {
  char path[512];
  alea_rng rng;
  alea_rng_seed(&rng, 17);
  memset(s, 0, sizeof *s);
  alea_mem_init(&s->mem, 0);
  snprintf(path, sizeof path, "%s/games/%s.kif", ALEA_SOURCE_DIR, name);
  assert_int_equal(load_game(path, make_net, &s->mem, &s->game), ALEA_OK);
  s->net = alea_net_of_game(s->game);
  s->fluents = s->net->fluent_count;
  s->words = (s->fluents + 63) / 64;
  assert_true(s->fluents <= MOST_FLUENTS);
  assert_int_equal(alea_gpu_lanes_new(&s->lanes, s->net, &s->mem), ALEA_OK);
  assert_int_equal(alea_cursor_new(s->game, &s->mem, &s->cursor), ALEA_OK);
  permute(s->map, s->fluents, strange ? &rng : NULL);
  permute(s->exchange, s->fluents, &rng);
  for (uint32_t f = 0; f < s->fluents && strange; f++)
    s->scores[f] = (int32_t)alea_rng_below(&rng, 600) - 300;
  s->parameter_count = alea_gpu_td_parameters(s->fluents, UNITS);
  s->parameters = calloc(s->parameter_count, sizeof(float));
  s->task = (alea_gpu_td_task){.lanes = s->lanes,
                               .role = 1,
                               .shares = true,
                               .units = UNITS,
                               .most_weight = 2,
                               .most_worth = 100,
                               .scores = s->scores,
                               .base = strange ? 70 : 0,
                               .maps = s->map,
                               .map_count = 1,
                               .exchange = two_views ? s->exchange : NULL,
                               .parameters = s->parameters,
                               .seed = 5,
                               .games = GAMES,
                               .batch = strange ? ALL : SOME};
  fill_parameters(s, &rng);
  return alea_gpu_td_new(&s->trainer, &s->task, &s->mem, s->why);
}

static void close_stand(stand *s) {
  alea_gpu_td_free(s->trainer);
  alea_lanes_free(s->lanes);
  alea_cursor_free(s->cursor);
  alea_game_free(s->game);
  free(s->parameters);
  free(s->positions);
  free(s->targets);
  assert_int_equal(s->mem.used, 0);
}

static size_t fetch_examples(stand *s) {
  size_t count = alea_gpu_td_example_count(s->trainer);
  if (s->positions == NULL) s->positions = calloc(count * s->words, sizeof *s->positions);
  if (s->targets == NULL) s->targets = calloc(count, sizeof *s->targets);
  assert_int_equal(alea_gpu_td_examples(s->trainer, s->positions, s->targets), ALEA_OK);
  return count;
}

/* ---- oracles ---- */

static bool holds(const uint64_t *words, uint32_t fluent) {
  return (words[fluent / 64] >> fluent % 64 & 1) != 0;
}

/* The logit of a position, by the definition of the network. */
static double logit_of(const stand *s, const float *parameters, const uint64_t *words) {
  double linear = s->task.base / 1000.0, logit = 0;
  for (uint32_t f = 0; f < s->fluents; f++)
    if (holds(words, f)) linear += s->scores[f] / 1000.0;
  for (int view = 0; view < (s->task.exchange != NULL ? 2 : 1); view++)
    for (size_t u = 0; u < UNITS; u++) {
      double sum = parameters[s->fluents * UNITS + u];
      for (uint32_t f = 0; f < s->fluents; f++) {
        uint32_t row = view == 0 ? s->map[f] : s->exchange[s->map[f]];
        if (holds(words, f)) sum += parameters[row * UNITS + u];
      }
      sum = fmin(1, fmax(0, sum)) * parameters[(s->fluents + 1) * UNITS + u];
      logit += view == 0 ? sum : -sum;
    }
  const float *last = parameters + (s->fluents + 2) * UNITS;
  return logit + last[0] * linear + last[1];
}

static double loss_of(const stand *s, const float *parameters, size_t count) {
  double sum = 0, told = 0;
  for (size_t i = 0; i < count; i++) {
    if (s->targets[i] < 0) continue;
    double p = 1 / (1 + exp(-logit_of(s, parameters, s->positions + i * s->words)));
    double target = s->targets[i];
    sum -= target * log(p) + (1 - target) * log(1 - p);
    told++;
  }
  return sum / told;
}

/* What is best for role 1 at the cursor's position, -1, 0 or 1, by trying everything. */
static int solve(const stand *s, uint32_t *chooser) {
  bool over;
  int goal, best = -2;
  size_t count;
  assert_int_equal(alea_cursor_terminal(s->cursor, &over), ALEA_OK);
  if (over) {
    assert_int_equal(alea_cursor_goal(s->cursor, 1, &goal), ALEA_OK);
    return goal > 50 ? 1 : goal == 50 ? 0 : -1;
  }
  alea_list legal[ROLES];
  uint64_t here[8];
  alea_move own[MOST_FLUENTS], joint[ROLES];
  memcpy(here, alea_cursor_state(s->cursor, &count), s->words * sizeof *here);
  for (uint32_t r = 0; r < ROLES; r++)
    assert_int_equal(alea_cursor_legal(s->cursor, r, &legal[r]), ALEA_OK);
  uint32_t who = legal[1].count > 1 ? 1 : legal[0].count > 1 ? 0 : 2, other;
  uint32_t moves = who < 2 ? (uint32_t)legal[who].count : 1;
  for (uint32_t r = 0; r < ROLES; r++) joint[r] = legal[r].ids[0];
  if (who < 2) memcpy(own, legal[who].ids, moves * sizeof *own);
  for (uint32_t m = 0; m < moves; m++) {
    if (who < 2) joint[who] = own[m];
    assert_int_equal(alea_cursor_play(s->cursor, joint), ALEA_OK);
    int value = solve(s, &other);
    assert_int_equal(alea_cursor_load(s->cursor, here, s->words), ALEA_OK);
    if (best == -2 || (who == 0 ? value < best : value > best)) best = value;
  }
  *chooser = who;
  return best;
}

/* ---- tests ---- */

/* A move that wins at once is seen by any network, and positions are of the game. */
static void sees_ends(void **state) {
  (void)state;
  stand s;
  assert_int_equal(open_stand(&s, "tictactoe", true, false), ALEA_OK);
  uint64_t positions;
  for (int k = 0; k < 3; k++)
    assert_int_equal(alea_gpu_td_round(s.trainer, 0, 1, &positions), ALEA_OK);
  size_t count = fetch_examples(&s), wins = 0;
  assert_int_equal(positions, count);
  for (size_t i = 0; i < count; i++) {
    bool over;
    uint32_t chooser = 2, other;
    const uint64_t *words = s.positions + i * s.words;
    assert_int_equal(alea_cursor_load(s.cursor, words, s.words), ALEA_OK);
    assert_int_equal(alea_cursor_terminal(s.cursor, &over), ALEA_OK);
    assert_false(over);
    assert_true(s.targets[i] <= 1);
    alea_list legal;
    alea_move joint[ROLES] = {0};
    for (uint32_t r = 0; r < ROLES; r++) {
      assert_int_equal(alea_cursor_legal(s.cursor, r, &legal), ALEA_OK);
      joint[r] = legal.ids[0];
      if (legal.count > 1) chooser = r;
    }
    if (chooser == 2) continue;
    assert_int_equal(alea_cursor_legal(s.cursor, chooser, &legal), ALEA_OK);
    alea_move own[MOST_FLUENTS];
    size_t moves = legal.count;
    memcpy(own, legal.ids, moves * sizeof *own);
    bool won = false;
    for (size_t m = 0; m < moves && !won; m++) {
      joint[chooser] = own[m];
      assert_int_equal(alea_cursor_play(s.cursor, joint), ALEA_OK);
      assert_int_equal(alea_cursor_terminal(s.cursor, &over), ALEA_OK);
      won = over && solve(&s, &other) == (chooser == 1 ? 1 : -1);
      assert_int_equal(alea_cursor_load(s.cursor, words, s.words), ALEA_OK);
    }
    if (!won) continue;
    wins++;
    if (chooser == 1)
      assert_true(s.targets[i] > 0.99f);
    else
      assert_true(s.targets[i] < 0.01f);
  }
  assert_true(wins > count / 20);
  close_stand(&s);
}

/* The legal moves of whoever has the most. */
static size_t count_choices(const stand *s) {
  alea_list legal[ROLES];
  for (uint32_t r = 0; r < ROLES; r++)
    assert_int_equal(alea_cursor_legal(s->cursor, r, &legal[r]), ALEA_OK);
  return legal[0].count > legal[1].count ? legal[0].count : legal[1].count;
}

/* The share of the decided positions of the last round of which the network says who wins. */
static double share_right(stand *s) {
  size_t count = fetch_examples(s), decided = 0, right = 0;
  assert_int_equal(alea_gpu_td_fetch(s->trainer, s->parameters), ALEA_OK);
  for (size_t i = 0; i < count; i += 3) {
    uint32_t chooser;
    const uint64_t *words = s->positions + i * s->words;
    assert_int_equal(alea_cursor_load(s->cursor, words, s->words), ALEA_OK);
    if (count_choices(s) > FEW) continue;
    int value = solve(s, &chooser);
    if (value == 0) continue;
    decided++;
    right += (logit_of(s, s->parameters, words) > 0) == (value > 0);
  }
  assert_true(decided > 50);
  return (double)right / (double)decided;
}

/* Games are learnt: the network finds out who wins with best play. */
static void learns(void **state) {
  (void)state;
  stand s;
  uint64_t positions;
  assert_int_equal(open_stand(&s, "tictactoe", false, false), ALEA_OK);
  assert_int_equal(alea_gpu_td_round(s.trainer, 0, 1, &positions), ALEA_OK);
  double before = share_right(&s);
  for (int k = 0; k < 60; k++)
    assert_int_equal(alea_gpu_td_round(s.trainer, k < 40 ? 0.02f : 0.004f, 2, &positions), ALEA_OK);
  double after = share_right(&s);
  assert_true(before < 0.5 && after > 0.7);
  close_stand(&s);
}

/* One step of Adam from nothing moves each parameter against the sign of its gradient. */
static void follows_gradients(bool two_views) {
  stand s;
  uint64_t positions;
  assert_int_equal(open_stand(&s, "connect-four", two_views, true), ALEA_OK);
  assert_int_equal(alea_gpu_td_round(s.trainer, 1e-3f, 1, &positions), ALEA_OK);
  size_t count = fetch_examples(&s), tried = 0, agreed = 0;
  float *moved = calloc(s.parameter_count, sizeof *moved);
  assert_int_equal(alea_gpu_td_fetch(s.trainer, moved), ALEA_OK);
  alea_rng rng;
  alea_rng_seed(&rng, 3);
  for (int k = 0; k < 120; k++) {
    size_t i = k < 4 + 2 * UNITS ? s.parameter_count - 1 - (size_t)k
                                 : alea_rng_below(&rng, (uint32_t)s.parameter_count);
    float was = s.parameters[i];
    s.parameters[i] = was + 2e-3f;
    double above = loss_of(&s, s.parameters, count);
    s.parameters[i] = was - 2e-3f;
    double slope = (above - loss_of(&s, s.parameters, count)) / 4e-3;
    s.parameters[i] = was;
    if (two_views && i == s.parameter_count - 1) {
      assert_true(moved[i] == was); /* of a difference nothing is left */
      continue;
    }
    slope += i < s.parameter_count - 2 ? 2e-5 * (double)was : 0;
    if (fabs(slope) < 4e-5) continue;
    tried++;
    agreed += fabs((double)moved[i] - (double)was + (slope > 0 ? 1e-3 : -1e-3)) < 1e-4;
  }
  assert_true(tried >= 20);
  assert_int_equal(agreed, tried);
  free(moved);
  close_stand(&s);
}

static void follows_gradients_of_one_view(void **state) {
  (void)state;
  follows_gradients(false);
}

static void follows_gradients_of_two_views(void **state) {
  (void)state;
  follows_gradients(true);
}

/* A position is worth what its best move is, by the network, where nothing came of it.  The most
 * moves are those of the positions that are compared, and of all. */
static void check_values(const char *name, bool two_views, size_t least, size_t least_of_all) {
  stand s;
  uint64_t positions;
  size_t most = 0, most_of_all = 0;
  assert_int_equal(open_stand(&s, name, two_views, true), ALEA_OK);
  assert_int_equal(alea_gpu_td_round(s.trainer, 0, 1, &positions), ALEA_OK);
  size_t count = fetch_examples(&s), tried = 0;
  for (size_t g = 0; g < GAMES; g++) { /* of the last step */
    const uint64_t *words = s.positions + (count - GAMES + g) * s.words;
    alea_list legal;
    alea_move joint[ROLES], own[MOST_FLUENTS];
    uint32_t chooser = 0;
    assert_int_equal(alea_cursor_load(s.cursor, words, s.words), ALEA_OK);
    for (uint32_t r = 0; r < ROLES; r++) {
      assert_int_equal(alea_cursor_legal(s.cursor, r, &legal), ALEA_OK);
      joint[r] = legal.ids[0];
      if (legal.count > 1) chooser = r;
    }
    assert_int_equal(alea_cursor_legal(s.cursor, chooser, &legal), ALEA_OK);
    size_t moves = legal.count, length;
    most = moves > most ? moves : most;
    memcpy(own, legal.ids, moves * sizeof *own);
    double best = -1e9;
    bool ended = false;
    for (size_t m = 0; m < moves; m++) {
      bool over;
      joint[chooser] = own[m];
      assert_int_equal(alea_cursor_play(s.cursor, joint), ALEA_OK);
      assert_int_equal(alea_cursor_terminal(s.cursor, &over), ALEA_OK);
      double logit = logit_of(&s, s.parameters, alea_cursor_state(s.cursor, &length));
      best = fmax(best, chooser == 1 ? logit : -logit);
      ended = ended || over;
      assert_int_equal(alea_cursor_load(s.cursor, words, s.words), ALEA_OK);
    }
    if (ended) continue;
    tried++;
    double value = 1 / (1 + exp(chooser == 1 ? -best : best));
    assert_true(fabs(value - (double)s.targets[count - GAMES + g]) < 1e-4);
  }
  assert_true(tried > GAMES / 2);
  for (size_t i = 0; i < count; i++) {
    assert_int_equal(alea_cursor_load(s.cursor, s.positions + i * s.words, s.words), ALEA_OK);
    size_t moves = count_choices(&s);
    most_of_all = moves > most_of_all ? moves : most_of_all;
  }
  assert_true(most > least && most_of_all > least_of_all);
  close_stand(&s);
}

static void values_by_the_network(void **state) {
  (void)state;
  check_values("breakthrough", true, 16, 16);
}

/* Many moves need several passes; nothing else changes. */
static void tries_all_moves(void **state) {
  (void)state;
  check_values("hex", false, 32, 64);
}

static void repeats(void **state) {
  (void)state;
  stand s[2];
  for (int k = 0; k < 2; k++) {
    uint64_t positions;
    assert_int_equal(open_stand(&s[k], "nim", false, false), ALEA_OK);
    for (int i = 0; i < 4; i++)
      assert_int_equal(alea_gpu_td_round(s[k].trainer, 0.003f, 2, &positions), ALEA_OK);
    assert_int_equal(alea_gpu_td_fetch(s[k].trainer, s[k].parameters), ALEA_OK);
  }
  assert_memory_equal(s[0].parameters, s[1].parameters, s[0].parameter_count * sizeof(float));
  for (int k = 0; k < 2; k++) close_stand(&s[k]);
}

static void failures(void **state) {
  (void)state;
  static const struct {
    const char *what;
    alea_status status;
  } starts[] = {{"init", ALEA_UNSUPPORTED}, {"compile", ALEA_UNSUPPORTED},
                {"load", ALEA_UNSUPPORTED}, {"memory", ALEA_LIMIT},
                {"launch", ALEA_SYSTEM},    {"lost", ALEA_SYSTEM}};
  stand s;
  uint64_t positions;
  char cache[600];
  snprintf(cache, sizeof cache, "%s", getenv("XDG_CACHE_HOME"));
  setenv("XDG_CACHE_HOME", "/dev/null", 1);
  for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
    setenv("FAKE_CUDA_FAILS", starts[i].what, 1);
    assert_int_equal(open_stand(&s, "nim", false, false), starts[i].status);
    assert_null(s.trainer);
    assert_true(s.why[0] != '\0');
    unsetenv("FAKE_CUDA_FAILS");
    close_stand(&s);
  }
  setenv("XDG_CACHE_HOME", cache, 1);
  assert_int_equal(open_stand(&s, "nim", false, false), ALEA_OK);
  setenv("FAKE_CUDA_FAILS", "launch", 1);
  assert_int_equal(alea_gpu_td_round(s.trainer, 0.001f, 1, &positions), ALEA_SYSTEM);
  assert_true(alea_gpu_td_why(s.trainer)[0] != '\0');
  unsetenv("FAKE_CUDA_FAILS");
  assert_int_equal(alea_gpu_td_round(s.trainer, 0.001f, 1, &positions), ALEA_SYSTEM);
  close_stand(&s);
  assert_int_equal(open_stand(&s, "chinese-checkers", false, false), ALEA_UNSUPPORTED);
  close_stand(&s);
}

/* Whatever allocation fails: a status, and nothing is left behind. */
static void lacks_memory(void **state) {
  (void)state;
  stand s;
  assert_int_equal(open_stand(&s, "tictactoe", true, false), ALEA_OK);
  alea_status status = ALEA_LIMIT;
  for (size_t limit = 1; status != ALEA_OK; limit += 4999) {
    alea_mem mem;
    alea_gpu_td *made;
    alea_mem_init(&mem, limit);
    status = alea_gpu_td_new(&made, &s.task, &mem, s.why);
    assert_true(status == ALEA_OK || status == ALEA_LIMIT);
    alea_gpu_td_free(made);
    assert_int_equal(mem.used, 0);
  }
  close_stand(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sees_ends),
                                     cmocka_unit_test(learns),
                                     cmocka_unit_test(follows_gradients_of_one_view),
                                     cmocka_unit_test(follows_gradients_of_two_views),
                                     cmocka_unit_test(values_by_the_network),
                                     cmocka_unit_test(tries_all_moves),
                                     cmocka_unit_test(repeats),
                                     cmocka_unit_test(failures),
                                     cmocka_unit_test(lacks_memory)};
  return cmocka_run_group_tests(tests, make_own_cache, remove_own_cache);
}
