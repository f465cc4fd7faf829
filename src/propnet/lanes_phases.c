/* Clocks that are not made of fluents alone.
 *
 * In Amazons a queen moves, then shoots.  Whether the next step is a shot is the OR of a
 * hundred fluents, one for each square where the queen may be that shoots; none of them is a
 * clock.  But if none is true, the player can only move, and then one becomes true; and if
 * one is, no move is legal, and then none is.  That follows from the rules, and whose turn it
 * is follows from that.
 *
 * So fluents and ORs of fluents are tried together.  Beginning with their values in the
 * initial position, the network is evaluated with false, true and unknown: what is not tried
 * is unknown, moves whose legality is false are not made, and everything else follows.  What
 * turns out unknown after a step is tried no more, and the evaluation begins again.  What
 * remains, and is after some steps as it was, is the clock: its values hold at every tick,
 * by induction, whatever is played.
 *
 * One thing does not follow gate by gate: every role makes one of its legal moves.  So an OR
 * is true in the next state if its fluents are made true by moves that are all those that may
 * be legal for some role. */
#include <string.h>

#include "propnet/lanes_clock.h"

enum {
  MAX_CONE = 256,  /* gates under the next value of a fluent that is tried */
  MAX_LITS = 4096, /* fluents under a gate that is tried, and gates */
  MAX_ROUNDS = 64, /* evaluations of all ticks */
};
#define UNKNOWN ALEA_LANES_FREE

typedef struct lanes_phases_finder {
  const alea_net *net;
  alea_mem *mem;
  alea_lanes_clock *clock; /* its gates are those that are tried */
  size_t node_count;
  uint8_t *value; /* per node: an alea_lanes_known */
  uint8_t *after; /* per fluent: in the next state */
  uint32_t *gate; /* per node: 1 + the gate of the clock that it is */
  uint32_t *seen; /* per node: the last search that visited it */
  uint32_t searches;
  uint8_t *in;      /* per item: still tried; items are fluents, then gates of the clock */
  uint8_t *history; /* [tick * item_count + item], ticks 0 .. ALEA_LANES_MAX_TICKS */
  size_t item_count;
  uint32_t rounds;
  alea_u32s stack;
} lanes_phases_finder;

static const alea_net_gate *gate_at(const alea_net *net, uint32_t node) {
  return &net->gates[node - net->first_gate];
}

static bool is_fluent(const alea_net *net, uint32_t node) {
  return node >= 1 && node <= net->fluent_count;
}

static uint8_t opposite(uint8_t value) { return value == UNKNOWN ? UNKNOWN : !value; }

static uint8_t lit_value(const lanes_phases_finder *x, alea_lit lit) {
  return (lit & 1) != 0 ? opposite(x->value[lit >> 1]) : x->value[lit >> 1];
}

/* ---- what is tried ---- */

static bool push_new(lanes_phases_finder *x, uint32_t node) {
  if (x->seen[node] == x->searches) return true;
  x->seen[node] = x->searches;
  return alea_vec_push(x->mem, &x->stack, node);
}

/* Adds 'root' to the gates of the clock if it is an OR, or an AND, of nothing but fluents;
 * '*added' says whether.  False without memory. */
static bool try_gate(lanes_phases_finder *x, uint32_t root, bool *added) {
  const alea_net *net = x->net;
  alea_lanes_clock *clock = x->clock;
  bool ands = gate_at(net, root)->kind == ALEA_GATE_AND;
  alea_lanes_clock_gate made = {
      .node = root, .first = (uint32_t)clock->lits.count, .complement = ands};
  size_t base = x->stack.count;
  uint32_t looks = 0;
  *added = true;
  if (!alea_vec_push(x->mem, &x->stack, root)) return false;
  while (x->stack.count > base) {
    const alea_net_gate *g = gate_at(net, x->stack.data[--x->stack.count]);
    for (uint32_t i = 0; *added && i < g->input_count; i++) {
      alea_lit in = net->inputs.data[g->first_input + i];
      bool gate = in >> 1 >= net->first_gate;
      *added =
          gate ? (in & 1) == 0 && gate_at(net, in >> 1)->kind == g->kind : is_fluent(net, in >> 1);
      *added &= clock->lits.count - made.first < MAX_LITS && ++looks < MAX_LITS;
      bool room = !gate ? alea_vec_push(x->mem, &clock->lits, in ^ ands)
                        : alea_vec_push(x->mem, &x->stack, in >> 1);
      if (!room) return false;
    }
    if (!*added) break;
  }
  x->stack.count = base;
  made.count = (uint32_t)clock->lits.count - made.first;
  if (!*added) clock->lits.count = made.first;
  if (*added) x->gate[root] = (uint32_t)clock->gates.count + 1;
  return !*added || alea_vec_push(x->mem, &clock->gates, made);
}

