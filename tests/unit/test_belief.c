/* What a role plays on when nothing is found that agrees with what it saw. */
#include "play/belief.h"

#include "cmocka_all.h"
#include "support/match_run.h"

/* Four doors; chance hides a prize behind one of the first three.  A door that was opened stays
 * open, and the role sees the prize where it is. */
static const char doors[] =
    "(role opener) (role random)"
    "(door 1) (door 2) (door 3) (door 4)"
    "(init (step hiding))"
    "(<= (legal random (hide ?d)) (true (step hiding)) (door ?d) (distinct ?d 4))"
    "(<= (legal random wait) (true (step opening)))"
    "(<= (legal opener wait) (true (step hiding)))"
    "(<= (legal opener (open ?d)) (true (step opening)) (door ?d) (not (true (opened ?d))))"
    "(<= (next (prize ?d)) (does random (hide ?d)))"
    "(<= (next (prize ?d)) (true (prize ?d)))"
    "(<= (next (opened ?d)) (does opener (open ?d)))"
    "(<= (next (opened ?d)) (true (opened ?d)))"
    "(next (step opening))"
    "(<= (sees opener (prize ?d)) (does opener (open ?d)) (true (prize ?d)))"
    "(<= (sees opener empty) (does opener (open ?d)) (not (true (prize ?d))))"
    "(<= terminal (true (opened 1)) (true (opened 2)) (true (opened 3)) (true (opened 4)))"
    "(<= (goal opener 100) terminal)"
    "(<= (goal opener 0) (not terminal))"
    "(goal random 0)";

typedef struct doors_game {
  alea_opened opened;
  alea_belief belief;
  alea_cursor *truth;
} doors_game;

static void begin(doors_game *g, uint64_t seed) {
  open_sheet(&g->opened, doors);
  alea_player_setup setup = {
      .game = g->opened.game, .role = 0, .seed = seed, .mem = &g->opened.mem};
  assert_int_equal(alea_belief_init(&g->belief, &setup, 32), ALEA_OK);
  assert_int_equal(alea_cursor_new(g->opened.game, &g->opened.mem, &g->truth), ALEA_OK);
}

static void end(doors_game *g) {
  alea_cursor_free(g->truth);
  alea_belief_clear(&g->belief);
  alea_opened_clear(&g->opened);
}

/* Plays the first legal move of chance and move number 'own' of the role, which sees 'percepts', or
 * what there is to see where that is NULL. */
static void play(doors_game *g, uint32_t own, const alea_list *percepts) {
  alea_list legal, seen;
  alea_move joint[2];
  assert_int_equal(alea_cursor_legal(g->truth, 0, &legal), ALEA_OK);
  joint[0] = legal.ids[own];
  assert_int_equal(alea_cursor_legal(g->truth, 1, &legal), ALEA_OK);
  joint[1] = legal.ids[0];
  assert_int_equal(alea_cursor_play(g->truth, joint), ALEA_OK);
  assert_int_equal(alea_cursor_percepts(g->truth, 0, &seen), ALEA_OK);
  alea_observation observation = {.own = joint[0], .percepts = percepts == NULL ? seen : *percepts};
  assert_int_equal(alea_belief_observe(&g->belief, &observation), ALEA_OK);
}

static void assert_legal_now(doors_game *g) {
  alea_list believed, legal;
  assert_int_equal(alea_belief_legal(&g->belief, &believed), ALEA_OK);
  assert_int_equal(alea_cursor_legal(g->truth, 0, &legal), ALEA_OK);
  assert_int_equal(believed.count, legal.count);
  for (uint32_t i = 0; i < legal.count; i++) assert_true(alea_list_has(believed, legal.ids[i]));
}

/* Nothing can be seen in both ways: all that is left is what the role did itself. */
static void contradictions_are_guessed_over(void **state) {
  (void)state;
  const alea_list nothing = {.ids = NULL, .count = 0};
  for (uint64_t seed = 1; seed <= 20; seed++) {
    doors_game g = {0};
    begin(&g, seed);
    play(&g, 0, NULL);
    play(&g, 1, &nothing); /* opening a door always shows something */
    assert_int_equal(alea_belief_ready(&g.belief), ALEA_OK);
    assert_true(g.belief.guessed);
    assert_legal_now(&g);
    play(&g, 0, NULL); /* what is seen after it proves nothing */
    assert_int_equal(alea_belief_ready(&g.belief), ALEA_OK);
    assert_true(g.belief.guessed);
    assert_legal_now(&g);
    end(&g);
  }
}

/* Who had no time for a belief has one as soon as there is time again. */
static void a_guess_is_forgotten(void **state) {
  (void)state;
  doors_game g = {0};
  begin(&g, 1);
  play(&g, 0, NULL);
  alea_deadline past = {.at = 1};
  g.opened.mem.deadline = &past;
  play(&g, 1, NULL);
  assert_int_equal(g.belief.live, 0);
  assert_int_equal(alea_belief_ready(&g.belief), ALEA_OK);
  assert_true(g.belief.guessed);
  assert_legal_now(&g);
  g.opened.mem.deadline = NULL;
  play(&g, 0, NULL);
  assert_int_equal(alea_belief_ready(&g.belief), ALEA_OK);
  assert_false(g.belief.guessed);
  assert_true(g.belief.live > 0);
  assert_legal_now(&g);
  end(&g);
}

/* Looking for what is not there ends in time for a guess.  A machine that is taken away for a while
 * may spoil some of the matches, but not most. */
static void a_guess_is_in_time(void **state) {
  (void)state;
  const alea_list nothing = {.ids = NULL, .count = 0};
  int in_time = 0;
  for (uint64_t seed = 1; seed <= 12; seed++) {
    doors_game g = {0};
    begin(&g, seed);
    play(&g, 0, NULL);
    play(&g, 1, &nothing);
    alea_deadline soon = {.thread_at = alea_clock_thread() + 0.04};
    g.opened.mem.deadline = &soon;
    assert_int_equal(alea_belief_ready(&g.belief), ALEA_OK);
    assert_true(g.belief.guessed);
    in_time += alea_deadline_left(&soon) > 0;
    g.opened.mem.deadline = NULL;
    end(&g);
  }
  assert_true(in_time >= 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(contradictions_are_guessed_over),
      cmocka_unit_test(a_guess_is_forgotten),
      cmocka_unit_test(a_guess_is_in_time),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
