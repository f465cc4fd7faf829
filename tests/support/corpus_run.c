/* Runs an engine on all reference traces. */
#include "support/corpus_run.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "support/trace_replay.h"

static int is_trace(const struct dirent *entry) {
  size_t length = strlen(entry->d_name);
  if (length < 9 || strcmp(entry->d_name + length - 9, ".jsonl.gz") != 0) return 0;
  const char *only = getenv("ALEA_TRACE_ONLY");
  return only == NULL || strstr(entry->d_name, only) != NULL;
}

/* The rulesheet of a trace: its name up to the first dot is that of the
 * game. */
static void rulesheet_path(const char *folder, const char *trace, char *path, size_t size) {
  size_t stem = strlen(trace) - strlen(".jsonl.gz");
  const char *second = ".clingo";
  if (stem > strlen(second) && strncmp(trace + stem - strlen(second), second, strlen(second)) == 0)
    stem -= strlen(second);
  snprintf(path, size, "%s/games/%.*s.kif", folder, (int)stem, trace);
}

typedef struct sized_trace {
  struct dirent *entry;
  off_t size; /* of the rulesheet */
} sized_trace;

static int compare_sizes(const void *a, const void *b) {
  const sized_trace *x = a, *y = b;
  if (x->size != y->size) return x->size < y->size ? -1 : 1;
  return strcmp(x->entry->d_name, y->entry->d_name);
}

/* The traces with small rulesheets first; the caller frees the array. */
static sized_trace *sort_by_size(const char *folder, struct dirent **entries, int count) {
  sized_trace *traces = calloc((size_t)count + 1, sizeof *traces);
  if (traces == NULL) abort();
  for (int i = 0; i < count; i++) {
    char path[1024];
    struct stat info = {0};
    rulesheet_path(folder, entries[i]->d_name, path, sizeof path);
    (void)stat(path, &info);
    traces[i] = (sized_trace){entries[i], info.st_size};
  }
  qsort(traces, (size_t)count, sizeof *traces, compare_sizes);
  return traces;
}

static void count_verdict(trace_verdict verdict, corpus_result *result) {
  switch (verdict) {
    case TRACE_AGREES: result->agree++; break;
    case TRACE_CUT: result->cut++; break;
    case TRACE_DIFFERS: result->differ++; break;
    case TRACE_BROKEN: result->unread++; break;
  }
}

static void run_trace(const char *folder, const char *trace, make_game *make,
                      const corpus_budget *budget, corpus_result *result) {
  static const char *const words[] = {"agrees", "DIFFERS", "cut", "UNREADABLE"};
  char path[1024];
  trace_report report = {0};
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_game *game;
  double start = alea_clock_wall();
  rulesheet_path(folder, trace, path, sizeof path);
  alea_status status = load_game(path, make, &mem, &game);
  trace_verdict verdict = TRACE_BROKEN;
  if (status == ALEA_OK) {
    snprintf(path, sizeof path, "%s/traces/%s", folder, trace);
    verdict = trace_replay(game, path, budget->per_trace, budget->max_perft, &report);
  }
  alea_game_free(game);
  if (mem.used != 0) {
    verdict = TRACE_DIFFERS;
    snprintf(report.message, sizeof report.message, "%zu bytes leaked", mem.used);
  }
  count_verdict(verdict, result);
  result->positions += report.positions;
  if (getenv("ALEA_TRACE_LOG") != NULL || (verdict != TRACE_AGREES && verdict != TRACE_CUT))
    fprintf(stderr, "%-10s %-48s %7.2f s %5u positions, perft %u, peak %zu kB  %s\n",
            words[verdict], trace, alea_clock_wall() - start, report.positions, report.perft_depth,
            mem.peak / 1024, report.message);
}

static void adjust_budget(corpus_budget *budget) {
  const char *seconds = getenv("ALEA_TRACE_SECONDS");
  const char *full = getenv("ALEA_FULL");
  if (full != NULL && strcmp(full, "0") != 0) *budget = (corpus_budget){.max_perft = 1000000};
  if (seconds != NULL) {
    budget->per_trace = atof(seconds);
    budget->total = 0;
  }
}

bool corpus_run(const char *folder, make_game *make, corpus_budget budget, corpus_result *result) {
  *result = (corpus_result){0};
  adjust_budget(&budget);
  char path[1024];
  snprintf(path, sizeof path, "%s/traces", folder);
  struct dirent **entries;
  int count = scandir(path, &entries, is_trace, alphasort);
  if (count < 0) return false;
  sized_trace *traces = sort_by_size(folder, entries, count);
  alea_deadline deadline = alea_deadline_in(budget.total);
  for (int i = 0; i < count; i++) {
    if (i >= budget.least && alea_deadline_passed(&deadline)) {
      result->not_reached++;
    } else {
      run_trace(folder, traces[i].entry->d_name, make, &budget, result);
    }
    free(traces[i].entry);
  }
  free(traces);
  free(entries);
  return true;
}
