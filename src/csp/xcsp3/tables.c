/* The XCSP3 reader: tables, automata and diagrams, precedence, stretch. */
#include "base/hash.h"
#include "base/hash_map.h"
#include "csp/xcsp3/reader.h"

/* ---- extension ---- */

/* An entry of a tuple as values: one value, the star, or the values of the
 * domain in a set, a range or a comparison. */
typedef struct tables_entry {
  size_t first, count; /* in the list of values */
} tables_entry;

typedef struct tuple_reader {
  xml_reader *r;
  const xmlNode *node;
  const var_list *scope;
  const char *at;
  int_list values; /* of the entries of one tuple */
  ALEA_VEC(tables_entry) entries;
  ALEA_VEC(size_t) turn;
  int_list *out;
} tuple_reader;

enum { MAX_ENTRIES = 1 << 22 }; /* of tuples with entries of several values */

static const struct {
  const char *sign;
  alea_op op;
} signs[] = {{"!=", ALEA_NE},
             {"<=", ALEA_LE},
             {">=", ALEA_GE},
             {"\xe2\x89\xa0", ALEA_NE},
             {"\xe2\x89\xa4", ALEA_LE},
             {"\xe2\x89\xa5", ALEA_GE},
             {"<", ALEA_LT},
             {">", ALEA_GT},
             {"=", ALEA_EQ}};

static bool compares(alea_op op, int32_t a, int32_t b) {
  switch (op) {
    case ALEA_LT: return a < b;
    case ALEA_LE: return a <= b;
    case ALEA_GE: return a >= b;
    case ALEA_GT: return a > b;
    case ALEA_EQ: return a == b;
    default: return a != b;
  }
}

static bool add_value(tuple_reader *t, int32_t value) {
  return alea_vec_push(t->r->mem, &t->values, value) || xml_no_memory(t->r);
}

/* Values of the domain that compare with a number. */
static bool read_comparison(tuple_reader *t, const csp_variable *var, alea_op op) {
  int32_t number;
  if (!xml_read_int(t->r, t->node, &t->at, &number) || !xml_few_values(t->r, t->node, var))
    return false;
  if (var->symbolic && op != ALEA_EQ && op != ALEA_NE)
    return xml_refuse(t->r, t->node, "unsupported", "symbols have no order: '%s'", var->name);
  for (uint32_t v = 0; v < var->size; v++)
    if (compares(op, csp_value(var, v), number) && !add_value(t, csp_value(var, v))) return false;
  return true;
}

/* A number, or the values of the domain in a..b. */
static bool read_range(tuple_reader *t, const csp_variable *var) {
  int32_t lo, hi;
  if (!xml_read_int(t->r, t->node, &t->at, &lo)) return false;
  if (strncmp(t->at, "..", 2) != 0) return add_value(t, lo);
  if (var->symbolic)
    return xml_refuse(t->r, t->node, "unsupported", "symbols have no order: '%s'", var->name);
  t->at += 2;
  if (!xml_read_int(t->r, t->node, &t->at, &hi) || !xml_few_values(t->r, t->node, var))
    return false;
  for (uint32_t v = 0; v < var->size; v++)
    if (csp_value(var, v) >= lo && csp_value(var, v) <= hi && !add_value(t, csp_value(var, v)))
      return false;
  return true;
}

static void skip_space(tuple_reader *t) {
  while (isspace((unsigned char)*t->at)) t->at++;
}

static bool read_members(tuple_reader *t, const csp_variable *var) {
  t->at++;
  for (skip_space(t); *t->at != '}'; skip_space(t)) {
    if (*t->at == ',') {
      t->at++;
      continue;
    }
    if (!read_range(t, var)) return false;
  }
  t->at++;
  return true;
}

/* An entry with all values of a domain becomes a star. */
static void recognise_star(tuple_reader *t, const csp_variable *var, tables_entry *e) {
  if (e->count < 2 || e->count != var->size) return;
  for (size_t i = 0; i < e->count; i++)
    if (t->values.data[e->first + i] != csp_value(var, (uint32_t)i)) return;
  t->values.data[e->first] = ALEA_CSP_STAR;
  t->values.count = e->first + 1;
  e->count = 1;
}

