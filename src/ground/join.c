/* The evaluation: facts arrive one by one and trigger the plans that read
 * them.
 *
 * A fact becomes visible (enters the indexes) when it is taken from the agenda,
 * and then runs every plan with it in the place of one literal, the others
 * joined with the facts visible so far.  A literal that stands before the
 * trigger in the rule must not be the trigger itself; so each instance of a
 * rule is found exactly once: when the last of its facts arrives, at the last
 * literal that this fact fills. */
#include "ground/join.h"

#include <string.h>

#include "base/hash.h"

/* ---- terms and facts ---- */

bool work_cover_flags(work *w) {
  size_t count = alea_terms_count(w->terms);
  if (count <= w->flags.count) return true;
  if (!alea_vec_reserve(w->mem, &w->flags, count - w->flags.count)) return false;
  memset(w->flags.data + w->flags.count, 0, count - w->flags.count);
  w->flags.count = count;
  return true;
}

/* Runs build code; with 'find' only existing terms are found.  ALEA_NO_TERM:
 * no such term, or (without 'find') no memory. */
static alea_term build(work *w, span code, bool find) {
  const build_op *op = w->build_ops.data + code.first;
  uint32_t *stack = w->stack.data;
  size_t top = 0;
  for (const build_op *end = op + code.count; op < end; op++) {
    alea_term term;
    if (op->kind == BUILD_CONST) {
      term = op->value;
    } else if (op->kind == BUILD_VAR) {
      term = w->bindings.data[op->value];
    } else {
      top -= op->arity;
      term = find ? alea_terms_find_list(w->terms, op->value, stack + top, op->arity)
                  : alea_terms_list(w->terms, op->value, stack + top, op->arity);
      if (term == ALEA_NO_TERM) return ALEA_NO_TERM;
    }
    stack[top++] = term;
  }
  return stack[0];
}

static bool is_visible(const work *w, alea_term atom) {
  return atom < w->flags.count && (w->flags.data[atom] & VISIBLE) != 0;
}

static bool add_fact_to(work *w, alea_u32s *agenda, alea_term atom) {
  if (!work_cover_flags(w)) return false;
  if (w->flags.data[atom] & FACT) return true;
  w->flags.data[atom] |= FACT;
  return alea_vec_push(w->mem, agenda, atom);
}

static bool add_fact(work *w, alea_term atom) { return add_fact_to(w, &w->agenda, atom); }

/* Terms deeper than this come from rules that nest without end: a fluent
 * `(message (ack (ack ...)))` that the relaxed rules wrap again and again. */
enum { MAX_TERM_DEPTH = 48 };

static alea_status check_term(work *w, const pred *p, alea_term atom) {
  bool deep = p->name == ALEA_SYM_TRUE && p->arity == 1 &&
              alea_terms_depth(w->terms, atom) > MAX_TERM_DEPTH;
  /* The numbers that make a range unique are no terms (ranges.c). */
  bool large = p->name != w->range_name && alea_terms_size(w->terms, atom) > ALEA_TERM_SIZE_LIMIT;
  if (deep)
    alea_diag_error(w->diag, ((alea_place){w->file, 0, 0}), "term-depth",
                    "grounding finds terms that nest without end");
  else if (large)
    alea_diag_error(w->diag, ((alea_place){w->file, 0, 0}), "term-size",
                    "grounding finds a term of more than %u names", ALEA_TERM_SIZE_LIMIT);
  return deep || large ? ALEA_LIMIT : ALEA_OK;
}

/* What may hold of the state and the moves follows from `next`, `legal` and,
 * where it could not be evaluated beforehand, `init`. */
static bool add_consequence(work *w, const pred *p, alea_term atom) {
  alea_symbol name = p->name;
  uint32_t arity = p->arity;
  alea_term args[2];
  memcpy(args, alea_terms_args(w->terms, atom), (arity < 2 ? arity : 2) * sizeof *args);
  alea_term more;
  if (arity == 1 && (name == ALEA_SYM_NEXT || (name == ALEA_SYM_INIT && !p->is_static))) {
    more = alea_terms_list(w->terms, ALEA_SYM_TRUE, args, 1);
  } else if (name == ALEA_SYM_LEGAL && arity == 2) {
    more = alea_terms_list(w->terms, ALEA_SYM_DOES, args, 2);
  } else {
    return true;
  }
  return more != ALEA_NO_TERM && add_fact(w, more);
}

/* ---- matching ---- */

