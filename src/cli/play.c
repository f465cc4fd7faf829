/* alea play: people play at the terminal. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/hash.h"
#include "cli/play_table.h"
#include "cli/solve_strategy.h"
#include "game/stuck.h"

/* clang-format off */
#define OPTIONS(row)                                                                      \
  row(text, model, "", 0, 0, "NAME", "a strategic model of 'alea solve', played against its proof") \
  row(text, role, "", 0, 0, "ROLE", "the person's role, several with commas between, or all; default: the first") \
  row(text, player, "alea", 0, 0, "P", "who plays the other roles and gives hints")       \
  row(real, time, "1", 0.01, 1e6, "S", "seconds per move of the others")                  \
  row(integer, sims, "0", 0, 9e15, "N", "simulations per move, in place of time")         \
  row(integer, level, "0", 0, 9, "N", "how well the others play, 1 to 9, in place of time") \
  row(real, clock, "0", 0, 1e6, "S", "seconds that a person has for a whole game; 0 is no clock") \
  row(integer, seed, "-1", -1, 9e18, "N", "seed of everything random; -1 is a fresh one, which is told") \
  row(flag, ponder, "", 0, 0, "", "let the others think while the person does")           \
  row(flag, ascii, "", 0, 0, "", "no box-drawing characters")                             \
  row(choice, color, "auto", 0, 0, ALEA_CHOICE_WORDS(ALEA_CLI_COLOURS), "whether what is new on the board is coloured") \
  row(text, eval, "", 0, 0, "FILE", "evaluation from 'alea learn' for toss players that name none") \
  ALEA_OPEN_OPTIONS(row)
/* clang-format on */
ALEA_OPTION_TABLE(OPTIONS)

static const alea_command command = {
    .name = "play",
    .operands = "[GAME]",
    .summary = "lets a person play in the terminal",
    .details =
        "Type a move, or its number; at a terminal the tab key completes it.  'help' lists\n"
        "what else can be typed: hint, undo, save, load, level, resign, quit and more.\n"
        "Ctrl-C while a player thinks makes it move at once; at a prompt it ends.",
    .example = "echo quit | alea play tictactoe",
    .options = rows,
    .option_count = sizeof rows / sizeof *rows,
    .least_operands = 0,
    .most_operands = 1,
};

void alea_play_set_level(alea_play_table *t, int level) {
  t->budget.seconds = 0;
  t->budget.sims = 10;
  while (level-- > 1) t->budget.sims *= 4;
}

/* ---- players ---- */

static void free_players(alea_play_table *t) {
  for (uint32_t r = 0; t->players != NULL && r < t->game->role_count; r++) {
    alea_player_free(t->players[r]);
    t->players[r] = NULL;
    if (t->knowledge != NULL) alea_knowledge_clear(&t->knowledge[r]);
    if (t->knowledge != NULL) t->knowledge[r] = (alea_knowledge){0};
  }
}

static alea_status make_player(alea_play_table *t, uint32_t role, alea_text *message) {
  alea_player_setup setup = {
      .game = t->game,
      .role = role,
      .seed = alea_hash_join(t->seed, role + 1u),
      .mem = &t->mems[role],
      .sampler = alea_match_make_sampler,
      .sampler_context = &t->sampler,
      .services = t->session->opened.services,
      .rewriting = t->session->opened.rewriting,
      .evaluation = t->evaluation,
      .unhurried = true,
  };
  alea_status status = alea_player_new(&t->players[role], t->player, &setup, message);
  if (status == ALEA_OK && t->person[role] && t->game->has_sees)
    status = alea_knowledge_init(&t->knowledge[role], &setup);
  return status;
}

static alea_status make_players(alea_play_table *t) {
  alea_text message;
  alea_text_init(&message, &t->session->mem);
  alea_status status = ALEA_OK;
  for (uint32_t r = 0; status == ALEA_OK && r < t->game->role_count; r++)
    if ((int)r != t->game->random_role) status = make_player(t, r, &message);
  if (status != ALEA_OK && message.length > 0)
    alea_diag_error(&t->session->diag, ((alea_place){0}), "player", "%s",
                    alea_text_string(&message));
  alea_text_clear(&message);
  return status;
}

