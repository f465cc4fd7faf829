/* Reading XCSP3-core with libxml2.  Elements are visited with an explicit
 * stack; entities are never expanded and nothing is fetched. */
#include "csp/xcsp3/reader.h"

/* ---- constraints ---- */

static bool read_intension(xml_reader *r, const xmlNode *node, var_list *list) {
  static const char *const allowed[] = {"function", NULL};
  (void)list;
  if (!xml_only_children(r, node, allowed)) return false;
  const xmlNode *child = xml_child_named(node, "function");
  const char *text = xml_text_of(r, child != NULL ? child : node);
  if (r->failed) return false;
  if (strchr(text, '%') != NULL)
    return xml_refuse(r, node, "bad-group", "no argument for '%s'", strchr(text, '%'));
  r->failed = alea_csp_intension(r->csp, text, xml_place_of(r, node), r->diag) != ALEA_OK;
  return !r->failed;
}

typedef bool (*read_function)(xml_reader *r, const xmlNode *node, var_list *list);
static const struct {
  const char *name;
  read_function read;
  bool symbols; /* needs of values only whether they are equal */
} constraint_kinds[] = {
    {"extension", xml_read_extension, true},
    {"intension", read_intension, true},
    {"allDifferent", xml_read_all_different, true},
    {"allEqual", xml_read_all_equal, true},
    {"ordered", xml_read_ordered, false},
    {"lex", xml_read_lex, false},
    {"sum", xml_read_sum, false},
    {"count", xml_read_count, true},
    {"nValues", xml_read_n_values, true},
    {"minimum", xml_read_extremum, false},
    {"maximum", xml_read_extremum, false},
    {"minimumArg", xml_read_arg, false},
    {"maximumArg", xml_read_arg, false},
    {"element", xml_read_element, false},
    {"channel", xml_read_channel, false},
    {"instantiation", xml_read_instantiation, true},
    {"clause", xml_read_clause, false},
    {"cardinality", xml_read_cardinality, true},
    {"regular", xml_read_automaton, true},
    {"mdd", xml_read_automaton, true},
    {"precedence", xml_read_precedence, false},
    {"stretch", xml_read_stretch, true},
    {"knapsack", xml_read_knapsack, false},
    {"binPacking", xml_read_bin_packing, false},
    {"circuit", xml_read_circuit, false},
    {"flow", xml_read_flow, false},
    {"noOverlap", xml_read_no_overlap, false},
    {"cumulative", xml_read_cumulative, false},
};

/* Checks for attributes that would change the meaning of a constraint. */
static bool plain(xml_reader *r, const xmlNode *node) {
  static const char *const changing[] = {"reifiedBy",     "hreifiedFrom",     "hreifiedTo",
                                         "violationCost", "violationMeasure", "defaultCost"};
  for (size_t i = 0; i < sizeof changing / sizeof *changing; i++)
    if (xmlHasProp(node, (const xmlChar *)changing[i]) != NULL)
      return xml_refuse(r, node, "unsupported", "the attribute '%s' is not supported", changing[i]);
  const char *type = xml_attribute(r, node, "type");
  return type == NULL || strcmp(type, "soft") != 0 ||
         xml_refuse(r, node, "unsupported", "constraints of type '%s' are not supported", type);
}

static bool read_constraint(xml_reader *r, const xmlNode *node) {
  for (size_t i = 0; i < sizeof constraint_kinds / sizeof *constraint_kinds; i++) {
    if (!xml_is(node, constraint_kinds[i].name)) continue;
    var_list list = {0};
    r->symbols_seen = false;
    bool good = plain(r, node) && constraint_kinds[i].read(r, node, &list) && !r->failed;
    alea_vec_clear(r->mem, &list);
    if (good && r->symbols_seen && !constraint_kinds[i].symbols)
      good = xml_refuse(r, node, "unsupported", "<%s> of symbolic variables is not supported",
                        xml_name_of(node));
    if (good && r->csp->state != ALEA_OK)
      good = xml_refuse(r, node, "too-large", "<%s> does not fit in memory or limits",
                        xml_name_of(node));
    return good;
  }
  return xml_refuse(r, node, "unsupported", "the constraint <%s> is not supported",
                    xml_name_of(node));
}

/* ---- groups and slides: a template and the values of its parameters ---- */

/* One more than the largest %k in the template: the first argument of %... . */
static size_t parameters(xml_reader *r, const xmlNode *template) {
  const char *at = xml_text_of(r, template);
  size_t count = 0;
  while ((at = strchr(at, '%')) != NULL) {
    size_t k = strtoul(++at, NULL, 10);
    if (isdigit((unsigned char)*at) && k < SIZE_MAX && k + 1 > count) count = k + 1;
  }
  return count;
}

