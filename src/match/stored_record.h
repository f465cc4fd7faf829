#ifndef ALEA_MATCH_STORED_RECORD_H
#define ALEA_MATCH_STORED_RECORD_H

/* Records of matches that were written elsewhere: ggp-base's JSON, as
 * alea_record_json writes it, and its older XML.  Bytes from outside. */

#include "base/arena.h"
#include "base/diag.h"
#include "base/status.h"
#include "base/vec.h"

/* One joint move: 'count' texts in role order. */
typedef struct alea_stored_move {
  const char *const *texts;
  size_t count;
} alea_stored_move;

typedef struct alea_stored_record {
  alea_arena arena; /* of the texts */
  ALEA_VEC(alea_stored_move) moves;
} alea_stored_record;

/* Reads a record; it must be cleared in any case.  ALEA_INPUT: 'diag' says why
 * 'text', which is named 'name', is none. */
alea_status alea_stored_record_read(alea_stored_record *record, const char *text, size_t length,
                                    const char *name, alea_mem *mem, alea_diag *diag);
void alea_stored_record_clear(alea_stored_record *record);

#endif
