/* Networks beside evaluations: sums that are carried along are those of the position, what is said
 * is what a plain loop over fluents and units says, files keep them, and fitting finds what no
 * linear evaluation can say. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "learning/eval_learning.h"
#include "learning/network_fit.h"
#include "minimax/alpha_beta.h"
#include "minimax/eval_file.h"
#include "support/match_run.h"

enum { UNITS = ALEA_NETWORK_UNITS, PLAYS = 500, STEPS = 40 };

typedef struct pupil {
  alea_opened opened;
  alea_mem mem;
  alea_player_setup setup;
  alea_cursor *cursor;
  alea_rng rng;
  alea_linear_eval eval;
} pupil;

/* An evaluation from some plays, and a few positions for the network, some of which are proved. */
static void begin_proved(pupil *p, const char *game, uint32_t role, uint64_t seed, uint64_t network,
                         uint64_t proved, uint32_t threads) {
  open_game(&p->opened, game);
  alea_mem_init(&p->mem, 0);
  alea_rng_seed_stream(&p->rng, seed, 0);
  p->setup = (alea_player_setup){
      .game = p->opened.game, .services = p->opened.services, .role = role, .mem = &p->mem};
  alea_budget budget = {0};
  alea_eval_lessons lessons = {.plays = PLAYS,
                               .network = network,
                               .proved = proved,
                               .threads = threads,
                               .budget = &budget,
                               .rng = &p->rng};
  assert_int_equal(alea_cursor_new(p->opened.game, &p->mem, &p->cursor), ALEA_OK);
  assert_int_equal(alea_linear_eval_init(&p->eval, p->opened.game, role, &p->mem), ALEA_OK);
  assert_int_equal(alea_eval_learn(&p->eval, &p->setup, &lessons), ALEA_OK);
}

static void begin(pupil *p, const char *game, uint32_t role, uint64_t seed, uint64_t network) {
  begin_proved(p, game, role, seed, network, 0, 1);
}

static void end(pupil *p) {
  alea_linear_eval_clear(&p->eval);
  alea_cursor_free(p->cursor);
  assert_int_equal(p->mem.used, 0);
  alea_opened_clear(&p->opened);
}

/* Gives the evaluation a network of random numbers; 'looks' at images, too. */
static void invent(pupil *p, bool looks) {
  alea_eval_network *n = &p->eval.network;
  alea_fluent_symmetry symmetry;
  assert_int_equal(
      alea_fluent_symmetry_find(&symmetry, p->opened.game, p->opened.services, true, NULL, &p->mem),
      ALEA_OK);
  const uint32_t *exchange = alea_fluent_symmetry_exchange(&symmetry);
  assert_non_null(exchange);
  uint32_t fluents = p->eval.features.fluent_count;
  alea_eval_network_clear(n);
  assert_int_equal(alea_eval_network_init(n, fluents, looks ? exchange : NULL, &p->mem), ALEA_OK);
  alea_fluent_symmetry_clear(&symmetry);
  for (uint32_t f = 0; f < fluents; f++)
    for (int u = 0; u < UNITS; u++)
      n->weights[f][u] = (int16_t)((int)alea_rng_below(&p->rng, 121) - 60);
  for (int u = 0; u < UNITS; u++) {
    n->bias[u] = (int16_t)((int)alea_rng_below(&p->rng, 201) - 100);
    n->out[u] = (int16_t)((int)alea_rng_below(&p->rng, 501) - 250);
  }
  n->rest = 17;
  n->drift = 100000;
}

static bool holds(const uint64_t *words, uint32_t fluent) {
  return (words[fluent / 64] >> (fluent % 64) & 1) != 0;
}

/* What a network says of a position, unit by unit; with 'image' of its image. */
static double said(const alea_eval_network *n, const uint64_t *words, bool image) {
  double sum = 0;
  for (int u = 0; u < UNITS; u++) {
    double unit = n->bias[u];
    for (uint32_t f = 0; f < n->fluent_count; f++)
      if (holds(words, f)) unit += n->weights[image ? n->image[f] : f][u];
    sum += n->out[u] * fmin(fmax(unit, 0), ALEA_NETWORK_ONE);
  }
  return sum / ALEA_NETWORK_ONE;
}

