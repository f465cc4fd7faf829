/* Printing main lines. */
#include "cli/main_line.h"

#include "cli/cli.h"

enum { USUAL_STEPS = 12 };

/* A step as people say it; nothing where nobody has a choice. */
static void put_step(const alea_main_line *line, const alea_game *game, size_t step,
                     alea_text *out) {
  const alea_move *joint = line->joints.data + step * game->role_count;
  const bool *chooses = line->chooses.data + step * game->role_count;
  uint32_t players = game->role_count - (game->random_role >= 0), choosers = 0, said = 0;
  for (uint32_t r = 0; r < game->role_count; r++) choosers += chooses[r];
  for (uint32_t r = 0; r < game->role_count; r++) {
    if (!chooses[r]) continue;
    if (said++ > 0) alea_text_put(out, " + ");
    if ((int)r == game->random_role || choosers > 1 || players > 2)
      alea_text_format(out, "%s: ", game->role_spelling[r]);
    alea_game_move_text(game, r, joint[r], true, out);
  }
}

void alea_cli_main_line_text(const alea_main_line *line, const alea_game *game, size_t width,
                             size_t used, bool ascii, alea_text *out) {
  enum { LAST_WORD = 10 }; /* "  (proved)" */
  size_t after = (ascii ? 5 : 3) + (line->ended ? LAST_WORD : 0);
  const char *dots = ascii ? "  ..." : "  \xe2\x80\xa6";
  alea_text step;
  alea_text_init(&step, out->mem);
  size_t said = 0;
  bool whole = true;
  for (size_t i = 1; i < line->steps && whole; i++) {
    alea_text_truncate(&step, 0);
    put_step(line, game, i, &step);
    if (step.length == 0) continue;
    size_t columns = 2 + alea_cli_width_of(alea_text_string(&step), step.length);
    whole = width > 0 ? used + columns + after <= width : said < USUAL_STEPS;
    if (whole) alea_text_format(out, "  %s", alea_text_string(&step));
    used += columns;
    said++;
  }
  if (!whole) alea_text_put(out, dots);
  if (whole && line->ended && line->steps > 0) alea_text_put(out, line->proved ? "" : "  (end)");
  if (line->proved) alea_text_put(out, "  (proved)");
  alea_text_clear(&step);
}

void alea_cli_main_line_json(const alea_main_line *line, const alea_game *game, alea_mem *mem,
                             alea_json *json) {
  alea_text text;
  alea_text_init(&text, mem);
  alea_json_key(json, "line");
  alea_json_open(json, '[');
  for (size_t i = 0; i < line->steps; i++) {
    alea_text_truncate(&text, 0);
    for (uint32_t r = 0; r < game->role_count; r++) {
      if (r > 0) alea_text_char(&text, ' ');
      alea_game_move_text(game, r, line->joints.data[i * game->role_count + r], true, &text);
    }
    alea_json_string(json, alea_text_string(&text));
  }
  alea_json_close(json, ']');
  alea_json_put_bool(json, "line_proved", line->proved);
  alea_text_clear(&text);
}
