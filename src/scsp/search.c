/* The searches of [SCSP14 §5]: first policy over a threshold, all policies by
 * value, scenarios.  Exponential by nature; the cached walk of exact.c is the
 * tool for large networks, and these are its oracles. */
#include <math.h>

#include "scsp/core.h"

/* ---- all: the multiset of policy values ---- */

typedef struct outcome_list {
  ALEA_VEC(double) payments; /* players per outcome */
  ALEA_VEC(uint64_t) policies;
} outcome_list;

typedef struct all_frame {
  uint32_t value; /* next value index to try */
  uint64_t allowed;
  double probability; /* of the value being tried */
  outcome_list list;
} all_frame;

typedef struct all_search {
  const alea_scsp *scsp;
  const scsp_plan *plan;
  alea_mem *mem;
  uint32_t *indexes;
  all_frame *frames;
  size_t max;
  alea_status status;
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
static void list_add(all_search *s, outcome_list *list, const double *payments, uint64_t policies) {
  uint32_t k = s->scsp->players;
  for (size_t i = 0; i < list->policies.count; i++) {
    bool equal = true;
    for (uint32_t p = 0; p < k && equal; p++)
      equal = fabs(list->payments.data[i * k + p] - payments[p]) <= 1e-12;
    if (!equal) continue;
    uint64_t sum = list->policies.data[i] + policies;
    list->policies.data[i] = sum < policies ? UINT64_MAX : sum;
    return;
  }
  if (list->policies.count >= s->max) s->status = ALEA_LIMIT;
  bool good = alea_vec_push(s->mem, &list->policies, policies);
  for (uint32_t p = 0; p < k && good; p++)
    good = alea_vec_push(s->mem, &list->payments, payments[p]);
  if (!good) s->status = ALEA_SYSTEM;
}

static void pay_due(const all_search *s, uint32_t at, double *due) {
  const scsp_place *place = &s->plan->places[at];
  for (uint32_t p = 0; p < s->scsp->players; p++) {
    due[p] = 0;
    for (size_t i = 0; i < place->soft.count; i++)
      due[p] +=
          scsp_soft_pay(s->scsp->csp, place->soft.data[i].soft, s->scsp->players, p, s->indexes);
  }
}

/* Decision: the union.  Chance: each policy here with each policy there. */
static void merge_child(all_search *s, uint32_t at, const outcome_list *child) {
  all_frame *frame = &s->frames[at];
  uint32_t k = s->scsp->players;
  double due[ALEA_SCSP_MAX_PLAYERS], sum[ALEA_SCSP_MAX_PLAYERS];
  pay_due(s, at, due);
  if (!s->plan->places[at].chance) {
    for (size_t i = 0; i < child->policies.count && s->status == ALEA_OK; i++) {
      for (uint32_t p = 0; p < k; p++) sum[p] = child->payments.data[i * k + p] + due[p];
      list_add(s, &frame->list, sum, child->policies.data[i]);
    }
    return;
  }
  outcome_list joined = {0};
  for (size_t i = 0; i < frame->list.policies.count; i++)
    for (size_t j = 0; j < child->policies.count && s->status == ALEA_OK; j++) {
      for (uint32_t p = 0; p < k; p++)
        sum[p] = frame->list.payments.data[i * k + p] +
                 frame->probability * (child->payments.data[j * k + p] + due[p]);
      list_add(s, &joined, sum,
               saturate_mul(frame->list.policies.data[i], child->policies.data[j]));
    }
  list_clear(s->mem, &frame->list);
  frame->list = joined;
}

static void all_open(all_search *s, uint32_t at) {
  const double nothing[ALEA_SCSP_MAX_PLAYERS] = {0};
  all_frame *frame = &s->frames[at];
  *frame = (all_frame){0};
  bool leaf = at == s->plan->count;
  if (!leaf) frame->allowed = scsp_allowed(s->plan, at, s->indexes);
  if (leaf || s->plan->places[at].chance) list_add(s, &frame->list, nothing, 1);
}

/* Advances the frame to its next value; false when it is complete. */
static bool all_next(all_search *s, uint32_t at) {
  const scsp_place *place = &s->plan->places[at];
  all_frame *frame = &s->frames[at];
  while (frame->value < place->size) {
    uint32_t v = s->indexes[at] = frame->value++;
    bool allowed = frame->allowed >> v & 1;
    if (!place->chance) {
      if (allowed) return true;
      continue;
    }
    frame->probability = scsp_probability(s->plan, at, s->indexes);
    if (!(frame->probability > 0)) continue;
    if (allowed) return true;
    list_clear(s->mem, &frame->list); /* infeasible: no policy survives here */
    frame->value = place->size;
  }
  return false;
}

static void all_run(all_search *s) {
  uint32_t at = 0;
  all_open(s, 0);
  while (s->status == ALEA_OK) {
    if (at < s->plan->count && all_next(s, at)) {
      all_open(s, ++at);
      continue;
    }
    if (at == 0) return;
    outcome_list child = s->frames[at].list;
    s->frames[at].list = (outcome_list){0};
    merge_child(s, --at, &child);
    list_clear(s->mem, &child);
  }
}

alea_status alea_scsp_all(const alea_scsp *scsp, size_t max, alea_scsp_outcomes *outcomes) {
  *outcomes = (alea_scsp_outcomes){0};
  bool limit;
  if (scsp->csp->state != ALEA_OK) return scsp->csp->state;
  scsp_plan *plan = scsp_plan_new(scsp, 0, 0, &limit);
  if (plan == NULL) return limit ? ALEA_LIMIT : ALEA_SYSTEM;
  all_search s = {.scsp = scsp, .plan = plan, .mem = scsp->mem, .max = max};
  size_t n = plan->count + 1;
  s.indexes = alea_mem_calloc(s.mem, n, sizeof *s.indexes);
  s.frames = alea_mem_calloc(s.mem, n, sizeof *s.frames);
  if (s.indexes == NULL || s.frames == NULL)
    s.status = ALEA_SYSTEM;
  else if (!plan->impossible)
    all_run(&s);
  if (s.status == ALEA_OK) {
    const outcome_list *list = &s.frames[0].list;
    outcomes->count = list->policies.count;
    outcomes->payments = alea_mem_calloc(s.mem, list->payments.count, sizeof(double));
    outcomes->policies = alea_mem_calloc(s.mem, outcomes->count, sizeof(uint64_t));
    if (outcomes->payments == NULL || outcomes->policies == NULL) s.status = ALEA_SYSTEM;
    for (size_t i = 0; i < list->payments.count && s.status == ALEA_OK; i++)
      outcomes->payments[i] = list->payments.data[i];
    for (size_t i = 0; i < outcomes->count && s.status == ALEA_OK; i++)
      outcomes->policies[i] = list->policies.data[i];
  }
  for (size_t i = 0; s.frames != NULL && i < n; i++) list_clear(s.mem, &s.frames[i].list);
  alea_mem_free(s.mem, s.indexes, n * sizeof *s.indexes);
  alea_mem_free(s.mem, s.frames, n * sizeof *s.frames);
  scsp_plan_free(plan);
  return s.status;
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

/* ---- first: algorithm 1 of [SCSP14 §5], corrected (D11) ---- */

typedef struct first_frame {
  uint32_t value;
  uint64_t allowed;
  double stop; /* enough: a decision that reaches this is taken */
  double need; /* below this the branch may be cut */
  double acc;  /* decision: best so far; chance: sum so far */
  double left; /* chance: mass not yet tried */
  double probability, due;
  bool feasible;
} first_frame;

typedef struct first_search {
  const scsp_plan *plan;
  uint32_t *indexes;
  first_frame *frames;
  double *bounds; /* per variable: upper bound of what is paid from it on */
  uint64_t nodes;
} first_search;

static void upper_bounds(first_search *s) {
  const scsp_plan *plan = s->plan;
  s->bounds[plan->count] = 0;
  for (uint32_t at = plan->count; at-- > 0;) {
    s->bounds[at] = s->bounds[at + 1];
    for (size_t i = 0; i < plan->places[at].soft.count; i++) {
      const scsp_soft *soft = plan->places[at].soft.data[i].soft;
      double best = 0;
      for (size_t t = 0; t < soft->count; t++) {
        double pay = soft->payments[t * plan->scsp->players + plan->player];
        if (pay > best) best = pay;
      }
      s->bounds[at] += best;
    }
  }
}

static void first_open(first_search *s, uint32_t at, double stop, double need) {
  bool chance = s->plan->places[at].chance;
  s->frames[at] = (first_frame){
      .stop = stop, .need = need, .left = 1, .acc = chance ? 0 : -INFINITY, .feasible = chance};
  s->frames[at].allowed = scsp_allowed(s->plan, at, s->indexes);
}

/* The next value worth trying; false when the frame is decided. */
static bool first_next(first_search *s, uint32_t at) {
  const scsp_place *place = &s->plan->places[at];
  first_frame *f = &s->frames[at];
  if (!place->chance && f->feasible && f->acc >= f->stop) return false;
  /* The upper cut: even the best rest would not reach the target. */
  if (place->chance && f->acc + f->left * s->bounds[at] < f->need - 1e-12) return false;
  while (f->value < place->size) {
    uint32_t v = s->indexes[at] = f->value++;
    bool allowed = f->allowed >> v & 1;
    f->probability = 1;
    if (place->chance) {
      f->probability = scsp_probability(s->plan, at, s->indexes);
      if (!(f->probability > 0)) continue;
      if (!allowed) {
        f->feasible = false;
        return false;
      }
    } else if (!allowed) {
      continue;
    }
    f->due = scsp_due(s->plan, at, s->indexes);
    s->nodes++;
    return true;
  }
  return false;
}

static void first_take(first_search *s, uint32_t at, double value, bool feasible) {
  first_frame *f = &s->frames[at];
  if (s->plan->places[at].chance) {
    f->feasible = f->feasible && feasible;
    f->acc += f->probability * (value + f->due);
    f->left -= f->probability;
    if (!f->feasible) f->value = s->plan->places[at].size;
  } else if (feasible && (!f->feasible || value + f->due > f->acc)) {
    f->acc = value + f->due;
    f->feasible = true;
  }
}

static double first_run(first_search *s, double theta, bool *feasible) {
  uint32_t at = 0;
  if (s->plan->count == 0) return 0;
  first_open(s, 0, theta, theta);
  for (;;) {
    double value = 0;
    bool good = true;
    if (first_next(s, at)) {
      const first_frame *f = &s->frames[at];
      double stop = f->stop, need = f->need;
      if (s->plan->places[at].chance) { /* the other values may pay nothing, or the most */
        stop = (stop - f->acc) / f->probability;
        need = (need - f->acc - (f->left - f->probability) * s->bounds[at]) / f->probability;
      }
      stop -= f->due;
      need -= f->due;
      if (++at < s->plan->count) {
        first_open(s, at, stop, need);
        continue;
      }
    } else {
      value = s->frames[at].acc;
      good = s->frames[at].feasible;
      if (at == 0) {
        *feasible = good;
        return value;
      }
    }
    first_take(s, --at, value, good);
  }
}

alea_status alea_scsp_first(const alea_scsp *scsp, uint32_t player, double theta, double *value,
                            uint64_t *nodes) {
  bool limit, feasible = true;
  if (scsp->csp->state != ALEA_OK) return scsp->csp->state;
  scsp_plan *plan = scsp_plan_new(scsp, player, 0, &limit);
  if (plan == NULL) return limit ? ALEA_LIMIT : ALEA_SYSTEM;
  size_t n = plan->count + 1;
  first_search s = {.plan = plan};
  s.indexes = alea_mem_calloc(scsp->mem, n, sizeof *s.indexes);
  s.frames = alea_mem_calloc(scsp->mem, n, sizeof *s.frames);
  s.bounds = alea_mem_calloc(scsp->mem, n, sizeof *s.bounds);
  alea_status status = ALEA_SYSTEM;
  if (s.indexes != NULL && s.frames != NULL && s.bounds != NULL) {
    upper_bounds(&s);
    *value = plan->impossible ? 0 : first_run(&s, theta, &feasible);
    *nodes = s.nodes;
    feasible = feasible && !plan->impossible;
    status = feasible && *value >= theta - 1e-12 ? ALEA_OK : ALEA_NO;
  }
  alea_mem_free(scsp->mem, s.indexes, n * sizeof *s.indexes);
  alea_mem_free(scsp->mem, s.frames, n * sizeof *s.frames);
  alea_mem_free(scsp->mem, s.bounds, n * sizeof *s.bounds);
  scsp_plan_free(plan);
  return status;
}

/* ---- scenarios ---- */

typedef struct scenario_frame {
  uint64_t rest;
  double paid; /* before this variable */
} scenario_frame;

static uint64_t count_scenarios(const scsp_plan *plan, scenario_frame *frames, uint32_t *indexes,
                                double theta, uint64_t *nodes) {
  uint64_t found = 0;
  uint32_t at = 0;
  if (plan->impossible || plan->count == 0) return 0;
  frames[0] = (scenario_frame){scsp_allowed(plan, 0, indexes), 0};
  for (;;) {
    scenario_frame *frame = &frames[at];
    if (frame->rest == 0) {
      if (at == 0) return found;
      at--;
      continue;
    }
    indexes[at] = (uint32_t)__builtin_ctzll(frame->rest);
    frame->rest &= frame->rest - 1;
    if (plan->places[at].chance && !(scsp_probability(plan, at, indexes) > 0)) continue;
    ++*nodes;
    double paid = frame->paid + scsp_due(plan, at, indexes);
    if (at + 1 == plan->count) {
      found += paid >= theta - 1e-12;
    } else {
      at++;
      frames[at] = (scenario_frame){scsp_allowed(plan, at, indexes), paid};
    }
  }
}

alea_status alea_scsp_scenarios(const alea_scsp *scsp, uint32_t player, double theta,
                                uint64_t *count, uint64_t *nodes) {
  bool limit;
  if (scsp->csp->state != ALEA_OK) return scsp->csp->state;
  scsp_plan *plan = scsp_plan_new(scsp, player, 0, &limit);
  if (plan == NULL) return limit ? ALEA_LIMIT : ALEA_SYSTEM;
  size_t n = plan->count + 1;
  uint32_t *indexes = alea_mem_calloc(scsp->mem, n, sizeof *indexes);
  scenario_frame *frames = alea_mem_calloc(scsp->mem, n, sizeof *frames);
  alea_status status = ALEA_SYSTEM;
  *nodes = *count = 0;
  if (indexes != NULL && frames != NULL) {
    *count = count_scenarios(plan, frames, indexes, theta, nodes);
    status = *count > 0 ? ALEA_OK : ALEA_NO;
  }
  alea_mem_free(scsp->mem, indexes, n * sizeof *indexes);
  alea_mem_free(scsp->mem, frames, n * sizeof *frames);
  scsp_plan_free(plan);
  return status;
}
