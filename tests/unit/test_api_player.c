/* Players, matches and drawings of the public interface. */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "alea/alea.h"
#include "cmocka_all.h"
#include "play/player.h"

static alea_ruleset *open_game(const char *name) {
  alea_ruleset *rules = NULL;
  assert_int_equal(alea_ruleset_open(&rules, name, NULL, NULL), ALEA_OK);
  return rules;
}

/* ---- agents ---- */

/* Plays a match of two agents by hand; the hash of the end. */
static uint64_t play_agents(alea_ruleset *rules, const char *player, uint64_t sims) {
  alea_state *state;
  alea_agent *agents[8] = {0};
  uint32_t roles = alea_ruleset_role_count(rules);
  int chance = alea_ruleset_random_role(rules);
  alea_agent_budget budget = {.size = sizeof budget, .sims = sims};
  assert_int_equal(alea_state_new(&state, rules, 4), ALEA_OK);
  for (uint32_t r = 0; r < roles; r++) {
    alea_agent_options options = {.size = sizeof options, .role = r, .seed = 7 + r};
    if ((int)r == chance) continue;
    assert_int_equal(alea_agent_new(&agents[r], rules, player, &options, NULL), ALEA_OK);
    assert_int_equal(alea_agent_start(agents[r], &budget), ALEA_OK);
  }
  while (!alea_state_terminal(state)) {
    alea_move joint[8];
    for (uint32_t r = 0; r < roles; r++) {
      joint[r] = ALEA_NO_MOVE;
      if ((int)r == chance) continue;
      assert_int_equal(alea_agent_think(agents[r], &budget, &joint[r]), ALEA_OK);
      assert_true(alea_state_is_legal(state, r, joint[r]));
    }
    assert_int_equal(alea_state_step(state, joint), ALEA_OK);
    for (uint32_t r = 0; r < roles; r++)
      if ((int)r != chance) assert_int_equal(alea_agent_follow(agents[r], state), ALEA_OK);
  }
  uint64_t hash = alea_state_hash(state);
  for (uint32_t r = 0; r < roles; r++) alea_agent_free(agents[r]);
  alea_state_free(state);
  return hash;
}

static void agents_play_the_same_again(void **unused) {
  (void)unused;
  static const char *const games[] = {"tictactoe", "kuhn-poker"};
  for (size_t i = 0; i < 2; i++) {
    alea_ruleset *rules = open_game(games[i]);
    assert_int_equal(play_agents(rules, "uct:c=1", 50), play_agents(rules, "uct:c=1", 50));
    alea_ruleset_free(rules);
  }
}

static void wrong_agents_say_why(void **unused) {
  (void)unused;
  alea_ruleset *rules = open_game("tictactoe");
  alea_agent *agent;
  alea_diagnostics *found;
  alea_agent_options options = {.size = sizeof options, .role = 2};
  assert_int_equal(alea_agent_new(&agent, rules, "uct", &options, &found), ALEA_USAGE);
  assert_non_null(strstr(alea_diagnostics_at(found, 0)->message, "no role 2"));
  alea_diagnostics_free(found);
  assert_int_equal(alea_agent_new(&agent, rules, "utc", NULL, &found), ALEA_USAGE);
  assert_non_null(strstr(alea_diagnostics_at(found, 0)->message, "did you mean 'uct'"));
  alea_diagnostics_free(found);
  assert_null(agent);
  assert_int_equal(alea_agent_new(&agent, rules, "uct:c=x", NULL, NULL), ALEA_USAGE);
  assert_int_equal(alea_agent_new(&agent, rules, "uct", NULL, NULL), ALEA_OK);
  alea_state *state;
  assert_int_equal(alea_state_new(&state, rules, 1), ALEA_OK);
  assert_int_equal(alea_agent_follow(agent, state), ALEA_USAGE); /* nothing was played */
  alea_move joint[2] = {0, 0};
  assert_int_equal(alea_agent_observe(agent, 0, NULL, NULL, 0), ALEA_USAGE);
  joint[1] = alea_ruleset_move_find(rules, 1, "noop");
  assert_int_equal(alea_agent_observe(agent, 0, joint, NULL, 0), ALEA_OK);
  alea_state_free(state);
  alea_agent_free(agent);
  alea_ruleset_free(rules);
}

/* Whoever is asked after the end, by a program that forgot to look, has no move. */
static void nobody_moves_after_the_end(void **unused) {
  (void)unused;
  static const char *const games[] = {"tictactoe", "rock-paper-scissors", "toss-tictactoe",
                                      "kuhn-poker"};
  size_t count, asked = 0;
  const alea_player_class *const *classes = alea_player_classes(&count);
  for (size_t i = 0; i < count * 4; i++) {
    alea_ruleset *rules = open_game(games[i % 4]);
    alea_state *state;
    alea_agent *agent;
    alea_agent_budget budget = {.size = sizeof budget, .sims = 2};
    alea_agent_options options = {.size = sizeof options};
    alea_move move;
    while ((int)options.role == alea_ruleset_random_role(rules)) options.role++;
    assert_int_equal(alea_state_new(&state, rules, 1), ALEA_OK);
    alea_status made = alea_agent_new(&agent, rules, classes[i / 4]->name, &options, NULL);
    bool plays = made == ALEA_OK && alea_agent_start(agent, &budget) == ALEA_OK;
    while (plays && !alea_state_terminal(state)) {
      assert_int_equal(alea_state_step(state, NULL), ALEA_OK);
      assert_int_equal(alea_agent_follow(agent, state), ALEA_OK);
    }
    if (plays && alea_agent_think(agent, &budget, &move) != ALEA_NONE)
      fail_msg("%s moves after the end of %s", classes[i / 4]->name, games[i % 4]);
    asked += plays;
    if (made == ALEA_OK) alea_agent_free(agent);
    alea_state_free(state);
    alea_ruleset_free(rules);
  }
  assert_true(asked > 2 * count);
}

