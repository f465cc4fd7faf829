/* The process of a table: whose turn it is, and what the people wish. */
#include <math.h>
#include <string.h>

#include "game/stuck.h"
#include "match/orbits.h"
#include "page/table.h"

/* Seconds between two opinions that are sent. */
static const double look_every = 0.25;

/* ---- thinking ---- */

/* Lets the player of a role think, for a seat that asked for a hint or (-1) for itself;
 * opinions are sent meanwhile.  '*move' is ALEA_NO_MOVE where it found none in time. */
static alea_status think(alea_page_table *t, uint32_t role, int hinted, alea_move *move) {
  alea_watch watch = {.look = alea_page_table_send_opinion, .context = t, .every = look_every};
  t->thinker = (int)role;
  t->hinted = hinted;
  t->since = alea_clock_wall();
  t->budget.watch = &watch;
  t->sent_line.count = 0;
  t->trouble = ALEA_OK;
  *move = t->chosen = ALEA_NO_MOVE;
  alea_status status = alea_page_table_send_position(t);
  atomic_store(&t->inbox->thinking, true);
  if (status == ALEA_OK) status = alea_player_select(t->players[role], &t->budget, move);
  atomic_store(&t->inbox->thinking, false);
  atomic_store(&t->inbox->stop, false);
  if (status == ALEA_LIMIT || status == ALEA_NONE) status = ALEA_OK;
  t->chosen = *move;
  alea_page_table_send_opinion(t);
  alea_analysis analysis = {.value = -1};
  alea_player_analyse(t->players[role], &analysis);
  alea_page_table_value value = {alea_page_table_steps(t), role, analysis.value};
  if (hinted < 0 && value.value >= 0 && !alea_vec_push(&t->mem, &t->values, value))
    status = ALEA_SYSTEM;
  t->thinker = t->hinted = -1;
  return status == ALEA_OK ? t->trouble : status;
}

/* A move for a role at which nobody sits. */
static alea_status choose(alea_page_table *t, uint32_t role) {
  alea_list legal;
  alea_move move;
  alea_status status = alea_cursor_legal(t->cursor, role, &legal);
  if (status != ALEA_OK) return status;
  t->joint[role] = legal.ids[alea_rng_below(&t->chance, legal.count)];
  if (legal.count == 1 || (int)role == t->game->random_role) return ALEA_OK;
  status = think(t, role, -1, &move);
  if (status == ALEA_OK && move != ALEA_NO_MOVE) t->joint[role] = move;
  return status;
}

/* ---- wishes ---- */

static bool is_wish(const json_t *message, const char *word) {
  const char *wish = json_string_value(json_object_get(message, "do"));
  return wish != NULL && strcmp(wish, word) == 0;
}

/* The seat that a message comes from; NULL: the players are watched. */
static alea_page_table_seat *seat_of(alea_page_table *t, const json_t *message) {
  json_int_t number = json_integer_value(json_object_get(message, "seat"));
  return number >= 0 && number < (json_int_t)t->seat_count ? &t->seats[number] : NULL;
}

/* The move of a message, into t->joint; the seat has decided if it is one. */
static alea_status read_move(alea_page_table *t, alea_page_table_seat *seat,
                             const json_t *message) {
  const char *text = json_string_value(json_object_get(message, "move"));
  const json_t *step = json_object_get(message, "step");
  alea_list legal;
  bool made = false;
  if (json_is_integer(step) && json_integer_value(step) != (json_int_t)alea_page_table_steps(t)) {
    alea_page_inbox_answer(t->inbox, message, 409, "the game has gone on since");
    return ALEA_OK;
  }
  alea_status status = ALEA_OK;
  alea_move move = text != NULL ? alea_game_move_find(t->game, seat->role, text) : ALEA_NO_MOVE;
  if (move != ALEA_NO_MOVE) status = alea_cursor_admits(t->cursor, seat->role, move, &made);
  t->typed.fitting.count = 0;
  if (status == ALEA_OK && !made && text != NULL) {
    status = alea_cursor_legal(t->cursor, seat->role, &legal);
    if (status == ALEA_OK)
      status = alea_typed_moves_read(&t->typed, t->game, seat->role, legal, false, text);
    made = status == ALEA_OK && t->typed.fitting.count == 1;
    if (made) move = t->typed.fitting.data[0];
  }
  if (status != ALEA_OK) return status;
  if (made) {
    t->joint[seat->role] = move;
    seat->decided = true;
    seat->left += t->increment;
  }
  bool many = !made && t->typed.fitting.count > 1;
  alea_page_inbox_answer(t->inbox, message, made ? 200 : 422,
                         made   ? ""
                         : many ? "several moves fit; say more"
                                : "this move is not legal here");
  return made && t->seat_count > 1 ? alea_page_table_send_position(t) : ALEA_OK;
}

