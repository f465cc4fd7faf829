#ifndef ALEA_ENCODE_FLAT_H
#define ALEA_ENCODE_FLAT_H

/* The constraints of a template as flat arrays, for propagation that follows
 * the differences between two positions (encode/closure.h).
 *
 * A fact is a variable with one of its values.  Every constraint becomes
 * rules: a head fact and a body of facts that hold or do not hold.  A
 * definition has them already; a row of a table is one, with the last variable
 * of the scope as the head.  The rules whose body holds are the supports of the
 * head, so a count per body of the literals that do not hold, and a count per
 * fact of the bodies that do, are all that propagation has to keep (the
 * counters of AC-4).
 *
 * Left out is what nothing depends on that is asked of a stage, and what is
 * known of every stage that is solved: no game has ended before it, and once it
 * is terminal nothing after the goals is looked at.
 *
 * A body with a positive literal over an action is tried only when that action
 * is taken: it hangs on the action's fact.
 *
 * Immutable, for any number of threads. */

#include "base/arena.h"
#include "encode/template.h"

enum { ENCODE_FLAT_NONE = UINT32_MAX };

typedef enum encode_flat_mode {
  ENCODE_FLAT_GIVEN,   /* fixed from outside, or a constant: no supports */
  ENCODE_FLAT_DEFINED, /* the value that has support, else the fallback */
  ENCODE_FLAT_HIGHEST, /* the largest value that has support */
  ENCODE_FLAT_CHOICE,  /* a domain: all values that have support */
  ENCODE_FLAT_PART     /* one of several that define each other */
} encode_flat_mode;

typedef struct encode_flat_var {
  uint32_t first;    /* its facts: value index i is first + i, and first + size means outside */
  uint32_t size;     /* values */
  uint32_t fallback; /* index of the value without support, ENCODE_FLAT_NONE: then it fails */
  uint32_t turn;     /* when its value is found, ENCODE_FLAT_NONE: nobody reads it */
  uint32_t part;
  uint8_t mode;   /* encode_flat_mode */
  uint8_t moving; /* depends on the actions */
  uint8_t risky;  /* supports may leave it without a value */
} encode_flat_var;

/* Rules that read a fact: targets[first ..], those that need it, then from
 * 'negative' those that need it not to hold; from 'direct' heads whose whole
 * body the fact is, from 'direct_negative' those whose body is that it does not
 * hold.  Then rules of its own part, all positive. */
typedef struct encode_flat_fact {
  uint32_t first, negative, direct, direct_negative, inner, end;
  uint32_t var;
} encode_flat_fact;

typedef struct encode_flat_rule {
  uint32_t head; /* fact */
  uint32_t part; /* ENCODE_FLAT_NONE: no recursion */
} encode_flat_rule;

/* A body that hangs on an action: the rest of its literals, but those over what
 * follows from the actions, which are counted. */
typedef struct encode_flat_hanging {
  uint32_t rule, first, count;
} encode_flat_hanging;

typedef struct encode_flat_literal {
  uint32_t var, index; /* 2 * value index + negative */
} encode_flat_literal;

typedef struct encode_flat_part {
  uint32_t first_var, var_count, first_rule, rule_count;
} encode_flat_part;

typedef struct encode_flat {
  alea_mem *mem;
  alea_arena arena;
  uint32_t var_count, checks; /* checks are variables of one value after those of the template */
  uint32_t fact_count, rule_count, part_count, target_count, hanging_count;
  encode_flat_var *vars;
  encode_flat_fact *facts;
  encode_flat_rule *rules;
  uint32_t *missing; /* per rule: literals that do not hold where no fact does; UINT32_MAX: its
                        only literal counts for the head itself */
  uint32_t *targets;
  encode_flat_part *parts;
  uint32_t *hang_first; /* per fact, and one more: into 'hangings' */
  encode_flat_hanging *hangings;
  encode_flat_literal *literals;
  uint32_t *turns;      /* variables in the order of their turns; NONE = a gap */
  uint32_t turn_count;  /* a multiple of 4096 */
  uint32_t moving_turn; /* the first turn of what depends on the actions; likewise */
} encode_flat;

/* ALEA_UNSUPPORTED: the network has a constraint that does not say which values
 * its last variable has. */
alea_status encode_flat_new(encode_flat **flat, const alea_template *t, alea_mem *mem);
void encode_flat_free(encode_flat *flat); /* NULL is a no-op. */

#endif
