/* What a table sends. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "gdl/header_comment.h"
#include "page/table.h"

enum { MOST_LEGAL = 4000, MOST_STEPS = 1000, MOST_OPINIONS = 16 };

/* ---- parts ---- */

static void put_move(alea_page_table *t, alea_json *json, uint32_t role, alea_move move) {
  alea_text_truncate(&t->text, 0);
  alea_game_move_text(t->game, role, move, true, &t->text);
  alea_json_string(json, alea_text_string(&t->text));
}

/* A value that may be missing, below 0. */
static void put_value(alea_json *json, const char *key, double value) {
  alea_json_key(json, key);
  if (value < 0) {
    alea_json_null(json);
  } else {
    alea_json_real(json, round(value * 100) / 100);
  }
}

static void put_optional(alea_json *json, const char *key, const char *string) {
  alea_json_key(json, key);
  if (string == NULL) {
    alea_json_null(json);
  } else {
    alea_json_string(json, string);
  }
}

static alea_status put_roles(alea_page_table *t, alea_json *json) {
  bool ended = t->over && !t->resigned;
  alea_json_key(json, "roles");
  alea_json_open(json, '[');
  for (uint32_t r = 0; r < t->game->role_count; r++) {
    int goal = -1;
    bool chance = (int)r == t->game->random_role;
    alea_status status = ended ? alea_cursor_goal(t->cursor, r, &goal) : ALEA_OK;
    if (status != ALEA_OK) return status;
    alea_json_open(json, '{');
    alea_json_put_string(json, "name", t->game->role_text[r]);
    alea_json_put_string(json, "spelling", t->game->role_spelling[r]);
    alea_json_put_string(json, "kind", chance ? "chance" : (int)r == t->person ? "you" : "player");
    put_optional(json, "player", chance ? NULL : alea_page_table_player(t, r));
    put_value(json, "goal", chance ? -1 : goal);
    alea_json_close(json, '}');
  }
  alea_json_close(json, ']');
  return ALEA_OK;
}

/* The moves that the person may choose among; none where it is not their turn. */
static alea_status put_legal(alea_page_table *t, alea_json *json) {
  alea_list legal = {0};
  alea_status status = ALEA_OK;
  bool asked = t->person >= 0 && !t->over && !t->resigned;
  if (asked) status = alea_cursor_legal(t->cursor, (uint32_t)t->person, &legal);
  if (status != ALEA_OK) return status;
  uint32_t shown = legal.count < MOST_LEGAL ? legal.count : MOST_LEGAL;
  bool yours = legal.count > 1 && t->thinker < 0;
  alea_json_put_bool(json, "yours", yours);
  alea_json_put_count(json, "legal_count", legal.count);
  alea_json_key(json, "legal");
  alea_json_open(json, '[');
  for (uint32_t i = 0; yours && i < shown; i++)
    put_move(t, json, (uint32_t)t->person, legal.ids[i]);
  alea_json_close(json, ']');
  return ALEA_OK;
}

/* One array for each step; null for moves that are hidden from the person. */
static void put_history(alea_page_table *t, alea_json *json) {
  uint32_t roles = t->game->role_count, steps = alea_page_table_steps(t);
  uint32_t first = steps > MOST_STEPS ? steps - MOST_STEPS : 0;
  bool hides = alea_page_table_hides(t);
  alea_json_put_count(json, "history_from", first);
  alea_json_key(json, "history");
  alea_json_open(json, '[');
  for (uint32_t step = first; step < steps; step++) {
    alea_json_open(json, '[');
    for (uint32_t r = 0; r < roles; r++) {
      if (hides && (int)r != t->person) {
        alea_json_null(json);
      } else {
        put_move(t, json, r, t->history.data[(size_t)step * roles + r]);
      }
    }
    alea_json_close(json, ']');
  }
  alea_json_close(json, ']');
}

static void put_values(alea_page_table *t, alea_json *json) {
  alea_json_key(json, "values");
  alea_json_open(json, '[');
  for (size_t i = 0; i < t->values.count && !alea_page_table_hides(t); i++) {
    const alea_page_table_value *value = &t->values.data[i];
    alea_json_open(json, '[');
    alea_json_count(json, value->step);
    alea_json_count(json, value->role);
    alea_json_real(json, round(value->value * 10) / 10);
    alea_json_close(json, ']');
  }
  alea_json_close(json, ']');
}

