/* The XCSP3 reader: diagnostics, nodes, words, and lists of variables. */
#include "csp/xcsp3/reader.h"

#include <stdarg.h>

/* The number of an element in the order of the document, from 1. */
static size_t element_number(const xmlNode *node) {
  const xmlNode *at = xmlDocGetRootElement(node->doc);
  size_t number = 1;
  while (at != NULL && at != node) {
    if (at->type == XML_ELEMENT_NODE && at->children != NULL) {
      at = at->children;
    } else {
      while (at != NULL && at->next == NULL) at = at->parent;
      if (at != NULL) at = at->next;
    }
    number += at != NULL && at->type == XML_ELEMENT_NODE;
  }
  return number;
}

/* After the next 'mark', or the end. */
static const char *skip_past(const char *at, const char *end, const char *mark) {
  size_t length = strlen(mark);
  for (; (size_t)(end - at) >= length; at++)
    if (memcmp(at, mark, length) == 0) return at + length;
  return end;
}

/* The start of the n-th start tag of the text, from 1; its end if there is none.
 * Comments, instructions, declarations and CDATA have no tags. */
static const char *find_tag(const char *at, const char *end, size_t n) {
  static const char *const spans[][2] = {
      {"<!--", "-->"}, {"<![CDATA[", "]]>"}, {"<?", "?>"}, {"<!", ">"}, {"</", ">"}};
  while (at < end) {
    if (*at != '<') {
      at++;
      continue;
    }
    const char *close = NULL;
    for (size_t i = 0; close == NULL && i < sizeof spans / sizeof *spans; i++) {
      size_t length = strlen(spans[i][0]);
      if ((size_t)(end - at) >= length && memcmp(at, spans[i][0], length) == 0) close = spans[i][1];
    }
    if (close == NULL && --n == 0) return at;
    at = close != NULL ? skip_past(at, end, close) : at + 1;
  }
  return end;
}

alea_place xml_place_of(xml_reader *r, const xmlNode *node) {
  r->placed = node;
  return (alea_place){r->file, 1, 0};
}

static bool of_word(char c) { return isalnum((unsigned char)c) || c == '_' || c == '$'; }

/* Where the words of a length stand between two places, not as a part of another
 * word; NULL if nowhere. */
static const char *find_words(const char *at, const char *end, const char *words, size_t length) {
  for (const char *from = at; (size_t)(end - at) >= length; at++)
    if (memcmp(at, words, length) == 0 && (at == from || !of_word(at[-1]) || !of_word(words[0])) &&
        (at + length == end || !of_word(at[length]) || !of_word(words[length - 1])))
      return at;
  return NULL;
}

/* The end of the element whose tag begins at 'tag'. */
static const char *element_end(const char *tag, const char *end, const xmlNode *node) {
  char close[80];
  int length = snprintf(close, sizeof close, "</%.70s", xml_name_of(node));
  const char *at = find_words(tag, end, close, (size_t)length);
  const char *brace = memchr(tag, '>', (size_t)(end - tag));
  if (brace != NULL && brace[-1] == '/') return brace;
  return at != NULL ? at : end;
}

/* What a message quotes, where the element has it; the values of a template
 * stand in the group around it.  Otherwise the tag of the element. */
static const char *find_place(const xml_reader *r, const char *message) {
  const char *end = r->text + r->length, *quote = strchr(message, '\''),
             *last = strrchr(message, '\'');
  const xmlNode *node = r->placed;
  if (node == NULL) return r->text;
  const char *tag = find_tag(r->text, end, element_number(node));
  if (quote == NULL || last == quote + 1 || last == quote || tag == end) return tag;
  size_t length = (size_t)(last - quote) - 1;
  const char *found = find_words(tag, element_end(tag, end, node), quote + 1, length);
  const xmlNode *around = node->parent;
  if (found != NULL || around == NULL || around->type != XML_ELEMENT_NODE ||
      (!xml_is(around, "group") && !xml_is(around, "slide")))
    return found != NULL ? found : tag;
  const char *outer = find_tag(r->text, end, element_number(around));
  found = find_words(outer, element_end(outer, end, around), quote + 1, length);
  return found != NULL ? found : tag;
}

