/* Search over beliefs beside an oracle: the value of a belief by trying every move, every
 * throw of chance and every percept to the end.  The games ask questions with random
 * answers, so what a question is worth is not known to whoever wrote the search. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmocka_all.h"
#include "play/belief_search.h"
#include "support/match_run.h"

enum { MOST_WORDS = 16, MOST_STATES = 64, MOST_PERCEPTS = 4, SHEET_BYTES = 1 << 13 };

/* ---- the oracle ---- */

typedef struct oracle_state {
  uint64_t words[MOST_WORDS];
  size_t word_count;
  uint32_t percepts[MOST_PERCEPTS];
  uint32_t percept_count;
  double weight;
} oracle_state;

typedef struct oracle_belief {
  oracle_state states[MOST_STATES];
  uint32_t count;
} oracle_belief;

static void keep_words(oracle_state *state, alea_cursor *cursor) {
  const uint64_t *words = alea_cursor_state(cursor, &state->word_count);
  assert_true(state->word_count <= MOST_WORDS);
  memcpy(state->words, words, state->word_count * sizeof *words);
}

static bool looks_alike(const oracle_state *a, const oracle_state *b) {
  return a->percept_count == b->percept_count &&
         memcmp(a->percepts, b->percepts, a->percept_count * sizeof *a->percepts) == 0;
}

/* Steps 'state' by the moves of role 0 and chance, role 1; returns the reward. */
static double oracle_step(alea_cursor *cursor, const oracle_state *state, const alea_move *joint,
                          double weight, oracle_belief *after) {
  bool terminal;
  int goal;
  alea_list percepts;
  assert_int_equal(alea_cursor_load(cursor, state->words, state->word_count), ALEA_OK);
  assert_int_equal(alea_cursor_play(cursor, joint), ALEA_OK);
  assert_int_equal(alea_cursor_percepts(cursor, 0, &percepts), ALEA_OK);
  assert_int_equal(alea_cursor_terminal(cursor, &terminal), ALEA_OK);
  if (terminal) {
    assert_int_equal(alea_cursor_goal(cursor, 0, &goal), ALEA_OK);
    return weight * goal;
  }
  assert_true(after->count < MOST_STATES && percepts.count <= MOST_PERCEPTS);
  oracle_state *next = &after->states[after->count++];
  *next = (oracle_state){.weight = weight, .percept_count = percepts.count};
  for (uint32_t i = 0; i < percepts.count; i++) next->percepts[i] = percepts.ids[i];
  keep_words(next, cursor);
  return 0;
}

static double oracle_value(alea_cursor *cursor, const oracle_belief *belief);

/* The sum over what may be seen: of each the states that give it, and their value. */
static double oracle_after(alea_cursor *cursor, const oracle_belief *after) {
  double sum = 0;
  for (uint32_t i = 0; i < after->count; i++) {
    oracle_belief part = {0};
    bool first = true;
    for (uint32_t j = 0; j < after->count; j++) {
      if (!looks_alike(&after->states[i], &after->states[j])) continue;
      first = first && j >= i;
      part.states[part.count++] = after->states[j];
    }
    if (first) sum += oracle_value(cursor, &part);
  }
  return sum;
}

static double oracle_move(alea_cursor *cursor, const oracle_belief *belief, alea_move move) {
  oracle_belief after = {0};
  double sum = 0;
  for (uint32_t i = 0; i < belief->count; i++) {
    const oracle_state *state = &belief->states[i];
    alea_list throws;
    alea_move joint[2] = {move}, of_chance[MOST_STATES];
    assert_int_equal(alea_cursor_load(cursor, state->words, state->word_count), ALEA_OK);
    assert_int_equal(alea_cursor_legal(cursor, 1, &throws), ALEA_OK);
    assert_in_range(throws.count, 1, MOST_STATES);
    uint32_t count = throws.count;
    memcpy(of_chance, throws.ids, count * sizeof *of_chance);
    for (uint32_t t = 0; t < count; t++) {
      joint[1] = of_chance[t];
      sum += oracle_step(cursor, state, joint, state->weight / count, &after);
    }
  }
  return sum + oracle_after(cursor, &after);
}