static bool read_entry(tuple_reader *t, const csp_variable *var) {
  tables_entry e = {.first = t->values.count};
  bool good = true, read = false;
  skip_space(t);
  for (size_t i = 0; i < sizeof signs / sizeof *signs && !read; i++) {
    size_t length = strlen(signs[i].sign);
    read = strncmp(t->at, signs[i].sign, length) == 0;
    if (!read) continue;
    t->at += length;
    good = read_comparison(t, var, signs[i].op);
  }
  if (!read && *t->at == '*') {
    t->at++;
    good = add_value(t, ALEA_CSP_STAR);
  } else if (!read) {
    good = *t->at == '{' ? read_members(t, var) : read_range(t, var);
  }
  skip_space(t);
  e.count = t->values.count - e.first;
  recognise_star(t, var, &e);
  return good && (alea_vec_push(t->r->mem, &t->entries, e) || xml_no_memory(t->r));
}

/* Adds every combination of the values of the entries. */
static bool add_rows(tuple_reader *t) {
  size_t arity = t->entries.count;
  double rows = 1;
  t->turn.count = 0;
  for (size_t i = 0; i < arity; i++) {
    rows *= (double)t->entries.data[i].count;
    if (!alea_vec_push(t->r->mem, &t->turn, (size_t)0)) return xml_no_memory(t->r);
  }
  if (rows == 0) return true;
  if (rows > 1 && (rows * (double)arity) + (double)t->out->count > MAX_ENTRIES)
    return xml_refuse(t->r, t->node, "too-large", "a tuple of <%s> stands for too many",
                      xml_name_of(t->node));
  for (;;) {
    for (size_t i = 0; i < arity; i++)
      if (!alea_vec_push(t->r->mem, t->out,
                         t->values.data[t->entries.data[i].first + t->turn.data[i]]))
        return xml_no_memory(t->r);
    size_t i = arity;
    while (i > 0 && ++t->turn.data[i - 1] == t->entries.data[i - 1].count) t->turn.data[--i] = 0;
    if (i == 0) return true;
  }
}

/* With one variable the brackets are optional. */
static bool read_tuple(tuple_reader *t) {
  size_t arity = t->scope->count;
  bool open = *t->at == '(';
  t->values.count = t->entries.count = 0;
  if (!open && arity > 1)
    return xml_refuse(t->r, t->node, "bad-tuple", "expected '(' at '%s'", t->at);
  t->at += open;
  for (size_t i = 0; i < arity; i++) {
    if (!read_entry(t, &t->r->csp->vars.data[t->scope->data[i]])) return false;
    if (open && *t->at++ != (i + 1 < arity ? ',' : ')'))
      return xml_refuse(t->r, t->node, "bad-tuple", "a tuple has the wrong length at '%s'",
                        t->at - 1);
  }
  return add_rows(t);
}

static bool read_tuples(xml_reader *r, const xmlNode *node, const var_list *scope, int_list *out) {
  tuple_reader t = {.r = r, .node = node, .scope = scope, .at = xml_text_of(r, node), .out = out};
  bool good = !r->failed;
  for (skip_space(&t); good && *t.at != '\0'; skip_space(&t)) good = read_tuple(&t);
  alea_vec_clear(r->mem, &t.values);
  alea_vec_clear(r->mem, &t.entries);
  alea_vec_clear(r->mem, &t.turn);
  return good;
}

bool xml_read_extension(xml_reader *r, const xmlNode *node, var_list *list) {
  static const char *const allowed[] = {"list", "supports", "conflicts", NULL};
  if (!xml_only_children(r, node, allowed) || !xml_read_list(r, node, list)) return false;
  xmlNode *supports = xml_child_named(node, "supports"),
          *conflicts = xml_child_named(node, "conflicts");
  if ((supports == NULL) == (conflicts == NULL))
    return xml_refuse(r, node, "bad-table", "<%s> needs one of <supports> and <conflicts>",
                      "extension");
  int_list tuples = {0};
  bool good = read_tuples(r, supports != NULL ? supports : conflicts, list, &tuples);
  if (good)
    alea_csp_table(r->csp, list->data, (uint32_t)list->count, tuples.data,
                   tuples.count / list->count, supports == NULL);
  alea_vec_clear(r->mem, &tuples);
  return good;
}

/* ---- regular and mdd ---- */

typedef struct state_name {
  const char *name;
  size_t length;
} state_name;

typedef struct automaton {
  ALEA_VEC(state_name) states;
  ALEA_VEC(alea_csp_edge) edges;
  ALEA_VEC(bool) final;
  alea_hash_map map; /* states by their names */
} automaton;

