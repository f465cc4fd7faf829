#ifndef ALEA_PLAY_BELIEF_H
#define ALEA_PLAY_BELIEF_H

/* What a role knows of the position.
 *
 * Without `sees` a role is told every joint move, and the belief is the one
 * true position.  With it the belief is a set of particles, complete positions
 * that agree with all the role has done and seen (the model `filter` of SPEC
 * 8.1): after a step, particles are drawn, the others' moves and chance are
 * drawn for them, and those remain that would have shown the role what it saw.
 * Drawing a source, trying once and rejecting gives each position its weight.
 * Where nothing remains, particles are drawn anew from the whole history by
 * depth-first search over random choices.
 *
 * A particle carries for every role a key of what that role did and saw on
 * the way, so that a search can tell the information sets of all roles.
 *
 * The models `paper` and `csp` (constraint layers) are to fill 'now' in
 * alea_belief_observe by other means. */

#include "base/vec.h"
#include "play/player.h"

typedef struct alea_particle {
  alea_u64s words;
  uint64_t *keys; /* per role */
} alea_particle;
typedef ALEA_VEC(alea_particle) alea_particles;

typedef struct alea_belief {
  alea_mem *mem;
  const alea_game *game;
  uint32_t role;
  alea_cursor *cursor;
  alea_move *joint;
  alea_rng rng;
  uint32_t target; /* particles wanted */
  uint32_t live;   /* now[0 .. live) are particles; the rest is spare memory */
  uint32_t made;   /* next[0 .. made) */
  alea_particles now;
  alea_particles next;
  alea_particles path; /* of the search through the history */
  alea_u32s moves;     /* history: own moves */
  alea_u64s sights;    /* history: signature of the percepts, step by step */
  uint64_t redrawn;
} alea_belief;

/* 'target' particles are wanted where the game has `sees`. */
alea_status alea_belief_init(alea_belief *belief, const alea_player_setup *setup, uint32_t target);
void alea_belief_clear(alea_belief *belief);

alea_status alea_belief_observe(alea_belief *belief, const alea_observation *observation);
/* To be called when the role is to move: drops particles where the game is
 * over.  ALEA_NO: no position is known that agrees with the history. */
alea_status alea_belief_ready(alea_belief *belief);
/* Some position of the belief, with its weight. */
const alea_particle *alea_belief_draw(const alea_belief *belief, alea_rng *rng);
/* Sets 'cursor' to the particle. */
alea_status alea_particle_load(const alea_particle *particle, alea_cursor *cursor);
/* The role's legal moves, valid until the belief changes.  ALEA_NO: none. */
alea_status alea_belief_legal(alea_belief *belief, alea_list *list);

/* A number for a set of percepts, in any order. */
uint64_t alea_belief_sight(alea_list percepts);

/* How deep a key is: own move and percepts joined to it. */
uint64_t alea_belief_key(uint64_t key, alea_move own, uint64_t sight);

#endif
