/* Batches against states, one by one: every array after every step. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "alea/alea.h"
#include "base/rng.h"
#include "cmocka_all.h"

enum { COUNT = 700 }; /* two blocks, the second not full */

/* Moves that matter for percepts alone, and one that is the only one in some turns. */
static const char whispers[] =
    "(role left) (role right) (init (turn left)) (init (left 6))"
    "(word 1) (word 2) (word 3) (other left right) (other right left)"
    "(after left right) (after right both) (after both left)"
    "(succ 6 5) (succ 5 4) (succ 4 3) (succ 3 2) (succ 2 1)"
    "(<= (legal ?r (say ?w)) (true (turn ?r)) (word ?w))"
    "(<= (legal ?r (say ?w)) (true (turn both)) (role ?r) (word ?w))"
    "(<= (legal ?r wait) (other ?r ?s) (true (turn ?s)))"
    "(<= (legal ?r wait) (true (turn both)) (role ?r))"
    "(<= (sees ?s (heard ?w)) (does ?r (say ?w)) (other ?r ?s))"
    "(<= (sees ?r waited) (does ?r wait))"
    "(<= (sees left ?n) (true (left ?n)))"
    "(<= (next (turn ?s)) (true (turn ?r)) (after ?r ?s))"
    "(<= (next (left ?m)) (true (left ?n)) (succ ?n ?m))"
    "(<= terminal (true (left 1))) (goal left 50) (goal right 50)";

/* A batch, the states it should agree with, and all its arrays. */
typedef struct pair {
  alea_ruleset *rules;
  alea_batch *batch;
  alea_state *states[COUNT];
  alea_rng rng;
  uint32_t roles, moves, fluents, move_words, fluent_words;
  int32_t *actions;
  alea_batch_arrays out;
  bool auto_reset;
} pair;

static void *rows(size_t width, size_t element) {
  void *made = malloc(COUNT * width * element + 1);
  assert_non_null(made);
  memset(made, 0x55, COUNT * width * element + 1);
  return made;
}

static void pair_init(pair *p, const char *game, bool auto_reset) {
  alea_batch_options options = {
      .size = sizeof options, .seed = 7, .auto_reset = auto_reset, .percepts = true};
  *p = (pair){.auto_reset = auto_reset, .out.size = sizeof p->out};
  assert_int_equal(*game == '('
                       ? alea_ruleset_read(&p->rules, "own", game, strlen(game), NULL, NULL)
                       : alea_ruleset_open(&p->rules, game, NULL, NULL),
                   ALEA_OK);
  assert_int_equal(alea_batch_new(&p->batch, p->rules, COUNT, &options), ALEA_OK);
  for (size_t i = 0; i < COUNT; i++)
    assert_int_equal(alea_state_new(&p->states[i], p->rules, i), ALEA_OK);
  alea_rng_seed(&p->rng, 11);
  p->roles = alea_ruleset_role_count(p->rules);
  p->moves = alea_batch_move_width(p->batch);
  p->fluents = alea_batch_fluent_width(p->batch);
  p->move_words = alea_batch_move_words(p->batch);
  p->fluent_words = alea_batch_fluent_words(p->batch);
  p->actions = rows(p->roles, sizeof *p->actions);
  p->out.flags = rows(1, 1);
  p->out.rewards = rows(p->roles, sizeof(float));
  p->out.legal = rows(p->moves, 1);
  p->out.legal_bits = rows(p->move_words, 8);
  p->out.fluents = rows(p->fluents, 1);
  p->out.fluent_floats = rows(p->fluents, sizeof(float));
  p->out.fluent_bits = rows(p->fluent_words, 8);
}

static void pair_clear(pair *p) {
  for (size_t i = 0; i < COUNT; i++) alea_state_free(p->states[i]);
  alea_batch_free(p->batch);
  alea_ruleset_free(p->rules);
  free(p->actions);
  free(p->out.flags);
  free(p->out.rewards);
  free(p->out.legal);
  free(p->out.legal_bits);
  free(p->out.fluents);
  free(p->out.fluent_floats);
  free(p->out.fluent_bits);
}

