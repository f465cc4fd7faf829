/* Groups of values that random play proposed and nothing proves (D5):
 * when a play breaks one, the stage has to notice and to do without it. */
#include "cmocka_all.h"
#include "support/stage_check.h"

/* The combination of lock.kif.  After twelve presses two values of a derived
 * predicate hold, after sixteen two values of a fluent. */
static const char combination[] = "abcdddabcbcadacd";

enum { PLIES = 16, FIRST_BREAK = 12 };

static void open_lock(stage_subject *s, alea_encoder encoder, alea_stage_method method) {
  alea_stage_options options = {.method = method};
  stage_limits limits = {.prove_seconds = 1};
  assert_int_equal(stage_open(s, ALEA_SOURCE_DIR "/tests/differential/lock.kif", encoder, &options,
                              false, &limits),
                   ALEA_OK);
  assert_true(s->t->guarded);
  assert_true(s->t->groups_watched > 0 && s->t->groups_proved > 0);
}

static void spell(const stage_subject *s, alea_move *line) {
  char move[] = "(press ?)";
  for (uint32_t i = 0; i < PLIES; i++) {
    move[7] = combination[i];
    line[i] = alea_game_move_find(s->game, 0, move);
    assert_true(line[i] != ALEA_NO_MOVE);
  }
}

/* The end that only two values together bring. */
static void check_open(const stage_subject *s) {
  bool terminal;
  int goal;
  assert_int_equal(alea_cursor_terminal(s->cursor, &terminal), ALEA_OK);
  assert_int_equal(alea_cursor_goal(s->cursor, 0, &goal), ALEA_OK);
  assert_true(terminal);
  assert_int_equal(goal, 100);
}

static void for_each(void (*check)(stage_subject *s, const alea_move *line, alea_encoder encoder)) {
  for (int encoder = ALEA_ENCODER_GROUND; encoder <= ALEA_ENCODER_PAPER; encoder++)
    for (int method = ALEA_STAGE_MAC; method <= ALEA_STAGE_FC; method++) {
      stage_subject s;
      alea_move line[PLIES];
      open_lock(&s, (alea_encoder)encoder, (alea_stage_method)method);
      spell(&s, line);
      check(&s, line, (alea_encoder)encoder);
      stage_close(&s);
    }
}

static void plays_through(stage_subject *s, const alea_move *line, alea_encoder encoder) {
  (void)encoder;
  for (int again = 0; again < 2; again++) { /* on the template that replaced it too */
    bool same = stage_compare_line(s, line, PLIES);
    if (!same) print_message("%s\n", s->why);
    assert_true(same);
    check_open(s);
  }
}

static void play_breaks_a_group(void **state) {
  (void)state;
  for_each(plays_through);
}

/* A stage that is handed the position, without having played there. */
static void solves_there(stage_subject *s, const alea_move *line, alea_encoder encoder) {
  (void)encoder;
  alea_stage_solution solution;
  size_t count;
  assert_int_equal(alea_cursor_reset(s->cursor), ALEA_OK);
  for (uint32_t ply = 0; ply < PLIES; ply++) {
    assert_int_equal(alea_cursor_play(s->cursor, &line[ply]), ALEA_OK);
    if (ply + 1 != FIRST_BREAK && ply + 1 != PLIES) continue;
    const uint64_t *words = alea_cursor_state(s->cursor, &count);
    assert_int_equal(alea_stage_solve(s->stage, words, count, &solution), ALEA_OK);
    assert_true(solution.terminal == (ply + 1 == PLIES));
    assert_int_equal(solution.goals[0], ply + 1 == PLIES ? 100 : 0);
    assert_int_equal(solution.arm_count, ply + 1 == PLIES ? 0 : 5);
  }
}

static void position_breaks_a_group(void **state) {
  (void)state;
  for_each(solves_there);
}

/* It is the guard that makes the difference: a template that is wrongly taken
 * for proved fails, by a status or by what it says, where the group breaks. */
static void fails_unguarded(stage_subject *s, const alea_move *line, alea_encoder encoder) {
  uint32_t good = encoder == ALEA_ENCODER_PAPER ? FIRST_BREAK - 1 : PLIES - 1;
  /* forward checking tries the moves of the last position but one */
  if (encoder == ALEA_ENCODER_GROUND && s->stage->options.method == ALEA_STAGE_FC) good--;
  s->t->guarded = false;
  assert_true(stage_compare_line(s, line, good));
  assert_false(stage_compare_line(s, line, good + 1));
}

static void guard_is_needed(void **state) {
  (void)state;
  for_each(fails_unguarded);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(play_breaks_a_group),
      cmocka_unit_test(position_breaks_a_group),
      cmocka_unit_test(guard_is_needed),
  };
  return cmocka_run_group_tests_name("stage_guard", tests, NULL, NULL);
}
