/* alea host: a game manager. */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "cli/human.h"
#include "cli/interrupt.h"
#include "match/runner.h"
#include "match/signature.h"
#include "net/http_client.h"
#include "net/http_player.h"
#include "net/live_text.h"

/* clang-format off */
#define OPTIONS(row)                                                                      \
  row(texts, player, "", 0, 0, "P", "one per role in role order: http://host:port, human, or a player of ours") \
  row(integer, start, "10", 1, 1e6, "S", "start clock, seconds")                          \
  row(integer, time, "5", 1, 1e6, "S", "play clock, seconds")                             \
  row(real, grace, "1", 0, 1e6, "S", "seconds a move may be late")                        \
  row(integer, sims, "0", 0, 9e15, "N", "simulations per move of our own players")        \
  row(choice, dialect, "auto", 0, 0, ALEA_CHOICE_WORDS(ALEA_GGP_DIALECTS), "how to speak with players elsewhere") \
  row(flag, scramble, "", 0, 0, "", "other words for the players elsewhere")              \
  row(integer, preview, "0", 0, 1e6, "S", "preview clock, seconds: players elsewhere see the rules before START; 0 is none") \
  row(real, wait, "5", 0, 1e6, "S", "seconds to wait until all players are available")    \
  row(flag, wait_for_players, "", 0, 0, "", "wait for them as long as it takes")          \
  row(flag, start_anyway, "", 0, 0, "", "play even if a player is busy or does not answer") \
  row(integer, seed, "1", 0, 9e18, "N", "seed of everything random")                      \
  row(integer, step_cap, "1000", 1, 1e9, "N", "steps after which the match is aborted")   \
  row(integer, watch_port, "-1", -1, 65535, "N", "show the growing record at this port, as JSON and at /events as it changes; 0 is any free one") \
  row(text, save, "", 0, 0, "FILE", "write the record there, too")                        \
  row(text, sign, "", 0, 0, "KEYS", "sign the record with the keys of this file (docs/GGP.md)") \
  row(text, game_url, "", 0, 0, "URL", "the game's address, for the record")              \
  row(text, event, "", 0, 0, "NAME", "the tournament's name, for the record")             \
  row(flag, draw, "", 0, 0, "", "draw every position")                                    \
  row(flag, ascii, "", 0, 0, "", "no box-drawing characters")                             \
  row(choice, color, "auto", 0, 0, ALEA_CHOICE_WORDS(ALEA_CLI_COLOURS), "whether what is new on the board is coloured") \
  row(flag, json, "", 0, 0, "", "print the record as one JSON object")                    \
  ALEA_OPEN_OPTIONS(row)
/* clang-format on */
ALEA_OPTION_TABLE(OPTIONS)

static const alea_command command = {
    .name = "host",
    .operands = "GAME",
    .summary = "manages a match between players elsewhere, our own, and people",
    .details =
        "Late, illegal, malformed and missing moves are replaced by random legal ones and\n"
        "noted as ggp-base does: TO, IL move, IL null, CE.  The role random needs no player.",
    .example = "alea host tictactoe --player http://127.0.0.1:9147 --player uct --time 5",
    .options = rows,
    .option_count = sizeof rows / sizeof *rows,
    .least_operands = 1,
    .most_operands = 1,
};

typedef struct host_table {
  alea_cli_session *session;
  const values *v;
  alea_cli_drawing art;
  alea_cli_seats seats;
  alea_live_text *live; /* NULL: the match is not shown */
  alea_text json;
  alea_text keys;   /* the file of keys */
  alea_arena names; /* what players elsewhere call themselves */
} host_table;

/* ---- showing ---- */

static void show_record(host_table *t, const alea_record *record) {
  alea_text_truncate(&t->json, 0);
  alea_record_json(record, &t->json);
  if (!t->json.failed) alea_live_text_put(t->live, alea_text_string(&t->json), t->json.length);
}

static alea_status on_step(void *context, alea_cursor *cursor, const alea_move *joint,
                           const alea_record *record) {
  host_table *t = context;
  alea_text *out = &t->session->out;
  alea_status status = ALEA_OK;
  if (t->live != NULL) show_record(t, record);
  if (t->v->json) return ALEA_OK;
  if (joint != NULL) alea_cli_drawing_step(&t->art, joint, record);
  bool over = false;
  status = alea_cursor_terminal(cursor, &over);
  if (status == ALEA_OK && alea_cli_shows(record, cursor->game, over, t->v->draw))
    status = alea_cli_drawing_draw(&t->art, cursor);
  return status == ALEA_OK ? alea_cli_write(out) : status;
}

