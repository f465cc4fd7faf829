/* Writing XCSP3-core. */
#include "csp/constraints.h"
#include "csp/expr.h"
#include "csp/xcsp3.h"

typedef struct writer {
  const alea_csp *csp;
  alea_text *text;
  const char **names;
} writer;

static const char *name(const writer *w, alea_csp_var var) { return w->names[var]; }

/* An id of XCSP3 is a letter with letters, digits and underscores after it. */
static bool make_names(writer *w, alea_arena *arena) {
  const alea_csp *csp = w->csp;
  w->names = alea_arena_alloc(arena, (csp->vars.count + 1) * sizeof *w->names);
  for (size_t v = 0; w->names != NULL && v < csp->vars.count; v++) {
    const char *from = csp->vars.data[v].name;
    char *to = alea_arena_alloc(arena, 6 * strlen(from) + 1);
    w->names[v] = to;
    if (to == NULL) return false;
    for (; *from != '\0'; from++) {
      const char *word = *from == '@' ? "_at_" : *from == '\'' ? "_next" : NULL;
      for (; word != NULL && *word != '\0'; word++) *to++ = *word;
      if (*from != '@' && *from != '\'') *to++ = *from;
    }
    *to = '\0';
  }
  return w->names != NULL;
}

static void put_list(writer *w, const alea_csp_var *vars, uint32_t count) {
  alea_text_put(w->text, "<list>");
  for (uint32_t i = 0; i < count; i++) alea_text_format(w->text, " %s", name(w, vars[i]));
  alea_text_put(w->text, " </list>");
}

static void put_ints(writer *w, const int32_t *values, size_t count) {
  for (size_t i = 0; i < count; i++) alea_text_format(w->text, " %d", values[i]);
  alea_text_char(w->text, ' ');
}

static void put_domain(writer *w, const csp_variable *var) {
  if (var->values == NULL) {
    alea_text_format(w->text, " %d..%d ", var->base, csp_value(var, var->size - 1));
    return;
  }
  put_ints(w, var->values, var->size);
}

static void put_table(writer *w, const csp_constraint *c) {
  const csp_table *table = c->data;
  const char *kind = table->forbidden ? "conflicts" : "supports";
  alea_text_put(w->text, "<extension>");
  put_list(w, c->scope, c->arity);
  alea_text_format(w->text, "<%s> ", kind);
  for (size_t r = 0; r < table->count; r++) {
    if (c->arity > 1) alea_text_char(w->text, '(');
    for (uint32_t i = 0; i < c->arity; i++) {
      uint32_t entry = table->rows[r * c->arity + i];
      if (i > 0) alea_text_char(w->text, ',');
      if (entry == CSP_ANY)
        alea_text_char(w->text, '*');
      else
        alea_text_format(w->text, "%d", csp_value(&w->csp->vars.data[c->scope[i]], entry));
    }
    alea_text_put(w->text, c->arity > 1 ? ")" : " ");
  }
  alea_text_format(w->text, " </%s></extension>\n", kind);
}

static void put_literal(writer *w, const csp_constraint *c, csp_literal lit) {
  alea_text_format(w->text, "%s(%s,%d)", lit.negative ? "ne" : "eq",
                   name(w, c->scope[lit.position]), lit.value);
}

static void put_clause(writer *w, const csp_constraint *c) {
  const csp_clause *clause = c->data;
  alea_text_put(w->text, "<intension> or(");
  for (size_t i = 0; i < clause->count; i++) {
    if (i > 0) alea_text_char(w->text, ',');
    put_literal(w, c, clause->lits[i]);
  }
  alea_text_put(w->text, ") </intension>\n");
}

static void put_rules(writer *w, const csp_constraint *c) {
  const csp_rules *rules = c->data;
  alea_text_put(w->text, "<intension> iff(");
  put_literal(w, c, rules->head);
  alea_text_put(w->text, rules->bodies == 0 ? ",0" : ",or(");
  for (size_t b = 0; b < rules->bodies; b++) {
    if (b > 0) alea_text_char(w->text, ',');
    bool empty = rules->starts[b] == rules->starts[b + 1];
    alea_text_put(w->text, empty ? "1" : "and(");
    for (uint32_t i = rules->starts[b]; i < rules->starts[b + 1]; i++) {
      if (i > rules->starts[b]) alea_text_char(w->text, ',');
      put_literal(w, c, rules->lits[i]);
    }
    if (!empty) alea_text_char(w->text, ')');
  }
  alea_text_put(w->text, rules->bodies == 0 ? ") </intension>\n" : ")) </intension>\n");
}

