/* Remote players over HTTP: the manager's side of the protocol. */
#include "net/http_player.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "net/http_client.h"
#include "net/protocol_text.h"

enum { MOST_ANSWER = 1 << 16, MOST_TERM = 1000 };
static const double connect_seconds = 5;

typedef struct http_player {
  alea_remote_player remote; /* must be the first member */
  const alea_http_players *remotes;
  alea_mem *mem;
  char *url; /* owned */
  alea_protocol_text protocol;
  alea_http_client *client;
  alea_text message, terms, own, scratch;
  uint32_t turn;
  bool broken; /* out of memory while writing the message */
} http_player;

static http_player *http_player_of(alea_remote_player *remote) {
  return (http_player *)(void *)remote;
}

static bool stopped(const alea_http_players *remotes) {
  return remotes->stop != NULL && atomic_load(remotes->stop);
}

static bool is_http(const char *text) { return strncmp(text, "http://", 7) == 0; }

static alea_http_call make_call(const alea_http_players *remotes, const char *url, double seconds) {
  bool dresden = remotes->dialect == ALEA_GGP_DRESDEN;
  return (alea_http_call){
      .url = url,
      .sender = dresden ? "Gamecontroller" : "GAMESERVER",
      .receiver = url + strlen("http://"),
      .host = !dresden,
      .connect = connect_seconds,
      .seconds = seconds,
      .most_bytes = MOST_ANSWER,
  };
}

static void post(http_player *r, double seconds, bool insist) {
  alea_http_call call = make_call(r->remotes, r->url, seconds);
  call.insist = insist;
  if (r->remotes->dialect == ALEA_GGP_DRESDEN) alea_ggp_raise(&r->message);
  r->broken = r->message.failed || r->terms.failed || r->own.failed || r->scratch.failed;
  if (!r->broken)
    alea_http_client_post(r->client, &call, alea_text_string(&r->message), r->message.length);
}

/* ---- requests ---- */

/* Appends the text in 'scratch' to the terms, in the words of the other
 * side. */
static void add_term(http_player *r) {
  if (r->terms.length > 0) alea_text_char(&r->terms, ' ');
  alea_protocol_text_encode(&r->protocol, alea_text_string(&r->scratch), r->scratch.length,
                            &r->terms);
}

static void put_joint(http_player *r, const alea_move *joint, bool told) {
  const alea_game *game = r->remote.setup.opened->game;
  for (uint32_t i = 0; i < game->role_count; i++) {
    alea_text_truncate(&r->scratch, 0);
    if (told)
      alea_text_format(&r->scratch, "(" ALEA_PROTOCOL_TEXT_DID " %s ", game->role_spelling[i]);
    alea_game_move_text(game, i, joint[i], true, &r->scratch);
    if (told) alea_text_char(&r->scratch, ')');
    add_term(r);
  }
}

/* False: what the role sees is not known. */
static bool put_percepts(http_player *r, alea_cursor *cursor) {
  alea_list list;
  if (alea_cursor_percepts(cursor, r->remote.setup.role, &list) != ALEA_OK) return false;
  for (uint32_t i = 0; i < list.count; i++) {
    alea_text_truncate(&r->scratch, 0);
    alea_game_percept_text(cursor->game, list.ids[i], true, &r->scratch);
    add_term(r);
  }
  return true;
}

/* PLAY or STOP with what the role observes of the last step.  False: that is not
 * known, and a message without it would tell the player something wrong. */
static bool put_step(http_player *r, const char *verb, const alea_remote_player_step *step) {
  const alea_game *game = r->remote.setup.opened->game;
  const alea_move *joint = step->joint;
  alea_ggp_dialect dialect = r->remotes->dialect;
  bool turns = dialect == ALEA_GGP_GDL2 || (dialect == ALEA_GGP_AUTO && game->has_sees);
  bool percepts = game->has_sees && dialect != ALEA_GGP_BASE;
  alea_text_truncate(&r->message, 0);
  alea_text_truncate(&r->terms, 0);
  alea_text_truncate(&r->own, 0);
  if (joint != NULL && percepts && !put_percepts(r, step->cursor)) return false;
  if (joint != NULL && !percepts) put_joint(r, joint, turns);
  if (!turns) {
    alea_ggp_put_moves(&r->message, verb, r->remote.setup.match, alea_text_string(&r->terms));
    return true;
  }
  if (joint != NULL) {
    alea_text_truncate(&r->scratch, 0);
    alea_game_move_text(game, r->remote.setup.role, joint[r->remote.setup.role], true, &r->scratch);
    alea_protocol_text_encode(&r->protocol, alea_text_string(&r->scratch), r->scratch.length,
                              &r->own);
  }
  alea_ggp_put_turn(&r->message, verb, r->remote.setup.match, r->turn++, alea_text_string(&r->own),
                    alea_text_string(&r->terms));
  return true;
}

