#ifndef ALEA_EQUILIBRIUM_EXTENSIVE_H
#define ALEA_EQUILIBRIUM_EXTENSIVE_H

/* Games of two players in extensive form: the whole tree of plays, built once.
 *
 * A node is a history in which somebody has a choice, or the end of a play;
 * forced moves make no nodes.  Where several roles choose at once, they follow
 * each other in the tree (first player, second player, chance), and a later one
 * does not know what an earlier one chose.  Chance is uniform over the legal
 * moves of the role `random`.
 *
 * An information set holds the nodes where a player has the same view
 * (equilibrium/views.h) and a choice.  A strategy is an array of probabilities,
 * one for each move of each information set of both players, at the index that
 * the set gives: moves.count of them.
 *
 * Payoffs are those of the first player, goals / 100; a goal that is missing
 * counts 0.  The second player has sum - payoff, where the sum of both is the
 * same at every end.  Who measures in another unit than goals (chips, where
 * goals are rounded) may overwrite 'payoffs' and 'sum' once the tree is built. */

#include "base/clock.h"
#include "base/diag.h"
#include "equilibrium/views.h"
#include "game/game.h"

#define ALEA_CHANCE_SET UINT32_MAX

typedef struct alea_extensive_node {
  uint32_t first; /* children are first .. first + count - 1, all beyond the node itself;
                     at an end, the first player's goal */
  uint32_t count; /* 0: an end */
  uint32_t set;   /* who chooses: an information set, or ALEA_CHANCE_SET */
} alea_extensive_node;

typedef struct alea_extensive_set {
  uint32_t view;
  uint32_t player;       /* 0 or 1 */
  uint32_t first, count; /* its moves, ascending, in 'moves' and in strategies */
} alea_extensive_set;

typedef struct alea_extensive {
  alea_mem *mem;         /* borrowed */
  const alea_game *game; /* borrowed */
  uint32_t roles[2];     /* of the players */
  alea_player_views views;
  ALEA_VEC(alea_extensive_node) nodes; /* nodes[0] is the root */
  ALEA_VEC(alea_extensive_set) sets;
  alea_u32s set_of_view; /* ALEA_CHANCE_SET: no choice there */
  alea_u32s moves;
  /* All nodes, by rank: the step of the play and who chooses.  The nodes of one
   * set are of one rank, and children are of later ranks. */
  alea_u32s order;
  alea_u32s rank_ends; /* of each rank in 'order' */
  double payoffs[101]; /* by goal of the first player */
  double sum;          /* of both players' payoffs at every end */
} alea_extensive;

typedef struct alea_extensive_limits {
  uint64_t nodes; /* 0: as many as 32 bits number */
  alea_deadline deadline;
} alea_extensive_limits;

/* Builds the tree of 'game', which must outlive it.  The caller clears it with
 * any status, before 'mem'.  'diag' gets a sentence for each of:
 * ALEA_UNSUPPORTED: there are not two players, the sum of their goals is not
 * constant (the guarantee of CFR holds for constant-sum games), or a player
 * cannot tell what moves it has; ALEA_INPUT: a role has no legal move before
 * the end; ALEA_LIMIT: nodes, memory, time, or a play of 10,000 steps. */
alea_status alea_extensive_init(alea_extensive *tree, const alea_game *game,
                                const alea_extensive_limits *limits, alea_mem *mem,
                                alea_diag *diag);
void alea_extensive_clear(alea_extensive *tree); /* a zeroed one too */

/* The uniform strategy of both players. */
void alea_extensive_uniform(const alea_extensive *tree, double *strategy);

#endif
