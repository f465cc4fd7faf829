/* Drawing positions. */
#include "cli/draw.h"

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { NARROWEST = 20, WIDEST = 120 };

static void respect_width(alea_drawing *drawing) {
  size_t columns = alea_cli_columns();
  if (columns >= NARROWEST)
    alea_drawing_width(drawing, (uint32_t)(columns < WIDEST ? columns : WIDEST));
}

alea_status alea_cli_drawing_open(alea_cli_drawing *drawing, alea_cli_session *session,
                                  bool ascii) {
  *drawing = (alea_cli_drawing){.session = session, .ascii = alea_cli_wants_ascii(ascii)};
  alea_listing_init(&drawing->listing, &session->mem);
  alea_listing_init(&drawing->before, &session->mem);
  const alea_opened *opened = &session->opened;
  alea_sketch_subject subject = {alea_text_string(&opened->source), opened->program, opened->net,
                                 opened->rewriting};
  alea_status status = alea_sketch_new(&drawing->drawing, &subject, session->cursor, &session->mem);
  if (status == ALEA_OK) respect_width(drawing->drawing);
  return status;
}

void alea_cli_drawing_close(alea_cli_drawing *drawing) {
  if (drawing->session == NULL) return;
  alea_listing_clear(&drawing->listing);
  alea_listing_clear(&drawing->before);
  alea_vec_clear(&drawing->session->mem, &drawing->tints);
  alea_drawing_free(drawing->drawing);
}

void alea_cli_drawing_use_colour(alea_cli_drawing *drawing, alea_cli_colour colour) {
  const char *refused = getenv("NO_COLOR");
  bool wanted = isatty(STDOUT_FILENO) && (refused == NULL || refused[0] == '\0');
  drawing->colour = colour == ALEA_CLI_COLOUR_ALWAYS || (colour == ALEA_CLI_COLOUR_AUTO && wanted);
  drawing->brackets = isatty(STDOUT_FILENO) && !drawing->colour;
  alea_drawing_colour_text(drawing->drawing, drawing->colour);
  alea_drawing_bracket_text(drawing->drawing, drawing->brackets);
}

void alea_cli_drawing_mark_last(alea_cli_drawing *drawing) {
  drawing->brackets = !drawing->colour;
  alea_drawing_bracket_text(drawing->drawing, drawing->brackets);
}

void alea_cli_drawing_afresh(alea_cli_drawing *drawing) { drawing->before.items.count = 0; }

alea_status alea_cli_drawing_note(alea_cli_drawing *drawing, alea_cursor *cursor,
                                  alea_knowledge *knowledge) {
  if (knowledge == NULL) return alea_listing_fluents(&drawing->listing, cursor);
  /* A copy: what is known lives in the player's memory, which may end before the drawing. */
  alea_status status = alea_knowledge_list(knowledge);
  return status == ALEA_OK ? alea_listing_copy(&drawing->listing, &knowledge->known) : status;
}

void alea_cli_drawing_keep(alea_cli_drawing *drawing) {
  alea_listing before = drawing->before;
  drawing->before = drawing->listing;
  drawing->listing = before;
}

/* Both lists are sorted. */
static alea_status find_new(alea_cli_drawing *d) {
  size_t old = 0;
  d->tints.count = 0;
  for (size_t i = 0; i < d->listing.items.count; i++) {
    const char *fluent = d->listing.items.data[i];
    while (old < d->before.items.count && strcmp(d->before.items.data[old], fluent) < 0) old++;
    bool there = old < d->before.items.count && strcmp(d->before.items.data[old], fluent) == 0;
    uint32_t tint = d->before.items.count > 0 && !there;
    if (!alea_vec_push(&d->session->mem, &d->tints, tint)) return ALEA_SYSTEM;
  }
  return ALEA_OK;
}

/* Draws the listing, which is what comes before the next one. */
static alea_status draw_listing(alea_cli_drawing *d) {
  bool afresh = d->before.items.count == 0;
  bool marks = d->colour || d->brackets;
  alea_status status = marks ? find_new(d) : ALEA_OK;
  if (status != ALEA_OK) return status;
  if (marks) alea_drawing_tint(d->drawing, d->tints.data);
  status = alea_drawing_text(d->drawing, d->listing.items.data, d->listing.items.count, d->ascii,
                             afresh ? ALEA_LEGEND_ALL : ALEA_LEGEND_NEW, &d->session->out);
  alea_drawing_tint(d->drawing, NULL);
  alea_cli_drawing_keep(d);
  return status;
}

alea_status alea_cli_drawing_draw(alea_cli_drawing *drawing, alea_cursor *cursor) {
  alea_status status = alea_cli_drawing_note(drawing, cursor, NULL);
  return status == ALEA_OK ? draw_listing(drawing) : status;
}

alea_status alea_cli_drawing_draw_known(alea_cli_drawing *drawing, alea_knowledge *knowledge) {
  alea_status status = alea_cli_drawing_note(drawing, NULL, knowledge);
  if (status != ALEA_OK) return status;
  alea_drawing_possible(drawing->drawing, knowledge->possible.items.data,
                        knowledge->possible.items.count);
  status = draw_listing(drawing);
  alea_drawing_possible(drawing->drawing, NULL, 0);
  return status;
}

