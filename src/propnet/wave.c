/* Counters and triggers of the incremental engine. */
#include "propnet/wave.h"

#include <string.h>

/* BEHIND: so many places behind the end of a list are written to. */
enum { LIST = 1024, BEHIND = 2 };

/* ---- telling ---- */

/* Changes the counter of a reader and appends its slot to the list that ends at 'end' if it
 * crossed, that is if its top bit changed; returns the new end.  'steps' are the changes by the
 * kind of the edge. */
static inline uint32_t *tell_one(uint8_t *counters, uint32_t edge, const uint8_t *steps,
                                 uint32_t *end) {
  size_t slot = alea_edge_slot(edge);
  uint8_t before = counters[slot], after = (uint8_t)(before + steps[edge % ALEA_EDGE_STEPS]);
  __asm__("" : "+r"(slot)); /* or the address takes a register of its own, and some are spilt */
  counters[slot] = after;
  *end = (uint32_t)slot;
  return end + ((uint8_t)(before ^ after) >> 7);
}

/* The same for a gate or a bit: bits have no readers, and are not appended. */
static inline uint32_t *tell_other(uint8_t *counters, uint32_t edge, const uint8_t *steps,
                                   uint32_t *end) {
  uint32_t *behind = tell_one(counters, edge, steps, end);
  return end + ((uint32_t)(behind - end) & alea_edge_is_gate(edge));
}

/* The ends of the lists of what crossed: readers in the same phase, and in later ones. */
typedef struct wave_ends {
  uint32_t *same, *later;
} wave_ends;

/* Tells the readers of a block.  Seldom more than two cross: these are appended without
 * asking whether there are so many. */
static inline uint32_t *tell_block(uint8_t *counters, const alea_image_block *block, uint32_t rise,
                                   uint32_t *end) {
  uint64_t crossed =
      alea_wave_add(counters + block->first, block->up[rise], block->up[rise ^ 1], block->weight);
  uint32_t first = block->first, count = (uint32_t)__builtin_popcountll(crossed);
  end[0] = first + alea_wave_lowest(crossed);
  crossed &= crossed - 1;
  end[1] = first + alea_wave_lowest(crossed);
  for (uint32_t i = 2; i < count; i++) {
    crossed &= crossed - 1;
    end[i] = first + alea_wave_lowest(crossed);
  }
  return end + count;
}

/* Tells those readers of a slot that have no fixed place. */
static inline wave_ends tell_far(const alea_image *image, uint32_t first, uint8_t *counters,
                                 uint32_t rise, const uint8_t *steps, wave_ends ends) {
  const alea_image_edge *list = image->far + first, *group = list + ALEA_FAR_HEAD;
  const alea_image_block *block = image->blocks + list[ALEA_FAR_FIRST];
  for (uint32_t n = list[ALEA_FAR_GROUPS]; n > 0; n--, group += 1 + ALEA_EDGE_GROUP) {
    uint32_t *end = group[0] != ALEA_EDGE_SAME ? ends.later : ends.same;
    for (int i = 1; i <= ALEA_EDGE_GROUP; i++) end = tell_one(counters, group[i], steps, end);
    ends.same = group[0] == ALEA_EDGE_SAME ? end : ends.same;
    ends.later = group[0] == ALEA_EDGE_LATER ? end : ends.later;
  }
  for (uint32_t n = list[ALEA_FAR_BLOCKS]; n > 0; n--, block++) {
    uint32_t *end = tell_block(counters, block, rise, block->later != 0 ? ends.later : ends.same);
    ends.same = block->later != 0 ? ends.same : end;
    ends.later = block->later != 0 ? end : ends.later;
  }
  for (uint32_t n = list[ALEA_FAR_BIT_BLOCKS]; n > 0; n--, block++)
    (void)alea_wave_add(counters + block->first, block->up[rise], block->up[rise ^ 1],
                        block->weight);
  return ends;
}

