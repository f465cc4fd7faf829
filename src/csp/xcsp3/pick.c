/* The XCSP3 reader: constraints that select from a list. */
#include "csp/xcsp3/reader.h"

/* ---- minimum and maximum ---- */

alea_csp_var xml_extremum_variable(xml_reader *r, const xmlNode *node, const var_list *list,
                                   bool maximum) {
  int64_t lo = INT64_MAX, hi = INT64_MIN;
  for (size_t i = 0; i < list->count; i++) {
    const csp_variable *var = &r->csp->vars.data[list->data[i]];
    if (csp_value(var, 0) < lo) lo = csp_value(var, 0);
    if (csp_value(var, var->size - 1) > hi) hi = csp_value(var, var->size - 1);
  }
  alea_csp_var result = list->count == 0 ? ALEA_CSP_NONE : xml_bounds_var(r, lo, hi, MAX_INTERVAL);
  if (result == ALEA_CSP_NONE)
    xml_refuse(r, node, "too-large", "the range of <%s> is too large", xml_name_of(node));
  else if (maximum)
    alea_csp_maximum(r->csp, list->data, (uint32_t)list->count, result);
  else
    alea_csp_minimum(r->csp, list->data, (uint32_t)list->count, result);
  return result;
}

typedef enum rank { ANY, FIRST, LAST } rank;

static bool read_rank(xml_reader *r, const xmlNode *node, rank *out) {
  static const char *const names[] = {"any", "first", "last"};
  const char *text = xml_attribute(r, node, "rank");
  *out = ANY;
  if (text == NULL) return true;
  for (int i = 0; i < 3; i++)
    if (strcmp(text, names[i]) == 0) {
      *out = (rank)i;
      return true;
    }
  return xml_refuse(r, node, "bad-attribute", "the rank '%s' is not any, first or last", text);
}

/* 'index' is a place of the list that holds 'value', the first or last one if
 * the rank says so. */
static bool post_place(xml_reader *r, const xmlNode *node, const var_list *list, int32_t base,
                       alea_csp_var index, alea_csp_var value, rank which) {
  alea_csp_element(r->csp, list->data, (uint32_t)list->count, base, index, value);
  for (size_t i = 0; i < list->count && which != ANY; i++)
    if (!xml_post_text(r, node, "or(%s(%s,%lld),ne(%s,%s))", which == FIRST ? "le" : "ge",
                       xml_var_name(r, index), (long long)base + (long long)i,
                       xml_var_name(r, list->data[i]), xml_var_name(r, value)))
      return false;
  return true;
}

static bool allowed_place(const condition *c, int64_t place) {
  bool inside = false;
  for (size_t i = 0; i < c->set.count; i++) inside = inside || c->set.data[i] == place;
  switch (c->kind) {
    case INSIDE: return inside;
    case OUTSIDE: return !inside;
    case BETWEEN: return place >= c->lo && place <= c->hi;
    case BEYOND: return place < c->lo || place > c->hi;
    default: break;
  }
  switch (c->op) {
    case ALEA_LT: return place < c->value;
    case ALEA_LE: return place <= c->value;
    case ALEA_GE: return place >= c->value;
    case ALEA_GT: return place > c->value;
    case ALEA_EQ: return place == c->value;
    default: return place != c->value;
  }
}

