/* A finite discrete game as a ground program.
 *
 * Fluents are the location and those tuples of changing relations that hold at
 * the start or that some rule can add.  Matches are found with only the
 * unchanging relations known; the rest of a match, its precondition, payoffs
 * and the next state become circuits over fluents and moves. */
#include <string.h>

#include "toss/game.h"
#include "toss/symbolic.h"

#define NONE ALEA_TOSS_NONE
enum { MOST_TUPLES_OF_LABELS = 256 };

typedef alea_toss_lit lit_t;
typedef ALEA_VEC(lit_t) lits;

/* A label at a match: a move somewhere. */
typedef struct instance {
  uint32_t location, role, label, move;
  uint32_t match; /* first of the elements in 'elements' */
  lit_t legal;    /* given the location */
} instance;

typedef struct change {
  uint32_t fluent;
  bool adds;
  lit_t lit;
} change;

typedef struct maker {
  alea_mem *mem;
  alea_diag *diag;
  const alea_toss_file *file;
  alea_toss_rules *rules;
  alea_toss_env env;
  alea_toss_circuit circuit;
  alea_toss_symbolic sym;
  alea_toss_ids *ids; /* as in the interpreter: fluents, then moves by role */
  uint32_t players, roles;
  uint32_t *tokens;
  lits current;                           /* per fluent: its literal at this stage */
  lits moves[ALEA_TOSS_MOST_PLAYERS + 1]; /* per move: its literal */
  ALEA_VEC(instance) instances;
  ALEA_VEC(uint32_t) elements;
  ALEA_VEC(change) changes;
  /* the label being visited */
  uint32_t location, role, label;
  const alea_toss_pattern *pattern; /* and its match, while `post` is evaluated */
  const uint32_t *match;
  alea_status status;
  alea_ground *ground;
  uint32_t *atoms; /* per node of the circuit: atom, its sign in 'flipped' */
  uint8_t *flipped;
} maker;

static void fail(maker *m, alea_status status) {
  if (m->status == ALEA_OK) m->status = status;
}

static void lack(maker *m) { fail(m, m->mem->hit_limit ? ALEA_LIMIT : ALEA_SYSTEM); }

static void push(maker *m, lits *list, lit_t lit) {
  if (!alea_vec_push(m->mem, list, lit)) lack(m);
}

static const alea_toss_label *label_at(const maker *m, uint32_t location, uint32_t role,
                                       uint32_t label) {
  return &m->file->locations.data[location].sides[role].labels.data[label];
}

/* ---- whether it can be done ---- */

static bool refuse(maker *m, uint32_t line, uint32_t column, const char *why) {
  alea_diag_warn(m->diag, ((alea_place){m->file->file, line, column}), "interpreted",
                 "cannot be compiled: %s", why);
  m->status = ALEA_NO;
  return false;
}

static uint32_t movers_at(const maker *m, uint32_t location) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < m->players; i++) {
    count += m->file->locations.data[location].sides[i].labels.count != 0;
  }
  return count;
}

static bool label_is_plain(maker *m, uint32_t location, const alea_toss_label *label) {
  const alea_toss_rule *rule = &m->file->rules.data[label->rule];
  if (label->many != ALEA_TOSS_ONE) {
    return refuse(m, label->line, label->column, "a label takes many matches");
  }
  if (label->params.count + label->randoms.count != 0 || label->timed ||
      rule->dynamics.count + rule->update.count != 0 || rule->inv != NONE) {
    return refuse(m, label->line, label->column, "a label has time or parameters");
  }
  if (rule->post != NONE && movers_at(m, location) > 1) {
    return refuse(m, label->line, label->column, "'post' where several players move");
  }
  return true;
}

static bool is_discrete(maker *m) {
  if (m->file->functions.count != 0) return refuse(m, 0, 0, "it has functions");
  for (size_t i = 0; i < m->rules->rule_count; i++) {
    const alea_toss_rule *rule = &m->file->rules.data[i];
    if (!m->rules->patterns[i].preserving) {
      return refuse(m, rule->line, rule->column, "a rule makes or deletes elements");
    }
  }
  for (uint32_t l = 0; l < m->file->locations.count; l++) {
    for (uint32_t p = 0; p < m->players; p++) {
      const alea_toss_side *side = &m->file->locations.data[l].sides[p];
      for (uint32_t i = 0; i < side->labels.count; i++) {
        if (!label_is_plain(m, l, &side->labels.data[i])) return false;
      }
    }
  }
  return true;
}

/* ---- tuples ---- */

