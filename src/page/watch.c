/* A client of server-sent events. */
#include "page/watch.h"

#include <jansson.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/text.h"
#include "page/address.h"

enum { MOST_LINE = 1 << 20, SILENCE = 60 }; /* bytes; seconds, where servers speak every ten */

/* A connection, or -1. */
static int call(const alea_page_address *address) {
  struct addrinfo wanted = {.ai_socktype = SOCK_STREAM}, *found = NULL;
  struct timeval patience = {.tv_sec = SILENCE};
  if (getaddrinfo(address->host, address->port, &wanted, &found) != 0) return -1;
  int fd = -1;
  for (const struct addrinfo *one = found; one != NULL && fd < 0; one = one->ai_next) {
    fd = socket(one->ai_family, one->ai_socktype, one->ai_protocol);
    if (fd >= 0 && connect(fd, one->ai_addr, one->ai_addrlen) != 0) {
      close(fd);
      fd = -1;
    }
  }
  freeaddrinfo(found);
  if (fd >= 0) setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  return fd;
}

static bool ask(int fd, const alea_page_address *address) {
  char request[400];
  int length = snprintf(request, sizeof request,
                        "GET /events HTTP/1.0\r\nHost: %s:%s\r\nAccept: text/event-stream\r\n\r\n",
                        address->host, address->port);
  return send(fd, request, (size_t)length, MSG_NOSIGNAL) == length;
}

/* Passes a line on if it is an object; whether it was one. */
static bool pass_on(const char *line, size_t length) {
  static const char start[] = "data:";
  if (length < sizeof start || memcmp(line, start, sizeof start - 1) != 0) return false;
  json_t *object = json_loadb(line + sizeof start - 1, length - (sizeof start - 1), 0, NULL);
  bool good = json_is_object(object);
  if (good) {
    fputs("{\"type\":\"live\",\"event\":", stdout);
    json_dumpf(object, stdout, JSON_COMPACT);
    fputs("}\n", stdout);
    fflush(stdout);
  }
  json_decref(object);
  return good;
}

/* Reads to the end; how many objects came. */
static size_t follow(int fd, alea_text *lines) {
  char piece[16384];
  size_t objects = 0;
  for (ssize_t got; (got = recv(fd, piece, sizeof piece, 0)) > 0 && lines->length <= MOST_LINE;) {
    size_t start = 0;
    alea_text_add(lines, piece, (size_t)got);
    if (lines->failed) break;
    for (size_t at = lines->length - (size_t)got; at < lines->length; at++) {
      if (lines->data[at] != '\n') continue;
      objects += pass_on(lines->data + start, at - start);
      start = at + 1;
    }
    memmove(lines->data, lines->data + start, lines->length - start);
    alea_text_truncate(lines, lines->length - start);
  }
  return objects;
}

int alea_page_watch_run(int argc, char **argv) {
  alea_page_address address;
  alea_mem mem;
  alea_text lines;
  if (argc != 2 || !alea_page_address_read(&address, argv[1])) return ALEA_USAGE;
  int fd = call(&address);
  if (fd < 0) {
    fprintf(stderr, "nobody answers at %s\n", argv[1]);
    return ALEA_SYSTEM;
  }
  alea_mem_init(&mem, 0);
  alea_text_init(&lines, &mem);
  size_t objects = ask(fd, &address) ? follow(fd, &lines) : 0;
  alea_text_clear(&lines);
  close(fd);
  if (objects > 0) return ALEA_OK;
  fprintf(stderr, "%s shows no event: it must be the address that --watch-port printed\n", argv[1]);
  return ALEA_INPUT;
}
