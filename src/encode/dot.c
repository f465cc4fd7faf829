/* Templates as text: the constraint graph in dot and in JSON. */
#include <inttypes.h>

#include "encode/template.h"
#include "scsp/core.h"

static const char *shape(uint8_t kind) {
  switch (kind) {
    case ALEA_VAR_STATE: return "shape=box,style=filled,fillcolor=\"#dce9f7\"";
    case ALEA_VAR_NEXT: return "shape=box,style=filled,fillcolor=\"#b9d3ee\"";
    case ALEA_VAR_ACTION: return "shape=hexagon,style=filled,fillcolor=\"#f7e3c8\"";
    case ALEA_VAR_CHANCE: return "shape=diamond,style=filled,fillcolor=\"#f2c9c9\"";
    case ALEA_VAR_TERMINAL: return "shape=doubleoctagon";
    case ALEA_VAR_GOAL: return "shape=octagon";
    default: return "shape=ellipse";
  }
}

void alea_template_dot(const alea_template *t, alea_text *out) {
  const alea_csp *csp = t->scsp->csp;
  alea_text_put(out, "graph stage {\n  node [fontsize=10];\n");
  for (uint32_t v = 0; v < t->var_count; v++)
    alea_text_format(out, "  x%u [label=\"%s\\n%u\",%s];\n", v, csp->vars.data[v].name,
                     csp->vars.data[v].size, shape(t->kinds[v]));
  for (size_t c = 0; c < csp->constraints.count; c++) {
    const csp_constraint *constraint = &csp->constraints.data[c];
    alea_text_format(out, "  c%zu [shape=point,xlabel=\"%s\"];\n", c, constraint->type->name);
    for (uint32_t i = 0; i < constraint->arity; i++)
      alea_text_format(out, "  c%zu -- x%u;\n", c, constraint->scope[i]);
  }
  for (size_t i = 0; i < t->scsp->softs.count; i++) {
    const scsp_soft *soft = &t->scsp->softs.data[i];
    alea_text_format(out, "  s%zu [shape=point,color=red,xlabel=\"score\"];\n", i);
    for (uint32_t k = 0; k < soft->arity; k++)
      alea_text_format(out, "  s%zu -- x%u [color=red];\n", i, soft->scope[k]);
  }
  alea_text_put(out, "}\n");
}

static const char *kind_word(uint8_t kind) {
  switch (kind) {
    case ALEA_VAR_STATE: return "state";
    case ALEA_VAR_NEXT: return "next";
    case ALEA_VAR_ACTION: return "action";
    case ALEA_VAR_CHANCE: return "chance";
    case ALEA_VAR_TERMINAL: return "terminal";
    case ALEA_VAR_GOAL: return "goal";
    case ALEA_VAR_PERCEPT: return "percept";
    default: return "derived";
  }
}

static void put_scope(const alea_csp_var *scope, uint32_t arity, alea_json *json) {
  alea_json_open(json, '[');
  for (uint32_t i = 0; i < arity; i++) alea_json_count(json, scope[i]);
  alea_json_close(json, ']');
}

static void put_variables(const alea_template *t, alea_json *json) {
  const alea_csp *csp = t->scsp->csp;
  alea_json_open(json, '[');
  for (uint32_t v = 0; v < t->var_count; v++) {
    alea_json_open(json, '{');
    alea_json_put_string(json, "name", csp->vars.data[v].name);
    alea_json_put_string(json, "kind", kind_word(t->kinds[v]));
    alea_json_put_count(json, "size", csp->vars.data[v].size);
    alea_json_close(json, '}');
  }
  alea_json_close(json, ']');
}

static void put_scopes(const alea_template *t, alea_json *json) {
  const alea_csp *csp = t->scsp->csp;
  alea_json_open(json, '[');
  for (size_t c = 0; c < csp->constraints.count; c++)
    put_scope(csp->constraints.data[c].scope, csp->constraints.data[c].arity, json);
  for (size_t i = 0; i < t->scsp->softs.count; i++)
    put_scope(t->scsp->softs.data[i].scope, t->scsp->softs.data[i].arity, json);
  alea_json_close(json, ']');
}

void alea_template_json(const alea_template *t, uint32_t most, alea_json *json) {
  bool few = t->var_count <= most;
  alea_json_open(json, '{');
  alea_json_key(json, "variables");
  if (few) put_variables(t, json);
  if (!few) alea_json_null(json);
  alea_json_key(json, "scopes");
  if (few) put_scopes(t, json);
  if (!few) alea_json_null(json);
  alea_json_close(json, '}');
}
