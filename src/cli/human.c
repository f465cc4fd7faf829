/* The player `human`: a human at this terminal. */
#include "cli/human.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "match/typed_move.h"

enum { LINE_SIZE = 4096 };

typedef struct human {
  alea_remote_player remote; /* must be the first member */
  const alea_cli_humans *humans;
  alea_cursor *cursor;      /* of the match; NULL: no move was asked for */
  alea_knowledge knowledge; /* where the game has `sees` */
  alea_typed_moves typed;
} human;

static human *human_of(alea_remote_player *remote) { return (human *)(void *)remote; }

/* In games with percepts a human is shown these and what follows from them, as in
 * 'alea play', and not the position. */
static alea_status show_known(human *p, const alea_remote_player_step *step) {
  alea_cli_drawing *drawing = p->humans->drawing;
  uint32_t role = p->remote.setup.role;
  alea_observation seen = {.own = step->joint != NULL ? step->joint[role] : ALEA_NO_MOVE};
  alea_status status = ALEA_OK;
  if (step->joint != NULL) status = alea_cursor_percepts(step->cursor, role, &seen.percepts);
  if (status == ALEA_OK && step->joint != NULL)
    status = alea_knowledge_observe(&p->knowledge, &seen);
  if (status == ALEA_OK) status = alea_cli_drawing_seen(drawing, step->cursor, role);
  if (status != ALEA_OK) return status;
  return alea_cli_drawing_draw_known(drawing, &p->knowledge);
}

static void show(human *p, const alea_remote_player_step *step) {
  alea_status status = step->cursor->game->has_sees
                           ? show_known(p, step)
                           : alea_cli_drawing_draw(p->humans->drawing, step->cursor);
  if (status == ALEA_OK) (void)alea_cli_write(&p->humans->session->out);
}

static void ignore(alea_remote_player *remote, const alea_remote_player_step *step) {
  (void)step;
  human_of(remote)->cursor = NULL;
}

static void play(alea_remote_player *remote, const alea_remote_player_step *step) {
  human *p = human_of(remote);
  p->cursor = step->cursor;
  show(p, step);
}

static void abort_match(alea_remote_player *remote) { human_of(remote)->cursor = NULL; }

/* The move that the line means; ALEA_NO_MOVE: none, or several. */
static alea_move read_move(human *p, const char *line, alea_list legal) {
  alea_typed_moves *typed = &p->typed;
  alea_status status =
      alea_typed_moves_read(typed, p->cursor->game, p->remote.setup.role, legal, true, line);
  bool clear = status == ALEA_OK && typed->fitting.count == 1;
  return clear ? typed->fitting.data[0] : ALEA_NO_MOVE;
}

/* Reads lines until one is a move; ALEA_NO_MOVE: the input ended or the human
 * quits. */
static alea_move ask(human *p, alea_list legal) {
  const alea_game *game = p->cursor->game;
  alea_text *out = &p->humans->session->out;
  char line[LINE_SIZE] = "";
  for (;;) {
    alea_text_format(out, "%s> ", game->role_spelling[p->remote.setup.role]);
    if (alea_cli_write(out) != ALEA_OK) return ALEA_NO_MOVE;
    bool read = fgets(line, sizeof line, stdin) != NULL;
    line[strcspn(line, "\r\n")] = '\0';
    if (!read || strcmp(line, "quit") == 0) {
      /* Where nobody has typed the end of the line, the prompt still stands there. */
      if (!read || !isatty(STDIN_FILENO)) alea_text_char(out, '\n');
      return ALEA_NO_MOVE;
    }
    alea_move move = read_move(p, line, legal);
    if (move != ALEA_NO_MOVE) return move;
    alea_text_put(out, "a move, its number, or quit:\n");
    alea_cli_list_moves(game, p->remote.setup.role, legal.ids, legal.count, true, out);
  }
}

static alea_remote_player_answer answer(alea_remote_player *remote, alea_text *text) {
  human *p = human_of(remote);
  alea_remote_player_answer result = {.kind = ALEA_REMOTE_PLAYER_TEXT};
  alea_list legal;
  if (p->cursor == NULL) return result;
  double start = alea_clock_wall();
  alea_status status = alea_typed_moves_legal(&p->typed, p->cursor, remote->setup.role, &legal);
  if (status != ALEA_OK || legal.count == 0) return result;
  /* A single legal move is played without asking. */
  alea_move move = legal.count == 1 ? legal.ids[0] : ask(p, legal);
  if (move == ALEA_NO_MOVE) {
    atomic_store(p->humans->stop, true);
  } else {
    alea_game_move_text(p->cursor->game, remote->setup.role, move, true, text);
  }
  result.seconds = alea_clock_wall() - start;
  return result;
}

static void free_human(alea_remote_player *remote) {
  alea_knowledge_clear(&human_of(remote)->knowledge);
  alea_typed_moves_clear(&human_of(remote)->typed);
  alea_mem_free(remote->setup.mem, human_of(remote), sizeof(human));
}

static const alea_remote_player_class class = {
    .human = true,
    .preview = ignore,
    .start = ignore,
    .play = play,
    .stop = ignore,
    .abort = abort_match,
    .answer = answer,
    .free = free_human,
};

alea_status alea_cli_seat_open(void *context, const char *text,
                               const alea_remote_player_setup *setup, alea_remote_player **remote,
                               alea_text *message) {
  *remote = NULL;
  alea_cli_seats *seats = context;
  if (strcmp(text, "human") != 0)
    return alea_http_player_open(&seats->remotes, text, setup, remote, message);
  human *p = alea_mem_zalloc(setup->mem, sizeof *p);
  if (p == NULL) return ALEA_SYSTEM;
  p->remote = (alea_remote_player){&class, *setup};
  p->humans = &seats->humans;
  alea_typed_moves_init(&p->typed, setup->mem);
  *remote = &p->remote;
  if (!setup->opened->game->has_sees) return ALEA_OK;
  alea_player_setup eyes = {.game = setup->opened->game,
                            .role = setup->role,
                            .seed = setup->seed,
                            .mem = setup->mem,
                            .services = setup->opened->services};
  alea_status status = alea_knowledge_init(&p->knowledge, &eyes);
  if (status != ALEA_OK) {
    free_human(*remote);
    *remote = NULL;
  }
  return status;
}
