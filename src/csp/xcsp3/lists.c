/* The XCSP3 reader: constraints over whole lists, and over tasks. */
#include "csp/xcsp3/reader.h"

/* ---- several lists, or a matrix ---- */

static bool read_lists(xml_reader *r, const xmlNode *node, matrix *out) {
  for (xmlNode *child = xml_child_named(node, "list"); child != NULL;
       child = xml_next_named(child, "list")) {
    size_t before = out->cells.count;
    if (!xml_read_vars(r, child, xml_text_of(r, child), &out->cells)) return false;
    if (out->rows > 0 && out->cells.count - before != out->columns)
      return xml_refuse(r, child, "bad-list", "the lists of <%s> differ in length",
                        xml_name_of(node));
    out->columns = out->cells.count - before;
    out->rows++;
  }
  if (out->columns == 0 || out->cells.count > UINT32_MAX / 8)
    return xml_refuse(r, node, "missing-list", "the list of <%s> is empty", xml_name_of(node));
  return true;
}

static bool several_lists(const xmlNode *node) {
  xmlNode *first = xml_child_named(node, "list");
  return first != NULL && xml_next_named(first, "list") != NULL;
}

/* Turns rows into columns; the old cells are freed. */
static bool transpose(xml_reader *r, matrix *m) {
  matrix turned = {.rows = m->columns, .columns = m->rows};
  for (size_t c = 0; c < m->columns; c++)
    for (size_t row = 0; row < m->rows; row++)
      if (!alea_vec_push(r->mem, &turned.cells, m->cells.data[row * m->columns + c])) {
        alea_vec_clear(r->mem, &turned.cells);
        return xml_no_memory(r);
      }
  alea_vec_clear(r->mem, &m->cells);
  *m = turned;
  return true;
}

/* ---- allDifferent, allEqual ---- */

static bool different_lists(xml_reader *r, const xmlNode *node) {
  matrix m = {0};
  int_list except = {0};
  const xmlNode *child = xml_child_named(node, "except");
  bool good =
      read_lists(r, node, &m) && (child == NULL || xml_read_tuples(r, child, m.columns, &except));
  for (size_t i = 0; i < m.rows && good; i++)
    for (size_t j = 0; j < i; j++)
      alea_csp_differ(r->csp, &m.cells.data[j * m.columns], &m.cells.data[i * m.columns],
                      (uint32_t)m.columns, except.data, except.count / m.columns);
  alea_vec_clear(r->mem, &m.cells);
  alea_vec_clear(r->mem, &except);
  return good;
}

static bool different_matrix(xml_reader *r, const xmlNode *child, const int_list *except) {
  matrix m = {0};
  bool good = xml_read_matrix(r, child, &m);
  for (int turn = 0; turn < 2 && good; turn++) {
    for (size_t i = 0; i < m.rows; i++)
      alea_csp_all_different(r->csp, &m.cells.data[i * m.columns], (uint32_t)m.columns,
                             except->data, except->count);
    good = turn == 1 || transpose(r, &m);
  }
  alea_vec_clear(r->mem, &m.cells);
  return good;
}

bool xml_read_all_different(xml_reader *r, const xmlNode *node, var_list *list) {
  static const char *const allowed[] = {"list", "matrix", "except", NULL};
  if (!xml_only_children(r, node, allowed)) return false;
  if (several_lists(node)) return different_lists(r, node);
  const xmlNode *except = xml_child_named(node, "except"), *grid = xml_child_named(node, "matrix");
  int_list values = {0};
  bool good = except == NULL || xml_read_ints(r, except, xml_text_of(r, except), &values);
  if (good && grid != NULL)
    good = different_matrix(r, grid, &values);
  else if (good && (good = xml_read_list(r, node, list)))
    alea_csp_all_different(r->csp, list->data, (uint32_t)list->count, values.data, values.count);
  alea_vec_clear(r->mem, &values);
  return good;
}

static void post_pair(xml_reader *r, alea_csp_var x, alea_csp_var y, alea_op op) {
  alea_csp_linear(r->csp, (alea_csp_var[]){x, y}, (int64_t[]){1, -1}, 2, op, 0);
}

/* At most one value occurs but for those of <except>. */
static bool equal_except(xml_reader *r, const xmlNode *node, const xmlNode *child,
                         const var_list *list) {
  int_list except = {0};
  terms used = {0};
  condition one = {.kind = COMPARE, .op = ALEA_LE, .value = 1};
  bool good = xml_read_ints(r, child, xml_text_of(r, child), &except) &&
              xml_distinct_terms(r, node, list, &except, &used) &&
              xml_post_sum(r, node, &used, &one);
  alea_vec_clear(r->mem, &except);
  xml_clear_terms(r, &used);
  return good;
}

