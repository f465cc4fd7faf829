/* alea serve: a player for game managers. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli/session.h"
#include "net/sandbox.h"
#include "net/serve.h"
#include "play/player.h"

/* clang-format off */
#define OPTIONS(row)                                                                      \
  row(text, player, "alea", 0, 0, "P", "who plays ('alea players' lists them)")           \
  row(integer, port, "9147", 0, 65535, "N", "port, or the next free one upward; 0 is any free one") \
  row(flag, exact, "", 0, 0, "", "that port or none")                                     \
  row(text, bind, "127.0.0.1", 0, 0, "ADDRESS", "address to listen at; 0.0.0.0 lets other machines in") \
  row(text, name, "alea", 0, 0, "NAME", "what the player calls itself")                   \
  row(integer, matches, "1", 1, 1000, "N", "matches at a time; more are told 'busy'")     \
  row(integer, sims, "0", 0, 9e15, "N", "simulations per move, besides the clock")        \
  row(flag, ponder, "", 0, 0, "", "think while others do")                                \
  row(real, margin, "-1", -1, 1e6, "S", "seconds by which moves leave early; -1 is 0.5 or 5 % of the clock") \
  row(bytes, limit, "16M", 0, 0, "BYTES", "longest message")                              \
  row(real, patience, "10", 0.1, 1e6, "S", "seconds in which a message has to arrive")    \
  row(real, idle, "60", 1, 1e9, "S", "silence, beyond the clocks, after which a match is given up") \
  row(real, overdue, "5", 0.1, 1e9, "S", "silence, beyond the next clock, after which another match takes its place") \
  row(real, longest_clock, "3600", 1, 1e9, "S", "longest clock of a match; others are refused") \
  row(choice, sandbox, "auto", 0, 0, ALEA_CHOICE_WORDS(ALEA_SANDBOX_MODES),               \
      "no files, no programs, no other connections; auto is as far as the system has it") \
  row(bytes, total_memory, "0", 0, 0, "BYTES", "memory limit of the server in the sandbox; 0 is twice --memory for each match and 2G") \
  row(integer, exit_after, "0", 0, 9e15, "N", "end after that many matches; 0 is never")  \
  row(integer, seed, "1", 0, 9e18, "N", "seed of everything random")                      \
  row(flag, quiet, "", 0, 0, "", "print the address alone, not what happens")             \
  ALEA_OPEN_OPTIONS(row)
/* clang-format on */
ALEA_OPTION_TABLE(OPTIONS)

static const alea_command command = {
    .name = "serve",
    .operands = "",
    .summary = "plays for game managers (GGP protocol over HTTP)",
    .details =
        "Prints its address and plays until it is interrupted.  Speaks with ggp-base's\n"
        "and Dresden's managers, GDL and GDL-II.",
    .example = "alea serve --player uct --port 9147",
    .options = rows,
    .option_count = sizeof rows / sizeof *rows,
    .least_operands = 0,
    .most_operands = 0,
};

static void print_line(void *context, const char *line) {
  (void)context;
  fprintf(stderr, "%s\n", line); /* a single call: lines of several threads are not mixed */
}

/* A file that the player's options name is read whenever a match begins, in the sandbox: that it
 * can be read is tried now, when somebody can still be told. */
static alea_status check_file(const values *v, const char *path, bool written, alea_text *message) {
  if (written && v->sandbox != ALEA_SANDBOX_OFF) {
    alea_text_format(message,
                     "player '%s' writes a file, which the sandbox does not allow; "
                     "--sandbox off does",
                     v->player);
    return ALEA_USAGE;
  }
  if (written || path[0] == '\0') return ALEA_OK;
  struct stat about;
  int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC), error = errno;
  bool plain = fd >= 0 && fstat(fd, &about) == 0 && S_ISREG(about.st_mode);
  if (fd >= 0) close(fd);
  if (plain) return ALEA_OK;
  alea_text_format(message, "player '%s': '%s' %s%s", v->player, path,
                   fd < 0 ? "cannot be read: " : "is no file that can be read again and again",
                   fd < 0 ? strerror(error) : "");
  return ALEA_SYSTEM;
}

static alea_status check_player(const values *v, alea_mem *mem, alea_text *file) {
  alea_text message;
  bool written;
  alea_text_init(&message, mem);
  alea_status status = alea_player_check_file(v->player, mem, file, &written, &message);
  if (status == ALEA_OK) status = check_file(v, alea_text_string(file), written, &message);
  if (status != ALEA_OK) alea_cli_fail(status, "%s", alea_text_string(&message));
  alea_text_clear(&message);
  if (status == ALEA_OK && strpbrk(v->name, " \t\r\n();") != NULL) {
    status = ALEA_USAGE;
    alea_cli_fail(status, "--name takes one word without parentheses");
  }
  return status;
}

