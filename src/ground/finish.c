/* From recorded instances to the ground program: constants folded, dead rules
 * dropped, atoms numbered. */
#include <stdlib.h>
#include <string.h>

#include "ground/work.h"

/* What is known of an atom in every reachable state. */
enum { OPEN, ALWAYS, NEVER };

typedef struct finisher {
  work *w;
  alea_ground *g;
  size_t term_count;
  uint8_t *value;     /* per term: OPEN, ALWAYS, NEVER */
  uint8_t *supported; /* per term: has a live instance */
  uint8_t *reached;   /* per term: scratch of the searches */
  uint32_t *atom;     /* per term: number in the ground program, or NO_ID */
  uint32_t *start;    /* per term: its instances are sorted[start[t] ..] */
  uint32_t *sorted;   /* offsets of live instances, by head */
  size_t live;
} finisher;

static const uint32_t DEAD = UINT32_MAX;

static alea_term find_atom(const work *w, alea_symbol name, const alea_term *args, uint32_t arity) {
  return alea_terms_find_list(w->terms, name, args, arity);
}

static bool is_fact(const work *w, alea_term t) {
  return t != ALEA_NO_TERM && t < w->flags.count && (w->flags.data[t] & FACT) != 0;
}

static int role_index(const work *w, alea_term term) {
  if (alea_terms_is_list(w->terms, term)) return -1;
  for (size_t r = 0; r < w->roles.count; r++)
    if (w->roles.data[r] == alea_terms_name(w->terms, term)) return (int)r;
  return -1;
}

static const alea_u32s *atoms_of(work *w, alea_symbol name, uint32_t arity) {
  static const alea_u32s none = {0};
  uint32_t p = work_pred(w, name, arity);
  return p == NO_ID ? &none : &w->preds.data[p].atoms;
}

/* ---- folding ---- */

static void start_values(finisher *f) {
  work *w = f->w;
  for (size_t t = 0; t < f->term_count; t++) f->value[t] = is_fact(w, (alea_term)t) ? OPEN : NEVER;
  for (size_t p = 0; p < w->preds.count; p++) {
    const pred *q = &w->preds.data[p];
    for (size_t i = 0; q->is_static && i < q->atoms.count; i++) f->value[q->atoms.data[i]] = ALWAYS;
  }
  const alea_u32s *does = atoms_of(w, ALEA_SYM_DOES, 2);
  for (size_t i = 0; i < does->count; i++)
    if (role_index(w, alea_terms_args(w->terms, does->data[i])[0]) < 0)
      f->value[does->data[i]] = NEVER;
}

/* What is known of the atom `(name arguments of t)`. */
static uint8_t value_of_twin(const finisher *f, alea_symbol name, alea_term t) {
  const work *w = f->w;
  alea_term twin = find_atom(w, name, alea_terms_args(w->terms, t), alea_terms_arity(w->terms, t));
  return twin == ALEA_NO_TERM ? NEVER : f->value[twin];
}

/* Where the instance after the one at 'i' begins. */
static size_t next_instance(const alea_u32s *all, size_t i) { return i + 2 + all->data[i + 1]; }

/* Simplifies one instance in place.  True when something changed. */
static bool fold_instance(finisher *f, uint32_t *instance) {
  uint32_t head = instance[0], count = instance[1], kept = 0;
  uint32_t *lits = instance + 2;
  if (f->value[head] != OPEN) {
    instance[0] = DEAD;
    return true;
  }
  for (uint32_t i = 0; i < count; i++) {
    uint8_t value = f->value[lits[i] / 2];
    if (value == OPEN) {
      lits[kept++] = lits[i];
    } else if ((value == ALWAYS) == (lits[i] & 1)) {
      instance[0] = DEAD;
      return true;
    }
  }
  if (kept == 0) {
    f->value[head] = ALWAYS;
    instance[0] = DEAD;
    return true;
  }
  instance[1] = kept;
  return kept != count;
}

