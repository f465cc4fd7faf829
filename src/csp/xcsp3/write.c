/* Writing XCSP3-core. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/hash_map.h"
#include "csp/constraints.h"
#include "csp/expr.h"
#include "csp/xcsp3/xcsp3.h"

typedef struct writer {
  const alea_csp *csp;
  const alea_xcsp3 *more; /* NULL: a plain network */
  alea_text *text;
  alea_arena arena;
  const char **names;                /* per variable: its own, or one that XCSP3 allows */
  const alea_xcsp3_chance **chances; /* per variable, or NULL */
  uint32_t *runs;             /* per variable: number of cells of an array that begins here, or 0 */
  alea_hash_map names_in_use; /* variables by their names */
  bool recursive;             /* a recursive program occurred, which has no XCSP3 form */
} writer;

static const char *name(const writer *w, alea_csp_var var) { return w->names[var]; }

static void put_list(writer *w, const alea_csp_var *vars, uint32_t count) {
  alea_text_put(w->text, "<list>");
  for (uint32_t i = 0; i < count; i++) alea_text_format(w->text, " %s", name(w, vars[i]));
  alea_text_put(w->text, " </list>");
}

static void put_ints(writer *w, const int32_t *values, size_t count) {
  for (size_t i = 0; i < count; i++) alea_text_format(w->text, " %d", values[i]);
  alea_text_char(w->text, ' ');
}

static void put_domain(writer *w, alea_csp_var v) {
  const csp_variable *var = &w->csp->vars.data[v];
  if (w->chances[v] != NULL) {
    for (uint32_t i = 0; i < var->size; i++)
      alea_text_format(w->text, " %d:%.17g", csp_value(var, i), w->chances[v]->probabilities[i]);
    alea_text_char(w->text, ' ');
  } else if (var->values == NULL) {
    alea_text_format(w->text, " %d..%d ", var->base, csp_value(var, var->size - 1));
  } else {
    put_ints(w, var->values, var->size);
  }
}

/* ---- names and arrays ---- */

enum { MAX_DIMS = 8, MAX_NAME = 120 };

/* A parsed name such as x[2][0]. */
typedef struct written_cell {
  size_t base; /* length of the part before the brackets */
  uint32_t dims, index[MAX_DIMS];
} written_cell;

static bool is_identifier(const char *text, size_t length) {
  if (length == 0 || length > MAX_NAME || !isalpha((unsigned char)*text)) return false;
  for (size_t i = 1; i < length; i++)
    if (!isalnum((unsigned char)text[i]) && text[i] != '_') return false;
  return true;
}

static bool read_cell(const char *text, written_cell *out) {
  const char *at = strchr(text, '[');
  *out = (written_cell){0};
  if (at == NULL || !is_identifier(text, (size_t)(at - text))) return false;
  out->base = (size_t)(at - text);
  while (*at == '[') {
    char *end;
    unsigned long index = strtoul(at + 1, &end, 10);
    if (!isdigit((unsigned char)at[1]) || *end != ']' || index > 1u << 22 || out->dims == MAX_DIMS)
      return false;
    out->index[out->dims++] = (uint32_t)index;
    at = end + 1;
  }
  return *at == '\0';
}

static int compare_cells(const written_cell *a, const written_cell *b) {
  for (uint32_t d = 0; d < a->dims; d++)
    if (a->index[d] != b->index[d]) return a->index[d] < b->index[d] ? -1 : 1;
  return 0;
}

/* The dimensions of the array for the cells from 'first' on. */
static void array_sizes(const writer *w, alea_csp_var first, uint32_t count,
                        uint32_t sizes[MAX_DIMS]) {
  written_cell c;
  memset(sizes, 0, MAX_DIMS * sizeof *sizes);
  for (uint32_t i = 0; i < count; i++) {
    read_cell(w->csp->vars.data[first + i].name, &c);
    for (uint32_t d = 0; d < c.dims; d++)
      if (c.index[d] + 1 > sizes[d]) sizes[d] = c.index[d] + 1;
  }
}

/* The number of variables from 'first' on that are cells of one array, in
 * order. */
