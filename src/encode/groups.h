#ifndef ALEA_ENCODE_GROUPS_H
#define ALEA_ENCODE_GROUPS_H

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
#include "ground/atoms.h"

/* One group becomes one variable; its members are its values. */
typedef struct encode_group {
  uint32_t class; /* which class */
  uint32_t first; /* members: groups.members[first ...], ascending */
  uint32_t count;
  bool proved; /* at most one member ever holds: proved, not only seen */
} encode_group;

typedef enum encode_class_kind {
  ENCODE_CLASS_FLUENTS,
  ENCODE_CLASS_DERIVED,
  ENCODE_CLASS_PERCEPTS
} encode_class_kind;

typedef struct encode_class {
  encode_class_kind kind;
  alea_symbol name; /* ALEA_NO_SYMBOL: an atom without a term, alone */
  uint32_t arity;
  uint32_t role;         /* percepts */
  uint32_t first, count; /* items[first ...] */
  uint32_t keys;         /* mask of the key positions */
  bool whole;            /* every item is its own group */
} encode_class;

typedef struct encode_groups {
  const alea_atoms *atoms;
  alea_mem *mem;
  ALEA_VEC(encode_class) classes;
  alea_u32s items; /* fluents, derived atoms, or indexes of ground->sees, by class */
  ALEA_VEC(encode_group) groups;
  alea_u32s members;        /* items, by group */
  uint64_t states;          /* sampled */
  uint32_t proved, watched; /* groups of several members */
} encode_groups;

typedef struct encode_group_options {
  bool derived; /* group derived predicates and percepts too (encoder `paper`) */
  uint64_t seed;
  double prove_seconds; /* 0 = 2; at most a quarter of the deadline */
  bool counted;         /* proofs are limited by counts instead */
  const uint8_t *whole; /* NULL, or per fluent: 1 = its class was seen broken, do not group */
  const uint8_t *skip;  /* NULL, or per atom: 1 = belongs to no class */
  const struct alea_game *game; /* plays the samples where only fluents are grouped; or NULL */
  const alea_deadline *deadline;
} encode_group_options;

alea_status encode_groups_init(encode_groups *groups, const alea_atoms *atoms,
                               const encode_group_options *options);
void encode_groups_clear(encode_groups *groups);

/* Makes every member of the marked classes a group of its own. */
bool encode_groups_split(encode_groups *groups, const uint8_t *classes);

/* The literal whose truth means that an item holds (a fluent: now). */
alea_glit encode_item_literal(const encode_groups *groups, const encode_class *class,
                              uint32_t item);
alea_term encode_item_term(const encode_groups *groups, const encode_class *class, uint32_t item);

/* Proves groups of several members, or leaves them (exclusive.c).  Sets their
 * 'proved'; ALEA_LIMIT: not all questions were answered in 'seconds' of CPU
 * time (HUGE_VAL: in so many conflicts as are allowed then), or by the deadline
 * (which may be NULL). */
alea_status encode_groups_prove(encode_groups *groups, double seconds,
                                const alea_deadline *deadline);

#endif
