/* A sampler on a GPU, with lanes beside it. */
#include "gpu/sampler.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "game/playout.h"
#include "gpu/interpreter.h"
#include "gpu/source.h"
#include "gpu/source_pick.h"

/* Launches grow up to this many times the games that the device holds at once,
 * as long as they take no longer than SLOW seconds where somebody waits. */
enum { MOST_ROUNDS = 1 << 10 };
static const double SLOW = 0.1;

typedef struct gpu_sampler {
  alea_sampler base;
  alea_mem *mem;
  alea_gpu *gpu;
  alea_gpu_code *code;
  alea_lanes *lanes;      /* what the code was made from */
  alea_sampler *fallback; /* over wide lanes */
  const alea_net *net;
  bool large;      /* the network is interpreted for good */
  uint64_t least;  /* games of a batch that is worth the trip */
  bool interprets; /* the code at hand does, with the tables of the lanes */
  alea_gpu_tables tables;
  bool waits;       /* the game's own code is being made: */
  uint64_t order;   /* ask for it by this */
  alea_text own;    /* its source */
  char cache[4096]; /* the folder it comes to; "" is none */
  uint32_t threads; /* of a full launch */
  uint32_t at_once; /* threads that the device holds of any code */
  uint64_t seed;    /* of the next launch */
  uint32_t *starts; /* of the requests of a launch */
  uint32_t *jobs;
  uint64_t *out;
  uint32_t *which; /* request of each job */
  size_t room;     /* jobs */
} gpu_sampler;

static const alea_sampler_class gpu_class, lost_class;

static size_t counts_of(const gpu_sampler *s) { return ALEA_GPU_COUNTS + s->net->goals.count; }

/* ---- memory ---- */

static void clear_room(gpu_sampler *s) {
  alea_mem_free(s->mem, s->starts, s->room * s->net->fluent_count * sizeof *s->starts);
  alea_mem_free(s->mem, s->jobs, s->room * 2 * sizeof *s->jobs);
  alea_mem_free(s->mem, s->out, s->room * counts_of(s) * sizeof *s->out);
  alea_mem_free(s->mem, s->which, s->room * sizeof *s->which);
  s->starts = s->jobs = s->which = NULL;
  s->out = NULL;
  s->room = 0;
}

static bool make_room(gpu_sampler *s, size_t jobs) {
  if (s->room >= jobs) return true;
  clear_room(s);
  s->room = jobs;
  s->starts = alea_mem_calloc(s->mem, jobs * s->net->fluent_count, sizeof *s->starts);
  s->jobs = alea_mem_calloc(s->mem, jobs * 2, sizeof *s->jobs);
  s->out = alea_mem_calloc(s->mem, jobs * counts_of(s), sizeof *s->out);
  s->which = alea_mem_calloc(s->mem, jobs, sizeof *s->which);
  return s->starts != NULL && s->jobs != NULL && s->out != NULL && s->which != NULL;
}

static void sampler_free(alea_sampler *sampler) {
  gpu_sampler *s = (gpu_sampler *)(void *)sampler;
  if (s->net != NULL) clear_room(s);
  alea_gpu_code_free(s->code);
  alea_gpu_close(s->gpu);
  alea_gpu_tables_clear(&s->tables, s->mem);
  alea_text_clear(&s->own);
  alea_lanes_free(s->lanes);
  alea_sampler_free(s->fallback);
  alea_mem_free(s->mem, s, sizeof *s);
}

/* ---- requests ---- */

/* The tick of a request's position; the number of ticks if it is at none. */
static uint32_t tick_of(const gpu_sampler *s, const alea_sample_request *request) {
  const alea_lanes_clock *clock = &s->lanes->clock;
  if (clock->ticks == 0 || request->words == NULL) return 0;
  return alea_lanes_clock_tick(clock, request->words);
}

static void set_start(const gpu_sampler *s, const alea_sample_request *request, uint32_t *start) {
  for (uint32_t f = 0; f < s->net->fluent_count; f++) {
    bool holds = request->words != NULL ? (request->words[f / 64] >> (f % 64) & 1) != 0
                                        : s->net->init[f] != 0;
    start[f] = holds ? UINT32_MAX : 0;
  }
}

/* Books what one job did. */
static void add_counts(const gpu_sampler *s, const uint64_t *counts, alea_sample_result *result) {
  result->playouts += counts[0];
  result->unfinished += counts[1];
  result->states += counts[2];
  for (size_t g = 0; g < s->net->goals.count; g++) {
    const alea_net_goal *goal = &s->net->goals.data[g];
    double games = (double)counts[ALEA_GPU_COUNTS + g];
    result->sum[goal->role] += games * goal->value;
    result->sum_squares[goal->role] += games * goal->value * goal->value;
  }
}

