#ifndef ALEA_EXPERIMENT_EXPERIMENT_H
#define ALEA_EXPERIMENT_EXPERIMENT_H

/* Reproduces the experiments of the papers.
 *
 * A file of experiments/ says what to do and what was published:
 *
 *   experiment: E4
 *   title: ...
 *   source: which paper, which table
 *   kind: matches            # or orchard, sizes, models, learned, claims, text
 *   about: [paragraphs]
 *   notes: [{id: D27, text: where the paper is unclear or wrong}]
 *   scales: {small: {...}, full: {...}, paper: {...}}
 *   tournament: {...}        # kind matches: as in plan.h; the scale's keys go first
 *   published: ...           # depends on the kind, see the files
 *   in-order: true           # one match after the other: players keep what they found out
 *
 * The result is a document that compares our values with the published ones. */

#include "tournament/doc.h"
#include "tournament/plan.h"
#include "tournament/results.h"

typedef struct alea_experiment {
  alea_mem *mem;
  const alea_yaml_file *file;
  const alea_yaml *root;
  const char *name, *kind, *scale;
  const alea_yaml *settings; /* of the scale */
  /* To be set by the caller; either may be NULL. */
  const char *folder; /* claims: where results are stored; NULL is the current one */
  alea_text *values;  /* gets what alea_experiment_note notes, as YAML */
} alea_experiment;

/* Interprets a file that was read.  ALEA_INPUT: it is not an experiment, and
 * the diagnostics of the file say where; ALEA_USAGE: it has no such scale. */
alea_status alea_experiment_init(alea_experiment *experiment, const alea_yaml_file *file,
                                 const char *scale, alea_mem *mem);
/* Learns the evaluations that players of the tournament need, if their files do
 * not exist yet (the key `prepare`). */
alea_status alea_experiment_prepare(const alea_experiment *experiment);
/* Whether matches must be played before the document can be written, and whether
 * one at a time. */
bool alea_experiment_plays(const alea_experiment *experiment);
bool alea_experiment_in_order(const alea_experiment *experiment);
/* Runs everything but matches, and writes the document.  'results' and 'plan'
 * are those of the tournament; NULL without one. */
alea_status alea_experiment_doc(const alea_experiment *experiment, const alea_results *results,
                                const alea_tournament_plan *plan, alea_doc *doc);

/* ---- the kinds, one file each ---- */

typedef alea_status alea_experiment_kind(const alea_experiment *experiment,
                                         const alea_results *results,
                                         const alea_tournament_plan *plan, alea_doc *doc);
alea_experiment_kind alea_experiment_matches; /* tables and plots of a tournament */
alea_experiment_kind alea_experiment_orchard; /* the light Orchard, exactly */
alea_experiment_kind alea_experiment_sizes;   /* constraint networks of games */
alea_experiment_kind alea_experiment_models;  /* strategic networks */
alea_experiment_kind alea_experiment_learned; /* formulas, a trajectory, a tree */
alea_experiment_kind alea_experiment_claims;  /* what stored results say to the claims (claims.h) */

/* Notes a number that claims refer to by its name; the names of one run differ. */
void alea_experiment_note(const alea_experiment *experiment, double number, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The published value of 'key' in a row; "–" if there is none. */
const char *alea_experiment_cell(const alea_yaml *row, const char *key);

#endif