/* The changes of readers of a weight that count down, and of those that count up. */
#define STEPS(weight, rise) \
  (uint8_t)(2 * (weight) * (1 - 2 * (rise))), (uint8_t)(2 * (weight) * (2 * (rise)-1))

/* Tells all readers of a slot that it rose (1) or fell (0). */
static inline wave_ends tell(const alea_image *image, const alea_image_slot *s, uint8_t *counters,
                             uint32_t rise, wave_ends ends) {
  static const uint8_t steps_of[2][ALEA_EDGE_STEPS] = {
      {STEPS(0, 0), STEPS(1, 0), STEPS(2, 0), STEPS(3, 0), STEPS(4, 0), STEPS(5, 0), STEPS(6, 0),
       STEPS(7, 0)},
      {STEPS(0, 1), STEPS(1, 1), STEPS(2, 1), STEPS(3, 1), STEPS(4, 1), STEPS(5, 1), STEPS(6, 1),
       STEPS(7, 1)},
  };
  const uint8_t *steps = steps_of[rise];
  uint32_t first = s->first;
  ends.same = tell_one(counters, s->same[0], steps, ends.same);
  ends.same = tell_one(counters, s->same[1], steps, ends.same);
  ends.later = tell_other(counters, s->other, steps, ends.later);
  return first == 0 ? ends : tell_far(image, first, counters, rise, steps, ends);
}

/* ---- queues ---- */

/* Lists end in arrays of the cursor: taken from there, and put back. */
static inline wave_ends take_ends(const alea_wave *wave, const alea_wave_queue *queue) {
  return (wave_ends){queue->slots + queue->count, wave->later + wave->later_count};
}

static inline void put_ends(alea_wave *wave, alea_wave_queue *queue, wave_ends ends) {
  queue->count = (uint32_t)(ends.same - queue->slots);
  wave->later_count = (uint32_t)(ends.later - wave->later);
}

/* Whether the readers of a slot have to be told, 0 or 1. */
static inline uint32_t is_news(const alea_wave *wave, uint32_t slot) {
  return (wave->counters[slot] >> 7 ^ wave->counters[slot]) & 1;
}

/* Keeps of the queue from 'begin' on each slot once, if there is news of it. */
static void tidy_up(alea_wave *wave, alea_wave_queue *queue, uint32_t begin) {
  uint32_t count = 0;
  for (uint32_t i = begin; i < queue->count; i++) {
    uint32_t slot = queue->slots[i];
    if (!is_news(wave, slot) || wave->seen[slot]) continue;
    wave->seen[slot] = 1;
    queue->slots[count++] = slot;
  }
  for (uint32_t i = 0; i < count; i++) wave->seen[queue->slots[i]] = 0;
  queue->count = count;
}

/* Puts the slots of later phases into their queues; those that crossed back meanwhile
 * need not wait. */
static void deal_out(alea_wave *wave) {
  const uint8_t *phases = wave->image->phase_of_block, *counters = wave->counters;
  const uint32_t *later = wave->later, *end = later + wave->later_count;
  for (; later < end; later++) {
    uint32_t slot = *later, counter = counters[slot];
    alea_image_phase phase = (alea_image_phase)phases[slot >> 6];
    alea_wave_queue *queue = phase == ALEA_IMAGE_NEXT ? &wave->stale : &wave->queues[phase];
    queue->slots[queue->count] = slot;
    queue->count += (counter >> 7 ^ counter) & 1;
    if (queue->count > queue->limit) tidy_up(wave, queue, 0);
  }
  wave->later_count = 0;
}

/* Makes sure that the readers of another slot fit, from place 'at' of the queue on; returns
 * where that place is now. */
static uint32_t make_room(alea_wave *wave, alea_wave_queue *queue, uint32_t at) {
  if (wave->later_count >= LIST) deal_out(wave);
  if (queue->count <= queue->limit) return at;
  tidy_up(wave, queue, at);
  return 0;
}

/* ---- cycles ---- */

