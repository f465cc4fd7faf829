/* Compiling a net for the incremental engine. */
#include "propnet/image.h"

#include <string.h>

#include "base/hash.h"

static void *zeros(alea_image *image, size_t count, size_t size) {
  void *block = alea_arena_alloc(&image->arena, count * size);
  if (block != NULL) memset(block, 0, count * size);
  return block;
}

static void place_phases(alea_image *image) {
  uint32_t at = 0, begin = image->net->first_gate;
  for (int phase = 0; phase < ALEA_PHASE_COUNT; phase++) {
    image->phase_begin[phase] = at;
    uint32_t size = image->net->phase_end[phase] - begin;
    begin = image->net->phase_end[phase];
    at += (size + ALEA_SLOT_ALIGN - 1) / ALEA_SLOT_ALIGN * ALEA_SLOT_ALIGN;
  }
  image->phase_begin[ALEA_PHASE_COUNT] = at;
  image->slot_count = at;
}

/* ---- edges ---- */

static const alea_net_gate *gate_of(const alea_net *net, uint32_t node) {
  return &net->gates[node - net->first_gate];
}

static bool is_or_node(const alea_net *net, uint32_t node) {
  return node >= net->first_gate && gate_of(net, node)->kind == ALEA_GATE_OR;
}

/* Whether the counter of 'gate' goes up when the source of 'lit' rises. */
static bool counts_up(const alea_net *net, uint32_t gate, alea_lit lit) {
  bool source_or = is_or_node(net, lit >> 1);    /* rising makes it false */
  bool lit_true = ((lit & 1) != 0) == source_or; /* rising makes the literal true */
  return is_or_node(net, gate) == lit_true;
}

