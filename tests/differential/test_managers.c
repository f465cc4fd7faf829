/* Both sides of a match as ggp-base conducts it: a manager that knows no `sees`
 * and sends joint moves in every game, and players that understand nothing
 * else.  The other side is the prover, by itself; rules are plain and scrambled. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "cmocka_all.h"
#include "match/runner.h"
#include "net/http_client.h"
#include "net/http_player.h"
#include "support/player_server.h"
#include "support/raw_http.h"

enum { MOST_ROLES = 4, CLOCK = 30, MOST_STEPS = 60 };

static const char *const games[] = {
    "tictactoe",     "nim",        "connect-four",      "breakthrough",
    "orchard-light", "token-game", "prisoners-dilemma", "rock-paper-scissors",
    "kuhn-poker",    "monty-hall", "blind-tictactoe",   "latent-tictactoe", /* with `sees` */
};
enum { GAMES = sizeof games / sizeof *games, FIRST_HIDDEN = 8 };

/* The rules as the manager has them, and the prover's game of them. */
typedef struct sheet {
  alea_mem mem;
  alea_protocol_text words;
  alea_opened opened;
} sheet;

static void open_sheet(sheet *s, const char *game, bool scramble) {
  alea_opened plain;
  alea_mem_init(&s->mem, 0);
  alea_protocol_text_options options = {.scramble = scramble, .seed = 7};
  assert_int_equal(alea_open_text(&plain, game, 0, NULL), ALEA_OK);
  assert_int_equal(alea_protocol_text_init(&s->words, alea_text_string(&plain.source),
                                           plain.source.length, &options, &s->mem, NULL),
                   ALEA_OK);
  alea_opened_clear(&plain);
  alea_open_options prover = {.engine = ALEA_ENGINE_PROVER};
  assert_int_equal(alea_open_rules(&s->opened, game, alea_text_string(&s->words.rules),
                                   s->words.rules.length, &prover, NULL, NULL),
                   ALEA_OK);
}

static void close_sheet(sheet *s) {
  alea_opened_clear(&s->opened);
  alea_protocol_text_clear(&s->words);
  assert_int_equal(s->mem.used, 0);
}

/* ---- the manager ---- */

/* `( PLAY id (m1 m2 ) )`, or with NIL before the first step. */
static void put_message(alea_text *out, const char *verb, const alea_game *game,
                        const alea_move *joint) {
  alea_text_truncate(out, 0);
  alea_text_format(out, "( %s Match.1 ", verb);
  if (joint == NULL) alea_text_put(out, "NIL");
  for (uint32_t r = 0; joint != NULL && r < game->role_count; r++) {
    alea_text_put(out, r == 0 ? "(" : " ");
    alea_game_move_text(game, r, joint[r], true, out);
  }
  alea_text_put(out, joint == NULL ? " )" : " ) )");
}

static alea_move ask_move(alea_player_server *server, alea_cursor *cursor, uint32_t role,
                          const char *message) {
  double before = alea_clock_wall();
  char *reply = raw_ask(alea_player_server_port(server), RAW_GGP_BASE, message);
  bool legal = false;
  alea_list list;
  assert_int_equal(alea_cursor_legal(cursor, role, &list), ALEA_OK);
  alea_move move = alea_game_move_find(cursor->game, role, raw_body(reply));
  if (move != ALEA_NO_MOVE) legal = alea_list_has(list, move);
  if (!legal) fail_msg("%s\nwas answered\n%s", message, raw_body(reply));
  /* Spelled as the rules are, or ggp-base does not know it. */
  alea_text text;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_text_init(&text, &mem);
  alea_game_move_text(cursor->game, role, move, true, &text);
  assert_string_equal(alea_text_string(&text), raw_body(reply));
  alea_text_clear(&text);
  free(reply);
  assert_true(alea_clock_wall() - before < CLOCK);
  return move;
}

static void start_all(alea_player_server *const *servers, const sheet *s) {
  const alea_game *game = s->opened.game;
  alea_mem mem;
  alea_text text;
  alea_mem_init(&mem, 0);
  alea_text_init(&text, &mem);
  for (uint32_t r = 0; r < game->role_count; r++) {
    if ((int)r == game->random_role) continue;
    alea_text_truncate(&text, 0);
    alea_text_format(&text, "( START Match.1 %s ( ", game->role_spelling[r]);
    alea_text_put(&text, alea_text_string(&s->words.rules));
    alea_text_format(&text, " ) %d %d)", (int)CLOCK, (int)CLOCK);
    assert_true(raw_says(alea_player_server_port(servers[r]), RAW_GGP_BASE, alea_text_string(&text),
                         "ready"));
  }
  alea_text_clear(&text);
}

