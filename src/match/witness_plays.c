/* Witnesses in random plays. */
#include <string.h>

#include "base/hash_map.h"
#include "game/playout.h"
#include "match/witness_finder.h"

/* The positions of one play, to see when one comes back. */
typedef struct witness_trail {
  alea_u32s moves;
  alea_u64s words, hashes;
  alea_u32s first_word; /* per position, and one more */
  alea_u32s reached;    /* per position: the joint moves before it came last */
  alea_hash_map map;
  uint32_t last_lot; /* the latest joint move that chance had a choice in, counted from 1 */
} witness_trail;

static uint64_t hash_of(const void *context, uint32_t position) {
  return ((const witness_trail *)context)->hashes.data[position];
}

/* Adds the cursor's position, reached after 'steps' joint moves.  '*before': when
 * the play was there last, or UINT32_MAX.  False without memory. */
static bool add_position(witness_finder *f, witness_trail *trail, uint32_t steps,
                         uint32_t *before) {
  size_t count;
  const uint64_t *words = alea_cursor_state(f->cursor, &count);
  uint64_t hash = alea_cursor_hash(f->cursor);
  *before = UINT32_MAX;
  if (!alea_hash_map_reserve(&trail->map, f->mem, hash_of, trail)) return false;
  alea_hash_probe probe = alea_hash_map_probe(&trail->map, hash);
  while (alea_hash_map_next(&trail->map, &probe)) {
    uint32_t first = trail->first_word.data[probe.id];
    if (trail->first_word.data[probe.id + 1] - first != count) continue;
    if (memcmp(trail->words.data + first, words, count * sizeof *words) != 0) continue;
    *before = trail->reached.data[probe.id];
    trail->reached.data[probe.id] = steps;
    return true;
  }
  uint32_t id = (uint32_t)trail->hashes.count;
  if (!alea_vec_reserve(f->mem, &trail->words, count) ||
      !alea_vec_push(f->mem, &trail->hashes, hash) ||
      !alea_vec_push(f->mem, &trail->reached, steps))
    return false;
  memcpy(trail->words.data + trail->words.count, words, count * sizeof *words);
  trail->words.count += count;
  if (!alea_vec_push(f->mem, &trail->first_word, (uint32_t)trail->words.count)) return false;
  alea_hash_map_put(&trail->map, probe, id);
  return true;
}

static alea_status start(witness_finder *f, witness_trail *trail) {
  trail->moves.count = trail->words.count = trail->hashes.count = trail->first_word.count = 0;
  trail->reached.count = 0;
  trail->last_lot = 0;
  alea_hash_map_empty(&trail->map);
  if (!alea_vec_push(f->mem, &trail->first_word, 0)) return ALEA_SYSTEM;
  return alea_cursor_reset(f->cursor);
}

/* A uniformly random joint move. */
static alea_status step(witness_finder *f, witness_trail *trail, alea_rng *rng, uint32_t steps) {
  for (uint32_t role = 0; role < f->game->role_count; role++) {
    alea_list legal;
    alea_status status = alea_cursor_legal(f->cursor, role, &legal);
    if (status != ALEA_OK) return status;
    if (!witness_is_player(f, role) && legal.count > 1) trail->last_lot = steps + 1;
    f->joint[role] = legal.ids[alea_rng_below(rng, legal.count)];
    if (!alea_vec_push(f->mem, &trail->moves, f->joint[role])) return ALEA_SYSTEM;
  }
  return alea_cursor_play(f->cursor, f->joint);
}

/* A play that comes back by the luck of the dice ends with probability 1; one
 * that comes back by the players' will need not. */
static alea_status note_cycle(witness_finder *f, const witness_trail *trail, uint32_t before,
                              uint32_t steps, bool *over) {
  bool cycle = before != UINT32_MAX;
  if (!cycle && steps < ALEA_DEFAULT_STEP_CAP) return ALEA_OK;
  if (!cycle) *over = true;
  if (!witness_is_wanted(f, ALEA_WITNESS_ENDLESS, 0)) return ALEA_OK;
  if (cycle && trail->last_lot > before) return ALEA_OK;
  alea_witness witness = {.kind = ALEA_WITNESS_ENDLESS, .cycle = cycle, .cycle_at = before};
  return witness_add(f, &witness, trail->moves.data, steps);
}

static alea_status one_play(witness_finder *f, witness_trail *trail, alea_rng *rng,
                            uint64_t *total) {
  alea_status status = start(f, trail);
  bool over = false;
  for (uint32_t steps = 0; status == ALEA_OK && !over; steps++) {
    uint32_t before = UINT32_MAX;
    if ((status = witness_look(f, &over)) != ALEA_OK) return status;
    if ((status = witness_add_here(f, trail->moves.data, steps)) != ALEA_OK) return status;
    if (over) break;
    if (*total >= f->limits->steps || alea_deadline_passed(f->limits->deadline)) return ALEA_LIMIT;
    if (witness_is_wanted(f, ALEA_WITNESS_ENDLESS, 0) && !add_position(f, trail, steps, &before))
      return ALEA_SYSTEM;
    status = note_cycle(f, trail, before, steps, &over);
    if (status == ALEA_OK && !over) status = step(f, trail, rng, steps);
    ++*total;
  }
  return status;
}

alea_status witness_search_plays(witness_finder *f) {
  enum { MOST_PLAYS = 2000 };
  witness_trail trail = {0};
  alea_rng rng;
  alea_rng_seed(&rng, f->limits->seed);
  alea_status status = f->limits->steps > 0 ? ALEA_OK : ALEA_LIMIT;
  uint64_t total = 0;
  for (int play = 0; status == ALEA_OK && play < MOST_PLAYS; play++)
    status = one_play(f, &trail, &rng, &total);
  alea_vec_clear(f->mem, &trail.moves);
  alea_vec_clear(f->mem, &trail.words);
  alea_vec_clear(f->mem, &trail.hashes);
  alea_vec_clear(f->mem, &trail.first_word);
  alea_vec_clear(f->mem, &trail.reached);
  alea_hash_map_clear(&trail.map, f->mem);
  return status;
}
