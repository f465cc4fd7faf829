/* What moves do to an evaluation. */
#include "play/move_effects.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "propnet/propnet.h"

enum { MOST_PLACES = 16 }; /* of a move; what it writes beyond them is not expected */

/* ---- places ---- */

/* Equal for fluents that differ in the last leaf of their last argument only, and in whose
 * they are. */
static uint64_t place_hash(const alea_net *net, alea_term term) {
  const alea_terms *terms = net->terms;
  uint64_t hash = alea_hash_join(0, alea_terms_name(terms, term));
  for (uint32_t arity; (arity = alea_terms_arity(terms, term)) > 0;) {
    const alea_term *args = alea_terms_args(terms, term);
    for (uint32_t i = 0; i + 1 < arity; i++)
      if (!alea_eval_is_owner(net, args[i])) hash = alea_hash_join(hash, args[i]);
    hash = alea_hash_join(hash, arity);
    term = args[arity - 1];
  }
  return hash;
}

typedef struct placed {
  uint64_t hash;
  uint32_t fluent;
} placed;

static int compare(const void *a, const void *b) {
  const placed *x = a, *y = b;
  if (x->hash != y->hash) return x->hash < y->hash ? -1 : 1;
  return x->fluent < y->fluent ? -1 : x->fluent > y->fluent;
}

static alea_status find_places(alea_move_effects *e, const alea_net *net) {
  size_t count = e->fluent_count;
  placed *list = alea_mem_calloc(e->mem, count, sizeof *list);
  if (list == NULL) return alea_mem_lack(e->mem);
  for (uint32_t f = 0; f < count; f++) list[f] = (placed){place_hash(net, net->fluent_terms[f]), f};
  qsort(list, count, sizeof *list, compare);
  bool good = true;
  for (uint32_t i = 0; good && i < count; i++) {
    if (i == 0 || list[i].hash != list[i - 1].hash)
      good = alea_vec_push(e->mem, &e->first_fluent, i);
    e->fluents[i] = list[i].fluent;
    e->place_of[list[i].fluent] = (uint32_t)e->first_fluent.count - 1;
  }
  good = good && alea_vec_push(e->mem, &e->first_fluent, (uint32_t)count);
  alea_mem_free(e->mem, list, count * sizeof *list);
  return good ? ALEA_OK : alea_mem_lack(e->mem);
}

/* ---- the object ---- */

alea_status alea_move_effects_init(alea_move_effects *e, const alea_linear_eval *eval,
                                   alea_mem *mem) {
  const alea_net *net = alea_net_of_game(eval->game);
  *e = (alea_move_effects){.mem = mem, .eval = eval, .roles = eval->game->role_count};
  e->fluent_count = net->fluent_count;
  e->move_counts = alea_mem_calloc(mem, e->roles, sizeof *e->move_counts);
  e->effects = alea_mem_calloc(mem, e->roles, sizeof *e->effects);
  e->place_of = alea_mem_calloc(mem, e->fluent_count, sizeof *e->place_of);
  e->fluents = alea_mem_calloc(mem, e->fluent_count, sizeof *e->fluents);
  if (e->move_counts == NULL || e->effects == NULL || e->place_of == NULL || e->fluents == NULL)
    return alea_mem_lack(mem);
  for (uint32_t r = 0; r < e->roles; r++) {
    e->move_counts[r] = alea_game_move_count(eval->game, r);
    e->effects[r] = alea_mem_calloc(mem, e->move_counts[r], sizeof *e->effects[r]);
    if (e->effects[r] == NULL) return alea_mem_lack(mem);
  }
  return find_places(e, net);
}

void alea_move_effects_clear(alea_move_effects *e) {
  if (e->mem == NULL) return;
  for (uint32_t r = 0; e->effects != NULL && e->move_counts != NULL && r < e->roles; r++)
    alea_mem_free(e->mem, e->effects[r], e->move_counts[r] * sizeof *e->effects[r]);
  alea_mem_free(e->mem, e->effects, e->roles * sizeof *e->effects);
  alea_mem_free(e->mem, e->move_counts, e->roles * sizeof *e->move_counts);
  alea_mem_free(e->mem, e->place_of, e->fluent_count * sizeof *e->place_of);
  alea_mem_free(e->mem, e->fluents, e->fluent_count * sizeof *e->fluents);
  alea_vec_clear(e->mem, &e->first_fluent);
  alea_vec_clear(e->mem, &e->prey);
  *e = (alea_move_effects){0};
}

void alea_move_effects_forget(alea_move_effects *e) {
  for (uint32_t r = 0; r < e->roles; r++)
    memset(e->effects[r], 0, e->move_counts[r] * sizeof *e->effects[r]);
  e->prey.count = 0;
}

/* ---- what is seen ---- */

/* Appends the fluents of a place that are worth much to others than 'role'. */
static bool add_prey(alea_move_effects *e, uint32_t role, uint32_t place) {
  int32_t sign = role == e->eval->role ? 1 : -1;
  uint32_t end = e->first_fluent.data[place + 1];
  for (uint32_t i = e->first_fluent.data[place]; i < end; i++)
    if (-sign * e->eval->scores[e->fluents[i]] > e->eval->loud / 2 &&
        !alea_vec_push(e->mem, &e->prey, e->fluents[i]))
      return false;
  return true;
}

/* The places where two positions differ. */
static bool find_prey(alea_move_effects *e, uint32_t role, const uint64_t *from,
                      const uint64_t *to) {
  uint32_t places[MOST_PLACES], count = 0;
  for (size_t w = 0; w < e->eval->word_count; w++) {
    for (uint64_t change = from[w] ^ to[w]; change != 0; change &= change - 1) {
      uint32_t place = e->place_of[64 * w + (unsigned)__builtin_ctzll(change)], i = 0;
      while (i < count && places[i] != place) i++;
      if (i < count || count == MOST_PLACES) continue;
      places[count++] = place;
      if (!add_prey(e, role, place)) return false;
    }
  }
  return true;
}

bool alea_move_effects_note(alea_move_effects *e, uint32_t role, alea_move move,
                            const uint64_t *from, const uint64_t *to, int32_t gain) {
  alea_move_effect *effect = &e->effects[role][move];
  int32_t most;
  if (!effect->seen) {
    effect->first_prey = (uint32_t)e->prey.count;
    if (!find_prey(e, role, from, to)) return false;
    effect->prey_count = (uint32_t)e->prey.count - effect->first_prey;
    effect->most = INT32_MIN / 4;
    effect->seen = true;
  }
  if (alea_move_effects_bound(e, role, move, from, &most) && gain > most) effect->most = gain;
  return true;
}
