#ifndef ALEA_CLI_PLAY_TABLE_H
#define ALEA_CLI_PLAY_TABLE_H

/* A table at which people and players play one game after another: what the
 * files of alea play share. */

#include "cli/draw.h"
#include "cli/lines.h"
#include "match/runner.h"
#include "match/typed_move.h"
#include "play/ponder.h"

/* Levels of play: how many simulations a move gets. */
enum { ALEA_PLAY_LEVELS = 9 };

typedef struct alea_play_table {
  alea_cli_session *session;
  const alea_game *game;
  alea_cli_drawing art;
  alea_cli_lines *lines;
  alea_typed_moves typed;
  alea_match_sampler sampler;

  /* As the command line has it. */
  const char *player, *evaluation;
  alea_budget budget; /* of the players' moves */
  uint64_t seed;
  double clock; /* seconds of each person for one game; 0: no clock */
  bool ponder;

  /* Per role. */
  bool *person;
  double *left;          /* seconds of a person's clock */
  alea_mem *mems;        /* players may ponder at the same time */
  alea_player **players; /* those of people give hints */
  alea_ponder *ponders;
  alea_knowledge *knowledge; /* of people in games with `sees` */
  alea_move *joint;
  bool *choice;

  uint32_t people; /* how many roles are people's */
  uint32_t eyes;   /* the role whose view is on the screen */
  alea_rng chance;
  alea_u32s history; /* joint moves, one after another */
  int resigned;      /* the role that gave up or ran out of time; -1: nobody */
  bool changed;      /* a word of a person changed the position: the round begins anew */
  bool quit;
} alea_play_table;

static inline alea_text *alea_play_out(alea_play_table *t) { return &t->session->out; }
static inline uint32_t alea_play_steps(const alea_play_table *t) {
  return (uint32_t)(t->history.count / t->game->role_count);
}

/* ---- play.c ---- */

/* Makes the players anew and replays the first 'steps' joint moves. */
alea_status alea_play_return_to(alea_play_table *t, uint32_t steps);
/* Plays a joint move, and everybody observes their part. */
alea_status alea_play_step(alea_play_table *t, const alea_move *joint);
void alea_play_set_level(alea_play_table *t, int level);

/* ---- play_show.c ---- */

/* Title, rules, who sits where, the seed. */
void alea_play_introduce(alea_play_table *t);
/* The position as 'eyes' may see it. */
alea_status alea_play_show(alea_play_table *t);
/* The joint move at hand, as far as the people may know it. */
void alea_play_tell_moves(alea_play_table *t);
/* After a step: the same where a person has moved, is to choose or the game is over,
 * else only what the person sees: nobody wants a board for each throw of the dice and
 * each move of the others. */
alea_status alea_play_show_step(alea_play_table *t);
/* With their numbers in the list if 'numbered'. */
void alea_play_list_moves(alea_play_table *t, const uint32_t *moves, size_t count, bool numbered);
/* Why the line is not a move that can be made. */
alea_status alea_play_explain(alea_play_table *t, alea_list legal, const char *line);
/* The result, once the game is over or somebody resigned. */
alea_status alea_play_result(alea_play_table *t);

/* ---- play_words.c ---- */

/* Asks the person who plays 'role' until a move is chosen, or the table changed
 * or ended. */
alea_status alea_play_ask(alea_play_table *t, uint32_t role, alea_move *move);
/* After the end: '*again' if the people want a rematch. */
alea_status alea_play_ask_again(alea_play_table *t, bool *again);
/* What the tab key may complete; its context is the table. */
alea_cli_completer alea_play_complete;

#endif
