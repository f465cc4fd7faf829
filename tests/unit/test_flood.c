/* `alea serve` among hostile clients, dead managers and rules that never end. */
#include <math.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "alea/player.h"
#include "base/clock.h"
#include "cmocka_all.h"
#include "support/player_server.h"
#include "support/raw_http.h"

static uint16_t port_of(const alea_player_server *s) { return alea_player_server_port(s); }

#define SAYS(server, message, expected) \
  assert_true(raw_says(port_of(server), RAW_GGP_BASE, (message), (expected)))

static const char free_info[] = "( ( name alea ) ( status available ) )";
static const char busy_info[] = "( ( name alea ) ( status busy ) )";

static alea_service_options legal_options(void) {
  return (alea_service_options){
      .player = {.player = "legal",
                 .open = {.engine = ALEA_ENGINE_AUTO, .ground_seconds = 60, .memory = 256 << 20},
                 .margin = -1}};
}

/* Seconds until the number of threads is down to 'threads'; fails after 30. */
static double wait_for_threads(unsigned threads) {
  double start = alea_clock_wall();
  while (raw_threads() > threads) {
    if (alea_clock_wall() > start + 30) fail_msg("%u threads go on", raw_threads() - threads);
    raw_sleep(0.002);
  }
  return alea_clock_wall() - start;
}

/* ---- rules that never end ---- */

/* A game that is won when twelve pigeons sit in eleven holes, each alone: at its
 * end somebody has to go through 12! cases to say that it is lost. */
static void put_pigeons(char *to, size_t size) {
  enum { HOLES = 11 };
  char *end = to + size;
  to += snprintf(to, (size_t)(end - to),
                 "( START m r ( (role r) (init (n 0)) (s 0 1) (s 1 2) (s 2 3) (s 3 4) "
                 "(legal r a) (legal r b) (<= (next (n ?y)) (true (n ?x)) (s ?x ?y)) "
                 "(<= terminal (true (n 4))) (<= (goal r 100) pigeons) "
                 "(<= (goal r 0) (not pigeons)) ");
  for (int i = 0; i < HOLES; i++) to += snprintf(to, (size_t)(end - to), "(d %d) ", i);
  to += snprintf(to, (size_t)(end - to), "(<= pigeons (true (n ?n))");
  for (int i = 0; i <= HOLES; i++) {
    to += snprintf(to, (size_t)(end - to), " (d ?%d)", i);
    for (int k = 0; k < i; k++) to += snprintf(to, (size_t)(end - to), " (distinct ?%d ?%d)", k, i);
  }
  snprintf(to, (size_t)(end - to), ") ) 1 1)");
}

/* Valid rules that keep the grounder and the prover busy for a very long time,
 * each in another loop. */