static alea_status give_hint(alea_page_table *t, alea_page_table_seat *seat,
                             const json_t *message) {
  alea_move move;
  alea_status status = think(t, seat->role, (int)(seat - t->seats), &move);
  if (status != ALEA_OK) return status;
  alea_text_truncate(&t->text, 0);
  if (move != ALEA_NO_MOVE) alea_game_move_text(t->game, seat->role, move, true, &t->text);
  alea_page_inbox_answer(t->inbox, message, move != ALEA_NO_MOVE ? 200 : 422,
                         move != ALEA_NO_MOVE ? alea_text_string(&t->text) : "no move was found");
  return ALEA_OK;
}

/* Goes back to the last choice of the person, or to the start. */
static alea_status undo(alea_page_table *t, const alea_page_table_seat *seat) {
  alea_list legal = {0};
  uint32_t steps = alea_page_table_steps(t);
  alea_status status = ALEA_OK;
  while (status == ALEA_OK && steps > 0 && legal.count < 2) {
    status = alea_page_table_return_to(t, --steps);
    if (status == ALEA_OK && seat != NULL)
      status = alea_cursor_legal(t->cursor, seat->role, &legal);
  }
  return status;
}

/* Begins again, in another role if the message names one; whoever sat there goes where
 * the other has been. */
static alea_status rematch(alea_page_table *t, alea_page_table_seat *seat, const json_t *message) {
  const char *name = json_string_value(json_object_get(message, "role"));
  for (uint32_t r = 0; name != NULL && seat != NULL && r < t->game->role_count; r++) {
    if ((int)r == t->game->random_role || strcmp(name, t->game->role_text[r]) != 0) continue;
    alea_page_table_seat *other = alea_page_table_seat_of(t, r);
    if (other != NULL) other->role = seat->role;
    seat->role = r;
    break;
  }
  t->seed++;
  return alea_page_table_start(t);
}

/* Tells symmetric moves from now on, or does not. */
static alea_status tell_alike(alea_page_table *t, const json_t *message) {
  alea_orbits orbits = {0};
  bool on = json_is_true(json_object_get(message, "on"));
  alea_status status = ALEA_OK;
  if (on)
    status = alea_orbits_init(&orbits, &t->opened, t->cursor, ALEA_PAGE_SYMMETRY_SECONDS, &t->mem);
  bool some = on && status == ALEA_OK && orbits.symmetries > 1;
  alea_orbits_clear(&orbits);
  if (status == ALEA_SYSTEM) return status;
  t->alike = some;
  alea_page_inbox_answer(t->inbox, message, some == on ? 200 : 422,
                         some == on             ? ""
                         : status == ALEA_OK    ? "this game has no symmetries"
                         : status == ALEA_LIMIT ? "its symmetries were not found in time"
                                                : "symmetries of this game cannot be found");
  return alea_page_table_send_position(t);
}

/* Why a wish to take a move back is refused; NULL: it is not. */
static const char *why_not_back(const alea_page_table *t) {
  if (t->quitter >= 0) return NULL;
  if (alea_page_table_steps(t) == 0) return "there is nothing to take back";
  return t->seat_count > 1 && alea_page_table_hides(t)
             ? "with hidden information and several people nothing is taken back"
             : NULL;
}

static alea_status take_back(alea_page_table *t, const alea_page_table_seat *seat) {
  if (t->quitter < 0) return undo(t, seat);
  t->quitter = -1;
  if (t->flagged)
    for (uint32_t i = 0; i < t->seat_count; i++)
      if (t->seats[i].left <= 0) t->seats[i].left = t->clock;
  t->flagged = false;
  return ALEA_OK;
}

/* Does what a message asks for, apart from moves and hints. */
static alea_status obey(alea_page_table *t, const json_t *message) {
  alea_page_table_seat *seat = seat_of(t, message);
  alea_status status = ALEA_OK;
  if (is_wish(message, "alike")) return tell_alike(t, message);
  if (is_wish(message, "undo") && why_not_back(t) != NULL) {
    alea_page_inbox_answer(t->inbox, message, 409, why_not_back(t));
    return ALEA_OK;
  }
  if (is_wish(message, "undo")) {
    status = take_back(t, seat);
  } else if (is_wish(message, "rematch")) {
    status = rematch(t, seat, message);
  } else if (is_wish(message, "resign") && !alea_page_table_ended(t) && seat != NULL) {
    t->quitter = (int)seat->role;
  } else if (!is_wish(message, "now")) {
    bool over = alea_page_table_ended(t);
    bool early = is_wish(message, "move") || is_wish(message, "hint");
    alea_page_inbox_answer(t->inbox, message, over || (early && seat != NULL) ? 409 : 400,
                           over                    ? "the game is over"
                           : early && seat != NULL ? "it is not your turn"
                                                   : "nobody can do this here");
    return ALEA_OK;
  }
  if (status != ALEA_OK) return status;
  alea_page_inbox_answer(t->inbox, message, 200, "");
  return alea_page_table_send_position(t);
}

/* ---- clocks ---- */

/* Whether the clock of a seat runs. */
static bool runs(const alea_page_table *t, const alea_page_table_seat *seat) {
  return t->clock > 0 && seat->asked && !seat->decided && !alea_page_table_ended(t);
}