static uint64_t hash_state(const void *states, uint32_t state) {
  const state_name *s = (const state_name *)states + state;
  return alea_hash_bytes(s->name, s->length);
}

/* 'word' points into a text that outlives the automaton. */
static bool state_number(xml_reader *r, automaton *a, const char *word, size_t length,
                         uint32_t *number) {
  if (!alea_hash_map_reserve(&a->map, r->mem, hash_state, a->states.data)) return xml_no_memory(r);
  alea_hash_probe probe = alea_hash_map_probe(&a->map, alea_hash_bytes(word, length));
  while (alea_hash_map_next(&a->map, &probe)) {
    const state_name *s = &a->states.data[probe.id];
    *number = probe.id;
    if (s->length == length && memcmp(s->name, word, length) == 0) return true;
  }
  if (!alea_vec_push(r->mem, &a->states, (state_name){word, length}) ||
      !alea_vec_push(r->mem, &a->final, false))
    return xml_no_memory(r);
  *number = (uint32_t)a->states.count - 1;
  alea_hash_map_put(&a->map, probe, *number);
  return true;
}

static void clear_automaton(xml_reader *r, automaton *a) {
  alea_vec_clear(r->mem, &a->states);
  alea_vec_clear(r->mem, &a->edges);
  alea_vec_clear(r->mem, &a->final);
  alea_hash_map_clear(&a->map, r->mem);
}

static size_t part_length(const char *at) {
  size_t length = 0;
  while (at[length] != '\0' && at[length] != ',' && at[length] != ')') length++;
  while (length > 0 && isspace((unsigned char)at[length - 1])) length--;
  return length;
}

static bool expect(xml_reader *r, const xmlNode *node, const char **at, char c) {
  char wanted[32];
  while (isspace((unsigned char)**at)) ++*at;
  if (*(*at) == c) {
    for (++*at; isspace((unsigned char)**at);) ++*at;
    return true;
  }
  snprintf(wanted, sizeof wanted, "expected '%c' at '%%s'", c);
  return xml_refuse(r, node, "bad-transition", wanted, *at);
}

/* (from,value,to)(from,value,to)... */
static bool read_transitions(xml_reader *r, const xmlNode *node, automaton *a) {
  const char *at = xml_text_of(r, node);
  for (;;) {
    alea_csp_edge edge = {0};
    while (isspace((unsigned char)*at)) at++;
    if (*at == '\0') return !r->failed;
    if (!expect(r, node, &at, '(')) return false;
    size_t length = part_length(at);
    if (!state_number(r, a, at, length, &edge.from)) return false;
    at += length;
    if (!expect(r, node, &at, ',') || !xml_read_int(r, node, &at, &edge.value) ||
        !expect(r, node, &at, ','))
      return false;
    length = part_length(at);
    if (!state_number(r, a, at, length, &edge.to)) return false;
    at += length;
    if (!expect(r, node, &at, ')')) return false;
    if (!alea_vec_push(r->mem, &a->edges, edge)) return xml_no_memory(r);
  }
}

/* The root of a diagram has no incoming edge, its terminal no outgoing one. */
static bool diagram_ends(xml_reader *r, const xmlNode *node, automaton *a, uint32_t *start) {
  size_t n = a->states.count, roots = 0;
  bool *in = alea_mem_calloc(r->mem, n, sizeof *in);
  if (in == NULL) return xml_no_memory(r);
  for (size_t s = 0; s < n; s++) a->final.data[s] = true;
  for (size_t e = 0; e < a->edges.count; e++) {
    in[a->edges.data[e].to] = true;
    a->final.data[a->edges.data[e].from] = false;
  }
  for (size_t s = n; s-- > 0;) {
    if (in[s]) continue;
    *start = (uint32_t)s;
    roots++;
  }
  alea_mem_free(r->mem, in, n * sizeof *in);
  return roots == 1 || n == 0 ||
         xml_refuse(r, node, "bad-automaton", "the diagram of <%s> needs one root", "mdd");
}

static bool named_states(xml_reader *r, const xmlNode *node, automaton *a, uint32_t *start) {
  const xmlNode *from = xml_child_named(node, "start"), *final = xml_child_named(node, "final");
  const char *at, *word;
  size_t length;
  if (from == NULL || final == NULL)
    return xml_refuse(r, node, "bad-automaton", "<%s> needs <start> and <final>", "regular");
  at = xml_text_of(r, from);
  if (!xml_next_word(&at, &word, &length))
    return xml_refuse(r, from, "bad-automaton", "<%s> is empty", "start");
  if (!state_number(r, a, word, length, start)) return false;
  for (at = xml_text_of(r, final); xml_next_word(&at, &word, &length);) {
    uint32_t state;
    if (!state_number(r, a, word, length, &state)) return false;
    a->final.data[state] = true;
  }
  return !r->failed;
}

