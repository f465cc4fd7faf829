/* Guards: taking what most legal moves of a role have in common out of them.
 *
 * Whose turn it is is an input of nearly every legality and changes with
 * every step: in breakthrough 310 of the 336 counters that a step touches
 * because of fluents are due to it.  So where the legality of a move, or of a
 * few, is an AND that nobody else reads, the input that most moves of the role share becomes
 * a guard: the gate does without it, and the guard is looked at when the list
 * of legal moves is read off.  An input that a large part of the moves share
 * besides is a second guard, as in amazons that nobody is shooting. */
#include <string.h>

#include "propnet/image.h"

enum { MIN_MOVES = 4, MIN_PART = 4 }; /* one in so many moves shares a second guard */

typedef struct guards_finder {
  alea_image *image;
  const alea_net *net;
  uint32_t *uses;       /* per gate: readers and roots */
  uint32_t *own;        /* per gate: moves of the role whose legality it is */
  uint32_t *moves_with; /* per literal: moves of the role that have it as conjunct */
  alea_image_conjuncts guards[ALEA_MAX_GUARDS];
  uint32_t guard_count;
} guards_finder;

/* Whether a literal is that a gate is active. */
static bool is_active_gate(const alea_net *net, alea_lit lit) {
  return lit >> 1 >= net->first_gate && alea_net_is_or(net, lit >> 1) == ((lit & 1) != 0);
}

/* The gate whose being active is the legality of 'move', if it serves nothing
 * else than this role's legalities; or NULL. */
static const alea_net_gate *own_gate(const guards_finder *f, uint32_t move) {
  const alea_net *net = f->net;
  alea_lit lit = net->legal[move];
  if (!is_active_gate(net, lit)) return NULL;
  uint32_t gate = (lit >> 1) - net->first_gate;
  if (f->uses[gate] != f->own[gate]) return NULL;
  for (size_t i = 0; i < net->cycles.count; i++)
    if (lit >> 1 >= net->cycles.data[i].first && lit >> 1 <= net->cycles.data[i].last) return NULL;
  return &net->gates[gate];
}

/* Counts the moves of a role per gate, or takes them back (step UINT32_MAX). */
static void count_own(guards_finder *f, uint32_t role, uint32_t step) {
  const alea_net *net = f->net;
  for (uint32_t m = net->move_first[role]; m < net->move_first[role + 1]; m++)
    if (is_active_gate(net, net->legal[m])) f->own[(net->legal[m] >> 1) - net->first_gate] += step;
}

/* An active OR has only false inputs: its conjuncts are their negations. */
static alea_lit conjunct(const alea_net *net, const alea_net_gate *g, uint32_t i) {
  return net->inputs.data[g->first_input + i] ^ (g->kind == ALEA_GATE_OR ? 1u : 0u);
}

static void count_role(guards_finder *f, uint32_t role, uint32_t step) {
  const alea_net *net = f->net;
  for (uint32_t m = net->move_first[role]; m < net->move_first[role + 1]; m++) {
    const alea_net_gate *g = own_gate(f, m);
    for (uint32_t i = 0; g != NULL && i < g->input_count; i++)
      f->moves_with[conjunct(net, g, i)] += step;
  }
}

/* The place of a pair among the guards of the role, added if there is room. */
static uint32_t guard_number(guards_finder *f, alea_image_conjuncts pair) {
  for (uint32_t i = 0; i < f->guard_count; i++)
    if (f->guards[i].lits[0] == pair.lits[0] && f->guards[i].lits[1] == pair.lits[1]) return i;
  if (f->guard_count == ALEA_MAX_GUARDS) return 0;
  f->guards[f->guard_count] = pair;
  return f->guard_count++;
}

/* The conjunct of a legality that the most moves share, more than 'most' and not
 * 'other'; true if there is none. */
static alea_lit most_shared(const guards_finder *f, const alea_net_gate *g, uint32_t most,
                            alea_lit other) {
  alea_lit best = ALEA_LIT_TRUE;
  for (uint32_t i = 0; i < g->input_count; i++) {
    alea_lit lit = conjunct(f->net, g, i);
    if (lit == other || f->moves_with[lit] <= most) continue;
    most = f->moves_with[lit];
    best = lit;
  }
  return best;
}

