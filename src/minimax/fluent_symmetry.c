/* Symmetries of a game as permutations of its fluents. */
#include "minimax/fluent_symmetry.h"

#include <string.h>

#include "propnet/propnet.h"
#include "symmetry/point_map.h"

static bool add(alea_fluent_symmetry *s, const uint32_t *map, bool exchanges) {
  if (!alea_vec_reserve(s->mem, &s->images, s->fluent_count) ||
      !alea_vec_push(s->mem, &s->exchanges, exchanges))
    return false;
  memcpy(s->images.data + s->images.count, map, s->fluent_count * sizeof *map);
  s->images.count += s->fluent_count;
  s->count++;
  return true;
}

/* Adds the generators of a group, in the numbers of the game. */
static alea_status add_group(alea_fluent_symmetry *s, const alea_game *game,
                             const alea_generated_group *group, bool exchange) {
  alea_point_map points;
  alea_status status = alea_point_map_init(&points, game, group->ground, s->mem);
  if (status != ALEA_OK) return status;
  uint32_t *map = alea_mem_calloc(s->mem, points.game_count, sizeof *map);
  bool good = map != NULL;
  for (uint32_t i = 0; good && i < group->group.generator_count; i++) {
    const uint32_t *generator =
        group->group.generators + (size_t)i * alea_symmetry_points(&group->group);
    bool keeps = alea_generated_group_keeps_roles(group, generator);
    if ((!keeps && !exchange) || !alea_point_map_translate(&points, generator, map)) continue;
    good = add(s, map, !keeps);
  }
  alea_mem_free(s->mem, map, points.game_count * sizeof *map);
  alea_point_map_clear(&points);
  return good ? ALEA_OK : alea_mem_lack(s->mem);
}

alea_status alea_fluent_symmetry_find(alea_fluent_symmetry *s, const alea_game *game,
                                      alea_services *services, bool exchange,
                                      const alea_deadline *deadline, alea_mem *mem) {
  const alea_semantic_symmetry *semantic;
  *s = (alea_fluent_symmetry){.mem = mem, .fluent_count = alea_net_of_game(game)->fluent_count};
  if (services == NULL) return ALEA_OK;
  alea_status status = alea_services_semantic(services, exchange, deadline, &semantic);
  if (status != ALEA_OK) return status == ALEA_SYSTEM ? status : ALEA_OK;
  return add_group(s, game, &semantic->group, exchange);
}

void alea_fluent_symmetry_clear(alea_fluent_symmetry *s) {
  if (s->mem == NULL) return;
  alea_vec_clear(s->mem, &s->images);
  alea_vec_clear(s->mem, &s->exchanges);
  *s = (alea_fluent_symmetry){0};
}

const uint32_t *alea_fluent_symmetry_exchange(const alea_fluent_symmetry *s) {
  for (uint32_t i = 0; i < s->count; i++)
    if (s->exchanges.data[i]) return alea_fluent_symmetry_at(s, i);
  return NULL;
}
