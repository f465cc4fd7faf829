/* The server: libmicrohttpd, and a watchman for the slow. */
#include "net/http_server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"

/* A connection brings one request. */
typedef struct visitor {
  struct visitor *next, *previous;
  struct alea_http_server *server;
  int fd;
  double due;  /* when the watchman ends it; 0: while the handler thinks */
  bool asked;  /* the handler was called: only one request per connection */
  bool seen;   /* its headers are known */
  bool refuse; /* the body is longer than the limit */
  alea_mem mem;
  alea_text path, body;
} visitor;

struct alea_http_server {
  struct MHD_Daemon *daemon;
  alea_http_handler *handler;
  void *context;
  size_t most_bytes;
  double patience;
  uint16_t port;
  pthread_t watchman;
  pthread_mutex_t lock; /* of what follows */
  pthread_cond_t wake;
  visitor *visitors;
  bool stopping;
};

/* ---- the watchman ---- */

/* Cutting the line wakes the thread of the connection, which tidies up.  The
 * descriptor is not closed before its visitor has left the list. */
static void cut_late(alea_http_server *s, double now) {
  for (visitor *v = s->visitors; v != NULL; v = v->next) {
    if (v->due == 0 || v->due > now) continue;
    shutdown(v->fd, SHUT_RDWR);
    v->due = 0;
  }
}

static void *watch(void *argument) {
  alea_http_server *s = argument;
  pthread_mutex_lock(&s->lock);
  while (!s->stopping) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 100000000;
    if (until.tv_nsec >= 1000000000) until.tv_sec++, until.tv_nsec -= 1000000000;
    pthread_cond_timedwait(&s->wake, &s->lock, &until);
    cut_late(s, alea_clock_wall());
  }
  pthread_mutex_unlock(&s->lock);
  return NULL;
}

static void set_due(visitor *v, double due) {
  pthread_mutex_lock(&v->server->lock);
  v->due = due;
  pthread_mutex_unlock(&v->server->lock);
}

/* ---- visitors ---- */

static visitor *arrive(alea_http_server *s, int fd) {
  visitor *v = calloc(1, sizeof *v);
  if (v == NULL) return NULL;
  v->server = s;
  v->fd = fd;
  v->due = alea_clock_wall() + s->patience;
  alea_mem_init(&v->mem, 0);
  alea_text_init(&v->path, &v->mem);
  alea_text_init(&v->body, &v->mem);
  pthread_mutex_lock(&s->lock);
  v->next = s->visitors;
  if (v->next != NULL) v->next->previous = v;
  s->visitors = v;
  pthread_mutex_unlock(&s->lock);
  return v;
}

static void leave(visitor *v) {
  alea_http_server *s = v->server;
  pthread_mutex_lock(&s->lock);
  if (v->previous != NULL) v->previous->next = v->next;
  if (v->next != NULL) v->next->previous = v->previous;
  if (s->visitors == v) s->visitors = v->next;
  pthread_mutex_unlock(&s->lock);
  alea_text_clear(&v->path);
  alea_text_clear(&v->body);
  free(v);
}

static void on_connection(void *context, struct MHD_Connection *connection, void **slot,
                          enum MHD_ConnectionNotificationCode code) {
  if (code == MHD_CONNECTION_NOTIFY_STARTED) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    *slot = info != NULL ? arrive(context, info->connect_fd) : NULL;
  } else if (*slot != NULL) {
    leave(*slot);
    *slot = NULL;
  }
}