static bool add_word(xml_reader *r, const char *word, word_list *out) {
  return alea_vec_push(r->mem, out, word) || xml_no_memory(r);
}

/* The words of a text, with array patterns cell by cell and repeated numbers
 * one by one. */
static bool read_words(xml_reader *r, const xmlNode *node, word_list *out) {
  const char *at = xml_text_of(r, node), *from;
  size_t length;
  bool good = !r->failed;
  while (good && xml_next_word(&at, &from, &length)) {
    char *word = alea_arena_strdup(&r->out->arena, from, length), *end;
    if (word == NULL) return xml_no_memory(r);
    bool pattern = strchr(word, '(') == NULL && alea_csp_find(r->csp, word) == ALEA_CSP_NONE &&
                   xml_find_array(r, word, strcspn(word, "[")) != NULL;
    strtol(word, &end, 10);
    bool repeated = end != word && *end == 'x';
    if (!pattern && !repeated) {
      good = add_word(r, word, out);
      continue;
    }
    var_list cells = {0};
    good = xml_read_vars(r, node, word, &cells);
    for (size_t i = 0; i < cells.count && good; i++) {
      int32_t value;
      char number[16];
      const char *name = xml_var_name(r, cells.data[i]);
      if (repeated && xml_is_constant(r, cells.data[i], &value)) {
        snprintf(number, sizeof number, "%d", value);
        name = alea_arena_strdup(&r->out->arena, number, strlen(number));
      }
      good = name != NULL ? add_word(r, name, out) : xml_no_memory(r);
    }
    alea_vec_clear(r->mem, &cells);
  }
  return good;
}

static bool instantiate(xml_reader *r, const xmlNode *template, const word_list *args,
                        size_t rest) {
  r->args = args;
  r->rest = rest < args->count ? rest : args->count;
  bool good = read_constraint(r, template);
  r->args = NULL;
  return good;
}

/* A group: one template, then one <args> per instance. */
static bool read_group(xml_reader *r, const xmlNode *node) {
  const xmlNode *template = xml_first_element(node);
  if (template == NULL) return xml_refuse(r, node, "bad-group", "an empty <%s>", "group");
  size_t rest = parameters(r, template);
  for (xmlNode *args = xml_next_element(template); args != NULL; args = xml_next_element(args)) {
    if (!xml_is(args, "args"))
      return xml_refuse(r, args, "unsupported", "<%s> in a group is not supported",
                        xml_name_of(args));
    word_list words = {0};
    bool good = read_words(r, args, &words) && instantiate(r, template, &words, rest);
    alea_vec_clear(r->mem, &words);
    if (!good) return false;
  }
  return true;
}

typedef struct sliding { /* one <list> of a slide */
  word_list words;
  size_t offset, collect;
} sliding;

static bool read_step(xml_reader *r, const xmlNode *node, const char *name, size_t otherwise,
                      size_t *out) {
  const char *text = xml_attribute(r, node, name);
  int32_t number = 0;
  *out = otherwise;
  if (text == NULL) return true;
  if (!xml_read_int(r, node, &text, &number)) return false;
  *out = (size_t)number;
  return number > 0 || xml_refuse(r, node, "bad-slide", "'%s' must be positive", name);
}

typedef ALEA_VEC(sliding) slide_lists;

/* Window number 'at' of every list; false if a list has none. */
static bool window(xml_reader *r, const slide_lists *lists, size_t at, bool circular,
                   word_list *out, bool *whole) {
  out->count = 0;
  *whole = true;
  for (size_t l = 0; l < lists->count; l++) {
    const sliding *s = &lists->data[l];
    size_t first = at * s->offset, n = s->words.count;
    *whole = *whole && (circular ? first < n : first + s->collect <= n);
    for (size_t i = 0; i < s->collect && *whole; i++)
      if (!alea_vec_push(r->mem, out, s->words.data[(first + i) % n])) return xml_no_memory(r);
  }
  return true;
}

static bool slide_over(xml_reader *r, const xmlNode *template, const slide_lists *lists,
                       size_t rest, bool circular) {
  word_list words = {0};
  bool good = true, whole = true;
  for (size_t at = 0; good; at++) {
    good = window(r, lists, at, circular, &words, &whole);
    if (!whole) break;
    good = good && instantiate(r, template, &words, rest);
  }
  alea_vec_clear(r->mem, &words);
  return good;
}

