#ifndef ALEA_MATCH_REMOTE_PLAYER_H
#define ALEA_MATCH_REMOTE_PLAYER_H

/* Guests: players that are not in this process, or not programs at all.
 *
 * The runner sends to all of them, lets its own players think meanwhile, and
 * then collects the answers.  What a remote is (HTTP, a person) is known to
 * those who make it; the runner sees this table alone.
 *
 * The order of calls is: start, answer, (play, answer)*, then stop or abort,
 * answer, free.  All come from the thread of the match. */

#include "match/open.h"

typedef struct alea_remote_player alea_remote_player;

/* What a remote is made of.  Everything is borrowed and outlives it. */
typedef struct alea_remote_player_setup {
  const alea_opened *opened;
  uint32_t role;
  const char *match; /* id of the match, a GDL name */
  double start, time, grace;
  uint64_t seed;
  alea_mem *mem; /* of this remote alone */
} alea_remote_player_setup;

/* A step was made; 'cursor' is where it led to.  Guests tell the other side
 * its percepts where the game has `sees`, else the joint move. */
typedef struct alea_remote_player_news {
  alea_cursor *cursor;
  const alea_move *joint; /* NULL before the first step */
} alea_remote_player_news;

typedef enum alea_remote_player_answer_kind {
  ALEA_REMOTE_PLAYER_TEXT, /* something came in time, perhaps nothing sensible */
  ALEA_REMOTE_PLAYER_LATE,
  ALEA_REMOTE_PLAYER_LOST, /* no connection, or it broke */
} alea_remote_player_answer_kind;

typedef struct alea_remote_player_answer {
  alea_remote_player_answer_kind kind;
  double seconds; /* it took */
} alea_remote_player_answer;

typedef struct alea_remote_player_class {
  bool human;
  /* These begin a request and do not wait. */
  void (*start)(alea_remote_player *remote, const alea_remote_player_news *news);
  void (*play)(alea_remote_player *remote, const alea_remote_player_news *news);
  void (*stop)(alea_remote_player *remote, const alea_remote_player_news *news);
  void (*abort)(alea_remote_player *remote);
  /* Waits for the end of the request; 'text' gets a move, a term in the words
   * of the game, or nothing where there was none. */
  alea_remote_player_answer (*answer)(alea_remote_player *remote, alea_text *text);
  void (*free)(alea_remote_player *remote);
} alea_remote_player_class;

/* Embedded as the first member. */
struct alea_remote_player {
  const alea_remote_player_class *class;
  alea_remote_player_setup setup;
};

/* Makes the remote that 'text' names, or leaves '*remote' NULL where the text
 * names none and a player of our own is meant.  ALEA_USAGE: a sentence in
 * 'message'. */
typedef alea_status alea_remote_player_opener(void *context, const char *text,
                                              const alea_remote_player_setup *setup,
                                              alea_remote_player **remote, alea_text *message);

#endif
