/* Speed of the engine `lanes`: random playouts from the initial position.
 *
 *   lanes_bench FILE [SECONDS [check]]
 *
 * FILE is a rulesheet (.kif) or a network of the yardsticks (.net).  Prints
 * sizes, states per CPU second, the time of each part of a step, and the speed
 * of the engine `net`, over a network of its own, for comparison.  With 'check'
 * first compares the two engines state by state. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/diag.h"
#include "gdl/program.h"
#include "propnet/lanes.h"
#include "propnet/lanes_sampler.h"
#include "support/ground_maker.h"
#include "support/lane_check.h"

enum { MAX_ROLES = 64, REPEATS = 300 };

static void print_sizes(const char *path, const alea_net *net, const alea_lanes *lanes,
                        double compiled) {
  alea_lanes_info info;
  alea_lanes_describe(lanes, &info);
  const char *name = strrchr(path, '/');
  printf(
      "%s: %llu gates, compiled in %.2f s; ticks %u, ops %u+%u(+%u), operands %u, runs %u, "
      "choices %u, slots %u, kept %u%s\n",
      name != NULL ? name + 1 : path, (unsigned long long)alea_net_two_input_gates(net), compiled,
      info.ticks, info.state_ops, info.next_ops, info.goal_ops, info.operands, info.runs,
      info.choices, info.slots, info.kept, info.goals_deferred ? ", goals deferred" : "");
}

static void measure(alea_sampler *sampler, uint32_t roles, double seconds) {
  double sum[MAX_ROLES], squares[MAX_ROLES];
  alea_sample_request request = {.playouts = UINT32_MAX};
  alea_sample_result result = {.sum = sum, .sum_squares = squares};
  alea_sample_options options = {.seconds = seconds};
  double start = alea_clock_thread();
  if (alea_sampler_run(sampler, &request, 1, &options, &result) != ALEA_OK) return;
  double spent = alea_clock_thread() - start, n = (double)result.playouts;
  printf("  %.0f playouts/s  %.0f states/s  length %.2f  unfinished %llu  goals", n / spent,
         (double)result.states / spent, (double)result.states / (n > 0 ? n : 1),
         (unsigned long long)result.unfinished);
  for (uint32_t r = 0; r < roles; r++) printf(" %.2f", sum[r] / (n > 0 ? n : 1));
  printf("\n");
}

static void keep_least(double *least, double spent) {
  if (*least == 0 || spent < *least) *least = spent;
}

/* Nanoseconds of each part of a step from the initial position: the minimum of
 * many runs, since other processes may use the machine. */
static void time_parts(alea_lanes_sampler *s, const alea_lanes_program *p, double *total) {
  alea_lane_word all = alea_lane_fill(true), *slots = s->slots.words;
  double least[4] = {0};
  for (int i = 0; i < REPEATS; i++) {
    ALEA_LANES_FN(load_one)(slots + 1, s->lanes->net->fluent_count, s->initial, all);
    double t0 = alea_clock_wall();
    ALEA_LANES_FN(eval)(p, ALEA_LANES_STATE, ALEA_LANES_ANEW, slots);
    double t1 = alea_clock_wall();
    ALEA_LANES_FN(eval)(p, ALEA_LANES_GOAL, ALEA_LANES_ANEW, slots);
    double t2 = alea_clock_wall();
    for (uint32_t r = 0; r < p->role_count; r++)
      (void)ALEA_LANES_FN(pick)(&s->picker, p, r, slots, all);
    ALEA_LANES_FN(picker_scatter)(&s->picker, p, slots);
    double t3 = alea_clock_wall();
    ALEA_LANES_FN(eval)(p, ALEA_LANES_NEXT, ALEA_LANES_ANEW, slots);
    double t4 = alea_clock_wall();
    keep_least(&least[0], t1 - t0);
    keep_least(&least[1], t2 - t1);
    keep_least(&least[2], t3 - t2);
    keep_least(&least[3], t4 - t3);
  }
  for (int k = 0; k < 4; k++) total[k] += least[k];
}

