/* Proving that at most one member of a group holds, by induction over the
 * ground rules.
 *
 * Atoms that support each other in a cycle are only bounded by their
 * completion, so the clauses have more models than the rules: that is on the
 * safe side. */
#include <math.h>

#include "encode/groups.h"
#include "sat/induction.h"

enum {
  COMMON_CONFLICTS = 1000,
  /* of a group by itself, and groups asked, where no time limits the proof */
  EACH_CONFLICTS = 100,
  EACH_QUESTIONS = 100,
};

typedef struct exclusive_prover {
  encode_groups *groups;
  const alea_ground *ground;
  alea_sat sat; /* atom a is variable a + 1, so that atom 0 is the true one */
  alea_induction induction;
  alea_slit playing; /* the state is not terminal and one legal move of each role is made */
  alea_u32s numbers; /* per group: in the induction, or UINT32_MAX */
  ALEA_VEC(alea_slit) lits, next; /* scratch */
  bool counted;                   /* conflicts limit it, not time */
} exclusive_prover;

static alea_slit atom_literal(alea_glit lit) {
  int variable = (int)(lit >> 1) + 1;
  return lit & 1 ? -variable : variable;
}

static alea_status lack(const exclusive_prover *p) { return alea_mem_lack(p->groups->mem); }

/* ---- the rules ---- */

/* A literal that is equivalent to the body. */
static bool state_body(exclusive_prover *p, const alea_ground_rule *rule, alea_slit *body) {
  const alea_glit *lits = p->ground->lits.data + rule->first_lit;
  p->lits.count = 0;
  for (uint32_t i = 0; i < rule->lit_count; i++)
    if (!alea_vec_push(p->groups->mem, &p->lits, atom_literal(lits[i]))) return false;
  *body = rule->lit_count == 1 ? p->lits.data[0] : alea_sat_variable(&p->sat);
  if (rule->lit_count != 1) alea_sat_define(&p->sat, *body, false, p->lits.data, p->lits.count);
  return true;
}

static bool complete(exclusive_prover *p, alea_atom atom) {
  const alea_atoms *atoms = p->groups->atoms;
  p->next.count = 0;
  for (uint32_t i = atoms->first_rule[atom]; i < atoms->first_rule[atom + 1]; i++) {
    alea_slit body;
    if (!state_body(p, &p->ground->rules.data[i], &body) ||
        !alea_vec_push(p->groups->mem, &p->next, body))
      return false;
  }
  alea_sat_define(&p->sat, (alea_slit)atom + 1, true, p->next.data, p->next.count);
  return true;
}

static bool state_move(exclusive_prover *p, uint32_t role) {
  const alea_ground *g = p->ground;
  alea_slit before = ALEA_SLIT_FALSE;
  p->lits.count = 0;
  bool good = alea_vec_push(p->groups->mem, &p->lits, -p->playing);
  for (uint32_t m = g->move_first[role]; m < g->move_first[role + 1] && good; m++) {
    alea_slit move = (alea_slit)(1 + g->fluent_count + m) + 1, now = alea_sat_variable(&p->sat);
    alea_sat_clause3(&p->sat, -p->playing, -move, atom_literal(g->legal[m]));
    alea_sat_clause3(&p->sat, -p->playing, -before, -move);
    alea_sat_clause2(&p->sat, -move, now);
    alea_sat_clause2(&p->sat, -before, now);
    before = now;
    good = alea_vec_push(p->groups->mem, &p->lits, move);
  }
  if (good) alea_sat_clause(&p->sat, p->lits.data, p->lits.count);
  return good;
}

static bool state_rules(exclusive_prover *p) {
  const alea_ground *g = p->ground;
  for (uint32_t i = 1; i < g->atom_count; i++) alea_sat_variable(&p->sat);
  p->playing = alea_sat_variable(&p->sat);
  for (uint32_t i = alea_atoms_first_derived(g); i < g->atom_count; i++)
    if (!complete(p, i)) return false;
  alea_sat_clause2(&p->sat, -p->playing, -atom_literal(g->terminal));
  for (uint32_t r = 0; r < g->role_count; r++)
    if (!state_move(p, r)) return false;
  return true;
}

/* ---- the groups ---- */

/* The three questions: fluents, one step on; what depends on moves, in states
 * in which moves are made; what depends on the state alone. */
typedef enum question { NEXT_STATE, THIS_MOVE, THIS_STATE, QUESTIONS } question;

static question question_of(const encode_groups *s, const encode_group *group) {
  const encode_class *class = &s->classes.data[group->class];
  if (class->kind == ENCODE_CLASS_FLUENTS) return NEXT_STATE;
  alea_glit lit = encode_item_literal(s, class, s->members.data[group->first]);
  bool moved = s->atoms->moved[lit >> 1] || class->kind == ENCODE_CLASS_PERCEPTS;
  return moved ? THIS_MOVE : THIS_STATE;
}

