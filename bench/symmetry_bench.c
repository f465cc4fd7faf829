/* The symmetries of a rulesheet, and what finding them costs.
 *
 *   symmetry_bench FILE [SECONDS]
 *
 * Prints, with tabs between them: the order of the group (0: not found), its
 * generators, points (fluents and moves), rule instances, CPU seconds for
 * grounding the rules as written and for the group, and what kept us from it.
 * The limit (5 unless given) is CPU time for both together. */
#include <stdio.h>
#include <stdlib.h>

#include "gdl/program.h"
#include "match/open.h"
#include "scsp/symmetry.h"

enum { MOST_INSTANCES = 1000000 };

typedef struct outcome {
  alea_status status;
  double order, ground_seconds, group_seconds;
  uint32_t generators, points;
  size_t instances;
} outcome;

static void find(outcome *o, alea_program *program, double seconds, alea_mem *mem,
                 alea_diag *diag) {
  double start = alea_clock_thread();
  alea_deadline deadline = {.thread_at = start + seconds};
  alea_ground_options plain = {
      .deadline = &deadline, .plain = true, .max_instances = MOST_INSTANCES};
  alea_symmetry_options options = {.deadline = &deadline};
  alea_ground *ground = NULL;
  alea_symmetry *symmetry = NULL;
  o->status = alea_ground_new(&ground, program, &plain, mem, diag);
  o->ground_seconds = alea_clock_thread() - start;
  if (o->status != ALEA_OK) return;
  start = alea_clock_thread();
  o->instances = ground->rules.count;
  o->points = ground->fluent_count + ground->move_count;
  o->status = alea_symmetry_new(&symmetry, ground, &options, mem);
  o->group_seconds = alea_clock_thread() - start;
  if (symmetry != NULL) o->generators = symmetry->generator_count;
  if (o->status == ALEA_OK) o->order = symmetry->order;
  alea_symmetry_free(symmetry);
  alea_ground_free(ground);
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
  if (o.status == ALEA_OK) find(&o, program, argc > 2 ? atof(argv[2]) : 5, &mem, &diag);
  printf("%.10g\t%u\t%u\t%zu\t%.3f\t%.3f\t%s\n", o.order, o.generators, o.points, o.instances,
         o.ground_seconds, o.group_seconds, alea_status_text(o.status));
  alea_program_free(program);
  alea_text_clear(&text);
  alea_diag_clear(&diag);
  return o.status == ALEA_OK ? 0 : 1;
}
