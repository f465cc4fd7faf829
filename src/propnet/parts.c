/* Strongly connected parts in evaluation order.
 *
 * Tarjan's algorithm (SIAM J. Comput. 1, 1972) with an explicit stack: a part
 * is complete after all parts that it reads, so the order in which parts are
 * completed is an order of evaluation.  Only what the roots reach is visited,
 * so dead gates are left out by the way. */
#include "propnet/graph.h"

enum { UNSEEN = 0, FIRST = 1 };
#define DONE UINT32_MAX

typedef struct parts_frame {
  uint32_t gate;
  uint32_t next; /* input to look at */
  uint32_t low;  /* smallest index that the subtree reaches */
} parts_frame;

typedef struct parts_search {
  const alea_graph *graph;
  alea_mem *mem;
  uint32_t *index; /* per gate: UNSEEN, order of first visit, or DONE */
  uint32_t counter;
  ALEA_VEC(parts_frame) frames;
  alea_u32s open; /* gates visited whose part is not complete */
  alea_parts *parts;
} parts_search;

static bool enter(parts_search *s, uint32_t gate) {
  s->index[gate] = s->counter++;
  parts_frame f = {gate, 0, s->index[gate]};
  return alea_vec_push(s->mem, &s->frames, f) && alea_vec_push(s->mem, &s->open, gate);
}

static bool reads_itself(const alea_graph *graph, uint32_t gate) {
  const alea_graph_gate *g = &graph->gates.data[gate];
  for (uint32_t i = 0; i < g->count; i++)
    if (graph->inputs.data[g->first + i] >> 1 == graph->leaf_count + gate) return true;
  return false;
}

/* The part whose first visited gate is 'root' is complete. */
static bool close_part(parts_search *s, uint32_t root) {
  size_t begin = s->open.count;
  while (s->open.data[--begin] != root) continue;
  uint32_t first = (uint32_t)s->parts->order.count;
  size_t size = s->open.count - begin;
  if (!alea_vec_reserve(s->mem, &s->parts->order, size)) return false;
  for (size_t i = begin; i < s->open.count; i++) {
    s->index[s->open.data[i]] = DONE;
    s->parts->order.data[s->parts->order.count++] = s->open.data[i];
  }
  s->open.count = begin;
  if (size == 1 && !reads_itself(s->graph, root)) return true;
  alea_net_cycle cycle = {first, first + (uint32_t)size - 1};
  return alea_vec_push(s->mem, &s->parts->cycles, cycle);
}

/* Looks at one input of the top frame; *moved tells that a new frame is on top. */
static bool advance(parts_search *s, parts_frame *top, bool *moved) {
  const alea_graph *graph = s->graph;
  const alea_graph_gate *g = &graph->gates.data[top->gate];
  const alea_lit *inputs = graph->inputs.data + g->first;
  while (top->next < g->count) {
    alea_lit lit = inputs[top->next++];
    if (!alea_graph_is_gate(graph, lit)) continue;
    uint32_t child = (lit >> 1) - graph->leaf_count;
    if (s->index[child] == UNSEEN) {
      *moved = true;
      return enter(s, child);
    }
    if (s->index[child] < top->low) top->low = s->index[child]; /* DONE is never smaller */
  }
  return true;
}

static bool visit(parts_search *s, uint32_t gate) {
  if (!enter(s, gate)) return false;
  while (s->frames.count > 0) {
    parts_frame *top = &s->frames.data[s->frames.count - 1];
    bool moved = false;
    if (!advance(s, top, &moved)) return false;
    if (moved) continue;
    parts_frame done = *top;
    s->frames.count--;
    if (done.low == s->index[done.gate]) {
      if (!close_part(s, done.gate)) return false;
    } else if (s->frames.count > 0 && done.low < top[-1].low) {
      top[-1].low = done.low;
    }
  }
  return true;
}

static bool visit_roots(parts_search *s) {
  const alea_graph *graph = s->graph;
  for (size_t i = 0; i < graph->roots.count; i++) {
    alea_lit lit = graph->roots.data[i];
    if (!alea_graph_is_gate(graph, lit)) continue;
    uint32_t gate = (lit >> 1) - graph->leaf_count;
    if (s->index[gate] == UNSEEN && !visit(s, gate)) return false;
  }
  return true;
}

alea_status alea_parts_find(alea_parts *parts, const alea_graph *graph) {
  *parts = (alea_parts){0};
  parts_search s = {.graph = graph, .mem = graph->mem, .counter = FIRST, .parts = parts};
  size_t count = graph->gates.count;
  s.index = alea_mem_calloc(s.mem, count, sizeof *s.index);
  bool ok = s.index != NULL && visit_roots(&s);
  alea_mem_free(s.mem, s.index, count * sizeof *s.index);
  alea_vec_clear(s.mem, &s.frames);
  alea_vec_clear(s.mem, &s.open);
  if (ok) return ALEA_OK;
  alea_parts_clear(parts, s.mem);
  return alea_graph_no_memory(s.mem);
}

void alea_parts_clear(alea_parts *parts, alea_mem *mem) {
  alea_vec_clear(mem, &parts->order);
  alea_vec_clear(mem, &parts->cycles);
}
