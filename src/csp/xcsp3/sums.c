/* The XCSP3 reader: conditions, and constraints that reduce to sums. */
#include "csp/xcsp3/reader.h"

/* ---- conditions: (op, operand) ---- */

const xml_relation xml_relations[6] = {{"lt", ALEA_LT}, {"le", ALEA_LE}, {"ge", ALEA_GE},
                                       {"gt", ALEA_GT}, {"eq", ALEA_EQ}, {"ne", ALEA_NE}};

/* {1,2,5..7}, or a range without brackets. */
static bool read_set(xml_reader *r, const xmlNode *node, char *text, condition *out) {
  bool range = strchr(text, '{') == NULL;
  for (char *c = text; *c != '\0'; c++)
    if (*c == '{' || *c == '}' || *c == ',') *c = ' ';
  if (!range) return xml_read_ints(r, node, text, &out->set);
  const char *at = text;
  int32_t lo, hi;
  while (isspace((unsigned char)*at)) at++;
  if (!xml_read_int(r, node, &at, &lo)) return false;
  if (strncmp(at, "..", 2) != 0)
    return xml_refuse(r, node, "bad-condition", "expected a set or a range at '%s'", text);
  at += 2;
  if (!xml_read_int(r, node, &at, &hi)) return false;
  out->kind = out->kind == INSIDE ? BETWEEN : BEYOND;
  out->lo = lo;
  out->hi = hi;
  return true;
}

/* A number beyond the values of variables: only sums can be compared with
 * it. */
static bool large_number(const char *text, int64_t *value) {
  char *end;
  while (isspace((unsigned char)*text)) text++;
  long long number = strtoll(text, &end, 10);
  bool digits = end != text;
  while (isspace((unsigned char)*end)) end++;
  *value = number;
  return digits && *end == '\0' && (number >= INT32_MAX || number <= INT32_MIN) &&
         number < INT64_C(1) << 60 && number > -(INT64_C(1) << 60);
}

static bool read_operand(xml_reader *r, const xmlNode *node, const char *text, condition *out) {
  operand_list one = {0};
  if (large_number(text, &out->value)) return true;
  bool good = xml_read_operands(r, node, text, &one);
  if (good && one.count != 1)
    good = xml_refuse(r, node, "bad-condition", "expected one operand at '%s'", text);
  if (good) {
    out->var = one.data[0].var;
    out->has_var = out->var != ALEA_CSP_NONE;
    out->value = one.data[0].value;
  }
  alea_vec_clear(r->mem, &one);
  return good;
}

alea_csp_var xml_condition_var(xml_reader *r, const xmlNode *node, const condition *c) {
  if (c->has_var) return c->var;
  if (c->value < INT32_MAX && c->value > INT32_MIN) return xml_constant_var(r, (int32_t)c->value);
  xml_refuse(r, node, "bad-number", "a number in <%s> is too large", xml_name_of(node));
  return ALEA_CSP_NONE;
}

bool xml_condition_of(xml_reader *r, const xmlNode *node, condition *out) {
  const char *text = xml_text_of(r, node);
  *out = (condition){0};
  return !r->failed && xml_condition_from(r, node, text, out);
}