/* or(and(...), ...) of the bodies that give head 0 the value; 0 when there are none. */
static void put_bodies(writer *w, const csp_constraint *c, int32_t value) {
  const csp_program *p = c->data;
  bool first = true;
  alea_text_put(w->text, "or(0");
  for (size_t r = 0; r < p->rule_count; r++) {
    if (p->rules[r].value != value) continue;
    alea_text_put(w->text, p->rules[r].count == 0 ? ",1" : ",and(1");
    for (uint32_t i = 0; i < p->rules[r].count; i++) {
      alea_text_char(w->text, ',');
      put_literal(w, c, p->lits[p->rules[r].first + i]);
    }
    if (p->rules[r].count != 0) alea_text_char(w->text, ')');
    first = false;
  }
  alea_text_put(w->text, first ? ",0)" : ")");
}

/* One equivalence (choice: implication) per value.  False for recursive rules,
 * which have no short form here. */
static bool put_program(writer *w, const csp_constraint *c) {
  const csp_program *p = c->data;
  bool choice = c->type == &csp_choice_type;
  if (p->recursive) return false;
  const csp_variable *var = &w->csp->vars.data[c->scope[0]];
  for (uint32_t i = 0; i < var->size; i++) {
    int32_t value = csp_value(var, i);
    if (!choice && value == p->defaults[0]) continue;
    alea_text_format(w->text, "<intension> %s(eq(%s,%d),", choice ? "imp" : "iff",
                     name(w, c->scope[0]), value);
    if (p->highest) alea_text_put(w->text, "and(");
    put_bodies(w, c, value);
    for (uint32_t k = i + 1; p->highest && k < var->size; k++) {
      alea_text_put(w->text, ",not(");
      put_bodies(w, c, csp_value(var, k));
      alea_text_char(w->text, ')');
    }
    alea_text_put(w->text, p->highest ? ",eq(0,0))) </intension>\n" : ") </intension>\n");
  }
  return true;
}

static void put_linear(writer *w, const csp_constraint *c) {
  const csp_linear *linear = c->data;
  const char *op = linear->op == ALEA_LE ? "le" : linear->op == ALEA_EQ ? "eq" : "ne";
  alea_text_put(w->text, "<sum>");
  put_list(w, c->scope, c->arity);
  alea_text_put(w->text, "<coeffs>");
  for (uint32_t i = 0; i < c->arity; i++)
    alea_text_format(w->text, " %lld", (long long)linear->coeffs[i]);
  alea_text_format(w->text, " </coeffs><condition> (%s,%lld) </condition></sum>\n", op,
                   (long long)linear->rhs);
}

static void put_values_constraint(writer *w, const csp_constraint *c) {
  const csp_values *values = c->data;
  if (c->type == &csp_all_different_type) {
    alea_text_put(w->text, "<allDifferent>");
    put_list(w, c->scope, c->arity);
    if (values->count != 0) {
      alea_text_put(w->text, "<except>");
      put_ints(w, values->values, values->count);
      alea_text_put(w->text, "</except>");
    }
    alea_text_put(w->text, "</allDifferent>\n");
    return;
  }
  alea_text_put(w->text, "<count>");
  put_list(w, c->scope, c->arity - 1);
  alea_text_put(w->text, "<values>");
  put_ints(w, values->values, values->count);
  alea_text_format(w->text, "</values><condition> (eq,%s) </condition></count>\n",
                   name(w, c->scope[c->arity - 1]));
}

static void put_extremum(writer *w, const csp_constraint *c) {
  alea_text_format(w->text, "<%s>", c->type->name);
  put_list(w, c->scope, c->arity - 1);
  alea_text_format(w->text, "<condition> (eq,%s) </condition></%s>\n",
                   name(w, c->scope[c->arity - 1]), c->type->name);
}

static void put_element(writer *w, const csp_constraint *c) {
  const csp_element *element = c->data;
  alea_text_format(w->text, "<element><list startIndex=\"%d\">", element->base);
  for (uint32_t i = 0; i < element->count; i++)
    alea_text_format(w->text, " %s", name(w, c->scope[i]));
  alea_text_format(w->text, " </list><index> %s </index><value> %s </value></element>\n",
                   name(w, c->scope[element->count]), name(w, c->scope[element->count + 1]));
}

