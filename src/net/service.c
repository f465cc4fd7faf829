/* Dispatches messages to matches. */
#include "net/service.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A START or PLAY that is being answered. */
typedef struct service_call {
  struct service_call *next;
  const alea_service_caller *caller; /* may be NULL */
} service_call;

/* A match.  It stays until no call uses it and its threads have ended. */
typedef struct service_entry {
  struct service_entry *next;
  alea_match_player *player;
  unsigned users;      /* calls that use it, */
  service_call *calls; /* and those that wait for the player */
  bool left;           /* nobody waited for the last answer any more */
  bool gone;           /* stopped or aborted, */
  double since;        /* at this time */
  double last;         /* time of the last message */
} service_entry;

struct alea_service {
  alea_service_options options;
  pthread_mutex_t lock; /* guards what follows */
  service_entry *entries;
  service_entry *dead; /* over, ended and used by nobody: see bury */
  uint64_t finished;
  bool quitting;
};

alea_service *alea_service_new(const alea_service_options *options) {
  alea_service *s = calloc(1, sizeof *s);
  if (s == NULL) return NULL;
  s->options = *options;
  if (s->options.matches == 0) s->options.matches = 1;
  if (s->options.idle <= 0) s->options.idle = 60;
  if (s->options.overdue <= 0) s->options.overdue = 5;
  if (s->options.longest_clock <= 0) s->options.longest_clock = 3600;
  if (s->options.name == NULL) s->options.name = "alea";
  pthread_mutex_init(&s->lock, NULL);
  return s;
}

/* The id and most details are bytes from the network. */
static void log_words(alea_service *s, const char *id, size_t length, const char *verb,
                      const char *detail) {
  if (s->options.log == NULL) return;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_text line, name;
  alea_text_init(&line, &mem);
  alea_text_init(&name, &mem);
  alea_text_add(&name, id, length);
  alea_text_escape(&line, alea_text_string(&name));
  alea_text_format(&line, " %s%s", verb, detail[0] != '\0' ? " " : "");
  alea_text_escape(&line, detail);
  s->options.log(s->options.context, alea_text_string(&line));
  alea_text_clear(&name);
  alea_text_clear(&line);
}

static void log_line(alea_service *s, const char *verb, const alea_match_player *player,
                     const char *detail) {
  const char *id = alea_match_player_id(player);
  log_words(s, id, strlen(id), verb, detail);
}

/* Nobody who looks at the moves alone would see that a player has failed.  'played': a move
 * has just been sent. */
static void log_news(alea_service *s, alea_match_player *player, bool played) {
  alea_match_player_news news = alea_match_player_tell(player);
  if (news.failed != NULL)
    log_line(s, "plays legal moves alone, its player has failed:", player, news.failed);
  else if (played && news.stood_in)
    log_line(s, "was played for: its player is late, or has failed", player, "");
}

static void free_entries(service_entry *e) {
  while (e != NULL) {
    service_entry *next = e->next;
    alea_match_player_free(e->player);
    free(e);
    e = next;
  }
}

/* ---- matches; the lock is held ---- */

static void put_away(service_entry *e) {
  if (!e->gone) e->since = alea_clock_wall();
  e->gone = true;
  alea_match_player_end(e->player);
}

/* Gives up matches whose manager is silent, and takes out those that are over. */
static void tidy(alea_service *s) {
  double now = alea_clock_wall();
  for (service_entry **link = &s->entries; *link != NULL;) {
    service_entry *e = *link;
    const alea_ggp_message *start = alea_match_player_start(e->player);
    double silence = s->options.idle + start->start_clock + 2 * start->play_clock;
    if (!e->gone && e->users == 0 && now - e->last > silence) put_away(e);
    if (e->gone && e->users == 0 && alea_match_player_ended(e->player)) {
      *link = e->next;
      e->next = s->dead;
      s->dead = e;
    } else {
      link = &e->next;
    }
  }
}

/* Frees the matches that were taken out.  The lock is not held: that may take a
 * while, and the memory of a large match goes back to the system. */
static void bury(alea_service *s) {
  pthread_mutex_lock(&s->lock);
  service_entry *dead = s->dead;
  s->dead = NULL;
  pthread_mutex_unlock(&s->lock);
  if (dead == NULL) return;
  free_entries(dead);
  alea_mem_give_back();
}

/* Matches that take a place: those that run, and those that are over but whose
 * threads have not ended for 'seconds'. */
static unsigned count(const alea_service *s, double seconds) {
  unsigned places = 0;
  double now = alea_clock_wall();
  for (const service_entry *e = s->entries; e != NULL; e = e->next)
    places += !e->gone || (now - e->since >= seconds && !alea_match_player_ended(e->player));
  return places;
}

static bool is_gone(const service_call *call) {
  return call->caller != NULL && call->caller->is_gone(call->caller->context);
}