static void print_faults(alea_text *out, const alea_record *record) {
  for (size_t i = 0; i < record->errors.count; i++) {
    if (record->errors.data[i][0] == '\0') continue;
    alea_text_format(out, "  fault at step %zu of %s: ", i / record->roles,
                     record->role_names[i % record->roles]);
    alea_text_escape(out, record->errors.data[i]); /* may quote what a player sent */
    alea_text_char(out, '\n');
  }
}

static void print_result(host_table *t, const alea_record *record) {
  alea_text *out = &t->session->out;
  size_t steps = record->states.count > 0 ? record->states.count - 1 : 0;
  if (record->completed)
    alea_text_put(out, "result:");
  else
    alea_text_format(out, "aborted at step %zu:", steps);
  for (uint32_t r = 0; r < record->roles; r++) {
    if ((int)r == record->random_role) continue;
    alea_text_format(out, "  %s (%s)", record->role_names[r], record->players[r]);
    if (record->completed) alea_text_format(out, " %d", record->goals[r]);
  }
  alea_text_char(out, '\n');
  print_faults(out, record);
}

static alea_status save(host_table *t, const char *path) {
  FILE *file = fopen(path, "wb");
  bool good = file != NULL && fprintf(file, "%s\n", alea_text_string(&t->json)) > 0;
  if (file != NULL && fclose(file) != 0) good = false;
  if (good) return ALEA_OK;
  alea_diag_error(&t->session->diag, ((alea_place){path, 0, 0}), "system", "cannot be written");
  return ALEA_SYSTEM;
}

static alea_status report(host_table *t, const alea_record *record) {
  alea_status status = ALEA_OK;
  alea_text_truncate(&t->json, 0);
  alea_record_json(record, &t->json);
  if (t->json.failed) return ALEA_SYSTEM;
  if (t->v->sign != NULL)
    status = alea_signature_add(&t->json, alea_text_string(&t->keys), t->keys.length, t->v->sign,
                                &t->session->diag);
  if (t->live != NULL) alea_live_text_put(t->live, alea_text_string(&t->json), t->json.length);
  if (t->v->json) {
    alea_text_format(&t->session->out, "%s\n", alea_text_string(&t->json));
  } else {
    print_result(t, record);
  }
  if (status == ALEA_OK && t->v->save != NULL) status = save(t, t->v->save);
  alea_status written = alea_cli_write(&t->session->out);
  return status != ALEA_OK ? status : written;
}

/* ---- the match ---- */

/* Asks a player elsewhere whether it can play, and what it is called. */
static alea_status ask_player(host_table *t, const char *url, const char **name) {
  alea_cli_session *session = t->session;
  double seconds = t->v->wait_for_players ? 1e9 : t->v->wait;
  alea_text told;
  alea_text_init(&told, &session->mem);
  alea_remote_player_state state =
      alea_http_player_probe(&t->seats.remotes, url, seconds, NULL, &told);
  alea_text shown;
  alea_text_init(&shown, &session->mem);
  alea_text_escape(&shown, alea_text_string(&told)); /* bytes from outside */
  const char *kept = alea_arena_strdup(&t->names, alea_text_string(&shown), shown.length);
  if (kept != NULL && shown.length > 0) *name = kept;
  alea_text_clear(&shown);
  alea_text_clear(&told);
  if (state == ALEA_REMOTE_PLAYER_AVAILABLE) return ALEA_OK;
  const char *what = state == ALEA_REMOTE_PLAYER_BUSY ? "is busy" : "does not answer";
  if (t->v->start_anyway) {
    alea_diag_warn(&session->diag, ((alea_place){0}), "player", "%s %s", url, what);
    return ALEA_OK;
  }
  alea_diag_error(&session->diag, ((alea_place){0}), "player",
                  "%s %s; the match was not started (--start-anyway plays without it, "
                  "--wait-for-players waits for it)",
                  url, what);
  return ALEA_SYSTEM;
}

/* All players are asked, so that each that is missing is named. */
static alea_status ask_players(host_table *t, const char **names) {
  alea_status status = ALEA_OK;
  for (size_t i = 0; i < t->v->player.count; i++) {
    const char *text = t->v->player.items[i];
    names[i] = text;
    if (strncmp(text, "http://", 7) != 0 || text[7] == '\0') continue;
    alea_status asked = ask_player(t, text, &names[i]);
    if (status == ALEA_OK) status = asked;
  }
  return status;
}

