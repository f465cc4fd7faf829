/* Strategies as trees: grown by a walk, printed, drawn. */
#include <string.h>

#include "base/json.h"
#include "csp/strategic_walk.h"

enum { MOST_NODES = 1000000, COLUMN = 46, ROW = 60 };

void alea_strategy_init(alea_strategy *strategy, const alea_strategic *strategic, alea_mem *mem) {
  *strategy = (alea_strategy){.mem = mem, .strategic = strategic};
}

void alea_strategy_clear(alea_strategy *strategy) {
  alea_vec_clear(strategy->mem, &strategy->nodes);
  alea_vec_clear(strategy->mem, &strategy->edges);
}

/* ---- growing ---- */

/* A node still to be made: the values on the way to it. */
typedef struct strategy_branch {
  uint32_t edge; /* that waits for it; UINT32_MAX at the root */
  uint32_t at;   /* values above it */
  int32_t value; /* the last of them */
} strategy_branch;

static bool is_universal(const alea_strategy *s, uint32_t at) {
  return s->strategic->order.data[at].universal;
}

/* The edges of a node: one where the side that wins chooses. */
static alea_status add_edges(alea_strategy *s, alea_strategic_walk *walk,
                             alea_strategy_node *node) {
  uint32_t count;
  const int32_t *choices = alea_strategic_walk_choices(walk, &count);
  node->edges = count;
  if (count > 0 && is_universal(s, node->at) != s->exists) {
    alea_strategy_edge edge = {0};
    alea_status status = alea_strategic_walk_best(walk, &edge.value);
    if (status != ALEA_OK) return status;
    node->edges = 1;
    return alea_vec_push(s->mem, &s->edges, edge) ? ALEA_OK : alea_mem_lack(s->mem);
  }
  for (uint32_t i = 0; i < count; i++)
    if (!alea_vec_push(s->mem, &s->edges, ((alea_strategy_edge){choices[i], 0})))
      return alea_mem_lack(s->mem);
  return ALEA_OK;
}

typedef ALEA_VEC(strategy_branch) strategy_branches;

static alea_status grow_node(alea_strategy *s, alea_strategic_walk *walk, uint32_t end,
                             strategy_branch branch, strategy_branches *open) {
  if (s->nodes.count >= MOST_NODES) return ALEA_LIMIT;
  alea_strategy_node node = {.at = branch.at, .first = (uint32_t)s->edges.count};
  alea_status status = ALEA_OK;
  if (branch.edge != UINT32_MAX) s->edges.data[branch.edge].node = (uint32_t)s->nodes.count;
  node.cut = branch.at == end && end < s->strategic->order.count;
  if (branch.at < end) status = add_edges(s, walk, &node);
  if (status == ALEA_OK && !alea_vec_push(s->mem, &s->nodes, node)) status = alea_mem_lack(s->mem);
  /* The last first, so that nodes come in the order of the values. */
  for (uint32_t e = node.edges; e-- > 0 && status == ALEA_OK;) {
    strategy_branch child = {node.first + e, branch.at + 1, s->edges.data[node.first + e].value};
    if (!alea_vec_push(s->mem, open, child)) status = alea_mem_lack(s->mem);
  }
  return status;
}

alea_status alea_strategy_grow(alea_strategy *strategy, alea_strategic_walk *walk, uint32_t depth) {
  uint32_t root = walk->at, end = (uint32_t)strategy->strategic->order.count;
  strategy_branches open = {0};
  if (depth != 0 && depth < end - root) end = root + depth;
  alea_status status = alea_strategic_walk_answer(walk, &strategy->exists);
  if (!alea_vec_push(strategy->mem, &open, ((strategy_branch){UINT32_MAX, root, 0})))
    status = alea_mem_lack(strategy->mem);
  while (open.count > 0 && status == ALEA_OK) {
    strategy_branch next = open.data[--open.count];
    while (walk->at > root && walk->at >= next.at) alea_strategic_walk_pop(walk);
    if (next.at > root) alea_strategic_walk_push(walk, next.value);
    status = grow_node(strategy, walk, end, next, &open);
  }
  while (walk->at > root) alea_strategic_walk_pop(walk);
  alea_vec_clear(strategy->mem, &open);
  return status;
}

/* ---- printing ---- */

static const char *name_of(const alea_strategy *s, uint32_t at) {
  return s->strategic->csp->vars.data[s->strategic->order.data[at].var].name;
}

/* Nodes are numbered parents first and depth first, so that they can be printed
 * in a row: a value of the winning side goes on the line of what it answers. */
void alea_strategy_print(const alea_strategy *strategy, alea_text *text) {
  size_t n = strategy->nodes.count;
  uint32_t *from = alea_mem_calloc(strategy->mem, n + 1, sizeof *from);
  if (from == NULL) text->failed = true;
  uint32_t root = n > 0 ? strategy->nodes.data[0].at : 0;
  for (size_t i = 0; i < n && !text->failed; i++) {
    const alea_strategy_node *node = &strategy->nodes.data[i];
    for (uint32_t e = 0; e < node->edges; e++)
      from[strategy->edges.data[node->first + e].node] = node->first + e;
    if (i > 0) {
      bool mine = is_universal(strategy, node->at - 1) != strategy->exists;
      if (!mine || node->at == root + 1)
        for (uint32_t k = root; k + 1 < node->at; k++) alea_text_char(text, ' ');
      alea_text_format(text, "%s%s=%d", mine && node->at > root + 1 ? ", " : "",
                       name_of(strategy, node->at - 1), strategy->edges.data[from[i]].value);
      if (node->cut) alea_text_put(text, " ...");
    }
    bool next_mine = node->edges == 1 && is_universal(strategy, node->at) != strategy->exists;
    if (i > 0 && !next_mine) alea_text_char(text, '\n');
  }
  alea_mem_free(strategy->mem, from, (n + 1) * sizeof *from);
}

