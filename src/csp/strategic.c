/* Strategic CSP: the solver of [STRAT06 §6] (D40, D42) without recursion, and
 * extensions. */
#include "base/hash.h"
#include "csp/strategic_core.h"

/* ---- the search ---- */

typedef struct choice_frame {
  uint32_t *candidates; /* value indexes, room for the whole domain */
  uint32_t count, next;
  uint64_t key[2]; /* of the state, for the table */
} choice_frame;

typedef struct table_entry {
  uint64_t check;
  uint64_t key; /* 0: empty; the lowest bit is the answer */
} table_entry;

/* A constraint y=a <=> x=b of a quantified variable y: propagated once, when y
 * has its value, and entailed from then on, so never woken. */
typedef struct direct_link {
  alea_csp_var state;
  uint32_t value; /* b, as an index; NONE if x cannot have it */
  uint32_t mine;  /* a */
} direct_link;

typedef struct delayed { /* constraints that are activated with one quantified variable */
  direct_link *direct;
  uint32_t direct_count;
  uint32_t *by_value; /* a link with mine = the value, or NONE: tested first */
  uint32_t *other;    /* constraints to activate */
  uint32_t other_count;
} delayed;

typedef struct strategic_play {
  const alea_strategic *strategic;
  const alea_strategic_options *options;
  alea_strategic_result *result;
  csp_engine *engine;
  alea_arena arena;
  uint32_t depth; /* number of quantified variables */
  delayed *delays;
  choice_frame *frames;
  uint32_t *position; /* of a variable in the order; NONE for state variables */
  uint32_t state_count;
  alea_csp_var *state; /* state variables, then other variables that are part of the key: */
  uint32_t key_count;  /* quantified variables of constraints that are not direct */
  table_entry *table;
  uint64_t table_mask;
  uint32_t *history; /* 2 kinds * largest domain: how often a value was decisive */
  uint32_t *replies; /* the last decisive reply to a value, per kind */
  uint32_t widest;
  strategic_group group;
  uint64_t until_check; /* nodes until the next check of the clock */
  uint32_t level;       /* the node, for progress */
  double start;
  bool exact;      /* consistency by search, not by propagation alone */
  bool any_exists; /* existential variables may take inconsistent values */
  bool stopped, no_memory;
} strategic_play;

/* ---- preparation ---- */

/* The position in the order of the last quantified variable of a scope, NONE if
 * there is none; '*count' is the number of different ones. */
static uint32_t last_position(const strategic_play *p, const csp_constraint *c, uint32_t *count) {
  uint32_t last = ALEA_CSP_NONE;
  *count = 0;
  for (uint32_t i = 0; i < c->arity; i++) {
    uint32_t at = p->position[c->scope[i]];
    if (at == ALEA_CSP_NONE) continue;
    ++*count;
    if (last == ALEA_CSP_NONE || at > last) last = at;
  }
  return last;
}

static bool is_direct(const csp_constraint *c, uint32_t quantified_count) {
  return quantified_count == 1 && c->type == &csp_iff_type;
}

static direct_link link_of(const strategic_play *p, const csp_prop *prop) {
  const uint32_t *indexes = prop->state;
  int side = p->position[prop->scope[0]] != ALEA_CSP_NONE ? 0 : 1;
  return (direct_link){prop->scope[!side], indexes[!side], indexes[side]};
}

