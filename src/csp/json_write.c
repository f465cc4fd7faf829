/* Writing the JSON form of networks.  The "o" formats of jansson take ownership
 * and return NULL if out of memory, so a failure anywhere makes the whole NULL. */
#include <stdlib.h>

#include "csp/constraints.h"
#include "csp/expr.h"
#include "csp/json.h"
#include "csp/strategic_core.h"

json_t *csp_json_names(const alea_csp *csp, const alea_csp_var *vars, size_t count) {
  json_t *list = json_array();
  for (size_t i = 0; i < count; i++)
    json_array_append_new(list, json_string(csp->vars.data[vars[i]].name));
  return list;
}

json_t *csp_json_write_variables(const alea_csp *csp) {
  json_t *list = json_array();
  for (size_t v = 0; v < csp->vars.count; v++) {
    const csp_variable *var = &csp->vars.data[v];
    json_t *item;
    if (var->unused) continue; /* here it would be free, and counted */
    if (var->values == NULL) {
      item = json_pack("{s:s, s:[i,i]}", "name", var->name, "range", (int)var->base,
                       (int)csp_value(var, var->size - 1));
    } else {
      json_t *values = json_array();
      for (uint32_t i = 0; i < var->size; i++)
        json_array_append_new(values, json_integer(var->values[i]));
      item = json_pack("{s:s, s:o}", "name", var->name, "values", values);
    }
    if (var->hidden) json_object_set_new(item, "hidden", json_true());
    json_array_append_new(list, item);
  }
  return list;
}

static json_t *ints(const int32_t *values, size_t count) {
  json_t *list = json_array();
  for (size_t i = 0; i < count; i++) json_array_append_new(list, json_integer(values[i]));
  return list;
}

static json_t *write_table(const alea_csp *csp, const csp_constraint *c) {
  const csp_table *table = c->data;
  json_t *rows = json_array();
  for (size_t r = 0; r < table->count; r++) {
    json_t *row = json_array();
    for (uint32_t i = 0; i < c->arity; i++) {
      uint32_t entry = table->rows[r * c->arity + i];
      json_array_append_new(
          row, entry == CSP_ANY ? json_string("*")
                                : json_integer(csp_value(&csp->vars.data[c->scope[i]], entry)));
    }
    json_array_append_new(rows, row);
  }
  return json_pack("{s:s, s:o, s:o, s:b}", "type", "table", "scope",
                   csp_json_names(csp, c->scope, c->arity), "tuples", rows, "forbidden",
                   (int)table->forbidden);
}

static json_t *literal(const alea_csp *csp, const csp_constraint *c, csp_literal lit) {
  return json_pack("[s,s,i]", csp->vars.data[c->scope[lit.position]].name,
                   lit.negative ? "!=" : "=", (int)lit.value);
}

static json_t *write_logic(const alea_csp *csp, const csp_constraint *c) {
  json_t *list = json_array();
  if (c->type == &csp_clause_type) {
    const csp_clause *clause = c->data;
    for (size_t i = 0; i < clause->count; i++)
      json_array_append_new(list, literal(csp, c, clause->lits[i]));
    return json_pack("{s:s, s:o}", "type", "clause", "literals", list);
  }
  const csp_rules *rules = c->data;
  for (size_t b = 0; b < rules->bodies; b++) {
    json_t *body = json_array();
    for (uint32_t i = rules->starts[b]; i < rules->starts[b + 1]; i++)
      json_array_append_new(body, literal(csp, c, rules->lits[i]));
    json_array_append_new(list, body);
  }
  return json_pack("{s:s, s:o, s:o}", "type", "rules", "head", literal(csp, c, rules->head),
                   "bodies", list);
}