static unsigned whole(double seconds) { return seconds > 1 ? (unsigned)ceil(seconds) : 1; }

static void preview(alea_remote_player *remote, const alea_remote_player_step *step) {
  http_player *r = http_player_of(remote);
  (void)step;
  alea_text_truncate(&r->message, 0);
  alea_ggp_put_preview(&r->message, alea_text_string(&r->protocol.rules),
                       whole(remote->setup.preview));
  post(r, remote->setup.preview, false);
}

static void start(alea_remote_player *remote, const alea_remote_player_step *step) {
  http_player *r = http_player_of(remote);
  const char *role = remote->setup.opened->game->role_spelling[remote->setup.role];
  (void)step;
  alea_text_truncate(&r->message, 0);
  alea_text_truncate(&r->own, 0);
  alea_protocol_text_encode(&r->protocol, role, strlen(role), &r->own);
  alea_ggp_put_start(&r->message, remote->setup.match, alea_text_string(&r->own),
                     alea_text_string(&r->protocol.rules), whole(remote->setup.start),
                     whole(remote->setup.time));
  post(r, remote->setup.start > 0 ? remote->setup.start : 1, false);
}

static void play(alea_remote_player *remote, const alea_remote_player_step *step) {
  http_player *r = http_player_of(remote);
  r->broken = !put_step(r, "PLAY", step);
  if (!r->broken) post(r, remote->setup.time + remote->setup.grace, false);
}

static void stop(alea_remote_player *remote, const alea_remote_player_step *step) {
  http_player *r = http_player_of(remote);
  r->broken = !put_step(r, "STOP", step);
  if (!r->broken) post(r, remote->setup.time, false);
}

static void abort_match(alea_remote_player *remote) {
  http_player *r = http_player_of(remote);
  alea_text_truncate(&r->message, 0);
  alea_ggp_put_abort(&r->message, remote->setup.match);
  /* Sent even though 'stop' is raised, but then hardly waited for. */
  post(r, stopped(r->remotes) ? 0.3 : 1, true);
}

/* ---- answers ---- */

/* The first term of an answer is the move; the rest is ignored. */
static void read_answer(http_player *r, alea_text *text) {
  alea_slice rest = {alea_text_string(&r->scratch), r->scratch.length}, term;
  if (alea_slice_take(&rest, &term) != ALEA_SLICE_TERM || term.length > MOST_TERM) return;
  alea_protocol_text_decode(&r->protocol, term.at, term.length, text);
}

static alea_remote_player_answer answer(alea_remote_player *remote, alea_text *text) {
  http_player *r = http_player_of(remote);
  alea_remote_player_answer result = {.kind = ALEA_REMOTE_PLAYER_LOST};
  if (r->broken) return result;
  alea_text_truncate(&r->scratch, 0);
  switch (alea_http_client_wait(r->client, &r->scratch, &result.seconds)) {
    case ALEA_HTTP_ANSWERED:
      read_answer(r, text);
      result.kind = ALEA_REMOTE_PLAYER_TEXT;
      break;
    case ALEA_HTTP_TOO_LONG: result.kind = ALEA_REMOTE_PLAYER_TEXT; break; /* not a move */
    case ALEA_HTTP_LATE: result.kind = ALEA_REMOTE_PLAYER_LATE; break;
    case ALEA_HTTP_BROKEN: break;
  }
  return result;
}

/* ---- set up ---- */

static void free_remote(alea_remote_player *remote) {
  http_player *r = http_player_of(remote);
  alea_mem *mem = r->mem;
  alea_http_client_free(r->client);
  alea_protocol_text_clear(&r->protocol);
  alea_text_clear(&r->message);
  alea_text_clear(&r->terms);
  alea_text_clear(&r->own);
  alea_text_clear(&r->scratch);
  if (r->url != NULL) alea_mem_free(mem, r->url, strlen(r->url) + 1);
  alea_mem_free(mem, r, sizeof *r);
}

static const alea_remote_player_class class = {
    .preview = preview,
    .start = start,
    .play = play,
    .stop = stop,
    .abort = abort_match,
    .answer = answer,
    .free = free_remote,
};

static const char *objection(const char *text, const alea_remote_player_setup *setup) {
  if (text[strlen("http://")] == '\0' || strpbrk(text, " \t\r\n") != NULL)
    return "is not an address such as http://host:9147";
  if (setup->opened->program == NULL)
    return "plays elsewhere, but only games in GDL can be sent there";
  return setup->time > 0 ? NULL : "plays elsewhere, which takes a clock: give --time";
}

