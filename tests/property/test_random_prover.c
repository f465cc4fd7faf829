/* Random rulesheets: the prover against models made by brute force. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "cmocka_all.h"
#include "support/least.h"
#include "support/load.h"
#include "support/make_engine.h"
#include "support/naive_model.h"
#include "support/random_gdl.h"

enum { SHEETS = 3000, STEPS = 4 };

typedef struct match {
  uint64_t seed;
  alea_mem mem;
  alea_text sheet;
  alea_program *program; /* of the oracle */
  alea_game *game;
  alea_cursor *cursor;
  alea_rng rng;
  alea_text text;
  unsigned compared, skipped;
} match;

static void complain(match *m, const char *what) {
  print_error("%s\nsheet %llu: %s\n", alea_text_string(&m->sheet), (unsigned long long)m->seed,
              what);
  fail();
}

/* ---- the oracle's side ---- */

/* The term `(name first text)` or `(name text)`, read by the oracle. */
static alea_term atom(match *m, const char *name, const char *first, const char *text) {
  alea_text whole;
  alea_text_init(&whole, &m->mem);
  alea_text_format(&whole, "(%s %s %s)", name, first, text);
  alea_term term = alea_terms_parse(m->program->terms, alea_text_string(&whole), NULL);
  alea_text_clear(&whole);
  assert_int_not_equal(term, ALEA_NO_TERM);
  return term;
}

static bool holds(const naive_model *model, alea_term term) {
  for (size_t i = 0; i < model->atoms.count; i++)
    if (model->atoms.data[i].term == term) return model->atoms.data[i].holds;
  return false;
}

/* How many atoms `(name ...)` hold, with 'first' as first argument if given. */
static unsigned count_atoms(match *m, const naive_model *model, alea_symbol name, uint32_t arity,
                            const char *first) {
  const alea_terms *terms = m->program->terms;
  unsigned count = 0;
  for (size_t i = 0; i < model->atoms.count; i++) {
    alea_term t = model->atoms.data[i].term;
    if (!model->atoms.data[i].holds || alea_terms_name(terms, t) != name ||
        alea_terms_arity(terms, t) != arity)
      continue;
    if (first != NULL) {
      alea_symbol role = alea_terms_name(terms, alea_terms_args(terms, t)[0]);
      if (strcmp(alea_symbols_text(m->program->symbols, role), first) != 0) continue;
    }
    count++;
  }
  return count;
}

/* ---- comparing ---- */

typedef void text_of(match *m, uint32_t role, uint32_t id);
static void fluent_text(match *m, uint32_t role, uint32_t id) {
  (void)role;
  alea_game_fluent_text(m->game, id, false, &m->text);
}
static void move_text(match *m, uint32_t role, uint32_t id) {
  alea_game_move_text(m->game, role, id, false, &m->text);
}
static void percept_text(match *m, uint32_t role, uint32_t id) {
  (void)role;
  alea_game_percept_text(m->game, id, false, &m->text);
}

/* 'list' must be exactly the x for which `(name role x)`, or `(name x)` where
 * 'by_role' is false, holds in the model. */
static void compare(match *m, const naive_model *model, alea_list list, alea_symbol name,
                    bool by_role, uint32_t role, text_of *print) {
  const char *predicate = alea_symbols_text(m->program->symbols, name);
  const char *first = by_role ? m->game->role_text[role] : NULL;
  for (uint32_t i = 0; i < list.count; i++) {
    alea_text_truncate(&m->text, 0);
    print(m, role, list.ids[i]);
    if (!holds(model, atom(m, predicate, by_role ? first : "", alea_text_string(&m->text)))) {
      print_error("surplus: %s %s\n", predicate, alea_text_string(&m->text));
      complain(m, "the prover has too much");
    }
  }
  if (count_atoms(m, model, name, by_role ? 2 : 1, first) != list.count) {
    print_error("%s\n", predicate);
    complain(m, "the prover has too little");
  }
}

static void compare_goal(match *m, const naive_model *model, uint32_t role) {
  int goal, best = -1;
  assert_int_equal(alea_cursor_goal(m->cursor, role, &goal), ALEA_OK);
  for (int v = 0; v <= 100; v += 50) {
    char text[8];
    snprintf(text, sizeof text, "%d", v);
    if (holds(model, atom(m, "goal", m->game->role_text[role], text))) best = v;
  }
  if (goal != best) complain(m, "goals differ");
}

static void compare_position(match *m, const naive_model *model) {
  bool terminal;
  assert_int_equal(alea_cursor_terminal(m->cursor, &terminal), ALEA_OK);
  if (terminal != (count_atoms(m, model, ALEA_SYM_TERMINAL, 0, NULL) > 0))
    complain(m, "terminal differs");
  for (uint32_t r = 0; r < m->game->role_count; r++) {
    alea_list list;
    assert_int_equal(alea_cursor_legal(m->cursor, r, &list), ALEA_OK);
    compare(m, model, list, ALEA_SYM_LEGAL, true, r, move_text);
    compare_goal(m, model, r);
  }
  m->compared++;
}

