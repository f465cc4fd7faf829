/* Playing the units of a tournament. */
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/json.h"
#include "tournament/outcome.h"

/* The timers of a process are not inherited: each worker has its own. */
void alea_worker_init(alea_worker *worker, const alea_tournament_plan *plan, int scheduler) {
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = ALEA_WORKER_HANGS};
  *worker = (alea_worker){.plan = plan, .scheduler = scheduler};
  worker->patient = scheduler == 0 || timer_create(CLOCK_MONOTONIC, &event, &worker->patience) != 0;
  alea_mem_init(&worker->mem, 0);
  if (gethostname(worker->host, sizeof worker->host - 1) != 0) strcpy(worker->host, "?");
}

void alea_worker_clear(alea_worker *worker) {
  if (worker->game != NULL) alea_opened_clear(&worker->opened);
  worker->game = NULL;
}

/* Opens the game of a unit, unless it is open already. */
static alea_status open_game(alea_worker *worker, const alea_tournament_plan_game *game,
                             alea_diag *diag) {
  if (worker->game == game) return ALEA_OK;
  alea_worker_clear(worker);
  alea_diag own;
  alea_diag_init(&own, &worker->mem);
  alea_status status = alea_open(&worker->opened, game->name, &worker->plan->open, &own);
  if (status == ALEA_OK) worker->game = game;
  for (size_t i = 0; status != ALEA_OK && i < own.entries.count; i++)
    alea_diag_error(diag, ((alea_place){0}), "game", "%s", own.entries.data[i].message);
  alea_diag_clear(&own);
  if (status != ALEA_OK) alea_opened_clear(&worker->opened);
  return status;
}

/* The parent of a process changes when the parent ends. */
static alea_status look_after(void *context, alea_cursor *cursor, const alea_move *joint,
                              const alea_record *record) {
  const alea_worker *worker = context;
  (void)cursor, (void)joint, (void)record;
  return worker->scheduler != 0 && getppid() != worker->scheduler ? ALEA_NONE : ALEA_OK;
}

/* ---- players that do not come back ---- */

/* A move may take so many times its clock, and some seconds, before its player counts as lost.
 * On a clock of CPU time nobody knows how long it takes; so often the machine is shared at most. */
enum { TIMES = 4, SHARES = 40 };
static const double allowance = 10;

static void bound_move(void *context, double seconds) {
  alea_worker *worker = context;
  bool cpu = worker->clock == ALEA_CLOCK_CPU;
  double most = seconds > 0 ? (cpu ? SHARES : TIMES) * seconds + allowance : 0;
  struct itimerspec end = {.it_value.tv_sec = (time_t)most}; /* 0: never */
  if (!worker->patient) timer_settime(worker->patience, 0, &end, NULL);
}