/* Some place that satisfies the condition holds the extremum 'best'. */
static bool some_place(xml_reader *r, const xmlNode *node, const var_list *list, int32_t base,
                       alea_csp_var best, bool maximum, const condition *c) {
  if (c->kind == COMPARE && c->has_var && c->op == ALEA_EQ)
    return post_place(r, node, list, base, c->var, best, ANY);
  if (c->kind != COMPARE || !c->has_var) { /* the extremum of these places is that of all */
    var_list some = {0};
    bool good = true;
    for (size_t i = 0; i < list->count && good; i++)
      if (allowed_place(c, (int64_t)base + (int64_t)i))
        good = alea_vec_push(r->mem, &some, list->data[i]) || xml_no_memory(r);
    if (good && some.count == 0)
      r->csp->false_ = true;
    else if (good && maximum)
      alea_csp_maximum(r->csp, some.data, (uint32_t)some.count, best);
    else if (good)
      alea_csp_minimum(r->csp, some.data, (uint32_t)some.count, best);
    alea_vec_clear(r->mem, &some);
    return good;
  }
  alea_text text;
  alea_text_init(&text, r->mem);
  alea_text_put(&text, "or(");
  for (size_t i = 0; i < list->count; i++)
    alea_text_format(&text, "%sand(eq(%s,%s),%s(%lld,%s))", i > 0 ? "," : "",
                     xml_var_name(r, list->data[i]), xml_var_name(r, best),
                     xml_relations[c->op].name, (long long)base + (long long)i,
                     xml_var_name(r, c->var));
  alea_text_char(&text, ')');
  bool good = !text.failed || xml_no_memory(r);
  if (good && alea_csp_intension(r->csp, alea_text_string(&text), xml_place_of(r, node), r->diag) !=
                  ALEA_OK)
    good = !(r->failed = true);
  alea_text_clear(&text);
  return good;
}

static bool list_start(xml_reader *r, const xmlNode *node, int32_t *base) {
  const xmlNode *child = xml_child_named(node, "list");
  *base = 0;
  return child == NULL || xml_start_index(r, child, "startIndex", base);
}

/* <minimumArg> and <maximumArg>: the condition applies to the place. */
bool xml_read_arg(xml_reader *r, const xmlNode *node, var_list *list) {
  static const char *const allowed[] = {"list", "condition", NULL};
  condition c = {0};
  rank which;
  int32_t base;
  bool maximum = xml_is(node, "maximumArg");
  const xmlNode *child = xml_child_named(node, "list"); /* the rank may also be given there */
  const xmlNode *ranked =
      child != NULL && xmlHasProp(child, (const xmlChar *)"rank") != NULL ? child : node;
  bool good = xml_only_children(r, node, allowed) && xml_read_list(r, node, list) &&
              list_start(r, node, &base) && read_rank(r, ranked, &which) &&
              xml_read_condition(r, node, &c);
  alea_csp_var best = good ? xml_extremum_variable(r, node, list, maximum) : ALEA_CSP_NONE;
  good = good && best != ALEA_CSP_NONE;
  if (good && which == ANY) {
    good = some_place(r, node, list, base, best, maximum, &c);
  } else if (good) {
    alea_csp_var index = xml_range_var(r, base, (int64_t)base + (int64_t)list->count - 1);
    good = index != ALEA_CSP_NONE && post_place(r, node, list, base, index, best, which) &&
           xml_post_condition(r, node, index, &c);
  }
  alea_vec_clear(r->mem, &c.set);
  return good;
}

bool xml_read_extremum(xml_reader *r, const xmlNode *node, var_list *list) {
  static const char *const allowed[] = {"list", "index", "condition", NULL};
  const xmlNode *inode = xml_child_named(node, "index");
  condition c = {0};
  rank which = ANY;
  int32_t base = 0;
  alea_csp_var index = ALEA_CSP_NONE;
  bool conditioned = xml_child_named(node, "condition") != NULL;
  bool good = xml_only_children(r, node, allowed) && xml_read_list(r, node, list) &&
              ((inode != NULL && !conditioned) || xml_read_condition(r, node, &c));
  if (good && inode != NULL)
    good =
        xml_read_one(r, inode, &index) && read_rank(r, inode, &which) && list_start(r, node, &base);
  alea_csp_var result =
      good ? xml_extremum_variable(r, node, list, xml_is(node, "maximum")) : ALEA_CSP_NONE;
  good =
      good && result != ALEA_CSP_NONE && (!conditioned || xml_post_condition(r, node, result, &c));
  if (good && inode != NULL) good = post_place(r, node, list, base, index, result, which);
  alea_vec_clear(r->mem, &c.set);
  return good;
}

