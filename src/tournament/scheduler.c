/* The scheduler of a tournament. */
#include "tournament/scheduler.h"

#include <signal.h>
#include <sqlite3.h>
#include <string.h>

#include "base/clock.h"
#include "tournament/rounds.h"

/* A unit whose process died is played again, unless it seems to be the cause:
 * few crashes are allowed, but more kills from outside (e.g. for lack of
 * memory). */
enum { MOST_CRASHES = 2, MOST_KILLS = 10 };

/* Short matches are given out several at a time, so that no worker waits for
 * the scheduler; long ones singly, so that at the end no unit waits in a queue. */
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
  size_t pairing;    /* the next unit that was never given out is match 'number' of it; */
  uint64_t number;   /* 'pairing' is their count when there is none */
  uint64_t from, to; /* matches of this round */
  alea_u64s waiting; /* units that were lost, or whose players had no free seat */
  uint64_t pending;  /* number of units given out */
  ALEA_VEC(blame) blames;
  alea_arena scratch;
  uint64_t kept_before; /* outcomes that this store kept before this run */
  double started, committed, reported, played_seconds;
} tournament_scheduler;

/* ---- scores ---- */

static void add_score(tournament_scheduler *s, const alea_pairing *pairing, double score,
                      uint64_t matches) {
  alea_standing *first = &s->standings[pairing->first];
  first->matches += matches;
  first->score += score;
  if (pairing->second == ALEA_TOURNAMENT_PLAN_NOBODY) return;
  alea_standing *second = &s->standings[pairing->second];
  second->matches += matches;
  second->score += (double)matches - score;
}

static void add_fault(tournament_scheduler *s, const alea_pairing *pairing, int entrant,
                      const char *error) {
  uint32_t player = entrant == 0 ? pairing->first : pairing->second;
  if (error[0] == '\0' || entrant < 0 || player == ALEA_TOURNAMENT_PLAN_NOBODY) return;
  s->standings[player].faults++;
  s->standings[player].forfeits += strcmp(error, "FF") == 0;
}

static void add_faults(tournament_scheduler *s, const alea_unit_outcome *outcome) {
  alea_unit unit = alea_tournament_plan_unit(s->plan, outcome->unit);
  for (uint32_t r = 0; outcome->faults > 0 && r < outcome->roles; r++) {
    int entrant = outcome->seats[r].entrant;
    add_fault(s, unit.pairing, entrant, outcome->start_errors[r]);
    for (uint32_t i = 0; i < outcome->steps; i++)
      add_fault(s, unit.pairing, entrant, outcome->moves[i * outcome->roles + r].error);
  }
}

/* Adds the faults that earlier runs stored. */
static alea_status add_earlier_faults(tournament_scheduler *s) {
  sqlite3_stmt *query = NULL;
  int result = sqlite3_prepare_v2(
      alea_result_store_handle(s->t->store),
      "SELECT seats.entrant, moves.error FROM pairings JOIN matches ON matches.pairing=pairings.id"
      " JOIN moves ON moves.match=matches.id"
      " JOIN seats ON seats.match=moves.match AND seats.role=moves.role"
      " WHERE pairings.key=?1 AND matches.faults > 0 AND moves.error IS NOT NULL",
      -1, &query, NULL);
  for (size_t i = 0; result == SQLITE_OK && i < s->plan->pairings.count; i++) {
    sqlite3_bind_text(query, 1, s->plan->pairings.data[i].key, -1, SQLITE_STATIC);
    while (sqlite3_step(query) == SQLITE_ROW)
      add_fault(s, &s->plan->pairings.data[i], sqlite3_column_int(query, 0),
                (const char *)sqlite3_column_text(query, 1));
    sqlite3_reset(query);
  }
  sqlite3_finalize(query);
  return result == SQLITE_OK ? ALEA_OK : ALEA_SYSTEM;
}

