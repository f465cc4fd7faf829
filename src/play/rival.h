#ifndef ALEA_PLAY_RIVAL_H
#define ALEA_PLAY_RIVAL_H

/* Minimax as a rival of the flagship's tree: in the start clock it learns an
 * evaluation, and then both play short games in the role of the match to come,
 * each against the tree.  Who does better there is who plays; where nothing
 * tells them apart it is the tree.
 *
 * For games of two without chance and hidden information that the engine `net`
 * plays, and where the start clock is long enough for it; else nothing happens. */

#include "play/alpha_beta.h"

typedef struct alea_rival {
  const alea_player_setup *setup; /* NULL: not for this game */
  size_t memory;
  alea_linear_eval eval;
  alea_alpha_beta *search; /* NULL: there was no start clock */
  bool chosen;
  uint32_t games[2], goals[2]; /* of the trials: of the tree, and of minimax */
  alea_alpha_beta_answer answer;
  alea_choice choice;
  char note[160];
} alea_rival;

/* 'setup' must outlive it. */
void alea_rival_init(alea_rival *rival, const alea_player_setup *setup, size_t memory);
void alea_rival_clear(alea_rival *rival); /* a zeroed one too */

/* Learns and tries, with most of a start clock; '*rest' is what is left of it. */
alea_status alea_rival_start(alea_rival *rival, const alea_budget *budget, alea_budget *rest);
/* Where minimax was chosen: searches, and changes '*move' if something was found. */
alea_status alea_rival_select(alea_rival *rival, const uint64_t *words, size_t count,
                              const alea_budget *budget, alea_move *move);
/* What minimax thought, where it was chosen, and why who was chosen. */
void alea_rival_analyse(alea_rival *rival, alea_analysis *analysis);

#endif
