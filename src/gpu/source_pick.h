#ifndef ALEA_GPU_SOURCE_PICK_H
#define ALEA_GPU_SOURCE_PICK_H

/* Writing how moves are drawn. */

#include <inttypes.h>

#include "base/text.h"
#include "propnet/lanes_compile.h"

enum {
  ALEA_GPU_FEW_GOALS = 16,      /* so many are counted in variables */
  ALEA_GPU_FEW_VARIABLES = 700, /* so many the compiler handles well by itself */
};

/* What is being written. */
typedef struct alea_gpu_writer {
  const alea_lanes *lanes;
  const alea_lanes_program *program; /* of the tick */
  alea_text *text;
  uint8_t *used;  /* per slot: it is named in the text */
  uint32_t *leaf; /* per slot: of the loop that is being written, a value that is kept in
                   * another slot, as its literal; else 0 */
  bool few_goals;
} alea_gpu_writer;

/* The slot for moves that nobody reads. */
static inline uint32_t alea_gpu_unread_slot(const alea_gpu_writer *w) {
  return alea_lanes_false_slot(w->lanes->net) + 1;
}
/* A slot as an expression, and as a variable where it is one. */
void alea_gpu_put_slot(const alea_gpu_writer *w, uint32_t slot);

/* Declares the variables of the following. */
void alea_gpu_put_pick_variables(const alea_gpu_writer *w);
/* Draws a move of 'role' in the lanes `live`; adds lanes where it has none to
 * `stuck`. */
void alea_gpu_put_pick(const alea_gpu_writer *w, uint32_t role);

#endif
