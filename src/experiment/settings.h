#ifndef ALEA_EXPERIMENT_SETTINGS_H
#define ALEA_EXPERIMENT_SETTINGS_H

/* What the numbers of a table were measured with, printed beside it: engine,
 * clock, and of each kind of player the options that decide a comparison
 * (reasoner, sampler, threshold, shares, symmetry), defaults included. */

#include "experiment/experiment.h"

/* Adds a paragraph per kind of player in the group's columns, and one on engine
 * and clock.  Nothing without a plan. */
void alea_settings_put(const alea_yaml *group, const alea_yaml *rows, const alea_results *results,
                       const alea_tournament_plan *plan, alea_doc *doc);

#endif
