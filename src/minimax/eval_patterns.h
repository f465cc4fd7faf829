#ifndef ALEA_MINIMAX_EVAL_PATTERNS_H
#define ALEA_MINIMAX_EVAL_PATTERNS_H

/* Patterns of a linear evaluation: what the rules say wins.
 *
 * Where a role's best goal is a disjunction of conjunctions of fluents, as a line of five
 * stones is, each conjunction is a pattern of that role (minimax/pattern_search.h finds them).  A
 * position counts for each role and length of patterns how many have one fluent that holds, two,
 * and so on; these counts are features.  A pattern is blocked, and not counted, where at the place
 * of one of its fluents another holds that patterns of another role need.  Conjunctions that
 * compare numbers (minimax/number_places.h), as of pieces that are left, are no patterns.
 *
 * Random plays say little of patterns: who has four of five hardly ever finds the fifth.  So
 * weights begin with a prior, and are drawn to it: a fluent that is missing divides what a
 * pattern is worth, as in the potential that decides such games of Maker and Breaker (Erdős
 * and Selfridge 1973), where it halves it.
 *
 * Few patterns are touched by a move, and the value changes by theirs. */

#include "base/vec.h"
#include "game/game.h"

typedef struct alea_eval_pattern {
  uint32_t first; /* its fluents, in 'fluents': own ones, and then those that block it */
  uint16_t length, blockers;
  uint32_t first_count; /* of its class; that of k fluents is first_count + k */
} alea_eval_pattern;

/* Patterns of one role and length. */
typedef struct alea_eval_pattern_class {
  uint32_t role, length, first_count;
} alea_eval_pattern_class;

/* How many patterns of a class have so many fluents: a feature. */
typedef struct alea_eval_pattern_count {
  float weight, squares, seen, prior;
  int32_t score;
  int32_t value; /* scratch: in one position, of those tied to it */
  uint32_t tied; /* count whose weight it has; itself, where that is its own */
  int32_t sign;  /* -1: with the other sign */
} alea_eval_pattern_count;

typedef struct alea_eval_patterns {
  alea_mem *mem;
  uint32_t fluent_count;
  ALEA_VEC(alea_eval_pattern) list;
  alea_u32s fluents;
  ALEA_VEC(alea_eval_pattern_class) classes;
  ALEA_VEC(alea_eval_pattern_count) counts;
  alea_u32s touched, first_touched; /* by fluent, and one more: patterns that it is in, or blocks */
  bool live;                        /* some score is not 0 */
} alea_eval_patterns;

/* 'game' is of the engine `net`.  The caller clears it with any status; where the rules have
 * no patterns, or too many, there are none in it. */
alea_status alea_eval_patterns_init(alea_eval_patterns *patterns, const alea_game *game,
                                    alea_mem *mem);
void alea_eval_patterns_clear(alea_eval_patterns *patterns); /* a zeroed one too */

/* Gives both roles' patterns of one length the same weight with opposite signs, in games in
 * which one loses what the other wins. */
void alea_eval_patterns_tie(alea_eval_patterns *patterns);
/* Sets all weights to the prior of an evaluation for 'role'. */
void alea_eval_patterns_begin(alea_eval_patterns *patterns, uint32_t role);

/* The logit of what patterns of a position are worth; counts stay for _fit, which must follow. */
float alea_eval_patterns_look(alea_eval_patterns *patterns, const uint64_t *words);
void alea_eval_patterns_fit(alea_eval_patterns *patterns, float gradient, float rate);

/* By scores: of a position, and of a step between two. */
int32_t alea_eval_patterns_score(const alea_eval_patterns *patterns, const uint64_t *words);
int32_t alea_eval_patterns_step(const alea_eval_patterns *patterns, const uint64_t *from,
                                const uint64_t *to);

#endif
