/* The XCSP3 reader: variables and arrays. */
#include "csp/xcsp3/reader.h"

/* ---- variables ---- */

static bool add_range(xml_reader *r, const xmlNode *node, int_list *list, int32_t lo, int32_t hi) {
  if (lo > hi) return xml_refuse(r, node, "empty-range", "a range is empty%s", "");
  if ((int64_t)hi - lo >= MAX_INTERVAL)
    return xml_refuse(r, node, "too-large", "a range has more than 16777216 values%s", "");
  for (int64_t v = lo; v <= hi; v++)
    if (!alea_vec_push(r->mem, list, (int32_t)v)) return xml_no_memory(r);
  return true;
}

/* The rest of "5x3": the value repeated. */
static bool add_repeated(xml_reader *r, const xmlNode *node, const char **at, int32_t value,
                         int_list *list) {
  int32_t times;
  ++*at;
  if (!xml_read_int(r, node, at, &times)) return false;
  if (times < 0 || times > MAX_INTERVAL)
    return xml_refuse(r, node, "bad-number", "a number is repeated too often before '%s'", *at);
  for (; times > 0; times--)
    if (!alea_vec_push(r->mem, list, value)) return xml_no_memory(r);
  return true;
}

/* Integers, repeated ones 5x3 and ranges a..b, separated by spaces. */
bool xml_read_ints(xml_reader *r, const xmlNode *node, const char *at, int_list *list) {
  for (;;) {
    while (isspace((unsigned char)*at)) at++;
    if (*at == '\0') return !r->failed;
    int32_t lo, hi;
    if (!xml_read_int(r, node, &at, &lo)) return false;
    if (*at == 'x') {
      if (!add_repeated(r, node, &at, lo, list)) return false;
      continue;
    }
    hi = lo;
    if (at[0] == '.' && at[1] == '.') {
      at += 2;
      if (!xml_read_int(r, node, &at, &hi)) return false;
      if (csp_is_symbol(r->csp, hi))
        return xml_refuse(r, node, "unsupported", "symbols have no order in <%s>",
                          xml_name_of(node));
    }
    if (!add_range(r, node, list, lo, hi)) return false;
  }
}

/* A probability: a decimal number or a fraction a/b. */
static bool read_probability(xml_reader *r, const xmlNode *node, const char **at, double *p) {
  char *end;
  *p = strtod(*at, &end);
  if (end == *at)
    return xml_refuse(r, node, "bad-probability", "expected a probability at '%s'", *at);
  *at = end;
  if (**at != '/') return true;
  double below = strtod(++*at, &end);
  if (end == *at || below == 0)
    return xml_refuse(r, node, "bad-probability", "malformed fraction at '%s'", *at);
  *p /= below;
  *at = end;
  return true;
}

/* value:prob or lo..hi:prob; the probability is that of each value of the
 * range. */
static bool read_chance(xml_reader *r, const xmlNode *node, const char *at, int_list *values,
                        double **probabilities) {
  ALEA_VEC(double) p = {0};
  bool good = true;
  double total = 0;
  for (; good;) {
    while (isspace((unsigned char)*at)) at++;
    if (*at == '\0') break;
    int32_t lo = 0, hi;
    double each = 0;
    good = xml_read_int(r, node, &at, &lo);
    hi = lo;
    if (good && at[0] == '.' && at[1] == '.') {
      at += 2;
      good = xml_read_int(r, node, &at, &hi);
    }
    if (good && *at != ':')
      good = xml_refuse(r, node, "bad-probability", "expected ':' and a probability at '%s'", at);
    if (good) at++;
    good = good && read_probability(r, node, &at, &each) && add_range(r, node, values, lo, hi);
    if (good && !(each >= 0 && each <= 1))
      good = xml_refuse(r, node, "bad-probability", "a probability is not between 0 and 1%s", "");
    for (int64_t v = lo; v <= hi && good; v++) {
      total += each;
      if (!alea_vec_push(r->mem, &p, each)) good = xml_no_memory(r);
    }
  }
  for (size_t i = 1; i < values->count && good; i++)
    if (values->data[i] <= values->data[i - 1])
      good = xml_refuse(r, node, "bad-probability", "stochastic values must increase%s", "");
  if (good && (total < 1 - 1e-9 || total > 1 + 1e-9))
    good = xml_refuse(r, node, "bad-probability", "the probabilities do not add up to 1%s", "");
  *probabilities = NULL;
  if (good) {
    *probabilities = alea_arena_alloc(&r->out->arena, (p.count + 1) * sizeof(double));
    if (*probabilities == NULL)
      good = xml_no_memory(r);
    else
      memcpy(*probabilities, p.data, p.count * sizeof(double));
  }
  alea_vec_clear(r->mem, &p);
  return good;
}

