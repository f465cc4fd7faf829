/* Tabled resolution with explicit stacks.
 *
 * A frame drives one table: it joins the bodies of the table's rules one after
 * the other.  Where a join needs a subgoal that has no table yet, a frame for
 * it goes on top, and the join below continues when that frame is gone.  Where
 * it needs a table that is incomplete (recursion), the join is stored there as
 * a waiter and abandoned; each waiter is resumed once with every answer.
 *
 * Incomplete tables form a stack.  The position of a table and the lowest
 * position that it may depend on ('low') tell, as in Tarjan's algorithm, when
 * a table and all above it depend on nothing below: then its frame resumes the
 * waiters of the group until nothing is new, and the group is complete.  A
 * group may be larger than a strongly connected component; that costs time,
 * not correctness.
 *
 * A negation needs a complete table.  If the table belongs to the very group
 * that asks, the join waits until nothing else is left to do, and then goes on
 * under the condition that the negation holds (settle.h).
 *
 * Waiters and conditions of a group are seen by this group alone: joins of
 * tables below do not run while its frames are on the stack. */
#include "prover/solver.h"

#include <assert.h>
#include <string.h>

#include "prover/rule_terms.h"
#include "prover/settle.h"

/* A join that waits for answers of a table, or for its negation. */
struct alea_waiter {
  alea_waiter *next;         /* with the same table */
  alea_answer_table *target; /* whose rule it is */
  const alea_join_plan *plan;
  uint32_t step;   /* of the literal that waits */
  uint32_t answer; /* the next one to take */
  const alea_condition *conditions;
  alea_answer_table *negated; /* for a negation: the table that must be empty */
  alea_term bindings[];
};

/* What a step of a join has yet to try. */
typedef struct choice {
  alea_relation_scan scan;        /* ROWS */
  const alea_answer_table *table; /* CALL, complete */
  uint32_t answer;
} choice;

typedef enum phase { PHASE_FACTS, PHASE_RULES, PHASE_GROUP } phase;

typedef struct solver_frame {
  alea_answer_table *owner;
  uint8_t phase;
  uint32_t rule; /* the next one of the owner's predicate */

  /* The join under way. */
  bool joining;
  bool forward;              /* trying 'step' for the first time; else looking back */
  alea_answer_table *target; /* gets the answers */
  const alea_join_plan *plan;
  uint32_t first_step, step;
  const alea_condition *conditions;
  size_t bindings, choices; /* where they begin in the solver's stacks */

  /* The group: waiters are resumed table by table. */
  alea_answer_table *source;
  alea_waiter *waiter;
  size_t work_base, denied_base, instance_base;
} solver_frame;

struct alea_solver {
  alea_mem *mem;
  const alea_rules *rules;
  alea_terms *terms;
  alea_facts facts;
  alea_join_planner planner;
  alea_answer_table_store stores[ALEA_LEVELS];
  uint64_t max_inferences;

  /* During a question. */
  alea_status status;
  uint64_t inferences, earlier; /* for this question, and for those before it */
  bool too_large;               /* an answer is beyond ALEA_TERM_SIZE_LIMIT */
  alea_arena scratch;           /* waiters and conditions */
  ALEA_VEC(solver_frame) frames;
  ALEA_VEC(alea_term) bindings;
  ALEA_VEC(choice) choices;
  ALEA_VEC(alea_answer_table *) incomplete;
  ALEA_VEC(alea_answer_table *) work; /* tables whose waiters may have answers to take */
  ALEA_VEC(alea_waiter *) denied;     /* waiting for a negation */
  ALEA_VEC(alea_instance) instances;
  alea_rule_terms build; /* with the stack of keys, rows and arguments under construction */
};

static void fail(alea_solver *s, alea_status status) {
  if (s->status == ALEA_OK) s->status = status;
}

static void fail_memory(alea_solver *s) { fail(s, alea_mem_lack(s->mem)); }

/* A question may take longer than a clock: its deadline is looked at every so
 * many inferences, some tens of microseconds. */
enum { INFERENCES_PER_LOOK = 256 };

