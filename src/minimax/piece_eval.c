/* A count of pieces. */
#include "minimax/piece_eval.h"

enum {
  PLAYS = 32,
  ENOUGH_STEPS = 1000, /* of them; long plays take long, and show all pieces soon */
  LOUD = ALEA_EVAL_UNIT / 4,
};
static const float PIECE = 0.5f; /* in the logit */

typedef struct piece_maker {
  uint32_t role; /* that made a fluent of the kind true */
  bool made, shared;
  bool lasts; /* a step left one as it was, as it does not with a mark of the last move */
} piece_maker;

typedef struct piece_finder {
  alea_linear_eval *eval;
  piece_maker *makers; /* by kind */
  uint32_t steps;
} piece_finder;

/* Somebody's only choice led from one position to the next. */
static alea_status note_step(void *context, const alea_eval_step *step) {
  piece_finder *finder = context;
  alea_linear_eval *e = finder->eval;
  finder->steps++;
  if (step->choice.choosers != 1) return ALEA_OK;
  for (size_t w = 0; w < e->word_count; w++) {
    for (uint64_t bits = step->to[w] & step->from[w]; bits != 0; bits &= bits - 1)
      finder->makers[e->features.kind_of[64 * w + (unsigned)__builtin_ctzll(bits)]].lasts = true;
    for (uint64_t bits = step->to[w] & ~step->from[w]; bits != 0; bits &= bits - 1) {
      piece_maker *m =
          &finder->makers[e->features.kind_of[64 * w + (unsigned)__builtin_ctzll(bits)]];
      if (m->made && m->role != step->choice.chooser) m->shared = true;
      m->made = true;
      m->role = step->choice.chooser;
    }
  }
  return ALEA_OK;
}

static void give_weights(piece_finder *finder) {
  alea_linear_eval *e = finder->eval;
  alea_eval_features *features = &e->features;
  for (size_t i = 0; i < features->list.count; i++) features->list.data[i].weight = 0;
  e->bias = 0;
  e->patterns.live = false;
  for (uint32_t k = 0; k < features->kind_count; k++) {
    const piece_maker *m = &finder->makers[k];
    const alea_eval_feature *kind = &features->list.data[features->fluent_count + k];
    if (!m->made || !m->lasts || m->shared ||
        alea_eval_features_kind_size(features, k) < ALEA_EVAL_LEAST_PLACES)
      continue;
    features->list.data[kind->tied].weight =
        (m->role == e->role) != kind->opposite ? PIECE : -PIECE;
  }
}

alea_status alea_piece_weights(alea_linear_eval *eval, alea_cursor *cursor, alea_rng *rng) {
  uint32_t kinds = eval->features.kind_count;
  piece_finder finder = {.eval = eval};
  finder.makers = alea_mem_calloc(eval->mem, kinds, sizeof *finder.makers);
  alea_status status = finder.makers != NULL ? ALEA_OK : alea_mem_lack(eval->mem);
  for (int i = 0; status == ALEA_OK && i < PLAYS && finder.steps < ENOUGH_STEPS; i++)
    status = alea_linear_eval_watch(eval, cursor, rng, note_step, &finder);
  if (status == ALEA_OK) give_weights(&finder);
  if (finder.makers != NULL) alea_mem_free(eval->mem, finder.makers, kinds * sizeof *finder.makers);
  return status;
}

alea_status alea_piece_eval(alea_linear_eval *eval, alea_cursor *cursor, alea_rng *rng) {
  alea_status status = alea_piece_weights(eval, cursor, rng);
  if (status == ALEA_OK) alea_linear_eval_settle(eval, 1);
  eval->loud = LOUD;
  return status;
}