static json_t *write_program(const alea_csp *csp, const csp_constraint *c) {
  const csp_program *program = c->data;
  json_t *rules = json_array(), *heads = json_array();
  for (size_t r = 0; r < program->rule_count; r++) {
    const csp_rule *rule = &program->rules[r];
    json_t *body = json_array();
    for (uint32_t i = 0; i < rule->count; i++)
      json_array_append_new(body, literal(csp, c, program->lits[rule->first + i]));
    json_array_append_new(rules, json_pack("[s,i,o]", csp->vars.data[c->scope[rule->head]].name,
                                           (int)rule->value, body));
  }
  for (uint32_t h = 0; h < program->head_count; h++)
    json_array_append_new(heads,
                          json_pack("[s,i]", csp->vars.data[c->scope[h]].name,
                                    program->defaults != NULL ? (int)program->defaults[h] : 0));
  if (c->type == &csp_choice_type) {
    json_decref(heads);
    return json_pack("{s:s, s:s, s:o}", "type", "choice", "variable",
                     csp->vars.data[c->scope[0]].name, "rules", rules);
  }
  return json_pack("{s:s, s:o, s:o, s:b}", "type", "program", "heads", heads, "rules", rules,
                   "highest", (int)program->highest);
}

static json_t *write_linear(const alea_csp *csp, const csp_constraint *c) {
  const csp_linear *linear = c->data;
  json_t *coeffs = json_array();
  for (uint32_t i = 0; i < c->arity; i++)
    json_array_append_new(coeffs, json_integer(linear->coeffs[i]));
  const char *op = linear->op == ALEA_LE ? "le" : linear->op == ALEA_EQ ? "eq" : "ne";
  return json_pack("{s:s, s:o, s:o, s:s, s:I}", "type", "linear", "scope",
                   csp_json_names(csp, c->scope, c->arity), "coeffs", coeffs, "op", op, "rhs",
                   (json_int_t)linear->rhs);
}

static json_t *write_listed(const alea_csp *csp, const csp_constraint *c) {
  uint32_t list = c->arity - 1;
  const char *result = csp->vars.data[c->scope[list]].name;
  if (c->type == &csp_count_type) {
    const csp_values *values = c->data;
    return json_pack("{s:s, s:o, s:o, s:s}", "type", "count", "scope",
                     csp_json_names(csp, c->scope, list), "values",
                     ints(values->values, values->count), "result", result);
  }
  return json_pack("{s:s, s:o, s:s}", "type", c->type->name, "scope",
                   csp_json_names(csp, c->scope, list), "result", result);
}

static json_t *write_pair_of_lists(const alea_csp *csp, const csp_constraint *c) {
  uint32_t left =
      c->type == &csp_channel_type ? ((const csp_channel *)c->data)->left : c->arity / 2;
  json_t *item = json_pack("{s:s, s:o, s:o}", "type", c->type->name, "left",
                           csp_json_names(csp, c->scope, left), "right",
                           csp_json_names(csp, c->scope + left, c->arity - left));
  if (c->type == &csp_channel_type) {
    const csp_channel *channel = c->data;
    json_object_set_new(item, "leftBase", json_integer(channel->left_base));
    json_object_set_new(item, "rightBase", json_integer(channel->right_base));
  } else if (c->type == &csp_lex_type) {
    json_object_set_new(item, "strict", json_boolean(((const csp_lex *)c->data)->strict));
  } else {
    const csp_differ *differ = c->data;
    json_t *rows = json_array();
    for (size_t e = 0; e < differ->except_count; e++)
      json_array_append_new(rows, ints(&differ->except[e * differ->count], differ->count));
    json_object_set_new(item, "except", rows);
  }
  return item;
}

static json_t *write_regular(const alea_csp *csp, const csp_constraint *c) {
  const csp_regular *regular = c->data;
  json_t *edges = json_array(), *final = json_array();
  for (size_t e = 0; e < regular->edge_count; e++)
    json_array_append_new(
        edges, json_pack("[i,i,i]", (int)regular->edges[e].from, (int)regular->edges[e].value,
                         (int)regular->edges[e].to));
  for (uint32_t s = 0; s < regular->states; s++)
    if (regular->final[s]) json_array_append_new(final, json_integer(s));
  return json_pack("{s:s, s:o, s:i, s:i, s:o, s:o}", "type", "regular", "scope",
                   csp_json_names(csp, c->scope, c->arity), "states", (int)regular->states, "start",
                   (int)regular->start, "final", final, "edges", edges);
}

