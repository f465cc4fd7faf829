/* Solves a constraint problem: four queens, from memory, or a file that is given.
 *
 *   cc solve.c $(pkg-config --cflags --libs alea) -o solve && ./solve problem.xml */
#include <alea/alea.h>
#include <stdio.h>
#include <string.h>

static const char queens[] =
    "<instance format=\"XCSP3\" type=\"CSP\">"
    "<variables><array id=\"q\" size=\"[4]\"> 0..3 </array></variables>"
    "<constraints>"
    "<allDifferent> q[] </allDifferent>"
    "<allDifferent> add(q[0],0) add(q[1],1) add(q[2],2) add(q[3],3) </allDifferent>"
    "<allDifferent> sub(q[0],0) sub(q[1],1) sub(q[2],2) sub(q[3],3) </allDifferent>"
    "</constraints></instance>";

int main(int argc, char **argv) {
  alea_problem *problem;
  alea_diagnostics *found;
  alea_status status =
      argc > 1 ? alea_problem_open(&problem, argv[1], &found)
               : alea_problem_read(&problem, "queens", queens, strlen(queens), &found);
  for (size_t i = 0; i < alea_diagnostics_count(found); i++)
    fprintf(stderr, "%s\n", alea_diagnostics_at(found, i)->message);
  alea_diagnostics_free(found);
  if (status != ALEA_OK) return status;

  alea_solution *solution;
  alea_solve_settings settings = {.size = sizeof settings, .aim = ALEA_AIM_ALL, .seconds = 10};
  status = alea_problem_solve(&solution, problem, &settings);
  if (solution == NULL) return status;
  const char *text;
  for (size_t i = 0; (text = alea_solution_text(solution, i)) != NULL; i++) printf("%s\n", text);
  printf("%llu solutions\n", (unsigned long long)alea_solution_count(solution));
  alea_solution_free(solution);
  alea_problem_free(problem);
  return status;
}
