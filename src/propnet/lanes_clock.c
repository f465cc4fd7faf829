/* Finding the clock of a game: fluents that depend on nothing but each other,
 * and come back to where they were after a few steps. */
#include "propnet/lanes_clock.h"

#include <string.h>

/* Next literals with larger cones are not looked into: they are no clocks,
 * and the search must not cost more than a few passes over the net. */
enum { MAX_CONE = 256 };

typedef struct lanes_clock_finder {
  const alea_net *net;
  alea_mem *mem;
  size_t node_count;
  uint8_t *value;   /* per net node */
  uint32_t *seen;   /* per net node: the last cone that visited it */
  uint8_t *in;      /* per fluent: still a candidate */
  uint8_t *history; /* [step * fluent_count + fluent], steps 0 .. ALEA_LANES_MAX_TICKS */
  alea_u32s stack;
  alea_u32s support;       /* fluents in the cones, back to back */
  alea_u32s support_first; /* per fluent, and one more */
} lanes_clock_finder;

/* ---- what a fluent depends on ---- */

static bool visit(lanes_clock_finder *x, uint32_t node, uint32_t mark, uint32_t *size) {
  if (x->seen[node] == mark) return true;
  x->seen[node] = mark;
  ++*size;
  if (node != 0 && node <= x->net->fluent_count)
    return alea_vec_push(x->mem, &x->support, node - 1);
  return alea_vec_push(x->mem, &x->stack, node);
}

/* Adds the fluents on which fluent f's next value depends to 'support'; f is
 * no candidate when a move or too many gates are among them. */
static bool trace(lanes_clock_finder *x, uint32_t f) {
  const alea_net *net = x->net;
  uint32_t size = 0;
  x->stack.count = 0;
  x->in[f] = true;
  if (!visit(x, net->next[f] >> 1, f + 1, &size)) return false;
  while (x->stack.count > 0) {
    uint32_t node = x->stack.data[--x->stack.count];
    if (node == 0) continue;
    if (node < net->first_gate || size > MAX_CONE) {
      x->in[f] = false;
      return true;
    }
    const alea_net_gate *gate = &net->gates[node - net->first_gate];
    for (uint32_t i = 0; i < gate->input_count; i++)
      if (!visit(x, net->inputs.data[gate->first_input + i] >> 1, f + 1, &size)) return false;
  }
  return true;
}

static bool trace_all(lanes_clock_finder *x) {
  for (uint32_t f = 0; f < x->net->fluent_count; f++) {
    if (!alea_vec_push(x->mem, &x->support_first, (uint32_t)x->support.count)) return false;
    if (!trace(x, f)) return false;
  }
  return alea_vec_push(x->mem, &x->support_first, (uint32_t)x->support.count);
}

/* Drops candidates that depend on others than candidates, until none does. */
static void close_candidates(const lanes_clock_finder *x, uint8_t *in) {
  bool changed = true;
  while (changed) {
    changed = false;
    for (uint32_t f = 0; f < x->net->fluent_count; f++) {
      if (!in[f]) continue;
      for (uint32_t i = x->support_first.data[f]; i < x->support_first.data[f + 1]; i++)
        if (!in[x->support.data[i]]) in[f] = false;
      changed |= !in[f];
    }
  }
}

/* ---- how the candidates go on ---- */

static bool lit_value(const lanes_clock_finder *x, alea_lit lit) {
  return x->value[lit >> 1] ^ (lit & 1);
}

static bool gate_value(const lanes_clock_finder *x, const alea_net_gate *gate) {
  bool stop = gate->kind == ALEA_GATE_OR;
  for (uint32_t i = 0; i < gate->input_count; i++)
    if (lit_value(x, x->net->inputs.data[gate->first_input + i]) == stop) return stop;
  return !stop;
}

/* Gates first .. end-1; true when some value changed. */
static bool evaluate(lanes_clock_finder *x, uint32_t first, uint32_t end) {
  bool changed = false;
  for (uint32_t node = first; node < end; node++) {
    bool value = gate_value(x, &x->net->gates[node - x->net->first_gate]);
    changed |= x->value[node] != value;
    x->value[node] = value;
  }
  return changed;
}

/* All gates, with the moves false: candidates do not depend on moves. */
static void evaluate_all(lanes_clock_finder *x) {
  const alea_net *net = x->net;
  memset(x->value + net->first_gate, 0, net->gate_count);
  uint32_t from = net->first_gate;
  for (size_t c = 0; c < net->cycles.count; c++) {
    const alea_net_cycle *cycle = &net->cycles.data[c];
    evaluate(x, from, cycle->first);
    while (evaluate(x, cycle->first, cycle->last + 1)) continue;
    from = cycle->last + 1;
  }
  evaluate(x, from, net->first_gate + net->gate_count);
}

static void simulate(lanes_clock_finder *x) {
  const alea_net *net = x->net;
  x->value[0] = true;
  memcpy(x->history, net->init, net->fluent_count);
  for (uint32_t step = 0; step < ALEA_LANES_MAX_TICKS; step++) {
    uint8_t *now = x->history + (size_t)step * net->fluent_count;
    memcpy(x->value + 1, now, net->fluent_count);
    evaluate_all(x);
    for (uint32_t f = 0; f < net->fluent_count; f++)
      now[net->fluent_count + f] = lit_value(x, net->next[f]);
  }
}

/* Candidates that are back after 'ticks' steps, into 'in'; the number of
 * those that did not stand still. */
