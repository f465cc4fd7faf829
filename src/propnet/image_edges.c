/* Who is told when a slot rises or falls. */
#include "propnet/image.h"

#include <assert.h>

enum { SAME, LATER, KINDS }; /* readers in the phase of the slot, and in later ones */
static const uint32_t near[KINDS] = {2, 1};

/* Receives every edge of the net, twice: once to count, once to write. */
typedef struct edge_maker {
  alea_image *image;
  uint32_t (*count)[KINDS];   /* per slot: edges */
  uint32_t (*written)[KINDS]; /* those that are written */
  bool writing;
  uint32_t calm; /* in image->far, a group of slots that stand for nothing */
} edge_maker;

static uint32_t groups_of(uint32_t edges, int kind) {
  return edges <= near[kind] ? 0 : (edges - near[kind] + ALEA_EDGE_GROUP - 1) / ALEA_EDGE_GROUP;
}

/* Where the i-th reader of a kind is written: far groups are sorted by kind. */
static alea_image_edge *place_of(edge_maker *e, uint32_t source, int kind, uint32_t i) {
  alea_image_slot *slot = &e->image->slots[source];
  if (i < near[kind]) return kind == SAME ? &slot->same[i] : &slot->later;
  i -= near[kind];
  size_t group =
      i / ALEA_EDGE_GROUP + (kind == LATER ? groups_of(e->count[source][SAME], SAME) : 0);
  return e->image->far + slot->first + 1 + group * (1 + ALEA_EDGE_GROUP) + 1 + i % ALEA_EDGE_GROUP;
}

static void edge(edge_maker *e, uint32_t source, uint32_t target, bool up) {
  alea_image *image = e->image;
  bool same = alea_image_phase_of(image, source) == alea_image_phase_of(image, target);
  int kind = same ? SAME : LATER;
  if (e->writing)
    *place_of(e, source, kind, e->written[source][kind]++) = 2 * target + (up ? 1 : 0);
  else
    e->count[source][kind]++;
}

/* The slot that counts the i-th of the inputs of a gate: itself or a piece of it. */
static uint32_t counter_of(const alea_image *image, uint32_t gate, uint32_t i) {
  const alea_net *net = image->net;
  if (net->gates[gate].input_count <= ALEA_MOST_INPUTS) return image->slot_of[gate];
  return image->slot_of[net->gate_count + image->piece_first[gate] + i / ALEA_MOST_INPUTS];
}

/* A piece is of its gate's kind, so it counts down when the piece rises. */
static void piece_edges(edge_maker *e, uint32_t gate) {
  const alea_image *image = e->image;
  const alea_net *net = image->net;
  uint32_t layer = net->gate_count + image->piece_first[gate];
  for (uint32_t n = alea_image_pieces(net->gates[gate].input_count); n > 1;) {
    uint32_t above = layer + n;
    for (uint32_t i = 0; i < n; i++)
      edge(e, image->slot_of[layer + i],
           image->slot_of[n <= ALEA_MOST_INPUTS ? gate : above + i / ALEA_MOST_INPUTS], false);
    layer = above;
    n = n <= ALEA_MOST_INPUTS ? 1 : alea_image_pieces(n);
  }
}

static void gate_edges(edge_maker *e, uint32_t node) {
  const alea_image *image = e->image;
  const alea_net *net = image->net;
  uint32_t gate = node - net->first_gate;
  const alea_net_gate *g = &net->gates[gate];
  for (uint32_t i = 0; i < g->input_count; i++) {
    alea_lit lit = net->inputs.data[g->first_input + i];
    if (!alea_image_leaves_out(image, gate, lit >> 1))
      edge(e, alea_image_slot_of(image, lit >> 1), counter_of(image, gate, i),
           alea_net_counts_up(net, node, lit));
  }
  if (g->input_count > ALEA_MOST_INPUTS) piece_edges(e, gate);
}

/* A bit that is no gate of its own counts whether its source is active. */
static void root_edge(edge_maker *e, alea_lit lit, uint32_t bit) {
  if (lit <= ALEA_LIT_FALSE) return;
  uint32_t source = alea_image_slot_of(e->image, lit >> 1);
  uint32_t slot = alea_image_bit_slot(e->image, bit);
  if (source != slot) edge(e, source, slot, false);
}