static void step(pupil *p) {
  alea_move joint[2];
  bool over;
  for (uint32_t r = 0; r < 2; r++) {
    alea_list legal;
    assert_int_equal(alea_cursor_legal(p->cursor, r, &legal), ALEA_OK);
    joint[r] = legal.ids[alea_rng_below(&p->rng, legal.count)];
  }
  assert_int_equal(alea_cursor_play(p->cursor, joint), ALEA_OK);
  assert_int_equal(alea_cursor_terminal(p->cursor, &over), ALEA_OK);
  if (over) assert_int_equal(alea_cursor_reset(p->cursor), ALEA_OK);
}

/* Also for the other role, which hears the opposite. */
static void sums_are_carried_along(void **state) {
  (void)state;
  for (int looks = 0; looks < 2; looks++) {
    pupil p;
    begin(&p, "breakthrough", 0, 1, 0);
    invent(&p, looks != 0);
    const alea_eval_network *n = &p.eval.network;
    uint64_t before[8];
    alea_network_sums sums[2], whole;
    int seen = 0;
    for (int i = 0; i < STEPS; i++) {
      size_t count;
      const uint64_t *words = alea_cursor_state(p.cursor, &count);
      assert_true(count <= 8);
      alea_eval_network_begin(n, words, count, &whole);
      if (i > 0) {
        alea_eval_network_step(n, before, words, count, &sums[0], &sums[1]);
        for (int v = 0; v < (looks ? 2 : 1); v++)
          assert_memory_equal(sums[1].of[v], whole.of[v], sizeof whole.of[v]);
      }
      double wanted = said(n, words, false) - (looks ? said(n, words, true) : 0) + n->rest;
      int32_t value = alea_eval_network_value(n, &whole);
      assert_true(fabs(value - wanted) <= 1);
      seen += abs(value) > 100;
      alea_eval_network_turn(&p.eval.network);
      assert_int_equal(alea_eval_network_value(n, &whole), -value);
      alea_eval_network_turn(&p.eval.network);
      memcpy(before, words, count * sizeof *words);
      sums[0] = whole;
      step(&p);
    }
    assert_true(seen > STEPS / 2);
    end(&p);
  }
}

/* The value of the cursor's position some steps ahead, by scores of whole positions; '*calm' until
 * somebody takes something or the game ends, where a search would look further. */
static double look_ahead(pupil *p, int depth, bool *calm) {
  alea_list legal[2];
  alea_move moves[64], joint[2];
  uint64_t here[8];
  size_t count;
  bool over;
  memcpy(here, alea_cursor_state(p->cursor, &count), p->eval.word_count * sizeof *here);
  if (depth == 0) {
    alea_network_sums sums;
    alea_eval_network_begin(&p->eval.network, here, count, &sums);
    return alea_linear_eval_score(&p->eval, here) +
           alea_eval_network_value(&p->eval.network, &sums);
  }
  for (uint32_t r = 0; r < 2; r++)
    assert_int_equal(alea_cursor_legal(p->cursor, r, &legal[r]), ALEA_OK);
  uint32_t chooser = legal[0].count > 1 ? 0 : 1, many = legal[chooser].count;
  double best = 0, sign = chooser == p->setup.role ? 1 : -1;
  assert_true(many <= 64);
  memcpy(moves, legal[chooser].ids, many * sizeof *moves);
  joint[1 - chooser] = legal[1 - chooser].ids[0];
  for (uint32_t i = 0; i < many && *calm; i++) {
    joint[chooser] = moves[i];
    assert_int_equal(alea_cursor_load(p->cursor, here, count), ALEA_OK);
    assert_int_equal(alea_cursor_play(p->cursor, joint), ALEA_OK);
    assert_int_equal(alea_cursor_terminal(p->cursor, &over), ALEA_OK);
    const uint64_t *words = alea_cursor_state(p->cursor, &count);
    uint64_t now = alea_linear_eval_material(&p->eval, words);
    if (over || many < 2 || now != alea_linear_eval_material(&p->eval, here)) *calm = false;
    double value = *calm ? look_ahead(p, depth - 1, calm) : 0;
    if (i == 0 || sign * value > sign * best) best = value;
  }
  assert_int_equal(alea_cursor_load(p->cursor, here, count), ALEA_OK);
  return best;
}

/* A search finds what looking at everything finds: the men are so far apart at the beginning that
 * nothing is taken.  What is left out by a first look at the linear part alone must not count. */
