#ifndef ALEA_PLAY_EXACT_H
#define ALEA_PLAY_EXACT_H

/* Exact values and bounds of positions: max^n where one player chooses,
 * expectation over chance, security levels where several choose at once (D16;
 * score-bounded MCTS, [BOUNDS10], for any number of roles).
 *
 * The bounds of a role are right whatever the play that led to the position,
 * so positions may be shared, and may even repeat: lower bounds come from
 * finished games upward only, and so do upper ones. */

#include "play/node_store.h"
#include "play/player.h"

/* Computes the bounds of a node anew from its children.  True when something
 * changed.  Nodes without an array of children never change. */
bool alea_exact_update(alea_node_store *store, alea_node *node);

/* What bounds prove to the role they belong to. */
alea_proof alea_exact_proof(float lo, float hi);

#endif
