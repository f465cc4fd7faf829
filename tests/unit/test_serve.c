/* `alea serve` at the level of bytes: every message and quirk of the protocol,
 * as ggp-base and as Dresden's manager send them. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "cmocka_all.h"
#include "net/live_text.h"
#include "support/player_server.h"
#include "support/raw_http.h"

static uint16_t port_of(const alea_player_server *s) { return alea_player_server_port(s); }

#define SAYS(server, message, expected) \
  assert_true(raw_says(port_of(server), RAW_GGP_BASE, (message), (expected)))
#define SAYS_DRESDEN(server, message, expected) \
  assert_true(raw_says(port_of(server), RAW_DRESDEN, (message), (expected)))

static void start(alea_player_server *s, const char *game, const char *id, const char *role,
                  bool upper, const char *expected) {
  char *message = start_message(game, id, role, 30, 30, upper);
  assert_true(raw_says(port_of(s), upper ? RAW_DRESDEN : RAW_GGP_BASE, message, expected));
  free(message);
}

static const char free_info[] = "( ( name alea ) ( status available ) )";
static const char busy_info[] = "( ( name alea ) ( status busy ) )";

/* A whole match as ggp-base conducts it. */
static void plays_for_ggp_base(void **state) {
  (void)state;
  alea_player_server *s = serve_player("legal");
  SAYS(s, "( INFO )", free_info);
  SAYS(s, "(info)", free_info);
  SAYS(s, "(ping)", "available");
  SAYS(s, "( PREVIEW ( (role a) ) 10 )", "ready");
  start(s, "tictactoe", "Match.1", "xplayer", false, "ready");
  SAYS(s, "( INFO )", busy_info);
  SAYS(s, "(ping)", "busy");
  SAYS(s, "( PREVIEW ( (role a) ) 10 )", "busy");
  SAYS(s, "( PLAY Match.1 NIL )", "(mark 1 1)");
  SAYS(s, "( PLAY Match.1 NIL )", "(mark 1 1)"); /* again: the connection broke */
  SAYS(s, "( PLAY Match.1 ((mark 1 1) noop ) )", "noop");
  SAYS(s, "( PLAY Match.1 (noop (mark 2 2) ) )", "(mark 1 2)");
  SAYS(s, "( PLAY Match.1 (noop (mark 2 2) ) )", "(mark 1 2)");
  /* What was sent is not what was played: the manager is right. */
  SAYS(s, "( PLAY Match.1 ((mark 3 3) noop ) )", "noop");
  SAYS(s, "( PLAY Match.1 (noop (mark 1 2) ) )", "(mark 1 3)");
  SAYS(s, "( STOP Match.1 ((mark 1 3) noop ) )", "done");
  SAYS(s, "( INFO )", free_info);
  SAYS(s, "( STOP Match.1 NIL )", "busy");
  alea_player_server_free(s);
}

static void keep_line(void *context, const char *line) {
  char *lines = context;
  strncat(lines, line, 900 - strlen(lines));
  strncat(lines, "|", 900 - strlen(lines));
}

/* A terminal that shows the log does not obey the manager. */
static void logs_are_escaped(void **state) {
  (void)state;
  char lines[1000] = "";
  alea_service_options options = {
      .player = {.player = "legal", .open = {.engine = ALEA_ENGINE_AUTO}},
      .log = keep_line,
      .context = lines};
  alea_player_server *s = serve_with(&options, 30, 0);
  char *message = start_message("tictactoe", "M\033[2J\x9b", "xplayer", 30, 30, false);
  free(raw_ask(port_of(s), RAW_GGP_BASE, message));
  free(message);
  alea_player_server_free(s);
  assert_non_null(strstr(lines, "M\\x1b[2J\\x9b starts|"));
  assert_null(strchr(lines, '\033'));
}

/* The same in upper case; moves come back in the spelling that came. */
static void plays_for_dresden(void **state) {
  (void)state;
  alea_player_server *s = serve_player("legal");
  SAYS_DRESDEN(s, "(INFO)", free_info);
  start(s, "tictactoe", "match.7", "oplayer", true, "ready");
  SAYS_DRESDEN(s, "(PLAY MATCH.7 NIL)", "NOOP");
  SAYS_DRESDEN(s, "(PLAY MATCH.7 ((MARK 2 2) NOOP))", "(MARK 1 1)");
  SAYS_DRESDEN(s, "(STOP MATCH.7 (NOOP (MARK 1 1)))", "done");
  alea_player_server_free(s);
}

