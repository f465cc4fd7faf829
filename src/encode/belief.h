#ifndef ALEA_ENCODE_BELIEF_H
#define ALEA_ENCODE_BELIEF_H

/* The graph of all beliefs of a game (belief_process.h), found breadth first. */

#include "base/hash_map.h"
#include "base/vec.h"
#include "encode/belief_process.h"

/* Sequences of words, numbered from 0; equal ones are one number. */
typedef struct encode_sequence {
  size_t first;
  uint32_t count;
  uint64_t hash;
} encode_sequence;

typedef struct encode_sequences {
  ALEA_VEC(encode_sequence) list;
  ALEA_VEC(uint64_t) words;
  alea_hash_map map;
} encode_sequences;

void encode_sequences_clear(encode_sequences *s, alea_mem *mem);
/* The number of the sequence, a new one where there was none; ALEA_HASH_NONE
 * without memory. */
uint32_t encode_sequences_add(encode_sequences *s, const uint64_t *words, size_t count,
                              alea_mem *mem);

/* A position in a belief, and its probability. */
typedef struct encode_share {
  uint32_t position;
  double weight;
} encode_share;

typedef struct encode_belief {
  size_t first; /* its shares */
  uint32_t count;
  uint32_t depth;
  uint32_t goals; /* where the game is over: number of the goals + 1; else 0 */
} encode_belief;

/* A belief with the moves of those who decide. */
typedef struct encode_situation {
  uint32_t belief;
  size_t first_move;    /* one per deciding role: 1 + move, or 0 */
  size_t first_outcome; /* the last one's end at the next situation's first */
} encode_situation;

typedef struct encode_outcome {
  double probability;
  uint32_t next; /* belief */
} encode_outcome;

/* What one position and one move of chance contribute to an outcome. */
typedef struct encode_drop {
  uint32_t seen; /* percepts, or goals where 'over' */
  bool over;
  uint32_t position;
  double weight;
} encode_drop;

typedef struct encode_belief_graph {
  const alea_game *game;
  const alea_belief_options *options;
  alea_mem *mem;
  alea_diag *diag;
  alea_cursor *cursor;
  bool *deciding;  /* per role: has a choice somewhere; as far as known */
  alea_u32s roles; /* those, ascending */
  encode_sequences positions, percepts, goals;
  encode_sequences keys; /* of beliefs; belief number = key number */
  ALEA_VEC(encode_belief) beliefs;
  ALEA_VEC(encode_share) shares;
  ALEA_VEC(encode_situation) situations;
  ALEA_VEC(encode_outcome) outcomes;
  alea_u32s moves; /* of situations */
  /* of the belief at hand */
  alea_u32s legal;   /* moves of deciding roles, one role after the other */
  alea_u32s firsts;  /* per deciding role, and the end */
  alea_u32s forced;  /* per share and role: the move of who has no choice */
  alea_u32s chances; /* moves of chance in the position at hand */
  alea_u32s picks;   /* per deciding role: which of its moves */
  ALEA_VEC(encode_drop) drops;
  ALEA_VEC(uint64_t) words; /* scratch */
  alea_move *joint;
  bool restart; /* one more role turned out to decide */
} encode_belief_graph;

/* Finds all beliefs within the options; the caller clears the graph with any
 * status.  Statuses and sentences as for alea_belief_process. */
alea_status encode_belief_graph_init(encode_belief_graph *g, const alea_game *game,
                                     const alea_belief_options *options, alea_mem *mem,
                                     alea_diag *diag);
void encode_belief_graph_clear(encode_belief_graph *g);

#endif