static void compare_successor(match *m, const naive_model *model) {
  alea_list list;
  assert_int_equal(alea_cursor_fluents(m->cursor, &list), ALEA_OK);
  compare(m, model, list, ALEA_SYM_NEXT, false, 0, fluent_text);
  for (uint32_t r = 0; r < m->game->role_count; r++) {
    assert_int_equal(alea_cursor_percepts(m->cursor, r, &list), ALEA_OK);
    compare(m, model, list, ALEA_SYM_SEES, true, r, percept_text);
  }
}

/* ---- playing ---- */

typedef ALEA_VEC(alea_term) term_list;

static void add_state(match *m, term_list *facts) {
  alea_list list;
  assert_int_equal(alea_cursor_fluents(m->cursor, &list), ALEA_OK);
  for (uint32_t i = 0; i < list.count; i++) {
    alea_text_truncate(&m->text, 0);
    fluent_text(m, 0, list.ids[i]);
    assert_true(alea_vec_push(&m->mem, facts, atom(m, "true", "", alea_text_string(&m->text))));
  }
}

static void pick_joint(match *m, alea_move *joint, term_list *facts) {
  for (uint32_t r = 0; r < m->game->role_count; r++) {
    alea_list list;
    assert_int_equal(alea_cursor_legal(m->cursor, r, &list), ALEA_OK);
    joint[r] = list.ids[alea_rng_below(&m->rng, list.count)];
    alea_text_truncate(&m->text, 0);
    move_text(m, r, joint[r]);
    assert_true(alea_vec_push(&m->mem, facts,
                              atom(m, "does", m->game->role_text[r], alea_text_string(&m->text))));
  }
}

/* One position and one move; false when the oracle has no answer. */
static bool step(match *m) {
  term_list facts = {0};
  naive_model now = {.mem = &m->mem, .program = m->program};
  naive_model then = now;
  alea_move joint[8];
  add_state(m, &facts);
  bool known = naive_model_make(&now, facts.data, facts.count) == NAIVE_DONE;
  if (known) {
    compare_position(m, &now);
    pick_joint(m, joint, &facts);
    known = naive_model_make(&then, facts.data, facts.count) == NAIVE_DONE;
  }
  if (known) {
    assert_int_equal(alea_cursor_play(m->cursor, joint), ALEA_OK);
    compare_successor(m, &then);
  }
  naive_model_clear(&now);
  naive_model_clear(&then);
  alea_vec_clear(&m->mem, &facts);
  return known;
}

static void play_sheet(match *m) {
  naive_model start = {.mem = &m->mem, .program = m->program};
  alea_list list;
  bool known = naive_model_make(&start, NULL, 0) == NAIVE_DONE;
  if (known) {
    assert_int_equal(alea_cursor_fluents(m->cursor, &list), ALEA_OK);
    compare(m, &start, list, ALEA_SYM_INIT, false, 0, fluent_text);
  }
  naive_model_clear(&start);
  for (int i = 0; known && i < STEPS; i++) known = step(m);
  if (!known) m->skipped++;
}

static void run_sheet(match *m, uint64_t seed, bool wild) {
  m->seed = seed;
  alea_mem_init(&m->mem, 0);
  alea_text_init(&m->sheet, &m->mem);
  alea_text_init(&m->text, &m->mem);
  alea_rng_seed(&m->rng, seed);
  random_gdl(&m->sheet, seed, wild);
  const char *sheet = alea_text_string(&m->sheet);
  if (alea_program_new(&m->program, sheet, m->sheet.length, "random", NULL, &m->mem, NULL) !=
      ALEA_OK)
    complain(m, "the reader refuses it");
  alea_status status = load_text(sheet, m->sheet.length, "random", make_prover, &m->mem, &m->game);
  if (status == ALEA_INPUT && wild) {
    m->skipped++;
  } else {
    if (status != ALEA_OK) complain(m, "the prover refuses it");
    assert_int_equal(alea_cursor_new(m->game, &m->mem, &m->cursor), ALEA_OK);
    play_sheet(m);
    alea_cursor_free(m->cursor);
  }
  alea_game_free(m->game);
  alea_program_free(m->program);
  alea_text_clear(&m->sheet);
  alea_text_clear(&m->text);
  assert_int_equal(m->mem.used, 0);
}

static void run_sheets(bool wild) {
  const char *only = getenv("ALEA_SEED");
  const char *wanted = getenv("ALEA_SHEETS");
  uint64_t first = only != NULL ? strtoull(only, NULL, 10) : 1;
  uint64_t count = only != NULL ? 1 : wanted != NULL ? strtoull(wanted, NULL, 10) : SHEETS;
  match m = {0};
  for (uint64_t seed = first; seed < first + count; seed++) run_sheet(&m, seed, wild);
  print_message("%llu sheets, %u positions compared, %u sheets cut short\n",
                (unsigned long long)count, m.compared, m.skipped);
  if (!wild) assert_true(10 * m.skipped <= count);
  expect_at_least(2 * count, m.compared, "positions", "ALEA_SEED");
}

static void tame_sheets(void **state) {
  (void)state;
  run_sheets(false);
}

static void wild_sheets(void **state) {
  (void)state;
  run_sheets(true);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(tame_sheets), cmocka_unit_test(wild_sheets)};
  return cmocka_run_group_tests_name("random_prover", tests, NULL, NULL);
}
