/* Gamers: a list of turns, and two threads that read it. */
#include "net/match_player.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/arena.h"
#include "base/hash.h"
#include "match/runner.h"

/* One PLAY.  Texts live in the match player's arena. */
typedef struct turn {
  alea_slice own;  /* our move, as the manager has it; empty: what we sent */
  alea_slice news; /* moves or percepts that led here */
  const char *sent;
  double due; /* when the thinker should be done */
  bool step;  /* something was played before it */
  bool bad;   /* does not fit the rules: it is as if it had not come */
} turn;

typedef enum stage { OPENING, UP, FAILED } stage;

typedef struct match_player_worker {
  alea_match_player *match;
  bool fallback;
  pthread_t thread;
  bool running; /* there is a thread to be joined */
  atomic_bool stop;

  /* Guarded by the match player's lock. */
  stage stage;
  bool started;       /* thought before the first move */
  bool ended;         /* the thread is about to end */
  size_t answered;    /* 'answer' is that for turn answered - 1 */
  const char *answer; /* in the arena */
  bool final;         /* there will be no better one */

  /* The thread's own. */
  alea_mem mem;
  alea_opened opened;
  alea_match_sampler sampler;
  alea_player *player;
  alea_cursor *cursor; /* the position, where joint moves are told */
  alea_move *joint;
  alea_u32s percepts;
  alea_text text;
  uint32_t role;
  size_t seen;   /* turns taken note of */
  alea_move own; /* chosen for the last of them, ALEA_NO_MOVE for none */
  bool pondered; /* after the last of them */
} match_player_worker;

struct alea_match_player {
  alea_match_player_options options;
  alea_ggp_message start; /* its slices are ours */
  alea_ggp_percepts sight;
  const char *id, *rules;
  size_t rules_length;
  double start_due, start_cut; /* thinker done; whoever waits goes on */
  atomic_bool quit;
  atomic_bool call; /* ends pondering */