static uint32_t fluent_of(maker *m, uint32_t relation, const uint32_t *tuple, bool make) {
  uint32_t key[1 + ALEA_TOSS_MOST_ARITY] = {relation};
  uint32_t arity = m->file->relations.data[relation].arity;
  memcpy(key + 1, tuple, arity * sizeof *key);
  if (!make) return alea_toss_ids_find(m->ids, 0, key, 1 + arity);
  uint32_t id = alea_toss_ids_add(m->ids, 0, key, 1 + arity);
  if (id == UINT32_MAX) lack(m);
  return id;
}

static lit_t known(const maker *m, uint32_t relation, const uint32_t *tuple) {
  return alea_toss_structure_has(m->rules->start, relation, tuple) ? ALEA_TOSS_LIT_TRUE
                                                                   : ALEA_TOSS_LIT_FALSE;
}

/* First pass: a tuple that changes may hold or not, independently. */
static lit_t atom_unknown(void *context, uint32_t relation, const uint32_t *tuple) {
  maker *m = context;
  if (!m->rules->changing[relation]) return known(m, relation, tuple);
  return alea_toss_circuit_input(&m->circuit);
}

/* The image of a tuple of the right side. */
static void image(const alea_toss_pattern *p, const uint32_t *match, const alea_toss_tuple *tuple,
                  uint32_t *out) {
  for (uint32_t i = 0; i < tuple->count; i++) {
    out[i] = match[p->rule->replaces[p->rule->right.ids.data[tuple->first + i]]];
  }
}

