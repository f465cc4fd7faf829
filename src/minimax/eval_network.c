/* A network beside a linear evaluation. */
#include "minimax/eval_network.h"

#include <string.h>

enum { UNITS = ALEA_NETWORK_UNITS };

alea_status alea_eval_network_init(alea_eval_network *n, uint32_t fluent_count,
                                   const uint32_t *image, alea_mem *mem) {
  *n = (alea_eval_network){.mem = mem, .fluent_count = fluent_count};
  n->weights = alea_mem_calloc(mem, fluent_count, sizeof *n->weights);
  if (n->weights == NULL) return alea_mem_lack(mem);
  if (image == NULL) return ALEA_OK;
  if (!alea_eval_network_see(n)) return alea_mem_lack(mem);
  memcpy(n->image, image, fluent_count * sizeof *image);
  return ALEA_OK;
}

bool alea_eval_network_see(alea_eval_network *n) {
  if (n->image == NULL) n->image = alea_mem_calloc(n->mem, n->fluent_count, sizeof *n->image);
  return n->image != NULL;
}

void alea_eval_network_clear(alea_eval_network *n) {
  if (n->mem == NULL) return;
  alea_mem_free(n->mem, n->weights, n->fluent_count * sizeof *n->weights);
  alea_mem_free(n->mem, n->image, n->fluent_count * sizeof *n->image);
  *n = (alea_eval_network){0};
}

alea_status alea_eval_network_copy(alea_eval_network *copy, const alea_eval_network *n) {
  *copy = (alea_eval_network){0};
  if (n->mem == NULL) return ALEA_OK;
  alea_status status = alea_eval_network_init(copy, n->fluent_count, n->image, n->mem);
  if (status != ALEA_OK) return status;
  memcpy(copy->weights, n->weights, n->fluent_count * sizeof *n->weights);
  memcpy(copy->bias, n->bias, sizeof n->bias);
  memcpy(copy->out, n->out, sizeof n->out);
  copy->rest = n->rest;
  copy->drift = n->drift;
  return ALEA_OK;
}

void alea_eval_network_turn(alea_eval_network *n) {
  for (int u = 0; u < UNITS; u++) n->out[u] = (int16_t)-n->out[u];
  n->rest = -n->rest;
}

/* Sums wrap where a file has weights that are too large for them: they are wrong then, but the
 * same however a position was reached. */
static void add(int16_t *sums, const int16_t *weights) {
  for (int u = 0; u < UNITS; u++) sums[u] = (int16_t)(sums[u] + weights[u]);
}

static void subtract(int16_t *sums, const int16_t *weights) {
  for (int u = 0; u < UNITS; u++) sums[u] = (int16_t)(sums[u] - weights[u]);
}

void alea_eval_network_step(const alea_eval_network *n, const uint64_t *from, const uint64_t *to,
                            size_t word_count, const alea_network_sums *before,
                            alea_network_sums *after) {
  *after = *before;
  for (size_t w = 0; w < word_count; w++) {
    for (uint64_t change = from[w] ^ to[w]; change != 0; change &= change - 1) {
      uint32_t fluent = (uint32_t)(64 * w) + (uint32_t)__builtin_ctzll(change);
      bool comes = (to[w] >> (fluent & 63) & 1) != 0;
      if (fluent >= n->fluent_count) continue;
      (comes ? add : subtract)(after->of[0], n->weights[fluent]);
      if (n->image != NULL) (comes ? add : subtract)(after->of[1], n->weights[n->image[fluent]]);
    }
  }
}

void alea_eval_network_begin(const alea_eval_network *n, const uint64_t *words, size_t word_count,
                             alea_network_sums *sums) {
  for (int v = 0; v < ALEA_NETWORK_VIEWS; v++) memcpy(sums->of[v], n->bias, sizeof n->bias);
  for (size_t w = 0; w < word_count; w++) {
    for (uint64_t bits = words[w]; bits != 0; bits &= bits - 1) {
      uint32_t fluent = (uint32_t)(64 * w) + (uint32_t)__builtin_ctzll(bits);
      if (fluent >= n->fluent_count) continue;
      add(sums->of[0], n->weights[fluent]);
      if (n->image != NULL) add(sums->of[1], n->weights[n->image[fluent]]);
    }
  }
}

static int32_t view_value(const alea_eval_network *n, const int16_t *sums) {
  int32_t value = 0;
  for (int u = 0; u < UNITS; u++) {
    int32_t sum = sums[u];
    sum = sum < 0 ? 0 : sum > ALEA_NETWORK_ONE ? ALEA_NETWORK_ONE : sum;
    value += n->out[u] * sum;
  }
  return value;
}

int32_t alea_eval_network_value(const alea_eval_network *n, const alea_network_sums *sums) {
  int32_t value = view_value(n, sums->of[0]);
  if (n->image != NULL) value -= view_value(n, sums->of[1]);
  return n->rest + value / ALEA_NETWORK_ONE;
}