static void all_edges(edge_maker *e) {
  const alea_net *net = e->image->net;
  for (uint32_t node = net->first_gate; node < net->first_gate + net->gate_count; node++)
    if (net->cycles.count == 0 || alea_net_part_of(net, node) == UINT32_MAX) gate_edges(e, node);
  for (uint32_t i = 0; i < net->fluent_count; i++) root_edge(e, net->next[i], i);
  for (uint32_t role = 0; role < net->role_count; role++)
    for (uint32_t m = net->move_first[role]; m < net->move_first[role + 1]; m++)
      root_edge(e, net->legal[m], 64 * e->image->legal_word[role] + (m - net->move_first[role]));
}

static uint32_t far_length(const uint32_t *count) {
  uint32_t groups = groups_of(count[SAME], SAME) + groups_of(count[LATER], LATER);
  return groups == 0 ? 0 : 1 + (1 + ALEA_EDGE_GROUP) * groups;
}

/* The heads of a slot's groups, at 'at'. */
static void write_groups(edge_maker *e, uint32_t slot, uint32_t at) {
  alea_image *image = e->image;
  alea_image_edge *group = image->far + at + 1;
  image->slots[slot].first = at;
  for (int kind = 0; kind < KINDS; kind++)
    for (uint32_t n = groups_of(e->count[slot][kind], kind); n > 0; n--) {
      *group = (alea_image_edge)kind;
      image->far[at]++;
      group += 1 + ALEA_EDGE_GROUP;
    }
}

static bool place_far(edge_maker *e, uint32_t slots) {
  alea_image *image = e->image;
  uint32_t calm = 1 + (1 + ALEA_EDGE_GROUP);
  size_t length = 1 + calm; /* a list at 0 would be none */
  for (uint32_t i = 0; i < slots; i++) length += far_length(e->count[i]);
  if (length > UINT32_MAX) return false;
  image->far = alea_image_zeros(image, length, sizeof *image->far);
  if (image->far == NULL) return false;
  uint32_t at = 1;
  image->most_edges = calm + near[SAME] + near[LATER];
  for (uint32_t i = 0; i < slots; i++) {
    uint32_t own = far_length(e->count[i]);
    if (own > 0) write_groups(e, i, at);
    if (own + near[SAME] + near[LATER] > image->most_edges)
      image->most_edges = own + near[SAME] + near[LATER];
    at += own;
  }
  e->calm = at;
  return true;
}

/* Fills places and groups up with slots that stand for nothing. */
static void fill_up(edge_maker *e, uint32_t slots) {
  alea_image *image = e->image;
  uint32_t idle = image->phase_first[ALEA_IMAGE_PHASES], next = 0;
  for (uint32_t i = 0; i < slots; i++)
    for (int kind = 0; kind < KINDS; kind++) {
      uint32_t edges = e->count[i][kind], groups = groups_of(edges, kind);
      for (uint32_t n = edges; n < near[kind] + ALEA_EDGE_GROUP * groups; n++)
        *place_of(e, i, kind, n) = 2 * (idle + next++ % ALEA_IDLE_SLOTS);
    }
}

/* Where very many gates turn, the counters of slots that stand for nothing go round, and they
 * are told of like others.  All that one tells cancels out, or they would set each other off
 * for ever: its places take back what they do, and so does a group that all of them have. */
static void calm_idle(alea_image *image, uint32_t at) {
  static_assert((1 + ALEA_EDGE_GROUP) % 2 == 0, "later readers cancel out in pairs");
  uint32_t idle = image->phase_first[ALEA_IMAGE_PHASES];
  image->far[at] = 1;
  image->far[at + 1] = LATER;
  for (uint32_t i = 1; i <= ALEA_EDGE_GROUP; i++) image->far[at + 1 + i] = 2 * idle + i % 2;
  for (uint32_t i = idle; i < idle + ALEA_IDLE_SLOTS; i++)
    image->slots[i] = (alea_image_slot){{2 * i, 2 * i + 1}, 2 * idle, at};
}

bool alea_image_make_edges(alea_image *image, alea_mem *mem) {
  uint32_t slots = image->slot_count + image->net->first_gate;
  image->slots = alea_image_zeros(image, slots, sizeof *image->slots);
  edge_maker e = {.image = image};
  e.count = alea_mem_calloc(mem, slots, sizeof *e.count);
  e.written = alea_mem_calloc(mem, slots, sizeof *e.written);
  bool ok = image->slots != NULL && e.count != NULL && e.written != NULL;
  if (ok) all_edges(&e);
  ok = ok && place_far(&e, slots);
  e.writing = true;
  if (ok) all_edges(&e);
  if (ok) fill_up(&e, slots);
  if (ok) calm_idle(image, e.calm);
  alea_mem_free(mem, e.count, slots * sizeof *e.count);
  alea_mem_free(mem, e.written, slots * sizeof *e.written);
  return ok;
}