bool xml_read_automaton(xml_reader *r, const xmlNode *node, var_list *list) {
  static const char *const allowed[] = {"list", "transitions", "start", "final", NULL};
  automaton a = {0};
  uint32_t start = 0;
  const xmlNode *child = xml_child_named(node, "transitions");
  bool good = xml_only_children(r, node, allowed) && xml_read_list(r, node, list);
  if (good && child == NULL)
    good = xml_refuse(r, node, "bad-automaton", "<%s> without <transitions>", xml_name_of(node));
  good = good && read_transitions(r, child, &a);
  if (good && a.edges.count == 0)
    good = xml_refuse(r, child, "bad-automaton", "<%s> has no transitions", xml_name_of(node));
  good = good && (xml_is(node, "regular") ? named_states(r, node, &a, &start)
                                          : diagram_ends(r, node, &a, &start));
  if (good)
    alea_csp_regular(r->csp, list->data, (uint32_t)list->count, (uint32_t)a.states.count, start,
                     a.final.data, a.edges.data, a.edges.count);
  clear_automaton(r, &a);
  return good;
}

/* ---- precedence ---- */

static size_t place_of(const int_list *list, int32_t value) {
  size_t i = 0;
  while (i < list->count && list->data[i] != value) i++;
  return i;
}

/* As an automaton that counts how many of the values have occurred: a value may
 * occur only after all before it. */
static bool post_precedence(xml_reader *r, const var_list *list, const int_list *values,
                            const int_list *all, bool covered) {
  ALEA_VEC(alea_csp_edge) edges = {0};
  ALEA_VEC(bool) final = {0};
  bool good = true;
  for (uint32_t s = 0; s <= values->count && good; s++) {
    good = alea_vec_push(r->mem, &final, !covered || s == values->count);
    for (size_t v = 0; v < all->count && good; v++) {
      size_t place = place_of(values, all->data[v]);
      if (place != values->count && place > s) continue;
      uint32_t to = place == s && place != values->count ? s + 1 : s;
      good = alea_vec_push(r->mem, &edges, (alea_csp_edge){s, all->data[v], to});
    }
  }
  if (good)
    alea_csp_regular(r->csp, list->data, (uint32_t)list->count, (uint32_t)values->count + 1, 0,
                     final.data, edges.data, edges.count);
  alea_vec_clear(r->mem, &edges);
  alea_vec_clear(r->mem, &final);
  return good || xml_no_memory(r);
}

bool xml_read_precedence(xml_reader *r, const xmlNode *node, var_list *list) {
  static const char *const allowed[] = {"list", "values", NULL};
  const xmlNode *child = xml_child_named(node, "values");
  int_list values = {0}, all = {0};
  bool covered = false;
  bool good = xml_only_children(r, node, allowed) && xml_read_list(r, node, list) &&
              xml_all_values(r, node, list, &all);
  if (good && child != NULL)
    good = xml_read_ints(r, child, xml_text_of(r, child), &values) &&
           xml_flag(r, child, "covered", false, &covered);
  for (size_t i = 0; good && i < values.count; i++)
    if (place_of(&values, values.data[i]) != i)
      good = xml_refuse(r, child, "bad-list", "a value occurs twice in <%s>", "precedence");
  good = good && post_precedence(r, list, child != NULL ? &values : &all, &all, covered);
  alea_vec_clear(r->mem, &values);
  alea_vec_clear(r->mem, &all);
  return good;
}

/* ---- stretch ---- */

typedef struct stretch {
  int_list values, least, most; /* the widths of each value */
  int_list patterns;            /* pairs of values that may follow each other */
  ALEA_VEC(uint32_t) first;     /* the state after the first of a run of each value */
  uint32_t states;
} stretch;

enum { MAX_STATES = 1 << 20 };

