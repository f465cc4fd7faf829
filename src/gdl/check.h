#ifndef ALEA_GDL_CHECK_H
#define ALEA_GDL_CHECK_H

/* Static validity of a rulesheet.
 *
 * All problems are reported, sorted by place, each with a code of gdl/report.h.
 * The check that is not strict asks whether the text can be played: only what
 * has no sensible reading is an error, and the texts without errors are exactly
 * those that alea_program_new accepts.  The strict check asks whether the text
 * is valid GDL. */

#include "base/diag.h"
#include "base/status.h"

/* Checks KIF or HRF text.  ALEA_OK: no errors, perhaps warnings; ALEA_NO:
 * errors; ALEA_LIMIT and ALEA_SYSTEM: it could not be checked. */
alea_status alea_check_text(const char *text, size_t length, const char *file, bool strict,
                            alea_mem *mem, alea_diag *diag);

#endif
