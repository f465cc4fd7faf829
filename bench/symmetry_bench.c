/* The symmetries of a rulesheet, and the cost of finding them.
 *
 *   symmetry_bench FILE [SECONDS] [semantic [STATES]]
 *
 * With `semantic` those that the rules do not show, too: a line of a table with
 * orders (of the start / of the rules), without and with exchange of roles,
 * what was proved and what only tested, and CPU seconds without and with
 * grounding and the graph.  Every generator of what is proved is then compared in
 * STATES states of random play: the last column is in how many of them, or that
 * they differ.  Else prints, separated by tabs: the order of the group (0: not found),
 * its generators, points (fluents and moves), rule instances of the program in which it was found,
 * CPU seconds including grounding, which program that was (rules as written, or split), and why it
 * was not found.  The limit (5 by default) is CPU time. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gdl/program.h"
#include "match/open.h"
#include "symmetry/commuting.h"
#include "symmetry/semantic_symmetry.h"

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

static void print_orders(alea_symmetry_orders orders) {
  printf("%.10g / %.10g | ", orders.start, orders.rules);
}

/* Compares each generator in 'states' states; how many were compared in all, 0
 * where some differ or memory lacks. */
static uint64_t compare(const alea_semantic_symmetry *found, const alea_ground *ground,
                        const alea_net *net, uint64_t states, alea_mem *mem) {
  const alea_symmetry *group = &found->group.group;
  alea_candidates maps;
  alea_commuting commuting = {0};
  alea_lane_walk walk = {0};
  uint64_t compared = 0;
  alea_candidates_init(&maps, ground, mem);
  bool good = maps.percepts == 0;
  for (uint32_t g = 0; good && g < group->generator_count; g++)
    good = alea_candidates_add_points(
               &maps, group->generators + (size_t)g * alea_symmetry_points(group)) == ALEA_OK;
  good = good && alea_commuting_init(&commuting, net, &maps, mem) == ALEA_OK &&
         alea_lane_walk_init(&walk, net, 2, mem) == ALEA_OK;
  while (good && walk.states < states) {
    alea_lane_walk_look(&walk);
    for (uint32_t i = 0; good && i < maps.count; i++)
      good = alea_commuting_test(&commuting, &walk, alea_candidates_at(&maps, i));
    alea_lane_walk_step(&walk);
    compared += 64 * (uint64_t)maps.count;
  }
  alea_lane_walk_clear(&walk);
  alea_commuting_clear(&commuting);
  alea_candidates_clear(&maps);
  return good ? compared : 0;
}

static alea_status find_semantic(alea_program *program, double seconds, uint64_t states,
                                 alea_mem *mem) {
  double start = alea_clock_thread();
  alea_deadline deadline = {.thread_at = start + seconds};
  alea_symmetry_options options = {.deadline = &deadline};
  alea_semantic_options how = {.deadline = &deadline, .seed = 1, .exchange = true};
  alea_net_options every_rule = {.plain = true, .any_move = true};
  alea_ground *grounds[2] = {NULL, NULL};
  alea_symmetry *graph = NULL;
  alea_net *net = NULL;
  alea_semantic_symmetry found = {0};
  bool plain;
  alea_status status = alea_symmetry_of_rules(&graph, grounds, &plain, program, &options, mem);
  double order = status == ALEA_OK ? graph->order : 0;
  if (status == ALEA_OK) status = alea_net_new(&net, grounds[plain], &every_rule, mem, NULL);
  double middle = alea_clock_thread();
  if (status == ALEA_OK)
    status = alea_semantic_symmetry_init(&found, program, grounds[plain], net, graph, &how, mem);
  printf("%.10g | ", order);
  print_orders(found.kept);
  print_orders(found.exchanged);
  printf("%u | %u | %u | %.2f | %.2f | ", found.candidates, found.proved, found.tested,
         alea_clock_thread() - middle, alea_clock_thread() - start);
  bool compares = states > 0 && status == ALEA_OK && found.group.group.generator_count > 0;
  uint64_t compared = compares ? compare(&found, grounds[plain], net, states, mem) : 0;
  if (compared > 0)
    printf("%" PRIu64 " |\n", compared);
  else
    printf("%s |\n", status != ALEA_OK ? alea_status_text(status) : compares ? "differ" : "");
  alea_semantic_symmetry_clear(&found);
  alea_net_free(net);
  alea_symmetry_free(graph);
  for (int i = 0; i < 2; i++) alea_ground_free(grounds[i]);
  return status;
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
  if (o.status == ALEA_OK && argc > 3 && strcmp(argv[3], "semantic") == 0) {
    o.status =
        find_semantic(program, atof(argv[2]), argc > 4 ? strtoull(argv[4], NULL, 10) : 0, &mem);
    alea_program_free(program);
    alea_text_clear(&text);
    alea_diag_clear(&diag);
    return o.status == ALEA_OK ? 0 : 1;
  }
  if (o.status == ALEA_OK) find(&o, program, argc > 2 ? atof(argv[2]) : 5, &mem);
  printf("%.10g\t%u\t%u\t%zu\t%.3f\t%s\t%s\n", o.order, o.generators, o.points, o.instances,
         o.seconds, o.plain ? "as written" : "split", alea_status_text(o.status));
  alea_program_free(program);
  alea_text_clear(&text);
  alea_diag_clear(&diag);
  return o.status == ALEA_OK ? 0 : 1;
}
