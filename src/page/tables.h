#ifndef ALEA_PAGE_TABLES_H
#define ALEA_PAGE_TABLES_H

/* The tables of the page: processes that play (page/table.h), known by ids that
 * nobody can guess.
 *
 * What a table sends is kept until something newer comes; streams of events
 * send the latest of it, so a spectator that is slow misses some and holds
 * nobody up.  A table at which nobody has looked or wished anything for a while
 * is closed. */

#include <jansson.h>

#include "base/text.h"
#include "page/launcher.h"
#include "page/stream.h"

typedef struct alea_page_tables alea_page_tables;

/* Each seat of a table has an id of its own: who has that of one sees and does what
 * the person there may, and no more. */
enum { ALEA_PAGE_MOST_SEATS = 8 };
typedef char alea_page_ids[ALEA_PAGE_MOST_SEATS][ALEA_PAGE_ID_BYTES];

typedef struct alea_page_tables_options {
  alea_launcher *launcher; /* borrowed */
  alea_launch_limits limits;
  unsigned most; /* tables at a time */
  double idle;   /* seconds after which a table that nobody uses is closed */
} alea_page_tables_options;

/* NULL if out of memory or threads. */
alea_page_tables *alea_page_tables_new(const alea_page_tables_options *options);
/* Streams are over from now on, and all tables are closed. */
void alea_page_tables_end(alea_page_tables *tables);
/* After alea_page_tables_end, and when no stream is left.  NULL is a no-op. */
void alea_page_tables_free(alea_page_tables *tables);

/* Opens a table with so many seats whose first line is 'first'.  ALEA_LIMIT: there are
 * too many already; ALEA_SYSTEM: no process could be started. */
alea_status alea_page_tables_open(alea_page_tables *tables, const char *first, unsigned seats,
                                  alea_page_ids ids);
/* ALEA_NONE: there is no such table. */
alea_status alea_page_tables_close(alea_page_tables *tables, const char *id);
/* Appends what the table sent last to the seat: its position, or the fault that ended
 * it. */
alea_status alea_page_tables_latest(alea_page_tables *tables, const char *id, alea_text *out);
/* Sends a wish, to which an id and the seat are added, and waits for the answer: its sentence,
 * and its status as in HTTP.  ALEA_LIMIT: none came within 'seconds', the wish is
 * too long, or the table has ended. */
alea_status alea_page_tables_ask(alea_page_tables *tables, const char *id, json_t *wish,
                                 double seconds, int *status, alea_text *sentence);

/* ---- server-sent events ---- */

/* The state of a stream of one table's events; ALEA_NONE: there is no such
 * table. */
alea_status alea_page_tables_follow(alea_page_tables *tables, const char *id, uint64_t *state);
/* More bytes of it, 0 at its end; waits for them (an alea_http_stream). */
size_t alea_page_tables_stream(alea_page_tables *tables, uint64_t state, char *bytes, size_t size);
void alea_page_tables_unfollow(alea_page_tables *tables, uint64_t state);

#endif
