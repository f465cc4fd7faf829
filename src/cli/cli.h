#ifndef ALEA_CLI_CLI_H
#define ALEA_CLI_CLI_H

/* Functions that the subcommands share.
 *
 * A subcommand is a function `int alea_cli_NAME(int argc, char **argv)` in a
 * file of its own and a row of the table below.  argv[0] is its name, and its
 * result is the exit status of the program (base/status.h). */

#include <signal.h>

#include "base/diag.h"
#include "base/options.h"
#include "base/status.h"
#include "base/text.h"

/* clang-format off */
#define ALEA_CLI_COMMANDS(row)                                          \
  row(games, "lists the games that ship with the program")              \
  row(check, "parses and validates rulesheets; reports every problem")  \
  row(info, "describes a game: roles, kind, sizes, times")              \
  row(show, "draws a position, in the terminal or as SVG")              \
  row(simulate, "applies given joint moves and prints every state")     \
  row(perft, "counts the sequences of joint moves")                     \
  row(bench, "measures random playouts per second")                     \
  row(players, "lists the players with their options")                  \
  row(best, "analyses one position: every move with value and proof")   \
  row(play, "lets a person play in the terminal")                       \
  row(match, "plays matches between players; prints records")           \
  row(tournament, "plays many matches and stores them; goes on where it was stopped") \
  row(report, "tables and plots of a database of results")              \
  row(experiment, "runs an experiment of the papers again; prints ours beside theirs") \
  row(serve, "plays for game managers (GGP protocol over HTTP)")        \
  row(host, "manages a match between players elsewhere, our own, and people") \
  row(web, "opens the page: play, watch players think, write rules, replay, tournaments") \
  row(solve, "solves a constraint instance, plain, stochastic or strategic") \
  row(translate, "writes a game as a stochastic constraint network")   \
  row(learn, "learns an evaluation of a rewriting game by self-play")
/* clang-format on */

#define ALEA_CLI_DECLARE(name, summary) int alea_cli_##name(int argc, char **argv);
ALEA_CLI_COMMANDS(ALEA_CLI_DECLARE)
#undef ALEA_CLI_DECLARE

/* Reads the command line into 'values' (see base/options.h).  -1 means: go on,
 * with '*operands' operands in argv[1 ...].  Anything else is the exit status:
 * the help or an error message was printed. */
int alea_cli_begin(const alea_command *command, void *values, int argc, char **argv, int *operands);

/* Prints diagnostics to standard error, as FILE:LINE:COLUMN: severity: text,
 * one line each whatever the text quotes (alea_text_escape). */
void alea_cli_print_diag(const alea_diag *diag);
/* The same with the code of each: text [code]. */
void alea_cli_print_codes(const alea_diag *diag);
/* The same without codes and without the warnings about places in a file, of
 * which only their number is printed: 'alea check' shows them. */
void alea_cli_print_brief(const alea_diag *diag);
/* The signals that ask a command to end in good order: SIGINT, SIGTERM, and
 * SIGHUP unless it is ignored (nohup). */
void alea_cli_stop_signals(sigset_t *set);
/* The command is over and has nothing more to lose: within a second the process
 * exits with 'status', whatever its threads are doing. */
void alea_cli_end_soon(alea_status status);
/* The same at once, from any thread: what was printed is written if that is
 * possible without waiting. */
_Noreturn void alea_cli_end_now(alea_status status);
/* Prints "alea: error: ..." to standard error and returns 'status'. */
int alea_cli_fail(alea_status status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Writes the text to standard output and empties it.  ALEA_SYSTEM: the text
 * lacked memory or the output cannot be written. */
alea_status alea_cli_write(alea_text *text);

/* The columns of the terminal on standard output, or else of the environment (COLUMNS); 0 where
 * neither says. */
size_t alea_cli_columns(void);

/* The columns that the first 'length' bytes take: one for each character. */
size_t alea_cli_width_of(const char *text, size_t length);
/* Appends text whose lines are broken between words where they would be wider than
 * the terminal; 'indent' columns before each that follows. */
void alea_cli_put_wrapped(alea_text *out, const char *text, size_t indent);

/* A line on the terminal that shows what is being done, once it takes more than
 * a second; nothing is shown when the output is piped.  One at a time. */
typedef struct alea_cli_progress alea_cli_progress;
/* 'what' is borrowed until the stop; 'seconds' is the expected duration, 0 if
 * unknown.  NULL if there is no terminal; alea_cli_progress_stop accepts it. */
alea_cli_progress *alea_cli_progress_start(const char *what, double seconds);
void alea_cli_progress_stop(alea_cli_progress *progress);
/* Adds what was reached so far to the line, such as "3 of 10, 2-1". */
void alea_cli_progress_say(alea_cli_progress *progress, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
