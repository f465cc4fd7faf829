/* Clocks between sets of moves. */
#include "planning/clocks.h"

enum { MOST_COUNTING = 300000 }; /* moves times counts */

/* Whether the clocks depend on each other only. */
static bool are_alone(const alea_clocks *c, const alea_effects *effects) {
  for (size_t i = 0; i < c->fluents.count; i++) {
    uint32_t node = effects->clock[c->fluents.data[i]] >> 1;
    if (node > effects->fluent_count) return false;
    if (node > 0 && effects->clock[node - 1] == ALEA_NO_CLOCK) return false;
  }
  return true;
}

/* What they show after as many moves as are counted; 'place' is where a fluent
 * is among the clocks.  False: they stand still. */
static bool wind(alea_clocks *c, const alea_effects *effects, alea_list now,
                 const uint32_t *place) {
  size_t count = c->fluents.count;
  uint8_t *hands = c->hands.data;
  for (size_t i = 0; i < count; i++) hands[i] = alea_list_has(now, c->fluents.data[i]);
  bool go = false;
  for (uint32_t n = 1; n <= c->longest; n++, hands += count) {
    for (size_t i = 0; i < count; i++) {
      alea_lit lit = effects->clock[c->fluents.data[i]];
      uint8_t was = lit > ALEA_LIT_FALSE ? hands[place[(lit >> 1) - 1]] : 1;
      hands[count + i] = was ^ (lit & 1);
      go |= hands[count + i] != hands[i];
    }
  }
  return go;
}

static alea_status reserve(alea_clocks *c) {
  for (uint32_t n = 0; n <= c->longest; n++)
    if (!alea_vec_push(c->mem, &c->counts, n == 0 ? ALEA_SLIT_TRUE : ALEA_SLIT_FALSE))
      return alea_mem_lack(c->mem);
  size_t hands = c->fluents.count * (c->longest + (size_t)1);
  return alea_vec_reserve(c->mem, &c->hands, hands) ? ALEA_OK : alea_mem_lack(c->mem);
}

alea_status alea_clocks_init(alea_clocks *c, const alea_effects *effects, alea_list now,
                             size_t moves, uint32_t longest, alea_mem *mem) {
  *c = (alea_clocks){.mem = mem, .longest = longest};
  uint32_t all = effects->fluent_count;
  for (uint32_t i = 0; i < all; i++)
    if (effects->clock[i] != ALEA_NO_CLOCK && !alea_vec_push(mem, &c->fluents, i))
      return alea_mem_lack(mem);
  if (c->fluents.count == 0) return ALEA_OK;
  if (!are_alone(c, effects) || (uint64_t)moves * longest > MOST_COUNTING) return ALEA_UNSUPPORTED;
  alea_status status = reserve(c);
  if (status != ALEA_OK) return status;
  uint32_t *place = alea_mem_calloc(mem, all, sizeof *place);
  if (place == NULL) return alea_mem_lack(mem);
  for (uint32_t i = 0; i < c->fluents.count; i++) place[c->fluents.data[i]] = i;
  if (!wind(c, effects, now, place)) c->fluents.count = 0;
  alea_mem_free(mem, place, all * sizeof *place);
  return ALEA_OK;
}

void alea_clocks_clear(alea_clocks *c) {
  if (c->mem == NULL) return;
  alea_vec_clear(c->mem, &c->fluents);
  alea_vec_clear(c->mem, &c->hands);
  alea_vec_clear(c->mem, &c->counts);
  alea_vec_clear(c->mem, &c->exactly);
}

void alea_clocks_count(alea_clocks *c, alea_sat *sat, alea_slit made) {
  if (c->fluents.count == 0) return;
  alea_slit *counts = c->counts.data;
  alea_sat_clause2(sat, -made, -counts[c->longest]);
  for (uint32_t n = c->longest; n > 0; n--) {
    if (counts[n - 1] == ALEA_SLIT_FALSE) continue;
    alea_slit more[2] = {counts[n - 1], made};
    alea_slit either[2] = {counts[n], alea_sat_gate(sat, false, more, 2)};
    counts[n] = alea_sat_gate(sat, true, either, 2);
  }
}

alea_status alea_clocks_set(alea_clocks *c, alea_unroll *u, unroll_layer *layer) {
  if (c->fluents.count == 0) return ALEA_OK;
  size_t counts = c->longest + (size_t)1;
  c->exactly.count = 0;
  if (!alea_vec_reserve(c->mem, &c->exactly, counts) ||
      !alea_vec_reserve(c->mem, &u->scratch, counts))
    return alea_mem_lack(c->mem);
  for (uint32_t n = 0; n <= c->longest; n++) {
    alea_slit next = n < c->longest ? c->counts.data[n + 1] : ALEA_SLIT_FALSE;
    alea_slit both[2] = {c->counts.data[n], -next};
    c->exactly.data[n] = alea_sat_gate(&u->sat, false, both, 2);
  }
  for (size_t i = 0; i < c->fluents.count; i++) {
    size_t some = 0;
    for (uint32_t n = 0; n <= c->longest; n++)
      if (c->hands.data[n * c->fluents.count + i]) u->scratch.data[some++] = c->exactly.data[n];
    layer->lits[1 + c->fluents.data[i]] = alea_sat_gate(&u->sat, true, u->scratch.data, some);
  }
  return ALEA_OK;
}
