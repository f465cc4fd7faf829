/* Who is told when a slot rises or falls. */
#include <stdlib.h>

#include "propnet/image.h"

enum { SAME = ALEA_EDGE_SAME, LATER = ALEA_EDGE_LATER, BIT = ALEA_EDGE_BIT, KINDS };

/* Receives every edge of the net, twice: once to count, once to write. */
typedef struct edge_maker {
  alea_image *image;
  uint32_t *row; /* per slot and one more: its edges, CSR */
  alea_image_edge *edges;
  bool writing;
} edge_maker;

/* How the edges of a slot are laid out. */
typedef struct edge_plan {
  uint32_t blocks, bit_blocks;
  uint32_t singles[KINDS];
  uint32_t near[KINDS]; /* of those, how many have fixed places */
} edge_plan;

static void edge(edge_maker *e, uint32_t source, alea_image_edge reader) {
  if (e->writing) e->edges[e->row[source]] = reader;
  e->row[source]++;
}

/* ---- the edges of the net ---- */

/* A piece is of its gate's kind, so it counts down when the piece rises. */
static void piece_edges(edge_maker *e, uint32_t gate) {
  const alea_image *image = e->image;
  const alea_net *net = image->net;
  uint32_t layer = net->gate_count + image->piece_first[gate];
  for (uint32_t n = alea_image_pieces(net->gates[gate].input_count); n > 1;) {
    uint32_t above = layer + n;
    for (uint32_t i = 0; i < n; i++)
      edge(e, image->slot_of[layer + i],
           alea_image_edge_to(
               image->slot_of[n <= ALEA_MOST_INPUTS ? gate : above + i / ALEA_MOST_INPUTS], 1,
               false));
    layer = above;
    n = n <= ALEA_MOST_INPUTS ? 1 : alea_image_pieces(n);
  }
}

static void input_edge(void *context, const alea_image_input *input) {
  edge_maker *e = context;
  uint32_t slot = e->image->slot_of[input->counter];
  edge(e, alea_image_slot_of(e->image, input->node),
       alea_image_edge_to(slot, input->weight, input->up));
}

static void gate_edges(edge_maker *e, uint32_t gate) {
  const alea_net_gate *g = &e->image->net->gates[gate];
  if (e->image->folded[gate] != 0) return;
  alea_image_each_input(e->image, gate, 0, g->input_count, input_edge, e);
  if (g->input_count > ALEA_MOST_INPUTS) piece_edges(e, gate);
}

/* A bit that is no gate of its own counts whether its source is active. */
static void root_edge(edge_maker *e, alea_lit lit, uint32_t bit) {
  if (lit <= ALEA_LIT_FALSE) return;
  uint32_t source = alea_image_slot_of(e->image, lit >> 1);
  uint32_t slot = alea_image_bit_slot(e->image, bit);
  if (source != slot) edge(e, source, alea_image_edge_to(slot, 1, false));
}

static void all_edges(edge_maker *e) {
  const alea_net *net = e->image->net;
  for (uint32_t node = net->first_gate; node < net->first_gate + net->gate_count; node++)
    if (net->cycles.count == 0 || alea_net_part_of(net, node) == UINT32_MAX)
      gate_edges(e, node - net->first_gate);
  for (uint32_t i = 0; i < net->fluent_count; i++) root_edge(e, net->next[i], i);
  for (uint32_t role = 0; role < net->role_count; role++)
    for (uint32_t m = net->move_first[role]; m < net->move_first[role + 1]; m++)
      root_edge(e, net->legal[m], 64 * e->image->legal_word[role] + (m - net->move_first[role]));
}

/* Lists the edges of every slot. */
static bool list_edges(edge_maker *e, uint32_t slots, alea_mem *mem, size_t *count) {
  all_edges(e);
  for (uint32_t i = 0; i < slots; i++) {
    uint32_t own = e->row[i];
    e->row[i] = (uint32_t)*count;
    *count += own;
  }
  if (*count > UINT32_MAX) return false;
  e->edges = alea_mem_calloc(mem, *count, sizeof *e->edges);
  if (e->edges == NULL) return false;
  e->writing = true;
  all_edges(e); /* moves every row to its end, where the next begins */
  for (uint32_t i = slots; i > 0; i--) e->row[i] = e->row[i - 1];
  e->row[0] = 0;
  return true;
}

