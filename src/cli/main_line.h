#ifndef ALEA_CLI_MAIN_LINE_H
#define ALEA_CLI_MAIN_LINE_H

/* Main lines (play/main_line.h) as text and as JSON. */

#include "base/json.h"
#include "play/main_line.h"

/* Appends what comes after the first move of the line: the moves of those who have
 * a choice, "random: ..." where chance moves, and at the end of a game "(end)" or
 * "(proved)".  As many steps as fit into 'width' columns, of which 'used' are taken;
 * 0 columns: a dozen steps.  Nothing where nothing is expected. */
void alea_cli_main_line_text(const alea_main_line *line, const alea_game *game, size_t width,
                             size_t used, bool ascii, alea_text *out);
/* Puts "line": its joint moves, each as in a file of moves, and "line_proved". */
void alea_cli_main_line_json(const alea_main_line *line, const alea_game *game, alea_mem *mem,
                             alea_json *json);

#endif