bool xml_read_all_equal(xml_reader *r, const xmlNode *node, var_list *list) {
  static const char *const allowed[] = {"list", "except", NULL};
  const xmlNode *except = xml_child_named(node, "except");
  if (!xml_only_children(r, node, allowed)) return false;
  if (except != NULL && several_lists(node))
    return xml_refuse(r, except, "unsupported", "<%s> is not supported with several lists",
                      "except");
  if (except != NULL) return xml_read_list(r, node, list) && equal_except(r, node, except, list);
  if (!several_lists(node)) {
    if (!xml_read_list(r, node, list)) return false;
    for (size_t i = 1; i < list->count; i++)
      post_pair(r, list->data[i - 1], list->data[i], ALEA_EQ);
    return true;
  }
  matrix m = {0};
  bool good = read_lists(r, node, &m);
  for (size_t i = m.columns; i < m.cells.count && good; i++)
    post_pair(r, m.cells.data[i - m.columns], m.cells.data[i], ALEA_EQ);
  alea_vec_clear(r->mem, &m.cells);
  return good;
}

/* ---- ordered, lex ---- */

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
  operand_list lengths = {0};
  const xmlNode *child = xml_child_named(node, "lengths");
  bool good = xml_only_children(r, node, allowed) && xml_read_list(r, node, list) &&
              read_order(r, node, &op) &&
              (child == NULL || xml_read_operands(r, child, xml_text_of(r, child), &lengths));
  if (good && child != NULL && lengths.count + 1 != list->count)
    good = xml_refuse(r, child, "bad-list", "one length fewer than variables is needed%s", "");
  for (size_t i = 0; i + 1 < list->count && good; i++) { /* x + length op y */
    operand gap = child != NULL ? lengths.data[i] : (operand){ALEA_CSP_NONE, 0};
    bool number = gap.var == ALEA_CSP_NONE;
    alea_csp_linear(r->csp, (alea_csp_var[]){list->data[i], list->data[i + 1], gap.var},
                    (int64_t[]){1, -1, 1}, number ? 2 : 3, op, number ? -(int64_t)gap.value : 0);
  }
  alea_vec_clear(r->mem, &lengths);
  return good;
}

static void lex_rows(xml_reader *r, const matrix *m, alea_op op) {
  for (size_t i = 0; i + 1 < m->rows; i++) {
    const alea_csp_var *a = &m->cells.data[i * m->columns], *b = a + m->columns;
    bool down = op == ALEA_GE || op == ALEA_GT;
    alea_csp_lex(r->csp, down ? b : a, down ? a : b, (uint32_t)m->columns,
                 op == ALEA_LT || op == ALEA_GT);
  }
}

bool xml_read_lex(xml_reader *r, const xmlNode *node, var_list *list) {
  static const char *const allowed[] = {"list", "matrix", "operator", NULL};
  const xmlNode *grid = xml_child_named(node, "matrix");
  alea_op op = ALEA_LE;
  matrix m = {0};
  (void)list;
  bool good = xml_only_children(r, node, allowed) && read_order(r, node, &op) &&
              (grid != NULL ? xml_read_matrix(r, grid, &m) : read_lists(r, node, &m));
  if (good) lex_rows(r, &m, op);
  if (good && grid != NULL && (good = transpose(r, &m))) lex_rows(r, &m, op);
  alea_vec_clear(r->mem, &m.cells);
  return good;
}

/* ---- clause, instantiation ---- */

typedef ALEA_VEC(alea_csp_lit) literal_list;

/* The variables of a literal; a pattern stands for a literal per cell. */
static bool add_literals(xml_reader *r, const xmlNode *node, const char *text, bool negative,
                         literal_list *literals) {
  var_list vars = {0};
  bool good = xml_read_vars(r, node, text, &vars);
  for (size_t i = 0; i < vars.count && good; i++) {
    const csp_variable *var = &r->csp->vars.data[vars.data[i]];
    alea_csp_lit literal = {vars.data[i], 1, negative};
    if (csp_value(var, 0) < 0 || csp_value(var, var->size - 1) > 1)
      good = xml_refuse(r, node, "bad-list", "a literal needs values 0 and 1: '%s'", var->name);
    good = good && (alea_vec_push(r->mem, literals, literal) || xml_no_memory(r));
  }
  alea_vec_clear(r->mem, &vars);
  return good;
}