/* Looks at what the next value of fluent f depends on.  It is tried if that is little, and no
 * move; ORs of fluents in it are tried too, and not looked into. */
static bool try_fluent(lanes_phases_finder *x, uint32_t f) {
  uint32_t size = 0;
  x->searches++;
  x->stack.count = 0;
  x->in[f] = true;
  if (!push_new(x, x->net->next[f] >> 1)) return false;
  while (x->in[f] && x->stack.count > 0) {
    uint32_t node = x->stack.data[--x->stack.count];
    if (node == 0 || is_fluent(x->net, node)) continue;
    x->in[f] = node >= x->net->first_gate && ++size <= MAX_CONE;
    bool added = !x->in[f] || x->gate[node] != 0;
    if (!added && !try_gate(x, node, &added)) return false;
    const alea_net_gate *g = added ? NULL : gate_at(x->net, node);
    for (uint32_t i = 0; g != NULL && i < g->input_count; i++)
      if (!push_new(x, x->net->inputs.data[g->first_input + i] >> 1)) return false;
  }
  return true;
}

/* ---- one step ---- */

static uint8_t gate_value(const lanes_phases_finder *x, const alea_net_gate *gate) {
  uint8_t stop = gate->kind == ALEA_GATE_OR, result = !stop;
  for (uint32_t i = 0; i < gate->input_count; i++) {
    uint8_t value = lit_value(x, x->net->inputs.data[gate->first_input + i]);
    if (value == stop) return stop;
    if (value == UNKNOWN) result = UNKNOWN;
  }
  return result;
}

/* Gates first .. end-1, once.  In cyclic parts that is not all that follows, but what does
 * holds for every solution of their equations. */
static void evaluate(lanes_phases_finder *x, uint32_t first, uint32_t end) {
  const alea_net *net = x->net;
  size_t fluents = net->fluent_count;
  for (uint32_t node = first; node < end; node++) {
    size_t item = x->gate[node] == 0 ? SIZE_MAX : fluents + x->gate[node] - 1;
    if (item == SIZE_MAX || !x->in[item]) x->value[node] = gate_value(x, gate_at(net, node));
  }
}

/* What is known at tick 't', before anything follows from it. */
static void know(lanes_phases_finder *x, uint32_t t) {
  const alea_lanes_clock *clock = x->clock;
  const uint8_t *now = x->history + t * x->item_count;
  size_t fluents = x->net->fluent_count;
  memset(x->value, UNKNOWN, x->node_count);
  x->value[0] = true;
  for (size_t i = 0; i < clock->gates.count; i++) {
    const alea_lanes_clock_gate *gate = &clock->gates.data[i];
    if (!x->in[fluents + i]) continue;
    x->value[gate->node] = now[fluents + i];
    for (uint32_t k = 0; now[fluents + i] == gate->complement && k < gate->count; k++)
      x->value[clock->lits.data[gate->first + k] >> 1] =
          (clock->lits.data[gate->first + k] & 1) != 0;
  }
  for (uint32_t f = 0; f < fluents; f++)
    if (x->in[f]) x->value[1 + f] = now[f];
}

/* Moves that are not legal are not made; a role with one move makes it. */
static void choose_moves(lanes_phases_finder *x) {
  const alea_net *net = x->net;
  for (uint32_t r = 0; r < net->role_count; r++) {
    uint32_t possible = 0, last = 0;
    for (uint32_t m = net->move_first[r]; m < net->move_first[r + 1]; m++) {
      bool never = lit_value(x, net->legal[m]) == false;
      x->value[1 + net->fluent_count + m] = never ? false : UNKNOWN;
      if (!never) last = m;
      possible += !never;
    }
    if (possible == 1) x->value[1 + net->fluent_count + last] = true;
  }
}

/* ---- what moves make true ---- */

/* Marks everything that makes 'lit' true by itself. */
static bool mark_causes(lanes_phases_finder *x, alea_lit lit) {
  const alea_net *net = x->net;
  alea_u32s *stack = &x->stack;
  stack->count = 0;
  if (!alea_vec_push(x->mem, stack, lit)) return false;
  while (stack->count > 0) {
    lit = stack->data[--stack->count];
    uint32_t node = lit >> 1;
    bool move = node > net->fluent_count && node < net->first_gate;
    if (x->seen[node] == x->searches || (move && (lit & 1) != 0)) continue;
    if (node < net->first_gate) {
      if (move) x->seen[node] = x->searches;
      continue;
    }
    const alea_net_gate *gate = gate_at(net, node);
    if ((gate->kind == ALEA_GATE_OR) == ((lit & 1) != 0)) continue;
    x->seen[node] = x->searches;
    for (uint32_t i = 0; i < gate->input_count; i++)
      if (!alea_vec_push(x->mem, stack, net->inputs.data[gate->first_input + i] ^ (lit & 1)))
        return false;
  }
  return true;
}

