/* The process of a table: whose turn it is, and what the person wishes. */
#include <string.h>

#include "game/stuck.h"
#include "page/table.h"

/* Seconds between two opinions that are sent. */
static const double look_every = 0.25;

/* ---- thinking ---- */

/* Lets the player of a role think; opinions are sent meanwhile.  '*move' is
 * ALEA_NO_MOVE where it found none in time. */
static alea_status think(alea_page_table *t, uint32_t role, bool hint, alea_move *move) {
  alea_watch watch = {.look = alea_page_table_send_opinion, .context = t, .every = look_every};
  t->thinker = (int)role;
  t->hinting = hint;
  t->since = alea_clock_wall();
  t->budget.watch = &watch;
  *move = ALEA_NO_MOVE;
  alea_status status = alea_page_table_send_position(t);
  atomic_store(&t->inbox->thinking, true);
  if (status == ALEA_OK) status = alea_player_select(t->players[role], &t->budget, move);
  atomic_store(&t->inbox->thinking, false);
  atomic_store(&t->inbox->stop, false);
  if (status == ALEA_LIMIT || status == ALEA_NONE) status = ALEA_OK;
  alea_page_table_send_opinion(t);
  alea_analysis analysis = {.value = -1};
  alea_player_analyse(t->players[role], &analysis);
  alea_page_table_value value = {alea_page_table_steps(t), role, analysis.value};
  if (!hint && value.value >= 0 && !alea_vec_push(&t->mem, &t->values, value)) status = ALEA_SYSTEM;
  t->thinker = -1;
  t->hinting = false;
  return status;
}

/* A move for a role that is not the person's. */
static alea_status choose(alea_page_table *t, uint32_t role) {
  alea_list legal;
  alea_move move;
  alea_status status = alea_cursor_legal(t->cursor, role, &legal);
  if (status != ALEA_OK) return status;
  t->joint[role] = legal.ids[alea_rng_below(&t->chance, legal.count)];
  if (legal.count == 1 || (int)role == t->game->random_role) return ALEA_OK;
  status = think(t, role, false, &move);
  if (status == ALEA_OK && move != ALEA_NO_MOVE) t->joint[role] = move;
  return status;
}

/* ---- wishes ---- */

static bool is_wish(const json_t *message, const char *word) {
  const char *wish = json_string_value(json_object_get(message, "do"));
  return wish != NULL && strcmp(wish, word) == 0;
}

/* The move of a message, into t->joint; '*made' if it is one. */
static alea_status read_move(alea_page_table *t, const json_t *message, bool *made) {
  uint32_t role = (uint32_t)t->person;
  const char *text = json_string_value(json_object_get(message, "move"));
  const json_t *step = json_object_get(message, "step");
  alea_list legal;
  *made = false;
  alea_status status = alea_cursor_legal(t->cursor, role, &legal);
  if (status != ALEA_OK) return status;
  if (json_is_integer(step) && json_integer_value(step) != (json_int_t)alea_page_table_steps(t)) {
    alea_page_inbox_answer(t->inbox, message, 409, "the game has gone on since");
    return ALEA_OK;
  }
  alea_move move = text != NULL ? alea_game_move_find(t->game, role, text) : ALEA_NO_MOVE;
  if (move != ALEA_NO_MOVE) status = alea_cursor_admits(t->cursor, role, move, made);
  if (status == ALEA_OK && !*made && text != NULL) {
    status = alea_cursor_legal(t->cursor, role, &legal);
    if (status == ALEA_OK)
      status = alea_typed_moves_read(&t->typed, t->game, role, legal, false, text);
    *made = status == ALEA_OK && t->typed.fitting.count == 1;
    if (*made) move = t->typed.fitting.data[0];
  }
  if (status != ALEA_OK) return status;
  if (*made) t->joint[role] = move;
  bool many = !*made && t->typed.fitting.count > 1;
  alea_page_inbox_answer(t->inbox, message, *made ? 200 : 422,
                         *made  ? ""
                         : many ? "several moves fit; say more"
                                : "this move is not legal here");
  return ALEA_OK;
}

static alea_status give_hint(alea_page_table *t, const json_t *message) {
  alea_move move;
  alea_status status = think(t, (uint32_t)t->person, true, &move);
  if (status != ALEA_OK) return status;
  alea_text_truncate(&t->text, 0);
  if (move != ALEA_NO_MOVE) alea_game_move_text(t->game, (uint32_t)t->person, move, true, &t->text);
  alea_page_inbox_answer(t->inbox, message, move != ALEA_NO_MOVE ? 200 : 422,
                         move != ALEA_NO_MOVE ? alea_text_string(&t->text) : "no move was found");
  return alea_page_table_send_position(t);
}

/* Goes back to the last choice of the person, or to the start. */
static alea_status undo(alea_page_table *t) {
  alea_list legal = {0};
  uint32_t steps = alea_page_table_steps(t);
  alea_status status = ALEA_OK;
  while (status == ALEA_OK && steps > 0 && legal.count < 2) {
    status = alea_page_table_return_to(t, --steps);
    if (status == ALEA_OK && t->person >= 0)
      status = alea_cursor_legal(t->cursor, (uint32_t)t->person, &legal);
  }
  return status;
}

