/* The player `human`: a human at this terminal. */
#include "cli/human.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "match/typed_move.h"

enum { LINE_SIZE = 4096 };

typedef struct human {
  alea_remote_player remote; /* must be the first member */
  const alea_cli_humans *humans;
  alea_cursor *cursor; /* of the match; NULL: no move was asked for */
} human;

static human *human_of(alea_remote_player *remote) { return (human *)(void *)remote; }

/* In games with percepts a human sees these, not the position. */
static void show(human *p, const alea_remote_player_step *step) {
  alea_cli_drawing *drawing = p->humans->drawing;
  alea_text *out = &p->humans->session->out;
  alea_status status;
  if (!step->cursor->game->has_sees) {
    status = alea_cli_drawing_draw(drawing, step->cursor);
  } else {
    status = alea_listing_percepts(&drawing->listing, step->cursor, p->remote.setup.role);
    alea_text_put(out, "you see:");
    for (size_t i = 0; status == ALEA_OK && i < drawing->listing.items.count; i++)
      alea_text_format(out, " %s", drawing->listing.items.data[i]);
    alea_text_char(out, '\n');
  }
  if (status == ALEA_OK) (void)alea_cli_write(out);
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

static void list_moves(human *p, alea_list legal) {
  alea_text *out = &p->humans->session->out;
  for (uint32_t i = 0; i < legal.count; i++) {
    alea_text_format(out, "%4u ", i + 1);
    alea_game_move_text(p->cursor->game, p->remote.setup.role, legal.ids[i], true, out);
    if (i % 4 == 3 || i + 1 == legal.count) alea_text_char(out, '\n');
  }
}

/* The move that the line means; ALEA_NO_MOVE: none, or several. */
static alea_move read_move(human *p, const char *line, alea_list legal) {
  alea_typed_moves typed;
  alea_typed_moves_init(&typed, p->remote.setup.mem);
  alea_status status =
      alea_typed_moves_read(&typed, p->cursor->game, p->remote.setup.role, legal, true, line);
  bool clear = status == ALEA_OK && typed.fitting.count == 1;
  alea_move move = clear ? typed.fitting.data[0] : ALEA_NO_MOVE;
  alea_typed_moves_clear(&typed);
  return move;
}

/* Reads lines until one is a move; ALEA_NO_MOVE: the input ended or the human
 * quits. */
static alea_move ask(human *p, alea_list legal) {
  const alea_game *game = p->cursor->game;
  alea_text *out = &p->humans->session->out;
  char line[LINE_SIZE];
  for (;;) {
    alea_text_format(out, "%s> ", game->role_spelling[p->remote.setup.role]);
    if (alea_cli_write(out) != ALEA_OK || fgets(line, sizeof line, stdin) == NULL)
      return ALEA_NO_MOVE;
    line[strcspn(line, "\r\n")] = '\0';
    if (strcmp(line, "quit") == 0) return ALEA_NO_MOVE;
    alea_move move = read_move(p, line, legal);
    if (move != ALEA_NO_MOVE) return move;
    alea_text_put(out, "a move, its number, or quit:\n");
    list_moves(p, legal);
  }
}

static alea_remote_player_answer answer(alea_remote_player *remote, alea_text *text) {
  human *p = human_of(remote);
  alea_remote_player_answer result = {.kind = ALEA_REMOTE_PLAYER_TEXT};
  alea_list legal;
  if (p->cursor == NULL) return result;
  double start = alea_clock_wall();
  alea_status status = alea_cursor_legal(p->cursor, remote->setup.role, &legal);
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

alea_status alea_cli_human_open(void *context, const char *text,
                                const alea_remote_player_setup *setup, alea_remote_player **remote,
                                alea_text *message) {
  (void)message;
  *remote = NULL;
  if (strcmp(text, "human") != 0) return ALEA_OK;
  human *p = alea_mem_zalloc(setup->mem, sizeof *p);
  if (p == NULL) return ALEA_SYSTEM;
  p->remote = (alea_remote_player){&class, *setup};
  p->humans = context;
  *remote = &p->remote;
  return ALEA_OK;
}
