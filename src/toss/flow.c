/* Continuous evolution ([TOSS10 §2], D43): the equations of all acts, summed,
 * solved by CVODE, which also finds the time at which an invariant fails.
 *
 * The unknowns of a label f(a) with equations up to order m are f, f', ...,
 * f^(m-1); derivatives start at 0 with each move.  CVODE allocates memory that
 * is not accounted for, and frees all of it before the call ends. */
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <string.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "toss/game.h"

enum { MOST_ORDER = 4, MOST_STEPS = 100000 };
#define RELATIVE 1e-10
#define ABSOLUTE 1e-12
#define WIDTH 1e-9 /* of the intervals of results */

typedef struct flow_unknown {
  uint32_t function, element, order;
} flow_unknown;

typedef struct flow {
  const alea_toss_rules *rules;
  alea_toss_env *env;
  alea_toss_structure *structure;
  const alea_toss_act *acts;
  size_t act_count;
  ALEA_VEC(flow_unknown) unknowns;
  uint32_t *index;            /* order * cells + cell: unknown + 1, or 0 */
  alea_interval *derivatives; /* used by the environment */
  size_t cells;               /* functions * capacity */
} flow;

static size_t cell_of(const flow *f, uint32_t function, uint32_t element) {
  return (size_t)function * f->structure->capacity + element;
}

/* Adds the unknowns 0..order-1 of a cell. */
static bool need(flow *f, uint32_t function, uint32_t element, uint32_t order) {
  for (uint32_t k = 0; k < order; k++) {
    uint32_t *index = &f->index[k * f->cells + cell_of(f, function, element)];
    if (*index != 0) continue;
    flow_unknown made = {function, element, k};
    if (!alea_vec_push(f->env->mem, &f->unknowns, made)) return false;
    *index = (uint32_t)f->unknowns.count;
  }
  return true;
}

static bool find_unknowns(flow *f) {
  for (size_t i = 0; i < f->act_count; i++) {
    const alea_toss_act *act = &f->acts[i];
    const alea_toss_rule *rule = f->rules->patterns[act->rule].rule;
    for (size_t j = 0; !act->dropped && j < rule->dynamics.count; j++) {
      const alea_toss_equation *e = &rule->dynamics.data[j];
      if (!need(f, e->function, act->match[e->element], e->order)) return false;
    }
  }
  return true;
}

/* Copies the state of the solver to where formulas read it. */
static void show_state(flow *f, const double *y) {
  for (size_t i = 0; i < f->unknowns.count; i++) {
    const flow_unknown *u = &f->unknowns.data[i];
    size_t cell = cell_of(f, u->function, u->element);
    alea_interval value = alea_interval_of(y[i]);
    if (u->order == 0) {
      f->structure->values[cell] = value;
    } else {
      f->derivatives[(u->order - 1) * f->cells + cell] = value;
    }
  }
}

static void bind_act(const flow *f, const alea_toss_act *act) {
  const alea_toss_pattern *p = &f->rules->patterns[act->rule];
  for (uint32_t i = 0; i < p->left_count; i++) {
    f->env->elements[p->left_slots[i]] = act->match[i];
  }
  for (size_t i = 0; i < act->label->params.count; i++) {
    uint32_t slot = f->rules->params[act->label->params.data[i].name];
    if (slot != ALEA_TOSS_NONE) f->env->reals[slot] = alea_interval_of(act->params[i]);
  }
}

