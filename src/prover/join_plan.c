/* Ordering the bodies of rules. */
#include "prover/join_plan.h"

#include <math.h>
#include <string.h>

/* What a step is guessed to cost, in branches.  Tests come first, the cheap
 * before the dear.  The numbers for subgoals are guesses that did well on real
 * rulesheets: a subgoal with nothing bound tends to be large. */
#define COST_NOT_YET INFINITY
#define COST_DISTINCT 0.0
#define COST_LOOKUP 0.1
#define COST_GROUND_CALL 0.6
#define COST_FREE_ARGUMENT 6.0
#define COST_FREE_ARGUMENT_UNGUIDED 30.0
#define COST_UNSEEN_RELATION 5.0 /* no row of it at the moment */

bool alea_join_planner_init(alea_join_planner *planner, alea_facts *facts, alea_mem *mem) {
  *planner = (alea_join_planner){.mem = mem, .facts = facts};
  alea_arena_init(&planner->arena, mem);
  const alea_program *p = facts->rules->program;
  for (size_t i = 0; i < p->rules.count; i++)
    if (p->rules.data[i].variable_count > planner->known_count)
      planner->known_count = p->rules.data[i].variable_count;
  planner->known = alea_mem_calloc(mem, planner->known_count, sizeof *planner->known);
  planner->shapes =
      alea_mem_calloc(mem, facts->rules->pred_ids.pairs.count, sizeof *planner->shapes);
  return planner->known != NULL && planner->shapes != NULL;
}

void alea_join_planner_clear(alea_join_planner *planner) {
  if (planner->facts == NULL) return;
  alea_arena_clear(&planner->arena);
  alea_mem_free(planner->mem, planner->known, planner->known_count * sizeof *planner->known);
  alea_mem_free(planner->mem, planner->shapes,
                planner->facts->rules->pred_ids.pairs.count * sizeof *planner->shapes);
}

static const alea_program *program_of(const alea_join_planner *planner) {
  return planner->facts->rules->program;
}

/* ---- variables ---- */

/* Does the term have a variable that is not known yet?  The recursion is
 * bounded by ALEA_MAX_NESTING, as everywhere in the prover. */
static bool is_open(const alea_join_planner *planner, alea_rule_node_id id) {
  const alea_program *p = program_of(planner);
  const alea_rule_node *node = &p->nodes.data[id];
  if (node->kind == ALEA_NODE_VARIABLE) return !planner->known[node->name];
  if (planner->facts->rules->node_term[id] != ALEA_NO_TERM) return false;
  for (uint32_t i = 0; i < node->arg_count; i++)
    if (is_open(planner, p->children.data[node->first_arg + i])) return true;
  return false;
}

/* Marks the variables of the term as known; new ones go to 'fresh', if given. */
static void learn(alea_join_planner *planner, alea_rule_node_id id, uint32_t *fresh,
                  uint32_t *count) {
  const alea_program *p = program_of(planner);
  const alea_rule_node *node = &p->nodes.data[id];
  if (node->kind == ALEA_NODE_VARIABLE) {
    if (planner->known[node->name]) return;
    planner->known[node->name] = true;
    if (fresh != NULL) fresh[(*count)++] = node->name;
    return;
  }
  for (uint32_t i = 0; i < node->arg_count; i++)
    learn(planner, p->children.data[node->first_arg + i], fresh, count);
}

static uint32_t count_open(const alea_join_planner *planner, const alea_step *step) {
  if (step->kind == ALEA_STEP_DISTINCT)
    return is_open(planner, step->literal->atom) || is_open(planner, step->literal->other);
  uint32_t open = 0;
  for (uint32_t i = 0; i < step->arg_count; i++) open += is_open(planner, step->args[i]);
  return open;
}

/* ---- steps ---- */

