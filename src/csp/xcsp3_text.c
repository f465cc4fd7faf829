/* The XCSP3 reader: diagnostics, nodes, words, and lists of variables. */
#include "csp/xcsp3_reader.h"

alea_place xml_place_of(const xml_reader *r, const xmlNode *node) {
  long line = node != NULL ? xmlGetLineNo(node) : 0;
  return (alea_place){r->file, line > 0 ? (uint32_t)line : 1, 1};
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

bool xml_only_children(xml_reader *r, const xmlNode *node, const char *const *allowed) {
  for (xmlNode *child = xml_first_element(node); child != NULL; child = xml_next_element(child)) {
    bool known = false;
    for (size_t i = 0; allowed[i] != NULL && !known; i++) known = xml_is(child, allowed[i]);
    if (!known)
      return xml_refuse(r, child, "unsupported", "<%s> is not supported here", xml_name_of(child));
  }
  return true;
}

/* The text of a node into the arena; "" when empty. */
const char *xml_text_of(xml_reader *r, const xmlNode *node) {
  xmlChar *content = node == NULL ? NULL : xmlNodeGetContent(node);
  const char *from = content == NULL ? "" : (const char *)content;
  char *copy = alea_arena_strdup(&r->out->arena, from, strlen(from));
  xmlFree(content);
  if (copy == NULL) xml_no_memory(r);
  return copy == NULL ? "" : copy;
}

const char *xml_attribute(xml_reader *r, const xmlNode *node, const char *name) {
  xmlChar *value = xmlGetProp(node, (const xmlChar *)name);
  if (value == NULL) return NULL;
  char *copy = alea_arena_strdup(&r->out->arena, (const char *)value, strlen((const char *)value));
  xmlFree(value);
  if (copy == NULL) xml_no_memory(r);
  return copy;
}

/* The next word; false at the end.  Words are cut at spaces. */
bool xml_next_word(const char **at, const char **word, size_t *length) {
  while (isspace((unsigned char)**at)) ++*at;
  *word = *at;
  while (**at != '\0' && !isspace((unsigned char)**at)) ++*at;
  *length = (size_t)(*at - *word);
  return *length != 0;
}

bool xml_read_int(xml_reader *r, const xmlNode *node, const char **at, int32_t *value) {
  char *end;
  long long number = strtoll(*at, &end, 10);
  if (end == *at) return xml_refuse(r, node, "bad-number", "expected a number at '%s'", *at);
  if (number > INT32_MAX - 1 || number < -INT32_MAX)
    return xml_refuse(r, node, "bad-number", "number out of range at '%s'", *at);
  *at = end;
  *value = (int32_t)number;
  return true;
}

/* ---- lists of variables ---- */

alea_csp_var xml_constant_var(xml_reader *r, int32_t value) {
  char name[32];
  snprintf(name, sizeof name, "$%u", r->hidden++);
  alea_csp_var var = alea_csp_values(r->csp, name, &value, 1);
  alea_csp_hide(r->csp, var);
  if (var == ALEA_CSP_NONE) xml_no_memory(r);
  return var;
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

/* %k or %... inside a group. */
static bool add_argument(xml_reader *r, const xmlNode *node, const char *word, size_t length,
                         var_list *list) {
  size_t from = 0, to = 0;
  if (r->args == NULL) return xml_refuse(r, node, "bad-group", "'%s' outside of a group", word);
  if (length == 4 && memcmp(word, "%...", 4) == 0) {
    to = r->args->count;
  } else {
    from = strtoul(word + 1, NULL, 10);
    to = from + 1;
  }
  if (to > r->args->count) return xml_refuse(r, node, "bad-group", "no argument for '%s'", word);
  for (size_t i = from; i < to; i++)
    if (!alea_vec_push(r->mem, list, r->args->data[i])) return xml_no_memory(r);
  return true;
}

/* Variables, array patterns, group arguments; integers become constants. */
bool xml_read_vars(xml_reader *r, const xmlNode *node, const char *at, var_list *list) {
  const char *word;
  size_t length;
  while (xml_next_word(&at, &word, &length)) {
    char name[256];
    if (*word == '%') {
      if (!add_argument(r, node, word, length, list)) return false;
      continue;
    }
    if (isdigit((unsigned char)*word) || *word == '-' || *word == '+') {
      int32_t value;
      const char *from = word;
      if (!xml_read_int(r, node, &from, &value)) return false;
      if (from != word + length)
        return xml_refuse(r, node, "bad-number", "expected a variable or a number at '%s'", word);
      if (!alea_vec_push(r->mem, list, xml_constant_var(r, value))) return xml_no_memory(r);
      if (r->failed) return false;
      continue;
    }
    if (memchr(word, '(', length) != NULL)
      return xml_refuse(r, node, "unsupported", "an expression in a list is not supported: '%s'",
                        word);
    if (length >= sizeof name)
      return xml_refuse(r, node, "unknown-variable", "name too long '%s'", word);
    memcpy(name, word, length);
    name[length] = '\0';
    alea_csp_var var = alea_csp_find(r->csp, name);
    const char *bracket = memchr(word, '[', length);
    const names_array *array =
        var != ALEA_CSP_NONE
            ? NULL
            : xml_find_array(r, word, bracket != NULL ? (size_t)(bracket - word) : length);
    if (var != ALEA_CSP_NONE) {
      if (!alea_vec_push(r->mem, list, var)) return xml_no_memory(r);
    } else if (array != NULL) {
      if (!xml_add_cells(r, node, word, length, array, list)) return false;
    } else {
      return xml_refuse(r, node, "unknown-variable", "unknown variable '%s'", name);
    }
  }
  return true;
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
  return list->count <= UINT32_MAX / 2 ||
         xml_refuse(r, source, "too-large", "a list is too long%s", "");
}
