/* Enumeration: all policies by value, and scenarios ([SCSP14 §5]).
 *
 * Exponential by nature; the cached walk of exact.c is the tool for large
 * networks, and these are its oracles. */
#include <math.h>

#include "scsp/walk.h"

/* What the enumerations share: a place for the values and the sets, and the
 * limits. */
typedef struct scsp_listing {
  const alea_scsp *scsp;
  scsp_plan *plan;
  alea_mem *mem;
  scsp_walk walk; /* its values and sets are used, not its walk */
  alea_status status;
  alea_scsp_limit limit;
} scsp_listing;

static void give_up(scsp_listing *l, alea_scsp_limit why) {
  l->limit = why;
  l->status = scsp_limit_status(why);
}

static bool listing_init(scsp_listing *l, const alea_scsp *scsp, const alea_scsp_options *options) {
  *l = (scsp_listing){.scsp = scsp, .mem = scsp->mem, .status = scsp->csp->state};
  if (l->status == ALEA_OK && options->player >= scsp->players) l->status = ALEA_USAGE;
  if (l->status != ALEA_OK) return false;
  alea_scsp_limit why;
  l->plan = scsp_plan_new(scsp, options->player, 0, &options->deadline, &why);
  if (l->plan == NULL)
    give_up(l, why);
  else if (!scsp_walk_init(&l->walk, l->plan, options, false))
    give_up(l, scsp_lack(l->mem));
  return l->status == ALEA_OK;
}

static alea_status listing_clear(scsp_listing *l, double started, alea_scsp_result *result) {
  *result = (alea_scsp_result){.status = l->status, .limit = l->limit, .nodes = l->walk.nodes};
  if (l->walk.plan != NULL) scsp_walk_clear(&l->walk);
  scsp_plan_free(l->plan);
  result->seconds = alea_clock_thread() - started;
  return l->status;
}

/* Counts a node at 'at'; looks at the limits now and then. */
static void count_node(scsp_listing *l, uint32_t at) {
  const alea_scsp_options *options = l->walk.options;
  l->walk.nodes++;
  l->walk.until_look -= l->plan->places[at].cost;
  if (options->max_nodes != 0 && l->walk.nodes > options->max_nodes) give_up(l, ALEA_SCSP_NODES);
  if (l->walk.until_look > 0) return;
  l->walk.until_look = SCSP_LOOK;
  if (alea_deadline_passed(&options->deadline)) give_up(l, ALEA_SCSP_TIME);
  if (options->on_progress == NULL) return;
  alea_scsp_progress progress = scsp_walk_progress(&l->walk, at);
  options->on_progress(options->data, &progress);
}

/* ---- all: the multiset of policy values ---- */

typedef struct outcome_list {
  ALEA_VEC(double) payments; /* players per outcome */
  ALEA_VEC(uint64_t) policies;
} outcome_list;

typedef struct all_search {
  scsp_listing base;
  outcome_list *lists; /* per variable, and the end */
} all_search;

static void list_clear(alea_mem *mem, outcome_list *list) {
  alea_vec_clear(mem, &list->payments);
  alea_vec_clear(mem, &list->policies);
}

