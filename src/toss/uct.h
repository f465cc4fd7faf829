#ifndef ALEA_TOSS_UCT_H
#define ALEA_TOSS_UCT_H

/* The tree search of [TOSS10 §5], and its search without a tree.
 *
 * A node keeps the results of the plays through it.  All children are added
 * when a leaf is reached; with an evaluation they begin with the outcomes of
 * evaluation plays, without one they begin unvisited.  Playouts below the tree
 * use the basic strategy of the paper (basic.h). */

#include "toss/basic.h"

typedef struct alea_toss_uct_options {
  double c;          /* C; 0 = 1 */
  uint32_t plays;    /* E_n: evaluation plays per move; 0 = their exact mean */
  uint32_t weight;   /* E': n of a new child with an evaluation; 0 = 1 */
  bool printed;      /* UCB1-TUNED scaled as printed */
  bool flat;         /* no tree: the basic strategy from the first move on */
  bool examples;     /* keep the data for alea_toss_uct_collect */
  uint32_t step_cap; /* of a play; 0 = 1000 */
  uint32_t nodes;    /* at which the tree stops growing; 0 = 2^21 */
} alea_toss_uct_options;

typedef struct alea_toss_uct alea_toss_uct;

/* A search in 'arena', which it borrows, as well as 'rng'.  NULL if out of
 * memory. */
alea_toss_uct *alea_toss_uct_new(alea_toss_arena *arena, const alea_toss_uct_options *options,
                                 alea_rng *rng, alea_mem *mem);
void alea_toss_uct_free(alea_toss_uct *uct); /* NULL is a no-op. */

/* Resets the tree to the position of the arena.  ALEA_NONE: the game is over
 * there. */
alea_status alea_toss_uct_start(alea_toss_uct *uct);
/* One play through the tree. */
alea_status alea_toss_uct_iterate(alea_toss_uct *uct);
/* Chooses a joint action by the means at the root, in the numbers of the arena;
 * the arena returns to the root. */
alea_status alea_toss_uct_choose(alea_toss_uct *uct, alea_move *joint);
/* The actions of a player at the root, in the order of its legal moves there:
 * plays through the i-th, and its mean payoff for the player (-1: no plays).
 * False beyond the last. */
bool alea_toss_uct_action(const alea_toss_uct *uct, uint32_t player, uint32_t index, double *plays,
                          double *mean);
size_t alea_toss_uct_nodes(const alea_toss_uct *uct);
/* What the tree expects after 'steps' joint moves 'before' from the root: the open moves
 * of 'joint' (ALEA_NO_MOVE) become those of the joint action with most plays among all
 * that have the others.  Moves are in the numbers of the interpreter.  False: no such
 * action has enough plays, or the tree does not reach there.  The arena's position
 * afterwards is any. */
bool alea_toss_uct_expect(alea_toss_uct *uct, const alea_move *before, size_t steps,
                          alea_move *joint);

/* ---- examples to learn from ---- */

/* A tree node as an example; positions are those of the interpreter. */
typedef struct alea_toss_example {
  uint32_t before, before_count;  /* words of the positions before */
  uint32_t after, after_count;    /* and after the move, in alea_toss_examples.words */
  uint32_t origins, origin_count; /* correspondents of elements after it; none: each itself */
  uint32_t location;              /* before the move */
  uint64_t group;                 /* the same for moves of one position; they are adjacent */
  uint32_t plays;
  double mean[ALEA_TOSS_MOST_PLAYERS];
  double rivals[ALEA_TOSS_MOST_PLAYERS];      /* mean over the moves of the same position */
  uint32_t outcomes[ALEA_TOSS_MOST_OUTCOMES]; /* count of each payoff vector */
} alea_toss_example;

typedef struct alea_toss_examples {
  ALEA_VEC(alea_toss_example) list;
  ALEA_VEC(uint64_t) words;
  double payoffs[ALEA_TOSS_MOST_OUTCOMES][ALEA_TOSS_MOST_PLAYERS];
  uint32_t outcome_count;
  uint64_t groups;
} alea_toss_examples;

void alea_toss_examples_clear(alea_toss_examples *examples, alea_mem *mem);

/* Adds the moves of all positions whose moves have more than 'threshold' plays
 * on average.  'cursor' is one of the interpreter at the position of the root,
 * and returns there. */
alea_status alea_toss_uct_collect(alea_toss_uct *uct, alea_cursor *cursor, uint32_t threshold,
                                  alea_toss_examples *examples);

#endif
