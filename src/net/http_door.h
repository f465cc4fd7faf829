#ifndef ALEA_NET_HTTP_DOOR_H
#define ALEA_NET_HTTP_DOOR_H

/* The door of the HTTP server: a thread that accepts connections and looks at them,
 * without taking a byte, until the head of a request has come.  Only then does the
 * server decide who reads it: libmicrohttpd, or, where a body has no length and ends
 * with the connection, the server itself, because the library takes such a body for
 * empty.  Connections that wait at the door cost a descriptor and no thread.
 *
 * The owner says whether there is room, keeps what it wants to know of a connection,
 * and closes slow ones by shutting their socket down. */

#include <stdbool.h>
#include <stddef.h>

typedef struct http_door http_door;

/* What a head says of its body. */
typedef enum http_head {
  HTTP_HEAD_USUAL,     /* a length, chunks, none; or what is no HTTP at all */
  HTTP_HEAD_NO_LENGTH, /* POST with a body whose end is nowhere announced */
} http_head;

typedef struct http_door_owner {
  void *context;
  /* Is there room for one more?  Otherwise it stays in the kernel's queue. */
  bool (*has_room)(void *context);
  /* One has come; NULL: it is closed. */
  void *(*enter)(void *context, int fd);
  /* Its head is complete, or too long; the descriptor is the owner's from now on. */
  void (*ready)(void *context, void *connection, int fd, http_head head);
  /* It was closed before; the descriptor is closed afterwards. */
  void (*left)(void *context, void *connection);
} http_door_owner;

/* Borrows the listening socket.  NULL: no memory or no thread. */
http_door *http_door_open(int listener, const http_door_owner *owner);
/* Ends the thread; connections that wait are closed.  The socket is shut down. */
void http_door_close(http_door *door);

/* The body of a head with HTTP_HEAD_NO_LENGTH begins behind so many bytes of 'text';
 * 0: the head is not complete. */
size_t http_head_length(const char *text, size_t length);

#endif