/* libxml2 keeps only lines, and those of the ends of tags: the text is searched. */
void xml_locate(const xml_reader *r) {
  if (r->diag == NULL || r->diag->entries.count == 0) return;
  alea_diag_entry *entry = &r->diag->entries.data[r->diag->entries.count - 1];
  alea_place *place = &entry->place;
  if (place->column != 0) return;
  place->column = 1;
  const char *at = find_place(r, entry->message);
  for (const char *c = r->text; c < at; c++) {
    place->column = *c == '\n' ? 1 : place->column + 1;
    place->line += *c == '\n';
  }
}

bool xml_refuse(xml_reader *r, const xmlNode *node, const char *code, const char *format,
                const char *what) {
  if (!r->failed) {
    char shown[80];
    size_t length = strlen(what);
    if (length >= sizeof shown) length = sizeof shown - 1;
    memcpy(shown, what, length);
    shown[length] = '\0';
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    alea_diag_error(r->diag, xml_place_of(r, node), code, format, shown);
#pragma GCC diagnostic pop
    r->refused = true;
  }
  r->failed = true;
  return false;
}

bool xml_no_memory(xml_reader *r) {
  csp_fail(r->csp, ALEA_SYSTEM);
  r->failed = true;
  return false;
}

const char *xml_name_of(const xmlNode *node) { return (const char *)node->name; }
bool xml_is(const xmlNode *node, const char *name) { return strcmp(xml_name_of(node), name) == 0; }

xmlNode *xml_first_element(const xmlNode *node) {
  for (xmlNode *child = node->children; child != NULL; child = child->next)
    if (child->type == XML_ELEMENT_NODE) return child;
  return NULL;
}

xmlNode *xml_next_element(const xmlNode *node) {
  for (xmlNode *next = node->next; next != NULL; next = next->next)
    if (next->type == XML_ELEMENT_NODE) return next;
  return NULL;
}

xmlNode *xml_child_named(const xmlNode *node, const char *name) {
  for (xmlNode *child = xml_first_element(node); child != NULL; child = xml_next_element(child))
    if (xml_is(child, name)) return child;
  return NULL;
}

xmlNode *xml_next_named(const xmlNode *node, const char *name) {
  for (xmlNode *next = xml_next_element(node); next != NULL; next = xml_next_element(next))
    if (xml_is(next, name)) return next;
  return NULL;
}

bool xml_only_children(xml_reader *r, const xmlNode *node, const char *const *allowed) {
  for (xmlNode *child = xml_first_element(node); child != NULL; child = xml_next_element(child)) {
    bool known = false;
    for (size_t i = 0; allowed[i] != NULL && !known; i++) known = xml_is(child, allowed[i]);
    if (!known)
      return xml_refuse(r, child, "unsupported", "<%s> is not supported here", xml_name_of(child));
  }
  return true;
}

/* The element with an id, anywhere in the document. */
static const xmlNode *find_id(xml_reader *r, const xmlNode *from, const char *id) {
  const xmlNode *root = xmlDocGetRootElement(from->doc), *node = root;
  while (node != NULL) {
    const char *own = xml_attribute(r, node, "id");
    if (own != NULL && strcmp(own, id) == 0) return node;
    const xmlNode *next = xml_first_element(node);
    while (next == NULL && node != root) {
      next = xml_next_element(node);
      if (next == NULL) node = node->parent;
    }
    node = next;
  }
  return NULL;
}

/* Replaces %k and %... by group arguments; within brackets a list of them is
 * separated by commas, otherwise by spaces. */
static bool expand(xml_reader *r, const xmlNode *node, const char *from, alea_text *to) {
  int depth = 0;
  for (; *from != '\0'; from++) {
    depth += (*from == '(' || *from == '{') - (*from == ')' || *from == '}');
    if (*from != '%') {
      alea_text_char(to, *from);
      continue;
    }
    char *end;
    bool rest = strncmp(from, "%...", 4) == 0;
    size_t k = strtoul(from + 1, &end, 10), last = k + 1;
    if (!rest && (!isdigit((unsigned char)from[1]) || k >= r->args->count))
      return xml_refuse(r, node, "bad-group", "no argument for '%s'", from);
    if (rest) {
      k = r->rest;
      last = r->args->count;
    }
    for (size_t i = k; i < last; i++) {
      if (i > k) alea_text_char(to, depth > 0 ? ',' : ' ');
      alea_text_put(to, r->args->data[i]);
    }
    from = rest ? from + 3 : end - 1;
  }
  return !to->failed || xml_no_memory(r);
}