alea_status alea_cli_drawing_seen(alea_cli_drawing *drawing, alea_cursor *cursor, uint32_t role) {
  alea_status status = alea_listing_percepts(&drawing->listing, cursor, role);
  if (status != ALEA_OK || drawing->listing.items.count == 0) return status;
  alea_text text;
  alea_text_init(&text, &drawing->session->mem);
  alea_text_put(&text, "you see:");
  for (size_t i = 0; i < drawing->listing.items.count; i++)
    alea_text_format(&text, " %s", drawing->listing.items.data[i]);
  alea_text_char(&text, '\n');
  alea_cli_put_wrapped(&drawing->session->out, alea_text_string(&text), 2);
  alea_text_clear(&text);
  return ALEA_OK;
}

alea_status alea_cli_drawing_goals(alea_cli_drawing *drawing, alea_cursor *cursor) {
  alea_text *out = &drawing->session->out;
  alea_text_put(out, "the game is over:");
  for (uint32_t role = 0; role < cursor->game->role_count; role++) {
    int goal;
    alea_status status = alea_cursor_goal(cursor, role, &goal);
    if (status != ALEA_OK) return status;
    if ((int)role == cursor->game->random_role) continue;
    alea_text_format(out, " %s", cursor->game->role_spelling[role]);
    if (goal >= 0) alea_text_format(out, " %d", goal);
  }
  alea_text_char(out, '\n');
  return ALEA_OK;
}

void alea_cli_drawing_moves(alea_cli_drawing *drawing, const alea_move *joint,
                            const bool *had_choice) {
  const alea_game *game = drawing->session->opened.game;
  alea_text text;
  alea_text_init(&text, &drawing->session->mem);
  for (uint32_t role = 0; role < game->role_count; role++) {
    alea_text_truncate(&text, 0);
    alea_game_move_text(game, role, joint[role], true, &text);
    /* Moves of roles without a choice are not shown. */
    bool said = had_choice != NULL && had_choice[role];
    if (!said && strchr(alea_text_string(&text), '(') == NULL) continue;
    alea_text_format(&drawing->session->out, "  %s: %s", game->role_spelling[role],
                     alea_text_string(&text));
  }
  alea_text_clear(&text);
}

static bool has_human(const alea_record *record) {
  for (uint32_t r = 0; r < record->roles; r++)
    if (record->human[r]) return true;
  return false;
}

bool alea_cli_shows(const alea_record *record, const alea_game *game, bool over, bool asked) {
  if (!has_human(record)) return asked;
  return over || (asked && !game->has_sees);
}

void alea_cli_drawing_step(alea_cli_drawing *drawing, const alea_move *joint,
                           const alea_record *record) {
  const alea_game *game = drawing->session->opened.game;
  alea_text *out = &drawing->session->out;
  alea_text_format(out, "step %zu", record->states.count - 1);
  if (game->has_sees && has_human(record)) {
    for (uint32_t r = 0; r < game->role_count; r++) {
      if (!record->human[r]) continue;
      alea_text_format(out, "  %s: ", game->role_spelling[r]);
      alea_game_move_text(game, r, joint[r], true, out);
    }
  } else {
    alea_cli_drawing_moves(drawing, joint, NULL);
  }
  alea_text_char(out, '\n');
}

void alea_cli_list_moves(const alea_game *game, uint32_t role, const uint32_t *moves, size_t count,
                         bool numbered, alea_text *out) {
  enum { NUMBER = 5, GAP = 2, USUAL_WIDTH = 80 };
  size_t width = alea_cli_columns(), widest = 1;
  alea_text move;
  alea_text_init(&move, out->mem);
  for (size_t i = 0; i < count; i++) {
    alea_text_truncate(&move, 0);
    alea_game_move_text(game, role, moves[i], true, &move);
    if (move.length > widest) widest = move.length;
  }
  widest += GAP + (numbered ? NUMBER : 0);
  size_t columns = (width > 0 ? width : USUAL_WIDTH) / widest;
  for (size_t i = 0; i < count; i++) {
    alea_text_truncate(&move, 0);
    if (numbered) alea_text_format(&move, "%4zu ", i + 1);
    if (!numbered) alea_text_put(&move, "  ");
    alea_game_move_text(game, role, moves[i], true, &move);
    bool last = columns < 2 || i % columns == columns - 1 || i + 1 == count;
    alea_text_put(out, alea_text_string(&move));
    for (size_t k = move.length; !last && k < widest; k++) alea_text_char(out, ' ');
    if (last) alea_text_char(out, '\n');
  }
  alea_text_clear(&move);
}

bool alea_cli_wants_ascii(bool asked) {
  setlocale(LC_CTYPE, "");
  /* A pipe gets Unicode, whatever the locale: programs read it. */
  return asked || (isatty(STDOUT_FILENO) && strcmp(nl_langinfo(CODESET), "UTF-8") != 0);
}

void alea_cli_wait(double seconds) {
  struct timespec time = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
  if (seconds > 0) nanosleep(&time, NULL);
}
