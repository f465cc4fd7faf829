/* Players of others, in C, that do what no player should: in matches, and for a manager. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "alea/alea.h"
#include "cmocka_all.h"
#include "support/player_server.h"
#include "support/raw_http.h"

/* What such a player does at every move. */
typedef enum bad_habit {
  SAYS_STATUS, /* of the number that its option is, and nothing else */
  FAR_MOVE,    /* answers a number that is no move */
  NO_MOVE,
  STRAYS,    /* leaves the state at the end of the game, and answers a legal move */
  IS_LOST,   /* cannot take what it is told */
  FORKS,     /* twice, and all four come back */
  CALLS_BACK /* uses the library for all that it has, and with numbers that are wrong */
} bad_habit;

typedef struct bad_player {
  bad_habit habit;
  alea_ruleset *rules; /* lent */
  uint32_t role;
  int said;
} bad_player;

static alea_status bad_make(void *context, const alea_agent_seat *seat, void **self) {
  bad_player *made = malloc(sizeof *made);
  if (made == NULL) return ALEA_SYSTEM;
  *made = (bad_player){*(const bad_habit *)context, seat->rules, seat->role, atoi(seat->options)};
  *self = made;
  return ALEA_OK;
}

/* Every answer is a status; what is wrong is refused, what is right works on lent rules, too. */
static void call_back(const bad_player *self, alea_state *state) {
  alea_batch *batch;
  alea_agent *agent;
  alea_state *other;
  alea_move joint[2] = {4000000000u, 4000000000u}, move;
  char bytes[256];
  alea_agent_budget budget = {.size = sizeof budget, .sims = 3};
  alea_agent_options options = {.size = sizeof options, .role = self->role};
  assert_int_equal(alea_state_step(state, joint), ALEA_INPUT);
  assert_int_equal(alea_state_load(state, "ALEA", 4), ALEA_INPUT);
  size_t length = alea_state_save(state, bytes, sizeof bytes);
  assert_in_range(length, 1, sizeof bytes);
  bytes[length - 1] = (char)0xff; /* beyond the last fluent */
  assert_int_equal(alea_state_load(state, bytes, length), ALEA_INPUT);
  assert_int_equal(alea_batch_new(&batch, self->rules, (size_t)1 << 62, NULL), ALEA_SYSTEM);
  assert_int_equal(alea_batch_new(&batch, self->rules, 3, NULL), ALEA_OK);
  int32_t actions[6] = {INT32_MAX, INT32_MIN, 7, -2, 1 << 20, 0};
  assert_int_equal(alea_batch_step(batch, actions, NULL), ALEA_INPUT);
  alea_batch_free(batch);
  assert_int_equal(alea_state_new(&other, self->rules, 1), ALEA_OK);
  assert_int_equal(alea_state_copy(other, state), ALEA_OK);
  alea_state_free(other);
  assert_int_equal(alea_agent_new(&agent, self->rules, "uct", &options, NULL), ALEA_OK);
  assert_int_equal(alea_agent_start(agent, &budget), ALEA_OK);
  assert_int_equal(alea_agent_observe(agent, 0, joint, NULL, 0), ALEA_INPUT);
  assert_int_equal(alea_agent_observe(agent, 4000000000u, (alea_move[]){0, 0}, NULL, 0),
                   ALEA_INPUT);
  (void)alea_agent_think(agent, &budget, &move);
  alea_agent_free(agent);
}

static alea_status bad_think(void *player, alea_state *state, const alea_agent_budget *budget,
                             bool (*stop)(void *context), void *context, alea_move *move) {
  const bad_player *self = player;
  size_t count;
  (void)budget, (void)stop, (void)context;
  const alea_move *legal = alea_state_legal(state, self->role, &count);
  if (count == 0) return ALEA_NONE;
  *move = legal[count - 1];
  switch (self->habit) {
    case SAYS_STATUS: return (alea_status)self->said;
    case FAR_MOVE: *move = 4000000000u; break;
    case NO_MOVE: *move = ALEA_NO_MOVE; break;
    case STRAYS: (void)alea_state_playout(state, 0); break;
    case FORKS: (void)fork(), (void)fork(); break;
    case CALLS_BACK: call_back(self, state); break;
    case IS_LOST: break;
  }
  return ALEA_OK;
}

