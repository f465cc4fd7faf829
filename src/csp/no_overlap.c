/* Boxes that do not overlap: each pair is disjoint in some dimension.  In one
 * dimension tasks must also fit between the earliest of their starts and the
 * latest of their ends. */
#include <stdlib.h>

#include "csp/constraints.h"

static bool box_ignored(const csp_boxes *boxes, const int32_t *lengths, uint32_t i) {
  if (!boxes->zero_ignored) return false;
  for (uint32_t d = 0; d < boxes->dims; d++)
    if (lengths[i * boxes->dims + d] == 0) return true;
  return false;
}

static bool boxes_check(const alea_csp *csp, const csp_constraint *constraint,
                        const int32_t *values) {
  (void)csp;
  const csp_boxes *boxes = constraint->data;
  uint32_t k = boxes->dims;
  const int32_t *lengths = values + (size_t)boxes->count * k;
  for (uint32_t i = 0; i < boxes->count; i++)
    for (uint32_t j = 0; j < i; j++) {
      bool apart = box_ignored(boxes, lengths, i) || box_ignored(boxes, lengths, j);
      for (uint32_t d = 0; d < k && !apart; d++) {
        uint32_t a = i * k + d, b = j * k + d;
        apart = (int64_t)values[a] + lengths[a] <= values[b] ||
                (int64_t)values[b] + lengths[b] <= values[a];
      }
      if (!apart) return false;
    }
  return true;
}

typedef struct no_overlap_task { /* a task in one dimension */
  int64_t start, end, length;
} no_overlap_task;

static bool boxes_start(csp_engine *engine, csp_prop *prop) {
  const csp_boxes *boxes = prop->constraint->data;
  if (boxes->dims == 1) {
    prop->state = alea_arena_alloc(&engine->arena, (boxes->count + 1) * sizeof(no_overlap_task));
    if (prop->state == NULL) return false;
  }
  return csp_watch_scope(engine, prop, true);
}

static bool may_be_ignored(const csp_engine *engine, const csp_prop *prop, uint32_t i) {
  const csp_boxes *boxes = prop->constraint->data;
  if (!boxes->zero_ignored) return false;
  for (uint32_t d = 0; d < boxes->dims; d++)
    if (csp_min(csp_dom(engine, prop->scope[(boxes->count + i) * boxes->dims + d])) <= 0)
      return true;
  return false;
}

typedef struct order { /* "box a ends before box b starts" in one dimension */
  alea_csp_var start, length, then;
} order;

static order order_of(const csp_prop *prop, uint32_t a, uint32_t b, uint32_t d) {
  const csp_boxes *boxes = prop->constraint->data;
  uint32_t k = boxes->dims;
  return (order){prop->scope[a * k + d], prop->scope[(boxes->count + a) * k + d],
                 prop->scope[b * k + d]};
}

static bool possible(const csp_engine *engine, order o) {
  return (int64_t)csp_min(csp_dom(engine, o.start)) + csp_min(csp_dom(engine, o.length)) <=
         csp_max(csp_dom(engine, o.then));
}

static bool certain(const csp_engine *engine, order o) {
  return (int64_t)csp_max(csp_dom(engine, o.start)) + csp_max(csp_dom(engine, o.length)) <=
         csp_min(csp_dom(engine, o.then));
}

static bool enforce(csp_engine *engine, order o) {
  int64_t start = csp_min(csp_dom(engine, o.start)), length = csp_min(csp_dom(engine, o.length));
  int64_t then = csp_max(csp_dom(engine, o.then));
  return csp_at_least(engine, o.then, start + length) &&
         csp_at_most(engine, o.start, then - length) && csp_at_most(engine, o.length, then - start);
}

static bool keep_apart(csp_engine *engine, csp_prop *prop, uint32_t i, uint32_t j) {
  const csp_boxes *boxes = prop->constraint->data;
  uint32_t ways = 0;
  order only = {0};
  for (uint32_t d = 0; d < boxes->dims; d++)
    for (int turn = 0; turn < 2; turn++) {
      order o = turn == 0 ? order_of(prop, i, j, d) : order_of(prop, j, i, d);
      if (certain(engine, o)) return true;
      if (!possible(engine, o)) continue;
      ways++;
      only = o;
    }
  return ways > 1 || (ways == 1 && enforce(engine, only));
}

static int by_end(const void *a, const void *b) {
  const no_overlap_task *x = a, *y = b;
  return (x->end > y->end) - (x->end < y->end);
}

/* For every start a and end b: the tasks between them need at most b - a. */
static bool fit(const csp_engine *engine, const csp_prop *prop) {
  const csp_boxes *boxes = prop->constraint->data;
  no_overlap_task *tasks = prop->state;
  uint32_t n = 0;
  for (uint32_t i = 0; i < boxes->count; i++) {
    const csp_domain *origin = csp_dom(engine, prop->scope[i]);
    int64_t length = csp_min(csp_dom(engine, prop->scope[boxes->count + i]));
    if (length > 0)
      tasks[n++] = (no_overlap_task){csp_min(origin), csp_max(origin) + length, length};
  }
  if (n > 1) qsort(tasks, n, sizeof *tasks, by_end);
  for (uint32_t i = 0; i < n; i++) {
    int64_t need = 0;
    for (uint32_t j = 0; j < n; j++) {
      if (tasks[j].start < tasks[i].start) continue;
      need += tasks[j].length;
      if (need > tasks[j].end - tasks[i].start) return false;
    }
  }
  return true;
}

static bool boxes_propagate(csp_engine *engine, csp_prop *prop) {
  const csp_boxes *boxes = prop->constraint->data;
  for (uint32_t i = 0; i < boxes->count; i++) {
    if (may_be_ignored(engine, prop, i)) continue;
    for (uint32_t j = 0; j < i; j++)
      if (!may_be_ignored(engine, prop, j) && !keep_apart(engine, prop, i, j)) return false;
  }
  return boxes->dims != 1 || fit(engine, prop);
}

const csp_type csp_boxes_type = {"noOverlap", 2, false, boxes_check, boxes_start, boxes_propagate};

static bool negative(const alea_csp *csp, const alea_csp_var *vars, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (vars[i] >= csp->vars.count || csp_value(&csp->vars.data[vars[i]], 0) < 0) return true;
  return false;
}

alea_status alea_csp_no_overlap(alea_csp *csp, const alea_csp_var *origins,
                                const alea_csp_var *lengths, uint32_t count, uint32_t dims,
                                bool zero_ignored) {
  size_t cells = (size_t)count * dims;
  if (csp->state != ALEA_OK) return csp->state;
  if (dims == 0 || cells > UINT32_MAX / 4 || negative(csp, lengths, cells))
    return csp_fail(csp, ALEA_USAGE);
  csp_boxes *data = csp_alloc(csp, 1, sizeof *data);
  alea_csp_var *scope = csp_alloc(csp, 2 * cells + 1, sizeof *scope);
  if (data == NULL || scope == NULL) return csp->state;
  *data = (csp_boxes){count, dims, zero_ignored};
  if (cells != 0) memcpy(scope, origins, cells * sizeof *scope);
  if (cells != 0) memcpy(scope + cells, lengths, cells * sizeof *scope);
  return csp_post(csp, &csp_boxes_type, scope, (uint32_t)(2 * cells), data);
}
