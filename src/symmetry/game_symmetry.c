/* Game symmetries: a group of the ground program translated to a game. */
#include "symmetry/game_symmetry.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/text.h"
#include "ground/fluent_map.h"
#include "propnet/propnet.h"

/* ---- translating ---- */

typedef struct translator {
  alea_game_symmetry *m;
  const alea_game *game;
  const alea_net *net;
  const alea_ground *ground;
  const alea_symmetry *symmetry;
  uint32_t *to_game;   /* per point of the ground program, UINT32_MAX where there is none */
  uint32_t *to_ground; /* per point of the game */
  alea_text text;
} translator;

static void pair_points(translator *t, uint32_t ground_point, uint32_t game_point) {
  t->to_game[ground_point] = game_point;
  t->to_ground[game_point] = ground_point;
}

static bool pair_fluents(translator *t) {
  alea_fluent_map map;
  bool good = alea_fluent_map_init(&map, t->ground, t->game, t->m->mem);
  for (uint32_t f = 0; f < t->net->fluent_count && good; f++) {
    uint32_t ground = alea_fluent_map_find(&map, f);
    if (ground != UINT32_MAX) pair_points(t, ground, f);
    good = !map.failed;
  }
  alea_fluent_map_clear(&map);
  return good;
}

static void pair_moves(translator *t) {
  const alea_ground *g = t->ground;
  for (uint32_t r = 0; r < g->role_count; r++)
    for (uint32_t i = g->move_first[r]; i < g->move_first[r + 1]; i++) {
      alea_text_truncate(&t->text, 0);
      alea_terms_print(g->terms, g->moves[i], false, &t->text);
      alea_move move = alea_game_move_find(t->game, r, alea_text_string(&t->text));
      if (move == ALEA_NO_MOVE) continue;
      pair_points(t, g->fluent_count + i, t->net->fluent_count + t->m->move_first[r] + move);
    }
}

static bool name_points(translator *t) {
  uint32_t ground = alea_symmetry_points(t->symmetry);
  uint32_t game = t->net->fluent_count + t->net->move_count;
  t->to_game = alea_mem_calloc(t->m->mem, ground, sizeof *t->to_game);
  t->to_ground = alea_mem_calloc(t->m->mem, game, sizeof *t->to_ground);
  if (t->to_game == NULL || t->to_ground == NULL) return false;
  for (uint32_t p = 0; p < ground; p++) t->to_game[p] = UINT32_MAX;
  for (uint32_t p = 0; p < game; p++) t->to_ground[p] = UINT32_MAX;
  if (!pair_fluents(t)) return false;
  pair_moves(t);
  return !t->text.failed;
}

/* One generator in game numbers; false where it leads out of them. */
static bool translate(const translator *t, const uint32_t *from, uint32_t *to) {
  for (uint32_t p = 0; p < alea_symmetry_points(&t->m->group); p++) {
    uint32_t ground = t->to_ground[p];
    to[p] = ground == UINT32_MAX ? p : t->to_game[from[ground]];
    if (to[p] == UINT32_MAX) return false;
  }
  return true;
}

static bool moves_something(const uint32_t *permutation, uint32_t points) {
  for (uint32_t p = 0; p < points; p++)
    if (permutation[p] != p) return true;
  return false;
}

static bool translate_all(translator *t) {
  alea_symmetry *group = &t->m->group;
  uint32_t points = alea_symmetry_points(group), from = alea_symmetry_points(t->symmetry);
  alea_u32s found = {0};
  for (uint32_t g = 0; g < t->symmetry->generator_count; g++) {
    if (!alea_vec_reserve(t->m->mem, &found, points)) {
      alea_vec_clear(t->m->mem, &found);
      return false;
    }
    uint32_t *to = found.data + found.count;
    if (!translate(t, t->symmetry->generators + (size_t)g * from, to)) continue;
    if (!moves_something(to, points)) continue;
    found.count += points;
    group->generator_count++;
  }
  size_t bytes = (size_t)group->generator_count * points * sizeof *group->generators;
  group->generators = alea_mem_alloc(t->m->mem, bytes);
  bool good = group->generators != NULL;
  if (good && bytes > 0) memcpy(group->generators, found.data, bytes);
  if (!good) group->generator_count = 0;
  alea_vec_clear(t->m->mem, &found);
  return good;
}

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

static alea_status fill(alea_game_symmetry *m, const alea_game *game, const alea_ground *ground,
                        const alea_symmetry *symmetry) {
  const alea_net *net = alea_net_of_game(game);
  translator t = {.m = m, .game = game, .net = net, .ground = ground, .symmetry = symmetry};
  alea_text_init(&t.text, m->mem);
  bool good = name_points(&t) && translate_all(&t);
  alea_text_clear(&t.text);
  alea_mem_free(m->mem, t.to_game, alea_symmetry_points(symmetry) * sizeof *t.to_game);
  alea_mem_free(m->mem, t.to_ground, alea_symmetry_points(&m->group) * sizeof *t.to_ground);
  if (!good) return ALEA_SYSTEM;
  alea_status status = alea_symmetry_list(&m->group, 0);
  return status == ALEA_OK && !find_inverses(m) ? ALEA_SYSTEM : status;
}

alea_status alea_game_symmetry_new(alea_game_symmetry **result, const alea_game *game,
                                   const alea_ground *ground, const alea_symmetry *symmetry,
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
  alea_status status = m->move_first != NULL ? ALEA_OK : ALEA_SYSTEM;
  if (status == ALEA_OK) {
    memcpy(m->move_first, net->move_first, (net->role_count + 1) * sizeof *m->move_first);
    status = fill(m, game, ground, symmetry);
  }
  if (status != ALEA_OK) {
    alea_game_symmetry_free(m);
    return mem->hit_limit ? ALEA_LIMIT : status;
  }
  *result = m;
  return ALEA_OK;
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
static uint32_t find_orbits(const alea_game_symmetry *m, uint64_t excluded, const uint64_t *words,
                            uint64_t *scratch, const game_symmetry_points *these,
                            uint32_t *classes) {
  bool small = alea_game_symmetry_is_small(m);
  uint32_t permutations = small ? m->group.element_count : m->group.generator_count;
  uint32_t leaving = small ? 1 : 0;
  for (uint32_t i = 0; i < these->count; i++) classes[i] = i;
  for (uint32_t e = small ? 1 : 0; e < permutations; e++) {
    if (excluded != 0 && (e >= 64 || excluded >> e & 1)) continue;
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

void alea_game_symmetry_orbits(const alea_game_symmetry *m, uint64_t excluded,
                               const uint64_t *words, uint64_t *scratch, uint32_t role,
                               const alea_move *moves, uint32_t count, uint32_t *classes) {
  game_symmetry_points these = {m->group.fluent_count + m->move_first[role], moves, count};
  find_orbits(m, excluded, words, scratch, &these, classes);
}

uint32_t alea_game_symmetry_fluent_orbits(const alea_game_symmetry *m, const uint64_t *words,
                                          uint64_t *scratch, const uint32_t *fluents,
                                          uint32_t count, uint32_t *classes) {
  game_symmetry_points these = {0, fluents, count};
  return find_orbits(m, 0, words, scratch, &these, classes);
}
