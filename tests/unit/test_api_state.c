/* Games and states of the public interface, used as a stranger would. */
#include <stdio.h>
#include <string.h>

#include "alea/alea.h"
#include "cmocka_all.h"

static alea_ruleset *open_game(const char *name) {
  alea_ruleset *rules = NULL;
  assert_int_equal(alea_ruleset_open(&rules, name, NULL, NULL), ALEA_OK);
  return rules;
}

static alea_state *begin(alea_ruleset *rules, uint64_t seed) {
  alea_state *state = NULL;
  assert_int_equal(alea_state_new(&state, rules, seed), ALEA_OK);
  return state;
}

static void plays_a_game(void **unused) {
  (void)unused;
  alea_ruleset *rules = open_game("tictactoe");
  assert_int_equal(alea_ruleset_role_count(rules), 2);
  assert_string_equal(alea_ruleset_role_name(rules, 0), "xplayer");
  assert_null(alea_ruleset_role_name(rules, 2));
  assert_string_equal(alea_ruleset_engine(rules), "net");
  assert_int_equal(alea_ruleset_kind(rules), ALEA_KIND_NETWORK);
  alea_state *state = begin(rules, 1);
  alea_ruleset_free(rules); /* the state keeps it */
  static const char *const game[][2] = {{"(mark 1 1)", "noop"},
                                        {"noop", "(mark 2 1)"},
                                        {"(mark 1 2)", "noop"},
                                        {"noop", "(MARK  2 2)"},
                                        {"(mark 1 3)", "noop"}};
  size_t count;
  for (size_t i = 0; i < sizeof game / sizeof *game; i++) {
    alea_move joint[2];
    assert_false(alea_state_terminal(state));
    for (uint32_t r = 0; r < 2; r++) {
      joint[r] = alea_ruleset_move_find(rules, r, game[i][r]);
      assert_true(alea_state_is_legal(state, r, joint[r]));
    }
    assert_int_equal(alea_state_step(state, joint), ALEA_OK);
    assert_memory_equal(alea_state_last(state), joint, sizeof joint);
  }
  assert_true(alea_state_terminal(state));
  assert_int_equal(alea_state_goal(state, 0), 100);
  assert_int_equal(alea_state_goal(state, 1), 0);
  assert_int_equal(alea_state_goal(state, 2), -1);
  const char *const *fluents = alea_state_fluents(state, &count);
  assert_int_equal(count, 10);
  assert_string_equal(fluents[0], "(cell 1 1 x)");
  alea_state_legal(state, 0, &count);
  assert_int_equal(count, 0);
  assert_int_equal(alea_state_step(state, NULL), ALEA_USAGE);
  assert_int_equal(alea_state_depth(state), 5);
  assert_int_equal(alea_state_reset(state), ALEA_OK);
  assert_int_equal(alea_state_depth(state), 0);
  assert_null(alea_state_last(state));
  assert_int_equal(alea_state_undo(state), ALEA_NONE);
  alea_state_free(state);
}

static void wrong_moves_are_refused(void **unused) {
  (void)unused;
  alea_ruleset *rules = open_game("tictactoe");
  alea_state *state = begin(rules, 1);
  uint64_t before = alea_state_hash(state);
  alea_move noop = alea_ruleset_move_find(rules, 0, "noop");
  alea_move wrong[][2] = {{noop, ALEA_NO_MOVE}, {0, 1u << 20}, {12345678, ALEA_NO_MOVE}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    assert_int_equal(alea_state_step(state, wrong[i]), ALEA_INPUT);
    assert_int_equal(alea_state_hash(state), before);
    assert_int_equal(alea_state_depth(state), 0);
  }
  assert_int_equal(alea_ruleset_move_find(rules, 7, "noop"), ALEA_NO_MOVE);
  assert_int_equal(alea_ruleset_move_find(rules, 0, "(fly 1)"), ALEA_NO_MOVE);
  alea_state_free(state);
  alea_ruleset_free(rules);
}

