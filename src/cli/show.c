/* alea show: draws positions. */
#include <stdio.h>
#include <string.h>

#include "cli/show_svg.h"
#include "draw/structure.h"
#include "game/stuck.h"
#include "match/moves.h"
#include "match/orbits.h"
#include "match/signature.h"
#include "match/stored_record.h"

/* clang-format off */
#define OPTIONS(row)                                                                      \
  row(text, moves, "", 0, 0, "FILE", "joint moves that lead to the position; - is standard input") \
  row(text, record, "", 0, 0, "FILE", "a match record (alea match --json, or ggp-base's JSON or XML): draw every position of it, and check its signature") \
  row(text, svg, "", 0, 0, "FILE", "write a picture (SVG) and no text; - is standard output; of a --record an animation, or one picture per position if the name has a %: board-%.svg") \
  row(flag, animate, "", 0, 0, "", "with --svg: an animation of all positions; --delay S is the time for each, 1 if it is 0") \
  row(choice, theme, "auto", 0, 0, ALEA_CHOICE_WORDS(ALEA_THEMES), "with --svg: light or dark; auto follows the reader's preference") \
  row(flag, last, "", 0, 0, "", "mark what the last move changed; in the terminal it is marked anyway") \
  row(flag, legal, "", 0, 0, "", "with --svg: mark where the legal moves of those whose turn it is go") \
  row(flag, trajectory, "", 0, 0, "", "with --svg: the paths of elements with labels x and y, over all positions shown") \
  row(flag, symmetry, "", 0, 0, "", "tell what is alike in the position; with --svg: colour it") \
  row(text, role, "", 0, 0, "ROLE", "only what this role knows of the position") \
  row(flag, ascii, "", 0, 0, "", "no box-drawing characters")                             \
  row(choice, color, "auto", 0, 0, ALEA_CHOICE_WORDS(ALEA_CLI_COLOURS), "whether what is new on the board is coloured") \
  row(integer, width, "0", 0, 1000, "N", "columns of the text; 0: those of the terminal")     \
  row(flag, random_play, "", 0, 0, "", "play on at random to the end, drawing every position") \
  row(integer, seed, "1", 0, 9e18, "N", "seed of the random play")                        \
  row(integer, step_cap, "500", 1, 1e9, "N", "steps after which a random play is given up") \
  row(real, delay, "0", 0, 60, "S", "seconds to wait after each drawing of a play") \
  ALEA_OPEN_OPTIONS(row)
/* clang-format on */
ALEA_OPTION_TABLE(OPTIONS)

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

/* State of the command. */
typedef struct show_drawing {
  alea_cli_session *session;
  const values *v;
  alea_cli_drawing art;
  alea_paths *paths; /* for --trajectory */
  alea_cli_pictures pictures;
  uint32_t steps; /* joint moves that led to the position */
  uint32_t role;  /* for --role */
  alea_knowledge knowledge;
} show_drawing;

/* ---- what a role knows ---- */

static bool has_knowledge(const show_drawing *a) { return a->knowledge.belief.mem != NULL; }

static alea_status begin_knowledge(show_drawing *a) {
  const alea_game *game = a->session->opened.game;
  uint32_t r = 0;
  while (r < game->role_count && strcmp(game->role_text[r], a->v->role) != 0) r++;
  if (r == game->role_count) {
    alea_diag_error(&a->session->diag, ((alea_place){0}), "usage", "the game has no role '%s'",
                    a->v->role);
    return ALEA_USAGE;
  }
  a->role = r;
  if (!game->has_sees) return ALEA_OK; /* everybody knows everything */
  alea_player_setup setup = {.game = game, .role = r, .seed = 1, .mem = &a->session->mem};
  return alea_knowledge_init(&a->knowledge, &setup);
}

/* Called after every joint move. */
static alea_status observe(show_drawing *a, const alea_move *joint) {
  a->steps++;
  if (!has_knowledge(a)) return ALEA_OK;
  alea_observation seen = {.own = joint[a->role]};
  alea_status status = alea_cursor_percepts(a->session->cursor, a->role, &seen.percepts);
  return status == ALEA_OK ? alea_knowledge_observe(&a->knowledge, &seen) : status;
}

