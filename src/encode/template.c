/* From a ground program to the template: variables and definitions. */
#include "encode/template.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "encode/core.h"
#include "encode/flat.h"
#include "gdl/scc.h"

/* ---- definitions ---- */

static void note(encode_encoding *e, bool good) { e->failed = e->failed || !good; }

void encode_def_open(encode_encoding *e, encode_def_kind kind) {
  encode_def def = {
      .kind = kind, .first_head = (uint32_t)e->heads.count, .first_rule = (uint32_t)e->rules.count};
  note(e, alea_vec_push(e->t->mem, &e->defs, def));
}

void encode_def_head(encode_encoding *e, alea_csp_var var) {
  note(e, alea_vec_push(e->t->mem, &e->heads, var));
}

void encode_def_close(encode_encoding *e) {
  if (e->failed) return;
  encode_def *def = &e->defs.data[e->defs.count - 1];
  def->head_count = (uint32_t)e->heads.count - def->first_head;
  def->rule_count = (uint32_t)e->rules.count - def->first_rule;
}

void encode_def_body(encode_encoding *e, uint32_t head, uint32_t value, const alea_csp_lit *lits,
                     uint32_t count) {
  alea_csp_rule rule = {head, (int32_t)value, (uint32_t)e->lits.count, count};
  note(e, alea_vec_push(e->t->mem, &e->rules, rule));
  for (uint32_t i = 0; i < count; i++) note(e, alea_vec_push(e->t->mem, &e->lits, lits[i]));
}

/* The body of a rule so far: 1 when the literal may hold, 0 when it never does. */
static bool add_literal(encode_encoding *e, uint32_t first, alea_glit glit) {
  alea_atom atom = glit >> 1;
  bool negative = glit & 1;
  if (atom == 0) return !negative;
  alea_csp_lit lit = {e->atom_var[atom], (int32_t)e->atom_value[atom], negative};
  for (size_t i = first; i < e->lits.count; i++) {
    alea_csp_lit other = e->lits.data[i];
    if (other.var != lit.var) continue;
    if (!lit.negative && !other.negative && lit.value != other.value) return false;
    if (lit.value == other.value && lit.negative != other.negative) return false;
    if (lit.value == other.value) return true;
  }
  note(e, alea_vec_push(e->t->mem, &e->lits, lit));
  return true;
}

static void add_body(encode_encoding *e, uint32_t head, uint32_t value, const alea_glit *lits,
                     uint32_t count, const alea_csp_lit *extra, uint32_t extra_count) {
  uint32_t first = (uint32_t)e->lits.count;
  bool possible = true;
  /* what depends on moves first: it fails soonest */
  for (int moved = 1; moved >= 0; moved--)
    for (uint32_t i = 0; i < count && possible; i++)
      if (e->atoms.moved[lits[i] >> 1] == moved) possible = add_literal(e, first, lits[i]);
  if (!possible) {
    e->lits.count = first;
    return;
  }
  for (uint32_t i = 0; i < extra_count; i++) note(e, alea_vec_push(e->t->mem, &e->lits, extra[i]));
  alea_csp_rule rule = {head, (int32_t)value, first, (uint32_t)e->lits.count - first};
  note(e, alea_vec_push(e->t->mem, &e->rules, rule));
}

/* The rules of an atom. */
static void add_atom(encode_encoding *e, uint32_t head, uint32_t value, alea_atom atom,
                     const alea_csp_lit *extra, uint32_t extra_count) {
  const alea_ground *g = e->t->ground;
  for (uint32_t r = e->atoms.first_rule[atom]; r < e->atoms.first_rule[atom + 1]; r++)
    add_body(e, head, value, g->lits.data + g->rules.data[r].first_lit, g->rules.data[r].lit_count,
             extra, extra_count);
}

void encode_def_rules(encode_encoding *e, uint32_t head, uint32_t value, alea_glit lit,
                      const alea_csp_lit *extra, uint32_t extra_count) {
  if (lit == ALEA_GLIT_FALSE) return;
  if ((lit & 1) == 0 && e->private[lit >> 1])
    add_atom(e, head, value, lit >> 1, extra, extra_count);
  else
    add_body(e, head, value, &lit, lit == ALEA_GLIT_TRUE ? 0 : 1, extra, extra_count);
}

