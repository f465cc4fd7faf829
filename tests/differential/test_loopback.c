/* Matches over HTTP between servers of ours and a manager of ours: a player
 * behind the protocol makes the moves that it makes in this process.  And the
 * manager's requests, byte for byte. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "net/http_client.h"
#include "net/http_player.h"
#include "support/fake_player.h"
#include "support/match_run.h"
#include "support/player_server.h"
#include "support/raw_http.h"

enum { MOST_PLAYERS = 3, SEED = 1 };

/* Plays and returns the moves, one line per step; the caller frees. */
static char *play(const char *game, const char *const *players, size_t count,
                  const alea_http_players *remotes, const char *error) {
  alea_opened opened;
  alea_mem mem;
  alea_record record;
  open_game(&opened, game);
  alea_mem_init(&mem, 0);
  alea_record_init(&record, &mem);
  alea_http_players copy = *remotes;
  alea_match_options options = {.players = players,
                                .player_count = count,
                                .sims = 20,
                                .start = 60,
                                .time = 60,
                                .grace = 1,
                                .seed = SEED,
                                .step_cap = 500,
                                .engine = ALEA_ENGINE_AUTO,
                                .remote = alea_http_player_open,
                                .remote_context = &copy};
  assert_int_equal(alea_match_run(&record, &opened, &options, NULL, NULL, NULL), ALEA_OK);
  assert_true(record.completed);
  alea_text text;
  alea_text_init(&text, &mem);
  for (size_t i = 0; i < record.errors.count; i++) {
    const char *found = record.errors.data[i];
    if (found[0] != '\0' && (error == NULL || strcmp(found, error) != 0))
      fail_msg("%s: role %zu of step %zu: %s", game, i % record.roles, i / record.roles, found);
  }
  for (size_t i = 0; i < record.moves.count; i++)
    alea_text_format(&text, "%s%c", record.moves.data[i],
                     i % record.roles == record.roles - 1 ? '\n' : ' ');
  char *moves = malloc(text.length + 1);
  assert_non_null(moves);
  memcpy(moves, alea_text_string(&text), text.length + 1);
  alea_text_clear(&text);
  alea_record_clear(&record);
  alea_opened_clear(&opened);
  assert_int_equal(mem.used, 0);
  return moves;
}

static char *play_remote(const char *game, const char *player, size_t count,
                         const alea_http_players *remotes) {
  alea_player_server *servers[MOST_PLAYERS];
  char urls[MOST_PLAYERS][64];
  const char *players[MOST_PLAYERS] = {NULL};
  for (size_t i = 0; i < count; i++) {
    servers[i] = serve_player(player);
    snprintf(urls[i], sizeof urls[i], "http://127.0.0.1:%u", alea_player_server_port(servers[i]));
    players[i] = urls[i];
  }
  char *moves = play(game, players, count, remotes, NULL);
  for (size_t i = 0; i < count; i++) {
    assert_int_equal(alea_player_server_finished(servers[i]), 1); /* STOP came */
    alea_player_server_free(servers[i]);
  }
  return moves;
}

static const struct {
  const char *game;
  size_t players;
} games[] = {
    {"tictactoe", 2},     /* plain GDL */
    {"orchard-light", 1}, /* chance */
    {"pacman-shared", 2}, /* shared information */
    {"kuhn-poker", 2},    /* private information */
    {"blind-tictactoe", 2}, {"connect-four-simultaneous", 2},
};

/* `random` uses nothing but its seed and the order of legal moves, so its
 * match is the same wherever it sits. */
static void same_moves(void **state) {
  (void)state;
  static const char *const here[] = {"random", "random", "random"};
  static const alea_http_players plain = {0};
  for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
    char *expected = play(games[i].game, here, games[i].players, &plain, NULL);
    for (alea_ggp_dialect dialect = ALEA_GGP_AUTO; dialect <= ALEA_GGP_GDL2; dialect++) {
      alea_http_players remotes = {.dialect = dialect};
      char *moves = play_remote(games[i].game, "random", games[i].players, &remotes);
      if (strcmp(moves, expected) != 0)
        fail_msg("%s, dialect %d:\n%sinstead of\n%s", games[i].game, (int)dialect, moves, expected);
      free(moves);
    }
    free(expected);
  }
}

