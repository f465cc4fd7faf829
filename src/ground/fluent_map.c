/* Fluents by text. */
#include "ground/fluent_map.h"

#include <string.h>

#include "base/hash.h"

#define NOT_ASKED (UINT32_MAX - 1)

static uint32_t *slot_of(const alea_fluent_map *t, const char *text) {
  uint32_t mask = t->slot_count - 1;
  uint32_t at = (uint32_t)alea_hash_bytes(text, strlen(text)) & mask;
  while (t->slots[at] != 0 && strcmp(t->texts[t->slots[at] - 1], text) != 0) at = (at + 1) & mask;
  return &t->slots[at];
}

bool alea_fluent_map_init(alea_fluent_map *t, const alea_ground *g, const alea_game *game,
                          alea_mem *mem) {
  *t = (alea_fluent_map){.ground = g, .game = game, .mem = mem, .slot_count = 16};
  alea_arena_init(&t->arena, mem);
  while (t->slot_count < 2 * g->fluent_count + 2) t->slot_count *= 2;
  t->slots = alea_mem_calloc(mem, t->slot_count, sizeof *t->slots);
  t->texts = alea_arena_alloc(&t->arena, (g->fluent_count + 1) * sizeof *t->texts);
  bool good = t->slots != NULL && t->texts != NULL;
  alea_text text;
  alea_text_init(&text, mem);
  for (uint32_t f = 0; f < g->fluent_count && good; f++) {
    alea_text_truncate(&text, 0);
    alea_terms_print(g->terms, g->fluents[f], false, &text);
    t->texts[f] = alea_arena_strdup(&t->arena, alea_text_string(&text), text.length);
    good = t->texts[f] != NULL && !text.failed;
    if (good) *slot_of(t, t->texts[f]) = f + 1;
  }
  alea_text_clear(&text);
  return good;
}

void alea_fluent_map_clear(alea_fluent_map *t) {
  if (t->mem == NULL) return;
  alea_mem_free(t->mem, t->slots, t->slot_count * sizeof *t->slots);
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
    t->known[fluent] = *slot_of(t, alea_text_string(&text)) - 1; /* an empty slot: UINT32_MAX */
  alea_text_clear(&text);
  return t->failed ? UINT32_MAX : t->known[fluent];
}
