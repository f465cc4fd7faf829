/* Compiling: the fluents and the moves of a game, in two passes over all labels. */
#include <string.h>

#include "toss/maker.h"

#define NONE ALEA_TOSS_NONE

typedef alea_toss_maker maker;
typedef alea_toss_lit lit_t;
typedef alea_toss_lits lits;
typedef alea_toss_instance instance;

/* ---- tuples ---- */

uint32_t alea_toss_maker_fluent(maker *m, uint32_t relation, const uint32_t *tuple, bool make) {
  uint32_t key[1 + ALEA_TOSS_MOST_ARITY] = {relation};
  uint32_t arity = m->file->relations.data[relation].arity;
  memcpy(key + 1, tuple, arity * sizeof *key);
  if (!make) return alea_toss_ids_find(m->ids, 0, key, 1 + arity);
  uint32_t id = alea_toss_ids_add(m->ids, 0, key, 1 + arity);
  if (id == UINT32_MAX) alea_toss_maker_lack(m);
  return id;
}

static lit_t known(const maker *m, uint32_t relation, const uint32_t *tuple) {
  return alea_toss_structure_has(m->rules->start, relation, tuple) ? ALEA_TOSS_LIT_TRUE
                                                                   : ALEA_TOSS_LIT_FALSE;
}

/* First pass: a changing tuple may hold or not, independently of others. */
static lit_t atom_unknown(void *context, uint32_t relation, const uint32_t *tuple) {
  maker *m = context;
  if (!m->rules->changing[relation]) return known(m, relation, tuple);
  return alea_toss_circuit_input(&m->circuit);
}

/* The image of a tuple of the right side. */
void alea_toss_maker_image(const alea_toss_pattern *p, const uint32_t *match,
                           const alea_toss_tuple *tuple, uint32_t *out) {
  for (uint32_t i = 0; i < tuple->count; i++) {
    out[i] = match[p->rule->replaces[p->rule->right.ids.data[tuple->first + i]]];
  }
}

bool alea_toss_maker_draws(const alea_toss_pattern *p, const uint32_t *match, uint32_t relation,
                           const uint32_t *tuple) {
  for (size_t i = 0; i < p->rule->right.tuples.count; i++) {
    const alea_toss_tuple *drawn = &p->rule->right.tuples.data[i];
    uint32_t here[ALEA_TOSS_MOST_ARITY];
    if (drawn->relation != relation) continue;
    alea_toss_maker_image(p, match, drawn, here);
    if (memcmp(here, tuple, drawn->count * sizeof *here) == 0) return true;
  }
  return false;
}

static bool is_inside(const alea_toss_pattern *p, const uint32_t *match, const uint32_t *tuple,
                      uint32_t arity) {
  for (uint32_t i = 0; i < arity; i++) {
    bool found = false;
    for (uint32_t j = 0; j < p->left_count; j++) found |= match[j] == tuple[i];
    if (!found) return false;
  }
  return true;
}

/* Second pass: the literal of the fluent; false for tuples that never hold.
 * While `post` is evaluated, the tuples that the rule draws hold. */
lit_t alea_toss_maker_atom(void *context, uint32_t relation, const uint32_t *tuple) {
  maker *m = context;
  if (!m->rules->changing[relation]) return known(m, relation, tuple);
  if (m->match != NULL) {
    if (alea_toss_maker_draws(m->pattern, m->match, relation, tuple)) return ALEA_TOSS_LIT_TRUE;
    uint32_t arity = m->file->relations.data[relation].arity;
    if (m->pattern->exact[relation] && is_inside(m->pattern, m->match, tuple, arity)) {
      return ALEA_TOSS_LIT_FALSE;
    }
  }
  uint32_t fluent = alea_toss_maker_fluent(m, relation, tuple, false);
  return fluent != UINT32_MAX ? m->current.data[fluent] : ALEA_TOSS_LIT_FALSE;
}

/* ---- the two passes over all labels ---- */

static void each_label(maker *m, alea_toss_symbolic_visit *visit) {
  for (m->location = 0; m->location < m->file->locations.count; m->location++) {
    for (m->role = 0; m->role < m->players; m->role++) {
      const alea_toss_side *side = &m->file->locations.data[m->location].sides[m->role];
      for (m->label = 0; m->label < side->labels.count; m->label++) {
        m->pattern = &m->rules->patterns[side->labels.data[m->label].rule];
        alea_toss_symbolic_plan(&m->sym, m->pattern->plan, visit, m);
        if (m->sym.status != ALEA_OK) alea_toss_maker_fail(m, m->sym.status);
        if (m->status != ALEA_OK) return;
      }
    }
  }
}

