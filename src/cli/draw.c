/* Drawing positions. */
#include "cli/draw.h"

#include <langinfo.h>
#include <locale.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

alea_status alea_cli_drawing_open(alea_cli_drawing *drawing, alea_cli_session *session,
                                  bool ascii) {
  *drawing = (alea_cli_drawing){.session = session, .ascii = alea_cli_wants_ascii(ascii)};
  alea_listing_init(&drawing->listing, &session->mem);
  const alea_opened *opened = &session->opened;
  alea_sketch_subject subject = {alea_text_string(&opened->source), opened->program, opened->net,
                                 opened->rewriting};
  return alea_sketch_new(&drawing->drawing, &subject, session->cursor, &session->mem);
}

void alea_cli_drawing_close(alea_cli_drawing *drawing) {
  if (drawing->session == NULL) return;
  alea_listing_clear(&drawing->listing);
  alea_drawing_free(drawing->drawing);
}

alea_status alea_cli_drawing_draw(alea_cli_drawing *drawing, alea_cursor *cursor) {
  alea_status status = alea_listing_fluents(&drawing->listing, cursor);
  if (status != ALEA_OK) return status;
  return alea_drawing_text(drawing->drawing, drawing->listing.items.data,
                           drawing->listing.items.count, drawing->ascii, ALEA_LEGEND_NEW,
                           &drawing->session->out);
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

bool alea_cli_wants_ascii(bool asked) {
  setlocale(LC_CTYPE, "");
  /* A pipe gets Unicode, whatever the locale: programs read it. */
  return asked || (isatty(STDOUT_FILENO) && strcmp(nl_langinfo(CODESET), "UTF-8") != 0);
}

void alea_cli_wait(double seconds) {
  struct timespec time = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
  if (seconds > 0) nanosleep(&time, NULL);
}
