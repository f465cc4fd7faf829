#ifndef ALEA_BASE_DIAG_H
#define ALEA_BASE_DIAG_H

/* Diagnostics: what is wrong with an input, and where.
 *
 * The library never prints; it adds to a list that the caller owns and shows in
 * its own way.  A NULL list is allowed everywhere and discards what is reported.
 * Entries are those of the public interface; the file of a place must outlive the
 * list. */

#include <stdarg.h>
#include <stdint.h>

#include "alea/status.h"
#include "base/arena.h"
#include "base/vec.h"

typedef struct alea_diag {
  alea_arena arena; /* holds the messages */
  ALEA_VEC(alea_diag_entry) entries;
  size_t errors, warnings;
} alea_diag;

void alea_diag_init(alea_diag *diag, alea_mem *mem);
void alea_diag_clear(alea_diag *diag);

/* 'code' must be a string constant. */
void alea_diag_report(alea_diag *diag, alea_severity severity, alea_place place, const char *code,
                      const char *format, ...) __attribute__((format(printf, 5, 6)));

#define alea_diag_error(diag, place, ...) alea_diag_report((diag), ALEA_ERROR, (place), __VA_ARGS__)
#define alea_diag_warn(diag, place, ...) \
  alea_diag_report((diag), ALEA_WARNING, (place), __VA_ARGS__)

#endif
