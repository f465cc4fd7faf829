#ifndef ALEA_CLI_SOLVE_STRATEGY_H
#define ALEA_CLI_SOLVE_STRATEGY_H

/* alea solve and alea play for Strategic CSP: the strategy of the side that
 * wins, printed, drawn, replayed against every answer, and played. */

#include "cli/cli.h"
#include "cli/solve_stochastic.h"
#include "csp/strategy.h"

typedef struct alea_cli_strategy {
  bool print, verify, json;
  uint32_t depth;    /* variables that are shown; 0 is all */
  const char *svg;   /* a file; or NULL */
  const char *given; /* values of the first variables, as text; or NULL */
  int state;         /* an alea_strategic_state, or ALEA_NO_CHOICE */
  alea_strategic_options options;
  alea_mem *mem;
  alea_text *out, *more; /* before the report, and after it */
} alea_cli_strategy;

/* Solves the network; writes what is asked for into 'more', in JSON as members
 * of an object, each after a comma.  Messages say what went wrong. */
void alea_cli_solve_strategic(const alea_cli_strategy *wanted, const alea_strategic *strategic,
                              alea_solve_report *report);

/* A person at the terminal chooses the values of the side that loses. */
int alea_cli_play_model(const char *name);

#endif
