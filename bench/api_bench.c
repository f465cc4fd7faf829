/* Batches of the public interface: states per CPU second, by what is asked for.
 *
 *   build/bench/api_bench GAME [STATES] [SECONDS] [FILE]
 *
 * Each line is one use of a batch that begins again where a game ends.  A few steps
 * in the middle of the games are made again and again, with actions that were chosen
 * before: only the steps are timed.  FILE gets where they begin (fluent_bits) and the
 * actions, so that bench/python_batch.py does the same work. */
#include <stdio.h>
#include <stdlib.h>

#include "alea/alea.h"
#include "base/clock.h"
#include "base/rng.h"

enum { WARM = 30, STEPS = 10 }; /* steps before those that are measured, and these */

typedef struct api_bench {
  alea_batch *batch;
  size_t count, roles;
  double seconds;
  uint64_t *legal_bits;
  uint64_t *start;  /* positions before the steps, as fluent_bits */
  int32_t *actions; /* of each step */
  alea_rng rng;
} api_bench;

static void *must(size_t count, size_t size) {
  void *made = calloc(count, size);
  if (made == NULL) exit(ALEA_SYSTEM);
  return made;
}

/* Word w of a row, with the bits outside first .. end-1 cleared. */
static uint64_t word_of(const uint64_t *row, uint32_t w, uint32_t first, uint32_t end) {
  uint64_t bits = row[w];
  if (w == first / 64) bits &= ~UINT64_C(0) << (first % 64);
  if (w == end / 64) bits &= ~(~UINT64_C(0) << (end % 64));
  return bits;
}

/* One of the set bits first .. end-1 of a row, uniformly; -1 if there is none. */
static int32_t pick_bit(const uint64_t *row, uint32_t first, uint32_t end, alea_rng *rng) {
  uint32_t count = 0;
  for (uint32_t w = first / 64; 64 * w < end; w++)
    count += (uint32_t)__builtin_popcountll(word_of(row, w, first, end));
  uint32_t left = count > 0 ? alea_rng_below(rng, count) : 0;
  for (uint32_t w = first / 64; 64 * w < end; w++)
    for (uint64_t bits = word_of(row, w, first, end); bits != 0; bits &= bits - 1)
      if (left-- == 0) return (int32_t)(64 * w + (uint32_t)__builtin_ctzll(bits) - first);
  return -1;
}

static void choose(api_bench *b, int32_t *actions) {
  size_t words = alea_batch_move_words(b->batch);
  alea_batch_arrays look = {.size = sizeof look, .legal_bits = b->legal_bits};
  alea_batch_look(b->batch, &look);
  for (size_t i = 0; i < b->count; i++)
    for (uint32_t r = 0; r < b->roles; r++)
      actions[i * b->roles + r] =
          pick_bit(b->legal_bits + i * words, alea_batch_first_move(b->batch, r),
                   alea_batch_first_move(b->batch, r + 1), &b->rng);
}

static int32_t *actions_of(const api_bench *b, int step) {
  return b->actions + (size_t)step * b->count * b->roles;
}

/* Chooses the steps that are measured. */
static void record(api_bench *b) {
  size_t words = alea_batch_fluent_words(b->batch);
  b->start = must(b->count * words, sizeof *b->start);
  b->actions = must(b->count * b->roles * STEPS, sizeof *b->actions);
  for (int warm = 0; warm < WARM; warm++) alea_batch_step(b->batch, NULL, NULL);
  alea_batch_arrays look = {.size = sizeof look, .fluent_bits = b->start};
  alea_batch_look(b->batch, &look);
  for (int step = 0; step < STEPS; step++) {
    choose(b, actions_of(b, step));
    if (alea_batch_step(b->batch, actions_of(b, step), NULL) != ALEA_OK) exit(ALEA_INPUT);
  }
}

static void write_record(const api_bench *b, const char *path) {
  FILE *file = fopen(path, "wb");
  size_t words = b->count * alea_batch_fluent_words(b->batch),
         numbers = b->count * b->roles * STEPS;
  bool good = file != NULL && fwrite(b->start, sizeof *b->start, words, file) == words &&
              fwrite(b->actions, sizeof *b->actions, numbers, file) == numbers;
  if (file == NULL || fclose(file) != 0 || !good) exit(ALEA_SYSTEM);
}

