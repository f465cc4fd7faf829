/* Players that misbehave, and managers that do: the manager ends every match
 * and notes each fault, the player answers the next who asks properly, and at
 * the end no thread is left and no byte lost.
 *
 * Environment: ALEA_FULL=1 makes 1,000 exchanges of each kind. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/rng.h"
#include "cmocka_all.h"
#include "net/http_client.h"
#include "net/http_player.h"
#include "support/fake_player.h"
#include "support/match_run.h"
#include "support/player_server.h"
#include "support/raw_http.h"

static size_t exchanges(size_t few) {
  const char *full = getenv("ALEA_FULL");
  return full != NULL && full[0] == '1' ? 1000 : few;
}

/* ---- players that misbehave ---- */

enum { WAYS = 16 };

typedef struct faulty {
  fake_way ways[WAYS];
  fake_player *player;
  char url[64];
} faulty;

/* Ways that wait for the clock, or those that do not: no clock is then both
 * long enough for a busy machine and short enough for a test. */
static void make_faulty(faulty *f, bool waits, alea_rng *rng) {
  for (size_t i = 0; i < WAYS; i++) {
    do f->ways[i] = (fake_way)alea_rng_below(rng, FAKE_WAY_COUNT);
    while (fake_waits(f->ways[i]) != waits);
  }
  f->player = fake_player_new(f->ways, WAYS, NULL);
  snprintf(f->url, sizeof f->url, "http://127.0.0.1:%u", fake_player_port(f->player));
}

/* Every fault is noted in its place. */
static size_t check_errors(const alea_record *record, const faulty *f, bool waits) {
  size_t steps = record->moves.count / record->roles, count = 0;
  assert_int_equal(record->errors.count, (steps + 1) * record->roles);
  for (uint32_t r = 0; r < record->roles; r++) {
    assert_string_equal(record->errors.data[r], ""); /* START was answered */
    for (size_t s = 0; s < steps; s++, count++) {
      const char *found = record->errors.data[(s + 1) * record->roles + r];
      const char *expected = fake_error(f[r].ways[s % WAYS]);
      if (strcmp(found, expected) != 0)
        fail_msg("way %d: '%s' instead of '%s'", (int)f[r].ways[s % WAYS], found, expected);
    }
    /* What the manager gave up may not have been looked at yet. */
    if (!waits) assert_int_equal(fake_player_plays(f[r].player), steps);
  }
  assert_int_equal(record->faults, count);
  return count;
}

/* The moves in place of bad ones are drawn beforehand, so they are the same in
 * every match, whatever the faults. */
static void check_moves(const alea_record *record, char **known, alea_mem *mem) {
  alea_text text;
  alea_text_init(&text, mem);
  for (size_t i = 0; i < record->moves.count; i++)
    alea_text_format(&text, "%s ", record->moves.data[i]);
  if (*known == NULL) {
    *known = malloc(text.length + 1);
    assert_non_null(*known);
    memcpy(*known, alea_text_string(&text), text.length + 1);
  }
  assert_string_equal(alea_text_string(&text), *known);
  alea_text_clear(&text);
}

static size_t play_faulty(const alea_opened *opened, bool waits, alea_rng *rng, char **moves) {
  faulty f[2];
  alea_mem mem;
  alea_record record;
  make_faulty(&f[0], waits, rng);
  make_faulty(&f[1], waits, rng);
  alea_mem_init(&mem, 0);
  alea_record_init(&record, &mem);
  alea_http_players remotes = {.dialect = (alea_ggp_dialect)alea_rng_below(rng, 4),
                               .scramble = alea_rng_below(rng, 2) == 1};
  const char *const players[] = {f[0].url, f[1].url};
  alea_match_options options = {.players = players,
                                .player_count = 2,
                                .start = 60,
                                .time = waits ? 0.05 : 60,
                                .seed = 7,
                                .step_cap = 100,
                                .remote = alea_http_player_open,
                                .remote_context = &remotes};
  assert_int_equal(alea_match_run(&record, opened, &options, NULL, NULL, NULL), ALEA_OK);
  assert_true(record.completed);
  size_t count = check_errors(&record, f, waits);
  check_moves(&record, moves, &mem);
  alea_record_clear(&record);
  assert_int_equal(mem.used, 0);
  fake_player_free(f[0].player);
  fake_player_free(f[1].player);
  return count;
}

static void manager_survives(void **state) {
  (void)state;
  unsigned threads = raw_threads();
  alea_opened opened;
  alea_rng rng;
  char *moves = NULL;
  alea_rng_seed(&rng, 5);
  open_game(&opened, "tictactoe");
  size_t made = 0;
  for (size_t i = 0; made < exchanges(60); i++)
    made += play_faulty(&opened, i % 4 == 3, &rng, &moves);
  free(moves);
  alea_opened_clear(&opened);
  assert_int_equal(raw_threads(), threads);
  printf("%zu faulty answers\n", made);
}