/* Readers of a block and a weight have the same key, larger ones in later blocks. */
static uint32_t key_of(alea_image_edge edge) {
  return alea_edge_slot(edge) / 64 * (ALEA_MOST_WEIGHT + 1) + alea_edge_weight(edge);
}

static int by_reader(const void *a, const void *b) {
  alea_image_edge x = *(const alea_image_edge *)a, y = *(const alea_image_edge *)b;
  uint32_t p = key_of(x), q = key_of(y);
  return p != q ? (p > q) - (p < q) : (x > y) - (x < y);
}

/* Later phases have larger slots: sorted, edges of one kind are together, and those of
 * a block. */
static void sort_edges(edge_maker *e, uint32_t slots) {
  for (uint32_t i = 0; i < slots; i++)
    qsort(e->edges + e->row[i], e->row[i + 1] - e->row[i], sizeof *e->edges, by_reader);
}

/* ---- how they are laid out ---- */

/* How many of the edges from place 'at' to 'end' can be told together with the first. */
static uint32_t length_of_block(const edge_maker *e, uint32_t at, uint32_t end) {
  uint32_t key = key_of(e->edges[at]), n = 1;
  while (at + n < end && key_of(e->edges[at + n]) == key) n++;
  return n;
}

static int kind_of(const edge_maker *e, uint32_t slot, uint32_t at) {
  alea_image_phase of_reader = alea_image_phase_of(e->image, alea_edge_slot(e->edges[at]));
  if (of_reader == ALEA_IMAGE_LEGAL || of_reader == ALEA_IMAGE_AFTER) return BIT;
  return of_reader == alea_image_phase_of(e->image, slot) ? SAME : LATER;
}

/* From so many readers on they are told at once: what crossed need not be found among bits. */
static uint32_t least_block(int kind) {
  return kind == BIT ? ALEA_LEAST_BIT_BLOCK : ALEA_LEAST_BLOCK;
}

static edge_plan plan_of(const edge_maker *e, uint32_t slot) {
  edge_plan plan = {0};
  for (uint32_t at = e->row[slot], end = e->row[slot + 1], n; at < end; at += n) {
    int kind = kind_of(e, slot, at);
    n = length_of_block(e, at, end);
    if (n < least_block(kind))
      plan.singles[kind] += n;
    else
      ++*(kind == BIT ? &plan.bit_blocks : &plan.blocks);
  }
  /* The third place spares a group that would hold one reader, or else the appending of a bit. */
  bool later = plan.singles[LATER] % ALEA_EDGE_GROUP == 1 || plan.singles[BIT] == 0;
  plan.near[SAME] = ALEA_NEAR_SAME;
  plan.near[later ? LATER : BIT] = 1;
  return plan;
}

static uint32_t groups_of(const edge_plan *plan, int kind) {
  uint32_t edges = plan->singles[kind], near = plan->near[kind];
  return edges <= near ? 0 : (edges - near + ALEA_EDGE_GROUP - 1) / ALEA_EDGE_GROUP;
}

static uint32_t far_length(const edge_plan *plan) {
  uint32_t groups = groups_of(plan, SAME) + groups_of(plan, LATER) + groups_of(plan, BIT);
  if (groups == 0 && plan->blocks + plan->bit_blocks == 0) return 0;
  return ALEA_FAR_HEAD + (1 + ALEA_EDGE_GROUP) * groups;
}

/* Where the i-th single reader of a kind is written: groups are sorted by kind. */
static alea_image_edge *place_of(alea_image *image, uint32_t slot, const edge_plan *plan, int kind,
                                 uint32_t i) {
  alea_image_slot *s = &image->slots[slot];
  if (i < plan->near[kind]) return kind == SAME ? &s->same[i] : &s->other;
  i -= plan->near[kind];
  size_t group = i / ALEA_EDGE_GROUP;
  for (int before = 0; before < kind; before++) group += groups_of(plan, before);
  return image->far + s->first + ALEA_FAR_HEAD + group * (1 + ALEA_EDGE_GROUP) + 1 +
         i % ALEA_EDGE_GROUP;
}

/* Makes room for the lists of all slots, and for the blocks. */
static bool place_far(edge_maker *e, uint32_t slots) {
  alea_image *image = e->image;
  size_t length = 1, blocks = 0; /* a list at 0 would be none */
  for (uint32_t i = 0; i < slots; i++) {
    edge_plan plan = plan_of(e, i);
    uint32_t own = far_length(&plan), most = own + e->row[i + 1] - e->row[i];
    if (own > 0) image->slots[i].first = (uint32_t)length;
    if (most + ALEA_NEAR_SAME + 1 > image->most_edges)
      image->most_edges = most + ALEA_NEAR_SAME + 1;
    length += own;
    blocks += plan.blocks + plan.bit_blocks;
    if (length > UINT32_MAX) return false;
  }
  image->far = alea_image_zeros(image, length, sizeof *image->far);
  image->blocks = alea_image_zeros(image, blocks, sizeof *image->blocks);
  return image->far != NULL && image->blocks != NULL;
}

