/* The HTTP server: a door, libmicrohttpd behind it, and a reaper thread that closes
 * slow connections. */
#define _GNU_SOURCE /* POLLRDHUP */
#include "net/http_server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "net/http_connection.h"

/* Beyond its own limit the library closes connections unheard, and it counts those
 * whose thread has not been joined: it is kept far from it. */
enum { MORE = 8 };
enum { BODIES = 4 }; /* of the greatest length, that may be on their way at a time */

/* ---- the reaper ---- */

/* Shutting the socket down wakes the thread of the connection, which frees it.
 * The descriptor is not closed before the connection has left the list. */
static void shut(http_connection *c) {
  shutdown(c->fd, SHUT_RDWR);
  c->deadline = 0;
}

static void shut_late(alea_http_server *s, double now) {
  for (http_connection *c = s->connections; c != NULL; c = c->next)
    if (c->deadline > 0 && c->deadline <= now) shut(c);
}

/* ---- floods; the lock is held ---- */

static bool is_waiting(const http_connection *c) { return c->deadline > 0; }

/* Whoever sends a whole request at once needs no longer than this, on a machine
 * that is busy with other things. */
static const double LEAST_SECONDS = 0.25;

/* Makes room for one more connection: where half of them wait for the other side,
 * the oldest of those goes.  False: it has not had its time yet. */
static bool make_room(alea_http_server *s) {
  unsigned waiting = 0;
  http_connection *oldest = NULL;
  for (http_connection *c = s->connections; c != NULL; c = c->next) {
    if (!is_waiting(c)) continue;
    waiting++;
    if (oldest == NULL || c->deadline < oldest->deadline) oldest = c;
  }
  if (oldest == NULL || waiting < s->most / 2) return s->count < s->most;
  if (oldest->deadline - s->patience + LEAST_SECONDS > alea_clock_wall()) return false;
  shut(oldest);
  return true;
}

/* Bodies that have come so far take no more than a few of the longest would. */
static void limit_bytes(alea_http_server *s, const http_connection *self) {
  size_t bytes = 0;
  http_connection *longest = NULL;
  for (http_connection *c = s->connections; c != NULL; c = c->next) {
    if (!is_waiting(c)) continue;
    bytes += c->received;
    if (c != self && (longest == NULL || c->received > longest->received)) longest = c;
  }
  if (longest != NULL && bytes > BODIES * s->most_bytes) shut(longest);
}

static void *reap(void *argument) {
  alea_http_server *s = argument;
  pthread_mutex_lock(&s->lock);
  while (!s->stopping) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += 100000000;
    if (until.tv_nsec >= 1000000000) until.tv_sec++, until.tv_nsec -= 1000000000;
    pthread_cond_timedwait(&s->wake, &s->lock, &until);
    shut_late(s, alea_clock_wall());
  }
  pthread_mutex_unlock(&s->lock);
  return NULL;
}

void http_set_deadline(http_connection *c, double deadline) {
  pthread_mutex_lock(&c->server->lock);
  c->deadline = deadline;
  pthread_mutex_unlock(&c->server->lock);
}

/* ---- connections ---- */

/* The connection of a descriptor; the lock is held. */
static http_connection *find_connection(alea_http_server *s, int fd) {
  http_connection *c = s->connections;
  while (c != NULL && c->fd != fd) c = c->next;
  return c;
}

static void free_connection(http_connection *c) {
  alea_text_clear(&c->path);
  alea_text_clear(&c->body);
  free(c);
}

/* The lock is held. */
static void take_out(alea_http_server *s, http_connection *c) {
  if (c->previous != NULL) c->previous->next = c->next;
  if (c->next != NULL) c->next->previous = c->previous;
  if (s->connections == c) s->connections = c->next;
  s->count--;
}

static bool has_room(void *context) {
  alea_http_server *s = context;
  pthread_mutex_lock(&s->lock);
  bool room = make_room(s);
  pthread_mutex_unlock(&s->lock);
  return room;
}