/* Variables over 0 and 1, and not(x) of them; at least one literal holds. */
bool xml_read_clause(xml_reader *r, const xmlNode *node, var_list *list) {
  static const char *const allowed[] = {"list", NULL};
  (void)list;
  if (!xml_only_children(r, node, allowed)) return false;
  const xmlNode *child = xml_child_named(node, "list");
  const char *at = xml_text_of(r, child != NULL ? child : node), *word;
  size_t length;
  literal_list literals = {0};
  bool good = !r->failed;
  while (good && xml_next_word(&at, &word, &length)) {
    bool negative = length > 5 && strncmp(word, "not(", 4) == 0 && word[length - 1] == ')';
    const char *text = negative ? alea_arena_strdup(&r->out->arena, word + 4, length - 5)
                                : alea_arena_strdup(&r->out->arena, word, length);
    good = text != NULL ? add_literals(r, node, text, negative, &literals) : xml_no_memory(r);
  }
  if (good && literals.count == 0)
    good = xml_refuse(r, node, "missing-list", "the list of <%s> is empty", "clause");
  if (good) alea_csp_clause(r->csp, literals.data, literals.count);
  alea_vec_clear(r->mem, &literals);
  return good;
}

bool xml_read_instantiation(xml_reader *r, const xmlNode *node, var_list *list) {
  static const char *const allowed[] = {"list", "values", NULL};
  const xmlNode *child = xml_child_named(node, "values");
  if (!xml_only_children(r, node, allowed) || !xml_read_list(r, node, list)) return false;
  if (child == NULL)
    return xml_refuse(r, node, "bad-list", "<%s> without <values>", "instantiation");
  const char *at = xml_text_of(r, child), *word;
  size_t length, i = 0;
  int_list values = {0};
  bool good = !r->failed;
  while (good && xml_next_word(&at, &word, &length)) { /* a star leaves its variable open */
    values.count = 0;
    char *text = alea_arena_strdup(&r->out->arena, word, length);
    if (text == NULL) good = xml_no_memory(r);
    bool star = good && strcmp(text, "*") == 0;
    good = good && (star || xml_read_ints(r, child, text, &values));
    for (size_t k = 0; k < values.count && good; k++, i++)
      if (i < list->count) alea_csp_table(r->csp, &list->data[i], 1, &values.data[k], 1, false);
    i += star;
  }
  if (good && i != list->count)
    good = xml_refuse(r, child, "bad-list", "as many values as variables are needed%s", "");
  alea_vec_clear(r->mem, &values);
  return good;
}

/* ---- circuit ---- */

/* Exactly 'size' places are not their own successors. */
static bool circuit_size(xml_reader *r, const xmlNode *node, const var_list *list, int32_t base) {
  alea_csp_var size;
  terms visited = {0};
  bool good = xml_read_one(r, node, &size);
  for (size_t i = 0; i < list->count && good; i++) {
    alea_csp_var flag = xml_range_var(r, 0, 1);
    alea_csp_iff(r->csp, list->data[i], (int32_t)(base + (int64_t)i), flag, 0);
    good = xml_add_term(r, &visited, flag, 1);
  }
  condition c = {.op = ALEA_EQ, .has_var = true, .var = size};
  good = good && xml_post_sum(r, node, &visited, &c);
  xml_clear_terms(r, &visited);
  return good;
}

bool xml_read_circuit(xml_reader *r, const xmlNode *node, var_list *list) {
  static const char *const allowed[] = {"list", "size", NULL};
  const xmlNode *child = xml_child_named(node, "list"), *size = xml_child_named(node, "size");
  int32_t base = 0;
  if (!xml_only_children(r, node, allowed) || !xml_read_list(r, node, list) ||
      (child != NULL && !xml_start_index(r, child, "startIndex", &base)))
    return false;
  alea_csp_all_different(r->csp, list->data, (uint32_t)list->count, NULL, 0); /* implied */
  alea_csp_circuit(r->csp, list->data, (uint32_t)list->count, base);
  return size == NULL || circuit_size(r, size, list, base);
}

/* ---- noOverlap and cumulative ---- */

/* Numbers of a part of a constraint; rows of them if boxes have several
 * dimensions. */
static bool read_part(xml_reader *r, const xmlNode *node, const char *name, matrix *out) {
  const xmlNode *child = xml_child_named(node, name);
  if (child == NULL) return xml_refuse(r, node, "missing-part", "a part is missing: <%s>", name);
  const char *text = xml_text_of(r, child);
  text += strspn(text, " \t\r\n");
  if (*text == '(') return xml_read_matrix(r, child, out);
  out->columns = 1;
  if (!xml_read_vars(r, child, text, &out->cells)) return false;
  out->rows = out->cells.count;
  return out->rows <= UINT32_MAX / 8 || xml_refuse(r, child, "too-large", "<%s> is too long", name);
}

