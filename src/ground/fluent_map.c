/* Fluents by text. */
#include "ground/fluent_map.h"

#include <string.h>

#include "base/hash.h"

#define NOT_ASKED (UINT32_MAX - 1)

static uint64_t hash_text(const char *text) { return alea_hash_bytes(text, strlen(text)); }

static uint32_t find(const alea_fluent_map *t, const char *text) {
  alea_hash_probe probe = alea_hash_map_probe(&t->map, hash_text(text));
  while (alea_hash_map_next(&t->map, &probe))
    if (strcmp(t->texts[probe.id], text) == 0) return probe.id;
  return UINT32_MAX;
}

bool alea_fluent_map_init(alea_fluent_map *t, const alea_ground *g, const alea_game *game,
                          alea_mem *mem) {
  *t = (alea_fluent_map){.ground = g, .game = game, .mem = mem};
  alea_arena_init(&t->arena, mem);
  t->texts = alea_arena_alloc(&t->arena, (g->fluent_count + 1) * sizeof *t->texts);
  bool good = alea_hash_map_init(&t->map, mem, g->fluent_count) && t->texts != NULL;
  alea_text text;
  alea_text_init(&text, mem);
  for (uint32_t f = 0; f < g->fluent_count && good; f++) {
    alea_text_truncate(&text, 0);
    alea_terms_print(g->terms, g->fluents[f], false, &text);
    t->texts[f] = alea_arena_strdup(&t->arena, alea_text_string(&text), text.length);
    good = t->texts[f] != NULL && !text.failed;
    if (good) alea_hash_map_add(&t->map, hash_text(t->texts[f]), f);
  }
  alea_text_clear(&text);
  return good;
}

void alea_fluent_map_clear(alea_fluent_map *t) {
  if (t->mem == NULL) return;
  alea_hash_map_clear(&t->map, t->mem);
  alea_mem_free(t->mem, t->known, t->known_count * sizeof *t->known);
  alea_arena_clear(&t->arena);
  *t = (alea_fluent_map){0};
}

static bool grow(alea_fluent_map *t, uint32_t fluent) {
  uint32_t count = 2 * fluent + 64;
  uint32_t *more =
      alea_mem_resize(t->mem, t->known, t->known_count * sizeof *more, count * sizeof *more);
  if (more == NULL) return false;
  for (uint32_t i = t->known_count; i < count; i++) more[i] = NOT_ASKED;
  t->known = more;
  t->known_count = count;
  return true;
}

uint32_t alea_fluent_map_find(alea_fluent_map *t, uint32_t fluent) {
  if (fluent >= t->known_count && !grow(t, fluent)) {
    t->failed = true;
    return UINT32_MAX;
  }
  if (t->known[fluent] != NOT_ASKED) return t->known[fluent];
  alea_text text;
  alea_text_init(&text, t->mem);
  alea_game_fluent_text(t->game, fluent, false, &text);
  if (text.failed)
    t->failed = true;
  else
    t->known[fluent] = find(t, alea_text_string(&text));
  alea_text_clear(&text);
  return t->failed ? UINT32_MAX : t->known[fluent];
}
