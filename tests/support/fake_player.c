/* Players that misbehave. */
#include "support/fake_player.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "cmocka_all.h"
#include "support/raw_http.h"

enum { MOST_REQUESTS = 4096, REQUEST_SIZE = 1 << 16 };

struct fake_player {
  pthread_t thread;
  int listener;
  uint16_t port;
  atomic_bool quit;
  atomic_size_t plays;
  const fake_way *ways;
  size_t count;
  const char *move;
  int held; /* a connection that is left waiting, or -1 */
  char *requests[MOST_REQUESTS];
  atomic_size_t request_count;
};

const char *fake_error(fake_way way) {
#define TEXT(name, error, waits) error,
  static const char *const errors[] = {FAKE_WAYS(TEXT)};
#undef TEXT
  return errors[way];
}

int fake_waits(fake_way way) {
#define WAITS(name, error, waits) waits,
  static const int slow[] = {FAKE_WAYS(WAITS)};
#undef WAITS
  return slow[way];
}

/* Reads headers and as much of the body as they announce. */
static char *read_request(int fd) {
  char *text = calloc(1, REQUEST_SIZE);
  size_t length = 0, wanted = REQUEST_SIZE - 1;
  while (text != NULL && length < wanted) {
    ssize_t got = recv(fd, text + length, REQUEST_SIZE - 1 - length, 0);
    if (got <= 0) break;
    length += (size_t)got;
    const char *gap = strstr(text, "\r\n\r\n"), *line = strstr(text, "Content-Length: ");
    if (gap == NULL || line == NULL) continue;
    wanted = (size_t)(gap + 4 - text) + strtoul(line + 16, NULL, 10);
    if (wanted > REQUEST_SIZE - 1) wanted = REQUEST_SIZE - 1;
  }
  return text;
}

static void reply(int fd, const char *status, const char *body, size_t length, size_t announced) {
  char head[200];
  int size = snprintf(head, sizeof head,
                      "HTTP/1.0 %s\r\nContent-type: text/acl\r\nContent-length: %zu\r\n\r\n",
                      status, announced);
  if (raw_send(fd, head, (size_t)size)) raw_send(fd, body, length);
}

static void say(int fd, const char *word) { reply(fd, "200 OK", word, strlen(word), strlen(word)); }

static void send_megabytes(int fd) {
  char block[4096];
  memset(block, 'x', sizeof block);
  reply(fd, "200 OK", block, sizeof block, (size_t)1 << 30);
  for (int i = 0; i < 2000; i++)
    if (!raw_send(fd, block, sizeof block)) return;
}

/* Sends single bytes until the other side closes the connection. */
static void drip(fake_player *p, int fd) {
  static const char text[] = "HTTP/1.0 200 OK\r\nX: ";
  for (size_t i = 0; !atomic_load(&p->quit); i++) {
    const char *byte = i < sizeof text - 1 ? text + i : "x";
    if (!raw_send(fd, byte, 1)) return;
    raw_sleep(0.01);
  }
}

/* Keeps the other side waiting; false if the connection is to be closed. */
static int hold(fake_player *p, int fd) {
  if (p->held >= 0) close(p->held);
  p->held = fd;
  return 1;
}

/* 1: the connection stays open. */
static int misbehave(fake_player *p, int fd, fake_way way) {
  switch (way) {
    case FAKE_ILLEGAL: say(fd, "(fly 9 9)"); break;
    case FAKE_MALFORMED: say(fd, "((fly"); break;
    case FAKE_EMPTY: say(fd, ""); break;
    case FAKE_NUL: reply(fd, "200 OK", "(a\0b)", 5, 5); break;
    case FAKE_MEGABYTES: send_megabytes(fd); break;
    case FAKE_CUT: reply(fd, "200 OK", "noop", 4, 400); break;
    case FAKE_NOT_HTTP: raw_send(fd, "\x16\x03\x01 hello\n", 10); break;
    case FAKE_ERROR_500: reply(fd, "500 Internal Server Error", "sorry", 5, 5); break;
    case FAKE_DRIPPING: drip(p, fd); break;
    case FAKE_SILENT:
    case FAKE_LATE: return hold(p, fd);
    case FAKE_RESET: raw_tear(fd); break;
    case FAKE_CLOSING:
    case FAKE_WAY_COUNT: break;
  }
  return 0;
}

static void serve(fake_player *p, int fd) {
  size_t play = atomic_load(&p->plays);
  fake_way way = p->count > 0 ? p->ways[play % p->count] : FAKE_WAY_COUNT;
  /* After the first request only the last one can be anything but a PLAY. */
  char *request = read_request(fd);
  int kept = 0;
  if (request == NULL) return;
  const char *body = raw_body(request);
  /* Stored before it is answered: whoever has the answer may read it at
   * once. */
  size_t index = atomic_load(&p->request_count);
  bool noted = index < MOST_REQUESTS;
  if (noted) {
    p->requests[index] = request;
    atomic_store(&p->request_count, index + 1);
  }
  if (strncasecmp(body, "( PLAY", 6) == 0) {
    if (p->held >= 0) say(p->held, "noop"); /* the late answer */
    atomic_store(&p->plays, play + 1);
    if (p->count > 0) {
      kept = misbehave(p, fd, way);
    } else {
      say(fd, p->move);
    }
  } else {
    say(fd, strncasecmp(body, "( START", 7) == 0 ? "ready" : "done");
  }
  if (!noted) free(request);
  if (!kept) close(fd);
}

static void *run(void *argument) {
  fake_player *p = argument;
  while (!atomic_load(&p->quit)) {
    struct pollfd poller = {p->listener, POLLIN, 0};
    if (poll(&poller, 1, 20) <= 0) continue;
    int fd = accept(p->listener, NULL, NULL);
    if (fd >= 0) serve(p, fd);
  }
  return NULL;
}

fake_player *fake_player_new(const fake_way *ways, size_t count, const char *move) {
  fake_player *p = calloc(1, sizeof *p);
  struct sockaddr_in name = {.sin_family = AF_INET};
  socklen_t size = sizeof name;
  assert_non_null(p);
  name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  p->ways = ways;
  p->count = count;
  p->move = move;
  p->held = -1;
  p->listener = socket(AF_INET, SOCK_STREAM, 0);
  assert_int_equal(bind(p->listener, (struct sockaddr *)&name, sizeof name), 0);
  assert_int_equal(listen(p->listener, 64), 0);
  assert_int_equal(getsockname(p->listener, (struct sockaddr *)&name, &size), 0);
  p->port = ntohs(name.sin_port);
  assert_int_equal(pthread_create(&p->thread, NULL, run, p), 0);
  return p;
}

void fake_player_free(fake_player *p) {
  atomic_store(&p->quit, true);
  pthread_join(p->thread, NULL);
  if (p->held >= 0) close(p->held);
  close(p->listener);
  for (size_t i = 0; i < p->request_count; i++) free(p->requests[i]);
  free(p);
}

uint16_t fake_player_port(const fake_player *p) { return p->port; }

size_t fake_player_plays(const fake_player *p) { return atomic_load(&p->plays); }

const char *fake_player_request(const fake_player *p, size_t index) {
  return index < atomic_load(&p->request_count) ? p->requests[index] : NULL;
}
