/* Sums by (role, move). */
#include "play/move_sums.h"

enum { DENSE = 8 }; /* entries that are added in the time of one that is looked up */

alea_status alea_move_sums_init(alea_move_sums *sums, uint32_t size, alea_mem *mem) {
  *sums = (alea_move_sums){.mem = mem, .size = size};
  sums->sums = alea_mem_calloc(mem, size, sizeof *sums->sums);
  sums->touched = alea_mem_calloc(mem, size, sizeof *sums->touched);
  return sums->sums != NULL && sums->touched != NULL ? ALEA_OK : alea_mem_lack(mem);
}

void alea_move_sums_clear(alea_move_sums *sums) {
  if (sums->mem == NULL) return;
  alea_mem_free(sums->mem, sums->sums, sums->size * sizeof *sums->sums);
  alea_mem_free(sums->mem, sums->touched, sums->size * sizeof *sums->touched);
  *sums = (alea_move_sums){0};
}

static void add(alea_amaf *restrict table, const alea_amaf *restrict sums, uint32_t size) {
  for (uint32_t i = 0; i < size; i++) {
    table[i].visits += sums[i].visits;
    table[i].sum += sums[i].sum;
  }
}

void alea_move_sums_pour(const alea_move_sums *sums, alea_amaf *table) {
  if (sums->touched_count > sums->size / DENSE) {
    add(table, sums->sums, sums->size);
    return;
  }
  for (uint32_t i = 0; i < sums->touched_count; i++) {
    const alea_amaf *sum = &sums->sums[sums->touched[i]];
    table[sums->touched[i]].visits += sum->visits;
    table[sums->touched[i]].sum += sum->sum;
  }
}

void alea_move_sums_empty(alea_move_sums *sums) {
  for (uint32_t i = 0; i < sums->touched_count; i++) sums->sums[sums->touched[i]] = (alea_amaf){0};
  sums->touched_count = 0;
}