static void print_parts(alea_sampler *sampler, const alea_lanes *lanes) {
  uint32_t count = lanes->clock.ticks > 0 ? lanes->clock.ticks : 1;
  double total[4] = {0};
  for (uint32_t t = 0; t < count; t++)
    time_parts((alea_lanes_sampler *)(void *)sampler,
               lanes->clock.ticks > 0 ? &lanes->ticks[t] : &lanes->general, total);
  double per = 1e9 / count;
  alea_lanes_info info;
  alea_lanes_describe(lanes, &info);
  printf(
      "  ns per step of %u lanes: state %.0f, choice %.0f, next %.0f, goals %.0f; "
      "%.2f per operand\n",
      info.lanes, total[0] * per, total[2] * per, total[3] * per, total[1] * per,
      (total[0] + total[3]) * per / (info.operands > 0 ? info.operands : 1));
}

/* The engine `net` for comparison: states per second of plain random play. */
static void measure_net(const alea_game *game, double seconds, alea_mem *mem) {
  alea_cursor *cursor;
  alea_rng rng;
  alea_rng_seed(&rng, 1);
  if (alea_cursor_new(game, mem, &cursor) != ALEA_OK) return;
  uint64_t states = 0;
  double start = alea_clock_thread(), now = start;
  for (uint32_t step = 0; now - start < seconds; step++) {
    bool terminal;
    alea_move joint[MAX_ROLES];
    (void)alea_cursor_terminal(cursor, &terminal);
    for (uint32_t r = 0; !terminal && r < game->role_count; r++) {
      alea_list list;
      (void)alea_cursor_legal(cursor, r, &list);
      terminal = list.count == 0;
      if (!terminal) joint[r] = list.ids[alea_rng_below(&rng, list.count)];
    }
    if (terminal)
      (void)alea_cursor_reset(cursor);
    else
      (void)alea_cursor_play(cursor, joint);
    states += !terminal;
    if (step % 16 == 0) now = alea_clock_thread();
  }
  printf("  net: %.0f states/s\n", (double)states / (now - start));
  alea_cursor_free(cursor);
}

static bool check_lanes(const alea_lanes *lanes, const alea_game *game, alea_mem *mem) {
  for (int general = 0; general < 2; general++) {
    lane_check check = {.lanes = lanes,
                        .game = game,
                        .general = general != 0,
                        .steps = 60,
                        .stride = 73,
                        .seed = 7};
    const char *wrong = lane_check_run(&check, mem);
    printf("  %s: %llu states, %s\n", general ? "general" : "ticks",
           (unsigned long long)check.states, wrong != NULL ? wrong : "all agree");
    if (wrong != NULL) return false;
  }
  return true;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_diag diag;
  alea_diag_init(&diag, &mem);
  alea_ground *ground = ground_from_file(argv[1], &mem, &diag);
  if (ground == NULL) return 3;
  alea_net *net, *oracle;
  const alea_net_options wide_gates = {.aim = ALEA_NET_FEW_CHANGES};
  if (alea_net_new(&net, ground, NULL, &mem, &diag) != ALEA_OK) return 4;
  if (alea_net_new(&oracle, ground, &wide_gates, &mem, &diag) != ALEA_OK) return 4;
  alea_ground_free(ground);
  alea_lanes *lanes;
  alea_sampler *sampler;
  double start = alea_clock_thread();
  if (alea_lanes_new(&lanes, net, ALEA_LANES_WIDE, &mem) != ALEA_OK) return 4;
  print_sizes(argv[1], net, lanes, alea_clock_thread() - start);
  alea_game *game;
  if (alea_net_game_new(&game, oracle, &mem) != ALEA_OK) return 4;
  if (argc > 3 && !check_lanes(lanes, game, &mem)) return 6;
  double seconds = argc > 2 ? atof(argv[2]) : 2;
  if (alea_lanes_sampler_new_shared(&sampler, lanes, NULL, 1, &mem) != ALEA_OK) return 4;
  measure(sampler, net->role_count, seconds);
  print_parts(sampler, lanes);
  measure_net(game, seconds < 1 ? seconds : 1, &mem);
  alea_sampler_free(sampler);
  alea_lanes_free(lanes);
  alea_game_free(game);
  alea_net_free(net);
  alea_diag_clear(&diag);
  return mem.used == 0 ? 0 : 5;
}