static bool right_draws(const alea_toss_pattern *p, const uint32_t *match, uint32_t relation,
                        const uint32_t *tuple) {
  for (size_t i = 0; i < p->rule->right.tuples.count; i++) {
    const alea_toss_tuple *drawn = &p->rule->right.tuples.data[i];
    uint32_t here[ALEA_TOSS_MOST_ARITY];
    if (drawn->relation != relation) continue;
    image(p, match, drawn, here);
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
 * While `post` is evaluated, what the rule draws is certain. */
static lit_t atom_fluent(void *context, uint32_t relation, const uint32_t *tuple) {
  maker *m = context;
  if (!m->rules->changing[relation]) return known(m, relation, tuple);
  if (m->match != NULL) {
    if (right_draws(m->pattern, m->match, relation, tuple)) return ALEA_TOSS_LIT_TRUE;
    uint32_t arity = m->file->relations.data[relation].arity;
    if (m->pattern->exact[relation] && is_inside(m->pattern, m->match, tuple, arity)) {
      return ALEA_TOSS_LIT_FALSE;
    }
  }
  uint32_t fluent = fluent_of(m, relation, tuple, false);
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
        if (m->sym.status != ALEA_OK) fail(m, m->sym.status);
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
    image(m->pattern, match, drawn, tuple);
    fluent_of(m, drawn->relation, tuple, true);
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

static uint32_t move_of(maker *m, uint32_t role, const uint32_t *key, uint32_t length) {
  uint32_t move = alea_toss_ids_add(m->ids, 1 + role, key, length);
  if (move == UINT32_MAX) lack(m);
  if (move == m->moves[role].count) {
    push(m, &m->moves[role], alea_toss_circuit_input(&m->circuit));
  }
  return move;
}

static void note_instance(alea_toss_symbolic *s, lit_t lit, void *context) {
  (void)s;
  maker *m = context;
  const alea_toss_label *label = label_at(m, m->location, m->role, m->label);
  uint32_t key[1 + ALEA_TOSS_MOST_SIDE] = {label->alias}, width = m->pattern->left_count;
  match_of(m, key + 1);
  instance made = {.location = m->location,
                   .role = m->role,
                   .label = m->label,
                   .match = (uint32_t)m->elements.count};
  made.legal = alea_toss_and2(&m->circuit, lit, post_lit(m, key + 1));
  if (made.legal == ALEA_TOSS_LIT_FALSE) return;
  made.move = move_of(m, m->role, key, 1 + width);
  for (uint32_t i = 0; i < width; i++) {
    if (!alea_vec_push(m->mem, &m->elements, key[1 + i])) lack(m);
  }
  if (m->status == ALEA_OK && !alea_vec_push(m->mem, &m->instances, made)) lack(m);
}

/* Locations are the first fluents, then tuples. */
static void find_fluents(maker *m) {
  for (uint32_t l = 0; l < m->file->locations.count; l++) {
    uint32_t key[2] = {ALEA_TOSS_KEY_LOCATION, l};
    if (alea_toss_ids_add(m->ids, 0, key, 2) == UINT32_MAX) lack(m);
  }
  for (uint32_t r = 0; r < m->rules->relation_count; r++) {
    const alea_toss_table *t = &m->rules->start->tables[r];
    if (!m->rules->changing[r] || m->file->relations.data[r].body != NONE) continue;
    for (uint32_t slot = 0; slot < t->slot_count; slot++) {
      if (t->used[slot]) fluent_of(m, r, alea_toss_table_tuple(t, slot), true);
    }
  }
  m->sym.atom = atom_unknown;
  each_label(m, note_added);
}

static lit_t location_lit(const maker *m, uint32_t location) {
  return m->file->locations.count == 1 ? ALEA_TOSS_LIT_TRUE : m->current.data[location];
}

/* ---- what is legal, terminal and what it is worth ---- */

typedef struct roots {
  lits legal[ALEA_TOSS_MOST_PLAYERS + 1];
  lits next;
  lit_t terminal;
} roots;

static lit_t any_legal(maker *m, uint32_t location, uint32_t role) {
  lits found = {0};
  for (size_t i = 0; i < m->instances.count; i++) {
    const instance *x = &m->instances.data[i];
    if (x->location == location && x->role == role) push(m, &found, x->legal);
  }
  lit_t lit = alea_toss_circuit_or(&m->circuit, found.data, found.count);
  alea_vec_clear(m->mem, &found);
  return lit;
}

static void find_terminal(maker *m, roots *r) {
  lits ends = {0};
  for (uint32_t l = 0; l < m->file->locations.count; l++) {
    lits stuck = {0};
    if (movers_at(m, l) == 0) push(m, &stuck, ALEA_TOSS_LIT_TRUE);
    for (uint32_t p = 0; p < m->players; p++) {
      if (m->file->locations.data[l].sides[p].labels.count == 0) continue;
      push(m, &stuck, any_legal(m, l, p) ^ 1);
    }
    lit_t here = alea_toss_circuit_or(&m->circuit, stuck.data, stuck.count);
    push(m, &ends, alea_toss_and2(&m->circuit, location_lit(m, l), here));
    alea_vec_clear(m->mem, &stuck);
  }
  r->terminal = alea_toss_circuit_or(&m->circuit, ends.data, ends.count);
  alea_vec_clear(m->mem, &ends);
}

static void allow(maker *m, roots *r, uint32_t role, uint32_t move, lit_t lit) {
  while (m->status == ALEA_OK && r->legal[role].count <= move) {
    push(m, &r->legal[role], ALEA_TOSS_LIT_FALSE);
  }
  if (m->status != ALEA_OK) return;
  lit_t *held = &r->legal[role].data[move];
  *held = alea_toss_or2(&m->circuit, *held, lit);
}

static void allow_waiting(maker *m, roots *r) {
  uint32_t noop = ALEA_TOSS_KEY_NOOP;
  for (uint32_t l = 0; l < m->file->locations.count; l++) {
    for (uint32_t p = 0; p < m->players; p++) {
      if (m->file->locations.data[l].sides[p].labels.count != 0) continue;
      allow(m, r, p, move_of(m, p, &noop, 1), location_lit(m, l));
    }
    if (m->roles == m->players) continue;
    if (m->tokens[l] == 1) {
      allow(m, r, m->players, move_of(m, m->players, &noop, 1), location_lit(m, l));
    }
    for (uint32_t i = 0; i < m->tokens[l] && m->tokens[l] > 1; i++) {
      uint32_t key[2] = {ALEA_TOSS_KEY_CHANCE, i};
      allow(m, r, m->players, move_of(m, m->players, key, 2), location_lit(m, l));
    }
  }
}

static void find_legal(maker *m, roots *r) {
  for (size_t i = 0; i < m->instances.count && m->status == ALEA_OK; i++) {
    const instance x = m->instances.data[i];
    allow(m, r, x.role, x.move, alea_toss_and2(&m->circuit, location_lit(m, x.location), x.legal));
  }
  allow_waiting(m, r);
}

/* ---- the next structure ---- */

/* Whether a move of this name means another rule elsewhere. */
static bool is_ambiguous(const maker *m, const instance *x) {
  const alea_toss_label *label = label_at(m, x->location, x->role, x->label);
  for (uint32_t l = 0; l < m->file->locations.count; l++) {
    const alea_toss_side *side = &m->file->locations.data[l].sides[x->role];
    for (uint32_t i = 0; i < side->labels.count; i++) {
      const alea_toss_label *other = &side->labels.data[i];
      if (other->alias == label->alias &&
          (other->rule != label->rule || movers_at(m, l) != movers_at(m, x->location))) {
        return true;
      }
    }
  }
  return false;
}

/* When the instance is applied: it is played and, where others were applied
 * before it, still matches. */
static lit_t applied(maker *m, const instance *x) {
  lit_t lit = m->moves[x->role].data[x->move];
  if (is_ambiguous(m, x)) lit = alea_toss_and2(&m->circuit, lit, location_lit(m, x->location));
  if (movers_at(m, x->location) < 2 || x->role == 0) return lit;
  const uint32_t *match = m->elements.data + x->match;
  for (uint32_t i = 0; i < m->pattern->left_count; i++) {
    m->env.elements[m->pattern->left_slots[i]] = match[i];
  }
  lit_t still = alea_toss_symbolic_formula(&m->sym, m->pattern->embedding);
  return alea_toss_and2(&m->circuit, lit, still);
}

static void note_change(maker *m, uint32_t fluent, bool adds, lit_t lit) {
  if (fluent == UINT32_MAX) return;
  if (!alea_vec_push(m->mem, &m->changes, ((change){fluent, adds, lit}))) lack(m);
}

static void note_changes(maker *m, const instance *x, lit_t lit) {
  const alea_toss_pattern *p = m->pattern;
  const uint32_t *match = m->elements.data + x->match;
  uint32_t tuple[ALEA_TOSS_MOST_ARITY];
  for (size_t i = 0; i < p->rule->right.tuples.count; i++) {
    const alea_toss_tuple *drawn = &p->rule->right.tuples.data[i];
    image(p, match, drawn, tuple);
    note_change(m, fluent_of(m, drawn->relation, tuple, false), true, lit);
  }
  /* exact relations lose the tuples of the left side that the right lacks */
  for (size_t i = 0; i < p->rule->left.tuples.count; i++) {
    const alea_toss_tuple *drawn = &p->rule->left.tuples.data[i];
    if (!p->exact[drawn->relation]) continue;
    for (uint32_t j = 0; j < drawn->count; j++) {
      tuple[j] = match[p->rule->left.ids.data[drawn->first + j]];
    }
    if (right_draws(p, match, drawn->relation, tuple)) continue;
    note_change(m, fluent_of(m, drawn->relation, tuple, false), false, lit);
  }
}

static lit_t changed(maker *m, uint32_t fluent, bool adds) {
  lits found = {0};
  for (size_t i = 0; i < m->changes.count; i++) {
    const change *c = &m->changes.data[i];
    if (c->fluent == fluent && c->adds == adds) push(m, &found, c->lit);
  }
  lit_t lit = alea_toss_circuit_or(&m->circuit, found.data, found.count);
  alea_vec_clear(m->mem, &found);
  return lit;
}

static bool is_same_effect(const maker *m, const instance *a, const instance *b) {
  return a->role == b->role && a->move == b->move && !is_ambiguous(m, a);
}

/* One player's rewriting after the other's. */
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
    m->pattern = &m->rules->patterns[label_at(m, x.location, role, x.label)->rule];
    note_changes(m, &x, applied(m, &x));
  }
  if (m->changes.count == 0) return;
  lits next = {0};
  for (uint32_t f = 0; f < m->current.count && m->status == ALEA_OK; f++) {
    lit_t kept = alea_toss_and2(&m->circuit, m->current.data[f], changed(m, f, false) ^ 1);
    push(m, &next, alea_toss_or2(&m->circuit, kept, changed(m, f, true)));
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
      push(m, &found, m->moves[role].data[x->move]);
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
    if (move != UINT32_MAX) push(m, &found, m->moves[m->players].data[move]);
  }
  lit_t lit = alea_toss_circuit_or(&m->circuit, found.data, found.count);
  alea_vec_clear(m->mem, &found);
  return lit;
}

/* Adds 'when' to the next locations that the tuple of labels leads to. */
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

/* All tuples of labels of a location; one literal where all lead to one place. */
static void leave(maker *m, uint32_t location, lit_t here, lits *next) {
  const alea_toss_location *l = &m->file->locations.data[location];
  uint32_t labels[ALEA_TOSS_MOST_PLAYERS], total = 1;
  const alea_toss_targets *first = NULL;
  bool same = true;
  for (uint32_t p = 0; p < m->players; p++) {
    uint32_t count = (uint32_t)l->sides[p].labels.count;
    if (count != 0) total *= count;
    if (total > MOST_TUPLES_OF_LABELS) {
      fail(m, ALEA_LIMIT);
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
    if (pass == 0 && same && movers_at(m, location) != 0) {
      follow(m, location, labels, here, next);
      return;
    }
  }
}

static void find_next(maker *m, roots *r) {
  uint32_t places = (uint32_t)m->file->locations.count;
  lits next = {0}, start = {0};
  for (uint32_t l = 0; l < places; l++) {
    push(m, &next, ALEA_TOSS_LIT_FALSE);
    push(m, &start, location_lit(m, l));
  }
  for (uint32_t l = 0; l < places && m->status == ALEA_OK; l++) {
    if (movers_at(m, l) != 0) leave(m, l, start.data[l], &next);
  }
  for (uint32_t p = 0; p < m->players && m->status == ALEA_OK; p++) rewrite_by(m, p);
  for (uint32_t f = 0; f < m->current.count && m->status == ALEA_OK; f++) {
    push(m, &r->next, f < places ? next.data[f] : m->current.data[f]);
  }
  alea_vec_clear(m->mem, &next);
  alea_vec_clear(m->mem, &start);
}

/* ---- payoffs ---- */

typedef struct goal {
  uint32_t role;
  int value;
  lit_t lit;
  uint32_t places; /* how many locations gave exactly this literal */
} goal;
typedef ALEA_VEC(goal) goals;

static int scaled(const maker *m, double payoff) {
  double value = 100 * (payoff - m->file->least) / (m->file->most - m->file->least);
  return !(value > 0) ? 0 : value >= 100 ? 100 : (int)(value + 0.5);
}

static void note_goal(maker *m, goals *list, goal g) {
  for (size_t i = 0; i < list->count; i++) {
    goal *known_goal = &list->data[i];
    if (known_goal->role == g.role && known_goal->value == g.value && known_goal->lit == g.lit) {
      known_goal->places++;
      return;
    }
  }
  if (!alea_vec_push(m->mem, list, g)) lack(m);
}

/* The payoff of a player at a location, as goals that hold there. */
static void price(maker *m, uint32_t location, uint32_t role, goals *list) {
  alea_toss_cases cases = {0};
  uint32_t code = m->rules->payoffs[location * m->players + role];
  lit_t by_goal[101];
  for (int i = 0; i <= 100; i++) by_goal[i] = ALEA_TOSS_LIT_FALSE;
  if (code == NONE) {
    by_goal[scaled(m, 0)] = ALEA_TOSS_LIT_TRUE;
  } else {
    alea_toss_symbolic_term(&m->sym, code, &cases);
    if (m->sym.status != ALEA_OK) fail(m, m->sym.status);
  }
  for (size_t i = 0; i < cases.count; i++) {
    lit_t *held = &by_goal[scaled(m, cases.data[i].value)];
    *held = alea_toss_or2(&m->circuit, *held, cases.data[i].lit);
  }
  for (int i = 0; i <= 100; i++) {
    if (by_goal[i] != ALEA_TOSS_LIT_FALSE) note_goal(m, list, (goal){role, i, by_goal[i], 1});
  }
  alea_vec_clear(m->mem, &cases);
}

/* Goals that are the same everywhere need no location. */
static void find_goals(maker *m, goals *out) {
  goals everywhere = {0};
  uint32_t places = (uint32_t)m->file->locations.count;
  for (uint32_t p = 0; p < m->players; p++) {
    everywhere.count = 0;
    for (uint32_t l = 0; l < places; l++) price(m, l, p, &everywhere);
    for (size_t i = 0; i < everywhere.count; i++) {
      if (everywhere.data[i].places == places) note_goal(m, out, everywhere.data[i]);
    }
    for (uint32_t l = 0; l < places; l++) {
      goals here = {0};
      price(m, l, p, &here);
      for (size_t i = 0; i < here.count; i++) {
        goal g = here.data[i];
        bool common = false;
        for (size_t j = 0; j < everywhere.count; j++) {
          const goal *e = &everywhere.data[j];
          common |= e->places == places && e->value == g.value && e->lit == g.lit;
        }
        g.lit = alea_toss_and2(&m->circuit, g.lit, location_lit(m, l));
        if (!common) note_goal(m, out, g);
      }
      alea_vec_clear(m->mem, &here);
    }
  }
  alea_vec_clear(m->mem, &everywhere);
}

/* ---- the ground program ---- */

static alea_term term_of(maker *m, const char *text) {
  alea_term term = alea_terms_parse(m->ground->terms, text, NULL);
  if (term == ALEA_NO_TERM) lack(m);
  return term;
}

static void put_key(const maker *m, const uint32_t *key, uint32_t length, alea_text *out) {
  if (length > 1) alea_text_char(out, '(');
  alea_toss_folded(alea_toss_text(m->file, key[0]), true, out);
  for (uint32_t i = 1; i < length; i++) {
    alea_text_char(out, ' ');
    alea_toss_element_text(m->file, key[i], true, out);
  }
  if (length > 1) alea_text_char(out, ')');
}

static alea_term key_term(maker *m, uint32_t space, uint32_t id) {
  uint32_t key[1 + ALEA_TOSS_MOST_SIDE + ALEA_TOSS_MOST_ARITY];
  uint32_t length = alea_toss_ids_key(m->ids, space, id, key, sizeof key / sizeof *key);
  alea_text text;
  alea_text_init(&text, m->mem);
  if (key[0] == ALEA_TOSS_KEY_LOCATION) {
    alea_text_format(&text, "(location %u)", m->file->locations.data[key[1]].number);
  } else if (key[0] == ALEA_TOSS_KEY_NOOP) {
    alea_text_put(&text, "noop");
  } else if (key[0] == ALEA_TOSS_KEY_CHANCE) {
    alea_text_format(&text, "(chance %u)", key[1]);
  } else {
    if (space == 0) key[0] = m->file->relations.data[key[0]].name;
    put_key(m, key, length, &text);
  }
  alea_term term = term_of(m, alea_text_string(&text));
  alea_text_clear(&text);
  return term;
}

static alea_glit glit(const maker *m, lit_t lit) {
  return (m->atoms[lit / 2] * 2) ^ ((lit & 1) ^ m->flipped[lit / 2]);
}

static void add_rule(maker *m, alea_atom head, const lit_t *body, uint32_t count, bool flip) {
  alea_ground *g = m->ground;
  alea_ground_rule rule = {head, (uint32_t)g->lits.count, count};
  if (!alea_vec_push(m->mem, &g->rules, rule)) lack(m);
  for (uint32_t i = 0; i < count; i++) {
    if (!alea_vec_push(m->mem, &g->lits, glit(m, body[i] ^ flip))) lack(m);
  }
}

/* A gate that is mostly used negated is written as the or that it then is. */
static void number_gates(maker *m, const roots *r, const goals *gs) {
  const alea_toss_circuit *c = &m->circuit;
  size_t count = c->gates.count;
  uint32_t *uses = alea_mem_calloc(m->mem, count * 2, sizeof *uses);
  if (uses == NULL) {
    lack(m);
    return;
  }
  for (size_t i = 0; i < r->next.count; i++) uses[r->next.data[i]]++;
  for (size_t p = 0; p < m->roles; p++) {
    for (size_t i = 0; i < r->legal[p].count; i++) uses[r->legal[p].data[i]]++;
  }
  for (size_t i = 0; i < gs->count; i++) uses[gs->data[i].lit]++;
  uses[r->terminal]++;
  for (size_t node = count; node-- > 1;) {
    const alea_toss_gate *gate = &c->gates.data[node];
    if (uses[node * 2] + uses[node * 2 + 1] == 0) continue;
    m->flipped[node] = gate->count != 0 && uses[node * 2 + 1] > uses[node * 2];
    for (uint32_t i = 0; i < gate->count; i++) {
      uses[c->inputs.data[gate->first + i] ^ m->flipped[node]]++;
    }
  }
  for (uint32_t node = 1; node < count && m->status == ALEA_OK; node++) {
    const alea_toss_gate *gate = &c->gates.data[node];
    if (gate->count == 0 || uses[node * 2] + uses[node * 2 + 1] == 0) continue;
    const lit_t *body = c->inputs.data + gate->first;
    alea_atom atom = m->atoms[node] = m->ground->atom_count++;
    if (!m->flipped[node]) add_rule(m, atom, body, gate->count, false);
    for (uint32_t i = 0; m->flipped[node] && i < gate->count; i++) {
      add_rule(m, atom, body + i, 1, true);
    }
  }
  alea_mem_free(m->mem, uses, count * 2 * sizeof *uses);
}

static bool allocate(maker *m, uint32_t fluents, uint32_t moves) {
  alea_ground *g = m->ground;
  g->role_count = m->roles;
  g->fluent_count = fluents;
  g->move_count = moves;
  g->roles = alea_mem_calloc(m->mem, m->roles, sizeof *g->roles);
  g->fluents = alea_mem_calloc(m->mem, fluents, sizeof *g->fluents);
  g->init = alea_mem_calloc(m->mem, fluents, sizeof *g->init);
  g->next = alea_mem_calloc(m->mem, fluents, sizeof *g->next);
  g->moves = alea_mem_calloc(m->mem, moves, sizeof *g->moves);
  g->move_first = alea_mem_calloc(m->mem, m->roles + 1, sizeof *g->move_first);
  g->legal = alea_mem_calloc(m->mem, moves, sizeof *g->legal);
  return g->roles != NULL && g->fluents != NULL && g->init != NULL && g->next != NULL &&
         g->moves != NULL && g->move_first != NULL && g->legal != NULL;
}

static void fill_roles(maker *m) {
  alea_ground *g = m->ground;
  g->random_role = m->roles > m->players ? (int)m->players : -1;
  for (uint32_t p = 0; p < m->roles; p++) {
    const char *name =
        p < m->players ? alea_toss_text(m->file, m->file->players.data[p]) : "random";
    g->roles[p] = alea_symbols_add(g->symbols, name, strlen(name));
    if (g->roles[p] == ALEA_NO_SYMBOL) lack(m);
  }
}

static void fill_leaves(maker *m, const lits *leaves) {
  alea_ground *g = m->ground;
  for (uint32_t f = 0; f < g->fluent_count && m->status == ALEA_OK; f++) {
    uint32_t key[1 + ALEA_TOSS_MOST_ARITY];
    alea_toss_ids_key(m->ids, 0, f, key, 1 + ALEA_TOSS_MOST_ARITY);
    g->fluents[f] = key_term(m, 0, f);
    g->init[f] = key[0] == ALEA_TOSS_KEY_LOCATION
                     ? key[1] == 0
                     : alea_toss_structure_has(m->rules->start, key[0], key + 1);
    m->atoms[leaves->data[f] / 2] = 1 + f;
  }
  uint32_t at = 0;
  for (uint32_t p = 0; p < m->roles; p++) {
    g->move_first[p] = at;
    for (uint32_t i = 0; i < m->moves[p].count && m->status == ALEA_OK; i++, at++) {
      g->moves[at] = key_term(m, 1 + p, i);
      m->atoms[m->moves[p].data[i] / 2] = 1 + g->fluent_count + at;
    }
  }
  g->move_first[m->roles] = at;
  g->atom_count = 1 + g->fluent_count + g->move_count;
}

static void fill_roots(maker *m, const roots *r, const goals *gs) {
  alea_ground *g = m->ground;
  for (uint32_t f = 0; f < g->fluent_count; f++) g->next[f] = glit(m, r->next.data[f]);
  for (uint32_t p = 0; p < m->roles; p++) {
    for (uint32_t i = 0; i < m->moves[p].count; i++) {
      lit_t lit = i < r->legal[p].count ? r->legal[p].data[i] : ALEA_TOSS_LIT_FALSE;
      g->legal[g->move_first[p] + i] = glit(m, lit);
    }
  }
  g->terminal = glit(m, r->terminal);
  for (size_t i = 0; i < gs->count; i++) {
    const goal *x = &gs->data[i];
    alea_ground_goal made = {x->role, x->value, glit(m, x->lit)};
    if (!alea_vec_push(m->mem, &g->goals, made)) lack(m);
  }
}

/* Fluents and moves keep their names in ground GDL; gates are auxiliary. */
static void name_atoms(maker *m) {
  alea_ground *g = m->ground;
  g->atom_terms = alea_mem_alloc(m->mem, g->atom_count * sizeof *g->atom_terms);
  alea_symbol holds = alea_symbols_add(g->symbols, "true", 4);
  alea_symbol does = alea_symbols_add(g->symbols, "does", 4);
  if (g->atom_terms == NULL || holds == ALEA_NO_SYMBOL || does == ALEA_NO_SYMBOL) {
    lack(m);
    return;
  }
  for (uint32_t i = 0; i < g->atom_count; i++) g->atom_terms[i] = ALEA_NO_TERM;
  for (uint32_t f = 0; f < g->fluent_count; f++) {
    g->atom_terms[1 + f] = alea_terms_list(g->terms, holds, &g->fluents[f], 1);
  }
  for (uint32_t p = 0; p < m->roles; p++) {
    for (uint32_t i = g->move_first[p]; i < g->move_first[p + 1]; i++) {
      alea_term args[2] = {alea_terms_constant(g->terms, g->roles[p]), g->moves[i]};
      g->atom_terms[1 + g->fluent_count + i] = alea_terms_list(g->terms, does, args, 2);
    }
  }
}

static void write_ground(maker *m, const roots *r, const goals *gs, const lits *leaves) {
  size_t nodes = m->circuit.gates.count;
  uint32_t moves = 0;
  for (uint32_t p = 0; p < m->roles; p++) moves += (uint32_t)m->moves[p].count;
  m->ground = alea_mem_zalloc(m->mem, sizeof *m->ground);
  m->atoms = alea_mem_calloc(m->mem, nodes, sizeof *m->atoms);
  m->flipped = alea_mem_zalloc(m->mem, nodes);
  if (m->ground == NULL || m->atoms == NULL || m->flipped == NULL) {
    lack(m);
    return;
  }
  alea_ground *g = m->ground;
  g->mem = m->mem;
  g->symbols = alea_symbols_new(m->mem);
  g->terms = g->symbols != NULL ? alea_terms_new(g->symbols, m->mem) : NULL;
  if (g->terms == NULL || !allocate(m, (uint32_t)leaves->count, moves)) lack(m);
  if (m->status == ALEA_OK) fill_roles(m);
  if (m->status == ALEA_OK) fill_leaves(m, leaves);
  if (m->status == ALEA_OK) number_gates(m, r, gs);
  if (m->status == ALEA_OK) fill_roots(m, r, gs);
  if (m->status == ALEA_OK) name_atoms(m);
}

/* ---- all together ---- */

static void compile(maker *m) {
  roots r = {0};
  goals gs = {0};
  lits leaves = {0};
  find_fluents(m);
  if (m->status != ALEA_OK) return;
  alea_toss_circuit_clear(&m->circuit); /* the first pass only asked what can happen */
  alea_toss_circuit_init(&m->circuit, m->mem);
  uint32_t fluents = alea_toss_ids_count(m->ids, 0);
  for (uint32_t f = 0; f < fluents; f++) {
    lit_t lit = alea_toss_circuit_input(&m->circuit);
    push(m, &m->current, lit);
    push(m, &leaves, lit);
  }
  m->sym.atom = atom_fluent;
  each_label(m, note_instance);
  if (m->status == ALEA_OK) find_legal(m, &r);
  if (m->status == ALEA_OK) find_terminal(m, &r);
  if (m->status == ALEA_OK) find_goals(m, &gs);
  if (m->status == ALEA_OK) find_next(m, &r);
  if (m->circuit.failed) lack(m);
  if (m->status == ALEA_OK) write_ground(m, &r, &gs, &leaves);
  for (size_t p = 0; p < ALEA_TOSS_MOST_PLAYERS + 1; p++) alea_vec_clear(m->mem, &r.legal[p]);
  alea_vec_clear(m->mem, &r.next);
  alea_vec_clear(m->mem, &gs);
  alea_vec_clear(m->mem, &leaves);
}

static void open(maker *m) {
  alea_status status = alea_toss_rules_new(&m->rules, m->file, 0, true, m->mem, m->diag);
  if (status != ALEA_OK) {
    fail(m, status);
    return;
  }
  if (!is_discrete(m)) return;
  m->tokens = alea_mem_calloc(m->mem, m->file->locations.count, sizeof *m->tokens);
  m->roles = m->players;
  if (m->tokens == NULL) {
    lack(m);
    return;
  }
  for (uint32_t l = 0; l < m->file->locations.count; l++) {
    m->tokens[l] = alea_toss_denominator(m->file, l);
    if (m->tokens[l] > ALEA_TOSS_MOST_TOKENS) fail(m, ALEA_LIMIT);
    if (m->tokens[l] > 1) m->roles = m->players + 1;
  }
  m->ids = alea_toss_ids_new(1 + m->roles, m->mem);
  if (m->ids == NULL) lack(m);
  status = alea_toss_env_init(&m->env, &m->rules->logic, m->rules->start, m->mem);
  if (status != ALEA_OK) fail(m, status);
  m->sym = (alea_toss_symbolic){.circuit = &m->circuit, .env = &m->env, .context = m};
}

static void close(maker *m) {
  size_t nodes = m->circuit.gates.count;
  alea_mem_free(m->mem, m->atoms, m->atoms != NULL ? nodes * sizeof *m->atoms : 0);
  alea_mem_free(m->mem, m->flipped, m->flipped != NULL ? nodes : 0);
  alea_toss_circuit_clear(&m->circuit);
  alea_toss_env_clear(&m->env);
  alea_toss_ids_free(m->ids);
  alea_toss_rules_free(m->rules);
  alea_mem_free(m->mem, m->tokens,
                m->tokens != NULL ? m->file->locations.count * sizeof *m->tokens : 0);
  alea_vec_clear(m->mem, &m->current);
  for (size_t p = 0; p < ALEA_TOSS_MOST_PLAYERS + 1; p++) alea_vec_clear(m->mem, &m->moves[p]);
  alea_vec_clear(m->mem, &m->instances);
  alea_vec_clear(m->mem, &m->elements);
  alea_vec_clear(m->mem, &m->changes);
}

alea_status alea_toss_ground(alea_ground **ground, const alea_toss_file *file, alea_mem *mem,
                             alea_diag *diag) {
  *ground = NULL;
  maker *m = alea_mem_zalloc(mem, sizeof *m);
  if (m == NULL) return mem->hit_limit ? ALEA_LIMIT : ALEA_SYSTEM;
  m->mem = mem;
  m->diag = diag;
  m->file = file;
  m->players = (uint32_t)file->players.count;
  alea_toss_circuit_init(&m->circuit, mem);
  open(m);
  if (m->status == ALEA_OK) compile(m);
  alea_status status = m->status;
  if (status == ALEA_OK) {
    *ground = m->ground;
  } else {
    alea_ground_free(m->ground);
  }
  close(m);
  alea_mem_free(mem, m, sizeof *m);
  return status;
}