static uint32_t find_run(const writer *w, alea_csp_var first) {
  written_cell before, next;
  const char *base = w->csp->vars.data[first].name;
  if (w->csp->vars.data[first].hidden || !read_cell(base, &before)) return 0;
  uint32_t count = 1;
  for (; first + count < w->csp->vars.count; count++) {
    const csp_variable *var = &w->csp->vars.data[first + count];
    if (var->hidden || !read_cell(var->name, &next) || next.base != before.base ||
        next.dims != before.dims || memcmp(var->name, base, next.base) != 0 ||
        compare_cells(&before, &next) >= 0)
      break;
    before = next;
  }
  return count;
}

enum { MAX_RUNS = 1000 };

/* Cells are written as an array if they are consecutive, its name is free, and
 * it has few holes. */
static void find_arrays(writer *w) {
  uint32_t n = (uint32_t)w->csp->vars.count, found = 0, step;
  alea_csp_var starts[MAX_RUNS];
  for (alea_csp_var v = 0; v < n; v += step) {
    uint32_t count = find_run(w, v), sizes[MAX_DIMS];
    step = count != 0 ? count : 1;
    if (count == 0 || found == MAX_RUNS) continue;
    const char *own = w->csp->vars.data[v].name;
    written_cell c;
    read_cell(own, &c);
    double cells = 1;
    array_sizes(w, v, count, sizes);
    for (uint32_t d = 0; d < c.dims; d++) cells *= sizes[d];
    char *id = alea_arena_strdup(&w->arena, own, c.base);
    bool good =
        id != NULL && alea_csp_find(w->csp, id) == ALEA_CSP_NONE && cells <= 4.0 * count + 64;
    for (uint32_t k = 0; k < found; k++)
      if (strncmp(w->csp->vars.data[starts[k]].name, own, c.base + 1) == 0) {
        w->runs[starts[k]] = 0; /* not consecutive: then no part is an array */
        good = false;
      }
    starts[found++] = v;
    if (good) w->runs[v] = count;
  }
}

/* Reserves a name for 'var'; false if another variable has it. */
static bool claim(writer *w, alea_csp_var var, const char *text) {
  uint64_t hash = alea_hash_bytes(text, strlen(text));
  alea_hash_probe probe = alea_hash_map_probe(&w->names_in_use, hash);
  while (alea_hash_map_next(&w->names_in_use, &probe))
    if (strcmp(w->names[probe.id], text) == 0) return false;
  alea_hash_map_put(&w->names_in_use, probe, var);
  w->names[var] = text;
  return true;
}

/* Letters, digits and underscores; with a number if the name is taken. */
static bool claim_tame(writer *w, alea_csp_var var, const char *text) {
  char out[160];
  const char *prefix = *text == '$' ? "aux_" : isalpha((unsigned char)*text) ? "" : "v_";
  size_t length = (size_t)snprintf(out, sizeof out, "%s", prefix);
  for (text += *text == '$'; *text != '\0' && length < MAX_NAME; text++)
    out[length++] = isalnum((unsigned char)*text) ? *text : '_';
  out[length] = '\0';
  for (unsigned turn = 1;; turn++) {
    const char *copy = alea_arena_strdup(&w->arena, out, strlen(out));
    if (copy == NULL) return false;
    if (alea_csp_find(w->csp, out) == ALEA_CSP_NONE && claim(w, var, copy)) return true;
    snprintf(out + length, sizeof out - length, "_%u", turn);
  }
}

static bool choose_names(writer *w) {
  uint32_t n = (uint32_t)w->csp->vars.count, rest = 0;
  find_arrays(w);
  for (alea_csp_var v = 0; v < n; v++) {
    const char *own = w->csp->vars.data[v].name;
    if (w->runs[v] != 0) rest = w->runs[v];
    bool fine = rest > 0 || is_identifier(own, strlen(own));
    if (rest > 0) rest--;
    if (!(fine && claim(w, v, own)) && !claim_tame(w, v, own)) return false;
  }
  return true;
}

static bool same_domain(const writer *w, alea_csp_var a, alea_csp_var b) {
  const csp_variable *x = &w->csp->vars.data[a], *y = &w->csp->vars.data[b];
  if (w->chances[a] != NULL || w->chances[b] != NULL || x->size != y->size || x->base != y->base ||
      (x->values == NULL) != (y->values == NULL))
    return false;
  return x->values == NULL || memcmp(x->values, y->values, x->size * sizeof *x->values) == 0;
}

/* Writes an array with its domains; consecutive cells with the same domain
 * share an element. */
