#ifndef ALEA_DRAW_EVAL_MAP_H
#define ALEA_DRAW_EVAL_MAP_H

/* What an evaluation has learnt as a picture: for each kind of fluents that stand at places, as
 * `(cell ? ? white)`, a board with the number of each place, and a table of the patterns. */

#include "base/text.h"
#include "minimax/linear_eval.h"

typedef struct alea_eval_map {
  alea_mem *mem;
  bool svg;       /* else text */
  alea_text body; /* so far */
  double width, height;
} alea_eval_map;

void alea_eval_map_init(alea_eval_map *map, bool svg, alea_mem *mem);
void alea_eval_map_clear(alea_eval_map *map);

/* Adds the boards of an evaluation, which is ready. */
alea_status alea_eval_map_add(alea_eval_map *map, const alea_linear_eval *eval);
/* Appends the whole picture. */
alea_status alea_eval_map_finish(const alea_eval_map *map, alea_text *out);

#endif