/* Plays one match as ggp-base's manager does, chance uniformly. */
static void conduct(const sheet *s, alea_player_server *const *servers, alea_rng *rng) {
  const alea_game *game = s->opened.game;
  alea_mem mem;
  alea_text text;
  alea_cursor *cursor;
  alea_move joint[MOST_ROLES], next[MOST_ROLES];
  bool over = false;
  alea_mem_init(&mem, 0);
  alea_text_init(&text, &mem);
  assert_int_equal(alea_cursor_new(game, &mem, &cursor), ALEA_OK);
  start_all(servers, s);
  for (int step = 0; !over && step < MOST_STEPS; step++) {
    put_message(&text, "PLAY", game, step > 0 ? joint : NULL);
    for (uint32_t r = 0; r < game->role_count; r++) {
      alea_list list;
      assert_int_equal(alea_cursor_legal(cursor, r, &list), ALEA_OK);
      next[r] = (int)r == game->random_role ? list.ids[alea_rng_below(rng, list.count)]
                                            : ask_move(servers[r], cursor, r, text.data);
    }
    memcpy(joint, next, sizeof joint);
    assert_int_equal(alea_cursor_play(cursor, joint), ALEA_OK);
    assert_int_equal(alea_cursor_terminal(cursor, &over), ALEA_OK);
  }
  assert_true(over);
  put_message(&text, "STOP", game, joint);
  for (uint32_t r = 0; r < game->role_count; r++)
    if ((int)r != game->random_role)
      assert_true(raw_says(alea_player_server_port(servers[r]), RAW_GGP_BASE, text.data, "done"));
  alea_cursor_free(cursor);
  alea_text_clear(&text);
  assert_int_equal(mem.used, 0);
}

static void our_players_serve_ggp_base(void **state) {
  (void)state;
  static const char *const players[] = {"alea", "uct", "mc", "legal"};
  alea_rng rng;
  alea_rng_seed(&rng, 11);
  for (size_t g = 0; g < GAMES; g++) {
    for (int scramble = 0; scramble < 2; scramble++) {
      alea_player_server *servers[MOST_ROLES];
      sheet s;
      open_sheet(&s, games[g], scramble);
      assert_int_equal(s.opened.game->has_sees, g >= FIRST_HIDDEN);
      for (uint32_t r = 0; r < s.opened.game->role_count; r++)
        servers[r] = serve_player(players[(g + r + (size_t)scramble) % 4]);
      conduct(&s, servers, &rng);
      for (uint32_t r = 0; r < s.opened.game->role_count; r++) alea_player_server_free(servers[r]);
      close_sheet(&s);
    }
  }
}

/* ---- the players ---- */

/* ggp-base's player: it reads joint moves alone, drops everything else, and is
 * busy until its STOP or ABORT. */
typedef struct base_player {
  alea_http_server *server;
  pthread_mutex_t lock;
  alea_mem mem;
  alea_rng rng;
  bool busy, over;
  alea_opened opened;
  alea_cursor *cursor;
  char id[200];
  uint32_t role;
  int goals[MOST_ROLES];
  unsigned dropped, matches;
} base_player;

static void base_start(base_player *p, alea_slice id, alea_slice role, alea_slice rules) {
  alea_open_options prover = {.engine = ALEA_ENGINE_PROVER};
  alea_slice inside = alea_slice_inside(rules);
  snprintf(p->id, sizeof p->id, "%.*s", (int)id.length, id.at);
  assert_int_equal(
      alea_open_rules(&p->opened, "rules", inside.at, inside.length, &prover, NULL, NULL), ALEA_OK);
  assert_int_equal(alea_cursor_new(p->opened.game, &p->mem, &p->cursor), ALEA_OK);
  const alea_game *game = p->opened.game;
  for (p->role = 0; !alea_slice_is(role, game->role_text[p->role]);) p->role++;
  p->busy = true;
  p->over = false;
}