static bool holds_at_start(const exclusive_prover *p, const encode_group *group) {
  uint32_t holding = 0;
  if (question_of(p->groups, group) != NEXT_STATE) return true;
  for (uint32_t k = 0; k < group->count; k++)
    holding += p->ground->init[p->groups->members.data[group->first + k]];
  return holding <= 1;
}

/* A fluent is a hypothesis now and a claim of the next state; all else is a
 * claim of this one. */
static alea_status state_group(exclusive_prover *p, const encode_group *group) {
  const encode_groups *s = p->groups;
  question q = question_of(s, group);
  p->lits.count = p->next.count = 0;
  for (uint32_t k = 0; k < group->count; k++) {
    uint32_t item = s->members.data[group->first + k];
    alea_slit now = atom_literal(encode_item_literal(s, &s->classes.data[group->class], item));
    alea_slit next = q == NEXT_STATE ? atom_literal(p->ground->next[item]) : now;
    if (!alea_vec_push(s->mem, &p->lits, now) || !alea_vec_push(s->mem, &p->next, next))
      return lack(p);
  }
  return alea_induction_add(&p->induction, q, p->lits.data, q == NEXT_STATE ? p->lits.count : 0,
                            p->next.data, p->next.count);
}

static alea_status state_groups(exclusive_prover *p) {
  encode_groups *s = p->groups;
  alea_status status = ALEA_OK;
  for (size_t i = 0; status == ALEA_OK && i < s->groups.count; i++) {
    const encode_group *group = &s->groups.data[i];
    bool stated = group->count > 1 && holds_at_start(p, group);
    uint32_t number = stated ? (uint32_t)p->induction.groups.count : UINT32_MAX;
    if (!alea_vec_push(s->mem, &p->numbers, number)) return lack(p);
    if (stated) status = state_group(p, group);
  }
  return status;
}

/* ---- the questions ---- */

/* The fluents come first: as hypotheses of the others they must have been
 * proved, or go.  One question for all is quick where nothing is hard; else
 * each is asked alone. */
static alea_status prove(exclusive_prover *p, bool *all) {
  encode_groups *s = p->groups;
  alea_induction_limits limits = {.conflicts = COMMON_CONFLICTS, .each = true};
  if (p->counted) limits.each_conflicts = EACH_CONFLICTS, limits.each_questions = EACH_QUESTIONS;
  alea_status status = state_rules(p) ? state_groups(p) : lack(p);
  *all = true;
  for (question q = NEXT_STATE; status == ALEA_OK && q < QUESTIONS; q++) {
    bool proved;
    alea_slit given = q == THIS_STATE ? ALEA_SLIT_TRUE : p->playing;
    status = alea_induction_run(&p->induction, q, given, &limits, &proved);
    *all = *all && proved;
  }
  for (size_t i = 0; status == ALEA_OK && i < s->groups.count; i++) {
    uint32_t number = p->numbers.data[i];
    if (number != UINT32_MAX) s->groups.data[i].proved = !p->induction.groups.data[number].given_up;
  }
  return status;
}

/* Ends with 'until', in CPU time of this thread, or with the deadline. */
static alea_deadline earlier(const alea_deadline *deadline, double until) {
  alea_deadline both = deadline != NULL ? *deadline : (alea_deadline){0};
  if (both.thread_at == 0 || both.thread_at > until) both.thread_at = until;
  return both;
}

alea_status encode_groups_prove(encode_groups *s, double seconds, const alea_deadline *deadline) {
  exclusive_prover p = {.groups = s, .ground = s->atoms->ground};
  alea_deadline both = earlier(deadline, alea_clock_thread() + seconds);
  p.counted = isinf(seconds);
  bool all = false;
  for (size_t i = 0; i < s->groups.count; i++)
    s->groups.data[i].proved = s->groups.data[i].count < 2;
  alea_status status = ALEA_SYSTEM;
  if (alea_sat_init(&p.sat, ALEA_SAT_LONG, SIZE_MAX)) {
    p.sat.deadline = &both;
    p.induction = (alea_induction){.mem = s->mem, .sat = &p.sat};
    status = prove(&p, &all);
  }
  alea_induction_clear(&p.induction);
  alea_sat_clear(&p.sat);
  alea_vec_clear(s->mem, &p.numbers);
  alea_vec_clear(s->mem, &p.lits);
  alea_vec_clear(s->mem, &p.next);
  if (status != ALEA_OK) return ALEA_SYSTEM;
  return all ? ALEA_OK : ALEA_LIMIT;
}
