/* Evaluation games: lists of cases against the games that they are read as,
 * values against plain backward induction, constructions that can only be
 * played, and the structure of a move against its definition ([TOSS10 §5, §6]). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "cmocka_all.h"
#include "game/position.h"
#include "support/load.h"
#include "support/rewriting.h"
#include "toss/arena.h"
#include "toss/construct.h"
#include "toss/value.h"

#define NONE ALEA_TOSS_NONE

static alea_toss_evaluation *read_evaluation(const alea_game *game, const char *text,
                                             alea_mem *mem) {
  alea_toss_evaluation *e;
  alea_diag diag;
  alea_diag_init(&diag, mem);
  if (alea_toss_evaluation_new(&e, game, text, mem, &diag) != ALEA_OK) {
    fail_msg("%u: %s\n%s", diag.entries.data[0].place.line, diag.entries.data[0].message, text);
  }
  alea_diag_clear(&diag);
  return e;
}

/* Elements come, go and are copied. */
static const char cells[] =
    "PLAYERS p, q RANGE 0 -- 1 "
    "RULE Split: [a | P(a) | ] -> [a, b | P(a); Q(b) | ] with [a <- a, b <- a] emb P, Q "
    "RULE Eat: [a, b | R(a, b) | ] -> [a | Q(a) | ] emb Q "
    "RULE Turn: [a | Q(a) | ] -> [c | P(c) | ] "
    "LOC 0 { PLAYER p { MOVES [Split -> 1]; [Eat -> 1] } } "
    "LOC 1 { PLAYER q { MOVES [Turn -> 0]; [Eat -> 0] } } "
    "START [a, b, c, d | P {a; b; c}; Q {d}; R {(a, b); (b, c); (c, d); (d, a)} | ]";

/* ---- lists and games ---- */

static void put_literal(const alea_toss_file *f, alea_rng *rng, alea_text *out) {
  uint32_t r;
  do {
    r = alea_rng_below(rng, (uint32_t)f->relations.count);
  } while (f->relations.data[r].body != NONE || f->relations.data[r].arity > 2);
  alea_text_format(out, "%s%s(", alea_rng_below(rng, 3) == 0 ? "not " : "",
                   alea_toss_text(f, f->relations.data[r].name));
  for (uint32_t i = 0; i < f->relations.data[r].arity; i++) {
    alea_text_format(out, "%s%c", i == 0 ? "" : ", ", "xy"[alea_rng_below(rng, 2)]);
  }
  alea_text_char(out, ')');
}

static void put_case(const alea_toss_file *signature, uint32_t location, alea_rng *rng,
                     alea_text *out) {
  static const char *const quantifiers[] = {"ex x, y", "ex x all y", "all x ex y"};
  alea_text_format(out, "EVAL %u %s (", location, quantifiers[alea_rng_below(rng, 3)]);
  for (uint32_t i = 0; i < 3; i++) {
    if (i > 0) alea_text_put(out, alea_rng_below(rng, 3) == 0 ? " or " : " and ");
    put_literal(signature, rng, out);
  }
  uint32_t share = alea_rng_below(rng, 20), rest = alea_rng_below(rng, 21 - share);
  alea_text_format(out, ") => (1, 0) %g; (0.25, 0.75) %g; (0, 1) %g\n", share / 20.0, rest / 20.0,
                   (20 - share - rest) / 20.0);
}