bool work_match(work *w, span code, alea_term atom) {
  const alea_terms *terms = w->terms;
  alea_term *reg = w->registers.data;
  reg[0] = atom;
  const match_op *op = w->match_ops.data + code.first;
  for (const match_op *end = op + code.count; op < end; op++) {
    alea_term t = alea_terms_args(terms, reg[op->from])[op->arg];
    switch (op->kind) {
      case MATCH_LIST:
        if (terms->cells.data[t].name != op->value ||
            terms->cells.data[t].arity != (op->arity | ALEA_TERM_LIST))
          return false;
        reg[op->to] = t;
        break;
      case MATCH_CONST:
        if (t != op->value) return false;
        break;
      case MATCH_BIND: w->bindings.data[op->value] = t; break;
      default:
        if (w->bindings.data[op->value] != t) return false;
        break;
    }
  }
  return true;
}

/* ---- indexes ---- */

static index_slot *find_slot(const findex *index, uint64_t hash) {
  size_t i = hash & (index->slot_count - 1);
  while (index->slots[i].hash != 0 && index->slots[i].hash != hash)
    i = (i + 1) & (index->slot_count - 1);
  return &index->slots[i];
}

static bool grow_index(work *w, findex *index) {
  size_t count = index->slot_count == 0 ? 16 : 2 * index->slot_count;
  index_slot *old = index->slots;
  size_t old_count = index->slot_count;
  index_slot *slots = alea_mem_calloc(w->mem, count, sizeof *slots);
  if (slots == NULL) return false;
  index->slots = slots;
  index->slot_count = count;
  for (size_t i = 0; i < old_count; i++)
    if (old[i].hash != 0) *find_slot(index, old[i].hash) = old[i];
  alea_mem_free(w->mem, old, old_count * sizeof *old);
  return true;
}

/* Hash of the key of 'atom'; 0 when it has not the index's shape. */
static uint64_t atom_key(work *w, const findex *index, alea_term atom) {
  alea_term *reg = w->registers.data;
  reg[0] = atom;
  uint64_t hash = 1;
  const match_op *op = w->match_ops.data + index->ops.first;
  for (const match_op *end = op + index->ops.count; op < end; op++) {
    alea_term t = alea_terms_args(w->terms, reg[op->from])[op->arg];
    if (op->kind == MATCH_KEY) {
      hash = alea_hash_join(hash, t);
    } else {
      if (alea_terms_name(w->terms, t) != op->value || !alea_terms_is_list(w->terms, t) ||
          alea_terms_arity(w->terms, t) != op->arity)
        return 0;
      reg[op->to] = t;
    }
  }
  return hash | 1;
}

bool work_index_add(work *w, findex *index, alea_term atom) {
  uint64_t hash = atom_key(w, index, atom);
  if (hash == 0) return true;
  if (4 * (index->used + 1) > 3 * index->slot_count && !grow_index(w, index)) return false;
  index_slot *slot = find_slot(index, hash);
  if (slot->hash == 0) index->used++;
  index_entry entry = {atom, slot->head};
  if (!alea_vec_push(w->mem, &index->entries, entry)) return false;
  slot->hash = hash;
  slot->head = (uint32_t)index->entries.count;
  return true;
}

/* The newest entry with the key of step 's', or 0. */
uint32_t work_first_entry(const work *w, const step *s) {
  const findex *index = &w->indexes.data[s->index];
  if (index->slot_count == 0) return 0;
  uint64_t hash = 1;
  const build_op *op = w->build_ops.data + s->key.first;
  for (const build_op *end = op + s->key.count; op < end; op++)
    hash = alea_hash_join(hash, op->kind == BUILD_VAR ? w->bindings.data[op->value] : op->value);
  return find_slot(index, hash | 1)->head;
}

/* ---- instances ---- */

/* The demand of a restricted predicate for 'atom', which occurs negated.  A
 * negation decides nothing in this evaluation, so the demand can wait until
 * all that it will join with is there. */
static bool demand_atom(work *w, uint32_t p, alea_term atom) {
  const pred *q = &w->preds.data[p];
  if (!q->restricted) return true;
  alea_term args[64];
  uint32_t count = 0;
  for (uint32_t i = 0; i < q->arity; i++)
    if (q->bound >> i & 1) args[count++] = alea_terms_args(w->terms, atom)[i];
  alea_term demand = alea_terms_list(w->terms, w->preds.data[q->demand_pred].name, args, count);
  return demand != ALEA_NO_TERM && add_fact_to(w, &w->later, demand);
}