static void texts_fit_or_say_how_long_they_are(void **unused) {
  (void)unused;
  alea_ruleset *rules = open_game("tictactoe");
  char text[32], small[5];
  alea_move move = alea_ruleset_move_find(rules, 0, "(Mark 3  2)");
  assert_int_equal(alea_ruleset_move_text(rules, 0, move, text, sizeof text), 10);
  assert_string_equal(text, "(mark 3 2)");
  assert_int_equal(alea_ruleset_move_text(rules, 0, move, small, sizeof small), 10);
  assert_string_equal(small, "(mar");
  assert_int_equal(alea_ruleset_move_text(rules, 0, 99, text, sizeof text), 0);
  assert_int_equal(alea_ruleset_move_text(rules, 0, move, NULL, 0), 10);
  for (uint32_t f = 0; f < alea_ruleset_fluent_count(rules); f++) {
    assert_true(alea_ruleset_fluent_text(rules, f, text, sizeof text) > 0);
    assert_int_equal(alea_ruleset_fluent_find(rules, text), f);
  }
  assert_int_equal(alea_ruleset_fluent_find(rules, "(cell 9 9 x)"), ALEA_NO_FLUENT);
  alea_ruleset_free(rules);
}

static void failures_are_told_as_data(void **unused) {
  (void)unused;
  alea_ruleset *rules;
  alea_diagnostics *found;
  assert_int_equal(alea_ruleset_open(&rules, "no-such-game", NULL, &found), ALEA_USAGE);
  assert_null(rules);
  assert_non_null(strstr(alea_diagnostics_at(found, 0)->message, "no-such-game"));
  alea_diagnostics_free(found);
  static const char bad[] = "(role a)\n(<= (legal a ?x)\n   (true (p ?y)))";
  alea_ruleset_options strict = {.size = sizeof strict, .strict = true};
  assert_int_equal(alea_ruleset_read(&rules, "mine", bad, sizeof bad - 1, &strict, &found),
                   ALEA_INPUT);
  assert_null(rules);
  const alea_diag_entry *entry = NULL;
  for (size_t i = 0; i < alea_diagnostics_count(found); i++)
    if (strcmp(alea_diagnostics_at(found, i)->code, "unsafe-variable") == 0)
      entry = alea_diagnostics_at(found, i);
  assert_non_null(entry);
  assert_string_equal(entry->place.file, "mine");
  assert_int_equal(entry->place.line, 2);
  assert_int_equal(entry->severity, ALEA_ERROR);
  assert_null(alea_diagnostics_at(found, alea_diagnostics_count(found)));
  alea_diagnostics_free(found);
  alea_diagnostics_free(NULL);
  assert_int_equal(alea_diagnostics_count(NULL), 0);
}

static void options_have_a_size(void **unused) {
  (void)unused;
  alea_ruleset *rules;
  alea_diagnostics *found;
  static const struct {
    const char *engine;
    alea_status status;
  } cases[] = {{NULL, ALEA_OK},     {"auto", ALEA_OK},  {"net", ALEA_OK},
               {"prover", ALEA_OK}, {"lanes", ALEA_OK}, {"turbo", ALEA_USAGE}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    alea_ruleset_options options = {.size = sizeof options, .engine = cases[i].engine};
    assert_int_equal(alea_ruleset_open(&rules, "tictactoe", &options, &found), cases[i].status);
    if (cases[i].status != ALEA_OK)
      assert_string_equal(alea_diagnostics_at(found, 0)->message, "there is no engine 'turbo'");
    alea_diagnostics_free(found);
    alea_ruleset_free(rules);
  }
  struct {
    alea_ruleset_options known;
    int newer;
  } grown = {.known = {.size = sizeof grown}};
  assert_int_equal(alea_ruleset_open(&rules, "tictactoe", &grown.known, NULL), ALEA_OK);
  alea_ruleset_free(rules);
  grown.newer = 1;
  assert_int_equal(alea_ruleset_open(&rules, "tictactoe", &grown.known, NULL), ALEA_USAGE);
  alea_ruleset_options none = {.size = 0};
  assert_int_equal(alea_ruleset_open(&rules, "tictactoe", &none, NULL), ALEA_USAGE);
  alea_ruleset_options small = {.size = sizeof small, .memory = 10000};
  assert_int_equal(alea_ruleset_open(&rules, "tictactoe", &small, NULL), ALEA_LIMIT);
}

