#ifndef ALEA_MATCH_REMOTE_PLAYER_H
#define ALEA_MATCH_REMOTE_PLAYER_H

/* Remote players: players outside this process, or humans.
 *
 * The runner sends a request to all of them, lets its own players think
 * meanwhile, and then collects the answers.  Only the opener of a remote player
 * knows what it is (HTTP, a human); the runner sees this table of functions
 * alone.
 *
 * The order of calls is: preview, answer if there is a preview; start, answer,
 * (play, answer)*, then stop or abort, answer; abort, answer if stop went
 * unanswered; free.  All come from the thread of the match. */

#include "match/open.h"

typedef struct alea_remote_player alea_remote_player;

/* What a remote player is made from.  Everything is borrowed and outlives
 * it. */
typedef struct alea_remote_player_setup {
  const alea_opened *opened;
  uint32_t role;
  const char *match; /* id of the match, a GDL name */
  double preview, start, time, grace;
  uint64_t seed;
  alea_mem *mem; /* of this remote player alone */
} alea_remote_player_setup;

/* A step of the match; 'cursor' is at the position it led to.  A remote player
 * is sent its percepts if the game has `sees`, otherwise the joint move. */
typedef struct alea_remote_player_step {
  alea_cursor *cursor;
  const alea_move *joint; /* NULL before the first step */
} alea_remote_player_step;

typedef enum alea_remote_player_answer_kind {
  ALEA_REMOTE_PLAYER_TEXT, /* a text came in time; it may be no move */
  ALEA_REMOTE_PLAYER_LATE,
  ALEA_REMOTE_PLAYER_LOST, /* no connection, or it broke */
} alea_remote_player_answer_kind;

typedef struct alea_remote_player_answer {
  alea_remote_player_answer_kind kind;
  double seconds; /* duration of the request */
} alea_remote_player_answer;

typedef struct alea_remote_player_class {
  bool human;
  /* These begin a request and do not wait. */
  void (*preview)(alea_remote_player *remote, const alea_remote_player_step *step);
  void (*start)(alea_remote_player *remote, const alea_remote_player_step *step);
  void (*play)(alea_remote_player *remote, const alea_remote_player_step *step);
  void (*stop)(alea_remote_player *remote, const alea_remote_player_step *step);
  void (*abort)(alea_remote_player *remote);
  /* Waits for the end of the request.  'text' gets a move, as a term in the
   * words of the game, or nothing if there was none. */
  alea_remote_player_answer (*answer)(alea_remote_player *remote, alea_text *text);
  void (*free)(alea_remote_player *remote);
} alea_remote_player_class;

/* Embedded as the first member. */
struct alea_remote_player {
  const alea_remote_player_class *class;
  alea_remote_player_setup setup;
};

/* Makes the remote player that 'text' names; '*remote' stays NULL if 'text'
 * names a player of this process.  ALEA_USAGE: 'message' gets a sentence. */
typedef alea_status alea_remote_player_opener(void *context, const char *text,
                                              const alea_remote_player_setup *setup,
                                              alea_remote_player **remote, alea_text *message);

typedef enum alea_remote_player_state {
  ALEA_REMOTE_PLAYER_AVAILABLE,
  ALEA_REMOTE_PLAYER_BUSY,   /* it answers, and plays another match */
  ALEA_REMOTE_PLAYER_SILENT, /* it does not answer */
} alea_remote_player_state;

/* Asks the remote player that 'text' names whether it can play, for up to
 * 'seconds' until it can; 'name' gets what it calls itself, as bytes from
 * outside, or nothing.  If it is busy with the match 'match' (may be NULL), that
 * match is ended first. */
typedef alea_remote_player_state alea_remote_player_probe(void *context, const char *text,
                                                          double seconds, const char *match,
                                                          alea_text *name);

#endif
