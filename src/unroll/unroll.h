#ifndef ALEA_UNROLL_UNROLL_H
#define ALEA_UNROLL_UNROLL_H

/* Several stages of a game as clauses, with one literal per node and stage, for
 * questions where later stages restrict the moves of earlier ones.
 *
 * State 0 is a given position; each extension adds the moves of a stage and the
 * state after it.  Every node of the game's network has one literal per stage:
 *
 *   fluents   of state 0 are constants; a fluent of state t + 1 is the very
 *             literal of its `next` at stage t, so a frame costs nothing
 *   gates     equal the AND or OR of their inputs (Clark's completion of the
 *             rules); over constants they are folded, so what cannot be true
 *             within t steps by counting and the like is false at once
 *   moves     are variables; at most one per role
 *   play(t)   says that stage t is played: then state t is not terminal, and
 *             each role makes exactly one legal move.  All other
 *             clauses are definitions, so that questions about fewer stages
 *             are not restricted by the later ones
 *
 * The value of a cyclic part of the network is its least fixpoint, of which
 * completion allows too much.  Members that are underivable, or derivable from
 * constants, are folded when a stage is made; beyond that a model is tested,
 * and a set of members that support only each other is cut off by its loop
 * formula (Lin and Zhao, AIJ 157, 2004), which holds at every stage and is
 * kept.  So "refuted" is right from the start, and "proved" after the test. */

#include "base/vec.h"
#include "game/game.h"
#include "sat/sat.h"
#include "unroll/partial_order.h"

typedef struct alea_unroll alea_unroll;

typedef struct alea_unroll_options {
  const alea_deadline *deadline; /* may be NULL; may be changed later */
  size_t memory;                 /* of the clauses, as estimated; 0 = 1 GiB */
  alea_sat_style style;
  bool sees;                       /* with the percepts of each stage */
  const alea_partial_order *order; /* one role: moves are sorted by it; may be NULL, borrowed */
} alea_unroll_options;

typedef struct alea_unroll_stats {
  uint64_t variables, clauses, questions, loops;
} alea_unroll_stats;

/* State 0 is the position where 'fluents' hold.  ALEA_UNSUPPORTED: the game is
 * not played by a network.  The game is borrowed. */
alea_status alea_unroll_new(alea_unroll **unroll, const alea_game *game, alea_list fluents,
                            const alea_unroll_options *options, alea_mem *mem);
void alea_unroll_free(alea_unroll *unroll); /* NULL is a no-op. */
void alea_unroll_deadline(alea_unroll *unroll, const alea_deadline *deadline);

/* The goal values that the rules give to 'role', descending and distinct. */
alea_status alea_unroll_values(const alea_game *game, uint32_t role, alea_u32s *values,
                               alea_mem *mem);

/* How many fluents the network has; they are numbered from 0. */
uint32_t alea_unroll_fluents(const alea_unroll *unroll);
/* Stages that can be played; states are numbered 0 .. stages. */
uint32_t alea_unroll_stages(const alea_unroll *unroll);
/* Adds a stage.  ALEA_LIMIT: memory or deadline; the unrolling stays as it
 * was. */
alea_status alea_unroll_extend(alea_unroll *unroll);

/* Literals; 't' is below the number of stages for play, move and percept, and
 * at most that number for the others. */
alea_slit alea_unroll_play(const alea_unroll *unroll, uint32_t t);
alea_slit alea_unroll_move(const alea_unroll *unroll, uint32_t t, uint32_t role, alea_move move);
alea_slit alea_unroll_fluent(const alea_unroll *unroll, uint32_t t, uint32_t fluent);
alea_slit alea_unroll_terminal(const alea_unroll *unroll, uint32_t t);
/* 'role' may make 'move' in state t, whether or not the state is terminal. */
alea_slit alea_unroll_legal(const alea_unroll *unroll, uint32_t t, uint32_t role, alea_move move);
/* Needs 'sees' in the options.  'k' counts the (role, percept) pairs of the
 * game; false when there are no more. */
bool alea_unroll_percept(const alea_unroll *unroll, uint32_t t, size_t k, uint32_t *role,
                         uint32_t *percept, alea_slit *lit);
/* The goal of 'role' in state t is at least 'least' (1..100).  ALEA_LIMIT as
 * above. */
alea_status alea_unroll_goal(alea_unroll *unroll, uint32_t t, uint32_t role, int least,
                             alea_slit *lit);
/* The rules give 'role' the goal 'value' in state t; they may give others too. */
alea_status alea_unroll_goal_is(alea_unroll *unroll, uint32_t t, uint32_t role, int value,
                                alea_slit *lit);

/* A literal '*asked' that implies: one of ends[first .. last] holds (ends[t]
 * belongs to state t; false ones are passed over), and all stages before its
 * state, from 'first' on, are played. */
alea_status alea_unroll_ask_ends(alea_unroll *unroll, const alea_slit *ends, uint32_t first,
                                 uint32_t last, alea_slit *asked);

/* The solver, for clauses of one's own and to read a model. */
alea_sat *alea_unroll_sat(alea_unroll *unroll);
/* A model under 'assumptions'; conflicts as in alea_sat_solve. */
alea_status alea_unroll_solve(alea_unroll *unroll, const alea_slit *assumptions, size_t count,
                              uint64_t conflicts, alea_verdict *answer);
/* After "proved": the move of 'role' at stage t in the model, ALEA_NO_MOVE
 * where it makes none. */
alea_move alea_unroll_chosen(const alea_unroll *unroll, uint32_t t, uint32_t role);

alea_unroll_stats alea_unroll_statistics(const alea_unroll *unroll);

#endif