static void count_inference(alea_solver *s) {
  if (++s->inferences > s->max_inferences) fail(s, ALEA_LIMIT);
  if (s->inferences % INFERENCES_PER_LOOK == 0 && alea_mem_late(s->mem)) fail(s, ALEA_LIMIT);
}

/* One term per argument of the step on the stack of terms: its value where that
 * is ground already, else ALEA_NO_TERM.  Returns where they begin. */
static size_t push_key(alea_solver *s, const alea_step *step, const alea_term *bindings) {
  size_t base = s->build.words.count;
  bool make = step->kind == ALEA_STEP_CALL || step->kind == ALEA_STEP_NOT_CALL;
  for (uint32_t i = 0; i < step->arg_count; i++) {
    if (!alea_rule_terms_push(&s->build,
                              alea_rule_terms_build(&s->build, step->args[i], bindings, make)))
      break;
  }
  return base;
}

/* ---- tables ---- */

static alea_answer_table_store *store_of(alea_solver *s, alea_pred pred) {
  return &s->stores[s->rules->preds[pred].level];
}

static void add_work(alea_solver *s, alea_answer_table *table) {
  if (table->queued || table->first_waiter == NULL) return;
  if (!alea_vec_push(s->mem, &s->work, table)) {
    fail_memory(s);
    return;
  }
  table->queued = true;
}

/* A table for a new subgoal, with a frame on top to evaluate it. */
static alea_answer_table *begin_table(alea_solver *s, alea_pred pred, const alea_term *key) {
  const alea_call_shape *shape = alea_join_planner_shape(&s->planner, pred, key);
  alea_answer_table *table =
      alea_answer_table_store_add(store_of(s, pred), pred, key, s->rules->preds[pred].arity);
  solver_frame f = {.owner = table,
                    .phase = PHASE_FACTS,
                    .bindings = s->bindings.count,
                    .choices = s->choices.count,
                    .work_base = s->work.count,
                    .denied_base = s->denied.count,
                    .instance_base = s->instances.count};
  if (shape == NULL || table == NULL || !alea_vec_push(s->mem, &s->incomplete, table) ||
      !alea_vec_push(s->mem, &s->frames, f)) {
    fail_memory(s);
    return NULL;
  }
  table->shape = shape;
  table->position = table->low = (uint32_t)s->incomplete.count - 1;
  return table;
}

/* It is enough to tell the owner of the frame: whatever depends on a table of
 * its group depends on the group. */
static void note_dependency(solver_frame *f, const alea_answer_table *on) {
  if (on->low < f->owner->low) f->owner->low = on->low;
}

/* Larger terms come from rules that double them at every step; whoever copies
 * or prints one walks it as a tree. */
static bool is_too_large(const alea_solver *s, const alea_term *row, uint32_t arity) {
  for (uint32_t i = 0; i < arity; i++)
    if (alea_terms_size(s->terms, row[i]) > ALEA_TERM_SIZE_LIMIT) return true;
  return false;
}

static void add_answer(alea_solver *s, alea_answer_table *table, const alea_term *row,
                       const alea_condition *conditions) {
  bool added;
  if (is_too_large(s, row, table->arity)) {
    s->too_large = true;
    fail(s, ALEA_LIMIT);
    return;
  }
  uint32_t answer = alea_answer_table_add(table, row, &added);
  if (answer == ALEA_NO_ANSWER) {
    fail_memory(s);
    return;
  }
  if (added) add_work(s, table);
  if (table->flags[answer] & ALEA_ANSWER_PROVED) return;
  if (conditions == NULL) {
    table->flags[answer] |= ALEA_ANSWER_PROVED;
    return;
  }
  alea_instance instance = {table, answer, conditions};
  if (!alea_vec_push(s->mem, &s->instances, instance)) fail_memory(s);
}

/* Nothing can be added to a ground table that has its one answer. */
static bool is_final(const alea_answer_table *table) {
  return table->complete || (table->ground && alea_answer_table_has(table, ALEA_ANSWER_PROVED));
}