/* Changes the counter of a gate. */
static inline void count_inner(alea_wave *wave, uint32_t gate, bool up) {
  uint64_t bit = UINT64_C(1) << gate % 64, *zero = &wave->zero[gate / 64];
  uint32_t count = wave->inner_counts[gate] += up ? 1u : UINT32_MAX;
  *zero = count == 0 ? *zero | bit : *zero & ~bit;
}

/* Inputs of cyclic parts: the part is evaluated when its turn comes. */
static void touch_parts(alea_wave *wave, uint32_t slot, bool rise) {
  const alea_image *image = wave->image;
  for (uint32_t i = image->touch_first[slot]; i < image->touch_first[slot + 1]; i++) {
    alea_image_touch t = image->touches[i];
    count_inner(wave, t.gate, t.up == rise);
    if (t.adding != rise) wave->reset[t.part] = 1;
    wave->touched[t.part / 64] |= UINT64_C(1) << (t.part % 64);
  }
}

/* Which gates of a word are derived, by what their inputs are now. */
static inline uint64_t derived(const alea_wave *wave, uint32_t word) {
  return wave->zero[word] ^ wave->image->is_or[word];
}

/* Tells the readers inside the part of a gate that became true or was reset. */
static void tell_inner(alea_wave *wave, uint32_t gate, bool value) {
  const alea_image *image = wave->image;
  for (uint32_t i = image->inner_first[gate]; i < image->inner_first[gate + 1]; i++) {
    uint32_t reader = image->inner[i];
    count_inner(wave, reader, (image->is_or[reader / 64] >> reader % 64 & 1) == value);
  }
}

/* What follows from the gates that are derived, from the first 'count' of wave->work on. */
static void derive(alea_wave *wave, uint32_t count) {
  const alea_image *image = wave->image;
  for (uint32_t k = 0; k < count; k++) {
    uint32_t gate = wave->work[k];
    tell_inner(wave, gate, true);
    for (uint32_t i = image->inner_first[gate]; i < image->inner_first[gate + 1]; i++) {
      uint32_t reader = image->inner[i], word = reader / 64;
      uint64_t news = derived(wave, word) & ~wave->values[word] & UINT64_C(1) << reader % 64;
      wave->values[word] |= news;
      wave->work[count] = reader;
      count += news != 0;
    }
  }
}

/* Tells the readers of a gate on a cycle that it rose or fell. */
static void turn_gate(alea_wave *wave, uint32_t slot, bool rise) {
  const alea_image *image = wave->image;
  alea_wave_queue *queue = &wave->queues[alea_image_phase_of(image, slot)];
  wave_ends ends = take_ends(wave, queue);
  put_ends(wave, queue, tell(image, &image->slots[slot], wave->counters, rise ? 1 : 0, ends));
  touch_parts(wave, slot, rise);
  (void)make_room(wave, queue, 0);
}

/* The slots of a part in a word. */
static inline uint64_t mask_of(alea_image_part part, uint32_t word) {
  uint64_t mask = UINT64_MAX;
  if (word == part.first / 64) mask <<= part.first % 64;
  if (word == part.last / 64) mask &= UINT64_MAX >> (63 - part.last % 64);
  return mask;
}

/* Takes all values of a part back. */
static void reset_part(alea_wave *wave, alea_image_part part) {
  for (uint32_t w = part.first / 64; w <= part.last / 64; w++) {
    uint64_t mask = mask_of(part, w);
    for (uint64_t bits = wave->values[w] & mask; bits != 0; bits &= bits - 1)
      tell_inner(wave, 64 * w + (uint32_t)__builtin_ctzll(bits), false);
    wave->values[w] &= ~mask;
  }
}

/* Least fixpoint of a part.  Where inputs only helped, the old values are a
 * place to go on from; otherwise they may support each other in a circle and
 * all are taken back first. */
