#ifndef ALEA_ENCODE_STAGE_TABLE_H
#define ALEA_ENCODE_STAGE_TABLE_H

/* The stage engine `table` (encode/stage.h): constraint propagation as in the
 * papers. */

#include "encode/services.h"
#include "encode/stage.h"
#include "encode/template.h"

typedef struct alea_stage_table_options {
  /* Nothing is left out because it cannot fail: every arm is propagated through
   * the transition, with every value of chance, and a successor is compared
   * with the game's own. */
  bool checked;
} alea_stage_table_options;

/* 't' and 'game' are borrowed and must outlive the stage; 'mem' is the
 * caller's thread's.  'options' and 'table' may be NULL.  Where the template is
 * guarded and a position breaks what it was built on, the stage makes a
 * template of its own that does without. */
alea_status alea_stage_new_table(alea_stage **stage, const alea_template *t, const alea_game *game,
                                 const alea_stage_options *options,
                                 const alea_stage_table_options *table, alea_mem *mem);

/* ---- inside: what stage_table.c and stage_forward.c share ---- */

/* Solving a position by forward checking ([FC80], [SFC06]) on the whole network,
 * by the definition of each constraint and without its propagator. */
typedef struct encode_forward encode_forward;
encode_forward *encode_forward_new(const alea_template *t, alea_mem *mem);
void encode_forward_free(encode_forward *f);
/* The state variables' values are in 'values' (one per variable of the
 * template, room for all).  Derives what follows up to the actions; false where
 * nothing is consistent. */
bool encode_forward_state(encode_forward *f, uint32_t *values);
/* Allowed values of action variable 'var', given the earlier ones: marks in
 * allowed[0 .. size-1]; returns how many. */
uint32_t encode_forward_allowed(encode_forward *f, uint32_t *values, alea_csp_var var,
                                bool *allowed);
/* Derives what follows from the actions; false where nothing is consistent. */
bool encode_forward_finish(encode_forward *f, uint32_t *values);
uint64_t encode_forward_checks(const encode_forward *f);

#endif
