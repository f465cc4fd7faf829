/* Compiling: the next structure and the next location. */
#include "toss/maker.h"

#define NONE ALEA_TOSS_NONE

typedef alea_toss_maker maker;
typedef alea_toss_lit lit_t;
typedef alea_toss_lits lits;
typedef alea_toss_instance instance;
typedef alea_toss_roots roots;
typedef alea_toss_change change;
enum { MOST_TUPLES_OF_LABELS = 256 };

/* ---- the next structure ---- */

/* Whether a move with this name belongs to another rule at another location. */
static bool is_ambiguous(const maker *m, const instance *x) {
  const alea_toss_label *label = alea_toss_maker_label(m, x->location, x->role, x->label);
  for (uint32_t l = 0; l < m->file->locations.count; l++) {
    const alea_toss_side *side = &m->file->locations.data[l].sides[x->role];
    for (uint32_t i = 0; i < side->labels.count; i++) {
      const alea_toss_label *other = &side->labels.data[i];
      if (other->alias == label->alias &&
          (other->rule != label->rule ||
           alea_toss_maker_movers(m, l) != alea_toss_maker_movers(m, x->location))) {
        return true;
      }
    }
  }
  return false;
}

/* When the instance is applied: it is played and, if others were applied before
 * it, still matches. */
static lit_t applied(maker *m, const instance *x) {
  lit_t lit = m->moves[x->role].data[x->move];
  if (is_ambiguous(m, x))
    lit = alea_toss_and2(&m->circuit, lit, alea_toss_maker_place(m, x->location));
  if (alea_toss_maker_movers(m, x->location) < 2 || x->role == 0) return lit;
  const uint32_t *match = m->elements.data + x->match;
  for (uint32_t i = 0; i < m->pattern->left_count; i++) {
    m->env.elements[m->pattern->left_slots[i]] = match[i];
  }
  lit_t still = alea_toss_symbolic_formula(&m->sym, m->pattern->embedding);
  return alea_toss_and2(&m->circuit, lit, still);
}

static void note_change(maker *m, uint32_t fluent, bool adds, lit_t lit) {
  if (fluent == UINT32_MAX) return;
  if (!alea_vec_push(m->mem, &m->changes, ((change){fluent, adds, lit}))) alea_toss_maker_lack(m);
}

static void note_changes(maker *m, const instance *x, lit_t lit) {
  const alea_toss_pattern *p = m->pattern;
  const uint32_t *match = m->elements.data + x->match;
  uint32_t tuple[ALEA_TOSS_MOST_ARITY];
  for (size_t i = 0; i < p->rule->right.tuples.count; i++) {
    const alea_toss_tuple *drawn = &p->rule->right.tuples.data[i];
    alea_toss_maker_image(p, match, drawn, tuple);
    note_change(m, alea_toss_maker_fluent(m, drawn->relation, tuple, false), true, lit);
  }
  /* Exact relations lose the tuples of the left side that the right side
   * lacks. */
  for (size_t i = 0; i < p->rule->left.tuples.count; i++) {
    const alea_toss_tuple *drawn = &p->rule->left.tuples.data[i];
    if (!p->exact[drawn->relation]) continue;
    for (uint32_t j = 0; j < drawn->count; j++) {
      tuple[j] = match[p->rule->left.ids.data[drawn->first + j]];
    }
    if (alea_toss_maker_draws(p, match, drawn->relation, tuple)) continue;
    note_change(m, alea_toss_maker_fluent(m, drawn->relation, tuple, false), false, lit);
  }
}

static lit_t changed(maker *m, uint32_t fluent, bool adds) {
  lits found = {0};
  for (size_t i = 0; i < m->changes.count; i++) {
    const change *c = &m->changes.data[i];
    if (c->fluent == fluent && c->adds == adds) alea_toss_maker_push(m, &found, c->lit);
  }
  lit_t lit = alea_toss_circuit_or(&m->circuit, found.data, found.count);
  alea_vec_clear(m->mem, &found);
  return lit;
}

static bool is_same_effect(const maker *m, const instance *a, const instance *b) {
  return a->role == b->role && a->move == b->move && !is_ambiguous(m, a);
}

/* Applies the rewriting of one player after that of another. */
static void rewrite_by(maker *m, uint32_t role) {
  m->changes.count = 0;
  for (size_t i = 0; i < m->instances.count && m->status == ALEA_OK; i++) {
    const instance x = m->instances.data[i];
    if (x.role != role) continue;
    bool twice = false; /* the same move at an earlier location */
    for (size_t j = 0; j < i && !twice && m->file->locations.count > 2; j++) {
      twice = is_same_effect(m, &m->instances.data[j], &x);
    }
    if (twice) continue;
    m->pattern = &m->rules->patterns[alea_toss_maker_label(m, x.location, role, x.label)->rule];
    note_changes(m, &x, applied(m, &x));
  }
  if (m->changes.count == 0) return;
  lits next = {0};
  for (uint32_t f = 0; f < m->current.count && m->status == ALEA_OK; f++) {
    lit_t kept = alea_toss_and2(&m->circuit, m->current.data[f], changed(m, f, false) ^ 1);
    alea_toss_maker_push(m, &next, alea_toss_or2(&m->circuit, kept, changed(m, f, true)));
  }
  alea_vec_clear(m->mem, &m->current);
  m->current = next;
}