/* Thinks until it is stopped. */
static void *think_on(void *agent) {
  static alea_move move;
  alea_agent_budget budget = {.size = sizeof budget};
  move = ALEA_NO_MOVE;
  return alea_agent_think(agent, &budget, &move) == ALEA_OK ? &move : NULL;
}

static void analysis_comes_while_it_thinks(void **unused) {
  (void)unused;
  alea_ruleset *rules = open_game("connect-four");
  alea_agent *agent;
  assert_int_equal(alea_agent_new(&agent, rules, "uct", NULL, NULL), ALEA_OK);
  assert_int_equal(alea_agent_analysis(agent, NULL, 0, NULL), 0);
  pthread_t thread;
  assert_int_equal(pthread_create(&thread, NULL, think_on, agent), 0);
  alea_choice choices[8];
  alea_agent_report report = {.size = sizeof report};
  while (alea_agent_analysis(agent, choices, 8, &report) < 7) {
  }
  assert_true(report.sims > 0);
  assert_in_range((int)report.value, 0, 100);
  for (int i = 0; i < 7; i++) assert_in_range(choices[i].move, 0, 7);
  alea_agent_stop(agent);
  void *move;
  pthread_join(thread, &move);
  assert_non_null(move);
  assert_in_range(*(alea_move *)move, 0, 7);
  alea_agent_free(agent);
  alea_ruleset_free(rules);
}

/* ---- players of one's own ---- */

typedef struct last_player {
  uint32_t role, steps;
  char options[16];
} last_player;

static atomic_int alive, observed;

static alea_status last_make(void *context, const alea_agent_seat *seat, void **self) {
  last_player *made = test_malloc(sizeof *made);
  assert_ptr_equal(context, &alive);
  *made = (last_player){.role = seat->role};
  strncpy(made->options, seat->options, sizeof made->options - 1);
  if (strcmp(seat->options, "refuse") == 0) {
    test_free(made);
    return ALEA_UNSUPPORTED;
  }
  assert_true(alea_ruleset_role_count(seat->rules) > seat->role);
  atomic_fetch_add(&alive, 1);
  *self = made;
  return ALEA_OK;
}

static void last_free(void *self) {
  test_free(self);
  atomic_fetch_sub(&alive, 1);
}

/* The last of the legal moves; at random where it does not see the position. */
static alea_status last_think(void *self, alea_state *state, const alea_agent_budget *budget,
                              bool (*stop)(void *), void *stop_context, alea_move *move) {
  last_player *player = self;
  assert_true(budget->sims == 10);
  assert_false(stop(stop_context));
  if (state == NULL) return ALEA_NONE;
  assert_int_equal(alea_state_depth(state), player->steps);
  size_t count;
  const alea_move *legal = alea_state_legal(state, player->role, &count);
  if (count == 0) return ALEA_NONE;
  *move = legal[count - 1];
  return ALEA_OK;
}

static alea_status last_observe(void *self, const alea_agent_news *news) {
  last_player *player = self;
  player->steps++;
  assert_true((news->joint == NULL) == (news->state == NULL));
  if (news->joint != NULL) assert_int_equal(news->joint[player->role], news->own);
  atomic_fetch_add(&observed, 1);
  return ALEA_OK;
}

static void own_players_play_matches(void **unused) {
  (void)unused;
  alea_agent_class last = {.size = sizeof last,
                           .name = "last",
                           .summary = "plays the last legal move",
                           .context = &alive,
                           .make = last_make,
                           .free = last_free,
                           .think = last_think,
                           .observe = last_observe};
  assert_int_equal(alea_agent_register(&last), ALEA_OK);
  assert_int_equal(alea_agent_register(&last), ALEA_USAGE); /* the name is taken */
  last.name = "uct";
  assert_int_equal(alea_agent_register(&last), ALEA_USAGE);
  last.name = "a b";
  assert_int_equal(alea_agent_register(&last), ALEA_USAGE);
  last.name = "thoughtless";
  last.think = NULL;
  assert_int_equal(alea_agent_register(&last), ALEA_USAGE);
  alea_ruleset *rules = open_game("tictactoe");
  const char *players[] = {"last:x=1", "random"};
  alea_match_settings settings = {
      .size = sizeof settings, .players = players, .player_count = 2, .sims = 10, .seed = 2};
  alea_match_result *result;
  assert_int_equal(alea_match_play(&result, rules, &settings, NULL), ALEA_OK);
  assert_true(alea_match_completed(result));
  assert_int_equal(alea_match_faults(result), 0);
  assert_int_equal(atomic_load(&alive), 0);
  assert_int_equal(atomic_load(&observed), alea_match_steps(result));
  assert_non_null(strstr(alea_match_json(result), "last:x=1"));
  alea_match_result_free(result);
  players[0] = "last:refuse";
  assert_int_not_equal(alea_match_play(&result, rules, &settings, NULL), ALEA_OK);
  assert_null(result);
  assert_int_equal(atomic_load(&alive), 0);
  alea_ruleset_free(rules);
}

