/* The printer: its output reads as the same file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "toss/syntax.h"

typedef alea_toss_file file_t;

/* Precedence of operators; a part that binds less tightly gets parentheses. */
enum { LOOSE, OR, AND, UNARY, COMPARE, SUM, PRODUCT, QUOTIENT, POWER, ATOM };

static void put_number(double number, alea_text *out) {
  char text[40];
  snprintf(text, sizeof text, "%.15g", number);
  if (strtod(text, NULL) != number) snprintf(text, sizeof text, "%.17g", number);
  alea_text_put(out, text);
}

static void put_name(const file_t *f, uint32_t name, alea_text *out) {
  alea_text_put(out, alea_toss_text(f, name));
}

static int level_of(const alea_toss_node *node) {
  switch (node->kind) {
    case ALEA_TOSS_OR: return OR;
    case ALEA_TOSS_AND: return AND;
    case ALEA_TOSS_NOT:
    case ALEA_TOSS_EXISTS:
    case ALEA_TOSS_FORALL: return UNARY;
    case ALEA_TOSS_EQUAL:
    case ALEA_TOSS_IN:
    case ALEA_TOSS_LESS:
    case ALEA_TOSS_SAME: return COMPARE;
    case ALEA_TOSS_ADD: return SUM;
    case ALEA_TOSS_MUL: return PRODUCT;
    case ALEA_TOSS_DIV: return QUOTIENT;
    case ALEA_TOSS_NEG: return SUM;
    case ALEA_TOSS_NUMBER: return node->number < 0 ? SUM : ATOM;
    case ALEA_TOSS_POW: return POWER;
    default: return ATOM;
  }
}

static void put(const file_t *f, uint32_t id, int level, alea_text *out);

static void put_names(const file_t *f, const uint32_t *names, uint32_t count, alea_text *out) {
  for (uint32_t i = 0; i < count; i++) {
    if (i > 0) alea_text_put(out, ", ");
    put_name(f, names[i], out);
  }
}

static void put_joined(const file_t *f, const alea_toss_node *node, const char *word, int level,
                       alea_text *out) {
  for (uint32_t i = 0; i < node->count; i++) {
    if (i > 0) alea_text_put(out, word);
    put(f, f->kids.data[node->first + i], level, out);
  }
}

static void put_binder(const file_t *f, const alea_toss_node *node, const char *word,
                       alea_text *out) {
  alea_text_put(out, word);
  if (node->sort == ALEA_TOSS_NUMERIC) alea_text_char(out, ':');
  put_name(f, node->name, out);
}

static void put_sum(const file_t *f, const alea_toss_node *node, const char *word, alea_text *out) {
  put_binder(f, node, word, out);
  alea_text_put(out, " | ");
  put(f, f->kids.data[node->first], LOOSE, out);
  alea_text_put(out, " : ");
  put(f, f->kids.data[node->first + 1], LOOSE, out);
  alea_text_char(out, ')');
}

static void put_function(const file_t *f, const alea_toss_node *node, alea_text *out) {
  alea_text_char(out, ':');
  put_name(f, node->name, out);
  alea_text_char(out, '(');
  put_name(f, f->kids.data[node->first], out);
  alea_text_char(out, ')');
  for (unsigned i = 0; i < node->order; i++) alea_text_char(out, '\'');
}

static void put_pair(const file_t *f, const alea_toss_node *node, const char *word,
                     alea_text *out) {
  const uint32_t *kids = f->kids.data + node->first;
  put_name(f, kids[0], out);
  alea_text_put(out, word);
  put_name(f, kids[1], out);
}

static void put_formula(const file_t *f, const alea_toss_node *node, alea_text *out) {
  uint32_t kid = node->count != 0 ? f->kids.data[node->first] : 0;
  switch (node->kind) {
    case ALEA_TOSS_TRUE: alea_text_put(out, "true"); break;
    case ALEA_TOSS_FALSE: alea_text_put(out, "false"); break;
    case ALEA_TOSS_REL:
      put_name(f, node->name, out);
      alea_text_char(out, '(');
      put_names(f, f->kids.data + node->first, node->count, out);
      alea_text_char(out, ')');
      break;
    case ALEA_TOSS_EQUAL: put_pair(f, node, " = ", out); break;
    case ALEA_TOSS_IN: put_pair(f, node, " in ", out); break;
    case ALEA_TOSS_LESS: put_joined(f, node, " < ", SUM, out); break;
    case ALEA_TOSS_SAME: put_joined(f, node, " = ", SUM, out); break;
    case ALEA_TOSS_NOT:
      alea_text_put(out, "not ");
      put(f, kid, UNARY, out);
      break;
    case ALEA_TOSS_AND: put_joined(f, node, " and ", UNARY, out); break;
    case ALEA_TOSS_OR: put_joined(f, node, " or ", AND, out); break;
    default:
      put_binder(f, node, node->kind == ALEA_TOSS_EXISTS ? "ex " : "all ", out);
      alea_text_char(out, ' ');
      put(f, kid, UNARY, out);
  }
}