static const char *const endless[] = {
    /* ten digits: a billion legal moves */
    "(role r) (d 0) (d 1) (d 2) (d 3) (d 4) (d 5) (d 6) (d 7) (d 8) (d 9) (init a) "
    "(<= (legal r (m ?1 ?2 ?3 ?4 ?5 ?6 ?7 ?8 ?9)) (d ?1) (d ?2) (d ?3) (d ?4) (d ?5) (d ?6) "
    "(d ?7) (d ?8) (d ?9)) (<= (next a) (true a)) (goal r 1) (<= terminal (true b))",
    /* the same in the first position */
    "(role r) (d 0) (d 1) (d 2) (d 3) (d 4) (d 5) (d 6) (d 7) (d 8) (d 9) "
    "(<= (init (m ?1 ?2 ?3 ?4 ?5 ?6 ?7 ?8 ?9)) (d ?1) (d ?2) (d ?3) (d ?4) (d ?5) (d ?6) "
    "(d ?7) (d ?8) (d ?9)) (legal r a) (<= (next a) (true a)) (goal r 1) (<= terminal (true b))",
    /* a search without answers */
    "(role r) (d 0) (d 1) (d 2) (d 3) (d 4) (d 5) (d 6) (d 7) (d 8) (d 9) (init a) (legal r a) "
    "(<= p (d ?1) (d ?2) (d ?3) (d ?4) (d ?5) (d ?6) (d ?7) (d ?8) (d ?9) (d ?0) (true (b ?1)) "
    "(true (b ?2))) (<= q (d ?1) (d ?2) (d ?3) (d ?4) (d ?5) (d ?6) (d ?7) (d ?8) (d ?9) "
    "(true (c ?1 ?2 ?3 ?4 ?5 ?6 ?7 ?8 ?9))) (<= (next (b ?x)) p (d ?x)) "
    "(<= (next (c ?1 ?2 ?3 ?4 ?5 ?6 ?7 ?8 ?9)) (d ?1) (d ?2) (d ?3) (d ?4) (d ?5) (d ?6) "
    "(d ?7) (d ?8) (d ?9) (true (b ?1))) (<= terminal q) (goal r 1)",
    /* negation in a circle: conditions to settle */
    "(role r) (n 0 1) (n 1 2) (n 2 3) (n 3 4) (n 4 5) (n 5 6) (n 6 7) (n 7 8) (n 8 9) (n 9 0) "
    "(d 0) (d 1) (d 2) (d 3) (d 4) (d 5) (d 6) (d 7) (d 8) (d 9) (init a) "
    "(<= (e ?1 ?2 ?3 ?4 ?1 ?2 ?3 ?5) (true a) (d ?1) (d ?2) (d ?3) (n ?4 ?5)) "
    "(<= (e ?1 ?2 ?3 ?4 ?1 ?2 ?5 ?4) (true a) (d ?1) (d ?2) (n ?3 ?5) (d ?4)) "
    "(<= (w ?1 ?2 ?3 ?4) (e ?1 ?2 ?3 ?4 ?5 ?6 ?7 ?8) (not (w ?5 ?6 ?7 ?8))) "
    "(<= (legal r a) (not (w 0 0 0 0))) (legal r b) (<= (next a) (true a)) (goal r 1) "
    "(<= terminal (w 1 1 1 1))",
};

/* After ABORT every thread of the match ends at once, whatever it was doing. */
static double abort_after(alea_player_server *s, const char *message, unsigned threads) {
  free(raw_ask(port_of(s), RAW_GGP_BASE, message)); /* `ready`, or why not */
  free(raw_ask(port_of(s), RAW_GGP_BASE, "( ABORT m )"));
  return wait_for_threads(threads);
}

static void abort_reaches_all(void **state) {
  (void)state;
  alea_service_options options = legal_options();
  options.player.player = "uct";
  alea_player_server *s = serve_with(&options, 30, 0);
  SAYS(s, "( INFO )", free_info);
  raw_sleep(0.1);
  unsigned threads = raw_threads();
  double worst = 0;
  char message[8192];
  for (size_t i = 0; i < sizeof endless / sizeof *endless; i++) {
    snprintf(message, sizeof message, "( START m r ( %s ) 1 1)", endless[i]);
    worst = fmax(worst, abort_after(s, message, threads));
  }
  put_pigeons(message, sizeof message);
  worst = fmax(worst, abort_after(s, message, threads));
  print_message("the slowest ended %.3f s after ABORT\n", worst);
  assert_true(worst < 2); /* a tenth of a second where the machine is idle */
  SAYS(s, "( INFO )", free_info);
  alea_player_server_free(s);
}

/* Matches that are over count until they have ended, and nothing piles up. */
static void nothing_piles_up(void **state) {
  (void)state;
  alea_service_options options = legal_options();
  options.player.open.memory = 64 << 20;
  alea_player_server *s = serve_with(&options, 30, 0);
  unsigned most = 0;
  char message[4096];
  for (int i = 0; i < 12; i++) {
    snprintf(message, sizeof message, "( START m%d r ( %s ) 0 1)", i, endless[0]);
    free(raw_ask(port_of(s), RAW_GGP_BASE, message));
    if (raw_threads() > most) most = raw_threads();
    snprintf(message, sizeof message, "( ABORT m%d )", i);
    free(raw_ask(port_of(s), RAW_GGP_BASE, message));
  }
  /* Ours, the server's two, a connection's, and the two of one match; one more
   * may be about to end. */
  assert_true(most <= 9);
  alea_player_server_free(s);
}

