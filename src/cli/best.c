/* alea best: evaluates one position with a player. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/best_chance.h"
#include "cli/draw.h"
#include "cli/interrupt.h"
#include "cli/main_line.h"
#include "cli/opinion.h"
#include "game/stuck.h"
#include "match/moves.h"
#include "match/orbits.h"
#include "match/runner.h"
#include "minimax/endgame.h"

/* clang-format off */
#define OPTIONS(row)                                                                      \
  row(text, player, "alea", 0, 0, "P", "whose opinion ('alea players' lists them)")       \
  row(text, role, "", 0, 0, "ROLE", "for which role; default: the first that has a choice") \
  row(text, moves, "", 0, 0, "FILE", "joint moves that lead to the position; - is standard input") \
  row(real, start, "0", 0, 1e6, "S", "seconds before that for a player that prepares for the game, as before the first move of a match; none where chance moves") \
  row(real, time, "0", 0, 1e6, "S", "seconds to think; 3 where no simulations are given") \
  row(integer, sims, "0", 0, 9e15, "N", "simulations, in place of time or besides")       \
  row(integer, nodes, "0", 0, 9e15, "N", "the same in positions of a minimax search, ten to a simulation") \
  row(integer, lines, "0", 0, 1e9, "N", "how many moves are listed, best first; 0 is all") \
  row(integer, seed, "1", 0, 9e18, "N", "seed of everything random")                      \
  row(flag, ascii, "", 0, 0, "", "no box-drawing characters")                             \
  row(flag, json, "", 0, 0, "", "print one JSON object")                                  \
  row(text, eval, "", 0, 0, "FILE", "evaluation from 'alea learn' for toss players that name none") \
  ALEA_OPEN_OPTIONS(row)
/* clang-format on */
ALEA_OPTION_TABLE(OPTIONS)

static const alea_command command = {
    .name = "best",
    .operands = "GAME",
    .summary = "analyses one position: every move with value and proof",
    .details =
        "Values are expected goals, 0 to 100.  Proofs: win, loss, or exact for other values.\n"
        "Where the game has symmetries, moves with the same number before them are alike.\n"
        "After a move stands its main line, where the player expects one: the most visited or\n"
        "proved moves of those who choose, and where chance moves its commonest outcome.  A line\n"
        "that is proved up to the end of the game is marked.  --json gives it as joint moves.\n"
        "Where chance moves and nobody else has a choice, its outcomes are listed, each with its\n"
        "probability, its value and the best move after it; they share time and simulations.\n"
        "At a terminal the opinion is shown as it changes; Ctrl-C ends the search, and what was\n"
        "found so far is printed.",
    .example = "alea best tictactoe --sims 5000",
    .options = rows,
    .option_count = sizeof rows / sizeof *rows,
    .least_operands = 1,
    .most_operands = 1,
};

typedef struct analyst {
  alea_cli_session *session;
  const values *v;
  alea_mem mem; /* the player's */
  alea_player *player;
  alea_match_sampler sampler;
  alea_text moves; /* --moves */
  bool many;       /* players are made for each outcome of chance */
  uint32_t role;
  uint32_t steps; /* joint moves that led to the position */
  alea_move best;
  double seconds;
  alea_analysis analysis;
  alea_orbits orbits; /* of the position, if known */
  alea_main_line line;
  alea_move told; /* the last opinion that was shown while it thought */
  double told_value;
} analyst;

/* The role asked for, or else the first that has a choice after the moves. */
static alea_status find_role(analyst *a) {
  const alea_game *game = a->session->opened.game;
  for (uint32_t r = 0; r < game->role_count; r++) {
    alea_list legal;
    if (a->v->role != NULL) {
      if (strcmp(game->role_text[r], a->v->role) != 0) continue;
      a->role = r;
      return ALEA_OK;
    }
    alea_status status = alea_cursor_legal(a->session->cursor, r, &legal);
    if (status != ALEA_OK) return status;
    a->role = r;
    if (legal.count > 1 && (int)r != game->random_role) return ALEA_OK;
  }
  if (a->v->role == NULL) { /* nobody has a choice: the first role's only move */
    a->role = game->random_role == 0 && game->role_count > 1;
    return ALEA_OK;
  }
  alea_diag_error(&a->session->diag, ((alea_place){0}), "usage", "the game has no role '%s'",
                  a->v->role);
  return ALEA_USAGE;
}