static void put_array(writer *w, alea_csp_var first, uint32_t count) {
  uint32_t sizes[MAX_DIMS];
  array_sizes(w, first, count, sizes);
  const char *base = w->csp->vars.data[first].name, *bracket = strchr(base, '[');
  alea_text_format(w->text, "<array id=\"%.*s\" size=\"", (int)(bracket - base), base);
  written_cell shape;
  read_cell(base, &shape);
  for (uint32_t d = 0; d < shape.dims; d++) alea_text_format(w->text, "[%u]", sizes[d]);
  alea_text_put(w->text, "\">\n");
  for (uint32_t i = 0; i < count;) {
    uint32_t run = 1;
    while (i + run < count && same_domain(w, first + i, first + i + run)) run++;
    alea_text_format(w->text, " <domain%s for=\"",
                     w->chances[first + i] != NULL ? " type=\"stochastic\"" : "");
    for (uint32_t k = 0; k < run; k++)
      alea_text_format(w->text, "%s%s", k > 0 ? " " : "", name(w, first + i + k));
    alea_text_put(w->text, "\">");
    put_domain(w, first + i);
    alea_text_put(w->text, "</domain>\n");
    i += run;
  }
  alea_text_put(w->text, "</array>\n");
}

static void put_variables(writer *w) {
  uint32_t n = (uint32_t)w->csp->vars.count;
  for (alea_csp_var v = 0; v < n;) {
    uint32_t run = w->runs[v];
    if (run != 0) {
      put_array(w, v, run);
      v += run;
      continue;
    }
    alea_text_format(w->text, "<var id=\"%s\"%s%s>", name(w, v),
                     w->csp->vars.data[v].hidden ? " class=\"hidden\"" : "",
                     w->chances[v] != NULL ? " type=\"stochastic\"" : "");
    put_domain(w, v);
    alea_text_put(w->text, "</var>\n");
    v++;
  }
}

/* ---- constraints ---- */

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

/* or(and(...), ...) of the bodies that give head 0 the value; 0 if there are
 * none. */
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
  w->recursive = p->recursive;
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

static void put_part(writer *w, const char *part, const alea_csp_var *vars, uint32_t count) {
  alea_text_format(w->text, "<%s>", part);
  for (uint32_t i = 0; i < count; i++) alea_text_format(w->text, " %s", name(w, vars[i]));
  alea_text_format(w->text, " </%s>", part);
}

/* Two lists that differ are written as allDifferent over lists. */
static void put_differ(writer *w, const csp_constraint *c) {
  const csp_differ *differ = c->data;
  alea_text_put(w->text, "<allDifferent>");
  put_list(w, c->scope, differ->count);
  put_list(w, c->scope + differ->count, differ->count);
  if (differ->except_count != 0) alea_text_put(w->text, "<except> ");
  for (size_t e = 0; e < differ->except_count; e++)
    for (uint32_t i = 0; i < differ->count; i++)
      alea_text_format(w->text, "%s%d%s", i == 0 ? "(" : ",", differ->except[e * differ->count + i],
                       i + 1 == differ->count ? ")" : "");
  if (differ->except_count != 0) alea_text_put(w->text, " </except>");
  alea_text_put(w->text, "</allDifferent>\n");
}

static void put_circuit(writer *w, const csp_constraint *c) {
  const csp_circuit *circuit = c->data;
  alea_text_format(w->text, "<circuit><list startIndex=\"%d\">", circuit->base);
  for (uint32_t i = 0; i < c->arity; i++) alea_text_format(w->text, " %s", name(w, c->scope[i]));
  alea_text_put(w->text, " </list></circuit>\n");
}

/* Boxes as rows of coordinates. */
static void put_rows(writer *w, const char *part, const alea_csp_var *vars,
                     const csp_boxes *boxes) {
  if (boxes->dims == 1) {
    put_part(w, part, vars, boxes->count);
    return;
  }
  alea_text_format(w->text, "<%s> ", part);
  for (uint32_t i = 0; i < boxes->count * boxes->dims; i++)
    alea_text_format(w->text, "%s%s%s", i % boxes->dims == 0 ? "(" : ",", name(w, vars[i]),
                     (i + 1) % boxes->dims == 0 ? ")" : "");
  alea_text_format(w->text, " </%s>", part);
}