static bool read_widths(xml_reader *r, const xmlNode *node, stretch *s) {
  const char *at = xml_text_of(r, node);
  for (at += strspn(at, " \t\r\n"); *at != '\0' && !r->failed; at += strspn(at, " \t\r\n")) {
    int32_t lo = 0, hi = 0;
    if (!xml_read_int(r, node, &at, &lo)) return false;
    hi = lo;
    if (strncmp(at, "..", 2) == 0) {
      at += 2;
      if (!xml_read_int(r, node, &at, &hi)) return false;
    }
    if (lo < 1 || hi < lo || hi > MAX_STATES)
      return xml_refuse(r, node, "bad-stretch",
                        "a width of <%s> is not a range of positive numbers", "stretch");
    if (!alea_vec_push(r->mem, &s->least, lo) || !alea_vec_push(r->mem, &s->most, hi))
      return xml_no_memory(r);
  }
  return s->least.count == s->values.count ||
         xml_refuse(r, node, "bad-stretch", "as many <%s> as values are needed", "widths");
}

static bool may_follow(const stretch *s, bool any, int32_t a, int32_t b) {
  for (size_t i = 0; i + 1 < s->patterns.count && !any; i += 2)
    if (s->patterns.data[i] == a && s->patterns.data[i + 1] == b) return true;
  return any;
}

/* An automaton: state 0 before the first value, then one for each value and
 * number of times it has occurred in a row. */
static bool post_stretch(xml_reader *r, const var_list *list, const stretch *s, bool any) {
  ALEA_VEC(alea_csp_edge) edges = {0};
  ALEA_VEC(bool) final = {0};
  bool good = alea_vec_push(r->mem, &final, false);
  for (size_t v = 0; v < s->values.count && good; v++) {
    good = alea_vec_push(r->mem, &edges, (alea_csp_edge){0, s->values.data[v], s->first.data[v]});
    for (int32_t n = 1; n <= s->most.data[v] && good; n++) {
      uint32_t state = s->first.data[v] + (uint32_t)n - 1;
      bool ends = n >= s->least.data[v];
      good = alea_vec_push(r->mem, &final, ends);
      if (good && n < s->most.data[v])
        good = alea_vec_push(r->mem, &edges, (alea_csp_edge){state, s->values.data[v], state + 1});
      for (size_t w = 0; w < s->values.count && good && ends; w++)
        if (w != v && may_follow(s, any, s->values.data[v], s->values.data[w]))
          good = alea_vec_push(r->mem, &edges,
                               (alea_csp_edge){state, s->values.data[w], s->first.data[w]});
    }
  }
  if (good)
    alea_csp_regular(r->csp, list->data, (uint32_t)list->count, s->states, 0, final.data,
                     edges.data, edges.count);
  alea_vec_clear(r->mem, &edges);
  alea_vec_clear(r->mem, &final);
  return good || xml_no_memory(r);
}

/* Runs of equal values: as long as the widths say, and one after the other only
 * as the patterns say, if there are any. */
bool xml_read_stretch(xml_reader *r, const xmlNode *node, var_list *list) {
  static const char *const allowed[] = {"list", "values", "widths", "patterns", NULL};
  const xmlNode *vnode = xml_child_named(node, "values"), *wnode = xml_child_named(node, "widths");
  const xmlNode *pnode = xml_child_named(node, "patterns");
  stretch s = {.states = 1};
  bool good = xml_only_children(r, node, allowed) && xml_read_list(r, node, list);
  if (good && (vnode == NULL || wnode == NULL))
    good = xml_refuse(r, node, "bad-stretch", "<%s> without <values> or <widths>", "stretch");
  good = good && xml_read_ints(r, vnode, xml_text_of(r, vnode), &s.values) &&
         read_widths(r, wnode, &s) && (pnode == NULL || xml_read_tuples(r, pnode, 2, &s.patterns));
  for (size_t v = 0; v < s.values.count && good; v++) {
    if (place_of(&s.values, s.values.data[v]) != v)
      good = xml_refuse(r, vnode, "bad-list", "a value occurs twice in <%s>", "stretch");
    good = good && (alea_vec_push(r->mem, &s.first, s.states) || xml_no_memory(r));
    s.states += (uint32_t)s.most.data[v];
    if (good && s.states > MAX_STATES)
      good = xml_refuse(r, wnode, "too-large", "the widths of <%s> are too large", "stretch");
  }
  good = good && post_stretch(r, list, &s, pnode == NULL);
  alea_vec_clear(r->mem, &s.values);
  alea_vec_clear(r->mem, &s.least);
  alea_vec_clear(r->mem, &s.most);
  alea_vec_clear(r->mem, &s.patterns);
  alea_vec_clear(r->mem, &s.first);
  return good;
}
