/* The network under construction: storage. */
#include "propnet/graph.h"

#include <string.h>

void alea_graph_init(alea_graph *graph, const alea_ground *ground, alea_mem *mem) {
  *graph = (alea_graph){
      .mem = mem, .ground = ground, .leaf_count = 1 + ground->fluent_count + ground->move_count};
}

void alea_graph_clear(alea_graph *graph) {
  alea_vec_clear(graph->mem, &graph->gates);
  alea_vec_clear(graph->mem, &graph->inputs);
  alea_vec_clear(graph->mem, &graph->roots);
  alea_vec_clear(graph->mem, &graph->leaves);
}

alea_lit alea_graph_add(alea_graph *graph, alea_gate_kind kind, const alea_lit *inputs,
                        uint32_t count) {
  /* Node numbers must fit a literal, input positions 32 bits. */
  if (graph->gates.count >= (UINT32_MAX >> 1) - graph->leaf_count) return ALEA_NO_LIT;
  if (graph->inputs.count >= UINT32_MAX - count) return ALEA_NO_LIT;
  if (!alea_vec_reserve(graph->mem, &graph->inputs, count)) return ALEA_NO_LIT;
  alea_graph_gate gate = {
      .first = (uint32_t)graph->inputs.count, .count = count & 0x3fffffffu, .kind = kind & 1u};
  if (!alea_vec_push(graph->mem, &graph->gates, gate)) return ALEA_NO_LIT;
  if (count > 0) memcpy(graph->inputs.data + graph->inputs.count, inputs, count * sizeof *inputs);
  graph->inputs.count += count;
  return 2 * (graph->leaf_count + (uint32_t)graph->gates.count - 1);
}

uint64_t alea_graph_cost(const alea_graph *graph) {
  uint64_t cost = 0;
  for (size_t i = 0; i < graph->gates.count; i++)
    if (graph->gates.data[i].count > 1) cost += graph->gates.data[i].count - 1;
  return cost;
}

alea_status alea_graph_no_memory(const alea_mem *mem) { return alea_mem_lack(mem); }

static void insertion_sort(uint32_t *data, size_t count) {
  for (size_t i = 1; i < count; i++) {
    uint32_t x = data[i];
    size_t j = i;
    for (; j > 0 && data[j - 1] > x; j--) data[j] = data[j - 1];
    data[j] = x;
  }
}

static void sift_down(uint32_t *data, size_t at, size_t count) {
  uint32_t x = data[at];
  for (size_t child; (child = 2 * at + 1) < count; at = child) {
    if (child + 1 < count && data[child + 1] > data[child]) child++;
    if (data[child] <= x) break;
    data[at] = data[child];
  }
  data[at] = x;
}

/* Nearly all arrays are short; heapsort needs no memory for the others. */
void alea_sort_u32(uint32_t *data, size_t count) {
  if (count <= 24) {
    insertion_sort(data, count);
    return;
  }
  bool sorted = true;
  for (size_t i = 1; i < count && sorted; i++) sorted = data[i - 1] <= data[i];
  if (sorted) return;
  for (size_t i = count / 2; i-- > 0;) sift_down(data, i, count);
  for (size_t end = count; --end > 0;) {
    uint32_t x = data[0];
    data[0] = data[end];
    data[end] = x;
    sift_down(data, 0, end);
  }
}
