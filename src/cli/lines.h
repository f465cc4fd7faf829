#ifndef ALEA_CLI_LINES_H
#define ALEA_CLI_LINES_H

/* Lines that a person types: at a terminal with editing, history and completion
 * (libedit), from a pipe or a file as they come. */

#include <stdatomic.h>
#include <stdbool.h>

#include "base/text.h"
#include "base/vec.h"

/* Appends to 'out' the words that a line beginning with 'typed' may become, each
 * ended by a newline. */
typedef void alea_cli_completer(void *context, const char *typed, alea_text *out);

typedef struct alea_cli_lines alea_cli_lines;

/* NULL if out of memory.  While the lines are open at a terminal, Ctrl-C and
 * SIGTERM do not end the program: a line that is being typed ends as the input
 * would, and alea_cli_lines_interrupted is raised. */
alea_cli_lines *alea_cli_lines_open(alea_mem *mem, alea_cli_completer *complete, void *context);
/* Leaves the terminal as it was; NULL is a no-op. */
void alea_cli_lines_close(alea_cli_lines *lines);
/* The next line without its end and without spaces around it; NULL: the input
 * ended, or was interrupted.  Borrowed until the next call. */
const char *alea_cli_lines_read(alea_cli_lines *lines, const char *prompt);
/* Whether a person sits at a terminal. */
bool alea_cli_lines_are_typed(const alea_cli_lines *lines);
/* Raised by Ctrl-C, SIGTERM and SIGHUP; lowered by whoever has seen to it. */
atomic_bool *alea_cli_lines_interrupted(void);
/* Whether SIGTERM or SIGHUP has asked the program to end. */
bool alea_cli_lines_ended(void);

#endif
