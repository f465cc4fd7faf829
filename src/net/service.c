/* Dispatches messages to matches. */
#include "net/service.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* A match.  It stays until no call uses it and its threads have ended. */
typedef struct service_entry {
  struct service_entry *next;
  alea_match_player *player;
  unsigned users; /* calls that use it */
  bool gone;      /* stopped or aborted */
  double last;    /* time of the last message */
} service_entry;

struct alea_service {
  alea_service_options options;
  pthread_mutex_t lock; /* guards what follows */
  service_entry *entries;
  uint64_t finished;
  bool quitting;
};

alea_service *alea_service_new(const alea_service_options *options) {
  alea_service *s = calloc(1, sizeof *s);
  if (s == NULL) return NULL;
  s->options = *options;
  if (s->options.matches == 0) s->options.matches = 1;
  if (s->options.idle <= 0) s->options.idle = 60;
  if (s->options.name == NULL) s->options.name = "alea";
  pthread_mutex_init(&s->lock, NULL);
  return s;
}

static void log_line(alea_service *s, const char *verb, const alea_match_player *player,
                     const char *detail) {
  if (s->options.log == NULL) return;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_text line;
  alea_text_init(&line, &mem);
  /* The id and most details are bytes from the network. */
  alea_text_escape(&line, alea_match_player_id(player));
  alea_text_format(&line, " %s%s", verb, detail[0] != '\0' ? " " : "");
  alea_text_escape(&line, detail);
  s->options.log(s->options.context, alea_text_string(&line));
  alea_text_clear(&line);
}

/* ---- matches; the lock is held ---- */

static void put_away(service_entry *e) {
  e->gone = true;
  alea_match_player_end(e->player);
}

/* Gives up matches whose manager is silent, and frees those that are over. */
static void tidy(alea_service *s) {
  double now = alea_clock_wall();
  for (service_entry **link = &s->entries; *link != NULL;) {
    service_entry *e = *link;
    const alea_ggp_message *start = alea_match_player_start(e->player);
    double silence = s->options.idle + start->start_clock + 2 * start->play_clock;
    if (!e->gone && e->users == 0 && now - e->last > silence) put_away(e);
    if (e->gone && e->users == 0 && alea_match_player_ended(e->player)) {
      *link = e->next;
      alea_match_player_free(e->player);
      free(e);
    } else {
      link = &e->next;
    }
  }
}

static unsigned count(const alea_service *s) {
  unsigned running = 0;
  for (const service_entry *e = s->entries; e != NULL; e = e->next) running += !e->gone;
  return running;
}

static service_entry *find(alea_service *s, alea_slice id) {
  for (service_entry *e = s->entries; e != NULL; e = e->next)
    if (!e->gone && alea_slice_is(id, alea_match_player_id(e->player))) return e;
  return NULL;
}

static service_entry *add(alea_service *s, const alea_ggp_message *start, bool blind) {
  service_entry *e = calloc(1, sizeof *e);
  if (e == NULL) return NULL;
  e->player = alea_match_player_new(&s->options.player, start, blind);
  if (e->player == NULL) {
    free(e);
    return NULL;
  }
  e->last = alea_clock_wall();
  e->next = s->entries;
  s->entries = e;
  return e;
}

/* ---- taking and leaving a match ---- */

static service_entry *enter(alea_service *s, alea_slice id) {
  pthread_mutex_lock(&s->lock);
  service_entry *e = find(s, id);
  if (e != NULL) e->users++;
  pthread_mutex_unlock(&s->lock);
  return e;
}

static void leave(alea_service *s, service_entry *e) {
  pthread_mutex_lock(&s->lock);
  e->users--;
  e->last = alea_clock_wall();
  tidy(s);
  pthread_mutex_unlock(&s->lock);
}

/* The match for a START, or NULL: `busy`, or out of memory if '*failed'.  A
 * second START with the same id restarts the match; one for another role of it
 * is refused, because PLAY does not say for which role it is. */
static service_entry *begin(alea_service *s, const alea_ggp_message *start, bool blind,
                            bool *failed) {
  pthread_mutex_lock(&s->lock);
  tidy(s);
  service_entry *e = find(s, start->id);
  bool taken = e != NULL && !alea_slice_same(alea_match_player_start(e->player)->role, start->role);
  if (e != NULL && !taken) put_away(e);
  bool room = !s->quitting && !taken && count(s) < s->options.matches;
  e = room ? add(s, start, blind) : NULL;
  *failed = room && e == NULL;
  if (e != NULL) e->users++;
  pthread_mutex_unlock(&s->lock);
  return e;
}

static bool is_busy(alea_service *s) {
  pthread_mutex_lock(&s->lock);
  tidy(s);
  bool busy = s->quitting || count(s) >= s->options.matches;
  pthread_mutex_unlock(&s->lock);
  return busy;
}

/* ---- messages ---- */

