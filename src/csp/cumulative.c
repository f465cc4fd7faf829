/* Cumulative by time-tabling: a task certainly runs between its latest start
 * and its earliest end; the other tasks must fit around these parts. */
#include <stdlib.h>

#include "csp/constraints.h"

/* The load is maximal at the start of some task. */
static bool tasks_check(const alea_csp *csp, const csp_constraint *constraint,
                        const int32_t *values) {
  (void)csp;
  const csp_tasks *tasks = constraint->data;
  uint32_t n = tasks->count;
  const int32_t *lengths = values + n, *heights = lengths + n;
  for (uint32_t i = 0; i < n; i++) {
    int64_t load = 0;
    if (lengths[i] <= 0) continue;
    for (uint32_t j = 0; j < n; j++)
      if (values[j] <= values[i] && values[i] < (int64_t)values[j] + lengths[j]) load += heights[j];
    if (load > values[3 * n]) return false;
  }
  return true;
}

typedef struct cumulative_span { /* the load from 'from' to the next span */
  int64_t from, load;
} cumulative_span;

typedef struct profile {
  uint32_t count;
  cumulative_span *spans; /* 2 per task; first as changes, then as loads */
} profile;

static bool tasks_start(csp_engine *engine, csp_prop *prop) {
  const csp_tasks *tasks = prop->constraint->data;
  profile *state = alea_arena_alloc(&engine->arena, sizeof *state);
  if (state == NULL) return false;
  state->spans =
      alea_arena_alloc(&engine->arena, (2 * (size_t)tasks->count + 1) * sizeof(cumulative_span));
  prop->state = state;
  return state->spans != NULL && csp_watch_scope(engine, prop, true);
}

typedef struct cumulative_task {
  alea_csp_var origin_var, height_var;
  int64_t earliest, latest, length, height; /* the minimum of each */
} cumulative_task;

static cumulative_task task_of(const csp_engine *engine, const csp_prop *prop, uint32_t i) {
  uint32_t n = ((const csp_tasks *)prop->constraint->data)->count;
  const csp_domain *origin = csp_dom(engine, prop->scope[i]);
  return (cumulative_task){prop->scope[i],
                           prop->scope[2 * n + i],
                           csp_min(origin),
                           csp_max(origin),
                           csp_min(csp_dom(engine, prop->scope[n + i])),
                           csp_min(csp_dom(engine, prop->scope[2 * n + i]))};
}

static bool runs_for_sure(const cumulative_task *t) {
  return t->height > 0 && t->latest < t->earliest + t->length;
}

static int by_time(const void *a, const void *b) {
  const cumulative_span *x = a, *y = b;
  return (x->from > y->from) - (x->from < y->from);
}

/* Returns the largest load. */
static int64_t build(const csp_engine *engine, const csp_prop *prop, profile *p) {
  const csp_tasks *tasks = prop->constraint->data;
  uint32_t events = 0;
  for (uint32_t i = 0; i < tasks->count; i++) {
    cumulative_task t = task_of(engine, prop, i);
    if (!runs_for_sure(&t)) continue;
    p->spans[events++] = (cumulative_span){t.latest, t.height};
    p->spans[events++] = (cumulative_span){t.earliest + t.length, -t.height};
  }
  if (events > 1) qsort(p->spans, events, sizeof *p->spans, by_time);
  int64_t load = 0, most = 0;
  p->count = 0;
  for (uint32_t e = 0; e < events; e++) {
    load += p->spans[e].load;
    if (p->count > 0 && p->spans[p->count - 1].from == p->spans[e].from) p->count--;
    p->spans[p->count++] = (cumulative_span){p->spans[e].from, load};
  }
  for (uint32_t s = 0; s < p->count; s++)
    if (p->spans[s].load > most) most = p->spans[s].load;
  return most;
}

static int64_t span_end(const profile *p, uint32_t s) {
  return s + 1 < p->count ? p->spans[s + 1].from : INT64_MAX / 2;
}