static uint32_t periodic(const lanes_clock_finder *x, uint32_t ticks, uint8_t *in) {
  uint32_t fluents = x->net->fluent_count, moving = 0;
  const uint8_t *then = x->history + (size_t)ticks * fluents;
  for (uint32_t f = 0; f < fluents; f++) in[f] = x->in[f] && then[f] == x->history[f];
  close_candidates(x, in);
  for (uint32_t f = 0; f < fluents; f++) {
    bool moves = false;
    for (uint32_t step = 1; step < ticks; step++)
      moves |= x->history[(size_t)step * fluents + f] != x->history[f];
    moving += in[f] && moves;
  }
  return moving;
}

/* ---- the clock ---- */

/* The period that explains the most fluents, the shortest of those. */
static alea_status choose(lanes_clock_finder *x, alea_lanes_clock *clock) {
  uint32_t fluents = x->net->fluent_count, best = 0;
  uint8_t *in = alea_mem_calloc(x->mem, fluents, 1);
  if (in == NULL) return alea_mem_lack(x->mem);
  for (uint32_t ticks = 2; ticks <= ALEA_LANES_MAX_TICKS; ticks++) {
    uint32_t moving = periodic(x, ticks, in);
    if (moving <= best) continue;
    best = moving;
    clock->ticks = ticks;
  }
  periodic(x, clock->ticks, in);
  bool ok = true;
  for (uint32_t f = 0; ok && clock->ticks > 0 && f < fluents; f++)
    if (in[f]) ok = alea_vec_push(x->mem, &clock->fluents, f);
  for (uint32_t tick = 0; tick < clock->ticks; tick++)
    for (uint32_t f = 0; f < fluents; f++) {
      size_t at = (size_t)tick * fluents + f;
      clock->fixed[at] = !in[f]           ? ALEA_LANES_FREE
                         : x->history[at] ? ALEA_LANES_TRUE
                                          : ALEA_LANES_FALSE;
    }
  alea_mem_free(x->mem, in, fluents);
  return ok ? ALEA_OK : alea_mem_lack(x->mem);
}

static alea_status find(lanes_clock_finder *x, alea_lanes_clock *clock) {
  size_t fluents = x->net->fluent_count;
  x->value = alea_mem_calloc(x->mem, x->node_count, 1);
  x->seen = alea_mem_calloc(x->mem, x->node_count, sizeof *x->seen);
  x->in = alea_mem_calloc(x->mem, fluents, 1);
  x->history = alea_mem_calloc(x->mem, fluents, ALEA_LANES_MAX_TICKS + 1);
  clock->fixed = alea_mem_calloc(x->mem, fluents, ALEA_LANES_MAX_TICKS);
  if (x->value == NULL || x->seen == NULL || x->in == NULL || x->history == NULL ||
      clock->fixed == NULL || !trace_all(x))
    return alea_mem_lack(x->mem);
  close_candidates(x, x->in);
  simulate(x);
  return choose(x, clock);
}

alea_status alea_lanes_clock_init(alea_lanes_clock *clock, const alea_net *net, alea_mem *mem) {
  *clock = (alea_lanes_clock){.mem = mem, .fluent_count = net->fluent_count};
  lanes_clock_finder x = {
      .net = net, .mem = mem, .node_count = (size_t)net->first_gate + net->gate_count};
  alea_status status = find(&x, clock);
  alea_mem_free(mem, x.value, x.node_count);
  alea_mem_free(mem, x.seen, x.node_count * sizeof *x.seen);
  alea_mem_free(mem, x.in, net->fluent_count);
  alea_mem_free(mem, x.history, (size_t)net->fluent_count * (ALEA_LANES_MAX_TICKS + 1));
  alea_vec_clear(mem, &x.stack);
  alea_vec_clear(mem, &x.support);
  alea_vec_clear(mem, &x.support_first);
  if (status == ALEA_OK && clock->ticks == 0) status = alea_lanes_find_phases(clock, net);
  if (status != ALEA_OK) alea_lanes_clock_clear(clock);
  return status;
}

void alea_lanes_clock_clear(alea_lanes_clock *clock) {
  alea_mem_free(clock->mem, clock->fixed, (size_t)clock->fluent_count * ALEA_LANES_MAX_TICKS);
  alea_vec_clear(clock->mem, &clock->fluents);
  alea_vec_clear(clock->mem, &clock->gates);
  alea_vec_clear(clock->mem, &clock->lits);
  alea_vec_clear(clock->mem, &clock->gate_values);
  clock->fixed = NULL;
  clock->ticks = 0;
}

static bool holds(const alea_lanes_clock *clock, const alea_lanes_clock_gate *gate,
                  const uint64_t *words) {
  bool any = false;
  for (uint32_t k = 0; !any && k < gate->count; k++) {
    alea_lit lit = clock->lits.data[gate->first + k];
    uint32_t f = (lit >> 1) - 1;
    any = (words[f / 64] >> (f % 64) & 1) != (lit & 1);
  }
  return any != gate->complement;
}

uint32_t alea_lanes_clock_tick(const alea_lanes_clock *clock, const uint64_t *words) {
  for (uint32_t tick = 0; tick < clock->ticks; tick++) {
    const uint8_t *fixed = clock->fixed + (size_t)tick * clock->fluent_count;
    bool here = true;
    for (size_t i = 0; here && i < clock->fluents.count; i++) {
      uint32_t f = clock->fluents.data[i]; /* all others are free */
      here = fixed[f] == (words[f / 64] >> (f % 64) & 1);
    }
    for (size_t i = 0; here && i < clock->gates.count; i++)
      here = holds(clock, &clock->gates.data[i], words) ==
             clock->gate_values.data[tick * clock->gates.count + i];
    if (here) return tick;
  }
  return clock->ticks;
}
