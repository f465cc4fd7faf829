/* Effects of moves: the network is folded once for each move. */
#include "planning/effects.h"

#include <string.h>

typedef struct folder {
  const alea_net *net;
  alea_effects *e;
  alea_mem *mem;
  uint32_t move;      /* node of the move at work */
  alea_lit *as;       /* per gate of the phase NEXT: what it folds to */
  uint32_t *stamps;   /* per node: of the move for which it is known, */
  uint8_t *known;     /* with this value */
  uint8_t *cyclic;    /* per gate of the phase NEXT */
  alea_u32s stack;    /* literals that hold, to be looked into */
  alea_u32s unclear;  /* move, fluent: neither kept nor turned */
  uint32_t *agreeing; /* per fluent: moves with which it becomes clock[fluent] */
} folder;

static uint32_t next_first(const alea_net *net) { return net->phase_end[ALEA_PHASE_GOAL]; }
static uint32_t next_count(const alea_net *net) {
  return net->phase_end[ALEA_PHASE_NEXT] - next_first(net);
}

static alea_lit fold_lit(const folder *f, alea_lit lit) {
  const alea_net *net = f->net;
  uint32_t node = lit >> 1;
  if (f->stamps[node] == f->move)
    return (f->known[node] ? ALEA_LIT_TRUE : ALEA_LIT_FALSE) ^ (lit & 1);
  if (node > net->fluent_count && node < net->first_gate)
    return (node == f->move ? ALEA_LIT_TRUE : ALEA_LIT_FALSE) ^ (lit & 1);
  bool behind = node >= next_first(net) && node < net->phase_end[ALEA_PHASE_NEXT];
  return behind ? f->as[node - next_first(net)] ^ (lit & 1) : lit;
}

static alea_lit fold_gate(const folder *f, uint32_t node) {
  const alea_net_gate *gate = &f->net->gates[node - f->net->first_gate];
  const alea_lit *inputs = f->net->inputs.data + gate->first_input;
  alea_lit decides = gate->kind == ALEA_GATE_OR ? ALEA_LIT_TRUE : ALEA_LIT_FALSE;
  alea_lit neutral = decides ^ 1, only = neutral;
  bool several = false;
  for (uint32_t i = 0; i < gate->input_count; i++) {
    alea_lit lit = fold_lit(f, inputs[i]);
    if (lit == decides || (lit == (only ^ 1) && only != neutral)) return decides;
    if (lit == neutral || lit == only) continue;
    several |= only != neutral;
    only = lit;
  }
  return several ? 2 * node : only;
}

/* What follows from the literal, which holds. */
static bool assume(folder *f, alea_lit lit) {
  const alea_net *net = f->net;
  f->stack.count = 0;
  if (!alea_vec_push(f->mem, &f->stack, lit)) return false;
  while (f->stack.count > 0) {
    lit = f->stack.data[--f->stack.count];
    uint32_t node = lit >> 1;
    if (f->stamps[node] == f->move) continue;
    f->stamps[node] = f->move;
    f->known[node] = !(lit & 1);
    if (node < net->first_gate) continue;
    const alea_net_gate *gate = &net->gates[node - net->first_gate];
    if ((gate->kind == ALEA_GATE_OR) != (lit & 1)) continue;
    for (uint32_t i = 0; i < gate->input_count; i++)
      if (!alea_vec_push(f->mem, &f->stack, net->inputs.data[gate->first_input + i] ^ (lit & 1)))
        return false;
  }
  return true;
}

/* What becomes of a fluent by the move. */
static bool note(folder *f, alea_move move, uint32_t fluent) {
  alea_lit own = 2 * (1 + fluent), was = fold_lit(f, own);
  alea_lit is = fold_lit(f, f->net->next[fluent]);
  if (is == was) return true;
  if (f->agreeing[fluent] == 0) f->e->clock[fluent] = is;
  f->agreeing[fluent] += f->e->clock[fluent] == is;
  if (is <= ALEA_LIT_FALSE)
    return alea_vec_push(f->mem, &f->e->changes, own | (is == ALEA_LIT_FALSE));
  return alea_vec_push(f->mem, &f->unclear, move) && alea_vec_push(f->mem, &f->unclear, fluent);
}

static alea_status fold_move(folder *f, alea_move move) {
  const alea_net *net = f->net;
  f->move = 1 + net->fluent_count + move;
  if (net->legal[move] == ALEA_LIT_FALSE) return ALEA_OK;
  if (!assume(f, net->legal[move])) return alea_mem_lack(f->mem);
  uint32_t first = next_first(net);
  for (uint32_t i = 0; i < next_count(net); i++)
    f->as[i] = f->cyclic[i] ? 2 * (first + i) : fold_gate(f, first + i);
  for (uint32_t i = 0; i < net->fluent_count; i++)
    if (!note(f, move, i)) return alea_mem_lack(f->mem);
  return ALEA_OK;
}

