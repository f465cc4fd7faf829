/* Templates that are limited by counts are the same however little time there is;
 * those that are limited by time are not. */
#include <string.h>

#include "cmocka_all.h"
#include "encode/services.h"
#include "support/match_run.h"

typedef struct made_template {
  alea_mem mem;
  alea_template *t;
} made_template;

static void make(made_template *m, const alea_opened *opened, bool counted, double seconds) {
  const alea_ground *ground;
  alea_mem_init(&m->mem, 0);
  assert_int_equal(alea_services_ground(opened->services, false, NULL, &ground), ALEA_OK);
  alea_template_options options = {.table_rows = 8,
                                   .prove_seconds = seconds,
                                   .sac_seconds = seconds,
                                   .counted = counted,
                                   .game = opened->game,
                                   .flat = true};
  assert_int_equal(alea_template_new(&m->t, ground, opened->program, &options, &m->mem), ALEA_OK);
}

static void unmake(made_template *m) {
  alea_template_free(m->t);
  assert_int_equal(m->mem.used, 0);
}

static bool is_same(const alea_template *a, const alea_template *b) {
  return a->var_count == b->var_count && a->groups_proved == b->groups_proved &&
         a->groups_watched == b->groups_watched && a->states_sampled == b->states_sampled &&
         a->log.sac == b->log.sac && a->log.sac_complete == b->log.sac_complete &&
         a->after.constraints == b->after.constraints && a->after.vars == b->after.vars &&
         memcmp(a->guard, b->guard, a->var_count) == 0;
}

static void same_at_any_speed(void **state) {
  (void)state;
  static const char *const games[] = {"tictactoe", "connect-four", "orchard", "kaseklau"};
  const double hurry = 1e-9, plenty = 100;
  bool differed = false;
  for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
    alea_opened opened;
    made_template slow, fast, cut;
    open_game(&opened, games[i]);
    make(&slow, &opened, true, plenty);
    make(&fast, &opened, true, hurry);
    make(&cut, &opened, false, hurry);
    assert_true(is_same(slow.t, fast.t));
    assert_true(slow.t->groups_proved > 0);
    differed = differed || !is_same(slow.t, cut.t);
    print_message("%s: %u groups proved, %u in no time\n", games[i], slow.t->groups_proved,
                  cut.t->groups_proved);
    unmake(&slow);
    unmake(&fast);
    unmake(&cut);
    alea_opened_clear(&opened);
  }
  assert_true(differed);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(same_at_any_speed)};
  return cmocka_run_group_tests_name("template_counts", tests, NULL, NULL);
}