/* ---- variables ---- */

alea_csp_var encode_add_var(encode_encoding *e, alea_template_kind kind, const char *name,
                            uint32_t values) {
  char clean[64];
  size_t n = 0;
  for (; *name != '\0' && n < 40; name++) {
    bool plain = isalnum((unsigned char)*name);
    if (plain)
      clean[n++] = *name;
    else if (n > 0 && clean[n - 1] != '_')
      clean[n++] = '_';
  }
  while (n > 0 && clean[n - 1] == '_') n--;
  if (n == 0 || isdigit((unsigned char)clean[0])) {
    memmove(clean + 1, clean, n++);
    clean[0] = 'v';
  }
  clean[n] = '\0';
  if (alea_csp_find(e->csp, clean) != ALEA_CSP_NONE)
    snprintf(clean + n, sizeof clean - n, "_v%u", alea_csp_var_count(e->csp));
  alea_csp_var var = alea_csp_range(e->csp, clean, 0, (int32_t)values);
  note(e, var != ALEA_CSP_NONE && alea_vec_push(e->t->mem, &e->kinds, (uint8_t)kind) &&
              alea_vec_push(e->t->mem, &e->guard, (uint8_t)0) &&
              alea_vec_push(e->t->mem, &e->products, (double)values + 1));
  return var;
}

/* The functor with the key arguments: cell_1_1. */
static void group_name(const encode_encoding *e, const encode_group *group, alea_text *out) {
  const encode_class *class = &e->groups.classes.data[group->class];
  const alea_ground *g = e->t->ground;
  uint32_t item = e->groups.members.data[group->first];
  alea_term term = encode_item_term(&e->groups, class, item);
  if (class->kind == ENCODE_CLASS_PERCEPTS)
    alea_text_format(out, "sees %s ", alea_symbols_text(g->symbols, g->roles[class->role]));
  if (term == ALEA_NO_TERM) {
    alea_text_format(out, "aux %u", item);
    return;
  }
  if (group->count == 1) {
    alea_terms_print(g->terms, term, false, out);
    return;
  }
  alea_text_put(out, alea_symbols_text(g->symbols, class->name));
  for (uint32_t i = 0; i < class->arity; i++) {
    if (!(class->keys >> i & 1)) continue;
    alea_text_char(out, ' ');
    alea_terms_print(g->terms, alea_terms_args(g->terms, term)[i], false, out);
  }
}

static alea_csp_var add_group_var(encode_encoding *e, alea_template_kind kind,
                                  const encode_group *group, const char *suffix) {
  alea_text name;
  alea_text_init(&name, e->t->mem);
  group_name(e, group, &name);
  alea_text_put(&name, suffix);
  alea_csp_var var = encode_add_var(e, kind, alea_text_string(&name), group->count);
  note(e, !name.failed);
  alea_text_clear(&name);
  if (!e->failed && !group->proved && group->count > 1) {
    e->guard.data[var] = 1;
    e->t->guarded = true;
  }
  return var;
}

static encode_class_kind kind_of(const encode_encoding *e, const encode_group *group) {
  return e->groups.classes.data[group->class].kind;
}

static void add_state(encode_encoding *e) {
  alea_template *t = e->t;
  uint32_t total = 0;
  for (size_t i = 0; i < e->groups.groups.count; i++) {
    const encode_group *group = &e->groups.groups.data[i];
    if (kind_of(e, group) != ENCODE_CLASS_FLUENTS) continue;
    alea_csp_var var = add_group_var(e, ALEA_VAR_STATE, group, "");
    if (e->failed) return;
    e->group_var[i] = var;
    t->value_first[var] = total;
    for (uint32_t k = 0; k < group->count; k++) {
      uint32_t fluent = e->groups.members.data[group->first + k];
      t->fluents[total++] = fluent;
      t->fluent_var[fluent] = var;
      t->fluent_value[fluent] = k + 1;
      e->atom_var[1 + fluent] = var;
      e->atom_value[1 + fluent] = k + 1;
    }
    t->state_count++;
  }
  t->ended = encode_add_var(e, ALEA_VAR_ENDED, "ended", 1);
}

