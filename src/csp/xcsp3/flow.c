/* The XCSP3 reader: flow.  What leaves a node of the graph is what enters it
 * and its balance; the whole may have a cost. */
#include "csp/xcsp3/reader.h"

enum { MAX_NODES = 1 << 20 };

typedef struct flow_graph {
  int_list ends; /* of each arc, from and to */
  int32_t first; /* the smallest node */
  size_t nodes;
} flow_graph;

static bool read_arcs(xml_reader *r, const xmlNode *node, size_t count, flow_graph *g) {
  int32_t last = INT32_MIN;
  g->first = INT32_MAX;
  if (!xml_read_tuples(r, node, 2, &g->ends)) return false;
  if (g->ends.count != 2 * count)
    return xml_refuse(r, node, "bad-flow", "<%s> is not one pair of nodes per variable", "arcs");
  for (size_t i = 0; i < g->ends.count; i++) {
    if (g->ends.data[i] < g->first) g->first = g->ends.data[i];
    if (g->ends.data[i] > last) last = g->ends.data[i];
  }
  if ((int64_t)last - g->first >= MAX_NODES)
    return xml_refuse(r, node, "too-large", "the numbers of the nodes of <%s> spread too far",
                      "arcs");
  g->nodes = (size_t)(last - g->first) + 1;
  return true;
}

/* What leaves the node, less what enters it, is its balance. */
static bool post_node(xml_reader *r, const xmlNode *node, const var_list *list, const flow_graph *g,
                      size_t n, operand balance) {
  terms net = {0};
  bool good = true;
  for (size_t i = 0; i < list->count && good; i++)
    for (size_t end = 0; end < 2 && good; end++)
      if ((size_t)(g->ends.data[2 * i + end] - g->first) == n)
        good = xml_add_term(r, &net, list->data[i], end == 0 ? 1 : -1);
  condition equal = {.kind = COMPARE,
                     .op = ALEA_EQ,
                     .has_var = balance.var != ALEA_CSP_NONE,
                     .var = balance.var,
                     .value = balance.value};
  good = good && xml_post_sum(r, node, &net, &equal);
  xml_clear_terms(r, &net);
  return good;
}

static bool post_cost(xml_reader *r, const xmlNode *node, const var_list *list) {
  const xmlNode *weights = xml_child_named(node, "weights");
  operand_list costs = {0};
  terms sum = {0};
  condition c = {0};
  if (xml_child_named(node, "condition") == NULL && weights == NULL) return true;
  bool good = weights == NULL || xml_read_operands(r, weights, xml_text_of(r, weights), &costs);
  if (good && weights != NULL && costs.count != list->count)
    good = xml_refuse(r, weights, "bad-flow", "as many <%s> as variables are needed", "weights");
  for (size_t i = 0; i < list->count && good; i++)
    good = xml_add_product(r, node, &sum, list->data[i],
                           weights != NULL ? costs.data[i] : (operand){ALEA_CSP_NONE, 1});
  good = good && xml_read_condition(r, node, &c) && xml_post_sum(r, node, &sum, &c);
  alea_vec_clear(r->mem, &costs);
  alea_vec_clear(r->mem, &c.set);
  xml_clear_terms(r, &sum);
  return good;
}

bool xml_read_flow(xml_reader *r, const xmlNode *node, var_list *list) {
  static const char *const allowed[] = {"list", "balance", "arcs", "weights", "condition", NULL};
  const xmlNode *arcs = xml_child_named(node, "arcs"), *bnode = xml_child_named(node, "balance");
  flow_graph g = {0};
  operand_list balance = {0};
  if (!xml_only_children(r, node, allowed) || !xml_read_list(r, node, list)) return false;
  if (arcs == NULL || bnode == NULL)
    return xml_refuse(r, node, "bad-flow", "<%s> needs <balance> and <arcs>", "flow");
  bool good = read_arcs(r, arcs, list->count, &g) &&
              xml_read_operands(r, bnode, xml_text_of(r, bnode), &balance);
  if (good && balance.count != g.nodes)
    good = xml_refuse(r, bnode, "bad-flow", "<%s> is not one number per node", "balance");
  for (size_t n = 0; n < g.nodes && good; n++)
    good = post_node(r, node, list, &g, n, balance.data[n]);
  good = good && post_cost(r, node, list);
  alea_vec_clear(r->mem, &g.ends);
  alea_vec_clear(r->mem, &balance);
  return good;
}
