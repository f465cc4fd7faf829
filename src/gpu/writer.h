#ifndef ALEA_GPU_WRITER_H
#define ALEA_GPU_WRITER_H

/* Writing the programs of lanes as code: every slot is a variable, every operation a
 * statement. */

#include <inttypes.h>

#include "base/text.h"
#include "gpu/register_allocation.h"
#include "propnet/lanes_compile.h"

/* Where the warps of a block wait for each other, so that they read the code together.  Long code
 * does not fit the memory that a processor has for instructions: warps that are at different
 * places take turns to fetch it, and wait longer for it than they compute. */
typedef struct alea_gpu_pace {
  uint32_t every; /* after so many statements; 0 is never */
  uint32_t since; /* statements since then */
  uint32_t apart; /* loops and conditions around, within which each goes on by itself */
} alea_gpu_pace;

/* What is being written. */
typedef struct alea_gpu_writer {
  const alea_lanes *lanes;
  const alea_lanes_program *program; /* of the tick */
  alea_text *text;
  uint8_t *used;  /* per slot: it is named in the text */
  uint32_t *leaf; /* per slot: of the loop that is being written, a value that is kept in
                   * another slot, as its literal; else 0 */
  bool few_goals, shares_tally;
  alea_gpu_pace *pace;
  alea_gpu_allocation *allocation; /* NULL: the compiler allocates registers */
  bool notes;                      /* statements are being noted for it */
} alea_gpu_writer;

/* The slot for moves that nobody reads. */
static inline uint32_t alea_gpu_unread_slot(const alea_gpu_writer *w) {
  return alea_lanes_false_slot(w->lanes->net) + 1;
}
/* Comes before each statement that reads or writes slots. */
void alea_gpu_put_moves(const alea_gpu_writer *w);
/* A slot as an expression, and as the variable that a statement writes. */
void alea_gpu_put_slot(const alea_gpu_writer *w, uint32_t slot);
void alea_gpu_put_result(const alea_gpu_writer *w, uint32_t slot);

/* 'count' statements have been written. */
void alea_gpu_put_pace(const alea_gpu_writer *w, uint32_t count);

/* A literal of a slot as an expression. */
void alea_gpu_put_literal(const alea_gpu_writer *w, uint32_t literal);
/* The operations of a section of the program.  A loop that may be passed over is performed where
 * the variable `fresh` is not 0. */
void alea_gpu_put_section(const alea_gpu_writer *w, alea_lanes_section section);
/* Declares a variable for each slot that is used. */
void alea_gpu_put_slots(const alea_gpu_writer *w);

#endif
