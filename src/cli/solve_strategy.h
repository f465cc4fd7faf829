#ifndef ALEA_CLI_SOLVE_STRATEGY_H
#define ALEA_CLI_SOLVE_STRATEGY_H

/* alea solve and alea play for Strategic CSP: the strategy of the side that
 * wins, printed, drawn, replayed against every answer, and played. */

#include "cli/cli.h"
#include "csp/strategy.h"

typedef struct alea_cli_strategy {
  bool print, verify, json;
  uint32_t depth;  /* variables that are shown; 0 is all */
  const char *svg; /* a file; or NULL */
  alea_mem *mem;
  alea_text *out;
} alea_cli_strategy;

/* Writes what is asked for into 'out', in JSON as members of an object, each
 * after a comma.  Messages say what went wrong. */
alea_status alea_cli_show_strategy(const alea_cli_strategy *wanted, const alea_strategic *strategic,
                                   const alea_strategic_options *options);

/* A person at the terminal chooses the values of the side that loses. */
int alea_cli_play_model(const char *name);

#endif
