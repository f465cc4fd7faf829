#ifndef ALEA_SCSP_IMAGES_H
#define ALEA_SCSP_IMAGES_H

/* A store of positions up to symmetry ([SYM16 §4]): which of the positions that
 * were met before is a given one the image of?
 *
 * Where the group is small, a position is entered under its least image, and
 * one entry stands for all of them.  Where it is large, images are made by the
 * generators, breadth first, and every one of them is an entry.
 *
 * Positions have numbers that the owner gives, not 0.  They are compared by
 * 128 bits of hash.  The store owns its memory and keeps within a limit: what
 * does not fit is not entered, and then not found. */

#include "base/vec.h"
#include "scsp/mirror.h"

typedef struct alea_image_entry {
  uint64_t key[2];
  uint32_t position;
  uint32_t
      from;    /* large groups: 1 + the entry of which this is the image; 0: the position itself */
  uint32_t by; /* by this generator; small groups: the element that makes the least image */
} alea_image_entry;

typedef struct alea_images {
  alea_mem *mem;
  const alea_mirror *mirror; /* NULL: nothing is ever found */
  uint32_t most;             /* images of one position */
  size_t limit;              /* bytes */
  ALEA_VEC(alea_image_entry) entries;
  uint32_t *table; /* 1 + entry, open addressing */
  size_t table_size;
  uint64_t *words; /* scratch: two positions */
  alea_u64s front; /* scratch: images of one position */
} alea_images;

alea_status alea_images_init(alea_images *images, const alea_mirror *mirror, uint32_t most,
                             size_t limit, alea_mem *mem);
void alea_images_clear(alea_images *images);
/* Forgets all positions. */
void alea_images_empty(alea_images *images);

/* The position of which 'words' is an image, or 0; '*how' tells how they lie
 * to each other until positions are forgotten. */
uint32_t alea_images_find(alea_images *images, const uint64_t *words, uint32_t *how);
/* Enters a position that was not found.  Returns the number of its images
 * that were made. */
uint32_t alea_images_add(alea_images *images, const uint64_t *words, uint32_t position);

/* The move at the position asked for that corresponds to 'move' at the one
 * that was found; 'how' 0 is the position itself. */
alea_move alea_images_move(const alea_images *images, uint32_t how, uint32_t role, alea_move move);

#endif
