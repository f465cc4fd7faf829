#ifndef ALEA_PLAYER_H
#define ALEA_PLAYER_H

/* Players: what chooses moves, and how to write one.
 *
 *   alea_agent *agent;
 *   alea_agent_options options = {.size = sizeof options, .role = 0, .seed = 1};
 *   if (alea_agent_new(&agent, rules, "uct:c=1", &options, NULL) != ALEA_OK) ...
 *   alea_agent_budget budget = {.size = sizeof budget, .seconds = 1};
 *   alea_move move;
 *   alea_agent_start(agent, &budget);
 *   while (!alea_state_terminal(state)) {
 *     alea_agent_think(agent, &budget, &move);
 *     ... alea_state_step(state, joint);
 *     alea_agent_follow(agent, state);
 *   }
 *   alea_agent_free(agent);
 *
 * An agent is a player at one role of one game.  Players have names and
 * options, `alea players` lists them.  An agent belongs to one thread, which
 * makes, starts, asks, tells and frees it; while it thinks, any thread may call
 * alea_agent_stop and alea_agent_analysis.  With a budget of simulations alone it
 * is deterministic: the same seed and the same calls give the same moves. */

#include "alea/state.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct alea_agent alea_agent;

typedef struct alea_agent_options {
  size_t size;            /* sizeof(alea_agent_options) */
  uint32_t role;          /* whom it plays for */
  uint64_t seed;          /* of everything it draws */
  size_t memory;          /* limit in bytes; 0 is none */
  const char *evaluation; /* file with an evaluation of a rewriting game; NULL: none */
} alea_agent_options;

/* How long to think: until the first of the limits is reached; without any, until
 * alea_agent_stop. */
typedef struct alea_agent_budget {
  size_t size;    /* sizeof(alea_agent_budget) */
  uint64_t sims;  /* simulations; 0: no such limit */
  double seconds; /* of the wall clock; 0: no such limit */
} alea_agent_budget;

/* Makes the agent that 'player' names, which the caller owns; it keeps 'rules'
 * alive.  ALEA_USAGE: there is no such player or role, or an option is wrong, as a
 * diagnostic says.  ALEA_UNSUPPORTED: the player cannot play this game. */
ALEA_API alea_status alea_agent_new(alea_agent **agent, alea_ruleset *rules, const char *player,
                                    const alea_agent_options *options,
                                    alea_diagnostics **diagnostics);
ALEA_API void alea_agent_free(alea_agent *agent); /* NULL is a no-op. */

/* The match begins, at the initial position; the agent may think. */
ALEA_API alea_status alea_agent_start(alea_agent *agent, const alea_agent_budget *budget);
/* Chooses a legal move for the present position.  ALEA_NONE: the role has none, or
 * the agent knows of none.  ALEA_LIMIT: none was found in time, or there is no
 * memory. */
ALEA_API alea_status alea_agent_think(alea_agent *agent, const alea_agent_budget *budget,
                                      alea_move *move);
/* Ends alea_agent_start or alea_agent_think early; the best move so far counts.
 * From any thread.  A call while it does not think is ignored. */
ALEA_API void alea_agent_stop(alea_agent *agent);
/* Tells the agent of the last step of 'state', a state of the same rules: the
 * joint move, or in games with percepts its own move and what it was told. */
ALEA_API alea_status alea_agent_follow(alea_agent *agent, alea_state *state);
/* The same from elsewhere: 'own' is what was played for the role.  'joint' has one
 * move per role and must be NULL in games with percepts, where 'percepts' are the
 * 'count' GDL texts that the role was told.  ALEA_INPUT: nobody is ever told such
 * a thing, or a number is that of no move. */
ALEA_API alea_status alea_agent_observe(alea_agent *agent, alea_move own, const alea_move *joint,
                                        const char *const *percepts, size_t count);

/* ---- what it thinks ---- */

