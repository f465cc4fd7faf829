#ifndef ALEA_PROPNET_IMAGE_H
#define ALEA_PROPNET_IMAGE_H

/* A net compiled for the incremental engine; internal, immutable, shared by
 * all cursors of a game.
 *
 * Every gate becomes a counter of the inputs that keep it from being active:
 * for an AND the inputs that are false, for an OR those that are true.  A
 * gate is active when the counter is zero, so an active AND is true and an
 * active OR is false; what "rises" below is activity, and the lists of who
 * counts up and who counts down already know about kinds and negations.
 *
 * Slots: gates have slots 0 .. slot_count-1 in evaluation order, each phase
 * beginning at a multiple of 4096 so that a word of the summary of the dirty
 * bits belongs to one phase; the leaf with node number n has slot
 * slot_count + n. */

#include "propnet/propnet.h"

enum { ALEA_SLOT_ALIGN = 4096, ALEA_MAX_GUARDS = 8 };

/* Who is told when a slot rises or falls: targets[first .. split) count down
 * when it rises, targets[split .. end) count up; the bits targets[end .. stop)
 * of the cursor's roots are turned over. */
typedef struct alea_image_slot {
  uint32_t first, split, end, stop;
} alea_image_slot;

/* An input of a gate on a cycle, told apart because there a lost input may
 * matter even where the counter does not reach zero. */
typedef struct alea_image_touch {
  uint32_t gate; /* slot */
  uint32_t part;
  bool up;     /* counts up when the source rises */
  bool adding; /* can only make the part's gates true when the source rises */
} alea_image_touch;

/* A part with a cycle: slots first .. last. */
typedef struct alea_image_part {
  uint32_t first, last;
} alea_image_part;

/* Moves whose bit in the roots says they are legal only if 'lit' holds too. */
typedef struct alea_image_guard {
  alea_lit lit;
  const uint64_t *moves; /* bits, the role's moves from bit 0 on */
} alea_image_guard;

typedef struct alea_image {
  const alea_net *net; /* borrowed */
  alea_arena arena;    /* holds all arrays */
  uint32_t slot_count;
  uint32_t phase_begin[ALEA_PHASE_COUNT + 1]; /* slots, multiples of ALEA_SLOT_ALIGN */
  alea_image_slot *slots;                     /* per slot, leaves included */
  uint32_t *targets;

  /* Cycles; all NULL or 0 where there are none. */
  uint32_t part_count;
  alea_image_part *parts;
  uint32_t *touch_first; /* per slot, leaves included, CSR */
  alea_image_touch *touches;
  uint32_t *inner_first; /* per gate slot: readers in the same part, CSR */
  uint32_t *inner;
  uint32_t *part_of; /* per gate slot: part + 1, or 0 */
  uint8_t *is_or;    /* per gate slot */

  /* Bits that follow the roots: next per fluent, then legal, each role's
   * moves beginning at a word of its own. */
  uint32_t fluent_words, root_words;
  uint32_t *legal_word;            /* per role */
  const alea_image_guard **guards; /* per role: each move is under one of them */
  uint32_t *guard_count;           /* per role */
  alea_lit *guard_of_gate;         /* per gate: the conjunct left out, or 0; see guards.c */
  uint32_t *goal_first;            /* per role: goals[goal_first[r] .. goal_first[r+1]) */
  alea_net_goal *goals;            /* per role the largest value first */
  uint64_t *zobrist;               /* per fluent */

  /* The initial position, with the first move of each role made. */
  uint32_t *counters; /* per gate slot */
  uint64_t *roots;
  uint64_t *init;
  uint8_t *values; /* per gate slot on a cycle */
  uint64_t init_hash;
} alea_image;

/* The slot of a node. */
static inline uint32_t alea_image_slot_of(const alea_image *image, uint32_t node) {
  const alea_net *net = image->net;
  if (node < net->first_gate) return image->slot_count + node;
  uint32_t phase = 0, begin = net->first_gate;
  while (node >= net->phase_end[phase]) begin = net->phase_end[phase++];
  return image->phase_begin[phase] + (node - begin);
}

/* Fills guards, guard_count and guard_of_gate. */
bool alea_image_find_guards(alea_image *image, alea_mem *mem);

alea_status alea_image_init(alea_image *image, const alea_net *net, alea_mem *mem);
void alea_image_clear(alea_image *image);

#endif
