/* The log of moves: rows are written as they are picked, games read down a
 * column. */
#include "propnet/lanes_log.h"

#include <string.h>

void ALEA_LANES_FN(log_start)(alea_lanes_log *log, alea_lane_word lanes) {
  for (uint32_t lane; (lane = alea_lane_pop(&lanes)) < ALEA_LANES;) log->started[lane] = log->rows;
}

void ALEA_LANES_FN(log_end)(alea_lanes_log *log, alea_lane_word lanes) {
  for (uint32_t lane; (lane = alea_lane_pop(&lanes)) < ALEA_LANES;) log->ended[lane] = log->rows;
}

/* Puts 'move' into the columns of 'made'. */
static inline void write_move(uint32_t *row, const alea_lane_word *made, const alea_lane_word *live,
                              uint32_t move) {
  for (uint32_t i = 0; i < ALEA_LANE_PARTS; i++)
    for (uint64_t left = made->part[i] & live->part[i]; left != 0; left &= left - 1)
      row[i * 64 + (uint32_t)__builtin_ctzll(left)] = move + 1;
}

static void write_role(alea_lanes_log *log, const alea_lanes_picked *picked,
                       const alea_lanes_program *program, uint32_t role,
                       const alea_lane_word *slots, const alea_lane_word *live) {
  uint32_t *row = log->moves[log->rows % ALEA_LANES_LOG_ROWS];
  log->roles[log->rows % ALEA_LANES_LOG_ROWS] = role;
  log->rows++;
  memset(row, 0, sizeof log->moves[0]);
  for (uint32_t g = 0; g < picked->count; g++) {
    const alea_lanes_group *group = picked->from + picked->groups[g];
    for (int i = 0; i < ALEA_LANES_GROUP; i++) {
      uint32_t slot = group->chosen[i];
      if (slot - program->first_move_slot >= program->move_count) continue; /* nobody reads it */
      write_move(row, &slots[slot], live, group->move[i]);
    }
  }
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
