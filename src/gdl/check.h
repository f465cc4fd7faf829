#ifndef ALEA_GDL_CHECK_H
#define ALEA_GDL_CHECK_H

/* Static validity of a rulesheet, on the S-expressions as written. */

#include "base/diag.h"
#include "base/status.h"
#include "gdl/sexpr.h"

/* The form alone: reports what leaves a rulesheet without any reading, such
 * as an empty list or a rule without a head.  ALEA_OK or ALEA_INPUT. */
alea_status alea_check_form(const alea_sexprs *exprs, const alea_symbols *symbols, const char *file,
                            alea_diag *diag);

#endif
