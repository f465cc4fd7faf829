#ifndef ALEA_GDL_CLASSIFY_H
#define ALEA_GDL_CLASSIFY_H

/* Classification of a game by its rules alone, without playing it. */

#include "base/status.h"
#include "gdl/program.h"

typedef enum alea_information {
  ALEA_INFORMATION_COMPLETE, /* no `sees`: everybody sees every move */
  ALEA_INFORMATION_SHARED,   /* proved: all players see the same */
  ALEA_INFORMATION_PRIVATE,  /* not proved; play may still show that it is shared */
} alea_information;

typedef struct alea_class {
  bool has_random; /* some role is called `random` */
  alea_information information;
  /* Every play ends after at most this many joint moves, proved by a fluent
   * that counts the steps; 0 when no proof was found. */
  uint32_t horizon;
} alea_class;

/* ALEA_OK, or ALEA_SYSTEM / ALEA_LIMIT if out of memory; scratch memory comes
 * from 'mem'. */
alea_status alea_classify(alea_class *class, const alea_program *program, alea_mem *mem);

/* "complete", "shared" or "private". */
const char *alea_information_text(alea_information information);

/* The horizon by itself; used by alea_classify.  False if out of memory. */
bool alea_find_horizon(uint32_t *horizon, const alea_program *program, alea_mem *mem);

#endif