/* Called for every position. */
static alea_status note_position(show_drawing *a) {
  if (a->paths == NULL && a->v->svg != NULL)
    return alea_cli_pictures_note(&a->pictures, a->session->cursor,
                                  has_knowledge(a) ? &a->knowledge : NULL);
  if (a->paths == NULL) return ALEA_OK;
  alea_status status = alea_listing_fluents(&a->art.listing, a->session->cursor);
  if (status != ALEA_OK) return status;
  return alea_paths_note(a->paths, a->art.listing.items.data, a->art.listing.items.count);
}

static alea_status draw(show_drawing *a) {
  alea_status status = note_position(a);
  if (status != ALEA_OK || a->v->svg != NULL) return status;
  return has_knowledge(a) ? alea_cli_drawing_draw_known(&a->art, &a->knowledge)
                          : alea_cli_drawing_draw(&a->art, a->session->cursor);
}

static alea_status trace_svg(show_drawing *a, alea_text *out) {
  alea_status status =
      alea_paths_svg(a->paths, a->session->opened.label, (alea_theme)a->v->theme, out);
  if (status == ALEA_NONE) {
    alea_diag_error(&a->session->diag, ((alea_place){a->session->opened.label, 0, 0}), "no-path",
                    "no element has labels x and y");
  }
  return status;
}

/* ---- symmetry ---- */

static const double symmetry_seconds = 10;

static alea_status find_orbits(show_drawing *a, alea_orbits *orbits) {
  alea_cli_session *session = a->session;
  alea_status status =
      alea_orbits_init(orbits, &session->opened, session->cursor, symmetry_seconds, &session->mem);
  if (status != ALEA_LIMIT && status != ALEA_UNSUPPORTED) return status;
  alea_diag_error(&session->diag, ((alea_place){session->opened.label, 0, 0}), "no-symmetry",
                  "its symmetries cannot be found: no network, or too large");
  return ALEA_NO;
}

/* 1 + the class of the fluent written 'text'; 0 if it is alone in its class. */
static uint32_t tint_of(const show_drawing *a, const alea_orbits *orbits, const char *text) {
  alea_text name;
  alea_text_init(&name, &a->session->mem);
  uint32_t tint = 0;
  for (size_t i = 0; i < orbits->fluents.count && tint == 0; i++) {
    alea_text_truncate(&name, 0);
    alea_game_fluent_text(a->session->opened.game, orbits->fluents.data[i].number, false, &name);
    if (strcmp(alea_text_string(&name), text) == 0) tint = 1 + orbits->fluents.data[i].class;
  }
  alea_text_clear(&name);
  return tint;
}

static alea_status tint(show_drawing *a, uint32_t *tints) {
  alea_orbits orbits;
  alea_status status = find_orbits(a, &orbits);
  for (size_t i = 0; status == ALEA_OK && i < a->pictures.now.items.count; i++)
    tints[i] = tint_of(a, &orbits, a->pictures.now.items.data[i]);
  alea_orbits_clear(&orbits);
  return status;
}

static alea_status print_orbits(show_drawing *a) {
  alea_orbits orbits;
  alea_status status = find_orbits(a, &orbits);
  if (status == ALEA_OK) alea_orbits_print(&orbits, a->session->opened.game, &a->session->out);
  alea_orbits_clear(&orbits);
  return status;
}

/* Colours what is alike in the position. */
static alea_status tinted_svg(show_drawing *a) {
  size_t count = a->pictures.now.items.count;
  uint32_t *tints = alea_mem_calloc(&a->session->mem, count, sizeof *tints);
  if (tints == NULL) return ALEA_SYSTEM;
  alea_status status = tint(a, tints);
  alea_drawing_tint(a->art.drawing, tints);
  if (status == ALEA_OK) status = alea_cli_pictures_finish(&a->pictures, a->session->cursor);
  alea_drawing_tint(a->art.drawing, NULL);
  alea_mem_free(&a->session->mem, tints, count * sizeof *tints);
  return status;
}

