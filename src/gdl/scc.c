/* Tarjan's algorithm (SIAM J. Comput. 1972) with an explicit stack. */
#include "gdl/scc.h"

#define UNSEEN UINT32_MAX

typedef struct visit {
  uint32_t node, next_edge;
} visit;

typedef struct scc_search {
  alea_mem *mem;
  uint32_t nodes;
  uint32_t *first; /* edges of node v: target[first[v] .. first[v+1]-1] */
  uint32_t *target;
  size_t edge_count;
  uint32_t *index, *low;
  uint32_t *component;
  uint32_t time, components;
  alea_u32s path;
  ALEA_VEC(visit) stack;
} scc_search;

/* Sorts the edges by their start (counting sort). */
static void index_edges(scc_search *s, const alea_edges *edges) {
  for (size_t i = 0; i < edges->count; i++) s->first[edges->data[i].from + 1]++;
  for (uint32_t v = 0; v < s->nodes; v++) s->first[v + 1] += s->first[v];
  for (size_t i = edges->count; i > 0; i--) {
    alea_edge e = edges->data[i - 1];
    s->target[--s->first[e.from + 1]] = e.to;
  }
  /* first[v+1] now holds the start of v: move it down. */
  for (uint32_t v = 0; v < s->nodes; v++) s->first[v] = s->first[v + 1];
  s->first[s->nodes] = (uint32_t)edges->count;
}

static bool enter(scc_search *s, uint32_t node) {
  s->index[node] = s->low[node] = s->time++;
  return alea_vec_push(s->mem, &s->path, node) &&
         alea_vec_push(s->mem, &s->stack, (visit){node, s->first[node]});
}

static void leave(scc_search *s, uint32_t node) {
  if (s->low[node] == s->index[node]) {
    uint32_t member;
    do {
      member = s->path.data[--s->path.count];
      s->component[member] = s->components;
    } while (member != node);
    s->components++;
  }
  s->stack.count--;
  if (s->stack.count == 0) return;
  uint32_t parent = s->stack.data[s->stack.count - 1].node;
  if (s->low[node] < s->low[parent]) s->low[parent] = s->low[node];
}

static bool search_from(scc_search *s, uint32_t root) {
  if (!enter(s, root)) return false;
  while (s->stack.count > 0) {
    visit *top = &s->stack.data[s->stack.count - 1];
    if (top->next_edge == s->first[top->node + 1]) {
      leave(s, top->node);
      continue;
    }
    uint32_t to = s->target[top->next_edge++];
    if (s->index[to] == UNSEEN) {
      if (!enter(s, to)) return false;
    } else if (s->component[to] == UNSEEN && s->index[to] < s->low[top->node]) {
      s->low[top->node] = s->index[to];
    }
  }
  return true;
}

static bool run(scc_search *s, const alea_edges *edges) {
  if (s->first == NULL || s->target == NULL || s->index == NULL || s->low == NULL) return false;
  index_edges(s, edges);
  for (uint32_t v = 0; v < s->nodes; v++) s->index[v] = s->component[v] = UNSEEN;
  for (uint32_t v = 0; v < s->nodes; v++)
    if (s->index[v] == UNSEEN && !search_from(s, v)) return false;
  return true;
}

bool alea_find_components(const alea_edges *edges, uint32_t nodes, uint32_t *component,
                          alea_mem *mem) {
  scc_search s = {.mem = mem, .nodes = nodes, .component = component, .edge_count = edges->count};
  size_t word = sizeof(uint32_t);
  s.first = alea_mem_calloc(mem, (size_t)nodes + 1, word);
  s.target = alea_mem_calloc(mem, s.edge_count, word);
  s.index = alea_mem_calloc(mem, nodes, word);
  s.low = alea_mem_calloc(mem, nodes, word);
  bool ok = run(&s, edges);
  alea_mem_free(mem, s.first, ((size_t)nodes + 1) * word);
  alea_mem_free(mem, s.target, s.edge_count * word);
  alea_mem_free(mem, s.index, nodes * word);
  alea_mem_free(mem, s.low, nodes * word);
  alea_vec_clear(mem, &s.path);
  alea_vec_clear(mem, &s.stack);
  return ok;
}