static bool fold_instances(finisher *f) {
  alea_u32s *all = &f->w->instances;
  bool changed = false;
  memset(f->supported, 0, f->term_count);
  size_t out = 0;
  for (size_t i = 0; i < all->count;) {
    size_t next = next_instance(all, i);
    uint32_t words = (uint32_t)(next - i);
    if (out != i) memmove(all->data + out, all->data + i, words * sizeof *all->data);
    changed |= fold_instance(f, all->data + out);
    i = next;
    if (all->data[out] == DEAD) continue;
    f->supported[all->data[out]] = 1;
    out += 2 + all->data[out + 1];
  }
  all->count = out;
  return changed;
}

/* A fluent is constant when it starts and goes on alike; a move that is never
 * legal is never made. */
static uint8_t input_value(const finisher *f, const pred *p, alea_term t) {
  if (p->name == ALEA_SYM_DOES) return value_of_twin(f, ALEA_SYM_LEGAL, t) == NEVER ? NEVER : OPEN;
  uint8_t next = value_of_twin(f, ALEA_SYM_NEXT, t), init = value_of_twin(f, ALEA_SYM_INIT, t);
  return next == init ? next : OPEN;
}

static bool is_input(const pred *p) {
  return (p->name == ALEA_SYM_TRUE && p->arity == 1) || (p->name == ALEA_SYM_DOES && p->arity == 2);
}

/* Inputs that turn out constant, and atoms that 'alive' does not hold any
 * more.  True when something changed. */
static bool fold_atoms(finisher *f, const uint8_t *alive) {
  work *w = f->w;
  bool changed = false;
  for (size_t p = 0; p < w->preds.count; p++) {
    const pred *q = &w->preds.data[p];
    if (q->is_static || q->is_demand) continue;
    for (size_t i = 0; i < q->atoms.count; i++) {
      alea_term t = q->atoms.data[i];
      if (f->value[t] != OPEN) continue;
      uint8_t value = is_input(q) ? input_value(f, q, t) : alive[t] ? OPEN : NEVER;
      if (value != OPEN) f->value[t] = value, changed = true;
    }
  }
  return changed;
}

/* Atoms that only support each other hold never.  Marks in 'reached' what can
 * be derived when every open negation is granted, and folds the rest.  Only
 * the initial position needs this: elsewhere the network finds least
 * fixpoints by itself. */
static bool fold_unfounded(finisher *f) {
  const alea_u32s *all = &f->w->instances;
  memset(f->reached, 0, f->term_count);
  for (bool grew = true; grew && !alea_deadline_passed(f->w->deadline);) {
    grew = false;
    for (size_t i = 0; i < all->count; i = next_instance(all, i)) {
      const uint32_t *instance = all->data + i;
      bool holds = !f->reached[instance[0]];
      for (uint32_t k = 0; holds && k < instance[1]; k++) {
        alea_term t = instance[2 + k] / 2;
        uint32_t p =
            work_pred(f->w, alea_terms_name(f->w->terms, t), alea_terms_arity(f->w->terms, t));
        holds = (instance[2 + k] & 1) || f->reached[t] || is_input(&f->w->preds.data[p]);
      }
      if (holds) f->reached[instance[0]] = 1, grew = true;
    }
  }
  return fold_atoms(f, f->reached);
}

static bool init_is_open(const finisher *f) {
  const alea_u32s *init = atoms_of(f->w, ALEA_SYM_INIT, 1);
  for (size_t i = 0; i < init->count; i++)
    if (f->value[init->data[i]] == OPEN) return true;
  return false;
}

/* More rounds than this bring next to nothing, and the network folds again. */
enum { FOLD_ROUNDS = 40 };

static alea_status fold(finisher *f) {
  for (int round = 0;; round++) {
    if (work_check_time(f->w) != ALEA_OK) return ALEA_LIMIT;
    bool changed = fold_instances(f);
    changed |= fold_atoms(f, f->supported);
    if (!changed && init_is_open(f)) changed = fold_unfounded(f);
    if (!changed || (round >= FOLD_ROUNDS && !init_is_open(f))) break;
  }
  fold_instances(f); /* instances whose head became constant in the last round go */
  if (!init_is_open(f)) return ALEA_OK;
  alea_diag_error(f->w->diag, ((alea_place){f->w->file, 0, 0}), "unstratified-init",
                  "the initial position depends on its own negation");
  return ALEA_INPUT;
}

