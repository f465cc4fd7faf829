#ifndef ALEA_PLAY_WATCH_H
#define ALEA_PLAY_WATCH_H

/* The time manager: when to stop thinking.
 *
 * The answer has to leave before the clock runs out, on a machine that may be
 * busy with something else.  A watch therefore stops a margin early: a share
 * of the time, and twice the longest gap it has seen between two looks, which
 * is what a simulation, or another process on the core, may cost once more. */

#include "play/player.h"

/* Kept by a player from move to move: what it has learned of the machine. */
typedef struct alea_pace {
  double gap; /* seconds: the longest gap of late, fading */
} alea_pace;

typedef struct alea_watch {
  alea_budget budget;
  alea_pace *pace;
  double start, last, end; /* on the budget's clock */
  double longest;          /* gap of this search */
  uint64_t limit;          /* simulations, UINT64_MAX = any number */
  uint32_t stride, until;  /* CPU clocks are slow to read: look every 'stride' calls */
} alea_watch;

void alea_watch_start(alea_watch *watch, const alea_budget *budget, alea_pace *pace);
/* To be asked before each simulation; 'done' simulations were made. */
bool alea_watch_over(alea_watch *watch, uint64_t done);
/* Tells the pace what was learned. */
void alea_watch_stop(alea_watch *watch);
/* The part of the time that is used up, 0..1; by simulations where they are
 * the only limit. */
double alea_watch_share(const alea_watch *watch, uint64_t done);

#endif
