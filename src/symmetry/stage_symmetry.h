#ifndef ALEA_SYMMETRY_STAGE_SYMMETRY_H
#define ALEA_SYMMETRY_STAGE_SYMMETRY_H

/* Symmetries of one stage with its nogoods, as printed ([SYM16 §4], D30, D62).
 *
 * The graph of a stage is that of the rules with the layers t and t + 1 apart
 * (symmetry.h).  What a search has learned of it, pairs of a state and a move
 * that are not to be played, is one more constraint: every nogood is a vertex of
 * the graph, tied to the fluents that hold in its state and to its move, and
 * nauty finds the automorphisms of the whole.  They may act on the layer t + 1 in
 * another way than on the layer t, so an image need not have the same value.
 *
 * Points that the game has no number for stay where they are, so every generator
 * is one of the game.
 *
 * A stage symmetry is immutable and owns its graph; any thread may ask it. */

#include "symmetry/game_symmetry.h"

typedef struct alea_stage_symmetry alea_stage_symmetry;

/* A nogood, beside the state that it belongs to: a move of a role of the game. */
typedef struct alea_stage_nogood {
  uint32_t role;
  alea_move move;
} alea_stage_nogood;

/* 'game' and 'ground' are of the same rules; 'game' is borrowed and must outlive
 * the result, nothing is kept of 'ground'.  ALEA_UNSUPPORTED: the game is not
 * played by a network.  ALEA_LIMIT: the graph is too large or the deadline
 * passed. */
alea_status alea_stage_symmetry_new(alea_stage_symmetry **stage, const alea_game *game,
                                    const alea_ground *ground, const alea_deadline *deadline,
                                    alea_mem *mem);
void alea_stage_symmetry_free(alea_stage_symmetry *stage); /* NULL is a no-op. */

/* Vertices and edges of the graph without nogoods. */
size_t alea_stage_symmetry_size(const alea_stage_symmetry *stage);

/* The automorphisms of the stage with 'count' nogoods, all of them different; the
 * state of nogood i is at states + i * words of a position.  The caller owns the
 * group and its memory, which is 'mem'.  ALEA_LIMIT: the deadline (may be NULL)
 * passed; '*group' has the generators found until then, or is NULL without
 * memory. */
alea_status alea_stage_symmetry_group(const alea_stage_symmetry *stage, const uint64_t *states,
                                      const alea_stage_nogood *nogoods, size_t count,
                                      const alea_deadline *deadline, alea_mem *mem,
                                      alea_game_symmetry **group);

#endif
