/* The XCSP3 reader: tables, and constraints that end in a condition. */
#include "csp/xcsp3_reader.h"

/* ---- extension ---- */

static bool read_entry(xml_reader *r, const xmlNode *node, const char **at, int_list *out) {
  int32_t value = ALEA_CSP_STAR;
  while (isspace((unsigned char)**at)) ++*at;
  if (**at == '*')
    ++*at;
  else if (!xml_read_int(r, node, at, &value))
    return false;
  while (isspace((unsigned char)**at)) ++*at;
  return alea_vec_push(r->mem, out, value) || xml_no_memory(r);
}

static bool read_tuples(xml_reader *r, const xmlNode *node, size_t arity, int_list *out) {
  const char *at = xml_text_of(r, node);
  if (arity == 1 && strchr(at, '(') == NULL) {
    if (strchr(at, '*') == NULL) return xml_read_ints(r, node, at, out);
    return alea_vec_push(r->mem, out, ALEA_CSP_STAR) || xml_no_memory(r);
  }
  for (;;) {
    while (isspace((unsigned char)*at)) at++;
    if (*at == '\0') return true;
    if (*at++ != '(') return xml_refuse(r, node, "bad-tuple", "expected '(' at '%s'", at - 1);
    for (size_t i = 0; i < arity; i++) {
      if (!read_entry(r, node, &at, out)) return false;
      if (*at++ != (i + 1 < arity ? ',' : ')'))
        return xml_refuse(r, node, "bad-tuple", "a tuple has the wrong length at '%s'", at - 1);
    }
  }
}

bool xml_read_extension(xml_reader *r, const xmlNode *node, var_list *list) {
  static const char *const allowed[] = {"list", "supports", "conflicts", NULL};
  if (!xml_only_children(r, node, allowed) || !xml_read_list(r, node, list)) return false;
  xmlNode *supports = xml_child_named(node, "supports"),
          *conflicts = xml_child_named(node, "conflicts");
  if ((supports == NULL) == (conflicts == NULL))
    return xml_refuse(r, node, "bad-table", "<%s> needs one of <supports> and <conflicts>",
                      "extension");
  int_list tuples = {0};
  bool good = read_tuples(r, supports != NULL ? supports : conflicts, list->count, &tuples);
  if (good)
    alea_csp_table(r->csp, list->data, (uint32_t)list->count, tuples.data,
                   tuples.count / list->count, supports == NULL);
  alea_vec_clear(r->mem, &tuples);
  return good;
}

/* ---- conditions: (op, operand) ---- */

const xml_relation xml_relations[6] = {{"lt", ALEA_LT}, {"le", ALEA_LE}, {"ge", ALEA_GE},
                                       {"gt", ALEA_GT}, {"eq", ALEA_EQ}, {"ne", ALEA_NE}};

static bool read_set(xml_reader *r, const xmlNode *node, char *text, condition *out) {
  for (char *c = text; *c != '\0'; c++)
    if (*c == '{' || *c == '}' || *c == ',') *c = ' ';
  return xml_read_ints(r, node, text, &out->set);
}

static bool read_operand(xml_reader *r, const xmlNode *node, const char *text, condition *out) {
  while (isspace((unsigned char)*text)) text++;
  if (isdigit((unsigned char)*text) || *text == '-' || *text == '+')
    return xml_read_int(r, node, &text, &out->value);
  var_list one = {0};
  bool good = xml_read_vars(r, node, text, &one);
  if (good && one.count != 1)
    good = xml_refuse(r, node, "bad-condition", "expected one operand at '%s'", text);
  out->has_var = true;
  if (good) out->var = one.data[0];
  alea_vec_clear(r->mem, &one);
  return good;
}

bool xml_read_condition(xml_reader *r, const xmlNode *parent, condition *out) {
  const xmlNode *node = xml_child_named(parent, "condition");
  *out = (condition){0};
  if (node == NULL)
    return xml_refuse(r, parent, "missing-condition", "<%s> without a <condition>",
                      xml_name_of(parent));
  const char *text = xml_text_of(r, node);
  while (isspace((unsigned char)*text)) text++;
  char *copy = alea_arena_strdup(&r->out->arena, text, strlen(text));
  if (copy == NULL) return xml_no_memory(r);
  char *comma = strchr(copy, ','), *end = strrchr(copy, ')');
  if (*copy != '(' || comma == NULL || end == NULL || end < comma)
    return xml_refuse(r, node, "bad-condition", "malformed condition '%s'", text);
  *comma = *end = '\0';
  char *op = copy + 1;
  while (isspace((unsigned char)*op)) op++;
  for (char *tail = op + strlen(op); tail > op && isspace((unsigned char)tail[-1]);) *--tail = '\0';
  for (size_t i = 0; i < sizeof xml_relations / sizeof *xml_relations; i++) {
    if (strcmp(op, xml_relations[i].name) != 0) continue;
    out->op = xml_relations[i].op;
    return read_operand(r, node, comma + 1, out);
  }
  if (strcmp(op, "in") == 0 || strcmp(op, "notin") == 0) {
    out->kind = op[0] == 'i' ? INSIDE : OUTSIDE;
    return read_set(r, node, comma + 1, out);
  }
  return xml_refuse(r, node, "bad-condition", "unknown operator '%s'", op);
}

