/* The threads of a match player: rules are opened, a player is made, turns are followed. */
#include "net/match_worker.h"

#include <assert.h>
#include <string.h>

#include "base/hash.h"

/* ---- preparation ---- */

/* Ends a worker that cannot go on; the first reason is kept. */
static void fail(alea_match_worker *w, alea_status status, const char *why) {
  alea_match_player *match = w->match;
  pthread_mutex_lock(&match->lock);
  w->stage = ALEA_MATCH_FAILED;
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

static alea_status find_role(alea_match_worker *w) {
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

static alea_status open_rules(alea_match_worker *w) {
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

/* What is wrong with the player's options, or with a file that they name, is for its owner to
 * mend: then no match is begun.  A player that only fails is played for. */
static void refuse_player(alea_match_worker *w, alea_status status) {
  bool said = w->text.length > 0 && status != ALEA_NONE && status != ALEA_LIMIT;
  fail(w, status, w->text.length > 0 ? alea_text_string(&w->text) : "there is no player");
  pthread_mutex_lock(&w->match->lock);
  w->match->refused = said;
  pthread_cond_broadcast(&w->match->change);
  pthread_mutex_unlock(&w->match->lock);
}

static alea_status make_player(alea_match_worker *w) {
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
  double clock = match->start.play_clock;
  if (status == ALEA_OK)
    alea_player_expect(w->player, clock - alea_match_player_margin(match->options.margin, clock),
                       0);
  if (status != ALEA_OK) refuse_player(w, status);
  return status;
}

static alea_status prepare(alea_match_worker *w) {
  alea_status status = open_rules(w);
  if (status == ALEA_OK) status = find_role(w);
  if (status == ALEA_OK) status = make_player(w);
  if (status != ALEA_OK) return status;
  status = alea_follower_init(&w->follower, w->player, w->opened.game, w->role, &w->mem);
  if (w->match->percepts.all) w->follower.did = w->match->percepts.word;
  if (status != ALEA_OK) fail(w, status, "the first position cannot be computed");
  return status;
}

static void think_ahead(alea_match_worker *w) {
  alea_match_player *match = w->match;
  pthread_mutex_lock(&match->lock);
  w->stage = ALEA_MATCH_UP;
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

static void publish(alea_match_worker *w, size_t number, alea_move move, bool final,
                    bool by_player) {
  alea_match_player *match = w->match;
  alea_text_truncate(&w->text, 0);
  alea_game_move_text(w->opened.game, w->role, move, true, &w->text);
  pthread_mutex_lock(&match->lock);
  const char *answer = alea_arena_strdup(&match->arena, alea_text_string(&w->text), w->text.length);
  if (answer != NULL && !w->text.failed && w->text.length > 0) {
    w->answer = answer;
    w->answered = number + 1;
    w->final = final;
    w->by_player = by_player;
    pthread_cond_broadcast(&match->change);
  }
  pthread_mutex_unlock(&match->lock);
}

/* Publishes some legal move at once if the position is known. */
static void publish_any(alea_match_worker *w, size_t number) {
  alea_cursor *cursor = w->follower.cursor;
  alea_list legal;
  if (cursor == NULL || alea_cursor_legal(cursor, w->role, &legal) != ALEA_OK) return;
  if (legal.count > 0) publish(w, number, legal.ids[0], false, false);
}

/* What a player believes may be wrong, or it may know no move at all; the position, where it is
 * known, is not.  ALEA_NONE: the role has no move. */
static alea_status keep_legal(alea_match_worker *w, alea_move *move) {
  alea_list legal;
  alea_status status = alea_cursor_legal(w->follower.cursor, w->role, &legal);
  if (status != ALEA_OK) return status;
  if (legal.count > 0 && !alea_list_has(legal, *move)) *move = legal.ids[0];
  return *move != ALEA_NO_MOVE ? ALEA_OK : ALEA_NONE;
}

static alea_status choose(alea_match_worker *w, size_t number, double deadline) {
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
  if (status == ALEA_NONE) move = ALEA_NO_MOVE;
  alea_move chosen = move;
  if ((status == ALEA_OK || status == ALEA_NONE) && cursor != NULL) status = keep_legal(w, &move);
  if (status == ALEA_OK) publish(w, number, move, true, move == chosen);
  if (status == ALEA_OK) w->own = move;
  return status;
}

/* Processes one turn; if it is the last, chooses a move. */
static alea_status work_turn(alea_match_worker *w, size_t number) {
  alea_match_player *match = w->match;
  pthread_mutex_lock(&match->lock);
  alea_match_turn t = match->turns.data[number];
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
static bool has_work(const alea_match_worker *w) {
  const alea_match_worker *thinker = &w->match->thinker;
  size_t turns = w->match->turns.count;
  bool behind = !thinker->started || thinker->processed + 1 < turns;
  if (w->processed == turns) return false;
  return !w->fallback || w->opened.game->has_sees || thinker->stage != ALEA_MATCH_UP || behind;
}

/* The worker is done with a turn.  ALEA_INPUT: it reports moves that are
 * impossible, or the game is over. */
static void end_turn(alea_match_worker *w, alea_status status) {
  alea_match_player *match = w->match;
  pthread_mutex_lock(&match->lock);
  if (status == ALEA_INPUT) match->turns.data[w->at].bad = true;
  w->at = ALEA_NO_TURN;
  w->processed++;
  pthread_cond_broadcast(&match->change);
  pthread_mutex_unlock(&match->lock);
}

/* Ponders until a message comes; the lock is held before and after.  An error
 * here will occur again when a move is asked for. */
static void ponder(alea_match_worker *w) {
  alea_match_player *match = w->match;
  w->pondered = true;
  atomic_store(&match->call, false);
  pthread_mutex_unlock(&match->lock);
  (void)alea_player_ponder(w->player, w->own, &match->call);
  pthread_mutex_lock(&match->lock);
}

/* Waits for a turn or the end; the lock is held. */
static void rest(alea_match_worker *w) {
  alea_match_player *match = w->match;
  while (!atomic_load(&match->quit) && !has_work(w)) {
    if (match->options.ponder && !w->fallback && !w->pondered) {
      ponder(w);
    } else {
      pthread_cond_wait(&match->change, &match->lock);
    }
  }
}

static void work_turns(alea_match_worker *w) {
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

static void clear_worker(alea_match_worker *w) {
  alea_player_free(w->player);
  alea_follower_clear(&w->follower);
  alea_match_sampler_clear(&w->sampler);
  alea_text_clear(&w->text);
  alea_opened_clear(&w->opened);
  assert(w->mem.used == 0 && w->opened.mem.used == 0);
}

static void *work(void *argument) {
  alea_match_worker *w = argument;
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

bool alea_match_worker_start(alea_match_player *match, alea_match_worker *w, bool fallback) {
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
  w->at = ALEA_NO_TURN;
  w->ended = false; /* set before the thread starts, which sets it to true at its end */
  w->running = pthread_create(&w->thread, NULL, work, w) == 0;
  if (!w->running) w->ended = true;
  return w->running;
}