static alea_status put_percepts(alea_page_table *t, alea_json *json) {
  alea_json_key(json, "sees");
  alea_json_open(json, '[');
  alea_status status = ALEA_OK;
  if (alea_page_table_hides(t)) {
    status = alea_listing_percepts(&t->listing, t->cursor, (uint32_t)t->person);
    for (size_t i = 0; status == ALEA_OK && i < t->listing.items.count; i++)
      alea_json_string(json, t->listing.items.data[i]);
  }
  alea_json_close(json, ']');
  return status;
}

/* ---- the board ---- */

static alea_status draw(alea_page_table *t, alea_json *json, const alea_listing *fluents) {
  alea_text_truncate(&t->text, 0);
  alea_status status =
      alea_drawing_svg(t->drawing, fluents->items.data, fluents->items.count, "", &t->text);
  if (status == ALEA_OK) alea_json_put_string(json, "svg", alea_text_string(&t->text));
  alea_text_truncate(&t->text, 0);
  if (status == ALEA_OK)
    status = alea_drawing_text(t->drawing, fluents->items.data, fluents->items.count, true,
                               ALEA_LEGEND_ALL, &t->text);
  if (status == ALEA_OK) alea_json_put_string(json, "text", alea_text_string(&t->text));
  return status;
}

/* The true position is not looked at while something may be hidden. */
alea_status alea_page_table_put_board(alea_page_table *t, alea_json *json) {
  if (!alea_page_table_hides(t)) {
    alea_status status = alea_listing_fluents(&t->listing, t->cursor);
    return status == ALEA_OK ? draw(t, json, &t->listing) : status;
  }
  alea_status status = alea_knowledge_list(&t->knowledge);
  if (status != ALEA_OK) return status;
  alea_drawing_possible(t->drawing, t->knowledge.possible.items.data,
                        t->knowledge.possible.items.count);
  status = draw(t, json, &t->knowledge.known);
  alea_drawing_possible(t->drawing, NULL, 0);
  return status;
}

void alea_page_table_put_title(alea_page_table *t, alea_json *json) {
  const char *source = alea_text_string(&t->opened.source);
  alea_text_truncate(&t->text, 0);
  if (!alea_header_comment(source, "title", &t->text)) alea_text_put(&t->text, t->opened.label);
  alea_json_put_string(json, "title", alea_text_string(&t->text));
  alea_text_truncate(&t->text, 0);
  alea_header_comment(source, "description", &t->text);
  alea_json_put_string(json, "description", alea_text_string(&t->text));
}

alea_status alea_page_table_send_position(alea_page_table *t) {
  alea_json json;
  alea_text_truncate(&t->line, 0);
  alea_json_start(&json, &t->line);
  alea_json_open(&json, '{');
  alea_json_put_string(&json, "type", "position");
  alea_page_table_put_title(t, &json);
  alea_json_put_count(&json, "step", alea_page_table_steps(t));
  alea_json_put_bool(&json, "over", t->over || t->resigned);
  alea_json_put_bool(&json, "resigned", t->resigned);
  alea_json_put_bool(&json, "hidden", t->game->has_sees);
  put_optional(&json, "thinking", t->thinker < 0 ? NULL : t->game->role_text[t->thinker]);
  alea_json_put_bool(&json, "hinting", t->hinting);
  alea_status status = put_roles(t, &json);
  if (status == ALEA_OK) status = put_legal(t, &json);
  if (status == ALEA_OK) status = put_percepts(t, &json);
  put_history(t, &json);
  put_values(t, &json);
  if (status == ALEA_OK) status = alea_page_table_put_board(t, &json);
  alea_json_key(&json, "seed");
  if (t->over || t->resigned) {
    alea_json_count(&json, t->seed);
  } else {
    alea_json_null(&json);
  }
  alea_json_close(&json, '}');
  if (status == ALEA_OK) alea_page_inbox_send(t->inbox, &t->line);
  return status;
}

/* ---- opinions ---- */

static int by_visits(const void *x, const void *y) {
  const alea_choice *a = x, *b = y;
  if (a->visits != b->visits) return a->visits > b->visits ? -1 : 1;
  if (a->value > b->value || a->value < b->value) return a->value > b->value ? -1 : 1;
  return a->move < b->move ? -1 : a->move > b->move;
}

