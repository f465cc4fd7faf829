#ifndef ALEA_SCSP_XCSP3_H
#define ALEA_SCSP_XCSP3_H

/* Stochastic networks in XCSP3. */

#include "csp/xcsp3/xcsp3.h"
#include "scsp/scsp.h"

/* The stochastic network of an instance, which gives up its csp; NULL without
 * memory.  The caller frees it. */
alea_scsp *alea_xcsp3_take_scsp(alea_xcsp3 *instance, alea_mem *mem);

/* Appends the network, its chances and its stages.  ALEA_USAGE, and nothing
 * appended, where it has parts that XCSP3 cannot say; '*why' names them. */
alea_status alea_xcsp3_write_scsp(const alea_scsp *scsp, alea_text *text, const char **why);

#endif