/* ---- the next location ---- */

static lit_t label_played(maker *m, uint32_t location, uint32_t role, uint32_t label) {
  lits found = {0};
  if (label == NONE) return ALEA_TOSS_LIT_TRUE;
  if (m->file->locations.data[location].sides[role].labels.count == 1) return ALEA_TOSS_LIT_TRUE;
  for (size_t i = 0; i < m->instances.count; i++) {
    const instance *x = &m->instances.data[i];
    if (x->location == location && x->role == role && x->label == label) {
      alea_toss_maker_push(m, &found, m->moves[role].data[x->move]);
    }
  }
  lit_t lit = alea_toss_circuit_or(&m->circuit, found.data, found.count);
  alea_vec_clear(m->mem, &found);
  return lit;
}

static lit_t drawn_between(maker *m, uint32_t from, uint32_t to) {
  lits found = {0};
  for (uint32_t i = from; i < to; i++) {
    uint32_t key[2] = {ALEA_TOSS_KEY_CHANCE, i};
    uint32_t move = alea_toss_ids_find(m->ids, 1 + m->players, key, 2);
    if (move != UINT32_MAX) alea_toss_maker_push(m, &found, m->moves[m->players].data[move]);
  }
  lit_t lit = alea_toss_circuit_or(&m->circuit, found.data, found.count);
  alea_vec_clear(m->mem, &found);
  return lit;
}

/* Adds 'when' to the next locations to which the tuple of labels leads. */
static void follow(maker *m, uint32_t location, const uint32_t *labels, lit_t when, lits *next) {
  const alea_toss_targets *targets = alea_toss_edge_of(m->file, location, labels);
  uint32_t cases = m->tokens[location], from = 0;
  for (size_t i = 0; targets != NULL && i < targets->count; i++) {
    const alea_toss_target *t = &targets->data[i];
    uint32_t share = (uint32_t)((uint64_t)cases * t->weight / t->scale);
    lit_t lit = when;
    if (share < cases)
      lit = alea_toss_and2(&m->circuit, when, drawn_between(m, from, from + share));
    from += share;
    next->data[t->location] = alea_toss_or2(&m->circuit, next->data[t->location], lit);
  }
}

/* Adds all tuples of labels of a location; one literal if all have one
 * target. */
static void leave(maker *m, uint32_t location, lit_t here, lits *next) {
  const alea_toss_location *l = &m->file->locations.data[location];
  uint32_t labels[ALEA_TOSS_MOST_PLAYERS], total = 1;
  const alea_toss_targets *first = NULL;
  bool same = true;
  for (uint32_t p = 0; p < m->players; p++) {
    uint32_t count = (uint32_t)l->sides[p].labels.count;
    if (count != 0) total *= count;
    if (total > MOST_TUPLES_OF_LABELS) {
      alea_toss_maker_fail(m, ALEA_LIMIT);
      return;
    }
  }
  for (int pass = 0; pass < 2; pass++) {
    for (uint32_t code = 0; code < total && m->status == ALEA_OK; code++) {
      uint32_t rest = code;
      lit_t when = here;
      for (uint32_t p = 0; p < m->players; p++) {
        uint32_t count = (uint32_t)l->sides[p].labels.count;
        labels[p] = count != 0 ? rest % count : NONE;
        if (count != 0) rest /= count;
        if (pass == 1) {
          when = alea_toss_and2(&m->circuit, when, label_played(m, location, p, labels[p]));
        }
      }
      const alea_toss_targets *targets = alea_toss_edge_of(m->file, location, labels);
      if (pass == 1) {
        follow(m, location, labels, when, next);
        continue;
      }
      if (first == NULL) first = targets;
      same = same && targets != NULL && targets->count == 1 &&
             targets->data[0].location == first->data[0].location && first->count == 1;
    }
    if (pass == 0 && same && alea_toss_maker_movers(m, location) != 0) {
      follow(m, location, labels, here, next);
      return;
    }
  }
}

void alea_toss_maker_find_next(maker *m, roots *r) {
  uint32_t places = (uint32_t)m->file->locations.count;
  lits next = {0}, start = {0};
  for (uint32_t l = 0; l < places; l++) {
    alea_toss_maker_push(m, &next, ALEA_TOSS_LIT_FALSE);
    alea_toss_maker_push(m, &start, alea_toss_maker_place(m, l));
  }
  for (uint32_t l = 0; l < places && m->status == ALEA_OK; l++) {
    if (alea_toss_maker_movers(m, l) != 0) leave(m, l, start.data[l], &next);
  }
  for (uint32_t p = 0; p < m->players && m->status == ALEA_OK; p++) rewrite_by(m, p);
  for (uint32_t f = 0; f < m->current.count && m->status == ALEA_OK; f++) {
    alea_toss_maker_push(m, &r->next, f < places ? next.data[f] : m->current.data[f]);
  }
  alea_vec_clear(m->mem, &next);
  alea_vec_clear(m->mem, &start);
}
