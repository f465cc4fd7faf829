/* States per second on a GPU, game by game, and what the code needs.
 *
 *   gpu_bench [-c CACHE] [-s SECONDS] [-l SECONDS] [-b BLOCKS] [-g GAMES] [-m BLOCKS]
 *             [-n PLAYOUTS] [-w WIDTH] [-y COPIES] [-r THREADS] [-i] [-o] [-p] [-t] [-u]
 * GAME.kif...
 *
 * Needs no more of the library than rules, networks and lanes.  With -l lanes play
 * too, on one core, and the means of both are compared: z is the largest
 * difference of a role's in standard errors.  -i interprets the networks, in blocks that are -w
 * wide, have -y copies and -r threads, 0 = as the engine has it, -o with slots outside of what a
 * block shares; -b is how many blocks a processor gets, all at once, 0 = as many as fit, -g how
 * many games a lane plays at least, one after the other; -m is for how many blocks of a processor
 * the compiler leaves registers, 0 = as the engine has it; -n how many playouts are made at least.
 * -p prints the code instead.  -t times single launches of few games instead, two of them in
 * flight at once, and lanes with as many games as one, which says when a batch is worth the trip,
 * and what a second costs.  -u starts up the engine as players do instead,
 * and says when its first result was there. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "gpu/device.h"
#include "gpu/interpreter.h"
#include "gpu/sampler.h"
#include "gpu/source.h"
#include "support/load.h"
#include "support/make_engine.h"

typedef struct setting {
  const char *cache;
  double seconds, lanes;
  int print, interpret, trips, start_up;
  uint32_t blocks, resident;
  alea_gpu_shape shape;
  double games, playouts;
} setting;

/* What a game is compiled to. */
typedef struct gpu_build {
  alea_gpu *gpu;
  alea_gpu_code *code;
  alea_gpu_code_info info;
  alea_gpu_tables tables;
  double prepared; /* seconds from the rules to the code's text */
} gpu_build;

/* Threads of a launch. */
static uint32_t choose_threads(const gpu_build *built, const setting *with) {
  alea_gpu_info device;
  alea_gpu_describe(built->gpu, &device);
  uint32_t fit = (uint32_t)(built->info.blocks > 0 ? built->info.blocks : 1);
  uint32_t block = with->interpret ? alea_gpu_shape_wide(&built->tables.shape) : ALEA_GPU_BLOCK;
  if (with->blocks == 0) return device.processors * fit * ALEA_GPU_WAVES * block;
  return device.processors * (with->blocks < fit ? with->blocks : fit) * block;
}

/* The largest difference of a role's mean from that of lanes, and their speed. */
static void compare(const alea_game *game, const alea_net *net, const uint64_t *counts,
                    double seconds) {
  alea_mem mem;
  alea_sampler *lanes;
  double sums[2][16] = {{0}}, z = 0;
  alea_mem_init(&mem, 0);
  if (net->role_count > 16 || alea_lanes_sampler_new(&lanes, game, 99, &mem) != ALEA_OK) return;
  alea_sample_request request = {.playouts = UINT32_MAX};
  alea_sample_options options = {.seconds = seconds};
  alea_sample_result r = {.sum = sums[0], .sum_squares = sums[1]};
  if (alea_sampler_run(lanes, &request, 1, &options, &r) != ALEA_OK) return;
  for (uint32_t role = 0; role < net->role_count; role++) {
    double sum = 0, squares = 0, n = (double)counts[0], m = (double)r.playouts;
    for (size_t g = 0; g < net->goals.count; g++) {
      const alea_net_goal *goal = &net->goals.data[g];
      double games = goal->role == role ? (double)counts[ALEA_GPU_COUNTS + g] : 0;
      sum += games * goal->value;
      squares += games * goal->value * goal->value;
    }
    double x = sum / n, y = sums[0][role] / m;
    double error = sqrt((squares / n - x * x) / n + (sums[1][role] / m - y * y) / m);
    if (error > 0 && fabs(x - y) / error > z) z = fabs(x - y) / error;
  }
  printf("  lanes %.1f M states/s, %" PRIu64 " and %" PRIu64 " playouts, z %.2f",
         (double)r.states / seconds / 1e6, counts[0], r.playouts, z);
  alea_sampler_free(lanes);
}

