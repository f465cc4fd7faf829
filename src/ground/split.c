/* Long bodies into small joins (bucket elimination over the variables).
 *
 * In
 *
 *     next(cell x y p) <= does(r, move(q u v)), cell(x, y, p), different(x, y, u, v)
 *
 * the variables r, q, u, v occur in no other place than with x and y, so
 *
 *     part(x, y)       <= does(r, move(q u v)), different(x, y, u, v)
 *     next(cell x y p) <= part(x, y), cell(x, y, p)
 *
 * says the same with a product less, and the network gets the common part as
 * one gate.  A variable that occurs once is the simplest case: it is projected
 * away before it can multiply anything. */
#include <string.h>

#include "ground/work.h"

enum { MAX_VARIABLES = 256 };

typedef struct varset {
  uint64_t w[MAX_VARIABLES / 64];
} varset;

static void add_variable(void *context, uint32_t v) {
  varset *set = context;
  set->w[v / 64] |= (uint64_t)1 << (v % 64);
}

static bool has(const varset *set, uint32_t v) { return set->w[v / 64] >> (v % 64) & 1; }

static void join(varset *set, const varset *more) {
  for (size_t i = 0; i < MAX_VARIABLES / 64; i++) set->w[i] |= more->w[i];
}

static bool inside(const varset *part, const varset *whole) {
  for (size_t i = 0; i < MAX_VARIABLES / 64; i++)
    if (part->w[i] & ~whole->w[i]) return false;
  return true;
}

static bool touches(const varset *a, const varset *b) {
  for (size_t i = 0; i < MAX_VARIABLES / 64; i++)
    if (a->w[i] & b->w[i]) return true;
  return false;
}

static uint32_t size(const varset *set) {
  uint32_t n = 0;
  for (size_t i = 0; i < MAX_VARIABLES / 64; i++) n += (uint32_t)__builtin_popcountll(set->w[i]);
  return n;
}

/* One rule on the table. */
typedef struct split_table {
  work *w;
  ALEA_VEC(wlit) lits;
  ALEA_VEC(varset) sets; /* variables per literal */
  varset head, all;
  uint32_t variable_count;
  alea_symbols *seen; /* descriptions of the parts made so far */
  alea_u32s parts;    /* per description: its predicate */
  bool late;          /* the deadline passed */
} split_table;

typedef struct cut {
  varset bucket_vars; /* of all literals in the bucket */
  varset gone;        /* variables that occur nowhere else */
  varset asked;       /* no positive literal of the part binds these: the caller must */
} cut;

static varset literal_variables(const work *w, const wlit *l) {
  varset set = {{0}};
  work_each_variable(w, l->atom, add_variable, &set);
  if (l->kind == ALEA_LITERAL_DISTINCT) work_each_variable(w, l->other, add_variable, &set);
  return set;
}

typedef enum share { LEFT, COPIED, TAKEN } share;

/* Where literal 'i' goes: TAKEN into the part, COPIED (static filters that
 * cost nothing and keep the part small), or LEFT where it is. */
static share share_of(const split_table *t, const cut *c, size_t i) {
  const wlit *l = &t->lits.data[i];
  const varset *set = &t->sets.data[i];
  if (touches(set, &c->gone)) return TAKEN;
  bool is_filter = l->kind == ALEA_LITERAL_DISTINCT || t->w->preds.data[l->pred].is_static;
  return is_filter && size(set) > 0 && inside(set, &c->bucket_vars) ? COPIED : LEFT;
}

static bool is_dynamic(const split_table *t, const cut *c) {
  for (size_t i = 0; i < t->lits.count; i++) {
    const wlit *l = &t->lits.data[i];
    if (l->kind != ALEA_LITERAL_DISTINCT && share_of(t, c, i) == TAKEN &&
        !t->w->preds.data[l->pred].is_static)
      return true;
  }
  return false;
}

