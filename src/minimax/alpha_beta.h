#ifndef ALEA_MINIMAX_ALPHA_BETA_H
#define ALEA_MINIMAX_ALPHA_BETA_H

/* Minimax to a growing depth with an evaluation at the end of lines: principal
 * variation search (Marsland and Campbell 1982) with iterative deepening,
 * aspiration windows, a table of positions, killer moves, countermoves and
 * history for the order of moves, reductions of late moves, extension of forced
 * moves, and at the end of lines only moves that change what there is and gain by that;
 * on demand passing (null moves), where looks at what was left out say that it is right.
 *
 * Values are those of one role, which maximises.  The other player minimises; of several
 * others each makes the one move that looks best for itself (minimax/other_evals.h), or worst for
 * the role where that is not known: they are not one opponent, and to search all they could do
 * together (paranoid) leaves no time to look ahead.  Where it is known what they want, of the
 * role's own moves the best few are followed below the root: one reply refutes nothing.  Where
 * several choose at once, the role chooses first and the others know it, which is what it can be
 * sure of; of chance the mean is taken, over some of its moves where there are many.  A win or loss
 * that the search reports is proved where none of these relaxations was needed.
 *
 * Positions are counted, and a budget of simulations buys ALEA_ENDGAME_PER_SIM
 * each (minimax/endgame.h), so that a search is repeatable. */

#include "alea/player.h"
#include "game/budget.h"
#include "game/player_setup.h"
#include "minimax/linear_eval.h"
#include "minimax/other_evals.h"

typedef struct alea_alpha_beta alea_alpha_beta;

typedef struct alea_alpha_beta_answer {
  alea_move move;   /* ALEA_NO_MOVE: nothing was found out in time */
  double value;     /* expected goal, 0..100 */
  alea_proof proof; /* of the position */
  int depth;        /* the last that was searched to its end */
} alea_alpha_beta_answer;

/* 'setup' and 'eval' must outlive it; the evaluation is of setup->role.  The
 * game is of the engine `net` and hides nothing. */
alea_status alea_alpha_beta_new(alea_alpha_beta **search, const alea_player_setup *setup,
                                const alea_linear_eval *eval, size_t memory);
void alea_alpha_beta_free(alea_alpha_beta *search); /* NULL is a no-op. */

/* Searches with so many threads from now on, which share the table; 1 is the one that calls.
 * Of CPU time and counted positions they have no more than one would; only with one thread the
 * same budget of these gives the same answer. */
alea_status alea_alpha_beta_set_threads(alea_alpha_beta *search, uint32_t threads);

/* Whether passing is tried from now on, where games allow it; at first it is not. */
void alea_alpha_beta_set_passing(alea_alpha_beta *search, bool passes);

/* Tells what each of several others wants; 'others' must outlive the search.  Without it they are
 * thought to do what looks worst for the role. */
void alea_alpha_beta_set_others(alea_alpha_beta *search, const alea_other_evals *others);

/* Forgets the values of positions, for a new evaluation. */
void alea_alpha_beta_forget(alea_alpha_beta *search);
/* Tells of a position that there was in the match: to come back to it is no progress.
 * Where that is all that is left, it is worth what the rules give when time runs out. */
void alea_alpha_beta_note(alea_alpha_beta *search, const uint64_t *words, size_t word_count);
/* Searches from a position that is not over until the budget is spent, 'depth'
 * is reached (0: any), or nothing more can be found out. */
alea_status alea_alpha_beta_run(alea_alpha_beta *search, const uint64_t *words, size_t word_count,
                                int depth, const alea_budget *budget,
                                alea_alpha_beta_answer *answer);
/* Searches from a position of which nothing is asked yet, until 'stop' is raised or there is no
 * more to find out: the table knows it, and what comes of it, when a move is asked for. */
alea_status alea_alpha_beta_ponder(alea_alpha_beta *search, const uint64_t *words,
                                   size_t word_count, const atomic_bool *stop);
/* Positions met so far. */
uint64_t alea_alpha_beta_positions(const alea_alpha_beta *search);

#endif