/* ---- element ---- */

static bool all_constant(const xml_reader *r, const var_list *list) {
  int32_t value;
  for (size_t i = 0; i < list->count; i++)
    if (!xml_is_constant(r, list->data[i], &value)) return false;
  return true;
}

/* A table of numbers: rows of place, or row and column, and the number. */
static bool post_numbers(xml_reader *r, const matrix *m, bool flat, const int32_t base[2],
                         const alea_csp_var *scope) {
  int_list rows = {0};
  bool good = true;
  for (size_t i = 0; i < m->cells.count && good; i++) {
    int32_t value, row = (int32_t)(base[0] + (int64_t)(i / m->columns)),
                   column = (int32_t)(base[1] + (int64_t)(i % m->columns));
    xml_is_constant(r, m->cells.data[i], &value);
    good = (flat || alea_vec_push(r->mem, &rows, row)) && alea_vec_push(r->mem, &rows, column) &&
           alea_vec_push(r->mem, &rows, value);
  }
  if (good) alea_csp_table(r->csp, scope, flat ? 2 : 3, rows.data, m->cells.count, false);
  alea_vec_clear(r->mem, &rows);
  return good || xml_no_memory(r);
}

/* place = row * columns + column, as a table */
static bool post_place_of_cell(xml_reader *r, const matrix *m, const int32_t base[2],
                               const alea_csp_var *index, alea_csp_var place) {
  int_list rows = {0};
  bool good = true;
  for (size_t i = 0; i < m->cells.count && good; i++)
    good = alea_vec_push(r->mem, &rows, (int32_t)(base[0] + (int64_t)(i / m->columns))) &&
           alea_vec_push(r->mem, &rows, (int32_t)(base[1] + (int64_t)(i % m->columns))) &&
           alea_vec_push(r->mem, &rows, (int32_t)i);
  if (good)
    alea_csp_table(r->csp, (alea_csp_var[]){index[0], index[1], place}, 3, rows.data,
                   m->cells.count, false);
  alea_vec_clear(r->mem, &rows);
  return good || xml_no_memory(r);
}

/* The element at 'index' (one or two variables) is 'value'. */
static bool post_element(xml_reader *r, const xmlNode *node, const matrix *m, bool flat,
                         const int32_t base[2], const alea_csp_var *index, alea_csp_var value) {
  if (all_constant(r, &m->cells))
    return post_numbers(
        r, m, flat, base,
        flat ? (alea_csp_var[]){index[0], value} : (alea_csp_var[]){index[0], index[1], value});
  alea_csp_var place = index[0];
  if (!flat) {
    place = xml_range_var(r, 0, (int64_t)m->cells.count - 1);
    if (place == ALEA_CSP_NONE)
      return xml_refuse(r, node, "too-large", "the matrix of <%s> is too large", "element");
    if (!post_place_of_cell(r, m, base, index, place)) return false;
  }
  alea_csp_element(r->csp, m->cells.data, (uint32_t)m->cells.count, flat ? base[1] : 0, place,
                   value);
  return true;
}

/* The wanted value: <value>, or the value in <condition>; otherwise a hidden
 * variable to which the condition applies. */
static bool element_value(xml_reader *r, const xmlNode *node, const matrix *m,
                          alea_csp_var *value) {
  const xmlNode *child = xml_child_named(node, "value");
  if (child != NULL) return xml_read_one(r, child, value);
  condition c = {0};
  bool good = xml_read_condition(r, node, &c);
  if (good && c.kind == COMPARE && c.op == ALEA_EQ) {
    *value = xml_condition_var(r, node, &c);
    good = *value != ALEA_CSP_NONE;
  } else if (good) {
    int64_t lo = INT64_MAX, hi = INT64_MIN;
    for (size_t i = 0; i < m->cells.count; i++) {
      const csp_variable *var = &r->csp->vars.data[m->cells.data[i]];
      if (csp_value(var, 0) < lo) lo = csp_value(var, 0);
      if (csp_value(var, var->size - 1) > hi) hi = csp_value(var, var->size - 1);
    }
    *value = xml_range_var(r, lo, hi);
    if (*value == ALEA_CSP_NONE)
      good = xml_refuse(r, node, "too-large", "the range of <%s> is too large", "element");
    good = good && xml_post_condition(r, node, *value, &c);
  }
  alea_vec_clear(r->mem, &c.set);
  return good;
}

