/* Match players: a list of turns, and two threads that read it. */
#include "net/match_player.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "net/guess.h"
#include "net/match_worker.h"

double alea_match_player_margin(double margin, double seconds) {
  if (margin < 0) margin = 0.05 * seconds > 0.5 ? 0.05 * seconds : 0.5;
  return margin < 0.5 * seconds ? margin : 0.5 * seconds;
}

const char *alea_match_player_id(const alea_match_player *player) { return player->id; }
const alea_ggp_message *alea_match_player_start(const alea_match_player *player) {
  return &player->start;
}
bool alea_match_player_sees(const alea_match_player *player) { return player->percepts.sees; }
static alea_slice keep(alea_match_player *match, alea_slice slice) {
  if (slice.length == 0) return (alea_slice){"", 0};
  return (alea_slice){alea_arena_strdup(&match->arena, slice.at, slice.length), slice.length};
}

/* Keeps the rules for the engines. */
static bool keep_rules(alea_match_player *match, alea_slice rules, bool blind) {
  alea_text text;
  alea_text_init(&text, &match->mem);
  match->percepts = alea_ggp_look(rules);
  alea_ggp_put_rules(&text, rules, &match->percepts, blind);
  if (blind) match->percepts = (alea_ggp_percepts){.sees = true};
  match->rules_length = text.length;
  match->rules = alea_arena_strdup(&match->arena, alea_text_string(&text), text.length);
  if (match->percepts.all) match->percepts.word = keep(match, match->percepts.word);
  bool good = !text.failed && match->rules != NULL &&
              (!match->percepts.all || match->percepts.word.at != NULL);
  alea_text_clear(&text);
  return good;
}

static bool keep_start(alea_match_player *match, const alea_ggp_message *start, bool blind) {
  match->start = *start;
  match->start.id = keep(match, start->id);
  match->start.role = keep(match, start->role);
  match->start.rules = keep(match, start->rules);
  match->id = match->start.id.at;
  if (match->id == NULL || match->start.role.at == NULL || match->start.rules.at == NULL)
    return false;
  double now = alea_clock_wall();
  double margin = alea_match_player_margin(match->options.margin, start->start_clock);
  match->start_deadline = now + start->start_clock - margin;
  match->start_cut = match->start_deadline + 0.5 * margin;
  return keep_rules(match, match->start.rules, blind);
}

alea_match_player *alea_match_player_new(const alea_match_player_options *options,
                                         const alea_ggp_message *start, bool blind) {
  alea_match_player *match = calloc(1, sizeof *match);
  if (match == NULL) return NULL;
  match->options = *options;
  alea_mem_init(&match->mem, 0);
  alea_arena_init(&match->arena, &match->mem);
  pthread_mutex_init(&match->lock, NULL);
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(&match->change, &attributes);
  pthread_condattr_destroy(&attributes);
  match->thinker.ended = match->fallback.ended = true;
  bool good = keep_start(match, start, blind);
  good = good && alea_match_worker_start(match, &match->fallback, true) &&
         alea_match_worker_start(match, &match->thinker, false);
  if (good) return match;
  alea_match_player_end(match);
  alea_match_player_free(match);
  return NULL;
}

/* Waits for a change until the time 'at'; false if that has passed. */
static bool wait_until(alea_match_player *match, double at) {
  double now = alea_clock_wall();
  if (now >= at) return false;
  struct timespec until = {.tv_sec = (time_t)at,
                           .tv_nsec = (long)((at - (double)(time_t)at) * 1e9)};
  pthread_cond_timedwait(&match->change, &match->lock, &until);
  return true;
}

alea_status alea_match_player_ready(alea_match_player *match, alea_text *why) {
  alea_status status = ALEA_OK;
  pthread_mutex_lock(&match->lock);
  for (;;) {
    bool failed = match->refused || (match->thinker.stage == ALEA_MATCH_FAILED &&
                                     match->fallback.stage == ALEA_MATCH_FAILED);
    if (failed) status = match->status;
    if (failed) alea_text_put(why, match->why != NULL ? match->why : alea_status_text(status));
    if (failed || match->thinker.started || atomic_load(&match->quit)) break;
    if (!wait_until(match, match->start_cut)) break;
  }
  if (!match->thinker.started) atomic_store(&match->thinker.stop, true);
  pthread_mutex_unlock(&match->lock);
  return status;
}

/* The answer for a turn: the final one of the thinker, or if 'now' is set any;
 * NULL: none. */
static const char *find_answer(const alea_match_player *match, size_t number, bool now) {
  const alea_match_worker *best = &match->thinker, *other = &match->fallback;
  bool known = best->answered == number + 1, spare = other->answered == number + 1;
  if (known && (best->final || now || best->stage == ALEA_MATCH_FAILED)) return best->answer;
  if (spare && (now || best->stage == ALEA_MATCH_FAILED)) return other->answer;
  return NULL;
}