/* Chooses the guards of 'move', one of 'moves' of its role: 0 for none. */
static uint32_t choose(guards_finder *f, uint32_t move, uint32_t moves) {
  const alea_net_gate *g = own_gate(f, move);
  alea_image_conjuncts pair = {{ALEA_LIT_TRUE, ALEA_LIT_TRUE}};
  if (g != NULL) pair.lits[0] = most_shared(f, g, MIN_MOVES - 1, ALEA_LIT_TRUE);
  if (pair.lits[0] != ALEA_LIT_TRUE)
    pair.lits[1] = most_shared(f, g, MIN_MOVES + moves / MIN_PART, pair.lits[0]);
  return guard_number(f, pair);
}

static bool write_role(guards_finder *f, uint32_t role, const uint8_t *chosen) {
  alea_image *image = f->image;
  const alea_net *net = f->net;
  uint32_t moves = net->move_first[role + 1] - net->move_first[role], words = (moves + 63) / 64;
  uint64_t *masks = alea_arena_alloc(&image->arena, (size_t)f->guard_count * words * sizeof *masks);
  alea_image_guard *guards = alea_arena_alloc(&image->arena, f->guard_count * sizeof *guards);
  if (masks == NULL || guards == NULL) return false;
  memset(masks, 0, (size_t)f->guard_count * words * sizeof *masks);
  for (uint32_t i = 0; i < f->guard_count; i++)
    guards[i] = (alea_image_guard){f->guards[i], masks + (size_t)i * words};
  for (uint32_t m = 0; m < moves; m++) {
    uint8_t number = chosen[m];
    masks[(size_t)number * words + m / 64] |= UINT64_C(1) << (m % 64);
    uint32_t node = net->legal[net->move_first[role] + m] >> 1;
    if (number != 0) image->guards_of_gate[node - net->first_gate] = f->guards[number];
  }
  image->guards[role] = guards;
  image->guard_count[role] = f->guard_count;
  return true;
}

static bool find_role(guards_finder *f, uint32_t role, uint8_t *chosen) {
  const alea_net *net = f->net;
  f->guards[0] = (alea_image_conjuncts){{ALEA_LIT_TRUE, ALEA_LIT_TRUE}};
  f->guard_count = 1;
  count_own(f, role, 1);
  count_role(f, role, 1);
  uint32_t first = net->move_first[role], moves = net->move_first[role + 1] - first;
  for (uint32_t m = 0; m < moves; m++) chosen[m] = (uint8_t)choose(f, first + m, moves);
  count_role(f, role, UINT32_MAX);
  count_own(f, role, UINT32_MAX);
  return write_role(f, role, chosen);
}

bool alea_image_find_guards(alea_image *image, alea_mem *mem) {
  const alea_net *net = image->net;
  size_t lits = 2 * ((size_t)net->first_gate + net->gate_count);
  guards_finder f = {.image = image, .net = net};
  f.uses = alea_mem_calloc(mem, net->gate_count, sizeof *f.uses);
  f.own = alea_mem_calloc(mem, net->gate_count, sizeof *f.own);
  f.moves_with = alea_mem_calloc(mem, lits, sizeof *f.moves_with);
  uint8_t *chosen = alea_mem_alloc(mem, net->move_count);
  bool ok = f.uses != NULL && f.own != NULL && f.moves_with != NULL && chosen != NULL;
  if (ok) alea_net_count_uses(net, f.uses);
  for (uint32_t role = 0; ok && role < net->role_count; role++) ok = find_role(&f, role, chosen);
  alea_mem_free(mem, f.uses, net->gate_count * sizeof *f.uses);
  alea_mem_free(mem, f.own, net->gate_count * sizeof *f.own);
  alea_mem_free(mem, f.moves_with, lits * sizeof *f.moves_with);
  alea_mem_free(mem, chosen, net->move_count);
  return ok;
}
