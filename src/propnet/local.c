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
  MAX_IMPLIED = 256, /* implications followed per AND */
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

/* ---- one move per role ---- */

/* The literal "one of the moves of 'role' that are not in negated[] is made". */
static alea_lit other_moves(alea_rebuild *r, uint32_t role, const alea_lit *negated,
                            size_t count) {
  const alea_ground *ground = r->from->ground;
  r->work.count = 0;
  size_t k = 0;
  for (uint32_t m = ground->move_first[role]; m < ground->move_first[role + 1]; m++) {
    alea_lit lit = 2 * (1 + ground->fluent_count + m) + 1;
    if (k < count && negated[k] == lit) {
      k++;
    } else if (!alea_vec_push(r->mem, &r->work, lit)) {
      r->failed = true;
      return ALEA_LIT_FALSE;
    }
  }
  if (r->work.count == 0) return ALEA_LIT_FALSE;
  if (r->work.count == 1) return r->work.data[0] ^ 1;
  /* alea_rebuild_cons uses 'work' itself where there are cycles. */
  alea_u32s others = r->work;
  r->work = (alea_u32s){0};
  alea_lit lit = alea_rebuild_cons(r, ALEA_GATE_AND, others.data, (uint32_t)others.count) ^ 1;
  alea_vec_clear(r->mem, &r->work);
  r->work = others;
  return lit;
}

/* Rewrites the literals list[begin .. end-1], all on moves of 'role'. */
static bool one_move(alea_rebuild *r, uint32_t role, size_t begin, size_t end, bool *changed) {
  const alea_ground *ground = r->from->ground;
  uint32_t moves = ground->move_first[role + 1] - ground->move_first[role];
  alea_lit *data = r->list.data;
  size_t positive = 0, at = begin;
  for (size_t i = begin; i < end; i++)
    if ((data[i] & 1) == 0) {
      positive++;
      at = i;
    }
  if (positive > 1) return false;
  alea_lit result = ALEA_LIT_TRUE;
  if (positive == 1) {
    if (moves > 1 && end - begin == 1) return true;
    result = moves > 1 ? data[at] : ALEA_LIT_TRUE;
  } else {
    if (2 * (end - begin) <= moves) return true;
    result = other_moves(r, role, data + begin, end - begin);
  }
  r->list.data[begin] = result;
  for (size_t i = begin + 1; i < end; i++) r->list.data[i] = ALEA_LIT_TRUE;
  *changed = true;
  return result != ALEA_LIT_FALSE;
}

/* Moves are neighbours in a sorted list, role by role. */
static bool apply_moves(alea_rebuild *r, bool *changed) {
  uint32_t first = 1 + r->from->ground->fluent_count;
  for (size_t i = 0; i < r->list.count;) {
    if (!alea_graph_is_move(r->to, r->list.data[i])) {
      i++;
      continue;
    }
    uint32_t role = r->role_of_move[(r->list.data[i] >> 1) - first];
    size_t end = i + 1;
    while (end < r->list.count && alea_graph_is_move(r->to, r->list.data[end]) &&
           r->role_of_move[(r->list.data[end] >> 1) - first] == role)
      end++;
    if (!one_move(r, role, i, end, changed)) return false;
    i = end;
  }
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
    uint32_t move = (lit >> 1) - 1 - r->from->ground->fluent_count;
    uint32_t role = r->role_of_move[move];
    r->role_stamp[role] = r->epoch;
    r->role_move[role] = lit;
    alea_lit root = r->from->roots.data[alea_root_legal(r->from) + move];
    alea_lit legal = r->map[root >> 1];
    if (legal == ALEA_NO_LIT) return true;
    legal ^= root & 1;
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

/* 1: the context makes 'lit' true, 0: false, -1: neither. */
static int known(const alea_rebuild *r, alea_lit lit) {
  if (r->stamps.data[lit] >= r->epoch) return 1;
  if (r->stamps.data[lit ^ 1] >= r->epoch) return 0;
  if (!alea_graph_is_move(r->to, lit)) return -1;
  uint32_t role = r->role_of_move[(lit >> 1) - 1 - r->from->ground->fluent_count];
  if (r->role_stamp[role] != r->epoch) return -1;
  return (int)(lit & 1); /* another move of this role is made */
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

alea_lit alea_rebuild_and(alea_rebuild *r) {
  bool changed = true;
  for (int round = 0; changed && round < MAX_ROUNDS; round++) {
    changed = false;
    if ((r->what & ALEA_REBUILD_FLATTEN) != 0 && !splice(r)) return ALEA_LIT_FALSE;
    if (!normalise(r)) return ALEA_LIT_FALSE;
    if ((r->what & ALEA_REBUILD_MOVES) != 0 && !apply_moves(r, &changed)) return ALEA_LIT_FALSE;
    if (changed && !normalise(r)) return ALEA_LIT_FALSE;
    if ((r->what & ALEA_REBUILD_DEEP) != 0 && !absorb(r, &changed)) return ALEA_LIT_FALSE;
  }
  if (!normalise(r)) return ALEA_LIT_FALSE;
  if (r->list.count == 0) return ALEA_LIT_TRUE;
  if (r->list.count == 1) return r->list.data[0];
  return alea_rebuild_cons(r, ALEA_GATE_AND, r->list.data, (uint32_t)r->list.count);
}
