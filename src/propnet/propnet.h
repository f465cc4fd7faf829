#ifndef ALEA_PROPNET_PROPNET_H
#define ALEA_PROPNET_PROPNET_H

/* Propositional network: the ground game as a graph of boolean gates.
 *
 * Nodes are numbered: 0 is constant true, then fluents, then moves (role by
 * role), then gates.  A literal is 2 * node + negated; literal 0 is true,
 * literal 1 is false.  A gate is the AND or the OR of two or more literals.
 *
 * A net is built once and then frozen.  A frozen net is immutable, so any
 * number of threads may read it without locks; what changes during play lives
 * in cursors and samplers, one per thread.  The net owns everything it points
 * to, texts included, and keeps no pointer into the ground program.
 *
 * Invariants of a frozen net (alea_net_check asserts them):
 *   - gates are sorted by phase (see alea_net_phase), and within a phase in
 *     topological order of their strongly connected parts: the inputs of a
 *     gate have smaller numbers unless they lie in the same part;
 *   - the gates of one part have consecutive numbers.  Inside a part all
 *     inputs from the part itself are unnegated (rules are stratified), and
 *     the value of the part is its least fixpoint;
 *   - no gate is constant, no two gates have the same kind and inputs, inputs
 *     are sorted, distinct, and never a literal with its negation;
 *   - every gate reaches a root (legal, next, goal, terminal, sees);
 *   - roots may be any literal, constants included.
 *
 * Engines may rely on one move per role: exactly one move node of each role
 * is true when gates of the phases NEXT and SEES are read. */

#include "base/arena.h"
#include "base/hash_map.h"
#include "base/status.h"
#include "base/vec.h"
#include "game/game.h"

typedef uint32_t alea_lit;
#define ALEA_LIT_TRUE 0u
#define ALEA_LIT_FALSE 1u

/* When a gate's value is needed.  Gates of the first two phases do not depend
 * on the moves. */
typedef enum alea_net_phase {
  ALEA_PHASE_STATE, /* legal and terminal, and what the later phases need of the state */
  ALEA_PHASE_GOAL,  /* only goals */
  ALEA_PHASE_NEXT,  /* next: depends on the moves */
  ALEA_PHASE_SEES,  /* only percepts */
  ALEA_PHASE_COUNT
} alea_net_phase;

typedef enum alea_gate_kind { ALEA_GATE_AND, ALEA_GATE_OR } alea_gate_kind;

typedef struct alea_net_gate {
  uint32_t first_input; /* inputs: net->inputs.data[first_input ...] */
  uint32_t input_count : 31;
  uint32_t kind : 1; /* alea_gate_kind */
} alea_net_gate;

typedef struct alea_net_goal {
  uint32_t role;
  int value;
  alea_lit lit;
} alea_net_goal;

typedef struct alea_net_percept {
  uint32_t role;
  uint32_t percept; /* index for percept_text */
  alea_lit lit;
} alea_net_percept;

/* A part with a cycle: gates first .. last (node numbers, inclusive). */
typedef struct alea_net_cycle {
  uint32_t first, last;
} alea_net_cycle;

typedef struct alea_net {
  alea_mem *mem;
  uint32_t role_count;
  const char **role_text, **role_spelling;
  int random_role;
  bool has_sees;

  uint32_t fluent_count; /* nodes 1 .. fluent_count */
  uint32_t move_count;   /* nodes fluent_count + 1 .. */
  uint32_t first_gate;   /* = 1 + fluent_count + move_count */
  uint32_t gate_count;
  uint32_t phase_end[ALEA_PHASE_COUNT]; /* node number after the phase's last gate */
  alea_net_gate *gates;                 /* gates[i] is node first_gate + i */
  ALEA_VEC(alea_lit) inputs;
  ALEA_VEC(alea_net_cycle) cycles; /* ascending */

  uint8_t *init;        /* per fluent */
  alea_lit *next;       /* per fluent */
  uint32_t *move_first; /* role r has moves move_first[r] .. move_first[r+1]-1, in 0..move_count */
  alea_lit *legal;      /* per move */
  alea_lit terminal;
  ALEA_VEC(alea_net_goal) goals;       /* sorted by role */
  ALEA_VEC(alea_net_percept) percepts; /* sorted by role */
  uint32_t percept_count;

  alea_arena texts;
  const char **fluent_text, **fluent_spelling;
  const char **move_text, **move_spelling;
  const char **percept_text, **percept_spelling;
  alea_hash_map moves_by_text;
  alea_terms *terms; /* of fluents, moves and percepts: equal terms are one number */
  alea_term *fluent_terms, *move_terms, *percept_terms;
} alea_net;

struct alea_ground;
struct alea_diag;

/* Engines need different networks of the same game.  One that evaluates every
 * gate needs few gates; one that follows changes needs few gates to change, and
 * is faster with wide gates.  Numbers of fluents and moves are the same. */
typedef enum alea_net_aim { ALEA_NET_FEW_GATES, ALEA_NET_FEW_CHANGES } alea_net_aim;

typedef struct alea_net_options {
  alea_net_aim aim;
  uint32_t max_gates;                   /* 0 = 50 million */
  const struct alea_deadline *deadline; /* NULL = none; past it, optimisation stops early */
  bool plain;                           /* no optimisation beyond what the invariants ask (tests) */
  bool any_move;                        /* do not use that only legal moves are made */
} alea_net_options;

/* Translates 'ground' into a frozen net that the caller owns.  On failure
 * '*net' is NULL and 'diag' says why; ALEA_LIMIT means that more than
 * 'max_gates' gates or more memory than allowed were needed.  ALEA_INPUT: the
 * ground rules are not stratified (an atom depends on its own negation). */
alea_status alea_net_new(alea_net **net, const struct alea_ground *ground,
                         const alea_net_options *options, alea_mem *mem, struct alea_diag *diag);
void alea_net_free(alea_net *net); /* NULL is a no-op. */

/* Asserts the invariants above; for tests. */
void alea_net_check(const alea_net *net);

/* Number of two-input gates that an evaluation of the net needs. */
uint64_t alea_net_two_input_gates(const alea_net *net);

/* The move of 'role' written as 'text' (any case, any spacing), numbered from
 * 0 within the role, or ALEA_NO_MOVE.  Allocates nothing. */
alea_move alea_net_find_move(const alea_net *net, uint32_t role, const char *text);
/* The same for percepts, or ALEA_NO_PERCEPT. */
uint32_t alea_net_find_percept(const alea_net *net, const char *text);
/* The same for fluents, or ALEA_NO_FLUENT. */
uint32_t alea_net_find_fluent(const alea_net *net, const char *text);

/* Evaluates every gate, slowly and directly: values[node] is 0 or 1, given for
 * the leaves (the constant, fluents, moves) and computed for the gates.  The
 * oracle of the engines. */
void alea_net_evaluate(const alea_net *net, uint8_t *values);

/* The game over 'net' played by the incremental engine: counters and
 * triggers, O(changed gates) per move.  Takes ownership of the net, also when
 * it fails; 'mem' must outlive the game.  See incremental.c. */
alea_status alea_net_game_new(alea_game **game, alea_net *net, alea_mem *mem);
/* The net under a game of this engine, NULL for any other engine. */
const alea_net *alea_net_of_game(const alea_game *game);
/* The position to which a legal joint move would lead, as words that are valid until
 * the cursor, which is of this engine, changes or looks at another.  The cursor stays
 * where it is: of legal moves and ends of the game there nothing is found out, which is
 * why it costs a part of a play. */
const uint64_t *alea_net_preview(alea_cursor *cursor, const alea_move *joint);

#endif
