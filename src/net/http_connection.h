#ifndef ALEA_NET_HTTP_CONNECTION_H
#define ALEA_NET_HTTP_CONNECTION_H

/* What the files of the HTTP server share: the connections.  Each is at the door first
 * (net/http_door.h) and then with libmicrohttpd (http_server.c), or with a reader
 * (http_reader.c) if its body has no length. */

#include <microhttpd.h>
#include <pthread.h>

#include "net/http_door.h"
#include "net/http_server.h"

#define HTTP_STACK_BYTES ((size_t)1 << 20) /* of a connection's thread */
#define http_too_large "the message is longer than this server allows\n"

/* A connection; it carries one request. */
typedef struct http_connection {
  struct http_connection *next, *previous;
  struct alea_http_server *server;
  int fd;
  double deadline;  /* when the reaper closes it; 0 while the handler runs */
  size_t received;  /* bytes of the body; under the lock, as the deadline */
  bool inside;      /* the library has it, or a reader: it is no longer at the door */
  bool handled;     /* the handler was called: only one request per connection */
  bool has_headers; /* its headers have been read */
  alea_mem mem;
  alea_text path, body;
  alea_http_stream *stream; /* of an endless reply; NULL: none */
  uint64_t stream_state;
  alea_http_stream_end *stream_end;
} http_connection;

struct alea_http_server {
  struct MHD_Daemon *daemon;
  http_door *door;
  int listener;
  alea_http_handler *handler;
  void *context;
  const alea_http_header *headers;
  size_t most_bytes;
  double patience;
  unsigned most; /* connections at a time */
  uint16_t port;
  pthread_t reaper;
  pthread_mutex_t lock; /* guards what follows */
  pthread_cond_t wake;
  http_connection *connections;
  unsigned count;   /* of them */
  unsigned readers; /* threads that read a body without a length */
  bool stopping;
};

/* When the reaper closes it; 0: not. */
void http_set_deadline(http_connection *c, double deadline);
/* So many bytes more have come. */
void http_note_received(http_connection *c, size_t bytes);
/* Forgets it; its descriptor is closed by whoever has it. */
void http_close_connection(http_connection *c);
/* Calls the handler; what it says is in 'reply', whose body has to be cleared.
 * 'connection' is NULL where a reader has it. */
void http_call_handler(struct MHD_Connection *connection, http_connection *c, const char *method,
                       alea_http_reply *reply);
/* Decodes as the player of ggp-base does: `+` is a space. */
void http_decode_uri(const char *uri, alea_text *out);
/* Before closing: what still comes is read for a moment, because closing a socket with
 * unread bytes discards the answer. */
void http_hang_up(http_connection *c);

/* Starts a thread that reads a request whose body has no length, and answers it. */
bool http_start_reader(http_connection *c);

#endif
