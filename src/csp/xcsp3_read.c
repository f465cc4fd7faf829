/* XCSP3-core through libxml2.  Elements are visited with an explicit stack;
 * entities are never expanded and nothing is fetched. */
#include "csp/xcsp3_reader.h"

/* ---- intension ---- */

/* Replaces %k by the names of the arguments. */
static bool expand_text(xml_reader *r, const xmlNode *node, const char *from, alea_text *to) {
  for (; *from != '\0'; from++) {
    if (*from != '%') {
      alea_text_char(to, *from);
      continue;
    }
    char *end;
    size_t k = strtoul(from + 1, &end, 10);
    bool rest = strncmp(from, "%...", 4) == 0;
    if (r->args == NULL || (!rest && (end == from + 1 || k >= r->args->count)))
      return xml_refuse(r, node, "bad-group", "no argument for '%s'", from);
    size_t last = rest ? r->args->count : k + 1;
    for (size_t i = rest ? 0 : k; i < last; i++) {
      const csp_variable *var = &r->csp->vars.data[r->args->data[i]];
      if (i > (rest ? 0 : k)) alea_text_char(to, ',');
      if (var->name[0] == '$')
        alea_text_format(to, "%d", csp_value(var, 0));
      else
        alea_text_put(to, var->name);
    }
    from = rest ? from + 3 : end - 1;
  }
  return !to->failed || xml_no_memory(r);
}

static bool read_intension(xml_reader *r, const xmlNode *node, var_list *list) {
  static const char *const allowed[] = {"function", NULL};
  (void)list;
  if (!xml_only_children(r, node, allowed)) return false;
  const xmlNode *child = xml_child_named(node, "function");
  alea_text text;
  alea_text_init(&text, r->mem);
  bool good = expand_text(r, node, xml_text_of(r, child != NULL ? child : node), &text);
  if (good) { /* a mistake was reported by the call itself */
    good = alea_csp_intension(r->csp, alea_text_string(&text), xml_place_of(r, node), r->diag) ==
           ALEA_OK;
    r->failed = !good;
  }
  alea_text_clear(&text);
  return good;
}

/* ---- constraints, groups, blocks ---- */

typedef bool (*read_function)(xml_reader *r, const xmlNode *node, var_list *list);
static const struct {
  const char *name;
  read_function read;
} constraint_kinds[] = {
    {"extension", xml_read_extension},
    {"intension", read_intension},
    {"allDifferent", xml_read_all_different},
    {"allEqual", xml_read_all_equal},
    {"ordered", xml_read_ordered},
    {"lex", xml_read_lex},
    {"sum", xml_read_sum},
    {"count", xml_read_count},
    {"nValues", xml_read_n_values},
    {"minimum", xml_read_extremum},
    {"maximum", xml_read_extremum},
    {"element", xml_read_element},
    {"channel", xml_read_channel},
    {"instantiation", xml_read_instantiation},
    {"cardinality", xml_read_cardinality},
    {"regular", xml_read_automaton},
    {"mdd", xml_read_automaton},
};

static bool read_constraint(xml_reader *r, const xmlNode *node) {
  for (size_t i = 0; i < sizeof constraint_kinds / sizeof *constraint_kinds; i++) {
    if (!xml_is(node, constraint_kinds[i].name)) continue;
    var_list list = {0};
    bool good = constraint_kinds[i].read(r, node, &list);
    alea_vec_clear(r->mem, &list);
    if (good && r->csp->state != ALEA_OK)
      good = xml_refuse(r, node, "too-large", "<%s> does not fit in memory or limits",
                        xml_name_of(node));
    return good;
  }
  return xml_refuse(r, node, "unsupported", "the constraint <%s> is not supported",
                    xml_name_of(node));
}

/* A group: one template, then one <args> per instance. */
static bool read_group(xml_reader *r, const xmlNode *node) {
  const xmlNode *template = xml_first_element(node);
  if (template == NULL) return xml_refuse(r, node, "bad-group", "an empty <%s>", "group");
  for (xmlNode *args = xml_next_element(template); args != NULL; args = xml_next_element(args)) {
    if (!xml_is(args, "args"))
      return xml_refuse(r, args, "unsupported", "<%s> in a group is not supported",
                        xml_name_of(args));
    var_list list = {0};
    bool good = xml_read_vars(r, args, xml_text_of(r, args), &list);
    r->args = &list;
    good = good && read_constraint(r, template);
    r->args = NULL;
    alea_vec_clear(r->mem, &list);
    if (!good) return false;
  }
  return true;
}

