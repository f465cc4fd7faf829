#ifndef ALEA_PLAY_TRIALS_H
#define ALEA_PLAY_TRIALS_H

/* Trial games: ways to play a game are tried against the tree, so that a player can
 * find out in its start clock which of them to use.
 *
 * A challenger plays pairs of games against the plain tree.  Both games of a pair begin
 * with the same random moves, so that what the opening is worth cancels out.  Where two
 * share out 100, the roles are exchanged between the games; else the challenger plays the
 * role of the match in one and the tree in the other, against trees, and who got more has won both.
 * Contenders search positions and keep what they know from one move to the next, as they do in a
 * match; they have no opponent model and do not ponder.
 *
 * For games of up to ALEA_TRIALS_ROLES in turns without chance and hidden information that
 * the engine `net` plays. */

#include "minimax/alpha_beta.h"
#include "play/search.h"

typedef enum alea_contender {
  ALEA_CONTENDER_TREE,    /* by playouts */
  ALEA_CONTENDER_HOPES,   /* the same with an evaluation (play/tree_eval.h) */
  ALEA_CONTENDER_MINIMAX, /* alpha-beta with the evaluation */
  ALEA_CONTENDERS
} alea_contender;

enum { ALEA_TRIALS_ROLES = 6 };

typedef struct alea_trials {
  const alea_player_setup *setup;
  alea_player_setup setups[ALEA_TRIALS_ROLES];
  alea_search trees[2][ALEA_TRIALS_ROLES]; /* without and with evaluation, and by role */
  alea_pace paces[2][ALEA_TRIALS_ROLES];
  alea_player_stats stats;
  alea_alpha_beta *minimax; /* borrowed; NULL: it does not contend */
  alea_cursor *cursor;
  alea_rng rng;
  alea_particle at;     /* where the game stands */
  alea_u64s opening;    /* where both games of a pair begin */
  alea_budget deadline; /* clock and stop of all trials */
  double end;           /* on that clock; 0: there is none */
  uint32_t pairs;       /* begun */
  uint32_t most_steps;  /* of a game of the present pair */
  bool shares;          /* there are two opponents (alea_linear_eval.shares) */
  bool unfit;           /* several chose at once */
} alea_trials;

/* Who contends.  'eval' may be NULL: no tree with an evaluation does. */
typedef struct alea_trials_field {
  const alea_search_options *tree;
  const alea_tree_eval *eval; /* ready */
  alea_alpha_beta *minimax;   /* may be NULL; its role is that of the setup */
  bool shares;                /* there are two opponents (alea_linear_eval.shares) */
} alea_trials_field;

/* 'setup' and the field must outlive the trials; to be cleared with any status.  Clock and
 * stop of all games are those of 'budget', whose seconds, where it has any, end them. */
alea_status alea_trials_init(alea_trials *trials, const alea_player_setup *setup,
                             const alea_trials_field *field, const alea_budget *budget);
void alea_trials_clear(alea_trials *trials); /* a zeroed one too */

/* Lets the tree search the first position within 'move': what it does there is in
 * trials->stats, and '*legal' are the moves of who begins. */
alea_status alea_trials_warm(alea_trials *trials, const alea_budget *move, uint32_t *legal);

/* What came out of a pair. */
typedef struct alea_trials_result {
  double score; /* points of the challenger, 0..2, of which 1 is even; games that are not over after
                   ALEA_TRIALS_STEPS steps, or those that fit twice into the time, are worth what
                   both sides think of them, or what random play makes of them where they do not
                   share out 100 */
  uint32_t steps; /* in both */
  bool unclear;   /* random play from where games were cut off does not tell who is better */
  bool finished;  /* else time was over, or the game is not one in turns: nothing counts */
} alea_trials_result;

enum { ALEA_TRIALS_STEPS = 200 };

/* Plays a pair, with the budget 'move' for each move. */
alea_status alea_trials_pair(alea_trials *trials, alea_contender challenger,
                             const alea_budget *move, alea_trials_result *result);

/* Whether the time of all trials is over. */
bool alea_trials_late(const alea_trials *trials);

#endif