static alea_service_result say(alea_text *reply, const char *word) {
  alea_text_put(reply, word);
  return ALEA_SERVICE_DONE;
}

static alea_service_result complain(alea_status status, alea_text *reply) {
  alea_text_char(reply, '\n');
  return status == ALEA_INPUT || status == ALEA_USAGE ? ALEA_SERVICE_MALFORMED
                                                      : ALEA_SERVICE_FAILED;
}

static alea_service_result on_info(alea_service *s, alea_text *reply) {
  alea_text_format(reply, "( ( name %s ) ( status %s ) )", s->options.name,
                   is_busy(s) ? "busy" : "available");
  return ALEA_SERVICE_DONE;
}

static alea_service_result on_start(alea_service *s, const alea_ggp_message *m, alea_text *reply) {
  bool failed;
  service_entry *e = begin(s, m, false, &failed);
  if (failed) {
    alea_text_put(reply, "out of memory");
    return complain(ALEA_SYSTEM, reply);
  }
  if (e == NULL) return say(reply, "busy");
  log_line(s, "starts", e->player, "");
  alea_status status = alea_match_player_ready(e->player, reply);
  pthread_mutex_lock(&s->lock);
  if (status != ALEA_OK) put_away(e);
  pthread_mutex_unlock(&s->lock);
  log_line(s, status == ALEA_OK ? "ready" : "refused:", e->player, alea_text_string(reply));
  leave(s, e);
  return status == ALEA_OK ? say(reply, "ready") : complain(status, reply);
}

/* Percepts came for a game whose rules define none: players know their own
 * moves alone.  Restarts the match as that game. */
static service_entry *go_blind(alea_service *s, service_entry *e, bool *failed) {
  service_entry *blind = begin(s, alea_match_player_start(e->player), true, failed);
  leave(s, e);
  return blind;
}

static alea_service_result on_play(alea_service *s, const alea_ggp_message *m, alea_text *reply) {
  bool failed = false;
  service_entry *e = enter(s, m->id);
  if (e != NULL && m->has_turn && !alea_match_player_sees(e->player) &&
      alea_match_player_turns(e->player) == 0)
    e = go_blind(s, e, &failed);
  if (e == NULL) return say(reply, "busy");
  alea_status status = alea_match_player_play(e->player, m, reply);
  log_line(s, status == ALEA_OK ? "plays" : "cannot play:", e->player, alea_text_string(reply));
  leave(s, e);
  if (status == ALEA_NONE) return say(reply, "busy");
  return status == ALEA_OK ? ALEA_SERVICE_DONE : complain(status, reply);
}

static alea_service_result on_end(alea_service *s, const alea_ggp_message *m, const char *word,
                                  alea_text *reply) {
  pthread_mutex_lock(&s->lock);
  service_entry *e = find(s, m->id);
  if (e != NULL) {
    put_away(e);
    e->users++;
    s->finished++;
  }
  pthread_mutex_unlock(&s->lock);
  if (e == NULL) return say(reply, "busy");
  log_line(s, word, e->player, "");
  leave(s, e);
  return say(reply, word);
}

alea_service_result alea_service_answer(alea_service *s, const char *text, size_t length,
                                        alea_text *reply) {
  alea_ggp_message m;
  const char *why = "";
  if (alea_ggp_read(&m, text, length, &why) != ALEA_OK) {
    alea_text_put(reply, why);
    return complain(ALEA_INPUT, reply);
  }
  switch (m.kind) {
    case ALEA_GGP_INFO: return on_info(s, reply);
    case ALEA_GGP_PING: return say(reply, is_busy(s) ? "busy" : "available");
    case ALEA_GGP_PREVIEW: return say(reply, is_busy(s) ? "busy" : "ready");
    case ALEA_GGP_START: return on_start(s, &m, reply);
    case ALEA_GGP_PLAY: return on_play(s, &m, reply);
    case ALEA_GGP_STOP: return on_end(s, &m, "done", reply);
    case ALEA_GGP_ABORT: return on_end(s, &m, "aborted", reply);
  }
  return ALEA_SERVICE_FAILED;
}

/* ---- the end ---- */

uint64_t alea_service_finished(alea_service *s) {
  pthread_mutex_lock(&s->lock);
  uint64_t finished = s->finished;
  pthread_mutex_unlock(&s->lock);
  return finished;
}

void alea_service_quit(alea_service *s) {
  pthread_mutex_lock(&s->lock);
  s->quitting = true;
  for (service_entry *e = s->entries; e != NULL; e = e->next) put_away(e);
  pthread_mutex_unlock(&s->lock);
}

void alea_service_free(alea_service *s) {
  if (s == NULL) return;
  alea_service_quit(s);
  for (service_entry *e = s->entries; e != NULL;) {
    service_entry *next = e->next;
    alea_match_player_free(e->player);
    free(e);
    e = next;
  }
  pthread_mutex_destroy(&s->lock);
  free(s);
}
