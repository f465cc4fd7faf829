/* Policies as text, pictures and JSON.
 *
 * A policy is mostly forced: a decision has one edge, and so has a value of chance
 * that is certain.  Such chains are one row, so that the tree branches only where
 * chance does. */
#include <string.h>

#include "base/hash.h"
#include "base/hash_map.h"
#include "base/json.h"
#include "scsp/core.h"

/* A chain: from an edge to the next node that branches, or to a leaf. */
typedef struct policy_row {
  uint32_t parent, depth; /* the row before it, UINT32_MAX at the root */
  uint32_t node;          /* where it ends */
  size_t label, length;   /* in policy_rows.labels */
  double paid;            /* on the whole way so far */
  double total;           /* that, and what is expected from here on */
  bool leaf, last;        /* the last of its parent */
} policy_row;

typedef struct policy_rows {
  const alea_policy *policy;
  const alea_scsp *scsp;
  ALEA_VEC(policy_row) list; /* depth first */
  alea_text labels;
  bool failed;
} policy_rows;

/* A row still to be made, and the edge that it begins with. */
typedef struct policy_branch {
  uint32_t parent, depth, from, edge;
  bool last;
} policy_branch;

/* ---- rows ---- */

static void put_value(const alea_scsp *scsp, alea_csp_var var, uint32_t index, alea_text *out) {
  const alea_csp *csp = scsp->csp;
  int32_t value = csp_value(&csp->vars.data[var], index);
  const char *symbol = alea_csp_symbol(csp, var, value);
  if (symbol != NULL)
    alea_text_format(out, "%s = %s", alea_csp_name(csp, var), symbol);
  else
    alea_text_format(out, "%s = %d", alea_csp_name(csp, var), value);
}

static void put_edge(policy_rows *rows, const policy_row *row, const alea_policy_node *from,
                     const alea_policy_edge *edge) {
  alea_text *out = &rows->labels;
  if (alea_csp_hidden(rows->scsp->csp, from->var) && from->edges == 1) return;
  if (out->length > row->label) alea_text_put(out, ", ");
  put_value(rows->scsp, from->var, edge->index, out);
  if (from->edges > 1 || edge->probability < 1)
    alea_text_format(out, " (probability %.6g)", edge->probability);
}

/* Follows the chain from 'edge' of 'from', or from the root without an edge. */
static policy_row make_row(policy_rows *rows, const policy_branch *branch) {
  const alea_policy *policy = rows->policy;
  bool root = branch->edge == UINT32_MAX;
  policy_row row = {.parent = branch->parent,
                    .depth = branch->depth,
                    .label = rows->labels.length,
                    .last = branch->last,
                    .paid = root ? 0 : rows->list.data[branch->parent].paid};
  uint32_t from = branch->from, edge = branch->edge;
  while (!root || policy->nodes.data[from].edges == 1) {
    if (root) edge = policy->nodes.data[from].first;
    root = true; /* from here on only the only edge is followed */
    const alea_policy_edge *taken = &policy->edges.data[edge];
    const alea_policy_node *next = &policy->nodes.data[taken->node];
    put_edge(rows, &row, &policy->nodes.data[from], taken);
    row.paid += taken->value - next->value;
    from = taken->node;
  }
  row.node = from;
  row.leaf = policy->nodes.data[from].edges == 0;
  row.total = row.paid + policy->nodes.data[from].value;
  row.length = rows->labels.length - row.label;
  return row;
}

static void make_rows(policy_rows *rows, const alea_policy *policy, const alea_scsp *scsp) {
  ALEA_VEC(policy_branch) open = {0};
  *rows = (policy_rows){.policy = policy, .scsp = scsp};
  alea_text_init(&rows->labels, policy->mem);
  policy_branch root = {UINT32_MAX, 0, 0, UINT32_MAX, true};
  if (policy->nodes.count > 0 && !alea_vec_push(policy->mem, &open, root)) rows->failed = true;
  while (open.count > 0 && !rows->failed) {
    policy_branch branch = open.data[--open.count];
    policy_row row = make_row(rows, &branch);
    uint32_t index = (uint32_t)rows->list.count;
    if (!alea_vec_push(policy->mem, &rows->list, row)) rows->failed = true;
    const alea_policy_node *node = &policy->nodes.data[row.node];
    /* Last first: the first is made next. */
    for (uint32_t e = node->edges; e-- > 0 && !rows->failed;) {
      policy_branch child = {index, row.depth + 1, row.node, node->first + e, e + 1 == node->edges};
      if (!alea_vec_push(policy->mem, &open, child)) rows->failed = true;
    }
  }
  if (rows->labels.failed) rows->failed = true;
  alea_vec_clear(policy->mem, &open);
}

