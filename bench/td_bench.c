/* How fast a network is taught by games in which everybody looks one move ahead.
 *
 *   build/bench/td_bench [-p POSITIONS] [-n HERE] [-s SEED] GAME...
 *
 * A GPU plays and fits POSITIONS (learning/td_device.h), one core HERE (learning/td_games.h), both
 * from a network that says nothing, beside an evaluation that says nothing.  A line for each game:
 * positions and seconds of the clock there, after a first round that compiles what is needed, and
 * CPU seconds here; both with millions of positions a second.  Where there is no GPU, or none that
 * can learn this, the line says why. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "learning/td_device.h"
#include "learning/td_games.h"
#include "match/open.h"

enum { CHUNK = 1 << 14, FITS = 2 };
static const float RATE = 3e-3f;

typedef struct td_bench {
  uint64_t positions, here, seed;
  alea_opened opened;
  alea_mem mem;
  alea_rng rng;
  alea_cursor *cursor;
  alea_linear_eval eval;
  alea_fluent_symmetry symmetry;
  alea_network_fit fit;
  alea_network_examples examples;
} td_bench;

static void must(alea_status status) {
  if (status == ALEA_OK) return;
  fprintf(stderr, "td_bench: %s\n", alea_status_text(status));
  exit((int)status);
}

static void begin(td_bench *b, const char *game) {
  alea_open_options options = {.engine = ALEA_ENGINE_NET, .ground_seconds = 60};
  alea_mem_init(&b->mem, 0);
  alea_rng_seed(&b->rng, b->seed);
  must(alea_open(&b->opened, game, &options, NULL));
  must(alea_cursor_new(b->opened.game, &b->mem, &b->cursor));
  must(alea_linear_eval_init(&b->eval, b->opened.game, 0, &b->mem));
  b->eval.shares = true;
  must(alea_fluent_symmetry_find(&b->symmetry, b->opened.game, b->opened.services, true, NULL,
                                 &b->mem));
  must(alea_network_fit_init(&b->fit, &b->symmetry, &b->rng, &b->mem));
  must(alea_eval_network_init(&b->eval.network, b->symmetry.fluent_count,
                              alea_fluent_symmetry_exchange(&b->symmetry), &b->mem));
  b->examples.word_count = b->eval.word_count;
}

static void end(td_bench *b) {
  alea_vec_clear(&b->mem, &b->examples.words);
  alea_vec_clear(&b->mem, &b->examples.list);
  alea_network_fit_clear(&b->fit);
  alea_fluent_symmetry_clear(&b->symmetry);
  alea_linear_eval_clear(&b->eval);
  alea_cursor_free(b->cursor);
  alea_opened_clear(&b->opened);
}

static void print(const char *where, uint64_t positions, double seconds) {
  printf("  %s %" PRIu64 " positions, %.2f s, %.3f M/s", where, positions, seconds,
         seconds > 0 ? (double)positions / seconds / 1e6 : 0);
}

/* ---- there ---- */

static void run_there(td_bench *b) {
  alea_budget budget = {0};
  alea_eval_clock clock = {.budget = &budget, .mem = &b->mem, .share = 1};
  alea_eval_device device = {0};
  for (int measured = 0; measured < 2; measured++) {
    alea_td_device_games games = {.eval = &b->eval,
                                  .fit = &b->fit,
                                  .clock = &clock,
                                  .device = &device,
                                  .seed = b->seed,
                                  .positions = measured != 0 ? b->positions : 1};
    double start = alea_clock_wall();
    if (alea_td_device_learn(&games) != ALEA_OK) {
      printf("  no GPU: %s", device.why);
      return;
    }
    if (measured != 0) print("GPU", games.positions, alea_clock_wall() - start);
  }
}

/* ---- here ---- */

static alea_status hear(void *context, const uint64_t *words, float target) {
  td_bench *b = context;
  alea_network_examples *e = &b->examples;
  alea_network_example example = {.target = target};
  if (!alea_vec_push(&b->mem, &e->list, example)) return alea_mem_lack(&b->mem);
  for (size_t w = 0; w < e->word_count; w++)
    if (!alea_vec_push(&b->mem, &e->words, words[w])) return alea_mem_lack(&b->mem);
  return ALEA_OK;
}

static bool never(void *context) {
  (void)context;
  return false;
}

static void run_here(td_bench *b) {
  alea_td_games games = {.eval = &b->eval,
                         .cursor = b->cursor,
                         .rng = &b->rng,
                         .scale = 1,
                         .hear = hear,
                         .over = never,
                         .context = b};
  uint64_t played = 0;
  must(alea_td_games_init(&games));
  double start = alea_clock_cpu();
  while (played < b->here) {
    while (b->examples.list.count < CHUNK) must(alea_td_games_play(&games));
    for (int i = 0; i < FITS; i++)
      must(alea_network_fit_round(&b->fit, &b->examples, RATE, &b->rng));
    alea_network_fit_export(&b->fit, 1, &b->eval.network);
    games.scale = alea_network_fit_scale(&b->fit);
    played += b->examples.list.count;
    b->examples.list.count = b->examples.words.count = 0;
  }
  print("core", played, alea_clock_cpu() - start);
  alea_td_games_clear(&games);
}

int main(int argc, char **argv) {
  td_bench b = {.positions = 100000000, .here = 500000, .seed = 1};
  for (int c; (c = getopt(argc, argv, "p:n:s:")) != -1;) {
    if (c == '?') return ALEA_USAGE;
    *(c == 'p' ? &b.positions : c == 'n' ? &b.here : &b.seed) = strtoull(optarg, NULL, 10);
  }
  for (int i = optind; i < argc; i++) {
    begin(&b, argv[i]);
    printf("%-20s", argv[i]);
    run_there(&b);
    run_here(&b);
    printf("\n");
    fflush(stdout);
    end(&b);
    b = (td_bench){.positions = b.positions, .here = b.here, .seed = b.seed};
  }
  return ALEA_OK;
}
