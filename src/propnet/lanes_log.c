/* The log of moves: rows are written as they are picked, games read down a
 * column. */
#include "propnet/lanes_log.h"

#include <string.h>

alea_lanes_log *ALEA_LANES_FN(log_new)(uint32_t groups, alea_mem *mem) {
  alea_lanes_log *log = alea_mem_zalloc(mem, sizeof *log);
  if (log == NULL) return NULL;
  log->name_count = ((size_t)groups + 1) * ALEA_LANES_GROUP;
  log->names = alea_mem_calloc(mem, log->name_count, sizeof *log->names);
  if (log->names != NULL) return log;
  alea_mem_free(mem, log, sizeof *log);
  return NULL;
}

void ALEA_LANES_FN(log_free)(alea_lanes_log *log, alea_mem *mem) {
  if (log == NULL) return;
  alea_mem_free(mem, log->names, log->name_count * sizeof *log->names);
  alea_mem_free(mem, log, sizeof *log);
}

void ALEA_LANES_FN(log_start)(alea_lanes_log *log, alea_lane_word lanes) {
  for (uint32_t lane; (lane = alea_lane_pop(&lanes)) < ALEA_LANES;) log->started[lane] = log->rows;
}

void ALEA_LANES_FN(log_end)(alea_lanes_log *log, alea_lane_word lanes) {
  for (uint32_t lane; (lane = alea_lane_pop(&lanes)) < ALEA_LANES;) log->ended[lane] = log->rows;
}

/* The picks of a role, by lane: 1 + the place of the group in the picker's list, and the place of
 * the move in the group, as binary numbers whose bits are words.  So nothing depends on how many
 * lanes a move was picked in, which nobody can foresee. */
enum { PLACE_BITS = 3, MOST_BITS = 32 };
_Static_assert(ALEA_LANES_GROUP == 1 << PLACE_BITS, "places in a group have so many bits");

typedef struct lane_numbers {
  alea_lane_word bits[MOST_BITS];
  uint32_t count; /* of bits */
} lane_numbers;

/* Adds the picks of the group with this number, from 1 on. */
static inline void add_group(lane_numbers *numbers, const alea_lanes_group *group, uint32_t number,
                             const alea_lanes_program *program, const alea_lane_word *slots) {
  alea_lane_word c[ALEA_LANES_GROUP];
  for (int i = 0; i < ALEA_LANES_GROUP; i++) {
    bool read = group->chosen[i] - program->first_move_slot < program->move_count;
    c[i] = read ? slots[group->chosen[i]] : alea_lane_fill(false); /* nobody reads it */
  }
  ALEA_LANE_EACH_UNIT(u) {
    alea_lane_unit c13 = c[1].unit[u] | c[3].unit[u], c57 = c[5].unit[u] | c[7].unit[u];
    alea_lane_unit c26 = c[2].unit[u] | c[6].unit[u], c04 = c[0].unit[u] | c[4].unit[u];
    alea_lane_unit any = c04 | c13 | c57 | c26;
    numbers->bits[0].unit[u] |= c13 | c57;
    numbers->bits[1].unit[u] |= c26 | c[3].unit[u] | c[7].unit[u];
    numbers->bits[2].unit[u] |= c57 | c[4].unit[u] | c[6].unit[u];
    for (uint32_t b = PLACE_BITS; b < numbers->count; b++)
      numbers->bits[b].unit[u] |= any & (alea_lane_unit_zero() - (number >> (b - PLACE_BITS) & 1));
  }
}

/* Byte p of 'x' has bit p of eight numbers; byte l of the result is number l. */
static inline uint64_t transpose(uint64_t x) {
  uint64_t t = (x ^ x >> 7) & 0x00aa00aa00aa00aau;
  x ^= t ^ t << 7;
  t = (x ^ x >> 14) & 0x0000cccc0000ccccu;
  x ^= t ^ t << 14;
  t = (x ^ x >> 28) & 0x00000000f0f0f0f0u;
  return x ^ t ^ t << 28;
}

/* Looks the numbers of eight lanes from a multiple of eight on up. */
static inline void name_lanes(const lane_numbers *numbers, uint32_t lane, const uint32_t *names,
                              uint32_t *row) {
  uint32_t found[8] = {0};
  for (uint32_t first = 0; first < numbers->count; first += 8) {
    uint64_t x = 0;
    for (uint32_t b = 0; b < 8 && first + b < numbers->count; b++)
      x |= (numbers->bits[first + b].part[lane / 64] >> lane % 64 & 0xff) << 8 * b;
    x = transpose(x);
    for (int l = 0; l < 8; l++) found[l] |= (uint32_t)(x >> 8 * l & 0xff) << first;
  }
  for (int l = 0; l < 8; l++) row[lane + (uint32_t)l] = names[found[l]];
}

static void write_role(alea_lanes_log *log, const alea_lanes_picked *picked,
                       const alea_lanes_program *program, uint32_t role,
                       const alea_lane_word *slots, const alea_lane_word *live) {
  uint32_t *row = log->moves[log->rows % ALEA_LANES_LOG_ROWS];
  lane_numbers numbers;
  log->roles[log->rows % ALEA_LANES_LOG_ROWS] = role;
  log->rows++;
  numbers.count = PLACE_BITS;
  while (picked->count >> (numbers.count - PLACE_BITS) != 0) numbers.count++;
  for (uint32_t b = 0; b < numbers.count; b++) numbers.bits[b] = alea_lane_fill(false);
  for (uint32_t g = 0; g < picked->count; g++) {
    const alea_lanes_group *group = picked->from + picked->groups[g];
    add_group(&numbers, group, g + 1, program, slots);
    for (uint32_t i = 0; i < ALEA_LANES_GROUP; i++)
      log->names[ALEA_LANES_GROUP * (g + 1) + i] = group->move[i] + 1;
  }
  for (uint32_t b = 0; b < numbers.count; b++)
    numbers.bits[b] = alea_lane_and(numbers.bits[b], *live);
  for (uint32_t lane = 0; lane < ALEA_LANES; lane += 8) name_lanes(&numbers, lane, log->names, row);
}

void ALEA_LANES_FN(log_picks)(alea_lanes_log *log, const alea_lanes_picker *picker,
                              const alea_lanes_program *program, const alea_lane_word *slots,
                              alea_lane_word live) {
  for (uint32_t r = 0; r < picker->role_count; r++) {
    const alea_lanes_picked *picked = &picker->roles[r];
    const alea_lanes_group *groups = program->groups.data + program->roles[r].first_group;
    if (program->roles[r].group_count == 0 || picked->from != groups) continue;
    write_role(log, picked, program, r, slots, &live);
  }
}

size_t ALEA_LANES_FN(log_game)(alea_lanes_log *log, uint32_t lane) {
  uint64_t first = log->started[lane], last = log->ended[lane];
  if (first + ALEA_LANES_LOG_ROWS < log->rows) first = log->rows - ALEA_LANES_LOG_ROWS;
  size_t count = 0;
  for (uint64_t row = first; row < last; row++) {
    uint32_t at = row % ALEA_LANES_LOG_ROWS, move = log->moves[at][lane];
    if (move != 0) log->game[count++] = (alea_played){log->roles[at], move - 1};
  }
  return count;
}