static json_t *write_tasks(const alea_csp *csp, const csp_constraint *c) {
  if (c->type == &csp_boxes_type) {
    const csp_boxes *boxes = c->data;
    uint32_t cells = boxes->count * boxes->dims;
    return json_pack("{s:s, s:o, s:o, s:i, s:b}", "type", "noOverlap", "origins",
                     csp_json_names(csp, c->scope, cells), "lengths",
                     csp_json_names(csp, c->scope + cells, cells), "dims", (int)boxes->dims,
                     "zeroIgnored", (int)boxes->zero_ignored);
  }
  uint32_t n = ((const csp_tasks *)c->data)->count;
  return json_pack(
      "{s:s, s:o, s:o, s:o, s:s}", "type", "cumulative", "origins",
      csp_json_names(csp, c->scope, n), "lengths", csp_json_names(csp, c->scope + n, n), "heights",
      csp_json_names(csp, c->scope + 2 * n, n), "limit", csp->vars.data[c->scope[3 * n]].name);
}

static json_t *write_intension(const alea_csp *csp, const csp_constraint *c) {
  size_t n = csp->vars.count;
  const char **names = alea_mem_calloc(csp->mem, n, sizeof *names);
  alea_text text;
  alea_text_init(&text, csp->mem);
  for (size_t v = 0; v < n && names != NULL; v++) names[v] = csp->vars.data[v].name;
  /* The expression is the first member of the constraint's data. */
  bool good = names != NULL && csp_expr_write(c->data, c->scope, names, csp->mem, &text);
  json_t *item = good && !text.failed
                     ? json_pack("{s:s, s:s}", "type", "intension", "expression", text.data)
                     : NULL;
  alea_text_clear(&text);
  alea_mem_free(csp->mem, names, n * sizeof *names);
  return item;
}

static json_t *write_other(const alea_csp *csp, const csp_constraint *c) {
  const csp_type *t = c->type;
  if (t == &csp_channel_type || t == &csp_lex_type || t == &csp_differ_type)
    return write_pair_of_lists(csp, c);
  if (t == &csp_regular_type) return write_regular(csp, c);
  if (t == &csp_boxes_type || t == &csp_tasks_type) return write_tasks(csp, c);
  if (t == &csp_circuit_type)
    return json_pack("{s:s, s:o, s:i}", "type", "circuit", "scope",
                     csp_json_names(csp, c->scope, c->arity), "base",
                     (int)((const csp_circuit *)c->data)->base);
  return write_intension(csp, c);
}

static json_t *write_constraint(const alea_csp *csp, const csp_constraint *c) {
  const csp_type *t = c->type;
  if (csp_is_table(t)) return write_table(csp, c);
  if (t == &csp_clause_type || t == &csp_rules_type) return write_logic(csp, c);
  if (t == &csp_program_type || t == &csp_choice_type) return write_program(csp, c);
  if (t == &csp_linear_type || t == &csp_order_type) return write_linear(csp, c);
  if (t == &csp_count_type || t == &csp_maximum_type || t == &csp_minimum_type ||
      t == &csp_parity_type)
    return write_listed(csp, c);
  if (t == &csp_iff_type || t == &csp_not_both_type) {
    const csp_pair *pair = c->data;
    return json_pack("{s:s, s:o, s:[i,i]}", "type", t->name, "scope",
                     csp_json_names(csp, c->scope, c->arity), "values", (int)pair->a, (int)pair->b);
  }
  if (t == &csp_all_different_type) {
    const csp_values *except = c->data;
    return json_pack("{s:s, s:o, s:o}", "type", "allDifferent", "scope",
                     csp_json_names(csp, c->scope, c->arity), "except",
                     ints(except->values, except->count));
  }
  if (t == &csp_element_type) {
    const csp_element *element = c->data;
    return json_pack("{s:s, s:o, s:i, s:s, s:s}", "type", "element", "scope",
                     csp_json_names(csp, c->scope, element->count), "base", (int)element->base,
                     "index", csp->vars.data[c->scope[element->count]].name, "result",
                     csp->vars.data[c->scope[element->count + 1]].name);
  }
  return write_other(csp, c);
}