static void put_boxes(writer *w, const csp_constraint *c) {
  const csp_boxes *boxes = c->data;
  alea_text_format(w->text, "<noOverlap zeroIgnored=\"%s\">",
                   boxes->zero_ignored ? "true" : "false");
  put_rows(w, "origins", c->scope, boxes);
  put_rows(w, "lengths", c->scope + boxes->count * boxes->dims, boxes);
  alea_text_put(w->text, "</noOverlap>\n");
}

static void put_tasks(writer *w, const csp_constraint *c) {
  uint32_t n = ((const csp_tasks *)c->data)->count;
  alea_text_put(w->text, "<cumulative>");
  put_part(w, "origins", c->scope, n);
  put_part(w, "lengths", c->scope + n, n);
  put_part(w, "heights", c->scope + 2 * n, n);
  alea_text_format(w->text, "<condition> (le,%s) </condition></cumulative>\n",
                   name(w, c->scope[3 * n]));
}

static bool put_intension(writer *w, const csp_constraint *c) {
  alea_text_put(w->text, "<intension> ");
  /* The expression is the first member of the constraint's data. */
  bool good = csp_expr_write(c->data, c->scope, w->names, w->csp->mem, w->text);
  alea_text_put(w->text, " </intension>\n");
  return good;
}

static const struct {
  const csp_type *type;
  void (*put)(writer *w, const csp_constraint *c);
} forms[] = {
    {&csp_clause_type, put_clause},
    {&csp_rules_type, put_rules},
    {&csp_linear_type, put_linear},
    {&csp_order_type, put_linear},
    {&csp_all_different_type, put_values_constraint},
    {&csp_count_type, put_values_constraint},
    {&csp_maximum_type, put_extremum},
    {&csp_minimum_type, put_extremum},
    {&csp_element_type, put_element},
    {&csp_channel_type, put_channel},
    {&csp_lex_type, put_lex},
    {&csp_regular_type, put_regular},
    {&csp_not_both_type, put_not_both},
    {&csp_parity_type, put_parity},
    {&csp_iff_type, put_iff},
    {&csp_differ_type, put_differ},
    {&csp_circuit_type, put_circuit},
    {&csp_boxes_type, put_boxes},
    {&csp_tasks_type, put_tasks},
};

static bool put_constraint(writer *w, const csp_constraint *c) {
  if (csp_is_table(c->type)) {
    put_table(w, c);
    return true;
  }
  if (c->type == &csp_program_type || c->type == &csp_choice_type) return put_program(w, c);
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
    if (forms[i].type != c->type) continue;
    forms[i].put(w, c);
    return true;
  }
  return put_intension(w, c);
}

/* ---- objective, quantifiers, stages ---- */

/* Consecutive variables of one kind share an element. */
static void put_quantifiers(writer *w) {
  size_t n = w->more->quantifiers.count;
  const alea_xcsp3_quantifier *q = w->more->quantifiers.data;
  static const char *const checks[] = {ALEA_STRATEGIC_CHECKS(ALEA_CHOICE_STRING)};
  static const char *const existentials[] = {ALEA_STRATEGIC_EXISTENTIALS(ALEA_CHOICE_STRING)};
  alea_text_put(w->text, "<quantification");
  if (w->more->check != ALEA_STRATEGIC_EXACT)
    alea_text_format(w->text, " check=\"%s\"", checks[w->more->check]);
  if (w->more->existential != ALEA_STRATEGIC_DEFINITION)
    alea_text_format(w->text, " existential=\"%s\"", existentials[w->more->existential]);
  alea_text_put(w->text, ">\n");
  for (size_t i = 0; i < n;) {
    const char *kind = q[i].universal ? "forall" : "exists";
    bool universal = q[i].universal;
    alea_text_format(w->text, " <%s>", kind);
    for (; i < n && q[i].universal == universal; i++)
      alea_text_format(w->text, " %s", name(w, q[i].var));
    alea_text_format(w->text, " </%s>\n", kind);
  }
  alea_text_put(w->text, "</quantification>\n");
}

static void put_stages(writer *w) {
  const alea_xcsp3 *more = w->more;
  alea_text_put(w->text, "<stages>\n");
  for (size_t i = 0; i < more->staged.count;) {
    uint32_t stage = more->stages.data[i];
    alea_text_put(w->text, " <stage>");
    for (; i < more->staged.count && more->stages.data[i] == stage; i++)
      alea_text_format(w->text, " %s", name(w, more->staged.data[i]));
    alea_text_put(w->text, " </stage>\n");
  }
  alea_text_put(w->text, "</stages>\n");
}

