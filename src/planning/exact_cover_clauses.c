/* Exact cover clauses: which classes need a move, found by short questions. */
#include "planning/exact_cover_clauses.h"

enum { CONFLICTS = 20 }; /* to see that something is needed or excluded */

typedef struct cover_finder {
  const alea_exact_cover_clauses *input;
  alea_mem *mem;
  alea_slit guard;
  alea_u32s moves;            /* that the ends do not exclude, as indexes of input->moves */
  alea_u32s names;            /* the same, as moves */
  uint8_t *exclusive;         /* of those */
  ALEA_VEC(alea_slit) clause; /* scratch */
} cover_finder;

static alea_slit made_by(const cover_finder *t, uint32_t index) {
  return t->input->literals[t->moves.data[index]];
}

/* Asks whether the ends are possible with the literals in 'clause'. */
static alea_status refutes(cover_finder *t, bool *refuted) {
  alea_verdict answer;
  if (!alea_vec_push(t->mem, &t->clause, t->input->ends[0]) ||
      !alea_vec_push(t->mem, &t->clause, t->input->ends[1]) ||
      !alea_vec_push(t->mem, &t->clause, t->guard))
    return alea_mem_lack(t->mem);
  alea_status status =
      alea_unroll_solve(t->input->unroll, t->clause.data, t->clause.count, CONFLICTS, &answer);
  *refuted = answer == ALEA_VERDICT_REFUTED;
  bool late = alea_deadline_passed(alea_unroll_sat(t->input->unroll)->deadline);
  return status == ALEA_OK && late ? ALEA_LIMIT : status;
}

/* Leaves the moves out that the ends exclude. */
static alea_status leave_out(cover_finder *t) {
  const alea_exact_cover_clauses *f = t->input;
  for (uint32_t i = 0; i < f->moves.count; i++) {
    bool excluded;
    t->clause.count = 0;
    if (!alea_vec_push(t->mem, &t->clause, f->literals[i])) return alea_mem_lack(t->mem);
    alea_status status = refutes(t, &excluded);
    if (status != ALEA_OK) return status;
    if (excluded) {
      alea_sat_clause2(alea_unroll_sat(f->unroll), -t->guard, -f->literals[i]);
    } else if (!alea_vec_push(t->mem, &t->moves, i) ||
               !alea_vec_push(t->mem, &t->names, f->moves.data[i])) {
      return alea_mem_lack(t->mem);
    }
  }
  return ALEA_OK;
}

static alea_status copy_exclusive(cover_finder *t) {
  size_t count = t->moves.count, all = t->input->moves.count;
  t->exclusive = alea_mem_calloc(t->mem, count, count);
  if (t->exclusive == NULL) return alea_mem_lack(t->mem);
  for (size_t i = 0; i < count; i++)
    for (size_t j = 0; j < count; j++)
      t->exclusive[i * count + j] = t->input->exclusive[t->moves.data[i] * all + t->moves.data[j]];
  return ALEA_OK;
}

/* Whether every class needs a move. */
static alea_status all_needed(cover_finder *t, const alea_groups *cover, bool *all) {
  uint32_t at = 0;
  *all = true;
  for (size_t k = 0; *all && k < cover->ends.count; k++) {
    t->clause.count = 0;
    for (; at < cover->ends.data[k]; at++)
      if (!alea_vec_push(t->mem, &t->clause, -made_by(t, cover->members.data[at])))
        return alea_mem_lack(t->mem);
    alea_status status = refutes(t, all);
    if (status != ALEA_OK) return status;
  }
  return ALEA_OK;
}

/* Every class has a move. */
static alea_status fill(cover_finder *t, const alea_groups *cover) {
  uint32_t at = 0;
  for (size_t k = 0; k < cover->ends.count; k++) {
    t->clause.count = 0;
    if (!alea_vec_push(t->mem, &t->clause, -t->guard)) return alea_mem_lack(t->mem);
    for (; at < cover->ends.data[k]; at++)
      if (!alea_vec_push(t->mem, &t->clause, made_by(t, cover->members.data[at])))
        return alea_mem_lack(t->mem);
    alea_sat_clause(alea_unroll_sat(t->input->unroll), t->clause.data, t->clause.count);
  }
  return ALEA_OK;
}

/* Two rounds over all choices of arguments: the first finds how many moves are
 * needed, the second adds the clauses of the covers that have no more classes. */
static alea_status find_and_fill(cover_finder *t, alea_rows *rows) {
  alea_status status = ALEA_OK;
  size_t needed = 0;
  for (int round = 0; round < 2; round++) {
    for (uint32_t mask = 1; status == ALEA_OK && mask < 1u << rows->width; mask += 2) {
      alea_groups cover;
      bool all = false;
      status = alea_groups_init(&cover, rows, mask, t->mem);
      bool holds = status == ALEA_OK && alea_exact_cover_holds(&cover, t->exclusive, rows->count);
      if (holds && round == 0 && cover.ends.count > needed) status = all_needed(t, &cover, &all);
      if (all) needed = cover.ends.count;
      if (holds && round == 1 && cover.ends.count <= needed) status = fill(t, &cover);
      alea_groups_clear(&cover);
    }
  }
  return status;
}

alea_status alea_exact_cover_clauses_add(const alea_exact_cover_clauses *input, alea_slit guard,
                                         alea_mem *mem) {
  cover_finder t = {.input = input, .mem = mem, .guard = guard};
  alea_rows rows = {0};
  alea_status status = leave_out(&t);
  if (status == ALEA_OK) status = copy_exclusive(&t);
  if (status == ALEA_OK) status = alea_exact_cover_rows(&rows, input->game, &t.names, mem);
  if (status == ALEA_OK) status = find_and_fill(&t, &rows);
  alea_rows_clear(&rows);
  alea_mem_free(mem, t.exclusive, t.moves.count * t.moves.count);
  alea_vec_clear(mem, &t.moves);
  alea_vec_clear(mem, &t.names);
  alea_vec_clear(mem, &t.clause);
  return status == ALEA_UNSUPPORTED ? ALEA_OK : status;
}