/* The heads of a slot's list and of its groups. */
static void write_heads(alea_image *image, uint32_t slot, const edge_plan *plan, uint32_t block) {
  alea_image_edge *list = image->far + image->slots[slot].first;
  if (image->slots[slot].first == 0) return;
  list[ALEA_FAR_BLOCKS] = plan->blocks;
  list[ALEA_FAR_FIRST] = block;
  list[ALEA_FAR_BIT_BLOCKS] = plan->bit_blocks;
  for (int kind = 0; kind < KINDS; kind++)
    for (uint32_t n = groups_of(plan, kind); n > 0; n--)
      list[ALEA_FAR_HEAD + list[ALEA_FAR_GROUPS]++ * (1 + ALEA_EDGE_GROUP)] = (uint32_t)kind;
}

static void write_block(const edge_maker *e, uint32_t at, uint32_t n, alea_image_block *block) {
  block->first = alea_edge_slot(e->edges[at]) / 64 * 64;
  block->weight = (uint16_t)alea_edge_weight(e->edges[at]);
  for (uint32_t i = at; i < at + n; i++) {
    uint64_t bit = UINT64_C(1) << (alea_edge_slot(e->edges[i]) % 64);
    block->up[e->edges[i] & 1] |= bit;
  }
}

/* Writes the edges of a slot, whose first block is number 'block'; places that are left over
 * are filled up with slots that stand for nothing, of which '*idle' were used. */
static uint32_t write_slot(edge_maker *e, uint32_t slot, uint32_t block, uint32_t *idle) {
  alea_image *image = e->image;
  edge_plan plan = plan_of(e, slot);
  uint32_t written[KINDS] = {0}, bit_block = block + plan.blocks;
  write_heads(image, slot, &plan, block);
  for (uint32_t at = e->row[slot], end = e->row[slot + 1], n; at < end; at += n) {
    int kind = kind_of(e, slot, at);
    n = length_of_block(e, at, end);
    if (n >= least_block(kind)) {
      alea_image_block *to = &image->blocks[kind == BIT ? bit_block++ : block++];
      to->later = kind == LATER;
      write_block(e, at, n, to);
      continue;
    }
    for (uint32_t i = at; i < at + n; i++)
      *place_of(image, slot, &plan, kind, written[kind]++) =
          e->edges[i] | (kind == BIT ? 0 : ALEA_EDGE_GATE);
  }
  for (int kind = 0; kind < KINDS; kind++)
    for (uint32_t n = plan.singles[kind];
         n < plan.near[kind] + ALEA_EDGE_GROUP * groups_of(&plan, kind); n++)
      *place_of(image, slot, &plan, kind, n) = alea_image_edge_to(
          image->phase_first[ALEA_IMAGE_PHASES] + (*idle)++ % ALEA_IDLE_SLOTS, 0, false);
  return bit_block;
}

static void write_all(edge_maker *e, uint32_t slots) {
  uint32_t block = 0, idle = 0;
  for (uint32_t i = 0; i < slots; i++) block = write_slot(e, i, block, &idle);
}

bool alea_image_make_edges(alea_image *image, alea_mem *mem) {
  uint32_t slots = image->slot_count + image->net->first_gate;
  size_t count = 0;
  if (image->slot_count > alea_edge_slot(UINT32_MAX))
    return false; /* an edge has no room for more */
  image->slots = alea_image_zeros(image, slots, sizeof *image->slots);
  edge_maker e = {.image = image};
  e.row = alea_mem_calloc(mem, (size_t)slots + 1, sizeof *e.row);
  bool ok = image->slots != NULL && e.row != NULL && list_edges(&e, slots, mem, &count);
  if (ok) sort_edges(&e, slots);
  ok = ok && place_far(&e, slots);
  if (ok) write_all(&e, slots);
  alea_mem_free(mem, e.row, ((size_t)slots + 1) * sizeof *e.row);
  alea_mem_free(mem, e.edges, count * sizeof *e.edges);
  return ok;
}
