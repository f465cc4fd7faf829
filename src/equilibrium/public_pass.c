/* States that are passed over: chance that only deals, and forced moves. */
#include "equilibrium/public_merge.h"
#include "equilibrium/public_sets.h"

typedef struct public_pass {
  alea_public_graph *graph;
  alea_u32s path, items; /* scratch */
} public_pass;

static bool is_passed(const alea_public_state *state) {
  return !state->chooses[0] && !state->chooses[1] && state->end == ALEA_NO_END && state->edges == 1;
}

/* In a state without choices the moves are the hands, one each. */
static bool pass_edge(public_pass *pass, size_t e) {
  alea_public_graph *graph = pass->graph;
  alea_public_edge edge = graph->edges.data[e];
  const alea_public_state *passed = &graph->states.data[edge.child];
  alea_public_edge next = graph->edges.data[passed->first_edge];
  const alea_public_state *child = &graph->states.data[next.child];
  alea_public_edge joined = {.child = next.child, .share = edge.share * next.share};
  for (uint32_t p = 0; p < 2; p++) {
    joined.links[p] = graph->links.count;
    if (!alea_vec_reserve(graph->mem, &graph->links, child->hands[p]) ||
        !alea_vec_reserve(graph->mem, &graph->steps, child->hands[p]))
      return false;
    for (uint32_t h = 0; h < child->hands[p]; h++) {
      uint32_t between = graph->links.data[next.links[p] + h], step;
      if (!alea_public_view_join(graph, graph->steps.data[edge.links[p] + between],
                                 graph->steps.data[next.links[p] + h], &pass->path, &pass->items,
                                 &step))
        return false;
      graph->links.data[graph->links.count++] = graph->links.data[edge.links[p] + between];
      graph->steps.data[graph->steps.count++] = step;
    }
  }
  graph->edges.data[e] = joined;
  return true;
}

/* From the last states on, so that what is passed over is never next to another
 * that is. */
bool alea_public_pass_over(alea_public_graph *graph) {
  public_pass pass = {.graph = graph};
  bool good = true;
  for (size_t k = graph->order.count; k-- > 0 && good;) {
    const alea_public_state *state = &graph->states.data[graph->order.data[k]];
    for (uint32_t i = 0; i < state->edges && good; i++) {
      size_t e = state->first_edge + i;
      if (is_passed(&graph->states.data[graph->edges.data[e].child])) good = pass_edge(&pass, e);
    }
  }
  alea_vec_clear(graph->mem, &pass.path);
  alea_vec_clear(graph->mem, &pass.items);
  return good;
}