/* Whether all moves that some role may make are marked. */
static bool covers_a_role(const lanes_phases_finder *x) {
  const alea_net *net = x->net;
  for (uint32_t r = 0; r < net->role_count; r++) {
    uint32_t possible = 0, marked = 0;
    for (uint32_t m = net->move_first[r]; m < net->move_first[r + 1]; m++) {
      uint32_t node = 1 + net->fluent_count + m;
      if (x->value[node] == false) continue;
      possible++;
      marked += x->seen[node] == x->searches;
    }
    if (possible > 0 && marked == possible) return true;
  }
  return false;
}

/* The value of a gate of the clock in the next state; false without memory. */
static bool gate_after(lanes_phases_finder *x, const alea_lanes_clock_gate *gate, uint8_t *result) {
  const alea_lit *lits = x->clock->lits.data + gate->first;
  uint8_t any = false;
  for (uint32_t k = 0; k < gate->count && any != true; k++) {
    uint8_t value = x->after[(lits[k] >> 1) - 1];
    if ((lits[k] & 1) != 0) value = opposite(value);
    if (value != false) any = value;
  }
  if (any == UNKNOWN) {
    x->searches++;
    for (uint32_t k = 0; k < gate->count; k++)
      if (!mark_causes(x, x->net->next[(lits[k] >> 1) - 1] ^ (lits[k] & 1))) return false;
    if (covers_a_role(x)) any = true;
  }
  *result = gate->complement ? opposite(any) : any;
  return true;
}

/* From tick 't' to the next; items that are unknown there are tried no more. */
static bool step(lanes_phases_finder *x, uint32_t t, bool *dropped) {
  const alea_net *net = x->net;
  uint8_t *then = x->history + (t + 1) * x->item_count;
  know(x, t);
  evaluate(x, net->first_gate, net->phase_end[ALEA_PHASE_GOAL]);
  choose_moves(x);
  evaluate(x, net->phase_end[ALEA_PHASE_GOAL], net->phase_end[ALEA_PHASE_NEXT]);
  for (uint32_t f = 0; f < net->fluent_count; f++) {
    then[f] = x->after[f] = lit_value(x, net->next[f]);
    if (!x->in[f] || then[f] != UNKNOWN) continue;
    x->in[f] = false;
    *dropped = true;
  }
  for (size_t i = 0; i < x->clock->gates.count; i++) {
    size_t item = net->fluent_count + i;
    if (!x->in[item]) continue;
    if (!gate_after(x, &x->clock->gates.data[i], &then[item])) return false;
    if (then[item] != UNKNOWN) continue;
    x->in[item] = false;
    *dropped = true;
  }
  return true;
}

/* Drops what does not hold; '*settled' says whether that came to an end. */
static bool settle(lanes_phases_finder *x, bool *settled) {
  for (*settled = false; !*settled && x->rounds < MAX_ROUNDS; x->rounds++) {
    bool dropped = false;
    for (uint32_t t = 0; !dropped && t < ALEA_LANES_MAX_TICKS; t++)
      if (!step(x, t, &dropped)) return false;
    *settled = !dropped;
  }
  return true;
}

/* ---- the clock ---- */

/* Drops what is not as it was after 'ticks' steps, until nothing is; the number of items
 * that move, 0 when that did not come to an end. */
static bool close_cycle(lanes_phases_finder *x, uint32_t ticks, uint32_t *moving) {
  bool settled = true, dropped = true;
  *moving = 0;
  while (settled && dropped) {
    dropped = false;
    for (size_t i = 0; i < x->item_count; i++) {
      if (!x->in[i] || x->history[ticks * x->item_count + i] == x->history[i]) continue;
      x->in[i] = false;
      dropped = true;
    }
    if (dropped && !settle(x, &settled)) return false;
  }
  for (size_t i = 0; settled && i < x->item_count; i++) {
    bool moves = false;
    for (uint32_t t = 1; t < ticks; t++)
      moves |= x->history[t * x->item_count + i] != x->history[i];
    *moving += x->in[i] && moves;
  }
  return true;
}