/* One run of a sampler. */
typedef struct gpu_batch {
  gpu_sampler *s;
  const alea_sample_request *requests;
  const alea_sample_options *options;
  alea_sample_result *results;
  uint64_t *left; /* games that are not begun, per request */
  size_t count;
  double stop_at; /* 0 = never */
  bool over;
} gpu_batch;

static bool is_over(gpu_batch *b) {
  const alea_sample_options *o = b->options;
  if (b->stop_at != 0 && alea_clock_wall() >= b->stop_at) b->over = true;
  if (!b->over && o != NULL && o->over != NULL) b->over = o->over(o->over_context);
  return b->over;
}

/* The jobs of a launch of about 'games' games: the same share of each request. */
static uint32_t make_jobs(gpu_batch *b, double share) {
  gpu_sampler *s = b->s;
  uint32_t jobs = 0;
  for (size_t i = 0; i < b->count; i++) {
    if (b->left[i] == 0) continue;
    double games = (double)b->left[i] * share;
    uint64_t part = games < 1 ? 1 : games < (double)b->left[i] ? (uint64_t)games : b->left[i];
    if (part > UINT32_MAX) part = UINT32_MAX;
    b->left[i] -= part;
    set_start(s, &b->requests[i], &s->starts[(size_t)jobs * s->net->fluent_count]);
    s->jobs[2 * jobs] = (uint32_t)part;
    s->jobs[2 * jobs + 1] = tick_of(s, &b->requests[i]);
    s->which[jobs++] = (uint32_t)i;
  }
  return jobs;
}

/* All jobs together have about as many threads as a launch should, and none more than has lanes for
 * the games: few games end sooner if all are there at once.  Where a network is always interpreted
 * lanes without a game cost as much as others: there no thread gets fewer than 32 games, if the
 * jobs have as many; elsewhere as many threads as are there at once cost nothing. */
static uint32_t threads_per_job(const gpu_sampler *s, uint32_t jobs) {
  uint64_t most = 0, unit = s->large ? alea_gpu_shape_wide(&s->tables.shape) : ALEA_GPU_BLOCK;
  uint64_t threads = s->threads / jobs, least = s->large ? 1 : s->at_once / jobs;
  for (uint32_t j = 0; j < jobs; j++)
    if (s->jobs[2 * j] > most) most = s->jobs[2 * j];
  uint64_t useful = (most + 31) / 32;
  useful = (useful + unit - 1) / unit * unit;
  if (useful < least) useful = least;
  if (useful < threads) threads = useful;
  threads = threads / unit * unit;
  return threads > 0 ? (uint32_t)threads : (uint32_t)unit;
}

/* Changes to the game's own code when it is ready. */
static void take_own_code(gpu_sampler *s) {
  alea_gpu_order state = s->waits ? alea_gpu_ask_order(s->order) : ALEA_GPU_AT_WORK;
  if (state == ALEA_GPU_AT_WORK) return;
  alea_gpu_code_info info;
  alea_gpu_code *own = NULL;
  char why[ALEA_GPU_WHY];
  s->waits = false;
  if (state == ALEA_GPU_IN_FILE && alea_gpu_compile(&own, s->gpu, alea_text_string(&s->own), NULL,
                                                    s->cache, &info, why) == ALEA_OK) {
    alea_gpu_code_free(s->code);
    s->code = own;
    s->interprets = false;
    alea_gpu_tables_clear(&s->tables, s->mem);
  }
  alea_text_clear(&s->own);
}

static alea_status launch(gpu_batch *b, double games, char *why) {
  gpu_sampler *s = b->s;
  double left = 0;
  for (size_t i = 0; i < b->count; i++) left += (double)b->left[i];
  uint32_t jobs = make_jobs(b, games < left ? games / left : 1);
  uint32_t cap = b->options != NULL ? b->options->step_cap : 0;
  alea_gpu_launch l = {.starts = s->starts,
                       .start_count = (size_t)jobs * s->net->fluent_count,
                       .jobs = s->jobs,
                       .job_count = jobs,
                       .threads_per_job = threads_per_job(s, jobs),
                       .cap = cap != 0 ? cap : ALEA_DEFAULT_STEP_CAP,
                       .seed = s->seed++,
                       .out = s->out,
                       .out_count = jobs * counts_of(s),
                       .tables = s->interprets ? &s->tables : NULL};
  alea_status status = alea_gpu_run(s->code, &l, why);
  for (uint32_t j = 0; j < jobs; j++) {
    if (status == ALEA_OK)
      add_counts(s, &s->out[j * counts_of(s)], &b->results[s->which[j]]);
    else
      b->left[s->which[j]] += s->jobs[2 * j]; /* for lanes */
  }
  return status;
}