static alea_status write_svg(show_drawing *a) {
  alea_text_truncate(&a->session->out, 0);
  if (a->paths == NULL && a->v->symmetry) return tinted_svg(a);
  if (a->paths == NULL) return alea_cli_pictures_finish(&a->pictures, a->session->cursor);
  alea_text *out = &a->pictures.out;
  alea_status status = trace_svg(a, out);
  return status == ALEA_OK ? alea_cli_picture_write(a->session, a->v->svg, out) : status;
}

/* Prints what was said, unless a picture is asked for. */
static alea_status say(show_drawing *a) {
  if (a->v->svg == NULL) return alea_cli_write(&a->session->out);
  alea_text_truncate(&a->session->out, 0);
  return ALEA_OK;
}

static void wait_a_little(const show_drawing *a) {
  if (a->v->svg == NULL) alea_cli_wait(a->v->delay);
}

static alea_status refuse_stuck(show_drawing *a) {
  const alea_cli_session *session = a->session;
  return alea_stuck_refuse(session->cursor, a->steps, session->opened.label, &a->session->diag);
}

/* Picks a move for every role. */
static alea_status choose(show_drawing *a, alea_rng *rng, alea_move *joint, bool *choice) {
  alea_cursor *cursor = a->session->cursor;
  const alea_game *game = cursor->game;
  for (uint32_t role = 0; role < game->role_count; role++) {
    alea_list list;
    alea_status status = alea_cursor_legal(cursor, role, &list);
    if (status != ALEA_OK) return status;
    joint[role] = list.ids[alea_rng_below(rng, list.count)];
    choice[role] = list.count > 1;
  }
  alea_cli_drawing_moves(&a->art, joint, choice);
  return ALEA_OK;
}

/* Shows a match between random players. */
static alea_status random_play(show_drawing *a) {
  alea_cli_session *session = a->session;
  alea_text *out = &session->out;
  alea_move joint[256];
  bool choice[256];
  if (session->cursor->game->role_count > 256) return ALEA_LIMIT;
  alea_rng rng;
  alea_rng_seed(&rng, (uint64_t)a->v->seed);
  alea_status status = ALEA_OK;
  for (int64_t step = 1;; step++) {
    bool over;
    if ((status = alea_cursor_terminal(session->cursor, &over)) != ALEA_OK) return status;
    if (over) return alea_cli_drawing_goals(&a->art, session->cursor);
    if (step > a->v->step_cap) {
      alea_text_format(out, "given up after %lld steps (the limit is --step-cap)\n",
                       (long long)a->v->step_cap);
      return ALEA_OK;
    }
    if ((status = say(a)) != ALEA_OK) return status;
    if ((status = refuse_stuck(a)) != ALEA_OK) return status;
    alea_text_format(out, "\nstep %lld", (long long)step);
    if ((status = choose(a, &rng, joint, choice)) != ALEA_OK) return status;
    alea_text_char(out, '\n');
    if ((status = alea_cursor_play(session->cursor, joint)) != ALEA_OK) return status;
    if ((status = observe(a, joint)) != ALEA_OK) return status;
    if ((status = draw(a)) != ALEA_OK) return status;
    if ((status = say(a)) != ALEA_OK) return status;
    wait_a_little(a);
  }
}

/* Back at the initial position. */
static alea_status begin_anew(show_drawing *a) {
  a->steps = 0;
  if (!has_knowledge(a)) return ALEA_OK;
  alea_knowledge_clear(&a->knowledge);
  a->knowledge = (alea_knowledge){0};
  return begin_knowledge(a);
}

