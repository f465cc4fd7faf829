/* Reading the JSON form of networks. */
#include <stdio.h>

#include "csp/constraints.h"
#include "csp/json.h"

bool csp_json_error(csp_json *r, const char *what, const char *name) {
  /* where memory is short nothing is wrong with the input: see csp_json_status */
  if (!r->failed && !r->mem->hit_limit) {
    alea_place place = {r->file, 0, 0};
    alea_diag_error(r->diag, place, "bad-json", "%s: %s%s%.60s%s", r->where, what,
                    name != NULL ? " '" : "", name != NULL ? name : "", name != NULL ? "'" : "");
  }
  r->failed = true;
  return false;
}

void csp_json_at(csp_json *r, const char *part, size_t index) {
  if (index == SIZE_MAX)
    snprintf(r->where, sizeof r->where, "%s", part);
  else
    snprintf(r->where, sizeof r->where, "%s[%zu]", part, index);
}

/* What the parsed text takes, about: a number in a list of numbers is two bytes
 * of text and an object of its own.  Asking for so much at once tells whether it
 * is within the limit, which the parser does not know. */
static bool has_room(alea_mem *mem, const char *text, size_t length) {
  enum { ITEM = 40 };
  size_t items = 1;
  for (size_t i = 0; i < length; i++) items += text[i] == ',' || text[i] == '[' || text[i] == '{';
  void *room = alea_mem_alloc(mem, items * ITEM);
  alea_mem_free(mem, room, items * ITEM);
  return room != NULL;
}

/* The text piece by piece, until the deadline: the parser itself knows none. */
typedef struct json_source {
  const char *text;
  size_t left;
  const alea_deadline *deadline;
  double started;
  bool late;
} json_source;

/* What is parsed has to be freed as well, which takes about a third as long. */
static bool is_late(const json_source *source) {
  const alea_deadline *deadline = source->deadline;
  if (deadline == NULL || deadline->at <= 0) return alea_deadline_passed(deadline);
  double now = alea_clock_wall();
  return now + (now - source->started) / 3 > deadline->at || alea_deadline_passed(deadline);
}

static size_t give_piece(void *buffer, size_t length, void *data) {
  json_source *source = data;
  size_t count = length < source->left ? length : source->left;
  source->late = is_late(source);
  if (source->late) return (size_t)-1;
  memcpy(buffer, source->text, count);
  source->text += count;
  source->left -= count;
  return count;
}

json_t *csp_json_parse(csp_json *r, const char *text, size_t length, bool *limit) {
  json_error_t error;
  json_source source = {
      .text = text, .left = length, .deadline = r->deadline, .started = alea_clock_wall()};
  *limit = !has_room(r->mem, text, length);
  if (*limit) return NULL;
  json_t *root = json_load_callback(give_piece, &source, JSON_REJECT_DUPLICATES, &error);
  *limit = root == NULL && source.late;
  if (*limit) return NULL;
  if (root == NULL) {
    alea_place place = {r->file, error.line > 0 ? (uint32_t)error.line : 1,
                        error.column > 0 ? (uint32_t)error.column : 1};
    alea_diag_error(r->diag, place, "bad-json", "%s", error.text);
    return NULL;
  }
  if (json_is_object(root)) return root;
  csp_json_at(r, "instance", SIZE_MAX);
  csp_json_error(r, "expected an object", NULL);
  csp_json_locate(r->diag, text, length);
  json_decref(root);
  return NULL;
}

bool csp_json_only(csp_json *r, const json_t *object, const char *keys) {
  const char *key;
  json_t *value;
  if (!json_is_object(object)) return csp_json_error(r, "expected an object", NULL);
  json_object_foreach((json_t *)(uintptr_t)object, key, value) {
    const char *at = keys;
    size_t length = strlen(key);
    bool known = strcmp(key, "note") == 0;
    for (; *at != '\0' && !known; at += strcspn(at, " ")) {
      at += *at == ' ';
      known = strncmp(at, key, length) == 0 && (at[length] == ' ' || at[length] == '\0');
    }
    if (!known) return csp_json_error(r, "unknown key", key);
  }
  return true;
}