static const char *kind_of(const writer *w) {
  if (w->more != NULL && w->more->quantifiers.count != 0)
    return w->more->classical ? "QCSP" : "StrategicCSP";
  if (w->more != NULL && w->more->chances.count != 0) return "SCSP";
  return w->csp->objective != ALEA_CSP_NONE ? "COP" : "CSP";
}

static bool is_plain(const writer *w) {
  return w->more == NULL || (w->more->quantifiers.count == 0 && w->more->chances.count == 0);
}

/* A reader takes variables that no constraint mentions out of a plain network,
 * so those that are free in ours are mentioned by a tautology. */
static bool put_mentions(writer *w) {
  const alea_csp *csp = w->csp;
  size_t n = csp->vars.count;
  bool *in_scope = alea_arena_alloc(&w->arena, n + 1);
  if (in_scope == NULL) return false;
  memset(in_scope, 0, n + 1);
  for (size_t c = 0; c < csp->constraints.count; c++)
    for (uint32_t i = 0; i < csp->constraints.data[c].arity; i++)
      in_scope[csp->constraints.data[c].scope[i]] = true;
  if (csp->objective != ALEA_CSP_NONE) in_scope[csp->objective] = true;
  for (alea_csp_var v = 0; v < n; v++)
    if (!in_scope[v] && !csp->vars.data[v].unused)
      alea_text_format(w->text, "<intension> eq(%s,%s) </intension>\n", name(w, v), name(w, v));
  return true;
}

static bool put_instance(writer *w) {
  const alea_csp *csp = w->csp;
  bool good = true;
  alea_text_format(w->text, "<instance format=\"XCSP3\" type=\"%s\">\n<variables>\n", kind_of(w));
  put_variables(w);
  alea_text_put(w->text, "</variables>\n<constraints>\n");
  if (csp->false_) alea_text_put(w->text, "<intension> eq(0,1) </intension>\n");
  for (size_t c = 0; c < csp->constraints.count && good; c++)
    good = put_constraint(w, &csp->constraints.data[c]);
  if (is_plain(w)) good = put_mentions(w) && good;
  alea_text_put(w->text, "</constraints>\n");
  if (w->more != NULL && w->more->quantifiers.count != 0) put_quantifiers(w);
  if (w->more != NULL && w->more->staged.count != 0) put_stages(w);
  if (csp->objective != ALEA_CSP_NONE) {
    const char *kind = csp->maximise ? "maximize" : "minimize";
    alea_text_format(w->text, "<objectives> <%s> %s </%s> </objectives>\n", kind,
                     name(w, csp->objective), kind);
  }
  alea_text_put(w->text, "</instance>\n");
  return good;
}

alea_status alea_xcsp3_write(const alea_csp *csp, const alea_xcsp3 *more, alea_text *text) {
  if (csp->state != ALEA_OK) return csp->state;
  writer w = {.csp = csp, .more = more, .text = text};
  size_t n = csp->vars.count;
  alea_arena_init(&w.arena, csp->mem);
  w.names = alea_arena_alloc(&w.arena, (n + 1) * sizeof *w.names);
  w.chances = alea_arena_alloc(&w.arena, (n + 1) * sizeof *w.chances);
  w.runs = alea_arena_alloc(&w.arena, (n + 1) * sizeof *w.runs);
  bool good = alea_hash_map_init(&w.names_in_use, csp->mem, n) && w.names != NULL &&
              w.chances != NULL && w.runs != NULL;
  for (size_t v = 0; v < n && good; v++) {
    w.chances[v] = NULL;
    w.runs[v] = 0;
  }
  for (size_t i = 0; good && more != NULL && i < more->chances.count; i++)
    w.chances[more->chances.data[i].var] = &more->chances.data[i];
  good = good && choose_names(&w) && put_instance(&w);
  alea_hash_map_clear(&w.names_in_use, csp->mem);
  alea_arena_clear(&w.arena);
  if (w.recursive) return ALEA_LIMIT;
  return good && !text->failed ? ALEA_OK : ALEA_SYSTEM;
}