/* The most that the role gets, times the weight of the belief. */
static double oracle_value(alea_cursor *cursor, const oracle_belief *belief) {
  alea_move moves[MOST_STATES];
  alea_list legal;
  const oracle_state *first = &belief->states[0];
  double best = 0;
  assert_int_equal(alea_cursor_load(cursor, first->words, first->word_count), ALEA_OK);
  assert_int_equal(alea_cursor_legal(cursor, 0, &legal), ALEA_OK);
  assert_in_range(legal.count, 1, MOST_STATES);
  uint32_t count = legal.count;
  memcpy(moves, legal.ids, count * sizeof *moves);
  for (uint32_t i = 0; i < count; i++) {
    double value = oracle_move(cursor, belief, moves[i]);
    if (value > best) best = value;
  }
  return best;
}

/* ---- games of questions ---- */

/* A secret is hidden, 'asks' questions may be asked, and one guess ends the game; what is
 * right after n questions is worth worths[n].  answers[q][s] is what question q is told of
 * secret s; with 'lies', chance gives the answer of another secret one time in four. */
typedef struct quiz {
  uint32_t secrets, questions, asks;
  uint32_t worths[4];
  uint32_t answers[6][6];
  bool lies;
} quiz;

static void write_facts(const quiz *q, char *sheet) {
  char *at = sheet;
  for (uint32_t s = 0; s < q->secrets; s++) at += sprintf(at, "(secret %u) ", s);
  for (uint32_t i = 0; i < q->questions; i++) {
    at += sprintf(at, "(question %u) ", i);
    for (uint32_t s = 0; s < q->secrets; s++)
      at += sprintf(at, "(tells %u %u %u) ", i, s, q->answers[i][s]);
  }
  for (uint32_t n = 0; n < q->asks; n++) at += sprintf(at, "(succ %u %u) ", n, n + 1);
  for (uint32_t n = 0; n <= q->asks; n++) at += sprintf(at, "(worth %u %u) ", n, q->worths[n]);
  for (uint32_t s = 0; s < q->secrets; s++)
    at += sprintf(at, "(other %u %u) ", s, (s + 1) % q->secrets);
  const char *chance = q->lies ? "(throw 0) (throw 1) (throw 2) (throw 3) (lie 3)" : "(throw 0)";
  sprintf(at, "%s\n", chance);
}

static const char rules[] =
    "(role guesser) (role random) (init hiding)\n"
    "(<= (legal random (hide ?s)) (true hiding) (secret ?s))\n"
    "(<= (legal guesser noop) (true hiding))\n"
    "(<= (legal random (throw ?t)) (not (true hiding)) (throw ?t))\n"
    "(<= (legal guesser (ask ?q)) (true (asked ?n)) (succ ?n ?m) (question ?q))\n"
    "(<= (legal guesser (guess ?s)) (true (asked ?n)) (secret ?s))\n"
    "(<= (next (hidden ?s)) (does random (hide ?s)))\n"
    "(<= (next (hidden ?s)) (true (hidden ?s)))\n"
    "(<= (next (asked 0)) (true hiding))\n"
    "(<= (next (asked ?m)) (does guesser (ask ?q)) (true (asked ?n)) (succ ?n ?m))\n"
    "(<= lied (does random (throw ?t)) (lie ?t))\n"
    "(<= (meant ?s) (true (hidden ?s)) (not lied))\n"
    "(<= (meant ?r) (true (hidden ?s)) lied (other ?s ?r))\n"
    "(<= (sees guesser (answer ?a)) (does guesser (ask ?q)) (meant ?s) (tells ?q ?s ?a))\n"
    "(<= (next (over ?v)) (does guesser (guess ?s)) (true (hidden ?s)) (true (asked ?n))"
    " (worth ?n ?v))\n"
    "(<= right (does guesser (guess ?s)) (true (hidden ?s)))\n"
    "(<= (next (over 0)) (does guesser (guess ?s)) (not right))\n"
    "(<= terminal (true (over ?v)))\n"
    "(<= (goal guesser ?v) (true (over ?v)))\n"
    "(<= (goal guesser 0) (not terminal)) (goal random 0)\n";

