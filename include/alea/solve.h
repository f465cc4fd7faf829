#ifndef ALEA_SOLVE_H
#define ALEA_SOLVE_H

/* Constraint problems: plain, stochastic and strategic.
 *
 *   alea_problem *problem;
 *   if (alea_problem_open(&problem, "queens.xml", NULL) != ALEA_OK) ...
 *   alea_solution *solution;
 *   alea_solve_settings settings = {.size = sizeof settings, .seconds = 10};
 *   if (alea_problem_solve(&solution, problem, &settings) == ALEA_OK)
 *     printf("%s\n", alea_solution_text(solution, 0));
 *   alea_solution_free(solution);
 *   alea_problem_free(problem);
 *
 * A problem is read from XCSP3 or from JSON (docs/CONSTRAINTS.md says how).  It
 * belongs to one thread at a time. */

#include "alea/stop.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct alea_problem alea_problem;

typedef enum alea_problem_kind {
  ALEA_PROBLEM_PLAIN,      /* constraints on variables; perhaps an objective */
  ALEA_PROBLEM_STRATEGIC,  /* quantified variables: is there a winning strategy? */
  ALEA_PROBLEM_STOCHASTIC, /* decisions and chance: what is the best policy worth? */
  ALEA_PROBLEM_PROCESS,    /* the same, stage after stage */
} alea_problem_kind;

/* Reads a problem from a file, or from memory, which is copied; 'label' stands for
 * the file in diagnostics.  ALEA_INPUT: it is wrong, and a diagnostic says where.
 * ALEA_SYSTEM: the file cannot be read. */
ALEA_API alea_status alea_problem_open(alea_problem **problem, const char *path,
                                       alea_diagnostics **diagnostics);
ALEA_API alea_status alea_problem_read(alea_problem **problem, const char *label, const char *text,
                                       size_t length, alea_diagnostics **diagnostics);
ALEA_API void alea_problem_free(alea_problem *problem); /* NULL is a no-op. */

ALEA_API alea_problem_kind alea_problem_kind_of(const alea_problem *problem);
/* The variables of a plain problem; those of the solver's own are left out.  0 for
 * problems of other kinds. */
ALEA_API uint32_t alea_problem_variable_count(const alea_problem *problem);
/* Lives as long as the problem; NULL beyond the last. */
ALEA_API const char *alea_problem_variable(const alea_problem *problem, uint32_t variable);

/* ---- solving ---- */

typedef enum alea_aim {
  ALEA_AIM_FIRST, /* a first solution; stochastic: is the threshold reached? */
  ALEA_AIM_ALL,   /* plain: every solution */
  ALEA_AIM_BEST,  /* plain: the best value of the objective; stochastic: the best policy's */
} alea_aim;

typedef struct alea_solve_settings {
  size_t size;                /* sizeof(alea_solve_settings) */
  alea_aim aim;               /* of strategic problems, ALEA_AIM_FIRST alone */
  double seconds;             /* limit; 0: none */
  uint64_t seed;              /* of random choices */
  uint64_t solutions;         /* ALEA_AIM_ALL: stop after so many; 0: never */
  int64_t horizon;            /* processes: number of transitions; 0: to the end */
  const alea_stop_flag *stop; /* when raised, the time is over; may be NULL */
} alea_solve_settings;

typedef struct alea_solution alea_solution;

/* Solves the problem.  ALEA_OK: there is a solution; strategic: the first side has a
 * winning strategy; stochastic: the threshold is reached, or the best value was
 * found.  ALEA_NO: there is none, which is proved.  ALEA_LIMIT: the time was over;
 * what was found until then is in the solution.  With these three the caller owns
 * '*solution'; with any other it is NULL.  ALEA_USAGE: the aim does not go with
 * the problem. */
ALEA_API alea_status alea_problem_solve(alea_solution **solution, alea_problem *problem,
                                        const alea_solve_settings *settings);
ALEA_API void alea_solution_free(alea_solution *solution); /* NULL is a no-op. */

/* Solutions that were found; plain problems. */
ALEA_API uint64_t alea_solution_count(const alea_solution *solution);
/* The objective, or the value of the policy; false where there is none. */
ALEA_API bool alea_solution_value(const alea_solution *solution, double *value);
/* Positions of the search. */
ALEA_API uint64_t alea_solution_nodes(const alea_solution *solution);
/* Solution number 'index' of a plain problem: one value per variable of
 * alea_problem_variable, lent; the last is the best.  NULL beyond the last. */
ALEA_API const int32_t *alea_solution_values(const alea_solution *solution, size_t index);
/* The same as text, "x=1 y=2", with the names of symbolic values; lent until the
 * next call. */
ALEA_API const char *alea_solution_text(alea_solution *solution, size_t index);

#ifdef __cplusplus
}
#endif

#endif