/* What is proved of a move or position, for the agent's role. */
typedef enum alea_proof {
  ALEA_PROOF_NONE,
  ALEA_PROOF_WIN,
  ALEA_PROOF_LOSS,
  ALEA_PROOF_EXACT
} alea_proof;
/* "win", "loss", "exact"; NULL for none.  Constants. */
ALEA_API const char *alea_proof_text(alea_proof proof);

/* One move in a player's opinion. */
typedef struct alea_choice {
  alea_move move;
  uint64_t visits;
  double value; /* expected goal, 0..100; -1 = no opinion */
  alea_proof proof;
} alea_choice;

typedef struct alea_agent_report {
  size_t size;  /* sizeof(alea_agent_report) */
  double value; /* of the position, 0..100; -1: no opinion */
  alea_proof proof;
  uint64_t sims, nodes; /* simulations since the start, and positions stored */
} alea_agent_report;

/* The analysis of the last, or present, call of alea_agent_think; while it thinks
 * it is at most a twentieth of a second old.  Writes at most 'capacity' choices,
 * in the player's order, and returns how many there are; 'report' may be NULL.
 * From any thread. */
ALEA_API size_t alea_agent_analysis(alea_agent *agent, alea_choice *choices, size_t capacity,
                                    alea_agent_report *report);

/* ---- players of your own ----
 *
 * A class of functions, registered under a name, makes a player that can be named
 * wherever a player is named: in alea_agent_new, in matches (alea/match.h), and in
 * every command of alea_main: tournaments, `alea serve`, and so on.
 *
 * A process that one of its functions forks may do what it likes, but not return:
 * it ends there. */

/* What a player is made of; everything lives as long as the player. */
typedef struct alea_agent_seat {
  alea_ruleset *rules; /* lent: may be used for states, but not be kept */
  uint32_t role;
  uint64_t seed;
  const char *options; /* what followed the name and a colon; "" for nothing */
} alea_agent_seat;

/* What a player is told after a step; lent for the call. */
typedef struct alea_agent_news {
  alea_move own;
  const alea_move *joint; /* NULL in games with percepts */
  const char *const *percepts;
  size_t percept_count;
  /* Where everything is seen, the position after the step; NULL in games with
   * percepts. */
  alea_state *state;
} alea_agent_news;

typedef struct alea_agent_class {
  size_t size;         /* sizeof(alea_agent_class) */
  const char *name;    /* letters, digits and '-' */
  const char *summary; /* one line for `alea players` */
  void *context;       /* for 'make' */
  /* Makes a player of its own.  Any status but ALEA_OK means that there is none. */
  alea_status (*make)(void *context, const alea_agent_seat *seat, void **self);
  void (*free)(void *self); /* may be NULL */
  /* Chooses a move within the budget; 'stop' returns true when the time is over or
   * somebody asks for it.  'state' is the position, NULL in games with percepts;
   * whoever steps it takes that back, or loses track as below.
   * ALEA_LIMIT: there was no time for one.  Any other status but ALEA_OK, and a
   * number that is no move, means that it knows none: another move is made for it,
   * and it is asked again next time. */
  alea_status (*think)(void *self, alea_state *state, const alea_agent_budget *budget,
                       bool (*stop)(void *stop_context), void *stop_context, alea_move *move);
  /* May be NULL.  Any status but ALEA_OK: it has lost track and is asked no more;
   * moves are made for it. */
  alea_status (*observe)(void *self, const alea_agent_news *news);
} alea_agent_class;

/* Registers a class, whose texts and functions must live until the program ends.
 * Its functions are called by any thread that runs such a player, for different
 * players at the same time.  A class cannot be taken back.  ALEA_USAGE: the name
 * is taken, malformed, or a function is missing.  ALEA_LIMIT: there are 64
 * already.  From any thread. */
ALEA_API alea_status alea_agent_register(const alea_agent_class *agent_class);

/* Runs the program `alea` with these arguments, argv[0] being its name, and
 * returns its exit status.  It prints, and it may change signals and locale: for
 * programs that are `alea` with players of their own.  From one thread. */
ALEA_API int alea_main(int argc, char **argv);

#ifdef __cplusplus
}
#endif

#endif