/* Assigns the delayed constraints to their variables and deactivates them. */
static bool delay_constraints(strategic_play *p) {
  csp_engine *engine = p->engine;
  size_t total = engine->prop_count;
  uint32_t count;
  for (int pass = 0; pass < 2; pass++) {
    for (uint32_t i = 0; i < total; i++) {
      const csp_constraint *c = engine->props[i].constraint;
      uint32_t at = last_position(p, c, &count);
      if (at == ALEA_CSP_NONE) continue;
      delayed *d = &p->delays[at];
      bool direct = is_direct(c, count);
      if (pass == 0) {
        d->direct_count += direct;
        d->other_count += !direct;
      } else {
        if (direct)
          d->direct[d->direct_count++] = link_of(p, &engine->props[i]);
        else
          d->other[d->other_count++] = i;
        engine->props[i].active = 0;
      }
    }
    for (uint32_t j = 0; j < p->depth && pass == 0; j++) {
      delayed *d = &p->delays[j];
      d->direct = alea_arena_alloc(&p->arena, (d->direct_count + 1) * sizeof *d->direct);
      d->other = alea_arena_alloc(&p->arena, (d->other_count + 1) * sizeof(uint32_t));
      if (d->direct == NULL || d->other == NULL) return false;
      d->direct_count = d->other_count = 0;
    }
  }
  return true;
}

static bool index_links(strategic_play *p) {
  for (uint32_t j = 0; j < p->depth; j++) {
    delayed *d = &p->delays[j];
    uint32_t size = p->strategic->csp->vars.data[p->strategic->order.data[j].var].size;
    d->by_value = alea_arena_alloc(&p->arena, size * sizeof *d->by_value);
    if (d->by_value == NULL) return false;
    for (uint32_t v = 0; v < size; v++) d->by_value[v] = ALEA_CSP_NONE;
    for (uint32_t i = 0; i < d->direct_count; i++)
      if (d->direct[i].mine < size) d->by_value[d->direct[i].mine] = i;
  }
  return true;
}

/* A quantified variable that has direct constraints alone affects nothing but
 * the state; others may still matter later. */
static void key_variables(strategic_play *p) {
  const alea_csp *csp = p->strategic->csp;
  uint32_t count;
  p->key_count = p->state_count;
  for (uint32_t j = 0; j < p->depth; j++) {
    alea_csp_var var = p->strategic->order.data[j].var;
    bool matters = false;
    for (size_t c = 0; c < csp->constraints.count && !matters; c++) {
      const csp_constraint *constraint = &csp->constraints.data[c];
      if (last_position(p, constraint, &count) == ALEA_CSP_NONE || is_direct(constraint, count))
        continue;
      for (uint32_t i = 0; i < constraint->arity && !matters; i++)
        matters = constraint->scope[i] == var;
    }
    if (matters) p->state[p->key_count++] = var;
  }
}

/* Direct constraints are never woken, so their watches only cost time. */
static bool drop_watches(strategic_play *p) {
  csp_engine *engine = p->engine;
  size_t kept = 0;
  uint32_t count;
  for (size_t i = 0; i < engine->pending.count; i++) {
    csp_pending pending = engine->pending.data[i];
    const csp_constraint *c = engine->props[pending.watch.prop].constraint;
    bool direct = last_position(p, c, &count) != ALEA_CSP_NONE && is_direct(c, count);
    if (!direct) engine->pending.data[kept++] = pending;
  }
  engine->pending.count = kept;
  return csp_engine_layout(engine);
}

static bool prepare_table(strategic_play *p) {
  if (!p->options->table) return true;
  uint64_t bytes = p->options->table_bytes != 0 ? p->options->table_bytes : 256u << 20, slots = 1;
  while (2 * slots * sizeof(table_entry) <= bytes) slots *= 2;
  p->table = alea_mem_calloc(p->strategic->mem, slots, sizeof *p->table);
  p->table_mask = slots - 1;
  return p->table != NULL;
}