/* What must be bound before literal 'i' is joined (parts may ask for it). */
static varset needs_of(const split_table *t, size_t i) {
  const wlit *l = &t->lits.data[i];
  varset set = {{0}};
  uint64_t required = t->w->preds.data[l->pred].required;
  const alea_rule_node *n = &t->w->nodes.data[l->atom];
  for (uint32_t k = 0; k < n->arg_count && k < 64; k++)
    if (required >> k & 1)
      work_each_variable(t->w, t->w->children.data[n->first_arg + k], add_variable, &set);
  return set;
}

/* Adds to '*bound' what the positive literals bind when they are joined in
 * some order: those of the part, or those that stay. */
static void close_over(const split_table *t, const cut *c, bool part, varset *bound) {
  for (bool grew = true; grew;) {
    grew = false;
    for (size_t i = 0; i < t->lits.count; i++) {
      if (t->lits.data[i].kind != ALEA_LITERAL_TRUE) continue;
      share s = share_of(t, c, i);
      if (part ? s == LEFT : s == TAKEN) continue;
      varset needs = needs_of(t, i);
      if (!inside(&needs, bound) || inside(&t->sets.data[i], bound)) continue;
      join(bound, &t->sets.data[i]);
      grew = true;
    }
  }
}

/* Variables that only tests of the bucket mention are bound by the demand for
 * the part (demand.c): then the part must be dynamic, and the rest of the rule
 * must bind them.  Those that go must be bound inside. */
static bool is_safe(const split_table *t, cut *c) {
  varset inner = {{0}};
  close_over(t, c, true, &inner);
  for (size_t i = 0; i < MAX_VARIABLES / 64; i++) c->asked.w[i] = c->bucket_vars.w[i] & ~inner.w[i];
  if (touches(&c->asked, &c->gone)) return false;
  if (size(&c->asked) > 0 && (!is_dynamic(t, c) || size(&c->bucket_vars) > 64)) return false;
  inner = c->asked;
  close_over(t, c, true, &inner);
  if (!inside(&c->bucket_vars, &inner)) return false;
  varset outer = {{0}}, interface = c->bucket_vars;
  for (size_t i = 0; i < MAX_VARIABLES / 64; i++) interface.w[i] &= ~c->gone.w[i];
  close_over(t, c, false, &outer);
  if (inside(&c->asked, &outer)) {
    join(&outer, &interface);
    close_over(t, c, false, &outer);
  }
  join(&outer, &c->gone);
  return inside(&t->all, &outer);
}

/* The cut that eliminates variable 'v', if it leaves something behind. */
static bool try_cut(const split_table *t, uint32_t v, cut *c) {
  *c = (cut){0};
  for (size_t i = 0; i < t->sets.count; i++)
    if (has(&t->sets.data[i], v)) join(&c->bucket_vars, &t->sets.data[i]);
  if (inside(&t->all, &c->bucket_vars)) return false;
  varset elsewhere = t->head;
  for (size_t i = 0; i < t->sets.count; i++)
    if (!has(&t->sets.data[i], v)) join(&elsewhere, &t->sets.data[i]);
  for (size_t i = 0; i < MAX_VARIABLES / 64; i++)
    c->gone.w[i] = c->bucket_vars.w[i] & ~elsewhere.w[i];
  return is_safe(t, c);
}

static bool best_cut(split_table *t, cut *best) {
  uint32_t best_size = UINT32_MAX;
  for (uint32_t v = 0; v < t->variable_count; v++) {
    if (!has(&t->all, v) || has(&t->head, v)) continue;
    /* A cut looks at all pairs of literals: a long body takes its time. */
    if (alea_deadline_passed(t->w->deadline)) t->late = true;
    if (t->late) return false;
    cut c;
    if (!try_cut(t, v, &c)) continue;
    uint32_t s = size(&c.bucket_vars);
    if (s < best_size) *best = c, best_size = s;
  }
  return best_size != UINT32_MAX;
}

/* ---- parts that occur in several rules are made once ---- */

/* Numbers variables by first occurrence, so that equal buckets read alike. */
typedef struct renaming {
  uint32_t number[MAX_VARIABLES]; /* plus 1; 0 = not seen yet */
  uint32_t order[MAX_VARIABLES];
  uint32_t count;
} renaming;