static const char mixed[] =
    "( START M1 Robot ( (role Robot) (init (at Home)) "
    "(<= (legal Robot (Go ?x RANDOM)) (true (at ?x))) (<= (next (at Home)) (true (at Home))) "
    "(goal Robot 100) (<= terminal (true (at End))) ) 30 30)";

/* Whatever the spelling is, words of the language included. */
static void echoes_spelling(void **state) {
  (void)state;
  alea_player_server *s = serve_player("legal");
  SAYS(s, mixed, "ready");
  SAYS(s, "( PLAY M1 NIL )", "(Go Home RANDOM)");
  SAYS(s, "( PLAY M1 ((Go Home RANDOM) ) )", "(Go Home RANDOM)");
  SAYS(s, "( ABORT M1 )", "aborted");
  alea_player_server_free(s);
}

/* Chance is a role like the others in joint moves. */
static void plays_with_chance(void **state) {
  (void)state;
  alea_player_server *s = serve_player("legal");
  start(s, "monty-hall", "m", "candidate", false, "ready");
  SAYS(s, "( PLAY m 0 NIL NIL )", "noop");
  SAYS(s, "( STOP m 1 noop NIL )", "done");
  start(s, "orchard-light", "m", "picker", false, "ready");
  SAYS(s, "( PLAY m NIL )", "noop");
  SAYS(s, "( PLAY m (noop (roll red) ) )", "noop");
  SAYS(s, "( ABORT m )", "aborted");
  alea_player_server_free(s);
}

/* Percepts, in the form with the turn and in Dresden's older one. */
static void plays_by_percepts(void **state) {
  (void)state;
  alea_player_server *s = serve_player("legal");
  start(s, "kuhn-poker", "m", "first", false, "ready");
  SAYS(s, "( PLAY m 0 NIL NIL )", "noop");
  SAYS(s, "( PLAY m 1 noop ((dealt king) ) )", "bet");
  SAYS(s, "( PLAY m 1 noop ((dealt king) ) )", "bet"); /* the same turn again */
  SAYS(s, "( PLAY m 2 check ((said first check) ) )", "noop");
  SAYS(s, "( STOP m 3 noop ((said second check) ) )", "done");
  start(s, "kuhn-poker", "m", "second", true, "ready");
  SAYS_DRESDEN(s, "(PLAY M NIL)", "NOOP");
  SAYS_DRESDEN(s, "(PLAY M ((DEALT JACK)))", "NOOP");
  SAYS_DRESDEN(s, "(PLAY M ((SAID FIRST BET)))", "CALL");
  SAYS_DRESDEN(s, "(STOP M ((SAID SECOND CALL)))", "done");
  alea_player_server_free(s);
}

/* A game without percepts for players that expect some. */
static void plays_when_told_all(void **state) {
  (void)state;
  alea_player_server *s = serve_player("legal");
  char *plain = start_message("tictactoe", "m", "xplayer", 30, 30, false);
  char *message = malloc(strlen(plain) + 200);
  char *end = strstr(plain, " ) 30 30)");
  assert_non_null(message);
  assert_non_null(end);
  *end = '\0';
  sprintf(message, "%s (<= (sees ?p (did ?p2 ?m)) (role ?p) (does ?p2 ?m)) ) 30 30)", plain);
  SAYS(s, message, "ready");
  SAYS(s, "( PLAY m 0 NIL NIL )", "(mark 1 1)");
  SAYS(s, "( PLAY m 1 (mark 3 3) ((did oplayer noop) (did xplayer (mark 3 3)) ) )", "noop");
  SAYS(s, "( PLAY m 2 noop ((did xplayer noop) (did oplayer (mark 1 1)) ) )", "(mark 1 2)");
  SAYS(s, "( STOP m 3 (mark 1 2) ((did xplayer (mark 1 2)) (did oplayer noop) ) )", "done");
  SAYS(s, message, "ready"); /* the older form */
  SAYS(s, "( PLAY m NIL )", "(mark 1 1)");
  SAYS(s, "( PLAY m ((did oplayer noop) (did xplayer (mark 3 3)) ) )", "noop");
  SAYS(s, "( ABORT m )", "aborted");
  free(plain);
  free(message);
  alea_player_server_free(s);
}

