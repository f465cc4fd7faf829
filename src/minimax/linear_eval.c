/* The evaluation that plays teach. */
#include "minimax/linear_eval.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

enum {
  MOST_STEPS = 1000, /* of a play */
  MOST_ROLES = 64,
  FINAL_PLAYS = 32, /* that tell how much a step changes the score */
  TURN_PLAYS = 16,
  LEAST_STEPS = 30,   /* of plays that tell whose turn it is */
  FINAL_STEPS = 1000, /* of them all */
};
static const float RATE = 0.05f, FIRST_SQUARES = 1e-3f;
static const double TURNS = 0.9;      /* share of the steps that change whose turn it is */
static const double LOUD = 1.5;       /* standard deviations above the mean */
static const double MOST_QUIET = 0.9; /* share of the quiet steps that are not loud */
static const double CAPTURES = 0.5;   /* share of the steps in which pieces come or go, at most */
static const float MOST_SCORE = 100;  /* of one fluent, in the logit */

alea_status alea_linear_eval_init(alea_linear_eval *eval, const alea_game *game, uint32_t role,
                                  alea_mem *mem) {
  *eval = (alea_linear_eval){.mem = mem, .game = game, .role = role};
  alea_cursor *cursor;
  alea_status status = alea_cursor_new(game, mem, &cursor);
  if (status != ALEA_OK) return status;
  (void)alea_cursor_state(cursor, &eval->word_count);
  alea_cursor_free(cursor);
  eval->scores = alea_mem_calloc(mem, 64 * eval->word_count, sizeof *eval->scores);
  eval->flips = alea_mem_calloc(mem, 64 * eval->word_count, sizeof *eval->flips);
  if (eval->scores == NULL || eval->flips == NULL) return alea_mem_lack(mem);
  status = alea_eval_features_init(&eval->features, game, mem);
  return status == ALEA_OK ? alea_eval_patterns_init(&eval->patterns, game, mem) : status;
}

void alea_linear_eval_clear(alea_linear_eval *eval) {
  if (eval->mem == NULL) return;
  alea_mem_free(eval->mem, eval->scores, 64 * eval->word_count * sizeof *eval->scores);
  alea_mem_free(eval->mem, eval->flips, 64 * eval->word_count * sizeof *eval->flips);
  alea_eval_features_clear(&eval->features);
  alea_eval_patterns_clear(&eval->patterns);
  alea_eval_network_clear(&eval->network);
  alea_vec_clear(eval->mem, &eval->touched);
  alea_vec_clear(eval->mem, &eval->positions);
  alea_vec_clear(eval->mem, &eval->choices);
  *eval = (alea_linear_eval){0};
}

/* ---- one position ---- */

static void move_weight(float *weight, float *squares, float gradient) {
  *squares += gradient * gradient;
  *weight += RATE * gradient / sqrtf(FIRST_SQUARES + *squares);
}

/* Gives the features their values; the logit goes to '*sum'. */
static alea_status look(alea_linear_eval *e, const uint64_t *words, float *sum) {
  alea_eval_features *features = &e->features;
  e->touched.count = 0;
  *sum = e->bias;
  for (size_t w = 0; w < e->word_count; w++) {
    for (uint64_t bits = words[w]; bits != 0; bits &= bits - 1) {
      size_t fluent = 64 * w + (unsigned)__builtin_ctzll(bits);
      for (uint32_t p = features->first_part.data[fluent];
           p < features->first_part.data[fluent + 1]; p++) {
        alea_eval_part part = features->parts.data[p];
        if (part.sign == 0) continue;
        alea_eval_feature *feature = &features->list.data[part.feature];
        if (feature->value == 0 && !alea_vec_push(e->mem, &e->touched, part.feature))
          return alea_mem_lack(e->mem);
        feature->value += part.sign;
        *sum += (float)part.sign * feature->weight;
      }
    }
  }
  return ALEA_OK;
}