static void clear_rows(policy_rows *rows) {
  alea_vec_clear(rows->policy->mem, &rows->list);
  alea_text_clear(&rows->labels);
}

/* ---- text ---- */

/* The lines that lead from the rows above to this one, right to left. */
static void put_guides(const policy_rows *rows, const policy_row *row, bool ascii,
                       alea_text *text) {
  enum { MOST_DEPTH = 256 };
  bool last[MOST_DEPTH];
  uint32_t depth = row->depth < MOST_DEPTH ? row->depth : MOST_DEPTH;
  const policy_row *at = row;
  for (uint32_t d = depth; d-- > 0;) {
    last[d] = at->last;
    at = &rows->list.data[at->parent];
  }
  for (uint32_t d = 0; d < depth; d++) {
    bool here = d + 1 == depth;
    if (ascii)
      alea_text_put(text, here ? (last[d] ? "`- " : "|- ") : last[d] ? "   " : "|  ");
    else
      alea_text_put(text, here      ? (last[d] ? "\xe2\x94\x94 " : "\xe2\x94\x9c ")
                          : last[d] ? "  "
                                    : "\xe2\x94\x82 ");
  }
}

void alea_policy_print(const alea_policy *policy, const alea_scsp *scsp, bool ascii,
                       alea_text *text) {
  policy_rows rows;
  make_rows(&rows, policy, scsp);
  for (size_t i = 0; i < rows.list.count && !rows.failed; i++) {
    const policy_row *row = &rows.list.data[i];
    if (i == 0) alea_text_format(text, "value %.10g\n", row->total);
    if (i == 0 && row->length == 0) continue;
    put_guides(&rows, row, ascii, text);
    alea_text_add(text, alea_text_string(&rows.labels) + row->label, row->length);
    alea_text_format(text, "  %s %.10g\n", row->leaf ? (ascii ? "->" : "\xe2\x86\x92") : "expects",
                     row->total);
  }
  if (rows.failed) text->failed = true;
  clear_rows(&rows);
}

/* ---- pictures ---- */

enum { ROW_HEIGHT = 26, BOX_HEIGHT = 20, GAP = 46, MARGIN = 12 };
static const double letter = 6.6; /* mean width at the font size used */

typedef struct policy_places {
  double *left; /* per depth */
  double *y;    /* per row */
  double width, height;
} policy_places;

static double box_width(const policy_row *row) { return 16 + letter * (double)(row->length + 12); }

/* Leaves are below each other; a row that branches stands at the middle of what
 * follows.  Depths are columns as wide as their widest label. */
static bool place(const policy_rows *rows, policy_places *at, alea_mem *mem) {
  size_t n = rows->list.count, leaves = 0;
  *at = (policy_places){.left = alea_mem_calloc(mem, n + 1, sizeof *at->left),
                        .y = alea_mem_calloc(mem, n, sizeof *at->y)};
  double *first = alea_mem_calloc(mem, n, sizeof *first);
  bool good = at->left != NULL && at->y != NULL && first != NULL;
  for (size_t i = 0; i < n && good; i++) {
    const policy_row *row = &rows->list.data[i];
    double width = box_width(row) + GAP;
    if (width > at->left[row->depth + 1]) at->left[row->depth + 1] = width;
    if (row->leaf) at->y[i] = first[i] = MARGIN + (double)(leaves++ * ROW_HEIGHT);
  }
  for (size_t i = n; i-- > 0 && good;) { /* children come after their parents */
    const policy_row *row = &rows->list.data[i];
    if (!row->leaf) at->y[i] = (first[i] + at->y[i]) / 2;
    if (row->parent == UINT32_MAX) continue;
    if (row->last) at->y[row->parent] = at->y[i];
    first[row->parent] = at->y[i];
  }
  if (good) at->left[0] = MARGIN;
  for (size_t d = 1; d <= n && good; d++) at->left[d] += at->left[d - 1];
  at->width = good ? at->left[n] : 0;
  at->height = 2 * MARGIN + (double)(leaves * ROW_HEIGHT);
  alea_mem_free(mem, first, n * sizeof *first);
  return good;
}

