#ifndef ALEA_NET_HTTP_CLIENT_H
#define ALEA_NET_HTTP_CLIENT_H

/* One HTTP request at a time, in a thread of its own, as game managers make
 * them: HTTP/1.0, one message, one answer, never longer than a deadline.
 *
 * alea_http_global must have been called, by one thread, before the first
 * client is made, and its counterpart after the last is gone. */

#include <stdatomic.h>

#include "base/status.h"
#include "base/text.h"

typedef struct alea_http_client alea_http_client;

alea_status alea_http_global(void);
void alea_http_global_end(void);

typedef struct alea_http_call {
  const char *url;
  const char *sender;   /* who we say we are */
  const char *receiver; /* and whom we speak to */
  bool host;            /* send the header Host */
  double connect;       /* seconds for connecting */
  double seconds;       /* for everything */
  size_t most_bytes;    /* of an answer; what is longer counts as nothing */
  bool insist;          /* not even 'stop' ends it */
} alea_http_call;

typedef enum alea_http_outcome {
  ALEA_HTTP_ANSWERED,
  ALEA_HTTP_LATE,
  ALEA_HTTP_BROKEN, /* no connection, or not HTTP, or cut short */
  ALEA_HTTP_TOO_LONG,
} alea_http_outcome;

/* Requests end early when 'stop' (may be NULL) is raised.  NULL without
 * memory. */
alea_http_client *alea_http_client_new(const atomic_bool *stop);
/* Waits for, or ends, what is under way.  NULL is a no-op. */
void alea_http_client_free(alea_http_client *client);

/* Begins a request; the strings of 'call' must live until it has ended, the
 * message is copied.  One that is still under way is ended first. */
void alea_http_client_post(alea_http_client *client, const alea_http_call *call,
                           const char *message, size_t length);
/* Waits for the end of the request; the answer's body is appended. */
alea_http_outcome alea_http_client_wait(alea_http_client *client, alea_text *body, double *seconds);

#endif
