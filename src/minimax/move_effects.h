#ifndef ALEA_MINIMAX_MOVE_EFFECTS_H
#define ALEA_MINIMAX_MOVE_EFFECTS_H

/* What moves do to an evaluation, as far as was seen, so that most moves need not be
 * tried to know that they gain little.
 *
 * Fluents that differ only in their last argument, and in arguments that name a role,
 * stand at one place, as `(cell 2 5 wp)` and `(cell 2 5 bq)` do.  Which places a move writes is
 * read off the first time it is seen.  Where nothing that others value stands there, it gains no
 * more than it ever did in such a position; else it has to be looked at. That is a guess from
 * experience, not a bound: a move may do something new.
 *
 * A step changes what there is where the numbers of like fluents do: pieces come, go, or become
 * others. */

#include "base/vec.h"
#include "minimax/linear_eval.h"

typedef struct alea_move_effect {
  uint32_t first_prey, prey_count; /* fluents at its places that others value, in 'prey' */
  int32_t most;                    /* gained where none of them held */
  int32_t most_loud;               /* the same by steps that changed what there is */
  bool seen, seen_idle;            /* at all, and where none of them held */
} alea_move_effect;

typedef struct alea_move_effects {
  alea_mem *mem;
  const alea_linear_eval *eval; /* borrowed */
  uint32_t roles;
  uint32_t *move_counts;      /* by role */
  alea_move_effect **effects; /* by role and move */
  uint32_t fluent_count;
  uint32_t *place_of, *fluents; /* by fluent: its place; fluents in the order of their places */
  alea_u32s first_fluent;       /* by place, and one more: where its fluents begin */
  alea_u32s prey;
  uint64_t *kinds; /* by fluent: a number for the kind of piece that it is; 0: it is none */
} alea_move_effects;

/* 'eval' must outlive it, and is of the engine `net`.  The caller clears it with any
 * status. */
alea_status alea_move_effects_init(alea_move_effects *effects, const alea_linear_eval *eval,
                                   alea_mem *mem);
void alea_move_effects_clear(alea_move_effects *effects); /* a zeroed one too */
/* All that was seen, for another evaluation. */
void alea_move_effects_forget(alea_move_effects *effects);

/* A move of 'role' leads from one position to another, which is worth 'gain' more for
 * that role.  False without memory. */
bool alea_move_effects_note(alea_move_effects *effects, uint32_t role, alea_move move,
                            const uint64_t *from, const uint64_t *to, int32_t gain);

/* Whether a step changes what there is. */
static inline bool alea_move_effects_trades(const alea_move_effects *effects, const uint64_t *from,
                                            const uint64_t *to) {
  uint64_t sum = 0;
  for (size_t w = 0; w < effects->eval->word_count; w++) {
    for (uint64_t change = from[w] ^ to[w]; change != 0; change &= change - 1) {
      unsigned bit = (unsigned)__builtin_ctzll(change);
      uint64_t kind = effects->kinds[64 * w + bit];
      sum += (to[w] >> bit & 1) != 0 ? kind : -kind;
    }
  }
  return sum != 0;
}

/* Whether a move that was seen has something to take at a position. */
static inline bool alea_move_effects_takes(const alea_move_effects *effects,
                                           const alea_move_effect *e, const uint64_t *words) {
  const uint32_t *prey = effects->prey.data + e->first_prey;
  for (uint32_t i = 0; i < e->prey_count; i++)
    if ((words[prey[i] >> 6] >> (prey[i] & 63) & 1) != 0) return true;
  return false;
}

/* What was seen of a move that has nothing to take at a position; NULL: it has, or was
 * never seen without. */
static inline const alea_move_effect *alea_move_effects_known(const alea_move_effects *effects,
                                                              uint32_t role, alea_move move,
                                                              const uint64_t *words) {
  const alea_move_effect *e = &effects->effects[role][move];
  return e->seen_idle && !alea_move_effects_takes(effects, e, words) ? e : NULL;
}

/* Whether a move is expected to gain no more than '*most' at a position. */
static inline bool alea_move_effects_bound(const alea_move_effects *effects, uint32_t role,
                                           alea_move move, const uint64_t *words, int32_t *most) {
  const alea_move_effect *e = alea_move_effects_known(effects, role, move, words);
  if (e != NULL) *most = e->most;
  return e != NULL;
}

#endif
