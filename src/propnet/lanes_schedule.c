/* The order of operations within windows: equal forms together, so that the
 * evaluator decides once per run and not once per operation what to do; and
 * fluents overwritten after their last reading, so that no copies are needed. */
#include <string.h>

#include "propnet/lanes_ops.h"

#define NONE UINT32_MAX

/* A queue of operations of one form that are ready. */
typedef struct queue {
  uint32_t key, head, tail, count;
} queue;

/* Operation of the window at hand. */
typedef struct item {
  uint32_t op;           /* index before reordering */
  uint32_t waiting;      /* operands not yet computed */
  uint32_t form;         /* index of its queue */
  uint32_t next;         /* in its queue */
  uint32_t first_reader; /* edges to those that wait for it */
} item;

typedef struct lanes_schedule_edge {
  uint32_t reader, next;
} lanes_schedule_edge;

typedef struct lanes_schedule_scheduler {
  alea_lanes_ops *ops;
  alea_mem *mem;
  uint32_t *maker;    /* per value: 1 + its item in the window, 0 outside */
  uint32_t *readings; /* per fluent: operands of operations not yet ordered */
  uint32_t *claimer;  /* per fluent: 1 + the blocked item that would overwrite it */
  ALEA_VEC(item) items;
  ALEA_VEC(lanes_schedule_edge) edges;
  ALEA_VEC(queue) queues;
  ALEA_VEC(alea_lanes_op) order; /* the result */
  ALEA_VEC(alea_lanes_op) copies;
  uint32_t left; /* items of the window not yet ordered */
  bool next_section;
} lanes_schedule_scheduler;

static const alea_lanes_op *item_op(const lanes_schedule_scheduler *s, uint32_t i) {
  return &s->ops->ops.data[s->items.data[i].op];
}

static bool is_fluent(const lanes_schedule_scheduler *s, uint32_t value) {
  return value >= 1 && value <= s->ops->logic->net->fluent_count;
}

/* ---- queues ---- */

static uint32_t queue_of(lanes_schedule_scheduler *s, uint32_t key) {
  for (uint32_t q = 0; q < s->queues.count; q++)
    if (s->queues.data[q].key == key) return q;
  queue fresh = {.key = key, .head = NONE, .tail = NONE};
  return alea_vec_push(s->mem, &s->queues, fresh) ? (uint32_t)s->queues.count - 1 : NONE;
}

static void enqueue(lanes_schedule_scheduler *s, uint32_t i) {
  queue *q = &s->queues.data[s->items.data[i].form];
  s->items.data[i].next = NONE;
  if (q->head == NONE)
    q->head = i;
  else
    s->items.data[q->tail].next = i;
  q->tail = i;
  q->count++;
}

static uint32_t dequeue(lanes_schedule_scheduler *s, queue *q) {
  uint32_t i = q->head;
  q->head = s->items.data[i].next;
  q->count--;
  return i;
}

/* ---- what blocks what ---- */

/* True when others have still to read the fluent that 'op' overwrites. */
static bool blocked(const lanes_schedule_scheduler *s, const alea_lanes_op *op) {
  if (op->fluent == ALEA_LANES_NO_FLUENT) return false;
  uint32_t own = 0, count = alea_lanes_form_operands(&op->form);
  for (uint32_t k = 0; k < count; k++)
    own += s->ops->operands.data[op->first + k] == op->fluent + 1;
  return s->readings[op->fluent] > own;
}

/* All operands of item i are there. */
static void becomes_ready(lanes_schedule_scheduler *s, uint32_t i) {
  const alea_lanes_op *op = item_op(s, i);
  if (blocked(s, op))
    s->claimer[op->fluent] = i + 1;
  else
    enqueue(s, i);
}

/* Operand 'value' was read by an operation that is now ordered. */
static void was_read(lanes_schedule_scheduler *s, uint32_t value) {
  if (!s->next_section || !is_fluent(s, value)) return;
  uint32_t f = value - 1;
  s->readings[f]--;
  uint32_t claimer = s->claimer[f];
  if (claimer == 0 || blocked(s, item_op(s, claimer - 1))) return;
  s->claimer[f] = 0;
  enqueue(s, claimer - 1);
}

/* Nothing is ready but operations that come too early: one of them leaves
 * its value elsewhere, to be copied at the end. */
static bool unblock_one(lanes_schedule_scheduler *s) {
  for (uint32_t i = 0; i < s->items.count; i++) {
    alea_lanes_op *op = &s->ops->ops.data[s->items.data[i].op];
    if (op->fluent == ALEA_LANES_NO_FLUENT || s->claimer[op->fluent] != i + 1) continue;
    alea_lanes_op copy = {.value = s->ops->value_count++,
                          .first = (uint32_t)s->ops->operands.count,
                          .form = {.plain = 1},
                          .segment = 0,
                          .fluent = op->fluent};
    s->claimer[op->fluent] = 0;
    op->fluent = ALEA_LANES_NO_FLUENT;
    enqueue(s, i);
    return alea_vec_push(s->mem, &s->ops->operands, op->value) &&
           alea_vec_push(s->mem, &s->copies, copy);
  }
  return false;
}

/* ---- one window ---- */

static bool add_edges(lanes_schedule_scheduler *s, uint32_t i) {
  const alea_lanes_op *op = item_op(s, i);
  uint32_t count = alea_lanes_form_operands(&op->form);
  for (uint32_t k = 0; k < count; k++) {
    uint32_t maker = s->maker[s->ops->operands.data[op->first + k]];
    if (maker == 0) continue;
    lanes_schedule_edge e = {.reader = i, .next = s->items.data[maker - 1].first_reader};
    s->items.data[maker - 1].first_reader = (uint32_t)s->edges.count;
    s->items.data[i].waiting++;
    if (!alea_vec_push(s->mem, &s->edges, e)) return false;
  }
  return true;
}

