/* What moves do to an evaluation. */
#include "minimax/move_effects.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "propnet/propnet.h"

enum { MOST_PLACES = 16 }; /* of a move; what it writes beyond them is not expected */

/* ---- places ---- */

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
  for (uint32_t f = 0; f < count; f++)
    list[f] = (placed){alea_eval_place_key(net, net->fluent_terms[f]), f};
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
  e->kinds = alea_mem_calloc(mem, 64 * eval->word_count, sizeof *e->kinds);
  if (e->move_counts == NULL || e->effects == NULL || e->place_of == NULL || e->fluents == NULL ||
      e->kinds == NULL)
    return alea_mem_lack(mem);
  for (uint32_t f = 0; f < e->fluent_count; f++) {
    uint32_t kind = eval->features.kind_of[f];
    if (alea_eval_features_kind_size(&eval->features, kind) >= ALEA_EVAL_LEAST_PLACES)
      e->kinds[f] = alea_hash_mix(kind + 1);
  }
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
  alea_mem_free(e->mem, e->kinds, 64 * e->eval->word_count * sizeof *e->kinds);
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

/* What a move does: places that it writes, and kinds of pieces that it makes. */
typedef struct written {
  uint32_t places[MOST_PLACES], place_count;
  uint64_t kinds[MOST_PLACES];
  uint32_t kind_count;
} written;

static bool has_kind(const written *w, uint64_t kind) {
  for (uint32_t i = 0; i < w->kind_count; i++)
    if (w->kinds[i] == kind) return true;
  return false;
}

static written read_off(const alea_move_effects *e, const uint64_t *from, const uint64_t *to) {
  written it = {.place_count = 0};
  for (size_t w = 0; w < e->eval->word_count; w++) {
    for (uint64_t change = from[w] ^ to[w]; change != 0; change &= change - 1) {
      unsigned bit = (unsigned)__builtin_ctzll(change);
      uint32_t fluent = (uint32_t)(64 * w + bit), place = e->place_of[fluent], i = 0;
      uint64_t kind = (to[w] >> bit & 1) != 0 ? e->kinds[fluent] : 0;
      if (kind != 0 && it.kind_count < MOST_PLACES && !has_kind(&it, kind))
        it.kinds[it.kind_count++] = kind;
      while (i < it.place_count && it.places[i] != place) i++;
      if (i == it.place_count && i < MOST_PLACES) it.places[it.place_count++] = place;
    }
  }
  return it;
}

/* Appends the pieces of the places that a move writes which are worth much to others than
 * 'role', and are not such as it makes itself. */
static bool find_prey(alea_move_effects *e, uint32_t role, const uint64_t *from,
                      const uint64_t *to) {
  int32_t sign = role == e->eval->role ? 1 : -1;
  written it = read_off(e, from, to);
  for (uint32_t p = 0; p < it.place_count; p++) {
    uint32_t end = e->first_fluent.data[it.places[p] + 1];
    for (uint32_t i = e->first_fluent.data[it.places[p]]; i < end; i++) {
      uint32_t fluent = e->fluents[i];
      bool valued = -sign * e->eval->scores[fluent] > e->eval->loud / 2;
      if (!valued || e->kinds[fluent] == 0 || has_kind(&it, e->kinds[fluent])) continue;
      if (!alea_vec_push(e->mem, &e->prey, fluent)) return false;
    }
  }
  return true;
}

bool alea_move_effects_note(alea_move_effects *e, uint32_t role, alea_move move,
                            const uint64_t *from, const uint64_t *to, int32_t gain) {
  alea_move_effect *effect = &e->effects[role][move];
  if (!effect->seen) {
    effect->first_prey = (uint32_t)e->prey.count;
    if (!find_prey(e, role, from, to)) return false;
    effect->prey_count = (uint32_t)e->prey.count - effect->first_prey;
    effect->most = effect->most_loud = INT32_MIN / 4;
    effect->seen = true;
  }
  if (alea_move_effects_takes(e, effect, from)) return true;
  effect->seen_idle = true;
  if (gain > effect->most) effect->most = gain;
  if (gain > effect->most_loud && alea_move_effects_trades(e, from, to)) effect->most_loud = gain;
  return true;
}
