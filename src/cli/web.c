/* alea web: the page. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/interrupt.h"
#include "page/page.h"
#include "page/pictures.h"
#include "page/replay.h"
#include "page/table.h"
#include "page/watch.h"

/* clang-format off */
#define OPTIONS(row)                                                                          \
  row(text, bind, "127.0.0.1", 0, 0, "ADDRESS", "numeric address to listen at; others than this machine's own let others in") \
  row(integer, port, "8420", 0, 65535, "N", "port; the next free one if it is taken; 0 is any") \
  row(flag, exact, "", 0, 0, "", "that port or none")                                         \
  row(text, name, "", 0, 0, "HOST", "one more name under which browsers may call the page")   \
  row(text, events, "", 0, 0, "FOLDER", "where tournaments and experiments of the page are kept (default: alea in $XDG_STATE_HOME or ~/.local/state)") \
  row(text, allow, "", 0, 0, "HOST:PORT,...", "addresses elsewhere that the page may call for players and events; this machine's own ports may be") \
  row(integer, tables, "24", 1, 1000, "N", "games that are played at a time")                 \
  row(real, idle, "900", 1, 1e6, "S", "seconds after which a game that nobody looks at is closed") \
  row(integer, jobs, "4", 1, 100, "N", "checks, replays and searches at a time")              \
  row(bytes, memory, "2G", 0, 0, "BYTES", "memory limit of each process that plays or checks; 0 is none") \
  row(choice, sandbox, "auto", 0, 0, ALEA_CHOICE_WORDS(ALEA_SANDBOX_MODES), "what these processes may do (docs/SECURITY.md)")
/* clang-format on */
ALEA_OPTION_TABLE(OPTIONS)

static const alea_command command = {
    .name = "web",
    .operands = "",
    .summary = "opens the page: play, watch players think, write rules, replay, tournaments",
    .details =
        "Prints the address of the page, which works until the command is ended (Ctrl-C).\n"
        "The address ends with a token: whoever has it may play and compute here.",
    .example = "timeout 1 alea web --port 0 || true",
    .options = rows,
    .option_count = sizeof rows / sizeof *rows,
    .least_operands = 0,
    .most_operands = 0,
};

/* ---- processes ---- */

/* The process is told to stop, as by Ctrl-C, after so many seconds: what was played until then
 * is stored and reported. */
static bool stop_in(double seconds) {
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGTERM};
  struct itimerspec when = {.it_value = {.tv_sec = (time_t)seconds + 1}};
  timer_t timer;
  return timer_create(CLOCK_MONOTONIC, &event, &timer) == 0 &&
         timer_settime(timer, 0, &when, NULL) == 0;
}

/* measure FOLDER SECONDS experiment ...: the command, whose files are in the folder. */
static int measure(int argc, char **argv) {
  if (argc < 4 || !stop_in(strtod(argv[2], NULL))) return ALEA_USAGE;
  if (chdir(argv[1]) != 0)
    return alea_cli_fail(ALEA_SYSTEM, "the folder '%s' cannot be used: %s", argv[1],
                         strerror(errno));
  return alea_cli_experiment(argc - 3, argv + 3);
}

/* What the processes of the page run. */
static int work(int argc, char **argv) {
  static const struct {
    const char *name;
    alea_launch_main *run;
  } works[] = {
      {"table", alea_page_table_run},
      {"replay", alea_page_replay_run},
      {"pictures", alea_page_pictures_run},
      {"check", alea_cli_check},
      {"info", alea_cli_info},
      {"games", alea_cli_games},
      {"players", alea_cli_players},
      {"solve", alea_cli_solve},
      {"report", alea_cli_report},
      {"tournament", alea_cli_tournament},
      {"experiment", alea_cli_experiment},
      {"measure", measure},
      {"watch", alea_page_watch_run},
  };
  for (size_t i = 0; argc > 0 && i < sizeof works / sizeof *works; i++)
    if (strcmp(argv[0], works[i].name) == 0) return works[i].run(argc, argv);
  return ALEA_USAGE;
}