/* ---- clocks ---- */

/* A question that takes longer than the clock is cut, and the next is answered. */
static void keeps_short_clocks(void **state) {
  (void)state;
  alea_service_options options = legal_options();
  options.player.player = "uct";
  options.player.open.engine = ALEA_ENGINE_PROVER;
  alea_player_server *s = serve_with(&options, 30, 0);
  char message[8192];
  put_pigeons(message, sizeof message);
  SAYS(s, message, "ready");
  for (int i = 0; i < 3; i++) {
    double start = alea_clock_wall();
    char *reply = raw_ask(port_of(s), RAW_GGP_BASE, i == 0 ? "( PLAY m NIL )" : "( PLAY m (b) )");
    assert_true(strcmp(raw_body(reply), "a") == 0 || strcmp(raw_body(reply), "b") == 0);
    assert_true(alea_clock_wall() - start < 5); /* of 1 s; the question takes hours */
    free(reply);
  }
  SAYS(s, "( ABORT m )", "aborted");
  alea_player_server_free(s);
}

/* What is hidden cannot be found in time: each deal is one of ten thousand.  Moves
 * are made all the same. */
static void answers_without_a_belief(void **state) {
  (void)state;
  alea_service_options options = legal_options();
  options.player.open.engine = ALEA_ENGINE_PROVER;
  alea_player_server *s = serve_with(&options, 30, 0);
  SAYS(s,
       "( START m r ( (role r) (role random) (d 0) (d 1) (d 2) (d 3) (d 4) (d 5) (d 6) (d 7) (d 8)"
       " (d 9) (init s) (<= (next s) (true s)) (legal r a) (legal r b) (goal r 1)"
       " (<= (legal random (deal ?a ?b ?c ?d)) (d ?a) (d ?b) (d ?c) (d ?d))"
       " (<= (sees r (dealt ?a ?b ?c ?d)) (does random (deal ?a ?b ?c ?d)))"
       " (<= terminal (true never)) ) 1 1)",
       "ready");
  for (int i = 0; i < 4; i++) {
    char message[100];
    snprintf(message, sizeof message, "( PLAY m %d %s (%s) )", i, i > 0 ? "a" : "NIL",
             i > 0 ? "(dealt 1 2 3 4)" : "");
    double start = alea_clock_wall();
    char *reply = raw_ask(port_of(s), RAW_GGP_BASE, message);
    assert_true(strcmp(raw_body(reply), "a") == 0 || strcmp(raw_body(reply), "b") == 0);
    assert_true(alea_clock_wall() - start < 5); /* of 1 s */
    free(reply);
  }
  SAYS(s, "( ABORT m )", "aborted");
  alea_player_server_free(s);
}

/* A clock of years would hold a place for years. */
static void refuses_long_clocks(void **state) {
  (void)state;
  alea_service_options options = legal_options();
  options.longest_clock = 100;
  alea_player_server *s = serve_with(&options, 30, 0);
  static const unsigned clocks[][2] = {{101, 1}, {1, 101}, {1000000, 1000000}};
  for (size_t i = 0; i < 3; i++) {
    char *message = start_message("tictactoe", "m", "xplayer", clocks[i][0], clocks[i][1], false);
    char *reply = raw_ask(port_of(s), RAW_GGP_BASE, message);
    assert_non_null(strstr(reply, "HTTP/1.0 400 "));
    assert_non_null(strstr(reply, "clocks over 100 seconds are refused"));
    free(reply);
    free(message);
  }
  SAYS(s, "( INFO )", free_info);
  char *message = start_message("tictactoe", "m", "xplayer", 100, 100, false);
  SAYS(s, message, "ready");
  free(message);
  alea_player_server_free(s);
}

