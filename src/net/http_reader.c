/* Requests whose body has no length.
 *
 * HTTP/1.0 allows them: the body ends with the connection.  libmicrohttpd takes it for
 * empty, so a thread of our own reads it, under the limits of all others: the reaper's
 * clock, the greatest length, the memory of all bodies.  A manager that waits for the
 * answer keeps the connection open; so a message is also over where its parentheses
 * close. */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "net/http_connection.h"

/* How far a message has come.  An S-expression is whole where its parentheses close;
 * anything else ends with the connection. */
typedef struct http_message_end {
  size_t at, depth; /* bytes that were looked at; open parentheses */
  bool comment;     /* `;` up to the end of the line */
  bool whole;
} http_message_end;

static void look_for_end(http_message_end *end, const char *text, size_t length) {
  for (; end->at < length && !end->whole; end->at++) {
    char c = text[end->at];
    bool begins = end->depth == 0 && strchr(" \t\r\n(;", c) == NULL && !end->comment;
    if (begins || c == '\0') return; /* no expression */
    if (c == ';') end->comment = true;
    if (c == '\n') end->comment = false;
    if (end->comment) continue;
    if (c == '(') end->depth++;
    if (c == ')') end->whole = --end->depth == 0;
  }
}

static bool was_cut(http_connection *c) {
  pthread_mutex_lock(&c->server->lock);
  bool cut = c->deadline == 0;
  pthread_mutex_unlock(&c->server->lock);
  return cut;
}

/* Reads the request, head and body, into 'text'; the status of a refusal, 0: it was cut,
 * 200: it is there, and '*head' is the length of the head. */
static unsigned read_request(http_connection *c, alea_text *text, size_t *head) {
  http_message_end end = {0};
  char bytes[4096];
  for (*head = 0; !end.whole;) {
    struct pollfd one = {.fd = c->fd, .events = POLLIN};
    (void)poll(&one, 1, -1); /* the reaper shuts it down in time */
    ssize_t got = recv(c->fd, bytes, sizeof bytes, MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) continue;
    if (got < 0 || was_cut(c)) return 0;
    if (got == 0) break;
    alea_text_add(text, bytes, (size_t)got);
    http_note_received(c, (size_t)got);
    if (text->failed) return MHD_HTTP_INTERNAL_SERVER_ERROR;
    if (*head == 0) *head = http_head_length(text->data, text->length);
    if (*head == 0) continue;
    if (text->length - *head > c->server->most_bytes) return 413;
    look_for_end(&end, text->data + *head, text->length - *head);
  }
  return *head > 0 ? MHD_HTTP_OK : 0;
}

/* The address in the first line, which the door has seen to be a POST. */
static void take_path(http_connection *c, const alea_text *text) {
  char line[4096];
  size_t length = strcspn(text->data, "\r\n");
  if (length >= sizeof line) length = sizeof line - 1;
  memcpy(line, text->data, length);
  line[length] = '\0';
  char *uri = line + strlen("POST "), *end = strrchr(uri, ' ');
  if (end != NULL) *end = '\0';
  http_decode_uri(uri, &c->path);
}

static void write_all(http_connection *c, const char *bytes, size_t count) {
  while (count > 0 && !was_cut(c)) {
    struct pollfd one = {.fd = c->fd, .events = POLLOUT};
    (void)poll(&one, 1, -1);
    ssize_t sent = send(c->fd, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) continue;
    if (sent < 0) return;
    bytes += sent;
    count -= (size_t)sent;
  }
}

static void write_reply(http_connection *c, unsigned status, const char *type, const char *body,
                        size_t length) {
  alea_text head;
  alea_text_init(&head, &c->mem);
  alea_text_format(&head, "HTTP/1.0 %u %s\r\n", status, status == MHD_HTTP_OK ? "OK" : "Refused");
  for (const alea_http_header *header = c->server->headers; header->name != NULL; header++)
    alea_text_format(&head, "%s: %s\r\n", header->name, header->value);
  alea_text_format(&head, "Connection: close\r\nContent-type: %s\r\nContent-length: %zu\r\n\r\n",
                   type, length);
  http_set_deadline(c, alea_clock_wall() + c->server->patience);
  if (!head.failed) {
    write_all(c, head.data, head.length);
    write_all(c, body, length);
  }
  alea_text_clear(&head);
}

static void answer(http_connection *c) {
  alea_text text;
  size_t head;
  alea_text_init(&text, &c->mem);
  unsigned status = read_request(c, &text, &head);
  if (status == MHD_HTTP_OK) {
    take_path(c, &text);
    alea_text_add(&c->body, text.data + head, text.length - head);
    alea_text_clear(&text);
    alea_http_reply reply;
    http_call_handler(NULL, c, "POST", &reply);
    bool good = !reply.body.failed && c->stream == NULL; /* only GET is answered by streams */
    write_reply(c, good ? reply.status : MHD_HTTP_INTERNAL_SERVER_ERROR, reply.type,
                alea_text_string(&reply.body), good ? reply.body.length : 0);
    alea_text_clear(&reply.body);
  } else if (status != 0) {
    write_reply(c, status, "text/plain", http_too_large,
                status == 413 ? strlen(http_too_large) : 0);
  }
  alea_text_clear(&text);
}

static void *read_and_answer(void *argument) {
  http_connection *c = argument;
  alea_http_server *s = c->server;
  int fd = c->fd;
  answer(c);
  http_hang_up(c);
  http_close_connection(c); /* nobody shuts the descriptor down from now on */
  close(fd);
  pthread_mutex_lock(&s->lock);
  s->readers--;
  pthread_cond_broadcast(&s->wake);
  pthread_mutex_unlock(&s->lock);
  return NULL;
}

bool http_start_reader(http_connection *c) {
  alea_http_server *s = c->server;
  pthread_attr_t attributes;
  pthread_t thread;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, HTTP_STACK_BYTES);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_mutex_lock(&s->lock);
  c->inside = true;
  s->readers++;
  pthread_mutex_unlock(&s->lock);
  bool started = pthread_create(&thread, &attributes, read_and_answer, c) == 0;
  pthread_attr_destroy(&attributes);
  if (started) return true;
  pthread_mutex_lock(&s->lock);
  s->readers--;
  pthread_mutex_unlock(&s->lock);
  return false;
}
