#ifndef ALEA_NET_HTTP_SERVER_H
#define ALEA_NET_HTTP_SERVER_H

/* A small HTTP server: one request per connection.
 *
 * Replies are HTTP/1.0 with their length, and the connection is then closed;
 * every game manager understands that.  Each connection has a thread, so a
 * handler may take its time while others are answered.  A connection is closed
 * when its request is not complete after 'patience' seconds or its reply is not
 * taken within as many, whether the other side is silent or sends single bytes.
 * Half of the connections are for requests that a handler works on: where more
 * than the other half are being sent or read, the oldest of them are closed, and
 * where bodies take too much memory, the one with the longest.  So whoever sends
 * a whole request at once is heard, however many others do not.
 * Replies carry the headers that let pages of other origins read them, unless
 * the options name others. */

#include <stdint.h>

#include "base/diag.h"
#include "base/status.h"
#include "base/text.h"

typedef struct alea_http_server alea_http_server;

/* A header of every reply; both texts outlive the server. */
typedef struct alea_http_header {
  const char *name, *value;
} alea_http_header;

typedef struct alea_http_options {
  const char *address;  /* numeric; NULL: 127.0.0.1 */
  uint16_t port;        /* 0: any free one */
  bool exact;           /* that port or none; otherwise the next free port upward */
  size_t most_bytes;    /* of a request's body; 0: 16 MiB */
  double patience;      /* seconds; 0: 10 */
  unsigned connections; /* at a time; 0: 64 */
  /* In place of those that let pages of other origins read replies; ends with a
   * NULL name.  NULL: those. */
  const alea_http_header *headers;
  /* May be NULL.  Called when the port is bound and no thread has been started;
   * the server starts if it returns ALEA_OK. */
  alea_status (*bound)(void *context, alea_diag *diag);
  void *bound_context;
} alea_http_options;

typedef struct alea_http_request {
  const char *method;
  const char *path; /* decoded, from the first `/` on, query included */
  const char *body; /* NUL-terminated */
  size_t length;
  int fd;                 /* of the connection; for alea_http_is_left */
  const void *connection; /* for alea_http_request_header */
} alea_http_request;

/* Has the other side closed the connection, while the handler runs?  A side that
 * ends its sending and still waits for the reply looks the same. */
bool alea_http_is_left(const alea_http_request *request);
/* The value of a header of the request, whatever the case of its name; NULL if
 * it has none. */
const char *alea_http_request_header(const alea_http_request *request, const char *name);

/* Writes up to 'size' more bytes of an endless reply and may wait
 * for them; '*state' is that of the reply at first and then the stream's own.  0 bytes: the reply
 * is over. */
typedef size_t alea_http_stream(void *context, uint64_t *state, char *bytes, size_t size);

/* The connection of a stream was closed; 'state' is the stream's last one. */
typedef void alea_http_stream_end(void *context, uint64_t state);

typedef struct alea_http_reply {
  unsigned status;  /* 200 unless the handler changes it */
  const char *type; /* "text/acl" likewise */
  alea_text body;
  alea_http_stream *stream;         /* NULL, or in place of the body; has the handler's context */
  uint64_t stream_state;            /* what the stream begins with */
  alea_http_stream_end *stream_end; /* may be NULL */
} alea_http_reply;

/* Called by any number of threads at a time.  Requests with the method OPTIONS,
 * requests that are too large and malformed HTTP are answered without it. */
typedef void alea_http_handler(void *context, const alea_http_request *request,
                               alea_http_reply *reply);

/* Starts the server.  ALEA_SYSTEM: 'diag' says why not, e.g. the port is
 * taken. */
alea_status alea_http_server_new(alea_http_server **server, const alea_http_options *options,
                                 alea_http_handler *handler, void *context, alea_diag *diag);
uint16_t alea_http_server_port(const alea_http_server *server);
/* Waits for handlers that are running: end them first.  NULL is a no-op. */
void alea_http_server_free(alea_http_server *server);

#endif
