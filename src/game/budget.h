#ifndef ALEA_GAME_BUDGET_H
#define ALEA_GAME_BUDGET_H

/* What whoever thinks about a game may spend: time, simulations, or until somebody says stop. */

#include <stdatomic.h>
#include <stdint.h>

#include "base/clock.h"

typedef enum alea_clock_kind { ALEA_CLOCK_WALL, ALEA_CLOCK_CPU } alea_clock_kind;

/* Somebody who looks on while a player thinks.  'look' is called now and then by
 * the thread that thinks, between two simulations, and may ask the player for its
 * analysis. */
typedef struct alea_watch {
  void (*look)(void *context);
  void *context;
  double every; /* seconds of the wall clock between two looks */
  double next;  /* when the next is due */
} alea_watch;

/* How long to think: until the first of the limits is reached; at least one
 * must be set where a player is to select. */
typedef struct alea_budget {
  uint64_t sims;           /* simulations; 0 = no such limit */
  double seconds;          /* on 'clock'; 0 = no such limit */
  alea_clock_kind clock;   /* CPU is that of the calling thread */
  const atomic_bool *stop; /* may be NULL */
  alea_watch *watch;       /* may be NULL; what it sees has no influence on play */
} alea_budget;

/* Seconds on the budget's clock. */
static inline double alea_budget_now(const alea_budget *budget) {
  return budget->clock == ALEA_CLOCK_CPU ? alea_clock_thread() : alea_clock_wall();
}

/* A share of a budget. */
static inline alea_budget alea_budget_part(const alea_budget *budget, double share) {
  alea_budget part = *budget;
  part.seconds *= share;
  part.sims = (uint64_t)((double)part.sims * share);
  return part;
}

/* The deadline so many seconds from now on the budget's clock. */
static inline alea_deadline alea_budget_deadline(const alea_budget *budget, double seconds) {
  double end = alea_budget_now(budget) + seconds;
  bool cpu = budget->clock == ALEA_CLOCK_CPU;
  return (alea_deadline){.at = cpu ? 0 : end, .thread_at = cpu ? end : 0, .stop = budget->stop};
}

#endif
