#ifndef ALEA_PLAY_BELIEF_H
#define ALEA_PLAY_BELIEF_H

/* What a role knows of the position.
 *
 * Without `sees` a role is told every joint move, and the belief is the one
 * true position.  With it the belief is a set of particles, complete positions
 * that agree with all the role has done and seen (the model `filter` of
 * D33): after a step, particles are drawn, the others' moves and chance are
 * drawn for them, and those remain that would have shown the role what it saw.
 * Drawing a source, trying once and rejecting gives each position its weight.
 * Where nothing remains, particles are drawn anew from the whole history: by
 * constraints (unroll/history.h) where the game is a network and that is not too
 * much work, or else by depth-first search over random choices.  Where that finds
 * nothing, the role plays at a guess: a position in which its own moves were legal, and
 * which agrees with as much of what was seen as a few tries for each step allow.
 *
 * A particle carries for every role a key of what that role did and saw on
 * the way, so that a search can tell the information sets of all roles.
 *
 * There are two other models.  `csp` draws all particles from the history by
 * constraints, before every move.  `paper` draws each thing that is not seen
 * independently (encode/independent_belief.h); particles then have the key of
 * the role itself alone. */

#include "base/choice.h"
#include "base/vec.h"
#include "play/player.h"

typedef struct alea_particle {
  alea_u64s words;
  uint64_t *keys; /* per role */
} alea_particle;
typedef ALEA_VEC(alea_particle) alea_particles;

#define ALEA_BELIEF_MODELS(word) \
  word(ALEA_BELIEF_FILTER, "filter") word(ALEA_BELIEF_CSP, "csp") word(ALEA_BELIEF_PAPER, "paper")
typedef enum alea_belief_model { ALEA_BELIEF_MODELS(ALEA_CHOICE_CONSTANT) } alea_belief_model;

typedef struct alea_belief {
  alea_mem *mem;
  alea_belief_model model;
  const alea_game *game;
  uint32_t role;
  alea_cursor *cursor;
  alea_move *joint;
  alea_rng rng;
  uint32_t target;     /* particles wanted */
  uint32_t live;       /* now[0 .. live) are particles; the rest is spare memory */
  uint32_t next_count; /* next[0 .. next_count) */
  alea_particles now;
  alea_particles next;
  alea_particles path;      /* of the search through the history */
  alea_u32s moves;          /* history: own moves */
  alea_u64s percept_hashes; /* history: signature of the percepts, step by step */
  alea_u32s seen;           /* history: the percepts themselves */
  alea_u32s seen_ends;      /* per step: where its percepts end in 'seen' */
  uint64_t redrawn;
  /* Of the constraint layer; made when they are first needed. */
  struct alea_history *history;
  struct alea_independent_belief *independent;
  alea_u32s legal;    /* that the role is known to have */
  bool guessed;       /* the only particle is a guess */
  bool unconstrained; /* they cannot be had for this game */
  double overrun;     /* seconds by which the last draws were late */
} alea_belief;

/* 'target' particles are wanted where the game has `sees`. */
alea_status alea_belief_init(alea_belief *belief, const alea_player_setup *setup, uint32_t target);
void alea_belief_clear(alea_belief *belief);

alea_status alea_belief_observe(alea_belief *belief, const alea_observation *observation);
/* To be called when the role is to move: drops particles where the game is
 * over.  Where no position is found that agrees with the history, in time (the deadline of the
 * memory) or at all, it is guessed; ALEA_LIMIT, ALEA_NONE: not even that. */
alea_status alea_belief_ready(alea_belief *belief);
/* Some position of the belief, with its weight. */
const alea_particle *alea_belief_draw(const alea_belief *belief, alea_rng *rng);
/* Sets 'cursor' to the particle. */
alea_status alea_particle_load(const alea_particle *particle, alea_cursor *cursor);
/* The role's legal moves, valid until the belief changes.  ALEA_NONE: none. */
alea_status alea_belief_legal(alea_belief *belief, alea_list *list);
/* How every choice begins: makes the belief ready and has a legal move at once,
 * whatever happens next.  '*forced': it is the only one. */
alea_status alea_belief_begin(alea_belief *belief, alea_player *player, alea_move *move,
                              bool *forced);

/* ---- for the models of belief_models.c ---- */

/* The particle at 'index' of 'now', made where it is the first beyond; NULL:
 * no memory. */
alea_particle *alea_belief_slot(alea_belief *belief, uint32_t index);
/* Copies the position of the belief's cursor. */
alea_status alea_belief_keep(alea_belief *belief, alea_particle *particle);
/* Copies now[from] to next[to], which is there or the first beyond. */
alea_status alea_belief_copy(alea_belief *belief, uint32_t from, uint32_t to);
/* Makes next[0 .. count) the particles. */
void alea_belief_swap(alea_belief *belief, uint32_t count);
/* Fills 'now' from the history by constraints; what cannot be done leaves it
 * empty. */
alea_status alea_belief_constrain(alea_belief *belief, bool running);
/* Replaces the one particle by others of the independent belief that leave the
 * role the same legal moves, if there are any. */
alea_status alea_belief_toss(alea_belief *belief);
void alea_belief_forget(alea_belief *belief);

/* A number for a set of percepts, in any order. */
uint64_t alea_belief_percepts_hash(alea_list percepts);

/* The key after a step: own move and percepts joined to it. */
uint64_t alea_belief_key(uint64_t key, alea_move own, uint64_t percept_hash);

#endif
