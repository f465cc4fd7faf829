/* Strategic CSP: the solver of [STRAT06 §6] (D40, D42) without recursion, and
 * extensions. */
#include "base/hash.h"
#include "csp/ranking.h"

/* ---- keys ---- */

/* What matters of one state variable: its class if it is fixed and a class was
 * given, otherwise its domain. */
static uint64_t variable_word(const strategic_play *p, alea_csp_var var, uint32_t j) {
  const csp_domain *domain = csp_dom(p->engine, var);
  const alea_strategic *s = p->strategic;
  if (domain->size == 1) {
    uint32_t value = domain->min;
    const uint32_t *classes = var < s->class_vars && !p->exact_keys ? s->classes[var] : NULL;
    bool classed = classes != NULL && classes[domain->var->size + value] <= j;
    return classed ? classes[value] : (UINT64_C(1) << 32) + value;
  }
  uint64_t word = 0;
  for (uint32_t w = 0; w < domain->word_count; w++) word = alea_hash_join(word, domain->words[w]);
  return word | UINT64_C(1) << 63;
}

void strategic_key(const strategic_play *p, uint32_t j, const uint32_t *image, uint64_t key[2]) {
  uint64_t a = j + 1, b = ~(uint64_t)j;
  for (uint32_t i = 0; i < p->key_count; i++) {
    alea_csp_var var = image != NULL ? image[p->state[i]] : p->state[i];
    uint64_t word = variable_word(p, var, j);
    a = alea_hash_join(a, word);
    b = alea_hash_mix(b ^ word) + 0x632be59bd9b4e019u * i;
  }
  key[0] = a;
  key[1] = b;
}

/* The smallest key over the group: one entry for each orbit of states. */
static void canonical_key(const strategic_play *p, uint32_t j, uint64_t key[2]) {
  strategic_key(p, j, NULL, key);
  for (uint32_t g = 1; g < p->group.count; g++) {
    uint64_t other[2];
    strategic_key(p, j, &p->group.images[(size_t)g * p->group.vars], other);
    if (other[0] < key[0] || (other[0] == key[0] && other[1] < key[1]))
      memcpy(key, other, sizeof other);
  }
}

static bool table_find(strategic_play *p, const uint64_t key[2], bool *answer) {
  const table_entry *entry = &p->table[key[0] & p->table_mask];
  if (entry->key >> 1 != key[0] >> 1 || entry->check != key[1] || entry->key == 0) return false;
  *answer = entry->key & 1;
  p->result->table_hits++;
  return true;
}

static void table_store(strategic_play *p, const uint64_t key[2], bool answer) {
  table_entry *entry = &p->table[key[0] & p->table_mask];
  *entry = (table_entry){key[1], (key[0] & ~UINT64_C(1)) | answer};
}

/* ---- consistency ---- */

/* Called at every node, those of a check by search included: it may take long. */
static void look_around(strategic_play *p) {
  if (--p->until_check != 0) return;
  p->until_check = 1024;
  if (alea_deadline_passed(&p->options->deadline)) p->stopped = true;
  if (p->options->on_progress != NULL)
    p->options->on_progress(p->options->data, p->result->nodes, p->level,
                            alea_clock_thread() - p->start);
}

/* Called for every value that is tried: a domain may have many, and each may take long. */
static bool goes_on(strategic_play *p) {
  if (--p->values_until_check != 0) return !p->stopped;
  p->values_until_check = 16;
  if (alea_deadline_passed(&p->options->deadline)) p->stopped = true;
  return !p->stopped;
}

bool strategic_has_solution(strategic_play *p) {
  csp_engine *engine = p->engine;
  ALEA_VEC(csp_pending) branch = {0}; /* var, and its value in watch.prop */
  size_t root = csp_level(engine);
  bool consistent = true, found = false;
  for (;;) {
    alea_csp_var open = ALEA_CSP_NONE;
    for (uint32_t i = 0; i < p->state_count && consistent && open == ALEA_CSP_NONE; i++)
      if (csp_dom(engine, p->state[i])->size > 1) open = p->state[i];
    found = consistent && open == ALEA_CSP_NONE;
    look_around(p);
    if (found || p->stopped) break;
    if (consistent) {
      csp_pending choice = {open, {.prop = csp_dom(engine, open)->min}};
      if (!alea_vec_push(engine->mem, &branch, choice)) {
        p->no_memory = true;
        break;
      }
      csp_push(engine);
      csp_assign(engine, choice.var, choice.watch.prop);
    } else {
      if (branch.count == 0) break;
      csp_pending last = branch.data[--branch.count];
      csp_pop(engine);
      csp_remove(engine, last.var, last.watch.prop);
    }
    consistent = csp_propagate(engine);
  }
  csp_pop_to(engine, root);
  alea_vec_clear(engine->mem, &branch);
  return found;
}

