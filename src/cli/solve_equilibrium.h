#ifndef ALEA_CLI_SOLVE_EQUILIBRIUM_H
#define ALEA_CLI_SOLVE_EQUILIBRIUM_H

/* alea solve --equilibrium: an equilibrium of a small game of two players. */

#include "base/options.h"

/* clang-format off */
#define ALEA_EQUILIBRIUM_OPTIONS(row)                                                             \
  row(flag, equilibrium, "", 0, 0, "", "FILE is a game of two players: an equilibrium, by CFR+")   \
  row(integer, iterations, "100000", 1, 1e12, "N", "equilibrium: iterations at most")              \
  row(real, gap, "0.0001", 0, 1, "G", "equilibrium: stop at this exploitability (goals / 100); 0: after all iterations") \
  row(integer, nodes, "5000000", 1, 4e9, "N", "equilibrium: positions at most; against: nodes of the tree of all plays") \
  row(text, against, "", 0, 0, "PLAYER", "equilibrium: measure the exploitability of this player instead") \
  row(integer, sims, "1000", 1, 1e12, "N", "against: simulations per move of the player")          \
  row(integer, samples, "100", 1, 1e9, "N", "against: times that the player is asked at each information set")
/* clang-format on */

typedef struct alea_cli_equilibrium {
  ALEA_OPTION_FIELDS(ALEA_EQUILIBRIUM_OPTIONS)
  const char *game;
  bool all, json; /* print the strategies; print JSON */
  double time;    /* seconds; 0: no limit */
  size_t memory;
  uint64_t seed; /* against */
} alea_cli_equilibrium;

/* Returns the exit status. */
int alea_cli_solve_equilibrium(const alea_cli_equilibrium *options);

#endif