static void put_box(const policy_rows *rows, const policy_places *at, size_t i, alea_text *text) {
  const policy_row *row = &rows->list.data[i];
  double x = at->left[row->depth], y = at->y[i], middle = y + BOX_HEIGHT / 2.0;
  if (row->parent != UINT32_MAX) {
    const policy_row *parent = &rows->list.data[row->parent];
    double from = at->left[parent->depth] + box_width(parent);
    double start = at->y[row->parent] + BOX_HEIGHT / 2.0;
    alea_text_format(text,
                     "<path d=\"M%.1f %.1f C%.1f %.1f %.1f %.1f %.1f %.1f\" fill=\"none\" "
                     "stroke=\"#888\"/>\n",
                     from, start, from + GAP / 2.0, start, x - GAP / 2.0, middle, x, middle);
  }
  alea_text_format(text,
                   "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%d\" rx=\"4\" "
                   "fill=\"%s\" stroke=\"#333\"/>\n<text x=\"%.1f\" y=\"%.1f\">",
                   x, y, box_width(row), BOX_HEIGHT, row->leaf ? "#ffffff" : "#ffe0a0", x + 8,
                   middle + 4);
  const char *label = alea_text_string(&rows->labels) + row->label;
  for (size_t k = 0; k < row->length; k++) {
    if (label[k] == '<' || label[k] == '&')
      alea_text_put(text, label[k] == '<' ? "&lt;" : "&amp;");
    else
      alea_text_char(text, label[k]);
  }
  alea_text_format(text, " <tspan font-weight=\"bold\">%s%.6g</tspan></text>\n",
                   row->leaf ? "" : "expects ", row->total);
}

void alea_policy_svg(const alea_policy *policy, const alea_scsp *scsp, alea_text *text) {
  policy_rows rows;
  policy_places at = {0};
  make_rows(&rows, policy, scsp);
  size_t n = rows.list.count;
  if (rows.failed || !place(&rows, &at, policy->mem)) {
    text->failed = true;
  } else {
    alea_text_format(text,
                     "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
                     "font-family=\"sans-serif\" font-size=\"12\">\n"
                     "<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n",
                     at.width, at.height);
    for (size_t i = 0; i < n; i++) put_box(&rows, &at, i, text);
    alea_text_put(text, "</svg>\n");
  }
  alea_mem_free(policy->mem, at.left, (n + 1) * sizeof *at.left);
  alea_mem_free(policy->mem, at.y, n * sizeof *at.y);
  clear_rows(&rows);
}

/* ---- JSON ---- */

/* Nodes below which everything is the same are one: 'as' has the node that stands for each.  Of
 * several it is the last, so that parents stay before their children. */
typedef struct policy_twins {
  const alea_policy *policy;
  uint32_t *as;
  uint64_t *hashes;
  alea_hash_map map;
} policy_twins;

static uint64_t hash_of_node(const void *hashes, uint32_t node) {
  return ((const uint64_t *)hashes)[node];
}

