/* A group that grows generator by generator. */
#include "symmetry/generated_group.h"

#include <string.h>

/* Listed up to so many elements, and as long as they have room. */
enum { MOST_ELEMENTS = 256, MOST_NUMBERS = 1 << 23 };

static uint32_t width(const alea_generated_group *g) { return alea_symmetry_points(&g->group); }

void alea_generated_group_init(alea_generated_group *g, const alea_ground *ground, alea_mem *mem) {
  *g = (alea_generated_group){.ground = ground};
  g->points = ground->fluent_count + ground->move_count;
  g->group =
      (alea_symmetry){.mem = mem, .fluent_count = g->points, .move_count = ground->role_count};
}

void alea_generated_group_clear(alea_generated_group *g) {
  if (g->ground == NULL) return;
  size_t row = width(g) * sizeof *g->group.generators;
  alea_mem_free(g->group.mem, g->group.generators, g->group.generator_count * row);
  alea_mem_free(g->group.mem, g->group.elements, g->group.element_count * row);
  g->ground = NULL;
}

bool alea_generated_group_keeps_roles(const alea_generated_group *g, const uint32_t *element) {
  for (uint32_t r = 0; r < g->ground->role_count; r++)
    if (element[g->points + r] != g->points + r) return false;
  return true;
}

static bool is_it(const alea_generated_group *g, const uint32_t *element, const uint32_t *points,
                  const uint32_t *roles) {
  if (memcmp(element, points, g->points * sizeof *points) != 0) return false;
  for (uint32_t r = 0; r < g->ground->role_count; r++)
    if (element[g->points + r] != g->points + (roles != NULL ? roles[r] : r)) return false;
  return true;
}

bool alea_generated_group_has(const alea_generated_group *g, const uint32_t *points,
                              const uint32_t *roles) {
  for (uint32_t e = 0; e < g->group.element_count; e++)
    if (is_it(g, alea_generated_group_element(g, e), points, roles)) return true;
  for (uint32_t i = 0; i < g->group.generator_count; i++)
    if (is_it(g, g->group.generators + (size_t)i * width(g), points, roles)) return true;
  return false;
}

static alea_status list(alea_generated_group *g) {
  uint32_t most = MOST_NUMBERS / (width(g) + 1);
  if (g->overflow) return ALEA_OK;
  size_t row = width(g) * sizeof *g->group.elements;
  alea_mem_free(g->group.mem, g->group.elements, g->group.element_count * row);
  g->group.elements = NULL;
  g->group.element_count = 0;
  g->group.order = 0;
  if (most > 0)
    if (alea_symmetry_list(&g->group, most < MOST_ELEMENTS ? most : MOST_ELEMENTS) != ALEA_OK)
      return alea_mem_lack(g->group.mem);
  g->overflow = g->group.element_count == 0;
  return ALEA_OK;
}

static bool push(alea_generated_group *g, const uint32_t *points, const uint32_t *roles) {
  size_t row = width(g) * sizeof *g->group.generators, count = g->group.generator_count;
  uint32_t *grown =
      alea_mem_resize(g->group.mem, g->group.generators, count * row, (count + 1) * row);
  if (grown == NULL) return false;
  g->group.generators = grown;
  uint32_t *place = grown + count * width(g);
  memcpy(place, points, g->points * sizeof *points);
  for (uint32_t r = 0; r < g->ground->role_count; r++)
    place[g->points + r] = g->points + (roles != NULL ? roles[r] : r);
  g->group.generator_count++;
  return true;
}

alea_status alea_generated_group_add(alea_generated_group *g, const uint32_t *points,
                                     const uint32_t *roles, bool *added) {
  bool has = alea_generated_group_has(g, points, roles);
  if (added != NULL) *added = !has;
  if (has) return ALEA_OK;
  return push(g, points, roles) ? list(g) : alea_mem_lack(g->group.mem);
}

alea_status alea_generated_group_add_all(alea_generated_group *g, const alea_symmetry *symmetry) {
  for (uint32_t i = 0; i < symmetry->generator_count; i++)
    if (!push(g, symmetry->generators + (size_t)i * g->points, NULL))
      return alea_mem_lack(g->group.mem);
  return list(g);
}

/* ---- orders ---- */

static bool leaves_start(const alea_generated_group *g, const uint32_t *element) {
  const alea_ground *ground = g->ground;
  bool keeps = alea_generated_group_keeps_roles(g, element);
  for (uint32_t f = 0; f < ground->fluent_count; f++) {
    if (ground->init[f] == ground->init[element[f]]) continue;
    if (keeps || !alea_symmetry_names_role(ground, ground->fluents[f])) return false;
  }
  return true;
}

alea_symmetry_orders alea_generated_group_orders(const alea_generated_group *g, bool keeping) {
  alea_symmetry_orders orders = {0};
  for (uint32_t e = 0; e < g->group.element_count; e++) {
    const uint32_t *element = alea_generated_group_element(g, e);
    if (keeping && !alea_generated_group_keeps_roles(g, element)) continue;
    orders.rules++;
    orders.start += leaves_start(g, element);
  }
  return orders;
}
