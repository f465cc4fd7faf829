/* Records of matches, and their JSON. */
#include <string.h>

#include "base/json.h"
#include "match/runner.h"

void alea_record_init(alea_record *record, alea_mem *mem) {
  *record = (alea_record){.random_role = -1};
  alea_arena_init(&record->arena, mem);
}

void alea_record_clear(alea_record *record) {
  alea_mem *mem = record->arena.mem;
  alea_vec_clear(mem, &record->states);
  alea_vec_clear(mem, &record->moves);
  alea_vec_clear(mem, &record->errors);
  alea_vec_clear(mem, &record->state_times);
  alea_vec_clear(mem, &record->move_seconds);
  alea_arena_clear(&record->arena);
}

/* The format wants a URL.  A game without one gets an address that cannot exist
 * (RFC 2606) and ends with its name. */
static void put_url(alea_json *json, const alea_record *record) {
  alea_text url;
  alea_text_init(&url, json->out->mem);
  if (record->game_url != NULL) {
    alea_text_put(&url, record->game_url);
  } else {
    alea_text_put(&url, "http://alea.invalid/games/");
    for (const char *c = record->game; *c != '\0'; c++) {
      bool plain = (*c >= '0' && *c <= '9') || (*c >= 'a' && *c <= 'z') ||
                   (*c >= 'A' && *c <= 'Z') || strchr("-._~", *c) != NULL;
      alea_text_format(&url, plain ? "%c" : "%%%02X", (unsigned char)*c);
    }
    alea_text_char(&url, '/');
  }
  alea_json_put_string(json, "gameMetaURL", alea_text_string(&url));
  alea_text_clear(&url);
}

/* An array of arrays, 'width' strings each. */
static void put_rows(alea_json *json, const char *key, const char *const *items, size_t count,
                     size_t width) {
  alea_json_key(json, key);
  alea_json_open(json, '[');
  for (size_t i = 0; i < count; i++) {
    if (i % width == 0) alea_json_open(json, '[');
    alea_json_string(json, items[i]);
    if (i % width == width - 1) alea_json_close(json, ']');
  }
  alea_json_close(json, ']');
}

static void put_strings(alea_json *json, const char *key, const char *const *items, size_t count) {
  alea_json_key(json, key);
  alea_json_open(json, '[');
  for (size_t i = 0; i < count; i++) alea_json_string(json, items[i]);
  alea_json_close(json, ']');
}

static void put_times(alea_json *json, const alea_record *record) {
  alea_json_key(json, "stateTimes");
  alea_json_open(json, '[');
  for (size_t i = 0; i < record->state_times.count; i++)
    alea_json_integer(json, record->state_times.data[i]);
  alea_json_close(json, ']');
}

/* The time of each move, if there was a clock. */
static void put_seconds(alea_json *json, const alea_record *record) {
  if (record->play_clock <= 0) return;
  alea_json_key(json, "moveSeconds");
  alea_json_open(json, '[');
  for (size_t i = 0; i < record->move_seconds.count; i++) {
    if (i % record->roles == 0) alea_json_open(json, '[');
    alea_json_real(json, record->move_seconds.data[i]);
    if (i % record->roles == record->roles - 1) alea_json_close(json, ']');
  }
  alea_json_close(json, ']');
}

static void put_goals(alea_json *json, const alea_record *record) {
  if (!record->completed) return;
  alea_json_key(json, "goalValues");
  alea_json_open(json, '[');
  for (uint32_t r = 0; r < record->roles; r++) alea_json_integer(json, record->goals[r]);
  alea_json_close(json, ']');
  alea_json_key(json, "goals");
  alea_json_open(json, '{');
  for (uint32_t r = 0; r < record->roles; r++) {
    alea_json_key(json, record->role_names[r]);
    alea_json_integer(json, record->goals[r]);
  }
  alea_json_close(json, '}');
}

static void put_stats(alea_json *json, const alea_record *record) {
  alea_json_key(json, "statistics");
  alea_json_open(json, '[');
  for (uint32_t r = 0; r < record->roles; r++) {
    const alea_player_stats *stats = &record->stats[r];
    alea_json_open(json, '{');
#define PUT(field, help) \
  if (stats->field > 0) alea_json_put_count(json, #field, stats->field);
    ALEA_PLAYER_STATS(PUT)
#undef PUT
    alea_json_close(json, '}');
  }
  alea_json_close(json, ']');
}

/* Only where somebody says something. */
static void put_notes(alea_json *json, const alea_record *record) {
  bool any = false;
  for (uint32_t r = 0; r < record->roles; r++) any = any || record->notes[r] != NULL;
  if (!any) return;
  alea_json_key(json, "notes");
  alea_json_open(json, '[');
  for (uint32_t r = 0; r < record->roles; r++)
    alea_json_string(json, record->notes[r] != NULL ? record->notes[r] : "");
  alea_json_close(json, ']');
}

static void put_humans(alea_json *json, const alea_record *record) {
  alea_json_key(json, "isPlayerHuman");
  alea_json_open(json, '[');
  for (uint32_t r = 0; r < record->roles; r++) alea_json_bool(json, record->human[r]);
  alea_json_close(json, ']');
}

static void put_head(alea_json *json, const alea_record *record) {
  alea_text id;
  alea_text_init(&id, json->out->mem);
  if (record->match_id != NULL) {
    alea_text_put(&id, record->match_id);
  } else {
    alea_text_format(&id, "alea.%s.%llu", record->game, (unsigned long long)record->seed);
  }
  alea_json_put_string(json, "matchId", alea_text_string(&id));
  alea_text_clear(&id);
  alea_json_put_string(json, "randomToken", record->token);
  alea_json_key(json, "startTime");
  alea_json_integer(json, record->start_time);
  put_url(json, record);
  alea_json_put_string(json, "game", record->game);
  alea_json_put_bool(json, "isCompleted", record->completed);
  alea_json_put_bool(json, "isAborted", record->aborted);
}

void alea_record_json(const alea_record *record, alea_text *out) {
  alea_json json;
  alea_json_start(&json, out);
  alea_json_open(&json, '{');
  put_head(&json, record);
  put_strings(&json, "roles", record->role_names, record->roles);
  put_strings(&json, "states", record->states.data, record->states.count);
  put_rows(&json, "moves", record->moves.data, record->moves.count, record->roles);
  put_times(&json, record);
  put_seconds(&json, record);
  put_rows(&json, "errors", record->errors.data, record->errors.count, record->roles);
  put_goals(&json, record);
  alea_json_put_real(&json, "previewClock", record->preview_clock);
  alea_json_put_real(&json, "startClock", record->start_clock);
  alea_json_put_real(&json, "playClock", record->play_clock);
  alea_json_put_count(&json, "sims", record->sims);
  put_strings(&json, "playerNamesFromHost", record->names, record->roles);
  put_humans(&json, record);
  alea_json_put_string(&json, "tournamentNameFromHost", record->event != NULL ? record->event : "");
  alea_json_put_bool(&json, "scrambled", record->scrambled);
  put_strings(&json, "players", record->players, record->roles);
  alea_json_put_count(&json, "seed", record->seed);
  put_stats(&json, record);
  put_notes(&json, record);
  alea_json_close(&json, '}');
}
