#ifndef ALEA_GROUND_GROUND_H
#define ALEA_GROUND_GROUND_H

/* The ground program: a game without variables.
 *
 * Atoms are numbered: 0 is "true", then the fluents (what `true` may hold),
 * then the moves (what `does` may hold, role by role), then derived atoms.  A
 * literal is 2 * atom + negated, so literal 0 is true and literal 1 false.
 * A derived atom holds when the body of one of its rules holds; rules are
 * sorted by head.  Static parts of the rulesheet are evaluated away.
 *
 * A ground program is immutable and owns its arrays and texts; it borrows
 * nothing.  `terms` lets the layers above look into fluents and moves. */

#include "base/clock.h"
#include "base/diag.h"
#include "base/status.h"
#include "base/terms.h"
#include "base/vec.h"

typedef uint32_t alea_atom;
typedef uint32_t alea_glit; /* 2 * atom + negated */
#define ALEA_GLIT_TRUE 0u
#define ALEA_GLIT_FALSE 1u

typedef struct alea_ground_rule {
  alea_atom head;     /* a derived atom */
  uint32_t first_lit; /* body: lits.data[first_lit ...], at least one */
  uint32_t lit_count;
} alea_ground_rule;

typedef struct alea_ground_goal {
  uint32_t role;
  int value; /* 0..100 */
  alea_glit lit;
} alea_ground_goal;

typedef struct alea_ground_percept {
  uint32_t role;
  uint32_t percept; /* index in 'percepts' */
  alea_glit lit;
} alea_ground_percept;

typedef struct alea_ground {
  alea_mem *mem;
  alea_symbols *symbols; /* owned copies, so that the program may go */
  alea_terms *terms;
  uint32_t role_count;
  alea_symbol *roles; /* role_count symbols, in joint-move order */
  int random_role;
  bool has_sees;

  uint32_t fluent_count; /* atoms 1 .. fluent_count */
  alea_term *fluents;    /* fluents[i]: the term of atom 1 + i */
  uint8_t *init;         /* init[i] = 1: fluent i holds at the start */
  alea_glit *next;       /* next[i]: when fluent i holds in the next state */

  uint32_t move_count; /* atoms fluent_count + 1 .. fluent_count + move_count */
  alea_term *moves;
  uint32_t *move_first; /* role r has moves move_first[r] .. move_first[r+1]-1 */
  alea_glit *legal;     /* per move */

  uint32_t atom_count;   /* all atoms, "true" included */
  alea_term *atom_terms; /* per atom, ALEA_NO_TERM for auxiliary ones; for ground GDL output */
  ALEA_VEC(alea_ground_rule) rules;
  ALEA_VEC(alea_glit) lits;

  alea_glit terminal;
  ALEA_VEC(alea_ground_goal) goals;
  ALEA_VEC(alea_term) percepts;
  ALEA_VEC(alea_ground_percept) sees;
} alea_ground;

typedef struct alea_ground_options {
  const alea_deadline *deadline; /* may be NULL */
  uint64_t max_instances;        /* rule instances; 0 = 50 million */
  bool plain; /* rules as written: nothing split or shared.  Larger, but the symmetry that the
                 author wrote is not hidden by how bodies were cut. */
} alea_ground_options;

struct alea_program;

/* Grounds 'program' into '*ground', owned by the caller; 'program' is not
 * needed afterwards.  ALEA_LIMIT: the deadline, the instance limit or the
 * limit of 'mem' was reached, and 'diag' says which. */
alea_status alea_ground_new(alea_ground **ground, struct alea_program *program,
                            const alea_ground_options *options, alea_mem *mem, alea_diag *diag);
void alea_ground_free(alea_ground *ground); /* NULL is a no-op. */

/* Appends the whole as ground GDL (KIF), with auxiliary atoms as `aux-N`. */
void alea_ground_print(const alea_ground *ground, alea_text *out);

#endif
