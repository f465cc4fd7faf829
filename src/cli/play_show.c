/* alea play: what the people see. */
#include <inttypes.h>
#include <string.h>

#include "cli/play_table.h"
#include "gdl/header_comment.h"
#include "match/why_not.h"

/* ---- before the game ---- */

static void introduce_seats(alea_play_table *t, alea_text *out) {
  for (uint32_t r = 0; r < t->game->role_count; r++) {
    if ((int)r == t->game->random_role) continue;
    bool alone = t->people == 1 && t->person[r];
    alea_text_format(out, "%s %s %s", r == 0 ? "" : ",", t->game->role_spelling[r],
                     t->person[r] ? alone ? "is you" : "is a person" : "is ");
    if (!t->person[r]) alea_text_put(out, t->player);
  }
  alea_text_put(out, ".\n");
}

void alea_play_introduce(alea_play_table *t) {
  const char *source = alea_text_string(&t->session->opened.source);
  alea_text text, value;
  alea_text_init(&text, &t->session->mem);
  alea_text_init(&value, &t->session->mem);
  if (alea_header_comment(source, "title", &value))
    alea_text_format(&text, "%s. ", alea_text_string(&value));
  alea_text_truncate(&value, 0);
  if (alea_header_comment(source, "description", &value))
    alea_text_format(&text, "%s", alea_text_string(&value));
  alea_text_clear(&value);
  if (text.length > 0) alea_text_char(&text, '\n');
  alea_text_put(&text, "Here");
  introduce_seats(t, &text);
  bool chance = t->game->random_role >= 0, others = t->people + chance < t->game->role_count;
  alea_text_put(&text, "Type a move, or `help`.");
  if (chance || others)
    alea_text_format(&text, " %s again: --seed %" PRIu64,
                     chance ? "The same dice and cards" : "The same play of the others", t->seed);
  alea_text_char(&text, '\n');
  alea_cli_put_wrapped(alea_play_out(t), alea_text_string(&text), 0);
  alea_text_clear(&text);
}

/* ---- positions ---- */

alea_status alea_play_show(alea_play_table *t) {
  bool over = false;
  alea_status status = alea_cursor_terminal(t->session->cursor, &over);
  if (status != ALEA_OK) return status;
  bool hidden = t->game->has_sees && !over && t->resigned < 0;
  if (hidden) status = alea_cli_drawing_seen(&t->art, t->session->cursor, t->eyes);
  if (status != ALEA_OK) return status;
  status = hidden ? alea_cli_drawing_draw_known(&t->art, &t->knowledge[t->eyes])
                  : alea_cli_drawing_draw(&t->art, t->session->cursor);
  return status == ALEA_OK ? alea_cli_write(alea_play_out(t)) : status;
}

/* Whether somebody at the table has reason to look at the position. */
static alea_status is_looked_at(alea_play_table *t, bool *looked) {
  alea_status status = alea_cursor_terminal(t->session->cursor, looked);
  for (uint32_t r = 0; status == ALEA_OK && !*looked && r < t->game->role_count; r++) {
    alea_list legal;
    if (!t->person[r]) continue;
    status = alea_cursor_legal(t->session->cursor, r, &legal);
    *looked = status == ALEA_OK && (legal.count != 1 || t->choice[r]);
  }
  return status;
}

void alea_play_tell_moves(alea_play_table *t) {
  alea_text line, *out = alea_play_out(t);
  size_t before = out->length;
  if (!t->game->has_sees) {
    alea_cli_drawing_moves(&t->art, t->joint, t->choice);
  } else if (t->people == 1 && t->choice[t->eyes]) {
    /* What the others do is hidden; a number that was typed is told as a move. */
    alea_text_format(out, "  %s: ", t->game->role_spelling[t->eyes]);
    alea_game_move_text(t->game, t->eyes, t->joint[t->eyes], true, out);
  }
  if (out->length == before) return;
  alea_text_init(&line, &t->session->mem);
  alea_text_format(&line, "%s\n", alea_text_string(out) + before);
  alea_text_truncate(out, before);
  alea_cli_put_wrapped(out, alea_text_string(&line), 4);
  alea_text_clear(&line);
}

alea_status alea_play_show_step(alea_play_table *t) {
  bool looked = false;
  alea_status status = is_looked_at(t, &looked);
  if (status != ALEA_OK || looked) return status == ALEA_OK ? alea_play_show(t) : status;
  if (t->game->has_sees) status = alea_cli_drawing_seen(&t->art, t->session->cursor, t->eyes);
  return status == ALEA_OK ? alea_cli_write(alea_play_out(t)) : status;
}