/* The values of all moves of both, at positions of a random play. */
static void compare_values(const alea_game *game, const alea_toss_evaluation *list,
                           const alea_toss_evaluation *games, alea_rng *rng, alea_mem *mem) {
  static uint32_t verdicts[ALEA_TOSS_MOST_JOINTS];
  static double a[ALEA_TOSS_MOST_JOINTS * 2], b[ALEA_TOSS_MOST_JOINTS * 2],
      squares[ALEA_TOSS_MOST_JOINTS * 2];
  alea_toss_arena first, second;
  assert_int_equal(alea_toss_arena_open(&first, game, list, NULL, mem), ALEA_OK);
  assert_int_equal(alea_toss_arena_open(&second, game, games, NULL, mem), ALEA_OK);
  for (int step = 0; step < 5; step++) {
    alea_toss_joints j;
    bool over;
    alea_move joint[3];
    assert_int_equal(alea_cursor_terminal(first.cursor, &over), ALEA_OK);
    if (over) break;
    assert_int_equal(alea_toss_arena_joints(&first, &j), ALEA_OK);
    assert_int_equal(alea_toss_arena_joints(&second, &j), ALEA_OK);
    assert_int_equal(alea_toss_arena_judge(&first, &j, 0, NULL, verdicts, a, squares), ALEA_OK);
    assert_int_equal(alea_toss_arena_judge(&second, &j, 0, NULL, verdicts, b, squares), ALEA_OK);
    for (uint32_t i = 0; i < j.total * 2; i++) assert_true(fabs(a[i] - b[i]) < 1e-9);
    assert_int_equal(alea_toss_arena_moves(&first, &j, alea_rng_below(rng, j.total), joint),
                     ALEA_OK);
    assert_int_equal(alea_toss_arena_follow(&first, joint), ALEA_OK);
    assert_int_equal(alea_toss_arena_follow(&second, joint), ALEA_OK);
  }
  alea_toss_arena_close(&first);
  alea_toss_arena_close(&second);
}

static void list_as_game(void **state) {
  (void)state;
  alea_rng rng;
  alea_rng_seed(&rng, 7);
  for (int round = 0; round < 30; round++) {
    alea_mem mem;
    alea_mem_init(&mem, 0);
    alea_game *game = round % 3 == 0 ? open_rewriting_game("toss-tictactoe", &mem)
                                     : open_rewriting_text(cells, &mem);
    alea_toss_evaluation *signature, *list, *games;
    assert_int_equal(alea_toss_evaluation_new(&signature, game, NULL, &mem, NULL), ALEA_OK);
    alea_text text, as_games;
    alea_text_init(&text, &mem);
    alea_text_init(&as_games, &mem);
    for (uint32_t i = 0; i < 4; i++) put_case(signature->file, i % 2, &rng, &text);
    list = read_evaluation(game, text.data, &mem);
    assert_int_equal(alea_toss_evaluation_as_games(list, &as_games, &mem), ALEA_OK);
    games = read_evaluation(game, as_games.data, &mem);
    assert_true(alea_toss_evaluation_is_list(list) && !alea_toss_evaluation_is_list(games));
    compare_values(game, list, games, &rng, &mem);
    alea_text_clear(&text);
    alea_text_clear(&as_games);
    alea_toss_evaluation_free(signature);
    alea_toss_evaluation_free(list);
    alea_toss_evaluation_free(games);
    alea_game_free(game);
    assert_int_equal(mem.used, 0);
  }
}

/* ---- values ---- */

/* Backward induction over the moves of the game interface, where one player
 * moves at a time: every token of chance is played. */