/* Nobody there at all: connection refused at every message. */
static void plays_without_players(void **state) {
  (void)state;
  alea_opened opened;
  alea_mem mem;
  alea_record record;
  fake_player *gone = fake_player_new(NULL, 0, "noop");
  char url[64];
  snprintf(url, sizeof url, "http://127.0.0.1:%u", fake_player_port(gone));
  fake_player_free(gone);
  const char *const players[] = {url, "legal"};
  open_game(&opened, "tictactoe");
  alea_mem_init(&mem, 0);
  alea_record_init(&record, &mem);
  alea_http_players remotes = {0};
  alea_match_options options = {.players = players,
                                .player_count = 2,
                                .start = 60,
                                .time = 60,
                                .step_cap = 100,
                                .remote = alea_http_player_open,
                                .remote_context = &remotes};
  assert_int_equal(alea_match_run(&record, &opened, &options, NULL, NULL, NULL), ALEA_OK);
  assert_true(record.completed);
  for (size_t i = 0; i < record.errors.count; i++)
    assert_string_equal(record.errors.data[i], i % 2 == 0 ? "CE" : "");
  alea_record_clear(&record);
  alea_opened_clear(&opened);
  assert_int_equal(mem.used, 0);
}

/* Stopping the match tells the players. */
static alea_status raise_stop(void *context, alea_cursor *cursor, const alea_move *joint,
                              const alea_record *record) {
  (void)cursor, (void)record;
  if (joint != NULL) atomic_store((atomic_bool *)context, true);
  return ALEA_OK;
}

static void aborts(void **state) {
  (void)state;
  alea_player_server *server = serve_player("legal");
  alea_opened opened;
  alea_mem mem;
  alea_record record;
  atomic_bool stop = false;
  char url[64];
  snprintf(url, sizeof url, "http://127.0.0.1:%u", alea_player_server_port(server));
  const char *const players[] = {url, "legal"};
  open_game(&opened, "tictactoe");
  alea_mem_init(&mem, 0);
  alea_record_init(&record, &mem);
  alea_http_players remotes = {.stop = &stop};
  alea_match_options options = {.players = players,
                                .player_count = 2,
                                .start = 60,
                                .time = 60,
                                .step_cap = 100,
                                .stop = &stop,
                                .remote = alea_http_player_open,
                                .remote_context = &remotes};
  assert_int_equal(alea_match_run(&record, &opened, &options, raise_stop, &stop, NULL), ALEA_OK);
  assert_true(record.aborted && !record.completed && record.states.count == 2);
  assert_int_equal(alea_player_server_finished(server), 1);
  alea_record_clear(&record);
  alea_opened_clear(&opened);
  alea_player_server_free(server);
  assert_int_equal(mem.used, 0);
}

/* ---- managers that misbehave ---- */

enum { HELD = 8, LIMIT = 100000 };

typedef struct rude {
  uint16_t port;
  char *rude;  /* START of the match r, which nobody plays properly */
  char *start; /* and of m */
  int held[HELD];
  size_t next;
} rude;

static void send_and_leave(rude *m, const char *bytes, size_t count, bool tear) {
  int fd = raw_connect(m->port);
  raw_send(fd, bytes, count);
  if (tear) raw_tear(fd);
  close(fd);
}

static void post_and_leave(rude *m, const char *message, bool tear) {
  char *request = raw_request(RAW_GGP_BASE, message);
  send_and_leave(m, request, strlen(request), tear);
  free(request);
}

static void half_close(rude *m, const char *bytes) {
  int fd = raw_connect(m->port);
  raw_send(fd, bytes, strlen(bytes));
  shutdown(fd, SHUT_WR);
  free(raw_read(fd, 60, NULL));
  close(fd);
}

/* Begins and never goes on. */
static void hang(rude *m, const char *bytes) {
  int fd = raw_connect(m->port);
  raw_send(fd, bytes, strlen(bytes));
  if (m->held[m->next] >= 0) close(m->held[m->next]);
  m->held[m->next] = fd;
  m->next = (m->next + 1) % HELD;
}

static void flood(rude *m) {
  static const char head[] = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
  char block[4102] = "1000\r\n";
  memset(block + 6, 'x', 4096);
  int fd = raw_connect(m->port);
  bool open = raw_send(fd, head, sizeof head - 1);
  for (int i = 0; open && i < 500; i++)
    open = raw_send(fd, block, sizeof block) && raw_send(fd, "\r\n", 2);
  close(fd);
}

static void ask_for_nothing(rude *m, const char *message) {
  free(raw_ask(m->port, RAW_GGP_BASE, message));
}

static void *play_alone(void *argument) {
  rude *m = argument;
  free(raw_ask(m->port, RAW_GGP_BASE, "( PLAY r NIL )"));
  return NULL;
}