static void *open_connection(void *context, int fd) {
  alea_http_server *s = context;
  http_connection *c = calloc(1, sizeof *c);
  if (c == NULL) return NULL;
  c->server = s;
  c->fd = fd;
  alea_mem_init(&c->mem, 0);
  alea_text_init(&c->path, &c->mem);
  alea_text_init(&c->body, &c->mem);
  pthread_mutex_lock(&s->lock);
  /* One with this descriptor that is still known was given to the library, which lacked the
   * memory to begin with it and has closed it without a word. */
  http_connection *stale = find_connection(s, fd);
  if (stale != NULL) take_out(s, stale);
  s->count++;
  c->deadline = alea_clock_wall() + s->patience;
  c->next = s->connections;
  if (c->next != NULL) c->next->previous = c;
  s->connections = c;
  pthread_mutex_unlock(&s->lock);
  if (stale != NULL) free_connection(stale);
  return c;
}

void http_close_connection(http_connection *c) {
  alea_http_server *s = c->server;
  pthread_mutex_lock(&s->lock);
  take_out(s, c);
  pthread_mutex_unlock(&s->lock);
  if (c->stream_end != NULL) c->stream_end(s->context, c->stream_state);
  free_connection(c);
}

static void on_connection(void *context, struct MHD_Connection *connection, void **slot,
                          enum MHD_ConnectionNotificationCode code) {
  alea_http_server *s = context;
  if (code == MHD_CONNECTION_NOTIFY_STARTED) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    pthread_mutex_lock(&s->lock);
    http_connection *c = info != NULL ? find_connection(s, info->connect_fd) : NULL;
    if (c != NULL) c->inside = true;
    *slot = c;
    pthread_mutex_unlock(&s->lock);
  } else if (*slot != NULL) {
    http_close_connection(*slot);
    *slot = NULL;
  }
}

void http_note_received(http_connection *c, size_t bytes) {
  pthread_mutex_lock(&c->server->lock);
  c->received += bytes;
  limit_bytes(c->server, c);
  pthread_mutex_unlock(&c->server->lock);
}

static http_connection *connection_of(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info != NULL ? info->socket_context : NULL;
}

/* ---- requests ---- */

static int hex(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

void http_decode_uri(const char *uri, alea_text *out) {
  for (; *uri != '\0'; uri++) {
    int high = *uri == '%' ? hex(uri[1]) : -1, low = high >= 0 ? hex(uri[2]) : -1;
    if (low >= 0 && high * 16 + low != 0) {
      alea_text_char(out, (char)(high * 16 + low));
      uri += 2;
    } else {
      alea_text_char(out, *uri == '+' ? ' ' : *uri);
    }
  }
}

/* The library splits paths at `?`, which begins variables in GDL. */
static void *on_uri(void *context, const char *uri, struct MHD_Connection *connection) {
  (void)context;
  http_connection *c = connection_of(connection);
  if (c != NULL && c->path.length == 0) http_decode_uri(uri, &c->path);
  return c;
}

static const alea_http_header open_headers[] = {
    {"Access-Control-Allow-Origin", "*"},
    {"Access-Control-Allow-Methods", "POST, GET, OPTIONS"},
    {"Access-Control-Allow-Headers", "Content-Type"},
    {"Access-Control-Max-Age", "86400"},
    {"Access-Control-Allow-Age", "86400"}, /* ggp-base spells it like this */
    {NULL, NULL},
};

/* What every reply has; NULL stays NULL. */
static struct MHD_Response *with_headers(const alea_http_server *s, struct MHD_Response *response,
                                         const char *type) {
  if (response == NULL) return NULL;
  MHD_set_response_options(response, MHD_RF_HTTP_1_0_COMPATIBLE_STRICT | MHD_RF_HTTP_1_0_SERVER,
                           MHD_RO_END);
  for (const alea_http_header *header = s->headers; header->name != NULL; header++)
    MHD_add_response_header(response, header->name, header->value);
  MHD_add_response_header(response, "Connection", "close");
  MHD_add_response_header(response, "Content-type", type);
  return response;
}

static enum MHD_Result send_reply(struct MHD_Connection *connection, http_connection *c,
                                  unsigned status, const char *type, const char *body,
                                  size_t length) {
  struct MHD_Response *response = with_headers(
      c->server,
      MHD_create_response_from_buffer(length, (void *)(uintptr_t)body, MHD_RESPMEM_MUST_COPY),
      type);
  if (response == NULL) return MHD_NO;
  http_set_deadline(c, alea_clock_wall() + c->server->patience);
  enum MHD_Result result = MHD_queue_response(connection, status, response);
  MHD_destroy_response(response);
  return result;
}

static enum MHD_Result send_words(struct MHD_Connection *connection, http_connection *c,
                                  unsigned status, const char *words) {
  return send_reply(connection, c, status, "text/plain", words, strlen(words));
}

/* Asks the stream of a connection for more; whoever does not take it is cut. */
static ssize_t more_bytes(void *argument, uint64_t position, char *bytes, size_t size) {
  http_connection *c = argument;
  (void)position;
  http_set_deadline(c, 0);
  size_t count = c->stream(c->server->context, &c->stream_state, bytes, size);
  http_set_deadline(c, alea_clock_wall() + c->server->patience);
  return count > 0 ? (ssize_t)count : MHD_CONTENT_READER_END_OF_STREAM;
}

static enum MHD_Result send_stream(struct MHD_Connection *connection, http_connection *c,
                                   const char *type) {
  struct MHD_Response *response = with_headers(
      c->server, MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 4096, more_bytes, c, NULL),
      type);
  if (response == NULL) return MHD_NO;
  MHD_add_response_header(response, "Cache-Control", "no-cache");
  enum MHD_Result result = MHD_queue_response(connection, MHD_HTTP_OK, response);
  MHD_destroy_response(response);
  return result;
}