static const char *expanded(xml_reader *r, const xmlNode *node, const char *text) {
  alea_text out;
  alea_text_init(&out, r->mem);
  char *copy = NULL;
  if (expand(r, node, text, &out)) {
    copy = alea_arena_strdup(&r->out->arena, alea_text_string(&out), out.length);
    if (copy == NULL) xml_no_memory(r);
  }
  alea_text_clear(&out);
  return copy == NULL ? "" : copy;
}

const char *xml_text_of(xml_reader *r, const xmlNode *node) {
  const char *as = node == NULL ? NULL : xml_attribute(r, node, "as");
  for (int hops = 0; as != NULL; hops++) {
    const xmlNode *source = hops < 16 ? find_id(r, node, as) : NULL;
    if (source == NULL) {
      xml_refuse(r, node, "unknown-variable", "as=\"%s\" names nothing", as);
      return "";
    }
    node = source;
    as = xml_attribute(r, node, "as");
  }
  if (node != NULL && node == r->kept) return r->kept_text;
  xmlChar *content = node == NULL ? NULL : xmlNodeGetContent(node);
  const char *from = content == NULL ? "" : (const char *)content;
  char *copy = alea_arena_strdup(&r->out->arena, from, strlen(from));
  xmlFree(content);
  if (copy == NULL) xml_no_memory(r);
  if (copy == NULL) return "";
  if (strchr(copy, '%') != NULL) return r->args != NULL ? expanded(r, node, copy) : copy;
  if (r->args != NULL && (xml_is(node, "supports") || xml_is(node, "conflicts"))) {
    r->kept = node;
    r->kept_text = copy;
  }
  return copy;
}

const char *xml_attribute(xml_reader *r, const xmlNode *node, const char *name) {
  xmlChar *value = xmlGetProp(node, (const xmlChar *)name);
  if (value == NULL) return NULL;
  char *copy = alea_arena_strdup(&r->out->arena, (const char *)value, strlen((const char *)value));
  xmlFree(value);
  if (copy == NULL) xml_no_memory(r);
  return copy;
}

bool xml_flag(xml_reader *r, const xmlNode *node, const char *name, bool otherwise, bool *out) {
  const char *text = xml_attribute(r, node, name);
  *out = text == NULL ? otherwise : strcmp(text, "true") == 0;
  if (text == NULL || *out || strcmp(text, "false") == 0) return true;
  return xml_refuse(r, node, "bad-attribute", "'%s' is neither true nor false", text);
}

bool xml_next_word(const char **at, const char **word, size_t *length) {
  int depth = 0;
  while (isspace((unsigned char)**at)) ++*at;
  *word = *at;
  for (; **at != '\0' && (depth > 0 || !isspace((unsigned char)**at)); ++*at)
    depth += (**at == '(') - (**at == ')');
  *length = (size_t)(*at - *word);
  return *length != 0;
}

/* A symbol of the instance in place of a number. */
static bool read_symbol(xml_reader *r, const char **at, int32_t *value) {
  const char *from = *at;
  while (isspace((unsigned char)*from)) from++;
  size_t length = csp_symbol_length(from);
  if (r->csp->symbols.count == 0 || length == 0) return false;
  *value = csp_symbol_find(r->csp, from, length);
  if (*value == ALEA_CSP_STAR) return false;
  *at = from + length;
  r->symbols_seen = true;
  return true;
}

bool xml_read_int(xml_reader *r, const xmlNode *node, const char **at, int32_t *value) {
  char *end;
  if (read_symbol(r, at, value)) return true;
  long long number = strtoll(*at, &end, 10);
  if (end == *at) return xml_refuse(r, node, "bad-number", "expected a number at '%s'", *at);
  if (number > INT32_MAX - 1 || number < -INT32_MAX || csp_is_symbol(r->csp, number))
    return xml_refuse(r, node, "bad-number", "number out of range at '%s'", *at);
  *at = end;
  *value = (int32_t)number;
  return true;
}

/* ---- auxiliary variables ---- */

const char *xml_var_name(const xml_reader *r, alea_csp_var var) {
  return r->csp->vars.data[var].name;
}

