/* The XCSP3 reader: the objective, the quantifiers, the stages. */
#include "csp/xcsp3/reader.h"

/* ---- objective ---- */

/* The terms of the objective as variables: a weight other than 1 needs a hidden
 * variable. */
static bool weighted(xml_reader *r, const xmlNode *node, const terms *sum, var_list *out) {
  for (size_t i = 0; i < sum->vars.count; i++) {
    alea_csp_var var = sum->vars.data[i];
    if (sum->weights.data[i] != 1) {
      char text[400];
      snprintf(text, sizeof text, "mul(%.300s,%lld)", xml_var_name(r, var),
               (long long)sum->weights.data[i]);
      var = xml_view(r, node, text);
    }
    if (var == ALEA_CSP_NONE) return false;
    if (!alea_vec_push(r->mem, out, var)) return xml_no_memory(r);
  }
  return true;
}

static alea_csp_var product(xml_reader *r, const xmlNode *node, const var_list *list) {
  alea_text text;
  alea_text_init(&text, r->mem);
  alea_text_put(&text, "mul(");
  for (size_t i = 0; i < list->count; i++)
    alea_text_format(&text, "%s%s", i > 0 ? "," : "", xml_var_name(r, list->data[i]));
  alea_text_char(&text, ')');
  if (text.failed) xml_no_memory(r);
  alea_csp_var var = text.failed ? ALEA_CSP_NONE : xml_view(r, node, alea_text_string(&text));
  alea_text_clear(&text);
  return var;
}

/* Lexicographic: one number with the variables as digits. */
static alea_csp_var digits(xml_reader *r, const xmlNode *node, const var_list *list) {
  terms sum = {0};
  int64_t weight = 1;
  bool good = true;
  for (size_t i = list->count; i-- > 0 && good;) {
    const csp_variable *var = &r->csp->vars.data[list->data[i]];
    int64_t span = (int64_t)csp_value(var, var->size - 1) - csp_value(var, 0) + 1;
    good = xml_add_term(r, &sum, list->data[i], weight);
    if (weight > INT32_MAX / span)
      weight = INT32_MAX; /* rejected below if it is used */
    else
      weight *= span;
  }
  alea_csp_var var = good ? xml_sum_variable(r, node, &sum, MAX_OBJECTIVE) : ALEA_CSP_NONE;
  xml_clear_terms(r, &sum);
  return var;
}

static alea_csp_var distinct(xml_reader *r, const xmlNode *node, const var_list *list) {
  terms used = {0};
  int_list none = {0};
  alea_csp_var var = xml_distinct_terms(r, node, list, &none, &used)
                         ? xml_sum_variable(r, node, &used, MAX_OBJECTIVE)
                         : ALEA_CSP_NONE;
  xml_clear_terms(r, &used);
  condition bins = {.kind = COMPARE, .op = ALEA_GE, .value = xml_least_bins(r, list)};
  if (var == ALEA_CSP_NONE || !xml_post_condition(r, node, var, &bins)) return ALEA_CSP_NONE;
  return var;
}

static alea_csp_var combine(xml_reader *r, const xmlNode *node, const char *type,
                            const terms *sum) {
  if (strcmp(type, "sum") == 0) return xml_sum_variable(r, node, sum, MAX_OBJECTIVE);
  var_list list = {0};
  alea_csp_var var = ALEA_CSP_NONE;
  if (weighted(r, node, sum, &list)) {
    if (strcmp(type, "minimum") == 0 || strcmp(type, "maximum") == 0)
      var = xml_extremum_variable(r, node, &list, type[1] == 'a');
    else if (strcmp(type, "product") == 0)
      var = product(r, node, &list);
    else if (strcmp(type, "nValues") == 0)
      var = distinct(r, node, &list);
    else if (strcmp(type, "lex") == 0)
      var = digits(r, node, &list);
    else
      xml_refuse(r, node, "unsupported", "the objective type '%s' is not supported", type);
  }
  alea_vec_clear(r->mem, &list);
  return var;
}

