/* Playing the units of a tournament. */
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/json.h"
#include "tournament/outcome.h"

void alea_worker_init(alea_worker *worker, const alea_tournament_plan *plan) {
  *worker = (alea_worker){.plan = plan};
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

/* ---- playing ---- */

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

static alea_status play(alea_worker *worker, const alea_unit *unit, alea_unit_outcome *outcome,
                        alea_record *record, alea_diag *diag) {
  const alea_tournament_plan_game *game = &worker->plan->games.data[unit->pairing->game];
  alea_status status = open_game(worker, game, diag);
  if (status != ALEA_OK) return status;
  const char **players = alea_mem_calloc(&worker->mem, game->seats, sizeof *players);
  if (players == NULL) return ALEA_SYSTEM;
  alea_match_options options = alea_tournament_plan_match(worker->plan, unit, players);
  double wall = alea_clock_wall(), cpu = alea_clock_cpu();
  outcome->engine = worker->opened.net != NULL ? "net" : "prover";
  outcome->started = now_ms();
  status = alea_match_run(record, &worker->opened, &options, look_after, worker, diag);
  outcome->seconds = alea_clock_wall() - wall;
  outcome->cpu_seconds = alea_clock_cpu() - cpu;
  alea_mem_free(&worker->mem, players, game->seats * sizeof *players);
  return status == ALEA_OK ? fill(outcome, record, unit, game->seats) : status;
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
  bool gone = look_after(worker, NULL, NULL, NULL) == ALEA_NONE;
  if (status == ALEA_OK && !gone) alea_unit_outcome_pack(&outcome, bytes);
  if (status != ALEA_OK && !gone) pack_failure(&outcome, status, &diag, bytes);
  alea_record_clear(&record);
  alea_diag_clear(&diag);
  if (gone) return ALEA_NONE;
  return bytes->failed ? ALEA_SYSTEM : ALEA_OK;
}