/* Plays the given moves on the cursor of the session. */
static alea_status play_moves(analyst *a) {
  alea_cli_session *session = a->session;
  alea_moves moves;
  alea_moves_init(&moves, alea_text_string(&a->moves), a->v->moves);
  alea_moves_next next = ALEA_MOVES_RESET;
  alea_status status = ALEA_OK;
  while (status == ALEA_OK && next != ALEA_MOVES_END) {
    status = alea_moves_play(&moves, session->cursor, &next, &session->mem, &session->diag);
    if (status == ALEA_OK && next == ALEA_MOVES_JOINT) a->steps++;
  }
  return status;
}

/* Lets the player observe the same moves step by step, with a cursor of its own
 * as manager. */
static alea_status tell_moves(analyst *a) {
  const alea_game *game = a->session->opened.game;
  alea_cursor *cursor = NULL;
  alea_moves moves;
  alea_moves_init(&moves, alea_text_string(&a->moves), a->v->moves);
  alea_move *joint = alea_mem_calloc(&a->session->mem, game->role_count, sizeof *joint);
  alea_status status =
      joint != NULL ? alea_cursor_new(game, &a->session->mem, &cursor) : ALEA_SYSTEM;
  alea_moves_next next = ALEA_MOVES_JOINT;
  while (status == ALEA_OK) {
    status = alea_moves_play_joint(&moves, cursor, &next, joint, &a->session->mem, NULL);
    if (status != ALEA_OK || next == ALEA_MOVES_END) break;
    if (next == ALEA_MOVES_RESET) {
      alea_diag_error(&a->session->diag, ((alea_place){a->v->moves, moves.line, 1}), "reset",
                      "a position is reached by one play, without ---");
      status = ALEA_INPUT;
      break;
    }
    alea_observation seen = {.own = joint[a->role], .joint = game->has_sees ? NULL : joint};
    if (game->has_sees) status = alea_cursor_percepts(cursor, a->role, &seen.percepts);
    if (status == ALEA_OK) status = alea_player_observe(a->player, &seen);
  }
  alea_cursor_free(cursor);
  alea_mem_free(&a->session->mem, joint, game->role_count * sizeof *joint);
  return status;
}

static alea_status make_player(analyst *a) {
  alea_player_setup setup = {
      .game = a->session->opened.game,
      .role = a->role,
      .seed = (uint64_t)a->v->seed,
      .mem = &a->mem,
      .sampler = alea_match_make_sampler,
      .sampler_context = &a->sampler,
      .services = a->session->opened.services,
      .rewriting = a->session->opened.rewriting,
      .evaluation = a->v->eval,
      .unhurried = !a->many,
  };
  alea_text message;
  alea_text_init(&message, &a->session->mem);
  alea_status status = alea_player_new(&a->player, a->v->player, &setup, &message);
  if (status != ALEA_OK && message.length > 0)
    alea_diag_error(&a->session->diag, ((alea_place){0}), "player", "%s",
                    alea_text_string(&message));
  alea_text_clear(&message);
  return status;
}

/* ---- thinking ---- */

static const double usual_seconds = 3;

/* The move with most visits; NULL if there is none. */
static const alea_choice *first_of(const alea_analysis *analysis) {
  const alea_choice *first = NULL;
  for (size_t i = 0; i < analysis->count; i++)
    if (first == NULL || analysis->choices[i].visits > first->visits) first = &analysis->choices[i];
  return first;
}

/* Appends the main line of a choice and a newline; what stands before it in the
 * output begins at 'start'.  In a narrow terminal it is a row of its own.  A line that
 * cannot be followed is left out. */
static void put_line(analyst *a, const alea_choice *choice, size_t start) {
  enum { NARROW = 72, INDENT = 6 };
  alea_cli_session *session = a->session;
  alea_text *out = &session->out;
  size_t width = alea_cli_columns();
  bool known =
      alea_main_line_follow(&a->line, a->player, session->cursor, choice, &session->mem) == ALEA_OK;
  if (known && a->line.steps > 1 && width > 0 && width < NARROW) {
    alea_text_char(out, '\n');
    start = out->length;
    for (int i = 0; i < INDENT; i++) alea_text_char(out, ' ');
  }
  if (known)
    alea_cli_main_line_text(&a->line, session->opened.game, width, out->length - start,
                            alea_cli_wants_ascii(a->v->ascii), out);
  alea_text_char(out, '\n');
}

