/* What is known while a walk is under way: the best policy that is wholly known, and what no
 * policy can pay more than. */
#include <math.h>

#include "scsp/walk.h"

void scsp_most_paid(const scsp_plan *plan, double *most) {
  most[plan->count] = scsp_end_pay(plan);
  for (uint32_t at = plan->count; at-- > 0;) {
    most[at] = most[at + 1];
    for (size_t i = 0; i < plan->places[at].soft.count; i++) {
      const scsp_soft *soft = plan->places[at].soft.data[i].soft;
      double best = 0;
      for (size_t t = 0; t < soft->count; t++) {
        double pay = soft->payments[t * plan->scsp->players + plan->player];
        if (pay > best) best = pay;
      }
      most[at] += best;
    }
  }
}

scsp_value scsp_walk_kept(const scsp_walk *walk, uint32_t at, uint32_t *kept) {
  scsp_value value = {0, 0, false};
  *kept = UINT32_MAX;
  for (; at != UINT32_MAX; at = walk->frames[at].parent) {
    const scsp_frame *frame = &walk->frames[at];
    bool chance = walk->plan->places[at].chance;
    value.c += frame->due;
    if (chance) value.feasible = false;
    if (chance || !frame->best.feasible) continue;
    if (value.feasible && !scsp_walk_better(walk, frame->best, value)) continue;
    value = frame->best;
    *kept = at;
  }
  return value;
}

/* The probability of the values of a chance variable that were not tried yet. */
static double untried(scsp_walk *walk, uint32_t at) {
  const scsp_frame *frame = &walk->frames[at];
  uint32_t now = walk->indexes[at];
  double mass = 0;
  for (uint32_t v = frame->next; v < walk->plan->places[at].size; v++) {
    walk->indexes[at] = v;
    mass += scsp_probability(walk->plan, at, frame->raised, walk->indexes);
  }
  walk->indexes[at] = now;
  return mass;
}

/* No policy pays more: what was not looked at yet may pay the most. */
static double most_of_all(scsp_walk *walk, uint32_t at) {
  double most = walk->most[at + 1];
  for (; at != UINT32_MAX; at = walk->frames[at].parent) {
    const scsp_place *place = &walk->plan->places[at];
    const scsp_frame *frame = &walk->frames[at];
    most += frame->due;
    if (place->chance)
      most = frame->best.c + frame->probability * most + untried(walk, at) * walk->most[at];
    else if (scsp_next_in(frame->allowed, place->words, frame->next) < place->size)
      most = walk->most[at];
    else if (frame->best.feasible)
      most = fmax(most, frame->best.c);
    most = fmin(most, walk->most[at]);
  }
  return most;
}

alea_scsp_progress scsp_walk_progress(scsp_walk *walk, uint32_t at) {
  alea_scsp_progress progress = {walk->nodes, at, -INFINITY, INFINITY};
  if (walk->most == NULL) return progress; /* the value of one state among many */
  uint32_t kept;
  scsp_value known = scsp_walk_kept(walk, at, &kept);
  bool maximise = walk->options->aim == ALEA_SCSP_MAX;
  if (known.feasible && maximise) progress.least = known.c;
  progress.most = maximise ? most_of_all(walk, at) : known.feasible ? known.c : INFINITY;
  return progress;
}
