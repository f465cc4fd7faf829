/* What a table sends. */
#include <math.h>
#include <string.h>
#include <time.h>

#include "base/json.h"
#include "gdl/header_comment.h"
#include "match/orbits.h"
#include "page/table.h"

enum { MOST_LEGAL = 4000, MOST_STEPS = 1000, MOST_FAULTS = 16 };

/* ---- parts ---- */

void alea_page_table_put_move(alea_page_table *t, alea_json *json, uint32_t role, alea_move move) {
  alea_text_truncate(&t->text, 0);
  alea_game_move_text(t->game, role, move, true, &t->text);
  alea_json_string(json, alea_text_string(&t->text));
}

/* A value that may be missing, below 0. */
void alea_page_table_put_value(alea_json *json, const char *key, double value) {
  alea_json_key(json, key);
  if (value < 0) {
    alea_json_null(json);
  } else {
    alea_json_real(json, round(value * 100) / 100);
  }
}

void alea_page_table_put_optional(alea_json *json, const char *key, const char *string) {
  alea_json_key(json, key);
  if (string == NULL) {
    alea_json_null(json);
  } else {
    alea_json_string(json, string);
  }
}

void alea_page_table_begin(alea_page_table *t, alea_json *json, const char *type, int seat) {
  alea_text_truncate(&t->line, 0);
  alea_json_start(json, &t->line);
  alea_json_open(json, '{');
  alea_json_put_string(json, "type", type);
  if (seat >= 0) alea_json_put_count(json, "seat", (uint64_t)seat);
}

/* ---- who plays ---- */

static const char *kind_of(const alea_page_table *t, uint32_t role,
                           const alea_page_table_seat *me) {
  if ((int)role == t->game->random_role) return "chance";
  if (me != NULL && me->role == role) return "you";
  return alea_page_table_seat_of(t, role) != NULL ? "person" : "player";
}

static alea_status put_role(alea_page_table *t, uint32_t role, const alea_page_table_seat *me,
                            alea_json *json) {
  int goal = -1;
  bool chance = (int)role == t->game->random_role;
  const alea_page_table_seat *seat = alea_page_table_seat_of(t, role);
  bool ended = t->over && t->quitter < 0;
  alea_status status = ended && !chance ? alea_cursor_goal(t->cursor, role, &goal) : ALEA_OK;
  if (status != ALEA_OK) return status;
  alea_json_open(json, '{');
  alea_json_put_string(json, "name", t->game->role_text[role]);
  alea_json_put_string(json, "spelling", t->game->role_spelling[role]);
  alea_json_put_string(json, "kind", kind_of(t, role, me));
  alea_page_table_put_optional(json, "player", chance ? NULL : alea_page_table_player(t, role));
  alea_page_table_put_value(json, "goal", goal);
  alea_page_table_put_value(json, "left", seat != NULL && t->clock > 0 ? fmax(seat->left, 0) : -1);
  alea_json_put_bool(
      json, "waited_for",
      seat != NULL && seat->asked && !seat->decided && !alea_page_table_ended(t) && t->thinker < 0);
  alea_json_close(json, '}');
  return ALEA_OK;
}

static alea_status put_roles(alea_page_table *t, const alea_page_table_seat *me, alea_json *json) {
  alea_status status = ALEA_OK;
  alea_json_key(json, "roles");
  alea_json_open(json, '[');
  for (uint32_t r = 0; status == ALEA_OK && r < t->game->role_count; r++)
    status = put_role(t, r, me, json);
  alea_json_close(json, ']');
  return status;
}

/* ---- moves ---- */

/* The moves that the person may choose among; none where it is not their turn. */
static alea_status put_legal(alea_page_table *t, const alea_page_table_seat *me, alea_json *json) {
  alea_list legal = {0};
  alea_status status = ALEA_OK;
  bool asked = me != NULL && !alea_page_table_ended(t) && !me->decided;
  if (asked) status = alea_cursor_legal(t->cursor, me->role, &legal);
  if (status != ALEA_OK) return status;
  uint32_t shown = legal.count < MOST_LEGAL ? legal.count : MOST_LEGAL;
  bool yours = legal.count > 1 && t->thinker < 0;
  alea_json_put_bool(json, "yours", yours);
  alea_json_put_count(json, "legal_count", legal.count);
  alea_json_key(json, "legal");
  alea_json_open(json, '[');
  for (uint32_t i = 0; yours && i < shown; i++)
    alea_page_table_put_move(t, json, me->role, legal.ids[i]);
  alea_json_close(json, ']');
  return yours ? alea_page_table_put_effects(t, me->role, json) : ALEA_OK;
}