static bool record(work *w, const run *r, alea_term head) {
  uint32_t count = r->p->record_trigger && r->trigger != ALEA_NO_TERM;
  for (uint32_t i = 0; i < r->p->steps.count; i++) count += r->steps[i].record;
  if (!alea_vec_reserve(w->mem, &w->instances, count + 2)) return false;
  uint32_t *out = w->instances.data + w->instances.count;
  *out++ = head;
  *out++ = count;
  if (r->p->record_trigger && r->trigger != ALEA_NO_TERM) *out++ = 2 * r->trigger;
  for (uint32_t i = 0; i < r->p->steps.count; i++)
    if (r->steps[i].record) *out++ = 2 * r->atoms[i] + (r->steps[i].kind == STEP_DENY);
  w->instances.count += count + 2;
  w->instance_count++;
  return true;
}

alea_status work_make_head(work *w, run *r) {
  if (r->head != ALEA_NO_TERM) return ALEA_OK;
  r->head = build(w, r->p->head, false);
  return r->head != ALEA_NO_TERM && add_fact(w, r->head) ? ALEA_OK : work_no_memory(w);
}

static alea_status emit(work *w, run *r) {
  alea_status status = work_make_head(w, r);
  if (status != ALEA_OK) return status;
  if (r->p->record) {
    if (!record(w, r, r->head)) return work_no_memory(w);
    if (w->instance_count > w->max_instances) {
      alea_diag_error(w->diag, ((alea_place){w->file, 0, 0}), "instance-limit",
                      "grounding needs more than %llu rule instances",
                      (unsigned long long)w->max_instances);
      return ALEA_LIMIT;
    }
  }
  return ALEA_OK;
}

/* For the innermost loops, where reading the clock each time would cost more
 * than the work. */
static alea_status check_time(work *w) {
  return (++w->ticks & 0xfff) != 0 ? ALEA_OK : work_check_time(w);
}

/* ---- running a plan ---- */

/* A test of a static relation by its bitmap. */
static bool bit_holds(const work *w, const step *s) {
  const dense *d = w->preds.data[s->pred].dense;
  const build_op *op = w->build_ops.data + s->key.first;
  const uint32_t *column = d->columns;
  size_t bit = 0;
  for (const build_op *end = op + s->key.count; op < end; op++, column += d->rank_count) {
    alea_term t = op->kind == BUILD_VAR ? w->bindings.data[op->value] : op->value;
    uint32_t rank = t < w->ranks.count ? w->ranks.data[t] : 0;
    if (rank == 0 || rank > d->rank_count || column[rank - 1] == NO_ID) return false;
    bit += column[rank - 1];
  }
  return d->bits[bit / 64] >> (bit % 64) & 1;
}

/* Tests that need no scan.  False: the branch fails.  No memory shows in
 * '*status'. */
bool work_pass(work *w, run *r, uint32_t i, alea_status *status) {
  const step *s = &r->steps[i];
  alea_term atom;
  switch (s->kind) {
    case STEP_HAS:
      atom = build(w, s->build, true);
      r->atoms[i] = atom;
      return atom != ALEA_NO_TERM && is_visible(w, atom) &&
             !(s->skip_trigger && atom == r->trigger);
    case STEP_BIT: return bit_holds(w, s) == s->wanted;
    case STEP_HAS_NOT:
      atom = build(w, s->build, true);
      return atom == ALEA_NO_TERM || !is_visible(w, atom);
    case STEP_DISTINCT: {
      atom = build(w, s->build, false);
      alea_term other = build(w, s->other, false);
      return atom != other;
    }
    default: /* STEP_DENY */
      atom = build(w, s->build, false);
      r->atoms[i] = atom;
      if (atom == ALEA_NO_TERM || !work_cover_flags(w) || !demand_atom(w, s->pred, atom)) {
        *status = work_no_memory(w);
        return false;
      }
      return true;
  }
}

/* Moves the scan of step 'i' to its next fact. */
static bool advance(work *w, run *r, uint32_t i) {
  const step *s = &r->steps[i];
  const index_entry *entries = w->indexes.data[s->index].entries.data;
  while (r->entries[i] != 0) {
    const index_entry *e = &entries[r->entries[i] - 1];
    r->entries[i] = e->older;
    if (s->skip_trigger && e->atom == r->trigger) continue;
    if (!work_match(w, s->match, e->atom)) continue;
    r->atoms[i] = e->atom;
    return true;
  }
  return false;
}