/* Clocks are what all possible moves agree on, and what is no clock makes its
 * moves other than plain. */
static void judge(folder *f, uint32_t moves) {
  alea_effects *e = f->e;
  for (uint32_t i = 0; i < e->fluent_count; i++)
    if (f->agreeing[i] == 0 || f->agreeing[i] < moves) e->clock[i] = ALEA_NO_CLOCK;
  for (size_t i = 0; i < f->unclear.count; i += 2)
    if (e->clock[f->unclear.data[i + 1]] == ALEA_NO_CLOCK) e->plain[f->unclear.data[i]] = 0;
}

static alea_status fold_all(folder *f, const alea_deadline *deadline) {
  const alea_net *net = f->net;
  uint32_t possible = 0;
  for (alea_move m = 0; m < net->move_count; m++) {
    if (alea_deadline_passed(deadline)) return ALEA_LIMIT;
    f->e->first[m] = (uint32_t)f->e->changes.count;
    alea_status status = fold_move(f, m);
    if (status != ALEA_OK) return status;
    f->e->plain[m] = net->legal[m] != ALEA_LIT_FALSE;
    possible += f->e->plain[m];
  }
  f->e->first[net->move_count] = (uint32_t)f->e->changes.count;
  judge(f, possible);
  return ALEA_OK;
}

static bool make_arrays(folder *f) {
  const alea_net *net = f->net;
  alea_effects *e = f->e;
  uint32_t nodes = net->first_gate + net->gate_count;
  e->plain = alea_mem_calloc(f->mem, net->move_count, 1);
  e->first = alea_mem_calloc(f->mem, net->move_count + (size_t)1, sizeof *e->first);
  e->clock = alea_mem_calloc(f->mem, net->fluent_count, sizeof *e->clock);
  f->as = alea_mem_calloc(f->mem, next_count(net), sizeof *f->as);
  f->cyclic = alea_mem_calloc(f->mem, next_count(net), 1);
  f->stamps = alea_mem_calloc(f->mem, nodes, sizeof *f->stamps);
  f->known = alea_mem_calloc(f->mem, nodes, 1);
  f->agreeing = alea_mem_calloc(f->mem, net->fluent_count, sizeof *f->agreeing);
  return e->plain != NULL && e->first != NULL && e->clock != NULL && f->as != NULL &&
         f->cyclic != NULL && f->stamps != NULL && f->known != NULL && f->agreeing != NULL;
}

static void free_arrays(folder *f) {
  const alea_net *net = f->net;
  uint32_t nodes = net->first_gate + net->gate_count;
  alea_mem_free(f->mem, f->as, next_count(net) * sizeof *f->as);
  alea_mem_free(f->mem, f->cyclic, next_count(net));
  alea_mem_free(f->mem, f->stamps, nodes * sizeof *f->stamps);
  alea_mem_free(f->mem, f->known, nodes);
  alea_mem_free(f->mem, f->agreeing, net->fluent_count * sizeof *f->agreeing);
  alea_vec_clear(f->mem, &f->stack);
  alea_vec_clear(f->mem, &f->unclear);
}

alea_status alea_effects_init(alea_effects *effects, const alea_net *net,
                              const alea_deadline *deadline, alea_mem *mem) {
  *effects =
      (alea_effects){.mem = mem, .move_count = net->move_count, .fluent_count = net->fluent_count};
  folder f = {.net = net, .e = effects, .mem = mem};
  alea_status status = make_arrays(&f) ? ALEA_OK : alea_mem_lack(mem);
  for (size_t i = 0; status == ALEA_OK && i < net->cycles.count; i++)
    for (uint32_t node = net->cycles.data[i].first; node <= net->cycles.data[i].last; node++)
      if (node >= next_first(net) && node < net->phase_end[ALEA_PHASE_NEXT])
        f.cyclic[node - next_first(net)] = 1;
  if (status == ALEA_OK) status = fold_all(&f, deadline);
  free_arrays(&f);
  return status;
}

void alea_effects_clear(alea_effects *e) {
  alea_mem_free(e->mem, e->plain, e->move_count);
  alea_mem_free(e->mem, e->first, (e->move_count + (size_t)1) * sizeof *e->first);
  alea_mem_free(e->mem, e->clock, e->fluent_count * sizeof *e->clock);
  alea_vec_clear(e->mem, &e->changes);
}