/* The legal moves and fluents of one state. */
static void check_position(pair *p, size_t i) {
  size_t count, words, plane = i / 512 * p->fluents * 8 + i % 512 / 64;
  for (uint32_t r = 0; r < p->roles; r++) {
    uint32_t first = alea_batch_first_move(p->batch, r), found = 0;
    const alea_move *legal = alea_state_legal(p->states[i], r, &count);
    for (size_t k = 0; k < count; k++) {
      size_t m = first + legal[k];
      assert_int_equal(p->out.legal[i * p->moves + m], 1);
      assert_true(p->out.legal_bits[i * p->move_words + m / 64] >> (m % 64) & 1);
    }
    for (uint32_t m = first; m < alea_batch_first_move(p->batch, r + 1); m++)
      found += p->out.legal[i * p->moves + m];
    assert_int_equal(found, count);
  }
  uint32_t bits = 0, bytes = 0;
  for (size_t w = 0; w < p->move_words; w++)
    bits += (uint32_t)__builtin_popcountll(p->out.legal_bits[i * p->move_words + w]);
  for (size_t m = 0; m < p->moves; m++) bytes += p->out.legal[i * p->moves + m];
  assert_int_equal(bits, bytes);
  const uint64_t *expected = alea_state_bits(p->states[i], &words);
  assert_memory_equal(p->out.fluent_bits + i * p->fluent_words, expected, 8 * words);
  const uint64_t *planes = alea_batch_planes(p->batch);
  for (size_t f = 0; f < p->fluents; f++) {
    uint8_t holds = expected[f / 64] >> (f % 64) & 1;
    assert_int_equal(p->out.fluents[i * p->fluents + f], holds);
    assert_true(p->out.fluent_floats[i * p->fluents + f] == (float)holds);
    assert_int_equal(planes[plane + 8 * f] >> (i % 64) & 1, holds);
  }
}