/* Has the manager closed the connection on which it waits, or waited, for us? */
static bool is_deserted(const service_entry *e) {
  for (const service_call *c = e->calls; c != NULL; c = c->next)
    if (!is_gone(c)) return false;
  return e->calls != NULL || (e->users == 0 && e->left);
}

/* Would the manager have sent its next message by now? */
static bool is_overdue(const alea_service *s, const service_entry *e) {
  const alea_ggp_message *start = alea_match_player_start(e->player);
  bool first = alea_match_player_turns(e->player) == 0;
  double clock =
      first && start->start_clock > start->play_clock ? start->start_clock : start->play_clock;
  return e->users == 0 && alea_clock_wall() - e->last > clock + s->options.overdue;
}

/* The match whose place another one may take, as its manager seems to be gone:
 * managers that die send no STOP.  NULL: none. */
static service_entry *find_abandoned(const alea_service *s, const char **why) {
  for (service_entry *e = s->entries; e != NULL; e = e->next) {
    bool deserted = !e->gone && is_deserted(e);
    *why = deserted ? "is left by its manager and given up for" : "is overdue and given up for";
    if (deserted || (!e->gone && is_overdue(s, e))) return e;
  }
  return NULL;
}

static void take_over(alea_service *s) {
  const char *why;
  service_entry *e = find_abandoned(s, &why);
  if (e == NULL) return;
  log_line(s, why, e->player, "another match");
  put_away(e);
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

/* The lock is held. */
static void use(service_entry *e, service_call *call) {
  e->users++;
  e->left = false;
  call->next = e->calls;
  e->calls = call;
}

static service_entry *enter(alea_service *s, alea_slice id, service_call *call) {
  pthread_mutex_lock(&s->lock);
  service_entry *e = find(s, id);
  if (e != NULL) use(e, call);
  pthread_mutex_unlock(&s->lock);
  return e;
}

/* 'call' is NULL where the match was not entered with one. */
static void leave(alea_service *s, service_entry *e, const service_call *call) {
  pthread_mutex_lock(&s->lock);
  e->users--;
  for (service_call **link = &e->calls; *link != NULL; link = &(*link)->next) {
    if (*link != call) continue;
    *link = call->next;
    e->left = is_gone(call);
    break;
  }
  e->last = alea_clock_wall();
  tidy(s);
  pthread_mutex_unlock(&s->lock);
  bury(s);
}

/* ---- beginning a match ---- */

typedef enum service_refusal { NOT_REFUSED, QUITTING, TAKEN, FULL, NO_MEMORY } service_refusal;

static const char *const refusals[] = {[QUITTING] = "this server is ending",
                                       [TAKEN] = "another role of that match is played here",
                                       [FULL] = "there is no place for another match",
                                       [NO_MEMORY] = "out of memory"};

/* How long a match that is over may take to end before it counts in the answer
 * to INFO, and how long a START waits for that. */
static const double ENDING_SECONDS = 1, START_SECONDS = 2;

static bool is_same(const alea_ggp_message *a, const alea_ggp_message *b) {
  return alea_slice_same(a->role, b->role) && alea_slice_same(a->rules, b->rules) &&
         a->start_clock == b->start_clock && a->play_clock == b->play_clock;
}

/* Waits until what is over has ended, but not long; the lock is held. */
static bool has_room(alea_service *s, double until) {
  while (count(s, 0) >= s->options.matches) {
    if (count(s, ENDING_SECONDS + START_SECONDS) >= s->options.matches ||
        alea_clock_wall() >= until)
      return false;
    pthread_mutex_unlock(&s->lock);
    bury(s);
    nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    pthread_mutex_lock(&s->lock);
    tidy(s);
  }
  return true;
}

/* Finds or makes the match for a START; the lock is held.  A second START that
 * comes before the first PLAY is the same match (the manager's connection
 * broke), a later one restarts it; one for another role is refused, because
 * PLAY does not say for which role it is. */
static service_entry *place(alea_service *s, const alea_ggp_message *start, bool blind,
                            service_refusal *why) {
  service_entry *e = find(s, start->id);
  *why = s->quitting ? QUITTING : NOT_REFUSED;
  if (e != NULL && !alea_slice_same(alea_match_player_start(e->player)->role, start->role))
    *why = TAKEN;
  if (*why != NOT_REFUSED) return NULL;
  if (e != NULL && !blind && alea_match_player_turns(e->player) == 0 &&
      is_same(alea_match_player_start(e->player), start))
    return e;
  if (e != NULL) put_away(e);
  if (count(s, INFINITY) >= s->options.matches) take_over(s);
  if (!has_room(s, alea_clock_wall() + START_SECONDS))
    *why = FULL;
  else if (s->quitting) /* meanwhile */
    *why = QUITTING;
  e = *why == NOT_REFUSED ? add(s, start, blind) : NULL;
  if (e == NULL && *why == NOT_REFUSED) *why = NO_MEMORY;
  return e;
}

/* The match for a START, which the caller leaves; NULL with the reason, which is
 * logged. */
static service_entry *begin(alea_service *s, const alea_ggp_message *start, bool blind,
                            service_call *call, service_refusal *why) {
  pthread_mutex_lock(&s->lock);
  tidy(s);
  service_entry *e = place(s, start, blind, why);
  if (e != NULL) use(e, call);
  pthread_mutex_unlock(&s->lock);
  bury(s);
  if (e == NULL) log_words(s, start->id.at, start->id.length, "refused:", refusals[*why]);
  return e;
}

/* Would a START find a place? */
static bool is_busy(alea_service *s) {
  const char *why;
  pthread_mutex_lock(&s->lock);
  tidy(s);
  unsigned places = count(s, ENDING_SECONDS);
  if (find_abandoned(s, &why) != NULL) places--;
  bool busy = s->quitting || places >= s->options.matches;
  pthread_mutex_unlock(&s->lock);
  bury(s);
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

static alea_service_result lack_memory(alea_text *reply) {
  alea_text_put(reply, refusals[NO_MEMORY]);
  return complain(ALEA_SYSTEM, reply);
}

static alea_service_result on_info(alea_service *s, alea_text *reply) {
  alea_text_format(reply, "( ( name %s ) ( status %s ) )", s->options.name,
                   is_busy(s) ? "busy" : "available");
  return ALEA_SERVICE_DONE;
}

/* Clocks of years would hold a place for years. */
static alea_service_result refuse_clock(alea_service *s, const alea_ggp_message *m,
                                        alea_text *reply) {
  alea_text_format(reply, "clocks over %g seconds are refused", s->options.longest_clock);
  log_words(s, m->id.at, m->id.length, "refused:", alea_text_string(reply));
  return complain(ALEA_INPUT, reply);
}

static alea_service_result on_start(alea_service *s, const alea_ggp_message *m,
                                    const alea_service_caller *caller, alea_text *reply) {
  service_refusal why;
  service_call call = {.caller = caller};
  double longest = s->options.longest_clock;
  if (m->start_clock > longest || m->play_clock > longest) return refuse_clock(s, m, reply);
  service_entry *e = begin(s, m, false, &call, &why);
  if (why == NO_MEMORY) return lack_memory(reply);
  if (e == NULL) return say(reply, "busy");
  log_line(s, "starts", e->player, "");
  alea_status status = alea_match_player_ready(e->player, reply);
  pthread_mutex_lock(&s->lock);
  if (status != ALEA_OK) put_away(e);
  pthread_mutex_unlock(&s->lock);
  log_line(s, status == ALEA_OK ? "ready" : "refused:", e->player, alea_text_string(reply));
  if (status == ALEA_OK) log_news(s, e->player, false);
  leave(s, e, &call);
  return status == ALEA_OK ? say(reply, "ready") : complain(status, reply);
}

/* Percepts came for a game whose rules define none: players know their own
 * moves alone.  Restarts the match as that game. */
static service_entry *go_blind(alea_service *s, service_entry *e, service_call *call,
                               service_call *again, service_refusal *why) {
  service_entry *blind = begin(s, alea_match_player_start(e->player), true, again, why);
  leave(s, e, call);
  return blind;
}

static alea_service_result on_play(alea_service *s, const alea_ggp_message *m,
                                   const alea_service_caller *caller, alea_text *reply) {
  service_refusal why = NOT_REFUSED;
  service_call first = {.caller = caller}, again = first, *call = &first;
  service_entry *e = enter(s, m->id, call);
  if (e != NULL && m->has_turn && !alea_match_player_sees(e->player) &&
      alea_match_player_turns(e->player) == 0) {
    e = go_blind(s, e, &first, &again, &why);
    call = &again;
  }
  if (why == NO_MEMORY) return lack_memory(reply);
  if (e == NULL) return say(reply, "busy");
  alea_status status = alea_match_player_play(e->player, m, reply);
  log_line(s, status == ALEA_OK ? "plays" : "cannot play:", e->player, alea_text_string(reply));
  if (status == ALEA_OK) log_news(s, e->player, true);
  leave(s, e, call);
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
  leave(s, e, NULL);
  return say(reply, word);
}

alea_service_result alea_service_answer(alea_service *s, const char *text, size_t length,
                                        const alea_service_caller *caller, alea_text *reply) {
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
    case ALEA_GGP_START: return on_start(s, &m, caller, reply);
    case ALEA_GGP_PLAY: return on_play(s, &m, caller, reply);
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
  free_entries(s->entries);
  free_entries(s->dead);
  pthread_mutex_destroy(&s->lock);
  free(s);
}