/* The move that was sent for the PLAY that turn 'number' repeats, or NULL.
 * Joint moves may repeat, so only moves that do not fit the position can be
 * the same message once more: the manager's connection broke. */
static const char *sent_before(const alea_match_player *match, size_t number) {
  const alea_match_turn *again = &match->turns.data[number], *last = NULL;
  for (size_t i = 0; i < number; i++)
    if (!match->turns.data[i].bad) last = &match->turns.data[i];
  bool same = last != NULL && last->step && last->events.length == again->events.length &&
              memcmp(last->events.at, again->events.at, again->events.length) == 0;
  return same ? last->sent : NULL;
}

static void free_turn(alea_match_player *match, alea_match_turn *t) {
  alea_mem_free(&match->mem, t->copy, t->own.length + t->events.length + 1);
}

/* Turns that were refused leave nothing behind, unless a worker is still busy
 * with one; the lock is held. */
static void drop_refused(alea_match_player *match) {
  alea_match_worker *const workers[] = {&match->thinker, &match->fallback};
  while (match->turns.count > 0) {
    size_t last = match->turns.count - 1;
    alea_match_turn *t = &match->turns.data[last];
    if (!t->bad || workers[0]->at == last || workers[1]->at == last) return;
    free_turn(match, t);
    match->turns.count = last;
    for (int i = 0; i < 2; i++)
      if (workers[i]->processed > last) workers[i]->processed = last;
  }
}

/* The answer to a turn that was refused. */
static alea_status refuse(alea_match_player *match, size_t number, alea_text *reply) {
  static const char misfit[] = "the moves do not fit the rules and what was played before";
  const char *sent = sent_before(match, number);
  drop_refused(match);
  alea_text_put(reply, sent != NULL ? sent : misfit);
  return sent != NULL ? ALEA_OK : ALEA_INPUT;
}

/* A move that was made before, or `nil`. */
static void put_guess(const alea_match_player *match, size_t number, alea_text *reply) {
  enum { MOST = 64 };
  alea_slice moves[MOST] = {{0}};
  size_t count = 0;
  const char *sent = NULL; /* at the turn before */
  for (size_t i = number > MOST ? number - MOST : 0; i <= number; i++) {
    const alea_match_turn *t = &match->turns.data[i];
    if (t->bad) continue;
    alea_slice made = t->own.length > 0 ? t->own : (alea_slice){sent, sent ? strlen(sent) : 0};
    if (made.length > 0 && count < MOST) moves[count++] = made;
    sent = t->sent;
  }
  size_t again = alea_guess_again(moves, count);
  alea_slice guess = again < count ? moves[again] : (alea_slice){"nil", 3};
  alea_text_add(reply, guess.at, guess.length);
}

/* Waits for the answer to turn 'number'; the lock is held.  A manager whose
 * connection broke asks again, and two calls wait; who asks more often is a
 * flood, and the oldest go. */
static alea_status await(alea_match_player *match, size_t number, double cut, double end,
                         alea_text *reply) {
  uint64_t call = match->calls;
  bool now = false;
  for (;;) {
    const char *answer = find_answer(match, number, now);
    if (answer != NULL) {
      match->stood_in = answer != match->thinker.answer || !match->thinker.by_player;
      match->turns.data[number].sent = answer;
      alea_text_put(reply, answer);
      break;
    }
    if (atomic_load(&match->quit) || match->turns.count > number + 1) return ALEA_NONE;
    if (match->calls > call + 1 || match->turns.count <= number) return ALEA_NONE;
    if (match->turns.data[number].bad) return refuse(match, number, reply);
    if (match->thinker.stage == ALEA_MATCH_FAILED && match->fallback.stage == ALEA_MATCH_FAILED) {
      alea_text_put(reply, match->why != NULL ? match->why : "no move is known");
      return match->status;
    }
    if (wait_until(match, now ? end : cut)) continue;
    if (now) { /* no legal move is known: answer before the clock is over */
      put_guess(match, number, reply);
      match->stood_in = true;
      match->turns.data[number].sent =
          alea_arena_strdup(&match->arena, alea_text_string(reply), reply->length);
      break;
    }
    now = true;
    atomic_store(&match->thinker.stop, true);
  }
  if (match->closed <= number) match->closed = number + 1;
  atomic_store(&match->thinker.stop, true);
  return ALEA_OK;
}

/* Copies what the message reports into the turn. */
static bool copy_report(alea_match_player *match, const alea_ggp_message *m, alea_match_turn *t) {
  t->copy = alea_mem_alloc(&match->mem, m->own.length + m->events.length + 1);
  if (t->copy == NULL) return false;
  t->own = (alea_slice){t->copy, m->own.length};
  t->events = (alea_slice){t->copy + m->own.length, m->events.length};
  if (m->own.length > 0) memcpy(t->copy, m->own.at, m->own.length);
  if (m->events.length > 0) memcpy(t->copy + m->own.length, m->events.at, m->events.length);
  return true;
}