static void put_term(const file_t *f, const alea_toss_node *node, alea_text *out) {
  uint32_t kid = node->count != 0 ? f->kids.data[node->first] : 0;
  switch (node->kind) {
    case ALEA_TOSS_NUMBER: put_number(node->number, out); break;
    case ALEA_TOSS_REAL:
      alea_text_char(out, ':');
      put_name(f, node->name, out);
      break;
    case ALEA_TOSS_FUNCTION: put_function(f, node, out); break;
    case ALEA_TOSS_ADD: put_joined(f, node, " + ", PRODUCT, out); break;
    case ALEA_TOSS_MUL: put_joined(f, node, " * ", QUOTIENT, out); break;
    case ALEA_TOSS_NEG:
      alea_text_char(out, '-');
      /* `-2` is a number; `-(2)` is the negative of one */
      put(f, kid, f->nodes.data[kid].kind == ALEA_TOSS_NUMBER ? ATOM + 1 : POWER, out);
      break;
    case ALEA_TOSS_DIV:
      put(f, kid, QUOTIENT, out);
      alea_text_put(out, " / ");
      put(f, f->kids.data[node->first + 1], POWER, out);
      break;
    case ALEA_TOSS_POW:
      put(f, kid, POWER, out);
      alea_text_format(out, "^%d", (int)node->number);
      break;
    case ALEA_TOSS_ROOT:
      alea_text_format(out, "Root(%d, ", (int)node->number);
      put(f, kid, LOOSE, out);
      alea_text_char(out, ')');
      break;
    case ALEA_TOSS_CHAR:
      alea_text_put(out, ":(");
      put(f, kid, LOOSE, out);
      alea_text_char(out, ')');
      break;
    case ALEA_TOSS_MIN:
      put_binder(f, node, "Min (", out);
      alea_text_put(out, " | ");
      put(f, kid, LOOSE, out);
      alea_text_char(out, ')');
      break;
    case ALEA_TOSS_SUM: put_sum(f, node, "Sum (", out); break;
    default: put_sum(f, node, "Prod (", out);
  }
}

static void put(const file_t *f, uint32_t id, int level, alea_text *out) {
  const alea_toss_node *node = &f->nodes.data[id];
  bool wrap = level_of(node) < level;
  if (wrap) alea_text_char(out, '(');
  if (alea_toss_is_term(node->kind)) {
    put_term(f, node, out);
  } else {
    put_formula(f, node, out);
  }
  if (wrap) alea_text_char(out, ')');
}

void alea_toss_print_node(const file_t *f, uint32_t node, alea_text *out) {
  put(f, node, LOOSE, out);
}

/* ---- structures ---- */

static void put_tuple(const file_t *f, const alea_toss_picture *picture,
                      const alea_toss_tuple *tuple, alea_text *out) {
  if (tuple->optional) alea_text_put(out, "_opt_");
  put_name(f, f->relations.data[tuple->relation].name, out);
  alea_text_char(out, '(');
  for (uint32_t i = 0; i < tuple->count; i++) {
    if (i > 0) alea_text_put(out, ", ");
    put_name(f, picture->elements.data[picture->ids.data[tuple->first + i]], out);
  }
  alea_text_char(out, ')');
}

static void put_declared(const file_t *f, const alea_toss_picture *picture, bool function,
                         const char **between, alea_text *out) {
  for (size_t i = 0; i < picture->declared.count; i++) {
    const alea_toss_declaration *d = &picture->declared.data[i];
    if ((d->arity == ALEA_TOSS_NONE) != function) continue;
    alea_text_put(out, *between);
    *between = "; ";
    put_name(f, d->name, out);
    if (!function) alea_text_format(out, ":%u", d->arity);
    alea_text_put(out, " {}");
  }
}