/* Two PLAYs and an ABORT at the same time. */
static void crowd(rude *m) {
  pthread_t first, second;
  ask_for_nothing(m, m->rude);
  assert_int_equal(pthread_create(&first, NULL, play_alone, m), 0);
  assert_int_equal(pthread_create(&second, NULL, play_alone, m), 0);
  ask_for_nothing(m, "( ABORT r )");
  pthread_join(first, NULL);
  pthread_join(second, NULL);
}

enum { RUDE_WAYS = 18 };

static void be_rude(rude *m, uint32_t way) {
  switch (way) {
    case 0: send_and_leave(m, "", 0, false); break;
    case 1: send_and_leave(m, "POST / HT", 9, false); break;
    case 2: send_and_leave(m, "POST / HT", 9, true); break;
    case 3: half_close(m, "POST / HTTP/1.0\r\nContent-Length: 100\r\n\r\n( INFO )"); break;
    case 4: half_close(m, "\x16\x03\x01\x02 (((((( \xff\xfe \r\n\r\n"); break;
    case 5: post_and_leave(m, m->rude, false); break;
    case 6: post_and_leave(m, "( PLAY r NIL )", false); break;
    case 7: post_and_leave(m, m->rude, true); break;
    case 8: post_and_leave(m, "( PLAY r NIL )", true); break;
    case 9: half_close(m, "POST / HTTP/1.0\r\nContent-Length: 999999999\r\n\r\nx"); break;
    case 10: flood(m); break;
    case 11: hang(m, "POST / HTTP/1.0\r\nConte"); break;
    case 12: hang(m, "POST / HTTP/1.0\r\nContent-Length: 50\r\n\r\n( ST"); break;
    case 13: ask_for_nothing(m, "( PLAY r ((fly 9 9) (((( )))) ) )"); break;
    case 14: ask_for_nothing(m, "( START r q ( (role p) (init ( ) 5 5)"); break;
    case 15: ask_for_nothing(m, "( START r q ( (role p) (legal p ()) ) 5 5)"); break;
    case 16: ask_for_nothing(m, "( STOP nobody ((mark 1 1) noop ) )"); break;
    case 17: crowd(m); break;
  }
}

/* Whatever happened: a proper manager is served. */
static void play_properly(rude *m) {
  assert_true(
      raw_says(m->port, RAW_GGP_BASE, "( INFO )", "( ( name alea ) ( status available ) )"));
  assert_true(raw_says(m->port, RAW_GGP_BASE, m->start, "ready"));
  assert_true(raw_says(m->port, RAW_GGP_BASE, "( PLAY m NIL )", "(mark 1 1)"));
  assert_true(raw_says(m->port, RAW_GGP_BASE, "( PLAY m ((mark 1 1) noop ) )", "noop"));
  assert_true(raw_says(m->port, RAW_GGP_BASE, "( STOP m NIL )", "done"));
}

static void player_survives(void **state) {
  (void)state;
  unsigned threads = raw_threads();
  alea_service_options options = {
      .player = {.player = "legal",
                 .open = {.engine = ALEA_ENGINE_AUTO, .ground_seconds = 60},
                 .margin = -1},
      .matches = 2};
  alea_player_server *server = serve_with(&options, 5, LIMIT);
  rude m = {.port = alea_player_server_port(server)};
  m.rude = start_message("tictactoe", "r", "xplayer", 60, 60, false);
  m.start = start_message("tictactoe", "m", "xplayer", 60, 60, false);
  for (size_t i = 0; i < HELD; i++) m.held[i] = -1;
  alea_rng rng;
  alea_rng_seed(&rng, 11);
  size_t count = exchanges(60);
  for (size_t i = 0; i < count; i++) {
    be_rude(&m, i < RUDE_WAYS ? (uint32_t)i : alea_rng_below(&rng, RUDE_WAYS));
    if (i % 20 == 19) play_properly(&m);
  }
  play_properly(&m);
  for (size_t i = 0; i < HELD; i++)
    if (m.held[i] >= 0) close(m.held[i]);
  free(m.rude);
  free(m.start);
  alea_player_server_free(server);
  assert_int_equal(raw_threads(), threads);
  printf("%zu rude requests\n", count);
}

static void *do_nothing(void *argument) { return argument; }

static int go_online(void **state) {
  (void)state;
  pthread_t thread; /* the thread sanitizer adds one of its own to the first */
  if (pthread_create(&thread, NULL, do_nothing, NULL) == 0) pthread_join(thread, NULL);
  return alea_http_global() == ALEA_OK ? 0 : -1;
}

static int go_offline(void **state) {
  (void)state;
  alea_http_global_end();
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(manager_survives),
      cmocka_unit_test(plays_without_players),
      cmocka_unit_test(aborts),
      cmocka_unit_test(player_survives),
  };
  return cmocka_run_group_tests(tests, go_online, go_offline);
}