alea_status alea_linear_eval_fit(alea_linear_eval *e, const uint64_t *words, float goal) {
  float sum;
  alea_status status = look(e, words, &sum);
  if (e->patterns.live) sum += alea_eval_patterns_look(&e->patterns, words);
  float gradient = goal - 1 / (1 + expf(-sum));
  if (!e->features.exchanges) move_weight(&e->bias, &e->bias_squares, gradient);
  for (size_t i = 0; i < e->touched.count; i++) {
    alea_eval_feature *it = &e->features.list.data[e->touched.data[i]];
    float value = (float)it->value;
    it->value = 0; /* one that came back to 0 may be there twice */
    if (value == 0) continue;
    it->seen += 1;
    move_weight(&it->weight, &it->squares,
                gradient * value - it->draw / (it->draw + it->seen) * it->weight);
  }
  if (e->patterns.live) alea_eval_patterns_fit(&e->patterns, gradient, RATE);
  return status;
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
  e->choices.count = 0;
  *over = false;
  alea_status status = alea_cursor_reset(cursor);
  if (e->game->role_count > MOST_ROLES) return status;
  for (uint32_t steps = 0; status == ALEA_OK && steps < MOST_STEPS; steps++) {
    alea_eval_choice choice = {0};
    status = alea_cursor_terminal(cursor, over);
    if (status != ALEA_OK || *over) return status;
    status = note(e, cursor);
    for (uint32_t r = 0; status == ALEA_OK && r < e->game->role_count; r++) {
      alea_list legal;
      status = alea_cursor_legal(cursor, r, &legal);
      if (status != ALEA_OK || legal.count == 0) return status;
      joint[r] = legal.ids[legal.count > 1 ? alea_rng_below(rng, legal.count) : 0];
      if (legal.count > 1) choice.choosers++, choice.chooser = r;
    }
    if (!alea_vec_push(e->mem, &e->choices, choice)) return alea_mem_lack(e->mem);
    if (status == ALEA_OK) status = alea_cursor_play(cursor, joint);
  }
  return status;
}

alea_status alea_linear_eval_watch(alea_linear_eval *e, alea_cursor *cursor, alea_rng *rng,
                                   alea_eval_watcher watcher, void *context) {
  bool over;
  alea_status status = play(e, cursor, rng, &over);
  size_t words = e->word_count;
  for (size_t i = 1; status == ALEA_OK && (i + 1) * words <= e->positions.count; i++) {
    const uint64_t *to = e->positions.data + i * words;
    alea_eval_step step = {to - words, to, e->choices.data[i - 1]};
    status = watcher(context, &step);
  }
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
  return eval->patterns.live ? sum + alea_eval_patterns_score(&eval->patterns, words) : sum;
}

/* Whether a fluent says whose turn it is, as far as is known. */
static bool is_turn(const alea_linear_eval *eval, uint32_t fluent) {
  return eval->steps >= LEAST_STEPS && eval->flips[fluent] > TURNS * eval->steps;
}

void alea_linear_eval_settle(alea_linear_eval *eval, float kept) {
  const alea_eval_features *features = &eval->features;
  eval->base = score_of(eval->bias);
  eval->bias_squares *= kept;
  for (size_t i = 0; i < features->list.count; i++) features->list.data[i].squares *= kept;
  for (uint32_t f = 0; f < features->fluent_count; f++) {
    float sum = 0;
    for (uint32_t p = features->first_part.data[f]; p < features->first_part.data[f + 1]; p++) {
      alea_eval_part part = features->parts.data[p];
      sum += (float)part.sign * features->list.data[part.feature].weight;
    }
    eval->scores[f] = is_turn(eval, f) ? 0 : score_of(sum);
  }
  for (size_t i = 0; i < eval->patterns.counts.count; i++) {
    alea_eval_pattern_count *it = &eval->patterns.counts.data[i];
    it->score = it->sign * score_of(eval->patterns.counts.data[it->tied].weight);
    it->squares *= kept;
  }
}