alea_status alea_play_step(alea_play_table *t, const alea_move *joint) {
  alea_cursor *cursor = t->session->cursor;
  alea_status status = alea_cursor_play(cursor, joint);
  for (uint32_t r = 0; status == ALEA_OK && r < t->game->role_count; r++) {
    if (t->players[r] == NULL) continue;
    alea_observation seen = {.own = joint[r], .joint = t->game->has_sees ? NULL : joint};
    if (t->game->has_sees) status = alea_cursor_percepts(cursor, r, &seen.percepts);
    if (status == ALEA_OK) status = alea_player_observe(t->players[r], &seen);
    if (status == ALEA_OK && t->knowledge[r].belief.mem != NULL)
      status = alea_knowledge_observe(&t->knowledge[r], &seen);
  }
  return status;
}

alea_status alea_play_return_to(alea_play_table *t, uint32_t steps) {
  uint32_t roles = t->game->role_count;
  free_players(t);
  alea_status status = make_players(t);
  if (status == ALEA_OK) status = alea_cursor_reset(t->session->cursor);
  t->history.count = (size_t)steps * roles;
  for (size_t i = 0; status == ALEA_OK && i < t->history.count; i += roles)
    status = alea_play_step(t, t->history.data + i);
  return status;
}

/* ---- the game ---- */

static alea_status choose(alea_play_table *t, uint32_t role) {
  alea_list legal;
  alea_status status = alea_cursor_legal(t->session->cursor, role, &legal);
  if (status != ALEA_OK) return status;
  t->joint[role] = legal.ids[alea_rng_below(&t->chance, legal.count)];
  if (legal.count == 1 || (int)role == t->game->random_role) return ALEA_OK;
  alea_text what;
  alea_text_init(&what, &t->session->mem);
  alea_text_format(&what, "%s thinks", t->game->role_spelling[role]);
  alea_cli_progress *progress = alea_cli_progress_start(alea_text_string(&what), t->budget.seconds);
  status = alea_player_select(t->players[role], &t->budget, &t->joint[role]);
  alea_cli_progress_stop(progress);
  alea_text_clear(&what);
  /* Whoever was interrupted has moved at once. */
  atomic_store(alea_cli_lines_interrupted(), false);
  t->quit = t->quit || alea_cli_lines_ended();
  return status;
}

/* Several people share one screen: nobody should see what another knows. */
static void hand_over(alea_play_table *t, uint32_t role) {
  if (!t->game->has_sees || t->people < 2 || !alea_cli_lines_are_typed(t->lines)) return;
  alea_text prompt;
  alea_text_init(&prompt, &t->session->mem);
  alea_text_format(&prompt, "\033[2J\033[H%s, press return when you are alone> ",
                   t->game->role_spelling[role]);
  if (alea_cli_lines_read(t->lines, alea_text_string(&prompt)) == NULL) t->quit = true;
  alea_text_clear(&prompt);
  alea_cli_drawing_afresh(&t->art);
}

static alea_status ask_person(alea_play_table *t, uint32_t role) {
  alea_list legal;
  alea_status status = alea_cursor_legal(t->session->cursor, role, &legal);
  if (status != ALEA_OK) return status;
  t->joint[role] = legal.ids[0];
  if (legal.count == 1) return ALEA_OK;
  if (t->people > 1 && t->game->has_sees) {
    hand_over(t, role);
    t->eyes = role;
    status = t->quit ? ALEA_OK : alea_play_show(t);
  }
  return status == ALEA_OK && !t->quit ? alea_play_ask(t, role, &t->joint[role]) : status;
}

