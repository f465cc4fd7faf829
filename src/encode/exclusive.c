/* Proving that at most one member of a group holds, by induction over the
 * ground rules with CaDiCaL.
 *
 * The question is whether a state that keeps every hypothesis has a successor
 * that breaks one.  A model of the clauses names the broken ones; they are
 * given up and the question is put again (Houdini: Flanagan and Leino, FME
 * 2001).  What is left when there is no model has been proved.  Atoms that
 * support each other in a cycle are only bounded by their completion, so the
 * clauses have more models than the rules: that is on the safe side. */
#include <ccadical.h>

#include "encode/groups.h"

enum { COMMON_CONFLICTS = 1000 };

typedef struct exclusive_prover {
  encode_groups *groups;
  const alea_ground *ground;
  CCaDiCaL *solver;
  int variables; /* so far; atoms are 1 .. atom_count, atom 0 is 1 */
  int playing;   /* the state is not terminal and one legal move of each role is made */
  int *kept;     /* per group: activates "at most one member now" */
  int *broken;   /* per group: implies "two members hold", next or now */
  double until;  /* in CPU time of this thread */
  const alea_deadline *deadline;
} exclusive_prover;

static int fresh(exclusive_prover *p) { return ++p->variables; }

static int sat_literal(alea_glit lit) {
  int variable = (int)(lit >> 1) + 1;
  return lit & 1 ? -variable : variable;
}

static void clause(exclusive_prover *p, int a, int b, int c) {
  ccadical_add(p->solver, a);
  if (b != 0) ccadical_add(p->solver, b);
  if (c != 0) ccadical_add(p->solver, c);
  ccadical_add(p->solver, 0);
}

/* ---- the rules ---- */

/* A literal that is equivalent to the body. */
static int body(exclusive_prover *p, const alea_ground_rule *rule) {
  const alea_glit *lits = p->ground->lits.data + rule->first_lit;
  if (rule->lit_count == 1) return sat_literal(lits[0]);
  int all = fresh(p);
  for (uint32_t i = 0; i < rule->lit_count; i++) clause(p, -all, sat_literal(lits[i]), 0);
  for (uint32_t i = 0; i < rule->lit_count; i++) ccadical_add(p->solver, -sat_literal(lits[i]));
  clause(p, all, 0, 0);
  return all;
}

static bool complete(exclusive_prover *p, alea_atom atom) {
  const alea_atoms *atoms = p->groups->atoms;
  alea_mem *mem = p->groups->mem;
  uint32_t first = atoms->first_rule[atom], count = atoms->first_rule[atom + 1] - first;
  int head = (int)atom + 1;
  int *bodies = alea_mem_calloc(mem, count, sizeof *bodies);
  if (bodies == NULL) return false;
  for (uint32_t i = 0; i < count; i++) {
    bodies[i] = body(p, &p->ground->rules.data[first + i]);
    clause(p, head, -bodies[i], 0);
  }
  for (uint32_t i = 0; i < count; i++) ccadical_add(p->solver, bodies[i]);
  clause(p, -head, 0, 0);
  alea_mem_free(mem, bodies, count * sizeof *bodies);
  return true;
}

/* Under 'active', at most one of the literals: a ladder. */
static void at_most_one(exclusive_prover *p, int active, int *before, int literal) {
  if (*before != 0) clause(p, -active, -*before, -literal);
  int now = fresh(p);
  clause(p, -literal, now, 0);
  if (*before != 0) clause(p, -*before, now, 0);
  *before = now;
}

static void one_legal_move(exclusive_prover *p, uint32_t role) {
  const alea_ground *g = p->ground;
  int before = 0;
  for (uint32_t m = g->move_first[role]; m < g->move_first[role + 1]; m++) {
    int move = (int)(1 + g->fluent_count + m) + 1;
    clause(p, -p->playing, -move, sat_literal(g->legal[m]));
    at_most_one(p, p->playing, &before, move);
  }
  ccadical_add(p->solver, -p->playing);
  for (uint32_t m = g->move_first[role]; m < g->move_first[role + 1]; m++)
    ccadical_add(p->solver, (int)(1 + g->fluent_count + m) + 1);
  ccadical_add(p->solver, 0);
}

