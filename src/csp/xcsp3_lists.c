/* The XCSP3 reader: constraints over whole lists, and automata. */
#include "csp/xcsp3_reader.h"

/* ---- allDifferent, allEqual, ordered, lex, channel, instantiation ---- */

static bool read_lists(xml_reader *r, const xmlNode *node, var_list *all, size_t *lists) {
  size_t length = 0;
  *lists = 0;
  for (xmlNode *child = xml_first_element(node); child != NULL; child = xml_next_element(child)) {
    if (!xml_is(child, "list")) continue;
    size_t before = all->count;
    if (!xml_read_vars(r, child, xml_text_of(r, child), all)) return false;
    if (*lists > 0 && all->count - before != length)
      return xml_refuse(r, child, "bad-list", "the lists of <%s> differ in length",
                        xml_name_of(node));
    length = all->count - before;
    ++*lists;
  }
  if (length == 0)
    return xml_refuse(r, node, "missing-list", "the list of <%s> is empty", xml_name_of(node));
  return true;
}

static bool several_lists(const xmlNode *node) {
  xmlNode *first = xml_child_named(node, "list");
  for (xmlNode *next = first; next != NULL;) {
    next = xml_next_element(next);
    if (next != NULL && xml_is(next, "list")) return true;
  }
  return false;
}

bool xml_read_all_different(xml_reader *r, const xmlNode *node, var_list *list) {
  static const char *const allowed[] = {"list", "except", NULL};
  if (!xml_only_children(r, node, allowed)) return false;
  if (several_lists(node))
    return xml_refuse(r, node, "unsupported", "<%s> over several lists is not supported",
                      "allDifferent");
  const xmlNode *except = xml_child_named(node, "except");
  int_list values = {0};
  bool good = xml_read_list(r, node, list) &&
              (except == NULL || xml_read_ints(r, except, xml_text_of(r, except), &values));
  if (good)
    alea_csp_all_different(r->csp, list->data, (uint32_t)list->count, values.data, values.count);
  alea_vec_clear(r->mem, &values);
  return good;
}

static void post_pair(xml_reader *r, alea_csp_var x, alea_csp_var y, alea_op op, int64_t gap) {
  alea_csp_linear(r->csp, (alea_csp_var[]){x, y}, (int64_t[]){1, -1}, 2, op, gap);
}

bool xml_read_all_equal(xml_reader *r, const xmlNode *node, var_list *list) {
  static const char *const allowed[] = {"list", NULL};
  if (!xml_only_children(r, node, allowed) || !xml_read_list(r, node, list)) return false;
  for (size_t i = 1; i < list->count; i++)
    post_pair(r, list->data[i - 1], list->data[i], ALEA_EQ, 0);
  return true;
}

static bool read_order(xml_reader *r, const xmlNode *node, alea_op *op) {
  const xmlNode *child = xml_child_named(node, "operator");
  const char *text = child == NULL ? "le" : xml_text_of(r, child), *word;
  size_t length;
  if (xml_next_word(&text, &word, &length) && length == 2)
    for (size_t i = 0; i < 4; i++)
      if (memcmp(word, xml_relations[i].name, 2) == 0) {
        *op = xml_relations[i].op;
        return true;
      }
  return xml_refuse(r, node, "bad-operator", "<%s> needs lt, le, ge or gt", xml_name_of(node));
}

bool xml_read_ordered(xml_reader *r, const xmlNode *node, var_list *list) {
  static const char *const allowed[] = {"list", "operator", "lengths", NULL};
  alea_op op = ALEA_LE;
  int_list lengths = {0};
  const xmlNode *child = xml_child_named(node, "lengths");
  bool good = xml_only_children(r, node, allowed) && xml_read_list(r, node, list) &&
              read_order(r, node, &op) &&
              (child == NULL || xml_read_ints(r, child, xml_text_of(r, child), &lengths));
  if (good && child != NULL && lengths.count + 1 != list->count)
    good = xml_refuse(r, child, "bad-list", "one length fewer than variables is needed%s", "");
  for (size_t i = 0; i + 1 < list->count && good; i++) /* x + length op y */
    post_pair(r, list->data[i], list->data[i + 1], op,
              child != NULL ? -(int64_t)lengths.data[i] : 0);
  alea_vec_clear(r->mem, &lengths);
  return good;
}