/* One line for what the player thinks now, if it differs from the last one. */
static void tell_opinion(void *context) {
  analyst *a = context;
  alea_analysis now = {.value = -1};
  alea_player_analyse(a->player, &now);
  const alea_choice *first = first_of(&now);
  if (first == NULL || first->value < 0) return;
  double change = first->value - a->told_value;
  bool same = first->move == a->told && change < 0.5 && change > -0.5;
  if (same) return;
  a->told = first->move;
  a->told_value = first->value;
  alea_text *out = &a->session->out;
  uint64_t visits = 0;
  for (size_t i = 0; i < now.count; i++) visits += now.choices[i].visits;
  size_t start = out->length;
  alea_text_format(out, "%10" PRIu64 "  ", visits);
  alea_cli_opinion_text(first->value, first->proof, out);
  alea_game_move_text(a->session->opened.game, a->role, first->move, true, out);
  put_line(a, first, start);
  (void)alea_cli_write(out);
}

static alea_budget make_budget(const analyst *a) {
  alea_budget budget = {
      .sims = a->v->sims > 0 ? (uint64_t)a->v->sims : alea_endgame_sims((uint64_t)a->v->nodes),
      .seconds = a->v->time,
      .stop = alea_cli_catch_stop()};
  if (budget.sims == 0 && budget.seconds <= 0) budget.seconds = usual_seconds;
  return budget;
}

/* What a player does before the first move of a match. */
static alea_status prepare(analyst *a) {
  alea_budget move = make_budget(a);
  alea_budget budget = {.seconds = a->v->start, .stop = move.stop};
  if (a->v->start <= 0) return ALEA_OK;
  alea_player_expect(a->player, move.seconds, move.sims);
  return alea_player_start(a->player, &budget);
}

static alea_status think(analyst *a) {
  bool shown = !a->v->json && isatty(STDOUT_FILENO);
  alea_watch watch = {.look = tell_opinion, .context = a, .every = 0.5};
  alea_budget budget = make_budget(a);
  if (shown) budget.watch = &watch;
  if (shown)
    alea_cli_put_wrapped(&a->session->out,
                         "simulations  value  proof  move and main line, as it changes\n", 0);
  double start = alea_clock_wall();
  alea_status status = alea_player_select(a->player, &budget, &a->best);
  a->seconds = alea_clock_wall() - start;
  alea_player_analyse(a->player, &a->analysis);
  return status;
}

/* ---- printing ---- */

static int by_visits(const void *x, const void *y) {
  const alea_choice *a = x, *b = y;
  if (a->visits != b->visits) return a->visits > b->visits ? -1 : 1;
  if (a->value > b->value || a->value < b->value) return a->value > b->value ? -1 : 1;
  return a->move < b->move ? -1 : a->move > b->move;
}

/* The move that the player makes heads the list, whatever the others' visits. */
static void put_first(alea_choice *choices, size_t count, alea_move best) {
  size_t at = 0;
  while (at < count && choices[at].move != best) at++;
  if (at == 0 || at == count) return;
  alea_choice first = choices[at];
  memmove(choices + 1, choices, at * sizeof *choices);
  choices[0] = first;
}

static void put_move(analyst *a, alea_json *json, const char *key, alea_move move) {
  alea_cli_opinion_move(a->session->opened.game, a->role, move, key, &a->session->mem, json);
}

/* The class of symmetric moves that 'move' belongs to; -1 if unknown. */
static int64_t class_of(const analyst *a, alea_move move) {
  if (a->orbits.moves == NULL) return -1;
  const alea_orbit_items *items = &a->orbits.moves[a->role];
  for (size_t i = 0; i < items->count; i++)
    if (items->data[i].number == move) return items->data[i].class;
  return -1;
}