static bool anything_left(const gpu_batch *b) {
  for (size_t i = 0; i < b->count; i++)
    if (b->left[i] != 0) return true;
  return false;
}

/* Launches that grow: the schedule depends on the numbers of games alone unless
 * somebody waits, who is asked between them. */
static alea_status play_there(gpu_batch *b) {
  double holds = (double)b->s->threads * 32, rounds = 1;
  bool waits = b->stop_at != 0 || (b->options != NULL && b->options->over != NULL);
  char why[ALEA_GPU_WHY];
  while (anything_left(b) && !is_over(b)) {
    take_own_code(b->s);
    double start = alea_clock_wall();
    alea_status status = launch(b, rounds * holds, why);
    if (status != ALEA_OK) return status;
    if (rounds < MOST_ROUNDS && (!waits || alea_clock_wall() - start < SLOW / 2)) rounds *= 2;
  }
  return ALEA_OK;
}

/* What is left, and what the device does not serve, is played by lanes. */
static alea_status play_here(gpu_batch *b) {
  const gpu_sampler *s = b->s;
  alea_sample_options options = b->options != NULL ? *b->options : (alea_sample_options){0};
  alea_sample_request *requests = alea_mem_calloc(s->mem, b->count, sizeof *requests);
  alea_sample_result *results = alea_mem_calloc(s->mem, b->count, sizeof *results);
  uint32_t roles = s->net->role_count;
  double *sums = alea_mem_calloc(s->mem, b->count * 2 * roles, sizeof *sums);
  alea_status status = ALEA_OK;
  if (requests == NULL || results == NULL || sums == NULL) status = alea_mem_lack(s->mem);
  for (size_t i = 0; status == ALEA_OK && i < b->count; i++) {
    requests[i] = b->requests[i];
    requests[i].playouts = b->left[i] < UINT32_MAX ? (uint32_t)b->left[i] : UINT32_MAX;
    results[i].sum = &sums[2 * i * roles];
    results[i].sum_squares = results[i].sum + roles;
  }
  if (b->stop_at != 0) options.seconds = fmax(b->stop_at - alea_clock_wall(), 1e-3);
  if (status == ALEA_OK)
    status = alea_sampler_run(s->fallback, requests, b->count, &options, results);
  for (size_t i = 0; status == ALEA_OK && i < b->count; i++) {
    b->results[i].playouts += results[i].playouts;
    b->results[i].unfinished += results[i].unfinished;
    b->results[i].states += results[i].states;
    for (uint32_t r = 0; r < roles; r++) {
      b->results[i].sum[r] += results[i].sum[r];
      b->results[i].sum_squares[r] += results[i].sum_squares[r];
    }
  }
  alea_mem_free(s->mem, requests, b->count * sizeof *requests);
  alea_mem_free(s->mem, results, b->count * sizeof *results);
  alea_mem_free(s->mem, sums, b->count * 2 * roles * sizeof *sums);
  return status;
}

/* Splits the requests: what goes to the device is left in 'there', the rest in
 * 'here'. */
static void split(const gpu_sampler *s, const alea_sample_request *requests, size_t count,
                  uint64_t *there, uint64_t *here) {
  uint32_t ticks = s->lanes->clock.ticks;
  uint64_t total = 0;
  for (size_t i = 0; i < count; i++) {
    bool served = ticks == 0 || tick_of(s, &requests[i]) < ticks;
    there[i] = served ? requests[i].playouts : 0;
    here[i] = requests[i].playouts - there[i];
    total += there[i];
  }
  if (total >= s->least) return;
  for (size_t i = 0; i < count; i++) {
    here[i] = requests[i].playouts;
    there[i] = 0;
  }
}

static alea_status run_both(gpu_batch *b, uint64_t *there, uint64_t *here) {
  gpu_sampler *s = b->s;
  split(s, b->requests, b->count, there, here);
  b->left = there;
  alea_status status = make_room(s, b->count) ? play_there(b) : alea_mem_lack(s->mem);
  if (status == ALEA_SYSTEM) s->base.class = &lost_class;
  if (status == ALEA_SYSTEM || (status == ALEA_LIMIT && !b->over)) {
    for (size_t i = 0; i < b->count; i++) here[i] += there[i];
    status = ALEA_OK;
  }
  b->left = here;
  if (status == ALEA_OK && !b->over && anything_left(b)) status = play_here(b);
  return status;
}

