#ifndef ALEA_TESTS_TRACE_REPLAY_H
#define ALEA_TESTS_TRACE_REPLAY_H

/* Replays a reference trace (shared/corpus/README.md) on a game of any engine
 * and compares all its contents: fluents, legal moves, percepts, terminal
 * positions, goals, perft counts. */

#include "game/game.h"

typedef enum trace_verdict {
  TRACE_AGREES,
  TRACE_DIFFERS,
  TRACE_CUT,    /* agrees as far as it was compared within the time */
  TRACE_BROKEN, /* the trace cannot be read */
} trace_verdict;

typedef struct trace_report {
  unsigned positions; /* compared */
  unsigned perft_depth;
  char message[512]; /* what differs, and where */
} trace_report;

/* 'path' names a .jsonl.gz file.  Stops after 'seconds' of wall-clock time (0
 * = never).  Perft counts are compared up to 'max_perft' sequences per depth. */
trace_verdict trace_replay(const alea_game *game, const char *path, double seconds,
                           uint64_t max_perft, trace_report *report);

#endif