typedef struct strategy_open {
  uint32_t node, next; /* edges written */
} strategy_open;

void alea_strategy_json(const alea_strategy *strategy, alea_text *text) {
  ALEA_VEC(strategy_open) open = {0};
  alea_json json;
  bool good =
      strategy->nodes.count > 0 && alea_vec_push(strategy->mem, &open, ((strategy_open){0}));
  while (good && open.count > 0) {
    strategy_open *top = &open.data[open.count - 1];
    const alea_strategy_node *node = &strategy->nodes.data[top->node];
    if (top->next == 0) {
      alea_text_char(text, '{');
      if (node->edges > 0) {
        alea_text_put(text, "\"variable\":");
        alea_json_start(&json, text);
        alea_json_string(&json, name_of(strategy, node->at));
        alea_text_put(text, ",\"values\":{");
      } else if (node->cut) {
        alea_text_put(text, "\"cut\":true");
      }
    }
    if (top->next == node->edges) {
      alea_text_put(text, node->edges > 0 ? "}}" : "}");
      open.count--;
      continue;
    }
    const alea_strategy_edge *edge = &strategy->edges.data[node->first + top->next];
    alea_text_format(text, "%s\"%d\":", top->next > 0 ? "," : "", edge->value);
    top->next++;
    good = alea_vec_push(strategy->mem, &open, ((strategy_open){edge->node, 0}));
  }
  if (!good) text->failed = true;
  alea_vec_clear(strategy->mem, &open);
}

/* ---- drawing ---- */

/* Ends get columns from left to right; an inner node stands over the middle of
 * its first and last.  '*columns' and '*deepest' are the size. */
static void place(const alea_strategy *s, double *x, uint32_t *depth, uint32_t *columns,
                  uint32_t *deepest) {
  *columns = *deepest = 0;
  for (size_t i = 0; i < s->nodes.count; i++) {
    const alea_strategy_node *node = &s->nodes.data[i];
    if (node->edges == 0) x[i] = COLUMN * (double)(*columns)++ + COLUMN;
    if (depth[i] > *deepest) *deepest = depth[i];
    for (uint32_t e = 0; e < node->edges; e++)
      depth[s->edges.data[node->first + e].node] = depth[i] + 1;
  }
  for (size_t i = s->nodes.count; i-- > 0;) {
    const alea_strategy_node *node = &s->nodes.data[i];
    const alea_strategy_edge *edges = &s->edges.data[node->first];
    if (node->edges != 0) x[i] = (x[edges[0].node] + x[edges[node->edges - 1].node]) / 2;
  }
}

static void draw_node(const alea_strategy *s, size_t i, const double *x, double y,
                      alea_text *text) {
  const alea_strategy_node *node = &s->nodes.data[i];
  for (uint32_t e = 0; e < node->edges; e++) {
    const alea_strategy_edge *edge = &s->edges.data[node->first + e];
    alea_text_format(text,
                     "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#888\"/>\n"
                     "<text x=\"%.1f\" y=\"%.1f\">%d</text>\n",
                     x[i], y, x[edge->node], y + ROW, (x[i] + x[edge->node]) / 2 + 3, y + ROW / 2.0,
                     edge->value);
  }
  if (node->edges == 0) {
    alea_text_format(text,
                     "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%d\" fill=\"%s\" stroke=\"#333\"/>\n",
                     x[i], y, 4, node->cut ? "#fff" : "#333");
    return;
  }
  bool mine = is_universal(s, node->at) != s->exists;
  alea_text_format(text,
                   "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"15\" fill=\"%s\" stroke=\"#333\"/>\n"
                   "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">",
                   x[i], y, mine ? "#cfe3ff" : "#fff", x[i], y + 4);
  const char *name = name_of(s, node->at);
  alea_text_xml(text, name, strlen(name));
  alea_text_put(text, "</text>\n");
}

void alea_strategy_svg(const alea_strategy *strategy, alea_text *text) {
  size_t n = strategy->nodes.count;
  double *x = alea_mem_calloc(strategy->mem, n + 1, sizeof *x);
  uint32_t *depth = alea_mem_calloc(strategy->mem, n + 1, sizeof *depth), columns, deepest;
  if (x == NULL || depth == NULL) {
    text->failed = true;
  } else {
    place(strategy, x, depth, &columns, &deepest);
    alea_text_format(text,
                     "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" "
                     "font-family=\"sans-serif\" font-size=\"11\">\n"
                     "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
                     COLUMN * (columns + 1), ROW * (deepest + 1) + 20);
    for (size_t i = 0; i < n && !text->failed; i++)
      draw_node(strategy, i, x, ROW * (double)depth[i] + 40, text);
    alea_text_put(text, "</svg>\n");
  }
  alea_mem_free(strategy->mem, x, (n + 1) * sizeof *x);
  alea_mem_free(strategy->mem, depth, (n + 1) * sizeof *depth);
}
