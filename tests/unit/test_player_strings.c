/* The strings that name players, and the time manager. */
#include <string.h>

#include "cmocka_all.h"
#include "game/time_manager.h"
#include "play/player.h"

static void check(const char *text, alea_status expected, const char *complaint) {
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_text message;
  alea_text_init(&message, &mem);
  assert_int_equal(alea_player_check(text, &mem, &message), expected);
  assert_string_equal(alea_text_string(&message), complaint);
  alea_text_clear(&message);
  assert_int_equal(mem.used, 0);
}

static void reads_players(void **state) {
  (void)state;
  check("uct", ALEA_OK, "");
  check("uct:", ALEA_OK, "");
  check("uct:c=1.2,reuse=off,memory=10M", ALEA_OK, "");
  check("alea:playout=nst,exact", ALEA_OK, "");
  check("utc", ALEA_USAGE, "no player is called 'utc'; did you mean 'uct'?");
  check("kasparov", ALEA_USAGE, "no player is called 'kasparov' ('alea players' lists them)");
  check("", ALEA_USAGE, "no player is called '' ('alea players' lists them)");
  check("uct:resue=on", ALEA_USAGE, "player 'uct': unknown option 'resue'; did you mean 'reuse'?");
  check("uct:c=x", ALEA_USAGE, "player 'uct': option 'c': 'x' is not a number from 0 to 100");
  check("uct:c", ALEA_USAGE, "player 'uct': option 'c': '' is not a number from 0 to 100");
  check("uct:reuse=maybe", ALEA_USAGE, "player 'uct': option 'reuse': 'maybe' is not on or off");
  check("random:c=1", ALEA_USAGE, "player 'random': unknown option 'c'");
}

static void counts_simulations(void **state) {
  (void)state;
  alea_pace pace = {0};
  alea_time_manager watch;
  alea_budget budget = {.sims = 3};
  alea_time_manager_start(&watch, &budget, &pace);
  assert_false(alea_time_manager_over(&watch, 0));
  assert_false(alea_time_manager_over(&watch, 2));
  assert_true(alea_time_manager_over(&watch, 3));
}

static void stops_before_the_clock(void **state) {
  (void)state;
  alea_pace pace = {0};
  alea_time_manager watch;
  alea_budget budget = {.seconds = 0.02, .clock = ALEA_CLOCK_CPU};
  double start = alea_clock_thread();
  alea_time_manager_start(&watch, &budget, &pace);
  while (!alea_time_manager_over(&watch, 0)) continue;
  alea_time_manager_stop(&watch);
  assert_true(alea_clock_thread() - start < 0.02);
  /* A machine that is slow to come back gets a larger margin. */
  pace.surprise = 0.008;
  start = alea_clock_thread();
  alea_time_manager_start(&watch, &budget, &pace);
  while (!alea_time_manager_over(&watch, 0)) continue;
  assert_true(alea_clock_thread() - start < 0.012);
}

static void somebody_says_stop(void **state) {
  (void)state;
  alea_pace pace = {0};
  alea_time_manager watch;
  atomic_bool stop = false;
  alea_budget budget = {.sims = 100, .stop = &stop};
  alea_time_manager_start(&watch, &budget, &pace);
  assert_false(alea_time_manager_over(&watch, 0));
  atomic_store(&stop, true);
  assert_true(alea_time_manager_over(&watch, 0));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reads_players),
      cmocka_unit_test(counts_simulations),
      cmocka_unit_test(stops_before_the_clock),
      cmocka_unit_test(somebody_says_stop),
  };
  return cmocka_run_group_tests_name("player_strings", tests, NULL, NULL);
}
