/* What is known of moves: each role makes exactly one, and it is legal.
 *
 * An OR over more than half of a role's moves is the negation of the OR over
 * the rest.  Often the large OR is not one gate but has other ORs of moves
 * among its inputs, with readers of their own; so gates that are AND(NOT m1,
 * NOT m2, ...) over moves, directly or through such gates, are kept track of
 * as sets of moves: move_sets[gate] is a bound on the size of the set, 0 for
 * other gates. */
#include "propnet/rebuild.h"

alea_lit alea_rebuild_legality(const alea_rebuild *r, uint32_t move) {
  alea_lit root = r->from->roots.data[alea_root_legal(r->from) + move];
  alea_lit legal = r->map[root >> 1];
  return legal == ALEA_NO_LIT ? ALEA_LIT_TRUE : legal ^ (root & 1);
}

/* ---- sets of moves ---- */

static uint32_t set_of(const alea_rebuild *r, alea_lit lit) {
  if (alea_graph_is_move(r->to, lit)) return lit & 1;
  if ((lit & 1) != 0 || !alea_graph_is_gate(r->to, lit)) return 0;
  return r->move_sets.data[(lit >> 1) - r->to->leaf_count];
}

uint32_t alea_rebuild_set_of_and(const alea_rebuild *r, const alea_lit *inputs, uint32_t count) {
  if ((r->what & ALEA_REBUILD_MOVES) == 0) return 0;
  uint64_t size = 0;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t set = set_of(r, inputs[i]);
    if (set == 0) return 0;
    size += set;
  }
  return size < UINT32_MAX ? (uint32_t)size : UINT32_MAX;
}

/* Stamps the moves (negated) of all sets in the list and counts them by role. */
static void stamp_sets(alea_rebuild *r) {
  r->epoch += 2;
  r->work.count = 0;
  for (size_t i = 0; i < r->list.count; i++)
    if (set_of(r, r->list.data[i]) != 0 && !alea_vec_push(r->mem, &r->work, r->list.data[i]))
      r->failed = true;
  while (r->work.count > 0 && !r->failed) {
    alea_lit lit = r->work.data[--r->work.count];
    if (r->stamps.data[lit] == r->epoch) continue;
    r->stamps.data[lit] = r->epoch;
    if (!alea_graph_is_gate(r->to, lit)) {
      r->role_sets[r->role_of_move[alea_rebuild_move(r, lit)]]++;
      continue;
    }
    const alea_graph_gate *g = alea_graph_gate_of(r->to, lit);
    for (uint32_t i = 0; i < g->count; i++)
      if (!alea_vec_push(r->mem, &r->work, r->to->inputs.data[g->first + i])) r->failed = true;
  }
}

/* Puts the stamped moves in place of the sets. */
static void expand(alea_rebuild *r) {
  const alea_ground *ground = r->from->ground;
  size_t kept = 0;
  for (size_t i = 0; i < r->list.count; i++)
    if (set_of(r, r->list.data[i]) == 0) r->list.data[kept++] = r->list.data[i];
  r->list.count = kept;
  for (uint32_t m = 0; m < ground->move_count; m++) {
    alea_lit lit = 2 * (1 + ground->fluent_count + m) + 1;
    if (r->stamps.data[lit] == r->epoch && !alea_vec_push(r->mem, &r->list, lit)) r->failed = true;
  }
}

/* The bound on the moves in the list if some of its inputs are gates, else 0. */
static uint64_t bound_of_list(const alea_rebuild *r) {
  uint64_t bound = 0;
  bool gates = false;
  for (size_t i = 0; i < r->list.count; i++) {
    uint32_t set = set_of(r, r->list.data[i]);
    bound += set;
    gates = gates || (set != 0 && alea_graph_is_gate(r->to, r->list.data[i]));
  }
  return gates ? bound : 0;
}

void alea_rebuild_expand_sets(alea_rebuild *r, bool *changed) {
  const alea_ground *ground = r->from->ground;
  uint64_t bound = bound_of_list(r);
  if (bound == 0 || bound > r->set_budget) return;
  uint32_t least = UINT32_MAX; /* of the moves of a role */
  for (uint32_t role = 0; role < ground->role_count; role++) {
    uint32_t moves = ground->move_first[role + 1] - ground->move_first[role];
    if (moves < least) least = moves;
    r->role_sets[role] = 0;
  }
  if (2 * bound <= least) return; /* spares looking into sets that are too small */
  r->set_budget -= bound;
  stamp_sets(r);
  bool most = false;
  for (uint32_t role = 0; role < ground->role_count; role++)
    most = most || 2 * (uint64_t)r->role_sets[role] >
                       ground->move_first[role + 1] - ground->move_first[role];
  if (!most || r->failed) return;
  expand(r);
  *changed = true;
}

/* ---- one move per role ---- */

/* The literal "one of the moves of 'role' that are not in negated[] is made". */
static alea_lit other_moves(alea_rebuild *r, uint32_t role, const alea_lit *negated, size_t count) {
  const alea_ground *ground = r->from->ground;
  r->work.count = 0;
  size_t k = 0;
  for (uint32_t m = ground->move_first[role]; m < ground->move_first[role + 1]; m++) {
    alea_lit lit = 2 * (1 + ground->fluent_count + m) + 1;
    if (k < count && negated[k] == lit) {
      k++;
    } else if (!alea_vec_push(r->mem, &r->work, alea_rebuild_map(r, lit))) {
      r->failed = true;
      return ALEA_LIT_FALSE;
    }
  }
  if (r->work.count == 0) return ALEA_LIT_FALSE;
  if (r->work.count == 1) return r->work.data[0] ^ 1;
  alea_sort_u32(r->work.data, r->work.count); /* some may be read as something else */
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
bool alea_rebuild_moves(alea_rebuild *r, bool *changed) {
  for (size_t i = 0; i < r->list.count;) {
    if (!alea_graph_is_move(r->to, r->list.data[i])) {
      i++;
      continue;
    }
    uint32_t role = r->role_of_move[alea_rebuild_move(r, r->list.data[i])];
    size_t end = i + 1;
    while (end < r->list.count && alea_graph_is_move(r->to, r->list.data[end]) &&
           r->role_of_move[alea_rebuild_move(r, r->list.data[end])] == role)
      end++;
    if (!one_move(r, role, i, end, changed)) return false;
    i = end;
  }
  return true;
}