bool csp_json_header(csp_json *r, const json_t *root, const char *keys) {
  const char *format = json_string_value(json_object_get(root, "format"));
  csp_json_at(r, "instance", SIZE_MAX);
  if (format == NULL || strcmp(format, "alea-csp") != 0)
    return csp_json_error(r, "the format is not alea-csp:", format != NULL ? format : "");
  return csp_json_only(r, root, keys);
}

bool csp_json_int(csp_json *r, const json_t *value, const char *what, int64_t *out) {
  if (!json_is_integer(value)) return csp_json_error(r, "an integer is needed for", what);
  *out = json_integer_value(value);
  if (*out > INT32_MAX - 1 || *out < -INT32_MAX) return csp_json_error(r, "out of range:", what);
  return true;
}

bool csp_json_var(csp_json *r, const json_t *name, alea_csp_var *var) {
  if (!json_is_string(name)) return csp_json_error(r, "a variable name is needed", NULL);
  *var = alea_csp_find(r->csp, json_string_value(name));
  if (*var == ALEA_CSP_NONE) return csp_json_error(r, "unknown variable", json_string_value(name));
  return true;
}

bool csp_json_scope(csp_json *r, const json_t *list, csp_json_vars *scope) {
  size_t i;
  json_t *name;
  if (!json_is_array(list)) return csp_json_error(r, "a list of variables is needed", NULL);
  json_array_foreach(list, i, name) {
    alea_csp_var var;
    if (!csp_json_var(r, name, &var)) return false;
    if (!alea_vec_push(r->mem, scope, var)) return csp_json_error(r, "out of memory", NULL);
  }
  return true;
}

/* An entry of a tuple, or where 'single' is set of a list of values. */
static bool read_entry(csp_json *r, const json_t *value, bool single, csp_json_ints *out) {
  int64_t number = ALEA_CSP_STAR;
  bool star = json_is_string(value) && strcmp(json_string_value(value), "*") == 0;
  if (star && single)
    return csp_json_error(r, "\"*\" stands for every value in tuples, and is no value itself",
                          NULL);
  if (!star && !csp_json_int(r, value, "tuple", &number)) return false;
  return alea_vec_push(r->mem, out, (int32_t)number) || csp_json_error(r, "out of memory", NULL);
}

bool csp_json_rows(csp_json *r, const json_t *list, size_t width, csp_json_ints *out) {
  size_t i, k;
  json_t *row, *value;
  if (!json_is_array(list)) return csp_json_error(r, "a list is needed", NULL);
  json_array_foreach(list, i, row) {
    if (width == 0) {
      if (!read_entry(r, row, true, out)) return false;
      continue;
    }
    if (!json_is_array(row) || json_array_size(row) != width)
      return csp_json_error(r, "a tuple has the wrong length", NULL);
    json_array_foreach(row, k, value) {
      if (!read_entry(r, value, false, out)) return false;
    }
  }
  return true;
}

/* ---- variables ---- */

static bool read_variable(csp_json *r, const json_t *item) {
  const char *name = json_string_value(json_object_get(item, "name"));
  const json_t *range = json_object_get(item, "range"), *values = json_object_get(item, "values");
  alea_csp_var var = ALEA_CSP_NONE;
  if (!csp_json_only(r, item, "name range values hidden")) return false;
  if (range != NULL && values != NULL)
    return csp_json_error(r, "either a range or values, not both", NULL);
  if (range == NULL && values == NULL)
    return csp_json_error(r, "a variable needs a 'range' or 'values'", NULL);
  if (name == NULL || *name == '\0') return csp_json_error(r, "a name is missing", NULL);
  if (alea_csp_find(r->csp, name) != ALEA_CSP_NONE)
    return csp_json_error(r, "the name is used twice:", name);
  csp_json_ints list = {0};
  bool good = csp_json_rows(r, range != NULL ? range : values, 0, &list);
  if (good && range != NULL && (list.count != 2 || list.data[0] > list.data[1]))
    good = csp_json_error(r, "a range needs two numbers in order", NULL);
  if (good && list.count == 0) good = csp_json_error(r, "an empty domain:", name);
  if (good) {
    var = range != NULL ? alea_csp_range(r->csp, name, list.data[0], list.data[1])
                        : alea_csp_values(r->csp, name, list.data, list.count);
    if (var == ALEA_CSP_NONE) good = csp_json_error(r, "the domain is too large:", name);
  }
  if (good && json_is_true(json_object_get(item, "hidden"))) alea_csp_hide(r->csp, var);
  alea_vec_clear(r->mem, &list);
  return good;
}

