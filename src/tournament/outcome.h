#ifndef ALEA_TOURNAMENT_OUTCOME_H
#define ALEA_TOURNAMENT_OUTCOME_H

/* The outcome of one unit of a tournament, and its serialization.
 *
 * The process that played the unit sends the bytes to the process that stores
 * it.  They are the same on every machine: little endian, texts with length and
 * final zero. */

#include <signal.h>
#include <time.h>

#include "base/status.h"
#include "tournament/plan.h"

typedef struct alea_unit_outcome_seat {
  const char *role, *player;
  int32_t entrant;        /* 0: first of the pairing, 1: second, -1: chance */
  int32_t goal;           /* -1: the match was aborted */
  double seconds;         /* of thinking, by the clock of the match */
  const char *statistics; /* a JSON object */
} alea_unit_outcome_seat;

typedef struct alea_unit_outcome_move {
  const char *move, *error;
  double seconds;
} alea_unit_outcome_move;

typedef struct alea_unit_outcome {
  uint64_t unit;
  alea_status status;  /* not ALEA_OK: not played; 'message' says why */
  const char *message; /* "" if played */
  const char *engine, *host, *version;
  int64_t started; /* ms since 1970 */
  double seconds, cpu_seconds;
  uint32_t roles, steps, faults;
  bool completed;
  alea_unit_outcome_seat *seats; /* per role */
  alea_unit_outcome_move *moves; /* steps * roles */
  const char **start_errors;     /* per role */
} alea_unit_outcome;

/* The score of the first entrant of the pairing: win 1, draw 1/2, loss 0.  Its
 * goal is compared with the largest goal of the others; if it has all seats, a
 * win is 100 in each of them.  -1: the match was aborted. */
double alea_unit_outcome_score(const alea_unit_outcome *outcome);

void alea_unit_outcome_pack(const alea_unit_outcome *outcome, alea_text *bytes);
/* Reads what alea_unit_outcome_pack wrote.  Texts point into 'bytes'; arrays
 * are allocated in the arena.  ALEA_INPUT: the bytes are malformed. */
alea_status alea_unit_outcome_unpack(alea_unit_outcome *outcome, const char *bytes, size_t length,
                                     alea_arena *arena);

/* ---- playing ---- */

/* Plays units; keeps the game of the last one open. */
typedef struct alea_worker {
  const alea_tournament_plan *plan;
  alea_mem mem; /* of matches */
  alea_opened opened;
  const alea_tournament_plan_game *game; /* the open one; NULL: none */
  char host[65];
  int scheduler;         /* process id; matches are abandoned when this process has ended */
  timer_t patience;      /* ends this process when a player does not come back, */
  bool patient;          /* unless there is no such timer */
  alea_clock_kind clock; /* of the match that is played */
} alea_worker;

/* The signal by which a worker ends itself then: a move that takes many times its clock, which
 * only a player of somebody else's can do.  Nobody else sends it. */
enum { ALEA_WORKER_HANGS = SIGVTALRM };

/* 'scheduler' is the process that has started this one for it; 0: none has. */
void alea_worker_init(alea_worker *worker, const alea_tournament_plan *plan, int scheduler);
void alea_worker_clear(alea_worker *worker);
/* Plays unit 'unit' and appends its outcome to 'bytes'.  A match that could not
 * be played is an outcome, too.  A remote player that is not available, or
 * misses too many moves, forfeits: its start error is FF, its goal 0 and that of
 * the others 100.  The status reports only lack of memory, and ALEA_NONE if the
 * scheduler has ended or the worker was told to end. */
alea_status alea_worker_play(alea_worker *worker, uint64_t unit, alea_text *bytes);

#endif
