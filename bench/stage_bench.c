/* What solving a stage costs: positions of random plays, solved with all arms
 * listed and left through a random successor, by both engines and both methods.
 *
 *   stage_bench [--seconds S] GAME...
 *
 * Prints a table of CPU microseconds per position, stage and successor together.
 * All four play the same moves. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "encode/stage_table.h"
#include "match/open.h"

typedef struct timing {
  double seconds;
  uint64_t positions, arms;
} timing;

/* One random play; false after a failure. */
static bool play(alea_stage *stage, const uint64_t *start, size_t count, alea_rng *rng, timing *t) {
  const uint64_t *words = start;
  for (int step = 0; step < 300; step++) {
    alea_stage_solution solution;
    alea_move joint[64];
    if (alea_stage_solve(stage, words, count, &solution) != ALEA_OK) return false;
    t->positions++;
    t->arms += solution.arm_count;
    if (solution.arm_count == 0) return true;
    for (uint32_t r = 0; r < stage->game->role_count; r++)
      joint[r] = solution.moves[solution.firsts[r] +
                                alea_rng_below(rng, solution.firsts[r + 1] - solution.firsts[r])];
    if (alea_stage_next(stage, joint, &words, &count) != ALEA_OK) return false;
  }
  return true;
}

/* With a template the engine `table`, without one `net`. */
static bool measure(const alea_opened *opened, const alea_template *template,
                    alea_stage_method method, double seconds, timing *t) {
  alea_stage_options options = {.method = method};
  alea_stage *stage = NULL;
  alea_cursor *cursor = NULL;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_status status =
      template != NULL ? alea_stage_new_table(&stage, template, opened->game, &options, NULL, &mem)
                       : alea_stage_new_net(&stage, opened->game, &options, &mem);
  bool good = status == ALEA_OK && alea_cursor_new(opened->game, &mem, &cursor) == ALEA_OK;
  if (good) {
    alea_rng rng;
    size_t count;
    const uint64_t *start = alea_cursor_state(cursor, &count);
    alea_rng_seed(&rng, 1);
    double begin = alea_clock_thread();
    while (good && t->seconds < seconds) {
      good = play(stage, start, count, &rng, t);
      t->seconds = alea_clock_thread() - begin;
    }
  }
  alea_cursor_free(cursor);
  alea_stage_free(stage);
  return good;
}

static double micros(const timing *t) { return 1e6 * t->seconds / (double)t->positions; }

static bool run(const char *game, double seconds) {
  alea_open_options options = {.engine = ALEA_ENGINE_NET, .ground_seconds = 600};
  alea_opened opened;
  const alea_template *t = NULL;
  timing net[2] = {0}, table[2] = {0};
  bool good = alea_open(&opened, game, &options, NULL) == ALEA_OK;
  good = good && opened.services != NULL &&
         alea_services_template(opened.services, ALEA_ENCODER_GROUND, NULL, &t) == ALEA_OK;
  for (int method = ALEA_STAGE_MAC; method <= ALEA_STAGE_FC && good; method++)
    good = measure(&opened, NULL, (alea_stage_method)method, seconds, &net[method]) &&
           measure(&opened, t, (alea_stage_method)method, seconds, &table[method]);
  if (good)
    printf("| %s | %.1f | %.2f | %.2f | %.2f | %.1f | %.2f | %.2f | %.1f |\n", game,
           (double)net[0].arms / (double)net[0].positions, t->seconds, micros(&net[0]),
           micros(&table[0]), micros(&table[0]) / micros(&net[0]), micros(&net[1]),
           micros(&table[1]), micros(&table[1]) / micros(&net[1]));
  else
    printf("| %s | failed |\n", game);
  fflush(stdout);
  alea_opened_clear(&opened);
  return good;
}

int main(int argc, char **argv) {
  double seconds = 1;
  int first = 1;
  if (argc > 2 && strcmp(argv[1], "--seconds") == 0) {
    seconds = atof(argv[2]);
    first = 3;
  }
  if (first >= argc) {
    fprintf(stderr, "usage: stage_bench [--seconds S] GAME...\n");
    return 2;
  }
  puts("| game | arms | template, s | MAC: net | table | ratio | FC: net | table | ratio |");
  puts("|---|---:|---:|---:|---:|---:|---:|---:|---:|");
  bool good = true;
  for (int i = first; i < argc; i++) good = run(argv[i], seconds) && good;
  return good ? 0 : 1;
}