/* The condition on one variable, as an expression. */
static void put_condition(alea_text *text, const xml_reader *r, alea_csp_var var,
                          const condition *c) {
  const char *name = xml_var_name(r, var);
  if (c->kind == COMPARE && c->has_var) {
    alea_text_format(text, "%s(%s,%s)", xml_relations[c->op].name, name, xml_var_name(r, c->var));
  } else if (c->kind == COMPARE) {
    alea_text_format(text, "%s(%s,%lld)", xml_relations[c->op].name, name, (long long)c->value);
  } else if (c->kind == BETWEEN || c->kind == BEYOND) {
    alea_text_format(
        text, c->kind == BETWEEN ? "and(ge(%s,%lld),le(%s,%lld))" : "or(lt(%s,%lld),gt(%s,%lld))",
        name, (long long)c->lo, name, (long long)c->hi);
  } else {
    alea_text_format(text, "%s(%s", c->kind == INSIDE ? "in" : "notin", name);
    for (size_t i = 0; i < c->set.count; i++) alea_text_format(text, ",%d", c->set.data[i]);
    alea_text_char(text, ')');
  }
}

/* Without an index: some variable of the list is the value, or satisfies the
 * condition. */
static bool post_member(xml_reader *r, const xmlNode *node, const var_list *list) {
  const xmlNode *child = xml_child_named(node, "value");
  condition c = {.kind = COMPARE, .op = ALEA_EQ, .has_var = true};
  alea_text text;
  alea_text_init(&text, r->mem);
  bool good = child != NULL ? xml_read_one(r, child, &c.var) : xml_read_condition(r, node, &c);
  alea_text_put(&text, "or(");
  for (size_t i = 0; i < list->count && good; i++) {
    if (i > 0) alea_text_char(&text, ',');
    put_condition(&text, r, list->data[i], &c);
  }
  alea_text_char(&text, ')');
  good = good && (!text.failed || xml_no_memory(r));
  if (good && alea_csp_intension(r->csp, alea_text_string(&text), xml_place_of(r, node), r->diag) !=
                  ALEA_OK)
    good = !(r->failed = true);
  alea_text_clear(&text);
  alea_vec_clear(r->mem, &c.set);
  return good;
}

static bool read_places(xml_reader *r, const xmlNode *node, matrix *m, bool flat, int32_t base[2]) {
  const xmlNode *child = xml_child_named(node, flat ? "list" : "matrix");
  base[0] = base[1] = 0;
  if (!flat)
    return xml_read_matrix(r, child, m) && xml_start_index(r, child, "startRowIndex", &base[0]) &&
           xml_start_index(r, child, "startColIndex", &base[1]);
  if (!xml_read_list(r, node, &m->cells)) return false;
  m->rows = 1;
  m->columns = m->cells.count;
  return child == NULL || xml_start_index(r, child, "startIndex", &base[1]);
}