/* Blocks may nest: walked by the links of the tree, not by recursion. */
static bool read_constraints(xml_reader *r, const xmlNode *root) {
  const xmlNode *node = xml_first_element(root);
  while (node != NULL) {
    if (xml_is(node, "block")) {
      const xmlNode *inside = xml_first_element(node);
      if (inside != NULL) {
        node = inside;
        continue;
      }
    } else if (xml_is(node, "group") ? !read_group(r, node) : !read_constraint(r, node)) {
      return false;
    }
    const xmlNode *next;
    while ((next = xml_next_element(node)) == NULL && node->parent != root) node = node->parent;
    node = next;
  }
  return true;
}

/* ---- objective ---- */

static bool objective_sum(xml_reader *r, const xmlNode *node, alea_csp_var *var) {
  var_list list = {0};
  int_list coeffs = {0};
  bool good = xml_read_list(r, node, &list) && xml_read_coeffs(r, node, list.count, &coeffs);
  if (good) *var = xml_sum_variable(r, node, &list, &coeffs);
  alea_vec_clear(r->mem, &list);
  alea_vec_clear(r->mem, &coeffs);
  return good && *var != ALEA_CSP_NONE;
}

static bool objective_extremum(xml_reader *r, const xmlNode *node, bool maximum,
                               alea_csp_var *var) {
  var_list list = {0};
  bool good = xml_read_list(r, node, &list);
  int64_t lo = INT32_MAX, hi = INT32_MIN;
  for (size_t i = 0; i < list.count; i++) {
    const csp_variable *v = &r->csp->vars.data[list.data[i]];
    if (csp_value(v, 0) < lo) lo = csp_value(v, 0);
    if (csp_value(v, v->size - 1) > hi) hi = csp_value(v, v->size - 1);
  }
  if (good) {
    *var = xml_range_var(r, lo, hi);
    if (*var == ALEA_CSP_NONE)
      good = xml_refuse(r, node, "too-large", "objective too large%s", "");
    else if (maximum)
      alea_csp_maximum(r->csp, list.data, (uint32_t)list.count, *var);
    else
      alea_csp_minimum(r->csp, list.data, (uint32_t)list.count, *var);
  }
  alea_vec_clear(r->mem, &list);
  return good;
}

/* Without a type: one variable, or an expression. */
static bool objective_plain(xml_reader *r, const xmlNode *node, alea_csp_var *var) {
  const char *text = xml_text_of(r, node);
  if (strchr(text, '(') == NULL) {
    var_list one = {0};
    bool good = xml_read_vars(r, node, text, &one);
    if (good && one.count != 1)
      good =
          xml_refuse(r, node, "bad-objective", "one variable is needed in <%s>", xml_name_of(node));
    if (good) *var = one.data[0];
    alea_vec_clear(r->mem, &one);
    return good;
  }
  *var = csp_expr_variable(r->csp, text, xml_place_of(r, node), r->diag);
  r->failed = r->failed || *var == ALEA_CSP_NONE;
  return *var != ALEA_CSP_NONE;
}

static bool read_objectives(xml_reader *r, const xmlNode *node) {
  const xmlNode *goal = xml_first_element(node);
  if (goal == NULL || xml_next_element(goal) != NULL)
    return xml_refuse(r, node, "unsupported", "exactly one objective is supported in <%s>",
                      "objectives");
  bool maximise = xml_is(goal, "maximize");
  if (!maximise && !xml_is(goal, "minimize"))
    return xml_refuse(r, goal, "unsupported", "<%s> is not an objective", xml_name_of(goal));
  const char *type = xml_attribute(r, goal, "type");
  alea_csp_var var = ALEA_CSP_NONE;
  bool good;
  if (type == NULL || strcmp(type, "expression") == 0)
    good = objective_plain(r, goal, &var);
  else if (strcmp(type, "sum") == 0)
    good = objective_sum(r, goal, &var);
  else if (strcmp(type, "maximum") == 0)
    good = objective_extremum(r, goal, true, &var);
  else if (strcmp(type, "minimum") == 0)
    good = objective_extremum(r, goal, false, &var);
  else
    good = xml_refuse(r, goal, "unsupported", "the objective type '%s' is not supported", type);
  if (good) alea_csp_objective(r->csp, var, maximise);
  return good;
}