static alea_status sampler_run(alea_sampler *sampler, const alea_sample_request *requests,
                               size_t count, const alea_sample_options *options,
                               alea_sample_result *results) {
  gpu_sampler *s = (gpu_sampler *)(void *)sampler;
  bool served = options == NULL ||
                (options->listener == NULL && options->watcher == NULL && options->guide == NULL &&
                 options->tries == NULL && options->worth == NULL);
  if (!served || count == 0 || s->base.class == &lost_class)
    return alea_sampler_run(s->fallback, requests, count, options, results);
  for (size_t i = 0; i < count; i++) {
    if (requests[i].words != NULL && requests[i].word_count != (s->net->fluent_count + 63) / 64)
      return ALEA_USAGE;
    results[i].playouts = results[i].unfinished = results[i].states = 0;
    memset(results[i].sum, 0, s->net->role_count * sizeof *results[i].sum);
    memset(results[i].sum_squares, 0, s->net->role_count * sizeof *results[i].sum_squares);
  }
  gpu_batch b = {.s = s, .requests = requests, .options = options, .results = results};
  b.count = count;
  if (options != NULL && options->seconds > 0) b.stop_at = alea_clock_wall() + options->seconds;
  uint64_t *left = alea_mem_calloc(s->mem, 2 * count, sizeof *left);
  if (left == NULL) return alea_mem_lack(s->mem);
  alea_status status = run_both(&b, left, left + count);
  alea_mem_free(s->mem, left, 2 * count * sizeof *left);
  return status;
}

static alea_status sampler_expand(alea_sampler *sampler, const uint64_t *words, size_t word_count,
                                  uint32_t role, const alea_move *moves, size_t move_count,
                                  const alea_move *others, bool *terminal, int *goals) {
  gpu_sampler *s = (gpu_sampler *)(void *)sampler;
  return alea_sampler_expand(s->fallback, words, word_count, role, moves, move_count, others,
                             terminal, goals);
}

static const alea_sampler_class gpu_class = {
    .engine = "gpu", .free = sampler_free, .run = sampler_run, .expand = sampler_expand};
static const alea_sampler_class lost_class = {
    .engine = "lanes", .free = sampler_free, .run = sampler_run, .expand = sampler_expand};

/* ---- the object ---- */

static uint64_t operations_of(const alea_lanes *lanes) {
  alea_lanes_info info;
  alea_lanes_describe(lanes, &info);
  uint64_t operations = (uint64_t)info.state_ops + info.next_ops + info.goal_ops + info.choices;
  return operations * (info.ticks > 0 ? info.ticks : 1);
}

/* Threads of a full launch: several waves of those that are there at once.  Where a network is not
 * always interpreted, they do not depend on what the compiler makes of the code: until that is
 * known the network is interpreted in as many. */
static uint32_t choose_threads(const gpu_sampler *s, const alea_gpu_code_info *info) {
  alea_gpu_info device;
  alea_gpu_describe(s->gpu, &device);
  if (!s->large)
    return ALEA_GPU_WAVES * device.processors * alea_gpu_held_blocks(s->lanes) * ALEA_GPU_BLOCK;
  const alea_gpu_tables *t = &s->tables;
  uint64_t blocks = ALEA_GPU_WAVES * (uint64_t)device.processors *
                    (uint32_t)(info->blocks > 0 ? info->blocks : 1);
  uint64_t fit = t->memory > 0 ? device.memory / 2 / t->memory : blocks;
  if (fit < blocks) blocks = fit > 0 ? fit : 1;
  return (uint32_t)blocks * alea_gpu_shape_wide(&t->shape);
}

/* The tables of the network, whether it is interpreted for good, and when a trip pays. */
static alea_status make_tables(gpu_sampler *s, char *why) {
  alea_gpu_info device;
  bool long_code = operations_of(s->lanes) > ALEA_GPU_MOST_OPERATIONS;
  bool many = s->lanes->slot_count > ALEA_GPU_FEW_VARIABLES;
  s->least = long_code ? ALEA_GPU_LEAST_LARGE : many ? ALEA_GPU_LEAST_MANY : ALEA_GPU_LEAST_FEW;
  alea_gpu_describe(s->gpu, &device);
  alea_status status = alea_gpu_tables_init(&s->tables, s->lanes, device.shared, s->mem);
  s->large = status == ALEA_OK && (long_code || s->tables.slots > ALEA_GPU_MOST_SLOTS);
  if (status != ALEA_LIMIT) return status;
  if (!long_code) return ALEA_OK; /* it has code of its own */
  snprintf(why, ALEA_GPU_WHY, "the game's network is too large for the GPU");
  return ALEA_UNSUPPORTED;
}

