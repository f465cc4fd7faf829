#ifndef ALEA_GPU_SOURCE_PICK_H
#define ALEA_GPU_SOURCE_PICK_H

/* Writing how moves are drawn. */

#include "gpu/writer.h"

enum {
  ALEA_GPU_SHARED_GOALS = 8192,   /* so many in what a block shares */
  ALEA_GPU_FEW_GOALS = 16,        /* so many are counted in variables */
  ALEA_GPU_FEW_VARIABLES = 700,   /* so many the compiler handles well by itself */
  ALEA_GPU_FREE_VARIABLES = 400,  /* so many it has registers for, or finds them */
  ALEA_GPU_MANY_VARIABLES = 1020, /* of more than these we say which are in registers: games that
                                   * have fewer are about as fast, or faster, without */
};

/* Declares the variables of the following. */
void alea_gpu_put_pick_variables(const alea_gpu_writer *w);
/* Draws a move of 'role' in the lanes `live`; adds lanes where it has none to
 * `stuck`. */
void alea_gpu_put_pick(const alea_gpu_writer *w, uint32_t role);

#endif