bool csp_json_variables(csp_json *r, const json_t *root) {
  const json_t *list = json_object_get(root, "variables");
  size_t i;
  json_t *item;
  csp_json_at(r, "variables", SIZE_MAX);
  if (!json_is_array(list)) return csp_json_error(r, "a list is needed", NULL);
  json_array_foreach(list, i, item) {
    csp_json_at(r, "variables", i);
    if (!read_variable(r, item)) return false;
  }
  return true;
}

/* ---- constraints ---- */

typedef struct json_read_parts { /* the parts that most constraints have */
  const json_t *item;
  csp_json_vars scope;
  alea_csp_var result;
} json_read_parts;

static bool one_var(csp_json *r, const json_read_parts *p, const char *key, alea_csp_var *var) {
  const json_t *name = json_object_get(p->item, key);
  if (name == NULL) return csp_json_error(r, "missing:", key);
  return csp_json_var(r, name, var);
}

static bool read_table(csp_json *r, json_read_parts *p) {
  csp_json_ints rows = {0};
  bool good = p->scope.count > 0 || csp_json_error(r, "an empty scope", NULL);
  good = good && csp_json_rows(r, json_object_get(p->item, "tuples"), p->scope.count, &rows);
  if (good)
    alea_csp_table(r->csp, p->scope.data, (uint32_t)p->scope.count, rows.data,
                   rows.count / p->scope.count,
                   json_is_true(json_object_get(p->item, "forbidden")));
  alea_vec_clear(r->mem, &rows);
  return good;
}

static bool read_intension(csp_json *r, json_read_parts *p) {
  const char *text = json_string_value(json_object_get(p->item, "expression"));
  if (text == NULL) return csp_json_error(r, "an expression is missing", NULL);
  alea_diag mistakes;
  alea_diag_init(&mistakes, r->mem);
  alea_place place = {r->file, 0, 0};
  bool good = alea_csp_intension(r->csp, text, place, &mistakes) == ALEA_OK;
  if (!good && mistakes.entries.count != 0)
    csp_json_error(r, mistakes.entries.data[0].message, NULL);
  alea_diag_clear(&mistakes);
  r->failed |= !good;
  return good;
}

static bool read_linear(csp_json *r, json_read_parts *p) {
  static const char *const names[] = {"lt", "le", "ge", "gt", "eq", "ne"};
  const char *op = json_string_value(json_object_get(p->item, "op"));
  const json_t *coeffs = json_object_get(p->item, "coeffs");
  const json_t *side = json_object_get(p->item, "rhs");
  int number = 0;
  while (op != NULL && number < 6 && strcmp(names[number], op) != 0) number++;
  if (op == NULL || number == 6)
    return csp_json_error(r, "op must be lt, le, ge, gt, eq or ne", NULL);
  if (!json_is_integer(side)) return csp_json_error(r, "an integer is needed for", "rhs");
  int64_t rhs = json_integer_value(side);
  csp_json_ints list = {0};
  ALEA_VEC(int64_t) wide = {0};
  bool good = coeffs == NULL || csp_json_rows(r, coeffs, 0, &list);
  if (good && coeffs != NULL && list.count != p->scope.count)
    good = csp_json_error(r, "as many coeffs as variables are needed", NULL);
  for (size_t i = 0; i < p->scope.count && good; i++)
    good = alea_vec_push(r->mem, &wide, coeffs != NULL ? (int64_t)list.data[i] : 1) ||
           csp_json_error(r, "out of memory", NULL);
  if (good && alea_csp_linear(r->csp, p->scope.data, wide.data, (uint32_t)p->scope.count,
                              (alea_op)number, rhs) != ALEA_OK)
    good = csp_json_error(r, "the coefficients are too large", NULL);
  alea_vec_clear(r->mem, &list);
  alea_vec_clear(r->mem, &wide);
  return good;
}