/* The contents of a domain: a range or values, with probabilities if
 * stochastic. */
typedef struct domain_text {
  const xmlNode *node; /* the source, so that cells of an array share it */
  bool range, stochastic, symbolic;
  int32_t lo, hi;
  int_list values;
  double *probabilities;
} domain_text;

/* A single range needs no list. */
static bool single_range(const char *at, int32_t *lo, int32_t *hi) {
  char *end;
  long long a = strtoll(at, &end, 10);
  if (end == at || end[0] != '.' || end[1] != '.') return false;
  at = end + 2;
  long long b = strtoll(at, &end, 10);
  if (end == at) return false;
  while (isspace((unsigned char)*end)) end++;
  if (*end != '\0' || a > b || a < -INT32_MAX || b > INT32_MAX - 1 || b - a >= INT32_MAX)
    return false;
  *lo = (int32_t)a;
  *hi = (int32_t)b;
  return true;
}

static bool check_type(xml_reader *r, const xmlNode *node, domain_text *out) {
  const char *type = xml_attribute(r, node, "type");
  bool stochastic = type != NULL && strcmp(type, "stochastic") == 0;
  bool symbolic = type != NULL && strcmp(type, "symbolic") == 0;
  out->stochastic = out->stochastic || stochastic;
  out->symbolic = out->symbolic || symbolic;
  if (type == NULL || stochastic || symbolic || strcmp(type, "integer") == 0) return true;
  return xml_refuse(r, node, "unsupported", "variables of type '%s' are not supported", type);
}

/* The symbols of a domain. */
static bool read_symbols(xml_reader *r, const xmlNode *node, const char *at, int_list *values) {
  const char *word;
  size_t length;
  while (xml_next_word(&at, &word, &length)) {
    if (csp_symbol_length(word) != length)
      return xml_refuse(r, node, "bad-symbol", "expected a symbol at '%s'", word);
    int32_t value = csp_symbol_add(r->csp, word, length);
    if (value == ALEA_CSP_STAR || !alea_vec_push(r->mem, values, value)) return xml_no_memory(r);
  }
  return !r->failed;
}

/* 'typed' carries the type: the node itself, or the enclosing array. */
static bool read_domain(xml_reader *r, const xmlNode *node, const xmlNode *typed,
                        domain_text *out) {
  if (out->node == node) return true;
  out->values.count = 0;
  out->range = out->stochastic = out->symbolic = false;
  if (!check_type(r, node, out) || !check_type(r, typed, out)) return false;
  out->node = node;
  const char *text = xml_text_of(r, node);
  if (out->symbolic) return read_symbols(r, node, text, &out->values);
  if (out->stochastic) return read_chance(r, node, text, &out->values, &out->probabilities);
  out->range = single_range(text, &out->lo, &out->hi);
  return out->range || xml_read_ints(r, node, text, &out->values);
}

static alea_csp_var make_var(xml_reader *r, const xmlNode *node, const char *name,
                             const domain_text *domain) {
  if (alea_csp_find(r->csp, name) != ALEA_CSP_NONE) {
    xml_refuse(r, node, "repeated-name", "the name '%s' is used twice", name);
    return ALEA_CSP_NONE;
  }
  if (!domain->range && domain->values.count == 0) {
    xml_refuse(r, node, "empty-domain", "variable '%s' has an empty domain", name);
    return ALEA_CSP_NONE;
  }
  const int_list *values = &domain->values;
  bool large = domain->range && (int64_t)domain->hi - domain->lo >= MAX_INTERVAL;
  alea_csp_var var = large           ? alea_csp_interval(r->csp, name, domain->lo, domain->hi)
                     : domain->range ? alea_csp_range(r->csp, name, domain->lo, domain->hi)
                                     : alea_csp_values(r->csp, name, values->data, values->count);
  if (var == ALEA_CSP_NONE) {
    r->failed = true;
    return var;
  }
  r->csp->vars.data[var].symbolic = domain->symbolic;
  const char *class = xml_attribute(r, node, "class");
  if (class != NULL && strcmp(class, "hidden") == 0) alea_csp_hide(r->csp, var);
  alea_xcsp3_chance chance = {var, domain->probabilities};
  if (domain->stochastic && !alea_vec_push(r->mem, &r->out->chances, chance)) {
    xml_no_memory(r);
    return ALEA_CSP_NONE;
  }
  return var;
}

/* The node with the text of the domain: itself, or the target of "as". */
static xmlNode *domain_node(xml_reader *r, xmlNode *node, xmlNode *variables) {
  for (int hops = 0; hops < 16; hops++) {
    const char *as = xml_attribute(r, node, "as");
    if (as == NULL) return node;
    xmlNode *found = NULL;
    for (xmlNode *other = xml_first_element(variables); other != NULL;
         other = xml_next_element(other)) {
      const char *id = xml_attribute(r, other, "id");
      if (id != NULL && strcmp(id, as) == 0) found = other;
    }
    if (found == NULL) {
      xml_refuse(r, node, "unknown-variable", "as=\"%s\" names no variable", as);
      return NULL;
    }
    node = found;
  }
  xml_refuse(r, node, "unknown-variable", "a chain of 'as' does not end%s", "");
  return NULL;
}