/* The part of a node, or UINT32_MAX. */
static uint32_t part_of_node(const alea_net *net, uint32_t node) {
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

typedef enum edge_kind { EDGE_DOWN, EDGE_UP, EDGE_BIT } edge_kind;

/* Receives every edge of the net, twice: once to count, once to write. */
typedef struct edges {
  alea_image *image;
  bool writing;
  uint32_t *down, *up, *bits; /* per slot: number, then place to write */
} edges;

static void edge(edges *e, uint32_t source, edge_kind kind, uint32_t target) {
  uint32_t *at = kind == EDGE_DOWN ? e->down : kind == EDGE_UP ? e->up : e->bits;
  if (e->writing) e->image->targets[at[source]] = target;
  at[source]++;
}

static void touch(edges *e, uint32_t source, uint32_t gate, alea_lit lit, uint32_t part) {
  alea_image *image = e->image;
  const alea_net *net = image->net;
  uint32_t target = alea_image_slot_of(image, gate);
  if (part_of_node(net, lit >> 1) == part) {
    if (e->writing) image->inner[image->inner_first[source]] = target;
    image->inner_first[source]++;
    return;
  }
  if (e->writing) {
    bool up = counts_up(net, gate, lit);
    alea_image_touch t = {target, part, up, up == is_or_node(net, gate)};
    image->touches[image->touch_first[source]] = t;
  }
  image->touch_first[source]++;
}

static void root_edge(edges *e, alea_lit lit, uint32_t bit) {
  if (lit > ALEA_LIT_FALSE) edge(e, alea_image_slot_of(e->image, lit >> 1), EDGE_BIT, bit);
}

/* The node that 'gate' does not count because it is a guard, or 0. */
static uint32_t guard_node(const alea_image *image, uint32_t node) {
  return image->guard_of_gate[node - image->net->first_gate] >> 1;
}

static void all_edges(edges *e) {
  const alea_net *net = e->image->net;
  for (uint32_t node = net->first_gate; node < net->first_gate + net->gate_count; node++) {
    const alea_net_gate *g = gate_of(net, node);
    uint32_t target = alea_image_slot_of(e->image, node);
    uint32_t part = net->cycles.count > 0 ? part_of_node(net, node) : UINT32_MAX;
    for (uint32_t i = 0; i < g->input_count; i++) {
      alea_lit lit = net->inputs.data[g->first_input + i];
      if (lit >> 1 == guard_node(e->image, node)) continue;
      uint32_t source = alea_image_slot_of(e->image, lit >> 1);
      if (part != UINT32_MAX)
        touch(e, source, node, lit, part);
      else
        edge(e, source, counts_up(net, node, lit) ? EDGE_UP : EDGE_DOWN, target);
    }
  }
  for (uint32_t i = 0; i < net->fluent_count; i++) root_edge(e, net->next[i], i);
  for (uint32_t role = 0; role < net->role_count; role++)
    for (uint32_t m = net->move_first[role]; m < net->move_first[role + 1]; m++)
      root_edge(e, net->legal[m], 64 * e->image->legal_word[role] + (m - net->move_first[role]));
}

/* Turns counts into places: each slot's three lists side by side. */
static uint32_t place_lists(edges *e, uint32_t slots) {
  uint32_t at = 0;
  for (uint32_t i = 0; i < slots; i++) {
    alea_image_slot s;
    s.first = at;
    s.split = s.first + e->down[i];
    s.end = s.split + e->up[i];
    s.stop = s.end + e->bits[i];
    e->down[i] = s.first;
    e->up[i] = s.split;
    e->bits[i] = s.end;
    at = s.stop;
    e->image->slots[i] = s;
  }
  return at;
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

static bool write_edges(alea_image *image, edges *e, uint32_t slots) {
  all_edges(e);
  image->targets = zeros(image, place_lists(e, slots), sizeof *image->targets);
  if (image->targets == NULL) return false;
  if (image->part_count > 0) {
    uint32_t touches = place_rows(image->touch_first, slots);
    uint32_t inner = place_rows(image->inner_first, slots);
    image->touches = zeros(image, touches, sizeof *image->touches);
    image->inner = zeros(image, inner, sizeof *image->inner);
    if (image->touches == NULL || image->inner == NULL) return false;
  }
  e->writing = true;
  all_edges(e);
  if (image->part_count > 0) {
    unshift_rows(image->touch_first, slots);
    unshift_rows(image->inner_first, slots);
  }
  return true;
}

static bool make_edges(alea_image *image, alea_mem *mem) {
  uint32_t slots = image->slot_count + image->net->first_gate;
  image->slots = zeros(image, slots, sizeof *image->slots);
  if (image->slots == NULL) return false;
  size_t size = slots * sizeof(uint32_t);
  edges e = {.image = image};
  e.down = alea_mem_zalloc(mem, size);
  e.up = alea_mem_zalloc(mem, size);
  e.bits = alea_mem_zalloc(mem, size);
  bool ok = e.down != NULL && e.up != NULL && e.bits != NULL && write_edges(image, &e, slots);
  alea_mem_free(mem, e.down, size);
  alea_mem_free(mem, e.up, size);
  alea_mem_free(mem, e.bits, size);
  return ok;
}

/* ---- the other tables ---- */

static bool make_parts(alea_image *image) {
  const alea_net *net = image->net;
  image->part_count = (uint32_t)net->cycles.count;
  if (image->part_count == 0) return true;
  uint32_t slots = image->slot_count + net->first_gate;
  image->parts = zeros(image, image->part_count, sizeof *image->parts);
  image->touch_first = zeros(image, (size_t)slots + 1, sizeof *image->touch_first);
  image->inner_first = zeros(image, (size_t)slots + 1, sizeof *image->inner_first);
  image->part_of = zeros(image, image->slot_count, sizeof *image->part_of);
  image->is_or = zeros(image, image->slot_count, 1);
  if (image->parts == NULL || image->touch_first == NULL || image->inner_first == NULL ||
      image->part_of == NULL || image->is_or == NULL)
    return false;
  for (uint32_t p = 0; p < image->part_count; p++) {
    alea_net_cycle cycle = net->cycles.data[p];
    image->parts[p].first = alea_image_slot_of(image, cycle.first);
    image->parts[p].last = alea_image_slot_of(image, cycle.last);
    for (uint32_t node = cycle.first; node <= cycle.last; node++) {
      image->part_of[alea_image_slot_of(image, node)] = p + 1;
      image->is_or[alea_image_slot_of(image, node)] = is_or_node(net, node);
    }
  }
  return true;
}

static bool make_roots(alea_image *image, alea_mem *mem) {
  const alea_net *net = image->net;
  image->fluent_words = (net->fluent_count + 63) / 64;
  image->legal_word = zeros(image, net->role_count, sizeof *image->legal_word);
  if (image->legal_word == NULL) return false;
  image->guards = zeros(image, net->role_count, sizeof *image->guards);
  image->guard_count = zeros(image, net->role_count, sizeof *image->guard_count);
  image->guard_of_gate = zeros(image, net->gate_count, sizeof *image->guard_of_gate);
  if (image->guards == NULL || image->guard_count == NULL || image->guard_of_gate == NULL ||
      !alea_image_find_guards(image, mem))
    return false;
  image->root_words = image->fluent_words;
  for (uint32_t role = 0; role < net->role_count; role++) {
    image->legal_word[role] = image->root_words;
    image->root_words += (net->move_first[role + 1] - net->move_first[role] + 63) / 64;
  }
  return true;
}

/* Goals of each role by falling value: the first that holds is the answer. */
static bool make_goals(alea_image *image) {
  const alea_net *net = image->net;
  image->goals = zeros(image, net->goals.count, sizeof *image->goals);
  image->goal_first = zeros(image, (size_t)net->role_count + 1, sizeof *image->goal_first);
  if (image->goals == NULL || image->goal_first == NULL) return false;
  for (uint32_t i = 0; i < net->goals.count; i++) {
    alea_net_goal goal = net->goals.data[i];
    image->goal_first[goal.role + 1] = i + 1;
    uint32_t k = i;
    for (; k > 0 && image->goals[k - 1].role == goal.role && image->goals[k - 1].value < goal.value;
         k--)
      image->goals[k] = image->goals[k - 1];
    image->goals[k] = goal;
  }
  for (uint32_t role = 0; role < net->role_count; role++)
    if (image->goal_first[role + 1] < image->goal_first[role])
      image->goal_first[role + 1] = image->goal_first[role];
  return true;
}

static void set_bit(uint64_t *words, uint32_t bit) { words[bit >> 6] |= UINT64_C(1) << (bit & 63); }

static uint8_t value_of(const uint8_t *values, alea_lit lit) {
  return values[lit >> 1] ^ (uint8_t)(lit & 1);
}

/* The counter of a gate. */
static uint32_t count_inputs(const alea_image *image, uint32_t node, const uint8_t *values) {
  const alea_net *net = image->net;
  const alea_net_gate *g = gate_of(net, node);
  uint32_t count = 0;
  for (uint32_t i = 0; i < g->input_count; i++) {
    alea_lit lit = net->inputs.data[g->first_input + i];
    if (lit >> 1 != guard_node(image, node))
      count += value_of(values, lit) == (g->kind == ALEA_GATE_OR);
  }
  return count;
}

/* A move that is legal but for its guard. */
static bool nearly_legal(const alea_image *image, uint32_t move, const uint8_t *values) {
  alea_lit lit = image->net->legal[move];
  uint32_t node = lit >> 1;
  if (node < image->net->first_gate || guard_node(image, node) == 0) return value_of(values, lit);
  return image->counters[alea_image_slot_of(image, node)] == 0;
}

static void write_start(alea_image *image, const uint8_t *values) {
  const alea_net *net = image->net;
  for (uint32_t i = 0; i < net->fluent_count; i++) {
    if (net->init[i]) set_bit(image->init, i);
    if (net->init[i]) image->init_hash ^= image->zobrist[i];
    if (value_of(values, net->next[i])) set_bit(image->roots, i);
  }
  for (uint32_t node = net->first_gate; node < net->first_gate + net->gate_count; node++) {
    uint32_t slot = alea_image_slot_of(image, node);
    image->counters[slot] = count_inputs(image, node, values);
    if (image->part_count > 0 && image->part_of[slot] != 0) image->values[slot] = values[node];
  }
  for (uint32_t role = 0; role < net->role_count; role++)
    for (uint32_t m = net->move_first[role]; m < net->move_first[role + 1]; m++)
      if (nearly_legal(image, m, values))
        set_bit(image->roots, 64 * image->legal_word[role] + (m - net->move_first[role]));
}

static bool make_start(alea_image *image, alea_mem *mem) {
  const alea_net *net = image->net;
  image->counters = zeros(image, image->slot_count, sizeof *image->counters);
  image->roots = zeros(image, image->root_words, sizeof *image->roots);
  image->init = zeros(image, image->fluent_words, sizeof *image->init);
  image->values = zeros(image, image->part_count > 0 ? image->slot_count : 0, 1);
  image->zobrist = zeros(image, net->fluent_count, sizeof *image->zobrist);
  size_t nodes = net->first_gate + net->gate_count;
  uint8_t *values = alea_mem_zalloc(mem, nodes);
  bool ok = image->counters != NULL && image->roots != NULL && image->init != NULL &&
            image->values != NULL && image->zobrist != NULL && values != NULL;
  if (ok) {
    for (uint32_t i = 0; i < net->fluent_count; i++)
      image->zobrist[i] = alea_hash_mix(alea_hash_join(0x616c6561u, i));
    memcpy(values + 1, net->init, net->fluent_count);
    for (uint32_t role = 0; role < net->role_count; role++)
      if (net->move_first[role] < net->move_first[role + 1])
        values[1 + net->fluent_count + net->move_first[role]] = 1;
    alea_net_evaluate(net, values);
    write_start(image, values);
  }
  alea_mem_free(mem, values, nodes);
  return ok;
}

alea_status alea_image_init(alea_image *image, const alea_net *net, alea_mem *mem) {
  *image = (alea_image){.net = net};
  alea_arena_init(&image->arena, mem);
  place_phases(image);
  if (make_parts(image) && make_roots(image, mem) && make_goals(image) && make_edges(image, mem) &&
      make_start(image, mem))
    return ALEA_OK;
  alea_image_clear(image);
  return alea_mem_lack(mem);
}

void alea_image_clear(alea_image *image) { alea_arena_clear(&image->arena); }