/* Percepts for rules that give none: nothing but the own move is known. */
static void plays_blind(void **state) {
  (void)state;
  alea_player_server *s = serve_player("legal");
  start(s, "prisoners-dilemma", "m", "left", false, "ready");
  SAYS(s, "( PLAY m 0 NIL NIL )", "silent");
  SAYS(s, "( PLAY m 1 talk NIL )", "silent");
  SAYS(s, "( PLAY m 2 silent NIL )", "silent");
  SAYS(s, "( STOP m 3 silent NIL )", "done");
  alea_player_server_free(s);
}

static void is_busy_elsewhere(void **state) {
  (void)state;
  alea_player_server *s = serve_player("legal");
  SAYS(s, "( PLAY nobody NIL )", "busy");
  SAYS(s, "( STOP nobody NIL )", "busy");
  SAYS(s, "( ABORT nobody )", "busy");
  start(s, "tictactoe", "one", "xplayer", false, "ready");
  start(s, "tictactoe", "two", "xplayer", false, "busy");
  SAYS(s, "( PLAY two NIL )", "busy");
  SAYS(s, "( PLAY one NIL )", "(mark 1 1)");
  start(s, "tictactoe", "one", "xplayer", false, "ready"); /* again from the start */
  start(s, "tictactoe", "one", "oplayer", false, "busy");  /* the match has one role here */
  SAYS(s, "( PLAY one NIL )", "(mark 1 1)");
  SAYS(s, "( ABORT one )", "aborted");
  start(s, "tictactoe", "two", "xplayer", false, "ready");
  alea_player_server_free(s);
}

static void plays_several(void **state) {
  (void)state;
  alea_service_options options = {
      .player = {.player = "legal",
                 .open = {.engine = ALEA_ENGINE_AUTO, .ground_seconds = 60},
                 .margin = -1},
      .name = "Many",
      .matches = 2};
  alea_player_server *s = serve_with(&options, 30, 0);
  SAYS(s, "( INFO )", "( ( name Many ) ( status available ) )");
  start(s, "tictactoe", "one", "xplayer", false, "ready");
  SAYS(s, "( INFO )", "( ( name Many ) ( status available ) )");
  start(s, "tictactoe", "two", "oplayer", false, "ready");
  SAYS(s, "( INFO )", "( ( name Many ) ( status busy ) )");
  start(s, "tictactoe", "three", "oplayer", false, "busy");
  SAYS(s, "( PLAY two NIL )", "noop");
  SAYS(s, "( PLAY one NIL )", "(mark 1 1)");
  SAYS(s, "( STOP one NIL )", "done");
  SAYS(s, "( PLAY two ((mark 1 1) noop ) )", "(mark 1 2)");
  assert_int_equal(alea_player_server_finished(s), 1);
  alea_player_server_free(s);
}

/* ---- what is wrong gets an answer that says so ---- */

static void expect_status(alea_player_server *s, const char *message, const char *status) {
  char *reply = raw_ask(port_of(s), RAW_GGP_BASE, message);
  if (strncmp(reply, status, strlen(status)) != 0) fail_msg("%s got\n%s", message, reply);
  assert_true(strlen(raw_body(reply)) > 5);
  free(reply);
}

