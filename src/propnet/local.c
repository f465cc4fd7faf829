/* Simplifying one AND, looking at most one gate down.
 *
 * stamps[lit] holds what the AND under construction says of a literal: IN
 * (epoch) for an input, IMPLIED (epoch + 1) for what follows from another
 * input.  A move implies its legality, since only legal moves are made, and
 * that no other move of the role is made. */
#include "propnet/rebuild.h"

enum {
  MAX_SPLICE = 4096, /* a longer AND stays, or a chain of them would cost its square */
  MAX_LOOK = 64,     /* inputs of a gate that is looked into */
  MAX_IMPLIED = 16,  /* implications followed per AND; 256 find hardly more */
  MAX_ROUNDS = 4,
};

static bool is_open_and(const alea_graph *graph, alea_lit lit) {
  if (!alea_graph_is_gate(graph, lit)) return false;
  const alea_graph_gate *g = alea_graph_gate_of(graph, lit);
  return g->kind == ALEA_GATE_AND && !g->cyclic;
}

static bool is_shared(const alea_rebuild *r, alea_lit lit) {
  return r->shared.data[(lit >> 1) - r->to->leaf_count] != 0;
}

static bool list_push(alea_rebuild *r, alea_lit lit) {
  if (!alea_vec_push(r->mem, &r->list, lit)) r->failed = true;
  return !r->failed;
}

/* AND(a, AND(b, c)) becomes AND(a, b, c) unless others read the inner one. */
static bool splice(alea_rebuild *r) {
  const alea_graph *to = r->to;
  for (size_t i = 0; i < r->list.count;) {
    alea_lit lit = r->list.data[i];
    if ((lit & 1) != 0 || !is_open_and(to, lit) || is_shared(r, lit) ||
        alea_graph_gate_of(to, lit)->count > MAX_SPLICE) {
      i++;
      continue;
    }
    const alea_graph_gate *g = alea_graph_gate_of(to, lit);
    r->list.data[i] = r->list.data[--r->list.count];
    for (uint32_t k = 0; k < g->count; k++)
      if (!list_push(r, to->inputs.data[g->first + k])) return false;
  }
  return true;
}

/* Sorts, removes duplicates and true; false: the AND is constantly false. */
static bool normalise(alea_rebuild *r) {
  alea_lit *data = r->list.data;
  alea_sort_u32(data, r->list.count);
  size_t kept = 0;
  for (size_t i = 0; i < r->list.count; i++) {
    if (data[i] == ALEA_LIT_TRUE) continue;
    if (data[i] == ALEA_LIT_FALSE) return false;
    if (kept > 0 && data[kept - 1] == data[i]) continue;
    if (kept > 0 && data[kept - 1] == (data[i] ^ 1)) return false;
    data[kept++] = data[i];
  }
  r->list.count = kept;
  return true;
}

/* ---- absorption ---- */

static bool imply(alea_rebuild *r, alea_lit lit) {
  if (r->stamps.data[lit] == r->epoch + 1) return true;
  r->stamps.data[lit] = r->epoch + 1;
  if (r->work.count >= MAX_IMPLIED) return true;
  if (!alea_vec_push(r->mem, &r->work, lit)) r->failed = true;
  return !r->failed;
}

/* Stamps what follows from 'lit' in one step. */
static bool follow(alea_rebuild *r, alea_lit lit) {
  if ((lit & 1) != 0) return true;
  const alea_graph *to = r->to;
  if (alea_graph_is_move(to, lit)) {
    if ((r->what & ALEA_REBUILD_MOVES) == 0) return true;
    uint32_t move = alea_rebuild_move(r, lit);
    uint32_t role = r->role_of_move[move];
    r->role_stamp[role] = r->epoch;
    r->role_move[role] = lit;
    alea_lit legal = alea_rebuild_legality(r, move);
    return legal <= ALEA_LIT_FALSE || imply(r, legal);
  }
  if (!is_open_and(to, lit) || alea_graph_gate_of(to, lit)->count > MAX_LOOK) return true;
  const alea_graph_gate *g = alea_graph_gate_of(to, lit);
  for (uint32_t i = 0; i < g->count; i++)
    if (!imply(r, to->inputs.data[g->first + i])) return false;
  return true;
}

static bool stamp_context(alea_rebuild *r) {
  r->epoch += 2;
  r->work.count = 0;
  for (size_t i = 0; i < r->list.count; i++) r->stamps.data[r->list.data[i]] = r->epoch;
  for (size_t i = 0; i < r->list.count; i++)
    if (!follow(r, r->list.data[i])) return false;
  for (size_t i = 0; i < r->work.count; i++)
    if (!follow(r, r->work.data[i])) return false;
  return true;
}

static bool is_false(const alea_rebuild *r, alea_lit lit) {
  return r->stamps.data[lit ^ 1] >= r->epoch;
}

