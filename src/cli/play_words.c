/* alea play: what people type. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/play_table.h"
#include "match/moves.h"

/* ---- words ---- */

typedef alea_status word_action(alea_play_table *t, const char *argument);

static alea_status do_help(alea_play_table *t, const char *argument);

static alea_status do_moves(alea_play_table *t, const char *argument) {
  (void)argument;
  alea_list legal;
  alea_status status = alea_typed_moves_legal(&t->typed, t->session->cursor, t->eyes, &legal);
  if (status == ALEA_OK) alea_play_list_moves(t, legal.ids, legal.count, true);
  if (status == ALEA_OK && t->session->cursor->class->admits != NULL)
    alea_cli_put_wrapped(alea_play_out(t), "Numbers between these may be typed as well.\n", 0);
  return status;
}

static alea_status do_hint(alea_play_table *t, const char *argument) {
  (void)argument;
  alea_move move;
  alea_analysis analysis;
  alea_text *out = alea_play_out(t);
  alea_cli_progress *progress = alea_cli_progress_start("thinking of a hint", t->budget.seconds);
  alea_status status = alea_player_select(t->players[t->eyes], &t->budget, &move);
  alea_cli_progress_stop(progress);
  if (!alea_cli_lines_ended()) atomic_store(alea_cli_lines_interrupted(), false);
  if (status != ALEA_OK) return status;
  alea_player_analyse(t->players[t->eyes], &analysis);
  alea_text_put(out, "hint: ");
  alea_game_move_text(t->game, t->eyes, move, true, out);
  if (analysis.value >= 0) alea_text_format(out, ", value %.0f", analysis.value);
  const char *proof = alea_proof_text(analysis.proof);
  if (proof != NULL) alea_text_format(out, ", proved: %s", proof);
  alea_text_char(out, '\n');
  return ALEA_OK;
}

/* Goes back to the last choice of this person. */
static alea_status do_undo(alea_play_table *t, const char *argument) {
  (void)argument;
  alea_list legal = {0};
  uint32_t steps = alea_play_steps(t);
  if (steps == 0) {
    alea_text_put(alea_play_out(t), "there is nothing to take back\n");
    return ALEA_OK;
  }
  alea_status status;
  do {
    status = alea_play_return_to(t, --steps);
    if (status == ALEA_OK) status = alea_cursor_legal(t->session->cursor, t->eyes, &legal);
  } while (status == ALEA_OK && legal.count < 2 && steps > 0);
  t->changed = true;
  return status == ALEA_OK ? alea_play_show(t) : status;
}

static alea_status do_redraw(alea_play_table *t, const char *argument) {
  (void)argument;
  alea_cli_drawing_afresh(&t->art);
  return alea_play_show(t);
}

static alea_status do_save(alea_play_table *t, const char *argument) {
  uint32_t roles = t->game->role_count;
  FILE *file = fopen(argument, "wb");
  alea_text text;
  alea_text_init(&text, &t->session->mem);
  for (size_t i = 0; i < t->history.count; i++) {
    alea_game_move_text(t->game, (uint32_t)(i % roles), t->history.data[i], true, &text);
    alea_text_char(&text, i % roles == roles - 1 ? '\n' : ' ');
  }
  bool good = !text.failed && file != NULL &&
              fwrite(alea_text_string(&text), 1, text.length, file) == text.length;
  if (file != NULL && fclose(file) != 0) good = false;
  alea_text_format(alea_play_out(t), good ? "saved to %s\n" : "cannot write %s\n", argument);
  alea_text_clear(&text);
  return ALEA_OK;
}

/* Reads the moves with a cursor of their own, so that a bad file changes
 * nothing. */
static alea_status read_moves(alea_play_table *t, const char *text, const char *path,
                              alea_u32s *moves, alea_diag *diag) {
  alea_mem *mem = &t->session->mem;
  uint32_t roles = t->game->role_count;
  alea_cursor *cursor = NULL;
  alea_moves lines;
  alea_moves_next next = ALEA_MOVES_RESET;
  alea_status status = alea_cursor_new(t->game, mem, &cursor);
  alea_moves_init(&lines, text, path);
  while (status == ALEA_OK) {
    if (!alea_vec_reserve(mem, moves, roles)) status = ALEA_SYSTEM;
    if (status == ALEA_OK)
      status = alea_moves_play_joint(&lines, cursor, &next, moves->data + moves->count, mem, diag);
    if (status != ALEA_OK || next == ALEA_MOVES_END) break;
    moves->count = next == ALEA_MOVES_RESET ? 0 : moves->count + roles;
  }
  alea_cursor_free(cursor);
  return status;
}