/* var satisfies the condition */
bool xml_post_condition(xml_reader *r, alea_csp_var var, const condition *c) {
  if (c->kind != COMPARE) {
    alea_csp_table(r->csp, &var, 1, c->set.data, c->set.count, c->kind == OUTSIDE);
  } else if (c->has_var) {
    alea_csp_linear(r->csp, (alea_csp_var[]){var, c->var}, (int64_t[]){1, -1}, 2, c->op, 0);
  } else {
    alea_csp_linear(r->csp, &var, (int64_t[]){1}, 1, c->op, c->value);
  }
  return r->csp->state == ALEA_OK || xml_no_memory(r);
}

/* ---- sum ---- */

bool xml_read_coeffs(xml_reader *r, const xmlNode *node, size_t count, int_list *coeffs) {
  const xmlNode *child = xml_child_named(node, "coeffs");
  if (child == NULL) {
    for (size_t i = 0; i < count; i++)
      if (!alea_vec_push(r->mem, coeffs, 1)) return xml_no_memory(r);
    return true;
  }
  const char *text = xml_text_of(r, child);
  for (const char *c = text; *c != '\0'; c++)
    if (isalpha((unsigned char)*c) || *c == '%')
      return xml_refuse(r, child, "unsupported", "coefficients must be integers: '%s'", c);
  if (!xml_read_ints(r, child, text, coeffs)) return false;
  return coeffs->count == count ||
         xml_refuse(r, child, "bad-sum", "as many coefficients as variables are needed%s", "");
}

/* A hidden variable equal to the weighted sum. */
alea_csp_var xml_sum_variable(xml_reader *r, const xmlNode *node, const var_list *list,
                              const int_list *coeffs) {
  int64_t lo = 0, hi = 0;
  for (size_t i = 0; i < list->count; i++) {
    const csp_variable *var = &r->csp->vars.data[list->data[i]];
    int64_t a = coeffs->data[i] * (int64_t)csp_value(var, 0);
    int64_t b = coeffs->data[i] * (int64_t)csp_value(var, var->size - 1);
    lo += a < b ? a : b;
    hi += a < b ? b : a;
  }
  alea_csp_var total = xml_range_var(r, lo, hi);
  if (total == ALEA_CSP_NONE) {
    xml_refuse(r, node, "too-large", "the range of the sum is too large%s", "");
    return total;
  }
  var_list all = {0};
  ALEA_VEC(int64_t) weights = {0};
  bool good = true;
  for (size_t i = 0; i < list->count && good; i++)
    good = alea_vec_push(r->mem, &all, list->data[i]) &&
           alea_vec_push(r->mem, &weights, (int64_t)coeffs->data[i]);
  good = good && alea_vec_push(r->mem, &all, total) && alea_vec_push(r->mem, &weights, (int64_t)-1);
  if (good)
    alea_csp_linear(r->csp, all.data, weights.data, (uint32_t)all.count, ALEA_EQ, 0);
  else
    xml_no_memory(r);
  alea_vec_clear(r->mem, &all);
  alea_vec_clear(r->mem, &weights);
  return total;
}

static bool post_sum(xml_reader *r, const xmlNode *node, const var_list *list,
                     const int_list *coeffs, const condition *c) {
  if (c->kind != COMPARE) {
    alea_csp_var total = xml_sum_variable(r, node, list, coeffs);
    return total != ALEA_CSP_NONE && xml_post_condition(r, total, c);
  }
  var_list all = {0};
  ALEA_VEC(int64_t) weights = {0};
  bool good = true;
  for (size_t i = 0; i < list->count && good; i++)
    good = alea_vec_push(r->mem, &all, list->data[i]) &&
           alea_vec_push(r->mem, &weights, (int64_t)coeffs->data[i]);
  if (good && c->has_var)
    good = alea_vec_push(r->mem, &all, c->var) && alea_vec_push(r->mem, &weights, (int64_t)-1);
  if (!good)
    xml_no_memory(r);
  else if (alea_csp_linear(r->csp, all.data, weights.data, (uint32_t)all.count, c->op,
                           c->has_var ? 0 : c->value) == ALEA_LIMIT)
    good = xml_refuse(r, node, "too-large", "coefficients too large%s", "");
  alea_vec_clear(r->mem, &all);
  alea_vec_clear(r->mem, &weights);
  return good;
}

