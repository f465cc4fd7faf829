/* Orbits of fluents and moves at a position. */
#include "match/orbits.h"

#include <stdlib.h>

#include "encode/services.h"

/* ---- finding ---- */

typedef struct orbits_finder {
  alea_mem *mem;
  const alea_game_symmetry *symmetry;
  const uint64_t *words;
  uint64_t *scratch;
} orbits_finder;

static int by_number(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

/* Numbers the classes in order of first appearance: classes[i] is the index of
 * the first item in the class of item i. */
static bool fill(orbits_finder *f, const uint32_t *numbers, const uint32_t *classes, uint32_t count,
                 alea_orbit_items *items) {
  uint32_t next = 0;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t class = classes[i] == i ? next++ : items->data[classes[i]].class;
    if (!alea_vec_push(f->mem, items, ((alea_orbit_item){numbers[i], class}))) return false;
  }
  return true;
}

/* The classes of 'list': fluents, or the moves of '*role'. */
static alea_status classify(orbits_finder *f, alea_list list, const uint32_t *role,
                            uint32_t *leaving, alea_orbit_items *items) {
  size_t bytes = list.count * sizeof(uint32_t);
  uint32_t *numbers = alea_mem_alloc(f->mem, bytes), *classes = alea_mem_alloc(f->mem, bytes);
  bool good = numbers != NULL && classes != NULL;
  if (good) {
    for (uint32_t i = 0; i < list.count; i++) numbers[i] = list.ids[i];
    qsort(numbers, list.count, sizeof *numbers, by_number);
    if (role != NULL)
      alea_game_symmetry_orbits(f->symmetry, f->words, f->scratch, *role, numbers, list.count,
                                classes);
    else
      *leaving = alea_game_symmetry_fluent_orbits(f->symmetry, f->words, f->scratch, numbers,
                                                  list.count, classes);
    good = fill(f, numbers, classes, list.count, items);
  }
  alea_mem_free(f->mem, numbers, bytes);
  alea_mem_free(f->mem, classes, bytes);
  return good ? ALEA_OK : alea_mem_lack(f->mem);
}

static alea_status find_all(alea_orbits *o, orbits_finder *f, alea_cursor *cursor) {
  alea_list list;
  alea_status status = alea_cursor_fluents(cursor, &list);
  if (status == ALEA_OK) status = classify(f, list, NULL, &o->leaving, &o->fluents);
  for (uint32_t r = 0; status == ALEA_OK && r < o->role_count; r++) {
    status = alea_cursor_legal(cursor, r, &list);
    if (status == ALEA_OK) status = classify(f, list, &r, NULL, &o->moves[r]);
  }
  return status;
}

alea_status alea_orbits_init(alea_orbits *o, const alea_opened *opened, alea_cursor *cursor,
                             double seconds, alea_mem *mem) {
  *o = (alea_orbits){.mem = mem, .role_count = opened->game->role_count};
  if (opened->services == NULL) return ALEA_UNSUPPORTED;
  alea_deadline deadline = alea_deadline_in(seconds);
  orbits_finder f = {.mem = mem};
  alea_status status = alea_services_game_symmetry(opened->services, ALEA_SYMMETRY_GAME,
                                                   seconds > 0 ? &deadline : NULL, &f.symmetry);
  if (status == ALEA_LIMIT && f.symmetry != NULL) status = ALEA_OK; /* what the rules show */
  if (status != ALEA_OK) return status == ALEA_LIMIT ? ALEA_LIMIT : ALEA_UNSUPPORTED;
  size_t count;
  f.words = alea_cursor_state(cursor, &count);
  f.scratch = alea_mem_calloc(mem, count, sizeof *f.scratch);
  o->moves = alea_mem_calloc(mem, o->role_count, sizeof *o->moves);
  o->symmetries = f.symmetry->group.order;
  status = f.scratch != NULL && o->moves != NULL ? find_all(o, &f, cursor) : alea_mem_lack(mem);
  alea_mem_free(mem, f.scratch, count * sizeof *f.scratch);
  return status;
}

void alea_orbits_clear(alea_orbits *o) {
  if (o->mem == NULL) return;
  alea_vec_clear(o->mem, &o->fluents);
  for (uint32_t r = 0; o->moves != NULL && r < o->role_count; r++)
    alea_vec_clear(o->mem, &o->moves[r]);
  alea_mem_free(o->mem, o->moves, o->role_count * sizeof *o->moves);
  *o = (alea_orbits){0};
}

/* ---- printing ---- */

static uint32_t members(const alea_orbit_items *items, uint32_t class) {
  uint32_t count = 0;
  for (size_t i = 0; i < items->count; i++) count += items->data[i].class == class;
  return count;
}

/* Prints one line for each class of several items. */
static void print_classes(const alea_orbit_items *items, const alea_game *game,
                          const uint32_t *role, alea_text *out) {
  for (uint32_t class = 0; class < items->count; class ++) {
    if (members(items, class) < 2) continue;
    if (role != NULL)
      alea_text_format(out, "%s may as well play", game->role_spelling[*role]);
    else
      alea_text_put(out, "alike");
    for (size_t i = 0; i < items->count; i++) {
      if (items->data[i].class != class) continue;
      alea_text_char(out, ' ');
      if (role != NULL)
        alea_game_move_text(game, *role, items->data[i].number, true, out);
      else
        alea_game_fluent_text(game, items->data[i].number, true, out);
    }
    alea_text_char(out, '\n');
  }
}

void alea_orbits_print(const alea_orbits *o, const alea_game *game, alea_text *out) {
  alea_text_format(out, "symmetries of the game: %.10g", o->symmetries);
  if (o->leaving > 0) alea_text_format(out, "; %u leave this position as it is", o->leaving);
  alea_text_char(out, '\n');
  print_classes(&o->fluents, game, NULL, out);
  for (uint32_t r = 0; r < o->role_count; r++) print_classes(&o->moves[r], game, &r, out);
}
