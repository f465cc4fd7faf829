/* Match players: a list of turns, and two threads that read it. */
#include "net/match_player.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/arena.h"
#include "base/hash.h"
#include "match/runner.h"
#include "net/follower.h"
#include "net/guess.h"

/* One PLAY.  What was sent lives in the match player's arena. */
typedef struct turn {
  alea_slice own;    /* our move according to the manager; empty: the move we sent */
  alea_slice events; /* joint move or percepts that led here */
  const char *sent;
  char *copy;      /* where they are, owned; NULL: they are empty */
  double deadline; /* of the thinker */
  bool numbered;   /* the form with turn and own move: the events are percepts */
  bool step;       /* a joint move was made before it */
  bool bad;        /* inconsistent with the rules: ignored */
} turn;

#define NO_TURN SIZE_MAX

typedef enum stage { OPENING, UP, FAILED } stage;

typedef struct match_player_worker {
  alea_match_player *match;
  bool fallback;
  pthread_t thread;
  bool running; /* the thread must be joined */
  atomic_bool stop;
  alea_deadline cancel; /* of everything it does: when the match is over */

  /* Guarded by the match player's lock. */
  stage stage;
  bool started;       /* thinking before the first move is over */
  bool ended;         /* the thread is about to end */
  size_t answered;    /* 'answer' belongs to turn answered - 1 */
  const char *answer; /* in the arena */
  bool final;         /* there will be no better one */
  size_t processed;   /* number of turns */
  size_t at;          /* the turn it is busy with; NO_TURN: none */

  /* Used by the thread alone. */
  alea_mem mem;
  alea_opened opened;
  alea_match_sampler sampler;
  alea_player *player;
  alea_follower follower;
  alea_text text;
  uint32_t role;
  alea_move own; /* chosen at the last turn; ALEA_NO_MOVE: none */
  bool pondered; /* since the last turn */
} match_player_worker;

struct alea_match_player {
  alea_match_player_options options;
  alea_ggp_message start; /* its slices are in the arena */
  alea_ggp_percepts percepts;
  const char *id, *rules;
  size_t rules_length;
  double start_deadline, start_cut; /* deadlines of the thinker and of alea_match_player_ready */
  atomic_bool quit;
  atomic_bool call; /* ends pondering */

  pthread_mutex_t lock; /* guards what follows */
  pthread_cond_t change;
  alea_mem mem;
  alea_arena arena;
  ALEA_VEC(turn) turns;
  size_t closed;  /* turns that have been answered */
  uint64_t calls; /* of alea_match_player_play */
  const char *why;
  alea_status status; /* that belongs to 'why' */
  match_player_worker thinker, fallback;
};

double alea_match_player_margin(double margin, double seconds) {
  if (margin < 0) margin = 0.05 * seconds > 0.5 ? 0.05 * seconds : 0.5;
  return margin < 0.5 * seconds ? margin : 0.5 * seconds;
}

const char *alea_match_player_id(const alea_match_player *player) { return player->id; }
const alea_ggp_message *alea_match_player_start(const alea_match_player *player) {
  return &player->start;
}
bool alea_match_player_sees(const alea_match_player *player) { return player->percepts.sees; }

/* ---- preparation ---- */

/* Ends a worker that cannot go on; the first reason is kept. */
static void fail(match_player_worker *w, alea_status status, const char *why) {
  alea_match_player *match = w->match;
  pthread_mutex_lock(&match->lock);
  w->stage = FAILED;
  if (match->why == NULL) {
    match->why = alea_arena_strdup(&match->arena, why, strlen(why));
    match->status = status;
  }
  pthread_cond_broadcast(&match->change);
  pthread_mutex_unlock(&match->lock);
}

static const char *first_error(const alea_diag *diag, alea_status status, alea_text *text) {
  for (size_t i = 0; i < diag->entries.count; i++) {
    const alea_diag_entry *e = &diag->entries.data[i];
    if (e->severity != ALEA_ERROR) continue;
    if (e->place.line > 0) alea_text_format(text, "line %u: ", e->place.line);
    alea_text_put(text, e->message);
    return alea_text_string(text);
  }
  return alea_status_text(status);
}

