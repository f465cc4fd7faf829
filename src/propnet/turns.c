/* Case distinctions over whose turn it is.
 *
 * Rules that say "nothing else happened here" come out as
 *
 *     (x AND P)  OR  (NOT x AND Q)
 *
 * where x says whose turn it is, P that the one player made no move that
 * matters, Q the same of the other.  Where NOT x makes every move in P
 * illegal, and x every move in Q, this is just P AND Q. */
#include "propnet/rebuild.h"

enum { MAX_CASES = 6, MAX_CASE = 4096 };

static bool is_case(const alea_rebuild *r, alea_lit lit) {
  if ((lit & 1) == 0 || !alea_graph_is_gate(r->to, lit)) return false;
  const alea_graph_gate *g = alea_graph_gate_of(r->to, lit);
  return g->kind == ALEA_GATE_AND && !g->cyclic && g->count <= MAX_CASE;
}

/* Whether 'move' can be legal only when 'lit' holds, by the look of it. */
static bool needs(const alea_rebuild *r, uint32_t move, alea_lit lit) {
  alea_lit legal = alea_rebuild_legality(r, move);
  if (legal == lit) return true;
  if ((legal & 1) != 0 || !alea_graph_is_gate(r->to, legal)) return false;
  const alea_graph_gate *g = alea_graph_gate_of(r->to, legal);
  if (g->kind != ALEA_GATE_AND || g->cyclic) return false;
  for (uint32_t i = 0; i < g->count; i++)
    if (r->to->inputs.data[g->first + i] == lit) return true;
  return false;
}

/* Whether all inputs of the AND but 'lit' hold when 'lit' does not. */
static bool rest_follows(alea_rebuild *r, const alea_graph_gate *g, alea_lit lit) {
  uint32_t looked = 0;
  r->work.count = 0;
  for (uint32_t i = 0; i < g->count; i++) {
    alea_lit input = r->to->inputs.data[g->first + i];
    if (input != lit && !alea_vec_push(r->mem, &r->work, input)) r->failed = true;
  }
  while (r->work.count > 0 && !r->failed) {
    alea_lit input = r->work.data[--r->work.count];
    if (alea_graph_is_move(r->to, input)) {
      if ((input & 1) == 0 || !needs(r, alea_rebuild_move(r, input), lit)) return false;
      continue;
    }
    /* A gate that says of several moves that they were not made. */
    if ((input & 1) != 0 || !alea_graph_is_gate(r->to, input)) return false;
    uint32_t gate = (input >> 1) - r->to->leaf_count;
    if (r->move_sets.data[gate] == 0 || ++looked > MAX_CASE) return false;
    const alea_graph_gate *set = &r->to->gates.data[gate];
    for (uint32_t i = 0; i < set->count; i++)
      if (!alea_vec_push(r->mem, &r->work, r->to->inputs.data[set->first + i])) r->failed = true;
  }
  return !r->failed;
}

/* The literal of the first case whose negation is in the second, or NO_LIT. */
static alea_lit distinction(alea_rebuild *r, const alea_graph_gate *first,
                            const alea_graph_gate *second) {
  r->epoch += 2;
  for (uint32_t i = 0; i < first->count; i++)
    r->stamps.data[r->to->inputs.data[first->first + i]] = r->epoch;
  for (uint32_t i = 0; i < second->count; i++) {
    alea_lit lit = r->to->inputs.data[second->first + i] ^ 1;
    if (r->stamps.data[lit] == r->epoch && !alea_graph_is_move(r->to, lit)) return lit;
  }
  return ALEA_NO_LIT;
}

/* The AND of what both cases say besides 'lit' and its negation. */
static alea_lit join(alea_rebuild *r, const alea_graph_gate *first, const alea_graph_gate *second,
                     alea_lit lit) {
  alea_u32s both = {0};
  if (!alea_vec_reserve(r->mem, &both, first->count + second->count)) {
    r->failed = true;
    return ALEA_LIT_FALSE;
  }
  for (uint32_t i = 0; i < first->count; i++) {
    alea_lit input = r->to->inputs.data[first->first + i];
    if (input != lit) both.data[both.count++] = input;
  }
  for (uint32_t i = 0; i < second->count; i++) {
    alea_lit input = r->to->inputs.data[second->first + i];
    if (input != (lit ^ 1)) both.data[both.count++] = input;
  }
  alea_sort_u32(both.data, both.count);
  uint32_t kept = 0;
  for (size_t i = 0; i < both.count; i++)
    if (kept == 0 || both.data[kept - 1] != both.data[i]) both.data[kept++] = both.data[i];
  alea_lit result = kept == 1 ? both.data[0] : alea_rebuild_cons(r, ALEA_GATE_AND, both.data, kept);
  alea_vec_clear(r->mem, &both);
  return result;
}

/* Joins list[i] and list[k] where that is right. */
static bool join_pair(alea_rebuild *r, size_t i, size_t k) {
  const alea_graph_gate first = *alea_graph_gate_of(r->to, r->list.data[i]);
  const alea_graph_gate second = *alea_graph_gate_of(r->to, r->list.data[k]);
  alea_lit lit = distinction(r, &first, &second);
  if (lit == ALEA_NO_LIT || !rest_follows(r, &first, lit) || !rest_follows(r, &second, lit ^ 1))
    return false;
  alea_lit joined = join(r, &first, &second, lit);
  if (r->failed) return false;
  r->list.data[i] = joined ^ 1;
  r->list.data[k] = ALEA_LIT_TRUE;
  return true;
}

void alea_rebuild_join_cases(alea_rebuild *r, bool *changed) {
  size_t cases[MAX_CASES], count = 0;
  for (size_t i = 0; i < r->list.count; i++) {
    if (!is_case(r, r->list.data[i])) continue;
    if (count == MAX_CASES) return;
    cases[count++] = i;
  }
  for (size_t i = 0; i < count; i++)
    for (size_t k = i + 1; k < count && !r->failed; k++)
      if (is_case(r, r->list.data[cases[i]]) && is_case(r, r->list.data[cases[k]]) &&
          join_pair(r, cases[i], cases[k]))
        *changed = true;
}