static alea_status add_turn(alea_match_player *match, const alea_ggp_message *m, bool step,
                            double deadline) {
  alea_match_turn t = {.deadline = deadline, .numbered = m->has_turn, .step = step};
  if (step && !copy_report(match, m, &t)) return ALEA_SYSTEM;
  if (!alea_vec_push(&match->mem, &match->turns, t)) {
    free_turn(match, &t);
    return ALEA_SYSTEM;
  }
  atomic_store(&match->call, true);
  pthread_cond_broadcast(&match->change);
  return ALEA_OK;
}

static size_t good_turns(const alea_match_player *match) {
  size_t good = 0;
  for (size_t i = 0; i < match->turns.count; i++) good += !match->turns.data[i].bad;
  return good;
}

/* Does the message report a step, or is it the same PLAY again?  NIL means "no
 * percepts" in games with percepts, and otherwise that nothing happened. */
static bool tells_step(const alea_match_player *match, const alea_ggp_message *m, size_t good) {
  if (good == 0) return false;
  if (m->has_turn) return m->turn > (double)(good - 1);
  return m->has_events || (match->percepts.sees && !match->percepts.all);
}

static alea_status note_turn(alea_match_player *match, const alea_ggp_message *m, double deadline) {
  alea_status status = ALEA_OK;
  size_t good = good_turns(match);
  /* A first PLAY that reports moves: the PLAY before it was lost. */
  if (good == 0 && (m->has_events || m->own.length > 0)) {
    status = add_turn(match, m, false, deadline);
    good++;
  }
  bool step = tells_step(match, m, good);
  bool fresh = match->turns.count == 0 || match->turns.data[match->turns.count - 1].bad;
  return status == ALEA_OK && (step || fresh) ? add_turn(match, m, step, deadline) : status;
}

alea_status alea_match_player_play(alea_match_player *match, const alea_ggp_message *m,
                                   alea_text *reply) {
  double clock = match->start.play_clock, now = alea_clock_wall();
  double margin = alea_match_player_margin(match->options.margin, clock),
         deadline = now + clock - margin;
  double end = now + (clock > 0.2 ? clock : 0.2);
  pthread_mutex_lock(&match->lock);
  match->calls++;
  drop_refused(match);
  alea_status status = note_turn(match, m, deadline);
  pthread_cond_broadcast(&match->change); /* older calls look at 'calls' */
  size_t number = match->turns.count - 1;
  if (!match->thinker.started) atomic_store(&match->thinker.stop, true);
  if (status == ALEA_OK) status = await(match, number, deadline + 0.5 * margin, end, reply);
  pthread_mutex_unlock(&match->lock);
  return status;
}

void alea_match_player_end(alea_match_player *match) {
  pthread_mutex_lock(&match->lock);
  atomic_store(&match->quit, true);
  atomic_store(&match->call, true);
  atomic_store(&match->thinker.stop, true);
  atomic_store(&match->fallback.stop, true);
  pthread_cond_broadcast(&match->change);
  pthread_mutex_unlock(&match->lock);
}

bool alea_match_player_ended(alea_match_player *match) {
  pthread_mutex_lock(&match->lock);
  bool ended = match->thinker.ended && match->fallback.ended;
  pthread_mutex_unlock(&match->lock);
  return ended;
}

alea_match_player_news alea_match_player_tell(alea_match_player *match) {
  pthread_mutex_lock(&match->lock);
  bool failed = match->thinker.stage == ALEA_MATCH_FAILED && !match->told;
  alea_match_player_news news = {failed ? match->why : NULL, match->stood_in};
  match->told = match->told || failed;
  match->stood_in = false;
  pthread_mutex_unlock(&match->lock);
  return news;
}

size_t alea_match_player_turns(alea_match_player *match) {
  pthread_mutex_lock(&match->lock);
  size_t turns = match->turns.count;
  pthread_mutex_unlock(&match->lock);
  return turns;
}

void alea_match_player_free(alea_match_player *match) {
  if (match == NULL) return;
  if (match->fallback.running) pthread_join(match->fallback.thread, NULL);
  if (match->thinker.running) pthread_join(match->thinker.thread, NULL);
  for (size_t i = 0; i < match->turns.count; i++) free_turn(match, &match->turns.data[i]);
  alea_vec_clear(&match->mem, &match->turns);
  alea_arena_clear(&match->arena);
  assert(match->mem.used == 0);
  pthread_cond_destroy(&match->change);
  pthread_mutex_destroy(&match->lock);
  free(match);
}
