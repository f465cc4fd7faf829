/* Ways of pieces. */
#include "learning/eval_ways.h"

#include <math.h>
#include <stdlib.h>

#include "propnet/propnet.h"

enum {
  MOST_ROLES = 64,
  RARE = 8, /* positions in which a piece stands at a place that is not known well */
  NOTHING = UINT32_MAX
};
static const double OPEN = 0.4; /* share of the positions in which a way is open */

typedef struct survey {
  const alea_linear_eval *eval;
  alea_cursor *cursor;
  uint32_t *stood;  /* by fluent: positions in which it held and the role chose */
  alea_u64s steps;  /* that moves make: from and to, in the upper and the lower half */
  alea_move *joint; /* of the present position */
} survey;

/* The only fluent of words a that is not in b, if it is of 'kind' or that is NOTHING; else NOTHING:
 * others of other kinds, such as whose turn it is, are none of its business. */
static uint32_t only_one(const survey *s, const uint64_t *a, const uint64_t *b, uint32_t kind) {
  const alea_eval_features *features = &s->eval->features;
  uint32_t found = NOTHING;
  for (size_t w = 0; w < s->eval->word_count; w++)
    for (uint64_t bits = a[w] & ~b[w]; bits != 0; bits &= bits - 1) {
      uint32_t fluent = (uint32_t)(64 * w) + (unsigned)__builtin_ctzll(bits);
      uint32_t of = features->kind_of[fluent];
      bool piece = alea_eval_features_kind_size(features, of) >= ALEA_EVAL_LEAST_PLACES &&
                   (s->eval->steps == 0 || s->eval->flips[fluent] * 2 < s->eval->steps);
      if (!piece || (kind != NOTHING && of != kind)) continue;
      if (found != NOTHING) return NOTHING;
      found = fluent;
    }
  return found;
}

/* Whether the role chooses alone at the cursor; the others' moves are then in the joint move. */
static alea_status ask(survey *s, alea_list *moves, bool *alone) {
  const alea_game *game = s->eval->game;
  *alone = false;
  uint32_t others = 0;
  for (uint32_t r = 0; r < game->role_count; r++) {
    alea_list legal;
    alea_status status = alea_cursor_legal(s->cursor, r, &legal);
    if (status != ALEA_OK || legal.count == 0) return status;
    s->joint[r] = legal.ids[0];
    if (r == s->eval->role) *alone = legal.count > 1;
    if (r != s->eval->role && legal.count > 1) others++;
  }
  *alone = *alone && others == 0;
  return alea_cursor_legal(s->cursor, s->eval->role, moves);
}

/* What each move of the role does to one piece of a kind. */
static alea_status look(survey *s, const uint64_t *words) {
  const alea_linear_eval *eval = s->eval;
  alea_list moves;
  bool alone;
  alea_status status = alea_cursor_load(s->cursor, words, eval->word_count);
  if (status == ALEA_OK) status = ask(s, &moves, &alone);
  if (status != ALEA_OK || !alone) return status;
  for (size_t w = 0; w < eval->word_count; w++)
    for (uint64_t bits = words[w]; bits != 0; bits &= bits - 1)
      s->stood[64 * w + (unsigned)__builtin_ctzll(bits)]++;
  for (uint32_t i = 0; i < moves.count; i++) {
    s->joint[eval->role] = moves.ids[i];
    const uint64_t *to = alea_net_preview(s->cursor, s->joint);
    uint32_t gone = only_one(s, words, to, NOTHING);
    if (gone == NOTHING) continue;
    uint32_t come = only_one(s, to, words, eval->features.kind_of[gone]);
    if (come == NOTHING) continue;
    if (!alea_vec_push(eval->mem, &s->steps, (uint64_t)gone << 32 | come))
      return alea_mem_lack(eval->mem);
  }
  return ALEA_OK;
}