/* ---- derived predicates ---- */

/* Parts of groups that depend on each other, inputs first. */
typedef struct group_order {
  uint32_t *part; /* per group */
  uint32_t *sorted;
  uint32_t count; /* derived groups */
  uint8_t *cyclic;
  uint8_t *moved; /* per group */
} group_order;

static uint32_t *atom_groups(const encode_encoding *e) {
  const alea_ground *g = e->t->ground;
  uint32_t *of = alea_mem_alloc(e->t->mem, g->atom_count * sizeof *of);
  if (of == NULL) return NULL;
  memset(of, 0xff, g->atom_count * sizeof *of);
  for (uint32_t i = 0; i < e->groups.groups.count; i++) {
    const encode_group *group = &e->groups.groups.data[i];
    for (uint32_t k = 0; k < group->count && kind_of(e, group) == ENCODE_CLASS_DERIVED; k++)
      of[e->groups.members.data[group->first + k]] = i;
  }
  return of;
}

static bool find_group_parts(encode_encoding *e, group_order *o, const uint32_t *of) {
  const alea_ground *g = e->t->ground;
  alea_edges edges = {0};
  bool good = true;
  for (size_t r = 0; r < g->rules.count && good; r++) {
    const alea_ground_rule *rule = &g->rules.data[r];
    if (of[rule->head] == UINT32_MAX) continue;
    for (uint32_t k = 0; k < rule->lit_count && good; k++) {
      uint32_t to = of[g->lits.data[rule->first_lit + k] >> 1];
      if (to != UINT32_MAX)
        good = alea_vec_push(e->t->mem, &edges, ((alea_edge){of[rule->head], to}));
    }
  }
  uint32_t groups = (uint32_t)e->groups.groups.count;
  good = good && alea_find_components(&edges, groups, o->part, e->t->mem);
  memset(o->cyclic, 0, groups + 1);
  for (size_t i = 0; i < edges.count && good; i++)
    if (o->part[edges.data[i].from] == o->part[edges.data[i].to])
      o->cyclic[o->part[edges.data[i].from]] = 1;
  alea_vec_clear(e->t->mem, &edges);
  return good;
}

/* Groups that mix what depends on moves with what does not, or that close a
 * cycle which their atoms alone do not, are no use: their classes are marked. */
static bool find_misfits(encode_encoding *e, const group_order *o, uint8_t *classes) {
  bool any = false;
  for (size_t i = 0; i < e->groups.groups.count; i++) {
    const encode_group *group = &e->groups.groups.data[i];
    if (kind_of(e, group) != ENCODE_CLASS_DERIVED || group->count < 2) continue;
    bool mixed = false;
    const uint32_t *members = e->groups.members.data + group->first;
    for (uint32_t k = 1; k < group->count; k++)
      mixed = mixed || e->atoms.moved[members[k]] != e->atoms.moved[members[0]];
    if (!mixed && !o->cyclic[o->part[i]]) continue;
    classes[group->class] = 1;
    any = true;
  }
  return any;
}

static void list_groups(const encode_encoding *e, group_order *o) {
  o->count = 0;
  for (uint32_t i = 0; i < e->groups.groups.count; i++) {
    const encode_group *group = &e->groups.groups.data[i];
    if (kind_of(e, group) != ENCODE_CLASS_DERIVED) continue;
    o->moved[i] = e->atoms.moved[e->groups.members.data[group->first]];
    o->sorted[o->count++] = i;
  }
}

