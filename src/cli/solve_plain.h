#ifndef ALEA_CLI_SOLVE_PLAIN_H
#define ALEA_CLI_SOLVE_PLAIN_H

/* alea solve for plain networks: what is printed of solutions, and when.
 *
 * The first solution and the best one are printed when the search has ended, all
 * solutions as they come.  At a terminal every better value is a line with the time
 * at which it was found; JSON has nothing but the object. */

#include "cli/cli.h"
#include "cli/solve_live.h"
#include "cli/solve_stochastic.h"
#include "csp/csp.h"

typedef struct alea_solve_plain {
  alea_csp_options options; /* but for its callbacks */
  bool all, json;
  bool improving;                                                    /* print better values */
  alea_solve_live *live;                                             /* is told of better values */
  void (*progress)(void *context, const alea_csp_progress *reached); /* may be NULL */
  void *context;
  alea_mem *mem;
  alea_text *out;  /* before the report */
  alea_text *more; /* JSON: members after the report, each after a comma */
} alea_solve_plain;

/* Solves the network.  JSON: one solution is "assignment"; where all are wanted the
 * array "assignments" is the first member, and is written as it grows. */
void alea_cli_solve_plain(const alea_solve_plain *wanted, const alea_csp *csp,
                          alea_solve_report *report);

/* Appends an assignment as "x=1 y=red " or as a JSON object; values of variables that
 * nothing mentions are * and null. */
void alea_cli_put_assignment(const alea_csp *csp, const int32_t *values, bool json, alea_text *out);

#endif
