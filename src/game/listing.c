/* Sorted lists of text. */
#include "game/listing.h"

#include <stdlib.h>
#include <string.h>

void alea_listing_init(alea_listing *listing, alea_mem *mem) {
  *listing = (alea_listing){0};
  alea_arena_init(&listing->arena, mem);
}

void alea_listing_clear(alea_listing *listing) {
  alea_vec_clear(listing->arena.mem, &listing->items);
  alea_arena_clear(&listing->arena);
}

alea_status alea_listing_copy(alea_listing *to, const alea_listing *from) {
  alea_mem *mem = to->arena.mem;
  alea_arena_clear(&to->arena);
  to->items.count = 0;
  if (!alea_vec_reserve(mem, &to->items, from->items.count)) return alea_mem_lack(mem);
  for (size_t i = 0; i < from->items.count; i++) {
    const char *text = from->items.data[i];
    const char *copy = alea_arena_strdup(&to->arena, text, strlen(text));
    if (copy == NULL) return alea_mem_lack(mem);
    to->items.data[to->items.count++] = copy;
  }
  return ALEA_OK;
}

/* strcmp compares as unsigned bytes, as the canonical order wants. */
static int compare(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

typedef enum what { FLUENTS, LEGAL, PERCEPTS } what;

static void print(const alea_game *game, what kind, uint32_t role, uint32_t id, bool spelling,
                  alea_text *out) {
  switch (kind) {
    case FLUENTS: alea_game_fluent_text(game, id, spelling, out); break;
    case LEGAL: alea_game_move_text(game, role, id, spelling, out); break;
    case PERCEPTS: alea_game_percept_text(game, id, spelling, out); break;
  }
}

static alea_status fill(alea_listing *listing, const alea_game *game, what kind, uint32_t role,
                        const alea_list *list) {
  alea_mem *mem = listing->arena.mem;
  alea_arena_clear(&listing->arena);
  listing->items.count = 0;
  if (!alea_vec_reserve(mem, &listing->items, list->count)) return ALEA_SYSTEM;
  alea_text text;
  alea_text_init(&text, mem);
  for (uint32_t i = 0; i < list->count; i++) {
    alea_text_truncate(&text, 0);
    print(game, kind, role, list->ids[i], listing->spelling, &text);
    const char *copy = alea_arena_strdup(&listing->arena, alea_text_string(&text), text.length);
    if (copy == NULL || text.failed) {
      alea_text_clear(&text);
      return ALEA_SYSTEM;
    }
    listing->items.data[listing->items.count++] = copy;
  }
  alea_text_clear(&text);
  size_t count = listing->items.count, kept = 0;
  const char **items = listing->items.data;
  if (count > 1) qsort(items, count, sizeof *items, compare);
  for (size_t i = 0; i < count; i++) {
    if (kept == 0 || strcmp(items[kept - 1], items[i]) != 0) items[kept++] = items[i];
  }
  listing->items.count = kept;
  return ALEA_OK;
}

alea_status alea_listing_of_fluents(alea_listing *listing, const alea_game *game,
                                    alea_list fluents) {
  return fill(listing, game, FLUENTS, 0, &fluents);
}

alea_status alea_listing_fluents(alea_listing *listing, alea_cursor *cursor) {
  alea_list list;
  alea_status status = alea_cursor_fluents(cursor, &list);
  return status != ALEA_OK ? status : fill(listing, cursor->game, FLUENTS, 0, &list);
}

alea_status alea_listing_legal(alea_listing *listing, alea_cursor *cursor, uint32_t role) {
  alea_list list;
  alea_status status = alea_cursor_legal(cursor, role, &list);
  return status != ALEA_OK ? status : fill(listing, cursor->game, LEGAL, role, &list);
}

alea_status alea_listing_percepts(alea_listing *listing, alea_cursor *cursor, uint32_t role) {
  alea_list list;
  alea_status status = alea_cursor_percepts(cursor, role, &list);
  return status != ALEA_OK ? status : fill(listing, cursor->game, PERCEPTS, role, &list);
}
