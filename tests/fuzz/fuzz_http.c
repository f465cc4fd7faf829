/* Fuzz target of the player on HTTP: any bytes are sent to it over a connection;
 * afterwards it answers INFO.  An input may hold several requests, separated by a
 * line of dashes; each gets a connection of its own. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "fuzz/mutate.h"
#include "net/serve.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char mark[] = "\n---\n", info[] = "POST / HTTP/1.0\r\nContent-Length: 4\r\n\r\nINFO";

/* One server for all inputs. */
static uint16_t port_of_server(void) {
  static alea_player_server *server;
  if (server != NULL) return alea_player_server_port(server);
  static const alea_service_options options = {
      .player = {.player = "legal",
                 .open = {.engine = ALEA_ENGINE_AUTO, .ground_seconds = 1, .memory = 64 << 20},
                 .margin = -1},
      .longest_clock = 0.1,
      .overdue = 0.001};
  alea_http_options http = {.patience = 0.5, .most_bytes = 1 << 16};
  if (alea_player_server_new(&server, &options, &http, NULL) != ALEA_OK) abort();
  return alea_player_server_port(server);
}

/* A client that gets no core for longer than the server's patience is cut: so it may ask again. */
enum { TRIES = 5 };

static int connect_to_server(void) {
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(port_of_server())};
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  /* The port is free again at once: hundreds of connections a second would use them all up. */
  static const struct linger at_once = {.l_onoff = 1};
  for (int tries = 0; tries < TRIES; tries++) {
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd >= 0 && setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once) == 0 &&
        connect(fd, (struct sockaddr *)&to, sizeof to) == 0)
      return fd;
    perror("fuzz_http: no connection");
    if (fd >= 0) close(fd);
    poll(NULL, 0, 100);
  }
  abort();
}

/* Sends, closes the own side and reads what comes; false: no reply. */
static bool ask(const void *bytes, size_t size, const char *expected) {
  char reply[4096];
  size_t length = 0;
  int fd = connect_to_server();
  for (size_t sent = 0; sent < size;) {
    ssize_t count = send(fd, (const char *)bytes + sent, size - sent, MSG_NOSIGNAL);
    if (count <= 0) break;
    sent += (size_t)count;
  }
  shutdown(fd, SHUT_WR);
  for (ssize_t count; length < sizeof reply - 1; length += (size_t)count)
    if ((count = recv(fd, reply + length, sizeof reply - 1 - length, 0)) <= 0) break;
  reply[length] = '\0';
  close(fd);
  return strstr(reply, expected) != NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char *text = malloc(size + 1);
  if (text == NULL) abort();
  memcpy(text, data, size);
  text[size] = '\0';
  bool accepted = false;
  for (char *at = text, *next; at != NULL; at = next) {
    next = strstr(at, mark);
    size_t length = next != NULL ? (size_t)(next - at) : size - (size_t)(at - text);
    accepted = ask(at, length, "HTTP/1.0 200 ") || accepted;
    if (next != NULL) next += strlen(mark);
  }
  fuzz_note(accepted);
  free(text);
  for (int tries = 1; !ask(info, sizeof info - 1, "( name alea )"); tries++)
    if (tries == TRIES) abort();
  return 0;
}
