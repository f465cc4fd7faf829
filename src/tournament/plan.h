#ifndef ALEA_TOURNAMENT_PLAN_H
#define ALEA_TOURNAMENT_PLAN_H

/* The plan of a tournament, made from its YAML description:
 *
 *   name: first                          # shown in reports
 *   seed: 1
 *   games: [tictactoe, {game: chess, matches: 4}]
 *   players: [uct, {name: eager, player: "uct:c=0.5"}, random]
 *   budget: {sims: 100}                  # or {time: 1, start: 5, clock: cpu, grace: 1}
 *   matches: 20                          # of every pairing
 *   pairings: all                        # all, first, alike, or [[uct, random],
 *                                        #   {pair: [uct, mc], most: 4}, ...]
 *
 * A player `http://host:port`, or {name: N, player: http://..., seats: 2}, is
 * remote; it plays at most `seats` matches at a time.  `wait` is how long it may
 * be silent or busy before a match until it forfeits, `forfeit-after` how many
 * moves in a row it may miss.  `rounds:` in place of `pairings:` is
 * `round-robin` (as all), `gauntlet` (as first), `swiss`, `knockout`, or
 * {system: swiss, count: 5}; tournament/rounds.h pairs the later rounds.
 *
 * `budgets:` is a list of several budgets; every pairing is then played with
 * each.  `most` limits the matches of one pairing, whatever the game's number.
 * `first` pairs the first player with each other one; `alike` gives all
 * seats to one player, as is always done in games for one.  In a game for more
 * than two, the first of a pair has one seat and the second all others.  `engine`, `step-cap`,
 * `ground-seconds` and `memory` are those of `alea match`.
 *
 * A pairing is a game, a budget and one or two players; its match number i is
 * a unit of work: the roles are shifted by i, and the seed is derived from the
 * key of the pairing and i.  The key contains exactly what the outcome depends
 * on, so the same unit is the same match whatever else the file describes.
 * Units are numbered consecutively, pairing by pairing, in the order of the
 * file. */

#include "base/vec.h"
#include "match/runner.h"
#include "tournament/yaml.h"

typedef struct alea_tournament_plan_game {
  const char *name;
  uint32_t seats; /* roles without chance; 0: could not be opened */
  uint64_t rules; /* hash of the rulesheet */
  uint32_t matches;
  const alea_yaml *node, *pairings;
} alea_tournament_plan_game;

typedef struct alea_tournament_plan_player {
  const char *name; /* shown in reports */
  const char *text; /* uct:c=1.2 */
  bool missing;     /* this program has no such player */
  uint32_t seats;   /* matches at a time of a remote player; 0: a player of this program */
} alea_tournament_plan_player;

typedef struct alea_tournament_plan_budget {
  const char *label; /* "sims=100", "time=1,start=5,cpu" */
  uint64_t sims;
  double start, time, grace;
  alea_clock_kind clock;
} alea_tournament_plan_budget;

#define ALEA_TOURNAMENT_PLAN_NOBODY UINT32_MAX

typedef struct alea_pairing {
  uint32_t game, budget;  /* indexes into the plan */
  uint32_t first, second; /* players; ALEA_TOURNAMENT_PLAN_NOBODY: 'first' has all seats */
  uint32_t matches;
  uint32_t round;  /* from 1; 0: all pairings are known beforehand */
  uint64_t before; /* number of units of the pairings before this one */
  const char *key;
} alea_pairing;

/* How the entrants meet. */
/* clang-format off */
#define ALEA_TOURNAMENT_SYSTEMS(word)                                                  \
  word(ALEA_TOURNAMENT_PAIRINGS, "pairings")       /* as `pairings:` says */           \
  word(ALEA_TOURNAMENT_ROUND_ROBIN, "round-robin") /* everybody against everybody */   \
  word(ALEA_TOURNAMENT_GAUNTLET, "gauntlet")       /* the first against all others */  \
  word(ALEA_TOURNAMENT_SWISS, "swiss")             /* in rounds, equals against equals */ \
  word(ALEA_TOURNAMENT_KNOCKOUT, "knockout")       /* in rounds, losers leave */
/* clang-format on */
typedef enum alea_tournament_system {
  ALEA_TOURNAMENT_SYSTEMS(ALEA_CHOICE_CONSTANT)
} alea_tournament_system;

/* How workers reach remote players; set by whoever runs the plan.  Without an
 * opener there are none. */
typedef struct alea_tournament_remotes {
  alea_remote_player_opener *open;
  alea_remote_player_probe *probe;
  void *context;
  atomic_bool *stop; /* raised in a worker that is told to end */
} alea_tournament_remotes;

typedef struct alea_tournament_plan {
  alea_mem *mem;
  alea_arena arena;
  const char *name;
  uint64_t seed;
  ALEA_VEC(alea_tournament_plan_game) games;
  ALEA_VEC(alea_tournament_plan_player) players;
  ALEA_VEC(alea_tournament_plan_budget) budgets;
  ALEA_VEC(alea_pairing) pairings;
  ALEA_VEC(const char *) left_out; /* lenient: why something is not played */
  uint32_t step_cap;
  alea_open_options open;
  uint64_t units;
  alea_tournament_system system;
  uint32_t rounds;        /* of a Swiss event */
  uint32_t winner;        /* of a knockout event; ALEA_TOURNAMENT_PLAN_NOBODY before its end */
  bool remote;            /* some player is */
  double wait;            /* seconds until a remote player that cannot play forfeits */
  uint32_t forfeit_after; /* moves missed in a row; 0: any number */
  alea_tournament_remotes remotes;
} alea_tournament_plan;

typedef struct alea_tournament_plan_options {
  bool lenient;     /* leave out games and players that this program does not have */
  uint32_t matches; /* instead of the number in the file; 0 = that number */
  int64_t seed;     /* the same; -1 = that of the file */
  uint32_t seats;   /* of every game, which is then not opened: for tests, and where nothing is
                     * to be played; 0 = open it */
  const alea_yaml *extra; /* a map whose keys take precedence over those of the description */
} alea_tournament_plan_options;

/* Makes the plan of a description.  The plan must be cleared in any case and
 * does not need 'file' afterwards.  ALEA_INPUT: 'file->diag' has the places. */
alea_status alea_tournament_plan_new(alea_tournament_plan *plan, const alea_yaml_file *file,
                                     const alea_yaml *root,
                                     const alea_tournament_plan_options *options, alea_mem *mem);
void alea_tournament_plan_clear(alea_tournament_plan *plan);

/* Adds the pairings of two players in 'round', for every game and budget. */
alea_status alea_tournament_plan_pair(alea_tournament_plan *plan, uint32_t round, uint32_t first,
                                      uint32_t second);

typedef struct alea_unit {
  const alea_pairing *pairing;
  uint32_t number; /* within the pairing */
  uint64_t seed;
} alea_unit;

alea_unit alea_tournament_plan_unit(const alea_tournament_plan *plan, uint64_t index);
/* The options of alea_match_run for a unit; 'players' and 'names' have
 * room for the seats of its game. */
alea_match_options alea_tournament_plan_match(const alea_tournament_plan *plan,
                                              const alea_unit *unit, const char **players,
                                              const char **names);
/* The id of a unit's match for remote players: the same in every run. */
void alea_tournament_plan_match_id(const alea_unit *unit, alea_text *id);
/* Whether some budget is wall-clock time and a player of this program has to
 * keep it: workers must then not share cores. */
bool alea_tournament_plan_wall(const alea_tournament_plan *plan);

#endif
