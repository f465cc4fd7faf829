/* planner_bench [--seconds S] [--random S] [--methods
 * bounded+breadth+depth+adaptation+parallel+beam] FILE...
 *
 * A line for each game with one role: what the planner finds in S CPU seconds,
 * and what uniform random play finds (0 seconds: not run).  Other games are
 * skipped. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "game/playout.h"
#include "match/open.h"
#include "planning/planner.h"

/* The best goal of random plays within 'seconds', and when it was found. */
static int play_randomly(const alea_game *game, double seconds, double *at, uint64_t *plays) {
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_cursor *cursor;
  alea_rng rng;
  alea_rng_seed(&rng, 1);
  int best = -1;
  double began = alea_clock_thread();
  *plays = 0;
  *at = 0;
  if (seconds <= 0) return best;
  if (alea_cursor_new(game, &mem, &cursor) != ALEA_OK) return best;
  while (best < 100 && alea_clock_thread() - began < seconds) {
    alea_playout result;
    int goal;
    if (alea_cursor_reset(cursor) != ALEA_OK) break;
    if (alea_playout_run(cursor, &rng, 0, &result) != ALEA_OK) break;
    ++*plays;
    if (!result.finished || alea_cursor_goal(cursor, 0, &goal) != ALEA_OK) continue;
    if (goal > best) {
      best = goal;
      *at = alea_clock_thread() - began;
    }
  }
  alea_cursor_free(cursor);
  return best;
}

static void measure(const alea_opened *opened, const char *name, double seconds,
                    double random_seconds, unsigned methods) {
  alea_mem mem;
  alea_mem_init(&mem, 0);
  /* CPU time: other processes may use the machine. */
  alea_deadline deadline = {.thread_at = alea_clock_thread() + seconds};
  alea_planner_options options = {.effort = {.deadline = &deadline, .memory = (size_t)2 << 30},
                                  .methods = methods};
  alea_plan plan;
  double began = alea_clock_thread(), at;
  alea_status status = ALEA_OK;
  plan = (alea_plan){.goal = -1};
  if (seconds > 0) status = alea_planner_run(&plan, opened->game, NULL, 0, &options, &mem);
  double took = alea_clock_thread() - began;
  uint64_t plays;
  int random = play_randomly(opened->game, random_seconds, &at, &plays);
  printf("| %s | %s | %s%d%s | %s | %zu | %.2f | %d | %.2f |\n", name,
         status == ALEA_OK ? alea_verdict_text(plan.answer) : alea_status_text(status),
         plan.best && plan.goal < 100 ? "=" : "", plan.goal, "", alea_plan_method_text(plan.method),
         plan.moves.count, took, random, at);
  fprintf(
      stderr,
      "%s: %llu nodes, %llu questions, %u stages, %llu variables, %llu clauses, %zu MB, rss %.0f\n",
      name, (unsigned long long)plan.nodes, (unsigned long long)plan.questions, plan.stages,
      (unsigned long long)plan.variables, (unsigned long long)plan.clauses, mem.peak >> 20,
      alea_clock_peak_rss_mb());
  fflush(stdout);
  alea_vec_clear(&mem, &plan.moves);
  if (mem.used != 0) fprintf(stderr, "%s: %zu bytes leaked\n", name, mem.used);
}

int main(int argc, char **argv) {
  double seconds = 10, random_seconds = 10;
  unsigned methods = 0;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--seconds") == 0 && i + 1 < argc) {
      seconds = atof(argv[++i]);
      continue;
    }
    if (strcmp(argv[i], "--random") == 0 && i + 1 < argc) {
      random_seconds = atof(argv[++i]);
      continue;
    }
    if (strcmp(argv[i], "--methods") == 0 && i + 1 < argc) {
      i++;
      for (unsigned m = 1; m < 1u << ALEA_PLAN_METHODS; m *= 2)
        if (strstr(argv[i], alea_plan_method_text(m)) != NULL) methods |= m;
      continue;
    }
    alea_opened opened;
    alea_mem mem;
    alea_mem_init(&mem, 0);
    alea_diag diag;
    alea_diag_init(&diag, &mem);
    alea_open_options options = {
        .engine = ALEA_ENGINE_NET, .ground_seconds = 60, .memory = (size_t)4 << 30};
    alea_status status = alea_open(&opened, argv[i], &options, &diag);
    const char *name = strrchr(argv[i], '/');
    name = name != NULL ? name + 1 : argv[i];
    if (status != ALEA_OK) fprintf(stderr, "%s: cannot be opened\n", name);
    if (status == ALEA_OK && opened.game->role_count == 1)
      measure(&opened, name, seconds, random_seconds, methods);
    alea_diag_clear(&diag);
    alea_opened_clear(&opened);
  }
  return 0;
}