static void open_quiz(alea_opened *opened, const quiz *q) {
  char sheet[SHEET_BYTES];
  write_facts(q, sheet);
  assert_true(strlen(sheet) + sizeof rules < sizeof sheet);
  strcat(sheet, rules);
  open_sheet(opened, sheet);
}

/* Is the secret below q + 1? */
static quiz number_quiz(const uint32_t worths[3]) {
  quiz q = {.secrets = 4, .questions = 3, .asks = 2};
  memcpy(q.worths, worths, 3 * sizeof *worths);
  for (uint32_t i = 0; i < q.questions; i++)
    for (uint32_t s = 0; s < q.secrets; s++) q.answers[i][s] = s <= i;
  return q;
}

static quiz random_quiz(alea_rng *rng, bool lies) {
  quiz q = {.secrets = 3 + alea_rng_below(rng, lies ? 1 : 4), .lies = lies};
  q.questions = 1 + alea_rng_below(rng, lies ? 2 : 4);
  q.asks = lies ? 1 : 2;
  q.worths[0] = 100;
  for (uint32_t n = 1; n <= q.asks; n++)
    q.worths[n] = q.worths[n - 1] - alea_rng_below(rng, lies ? 10 : 50);
  for (uint32_t i = 0; i < q.questions; i++)
    for (uint32_t s = 0; s < q.secrets; s++) q.answers[i][s] = alea_rng_below(rng, 3);
  return q;
}

/* ---- the search ---- */

typedef struct belief_fixture {
  alea_opened opened;
  alea_mem mem;
  alea_player_setup setup;
  alea_player_stats stats;
  alea_belief belief;
  alea_belief_search search;
} belief_fixture;

static void setup(belief_fixture *f, const quiz *q) {
  *f = (belief_fixture){0};
  open_quiz(&f->opened, q);
  alea_mem_init(&f->mem, 0);
  f->setup = (alea_player_setup){.game = f->opened.game, .seed = 7, .mem = &f->mem};
  alea_search_options options = {.c = 0.3, .memory = 1 << 24};
  alea_observation hidden = {.own = 0};
  assert_true(alea_belief_search_fits(f->opened.game));
  assert_int_equal(alea_belief_init(&f->belief, &f->setup, 300), ALEA_OK);
  hidden.own = alea_game_move_find(f->opened.game, 0, "noop");
  assert_int_equal(alea_belief_observe(&f->belief, &hidden), ALEA_OK);
  assert_int_equal(alea_belief_search_init(&f->search, &f->setup, &options, &f->stats), ALEA_OK);
}

static void teardown(belief_fixture *f) {
  alea_belief_search_clear(&f->search);
  alea_belief_clear(&f->belief);
  assert_int_equal(f->mem.used, 0);
  alea_opened_clear(&f->opened);
}

static double searched_value(belief_fixture *f, uint64_t sims) {
  alea_pace pace = {0};
  alea_time_manager time_manager;
  alea_budget budget = {.sims = sims};
  alea_analysis analysis = {.value = -1};
  alea_time_manager_start(&time_manager, &budget, &pace);
  assert_int_equal(alea_belief_search_begin(&f->search, &f->belief, &time_manager), ALEA_OK);
  assert_int_equal(alea_belief_search_run(&f->search, &time_manager), ALEA_OK);
  alea_time_manager_stop(&time_manager);
  alea_belief_search_analyse(&f->search, &analysis);
  return analysis.value;
}

/* Of the particles that the search has. */
static double right_value(const belief_fixture *f) {
  oracle_belief belief = {0};
  alea_cursor *cursor = f->belief.cursor;
  for (uint32_t i = 0; i < f->belief.live; i++) {
    oracle_state state = {0};
    uint32_t known = 0;
    assert_int_equal(alea_particle_load(&f->belief.now.data[i], cursor), ALEA_OK);
    keep_words(&state, cursor);
    while (known < belief.count && memcmp(belief.states[known].words, state.words,
                                          state.word_count * sizeof *state.words) != 0)
      known++;
    assert_true(known < MOST_STATES);
    if (known == belief.count) belief.states[belief.count++] = state;
    belief.states[known].weight += 1.0 / f->belief.live;
  }
  return oracle_value(cursor, &belief);
}