static bool order_groups(encode_encoding *e, group_order *o, alea_arena *arena) {
  for (;;) {
    size_t n = e->groups.groups.count, classes = e->groups.classes.count;
    uint32_t *of = atom_groups(e);
    o->part = alea_arena_alloc(arena, (n + 1) * sizeof *o->part);
    o->sorted = alea_arena_alloc(arena, (n + 1) * sizeof *o->sorted);
    o->cyclic = alea_arena_alloc(arena, n + 1);
    o->moved = alea_arena_alloc(arena, n + 1);
    uint8_t *marked = alea_arena_alloc(arena, classes + 1);
    bool good = of != NULL && o->part != NULL && o->sorted != NULL && o->cyclic != NULL &&
                o->moved != NULL && marked != NULL && find_group_parts(e, o, of);
    alea_mem_free(e->t->mem, of, e->t->ground->atom_count * sizeof *of);
    if (!good) return false;
    memset(marked, 0, classes + 1);
    if (!find_misfits(e, o, marked)) break;
    if (!encode_groups_split(&e->groups, marked)) return false;
  }
  list_groups(e, o);
  uint32_t *start = alea_arena_alloc(arena, (e->groups.groups.count + 2) * sizeof *start);
  uint32_t *sorted = alea_arena_alloc(arena, (o->count + 1) * sizeof *sorted);
  if (start == NULL || sorted == NULL) return false;
  memset(start, 0, (e->groups.groups.count + 2) * sizeof *start);
  for (uint32_t i = 0; i < o->count; i++) start[o->part[o->sorted[i]] + 1]++;
  for (size_t i = 1; i < e->groups.groups.count + 2; i++) start[i] += start[i - 1];
  for (uint32_t i = 0; i < o->count; i++) sorted[start[o->part[o->sorted[i]]]++] = o->sorted[i];
  o->sorted = sorted;
  return true;
}

static void name_group(encode_encoding *e, uint32_t number) {
  alea_template *t = e->t;
  const encode_group *group = &e->groups.groups.data[number];
  const uint32_t *members = e->groups.members.data + group->first;
  if (group->count == 1 && members[0] == e->terminal) {
    t->terminal = encode_add_var(e, ALEA_VAR_TERMINAL, "terminal", 1);
    e->group_var[number] = t->terminal;
  } else {
    e->group_var[number] = add_group_var(e, ALEA_VAR_DERIVED, group, "");
  }
  for (uint32_t k = 0; k < group->count; k++) {
    e->atom_var[members[k]] = e->group_var[number];
    e->atom_value[members[k]] = k + 1;
  }
}

static void define_group(encode_encoding *e, uint32_t head, uint32_t number, bool moved) {
  const encode_group *group = &e->groups.groups.data[number];
  const uint32_t *members = e->groups.members.data + group->first;
  /* Values exclude each other in states that are reached, not beyond the end. */
  alea_csp_lit going = {moved ? e->t->terminal : e->t->ended, 0, false};
  for (uint32_t k = 0; k < group->count; k++)
    add_atom(e, head, k + 1, members[k], &going, group->count > 1);
  if (e->group_var[number] == e->t->terminal) {
    alea_csp_lit over = {e->t->ended, 1, false};
    encode_def_body(e, head, 1, &over, 1);
  }
}

/* One definition per part: a single variable, or several that recur. */
static void add_derived(encode_encoding *e, const group_order *o, bool moved) {
  for (uint32_t i = 0; i < o->count && !e->failed;) {
    uint32_t end = i, part = o->part[o->sorted[i]];
    while (end < o->count && o->part[o->sorted[end]] == part) end++;
    if (o->moved[o->sorted[i]] == moved) {
      for (uint32_t k = i; k < end; k++) name_group(e, o->sorted[k]);
      encode_def_open(e, ENCODE_DEF_DEFINE);
      for (uint32_t k = i; k < end; k++) encode_def_head(e, e->group_var[o->sorted[k]]);
      for (uint32_t k = i; k < end; k++) define_group(e, k - i, o->sorted[k], moved);
      encode_def_close(e);
    }
    i = end;
  }
}

/* ---- roots ---- */

static void add_terminal(encode_encoding *e) {
  alea_template *t = e->t;
  if (t->terminal != ALEA_CSP_NONE) return; /* it was a predicate like others */
  t->terminal = encode_add_var(e, ALEA_VAR_TERMINAL, "terminal", 1);
  encode_def_open(e, ENCODE_DEF_DEFINE);
  encode_def_head(e, t->terminal);
  encode_def_rules(e, 0, 1, t->ground->terminal, NULL, 0);
  encode_def_body(e, 0, 1, &(alea_csp_lit){t->ended, 1, false}, 1);
  encode_def_close(e);
}

/* Distinct goal values of a role, ascending. */
static uint32_t goal_values(const alea_ground *g, uint32_t role, int *values) {
  uint32_t count = 0;
  for (int value = 0; value <= 100; value++)
    for (size_t i = 0; i < g->goals.count; i++)
      if (g->goals.data[i].role == role && g->goals.data[i].value == value) {
        values[count++] = value;
        break;
      }
  return count;
}

