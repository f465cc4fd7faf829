/* The scheduler of a tournament. */
#include "tournament/scheduler.h"

#include <signal.h>
#include <sqlite3.h>
#include <string.h>

#include "base/clock.h"

/* A unit whose process died is played again, unless it seems to be the cause:
 * crashes count soon, kills from outside (or for lack of memory) late. */
enum { MOST_CRASHES = 2, MOST_KILLS = 10 };

/* Short matches are given out several at a time, so that no worker waits for
 * the scheduler; long ones singly, so that none waits for another at the end. */
static const double short_match = 0.05;
enum { SHORT_DEPTH = 6 };

static const double commit_every = 0.25, report_every = 0.2;

typedef struct blame {
  uint64_t unit;
  uint32_t crashes, kills;
} blame;

typedef struct tournament_scheduler {
  const alea_tournament *t;
  const alea_tournament_plan *plan;
  alea_mem *mem;
  alea_progress *progress;
  alea_standing *standings;
  bool *done;
  uint64_t next;   /* first unit that was never given out */
  alea_u64s again; /* units that came back */
  uint64_t out;    /* units that are out */
  ALEA_VEC(blame) blames;
  alea_arena scratch;
  double started, committed, reported, played_seconds;
} tournament_scheduler;

/* ---- scores ---- */

static void add_score(tournament_scheduler *l, const alea_pairing *pairing, double score,
                      uint64_t matches) {
  alea_standing *first = &l->standings[pairing->first];
  first->matches += matches;
  first->score += score;
  if (pairing->second == ALEA_TOURNAMENT_PLAN_NOBODY) return;
  alea_standing *second = &l->standings[pairing->second];
  second->matches += matches;
  second->score += (double)matches - score;
}

/* What earlier runs stored. */
static alea_status add_earlier(tournament_scheduler *l) {
  sqlite3_stmt *query = NULL;
  int result = sqlite3_prepare_v2(
      alea_result_store_handle(l->t->store),
      "SELECT count(*), total(score) FROM matches WHERE completed=1 AND number < ?2 AND"
      " pairing=(SELECT id FROM pairings WHERE key=?1)",
      -1, &query, NULL);
  for (size_t i = 0; result == SQLITE_OK && i < l->plan->pairings.count; i++) {
    const alea_pairing *pairing = &l->plan->pairings.data[i];
    sqlite3_bind_text(query, 1, pairing->key, -1, SQLITE_STATIC);
    sqlite3_bind_int64(query, 2, pairing->matches);
    if (sqlite3_step(query) == SQLITE_ROW)
      add_score(l, pairing, sqlite3_column_double(query, 1),
                (uint64_t)sqlite3_column_int64(query, 0));
    sqlite3_reset(query);
  }
  sqlite3_finalize(query);
  return result == SQLITE_OK ? ALEA_OK : ALEA_SYSTEM;
}

/* ---- giving out ---- */

static bool next_unit(tournament_scheduler *l, uint64_t *unit) {
  if (l->again.count > 0) {
    *unit = l->again.data[l->again.count - 1];
    return true;
  }
  while (l->next < l->plan->units && l->done[l->next]) l->next++;
  *unit = l->next;
  return l->next < l->plan->units;
}

static void take_unit(tournament_scheduler *l) {
  if (l->again.count > 0) {
    l->again.count--;
  } else {
    l->next++;
  }
  l->out++;
}

static alea_status give_out(tournament_scheduler *l) {
  alea_pool *pool = l->t->pool;
  uint64_t now = l->progress->now;
  bool quick = now > 8 && l->played_seconds / (double)now < short_match;
  for (uint64_t unit; next_unit(l, &unit);) {
    alea_status status = pool->class->give(pool, unit, quick ? SHORT_DEPTH : 1);
    if (status == ALEA_NONE) return ALEA_OK;
    if (status != ALEA_OK) return status;
    take_unit(l);
  }
  return ALEA_OK;
}

/* ---- what comes back ---- */

static void give_up(tournament_scheduler *l, uint64_t index, const char *why) {
  alea_unit unit = alea_tournament_plan_unit(l->plan, index);
  enum { MOST_MESSAGES = 20 };
  if (l->progress->failed++ < MOST_MESSAGES)
    alea_diag_error(l->t->diag, ((alea_place){0}), "match", "match %u of '%s' was not played: %s",
                    unit.number, unit.pairing->key, why);
}