/* ---- quantification and stages ---- */

static bool read_quantification(xml_reader *r, const xmlNode *node) {
  for (xmlNode *part = xml_first_element(node); part != NULL; part = xml_next_element(part)) {
    bool universal = xml_is(part, "forall");
    if (!universal && !xml_is(part, "exists"))
      return xml_refuse(r, part, "unsupported", "<%s> is not a quantifier", xml_name_of(part));
    var_list list = {0};
    bool good = xml_read_vars(r, part, xml_text_of(r, part), &list);
    for (size_t i = 0; i < list.count && good; i++) {
      alea_xcsp3_quantifier quantifier = {list.data[i], universal};
      good = alea_vec_push(r->mem, &r->out->quantifiers, quantifier) || xml_no_memory(r);
    }
    alea_vec_clear(r->mem, &list);
    if (!good) return false;
  }
  return true;
}

static bool read_stages(xml_reader *r, const xmlNode *node) {
  uint32_t number = 0;
  for (xmlNode *part = xml_first_element(node); part != NULL; part = xml_next_element(part)) {
    if (!xml_is(part, "stage"))
      return xml_refuse(r, part, "unsupported", "<%s> is not a stage", xml_name_of(part));
    size_t before = r->out->staged.count;
    var_list list = {0};
    bool good = xml_read_vars(r, part, xml_text_of(r, part), &list);
    for (size_t i = 0; i < list.count && good; i++)
      good = (alea_vec_push(r->mem, &r->out->staged, list.data[i]) &&
              alea_vec_push(r->mem, &r->out->stages, number)) ||
             xml_no_memory(r);
    alea_vec_clear(r->mem, &list);
    if (!good) return false;
    number += r->out->staged.count > before;
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
  for (xmlNode *node = xml_first_element(root); node != NULL; node = xml_next_element(node)) {
    bool good = true;
    if (xml_is(node, "constraints"))
      good = read_constraints(r, node);
    else if (xml_is(node, "objectives"))
      good = read_objectives(r, node);
    else if (xml_is(node, "quantification"))
      good = read_quantification(r, node);
    else if (xml_is(node, "stages"))
      good = read_stages(r, node);
    if (!good) return false;
  }
  return true;
}

static void report_xml_error(alea_diag *diag, const char *file, const xmlError *error) {
  char message[160];
  const char *text = error != NULL && error->message != NULL ? error->message : "not XML";
  size_t length = strcspn(text, "\n");
  if (length >= sizeof message) length = sizeof message - 1;
  memcpy(message, text, length);
  message[length] = '\0';
  uint32_t line = error != NULL && error->line > 0 ? (uint32_t)error->line : 1;
  alea_place place = {file, line, 1};
  alea_diag_error(diag, place, "xml", "%s", message);
}

static void ignore_error(void *data, xmlErrorPtr error) {
  (void)data;
  (void)error;
}

static alea_status read_document(xml_reader *r, const char *text, int length) {
  xmlParserCtxt *context = xmlNewParserCtxt();
  if (context == NULL) return ALEA_SYSTEM;
  /* Errors stay in the context instead of going to standard error. */
  xmlSetStructuredErrorFunc(NULL, ignore_error);
  xmlDoc *document =
      xmlCtxtReadMemory(context, text, length, r->file, NULL,
                        XML_PARSE_NONET | XML_PARSE_NOCDATA | XML_PARSE_HUGE | XML_PARSE_BIG_LINES);
  alea_status status = ALEA_INPUT;
  if (document == NULL || xmlDocGetRootElement(document) == NULL) {
    report_xml_error(r->diag, r->file, xmlCtxtGetLastError(context));
  } else if (read_instance(r, xmlDocGetRootElement(document))) {
    status = r->csp->state;
  } else if (r->csp->state == ALEA_SYSTEM || r->csp->state == ALEA_LIMIT) {
    status = r->csp->state;
  }
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
  xml_reader r = {.out = instance, .csp = instance->csp, .mem = mem, .diag = diag, .file = file};
  alea_status status = ALEA_SYSTEM;
  if (length > INT32_MAX)
    status = ALEA_LIMIT;
  else if (instance->csp != NULL)
    status = read_document(&r, text, (int)length);
  alea_vec_clear(mem, &r.arrays);
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