/* The relation behind a literal on given facts, and its columns. */
static void describe_rows(alea_join_planner *planner, uint32_t literal, alea_step *step) {
  alea_facts *facts = planner->facts;
  alea_pred pred = facts->rules->literal_pred[literal];
  const alea_pred_info *info = &facts->rules->preds[pred];
  step->arena = &facts->arenas[info->level];
  if (info->kind == ALEA_PRED_DOES) {
    step->relation = &facts->does;
  } else if (info->kind == ALEA_PRED_FACTS) {
    step->relation = &facts->stated[pred];
  } else if (facts->rules->literal_functor[literal] == ALEA_NO_FUNCTOR) {
    step->relation = &facts->fluents;
  } else {
    const alea_program *p = program_of(planner);
    const alea_rule_node *fluent = &p->nodes.data[step->args[0]];
    step->relation = &facts->functors[facts->rules->literal_functor[literal]];
    step->args = p->children.data + fluent->first_arg;
    step->arg_count = fluent->arg_count;
  }
  for (uint32_t i = 0; i < step->arg_count; i++)
    if (!is_open(planner, step->args[i])) step->bound |= alea_column(i);
}

/* The literal as a step at this point, but for its fresh variables. */
static alea_step describe(alea_join_planner *planner, uint32_t literal) {
  const alea_program *p = program_of(planner);
  const alea_literal *lit = &p->literals.data[literal];
  alea_step step = {.kind = ALEA_STEP_DISTINCT, .pred = ALEA_NO_PRED, .literal = lit};
  if (lit->kind == ALEA_LITERAL_DISTINCT) return step;
  bool wanted = lit->kind == ALEA_LITERAL_TRUE;
  step.pred = planner->facts->rules->literal_pred[literal];
  step.args = alea_program_args(p, lit->atom);
  step.arg_count = p->nodes.data[lit->atom].arg_count;
  uint8_t kind = planner->facts->rules->preds[step.pred].kind;
  if (kind == ALEA_PRED_DERIVED) {
    step.kind = wanted ? ALEA_STEP_CALL : ALEA_STEP_NOT_CALL;
  } else if (kind == ALEA_PRED_TRUE && !is_open(planner, step.args[0])) {
    step.kind = wanted ? ALEA_STEP_HOLDS : ALEA_STEP_NOT_HOLDS;
  } else {
    step.kind = wanted ? ALEA_STEP_ROWS : ALEA_STEP_NO_ROW;
    describe_rows(planner, literal, &step);
  }
  return step;
}

static double cost_of_call(uint32_t open, uint32_t count) {
  if (open == 0) return COST_GROUND_CALL;
  return pow(open == count ? COST_FREE_ARGUMENT_UNGUIDED : COST_FREE_ARGUMENT, open);
}

static double cost_of(alea_join_planner *planner, const alea_step *step) {
  uint32_t open = count_open(planner, step);
  switch ((alea_step_kind)step->kind) {
    case ALEA_STEP_DISTINCT: return open > 0 ? COST_NOT_YET : COST_DISTINCT;
    case ALEA_STEP_NO_ROW: return open > 0 ? COST_NOT_YET : COST_LOOKUP;
    case ALEA_STEP_NOT_HOLDS: return open > 0 ? COST_NOT_YET : COST_LOOKUP;
    case ALEA_STEP_NOT_CALL: return open > 0 ? COST_NOT_YET : COST_GROUND_CALL;
    case ALEA_STEP_HOLDS: return COST_LOOKUP;
    case ALEA_STEP_CALL: return cost_of_call(open, step->arg_count);
    case ALEA_STEP_ROWS: break;
  }
  if (open == 0) return COST_LOOKUP;
  if (step->relation->count == 0) return COST_UNSEEN_RELATION;
  return alea_relation_fanout(step->relation, step->arena, step->bound);
}

/* ---- plans ---- */

/* The remaining literal that looks cheapest; ties go to the text. */
static uint32_t choose(alea_join_planner *planner, const alea_rule *rule, const bool *done,
                       alea_step *best) {
  uint32_t choice = UINT32_MAX;
  double lowest = 0;
  for (uint32_t i = 0; i < rule->literal_count; i++) {
    if (done[i]) continue;
    alea_step step = describe(planner, rule->first_literal + i);
    double cost = cost_of(planner, &step);
    if (choice != UINT32_MAX && !(cost < lowest)) continue;
    choice = i;
    lowest = cost;
    *best = step;
  }
  return choice;
}