static void searches_hear_it(void **state) {
  (void)state;
  for (int depth = 1; depth <= 2; depth++) {
    pupil p;
    begin(&p, "breakthrough", 0, 2, 0);
    invent(&p, true);
    alea_alpha_beta *search;
    int compared = 0;
    assert_int_equal(alea_alpha_beta_new(&search, &p.setup, &p.eval, 1 << 16), ALEA_OK);
    for (int i = 0; i < STEPS; i++) {
      bool calm = true;
      if (i % 3 == 0) assert_int_equal(alea_cursor_reset(p.cursor), ALEA_OK);
      double best = look_ahead(&p, depth, &calm);
      if (calm) {
        alea_alpha_beta_answer answer;
        alea_budget budget = {.sims = 10000};
        size_t count;
        const uint64_t *words = alea_cursor_state(p.cursor, &count);
        alea_alpha_beta_forget(search);
        assert_int_equal(alea_alpha_beta_run(search, words, count, depth, &budget, &answer),
                         ALEA_OK);
        assert_true(fabs(answer.value - 100 / (1 + exp(-best / ALEA_EVAL_UNIT))) < 1e-6);
        compared++;
      }
      step(&p);
    }
    assert_true(compared > 10);
    alea_alpha_beta_free(search);
    end(&p);
  }
}

/* ---- fitting ---- */

/* Positions of two fluents that are there or not; who has exactly one of them wins. */
static void put_examples(alea_network_examples *e, alea_mem *mem) {
  *e = (alea_network_examples){.word_count = 1};
  for (uint64_t i = 0; i < 400; i++) {
    uint64_t words = i % 4;
    float target = words == 1 || words == 2 ? 0.95f : 0.05f;
    assert_true(alea_vec_push(mem, &e->words, words));
    assert_true(alea_vec_push(mem, &e->list, ((alea_network_example){.target = target})));
  }
}

/* And what is exported says what was fitted. */
static void fitting_finds_what_is_not_linear(void **state) {
  (void)state;
  alea_mem mem;
  alea_rng rng;
  alea_mem_init(&mem, 0);
  alea_rng_seed(&rng, 5);
  alea_fluent_symmetry symmetry = {.mem = &mem, .fluent_count = 2};
  alea_network_examples examples;
  put_examples(&examples, &mem);
  alea_network_fit fit;
  double linear, first, last;
  assert_int_equal(alea_network_fit_init(&fit, &symmetry, &rng, &mem), ALEA_OK);
  first = alea_network_fit_loss(&fit, &examples, &linear);
  for (int i = 0; i < 800; i++)
    assert_int_equal(alea_network_fit_round(&fit, &examples, 0.01f, &rng), ALEA_OK);
  last = alea_network_fit_loss(&fit, &examples, &linear);
  assert_true(fabs(linear - log(2)) < 1e-6);
  assert_true(first > 0.5 && last < 0.3); /* 0.1985 is the least that there is */
  alea_eval_network network;
  assert_int_equal(alea_eval_network_init(&network, 2, NULL, &mem), ALEA_OK);
  for (int half = 0; half < 2; half++) {
    alea_network_fit_export(&fit, half ? 0.5f : 1, &network);
    double scale = fit.parameters[fit.parameter_count - 2], loss = 0;
    for (uint64_t words = 0; words < 4; words++) {
      alea_network_sums sums;
      alea_eval_network_begin(&network, &words, 1, &sums);
      double logit = (half ? 2 : 1) * scale * alea_eval_network_value(&network, &sums) / 1000;
      double p = 1 / (1 + exp(-logit)), target = words == 1 || words == 2 ? 0.95 : 0.05;
      loss -= (target * log(p) + (1 - target) * log(1 - p)) / 4;
    }
    assert_true(fabs(loss - last) < 0.01);
  }
  alea_eval_network_clear(&network);
  alea_network_fit_clear(&fit);
  alea_vec_clear(&mem, &examples.words);
  alea_vec_clear(&mem, &examples.list);
  assert_int_equal(mem.used, 0);
}

/* Where the linear evaluation says the wrong thing loudly, nothing is fitted that cannot be
 * written: the whole numbers of a network say what the fit says. */