/* Adds the scores stored by earlier runs. */
static alea_status add_earlier(tournament_scheduler *s) {
  sqlite3_stmt *query = NULL;
  int result = sqlite3_prepare_v2(
      alea_result_store_handle(s->t->store),
      "SELECT count(*), total(score) FROM matches WHERE completed=1 AND number < ?2 AND"
      " pairing=(SELECT id FROM pairings WHERE key=?1)",
      -1, &query, NULL);
  for (size_t i = 0; result == SQLITE_OK && i < s->plan->pairings.count; i++) {
    const alea_pairing *pairing = &s->plan->pairings.data[i];
    sqlite3_bind_text(query, 1, pairing->key, -1, SQLITE_STATIC);
    sqlite3_bind_int64(query, 2, pairing->matches);
    if (sqlite3_step(query) == SQLITE_ROW)
      add_score(s, pairing, sqlite3_column_double(query, 1),
                (uint64_t)sqlite3_column_int64(query, 0));
    sqlite3_reset(query);
  }
  sqlite3_finalize(query);
  return result == SQLITE_OK ? ALEA_OK : ALEA_SYSTEM;
}

/* ---- giving out ---- */

enum { FIRST_ROUND = 20 };

static uint64_t most_matches(const alea_tournament_plan *plan) {
  uint64_t most = 0;
  for (size_t i = 0; i < plan->pairings.count; i++)
    if (plan->pairings.data[i].matches > most) most = plan->pairings.data[i].matches;
  return most;
}

/* Goes to the next pairing that has matches in this round, or to the next
 * round; each has twice as many, so that there are few of them. */
static void next_pairing(tournament_scheduler *s) {
  size_t count = s->plan->pairings.count;
  do {
    s->pairing++;
    if (s->pairing == count && s->to < most_matches(s->plan)) {
      s->from = s->to;
      s->to = 2 * s->to + FIRST_ROUND;
      s->pairing = 0;
    }
    s->number = s->from;
  } while (s->pairing < count && s->number >= s->plan->pairings.data[s->pairing].matches);
}

static void skip_unit(tournament_scheduler *s) {
  const alea_pairing *pairing = &s->plan->pairings.data[s->pairing];
  if (++s->number >= s->to || s->number >= pairing->matches) next_pairing(s);
}

/* Whether the remote players of a unit have a free seat. */
static bool has_seats(const tournament_scheduler *s, uint64_t unit) {
  if (!s->plan->remote) return true;
  const alea_pairing *pairing = alea_tournament_plan_unit(s->plan, unit).pairing;
  uint32_t players[] = {pairing->first, pairing->second};
  for (size_t i = 0; i < 2; i++) {
    if (players[i] == ALEA_TOURNAMENT_PLAN_NOBODY) continue;
    uint32_t seats = s->plan->players.data[players[i]].seats;
    if (seats > 0 && s->standings[players[i]].playing >= seats) return false;
  }
  return true;
}

/* A unit is given out, or has come back. */
static void count_playing(tournament_scheduler *s, uint64_t unit, bool begins) {
  const alea_pairing *pairing = alea_tournament_plan_unit(s->plan, unit).pairing;
  uint32_t change = begins ? 1 : (uint32_t)-1;
  s->standings[pairing->first].playing += change;
  if (pairing->second != ALEA_TOURNAMENT_PLAN_NOBODY)
    s->standings[pairing->second].playing += change;
  s->pending += begins ? 1 : (uint64_t)-1;
}

static bool is_left(tournament_scheduler *s) {
  if (s->waiting.count > 0) return true;
  for (; s->pairing < s->plan->pairings.count; skip_unit(s))
    if (!s->done[s->plan->pairings.data[s->pairing].before + s->number]) return true;
  return false;
}

/* Units that wait for a seat; further ones are not looked at. */
enum { MOST_WAITING = 10000 };

/* Finds a unit that can be played now and moves it to the front of those that
 * wait; ALEA_NONE: there is none. */