static alea_status find_role(match_player_worker *w) {
  const alea_game *game = w->opened.game;
  for (w->role = 0; w->role < game->role_count; w->role++)
    if (alea_slice_is(w->match->start.role, game->role_text[w->role])) break;
  if (w->role == game->role_count) {
    fail(w, ALEA_INPUT, "the rules have no such role");
    return ALEA_INPUT;
  }
  if ((int)w->role == game->random_role) {
    fail(w, ALEA_INPUT, "the role random is played by the manager");
    return ALEA_INPUT;
  }
  return ALEA_OK;
}

/* The network may be ready a little late, but not so late that it is
 * useless. */
static double ground_seconds(const alea_match_player *match) {
  double most = match->start.start_clock + 2 * match->start.play_clock, asked;
  asked = match->options.open.ground_seconds;
  if (most < 0.1) most = 0.1;
  return asked > 0 && asked < most ? asked : most;
}

static alea_status open_rules(match_player_worker *w) {
  alea_match_player *match = w->match;
  alea_open_options options = match->options.open;
  if (w->fallback) options.engine = ALEA_ENGINE_PROVER;
  options.ground_seconds = ground_seconds(match);
  alea_diag diag;
  alea_diag_init(&diag, &w->mem);
  alea_status status = alea_open_rules(&w->opened, "rules", match->rules, match->rules_length,
                                       &options, &match->quit, &diag);
  if (status != ALEA_OK) fail(w, status, first_error(&diag, status, &w->text));
  alea_diag_clear(&diag);
  return status;
}

static alea_status make_player(match_player_worker *w) {
  alea_match_player *match = w->match;
  alea_engine engine = w->fallback ? ALEA_ENGINE_PROVER : (alea_engine)match->options.open.engine;
  alea_match_sampler_init(&w->sampler, &w->opened, engine, &w->mem);
  alea_player_setup setup = {
      .game = w->opened.game,
      .role = w->role,
      .seed = alea_hash_join(match->options.seed, w->role + 1u),
      .mem = &w->mem,
      .sampler = w->fallback ? NULL : alea_match_make_sampler,
      .sampler_context = &w->sampler,
      .services = w->opened.services,
  };
  alea_text_truncate(&w->text, 0);
  alea_status status =
      alea_player_new(&w->player, w->fallback ? "legal" : match->options.player, &setup, &w->text);
  bool said = status == ALEA_USAGE;
  double clock = match->start.play_clock;
  if (status == ALEA_OK)
    alea_player_expect(w->player, clock - alea_match_player_margin(match->options.margin, clock), 0);
  if (status != ALEA_OK) fail(w, status, said ? alea_text_string(&w->text) : "no player");
  return status;
}

static alea_status prepare(match_player_worker *w) {
  alea_status status = open_rules(w);
  if (status == ALEA_OK) status = find_role(w);
  if (status == ALEA_OK) status = make_player(w);
  if (status != ALEA_OK) return status;
  status = alea_follower_init(&w->follower, w->player, w->opened.game, w->role, &w->mem);
  if (w->match->percepts.all) w->follower.did = w->match->percepts.word;
  if (status != ALEA_OK) fail(w, status, "the first position cannot be computed");
  return status;
}

static void think_ahead(match_player_worker *w) {
  alea_match_player *match = w->match;
  pthread_mutex_lock(&match->lock);
  w->stage = UP;
  pthread_cond_broadcast(&match->change);
  pthread_mutex_unlock(&match->lock);
  double left = match->start_deadline - alea_clock_wall();
  alea_budget budget = {.sims = match->options.sims, .seconds = left, .stop = &w->stop};
  if (!w->fallback && left > 0.001) (void)alea_player_start(w->player, &budget);
  pthread_mutex_lock(&match->lock);
  w->started = true;
  pthread_cond_broadcast(&match->change);
  pthread_mutex_unlock(&match->lock);
}