static bool state_rules(exclusive_prover *p) {
  const alea_ground *g = p->ground;
  p->variables = (int)g->atom_count;
  clause(p, 1, 0, 0);
  p->playing = fresh(p);
  for (uint32_t i = alea_atoms_first_derived(g); i < g->atom_count; i++)
    if (!complete(p, i)) return false;
  clause(p, -p->playing, -sat_literal(g->terminal), 0);
  for (uint32_t r = 0; r < g->role_count; r++) one_legal_move(p, r);
  return true;
}

/* ---- the groups ---- */

static bool is_inductive(const encode_groups *s, const encode_group *group) {
  return s->classes.data[group->class].kind == ENCODE_CLASS_FLUENTS;
}

/* The literal of a member in the question: a fluent holds next, all else now. */
static int asked(const exclusive_prover *p, const encode_group *group, uint32_t k) {
  const encode_groups *s = p->groups;
  uint32_t item = s->members.data[group->first + k];
  if (is_inductive(s, group)) return sat_literal(p->ground->next[item]);
  return sat_literal(encode_item_literal(s, &s->classes.data[group->class], item));
}

/* 'broken' implies that two members hold: a witness and one before it. */
static bool state_broken(exclusive_prover *p, const encode_group *group, int broken) {
  alea_mem *mem = p->groups->mem;
  int *witness = alea_mem_calloc(mem, group->count, sizeof *witness);
  int before = 0;
  if (witness == NULL) return false;
  for (uint32_t k = 0; k < group->count; k++) {
    int literal = asked(p, group, k), some = fresh(p);
    if (before != 0) {
      witness[k] = fresh(p);
      clause(p, -witness[k], literal, 0);
      clause(p, -witness[k], before, 0);
    }
    clause(p, -some, literal, before);
    before = some;
  }
  for (uint32_t k = 0; k < group->count; k++)
    if (witness[k] != 0) ccadical_add(p->solver, witness[k]);
  clause(p, -broken, 0, 0);
  alea_mem_free(mem, witness, group->count * sizeof *witness);
  return true;
}

static bool holds_at_start(const exclusive_prover *p, const encode_group *group) {
  uint32_t holding = 0;
  for (uint32_t k = 0; k < group->count && is_inductive(p->groups, group); k++)
    holding += p->ground->init[p->groups->members.data[group->first + k]];
  return holding <= 1;
}

static bool state_groups(exclusive_prover *p) {
  encode_groups *s = p->groups;
  for (size_t i = 0; i < s->groups.count; i++) {
    encode_group *group = &s->groups.data[i];
    group->proved = group->count < 2;
    if (group->proved || !holds_at_start(p, group)) continue;
    p->kept[i] = fresh(p);
    p->broken[i] = fresh(p);
    int before = 0;
    for (uint32_t k = 0; k < group->count && is_inductive(s, group); k++)
      at_most_one(p, p->kept[i], &before, (int)s->members.data[group->first + k] + 2);
    if (!state_broken(p, group, p->broken[i])) return false;
  }
  return true;
}

/* ---- the questions ---- */

static int stop_asking(void *data) {
  const exclusive_prover *p = data;
  return alea_clock_thread() > p->until || alea_deadline_passed(p->deadline);
}

/* The three questions: fluents, one step on; what depends on moves, in states
 * in which moves are made; what depends on the state alone. */
typedef enum question { NEXT_STATE, THIS_MOVE, THIS_STATE, QUESTIONS } question;

static bool in_question(const exclusive_prover *p, size_t i, question q) {
  const encode_groups *s = p->groups;
  const encode_group *group = &s->groups.data[i];
  const encode_class *class = &s->classes.data[group->class];
  if (p->kept[i] == 0) return false;
  if (is_inductive(s, group)) return q == NEXT_STATE;
  alea_glit lit = encode_item_literal(s, class, s->members.data[group->first]);
  bool moved = s->atoms->moved[lit >> 1] || class->kind == ENCODE_CLASS_PERCEPTS;
  return q == (moved ? THIS_MOVE : THIS_STATE);
}

/* Whether some group of the question breaks, or only group 'one'.  20: none
 * does; 10: what does was given up; 0: not answered. */