static void put_class(const analyst *a, alea_json *json, alea_move move) {
  int64_t class = class_of(a, move);
  alea_json_key(json, "symmetry_class");
  if (class < 0) {
    alea_json_null(json);
  } else {
    alea_json_integer(json, class);
  }
}

static void put_json_line(analyst *a, alea_json *json, const alea_choice *choice) {
  alea_cli_session *session = a->session;
  if (alea_main_line_follow(&a->line, a->player, session->cursor, choice, &session->mem) ==
          ALEA_OK &&
      a->line.steps > 0)
    alea_cli_main_line_json(&a->line, session->opened.game, &session->mem, json);
}

static size_t listed(const analyst *a) {
  size_t wanted = (size_t)a->v->lines;
  return wanted > 0 && wanted < a->analysis.count ? wanted : a->analysis.count;
}

static void print_json(analyst *a, const alea_choice *choices) {
  alea_json json;
  alea_json_start(&json, &a->session->out);
  alea_json_open(&json, '{');
  alea_json_put_string(&json, "role", a->session->opened.game->role_text[a->role]);
  put_move(a, &json, "best", a->best);
  alea_cli_opinion_value(a->analysis.value, &json);
  alea_json_put_count(&json, "sims", a->player->stats.sims);
  alea_json_put_real(&json, "seconds", a->v->time > 0 ? a->seconds : 0);
  alea_cli_opinion_proof(a->analysis.proof, &json);
  if (a->analysis.note != NULL) alea_json_put_string(&json, "note", a->analysis.note);
  for (size_t i = 0; i < a->analysis.count; i++)
    if (choices[i].move == a->best) put_json_line(a, &json, &choices[i]);
  alea_json_key(&json, "moves");
  alea_json_open(&json, '[');
  for (size_t i = 0; i < listed(a); i++) {
    alea_json_open(&json, '{');
    put_move(a, &json, "move", choices[i].move);
    alea_json_put_count(&json, "visits", choices[i].visits);
    alea_cli_opinion_value(choices[i].value, &json);
    alea_cli_opinion_proof(choices[i].proof, &json);
    put_class(a, &json, choices[i].move);
    put_json_line(a, &json, &choices[i]);
    alea_json_close(&json, '}');
  }
  alea_json_close(&json, ']');
  alea_json_close(&json, '}');
  alea_text_char(&a->session->out, '\n');
}

static void print_text(analyst *a, const alea_choice *choices) {
  alea_text *out = &a->session->out;
  const alea_game *game = a->session->opened.game;
  const char *proof = alea_proof_text(a->analysis.proof);
  alea_text_format(out, "best for %s: ", game->role_spelling[a->role]);
  alea_game_move_text(game, a->role, a->best, true, out);
  if (a->analysis.value >= 0) alea_text_format(out, ", value %.1f", a->analysis.value);
  if (proof != NULL) alea_text_format(out, ", proved: %s", proof);
  alea_text_format(out, " (%" PRIu64 " simulations)\n", a->player->stats.sims);
  if (a->analysis.note != NULL) alea_text_format(out, "note: %s\n", a->analysis.note);
  alea_text_format(out, "    visits   value  proof  %smove and main line\n",
                   a->orbits.symmetries > 1 ? "alike  " : "");
  for (size_t i = 0; i < listed(a); i++) {
    size_t start = out->length;
    alea_text_format(out, "%10" PRIu64 "  ", choices[i].visits);
    alea_cli_opinion_text(choices[i].value, choices[i].proof, out);
    if (a->orbits.symmetries > 1)
      alea_text_format(out, "%5" PRId64 "  ", class_of(a, choices[i].move));
    alea_game_move_text(game, a->role, choices[i].move, true, out);
    put_line(a, &choices[i], start);
  }
}

/* Finds the symmetric moves of the position; it is no failure if they stay
 * unknown. */
static alea_status find_orbits(analyst *a) {
  double seconds = a->v->time > 0 ? 2 : 0; /* no clock: the same answer on a busy machine */
  if (a->session->opened.game->has_sees) return ALEA_OK;
  alea_status status = alea_orbits_init(&a->orbits, &a->session->opened, a->session->cursor,
                                        seconds, &a->session->mem);
  return status == ALEA_LIMIT || status == ALEA_UNSUPPORTED ? ALEA_OK : status;
}