static void seeds_decide_what_is_drawn(void **unused) {
  (void)unused;
  alea_ruleset *rules = open_game("connect-four");
  uint64_t ends[3];
  for (int i = 0; i < 3; i++) {
    alea_state *state = begin(rules, 9);
    if (i == 2) alea_state_seed(state, 10);
    assert_int_equal(alea_state_playout(state, 0), ALEA_OK);
    assert_true(alea_state_terminal(state));
    ends[i] = alea_state_hash(state);
    alea_state_free(state);
  }
  assert_int_equal(ends[0], ends[1]);
  assert_int_not_equal(ends[0], ends[2]);
  alea_ruleset_free(rules);
}

/* What a role was told, as one text. */
static void percepts_text(alea_state *state, char *text, size_t size) {
  size_t at = 0;
  text[0] = '\0';
  for (uint32_t r = 0; r < alea_ruleset_role_count(alea_state_rules(state)); r++) {
    size_t count;
    const char *const *percepts = alea_state_percepts(state, r, &count);
    for (size_t i = 0; i < count && at < size; i++)
      at += (size_t)snprintf(text + at, size - at, "%u%s ", r, percepts[i]);
  }
}

/* Plays to the end and back; every position and every percept is met again, also
 * by clones that were made on the way. */
static void undo_meets_everything_again(void **unused) {
  (void)unused;
  static const char *const games[] = {"connect-four", "kuhn-poker", "blind-tictactoe",
                                      "toss-bounce", "monty-hall"};
  for (size_t g = 0; g < sizeof games / sizeof *games; g++) {
    alea_ruleset *rules = open_game(games[g]);
    alea_state *state = begin(rules, 5), *copies[64];
    static char told[64][512];
    char text[512];
    uint32_t depth = 0;
    for (; depth < 60 && !alea_state_terminal(state); depth++) {
      percepts_text(state, told[depth], sizeof told[depth]);
      assert_int_equal(alea_state_clone(&copies[depth], state), ALEA_OK);
      assert_int_equal(alea_state_step(state, NULL), ALEA_OK);
    }
    while (depth-- > 0) {
      assert_int_equal(alea_state_undo(state), ALEA_OK);
      assert_int_equal(alea_state_hash(state), alea_state_hash(copies[depth]));
      percepts_text(state, text, sizeof text);
      assert_string_equal(text, told[depth]);
      percepts_text(copies[depth], text, sizeof text);
      assert_string_equal(text, told[depth]);
      assert_int_equal(alea_state_depth(copies[depth]), depth);
      alea_state_free(copies[depth]);
    }
    assert_int_equal(alea_state_undo(state), ALEA_NONE);
    alea_state_free(state);
    alea_ruleset_free(rules);
  }
}

