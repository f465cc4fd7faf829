/* alea play: a human plays at the terminal. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "cli/draw.h"
#include "game/stuck.h"
#include "match/runner.h"
#include "play/ponder.h"

/* clang-format off */
#define OPTIONS(row)                                                                      \
  row(text, role, "", 0, 0, "ROLE", "the person's role; default: the first")              \
  row(text, player, "alea", 0, 0, "P", "who plays the other roles and gives hints")       \
  row(real, time, "1", 0.01, 1e6, "S", "seconds per move of the others")                  \
  row(integer, sims, "0", 0, 9e15, "N", "simulations per move, in place of time")         \
  row(integer, seed, "1", 0, 9e18, "N", "seed of everything random")                      \
  row(flag, ponder, "", 0, 0, "", "let the others think while the person does")           \
  row(flag, ascii, "", 0, 0, "", "no box-drawing characters")                             \
  row(text, eval, "", 0, 0, "FILE", "evaluation from 'alea learn' for toss players that name none") \
  ALEA_OPEN_OPTIONS(row)
/* clang-format on */
ALEA_OPTION_TABLE(OPTIONS)

static const alea_command command = {
    .name = "play",
    .operands = "GAME",
    .summary = "lets a person play in the terminal",
    .details =
        "Type a move, or its number.  'hint' asks for advice, 'undo' takes the last move back,\n"
        "'save FILE' writes the moves so far (for alea show --moves), 'quit' ends.",
    .example = "echo quit | alea play tictactoe",
    .options = rows,
    .option_count = sizeof rows / sizeof *rows,
    .least_operands = 1,
    .most_operands = 1,
};

enum { LINE_SIZE = 4096 };

typedef struct play_table {
  alea_cli_session *session;
  const values *v;
  const alea_game *game;
  alea_cli_drawing art;
  alea_match_sampler sampler;
  alea_mem *mems; /* per role: players may ponder at the same time */
  uint32_t role;
  alea_player **players; /* per role; the one of the human gives hints */
  alea_ponder *ponders;  /* per role */
  alea_move *joint;
  bool *choice;
  alea_rng chance;
  alea_u32s history; /* joint moves, one after another */
  bool quit;
} play_table;

static alea_status no_memory(void) { return ALEA_SYSTEM; }

static alea_text *out_of(play_table *t) { return &t->session->out; }

/* ---- players ---- */

static void free_players(play_table *t) {
  for (uint32_t r = 0; t->players != NULL && r < t->game->role_count; r++) {
    alea_player_free(t->players[r]);
    t->players[r] = NULL;
  }
}

static alea_status make_players(play_table *t) {
  alea_text message;
  alea_text_init(&message, &t->session->mem);
  alea_status status = ALEA_OK;
  for (uint32_t r = 0; status == ALEA_OK && r < t->game->role_count; r++) {
    if ((int)r == t->game->random_role) continue;
    alea_player_setup setup = {
        .game = t->game,
        .role = r,
        .seed = alea_hash_join((uint64_t)t->v->seed, r + 1u),
        .mem = &t->mems[r],
        .sampler = alea_match_make_sampler,
        .sampler_context = &t->sampler,
        .services = t->session->opened.services,
        .rewriting = t->session->opened.rewriting,
        .evaluation = t->v->eval,
        .unhurried = true,
    };
    status = alea_player_new(&t->players[r], t->v->player, &setup, &message);
  }
  if (status != ALEA_OK && message.length > 0)
    alea_diag_error(&t->session->diag, ((alea_place){0}), "player", "%s",
                    alea_text_string(&message));
  alea_text_clear(&message);
  return status;
}

/* Plays a joint move and lets every player observe its part. */
static alea_status step(play_table *t, const alea_move *joint) {
  alea_cursor *cursor = t->session->cursor;
  alea_status status = alea_cursor_play(cursor, joint);
  for (uint32_t r = 0; status == ALEA_OK && r < t->game->role_count; r++) {
    if (t->players[r] == NULL) continue;
    alea_observation seen = {.own = joint[r], .joint = t->game->has_sees ? NULL : joint};
    if (t->game->has_sees) status = alea_cursor_percepts(cursor, r, &seen.percepts);
    if (status == ALEA_OK) status = alea_player_observe(t->players[r], &seen);
  }
  return status;
}

