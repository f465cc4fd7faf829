#ifndef ALEA_PROPNET_INDEX_H
#define ALEA_PROPNET_INDEX_H

/* Texts and terms of a net, and the way back from text to number; internal. */

#include "ground/ground.h"
#include "propnet/propnet.h"

/* Fills the texts, the terms and the index of 'net' from 'ground'; the counts
 * of the net and move_first are set already.  What it allocates goes with the
 * net, also when it fails. */
alea_status alea_net_take_texts(alea_net *net, const alea_ground *ground);

#endif