bool alea_http_is_left(const alea_http_request *request) {
  struct pollfd one = {.fd = request->fd, .events = POLLRDHUP};
  return poll(&one, 1, 0) > 0;
}

const char *alea_http_request_header(const alea_http_request *request, const char *name) {
  /* The library only reads the connection here, but does not say so. */
  struct MHD_Connection *connection = (void *)(uintptr_t)request->connection;
  if (connection == NULL) return NULL;
  return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

void http_call_handler(struct MHD_Connection *connection, http_connection *c, const char *method,
                       alea_http_reply *reply) {
  alea_http_request request = {.method = method,
                               .path = alea_text_string(&c->path),
                               .body = alea_text_string(&c->body),
                               .length = c->body.length,
                               .fd = c->fd,
                               .connection = connection};
  *reply = (alea_http_reply){.status = MHD_HTTP_OK, .type = "text/acl"};
  alea_text_init(&reply->body, &c->mem);
  c->handled = true;
  http_set_deadline(c, 0);
  c->server->handler(c->server->context, &request, reply);
  c->stream = reply->stream;
  c->stream_state = reply->stream_state;
  c->stream_end = reply->stream_end;
}

static enum MHD_Result ask_handler(struct MHD_Connection *connection, http_connection *c,
                                   const char *method) {
  alea_http_reply reply;
  http_call_handler(connection, c, method, &reply);
  if (c->stream != NULL && !reply.body.failed) {
    alea_text_clear(&reply.body);
    return send_stream(connection, c, reply.type);
  }
  enum MHD_Result result =
      reply.body.failed
          ? send_words(connection, c, MHD_HTTP_INTERNAL_SERVER_ERROR, "out of memory\n")
          : send_reply(connection, c, reply.status, reply.type, alea_text_string(&reply.body),
                       reply.body.length);
  alea_text_clear(&reply.body);
  return result;
}

static bool announces_too_much(struct MHD_Connection *connection, size_t most) {
  const char *text =
      MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_CONTENT_LENGTH);
  return text != NULL && strtoull(text, NULL, 10) > most;
}

/* With HTTP/1.1 a body has a length; without one there is none, and no message.  (Where
 * bytes came all the same, the door has given the request to a reader.) */
static bool lacks_length(struct MHD_Connection *connection, const char *method) {
  return strcmp(method, "POST") == 0 &&
         MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_CONTENT_LENGTH) ==
             NULL &&
         MHD_lookup_connection_value(connection, MHD_HEADER_KIND,
                                     MHD_HTTP_HEADER_TRANSFER_ENCODING) == NULL;
}

static const char no_length[] = "a POST needs the header Content-Length\n";

static const double LINGER = 1; /* seconds */

void http_hang_up(http_connection *c) {
  char rest[4096];
  shutdown(c->fd, SHUT_WR);
  http_set_deadline(c, alea_clock_wall() + LINGER);
  for (;;) {
    struct pollfd one = {.fd = c->fd, .events = POLLIN};
    (void)poll(&one, 1, -1); /* the reaper shuts it down in time */
    ssize_t got = recv(c->fd, rest, sizeof rest, MSG_DONTWAIT);
    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)) return;
  }
}

/* The library answers only when it has read the whole body, or closes at once, which
 * discards the answer. */