static void put_choices(alea_page_table *t, alea_json *json, const alea_analysis *now,
                        uint64_t *sims) {
  alea_choice *choices = alea_mem_calloc(&t->mem, now->count, sizeof *choices);
  size_t count = choices != NULL ? now->count : 0;
  if (count > 0) memcpy(choices, now->choices, count * sizeof *choices);
  qsort(choices, count, sizeof *choices, by_visits);
  alea_json_key(json, "moves");
  alea_json_open(json, '[');
  for (size_t i = 0; i < count; i++) {
    *sims += choices[i].visits;
    if (i >= MOST_OPINIONS) continue;
    alea_json_open(json, '{');
    alea_json_key(json, "move");
    put_move(t, json, (uint32_t)t->thinker, choices[i].move);
    alea_json_put_count(json, "visits", choices[i].visits);
    put_value(json, "value", choices[i].value);
    put_optional(json, "proved", alea_proof_text(choices[i].proof));
    alea_json_close(json, '}');
  }
  alea_json_close(json, ']');
  alea_mem_free(&t->mem, choices, now->count * sizeof *choices);
}

void alea_page_table_send_opinion(void *table) {
  alea_page_table *t = table;
  /* What another thinks would tell what it holds. */
  if (t->thinker < 0 || (alea_page_table_hides(t) && t->thinker != t->person)) return;
  alea_analysis now = {.value = -1};
  alea_player_analyse(t->players[t->thinker], &now);
  alea_json json;
  uint64_t visits = 0;
  alea_text_truncate(&t->line, 0);
  alea_json_start(&json, &t->line);
  alea_json_open(&json, '{');
  alea_json_put_string(&json, "type", "thinking");
  alea_json_put_string(&json, "role", t->game->role_text[t->thinker]);
  alea_json_put_string(&json, "player", alea_page_table_player(t, (uint32_t)t->thinker));
  alea_json_put_count(&json, "step", alea_page_table_steps(t));
  alea_json_put_bool(&json, "hinting", t->hinting);
  alea_json_put_real(&json, "seconds", alea_clock_wall() - t->since);
  put_value(&json, "value", now.value);
  put_optional(&json, "proved", alea_proof_text(now.proof));
  put_optional(&json, "note", now.note);
  put_choices(t, &json, &now, &visits);
  alea_json_put_count(&json, "visits", visits);
  const alea_player_stats *stats = &t->players[t->thinker]->stats;
  alea_json_key(&json, "stats");
  alea_json_open(&json, '{');
#define PUT_STAT(field, help) \
  if (stats->field > 0) alea_json_put_count(&json, #field, stats->field);
  ALEA_PLAYER_STATS(PUT_STAT)
#undef PUT_STAT
  alea_json_close(&json, '}');
  alea_json_close(&json, '}');
  alea_page_inbox_send(t->inbox, &t->line);
}

/* ---- faults ---- */

void alea_page_table_send_fault(alea_page_table *t, alea_status status) {
  alea_json json;
  alea_text_truncate(&t->line, 0);
  alea_json_start(&json, &t->line);
  alea_json_open(&json, '{');
  alea_json_put_string(&json, "type", "fault");
  alea_json_put_string(&json, "message",
                       status == ALEA_LIMIT    ? "the game is too large for the limits of the page"
                       : status == ALEA_SYSTEM ? "the game needs more memory than the page allows"
                                               : "the game cannot be played");
  alea_json_key(&json, "diagnostics");
  alea_json_open(&json, '[');
  for (size_t i = 0; i < t->diag.entries.count && i < MOST_OPINIONS; i++) {
    const alea_diag_entry *entry = &t->diag.entries.data[i];
    if (entry->severity != ALEA_ERROR) continue;
    alea_json_open(&json, '{');
    alea_json_put_count(&json, "line", entry->place.line);
    alea_json_put_count(&json, "column", entry->place.column);
    alea_json_put_string(&json, "message", entry->message);
    alea_json_close(&json, '}');
  }
  alea_json_close(&json, ']');
  alea_json_close(&json, '}');
  alea_page_inbox_send(t->inbox, &t->line);
}