/* With other words it is the same game: nothing illegal, and an end. */
static void other_words(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
    alea_http_players remotes = {.dialect = (alea_ggp_dialect)(i % 4), .scramble = true};
    free(play_remote(games[i].game, i % 2 == 0 ? "uct" : "mc", games[i].players, &remotes));
  }
}

/* A guest beside players of our own. */
static void mixed_company(void **state) {
  (void)state;
  static const alea_http_players remotes = {0};
  alea_player_server *server = serve_player("uct");
  char url[64];
  snprintf(url, sizeof url, "http://127.0.0.1:%u", alea_player_server_port(server));
  const char *const players[] = {"random", url};
  free(play("tictactoe", players, 2, &remotes, NULL));
  free(play("kuhn-poker", players, 2, &remotes, NULL));
  alea_player_server_free(server);
}

/* ---- requests, byte for byte ---- */

static const char nim[] =
    "(role A) (role B) (init (heap 2)) (init (control A)) (succ 0 1) (succ 1 2)\n"
    "(<= (legal ?p take) (true (control ?p)) (true (heap ?n)) (succ ?m ?n))\n"
    "(<= (legal A noop) (true (control B))) (<= (legal B noop) (true (control A)))\n"
    "(<= (next (heap ?m)) (true (heap ?n)) (succ ?m ?n))\n"
    "(<= (next (control A)) (true (control B))) (<= (next (control B)) (true (control A)))\n"
    "(<= terminal (true (heap 0))) (goal A 100) (goal B 0)\n";
static const char nim_wire[] =
    "(role A) (role B) (init (heap 2)) (init (control A)) (succ 0 1) (succ 1 2) "
    "(<= (legal ?p take) (true (control ?p)) (true (heap ?n)) (succ ?m ?n)) "
    "(<= (legal A noop) (true (control B))) (<= (legal B noop) (true (control A))) "
    "(<= (next (heap ?m)) (true (heap ?n)) (succ ?m ?n)) "
    "(<= (next (control A)) (true (control B))) (<= (next (control B)) (true (control A))) "
    "(<= terminal (true (heap 0))) (goal A 100) (goal B 0)";
static const char told_rule[] = " (<= (sees ?p (did ?q ?m)) (role ?p) (does ?q ?m))";

/* The headers in front of a message of 'length' bytes. */
static void put_head(char *out, size_t size, uint16_t port, size_t length, bool dresden) {
  char host[64] = "";
  if (!dresden) snprintf(host, sizeof host, "Host: 127.0.0.1:%u\r\n", port);
  snprintf(out, size,
           "POST / HTTP/1.0\r\n%sAccept: text/delim\r\nSender: %s\r\nReceiver: 127.0.0.1:%u\r\n"
           "Content-Type: text/acl\r\nContent-Length: %zu\r\n\r\n",
           host, dresden ? "Gamecontroller" : "GAMESERVER", port, length);
}

static void expect_request(const fake_player *player, size_t index, const char *message,
                           bool dresden) {
  char expected[4096];
  const char *found = fake_player_request(player, index);
  put_head(expected, sizeof expected, fake_player_port(player), strlen(message), dresden);
  strcat(expected, message);
  assert_non_null(found);
  assert_string_equal(found, expected);
}

static void upper(char *text) {
  for (; *text != '\0'; text++)
    if (*text >= 'a' && *text <= 'z') *text = (char)(*text - 32);
}

/* Plays nim against players that always say `take`; 'forms' are START and what
 * player A gets after it, with one %s for the id. */
