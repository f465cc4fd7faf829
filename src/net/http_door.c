/* The thread at the door. */
#define _GNU_SOURCE /* accept4, memmem, POLLRDHUP */
#include "net/http_door.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

/* Longer heads are the library's: it refuses them. */
enum { LONGEST_HEAD = 16384, MOST_WAITING = 1024, MOST_AT_ONCE = 16 };
enum { LOOK_MS = 20 }; /* between two looks where there is no room */

typedef struct door_guest {
  int fd;
  int seen; /* bytes that have come */
  void *connection;
} door_guest;

struct http_door {
  http_door_owner owner;
  int listener;
  atomic_bool closing;
  pthread_t thread;
  door_guest guests[MOST_WAITING];
  size_t count;
  struct pollfd polls[MOST_WAITING + 1];
  char head[LONGEST_HEAD];
};

/* ---- heads ---- */

size_t http_head_length(const char *text, size_t length) {
  for (size_t i = 0; i + 1 < length; i++) {
    if (text[i] != '\n') continue;
    if (text[i + 1] == '\n') return i + 2;
    if (i + 2 < length && text[i + 1] == '\r' && text[i + 2] == '\n') return i + 3;
  }
  return 0;
}

/* Is there a line `name:`, in any case? */
static bool has_header(const char *head, size_t length, const char *name) {
  size_t width = strlen(name);
  for (const char *at = head; (at = memchr(at, '\n', length - (size_t)(at - head))) != NULL;) {
    at++;
    size_t left = length - (size_t)(at - head);
    if (left > width && strncasecmp(at, name, width) == 0 && at[width] == ':') return true;
    if (left == 0) break;
  }
  return false;
}

/* A request of HTTP/1.0 without a length has a body that ends with the connection; one of
 * HTTP/1.1 has none by its rules, unless bytes come all the same. */
static http_head head_kind(const char *text, size_t length, size_t head) {
  static const char post[] = "POST ", old[] = " HTTP/1.0";
  if (length < sizeof post || memcmp(text, post, sizeof post - 1) != 0) return HTTP_HEAD_USUAL;
  if (has_header(text, head, "content-length") || has_header(text, head, "transfer-encoding"))
    return HTTP_HEAD_USUAL;
  const char *line = memchr(text, '\n', head);
  bool is_old = memmem(text, (size_t)(line - text), old, sizeof old - 1) != NULL;
  return is_old || length > head ? HTTP_HEAD_NO_LENGTH : HTTP_HEAD_USUAL;
}

/* ---- guests ---- */

static void forget(http_door *door, size_t i) { door->guests[i] = door->guests[--door->count]; }

static void wake_at(int fd, int bytes) {
  setsockopt(fd, SOL_SOCKET, SO_RCVLOWAT, &bytes, sizeof bytes);
}

/* It was closed, or cut, before its head was complete. */
static void send_off(http_door *door, size_t i) {
  door->owner.left(door->owner.context, door->guests[i].connection);
  close(door->guests[i].fd);
  forget(door, i);
}

/* Looks at what has come.  'over': the other side has ended its sending. */
static void look_at(http_door *door, size_t i, bool over) {
  door_guest *guest = &door->guests[i];
  ssize_t got = recv(guest->fd, door->head, sizeof door->head, MSG_PEEK | MSG_DONTWAIT);
  bool nothing = got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR);
  size_t length = got > 0 ? (size_t)got : 0, head = http_head_length(door->head, length);
  bool complete = head > 0 || length == LONGEST_HEAD;
  if (!complete && (over || (got <= 0 && !nothing))) {
    send_off(door, i);
  } else if (complete) {
    wake_at(guest->fd, 1);
    http_head kind = head > 0 ? head_kind(door->head, length, head) : HTTP_HEAD_USUAL;
    door->owner.ready(door->owner.context, guest->connection, guest->fd, kind);
    forget(door, i);
  } else if (got > guest->seen) {
    guest->seen = (int)got;
    wake_at(guest->fd, guest->seen + 1); /* not again for the same bytes */
  }
}

static bool somebody_knocks(const http_door *door) {
  struct pollfd one = {.fd = door->listener, .events = POLLIN};
  return poll(&one, 1, 0) > 0 && (one.revents & POLLIN) != 0;
}

/* Lets in whoever knocks; false: somebody has to wait outside. */
static bool let_in(http_door *door) {
  for (int i = 0; i < MOST_AT_ONCE && somebody_knocks(door); i++) {
    if (door->count == MOST_WAITING || !door->owner.has_room(door->owner.context)) return false;
    int fd = accept4(door->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd < 0) return errno == ECONNABORTED; /* no descriptors, or no memory for one */
    void *connection = door->owner.enter(door->owner.context, fd);
    if (connection == NULL) {
      close(fd);
      continue;
    }
    door->guests[door->count++] = (door_guest){.fd = fd, .connection = connection};
    look_at(door, door->count - 1, false); /* mostly all of it is there */
  }
  return true;
}

/* ---- the thread ---- */

static void *keep_door(void *argument) {
  http_door *door = argument;
  bool listening = true;
  while (!atomic_load(&door->closing)) {
    size_t count = door->count;
    for (size_t i = 0; i < count; i++)
      door->polls[i] = (struct pollfd){.fd = door->guests[i].fd, .events = POLLIN | POLLRDHUP};
    door->polls[count] = (struct pollfd){.fd = listening ? door->listener : -1, .events = POLLIN};
    (void)poll(door->polls, (nfds_t)count + 1, LOOK_MS);
    for (size_t i = count; i-- > 0;) /* from the end: who leaves is replaced by a later one */
      if (door->polls[i].revents != 0)
        look_at(door, i, (door->polls[i].revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0);
    listening = let_in(door);
  }
  while (door->count > 0) send_off(door, 0);
  return NULL;
}

http_door *http_door_open(int listener, const http_door_owner *owner) {
  http_door *door = calloc(1, sizeof *door);
  if (door == NULL) return NULL;
  door->owner = *owner;
  door->listener = listener;
  if (pthread_create(&door->thread, NULL, keep_door, door) == 0) return door;
  free(door);
  return NULL;
}

void http_door_close(http_door *door) {
  if (door == NULL) return;
  atomic_store(&door->closing, true);
  shutdown(door->listener, SHUT_RDWR); /* wakes the thread */
  pthread_join(door->thread, NULL);
  free(door);
}