static void put_channel(writer *w, const csp_constraint *c) {
  const csp_channel *channel = c->data;
  alea_text_format(w->text, "<channel><list startIndex=\"%d\">", channel->left_base);
  for (uint32_t i = 0; i < channel->left; i++)
    alea_text_format(w->text, " %s", name(w, c->scope[i]));
  alea_text_format(w->text, " </list><list startIndex=\"%d\">", channel->right_base);
  for (uint32_t i = 0; i < channel->right; i++)
    alea_text_format(w->text, " %s", name(w, c->scope[channel->left + i]));
  alea_text_put(w->text, " </list></channel>\n");
}

static void put_lex(writer *w, const csp_constraint *c) {
  const csp_lex *lex = c->data;
  alea_text_put(w->text, "<lex>");
  put_list(w, c->scope, lex->count);
  put_list(w, c->scope + lex->count, lex->count);
  alea_text_format(w->text, "<operator> %s </operator></lex>\n", lex->strict ? "lt" : "le");
}

static void put_regular(writer *w, const csp_constraint *c) {
  const csp_regular *regular = c->data;
  alea_text_put(w->text, "<regular>");
  put_list(w, c->scope, c->arity);
  alea_text_put(w->text, "<transitions> ");
  for (size_t e = 0; e < regular->edge_count; e++)
    alea_text_format(w->text, "(q%u,%d,q%u)", regular->edges[e].from, regular->edges[e].value,
                     regular->edges[e].to);
  alea_text_format(w->text, " </transitions><start> q%u </start><final>", regular->start);
  for (uint32_t s = 0; s < regular->states; s++)
    if (regular->final[s]) alea_text_format(w->text, " q%u", s);
  alea_text_put(w->text, " </final></regular>\n");
}

/* Some variable takes 'value': or(eq(x,v),...) */
static void put_some(writer *w, const csp_constraint *c, int32_t value) {
  alea_text_put(w->text, "or(");
  for (uint32_t i = 0; i < c->arity; i++)
    alea_text_format(w->text, "%seq(%s,%d)", i > 0 ? "," : "", name(w, c->scope[i]), value);
  alea_text_char(w->text, ')');
}

static void put_not_both(writer *w, const csp_constraint *c) {
  const csp_pair *pair = c->data;
  alea_text_put(w->text, "<intension> not(and(");
  put_some(w, c, pair->a);
  alea_text_char(w->text, ',');
  put_some(w, c, pair->b);
  alea_text_put(w->text, ")) </intension>\n");
}

static void put_parity(writer *w, const csp_constraint *c) {
  alea_text_format(w->text, "<intension> eq(%s,if(and(", name(w, c->scope[c->arity - 1]));
  for (uint32_t i = 0; i + 1 < c->arity; i++)
    alea_text_format(w->text, "%sne(mod(%s,2),0)", i > 0 ? "," : "", name(w, c->scope[i]));
  alea_text_put(w->text, "),1,if(and(");
  for (uint32_t i = 0; i + 1 < c->arity; i++)
    alea_text_format(w->text, "%seq(mod(%s,2),0)", i > 0 ? "," : "", name(w, c->scope[i]));
  alea_text_put(w->text, "),2,0))) </intension>\n");
}

static void put_iff(writer *w, const csp_constraint *c) {
  const csp_pair *pair = c->data;
  alea_text_format(w->text, "<intension> iff(eq(%s,%d),eq(%s,%d)) </intension>\n",
                   name(w, c->scope[0]), pair->a, name(w, c->scope[1]), pair->b);
}

/* Postfix to functional notation, by a stack of text pieces: the start of
 * each operand in the output is kept, and "op(" is inserted before it. */
