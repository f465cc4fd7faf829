/* Structural hashing of and-gates. */
#include "toss/circuit.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

enum { FIRST_SLOTS = 1024 };

void alea_toss_circuit_init(alea_toss_circuit *c, alea_mem *mem) {
  *c = (alea_toss_circuit){.mem = mem};
  c->failed = !alea_vec_push(mem, &c->gates, (alea_toss_gate){0});
}

void alea_toss_circuit_clear(alea_toss_circuit *c) {
  alea_vec_clear(c->mem, &c->gates);
  alea_vec_clear(c->mem, &c->inputs);
  alea_vec_clear(c->mem, &c->scratch);
  alea_mem_free(c->mem, c->slots, c->slot_count * sizeof *c->slots);
  c->slots = NULL;
  c->slot_count = 0;
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

static size_t slot_of(const alea_toss_circuit *c, const alea_toss_lit *lits, size_t count) {
  size_t mask = c->slot_count - 1, at = alea_hash_u32s(lits, count) & mask;
  for (; c->slots[at] != 0; at = (at + 1) & mask) {
    const alea_toss_gate *gate = &c->gates.data[c->slots[at]];
    if (gate->count == count &&
        memcmp(c->inputs.data + gate->first, lits, count * sizeof *lits) == 0) {
      break;
    }
  }
  return at;
}

static bool grow(alea_toss_circuit *c) {
  if (c->gates.count * 2 < c->slot_count) return true;
  size_t count = c->slot_count != 0 ? c->slot_count * 2 : FIRST_SLOTS;
  uint32_t *slots = alea_mem_calloc(c->mem, count, sizeof *slots);
  if (slots == NULL) return false;
  alea_mem_free(c->mem, c->slots, c->slot_count * sizeof *slots);
  c->slots = slots;
  c->slot_count = count;
  for (uint32_t node = 1; node < c->gates.count; node++) {
    const alea_toss_gate *gate = &c->gates.data[node];
    if (gate->count != 0) slots[slot_of(c, c->inputs.data + gate->first, gate->count)] = node;
  }
  return true;
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
  if (!grow(c) || !alea_vec_reserve(c->mem, &c->inputs, n)) {
    c->failed = true;
    return ALEA_TOSS_LIT_TRUE;
  }
  size_t at = slot_of(c, c->scratch.data, n);
  if (c->slots[at] != 0) return c->slots[at] * 2;
  alea_toss_gate gate = {(uint32_t)c->inputs.count, (uint32_t)n};
  memcpy(c->inputs.data + c->inputs.count, c->scratch.data, n * sizeof *c->scratch.data);
  c->inputs.count += n;
  alea_toss_lit lit = add_node(c, gate);
  c->slots[at] = lit / 2;
  return lit;
}

alea_toss_lit alea_toss_circuit_and(alea_toss_circuit *c, const alea_toss_lit *lits, size_t count) {
  return conjoin(c, lits, count, false);
}

alea_toss_lit alea_toss_circuit_or(alea_toss_circuit *c, const alea_toss_lit *lits, size_t count) {
  return conjoin(c, lits, count, true) ^ 1;
}
