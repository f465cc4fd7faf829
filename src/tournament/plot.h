#ifndef ALEA_TOURNAMENT_PLOT_H
#define ALEA_TOURNAMENT_PLOT_H

/* Plots as SVG: lines over numbers, or dots beside names. */

#include "base/text.h"

typedef struct alea_plot_point {
  double x, y;
  double low, high; /* an interval around y; equal: none */
} alea_plot_point;

typedef struct alea_plot_series {
  const char *name;
  const alea_plot_point *points;
  size_t count;
  bool dashed; /* published values */
} alea_plot_series;

typedef struct alea_plot {
  const char *title, *x, *y;
  double y_low, y_high; /* equal: derived from the data */
  const alea_plot_series *series;
  size_t count;
  const char *const *names; /* names at x = 0, 1, ...; NULL: a plot of lines */
  size_t name_count;
} alea_plot;

/* With 'names' values run to the right and names down the left side. */
void alea_plot_svg(const alea_plot *plot, alea_text *out);

#endif
