#ifndef ALEA_PLANNING_PLANNER_METHOD_H
#define ALEA_PLANNING_PLANNER_METHOD_H

/* A planning method as a table of functions, to which the planner gives turns.
 *
 * The planner makes the state of a method before its first turn.  A method
 * knows nothing of the others except for the best goal that one of them has
 * found and for the length of random playouts. */

#include "planning/planner.h"

/* What all methods are asked for.  The planner owns the task and passes the same
 * one to all functions of a method; it outlives the states. */
typedef struct planner_task {
  const alea_game *game;
  alea_mem *mem;
  alea_planner_options options; /* complete: no 0 stands for a default */
  alea_u64s start;              /* the position to plan from */
  alea_u32s values;             /* goal values of the role, descending */
  uint32_t playout_stages;      /* length of the longest random playout, within bounds */
  int goal;                     /* of the best plan so far, -1 = none */
} planner_task;

/* What is known after a turn of a method. */
typedef struct planner_news {
  int goal;          /* what the best plan of the method is worth, -1 = it has none */
  alea_list moves;   /* of that plan, until the next turn */
  int bound;         /* no plan at all is worth more; INT_MAX = nothing is known */
  uint32_t playouts; /* length of the longest playout, 0 = the method makes none */
} planner_news;

typedef struct planner_method {
  const char *name;
  alea_plan_method id;
  bool probes;  /* has the first turn, for its playouts tell the others how long playouts are */
  bool endless; /* never ends by itself: without a limit it does not outlast the others */
  bool waits;   /* where there is a clock the others have a head start */
  /* On failure '*state' is NULL. */
  alea_status (*init)(void **state, const planner_task *task);
  void (*free)(void *state);
  /* Goes on for PLANNER_TURN_NODES positions or a few questions. */
  alea_status (*turn)(void *state, const planner_task *task, planner_news *news);
  /* Nothing more can be found, or not within the limits of nodes or conflicts. */
  bool (*spent)(const void *state, const planner_task *task);
  /* Adds what the method took to the numbers of the plan.  May be NULL. */
  void (*statistics)(const void *state, alea_plan *plan);
} planner_method;

enum { PLANNER_TURN_NODES = 20000 };

/* All methods in the order of their turns. */
extern const planner_method planner_methods[ALEA_PLAN_METHODS];

/* Seconds until the deadline of the task, negative where it has none. */
double planner_seconds_left(const planner_task *task);

#endif