bool xml_read_var(xml_reader *r, xmlNode *node, xmlNode *variables) {
  const char *id = xml_attribute(r, node, "id");
  if (id == NULL) return xml_refuse(r, node, "missing-id", "<%s> without an id", xml_name_of(node));
  xmlNode *source = domain_node(r, node, variables);
  domain_text domain = {0};
  bool good = source != NULL && read_domain(r, source, node, &domain) &&
              make_var(r, node, id, &domain) != ALEA_CSP_NONE;
  alea_vec_clear(r->mem, &domain.values);
  return good;
}

/* ---- arrays ---- */

enum { MAX_CELLS = 1 << 22 };

static bool read_sizes(xml_reader *r, const xmlNode *node, const char *text, names_array *array,
                       uint32_t *cells) {
  const char *at = text;
  *cells = 1;
  while (*at != '\0') {
    int32_t size;
    if (isspace((unsigned char)*at)) {
      at++;
      continue;
    }
    if (*at++ != '[' || array->dims == 8)
      return xml_refuse(r, node, "bad-array", "malformed size '%s'", text);
    if (!xml_read_int(r, node, &at, &size)) return false;
    if (*at++ != ']' || size <= 0 || (uint64_t)*cells * (uint32_t)size > MAX_CELLS)
      return xml_refuse(r, node, "bad-array", "malformed or too large size '%s'", text);
    array->size[array->dims++] = (uint32_t)size;
    *cells *= (uint32_t)size;
  }
  return array->dims > 0 || xml_refuse(r, node, "bad-array", "malformed size '%s'", text);
}

static void cell_name(const names_array *array, uint32_t cell, char *name, size_t room) {
  size_t length = (size_t)snprintf(name, room, "%s", array->id);
  uint32_t stride = 1;
  for (uint32_t d = 0; d < array->dims; d++) stride *= array->size[d];
  for (uint32_t d = 0; d < array->dims && length < room; d++) {
    stride /= array->size[d];
    uint32_t i = cell / stride % array->size[d] + array->start[d];
    length += (size_t)snprintf(name + length, room - length, "[%u]", i);
  }
}

/* One index part of a cell pattern: "[]" is all, "[a]" one, "[a..b]" several. */
typedef struct vars_span {
  uint32_t lo, hi;
} vars_span;

static bool read_span(xml_reader *r, const xmlNode *node, const char **at, const char *end,
                      const names_array *array, uint32_t d, vars_span *out) {
  const char *from = *at;
  int32_t lo, hi;
  *out = (vars_span){0, array->size[d] - 1};
  if (from >= end || *from != '[')
    return xml_refuse(r, node, "bad-array", "an index is missing in '%s'", array->id);
  from++;
  if (*from == ']') {
    *at = from + 1;
    return true;
  }
  if (!xml_read_int(r, node, &from, &lo)) return false;
  hi = lo;
  if (from[0] == '.' && from[1] == '.') {
    from += 2;
    if (!xml_read_int(r, node, &from, &hi)) return false;
  }
  int64_t a = (int64_t)lo - array->start[d], b = (int64_t)hi - array->start[d];
  if (*from != ']' || a < 0 || b < a || b >= array->size[d])
    return xml_refuse(r, node, "bad-array", "an index is out of range in '%s'", array->id);
  *out = (vars_span){(uint32_t)a, (uint32_t)b};
  *at = from + 1;
  return true;
}

const names_array *xml_find_array(const xml_reader *r, const char *word, size_t length) {
  for (size_t i = 0; i < r->arrays.count; i++)
    if (strlen(r->arrays.data[i].id) == length && memcmp(r->arrays.data[i].id, word, length) == 0)
      return &r->arrays.data[i];
  return NULL;
}