static uint64_t saturate_mul(uint64_t a, uint64_t b) {
  uint64_t product;
  return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

/* Adds one outcome; equal payments are counted together. */
static void list_add(scsp_listing *l, outcome_list *list, const double *payments,
                     uint64_t policies) {
  uint32_t k = l->scsp->players;
  l->walk.until_look -= (int64_t)list->policies.count;
  for (size_t i = 0; i < list->policies.count; i++) {
    bool equal = true;
    for (uint32_t p = 0; p < k && equal; p++)
      equal = fabs(list->payments.data[i * k + p] - payments[p]) <= 1e-12;
    if (!equal) continue;
    uint64_t sum = list->policies.data[i] + policies;
    list->policies.data[i] = sum < policies ? UINT64_MAX : sum;
    return;
  }
  bool good = alea_vec_push(l->mem, &list->policies, policies);
  for (uint32_t p = 0; p < k && good; p++)
    good = alea_vec_push(l->mem, &list->payments, payments[p]);
  if (!good) give_up(l, scsp_lack(l->mem));
  if (l->walk.until_look < 0 && alea_deadline_passed(&l->walk.options->deadline))
    give_up(l, ALEA_SCSP_TIME);
}

static void pay_due(const scsp_listing *l, uint32_t at, double *due) {
  const scsp_place *place = &l->plan->places[at];
  for (uint32_t p = 0; p < l->scsp->players; p++) {
    due[p] = 0;
    for (size_t i = 0; i < place->soft.count; i++)
      due[p] += scsp_soft_pay(l->scsp->csp, place->soft.data[i].soft, l->scsp->players, p,
                              l->walk.indexes);
  }
}

/* Decision: the union.  Chance: each policy here with each policy there. */
static void merge_child(all_search *s, uint32_t at, const outcome_list *child) {
  scsp_listing *l = &s->base;
  outcome_list *here = &s->lists[at], joined = {0};
  uint32_t k = l->scsp->players;
  double due[ALEA_SCSP_MAX_PLAYERS], sum[ALEA_SCSP_MAX_PLAYERS];
  pay_due(l, at, due);
  if (!l->plan->places[at].chance) {
    for (size_t i = 0; i < child->policies.count && l->status == ALEA_OK; i++) {
      for (uint32_t p = 0; p < k; p++) sum[p] = child->payments.data[i * k + p] + due[p];
      list_add(l, here, sum, child->policies.data[i]);
    }
    return;
  }
  for (size_t i = 0; i < here->policies.count; i++)
    for (size_t j = 0; j < child->policies.count && l->status == ALEA_OK; j++) {
      for (uint32_t p = 0; p < k; p++)
        sum[p] = here->payments.data[i * k + p] +
                 l->walk.frames[at].probability * (child->payments.data[j * k + p] + due[p]);
      list_add(l, &joined, sum, saturate_mul(here->policies.data[i], child->policies.data[j]));
    }
  list_clear(l->mem, here);
  *here = joined;
}

static void all_open(all_search *s, uint32_t at) {
  scsp_listing *l = &s->base;
  double start[ALEA_SCSP_MAX_PLAYERS] = {0};
  scsp_frame *frame = &l->walk.frames[at];
  bool leaf = at == l->plan->count;
  if (!leaf) {
    frame->next = 0;
    scsp_allowed(l->plan, at, l->walk.indexes, frame->allowed);
    if (l->plan->places[at].chance) frame->raised = scsp_raised(l->plan, at, l->walk.indexes);
    count_node(l, at);
  }
  for (uint32_t p = 0; p < l->scsp->players && leaf; p++) start[p] = scsp_end_pay(l->plan);
  if (leaf || l->plan->places[at].chance) list_add(l, &s->lists[at], start, 1);
}

/* Advances the frame to its next value; false when it is complete. */
static bool all_next(all_search *s, uint32_t at) {
  scsp_listing *l = &s->base;
  const scsp_place *place = &l->plan->places[at];
  scsp_frame *frame = &l->walk.frames[at];
  while (frame->next < place->size) {
    uint32_t v = l->walk.indexes[at] = frame->next++;
    bool allowed = scsp_in(frame->allowed, v);
    if (!place->chance) {
      if (allowed) return true;
      continue;
    }
    frame->probability = scsp_probability(l->plan, at, frame->raised, l->walk.indexes);
    if (!(frame->probability > 0)) continue;
    if (allowed) return true;
    list_clear(l->mem, &s->lists[at]); /* infeasible: no policy survives here */
    frame->next = place->size;
  }
  return false;
}

static void all_run(all_search *s) {
  uint32_t at = 0;
  all_open(s, 0);
  while (s->base.status == ALEA_OK) {
    if (at < s->base.plan->count && all_next(s, at)) {
      all_open(s, ++at);
      continue;
    }
    if (at == 0) return;
    outcome_list child = s->lists[at];
    s->lists[at] = (outcome_list){0};
    merge_child(s, --at, &child);
    list_clear(s->base.mem, &child);
  }
}

static void all_take(all_search *s, alea_scsp_outcomes *outcomes) {
  alea_mem *mem = s->base.mem;
  const outcome_list *list = &s->lists[0];
  outcomes->count = list->policies.count;
  outcomes->payments = alea_mem_calloc(mem, list->payments.count, sizeof(double));
  outcomes->policies = alea_mem_calloc(mem, outcomes->count, sizeof(uint64_t));
  if (outcomes->payments == NULL || outcomes->policies == NULL) {
    alea_scsp_outcomes_clear(s->base.scsp, outcomes);
    give_up(&s->base, scsp_lack(mem));
    return;
  }
  for (size_t i = 0; i < list->payments.count; i++) outcomes->payments[i] = list->payments.data[i];
  for (size_t i = 0; i < outcomes->count; i++) outcomes->policies[i] = list->policies.data[i];
}

alea_status alea_scsp_all(const alea_scsp *scsp, const alea_scsp_options *options,
                          alea_scsp_outcomes *outcomes, alea_scsp_result *result) {
  double started = alea_clock_thread();
  all_search s = {0};
  *outcomes = (alea_scsp_outcomes){0};
  if (listing_init(&s.base, scsp, options)) {
    size_t n = s.base.plan->count + 1;
    s.lists = alea_mem_calloc(scsp->mem, n, sizeof *s.lists);
    if (s.lists == NULL)
      give_up(&s.base, scsp_lack(scsp->mem));
    else if (!s.base.plan->impossible)
      all_run(&s);
    if (s.base.status == ALEA_OK) all_take(&s, outcomes);
    for (size_t i = 0; s.lists != NULL && i < n; i++) list_clear(scsp->mem, &s.lists[i]);
    alea_mem_free(scsp->mem, s.lists, n * sizeof *s.lists);
  }
  return listing_clear(&s.base, started, result);
}

void alea_scsp_outcomes_clear(const alea_scsp *scsp, alea_scsp_outcomes *outcomes) {
  alea_mem_free(scsp->mem, outcomes->payments,
                outcomes->count * scsp->players * sizeof *outcomes->payments);
  alea_mem_free(scsp->mem, outcomes->policies, outcomes->count * sizeof *outcomes->policies);
  *outcomes = (alea_scsp_outcomes){0};
}

uint64_t alea_scsp_solutions(const alea_scsp *scsp, const alea_scsp_outcomes *outcomes) {
  uint64_t total = 0;
  for (size_t i = 0; i < outcomes->count; i++) {
    bool enough = true;
    for (uint32_t p = 0; p < scsp->players; p++)
      enough = enough && outcomes->payments[i * scsp->players + p] >= scsp->theta[p] - 1e-12;
    if (enough) total += outcomes->policies[i];
  }
  return total;
}

/* ---- scenarios ---- */

static void take_scenario(scsp_listing *l, const alea_scsp_scenario *wanted, int32_t *values,
                          uint64_t *count) {
  ++*count;
  if (wanted->found == NULL) return;
  for (uint32_t v = 0; v < l->plan->count; v++)
    values[v] = csp_value(&l->scsp->csp->vars.data[v], l->walk.indexes[v]);
  if (!wanted->found(wanted->data, values)) give_up(l, ALEA_SCSP_UNLIMITED);
}

/* 'due' of a frame is what was paid before its variable. */
static void list_scenarios(scsp_listing *l, const alea_scsp_scenario *wanted, int32_t *values,
                           uint64_t *count) {
  const scsp_plan *plan = l->plan;
  uint32_t at = 0;
  bool opening = true;
  if (plan->impossible || plan->count == 0) return;
  l->walk.frames[0].due = scsp_end_pay(plan);
  while (l->status == ALEA_OK) {
    const scsp_place *place = &plan->places[at];
    scsp_frame *frame = &l->walk.frames[at];
    if (opening) {
      frame->next = 0;
      scsp_allowed(plan, at, l->walk.indexes, frame->allowed);
      if (place->chance) frame->raised = scsp_raised(plan, at, l->walk.indexes);
      opening = false;
    }
    uint32_t v = scsp_next_in(frame->allowed, place->words, frame->next);
    if (v >= place->size) {
      if (at-- == 0) return;
      continue;
    }
    frame->next = v + 1;
    l->walk.indexes[at] = v;
    if (place->chance && !(scsp_probability(plan, at, frame->raised, l->walk.indexes) > 0))
      continue;
    count_node(l, at);
    double paid = frame->due + scsp_due(plan, at, l->walk.indexes);
    if (at + 1 < plan->count) {
      l->walk.frames[++at].due = paid;
      opening = true;
    } else if (paid >= wanted->theta - 1e-12) {
      take_scenario(l, wanted, values, count);
    }
  }
}

alea_status alea_scsp_scenarios(const alea_scsp *scsp, const alea_scsp_options *options,
                                const alea_scsp_scenario *wanted, uint64_t *count,
                                alea_scsp_result *result) {
  double started = alea_clock_thread();
  scsp_listing l;
  *count = 0;
  if (listing_init(&l, scsp, options)) {
    size_t n = l.plan->count + 1;
    int32_t *values = alea_mem_calloc(scsp->mem, n, sizeof *values);
    if (values != NULL)
      list_scenarios(&l, wanted, values, count);
    else
      give_up(&l, scsp_lack(scsp->mem));
    alea_mem_free(scsp->mem, values, n * sizeof *values);
    if (l.status == ALEA_OK && *count == 0) l.status = ALEA_NO;
  }
  return listing_clear(&l, started, result);
}