static bool prepare(strategic_play *p) {
  const alea_csp *csp = p->strategic->csp;
  uint32_t n = (uint32_t)csp->vars.count;
  p->position = alea_arena_alloc(&p->arena, (n + 1) * sizeof *p->position);
  p->state = alea_arena_alloc(&p->arena, (n + 1) * sizeof *p->state);
  p->delays = alea_arena_alloc(&p->arena, (p->depth + 1) * sizeof *p->delays);
  p->frames = alea_arena_alloc(&p->arena, (p->depth + 1) * sizeof *p->frames);
  if (p->position == NULL || p->state == NULL || p->delays == NULL || p->frames == NULL)
    return false;
  memset(p->delays, 0, (p->depth + 1) * sizeof *p->delays);
  for (uint32_t v = 0; v < n; v++) p->position[v] = ALEA_CSP_NONE;
  for (uint32_t j = 0; j < p->depth; j++) {
    alea_csp_var var = p->strategic->order.data[j].var;
    uint32_t size = csp->vars.data[var].size;
    p->position[var] = j;
    if (size > p->widest) p->widest = size;
    p->frames[j].candidates = alea_arena_alloc(&p->arena, size * sizeof(uint32_t));
    if (p->frames[j].candidates == NULL) return false;
  }
  for (uint32_t v = 0; v < n; v++)
    if (p->position[v] == ALEA_CSP_NONE) p->state[p->state_count++] = v;
  key_variables(p);
  size_t cells = 2 * (size_t)(p->widest + 1);
  p->history = alea_arena_alloc(&p->arena, cells * sizeof *p->history);
  p->replies = alea_arena_alloc(&p->arena, cells * sizeof *p->replies);
  if (p->history == NULL || p->replies == NULL) return false;
  memset(p->history, 0, cells * sizeof *p->history);
  memset(p->replies, 0xff, cells * sizeof *p->replies);
  p->engine = csp_engine_new(csp, 0);
  if (p->engine == NULL || !delay_constraints(p) || !index_links(p) || !drop_watches(p))
    return false;
  if (p->options->symmetry && !strategic_group_find(p->strategic, &p->group)) return false;
  return prepare_table(p);
}

/* ---- keys ---- */

/* What matters of one state variable: its class if it is fixed and a class was
 * given, otherwise its domain. */
static uint64_t variable_word(const strategic_play *p, alea_csp_var var, uint32_t j) {
  const csp_domain *domain = csp_dom(p->engine, var);
  const alea_strategic *s = p->strategic;
  if (domain->size == 1) {
    uint32_t value = domain->min;
    const uint32_t *classes = var < s->class_vars ? s->classes[var] : NULL;
    bool classed = classes != NULL && classes[domain->var->size + value] <= j;
    return classed ? classes[value] : (UINT64_C(1) << 32) + value;
  }
  uint64_t word = 0;
  for (uint32_t w = 0; w < domain->word_count; w++) word = alea_hash_join(word, domain->words[w]);
  return word | UINT64_C(1) << 63;
}

/* The key of the state mapped by one symmetry: variable image[v] in place of
 * v. */
