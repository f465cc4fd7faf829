#ifndef ALEA_CLI_DRAW_H
#define ALEA_CLI_DRAW_H

/* Drawing positions in the terminal, for every command that shows one. */

#include "cli/session.h"
#include "draw/sketch.h"
#include "match/knowledge.h"
#include "match/runner.h"

/* clang-format off */
#define ALEA_CLI_COLOURS(word)                                            \
  word(ALEA_CLI_COLOUR_AUTO, "auto") word(ALEA_CLI_COLOUR_ALWAYS, "always") \
  word(ALEA_CLI_COLOUR_NEVER, "never")
/* clang-format on */
typedef enum alea_cli_colour { ALEA_CLI_COLOURS(ALEA_CHOICE_CONSTANT) } alea_cli_colour;

typedef struct alea_cli_drawing {
  alea_cli_session *session;
  alea_drawing *drawing;
  alea_listing listing;
  alea_listing before; /* what was drawn last, where changes are shown in colour */
  alea_u32s tints;     /* per fluent of 'listing': 1 if it is new */
  bool ascii, colour;
  bool brackets; /* what is new stands in brackets instead */
} alea_cli_drawing;

/* Learns how to draw the game of the session; the cursor of the session returns
 * to the initial position.  Must be closed in any case. */
alea_status alea_cli_drawing_open(alea_cli_drawing *drawing, alea_cli_session *session, bool ascii);
void alea_cli_drawing_close(alea_cli_drawing *drawing);
/* Appends the position of 'cursor' to the session's output. */
alea_status alea_cli_drawing_draw(alea_cli_drawing *drawing, alea_cursor *cursor);
/* The same for what a role knows of the position. */
alea_status alea_cli_drawing_draw_known(alea_cli_drawing *drawing, alea_knowledge *knowledge);
/* Appends what 'role' was told with the last move, if anything: "you see: ...". */
alea_status alea_cli_drawing_seen(alea_cli_drawing *drawing, alea_cursor *cursor, uint32_t role);
/* From now on what is new since the last drawing is coloured: always, never, or
 * on a terminal unless NO_COLOR is set.  On a terminal without colour it stands in
 * brackets. */
void alea_cli_drawing_use_colour(alea_cli_drawing *drawing, alea_cli_colour colour);
/* The same wherever the output goes: in colour if that is used, else in brackets. */
void alea_cli_drawing_mark_last(alea_cli_drawing *drawing);
/* A position that is not drawn, or what a role knows of it ('knowledge' may be NULL): noted, and
 * kept as what comes before the next drawing. */
alea_status alea_cli_drawing_note(alea_cli_drawing *drawing, alea_cursor *cursor,
                                  alea_knowledge *knowledge);
void alea_cli_drawing_keep(alea_cli_drawing *drawing);
/* The next drawing explains all abbreviations, and nothing in it is new. */
void alea_cli_drawing_afresh(alea_cli_drawing *drawing);
/* Appends "the game is over: xplayer 100 oplayer 0" and a newline. */
alea_status alea_cli_drawing_goals(alea_cli_drawing *drawing, alea_cursor *cursor);
/* Appends "  role: move" for the moves of roles that had a choice. */
void alea_cli_drawing_moves(alea_cli_drawing *drawing, const alea_move *joint,
                            const bool *had_choice);
/* Appends "step 3  role: move ..." and a newline.  Where a person plays a game in which
 * something is hidden, the moves of the others are not shown. */
void alea_cli_drawing_step(alea_cli_drawing *drawing, const alea_move *joint,
                           const alea_record *record);
/* Whether a position of a match is drawn besides what its people are shown: as 'asked',
 * but not where it is hidden from one of them; and for them when the game is over. */
bool alea_cli_shows(const alea_record *record, const alea_game *game, bool over, bool asked);
/* Appends moves of a role in columns that fit the terminal, with their numbers where
 * that is asked for. */
void alea_cli_list_moves(const alea_game *game, uint32_t role, const uint32_t *moves, size_t count,
                         bool numbered, alea_text *out);
/* Whether the output should be plain ASCII: as asked, or if the terminal has no
 * UTF-8. */
bool alea_cli_wants_ascii(bool asked);
/* Sleeps; returns at once for 0. */
void alea_cli_wait(double seconds);

#endif
