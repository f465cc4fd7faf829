/* alea show: draws positions. */
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/session.h"
#include "match/moves.h"
#include "match/sketch.h"

/* clang-format off */
#define OPTIONS(row)                                                                      \
  row(text, moves, "", 0, 0, "FILE", "joint moves that lead to the position; - is standard input") \
  row(text, svg, "", 0, 0, "FILE", "write an SVG picture; - is standard output")          \
  row(flag, ascii, "", 0, 0, "", "no box-drawing characters")                             \
  row(flag, random_play, "", 0, 0, "", "play on at random to the end, drawing every position") \
  row(integer, seed, "1", 0, 9e18, "N", "seed of the random play")                        \
  row(integer, step_cap, "500", 1, 1e9, "N", "steps after which a random play is given up") \
  row(real, delay, "0", 0, 60, "S", "seconds to wait after each drawing of a random play") \
  ALEA_OPEN_OPTIONS(row)
/* clang-format on */
typedef struct values {
  ALEA_OPTION_FIELDS(OPTIONS)
} values;
#define ALEA_OPTION_OWNER values
static const alea_option rows[] = {OPTIONS(ALEA_OPTION_ROW)};

static const alea_command command = {
    .name = "show",
    .operands = "GAME",
    .summary = "draws a position, in the terminal or as SVG",
    .details = "Boards are found by themselves: fluents with two arguments that form ranges.",
    .example = "alea show reversi --random-play --seed 3",
    .options = rows,
    .option_count = sizeof rows / sizeof *rows,
    .least_operands = 1,
    .most_operands = 1,
};

/* What drawing needs, for the whole run of the command. */
typedef struct artist {
  alea_cli_session *session;
  const values *v;
  alea_drawing *drawing;
  alea_listing listing;
  bool ascii;
} artist;

static alea_status draw(artist *a) {
  alea_status status = alea_listing_fluents(&a->listing, a->session->cursor);
  if (status != ALEA_OK) return status;
  return alea_drawing_text(a->drawing, a->listing.items.data, a->listing.items.count, a->ascii,
                           ALEA_LEGEND_NEW, &a->session->out);
}

static alea_status write_svg(artist *a) {
  alea_text *out = &a->session->out;
  alea_status status = alea_listing_fluents(&a->listing, a->session->cursor);
  if (status != ALEA_OK) return status;
  status = alea_drawing_svg(a->drawing, a->listing.items.data, a->listing.items.count,
                            a->session->opened.label, out);
  if (status != ALEA_OK) return status;
  if (strcmp(a->v->svg, "-") == 0) return alea_cli_write(out);
  FILE *file = fopen(a->v->svg, "wb");
  bool good = file != NULL && fwrite(out->data, 1, out->length, file) == out->length;
  if (file != NULL && fclose(file) != 0) good = false;
  alea_text_truncate(out, 0);
  if (!good) {
    alea_diag_error(&a->session->diag, ((alea_place){a->v->svg, 0, 0}), "cannot-write",
                    "cannot be written");
  }
  return good ? ALEA_OK : ALEA_SYSTEM;
}

static alea_status print_goals(alea_cli_session *session) {
  alea_cursor *cursor = session->cursor;
  alea_text_put(&session->out, "the game is over:");
  for (uint32_t role = 0; role < cursor->game->role_count; role++) {
    int goal;
    alea_status status = alea_cursor_goal(cursor, role, &goal);
    if (status != ALEA_OK) return status;
    if ((int)role == cursor->game->random_role) continue;
    alea_text_format(&session->out, " %s", cursor->game->role_spelling[role]);
    if (goal >= 0) alea_text_format(&session->out, " %d", goal);
  }
  alea_text_char(&session->out, '\n');
  return ALEA_OK;
}

/* Picks and announces a move for every role that has a choice; '*over' when
 * some role has no move at all. */