static void put_picture(const file_t *f, const alea_toss_picture *picture, alea_text *out) {
  alea_text_char(out, '[');
  put_names(f, picture->elements.data, (uint32_t)picture->elements.count, out);
  alea_text_put(out, " | ");
  const char *between = "";
  put_declared(f, picture, false, &between, out);
  for (size_t i = 0; i < picture->tuples.count; i++) {
    alea_text_put(out, between);
    between = "; ";
    put_tuple(f, picture, &picture->tuples.data[i], out);
  }
  alea_text_put(out, " | ");
  between = "";
  put_declared(f, picture, true, &between, out);
  for (size_t i = 0; i < picture->values.count; i++) {
    const alea_toss_value *value = &picture->values.data[i];
    alea_text_put(out, between);
    between = "; ";
    put_name(f, f->functions.data[value->function].name, out);
    alea_text_put(out, " {");
    put_name(f, picture->elements.data[value->element], out);
    alea_text_put(out, " -> ");
    put_number(value->number, out);
    alea_text_char(out, '}');
  }
  alea_text_char(out, ']');
}

/* ---- rules ---- */

static void put_equations(const file_t *f, const alea_toss_equation *equations, size_t count,
                          const alea_toss_picture *side, const char *word, alea_text *out) {
  for (size_t i = 0; i < count; i++) {
    alea_text_format(out, i == 0 ? "\n  %s :" : ";\n    %.0s:", word);
    put_name(f, f->functions.data[equations[i].function].name, out);
    alea_text_char(out, '(');
    put_name(f, side->elements.data[equations[i].element], out);
    alea_text_char(out, ')');
    for (uint32_t j = 0; j < equations[i].order; j++) alea_text_char(out, '\'');
    alea_text_put(out, " = ");
    put(f, equations[i].term, LOOSE, out);
  }
}

static void put_condition(const file_t *f, uint32_t node, const char *word, alea_text *out) {
  if (node == ALEA_TOSS_NONE) return;
  alea_text_format(out, "\n  %s ", word);
  put(f, node, LOOSE, out);
}

static void put_map(const file_t *f, const alea_toss_rule *rule, alea_text *out) {
  if (!rule->explicit_map) return;
  alea_text_put(out, "\n  with [");
  const char *between = "";
  for (size_t i = 0; i < rule->right.elements.count; i++) {
    if (rule->replaces[i] == ALEA_TOSS_NONE) continue;
    alea_text_put(out, between);
    between = ", ";
    put_name(f, rule->right.elements.data[i], out);
    alea_text_put(out, " <- ");
    put_name(f, rule->left.elements.data[rule->replaces[i]], out);
  }
  alea_text_char(out, ']');
}

static void put_rule(const file_t *f, const alea_toss_rule *rule, alea_text *out) {
  alea_text_put(out, "RULE ");
  put_name(f, rule->name, out);
  alea_text_put(out, ":\n  ");
  put_picture(f, &rule->left, out);
  alea_text_put(out, "\n  -> ");
  put_picture(f, &rule->right, out);
  put_map(f, rule, out);
  for (size_t i = 0; i < rule->exact.count; i++) {
    alea_text_put(out, i == 0 ? "\n  emb " : ", ");
    put_name(f, f->relations.data[rule->exact.data[i]].name, out);
  }
  put_condition(f, rule->pre, "pre", out);
  put_condition(f, rule->inv, "inv", out);
  put_condition(f, rule->post, "post", out);
  put_equations(f, rule->dynamics.data, rule->dynamics.count, &rule->left, "dynamics", out);
  put_equations(f, rule->update.data, rule->update.count, &rule->right, "update", out);
  alea_text_char(out, '\n');
}

/* ---- locations ---- */

static void put_bound(const file_t *f, const alea_toss_bound *bound, alea_text *out) {
  if (bound->random == ALEA_TOSS_NONE) {
    put_number(bound->number, out);
  } else {
    alea_text_format(out, ":%s", alea_toss_text(f, bound->random));
  }
}

static void put_interval(const file_t *f, const alea_toss_interval *v, alea_text *out) {
  alea_text_format(out, ", %s: ", v->name == ALEA_TOSS_NONE ? "t" : alea_toss_text(f, v->name));
  put_bound(f, &v->low, out);
  alea_text_put(out, " -- ");
  put_bound(f, &v->high, out);
  if (v->step == 0) return;
  alea_text_put(out, " by ");
  put_number(v->step, out);
}