static const alea_condition *add_condition(alea_solver *s, const alea_condition *others,
                                           const alea_answer_table *table, uint32_t answer) {
  alea_condition *c = alea_arena_alloc(&s->scratch, sizeof *c);
  if (c == NULL) {
    fail_memory(s);
    return others;
  }
  *c = (alea_condition){others, table, answer};
  return c;
}

/* ---- joins ---- */

static alea_term *bindings_of(alea_solver *s, const solver_frame *f) {
  return s->bindings.data + f->bindings;
}

/* Stacks for a join in the top frame. */
static bool begin_join(alea_solver *s, solver_frame *f, alea_answer_table *target,
                       const alea_join_plan *plan, uint32_t first_step,
                       const alea_condition *conditions) {
  s->bindings.count = f->bindings;
  s->choices.count = f->choices;
  if (!alea_vec_reserve(s->mem, &s->bindings, plan->rule->variable_count) ||
      !alea_vec_reserve(s->mem, &s->choices, plan->step_count)) {
    fail_memory(s);
    return false;
  }
  s->bindings.count += plan->rule->variable_count;
  s->choices.count += plan->step_count;
  f->joining = f->forward = true;
  f->target = target;
  f->plan = plan;
  f->first_step = f->step = first_step;
  f->conditions = conditions;
  return true;
}

static void end_join(alea_solver *s, solver_frame *f) {
  f->joining = false;
  s->bindings.count = f->bindings;
  s->choices.count = f->choices;
}

/* All steps succeeded: the head is an answer. */
static void emit(alea_solver *s, solver_frame *f) {
  const alea_answer_table *table = f->target;
  const alea_rule_node_id *args = alea_program_args(s->rules->program, f->plan->rule->head);
  size_t base = s->build.words.count;
  for (uint32_t i = 0; i < table->arity; i++) {
    alea_term term = table->key[i];
    if (term == ALEA_NO_TERM)
      term = alea_rule_terms_build_new(&s->build, args[i], bindings_of(s, f));
    (void)alea_rule_terms_push(&s->build, term);
  }
  if (s->status == ALEA_OK) add_answer(s, f->target, s->build.words.data + base, f->conditions);
  s->build.words.count = base;
  if (f->phase == PHASE_RULES && is_final(f->owner)) {
    f->rule = s->rules->preds[f->owner->pred].rule_count;
    end_join(s, f);
  }
}

static alea_waiter *make_waiter(alea_solver *s, const solver_frame *f) {
  uint32_t variables = f->plan->rule->variable_count;
  alea_waiter *w = alea_arena_alloc(&s->scratch, sizeof *w + variables * sizeof w->bindings[0]);
  if (w == NULL) {
    fail_memory(s);
    return NULL;
  }
  *w = (alea_waiter){
      .target = f->target, .plan = f->plan, .step = f->step, .conditions = f->conditions};
  if (variables > 0) memcpy(w->bindings, bindings_of(s, f), variables * sizeof w->bindings[0]);
  return w;
}

static void wait_for_answers(alea_solver *s, solver_frame *f, alea_answer_table *table) {
  alea_waiter *w = make_waiter(s, f);
  if (w == NULL) return;
  if (table->last_waiter != NULL) {
    table->last_waiter->next = w;
  } else {
    table->first_waiter = w;
  }
  table->last_waiter = w;
  note_dependency(f, table);
  if (table->count > 0) add_work(s, table);
}

static void wait_for_negation(alea_solver *s, solver_frame *f, alea_answer_table *table) {
  alea_waiter *w = make_waiter(s, f);
  if (w == NULL) return;
  w->negated = table;
  note_dependency(f, table);
  if (!alea_vec_push(s->mem, &s->denied, w)) fail_memory(s);
}

typedef enum outcome { HIT, MISS, PUSHED } outcome;

static void unbind(alea_solver *s, const solver_frame *f, const alea_step *step) {
  alea_term *bindings = bindings_of(s, f);
  for (uint32_t i = 0; i < step->fresh_count; i++) bindings[step->fresh[i]] = ALEA_NO_TERM;
}

