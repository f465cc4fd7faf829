#ifndef ALEA_SCSP_JSON_H
#define ALEA_SCSP_JSON_H

/* Stochastic networks and processes in our JSON form.  Beyond csp/json.h:
 *
 *   "players": 1, "thresholds": [0.5],
 *   "chances": [{"variable": "y", "parents": ["x"], "probabilities": [[0.5, 0.5], [1, 0]]}],
 *              or {"variable": "y", "over": ["b0", "b1"]}: uniform over the values whose flag is 1
 *   "soft":    [{"scope": ["x", "y"], "tuples": [[0, "*"]], "payments": [[1]]}],
 *   for a process also
 *   "state":   [{"variable": "x", "next": "x'", "start": 3}],
 *   "final":   [like soft],
 *   "closing": 5, the number of first variables that the cut-off last step has too */

#include <jansson.h>

#include "scsp/scsp.h"

alea_scsp *alea_scsp_read_json(alea_mem *mem, const json_t *root, const char *file, alea_diag *diag,
                               alea_status *status);
alea_process *alea_process_read_json(alea_mem *mem, const json_t *root, const char *file,
                                     alea_diag *diag, alea_status *status);
/* NULL without memory. */
json_t *alea_scsp_write_json(const alea_scsp *scsp);
json_t *alea_process_write_json(const alea_process *process);

#endif