/* ---- moves ---- */

void alea_play_list_moves(alea_play_table *t, const uint32_t *moves, size_t count, bool numbered) {
  alea_cli_list_moves(t->game, t->eyes, moves, count, numbered, alea_play_out(t));
}

/* A move of the game that is not legal now. */
static alea_status explain_illegal(alea_play_table *t, alea_move move) {
  enum { MOST_TOLD = 3 };
  alea_text *out = alea_play_out(t);
  alea_why_not why;
  alea_game_move_text(t->game, t->eyes, move, true, out);
  alea_text_put(out, " is not legal here");
  /* In a game with `sees` the reason would tell what is hidden. */
  alea_status status = t->game->has_sees ? ALEA_OK
                                         : alea_why_not_legal(&why, t->session->cursor, t->eyes,
                                                              move, &t->session->mem);
  if (status != ALEA_OK || t->game->has_sees) {
    alea_text_char(out, '\n');
    return status;
  }
  if (why.met > 0 && why.missing.count > 0) alea_text_put(out, ": it seems to need");
  for (size_t i = 0; why.met > 0 && i < why.missing.count && i < MOST_TOLD; i++) {
    alea_text_put(out, i == 0 ? " " : ", ");
    alea_game_fluent_text(t->game, why.missing.data[i], true, out);
  }
  alea_text_char(out, '\n');
  alea_vec_clear(&t->session->mem, &why.missing);
  return ALEA_OK;
}

alea_status alea_play_explain(alea_play_table *t, alea_list legal, const char *line) {
  alea_text *out = alea_play_out(t);
  if (t->typed.fitting.count > 1) {
    alea_text_format(out, "'%s' may be any of these:\n", line);
    alea_play_list_moves(t, t->typed.fitting.data, t->typed.fitting.count, false);
    return ALEA_OK;
  }
  alea_move move = alea_game_move_find(t->game, t->eyes, line);
  /* A move that is not legal here may be typed with less fuss, too. */
  for (uint32_t m = 0; move == ALEA_NO_MOVE && m < alea_game_move_count(t->game, t->eyes); m++) {
    alea_list one = {&m, 1};
    alea_status status = alea_typed_moves_read(&t->typed, t->game, t->eyes, one, false, line);
    if (status != ALEA_OK) return status;
    if (t->typed.fitting.count == 1) move = m;
  }
  if (move != ALEA_NO_MOVE) return explain_illegal(t, move);
  alea_text text;
  alea_text_init(&text, &t->session->mem);
  alea_text_format(&text, "'%s' is no move of this game; `help` tells what can be typed. Moves:\n",
                   line);
  alea_cli_put_wrapped(out, alea_text_string(&text), 0);
  alea_text_clear(&text);
  alea_play_list_moves(t, legal.ids, legal.count, true);
  return ALEA_OK;
}

/* ---- the end ---- */

/* Where one person plays, in plain words. */
static alea_status say_who_won(alea_play_table *t) {
  int best = -1, mine = -1;
  uint32_t others = 0;
  for (uint32_t r = 0; r < t->game->role_count; r++) {
    int goal;
    if ((int)r == t->game->random_role) continue;
    alea_status status = alea_cursor_goal(t->session->cursor, r, &goal);
    if (status != ALEA_OK) return status;
    if (t->person[r]) {
      mine = goal;
    } else {
      others++;
      if (goal > best) best = goal;
    }
  }
  if (t->people != 1 || mine < 0) return ALEA_OK;
  if (others == 0 && mine < 100) {
    alea_text_format(alea_play_out(t), "you get %d of 100\n", mine);
    return ALEA_OK;
  }
  alea_text_put(alea_play_out(t), mine > best   ? "you win\n"
                                  : mine < best ? "you lose\n"
                                                : "nobody is ahead: a draw\n");
  return ALEA_OK;
}

alea_status alea_play_result(alea_play_table *t) {
  if (t->resigned >= 0) {
    bool late = t->clock > 0 && t->left[t->resigned] <= 0;
    alea_text_format(alea_play_out(t), "the game is over: %s %s\n",
                     t->game->role_spelling[t->resigned],
                     late ? "has no time left and loses" : "resigns");
    return ALEA_OK;
  }
  alea_status status = alea_cli_drawing_goals(&t->art, t->session->cursor);
  return status == ALEA_OK ? say_who_won(t) : status;
}