/* A slide: lists from which windows are taken, then one template. */
static bool read_slide(xml_reader *r, const xmlNode *node) {
  slide_lists lists = {0};
  const xmlNode *template = xml_first_element(node);
  while (template != NULL && xml_is(template, "list")) template = xml_next_element(template);
  const xmlNode *first = xml_child_named(node, "list");
  if (template == NULL || first == NULL || xml_next_element(template) != NULL)
    return xml_refuse(r, node, "bad-slide", "<%s> needs lists and then one constraint", "slide");
  size_t rest = parameters(r, template);
  bool circular, good = xml_flag(r, node, "circular", false, &circular);
  bool single = xml_next_named(first, "list") == NULL;
  for (const xmlNode *child = first; child != NULL && good; child = xml_next_named(child, "list")) {
    sliding s = {0};
    good = read_words(r, child, &s.words) && read_step(r, child, "offset", 1, &s.offset) &&
           read_step(r, child, "collect", single && rest > 0 ? rest : 1, &s.collect);
    if (good && s.collect > s.words.count)
      good = xml_refuse(r, child, "bad-slide", "a window is longer than its <%s>", "list");
    if (!alea_vec_push(r->mem, &lists, s)) {
      alea_vec_clear(r->mem, &s.words);
      good = xml_no_memory(r);
    }
  }
  good = good && slide_over(r, template, &lists, rest, circular);
  for (size_t i = 0; i < lists.count; i++) alea_vec_clear(r->mem, &lists.data[i].words);
  alea_vec_clear(r->mem, &lists);
  return good;
}

static bool read_any(xml_reader *r, const xmlNode *node) {
  if (xml_is(node, "group")) return plain(r, node) && read_group(r, node);
  if (xml_is(node, "slide")) return plain(r, node) && read_slide(r, node);
  return read_constraint(r, node);
}

/* Blocks may nest: they are traversed by the links of the tree, not by
 * recursion. */
static bool read_constraints(xml_reader *r, const xmlNode *root) {
  const xmlNode *node = xml_first_element(root);
  while (node != NULL) {
    if (xml_is(node, "block")) {
      const xmlNode *inside = xml_first_element(node);
      if (inside != NULL) {
        node = inside;
        continue;
      }
    } else if (!read_any(r, node)) {
      return false;
    }
    const xmlNode *next;
    while ((next = xml_next_element(node)) == NULL && node->parent != root) node = node->parent;
    node = next;
  }
  return true;
}

/* ---- the instance ---- */

static bool read_variables(xml_reader *r, xmlNode *variables) {
  for (xmlNode *node = xml_first_element(variables); node != NULL; node = xml_next_element(node)) {
    bool good;
    if (xml_is(node, "var"))
      good = xml_read_var(r, node, variables);
    else if (xml_is(node, "array"))
      good = xml_read_array(r, node, variables);
    else
      good = xml_refuse(r, node, "unsupported", "<%s> is not a variable", xml_name_of(node));
    if (!good) return false;
  }
  return true;
}

static bool check_header(xml_reader *r, const xmlNode *root) {
  static const char *const known[] = {"CSP", "COP", "SCSP", "QCSP", "StrategicCSP", NULL};
  if (!xml_is(root, "instance"))
    return xml_refuse(r, root, "not-xcsp3", "the root is <%s>, not <instance>", xml_name_of(root));
  const char *format = xml_attribute(r, root, "format"), *type = xml_attribute(r, root, "type");
  if (format == NULL || strcmp(format, "XCSP3") != 0)
    return xml_refuse(r, root, "not-xcsp3", "the format is '%s', not XCSP3",
                      format == NULL ? "" : format);
  for (size_t i = 0; type != NULL && known[i] != NULL; i++)
    if (strcmp(type, known[i]) == 0) return true;
  return xml_refuse(r, root, "unsupported", "instances of type '%s' are not supported",
                    type == NULL ? "" : type);
}

