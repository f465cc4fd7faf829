/* What evaluations learn: the same from the same seed, and what is known of games that people
 * play. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "learning/eval_learning.h"
#include "minimax/eval_file.h"
#include "support/match_run.h"

enum { PLAYS = 10000, FEW_PLAYS = 1500 };

typedef struct pupil {
  alea_opened opened;
  alea_mem mem;
  alea_linear_eval eval;
} pupil;

static void begin(pupil *p, const char *game, uint64_t plays, uint64_t games, uint64_t seed) {
  open_game(&p->opened, game);
  alea_mem_init(&p->mem, 0);
  alea_player_setup setup = {
      .game = p->opened.game, .services = p->opened.services, .mem = &p->mem};
  alea_budget budget = {0};
  alea_rng rng;
  alea_rng_seed_stream(&rng, seed, 0);
  alea_eval_lessons lessons = {.plays = plays, .games = games, .budget = &budget, .rng = &rng};
  assert_int_equal(alea_linear_eval_init(&p->eval, p->opened.game, 0, &p->mem), ALEA_OK);
  assert_int_equal(alea_eval_learn(&p->eval, &setup, &lessons), ALEA_OK);
}

static void end(pupil *p) {
  alea_linear_eval_clear(&p->eval);
  assert_int_equal(p->mem.used, 0);
  alea_opened_clear(&p->opened);
}

/* The mean score of fluents whose names contain a text. */
static double worth(pupil *p, const char *part) {
  double sum = 0, count = 0;
  for (uint32_t f = 0; f < p->eval.features.fluent_count; f++) {
    alea_text text;
    alea_text_init(&text, &p->mem);
    alea_game_fluent_text(p->opened.game, f, false, &text);
    if (strstr(alea_text_string(&text), part) != NULL) sum += p->eval.scores[f], count += 1;
    alea_text_clear(&text);
  }
  assert_true(count > 0);
  return sum / count;
}

/* What is learnt of a game with some seeds, the first two of which are the same, as files. */
static void learn_thrice(const char *game, uint64_t games, alea_text files[3], alea_mem *mem) {
  for (int i = 0; i < 3; i++) {
    pupil p;
    begin(&p, game, FEW_PLAYS, games, i < 2 ? 7 : 8);
    alea_text_init(&files[i], mem);
    alea_eval_file_add(&files[i], &p.eval);
    end(&p);
  }
  assert_string_equal(alea_text_string(&files[0]), alea_text_string(&files[1]));
}

/* In the first game few plays may teach no more than a count of pieces, whatever the seed. */
static void a_seed_gives_the_same_file(void **state) {
  (void)state;
  alea_text files[3];
  alea_mem mem;
  alea_mem_init(&mem, 0);
  learn_thrice("breakthrough", 4, files, &mem);
  for (int i = 0; i < 3; i++) alea_text_clear(&files[i]);
  learn_thrice("free-for-all", 2, files, &mem);
  assert_string_not_equal(alea_text_string(&files[0]), alea_text_string(&files[2]));
  for (int i = 0; i < 3; i++) alea_text_clear(&files[i]);
}

/* Smoothing leaves kinds what they are worth, and squares a part of what sets them apart. */
static void check_smoothing(pupil *p) {
  double white = worth(p, " white)"), black = worth(p, " black)");
  double apart = worth(p, " 7 white)") - worth(p, " 5 white)");
  alea_linear_eval_smooth(&p->eval, 0.25f);
  alea_linear_eval_settle(&p->eval, 1);
  assert_true(fabs(worth(p, " white)") - white) < 1);
  assert_true(fabs(worth(p, " black)") - black) < 1);
  assert_true(fabs(worth(p, " 7 white)") - worth(p, " 5 white)") - 0.25 * apart) < 2);
}

/* Pieces are worth something, and more the further they are; to the other role as much less,
 * and whose turn it is says nothing. */
static void advance_is_learnt(void **state) {
  (void)state;
  static const char *const games[] = {"breakthrough", "knight-through"};
  int count = getenv("ALEA_FULL") != NULL ? 2 : 1;
  for (int i = 0; i < count; i++) {
    pupil p;
    begin(&p, games[i], PLAYS, 0, 1);
    assert_int_equal(p.eval.plays, PLAYS);
    assert_true(worth(&p, " 7 white)") > worth(&p, " 5 white)"));
    assert_true(worth(&p, " 8 white)") > worth(&p, " 7 white)"));
    assert_true(worth(&p, " white)") > 100);
    assert_true(worth(&p, " 7 white)") + worth(&p, " 2 black)") < 1);
    assert_true(worth(&p, "(control") == 0);
    check_smoothing(&p);
    end(&p);
  }
}

static void kings_are_worth_more_than_men(void **state) {
  (void)state;
  pupil p;
  begin(&p, "english-draughts", PLAYS, 0, 1);
  assert_true(worth(&p, "white king)") > 1.1 * worth(&p, "white man)"));
  assert_true(worth(&p, "white man)") > 100);
  assert_true(worth(&p, "black king)") < 1.1 * worth(&p, "black man)"));
  end(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_seed_gives_the_same_file),
      cmocka_unit_test(advance_is_learnt),
      cmocka_unit_test(kings_are_worth_more_than_men),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