/* Plays for some seconds in launches of about a quarter of a second. */
static int measure(const char *name, const alea_game *game, const gpu_build *built,
                   const setting *with) {
  const alea_net *net = alea_net_of_game(game);
  const alea_gpu_code_info *info = &built->info;
  double seconds = with->seconds;
  size_t counts = ALEA_GPU_COUNTS + net->goals.count;
  uint32_t *starts = calloc(net->fluent_count, sizeof *starts), jobs[2] = {0};
  uint64_t *out = calloc(counts, sizeof *out), *sum = calloc(counts, sizeof *sum);
  uint32_t threads = choose_threads(built, with);
  double per_lane = with->games, spent = 0;
  char why[ALEA_GPU_WHY];
  for (uint32_t f = 0; f < net->fluent_count; f++) starts[f] = net->init[f] ? UINT32_MAX : 0;
  for (uint32_t i = 0; spent < seconds || (double)sum[0] < with->playouts; i++) {
    double games = per_lane * threads * 32;
    jobs[0] = games < 4e9 ? (uint32_t)games : 4000000000u;
    alea_gpu_launch launch = {.starts = starts,
                              .start_count = net->fluent_count,
                              .jobs = jobs,
                              .job_count = 1,
                              .threads_per_job = threads,
                              .cap = 10000,
                              .seed = 17 + i,
                              .out = out,
                              .out_count = counts,
                              .tables = with->interpret ? &built->tables : NULL};
    double start = alea_clock_wall();
    if (alea_gpu_run(built->code, &launch, why) != ALEA_OK) return printf("%s: %s\n", name, why), 1;
    double took = alea_clock_wall() - start;
    if (took > 0.1 || games >= 4e9) {
      spent += took;
      for (size_t k = 0; k < counts; k++) sum[k] += out[k];
    } else {
      per_lane *= took > 0.01 ? 0.25 / took : 8;
    }
  }
  double goal = 0;
  for (size_t g = 0; g < net->goals.count; g++)
    if (net->goals.data[g].role == (net->random_role == 0))
      goal += (double)sum[ALEA_GPU_COUNTS + g] * net->goals.data[g].value;
  printf(
      "%-28s %10.3f G states/s %10.1f M playouts/s  length %7.2f  goal %6.3f  unfinished %" PRIu64
      "  registers %d local %d blocks %d  rules %.2f s code %.2f s%s",
      name, (double)sum[2] / spent / 1e9, (double)sum[0] / spent / 1e6,
      (double)sum[2] / (double)(sum[0] + sum[1]), goal / (double)sum[0], sum[1], info->registers,
      info->spilled, info->blocks, built->prepared, info->seconds, info->cached ? " cached" : "");
  if (with->lanes > 0 && sum[0] > 0) compare(game, net, sum, with->lanes);
  printf("\n");
  fflush(stdout);
  free(starts);
  free(out);
  free(sum);
  return 0;
}

/* ---- trips ---- */

enum {
  TRIPS = 5, /* of which the median counts */
  FIRST_GAMES = 1 << 15
};