static void state_key(const strategic_play *p, uint32_t j, const uint32_t *image, uint64_t key[2]) {
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
  state_key(p, j, NULL, key);
  for (uint32_t g = 1; g < p->group.count; g++) {
    uint64_t other[2];
    state_key(p, j, &p->group.images[(size_t)g * p->group.vars], other);
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

/* Whether the plain network has a solution from here: MAC over the state. */
static bool has_solution(strategic_play *p) {
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

/* Assigns value 'index' to the j-th quantified variable and propagates. */
static bool assign(strategic_play *p, uint32_t j, uint32_t index) {
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
  return held && (!p->exact || has_solution(p));
}

/* The answer of node j where the state is inconsistent already: no universal
 * variable from there on has a consistent value, and there is no solution. */
static bool inconsistent_answer(const strategic_play *p, uint32_t j) {
  const quantified *order = p->strategic->order.data;
  if (p->options->classical) return false;
  if (!p->any_exists) return j < p->depth && order[j].universal;
  for (; j < p->depth; j++)
    if (order[j].universal) return true;
  return false;
}

static void record_first(strategic_play *p, uint32_t j, uint32_t index) {
  const alea_strategic *s = p->strategic;
  if (j == 0) p->result->first = csp_value(&s->csp->vars.data[s->order.data[0].var], index);
}

/* Whether a value of node j that is inconsistent decides the node, and how. */
static bool failure_decides(const strategic_play *p, uint32_t j, bool *answer) {
  bool universal = p->strategic->order.data[j].universal;
  if (universal && !p->options->classical) return false; /* it does not count */
  if (!universal && !p->any_exists) return false;
  *answer = inconsistent_answer(p, j + 1);
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
  if (!p->options->early || p->any_exists || s->outcome_count == 0) return false;
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

/* Looks one value ahead: a value that decides for the side to move ends the
 * node; values that fail or decide against it are dropped. */
static bool look_ahead(strategic_play *p, uint32_t j, bool *answer) {
  choice_frame *frame = &p->frames[j];
  bool universal = p->strategic->order.data[j].universal;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < frame->count; i++) {
    bool outcome = false, held = false, known = false;
    if (!fails_at_once(p, j, frame->candidates[i])) {
      csp_push(p->engine);
      held = assign(p, j, frame->candidates[i]);
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
  if (j > 0) {
    const choice_frame *before = &p->frames[j - 1];
    uint32_t last = before->candidates[before->next - 1];
    if (p->replies[row + last] == value) score += UINT64_C(1) << 40;
  }
  return score;
}

/* Insertion sort by decreasing promise; stable, so ties keep their order. */
static void sort_values(strategic_play *p, uint32_t j) {
  choice_frame *frame = &p->frames[j];
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
  if (j > 0) {
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
    *answer = p->exact || has_solution(p); /* the exact check has found one */
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
    if (!fails_at_once(p, j, value)) {
      csp_push(p->engine);
      if (assign(p, j, value)) return true;
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

static bool run(strategic_play *p) {
  bool answer = false;
  uint32_t j = 0;
  if (enter(p, 0, &answer)) return answer;
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
      if (p->table != NULL) table_store(p, p->frames[j].key, answer);
      if (j == 0) return answer;
      j--;
      csp_pop(p->engine);
    }
    /* 'answer' belongs to the value last tried at node j. */
    while (answer != p->strategic->order.data[j].universal) {
      if (p->options->order) reward(p, j);
      if (p->table != NULL) table_store(p, p->frames[j].key, answer);
      record_first(p, j, p->frames[j].candidates[p->frames[j].next - 1]);
      if (j == 0) return answer;
      j--;
      csp_pop(p->engine);
    }
  }
}

static alea_status solve(strategic_play *p) {
  if (!prepare(p)) return alea_mem_lack(p->strategic->mem);
  csp_schedule_all(p->engine);
  bool consistent = !p->strategic->csp->false_ && csp_propagate(p->engine);
  if (consistent && p->exact) consistent = has_solution(p);
  bool answer = consistent ? run(p) : inconsistent_answer(p, 0);
  p->result->propagations = p->engine->propagations;
  p->result->symmetries = p->group.count != 0 ? p->group.order : 1;
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
  own.classical = own.classical || strategic->classical;
  strategic_play p = {
      .strategic = strategic,
      .options = &own,
      .result = result,
      .until_check = 1024,
      .start = start,
      .exact = alea_strategic_get_check(strategic) == ALEA_STRATEGIC_EXACT && !own.classical,
      .any_exists =
          alea_strategic_get_existential(strategic) == ALEA_STRATEGIC_DEFINITION && !own.classical,
      .depth = (uint32_t)strategic->order.count};
  alea_arena_init(&p.arena, strategic->mem);
  result->status = solve(&p);
  csp_engine_free(p.engine);
  if (p.table != NULL) alea_mem_free(strategic->mem, p.table, (p.table_mask + 1) * sizeof *p.table);
  strategic_group_clear(strategic, &p.group);
  alea_arena_clear(&p.arena);
  result->seconds = alea_clock_thread() - start;
  return result->status;
}