bool xml_read_objectives(xml_reader *r, const xmlNode *node) {
  static const char *const allowed[] = {"list", "coeffs", NULL};
  const xmlNode *goal = xml_first_element(node);
  if (goal == NULL || xml_next_element(goal) != NULL)
    return xml_refuse(r, node, "unsupported", "exactly one objective is supported in <%s>",
                      "objectives");
  bool maximise = xml_is(goal, "maximize");
  if (!maximise && !xml_is(goal, "minimize"))
    return xml_refuse(r, goal, "unsupported", "<%s> is not an objective", xml_name_of(goal));
  const char *type = xml_attribute(r, goal, "type");
  alea_csp_var var = ALEA_CSP_NONE;
  r->symbols_seen = false;
  if (!xml_only_children(r, goal, allowed)) return false;
  if (type == NULL || strcmp(type, "expression") == 0) {
    if (!xml_read_one(r, goal, &var)) return false;
  } else {
    var_list list = {0};
    terms sum = {0};
    if (xml_read_terms(r, goal, &list, &sum)) var = combine(r, goal, type, &sum);
    alea_vec_clear(r->mem, &list);
    xml_clear_terms(r, &sum);
  }
  if (var == ALEA_CSP_NONE || r->failed) return false;
  if (r->symbols_seen || r->csp->vars.data[var].symbolic)
    return xml_refuse(r, goal, "unsupported", "<%s> of symbolic variables is not supported",
                      xml_name_of(goal));
  alea_csp_objective(r->csp, var, maximise);
  return true;
}

/* ---- quantification ---- */

/* An attribute that is one of 'words', of which the first is the default. */
static bool read_word(xml_reader *r, const xmlNode *node, const char *name, const char *words,
                      int *out) {
  const char *text = xml_attribute(r, node, name);
  *out = text == NULL ? 0 : alea_choice_find(words, text);
  return *out != ALEA_NO_CHOICE ||
         xml_refuse(r, node, "bad-attribute", "'%s' is unknown here", text);
}

static bool read_settings(xml_reader *r, const xmlNode *node) {
  int check, existential;
  if (!read_word(r, node, "check", ALEA_CHOICE_WORDS(ALEA_STRATEGIC_CHECKS), &check) ||
      !read_word(r, node, "existential", ALEA_CHOICE_WORDS(ALEA_STRATEGIC_EXISTENTIALS),
                 &existential))
    return false;
  r->out->check = (alea_strategic_check)check;
  r->out->existential = (alea_strategic_existential)existential;
  return true;
}

bool xml_read_quantification(xml_reader *r, const xmlNode *node) {
  if (!read_settings(r, node)) return false;
  for (xmlNode *part = xml_first_element(node); part != NULL; part = xml_next_element(part)) {
    bool universal = xml_is(part, "forall");
    if (!universal && !xml_is(part, "exists"))
      return xml_refuse(r, part, "unsupported", "<%s> is not a quantifier", xml_name_of(part));
    var_list list = {0};
    bool good = xml_read_vars(r, part, xml_text_of(r, part), &list);
    for (size_t i = 0; i < list.count && good; i++) {
      alea_xcsp3_quantifier quantifier = {list.data[i], universal};
      for (size_t q = 0; q < r->out->quantifiers.count && good; q++)
        if (r->out->quantifiers.data[q].var == quantifier.var)
          good = xml_refuse(r, part, "quantified-twice", "'%s' is quantified twice",
                            xml_var_name(r, quantifier.var));
      if (good && r->csp->vars.data[quantifier.var].hidden)
        good = xml_refuse(r, part, "unsupported", "only variables can be quantified in <%s>",
                          xml_name_of(part));
      good = good && (alea_vec_push(r->mem, &r->out->quantifiers, quantifier) || xml_no_memory(r));
    }
    alea_vec_clear(r->mem, &list);
    if (!good) return false;
  }
  if (r->out->quantifiers.count != 0 && r->out->chances.count != 0)
    return xml_refuse(r, node, "unsupported",
                      "<%s> of an instance with stochastic variables is not supported",
                      "quantification");
  return true;
}

