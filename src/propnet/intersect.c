/* Two sets of moves at once.
 *
 * "The column is 2" and "the row is 3" are ORs of moves, and rules speak of
 * both together.  Where no two moves of the sets can be made at the same time
 *
 *     OR(moves in S)  AND  OR(moves in T)   is   OR(moves in S and T).
 *
 * Moves of one role exclude each other; those of different roles do where
 * what all legalities of the one have in common contradicts the other. */
#include <string.h>

#include "propnet/rebuild.h"

enum { MAX_PLAYERS = 4, MAX_COMMON = 8, MAX_LOOK = 64 };

/* What all legalities of the moves of a role seen so far have in common. */
typedef struct common {
  uint32_t role;
  alea_lit lits[MAX_COMMON];
  uint32_t count;
} common;

typedef struct meeting {
  common roles[MAX_PLAYERS];
  uint32_t role_count;
} meeting;

/* 'lit' is an OR of moves: the negation of a gate that is a set. */
static bool is_or_of_moves(const alea_rebuild *r, alea_lit lit) {
  return (lit & 1) != 0 && alea_graph_is_gate(r->to, lit) &&
         r->move_sets.data[(lit >> 1) - r->to->leaf_count] != 0;
}

/* The conjuncts of a legality. */
static const alea_lit *conjuncts(const alea_rebuild *r, const alea_lit *legal, uint32_t *count) {
  *count = 1;
  if ((*legal & 1) != 0 || !alea_graph_is_gate(r->to, *legal)) return legal;
  const alea_graph_gate *g = alea_graph_gate_of(r->to, *legal);
  if (g->kind != ALEA_GATE_AND || g->cyclic || g->count > MAX_LOOK) return legal;
  *count = g->count;
  return r->to->inputs.data + g->first;
}

static bool has(const alea_lit *lits, uint32_t count, alea_lit lit) {
  for (uint32_t i = 0; i < count; i++)
    if (lits[i] == lit) return true;
  return false;
}

/* Takes account of one more move; false: too many roles. */
static bool meet(const alea_rebuild *r, meeting *m, uint32_t move) {
  uint32_t role = r->role_of_move[move], i = 0, count;
  alea_lit legal = alea_rebuild_legality(r, move);
  const alea_lit *lits = conjuncts(r, &legal, &count);
  while (i < m->role_count && m->roles[i].role != role) i++;
  if (i == MAX_PLAYERS) return false;
  common *c = &m->roles[i];
  if (i == m->role_count) {
    m->role_count++;
    c->role = role;
    c->count = count < MAX_COMMON ? count : MAX_COMMON;
    memcpy(c->lits, lits, c->count * sizeof *lits);
    return true;
  }
  uint32_t kept = 0;
  for (uint32_t k = 0; k < c->count; k++)
    if (has(lits, count, c->lits[k])) c->lits[kept++] = c->lits[k];
  c->count = kept;
  return true;
}

static bool exclude(const common *a, const common *b) {
  for (uint32_t i = 0; i < a->count; i++)
    if (a->lits[i] > ALEA_LIT_FALSE && has(b->lits, b->count, a->lits[i] ^ 1)) return true;
  return false;
}

static bool all_exclude(const meeting *m) {
  for (uint32_t i = 0; i < m->role_count; i++)
    for (uint32_t k = i + 1; k < m->role_count; k++)
      if (!exclude(&m->roles[i], &m->roles[k])) return false;
  return true;
}

/* Stamps the moves of the set that carry the stamp 'before' (any, if it is the
 * first set) with the present epoch; false: give up. */
static bool stamp_set(alea_rebuild *r, alea_lit set, uint32_t before, meeting *m) {
  uint32_t *stamps = r->stamps.data;
  r->work.count = 0;
  if (!alea_vec_push(r->mem, &r->work, set)) r->failed = true;
  while (r->work.count > 0 && !r->failed) {
    alea_lit lit = r->work.data[--r->work.count];
    if (alea_graph_is_gate(r->to, lit)) {
      if (stamps[lit] == r->epoch) continue;
      stamps[lit] = r->epoch;
      const alea_graph_gate *g = alea_graph_gate_of(r->to, lit);
      for (uint32_t i = 0; i < g->count; i++)
        if (!alea_vec_push(r->mem, &r->work, r->to->inputs.data[g->first + i])) r->failed = true;
      continue;
    }
    if (!meet(r, m, alea_rebuild_move(r, lit))) return false;
    if (before == 0 || stamps[lit] == before) stamps[lit] = r->epoch;
  }
  return !r->failed;
}

/* The AND of the negations of the moves stamped last, among those of 'set'. */
static alea_lit stamped_moves(alea_rebuild *r) {
  const alea_ground *ground = r->from->ground;
  alea_u32s moves = {0};
  for (uint32_t m = 0; m < ground->move_count && !r->failed; m++) {
    alea_lit lit = 2 * (1 + ground->fluent_count + m) + 1;
    if (r->stamps.data[lit] == r->epoch && !alea_vec_push(r->mem, &moves, lit)) r->failed = true;
  }
  alea_lit result = ALEA_LIT_TRUE;
  if (moves.count == 1) result = moves.data[0];
  if (moves.count > 1 && !r->failed)
    result = alea_rebuild_cons(r, ALEA_GATE_AND, moves.data, (uint32_t)moves.count);
  alea_vec_clear(r->mem, &moves);
  return result;
}

void alea_rebuild_intersect(alea_rebuild *r, bool *changed) {
  uint64_t size = r->from->ground->move_count;
  size_t sets = 0;
  for (size_t i = 0; i < r->list.count; i++)
    if (is_or_of_moves(r, r->list.data[i])) {
      sets++;
      size += r->move_sets.data[(r->list.data[i] >> 1) - r->to->leaf_count];
    }
  if (sets < 2 || size > r->set_budget) return;
  r->set_budget -= size;
  meeting m = {.role_count = 0};
  uint32_t before = 0;
  for (size_t i = 0; i < r->list.count; i++) {
    if (!is_or_of_moves(r, r->list.data[i])) continue;
    r->epoch += 2;
    if (!stamp_set(r, r->list.data[i] ^ 1, before, &m)) return;
    before = r->epoch;
  }
  if (!all_exclude(&m)) return;
  alea_lit both = stamped_moves(r) ^ 1;
  size_t kept = 0;
  for (size_t i = 0; i < r->list.count; i++)
    if (!is_or_of_moves(r, r->list.data[i])) r->list.data[kept++] = r->list.data[i];
  r->list.data[kept++] = both;
  r->list.count = kept;
  *changed = true;
}
