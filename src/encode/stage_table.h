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
  /* The template is not replaced where a position breaks it, which takes as long
   * as making it did: the answer to solving it, or to going there, is ALEA_NO. */
  bool fixed;
} alea_stage_table_options;

/* 't' and 'game' are borrowed and must outlive the stage; 't' was made for
 * stages (option 'flat'); 'mem' is the caller's thread's.  'options' and 'table'
 * may be NULL.  Where the template is guarded and a position breaks what it was
 * built on, the stage makes a template of its own that does without. */
alea_status alea_stage_new_table(alea_stage **stage, const alea_template *t, const alea_game *game,
                                 const alea_stage_options *options,
                                 const alea_stage_table_options *table, alea_mem *mem);

#endif