static visitor *visitor_of(struct MHD_Connection *connection) {
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

/* As ggp-base's player decodes: `+` is a space. */
static void decode(const char *uri, alea_text *out) {
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

/* The library splits paths at `?`, which is a letter of GDL. */
static void *on_uri(void *context, const char *uri, struct MHD_Connection *connection) {
  (void)context;
  visitor *v = visitor_of(connection);
  if (v != NULL && v->path.length == 0) decode(uri, &v->path);
  return v;
}

static const char *const headers[][2] = {
    {"Access-Control-Allow-Origin", "*"},
    {"Access-Control-Allow-Methods", "POST, GET, OPTIONS"},
    {"Access-Control-Allow-Headers", "Content-Type"},
    {"Access-Control-Max-Age", "86400"},
    {"Access-Control-Allow-Age", "86400"}, /* ggp-base's spelling of the same */
    {"Connection", "close"},
};

static enum MHD_Result send_reply(struct MHD_Connection *connection, visitor *v, unsigned status,
                                  const char *type, const char *body, size_t length) {
  struct MHD_Response *response =
      MHD_create_response_from_buffer(length, (void *)(uintptr_t)body, MHD_RESPMEM_MUST_COPY);
  if (response == NULL) return MHD_NO;
  MHD_set_response_options(response, MHD_RF_HTTP_1_0_COMPATIBLE_STRICT | MHD_RF_HTTP_1_0_SERVER,
                           MHD_RO_END);
  for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
    MHD_add_response_header(response, headers[i][0], headers[i][1]);
  MHD_add_response_header(response, "Content-type", type);
  set_due(v, alea_clock_wall() + v->server->patience);
  enum MHD_Result result = MHD_queue_response(connection, status, response);
  MHD_destroy_response(response);
  return result;
}

static enum MHD_Result send_words(struct MHD_Connection *connection, visitor *v, unsigned status,
                                  const char *words) {
  return send_reply(connection, v, status, "text/plain", words, strlen(words));
}

static enum MHD_Result ask_handler(struct MHD_Connection *connection, visitor *v,
                                   const char *method) {
  alea_http_request request = {.method = method,
                               .path = alea_text_string(&v->path),
                               .body = alea_text_string(&v->body),
                               .length = v->body.length};
  alea_http_reply reply = {.status = MHD_HTTP_OK, .type = "text/acl"};
  alea_text_init(&reply.body, &v->mem);
  v->asked = true;
  set_due(v, 0);
  v->server->handler(v->server->context, &request, &reply);
  enum MHD_Result result =
      reply.body.failed
          ? send_words(connection, v, MHD_HTTP_INTERNAL_SERVER_ERROR, "out of memory\n")
          : send_reply(connection, v, reply.status, reply.type, alea_text_string(&reply.body),
                       reply.body.length);
  alea_text_clear(&reply.body);
  return result;
}

static bool announces_too_much(struct MHD_Connection *connection, size_t most) {
  const char *text =
      MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_CONTENT_LENGTH);
  return text != NULL && strtoull(text, NULL, 10) > most;
}

static const char too_large[] = "the message is longer than this server allows\n";

/* Called first with the headers alone, then with each piece of the body, and
 * at the end with no piece. */
static enum MHD_Result on_request(void *context, struct MHD_Connection *connection, const char *url,
                                  const char *method, const char *version, const char *piece,
                                  size_t *size, void **slot) {
  alea_http_server *s = context;
  visitor *v = visitor_of(connection);
  (void)url, (void)version, (void)slot;
  if (v == NULL || v->asked) return MHD_NO;
  if (!v->seen) {
    v->seen = true;
    if (announces_too_much(connection, s->most_bytes))
      return send_words(connection, v, 413, too_large);
    return MHD_YES;
  }
  if (*size > 0) {
    v->refuse = v->refuse || *size > s->most_bytes - v->body.length;
    if (!v->refuse) alea_text_add(&v->body, piece, *size);
    *size = 0;
    return MHD_YES;
  }
  if (v->refuse) return send_words(connection, v, 413, too_large);
  if (v->body.failed || v->path.failed)
    return send_words(connection, v, MHD_HTTP_INTERNAL_SERVER_ERROR, "out of memory\n");
  if (strcmp(method, "OPTIONS") == 0) return send_reply(connection, v, 200, "text/acl", "", 0);
  if (strcmp(method, "POST") != 0 && strcmp(method, "GET") != 0)
    return send_words(connection, v, MHD_HTTP_METHOD_NOT_ALLOWED, "POST, GET or OPTIONS\n");
  return ask_handler(connection, v, method);
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
  /* So that a port is free again at once when its server has gone. */
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (bind(fd, name, size) == 0 && listen(fd, 128) == 0 && getsockname(fd, name, &size) == 0) {
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

static bool start_daemon(alea_http_server *s, int fd, const alea_http_options *options) {
  unsigned flags = MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_POLL;
  unsigned connections = options->connections != 0 ? options->connections : 64;
  /* No time-out of the library's: it would count the time of the handler. */
  s->daemon = MHD_start_daemon(flags, s->port, NULL, NULL, on_request, s,      /* */
                               MHD_OPTION_LISTEN_SOCKET, fd,                   /* */
                               MHD_OPTION_CONNECTION_LIMIT, connections,       /* */
                               MHD_OPTION_CONNECTION_TIMEOUT, 0u,              /* */
                               MHD_OPTION_NOTIFY_CONNECTION, on_connection, s, /* */
                               MHD_OPTION_URI_LOG_CALLBACK, on_uri, s, MHD_OPTION_END);
  return s->daemon != NULL;
}

static void free_server(alea_http_server *s) {
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
  s->most_bytes = options->most_bytes != 0 ? options->most_bytes : (size_t)16 << 20;
  s->patience = options->patience > 0 ? options->patience : 10;
  int fd = find_port(options, &s->port, diag);
  if (fd < 0) {
    free(s);
    return ALEA_SYSTEM;
  }
  pthread_mutex_init(&s->lock, NULL);
  pthread_cond_init(&s->wake, NULL);
  bool watched = pthread_create(&s->watchman, NULL, watch, s) == 0;
  if (watched && start_daemon(s, fd, options)) {
    *server = s;
    return ALEA_OK;
  }
  alea_diag_error(diag, ((alea_place){0}), "network", "the HTTP server does not start");
  close(fd);
  s->daemon = NULL;
  if (watched) {
    alea_http_server_free(s);
  } else {
    free_server(s);
  }
  return ALEA_SYSTEM;
}

uint16_t alea_http_server_port(const alea_http_server *server) { return server->port; }

void alea_http_server_free(alea_http_server *s) {
  if (s == NULL) return;
  if (s->daemon != NULL) MHD_stop_daemon(s->daemon);
  pthread_mutex_lock(&s->lock);
  s->stopping = true;
  pthread_cond_signal(&s->wake);
  pthread_mutex_unlock(&s->lock);
  pthread_join(s->watchman, NULL);
  free_server(s);
}