/* How long a wish can be waited for. */
static double patience(const alea_page_table *t) {
  double least = INFINITY;
  for (uint32_t i = 0; i < t->seat_count; i++)
    if (runs(t, &t->seats[i])) least = fmin(least, fmax(t->seats[i].left, 0) + 1e-3);
  return least;
}

/* Time has passed since 'start': whose clock has run out has lost. */
static void charge(alea_page_table *t, double start) {
  double passed = alea_clock_wall() - start;
  for (uint32_t i = 0; i < t->seat_count; i++) {
    alea_page_table_seat *seat = &t->seats[i];
    if (!runs(t, seat)) continue;
    seat->left -= passed;
    if (seat->left > 0) continue;
    t->quitter = (int)seat->role;
    t->flagged = true;
    return;
  }
}

/* ---- listening ---- */

/* Whether somebody has a move to choose here: who has one move only has decided. */
static alea_status find_choices(alea_page_table *t, bool *choice) {
  *choice = false;
  for (uint32_t i = 0; i < t->seat_count; i++) {
    alea_page_table_seat *seat = &t->seats[i];
    alea_list legal;
    alea_status status = alea_cursor_legal(t->cursor, seat->role, &legal);
    if (status != ALEA_OK) return status;
    seat->asked = legal.count > 1;
    if (legal.count == 1) t->joint[seat->role] = legal.ids[0];
    *choice |= seat->asked && !seat->decided;
  }
  return ALEA_OK;
}

static alea_status answer(alea_page_table *t, const json_t *message) {
  alea_page_table_seat *seat = seat_of(t, message);
  bool asked = seat != NULL && seat->asked && !seat->decided && !alea_page_table_ended(t);
  if (is_wish(message, "move") && asked) return read_move(t, seat, message);
  if (!is_wish(message, "hint") || !asked) return obey(t, message);
  double start = alea_clock_wall();
  alea_status status = give_hint(t, seat, message);
  charge(t, start);
  return status == ALEA_OK ? alea_page_table_send_position(t) : status;
}

/* One message, if there is one or it can be waited for ('wait').  '*go' if the others
 * are to choose now; '*left' if nobody is there any more. */
static alea_status listen(alea_page_table *t, bool wait, bool *go, bool *left) {
  double start = alea_clock_wall();
  json_t *message = alea_page_inbox_take(t->inbox, wait ? patience(t) : 0);
  *go = !wait && message == NULL;
  *left = wait && message == NULL && alea_page_inbox_is_closed(t->inbox);
  bool was = t->flagged;
  charge(t, start);
  alea_status status = t->flagged != was ? alea_page_table_send_position(t) : ALEA_OK;
  if (message == NULL) return status;
  if (status == ALEA_OK) status = answer(t, message);
  json_decref(message);
  return status;
}

/* ---- rounds ---- */

static alea_status finish_round(alea_page_table *t) {
  alea_status status = ALEA_OK;
  for (uint32_t r = 0; status == ALEA_OK && r < t->game->role_count; r++) {
    if (alea_page_table_seat_of(t, r) != NULL) continue;
    status = choose(t, r);
    if (alea_page_inbox_is_interrupted(t->inbox))
      return status == ALEA_OK ? alea_page_table_send_position(t) : status;
  }
  if (status == ALEA_OK) status = alea_page_table_step(t);
  bool choice;
  if (status == ALEA_OK && !t->over) status = find_choices(t, &choice);
  return status == ALEA_OK ? alea_page_table_send_position(t) : status;
}

static alea_status play_on(alea_page_table *t) {
  bool choice = false;
  alea_status status = t->over ? ALEA_OK : find_choices(t, &choice);
  if (status == ALEA_OK) status = alea_page_table_send_position(t);
  for (bool left = false; status == ALEA_OK && !left;) {
    bool go = false, ended = alea_page_table_ended(t);
    if (!ended)
      status = alea_stuck_refuse(t->cursor, alea_page_table_steps(t), t->opened.label, &t->diag);
    if (status == ALEA_OK && !ended) status = find_choices(t, &choice);
    if (status == ALEA_OK) status = listen(t, choice || ended, &go, &left);
    if (status == ALEA_OK && go) status = finish_round(t);
  }
  return status;
}

int alea_page_table_run(int argc, char **argv) {
  alea_page_inbox inbox;
  alea_page_table t;
  (void)argc, (void)argv;
  if (alea_page_inbox_start(&inbox) != ALEA_OK) return ALEA_SYSTEM;
  alea_page_table_init(&t, &inbox);
  json_t *wishes = alea_page_inbox_take(&inbox, INFINITY);
  alea_status status = wishes == NULL ? ALEA_OK : alea_page_table_lay(&t, wishes);
  if (status == ALEA_OK && wishes != NULL) status = play_on(&t);
  if (status != ALEA_OK) alea_page_table_send_fault(&t, status);
  alea_page_table_clear(&t);
  return (int)status;
}
