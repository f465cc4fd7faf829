#ifndef ALEA_PAGE_TABLE_H
#define ALEA_PAGE_TABLE_H

/* A table at which people and players play a game, for the page.
 *
 * It runs in a process of its own (page/launcher.h) and talks in lines of JSON
 * (page/inbox.h).  The first line lays the table:
 *
 *   {"game": "tictactoe"} or {"rules": "(role x) ...", "label": "mine.kif"}, and
 *   "role": the person's, "" to watch, or "people": ["xplayer", "oplayer"];
 *   "players": {"oplayer": "uct", ...}, "player": who sits where nothing else is
 *   said; "level": 1 to 9, or "seconds" per move; "clock" and "increment": seconds
 *   that each person has for the game, and gets for each move; "seed"
 *
 * Then it sends the position after every change, opinions and the main line while a
 * player thinks, and an answer to every wish: move, hint, undo, resign, rematch, now,
 * alike (whether moves that are symmetric are told).  Each of the people has a seat: what
 * is sent names the seat that it is for, unless all may see it, and wishes name the seat
 * that they come from.
 *
 * In a game with `sees` nothing is sent to a seat before the end but what its role
 * knows (match/knowledge.h): no opinions, lines and moves of others, and no seed. */

#include "base/json.h"
#include "draw/sketch.h"
#include "match/knowledge.h"
#include "match/runner.h"
#include "match/typed_move.h"
#include "page/inbox.h"
#include "play/main_line.h"

/* CPU seconds to look for the symmetries of a game. */
#define ALEA_PAGE_SYMMETRY_SECONDS 10.0

/* An opinion that was formed: for the curve of values. */
typedef struct alea_page_table_value {
  uint32_t step, role;
  double value;
} alea_page_table_value;

/* One of the people. */
typedef struct alea_page_table_seat {
  uint32_t role;
  bool asked;               /* has a move to choose here */
  bool decided;             /* and has chosen it: t->joint has the move */
  double left;              /* seconds on the clock */
  alea_knowledge knowledge; /* in games with `sees` */
  bool knows;               /* it was made */
} alea_page_table_seat;

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
  alea_page_table_seat *seats;
  uint32_t seat_count;     /* 0: the players are watched */
  double clock, increment; /* 0: the people have no clock */
  alea_budget budget;
  uint64_t seed;

  /* Per role. */
  alea_mem *mems;
  alea_player **players; /* the people's give hints */
  alea_move *joint;

  alea_u32s history; /* joint moves, one after another */
  ALEA_VEC(alea_page_table_value) values;
  alea_rng chance;
  bool over;
  int quitter;         /* the role that gave up or ran out of time; -1: none */
  bool flagged;        /* it ran out of time */
  bool alike;          /* moves that are symmetric are told */
  int thinker;         /* the role that thinks; -1: none */
  int hinted;          /* the seat that it thinks for; -1: for itself */
  double since;        /* when it began */
  alea_move chosen;    /* ALEA_NO_MOVE until it has */
  alea_status trouble; /* of telling what it thinks: the cursor may be lost */
  alea_main_line main_line;
  alea_u32s sent_line; /* the first joint moves of the one that was sent last */
} alea_page_table;

static inline uint32_t alea_page_table_steps(const alea_page_table *t) {
  return (uint32_t)(t->history.count / t->game->role_count);
}
static inline bool alea_page_table_ended(const alea_page_table *t) {
  return t->over || t->quitter >= 0;
}
/* Whether something may be hidden from the people. */
static inline bool alea_page_table_hides(const alea_page_table *t) {
  return t->game->has_sees && t->seat_count > 0 && !alea_page_table_ended(t);
}
/* Who sits at a role; NULL: a player, or chance. */
static inline alea_page_table_seat *alea_page_table_seat_of(const alea_page_table *t,
                                                            uint32_t role) {
  for (uint32_t i = 0; i < t->seat_count; i++)
    if (t->seats[i].role == role) return &t->seats[i];
  return NULL;
}

/* ---- table.c ---- */

/* An empty table; it is cleared in any case. */
void alea_page_table_init(alea_page_table *t, alea_page_inbox *inbox);
/* Opens the game; the table owns 'wishes'.  Where it fails, 'diag' says why. */
alea_status alea_page_table_open(alea_page_table *t, json_t *wishes);
/* The same, and seats everybody. */
alea_status alea_page_table_lay(alea_page_table *t, json_t *wishes);
/* Begins a game, with full clocks. */
alea_status alea_page_table_start(alea_page_table *t);
/* Makes the players anew and replays the first 'steps' joint moves. */
alea_status alea_page_table_return_to(alea_page_table *t, uint32_t steps);
/* Plays t->joint and adds it to the history; everybody observes their part. */
alea_status alea_page_table_step(alea_page_table *t);
void alea_page_table_clear(alea_page_table *t);
/* The player string of a role. */
const char *alea_page_table_player(const alea_page_table *t, uint32_t role);

/* ---- table_text.c ---- */

/* Sends the position to every seat, as its person may see it. */
alea_status alea_page_table_send_position(alea_page_table *t);
/* The members "svg" and "text", as a seat may see them (NULL: all of it), and "title"
 * and "description" of an object. */
alea_status alea_page_table_put_board(alea_page_table *t, alea_page_table_seat *seat,
                                      alea_json *json);
void alea_page_table_put_title(alea_page_table *t, alea_json *json);
/* Sends what is wrong: a sentence, and the diagnostics. */
void alea_page_table_send_fault(alea_page_table *t, alea_status status);
/* Parts of what is sent: the beginning of an object of this type for a seat (-1: all); a
 * move; a number or text that may be missing (below 0, NULL). */
void alea_page_table_begin(alea_page_table *t, alea_json *json, const char *type, int seat);
void alea_page_table_put_move(alea_page_table *t, alea_json *json, uint32_t role, alea_move move);
void alea_page_table_put_value(alea_json *json, const char *key, double value);
void alea_page_table_put_optional(alea_json *json, const char *key, const char *string);
/* The members "svg" and "text" of the position of the cursor. */
alea_status alea_page_table_draw(alea_page_table *t, const alea_listing *fluents, alea_json *json);

/* ---- table_effects.c ---- */

/* The member "effects": for each legal move of a role what holds after it and does not
 * before (where others choose, too: and not after another of its moves), or null where that is
 * hidden or too much. */
alea_status alea_page_table_put_effects(alea_page_table *t, uint32_t role, alea_json *json);
/* The member "aims": for names of moves whether what they make true is of who moves ("own") or
 * of another ("other"); left out where the rules have both. */
void alea_page_table_put_aims(alea_page_table *t, alea_json *json);

/* ---- table_think.c ---- */

/* Sends what the thinker thinks now, and its main line where that has changed; also an
 * alea_watch's 'look'. */
void alea_page_table_send_opinion(void *table);

/* ---- table_run.c ---- */

/* What the process of a table does; an alea_launch_main. */
int alea_page_table_run(int argc, char **argv);

#endif