static alea_status do_load(alea_play_table *t, const char *argument) {
  alea_mem *mem = &t->session->mem;
  alea_u32s moves = {0};
  alea_text text;
  alea_diag diag;
  alea_text_init(&text, mem);
  alea_diag_init(&diag, mem);
  alea_status status = alea_open_file(argument, &text, &diag);
  if (status == ALEA_OK) status = read_moves(t, alea_text_string(&text), argument, &moves, &diag);
  if (status == ALEA_OK) {
    alea_vec_clear(mem, &t->history);
    t->history = moves;
    moves = (alea_u32s){0};
    status = alea_play_return_to(t, alea_play_steps(t));
    t->changed = true;
    if (status == ALEA_OK) status = alea_play_show(t);
  } else if (status != ALEA_LIMIT) {
    /* A file that cannot be read or is wrong is no reason to leave the table. */
    alea_cli_print_diag(&diag);
    status = ALEA_OK;
  }
  alea_vec_clear(mem, &moves);
  alea_diag_clear(&diag);
  alea_text_clear(&text);
  return status;
}

static alea_status do_level(alea_play_table *t, const char *argument) {
  char *end;
  long level = strtol(argument, &end, 10);
  if (*end != '\0' || level < 1 || level > ALEA_PLAY_LEVELS) {
    alea_text_format(alea_play_out(t), "a level is a number from 1 to %d\n", ALEA_PLAY_LEVELS);
    return ALEA_OK;
  }
  alea_play_set_level(t, (int)level);
  alea_text_format(alea_play_out(t), "level %ld: %" PRIu64 " simulations a move\n", level,
                   t->budget.sims);
  return ALEA_OK;
}

static alea_status do_resign(alea_play_table *t, const char *argument) {
  (void)argument;
  t->resigned = (int)t->eyes;
  return ALEA_OK;
}

static alea_status do_quit(alea_play_table *t, const char *argument) {
  (void)argument;
  t->quit = true;
  return ALEA_OK;
}

static const struct {
  const char *name, *argument, *help;
  word_action *act;
} words[] = {
    {"help", "", "this list", do_help},
    {"moves", "", "the legal moves with their numbers", do_moves},
    {"hint", "", "what the player would do", do_hint},
    {"undo", "", "takes your last move back", do_undo},
    {"redraw", "", "the position again, with all abbreviations explained", do_redraw},
    {"save", "FILE", "writes the moves so far (for alea show --moves)", do_save},
    {"load", "FILE", "goes to the position after the moves of a file", do_load},
    {"level", "N", "how well the others play, 1 to 9", do_level},
    {"resign", "", "gives the game up", do_resign},
    {"quit", "", "leaves", do_quit},
};
enum { WORDS = sizeof words / sizeof *words };

static alea_status do_help(alea_play_table *t, const char *argument) {
  (void)argument;
  alea_text *out = alea_play_out(t);
  enum { BEFORE_HELP = 15 };
  char line[160];
  alea_cli_put_wrapped(out,
                       "A move as it is listed, or shorter where it is clear: its arguments, the "
                       "beginnings of its words, a coordinate such as e2e4, or its number.\n",
                       0);
  for (size_t i = 0; i < WORDS; i++) {
    snprintf(line, sizeof line, "  %-6s %-4s  %s\n", words[i].name, words[i].argument,
             words[i].help);
    alea_cli_put_wrapped(out, line, BEFORE_HELP);
  }
  return ALEA_OK;
}

/* Does what the line says if it begins with a word; false if it does not. */
static bool obey(alea_play_table *t, const char *line, alea_status *status) {
  for (size_t i = 0; i < WORDS; i++) {
    size_t length = strlen(words[i].name);
    if (strncmp(line, words[i].name, length) != 0) continue;
    const char *argument = line + length + strspn(line + length, " \t");
    bool given = *argument != '\0', separate = argument > line + length;
    if (given != (words[i].argument[0] != '\0') || (given && !separate)) {
      if (given && !separate) continue;
      alea_text_format(alea_play_out(t), "%s %s: %s\n", words[i].name, words[i].argument,
                       words[i].help);
      return true;
    }
    *status = words[i].act(t, argument);
    return true;
  }
  if (strcmp(line, "?") != 0) return false;
  *status = do_help(t, "");
  return true;
}

void alea_play_complete(void *context, const char *typed, alea_text *out) {
  alea_play_table *t = context;
  alea_list legal;
  size_t length = strlen(typed);
  alea_text move;
  for (size_t i = 0; i < WORDS; i++)
    if (strncmp(words[i].name, typed, length) == 0)
      alea_text_format(out, "%s%s\n", words[i].name, words[i].argument[0] != '\0' ? " " : "");
  if (alea_cursor_legal(t->session->cursor, t->eyes, &legal) != ALEA_OK) return;
  alea_text_init(&move, &t->session->mem);
  for (uint32_t i = 0; i < legal.count; i++) {
    alea_text_truncate(&move, 0);
    alea_game_move_text(t->game, t->eyes, legal.ids[i], true, &move);
    /* People leave the parenthesis out. */
    const char *text = alea_text_string(&move);
    size_t skipped = typed[0] != '(' && text[0] == '(';
    size_t shown = move.length - skipped - (skipped && text[move.length - 1] == ')');
    if (strncmp(text + skipped, typed, length) == 0)
      alea_text_format(out, "%.*s\n", (int)shown, text + skipped);
  }
  alea_text_clear(&move);
}

