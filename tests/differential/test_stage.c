/* A game and its constraint network are the same graph (K1), and the
 * arms of a stage are the joint legal moves (K2).
 *
 * Environment:
 *   ALEA_FULL=1         every game, shipped or of the corpus: the graph to six
 *                       plies or 50,000 states, and 1,000 random states by
 *                       both propagation engines
 *   ALEA_STAGE_SECONDS  CPU seconds per game for the graph then (default 20)
 *   ALEA_STAGE_LIMIT    the same for opening it, and for the states (600)
 *   ALEA_STAGE_ONLY     only rulesheets whose name contains this
 *   ALEA_STAGE_LOG      with ALEA_FULL: a file that gets a line per game and
 *                       encoder; what has one already is not run again */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "support/least.h"
#include "support/stage_check.h"

static bool full(void) { return getenv("ALEA_FULL") != NULL; }

static double number(const char *name, double otherwise) {
  const char *text = getenv(name);
  return text != NULL ? atof(text) : otherwise;
}

static int is_rulesheet(const struct dirent *entry) {
  const char *only = getenv("ALEA_STAGE_ONLY");
  if (strstr(entry->d_name, ".kif") == NULL) return 0;
  return only == NULL || strstr(entry->d_name, only) != NULL;
}

typedef struct setting {
  const char *folder;
  int every;      /* of so many rulesheets one is taken */
  unsigned least; /* games that must be compared */
  bool graphs, checked;
  alea_stage_options options;
  stage_limits limits, plays; /* of the graph; of random states, 0 states = none */
} setting;

typedef struct tally {
  unsigned same, differ, too_large, unread, logged;
  uint64_t states, transitions;
} tally;

/* ---- the log ---- */

static bool is_logged(const char *what, const char *name) {
  const char *path = getenv("ALEA_STAGE_LOG");
  FILE *file = path != NULL ? fopen(path, "r") : NULL;
  char line[1024], wanted[512];
  bool found = false;
  snprintf(wanted, sizeof wanted, "%s\t%s\t", what, name);
  while (file != NULL && !found && fgets(line, sizeof line, file) != NULL)
    found = strncmp(line, wanted, strlen(wanted)) == 0;
  if (file != NULL) fclose(file);
  return found;
}

static void note(const char *what, const char *name, const char *line) {
  if (full()) print_message("%s %s: %s\n", what, name, line);
  const char *path = getenv("ALEA_STAGE_LOG");
  FILE *file = full() && path != NULL ? fopen(path, "a") : NULL;
  if (file == NULL) return;
  fprintf(file, "%s\t%s\t%s\n", what, name, line);
  fclose(file);
}

/* ---- one rulesheet with one encoder ---- */

/* Appends what a comparison came to; 'states' and 'arcs' were there before. */
static void describe(const stage_subject *s, const char *kind, uint64_t states, uint64_t arcs,
                     double seconds, char *line, size_t size) {
  size_t used = strlen(line);
  snprintf(line + used, size - used, "\t%s %lu states %lu arcs %s %.1f s", kind,
           (unsigned long)(s->states - states), (unsigned long)(s->transitions - arcs),
           s->cut ? "cut" : "whole", seconds);
}

static bool compare_both(stage_subject *s, const setting *how, char *line, size_t size) {
  double start = alea_clock_thread();
  bool same = true;
  if (how->plays.states > 0) {
    same = stage_compare_plays(s, 1, &how->plays);
    describe(s, "plays", 0, 0, alea_clock_thread() - start, line, size);
  }
  if (how->graphs && same) {
    uint64_t states = s->states, arcs = s->transitions;
    start = alea_clock_thread();
    same = stage_compare_graphs(s, &how->limits);
    describe(s, "graph", states, arcs, alea_clock_thread() - start, line, size);
  }
  return same;
}

static void compare(const char *what, const char *name, alea_encoder encoder, const setting *how,
                    tally *sum) {
  stage_subject s;
  char path[1024], line[1024] = "", rest[400] = "";
  snprintf(path, sizeof path, "%s/%s", how->folder, name);
  double start = alea_clock_thread();
  alea_status status = stage_open(&s, path, encoder, &how->options, how->checked, &how->limits);
  double opened = alea_clock_thread() - start;
  if (status == ALEA_OK) {
    bool same = compare_both(&s, how, rest, sizeof rest);
    snprintf(line, sizeof line, "%s\topened in %.1f s, %u groups proved, %u seen%s%s%s",
             same ? "same" : "DIFFERENT", opened, s.t->groups_proved, s.t->groups_watched, rest,
             same ? "" : "\t", s.why);
    sum->same += same;
    sum->differ += !same;
    if (!same && !full()) print_message("%s %s\n", name, line);
  } else {
    snprintf(line, sizeof line, "%s\tafter %.1f s", alea_status_text(status), opened);
    sum->too_large += status == ALEA_LIMIT;
    sum->unread += status != ALEA_LIMIT;
  }
  sum->states += s.states;
  sum->transitions += s.transitions;
  stage_close(&s);
  note(what, name, line);
}