/* ---- stages ---- */

static bool read_stage(xml_reader *r, const xmlNode *part, uint32_t number) {
  var_list list = {0};
  bool good = xml_read_vars(r, part, xml_text_of(r, part), &list);
  if (good && list.count == 0) good = xml_refuse(r, part, "bad-stage", "a <%s> is empty", "stage");
  for (size_t i = 0; i < list.count && good; i++) {
    for (size_t k = 0; k < r->out->staged.count && good; k++)
      if (r->out->staged.data[k] == list.data[i])
        good = xml_refuse(r, part, "bad-stage", "'%s' is in two stages",
                          xml_var_name(r, list.data[i]));
    good = good && ((alea_vec_push(r->mem, &r->out->staged, list.data[i]) &&
                     alea_vec_push(r->mem, &r->out->stages, number)) ||
                    xml_no_memory(r));
  }
  alea_vec_clear(r->mem, &list);
  return good;
}

static bool is_chance(const alea_xcsp3 *out, alea_csp_var var) {
  for (size_t i = 0; i < out->chances.count; i++)
    if (out->chances.data[i].var == var) return true;
  return false;
}

static uint32_t stage_of(const alea_xcsp3 *out, alea_csp_var var) {
  for (size_t i = 0; i < out->staged.count; i++)
    if (out->staged.data[i] == var) return out->stages.data[i];
  return UINT32_MAX;
}

/* Checks that variables are decided in the order of their quantifiers. */
static bool quantifiers_in_order(xml_reader *r, const xmlNode *node) {
  uint32_t last = 0;
  for (size_t i = 0; i < r->out->quantifiers.count; i++) {
    alea_csp_var var = r->out->quantifiers.data[i].var;
    uint32_t stage = stage_of(r->out, var);
    if (stage == UINT32_MAX)
      return xml_refuse(r, node, "bad-stage", "'%s' is in no stage", xml_var_name(r, var));
    if (stage < last)
      return xml_refuse(r, node, "bad-stage", "'%s' is quantified after a later stage",
                        xml_var_name(r, var));
    last = stage;
  }
  return true;
}

/* Without quantifiers: the order of declaration; within a stage decisions come
 * before chance. */
static bool declarations_in_order(xml_reader *r, const xmlNode *node) {
  uint32_t last = 0;
  bool drawn = false;
  for (alea_csp_var var = 0; var < r->declared; var++) {
    if (r->csp->vars.data[var].hidden) continue;
    uint32_t stage = stage_of(r->out, var);
    bool chance = is_chance(r->out, var);
    const char *name = xml_var_name(r, var);
    if (stage == UINT32_MAX) return xml_refuse(r, node, "bad-stage", "'%s' is in no stage", name);
    if (stage < last)
      return xml_refuse(r, node, "bad-stage", "'%s' is declared after a later stage", name);
    if (stage == last && drawn && !chance)
      return xml_refuse(r, node, "bad-stage",
                        "the decision '%s' is declared after a stochastic variable of its stage",
                        name);
    drawn = chance;
    last = stage;
  }
  return true;
}

bool xml_read_stages(xml_reader *r, const xmlNode *node) {
  uint32_t number = 0;
  for (xmlNode *part = xml_first_element(node); part != NULL; part = xml_next_element(part)) {
    if (!xml_is(part, "stage"))
      return xml_refuse(r, part, "unsupported", "<%s> is not a stage", xml_name_of(part));
    if (!read_stage(r, part, number++)) return false;
  }
  return r->out->quantifiers.count != 0 ? quantifiers_in_order(r, node)
                                        : declarations_in_order(r, node);
}