bool xml_read_element(xml_reader *r, const xmlNode *node, var_list *list) {
  static const char *const allowed[] = {"list", "matrix", "index", "value", "condition", NULL};
  const xmlNode *inode = xml_child_named(node, "index");
  bool flat = xml_child_named(node, "matrix") == NULL;
  matrix m = {0};
  int32_t base[2];
  rank which = ANY;
  alea_csp_var value = ALEA_CSP_NONE;
  if (!xml_only_children(r, node, allowed)) return false;
  bool good = read_places(r, node, &m, flat, base);
  if (good && inode == NULL) {
    good =
        flat ? post_member(r, node, &m.cells)
             : xml_refuse(r, node, "bad-element", "<%s> over a matrix needs an <index>", "element");
  } else if (good) {
    good = xml_read_vars(r, inode, xml_text_of(r, inode), list) && read_rank(r, inode, &which);
    if (good && list->count != (flat ? 1u : 2u))
      good = xml_refuse(r, inode, "bad-element", "one <%s> (or row and column) is needed", "index");
    if (good && which != ANY && !flat)
      good = xml_refuse(r, inode, "unsupported", "a rank in a matrix is not supported%s", "");
    good = good && element_value(r, node, &m, &value) &&
           (which == ANY ? post_element(r, node, &m, flat, base, list->data, value)
                         : post_place(r, node, &m.cells, base[1], list->data[0], value, which));
  }
  alea_vec_clear(r->mem, &m.cells);
  return good;
}

/* ---- channel ---- */

static bool within(xml_reader *r, const xmlNode *node, const var_list *list, int64_t base,
                   size_t count) {
  condition range = {.kind = BETWEEN, .lo = base, .hi = base + (int64_t)count - 1};
  for (size_t i = 0; i < list->count; i++)
    if (!xml_post_condition(r, node, list->data[i], &range)) return false;
  return true;
}

/* 0/1 variables of which the one at place 'value' is 1. */
static bool channel_value(xml_reader *r, const xmlNode *node, const xmlNode *child,
                          const var_list *list, int32_t base) {
  alea_csp_var single[1];
  if (!xml_read_one(r, child, &single[0])) return false;
  var_list one = {.data = single, .count = 1, .capacity = 1};
  for (size_t i = 0; i < list->count; i++)
    alea_csp_iff(r->csp, list->data[i], 1, single[0], (int32_t)(base + (int64_t)i));
  return within(r, node, &one, base, list->count);
}

/* With a shorter list the channel goes one way: x[i] = j implies y[j] = i. */
static bool channel_lists(xml_reader *r, const xmlNode *node, const var_list *x, int32_t x_base,
                          const var_list *y, int32_t y_base) {
  if (!within(r, node, x, y_base, y->count)) return false;
  if (x->count == y->count) {
    alea_csp_channel(r->csp, x->data, (uint32_t)x->count, x_base, y->data, (uint32_t)y->count,
                     y_base);
    return within(r, node, y, x_base, x->count);
  }
  for (size_t i = 0; i < x->count; i++)
    alea_csp_element(r->csp, y->data, (uint32_t)y->count, y_base, x->data[i],
                     xml_constant_var(r, (int32_t)(x_base + (int64_t)i)));
  return !r->failed;
}

bool xml_read_channel(xml_reader *r, const xmlNode *node, var_list *list) {
  static const char *const allowed[] = {"list", "value", NULL};
  const xmlNode *first = xml_child_named(node, "list"), *value = xml_child_named(node, "value");
  const xmlNode *second = first == NULL ? NULL : xml_next_named(first, "list");
  int32_t base = 0, other_base = 0;
  if (!xml_only_children(r, node, allowed) || !xml_read_list(r, node, list)) return false;
  if (first != NULL && !xml_start_index(r, first, "startIndex", &base)) return false;
  if (value != NULL && second == NULL) return channel_value(r, node, value, list, base);
  if (second == NULL) return channel_lists(r, node, list, base, list, base);
  var_list other = {0};
  bool good = xml_read_vars(r, second, xml_text_of(r, second), &other) &&
              xml_start_index(r, second, "startIndex", &other_base);
  if (good &&
      (list->count > other.count || value != NULL || xml_next_named(second, "list") != NULL))
    good = xml_refuse(
        r, node, "unsupported",
        "<%s> needs one list, one and a value, or two of which the second is not shorter",
        "channel");
  good = good && channel_lists(r, node, list, base, &other, other_base);
  alea_vec_clear(r->mem, &other);
  return good;
}