static bool read_all_different(csp_json *r, json_read_parts *p) {
  csp_json_ints except = {0};
  const json_t *list = json_object_get(p->item, "except");
  bool good = list == NULL || csp_json_rows(r, list, 0, &except);
  if (good)
    alea_csp_all_different(r->csp, p->scope.data, (uint32_t)p->scope.count, except.data,
                           except.count);
  alea_vec_clear(r->mem, &except);
  return good;
}

/* ["x", "=", 1] or ["x", "!=", 1] */
static bool read_literal(csp_json *r, const json_t *item, alea_csp_lit *lit) {
  const char *sign = json_string_value(json_array_get(item, 1));
  int64_t value;
  if (!json_is_array(item) || json_array_size(item) != 3 || sign == NULL)
    return csp_json_error(r, "a literal is [variable, \"=\" or \"!=\", value]", NULL);
  if (!csp_json_var(r, json_array_get(item, 0), &lit->var)) return false;
  if (!csp_json_int(r, json_array_get(item, 2), "literal", &value)) return false;
  lit->value = (int32_t)value;
  lit->negative = strcmp(sign, "!=") == 0;
  return lit->negative || strcmp(sign, "=") == 0 || csp_json_error(r, "unknown sign", sign);
}

typedef ALEA_VEC(alea_csp_lit) lit_list;

static bool read_literals(csp_json *r, const json_t *list, lit_list *out) {
  size_t i;
  json_t *item;
  if (!json_is_array(list)) return csp_json_error(r, "a list of literals is needed", NULL);
  json_array_foreach(list, i, item) {
    alea_csp_lit lit;
    if (!read_literal(r, item, &lit)) return false;
    if (!alea_vec_push(r->mem, out, lit)) return csp_json_error(r, "out of memory", NULL);
  }
  return true;
}

static bool read_clause(csp_json *r, json_read_parts *p) {
  lit_list lits = {0};
  bool good = read_literals(r, json_object_get(p->item, "literals"), &lits);
  if (good) alea_csp_clause(r->csp, lits.data, lits.count);
  alea_vec_clear(r->mem, &lits);
  return good;
}

static bool read_rules(csp_json *r, json_read_parts *p) {
  lit_list lits = {0};
  alea_u32s starts = {0};
  alea_csp_lit head;
  const json_t *bodies = json_object_get(p->item, "bodies");
  bool good = read_literal(r, json_object_get(p->item, "head"), &head);
  if (good && !json_is_array(bodies)) good = csp_json_error(r, "bodies must be a list", NULL);
  good = good && (alea_vec_push(r->mem, &starts, 0u) || csp_json_error(r, "out of memory", NULL));
  for (size_t b = 0; good && b < json_array_size(bodies); b++)
    good = read_literals(r, json_array_get(bodies, b), &lits) &&
           (alea_vec_push(r->mem, &starts, (uint32_t)lits.count) ||
            csp_json_error(r, "out of memory", NULL));
  if (good) alea_csp_rules(r->csp, head, lits.data, starts.data, starts.count - 1);
  alea_vec_clear(r->mem, &lits);
  alea_vec_clear(r->mem, &starts);
  return good;
}

/* The parts of a program or a choice. */
typedef struct rule_reader {
  ALEA_VEC(alea_csp_var) heads;
  csp_json_ints defaults;
  ALEA_VEC(alea_csp_rule) rules;
  lit_list lits;
} rule_reader;

