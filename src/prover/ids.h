#ifndef ALEA_PROVER_IDS_H
#define ALEA_PROVER_IDS_H

/* The numbering of fluents, percepts and moves that the cursors of one game
 * share.  There are several spaces (fluents, percepts, one for the moves of
 * each role), and in each the terms get 0, 1, 2, ... as they come.
 *
 * All functions may be called by any thread: a mutex guards the whole, and
 * what is inside is allocated from a ledger of its own.  Terms cross between
 * the table in here and those of the callers by copying. */

#include "base/status.h"
#include "base/terms.h"

typedef struct alea_ids alea_ids;
#define ALEA_NO_ID UINT32_MAX

/* 'symbols' is borrowed and never changes any more; 'limit' bounds the memory
 * of the numbering (0 = none).  The caller owns '*ids'. */
alea_status alea_ids_new(alea_ids **ids, alea_symbols *symbols, uint32_t spaces, size_t limit,
                         alea_mem *mem);
void alea_ids_free(alea_ids *ids, alea_mem *mem); /* NULL is a no-op. */

/* The number of 'term' of table 'from'; ALEA_NO_ID without memory. */
uint32_t alea_ids_add(alea_ids *ids, uint32_t space, const alea_terms *from, alea_term term);
/* The number of the term written as 'text'; ALEA_NO_ID when it is no term,
 * has a name that is no symbol, or there is no memory. */
uint32_t alea_ids_parse(alea_ids *ids, uint32_t space, const char *text);
/* The term with that number, as a term of 'to'; ALEA_NO_TERM when there is no
 * such number or no memory. */
alea_term alea_ids_term(alea_ids *ids, uint32_t space, uint32_t id, alea_terms *to);

uint32_t alea_ids_count(alea_ids *ids, uint32_t space);
/* Prints nothing when there is no such number. */
void alea_ids_print(alea_ids *ids, uint32_t space, uint32_t id, bool spelling, alea_text *out);

#endif
