#ifndef ALEA_CSP_RANKING_H
#define ALEA_CSP_RANKING_H

/* Ranking games: strategic networks whose state fits into a few words.
 *
 * In a ranking game the i-th quantified variable P_i names the cell that gets
 * rank i; ranks ascend along chains of cells; a line of cells whose ranks are
 * all odd is player 1's, one whose ranks are all even player 2's, not both
 * have lines, and the last quantified variable is the largest flag of a line
 * (Connect, [STRAT06 §5.2]).  The form is found in the constraints themselves,
 * so nothing that a file claims is believed.
 *
 * If there are at least as many ranks beyond the number of cells as cells in
 * the longest chain, the empty cells of a chain can always take ascending ranks
 * of either parity.  Then a value is consistent with the state if and only if
 * its cell is the lowest empty one of its chain and completes no line against
 * one that is complete; the side that completes the first line wins, and
 * neither side is ever without a value before.  Bit sets of cells are then the
 * whole state, and propagation is: a cell that completes a line is taken at
 * once, a cell with which the other side would complete one is the only
 * value, and the cell below such a one is none.
 *
 * Bits: the cells of a chain are consecutive bits, lowest cell first, and one
 * bit above each chain stays free, for keys. */

#include "csp/strategic_core.h"

enum {
  RANKING_BITS = 64,
  RANKING_BLOCK = 8, /* lists of sets are filled up to a multiple, for vectors of words */
};

typedef struct ranking_game {
  uint32_t cells, chains, lines;
  uint32_t slack;               /* ranks beyond the number of cells */
  uint32_t longest;             /* chain */
  bool hold;                    /* player 1 need not complete a line: a full board is enough */
  uint8_t bit[RANKING_BITS];    /* of a cell; cell v is value v+1 of a move */
  uint8_t cell[RANKING_BITS];   /* of a bit */
  uint64_t board;               /* all cells */
  uint64_t bottoms;             /* the lowest cell of each chain */
  uint64_t uppers;              /* cells an even number of steps below the top of their chain */
  uint64_t field[RANKING_BITS]; /* per chain: its cells and the bit above */
  uint8_t first[RANKING_BITS];  /* per chain: its lowest bit */
  /* Lists of sets; what fills them up has all bits, so it is never complete. */
  uint64_t *line; /* one per line */
  uint64_t *rest; /* rest[start[b] ...]: the lines through bit b, without it */
  uint32_t start[RANKING_BITS + 1];
  uint32_t through[RANKING_BITS];    /* their number */
  const alea_csp_var *ranks, *flags; /* by cell, by line */
} ranking_game;

/* The form of the network in the arena, or NULL: '*why' says what it lacks, NULL
 * for want of memory.  Its semantics need not be that of a game: see
 * ranking_is_game. */
const ranking_game *ranking_find(const alea_strategic *strategic, alea_arena *arena,
                                 const char **why);
/* Whether bit sets decide it; NULL if so, otherwise what it lacks. */
const char *ranking_is_game(const alea_strategic *strategic, const ranking_game *game);

/* Whether hints for the search on domains (csp/strategic.h) follow from the
 * constraints.  NULL if they do, otherwise why not.
 *
 * A rank that is taken matters by its parity alone: every rank up to it is
 * taken too, so orders with the cells above hold, and lines ask for no more. */
const char *ranking_refuses_class(const ranking_game *game, alea_csp_var var,
                                  const uint32_t *classes, const uint32_t *since, uint32_t count);
const char *ranking_refuses_outcome(const ranking_game *game, const alea_csp_var *vars,
                                    uint32_t count, int64_t win, int64_t loss);

/* ---- the table ---- */

typedef struct ranking_table {
  uint64_t *words; /* buckets of RANKING_WAYS words; NULL: no table */
  uint64_t mask;   /* number of buckets - 1 */
} ranking_table;

enum {
  RANKING_WAYS = 4,     /* words per bucket: half a cache line */
  RANKING_LEAST = 1024, /* buckets at least: their number is not part of a word */
};

/* Mixed keys are exact: the mixing is a bijection, and what a word does not
 * hold of the key is the number of its bucket. */
bool ranking_table_init(ranking_table *table, alea_mem *mem, uint64_t bytes);
void ranking_table_clear(ranking_table *table, alea_mem *mem);
bool ranking_table_find(const ranking_table *table, uint64_t mixed, bool *answer);
/* 'work' is the logarithm of the nodes that it took; the least work of a bucket
 * is replaced. */
void ranking_table_store(ranking_table *table, uint64_t mixed, bool answer, uint32_t work);
static inline void ranking_table_prefetch(const ranking_table *table, uint64_t mixed) {
  __builtin_prefetch(&table->words[(mixed & table->mask) * RANKING_WAYS]);
}

/* A file of what took long: to stop and go on.  'print' stands for the network
 * and the question.  NULL, or what is wrong with the file. */
const char *ranking_table_save(const ranking_table *table, alea_mem *mem, const char *path,
                               uint64_t print, const uint64_t spent[2]);
/* No file is no mistake: there is nothing to go on from. */
const char *ranking_table_load(ranking_table *table, const char *path, uint64_t print,
                               uint64_t spent[2]);

/* ---- the search ---- */

typedef struct ranking_search ranking_search;

/* For a network that ranking_is_game; NULL if out of memory.  '*trouble' tells
 * what is wrong with the file of the options. */
ranking_search *ranking_search_new(strategic_play *play, const ranking_game *game,
                                   const char **trouble);
void ranking_search_free(ranking_search *search); /* NULL is a no-op */
/* strategic_run for the node 'base', whose values are in the engine. */
bool ranking_search_run(ranking_search *search, uint32_t base);
/* Writes the file of the options, if there is one; what went wrong, or NULL. */
const char *ranking_search_save(ranking_search *search);

#endif