/* ---- choosing ---- */

static void publish(match_player_worker *w, size_t number, alea_move move, bool final) {
  alea_match_player *match = w->match;
  alea_text_truncate(&w->text, 0);
  alea_game_move_text(w->opened.game, w->role, move, true, &w->text);
  pthread_mutex_lock(&match->lock);
  const char *answer = alea_arena_strdup(&match->arena, alea_text_string(&w->text), w->text.length);
  if (answer != NULL && !w->text.failed && w->text.length > 0) {
    w->answer = answer;
    w->answered = number + 1;
    w->final = final;
    pthread_cond_broadcast(&match->change);
  }
  pthread_mutex_unlock(&match->lock);
}

/* Publishes some legal move at once if the position is known. */
static void publish_any(match_player_worker *w, size_t number) {
  alea_cursor *cursor = w->follower.cursor;
  alea_list legal;
  if (cursor == NULL || alea_cursor_legal(cursor, w->role, &legal) != ALEA_OK) return;
  if (legal.count > 0) publish(w, number, legal.ids[0], false);
}

/* What a player believes may be wrong; the position, where it is known, is
 * not. */
static alea_status keep_legal(match_player_worker *w, alea_move *move) {
  alea_list legal;
  alea_status status = alea_cursor_legal(w->follower.cursor, w->role, &legal);
  if (status == ALEA_OK && legal.count > 0 && !alea_list_has(legal, *move)) *move = legal.ids[0];
  return status;
}

static alea_status choose(match_player_worker *w, size_t number, double deadline) {
  alea_match_player *match = w->match;
  bool terminal = false;
  alea_cursor *cursor = w->follower.cursor;
  publish_any(w, number);
  alea_status status = cursor != NULL ? alea_cursor_terminal(cursor, &terminal) : ALEA_OK;
  if (status != ALEA_OK || terminal) return status == ALEA_OK ? ALEA_INPUT : status;
  double left = deadline - alea_clock_wall();
  alea_budget budget = {
      .sims = match->options.sims, .seconds = left > 0.005 ? left : 0.005, .stop = &w->stop};
  alea_move move = ALEA_NO_MOVE;
  status = alea_player_select(w->player, &budget, &move);
  if (status == ALEA_OK && cursor != NULL) status = keep_legal(w, &move);
  if (status == ALEA_OK) publish(w, number, move, true);
  if (status == ALEA_OK) w->own = move;
  return status;
}

/* Processes one turn; if it is the last, chooses a move. */
static alea_status work_turn(match_player_worker *w, size_t number) {
  alea_match_player *match = w->match;
  pthread_mutex_lock(&match->lock);
  turn t = match->turns.data[number];
  size_t before = number;
  while (before > 0 && match->turns.data[before - 1].bad) before--;
  const char *last = before > 0 ? match->turns.data[before - 1].sent : NULL;
  alea_slice sent = last != NULL ? (alea_slice){last, strlen(last)} : (alea_slice){0};
  pthread_mutex_unlock(&match->lock);
  alea_status status = ALEA_OK;
  if (t.step)
    status =
        alea_follower_step(&w->follower, t.numbered, t.own.length > 0 ? t.own : sent, t.events);
  if (status != ALEA_OK) return status;
  pthread_mutex_lock(&match->lock);
  bool asked =
      match->turns.count == number + 1 && match->closed <= number && !atomic_load(&match->quit);
  if (asked) atomic_store(&w->stop, false);
  pthread_mutex_unlock(&match->lock);
  if (!asked) return ALEA_OK;
  w->cancel.at = t.deadline; /* what was played is followed, however long it takes */
  status = choose(w, number, t.deadline);
  w->cancel.at = 0;
  return status;
}

/* ---- the threads ---- */

