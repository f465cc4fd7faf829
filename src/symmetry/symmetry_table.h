#ifndef ALEA_SYMMETRY_SYMMETRY_TABLE_H
#define ALEA_SYMMETRY_SYMMETRY_TABLE_H

/* Symmetry table: positions up to symmetry ([SYM16 §4]), to find the stored
 * position of which a given one is the image.
 *
 * Where the group is small, a position is entered under its least image, and
 * one entry stands for all of them.  Where it is large, or where it changes
 * (alea_symmetry_table_use), images are made by the generators, breadth first, and
 * every one of them is an entry.
 *
 * Positions have numbers that the owner gives, not 0.  They are compared by
 * 128 bits of hash.  The store owns its memory and keeps within a limit: what
 * does not fit is not entered, and then not found. */

#include "base/hash_map.h"
#include "base/vec.h"
#include "symmetry/game_symmetry.h"

typedef struct alea_symmetry_entry {
  uint64_t key[2];
  uint32_t position;
  uint32_t from;        /* of images: 1 + the entry of which this is one; 0: the position itself */
  uint32_t permutation; /* the one that makes it; of least images: the element that does */
} alea_symmetry_entry;

typedef struct alea_symmetry_table {
  alea_mem *mem;
  const alea_game_symmetry *symmetry; /* NULL: nothing is ever found */
  bool images;                        /* every image is an entry; else the least image is */
  uint32_t max_images;                /* of one position */
  size_t limit;                       /* bytes */
  alea_u32s permutations;             /* that entries were made by, one after the other */
  alea_u32s generators;               /* of the group, by their numbers among these */
  ALEA_VEC(alea_symmetry_entry) entries;
  alea_hash_map map; /* entries by key */
  uint64_t *words;   /* scratch: two positions */
  alea_u64s front;   /* scratch: images of one position */
} alea_symmetry_table;

alea_status alea_symmetry_table_init(alea_symmetry_table *table, const alea_game_symmetry *symmetry,
                                     uint32_t max_images, size_t limit, alea_mem *mem);
void alea_symmetry_table_clear(alea_symmetry_table *table);
/* Enters every image from now on, and makes them by another group of the same
 * game, which must outlive its use; what was entered stays as it is.  The first
 * call comes before any position is entered.  A generator for which there is no
 * memory left within the limit makes no images. */
void alea_symmetry_table_use(alea_symmetry_table *table, const alea_game_symmetry *symmetry);
/* Forgets all positions. */
void alea_symmetry_table_empty(alea_symmetry_table *table);

/* The position of which 'words' is an image, or 0; '*mapping' stands for the
 * symmetry between them until positions are forgotten. */
uint32_t alea_symmetry_table_find(alea_symmetry_table *table, const uint64_t *words,
                                  uint32_t *mapping);
/* Enters a position that was not found.  Returns the number of its images
 * that were made. */
uint32_t alea_symmetry_table_add(alea_symmetry_table *table, const uint64_t *words,
                                 uint32_t position);

/* The move at the position asked for that corresponds to 'move' at the one
 * that was found; 'mapping' 0 is the position itself. */
alea_move alea_symmetry_table_move(const alea_symmetry_table *table, uint32_t mapping,
                                   uint32_t role, alea_move move);

#endif
