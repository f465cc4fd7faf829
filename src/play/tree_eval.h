#ifndef ALEA_PLAY_TREE_EVAL_H
#define ALEA_PLAY_TREE_EVAL_H

/* A learnt evaluation inside a tree search, for what playouts do not see, such as
 * a queen that was lost: random play wins with and without it.
 *
 * Every node has a hope, what the evaluation expects the searching role to get
 * there (0..1).  It begins as the evaluation of the position, or of the best of its
 * successors, and goes up the tree beside the means as minimax values do
 * (implicit minimax backups; Lanctot, Winands, Pepels and Sturtevant 2014): the
 * one who chooses takes the best arm for himself.  Picks see a mix of an arm's
 * mean and its hope, and the value of a new node is a mix of playouts and hope.
 *
 * It is learnt in the start clock, from positions of random plays and the means of
 * playouts from them such as the search makes; how well it predicts such means at
 * other positions decides whether it is used.
 *
 * For games of two without chance and hidden information that the engine `net`
 * plays, and where the two share 100 in all plays seen: what one hopes for the
 * other fears. */

#include "game/sampler.h"
#include "minimax/linear_eval.h"
#include "play/node_store.h"
#include "play/player.h"

typedef struct alea_tree_eval {
  const alea_player_setup *setup; /* NULL: not for this game */
  alea_linear_eval own;           /* learnt by alea_tree_eval_learn */
  const alea_linear_eval *linear; /* the one that is used */
  float weight;                   /* of hopes in picks */
  float mix;                      /* of hopes in the value of a new node */
  uint32_t cut; /* steps after which playouts are valued by the evaluation; 0: at their end */
  alea_sample_worth worth; /* for the sampler */
  double least;            /* skill below which it is not used */
  double skill;   /* share of the differences between positions in what playouts are worth that
                     it explains, where it did not learn; below 0: it was not learnt */
  bool ready;     /* it is used */
  char note[120]; /* of alea_tree_eval_note */
} alea_tree_eval;

/* 'setup' must outlive it; weight, mix and least are set by the caller. */
void alea_tree_eval_init(alea_tree_eval *eval, const alea_player_setup *setup);
void alea_tree_eval_clear(alea_tree_eval *eval); /* a zeroed one too */

/* Learns with a share of a start clock, finds out how good it is, and decides;
 * '*rest' is what is left of the clock.  Where the budget has simulations, counts end
 * it, as long as there is time for them. */
alea_status alea_tree_eval_learn(alea_tree_eval *eval, const alea_budget *budget,
                                 alea_budget *rest);

/* Uses an evaluation of the same role that was learnt elsewhere, and is not copied: in a
 * game where the two share 100. */
void alea_tree_eval_adopt(alea_tree_eval *eval, const alea_linear_eval *linear);
/* Uses none. */
void alea_tree_eval_withdraw(alea_tree_eval *eval);

/* The hope of a new node. */
void alea_tree_eval_node(const alea_tree_eval *eval, alea_node *node);
/* The hopes of its arms, each by the position behind it; moves the cursor. */
alea_status alea_tree_eval_arms(const alea_tree_eval *eval, alea_cursor *cursor, alea_node *node);
/* The child by the arm 'pick' of the chooser, or by the only joint move, may have
 * another hope now. */
void alea_tree_eval_back_up(const alea_tree_eval *eval, alea_node *node, uint32_t pick,
                            const alea_node *child);
/* What a role hopes for at a node. */
static inline float alea_tree_eval_hope(const alea_tree_eval *eval, const alea_node *node,
                                        uint32_t role) {
  return role == eval->setup->role ? node->hope : 1 - node->hope;
}

/* Why it is used or not, for an analysis; NULL: nothing was learnt. */
const char *alea_tree_eval_note(alea_tree_eval *eval);

#endif