static alea_status run_steps(work *w, run *r) {
  uint32_t count = r->p->steps.count, i = 0;
  bool enter = true; /* coming from the left, or back from a failure */
  alea_status status = ALEA_OK;
  for (;;) {
    bool ok;
    if (i == count) {
      status = emit(w, r);
      ok = false;
    } else if (r->steps[i].kind == STEP_SCAN) {
      if (enter) r->entries[i] = work_first_entry(w, &r->steps[i]);
      ok = advance(w, r, i);
      if (status == ALEA_OK) status = check_time(w);
    } else {
      ok = enter && work_pass(w, r, i, &status);
    }
    if (status != ALEA_OK) return status;
    if (ok) {
      if (i < r->p->head_at) r->head = ALEA_NO_TERM;
      i++;
      enter = true;
    } else {
      if (i == 0) return ALEA_OK;
      i--;
      enter = false;
    }
  }
}

static alea_status run_plan(work *w, uint32_t id, alea_term trigger) {
  const plan *p = &w->plans.data[id];
  if (trigger != ALEA_NO_TERM && !work_match(w, p->match, trigger)) return ALEA_OK;
  alea_term atoms[64];
  uint32_t entries[64];
  run r = {p, w->steps.data + p->steps.first, trigger, ALEA_NO_TERM, atoms, entries};
  if (p->grouped) return work_run_grouped(w, &r);
  if (p->steps.count <= 64) return run_steps(w, &r);
  size_t bytes = p->steps.count * sizeof(uint32_t);
  r.atoms = alea_mem_alloc(w->mem, bytes);
  r.entries = alea_mem_alloc(w->mem, bytes);
  alea_status status = r.atoms == NULL || r.entries == NULL ? work_no_memory(w) : run_steps(w, &r);
  alea_mem_free(w->mem, r.atoms, bytes);
  alea_mem_free(w->mem, r.entries, bytes);
  return status;
}

static alea_status show(work *w, alea_term atom) {
  uint32_t p = work_pred(w, alea_terms_name(w->terms, atom), alea_terms_arity(w->terms, atom));
  if (p == NO_ID || !alea_vec_push(w->mem, &w->preds.data[p].atoms, atom) ||
      !add_consequence(w, &w->preds.data[p], atom))
    return work_no_memory(w);
  alea_status status = check_term(w, &w->preds.data[p], atom);
  if (status != ALEA_OK) return status;
  w->flags.data[atom] |= VISIBLE;
  const alea_u32s indexes = w->preds.data[p].indexes, plans = w->preds.data[p].plans;
  for (size_t i = 0; i < indexes.count; i++)
    if (!work_index_add(w, &w->indexes.data[indexes.data[i]], atom)) return work_no_memory(w);
  for (size_t i = 0; status == ALEA_OK && i < plans.count; i++)
    status = run_plan(w, plans.data[i], atom);
  return status;
}

static alea_status drain(work *w) {
  alea_status status = ALEA_OK;
  /* The newest first: what a demand asks for is complete before the next
   * demand looks at it, so that the instances of a head come in one go. */
  while (status == ALEA_OK && w->agenda.count + w->later.count > 0) {
    alea_u32s *agenda = w->agenda.count > 0 ? &w->agenda : &w->later;
    status = check_time(w);
    if (status == ALEA_OK) status = show(w, agenda->data[--agenda->count]);
  }
  return status;
}

/* Room for the bindings, the registers and the builder's stack of any plan:
 * a rule claims at most one of each per variable or node. */
static bool make_room(work *w) {
  size_t count = w->nodes.count + 64;
  for (size_t i = 0; i < w->rules.count; i++)
    if (w->rules.data[i].variable_count > count) count = w->rules.data[i].variable_count;
  w->bindings.count = w->registers.count = w->stack.count = 0;
  return alea_vec_reserve(w->mem, &w->bindings, count) &&
         alea_vec_reserve(w->mem, &w->registers, count) &&
         alea_vec_reserve(w->mem, &w->stack, count);
}

/* ---- static predicates ---- */

/* Plans for the rules of one stratum: triggered by facts of the stratum
 * itself; everything below is complete. */
static alea_status plan_rule(work *w, uint32_t rule, bool dynamic, uint32_t stratum,
                             alea_u32s *initial) {
  wrule r = w->rules.data[rule];
  bool triggered = false;
  uint32_t id;
  for (uint32_t i = 0; i < r.count; i++) {
    wlit l = w->lits.data[r.first + i];
    if (l.kind != ALEA_LITERAL_TRUE) continue;
    const pred *q = &w->preds.data[l.pred];
    if (dynamic ? q->is_static : q->stratum != stratum) continue;
    triggered = true;
    alea_status status = work_plan_rule(w, rule, i, &id);
    if (status != ALEA_OK) return status;
    if (!alea_vec_push(w->mem, &w->preds.data[l.pred].plans, id)) return work_no_memory(w);
  }
  if (triggered) return ALEA_OK;
  alea_status status = work_plan_rule(w, rule, NO_ID, &id);
  if (status != ALEA_OK) return status;
  return alea_vec_push(w->mem, initial, id) ? ALEA_OK : work_no_memory(w);
}

