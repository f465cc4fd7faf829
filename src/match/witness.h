#ifndef ALEA_MATCH_WITNESS_H
#define ALEA_MATCH_WITNESS_H

/* Plays that show what is wrong with the rules of a game.
 *
 * A well-formed game is playable (everybody always has a move), terminating
 * (every play ends), has exactly one goal for everybody at every end, and can be
 * won by everybody.  Where a game is not, a play shows it best.  Four searches
 * follow each other, each within its limits:
 *
 *   positions   breadth first from the initial position: shortest plays, and the
 *               whole truth where the game is small enough; for games with a network
 *   steps       random plays
 *   playouts    random plays in lanes, which tell who can win, for games with a
 *               network
 *   stages      several stages as clauses (unroll/unroll.h), for what happens in
 *               few plays of many; for games with a network
 *
 * Every play that is reported has been played on a cursor. */

#include "base/clock.h"
#include "base/diag.h"
#include "base/vec.h"
#include "game/game.h"
#include "gdl/program.h"

#define ALEA_WITNESS_KINDS(X)                                                            \
  /* name, code, meaning */                                                              \
  X(NOT_PLAYABLE, "not-playable", "a play where a role has no move before the end")      \
  X(ENDLESS, "endless-play", "a play that comes back to a position, or is very long")    \
  X(NO_GOAL, "no-goal-at-end", "a play at whose end a role has no goal")                 \
  X(TWO_GOALS, "two-goals-at-end", "a play at whose end a role has two different goals") \
  X(NEVER_WON, "never-won", "no play gives a role 100")

typedef enum alea_witness_kind {
#define ALEA_WITNESS_ENUM(name, code, meaning) ALEA_WITNESS_##name,
  ALEA_WITNESS_KINDS(ALEA_WITNESS_ENUM)
#undef ALEA_WITNESS_ENUM
      ALEA_WITNESS_KIND_COUNT
} alea_witness_kind;

const char *alea_witness_code(alea_witness_kind kind);
const char *alea_witness_meaning(alea_witness_kind kind);

typedef struct alea_witness {
  alea_witness_kind kind;
  uint32_t role;     /* not for ENDLESS */
  int values[2];     /* TWO_GOALS: two of the goals.  NEVER_WON: the best, -1 where unknown */
  alea_u32s moves;   /* role_count for each step; none for NEVER_WON */
  uint32_t steps;    /* joint moves */
  bool cycle;        /* ENDLESS: the last position is an earlier one, */
  uint32_t cycle_at; /* the one after so many joint moves */
} alea_witness;

/* At most one of each kind for each role. */
typedef struct alea_witnesses {
  alea_mem *mem;
  ALEA_VEC(alea_witness) list;
} alea_witnesses;

typedef struct alea_witness_limits {
  uint32_t positions; /* of the exhaustive search; 0: not that search */
  uint64_t steps;     /* of random play, all plays together; 0: none */
  uint32_t playouts;  /* in lanes; 0: none */
  uint32_t stages;    /* of clauses; 0: none */
  uint64_t conflicts; /* for each question to the clauses */
  uint32_t horizon;   /* no play has more joint moves, by the rules; 0: not known */
  uint64_t seed;
  const alea_deadline *deadline; /* may be NULL: then the result depends on the rest alone */
} alea_witness_limits;

/* Limits that keep games of ordinary size far below a second, times 'factor'. */
void alea_witness_limits_init(alea_witness_limits *limits, double factor);

/* Searches.  The caller clears 'found' in any case.  ALEA_OK, also where a limit
 * ended the search. */
alea_status alea_witness_find(alea_witnesses *found, const alea_game *game,
                              const alea_witness_limits *limits, alea_mem *mem);
void alea_witnesses_clear(alea_witnesses *found);

/* Appends the joint moves of a play as match/moves.h reads them, at most 'most'
 * lines (0 = all), each after 'indent'. */
void alea_witness_print(const alea_witness *witness, const alea_game *game, const char *indent,
                        uint32_t most, alea_text *out);

/* Adds the witness to 'diag', in a sentence with the cure, at the place in
 * 'program' where the cure belongs; NULL: a rewriting game, without such a place. */
void alea_witness_report(const alea_witness *witness, const alea_game *game,
                         const alea_program *program, alea_severity severity, alea_diag *diag);

#endif