static int derive(realtype t, N_Vector state, N_Vector change, void *context) {
  (void)t;
  flow *f = context;
  double *y = N_VGetArrayPointer(state), *dy = N_VGetArrayPointer(change);
  show_state(f, y);
  for (size_t i = 0; i < f->unknowns.count; i++) {
    const flow_unknown *u = &f->unknowns.data[i];
    uint32_t next = u->order + 1 < MOST_ORDER
                        ? f->index[(u->order + 1) * f->cells + cell_of(f, u->function, u->element)]
                        : 0;
    dy[i] = next != 0 ? y[next - 1] : 0;
  }
  for (size_t i = 0; i < f->act_count; i++) {
    const alea_toss_act *act = &f->acts[i];
    if (act->dropped) continue;
    const alea_toss_rule *rule = f->rules->patterns[act->rule].rule;
    const uint32_t *codes = f->rules->dynamics_codes + f->rules->first_dynamics[act->rule];
    bind_act(f, act);
    for (size_t j = 0; j < rule->dynamics.count; j++) {
      const alea_toss_equation *e = &rule->dynamics.data[j];
      size_t cell = cell_of(f, e->function, act->match[e->element]);
      double slope = alea_interval_middle(alea_toss_evaluate(f->env, codes[j]));
      if (!isfinite(slope)) return 1;
      dy[f->index[(e->order - 1) * f->cells + cell] - 1] += slope;
    }
  }
  return 0;
}

/* The distance of a formula from changing its truth value: positive if it
 * holds. */
static double margin(alea_toss_env *env, uint32_t id) {
  const alea_toss_code *code = &env->logic->codes.data[id];
  const uint32_t *kids = env->logic->kids.data + code->first;
  double best;
  switch (code->op) {
    case ALEA_TOSS_OP_LESS:
    case ALEA_TOSS_OP_SAME:
      best = alea_interval_middle(alea_toss_evaluate(env, kids[1])) -
             alea_interval_middle(alea_toss_evaluate(env, kids[0]));
      if (code->op == ALEA_TOSS_OP_SAME) best = WIDTH - fabs(best);
      return code->negated ? -best : best;
    case ALEA_TOSS_OP_AND:
    case ALEA_TOSS_OP_OR:
      best = margin(env, kids[0]);
      for (uint32_t i = 1; i < code->count; i++) {
        double next = margin(env, kids[i]);
        bool smaller = next < best;
        if (smaller == (code->op == ALEA_TOSS_OP_AND)) best = next;
      }
      return best;
    default: return alea_toss_holds(env, id) ? 1 : -1;
  }
}

static double act_margin(flow *f, const alea_toss_act *act) {
  uint32_t inv = f->rules->patterns[act->rule].inv;
  if (inv == ALEA_TOSS_NONE || act->dropped) return 1;
  bind_act(f, act);
  return margin(f->env, inv);
}

static int watch(realtype t, N_Vector state, realtype *roots, void *context) {
  (void)t;
  flow *f = context;
  show_state(f, N_VGetArrayPointer(state));
  for (size_t i = 0; i < f->act_count; i++) roots[i] = act_margin(f, &f->acts[i]);
  return 0;
}

/* The act whose invariant does not hold now. */
static size_t broken_now(flow *f) {
  for (size_t i = 0; i < f->act_count; i++) {
    if (act_margin(f, &f->acts[i]) < 0) return i;
  }
  return SIZE_MAX;
}

typedef struct flow_solver {
  SUNContext context;
  N_Vector state;
  SUNNonlinearSolver nonlinear;
  void *cvode;
} flow_solver;

static bool solver_open(flow_solver *s, flow *f) {
  if (SUNContext_Create(NULL, &s->context) != 0) return false;
  s->state = N_VNew_Serial((sunindextype)f->unknowns.count, s->context);
  s->cvode = CVodeCreate(CV_ADAMS, s->context);
  if (s->state == NULL || s->cvode == NULL) return false;
  double *y = N_VGetArrayPointer(s->state);
  for (size_t i = 0; i < f->unknowns.count; i++) {
    const flow_unknown *u = &f->unknowns.data[i];
    alea_interval start = f->structure->values[cell_of(f, u->function, u->element)];
    y[i] = u->order == 0 ? alea_interval_middle(start) : 0;
  }
  s->nonlinear = SUNNonlinSol_FixedPoint(s->state, 0, s->context);
  return s->nonlinear != NULL && CVodeInit(s->cvode, derive, 0, s->state) == CV_SUCCESS &&
         CVodeSStolerances(s->cvode, RELATIVE, ABSOLUTE) == CV_SUCCESS &&
         CVodeSetUserData(s->cvode, f) == CV_SUCCESS &&
         CVodeSetErrFile(s->cvode, NULL) == CV_SUCCESS &&
         CVodeSetMaxNumSteps(s->cvode, MOST_STEPS) == CV_SUCCESS &&
         CVodeSetNonlinearSolver(s->cvode, s->nonlinear) == CV_SUCCESS &&
         CVodeRootInit(s->cvode, (int)f->act_count, watch) == CV_SUCCESS;
}