/* ---- rules by head, and what the roots reach ---- */

static bool sort_by_head(finisher *f) {
  const alea_u32s *all = &f->w->instances;
  f->live = 0;
  for (size_t i = 0; i < all->count; i = next_instance(all, i)) {
    f->start[all->data[i] + 1]++;
    f->live++;
  }
  for (size_t t = 0; t < f->term_count; t++) f->start[t + 1] += f->start[t];
  f->sorted = alea_mem_calloc(f->w->mem, f->live, sizeof *f->sorted);
  if (f->sorted == NULL) return false;
  for (size_t i = 0; i < all->count; i = next_instance(all, i))
    f->sorted[f->start[all->data[i]]++] = (uint32_t)i;
  for (size_t t = f->term_count; t > 0; t--) f->start[t] = f->start[t - 1];
  f->start[0] = 0;
  return true;
}

static bool reach(finisher *f, alea_u32s *todo, alea_term root) {
  work *w = f->w;
  if (root == ALEA_NO_TERM || f->value[root] != OPEN || f->reached[root]) return true;
  f->reached[root] = 1;
  if (!alea_vec_push(w->mem, todo, root)) return false;
  while (todo->count > 0) {
    alea_term t = todo->data[--todo->count];
    for (uint32_t k = f->start[t]; k < f->start[t + 1]; k++) {
      const uint32_t *instance = w->instances.data + f->sorted[k];
      for (uint32_t i = 0; i < instance[1]; i++) {
        alea_term u = instance[2 + i] / 2;
        if (f->reached[u]) continue;
        f->reached[u] = 1;
        if (!alea_vec_push(w->mem, todo, u)) return false;
      }
    }
  }
  return true;
}

static bool reach_all(finisher *f) {
  static const struct {
    alea_symbol name;
    uint32_t arity;
  } roots[] = {{ALEA_SYM_LEGAL, 2},
               {ALEA_SYM_NEXT, 1},
               {ALEA_SYM_GOAL, 2},
               {ALEA_SYM_SEES, 2},
               {ALEA_SYM_TERMINAL, 0}};
  memset(f->reached, 0, f->term_count);
  alea_u32s todo = {0};
  bool ok = true;
  for (size_t r = 0; ok && r < sizeof roots / sizeof *roots; r++) {
    const alea_u32s *atoms = atoms_of(f->w, roots[r].name, roots[r].arity);
    for (size_t i = 0; ok && i < atoms->count; i++) ok = reach(f, &todo, atoms->data[i]);
  }
  alea_vec_clear(f->w->mem, &todo);
  return ok;
}

/* ---- output ---- */

static alea_glit literal_of(const finisher *f, alea_term t) {
  if (t == ALEA_NO_TERM || f->value[t] == NEVER) return ALEA_GLIT_FALSE;
  if (f->value[t] == ALWAYS) return ALEA_GLIT_TRUE;
  return 2 * f->atom[t];
}

static bool number_fluents(finisher *f) {
  work *w = f->w;
  alea_ground *g = f->g;
  const alea_u32s *atoms = atoms_of(w, ALEA_SYM_TRUE, 1);
  for (size_t i = 0; i < atoms->count; i++)
    if (f->value[atoms->data[i]] != NEVER) f->atom[atoms->data[i]] = 1 + g->fluent_count++;
  g->fluents = alea_mem_calloc(w->mem, g->fluent_count, sizeof *g->fluents);
  g->init = alea_mem_calloc(w->mem, g->fluent_count, sizeof *g->init);
  g->next = alea_mem_calloc(w->mem, g->fluent_count, sizeof *g->next);
  if (g->fluents == NULL || g->init == NULL || g->next == NULL) return false;
  for (size_t i = 0; i < atoms->count; i++) {
    alea_term t = atoms->data[i];
    if (f->atom[t] == NO_ID) continue;
    g->fluents[f->atom[t] - 1] = alea_terms_args(w->terms, t)[0];
    g->init[f->atom[t] - 1] = value_of_twin(f, ALEA_SYM_INIT, t) == ALWAYS;
  }
  return true;
}