static void match_of(const maker *m, uint32_t *match) {
  for (uint32_t i = 0; i < m->pattern->left_count; i++) {
    match[i] = m->env.elements[m->pattern->left_slots[i]];
  }
}

static void note_added(alea_toss_symbolic *s, lit_t lit, void *context) {
  (void)s, (void)lit;
  maker *m = context;
  uint32_t match[ALEA_TOSS_MOST_SIDE], tuple[ALEA_TOSS_MOST_ARITY];
  match_of(m, match);
  for (size_t i = 0; i < m->pattern->rule->right.tuples.count; i++) {
    const alea_toss_tuple *drawn = &m->pattern->rule->right.tuples.data[i];
    alea_toss_maker_image(m->pattern, match, drawn, tuple);
    alea_toss_maker_fluent(m, drawn->relation, tuple, true);
  }
}

static lit_t post_lit(maker *m, const uint32_t *match) {
  if (m->pattern->post == NONE) return ALEA_TOSS_LIT_TRUE;
  for (uint32_t i = 0; i < m->pattern->right_count; i++) {
    m->env.elements[m->pattern->right_slots[i]] = match[m->pattern->rule->replaces[i]];
  }
  m->match = match;
  lit_t lit = alea_toss_symbolic_formula(&m->sym, m->pattern->post);
  m->match = NULL;
  return lit;
}

uint32_t alea_toss_maker_move(maker *m, uint32_t role, const uint32_t *key, uint32_t length) {
  uint32_t move = alea_toss_ids_add(m->ids, 1 + role, key, length);
  if (move == UINT32_MAX) alea_toss_maker_lack(m);
  if (move == m->moves[role].count) {
    alea_toss_maker_push(m, &m->moves[role], alea_toss_circuit_input(&m->circuit));
  }
  return move;
}

static void add_instance(maker *m, instance made, const uint32_t *key, uint32_t length) {
  uint32_t width = m->pattern->left_count;
  made.move = alea_toss_maker_move(m, m->role, key, length);
  made.match = (uint32_t)m->elements.count;
  for (uint32_t i = 0; i < width; i++) {
    if (!alea_vec_push(m->mem, &m->elements, key[1 + i])) alea_toss_maker_lack(m);
  }
  if (m->status == ALEA_OK && !alea_vec_push(m->mem, &m->instances, made)) alea_toss_maker_lack(m);
}

/* Adds one instance for each possible verdict on the move. */
static void add_judged(maker *m, instance made, uint32_t *key, uint32_t length) {
  lits verdicts = {0};
  alea_toss_judge_move(m, key + 1, &verdicts);
  for (uint32_t i = 0; i < verdicts.count && m->status == ALEA_OK; i++) {
    made.legal = alea_toss_and2(&m->circuit, made.any, verdicts.data[i]);
    key[length] = i;
    if (made.legal != ALEA_TOSS_LIT_FALSE) add_instance(m, made, key, length + 1);
  }
  alea_vec_clear(m->mem, &verdicts);
}

static void note_instance(alea_toss_symbolic *s, lit_t lit, void *context) {
  (void)s;
  maker *m = context;
  const alea_toss_label *label = alea_toss_maker_label(m, m->location, m->role, m->label);
  uint32_t key[2 + ALEA_TOSS_MOST_SIDE] = {label->alias}, length = 1 + m->pattern->left_count;
  match_of(m, key + 1);
  instance made = {.location = m->location, .role = m->role, .label = m->label};
  made.legal = made.any = alea_toss_and2(&m->circuit, lit, post_lit(m, key + 1));
  if (made.legal == ALEA_TOSS_LIT_FALSE) return;
  if (m->judge.evaluation != NULL) {
    add_judged(m, made, key, length);
  } else {
    add_instance(m, made, key, length);
  }
}

/* Locations are the first fluents, then tuples. */
void alea_toss_maker_find_fluents(maker *m) {
  for (uint32_t l = 0; l < m->file->locations.count; l++) {
    uint32_t key[2] = {ALEA_TOSS_KEY_LOCATION, l};
    if (alea_toss_ids_add(m->ids, 0, key, 2) == UINT32_MAX) alea_toss_maker_lack(m);
  }
  for (uint32_t r = 0; r < m->rules->relation_count; r++) {
    const alea_toss_table *t = &m->rules->start->tables[r];
    if (!m->rules->changing[r] || m->file->relations.data[r].body != NONE) continue;
    for (uint32_t slot = 0; slot < t->slot_count; slot++) {
      if (t->used[slot]) alea_toss_maker_fluent(m, r, alea_toss_table_tuple(t, slot), true);
    }
  }
  m->sym.atom = atom_unknown;
  each_label(m, note_added);
}

void alea_toss_maker_find_moves(maker *m) {
  m->sym.atom = alea_toss_maker_atom;
  each_label(m, note_instance);
}