/* ---- showing ---- */

/* In games with percepts the human sees these, not the position. */
static alea_status show_percepts(play_table *t) {
  alea_status status = alea_listing_percepts(&t->art.listing, t->session->cursor, t->role);
  if (status != ALEA_OK) return status;
  alea_text_put(out_of(t), "you see:");
  for (size_t i = 0; i < t->art.listing.items.count; i++)
    alea_text_format(out_of(t), " %s", t->art.listing.items.data[i]);
  alea_text_char(out_of(t), '\n');
  return ALEA_OK;
}

static alea_status show(play_table *t) {
  alea_status status =
      t->game->has_sees ? show_percepts(t) : alea_cli_drawing_draw(&t->art, t->session->cursor);
  return status == ALEA_OK ? alea_cli_write(out_of(t)) : status;
}

static void show_legal(play_table *t, alea_list legal) {
  for (uint32_t i = 0; i < legal.count; i++) {
    alea_text_format(out_of(t), "%4u ", i + 1);
    alea_game_move_text(t->game, t->role, legal.ids[i], true, out_of(t));
    if (i % 4 == 3 || i + 1 == legal.count) alea_text_char(out_of(t), '\n');
  }
}

/* ---- commands ---- */

static alea_budget budget_of(const play_table *t) {
  bool counted = t->v->sims > 0;
  return (alea_budget){.sims = (uint64_t)t->v->sims, .seconds = counted ? 0 : t->v->time};
}

static alea_status hint(play_table *t) {
  alea_budget budget = budget_of(t);
  alea_move move;
  alea_analysis analysis;
  alea_status status = alea_player_select(t->players[t->role], &budget, &move);
  if (status != ALEA_OK) return status;
  alea_player_analyse(t->players[t->role], &analysis);
  alea_text_put(out_of(t), "hint: ");
  alea_game_move_text(t->game, t->role, move, true, out_of(t));
  if (analysis.value >= 0) alea_text_format(out_of(t), ", value %.0f", analysis.value);
  const char *proof = alea_proof_text(analysis.proof);
  if (proof != NULL) alea_text_format(out_of(t), ", proved: %s", proof);
  alea_text_char(out_of(t), '\n');
  return ALEA_OK;
}

static alea_status replay(play_table *t) {
  uint32_t roles = t->game->role_count;
  free_players(t);
  alea_status status = make_players(t);
  if (status == ALEA_OK) status = alea_cursor_reset(t->session->cursor);
  for (size_t i = 0; status == ALEA_OK && i < t->history.count; i += roles)
    status = step(t, t->history.data + i);
  return status;
}

/* Goes back to the last choice of the human. */
static alea_status undo(play_table *t) {
  uint32_t roles = t->game->role_count;
  alea_list legal;
  alea_status status;
  do {
    if (t->history.count == 0) break;
    t->history.count -= roles;
    if ((status = replay(t)) != ALEA_OK) return status;
    status = alea_cursor_legal(t->session->cursor, t->role, &legal);
    if (status != ALEA_OK) return status;
  } while (legal.count < 2);
  return show(t);
}

static void save(play_table *t, const char *path) {
  uint32_t roles = t->game->role_count;
  FILE *file = fopen(path, "wb");
  alea_text text;
  alea_text_init(&text, &t->session->mem);
  for (size_t i = 0; i < t->history.count; i++) {
    alea_game_move_text(t->game, (uint32_t)(i % roles), t->history.data[i], true, &text);
    alea_text_char(&text, i % roles == roles - 1 ? '\n' : ' ');
  }
  bool good = file != NULL && fwrite(alea_text_string(&text), 1, text.length, file) == text.length;
  if (file != NULL && fclose(file) != 0) good = false;
  alea_text_format(out_of(t), good ? "saved to %s\n" : "cannot write %s\n", path);
  alea_text_clear(&text);
}

