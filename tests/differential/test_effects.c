/* What moves are said to do is what they do in play. */
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "match/open.h"
#include "planning/effects.h"
#include "support/match_run.h"

typedef struct subject {
  const alea_net *net;
  alea_effects effects;
  uint8_t *before, *after, *foretold; /* per fluent */
  uint32_t plain;                     /* moves that were compared */
} subject;

static void read_fluents(alea_cursor *cursor, uint8_t *holds, uint32_t count) {
  alea_list list;
  memset(holds, 0, count);
  assert_int_equal(alea_cursor_fluents(cursor, &list), ALEA_OK);
  for (uint32_t i = 0; i < list.count; i++) holds[list.ids[i]] = 1;
}

static uint8_t holds(const subject *s, alea_lit lit) {
  bool value = lit <= ALEA_LIT_FALSE || s->before[(lit >> 1) - 1];
  return value ^ (lit & 1);
}

static void foretell(subject *s, alea_move move) {
  const alea_effects *e = &s->effects;
  memcpy(s->foretold, s->before, e->fluent_count);
  for (uint32_t i = e->first[move]; i < e->first[move + 1]; i++)
    s->foretold[(e->changes.data[i] >> 1) - 1] = !(e->changes.data[i] & 1);
  for (uint32_t i = 0; i < e->fluent_count; i++)
    if (e->clock[i] != ALEA_NO_CLOCK && e->clock[i] >> 1 <= e->fluent_count)
      s->foretold[i] = holds(s, e->clock[i]);
}

/* A clock may read a gate; then its value is not foretold here. */
static bool is_foretold(const subject *s, uint32_t fluent) {
  alea_lit clock = s->effects.clock[fluent];
  return clock == ALEA_NO_CLOCK || clock >> 1 <= s->effects.fluent_count;
}

static void play_and_compare(subject *s, alea_cursor *cursor, alea_rng *rng) {
  uint32_t count = s->effects.fluent_count;
  bool terminal;
  assert_int_equal(alea_cursor_reset(cursor), ALEA_OK);
  assert_int_equal(alea_cursor_terminal(cursor, &terminal), ALEA_OK);
  for (int step = 0; step < 100 && !terminal; step++) {
    alea_list legal;
    assert_int_equal(alea_cursor_legal(cursor, 0, &legal), ALEA_OK);
    alea_move move = legal.ids[alea_rng_below(rng, legal.count)];
    read_fluents(cursor, s->before, count);
    assert_int_equal(alea_cursor_play(cursor, &move), ALEA_OK);
    if (s->effects.plain[move]) {
      s->plain++;
      read_fluents(cursor, s->after, count);
      foretell(s, move);
      for (uint32_t i = 0; i < count; i++)
        if (is_foretold(s, i)) assert_int_equal(s->foretold[i], s->after[i]);
    }
    assert_int_equal(alea_cursor_terminal(cursor, &terminal), ALEA_OK);
  }
}

/* Compares along random plays; 'some' says that plain moves are expected. */
static void check(const alea_game *game, bool some) {
  alea_mem mem;
  alea_mem_init(&mem, 0);
  subject s = {.net = alea_net_of_game(game)};
  assert_non_null(s.net);
  assert_int_equal(alea_effects_init(&s.effects, s.net, NULL, &mem), ALEA_OK);
  uint32_t count = s.effects.fluent_count;
  s.before = calloc(3, count);
  s.after = s.before + count;
  s.foretold = s.after + count;
  alea_cursor *cursor;
  alea_rng rng;
  alea_rng_seed(&rng, 7);
  assert_int_equal(alea_cursor_new(game, &mem, &cursor), ALEA_OK);
  for (int i = 0; i < 20; i++) play_and_compare(&s, cursor, &rng);
  if (some) assert_true(s.plain > 0);
  alea_cursor_free(cursor);
  alea_effects_clear(&s.effects);
  assert_int_equal(mem.used, 0);
  free(s.before);
}

static void shipped_games(void **state) {
  (void)state;
  static const struct {
    const char *name;
    bool some;
  } games[] = {{"sudoku", true},
               {"knights-tour", false},
               {"lights-out", false},
               {"eight-puzzle", false},
               {"hanoi", false}};
  for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
    alea_opened opened;
    open_game(&opened, games[i].name);
    check(opened.game, games[i].some);
    alea_opened_clear(&opened);
  }
}

/* A clock, a move with conditions, one that undoes another, and one that
 * depends on what was there. */
static const char *const sheet =
    "(role r) (init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)"
    "(thing a) (thing b) (thing c)"
    "(<= (legal r (put ?x)) (thing ?x) (not (true (on ?x))))"
    "(<= (legal r (drop ?x)) (true (on ?x)))"
    "(legal r swap)"
    "(<= (next (on ?x)) (does r (put ?x)))"
    "(<= (next (on ?x)) (true (on ?x)) (not (does r (drop ?x))) (not (does r swap)))"
    "(<= (next (on a)) (does r swap) (true (on b)))"
    "(<= (next (on b)) (does r swap) (true (on a)))"
    "(<= (next (on c)) (does r swap) (true (on c)))"
    "(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))"
    "(<= terminal (true (step 5))) (goal r 100)";

static void clocks_and_conditions(void **state) {
  (void)state;
  alea_opened opened;
  open_sheet(&opened, sheet);
  check(opened.game, true);
  alea_mem mem;
  alea_mem_init(&mem, 0);
  const alea_net *net = alea_net_of_game(opened.game);
  alea_effects e;
  assert_int_equal(alea_effects_init(&e, net, NULL, &mem), ALEA_OK);
  assert_false(e.plain[alea_net_find_move(net, 0, "swap")]);
  assert_true(e.plain[alea_net_find_move(net, 0, "(put a)")]);
  assert_true(e.plain[alea_net_find_move(net, 0, "(drop b)")]);
  uint32_t clocks = 0;
  for (uint32_t i = 0; i < e.fluent_count; i++) clocks += e.clock[i] != ALEA_NO_CLOCK;
  assert_int_equal(clocks, 6);
  alea_effects_clear(&e);
  alea_opened_clear(&opened);
}

static void every_allocation_may_fail(void **state) {
  (void)state;
  alea_opened opened;
  open_sheet(&opened, sheet);
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_status status = ALEA_SYSTEM;
  for (uint64_t n = 1; status != ALEA_OK; n++) {
    alea_effects e;
    mem.fail_in = n;
    status = alea_effects_init(&e, alea_net_of_game(opened.game), NULL, &mem);
    assert_true(status == ALEA_OK || status == ALEA_SYSTEM);
    alea_effects_clear(&e);
    assert_int_equal(mem.used, 0);
  }
  alea_opened_clear(&opened);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(shipped_games),
                                     cmocka_unit_test(clocks_and_conditions),
                                     cmocka_unit_test(every_allocation_may_fail)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
