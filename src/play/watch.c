/* The time manager. */
#define _DEFAULT_SOURCE /* getloadavg */
#include "play/watch.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOST_STRIDE = 64 };
static const double BUSY = 0.25; /* the share of waiting from which a machine is busy */

static double now(const alea_watch *watch) { return alea_budget_now(&watch->budget); }

/* Before anything is known: as many share a core as wait for one by the
 * operating system's account. */
static double guess_waiting(void) {
  double load, cores = (double)sysconf(_SC_NPROCESSORS_ONLN);
  if (getloadavg(&load, 1) < 1 || cores < 1 || load <= cores) return 0;
  return 1 - cores / load;
}

void alea_watch_start(alea_watch *watch, const alea_budget *budget, alea_pace *pace) {
  *watch = (alea_watch){.budget = *budget, .pace = pace, .stride = 1};
  watch->limit = budget->sims > 0 ? budget->sims : UINT64_MAX;
  if (budget->seconds <= 0) return;
  watch->start = watch->last = now(watch);
  double share = ALEA_WATCH_SHARE, stall = 0;
  if (budget->clock == ALEA_CLOCK_WALL) {
    watch->began = alea_clock_thread();
    if (!pace->known) pace->waiting = guess_waiting();
    pace->known = true;
    share -= ALEA_WATCH_CROWD * pace->waiting;
    stall = fmin(ALEA_WATCH_STALL, ALEA_WATCH_STALL_PART * budget->seconds);
    stall *= fmin(1, pace->waiting / BUSY);
  }
  watch->end = watch->start + share * budget->seconds - stall;
}

/* What the next look may be away; at most half of all the time. */
static double allowance(const alea_watch *watch) {
  double surprise = fmax(watch->worst, watch->pace->surprise);
  return fmin(1.2 * watch->pace->usual + 1.5 * surprise, 0.5 * watch->budget.seconds);
}

static void note_gap(alea_watch *watch, double gap) {
  alea_pace *pace = watch->pace;
  if (pace->usual == 0) pace->usual = gap;
  if (gap - pace->usual > watch->worst) watch->worst = gap - pace->usual;
  pace->usual += 0.1 * (gap - pace->usual);
}

/* Looks more rarely while looks are less than 0.1 ms apart. */
static void adapt_stride(alea_watch *watch, double gap) {
  if (watch->budget.clock != ALEA_CLOCK_CPU) return;
  if (gap < 1e-4 && watch->stride < MOST_STRIDE) watch->stride *= 2;
  if (gap > 4e-4 && watch->stride > 1) watch->stride /= 2;
}

static bool is_raised(const atomic_bool *flag) {
  return flag != NULL && atomic_load_explicit(flag, memory_order_relaxed);
}

bool alea_watch_over(alea_watch *watch, uint64_t done) {
  if (done >= watch->limit) return true;
  if (watch->late || is_raised(watch->budget.stop) || is_raised(watch->halt)) return true;
  if (watch->budget.seconds <= 0) return false;
  if (watch->until > 0) {
    watch->until--;
    return false;
  }
  double time = now(watch), gap = time - watch->last;
  if (watch->looked) note_gap(watch, gap); /* the first look is before anything is done */
  watch->looked = true;
  adapt_stride(watch, gap);
  watch->until = watch->stride - 1;
  watch->last = time;
  return time + allowance(watch) >= watch->end;
}

bool alea_watch_late(alea_watch *watch) {
  if (is_raised(watch->budget.stop) || is_raised(watch->halt)) return watch->late = true;
  if (watch->budget.seconds <= 0) return false;
  double time = now(watch), gap = time - watch->asked;
  if (watch->asked > 0 && gap > watch->stall) watch->stall = gap;
  watch->asked = time;
  double stall = 1.5 * fmax(watch->stall, watch->pace->stall);
  return watch->late = time + fmin(stall, 0.25 * watch->budget.seconds) >= watch->end;
}

void alea_watch_stop(alea_watch *watch) {
  if (watch->budget.seconds <= 0) return;
  double spent = now(watch) - watch->start;
  if (watch->budget.clock == ALEA_CLOCK_WALL && spent > 0.01) {
    double waiting = 1 - (alea_clock_thread() - watch->began) / spent;
    watch->pace->waiting += 0.5 * (fmin(1, fmax(0, waiting)) - watch->pace->waiting);
  }
  watch->pace->surprise = fmax(0.7 * watch->pace->surprise, watch->worst);
  watch->pace->stall = fmax(0.7 * watch->pace->stall, watch->stall);
}

double alea_watch_share(const alea_watch *watch, uint64_t done) {
  if (watch->budget.seconds > 0) {
    return (watch->last - watch->start) / (watch->end - watch->start);
  }
  return watch->limit == UINT64_MAX ? 0 : (double)done / (double)watch->limit;
}
