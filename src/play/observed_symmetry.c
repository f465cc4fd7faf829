/* Symmetries that leave what a role has seen as it is. */
#include "play/observed_symmetry.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_TRIES = 256 }; /* joint moves that are tried for a witness */

alea_status alea_observed_symmetry_init(alea_observed_symmetry *o, const alea_player_setup *setup) {
  *o = (alea_observed_symmetry){
      .mem = setup->mem, .game = setup->game, .role = setup->role, .looked = SIZE_MAX};
  alea_rng_seed_stream(&o->rng, setup->seed, 5);
  alea_status status = alea_cursor_new(o->game, o->mem, &o->cursor);
  if (status == ALEA_OK) status = alea_cursor_reset(o->cursor);
  if (status != ALEA_OK) return status;
  const uint64_t *words = alea_cursor_state(o->cursor, &o->word_count);
  o->image = alea_mem_calloc(o->mem, o->game->role_count, sizeof *o->image);
  o->words = alea_mem_calloc(o->mem, o->word_count, sizeof *o->words);
  if (o->image == NULL || o->words == NULL || !alea_vec_reserve(o->mem, &o->states, o->word_count))
    return alea_mem_lack(o->mem);
  memcpy(o->states.data, words, o->word_count * sizeof *words);
  o->states.count = o->word_count;
  return ALEA_OK;
}

void alea_observed_symmetry_clear(alea_observed_symmetry *o) {
  if (o->mem == NULL) return;
  alea_cursor_free(o->cursor);
  alea_mem_free(o->mem, o->image, o->game->role_count * sizeof *o->image);
  alea_mem_free(o->mem, o->words, o->word_count * sizeof *o->words);
  alea_vec_clear(o->mem, &o->states);
  alea_vec_clear(o->mem, &o->joints);
  alea_vec_clear(o->mem, &o->percepts);
  *o = (alea_observed_symmetry){0};
}

/* ---- witnesses ---- */

/* A joint move at the cursor's position with the role's own; ALEA_NONE: there it
 * has no such move. */
static alea_status draw_joint(alea_observed_symmetry *o, alea_move own) {
  for (uint32_t r = 0; r < o->game->role_count; r++) {
    alea_list list;
    alea_status status = alea_cursor_legal(o->cursor, r, &list);
    if (status != ALEA_OK) return status;
    if (list.count == 0 || (r == o->role && !alea_list_has(list, own))) return ALEA_NONE;
    o->image[r] = r == o->role ? own : list.ids[alea_rng_below(&o->rng, list.count)];
  }
  return ALEA_OK;
}

static alea_status what_is_seen(alea_observed_symmetry *o, uint64_t *hash) {
  alea_list list;
  alea_status status = alea_cursor_percepts(o->cursor, o->role, &list);
  if (status == ALEA_OK) *hash = alea_belief_percepts_hash(list);
  return status;
}

static alea_status keep(alea_observed_symmetry *o, const alea_particle *particle, uint64_t hash) {
  uint32_t roles = o->game->role_count;
  if (!alea_vec_reserve(o->mem, &o->states, o->word_count) ||
      !alea_vec_reserve(o->mem, &o->joints, roles) || !alea_vec_push(o->mem, &o->percepts, hash))
    return alea_mem_lack(o->mem);
  memcpy(o->states.data + o->states.count, particle->words.data,
         o->word_count * sizeof *o->states.data);
  memcpy(o->joints.data + o->joints.count, o->image, roles * sizeof *o->image);
  o->states.count += o->word_count;
  o->joints.count += roles;
  return ALEA_OK;
}

alea_status alea_observed_symmetry_step(alea_observed_symmetry *o, const alea_belief *belief,
                                        const alea_observation *observation) {
  uint64_t wanted = alea_belief_percepts_hash(observation->percepts), seen;
  if (o->lost || belief->live == 0) o->lost = true;
  for (int i = 0; !o->lost && i < MOST_TRIES; i++) {
    const alea_particle *particle = alea_belief_draw(belief, &o->rng);
    alea_status status = alea_particle_load(particle, o->cursor);
    if (status == ALEA_OK) status = draw_joint(o, observation->own);
    if (status == ALEA_NONE) continue;
    if (status == ALEA_OK) status = alea_cursor_play(o->cursor, o->image);
    if (status == ALEA_OK) status = what_is_seen(o, &seen);
    if (status != ALEA_OK) return status;
    if (seen == wanted) return keep(o, particle, wanted);
  }
  o->lost = true;
  return ALEA_OK;
}