static bool add_fresh(alea_join_planner *planner, alea_step *step, const alea_rule *rule) {
  if (step->kind != ALEA_STEP_ROWS && step->kind != ALEA_STEP_CALL) return true;
  uint32_t *fresh = alea_arena_alloc(&planner->arena, rule->variable_count * sizeof *fresh);
  if (fresh == NULL) return false;
  for (uint32_t i = 0; i < step->arg_count; i++)
    learn(planner, step->args[i], fresh, &step->fresh_count);
  step->fresh = fresh;
  return true;
}

static bool order_body(alea_join_planner *planner, alea_join_plan *plan, bool *done) {
  const alea_rule *rule = plan->rule;
  while (plan->step_count < rule->literal_count) {
    alea_step step;
    uint32_t choice = choose(planner, rule, done, &step);
    done[choice] = true;
    if (!add_fresh(planner, &step, rule)) return false;
    plan->steps[plan->step_count++] = step;
  }
  return true;
}

static const alea_join_plan *make_plan(alea_join_planner *planner, const alea_rule *rule,
                                       const bool *bound) {
  alea_join_plan *plan =
      alea_arena_alloc(&planner->arena, sizeof *plan + rule->literal_count * sizeof(alea_step));
  bool *done = alea_mem_calloc(planner->mem, rule->literal_count, sizeof *done);
  bool made = false;
  if (plan != NULL && done != NULL) {
    plan->rule = rule;
    plan->step_count = 0;
    memset(planner->known, 0, planner->known_count * sizeof *planner->known);
    const alea_rule_node *head = &program_of(planner)->nodes.data[rule->head];
    const alea_rule_node_id *args = alea_program_args(program_of(planner), rule->head);
    for (uint32_t i = 0; i < head->arg_count; i++)
      if (bound[i]) learn(planner, args[i], NULL, NULL);
    made = order_body(planner, plan, done);
  }
  alea_mem_free(planner->mem, done, rule->literal_count * sizeof *done);
  return made ? plan : NULL;
}

static alea_call_shape *make_shape(alea_join_planner *planner, alea_pred pred,
                                   const alea_term *key) {
  const alea_rules *rules = planner->facts->rules;
  const alea_pred_info *info = &rules->preds[pred];
  alea_call_shape *shape = alea_arena_alloc(&planner->arena, sizeof *shape);
  bool *bound = alea_arena_alloc(&planner->arena, info->arity * sizeof *bound);
  const alea_join_plan **plans =
      alea_arena_alloc(&planner->arena, info->rule_count * sizeof *plans);
  if (shape == NULL || bound == NULL || plans == NULL) return NULL;
  for (uint32_t i = 0; i < info->arity; i++) bound[i] = key[i] != ALEA_NO_TERM;
  for (uint32_t i = 0; i < info->rule_count; i++) {
    const alea_rule *rule = &rules->program->rules.data[rules->order[info->first_rule + i]];
    plans[i] = make_plan(planner, rule, bound);
    if (plans[i] == NULL) return NULL;
  }
  *shape = (alea_call_shape){planner->shapes[pred], bound, plans};
  planner->shapes[pred] = shape;
  return shape;
}

static bool fits(const alea_call_shape *shape, const alea_term *key, uint32_t arity) {
  for (uint32_t i = 0; i < arity; i++)
    if (shape->bound[i] != (key[i] != ALEA_NO_TERM)) return false;
  return true;
}

const alea_call_shape *alea_join_planner_shape(alea_join_planner *planner, alea_pred pred,
                                               const alea_term *key) {
  uint32_t arity = planner->facts->rules->preds[pred].arity;
  const alea_call_shape *shape = planner->shapes[pred];
  while (shape != NULL && !fits(shape, key, arity)) shape = shape->older;
  return shape != NULL ? shape : make_shape(planner, pred, key);
}