static void base_end(base_player *p) {
  alea_cursor_free(p->cursor);
  alea_opened_clear(&p->opened);
  p->cursor = NULL;
  p->busy = false;
}

/* False: that is no joint move. */
static bool base_step(base_player *p, alea_slice moves) {
  const alea_game *game = p->opened.game;
  alea_move joint[MOST_ROLES];
  uint32_t count = 0;
  if (alea_slice_is_nil(moves)) return true;
  if (!alea_slice_is_list(moves)) return false;
  alea_slice inside = alea_slice_inside(moves);
  for (alea_slice term; alea_slice_take(&inside, &term) == ALEA_SLICE_TERM; count++) {
    char text[1000];
    alea_list legal;
    if (count == game->role_count || term.length >= sizeof text) return false;
    memcpy(text, term.at, term.length);
    text[term.length] = '\0';
    assert_int_equal(alea_cursor_legal(p->cursor, count, &legal), ALEA_OK);
    joint[count] = alea_game_move_find(game, count, text);
    if (!alea_list_has(legal, joint[count])) return false;
  }
  return count == game->role_count && alea_cursor_play(p->cursor, joint) == ALEA_OK;
}

static void base_move(base_player *p, alea_text *reply) {
  alea_list legal;
  assert_int_equal(alea_cursor_legal(p->cursor, p->role, &legal), ALEA_OK);
  alea_move move = legal.ids[alea_rng_below(&p->rng, legal.count)];
  alea_game_move_text(p->opened.game, p->role, move, true, reply);
}

static void base_stop(base_player *p) {
  assert_int_equal(alea_cursor_terminal(p->cursor, &p->over), ALEA_OK);
  for (uint32_t r = 0; r < p->opened.game->role_count; r++)
    assert_int_equal(alea_cursor_goal(p->cursor, r, &p->goals[r]), ALEA_OK);
  p->matches++;
  base_end(p);
}

static void base_answer(base_player *p, const char *text, size_t length, alea_text *reply) {
  alea_slice rest = {text, length}, whole, part[8];
  size_t count = 0;
  assert_int_equal(alea_slice_take(&rest, &whole), ALEA_SLICE_TERM);
  assert_true(strncmp(text, "( ", 2) == 0 && text[length - 1] == ')');
  rest = alea_slice_inside(whole);
  while (count < 8 && alea_slice_take(&rest, &part[count]) == ALEA_SLICE_TERM) count++;
  bool start = count == 6 && alea_slice_is(part[0], "START");
  bool play = count == 3 && alea_slice_is(part[0], "PLAY");
  bool stop = count == 3 && alea_slice_is(part[0], "STOP");
  if (alea_slice_is(part[0], "INFO")) {
    alea_text_format(reply, "( ( name base%u ) ( status %s ) )", (unsigned)p->role,
                     p->busy ? "busy" : "available");
  } else if (start && !p->busy) {
    base_start(p, part[1], part[2], part[3]);
    alea_text_put(reply, "ready");
  } else if ((play || stop) && p->busy && alea_slice_is(part[1], p->id) && base_step(p, part[2])) {
    if (play) base_move(p, reply);
    if (stop) base_stop(p);
    if (stop) alea_text_put(reply, "done");
  } else {
    p->dropped++;
  }
}

static void base_handle(void *context, const alea_http_request *request, alea_http_reply *reply) {
  base_player *p = context;
  pthread_mutex_lock(&p->lock);
  base_answer(p, request->body, request->length, &reply->body);
  pthread_mutex_unlock(&p->lock);
}

static void base_open(base_player *p, uint64_t seed) {
  *p = (base_player){0};
  alea_mem_init(&p->mem, 0);
  alea_rng_seed(&p->rng, seed);
  pthread_mutex_init(&p->lock, NULL);
  alea_http_options http = {.port = 0};
  assert_int_equal(alea_http_server_new(&p->server, &http, base_handle, p, NULL), ALEA_OK);
}

static void base_close(base_player *p) {
  alea_http_server_free(p->server);
  if (p->busy) base_end(p);
  pthread_mutex_destroy(&p->lock);
  assert_int_equal(p->mem.used, 0);
}