static void measure(api_bench *b, const char *what, bool chosen, const alea_batch_arrays *out) {
  double spent = 0;
  uint64_t states = 0;
  alea_batch_step(b->batch, NULL, out); /* touches the pages of the arrays */
  while (spent < b->seconds) {
    alea_batch_load(b->batch, 0, b->count, b->start);
    double start = alea_clock_thread();
    for (int step = 0; step < STEPS; step++)
      if (alea_batch_step(b->batch, chosen ? actions_of(b, step) : NULL, out) != ALEA_OK)
        exit(ALEA_INPUT);
    spent += alea_clock_thread() - start;
    states += STEPS * b->count;
  }
  printf("  %-44s %12.0f states/s\n", what, (double)states / spent);
}

static void measure_playouts(api_bench *b) {
  float *goals = must(b->count * b->roles, sizeof *goals);
  double spent = 0;
  uint64_t states = 0, playouts = 0;
  alea_batch_reset(b->batch, NULL);
  while (spent < b->seconds) {
    uint64_t steps;
    double start = alea_clock_thread();
    alea_batch_playout(b->batch, goals, &steps);
    spent += alea_clock_thread() - start;
    states += steps;
    playouts += b->count;
  }
  printf("  %-44s %12.0f states/s %10.0f playouts/s\n", "playouts to the end",
         (double)states / spent, (double)playouts / spent);
  free(goals);
}

/* One state, at random for every role, begun again at the end. */
static void measure_state(const api_bench *b, alea_ruleset *rules) {
  alea_state *state;
  uint64_t steps = 0;
  if (alea_state_new(&state, rules, 1) != ALEA_OK) exit(ALEA_SYSTEM);
  double start = alea_clock_thread();
  while (alea_clock_thread() - start < b->seconds)
    for (int i = 0; i < 1000; i++) {
      if (alea_state_terminal(state)) alea_state_reset(state);
      steps += alea_state_step(state, NULL) == ALEA_OK;
    }
  printf("  %-44s %12.0f states/s\n", "one state, random moves",
         (double)steps / (alea_clock_thread() - start));
  alea_state_free(state);
}

static void measure_all(api_bench *b) {
  alea_batch_arrays ends = {.size = sizeof ends};
  ends.flags = must(b->count, 1);
  ends.rewards = must(b->count * b->roles, sizeof(float));
  alea_batch_arrays bits = ends, bytes = ends;
  bits.legal_bits = must(b->count * alea_batch_move_words(b->batch), 8);
  bits.fluent_bits = must(b->count * alea_batch_fluent_words(b->batch), 8);
  bytes.legal = must(b->count * alea_batch_move_width(b->batch), 1);
  bytes.fluents = must(b->count * alea_batch_fluent_width(b->batch), 1);
  measure(b, "random moves, no arrays", false, NULL);
  measure(b, "random moves, flags and rewards", false, &ends);
  measure(b, "given actions, flags and rewards", true, &ends);
  measure(b, "given actions, legal and fluents as bits", true, &bits);
  measure(b, "given actions, legal and fluents as bytes", true, &bytes);
  measure_playouts(b);
  free(ends.flags);
  free(ends.rewards);
  free(bits.legal_bits);
  free(bits.fluent_bits);
  free(bytes.legal);
  free(bytes.fluents);
}

int main(int argc, char **argv) {
  alea_ruleset *rules;
  api_bench b = {.count = argc > 2 ? strtoul(argv[2], NULL, 10) : 100000,
                 .seconds = argc > 3 ? strtod(argv[3], NULL) : 1};
  const char *game = argc > 1 ? argv[1] : "connect-four";
  alea_batch_options options = {.size = sizeof options, .seed = 1, .auto_reset = true};
  if (alea_ruleset_open(&rules, game, NULL, NULL) != ALEA_OK ||
      alea_batch_new(&b.batch, rules, b.count, &options) != ALEA_OK) {
    fprintf(stderr, "api_bench: '%s' cannot be played in batches\n", game);
    return ALEA_USAGE;
  }
  b.roles = alea_ruleset_role_count(rules);
  b.legal_bits = must(b.count * alea_batch_move_words(b.batch), 8);
  alea_rng_seed(&b.rng, 1);
  record(&b);
  if (argc > 4) write_record(&b, argv[4]);
  printf("%s, %zu states, %u moves, %u fluents\n", game, b.count, alea_batch_move_width(b.batch),
         alea_batch_fluent_width(b.batch));
  measure_all(&b);
  measure_state(&b, rules);
  free(b.legal_bits);
  free(b.start);
  free(b.actions);
  alea_batch_free(b.batch);
  alea_ruleset_free(rules);
  return 0;
}