/* Whether the first constraint that propagation would run fails. */
static bool fails_at_once(const strategic_play *p, uint32_t j, uint32_t index) {
  const delayed *d = &p->delays[j];
  if (d->by_value[index] == ALEA_CSP_NONE) return false;
  const direct_link *link = &d->direct[d->by_value[index]];
  return link->value == ALEA_CSP_NONE || !csp_has(csp_dom(p->engine, link->state), link->value);
}

bool strategic_assign(strategic_play *p, uint32_t j, uint32_t index) {
  csp_engine *engine = p->engine;
  const delayed *d = &p->delays[j];
  if (!csp_assign(engine, p->strategic->order.data[j].var, index)) return csp_propagate(engine);
  for (uint32_t i = 0; i < d->direct_count && !engine->pruned_empty; i++) {
    const direct_link *link = &d->direct[i];
    bool can = link->value != ALEA_CSP_NONE && csp_has(csp_dom(engine, link->state), link->value);
    engine->propagations++;
    if (link->mine != index) {
      if (can) csp_remove(engine, link->state, link->value);
    } else if (can) {
      csp_assign(engine, link->state, link->value);
    } else {
      engine->pruned_empty = true;
    }
  }
  for (uint32_t i = 0; i < d->other_count && !engine->pruned_empty; i++) {
    csp_prop *prop = &engine->props[d->other[i]];
    csp_activate(engine, prop, true);
    csp_schedule(engine, prop);
  }
  bool held = csp_propagate(engine);
  return held && (!p->exact || strategic_has_solution(p));
}

/* No universal variable from there on has a consistent value, and there is no
 * solution. */
bool strategic_inconsistent(const strategic_play *p, uint32_t j) {
  const quantified *order = p->strategic->order.data;
  if (p->options->classical) return false;
  if (!p->any_exists) return j < p->depth && order[j].universal;
  for (; j < p->depth; j++)
    if (order[j].universal) return true;
  return false;
}

static void record_first(strategic_play *p, uint32_t j, uint32_t index) {
  const alea_strategic *s = p->strategic;
  if (j == p->base) p->result->first = csp_value(&s->csp->vars.data[s->order.data[j].var], index);
}

/* Whether a value of node j that is inconsistent decides the node, and how. */
static bool failure_decides(const strategic_play *p, uint32_t j, bool *answer) {
  bool universal = p->strategic->order.data[j].universal;
  if (universal && !p->options->classical) return false; /* it does not count */
  if (!universal && !p->any_exists) return false;
  *answer = strategic_inconsistent(p, j + 1);
  return *answer != universal;
}

/* Collects the values to try.  With 'one_way' those that direct constraints x=a
 * <=> y=b exclude from the state side are left out; they would fail. */
static void candidates(strategic_play *p, uint32_t j) {
  csp_engine *engine = p->engine;
  choice_frame *frame = &p->frames[j];
  alea_csp_var var = p->strategic->order.data[j].var;
  const csp_domain *domain = csp_dom(engine, var);
  const delayed *d = &p->delays[j];
  frame->count = frame->next = 0;
  uint64_t banned[4] = {0};
  uint32_t forced = ALEA_CSP_NONE;
  bool contradiction = false;
  bool answer;
  bool prune = p->options->one_way && !failure_decides(p, j, &answer);
  for (uint32_t i = 0; i < d->direct_count && prune; i++) {
    const direct_link *link = &d->direct[i];
    const csp_domain *other = csp_dom(engine, link->state);
    uint32_t mine = link->mine;
    bool can = link->value != ALEA_CSP_NONE && csp_has(other, link->value);
    if (!can && mine < 256) banned[mine >> 6] |= UINT64_C(1) << (mine & 63);
    if (can && other->size == 1) {
      contradiction = contradiction || (forced != ALEA_CSP_NONE && forced != mine);
      forced = mine;
    }
  }
  for
    CSP_EACH(v, domain) {
      if (contradiction || (forced != ALEA_CSP_NONE && v != forced)) continue;
      if (v < 256 && banned[v >> 6] >> (v & 63) & 1) continue;
      frame->candidates[frame->count++] = v;
    }
}

