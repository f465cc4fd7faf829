#ifndef ALEA_CLI_SOLVE_STOCHASTIC_H
#define ALEA_CLI_SOLVE_STOCHASTIC_H

/* alea solve for stochastic networks and processes: which solver runs, and what
 * is printed of what it finds. */

#include "cli/cli.h"
#include "csp/csp.h"
#include "scsp/scsp.h"

/* What is printed of any instance. */
typedef struct alea_solve_report {
  alea_status status;
  double value;
  bool has_value;
  bool optimises; /* the best was sought; */
  bool optimal;   /* and it is the best */
  bool listed;    /* JSON: the object is open, with its array of assignments */
  uint64_t solutions, nodes, propagations;
  double seconds;
  const char *check, *existential, *state; /* strategic; NULL otherwise */
} alea_solve_report;

typedef struct alea_solve_stochastic {
  bool best, worst, count, all, scenario, policy, states, json;
  bool ascii;      /* policies are drawn without box-drawing characters */
  bool search;     /* Algorithm 1 instead of the cached walk */
  const char *svg; /* a file for the policy; or NULL */
  int64_t horizon; /* of a process; -1: to the end */
  alea_scsp_options options;
  alea_mem *mem;
  alea_text *out;  /* before the report */
  alea_text *more; /* JSON: members after the report, each after a comma */
} alea_solve_stochastic;

void alea_cli_solve_scsp(const alea_solve_stochastic *s, const alea_scsp *scsp,
                         alea_solve_report *report);
void alea_cli_solve_process(const alea_solve_stochastic *s, const alea_process *process,
                            alea_solve_report *report);

#endif
