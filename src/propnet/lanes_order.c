/* Unit resolution on Horn clauses in linear time (Dowling, Gallier, J. Logic Programming 3,
 * 1984), breadth first: the order in which gates become true. */
#include "propnet/lanes_order.h"

#define NONE UINT32_MAX

/* A gate of the part reads another one. */
typedef struct lanes_order_reading {
  uint32_t reader, next;
} lanes_order_reading;

typedef struct lanes_order_part {
  alea_lanes_order *order;
  const alea_net *net;
  alea_mem *mem;
  uint32_t first, count;
  uint32_t *waiting; /* per gate: inputs that must become true first; then, of those on the
                        stack, the next input to look at */
  uint32_t *readers; /* per gate: the first of its readings */
  alea_u32s fired;   /* gates as they become true */
  ALEA_VEC(lanes_order_reading) readings;
} lanes_order_part;

static const alea_net_gate *gate_of(const lanes_order_part *x, uint32_t i) {
  return &x->net->gates[x->first + i - x->net->first_gate];
}

static bool fire(lanes_order_part *x, uint32_t i) {
  x->order->place.data[i] = 0;
  return alea_vec_push(x->mem, &x->fired, i);
}

/* An AND waits for all gates of the part that it reads, an OR for one, or for none where it
 * reads something else too. */
static bool note_readings(lanes_order_part *x, uint32_t i) {
  const alea_net_gate *gate = gate_of(x, i);
  uint32_t inside = 0;
  for (uint32_t k = 0; k < gate->input_count; k++)
    inside += (x->net->inputs.data[gate->first_input + k] >> 1) - x->first < x->count;
  bool one = gate->kind == ALEA_GATE_OR && inside == gate->input_count;
  x->waiting[i] = one ? 1 : gate->kind == ALEA_GATE_OR ? 0 : inside;
  x->order->place.data[i] = NONE;
  return alea_vec_reserve(x->mem, &x->readings, inside);
}

static void link_readings(lanes_order_part *x, uint32_t i) {
  const alea_net_gate *gate = gate_of(x, i);
  for (uint32_t k = 0; k < gate->input_count; k++) {
    uint32_t in = (x->net->inputs.data[gate->first_input + k] >> 1) - x->first;
    if (in >= x->count) continue;
    lanes_order_reading reading = {.reader = i, .next = x->readers[in]};
    x->readers[in] = (uint32_t)x->readings.count;
    x->readings.data[x->readings.count++] = reading;
  }
}

/* Gates that never become true come last. */
static bool propagate(lanes_order_part *x) {
  for (uint32_t i = 0; i < x->count; i++)
    if (x->waiting[i] == 0 && !fire(x, i)) return false;
  for (size_t done = 0; done < x->fired.count; done++) {
    uint32_t reading = x->readers[x->fired.data[done]];
    for (; reading != NONE; reading = x->readings.data[reading].next) {
      uint32_t reader = x->readings.data[reading].reader;
      if (x->waiting[reader] == 0 || --x->waiting[reader] > 0) continue;
      if (!fire(x, reader)) return false;
    }
  }
  for (uint32_t i = 0; i < x->count; i++)
    if (x->order->place.data[i] == NONE && !fire(x, i)) return false;
  return true;
}

/* The next OR of the part that gate i reads and that has no place yet; NONE: no more. */
static uint32_t next_or(lanes_order_part *x, uint32_t i) {
  const alea_net_gate *gate = gate_of(x, i);
  while (x->waiting[i] < gate->input_count) {
    uint32_t in = (x->net->inputs.data[gate->first_input + x->waiting[i]++] >> 1) - x->first;
    if (in < x->count && x->order->place.data[in] == NONE && gate_of(x, in)->kind == ALEA_GATE_OR)
      return in;
  }
  return NONE;
}

/* Places gate i after the ORs that it reads, and those that they read. */
static bool place(lanes_order_part *x, uint32_t i, alea_u32s *stack) {
  while (i != NONE) {
    x->order->place.data[i] = x->count; /* on the stack */
    x->waiting[i] = 0;
    if (!alea_vec_push(x->mem, stack, i)) return false;
    while (stack->count > 0 && (i = next_or(x, stack->data[stack->count - 1])) == NONE) {
      uint32_t done = stack->data[--stack->count];
      x->order->place.data[done] = (uint32_t)x->order->nodes.count;
      if (!alea_vec_push(x->mem, &x->order->nodes, x->first + done)) return false;
    }
  }
  return true;
}

static bool place_all(lanes_order_part *x) {
  alea_u32s stack = {0};
  bool ok = true;
  for (uint32_t i = 0; i < x->count; i++) x->order->place.data[i] = NONE;
  for (int ors = 0; ors < 2; ors++) /* those that no AND reads come last */
    for (size_t k = 0; ok && k < x->fired.count; k++) {
      uint32_t i = x->fired.data[k];
      bool mine = (gate_of(x, i)->kind == ALEA_GATE_OR) == (ors == 1);
      if (mine && x->order->place.data[i] == NONE) ok = place(x, i, &stack);
    }
  alea_vec_clear(x->mem, &stack);
  return ok;
}

static bool order_part(lanes_order_part *x) {
  x->order->nodes.count = 0;
  x->order->place.count = 0;
  if (!alea_vec_reserve(x->mem, &x->order->place, x->count)) return false;
  x->order->place.count = x->count;
  for (uint32_t i = 0; i < x->count; i++) {
    if (!note_readings(x, i)) return false;
    link_readings(x, i);
  }
  return propagate(x) && place_all(x);
}

bool alea_lanes_order_part(alea_lanes_order *order, const alea_net *net, size_t cycle,
                           alea_mem *mem) {
  uint32_t first = net->cycles.data[cycle].first, last = net->cycles.data[cycle].last;
  lanes_order_part x = {
      .order = order, .net = net, .mem = mem, .first = first, .count = last - first + 1};
  x.waiting = alea_mem_calloc(mem, x.count, sizeof *x.waiting);
  x.readers = alea_mem_calloc(mem, x.count, sizeof *x.readers);
  bool ok = x.waiting != NULL && x.readers != NULL;
  for (uint32_t i = 0; ok && i < x.count; i++) x.readers[i] = NONE;
  ok = ok && order_part(&x);
  alea_mem_free(mem, x.waiting, x.count * sizeof *x.waiting);
  alea_mem_free(mem, x.readers, x.count * sizeof *x.readers);
  alea_vec_clear(mem, &x.readings);
  alea_vec_clear(mem, &x.fired);
  return ok;
}

void alea_lanes_order_clear(alea_lanes_order *order, alea_mem *mem) {
  alea_vec_clear(mem, &order->nodes);
  alea_vec_clear(mem, &order->place);
}