static void fitted_is_written(void **state) {
  (void)state;
  alea_mem mem;
  alea_rng rng;
  alea_mem_init(&mem, 0);
  alea_rng_seed_stream(&rng, 4, 0);
  alea_fluent_symmetry symmetry = {.mem = &mem, .fluent_count = 2};
  alea_network_examples examples = {.word_count = 1};
  for (uint64_t i = 0; i < 4096; i++) {
    uint64_t words = i & 3;
    alea_network_example it = {.linear = (i & 1) != 0 ? -20 : 20, .target = (i & 1) != 0};
    assert_true(alea_vec_push(&mem, &examples.words, words));
    assert_true(alea_vec_push(&mem, &examples.list, it));
  }
  alea_network_fit fit;
  alea_eval_network network;
  assert_int_equal(alea_network_fit_init(&fit, &symmetry, &rng, &mem), ALEA_OK);
  for (int i = 0; i < 20; i++)
    assert_int_equal(alea_network_fit_round(&fit, &examples, 0.3f, &rng), ALEA_OK);
  assert_int_equal(alea_eval_network_init(&network, 2, NULL, &mem), ALEA_OK);
  alea_network_fit_export(&fit, 1, &network);
  float scale = alea_network_fit_scale(&fit);
  const float *worth = fit.parameters + fit.parameter_count - 2 - UNITS;
  assert_true(scale < 0.1f);
  for (int u = 0; u < UNITS; u++)
    assert_true(fabsf(worth[u] * ALEA_EVAL_UNIT / scale - network.out[u]) <= 1);
  alea_eval_network_clear(&network);
  alea_network_fit_clear(&fit);
  alea_vec_clear(&mem, &examples.words);
  alea_vec_clear(&mem, &examples.list);
  assert_int_equal(mem.used, 0);
}

/* ---- files ---- */

static void files_keep_networks(void **state) {
  (void)state;
  pupil p;
  begin(&p, "breakthrough", 1, 3, 0);
  invent(&p, true);
  uint64_t fingerprint;
  assert_int_equal(alea_eval_fingerprint(p.opened.game, &p.mem, &fingerprint), ALEA_OK);
  for (int form = 0; form < 3; form++) { /* long, short, and of the other role for both */
    alea_text text;
    alea_linear_eval eval;
    alea_text_init(&text, &p.mem);
    if (form == 0) alea_eval_file_begin(&text, fingerprint);
    if (form > 0) alea_eval_file_begin_short(&text, fingerprint, p.opened.game);
    if (form == 2) alea_linear_eval_turn(&p.eval);
    if (form == 0) alea_eval_file_add(&text, &p.eval);
    if (form > 0) alea_eval_file_add_short(&text, &p.eval, form == 2);
    if (form == 2) alea_linear_eval_turn(&p.eval);
    assert_int_equal(alea_linear_eval_init(&eval, p.opened.game, 1, &p.mem), ALEA_OK);
    assert_int_equal(alea_eval_file_read_text(&eval, "text", alea_text_string(&text), NULL),
                     ALEA_OK);
    const alea_eval_network *a = &eval.network, *b = &p.eval.network;
    assert_non_null(a->mem);
    assert_memory_equal(a->weights, b->weights, b->fluent_count * sizeof *b->weights);
    assert_memory_equal(a->image, b->image, b->fluent_count * sizeof *b->image);
    assert_memory_equal(a->bias, b->bias, sizeof a->bias);
    assert_memory_equal(a->out, b->out, sizeof a->out);
    assert_int_equal(a->rest, b->rest);
    assert_int_equal(a->drift, b->drift);
    alea_linear_eval_clear(&eval);
    alea_text_clear(&text);
  }
  end(&p);
}

#define EIGHT " 1 2 3 4 5 6 7 8"
#define HEAD "both 0 plays 1 games 1 base 1 loud 1\n"
#define NETWORK HEAD "network 32 rest 0 drift 5\n"

