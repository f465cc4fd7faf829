/* Structural hashing of and-gates. */
#include "toss/circuit.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

void alea_toss_circuit_init(alea_toss_circuit *c, alea_mem *mem) {
  *c = (alea_toss_circuit){.mem = mem};
  c->failed = !alea_vec_push(mem, &c->gates, (alea_toss_gate){0});
}

void alea_toss_circuit_clear(alea_toss_circuit *c) {
  alea_vec_clear(c->mem, &c->gates);
  alea_vec_clear(c->mem, &c->inputs);
  alea_vec_clear(c->mem, &c->scratch);
  alea_hash_map_clear(&c->map, c->mem);
}

static alea_toss_lit add_node(alea_toss_circuit *c, alea_toss_gate gate) {
  if (!alea_vec_push(c->mem, &c->gates, gate)) {
    c->failed = true;
    return ALEA_TOSS_LIT_TRUE;
  }
  return (alea_toss_lit)(c->gates.count - 1) * 2;
}

alea_toss_lit alea_toss_circuit_input(alea_toss_circuit *c) {
  return add_node(c, (alea_toss_gate){0, 0});
}

static uint64_t hash_of(const void *circuit, uint32_t node) {
  const alea_toss_circuit *c = circuit;
  const alea_toss_gate *gate = &c->gates.data[node];
  return alea_hash_u32s(c->inputs.data + gate->first, gate->count);
}

/* The probe ends at the gate or where it belongs. */
static alea_hash_probe find(const alea_toss_circuit *c, const alea_toss_lit *lits, size_t count) {
  alea_hash_probe probe = alea_hash_map_probe(&c->map, alea_hash_u32s(lits, count));
  while (alea_hash_map_next(&c->map, &probe)) {
    const alea_toss_gate *gate = &c->gates.data[probe.id];
    if (gate->count == count &&
        memcmp(c->inputs.data + gate->first, lits, count * sizeof *lits) == 0) {
      break;
    }
  }
  return probe;
}

static int compare(const void *a, const void *b) {
  const alea_toss_lit *x = a, *y = b;
  return *x < *y ? -1 : *x > *y;
}

/* Collects the inputs without constants and duplicates; false if the gate is
 * constant. */
static bool tidy(alea_toss_circuit *c, const alea_toss_lit *lits, size_t count, bool flip) {
  c->scratch.count = 0;
  for (size_t i = 0; i < count; i++) {
    alea_toss_lit lit = lits[i] ^ flip;
    if (lit == ALEA_TOSS_LIT_FALSE) return false;
    if (lit == ALEA_TOSS_LIT_TRUE) continue;
    if (!alea_vec_push(c->mem, &c->scratch, lit)) c->failed = true;
  }
  alea_toss_lit *kept = c->scratch.data;
  size_t n = c->scratch.count, out = 0;
  if (n > 1) qsort(kept, n, sizeof *kept, compare);
  for (size_t i = 0; i < n; i++) {
    if (out != 0 && kept[out - 1] == kept[i]) continue;
    if (out != 0 && kept[out - 1] == (kept[i] ^ 1)) return false;
    kept[out++] = kept[i];
  }
  c->scratch.count = out;
  return true;
}

/* The conjunction of the literals, each negated if 'flip'. */
static alea_toss_lit conjoin(alea_toss_circuit *c, const alea_toss_lit *lits, size_t count,
                             bool flip) {
  if (c->failed) return ALEA_TOSS_LIT_TRUE;
  if (!tidy(c, lits, count, flip)) return ALEA_TOSS_LIT_FALSE;
  size_t n = c->scratch.count;
  if (n == 0) return ALEA_TOSS_LIT_TRUE;
  if (n == 1) return c->scratch.data[0];
  if (!alea_hash_map_reserve(&c->map, c->mem, hash_of, c) ||
      !alea_vec_reserve(c->mem, &c->inputs, n)) {
    c->failed = true;
    return ALEA_TOSS_LIT_TRUE;
  }
  alea_hash_probe probe = find(c, c->scratch.data, n);
  if (probe.id != ALEA_HASH_NONE) return probe.id * 2;
  alea_toss_gate gate = {(uint32_t)c->inputs.count, (uint32_t)n};
  memcpy(c->inputs.data + c->inputs.count, c->scratch.data, n * sizeof *c->scratch.data);
  c->inputs.count += n;
  alea_toss_lit lit = add_node(c, gate);
  if (!c->failed) alea_hash_map_put(&c->map, probe, lit / 2);
  return lit;
}

alea_toss_lit alea_toss_circuit_and(alea_toss_circuit *c, const alea_toss_lit *lits, size_t count) {
  return conjoin(c, lits, count, false);
}

alea_toss_lit alea_toss_circuit_or(alea_toss_circuit *c, const alea_toss_lit *lits, size_t count) {
  return conjoin(c, lits, count, true) ^ 1;
}