/* One variable per number, found by its name. */
alea_csp_var xml_constant_var(xml_reader *r, int32_t value) {
  char name[32];
  snprintf(name, sizeof name, "$c%d", value);
  alea_csp_var var = alea_csp_find(r->csp, name);
  if (var != ALEA_CSP_NONE) return var;
  var = alea_csp_values(r->csp, name, &value, 1);
  alea_csp_hide(r->csp, var);
  if (var == ALEA_CSP_NONE) xml_no_memory(r);
  return var;
}

bool xml_is_constant(const xml_reader *r, alea_csp_var var, int32_t *value) {
  const csp_variable *v = &r->csp->vars.data[var];
  *value = csp_value(v, 0);
  return v->size == 1;
}

alea_csp_var xml_range_var(xml_reader *r, int64_t lo, int64_t hi) {
  char name[32];
  if (lo < -INT32_MAX || hi > INT32_MAX || hi - lo >= MAX_INTERVAL) return ALEA_CSP_NONE;
  snprintf(name, sizeof name, "$%u", r->hidden++);
  alea_csp_var var = alea_csp_range(r->csp, name, (int32_t)lo, (int32_t)hi);
  alea_csp_hide(r->csp, var);
  if (var == ALEA_CSP_NONE) xml_no_memory(r);
  return var;
}

alea_csp_var xml_bounds_var(xml_reader *r, int64_t lo, int64_t hi, int64_t most) {
  char name[32];
  if (hi - lo < most) return xml_range_var(r, lo, hi);
  if (lo < -INT32_MAX || hi > INT32_MAX - 1 || hi - lo >= INT32_MAX) return ALEA_CSP_NONE;
  snprintf(name, sizeof name, "$%u", r->hidden++);
  alea_csp_var var = alea_csp_interval(r->csp, name, (int32_t)lo, (int32_t)hi);
  alea_csp_hide(r->csp, var);
  if (var == ALEA_CSP_NONE) xml_no_memory(r);
  return var;
}

bool xml_few_values(xml_reader *r, const xmlNode *node, const csp_variable *var) {
  return !var->interval ||
         xml_refuse(r, node, "too-large", "'%s' has more than 16777216 values", var->name);
}

alea_csp_var xml_indicator(xml_reader *r, alea_csp_var var, int32_t value) {
  alea_csp_var flag = xml_range_var(r, 0, 1);
  if (flag != ALEA_CSP_NONE) alea_csp_iff(r->csp, var, value, flag, 1);
  return flag;
}

alea_csp_var xml_view(xml_reader *r, const xmlNode *node, const char *text) {
  alea_csp_var var = csp_expr_variable(r->csp, text, xml_place_of(r, node), r->diag);
  r->failed = r->failed || var == ALEA_CSP_NONE;
  return var;
}

bool xml_post_text(xml_reader *r, const xmlNode *node, const char *format, ...) {
  char text[1024];
  va_list list;
  va_start(list, format);
  int length = vsnprintf(text, sizeof text, format, list);
  va_end(list);
  if (length < 0 || (size_t)length >= sizeof text)
    return xml_refuse(r, node, "too-large", "names too long in <%s>", xml_name_of(node));
  if (alea_csp_intension(r->csp, text, xml_place_of(r, node), r->diag) != ALEA_OK) r->failed = true;
  return !r->failed;
}

/* ---- lists of variables ---- */

static bool add_operand(xml_reader *r, alea_csp_var var, int32_t value, operand_list *list) {
  return alea_vec_push(r->mem, list, (operand){var, value}) || xml_no_memory(r);
}

/* A number, a repeated number 5x3, or a range 1..4. */
static bool add_numbers(xml_reader *r, const xmlNode *node, const char *word, size_t length,
                        operand_list *list) {
  int_list values = {0};
  char *text = alea_arena_strdup(&r->out->arena, word, length);
  bool good = text != NULL ? xml_read_ints(r, node, text, &values) : xml_no_memory(r);
  for (size_t i = 0; i < values.count && good; i++)
    good = add_operand(r, ALEA_CSP_NONE, values.data[i], list);
  alea_vec_clear(r->mem, &values);
  return good;
}