/* The role that may make move atom 't', or -1 when nobody ever does. */
static int mover(const finisher *f, alea_term t) {
  if (f->value[t] == NEVER) return -1;
  return role_index(f->w, alea_terms_args(f->w->terms, t)[0]);
}

static bool number_moves(finisher *f) {
  work *w = f->w;
  alea_ground *g = f->g;
  const alea_u32s *atoms = atoms_of(w, ALEA_SYM_DOES, 2);
  for (size_t i = 0; i < atoms->count; i++) g->move_count += mover(f, atoms->data[i]) >= 0;
  g->move_first = alea_mem_calloc(w->mem, w->roles.count + 1, sizeof *g->move_first);
  g->moves = alea_mem_calloc(w->mem, g->move_count, sizeof *g->moves);
  g->legal = alea_mem_calloc(w->mem, g->move_count, sizeof *g->legal);
  if (g->move_first == NULL || g->moves == NULL || g->legal == NULL) return false;
  uint32_t count = 0;
  for (uint32_t r = 0; r < w->roles.count; r++) {
    for (size_t i = 0; i < atoms->count; i++) {
      alea_term t = atoms->data[i];
      if (mover(f, t) != (int)r) continue;
      f->atom[t] = 1 + g->fluent_count + count;
      g->moves[count++] = alea_terms_args(w->terms, t)[1];
    }
    g->move_first[r + 1] = count;
  }
  return true;
}

/* Parts and ranges have no name of their own (work_fresh_symbol). */
static bool is_named(const work *w, alea_term t) {
  return strchr(alea_symbols_text(w->symbols, alea_terms_name(w->terms, t)), ' ') == NULL;
}

static bool number_derived(finisher *f) {
  work *w = f->w;
  alea_ground *g = f->g;
  g->atom_count = 1 + g->fluent_count + g->move_count;
  for (size_t t = 0; t < f->term_count; t++)
    if (f->reached[t] && f->atom[t] == NO_ID && f->start[t] < f->start[t + 1])
      f->atom[t] = g->atom_count++;
  g->atom_terms = alea_mem_calloc(w->mem, g->atom_count, sizeof *g->atom_terms);
  if (g->atom_terms == NULL) return false;
  g->atom_terms[0] = ALEA_NO_TERM;
  for (size_t t = 0; t < f->term_count; t++)
    if (f->atom[t] != NO_ID)
      g->atom_terms[f->atom[t]] = is_named(w, (alea_term)t) ? (alea_term)t : ALEA_NO_TERM;
  return true;
}

static bool emit_rules(finisher *f) {
  work *w = f->w;
  alea_ground *g = f->g;
  for (alea_term t = 0; t < f->term_count; t++) {
    if (f->atom[t] <= g->fluent_count + g->move_count || f->atom[t] == NO_ID) continue;
    for (uint32_t k = f->start[t]; k < f->start[t + 1]; k++) {
      const uint32_t *instance = w->instances.data + f->sorted[k];
      alea_ground_rule rule = {f->atom[t], (uint32_t)g->lits.count, instance[1]};
      if (!alea_vec_push(w->mem, &g->rules, rule)) return false;
      for (uint32_t i = 0; i < instance[1]; i++) {
        uint32_t lit = instance[2 + i];
        if (!alea_vec_push(w->mem, &g->lits, 2 * f->atom[lit / 2] + (lit & 1))) return false;
      }
    }
  }
  return true;
}

static bool emit_goals(finisher *f) {
  work *w = f->w;
  const alea_u32s *atoms = atoms_of(w, ALEA_SYM_GOAL, 2);
  for (size_t i = 0; i < atoms->count; i++) {
    alea_glit lit = literal_of(f, atoms->data[i]);
    const alea_term *args = alea_terms_args(w->terms, atoms->data[i]);
    int role = role_index(w, args[0]);
    if (lit == ALEA_GLIT_FALSE || role < 0) continue;
    const char *text = alea_symbols_text(w->symbols, alea_terms_name(w->terms, args[1]));
    char *end;
    long value = strtol(text, &end, 10);
    if (alea_terms_is_list(w->terms, args[1]) || *end != '\0' || end == text || value < 0 ||
        value > 100) {
      alea_diag_warn(w->diag, ((alea_place){w->file, 0, 0}), "goal-value",
                     "goal value `%s` is not a number from 0 to 100 and is ignored", text);
      continue;
    }
    alea_ground_goal goal = {(uint32_t)role, (int)value, lit};
    if (!alea_vec_push(w->mem, &f->g->goals, goal)) return false;
  }
  return true;
}