static void keep_line(void *context, const char *line) {
  char *lines = context;
  strncat(lines, line, 900 - strlen(lines));
  strncat(lines, "|", 900 - strlen(lines));
}

/* A manager that died sends no STOP; the next match is not refused for it. */
static void takes_over_what_is_overdue(void **state) {
  (void)state;
  char lines[1000] = "";
  alea_service_options options = legal_options();
  options.overdue = 0.5;
  options.log = keep_line;
  options.context = lines;
  alea_player_server *s = serve_with(&options, 30, 0);
  char *dead = start_message("tictactoe", "dead", "xplayer", 0, 0, false);
  char *next = start_message("tictactoe", "next", "xplayer", 5, 5, false);
  SAYS(s, dead, "ready");
  SAYS(s, "( PLAY dead NIL )", "(mark 1 1)");
  SAYS(s, next, "busy"); /* its manager may be about to send the next PLAY */
  SAYS(s, "( INFO )", busy_info);
  raw_sleep(0.6);
  SAYS(s, "( INFO )", free_info); /* else no manager would send its START */
  SAYS(s, next, "ready");
  SAYS(s, next, "ready"); /* the same once more is the same match */
  SAYS(s, "( PLAY dead NIL )", "busy");
  SAYS(s, "( PLAY next NIL )", "(mark 1 1)");
  alea_player_server_free(s);
  assert_non_null(strstr(lines, "next refused: there is no place for another match|"));
  assert_non_null(strstr(lines, "dead is overdue and given up for another match|"));
  free(dead);
  free(next);
}

/* A busy machine may take longer than the clock to move and to notice that nobody listens. */
static void wait_until_free(alea_player_server *s) {
  bool is_free = false;
  for (int i = 0; i < 50 && !is_free; i++) {
    raw_sleep(0.1);
    char *answer = raw_ask(port_of(s), RAW_GGP_BASE, "( INFO )");
    is_free = answer != NULL && strstr(answer, "available") != NULL;
    free(answer);
  }
  assert_true(is_free);
}

/* A manager that dies while it waits for a move closes its connection; its place
 * is free for the next match long before the clock is over. */
static void takes_over_what_is_deserted(void **state) {
  (void)state;
  char lines[1000] = "";
  alea_service_options options = legal_options();
  options.player.player = "mc";
  options.log = keep_line;
  options.context = lines;
  alea_player_server *s = serve_with(&options, 30, 0);
  char *dead = start_message("tictactoe", "dead", "xplayer", 0, 1000, false);
  char *next = start_message("tictactoe", "next", "xplayer", 0, 1, false);
  char *play = raw_request(RAW_GGP_BASE, "( PLAY dead NIL )");
  char *again = raw_request(RAW_GGP_BASE, "( PLAY next NIL )");
  SAYS(s, dead, "ready");
  int fd = raw_connect(port_of(s));
  assert_true(raw_send(fd, play, strlen(play)));
  raw_sleep(0.2);
  SAYS(s, "( INFO )", busy_info); /* the manager still waits */
  SAYS(s, next, "busy");
  close(fd);
  raw_sleep(0.2);
  SAYS(s, "( INFO )", free_info);
  SAYS(s, next, "ready");
  SAYS(s, "( INFO )", busy_info);
  SAYS(s, "( PLAY dead NIL )", "busy");
  free(raw_ask(port_of(s), RAW_GGP_BASE, "( PLAY next NIL )"));
  SAYS(s, "( INFO )", busy_info);
  /* The same where the answer was ready before anybody asked for the place. */
  fd = raw_connect(port_of(s));
  int together = 1; /* the question and that nobody waits, or the answer may come between them */
  assert_int_equal(setsockopt(fd, IPPROTO_TCP, TCP_CORK, &together, sizeof together), 0);
  assert_true(raw_send(fd, again, strlen(again)));
  close(fd);
  wait_until_free(s);
  SAYS(s, "( ABORT next )", "aborted");
  alea_player_server_free(s);
  assert_non_null(strstr(lines, "dead is left by its manager and given up for another match|"));
  free(play);
  free(again);
  free(dead);
  free(next);
}