static bool open_window(lanes_schedule_scheduler *s, size_t first, size_t end) {
  s->items.count = s->edges.count = s->queues.count = 0;
  for (size_t op = first; op < end; op++) {
    const alea_lanes_op *o = &s->ops->ops.data[op];
    item fresh = {.op = (uint32_t)op,
                  .form = queue_of(s, alea_lanes_form_key(&o->form)),
                  .first_reader = NONE};
    if (fresh.form == NONE || !alea_vec_push(s->mem, &s->items, fresh)) return false;
    if (!add_edges(s, (uint32_t)s->items.count - 1)) return false;
    s->maker[o->value] = (uint32_t)s->items.count;
  }
  s->left = (uint32_t)s->items.count;
  for (uint32_t i = 0; i < s->items.count; i++)
    if (s->items.data[i].waiting == 0) becomes_ready(s, i);
  return true;
}

static void close_window(lanes_schedule_scheduler *s) {
  for (uint32_t i = 0; i < s->items.count; i++) s->maker[item_op(s, i)->value] = 0;
}

static bool emit(lanes_schedule_scheduler *s, uint32_t i) {
  alea_lanes_op op = *item_op(s, i);
  uint32_t count = alea_lanes_form_operands(&op.form);
  s->left--;
  for (uint32_t k = 0; k < count; k++) was_read(s, s->ops->operands.data[op.first + k]);
  for (uint32_t e = s->items.data[i].first_reader; e != NONE; e = s->edges.data[e].next) {
    uint32_t reader = s->edges.data[e].reader;
    if (--s->items.data[reader].waiting == 0) becomes_ready(s, reader);
  }
  return alea_vec_push(s->mem, &s->order, op);
}

/* The longest queue; NULL when all are empty. */
static queue *choose(lanes_schedule_scheduler *s) {
  queue *best = NULL;
  for (uint32_t q = 0; q < s->queues.count; q++)
    if (s->queues.data[q].count > (best == NULL ? 0 : best->count)) best = &s->queues.data[q];
  return best;
}

static bool order_window(lanes_schedule_scheduler *s, size_t first, size_t end) {
  if (!open_window(s, first, end)) return false;
  while (s->left > 0) {
    queue *q = choose(s);
    if (q == NULL) {
      if (!unblock_one(s)) return false;
      continue;
    }
    while (q->count > 0)
      if (!emit(s, dequeue(s, q))) return false;
  }
  close_window(s);
  return true;
}

/* ---- sections ---- */

static void count_readings(lanes_schedule_scheduler *s, size_t first, size_t end) {
  for (size_t i = first; i < end; i++) {
    const alea_lanes_op *op = &s->ops->ops.data[i];
    uint32_t count = alea_lanes_form_operands(&op->form);
    for (uint32_t k = 0; k < count; k++) {
      uint32_t value = s->ops->operands.data[op->first + k];
      if (is_fluent(s, value)) s->readings[value - 1]++;
    }
  }
}

static bool order_section(lanes_schedule_scheduler *s, size_t first, size_t end, uint32_t window) {
  if (s->next_section) count_readings(s, first, end);
  while (first < end) {
    size_t stop = first;
    uint32_t segment = s->ops->ops.data[first].segment;
    while (stop < end && stop - first < window && s->ops->ops.data[stop].segment == segment) stop++;
    if (!order_window(s, first, stop)) return false;
    first = stop;
  }
  for (size_t i = 0; i < s->copies.count; i++) {
    uint32_t last = s->order.data[s->order.count - 1].segment;
    s->copies.data[i].segment = last + last % 2; /* no cycle */
    if (!alea_vec_push(s->mem, &s->order, s->copies.data[i])) return false;
  }
  return true;
}

static bool order_all(lanes_schedule_scheduler *s, uint32_t window) {
  size_t first = 0;
  for (int section = 0; section < ALEA_LANES_SECTIONS; section++) {
    size_t end = s->ops->section_end[section];
    s->next_section = section == ALEA_LANES_NEXT;
    if (!order_section(s, first, end, window)) return false;
    s->ops->section_end[section] = s->order.count;
    first = end;
  }
  return true;
}

alea_status alea_lanes_ops_schedule(alea_lanes_ops *ops, uint32_t window) {
  alea_mem *mem = ops->mem;
  size_t fluents = ops->logic->net->fluent_count, values = ops->value_count;
  lanes_schedule_scheduler s = {.ops = ops, .mem = mem};
  s.maker = alea_mem_calloc(mem, values, sizeof *s.maker);
  s.readings = alea_mem_calloc(mem, fluents, sizeof *s.readings);
  s.claimer = alea_mem_calloc(mem, fluents, sizeof *s.claimer);
  bool ok = s.maker != NULL && s.readings != NULL && s.claimer != NULL && order_all(&s, window);
  alea_mem_free(mem, s.maker, values * sizeof *s.maker);
  alea_mem_free(mem, s.readings, fluents * sizeof *s.readings);
  alea_mem_free(mem, s.claimer, fluents * sizeof *s.claimer);
  alea_vec_clear(mem, &s.items);
  alea_vec_clear(mem, &s.edges);
  alea_vec_clear(mem, &s.queues);
  alea_vec_clear(mem, &s.copies);
  if (ok) {
    alea_vec_clear(mem, &ops->ops);
    ops->ops.data = s.order.data;
    ops->ops.count = s.order.count;
    ops->ops.capacity = s.order.capacity;
  } else {
    alea_vec_clear(mem, &s.order);
  }
  return ok ? ALEA_OK : alea_mem_lack(mem);
}
