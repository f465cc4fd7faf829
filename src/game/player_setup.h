#ifndef ALEA_GAME_PLAYER_SETUP_H
#define ALEA_GAME_PLAYER_SETUP_H

/* What a player is made of, and what it shares with the searches that work for it. */

#include "game/sampler.h"

/* Makes a sampler for the player's game; the player does not know which
 * engine answers. */
typedef alea_status alea_sampler_maker(const void *context, uint64_t seed, alea_mem *mem,
                                       alea_sampler **sampler);

/* What a player is made of.  Everything is borrowed and must outlive it. */
typedef struct alea_player_setup {
  const alea_game *game;
  uint32_t role;
  uint64_t seed;
  alea_mem *mem;               /* of this player alone, while it lives */
  alea_sampler_maker *sampler; /* NULL: the plain one */
  const void *sampler_context;
  struct alea_services *services; /* what constraints know of the game; NULL: nothing */
  const char *rewriting;          /* the rulesheet where the game is a rewriting game, else NULL */
  const char *evaluation;         /* file with an evaluation of it (alea learn); may be NULL */
  bool unhurried; /* no clock runs while it is made: what belongs to the game may be made now */
} alea_player_setup;

#endif
