#ifndef ALEA_PLAY_TOSS_H
#define ALEA_PLAY_TOSS_H

/* Players of structure rewriting games.  They need the structures, not only
 * the game interface, so they read the rulesheet once more; other games they
 * refuse. */

#include "play/player.h"
#include "toss/arena.h"

/* Builds the network of a ground program (an alea_toss_builder). */
alea_toss_builder alea_play_toss_network;

#endif
