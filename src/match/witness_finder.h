#ifndef ALEA_MATCH_WITNESS_FINDER_H
#define ALEA_MATCH_WITNESS_FINDER_H

/* What the searches for witnesses share; inside src/match only. */

#include "match/witness.h"
#include "propnet/propnet.h"

typedef struct witness_finder {
  const alea_game *game;
  const alea_net *net; /* NULL where there is none */
  alea_cursor *cursor;
  alea_mem *mem;
  const alea_witness_limits *limits;
  alea_witnesses *found;
  bool *won;                   /* per role: it has 100 at the end of some play */
  int *best;                   /* per role: the largest goal at an end so far; -1: none */
  alea_move *joint;            /* per role: scratch */
  uint8_t *values;             /* per node of the net: scratch; NULL without a net */
  uint64_t evaluations;        /* of gates, for goals that hold together */
  ALEA_VEC(alea_witness) here; /* of the position looked at last, without moves */
  bool all;                    /* every position was looked at */
  bool *never;                 /* per role: proved that no play gives it 100 */
} witness_finder;

static inline bool witness_is_player(const witness_finder *f, uint32_t role) {
  return (int)role != f->game->random_role;
}

/* Whether such a witness is still looked for. */
bool witness_is_wanted(const witness_finder *f, alea_witness_kind kind, uint32_t role);

/* Looks at the cursor's position; f->here gets what is wrong there and still
 * wanted.  '*over': the play cannot go on. */
alea_status witness_look(witness_finder *f, bool *over);

/* Adds a copy of 'witness' with the moves of its play. */
alea_status witness_add(witness_finder *f, const alea_witness *witness, const alea_move *moves,
                        uint32_t steps);
/* The same for all of f->here. */
alea_status witness_add_here(witness_finder *f, const alea_move *moves, uint32_t steps);

/* The searches.  ALEA_LIMIT is not an error. */
alea_status witness_search_positions(witness_finder *f);
alea_status witness_search_plays(witness_finder *f);
alea_status witness_search_lanes(witness_finder *f);
alea_status witness_search_stages(witness_finder *f);

#endif
