/* The symmetries of a rulesheet, and the cost of finding them.
 *
 *   symmetry_bench FILE [SECONDS]
 *
 * Prints, separated by tabs: the order of the group (0: not found), its
 * generators, points (fluents and moves), rule instances of the program in which
 * it was found, CPU seconds including grounding, which program that was (rules
 * as written, or split), and why it was not found.  The limit (5 by default) is
 * CPU time. */
#include <stdio.h>
#include <stdlib.h>

#include "gdl/program.h"
#include "match/open.h"
#include "symmetry/symmetry.h"

typedef struct outcome {
  alea_status status;
  double order, seconds;
  uint32_t generators, points;
  size_t instances;
  bool plain;
} outcome;

static void find(outcome *o, alea_program *program, double seconds, alea_mem *mem) {
  double start = alea_clock_thread();
  alea_deadline deadline = {.thread_at = start + seconds};
  alea_symmetry_options options = {.deadline = &deadline};
  alea_ground *grounds[2] = {NULL, NULL};
  alea_symmetry *symmetry = NULL;
  o->status = alea_symmetry_of_rules(&symmetry, grounds, &o->plain, program, &options, mem);
  o->seconds = alea_clock_thread() - start;
  if (symmetry != NULL) {
    o->generators = symmetry->generator_count;
    o->points = alea_symmetry_points(symmetry);
    o->instances = grounds[o->plain]->rules.count;
    o->order = symmetry->order;
  }
  alea_symmetry_free(symmetry);
  for (int i = 0; i < 2; i++) alea_ground_free(grounds[i]);
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  alea_mem mem;
  alea_diag diag;
  alea_text text;
  alea_program *program = NULL;
  outcome o = {0};
  alea_mem_init(&mem, (size_t)8 << 30);
  alea_diag_init(&diag, &mem);
  alea_text_init(&text, &mem);
  o.status = alea_open_file(argv[1], &text, &diag);
  if (o.status == ALEA_OK)
    o.status = alea_program_new(&program, alea_text_string(&text), text.length, argv[1], NULL, &mem,
                                &diag);
  if (o.status == ALEA_OK) find(&o, program, argc > 2 ? atof(argv[2]) : 5, &mem);
  printf("%.10g\t%u\t%u\t%zu\t%.3f\t%s\t%s\n", o.order, o.generators, o.points, o.instances,
         o.seconds, o.plain ? "as written" : "split", alea_status_text(o.status));
  alea_program_free(program);
  alea_text_clear(&text);
  alea_diag_clear(&diag);
  return o.status == ALEA_OK ? 0 : 1;
}