static void explains(void **state) {
  (void)state;
  static const char bad[] = "HTTP/1.0 400 ";
  alea_player_server *s = serve_player("legal");
  expect_status(s, "", bad);
  expect_status(s, "( HELLO )", bad);
  expect_status(s, "( PLAY m", bad);
  expect_status(s, "( START m a ( (role a) ) 1 )", bad);
  expect_status(s, "( START m a ( (role ) 1 1)", bad);
  expect_status(s, "( START m a ( (init b) ) 10 10)", bad);        /* nobody plays */
  expect_status(s, "( START m a ( (role a) (f ()) ) 10 10)", bad); /* not GDL */
  SAYS(s, "( INFO )", free_info);                                  /* and there is no match */
  char *message = start_message("tictactoe", "m", "zplayer", 10, 10, false);
  expect_status(s, message, bad);
  free(message);
  message = start_message("monty-hall", "m", "random", 10, 10, false);
  expect_status(s, message, bad);
  free(message);
  SAYS(s, "( INFO )", free_info);
  /* Moves that cannot have been made change nothing. */
  start(s, "tictactoe", "m", "xplayer", false, "ready");
  SAYS(s, "( PLAY m NIL )", "(mark 1 1)");
  expect_status(s, "( PLAY m ((mark 1 1) ) )", bad);
  expect_status(s, "( PLAY m ((mark 1 1) noop noop ) )", bad);
  expect_status(s, "( PLAY m ((mark 9 9) noop ) )", bad);
  expect_status(s, "( PLAY m (noop noop ) )", bad);
  expect_status(s, "( PLAY m (((( ))) noop ) )", bad);
  SAYS(s, "( PLAY m NIL )", "(mark 1 1)");
  SAYS(s, "( PLAY m ((mark 1 1) noop ) )", "noop");
  SAYS(s, "( PLAY m (noop (mark 1 2) ) )", "(mark 1 3)");
  SAYS(s, "( STOP m NIL )", "done");
  alea_player_server_free(s);
}

/* ---- HTTP ---- */

/* Sends bytes, perhaps closes the own side, and reads all. */
static char *send_bytes(alea_player_server *s, const char *bytes, bool half_close) {
  int fd = raw_connect(port_of(s));
  bool closed;
  assert_true(raw_send(fd, bytes, strlen(bytes)));
  if (half_close) shutdown(fd, SHUT_WR);
  char *reply = raw_read(fd, 60, &closed);
  assert_true(closed);
  close(fd);
  return reply;
}

static void expect_bytes(alea_player_server *s, const char *bytes, bool half_close,
                         const char *status, const char *body) {
  char *reply = send_bytes(s, bytes, half_close);
  if (strncmp(reply, status, strlen(status)) != 0 ||
      (body != NULL && strcmp(raw_body(reply), body) != 0))
    fail_msg("%s\ngot\n%s", bytes, reply);
  free(reply);
}

static void speaks_http(void **state) {
  (void)state;
  static const char ok[] = "HTTP/1.0 200 OK\r\n";
  alea_player_server *s = serve_player("legal");
  expect_bytes(s, "OPTIONS / HTTP/1.0\r\nOrigin: http://a.b\r\n\r\n", false, ok, "");
  expect_bytes(s, "GET /(INFO) HTTP/1.0\r\n\r\n", false, ok, free_info);
  expect_bytes(s, "GET /%28%20INFO%20%29 HTTP/1.1\r\nHost: x\r\n\r\n", false, ok, free_info);
  expect_bytes(s, "GET /(+INFO+) HTTP/1.0\r\n\r\n", false, ok, free_info);
  expect_bytes(s, "GET /%28PLAY%20m%20%28%28move%20%3Fx%29%29%29 HTTP/1.0\r\n\r\n", false, ok,
               "busy");
  expect_bytes(s, "GET /(ABORT+what?) HTTP/1.0\r\n\r\n", false, ok, "busy");
  expect_bytes(s, "GET / HTTP/1.0\r\n\r\n", false, "HTTP/1.0 400 ", NULL);
  expect_bytes(s, "PUT / HTTP/1.0\r\nContent-Length: 4\r\n\r\nINFO", false, "HTTP/1.0 405 ", NULL);
  expect_bytes(s, "POST / HTTP/1.0\r\nContent-Length: 4\r\n\r\nINFO", true, ok, free_info);
  expect_bytes(
      s, "POST / HTTP/1.1\r\nHost: x\r\nConnection: keep-alive\r\nContent-Length: 4\r\n\r\nINFO",
      false, ok, free_info);
  expect_bytes(s, "POST / HTTP/1.0\r\nConnection: keep-alive\r\nContent-Length: 4\r\n\r\nINFO",
               false, ok, free_info);
  expect_bytes(s,
               "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
               "2\r\n(I\r\n4\r\nNFO)\r\n0\r\n\r\n",
               false, ok, free_info);
  expect_bytes(s, "POST / HTTP/1.1\r\nHost: x\r\n\r\n", false, "HTTP/1.0 411 ", NULL);
  free(send_bytes(s, "\x16\x03\x01 what is this\r\n\r\n", true));
  SAYS(s, "( INFO )", free_info);
  alea_player_server_free(s);
}

