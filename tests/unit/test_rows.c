/* Terms of games, groups by key, and the induction that proves them. */
#include <string.h>

#include "base/rng.h"
#include "cmocka_all.h"
#include "game/rows.h"
#include "match/open.h"
#include "propnet/propnet.h"
#include "sat/induction.h"
#include "support/make_engine.h"
#include "unroll/mutex.h"

/* ---- terms ---- */

static void assert_same_text(const alea_terms *terms, alea_term term, alea_text *expected) {
  alea_text text;
  alea_text_init(&text, terms->mem);
  assert_int_not_equal(term, ALEA_NO_TERM);
  alea_terms_print(terms, term, false, &text);
  assert_string_equal(alea_text_string(&text), alea_text_string(expected));
  alea_text_clear(&text);
  alea_text_truncate(expected, 0);
}

/* Terms say what the texts say, in the first position and for its moves. */
static void check_terms(const char *name, alea_engine engine) {
  alea_opened opened;
  alea_open_options options = {.engine = engine, .ground_seconds = 60};
  assert_int_equal(alea_open(&opened, name, &options, NULL), ALEA_OK);
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_terms *terms = alea_terms_new(NULL, &mem);
  alea_cursor *cursor;
  alea_list list;
  alea_text text;
  alea_text_init(&text, &mem);
  assert_int_equal(alea_cursor_new(opened.game, &mem, &cursor), ALEA_OK);
  assert_int_equal(alea_cursor_fluents(cursor, &list), ALEA_OK);
  assert_true(list.count > 0);
  for (uint32_t i = 0; i < list.count; i++) {
    alea_game_fluent_text(opened.game, list.ids[i], false, &text);
    assert_same_text(terms, alea_game_fluent_term(opened.game, list.ids[i], terms), &text);
  }
  assert_int_equal(alea_cursor_legal(cursor, 0, &list), ALEA_OK);
  for (uint32_t i = 0; i < list.count; i++) {
    alea_game_move_text(opened.game, 0, list.ids[i], false, &text);
    assert_same_text(terms, alea_game_move_term(opened.game, 0, list.ids[i], terms), &text);
  }
  alea_text_clear(&text);
  alea_cursor_free(cursor);
  alea_terms_free(terms);
  alea_opened_clear(&opened);
  assert_int_equal(mem.used, 0);
}

static void all_engines_give_terms(void **state) {
  (void)state;
  check_terms("tictactoe", ALEA_ENGINE_NET);
  check_terms("tictactoe", ALEA_ENGINE_PROVER);
  check_terms("toss-tictactoe", ALEA_ENGINE_AUTO);
  check_terms("toss-bounce", ALEA_ENGINE_AUTO);
}

static void copies_between_tables(void **state) {
  (void)state;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_terms *from = alea_terms_new(NULL, &mem), *to = alea_terms_new(NULL, &mem);
  assert_true(alea_terms_parse(to, "b", NULL) != ALEA_NO_TERM);
  alea_term term = alea_terms_parse(from, "(F a (g b (h)) a)", NULL);
  alea_term copy = alea_terms_copy(to, from, term);
  assert_int_equal(copy, alea_terms_parse(to, "(f a (g b (h)) a)", NULL));
  assert_int_equal(copy, alea_terms_copy(to, from, term));
  alea_terms_free(from);
  alea_terms_free(to);
  assert_int_equal(mem.used, 0);
}

/* ---- rows ---- */

static bool agree(const alea_rows *rows, uint32_t mask, uint32_t i, uint32_t j) {
  for (uint32_t k = 0; k < rows->width; k++)
    if ((mask >> k & 1) && alea_rows_at(rows, i)[k] != alea_rows_at(rows, j)[k]) return false;
  return true;
}

/* Against all pairs of rows. */
static void groups_are_what_pairs_say(void **state) {
  (void)state;
  enum { ROWS = 60, WIDTH = 4 };
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_rng rng;
  alea_rng_seed(&rng, 1);
  alea_rows rows;
  assert_int_equal(alea_rows_init(&rows, ROWS, WIDTH, &mem), ALEA_OK);
  for (uint32_t i = 0; i < ROWS * WIDTH; i++) rows.cells[i] = alea_rng_below(&rng, 3);
  for (uint32_t mask = 0; mask < 1 << WIDTH; mask++) {
    uint32_t group_of[ROWS], seen = 0;
    uint32_t groups = alea_rows_group(&rows, mask, group_of);
    for (uint32_t i = 0; i < ROWS; i++) {
      assert_true(group_of[i] <= seen); /* numbered in the order of first rows */
      seen += group_of[i] == seen;
      for (uint32_t j = 0; j < i; j++) {
        bool same = agree(&rows, mask, i, j);
        assert_int_equal(group_of[i] == group_of[j], same);
        assert_int_equal(alea_rows_differ(&rows, group_of, (uint32_t[]){i, j}, 2), !same);
      }
    }
    assert_int_equal(groups, seen);
  }
  alea_rows_clear(&rows);
  assert_int_equal(mem.used, 0);
}