/* The weights in the order in which they are saved; NULL: there are no more. */
static float *weight_of(alea_linear_eval *eval, size_t i) {
  size_t features = eval->features.list.count, patterns = eval->patterns.counts.count;
  if (i < features) return &eval->features.list.data[i].weight;
  if (i == features) return &eval->bias;
  return i <= features + patterns ? &eval->patterns.counts.data[i - features - 1].weight : NULL;
}

alea_status alea_linear_eval_save(alea_linear_eval *eval, alea_eval_weights *weights) {
  weights->count = 0;
  for (size_t i = 0; weight_of(eval, i) != NULL; i++)
    if (!alea_vec_push(eval->mem, weights, *weight_of(eval, i))) return alea_mem_lack(eval->mem);
  float live = eval->patterns.live ? 1 : 0;
  return alea_vec_push(eval->mem, weights, live) ? ALEA_OK : alea_mem_lack(eval->mem);
}

void alea_linear_eval_restore(alea_linear_eval *eval, const alea_eval_weights *weights) {
  size_t i = 0;
  for (; weight_of(eval, i) != NULL; i++) *weight_of(eval, i) = weights->data[i];
  eval->patterns.live = weights->data[i] > 0;
}

void alea_linear_eval_blend(alea_linear_eval *eval, float part, alea_eval_weights *weights) {
  for (size_t i = 0; weight_of(eval, i) != NULL; i++)
    weights->data[i] += part * (*weight_of(eval, i) - weights->data[i]);
}

alea_status alea_linear_eval_copy(alea_linear_eval *copy, const alea_linear_eval *eval) {
  alea_status status = alea_linear_eval_init(copy, eval->game, eval->role, eval->mem);
  if (status != ALEA_OK) return status;
  copy->base = eval->base;
  copy->loud = eval->loud;
  copy->shares = eval->shares;
  memcpy(copy->scores, eval->scores, 64 * eval->word_count * sizeof *copy->scores);
  copy->patterns.live = eval->patterns.live;
  for (size_t i = 0; i < eval->patterns.counts.count; i++)
    copy->patterns.counts.data[i].score = eval->patterns.counts.data[i].score;
  return alea_eval_network_copy(&copy->network, &eval->network);
}

/* What the smaller sets add to a fluent of a kind, on average. */
static float spread_of(const alea_eval_features *features, uint32_t kind) {
  uint32_t first_kind = features->fluent_count, end_kind = first_kind + features->kind_count;
  float sum = 0, count = 0;
  for (uint32_t f = 0; f < features->fluent_count; f++) {
    if (features->kind_of[f] != kind) continue;
    count += 1;
    for (uint32_t p = features->first_part.data[f]; p < features->first_part.data[f + 1]; p++) {
      alea_eval_part part = features->parts.data[p];
      bool is_kind = part.feature >= first_kind && part.feature < end_kind;
      if (!is_kind) sum += (float)part.sign * features->list.data[part.feature].weight;
    }
  }
  return count > 0 ? sum / count : 0;
}

void alea_linear_eval_smooth(alea_linear_eval *eval, float kept) {
  alea_eval_features *features = &eval->features;
  uint32_t first_kind = features->fluent_count, end_kind = first_kind + features->kind_count;
  for (uint32_t k = 0; k < features->kind_count; k++) {
    alea_eval_feature *kind = &features->list.data[first_kind + k];
    if (kind->tied == first_kind + k && !kind->void_)
      kind->weight += (1 - kept) * spread_of(features, k);
  }
  for (uint32_t i = 0; i < features->list.count; i++)
    if (i < first_kind || i >= end_kind) features->list.data[i].weight *= kept;
}

void alea_linear_eval_turn(alea_linear_eval *eval) {
  eval->role = 1 - eval->role;
  eval->base = -eval->base;
  for (uint32_t f = 0; f < eval->features.fluent_count; f++) eval->scores[f] = -eval->scores[f];
  for (size_t i = 0; i < eval->patterns.counts.count; i++)
    eval->patterns.counts.data[i].score = -eval->patterns.counts.data[i].score;
  alea_eval_network_turn(&eval->network);
}

