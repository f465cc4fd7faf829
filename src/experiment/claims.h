#ifndef ALEA_EXPERIMENT_CLAIMS_H
#define ALEA_EXPERIMENT_CLAIMS_H

/* The published claims, and which of them our results bear out.
 *
 *   experiment: claims
 *   kind: claims
 *   claims:
 *     - claim: MAC-UCB beats UCT
 *       source: "[MACUCB16] table 3"
 *       experiment: E3
 *       measure: mean
 *       table: Scores in percent     # a group of E3, whose rows are the games
 *       column: {first: mac-ucb, second: uct}
 *       above: 50
 *       lanes: {first: mac-ucb net, second: uct lanes}
 *
 * The number that decides is, by `measure`,
 *   mean        the mean over the table's games that were measured (of `games`,
 *               where that is given) of the cells of `column`;
 *   difference  the same of `column` less `minus`, over games that have both;
 *   best        the `x` of the table's column with the largest mean over the
 *               games that were measured in every column;
 *   value       a number that the experiment noted under the name `value`
 *               (alea_experiment_note).
 * Means and differences have intervals from those of their cells (alea_linear),
 * `best` one by resampling the matches, and a value is exact.
 *
 * What is claimed is a side (`above`, `below`), a range (`between: [86, 94]`) or
 * a number (`equals`), and the published number beside it, which is computed
 * from the table in the same way, over the same games, or given by `equals`.
 * `comparable: false` is for claims about what the authors alone have, such as
 * their rulesheets or Sancho: a difference then says nothing against them.
 * `lanes` names the players of the same comparison with other settings; its
 * number stands beside and does not decide. */

#include "experiment/experiment.h"

/* Our number. */
typedef struct alea_estimate {
  bool there;
  double value;
  alea_bounds interval; /* both ends equal the value where it is exact */
  uint64_t matches;
  size_t games;
} alea_estimate;

/* What is claimed.  Infinite ends of the range are open sides. */
typedef struct alea_claimed {
  bool ranged, numbered, comparable;
  alea_bounds range;
  double number, rounding; /* printed as 'number', so it is true up to 'rounding' */
  double precision;        /* half the widest interval that can confirm a number */
} alea_claimed;

#define ALEA_CLAIM_OUTCOMES(word)                                                               \
  word(ALEA_CLAIM_NOT_MEASURED, "not measured") word(ALEA_CLAIM_REPRODUCED, "reproduced") word( \
      ALEA_CLAIM_NOT_REPRODUCED, "not reproduced") word(ALEA_CLAIM_CONTRADICTED, "contradicted")
typedef enum alea_claim_outcome { ALEA_CLAIM_OUTCOMES(ALEA_CHOICE_CONSTANT) } alea_claim_outcome;

/* Not measured without an estimate.  Reproduced if the interval lies wholly in
 * the claimed range, or contains the published number and is no wider than
 * 'precision' to either side.  Contradicted if it lies wholly outside of the
 * range or, where no range is claimed, does not contain the number, if what was
 * measured is comparable.  Not reproduced otherwise: the interval is too wide to
 * tell, or is one of something else. */
alea_claim_outcome alea_claim_decide(const alea_estimate *ours, const alea_claimed *claimed);

/* ---- an experiment whose results are stored ---- */

typedef struct alea_evidence {
  alea_mem *mem;
  alea_diag *diag;
  const char *name, *scale;
  alea_yaml_file file, values; /* the experiment, and the numbers that it noted */
  alea_experiment experiment;
  alea_tournament_plan plan; /* of no use but for the labels of budgets */
  alea_results results;
  bool read, planned, played, noted; /* which of these there are */
} alea_evidence;

/* Opens what 'folder' has of an experiment that ships: NAME-SCALE.db and
 * NAME-SCALE.values, neither of which need exist.  Must be cleared in any case.
 * ALEA_INPUT: there is no such experiment or scale, or a file is damaged. */
alea_status alea_evidence_open(alea_evidence *evidence, const char *name, const char *scale,
                               const char *folder, alea_mem *mem, alea_diag *diag);
void alea_evidence_clear(alea_evidence *evidence);

/* ---- the number of a claim ---- */

/* Computes our number for 'claim', with the players of 'variant' (its `lanes`)
 * if that is not NULL, and what was claimed.  ALEA_INPUT: the claim is not as
 * above, or names what the experiment does not have; the diagnostics of 'file'
 * say where. */
alea_status alea_claim_measure(const alea_yaml_file *file, const alea_yaml *claim,
                               const alea_yaml *variant, const alea_evidence *evidence,
                               alea_estimate *ours, alea_claimed *claimed);

#endif
