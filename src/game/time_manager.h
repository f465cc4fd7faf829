#ifndef ALEA_GAME_TIME_MANAGER_H
#define ALEA_GAME_TIME_MANAGER_H

/* The time manager: when to stop thinking.
 *
 * The answer has to leave before the clock runs out, on a machine that may be
 * busy with something else.  A time manager therefore stops early: it leaves a share
 * of the time, the usual gap between two looks, which is what a simulation or
 * a batch of them takes, and one and a half times the worst surprise of late,
 * which is what another process on the core may cost once more.  Work that is
 * given up where it is late needs no room for surprises before it begins.  Where
 * the thread has to wait for a core, it leaves more. */

#include "game/budget.h"

/* The share of the time after which nobody thinks any more, on clocks of CPU time,
 * which stand still while others work, and on the wall; and how much less the latter
 * is where the thread does nothing but wait for a core. */
#define ALEA_TIME_MANAGER_CPU_SHARE 0.985
#define ALEA_TIME_MANAGER_SHARE 0.97
#define ALEA_TIME_MANAGER_CROWD 0.15
/* On a machine that is busy with something else a thread may stand still for
 * so many seconds at any moment, without any sign before: they are left as
 * well, but no more than a part of a short clock. */
#define ALEA_TIME_MANAGER_STALL 0.04
#define ALEA_TIME_MANAGER_STALL_PART 0.25

/* What other work takes of a budget is taken from the rest so many times: the
 * time manager leaves a share of what it gets, and that has to be a share of
 * the whole budget. */
#define ALEA_TIME_MANAGER_CHARGE 1.15

/* Kept by a player from move to move: what it has learned of the machine. */
typedef struct alea_pace {
  double usual;    /* seconds between two looks */
  double surprise; /* the most by which a gap exceeded that, fading */
  double stall;    /* longest time between two calls of alea_time_manager_late, fading */
  double waiting;  /* share of the wall clock in which the thread did not run */
  bool known;      /* something is known of that */
} alea_pace;

typedef struct alea_time_manager {
  alea_budget budget;
  alea_pace *pace;
  const atomic_bool *halt; /* another reason to stop, beside budget.stop; may be NULL */
  double start, last, end; /* on the budget's clock */
  double began;            /* CPU time of the thread, where that is another clock */
  double worst;            /* surprise of this search */
  double asked, stall;     /* by alea_time_manager_late: last, and longest gap; 0: not yet */
  bool looked;
  bool late;              /* what alea_time_manager_late said */
  uint64_t limit;         /* simulations, UINT64_MAX = any number */
  uint32_t stride, until; /* CPU clocks are slow to read: look every 'stride' calls */
} alea_time_manager;

void alea_time_manager_start(alea_time_manager *time_manager, const alea_budget *budget,
                             alea_pace *pace);
/* To be asked before each simulation; 'done' simulations were made. */
bool alea_time_manager_over(alea_time_manager *time_manager, uint64_t done);
/* To be asked often while a simulation or batch is made: whether there is no
 * time to finish it.  It is left undone then, for the clock does not wait for
 * the slowest of games; and nothing more is begun. */
bool alea_time_manager_late(alea_time_manager *time_manager);
/* Tells that something that cannot be given up took 'seconds' on the budget's clock: where there
 * is no time for it once more, it is late. */
void alea_time_manager_note(alea_time_manager *time_manager, double seconds);
/* Tells the pace what was learned. */
void alea_time_manager_stop(alea_time_manager *time_manager);
/* The part of the time that is used up, 0..1; by simulations where they are
 * the only limit. */
double alea_time_manager_share(const alea_time_manager *time_manager, uint64_t done);

#endif