/* The moves of one class, if there are several. */
static void put_class(alea_page_table *t, const alea_orbit_items *moves, uint32_t role,
                      uint32_t class, alea_json *json) {
  uint32_t members = 0;
  for (size_t i = 0; i < moves->count; i++) members += moves->data[i].class == class;
  if (members < 2) return;
  alea_json_open(json, '[');
  for (size_t i = 0; i < moves->count; i++)
    if (moves->data[i].class == class)
      alea_page_table_put_move(t, json, role, moves->data[i].number);
  alea_json_close(json, ']');
}

static void put_classes(alea_page_table *t, const alea_orbits *orbits, uint32_t role,
                        alea_json *json) {
  const alea_orbit_items *moves = &orbits->moves[role];
  uint32_t classes = 0;
  for (size_t i = 0; i < moves->count; i++)
    if (moves->data[i].class >= classes) classes = moves->data[i].class + 1;
  alea_json_open(json, '{');
  alea_json_put_string(json, "role", t->game->role_text[role]);
  alea_json_put_real(json, "symmetries", orbits->symmetries);
  alea_json_put_count(json, "leaving", orbits->leaving);
  alea_json_key(json, "classes");
  alea_json_open(json, '[');
  for (uint32_t c = 0; c < classes; c++) put_class(t, moves, role, c, json);
  alea_json_close(json, ']');
  alea_json_close(json, '}');
}

/* Which moves are symmetric to each other, for whoever is to move.  Symmetries of the
 * true position would tell what it is, so nothing is told where something is hidden. */
static alea_status put_alike(alea_page_table *t, const alea_page_table_seat *me, alea_json *json) {
  int role = t->thinker >= 0 ? t->thinker : me != NULL && me->asked ? (int)me->role : -1;
  bool wanted = t->alike && role >= 0 && !alea_page_table_ended(t) && !alea_page_table_hides(t);
  alea_orbits orbits = {0};
  alea_status status = ALEA_NONE;
  if (wanted)
    status = alea_orbits_init(&orbits, &t->opened, t->cursor, ALEA_PAGE_SYMMETRY_SECONDS, &t->mem);
  alea_json_key(json, "alike");
  if (status == ALEA_OK && orbits.moves[role].count <= MOST_LEGAL) {
    put_classes(t, &orbits, (uint32_t)role, json);
  } else {
    alea_json_null(json);
  }
  alea_orbits_clear(&orbits);
  return status == ALEA_SYSTEM ? status : ALEA_OK;
}