/* Writes down the clock of 'ticks' ticks that is left. */
static bool set_clock(lanes_phases_finder *x, uint32_t ticks) {
  alea_lanes_clock *clock = x->clock;
  uint32_t fluents = x->net->fluent_count;
  clock->ticks = ticks;
  for (uint32_t f = 0; f < fluents; f++)
    if (x->in[f] && !alea_vec_push(x->mem, &clock->fluents, f)) return false;
  for (uint32_t t = 0; t < ticks; t++)
    for (uint32_t f = 0; f < fluents; f++)
      clock->fixed[(size_t)t * fluents + f] =
          x->in[f] ? x->history[t * x->item_count + f] : ALEA_LANES_FREE;
  for (uint32_t t = 0; t < ticks; t++)
    for (size_t i = 0; i < clock->gates.count; i++)
      if (x->in[fluents + i] &&
          !alea_vec_push(x->mem, &clock->gate_values, x->history[t * x->item_count + fluents + i]))
        return false;
  size_t kept = 0;
  for (size_t i = 0; i < clock->gates.count; i++)
    if (x->in[fluents + i]) clock->gates.data[kept++] = clock->gates.data[i];
  clock->gates.count = kept;
  return true;
}

/* The shortest cycle that something goes through. */
static bool choose(lanes_phases_finder *x) {
  bool settled;
  uint8_t *tried = alea_mem_calloc(x->mem, x->item_count, 1);
  bool ok = tried != NULL && settle(x, &settled);
  if (ok) memcpy(tried, x->in, x->item_count);
  for (uint32_t ticks = 2; ok && settled && ticks <= ALEA_LANES_MAX_TICKS; ticks++) {
    uint32_t moving;
    memcpy(x->in, tried, x->item_count);
    ok = settle(x, &settled) && close_cycle(x, ticks, &moving);
    if (!ok || moving == 0) continue;
    ok = set_clock(x, ticks);
    break;
  }
  alea_mem_free(x->mem, tried, x->item_count);
  return ok;
}

static bool search(lanes_phases_finder *x) {
  const alea_net *net = x->net;
  uint8_t *fluents_in = x->in;
  bool some = false;
  for (uint32_t f = 0; f < net->fluent_count; f++) {
    if (!try_fluent(x, f)) return false;
    some |= x->in[f];
  }
  if (!some || x->clock->gates.count == 0) return true;
  x->item_count = net->fluent_count + x->clock->gates.count;
  x->in = alea_mem_calloc(x->mem, x->item_count, 1);
  x->history = alea_mem_calloc(x->mem, x->item_count, ALEA_LANES_MAX_TICKS + 1);
  bool ok = x->in != NULL && x->history != NULL;
  if (ok) {
    memset(x->in + net->fluent_count, 1, x->clock->gates.count);
    memcpy(x->in, fluents_in, net->fluent_count);
    memcpy(x->history, net->init, net->fluent_count);
    for (size_t i = 0; i < x->clock->gates.count; i++) {
      const alea_lanes_clock_gate *gate = &x->clock->gates.data[i];
      bool any = false;
      for (uint32_t k = 0; k < gate->count; k++) {
        alea_lit lit = x->clock->lits.data[gate->first + k];
        any |= net->init[(lit >> 1) - 1] != (lit & 1);
      }
      x->history[net->fluent_count + i] = any != gate->complement;
    }
    ok = choose(x);
  }
  alea_mem_free(x->mem, x->in, x->item_count);
  alea_mem_free(x->mem, x->history, x->item_count * (ALEA_LANES_MAX_TICKS + 1));
  x->in = fluents_in;
  return ok;
}

alea_status alea_lanes_find_phases(alea_lanes_clock *clock, const alea_net *net) {
  alea_mem *mem = clock->mem;
  lanes_phases_finder x = {.net = net,
                           .mem = mem,
                           .clock = clock,
                           .node_count = (size_t)net->first_gate + net->gate_count};
  x.value = alea_mem_calloc(mem, x.node_count, 1);
  x.gate = alea_mem_calloc(mem, x.node_count, sizeof *x.gate);
  x.seen = alea_mem_calloc(mem, x.node_count, sizeof *x.seen);
  x.after = alea_mem_calloc(mem, net->fluent_count, 1);
  x.in = alea_mem_calloc(mem, net->fluent_count, 1);
  bool ok = x.value != NULL && x.gate != NULL && x.seen != NULL && x.after != NULL &&
            x.in != NULL && search(&x);
  alea_mem_free(mem, x.value, x.node_count);
  alea_mem_free(mem, x.gate, x.node_count * sizeof *x.gate);
  alea_mem_free(mem, x.seen, x.node_count * sizeof *x.seen);
  alea_mem_free(mem, x.after, net->fluent_count);
  alea_mem_free(mem, x.in, net->fluent_count);
  alea_vec_clear(mem, &x.stack);
  if (clock->ticks == 0) clock->gates.count = clock->lits.count = 0;
  return ok ? ALEA_OK : alea_mem_lack(mem);
}