/* Without a length a body ends with the connection, or where its parentheses close. */
static void reads_to_the_end(void **state) {
  (void)state;
  static const char ok[] = "HTTP/1.0 200 OK\r\n";
  alea_player_server *s = serve_player("legal");
  expect_bytes(s, "POST / HTTP/1.0\r\n\r\nINFO", true, ok, free_info);
  expect_bytes(s, "POST / HTTP/1.0\r\n\r\n( INFO )", true, ok, free_info);
  expect_bytes(s, "POST / HTTP/1.0\r\n\r\n( INFO )", false, ok, free_info);
  expect_bytes(s, "POST / HTTP/1.0\n\n ; (\n ( INFO )\r\n", false, ok, free_info);
  expect_bytes(s, "POST / HTTP/1.1\r\nHost: x\r\n\r\n( INFO )", false, ok, free_info);
  expect_bytes(s, "POST / HTTP/1.0\r\n\r\n", true, "HTTP/1.0 400 ", NULL);
  expect_bytes(s, "POST / HTTP/1.0\r\n\r\n( INFO", true, "HTTP/1.0 400 ", NULL);
  expect_bytes(s, "POST / HTTP/1.0\r\n\r\n) (", true, "HTTP/1.0 400 ", NULL);
  /* A match, a byte at a time. */
  char head[] = "POST / HTTP/1.0\r\nSender: Gamecontroller\r\n\r\n";
  char *message = start_message("tictactoe", "m", "xplayer", 10, 10, false);
  int fd = raw_connect(port_of(s));
  bool closed;
  for (size_t i = 0; head[i] != '\0'; i++) assert_true(raw_send(fd, &head[i], 1));
  assert_true(raw_send(fd, message, strlen(message)));
  char *reply = raw_read(fd, 60, &closed);
  assert_string_equal(raw_body(reply), "ready");
  free(reply);
  free(message);
  close(fd);
  expect_bytes(s, "POST / HTTP/1.0\r\n\r\n( PLAY m NIL )", false, ok, "(mark 1 1)");
  expect_bytes(s, "POST / HTTP/1.0\r\n\r\n( STOP m NIL )", false, ok, "done");
  alea_player_server_free(s);
}

/* Whoever is told to end while such a request comes does not wait for it. */
static void ends_while_reading(void **state) {
  (void)state;
  static const char *const parts[] = {"", "POST / HT", "POST / HTTP/1.0\r\n\r\n( IN"};
  int fds[3];
  alea_player_server *s = serve_player("legal");
  for (size_t i = 0; i < 3; i++) {
    fds[i] = raw_connect(port_of(s));
    assert_true(raw_send(fds[i], parts[i], strlen(parts[i])));
  }
  SAYS(s, "( INFO )", free_info);
  double start = alea_clock_wall();
  alea_player_server_free(s);
  assert_true(alea_clock_wall() - start < 5); /* less than the patience of 10 s */
  for (size_t i = 0; i < 3; i++) close(fds[i]);
}

/* Too much, announced or not. */
static void limits_bytes(void **state) {
  (void)state;
  alea_service_options options = {
      .player = {.player = "legal", .open = {.engine = ALEA_ENGINE_AUTO}}};
  alea_player_server *s = serve_with(&options, 30, 1000);
  expect_bytes(s, "POST / HTTP/1.0\r\nContent-Length: 99999999999\r\n\r\n", false, "HTTP/1.0 413 ",
               NULL);
  char bytes[4000] = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n600\r\n";
  size_t head = strlen(bytes);
  memset(bytes + head, 'x', 0x600);
  strcpy(bytes + head + 0x600, "\r\n0\r\n\r\n");
  expect_bytes(s, bytes, false, "HTTP/1.0 413 ", NULL);
  bytes[head + 0x600] = '\0'; /* the body never ends: nobody waits for that */
  double start = alea_clock_wall();
  expect_bytes(s, bytes, false, "HTTP/1.0 413 ", NULL);
  static const char no_length[] = "POST / HTTP/1.0\r\n\r\n(";
  memset(bytes, 'x', 0x600);
  memcpy(bytes, no_length, sizeof no_length - 1);
  bytes[0x600] = '\0';
  expect_bytes(s, bytes, false, "HTTP/1.0 413 ", NULL);
  assert_true(alea_clock_wall() - start < 20); /* less than the patience of 30 s */
  SAYS(s, "( INFO )", free_info);
  alea_player_server_free(s);
}