/* One array for each step; null for moves that are hidden from the person. */
static void put_history(alea_page_table *t, const alea_page_table_seat *me, alea_json *json) {
  uint32_t roles = t->game->role_count, steps = alea_page_table_steps(t);
  uint32_t first = steps > MOST_STEPS ? steps - MOST_STEPS : 0;
  bool hides = alea_page_table_hides(t);
  alea_json_put_count(json, "history_from", first);
  alea_json_key(json, "history");
  alea_json_open(json, '[');
  for (uint32_t step = first; step < steps; step++) {
    alea_json_open(json, '[');
    for (uint32_t r = 0; r < roles; r++) {
      if (hides && (me == NULL || r != me->role)) {
        alea_json_null(json);
      } else {
        alea_page_table_put_move(t, json, r, t->history.data[(size_t)step * roles + r]);
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

static alea_status put_percepts(alea_page_table *t, const alea_page_table_seat *me,
                                alea_json *json) {
  alea_json_key(json, "sees");
  alea_json_open(json, '[');
  alea_status status = ALEA_OK;
  if (alea_page_table_hides(t) && me != NULL) {
    status = alea_listing_percepts(&t->listing, t->cursor, me->role);
    for (size_t i = 0; status == ALEA_OK && i < t->listing.items.count; i++)
      alea_json_string(json, t->listing.items.data[i]);
  }
  alea_json_close(json, ']');
  return status;
}

/* ---- the board ---- */

alea_status alea_page_table_draw(alea_page_table *t, const alea_listing *fluents, alea_json *json) {
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
alea_status alea_page_table_put_board(alea_page_table *t, alea_page_table_seat *seat,
                                      alea_json *json) {
  if (!alea_page_table_hides(t) || seat == NULL) {
    alea_status status = alea_listing_fluents(&t->listing, t->cursor);
    return status == ALEA_OK ? alea_page_table_draw(t, &t->listing, json) : status;
  }
  alea_knowledge *knowledge = &seat->knowledge;
  alea_status status = alea_knowledge_list(knowledge);
  if (status != ALEA_OK) return status;
  alea_drawing_possible(t->drawing, knowledge->possible.items.data,
                        knowledge->possible.items.count);
  status = alea_page_table_draw(t, &knowledge->known, json);
  alea_drawing_possible(t->drawing, NULL, 0);
  return status;
}

void alea_page_table_put_title(alea_page_table *t, alea_json *json) {
  const char *source = alea_text_string(&t->opened.source);
  const char *name = json_string_value(json_object_get(t->wishes, "name"));
  alea_text_truncate(&t->text, 0);
  if (!alea_header_comment(source, "title", &t->text))
    alea_text_put(&t->text, name != NULL ? name : t->opened.label);
  alea_json_put_string(json, "title", alea_text_string(&t->text));
  alea_text_truncate(&t->text, 0);
  alea_header_comment(source, "description", &t->text);
  alea_json_put_string(json, "description", alea_text_string(&t->text));
}

/* What is known of the whole table. */
static void put_state(alea_page_table *t, alea_json *json) {
  const alea_game *game = t->game;
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  alea_json_put_count(json, "step", alea_page_table_steps(t));
  alea_json_put_bool(json, "over", alea_page_table_ended(t));
  alea_json_put_bool(json, "resigned", t->quitter >= 0 && !t->flagged);
  alea_json_put_bool(json, "flagged", t->flagged);
  alea_page_table_put_optional(json, "quitter",
                               t->quitter < 0 ? NULL : game->role_text[t->quitter]);
  alea_json_put_bool(json, "hidden", game->has_sees);
  alea_page_table_put_optional(json, "thinking",
                               t->thinker < 0 ? NULL : game->role_text[t->thinker]);
  alea_json_put_bool(json, "hinting", t->hinted >= 0);
  /* When the clocks were read, in milliseconds, as browsers count them. */
  alea_json_put_count(json, "at", (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000);
  alea_json_key(json, "seed");
  if (alea_page_table_ended(t)) {
    alea_json_count(json, t->seed);
  } else {
    alea_json_null(json);
  }
}

static alea_status send_to(alea_page_table *t, uint32_t number) {
  alea_page_table_seat *me = number < t->seat_count ? &t->seats[number] : NULL;
  alea_json json;
  alea_page_table_begin(t, &json, "position", (int)number);
  alea_page_table_put_title(t, &json);
  alea_page_table_put_aims(t, &json);
  put_state(t, &json);
  alea_status status = put_roles(t, me, &json);
  if (status == ALEA_OK) status = put_legal(t, me, &json);
  if (status == ALEA_OK) status = put_alike(t, me, &json);
  if (status == ALEA_OK) status = put_percepts(t, me, &json);
  put_history(t, me, &json);
  put_values(t, &json);
  if (status == ALEA_OK) status = alea_page_table_put_board(t, me, &json);
  alea_json_close(&json, '}');
  if (status == ALEA_OK) alea_page_inbox_send(t->inbox, &t->line);
  return status;
}

alea_status alea_page_table_send_position(alea_page_table *t) {
  alea_status status = send_to(t, 0);
  for (uint32_t i = 1; status == ALEA_OK && i < t->seat_count; i++) status = send_to(t, i);
  return status;
}

/* ---- faults ---- */

void alea_page_table_send_fault(alea_page_table *t, alea_status status) {
  alea_json json;
  alea_page_table_begin(t, &json, "fault", -1);
  alea_json_put_string(&json, "message",
                       status == ALEA_LIMIT    ? "the game is too large for the limits of the page"
                       : status == ALEA_SYSTEM ? "the game needs more memory than the page allows"
                                               : "the game cannot be played");
  alea_json_key(&json, "diagnostics");
  alea_json_open(&json, '[');
  for (size_t i = 0; i < t->diag.entries.count && i < MOST_FAULTS; i++) {
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