static alea_status take_result(tournament_scheduler *l, const alea_pool_event *event) {
  alea_unit_outcome outcome;
  alea_arena_clear(&l->scratch);
  l->out--;
  alea_status status = alea_unit_outcome_unpack(&outcome, event->bytes, event->length, &l->scratch);
  if (status != ALEA_OK) return status;
  if (outcome.unit >= l->plan->units) return ALEA_INPUT;
  if (outcome.status != ALEA_OK) {
    give_up(l, outcome.unit, outcome.message);
    return ALEA_OK;
  }
  bool fresh;
  status = alea_result_store_put(l->t->store, l->plan, &outcome, &fresh);
  if (status != ALEA_OK || !fresh) return status;
  l->done[outcome.unit] = true;
  l->progress->done++;
  l->progress->now++;
  l->played_seconds += outcome.seconds;
  if (outcome.completed) {
    alea_unit unit = alea_tournament_plan_unit(l->plan, outcome.unit);
    add_score(l, unit.pairing, alea_unit_outcome_score(&outcome), 1);
  }
  return ALEA_OK;
}

static blame *blame_of(tournament_scheduler *l, uint64_t unit) {
  for (size_t i = 0; i < l->blames.count; i++)
    if (l->blames.data[i].unit == unit) return &l->blames.data[i];
  if (!alea_vec_push(l->mem, &l->blames, (blame){.unit = unit})) return NULL;
  return &l->blames.data[l->blames.count - 1];
}

static bool crashed(int signal) {
  return signal == SIGSEGV || signal == SIGBUS || signal == SIGABRT || signal == SIGFPE ||
         signal == SIGILL;
}

static alea_status take_loss(tournament_scheduler *l, const alea_pool_event *event) {
  l->out--;
  if (l->done[event->unit]) return ALEA_OK;
  if (event->playing) {
    blame *b = blame_of(l, event->unit);
    if (b == NULL) return ALEA_SYSTEM;
    l->progress->lost++;
    if (crashed(event->signal)) {
      b->crashes++;
    } else {
      b->kills++;
    }
    if (b->crashes >= MOST_CRASHES || b->kills >= MOST_KILLS) {
      give_up(l, event->unit, "the processes that played it died");
      return ALEA_OK;
    }
  }
  return alea_vec_push(l->mem, &l->again, event->unit) ? ALEA_OK : ALEA_SYSTEM;
}

/* ---- the loop ---- */

static alea_status every_now_and_then(tournament_scheduler *l) {
  double now = alea_clock_wall();
  l->progress->seconds = now - l->started;
  if (now - l->committed >= commit_every) {
    alea_status status = alea_result_store_commit(l->t->store);
    if (status != ALEA_OK) return status;
    l->committed = now;
  }
  if (l->t->report == NULL || now - l->reported < report_every) return ALEA_OK;
  l->reported = now;
  return l->t->report(l->t->context, l->progress);
}

static alea_status loop(tournament_scheduler *l) {
  alea_pool *pool = l->t->pool;
  for (uint64_t unit; l->out > 0 || next_unit(l, &unit);) {
    alea_pool_event event;
    alea_status status = give_out(l);
    if (status == ALEA_OK) status = pool->class->wait(pool, report_every, &event);
    if (status == ALEA_OK && event.kind == ALEA_POOL_RESULT) status = take_result(l, &event);
    if (status == ALEA_OK && event.kind == ALEA_POOL_LOST) status = take_loss(l, &event);
    if (status == ALEA_OK) status = every_now_and_then(l);
    if (status != ALEA_OK) return status;
  }
  return ALEA_OK;
}

static alea_status run(tournament_scheduler *l) {
  for (uint64_t u = 0; u < l->plan->units; u++) l->progress->done += l->done[u];
  alea_status status = add_earlier(l);
  if (status == ALEA_OK) status = loop(l);
  alea_status stored = alea_result_store_commit(l->t->store);
  l->progress->seconds = alea_clock_wall() - l->started;
  /* The last word, so that the reporter sees the final numbers. */
  if (status == ALEA_OK && l->t->report != NULL) status = l->t->report(l->t->context, l->progress);
  if (status == ALEA_OK) status = stored;
  return status == ALEA_OK && l->progress->failed > 0 ? ALEA_NO : status;
}

alea_status alea_tournament_run(const alea_tournament *tournament, bool *done,
                                alea_progress *progress, alea_mem *mem) {
  const alea_tournament_plan *plan = tournament->plan;
  double now = alea_clock_wall();
  tournament_scheduler l = {.t = tournament,
                            .plan = plan,
                            .mem = mem,
                            .progress = progress,
                            .done = done,
                            .started = now,
                            .committed = now,
                            .reported = now};
  alea_arena_init(&l.scratch, mem);
  l.standings = alea_mem_calloc(mem, plan->players.count, sizeof *l.standings);
  *progress = (alea_progress){.plan = plan, .total = plan->units, .standings = l.standings};
  alea_status status = l.standings != NULL ? run(&l) : ALEA_SYSTEM;
  progress->standings = NULL;
  alea_mem_free(mem, l.standings, plan->players.count * sizeof *l.standings);
  alea_vec_clear(mem, &l.again);
  alea_vec_clear(mem, &l.blames);
  alea_arena_clear(&l.scratch);
  return status;
}