static const char *role_text(const encode_encoding *e, uint32_t role) {
  return alea_symbols_text(e->t->ground->symbols, e->t->ground->roles[role]);
}

static void add_goals(encode_encoding *e) {
  alea_template *t = e->t;
  const alea_ground *g = t->ground;
  char name[64];
  for (uint32_t r = 0; r < g->role_count; r++) {
    int *values = t->goal_values + t->goal_first[r];
    uint32_t count = goal_values(g, r, values);
    t->goal_first[r + 1] = t->goal_first[r] + count;
    t->goal[r] = ALEA_CSP_NONE;
    if (count == 0) continue;
    snprintf(name, sizeof name, "goal_%.40s", role_text(e, r));
    t->goal[r] = encode_add_var(e, ALEA_VAR_GOAL, name, count);
    encode_def_open(e, ENCODE_DEF_HIGHEST);
    encode_def_head(e, t->goal[r]);
    for (size_t i = 0; i < g->goals.count; i++) {
      if (g->goals.data[i].role != r) continue;
      uint32_t value = 0;
      while (values[value] != g->goals.data[i].value) value++;
      encode_def_rules(e, 0, value + 1, g->goals.data[i].lit, NULL, 0);
    }
    encode_def_close(e);
  }
}

/* b = 1 if and only if the move of chance is legal ([MACUCB16 §3.2]). */
static void add_flags(encode_encoding *e, uint32_t role, alea_csp_var *flags) {
  const alea_ground *g = e->t->ground;
  alea_csp_lit going = {e->t->terminal, 0, false};
  for (uint32_t m = g->move_first[role]; m < g->move_first[role + 1]; m++) {
    alea_text name;
    alea_text_init(&name, e->t->mem);
    alea_text_put(&name, "can ");
    alea_terms_print(g->terms, g->moves[m], false, &name);
    flags[m - g->move_first[role]] = encode_add_var(e, ALEA_VAR_FLAG, alea_text_string(&name), 1);
    alea_text_clear(&name);
    encode_def_open(e, ENCODE_DEF_DEFINE);
    encode_def_head(e, flags[m - g->move_first[role]]);
    encode_def_rules(e, 0, 1, g->legal[m], &going, 1);
    encode_def_close(e);
  }
}

static void add_action(encode_encoding *e, uint32_t role, const alea_csp_var *flags) {
  alea_template *t = e->t;
  const alea_ground *g = t->ground;
  char name[64];
  alea_csp_lit going = {t->terminal, 0, false}, over = {t->terminal, 1, false};
  uint32_t first = g->move_first[role], count = g->move_first[role + 1] - first;
  snprintf(name, sizeof name, "does_%.40s", role_text(e, role));
  alea_csp_var var = t->action[role] =
      encode_add_var(e, flags != NULL ? ALEA_VAR_CHANCE : ALEA_VAR_ACTION, name, count);
  encode_def_open(e, ENCODE_DEF_CHOICE);
  encode_def_head(e, var);
  encode_def_body(e, 0, 0, &over, 1);
  for (uint32_t m = 0; m < count; m++) {
    if (flags != NULL)
      encode_def_body(e, 0, m + 1, &(alea_csp_lit){flags[m], 1, false}, 1);
    else
      encode_def_rules(e, 0, m + 1, g->legal[first + m], &going, 1);
    e->atom_var[1 + g->fluent_count + first + m] = var;
    e->atom_value[1 + g->fluent_count + first + m] = m + 1;
  }
  encode_def_close(e);
}

static void add_actions(encode_encoding *e) {
  const alea_ground *g = e->t->ground;
  int chance = g->random_role;
  alea_csp_var *flags = NULL;
  size_t count = 0;
  if (chance >= 0) {
    count = g->move_first[chance + 1] - g->move_first[chance];
    flags = alea_mem_calloc(e->t->mem, count, sizeof *flags);
    note(e, flags != NULL);
    if (!e->failed) add_flags(e, (uint32_t)chance, flags);
  }
  for (uint32_t r = 0; r < g->role_count && !e->failed; r++)
    if ((int)r != chance) add_action(e, r, NULL);
  if (chance >= 0 && !e->failed) add_action(e, (uint32_t)chance, flags);
  alea_mem_free(e->t->mem, flags, count * sizeof *flags);
}