/* The people move first, and may take moves back before the others choose. */
static alea_status one_round(alea_play_table *t) {
  uint32_t roles = t->game->role_count;
  alea_status status = alea_stuck_refuse(t->session->cursor, alea_play_steps(t),
                                         t->session->opened.label, &t->session->diag);
  for (uint32_t r = 0; status == ALEA_OK && r < roles; r++) {
    alea_list legal;
    status = alea_cursor_legal(t->session->cursor, r, &legal);
    t->choice[r] = status == ALEA_OK && legal.count > 1;
  }
  t->changed = false;
  for (uint32_t r = 0; status == ALEA_OK && r < roles; r++) {
    if (t->person[r]) status = ask_person(t, r);
    if (t->quit || t->changed || t->resigned >= 0) return status;
  }
  for (uint32_t r = 0; status == ALEA_OK && r < roles; r++)
    if (!t->person[r]) status = choose(t, r);
  for (uint32_t r = 0; status == ALEA_OK && r < roles; r++)
    if (!alea_vec_push(&t->session->mem, &t->history, t->joint[r])) return ALEA_SYSTEM;
  if (status != ALEA_OK || t->quit) return status;
  alea_play_tell_moves(t);
  status = alea_play_step(t, t->joint);
  return status == ALEA_OK ? alea_play_show_step(t) : status;
}

static alea_status play_game(alea_play_table *t) {
  bool over = false;
  t->resigned = -1;
  for (uint32_t r = 0; r < t->game->role_count; r++) t->left[r] = t->clock;
  alea_rng_seed_stream(&t->chance, t->seed, 0);
  alea_cli_drawing_afresh(&t->art);
  alea_status status = alea_play_return_to(t, 0);
  if (status == ALEA_OK) status = alea_play_show(t);
  while (status == ALEA_OK && !t->quit) {
    status = alea_cursor_terminal(t->session->cursor, &over);
    if (status != ALEA_OK || over || t->resigned >= 0) break;
    status = one_round(t);
  }
  if (status == ALEA_OK && t->resigned >= 0 && t->game->has_sees) status = alea_play_show(t);
  if (status == ALEA_OK && !t->quit) status = alea_play_result(t);
  return status == ALEA_OK ? alea_cli_write(alea_play_out(t)) : status;
}

static alea_status play_games(alea_play_table *t) {
  bool again = true;
  alea_status status = ALEA_OK;
  alea_play_introduce(t);
  while (status == ALEA_OK && again && !t->quit) {
    status = play_game(t);
    again = false;
    if (status == ALEA_OK && alea_cli_lines_are_typed(t->lines))
      status = alea_play_ask_again(t, &again);
    t->seed++;
  }
  return status;
}

/* ---- sitting down ---- */

/* Seats a person at the role that 'name', of 'length' bytes, names. */
static alea_status seat(alea_play_table *t, const char *name, size_t length) {
  for (uint32_t r = 0; r < t->game->role_count; r++) {
    const char *role = t->game->role_text[r];
    if ((int)r == t->game->random_role) continue;
    if (strlen(role) != length || memcmp(role, name, length) != 0) continue;
    t->people += !t->person[r];
    t->person[r] = true;
    return ALEA_OK;
  }
  alea_diag_error(&t->session->diag, ((alea_place){0}), "usage", "the game has no role '%.*s'",
                  (int)length, name);
  return ALEA_USAGE;
}

static alea_status seat_people(alea_play_table *t, const char *names) {
  const alea_game *game = t->game;
  bool all = names != NULL && strcmp(names, "all") == 0, first = names == NULL;
  alea_status status = ALEA_OK;
  for (uint32_t r = 0; (all || first) && status == ALEA_OK && r < game->role_count; r++) {
    if ((int)r == game->random_role) continue;
    status = seat(t, game->role_text[r], strlen(game->role_text[r]));
    if (first) break;
  }
  while (!all && !first && status == ALEA_OK) {
    size_t length = strcspn(names, ",");
    status = seat(t, names, length);
    if (names[length] == '\0') break;
    names += length + 1;
  }
  while (status == ALEA_OK && t->eyes + 1 < game->role_count && !t->person[t->eyes]) t->eyes++;
  return status;
}