static void induce(alea_cursor *cursor, uint32_t players, double *value, alea_mem *mem) {
  alea_u64s here = {0};
  bool over;
  assert_int_equal(alea_cursor_terminal(cursor, &over), ALEA_OK);
  for (uint32_t p = 0; p < players && over; p++) {
    assert_int_equal(alea_toss_cursor_payoff(cursor, p, &value[p]), ALEA_OK);
  }
  if (over) return;
  assert_int_equal(alea_position_keep(&here, cursor, mem), ALEA_OK);
  alea_list list;
  alea_move moves[2][4096], tokens[512], joint[3];
  uint32_t counts[2], chance = 1, mover = 0, ties = 0;
  for (uint32_t p = 0; p < players; p++) {
    assert_int_equal(alea_cursor_legal(cursor, p, &list), ALEA_OK);
    counts[p] = list.count;
    assert_true(list.count <= 4096);
    memcpy(moves[p], list.ids, list.count * sizeof *list.ids);
    if (list.count > 1) mover = p;
  }
  if (cursor->game->random_role >= 0) {
    assert_int_equal(alea_cursor_legal(cursor, players, &list), ALEA_OK);
    chance = list.count;
    assert_true(chance <= 512);
    memcpy(tokens, list.ids, chance * sizeof *list.ids);
  }
  double best = -1;
  for (uint32_t i = 0; i < counts[mover]; i++) {
    double mean[2] = {0};
    for (uint32_t t = 0; t < chance; t++) {
      double after[2];
      joint[0] = moves[0][0], joint[1] = moves[1][0], joint[mover] = moves[mover][i];
      joint[2] = tokens[t];
      assert_int_equal(alea_cursor_load(cursor, here.data, here.count), ALEA_OK);
      assert_int_equal(alea_cursor_play(cursor, joint), ALEA_OK);
      induce(cursor, players, after, mem);
      for (uint32_t p = 0; p < players; p++) mean[p] += after[p] / chance;
    }
    if (mean[mover] < best - 1e-9) continue;
    if (mean[mover] > best + 1e-9) ties = 0, value[0] = value[1] = 0, best = mean[mover];
    ties++;
    for (uint32_t p = 0; p < players; p++) value[p] += mean[p];
  }
  for (uint32_t p = 0; p < players; p++) value[p] /= ties;
  alea_vec_clear(mem, &here);
}

/* ---- constructions ---- */

typedef struct random_chooser {
  alea_rng *rng;
  int left;
  uint32_t relations;
} random_chooser;

static uint32_t one_of(alea_rng *rng, uint32_t count) {
  return count != 0 ? alea_rng_below(rng, count) : 0;
}

/* Any production with operands that mostly exist: a chooser without a plan. */
static bool choose_any(void *context, const alea_toss_construction *c, alea_toss_production *q) {
  random_chooser *r = context;
  uint32_t counts[4];
  alea_toss_construction_counts(c, counts);
  if (r->left-- == 0) return false;
  q->kind = (alea_toss_production_kind)alea_rng_below(r->rng, ALEA_TOSS_MAKE_SEQUENCE + 1);
  q->number = (double)alea_rng_below(r->rng, 5) / 4;
  static const uint32_t usual[] = {0, 2, 2, 2, 1, 2, 2, 2, 2, 0, 2, 2, 2, 1, 3, 0, 1, 3, 2, 2};
  bool formulas = (q->kind >= ALEA_TOSS_MAKE_NOT && q->kind <= ALEA_TOSS_MAKE_OR) ||
                  q->kind == ALEA_TOSS_MAKE_CHAR;
  bool terms = q->kind == ALEA_TOSS_MAKE_LESS || q->kind == ALEA_TOSS_MAKE_PLUS ||
               q->kind == ALEA_TOSS_MAKE_TIMES || q->kind == ALEA_TOSS_MAKE_END;
  uint32_t set = formulas ? 0 : terms ? 1 : q->kind < ALEA_TOSS_MAKE_END ? 2 : 3;
  q->count = q->kind <= ALEA_TOSS_MAKE_END      ? usual[q->kind]
             : q->kind == ALEA_TOSS_MAKE_CHOICE ? 10
                                                : 2;
  if (q->kind == ALEA_TOSS_MAKE_CHANCE) q->count = 4;
  for (uint32_t i = 0; i < q->count; i++) q->operands[i] = one_of(r->rng, counts[set]);
  if (q->kind == ALEA_TOSS_MAKE_ATOM || q->kind == ALEA_TOSS_MAKE_TUPLE) {
    q->operands[q->kind == ALEA_TOSS_MAKE_TUPLE] = alea_rng_below(r->rng, r->relations);
    q->operands[q->kind == ALEA_TOSS_MAKE_TUPLE ? 2 : 1] = alea_rng_below(r->rng, 3);
  }
  if (q->kind == ALEA_TOSS_MAKE_EXISTS || q->kind == ALEA_TOSS_MAKE_FORALL) {
    q->operands[0] = alea_rng_below(r->rng, 3);
    q->operands[1] = one_of(r->rng, counts[0]);
  }
  if (q->kind == ALEA_TOSS_MAKE_SUM) {
    q->operands[1] = one_of(r->rng, counts[0]), q->operands[2] = one_of(r->rng, counts[1]);
  }
  if (q->kind == ALEA_TOSS_MAKE_CHANCE) {
    q->operands[1] = 1 + alea_rng_below(r->rng, 3), q->operands[3] = 1 + alea_rng_below(r->rng, 3);
  }
  if (q->kind == ALEA_TOSS_MAKE_CHOICE) {
    bool test = alea_rng_below(r->rng, 2) == 0;
    q->operands[0] = alea_rng_below(r->rng, 2);
    for (uint32_t i = 2; i < 10; i += 4) {
      q->operands[i] = test ? NONE : one_of(r->rng, counts[2]);
      q->operands[i + 1] = test ? NONE : one_of(r->rng, counts[2]);
      q->operands[i + 2] = one_of(r->rng, counts[0]);
    }
  }
  return true;
}

