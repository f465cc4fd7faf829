/* Clocks of the operating system. */
#include "base/clock.h"

#include <math.h>
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
  alea_deadline half = deadline != NULL ? *deadline : (alea_deadline){0};
  double wall = alea_clock_wall(), thread = alea_clock_thread();
  if (half.at > wall) half.at = (half.at + wall) / 2;
  if (half.thread_at > thread) half.thread_at = (half.thread_at + thread) / 2;
  return half;
}

alea_deadline alea_deadline_sooner(const alea_deadline *deadline, double seconds) {
  alea_deadline sooner = deadline != NULL ? *deadline : (alea_deadline){0};
  if (sooner.at != 0) sooner.at -= seconds;
  if (sooner.thread_at != 0) sooner.thread_at -= seconds;
  return sooner;
}

double alea_deadline_left(const alea_deadline *deadline) {
  double left = INFINITY;
  if (deadline == NULL) return left;
  if (deadline->at != 0) left = deadline->at - alea_clock_wall();
  if (deadline->thread_at != 0) left = fmin(left, deadline->thread_at - alea_clock_thread());
  return left;
}

bool alea_deadline_passed(const alea_deadline *deadline) {
  if (deadline == NULL) return false;
  if (deadline->stop != NULL && atomic_load_explicit(deadline->stop, memory_order_relaxed))
    return true;
  if (deadline->thread_at != 0 && alea_clock_thread() >= deadline->thread_at) return true;
  return deadline->at != 0 && alea_clock_wall() >= deadline->at;
}