static bool add_name(xml_reader *r, const xmlNode *node, const char *word, size_t length,
                     operand_list *list) {
  char *name = alea_arena_strdup(&r->out->arena, word, length);
  if (name == NULL) return xml_no_memory(r);
  alea_csp_var var = ALEA_CSP_NONE;
  if (memchr(word, '(', length) != NULL) {
    var = xml_view(r, node, name);
    return var != ALEA_CSP_NONE && add_operand(r, var, 0, list);
  }
  var = alea_csp_find(r->csp, name);
  if (var != ALEA_CSP_NONE) return add_operand(r, var, 0, list);
  const char *bracket = memchr(word, '[', length);
  const names_array *array =
      xml_find_array(r, word, bracket != NULL ? (size_t)(bracket - word) : length);
  int32_t symbol;
  const char *rest = name;
  if (array == NULL && read_symbol(r, &rest, &symbol) && *rest == '\0')
    return add_operand(r, ALEA_CSP_NONE, symbol, list);
  if (array == NULL) return xml_refuse(r, node, "unknown-variable", "unknown variable '%s'", name);
  var_list cells = {0};
  bool good = xml_add_cells(r, node, word, length, array, &cells);
  for (size_t i = 0; i < cells.count && good; i++) good = add_operand(r, cells.data[i], 0, list);
  alea_vec_clear(r->mem, &cells);
  return good;
}

/* Variables, array patterns, expressions, integers. */
bool xml_read_operands(xml_reader *r, const xmlNode *node, const char *at, operand_list *list) {
  const char *word;
  size_t length;
  while (xml_next_word(&at, &word, &length)) {
    bool number = isdigit((unsigned char)*word) || *word == '-' || *word == '+';
    if (*word == '%') return xml_refuse(r, node, "bad-group", "'%s' outside of a group", word);
    if (number ? !add_numbers(r, node, word, length, list) : !add_name(r, node, word, length, list))
      return false;
  }
  for (size_t i = 0; i < list->count; i++) {
    if (list->data[i].var == ALEA_CSP_NONE) continue;
    csp_variable *var = &r->csp->vars.data[list->data[i].var];
    var->mentioned = true;
    r->symbols_seen = r->symbols_seen || var->symbolic;
  }
  return !r->failed;
}

bool xml_read_vars(xml_reader *r, const xmlNode *node, const char *at, var_list *list) {
  operand_list operands = {0};
  bool good = xml_read_operands(r, node, at, &operands);
  for (size_t i = 0; i < operands.count && good; i++) {
    operand o = operands.data[i];
    if (o.var == ALEA_CSP_NONE) o.var = xml_constant_var(r, o.value);
    good = o.var != ALEA_CSP_NONE && (alea_vec_push(r->mem, list, o.var) || xml_no_memory(r));
  }
  alea_vec_clear(r->mem, &operands);
  return good;
}

bool xml_read_one(xml_reader *r, const xmlNode *node, alea_csp_var *var) {
  var_list one = {0};
  bool good = xml_read_vars(r, node, xml_text_of(r, node), &one);
  if (good && one.count != 1)
    good = xml_refuse(r, node, "bad-list", "one variable or number is needed in <%s>",
                      xml_name_of(node));
  if (good) *var = one.data[0];
  alea_vec_clear(r->mem, &one);
  return good;
}

/* The list of a constraint: its <list> child, or its own text. */
bool xml_read_list(xml_reader *r, const xmlNode *node, var_list *list) {
  const xmlNode *child = xml_child_named(node, "list");
  if (child == NULL && xml_first_element(node) != NULL)
    return xml_refuse(r, node, "missing-list", "<%s> without a <list>", xml_name_of(node));
  const xmlNode *source = child != NULL ? child : node;
  if (!xml_read_vars(r, source, xml_text_of(r, source), list)) return false;
  if (list->count == 0)
    return xml_refuse(r, source, "missing-list", "the list of <%s> is empty", xml_name_of(node));
  return list->count <= UINT32_MAX / 8 ||
         xml_refuse(r, source, "too-large", "a list is too long%s", "");
}

bool xml_start_index(xml_reader *r, const xmlNode *node, const char *name, int32_t *base) {
  const char *start = xml_attribute(r, node, name);
  *base = 0;
  return start == NULL || xml_read_int(r, node, &start, base);
}

/* ---- matrices ---- */