/* Whoever does not get on with it is not waited for. */
static void cuts_the_slow(void **state) {
  (void)state;
  static const char *const beginnings[] = {"", "POST", "POST / HTTP/1.0\r\nContent-Le",
                                           "POST / HTTP/1.0\r\nContent-Length: 10\r\n\r\n(I",
                                           "POST / HTTP/1.0\r\n\r\n(I"};
  alea_service_options options = {
      .player = {.player = "legal", .open = {.engine = ALEA_ENGINE_AUTO}}};
  alea_player_server *s = serve_with(&options, 0.2, 0);
  for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++) {
    int fd = raw_connect(port_of(s));
    bool closed;
    assert_true(raw_send(fd, beginnings[i], strlen(beginnings[i])));
    free(raw_read(fd, 60, &closed));
    assert_true(closed);
    close(fd);
  }
  int fd = raw_connect(port_of(s)); /* a byte now and then is no excuse */
  const char *request = "POST / HTTP/1.0\r\nContent-Length: 100000\r\n\r\n";
  assert_true(raw_send(fd, request, strlen(request)));
  bool alive = true;
  for (int i = 0; alive && i < 6000; i++) {
    raw_sleep(0.01);
    alive = raw_send(fd, "x", 1);
  }
  assert_false(alive);
  close(fd);
  alea_player_server_free(s);
}

/* ---- thinking ---- */

typedef struct asking {
  uint16_t port;
  const char *message;
  char *reply;
} asking;

static void *ask(void *argument) {
  asking *a = argument;
  a->reply = raw_ask(a->port, RAW_GGP_BASE, a->message);
  return NULL;
}

/* INFO is answered while a move is thought about, and ABORT ends the thought. */
static void answers_while_thinking(void **state) {
  (void)state;
  alea_service_options options = {
      .player = {.player = "mc",
                 .open = {.engine = ALEA_ENGINE_AUTO, .ground_seconds = 60},
                 .margin = -1,
                 .sims = 0}};
  alea_player_server *s = serve_with(&options, 30, 0);
  char *message = start_message("chess", "m", "white", 1, 3000, false);
  asking starting = {port_of(s), message, NULL}, playing = {port_of(s), "( PLAY m NIL )", NULL};
  pthread_t thread;
  assert_int_equal(pthread_create(&thread, NULL, ask, &starting), 0);
  for (int i = 0; i < 3; i++) {
    char *reply = raw_ask(port_of(s), RAW_GGP_BASE, "( INFO )");
    assert_non_null(strstr(reply, "( name alea )"));
    free(reply);
  }
  assert_int_equal(pthread_join(thread, NULL), 0);
  assert_string_equal(raw_body(starting.reply), "ready");
  assert_int_equal(pthread_create(&thread, NULL, ask, &playing), 0);
  raw_sleep(0.05);
  SAYS(s, "( INFO )", busy_info);
  SAYS(s, "( ABORT m )", "aborted");
  SAYS(s, "( INFO )", free_info);
  assert_int_equal(pthread_join(thread, NULL), 0); /* not in 3000 seconds */
  free(starting.reply);
  free(playing.reply);
  free(message);
  alea_player_server_free(s);
}

/* Nothing is asked, but there is thinking, which every message ends. */
static void ponders(void **state) {
  (void)state;
  alea_service_options options = {
      .player = {.player = "alea:threads=2,memory=50M",
                 .open = {.engine = ALEA_ENGINE_AUTO, .ground_seconds = 60},
                 .margin = -1,
                 .sims = 10,
                 .ponder = true}};
  alea_player_server *s = serve_with(&options, 30, 0);
  for (int match = 0; match < 2; match++) {
    start(s, "connect-four", "m", "red", false, "ready");
    for (int turn = 0; turn < 3; turn++) {
      static const char *const plays[] = {"( PLAY m NIL )", "( PLAY m ((drop 4) noop) )",
                                          "( PLAY m (noop (drop 4)) )"};
      char *reply = raw_ask(port_of(s), RAW_GGP_BASE, plays[turn]);
      assert_true(strncmp(raw_body(reply), turn == 1 ? "noop" : "(drop ", 4) == 0);
      free(reply);
      /* CPU time passes between the messages, however slowly. */
      double end = alea_clock_wall() + 60, before = alea_clock_cpu();
      while (alea_clock_cpu() < before + 0.05 && alea_clock_wall() < end) raw_sleep(0.005);
      assert_true(alea_clock_cpu() >= before + 0.05);
    }
    if (match == 0) SAYS(s, "( STOP m ((drop 4) noop) )", "done");
    if (match == 1) SAYS(s, "( ABORT m )", "aborted");
  }
  alea_player_server_free(s);
}

