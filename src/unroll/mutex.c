/* Exclusive groups of fluents, by induction over one stage. */
#include "unroll/mutex.h"

#include "sat/induction.h"
#include "unroll/core.h"

enum { MOST_ROUNDS = 200 };

typedef struct mutex_prover {
  alea_groups *mutex;
  alea_unroll *u;
  alea_mem *mem;
  alea_induction induction;
  ALEA_VEC(alea_slit) now, then; /* scratch */
} mutex_prover;

/* ---- candidates ---- */

/* Keeps the groups of which the answer is yes. */
static void keep(mutex_prover *p,
                 bool (*keeps)(const mutex_prover *p, uint32_t first, uint32_t end, size_t group)) {
  alea_groups *m = p->mutex;
  uint32_t kept = 0, groups = 0, first = 0;
  for (size_t g = 0; g < m->ends.count; g++) {
    uint32_t end = m->ends.data[g];
    bool stays = keeps(p, first, end, g);
    for (uint32_t i = first; stays && i < end; i++) m->members.data[kept++] = m->members.data[i];
    first = end;
    if (stays) m->ends.data[groups++] = kept;
  }
  m->members.count = kept;
  m->ends.count = groups;
}

/* Several fluents, of which the initial state has one at most. */
static bool is_plausible(const mutex_prover *p, uint32_t first, uint32_t end, size_t group) {
  (void)group;
  uint32_t holding = 0;
  for (uint32_t i = first; i < end; i++) holding += p->u->net->init[p->mutex->members.data[i]];
  return end - first > 1 && holding <= 1;
}

static bool is_proved(const mutex_prover *p, uint32_t first, uint32_t end, size_t group) {
  (void)first, (void)end;
  return group < p->induction.groups.count && !p->induction.groups.data[group].given_up;
}

static alea_status find_candidates(mutex_prover *p) {
  const alea_net *net = p->u->net;
  alea_status status = alea_groups_add(p->mutex, net->terms, net->fluent_terms, net->fluent_count,
                                       ALEA_LAST_ARGUMENT);
  if (status == ALEA_OK)
    status = alea_groups_add(p->mutex, net->terms, net->fluent_terms, net->fluent_count,
                             ALEA_FIRST_ARGUMENT);
  keep(p, is_plausible);
  return status;
}

/* ---- induction ---- */

static alea_status add_group(mutex_prover *p, size_t g) {
  const alea_groups *m = p->mutex;
  const unroll_layer *layers = p->u->layers.data;
  p->now.count = p->then.count = 0;
  for (uint32_t i = alea_groups_first(m, g); i < m->ends.data[g]; i++) {
    uint32_t node = 1 + m->members.data[i];
    if (!alea_vec_push(p->mem, &p->now, layers[0].lits[node]) ||
        !alea_vec_push(p->mem, &p->then, layers[1].lits[node]))
      return unroll_no_memory(p->mem);
  }
  return alea_induction_add(&p->induction, 0, p->now.data, p->now.count, p->then.data,
                            p->then.count);
}

static alea_status make_stage(mutex_prover *p) {
  alea_unroll *u = p->u;
  alea_status status = unroll_layer_push_open(u);
  if (status == ALEA_OK) status = unroll_layer_play(u, &u->layers.data[0]);
  if (status == ALEA_OK) status = unroll_layer_push(u);
  if (status != ALEA_OK) return status;
  alea_sat_clause(&u->sat, &u->layers.data[0].play, 1);
  for (uint32_t i = 0; i < u->net->fluent_count; i++)
    u->layers.data[1].lits[1 + i] = unroll_layer_lit(&u->layers.data[0], u->net->next[i]);
  for (size_t g = 0; status == ALEA_OK && g < p->mutex->ends.count; g++) status = add_group(p, g);
  return status;
}

/* Networks may have cycles, so the stage answers, not the solver alone. */
static alea_status solve(void *data, const alea_slit *assumptions, size_t count, uint64_t conflicts,
                         alea_verdict *answer) {
  return alea_unroll_solve(data, assumptions, count, conflicts, answer);
}

/* ---- the interface ---- */

alea_status alea_mutex_find(alea_groups *mutex, const alea_game *game, const alea_effort *effort,
                            alea_mem *mem) {
  *mutex = (alea_groups){.mem = mem};
  mutex_prover p = {.mutex = mutex, .mem = mem};
  alea_unroll_options options = {.deadline = effort->deadline, .memory = effort->memory};
  alea_status status = unroll_make(&p.u, game, &options, mem);
  if (status != ALEA_OK) return status;
  p.induction = (alea_induction){.mem = mem, .sat = &p.u->sat, .solve = solve, .data = p.u};
  alea_induction_limits limits = {.conflicts = effort->conflicts, .rounds = MOST_ROUNDS};
  bool proved = false;
  status = find_candidates(&p);
  if (status == ALEA_OK) status = make_stage(&p);
  if (status == ALEA_OK)
    status = alea_induction_run(&p.induction, 0, ALEA_SLIT_TRUE, &limits, &proved);
  if (!proved) mutex->members.count = mutex->ends.count = 0;
  keep(&p, is_proved);
  alea_induction_clear(&p.induction);
  alea_vec_clear(mem, &p.now);
  alea_vec_clear(mem, &p.then);
  alea_unroll_free(p.u);
  return status == ALEA_LIMIT ? ALEA_OK : status;
}