static void report(const char *what, const tally *sum) {
  print_message("%s: %u same, %u different, %u too large, %u not read; %lu states, %lu arcs\n",
                what, sum->same, sum->differ, sum->too_large, sum->unread,
                (unsigned long)sum->states, (unsigned long)sum->transitions);
}

static void run(const char *what, const setting *s, alea_encoder encoder) {
  struct dirent **entries;
  int count = scandir(s->folder, &entries, is_rulesheet, alphasort);
  if (count < 0) {
    print_message("skipped: nothing at %s\n", s->folder);
    skip();
  }
  tally sum = {0};
  for (int i = 0; i < count; i++) {
    const char *name = entries[i]->d_name;
    bool wanted = i % s->every == 0;
    if (wanted && full() && is_logged(what, name))
      sum.logged++;
    else if (wanted)
      compare(what, name, encoder, s, &sum);
    free(entries[i]);
  }
  free(entries);
  report(what, &sum);
  assert_int_equal(sum.differ, 0);
  expect_at_least(s->least, sum.same + sum.logged, "games", "ALEA_STAGE_ONLY");
  if (sum.logged == 0) expect_at_least(10ul * s->least, sum.states, "states", "ALEA_STAGE_ONLY");
}

/* All there is time for. */
static void whole(setting *s) {
  double limit = number("ALEA_STAGE_LIMIT", 600);
  s->graphs = true;
  s->limits = (stage_limits){.open_seconds = limit,
                             .seconds = number("ALEA_STAGE_SECONDS", 20),
                             .depth = 6,
                             .states = 50000,
                             .prove_seconds = 0.5};
  s->plays = (stage_limits){.seconds = limit, .states = 1000};
}

/* A little of every small game; with ALEA_FULL all there is time for. */
static setting shipped(void) {
  setting s = {.folder = ALEA_SOURCE_DIR "/games", .every = 1, .graphs = true, .least = 30};
  s.limits = (stage_limits){
      .literals = 3000, .depth = 6, .states = 150, .transitions = 150, .prove_seconds = 0.1};
  if (full()) whole(&s);
  return s;
}

static void shipped_ground(void **state) {
  (void)state;
  setting s = shipped();
  run("shipped, ground", &s, ALEA_ENCODER_GROUND);
}

static void shipped_paper(void **state) {
  (void)state;
  setting s = shipped();
  run("shipped, paper", &s, ALEA_ENCODER_PAPER);
}

static void shipped_forward(void **state) {
  (void)state;
  setting s = shipped();
  s.options.method = ALEA_STAGE_FC;
  s.limits.literals = 1000;
  s.least = 15;
  run("shipped, forward checking", &s, ALEA_ENCODER_GROUND);
}

/* All games, as far as random plays go: the tables by both methods, the network
 * and a cursor say the same. */
static void shipped_plays(void **state) {
  (void)state;
  setting s = shipped();
  s.graphs = false;
  s.least = 50;
  s.limits.literals = full() ? 0 : 200000;
  s.limits.prove_seconds = 0.05;
  s.plays = (stage_limits){.states = full() ? 1000 : 60, .seconds = full() ? 600 : 2};
  run("shipped, plays by MAC", &s, ALEA_ENCODER_GROUND);
  s.options.method = ALEA_STAGE_FC;
  run("shipped, plays by forward checking", &s, ALEA_ENCODER_GROUND);
}

/* Nothing left out: every arm through the transition with every value of
 * chance, every successor compared with the cursor's. */
static void shipped_checked(void **state) {
  (void)state;
  setting s = shipped();
  s.checked = true;
  s.limits.literals = 1000;
  s.least = 15;
  s.limits.states = full() ? 5000 : 30;
  run("shipped, checked ground", &s, ALEA_ENCODER_GROUND);
  run("shipped, checked paper", &s, ALEA_ENCODER_PAPER);
}

static setting corpus(void) {
  setting s = {.folder = ALEA_SHARED_DIR "/corpus/games", .every = full() ? 1 : 25, .least = 2};
  s.limits = (stage_limits){.literals = 3000, .prove_seconds = 0.1};
  s.plays = (stage_limits){.states = 50};
  if (full()) whole(&s);
  return s;
}

static void corpus_ground(void **state) {
  (void)state;
  setting s = corpus();
  run("corpus, ground", &s, ALEA_ENCODER_GROUND);
}

static void corpus_paper(void **state) {
  (void)state;
  setting s = corpus();
  run("corpus, paper", &s, ALEA_ENCODER_PAPER);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shipped_ground),  cmocka_unit_test(shipped_paper),
      cmocka_unit_test(corpus_ground),   cmocka_unit_test(corpus_paper),
      cmocka_unit_test(shipped_forward), cmocka_unit_test(shipped_checked),
      cmocka_unit_test(shipped_plays),
  };
  return cmocka_run_group_tests_name("stage", tests, NULL, NULL);
}