static outcome next_row(alea_solver *s, solver_frame *f, const alea_step *step, choice *c) {
  while (c->scan.at != 0 && s->status == ALEA_OK) {
    uint32_t row = alea_relation_next(step->relation, &c->scan);
    count_inference(s);
    unbind(s, f, step);
    if (alea_rule_terms_match_all(&s->build, step->args, step->arg_count,
                                  step->relation->rows + (size_t)row * step->relation->arity,
                                  bindings_of(s, f)))
      return HIT;
  }
  unbind(s, f, step);
  return MISS;
}

static outcome next_answer(alea_solver *s, solver_frame *f, const alea_step *step, choice *c) {
  while (c->answer < c->table->count && s->status == ALEA_OK) {
    const alea_term *row = alea_answer_table_row(c->table, c->answer++);
    count_inference(s);
    unbind(s, f, step);
    if (alea_rule_terms_match_all(&s->build, step->args, step->arg_count, row, bindings_of(s, f)))
      return HIT;
  }
  unbind(s, f, step);
  return MISS;
}

static outcome enter_rows(alea_solver *s, solver_frame *f, const alea_step *step, choice *c) {
  size_t key = push_key(s, step, bindings_of(s, f));
  if (s->status == ALEA_OK && !alea_relation_find(step->relation, step->arena, step->bound,
                                                  s->build.words.data + key, &c->scan))
    fail_memory(s);
  s->build.words.count = key;
  if (s->status != ALEA_OK) return MISS;
  outcome result = next_row(s, f, step, c);
  if (step->kind == ALEA_STEP_ROWS) return result;
  return result == HIT ? MISS : HIT;
}

/* The table of the step's subgoal; NULL when a frame was pushed for it (or on
 * failure), after which 'f' is no longer valid. */
static alea_answer_table *call(alea_solver *s, const solver_frame *f, const alea_step *step) {
  size_t key = push_key(s, step, bindings_of(s, f));
  alea_answer_table *table = NULL;
  if (s->status == ALEA_OK) {
    table = alea_answer_table_store_find(store_of(s, step->pred), step->pred,
                                         s->build.words.data + key, step->arg_count);
    if (table == NULL) begin_table(s, step->pred, s->build.words.data + key);
  }
  s->build.words.count = key;
  return table;
}

static outcome enter_call(alea_solver *s, solver_frame *f, const alea_step *step, choice *c) {
  alea_answer_table *table = call(s, f, step);
  if (table == NULL) return PUSHED;
  if (!is_final(table)) {
    wait_for_answers(s, f, table);
    return MISS;
  }
  c->table = table;
  c->answer = 0;
  return next_answer(s, f, step, c);
}

static outcome enter_not_call(alea_solver *s, solver_frame *f, const alea_step *step) {
  alea_answer_table *table = call(s, f, step);
  if (table == NULL) return PUSHED;
  if (is_final(table)) return table->count > 0 ? MISS : HIT;
  wait_for_negation(s, f, table);
  return MISS;
}

static bool differ(alea_solver *s, const alea_literal *literal, const alea_term *bindings) {
  alea_term a = alea_rule_terms_build_new(&s->build, literal->atom, bindings);
  alea_term b = alea_rule_terms_build_new(&s->build, literal->other, bindings);
  return a != b;
}

static bool holds(alea_solver *s, const alea_step *step, const alea_term *bindings) {
  alea_term fluent = alea_rule_terms_build(&s->build, step->args[0], bindings, false);
  return fluent != ALEA_NO_TERM && alea_facts_holds(&s->facts, fluent);
}

static outcome enter_step(alea_solver *s, solver_frame *f) {
  const alea_step *step = &f->plan->steps[f->step];
  choice *c = &s->choices.data[f->choices + f->step];
  count_inference(s);
  switch ((alea_step_kind)step->kind) {
    case ALEA_STEP_DISTINCT: return differ(s, step->literal, bindings_of(s, f)) ? HIT : MISS;
    case ALEA_STEP_HOLDS: return holds(s, step, bindings_of(s, f)) ? HIT : MISS;
    case ALEA_STEP_NOT_HOLDS: return holds(s, step, bindings_of(s, f)) ? MISS : HIT;
    case ALEA_STEP_ROWS:
    case ALEA_STEP_NO_ROW: return enter_rows(s, f, step, c);
    case ALEA_STEP_CALL: return enter_call(s, f, step, c);
    case ALEA_STEP_NOT_CALL: return enter_not_call(s, f, step);
  }
  return MISS;
}

