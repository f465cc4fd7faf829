#ifndef ALEA_ENCODE_CLOSURE_H
#define ALEA_ENCODE_CLOSURE_H

/* The arc-consistent closure of an instantiated stage, kept from one position
 * to the next.
 *
 * With the state fixed, each definition leaves its variable one value, and the
 * closure is reached by going through the variables once, in their order.  From
 * one position to another only what a changed variable supports is looked at
 * again: supports that are lost are counted down, those that are gained up, and
 * a variable whose supports changed gets its value anew when its turn comes
 * (dynamic arc consistency, with the order in place of a queue).  Variables that
 * define each other take back what they derived where a support was lost, and
 * reach their least model again.
 *
 * The actions stay open; their domains are the moves that have support.  Taking
 * a joint move fixes them, and the closure reaches the next state.
 *
 * A closure belongs to one thread. */

#include "encode/flat.h"

/* What changes with every support, together. */
typedef struct encode_closure_var {
  uint32_t value; /* index, ENCODE_FLAT_NONE: open */
  uint32_t held;  /* values that have support */
  uint32_t sum;   /* exclusive or of their indexes: the value itself where there is one */
} encode_closure_var;

typedef struct encode_closure {
  const encode_flat *flat; /* borrowed */
  alea_mem *mem;
  encode_closure_var *vars;
  uint32_t *support; /* per fact: bodies that hold */
  uint32_t *missing; /* per rule: literals that do not hold */
  uint32_t *roots;   /* per fact: bit of 'bits' that says whether it has support, or NONE */
  uint64_t *bits;
  size_t bit_words;
  uint64_t *dirty;   /* per turn */
  uint64_t *summary; /* per word of 'dirty' */
  uint32_t wrong[2]; /* variables without a value: of the state, and after the actions */
  uint8_t *reset;    /* per part: a support was lost */
  uint8_t *torn;     /* per part: two values of one variable were derived */
  uint32_t *old, *queue;
  uint32_t
      *taken; /* rules that hang on the actions taken and hold but for what follows from them */
  uint32_t taken_count;
  uint64_t visits; /* variables that got a value */
} encode_closure;

/* 'roots' is per fact and borrowed; its bits are below 64 * bit_words.  The
 * state is undefined everywhere.  False without memory. */
bool encode_closure_init(encode_closure *c, const encode_flat *flat, uint32_t *roots,
                         size_t bit_words, alea_mem *mem);
void encode_closure_clear(encode_closure *c);

/* Fixes a state variable to a value index. */
void encode_closure_set(encode_closure *c, uint32_t var, uint32_t index);
/* Reaches the closure of the state.  False: a variable has no value left. */
bool encode_closure_run(encode_closure *c);

/* Fixes actions, one value index per variable of 'actions', and reaches the
 * closure.  False: as above.  Either way undone by encode_closure_leave, which
 * comes before anything else is set. */
bool encode_closure_take(encode_closure *c, const uint32_t *actions, const uint32_t *indexes,
                         uint32_t count);
void encode_closure_leave(encode_closure *c, const uint32_t *actions, uint32_t count);

/* The value index of a defined variable, also of one that nobody reads. */
uint32_t encode_closure_value(const encode_closure *c, uint32_t var);

#endif