/* ---- asking ---- */

/* The move that is written so, with its parentheses or without. */
static alea_status find_move(alea_play_table *t, const char *line, alea_move *move) {
  *move = alea_game_move_find(t->game, t->eyes, line);
  if (*move != ALEA_NO_MOVE || line[0] == '(') return ALEA_OK;
  alea_text text;
  alea_text_init(&text, &t->session->mem);
  alea_text_format(&text, "(%s)", line);
  *move = alea_game_move_find(t->game, t->eyes, alea_text_string(&text));
  alea_status status = text.failed ? ALEA_SYSTEM : ALEA_OK;
  alea_text_clear(&text);
  return status;
}

/* The legal move that the line means; ALEA_NO_MOVE: none, or several. */
static alea_status read_move(alea_play_table *t, const char *line, alea_list legal,
                             alea_move *move) {
  bool admitted = false;
  alea_status status = find_move(t, line, move);
  if (status == ALEA_OK && *move != ALEA_NO_MOVE)
    status = alea_cursor_admits(t->session->cursor, t->eyes, *move, &admitted);
  t->typed.fitting.count = 0;
  if (status != ALEA_OK || admitted) return status;
  *move = ALEA_NO_MOVE;
  status = alea_typed_moves_legal(&t->typed, t->session->cursor, t->eyes, &legal);
  if (status == ALEA_OK)
    status = alea_typed_moves_read(&t->typed, t->game, t->eyes, legal, true, line);
  if (status == ALEA_OK && t->typed.fitting.count == 1) *move = t->typed.fitting.data[0];
  return status;
}

/* Reads a line; meanwhile the other players ponder if asked to, and the person's
 * clock runs. */
static const char *read_line(alea_play_table *t, const char *prompt) {
  for (uint32_t r = 0; t->ponder && r < t->game->role_count; r++)
    if (!t->person[r]) alea_ponder_start(&t->ponders[r], t->players[r], ALEA_NO_MOVE);
  double start = alea_clock_wall();
  const char *line = alea_cli_lines_read(t->lines, prompt);
  t->left[t->eyes] -= alea_clock_wall() - start;
  for (uint32_t r = 0; r < t->game->role_count; r++) alea_ponder_stop(&t->ponders[r]);
  return line;
}

static void make_prompt(alea_play_table *t, alea_text *prompt) {
  alea_text_truncate(prompt, 0);
  alea_text_put(prompt, t->game->role_spelling[t->eyes]);
  double left = t->left[t->eyes] > 0 ? t->left[t->eyes] : 0;
  if (t->clock > 0) alea_text_format(prompt, " %d:%02d", (int)(left / 60), (int)left % 60);
  alea_text_put(prompt, "> ");
}

/* One line; '*move' is set where it is one. */
static alea_status ask_once(alea_play_table *t, const char *prompt, alea_move *move) {
  alea_list legal;
  alea_status status = alea_cli_write(alea_play_out(t));
  if (status == ALEA_OK)
    status = alea_typed_moves_legal(&t->typed, t->session->cursor, t->eyes, &legal);
  if (status != ALEA_OK) return status;
  const char *line = read_line(t, prompt);
  if (line == NULL) {
    t->quit = true;
    return ALEA_OK;
  }
  if (t->clock > 0 && t->left[t->eyes] <= 0) return do_resign(t, "");
  if (*line == '\0') return ALEA_OK;
  status = read_move(t, line, legal, move);
  bool clear = status != ALEA_OK || *move != ALEA_NO_MOVE;
  if (clear || obey(t, line, &status)) return status;
  return alea_play_explain(t, legal, line);
}

alea_status alea_play_ask(alea_play_table *t, uint32_t role, alea_move *move) {
  alea_text prompt;
  alea_status status = ALEA_OK;
  alea_text_init(&prompt, &t->session->mem);
  t->eyes = role;
  *move = ALEA_NO_MOVE;
  while (status == ALEA_OK && *move == ALEA_NO_MOVE) {
    make_prompt(t, &prompt);
    status = ask_once(t, alea_text_string(&prompt), move);
    if (t->quit || t->changed || t->resigned >= 0) break;
  }
  alea_text_clear(&prompt);
  return status;
}

alea_status alea_play_ask_again(alea_play_table *t, bool *again) {
  *again = false;
  while (!t->quit) {
    alea_status status = alea_cli_write(alea_play_out(t));
    if (status != ALEA_OK) return status;
    const char *line = alea_cli_lines_read(t->lines, "rematch, save FILE or quit> ");
    if (line == NULL || strcmp(line, "quit") == 0) return ALEA_OK;
    *again = strcmp(line, "rematch") == 0;
    if (*again) return ALEA_OK;
    if (strncmp(line, "save ", 5) == 0) {
      if ((status = do_save(t, line + 5)) != ALEA_OK) return status;
    } else if (*line != '\0') {
      alea_text_put(alea_play_out(t), "the game is over: type rematch, save FILE or quit\n");
    }
  }
  return ALEA_OK;
}
