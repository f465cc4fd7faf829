/* Depth first; the views of all nodes on the path are on one stack. */
#include "equilibrium/public_sets.h"

typedef struct set_frame {
  uint32_t state, next_edge;
  uint64_t next_place;
  size_t views; /* of the first player's hands, then the second's, on the stack */
} set_frame;

typedef struct set_visit {
  alea_public_graph *graph;
  alea_mem *mem;
  alea_public_visit *visit;
  void *context;
  ALEA_VEC(set_frame) frames;
  alea_u32s views;
  alea_u32s path, items; /* scratch, of the graph's memory */
} set_visit;

bool alea_public_view_join(alea_public_graph *graph, uint32_t before, uint32_t step,
                           alea_u32s *path, alea_u32s *items, uint32_t *joined) {
  alea_player_views *views = &graph->views;
  *joined = before;
  path->count = 0;
  for (uint32_t v = step; v != ALEA_NO_VIEW; v = views->list.data[v].before)
    if (!alea_vec_push(graph->mem, path, v)) return false;
  for (size_t i = path->count; i-- > 0;) {
    alea_player_view view = views->list.data[path->data[i]];
    items->count = 0; /* a copy: adding may move the views' own */
    for (uint32_t k = 0; k < view.count; k++)
      if (!alea_vec_push(graph->mem, items, views->items.data[view.first + k])) return false;
    if (!alea_player_views_add(views, *joined, view.player, items->data, view.count, graph->mem,
                               joined))
      return false;
  }
  return true;
}

static alea_status visit_node(set_visit *v, set_frame *frame) {
  const alea_public_graph *graph = v->graph;
  const alea_public_state *state = &graph->states.data[frame->state];
  const uint32_t *views = v->views.data + frame->views;
  for (uint32_t p = 0; p < 2; p++) {
    const uint32_t *starts = graph->starts.data + state->starts[p];
    if (state->chooses[p]) {
      for (uint32_t h = 0; h < state->hands[p]; h++) {
        alea_public_set set = {.player = p,
                               .view = views[p == 0 ? h : state->hands[0] + h],
                               .place = frame->next_place + (state->even[p] > 0 ? h : starts[h]),
                               .stride = state->even[p] > 0 ? state->hands[p] : 1,
                               .moves = graph->move_ids.data + state->move_ids[p] + starts[h],
                               .count = starts[h + 1] - starts[h]};
        if (set.count < 2) continue;
        alea_status status = v->visit(v->context, &set);
        if (status != ALEA_OK) return status;
      }
      frame->next_place += state->moves[p];
    }
  }
  return ALEA_OK;
}

/* Views of the child's hands, on top of the stack. */
static bool push_views(set_visit *v, const set_frame *frame, const alea_public_edge *edge) {
  alea_public_graph *graph = v->graph;
  const alea_public_state *state = &graph->states.data[frame->state];
  const alea_public_state *child = &graph->states.data[edge->child];
  for (uint32_t p = 0; p < 2; p++) {
    const uint32_t *starts = graph->starts.data + state->starts[p];
    for (uint32_t k = 0; k < child->hands[p]; k++) {
      uint32_t link = graph->links.data[edge->links[p] + k], hand = 0, view;
      if (state->even[p] > 0) hand = link % state->hands[p];
      while (state->even[p] == 0 && starts[hand + 1] <= link) hand++;
      if (!alea_public_view_join(
              graph, v->views.data[frame->views + (p == 0 ? hand : state->hands[0] + hand)],
              graph->steps.data[edge->links[p] + k], &v->path, &v->items, &view) ||
          !alea_vec_push(v->mem, &v->views, view))
        return false;
    }
  }
  return true;
}

static alea_status next(set_visit *v) {
  set_frame *frame = &v->frames.data[v->frames.count - 1];
  const alea_public_state *state = &v->graph->states.data[frame->state];
  if (frame->next_edge == state->edges) {
    v->views.count = frame->views;
    v->frames.count--;
    return ALEA_OK;
  }
  const alea_public_edge *edge = &v->graph->edges.data[state->first_edge + frame->next_edge++];
  set_frame below = {edge->child, 0, frame->next_place, v->views.count};
  uint64_t places = v->graph->states.data[edge->child].places;
  if (places == 0) return ALEA_OK;
  frame->next_place += places;
  if (!push_views(v, frame, edge) || !alea_vec_push(v->mem, &v->frames, below))
    return alea_mem_lack(v->mem);
  return visit_node(v, &v->frames.data[v->frames.count - 1]);
}

static alea_status start(set_visit *v) {
  set_frame root = {0};
  for (uint32_t p = 0; p < 2; p++) {
    uint32_t view;
    if (!alea_player_views_add(&v->graph->views, ALEA_NO_VIEW, p, NULL, 0, v->graph->mem, &view) ||
        !alea_vec_push(v->mem, &v->views, view))
      return alea_mem_lack(v->mem);
  }
  if (!alea_vec_push(v->mem, &v->frames, root)) return alea_mem_lack(v->mem);
  return visit_node(v, &v->frames.data[0]);
}

alea_status alea_public_sets_visit(alea_public_graph *graph, alea_mem *mem,
                                   alea_public_visit *visit, void *context) {
  set_visit v = {.graph = graph, .mem = mem, .visit = visit, .context = context};
  alea_status status = start(&v);
  while (status == ALEA_OK && v.frames.count > 0) status = next(&v);
  alea_vec_clear(mem, &v.frames);
  alea_vec_clear(mem, &v.views);
  alea_vec_clear(graph->mem, &v.path);
  alea_vec_clear(graph->mem, &v.items);
  return status;
}