bool xml_condition_from(xml_reader *r, const xmlNode *node, const char *text, condition *out) {
  *out = (condition){0};
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

bool xml_read_condition(xml_reader *r, const xmlNode *parent, condition *out) {
  const xmlNode *node = xml_child_named(parent, "condition");
  *out = (condition){0};
  if (node == NULL)
    return xml_refuse(r, parent, "missing-condition", "<%s> without a <condition>",
                      xml_name_of(parent));
  return xml_condition_of(r, node, out);
}

bool xml_post_condition(xml_reader *r, const xmlNode *node, alea_csp_var var, const condition *c) {
  terms one = {0};
  bool good = xml_add_term(r, &one, var, 1) && xml_post_sum(r, node, &one, c);
  xml_clear_terms(r, &one);
  return good;
}

/* ---- weighted sums ---- */

bool xml_add_term(xml_reader *r, terms *sum, alea_csp_var var, int64_t weight) {
  if (r->failed || var == ALEA_CSP_NONE) return false;
  return (alea_vec_push(r->mem, &sum->vars, var) && alea_vec_push(r->mem, &sum->weights, weight)) ||
         xml_no_memory(r);
}

void xml_clear_terms(xml_reader *r, terms *sum) {
  alea_vec_clear(r->mem, &sum->vars);
  alea_vec_clear(r->mem, &sum->weights);
}

static bool too_large(xml_reader *r, const xmlNode *node) {
  return xml_refuse(r, node, "too-large", "the numbers of <%s> are too large", xml_name_of(node));
}

/* Posts sum op value, optionally with one more term at the end. */
static bool post(xml_reader *r, const xmlNode *node, const terms *sum, alea_csp_var last,
                 alea_op op, int64_t value) {
  terms all = {0};
  bool good = true;
  for (size_t i = 0; i < sum->vars.count && good; i++)
    good = xml_add_term(r, &all, sum->vars.data[i], sum->weights.data[i]);
  if (good && last != ALEA_CSP_NONE) good = xml_add_term(r, &all, last, -1);
  if (good && alea_csp_linear(r->csp, all.vars.data, all.weights.data, (uint32_t)all.vars.count, op,
                              value) == ALEA_LIMIT)
    good = too_large(r, node);
  xml_clear_terms(r, &all);
  return good;
}

static bool extent(const xml_reader *r, const terms *sum, int64_t *lo, int64_t *hi) {
  *lo = *hi = 0;
  for (size_t i = 0; i < sum->vars.count; i++) {
    const csp_variable *var = &r->csp->vars.data[sum->vars.data[i]];
    int64_t a, b;
    if (__builtin_mul_overflow(sum->weights.data[i], (int64_t)csp_value(var, 0), &a) ||
        __builtin_mul_overflow(sum->weights.data[i], (int64_t)csp_value(var, var->size - 1), &b) ||
        __builtin_add_overflow(*lo, a < b ? a : b, lo) ||
        __builtin_add_overflow(*hi, a < b ? b : a, hi))
      return false;
  }
  return true;
}

alea_csp_var xml_sum_variable(xml_reader *r, const xmlNode *node, const terms *sum, int64_t most) {
  int64_t lo, hi;
  if (sum->vars.count == 1 && sum->weights.data[0] == 1) return sum->vars.data[0];
  alea_csp_var total = extent(r, sum, &lo, &hi) ? xml_bounds_var(r, lo, hi, most) : ALEA_CSP_NONE;
  if (total == ALEA_CSP_NONE) {
    xml_refuse(r, node, "too-large", "the range of the sum in <%s> is too large",
               xml_name_of(node));
    return total;
  }
  return post(r, node, sum, total, ALEA_EQ, 0) ? total : ALEA_CSP_NONE;
}

/* The sum is one of the values: a hidden variable over exactly these. */
static bool post_inside(xml_reader *r, const xmlNode *node, const terms *sum, const int_list *set) {
  char name[32];
  if (set->count == 0) {
    r->csp->false_ = true;
    return true;
  }
  if (sum->vars.count == 1 && sum->weights.data[0] == 1) {
    alea_csp_table(r->csp, sum->vars.data, 1, set->data, set->count, false);
    return true;
  }
  snprintf(name, sizeof name, "$%u", r->hidden++);
  alea_csp_var total = alea_csp_values(r->csp, name, set->data, set->count);
  alea_csp_hide(r->csp, total);
  return total != ALEA_CSP_NONE ? post(r, node, sum, total, ALEA_EQ, 0) : xml_no_memory(r);
}

static bool post_beyond(xml_reader *r, const xmlNode *node, const terms *sum, const condition *c) {
  alea_csp_var total = xml_sum_variable(r, node, sum, MAX_INTERVAL);
  if (total == ALEA_CSP_NONE) return false;
  return xml_post_text(r, node, "or(lt(%s,%lld),gt(%s,%lld))", xml_var_name(r, total),
                       (long long)c->lo, xml_var_name(r, total), (long long)c->hi);
}

bool xml_post_sum(xml_reader *r, const xmlNode *node, const terms *sum, const condition *c) {
  bool good = true;
  switch (c->kind) {
    case COMPARE:
      good =
          post(r, node, sum, c->has_var ? c->var : ALEA_CSP_NONE, c->op, c->has_var ? 0 : c->value);
      break;
    case INSIDE: good = post_inside(r, node, sum, &c->set); break;
    case OUTSIDE:
      for (size_t i = 0; i < c->set.count && good; i++)
        good = post(r, node, sum, ALEA_CSP_NONE, ALEA_NE, c->set.data[i]);
      break;
    case BETWEEN:
      good = post(r, node, sum, ALEA_CSP_NONE, ALEA_GE, c->lo) &&
             post(r, node, sum, ALEA_CSP_NONE, ALEA_LE, c->hi);
      break;
    default: good = post_beyond(r, node, sum, c);
  }
  return good && !r->failed;
}

bool xml_add_product(xml_reader *r, const xmlNode *node, terms *sum, alea_csp_var var,
                     operand weight) {
  char text[600];
  if (weight.var == ALEA_CSP_NONE) return xml_add_term(r, sum, var, weight.value);
  if (var == ALEA_CSP_NONE) return false;
  int length =
      snprintf(text, sizeof text, "mul(%s,%s)", xml_var_name(r, var), xml_var_name(r, weight.var));
  if (length < 0 || (size_t)length >= sizeof text) return too_large(r, node);
  return xml_add_term(r, sum, xml_view(r, node, text), 1);
}

static bool weigh(xml_reader *r, const xmlNode *node, const char *name, const var_list *list,
                  terms *sum) {
  const xmlNode *child = xml_child_named(node, name);
  operand_list weights = {0};
  bool good = true;
  if (child != NULL) good = xml_read_operands(r, child, xml_text_of(r, child), &weights);
  if (good && child != NULL && weights.count != list->count)
    good = xml_refuse(r, child, "bad-sum", "as many <%s> as variables are needed", name);
  for (size_t i = 0; i < list->count && good; i++)
    good = child == NULL ? xml_add_term(r, sum, list->data[i], 1)
                         : xml_add_product(r, node, sum, list->data[i], weights.data[i]);
  alea_vec_clear(r->mem, &weights);
  return good;
}

bool xml_read_terms(xml_reader *r, const xmlNode *node, var_list *list, terms *sum) {
  return xml_read_list(r, node, list) && weigh(r, node, "coeffs", list, sum);
}

bool xml_read_sum(xml_reader *r, const xmlNode *node, var_list *list) {
  static const char *const allowed[] = {"list", "coeffs", "condition", NULL};
  terms sum = {0};
  condition c = {0};
  bool good = xml_only_children(r, node, allowed) && xml_read_terms(r, node, list, &sum) &&
              xml_read_condition(r, node, &c) && xml_post_sum(r, node, &sum, &c);
  xml_clear_terms(r, &sum);
  alea_vec_clear(r->mem, &c.set);
  return good;
}

bool xml_read_knapsack(xml_reader *r, const xmlNode *node, var_list *list) {
  static const char *const allowed[] = {"list", "weights", "profits", "limit", "condition", NULL};
  const xmlNode *limit = xml_child_named(node, "limit");
  const xmlNode *first = xml_child_named(node, "condition");
  const xmlNode *second = first != NULL ? xml_next_named(first, "condition") : NULL;
  if (!xml_only_children(r, node, allowed) || !xml_read_list(r, node, list)) return false;
  if (xml_child_named(node, "weights") == NULL || xml_child_named(node, "profits") == NULL ||
      first == NULL || (limit == NULL) == (second == NULL))
    return xml_refuse(r, node, "bad-knapsack",
                      "<%s> needs weights, profits and a condition (or limit) for each",
                      "knapsack");
  terms weight = {0}, profit = {0};
  condition most = {.op = ALEA_LE}, wanted = {0};
  bool good = weigh(r, node, "weights", list, &weight) &&
              weigh(r, node, "profits", list, &profit) &&
              (limit != NULL ? read_operand(r, limit, xml_text_of(r, limit), &most)
                             : xml_condition_of(r, first, &most)) &&
              xml_condition_of(r, limit != NULL ? first : second, &wanted) &&
              xml_post_sum(r, node, &weight, &most) && xml_post_sum(r, node, &profit, &wanted);
  xml_clear_terms(r, &weight);
  xml_clear_terms(r, &profit);
  alea_vec_clear(r->mem, &most.set);
  alea_vec_clear(r->mem, &wanted.set);
  return good;
}

/* ---- count, nValues, cardinality ---- */

/* A hidden 0/1 variable: var equals one of the operands. */
static alea_csp_var any_equal(xml_reader *r, const xmlNode *node, alea_csp_var var,
                              const operand_list *others) {
  alea_text text;
  alea_text_init(&text, r->mem);
  alea_text_put(&text, "or(");
  for (size_t i = 0; i < others->count; i++) {
    operand o = others->data[i];
    alea_text_format(&text, "%seq(%s,", i > 0 ? "," : "", xml_var_name(r, var));
    if (o.var != ALEA_CSP_NONE)
      alea_text_format(&text, "%s)", xml_var_name(r, o.var));
    else
      alea_text_format(&text, "%d)", o.value);
  }
  alea_text_char(&text, ')');
  alea_csp_var flag = text.failed ? ALEA_CSP_NONE : xml_view(r, node, alea_text_string(&text));
  if (text.failed) xml_no_memory(r);
  alea_text_clear(&text);
  return flag;
}

static bool post_count(xml_reader *r, const xmlNode *node, const var_list *list,
                       const operand_list *among, const condition *c) {
  int_list values = {0};
  terms sum = {0};
  bool good = true, numbers = true;
  for (size_t i = 0; i < among->count && good; i++) {
    numbers = numbers && among->data[i].var == ALEA_CSP_NONE;
    good = alea_vec_push(r->mem, &values, among->data[i].value) || xml_no_memory(r);
  }
  if (good && numbers) {
    bool given = c->kind == COMPARE && c->op == ALEA_EQ && c->has_var;
    alea_csp_var total = given ? c->var : xml_range_var(r, 0, (int64_t)list->count);
    alea_csp_count(r->csp, list->data, (uint32_t)list->count, values.data, values.count, total);
    good = given || xml_post_condition(r, node, total, c);
  } else {
    for (size_t i = 0; i < list->count && good; i++)
      good = xml_add_term(r, &sum, any_equal(r, node, list->data[i], among), 1);
    good = good && xml_post_sum(r, node, &sum, c);
  }
  alea_vec_clear(r->mem, &values);
  xml_clear_terms(r, &sum);
  return good;
}

bool xml_read_count(xml_reader *r, const xmlNode *node, var_list *list) {
  static const char *const allowed[] = {"list", "values", "condition", NULL};
  operand_list among = {0};
  condition c = {0};
  const xmlNode *child = xml_child_named(node, "values");
  bool good = xml_only_children(r, node, allowed) && xml_read_list(r, node, list);
  if (good && child == NULL)
    good = xml_refuse(r, node, "bad-count", "<%s> without <values>", "count");
  good = good && xml_read_operands(r, child, xml_text_of(r, child), &among) &&
         xml_read_condition(r, node, &c) && post_count(r, node, list, &among, &c);
  alea_vec_clear(r->mem, &among);
  alea_vec_clear(r->mem, &c.set);
  return good;
}

static int by_value(const void *a, const void *b) {
  int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
  return (x > y) - (x < y);
}

bool xml_all_values(xml_reader *r, const xmlNode *node, const var_list *list, int_list *values) {
  for (size_t i = 0; i < list->count; i++) {
    const csp_variable *var = &r->csp->vars.data[list->data[i]];
    if (!xml_few_values(r, node, var)) return false;
    for (uint32_t v = 0; v < var->size; v++)
      if (!alea_vec_push(r->mem, values, csp_value(var, v))) return xml_no_memory(r);
  }
  if (values->count > 1) qsort(values->data, values->count, sizeof *values->data, by_value);
  size_t kept = 0;
  for (size_t i = 0; i < values->count; i++)
    if (kept == 0 || values->data[i] != values->data[kept - 1])
      values->data[kept++] = values->data[i];
  values->count = kept;
  return true;
}

static bool holds(const int_list *list, int32_t value) {
  for (size_t i = 0; i < list->count; i++)
    if (list->data[i] == value) return true;
  return false;
}

bool xml_distinct_terms(xml_reader *r, const xmlNode *node, const var_list *list,
                        const int_list *except, terms *sum) {
  int_list values = {0};
  bool good = xml_all_values(r, node, list, &values);
  for (size_t v = 0; v < values.count && good; v++) {
    if (holds(except, values.data[v])) continue;
    alea_csp_var total = xml_range_var(r, 0, (int64_t)list->count), occurs = xml_range_var(r, 0, 1);
    alea_csp_count(r->csp, list->data, (uint32_t)list->count, &values.data[v], 1, total);
    alea_csp_iff(r->csp, total, 0, occurs, 0);
    good = xml_add_term(r, sum, occurs, 1);
  }
  alea_vec_clear(r->mem, &values);
  return good;
}

/* The least number of values that the condition allows, if that is all it asks;
 * otherwise 0. */
static int64_t least_values(const condition *c, int64_t most) {
  if (c->kind != COMPARE || c->has_var) return 0;
  if (c->op == ALEA_GE) return c->value;
  if (c->op == ALEA_GT) return c->value + 1;
  if (c->op == ALEA_NE && c->value == 1) return 2;
  return c->op == ALEA_EQ && c->value == most ? most : 0;
}

/* Two forms with propagators of their own: not all equal, all different. */
static bool plain_values(xml_reader *r, const var_list *list, const condition *c) {
  uint32_t count = (uint32_t)list->count;
  int64_t least = least_values(c, (int64_t)count);
  if (count < 2 || (least != 2 && least != count)) return false;
  if (least == count)
    alea_csp_all_different(r->csp, list->data, count, NULL, 0);
  else
    alea_csp_differ(r->csp, list->data, list->data + 1, count - 1, NULL, 0);
  return true;
}

bool xml_read_n_values(xml_reader *r, const xmlNode *node, var_list *list) {
  static const char *const allowed[] = {"list", "except", "condition", NULL};
  const xmlNode *child = xml_child_named(node, "except");
  int_list except = {0};
  terms used = {0};
  condition c = {0};
  bool good = xml_only_children(r, node, allowed) && xml_read_list(r, node, list) &&
              (child == NULL || xml_read_ints(r, child, xml_text_of(r, child), &except)) &&
              xml_read_condition(r, node, &c);
  if (good && (except.count > 0 || !plain_values(r, list, &c)))
    good = xml_distinct_terms(r, node, list, &except, &used) && xml_post_sum(r, node, &used, &c);
  alea_vec_clear(r->mem, &except);
  xml_clear_terms(r, &used);
  alea_vec_clear(r->mem, &c.set);
  return good;
}

/* <occurs>: per value a number, a range or a variable. */
static bool read_occurs(xml_reader *r, const xmlNode *node, size_t count, var_list *out) {
  const char *at = xml_text_of(r, node), *word;
  size_t length;
  while (!r->failed && xml_next_word(&at, &word, &length)) {
    char *text = alea_arena_strdup(&r->out->arena, word, length), *end;
    if (text == NULL) return xml_no_memory(r);
    long lo = strtol(text, &end, 10);
    if (end != text && strncmp(end, "..", 2) == 0) {
      long hi = strtol(end + 2, &end, 10);
      alea_csp_var range = lo <= hi ? xml_range_var(r, lo, hi) : ALEA_CSP_NONE;
      if (*end != '\0' || range == ALEA_CSP_NONE)
        return xml_refuse(r, node, "bad-cardinality", "malformed range '%s'", text);
      if (!alea_vec_push(r->mem, out, range)) return xml_no_memory(r);
    } else if (!xml_read_vars(r, node, text, out)) {
      return false;
    }
  }
  return out->count == count ||
         xml_refuse(r, node, "bad-cardinality", "as many <%s> as values are needed", "occurs");
}

static bool count_value(xml_reader *r, const xmlNode *node, const var_list *list, operand value,
                        alea_csp_var times) {
  operand_list one = {.data = &value, .count = 1, .capacity = 1};
  condition c = {.op = ALEA_EQ, .has_var = true, .var = times};
  return post_count(r, node, list, &one, &c);
}

/* Every variable has one of the values. */
static bool post_closed(xml_reader *r, const xmlNode *node, const var_list *list,
                        const operand_list *values) {
  condition all = {.kind = COMPARE, .op = ALEA_EQ, .value = (int64_t)list->count};
  return post_count(r, node, list, values, &all);
}

bool xml_read_cardinality(xml_reader *r, const xmlNode *node, var_list *list) {
  static const char *const allowed[] = {"list", "values", "occurs", NULL};
  operand_list values = {0};
  var_list occurs = {0};
  bool closed = false;
  xmlNode *vnode = xml_child_named(node, "values"), *onode = xml_child_named(node, "occurs");
  bool good = xml_only_children(r, node, allowed) && xml_read_list(r, node, list);
  if (good && (vnode == NULL || onode == NULL))
    good =
        xml_refuse(r, node, "bad-cardinality", "<%s> without <values> or <occurs>", "cardinality");
  good = good && xml_read_operands(r, vnode, xml_text_of(r, vnode), &values) &&
         read_occurs(r, onode, values.count, &occurs) &&
         xml_flag(r, vnode, "closed", false, &closed);
  for (size_t v = 0; v < values.count && good; v++)
    good = count_value(r, node, list, values.data[v], occurs.data[v]);
  good = good && (!closed || post_closed(r, node, list, &values));
  alea_vec_clear(r->mem, &values);
  alea_vec_clear(r->mem, &occurs);
  return good;
}