static int compare_texts(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Whether the batch says that role r of state i was told these texts. */
static bool was_told(pair *p, size_t i, uint32_t role, const char *const *texts, size_t count) {
  const uint64_t *first;
  const uint32_t *percepts;
  assert_int_equal(alea_batch_percepts(p->batch, &first, &percepts), ALEA_OK);
  size_t k = i * p->roles + role;
  if (first[k + 1] - first[k] != count) return false;
  const char *told[64];
  char buffers[64][100];
  assert_in_range(count, 0, 64);
  for (size_t n = 0; n < count; n++) {
    uint32_t percept = percepts[first[k] + n];
    assert_true(n == 0 || percept > percepts[first[k] + n - 1]);
    assert_in_range(alea_ruleset_percept_text(p->rules, percept, buffers[n], 100), 1, 99);
    told[n] = buffers[n];
  }
  qsort(told, count, sizeof *told, compare_texts);
  for (size_t n = 0; n < count; n++)
    if (strcmp(told[n], texts[n]) != 0) return false;
  return true;
}

/* The percepts of state i, which has moved unless 'stayed'. */
static bool percepts_agree(pair *p, size_t i, bool stayed) {
  bool agree = true;
  for (uint32_t r = 0; r < p->roles; r++) {
    size_t count = 0;
    const char *const *texts = stayed ? NULL : alea_state_percepts(p->states[i], r, &count);
    agree = was_told(p, i, r, texts, count) && agree;
  }
  return agree;
}

/* Draws legal actions for every state that plays, wrong ones now and then. */
static void draw_actions(pair *p, bool *wrong) {
  for (size_t i = 0; i < COUNT; i++) {
    wrong[i] = alea_rng_below(&p->rng, 50) == 0;
    for (uint32_t r = 0; r < p->roles; r++) {
      size_t count;
      const alea_move *legal = alea_state_legal(p->states[i], r, &count);
      int32_t action = count > 0 ? (int32_t)legal[alea_rng_below(&p->rng, (uint32_t)count)] : 99;
      if (wrong[i] && r == 0) {
        action = (int32_t)alea_rng_below(&p->rng, p->moves + 4) - 2;
        if (action == ALEA_BATCH_RANDOM) action = -3;
        wrong[i] = action < 0 || !alea_state_is_legal(p->states[i], r, (alea_move)action);
      }
      p->actions[i * p->roles + r] = action;
    }
  }
}

/* Moves one state as the batch did, and checks what the batch said of it. */
static void follow(pair *p, size_t i, bool wrong) {
  bool over = alea_state_terminal(p->states[i]);
  alea_move joint[8];
  for (uint32_t r = 0; r < p->roles; r++) joint[r] = (alea_move)p->actions[i * p->roles + r];
  if (!over && !wrong) assert_int_equal(alea_state_step(p->states[i], joint), ALEA_OK);
  bool ended = alea_state_terminal(p->states[i]);
  assert_true(percepts_agree(p, i, over || wrong));
  int flags = (ended ? ALEA_BATCH_TERMINAL : 0) | (!over && wrong ? ALEA_BATCH_REFUSED : 0);
  assert_int_equal(p->out.flags[i], flags);
  for (uint32_t r = 0; r < p->roles; r++) {
    int goal = ended && !over ? alea_state_goal(p->states[i], r) : 0;
    assert_true(p->out.rewards[i * p->roles + r] == (float)(goal > 0 ? goal : 0));
  }
  if (ended && p->auto_reset) assert_int_equal(alea_state_reset(p->states[i]), ALEA_OK);
}

static void step_both(pair *p) {
  bool wrong[COUNT], any = false;
  draw_actions(p, wrong);
  for (size_t i = 0; i < COUNT; i++) any |= wrong[i] && !alea_state_terminal(p->states[i]);
  assert_int_equal(alea_batch_step(p->batch, p->actions, &p->out), any ? ALEA_INPUT : ALEA_OK);
  size_t playing = 0;
  for (size_t i = 0; i < COUNT; i++) {
    follow(p, i, wrong[i]);
    check_position(p, i);
    playing += !alea_state_terminal(p->states[i]);
  }
  assert_int_equal(alea_batch_playing(p->batch), playing);
}

static void check_game(const char *game, bool auto_reset, int steps) {
  pair p;
  pair_init(&p, game, auto_reset);
  assert_int_equal(alea_batch_look(p.batch, &p.out), ALEA_OK);
  for (size_t i = 0; i < COUNT; i++) check_position(&p, i);
  for (int step = 0; step < steps; step++) step_both(&p);
  uint8_t which[COUNT];
  for (size_t i = 0; i < COUNT; i++) {
    which[i] = alea_rng_below(&p.rng, 3) == 0;
    if (which[i]) assert_int_equal(alea_state_reset(p.states[i]), ALEA_OK);
  }
  alea_batch_reset(p.batch, which);
  for (int step = 0; step < 3; step++) step_both(&p);
  pair_clear(&p);
}

static void batches_follow_states(void **unused) {
  (void)unused;
  static const struct {
    const char *game;
    int steps;
  } games[] = {
      {"tictactoe", 12},    {"connect-four", 45}, {"reversi", 20},      {"rock-paper-scissors", 5},
      {"eight-puzzle", 15}, {"kuhn-poker", 6},    {"breakthrough", 20}, {"toss-tictactoe", 8},
      {"pacman", 6},        {"amazons", 10},      {"hex", 12},          {"battleship", 10},
      {"monty-hall", 6},    {"mastermind", 7},    {"wumpus", 8},        {"blind-tictactoe", 10},
      {whispers, 7},        {"guess-dice", 4},    {"schnappt-hubi", 5}, {"pacman-shared", 5},
      {"liars-dice", 8}};
  for (size_t i = 0; i < sizeof games / sizeof *games; i++)
    for (int reset = 0; reset < 2; reset++) check_game(games[i].game, reset, games[i].steps);
}

/* Positions go from one batch to another, and random moves lead where a legal
 * joint move leads. */
static void random_moves_are_legal(void **unused) {
  (void)unused;
  static const char *const games[] = {"connect-four", "kuhn-poker",      "rock-paper-scissors",
                                      "monty-hall",   "blind-tictactoe", "guess-dice",
                                      whispers};
  for (size_t g = 0; g < sizeof games / sizeof *games; g++) {
    pair p;
    pair_init(&p, games[g], false);
    for (int step = 0; step < 10; step++) {
      /* Role 0 is told what to do where i is even. */
      for (size_t i = 0; i < COUNT; i++) {
        size_t count;
        const alea_move *legal = alea_state_legal(p.states[i], 0, &count);
        for (uint32_t r = 0; r < p.roles; r++)
          p.actions[i * p.roles + r] = r == 0 && i % 2 == 0 && count > 0
                                           ? (int32_t)legal[alea_rng_below(&p.rng, (uint32_t)count)]
                                           : ALEA_BATCH_RANDOM;
      }
      assert_int_equal(alea_batch_step(p.batch, p.actions, &p.out), ALEA_OK);
      for (size_t i = 0; i < COUNT; i++) {
        bool found = alea_state_terminal(p.states[i]);
        size_t words;
        for (int attempt = 0; attempt < 4000 && !found; attempt++) {
          alea_move joint[8];
          for (uint32_t r = 0; r < p.roles; r++) joint[r] = (alea_move)p.actions[i * p.roles + r];
          assert_int_equal(alea_state_step(p.states[i], joint), ALEA_OK);
          const uint64_t *bits = alea_state_bits(p.states[i], &words);
          found = memcmp(bits, p.out.fluent_bits + i * p.fluent_words, 8 * words) == 0 &&
                  percepts_agree(&p, i, false);
          if (!found) assert_int_equal(alea_state_undo(p.states[i]), ALEA_OK);
        }
        assert_true(found);
      }
    }
    pair_clear(&p);
  }
}

static void seeds_decide(void **unused) {
  (void)unused;
  alea_ruleset *rules;
  assert_int_equal(alea_ruleset_open(&rules, "connect-four", NULL, NULL), ALEA_OK);
  float goals[3][2 * COUNT];
  static uint64_t bits[3][COUNT * 4];
  for (int k = 0; k < 3; k++) {
    alea_batch_options options = {.size = sizeof options, .seed = k == 2 ? 2 : 1};
    alea_batch *batch;
    assert_int_equal(alea_batch_new(&batch, rules, COUNT, &options), ALEA_OK);
    assert_in_range(alea_batch_fluent_words(batch), 1, 4);
    alea_batch_arrays out = {.size = sizeof out, .fluent_bits = bits[k]};
    for (int step = 0; step < 9; step++)
      assert_int_equal(alea_batch_step(batch, NULL, &out), ALEA_OK);
    uint64_t steps;
    assert_int_equal(alea_batch_playout(batch, goals[k], &steps), ALEA_OK);
    assert_in_range(steps, COUNT, COUNT * 33);
    double sum = 0;
    for (size_t i = 0; i < 2 * COUNT; i++) sum += goals[k][i];
    assert_true(sum == 100.0 * (double)alea_batch_playing(batch) ||
                alea_batch_playing(batch) < COUNT);
    alea_batch_free(batch);
  }
  assert_memory_equal(bits[0], bits[1], sizeof bits[0]);
  assert_memory_equal(goals[0], goals[1], sizeof goals[0]);
  assert_true(memcmp(bits[0], bits[2], sizeof bits[0]) != 0);
  alea_ruleset_free(rules);
}

/* What random play makes of a position, by trying everything. */
typedef struct prospect {
  double mean[4];            /* per role */
  bool possible[4][101];     /* per role and goal */
  double chance_of_long;     /* that it takes more steps than allowed */
  uint32_t longest, allowed; /* steps */
} prospect;

static void look_ahead(alea_state *state, uint32_t roles, uint32_t depth, double chance,
                       prospect *p) {
  if (depth > p->longest) p->longest = depth;
  if (alea_state_terminal(state)) {
    for (uint32_t r = 0; r < roles; r++) {
      int goal = alea_state_goal(state, r) > 0 ? alea_state_goal(state, r) : 0;
      p->mean[r] += chance * goal;
      p->possible[r][goal] = true;
    }
    return;
  }
  if (depth == p->allowed) {
    p->chance_of_long += chance;
    return;
  }
  alea_move legal[4][32], joint[4];
  size_t counts[4], all = 1;
  for (uint32_t r = 0; r < roles; r++) {
    const alea_move *moves = alea_state_legal(state, r, &counts[r]);
    assert_in_range(counts[r], 1, 32);
    memcpy(legal[r], moves, counts[r] * sizeof *moves);
    all *= counts[r];
  }
  for (size_t k = 0; k < all; k++) {
    size_t rest = k;
    for (uint32_t r = 0; r < roles; rest /= counts[r++]) joint[r] = legal[r][rest % counts[r]];
    assert_int_equal(alea_state_step(state, joint), ALEA_OK);
    look_ahead(state, roles, depth + 1, chance / (double)all, p);
    assert_int_equal(alea_state_undo(state), ALEA_OK);
  }
}

/* Brings batch and states to the same positions, at different steps of the game. */
static void scatter_positions(pair *p, uint32_t least, uint32_t most) {
  for (size_t i = 0; i < COUNT; i++) {
    uint32_t steps = least + alea_rng_below(&p->rng, most - least + 1);
    for (uint32_t k = 0; k < steps && !alea_state_terminal(p->states[i]); k++)
      assert_int_equal(alea_state_step(p->states[i], NULL), ALEA_OK);
    size_t words;
    const uint64_t *bits = alea_state_bits(p->states[i], &words);
    assert_int_equal(alea_batch_load(p->batch, i, 1, bits), ALEA_OK);
  }
}

/* Each playout ends as its own position can end, and as often as it should. */
static void check_playouts(const char *game, uint32_t least, uint32_t most, uint32_t allowed) {
  enum { ROUNDS = 40 };
  pair p;
  pair_init(&p, game, false);
  alea_batch_free(p.batch);
  alea_batch_options options = {.size = sizeof options, .seed = 3, .steps = allowed};
  assert_int_equal(alea_batch_new(&p.batch, p.rules, COUNT, &options), ALEA_OK);
  scatter_positions(&p, least, most);
  static prospect ahead[COUNT];
  double expected = 0, found = 0;
  for (size_t i = 0; i < COUNT; i++) {
    ahead[i] = (prospect){.allowed = allowed};
    look_ahead(p.states[i], p.roles, 0, 1, &ahead[i]);
    if (!alea_state_terminal(p.states[i])) expected += ROUNDS * ahead[i].mean[0];
  }
  float goals[4 * COUNT];
  for (int round = 0; round < ROUNDS; round++) {
    uint64_t steps, most_steps = 0;
    assert_int_equal(alea_batch_playout(p.batch, goals, &steps), ALEA_OK);
    for (size_t i = 0; i < COUNT; i++) {
      const float *got = goals + i * p.roles;
      bool over = alea_state_terminal(p.states[i]);
      most_steps += over ? 0 : ahead[i].longest;
      if (got[0] < 0) {
        for (uint32_t r = 0; r < p.roles; r++) assert_true(got[r] == -1);
        assert_true(over || ahead[i].chance_of_long > 0);
        continue;
      }
      assert_false(over);
      for (uint32_t r = 0; r < p.roles; r++) assert_true(ahead[i].possible[r][(int)got[r]]);
      found += got[0];
    }
    assert_in_range(steps, alea_batch_playing(p.batch), most_steps);
  }
  /* Four and a half deviations, each goal at most 50 from its mean. */
  double deviation = 50 * sqrt(ROUNDS * (double)alea_batch_playing(p.batch));
  assert_true(fabs(found - expected) < 4.5 * deviation);
  pair_clear(&p);
}

static void playouts_are_of_their_positions(void **unused) {
  (void)unused;
  check_playouts("tictactoe", 5, 9, 10000);
  check_playouts("tictactoe", 5, 9, 2);
  check_playouts("rock-paper-scissors", 0, 1, 10000);
  check_playouts("kuhn-poker", 0, 3, 10000);
  check_playouts("token-game", 0, 2, 10000);
}

static void positions_can_be_loaded(void **unused) {
  (void)unused;
  pair p;
  pair_init(&p, "reversi", false);
  for (size_t i = 0; i < COUNT; i++)
    for (size_t k = 0; k < i % 70; k++)
      if (!alea_state_terminal(p.states[i]))
        assert_int_equal(alea_state_step(p.states[i], NULL), ALEA_OK);
  for (size_t i = 0; i < COUNT; i++) {
    size_t words;
    const uint64_t *bits = alea_state_bits(p.states[i], &words);
    memcpy(p.out.fluent_bits + i * p.fluent_words, bits, 8 * words);
  }
  uint64_t *copy = rows(p.fluent_words, 8);
  memcpy(copy, p.out.fluent_bits, COUNT * p.fluent_words * 8);
  assert_int_equal(alea_batch_load(p.batch, 0, COUNT, copy), ALEA_OK);
  assert_int_equal(alea_batch_look(p.batch, &p.out), ALEA_OK);
  for (size_t i = 0; i < COUNT; i++) {
    check_position(&p, i);
    assert_int_equal(p.out.flags[i], alea_state_terminal(p.states[i]));
  }
  for (int step = 0; step < 4; step++) step_both(&p);
  assert_int_equal(alea_batch_load(p.batch, 1, COUNT, copy), ALEA_USAGE);
  assert_int_equal(alea_batch_load(p.batch, COUNT + 1, 0, copy), ALEA_USAGE);
  assert_int_equal(alea_batch_load(p.batch, COUNT, 0, copy), ALEA_OK);
  if (p.fluents % 64 != 0) {
    copy[p.fluent_words - 1] |= UINT64_C(1) << 63;
    assert_int_equal(alea_batch_load(p.batch, 5, 1, copy), ALEA_INPUT);
  }
  free(copy);
  pair_clear(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(batches_follow_states),
      cmocka_unit_test(random_moves_are_legal),
      cmocka_unit_test(seeds_decide),
      cmocka_unit_test(playouts_are_of_their_positions),
      cmocka_unit_test(positions_can_be_loaded),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
