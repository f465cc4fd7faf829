/* Signals that end a command in good order. */
#include "cli/interrupt.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "cli/cli.h"

/* What the handler raises: the only object that it may use. */
static atomic_bool stopped;
static bool told; /* the sentence was printed */

static void on_signal(int number) {
  (void)number;
  if (atomic_exchange(&stopped, true)) _exit(ALEA_LIMIT);
}

atomic_bool *alea_cli_catch_stop(void) {
  static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
  struct sigaction action = {.sa_handler = on_signal};
  sigset_t set;
  alea_cli_stop_signals(&set);
  atomic_store(&stopped, false); /* of a command before, in the same process */
  told = false;
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    if (sigismember(&set, numbers[i]) == 1) sigaction(numbers[i], &action, NULL);
  return &stopped;
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