static void solver_close(flow_solver *s) {
  if (s->cvode != NULL) CVodeFree(&s->cvode);
  if (s->nonlinear != NULL) SUNNonlinSolFree(s->nonlinear);
  if (s->state != NULL) N_VDestroy(s->state);
  if (s->context != NULL) SUNContext_Free(&s->context);
}

/* The act whose root CVODE reported with a decreasing margin. */
static size_t broken_at_root(flow *f, flow_solver *s) {
  int found[ALEA_TOSS_MOST_PLAYERS * 64];
  if (f->act_count > sizeof found / sizeof *found) return broken_now(f);
  if (CVodeGetRootInfo(s->cvode, found) != CV_SUCCESS) return SIZE_MAX;
  for (size_t i = 0; i < f->act_count; i++) {
    if (found[i] < 0) return i;
  }
  return SIZE_MAX;
}

static alea_status solve(flow *f, double time, double *elapsed, size_t *broken) {
  flow_solver s = {0};
  alea_status status = solver_open(&s, f) ? ALEA_OK : ALEA_SYSTEM;
  if (status == ALEA_OK) CVodeSetStopTime(s.cvode, time);
  while (status == ALEA_OK && *elapsed < time && *broken == SIZE_MAX) {
    int flag = CVode(s.cvode, time, s.state, elapsed, CV_NORMAL);
    if (flag < 0) status = ALEA_LIMIT; /* the solution does not exist any further, or is too hard */
    if (flag == CV_ROOT_RETURN) *broken = broken_at_root(f, &s);
  }
  if (status == ALEA_OK) {
    const double *y = N_VGetArrayPointer(s.state);
    show_state(f, y);
    for (size_t i = 0; i < f->unknowns.count; i++) {
      const flow_unknown *u = &f->unknowns.data[i];
      double width = WIDTH * (fabs(y[i]) > 1 ? fabs(y[i]) : 1);
      if (u->order != 0) continue;
      f->structure->values[cell_of(f, u->function, u->element)] =
          (alea_interval){y[i] - width, y[i] + width};
    }
  }
  solver_close(&s);
  return status;
}

alea_status alea_toss_flow(const alea_toss_rules *rules, alea_toss_env *env,
                           alea_toss_structure *structure, const alea_toss_act *acts, size_t count,
                           double time, double *elapsed, size_t *broken) {
  flow f = {.rules = rules, .env = env, .structure = structure, .acts = acts, .act_count = count};
  f.cells = (size_t)structure->function_count * structure->capacity;
  size_t size = MOST_ORDER * f.cells;
  *elapsed = 0;
  *broken = SIZE_MAX;
  f.index = alea_mem_calloc(env->mem, size, sizeof *f.index);
  f.derivatives = alea_mem_calloc(env->mem, size, sizeof *f.derivatives);
  bool good = f.index != NULL && f.derivatives != NULL && find_unknowns(&f);
  alea_status status = good ? ALEA_OK : alea_mem_lack(env->mem);
  env->derivatives = f.derivatives;
  if (good) *broken = broken_now(&f);
  if (good && *broken == SIZE_MAX) {
    if (f.unknowns.count == 0) {
      *elapsed = time;
    } else if (time > 0) {
      status = solve(&f, time, elapsed, broken);
    }
  }
  env->derivatives = NULL;
  alea_vec_clear(env->mem, &f.unknowns);
  alea_mem_free(env->mem, f.index, f.index != NULL ? size * sizeof *f.index : 0);
  alea_mem_free(env->mem, f.derivatives, f.derivatives != NULL ? size * sizeof *f.derivatives : 0);
  return status;
}
