#ifndef ALEA_PAGE_TABLE_H
#define ALEA_PAGE_TABLE_H

/* A table at which one person and any players play a game, for the page.
 *
 * It runs in a process of its own (page/launcher.h) and talks in lines of JSON
 * (page/inbox.h).  The first line lays the table:
 *
 *   {"game": "tictactoe"} or {"rules": "(role x) ...", "label": "mine.kif"}, and
 *   "role": the person's, "" to watch; "players": {"oplayer": "uct", ...},
 *   "player": who sits where nothing else is said; "level": 1 to 9, or
 *   "seconds" per move; "seed"
 *
 * Then it sends the position after every change, opinions while a player thinks,
 * and an answer to every wish: move, hint, undo, resign, rematch, now.
 *
 * In a game with `sees` nothing is sent before the end but what the person's role
 * knows (match/knowledge.h): no opinions and moves of others, and no seed. */

#include "base/json.h"
#include "draw/sketch.h"
#include "match/knowledge.h"
#include "match/runner.h"
#include "match/typed_move.h"
#include "page/inbox.h"

/* An opinion that was formed: for the curve of values. */
typedef struct alea_page_table_value {
  uint32_t step, role;
  double value;
} alea_page_table_value;

typedef struct alea_page_table {
  alea_page_inbox *inbox;
  alea_mem mem;
  alea_diag diag;
  alea_opened opened;
  const alea_game *game; /* NULL: the table is not laid yet */
  alea_cursor *cursor;
  alea_drawing *drawing;
  alea_listing listing;
  alea_match_sampler sampler;
  alea_typed_moves typed;
  alea_text line, text; /* what is sent; scratch */

  /* As the first line has it. */
  json_t *wishes;
  int person; /* a role; -1: nobody, the players are watched */
  alea_budget budget;
  uint64_t seed;

  /* Per role. */
  alea_mem *mems;
  alea_player **players; /* the person's gives hints */
  alea_move *joint;

  alea_knowledge knowledge; /* the person's, in games with `sees` */
  bool knows;               /* it was made */
  alea_u32s history;        /* joint moves, one after another */
  ALEA_VEC(alea_page_table_value) values;
  alea_rng chance;
  bool over, resigned;
  int thinker;  /* the role that thinks; -1: none */
  bool hinting; /* it thinks for the person */
  double since; /* when it began */
} alea_page_table;

static inline uint32_t alea_page_table_steps(const alea_page_table *t) {
  return (uint32_t)(t->history.count / t->game->role_count);
}
/* Whether something may be hidden from the person. */
static inline bool alea_page_table_hides(const alea_page_table *t) {
  return t->game->has_sees && t->person >= 0 && !t->over && !t->resigned;
}

/* ---- table.c ---- */

/* An empty table; it is cleared in any case. */
void alea_page_table_init(alea_page_table *t, alea_page_inbox *inbox);
/* Opens the game and seats everybody; the table owns 'wishes'.  Where it fails, 'diag' says why. */
alea_status alea_page_table_lay(alea_page_table *t, json_t *wishes);
/* Makes the players anew and replays the first 'steps' joint moves. */
alea_status alea_page_table_return_to(alea_page_table *t, uint32_t steps);
/* Plays t->joint and adds it to the history; everybody observes their part. */
alea_status alea_page_table_step(alea_page_table *t);
void alea_page_table_clear(alea_page_table *t);
/* The player string of a role. */
const char *alea_page_table_player(const alea_page_table *t, uint32_t role);

/* ---- table_text.c ---- */

/* Sends the position as the person may see it. */
alea_status alea_page_table_send_position(alea_page_table *t);
/* The members "svg" and "text", and "title" and "description" of an object. */
alea_status alea_page_table_put_board(alea_page_table *t, alea_json *json);
void alea_page_table_put_title(alea_page_table *t, alea_json *json);
/* Sends what the thinker thinks now; also an alea_watch's 'look'. */
void alea_page_table_send_opinion(void *table);
/* Sends what is wrong: a sentence, and the diagnostics. */
void alea_page_table_send_fault(alea_page_table *t, alea_status status);

/* ---- table_run.c ---- */

/* What the process of a table does; an alea_launch_main. */
int alea_page_table_run(int argc, char **argv);

#endif
