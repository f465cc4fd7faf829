#ifndef ALEA_TOSS_NOTES_H
#define ALEA_TOSS_NOTES_H

/* What a game could not find out while it was played, with the place in the file
 * that is to blame: formulas that stayed undecided, moves that ended early, and
 * limits.  Each is noted once, with a count; all cursors of a game share one
 * list, which is guarded by a mutex.  NULL is allowed everywhere. */

#include "toss/syntax.h"

typedef struct alea_toss_notes alea_toss_notes;

typedef enum alea_toss_note {
  ALEA_TOSS_NOTE_UNDECIDED, /* where a node: whether it holds stayed unknown */
  ALEA_TOSS_NOTE_LIMIT,     /* where a node: it is too large to be decided */
  ALEA_TOSS_NOTE_EXPANSION, /* where a node: its definitions expand too much */
  ALEA_TOSS_NOTE_LOST,      /* where a rule: its solution was lost at a time */
  ALEA_TOSS_NOTE_EQUATIONS, /* where a rule: its equations are too large */
  ALEA_TOSS_NOTE_EXACT,     /* where a rule: it embeds too many tuples */
  ALEA_TOSS_NOTE_ROOM,      /* where a rule: no number is left for a new element */
} alea_toss_note;

/* 'file' is borrowed.  NULL without memory. */
alea_toss_notes *alea_toss_notes_new(const alea_toss_file *file, alea_mem *mem);
void alea_toss_notes_free(alea_toss_notes *notes);

/* 'where' is the number of a node or of a rule; NONE is ignored. */
void alea_toss_notes_add(alea_toss_notes *notes, alea_toss_note note, uint32_t where, double time);
/* A label has more moves at once than can be listed. */
void alea_toss_notes_add_label(alea_toss_notes *notes, const alea_toss_label *label);

/* Appends all notes in the order of the file: limits as errors, the rest as
 * warnings. */
void alea_toss_notes_report(alea_toss_notes *notes, alea_diag *diag);

#endif
