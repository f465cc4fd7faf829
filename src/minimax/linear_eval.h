#ifndef ALEA_MINIMAX_LINEAR_EVAL_H
#define ALEA_MINIMAX_LINEAR_EVAL_H

/* An evaluation of positions that is learnt from the rules alone: the logit of
 * the goal that a role expects, linear over features (minimax/eval_features.h,
 * minimax/eval_patterns.h), fitted by logistic regression with AdaGrad (Duchi et al. 2011).
 *
 * Features count fluents, so that after learning a position is worth the sum
 * of one number per fluent that holds, and of one per pattern that is begun.  Few fluents
 * change by a move, and the value of the next position is the last one plus what changed.
 *
 * Positions are taken as bit sets of fluents, which is what the words of the
 * engine `net` are. */

#include "minimax/eval_features.h"
#include "minimax/eval_network.h"
#include "minimax/eval_patterns.h"

enum {
  ALEA_EVAL_UNIT = 1000,     /* a score of so much is 1 in the logit */
  ALEA_EVAL_LEAST_PLACES = 4 /* fluents of a kind that are pieces, and no turn or flag */
};

/* Who chose at a position. */
typedef struct alea_eval_choice {
  uint32_t choosers, chooser; /* how many had more than one move, and the last of them */
} alea_eval_choice;

typedef struct alea_linear_eval {
  alea_mem *mem;
  const alea_game *game;
  uint32_t role; /* whose goal is expected */
  size_t word_count;
  alea_eval_features features;
  alea_eval_patterns patterns;
  alea_eval_network network; /* what it says is no part of scores, and up to who searches */
  int32_t *scores;           /* by fluent, after alea_linear_eval_finish */
  uint32_t *flips;           /* by fluent: steps of some random plays that changed it */
  uint32_t steps; /* that there were; what changed in almost all of them says whose turn it
                     is, and has no score: a tempo is no gain of the move that passes it on */
  float bias, bias_squares;
  int32_t base;                       /* score of a position without fluents */
  int32_t loud;                       /* a step that changes the score by more is unusual */
  bool shares;                        /* two roles share out 100, or both get the same and not more
                                         than half of it, as far as was seen */
  uint64_t plays, games;              /* that it was learnt from: random, and against itself */
  alea_u32s touched;                  /* scratch: features of one position */
  alea_u64s positions;                /* scratch: of one play */
  ALEA_VEC(alea_eval_choice) choices; /* the same: at each of them */
} alea_linear_eval;

/* What two opponents got at the end, as the goal of one of them, 0..100: both the same is even,
 * also where the rules give nobody anything, as chess does when time runs out. */
static inline int alea_linear_eval_goal(const alea_linear_eval *eval, int own, int other) {
  if (own < 0) own = 0;
  return eval->shares && own == (other > 0 ? other : 0) ? 50 : own;
}

/* The caller clears it with any status; 'game' is of the engine `net`. */
alea_status alea_linear_eval_init(alea_linear_eval *eval, const alea_game *game, uint32_t role,
                                  alea_mem *mem);
void alea_linear_eval_clear(alea_linear_eval *eval); /* a zeroed one too */

/* A step of a random play. */
typedef struct alea_eval_step {
  const uint64_t *from, *to;
  alea_eval_choice choice; /* at 'from' */
} alea_eval_step;

typedef alea_status (*alea_eval_watcher)(void *context, const alea_eval_step *step);

/* Makes a random play, and tells of its steps. */
alea_status alea_linear_eval_watch(alea_linear_eval *eval, alea_cursor *cursor, alea_rng *rng,
                                   alea_eval_watcher watcher, void *context);

/* Learns from one position, of which 'goal' (0..1) was found out. */
alea_status alea_linear_eval_fit(alea_linear_eval *eval, const uint64_t *words, float goal);
/* Makes scores of what was learnt; 'kept' of the past gradients go on slowing the
 * weights down. */
void alea_linear_eval_settle(alea_linear_eval *eval, float kept);
/* Makes the final scores, and finds out by some more plays how much a step usually
 * changes them. */
alea_status alea_linear_eval_finish(alea_linear_eval *eval, alea_cursor *cursor, alea_rng *rng);

/* What was learnt so far, to come back to: weights of features, the bias, those of patterns, and
 * whether these count. */
typedef ALEA_VEC(float) alea_eval_weights;
alea_status alea_linear_eval_save(alea_linear_eval *eval, alea_eval_weights *weights);
void alea_linear_eval_restore(alea_linear_eval *eval, const alea_eval_weights *weights);
/* Moves weights that were saved by 'part' of the way to those of now. */
void alea_linear_eval_blend(alea_linear_eval *eval, float part, alea_eval_weights *weights);
/* Draws the weights of single fluents and small sets towards 0, of which 'kept' is left, and
 * gives what they have in common to their kinds, so that these are worth on average what they
 * were: a piece matters more, and where it stands less. */
void alea_linear_eval_smooth(alea_linear_eval *eval, float kept);
/* A copy that can be searched with, and learns nothing; the caller clears it with any status. */
alea_status alea_linear_eval_copy(alea_linear_eval *copy, const alea_linear_eval *eval);

/* Where two share out 100: what was learnt, for the other role. */
void alea_linear_eval_turn(alea_linear_eval *eval);

/* The score of a position. */
int32_t alea_linear_eval_score(const alea_linear_eval *eval, const uint64_t *words);

/* A number for how many fluents of each kind hold, turns and flags left out: it changes where
 * pieces come or go. */
uint64_t alea_linear_eval_material(const alea_linear_eval *eval, const uint64_t *words);

/* By how much the score of position 'to' is more than that of 'from'. */
static inline int32_t alea_linear_eval_step(const alea_linear_eval *eval, const uint64_t *from,
                                            const uint64_t *to) {
  int32_t sum = 0;
  for (size_t w = 0; w < eval->word_count; w++) {
    for (uint64_t change = from[w] ^ to[w]; change != 0; change &= change - 1) {
      unsigned bit = (unsigned)__builtin_ctzll(change);
      int32_t score = eval->scores[64 * w + bit];
      sum += (to[w] >> bit & 1) != 0 ? score : -score;
    }
  }
  return eval->patterns.live ? sum + alea_eval_patterns_step(&eval->patterns, from, to) : sum;
}

#endif