/* The legal move that the line means; ALEA_NO_MOVE: none. */
static alea_move read_move(play_table *t, const char *line, alea_list legal) {
  char *end;
  unsigned long number = strtoul(line, &end, 10);
  alea_move move = alea_game_move_find(t->game, t->role, line);
  bool admitted;
  if (alea_cursor_admits(t->session->cursor, t->role, move, &admitted) == ALEA_OK && admitted)
    return move;
  bool fits = end != line && *end == '\0' && number >= 1 && number <= legal.count;
  return fits ? legal.ids[number - 1] : ALEA_NO_MOVE;
}

/* Reads a line; meanwhile the other players ponder if asked to. */
static const char *read_line(play_table *t, char *line, int size) {
  for (uint32_t r = 0; t->v->ponder && r < t->game->role_count; r++)
    if (r != t->role) alea_ponder_start(&t->ponders[r], t->players[r], ALEA_NO_MOVE);
  const char *read = fgets(line, size, stdin);
  for (uint32_t r = 0; r < t->game->role_count; r++) alea_ponder_stop(&t->ponders[r]);
  return read;
}

/* Reads lines until one is a move; the end of the input ends the game. */
static alea_status ask_human(play_table *t, alea_move *move) {
  char line[LINE_SIZE];
  for (;;) {
    alea_list legal;
    alea_status status = alea_cursor_legal(t->session->cursor, t->role, &legal);
    if (status != ALEA_OK) return status;
    alea_text_format(out_of(t), "%s> ", t->game->role_spelling[t->role]);
    if ((status = alea_cli_write(out_of(t))) != ALEA_OK) return status;
    if (read_line(t, line, sizeof line) == NULL) strcpy(line, "quit");
    size_t length = strcspn(line, "\r\n");
    while (length > 0 && isspace((unsigned char)line[length - 1])) length--;
    line[length] = '\0';
    if (strcmp(line, "quit") == 0) {
      t->quit = true;
      return ALEA_OK;
    }
    *move = read_move(t, line, legal);
    if (*move != ALEA_NO_MOVE) return ALEA_OK;
    if (strcmp(line, "hint") == 0) {
      status = hint(t);
    } else if (strcmp(line, "undo") == 0) {
      status = undo(t);
    } else if (strncmp(line, "save ", 5) == 0) {
      save(t, line + 5);
    } else {
      alea_text_put(out_of(t), "a move, its number, hint, undo, save FILE, or quit:\n");
      show_legal(t, legal);
    }
    if (status != ALEA_OK) return status;
  }
}

/* ---- the game ---- */

static alea_status choose(play_table *t, uint32_t role) {
  alea_list legal;
  alea_status status = alea_cursor_legal(t->session->cursor, role, &legal);
  if (status != ALEA_OK) return status;
  t->choice[role] = legal.count > 1;
  t->joint[role] = legal.ids[alea_rng_below(&t->chance, legal.count)];
  if (legal.count == 1 || (int)role == t->game->random_role) return ALEA_OK;
  alea_budget budget = budget_of(t);
  return alea_player_select(t->players[role], &budget, &t->joint[role]);
}

/* The human moves first, and may take moves back before the others choose. */
static alea_status one_round(play_table *t) {
  alea_list legal;
  uint32_t moves = (uint32_t)(t->history.count / t->game->role_count);
  alea_status status =
      alea_stuck_refuse(t->session->cursor, moves, t->session->opened.label, &t->session->diag);
  if (status == ALEA_OK) status = alea_cursor_legal(t->session->cursor, t->role, &legal);
  if (status != ALEA_OK) return status;
  alea_move own = legal.ids[0];
  if (legal.count > 1) status = ask_human(t, &own);
  if (status != ALEA_OK || t->quit) return status;
  for (uint32_t r = 0; status == ALEA_OK && r < t->game->role_count; r++)
    if (r != t->role) status = choose(t, r);
  if (status != ALEA_OK) return status;
  t->joint[t->role] = own;
  for (uint32_t r = 0; r < t->game->role_count; r++)
    if (!alea_vec_push(&t->session->mem, &t->history, t->joint[r])) return no_memory();
  if (!t->game->has_sees) {
    alea_cli_drawing_moves(&t->art, t->joint, t->choice);
    alea_text_char(out_of(t), '\n');
  }
  status = step(t, t->joint);
  return status == ALEA_OK ? show(t) : status;
}