/* ["x", value, [literal, ...]] */
static bool read_rule(csp_json *r, const json_t *item, rule_reader *p) {
  alea_csp_var var;
  int64_t value;
  if (!json_is_array(item) || json_array_size(item) != 3)
    return csp_json_error(r, "a rule is [variable, value, [literal, ...]]", NULL);
  if (!csp_json_var(r, json_array_get(item, 0), &var)) return false;
  if (!csp_json_int(r, json_array_get(item, 1), "rule", &value)) return false;
  alea_csp_rule rule = {.value = (int32_t)value, .first = (uint32_t)p->lits.count};
  while (rule.head < p->heads.count && p->heads.data[rule.head] != var) rule.head++;
  if (rule.head == p->heads.count) return csp_json_error(r, "a rule for what is no head", NULL);
  if (!read_literals(r, json_array_get(item, 2), &p->lits)) return false;
  rule.count = (uint32_t)p->lits.count - rule.first;
  return alea_vec_push(r->mem, &p->rules, rule) || csp_json_error(r, "out of memory", NULL);
}

static bool read_heads(csp_json *r, const json_t *list, rule_reader *p) {
  size_t i;
  json_t *item;
  if (!json_is_array(list)) return csp_json_error(r, "heads must be a list", NULL);
  json_array_foreach(list, i, item) {
    alea_csp_var var;
    int64_t value;
    if (!json_is_array(item) || !csp_json_var(r, json_array_get(item, 0), &var)) return false;
    if (!csp_json_int(r, json_array_get(item, 1), "default", &value)) return false;
    if (!alea_vec_push(r->mem, &p->heads, var) ||
        !alea_vec_push(r->mem, &p->defaults, (int32_t)value))
      return csp_json_error(r, "out of memory", NULL);
  }
  return true;
}

static bool read_program(csp_json *r, json_read_parts *p) {
  bool choice = strcmp(json_string_value(json_object_get(p->item, "type")), "choice") == 0;
  rule_reader reader = {0};
  alea_csp_var var = 0;
  size_t i;
  json_t *item;
  bool good;
  if (choice)
    good = one_var(r, p, "variable", &var) &&
           (alea_vec_push(r->mem, &reader.heads, var) || csp_json_error(r, "out of memory", NULL));
  else
    good = read_heads(r, json_object_get(p->item, "heads"), &reader);
  json_array_foreach(json_object_get(p->item, "rules"), i, item) {
    if (!good) break;
    good = read_rule(r, item, &reader);
  }
  if (good && choice)
    alea_csp_choice(r->csp, var, reader.rules.data, reader.rules.count, reader.lits.data);
  else if (good)
    alea_csp_program(r->csp, reader.heads.data, reader.defaults.data, (uint32_t)reader.heads.count,
                     reader.rules.data, reader.rules.count, reader.lits.data,
                     json_is_true(json_object_get(p->item, "highest")));
  alea_vec_clear(r->mem, &reader.heads);
  alea_vec_clear(r->mem, &reader.defaults);
  alea_vec_clear(r->mem, &reader.rules);
  alea_vec_clear(r->mem, &reader.lits);
  return good;
}

static bool read_with_result(csp_json *r, json_read_parts *p) {
  const char *type = json_string_value(json_object_get(p->item, "type"));
  alea_csp_var result;
  uint32_t n = (uint32_t)p->scope.count;
  if (n == 0) return csp_json_error(r, "an empty scope", NULL);
  if (!one_var(r, p, "result", &result)) return false;
  if (strcmp(type, "maximum") == 0)
    alea_csp_maximum(r->csp, p->scope.data, n, result);
  else if (strcmp(type, "minimum") == 0)
    alea_csp_minimum(r->csp, p->scope.data, n, result);
  else
    alea_csp_parity_line(r->csp, p->scope.data, n, result);
  return true;
}

static bool read_count(csp_json *r, json_read_parts *p) {
  csp_json_ints values = {0};
  alea_csp_var result;
  bool good = one_var(r, p, "result", &result) &&
              csp_json_rows(r, json_object_get(p->item, "values"), 0, &values);
  if (good)
    alea_csp_count(r->csp, p->scope.data, (uint32_t)p->scope.count, values.data, values.count,
                   result);
  alea_vec_clear(r->mem, &values);
  return good;
}

static bool read_element(csp_json *r, json_read_parts *p) {
  alea_csp_var index, value;
  int64_t base = 0;
  const json_t *start = json_object_get(p->item, "base");
  if (!one_var(r, p, "index", &index) || !one_var(r, p, "result", &value)) return false;
  if (start != NULL && !csp_json_int(r, start, "base", &base)) return false;
  alea_csp_element(r->csp, p->scope.data, (uint32_t)p->scope.count, (int32_t)base, index, value);
  return true;
}