static alea_status next_unit(tournament_scheduler *s) {
  size_t at = 0;
  while (at < s->waiting.count && !has_seats(s, s->waiting.data[at])) at++;
  while (at == s->waiting.count) {
    if (s->pairing == s->plan->pairings.count || at >= MOST_WAITING) return ALEA_NONE;
    uint64_t unit = s->plan->pairings.data[s->pairing].before + s->number;
    skip_unit(s);
    if (s->done[unit]) continue;
    if (!alea_vec_push(s->mem, &s->waiting, unit)) return ALEA_SYSTEM;
    if (!has_seats(s, unit)) at++;
  }
  uint64_t found = s->waiting.data[at];
  memmove(s->waiting.data + 1, s->waiting.data, at * sizeof found);
  s->waiting.data[0] = found;
  return ALEA_OK;
}

static void take_unit(tournament_scheduler *s) {
  count_playing(s, s->waiting.data[0], true);
  s->waiting.count--;
  memmove(s->waiting.data, s->waiting.data + 1, s->waiting.count * sizeof *s->waiting.data);
}

static alea_status give_out(tournament_scheduler *s) {
  alea_pool *pool = s->t->pool;
  uint64_t now = s->progress->now;
  bool quick = now > 8 && s->played_seconds / (double)now < short_match && !s->plan->remote;
  alea_status status;
  while ((status = next_unit(s)) == ALEA_OK) {
    status = pool->class->give(pool, s->waiting.data[0], quick ? SHORT_DEPTH : 1);
    if (status != ALEA_OK) break;
    take_unit(s);
  }
  return status == ALEA_NONE ? ALEA_OK : status;
}

/* ---- events ---- */

static void give_up(tournament_scheduler *s, uint64_t index, const char *why) {
  alea_unit unit = alea_tournament_plan_unit(s->plan, index);
  enum { MOST_MESSAGES = 20 };
  if (s->progress->failed++ < MOST_MESSAGES)
    alea_diag_error(s->t->diag, ((alea_place){0}), "match", "match %u of '%s' was not played: %s",
                    unit.number, unit.pairing->key, why);
}

static alea_status take_result(tournament_scheduler *s, const alea_pool_event *event) {
  alea_unit_outcome outcome;
  alea_arena_clear(&s->scratch);
  alea_status status = alea_unit_outcome_unpack(&outcome, event->bytes, event->length, &s->scratch);
  if (status != ALEA_OK) return status;
  if (outcome.unit >= s->plan->units) return ALEA_INPUT;
  count_playing(s, outcome.unit, false);
  if (outcome.status != ALEA_OK) {
    give_up(s, outcome.unit, outcome.message);
    return ALEA_OK;
  }
  bool fresh;
  status = alea_result_store_put(s->t->store, s->plan, &outcome, &fresh);
  if (status != ALEA_OK || !fresh) return status;
  s->done[outcome.unit] = true;
  s->played_seconds += outcome.seconds;
  if (outcome.completed) {
    alea_unit unit = alea_tournament_plan_unit(s->plan, outcome.unit);
    add_score(s, unit.pairing, alea_unit_outcome_score(&outcome), 1);
  }
  add_faults(s, &outcome);
  return ALEA_OK;
}

static blame *blame_of(tournament_scheduler *s, uint64_t unit) {
  for (size_t i = 0; i < s->blames.count; i++)
    if (s->blames.data[i].unit == unit) return &s->blames.data[i];
  if (!alea_vec_push(s->mem, &s->blames, (blame){.unit = unit})) return NULL;
  return &s->blames.data[s->blames.count - 1];
}

static bool crashed(int signal) {
  return signal == SIGSEGV || signal == SIGBUS || signal == SIGABRT || signal == SIGFPE ||
         signal == SIGILL;
}