static alea_status bad_observe(void *player, const alea_agent_news *news) {
  (void)news;
  return ((const bad_player *)player)->habit == IS_LOST ? ALEA_INPUT : ALEA_OK;
}

static const struct {
  const char *name;
  bad_habit habit;
} habits[] = {{"says", SAYS_STATUS},     {"far", FAR_MOVE}, {"none", NO_MOVE},
              {"strays", STRAYS},        {"lost", IS_LOST}, {"forks", FORKS},
              {"calls-back", CALLS_BACK}};
enum { HABITS = sizeof habits / sizeof *habits };

static int register_all(void **state) {
  (void)state;
  for (size_t i = 0; i < HABITS; i++) {
    alea_agent_class class = {.size = sizeof class,
                              .name = habits[i].name,
                              .context = (void *)(uintptr_t)&habits[i].habit,
                              .make = bad_make,
                              .free = free,
                              .think = bad_think,
                              .observe = bad_observe};
    if (alea_agent_register(&class) != ALEA_OK) return -1;
  }
  return 0;
}

/* ---- matches ---- */

/* Each match comes to its end, and what was no move is counted. */
static void play(const char *player, bool blameless) {
  alea_ruleset *rules;
  alea_match_result *result;
  const char *const players[] = {player, "random"};
  alea_match_settings settings = {
      .size = sizeof settings, .players = players, .player_count = 2, .sims = 1, .seed = 1};
  assert_int_equal(alea_ruleset_open(&rules, "tictactoe", NULL, NULL), ALEA_OK);
  assert_int_equal(alea_match_play(&result, rules, &settings, NULL), ALEA_OK);
  assert_true(alea_match_completed(result));
  assert_int_equal(alea_match_faults(result) == 0, blameless);
  alea_match_result_free(result);
  alea_ruleset_free(rules);
}

static void matches_come_to_an_end(void **state) {
  (void)state;
  char name[32];
  for (int status = ALEA_OK; status <= ALEA_UNSUPPORTED; status++) {
    snprintf(name, sizeof name, "says:%d", status);
    play(name, status == ALEA_OK);
  }
  play("says:77", false);
  play("far", false);
  play("none", false);
  play("strays", false);
  play("lost", false);
  play("forks", true);
  play("calls-back", true);
}

/* ---- a manager ---- */

static const char rules[] =
    "(role a) (role b) (init (turn 1)) (s 1 2) (s 2 3) (s 3 4) (n 1) (n 2) (n 3) "
    "(<= (legal a (go ?n)) (n ?n)) (legal b noop) "
    "(<= (next (turn ?y)) (true (turn ?x)) (s ?x ?y)) (<= terminal (true (turn 4))) "
    "(goal a 1) (goal b 1)";

/* Three moves are answered, each of them legal, whatever the player does: its status is not taken
 * for the manager's. */
static void serve(const char *player) {
  alea_service_options options = {
      .player = {.player = player,
                 .open = {.engine = ALEA_ENGINE_AUTO, .ground_seconds = 60, .memory = 256 << 20},
                 .margin = -1}};
  alea_player_server *s = serve_with(&options, 30, 0);
  uint16_t port = alea_player_server_port(s);
  char message[1024];
  snprintf(message, sizeof message, "( START m a ( %s ) 20 1)", rules);
  assert_true(raw_says(port, RAW_GGP_BASE, message, "ready"));
  for (int turn = 0; turn < 3; turn++) {
    char *reply =
        raw_ask(port, RAW_GGP_BASE, turn == 0 ? "( PLAY m NIL )" : "( PLAY m ( (go 1) noop ) )");
    if (strstr(reply, "HTTP/1.0 200 ") == NULL || strstr(reply, "(go ") == NULL)
      fail_msg("%s, turn %d: %s", player, turn, reply);
    free(reply);
  }
  assert_true(raw_says(port, RAW_GGP_BASE, "( ABORT m )", "aborted"));
  alea_player_server_free(s);
}

static void managers_get_legal_moves(void **state) {
  (void)state;
  char name[32];
  for (int status = ALEA_OK; status <= ALEA_UNSUPPORTED; status++) {
    snprintf(name, sizeof name, "says:%d", status);
    serve(name);
  }
  for (size_t i = 1; i < HABITS; i++) serve(habits[i].name);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(matches_come_to_an_end),
      cmocka_unit_test(managers_get_legal_moves),
  };
  return cmocka_run_group_tests(tests, register_all, NULL);
}
