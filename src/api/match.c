/* Matches of the public interface. */
#include "alea/match.h"

#include "api/core.h"
#include "game/playout.h"
#include "match/runner.h"

struct alea_match_result {
  alea_mem mem;
  bool completed;
  uint32_t steps, faults, roles;
  int *goals;
  alea_text json;
};

/* Whoever looks on: a state that follows the match. */
typedef struct match_watcher {
  const alea_match_settings *settings;
  alea_state *state;
  bool ended; /* by the caller */
} match_watcher;

static alea_status show_step(void *context, alea_cursor *cursor, const alea_move *joint,
                             const alea_record *record) {
  (void)cursor;
  (void)record;
  match_watcher *watcher = context;
  alea_status status = joint != NULL ? alea_state_step(watcher->state, joint) : ALEA_OK;
  if (status != ALEA_OK) return status;
  watcher->ended = !watcher->settings->step(watcher->settings->context, watcher->state);
  return watcher->ended ? ALEA_NONE : ALEA_OK;
}

static alea_status keep(alea_match_result *result, const alea_record *record) {
  result->completed = record->completed;
  result->roles = record->roles;
  result->steps = record->roles > 0 ? (uint32_t)(record->moves.count / record->roles) : 0;
  result->faults = record->faults;
  result->goals = alea_mem_calloc(&result->mem, record->roles, sizeof *result->goals);
  if (result->goals == NULL) return alea_mem_lack(&result->mem);
  for (uint32_t r = 0; r < record->roles; r++)
    result->goals[r] = record->completed ? record->goals[r] : -1;
  alea_record_json(record, &result->json);
  return result->json.failed ? alea_mem_lack(&result->mem) : ALEA_OK;
}

static alea_status run(alea_match_result *result, alea_ruleset *rules,
                       const alea_match_settings *settings, alea_diag *diag) {
  alea_match_options options = {
      .players = settings->players,
      .player_count = settings->player_count,
      .rotate = settings->rotate,
      .sims = settings->sims,
      .start = settings->start,
      .time = settings->sims == 0 && settings->time <= 0 ? 1 : settings->time,
      .seed = settings->seed,
      .step_cap = settings->steps > 0 ? settings->steps : ALEA_DEFAULT_STEP_CAP,
      .stop = alea_api_flag(settings->stop)};
  match_watcher watcher = {.settings = settings};
  alea_record record;
  alea_record_init(&record, &result->mem);
  alea_status status = ALEA_OK;
  if (settings->step != NULL) status = alea_state_new(&watcher.state, rules, settings->seed);
  if (status == ALEA_OK)
    status = alea_match_run(&record, &rules->opened, &options,
                            settings->step != NULL ? show_step : NULL, &watcher, diag);
  if (status == ALEA_NONE && watcher.ended) status = ALEA_OK;
  if (status == ALEA_OK) status = keep(result, &record);
  alea_record_clear(&record);
  alea_state_free(watcher.state);
  return status;
}

alea_status alea_match_play(alea_match_result **result, alea_ruleset *rules,
                            const alea_match_settings *settings, alea_diagnostics **diagnostics) {
  *result = NULL;
  if (diagnostics != NULL) *diagnostics = NULL;
  alea_match_settings own = {.size = sizeof own};
  alea_status status = alea_api_options(&own, sizeof own, settings);
  if (status != ALEA_OK) return status;
  alea_match_result *made = alea_api_new(sizeof *made, 0);
  if (made == NULL) return ALEA_SYSTEM;
  alea_text_init(&made->json, &made->mem);
  alea_diag diag;
  alea_diag_init(&diag, &made->mem);
  status = run(made, rules, &own, &diag);
  alea_api_report(&diag, diagnostics);
  alea_diag_clear(&diag);
  if (status == ALEA_OK)
    *result = made;
  else
    alea_match_result_free(made);
  return status;
}

void alea_match_result_free(alea_match_result *result) {
  if (result == NULL) return;
  alea_text_clear(&result->json);
  alea_mem_free(&result->mem, result->goals, result->roles * sizeof *result->goals);
  alea_api_free(result, sizeof *result);
}

bool alea_match_completed(const alea_match_result *result) { return result->completed; }

int alea_match_goal(const alea_match_result *result, uint32_t role) {
  return role < result->roles ? result->goals[role] : -1;
}

uint32_t alea_match_steps(const alea_match_result *result) { return result->steps; }

uint32_t alea_match_faults(const alea_match_result *result) { return result->faults; }

const char *alea_match_json(const alea_match_result *result) {
  return alea_text_string(&result->json);
}