static bool not_negative(xml_reader *r, const xmlNode *node, const matrix *m) {
  for (size_t i = 0; i < m->cells.count; i++)
    if (csp_value(&r->csp->vars.data[m->cells.data[i]], 0) < 0)
      return xml_refuse(r, node, "unsupported",
                        "negative lengths or heights in <%s> are not supported", xml_name_of(node));
  return true;
}

static bool same_shape(xml_reader *r, const xmlNode *node, const matrix *a, const matrix *b) {
  return (a->rows == b->rows && a->columns == b->columns) ||
         xml_refuse(r, node, "bad-list", "the parts of <%s> differ in length", xml_name_of(node));
}

bool xml_read_no_overlap(xml_reader *r, const xmlNode *node, var_list *list) {
  static const char *const allowed[] = {"origins", "lengths", NULL};
  matrix origins = {0}, lengths = {0};
  bool zero_ignored;
  (void)list;
  bool good = xml_only_children(r, node, allowed) && read_part(r, node, "origins", &origins) &&
              read_part(r, node, "lengths", &lengths) &&
              xml_flag(r, node, "zeroIgnored", true, &zero_ignored) &&
              same_shape(r, node, &origins, &lengths) && not_negative(r, node, &lengths);
  if (good)
    alea_csp_no_overlap(r->csp, origins.cells.data, lengths.cells.data, (uint32_t)origins.rows,
                        (uint32_t)origins.columns, zero_ignored);
  alea_vec_clear(r->mem, &origins.cells);
  alea_vec_clear(r->mem, &lengths.cells);
  return good;
}

/* The capacity: (le,k), or (lt,k) for one less. */
static bool read_capacity(xml_reader *r, const xmlNode *node, alea_csp_var *limit) {
  condition c = {0};
  bool good = xml_read_condition(r, node, &c);
  if (good && (c.kind != COMPARE || (c.op != ALEA_LE && c.op != ALEA_LT)))
    good = xml_refuse(r, node, "unsupported", "<%s> supports the conditions le and lt only",
                      xml_name_of(node));
  *limit = good ? xml_condition_var(r, node, &c) : ALEA_CSP_NONE;
  if (*limit != ALEA_CSP_NONE && c.op == ALEA_LT) {
    char text[400];
    snprintf(text, sizeof text, "sub(%.300s,1)", xml_var_name(r, *limit));
    *limit = xml_view(r, node, text);
  }
  alea_vec_clear(r->mem, &c.set);
  return *limit != ALEA_CSP_NONE;
}

/* origin + length = end */
static bool post_ends(xml_reader *r, const xmlNode *node, const matrix *origins,
                      const matrix *lengths) {
  matrix ends = {0};
  if (xml_child_named(node, "ends") == NULL) return true;
  bool good = read_part(r, node, "ends", &ends) && same_shape(r, node, origins, &ends);
  for (size_t i = 0; i < ends.rows && good; i++)
    alea_csp_linear(
        r->csp,
        (alea_csp_var[]){origins->cells.data[i], lengths->cells.data[i], ends.cells.data[i]},
        (int64_t[]){1, 1, -1}, 3, ALEA_EQ, 0);
  alea_vec_clear(r->mem, &ends.cells);
  return good;
}

bool xml_read_cumulative(xml_reader *r, const xmlNode *node, var_list *list) {
  static const char *const allowed[] = {"origins", "lengths", "ends", "heights", "condition", NULL};
  matrix origins = {0}, lengths = {0}, heights = {0};
  alea_csp_var limit = ALEA_CSP_NONE;
  (void)list;
  bool good = xml_only_children(r, node, allowed) && read_part(r, node, "origins", &origins) &&
              read_part(r, node, "lengths", &lengths) && read_part(r, node, "heights", &heights) &&
              same_shape(r, node, &origins, &lengths) && same_shape(r, node, &origins, &heights) &&
              not_negative(r, node, &lengths) && not_negative(r, node, &heights) &&
              read_capacity(r, node, &limit) && post_ends(r, node, &origins, &lengths);
  if (good && origins.columns != 1)
    good = xml_refuse(r, node, "unsupported", "<%s> has one dimension", "cumulative");
  if (good)
    alea_csp_cumulative(r->csp, origins.cells.data, lengths.cells.data, heights.cells.data,
                        (uint32_t)origins.rows, limit);
  alea_vec_clear(r->mem, &origins.cells);
  alea_vec_clear(r->mem, &lengths.cells);
  alea_vec_clear(r->mem, &heights.cells);
  return good;
}
