/* Compiling: the verdict of an evaluation on each move ([TOSS10 §5]).
 *
 * After a move at a known match the structure differs from the previous one
 * only in what the rule draws, so the formulas over {R, R_old} become circuits
 * over the fluents before the move: old tuples are fluents, new ones follow
 * from the rule. */
#include "toss/maker.h"

#define NONE ALEA_TOSS_NONE

typedef alea_toss_maker maker;
typedef alea_toss_lit lit_t;
typedef alea_toss_lits lits;

static lit_t judged_atom(void *context, uint32_t relation, const uint32_t *tuple) {
  maker *m = context;
  const alea_toss_judge *j = &m->judge;
  if (j->source[relation] == NONE) {
    return alea_toss_structure_has(j->env.structure, relation, tuple) ? ALEA_TOSS_LIT_TRUE
                                                                      : ALEA_TOSS_LIT_FALSE;
  }
  const uint32_t *match = m->match;
  if (j->old[relation]) m->match = NULL;
  lit_t lit = alea_toss_maker_atom(m, j->source[relation], tuple);
  m->match = match;
  return lit;
}

void alea_toss_judge_move(maker *m, const uint32_t *match, lits *list) {
  const alea_toss_evaluation *e = m->judge.evaluation;
  alea_toss_symbolic sym = {
      .circuit = &m->circuit, .env = &m->judge.env, .atom = judged_atom, .context = m};
  lit_t open = ALEA_TOSS_LIT_TRUE; /* no verdict so far */
  m->match = match;
  for (size_t i = 0; i < e->verdicts.count && m->status == ALEA_OK; i++) {
    lit_t holds = ALEA_TOSS_LIT_FALSE;
    if (e->verdicts.data[i].location == m->location && open != ALEA_TOSS_LIT_FALSE) {
      holds = alea_toss_symbolic_formula(&sym, m->judge.codes[i]);
    }
    alea_toss_maker_push(m, list, alea_toss_and2(&m->circuit, open, holds));
    open = alea_toss_and2(&m->circuit, open, holds ^ 1);
    if (sym.status != ALEA_OK) alea_toss_maker_fail(m, sym.status);
  }
  alea_toss_maker_push(m, list, open);
  m->match = NULL;
}

/* Finds the relations of the evaluation that correspond to changing relations
 * of the game. */
static void find_sources(maker *m) {
  alea_toss_judge *j = &m->judge;
  const alea_toss_evaluation *e = j->evaluation;
  for (size_t r = 0; r < e->file->relations.count; r++) {
    j->source[r] = NONE;
    j->walkable[r] = e->file->relations.data[r].body == NONE;
  }
  for (uint32_t r = 0; r < m->file->relations.count; r++) {
    if (e->doubled.old[r] == NONE) continue;
    j->source[e->doubled.now[r]] = j->source[e->doubled.old[r]] = r;
    j->old[e->doubled.old[r]] = 1;
    j->walkable[e->doubled.now[r]] = j->walkable[e->doubled.old[r]] = 0;
  }
}

alea_status alea_toss_judge_open(maker *m) {
  alea_toss_judge *j = &m->judge;
  const alea_toss_evaluation *e = j->evaluation;
  size_t relations = e->file->relations.count, verdicts = e->verdicts.count;
  if (!alea_toss_evaluation_is_list(e)) return ALEA_UNSUPPORTED;
  j->walkable = alea_mem_zalloc(m->mem, relations);
  j->old = alea_mem_zalloc(m->mem, relations);
  j->source = alea_mem_calloc(m->mem, relations, sizeof *j->source);
  j->codes = alea_mem_calloc(m->mem, verdicts, sizeof *j->codes);
  alea_toss_logic_init(&j->logic, e->file, e->rules->stored, j->walkable, m->mem);
  if (j->walkable == NULL || j->old == NULL || j->source == NULL || j->codes == NULL) {
    return alea_mem_lack(m->mem);
  }
  find_sources(m);
  for (size_t i = 0; i < verdicts; i++) {
    alea_status status =
        alea_toss_compile(&j->logic, e->verdicts.data[i].node, NULL, 0, &j->codes[i]);
    if (status != ALEA_OK) return status;
  }
  return alea_toss_env_init(&j->env, &j->logic, e->rules->start, m->mem);
}

void alea_toss_judge_close(maker *m) {
  alea_toss_judge *j = &m->judge;
  if (j->evaluation == NULL) return;
  size_t relations = j->evaluation->file->relations.count;
  size_t verdicts = j->evaluation->verdicts.count;
  if (j->env.logic != NULL) alea_toss_env_clear(&j->env);
  if (j->logic.mem != NULL) alea_toss_logic_clear(&j->logic);
  alea_mem_free(m->mem, j->walkable, j->walkable != NULL ? relations : 0);
  alea_mem_free(m->mem, j->old, j->old != NULL ? relations : 0);
  alea_mem_free(m->mem, j->source, j->source != NULL ? relations * sizeof *j->source : 0);
  alea_mem_free(m->mem, j->codes, j->codes != NULL ? verdicts * sizeof *j->codes : 0);
}