  pthread_mutex_t lock; /* of what follows */
  pthread_cond_t change;
  alea_mem mem;
  alea_arena arena;
  ALEA_VEC(turn) turns;
  size_t closed; /* turns whose answer has left */
  const char *why;
  alea_status status; /* with 'why' */
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
bool alea_match_player_sees(const alea_match_player *player) { return player->sight.sees; }

/* ---- getting ready ---- */

/* Ends a worker that cannot go on; the first reason is kept. */
static void fail(match_player_worker *w, alea_status status, const char *why) {
  alea_match_player *g = w->match;
  pthread_mutex_lock(&g->lock);
  w->stage = FAILED;
  if (g->why == NULL) {
    g->why = alea_arena_strdup(&g->arena, why, strlen(why));
    g->status = status;
  }
  pthread_cond_broadcast(&g->change);
  pthread_mutex_unlock(&g->lock);
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

/* The network may come a little late, but not so late that it is of no use. */
static double ground_seconds(const alea_match_player *g) {
  double most = g->start.start_clock + 2 * g->start.play_clock, asked;
  asked = g->options.open.ground_seconds;
  if (most < 0.1) most = 0.1;
  return asked > 0 && asked < most ? asked : most;
}

static alea_status open_rules(match_player_worker *w) {
  alea_match_player *g = w->match;
  alea_open_options options = g->options.open;
  if (w->fallback) options.engine = ALEA_ENGINE_PROVER;
  options.ground_seconds = ground_seconds(g);
  alea_diag diag;
  alea_diag_init(&diag, &w->mem);
  alea_status status =
      alea_open_rules(&w->opened, "rules", g->rules, g->rules_length, &options, &g->quit, &diag);
  if (status != ALEA_OK) fail(w, status, first_error(&diag, status, &w->text));
  alea_diag_clear(&diag);
  return status;
}

static alea_status make_player(match_player_worker *w) {
  alea_match_player *g = w->match;
  alea_engine engine = w->fallback ? ALEA_ENGINE_PROVER : (alea_engine)g->options.open.engine;
  alea_match_sampler_init(&w->sampler, &w->opened, engine, &w->mem);
  alea_player_setup setup = {
      .game = w->opened.game,
      .role = w->role,
      .seed = alea_hash_join(g->options.seed, w->role + 1u),
      .mem = &w->mem,
      .sampler = w->fallback ? NULL : alea_match_make_sampler,
      .sampler_context = &w->sampler,
      .services = w->opened.services,
  };
  alea_text_truncate(&w->text, 0);
  alea_status status =
      alea_player_new(&w->player, w->fallback ? "legal" : g->options.player, &setup, &w->text);
  bool said = status == ALEA_USAGE;
  if (status != ALEA_OK) fail(w, status, said ? alea_text_string(&w->text) : "no player");
  return status;
}

static alea_status prepare(match_player_worker *w) {
  alea_status status = open_rules(w);
  if (status == ALEA_OK) status = find_role(w);
  if (status == ALEA_OK) status = make_player(w);
  if (status != ALEA_OK) return status;
  uint32_t roles = w->opened.game->role_count;
  w->joint = alea_mem_calloc(&w->mem, roles, sizeof *w->joint);
  status = w->joint == NULL ? ALEA_SYSTEM : ALEA_OK;
  if (status == ALEA_OK && !w->opened.game->has_sees)
    status = alea_cursor_new(w->opened.game, &w->mem, &w->cursor);
  if (status != ALEA_OK) fail(w, status, "the first position cannot be computed");
  return status;
}

static void think_ahead(match_player_worker *w) {
  alea_match_player *g = w->match;
  pthread_mutex_lock(&g->lock);
  w->stage = UP;
  pthread_cond_broadcast(&g->change);
  pthread_mutex_unlock(&g->lock);
  double left = g->start_due - alea_clock_wall();
  alea_budget budget = {.sims = g->options.sims, .seconds = left, .stop = &w->stop};
  if (!w->fallback && left > 0.001) (void)alea_player_start(w->player, &budget);
  pthread_mutex_lock(&g->lock);
  w->started = true;
  pthread_cond_broadcast(&g->change);
  pthread_mutex_unlock(&g->lock);
}

/* ---- what was played ---- */

/* The text of a slice, NUL-terminated, in 'w->text'. */
static const char *text_of(match_player_worker *w, alea_slice slice) {
  alea_text_truncate(&w->text, 0);
  alea_text_add(&w->text, slice.at, slice.length);
  return alea_text_string(&w->text);
}

/* Takes 'move' for 'role' of the joint move; only what is legal is played, or
 * the engines would be asked for what they do not promise. */
static bool set_move(match_player_worker *w, uint32_t role, alea_slice move) {
  alea_list legal; /* first: the prover numbers moves as it meets them */
  if (alea_cursor_legal(w->cursor, role, &legal) != ALEA_OK) return false;
  w->joint[role] = alea_game_move_find(w->opened.game, role, text_of(w, move));
  return alea_list_has(legal, w->joint[role]);
}

static bool read_joint(match_player_worker *w, alea_slice news) {
  uint32_t count = 0, roles = w->opened.game->role_count;
  for (alea_slice move; alea_slice_take(&news, &move) == ALEA_SLICE_TERM; count++)
    if (count == roles || !set_move(w, count, move)) return false;
  return count == roles;
}

/* Percepts `(did role move)`, one for each role. */
static bool read_told(match_player_worker *w, alea_slice news) {
  const alea_game *game = w->opened.game;
  uint32_t count = 0;
  for (uint32_t r = 0; r < game->role_count; r++) w->joint[r] = ALEA_NO_MOVE;
  for (alea_slice told; alea_slice_take(&news, &told) == ALEA_SLICE_TERM; count++) {
    alea_slice word, role, move, end;
    if (!alea_slice_is_list(told)) return false;
    alea_slice inside = alea_slice_inside(told);
    if (alea_slice_take(&inside, &word) != ALEA_SLICE_TERM ||
        alea_slice_take(&inside, &role) != ALEA_SLICE_TERM ||
        alea_slice_take(&inside, &move) != ALEA_SLICE_TERM ||
        alea_slice_take(&inside, &end) != ALEA_SLICE_END ||
        !alea_slice_same(word, w->match->sight.word))
      return false;
    uint32_t r = 0;
    while (r < game->role_count && !alea_slice_is(role, game->role_text[r])) r++;
    if (r == game->role_count || w->joint[r] != ALEA_NO_MOVE || !set_move(w, r, move)) return false;
  }
  return count == game->role_count;
}

static alea_status follow_joint(match_player_worker *w, const turn *t) {
  bool terminal;
  alea_status status = alea_cursor_terminal(w->cursor, &terminal);
  if (status != ALEA_OK) return status;
  bool told = w->match->sight.all && read_told(w, t->news);
  if (terminal || (!told && !read_joint(w, t->news))) return ALEA_INPUT;
  alea_observation seen = {.own = w->joint[w->role], .joint = w->joint};
  status = alea_cursor_play(w->cursor, w->joint);
  return status == ALEA_OK ? alea_player_observe(w->player, &seen) : status;
}

/* Percepts that the rules do not know are passed over. */
static alea_status follow_percepts(match_player_worker *w, const turn *t, const char *sent) {
  const alea_game *game = w->opened.game;
  alea_slice own = t->own, news = t->news;
  if (own.length == 0 && sent != NULL) own = (alea_slice){sent, strlen(sent)};
  alea_observation seen = {.own = alea_game_move_find(game, w->role, text_of(w, own))};
  if (own.length == 0 || seen.own == ALEA_NO_MOVE) return ALEA_INPUT;
  w->percepts.count = 0;
  for (alea_slice percept; alea_slice_take(&news, &percept) == ALEA_SLICE_TERM;) {
    uint32_t id = alea_game_percept_find(game, text_of(w, percept));
    if (id != ALEA_NO_PERCEPT && !alea_vec_push(&w->mem, &w->percepts, id)) return ALEA_SYSTEM;
  }
  seen.percepts = (alea_list){w->percepts.data, (uint32_t)w->percepts.count};
  return alea_player_observe(w->player, &seen);
}

/* ---- choosing ---- */

static void publish(match_player_worker *w, size_t number, alea_move move, bool final) {
  alea_match_player *g = w->match;
  alea_text_truncate(&w->text, 0);
  alea_game_move_text(w->opened.game, w->role, move, true, &w->text);
  pthread_mutex_lock(&g->lock);
  const char *answer = alea_arena_strdup(&g->arena, alea_text_string(&w->text), w->text.length);
  if (answer != NULL && !w->text.failed && w->text.length > 0) {
    w->answer = answer;
    w->answered = number + 1;
    w->final = final;
    pthread_cond_broadcast(&g->change);
  }
  pthread_mutex_unlock(&g->lock);
}

/* Something legal, at once, where the position is known. */
static void publish_any(match_player_worker *w, size_t number) {
  alea_list legal;
  if (w->cursor == NULL || alea_cursor_legal(w->cursor, w->role, &legal) != ALEA_OK) return;
  if (legal.count > 0) publish(w, number, legal.ids[0], false);
}

static alea_status choose(match_player_worker *w, size_t number, double due) {
  alea_match_player *g = w->match;
  bool terminal = false;
  alea_status status = w->cursor != NULL ? alea_cursor_terminal(w->cursor, &terminal) : ALEA_OK;
  if (status != ALEA_OK || terminal) return status == ALEA_OK ? ALEA_INPUT : status;
  publish_any(w, number);
  double left = due - alea_clock_wall();
  alea_budget budget = {
      .sims = g->options.sims, .seconds = left > 0.005 ? left : 0.005, .stop = &w->stop};
  alea_move move = ALEA_NO_MOVE;
  status = alea_player_select(w->player, &budget, &move);
  if (status == ALEA_OK) publish(w, number, move, true);
  if (status == ALEA_OK) w->own = move;
  return status;
}

/* Takes note of one turn and, where it is the last, chooses a move. */
static alea_status work_turn(match_player_worker *w, size_t number) {
  alea_match_player *g = w->match;
  pthread_mutex_lock(&g->lock);
  turn t = g->turns.data[number];
  size_t before = number;
  while (before > 0 && g->turns.data[before - 1].bad) before--;
  const char *sent = before > 0 ? g->turns.data[before - 1].sent : NULL;
  pthread_mutex_unlock(&g->lock);
  alea_status status = ALEA_OK;
  if (t.step)
    status = w->opened.game->has_sees ? follow_percepts(w, &t, sent) : follow_joint(w, &t);
  if (status != ALEA_OK) return status;
  pthread_mutex_lock(&g->lock);
  bool asked = g->turns.count == number + 1 && g->closed <= number && !atomic_load(&g->quit);
  if (asked) atomic_store(&w->stop, false);
  pthread_mutex_unlock(&g->lock);
  return asked ? choose(w, number, t.due) : ALEA_OK;
}

/* ---- the threads ---- */

/* A fallback rests while the thinker can do without it: where positions are
 * known, any engine tells legal moves. */
static bool has_work(const match_player_worker *w) {
  const alea_match_player *g = w->match;
  if (w->seen == g->turns.count) return false;
  return !w->fallback || w->opened.game->has_sees || g->thinker.stage != UP;
}

/* The turn tells of moves that cannot have been made, or the game is over. */
static void refuse(match_player_worker *w, size_t number) {
  alea_match_player *g = w->match;
  pthread_mutex_lock(&g->lock);
  g->turns.data[number].bad = true;
  pthread_cond_broadcast(&g->change);
  pthread_mutex_unlock(&g->lock);
}

/* Thinks until somebody calls; the lock is held before and after.  What goes
 * wrong will go wrong again when a move is asked for. */
static void ponder(match_player_worker *w) {
  alea_match_player *g = w->match;
  w->pondered = true;
  atomic_store(&g->call, false);
  pthread_mutex_unlock(&g->lock);
  (void)alea_player_ponder(w->player, w->own, &g->call);
  pthread_mutex_lock(&g->lock);
}

/* Waits for a turn, or the end; the lock is held. */
static void rest(match_player_worker *w) {
  alea_match_player *g = w->match;
  while (!atomic_load(&g->quit) && !has_work(w)) {
    if (g->options.ponder && !w->fallback && !w->pondered) {
      ponder(w);
    } else {
      pthread_cond_wait(&g->change, &g->lock);
    }
  }
}

static void work_turns(match_player_worker *w) {
  alea_match_player *g = w->match;
  for (;;) {
    pthread_mutex_lock(&g->lock);
    rest(w);
    pthread_mutex_unlock(&g->lock);
    if (atomic_load(&g->quit)) return;
    w->own = ALEA_NO_MOVE;
    w->pondered = false;
    alea_status status = work_turn(w, w->seen);
    if (status == ALEA_INPUT) refuse(w, w->seen);
    w->seen++;
    if (status == ALEA_OK || status == ALEA_INPUT) continue;
    fail(w, status == ALEA_NO ? ALEA_INPUT : status, "there is no move to be found");
    return;
  }
}

static void clear_worker(match_player_worker *w) {
  alea_player_free(w->player);
  alea_cursor_free(w->cursor);
  alea_match_sampler_clear(&w->sampler);
  if (w->joint != NULL)
    alea_mem_free(&w->mem, w->joint, w->opened.game->role_count * sizeof *w->joint);
  alea_vec_clear(&w->mem, &w->percepts);
  alea_text_clear(&w->text);
  alea_opened_clear(&w->opened);
  assert(w->mem.used == 0 && w->opened.mem.used == 0);
}

static void *work(void *argument) {
  match_player_worker *w = argument;
  alea_match_player *g = w->match;
  if (prepare(w) == ALEA_OK) {
    think_ahead(w);
    work_turns(w);
  }
  clear_worker(w);
  pthread_mutex_lock(&g->lock);
  w->ended = true;
  pthread_cond_broadcast(&g->change);
  pthread_mutex_unlock(&g->lock);
  return NULL;
}

static bool start_worker(alea_match_player *g, match_player_worker *w, bool fallback) {
  w->match = g;
  w->fallback = fallback;
  alea_mem_init(&w->mem, 0);
  alea_mem_init(&w->opened.mem, 0);
  alea_text_init(&w->text, &w->mem);
  alea_text_init(&w->opened.source, &w->opened.mem);
  w->own = ALEA_NO_MOVE;
  w->ended = false; /* before the thread begins: it will say when that changes */
  w->running = pthread_create(&w->thread, NULL, work, w) == 0;
  if (!w->running) w->ended = true;
  return w->running;
}

/* ---- from outside ---- */

static alea_slice keep(alea_match_player *g, alea_slice slice) {
  if (slice.length == 0) return (alea_slice){"", 0};
  return (alea_slice){alea_arena_strdup(&g->arena, slice.at, slice.length), slice.length};
}

/* The rules as the engines get them: without the rule that tells everybody
 * every move, since joint moves say the same and make a better game. */
static bool keep_rules(alea_match_player *g, alea_slice rules, bool blind) {
  static const char nothing[] = "\n(<= (sees ?r nothing) (role ?r) (true never))";
  alea_text text;
  alea_text_init(&text, &g->mem);
  g->sight = alea_ggp_look(rules);
  alea_slice cut = g->sight.all ? g->sight.rule : (alea_slice){rules.at + rules.length, 0};
  alea_text_add(&text, rules.at, (size_t)(cut.at - rules.at));
  alea_text_add(&text, cut.at + cut.length,
                rules.length - (size_t)(cut.at - rules.at) - cut.length);
  if (blind) alea_text_put(&text, nothing);
  if (blind) g->sight = (alea_ggp_percepts){.sees = true};
  g->rules_length = text.length;
  g->rules = alea_arena_strdup(&g->arena, alea_text_string(&text), text.length);
  if (g->sight.all) g->sight.word = keep(g, g->sight.word);
  bool good = !text.failed && g->rules != NULL && (!g->sight.all || g->sight.word.at != NULL);
  alea_text_clear(&text);
  return good;
}

static bool keep_start(alea_match_player *g, const alea_ggp_message *start, bool blind) {
  g->start = *start;
  g->start.id = keep(g, start->id);
  g->start.role = keep(g, start->role);
  g->start.rules = keep(g, start->rules);
  g->id = g->start.id.at;
  if (g->id == NULL || g->start.role.at == NULL || g->start.rules.at == NULL) return false;
  double now = alea_clock_wall();
  double margin = alea_match_player_margin(g->options.margin, start->start_clock);
  g->start_due = now + start->start_clock - margin;
  g->start_cut = g->start_due + 0.5 * margin;
  return keep_rules(g, g->start.rules, blind);
}

alea_match_player *alea_match_player_new(const alea_match_player_options *options,
                                         const alea_ggp_message *start, bool blind) {
  alea_match_player *g = calloc(1, sizeof *g);
  if (g == NULL) return NULL;
  g->options = *options;
  alea_mem_init(&g->mem, 0);
  alea_arena_init(&g->arena, &g->mem);
  pthread_mutex_init(&g->lock, NULL);
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(&g->change, &attributes);
  pthread_condattr_destroy(&attributes);
  g->thinker.ended = g->fallback.ended = true;
  bool good = keep_start(g, start, blind);
  good = good && start_worker(g, &g->fallback, true) && start_worker(g, &g->thinker, false);
  if (good) return g;
  alea_match_player_end(g);
  alea_match_player_free(g);
  return NULL;
}

/* Waits for a change until 'at'; false when that has passed. */
static bool wait_until(alea_match_player *g, double at) {
  double now = alea_clock_wall();
  if (now >= at) return false;
  struct timespec until = {.tv_sec = (time_t)at,
                           .tv_nsec = (long)((at - (double)(time_t)at) * 1e9)};
  pthread_cond_timedwait(&g->change, &g->lock, &until);
  return true;
}

alea_status alea_match_player_ready(alea_match_player *g, alea_text *why) {
  alea_status status = ALEA_OK;
  pthread_mutex_lock(&g->lock);
  for (;;) {
    bool failed = g->thinker.stage == FAILED && g->fallback.stage == FAILED;
    if (failed) status = g->status;
    if (failed) alea_text_put(why, g->why != NULL ? g->why : alea_status_text(status));
    if (failed || g->thinker.started || atomic_load(&g->quit)) break;
    if (!wait_until(g, g->start_cut)) break;
  }
  if (!g->thinker.started) atomic_store(&g->thinker.stop, true);
  pthread_mutex_unlock(&g->lock);
  return status;
}

/* The answer for a turn: the thinker's last word, or when 'now' is set
 * whatever there is; NULL for none. */
static const char *find_answer(const alea_match_player *g, size_t number, bool now) {
  const match_player_worker *best = &g->thinker, *other = &g->fallback;
  bool known = best->answered == number + 1, spare = other->answered == number + 1;
  if (known && (best->final || now || best->stage == FAILED)) return best->answer;
  if (spare && (now || best->stage == FAILED)) return other->answer;
  return NULL;
}

/* Waits for the answer to turn 'number'; the lock is held. */
static alea_status await(alea_match_player *g, size_t number, double cut, double end,
                         alea_text *reply) {
  bool now = false;
  for (;;) {
    const char *answer = find_answer(g, number, now);
    if (answer != NULL) {
      g->turns.data[number].sent = answer;
      alea_text_put(reply, answer);
      break;
    }
    if (atomic_load(&g->quit) || g->turns.count > number + 1) return ALEA_NO;
    if (g->turns.data[number].bad) {
      alea_text_put(reply, "the moves do not fit the rules and what was played before");
      return ALEA_INPUT;
    }
    if (g->thinker.stage == FAILED && g->fallback.stage == FAILED) {
      alea_text_put(reply, g->why != NULL ? g->why : "no move is known");
      return g->status;
    }
    if (wait_until(g, now ? end : cut)) continue;
    if (now) { /* no legal move is known: say so while it still matters */
      alea_text_put(reply, "nil");
      break;
    }
    now = true;
    atomic_store(&g->thinker.stop, true);
  }
  if (g->closed <= number) g->closed = number + 1;
  atomic_store(&g->thinker.stop, true);
  return ALEA_OK;
}

static alea_status add_turn(alea_match_player *g, const alea_ggp_message *m, bool step,
                            double due) {
  turn t = {.due = due, .step = step};
  if (step) t.own = keep(g, m->own);
  if (step) t.news = keep(g, m->news);
  bool good = !step || (t.own.at != NULL && t.news.at != NULL);
  if (!good || !alea_vec_push(&g->mem, &g->turns, t)) return ALEA_SYSTEM;
  atomic_store(&g->call, true);
  pthread_cond_broadcast(&g->change);
  return ALEA_OK;
}

static size_t good_turns(const alea_match_player *g) {
  size_t good = 0;
  for (size_t i = 0; i < g->turns.count; i++) good += !g->turns.data[i].bad;
  return good;
}

/* Does the message tell of a step, or is it the same PLAY again?  NIL means
 * "no percepts" where there could be some, and else that nothing happened. */
static bool tells_step(const alea_match_player *g, const alea_ggp_message *m, size_t good) {
  if (good == 0) return false;
  if (m->has_turn) return m->turn > (double)(good - 1);
  return m->has_news || (g->sight.sees && !g->sight.all);
}

static alea_status note_turn(alea_match_player *g, const alea_ggp_message *m, double due) {
  alea_status status = ALEA_OK;
  size_t good = good_turns(g);
  /* A first PLAY that tells of moves: the one before it got lost. */
  if (good == 0 && (m->has_news || m->own.length > 0)) {
    status = add_turn(g, m, false, due);
    good++;
  }
  bool step = tells_step(g, m, good);
  bool fresh = g->turns.count == 0 || g->turns.data[g->turns.count - 1].bad;
  return status == ALEA_OK && (step || fresh) ? add_turn(g, m, step, due) : status;
}

alea_status alea_match_player_play(alea_match_player *g, const alea_ggp_message *m,
                                   alea_text *reply) {
  double clock = g->start.play_clock, now = alea_clock_wall();
  double margin = alea_match_player_margin(g->options.margin, clock), due = now + clock - margin;
  double end = now + (clock > 0.2 ? clock : 0.2);
  pthread_mutex_lock(&g->lock);
  alea_status status = note_turn(g, m, due);
  size_t number = g->turns.count - 1;
  if (!g->thinker.started) atomic_store(&g->thinker.stop, true);
  if (status == ALEA_OK) status = await(g, number, due + 0.5 * margin, end, reply);
  pthread_mutex_unlock(&g->lock);
  return status;
}

void alea_match_player_end(alea_match_player *g) {
  pthread_mutex_lock(&g->lock);
  atomic_store(&g->quit, true);
  atomic_store(&g->call, true);
  atomic_store(&g->thinker.stop, true);
  atomic_store(&g->fallback.stop, true);
  pthread_cond_broadcast(&g->change);
  pthread_mutex_unlock(&g->lock);
}

bool alea_match_player_ended(alea_match_player *g) {
  pthread_mutex_lock(&g->lock);
  bool ended = g->thinker.ended && g->fallback.ended;
  pthread_mutex_unlock(&g->lock);
  return ended;
}

size_t alea_match_player_turns(alea_match_player *g) {
  pthread_mutex_lock(&g->lock);
  size_t turns = g->turns.count;
  pthread_mutex_unlock(&g->lock);
  return turns;
}

void alea_match_player_free(alea_match_player *g) {
  if (g == NULL) return;
  if (g->fallback.running) pthread_join(g->fallback.thread, NULL);
  if (g->thinker.running) pthread_join(g->thinker.thread, NULL);
  alea_vec_clear(&g->mem, &g->turns);
  alea_arena_clear(&g->arena);
  assert(g->mem.used == 0);
  pthread_cond_destroy(&g->change);
  pthread_mutex_destroy(&g->lock);
  free(g);
}