static void positions_are_kept(void **unused) {
  (void)unused;
  alea_ruleset *rules = open_game("reversi"), *other = open_game("tictactoe");
  alea_state *state = begin(rules, 3), *again = begin(rules, 4), *alien = begin(other, 1);
  unsigned char bytes[1024];
  for (int step = 0; step < 20; step++) {
    assert_int_equal(alea_state_step(state, NULL), ALEA_OK);
    size_t length = alea_state_save(state, bytes, sizeof bytes), count;
    assert_in_range(length, 20, sizeof bytes);
    assert_int_equal(alea_state_save(state, NULL, 0), length);
    assert_int_equal(alea_state_load(again, bytes, length), ALEA_OK);
    assert_int_equal(alea_state_hash(again), alea_state_hash(state));
    assert_int_equal(alea_state_undo(again), ALEA_NONE);
    assert_int_equal(alea_state_load(alien, bytes, length), ALEA_INPUT);
    assert_int_equal(alea_state_load(again, bytes, length - 1), ALEA_INPUT);
    bytes[length - 1] ^= 0x80; /* beyond the last fluent */
    assert_int_equal(alea_state_load(again, bytes, length), ALEA_INPUT);
    bytes[0] = 'B';
    assert_int_equal(alea_state_load(again, bytes, length), ALEA_INPUT);
    assert_int_equal(alea_state_reset(again), ALEA_OK);
    const char *const *fluents = alea_state_fluents(state, &count);
    assert_int_equal(alea_state_set_fluents(again, fluents, count, NULL), ALEA_OK);
    assert_int_equal(alea_state_hash(again), alea_state_hash(state));
    assert_int_equal(alea_state_copy(again, state), ALEA_OK);
    assert_int_equal(alea_state_depth(again), step + 1);
  }
  const char *const wrong[] = {"(cell 1 1 black)", "(nothing)"};
  size_t at = 0;
  assert_int_equal(alea_state_set_fluents(alien, wrong, 2, &at), ALEA_INPUT);
  assert_int_equal(at, 0);
  assert_int_equal(alea_state_copy(alien, state), ALEA_USAGE);
  alea_state_free(state);
  alea_state_free(again);
  alea_state_free(alien);
  alea_ruleset_free(rules);
  alea_ruleset_free(other);
}

static void engines_without_a_network_say_so(void **unused) {
  (void)unused;
  alea_ruleset_options options = {.size = sizeof options, .engine = "prover"};
  alea_ruleset *rules;
  assert_int_equal(alea_ruleset_open(&rules, "tictactoe", &options, NULL), ALEA_OK);
  alea_state *state = begin(rules, 1);
  size_t words;
  char byte;
  alea_batch *batch;
  assert_int_equal(alea_ruleset_kind(rules), 0);
  assert_null(alea_state_bits(state, &words));
  assert_int_equal(alea_state_save(state, NULL, 0), 0);
  assert_int_equal(alea_state_load(state, &byte, 1), ALEA_UNSUPPORTED);
  assert_int_equal(alea_state_set_fluents(state, NULL, 0, NULL), ALEA_UNSUPPORTED);
  assert_int_equal(alea_batch_new(&batch, rules, 3, NULL), ALEA_UNSUPPORTED);
  alea_state_free(state);
  alea_ruleset_free(rules);
}

static void the_version_is_that_of_the_headers(void **unused) {
  (void)unused;
  char text[32];
  int number = alea_version_number();
  snprintf(text, sizeof text, "%d.%d.%d", number / 10000, number / 100 % 100, number % 100);
  assert_int_equal(number, ALEA_VERSION_NUMBER);
  assert_string_equal(alea_version(), text);
  assert_string_equal(alea_version(), ALEA_VERSION_TEXT);
}

/* A size that no struct of options has: nothing beyond it is read. */
static void refuses_impossible_sizes(void **unused) {
  (void)unused;
  static const size_t sizes[] = {0, 3, sizeof(size_t) + 4, 5000, SIZE_MAX - 7, SIZE_MAX};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    alea_ruleset *rules = NULL;
    alea_ruleset_options options = {.size = sizes[i]};
    assert_int_equal(alea_ruleset_open(&rules, "tictactoe", &options, NULL), ALEA_USAGE);
    assert_null(rules);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(refuses_impossible_sizes),
      cmocka_unit_test(plays_a_game),
      cmocka_unit_test(wrong_moves_are_refused),
      cmocka_unit_test(texts_fit_or_say_how_long_they_are),
      cmocka_unit_test(failures_are_told_as_data),
      cmocka_unit_test(options_have_a_size),
      cmocka_unit_test(seeds_decide_what_is_drawn),
      cmocka_unit_test(undo_meets_everything_again),
      cmocka_unit_test(positions_are_kept),
      cmocka_unit_test(engines_without_a_network_say_so),
      cmocka_unit_test(the_version_is_that_of_the_headers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