static void run_part(alea_wave *wave, uint32_t part) {
  const alea_image *image = wave->image;
  const alea_image_part p = image->parts[part];
  uint32_t first = p.first / 64, last = p.last / 64, count = 0;
  wave->touched[part / 64] &= ~(UINT64_C(1) << (part % 64));
  memcpy(wave->old + first, wave->values + first, (last - first + 1) * sizeof *wave->old);
  if (wave->reset[part]) reset_part(wave, p);
  wave->reset[part] = 0;
  for (uint32_t w = first; w <= last; w++) {
    uint64_t news = derived(wave, w) & ~wave->values[w] & mask_of(p, w);
    wave->values[w] |= news;
    for (; news != 0; news &= news - 1)
      wave->work[count++] = 64 * w + (uint32_t)__builtin_ctzll(news);
  }
  derive(wave, count);
  for (uint32_t w = first; w <= last; w++) {
    uint64_t turned = (wave->values[w] ^ wave->old[w]) & mask_of(p, w);
    for (; turned != 0; turned &= turned - 1) {
      uint64_t active = (wave->values[w] ^ image->is_or[w]) & turned & -turned;
      turn_gate(wave, 64 * w + (uint32_t)__builtin_ctzll(turned), active != 0);
    }
  }
}

void alea_wave_turn_move(alea_wave *wave, uint32_t from, uint32_t to) {
  const alea_image *image = wave->image;
  alea_wave_queue *queue = &wave->queues[ALEA_IMAGE_NEXT];
  wave_ends ends = take_ends(wave, queue);
  ends = tell(image, &image->slots[from], wave->counters, 0, ends);
  ends = tell(image, &image->slots[to], wave->counters, 1, ends);
  put_ends(wave, queue, ends);
  if (image->part_count > 0) {
    touch_parts(wave, from, false);
    touch_parts(wave, to, true);
  }
  (void)make_room(wave, queue, 0);
}

void alea_wave_turn_fluents(alea_wave *wave, const uint64_t *change, const uint64_t *state) {
  const alea_image *image = wave->image;
  const alea_image_slot *leaves = image->slots + image->slot_count + 1;
  uint8_t *counters = wave->counters;
  bool cyclic = image->part_count > 0;
  alea_wave_queue *queue = &wave->queues[ALEA_IMAGE_STATE];
  const uint32_t *full = queue->slots + queue->limit, *later_full = wave->later + LIST;
  wave_ends ends = take_ends(wave, queue);
  for (uint32_t w = 0; w < image->fluent_words; w++)
    for (uint64_t bits = change[w]; bits != 0; bits &= bits - 1) {
      uint32_t bit = (uint32_t)__builtin_ctzll(bits), rise = state[w] >> bit & 1;
      ends = tell(image, &leaves[64 * w + bit], counters, rise, ends);
      if (cyclic) touch_parts(wave, image->slot_count + 1 + 64 * w + bit, rise != 0);
      if (ends.same <= full && ends.later < later_full) continue;
      put_ends(wave, queue, ends);
      (void)make_room(wave, queue, 0);
      ends = take_ends(wave, queue);
    }
  put_ends(wave, queue, ends);
}

/* ---- phases ---- */

static inline __attribute__((always_inline)) void visit_gates(alea_wave *wave,
                                                              alea_wave_queue *queue, bool cyclic) {
  const alea_image *image = wave->image;
  const alea_image_slot *slots = image->slots;
  const uint32_t *full = queue->slots + queue->limit, *later_full = wave->later + LIST;
  uint8_t *counters = wave->counters;
  wave_ends ends = take_ends(wave, queue);
  const uint32_t *at = queue->slots;
  uint32_t next = *at;
  while (at < ends.same) {
    const uint32_t *known = ends.same;
    uint32_t slot = next, counter = counters[slot], active = counter >> 7;
    next = *++at;
    __builtin_prefetch(&slots[next]); /* in a large network it is not at hand */
    if (active != (counter & 1)) {
      counters[slot] = (uint8_t)(counter ^ 1);
      ends = tell(image, &slots[slot], counters, active, ends);
      if (cyclic) touch_parts(wave, slot, active != 0);
    }
    if (at >= known) next = *at;
    if (ends.same <= full && ends.later < later_full) continue;
    put_ends(wave, queue, ends);
    at = queue->slots + make_room(wave, queue, (uint32_t)(at - queue->slots));
    ends = take_ends(wave, queue);
    next = *at;
  }
  put_ends(wave, queue, ends);
  queue->count = 0;
}

