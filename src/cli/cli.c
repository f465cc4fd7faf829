/* Help, error messages, output and the progress line. */
#include "cli/cli.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "cli/describe.h"

int alea_cli_begin(const alea_command *command, void *values, int argc, char **argv,
                   int *operands) {
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_text text;
  alea_text_init(&text, &mem);
  alea_command_line line;
  int result = -1;
  if (argc == 2 && strcmp(argv[1], "--describe") == 0) {
    alea_cli_describe(command, &text);
    result = (int)alea_cli_write(&text);
    alea_text_clear(&text);
    return result;
  }
  alea_status status = alea_options_parse(command, values, argc, argv, &line, &text);
  if (status != ALEA_OK) {
    fprintf(stderr, "alea %s: %s\nTry 'alea %s --help'.\n", command->name, alea_text_string(&text),
            command->name);
    result = (int)status;
  } else if (line.help) {
    alea_options_help(command, &text);
    result = (int)alea_cli_write(&text);
  }
  *operands = line.operand_count;
  alea_text_clear(&text);
  return result;
}

static void print_entry(const alea_diag_entry *entry, bool code) {
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_text line;
  alea_text_init(&line, &mem);
  alea_text_escape(&line, entry->place.file != NULL ? entry->place.file : "alea");
  if (entry->place.line > 0)
    alea_text_format(&line, ":%u:%u", entry->place.line, entry->place.column);
  alea_text_format(&line, ": %s: ", entry->severity == ALEA_ERROR ? "error" : "warning");
  alea_text_escape(&line, entry->message);
  if (code) alea_text_format(&line, " [%s]", entry->code);
  fprintf(stderr, "%s\n", alea_text_string(&line));
  alea_text_clear(&line);
}

void alea_cli_print_diag(const alea_diag *diag) {
  for (size_t i = 0; i < diag->entries.count; i++) print_entry(&diag->entries.data[i], false);
}

void alea_cli_print_codes(const alea_diag *diag) {
  for (size_t i = 0; i < diag->entries.count; i++) print_entry(&diag->entries.data[i], true);
}

void alea_cli_print_brief(const alea_diag *diag) {
  size_t count = 0;
  const char *file = NULL;
  for (size_t i = 0; i < diag->entries.count; i++) {
    const alea_diag_entry *entry = &diag->entries.data[i];
    bool detail = entry->severity == ALEA_WARNING && entry->place.line > 0;
    if (!detail) print_entry(entry, false);
    if (!detail) continue;
    file = entry->place.file;
    count++;
  }
  if (file == NULL) return;
  fprintf(stderr, "%s: %zu warning%s; see alea check %s\n", file, count, count == 1 ? "" : "s",
          file);
}

void alea_cli_stop_signals(sigset_t *set) {
  sigemptyset(set);
  sigaddset(set, SIGINT);
  sigaddset(set, SIGTERM);
  /* A blocked signal is delivered to sigtimedwait even where it is ignored, as
   * nohup arranges. */
  struct sigaction old;
  if (sigaction(SIGHUP, NULL, &old) == 0 && old.sa_handler != SIG_IGN) sigaddset(set, SIGHUP);
}

/* A thread that is ended here may hold the lock of the output, or wait for a pipe that
 * nobody reads. */
void alea_cli_end_now(alea_status status) {
  struct itimerval most = {.it_value = {.tv_usec = 100000}};
  sigset_t alarm;
  sigemptyset(&alarm);
  sigaddset(&alarm, SIGALRM);
  signal(SIGALRM, SIG_DFL); /* ends the process */
  pthread_sigmask(SIG_UNBLOCK, &alarm, NULL);
  setitimer(ITIMER_REAL, &most, NULL);
  if (ftrylockfile(stdout) == 0) fflush(stdout);
  _exit(alea_status_exit(status));
}

/* Exits from a thread of its own: handlers of signals could not know the
 * status. */
static void *exit_soon(void *argument) {
  struct timespec most = {0, 800000000};
  nanosleep(&most, NULL);
  alea_cli_end_now((alea_status)(intptr_t)argument);
}

void alea_cli_end_soon(alea_status status) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, exit_soon, (void *)(intptr_t)status) == 0)
    pthread_detach(thread);
}

int alea_cli_fail(alea_status status, const char *format, ...) {
  va_list list;
  va_start(list, format);
  fputs("alea: error: ", stderr);
  vfprintf(stderr, format, list);
  fputc('\n', stderr);
  va_end(list);
  return (int)status;
}

/* Whether a progress line stands on the terminal; under the lock of stderr. */
static bool line_shown;