static alea_status fill(http_player *r, const char *text) {
  const alea_remote_player_setup *setup = &r->remote.setup;
  alea_protocol_text_options options = {
      .scramble = r->remotes->scramble,
      .seed = setup->seed,
      .tell_all = r->remotes->dialect == ALEA_GGP_GDL2 && !setup->opened->game->has_sees,
  };
  const alea_text *source = &setup->opened->source;
  r->url = alea_mem_alloc(r->mem, strlen(text) + 1);
  if (r->url == NULL) return ALEA_SYSTEM;
  memcpy(r->url, text, strlen(text) + 1);
  r->client = alea_http_client_new(r->remotes->stop);
  if (r->client == NULL) return ALEA_SYSTEM;
  return alea_protocol_text_init(&r->protocol, alea_text_string(source), source->length, &options,
                                 r->mem, NULL);
}

alea_status alea_http_player_open(void *context, const char *text,
                                  const alea_remote_player_setup *setup,
                                  alea_remote_player **remote, alea_text *message) {
  *remote = NULL;
  if (!is_http(text)) return ALEA_OK;
  const char *why = objection(text, setup);
  if (why != NULL) {
    alea_text_format(message, "%s %s", text, why);
    return ALEA_USAGE;
  }
  http_player *r = alea_mem_zalloc(setup->mem, sizeof *r);
  if (r == NULL) return ALEA_SYSTEM;
  r->remote = (alea_remote_player){&class, *setup};
  r->remotes = context;
  r->mem = setup->mem;
  alea_text_init(&r->message, r->mem);
  alea_text_init(&r->terms, r->mem);
  alea_text_init(&r->own, r->mem);
  alea_text_init(&r->scratch, r->mem);
  alea_status status = fill(r, text);
  if (status != ALEA_OK) {
    free_remote(&r->remote);
    return status;
  }
  *remote = &r->remote;
  return ALEA_OK;
}

/* ---- asking whether a player is there ---- */

/* Sends a message that has one second; true if an answer came. */
static bool ask_briefly(const alea_http_players *remotes, alea_http_client *client, const char *url,
                        const alea_text *message, alea_text *answer_text) {
  alea_http_call call = make_call(remotes, url, 1);
  double took;
  alea_text_truncate(answer_text, 0);
  alea_http_client_post(client, &call, alea_text_string(message), message->length);
  return alea_http_client_wait(client, answer_text, &took) == ALEA_HTTP_ANSWERED;
}

static alea_remote_player_state read_state(const alea_text *reply, alea_text *name) {
  alea_ggp_info info = alea_ggp_read_info(alea_text_string(reply), reply->length);
  alea_text_truncate(name, 0);
  if (info.name.length <= MOST_TERM) alea_text_add(name, info.name.at, info.name.length);
  return info.busy ? ALEA_REMOTE_PLAYER_BUSY : ALEA_REMOTE_PLAYER_AVAILABLE;
}

/* Whoever is busy with a match of this id plays it for a manager that is gone:
 * this one, before it was interrupted. */
static void end_match(const alea_http_players *remotes, alea_http_client *client, const char *url,
                      const char *match, alea_text *message, alea_text *reply) {
  alea_text_truncate(message, 0);
  alea_ggp_put_abort(message, match);
  (void)ask_briefly(remotes, client, url, message, reply);
}

alea_remote_player_state alea_http_player_probe(void *context, const char *url, double seconds,
                                                const char *match, alea_text *name) {
  const alea_http_players *remotes = context;
  alea_http_client *client = alea_http_client_new(remotes->stop);
  alea_remote_player_state state = ALEA_REMOTE_PLAYER_SILENT;
  if (client == NULL) return state;
  alea_text message, reply;
  alea_text_init(&message, name->mem);
  alea_text_init(&reply, name->mem);
  double end = alea_clock_wall() + seconds;
  for (bool first = true;; first = false) {
    alea_text_truncate(&message, 0);
    alea_ggp_put_info(&message);
    bool answered = ask_briefly(remotes, client, url, &message, &reply);
    state = answered ? read_state(&reply, name) : ALEA_REMOTE_PLAYER_SILENT;
    bool over = alea_clock_wall() >= end && !(first && state == ALEA_REMOTE_PLAYER_BUSY);
    if (state == ALEA_REMOTE_PLAYER_AVAILABLE || stopped(remotes) || over) break;
    if (first && state == ALEA_REMOTE_PLAYER_BUSY && match != NULL)
      end_match(remotes, client, url, match, &message, &reply);
    nanosleep(&(struct timespec){0, 50000000}, NULL);
  }
  alea_text_clear(&message);
  alea_text_clear(&reply);
  alea_http_client_free(client);
  return state;
}