static uint64_t bits_of(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static uint64_t hash_node(const policy_twins *t, uint32_t at) {
  const alea_policy_node *node = &t->policy->nodes.data[at];
  uint64_t hash = alea_hash_join(bits_of(node->value), node->var);
  for (uint32_t e = 0; e < node->edges; e++) {
    const alea_policy_edge *edge = &t->policy->edges.data[node->first + e];
    hash = alea_hash_join(hash, (uint64_t)edge->index << 32 | t->as[edge->node]);
    hash = alea_hash_join(hash, bits_of(edge->probability));
    hash = alea_hash_join(hash, bits_of(edge->value));
  }
  return alea_hash_mix(hash);
}

static bool are_twins(const policy_twins *t, uint32_t a, uint32_t b) {
  const alea_policy_node *x = &t->policy->nodes.data[a], *y = &t->policy->nodes.data[b];
  if (x->var != y->var || x->edges != y->edges || bits_of(x->value) != bits_of(y->value))
    return false;
  for (uint32_t e = 0; e < x->edges; e++) {
    const alea_policy_edge *p = &t->policy->edges.data[x->first + e];
    const alea_policy_edge *q = &t->policy->edges.data[y->first + e];
    if (p->index != q->index || t->as[p->node] != t->as[q->node] ||
        bits_of(p->probability) != bits_of(q->probability) ||
        bits_of(p->value) != bits_of(q->value))
      return false;
  }
  return true;
}

static bool find_twins(policy_twins *t, alea_mem *mem) {
  for (uint32_t at = (uint32_t)t->policy->nodes.count; at-- > 0;) {
    uint64_t hash = t->hashes[at] = hash_node(t, at);
    if (!alea_hash_map_reserve(&t->map, mem, hash_of_node, t->hashes)) return false;
    alea_hash_probe probe = alea_hash_map_probe(&t->map, hash);
    while (alea_hash_map_next(&t->map, &probe))
      if (t->hashes[probe.id] == hash && are_twins(t, probe.id, at)) break;
    t->as[at] = probe.id != ALEA_HASH_NONE ? probe.id : at;
    if (probe.id == ALEA_HASH_NONE) alea_hash_map_put(&t->map, probe, at);
  }
  return true;
}

static void put_node(const alea_policy *policy, const alea_scsp *scsp, uint32_t at,
                     const policy_twins *twins, const uint64_t *numbers, alea_json *json) {
  const alea_csp *csp = scsp->csp;
  const alea_policy_node *node = &policy->nodes.data[at];
  alea_json_open(json, '{');
  if (node->edges > 0) {
    alea_json_put_string(json, "variable", alea_csp_name(csp, node->var));
    alea_json_put_bool(json, "chance", alea_scsp_is_chance(scsp, node->var));
  }
  alea_json_put_real(json, "expected", node->value);
  alea_json_key(json, "edges");
  alea_json_open(json, '[');
  for (uint32_t e = 0; e < node->edges; e++) {
    const alea_policy_edge *edge = &policy->edges.data[node->first + e];
    alea_json_open(json, '{');
    alea_json_key(json, "value");
    alea_json_integer(json, csp_value(&csp->vars.data[node->var], edge->index));
    alea_json_put_real(json, "probability", edge->probability);
    alea_json_put_real(json, "expected", edge->value);
    alea_json_put_count(json, "node", numbers[twins->as[edge->node]]);
    alea_json_close(json, '}');
  }
  alea_json_close(json, ']');
  alea_json_close(json, '}');
}

void alea_policy_json(const alea_policy *policy, const alea_scsp *scsp, alea_text *text) {
  alea_mem *mem = policy->mem;
  size_t count = policy->nodes.count;
  policy_twins t = {policy,
                    alea_mem_calloc(mem, count, sizeof *t.as),
                    alea_mem_calloc(mem, count, sizeof *t.hashes),
                    {0}};
  if (t.as == NULL || t.hashes == NULL || !find_twins(&t, mem)) {
    text->failed = true;
  } else {
    uint64_t *numbers = t.hashes, kept = 0; /* the hashes are not needed any more */
    alea_json json;
    for (size_t i = 0; i < count; i++)
      if (t.as[i] == i) numbers[i] = kept++;
    alea_json_start(&json, text);
    alea_json_open(&json, '[');
    for (size_t i = 0; i < count; i++)
      if (t.as[i] == i) put_node(policy, scsp, (uint32_t)i, &t, numbers, &json);
    alea_json_close(&json, ']');
  }
  alea_hash_map_clear(&t.map, mem);
  alea_mem_free(mem, t.as, count * sizeof *t.as);
  alea_mem_free(mem, t.hashes, count * sizeof *t.hashes);
}
