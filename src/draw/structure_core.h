#ifndef ALEA_DRAW_STRUCTURE_CORE_H
#define ALEA_DRAW_STRUCTURE_CORE_H

/* Internals of structure drawings, shared by the files structure*.c alone. */

#include "base/arena.h"
#include "base/terms.h"
#include "base/vec.h"
#include "draw/structure.h"
#include "toss/syntax.h"

enum { ALEA_ELEMENT_NAME = 96 };

typedef struct alea_element {
  char name[ALEA_ELEMENT_NAME];
  double x, y;       /* in the plane */
  bool has_x, has_y; /* given by labels */
  bool alive;        /* in the position; others are not drawn */
  alea_text marks;   /* unary relations that hold of it */
  alea_text labels;  /* values of functions */
} alea_element;

typedef struct alea_arrow {
  uint32_t relation; /* index of the file */
  uint32_t from, to;
} alea_arrow;

struct alea_structure_drawing {
  alea_mem *mem;
  alea_toss_file *file;
  alea_terms *terms;               /* of the fluents read */
  ALEA_VEC(alea_element) elements; /* those of the start, then others as they appear */
  size_t start_count;
  bool varies; /* elements come and go: fluents `(element a)` say which are there */
  ALEA_VEC(alea_arrow) arrows;
  alea_text rest; /* what is not drawn elsewhere */
};

/* A fluent `(name a b)`; positions are made of names and numbers alone. */
typedef struct alea_structure_fact {
  const char *name, *args[2];
  uint32_t arity; /* 0 too where it is no fluent at all */
} alea_structure_fact;

alea_structure_fact alea_structure_fact_read(alea_terms *terms, const char *fluent);

/* Reads a position: elements, arrows and the rest of the drawing. */
alea_status alea_structure_read(alea_structure_drawing *d, const char *const *fluents,
                                size_t count);
/* The relation of that name, in any case of letters, or ALEA_TOSS_NONE. */
uint32_t alea_structure_relation(const alea_toss_file *file, const char *name);

#endif