static void put_random(const file_t *f, const alea_toss_random *random, alea_text *out) {
  static const char letters[] = "?NUE";
  alea_text_format(out, ", :%s ~ %c(", alea_toss_text(f, random->name), letters[random->law]);
  put_number(random->a, out);
  if (random->law != ALEA_TOSS_EXPONENTIAL) {
    alea_text_put(out, ", ");
    put_number(random->b, out);
  }
  alea_text_char(out, ')');
}

static void put_targets(const file_t *f, const alea_toss_targets *targets, alea_text *out) {
  for (size_t i = 0; i < targets->count; i++) {
    const alea_toss_target *t = &targets->data[i];
    alea_text_format(out, i == 0 ? " -> %u" : ", %u", f->locations.data[t->location].number);
    if (t->weight != t->scale) alea_text_format(out, " : %u/%u", t->weight, t->scale);
  }
}

static void put_label(const file_t *f, const alea_toss_label *label, alea_text *out) {
  alea_text_char(out, '[');
  put_name(f, f->rules.data[label->rule].name, out);
  if (label->alias != f->rules.data[label->rule].name) {
    alea_text_format(out, " as %s", alea_toss_text(f, label->alias));
  }
  if (label->many != ALEA_TOSS_ONE)
    alea_text_put(out, label->many == ALEA_TOSS_ANY ? " *" : " all");
  if (label->timed) put_interval(f, &label->time, out);
  for (size_t i = 0; i < label->params.count; i++) put_interval(f, &label->params.data[i], out);
  for (size_t i = 0; i < label->randoms.count; i++) put_random(f, &label->randoms.data[i], out);
  put_targets(f, &label->targets, out);
  alea_text_char(out, ']');
}

static void put_side(const file_t *f, const alea_toss_location *location, size_t player,
                     alea_text *out) {
  const alea_toss_side *side = &location->sides[player];
  if (side->payoff == ALEA_TOSS_NONE && side->labels.count == 0) return;
  alea_text_format(out, "  PLAYER %s {", alea_toss_text(f, f->players.data[player]));
  if (side->payoff != ALEA_TOSS_NONE) {
    alea_text_put(out, " PAYOFF ");
    put(f, side->payoff, LOOSE, out);
  }
  for (size_t i = 0; i < side->labels.count; i++) {
    alea_text_put(out, i == 0 ? "\n    MOVES " : ";\n          ");
    put_label(f, &side->labels.data[i], out);
  }
  alea_text_put(out, " }\n");
}

static void put_location(const file_t *f, const alea_toss_location *location, alea_text *out) {
  alea_text_format(out, "LOC %u {\n", location->number);
  for (size_t i = 0; i < f->players.count; i++) put_side(f, location, i, out);
  for (size_t i = 0; i < location->edges.count; i++) {
    const alea_toss_edge *edge = &location->edges.data[i];
    alea_text_put(out, "  EDGE [");
    for (size_t j = 0; j < f->players.count; j++) {
      if (j > 0) alea_text_put(out, ", ");
      uint32_t label = edge->labels[j];
      alea_text_put(out, label == ALEA_TOSS_NONE
                             ? "-"
                             : alea_toss_text(f, location->sides[j].labels.data[label].alias));
    }
    alea_text_char(out, ']');
    put_targets(f, &edge->targets, out);
    alea_text_char(out, '\n');
  }
  alea_text_put(out, "}\n");
}

void alea_toss_print(const file_t *f, alea_text *out) {
  alea_text_put(out, "PLAYERS ");
  put_names(f, f->players.data, (uint32_t)f->players.count, out);
  alea_text_put(out, "\nRANGE ");
  put_number(f->least, out);
  alea_text_put(out, " -- ");
  put_number(f->most, out);
  alea_text_char(out, '\n');
  for (size_t i = 0; i < f->relations.count; i++) {
    const alea_toss_relation *r = &f->relations.data[i];
    alea_text_format(out, "REL %s", alea_toss_text(f, r->name));
    if (r->body == ALEA_TOSS_NONE) {
      alea_text_format(out, ":%u\n", r->arity);
      continue;
    }
    alea_text_char(out, '(');
    put_names(f, f->kids.data + r->first_param, r->arity, out);
    alea_text_put(out, ") = ");
    put(f, r->body, LOOSE, out);
    alea_text_char(out, '\n');
  }
  for (size_t i = 0; i < f->rules.count; i++) put_rule(f, &f->rules.data[i], out);
  for (size_t i = 0; i < f->locations.count; i++) put_location(f, &f->locations.data[i], out);
  alea_text_put(out, "START ");
  put_picture(f, &f->start, out);
  alea_text_char(out, '\n');
}