static alea_status play_moves(show_drawing *a, const char *file) {
  alea_cli_session *session = a->session;
  uint32_t roles = session->cursor->game->role_count;
  alea_move *joint = alea_mem_calloc(&session->mem, roles, sizeof *joint);
  if (joint == NULL) return ALEA_SYSTEM;
  alea_text text;
  alea_text_init(&text, &session->mem);
  alea_status status = alea_open_file(file, &text, &session->diag);
  alea_moves moves;
  alea_moves_init(&moves, alea_text_string(&text), file);
  alea_moves_next next = ALEA_MOVES_RESET;
  while (status == ALEA_OK && next != ALEA_MOVES_END) {
    status =
        alea_cli_drawing_note(&a->art, session->cursor, has_knowledge(a) ? &a->knowledge : NULL);
    if (status != ALEA_OK) break;
    status =
        alea_moves_play_joint(&moves, session->cursor, &next, joint, &session->mem, &session->diag);
    if (next == ALEA_MOVES_JOINT) alea_cli_drawing_keep(&a->art);
    if (status == ALEA_OK && next == ALEA_MOVES_JOINT) status = observe(a, joint);
    if (status == ALEA_OK && next == ALEA_MOVES_RESET) {
      alea_cli_drawing_afresh(&a->art);
      status = begin_anew(a);
    }
    if (status == ALEA_OK && next != ALEA_MOVES_END) status = note_position(a);
  }
  alea_mem_free(&session->mem, joint, roles * sizeof *joint);
  alea_text_clear(&text);
  return status;
}

/* ---- records ---- */

static alea_status bad_record(show_drawing *a, const char *what) {
  alea_diag_error(&a->session->diag, ((alea_place){a->v->record, 0, 0}), "bad-record", "%s", what);
  return ALEA_INPUT;
}

/* Plays one joint move of the record. */
static alea_status play_row(show_drawing *a, const alea_stored_move *move) {
  alea_cursor *cursor = a->session->cursor;
  uint32_t roles = cursor->game->role_count;
  alea_move joint[256];
  if (roles > 256) return ALEA_LIMIT;
  if (move->count != roles) return bad_record(a, "a joint move has too few or many moves");
  for (uint32_t r = 0; r < roles; r++) {
    bool legal;
    joint[r] = alea_game_move_find(cursor->game, r, move->texts[r]);
    alea_status status = alea_cursor_admits(cursor, r, joint[r], &legal);
    if (status != ALEA_OK) return status;
    if (!legal) return bad_record(a, "a move of the record is not legal in this game");
  }
  alea_cli_drawing_moves(&a->art, joint, NULL);
  alea_text_char(&a->session->out, '\n');
  alea_status status = alea_cursor_play(cursor, joint);
  return status == ALEA_OK ? observe(a, joint) : status;
}

static alea_status replay(show_drawing *a, const alea_stored_record *record) {
  alea_cli_session *session = a->session;
  alea_status status = ALEA_OK;
  for (size_t i = 0; status == ALEA_OK && i < record->moves.count; i++) {
    alea_text_format(&session->out, "\nstep %zu", i + 1);
    status = play_row(a, &record->moves.data[i]);
    if (status == ALEA_OK) status = draw(a);
    if (status == ALEA_OK) status = say(a);
    if (status == ALEA_OK) wait_a_little(a);
  }
  bool over = false;
  if (status == ALEA_OK) status = alea_cursor_terminal(session->cursor, &over);
  return status == ALEA_OK && over ? alea_cli_drawing_goals(&a->art, session->cursor) : status;
}

/* A signature that does not fit is the answer "no", after the match was shown. */
static alea_status check_signature(show_drawing *a, const alea_text *text) {
  alea_text *out = &a->session->out;
  switch (alea_signature_check(alea_text_string(text), text->length)) {
    case ALEA_SIGNATURE_NONE: return ALEA_OK;
    case ALEA_SIGNATURE_GOOD:
      alea_text_put(out, "signed: the signature belongs to this record\n");
      return ALEA_OK;
    case ALEA_SIGNATURE_WRONG: break;
  }
  alea_diag_error(&a->session->diag, ((alea_place){a->v->record, 0, 0}), "signature",
                  "is signed, but the signature does not belong to this record");
  return ALEA_NO;
}

