#ifndef ALEA_TOURNAMENT_REPORT_H
#define ALEA_TOURNAMENT_REPORT_H

/* Reports on a database of results. */

#include "tournament/doc.h"
#include "tournament/results.h"

/* Tables of players, games, learning curves and times; with plots. */
void alea_report_doc(const alea_results *results, const char *title, alea_doc *doc);
/* One row per pairing. */
void alea_report_csv(const alea_results *results, alea_text *out);
void alea_report_json(const alea_results *results, alea_text *out);

/* The mean of the first 'plays' scores, for learning curves. */
double alea_report_running(const alea_result *result, size_t plays);

#endif