/* Two copies, one of which does not ask about cycles at each gate. */
static void run_gates(alea_wave *wave, alea_wave_queue *queue) {
  if (queue->count == 0) return;
  if (wave->image->part_count > 0)
    visit_gates(wave, queue, true);
  else
    visit_gates(wave, queue, false);
}

/* The first part from 'part' on whose inputs changed, or 'end'. */
static uint32_t next_touched(const alea_wave *wave, uint32_t part, uint32_t end) {
  while (part < end) {
    uint64_t bits = wave->touched[part / 64] >> (part % 64);
    if (bits != 0) {
      part += (uint32_t)__builtin_ctzll(bits);
      return part < end ? part : end;
    }
    part = (part / 64 + 1) * 64;
  }
  return end;
}

/* Parts come in the order of their gates: each is run once, when all that it depends on
 * is known. */
static void run_parts(alea_wave *wave, alea_image_phase phase) {
  uint32_t part = wave->image->phase_part[phase], end = wave->image->phase_part[phase + 1];
  while ((part = next_touched(wave, part, end)) < end) {
    run_part(wave, part);
    run_gates(wave, &wave->queues[phase]);
  }
}

void alea_wave_run_waiting(alea_wave *wave, alea_image_phase phase) {
  run_gates(wave, &wave->queues[phase]);
  if (phase == ALEA_IMAGE_NEXT) run_gates(wave, &wave->stale);
  if (wave->image->part_count > 0) run_parts(wave, phase);
  deal_out(wave);
}

/* ---- the arrays ---- */

static size_t room_of(const alea_image *image, const alea_wave_queue *queue) {
  return (size_t)queue->limit + 2 * (size_t)image->most_edges + BEHIND;
}

size_t alea_wave_lay_out(alea_wave *wave, const alea_image *image, char *block, size_t at) {
  size_t cyclic = image->part_count > 0 ? image->slot_count : 0;
  wave->image = image;
#define TAKE(field, count)                                    \
  do {                                                        \
    if (block != NULL) wave->field = (void *)(block + at);    \
    at += ((count) * sizeof *wave->field + 63) & ~(size_t)63; \
  } while (0)
  TAKE(counters, image->slot_count);
  TAKE(later, LIST + 2 * (size_t)image->most_edges + BEHIND);
  for (int phase = 0; phase < ALEA_IMAGE_PHASES; phase++) {
    if (phase == ALEA_IMAGE_LEGAL || phase == ALEA_IMAGE_AFTER) continue; /* bits do not wait */
    wave->queues[phase].limit = image->phase_first[phase + 1] - image->phase_first[phase] + LIST;
    TAKE(queues[phase].slots, room_of(image, &wave->queues[phase]));
  }
  wave->stale.limit = wave->queues[ALEA_IMAGE_NEXT].limit;
  TAKE(stale.slots, room_of(image, &wave->stale));
  TAKE(seen, image->slot_count);
  TAKE(inner_counts, cyclic);
  TAKE(values, (cyclic + 63) / 64);
  TAKE(old, (cyclic + 63) / 64);
  TAKE(zero, (cyclic + 63) / 64);
  TAKE(work, cyclic > 0 ? cyclic + 1 : 0);
  TAKE(touched, (image->part_count + 63) / 64);
  TAKE(reset, image->part_count);
#undef TAKE
  return at;
}

void alea_wave_init(alea_wave *wave) {
  const alea_image *image = wave->image;
  memcpy(wave->counters, image->counters, image->slot_count);
  if (image->part_count == 0) return;
  size_t words = alea_image_slot_words(image);
  memcpy(wave->values, image->values, words * sizeof *wave->values);
  memcpy(wave->zero, image->zero, words * sizeof *wave->zero);
  memcpy(wave->inner_counts, image->inner_counts, image->slot_count * sizeof *wave->inner_counts);
}