static void assert_groups(const alea_groups *groups, size_t first, const char *expected) {
  alea_text text;
  alea_text_init(&text, groups->mem);
  for (size_t g = first; g < groups->ends.count; g++) {
    for (uint32_t i = alea_groups_first(groups, g); i < groups->ends.data[g]; i++)
      alea_text_format(&text, "%u ", groups->members.data[i]);
    alea_text_put(&text, "| ");
  }
  assert_string_equal(alea_text_string(&text), expected);
  alea_text_clear(&text);
}

static void one_argument_is_left_out(void **state) {
  (void)state;
  static const char *const texts[] = {"(cell 2 1 x)", "(cell 1 1 o)", "over",   "(cell 1 1 x)",
                                      "(step 2)",     "(step 1)",     "(cell)", "(at (p 1) 2)",
                                      "(at (p 1) 3)", "(cell 2 1 o)", "cell"};
  enum { COUNT = sizeof texts / sizeof *texts };
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_terms *terms = alea_terms_new(NULL, &mem);
  alea_term list[COUNT];
  for (size_t i = 0; i < COUNT; i++) list[i] = alea_terms_parse(terms, texts[i], NULL);
  alea_groups groups = {.mem = &mem};
  assert_int_equal(alea_groups_add(&groups, terms, list, COUNT, ALEA_LAST_ARGUMENT), ALEA_OK);
  assert_groups(&groups, 0, "7 8 | 6 | 1 3 | 0 9 | 4 5 | 10 | 2 | ");
  size_t before = groups.ends.count;
  assert_int_equal(alea_groups_add(&groups, terms, list, COUNT, ALEA_FIRST_ARGUMENT), ALEA_OK);
  assert_groups(&groups, before, "7 | 8 | 6 | 1 9 | 0 3 | 4 5 | 10 | 2 | ");
  alea_groups_clear(&groups);
  alea_terms_free(terms);
  assert_int_equal(mem.used, 0);
}

/* ---- proofs ---- */

/* a, b and c go round; d and e each come from a, so two of d, e, f may hold. */
static void induction_keeps_what_proves_itself(void **state) {
  (void)state;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_sat sat;
  assert_true(alea_sat_init(&sat, ALEA_SAT_SHORT, 0));
  alea_slit v[6];
  for (size_t i = 0; i < 6; i++) v[i] = alea_sat_variable(&sat);
  alea_induction induction = {.mem = &mem, .sat = &sat};
  alea_slit round[] = {v[1], v[2], v[0]}, split[] = {v[0], v[0], v[5]};
  assert_int_equal(alea_induction_add(&induction, 0, v, 3, round, 3), ALEA_OK);
  assert_int_equal(alea_induction_add(&induction, 0, v + 3, 3, split, 3), ALEA_OK);
  /* no hypothesis, but it follows from that of the first */
  assert_int_equal(alea_induction_add(&induction, 1, NULL, 0, v, 2), ALEA_OK);
  static const alea_induction_limits limits[] = {{0}, {.conflicts = 1000, .each = true}};
  bool proved;
  for (uint32_t question = 0; question < 2; question++) {
    assert_int_equal(
        alea_induction_run(&induction, question, ALEA_SLIT_TRUE, &limits[question], &proved),
        ALEA_OK);
    assert_true(proved);
  }
  assert_false(induction.groups.data[0].given_up);
  assert_true(induction.groups.data[1].given_up);
  assert_false(induction.groups.data[2].given_up);
  alea_induction_clear(&induction);
  alea_sat_clear(&sat);
  assert_int_equal(mem.used, 0);
}

/* A stone goes to a place of one's choice; marks stay. */
static const char stone[] =
    "(role r) (init (stone 1)) (place 1) (place 2) (place 3)"
    "(<= (legal r (go ?p)) (place ?p))"
    "(<= (next (stone ?p)) (does r (go ?p)))"
    "(<= (next (mark ?p)) (does r (go ?p))) (<= (next (mark ?p)) (true (mark ?p)))"
    "(<= terminal (true (mark 1)) (true (mark 2)) (true (mark 3)))"
    "(goal r 100)";

static void a_stone_is_in_one_place(void **state) {
  (void)state;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_game *game;
  assert_int_equal(load_text(stone, strlen(stone), "stone", make_net, &mem, &game), ALEA_OK);
  const alea_net *net = alea_net_of_game(game);
  alea_groups mutex;
  assert_int_equal(alea_mutex_find(&mutex, game, &(alea_effort){.conflicts = 1000}, &mem), ALEA_OK);
  assert_int_equal(mutex.ends.count, 2); /* by the last argument, and by the first */
  for (size_t g = 0; g < 2; g++)
    assert_int_equal(mutex.ends.data[g] - alea_groups_first(&mutex, g), 3);
  for (size_t i = 0; i < mutex.members.count; i++)
    assert_memory_equal(net->fluent_text[mutex.members.data[i]], "(stone", 6);
  alea_groups_clear(&mutex);
  alea_game_free(game);
  assert_int_equal(mem.used, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_engines_give_terms),
      cmocka_unit_test(copies_between_tables),
      cmocka_unit_test(groups_are_what_pairs_say),
      cmocka_unit_test(one_argument_is_left_out),
      cmocka_unit_test(induction_keeps_what_proves_itself),
      cmocka_unit_test(a_stone_is_in_one_place),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