/* ---- the folder ---- */

/* Makes a folder and those above it, for its owner alone. */
static bool make_folders(char *path) {
  for (char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    bool made = mkdir(path, 0700) == 0 || errno == EEXIST;
    *slash = '/';
    if (!made) return false;
  }
  return mkdir(path, 0700) == 0 || errno == EEXIST;
}

/* The folder of --events, which must be there; without it the one for state that programs
 * keep, which is made. */
static alea_status find_folder(const char *given, alea_text *folder) {
  struct stat about;
  const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
  bool named = given != NULL && given[0] != '\0';
  bool usual = state == NULL || state[0] != '/'; /* paths that are not absolute are invalid */
  if (named) {
    alea_text_put(folder, given);
  } else if (usual && (home == NULL || home[0] != '/')) {
    return (alea_status)alea_cli_fail(
        ALEA_SYSTEM, "there is no home folder to keep results in; name one with --events");
  } else {
    alea_text_format(folder, "%s%s/alea", usual ? home : state, usual ? "/.local/state" : "");
    if (folder->failed) return ALEA_SYSTEM;
    if (!make_folders(folder->data))
      return (alea_status)alea_cli_fail(ALEA_SYSTEM,
                                        "'%s' cannot be made: %s; name another with --events",
                                        folder->data, strerror(errno));
  }
  if (folder->failed) return ALEA_SYSTEM;
  if (stat(folder->data, &about) == 0 && S_ISDIR(about.st_mode)) return ALEA_OK;
  return (alea_status)alea_cli_fail(ALEA_SYSTEM, "--events: there is no folder '%s'", folder->data);
}

/* ---- serving ---- */

static alea_status serve(const values *v, const char *folder, alea_text *out, alea_diag *diag) {
  alea_page_options options = {.address = v->bind,
                               .port = (uint16_t)v->port,
                               .exact = v->exact,
                               .name = v->name != NULL && v->name[0] != '\0' ? v->name : NULL,
                               .run = work,
                               .ask = alea_cli_ask_to_stop,
                               .sandbox = (alea_sandbox_mode)v->sandbox,
                               .memory = v->memory,
                               .folder = folder,
                               .allowed = v->allow,
                               .tables = (unsigned)v->tables,
                               .idle = v->idle,
                               .jobs = (unsigned)v->jobs};
  alea_page *page;
  sigset_t set;
  int number;
  alea_cli_stop_signals(&set);
  sigprocmask(SIG_BLOCK, &set, NULL);
  signal(SIGPIPE, SIG_IGN);
  alea_status status = alea_page_new(&page, &options, diag);
  if (status != ALEA_OK) return status;
  bool six = strchr(v->bind, ':') != NULL;
  alea_text_format(out,
                   "the page is at http://%s%s%s:%u/#token=%s\nresults are kept in %s\n"
                   "Ctrl-C ends it\n",
                   six ? "[" : "", v->bind, six ? "]" : "", alea_page_port(page),
                   alea_page_token(page), folder);
  status = alea_cli_write(out);
  if (status == ALEA_OK) sigwait(&set, &number);
  alea_cli_end_soon(status);
  alea_page_free(page);
  return status;
}

int alea_cli_web(int argc, char **argv) {
  values v;
  int operands, result = alea_cli_begin(&command, &v, argc, argv, &operands);
  if (result >= 0) return result;
  alea_mem mem;
  alea_diag diag;
  alea_text out, folder;
  alea_mem_init(&mem, 0);
  alea_diag_init(&diag, &mem);
  alea_text_init(&out, &mem);
  alea_text_init(&folder, &mem);
  alea_status status = find_folder(v.events, &folder);
  if (status == ALEA_OK) status = serve(&v, alea_text_string(&folder), &out, &diag);
  alea_cli_print_diag(&diag);
  alea_text_clear(&folder);
  alea_text_clear(&out);
  alea_diag_clear(&diag);
  return (int)status;
}