static bool put_intension(writer *w, const csp_constraint *c) {
  const csp_expr *expr = c->data; /* the expression is the first member */
  ALEA_VEC(alea_text) stack = {0};
  alea_mem *mem = w->csp->mem;
  bool good = true;
  for (size_t i = 0; i < expr->count && good; i++) {
    const csp_code *code = &expr->code[i];
    alea_text piece;
    alea_text_init(&piece, mem);
    if (code->op == CSP_OP_CONST)
      alea_text_format(&piece, "%lld", (long long)code->value);
    else if (code->op == CSP_OP_VAR)
      alea_text_put(&piece, name(w, c->scope[code->value]));
    else {
      bool set = code->op == CSP_OP_IN || code->op == CSP_OP_NOTIN;
      alea_text_format(&piece, "%s(", csp_operator_name(code->op));
      for (uint32_t k = 0; k < code->count; k++) {
        alea_text *operand = &stack.data[stack.count - code->count + k];
        if (k > 0) alea_text_char(&piece, ',');
        if (k == 1 && set) alea_text_put(&piece, "set(");
        alea_text_put(&piece, alea_text_string(operand));
        alea_text_clear(operand);
      }
      stack.count -= code->count;
      if (set) alea_text_put(&piece, code->count > 1 ? ")" : ",set()");
      alea_text_char(&piece, ')');
    }
    good = !piece.failed && alea_vec_push(mem, &stack, piece);
    if (!good) alea_text_clear(&piece);
  }
  if (good)
    alea_text_format(w->text, "<intension> %s </intension>\n", alea_text_string(&stack.data[0]));
  for (size_t i = 0; i < stack.count; i++) alea_text_clear(&stack.data[i]);
  alea_vec_clear(mem, &stack);
  return good;
}

static bool put_constraint(writer *w, const csp_constraint *c) {
  const csp_type *t = c->type;
  if (csp_is_table(t))
    put_table(w, c);
  else if (t == &csp_clause_type)
    put_clause(w, c);
  else if (t == &csp_rules_type)
    put_rules(w, c);
  else if (t == &csp_program_type || t == &csp_choice_type)
    return put_program(w, c);
  else if (t == &csp_linear_type || t == &csp_order_type)
    put_linear(w, c);
  else if (t == &csp_all_different_type || t == &csp_count_type)
    put_values_constraint(w, c);
  else if (t == &csp_maximum_type || t == &csp_minimum_type)
    put_extremum(w, c);
  else if (t == &csp_element_type)
    put_element(w, c);
  else if (t == &csp_channel_type)
    put_channel(w, c);
  else if (t == &csp_lex_type)
    put_lex(w, c);
  else if (t == &csp_regular_type)
    put_regular(w, c);
  else if (t == &csp_not_both_type)
    put_not_both(w, c);
  else if (t == &csp_parity_type)
    put_parity(w, c);
  else if (t == &csp_iff_type)
    put_iff(w, c);
  else
    return put_intension(w, c);
  return true;
}

alea_status alea_xcsp3_write(const alea_csp *csp, alea_text *text) {
  if (csp->state != ALEA_OK) return csp->state;
  alea_arena arena;
  alea_arena_init(&arena, csp->mem);
  writer w = {csp, text, NULL};
  bool good = make_names(&w, &arena), known = true;
  if (!good) {
    alea_arena_clear(&arena);
    return ALEA_SYSTEM;
  }
  alea_text_format(text, "<instance format=\"XCSP3\" type=\"%s\">\n<variables>\n",
                   csp->objective != ALEA_CSP_NONE ? "COP" : "CSP");
  for (size_t v = 0; v < csp->vars.count; v++) {
    alea_text_format(text, "<var id=\"%s\">", w.names[v]);
    put_domain(&w, &csp->vars.data[v]);
    alea_text_put(text, "</var>\n");
  }
  alea_text_put(text, "</variables>\n<constraints>\n");
  if (csp->false_) alea_text_put(text, "<intension> eq(0,1) </intension>\n");
  for (size_t c = 0; c < csp->constraints.count && good; c++) {
    good = put_constraint(&w, &csp->constraints.data[c]);
    known = good || csp->constraints.data[c].type != &csp_program_type;
  }
  alea_text_put(text, "</constraints>\n");
  if (csp->objective != ALEA_CSP_NONE) {
    const char *kind = csp->maximise ? "maximize" : "minimize";
    alea_text_format(text, "<objectives> <%s> %s </%s> </objectives>\n", kind,
                     w.names[csp->objective], kind);
  }
  alea_text_put(text, "</instance>\n");
  alea_arena_clear(&arena);
  if (!known) return ALEA_LIMIT;
  return good && !text->failed ? ALEA_OK : ALEA_SYSTEM;
}
