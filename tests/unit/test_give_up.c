/* Work that is given up ends where it stands, whatever it is doing: reading, grounding,
 * building networks, or the services of a game. */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cmocka_all.h"

#include "base/clock.h"
#include "encode/services.h"
#include "match/open.h"
#include "support/load.h"

/* CPU seconds, so that other work on the machine does not count. */
static const double MOST = 0.25;

typedef struct opening {
  const char *rules;
  size_t length;
  atomic_bool stop;
  double ended; /* CPU seconds of the thread */
  bool whole;   /* all was done before it was given up */
  size_t left;  /* bytes */
} opening;

/* Opens a game, and makes all that players may ask for. */
static void *work(void *argument) {
  opening *o = argument;
  alea_open_options options = {.engine = ALEA_ENGINE_AUTO, .ground_seconds = 100};
  alea_opened opened;
  alea_diag diag;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_diag_init(&diag, &mem);
  alea_status status =
      alea_open_rules(&opened, "rules", o->rules, o->length, &options, &o->stop, &diag);
  alea_deadline deadline = {.stop = &o->stop};
  const alea_game_symmetry *group = NULL;
  const alea_template *template = NULL;
  if (status == ALEA_OK && opened.services != NULL)
    status = alea_services_game_symmetry(opened.services, ALEA_SYMMETRY_GAME, &deadline, &group);
  if (!atomic_load(&o->stop) && opened.services != NULL)
    status = alea_services_template(opened.services, ALEA_ENCODER_GROUND, &deadline, &template);
  o->whole = !atomic_load(&o->stop);
  o->ended = alea_clock_thread();
  alea_opened_clear(&opened);
  alea_diag_clear(&diag);
  o->left = opened.mem.used + mem.used;
  return NULL;
}

/* Infinity: the thread has ended. */
static double cpu_of(pthread_t thread) {
  clockid_t id;
  struct timespec used;
  if (pthread_getcpuclockid(thread, &id) != 0 || clock_gettime(id, &used) != 0) return HUGE_VAL;
  return (double)used.tv_sec + 1e-9 * (double)used.tv_nsec;
}

/* Gives up after 'seconds' of the thread's CPU time; returns those that it still
 * used, or -1 if it had ended before. */
static double give_up_after(const char *rules, size_t length, double seconds) {
  opening o = {.rules = rules, .length = length};
  pthread_t thread;
  assert_int_equal(pthread_create(&thread, NULL, work, &o), 0);
  double begun = alea_clock_wall();
  while (cpu_of(thread) < seconds && alea_clock_wall() < begun + 60)
    nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
  double raised = cpu_of(thread);
  atomic_store(&o.stop, true);
  pthread_join(thread, NULL);
  assert_int_equal(o.left, 0);
  return o.whole ? -1 : o.ended - raised;
}

static void ends_where_it_stands(void **state) {
  (void)state;
  static const char *const games[] = {"chess", "chinese-checkers", "backgammon"};
  static const double moments[] = {0.02, 0.1, 0.2, 0.4, 0.7};
  double worst = -1;
  for (size_t g = 0; g < sizeof games / sizeof *games; g++) {
    size_t length;
    char *rules = load_file(&length, "%s/games/%s.kif", ALEA_SOURCE_DIR, games[g]);
    assert_non_null(rules);
    for (size_t m = 0; m < sizeof moments / sizeof *moments; m++) {
      double seconds = give_up_after(rules, length, moments[m]);
      print_message("%s, given up after %.2f s: %.3f s more\n", games[g], moments[m], seconds);
      if (seconds > worst) worst = seconds;
    }
    free(rules);
  }
  assert_true(worst >= 0); /* else nothing was tested */
  assert_true(worst < MOST);
}

/* ---- --ground-seconds ---- */

/* Many moves, each of which changes a fluent: quickly grounded, slowly made a network. */
static char *write_wide(int size) {
  static const char rest[] =
      "(<= (legal ?r (m ?x ?y)) (role ?r) (num ?x) (num ?y))"
      "(<= (next (p ?x ?y)) (does a (m ?x ?y)))"
      "(<= (next (p ?x ?y)) (true (p ?x ?y)) (not (does b (m ?x ?y))))"
      "(<= terminal (true (p 1 2))) (goal a 50) (goal b 50)";
  char *text = malloc(40 + 16 * (size_t)size + sizeof rest);
  size_t length = (size_t)sprintf(text, "(role a) (role b) (init (n 0))");
  for (int i = 0; i < size; i++) length += (size_t)sprintf(text + length, "(num %d)", i);
  memcpy(text + length, rest, sizeof rest);
  return text;
}

/* Opening takes no longer than it may, whatever it does at that time, and says why. */
static void ends_in_time(void **state) {
  (void)state;
  char *rules = write_wide(350);
  int late = 0;
  for (double seconds = 0.05; seconds < 1; seconds *= 1.6) {
    alea_open_options options = {.engine = ALEA_ENGINE_NET, .ground_seconds = seconds};
    alea_opened opened;
    alea_diag diag;
    alea_mem mem;
    alea_mem_init(&mem, 0);
    alea_diag_init(&diag, &mem);
    double start = alea_clock_thread();
    alea_status status =
        alea_open_rules(&opened, "rules", rules, strlen(rules), &options, NULL, &diag);
    double used = alea_clock_thread() - start;
    assert_true(used < 1.1 * seconds + 0.05);
    if (status == ALEA_LIMIT) {
      late++;
      assert_string_equal(diag.entries.data[diag.entries.count - 1].code, "time-limit");
    }
    alea_opened_clear(&opened);
    alea_diag_clear(&diag);
    assert_int_equal(opened.mem.used + mem.used, 0);
  }
  assert_true(late > 0);
  free(rules);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(ends_where_it_stands),
                                     cmocka_unit_test(ends_in_time)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
