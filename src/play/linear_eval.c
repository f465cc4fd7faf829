/* The evaluation that random plays teach. */
#include "play/linear_eval.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  MOST_STEPS = 1000, /* of a play */
  MOST_ROLES = 64,
  FINAL_PLAYS = 32, /* that tell how much a step changes the score */
};
static const float RATE = 0.1f, FIRST_SQUARES = 1e-3f;
static const double LOUD = 1.5;      /* standard deviations above the mean */
static const float MOST_SCORE = 100; /* of one fluent, in the logit */

alea_status alea_linear_eval_init(alea_linear_eval *eval, const alea_game *game, uint32_t role,
                                  alea_mem *mem) {
  *eval = (alea_linear_eval){.mem = mem, .game = game, .role = role};
  alea_cursor *cursor;
  alea_status status = alea_cursor_new(game, mem, &cursor);
  if (status != ALEA_OK) return status;
  (void)alea_cursor_state(cursor, &eval->word_count);
  alea_cursor_free(cursor);
  size_t size = 64 * eval->word_count;
  eval->weights = alea_mem_calloc(mem, size, sizeof *eval->weights);
  eval->squares = alea_mem_calloc(mem, size, sizeof *eval->squares);
  eval->kind_of = alea_mem_calloc(mem, size, sizeof *eval->kind_of);
  eval->scores = alea_mem_calloc(mem, size, sizeof *eval->scores);
  eval->terms = alea_terms_new(NULL, mem);
  bool good = eval->weights != NULL && eval->squares != NULL && eval->kind_of != NULL &&
              eval->scores != NULL && eval->terms != NULL;
  return good ? ALEA_OK : alea_mem_lack(mem);
}

void alea_linear_eval_clear(alea_linear_eval *eval) {
  if (eval->mem == NULL) return;
  size_t size = 64 * eval->word_count;
  alea_mem_free(eval->mem, eval->weights, size * sizeof *eval->weights);
  alea_mem_free(eval->mem, eval->squares, size * sizeof *eval->squares);
  alea_mem_free(eval->mem, eval->kind_of, size * sizeof *eval->kind_of);
  alea_mem_free(eval->mem, eval->scores, size * sizeof *eval->scores);
  alea_terms_free(eval->terms);
  alea_vec_clear(eval->mem, &eval->kinds);
  alea_vec_clear(eval->mem, &eval->positions);
  *eval = (alea_linear_eval){0};
}

/* ---- kinds ---- */

/* The kind of a fluent; NULL without memory. */
static alea_eval_kind *kind_of(alea_linear_eval *e, size_t fluent) {
  if (e->kind_of[fluent] != 0) return &e->kinds.data[e->kind_of[fluent] - 1];
  alea_term term = alea_game_fluent_term(e->game, (uint32_t)fluent, e->terms);
  if (term == ALEA_NO_TERM) return NULL;
  alea_eval_kind kind = {.name = alea_terms_name(e->terms, term), .last = ALEA_NO_TERM};
  for (uint32_t arity; (arity = alea_terms_arity(e->terms, term)) > 0; kind.depth++)
    kind.last = term = alea_terms_args(e->terms, term)[arity - 1];
  size_t k = 0;
  while (k < e->kinds.count &&
         (e->kinds.data[k].name != kind.name || e->kinds.data[k].last != kind.last ||
          e->kinds.data[k].depth != kind.depth))
    k++;
  if (k == e->kinds.count && !alea_vec_push(e->mem, &e->kinds, kind)) return NULL;
  e->kind_of[fluent] = (uint32_t)k + 1;
  return &e->kinds.data[k];
}

/* ---- one position ---- */

static void move_weight(float *weight, float *squares, float gradient) {
  *squares += gradient * gradient;
  *weight += RATE * gradient / sqrtf(FIRST_SQUARES + *squares);
}

/* Counts the fluents of each kind; the sum of all weights goes to '*sum'. */
static alea_status look(alea_linear_eval *e, const uint64_t *words, float *sum) {
  for (size_t k = 0; k < e->kinds.count; k++) e->kinds.data[k].count = 0;
  *sum = e->bias;
  for (size_t w = 0; w < e->word_count; w++) {
    for (uint64_t bits = words[w]; bits != 0; bits &= bits - 1) {
      size_t fluent = 64 * w + (unsigned)__builtin_ctzll(bits);
      alea_eval_kind *kind = kind_of(e, fluent);
      if (kind == NULL) return alea_mem_lack(e->mem);
      kind->count++;
      *sum += e->weights[fluent] + kind->weight;
    }
  }
  return ALEA_OK;
}