static bool read_instance(xml_reader *r, const xmlNode *root) {
  static const char *const allowed[] = {"variables", "constraints", "objectives", "quantification",
                                        "stages",    "annotations", NULL};
  if (!check_header(r, root) || !xml_only_children(r, root, allowed)) return false;
  xmlNode *variables = xml_child_named(root, "variables");
  if (variables == NULL) return xml_refuse(r, root, "missing-variables", "no <%s>", "variables");
  if (!read_variables(r, variables)) return false;
  r->declared = (uint32_t)r->csp->vars.count;
  const char *type = xml_attribute(r, root, "type");
  r->out->classical = type != NULL && strcmp(type, "QCSP") == 0;
  for (xmlNode *node = xml_first_element(root); node != NULL; node = xml_next_element(node)) {
    bool good = true;
    if (xml_is(node, "constraints"))
      good = read_constraints(r, node);
    else if (xml_is(node, "objectives"))
      good = xml_read_objectives(r, node);
    else if (xml_is(node, "quantification"))
      good = xml_read_quantification(r, node);
    if (!good) return false;
  }
  bool plain_network = r->out->quantifiers.count == 0 && r->out->chances.count == 0;
  for (uint32_t v = 0; v < r->csp->vars.count && !plain_network; v++)
    if (!xml_few_values(r, variables, &r->csp->vars.data[v])) return false;
  /* Last, because stages are compared with the quantifiers. */
  const xmlNode *stages = xml_child_named(root, "stages");
  /* As in the XCSP3 competitions; a stage is no constraint. */
  if (plain_network) alea_csp_drop_unused(r->csp);
  return stages == NULL || xml_read_stages(r, stages);
}

/* The first error of the parser: later ones are its consequences. */
typedef struct xml_mistake {
  char message[160];
  uint32_t line, column;
} xml_mistake;

static void note_first(void *data, xmlErrorPtr error) {
  xml_mistake *m = data;
  if (m->line != 0) return;
  const char *text = error->message != NULL ? error->message : "not XML";
  size_t length = strcspn(text, "\n");
  if (length >= sizeof m->message) length = sizeof m->message - 1;
  memcpy(m->message, text, length);
  m->message[length] = '\0';
  m->line = error->line > 0 ? (uint32_t)error->line : 1;
  m->column = error->int2 > 0 ? (uint32_t)error->int2 : 1;
}

static alea_status read_document(xml_reader *r, const char *text, int length) {
  xmlParserCtxt *context = xmlNewParserCtxt();
  if (context == NULL) return ALEA_SYSTEM;
  /* Nothing is printed to standard error. */
  xml_mistake mistake = {"not XML", 0, 0};
  xmlSetStructuredErrorFunc(&mistake, note_first);
  xmlDoc *document =
      xmlCtxtReadMemory(context, text, length, r->file, NULL,
                        XML_PARSE_NONET | XML_PARSE_NOCDATA | XML_PARSE_HUGE | XML_PARSE_BIG_LINES);
  alea_status status = ALEA_INPUT;
  if (document == NULL || xmlDocGetRootElement(document) == NULL) {
    alea_place place = {r->file, mistake.line > 0 ? mistake.line : 1,
                        mistake.column > 0 ? mistake.column : 1};
    alea_diag_error(r->diag, place, "xml", "%s", mistake.message);
  } else if (read_instance(r, xmlDocGetRootElement(document))) {
    status = r->csp->state;
  } else if (r->csp->state == ALEA_SYSTEM || r->csp->state == ALEA_LIMIT) {
    status = r->csp->state;
    alea_place place = {r->file, 1, 0}; /* found by xml_locate */
    if (status == ALEA_LIMIT && !r->refused)
      alea_diag_error(r->diag, place, "too-large",
                      "a constraint has more values than the limits allow");
  }
  if (document != NULL && (status == ALEA_INPUT || status == ALEA_LIMIT)) xml_locate(r);
  xmlSetStructuredErrorFunc(NULL, NULL);
  xmlFreeDoc(document);
  xmlFreeParserCtxt(context);
  return status;
}

alea_status alea_xcsp3_read(alea_xcsp3 *instance, alea_mem *mem, const char *text, size_t length,
                            const char *file, alea_diag *diag) {
  *instance = (alea_xcsp3){0};
  alea_arena_init(&instance->arena, mem);
  instance->csp = alea_csp_new(mem);
  xml_reader r = {.out = instance,
                  .csp = instance->csp,
                  .mem = mem,
                  .diag = diag,
                  .file = file,
                  .text = text,
                  .length = length};
  alea_status status = ALEA_SYSTEM;
  if (length > INT32_MAX)
    status = ALEA_LIMIT;
  else if (instance->csp != NULL)
    status = read_document(&r, text, (int)length);
  alea_vec_clear(mem, &r.arrays);
  alea_vec_clear(mem, &r.packed);
  if (status != ALEA_OK) alea_xcsp3_clear(instance, mem);
  return status;
}

void alea_xcsp3_clear(alea_xcsp3 *instance, alea_mem *mem) {
  alea_csp_free(instance->csp);
  alea_vec_clear(mem, &instance->chances);
  alea_vec_clear(mem, &instance->quantifiers);
  alea_vec_clear(mem, &instance->stages);
  alea_vec_clear(mem, &instance->staged);
  alea_arena_clear(&instance->arena);
  instance->csp = NULL;
}
