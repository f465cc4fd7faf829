/* The numbering of slots. */
#include <string.h>

#include "propnet/image.h"

typedef struct slot_placer {
  alea_image *image;
  const alea_net *net;
  alea_mem *mem;
  uint32_t *uses; /* per gate: readers and roots */
  uint32_t *bit;  /* per gate: the bit of the roots that it is and nothing else, plus one, or 0 */
} slot_placer;

/* ---- gates that are a bit of the roots and nothing else ---- */

static void use(slot_placer *p, alea_lit lit, uint32_t bit_plus_one) {
  if (lit >> 1 < p->net->first_gate) return;
  uint32_t gate = (lit >> 1) - p->net->first_gate;
  p->uses[gate]++;
  p->bit[gate] = bit_plus_one;
}

static void find_bits(slot_placer *p) {
  const alea_net *net = p->net;
  for (size_t i = 0; i < net->inputs.count; i++) use(p, net->inputs.data[i], 0);
  for (size_t i = 0; i < net->goals.count; i++) use(p, net->goals.data[i].lit, 0);
  for (size_t i = 0; i < net->percepts.count; i++) use(p, net->percepts.data[i].lit, 0);
  use(p, net->terminal, 0);
  for (uint32_t i = 0; i < net->fluent_count; i++) use(p, net->next[i], i + 1);
  for (uint32_t role = 0; role < net->role_count; role++)
    for (uint32_t m = net->move_first[role]; m < net->move_first[role + 1]; m++)
      use(p, net->legal[m], 64 * p->image->legal_word[role] + (m - net->move_first[role]) + 1);
  for (uint32_t gate = 0; gate < net->gate_count; gate++)
    if (p->uses[gate] != 1) p->bit[gate] = 0;
  for (size_t i = 0; i < net->cycles.count; i++)
    for (uint32_t node = net->cycles.data[i].first; node <= net->cycles.data[i].last; node++)
      p->bit[node - net->first_gate] = 0;
}

/* ---- slots ---- */

/* Numbers the pieces of wide gates and returns their number. */
static uint32_t place_pieces(alea_image *image) {
  const alea_net *net = image->net;
  uint32_t count = 0;
  for (uint32_t gate = 0; gate < net->gate_count; gate++) {
    image->piece_first[gate] = count;
    if (net->cycles.count > 0 && alea_net_part_of(net, net->first_gate + gate) != UINT32_MAX)
      continue;
    for (uint32_t inputs = net->gates[gate].input_count; inputs > ALEA_MOST_INPUTS;)
      count += inputs = alea_image_pieces(inputs);
  }
  image->piece_first[net->gate_count] = count;
  return count;
}

/* Gives slots from '*at' on to the counters of a phase of the net: first those that lie
 * beside each other because of an input, then the others. */
static bool place_gates(slot_placer *p, alea_net_phase phase, uint32_t *at) {
  alea_image *image = p->image;
  const alea_net *net = p->net;
  uint32_t first = phase == 0 ? net->first_gate : net->phase_end[phase - 1];
  if (!alea_image_place_runs(image, first, net->phase_end[phase], at, p->mem)) return false;
  for (uint32_t node = first; node < net->phase_end[phase]; node++) {
    uint32_t gate = node - net->first_gate;
    for (uint32_t i = image->piece_first[gate]; i < image->piece_first[gate + 1]; i++) {
      uint32_t *slot = &image->slot_of[net->gate_count + i];
      if (*slot == ALEA_NO_SLOT) *slot = (*at)++;
    }
    if (image->slot_of[gate] == ALEA_NO_SLOT && image->folded[gate] == 0)
      image->slot_of[gate] = (*at)++;
  }
  *at = (*at + 63) / 64 * 64;
  return true;
}

static bool place(slot_placer *p) {
  static const alea_net_phase phases[ALEA_IMAGE_PHASES] = {
      [ALEA_IMAGE_STATE] = ALEA_PHASE_STATE, [ALEA_IMAGE_LEGAL] = ALEA_PHASE_COUNT,
      [ALEA_IMAGE_GOAL] = ALEA_PHASE_GOAL,   [ALEA_IMAGE_NEXT] = ALEA_PHASE_NEXT,
      [ALEA_IMAGE_AFTER] = ALEA_PHASE_COUNT, [ALEA_IMAGE_SEES] = ALEA_PHASE_SEES};
  alea_image *image = p->image;
  uint32_t at = 0;
  for (uint32_t gate = 0; gate < p->net->gate_count; gate++)
    if (p->bit[gate] != 0) image->slot_of[gate] = 0; /* until it is known where bits begin */
  for (int phase = 0; phase < ALEA_IMAGE_PHASES; phase++) {
    image->phase_first[phase] = at;
    if (phase == ALEA_IMAGE_LEGAL)
      at += 64 * (image->root_words - image->fluent_words);
    else if (phase == ALEA_IMAGE_AFTER)
      at += 64 * image->fluent_words;
    else if (!place_gates(p, phases[phase], &at))
      return false;
  }
  image->phase_first[ALEA_IMAGE_PHASES] = at;
  image->slot_count = at + 64; /* those that stand for nothing are fewer */
  for (uint32_t gate = 0; gate < p->net->gate_count; gate++)
    if (p->bit[gate] != 0) image->slot_of[gate] = alea_image_bit_slot(image, p->bit[gate] - 1);
  return true;
}

static bool place_blocks(alea_image *image) {
  image->phase_of_block = alea_image_zeros(image, image->slot_count / 64, 1);
  if (image->phase_of_block == NULL) return false;
  for (uint8_t phase = 0; phase < ALEA_IMAGE_PHASES; phase++)
    for (uint32_t i = image->phase_first[phase]; i < image->phase_first[phase + 1]; i += 64)
      image->phase_of_block[i / 64] = phase;
  return true;
}

bool alea_image_place_slots(alea_image *image, alea_mem *mem) {
  const alea_net *net = image->net;
  size_t gates = net->gate_count;
  slot_placer p = {.image = image, .net = net, .mem = mem};
  image->piece_first = alea_image_zeros(image, gates + 1, sizeof *image->piece_first);
  if (image->piece_first == NULL) return false;
  size_t counters = gates + place_pieces(image);
  image->slot_of = alea_image_zeros(image, counters, sizeof *image->slot_of);
  p.uses = alea_mem_calloc(mem, gates, sizeof *p.uses);
  p.bit = alea_mem_calloc(mem, gates, sizeof *p.bit);
  bool ok = image->slot_of != NULL && p.uses != NULL && p.bit != NULL;
  if (ok) memset(image->slot_of, 0xff, counters * sizeof *image->slot_of); /* ALEA_NO_SLOT */
  if (ok) find_bits(&p);
  ok = ok && place(&p);
  alea_mem_free(mem, p.uses, gates * sizeof *p.uses);
  alea_mem_free(mem, p.bit, gates * sizeof *p.bit);
  return ok && place_blocks(image);
}
