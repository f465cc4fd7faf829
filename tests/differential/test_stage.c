/* A game and its constraint network are the same graph (SPEC 3.8), and the
 * arms of a stage are the joint legal moves (SPEC 14.13).
 *
 * Environment:
 *   ALEA_FULL=1         every game, to six plies or 50,000 states, and every
 *                       game of the corpus with 1,000 random states
 *   ALEA_STAGE_SECONDS  time per game and comparison then (default 20)
 *   ALEA_STAGE_ONLY     only rulesheets whose name contains this */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "support/stage_check.h"

static bool full(void) { return getenv("ALEA_FULL") != NULL; }

static double patience(void) {
  const char *seconds = getenv("ALEA_STAGE_SECONDS");
  return seconds != NULL ? atof(seconds) : 20;
}

static int is_rulesheet(const struct dirent *entry) {
  const char *only = getenv("ALEA_STAGE_ONLY");
  if (strstr(entry->d_name, ".kif") == NULL) return 0;
  return only == NULL || strstr(entry->d_name, only) != NULL;
}

typedef struct tally {
  unsigned same, differ, too_large, unread;
  uint64_t states, transitions;
} tally;

static const char *const encoders[] = {"ground", "paper"};

/* One rulesheet with one encoder. */
static void compare(const char *path, const char *name, alea_encoder encoder,
                    const alea_stage_options *options, bool checked, bool graphs,
                    const stage_limits *limits, tally *sum) {
  stage_subject s;
  alea_status status = stage_open(&s, path, encoder, options, checked, limits);
  if (status != ALEA_OK) {
    if (full()) print_message("%-34s %-6s %s\n", name, encoders[encoder], alea_status_text(status));
    sum->too_large += status == ALEA_LIMIT;
    sum->unread += status != ALEA_LIMIT;
    stage_close(&s);
    return;
  }
  bool same = graphs ? stage_compare_graphs(&s, limits) : stage_compare_plays(&s, 1, limits);
  if (full() || !same)
    print_message("%-34s %-6s %s: %lu states, %lu transitions, %u groups proved, %u seen%s%s\n",
                  name, encoders[encoder], same ? "same" : "DIFFERENT", (unsigned long)s.states,
                  (unsigned long)s.transitions, s.t->groups_proved, s.t->groups_watched,
                  same ? "" : ": ", s.why);
  sum->same += same;
  sum->differ += !same;
  sum->states += s.states;
  sum->transitions += s.transitions;
  stage_close(&s);
}

static void report(const char *what, const tally *sum) {
  print_message("%s: %u same, %u different, %u too large, %u not read; %lu states, %lu arcs\n",
                what, sum->same, sum->differ, sum->too_large, sum->unread,
                (unsigned long)sum->states, (unsigned long)sum->transitions);
}

typedef struct setting {
  const char *folder;
  int every; /* of so many rulesheets one is taken */
  bool graphs, checked;
  alea_stage_options options;
  stage_limits limits;
} setting;

static void run(const char *what, const setting *s, alea_encoder encoder) {
  struct dirent **entries;
  int count = scandir(s->folder, &entries, is_rulesheet, alphasort);
  if (count < 0) {
    print_message("nothing at %s\n", s->folder);
    skip();
  }
  tally sum = {0};
  for (int i = 0; i < count; i++) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", s->folder, entries[i]->d_name);
    if (i % s->every == 0)
      compare(path, entries[i]->d_name, encoder, &s->options, s->checked, s->graphs, &s->limits,
              &sum);
    free(entries[i]);
  }
  free(entries);
  report(what, &sum);
  assert_int_equal(sum.differ, 0);
  assert_true(sum.same > 0);
}

/* A little of every small game; with ALEA_FULL all there is time for. */
static setting shipped(void) {
  setting s = {.folder = ALEA_SOURCE_DIR "/games", .every = 1, .graphs = true};
  s.limits = (stage_limits){
      .literals = 3000, .depth = 6, .states = 150, .transitions = 150, .prove_seconds = 0.1};
  if (full())
    s.limits =
        (stage_limits){.open_seconds = 600, .seconds = patience(), .depth = 6, .states = 50000};
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
  run("shipped, forward checking", &s, ALEA_ENCODER_GROUND);
}

/* Nothing left out: every arm through the transition with every value of
 * chance, every successor compared with the cursor's. */
static void shipped_checked(void **state) {
  (void)state;
  setting s = shipped();
  s.checked = true;
  s.limits.literals = 1000;
  s.limits.states = full() ? 5000 : 30;
  run("shipped, checked", &s, ALEA_ENCODER_GROUND);
  run("shipped, checked", &s, ALEA_ENCODER_PAPER);
}

static setting corpus(void) {
  setting s = {.folder = ALEA_SHARED_DIR "/corpus/games", .every = full() ? 1 : 25};
  s.limits = (stage_limits){.literals = 3000, .states = 50, .prove_seconds = 0.1};
  if (full()) s.limits = (stage_limits){.open_seconds = 600, .seconds = patience(), .states = 1000};
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
      cmocka_unit_test(shipped_forward), cmocka_unit_test(shipped_checked),
      cmocka_unit_test(corpus_ground),   cmocka_unit_test(corpus_paper),
  };
  return cmocka_run_group_tests_name("stage", tests, NULL, NULL);
}
