#ifndef ALEA_ALEA_H
#define ALEA_ALEA_H

/* libalea: plays any game described by its rules.
 *
 *   alea_table *table;
 *   char why[256];
 *   if (alea_table_open(&table, "tictactoe", NULL, why, sizeof why) != 0) ...
 *   while (!alea_table_is_over(table)) {
 *     for (unsigned r = 0; r < alea_table_roles(table); r++)
 *       alea_table_choose(table, r, alea_table_move(table, r, 0));
 *     alea_table_step(table);
 *   }
 *   printf("%d\n", alea_table_goal(table, 0));
 *   alea_table_close(table);
 *
 * A table is one game with the rules read, an engine built and a current
 * position.  It belongs to one thread at a time; several tables are
 * independent.  Strings that the library returns belong to the table and stay
 * valid until the position changes; those that name roles, until the table is
 * closed.
 *
 * Calls that can fail return 0 when they succeed and otherwise the exit status
 * that the program `alea` would end with: 2 no such game, 3 the rules or the
 * move are wrong, 4 a limit was reached, 5 the machine failed. */

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct alea_table alea_table;

typedef struct alea_table_options {
  const char *engine; /* "auto" (default), "net", "prover" */
  double seconds;     /* limit for building the engine; 0 = 60 */
  size_t memory;      /* limit in bytes; 0 = 4 GiB */
  uint64_t seed;      /* of everything random */
} alea_table_options;

const char *alea_version(void);

/* Opens a game that ships (by name) or a rulesheet (by path).  'options' may
 * be NULL.  On failure '*table' is NULL and 'why', if not NULL, gets a line
 * that says what is wrong and where. */
int alea_table_open(alea_table **table, const char *game, const alea_table_options *options,
                    char *why, size_t size);
void alea_table_close(alea_table *table); /* NULL is a no-op. */

unsigned alea_table_roles(const alea_table *table);
const char *alea_table_role(const alea_table *table, unsigned role);

/* The position: its fluents, whether it is terminal, and its value for a role
 * (0..100; -1 if the rules define none). */
size_t alea_table_fluents(alea_table *table);
const char *alea_table_fluent(alea_table *table, size_t index);
int alea_table_is_over(alea_table *table);
int alea_table_goal(alea_table *table, unsigned role);

/* Legal moves of a role, as GDL text, sorted; NULL beyond the last. */
size_t alea_table_moves(alea_table *table, unsigned role);
const char *alea_table_move(alea_table *table, unsigned role, size_t index);

/* Chooses the move of a role for the next step.  3: not a legal move. */
int alea_table_choose(alea_table *table, unsigned role, const char *move);
/* Plays the step.  Roles that did not choose, including `random`, move at
 * random. */
int alea_table_step(alea_table *table);
/* Returns to the initial position. */
int alea_table_reset(alea_table *table);

/* Plays 'count' random games from the position and stores the mean goal of each
 * role in 'means' (one per role). */
int alea_table_sample(alea_table *table, uint32_t count, double *means);

#ifdef __cplusplus
}
#endif

#endif