static bool read_pair(csp_json *r, json_read_parts *p) {
  csp_json_ints values = {0};
  const char *type = json_string_value(json_object_get(p->item, "type"));
  bool good = csp_json_rows(r, json_object_get(p->item, "values"), 0, &values);
  bool iff = strcmp(type, "iff") == 0;
  if (good && (values.count != 2 || (iff && p->scope.count != 2)))
    good = csp_json_error(r, "two values (and for iff two variables) are needed", NULL);
  if (good && iff)
    alea_csp_iff(r->csp, p->scope.data[0], values.data[0], p->scope.data[1], values.data[1]);
  else if (good)
    alea_csp_not_both(r->csp, p->scope.data, (uint32_t)p->scope.count, values.data[0],
                      values.data[1]);
  alea_vec_clear(r->mem, &values);
  return good;
}

static bool list_of(csp_json *r, const json_read_parts *p, const char *key, csp_json_vars *out) {
  const json_t *list = json_object_get(p->item, key);
  if (list == NULL) return csp_json_error(r, "missing:", key);
  return csp_json_scope(r, list, out);
}

static bool optional_int(csp_json *r, const json_read_parts *p, const char *key, int64_t *out) {
  const json_t *value = json_object_get(p->item, key);
  return value == NULL || csp_json_int(r, value, key, out);
}

static bool read_two_lists(csp_json *r, json_read_parts *p) {
  const char *type = json_string_value(json_object_get(p->item, "type"));
  const json_t *rows = json_object_get(p->item, "except");
  csp_json_vars left = {0}, right = {0};
  csp_json_ints except = {0};
  int64_t bases[2] = {0, 0};
  bool channel = strcmp(type, "channel") == 0;
  bool good = list_of(r, p, "left", &left) && list_of(r, p, "right", &right) &&
              optional_int(r, p, "leftBase", &bases[0]) &&
              optional_int(r, p, "rightBase", &bases[1]);
  if (good && !channel && (left.count != right.count || left.count == 0))
    good = csp_json_error(r, "two lists of one length are needed", NULL);
  good = good && (rows == NULL || csp_json_rows(r, rows, left.count, &except));
  for (size_t i = 0; good && i < except.count; i++)
    if (except.data[i] == ALEA_CSP_STAR)
      good = csp_json_error(r, "\"*\" is no value of an exception", NULL);
  uint32_t n = (uint32_t)left.count;
  if (good && channel)
    alea_csp_channel(r->csp, left.data, n, (int32_t)bases[0], right.data, (uint32_t)right.count,
                     (int32_t)bases[1]);
  else if (good && strcmp(type, "lex") == 0)
    alea_csp_lex(r->csp, left.data, right.data, n,
                 json_is_true(json_object_get(p->item, "strict")));
  else if (good)
    alea_csp_differ(r->csp, left.data, right.data, n, except.data, except.count / n);
  alea_vec_clear(r->mem, &left);
  alea_vec_clear(r->mem, &right);
  alea_vec_clear(r->mem, &except);
  return good;
}

static bool read_edges(csp_json *r, const json_t *list, int64_t states, csp_json_ints *out) {
  if (!csp_json_rows(r, list, 3, out)) return false;
  for (size_t e = 0; e < out->count; e += 3)
    if (out->data[e] < 0 || out->data[e] >= states || out->data[e + 2] < 0 ||
        out->data[e + 2] >= states || out->data[e + 1] == ALEA_CSP_STAR)
      return csp_json_error(r, "an edge is [state, value, state]", NULL);
  return true;
}