static alea_status take_loss(tournament_scheduler *s, const alea_pool_event *event) {
  count_playing(s, event->unit, false);
  if (s->done[event->unit]) return ALEA_OK;
  if (event->playing) {
    blame *b = blame_of(s, event->unit);
    if (b == NULL) return ALEA_SYSTEM;
    s->progress->lost++;
    bool hangs = event->signal == ALEA_WORKER_HANGS;
    if (crashed(event->signal) || hangs) {
      b->crashes++;
    } else {
      b->kills++;
    }
    if (b->crashes >= MOST_CRASHES || b->kills >= MOST_KILLS) {
      give_up(
          s, event->unit,
          hangs ? "a player did not come back from its move" : "the processes that played it died");
      return ALEA_OK;
    }
  }
  return alea_vec_push(s->mem, &s->waiting, event->unit) ? ALEA_OK : ALEA_SYSTEM;
}

/* ---- the loop ---- */

/* Makes results durable; those that are count. */
static alea_status commit(tournament_scheduler *s) {
  alea_status status = alea_result_store_commit(s->t->store);
  uint64_t now = alea_result_store_kept(s->t->store) - s->kept_before;
  s->progress->done += now - s->progress->now;
  s->progress->now = now;
  return status;
}

static alea_status do_periodically(tournament_scheduler *s) {
  double now = alea_clock_wall();
  s->progress->seconds = now - s->started;
  if (now - s->committed >= commit_every) {
    alea_status status = commit(s);
    if (status != ALEA_OK) return status;
    s->committed = now;
  }
  if (s->t->report == NULL || now - s->reported < report_every) return ALEA_OK;
  s->reported = now;
  return s->t->report(s->t->context, s->progress);
}

static alea_status loop(tournament_scheduler *s) {
  alea_pool *pool = s->t->pool;
  while (s->pending > 0 || is_left(s)) {
    alea_pool_event event;
    alea_status status = give_out(s);
    if (status == ALEA_OK) status = pool->class->wait(pool, report_every, &event);
    if (status == ALEA_OK && event.kind == ALEA_POOL_RESULT) status = take_result(s, &event);
    if (status == ALEA_OK && event.kind == ALEA_POOL_LOST) status = take_loss(s, &event);
    if (status == ALEA_OK) status = do_periodically(s);
    if (status != ALEA_OK) return status;
  }
  return ALEA_OK;
}

static alea_status run(tournament_scheduler *s) {
  for (uint64_t u = 0; u < s->plan->units; u++) s->progress->done += s->done[u];
  alea_status status = add_earlier(s);
  for (uint32_t i = 0; i < s->plan->players.count; i++)
    s->standings[i].score += alea_rounds_byes(s->plan, i);
  if (status == ALEA_OK) status = add_earlier_faults(s);
  if (status == ALEA_OK) status = loop(s);
  alea_status stored = commit(s);
  s->progress->seconds = alea_clock_wall() - s->started;
  /* A final report with the final numbers. */
  if (status == ALEA_OK && s->t->report != NULL) status = s->t->report(s->t->context, s->progress);
  if (status == ALEA_OK) status = stored;
  return status == ALEA_OK && s->progress->failed > 0 ? ALEA_NO : status;
}

alea_status alea_tournament_run(const alea_tournament *tournament, bool *done,
                                alea_progress *progress, alea_mem *mem) {
  const alea_tournament_plan *plan = tournament->plan;
  double now = alea_clock_wall();
  tournament_scheduler s = {.t = tournament,
                            .plan = plan,
                            .mem = mem,
                            .progress = progress,
                            .done = done,
                            .to = FIRST_ROUND,
                            .kept_before = alea_result_store_kept(tournament->store),
                            .started = now,
                            .committed = now,
                            .reported = now};
  alea_arena_init(&s.scratch, mem);
  s.standings = alea_mem_calloc(mem, plan->players.count, sizeof *s.standings);
  *progress = (alea_progress){.plan = plan, .total = plan->units, .standings = s.standings};
  alea_status status = s.standings != NULL ? run(&s) : ALEA_SYSTEM;
  progress->standings = NULL;
  alea_mem_free(mem, s.standings, plan->players.count * sizeof *s.standings);
  alea_vec_clear(mem, &s.waiting);
  alea_vec_clear(mem, &s.blames);
  alea_arena_clear(&s.scratch);
  return status;
}
