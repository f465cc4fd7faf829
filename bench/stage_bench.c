/* Speed of the engine `table`: positions of random plays solved as a stage.
 *
 *   stage_bench GAME [SECONDS [paper|ground [mac|fc]]]
 *
 * Prints the time to make the template, and CPU microseconds per stage solved
 * (all arms listed) and per successor. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "encode/stage_table.h"
#include "match/open.h"

typedef struct timing {
  double solve, next;
  uint64_t solved, played, arms;
} timing;

/* One random play through the network; false after a failure. */
static bool play(alea_stage *stage, const uint64_t *start, size_t count, alea_rng *rng,
                 double until, timing *t) {
  const uint64_t *words = start;
  for (int step = 0; step < 300 && alea_clock_thread() < until; step++) {
    alea_stage_solution solution;
    alea_move joint[64];
    double before = alea_clock_thread();
    if (alea_stage_solve(stage, words, count, &solution) != ALEA_OK) return false;
    double middle = alea_clock_thread();
    t->solve += middle - before;
    t->solved++;
    t->arms += solution.arm_count;
    if (solution.arm_count == 0) return true;
    for (uint32_t r = 0; r < stage->game->role_count; r++)
      joint[r] = solution.moves[solution.firsts[r] +
                                alea_rng_below(rng, solution.firsts[r + 1] - solution.firsts[r])];
    middle = alea_clock_thread();
    if (alea_stage_next(stage, joint, &words, &count) != ALEA_OK) return false;
    t->next += alea_clock_thread() - middle;
    t->played++;
  }
  return true;
}

static bool measure(alea_opened *opened, const alea_template *template, alea_stage_method method,
                    double seconds, timing *t) {
  alea_stage_options options = {.method = method};
  alea_stage *stage = NULL;
  alea_cursor *cursor = NULL;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  bool good =
      alea_stage_new_table(&stage, template, opened->game, &options, NULL, &mem) == ALEA_OK &&
      alea_cursor_new(opened->game, &mem, &cursor) == ALEA_OK;
  if (good) {
    alea_rng rng;
    size_t count;
    const uint64_t *start = alea_cursor_state(cursor, &count);
    double until = alea_clock_thread() + seconds;
    alea_rng_seed(&rng, 1);
    while (good && alea_clock_thread() < until) good = play(stage, start, count, &rng, until, t);
  }
  alea_cursor_free(cursor);
  alea_stage_free(stage);
  return good;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  double seconds = argc > 2 ? atof(argv[2]) : 1;
  bool paper = argc > 3 && strcmp(argv[3], "paper") == 0;
  bool forward = argc > 4 && strcmp(argv[4], "fc") == 0;
  alea_open_options options = {.engine = ALEA_ENGINE_NET, .ground_seconds = 600};
  alea_opened opened;
  const alea_template *t = NULL;
  bool good = alea_open(&opened, argv[1], &options, NULL) == ALEA_OK;
  good = good && opened.services != NULL &&
         alea_services_template(opened.services, paper ? ALEA_ENCODER_PAPER : ALEA_ENCODER_GROUND,
                                NULL, &t) == ALEA_OK;
  timing sum = {0};
  good = good && measure(&opened, t, forward ? ALEA_STAGE_FC : ALEA_STAGE_MAC, seconds, &sum);
  if (good)
    printf("%s: template %.2f s; %.1f arms, %.1f us a stage, %.1f us a successor\n", argv[1],
           t->seconds, (double)sum.arms / (double)sum.solved, 1e6 * sum.solve / (double)sum.solved,
           1e6 * sum.next / (double)(sum.played + (sum.played == 0)));
  else
    fprintf(stderr, "%s: failed\n", argv[1]);
  alea_opened_clear(&opened);
  return good ? 0 : 1;
}