/* Whether the context excludes that 'move' is legal. */
static bool is_illegal(const alea_rebuild *r, uint32_t move) {
  alea_lit legal = alea_rebuild_legality(r, move);
  if (legal <= ALEA_LIT_FALSE) return false;
  if (is_false(r, legal)) return true;
  if ((legal & 1) != 0 || !is_open_and(r->to, legal)) return false;
  const alea_graph_gate *g = alea_graph_gate_of(r->to, legal);
  for (uint32_t i = 0; i < g->count && i < MAX_LOOK; i++)
    if (is_false(r, r->to->inputs.data[g->first + i])) return true;
  return false;
}

/* 1: the context makes 'lit' true, 0: false, -1: neither. */
static int known(const alea_rebuild *r, alea_lit lit) {
  if (r->stamps.data[lit] >= r->epoch) return 1;
  if (is_false(r, lit)) return 0;
  if (!alea_graph_is_move(r->to, lit) || (r->what & ALEA_REBUILD_MOVES) == 0) return -1;
  uint32_t move = alea_rebuild_move(r, lit);
  bool other = r->role_stamp[r->role_of_move[move]] == r->epoch; /* another one is made */
  return other || is_illegal(r, move) ? (int)(lit & 1) : -1;
}

/* What NOT AND(inputs of 'lit') comes to in this context. */
static alea_lit reduce(alea_rebuild *r, alea_lit lit) {
  const alea_graph_gate g = *alea_graph_gate_of(r->to, lit);
  alea_lit rest[MAX_LOOK];
  uint32_t count = 0;
  for (uint32_t i = 0; i < g.count; i++) {
    alea_lit input = r->to->inputs.data[g.first + i];
    int value = known(r, input);
    if (value == 0) return ALEA_LIT_TRUE;
    if (value < 0) rest[count++] = input;
  }
  if (count == g.count) return lit;
  if (count == 0) return ALEA_LIT_FALSE;
  if (count == 1) return rest[0] ^ 1;
  /* A shared gate stays anyway: a shorter copy would be an extra one. */
  if (is_shared(r, lit)) {
    alea_lit found = alea_rebuild_find(r, ALEA_GATE_AND, rest, count);
    return found != ALEA_NO_LIT ? found ^ 1 : lit;
  }
  return alea_rebuild_cons(r, ALEA_GATE_AND, rest, count) ^ 1;
}

static bool absorb(alea_rebuild *r, bool *changed) {
  if (!stamp_context(r)) return false;
  size_t kept = 0;
  for (size_t i = 0; i < r->list.count; i++) {
    alea_lit lit = r->list.data[i];
    if (r->stamps.data[lit ^ 1] >= r->epoch) return false;
    if (r->stamps.data[lit] == r->epoch + 1) continue; /* follows from another input */
    if ((lit & 1) != 0 && (r->what & ALEA_REBUILD_MOVES) != 0 && alea_graph_is_move(r->to, lit) &&
        is_illegal(r, alea_rebuild_move(r, lit)))
      continue;
    if ((lit & 1) != 0 && is_open_and(r->to, lit) &&
        alea_graph_gate_of(r->to, lit)->count <= MAX_LOOK) {
      alea_lit reduced = reduce(r, lit);
      if (r->failed || reduced == ALEA_LIT_FALSE) return false;
      if (reduced != lit) *changed = true;
      if (reduced == ALEA_LIT_TRUE) continue;
      lit = reduced;
    }
    r->list.data[kept++] = lit;
  }
  r->list.count = kept;
  return true;
}

/* What is known of moves; false: constantly false. */
static bool use_moves(alea_rebuild *r, bool *changed) {
  bool expanded = false, rewritten = false;
  alea_rebuild_expand_sets(r, &expanded);
  if (r->failed || (expanded && !normalise(r))) return false;
  if (!alea_rebuild_moves(r, &rewritten)) return false;
  alea_rebuild_join_cases(r, &rewritten);
  alea_rebuild_intersect(r, &rewritten);
  if (r->failed) return false;
  *changed = *changed || rewritten;
  return !rewritten || normalise(r);
}

alea_lit alea_rebuild_and(alea_rebuild *r) {
  bool changed = true;
  for (int round = 0; changed && round < MAX_ROUNDS; round++) {
    changed = false;
    if ((r->what & ALEA_REBUILD_FLATTEN) != 0 && !splice(r)) return ALEA_LIT_FALSE;
    if (!normalise(r)) return ALEA_LIT_FALSE;
    if ((r->what & ALEA_REBUILD_MOVES) != 0 && !use_moves(r, &changed)) return ALEA_LIT_FALSE;
    if ((r->what & ALEA_REBUILD_DEEP) != 0 && !absorb(r, &changed)) return ALEA_LIT_FALSE;
  }
  if (!normalise(r)) return ALEA_LIT_FALSE;
  if (r->list.count == 0) return ALEA_LIT_TRUE;
  if (r->list.count == 1) return r->list.data[0];
  return alea_rebuild_cons(r, ALEA_GATE_AND, r->list.data, (uint32_t)r->list.count);
}