static bool read_regular(csp_json *r, json_read_parts *p) {
  csp_json_ints edges = {0}, last = {0};
  ALEA_VEC(alea_csp_edge) list = {0};
  int64_t states = 0, start = 0;
  bool *final = NULL;
  bool good = csp_json_int(r, json_object_get(p->item, "states"), "states", &states) &&
              csp_json_int(r, json_object_get(p->item, "start"), "start", &start);
  if (good && (states < 1 || states > 1 << 24 || start < 0 || start >= states))
    good = csp_json_error(r, "states or start is out of range", NULL);
  good = good && read_edges(r, json_object_get(p->item, "edges"), states, &edges) &&
         csp_json_rows(r, json_object_get(p->item, "final"), 0, &last);
  if (good) {
    final = alea_mem_calloc(r->mem, (size_t)states, sizeof *final);
    if (final == NULL) good = csp_json_error(r, "out of memory", NULL);
  }
  for (size_t i = 0; i < last.count && good; i++) {
    good = (last.data[i] >= 0 && last.data[i] < states) ||
           csp_json_error(r, "a final state is out of range", NULL);
    if (good) final[last.data[i]] = true;
  }
  for (size_t e = 0; e < edges.count && good; e += 3)
    good = alea_vec_push(r->mem, &list,
                         (alea_csp_edge){(uint32_t)edges.data[e], edges.data[e + 1],
                                         (uint32_t)edges.data[e + 2]}) ||
           csp_json_error(r, "out of memory", NULL);
  if (good)
    alea_csp_regular(r->csp, p->scope.data, (uint32_t)p->scope.count, (uint32_t)states,
                     (uint32_t)start, final, list.data, list.count);
  alea_mem_free(r->mem, final, (size_t)states * sizeof *final);
  alea_vec_clear(r->mem, &list);
  alea_vec_clear(r->mem, &edges);
  alea_vec_clear(r->mem, &last);
  return good;
}

static bool not_negative(csp_json *r, const csp_json_vars *vars) {
  for (size_t i = 0; i < vars->count; i++)
    if (alea_csp_value(r->csp, vars->data[i], 0) < 0)
      return csp_json_error(
          r, "a length or height can be negative:", alea_csp_name(r->csp, vars->data[i]));
  return true;
}

static bool read_no_overlap(csp_json *r, json_read_parts *p) {
  csp_json_vars origins = {0}, lengths = {0};
  const json_t *zero = json_object_get(p->item, "zeroIgnored");
  int64_t dims = 1;
  bool good = list_of(r, p, "origins", &origins) && list_of(r, p, "lengths", &lengths) &&
              optional_int(r, p, "dims", &dims) && not_negative(r, &lengths);
  if (good && (dims < 1 || origins.count != lengths.count || origins.count % (size_t)dims != 0))
    good = csp_json_error(r, "origins and lengths do not fit the dims", NULL);
  if (good)
    alea_csp_no_overlap(r->csp, origins.data, lengths.data,
                        (uint32_t)(origins.count / (size_t)dims), (uint32_t)dims,
                        zero == NULL || json_is_true(zero));
  alea_vec_clear(r->mem, &origins);
  alea_vec_clear(r->mem, &lengths);
  return good;
}

static bool read_cumulative(csp_json *r, json_read_parts *p) {
  csp_json_vars origins = {0}, lengths = {0}, heights = {0};
  alea_csp_var limit;
  bool good = list_of(r, p, "origins", &origins) && list_of(r, p, "lengths", &lengths) &&
              list_of(r, p, "heights", &heights) && one_var(r, p, "limit", &limit) &&
              not_negative(r, &lengths) && not_negative(r, &heights);
  if (good && (origins.count != lengths.count || origins.count != heights.count))
    good = csp_json_error(r, "the lists differ in length", NULL);
  if (good)
    alea_csp_cumulative(r->csp, origins.data, lengths.data, heights.data, (uint32_t)origins.count,
                        limit);
  alea_vec_clear(r->mem, &origins);
  alea_vec_clear(r->mem, &lengths);
  alea_vec_clear(r->mem, &heights);
  return good;
}

static bool read_circuit(csp_json *r, json_read_parts *p) {
  int64_t base = 0;
  if (!optional_int(r, p, "base", &base)) return false;
  if (p->scope.count == 0) return csp_json_error(r, "an empty scope", NULL);
  alea_csp_circuit(r->csp, p->scope.data, (uint32_t)p->scope.count, (int32_t)base);
  return true;
}