static enum MHD_Result refuse_at_once(http_connection *c) {
  char words[256];
  int length = snprintf(words, sizeof words,
                        "HTTP/1.0 413 Content Too Large\r\nContent-type: text/plain\r\n"
                        "Content-length: %zu\r\nConnection: close\r\n\r\n%s",
                        strlen(http_too_large), http_too_large);
  (void)send(c->fd, words, (size_t)length, MSG_NOSIGNAL | MSG_DONTWAIT);
  http_hang_up(c);
  return MHD_NO;
}

/* Called first with the headers alone, then with each piece of the body, and at
 * the end with no piece. */
static enum MHD_Result on_request(void *context, struct MHD_Connection *connection, const char *url,
                                  const char *method, const char *version, const char *piece,
                                  size_t *size, void **slot) {
  alea_http_server *s = context;
  http_connection *c = connection_of(connection);
  (void)url, (void)version, (void)slot;
  if (c == NULL || c->handled) return MHD_NO;
  if (!c->has_headers) {
    c->has_headers = true;
    if (announces_too_much(connection, s->most_bytes)) return refuse_at_once(c);
    if (lacks_length(connection, method)) return send_words(connection, c, 411, no_length);
    return MHD_YES;
  }
  if (*size > 0) {
    if (*size > s->most_bytes - c->body.length) return refuse_at_once(c);
    alea_text_add(&c->body, piece, *size);
    http_note_received(c, *size);
    *size = 0;
    return MHD_YES;
  }
  if (c->body.failed || c->path.failed)
    return send_words(connection, c, MHD_HTTP_INTERNAL_SERVER_ERROR, "out of memory\n");
  if (strcmp(method, "OPTIONS") == 0) return send_reply(connection, c, 200, "text/acl", "", 0);
  if (strcmp(method, "POST") != 0 && strcmp(method, "GET") != 0)
    return send_words(connection, c, MHD_HTTP_METHOD_NOT_ALLOWED, "POST, GET or OPTIONS\n");
  return ask_handler(connection, c, method);
}

/* ---- behind the door ---- */

static void on_ready(void *context, void *connection, int fd, http_head head) {
  alea_http_server *s = context;
  http_connection *c = connection;
  struct sockaddr_storage from = {0};
  socklen_t size = sizeof from;
  bool reader = head == HTTP_HEAD_NO_LENGTH && http_start_reader(c);
  if (reader) return;
  if (head == HTTP_HEAD_NO_LENGTH || getpeername(fd, (struct sockaddr *)&from, &size) != 0) {
    http_close_connection(c);
    close(fd);
    return;
  }
  if (MHD_add_connection(s->daemon, fd, (struct sockaddr *)&from, size) == MHD_YES) return;
  pthread_mutex_lock(&s->lock); /* the library has closed it, perhaps before it began */
  bool mine = find_connection(s, fd) == c && !c->inside;
  pthread_mutex_unlock(&s->lock);
  if (mine) http_close_connection(c);
}

static void on_left(void *context, void *connection) {
  (void)context;
  http_close_connection(connection);
}

/* ---- set up ---- */

