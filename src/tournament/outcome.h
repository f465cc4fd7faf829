#ifndef ALEA_TOURNAMENT_OUTCOME_H
#define ALEA_TOURNAMENT_OUTCOME_H

/* What became of one unit of a tournament, and its form as bytes, in which it
 * travels from the process that played it to the one that stores it (the same
 * on every machine: little endian, texts with length and final zero). */

#include "base/status.h"
#include "tournament/plan.h"

typedef struct alea_unit_outcome_seat {
  const char *role, *player;
  int32_t entrant;        /* 0: first of the pairing, 1: second, -1: chance */
  int32_t goal;           /* -1: the match was aborted */
  double seconds;         /* thought, on the match's clock */
  const char *statistics; /* a JSON object */
} alea_unit_outcome_seat;

typedef struct alea_unit_outcome_move {
  const char *move, *error;
  double seconds;
} alea_unit_outcome_move;

typedef struct alea_unit_outcome {
  uint64_t unit;
  alea_status status;  /* other than ALEA_OK: not played, and 'message' says why */
  const char *message; /* "" when played */
  const char *engine, *host, *version;
  int64_t started; /* ms since 1970 */
  double seconds, cpu_seconds;
  uint32_t roles, steps, faults;
  bool completed;
  alea_unit_outcome_seat *seats; /* roles */
  alea_unit_outcome_move *moves; /* steps * roles */
  const char **start_errors;     /* roles */
} alea_unit_outcome;

/* Win 1, draw 1/2, loss 0 for the first entrant of the pairing: its goal
 * against the largest of the others'; where it has all seats, whether each of
 * them got 100.  -1: the match was aborted. */
double alea_unit_outcome_score(const alea_unit_outcome *outcome);

void alea_unit_outcome_pack(const alea_unit_outcome *outcome, alea_text *bytes);
/* Reads what alea_unit_outcome_pack wrote; texts point into 'bytes', arrays are the
 * arena's.  ALEA_INPUT: these are not such bytes. */
alea_status alea_unit_outcome_unpack(alea_unit_outcome *outcome, const char *bytes, size_t length,
                                     alea_arena *arena);

/* ---- playing ---- */

/* Plays units; keeps the game of the last one open. */
typedef struct alea_worker {
  const alea_tournament_plan *plan;
  alea_mem mem; /* of matches */
  alea_opened opened;
  const alea_tournament_plan_game *game; /* the one that is open; NULL: none */
  char host[65];
  int scheduler; /* process that must live on, 0: none; else matches are left when it is gone */
} alea_worker;

void alea_worker_init(alea_worker *worker, const alea_tournament_plan *plan);
void alea_worker_clear(alea_worker *worker);
/* Plays unit 'unit' and appends its outcome to 'bytes'.  A match that could
 * not be played is an outcome too; the status tells only of memory.  ALEA_NONE:
 * there is no scheduler any more. */
alea_status alea_worker_play(alea_worker *worker, uint64_t unit, alea_text *bytes);

#endif