/* ---- outcomes known before the end ---- */

static bool decided(const strategic_play *p, bool *answer) {
  const alea_strategic *s = p->strategic;
  if (!p->options->early || p->any_exists || p->options->classical || s->outcome_count == 0)
    return false;
  bool possible = false;
  for (uint32_t i = 0; i < s->outcome_count; i++) {
    const csp_domain *domain = csp_dom(p->engine, s->outcome_vars[i]);
    if (domain->size == 1 && csp_min(domain) == s->win) return *answer = true;
    if (domain->size == 1 && csp_min(domain) == s->loss) {
      *answer = false;
      return true;
    }
    possible = possible || csp_has_value(domain, s->win);
  }
  *answer = false;
  return !possible;
}

/* ---- value order ---- */

enum { MOST_SORTED = 256 }; /* values */

/* Looks one value ahead: a value that decides for the side to move ends the
 * node; values that fail or decide against it are dropped. */
static bool look_ahead(strategic_play *p, uint32_t j, bool *answer) {
  choice_frame *frame = &p->frames[j];
  bool universal = p->strategic->order.data[j].universal;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < frame->count; i++) {
    bool outcome = false, held = false, known = false;
    if (!goes_on(p)) return false;
    if (!fails_at_once(p, j, frame->candidates[i])) {
      csp_push(p->engine);
      held = strategic_assign(p, j, frame->candidates[i]);
      known = held && decided(p, &outcome);
      csp_pop(p->engine);
    }
    bool decides =
        known ? (*answer = outcome) != universal : !held && failure_decides(p, j, answer);
    if (decides) {
      record_first(p, j, frame->candidates[i]);
      return true;
    }
    if (held && !known) frame->candidates[kept++] = frame->candidates[i];
  }
  frame->count = kept;
  return false;
}

static uint64_t promise(const strategic_play *p, uint32_t j, uint32_t value) {
  bool universal = p->strategic->order.data[j].universal;
  size_t row = universal ? p->widest + 1 : 0;
  uint64_t score = p->history[row + value];
  if (j > p->base) {
    const choice_frame *before = &p->frames[j - 1];
    uint32_t last = before->candidates[before->next - 1];
    if (p->replies[row + last] == value) score += UINT64_C(1) << 40;
  }
  return score;
}

/* Insertion sort by decreasing promise; stable, so ties keep their order.  Many values stay in
 * theirs: sorting would take longer than trying them. */
static void sort_values(strategic_play *p, uint32_t j) {
  choice_frame *frame = &p->frames[j];
  if (frame->count > MOST_SORTED) return;
  for (uint32_t i = 1; i < frame->count; i++) {
    uint32_t value = frame->candidates[i], at = i;
    uint64_t score = promise(p, j, value);
    for (; at > 0 && promise(p, j, frame->candidates[at - 1]) < score; at--)
      frame->candidates[at] = frame->candidates[at - 1];
    frame->candidates[at] = value;
  }
}

static void reward(strategic_play *p, uint32_t j) {
  const choice_frame *frame = &p->frames[j];
  uint32_t value = frame->candidates[frame->next - 1];
  size_t row = p->strategic->order.data[j].universal ? p->widest + 1 : 0;
  p->history[row + value] += p->depth - j;
  if (p->history[row + value] > 1u << 30)
    for (size_t i = 0; i < 2 * (size_t)(p->widest + 1); i++) p->history[i] /= 2;
  if (j > p->base) {
    const choice_frame *before = &p->frames[j - 1];
    p->replies[row + before->candidates[before->next - 1]] = value;
  }
}

/* ---- the tree ---- */