static void bad_networks_are_refused(void **state) {
  (void)state;
  static const struct {
    const char *rest, *why;
  } cases[] = {
      {HEAD "network 32\n", "expected 'network UNITS"},
      {HEAD "network 16 rest 0 drift 5\n", "networks have 32 units"},
      {HEAD "network 32 rest 0 drift -5\n", "out of range"},
      {HEAD "network 32 rest 99999999999 drift 5\n", "out of range"},
      {NETWORK "network 32 rest 0 drift 5\n", "two networks"},
      {HEAD "bias" EIGHT EIGHT EIGHT EIGHT "\n", "no line 'network'"},
      {HEAD "weights 0" EIGHT EIGHT EIGHT EIGHT "\n", "no line 'network'"},
      {HEAD "images 0 1\n", "no line 'network'"},
      {NETWORK "bias" EIGHT EIGHT EIGHT "\n", "as many whole numbers"},
      {NETWORK "bias" EIGHT EIGHT EIGHT EIGHT " 1\n", "as many whole numbers"},
      {NETWORK "worth" EIGHT EIGHT EIGHT " 1 2 3 4 5 6 7 40000\n", "as many whole numbers"},
      {NETWORK "weights 99999" EIGHT EIGHT EIGHT EIGHT "\n", "no such fluent"},
      {NETWORK "weights -1" EIGHT EIGHT EIGHT EIGHT "\n", "no such fluent"},
      {NETWORK "weights x\n", "expected 'weights"},
      {NETWORK "images 0 99999\n", "no such fluent"},
      {NETWORK "images 99999 0\n", "no such fluent"},
      {NETWORK "images 0 x\n", "expected 'images"},
  };
  pupil p;
  uint64_t fingerprint;
  begin(&p, "tictactoe", 0, 1, 0);
  assert_int_equal(alea_eval_fingerprint(p.opened.game, &p.mem, &fingerprint), ALEA_OK);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    alea_text text, message;
    alea_linear_eval eval;
    alea_text_init(&text, &p.mem);
    alea_text_init(&message, &p.mem);
    alea_eval_file_begin_short(&text, fingerprint, p.opened.game);
    alea_text_put(&text, cases[i].rest);
    assert_int_equal(alea_linear_eval_init(&eval, p.opened.game, 0, &p.mem), ALEA_OK);
    assert_int_equal(alea_eval_file_read_text(&eval, "text", alea_text_string(&text), &message),
                     ALEA_INPUT);
    if (strstr(alea_text_string(&message), cases[i].why) == NULL)
      fail_msg("'%s' does not say '%s'", alea_text_string(&message), cases[i].why);
    alea_linear_eval_clear(&eval);
    alea_text_clear(&message);
    alea_text_clear(&text);
  }
  end(&p);
}

/* ---- learning ---- */

/* The same from the same seed, whatever the number of threads: how many random numbers were drawn
 * depends on every example, and examples on what was fitted before them. */
static void learning_repeats(void **state) {
  (void)state;
  uint64_t next[3];
  for (uint32_t i = 0; i < 3; i++) {
    pupil p;
    begin_proved(&p, "connect-four", 0, i < 2 ? 1 : 2, 1000, 0, i + 1);
    next[i] = alea_rng_next(&p.rng);
    end(&p);
  }
  assert_true(next[0] == next[1]);
  assert_true(next[0] != next[2]);
}

/* With proofs, too, whatever the number of threads; and proofs matter. */
static void proofs_repeat(void **state) {
  (void)state;
  uint64_t next[3];
  for (uint32_t i = 0; i < 3; i++) {
    pupil p;
    begin_proved(&p, "tictactoe", 0, 1, 200, i < 2 ? 500 : 1500, i + 1);
    next[i] = alea_rng_next(&p.rng);
    end(&p);
  }
  assert_true(next[0] == next[1]);
  assert_true(next[0] != next[2]);
}

/* Who stops at once gets no network; and time may end amid the games. */
static void learning_stops_early(void **state) {
  (void)state;
  atomic_bool stop = true;
  for (int clocked = 0; clocked < 2; clocked++) {
    pupil p;
    begin(&p, "breakthrough", 0, 1, 0);
    alea_budget budget = {.seconds = clocked ? 0.3 : 0, .stop = clocked ? NULL : &stop};
    alea_eval_lessons lessons = {
        .plays = 10, .network = UINT64_MAX, .budget = &budget, .rng = &p.rng};
    assert_int_equal(alea_eval_learn(&p.eval, &p.setup, &lessons), ALEA_OK);
    if (!clocked) assert_null(p.eval.network.mem);
    end(&p);
  }
}

/* Games of chance, of one, and of several who need not lose have no network. */
static void other_games_have_none(void **state) {
  (void)state;
  static const char *const games[] = {"backgammon", "prisoners-dilemma"};
  for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
    pupil p;
    begin(&p, games[i], 0, 1, 1000);
    assert_null(p.eval.network.mem);
    end(&p);
  }
}

/* ---- going on ---- */

static void same_network(const alea_eval_network *a, const alea_eval_network *b) {
  assert_memory_equal(a->weights, b->weights, b->fluent_count * sizeof *b->weights);
  assert_memory_equal(a->bias, b->bias, sizeof a->bias);
  assert_memory_equal(a->out, b->out, sizeof a->out);
  assert_int_equal(a->rest, b->rest);
}

