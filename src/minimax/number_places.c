/* Places that hold a number. */
#include "minimax/number_places.h"

#include <string.h>

#include "base/vec.h"
#include "game/position.h"
#include "game/random_joint.h"
#include "propnet/propnet.h"

enum {
  PLAYS = 8,
  MOST_STEPS = 400, /* of them all */
  MOST_ROLES = 64,
  SEED = 1,
};
static const double NEARLY_ALWAYS = 0.9;

typedef struct place_watcher {
  const uint64_t *places;
  uint32_t *ends, *replaced; /* by fluent */
  uint32_t fluent_count;
} place_watcher;

static bool holds(const uint64_t *words, uint32_t fluent) {
  return (words[fluent >> 6] >> (fluent & 63) & 1) != 0;
}

/* Whether another fluent begins at the place of one that ends. */
static bool is_replaced(const place_watcher *w, uint32_t fluent, const uint64_t *from,
                        const uint64_t *to) {
  for (uint32_t f = 0; f < w->fluent_count; f++)
    if (w->places[f] == w->places[fluent] && !holds(from, f) && holds(to, f)) return true;
  return false;
}

static void note_step(place_watcher *w, const uint64_t *from, const uint64_t *to) {
  for (uint32_t f = 0; f < w->fluent_count; f++) {
    if (w->places[f] == ALEA_NO_PLACE || !holds(from, f) || holds(to, f)) continue;
    w->ends[f]++;
    w->replaced[f] += is_replaced(w, f, from, to);
  }
}

/* Watches a random play. */
static alea_status play(place_watcher *w, alea_cursor *cursor, uint32_t roles, alea_rng *rng,
                        alea_u64s *before, uint32_t *steps, alea_mem *mem) {
  alea_move joint[MOST_ROLES];
  uint32_t chooser;
  bool over = false, stuck = false;
  size_t count;
  alea_status status = alea_cursor_reset(cursor);
  while (status == ALEA_OK && *steps < MOST_STEPS) {
    status = alea_cursor_terminal(cursor, &over);
    if (status != ALEA_OK || over) return status;
    status = alea_random_joint(cursor, roles, rng, joint, &chooser, &stuck);
    if (status != ALEA_OK || stuck) return status;
    status = alea_position_keep(before, cursor, mem);
    if (status == ALEA_OK) status = alea_cursor_play(cursor, joint);
    if (status == ALEA_OK) note_step(w, before->data, alea_cursor_state(cursor, &count));
    ++*steps;
  }
  return status;
}

/* A place is judged as a whole: single numbers are seldom seen. */
static void judge(const place_watcher *w, bool *numbers) {
  for (uint32_t f = 0; f < w->fluent_count; f++) {
    uint32_t ends = 0, replaced = 0;
    if (w->places[f] == ALEA_NO_PLACE) continue;
    for (uint32_t g = 0; g < w->fluent_count; g++) {
      if (w->places[g] != w->places[f]) continue;
      ends += w->ends[g];
      replaced += w->replaced[g];
    }
    numbers[f] = ends > 0 && replaced >= NEARLY_ALWAYS * ends;
  }
}

alea_status alea_number_places_find(const alea_game *game, const uint64_t *places, bool *numbers,
                                    alea_mem *mem) {
  uint32_t fluents = alea_net_of_game(game)->fluent_count, steps = 0;
  alea_u64s before = {0};
  alea_cursor *cursor = NULL;
  place_watcher w = {.places = places, .fluent_count = fluents};
  w.ends = alea_mem_calloc(mem, 2 * (size_t)fluents + 1, sizeof *w.ends);
  if (w.ends == NULL) return alea_mem_lack(mem);
  w.replaced = w.ends + fluents;
  alea_rng rng;
  alea_rng_seed(&rng, SEED);
  alea_status status =
      game->role_count <= MOST_ROLES ? alea_cursor_new(game, mem, &cursor) : ALEA_OK;
  for (int i = 0; status == ALEA_OK && cursor != NULL && i < PLAYS && steps < MOST_STEPS; i++)
    status = play(&w, cursor, game->role_count, &rng, &before, &steps, mem);
  if (status == ALEA_OK) judge(&w, numbers);
  alea_cursor_free(cursor);
  alea_vec_clear(mem, &before);
  alea_mem_free(mem, w.ends, (2 * (size_t)fluents + 1) * sizeof *w.ends);
  return status;
}
