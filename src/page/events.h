#ifndef ALEA_PAGE_EVENTS_H
#define ALEA_PAGE_EVENTS_H

/* Tournaments of the page: databases of results in one folder, and the processes
 * that fill some of them.
 *
 * An event is NAME.yaml, its description, and NAME.db, its results; either may be
 * there without the other.  A name is 1 to 40 small letters, digits and hyphens,
 * so that it is never a path.  Experiments keep theirs in the folder `experiments` below
 * it.  Stopping ends the process; what it stored is kept,
 * and resuming plays the rest. */

#include <jansson.h>

#include "base/json.h"
#include "page/runs.h"

typedef struct alea_page_events alea_page_events;

/* 'runs' and 'folder' are borrowed.  NULL if out of memory. */
alea_page_events *alea_page_events_new(alea_page_runs *runs, const char *folder,
                                       const alea_launch_limits *limits);
/* NULL is a no-op. */
void alea_page_events_free(alea_page_events *events);

bool alea_page_event_is_name(const char *name);
/* The path of NAME and an ending such as ".db". */
void alea_page_event_path(const alea_page_events *events, const char *name, const char *ending,
                          alea_text *path);
/* Writes an array of {"name", "running", "described", "stored"}, sorted by name; one that
 * runs has the id of its "run" (page/runs.h). */
void alea_page_events_list(alea_page_events *events, alea_json *json);
/* Writes the description, which is JSON and so YAML, and starts.  ALEA_NO: there
 * is such an event already; ALEA_LIMIT: too many run; ALEA_SYSTEM: the file cannot
 * be written, or no process started. */
alea_status alea_page_events_start(alea_page_events *events, const char *name,
                                   const json_t *description);
/* Appends its description.  ALEA_NONE: it has none that is a file, or one that is too long. */
alea_status alea_page_events_describe(const alea_page_events *events, const char *name,
                                      alea_text *description);
/* ALEA_NONE: it has no description; ALEA_NO: it runs; others as above. */
alea_status alea_page_events_resume(alea_page_events *events, const char *name);
/* ALEA_NONE: it does not run. */
alea_status alea_page_events_stop(alea_page_events *events, const char *name);

#endif
