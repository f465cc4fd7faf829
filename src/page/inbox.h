#ifndef ALEA_PAGE_INBOX_H
#define ALEA_PAGE_INBOX_H

/* Messages of a process that plays, as lines of JSON on standard input and
 * output.
 *
 * A thread reads while the process thinks.  Somebody who asks for something
 * that cannot wait (to take a move back, to give up, to move at once) raises
 * 'stop', which ends the thinking; somebody who asks for a move or a hint then
 * is told at once that it is not their turn. */

#include <jansson.h>
#include <pthread.h>
#include <stdatomic.h>

#include "base/text.h"

enum { ALEA_PAGE_INBOX_MOST = 16 };

typedef struct alea_page_inbox {
  atomic_bool stop;     /* for the budgets of players */
  atomic_bool thinking; /* set by the thread that thinks */
  pthread_mutex_t lock; /* guards what follows */
  pthread_cond_t arrived;
  json_t *messages[ALEA_PAGE_INBOX_MOST];
  size_t first, count;
  bool closed;
  pthread_mutex_t writing; /* one line at a time */
} alea_page_inbox;

/* Starts to read.  The inbox lives as long as the process.  ALEA_SYSTEM: no
 * thread. */
alea_status alea_page_inbox_start(alea_page_inbox *inbox);
/* The next message, an object that the caller owns; waits 'seconds' for one (0: not
 * at all, INFINITY: for ever).  NULL: there is none, or nobody is there any more. */
json_t *alea_page_inbox_take(alea_page_inbox *inbox, double seconds);
/* Whether nobody is there any more. */
bool alea_page_inbox_is_closed(alea_page_inbox *inbox);
/* Whether a wish waits that makes void what is being chosen: to take a move back, to
 * give up, to begin again; or nobody is there any more. */
bool alea_page_inbox_is_interrupted(alea_page_inbox *inbox);
/* Sends one line of JSON, which is emptied. */
void alea_page_inbox_send(alea_page_inbox *inbox, alea_text *line);
/* Answers a message: 'status' as in HTTP, and a sentence where it is not 200. */
void alea_page_inbox_answer(alea_page_inbox *inbox, const json_t *message, int status,
                            const char *sentence);

#endif