static void add_next(encode_encoding *e) {
  alea_template *t = e->t;
  alea_csp_lit going = {t->terminal, 0, false};
  for (size_t i = 0; i < e->groups.groups.count && !e->failed; i++) {
    const encode_group *group = &e->groups.groups.data[i];
    if (kind_of(e, group) != ENCODE_CLASS_FLUENTS) continue;
    alea_csp_var var = add_group_var(e, ALEA_VAR_NEXT, group, " next");
    t->next[e->group_var[i]] = var;
    encode_def_open(e, ENCODE_DEF_DEFINE);
    encode_def_head(e, var);
    for (uint32_t k = 0; k < group->count; k++)
      encode_def_rules(e, 0, k + 1, t->ground->next[e->groups.members.data[group->first + k]],
                       &going, 1);
    encode_def_close(e);
  }
}

/* What is seen is a table that depends on state and moves. */
static void add_percepts(encode_encoding *e) {
  alea_csp_lit going = {e->t->terminal, 0, false};
  for (size_t i = 0; i < e->groups.groups.count && !e->failed; i++) {
    const encode_group *group = &e->groups.groups.data[i];
    const encode_class *class = &e->groups.classes.data[group->class];
    if (class->kind != ENCODE_CLASS_PERCEPTS) continue;
    alea_csp_var var = add_group_var(e, ALEA_VAR_PERCEPT, group, "");
    e->group_var[i] = var;
    for (uint32_t k = 0; k < group->count; k++) {
      e->t->sees_var[e->groups.members.data[group->first + k]] = var;
      e->t->sees_value[e->groups.members.data[group->first + k]] = k + 1;
    }
    encode_def_open(e, ENCODE_DEF_DEFINE);
    encode_def_head(e, var);
    for (uint32_t k = 0; k < group->count; k++)
      encode_def_rules(
          e, 0, k + 1,
          encode_item_literal(&e->groups, class, e->groups.members.data[group->first + k]), &going,
          1);
    encode_def_close(e);
  }
}

/* ---- the whole ---- */

/* Atoms that are the root of one thing and nothing else: their rules are
 * written there. */
static void mark_private(encode_encoding *e, alea_glit lit) {
  if ((lit & 1) == 0 && alea_atoms_is_derived(e->t->ground, lit >> 1) &&
      e->atoms.uses[lit >> 1] == 1 && !e->atoms.cyclic[e->atoms.part[lit >> 1]])
    e->private[lit >> 1] = 1;
}

static void find_private(encode_encoding *e) {
  const alea_ground *g = e->t->ground;
  for (uint32_t i = 0; i < g->fluent_count; i++) mark_private(e, g->next[i]);
  for (uint32_t i = 0; i < g->move_count; i++) mark_private(e, g->legal[i]);
  for (size_t i = 0; i < g->goals.count; i++) mark_private(e, g->goals.data[i].lit);
  for (size_t i = 0; i < g->sees.count; i++) mark_private(e, g->sees.data[i].lit);
  mark_private(e, g->terminal);
  if ((g->terminal & 1) == 0 && alea_atoms_is_derived(g, g->terminal >> 1) &&
      !e->private[g->terminal >> 1] && !e->atoms.cyclic[e->atoms.part[g->terminal >> 1]])
    e->terminal = g->terminal >> 1;
}

