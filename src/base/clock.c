/* Clocks of the operating system. */
#include "base/clock.h"

#include <stddef.h>
#include <sys/resource.h>
#include <time.h>

static double read_clock(clockid_t id) {
  struct timespec t;
  if (clock_gettime(id, &t) != 0) return 0;
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

double alea_clock_wall(void) { return read_clock(CLOCK_MONOTONIC); }
double alea_clock_cpu(void) { return read_clock(CLOCK_PROCESS_CPUTIME_ID); }
double alea_clock_thread(void) { return read_clock(CLOCK_THREAD_CPUTIME_ID); }

double alea_clock_peak_rss_mb(void) {
  struct rusage usage;
  if (getrusage(RUSAGE_SELF, &usage) != 0) return 0;
  return (double)usage.ru_maxrss / 1024.0;
}

alea_deadline alea_deadline_in(double seconds) {
  return (alea_deadline){.at = seconds > 0 ? alea_clock_wall() + seconds : 0};
}

alea_deadline alea_deadline_half(const alea_deadline *deadline) {
  if (deadline == NULL) return (alea_deadline){0};
  alea_deadline half = *deadline;
  if (half.at != 0) half.at = (half.at + alea_clock_wall()) / 2;
  if (half.thread_at != 0) half.thread_at = (half.thread_at + alea_clock_thread()) / 2;
  return half;
}

bool alea_deadline_passed(const alea_deadline *deadline) {
  if (deadline == NULL) return false;
  if (deadline->stop != NULL && atomic_load_explicit(deadline->stop, memory_order_relaxed))
    return true;
  if (deadline->thread_at != 0 && alea_clock_thread() >= deadline->thread_at) return true;
  return deadline->at != 0 && alea_clock_wall() >= deadline->at;
}