bool xml_read_lex(xml_reader *r, const xmlNode *node, var_list *list) {
  static const char *const allowed[] = {"list", "operator", NULL};
  alea_op op = ALEA_LE;
  size_t lists;
  if (!xml_only_children(r, node, allowed) || !read_lists(r, node, list, &lists) ||
      !read_order(r, node, &op))
    return false;
  uint32_t n = (uint32_t)(list->count / lists);
  for (size_t i = 0; i + 1 < lists; i++) {
    const alea_csp_var *a = &list->data[i * n], *b = a + n;
    bool down = op == ALEA_GE || op == ALEA_GT;
    alea_csp_lex(r->csp, down ? b : a, down ? a : b, n, op == ALEA_LT || op == ALEA_GT);
  }
  return true;
}

static bool list_base(xml_reader *r, xmlNode *node, int32_t *base) {
  const char *start = xml_attribute(r, node, "startIndex");
  *base = 0;
  return start == NULL || xml_read_int(r, node, &start, base);
}

bool xml_read_channel(xml_reader *r, const xmlNode *node, var_list *list) {
  static const char *const allowed[] = {"list", NULL};
  var_list other = {0};
  int32_t base = 0, other_base;
  xmlNode *first = xml_child_named(node, "list"),
          *second = first == NULL ? NULL : xml_next_element(first);
  if (!xml_only_children(r, node, allowed) || !xml_read_list(r, node, list)) return false;
  if (first != NULL && !list_base(r, first, &base)) return false;
  other_base = base;
  bool good = true;
  if (second != NULL)
    good = xml_read_vars(r, second, xml_text_of(r, second), &other) &&
           list_base(r, second, &other_base);
  if (good && second != NULL && (list->count != other.count || xml_next_element(second) != NULL))
    good =
        xml_refuse(r, node, "unsupported", "<%s> needs one list, or two of one length", "channel");
  const var_list *right = second == NULL ? list : &other;
  if (good)
    alea_csp_channel(r->csp, list->data, (uint32_t)list->count, base, right->data,
                     (uint32_t)right->count, other_base);
  alea_vec_clear(r->mem, &other);
  return good;
}

bool xml_read_instantiation(xml_reader *r, const xmlNode *node, var_list *list) {
  static const char *const allowed[] = {"list", "values", NULL};
  const xmlNode *child = xml_child_named(node, "values");
  int_list values = {0};
  bool good = xml_only_children(r, node, allowed) && xml_read_list(r, node, list);
  if (good && child == NULL)
    good = xml_refuse(r, node, "bad-list", "<%s> without <values>", "instantiation");
  good = good && xml_read_ints(r, child, xml_text_of(r, child), &values);
  if (good && values.count != list->count)
    good = xml_refuse(r, child, "bad-list", "as many values as variables are needed%s", "");
  for (size_t i = 0; i < list->count && good; i++)
    alea_csp_table(r->csp, &list->data[i], 1, &values.data[i], 1, false);
  alea_vec_clear(r->mem, &values);
  return good;
}

/* ---- regular and mdd ---- */

typedef struct automaton {
  ALEA_VEC(const char *) states;
  ALEA_VEC(alea_csp_edge) edges;
  ALEA_VEC(bool) final;
} automaton;

static bool state_number(xml_reader *r, automaton *a, const char *word, size_t length,
                         uint32_t *number) {
  for (size_t i = 0; i < a->states.count; i++)
    if (strlen(a->states.data[i]) == length && memcmp(a->states.data[i], word, length) == 0) {
      *number = (uint32_t)i;
      return true;
    }
  const char *name = alea_arena_strdup(&r->out->arena, word, length);
  if (name == NULL || !alea_vec_push(r->mem, &a->states, name) ||
      !alea_vec_push(r->mem, &a->final, false))
    return xml_no_memory(r);
  *number = (uint32_t)a->states.count - 1;
  return true;
}