static void print_node(const work *w, alea_rule_node_id id, renaming *names, alea_text *out) {
  const alea_rule_node *n = &w->nodes.data[id];
  if (n->kind == ALEA_NODE_VARIABLE) {
    if (names->number[n->name] == 0) {
      names->order[names->count++] = n->name;
      names->number[n->name] = names->count;
    }
    alea_text_format(out, "?%u ", names->number[n->name]);
    return;
  }
  alea_text_format(out, n->kind == ALEA_NODE_LIST ? "(%u " : "%u ", n->name);
  for (uint32_t i = 0; i < n->arg_count; i++)
    print_node(w, w->children.data[n->first_arg + i], names, out);
  if (n->kind == ALEA_NODE_LIST) alea_text_char(out, ')');
}

/* A text that two buckets share exactly when they say the same. */
static void describe(const split_table *t, const cut *c, renaming *names, alea_text *out) {
  for (size_t i = 0; i < t->lits.count; i++) {
    if (share_of(t, c, i) == LEFT) continue;
    const wlit *l = &t->lits.data[i];
    alea_text_format(out, "%d ", l->kind);
    print_node(t->w, l->atom, names, out);
    if (l->kind == ALEA_LITERAL_DISTINCT) print_node(t->w, l->other, names, out);
  }
  alea_text_char(out, '/');
  for (uint32_t k = 0; k < names->count; k++)
    alea_text_char(out, has(&c->gone, names->order[k]) ? '-' : '+');
}

/* The literal `(part N x y ...)` over the interface; 'name' NO_ID on failure. */
static alea_rule_node_id part_node(split_table *t, const cut *c, const renaming *names,
                                   alea_symbol name) {
  alea_rule_node_id args[MAX_VARIABLES];
  uint32_t count = 0;
  for (uint32_t k = 0; k < names->count; k++) {
    if (has(&c->gone, names->order[k])) continue;
    args[count] = work_variable_node(t->w, names->order[k]);
    if (args[count++] == NO_ID) return NO_ID;
  }
  return work_list_node(t->w, name, args, count);
}

/* A new rule with the bucket as its body. */
static bool add_part_rule(split_table *t, const cut *c, alea_rule_node_id head, uint32_t p) {
  work *w = t->w;
  wrule rule = {.head = head,
                .head_pred = p,
                .first = (uint32_t)w->lits.count,
                .variable_count = t->variable_count};
  bool is_static = true;
  for (size_t i = 0; i < t->lits.count; i++) {
    wlit l = t->lits.data[i];
    if (share_of(t, c, i) == LEFT) continue;
    if (!alea_vec_push(w->mem, &w->lits, l)) return false;
    if (l.kind != ALEA_LITERAL_DISTINCT) is_static &= w->preds.data[l.pred].is_static;
  }
  rule.count = (uint32_t)w->lits.count - rule.first;
  w->preds.data[p].needed = true;
  w->preds.data[p].is_static = is_static;
  const alea_rule_node *n = &w->nodes.data[head];
  for (uint32_t i = 0; i < n->arg_count; i++)
    if (has(&c->asked, w->nodes.data[w->children.data[n->first_arg + i]].name))
      w->preds.data[p].required |= (uint64_t)1 << i;
  return alea_vec_push(w->mem, &w->rules, rule);
}

/* The predicate of the part that 'text' describes: an old one, or a new one
 * with its rule.  '*node' gets the literal that stands for it here. */
static uint32_t find_part(split_table *t, const cut *c, const renaming *names,
                          const alea_text *text, alea_rule_node_id *node) {
  work *w = t->w;
  size_t known = alea_symbols_count(t->seen);
  alea_symbol key = alea_symbols_add(t->seen, text->data, text->length);
  if (key == ALEA_NO_SYMBOL) return NO_ID;
  alea_symbol name =
      key < known ? w->preds.data[t->parts.data[key]].name : work_fresh_symbol(w, "part");
  if (name == ALEA_NO_SYMBOL) return NO_ID;
  *node = part_node(t, c, names, name);
  if (*node == NO_ID) return NO_ID;
  if (key < known) return t->parts.data[key];
  uint32_t p = work_pred(w, name, w->nodes.data[*node].arg_count);
  if (p == NO_ID || !alea_vec_push(w->mem, &t->parts, p)) return NO_ID;
  return add_part_rule(t, c, *node, p) ? p : NO_ID;
}

