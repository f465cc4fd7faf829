#ifndef ALEA_BASE_CLOCK_H
#define ALEA_BASE_CLOCK_H

/* Time and time limits. */

#include <stdatomic.h>
#include <stdbool.h>

double alea_clock_wall(void);        /* monotonic seconds */
double alea_clock_cpu(void);         /* CPU seconds of this process */
double alea_clock_thread(void);      /* CPU seconds of this thread */
double alea_clock_peak_rss_mb(void); /* peak resident memory of the process, MB */

/* When to stop: at a wall-clock time, when the calling thread has used a given
 * CPU time, or when 'stop' is raised. */
typedef struct alea_deadline {
  double at;               /* alea_clock_wall() value; 0 means never */
  double thread_at;        /* alea_clock_thread() value; 0 means never */
  const atomic_bool *stop; /* may be NULL */
} alea_deadline;

/* A deadline 'seconds' from now; 0 or less means never. */
alea_deadline alea_deadline_in(double seconds);
/* Half of the time that is left until 'deadline', with the same 'stop'; NULL is
 * never. */
alea_deadline alea_deadline_half(const alea_deadline *deadline);
/* The same deadline by so many seconds sooner; NULL is never. */
alea_deadline alea_deadline_sooner(const alea_deadline *deadline, double seconds);
/* Seconds until it, by the clock that is nearer; INFINITY where it has none. */
double alea_deadline_left(const alea_deadline *deadline);
/* A NULL deadline never passes. */
bool alea_deadline_passed(const alea_deadline *deadline);

#endif