static size_t part_length(const char *at) {
  size_t length = 0;
  while (at[length] != '\0' && at[length] != ',' && at[length] != ')') length++;
  while (length > 0 && isspace((unsigned char)at[length - 1])) length--;
  return length;
}

/* (from,value,to)(from,value,to)... */
static bool read_transitions(xml_reader *r, const xmlNode *node, automaton *a) {
  const char *at = xml_text_of(r, node);
  for (;;) {
    alea_csp_edge edge = {0};
    while (isspace((unsigned char)*at)) at++;
    if (*at == '\0') return true;
    if (*at++ != '(') return xml_refuse(r, node, "bad-transition", "expected '(' at '%s'", at - 1);
    size_t length = part_length(at);
    if (!state_number(r, a, at, length, &edge.from)) return false;
    at += length;
    if (*at++ != ',') return xml_refuse(r, node, "bad-transition", "expected ',' at '%s'", at - 1);
    if (!xml_read_int(r, node, &at, &edge.value)) return false;
    if (*at++ != ',') return xml_refuse(r, node, "bad-transition", "expected ',' at '%s'", at - 1);
    length = part_length(at);
    if (!state_number(r, a, at, length, &edge.to)) return false;
    at += length;
    if (*at++ != ')') return xml_refuse(r, node, "bad-transition", "expected ')' at '%s'", at - 1);
    if (!alea_vec_push(r->mem, &a->edges, edge)) return xml_no_memory(r);
  }
}

/* A diagram's root has no incoming edge, its terminal no outgoing one. */
static uint32_t diagram_start(automaton *a) {
  uint32_t start = 0;
  for (uint32_t s = 0; s < a->states.count; s++) {
    bool in = false, out = false;
    for (size_t e = 0; e < a->edges.count; e++) {
      in = in || a->edges.data[e].to == s;
      out = out || a->edges.data[e].from == s;
    }
    if (!in) start = s;
    a->final.data[s] = !out;
  }
  return start;
}

static bool named_states(xml_reader *r, const xmlNode *node, automaton *a, uint32_t *start) {
  const xmlNode *from = xml_child_named(node, "start"), *final = xml_child_named(node, "final");
  const char *at, *word;
  size_t length;
  if (from == NULL || final == NULL)
    return xml_refuse(r, node, "bad-automaton", "<%s> needs <start> and <final>", "regular");
  at = xml_text_of(r, from);
  if (!xml_next_word(&at, &word, &length))
    return xml_refuse(r, from, "bad-automaton", "<%s> is empty", "start");
  if (!state_number(r, a, word, length, start)) return false;
  for (at = xml_text_of(r, final); xml_next_word(&at, &word, &length);) {
    uint32_t state;
    if (!state_number(r, a, word, length, &state)) return false;
    a->final.data[state] = true;
  }
  return true;
}

bool xml_read_automaton(xml_reader *r, const xmlNode *node, var_list *list) {
  static const char *const allowed[] = {"list", "transitions", "start", "final", NULL};
  automaton a = {0};
  uint32_t start = 0;
  const xmlNode *child = xml_child_named(node, "transitions");
  bool good = xml_only_children(r, node, allowed) && xml_read_list(r, node, list);
  if (good && child == NULL)
    good = xml_refuse(r, node, "bad-automaton", "<%s> without <transitions>", xml_name_of(node));
  good = good && read_transitions(r, child, &a);
  if (good && xml_is(node, "regular"))
    good = named_states(r, node, &a, &start);
  else if (good)
    start = diagram_start(&a);
  if (good && a.states.count == 0)
    good = xml_refuse(r, node, "bad-automaton", "<%s> has no states", xml_name_of(node));
  if (good)
    alea_csp_regular(r->csp, list->data, (uint32_t)list->count, (uint32_t)a.states.count, start,
                     a.final.data, a.edges.data, a.edges.count);
  alea_vec_clear(r->mem, &a.states);
  alea_vec_clear(r->mem, &a.edges);
  alea_vec_clear(r->mem, &a.final);
  return good;
}
