#ifndef ALEA_PLAY_RIVAL_H
#define ALEA_PLAY_RIVAL_H

/* Rivals of the flagship's tree: in the start clock an evaluation is learnt, unless one ships with
 * the game (minimax/shipped_evals.h), and then a
 * tree that uses it and minimax (minimax/alpha_beta.h) challenge the plain tree in trial games
 * (play/trials.h).  Who plays the match is decided by what the games say of its clock
 * (play/trial_evidence.h): a challenger that is probably better; where nothing is decided,
 * the tree, or minimax if its evaluation ships or the tree is too slow for a single trial.
 *
 * The start clock is invested by and by.  A tenth of it is for learning, and another for trials
 * with very little time for a move; whoever promises something then plays with four times as much
 * (successive halving; Karnin, Koren and Somekh 2013), so that it shows who gains by more time.  If
 * nobody does, the rest is the tree's, which begins its search.  Else more is learnt and tried, and
 * where minimax is chosen it learns on.  Where the match is counted in simulations, so are the
 * trials, and the choice is repeatable; trials that the start clock then cuts short decide nothing.
 *
 * For games of two to six roles in turns, without chance and hidden information, that the
 * engine `net` plays, and where the start clock is long enough for it; else nothing happens. */

#include "play/trial_evidence.h"
#include "play/trials.h"

typedef struct alea_rival {
  const alea_player_setup *setup; /* NULL: not for this game */
  size_t memory;
  alea_linear_eval eval;
  alea_other_evals others;
  bool shipped;            /* the evaluation is, and was not learnt */
  double overrun;          /* seconds by which learning took longer than it was to, lanes apart */
  alea_alpha_beta *search; /* NULL: neither tried nor asked for advice */
  bool advises;            /* it was asked for advice, and nobody was tried */
  alea_contender chosen;   /* ALEA_CONTENDER_TREE until another one is */
  bool contends[ALEA_CONTENDERS];
  alea_trial_evidence evidence[ALEA_CONTENDERS];
  alea_trial_verdict verdicts[ALEA_CONTENDERS];
  double trials_per_move; /* of the tree in the match, for each move of the first position */
  double spent;           /* share of the start clock; 0: simulations are counted */
  alea_alpha_beta_answer answer;
  alea_choice choice;
  char note[500];
} alea_rival;

/* What the flagship has, and what it was given. */
typedef struct alea_rival_request {
  const alea_search_options *tree;
  alea_tree_eval *eval;      /* NULL: no tree with an evaluation; it is ready if that is chosen */
  const alea_budget *budget; /* of the start clock */
  alea_budget move;          /* what a move of the match will have; nothing: not known */
} alea_rival_request;

/* 'setup' must outlive it. */
void alea_rival_init(alea_rival *rival, const alea_player_setup *setup, size_t memory);
void alea_rival_clear(alea_rival *rival); /* a zeroed one too */

/* Learns and tries, with most of a start clock; '*rest' is what is left of it. */
alea_status alea_rival_start(alea_rival *rival, const alea_rival_request *request,
                             alea_budget *rest);
/* Whether it was tried who is to play. */
static inline bool alea_rival_tried(const alea_rival *rival) {
  return rival->search != NULL && !rival->advises;
}
/* Where minimax was chosen: searches, and changes '*move' if something was found. */
alea_status alea_rival_select(alea_rival *rival, const uint64_t *words, size_t count,
                              const alea_budget *budget, alea_move *move);
/* Where nobody was tried: what minimax would do with a part of the budget, which '*share' becomes,
 * by an evaluation that ships with the game or is learnt within that part when it is asked first.
 * '*move' is ALEA_NO_MOVE where it has no opinion. */
alea_status alea_rival_advise(alea_rival *rival, const uint64_t *words, size_t count,
                              const alea_budget *budget, double *share, alea_move *move);
/* What minimax thought, where it was chosen, and why who was chosen. */
void alea_rival_analyse(alea_rival *rival, alea_analysis *analysis);

#endif
