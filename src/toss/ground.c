/* A finite discrete game as a ground program.
 *
 * Fluents are the location and those tuples of changing relations that hold at
 * the start or that some rule can add.  Matches are found with only the
 * unchanging relations known; the rest of a match, its precondition, payoffs
 * and the next state become circuits over fluents and moves. */
#include "toss/maker.h"

#define NONE ALEA_TOSS_NONE

typedef alea_toss_maker maker;
typedef alea_toss_lit lit_t;
typedef alea_toss_lits lits;
typedef alea_toss_roots roots;

/* ---- applicability ---- */

static bool refuse(maker *m, uint32_t line, uint32_t column, const char *why) {
  alea_diag_warn(m->diag, ((alea_place){m->file->file, line, column}), "interpreted",
                 "cannot be compiled: %s", why);
  m->status = ALEA_UNSUPPORTED;
  return false;
}

uint32_t alea_toss_maker_movers(const maker *m, uint32_t location) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < m->players; i++) {
    count += m->file->locations.data[location].sides[i].labels.count != 0;
  }
  return count;
}

static bool label_is_plain(maker *m, uint32_t location, const alea_toss_label *label) {
  const alea_toss_rule *rule = &m->file->rules.data[label->rule];
  if (label->many != ALEA_TOSS_ONE) {
    return refuse(m, label->line, label->column, "a label takes many matches");
  }
  if (label->params.count + label->randoms.count != 0 || label->timed ||
      rule->dynamics.count + rule->update.count != 0 || rule->inv != NONE) {
    return refuse(m, label->line, label->column, "a label has time or parameters");
  }
  if (m->judge.evaluation != NULL && alea_toss_maker_movers(m, location) > 1) {
    return refuse(m, label->line, label->column, "moves are judged where several players move");
  }
  if (rule->post != NONE && alea_toss_maker_movers(m, location) > 1) {
    return refuse(m, label->line, label->column, "'post' where several players move");
  }
  return true;
}

static bool is_discrete(maker *m) {
  if (m->file->functions.count != 0) return refuse(m, 0, 0, "it has functions");
  for (size_t i = 0; i < m->rules->rule_count; i++) {
    const alea_toss_rule *rule = &m->file->rules.data[i];
    if (!m->rules->patterns[i].preserving) {
      return refuse(m, rule->line, rule->column, "a rule makes or deletes elements");
    }
  }
  for (uint32_t l = 0; l < m->file->locations.count; l++) {
    for (uint32_t p = 0; p < m->players; p++) {
      const alea_toss_side *side = &m->file->locations.data[l].sides[p];
      for (uint32_t i = 0; i < side->labels.count; i++) {
        if (!label_is_plain(m, l, &side->labels.data[i])) return false;
      }
    }
  }
  return true;
}

static void compile(maker *m) {
  roots r = {0};
  lits leaves = {0};
  alea_toss_maker_find_fluents(m);
  if (m->status != ALEA_OK) return;
  alea_toss_circuit_clear(&m->circuit); /* the first pass only determined what can happen */
  alea_toss_circuit_init(&m->circuit, m->mem);
  uint32_t fluents = alea_toss_ids_count(m->ids, 0);
  for (uint32_t f = 0; f < fluents; f++) {
    lit_t lit = alea_toss_circuit_input(&m->circuit);
    alea_toss_maker_push(m, &m->current, lit);
    alea_toss_maker_push(m, &leaves, lit);
  }
  alea_toss_maker_find_moves(m);
  if (m->status == ALEA_OK) alea_toss_maker_find_roots(m, &r);
  if (m->status == ALEA_OK) alea_toss_maker_find_next(m, &r);
  if (m->circuit.failed) alea_toss_maker_lack(m);
  if (m->status == ALEA_OK) alea_toss_maker_write(m, &r, &leaves);
  for (size_t p = 0; p < ALEA_TOSS_MOST_PLAYERS + 1; p++) alea_vec_clear(m->mem, &r.legal[p]);
  alea_vec_clear(m->mem, &r.next);
  alea_vec_clear(m->mem, &r.goals);
  alea_vec_clear(m->mem, &leaves);
}