/* Puts the part's literal in the place of the bucket. */
static bool apply_cut(split_table *t, const cut *c) {
  work *w = t->w;
  renaming names = {.count = 0};
  alea_text text;
  alea_text_init(&text, w->mem);
  describe(t, c, &names, &text);
  alea_rule_node_id node;
  uint32_t p = text.failed ? NO_ID : find_part(t, c, &names, &text, &node);
  alea_text_clear(&text);
  if (p == NO_ID) return false;
  size_t kept = 0;
  for (size_t i = 0; i < t->lits.count; i++) {
    if (share_of(t, c, i) == TAKEN) continue;
    t->sets.data[kept] = t->sets.data[i];
    t->lits.data[kept++] = t->lits.data[i];
  }
  t->lits.count = t->sets.count = kept;
  wlit place = {ALEA_LITERAL_TRUE, p, node, 0};
  varset vars = literal_variables(w, &place);
  return alea_vec_push(w->mem, &t->lits, place) && alea_vec_push(w->mem, &t->sets, vars);
}

static void collect_all(split_table *t) {
  t->all = t->head;
  for (size_t i = 0; i < t->sets.count; i++) join(&t->all, &t->sets.data[i]);
}

static bool lay_out(split_table *t, const wrule *r) {
  t->lits.count = t->sets.count = 0;
  t->head = (varset){{0}};
  t->variable_count = r->variable_count;
  work_each_variable(t->w, r->head, add_variable, &t->head);
  for (uint32_t i = 0; i < r->count; i++) {
    wlit l = t->w->lits.data[r->first + i];
    varset set = literal_variables(t->w, &l);
    if (!alea_vec_push(t->w->mem, &t->lits, l) || !alea_vec_push(t->w->mem, &t->sets, set))
      return false;
  }
  return true;
}

static bool put_back(split_table *t, uint32_t rule) {
  work *w = t->w;
  uint32_t first = (uint32_t)w->lits.count;
  for (size_t i = 0; i < t->lits.count; i++)
    if (!alea_vec_push(w->mem, &w->lits, t->lits.data[i])) return false;
  w->rules.data[rule].first = first;
  w->rules.data[rule].count = (uint32_t)t->lits.count;
  return true;
}

static alea_status split_rule(split_table *t, uint32_t rule) {
  if (!lay_out(t, &t->w->rules.data[rule])) return work_no_memory(t->w);
  bool changed = false;
  for (;;) {
    cut c;
    collect_all(t);
    bool found = best_cut(t, &c);
    if (t->late) return work_check_time(t->w);
    if (!found) break;
    if (!apply_cut(t, &c)) return work_no_memory(t->w);
    changed = true;
  }
  return !changed || put_back(t, rule) ? ALEA_OK : work_no_memory(t->w);
}

alea_status work_split(work *w) {
  split_table t = {.w = w, .seen = alea_symbols_new(w->mem)};
  alea_status status = t.seen != NULL ? ALEA_OK : work_no_memory(w);
  /* Rules that a split adds come at the end and are split in their turn. */
  for (uint32_t i = 0; status == ALEA_OK && i < w->rules.count; i++) {
    const wrule *r = &w->rules.data[i];
    if (r->count < 2 || r->variable_count > MAX_VARIABLES) continue;
    if (!w->preds.data[r->head_pred].needed) continue;
    status = split_rule(&t, i);
  }
  alea_vec_clear(w->mem, &t.lits);
  alea_vec_clear(w->mem, &t.sets);
  alea_vec_clear(w->mem, &t.parts);
  alea_symbols_free(t.seen);
  return status;
}