/* Our manager with two of these players; both sides must agree on the goals. */
static void host_match(const char *game, bool scramble, base_player *players) {
  alea_http_players remotes = {.dialect = ALEA_GGP_BASE, .scramble = scramble};
  alea_opened opened;
  alea_open_options open = {.engine = ALEA_ENGINE_AUTO};
  alea_mem mem;
  alea_record record;
  char urls[MOST_ROLES][40];
  const char *texts[MOST_ROLES];
  alea_mem_init(&mem, 0);
  alea_record_init(&record, &mem);
  assert_int_equal(alea_open(&opened, game, &open, NULL), ALEA_OK);
  size_t count = opened.game->role_count - (opened.game->random_role >= 0);
  for (size_t i = 0; i < count; i++) {
    snprintf(urls[i], sizeof urls[i], "http://127.0.0.1:%u",
             alea_http_server_port(players[i].server));
    texts[i] = urls[i];
  }
  alea_match_options options = {.players = texts,
                                .player_count = count,
                                .start = CLOCK,
                                .time = CLOCK,
                                .grace = 1,
                                .seed = 5,
                                .step_cap = 200,
                                .remote = alea_http_player_open,
                                .remote_context = &remotes};
  assert_int_equal(alea_match_run(&record, &opened, &options, NULL, NULL, NULL), ALEA_OK);
  assert_true(record.completed);
  if (record.faults > 0) fail_msg("%s, scrambled %d: %u faults", game, scramble, record.faults);
  for (size_t i = 0; i < count; i++) {
    assert_int_equal(players[i].dropped, 0);
    assert_false(players[i].busy);
    assert_true(players[i].over);
    for (uint32_t r = 0; r < opened.game->role_count; r++)
      if ((int)r != opened.game->random_role)
        assert_int_equal(players[i].goals[r], record.goals[r]);
  }
  alea_record_clear(&record);
  alea_opened_clear(&opened);
  assert_int_equal(mem.used, 0);
}

static void our_manager_hosts_ggp_base(void **state) {
  (void)state;
  base_player players[2];
  assert_int_equal(alea_http_global(), ALEA_OK);
  for (size_t i = 0; i < 2; i++) base_open(&players[i], 3 + i);
  for (size_t g = 0; g < GAMES; g++)
    for (int scramble = 0; scramble < 2; scramble++) host_match(games[g], scramble, players);
  assert_int_equal(players[0].matches, 2 * GAMES);
  for (size_t i = 0; i < 2; i++) base_close(&players[i]);
  alea_http_global_end();
}

/* ---- players that are not there, or do not end ---- */

/* Answers INFO as told and notes the first letters of all messages. */
typedef struct odd_player {
  alea_http_server *server;
  pthread_mutex_t lock;
  const char *info; /* NULL: no answer in time */
  bool ignores_stop;
  char heard[40];
} odd_player;

static void odd_handle(void *context, const alea_http_request *request, alea_http_reply *reply) {
  odd_player *p = context;
  bool info = strncmp(request->body, "( INFO", 6) == 0,
       stop = request->body[2] == 'S' && request->body[4] == 'O';
  pthread_mutex_lock(&p->lock);
  size_t at = strlen(p->heard);
  if (at + 2 < sizeof p->heard) p->heard[at] = stop ? 'E' : request->body[2];
  pthread_mutex_unlock(&p->lock);
  if ((info && p->info == NULL) || (stop && p->ignores_stop)) raw_sleep(1.5);
  alea_text_put(&reply->body, info && p->info != NULL ? p->info : "noop");
}

static void odd_open(odd_player *p, const char *info, char *url, size_t size) {
  alea_http_options http = {.port = 0};
  pthread_mutex_init(&p->lock, NULL);
  p->info = info;
  assert_int_equal(alea_http_server_new(&p->server, &http, odd_handle, p, NULL), ALEA_OK);
  snprintf(url, size, "http://127.0.0.1:%u", alea_http_server_port(p->server));
}