static int by_number(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/* Steps that are open often enough become ways.  Where hardly a piece has stood nothing is known,
 * and the way back is taken to be open: the last place of all, which random play does not reach, is
 * no worse than the one before it. */
static alea_status keep(survey *s, alea_eval_ways *ways) {
  if (s->steps.count > 0) qsort(s->steps.data, s->steps.count, sizeof *s->steps.data, by_number);
  for (size_t i = 0, end; i < s->steps.count; i = end) {
    for (end = i; end < s->steps.count && s->steps.data[end] == s->steps.data[i];) end++;
    alea_eval_way way = {(uint32_t)(s->steps.data[i] >> 32), (uint32_t)s->steps.data[i]};
    if ((double)(end - i) < OPEN * s->stood[way.from]) continue;
    alea_eval_way back = {way.to, way.from};
    if (!alea_vec_push(s->eval->mem, &ways->list, way) ||
        (s->stood[way.to] < RARE && !alea_vec_push(s->eval->mem, &ways->list, back)))
      return alea_mem_lack(s->eval->mem);
  }
  return ALEA_OK;
}

alea_status alea_eval_ways_init(alea_eval_ways *ways, const alea_linear_eval *eval,
                                alea_cursor *cursor, const alea_u64s *positions,
                                bool (*over)(void *context), void *over_context) {
  alea_move joint[MOST_ROLES];
  survey s = {.eval = eval, .cursor = cursor, .joint = joint};
  size_t fluents = eval->features.fluent_count;
  *ways = (alea_eval_ways){0};
  if (eval->game->role_count > MOST_ROLES) return ALEA_OK;
  s.stood = alea_mem_calloc(eval->mem, fluents, sizeof *s.stood);
  if (s.stood == NULL) return alea_mem_lack(eval->mem);
  alea_status status = ALEA_OK;
  for (size_t at = 0; status == ALEA_OK && at < positions->count; at += eval->word_count) {
    if (over != NULL && over(over_context)) break;
    status = look(&s, positions->data + at);
  }
  if (status == ALEA_OK) status = keep(&s, ways);
  alea_vec_clear(eval->mem, &s.steps);
  alea_mem_free(eval->mem, s.stood, fluents * sizeof *s.stood);
  return status;
}

void alea_eval_ways_clear(alea_eval_ways *ways, alea_mem *mem) { alea_vec_clear(mem, &ways->list); }

double alea_eval_ways_range(const alea_eval_ways *ways, const alea_linear_eval *eval) {
  int32_t least = INT32_MAX, most = INT32_MIN;
  for (size_t i = 0; i < ways->list.count; i++) {
    int32_t score = eval->scores[ways->list.data[i].from];
    if (score < least) least = score;
    if (score > most) most = score;
  }
  return ways->list.count > 0 ? (double)(most - least) / ALEA_EVAL_UNIT : 0;
}

alea_status alea_eval_ways_raise(const alea_eval_ways *ways, alea_linear_eval *eval, double step) {
  alea_eval_features *features = &eval->features;
  size_t fluents = features->fluent_count;
  double *worth = alea_mem_calloc(eval->mem, fluents, sizeof *worth);
  if (worth == NULL) return alea_mem_lack(eval->mem);
  for (size_t f = 0; f < fluents; f++) worth[f] = (double)eval->scores[f] / ALEA_EVAL_UNIT;
  bool changed = step > 0; /* else rounds have no end */
  while (changed) {
    changed = false;
    for (size_t i = 0; i < ways->list.count; i++) {
      alea_eval_way way = ways->list.data[i];
      if (worth[way.to] - step <= worth[way.from]) continue;
      worth[way.from] = worth[way.to] - step;
      changed = true;
    }
  }
  for (size_t f = 0; f < fluents; f++) {
    double more = worth[f] - (double)eval->scores[f] / ALEA_EVAL_UNIT;
    /* those that are tied to it are raised with it */
    if (more > 0 && features->list.data[f].tied == f) features->list.data[f].weight += (float)more;
  }
  alea_mem_free(eval->mem, worth, fluents * sizeof *worth);
  return ALEA_OK;
}
