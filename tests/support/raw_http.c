/* HTTP over plain sockets. */
#include "support/raw_http.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "cmocka_all.h"

int raw_connect(uint16_t port) {
  struct sockaddr_in name = {.sin_family = AF_INET, .sin_port = htons(port)};
  name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  assert_true(fd >= 0);
  assert_int_equal(connect(fd, (struct sockaddr *)&name, sizeof name), 0);
  return fd;
}

bool raw_send(int fd, const void *bytes, size_t count) {
  for (const char *at = bytes; count > 0;) {
    ssize_t sent = send(fd, at, count, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    at += sent;
    count -= (size_t)sent;
  }
  return true;
}

void raw_tear(int fd) {
  struct linger at_once = {1, 0};
  setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
}

char *raw_read(int fd, double seconds, bool *closed) {
  size_t size = 1 << 16, length = 0;
  char *text = malloc(size);
  double end = alea_clock_wall() + seconds;
  bool over = false;
  assert_non_null(text);
  while (!over) {
    int left = (int)((end - alea_clock_wall()) * 1000);
    struct pollfd poller = {fd, POLLIN, 0};
    if (left <= 0 || poll(&poller, 1, left) <= 0) break;
    ssize_t got = recv(fd, text + length, size - length - 1, 0);
    over = got <= 0; /* a reset is an end, too */
    if (got > 0) length += (size_t)got;
    if (length + 1 < size) continue;
    text = realloc(text, size *= 2);
    assert_non_null(text);
  }
  text[length] = '\0';
  if (closed != NULL) *closed = over;
  return text;
}

const char *raw_body(const char *reply) {
  const char *gap = strstr(reply, "\r\n\r\n");
  return gap != NULL ? gap + 4 : "";
}

char *raw_request(raw_dialect dialect, const char *message) {
  static const char base[] =
      "POST / HTTP/1.0\r\nAccept: text/delim\r\nHost: 127.0.0.1\r\nSender: GAMESERVER\r\n"
      "Receiver: ALEA\r\nContent-Type: text/acl\r\nContent-Length: %zu\r\n\r\n%s";
  static const char dresden[] =
      "POST / HTTP/1.0\r\nAccept: text/delim\r\nSender: Gamecontroller\r\n"
      "Receiver: ALEA\r\nContent-type: text/acl\r\nContent-length: %zu\r\n\r\n%s";
  size_t length = strlen(message), size = length + 400;
  char *request = malloc(size);
  assert_non_null(request);
  if (dialect == RAW_GGP_BASE) snprintf(request, size, base, length, message);
  if (dialect == RAW_DRESDEN) snprintf(request, size, dresden, length, message);
  return request;
}

/* Finds a line of the headers, ignoring case. */
static const char *find_line(const char *reply, const char *line) {
  for (; *reply != '\0'; reply++)
    if (strncasecmp(reply, line, strlen(line)) == 0) return reply;
  return NULL;
}

static void check_line(const char *reply, const char *line) {
  const char *at = find_line(reply, line);
  if (at == NULL || at > raw_body(reply)) fail_msg("no line '%s' in\n%s", line, reply);
}

/* Checks what every manager needs: a known version, a length, CORS. */
static void check_form(const char *reply) {
  char length[64];
  if (strncmp(reply, "HTTP/1.0 ", 9) != 0) fail_msg("not HTTP/1.0: '%s'", reply);
  snprintf(length, sizeof length, "\r\nContent-length: %zu\r\n", strlen(raw_body(reply)));
  check_line(reply, length);
  check_line(reply, "\r\nConnection: close\r\n");
  check_line(reply, "\r\nAccess-Control-Allow-Origin: *\r\n");
  check_line(reply, "\r\nAccess-Control-Allow-Methods: POST, GET, OPTIONS\r\n");
  check_line(reply, "\r\nAccess-Control-Allow-Headers: Content-Type\r\n");
  check_line(reply, "\r\nAccess-Control-Max-Age: 86400\r\n");
  check_line(reply, "\r\nAccess-Control-Allow-Age: 86400\r\n");
  assert_null(find_line(reply, "Transfer-Encoding"));
  for (const char *c = reply; *c != '\0'; c++) assert_true((unsigned char)*c < 128);
}

char *raw_ask(uint16_t port, raw_dialect dialect, const char *message) {
  int fd = raw_connect(port);
  char *request = raw_request(dialect, message);
  bool closed;
  assert_true(raw_send(fd, request, strlen(request)));
  free(request);
  char *reply = raw_read(fd, 600, &closed);
  assert_true(closed); /* Dresden reads to the end of the connection */
  close(fd);
  check_form(reply);
  return reply;
}

bool raw_says(uint16_t port, raw_dialect dialect, const char *message, const char *expected) {
  char *reply = raw_ask(port, dialect, message);
  check_line(reply, "\r\nContent-type: text/acl\r\n");
  bool good =
      strncmp(reply, "HTTP/1.0 200 OK\r\n", 17) == 0 && strcmp(raw_body(reply), expected) == 0;
  if (!good) printf("'%s' got\n%s\ninstead of %s\n", message, reply, expected);
  free(reply);
  return good;
}

void raw_sleep(double seconds) {
  struct timespec time = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
  nanosleep(&time, NULL);
}

unsigned raw_threads(void) {
  unsigned count = 0;
  DIR *folder = opendir("/proc/self/task");
  if (folder == NULL) return 0;
  for (struct dirent *entry; (entry = readdir(folder)) != NULL;) count += entry->d_name[0] != '.';
  closedir(folder);
  return count;
}
