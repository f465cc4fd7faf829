#ifndef ALEA_LEARNING_EVAL_CLOCK_H
#define ALEA_LEARNING_EVAL_CLOCK_H

/* The time that an evaluation is learnt in. */

#include <math.h>

#include "base/mem.h"
#include "game/budget.h"

typedef struct alea_eval_clock {
  const alea_budget *budget;
  alea_mem *mem;
  double start, seconds; /* 0: counts are what is limited */
  double share;          /* of the seconds, after which it is over */
} alea_eval_clock;

/* For whoever asks whether it is over; 'context' is an alea_eval_clock. */
static inline bool alea_eval_clock_over(void *context) {
  const alea_eval_clock *clock = context;
  const alea_budget *budget = clock->budget;
  if (alea_mem_late(clock->mem)) return true;
  if (budget->stop != NULL && atomic_load_explicit(budget->stop, memory_order_relaxed)) return true;
  return clock->seconds > 0 &&
         alea_budget_now(budget) > clock->start + clock->share * clock->seconds;
}

/* Seconds until it is over; infinite where counts are what is limited. */
static inline double alea_eval_clock_left(const alea_eval_clock *clock) {
  if (clock->seconds <= 0) return INFINITY;
  double left = clock->start + clock->share * clock->seconds - alea_budget_now(clock->budget);
  return left > 0 ? left : 0;
}

#endif