/* The load of the others during span s. */
static int64_t others(const profile *p, uint32_t s, const cumulative_task *t) {
  bool own = runs_for_sure(t) && p->spans[s].from >= t->latest &&
             p->spans[s].from < t->earliest + t->length;
  return p->spans[s].load - (own ? t->height : 0);
}

/* Moves the earliest start past spans into which the task does not fit, and the
 * latest start before them. */
static bool find_room(csp_engine *engine, const profile *p, const cumulative_task *t,
                      int64_t limit) {
  int64_t earliest = t->earliest, latest = t->latest;
  for (uint32_t s = 0; s < p->count; s++)
    if (others(p, s, t) + t->height > limit && p->spans[s].from < earliest + t->length &&
        span_end(p, s) > earliest)
      earliest = span_end(p, s);
  for (uint32_t s = p->count; s-- > 0;)
    if (others(p, s, t) + t->height > limit && p->spans[s].from < latest + t->length &&
        span_end(p, s) > latest)
      latest = p->spans[s].from - t->length;
  return csp_at_least(engine, t->origin_var, earliest) &&
         csp_at_most(engine, t->origin_var, latest);
}

/* Where the task certainly runs, its height is bounded by the room that the
 * others leave; it runs at some time, so its height never exceeds the limit. */
static bool limit_height(csp_engine *engine, const profile *p, const cumulative_task *t,
                         int64_t limit) {
  bool sure = t->latest < t->earliest + t->length;
  for (uint32_t s = 0; s < p->count && sure; s++)
    if (p->spans[s].from < t->earliest + t->length && span_end(p, s) > t->latest &&
        !csp_at_most(engine, t->height_var, limit - others(p, s, t)))
      return false;
  return csp_at_most(engine, t->height_var, limit);
}

static bool tasks_propagate(csp_engine *engine, csp_prop *prop) {
  const csp_tasks *tasks = prop->constraint->data;
  profile *p = prop->state;
  alea_csp_var limit_var = prop->scope[3 * tasks->count];
  int64_t most = build(engine, prop, p);
  if (most > 0 && !csp_at_least(engine, limit_var, most)) return false;
  int64_t limit = csp_max(csp_dom(engine, limit_var));
  for (uint32_t i = 0; i < tasks->count; i++) {
    cumulative_task t =
        task_of(engine, prop, i); /* the profile has the old bounds, which are still valid */
    if (t.length <= 0) continue;
    if (!limit_height(engine, p, &t, limit)) return false;
    if (t.height > 0 && !find_room(engine, p, &t, limit)) return false;
  }
  return true;
}

const csp_type csp_tasks_type = {"cumulative", 2, false, tasks_check, tasks_start, tasks_propagate};

static bool negative(const alea_csp *csp, const alea_csp_var *vars, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (vars[i] >= csp->vars.count || csp_value(&csp->vars.data[vars[i]], 0) < 0) return true;
  return false;
}

alea_status alea_csp_cumulative(alea_csp *csp, const alea_csp_var *origins,
                                const alea_csp_var *lengths, const alea_csp_var *heights,
                                uint32_t count, alea_csp_var limit) {
  if (csp->state != ALEA_OK) return csp->state;
  if (count > UINT32_MAX / 4 || negative(csp, lengths, count) || negative(csp, heights, count))
    return csp_fail(csp, ALEA_USAGE);
  csp_tasks *data = csp_alloc(csp, 1, sizeof *data);
  alea_csp_var *scope = csp_alloc(csp, 3 * (size_t)count + 1, sizeof *scope);
  if (data == NULL || scope == NULL) return csp->state;
  *data = (csp_tasks){count};
  if (count != 0) {
    memcpy(scope, origins, count * sizeof *scope);
    memcpy(scope + count, lengths, count * sizeof *scope);
    memcpy(scope + 2 * (size_t)count, heights, count * sizeof *scope);
  }
  scope[3 * (size_t)count] = limit;
  return csp_post(csp, &csp_tasks_type, scope, 3 * count + 1, data);
}