/* ---- what is loud ---- */

typedef struct step_sizes {
  alea_linear_eval *eval;
  double count, sum, squares;
  ALEA_VEC(int32_t) captures; /* steps that change the numbers of like fluents, */
  ALEA_VEC(int32_t) quiet;    /* and those that do not */
} step_sizes;

uint64_t alea_linear_eval_material(const alea_linear_eval *e, const uint64_t *words) {
  uint64_t sum = 0;
  for (size_t w = 0; w < e->word_count; w++) {
    for (uint64_t bits = words[w]; bits != 0; bits &= bits - 1) {
      uint32_t kind = e->features.kind_of[64 * w + (unsigned)__builtin_ctzll(bits)];
      if (alea_eval_features_kind_size(&e->features, kind) >= ALEA_EVAL_LEAST_PLACES)
        sum += alea_hash_mix(kind + 1);
    }
  }
  return sum;
}

static alea_status note_size(void *context, const alea_eval_step *step) {
  step_sizes *sizes = context;
  alea_linear_eval *e = sizes->eval;
  int32_t size = abs(alea_linear_eval_step(e, step->from, step->to));
  sizes->count += 1;
  sizes->sum += size;
  sizes->squares += (double)size * size;
  bool quiet = alea_linear_eval_material(e, step->from) == alea_linear_eval_material(e, step->to);
  bool good = quiet ? alea_vec_push(e->mem, &sizes->quiet, size)
                    : alea_vec_push(e->mem, &sizes->captures, size);
  return good ? ALEA_OK : alea_mem_lack(e->mem);
}

static int compare_sizes(const void *a, const void *b) {
  const int32_t *x = a, *y = b;
  return *x < *y ? -1 : *x > *y;
}

/* Half of what it usually is when pieces come or go, where that does not happen all the
 * time, and more than most other steps, or else no line would come to rest; where it does, what
 * is unusual. */
static int32_t loud_size(step_sizes *sizes) {
  size_t captures = sizes->captures.count, quiet = sizes->quiet.count;
  if (sizes->count <= 0) return 0;
  if (captures > 0 && (double)captures < CAPTURES * sizes->count) {
    qsort(sizes->captures.data, captures, sizeof *sizes->captures.data, compare_sizes);
    qsort(sizes->quiet.data, quiet, sizeof *sizes->quiet.data, compare_sizes);
    int32_t half = sizes->captures.data[captures / 2] / 2;
    int32_t most = sizes->quiet.data[(size_t)(MOST_QUIET * (double)quiet)];
    return half > most ? half : most;
  }
  double mean = sizes->sum / sizes->count;
  return (int32_t)(mean + LOUD * sqrt(fmax(0, sizes->squares / sizes->count - mean * mean)));
}

static alea_status note_flips(void *context, const alea_eval_step *step) {
  alea_linear_eval *e = context;
  for (size_t w = 0; w < e->word_count; w++)
    for (uint64_t change = step->from[w] ^ step->to[w]; change != 0; change &= change - 1)
      e->flips[64 * w + (unsigned)__builtin_ctzll(change)]++;
  e->steps++;
  return ALEA_OK;
}

alea_status alea_linear_eval_finish(alea_linear_eval *eval, alea_cursor *cursor, alea_rng *rng) {
  step_sizes sizes = {.eval = eval};
  alea_status status = ALEA_OK;
  for (int i = 0; status == ALEA_OK && i < TURN_PLAYS && eval->steps < LEAST_STEPS; i++)
    status = alea_linear_eval_watch(eval, cursor, rng, note_flips, eval);
  alea_linear_eval_settle(eval, 1);
  for (int i = 0; status == ALEA_OK && i < FINAL_PLAYS && sizes.count < FINAL_STEPS; i++)
    status = alea_linear_eval_watch(eval, cursor, rng, note_size, &sizes);
  eval->loud = loud_size(&sizes);
  alea_vec_clear(eval->mem, &sizes.captures);
  alea_vec_clear(eval->mem, &sizes.quiet);
  return status;
}