/* ---- matches ---- */

static bool stop_after_three(void *context, alea_state *state) {
  int *steps = context;
  assert_int_equal(alea_state_depth(state), *steps);
  return ++*steps <= 3;
}

static void matches_are_recorded(void **unused) {
  (void)unused;
  alea_ruleset *rules = open_game("connect-four");
  const char *players[] = {"uct", "random"};
  int steps = 0;
  alea_match_settings settings = {
      .size = sizeof settings, .players = players, .player_count = 2, .sims = 20, .seed = 5};
  alea_match_result *first, *second;
  assert_int_equal(alea_match_play(&first, rules, &settings, NULL), ALEA_OK);
  assert_int_equal(alea_match_play(&second, rules, &settings, NULL), ALEA_OK);
  assert_string_equal(alea_match_json(first), alea_match_json(second));
  assert_int_equal(alea_match_goal(first, 0) + alea_match_goal(first, 1), 100);
  assert_int_equal(alea_match_goal(first, 2), -1);
  alea_match_result_free(first);
  alea_match_result_free(second);
  settings.step = stop_after_three;
  settings.context = &steps;
  assert_int_equal(alea_match_play(&first, rules, &settings, NULL), ALEA_OK);
  assert_false(alea_match_completed(first));
  assert_int_equal(alea_match_steps(first), 3);
  assert_int_equal(alea_match_goal(first, 0), -1);
  alea_match_result_free(first);
  settings.player_count = 1;
  alea_diagnostics *found;
  assert_int_equal(alea_match_play(&first, rules, &settings, &found), ALEA_USAGE);
  assert_int_equal(alea_diagnostics_count(found), 1);
  alea_diagnostics_free(found);
  alea_ruleset_free(rules);
}

static bool stop_at_two(void *context, alea_state *state) {
  if (alea_state_depth(state) == 2) alea_stop_flag_raise(context);
  return true;
}

static void matches_can_be_stopped(void **unused) {
  (void)unused;
  alea_ruleset *rules = open_game("connect-four");
  const char *players[] = {"uct", "random"};
  alea_match_result *result;
  alea_stop_flag *stop;
  assert_int_equal(alea_stop_flag_new(&stop), ALEA_OK);
  alea_match_settings settings = {.size = sizeof settings,
                                  .players = players,
                                  .player_count = 2,
                                  .sims = 20,
                                  .step = stop_at_two,
                                  .context = stop,
                                  .stop = stop};
  assert_int_equal(alea_match_play(&result, rules, &settings, NULL), ALEA_OK);
  assert_false(alea_match_completed(result));
  assert_int_equal(alea_match_steps(result), 2);
  alea_match_result_free(result);
  alea_stop_flag_free(stop);
  alea_ruleset_free(rules);
}

/* ---- drawings ---- */

static void positions_are_drawn(void **unused) {
  (void)unused;
  alea_ruleset *rules = open_game("tictactoe"), *other = open_game("toss-tictactoe");
  alea_state *state, *alien;
  alea_picture *picture, *structure;
  assert_int_equal(alea_state_new(&state, rules, 1), ALEA_OK);
  assert_int_equal(alea_state_new(&alien, other, 1), ALEA_OK);
  assert_int_equal(alea_picture_new(&picture, rules), ALEA_OK);
  assert_int_equal(alea_picture_new(&structure, other), ALEA_OK);
  assert_int_equal(alea_state_step(state, NULL), ALEA_OK);
  assert_non_null(strstr(alea_picture_text(picture, state, true), "x"));
  assert_non_null(strstr(alea_picture_svg(picture, state, "a<b"), "a&lt;b"));
  assert_non_null(strstr(alea_picture_svg(structure, alien, NULL), "<svg"));
  assert_null(alea_picture_text(picture, alien, false));
  alea_picture_free(picture);
  alea_picture_free(structure);
  alea_state_free(state);
  alea_state_free(alien);
  alea_ruleset_free(rules);
  alea_ruleset_free(other);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(agents_play_the_same_again),
      cmocka_unit_test(wrong_agents_say_why),
      cmocka_unit_test(nobody_moves_after_the_end),
      cmocka_unit_test(analysis_comes_while_it_thinks),
      cmocka_unit_test(own_players_play_matches),
      cmocka_unit_test(matches_are_recorded),
      cmocka_unit_test(matches_can_be_stopped),
      cmocka_unit_test(positions_are_drawn),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
