#ifndef ALEA_NET_MATCH_WORKER_H
#define ALEA_NET_MATCH_WORKER_H

/* The two threads of a match player (net/match_player.h), and what they share with it: a
 * list of turns, which each reads at its own pace. */

#include <pthread.h>

#include "base/arena.h"
#include "match/runner.h"
#include "net/follower.h"
#include "net/match_player.h"

/* One PLAY.  What was sent lives in the match player's arena. */
typedef struct alea_match_turn {
  alea_slice own;    /* our move according to the manager; empty: the move we sent */
  alea_slice events; /* joint move or percepts that led here */
  const char *sent;
  char *copy;      /* where they are, owned; NULL: they are empty */
  double deadline; /* of the thinker */
  bool numbered;   /* the form with turn and own move: the events are percepts */
  bool step;       /* a joint move was made before it */
  bool bad;        /* inconsistent with the rules: ignored */
} alea_match_turn;

#define ALEA_NO_TURN SIZE_MAX

typedef enum alea_match_stage {
  ALEA_MATCH_OPENING,
  ALEA_MATCH_UP,
  ALEA_MATCH_FAILED
} alea_match_stage;

typedef struct alea_match_worker {
  alea_match_player *match;
  bool fallback;
  pthread_t thread;
  bool running; /* the thread must be joined */
  atomic_bool stop;
  alea_deadline cancel; /* of everything it does: when the match is over */

  /* Guarded by the match player's lock. */
  alea_match_stage stage;
  bool started;       /* thinking before the first move is over */
  bool ended;         /* the thread is about to end */
  size_t answered;    /* 'answer' belongs to turn answered - 1 */
  const char *answer; /* in the arena */
  bool final;         /* there will be no better one */
  bool by_player;     /* the player has chosen it */
  size_t processed;   /* number of turns */
  size_t at;          /* the turn it is busy with; ALEA_NO_TURN: none */

  /* Used by the thread alone. */
  alea_mem mem;
  alea_opened opened;
  alea_match_sampler sampler;
  alea_player *player;
  alea_follower follower;
  alea_text text;
  uint32_t role;
  alea_move own; /* chosen at the last turn; ALEA_NO_MOVE: none */
  bool pondered; /* since the last turn */
} alea_match_worker;

struct alea_match_player {
  alea_match_player_options options;
  alea_ggp_message start; /* its slices are in the arena */
  alea_ggp_percepts percepts;
  const char *id, *rules;
  size_t rules_length;
  double start_deadline, start_cut; /* deadlines of the thinker and of alea_match_player_ready */
  atomic_bool quit;
  atomic_bool call; /* ends pondering */

  pthread_mutex_t lock; /* guards what follows */
  pthread_cond_t change;
  alea_mem mem;
  alea_arena arena;
  ALEA_VEC(alea_match_turn) turns;
  size_t closed;  /* turns that have been answered */
  uint64_t calls; /* of alea_match_player_play */
  const char *why;
  alea_status status; /* that belongs to 'why' */
  bool refused;       /* the player that was asked for cannot be made, */
  bool told;          /* that it has failed was said, */
  bool stood_in;      /* a move was sent that is not its own */
  alea_match_worker thinker, fallback;
};

/* Starts the thread of 'worker', one of the match's own; false: there is none to be had. */
bool alea_match_worker_start(alea_match_player *match, alea_match_worker *worker, bool fallback);

#endif