static outcome retry_step(alea_solver *s, solver_frame *f) {
  const alea_step *step = &f->plan->steps[f->step];
  choice *c = &s->choices.data[f->choices + f->step];
  if (step->kind == ALEA_STEP_ROWS) return next_row(s, f, step, c);
  if (step->kind == ALEA_STEP_CALL) return next_answer(s, f, step, c);
  return MISS;
}

/* Goes on with the join of the top frame until it is exhausted or has pushed
 * another frame. */
static void run_join(alea_solver *s, solver_frame *f) {
  while (s->status == ALEA_OK) {
    if (f->forward && f->step == f->plan->step_count) {
      emit(s, f);
      if (!f->joining) return;
      f->forward = false;
    }
    if (!f->forward) {
      if (f->step == f->first_step) {
        end_join(s, f);
        return;
      }
      f->step--;
    }
    outcome result = f->forward ? enter_step(s, f) : retry_step(s, f);
    if (result == PUSHED) return;
    f->forward = result == HIT;
    if (result == HIT) f->step++;
  }
}

/* ---- frames ---- */

/* Facts of a predicate that also has rules. */
static void add_facts(alea_solver *s, solver_frame *f) {
  alea_answer_table *table = f->owner;
  alea_relation *stated = &s->facts.stated[table->pred];
  alea_columns columns = 0;
  for (uint32_t i = 0; i < table->arity; i++)
    if (table->key[i] != ALEA_NO_TERM) columns |= alea_column(i);
  alea_relation_scan scan;
  if (!alea_relation_find(stated, &s->facts.arenas[ALEA_STATIC], columns, table->key, &scan)) {
    fail_memory(s);
    return;
  }
  while (scan.at != 0) {
    const alea_term *row = stated->rows + (size_t)alea_relation_next(stated, &scan) * stated->arity;
    bool same = true;
    for (uint32_t i = 0; i < table->arity && same; i++)
      same = table->key[i] == ALEA_NO_TERM || table->key[i] == row[i];
    if (same) add_answer(s, table, row, NULL);
  }
}

/* Starts the join of the owner's next rule whose head fits. */
static bool begin_rule(alea_solver *s, solver_frame *f) {
  const alea_answer_table *table = f->owner;
  uint32_t count = s->rules->preds[table->pred].rule_count;
  while (f->rule < count && s->status == ALEA_OK && !is_final(table)) {
    const alea_join_plan *plan = table->shape->plans[f->rule++];
    if (!begin_join(s, f, f->owner, plan, 0, NULL)) return false;
    alea_term *bindings = bindings_of(s, f);
    for (uint32_t i = 0; i < plan->rule->variable_count; i++) bindings[i] = ALEA_NO_TERM;
    const alea_rule_node_id *args = alea_program_args(s->rules->program, plan->rule->head);
    bool fits = true;
    for (uint32_t i = 0; i < table->arity && fits; i++)
      fits = table->key[i] == ALEA_NO_TERM ||
             alea_rule_terms_match(&s->build, args[i], table->key[i], bindings);
    if (fits) return true;
    end_join(s, f);
  }
  return false;
}

static bool resume(alea_solver *s, solver_frame *f, alea_waiter *w,
                   const alea_condition *conditions) {
  if (!begin_join(s, f, w->target, w->plan, w->step + 1, conditions)) return false;
  if (w->plan->rule->variable_count > 0)
    memcpy(bindings_of(s, f), w->bindings, w->plan->rule->variable_count * sizeof w->bindings[0]);
  return true;
}

/* Resumes waiter 'w' with the next answer of 'source'; false when the answer
 * does not match. */