/* A game that is far too large for its clocks is played all the same: the
 * scout knows a move while the thinker is still at it. */
static void moves_in_time(void **state) {
  (void)state;
  alea_service_options options = {
      .player = {.player = "uct",
                 .open = {.engine = ALEA_ENGINE_NET, .ground_seconds = 1e6},
                 .margin = -1}};
  alea_player_server *s = serve_with(&options, 30, 0);
  /* 7^8 ground instances of one rule: minutes of grounding. */
  static const char huge[] =
      "( START m r ( (role r) (d 1) (d 2) (d 3) (d 4) (d 5) (d 6) (d 7) (d 8) (d 9) (d 10) (d 11)"
      "(init (a 1 1 1 1)) (init (b 1 1 1 1)) "
      "(<= (next (a ?1 ?2 ?3 ?4)) (does r (go ?1 ?2 ?3 ?4)) ) "
      "(<= (next (b ?1 ?2 ?3 ?4)) (true (a ?1 ?2 ?3 ?4)) ) "
      "(<= (legal r (go ?1 ?2 ?3 ?4)) (d ?1) (d ?2) (d ?3) (d ?4) (true (a ?1 ?2 ?3 ?5)) (d ?5)) "
      "(<= (goal r 100) (true (a ?1 ?2 ?3 ?4)) (true (b ?5 ?6 ?7 ?8)) (distinct ?1 ?5)) "
      "(<= terminal (true (a ?1 ?2 ?3 11)) (true (b ?4 ?5 ?6 ?7))) ) 1 2)";
  SAYS(s, huge, "ready");
  char *reply = raw_ask(port_of(s), RAW_GGP_BASE, "( PLAY m NIL )");
  assert_non_null(strstr(raw_body(reply), "(go 1 1 1 "));
  free(reply);
  SAYS(s, "( ABORT m )", "aborted");
  alea_player_server_free(s);
}

/* A manager that goes away does not leave us busy for ever. */
static void forgets(void **state) {
  (void)state;
  alea_service_options options = {
      .player = {.player = "legal", .open = {.engine = ALEA_ENGINE_AUTO}}, .idle = 0.05};
  alea_player_server *s = serve_with(&options, 30, 0);
  char *message = start_message("tictactoe", "m", "xplayer", 0, 0, false);
  SAYS(s, message, "ready");
  double end = alea_clock_wall() + 60;
  bool available = false;
  while (!available && alea_clock_wall() < end) {
    char *reply = raw_ask(port_of(s), RAW_GGP_BASE, "( INFO )");
    available = strcmp(raw_body(reply), free_info) == 0;
    free(reply);
  }
  assert_true(available);
  free(message);
  alea_player_server_free(s);
}

/* A growing text that others look at. */
static void shows(void **state) {
  (void)state;
  alea_live_text *view;
  alea_http_options http = {0};
  assert_int_equal(alea_live_text_new(&view, &http, NULL), ALEA_OK);
  for (int i = 0; i < 3; i++) {
    char text[32] = "{}";
    if (i > 0) snprintf(text, sizeof text, "{\"step\":%d}", i);
    if (i > 0) alea_live_text_put(view, text, strlen(text));
    int fd = raw_connect(alea_live_text_port(view));
    static const char get[] = "GET /match.json HTTP/1.0\r\n\r\n";
    assert_true(raw_send(fd, get, sizeof get - 1));
    char *reply = raw_read(fd, 60, NULL);
    assert_string_equal(raw_body(reply), text);
    assert_non_null(strstr(reply, "Content-type: application/json\r\n"));
    free(reply);
    close(fd);
  }
  alea_live_text_free(view);
}

typedef struct spectator {
  int fd;
  char *seen;
} spectator;