static void check_requests(alea_ggp_dialect dialect, const char *rules, const char *more,
                           const char *const *forms) {
  alea_opened opened;
  alea_mem mem;
  alea_record record;
  fake_player *a = fake_player_new(NULL, 0, "take"), *b = fake_player_new(NULL, 0, "(take");
  char urls[2][64], message[4096];
  snprintf(urls[0], sizeof urls[0], "http://127.0.0.1:%u", fake_player_port(a));
  snprintf(urls[1], sizeof urls[1], "http://127.0.0.1:%u/", fake_player_port(b));
  const char *const players[] = {urls[0], urls[1]};
  alea_open_options open = {.engine = ALEA_ENGINE_AUTO};
  assert_int_equal(alea_open_rules(&opened, "a game", nim, strlen(nim), &open, NULL, NULL),
                   ALEA_OK);
  alea_mem_init(&mem, 0);
  alea_record_init(&record, &mem);
  record.match_id = "Id.7";
  alea_http_players remotes = {.dialect = dialect};
  alea_match_options options = {.players = players,
                                .player_count = 2,
                                .start = 29.5,
                                .time = 15,
                                .seed = SEED,
                                .step_cap = 10,
                                .remote = alea_http_player_open,
                                .remote_context = &remotes};
  assert_int_equal(alea_match_run(&record, &opened, &options, NULL, NULL, NULL), ALEA_OK);
  assert_true(record.completed);
  assert_int_equal(fake_player_plays(a), 2);
  bool dresden = dialect == ALEA_GGP_DRESDEN;
  snprintf(message, sizeof message, "( START Id.7 A ( %s%s ) 30 15)", rules, more);
  if (dresden) upper(message);
  expect_request(a, 0, message, dresden);
  for (size_t i = 0; i < 3; i++) expect_request(a, i + 1, forms[i], dresden);
  assert_null(fake_player_request(a, 4));
  /* B was never right, and A not in the second step. */
  static const char *const errors[] = {"", "", "", "IL null", "IL take", "IL null"};
  assert_int_equal(record.errors.count, 6);
  for (size_t i = 0; i < 6; i++) assert_string_equal(record.errors.data[i], errors[i]);
  alea_record_clear(&record);
  alea_opened_clear(&opened);
  fake_player_free(a);
  fake_player_free(b);
  assert_int_equal(mem.used, 0);
}

static void sends_as_ggp_base(void **state) {
  (void)state;
  static const char *const forms[] = {"( PLAY Id.7 NIL )", "( PLAY Id.7 (take noop ) )",
                                      "( STOP Id.7 (noop take ) )"};
  check_requests(ALEA_GGP_BASE, nim_wire, "", forms);
}

static void sends_as_dresden(void **state) {
  (void)state;
  static const char *const forms[] = {"( PLAY ID.7 NIL )", "( PLAY ID.7 (TAKE NOOP ) )",
                                      "( STOP ID.7 (NOOP TAKE ) )"};
  check_requests(ALEA_GGP_DRESDEN, nim_wire, "", forms);
}

static void sends_percepts(void **state) {
  (void)state;
  static const char *const forms[] = {
      "( PLAY Id.7 0 NIL NIL )",
      "( PLAY Id.7 1 take ((did A take) (did B noop) ) )",
      "( STOP Id.7 2 noop ((did A noop) (did B take) ) )",
  };
  check_requests(ALEA_GGP_GDL2, nim_wire, told_rule, forms);
}

/* What cannot be a guest says why. */
static void refuses_guests(void **state) {
  (void)state;
  static const struct {
    const char *game, *player;
    double time;
  } rows[] = {
      {"tictactoe", "http://", 1},
      {"tictactoe", "http://a b:1", 1},
      {"tictactoe", "http://127.0.0.1:1", 0},
      {"toss-tictactoe", "http://127.0.0.1:1", 1},
      {"tictactoe", "https://127.0.0.1:1", 1},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    alea_opened opened;
    alea_mem mem;
    alea_record record;
    alea_diag diag;
    alea_http_players remotes = {0};
    const char *const players[] = {rows[i].player, "random"};
    open_game(&opened, rows[i].game);
    alea_mem_init(&mem, 0);
    alea_diag_init(&diag, &mem);
    alea_record_init(&record, &mem);
    alea_match_options options = {.players = players,
                                  .player_count = 2,
                                  .time = rows[i].time,
                                  .sims = 1,
                                  .step_cap = 10,
                                  .remote = alea_http_player_open,
                                  .remote_context = &remotes};
    assert_int_equal(alea_match_run(&record, &opened, &options, NULL, NULL, &diag), ALEA_USAGE);
    assert_int_equal(diag.errors, 1);
    alea_record_clear(&record);
    alea_diag_clear(&diag);
    alea_opened_clear(&opened);
    assert_int_equal(mem.used, 0);
  }
}

static int go_online(void **state) {
  (void)state;
  return alea_http_global() == ALEA_OK ? 0 : -1;
}

static int go_offline(void **state) {
  (void)state;
  alea_http_global_end();
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(same_moves),       cmocka_unit_test(other_words),
      cmocka_unit_test(mixed_company),    cmocka_unit_test(sends_as_ggp_base),
      cmocka_unit_test(sends_as_dresden), cmocka_unit_test(sends_percepts),
      cmocka_unit_test(refuses_guests),
  };
  return cmocka_run_group_tests(tests, go_online, go_offline);
}
