#ifndef ALEA_TOSS_CONSTRUCTION_H
#define ALEA_TOSS_CONSTRUCTION_H

/* Internals of constructions: the four sets, shared by construct.c, which fills
 * them, and construct_list.c, which prints games. */

#include "toss/construct.h"

enum { ALEA_TOSS_MOST_PHRASES = 1 << 16 };

/* A formula or term as text. */
typedef struct alea_toss_phrase {
  const char *text;
  uint32_t free; /* bits: free variables */
  uint32_t height;
} alea_toss_phrase;

typedef struct alea_toss_shape_tuple {
  uint32_t relation, arity, elements[ALEA_TOSS_MOST_ARITY];
} alea_toss_shape_tuple;

typedef struct alea_toss_shape { /* a structure */
  uint32_t elements, first_tuple, tuple_count;
} alea_toss_shape;

typedef struct alea_toss_aim {
  uint32_t vertex, weight; /* out of the option's scale */
} alea_toss_aim;

typedef struct alea_toss_option {
  uint32_t left, right, formula; /* structures NONE: a test; formula NONE: true */
  uint32_t first_target, target_count, scale;
} alea_toss_option;

typedef struct alea_toss_vertex {
  uint32_t player;
  uint32_t payoffs[ALEA_TOSS_MOST_PLAYERS]; /* terms */
  uint32_t first_option, option_count;      /* none: an end */
} alea_toss_vertex;

struct alea_toss_construction {
  alea_mem *mem;
  const alea_toss_evaluation *evaluation;
  alea_arena texts;
  ALEA_VEC(alea_toss_phrase) formulas, terms;
  ALEA_VEC(alea_toss_shape) structures;
  ALEA_VEC(alea_toss_shape_tuple) tuples;
  ALEA_VEC(uint32_t) games; /* the first vertex of each */
  ALEA_VEC(alea_toss_vertex) vertices;
  ALEA_VEC(alea_toss_option) options;
  ALEA_VEC(alea_toss_aim) targets;
};

#endif
