/* Replaying a play. */
#include "page/replay.h"

#include <stdio.h>
#include <string.h>

#include "match/moves.h"
#include "match/stored_record.h"
#include "page/table.h"

enum { MOST_STEPS = 500 };

/* The moves of the request as lines of joint moves. */
static alea_status read_lines(alea_page_table *t, alea_text *lines) {
  const json_t *moves = json_object_get(t->wishes, "moves");
  const json_t *record = json_object_get(t->wishes, "record");
  size_t index;
  const json_t *row;
  json_array_foreach(moves, index, row) {
    const char *text = json_string_value(row);
    if (text != NULL) alea_text_format(lines, "%s\n", text);
  }
  if (!json_is_string(record)) return ALEA_OK;
  alea_stored_record stored;
  alea_status status =
      alea_stored_record_read(&stored, json_string_value(record), json_string_length(record),
                              "the record", &t->mem, &t->diag);
  for (size_t i = 0; status == ALEA_OK && i < stored.moves.count; i++)
    for (size_t r = 0; r < stored.moves.data[i].count; r++)
      alea_text_format(lines, "%s%s", stored.moves.data[i].texts[r],
                       r + 1 < stored.moves.data[i].count ? " " : "\n");
  alea_stored_record_clear(&stored);
  return status;
}

/* What the first role with a choice expects here. */
static alea_status put_value(alea_page_table *t, alea_json *json) {
  alea_list legal = {0};
  alea_move move;
  alea_analysis analysis = {.value = -1};
  uint32_t role = 0, roles = t->game->role_count;
  alea_status status = ALEA_OK;
  bool wanted = json_is_true(json_object_get(t->wishes, "values")) && !t->over;
  for (; wanted && status == ALEA_OK && role < roles; role++) {
    if ((int)role == t->game->random_role) continue;
    status = alea_cursor_legal(t->cursor, role, &legal);
    if (legal.count > 1) break;
  }
  alea_json_key(json, "value");
  if (status == ALEA_OK && wanted && role < roles) {
    status = alea_player_select(t->players[role], &t->budget, &move);
    if (status == ALEA_OK) alea_player_analyse(t->players[role], &analysis);
    if (status == ALEA_NONE || status == ALEA_LIMIT) status = ALEA_OK;
  }
  if (analysis.value < 0) {
    alea_json_null(json);
    return status;
  }
  alea_json_open(json, '{');
  alea_json_put_string(json, "role", t->game->role_text[role]);
  alea_json_put_real(json, "value", analysis.value);
  alea_json_close(json, '}');
  return status;
}

static alea_status put_goals(alea_page_table *t, alea_json *json) {
  alea_json_put_bool(json, "over", t->over);
  alea_json_key(json, "goals");
  alea_json_open(json, '[');
  for (uint32_t r = 0; r < t->game->role_count; r++) {
    int goal = -1;
    alea_status status = t->over ? alea_cursor_goal(t->cursor, r, &goal) : ALEA_OK;
    if (status != ALEA_OK) return status;
    if (goal < 0) alea_json_null(json);
    if (goal >= 0) alea_json_integer(json, goal);
  }
  alea_json_close(json, ']');
  return ALEA_OK;
}

static alea_status put_step(alea_page_table *t, alea_json *json, bool first) {
  alea_json_open(json, '{');
  alea_json_key(json, "moves");
  if (first) {
    alea_json_null(json);
  } else {
    alea_json_open(json, '[');
    for (uint32_t r = 0; r < t->game->role_count; r++) {
      alea_text_truncate(&t->text, 0);
      alea_game_move_text(t->game, r, t->joint[r], true, &t->text);
      alea_json_string(json, alea_text_string(&t->text));
    }
    alea_json_close(json, ']');
  }
  alea_status status = alea_page_table_put_board(t, NULL, json);
  if (status == ALEA_OK) status = put_goals(t, json);
  if (status == ALEA_OK) status = put_value(t, json);
  alea_json_close(json, '}');
  return status;
}

/* Plays line after line; a line that does not fit ends it, and is told. */
static alea_status put_steps(alea_page_table *t, alea_json *json, const char *text) {
  alea_cursor *guide = NULL; /* reads the lines; the table observes them */
  alea_moves moves;
  alea_moves_next next = ALEA_MOVES_JOINT;
  alea_moves_init(&moves, text, "the play");
  alea_status status = alea_cursor_new(t->game, &t->mem, &guide);
  if (status == ALEA_OK) status = put_step(t, json, true);
  while (status == ALEA_OK && alea_page_table_steps(t) < MOST_STEPS) {
    status = alea_moves_play_joint(&moves, guide, &next, t->joint, &t->mem, &t->diag);
    if (status != ALEA_OK || next != ALEA_MOVES_JOINT) break;
    status = alea_page_table_step(t);
    if (status == ALEA_OK) status = put_step(t, json, false);
  }
  alea_cursor_free(guide);
  return status == ALEA_INPUT ? ALEA_OK : status;
}

static void put_roles(alea_page_table *t, alea_json *json) {
  alea_json_key(json, "roles");
  alea_json_open(json, '[');
  for (uint32_t r = 0; r < t->game->role_count; r++) {
    alea_json_open(json, '{');
    alea_json_put_string(json, "name", t->game->role_text[r]);
    alea_json_put_string(json, "spelling", t->game->role_spelling[r]);
    alea_json_close(json, '}');
  }
  alea_json_close(json, ']');
}

static void put_problem(const alea_page_table *t, alea_json *json) {
  const char *problem = NULL;
  for (size_t i = 0; i < t->diag.entries.count && problem == NULL; i++)
    if (t->diag.entries.data[i].severity == ALEA_ERROR) problem = t->diag.entries.data[i].message;
  alea_json_key(json, "problem");
  if (problem == NULL) {
    alea_json_null(json);
  } else {
    alea_json_string(json, problem);
  }
}

static alea_status replay(alea_page_table *t, json_t *wishes, alea_text *lines) {
  alea_json json;
  alea_status status = alea_page_table_lay(t, wishes);
  if (status == ALEA_OK) status = read_lines(t, lines);
  alea_json_start(&json, &t->line);
  alea_json_open(&json, '{');
  if (status == ALEA_OK) {
    alea_page_table_put_title(t, &json);
    alea_page_table_put_aims(t, &json);
    put_roles(t, &json);
    alea_json_key(&json, "steps");
    alea_json_open(&json, '[');
    status = put_steps(t, &json, alea_text_string(lines));
    alea_json_close(&json, ']');
  }
  put_problem(t, &json);
  alea_json_close(&json, '}');
  return status;
}

int alea_page_replay_run(int argc, char **argv) {
  alea_page_inbox quiet = {.count = 0}; /* nobody interrupts */
  alea_page_table t;
  alea_text lines;
  (void)argc, (void)argv;
  json_t *wishes = json_loadf(stdin, 0, NULL);
  if (!json_is_object(wishes)) return ALEA_INPUT;
  alea_page_table_init(&t, &quiet);
  alea_text_init(&lines, &t.mem);
  alea_status status = replay(&t, wishes, &lines);
  bool answered = status == ALEA_OK || status == ALEA_INPUT || status == ALEA_USAGE;
  if (answered) fwrite(alea_text_string(&t.line), 1, t.line.length, stdout);
  if (!answered) fprintf(stderr, "%s\n", alea_status_text(status));
  alea_text_clear(&lines);
  alea_page_table_clear(&t);
  return (int)status;
}
