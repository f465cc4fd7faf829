#ifndef ALEA_SCSP_GROUPS_H
#define ALEA_SCSP_GROUPS_H

/* Key splitting (D5): which atoms of a predicate never hold
 * together, so that one variable with many values can stand for them.
 *
 * A class is a set of atoms with one functor: the fluents of a name, the atoms
 * of a derived predicate, what a role may see.  For each class the smallest
 * set of argument positions is looked for such that at most one atom holds per
 * value of them.  Random play proposes; induction over the ground rules proves
 * (by SAT: no state that keeps all proposals has a successor that breaks one);
 * what cannot be proved is watched over at least 10,000 states, and by whoever
 * uses it. */

#include "base/clock.h"
#include "scsp/atoms.h"

/* One group becomes one variable; its members are its values. */
typedef struct scsp_group {
  uint32_t class; /* which class */
  uint32_t first; /* members: groups.members[first ...], ascending */
  uint32_t count;
  bool proved; /* at most one member ever holds: proved, not only seen */
} scsp_group;

typedef enum scsp_class_kind { SCSP_FLUENTS, SCSP_DERIVED, SCSP_PERCEPTS } scsp_class_kind;

typedef struct scsp_class {
  scsp_class_kind kind;
  alea_symbol name; /* ALEA_NO_SYMBOL: an atom without a term, alone */
  uint32_t arity;
  uint32_t role;         /* percepts */
  uint32_t first, count; /* items[first ...] */
  uint32_t keys;         /* mask of the key positions */
  bool whole;            /* every item is its own group */
} scsp_class;

typedef struct scsp_groups {
  const scsp_atoms *atoms;
  alea_mem *mem;
  ALEA_VEC(scsp_class) classes;
  alea_u32s items; /* fluents, derived atoms, or indexes of ground->sees, by class */
  ALEA_VEC(scsp_group) groups;
  alea_u32s members;        /* items, by group */
  uint64_t states;          /* sampled */
  uint32_t proved, watched; /* groups of several members */
} scsp_groups;

typedef struct scsp_group_options {
  bool derived; /* group derived predicates and percepts too (encoder `paper`) */
  uint64_t seed;
  double prove_seconds; /* 0 = 2; at most a quarter of the deadline */
  const uint8_t *whole; /* NULL, or per fluent: 1 = its class was seen broken, do not group */
  const uint8_t *skip;  /* NULL, or per atom: 1 = belongs to no class */
  const struct alea_game *game; /* plays the samples where only fluents are grouped; or NULL */
  const alea_deadline *deadline;
} scsp_group_options;

alea_status scsp_groups_init(scsp_groups *groups, const scsp_atoms *atoms,
                             const scsp_group_options *options);
void scsp_groups_clear(scsp_groups *groups);

/* Makes every member of the marked classes a group of its own. */
bool scsp_groups_split(scsp_groups *groups, const uint8_t *classes);

/* The literal whose truth means that an item holds (a fluent: now). */
alea_glit scsp_item_literal(const scsp_groups *groups, const scsp_class *class, uint32_t item);
alea_term scsp_item_term(const scsp_groups *groups, const scsp_class *class, uint32_t item);

/* Proves groups of several members, or leaves them (exclusive.c).  Sets their
 * 'proved'; ALEA_LIMIT: not all questions were answered in 'seconds' of CPU
 * time, or by the deadline (which may be NULL). */
alea_status scsp_groups_prove(scsp_groups *groups, double seconds, const alea_deadline *deadline);

#endif
