#ifndef ALEA_MINIMAX_EVAL_FEATURES_H
#define ALEA_MINIMAX_EVAL_FEATURES_H

/* Features of a linear evaluation: numbers of fluents that hold, of certain sets.
 *
 * Sets are found in the names of fluents.  Of `(cell 2 5 wp)` these are the fluent
 * itself, all of its kind `(cell ? ? wp)`, and those that share one more argument,
 * `(cell 2 ? wp)` and `(cell ? 5 wp)`.  Arguments that name a role are of the kind, too, as
 * in `(cell ? ? white king)`.  What is rare shares in this way what is known
 * of its like: a weight of the kind is learnt soon, and a single fluent has to give
 * reasons to differ from it (its weights are drawn towards 0, the smaller the set the
 * more).
 *
 * Symmetries of the game tie features.  Those that a symmetry maps to each other have
 * one weight; where it exchanges the roles, they have it with opposite signs, in games
 * of two in which one loses what the other wins. */

#include "base/vec.h"
#include "encode/services.h"
#include "game/game.h"

typedef struct alea_eval_feature {
  float weight, squares; /* of the gradients */
  float seen;            /* examples in which it was not 0 */
  float draw;            /* towards 0 */
  int32_t value;         /* scratch: in one position */
  uint32_t tied;         /* feature whose weight it has; itself, where that is its own */
  bool opposite;         /* with the other sign */
  bool void_;            /* tied to its own opposite: always 0 */
} alea_eval_feature;

typedef struct alea_eval_part {
  uint32_t feature;
  int32_t sign;
} alea_eval_part;

typedef struct alea_eval_features {
  alea_mem *mem;
  const alea_game *game;
  uint32_t fluent_count, kind_count;
  ALEA_VEC(alea_eval_feature) list; /* fluents, then kinds, then the smaller sets */
  alea_u32s members, first_member;  /* of the sets that are not single fluents */
  uint32_t *kind_of;                /* by fluent: its kind, 0 .. kind_count - 1 */
  ALEA_VEC(alea_eval_part) parts;   /* of each fluent: the features that count it */
  alea_u32s first_part;             /* by fluent, and one more */
  bool exchanges;                   /* some ties have opposite signs */
} alea_eval_features;

/* Whether an argument names a role, and so tells whose something is. */
struct alea_net;
bool alea_eval_is_owner(const struct alea_net *net, alea_term term);
/* Equal for fluents that differ only in the last leaf of their last argument, and in arguments
 * that name a role: they stand at one place, as `(cell 2 5 wp)` and `(cell 2 5 bq)` do. */
uint64_t alea_eval_place_key(const struct alea_net *net, alea_term term);

/* 'game' is of the engine `net`.  The caller clears it with any status. */
alea_status alea_eval_features_init(alea_eval_features *features, const alea_game *game,
                                    alea_mem *mem);
void alea_eval_features_clear(alea_eval_features *features); /* a zeroed one too */

/* How many fluents are of a kind. */
uint32_t alea_eval_features_kind_size(const alea_eval_features *features, uint32_t kind);

/* Ties features by the symmetries that are proved within the deadline (NULL: within
 * counts); those that exchange roles only with 'exchange'.  What cannot be found out is
 * not tied. */
alea_status alea_eval_features_tie(alea_eval_features *features, alea_services *services,
                                   bool exchange, const alea_deadline *deadline);

#endif