/* ---- floods ---- */

typedef struct flood {
  uint16_t port;
  const char *bytes;
  unsigned count;
  atomic_bool stop;
} flood;

/* So many connections, each renewed as soon as it is closed. */
static void *renew(void *argument) {
  flood *f = argument;
  int fds[100];
  char drop[256];
  for (unsigned i = 0; i < f->count; i++) {
    fds[i] = raw_connect(f->port);
    (void)raw_send(fds[i], f->bytes, strlen(f->bytes));
  }
  for (unsigned i = 0; !atomic_load(&f->stop); i = (i + 1) % f->count) {
    (void)recv(fds[i], drop, sizeof drop, MSG_DONTWAIT);
    raw_sleep(0.0005);
    if (raw_send(fds[i], "x", 1)) continue;
    close(fds[i]);
    fds[i] = raw_connect(f->port);
    (void)raw_send(fds[i], f->bytes, strlen(f->bytes));
  }
  for (unsigned i = 0; i < f->count; i++) close(fds[i]);
  return NULL;
}

/* Requests that never end do not make the server deaf. */
static void hears_through_half_sent(void **state) {
  (void)state;
  alea_service_options options = legal_options();
  alea_player_server *s = serve_with(&options, 30, 0);
  char *message = start_message("tictactoe", "m", "xplayer", 30, 30, false);
  flood f = {.port = port_of(s),
             .bytes = "POST / HTTP/1.0\r\nContent-Length: 1000000\r\n\r\n(",
             .count = 100};
  pthread_t thread;
  assert_int_equal(pthread_create(&thread, NULL, renew, &f), 0);
  raw_sleep(0.3);
  for (int i = 0; i < 3; i++) {
    double start = alea_clock_wall();
    SAYS(s, "( INFO )", free_info);
    SAYS(s, message, "ready");
    SAYS(s, "( PLAY m NIL )", "(mark 1 1)");
    SAYS(s, "( ABORT m )", "aborted");
    assert_true(alea_clock_wall() - start < 20); /* less than the patience of 30 s */
  }
  atomic_store(&f.stop, true);
  pthread_join(thread, NULL);
  free(message);
  alea_player_server_free(s);
}

/* Neither do PLAYs that wait for a long clock: two wait, the oldest are told
 * that they are not the last. */
static void hears_through_waiting_plays(void **state) {
  (void)state;
  alea_service_options options = legal_options();
  options.player.player = "mc";
  options.player.open.engine = ALEA_ENGINE_PROVER;
  alea_player_server *s = serve_with(&options, 30, 0);
  char *message = start_message("chess", "m", "white", 1, 1000, false);
  SAYS(s, message, "ready");
  char *play = raw_request(RAW_GGP_BASE, "( PLAY m NIL )");
  enum { WAITING = 90 };
  int fds[WAITING];
  for (int i = 0; i < WAITING; i++) {
    fds[i] = raw_connect(port_of(s));
    assert_true(raw_send(fds[i], play, strlen(play)));
  }
  SAYS(s, "( INFO )", busy_info);
  int busy = 0;
  for (int i = 0; i < WAITING - 2; i++) {
    char *reply = raw_read(fds[i], i == 0 ? 60 : 2, NULL); /* INFO came after all of them */
    busy += strcmp(raw_body(reply), "busy") == 0;
    free(reply);
  }
  assert_true(busy >= WAITING - 4); /* they are heard in any order */
  SAYS(s, "( ABORT m )", "aborted");
  for (int i = 0; i < WAITING; i++) close(fds[i]);
  free(play);
  free(message);
  alea_player_server_free(s);
}