static bool emit_percepts(finisher *f) {
  work *w = f->w;
  alea_ground *g = f->g;
  const alea_u32s *atoms = atoms_of(w, ALEA_SYM_SEES, 2);
  uint32_t *number = alea_mem_calloc(w->mem, f->term_count, sizeof *number);
  bool ok = number != NULL;
  for (size_t i = 0; ok && i < atoms->count; i++) {
    alea_glit lit = literal_of(f, atoms->data[i]);
    const alea_term *args = alea_terms_args(w->terms, atoms->data[i]);
    int role = role_index(w, args[0]);
    if (lit == ALEA_GLIT_FALSE || role < 0) continue;
    if (number[args[1]] == 0) {
      ok = alea_vec_push(w->mem, &g->percepts, args[1]);
      number[args[1]] = (uint32_t)g->percepts.count;
    }
    alea_ground_percept percept = {(uint32_t)role, number[args[1]] - 1, lit};
    ok = ok && alea_vec_push(w->mem, &g->sees, percept);
  }
  alea_mem_free(w->mem, number, f->term_count * sizeof *number);
  return ok;
}

static void emit_roots(finisher *f) {
  work *w = f->w;
  alea_ground *g = f->g;
  for (uint32_t i = 0; i < g->fluent_count; i++)
    g->next[i] = literal_of(f, find_atom(w, ALEA_SYM_NEXT, &g->fluents[i], 1));
  for (uint32_t r = 0; r < w->roles.count; r++) {
    alea_term role = alea_terms_find_constant(w->terms, w->roles.data[r]);
    for (uint32_t m = g->move_first[r]; m < g->move_first[r + 1]; m++) {
      alea_term args[2] = {role, g->moves[m]};
      g->legal[m] = literal_of(f, find_atom(w, ALEA_SYM_LEGAL, args, 2));
    }
  }
  g->terminal = literal_of(f, find_atom(w, ALEA_SYM_TERMINAL, NULL, 0));
}

static bool output(finisher *f) {
  for (size_t t = 0; t < f->term_count; t++) f->atom[t] = NO_ID;
  if (!number_fluents(f) || !number_moves(f) || !number_derived(f) || !emit_rules(f) ||
      !emit_goals(f) || !emit_percepts(f))
    return false;
  emit_roots(f);
  return true;
}

alea_status work_finish(work *w, alea_ground *g) {
  size_t n = alea_terms_count(w->terms);
  finisher f = {.w = w, .g = g, .term_count = n};
  f.value = alea_mem_calloc(w->mem, n + 1, 1);
  f.supported = alea_mem_calloc(w->mem, n + 1, 1);
  f.reached = alea_mem_calloc(w->mem, n + 1, 1);
  f.atom = alea_mem_calloc(w->mem, n + 1, sizeof *f.atom);
  f.start = alea_mem_calloc(w->mem, n + 2, sizeof *f.start);
  alea_status status = ALEA_OK;
  if (f.value == NULL || f.supported == NULL || f.reached == NULL || f.atom == NULL ||
      f.start == NULL) {
    status = work_no_memory(w);
  } else {
    start_values(&f);
    status = fold(&f);
  }
  if (status == ALEA_OK && !(sort_by_head(&f) && reach_all(&f) && output(&f)))
    status = work_no_memory(w);
  alea_mem_free(w->mem, f.value, n + 1);
  alea_mem_free(w->mem, f.supported, n + 1);
  alea_mem_free(w->mem, f.reached, n + 1);
  alea_mem_free(w->mem, f.atom, (n + 1) * sizeof *f.atom);
  alea_mem_free(w->mem, f.start, (n + 2) * sizeof *f.start);
  alea_mem_free(w->mem, f.sorted, f.live * sizeof *f.sorted);
  return status;
}
