/* Parts of a net with cycles, for the incremental engine. */
#include <string.h>

#include "propnet/image.h"

uint32_t alea_net_part_of(const alea_net *net, uint32_t node) {
  size_t low = 0, high = net->cycles.count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (net->cycles.data[middle].last < node)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == net->cycles.count || net->cycles.data[low].first > node) return UINT32_MAX;
  return (uint32_t)low;
}

/* Counts an input of a gate on a cycle, or writes it. */
static void touch(alea_image *image, uint32_t gate, alea_lit lit, uint32_t part, bool writing) {
  const alea_net *net = image->net;
  uint32_t target = alea_image_slot_of(image, gate), source = alea_image_slot_of(image, lit >> 1);
  if (alea_net_part_of(net, lit >> 1) == part) {
    if (writing) image->inner[image->inner_first[source]] = target;
    image->inner_first[source]++;
    return;
  }
  if (writing) {
    bool up = alea_net_counts_up(net, gate, lit);
    alea_image_touch t = {target, part, up, up == alea_net_is_or(net, gate)};
    image->touches[image->touch_first[source]] = t;
  }
  image->touch_first[source]++;
}

static void all_touches(alea_image *image, bool writing) {
  const alea_net *net = image->net;
  for (uint32_t part = 0; part < image->part_count; part++) {
    alea_net_cycle range = net->cycles.data[part];
    for (uint32_t node = range.first; node <= range.last; node++) {
      const alea_net_gate *g = &net->gates[node - net->first_gate];
      for (uint32_t i = 0; i < g->input_count; i++)
        touch(image, node, net->inputs.data[g->first_input + i], part, writing);
    }
  }
}

/* first[i] = number of entries of i becomes first entry of i. */
static uint32_t place_rows(uint32_t *first, uint32_t rows) {
  uint32_t at = 0;
  for (uint32_t i = 0; i < rows; i++) {
    uint32_t count = first[i];
    first[i] = at;
    at += count;
  }
  first[rows] = at;
  return at;
}

static void unshift_rows(uint32_t *first, uint32_t rows) {
  memmove(first + 1, first, rows * sizeof *first);
  first[0] = 0;
}

static bool make_touches(alea_image *image, uint32_t slots) {
  all_touches(image, false);
  uint32_t touches = place_rows(image->touch_first, slots);
  uint32_t inner = place_rows(image->inner_first, slots);
  image->touches = alea_image_zeros(image, touches, sizeof *image->touches);
  image->inner = alea_image_zeros(image, inner, sizeof *image->inner);
  if (image->touches == NULL || image->inner == NULL) return false;
  all_touches(image, true);
  unshift_rows(image->touch_first, slots);
  unshift_rows(image->inner_first, slots);
  return true;
}

bool alea_image_make_cycles(alea_image *image) {
  const alea_net *net = image->net;
  image->part_count = (uint32_t)net->cycles.count;
  if (image->part_count == 0) return true;
  uint32_t slots = image->slot_count + net->first_gate;
  image->parts = alea_image_zeros(image, image->part_count, sizeof *image->parts);
  image->touch_first = alea_image_zeros(image, (size_t)slots + 1, sizeof *image->touch_first);
  image->inner_first = alea_image_zeros(image, (size_t)slots + 1, sizeof *image->inner_first);
  image->part_of = alea_image_zeros(image, image->slot_count, sizeof *image->part_of);
  image->is_or = alea_image_zeros(image, alea_image_slot_words(image), sizeof *image->is_or);
  if (image->parts == NULL || image->touch_first == NULL || image->inner_first == NULL ||
      image->part_of == NULL || image->is_or == NULL)
    return false;
  for (uint32_t p = 0; p < image->part_count; p++) {
    alea_image_phase phase =
        alea_image_phase_of(image, alea_image_slot_of(image, net->cycles.data[p].first));
    for (int later = phase + 1; later <= ALEA_IMAGE_PHASES; later++) image->phase_part[later]++;
    alea_net_cycle cycle = net->cycles.data[p];
    image->parts[p].first = alea_image_slot_of(image, cycle.first);
    image->parts[p].last = alea_image_slot_of(image, cycle.last);
    for (uint32_t node = cycle.first; node <= cycle.last; node++) {
      uint32_t slot = alea_image_slot_of(image, node);
      image->part_of[slot] = p + 1;
      if (alea_net_is_or(net, node)) image->is_or[slot / 64] |= UINT64_C(1) << slot % 64;
    }
  }
  return make_touches(image, slots);
}