/* Where chance has thrown already, the search solves the belief. */
static void values_are_right(void **state) {
  (void)state;
  alea_rng rng;
  alea_rng_seed(&rng, 11);
  for (int i = 0; i < 40; i++) {
    belief_fixture f;
    quiz q = random_quiz(&rng, false);
    setup(&f, &q);
    double found = searched_value(&f, 1000000), right = right_value(&f);
    assert_true(alea_belief_graph_at(&f.search.graph, f.search.root)->exact);
    assert_true(f.stats.sims < 1000000);
    if (fabs(found - right) > 0.05) fail_msg("quiz %d: %f, not %f", i, found, right);
    teardown(&f);
  }
}

/* Answers that may be lies are drawn, so the value is near the right one. */
static void values_come_near(void **state) {
  (void)state;
  alea_rng rng;
  alea_rng_seed(&rng, 12);
  double error = 0;
  for (int i = 0; i < 10; i++) {
    belief_fixture f;
    quiz q = random_quiz(&rng, true);
    setup(&f, &q);
    error += fabs(searched_value(&f, 20000) - right_value(&f)) / 10;
    teardown(&f);
  }
  assert_true(error < 8);
}

/* ---- the player ---- */

static double mean_goal(const alea_opened *opened, const char *player, int matches) {
  const char *players[] = {player};
  double sum = 0;
  for (int i = 0; i < matches; i++) {
    int goals[2];
    run_match(opened, players, 1, 2000, (uint64_t)i + 1, goals, NULL);
    sum += goals[0];
  }
  return sum / matches;
}

/* Each position of its own says: guess at once, that is right.  Who knows what it does not
 * know asks twice and is always right, or asks once where that is dear. */
static void asking_pays(void **state) {
  (void)state;
  const uint32_t free[] = {100, 100, 100}, cheap[] = {100, 80, 60}, dear[] = {100, 60, 20};
  const uint32_t *worths[] = {free, cheap, dear};
  const double right[] = {100, 60, 30}, error[] = {0, 0, 10};
  for (int i = 0; i < 3; i++) {
    alea_opened opened;
    quiz q = number_quiz(worths[i]);
    open_quiz(&opened, &q);
    double mean = mean_goal(&opened, "alea:hidden=beliefs", 60);
    if (fabs(mean - right[i]) > error[i]) fail_msg("quiz %d: %f, not %f", i, mean, right[i]);
    alea_opened_clear(&opened);
  }
}

static void the_same_twice(void **state) {
  (void)state;
  const uint32_t worths[] = {100, 80, 60};
  const char *players[] = {"alea:hidden=beliefs"};
  alea_opened opened;
  quiz q = number_quiz(worths);
  alea_mem mem;
  alea_text records[2];
  alea_mem_init(&mem, 0);
  open_quiz(&opened, &q);
  for (int i = 0; i < 2; i++) {
    int goals[2];
    alea_text_init(&records[i], &mem);
    run_match(&opened, players, 1, 500, 5, goals, &records[i]);
  }
  assert_string_equal(alea_text_string(&records[0]), alea_text_string(&records[1]));
  for (int i = 0; i < 2; i++) alea_text_clear(&records[i]);
  alea_opened_clear(&opened);
}

/* With room for a few beliefs it plays on with what it has. */
static void little_memory(void **state) {
  (void)state;
  const uint32_t worths[] = {100, 80, 60};
  alea_opened opened;
  quiz q = number_quiz(worths);
  open_quiz(&opened, &q);
  assert_true(mean_goal(&opened, "alea:hidden=beliefs,memory=6k", 5) >= 0);
  assert_true(mean_goal(&opened, "alea:hidden=beliefs,memory=100", 5) >= 0);
  alea_opened_clear(&opened);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values_are_right), cmocka_unit_test(values_come_near),
      cmocka_unit_test(asking_pays),      cmocka_unit_test(the_same_twice),
      cmocka_unit_test(little_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