/* What was written is what a fit goes on from, and the scale is that of the beginning, by which
 * searches tell what they think. */
static void fits_go_on(void **state) {
  (void)state;
  for (int looks = 0; looks < 2; looks++) {
    pupil p;
    alea_fluent_symmetry symmetry;
    alea_network_fit fit;
    alea_eval_network copy;
    begin(&p, "breakthrough", 0, 5, 0);
    invent(&p, looks != 0);
    assert_int_equal(alea_fluent_symmetry_find(&symmetry, p.opened.game, p.opened.services,
                                               looks != 0, NULL, &p.mem),
                     ALEA_OK);
    assert_int_equal(alea_network_fit_init(&fit, &symmetry, &p.rng, &p.mem), ALEA_OK);
    assert_int_equal(alea_eval_network_copy(&copy, &p.eval.network), ALEA_OK);
    float scale = alea_network_fit_scale(&fit);
    fit.parameters[fit.parameter_count - 2] = 0.05f; /* the scale */
    assert_true(alea_network_fit_scale(&fit) != scale);
    fit.steps = 7;
    alea_network_fit_import(&fit, &p.eval.network);
    assert_true(alea_network_fit_scale(&fit) == scale && fit.steps == 0);
    memset(copy.weights, 0, copy.fluent_count * sizeof *copy.weights);
    alea_network_fit_export(&fit, 1, &copy);
    same_network(&copy, &p.eval.network);
    alea_eval_network_clear(&copy);
    alea_network_fit_clear(&fit);
    alea_fluent_symmetry_clear(&symmetry);
    end(&p);
  }
}

/* A network that there was stays until another wins against it, whatever views it has. */
static void learning_goes_on(void **state) {
  (void)state;
  for (int looks = 0; looks < 2; looks++) {
    pupil p;
    begin(&p, "breakthrough", 0, 5, 0);
    invent(&p, looks != 0);
    alea_eval_network before;
    assert_int_equal(alea_eval_network_copy(&before, &p.eval.network), ALEA_OK);
    alea_budget budget = {0};
    alea_eval_lessons lessons = {.network = 20, .budget = &budget, .rng = &p.rng};
    assert_int_equal(alea_eval_learn(&p.eval, &p.setup, &lessons), ALEA_OK);
    same_network(&p.eval.network, &before); /* so few positions teach nothing */
    assert_int_equal(p.eval.network.drift, before.drift);
    assert_true((p.eval.network.image == NULL) == (looks == 0));
    assert_int_equal(p.eval.plays, PLAYS);
    alea_eval_network_clear(&before);
    end(&p);
  }
}

/* What random numbers come next after learning from so many positions of games and of searches. */
static uint64_t next_number(uint64_t differences, uint64_t network) {
  pupil p;
  begin(&p, "breakthrough", 0, 5, 0);
  alea_budget budget = {0};
  alea_eval_lessons lessons = {
      .differences = differences, .network = network, .budget = &budget, .rng = &p.rng};
  assert_int_equal(alea_eval_learn(&p.eval, &p.setup, &lessons), ALEA_OK);
  uint64_t number = alea_rng_next(&p.rng);
  end(&p);
  return number;
}

/* Games come first: thirty positions for each of searches, or as many as are asked for. */
static void games_are_counted(void **state) {
  (void)state;
  uint64_t usual = next_number(0, 300);
  assert_true(next_number(9000, 300) == usual);
  assert_true(next_number(3000, 300) != usual);
  assert_true(next_number(9000, 0) != usual);
  assert_true(next_number(9000, 0) != next_number(0, 0));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sums_are_carried_along),
      cmocka_unit_test(searches_hear_it),
      cmocka_unit_test(fitting_finds_what_is_not_linear),
      cmocka_unit_test(fitted_is_written),
      cmocka_unit_test(files_keep_networks),
      cmocka_unit_test(bad_networks_are_refused),
      cmocka_unit_test(learning_repeats),
      cmocka_unit_test(proofs_repeat),
      cmocka_unit_test(learning_stops_early),
      cmocka_unit_test(other_games_have_none),
      cmocka_unit_test(fits_go_on),
      cmocka_unit_test(learning_goes_on),
      cmocka_unit_test(games_are_counted),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
