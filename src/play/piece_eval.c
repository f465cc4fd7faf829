/* A count of pieces. */
#include "play/piece_eval.h"

enum { PLAYS = 32, PIECE = ALEA_EVAL_UNIT / 2, LOUD = PIECE / 2 };

typedef struct piece_maker {
  uint32_t role; /* that made a fluent of the kind true */
  bool made, shared;
  bool lasts; /* a step left one as it was, as it does not with a mark of the last move */
} piece_maker;

typedef struct piece_finder {
  alea_linear_eval *eval;
  piece_maker *makers; /* by kind */
} piece_finder;

/* Somebody's only choice led from one position to the next. */
static alea_status note_step(void *context, const alea_eval_step *step) {
  piece_finder *finder = context;
  alea_linear_eval *e = finder->eval;
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

static void give_scores(piece_finder *finder) {
  alea_linear_eval *e = finder->eval;
  const alea_eval_features *features = &e->features;
  for (uint32_t f = 0; f < features->fluent_count; f++) {
    const piece_maker *m = &finder->makers[features->kind_of[f]];
    uint32_t places = alea_eval_features_kind_size(features, features->kind_of[f]);
    if (m->made && m->lasts && !m->shared && places >= ALEA_EVAL_LEAST_PLACES)
      e->scores[f] = m->role == e->role ? PIECE : -PIECE;
  }
  e->loud = LOUD;
}

alea_status alea_piece_eval(alea_linear_eval *eval, alea_cursor *cursor, alea_rng *rng) {
  uint32_t kinds = eval->features.kind_count;
  piece_finder finder = {.eval = eval};
  finder.makers = alea_mem_calloc(eval->mem, kinds, sizeof *finder.makers);
  alea_status status = finder.makers != NULL ? ALEA_OK : alea_mem_lack(eval->mem);
  for (int i = 0; status == ALEA_OK && i < PLAYS; i++)
    status = alea_linear_eval_watch(eval, cursor, rng, note_step, &finder);
  if (status == ALEA_OK) give_scores(&finder);
  if (finder.makers != NULL) alea_mem_free(eval->mem, finder.makers, kinds * sizeof *finder.makers);
  return status;
}