/* Turns that are refused leave nothing behind. */
static void forgets_what_it_refused(void **state) {
  (void)state;
  alea_service_options options = legal_options();
  alea_player_server *s = serve_with(&options, 30, 0);
  char *message = start_message("tictactoe", "m", "xplayer", 30, 30, false);
  SAYS(s, message, "ready");
  SAYS(s, "( PLAY m NIL )", "(mark 1 1)");
  enum { MOVES = 300000, TIMES = 20 };
  char *wrong = malloc(64 + MOVES * 10);
  assert_non_null(wrong);
  char *end = wrong + sprintf(wrong, "( PLAY m (");
  for (int i = 0; i < MOVES; i++) end = strcpy(end, "(mark 9 9)") + 10;
  strcpy(end, ") )");
  double before = 0;
  for (int i = 0; i < TIMES; i++) {
    char *reply = raw_ask(port_of(s), RAW_GGP_BASE, wrong);
    assert_non_null(strstr(reply, "HTTP/1.0 400 "));
    free(reply);
    if (i == 4) before = alea_clock_peak_rss_mb();
  }
  assert_true(alea_clock_peak_rss_mb() - before < 15); /* 15 messages of 3 MB */
  SAYS(s, "( PLAY m ((mark 1 1) noop ) )", "noop");
  free(wrong);
  free(message);
  alea_player_server_free(s);
}

/* ---- players of others ---- */

static alea_status make_deaf(void *context, const alea_agent_seat *seat, void **self) {
  (void)context, (void)seat;
  *self = NULL;
  return ALEA_OK;
}

/* Thinks for three seconds, whatever the clock says and whoever wants it to stop. */
static alea_status think_deaf(void *self, alea_state *state, const alea_agent_budget *budget,
                              bool (*stop)(void *context), void *context, alea_move *move) {
  (void)self, (void)state, (void)budget, (void)stop, (void)context;
  raw_sleep(3);
  *move = ALEA_NO_MOVE;
  return ALEA_NONE;
}

/* A player that is still busy with its first move when the second is wanted: legal moves
 * are sent all the same, in time. */
static void plays_for_the_deaf(void **state) {
  (void)state;
  static const alea_agent_class deaf = {.size = sizeof deaf,
                                        .name = "deaf",
                                        .summary = "hears nothing",
                                        .make = make_deaf,
                                        .think = think_deaf};
  assert_int_equal(alea_agent_register(&deaf), ALEA_OK);
  alea_service_options options = legal_options();
  options.player.player = "deaf";
  alea_player_server *s = serve_with(&options, 30, 0);
  SAYS(s,
       "( START m a ( (role a) (role b) (init (turn 1)) (s 1 2) (s 2 3) (s 3 4) "
       "(<= (legal a go) (true (turn 1))) (<= (legal a wait) (true (turn 2))) "
       "(<= (legal a stay) (true (turn 3))) (legal b noop) "
       "(<= (next (turn ?y)) (true (turn ?x)) (s ?x ?y)) (<= terminal (true (turn 4))) "
       "(goal a 1) (goal b 1) ) 1 1)",
       "ready");
  SAYS(s, "( PLAY m NIL )", "go");
  SAYS(s, "( PLAY m ( go noop ) )", "wait");
  SAYS(s, "( PLAY m ( wait noop ) )", "stay");
  SAYS(s, "( ABORT m )", "aborted");
  alea_player_server_free(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(forgets_what_it_refused),    cmocka_unit_test(abort_reaches_all),
      cmocka_unit_test(nothing_piles_up),           cmocka_unit_test(keeps_short_clocks),
      cmocka_unit_test(answers_without_a_belief),   cmocka_unit_test(refuses_long_clocks),
      cmocka_unit_test(takes_over_what_is_overdue), cmocka_unit_test(takes_over_what_is_deserted),
      cmocka_unit_test(hears_through_half_sent),    cmocka_unit_test(hears_through_waiting_plays),
      cmocka_unit_test(plays_for_the_deaf),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