static int compare_doubles(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Seconds of 'count' launches at once, or of lanes, with so many games. */
static double time_there(const gpu_build *built, const setting *with, const alea_net *net,
                         uint32_t games, uint32_t count) {
  size_t counts = ALEA_GPU_COUNTS + net->goals.count;
  uint32_t *starts = calloc(net->fluent_count, sizeof *starts), jobs[2] = {games, 0};
  uint64_t *out = calloc(counts, sizeof *out);
  uint32_t most = choose_threads(built, with), useful = games / 32;
  double seconds[TRIPS];
  char why[ALEA_GPU_WHY];
  for (uint32_t f = 0; f < net->fluent_count; f++) starts[f] = net->init[f] ? UINT32_MAX : 0;
  for (int i = 0; i < TRIPS; i++) {
    alea_gpu_launch launch = {.starts = starts,
                              .start_count = net->fluent_count,
                              .jobs = jobs,
                              .job_count = 1,
                              .threads_per_job = useful < most ? useful : most,
                              .cap = 10000,
                              .seed = 17 + (uint64_t)i,
                              .out = out,
                              .out_count = counts,
                              .tables = with->interpret ? &built->tables : NULL};
    double start = alea_clock_wall();
    for (uint32_t slot = 0; slot < count; slot++)
      if (alea_gpu_start(built->code, slot, &launch, why) != ALEA_OK) printf("%s\n", why);
    for (uint32_t slot = 0; slot < count; slot++)
      if (alea_gpu_finish(built->code, slot, why) != ALEA_OK) printf("%s\n", why);
    seconds[i] = alea_clock_wall() - start;
  }
  free(starts);
  free(out);
  qsort(seconds, TRIPS, sizeof *seconds, compare_doubles);
  return seconds[TRIPS / 2];
}

static double time_here(alea_sampler *lanes, uint32_t games) {
  double sums[2][16], seconds[TRIPS];
  alea_sample_request request = {.playouts = games};
  alea_sample_result result = {.sum = sums[0], .sum_squares = sums[1]};
  for (int i = 0; i < TRIPS; i++) {
    double start = alea_clock_wall();
    if (alea_sampler_run(lanes, &request, 1, NULL, &result) != ALEA_OK) return 0;
    seconds[i] = alea_clock_wall() - start;
  }
  qsort(seconds, TRIPS, sizeof *seconds, compare_doubles);
  return seconds[TRIPS / 2];
}

/* Milliseconds there, of two there and here, for batches of a thousand to a hundred thousand games.
 */
static int measure_trips(const char *name, const alea_game *game, const gpu_build *built,
                         const setting *with) {
  alea_mem mem;
  alea_sampler *lanes;
  const alea_net *net = alea_net_of_game(game);
  alea_mem_init(&mem, 0);
  if (net->role_count > 16 || alea_lanes_sampler_new(&lanes, game, 99, &mem) != ALEA_OK) return 1;
  printf("%-28s trips", name);
  double there = 0, here = 0;
  for (uint32_t games = 1u << 10; games <= 1u << 16; games *= 4) {
    there = time_there(built, with, net, games, 1);
    double two = time_there(built, with, net, games, 2);
    here = here < 0.2 ? time_here(lanes, games) : 4 * here;
    printf("  %u: %.3f %.3f %.3f ms", games, there * 1e3, two * 1e3, here * 1e3);
  }
  printf("\n");
  fflush(stdout);
  alea_sampler_free(lanes);
  return 0;
}

/* ---- a game ---- */

/* The code with other bounds of a launch. */
static void set_resident(alea_text *source, uint32_t blocks, alea_mem *mem) {
  static const char words[] = "__launch_bounds__(";
  alea_text changed;
  const char *text = alea_text_string(source), *at = strstr(text, words);
  const char *end = at != NULL ? strchr(at, ')') : NULL;
  if (blocks == 0 || end == NULL) return;
  alea_text_init(&changed, mem);
  alea_text_add(&changed, text, (size_t)(at - text));
  alea_text_format(&changed, "%s%d, %u", words, ALEA_GPU_BLOCK, blocks);
  alea_text_put(&changed, end);
  alea_text_clear(source);
  *source = changed;
}

static int play(const char *path, const setting *with, alea_gpu *gpu) {
  alea_mem mem;
  alea_game *game;
  alea_lanes *lanes;
  alea_text source;
  gpu_build built = {.gpu = gpu};
  size_t shared = 0;
  char why[ALEA_GPU_WHY];
  alea_mem_init(&mem, 0);
  double start = alea_clock_wall();
  if (load_game(path, make_net, &mem, &game) != ALEA_OK) return printf("%s: no network\n", path), 1;
  const alea_net *net = alea_net_of_game(game);
  if (alea_gpu_lanes_new(&lanes, net, &mem) != ALEA_OK) return 1;
  alea_text_init(&source, &mem);
  alea_gpu_info device = {.shared = 232448};
  if (gpu != NULL) alea_gpu_describe(gpu, &device);
  if (!with->interpret)
    shared = alea_gpu_source(lanes, device.shared, &source);
  else if (alea_gpu_tables_shape(&built.tables, lanes, &with->shape, device.shared, &mem) !=
           ALEA_OK)
    return printf("%s: no tables\n", path), 1;
  else
    alea_gpu_interpreter(lanes, &built.tables, &source);
  if (!with->interpret) set_resident(&source, with->resident, &mem);
  if (with->print) return fputs(alea_text_string(&source), stdout), 0;
  built.prepared = alea_clock_wall() - start;
  const char *name = strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 : path;
  if (alea_gpu_compile(&built.code, gpu, source.data, with->interpret ? &built.tables : NULL,
                       shared, with->cache, &built.info, why) != ALEA_OK)
    return printf("%s: %s\n", name, why), 1;
  if (with->interpret)
    printf("%u slots, %u levels, %zu words, %u x %u wide, %zu kB%s: ", built.tables.slots,
           built.tables.levels, built.tables.words.count, built.tables.shape.copies,
           built.tables.shape.width, built.tables.shared >> 10,
           built.tables.shape.outside ? " outside" : "");
  int result = (with->trips ? measure_trips : measure)(name, game, &built, with);
  alea_gpu_code_free(built.code);
  alea_gpu_tables_clear(&built.tables, &mem);
  alea_text_clear(&source);
  alea_lanes_free(lanes);
  alea_game_free(game);
  return result;
}

/* Seconds from the rules to the sampler, and to the first result of a batch that goes there. */
static int start_up(const char *path) {
  alea_mem mem;
  alea_game *game;
  alea_sampler *sampler;
  alea_gpu_code_info info;
  char why[ALEA_GPU_WHY];
  double sums[2][16], times[3] = {alea_clock_wall()};
  alea_mem_init(&mem, 0);
  if (load_game(path, make_net, &mem, &game) != ALEA_OK) return printf("%s: no network\n", path), 1;
  times[1] = alea_clock_wall();
  if (game->role_count > 16 || alea_gpu_sampler_new(&sampler, game, 1, &mem, &info, why) != ALEA_OK)
    return printf("%s: %s\n", path, why), 1;
  alea_sample_request request = {.playouts = FIRST_GAMES};
  alea_sample_result result = {.sum = sums[0], .sum_squares = sums[1]};
  alea_status status = alea_sampler_run(sampler, &request, 1, NULL, &result);
  times[2] = alea_clock_wall();
  printf("%-28s first result %.2f s, of which rules %.2f s%s%s%s\n", path, times[2] - times[0],
         times[1] - times[0], info.interprets ? ", interpreted" : "", info.cached ? ", cached" : "",
         status == ALEA_OK ? "" : ", failed");
  fflush(stdout);
  alea_sampler_free(sampler);
  alea_game_free(game);
  return status == ALEA_OK ? 0 : 1;
}

int main(int count, char **words) {
  setting with = {.seconds = 1, .games = 1};
  int result = 0, option;
  while ((option = getopt(count, words, "b:c:g:il:m:n:opr:s:tuw:y:")) != -1) {
    if (option == 'b') with.blocks = (uint32_t)strtoul(optarg, NULL, 10);
    if (option == 'g') with.games = strtod(optarg, NULL);
    if (option == 'i') with.interpret = 1;
    if (option == 'o') with.shape.outside = true;
    if (option == 'w') with.shape.width = (uint32_t)strtoul(optarg, NULL, 10);
    if (option == 'y') with.shape.copies = (uint32_t)strtoul(optarg, NULL, 10);
    if (option == 'r') with.shape.threads = (uint32_t)strtoul(optarg, NULL, 10);
    if (option == 'c') with.cache = optarg;
    if (option == 's') with.seconds = strtod(optarg, NULL);
    if (option == 'l') with.lanes = strtod(optarg, NULL);
    if (option == 'm') with.resident = with.shape.resident = (uint32_t)strtoul(optarg, NULL, 10);
    if (option == 'n') with.playouts = strtod(optarg, NULL);
    if (option == 't') with.trips = 1;
    if (option == 'u') with.start_up = 1;
    if (option == 'p') with.print = 1;
  }
  alea_mem mem;
  alea_gpu *gpu = NULL;
  char why[ALEA_GPU_WHY];
  alea_mem_init(&mem, 0);
  for (int i = optind; with.start_up && i < count; i++) result |= start_up(words[i]);
  if (with.start_up) return result;
  if (!with.print && alea_gpu_open(&gpu, 0, &mem, why) != ALEA_OK) return printf("%s\n", why), 4;
  for (int i = optind; i < count; i++) result |= play(words[i], &with, gpu);
  alea_gpu_close(gpu);
  return result;
}