/* Enters node j; true if its answer is known without trying values. */
static bool enter(strategic_play *p, uint32_t j, bool *answer) {
  alea_strategic_result *result = p->result;
  result->nodes++;
  if (j > result->deepest) result->deepest = j;
  if (decided(p, answer)) return true;
  if (j == p->depth) {
    *answer = p->exact || strategic_has_solution(p); /* the exact check has found one */
    return true;
  }
  choice_frame *frame = &p->frames[j];
  if (p->table != NULL) {
    canonical_key(p, j, frame->key);
    if (table_find(p, frame->key, answer)) return true;
  }
  candidates(p, j);
  if (p->options->order) {
    if (look_ahead(p, j, answer)) {
      if (p->table != NULL) table_store(p, frame->key, *answer);
      return true;
    }
    sort_values(p, j);
  }
  return false;
}

/* Tries values of node j until one is consistent and a node below is open;
 * false if no value is left, or one of them decides. */
static bool descend(strategic_play *p, uint32_t j, bool *answer) {
  choice_frame *frame = &p->frames[j];
  bool universal = p->strategic->order.data[j].universal;
  while (frame->next < frame->count) {
    uint32_t value = frame->candidates[frame->next++];
    if (!goes_on(p)) return false;
    if (!fails_at_once(p, j, value)) {
      csp_push(p->engine);
      if (strategic_assign(p, j, value)) return true;
      csp_pop(p->engine);
    }
    if (p->engine->no_memory) p->no_memory = true;
    if (failure_decides(p, j, answer)) {
      record_first(p, j, value);
      return false;
    }
  }
  *answer = universal;
  return false;
}

bool strategic_run(strategic_play *p, uint32_t base) {
  bool answer = false;
  uint32_t j = p->base = base;
  if (p->ranking != NULL) return ranking_search_run(p->ranking, base);
  if (enter(p, j, &answer)) return answer;
  for (;;) {
    p->level = j;
    look_around(p);
    if (p->options->max_nodes != 0 && p->result->nodes > p->options->max_nodes) p->stopped = true;
    if (p->stopped || p->no_memory) return false;
    bool below = false;
    if (descend(p, j, &answer)) {
      below = !enter(p, j + 1, &answer);
      if (below) {
        j++;
        continue;
      }
      csp_pop(p->engine);
    } else {
      if (p->stopped) return false;
      if (p->table != NULL) table_store(p, p->frames[j].key, answer);
      if (j == base) return answer;
      j--;
      csp_pop(p->engine);
    }
    /* 'answer' belongs to the value last tried at node j. */
    while (answer != p->strategic->order.data[j].universal) {
      if (p->options->order) reward(p, j);
      if (p->table != NULL) table_store(p, p->frames[j].key, answer);
      record_first(p, j, p->frames[j].candidates[p->frames[j].next - 1]);
      if (j == base) return answer;
      j--;
      csp_pop(p->engine);
    }
  }
}

bool strategic_begin(strategic_play *p) {
  csp_schedule_all(p->engine);
  bool consistent = !p->strategic->csp->false_ && csp_propagate(p->engine);
  return consistent && (!p->exact || strategic_has_solution(p));
}

void strategic_account(strategic_play *p) {
  p->result->propagations = p->engine->propagations + p->forced;
  p->result->symmetries = p->group.count != 0 ? p->group.order : 1;
}

static alea_status solve(strategic_play *p) {
  if (!strategic_prepare(p)) return alea_mem_lack(p->strategic->mem);
  if (p->result->trouble != NULL) return ALEA_INPUT;
  bool consistent = strategic_begin(p);
  bool answer = consistent ? strategic_run(p, 0) : strategic_inconsistent(p, 0);
  strategic_account(p);
  if (p->ranking != NULL) p->result->trouble = ranking_search_save(p->ranking);
  if (p->no_memory || p->engine->no_memory) return ALEA_SYSTEM;
  return p->stopped ? ALEA_LIMIT : answer ? ALEA_OK : ALEA_NO;
}

alea_status alea_strategic_solve(const alea_strategic *strategic,
                                 const alea_strategic_options *options,
                                 alea_strategic_result *result) {
  double start = alea_clock_thread();
  *result = (alea_strategic_result){.status = strategic->csp->state};
  if (result->status != ALEA_OK) return result->status;
  alea_strategic_options own = *options;
  strategic_play p;
  strategic_init(&p, strategic, &own, result);
  result->status = solve(&p);
  strategic_clear(&p);
  result->seconds = alea_clock_thread() - start;
  return result->status;
}
