#ifndef ALEA_NET_HTTP_CLIENT_H
#define ALEA_NET_HTTP_CLIENT_H

/* HTTP client: one request at a time, in a thread of its own, with a deadline.
 *
 * Requests are made as game managers make them: HTTP/1.0, one message, one
 * answer.  No redirection is followed, and 64 KiB of headers are too long.
 *
 * One thread must call alea_http_global before the first client is made, and
 * alea_http_global_end after the last one is freed. */

#include <stdatomic.h>

#include "base/status.h"
#include "base/text.h"

typedef struct alea_http_client alea_http_client;

alea_status alea_http_global(void);
void alea_http_global_end(void);

typedef struct alea_http_call {
  const char *url;
  const char *sender;   /* value of the header Sender */
  const char *receiver; /* value of the header Receiver */
  bool host;            /* send the header Host */
  double connect;       /* seconds for connecting */
  double seconds;       /* for the whole request */
  size_t most_bytes;    /* limit of an answer; a longer one is discarded */
  bool insist;          /* 'stop' does not end it */
} alea_http_call;

typedef enum alea_http_outcome {
  ALEA_HTTP_ANSWERED,
  ALEA_HTTP_LATE,
  ALEA_HTTP_BROKEN, /* no connection, not HTTP, or cut short */
  ALEA_HTTP_TOO_LONG,
} alea_http_outcome;

/* Requests end early when 'stop' (may be NULL) is raised.  NULL if out of
 * memory. */
alea_http_client *alea_http_client_new(const atomic_bool *stop);
/* Cancels a request that is under way.  NULL is a no-op. */
void alea_http_client_free(alea_http_client *client);

/* Begins a request.  The strings of 'call' must live until it has ended; the
 * message is copied.  A request that is still under way is cancelled first. */
void alea_http_client_post(alea_http_client *client, const alea_http_call *call,
                           const char *message, size_t length);
/* Waits for the end of the request; appends the body of the answer. */
alea_http_outcome alea_http_client_wait(alea_http_client *client, alea_text *body, double *seconds);

#endif
