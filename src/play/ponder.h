#ifndef ALEA_PLAY_PONDER_H
#define ALEA_PLAY_PONDER_H

/* A player that ponders on a thread of its own, while whoever owns it waits
 * for somebody else. */

#include <pthread.h>

#include "play/player.h"

/* Embedded by the caller, zeroed.  While it is running the player and its
 * alea_mem are not to be touched. */
typedef struct alea_ponder {
  alea_player *player;
  alea_move own;
  atomic_bool stop;
  bool running;
  pthread_t thread;
} alea_ponder;

/* Does nothing where the player does not ponder, or no thread can be had. */
void alea_ponder_start(alea_ponder *ponder, alea_player *player, alea_move own);
/* The player is the caller's again.  Nothing to do where none was started. */
void alea_ponder_stop(alea_ponder *ponder);

#endif