/* A listening socket, or -1 with errno. */
static int listen_at(const char *address, uint16_t port, uint16_t *bound) {
  struct sockaddr_in in = {.sin_family = AF_INET, .sin_port = htons(port)};
  struct sockaddr_in6 in6 = {.sin6_family = AF_INET6, .sin6_port = htons(port)};
  bool six = strchr(address, ':') != NULL;
  void *to = six ? (void *)&in6.sin6_addr : (void *)&in.sin_addr;
  errno = EADDRNOTAVAIL;
  if (inet_pton(six ? AF_INET6 : AF_INET, address, to) != 1) return -1;
  struct sockaddr *name = six ? (struct sockaddr *)&in6 : (struct sockaddr *)&in;
  socklen_t size = six ? sizeof in6 : sizeof in;
  int fd = socket(six ? AF_INET6 : AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1;
  if (fd < 0) return -1;
  /* The port is free again as soon as its server has ended. */
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (bind(fd, name, size) == 0 && listen(fd, 1024) == 0 && getsockname(fd, name, &size) == 0) {
    *bound = ntohs(six ? in6.sin6_port : in.sin_port);
    return fd;
  }
  int error = errno;
  close(fd);
  errno = error;
  return -1;
}

enum { PORTS_TO_TRY = 100 };

static int find_port(const alea_http_options *options, uint16_t *port, alea_diag *diag) {
  const char *address = options->address != NULL ? options->address : "127.0.0.1";
  int tries = options->exact || options->port == 0 ? 1 : PORTS_TO_TRY, fd = -1;
  for (int i = 0; i < tries && fd < 0 && options->port + i <= UINT16_MAX; i++) {
    fd = listen_at(address, (uint16_t)(options->port + i), port);
    if (fd < 0 && errno != EADDRINUSE) break;
  }
  if (fd < 0)
    alea_diag_error(diag, ((alea_place){0}), "network", "cannot listen at %s port %u: %s", address,
                    options->port, strerror(errno));
  return fd;
}

static bool start_daemon(alea_http_server *s, const alea_http_options *options) {
  unsigned flags = MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_POLL |
                   MHD_USE_NO_LISTEN_SOCKET | MHD_USE_ITC;
  s->most = options->connections != 0 ? options->connections : 64;
  /* No timeout of the library: it would include the time of the handler. */
  s->daemon = MHD_start_daemon(flags, 0, NULL, NULL, on_request, s,            /* */
                               MHD_OPTION_CONNECTION_LIMIT, MORE * s->most,    /* */
                               MHD_OPTION_CONNECTION_TIMEOUT, 0u,              /* */
                               MHD_OPTION_THREAD_STACK_SIZE, HTTP_STACK_BYTES, /* */
                               MHD_OPTION_NOTIFY_CONNECTION, on_connection, s, /* */
                               MHD_OPTION_URI_LOG_CALLBACK, on_uri, s, MHD_OPTION_END);
  if (s->daemon == NULL) return false;
  http_door_owner owner = {s, has_room, open_connection, on_ready, on_left};
  s->door = http_door_open(s->listener, &owner);
  return s->door != NULL;
}

static void free_server(alea_http_server *s) {
  close(s->listener);
  pthread_cond_destroy(&s->wake);
  pthread_mutex_destroy(&s->lock);
  free(s);
}

alea_status alea_http_server_new(alea_http_server **server, const alea_http_options *options,
                                 alea_http_handler *handler, void *context, alea_diag *diag) {
  *server = NULL;
  alea_http_server *s = calloc(1, sizeof *s);
  if (s == NULL) return ALEA_SYSTEM;
  s->handler = handler;
  s->context = context;
  s->headers = options->headers != NULL ? options->headers : open_headers;
  s->most_bytes = options->most_bytes != 0 ? options->most_bytes : (size_t)16 << 20;
  s->patience = options->patience > 0 ? options->patience : 10;
  int fd = find_port(options, &s->port, diag);
  alea_status status = fd < 0 ? ALEA_SYSTEM : ALEA_OK;
  if (fd >= 0 && options->bound != NULL) status = options->bound(options->bound_context, diag);
  if (status != ALEA_OK) {
    if (fd >= 0) close(fd);
    free(s);
    return status;
  }
  s->listener = fd;
  pthread_mutex_init(&s->lock, NULL);
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(&s->wake, &attributes);
  pthread_condattr_destroy(&attributes);
  bool reaping = pthread_create(&s->reaper, NULL, reap, s) == 0;
  if (reaping && start_daemon(s, options)) {
    *server = s;
    return ALEA_OK;
  }
  alea_diag_error(diag, ((alea_place){0}), "network", "the HTTP server does not start");
  if (reaping) {
    alea_http_server_free(s);
  } else {
    free_server(s);
  }
  return ALEA_SYSTEM;
}

uint16_t alea_http_server_port(const alea_http_server *server) { return server->port; }

/* Those of readers end when their sockets are shut down, as late ones. */
static void end_readers(alea_http_server *s) {
  pthread_mutex_lock(&s->lock);
  for (http_connection *c = s->connections; c != NULL; c = c->next)
    if (is_waiting(c)) shut(c);
  while (s->readers > 0) pthread_cond_wait(&s->wake, &s->lock);
  s->stopping = true;
  pthread_cond_broadcast(&s->wake);
  pthread_mutex_unlock(&s->lock);
}

void alea_http_server_free(alea_http_server *s) {
  if (s == NULL) return;
  http_door_close(s->door);
  if (s->daemon != NULL) MHD_stop_daemon(s->daemon);
  end_readers(s);
  pthread_join(s->reaper, NULL);
  while (s->connections != NULL) http_close_connection(s->connections); /* that never began */
  free_server(s);
}