/* The fallback idles while the thinker works and positions are known: any
 * engine then knows the legal moves.  It helps a thinker that is behind: a player,
 * perhaps somebody else's, does not end when it is told to. */
static bool has_work(const match_player_worker *w) {
  const match_player_worker *thinker = &w->match->thinker;
  size_t turns = w->match->turns.count;
  bool behind = !thinker->started || thinker->processed + 1 < turns;
  if (w->processed == turns) return false;
  return !w->fallback || w->opened.game->has_sees || thinker->stage != UP || behind;
}

/* The worker is done with a turn.  ALEA_INPUT: it reports moves that are
 * impossible, or the game is over. */
static void end_turn(match_player_worker *w, alea_status status) {
  alea_match_player *match = w->match;
  pthread_mutex_lock(&match->lock);
  if (status == ALEA_INPUT) match->turns.data[w->at].bad = true;
  w->at = NO_TURN;
  w->processed++;
  pthread_cond_broadcast(&match->change);
  pthread_mutex_unlock(&match->lock);
}

/* Ponders until a message comes; the lock is held before and after.  An error
 * here will occur again when a move is asked for. */
static void ponder(match_player_worker *w) {
  alea_match_player *match = w->match;
  w->pondered = true;
  atomic_store(&match->call, false);
  pthread_mutex_unlock(&match->lock);
  (void)alea_player_ponder(w->player, w->own, &match->call);
  pthread_mutex_lock(&match->lock);
}

/* Waits for a turn or the end; the lock is held. */
static void rest(match_player_worker *w) {
  alea_match_player *match = w->match;
  while (!atomic_load(&match->quit) && !has_work(w)) {
    if (match->options.ponder && !w->fallback && !w->pondered) {
      ponder(w);
    } else {
      pthread_cond_wait(&match->change, &match->lock);
    }
  }
}

static void work_turns(match_player_worker *w) {
  alea_match_player *match = w->match;
  for (;;) {
    pthread_mutex_lock(&match->lock);
    rest(w);
    bool quit = atomic_load(&match->quit);
    if (!quit) w->at = w->processed;
    pthread_mutex_unlock(&match->lock);
    if (quit) return;
    w->own = ALEA_NO_MOVE;
    w->pondered = false;
    alea_status status = work_turn(w, w->at);
    end_turn(w, status);
    bool late = status == ALEA_LIMIT && !w->mem.hit_limit; /* perhaps the next is in time */
    if (status == ALEA_OK || status == ALEA_INPUT || late) continue;
    fail(w, status == ALEA_NONE ? ALEA_INPUT : status, "there is no move to be found");
    return;
  }
}

static void clear_worker(match_player_worker *w) {
  alea_player_free(w->player);
  alea_follower_clear(&w->follower);
  alea_match_sampler_clear(&w->sampler);
  alea_text_clear(&w->text);
  alea_opened_clear(&w->opened);
  assert(w->mem.used == 0 && w->opened.mem.used == 0);
}

static void *work(void *argument) {
  match_player_worker *w = argument;
  alea_match_player *match = w->match;
  if (prepare(w) == ALEA_OK) {
    think_ahead(w);
    work_turns(w);
  }
  clear_worker(w);
  pthread_mutex_lock(&match->lock);
  w->ended = true;
  pthread_cond_broadcast(&match->change);
  pthread_mutex_unlock(&match->lock);
  return NULL;
}

static bool start_worker(alea_match_player *match, match_player_worker *w, bool fallback) {
  w->match = match;
  w->fallback = fallback;
  w->cancel = (alea_deadline){.stop = &match->quit};
  alea_mem_init(&w->mem, match->options.open.memory);
  w->mem.deadline = &w->cancel;
  w->mem.given_up = &match->quit;
  alea_mem_init(&w->opened.mem, 0);
  alea_text_init(&w->text, &w->mem);
  alea_text_init(&w->opened.source, &w->opened.mem);
  w->own = ALEA_NO_MOVE;
  w->at = NO_TURN;
  w->ended = false; /* set before the thread starts, which sets it to true at its end */
  w->running = pthread_create(&w->thread, NULL, work, w) == 0;
  if (!w->running) w->ended = true;
  return w->running;
}