/* Whether a value was found and compared. */
static bool check_game(const alea_game *game, const char *text, alea_mem *mem) {
  alea_toss_evaluation *e = read_evaluation(game, text, mem);
  alea_cursor *before, *after;
  alea_toss_stage stage;
  uint32_t location;
  assert_int_equal(alea_cursor_new(game, mem, &before), ALEA_OK);
  assert_int_equal(alea_cursor_new(game, mem, &after), ALEA_OK);
  alea_move joint[2] = {alea_game_move_find(game, 0, "(split b)"),
                        alea_game_move_find(game, 1, "noop")};
  assert_int_equal(alea_cursor_play(after, joint), ALEA_OK);
  alea_toss_transition move = {alea_toss_cursor_structure(before, &location),
                               alea_toss_cursor_structure(after, &location),
                               alea_toss_cursor_origins(after)};
  assert_int_equal(alea_toss_stage_init(&stage, e, mem), ALEA_OK);
  assert_int_equal(alea_toss_stage_set(&stage, e, &move, location), ALEA_OK);
  double value[2], squares[2], expected[2] = {0};
  alea_status status = alea_toss_verdict_assess(e, &stage, 0, 0, NULL, value, squares);
  assert_true(status == ALEA_OK || status == ALEA_LIMIT);
  if (status == ALEA_OK) {
    alea_toss_structure *s = alea_toss_cursor_begin(stage.cursors[0], 0);
    assert_int_equal(alea_toss_doubled_fill(&e->games.data[0].doubled, &move, s), ALEA_OK);
    induce(stage.cursors[0], 2, expected, mem);
    for (int p = 0; p < 2; p++) assert_true(fabs(value[p] - expected[p]) < 1e-9);
    for (int p = 0; p < 2; p++) assert_true(value[p] >= 0 && value[p] <= 1);
  }
  alea_toss_stage_clear(&stage);
  alea_cursor_free(before);
  alea_cursor_free(after);
  alea_toss_evaluation_free(e);
  return status == ALEA_OK;
}