static int64_t now_ms(void) {
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/* ---- from a record to an outcome ---- */

static const char *statistics_json(const alea_player_stats *stats, alea_arena *arena) {
  alea_text text;
  alea_json json;
  alea_text_init(&text, arena->mem);
  alea_json_start(&json, &text);
  alea_json_open(&json, '{');
#define PUT(field, help) \
  if (stats->field > 0) alea_json_put_count(&json, #field, stats->field);
  ALEA_PLAYER_STATS(PUT)
#undef PUT
  alea_json_close(&json, '}');
  const char *kept =
      text.failed ? NULL : alea_arena_strdup(arena, alea_text_string(&text), text.length);
  alea_text_clear(&text);
  return kept;
}

static bool fill_seat(alea_unit_outcome_seat *seat, alea_record *record, uint32_t role,
                      int32_t entrant) {
  *seat = (alea_unit_outcome_seat){.role = record->role_names[role],
                                   .player = record->players[role],
                                   .entrant = entrant,
                                   .goal = record->completed ? record->goals[role] : -1};
  for (size_t i = role; i < record->move_seconds.count; i += record->roles)
    seat->seconds += record->move_seconds.data[i];
  seat->statistics = statistics_json(&record->stats[role], &record->arena);
  return seat->statistics != NULL;
}

/* The entrant at the 'index'-th seat that is not chance. */
static int32_t entrant_of(const alea_unit *unit, uint32_t seats, uint32_t index) {
  if (unit->pairing->second == ALEA_TOURNAMENT_PLAN_NOBODY) return 0;
  return (index + unit->number % seats) % seats == 0 ? 0 : 1;
}

static bool fill_seats(alea_unit_outcome *outcome, alea_record *record, const alea_unit *unit,
                       uint32_t seats) {
  for (uint32_t r = 0, index = 0; r < record->roles; r++) {
    bool chance = (int)r == record->random_role;
    int32_t entrant = chance ? -1 : entrant_of(unit, seats, index++);
    if (!fill_seat(&outcome->seats[r], record, r, entrant)) return false;
  }
  return true;
}

static alea_status fill(alea_unit_outcome *outcome, alea_record *record, const alea_unit *unit,
                        uint32_t seats) {
  alea_arena *arena = &record->arena;
  size_t moves = record->moves.count;
  outcome->roles = record->roles;
  outcome->steps = (uint32_t)(moves / record->roles);
  outcome->faults = record->faults;
  outcome->completed = record->completed;
  outcome->seats = alea_arena_alloc(arena, record->roles * sizeof *outcome->seats);
  outcome->moves = alea_arena_alloc(arena, moves * sizeof *outcome->moves);
  if (outcome->seats == NULL || outcome->moves == NULL) return ALEA_SYSTEM;
  if (!fill_seats(outcome, record, unit, seats)) return ALEA_SYSTEM;
  outcome->start_errors = record->errors.data;
  for (size_t i = 0; i < moves; i++) {
    outcome->moves[i] = (alea_unit_outcome_move){.move = record->moves.data[i],
                                                 .error = record->errors.data[record->roles + i],
                                                 .seconds = record->move_seconds.data[i]};
  }
  return ALEA_OK;
}

/* Warnings about the rules may precede the error. */
static const char *first_error(const alea_diag *diag, alea_status status) {
  for (size_t i = 0; i < diag->entries.count; i++)
    if (diag->entries.data[i].severity == ALEA_ERROR) return diag->entries.data[i].message;
  return alea_status_text(status);
}

static void pack_failure(alea_unit_outcome *outcome, alea_status status, const alea_diag *diag,
                         alea_text *bytes) {
  outcome->status = status;
  outcome->message = first_error(diag, status);
  outcome->roles = outcome->steps = 0;
  alea_unit_outcome_pack(outcome, bytes);
}

/* ---- remote players ---- */

/* Seats of a unit's match: strings and names of the players in role order, and
 * who cannot play. */
typedef struct unit_seats {
  uint32_t count;
  const char **players, **names;
  bool *absent; /* by player, not by role */
  alea_text id;
} unit_seats;

static alea_status open_seats(unit_seats *s, const alea_unit *unit, uint32_t count,
                              alea_arena *arena) {
  *s = (unit_seats){.count = count};
  s->players = alea_arena_alloc(arena, count * sizeof *s->players);
  s->names = alea_arena_alloc(arena, count * sizeof *s->names);
  s->absent = alea_arena_alloc(arena, count * sizeof *s->absent);
  if (s->players == NULL || s->names == NULL || s->absent == NULL) return ALEA_SYSTEM;
  memset(s->absent, 0, count * sizeof *s->absent);
  alea_text_init(&s->id, arena->mem);
  alea_tournament_plan_match_id(unit, &s->id);
  return s->id.failed ? ALEA_SYSTEM : ALEA_OK;
}

/* Asks the remote players of a match whether they can play; true if all can. */
static bool all_present(const alea_tournament_plan *plan, unit_seats *s) {
  bool all = true;
  alea_text name;
  alea_text_init(&name, s->id.mem);
  for (uint32_t i = 0; i < s->count; i++) {
    if (plan->remotes.probe == NULL || strncmp(s->players[i], "http://", 7) != 0) continue;
    s->absent[i] =
        plan->remotes.probe(plan->remotes.context, s->players[i], plan->wait,
                            alea_text_string(&s->id), &name) != ALEA_REMOTE_PLAYER_AVAILABLE;
    all = all && !s->absent[i];
  }
  alea_text_clear(&name);
  return all;
}

/* The note of a forfeit in the row of the start. */
static const char forfeit_note[] = "FF";

/* A forfeited match is lost by whoever could not go on, and won by the others;
 * if nobody could, it is drawn. */
static void forfeit(alea_unit_outcome *outcome, const bool *absent) {
  bool some_left = false;
  for (uint32_t r = 0; r < outcome->roles; r++)
    some_left = some_left || (outcome->seats[r].entrant >= 0 && !absent[r]);
  for (uint32_t r = 0; r < outcome->roles; r++) {
    outcome->seats[r].goal = some_left && !absent[r] ? 100 : 0;
    if (absent[r]) outcome->start_errors[r] = forfeit_note;
  }
  outcome->completed = true;
}

/* The outcome of a match that was not played because players were absent. */
static alea_status fill_absent(alea_unit_outcome *outcome, const alea_unit *unit,
                               const alea_game *game, const unit_seats *s, alea_arena *arena) {
  uint32_t roles = outcome->roles = game->role_count;
  outcome->seats = alea_arena_alloc(arena, roles * sizeof *outcome->seats);
  outcome->start_errors = alea_arena_alloc(arena, roles * sizeof *outcome->start_errors);
  bool *absent = alea_arena_alloc(arena, roles * sizeof *absent);
  if (outcome->seats == NULL || outcome->start_errors == NULL || absent == NULL) return ALEA_SYSTEM;
  for (uint32_t r = 0, index = 0; r < roles; r++) {
    bool chance = (int)r == game->random_role;
    uint32_t player = chance ? 0 : (index + unit->number) % s->count;
    outcome->seats[r] =
        (alea_unit_outcome_seat){.role = game->role_text[r],
                                 .player = chance ? "random" : s->players[player],
                                 .entrant = chance ? -1 : entrant_of(unit, s->count, index++),
                                 .statistics = "{}"};
    outcome->start_errors[r] = "";
    absent[r] = !chance && s->absent[player];
    outcome->faults += absent[r];
  }
  forfeit(outcome, absent);
  return ALEA_OK;
}

static bool was_forfeited(const alea_record *record) {
  bool some = false;
  for (uint32_t r = 0; r < record->roles; r++) some = some || record->forfeited[r];
  return some;
}

/* ---- playing ---- */

static alea_status play_match(alea_worker *worker, const alea_unit *unit, unit_seats *s,
                              alea_unit_outcome *outcome, alea_record *record, alea_diag *diag) {
  alea_match_options options = alea_tournament_plan_match(worker->plan, unit, s->players, s->names);
  options.match_id = alea_text_string(&s->id);
  options.ask = bound_move;
  options.ask_context = worker;
  worker->clock = options.clock;
  if (!all_present(worker->plan, s))
    return fill_absent(outcome, unit, worker->opened.game, s, &record->arena);
  alea_status status = alea_match_run(record, &worker->opened, &options, look_after, worker, diag);
  if (status == ALEA_OK) status = fill(outcome, record, unit, s->count);
  if (status == ALEA_OK && was_forfeited(record)) forfeit(outcome, record->forfeited);
  return status;
}

static alea_status play(alea_worker *worker, const alea_unit *unit, alea_unit_outcome *outcome,
                        alea_record *record, alea_diag *diag) {
  const alea_tournament_plan_game *game = &worker->plan->games.data[unit->pairing->game];
  alea_status status = open_game(worker, game, diag);
  if (status != ALEA_OK) return status;
  unit_seats s;
  if ((status = open_seats(&s, unit, game->seats, &record->arena)) != ALEA_OK) return status;
  double wall = alea_clock_wall(), cpu = alea_clock_cpu();
  outcome->engine = worker->opened.net != NULL ? "net" : "prover";
  outcome->started = now_ms();
  status = play_match(worker, unit, &s, outcome, record, diag);
  outcome->seconds = alea_clock_wall() - wall;
  outcome->cpu_seconds = alea_clock_cpu() - cpu;
  alea_text_clear(&s.id);
  return status;
}

alea_status alea_worker_play(alea_worker *worker, uint64_t index, alea_text *bytes) {
  alea_unit unit = alea_tournament_plan_unit(worker->plan, index);
  alea_unit_outcome outcome = {
      .unit = index, .message = "", .engine = "", .host = worker->host, .version = ALEA_VERSION};
  alea_record record;
  alea_diag diag;
  alea_record_init(&record, &worker->mem);
  alea_diag_init(&diag, &worker->mem);
  alea_status status = play(worker, &unit, &outcome, &record, &diag);
  const atomic_bool *stop = worker->plan->remotes.stop;
  bool told = stop != NULL && atomic_load(stop); /* the match was aborted: it is played again */
  bool gone = told || look_after(worker, NULL, NULL, NULL) == ALEA_NONE;
  if (status == ALEA_OK && !gone) alea_unit_outcome_pack(&outcome, bytes);
  if (status != ALEA_OK && !gone) pack_failure(&outcome, status, &diag, bytes);
  alea_record_clear(&record);
  alea_diag_clear(&diag);
  if (gone) return ALEA_NONE;
  return bytes->failed ? ALEA_SYSTEM : ALEA_OK;
}