static alea_status play(play_table *t) {
  bool over = false;
  alea_status status = make_players(t);
  if (status == ALEA_OK) status = show(t);
  while (status == ALEA_OK && !t->quit) {
    status = alea_cursor_terminal(t->session->cursor, &over);
    if (status != ALEA_OK || over) break;
    status = one_round(t);
  }
  if (status == ALEA_OK && over) status = alea_cli_drawing_goals(&t->art, t->session->cursor);
  return status == ALEA_OK ? alea_cli_write(out_of(t)) : status;
}

static alea_status find_role(play_table *t) {
  for (uint32_t r = 0; r < t->game->role_count; r++) {
    t->role = r;
    if (t->v->role == NULL ? (int)r != t->game->random_role
                           : strcmp(t->game->role_text[r], t->v->role) == 0)
      return ALEA_OK;
  }
  alea_diag_error(&t->session->diag, ((alea_place){0}), "usage", "the game has no role '%s'",
                  t->v->role != NULL ? t->v->role : "");
  return ALEA_USAGE;
}

static alea_status sit_down(play_table *t) {
  alea_mem *mem = &t->session->mem;
  uint32_t roles = t->session->opened.game->role_count;
  t->game = t->session->opened.game;
  alea_match_sampler_init(&t->sampler, &t->session->opened, (alea_engine)t->v->engine, mem);
  alea_rng_seed_stream(&t->chance, (uint64_t)t->v->seed, 0);
  t->players = alea_mem_calloc(mem, roles, sizeof(alea_player *));
  t->mems = alea_mem_calloc(mem, roles, sizeof *t->mems);
  t->ponders = alea_mem_calloc(mem, roles, sizeof *t->ponders);
  t->joint = alea_mem_calloc(mem, roles, sizeof *t->joint);
  t->choice = alea_mem_calloc(mem, roles, sizeof *t->choice);
  bool good = t->players != NULL && t->mems != NULL && t->ponders != NULL;
  if (!good || t->joint == NULL || t->choice == NULL) return no_memory();
  alea_status status = find_role(t);
  if (status == ALEA_OK) status = alea_cli_drawing_open(&t->art, t->session, t->v->ascii);
  return status == ALEA_OK ? play(t) : status;
}

static void stand_up(play_table *t) {
  alea_mem *mem = &t->session->mem;
  if (t->game == NULL) return;
  uint32_t roles = t->game->role_count;
  free_players(t);
  alea_match_sampler_clear(&t->sampler);
  alea_cli_drawing_close(&t->art);
  alea_vec_clear(mem, &t->history);
  alea_mem_free(mem, t->players, roles * sizeof(alea_player *));
  alea_mem_free(mem, t->mems, roles * sizeof *t->mems);
  alea_mem_free(mem, t->ponders, roles * sizeof *t->ponders);
  alea_mem_free(mem, t->joint, roles * sizeof *t->joint);
  alea_mem_free(mem, t->choice, roles * sizeof *t->choice);
}

int alea_cli_play(int argc, char **argv) {
  values v;
  int operands, result = alea_cli_begin(&command, &v, argc, argv, &operands);
  if (result >= 0) return result;
  alea_open_options options = ALEA_OPEN_OPTIONS_OF(&v);
  alea_cli_session session;
  alea_status status = alea_cli_open(&session, argv[1], &options);
  play_table t = {.session = &session, .v = &v};
  if (status == ALEA_OK) status = sit_down(&t);
  stand_up(&t);
  return alea_cli_close(&session, status);
}
