#ifndef ALEA_PLAY_INFOSET_H
#define ALEA_PLAY_INFOSET_H

/* Search where roles do not see the position: information-set Monte-Carlo
 * tree search with one tree per role (MO-ISMCTS; Cowling, Powley, Whitehouse
 * 2012, section IV-C).
 *
 * A simulation draws a position from the belief and plays down from it.  Each
 * role picks by the statistics of its own information set, which is what it
 * did and saw so far on the way, so no role in the search uses what it could
 * not know; the belief makes the searching role's tree start at what it really
 * saw.  Moves that are not legal in the drawn position
 * are not picked.
 *
 * A player's alea_search_options say what its search is like.  Without
 * `sets_alike` it is UCB1 with weight `c` and one playout at a time.  With it
 * the player's own features count here too: `playouts` and `batch`; with `amaf`
 * the arms are valued as in GRAVE, by what the role's moves were worth anywhere
 * below the nearest of its information sets on the way that was visited more
 * than `ref` times; and the hooks say what is sure and what is promised where a
 * playout begins, which is a position like any other that is drawn. */

#include "play/infoset_table.h"
#include "play/search.h"

/* A move at an information set. */
typedef struct alea_option_arm {
  alea_move move;
  uint32_t visits;
  float sum;
} alea_option_arm;

typedef struct alea_infoset {
  alea_infoset_head head;
  alea_option_arm arms[]; /* ascending by move */
} alea_infoset;

/* A choice on the way down. */
typedef struct alea_infoset_pick {
  alea_infoset *set;
  alea_infoset_head *moves; /* statistics of all moves below the set, or NULL */
  uint32_t arm, role;
  uint32_t trace; /* moves made before it */
} alea_infoset_pick;

/* One way down. */
typedef struct alea_infoset_line {
  ALEA_VEC(alea_infoset_pick) picks;
  alea_trace trace; /* the moves of all roles, where statistics are kept of them */
  alea_u64s words;  /* where it ended, for the sampler */
  float *lo, *hi;   /* per role: what is sure there */
  float *guess;     /* per role: what is promised there */
  bool guessed;
} alea_infoset_line;

typedef struct alea_infosets {
  const alea_player_setup *setup;
  alea_search_options options;
  alea_mem *mem;
  alea_player_stats *stats;
  alea_rng rng;
  alea_infoset_table table;
  alea_infoset_table moves;      /* of the same keys: alea_amaf by move of the role */
  alea_player_stats move_counts; /* of that table */
  alea_cursor *cursor;
  alea_rollout rollout;
  alea_move *joint;
  uint64_t *keys; /* per role, of this simulation */
  float *rewards;
  alea_infoset_line *lines; /* a batch of them, or one */
  alea_infoset_line *line;  /* the one at work */
  alea_leaf_batch leaves;   /* without sampler: one simulation at a time, by the rollout */
  ALEA_VEC(alea_choice) choices;
} alea_infosets;

alea_status alea_infosets_init(alea_infosets *sets, const alea_player_setup *setup,
                               const alea_search_options *options, alea_player_stats *stats);
void alea_infosets_clear(alea_infosets *sets);
/* Searches from the belief's positions. */
alea_status alea_infosets_run(alea_infosets *sets, const alea_belief *belief,
                              alea_time_manager *time_manager);
/* The most visited of the role's moves.  ALEA_NONE: nothing was found out. */
alea_status alea_infosets_best(alea_infosets *sets, const alea_belief *belief, alea_move *move);
void alea_infosets_analyse(alea_infosets *sets, const alea_belief *belief, alea_analysis *analysis);

#endif