/* ---- interface ---- */

static alea_slice keep(alea_match_player *match, alea_slice slice) {
  if (slice.length == 0) return (alea_slice){"", 0};
  return (alea_slice){alea_arena_strdup(&match->arena, slice.at, slice.length), slice.length};
}

/* Keeps the rules for the engines.  The rule that shows every move to everybody
 * is left out: the joint moves carry the same information, and without percepts
 * the game is easier to play. */
static bool keep_rules(alea_match_player *match, alea_slice rules, bool blind) {
  static const char nothing[] = "\n(<= (sees ?r nothing) (role ?r) (true never))";
  alea_text text;
  alea_text_init(&text, &match->mem);
  match->percepts = alea_ggp_look(rules);
  alea_slice cut =
      match->percepts.all ? match->percepts.rule : (alea_slice){rules.at + rules.length, 0};
  alea_text_add(&text, rules.at, (size_t)(cut.at - rules.at));
  alea_text_add(&text, cut.at + cut.length,
                rules.length - (size_t)(cut.at - rules.at) - cut.length);
  if (blind) alea_text_put(&text, nothing);
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
  good = good && start_worker(match, &match->fallback, true) &&
         start_worker(match, &match->thinker, false);
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
    bool failed = match->thinker.stage == FAILED && match->fallback.stage == FAILED;
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
  const match_player_worker *best = &match->thinker, *other = &match->fallback;
  bool known = best->answered == number + 1, spare = other->answered == number + 1;
  if (known && (best->final || now || best->stage == FAILED)) return best->answer;
  if (spare && (now || best->stage == FAILED)) return other->answer;
  return NULL;
}

/* The move that was sent for the PLAY that turn 'number' repeats, or NULL.
 * Joint moves may repeat, so only moves that do not fit the position can be
 * the same message once more: the manager's connection broke. */
static const char *sent_before(const alea_match_player *match, size_t number) {
  const turn *again = &match->turns.data[number], *last = NULL;
  for (size_t i = 0; i < number; i++)
    if (!match->turns.data[i].bad) last = &match->turns.data[i];
  bool same = last != NULL && last->step && last->events.length == again->events.length &&
              memcmp(last->events.at, again->events.at, again->events.length) == 0;
  return same ? last->sent : NULL;
}

static void free_turn(alea_match_player *match, turn *t) {
  alea_mem_free(&match->mem, t->copy, t->own.length + t->events.length + 1);
}

/* Turns that were refused leave nothing behind, unless a worker is still busy
 * with one; the lock is held. */
static void drop_refused(alea_match_player *match) {
  match_player_worker *const workers[] = {&match->thinker, &match->fallback};
  while (match->turns.count > 0) {
    size_t last = match->turns.count - 1;
    turn *t = &match->turns.data[last];
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
    const turn *t = &match->turns.data[i];
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
      match->turns.data[number].sent = answer;
      alea_text_put(reply, answer);
      break;
    }
    if (atomic_load(&match->quit) || match->turns.count > number + 1) return ALEA_NONE;
    if (match->calls > call + 1 || match->turns.count <= number) return ALEA_NONE;
    if (match->turns.data[number].bad) return refuse(match, number, reply);
    if (match->thinker.stage == FAILED && match->fallback.stage == FAILED) {
      alea_text_put(reply, match->why != NULL ? match->why : "no move is known");
      return match->status;
    }
    if (wait_until(match, now ? end : cut)) continue;
    if (now) { /* no legal move is known: answer before the clock is over */
      put_guess(match, number, reply);
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
static bool copy_report(alea_match_player *match, const alea_ggp_message *m, turn *t) {
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
  turn t = {.deadline = deadline, .numbered = m->has_turn, .step = step};
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