static const struct {
  const char *name;
  bool (*read)(csp_json *r, json_read_parts *p);
  bool scope;
  const char *keys;
} kinds[] = {{"table", read_table, true, "type scope tuples forbidden"},
             {"intension", read_intension, false, "type expression"},
             {"linear", read_linear, true, "type scope coeffs op rhs"},
             {"allDifferent", read_all_different, true, "type scope except"},
             {"clause", read_clause, false, "type literals"},
             {"rules", read_rules, false, "type head bodies"},
             {"program", read_program, false, "type heads rules highest"},
             {"choice", read_program, false, "type variable rules"},
             {"maximum", read_with_result, true, "type scope result"},
             {"minimum", read_with_result, true, "type scope result"},
             {"parityLine", read_with_result, true, "type scope result"},
             {"count", read_count, true, "type scope values result"},
             {"element", read_element, true, "type scope base index result"},
             {"iff", read_pair, true, "type scope values"},
             {"notBoth", read_pair, true, "type scope values"},
             {"channel", read_two_lists, false, "type left right leftBase rightBase"},
             {"lex", read_two_lists, false, "type left right strict"},
             {"differ", read_two_lists, false, "type left right except"},
             {"regular", read_regular, true, "type scope states start final edges"},
             {"noOverlap", read_no_overlap, false, "type origins lengths dims zeroIgnored"},
             {"cumulative", read_cumulative, false, "type origins lengths heights limit"},
             {"circuit", read_circuit, true, "type scope base"}};

static bool read_constraint(csp_json *r, const json_t *item) {
  const char *type = json_string_value(json_object_get(item, "type"));
  if (type == NULL) return csp_json_error(r, "a type is missing", NULL);
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    if (strcmp(kinds[k].name, type) != 0) continue;
    json_read_parts p = {.item = item};
    bool good = csp_json_only(r, item, kinds[k].keys);
    good = good && (!kinds[k].scope || csp_json_scope(r, json_object_get(item, "scope"), &p.scope));
    good = good && kinds[k].read(r, &p);
    if (good && r->csp->state != ALEA_OK)
      good = csp_json_error(r, "the constraint does not fit", NULL);
    alea_vec_clear(r->mem, &p.scope);
    return good;
  }
  return csp_json_error(r, "unsupported constraint", type);
}

bool csp_json_constraints(csp_json *r, const json_t *root) {
  const json_t *list = json_object_get(root, "constraints");
  const json_t *objective = json_object_get(root, "objective");
  size_t i;
  json_t *item;
  csp_json_at(r, "constraints", SIZE_MAX);
  if (list != NULL && !json_is_array(list)) return csp_json_error(r, "a list is needed", NULL);
  json_array_foreach(list, i, item) {
    csp_json_at(r, "constraints", i);
    if (!read_constraint(r, item)) return false;
  }
  if (objective == NULL) return true;
  alea_csp_var var;
  csp_json_at(r, "objective", SIZE_MAX);
  if (!csp_json_only(r, objective, "variable maximise")) return false;
  if (!csp_json_var(r, json_object_get(objective, "variable"), &var)) return false;
  alea_csp_objective(r->csp, var, json_is_true(json_object_get(objective, "maximise")));
  return true;
}

/* ---- whole networks ---- */

alea_status csp_json_status(const csp_json *r) {
  if (r->mem->hit_limit) return ALEA_LIMIT;
  if (r->csp->state != ALEA_OK && !r->failed) return r->csp->state;
  return r->failed ? ALEA_INPUT : ALEA_OK;
}

alea_csp *alea_csp_read_json(alea_mem *mem, const json_t *root, const char *file, alea_diag *diag,
                             alea_status *status) {
  csp_json r = {.csp = alea_csp_new(mem), .mem = mem, .diag = diag, .file = file};
  *status = ALEA_SYSTEM;
  if (r.csp == NULL) return NULL;
  (void)(csp_json_header(&r, root, "format type variables constraints objective") &&
         csp_json_variables(&r, root) && csp_json_constraints(&r, root));
  *status = csp_json_status(&r);
  if (*status == ALEA_OK) return r.csp;
  alea_csp_free(r.csp);
  return NULL;
}
