#ifndef ALEA_PROPNET_WAVE_H
#define ALEA_PROPNET_WAVE_H

/* The gates of one cursor of the incremental engine; internal.
 *
 * When a slot rises or falls, the counters of its readers change by one.  Those
 * that become active or cease to be so wait in the queue of their phase, and when
 * their turn comes and they are then not what their readers were told, those are
 * told in turn.  Phases are run one after the other, gates of one phase in the
 * order in which they came: a gate may be visited again, where paths of different
 * lengths lead to it, but that is rare, one visit in ten in chess, and costs less
 * than sorting would.  In NEXT those that the moves turned over come first: gates that read
 * the last move and what it changed would otherwise turn over, and then back with the move.
 *
 * What costs most is not arithmetic but branches that cannot be foreseen: how many
 * readers has a gate, which of them cross?  So readers are told in groups of equal
 * size, and those that crossed are appended to the queue without asking.  Many readers
 * beside each other are told at once (wave_block.h).
 *
 * A counter is a byte: the number of inputs that keep the gate from being active,
 * less one, from bit 1 on, so that bit 7 says that it is active; bit 0 says whether
 * the readers were told so.  Bits of the roots have no readers: they are told, wait nowhere, and
 * their bit 7 is looked at when somebody asks. */

#include "propnet/image.h"
#include "propnet/wave_block.h"

/* Slots that crossed.  One may be there twice, or for nothing: a queue longer than its
 * limit is tidied up.  There is room for what two slots tell beyond that. */
typedef struct alea_wave_queue {
  uint32_t *slots;
  uint32_t count, limit;
} alea_wave_queue;

typedef struct alea_wave {
  const alea_image *image; /* borrowed */
  uint8_t *counters;       /* per slot */
  uint8_t *seen;           /* per slot: scratch, zero */
  alea_wave_queue queues[ALEA_IMAGE_PHASES];
  alea_wave_queue stale; /* of NEXT, behind its queue: what waits because of fluents */
  uint32_t *later;       /* slots of later phases that crossed, not yet in their queues */
  uint32_t later_count;

  /* Gates on cycles; see alea_image.  Bits, so that a part of which little is true costs little. */
  uint32_t *inner_counts;
  uint64_t *values, *old, *zero;
  uint64_t *touched; /* per part, a bit: an input changed */
  uint8_t *reset;    /* per part: an input was lost */
  uint32_t *work;
} alea_wave;

/* Lays the arrays out behind 'at' in a block, which may be NULL to know only the
 * end; returns the place behind them.  Then alea_wave_init fills them. */
size_t alea_wave_lay_out(alea_wave *wave, const alea_image *image, char *block, size_t at);
void alea_wave_init(alea_wave *wave);

/* A role's move, the slots of whose leaves are given, is another one now. */
void alea_wave_turn_move(alea_wave *wave, uint32_t from, uint32_t to);
/* The fluents in 'change' turned over, and are now as 'state' says. */
void alea_wave_turn_fluents(alea_wave *wave, const uint64_t *change, const uint64_t *state);
/* Brings the gates of a phase of the net up to date.  Earlier phases that they depend on must be.
 */
void alea_wave_run_waiting(alea_wave *wave, alea_image_phase phase);
static inline void alea_wave_run(alea_wave *wave, alea_image_phase phase) {
  bool waits = wave->queues[phase].count > 0 || wave->later_count > 0 ||
               (phase == ALEA_IMAGE_NEXT && wave->stale.count > 0);
  if (waits || wave->image->part_count > 0) alea_wave_run_waiting(wave, phase);
}

/* A word of the bits of the roots, where their phase was run: STATE for legal moves, NEXT for the
 * next position. */
static inline uint64_t alea_wave_bits(const alea_wave *wave, uint32_t word) {
  const alea_image *image = wave->image;
  return alea_wave_tops(wave->counters + alea_image_bit_slot(image, 64 * word)) ^
         image->turned[word];
}

/* Whether the gate in a slot is active, if its phase was run. */
static inline bool alea_wave_is_active(const alea_wave *wave, uint32_t slot) {
  const alea_image *image = wave->image;
  if (image->part_count > 0 && image->part_of[slot] != 0)
    return ((wave->values[slot / 64] ^ image->is_or[slot / 64]) >> slot % 64 & 1) != 0;
  return wave->counters[slot] >> 7 != 0;
}

#endif
