#ifndef ALEA_LEARNING_TD_DEVICE_H
#define ALEA_LEARNING_TD_DEVICE_H

/* Games in which everybody looks one move ahead (learning/td_games.h), and the network that is
 * fitted to them, on a GPU (gpu/td_trainer.h). */

#include "learning/eval_clock.h"
#include "learning/network_fit.h"
#include "minimax/linear_eval.h"

/* A device that is asked for. */
typedef struct alea_eval_device {
  uint32_t number;
  char why[256]; /* why it was not used; empty where it was, or nobody asked */
} alea_eval_device;

typedef struct alea_td_device_games {
  const alea_linear_eval *eval; /* of a game of two without chance; borrowed, as these */
  alea_network_fit *fit;        /* whose parameters it begins with, and replaces */
  alea_eval_clock *clock;
  alea_eval_device *device;
  uint64_t seed;      /* of the games */
  uint64_t positions; /* at most, about; those that there were afterwards */
  /* Told of some positions of the last games and what they are worth, 0..1; may be NULL. */
  alea_status (*hear)(void *context, const uint64_t *words, float target);
  void *context;
} alea_td_device_games;

/* Plays, and learns.  ALEA_UNSUPPORTED: there is no device, or it cannot learn beside this
 * evaluation.  Where a device fails on the way nothing is changed. */
alea_status alea_td_device_learn(alea_td_device_games *games);

#endif