static int ask(exclusive_prover *p, question q, size_t one) {
  const encode_groups *s = p->groups;
  int asking = one != SIZE_MAX ? p->broken[one] : fresh(p);
  if (one == SIZE_MAX) {
    ccadical_add(p->solver, -asking);
    for (size_t i = 0; i < s->groups.count; i++)
      if (in_question(p, i, q)) ccadical_add(p->solver, p->broken[i]);
    ccadical_add(p->solver, 0);
    ccadical_limit(p->solver, "conflicts", COMMON_CONFLICTS);
  }
  ccadical_assume(p->solver, asking);
  if (q != THIS_STATE) ccadical_assume(p->solver, p->playing);
  for (size_t i = 0; i < s->groups.count; i++)
    if (p->kept[i] != 0 && is_inductive(s, &s->groups.data[i]))
      ccadical_assume(p->solver, p->kept[i]);
  int answer = ccadical_solve(p->solver);
  for (size_t i = 0; i < s->groups.count && answer == 10; i++)
    if (in_question(p, i, q) && (one == SIZE_MAX || i == one) &&
        ccadical_val(p->solver, p->broken[i]) > 0)
      p->kept[i] = -p->kept[i]; /* marked, and dropped once the model was read */
  for (size_t i = 0; i < s->groups.count; i++)
    if (p->kept[i] < 0) p->kept[i] = 0;
  if (one == SIZE_MAX) clause(p, -asking, 0, 0);
  return answer;
}

/* Group by group, until no hypothesis falls any more. */
static int ask_each(exclusive_prover *p, question q) {
  const encode_groups *s = p->groups;
  for (bool again = true; again;) {
    again = false;
    for (size_t i = 0; i < s->groups.count; i++) {
      if (!in_question(p, i, q)) continue;
      int answer = ask(p, q, i);
      if (answer == 20) continue;
      if (stop_asking(p)) return 0;
      p->kept[i] = 0;
      again = q == NEXT_STATE;
    }
  }
  return 20;
}

/* What a question leaves is proved when it was answered.  The fluents come
 * first: as hypotheses of the others they must have been proved, or go.  One
 * question for all is quick where nothing is hard; else each is asked alone,
 * and the solver sees what it is about. */
static bool prove(exclusive_prover *p) {
  encode_groups *s = p->groups;
  bool all = true;
  for (question q = NEXT_STATE; q < QUESTIONS; q++) {
    int answer = 10;
    while (answer == 10) answer = ask(p, q, SIZE_MAX);
    if (answer != 20 && !stop_asking(p)) answer = ask_each(p, q);
    for (size_t i = 0; i < s->groups.count; i++) {
      if (!in_question(p, i, q)) continue;
      s->groups.data[i].proved = answer == 20;
      if (answer != 20) p->kept[i] = 0;
    }
    all = all && answer == 20;
  }
  return all;
}

alea_status encode_groups_prove(encode_groups *s, double seconds, const alea_deadline *deadline) {
  exclusive_prover p = {.groups = s, .ground = s->atoms->ground, .deadline = deadline};
  p.until = alea_clock_thread() + seconds;
  p.kept = alea_mem_calloc(s->mem, s->groups.count, sizeof *p.kept);
  p.broken = alea_mem_calloc(s->mem, s->groups.count, sizeof *p.broken);
  p.solver = ccadical_init();
  bool good = p.kept != NULL && p.broken != NULL && p.solver != NULL;
  bool answered = false;
  if (good) {
    ccadical_set_terminate(p.solver, &p, stop_asking);
    good = state_rules(&p) && state_groups(&p);
    answered = good && prove(&p);
  }
  for (size_t i = 0; i < s->groups.count && !good; i++)
    s->groups.data[i].proved = s->groups.data[i].count < 2;
  if (p.solver != NULL) ccadical_release(p.solver);
  alea_mem_free(s->mem, p.kept, s->groups.count * sizeof *p.kept);
  alea_mem_free(s->mem, p.broken, s->groups.count * sizeof *p.broken);
  return answered ? ALEA_OK : good ? ALEA_LIMIT : ALEA_SYSTEM;
}