/* Begins again, in another role if the message names one. */
static alea_status rematch(alea_page_table *t, const json_t *message) {
  const char *role = json_string_value(json_object_get(message, "role"));
  for (uint32_t r = 0; role != NULL && r < t->game->role_count; r++)
    if ((int)r != t->game->random_role && strcmp(role, t->game->role_text[r]) == 0)
      t->person = (int)r;
  t->seed++;
  return alea_page_table_return_to(t, 0);
}

/* Does what a message asks for, apart from moves and hints. */
static alea_status obey(alea_page_table *t, const json_t *message) {
  alea_status status = ALEA_OK;
  if (is_wish(message, "undo") && alea_page_table_steps(t) == 0 && !t->resigned) {
    alea_page_inbox_answer(t->inbox, message, 409, "there is nothing to take back");
    return ALEA_OK;
  }
  if (is_wish(message, "undo") && t->resigned) {
    t->resigned = false;
  } else if (is_wish(message, "undo")) {
    status = undo(t);
  } else if (is_wish(message, "rematch")) {
    status = rematch(t, message);
  } else if (is_wish(message, "resign") && !t->over) {
    t->resigned = true;
  } else if (!is_wish(message, "now")) {
    alea_page_inbox_answer(t->inbox, message, t->over ? 409 : 400,
                           t->over ? "the game is over" : "nobody can do this here");
    return ALEA_OK;
  }
  if (status != ALEA_OK) return status;
  alea_page_inbox_answer(t->inbox, message, 200, "");
  return alea_page_table_send_position(t);
}

/* Whether the person has a move to choose here. */
static alea_status find_choice(alea_page_table *t, bool *choice) {
  alea_list legal = {0};
  *choice = false;
  if (t->person < 0) return ALEA_OK;
  alea_status status = alea_cursor_legal(t->cursor, (uint32_t)t->person, &legal);
  *choice = status == ALEA_OK && legal.count > 1;
  if (status == ALEA_OK && legal.count == 1) t->joint[t->person] = legal.ids[0];
  return status;
}

/* One message, if there is one or it can be waited for.  '*go' if the others are
 * to choose now; '*left' if nobody is there any more. */
static alea_status listen(alea_page_table *t, bool choice, bool *go, bool *left) {
  bool ended = t->over || t->resigned;
  json_t *message = alea_page_inbox_take(t->inbox, choice || ended);
  *go = false;
  *left = message == NULL && (choice || ended);
  if (message == NULL) {
    *go = !*left;
    return ALEA_OK;
  }
  alea_status status;
  if (is_wish(message, "move") && choice && !ended) {
    status = read_move(t, message, go);
  } else if (is_wish(message, "hint") && choice && !ended) {
    status = give_hint(t, message);
  } else {
    status = obey(t, message);
  }
  json_decref(message);
  return status;
}

/* ---- rounds ---- */

/* Whether a wish came that makes the choices of this round void. */
static bool is_interrupted(alea_page_table *t) {
  pthread_mutex_lock(&t->inbox->lock);
  bool some = t->inbox->closed;
  for (size_t i = 0; i < t->inbox->count; i++)
    some |= !is_wish(t->inbox->messages[(t->inbox->first + i) % ALEA_PAGE_INBOX_MOST], "now");
  pthread_mutex_unlock(&t->inbox->lock);
  return some;
}

static alea_status finish_round(alea_page_table *t) {
  alea_status status = ALEA_OK;
  for (uint32_t r = 0; status == ALEA_OK && r < t->game->role_count; r++) {
    if ((int)r == t->person) continue;
    status = choose(t, r);
    if (is_interrupted(t)) return status == ALEA_OK ? alea_page_table_send_position(t) : status;
  }
  if (status == ALEA_OK) status = alea_page_table_step(t);
  return status == ALEA_OK ? alea_page_table_send_position(t) : status;
}

static alea_status play_on(alea_page_table *t) {
  alea_status status = alea_page_table_send_position(t);
  for (bool left = false; status == ALEA_OK && !left;) {
    bool go = false, choice = false, ended = t->over || t->resigned;
    if (!ended)
      status = alea_stuck_refuse(t->cursor, alea_page_table_steps(t), t->opened.label, &t->diag);
    if (status == ALEA_OK && !ended) status = find_choice(t, &choice);
    if (status == ALEA_OK) status = listen(t, choice, &go, &left);
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
  json_t *wishes = alea_page_inbox_take(&inbox, true);
  alea_status status = wishes == NULL ? ALEA_OK : alea_page_table_lay(&t, wishes);
  if (status == ALEA_OK && wishes != NULL) status = play_on(&t);
  if (status != ALEA_OK) alea_page_table_send_fault(&t, status);
  alea_page_table_clear(&t);
  return (int)status;
}
