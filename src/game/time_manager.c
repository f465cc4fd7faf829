/* The time manager. */
#define _DEFAULT_SOURCE /* getloadavg */
#include "game/time_manager.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOST_STRIDE = 64 };
static const double BUSY = 0.25; /* the share of waiting from which a machine is busy */

static double now(const alea_time_manager *time_manager) {
  return alea_budget_now(&time_manager->budget);
}

/* Before anything is known: as many share a core as wait for one by the
 * operating system's account. */
static double guess_waiting(void) {
  double load, cores = (double)sysconf(_SC_NPROCESSORS_ONLN);
  if (getloadavg(&load, 1) < 1 || cores < 1 || load <= cores) return 0;
  return 1 - cores / load;
}

void alea_time_manager_start(alea_time_manager *time_manager, const alea_budget *budget,
                             alea_pace *pace) {
  *time_manager = (alea_time_manager){.budget = *budget, .pace = pace, .stride = 1};
  time_manager->limit = budget->sims > 0 ? budget->sims : UINT64_MAX;
  if (budget->seconds <= 0) return;
  time_manager->start = time_manager->last = now(time_manager);
  double share = ALEA_TIME_MANAGER_CPU_SHARE, stall = 0;
  if (budget->clock == ALEA_CLOCK_WALL) {
    time_manager->began = alea_clock_thread();
    if (!pace->known) pace->waiting = guess_waiting();
    pace->known = true;
    share = ALEA_TIME_MANAGER_SHARE - ALEA_TIME_MANAGER_CROWD * pace->waiting;
    stall = fmin(ALEA_TIME_MANAGER_STALL, ALEA_TIME_MANAGER_STALL_PART * budget->seconds);
    stall *= fmin(1, pace->waiting / BUSY);
  }
  time_manager->end = time_manager->start + share * budget->seconds - stall;
}

/* What the next look may be away; at most half of all the time.  Work that asks
 * whether it is late while it is done is given up in time: it may begin where half
 * of it fits, and surprises are allowed for there. */
static double allowance(const alea_time_manager *time_manager) {
  double surprise = fmax(time_manager->worst, time_manager->pace->surprise);
  double usual = time_manager->pace->usual;
  double gap = time_manager->asked > 0 ? 0.5 * usual : 1.2 * usual + 1.5 * surprise;
  return fmin(gap, 0.5 * time_manager->budget.seconds);
}

static void note_gap(alea_time_manager *time_manager, double gap) {
  alea_pace *pace = time_manager->pace;
  if (pace->usual == 0) pace->usual = gap;
  if (gap - pace->usual > time_manager->worst) time_manager->worst = gap - pace->usual;
  pace->usual += 0.1 * (gap - pace->usual);
}

/* Looks more rarely while looks are less than 0.1 ms apart. */
static void adapt_stride(alea_time_manager *time_manager, double gap) {
  if (time_manager->budget.clock != ALEA_CLOCK_CPU) return;
  if (gap < 1e-4 && time_manager->stride < MOST_STRIDE) time_manager->stride *= 2;
  if (gap > 4e-4 && time_manager->stride > 1) time_manager->stride /= 2;
}

static bool is_raised(const atomic_bool *flag) {
  return flag != NULL && atomic_load_explicit(flag, memory_order_relaxed);
}

static void let_watch(alea_watch *watch) {
  double now = alea_clock_wall();
  if (now < watch->next) return;
  watch->next = now + watch->every;
  watch->look(watch->context);
}

bool alea_time_manager_over(alea_time_manager *time_manager, uint64_t done) {
  if (time_manager->budget.watch != NULL) let_watch(time_manager->budget.watch);
  if (done >= time_manager->limit) return true;
  if (time_manager->late || is_raised(time_manager->budget.stop) || is_raised(time_manager->halt))
    return true;
  if (time_manager->budget.seconds <= 0) return false;
  if (time_manager->until > 0) {
    time_manager->until--;
    return false;
  }
  double time = now(time_manager), gap = time - time_manager->last;
  if (time_manager->looked)
    note_gap(time_manager, gap); /* the first look is before anything is done */
  time_manager->looked = true;
  adapt_stride(time_manager, gap);
  time_manager->until = time_manager->stride - 1;
  time_manager->last = time;
  return time + allowance(time_manager) >= time_manager->end;
}

bool alea_time_manager_late(alea_time_manager *time_manager) {
  if (is_raised(time_manager->budget.stop) || is_raised(time_manager->halt))
    return time_manager->late = true;
  if (time_manager->budget.seconds <= 0) return false;
  double time = now(time_manager), gap = time - time_manager->asked;
  if (time_manager->asked > 0 && gap > time_manager->stall) time_manager->stall = gap;
  time_manager->asked = time;
  double stall = 1.5 * fmax(time_manager->stall, time_manager->pace->stall);
  return time_manager->late =
             time + fmin(stall, 0.25 * time_manager->budget.seconds) >= time_manager->end;
}

void alea_time_manager_note(alea_time_manager *time_manager, double seconds) {
  if (seconds > time_manager->stall) time_manager->stall = seconds;
}

void alea_time_manager_stop(alea_time_manager *time_manager) {
  if (time_manager->budget.seconds <= 0) return;
  double spent = now(time_manager) - time_manager->start;
  if (time_manager->budget.clock == ALEA_CLOCK_WALL && spent > 0.01) {
    double waiting = 1 - (alea_clock_thread() - time_manager->began) / spent;
    time_manager->pace->waiting += 0.5 * (fmin(1, fmax(0, waiting)) - time_manager->pace->waiting);
  }
  time_manager->pace->surprise = fmax(0.7 * time_manager->pace->surprise, time_manager->worst);
  time_manager->pace->stall = fmax(0.7 * time_manager->pace->stall, time_manager->stall);
}

double alea_time_manager_share(const alea_time_manager *time_manager, uint64_t done) {
  if (time_manager->budget.seconds > 0) {
    return (time_manager->last - time_manager->start) / (time_manager->end - time_manager->start);
  }
  return time_manager->limit == UINT64_MAX ? 0 : (double)done / (double)time_manager->limit;
}