static bool feed(alea_solver *s, solver_frame *f, alea_waiter *w, const alea_answer_table *source) {
  uint32_t answer = w->answer++;
  const alea_step *step = &w->plan->steps[w->step];
  const alea_condition *conditions = w->conditions;
  count_inference(s);
  if (!(source->flags[answer] & ALEA_ANSWER_PROVED))
    conditions = add_condition(s, conditions, source, answer);
  if (!resume(s, f, w, conditions)) return false;
  if (alea_rule_terms_match_all(&s->build, step->args, step->arg_count,
                                alea_answer_table_row(source, answer), bindings_of(s, f)))
    return true;
  end_join(s, f);
  return false;
}

/* Starts a join for some answer that some waiter of the group has not taken. */
static bool resume_waiter(alea_solver *s, solver_frame *f) {
  while (s->status == ALEA_OK) {
    if (f->source == NULL) {
      if (s->work.count == f->work_base) return false;
      f->source = s->work.data[--s->work.count];
      f->source->queued = false;
      f->waiter = f->source->first_waiter;
    }
    while (f->waiter != NULL && s->status == ALEA_OK) {
      if (f->waiter->answer >= f->source->count) {
        f->waiter = f->waiter->next;
      } else if (feed(s, f, f->waiter, f->source)) {
        return true;
      }
    }
    f->source = NULL;
  }
  return false;
}

/* Nothing else is left: starts a join that waits for a negation in the group,
 * under the condition that the negation holds. */
static bool assume_negation(alea_solver *s, solver_frame *f) {
  while (s->denied.count > f->denied_base) {
    alea_waiter *w = s->denied.data[--s->denied.count];
    if (is_final(w->negated) && w->negated->count > 0) continue;
    const alea_condition *c = add_condition(s, w->conditions, w->negated, ALEA_NO_ANSWER);
    return resume(s, f, w, c);
  }
  return false;
}

static void pop_frame(alea_solver *s) { s->frames.count--; }

static void complete_group(alea_solver *s, const solver_frame *f) {
  size_t first = f->owner->position;
  alea_answer_table **group = s->incomplete.data + first;
  size_t count = s->incomplete.count - first;
  if (s->instances.count > f->instance_base) {
    alea_status status = alea_settle(group, count, s->instances.data + f->instance_base,
                                     s->instances.count - f->instance_base, s->mem);
    if (status != ALEA_OK) fail(s, status);
  }
  for (size_t i = 0; i < count; i++) {
    group[i]->complete = true;
    group[i]->first_waiter = group[i]->last_waiter = NULL;
  }
  s->incomplete.count = first;
  s->instances.count = f->instance_base;
  pop_frame(s);
}

/* The owner depends on a table further down, whose group will finish it. */
static void leave_group(alea_solver *s, solver_frame *f) {
  if (f->source != NULL) add_work(s, f->source);
  const alea_answer_table *owner = f->owner;
  pop_frame(s);
  assert(s->frames.count > 0);
  note_dependency(&s->frames.data[s->frames.count - 1], owner);
}

/* Finds the next thing to do for a frame that has no join. */
static void advance(alea_solver *s, solver_frame *f) {
  if (f->phase == PHASE_FACTS) {
    add_facts(s, f);
    f->phase = PHASE_RULES;
  }
  if (f->phase == PHASE_RULES) {
    if (begin_rule(s, f) || s->status != ALEA_OK) return;
    f->phase = PHASE_GROUP;
  }
  if (f->owner->low < f->owner->position) {
    leave_group(s, f);
    return;
  }
  if (resume_waiter(s, f) || s->status != ALEA_OK) return;
  if (assume_negation(s, f) || s->status != ALEA_OK) return;
  complete_group(s, f);
}

static void run(alea_solver *s) {
  while (s->frames.count > 0 && s->status == ALEA_OK) {
    solver_frame *f = &s->frames.data[s->frames.count - 1];
    if (f->joining) {
      run_join(s, f);
    } else {
      advance(s, f);
    }
  }
}

/* ---- the solver ---- */