static void *watch(void *argument) {
  spectator *w = argument;
  w->seen = raw_read(w->fd, 60, NULL);
  return NULL;
}

/* Server-sent events: every spectator gets the latest text, changes, and the
 * last one, however long; one that reads nothing disturbs nobody. */
static void shows_changes(void **state) {
  (void)state;
  alea_live_text *view;
  alea_http_options http = {.patience = 30};
  assert_int_equal(alea_live_text_new(&view, &http, NULL), ALEA_OK);
  static const char get[] = "GET /events HTTP/1.0\r\n\r\n";
  enum { COUNT = 3, LONG = 300000 };
  spectator spectators[COUNT];
  pthread_t threads[COUNT];
  int idle = raw_connect(alea_live_text_port(view));
  assert_true(raw_send(idle, get, sizeof get - 1));
  for (int i = 0; i < COUNT; i++) {
    spectators[i].fd = raw_connect(alea_live_text_port(view));
    assert_true(raw_send(spectators[i].fd, get, sizeof get - 1));
    assert_int_equal(pthread_create(&threads[i], NULL, watch, &spectators[i]), 0);
  }
  char *text = malloc(LONG + 1);
  assert_non_null(text);
  memset(text, 'x', LONG);
  text[LONG] = '\0';
  raw_sleep(0.2);
  alea_live_text_put(view, "{\"step\":1}", 10);
  raw_sleep(0.2);
  alea_live_text_put(view, text, LONG);
  raw_sleep(0.2);
  alea_live_text_put(view, "{\"over\":true}", 13);
  close(idle);
  alea_live_text_free(view);
  for (int i = 0; i < COUNT; i++) {
    assert_int_equal(pthread_join(threads[i], NULL), 0);
    const char *body = raw_body(spectators[i].seen);
    assert_non_null(strstr(spectators[i].seen, "Content-type: text/event-stream\r\n"));
    assert_non_null(strstr(body, "data: {\"step\":1}\n\n"));
    assert_non_null(strstr(body, "data: {\"over\":true}\n\n"));
    free(spectators[i].seen);
    close(spectators[i].fd);
  }
  free(text);
}

/* The next free port is taken, unless exactly one will do. */
static void finds_ports(void **state) {
  (void)state;
  alea_player_server *s = serve_player("legal"), *other;
  alea_service_options options = {
      .player = {.player = "legal", .open = {.engine = ALEA_ENGINE_AUTO}}};
  alea_http_options http = {.port = port_of(s), .exact = true};
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_diag diag;
  alea_diag_init(&diag, &mem);
  assert_int_equal(alea_player_server_new(&other, &options, &http, &diag), ALEA_SYSTEM);
  assert_int_equal(diag.errors, 1);
  http.exact = false;
  assert_int_equal(alea_player_server_new(&other, &options, &http, &diag), ALEA_OK);
  assert_true(port_of(other) > port_of(s));
  alea_player_server_free(other);
  http = (alea_http_options){.address = "not.an.address"};
  assert_int_equal(alea_player_server_new(&other, &options, &http, &diag), ALEA_SYSTEM);
  alea_diag_clear(&diag);
  alea_player_server_free(s);
  assert_int_equal(mem.used, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(plays_for_ggp_base),
      cmocka_unit_test(plays_for_dresden),
      cmocka_unit_test(logs_are_escaped),
      cmocka_unit_test(echoes_spelling),
      cmocka_unit_test(plays_with_chance),
      cmocka_unit_test(plays_by_percepts),
      cmocka_unit_test(plays_when_told_all),
      cmocka_unit_test(plays_blind),
      cmocka_unit_test(is_busy_elsewhere),
      cmocka_unit_test(plays_several),
      cmocka_unit_test(explains),
      cmocka_unit_test(speaks_http),
      cmocka_unit_test(reads_to_the_end),
      cmocka_unit_test(ends_while_reading),
      cmocka_unit_test(limits_bytes),
      cmocka_unit_test(cuts_the_slow),
      cmocka_unit_test(ponders),
      cmocka_unit_test(answers_while_thinking),
      cmocka_unit_test(moves_in_time),
      cmocka_unit_test(forgets),
      cmocka_unit_test(finds_ports),
      cmocka_unit_test(shows),
      cmocka_unit_test(shows_changes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