bool xml_read_sum(xml_reader *r, const xmlNode *node, var_list *list) {
  static const char *const allowed[] = {"list", "coeffs", "condition", NULL};
  int_list coeffs = {0};
  condition c = {0};
  bool good = xml_only_children(r, node, allowed) && xml_read_list(r, node, list) &&
              xml_read_coeffs(r, node, list->count, &coeffs) && xml_read_condition(r, node, &c) &&
              post_sum(r, node, list, &coeffs, &c);
  alea_vec_clear(r->mem, &coeffs);
  alea_vec_clear(r->mem, &c.set);
  return good;
}

/* ---- count, nValues, cardinality ---- */

bool xml_read_count(xml_reader *r, const xmlNode *node, var_list *list) {
  static const char *const allowed[] = {"list", "values", "condition", NULL};
  int_list values = {0};
  condition c = {0};
  const xmlNode *child = xml_child_named(node, "values");
  bool good = xml_only_children(r, node, allowed) && xml_read_list(r, node, list);
  if (good && child == NULL)
    good = xml_refuse(r, node, "bad-count", "<%s> without <values>", "count");
  good = good && xml_read_ints(r, child, xml_text_of(r, child), &values) &&
         xml_read_condition(r, node, &c);
  if (good) {
    alea_csp_var total = xml_range_var(r, 0, (int64_t)list->count);
    alea_csp_count(r->csp, list->data, (uint32_t)list->count, values.data, values.count, total);
    good = xml_post_condition(r, total, &c);
  }
  alea_vec_clear(r->mem, &values);
  alea_vec_clear(r->mem, &c.set);
  return good;
}

/* Every value that occurs in a domain of the list, sorted by insertion. */
static bool all_values(xml_reader *r, const var_list *list, int_list *values) {
  for (size_t i = 0; i < list->count; i++) {
    const csp_variable *var = &r->csp->vars.data[list->data[i]];
    for (uint32_t v = 0; v < var->size; v++) {
      bool known = false;
      for (size_t k = 0; k < values->count && !known; k++)
        known = values->data[k] == csp_value(var, v);
      if (!known && !alea_vec_push(r->mem, values, csp_value(var, v))) return xml_no_memory(r);
    }
  }
  return true;
}

/* One 0/1 variable per value: whether it occurs; their sum is the number. */
bool xml_read_n_values(xml_reader *r, const xmlNode *node, var_list *list) {
  static const char *const allowed[] = {"list", "condition", NULL};
  int_list values = {0}, ones = {0};
  var_list used = {0};
  condition c = {0};
  bool good = xml_only_children(r, node, allowed) && xml_read_list(r, node, list) &&
              xml_read_condition(r, node, &c) && all_values(r, list, &values);
  for (size_t v = 0; v < values.count && good; v++) {
    alea_csp_var total = xml_range_var(r, 0, (int64_t)list->count), occurs = xml_range_var(r, 0, 1);
    alea_csp_count(r->csp, list->data, (uint32_t)list->count, &values.data[v], 1, total);
    int32_t zero = 0;
    alea_csp_iff(r->csp, total, zero, occurs, zero);
    good = (alea_vec_push(r->mem, &used, occurs) && alea_vec_push(r->mem, &ones, 1)) ||
           xml_no_memory(r);
  }
  good = good && post_sum(r, node, &used, &ones, &c);
  alea_vec_clear(r->mem, &values);
  alea_vec_clear(r->mem, &ones);
  alea_vec_clear(r->mem, &used);
  alea_vec_clear(r->mem, &c.set);
  return good;
}

/* <occurs>: per value a number, a range or a variable. */
static bool read_occurs(xml_reader *r, const xmlNode *node, size_t count, size_t most,
                        var_list *out) {
  const char *at = xml_text_of(r, node), *word;
  size_t length;
  while (xml_next_word(&at, &word, &length)) {
    char text[64];
    if (length >= sizeof text)
      return xml_refuse(r, node, "bad-cardinality", "malformed '%s'", word);
    memcpy(text, word, length);
    text[length] = '\0';
    char *dots = strstr(text, "..");
    if (dots != NULL) {
      long lo = strtol(text, NULL, 10), hi = strtol(dots + 2, NULL, 10);
      if (hi > (long)most) hi = (long)most;
      if (lo < 0 || lo > hi)
        return xml_refuse(r, node, "bad-cardinality", "malformed range '%s'", text);
      if (!alea_vec_push(r->mem, out, xml_range_var(r, lo, hi))) return xml_no_memory(r);
    } else if (!xml_read_vars(r, node, text, out)) {
      return false;
    }
  }
  return out->count == count ||
         xml_refuse(r, node, "bad-cardinality", "as many <%s> as values are needed", "occurs");
}