static bool take_memory(encode_encoding *e) {
  alea_template *t = e->t;
  const alea_ground *g = t->ground;
  alea_mem *mem = t->mem;
  t->next = alea_mem_calloc(mem, g->fluent_count, sizeof *t->next);
  t->fluent_var = alea_mem_calloc(mem, g->fluent_count, sizeof *t->fluent_var);
  t->fluent_value = alea_mem_calloc(mem, g->fluent_count, sizeof *t->fluent_value);
  t->value_first = alea_mem_calloc(mem, g->fluent_count + 1, sizeof *t->value_first);
  t->fluents = alea_mem_calloc(mem, g->fluent_count, sizeof *t->fluents);
  t->goal = alea_mem_calloc(mem, g->role_count, sizeof *t->goal);
  t->goal_values = alea_mem_calloc(mem, 101 * (size_t)g->role_count, sizeof *t->goal_values);
  t->goal_first = alea_mem_calloc(mem, g->role_count + 1, sizeof *t->goal_first);
  t->action = alea_mem_calloc(mem, g->role_count, sizeof *t->action);
  t->sees_var = alea_mem_calloc(mem, g->sees.count, sizeof *t->sees_var);
  t->sees_value = alea_mem_calloc(mem, g->sees.count, sizeof *t->sees_value);
  e->private = alea_mem_calloc(mem, g->atom_count, 1);
  e->atom_var = alea_mem_calloc(mem, g->atom_count, sizeof *e->atom_var);
  e->atom_value = alea_mem_calloc(mem, g->atom_count, sizeof *e->atom_value);
  return t->next != NULL && t->fluent_var != NULL && t->fluent_value != NULL &&
         t->value_first != NULL && t->fluents != NULL && t->goal != NULL &&
         t->goal_values != NULL && t->goal_first != NULL && t->action != NULL &&
         t->sees_var != NULL && t->sees_value != NULL && e->private != NULL &&
         e->atom_var != NULL && e->atom_value != NULL;
}

static alea_status group(encode_encoding *e) {
  alea_template *t = e->t;
  encode_group_options options = {.derived = t->encoder == ALEA_ENCODER_PAPER,
                                  .seed = e->options->seed,
                                  .prove_seconds = e->options->prove_seconds,
                                  .counted = e->options->counted,
                                  .whole = e->options->whole,
                                  .skip = e->private,
                                  .game = e->options->game,
                                  .deadline = e->options->deadline};
  alea_status status = encode_groups_init(&e->groups, &e->atoms, &options);
  if (status != ALEA_OK) return status;
  t->groups_proved = e->groups.proved;
  t->groups_watched = e->groups.watched;
  t->states_sampled = e->groups.states;
  return ALEA_OK;
}

static alea_status add_all(encode_encoding *e) {
  alea_template *t = e->t;
  alea_arena arena;
  alea_arena_init(&arena, t->mem);
  group_order order = {0};
  if (!order_groups(e, &order, &arena)) e->failed = true;
  e->group_var = alea_mem_calloc(t->mem, e->groups.groups.count, sizeof *e->group_var);
  note(e, e->group_var != NULL);
  if (!e->failed) {
    add_state(e);
    add_derived(e, &order, false);
    add_terminal(e);
    add_goals(e);
    t->closing = alea_csp_var_count(e->csp);
    add_actions(e);
    t->moving = alea_csp_var_count(e->csp);
    add_derived(e, &order, true);
    add_next(e);
    add_percepts(e);
  }
  alea_arena_clear(&arena);
  if (alea_csp_state(e->csp) != ALEA_OK) return alea_csp_state(e->csp);
  if (e->failed) return alea_mem_lack(t->mem);
  return ALEA_OK;
}

/* The tables of kinds and guards move from the encoding to the template. */
static bool keep_kinds(encode_encoding *e) {
  alea_template *t = e->t;
  t->var_count = alea_csp_var_count(e->csp);
  t->kinds = alea_mem_calloc(t->mem, t->var_count, 1);
  t->guard = alea_mem_calloc(t->mem, t->var_count, 1);
  if (t->kinds == NULL || t->guard == NULL) return false;
  memcpy(t->kinds, e->kinds.data, t->var_count);
  memcpy(t->guard, e->guard.data, t->var_count);
  return true;
}

static alea_status build(encode_encoding *e) {
  alea_template *t = e->t;
  alea_status status = alea_atoms_init(&e->atoms, t->ground, t->mem);
  if (status != ALEA_OK) return status;
  if (!take_memory(e)) return ALEA_SYSTEM;
  find_private(e);
  status = group(e);
  if (status == ALEA_OK) status = add_all(e);
  if (status == ALEA_OK && !keep_kinds(e)) status = ALEA_SYSTEM;
  if (status == ALEA_OK && t->encoder == ALEA_ENCODER_PAPER && e->program != NULL)
    status = encode_argument_domains(e);
  if (status == ALEA_OK) status = encode_post_defs(e);
  if (status == ALEA_OK) status = encode_prepare(e);
  if (status == ALEA_OK && alea_deadline_passed(e->options->deadline)) status = ALEA_LIMIT;
  if (status == ALEA_OK && e->options->flat) status = encode_flat_new(&t->flat, t, t->mem);
  return status;
}