json_t *csp_json_write_constraints(const alea_csp *csp) {
  json_t *list = json_array();
  if (csp->false_) /* the empty clause */
    json_array_append_new(list, json_pack("{s:s, s:[]}", "type", "clause", "literals"));
  for (size_t i = 0; i < csp->constraints.count; i++) {
    json_t *item = write_constraint(csp, &csp->constraints.data[i]);
    if (item == NULL || json_array_append_new(list, item) != 0) {
      json_decref(list);
      return NULL;
    }
  }
  return list;
}

static bool put_value(const json_t *value, alea_text *text) {
  char *line = json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(17));
  if (line != NULL) alea_text_put(text, line);
  free(line);
  return line != NULL;
}

bool alea_csp_json_text(const json_t *root, alea_text *text) {
  const char *key, *before = "{";
  json_t *value, *item;
  size_t i;
  json_object_foreach((json_t *)(uintptr_t)root, key, value) {
    alea_text_format(text, "%s\"%s\": ", before, key);
    before = ",\n ";
    if (!json_is_array(value) || json_array_size(value) == 0) {
      if (!put_value(value, text)) return false;
      continue;
    }
    json_array_foreach(value, i, item) {
      alea_text_put(text, i == 0 ? "[\n  " : ",\n  ");
      if (!put_value(item, text)) return false;
    }
    alea_text_put(text, "]");
  }
  alea_text_put(text, "}\n");
  return !text->failed;
}

json_t *alea_csp_write_json(const alea_csp *csp) {
  json_t *root =
      json_pack("{s:s, s:s, s:o, s:o}", "format", "alea-csp", "type", "csp", "variables",
                csp_json_write_variables(csp), "constraints", csp_json_write_constraints(csp));
  if (root != NULL && csp->objective != ALEA_CSP_NONE)
    json_object_set_new(root, "objective",
                        json_pack("{s:s, s:b}", "variable", csp->vars.data[csp->objective].name,
                                  "maximise", (int)csp->maximise));
  return root;
}

static const char *const check_words[] = {ALEA_STRATEGIC_CHECKS(ALEA_CHOICE_STRING)};
static const char *const existential_words[] = {ALEA_STRATEGIC_EXISTENTIALS(ALEA_CHOICE_STRING)};

json_t *alea_strategic_write_json(const alea_strategic *s) {
  const alea_csp *csp = s->csp;
  json_t *quantifiers = json_array(), *classes = json_array();
  for (size_t i = 0; i < s->order.count; i++)
    json_array_append_new(quantifiers,
                          json_pack("[s,s]", s->order.data[i].universal ? "forall" : "exists",
                                    csp->vars.data[s->order.data[i].var].name));
  for (uint32_t v = 0; v < s->class_vars; v++) {
    uint32_t size = csp->vars.data[v].size;
    if (s->classes[v] == NULL) continue;
    json_array_append_new(
        classes, json_pack("{s:s, s:o, s:o}", "variable", csp->vars.data[v].name, "classes",
                           ints((const int32_t *)s->classes[v], size), "since",
                           ints((const int32_t *)s->classes[v] + size, size)));
  }
  json_t *root =
      json_pack("{s:s, s:s, s:o, s:o, s:o, s:o}", "format", "alea-csp", "type", "strategic",
                "variables", csp_json_write_variables(csp), "constraints",
                csp_json_write_constraints(csp), "quantifiers", quantifiers, "classes", classes);
  if (root != NULL && s->outcome_count != 0)
    json_object_set_new(root, "outcome",
                        json_pack("{s:o, s:i, s:i}", "variables",
                                  csp_json_names(csp, s->outcome_vars, s->outcome_count), "win",
                                  (int)s->win, "loss", (int)s->loss));
  if (root != NULL && s->classical) json_object_set_new(root, "classical", json_true());
  if (root != NULL && s->check != ALEA_STRATEGIC_EXACT)
    json_object_set_new(root, "check", json_string(check_words[s->check]));
  if (root != NULL && s->existential != ALEA_STRATEGIC_DEFINITION)
    json_object_set_new(root, "existential", json_string(existential_words[s->existential]));
  return root;
}