alea_status alea_solver_new(alea_solver **solver, const alea_rules *rules, uint64_t max_inferences,
                            alea_mem *mem) {
  *solver = NULL;
  alea_solver *s = alea_mem_zalloc(mem, sizeof *s);
  if (s == NULL) return alea_mem_lack(mem);
  s->mem = mem;
  s->rules = rules;
  s->max_inferences = max_inferences;
  alea_arena_init(&s->scratch, mem);
  for (int i = 0; i < ALEA_LEVELS; i++) alea_answer_table_store_init(&s->stores[i], mem);
  s->terms = alea_rules_copy_terms(rules, mem);
  s->build = (alea_rule_terms){.mem = mem, .rules = rules, .terms = s->terms, .status = &s->status};
  if (s->terms == NULL || !alea_facts_init(&s->facts, rules, s->terms, mem) ||
      !alea_join_planner_init(&s->planner, &s->facts, mem) ||
      !alea_facts_set_state(&s->facts, NULL, 0)) {
    alea_solver_free(s);
    return alea_mem_lack(mem);
  }
  *solver = s;
  return ALEA_OK;
}

void alea_solver_free(alea_solver *s) {
  if (s == NULL) return;
  alea_mem *mem = s->mem;
  for (int i = 0; i < ALEA_LEVELS; i++) alea_answer_table_store_clear(&s->stores[i]);
  alea_join_planner_clear(&s->planner);
  alea_facts_clear(&s->facts);
  alea_terms_free(s->terms);
  alea_arena_clear(&s->scratch);
  alea_vec_clear(mem, &s->frames);
  alea_vec_clear(mem, &s->bindings);
  alea_vec_clear(mem, &s->choices);
  alea_vec_clear(mem, &s->incomplete);
  alea_vec_clear(mem, &s->work);
  alea_vec_clear(mem, &s->denied);
  alea_vec_clear(mem, &s->instances);
  alea_rule_terms_clear(&s->build);
  alea_mem_free(mem, s, sizeof *s);
}

alea_terms *alea_solver_terms(alea_solver *s) { return s->terms; }

static alea_status memory_status(const alea_solver *s, bool done) {
  if (done) return ALEA_OK;
  return alea_mem_lack(s->mem);
}

alea_status alea_solver_set_state(alea_solver *s, const alea_term *fluents, uint32_t count) {
  alea_answer_table_store_clear(&s->stores[ALEA_STATE]);
  alea_answer_table_store_clear(&s->stores[ALEA_JOINT]);
  return memory_status(s, alea_facts_set_state(&s->facts, fluents, count));
}

alea_status alea_solver_set_does(alea_solver *s, const alea_term *pairs, uint32_t count) {
  alea_answer_table_store_clear(&s->stores[ALEA_JOINT]);
  return memory_status(s, alea_facts_set_does(&s->facts, pairs, count));
}

/* After a failure incomplete tables are about; none may be taken for truth. */
static void forget(alea_solver *s) {
  for (int i = 0; i < ALEA_LEVELS; i++) alea_answer_table_store_clear(&s->stores[i]);
  s->frames.count = s->incomplete.count = s->work.count = 0;
  s->denied.count = s->instances.count = s->build.words.count = 0;
  s->bindings.count = s->choices.count = 0;
}

alea_status alea_solver_ask(alea_solver *s, alea_pred pred, const alea_term *key,
                            const alea_answer_table **answers) {
  uint32_t arity = s->rules->preds[pred].arity;
  s->status = ALEA_OK;
  s->earlier += s->inferences;
  s->inferences = 0;
  s->too_large = false;
  alea_answer_table *table = alea_answer_table_store_find(store_of(s, pred), pred, key, arity);
  if (table == NULL) {
    table = begin_table(s, pred, key);
    run(s);
    alea_arena_clear(&s->scratch);
  }
  if (s->status != ALEA_OK) {
    forget(s);
    table = NULL;
  }
  *answers = table;
  return s->status;
}

uint64_t alea_solver_inferences(const alea_solver *s) { return s->earlier + s->inferences; }

bool alea_solver_gave_up(const alea_solver *s) {
  return s->inferences > s->max_inferences || s->too_large;
}