static void clear(encode_encoding *e) {
  alea_mem *mem = e->t->mem;
  const alea_ground *g = e->t->ground;
  alea_mem_free(mem, e->private, g->atom_count);
  alea_mem_free(mem, e->group_var, e->groups.groups.count * sizeof *e->group_var);
  alea_mem_free(mem, e->atom_var, g->atom_count * sizeof *e->atom_var);
  alea_mem_free(mem, e->atom_value, g->atom_count * sizeof *e->atom_value);
  alea_vec_clear(mem, &e->defs);
  alea_vec_clear(mem, &e->heads);
  alea_vec_clear(mem, &e->rules);
  alea_vec_clear(mem, &e->lits);
  alea_vec_clear(mem, &e->kinds);
  alea_vec_clear(mem, &e->guard);
  alea_vec_clear(mem, &e->products);
  encode_groups_clear(&e->groups);
  alea_atoms_clear(&e->atoms);
}

alea_status alea_template_new(alea_template **made, const alea_ground *ground,
                              const struct alea_program *program,
                              const alea_template_options *options, alea_mem *mem) {
  double start = alea_clock_thread();
  uint32_t players = ground->role_count - (ground->random_role >= 0);
  *made = NULL;
  if (players > ALEA_SCSP_MAX_PLAYERS) return ALEA_LIMIT;
  alea_template *t = alea_mem_zalloc(mem, sizeof *t);
  if (t == NULL) return alea_mem_lack(mem);
  t->mem = mem;
  t->ground = ground;
  t->encoder = options->encoder;
  t->terminal = ALEA_CSP_NONE;
  t->raw = alea_scsp_new(mem, players > 0 ? players : 1);
  encode_encoding e = {.t = t, .options = options, .program = program};
  alea_status status = ALEA_SYSTEM;
  if (t->raw != NULL) {
    e.csp = alea_scsp_network(t->raw);
    status = build(&e);
  }
  clear(&e);
  if (status == ALEA_SYSTEM && mem->hit_limit) status = ALEA_LIMIT;
  t->seconds = alea_clock_thread() - start;
  if (status == ALEA_OK)
    *made = t;
  else
    alea_template_free(t);
  return status;
}

void alea_template_free(alea_template *t) {
  if (t == NULL) return;
  alea_mem *mem = t->mem;
  const alea_ground *g = t->ground;
  encode_flat_free(t->flat);
  alea_scsp_free(t->scsp);
  alea_csp_free(t->middle);
  alea_scsp_free(t->raw);
  alea_mem_free(mem, t->kinds, t->var_count);
  alea_mem_free(mem, t->guard, t->var_count);
  alea_mem_free(mem, t->next, g->fluent_count * sizeof *t->next);
  alea_mem_free(mem, t->fluent_var, g->fluent_count * sizeof *t->fluent_var);
  alea_mem_free(mem, t->fluent_value, g->fluent_count * sizeof *t->fluent_value);
  alea_mem_free(mem, t->value_first, (g->fluent_count + 1) * sizeof *t->value_first);
  alea_mem_free(mem, t->fluents, g->fluent_count * sizeof *t->fluents);
  alea_mem_free(mem, t->goal, g->role_count * sizeof *t->goal);
  alea_mem_free(mem, t->goal_values, 101 * (size_t)g->role_count * sizeof *t->goal_values);
  alea_mem_free(mem, t->goal_first, (g->role_count + 1) * sizeof *t->goal_first);
  alea_mem_free(mem, t->action, g->role_count * sizeof *t->action);
  alea_mem_free(mem, t->sees_var, g->sees.count * sizeof *t->sees_var);
  alea_mem_free(mem, t->sees_value, g->sees.count * sizeof *t->sees_value);
  alea_mem_free(mem, t, sizeof *t);
}