alea_status alea_cli_write(alea_text *text) {
  if (text->failed) {
    alea_cli_fail(ALEA_SYSTEM, "out of memory");
    return ALEA_SYSTEM;
  }
  bool terminal = isatty(STDOUT_FILENO) != 0; /* on which progress may be shown, too */
  if (terminal) flockfile(stderr);
  if (terminal && line_shown) fputs("\r\033[K", stderr);
  if (terminal) line_shown = false;
  size_t written = fwrite(alea_text_string(text), 1, text->length, stdout);
  bool good = written == text->length && fflush(stdout) == 0;
  if (terminal) funlockfile(stderr);
  alea_text_truncate(text, 0);
  if (!good) alea_cli_fail(ALEA_SYSTEM, "cannot write to standard output");
  return good ? ALEA_OK : ALEA_SYSTEM;
}

size_t alea_cli_columns(void) {
  enum { MOST_COLUMNS = 10000 };
  struct winsize size;
  bool known = isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0;
  if (known && size.ws_col > 0) return size.ws_col;
  const char *text = getenv("COLUMNS");
  if (text == NULL || text[0] < '1' || text[0] > '9') return 0;
  unsigned long columns = strtoul(text, NULL, 10);
  return columns <= MOST_COLUMNS ? columns : 0;
}

size_t alea_cli_width_of(const char *text, size_t length) {
  size_t columns = 0;
  for (size_t i = 0; i < length; i++) columns += ((unsigned char)text[i] & 0xc0) != 0x80;
  return columns;
}

void alea_cli_put_wrapped(alea_text *out, const char *text, size_t indent) {
  size_t width = alea_cli_columns(), at = 0;
  while (*text != '\0') {
    size_t length = strcspn(text, " \n"), columns = alea_cli_width_of(text, length);
    if (width > 0 && at > indent && at + columns > width) {
      while (out->length > 0 && out->data[out->length - 1] == ' ')
        alea_text_truncate(out, out->length - 1);
      alea_text_char(out, '\n');
      for (at = 0; at < indent; at++) alea_text_char(out, ' ');
    }
    alea_text_add(out, text, length);
    at += columns;
    text += length;
    if (*text == '\0') return;
    alea_text_char(out, *text);
    at = *text++ == '\n' ? 0 : at + 1;
  }
}

struct alea_cli_progress {
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t wake;
  const char *what;
  char reached[120]; /* after it; under the lock */
  double seconds, started;
  bool stopping, shown;
};

static void print_progress(alea_cli_progress *progress) {
  double elapsed = alea_clock_wall() - progress->started;
  flockfile(stderr);
  fprintf(stderr, "\r%s%s%s: %.0f", progress->what, progress->reached[0] != '\0' ? " " : "",
          progress->reached, elapsed);
  if (progress->seconds > 0) fprintf(stderr, " of %.0f", progress->seconds);
  fputs(" s\033[K", stderr);
  fflush(stderr);
  progress->shown = line_shown = true;
  funlockfile(stderr);
}

static void *progress_loop(void *argument) {
  alea_cli_progress *progress = argument;
  pthread_mutex_lock(&progress->lock);
  while (!progress->stopping) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec++;
    pthread_cond_timedwait(&progress->wake, &progress->lock, &until);
    if (!progress->stopping) print_progress(progress);
  }
  pthread_mutex_unlock(&progress->lock);
  return NULL;
}

alea_cli_progress *alea_cli_progress_start(const char *what, double seconds) {
  if (!isatty(STDERR_FILENO) || !isatty(STDOUT_FILENO)) return NULL;
  alea_cli_progress *progress = calloc(1, sizeof *progress);
  if (progress == NULL) return NULL;
  progress->what = what;
  progress->seconds = seconds;
  progress->started = alea_clock_wall();
  pthread_mutex_init(&progress->lock, NULL);
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(&progress->wake, &attributes);
  pthread_condattr_destroy(&attributes);
  if (pthread_create(&progress->thread, NULL, progress_loop, progress) != 0) {
    free(progress);
    return NULL;
  }
  return progress;
}

void alea_cli_progress_say(alea_cli_progress *progress, const char *format, ...) {
  if (progress == NULL) return;
  va_list list;
  va_start(list, format);
  pthread_mutex_lock(&progress->lock);
  vsnprintf(progress->reached, sizeof progress->reached, format, list);
  pthread_mutex_unlock(&progress->lock);
  va_end(list);
}

void alea_cli_progress_stop(alea_cli_progress *progress) {
  if (progress == NULL) return;
  pthread_mutex_lock(&progress->lock);
  progress->stopping = true;
  pthread_cond_signal(&progress->wake);
  pthread_mutex_unlock(&progress->lock);
  pthread_join(progress->thread, NULL);
  if (progress->shown) fputs("\r\033[K", stderr);
  pthread_cond_destroy(&progress->wake);
  pthread_mutex_destroy(&progress->lock);
  free(progress);
}
