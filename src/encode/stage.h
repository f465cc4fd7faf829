#ifndef ALEA_ENCODE_STAGE_H
#define ALEA_ENCODE_STAGE_H

/* One stage of a game as a stochastic constraint network ([MACUCB16 §3.3,
 * §4.2]): the state variables are fixed to a position, the solutions of the
 * decision part are the joint moves of the players, called arms, and each
 * value of the chance variable leads to one successor.
 *
 * Two engines propagate behind this interface.  `table` follows the papers:
 * the template network of encode/template.h, instantiated with the position,
 * solved by MAC with chance split off, or by forward checking of the whole.
 * `net` uses that the arc-consistent closure of an instantiated stage is the
 * evaluation of the propositional network, and asks the game's own engine.  Both
 * give the same arms in the same order: moves ascending by number, the last role
 * turning fastest.
 *
 * Positions are words of the game's cursors (game/game.h), moves are numbers
 * of the game.  A stage belongs to one thread and is used for one position
 * after the other. */

#include "game/game.h"

typedef struct alea_stage alea_stage;

typedef enum alea_stage_method {
  ALEA_STAGE_MAC, /* split off chance (encode/feasible.h), MAC on the rest */
  ALEA_STAGE_FC   /* forward checking on the whole, every arm tested with every chance value */
} alea_stage_method;

typedef struct alea_stage_options {
  alea_stage_method method;
  uint32_t max_arms; /* joint moves that are listed; 0 = 20,000 */
} alea_stage_options;

/* The solutions at one position; arrays are the stage's and live until it
 * solves another. */
typedef struct alea_stage_solution {
  bool terminal;
  const int *goals;       /* per role, -1 where none holds */
  const uint32_t *firsts; /* moves of role r: moves[firsts[r]] .. moves[firsts[r + 1] - 1] */
  const alea_move *moves; /* the arc-consistent domains: legal moves, ascending by number */
  uint64_t arm_count;     /* joint moves of the players, chance apart; 0 where terminal */
  const alea_move *arms;  /* arm_count * role_count, chance's entry ALEA_NO_MOVE; NULL where
                             there are more than max_arms */
} alea_stage_solution;

/* What solving cost, since the stage was made. */
typedef struct alea_stage_stats {
  uint64_t solved, arms, nodes, propagations;
} alea_stage_stats;

typedef struct alea_stage_class {
  const char *engine; /* "table" or "net" */
  double state;       /* propagations that take as long as one state of a plain playout */
  void (*free)(alea_stage *stage);
  alea_status (*solve)(alea_stage *stage, const uint64_t *words, size_t count,
                       alea_stage_solution *solution);
  alea_status (*next)(alea_stage *stage, const alea_move *joint, const uint64_t **words,
                      size_t *count);
} alea_stage_class;

struct alea_stage {
  const alea_stage_class *class;
  const alea_game *game; /* borrowed */
  alea_stage_options options;
  alea_stage_stats stats;
};

/* The engine `net`, for any game; 'mem' is the caller's thread's. */
alea_status alea_stage_new_net(alea_stage **stage, const alea_game *game,
                               const alea_stage_options *options, alea_mem *mem);

static inline void alea_stage_free(alea_stage *stage) { /* NULL is a no-op. */
  if (stage != NULL) stage->class->free(stage);
}
/* Solves the stage at a position. */
static inline alea_status alea_stage_solve(alea_stage *stage, const uint64_t *words, size_t count,
                                           alea_stage_solution *solution) {
  return stage->class->solve(stage, words, count, solution);
}
/* What solving has cost so far, in states of a plain playout: a count of what was
 * done, and so the same on every machine. */
static inline double alea_stage_work(const alea_stage *stage) {
  return (double)stage->stats.propagations / stage->class->state;
}
/* The successor of the position solved last under a joint move, chance
 * included.  The words live until the next call. */
static inline alea_status alea_stage_next(alea_stage *stage, const alea_move *joint,
                                          const uint64_t **words, size_t *count) {
  return stage->class->next(stage, joint, words, count);
}

#endif