static void open(maker *m) {
  alea_status status = alea_toss_rules_new(&m->rules, m->file, 0, true, m->mem, m->diag);
  if (status != ALEA_OK) {
    alea_toss_maker_fail(m, status);
    return;
  }
  if (!is_discrete(m)) return;
  m->tokens = alea_mem_calloc(m->mem, m->file->locations.count, sizeof *m->tokens);
  m->roles = m->players;
  if (m->tokens == NULL) {
    alea_toss_maker_lack(m);
    return;
  }
  for (uint32_t l = 0; l < m->file->locations.count; l++) {
    m->tokens[l] = alea_toss_denominator(m->file, l);
    if (m->tokens[l] > ALEA_TOSS_MOST_TOKENS) alea_toss_maker_fail(m, ALEA_LIMIT);
    if (m->tokens[l] > 1) m->roles = m->players + 1;
  }
  m->ids = alea_toss_ids_new(1 + m->roles, m->mem);
  if (m->ids == NULL) alea_toss_maker_lack(m);
  status = alea_toss_env_init(&m->env, &m->rules->logic, m->rules->start, m->mem);
  if (status != ALEA_OK) alea_toss_maker_fail(m, status);
  if (m->judge.evaluation != NULL && m->status == ALEA_OK) m->status = alea_toss_judge_open(m);
  m->sym = (alea_toss_symbolic){.circuit = &m->circuit, .env = &m->env, .context = m};
}

static void close(maker *m) {
  size_t nodes = m->circuit.gates.count;
  alea_mem_free(m->mem, m->atoms, m->atoms != NULL ? nodes * sizeof *m->atoms : 0);
  alea_mem_free(m->mem, m->flipped, m->flipped != NULL ? nodes : 0);
  alea_toss_circuit_clear(&m->circuit);
  alea_toss_judge_close(m);
  alea_toss_env_clear(&m->env);
  alea_toss_ids_free(m->ids);
  alea_toss_rules_free(m->rules);
  alea_mem_free(m->mem, m->tokens,
                m->tokens != NULL ? m->file->locations.count * sizeof *m->tokens : 0);
  alea_vec_clear(m->mem, &m->current);
  for (size_t p = 0; p < ALEA_TOSS_MOST_PLAYERS + 1; p++) alea_vec_clear(m->mem, &m->moves[p]);
  alea_vec_clear(m->mem, &m->instances);
  alea_vec_clear(m->mem, &m->elements);
  alea_vec_clear(m->mem, &m->changes);
}

static alea_status make(alea_ground **ground, const alea_toss_file *file,
                        const alea_toss_evaluation *evaluation, bool precise, alea_mem *mem,
                        alea_diag *diag) {
  *ground = NULL;
  maker *m = alea_mem_zalloc(mem, sizeof *m);
  if (m == NULL) return alea_mem_lack(mem);
  m->mem = mem;
  m->diag = diag;
  m->file = file;
  m->players = (uint32_t)file->players.count;
  m->judge.evaluation = evaluation;
  m->precise = precise;
  alea_toss_circuit_init(&m->circuit, mem);
  open(m);
  if (m->status == ALEA_OK) compile(m);
  alea_status status = m->status;
  if (status == ALEA_OK) {
    *ground = m->ground;
  } else {
    alea_ground_free(m->ground);
  }
  close(m);
  alea_mem_free(mem, m, sizeof *m);
  return status;
}

alea_status alea_toss_ground(alea_ground **ground, const alea_toss_file *file, alea_mem *mem,
                             alea_diag *diag) {
  return make(ground, file, NULL, false, mem, diag);
}

alea_status alea_toss_ground_judged(alea_ground **ground, const alea_toss_file *file,
                                    const alea_toss_evaluation *evaluation, alea_mem *mem,
                                    alea_diag *diag) {
  return make(ground, file, evaluation, true, mem, diag);
}