/* Waits for a signal or for the end of the last match. */
static void wait_for_end(const alea_player_server *server, uint64_t most) {
  sigset_t set;
  alea_cli_stop_signals(&set);
  struct timespec moment = {0, 50000000}, farewell = {0, 300000000};
  while (sigtimedwait(&set, NULL, &moment) < 0) {
    if (most == 0 || alea_player_server_finished(server) < most) continue;
    nanosleep(&farewell, NULL); /* time to send the last answer */
    return;
  }
}

/* Threads inherit the mask, so that signals are delivered to the wait above. */
static void block_signals(void) {
  sigset_t set;
  alea_cli_stop_signals(&set);
  sigprocmask(SIG_BLOCK, &set, NULL);
  signal(SIGPIPE, SIG_IGN);
}

/* ---- the sandbox ---- */

typedef struct serve_sandbox {
  alea_sandbox_options options;
  bool quiet;
} serve_sandbox;

enum { STANDARD_CONNECTIONS = 256, CONNECTIONS_PER_MATCH = 4, OTHER_FILES = 64 };

static unsigned connections_of(const values *v) {
  return STANDARD_CONNECTIONS + CONNECTIONS_PER_MATCH * (unsigned)v->matches;
}

/* A match has two engines at a time. */
static size_t total_memory(const values *v) {
  size_t matches = (size_t)v->matches, most = SIZE_MAX / 2 / matches;
  if (v->total_memory != 0 || v->memory == 0 || v->memory >= most) return v->total_memory;
  return 2 * matches * v->memory + ((size_t)2 << 30);
}

static alea_status close_doors(void *context, alea_diag *diag) {
  const serve_sandbox *s = context;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_text said;
  alea_text_init(&said, &mem);
  alea_status status = alea_sandbox_enter(&s->options, &said);
  if (status != ALEA_OK)
    alea_diag_error(diag, ((alea_place){0}), "sandbox", "%s", alea_text_string(&said));
  else if (said.length > 0 && !s->quiet)
    print_line(NULL, alea_text_string(&said));
  alea_text_clear(&said);
  return status;
}

/* 'file' is that of the player's options, or empty. */
static alea_status serve(const values *v, const char *file, alea_mem *mem, alea_diag *diag) {
  alea_service_options service = {
      .player = {.player = v->player,
                 .open = ALEA_OPEN_OPTIONS_OF(v),
                 .margin = v->margin,
                 .sims = (uint64_t)v->sims,
                 .seed = (uint64_t)v->seed,
                 .ponder = v->ponder},
      .name = v->name,
      .matches = (unsigned)v->matches,
      .idle = v->idle,
      .overdue = v->overdue,
      .longest_clock = v->longest_clock,
      .log = v->quiet ? NULL : print_line,
  };
  serve_sandbox sandbox = {.options = {.mode = (alea_sandbox_mode)v->sandbox,
                                       .memory = total_memory(v),
                                       .files = 2 * connections_of(v) + OTHER_FILES,
                                       .readable = file[0] != '\0' ? file : NULL},
                           .quiet = v->quiet};
  alea_http_options http = {.address = v->bind,
                            .port = (uint16_t)v->port,
                            .exact = v->exact,
                            .most_bytes = v->limit,
                            .patience = v->patience,
                            .connections = connections_of(v),
                            .bound = close_doors,
                            .bound_context = &sandbox};
  alea_player_server *server;
  block_signals();
  alea_status status = alea_player_server_new(&server, &service, &http, diag);
  if (status != ALEA_OK) return status;
  alea_text out;
  alea_text_init(&out, mem);
  bool six = strchr(v->bind, ':') != NULL;
  alea_text_format(&out, "alea: %s listens at http://%s%s%s:%u\n", v->player, six ? "[" : "",
                   v->bind, six ? "]" : "", alea_player_server_port(server));
  status = alea_cli_write(&out);
  if (status == ALEA_OK) wait_for_end(server, (uint64_t)v->exit_after);
  alea_text_clear(&out);
  alea_cli_end_soon(status);
  alea_player_server_free(server);
  return status;
}

int alea_cli_serve(int argc, char **argv) {
  values v;
  int operands, result = alea_cli_begin(&command, &v, argc, argv, &operands);
  if (result >= 0) return result;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_diag diag;
  alea_diag_init(&diag, &mem);
  alea_text file;
  alea_text_init(&file, &mem);
  alea_status status = check_player(&v, &mem, &file);
  if (status == ALEA_OK) status = serve(&v, alea_text_string(&file), &mem, &diag);
  alea_cli_print_diag(&diag);
  alea_text_clear(&file);
  alea_diag_clear(&diag);
  return (int)status;
}