/* ---- what is left ---- */

static bool leaves_start(alea_observed_symmetry *o, const alea_game_symmetry *s,
                         const uint32_t *element) {
  alea_game_symmetry_words(s, element, o->states.data, o->words);
  return memcmp(o->words, o->states.data, o->word_count * sizeof *o->words) == 0;
}

/* Whether the image of a step is the same to the role. */
static alea_status leaves_step(alea_observed_symmetry *o, const alea_game_symmetry *s,
                               const uint32_t *element, size_t step, bool *leaves) {
  const alea_move *joint = o->joints.data + step * o->game->role_count;
  uint64_t seen = 0;
  for (uint32_t r = 0; r < o->game->role_count; r++)
    o->image[r] = alea_game_symmetry_move(s, element, r, joint[r]);
  *leaves = o->image[o->role] == joint[o->role];
  if (!*leaves) return ALEA_OK;
  alea_game_symmetry_words(s, element, o->states.data + (step + 1) * o->word_count, o->words);
  alea_status status = alea_cursor_load(o->cursor, o->words, o->word_count);
  if (status == ALEA_OK) status = alea_cursor_play(o->cursor, o->image);
  if (status == ALEA_OK) status = what_is_seen(o, &seen);
  *leaves = seen == o->percepts.data[step];
  return status;
}

static alea_status look(alea_observed_symmetry *o, const alea_game_symmetry *s) {
  uint32_t count = s->group.element_count;
  alea_status status = ALEA_OK;
  if (o->looked == SIZE_MAX) {
    o->left = 1;
    for (uint32_t e = 1; e < count && e < 64; e++)
      if (leaves_start(o, s, alea_game_symmetry_element(s, e))) o->left |= (uint64_t)1 << e;
    o->looked = 0;
  }
  for (; status == ALEA_OK && o->looked < o->percepts.count; o->looked++)
    for (uint32_t e = 1; status == ALEA_OK && e < count && e < 64; e++) {
      bool leaves;
      if (!(o->left >> e & 1)) continue;
      status = leaves_step(o, s, alea_game_symmetry_element(s, e), o->looked, &leaves);
      if (!leaves) o->left &= ~((uint64_t)1 << e);
    }
  return status;
}

static int by_number(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

/* The elements that are left are a group, so the orbit of a move is the set of
 * its images. */
static void join_images(const alea_observed_symmetry *o, const uint32_t *element,
                        const alea_game_symmetry *s, const alea_move *moves, uint32_t count,
                        uint32_t *classes) {
  for (uint32_t i = 0; i < count; i++) {
    alea_move image = alea_game_symmetry_move(s, element, o->role, moves[i]);
    const alea_move *found = bsearch(&image, moves, count, sizeof image, by_number);
    if (found == NULL) continue;
    uint32_t to = (uint32_t)(found - moves);
    if (i < classes[to]) classes[to] = i;
  }
}

alea_status alea_observed_symmetry_orbits(alea_observed_symmetry *o,
                                          const alea_game_symmetry *symmetry,
                                          const alea_move *moves, uint32_t count,
                                          uint32_t *classes) {
  for (uint32_t i = 0; i < count; i++) classes[i] = i;
  if (o->lost || !alea_game_symmetry_is_small(symmetry)) return ALEA_OK;
  alea_status status = look(o, symmetry);
  for (uint32_t e = 1; status == ALEA_OK && e < symmetry->group.element_count && e < 64; e++)
    if (o->left >> e & 1)
      join_images(o, alea_game_symmetry_element(symmetry, e), symmetry, moves, count, classes);
  return status;
}
