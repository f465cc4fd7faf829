/* Views are interned: a hash map over (view before, player, items). */
#include "equilibrium/views.h"

#include <string.h>

#include "base/hash.h"

static uint64_t hash_of(uint32_t before, uint32_t player, const uint32_t *items, uint32_t count) {
  uint64_t hash = alea_hash_u32s(items, count);
  return alea_hash_mix(alea_hash_join(alea_hash_join(hash, before), player));
}

static uint64_t hash_of_view(const void *context, uint32_t id) {
  const alea_player_views *views = context;
  const alea_player_view *view = &views->list.data[id];
  return hash_of(view->before, view->player, views->items.data + view->first, view->count);
}

static bool same(const alea_player_views *views, const alea_player_view *view,
                 const alea_player_view *other, const uint32_t *items) {
  return view->before == other->before && view->player == other->player &&
         view->count == other->count &&
         (view->count == 0 ||
          memcmp(views->items.data + view->first, items, view->count * sizeof *items) == 0);
}

void alea_player_views_clear(alea_player_views *views, alea_mem *mem) {
  alea_vec_clear(mem, &views->list);
  alea_vec_clear(mem, &views->items);
  alea_hash_map_clear(&views->map, mem);
}

bool alea_player_views_add(alea_player_views *views, uint32_t before, uint32_t player,
                           const uint32_t *items, uint32_t count, alea_mem *mem, uint32_t *view) {
  alea_player_view fresh = {before, player, views->items.count, count};
  if (!alea_hash_map_reserve(&views->map, mem, hash_of_view, views)) return false;
  alea_hash_probe probe = alea_hash_map_probe(&views->map, hash_of(before, player, items, count));
  while (alea_hash_map_next(&views->map, &probe))
    if (same(views, &views->list.data[probe.id], &fresh, items)) {
      *view = probe.id;
      return true;
    }
  if (!alea_vec_reserve(mem, &views->list, 1) || !alea_vec_reserve(mem, &views->items, count))
    return false;
  for (uint32_t i = 0; i < count; i++) views->items.data[views->items.count++] = items[i];
  *view = (uint32_t)views->list.count;
  views->list.data[views->list.count++] = fresh;
  alea_hash_map_put(&views->map, probe, *view);
  return true;
}

bool alea_player_views_path(const alea_player_views *views, uint32_t view, alea_mem *mem,
                            alea_u32s *path) {
  path->count = 0;
  for (; views->list.data[view].before != ALEA_NO_VIEW; view = views->list.data[view].before)
    if (!alea_vec_push(mem, path, view)) return false;
  for (size_t i = 0, j = path->count; i + 1 < j--; i++) {
    uint32_t held = path->data[i];
    path->data[i] = path->data[j];
    path->data[j] = held;
  }
  return true;
}