static alea_status run(host_table *t) {
  const values *v = t->v;
  const char *names[ALEA_OPTION_TEXTS];
  alea_match_options options = {
      .players = v->player.items,
      .player_count = v->player.count,
      .names = names,
      .game_url = v->game_url,
      .event = v->event,
      .sims = (uint64_t)v->sims,
      .preview = (double)v->preview,
      .start = (double)v->start,
      .time = (double)v->time,
      .grace = v->grace,
      .seed = (uint64_t)v->seed,
      .step_cap = (uint32_t)v->step_cap,
      .engine = (alea_engine)v->engine,
      .remote = alea_cli_seat_open,
      .remote_context = &t->seats,
      .stop = t->seats.humans.stop,
  };
  alea_record record;
  alea_record_init(&record, &t->session->mem);
  record.scrambled = v->scramble;
  alea_status status = ask_players(t, names);
  if (status == ALEA_OK)
    status = alea_match_run(&record, &t->session->opened, &options, on_step, t, &t->session->diag);
  bool stuck = status == ALEA_INPUT && record.aborted;
  alea_status reported = status == ALEA_OK || stuck ? report(t, &record) : ALEA_OK;
  if (status == ALEA_OK) status = reported;
  if (status == ALEA_OK && !record.completed) {
    size_t steps = record.states.count > 0 ? record.states.count - 1 : 0;
    status = alea_cli_tell_stopped(ALEA_LIMIT, "at step %zu", steps);
    if (!alea_cli_stopped())
      alea_diag_error(&t->session->diag, ((alea_place){0}), "step-cap",
                      "the match was not over after %zu steps (the limit is --step-cap)", steps);
  }
  alea_record_clear(&record);
  return status;
}

static alea_status open_live_text(host_table *t) {
  if (t->v->watch_port < 0) return ALEA_OK;
  alea_http_options http = {.port = (uint16_t)t->v->watch_port};
  sigset_t set, old;
  alea_cli_stop_signals(&set);
  /* Signals go to this thread, which may be reading a line of a human. */
  pthread_sigmask(SIG_BLOCK, &set, &old);
  alea_status status = alea_live_text_new(&t->live, &http, &t->session->diag);
  pthread_sigmask(SIG_SETMASK, &old, NULL);
  if (status == ALEA_OK)
    fprintf(stderr, "alea: watch at http://127.0.0.1:%u\n", alea_live_text_port(t->live));
  return status;
}

/* Keys that cannot sign are found before the match, not after it. */
static alea_status read_keys(host_table *t) {
  const char *path = t->v->sign;
  if (path == NULL) return ALEA_OK;
  alea_status status = alea_open_file(path, &t->keys, &t->session->diag);
  if (status != ALEA_OK) return status;
  alea_text trial;
  alea_text_init(&trial, &t->session->mem);
  alea_text_put(&trial, "{\"trial\":true}");
  status = alea_signature_add(&trial, alea_text_string(&t->keys), t->keys.length, path,
                              &t->session->diag);
  alea_text_clear(&trial);
  return status;
}

static alea_status manage(host_table *t) {
  alea_status status = alea_http_global();
  if (status != ALEA_OK) return status;
  /* Caught without SA_RESTART, so that a signal interrupts reading a line of a human. */
  atomic_bool *stop = alea_cli_session_catch(t->session);
  signal(SIGPIPE, SIG_IGN);
  t->seats = (alea_cli_seats){{t->session, &t->art, stop},
                              {(alea_ggp_dialect)t->v->dialect, t->v->scramble, stop}};
  alea_text_init(&t->json, &t->session->mem);
  alea_text_init(&t->keys, &t->session->mem);
  alea_arena_init(&t->names, &t->session->mem);
  status = read_keys(t);
  if (status == ALEA_OK) status = alea_cli_drawing_open(&t->art, t->session, t->v->ascii);
  if (status == ALEA_OK) alea_cli_drawing_use_colour(&t->art, (alea_cli_colour)t->v->color);
  if (status == ALEA_OK) status = open_live_text(t);
  if (status == ALEA_OK) status = run(t);
  alea_live_text_free(t->live);
  alea_text_clear(&t->json);
  alea_text_clear(&t->keys);
  alea_arena_clear(&t->names);
  alea_cli_drawing_close(&t->art);
  alea_http_global_end();
  return status;
}

int alea_cli_host(int argc, char **argv) {
  values v;
  int operands, result = alea_cli_begin(&command, &v, argc, argv, &operands);
  if (result >= 0) return result;
  alea_open_options options = ALEA_OPEN_OPTIONS_OF(&v);
  alea_cli_session session;
  alea_status status = alea_cli_open(&session, argv[1], &options);
  host_table t = {.session = &session, .v = &v};
  if (status == ALEA_OK) status = manage(&t);
  return alea_cli_close(&session, status);
}