static alea_status lay_table(alea_play_table *t) {
  alea_mem *mem = &t->session->mem;
  uint32_t roles = t->game->role_count;
  t->players = alea_mem_calloc(mem, roles, sizeof(alea_player *));
  t->mems = alea_mem_calloc(mem, roles, sizeof *t->mems);
  t->ponders = alea_mem_calloc(mem, roles, sizeof *t->ponders);
  t->knowledge = alea_mem_calloc(mem, roles, sizeof *t->knowledge);
  t->joint = alea_mem_calloc(mem, roles, sizeof *t->joint);
  t->choice = alea_mem_calloc(mem, roles, sizeof *t->choice);
  t->person = alea_mem_calloc(mem, roles, sizeof *t->person);
  t->left = alea_mem_calloc(mem, roles, sizeof *t->left);
  t->lines = alea_cli_lines_open(mem, alea_play_complete, t);
  bool good = t->players != NULL && t->mems != NULL && t->ponders != NULL && t->knowledge != NULL;
  good = good && t->joint != NULL && t->choice != NULL && t->person != NULL && t->left != NULL;
  return good && t->lines != NULL ? ALEA_OK : ALEA_SYSTEM;
}

/* A seed that differs from one program to the next. */
static uint64_t fresh_seed(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  uint64_t mixed = alea_hash_join((uint64_t)now.tv_sec, (uint64_t)now.tv_nsec);
  return alea_hash_join(mixed, (uint64_t)getpid()) % 1000000;
}

static void read_options(alea_play_table *t, const values *v) {
  t->player = v->player;
  t->evaluation = v->eval;
  t->clock = v->clock;
  t->ponder = v->ponder;
  t->seed = v->seed >= 0 ? (uint64_t)v->seed : fresh_seed();
  bool counted = v->sims > 0;
  t->budget = (alea_budget){.sims = (uint64_t)v->sims,
                            .seconds = counted ? 0 : v->time,
                            .stop = alea_cli_lines_interrupted()};
  if (v->level > 0) alea_play_set_level(t, (int)v->level);
}

static alea_status sit_down(alea_play_table *t, const values *v) {
  t->game = t->session->opened.game;
  alea_match_sampler_init(&t->sampler, &t->session->opened, (alea_engine)v->engine,
                          &t->session->mem);
  alea_typed_moves_init(&t->typed, &t->session->mem);
  read_options(t, v);
  alea_status status = lay_table(t);
  if (status == ALEA_OK) status = seat_people(t, v->role);
  if (status == ALEA_OK) status = alea_cli_drawing_open(&t->art, t->session, v->ascii);
  if (status != ALEA_OK) return status;
  alea_cli_drawing_use_colour(&t->art, (alea_cli_colour)v->color);
  return play_games(t);
}

static void stand_up(alea_play_table *t) {
  alea_mem *mem = &t->session->mem;
  if (t->game == NULL) return;
  uint32_t roles = t->game->role_count;
  free_players(t);
  alea_cli_lines_close(t->lines);
  alea_match_sampler_clear(&t->sampler);
  alea_typed_moves_clear(&t->typed);
  alea_cli_drawing_close(&t->art);
  alea_vec_clear(mem, &t->history);
  alea_mem_free(mem, t->players, roles * sizeof(alea_player *));
  alea_mem_free(mem, t->mems, roles * sizeof *t->mems);
  alea_mem_free(mem, t->ponders, roles * sizeof *t->ponders);
  alea_mem_free(mem, t->knowledge, roles * sizeof *t->knowledge);
  alea_mem_free(mem, t->joint, roles * sizeof *t->joint);
  alea_mem_free(mem, t->choice, roles * sizeof *t->choice);
  alea_mem_free(mem, t->person, roles * sizeof *t->person);
  alea_mem_free(mem, t->left, roles * sizeof *t->left);
}

int alea_cli_play(int argc, char **argv) {
  values v;
  int operands, result = alea_cli_begin(&command, &v, argc, argv, &operands);
  if (result >= 0) return result;
  bool model = v.model != NULL && v.model[0] != '\0';
  if (model == (operands == 1))
    return alea_cli_fail(ALEA_USAGE, "give either a game or --model (see 'alea play --help')");
  if (model) return alea_cli_play_model(v.model);
  alea_open_options options = ALEA_OPEN_OPTIONS_OF(&v);
  alea_cli_session session;
  alea_status status = alea_cli_open(&session, argv[1], &options);
  alea_play_table t = {.session = &session};
  if (status == ALEA_OK) status = sit_down(&t, &v);
  stand_up(&t);
  return alea_cli_close(&session, status);
}
