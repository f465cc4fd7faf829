#ifndef ALEA_SYMMETRY_GAME_SYMMETRY_H
#define ALEA_SYMMETRY_GAME_SYMMETRY_H

/* Game symmetries: a symmetry group on the positions and moves of a game.
 *
 * alea_symmetry permutes the fluents and moves of the ground program; a game symmetry
 * is the same group on the positions (words) and moves of a game over a
 * network, translated by the texts of fluents and moves.  A generator that
 * moves something the network has no number for is left out, so what remains
 * is a group of symmetries all the same.
 *
 * An image is a position by the rules, but play need not ever reach it, and a
 * network is built on what play may reach (clues of a puzzle become
 * constants).  So images are good for comparing positions, as keys; the game
 * itself is only asked about positions that were met.
 *
 * A game symmetry is immutable and owns its arrays; any thread may read it. */

#include "game/game.h"
#include "symmetry/point_map.h"
#include "symmetry/symmetry.h"

typedef struct alea_game_symmetry {
  alea_mem *mem;
  alea_symmetry group; /* fluents of the game, then its moves role by role */
  size_t word_count;   /* of a position */
  uint32_t role_count;
  uint32_t *move_first; /* per role: its move 0 among all moves */
  uint32_t *inverse;    /* per element: its inverse */
} alea_game_symmetry;

/* 'ground' is the ground program that 'symmetry' is about; nothing is
 * kept of either.  ALEA_UNSUPPORTED: the game is not played by a network. */
alea_status alea_game_symmetry_new(alea_game_symmetry **result, const alea_game *game,
                                   const alea_ground *ground, const alea_symmetry *symmetry,
                                   alea_mem *mem);
/* The group of 'count' generators in the numbers of the game, one after the
 * other, which are copied. */
alea_status alea_game_symmetry_of_generators(alea_game_symmetry **result, const alea_game *game,
                                             const uint32_t *generators, uint32_t count,
                                             alea_mem *mem);
/* Appends a generator of the ground program to 'found' in the numbers of the
 * game, unless it leads out of them or moves nothing there; false without
 * memory. */
bool alea_game_symmetry_collect(const alea_point_map *map, const uint32_t *generator,
                                alea_u32s *found, alea_mem *mem);
void alea_game_symmetry_free(alea_game_symmetry *symmetry); /* NULL is a no-op. */

/* Small groups are listed: elements 0 (the identity) .. element_count - 1.
 * Large ones have generators only. */
static inline bool alea_game_symmetry_is_small(const alea_game_symmetry *m) {
  return m->group.element_count > 0;
}
static inline bool alea_game_symmetry_is_trivial(const alea_game_symmetry *m) {
  return m->group.generator_count == 0;
}
static inline const uint32_t *alea_game_symmetry_element(const alea_game_symmetry *m,
                                                         uint32_t element) {
  return m->group.elements + (size_t)element * alea_symmetry_points(&m->group);
}
static inline const uint32_t *alea_game_symmetry_generator(const alea_game_symmetry *m,
                                                           uint32_t generator) {
  return m->group.generators + (size_t)generator * alea_symmetry_points(&m->group);
}

/* The image of a move under an element or generator. */
static inline alea_move alea_game_symmetry_move(const alea_game_symmetry *m,
                                                const uint32_t *permutation, uint32_t role,
                                                alea_move move) {
  uint32_t first = m->group.fluent_count + m->move_first[role];
  return permutation[first + move] - first;
}
/* The image of a position. */
static inline void alea_game_symmetry_words(const alea_game_symmetry *m,
                                            const uint32_t *permutation, const uint64_t *words,
                                            uint64_t *image) {
  alea_symmetry_map_state(&m->group, permutation, words, image);
}
/* The least image of a position, a key that all its images share, and the
 * element that makes it; for small groups. */
static inline uint32_t alea_game_symmetry_canonical(const alea_game_symmetry *m,
                                                    const uint64_t *words, uint64_t *canonical,
                                                    uint64_t *scratch) {
  return alea_symmetry_canonical(&m->group, words, canonical, scratch);
}

/* Which moves of 'role' are alike at a position: classes[i] <= i is the first
 * of moves[] that a symmetry which leaves the position as it is maps to
 * moves[i] (a large group: as far as single generators tell).  'moves' ascend;
 * 'scratch' has room for the words. */
void alea_game_symmetry_orbits(const alea_game_symmetry *m, const uint64_t *words,
                               uint64_t *scratch, uint32_t role, const alea_move *moves,
                               uint32_t count, uint32_t *classes);
/* The same for fluents, and how many listed symmetries leave the position as
 * it is: 0 where the group is large. */
uint32_t alea_game_symmetry_fluent_orbits(const alea_game_symmetry *m, const uint64_t *words,
                                          uint64_t *scratch, const uint32_t *fluents,
                                          uint32_t count, uint32_t *classes);

#endif