/* Adds the cells that a pattern such as x[2][] or x[] covers. */
bool xml_add_cells(xml_reader *r, const xmlNode *node, const char *word, size_t length,
                   const names_array *array, var_list *list) {
  const char *at = word + strlen(array->id), *end = word + length;
  vars_span spans[8];
  uint32_t cell[8];
  bool whole = at == end; /* the bare name is the whole array */
  for (uint32_t d = 0; d < array->dims; d++) {
    if (whole)
      spans[d] = (vars_span){0, array->size[d] - 1};
    else if (!read_span(r, node, &at, end, array, d, &spans[d]))
      return false;
    cell[d] = spans[d].lo;
  }
  if (!whole && at != end)
    return xml_refuse(r, node, "bad-array", "too many indexes for '%s'", array->id);
  for (;;) {
    uint32_t index = 0, d = array->dims;
    for (uint32_t k = 0; k < array->dims; k++) index = index * array->size[k] + cell[k];
    alea_csp_var var = array->cells[index];
    if (var != ALEA_CSP_NONE && !alea_vec_push(r->mem, list, var)) return xml_no_memory(r);
    while (d > 0 && cell[d - 1] == spans[d - 1].hi) {
      cell[d - 1] = spans[d - 1].lo;
      d--;
    }
    if (d == 0) return true;
    cell[d - 1]++;
  }
}

/* The domains of an array: one text for all cells, or <domain for="...">. */
static bool array_domains(xml_reader *r, xmlNode *node, const names_array *shape, uint32_t cells,
                          xmlNode **domains) {
  static const char *const allowed[] = {"domain", NULL};
  if (!xml_only_children(r, node, allowed)) return false;
  xmlNode *domain = xml_first_element(node);
  for (uint32_t c = 0; c < cells; c++) domains[c] = domain == NULL ? node : NULL;
  /* Patterns are resolved in an array whose cells are their own indexes. */
  names_array own = *shape;
  uint32_t *numbers = alea_arena_alloc(&r->out->arena, (cells + 1) * sizeof *numbers);
  if (numbers == NULL) return xml_no_memory(r);
  for (uint32_t c = 0; c < cells; c++) numbers[c] = c;
  own.cells = numbers;
  xmlNode *others = NULL;
  for (; domain != NULL; domain = xml_next_element(domain)) {
    const char *at = xml_attribute(r, domain, "for"), *word;
    size_t length;
    if (at == NULL) return xml_refuse(r, domain, "bad-array", "<%s> without 'for'", "domain");
    if (strcmp(at, "others") == 0) others = domain;
    while (strcmp(at, "others") != 0 && xml_next_word(&at, &word, &length)) {
      var_list hit = {0};
      size_t id = strlen(own.id);
      bool good = length >= id && memcmp(word, own.id, id) == 0
                      ? xml_add_cells(r, domain, word, length, &own, &hit)
                      : xml_refuse(r, domain, "bad-array", "'for' names another array: '%s'", word);
      for (size_t i = 0; i < hit.count; i++) domains[hit.data[i]] = domain;
      alea_vec_clear(r->mem, &hit);
      if (!good) return false;
    }
  }
  for (uint32_t c = 0; c < cells; c++)
    if (domains[c] == NULL) domains[c] = others;
  return true;
}

static bool read_starts(xml_reader *r, xmlNode *node, names_array *array) {
  const char *at = xml_attribute(r, node, "startIndex");
  if (at == NULL) return true;
  for (uint32_t d = 0; d < array->dims; d++) {
    int32_t start;
    while (isspace((unsigned char)*at) || *at == '[' || *at == ']') at++;
    if (!xml_read_int(r, node, &at, &start)) return false;
    if (start < 0) return xml_refuse(r, node, "bad-array", "a negative startIndex%s", "");
    array->start[d] = (uint32_t)start;
  }
  return true;
}

bool xml_read_array(xml_reader *r, xmlNode *node, xmlNode *variables) {
  names_array array = {.id = xml_attribute(r, node, "id")};
  const char *size = xml_attribute(r, node, "size");
  uint32_t cells;
  if (array.id == NULL || size == NULL)
    return xml_refuse(r, node, "missing-id", "<%s> without an id or size", "array");
  if (!read_sizes(r, node, size, &array, &cells) || !read_starts(r, node, &array)) return false;
  alea_csp_var *vars = alea_arena_alloc(&r->out->arena, cells * sizeof *vars);
  xmlNode **domains = alea_arena_alloc(&r->out->arena, cells * sizeof *domains);
  if (vars == NULL || domains == NULL) return xml_no_memory(r);
  xmlNode *source = domain_node(r, node, variables);
  if (source == NULL || !array_domains(r, source, &array, cells, domains)) return false;
  domain_text domain = {0};
  bool good = true;
  for (uint32_t c = 0; c < cells && good; c++) {
    char name[256];
    vars[c] = ALEA_CSP_NONE;
    if (domains[c] == NULL) continue; /* an undefined cell */
    cell_name(&array, c, name, sizeof name);
    good = read_domain(r, domains[c], node, &domain);
    if (good) vars[c] = make_var(r, node, name, &domain);
    good = good && vars[c] != ALEA_CSP_NONE;
  }
  alea_vec_clear(r->mem, &domain.values);
  array.cells = vars;
  if (good && !alea_vec_push(r->mem, &r->arrays, array)) good = xml_no_memory(r);
  return good;
}
