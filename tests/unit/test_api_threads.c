/* Threads that share a game: what each finds is what it finds alone. */
#include <pthread.h>
#include <string.h>

#include "alea/alea.h"
#include "cmocka_all.h"

enum { THREADS = 3, PLAYS = 5, STATES = 600 };

typedef struct api_worker {
  pthread_t thread;
  alea_ruleset *rules;
  uint64_t seed;
  uint64_t hashes[PLAYS];  /* of the ends of plays */
  float goals[3 * STATES]; /* of playouts of a batch; stays 0 without a network */
  alea_move chosen;        /* by a player */
  alea_status status;
} api_worker;

static alea_status play(api_worker *w) {
  alea_state *state;
  alea_status status = alea_state_new(&state, w->rules, w->seed);
  for (int i = 0; status == ALEA_OK && i < PLAYS; i++) {
    status = alea_state_playout(state, 0);
    w->hashes[i] = alea_state_hash(state);
    if (status == ALEA_OK) status = alea_state_reset(state);
  }
  alea_state_free(state);
  return status;
}

static alea_status step_batch(api_worker *w) {
  alea_batch *batch;
  alea_batch_options options = {.size = sizeof options, .seed = w->seed};
  if ((alea_ruleset_kind(w->rules) & ALEA_KIND_NETWORK) == 0) return ALEA_OK;
  alea_status status = alea_batch_new(&batch, w->rules, STATES, &options);
  if (status == ALEA_OK) status = alea_batch_step(batch, NULL, NULL);
  if (status == ALEA_OK) status = alea_batch_playout(batch, w->goals, NULL);
  alea_batch_free(batch);
  return status;
}

static alea_status think(api_worker *w) {
  alea_agent *agent;
  alea_agent_options options = {.size = sizeof options, .seed = w->seed};
  alea_agent_budget budget = {.size = sizeof budget, .sims = 50};
  alea_status status = alea_agent_new(&agent, w->rules, "uct", &options, NULL);
  if (status == ALEA_OK) status = alea_agent_think(agent, &budget, &w->chosen);
  alea_agent_free(agent);
  return status;
}

static void *work(void *context) {
  api_worker *w = context;
  w->status = play(w);
  if (w->status == ALEA_OK) w->status = step_batch(w);
  if (w->status == ALEA_OK) w->status = think(w);
  alea_ruleset_free(w->rules); /* the last one frees the game */
  return NULL;
}

static void check_engine(const char *game, const char *engine) {
  static api_worker alone[THREADS], together[THREADS];
  alea_ruleset_options options = {.size = sizeof options, .engine = engine};
  alea_ruleset *rules;
  memset(alone, 0, sizeof alone);
  memset(together, 0, sizeof together);
  assert_int_equal(alea_ruleset_open(&rules, game, &options, NULL), ALEA_OK);
  for (int i = 0; i < THREADS; i++) {
    alone[i].rules = alea_ruleset_share(rules);
    alone[i].seed = (uint64_t)i;
    work(&alone[i]);
  }
  alea_ruleset_free(rules);
  assert_int_equal(alea_ruleset_open(&rules, game, &options, NULL), ALEA_OK);
  for (int i = 0; i < THREADS; i++) {
    together[i].rules = alea_ruleset_share(rules);
    together[i].seed = (uint64_t)i;
    assert_int_equal(pthread_create(&together[i].thread, NULL, work, &together[i]), 0);
  }
  alea_ruleset_free(rules);
  for (int i = 0; i < THREADS; i++) {
    pthread_join(together[i].thread, NULL);
    assert_int_equal(together[i].status, ALEA_OK);
    assert_int_equal(alone[i].status, ALEA_OK);
    assert_memory_equal(together[i].goals, alone[i].goals, sizeof alone[i].goals);
    if (strcmp(engine, "prover") == 0) continue; /* numbers are given in the order of discovery */
    assert_memory_equal(together[i].hashes, alone[i].hashes, sizeof alone[i].hashes);
    assert_int_equal(together[i].chosen, alone[i].chosen);
  }
}

static void threads_share_a_network(void **unused) {
  (void)unused;
  check_engine("connect-four", "auto");
  check_engine("kuhn-poker", "net");
}

static void threads_share_a_prover(void **unused) {
  (void)unused;
  check_engine("tictactoe", "prover");
}

static alea_status make_thing(void *context, const alea_agent_seat *seat, void **self) {
  (void)context;
  (void)seat;
  *self = NULL;
  return ALEA_NONE;
}

static alea_status think_nothing(void *self, alea_state *state, const alea_agent_budget *budget,
                                 bool (*stop)(void *), void *stop_context, alea_move *move) {
  (void)self, (void)state, (void)budget, (void)stop, (void)stop_context, (void)move;
  return ALEA_NONE;
}

enum { NAMES = 30 };
static char names[NAMES][8];

/* Registers all names; how many of them it was the first to bring. */
static void *register_all(void *context) {
  int *count = context;
  for (int i = 0; i < NAMES; i++) {
    alea_agent_class own = {
        .size = sizeof own, .name = names[i], .make = make_thing, .think = think_nothing};
    *count += alea_agent_register(&own) == ALEA_OK;
  }
  return NULL;
}

static void each_name_is_registered_once(void **unused) {
  (void)unused;
  pthread_t threads[THREADS];
  int counts[THREADS] = {0}, sum = 0;
  for (int i = 0; i < NAMES; i++) {
    memcpy(names[i], "own-aa", 7);
    names[i][4] = (char)('a' + i / 10);
    names[i][5] = (char)('a' + i % 10);
  }
  for (int i = 0; i < THREADS; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, register_all, &counts[i]), 0);
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
    sum += counts[i];
  }
  assert_int_equal(sum, NAMES);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(threads_share_a_network),
      cmocka_unit_test(threads_share_a_prover),
      cmocka_unit_test(each_name_is_registered_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
