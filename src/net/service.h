#ifndef ALEA_NET_SERVICE_H
#define ALEA_NET_SERVICE_H

/* The player as game managers see it: a message in, an answer out.
 *
 * Any number of threads may deliver messages.  INFO and ABORT are answered at
 * once, even while a player thinks; START and PLAY take as long as their clocks
 * allow.  A malformed message is answered with a sentence that says why, and
 * changes nothing. */

#include "net/match_player.h"

typedef struct alea_service alea_service;

typedef struct alea_service_options {
  alea_match_player_options player;
  const char *name; /* of the player, in the answer to INFO; a GDL name */
  unsigned matches; /* at a time; 0: 1.  What is over counts until its threads have ended */
  double idle; /* seconds of silence, beyond its clocks, after which a match is given up; 0: 60 */
  double overdue; /* the same beyond the clock of its next message, after which a START that finds
                     no room takes its place, and INFO says so; 0: 5 */
  double longest_clock; /* seconds; a START with a longer one is refused; 0: 3600 */
  /* Receives log lines, from any thread; may be NULL.  What came from the
   * network is escaped (alea_text_escape). */
  void (*log)(void *context, const char *line);
  void *context;
} alea_service_options;

/* NULL if out of memory.  Texts of the options are borrowed. */
alea_service *alea_service_new(const alea_service_options *options);

typedef enum alea_service_result {
  ALEA_SERVICE_DONE,
  ALEA_SERVICE_MALFORMED, /* the reply says what is wrong */
  ALEA_SERVICE_FAILED,    /* the reply says what failed here */
} alea_service_result;

/* Who sent a message and waits for the answer. */
typedef struct alea_service_caller {
  bool (*is_gone)(const void *context); /* asked by any thread while the call lasts */
  const void *context;
} alea_service_caller;

/* 'caller' may be NULL: then it is not known whether anybody still waits.  A match
 * whose callers are all gone gives its place to the next START that needs one. */
alea_service_result alea_service_answer(alea_service *service, const char *text, size_t length,
                                        const alea_service_caller *caller, alea_text *reply);

/* Matches that were stopped or aborted so far. */
uint64_t alea_service_finished(alea_service *service);
/* Ends all matches and refuses new ones: pending answers come soon.  Does not
 * wait. */
void alea_service_quit(alea_service *service);
/* All calls must have returned.  NULL is a no-op. */
void alea_service_free(alea_service *service);

#endif
