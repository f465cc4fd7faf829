/* Invariants along an enclosure (D75).
 *
 * Of a piece of time an invariant certainly holds, certainly fails, or is in
 * doubt.  A piece in doubt is cut in halves while that can tell more.  What stays
 * in doubt counts as holding until the invariant certainly fails; the instant of
 * failure is then somewhere between, and so the result is the hull of all that
 * the unknowns were since. */
#include "toss/flow.h"

enum { MOST_PIECES = 4096, DEEPEST_PIECE = 64 };
#define FINEST 0x1p-50 /* of the time */

typedef alea_toss_flow_state flow;

typedef struct flow_piece {
  double from, to;
} flow_piece;

static bool is_opaque(const alea_toss_logic *l, uint32_t id);

static bool checks_opaque(const alea_toss_logic *l, uint32_t first, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (is_opaque(l, l->kids.data[first + i])) return true;
  return false;
}

static bool plan_opaque(const alea_toss_logic *l, uint32_t id) {
  const alea_toss_plan *plan = &l->plans.data[id];
  if (checks_opaque(l, plan->first_check, plan->check_count)) return true;
  for (uint32_t i = 0; i < plan->step_count; i++) {
    const alea_toss_step *step = &l->steps.data[plan->first_step + i];
    if (checks_opaque(l, step->first_check, step->check_count)) return true;
  }
  return false;
}

/* Whether a quantifier over numbers or sets reads labels: then no more can be
 * said of a box than how it looks at one time. */
static bool is_opaque(const alea_toss_logic *l, uint32_t id) {
  const alea_toss_code *code = &l->codes.data[id];
  if (!alea_toss_reads_labels(l, id)) return false;
  switch (code->op) {
    case ALEA_TOSS_OP_EXISTS_REAL:
    case ALEA_TOSS_OP_EXISTS_SET:
    case ALEA_TOSS_OP_MIN: return true;
    case ALEA_TOSS_OP_FUNCTION: return false;
    case ALEA_TOSS_OP_EXISTS: return plan_opaque(l, code->plan);
    case ALEA_TOSS_OP_SUM:
    case ALEA_TOSS_OP_PROD:
      if (plan_opaque(l, code->plan)) return true;
      break;
    default: break;
  }
  return checks_opaque(l, code->first, code->count);
}

static uint32_t invariant_of(const flow *f, size_t act) {
  return f->acts[act].dropped ? ALEA_TOSS_NONE : f->rules->patterns[f->acts[act].rule].inv;
}

static alea_verdict judge(flow *f, size_t act, const alea_interval *box, bool instant) {
  alea_toss_flow_bind(f, &f->acts[act]);
  alea_toss_flow_show(f, box);
  uint32_t code = invariant_of(f, act);
  if (!f->watches[act].opaque) return alea_toss_certainly(f->env, code);
  if (!instant) return ALEA_VERDICT_UNKNOWN;
  return alea_toss_holds(f->env, code) ? ALEA_VERDICT_PROVED : ALEA_VERDICT_REFUTED;
}

alea_status alea_toss_flow_watch(flow *f, size_t *broken) {
  alea_mem *mem = f->env->mem;
  f->watches = alea_mem_calloc(mem, f->act_count, sizeof *f->watches);
  if (f->watches == NULL) return alea_mem_lack(mem);
  for (size_t i = 0; i < f->act_count; i++) {
    alea_toss_watch *w = &f->watches[i];
    uint32_t code = invariant_of(f, i);
    if (code == ALEA_TOSS_NONE) continue;
    w->opaque = is_opaque(f->env->logic, code);
    w->hull = alea_mem_calloc(mem, f->unknowns.count, sizeof *w->hull);
    if (w->hull == NULL) return alea_mem_lack(mem);
    alea_verdict verdict = judge(f, i, f->start, true);
    if (verdict == ALEA_VERDICT_REFUTED && *broken == SIZE_MAX) *broken = i;
  }
  return f->env->status;
}

static alea_verdict judge_at(flow *f, size_t act, double time) {
  alea_enclosure_between(&f->enclosure, time, time, f->box);
  return judge(f, act, f->box, true);
}

/* Whether cutting a piece in doubt can tell more: not where the ends are in
 * doubt as well, nor where an opaque formula is the same at both. */
static bool is_worth_cutting(flow *f, size_t act, flow_piece p, double whole) {
  if (p.to - p.from <= FINEST * fmax(p.to, whole / 256)) return false;
  alea_verdict last = judge_at(f, act, p.to);
  if (f->watches[act].opaque) return judge_at(f, act, p.from) != last;
  return last != ALEA_VERDICT_UNKNOWN || judge_at(f, act, p.from) != ALEA_VERDICT_UNKNOWN;
}

static void doubt(flow *f, alea_toss_watch *w, flow_piece p) {
  alea_enclosure_between(&f->enclosure, p.from, p.to, f->box);
  for (size_t i = 0; i < f->unknowns.count; i++)
    w->hull[i] = w->doubtful ? alea_interval_hull(w->hull[i], f->box[i]) : f->box[i];
  w->doubtful = true;
}

/* The result where an invariant has failed at 'time': what was since the doubt
 * began, or that time itself. */
static void fail_at(flow *f, const alea_toss_watch *w, double time, alea_interval *box) {
  alea_enclosure_between(&f->enclosure, time, time, box);
  for (size_t i = 0; w->doubtful && i < f->unknowns.count; i++)
    box[i] = alea_interval_hull(box[i], w->hull[i]);
}

/* Goes through the pieces of the step from left to right.  Returns whether the
 * invariant has failed at '*time'. */
static bool inspect(flow *f, size_t act, double length, double *time) {
  alea_toss_watch *w = &f->watches[act];
  flow_piece stack[DEEPEST_PIECE + 2] = {{0, length}};
  size_t count = 1, pieces = 0;
  while (count > 0) {
    flow_piece p = stack[--count];
    alea_enclosure_between(&f->enclosure, p.from, p.to, f->box);
    alea_verdict verdict = judge(f, act, f->box, false);
    if (verdict == ALEA_VERDICT_REFUTED) {
      *time = p.from;
      return true;
    }
    if (verdict == ALEA_VERDICT_PROVED) {
      w->doubtful = false;
      continue;
    }
    double middle = p.from + (p.to - p.from) / 2;
    bool cut = ++pieces < MOST_PIECES && count + 2 <= DEEPEST_PIECE && middle > p.from &&
               middle < p.to && is_worth_cutting(f, act, p, length);
    if (cut) {
      stack[count++] = (flow_piece){middle, p.to};
      stack[count++] = (flow_piece){p.from, middle};
      continue;
    }
    bool fails = judge_at(f, act, p.to) == ALEA_VERDICT_REFUTED;
    if (!w->opaque || fails) doubt(f, w, p);
    if (fails) {
      *time = p.to;
      return true;
    }
  }
  return false;
}

void alea_toss_flow_inspect(flow *f, size_t *broken, double *time, alea_interval *box) {
  double length = f->enclosure.end - f->enclosure.time, first = INFINITY;
  for (size_t i = 0; i < f->act_count; i++) {
    if (invariant_of(f, i) == ALEA_TOSS_NONE) continue;
    double at;
    if (!inspect(f, i, length, &at) || at >= first) continue;
    first = at;
    *broken = i;
    *time = at;
    fail_at(f, &f->watches[i], at, box);
  }
}