/* The kernel that interprets the tables. */
static alea_status interpret(gpu_sampler *s, alea_gpu_code_info *info, char *why) {
  alea_text source;
  if (s->tables.words.count == 0) return ALEA_LIMIT;
  alea_text_init(&source, s->mem);
  alea_gpu_interpreter(s->lanes, &s->tables, &source);
  alea_status status = source.failed ? alea_mem_lack(s->mem) : ALEA_OK;
  if (status == ALEA_OK)
    status = alea_gpu_compile(&s->code, s->gpu, source.data, &s->tables,
                              s->cache[0] != '\0' ? s->cache : NULL, info, why);
  alea_text_clear(&source);
  s->interprets = status == ALEA_OK;
  return status;
}

/* Whether the network should be interpreted until its own code is ready. */
static bool may_wait(const gpu_sampler *s) {
  return operations_of(s->lanes) > ALEA_GPU_QUICK_OPERATIONS ||
         s->lanes->slot_count > ALEA_GPU_FEW_VARIABLES;
}

/* The game's own code, or an order for it and the kernel that interprets. */
static alea_status make_own(gpu_sampler *s, alea_gpu_code_info *info, char *why) {
  const char *cache = s->cache[0] != '\0' ? s->cache : NULL;
  alea_text_init(&s->own, s->mem);
  alea_gpu_source(s->lanes, &s->own);
  if (s->own.failed) return alea_mem_lack(s->mem);
  s->waits =
      may_wait(s) && alea_gpu_order_code(s->gpu, s->own.data, cache, &s->order) == ALEA_GPU_AT_WORK;
  if (s->waits && interpret(s, info, why) == ALEA_OK) return ALEA_OK;
  s->waits = false;
  alea_status status = alea_gpu_compile(&s->code, s->gpu, s->own.data, NULL, cache, info, why);
  alea_text_clear(&s->own);
  alea_gpu_tables_clear(&s->tables, s->mem);
  return status;
}

static alea_status prepare(gpu_sampler *s, alea_gpu_code_info *info, char *why) {
  alea_status status = alea_gpu_open(&s->gpu, 0, s->mem, why);
  if (status == ALEA_OK) status = alea_gpu_lanes_new(&s->lanes, s->net, s->mem);
  if (status != ALEA_OK) return status;
  if (alea_gpu_find_cache(s->cache, sizeof s->cache) == NULL) s->cache[0] = '\0';
  status = make_tables(s, why);
  if (status != ALEA_OK) return status;
  status = s->large ? interpret(s, info, why) : make_own(s, info, why);
  if (status != ALEA_OK) return status;
  alea_gpu_info device;
  alea_gpu_describe(s->gpu, &device);
  info->interprets = s->interprets;
  s->at_once = device.processors * ALEA_GPU_FEWEST_BLOCKS * ALEA_GPU_BLOCK;
  s->threads = choose_threads(s, info);
  return ALEA_OK;
}

alea_status alea_gpu_sampler_new(alea_sampler **sampler, const alea_game *game, uint64_t seed,
                                 alea_mem *mem, alea_gpu_code_info *info, char *why) {
  alea_gpu_code_info own;
  *sampler = NULL;
  snprintf(why, ALEA_GPU_WHY, "there is not enough memory");
  if (alea_net_of_game(game) == NULL) return ALEA_USAGE;
  gpu_sampler *s = alea_mem_zalloc(mem, sizeof *s);
  if (s == NULL) return alea_mem_lack(mem);
  s->base = (alea_sampler){.class = &gpu_class, .game = game};
  s->mem = mem;
  s->net = alea_net_of_game(game);
  s->seed = seed;
  alea_status status = alea_lanes_sampler_new(&s->fallback, game, seed, mem);
  if (status == ALEA_OK) status = prepare(s, info != NULL ? info : &own, why);
  if (status == ALEA_OK)
    *sampler = &s->base;
  else
    sampler_free(&s->base);
  return status;
}

void alea_gpu_sampler_finish(alea_sampler *sampler) {
  gpu_sampler *s = (gpu_sampler *)(void *)sampler;
  while (s->waits) {
    take_own_code(s);
    if (s->waits) nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
  }
}