alea_status alea_linear_eval_fit(alea_linear_eval *e, const uint64_t *words, float goal) {
  float sum;
  alea_status status = look(e, words, &sum);
  if (status != ALEA_OK) return status;
  float gradient = goal - 1 / (1 + expf(-sum));
  move_weight(&e->bias, &e->bias_squares, gradient);
  for (size_t w = 0; w < e->word_count; w++) {
    for (uint64_t bits = words[w]; bits != 0; bits &= bits - 1) {
      size_t fluent = 64 * w + (unsigned)__builtin_ctzll(bits);
      move_weight(&e->weights[fluent], &e->squares[fluent], gradient);
    }
  }
  for (size_t k = 0; k < e->kinds.count; k++) {
    alea_eval_kind *kind = &e->kinds.data[k];
    if (kind->count > 0) move_weight(&kind->weight, &kind->squares, gradient * (float)kind->count);
  }
  return ALEA_OK;
}

/* ---- one play ---- */

static alea_status note(alea_linear_eval *e, alea_cursor *cursor) {
  size_t count;
  const uint64_t *words = alea_cursor_state(cursor, &count);
  if (!alea_vec_reserve(e->mem, &e->positions, count)) return alea_mem_lack(e->mem);
  memcpy(e->positions.data + e->positions.count, words, count * sizeof *words);
  e->positions.count += count;
  return ALEA_OK;
}

/* Plays at random from the first position, which is noted with all that follow
 * but the last; '*over': the game has ended. */
static alea_status play(alea_linear_eval *e, alea_cursor *cursor, alea_rng *rng, bool *over) {
  alea_move joint[MOST_ROLES];
  e->positions.count = 0;
  *over = false;
  alea_status status = alea_cursor_reset(cursor);
  if (e->game->role_count > MOST_ROLES) return status;
  for (uint32_t steps = 0; status == ALEA_OK && steps < MOST_STEPS; steps++) {
    status = alea_cursor_terminal(cursor, over);
    if (status != ALEA_OK || *over) return status;
    status = note(e, cursor);
    for (uint32_t r = 0; status == ALEA_OK && r < e->game->role_count; r++) {
      alea_list legal;
      status = alea_cursor_legal(cursor, r, &legal);
      if (status != ALEA_OK || legal.count == 0) return status;
      joint[r] = legal.ids[legal.count > 1 ? alea_rng_below(rng, legal.count) : 0];
    }
    if (status == ALEA_OK) status = alea_cursor_play(cursor, joint);
  }
  return status;
}

alea_status alea_linear_eval_learn(alea_linear_eval *eval, alea_cursor *cursor, alea_rng *rng) {
  bool over;
  int goal;
  alea_status status = play(eval, cursor, rng, &over);
  eval->plays++;
  if (status != ALEA_OK || !over) return status;
  status = alea_cursor_goal(cursor, eval->role, &goal);
  float reward = goal > 0 ? (float)goal / 100 : 0;
  for (size_t at = 0; status == ALEA_OK && at < eval->positions.count; at += eval->word_count)
    status = alea_linear_eval_fit(eval, eval->positions.data + at, reward);
  return status;
}

/* ---- what was learnt ---- */

static int32_t score_of(float weight) {
  return (int32_t)lrintf(ALEA_EVAL_UNIT * fmaxf(-MOST_SCORE, fminf(MOST_SCORE, weight)));
}

int32_t alea_linear_eval_score(const alea_linear_eval *eval, const uint64_t *words) {
  int32_t sum = eval->base;
  for (size_t w = 0; w < eval->word_count; w++)
    for (uint64_t bits = words[w]; bits != 0; bits &= bits - 1)
      sum += eval->scores[64 * w + (unsigned)__builtin_ctzll(bits)];
  return sum;
}

void alea_linear_eval_settle(alea_linear_eval *eval, float kept) {
  eval->base = score_of(eval->bias);
  eval->bias_squares *= kept;
  for (size_t k = 0; k < eval->kinds.count; k++) eval->kinds.data[k].squares *= kept;
  for (size_t f = 0; f < 64 * eval->word_count; f++) {
    uint32_t kind = eval->kind_of[f];
    float common = kind > 0 ? eval->kinds.data[kind - 1].weight : 0;
    eval->scores[f] = score_of(eval->weights[f] + common);
    eval->squares[f] *= kept;
  }
}

alea_status alea_linear_eval_finish(alea_linear_eval *eval, alea_cursor *cursor, alea_rng *rng) {
  double n = 0, sum = 0, squares = 0;
  bool over;
  alea_status status = ALEA_OK;
  alea_linear_eval_settle(eval, 1);
  for (int i = 0; status == ALEA_OK && i < FINAL_PLAYS; i++) {
    status = play(eval, cursor, rng, &over);
    for (size_t at = eval->word_count; at < eval->positions.count; at += eval->word_count) {
      const uint64_t *to = eval->positions.data + at;
      double step = abs(alea_linear_eval_step(eval, to - eval->word_count, to));
      n += 1, sum += step, squares += step * step;
    }
  }
  if (n > 0) sum /= n, squares /= n;
  eval->loud = (int32_t)(sum + LOUD * sqrt(fmax(0, squares - sum * sum)));
  return status;
}