static alea_status print(analyst *a) {
  size_t count = a->analysis.count;
  alea_choice *choices = alea_mem_calloc(&a->session->mem, count, sizeof *choices);
  if (choices == NULL) return ALEA_SYSTEM;
  if (count > 0) memcpy(choices, a->analysis.choices, count * sizeof *choices);
  qsort(choices, count, sizeof *choices, by_visits);
  put_first(choices, count, a->best);
  (a->v->json ? print_json : print_text)(a, choices);
  alea_mem_free(&a->session->mem, choices, count * sizeof *choices);
  return alea_cli_write(&a->session->out);
}

static alea_status draw(analyst *a) {
  alea_cli_drawing drawing = {0};
  alea_status status = alea_cli_drawing_open(&drawing, a->session, a->v->ascii);
  if (status == ALEA_OK && a->v->moves != NULL) status = play_moves(a);
  if (status == ALEA_OK) status = alea_cli_drawing_draw(&drawing, a->session->cursor);
  alea_cli_drawing_close(&drawing);
  return status;
}

/* ---- chance ---- */

/* A player for a position after this one. */
static alea_status open_player(void *context, uint32_t role, alea_player **player) {
  analyst *a = context;
  a->role = role;
  alea_status status = make_player(a);
  if (status == ALEA_OK && a->v->moves != NULL) status = tell_moves(a);
  *player = a->player;
  a->player = NULL;
  return status;
}

static alea_status list_outcomes(analyst *a) {
  alea_cli_chance chance = {.session = a->session,
                            .role = a->v->role,
                            .lines = (size_t)a->v->lines,
                            .json = a->v->json,
                            .budget = make_budget(a),
                            .open = open_player,
                            .context = a};
  a->many = true;
  return alea_cli_chance_print(&chance);
}

static alea_status analyse(analyst *a) {
  bool over = false;
  uint32_t ways = 0;
  alea_status status = a->v->json ? ALEA_OK : draw(a);
  if (status == ALEA_OK && a->v->json && a->v->moves != NULL) status = play_moves(a);
  if (status == ALEA_OK) status = alea_cursor_terminal(a->session->cursor, &over);
  if (status == ALEA_OK && over) {
    alea_diag_error(&a->session->diag, ((alea_place){0}), "over", "the game is over here");
    return ALEA_INPUT;
  }
  if (status == ALEA_OK)
    status = alea_stuck_refuse(a->session->cursor, a->steps, a->session->opened.label,
                               &a->session->diag);
  if (status == ALEA_OK) status = find_role(a);
  if (status == ALEA_OK) status = alea_cli_chance_ways(a->session->cursor, &ways);
  if (status == ALEA_OK && ways > 0) return list_outcomes(a);
  if (status == ALEA_OK) status = make_player(a);
  if (status == ALEA_OK) status = prepare(a);
  if (status == ALEA_OK && a->v->moves != NULL) status = tell_moves(a);
  if (status == ALEA_OK) status = think(a);
  if (status == ALEA_OK) status = find_orbits(a);
  return status == ALEA_OK ? print(a) : status;
}

int alea_cli_best(int argc, char **argv) {
  values v;
  int operands, result = alea_cli_begin(&command, &v, argc, argv, &operands);
  if (result >= 0) return result;
  alea_open_options options = ALEA_OPEN_OPTIONS_OF(&v);
  alea_cli_session session;
  alea_status status = alea_cli_open(&session, argv[1], &options);
  analyst a = {.session = &session, .v = &v};
  alea_mem_init(&a.mem, 0);
  alea_text_init(&a.moves, &session.mem);
  if (status == ALEA_OK && v.moves != NULL)
    status = alea_open_file(v.moves, &a.moves, &session.diag);
  if (status == ALEA_OK) {
    alea_match_sampler_init(&a.sampler, &session.opened, (alea_engine)v.engine, &session.mem);
    status = analyse(&a);
  }
  alea_main_line_clear(&a.line, &session.mem);
  alea_orbits_clear(&a.orbits);
  alea_player_free(a.player);
  alea_match_sampler_clear(&a.sampler);
  alea_text_clear(&a.moves);
  return alea_cli_close(&session, status);
}
