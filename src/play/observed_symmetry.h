#ifndef ALEA_PLAY_OBSERVED_SYMMETRY_H
#define ALEA_PLAY_OBSERVED_SYMMETRY_H

/* Symmetries of a game with `sees` that leave all that a role did and saw as it is
 * (D64).
 *
 * Such a symmetry maps every course of play that the role takes for possible to
 * one that it takes for possible, as likely as the first where the others and
 * chance treat symmetric moves alike.  So the moves that it maps to each other
 * are worth the same to the role, although it need not leave any single state of
 * the belief as it is.
 *
 * A symmetry permutes percepts as a whole, so it is enough to look at one course
 * of play: of each step one position of the belief and one joint move are kept
 * that give what the role saw, a witness.  The image of the witness is played on
 * a cursor, and its percepts are compared.  Symmetries that move the initial state
 * are left out, so all images can be reached. */

#include "play/belief.h"
#include "symmetry/game_symmetry.h"

typedef struct alea_observed_symmetry {
  alea_mem *mem;
  const alea_game *game; /* borrowed */
  uint32_t role;
  alea_cursor *cursor;
  alea_rng rng;
  alea_move *image;   /* scratch: a joint move */
  uint64_t *words;    /* scratch: a position */
  size_t word_count;  /* of a position */
  alea_u64s states;   /* of the witnesses: the initial one, then one for each step */
  alea_u32s joints;   /* their joint moves */
  alea_u64s percepts; /* signatures of what the role saw */
  bool lost;          /* no witness was found of some step: nothing is known any more */
  uint64_t left;      /* a bit for each element that leaves the steps looked at as they are */
  size_t looked;      /* steps that 'left' is about; SIZE_MAX: not even the start */
} alea_observed_symmetry;

alea_status alea_observed_symmetry_init(alea_observed_symmetry *observed,
                                        const alea_player_setup *setup);
void alea_observed_symmetry_clear(alea_observed_symmetry *observed); /* a zeroed one too */

/* A step was made; 'belief' has not been told yet.  Finds a witness. */
alea_status alea_observed_symmetry_step(alea_observed_symmetry *observed, const alea_belief *belief,
                                        const alea_observation *observation);

/* Which of the role's moves, ascending, are alike for it now: classes[i] <= i is
 * the first that a symmetry of 'symmetry' maps to moves[i].  The group is small, and
 * the same in every call. */
alea_status alea_observed_symmetry_orbits(alea_observed_symmetry *observed,
                                          const alea_game_symmetry *symmetry,
                                          const alea_move *moves, uint32_t count,
                                          uint32_t *classes);

#endif