static void asks_before_the_match(void **state) {
  (void)state;
  static const struct {
    const char *info, *match, *name, *heard;
    alea_remote_player_state state;
  } cases[] = {
      {"( ( name Ann ) ( status available ) )", NULL, "Ann", "I", ALEA_REMOTE_PLAYER_AVAILABLE},
      {"available", NULL, "", "I", ALEA_REMOTE_PLAYER_AVAILABLE},
      {"((NAME Bo)(SPECIES alien)(STATUS BUSY))", NULL, "Bo", "II", ALEA_REMOTE_PLAYER_BUSY},
      {"( ( name Bo ) ( status busy ) )", "m", "Bo", "IAI", ALEA_REMOTE_PLAYER_BUSY},
      {"(((", NULL, "", "II", ALEA_REMOTE_PLAYER_BUSY},
      {NULL, NULL, "", "I", ALEA_REMOTE_PLAYER_SILENT},
  };
  assert_int_equal(alea_http_global(), ALEA_OK);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    odd_player p = {0};
    char url[40];
    alea_http_players remotes = {.dialect = ALEA_GGP_AUTO};
    alea_mem mem;
    alea_mem_init(&mem, 0);
    alea_text name;
    alea_text_init(&name, &mem);
    odd_open(&p, cases[i].info, url, sizeof url);
    assert_int_equal(alea_http_player_probe(&remotes, url, 0, cases[i].match, &name),
                     cases[i].state);
    assert_string_equal(alea_text_string(&name), cases[i].name);
    alea_http_server_free(p.server);
    assert_string_equal(p.heard, cases[i].heard);
    pthread_mutex_destroy(&p.lock);
    alea_text_clear(&name);
  }
  alea_http_global_end();
}

/* PREVIEW, START, a PLAY for each move, STOP, and ABORT if STOP is ignored. */
static void ends_what_does_not_end(void **state) {
  (void)state;
  assert_int_equal(alea_http_global(), ALEA_OK);
  for (int ignores = 0; ignores < 2; ignores++) {
    odd_player p = {.ignores_stop = ignores};
    char url[40];
    const char *players[] = {url, "legal"};
    alea_http_players remotes = {.dialect = ALEA_GGP_AUTO};
    alea_opened opened;
    alea_open_options open = {.engine = ALEA_ENGINE_AUTO};
    alea_mem mem;
    alea_record record;
    alea_mem_init(&mem, 0);
    alea_record_init(&record, &mem);
    odd_open(&p, "ready", url, sizeof url);
    assert_int_equal(alea_open(&opened, "rock-paper-scissors", &open, NULL), ALEA_OK);
    alea_match_options options = {.players = players,
                                  .player_count = 2,
                                  .preview = ignores ? 1 : 0,
                                  .start = 1,
                                  .time = 1,
                                  .grace = 1,
                                  .step_cap = 2,
                                  .remote = alea_http_player_open,
                                  .remote_context = &remotes};
    assert_int_equal(alea_match_run(&record, &opened, &options, NULL, NULL, NULL), ALEA_OK);
    assert_true(record.completed);
    alea_http_server_free(p.server);
    char expected[8] = "";
    size_t at = 0;
    if (ignores) expected[at++] = 'P';
    expected[at++] = 'S';
    for (size_t i = 0; i < record.moves.count / 2; i++) expected[at++] = 'P';
    expected[at++] = 'E';
    if (ignores) expected[at++] = 'A';
    assert_string_equal(p.heard, expected);
    pthread_mutex_destroy(&p.lock);
    alea_record_clear(&record);
    alea_opened_clear(&opened);
  }
  alea_http_global_end();
}

/* PLAY does not say for which role it is: a second role needs another server. */
static void one_role_of_a_match(void **state) {
  (void)state;
  alea_service_options options = {
      .player = {.player = "legal", .open = {.engine = ALEA_ENGINE_AUTO}, .margin = -1},
      .matches = 2};
  alea_player_server *s = serve_with(&options, 30, 0);
  static const char *const roles[] = {"xplayer", "oplayer", "xplayer"};
  static const char *const replies[] = {"ready", "busy", "ready"};
  for (size_t i = 0; i < 3; i++) {
    char *message = start_message("tictactoe", "m", roles[i], CLOCK, CLOCK, false);
    assert_true(raw_says(alea_player_server_port(s), RAW_GGP_BASE, message, replies[i]));
    free(message);
  }
  assert_true(raw_says(alea_player_server_port(s), RAW_GGP_BASE, "( PLAY m NIL )", "(mark 1 1)"));
  alea_player_server_free(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(our_players_serve_ggp_base), cmocka_unit_test(our_manager_hosts_ggp_base),
      cmocka_unit_test(one_role_of_a_match),        cmocka_unit_test(asks_before_the_match),
      cmocka_unit_test(ends_what_does_not_end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