static alea_status choose(artist *a, alea_rng *rng, alea_move *joint, bool *over) {
  alea_cursor *cursor = a->session->cursor;
  const alea_game *game = cursor->game;
  alea_text *out = &a->session->out;
  for (uint32_t role = 0; role < game->role_count; role++) {
    alea_list list;
    alea_status status = alea_cursor_legal(cursor, role, &list);
    if (status != ALEA_OK) return status;
    if (list.count == 0) {
      alea_text_format(out, "\n%s has no legal move\n", game->role_spelling[role]);
      *over = true;
      return ALEA_OK;
    }
    joint[role] = list.ids[alea_rng_below(rng, list.count)];
    alea_text text;
    alea_text_init(&text, &a->session->mem);
    alea_game_move_text(game, role, joint[role], true, &text);
    /* Waiting is not worth a word. */
    if (list.count > 1 || strchr(alea_text_string(&text), '(') != NULL) {
      alea_text_format(out, "  %s: %s", game->role_spelling[role], alea_text_string(&text));
    }
    alea_text_clear(&text);
  }
  return ALEA_OK;
}

static void wait_for(double seconds) {
  struct timespec time = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
  if (seconds > 0) nanosleep(&time, NULL);
}

/* A match between random players; a stand-in until there are others. */
static alea_status random_play(artist *a) {
  alea_cli_session *session = a->session;
  alea_text *out = &session->out;
  alea_move joint[256];
  if (session->cursor->game->role_count > 256) return ALEA_LIMIT;
  alea_rng rng;
  alea_rng_seed(&rng, (uint64_t)a->v->seed);
  alea_status status = ALEA_OK;
  for (int64_t step = 1;; step++) {
    bool over;
    if ((status = alea_cursor_terminal(session->cursor, &over)) != ALEA_OK) return status;
    if (over) return print_goals(session);
    if (step > a->v->step_cap) {
      alea_text_put(out, "given up: too many steps\n");
      return ALEA_OK;
    }
    alea_text_format(out, "\nstep %lld", (long long)step);
    if ((status = choose(a, &rng, joint, &over)) != ALEA_OK || over) return status;
    alea_text_char(out, '\n');
    if ((status = alea_cursor_play(session->cursor, joint)) != ALEA_OK) return status;
    if ((status = draw(a)) != ALEA_OK) return status;
    if ((status = alea_cli_write(out)) != ALEA_OK) return status;
    wait_for(a->v->delay);
  }
}

static alea_status play_moves(alea_cli_session *session, const char *file) {
  alea_text text;
  alea_text_init(&text, &session->mem);
  alea_status status = alea_open_file(file, &text, &session->diag);
  alea_moves moves;
  alea_moves_init(&moves, alea_text_string(&text), file);
  alea_moves_next next = ALEA_MOVES_RESET;
  while (status == ALEA_OK && next != ALEA_MOVES_END) {
    status = alea_moves_play(&moves, session->cursor, &next, &session->mem, &session->diag);
  }
  alea_text_clear(&text);
  return status;
}

static bool wants_ascii(const values *v) {
  setlocale(LC_CTYPE, "");
  /* A pipe gets Unicode, whatever the locale: it is read by programs. */
  return v->ascii || (isatty(STDOUT_FILENO) && strcmp(nl_langinfo(CODESET), "UTF-8") != 0);
}

static alea_status show(artist *a) {
  alea_cli_session *session = a->session;
  alea_status status =
      alea_sketch_new(&a->drawing, &session->opened, session->cursor, &session->mem);
  if (status == ALEA_OK && a->v->moves != NULL) status = play_moves(session, a->v->moves);
  if (status == ALEA_OK && a->v->svg == NULL) status = draw(a);
  if (status == ALEA_OK && a->v->random_play) status = random_play(a);
  if (status == ALEA_OK && a->v->svg != NULL) status = write_svg(a);
  if (status == ALEA_OK) status = alea_cli_write(&session->out);
  return status;
}

int alea_cli_show(int argc, char **argv) {
  values v;
  int operands, result = alea_cli_begin(&command, &v, argc, argv, &operands);
  if (result >= 0) return result;
  alea_open_options options = ALEA_OPEN_OPTIONS_OF(&v);
  alea_cli_session session;
  alea_status status = alea_cli_open(&session, argv[1], &options);
  artist a = {.session = &session, .v = &v, .ascii = wants_ascii(&v)};
  alea_listing_init(&a.listing, &session.mem);
  if (status == ALEA_OK) status = show(&a);
  alea_listing_clear(&a.listing);
  alea_drawing_free(a.drawing);
  return alea_cli_close(&session, status);
}