static alea_status show_record(show_drawing *a) {
  alea_cli_session *session = a->session;
  alea_text text;
  alea_stored_record record = {0};
  alea_text_init(&text, &session->mem);
  alea_arena_init(&record.arena, &session->mem);
  alea_status status = alea_open_file(a->v->record, &text, &session->diag);
  if (status == ALEA_OK)
    status = alea_stored_record_read(&record, alea_text_string(&text), text.length, a->v->record,
                                     &session->mem, &session->diag);
  if (status == ALEA_OK) status = replay(a, &record);
  if (status == ALEA_OK) status = check_signature(a, &text);
  alea_stored_record_clear(&record);
  alea_text_clear(&text);
  return status;
}

static void open_pictures(show_drawing *a) {
  const values *v = a->v;
  alea_cli_pictures_open(&a->pictures, &a->art, v->svg);
  a->pictures.last = v->last;
  a->pictures.legal = v->legal;
  a->pictures.animate = v->animate || (v->record != NULL && strchr(v->svg, '%') == NULL);
  if (v->delay > 0) a->pictures.seconds = v->delay;
  alea_drawing_theme(a->art.drawing, (alea_theme)v->theme);
}

static void prepare_text(show_drawing *a) {
  alea_cli_drawing_use_colour(&a->art, (alea_cli_colour)a->v->color);
  if (a->v->last) alea_cli_drawing_mark_last(&a->art);
  if (a->v->width > 0) alea_drawing_width(a->art.drawing, (uint32_t)a->v->width);
}

/* Options for pictures need one. */
static alea_status refuse_options(const show_drawing *a) {
  const values *v = a->v;
  const char *option = v->animate                    ? "--animate"
                       : v->legal                    ? "--legal"
                       : v->trajectory               ? "--trajectory"
                       : v->theme != ALEA_THEME_AUTO ? "--theme"
                                                     : NULL;
  if (v->svg != NULL || option == NULL) return ALEA_OK;
  alea_diag_error(&a->session->diag, ((alea_place){0}), "usage",
                  "%s concerns pictures: it needs --svg FILE", option);
  return ALEA_USAGE;
}

static alea_status show(show_drawing *a) {
  alea_cli_session *session = a->session;
  alea_status status = refuse_options(a);
  if (status != ALEA_OK) return status;
  status = alea_cli_drawing_open(&a->art, session, a->v->ascii);
  if (status == ALEA_OK && a->v->svg != NULL) open_pictures(a);
  if (status == ALEA_OK) prepare_text(a);
  if (status == ALEA_OK && a->v->trajectory) {
    a->paths = alea_paths_new(&session->mem);
    if (a->paths == NULL) status = ALEA_SYSTEM;
  }
  if (status == ALEA_OK && a->v->role != NULL) status = begin_knowledge(a);
  if (status == ALEA_OK && a->v->svg != NULL) status = note_position(a);
  if (status == ALEA_OK && a->v->moves != NULL) status = play_moves(a, a->v->moves);
  if (status == ALEA_OK && a->v->svg == NULL) status = draw(a);
  if (status == ALEA_OK && a->v->record != NULL) status = show_record(a);
  if (status == ALEA_OK && a->v->random_play) status = random_play(a);
  if (status == ALEA_OK && a->v->symmetry && a->v->svg == NULL) status = print_orbits(a);
  if (status == ALEA_OK && a->v->svg != NULL) status = write_svg(a);
  if (status == ALEA_OK) status = alea_cli_write(&session->out);
  return status == ALEA_OK ? refuse_stuck(a) : status;
}

int alea_cli_show(int argc, char **argv) {
  values v;
  int operands, result = alea_cli_begin(&command, &v, argc, argv, &operands);
  if (result >= 0) return result;
  alea_open_options options = ALEA_OPEN_OPTIONS_OF(&v);
  alea_cli_session session;
  alea_status status = alea_cli_open(&session, argv[1], &options);
  show_drawing a = {.session = &session, .v = &v};
  if (status == ALEA_OK) status = show(&a);
  alea_paths_free(a.paths);
  alea_cli_pictures_close(&a.pictures);
  alea_knowledge_clear(&a.knowledge);
  alea_cli_drawing_close(&a.art);
  return alea_cli_close(&session, status);
}
