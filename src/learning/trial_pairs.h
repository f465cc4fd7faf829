#ifndef ALEA_LEARNING_TRIAL_PAIRS_H
#define ALEA_LEARNING_TRIAL_PAIRS_H

/* A trial of two evaluations (learning/eval_trial.h) whose pairs of games are played on several
 * threads.  Each pair has searches and random numbers of its own, and pairs count in the order of
 * their numbers as long as there are positions left, so that the same seed gives the same result
 * whatever the number of threads. */

#include "learning/eval_trial.h"

/* 'trial->rng' is not asked; 'trial->least' is to be 'trial->sims'. */
alea_status alea_trial_pairs_run(alea_eval_trial *trial, uint64_t seed, uint32_t threads);

#endif
