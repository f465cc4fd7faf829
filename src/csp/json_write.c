/* Writing our JSON form.  jansson's "o" formats take ownership and give NULL
 * without memory, so a failure anywhere makes the whole NULL. */
#include "csp/constraints.h"
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
  return NULL; /* channel, lex, regular, large intension: only in XCSP3 */
}

json_t *csp_json_write_constraints(const alea_csp *csp) {
  json_t *list = json_array();
  for (size_t i = 0; i < csp->constraints.count; i++) {
    json_t *item = write_constraint(csp, &csp->constraints.data[i]);
    if (item == NULL || json_array_append_new(list, item) != 0) {
      json_decref(list);
      return NULL;
    }
  }
  return list;
}

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
  return root;
}