bool xml_read_cardinality(xml_reader *r, const xmlNode *node, var_list *list) {
  static const char *const allowed[] = {"list", "values", "occurs", NULL};
  int_list values = {0};
  var_list occurs = {0};
  xmlNode *vnode = xml_child_named(node, "values"), *onode = xml_child_named(node, "occurs");
  bool good = xml_only_children(r, node, allowed) && xml_read_list(r, node, list);
  if (good && (vnode == NULL || onode == NULL))
    good =
        xml_refuse(r, node, "bad-cardinality", "<%s> without <values> or <occurs>", "cardinality");
  good = good && xml_read_ints(r, vnode, xml_text_of(r, vnode), &values) &&
         read_occurs(r, onode, values.count, list->count, &occurs);
  for (size_t v = 0; v < values.count && good; v++)
    alea_csp_count(r->csp, list->data, (uint32_t)list->count, &values.data[v], 1, occurs.data[v]);
  const char *closed = good ? xml_attribute(r, vnode, "closed") : NULL;
  for (size_t i = 0; good && closed != NULL && strcmp(closed, "true") == 0 && i < list->count; i++)
    alea_csp_table(r->csp, &list->data[i], 1, values.data, values.count, false);
  alea_vec_clear(r->mem, &values);
  alea_vec_clear(r->mem, &occurs);
  return good;
}

/* ---- minimum, maximum, element ---- */

bool xml_read_extremum(xml_reader *r, const xmlNode *node, var_list *list) {
  static const char *const allowed[] = {"list", "condition", NULL};
  condition c = {0};
  bool good = xml_only_children(r, node, allowed) && xml_read_list(r, node, list) &&
              xml_read_condition(r, node, &c);
  if (good) {
    int64_t lo = INT64_MAX, hi = INT64_MIN;
    for (size_t i = 0; i < list->count; i++) {
      const csp_variable *var = &r->csp->vars.data[list->data[i]];
      if (csp_value(var, 0) < lo) lo = csp_value(var, 0);
      if (csp_value(var, var->size - 1) > hi) hi = csp_value(var, var->size - 1);
    }
    alea_csp_var result = xml_range_var(r, lo, hi);
    if (result == ALEA_CSP_NONE) {
      good = xml_refuse(r, node, "too-large", "the range of <%s> is too large", xml_name_of(node));
    } else {
      if (xml_is(node, "maximum"))
        alea_csp_maximum(r->csp, list->data, (uint32_t)list->count, result);
      else
        alea_csp_minimum(r->csp, list->data, (uint32_t)list->count, result);
      good = xml_post_condition(r, result, &c);
    }
  }
  alea_vec_clear(r->mem, &c.set);
  return good;
}

/* The value of an element constraint: <value>, or <condition> with eq. */
static bool element_value(xml_reader *r, const xmlNode *node, alea_csp_var *value) {
  xmlNode *child = xml_child_named(node, "value");
  var_list one = {0};
  if (child != NULL) {
    bool good = xml_read_vars(r, child, xml_text_of(r, child), &one);
    if (good && one.count != 1)
      good = xml_refuse(r, child, "bad-element", "one <%s> is needed", "value");
    if (good) *value = one.data[0];
    alea_vec_clear(r->mem, &one);
    return good;
  }
  condition c = {0};
  bool good = xml_read_condition(r, node, &c);
  if (good && (c.kind != COMPARE || c.op != ALEA_EQ))
    good = xml_refuse(r, node, "unsupported", "<%s> supports only the condition eq", "element");
  if (good) *value = c.has_var ? c.var : xml_constant_var(r, c.value);
  alea_vec_clear(r->mem, &c.set);
  return good && !r->failed;
}

bool xml_read_element(xml_reader *r, const xmlNode *node, var_list *list) {
  static const char *const allowed[] = {"list", "index", "value", "condition", NULL};
  if (!xml_only_children(r, node, allowed) || !xml_read_list(r, node, list)) return false;
  xmlNode *list_node = xml_child_named(node, "list"), *index_node = xml_child_named(node, "index");
  alea_csp_var value = 0;
  if (!element_value(r, node, &value)) return false;
  const char *start = list_node != NULL ? xml_attribute(r, list_node, "startIndex") : NULL;
  int32_t base = 0;
  if (start != NULL && !xml_read_int(r, node, &start, &base)) return false;
  if (index_node == NULL)
    return xml_refuse(r, node, "unsupported", "<%s> without <index> is not supported", "element");
  var_list index = {0};
  bool good = xml_read_vars(r, index_node, xml_text_of(r, index_node), &index);
  if (good && index.count != 1)
    good = xml_refuse(r, index_node, "bad-element", "one <%s> is needed", "index");
  if (good) alea_csp_element(r->csp, list->data, (uint32_t)list->count, base, index.data[0], value);
  alea_vec_clear(r->mem, &index);
  return good;
}
