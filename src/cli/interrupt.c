/* Signals that end a command in good order. */
#include "cli/interrupt.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "cli/cli.h"

/* What the handler uses: a flag that it raises and a semaphore that wakes the watchdog. */
static atomic_bool stopped;
static sem_t first_signal; /* SIGTERM or SIGHUP */
static bool told;          /* the sentence was printed */

static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
enum { NUMBERS = sizeof numbers / sizeof *numbers };
static struct sigaction before[NUMBERS];
static bool caught[NUMBERS];

static void on_signal(int number) {
  int error = errno;
  if (atomic_exchange(&stopped, true)) _exit(ALEA_LIMIT);
  if (number != SIGINT) sem_post(&first_signal); /* a person waits, or presses Ctrl-C again */
  errno = error;
}

/* ---- the watchdog ---- */

#define PATIENCE 0.8
static const double LOOK = 0.01;
static _Atomic double patience = PATIENCE;
static atomic_bool watching; /* a command is under way */
static atomic_uint ended;    /* commands of this process */

/* The command that got the signal, not one after it. */
static bool is_under_way(unsigned command) {
  return atomic_load(&watching) && atomic_load(&ended) == command && atomic_load(&stopped);
}

static void *watch(void *unused) {
  (void)unused;
  for (;;) {
    while (sem_wait(&first_signal) != 0) continue;
    double start = alea_clock_wall();
    unsigned command = atomic_load(&ended);
    while (is_under_way(command) && alea_clock_wall() - start < atomic_load(&patience))
      nanosleep(&(struct timespec){.tv_nsec = (long)(1e9 * LOOK)}, NULL);
    if (is_under_way(command)) alea_cli_end_now(ALEA_LIMIT);
  }
  return NULL;
}

/* One for the life of the process; without memory for a thread there is none. */
static void start_watchdog(void) {
  static bool started;
  if (started) return;
  sigset_t all, old;
  pthread_t thread;
  sigfillset(&all);
  sem_init(&first_signal, 0, 0);
  pthread_sigmask(SIG_BLOCK, &all, &old); /* signals go to the threads of the command */
  started = pthread_create(&thread, NULL, watch, NULL) == 0;
  if (started) pthread_detach(thread);
  pthread_sigmask(SIG_SETMASK, &old, NULL);
}

/* ---- catching ---- */

atomic_bool *alea_cli_catch_stop(void) {
  struct sigaction action = {.sa_handler = on_signal};
  sigset_t set;
  alea_cli_stop_signals(&set);
  atomic_store(&stopped, false); /* of a command before, in the same process */
  told = false;
  start_watchdog();
  atomic_store(&patience, PATIENCE);
  atomic_store(&watching, true);
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < NUMBERS; i++)
    if (sigismember(&set, numbers[i]) == 1 && !caught[i])
      caught[i] = sigaction(numbers[i], &action, &before[i]) == 0;
  return &stopped;
}

void alea_cli_ask_to_stop(void) { atomic_store(&stopped, true); }

void alea_cli_stop_patience(double seconds) { atomic_store(&patience, seconds); }

void alea_cli_release_stop(void) {
  atomic_store(&watching, false);
  atomic_fetch_add(&ended, 1);
  for (size_t i = 0; i < NUMBERS; i++) {
    if (caught[i]) sigaction(numbers[i], &before[i], NULL);
    caught[i] = false;
  }
}

bool alea_cli_stopped(void) { return atomic_load(&stopped); }

alea_status alea_cli_tell_stopped(alea_status status, const char *what, ...) {
  if (!alea_cli_stopped() || (status != ALEA_OK && status != ALEA_LIMIT)) return status;
  if (told) return ALEA_LIMIT;
  told = true;
  va_list list;
  va_start(list, what);
  fputs("alea: stopped ", stderr);
  vfprintf(stderr, what, list);
  fputc('\n', stderr);
  va_end(list);
  return ALEA_LIMIT;
}
