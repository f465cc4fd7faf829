#ifndef ALEA_PLAY_MOVE_SUMS_H
#define ALEA_PLAY_MOVE_SUMS_H

/* All moves as first, added up before the nodes learn of them.
 *
 * Several games are played from one leaf, and every node above it learns of all of them.  So
 * what their moves won is added up once, by (role, move), and then added to each node's table:
 * a move that was made in four games is one addition a node, and where most moves of a game
 * were made a table is added to as a whole. */

#include "play/node_store.h"

typedef struct alea_move_sums {
  alea_mem *mem;
  alea_amaf *sums; /* zeros but for those touched */
  uint32_t *touched;
  uint32_t size, touched_count;
} alea_move_sums;

/* For tables of 'size' entries; to be cleared with any status. */
alea_status alea_move_sums_init(alea_move_sums *sums, uint32_t size, alea_mem *mem);
void alea_move_sums_clear(alea_move_sums *sums); /* a zeroed one too */

/* Notes a move that was made in 'games' games, which were worth 'reward' together. */
static inline void alea_move_sums_add(alea_move_sums *sums, uint32_t index, float games,
                                      float reward) {
  alea_amaf *sum = &sums->sums[index];
  if (sum->visits == 0) sums->touched[sums->touched_count++] = index;
  sum->visits += games;
  sum->sum += reward;
}
/* Adds what was noted to a table of as many entries. */
void alea_move_sums_pour(const alea_move_sums *sums, alea_amaf *table);
void alea_move_sums_empty(alea_move_sums *sums);

#endif