static alea_status run_initial(work *w, const alea_u32s *initial) {
  alea_status status = ALEA_OK;
  for (size_t i = 0; status == ALEA_OK && i < initial->count; i++)
    status = run_plan(w, initial->data[i], ALEA_NO_TERM);
  return status;
}

/* Distinct values per argument, for the estimates of plan.c.  w->seen serves
 * all predicates: a table per predicate would cost predicates times terms. */
static bool count_distinct(work *w, uint32_t p) {
  pred *q = &w->preds.data[p];
  if (q->arity == 0) return true;
  q->distinct = alea_mem_calloc(w->mem, q->arity, sizeof *q->distinct);
  size_t terms = alea_terms_count(w->terms), old = w->seen.count;
  if (q->distinct == NULL || !alea_vec_reserve(w->mem, &w->seen, terms - old)) return false;
  memset(w->seen.data + old, 0, (terms - old) * sizeof *w->seen.data);
  w->seen.count = terms;
  for (uint32_t i = 0; i < q->arity; i++) {
    uint32_t stamp = ++w->seen_stamp;
    for (size_t k = 0; k < q->atoms.count; k++) {
      alea_term t = alea_terms_args(w->terms, q->atoms.data[k])[i];
      if (w->seen.data[t] != stamp) q->distinct[i]++, w->seen.data[t] = stamp;
    }
  }
  return true;
}

static bool is_evaluated(const pred *q) { return q->is_static && q->needed; }

/* 'members' are 'count' predicates of one stratum. */
static alea_status run_stratum(work *w, const uint32_t *members, size_t count) {
  alea_u32s initial = {0};
  alea_status status = work_check_time(w);
  uint32_t stratum = w->preds.data[members[0]].stratum;
  for (size_t m = 0; m < count; m++) {
    const pred *q = &w->preds.data[members[m]];
    const alea_u32s rules = q->rules;
    for (size_t i = 0; status == ALEA_OK && is_evaluated(q) && i < rules.count; i++)
      status = plan_rule(w, rules.data[i], false, stratum, &initial);
  }
  if (status == ALEA_OK) status = run_initial(w, &initial);
  if (status == ALEA_OK) status = drain(w);
  for (size_t m = 0; status == ALEA_OK && m < count; m++) {
    if (!is_evaluated(&w->preds.data[members[m]])) continue;
    if (!count_distinct(w, members[m]) || !work_make_dense(w, members[m]))
      status = work_no_memory(w);
  }
  alea_vec_clear(w->mem, &initial);
  return status;
}

alea_status work_run_static(work *w) {
  alea_status status = make_room(w) ? ALEA_OK : work_no_memory(w);
  const alea_u32s *all = &w->by_stratum;
  for (size_t i = 0, end; status == ALEA_OK && i < all->count; i = end) {
    uint32_t stratum = w->preds.data[all->data[i]].stratum;
    for (end = i + 1; end < all->count && w->preds.data[all->data[end]].stratum == stratum;) end++;
    status = run_stratum(w, all->data + i, end - i);
  }
  return status;
}

/* ---- the dynamic rest ---- */

/* The initial position, which the static rules have given. */
static bool add_initial_state(work *w) {
  uint32_t p = work_pred(w, ALEA_SYM_INIT, 1);
  if (p == NO_ID) return false;
  for (size_t i = 0; i < w->preds.data[p].atoms.count; i++) {
    alea_term fluent = alea_terms_args(w->terms, w->preds.data[p].atoms.data[i])[0];
    alea_term atom = alea_terms_list(w->terms, ALEA_SYM_TRUE, &fluent, 1);
    if (atom == ALEA_NO_TERM || !add_fact(w, atom)) return false;
  }
  return true;
}

alea_status work_run_dynamic(work *w) {
  alea_u32s initial = {0};
  alea_status status = make_room(w) && add_initial_state(w) ? ALEA_OK : work_no_memory(w);
  for (uint32_t i = 0; status == ALEA_OK && i < w->rules.count; i++) {
    const pred *p = &w->preds.data[w->rules.data[i].head_pred];
    if (p->is_static || !p->needed) continue;
    status = plan_rule(w, i, true, 0, &initial);
    if (status == ALEA_OK) status = check_time(w);
  }
  if (status == ALEA_OK) status = run_initial(w, &initial);
  if (status == ALEA_OK) status = drain(w);
  alea_vec_clear(w->mem, &initial);
  return status;
}