/* One row "(a,b,...)": its entries, separated by commas outside of brackets. */
static bool read_row(xml_reader *r, const xmlNode *node, const char **at, var_list *cells) {
  int depth = 0;
  const char *from = ++*at;
  for (;; ++*at) {
    char c = **at;
    if (c == '\0')
      return xml_refuse(r, node, "bad-matrix", "a ')' is missing in <%s>", xml_name_of(node));
    bool entry = depth == 0 && (c == ',' || c == ')');
    depth += (c == '(') - (c == ')');
    if (!entry) continue;
    size_t before = cells->count;
    const char *text = alea_arena_strdup(&r->out->arena, from, (size_t)(*at - from));
    if (text == NULL) return xml_no_memory(r);
    if (!xml_read_vars(r, node, text, cells)) return false;
    if (cells->count == before)
      return xml_refuse(r, node, "bad-matrix", "an entry is missing at '%s'", from);
    from = *at + 1;
    if (c == ')') break;
  }
  ++*at;
  return true;
}

/* The number of cells that the last open index of a pattern covers. */
static size_t last_span(const names_array *array, const char *word, size_t length) {
  size_t width = array->size[array->dims - 1];
  uint32_t d = 0;
  for (const char *at = word; at < word + length; at++) {
    if (*at != '[') continue;
    const char *dots = strstr(at, "..");
    const char *close = strchr(at, ']');
    if (d < array->dims && at[1] == ']') width = array->size[d];
    if (close != NULL && dots != NULL && dots < close)
      width = (size_t)(strtol(dots + 2, NULL, 10) - strtol(at + 1, NULL, 10) + 1);
    d++;
  }
  return width;
}

static bool pattern_columns(xml_reader *r, const char *text, size_t *columns) {
  const char *word;
  size_t length;
  if (!xml_next_word(&text, &word, &length)) return false;
  const char *bracket = memchr(word, '[', length);
  const names_array *array =
      xml_find_array(r, word, bracket != NULL ? (size_t)(bracket - word) : length);
  if (array == NULL) return false;
  *columns = last_span(array, word, length);
  return true;
}

bool xml_read_matrix(xml_reader *r, const xmlNode *node, matrix *out) {
  const char *at = xml_text_of(r, node);
  if (r->failed) return false;
  while (isspace((unsigned char)*at)) at++;
  if (*at != '(') {
    if (!pattern_columns(r, at, &out->columns) || !xml_read_vars(r, node, at, &out->cells))
      return xml_refuse(r, node, "bad-matrix", "neither rows nor a pattern in <%s>",
                        xml_name_of(node));
  } else {
    while (*at == '(') {
      size_t before = out->cells.count;
      if (!read_row(r, node, &at, &out->cells)) return false;
      size_t width = out->cells.count - before;
      if (before > 0 && width != out->columns)
        return xml_refuse(r, node, "bad-matrix", "the rows of <%s> differ in length",
                          xml_name_of(node));
      out->columns = width;
      while (isspace((unsigned char)*at)) at++;
    }
    if (*at != '\0') return xml_refuse(r, node, "bad-matrix", "expected '(' at '%s'", at);
  }
  if (out->columns == 0 || out->cells.count == 0 || out->cells.count % out->columns != 0 ||
      out->cells.count > UINT32_MAX / 8)
    return xml_refuse(r, node, "bad-matrix", "<%s> is no matrix", xml_name_of(node));
  out->rows = out->cells.count / out->columns;
  return true;
}

bool xml_read_tuples(xml_reader *r, const xmlNode *node, size_t width, int_list *out) {
  matrix rows = {0};
  bool good = xml_read_matrix(r, node, &rows);
  if (good && rows.columns != width)
    good =
        xml_refuse(r, node, "bad-tuple", "a tuple of <%s> has the wrong length", xml_name_of(node));
  for (size_t i = 0; i < rows.cells.count && good; i++) {
    int32_t value;
    if (!xml_is_constant(r, rows.cells.data[i], &value))
      good = xml_refuse(r, node, "bad-tuple", "<%s> holds more than numbers", xml_name_of(node));
    else
      good = alea_vec_push(r->mem, out, value) || xml_no_memory(r);
  }
  alea_vec_clear(r->mem, &rows.cells);
  return good;
}