static void constructions(void **state) {
  (void)state;
  alea_rng rng;
  int compared = 0, longest = 0;
  for (int round = 0; round < 60; round++) {
    alea_rng_seed(&rng, (uint64_t)round);
    alea_mem mem;
    alea_mem_init(&mem, 0);
    alea_game *game = open_rewriting_text(cells, &mem);
    alea_toss_evaluation *signature;
    assert_int_equal(alea_toss_evaluation_new(&signature, game, NULL, &mem, NULL), ALEA_OK);
    alea_toss_construction *c = alea_toss_construction_new(signature, &mem);
    random_chooser chooser = {&rng, 400, (uint32_t)signature->file->relations.count};
    alea_status status = alea_toss_construct_by(c, choose_any, &chooser);
    assert_true(status == ALEA_OK || status == ALEA_LIMIT);
    uint32_t counts[4];
    alea_toss_construction_counts(c, counts);
    if (counts[3] > 0) {
      alea_text text;
      alea_text_init(&text, &mem);
      alea_text_put(&text, "GAME 0\n");
      assert_int_equal(alea_toss_construction_print(c, counts[3] - 1, &text), ALEA_OK);
      alea_text_put(&text, "END\n");
      if ((int)text.length > longest) longest = (int)text.length;
      if (text.length < 20000) compared += check_game(game, text.data, &mem);
      alea_text_clear(&text);
    }
    alea_toss_construction_free(c);
    alea_toss_evaluation_free(signature);
    alea_game_free(game);
    assert_int_equal(mem.used, 0);
  }
  assert_true(compared > 20 && longest > 500);
}

/* ---- the structure of a move ---- */

static void doubled_by_definition(void **state) {
  (void)state;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_game *game = open_rewriting_text(cells, &mem);
  alea_toss_evaluation *e;
  assert_int_equal(alea_toss_evaluation_new(&e, game, NULL, &mem, NULL), ALEA_OK);
  const alea_toss_rules *rules = alea_toss_of(game)->rules;
  alea_toss_structure *before = alea_toss_rules_structure(rules, &mem);
  alea_toss_structure *after = alea_toss_rules_structure(rules, &mem);
  alea_toss_structure *to = alea_toss_rules_structure(e->rules, &mem);
  alea_rng rng;
  alea_rng_seed(&rng, 3);
  for (int round = 0; round < 200; round++) {
    uint32_t origins[128], n = 6;
    for (uint32_t i = 0; i < rules->capacity; i++) {
      before->alive[i] = i < n && alea_rng_below(&rng, 4) != 0;
      after->alive[i] = i < n && alea_rng_below(&rng, 4) != 0;
      origins[i] = i < n && alea_rng_below(&rng, 3) != 0 ? alea_rng_below(&rng, n) : NONE;
      if (origins[i] != NONE && !before->alive[origins[i]]) origins[i] = NONE;
    }
    for (uint32_t r = 0; r < 3; r++) {
      alea_toss_structure_empty(before, r);
      for (int k = 0; k < 6; k++) {
        uint32_t t[2] = {alea_rng_below(&rng, n), alea_rng_below(&rng, n)};
        bool alive = before->alive[t[0]] && (before->tables[r].arity == 1 || before->alive[t[1]]);
        if (alive) assert_true(alea_toss_structure_add(before, r, t));
      }
    }
    alea_toss_transition move = {before, after, origins};
    assert_int_equal(alea_toss_doubled_fill(&e->doubled, &move, to), ALEA_OK);
    for (uint32_t r = 0; r < 3; r++) {
      for (uint32_t x = 0; x < n; x++) {
        for (uint32_t y = 0; y < n; y++) {
          uint32_t t[2] = {x, y}, o[2] = {origins[x], origins[y]};
          bool two = before->tables[r].arity == 2;
          bool there =
              after->alive[x] && o[0] != NONE && (!two || (after->alive[y] && o[1] != NONE));
          bool expected = there && alea_toss_structure_has(before, r, o);
          assert_int_equal(alea_toss_structure_has(to, e->doubled.old[r], t), expected);
        }
      }
    }
  }
  alea_toss_structure_free(before);
  alea_toss_structure_free(after);
  alea_toss_structure_free(to);
  alea_toss_evaluation_free(e);
  alea_game_free(game);
  assert_int_equal(mem.used, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(list_as_game),
      cmocka_unit_test(constructions),
      cmocka_unit_test(doubled_by_definition),
  };
  return cmocka_run_group_tests_name("toss evaluation", tests, NULL, NULL);
}
