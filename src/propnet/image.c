/* Compiling a net for the incremental engine. */
#include "propnet/image.h"

#include <string.h>

#include "base/hash.h"
#include "propnet/wave_block.h"

void *alea_image_zeros(alea_image *image, size_t count, size_t size) {
  void *block = alea_arena_alloc(&image->arena, count * size);
  if (block != NULL) memset(block, 0, count * size);
  return block;
}

/* ---- roots and goals ---- */

static bool make_roots(alea_image *image, alea_mem *mem) {
  const alea_net *net = image->net;
  image->fluent_words = (net->fluent_count + 63) / 64;
  image->legal_word = alea_image_zeros(image, net->role_count, sizeof *image->legal_word);
  if (image->legal_word == NULL) return false;
  image->guards = alea_image_zeros(image, net->role_count, sizeof *image->guards);
  image->guard_count = alea_image_zeros(image, net->role_count, sizeof *image->guard_count);
  image->guards_of_gate = alea_image_zeros(image, net->gate_count, sizeof *image->guards_of_gate);
  if (image->guards == NULL || image->guard_count == NULL || image->guards_of_gate == NULL ||
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
  image->goals = alea_image_zeros(image, net->goals.count, sizeof *image->goals);
  image->goal_first =
      alea_image_zeros(image, (size_t)net->role_count + 1, sizeof *image->goal_first);
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

static void add_edge(alea_image *image, alea_image_edge edge, bool active) {
  if (((edge & 1) != 0) == active)
    image->counters[alea_edge_slot(edge)] += (uint8_t)(2 * alea_edge_weight(edge));
}

static void add_block(alea_image *image, const alea_image_block *block, bool active) {
  for (uint64_t bits = block->up[active ? 1 : 0]; bits != 0; bits &= bits - 1)
    image->counters[block->first + (uint32_t)__builtin_ctzll(bits)] += (uint8_t)(2 * block->weight);
}

/* Adds up what the counters that 'slot' tells count of it. */
static void add_edges(alea_image *image, uint32_t slot, bool active) {
  const alea_image_slot *s = &image->slots[slot];
  const alea_image_edge *list = image->far + s->first, *group = list + ALEA_FAR_HEAD;
  add_edge(image, s->same[0], active);
  add_edge(image, s->same[1], active);
  add_edge(image, s->other, active);
  if (s->first == 0) return;
  for (uint32_t i = 0; i < list[ALEA_FAR_BLOCKS] + list[ALEA_FAR_BIT_BLOCKS]; i++)
    add_block(image, &image->blocks[list[ALEA_FAR_FIRST] + i], active);
  for (uint32_t n = list[ALEA_FAR_GROUPS]; n > 0; n--, group += 1 + ALEA_EDGE_GROUP)
    for (int i = 1; i <= ALEA_EDGE_GROUP; i++) add_edge(image, group[i], active);
}

/* A counter that is complete: what it says, and its readers. */
static void start_slot(alea_image *image, uint32_t slot) {
  uint8_t active = image->counters[slot] >> 7;
  image->counters[slot] |= active;
  add_edges(image, slot, active != 0);
}

/* A gate on a cycle and its counter. */
static bool start_cyclic(alea_image *image, uint32_t node, const uint8_t *values) {
  const alea_net *net = image->net;
  const alea_net_gate *g = &net->gates[node - net->first_gate];
  uint32_t slot = alea_image_slot_of(image, node);
  for (uint32_t i = 0; i < g->input_count; i++)
    image->inner_counts[slot] +=
        value_of(values, net->inputs.data[g->first_input + i]) == (g->kind == ALEA_GATE_OR);
  if (image->inner_counts[slot] == 0) set_bit(image->zero, slot);
  if (values[node] != 0) set_bit(image->values, slot);
  return (values[node] != 0) == (g->kind == ALEA_GATE_AND);
}

/* Leaves first, then the gates in the order of the net, each behind its pieces: a counter is
 * complete when its turn comes.  Bits have no readers. */
static void start_counters(alea_image *image, const uint8_t *values) {
  const alea_net *net = image->net;
  memset(image->counters, 0xfe, image->slot_count);
  for (uint32_t gate = 0; gate < net->gate_count; gate++)
    if (image->folded[gate] == 0)
      image->counters[image->slot_of[gate]] = (uint8_t)(0u - 2 * image->weight[gate]);
  for (uint32_t node = 0; node < net->first_gate; node++)
    add_edges(image, image->slot_count + node, values[node] != 0);
  for (uint32_t gate = 0; gate < net->gate_count; gate++) {
    uint32_t node = net->first_gate + gate, slot = image->slot_of[gate];
    if (image->folded[gate] != 0) continue;
    for (uint32_t i = image->piece_first[gate]; i < image->piece_first[gate + 1]; i++)
      start_slot(image, image->slot_of[net->gate_count + i]);
    if (net->cycles.count > 0 && alea_net_part_of(net, node) != UINT32_MAX)
      image->counters[slot] = start_cyclic(image, node, values) ? 0xfe : 0;
    start_slot(image, slot);
  }
}

/* A move that is legal but for its guard. */
static bool nearly_legal(const alea_image *image, uint32_t move, const uint8_t *values) {
  alea_lit lit = image->net->legal[move];
  uint32_t node = lit >> 1;
  uint32_t leaves = image->net->first_gate;
  if (node < leaves || image->guards_of_gate[node - leaves].lits[0] == ALEA_LIT_TRUE)
    return value_of(values, lit);
  return image->counters[alea_image_slot_of(image, node)] >> 7 != 0;
}

static void write_start(alea_image *image, const uint8_t *values) {
  const alea_net *net = image->net;
  for (uint32_t i = 0; i < net->fluent_count; i++) {
    if (net->init[i]) set_bit(image->init, i);
    if (net->init[i]) image->init_hash ^= image->zobrist[i];
    if (value_of(values, net->next[i])) set_bit(image->turned, i);
  }
  start_counters(image, values);
  for (uint32_t role = 0; role < net->role_count; role++)
    for (uint32_t m = net->move_first[role]; m < net->move_first[role + 1]; m++)
      if (nearly_legal(image, m, values))
        set_bit(image->turned, 64 * image->legal_word[role] + (m - net->move_first[role]));
  for (uint32_t w = 0; w < image->root_words; w++)
    image->turned[w] ^= alea_wave_tops(image->counters + alea_image_bit_slot(image, 64 * w));
}

static bool make_start(alea_image *image, alea_mem *mem) {
  const alea_net *net = image->net;
  size_t cyclic = image->part_count > 0 ? image->slot_count : 0;
  size_t words = cyclic > 0 ? alea_image_slot_words(image) : 0;
  image->counters = alea_image_zeros(image, image->slot_count, sizeof *image->counters);
  image->turned = alea_image_zeros(image, image->root_words, sizeof *image->turned);
  image->init = alea_image_zeros(image, image->fluent_words, sizeof *image->init);
  image->values = alea_image_zeros(image, words, sizeof *image->values);
  image->zero = alea_image_zeros(image, words, sizeof *image->zero);
  image->inner_counts = alea_image_zeros(image, cyclic, sizeof *image->inner_counts);
  image->zobrist = alea_image_zeros(image, net->fluent_count, sizeof *image->zobrist);
  size_t nodes = net->first_gate + net->gate_count;
  uint8_t *values = alea_mem_zalloc(mem, nodes);
  bool ok = image->counters != NULL && image->turned != NULL && image->init != NULL &&
            image->values != NULL && image->zero != NULL && image->inner_counts != NULL &&
            image->zobrist != NULL && values != NULL;
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
  if (make_roots(image, mem) && make_goals(image) && alea_image_fold(image, mem) &&
      alea_image_place_slots(image, mem) && alea_image_make_edges(image, mem) &&
      alea_image_make_cycles(image) && make_start(image, mem))
    return ALEA_OK;
  alea_image_clear(image);
  return alea_mem_lack(mem);
}

void alea_image_clear(alea_image *image) { alea_arena_clear(&image->arena); }
