/* Game symmetries: a group of the ground program translated to a game. */
#include "symmetry/game_symmetry.h"

#include <stdlib.h>
#include <string.h>

#include "propnet/propnet.h"

/* ---- inverses ---- */

static bool is_inverse(const uint32_t *a, const uint32_t *b, uint32_t points) {
  for (uint32_t p = 0; p < points; p++)
    if (b[a[p]] != p) return false;
  return true;
}

static bool find_inverses(alea_game_symmetry *m) {
  uint32_t count = m->group.element_count, points = alea_symmetry_points(&m->group);
  m->inverse = alea_mem_calloc(m->mem, count, sizeof *m->inverse);
  if (m->inverse == NULL) return false;
  for (uint32_t e = 0; e < count; e++)
    while (!is_inverse(alea_game_symmetry_element(m, e),
                       alea_game_symmetry_element(m, m->inverse[e]), points))
      m->inverse[e]++; /* a group has one */
  return true;
}

/* ---- the object ---- */

static bool copy_generators(alea_game_symmetry *m, const uint32_t *generators, uint32_t count) {
  size_t bytes = (size_t)count * alea_symmetry_points(&m->group) * sizeof *generators;
  m->group.generators = alea_mem_alloc(m->mem, bytes);
  if (m->group.generators == NULL) return false;
  if (bytes > 0) memcpy(m->group.generators, generators, bytes);
  m->group.generator_count = count;
  return true;
}

alea_status alea_game_symmetry_of_generators(alea_game_symmetry **result, const alea_game *game,
                                             const uint32_t *generators, uint32_t count,
                                             alea_mem *mem) {
  *result = NULL;
  const alea_net *net = alea_net_of_game(game);
  if (net == NULL) return ALEA_UNSUPPORTED;
  alea_game_symmetry *m = alea_mem_zalloc(mem, sizeof *m);
  if (m == NULL) return alea_mem_lack(mem);
  *m = (alea_game_symmetry){.mem = mem, .role_count = net->role_count};
  m->group =
      (alea_symmetry){.mem = mem, .fluent_count = net->fluent_count, .move_count = net->move_count};
  m->word_count = ((size_t)net->fluent_count + 63) / 64;
  m->move_first = alea_mem_calloc(mem, net->role_count + 1, sizeof *m->move_first);
  bool good = m->move_first != NULL;
  if (good) memcpy(m->move_first, net->move_first, (net->role_count + 1) * sizeof *m->move_first);
  good = good && copy_generators(m, generators, count) &&
         alea_symmetry_list(&m->group, 0) == ALEA_OK && find_inverses(m);
  if (!good) {
    alea_game_symmetry_free(m);
    return alea_mem_lack(mem);
  }
  *result = m;
  return ALEA_OK;
}

static bool moves_something(const uint32_t *permutation, uint32_t points) {
  for (uint32_t p = 0; p < points; p++)
    if (permutation[p] != p) return true;
  return false;
}

bool alea_game_symmetry_collect(const alea_point_map *map, const uint32_t *generator,
                                alea_u32s *found, alea_mem *mem) {
  if (!alea_vec_reserve(mem, found, map->game_count)) return false;
  uint32_t *to = found->data + found->count;
  if (alea_point_map_translate(map, generator, to) && moves_something(to, map->game_count))
    found->count += map->game_count;
  return true;
}

alea_status alea_game_symmetry_new(alea_game_symmetry **result, const alea_game *game,
                                   const alea_ground *ground, const alea_symmetry *symmetry,
                                   alea_mem *mem) {
  alea_point_map map;
  alea_u32s found = {0};
  *result = NULL;
  alea_status status = alea_point_map_init(&map, game, ground, mem);
  for (uint32_t g = 0; status == ALEA_OK && g < symmetry->generator_count; g++)
    if (!alea_game_symmetry_collect(&map, symmetry->generators + (size_t)g * map.ground_count,
                                    &found, mem))
      status = alea_mem_lack(mem);
  if (status == ALEA_OK)
    status = alea_game_symmetry_of_generators(
        result, game, found.data, (uint32_t)(found.count / (map.game_count + !map.game_count)),
        mem);
  alea_vec_clear(mem, &found);
  alea_point_map_clear(&map);
  return status;
}

void alea_game_symmetry_free(alea_game_symmetry *m) {
  if (m == NULL) return;
  size_t row = alea_symmetry_points(&m->group) * sizeof *m->group.generators;
  alea_mem_free(m->mem, m->group.generators, m->group.generator_count * row);
  alea_mem_free(m->mem, m->group.elements, m->group.element_count * row);
  alea_mem_free(m->mem, m->inverse, m->group.element_count * sizeof *m->inverse);
  alea_mem_free(m->mem, m->move_first, (m->role_count + 1) * sizeof *m->move_first);
  alea_mem_free(m->mem, m, sizeof *m);
}

/* ---- orbits ---- */

static int by_number(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

static uint32_t root_of(const uint32_t *classes, uint32_t i) {
  while (classes[i] != i) i = classes[i];
  return i;
}

/* Points of one kind, fluents or moves of a role, by their numbers there. */
typedef struct game_symmetry_points {
  uint32_t first; /* the point of number 0 */
  const uint32_t *numbers;
  uint32_t count;
} game_symmetry_points;

/* Joins every point with its image under one permutation. */
static void join_images(const game_symmetry_points *these, const uint32_t *permutation,
                        uint32_t *classes) {
  for (uint32_t i = 0; i < these->count; i++) {
    uint32_t image = permutation[these->first + these->numbers[i]] - these->first;
    if (image == these->numbers[i]) continue;
    const uint32_t *found = bsearch(&image, these->numbers, these->count, sizeof image, by_number);
    if (found == NULL) continue;
    uint32_t a = root_of(classes, i), b = root_of(classes, (uint32_t)(found - these->numbers));
    classes[a < b ? b : a] = a < b ? a : b;
  }
}

/* The orbits under what leaves the position as it is; how many listed
 * elements do, the identity among them. */
static uint32_t find_orbits(const alea_game_symmetry *m, const uint64_t *words, uint64_t *scratch,
                            const game_symmetry_points *these, uint32_t *classes) {
  bool small = alea_game_symmetry_is_small(m);
  uint32_t permutations = small ? m->group.element_count : m->group.generator_count;
  uint32_t leaving = small ? 1 : 0;
  for (uint32_t i = 0; i < these->count; i++) classes[i] = i;
  for (uint32_t e = small ? 1 : 0; e < permutations; e++) {
    const uint32_t *p =
        small ? alea_game_symmetry_element(m, e) : alea_game_symmetry_generator(m, e);
    alea_game_symmetry_words(m, p, words, scratch);
    if (memcmp(scratch, words, m->word_count * sizeof *words) != 0) continue;
    join_images(these, p, classes);
    leaving += small;
  }
  for (uint32_t i = 0; i < these->count; i++) classes[i] = root_of(classes, i);
  return leaving;
}

void alea_game_symmetry_orbits(const alea_game_symmetry *m, const uint64_t *words,
                               uint64_t *scratch, uint32_t role, const alea_move *moves,
                               uint32_t count, uint32_t *classes) {
  game_symmetry_points these = {m->group.fluent_count + m->move_first[role], moves, count};
  find_orbits(m, words, scratch, &these, classes);
}

uint32_t alea_game_symmetry_fluent_orbits(const alea_game_symmetry *m, const uint64_t *words,
                                          uint64_t *scratch, const uint32_t *fluents,
                                          uint32_t count, uint32_t *classes) {
  game_symmetry_points these = {0, fluents, count};
  return find_orbits(m, words, scratch, &these, classes);
}
