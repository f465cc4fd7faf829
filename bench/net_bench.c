/* Speed of the engine `net`: random playouts from the initial position.
 *
 *   net_bench FILE [SECONDS [plain|gates]]
 *
 * FILE is a rulesheet (.kif) or a network of the yardsticks (.net).  Prints
 * sizes, times of the steps of building, and states per CPU second.  The
 * network is the one optimised for few changes, or the plain one, or the one
 * optimised for few gates. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gdl/program.h"
#include "propnet/propnet.h"
#include "support/ground_maker.h"

enum { STEP_CAP = 10000 };

typedef struct totals {
  uint64_t playouts, states;
  double goals[64];
} totals;

/* One playout; legal moves and goals are computed as for a player. */
static void playout(alea_cursor *cursor, alea_rng *rng, totals *t) {
  alea_move joint[64];
  uint32_t roles = cursor->game->role_count;
  (void)alea_cursor_reset(cursor);
  for (int step = 0; step < STEP_CAP; step++) {
    bool terminal;
    (void)alea_cursor_terminal(cursor, &terminal);
    if (terminal) break;
    for (uint32_t r = 0; r < roles; r++) {
      alea_list list;
      (void)alea_cursor_legal(cursor, r, &list);
      if (list.count == 0) return;
      joint[r] = list.ids[list.count == 1 ? 0 : alea_rng_below(rng, list.count)];
    }
    (void)alea_cursor_play(cursor, joint);
    t->states++;
  }
  for (uint32_t r = 0; r < roles; r++) {
    int goal;
    (void)alea_cursor_goal(cursor, r, &goal);
    t->goals[r] += goal;
  }
  t->playouts++;
}

static void measure(alea_cursor *cursor, double seconds) {
  alea_rng rng;
  alea_rng_seed(&rng, 1);
  totals t = {0};
  double start = alea_clock_thread(), now;
  do {
    playout(cursor, &rng, &t);
    now = alea_clock_thread();
  } while (now - start < seconds);
  double playouts = t.playouts > 0 ? (double)t.playouts : 1;
  printf("%.0f playouts/s  %.0f states/s  length %.2f  goals", (double)t.playouts / (now - start),
         (double)t.states / (now - start), (double)t.states / playouts);
  for (uint32_t r = 0; r < cursor->game->role_count; r++) printf(" %.2f", t.goals[r] / playouts);
  printf("\n");
}

static void print_net(const alea_net *net) {
  uint32_t begin = net->first_gate;
  printf("%u fluents, %u moves, %u gates (%llu two-input), %zu cycles; state/goal/next/sees:",
         net->fluent_count, net->move_count, net->gate_count,
         (unsigned long long)alea_net_two_input_gates(net), net->cycles.count);
  for (int phase = 0; phase < ALEA_PHASE_COUNT; phase++) {
    printf(" %u", net->phase_end[phase] - begin);
    begin = net->phase_end[phase];
  }
  printf("\n");
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_diag diag;
  alea_diag_init(&diag, &mem);
  double t0 = alea_clock_thread();
  alea_ground *ground = ground_from_file(argv[1], &mem, &diag);
  if (ground == NULL) return 3;
  double t1 = alea_clock_thread();
  size_t lits = ground->lits.count, rules = ground->rules.count, before = mem.used;
  mem.peak = mem.used;
  alea_net *net;
  alea_net_options options = {.aim = ALEA_NET_FEW_CHANGES};
  options.plain = argc > 3 && strcmp(argv[3], "plain") == 0;
  if (argc > 3 && strcmp(argv[3], "gates") == 0) options.aim = ALEA_NET_FEW_GATES;
  if (alea_net_new(&net, ground, &options, &mem, &diag) != ALEA_OK) return 4;
  double t2 = alea_clock_thread();
  printf("%s: %zu rules, %zu literals, ground %.2f s %zu MB, net %.2f s, peak %zu MB\n", argv[1],
         rules, lits, t1 - t0, before >> 20, t2 - t1, mem.peak >> 20);
  print_net(net);
  alea_ground_free(ground);
  alea_game *game;
  alea_cursor *cursor;
  if (alea_net_game_new(&game, net, &mem) != ALEA_OK) return 4;
  if (alea_cursor_new(game, &mem, &cursor) != ALEA_OK) return 4;
  double seconds = argc > 2 ? atof(argv[2]) : 2;
  if (seconds > 0) measure(cursor, seconds);
  alea_cursor_free(cursor);
  alea_game_free(game);
  alea_diag_clear(&diag);
  return mem.used == 0 ? 0 : 5;
}
