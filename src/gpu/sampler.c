/* A sampler on a GPU, with lanes beside it. */
#include "gpu/sampler.h"

#include <assert.h>
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

/* A batch: what was asked for, and what has been made of it so far. */
typedef struct gpu_batch {
  struct gpu_sampler *s;
  uint32_t slot;
  const alea_sample_request *requests;
  alea_sample_options options; /* zeros where there are none */
  alea_sample_result *results;
  size_t count;
  double stop_at; /* 0 = never */
  bool over;
  uint32_t flying;        /* jobs of the launch that is in flight; 0: none is */
  alea_gpu_code *code;    /* that plays it */
  double rounds, began;   /* how large that is, and when it began */
  uint64_t *there, *here; /* games that are not begun, per request: for the device, for lanes */
  uint32_t *starts;       /* of the jobs of a launch */
  uint32_t *jobs;
  uint64_t *out;
  uint32_t *which; /* request of each job */
  size_t room;     /* requests */
} gpu_batch;

typedef struct gpu_sampler {
  alea_sampler base;
  alea_mem *mem;
  alea_gpu *gpu;
  alea_gpu_code *own, *interpreter; /* the two forms, of which at least one is there */
  alea_lanes *lanes;                /* what the code was made from */
  alea_sampler *fallback;           /* over wide lanes */
  const alea_net *net;
  bool large; /* the network is interpreted for good */
  bool slow;  /* launches that are not full are interpreted sooner than its own code plays them */
  uint64_t least;         /* games of a batch that is worth the trip */
  alea_gpu_tables tables; /* of the interpreter */
  uint32_t held;  /* threads' games that the device holds at once of it, a launch in each slot */
  bool waits;     /* the game's own code is being made: */
  uint64_t order; /* ask for it by this */
  alea_text source;
  size_t own_bytes; /* that a block of it shares */
  char cache[4096]; /* the folder it comes to; "" is none */
  uint32_t threads; /* of a full launch */
  uint64_t seed;    /* of the next launch */
  gpu_batch batches[ALEA_SAMPLE_SLOTS];
} gpu_sampler;

_Static_assert((int)ALEA_SAMPLE_SLOTS <= (int)ALEA_GPU_SLOTS, "one launch each");

static const alea_sampler_class gpu_class, lost_class;

static size_t counts_of(const gpu_sampler *s) { return ALEA_GPU_COUNTS + s->net->goals.count; }

/* ---- memory ---- */

static void clear_room(const gpu_sampler *s, gpu_batch *b) {
  alea_mem_free(s->mem, b->there, b->room * sizeof *b->there);
  alea_mem_free(s->mem, b->here, b->room * sizeof *b->here);
  alea_mem_free(s->mem, b->starts, b->room * s->net->fluent_count * sizeof *b->starts);
  alea_mem_free(s->mem, b->jobs, b->room * 2 * sizeof *b->jobs);
  alea_mem_free(s->mem, b->out, b->room * counts_of(s) * sizeof *b->out);
  alea_mem_free(s->mem, b->which, b->room * sizeof *b->which);
  *b = (gpu_batch){0};
}

static bool make_room(const gpu_sampler *s, gpu_batch *b, size_t count) {
  if (b->room >= count) return true;
  clear_room(s, b);
  b->room = count;
  b->there = alea_mem_calloc(s->mem, count, sizeof *b->there);
  b->here = alea_mem_calloc(s->mem, count, sizeof *b->here);
  b->starts = alea_mem_calloc(s->mem, count * s->net->fluent_count, sizeof *b->starts);
  b->jobs = alea_mem_calloc(s->mem, count * 2, sizeof *b->jobs);
  b->out = alea_mem_calloc(s->mem, count * counts_of(s), sizeof *b->out);
  b->which = alea_mem_calloc(s->mem, count, sizeof *b->which);
  bool good = b->there != NULL && b->here != NULL && b->starts != NULL && b->jobs != NULL &&
              b->out != NULL && b->which != NULL;
  if (!good) clear_room(s, b);
  return good;
}

static void sampler_free(alea_sampler *sampler) {
  gpu_sampler *s = (gpu_sampler *)(void *)sampler;
  alea_gpu_code_free(s->own); /* nothing is in flight any more */
  alea_gpu_code_free(s->interpreter);
  for (uint32_t i = 0; i < ALEA_SAMPLE_SLOTS; i++) clear_room(s, &s->batches[i]);
  alea_gpu_close(s->gpu);
  alea_gpu_tables_clear(&s->tables, s->mem);
  alea_text_clear(&s->source);
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
    uint64_t holds =
        request->words != NULL ? request->words[f / 64] >> (f % 64) & 1 : s->net->init[f] != 0;
    start[f] = 0u - (uint32_t)holds;
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

static bool is_over(gpu_batch *b) {
  const alea_sample_options *o = &b->options;
  if (b->stop_at != 0 && alea_clock_wall() >= b->stop_at) b->over = true;
  if (!b->over && o->over != NULL) b->over = o->over(o->over_context);
  return b->over;
}

/* The jobs of a launch of about 'games' games: the same share of each request. */
static uint32_t make_jobs(gpu_batch *b, double share) {
  const gpu_sampler *s = b->s;
  uint32_t jobs = 0;
  for (size_t i = 0; i < b->count; i++) {
    if (b->there[i] == 0) continue;
    double games = (double)b->there[i] * share;
    uint64_t part = games < 1 ? 1 : games < (double)b->there[i] ? (uint64_t)games : b->there[i];
    if (part > UINT32_MAX) part = UINT32_MAX;
    b->there[i] -= part;
    set_start(s, &b->requests[i], &b->starts[(size_t)jobs * s->net->fluent_count]);
    b->jobs[2 * jobs] = (uint32_t)part;
    b->jobs[2 * jobs + 1] = tick_of(s, &b->requests[i]);
    b->which[jobs++] = (uint32_t)i;
  }
  return jobs;
}

/* All jobs together have about as many threads as a launch should, and none more than has lanes for
 * the games; whole blocks where it is more than one. */
static uint32_t threads_per_job(const gpu_batch *b, uint32_t jobs) {
  const gpu_sampler *s = b->s;
  uint64_t most = 0, threads = s->threads / jobs;
  for (uint32_t j = 0; j < jobs; j++)
    if (b->jobs[2 * j] > most) most = b->jobs[2 * j];
  uint64_t useful = (most + 31) / 32;
  if (useful < threads) threads = useful;
  if (threads > ALEA_GPU_BLOCK) threads -= threads % ALEA_GPU_BLOCK;
  return threads > 0 ? (uint32_t)threads : 1;
}

static bool is_flying(const gpu_sampler *s) {
  for (uint32_t i = 0; i < ALEA_SAMPLE_SLOTS; i++)
    if (s->batches[i].flying != 0) return true;
  return false;
}

static void forget_interpreter(gpu_sampler *s) {
  alea_gpu_code_free(s->interpreter);
  s->interpreter = NULL;
  alea_gpu_tables_clear(&s->tables, s->mem);
}

/* Takes the game's own code when it is ready and nobody is at the other. */
static void take_own_code(gpu_sampler *s) {
  if (is_flying(s)) return;
  alea_gpu_order state = s->waits ? alea_gpu_ask_order(s->order) : ALEA_GPU_AT_WORK;
  if (state == ALEA_GPU_AT_WORK) return;
  alea_gpu_code_info info;
  char why[ALEA_GPU_WHY];
  s->waits = false;
  if (state == ALEA_GPU_IN_FILE &&
      alea_gpu_compile(&s->own, s->gpu, alea_text_string(&s->source), NULL, s->own_bytes, s->cache,
                       &info, why) == ALEA_OK &&
      !s->slow)
    forget_interpreter(s);
  alea_text_clear(&s->source);
}

static double sum_of(const gpu_batch *b, const uint64_t *games) {
  double sum = 0;
  for (size_t i = 0; i < b->count; i++) sum += (double)games[i];
  return sum;
}

/* The games of a launch that has not played them are for lanes, and all that were to come.  A
 * device that failed is not asked again. */
static void turn_back(gpu_batch *b, uint32_t jobs, alea_status status) {
  for (uint32_t j = 0; j < jobs; j++) b->here[b->which[j]] += b->jobs[2 * j];
  for (size_t i = 0; i < b->count; i++) {
    b->here[i] += b->there[i];
    b->there[i] = 0;
  }
  if (status == ALEA_SYSTEM) b->s->base.class = &lost_class;
}

/* The form that plays so many threads' games sooner: both play the same games. */
static alea_gpu_code *choose_form(const gpu_sampler *s, uint64_t threads) {
  bool interprets = s->interpreter != NULL && threads <= s->held;
  return s->own == NULL || interprets ? s->interpreter : s->own;
}

/* Begins a launch if there are games for one.  Launches grow, by the numbers of games alone unless
 * somebody waits, who is asked before each. */
static void launch(gpu_batch *b) {
  gpu_sampler *s = b->s;
  double left = sum_of(b, b->there), games = b->rounds * (double)s->threads * 32;
  char why[ALEA_GPU_WHY];
  if (left == 0 || is_over(b)) return;
  take_own_code(s);
  uint32_t jobs = make_jobs(b, games < left ? games / left : 1), cap = b->options.step_cap;
  alea_gpu_launch l = {.starts = b->starts,
                       .start_count = (size_t)jobs * s->net->fluent_count,
                       .jobs = b->jobs,
                       .job_count = jobs,
                       .threads_per_job = threads_per_job(b, jobs),
                       .cap = cap != 0 ? cap : ALEA_DEFAULT_STEP_CAP,
                       .seed = s->seed++,
                       .out = b->out,
                       .out_count = jobs * counts_of(s)};
  b->code = choose_form(s, (uint64_t)jobs * l.threads_per_job);
  if (b->code == s->interpreter) l.tables = &s->tables;
  b->began = alea_clock_wall();
  alea_status status = alea_gpu_start(b->code, b->slot, &l, why);
  if (status == ALEA_OK)
    b->flying = jobs;
  else
    turn_back(b, jobs, status);
}

/* Waits for the launch that is in flight, and books what it did. */
static void land(gpu_batch *b) {
  const gpu_sampler *s = b->s;
  uint32_t jobs = b->flying;
  char why[ALEA_GPU_WHY];
  alea_status status = alea_gpu_finish(b->code, b->slot, why);
  b->flying = 0;
  if (status != ALEA_OK) {
    turn_back(b, jobs, status);
    return;
  }
  for (uint32_t j = 0; j < jobs; j++)
    add_counts(s, &b->out[j * counts_of(s)], &b->results[b->which[j]]);
  bool waits = b->stop_at != 0 || b->options.over != NULL;
  if (b->rounds < MOST_ROUNDS && (!waits || alea_clock_wall() - b->began < SLOW / 2))
    b->rounds *= 2;
}

/* Adds what lanes found. */
static void add_results(const gpu_batch *b, const alea_sample_result *results) {
  for (size_t i = 0; i < b->count; i++) {
    b->results[i].playouts += results[i].playouts;
    b->results[i].unfinished += results[i].unfinished;
    b->results[i].states += results[i].states;
    for (uint32_t r = 0; r < b->s->net->role_count; r++) {
      b->results[i].sum[r] += results[i].sum[r];
      b->results[i].sum_squares[r] += results[i].sum_squares[r];
    }
  }
}

/* What the device does not serve, or did not, is played by lanes. */
static alea_status play_here(gpu_batch *b) {
  const gpu_sampler *s = b->s;
  if (b->over || sum_of(b, b->here) == 0) return ALEA_OK;
  alea_sample_options options = b->options;
  alea_sample_request *requests = alea_mem_calloc(s->mem, b->count, sizeof *requests);
  alea_sample_result *results = alea_mem_calloc(s->mem, b->count, sizeof *results);
  uint32_t roles = s->net->role_count;
  double *sums = alea_mem_calloc(s->mem, b->count * 2 * roles, sizeof *sums);
  alea_status status = ALEA_OK;
  if (requests == NULL || results == NULL || sums == NULL) status = alea_mem_lack(s->mem);
  for (size_t i = 0; status == ALEA_OK && i < b->count; i++) {
    requests[i] = b->requests[i];
    requests[i].playouts = b->here[i] < UINT32_MAX ? (uint32_t)b->here[i] : UINT32_MAX;
    results[i].sum = &sums[2 * i * roles];
    results[i].sum_squares = results[i].sum + roles;
    b->here[i] = 0;
  }
  if (b->stop_at != 0) options.seconds = fmax(b->stop_at - alea_clock_wall(), 1e-3);
  if (status == ALEA_OK)
    status = alea_sampler_run(s->fallback, requests, b->count, &options, results);
  if (status == ALEA_OK) add_results(b, results);
  alea_mem_free(s->mem, requests, b->count * sizeof *requests);
  alea_mem_free(s->mem, results, b->count * sizeof *results);
  alea_mem_free(s->mem, sums, b->count * 2 * roles * sizeof *sums);
  return status;
}

/* Splits the requests between the device and lanes. */
static void split(gpu_batch *b) {
  const gpu_sampler *s = b->s;
  uint32_t ticks = s->lanes->clock.ticks;
  uint64_t total = 0;
  for (size_t i = 0; i < b->count; i++) {
    bool served = ticks == 0 || tick_of(s, &b->requests[i]) < ticks;
    b->there[i] = served ? b->requests[i].playouts : 0;
    b->here[i] = b->requests[i].playouts - b->there[i];
    total += b->there[i];
  }
  if (total < s->least) turn_back(b, 0, ALEA_OK);
}

static bool is_served(const gpu_sampler *s, size_t count, const alea_sample_options *options) {
  if (count == 0 || s->base.class == &lost_class) return false;
  return options == NULL ||
         (options->listener == NULL && options->watcher == NULL && options->guide == NULL &&
          options->tries == NULL && options->worth == NULL);
}

static alea_status sampler_finish(alea_sampler *sampler, uint32_t slot) {
  gpu_batch *b = &((gpu_sampler *)(void *)sampler)->batches[slot];
  while (b->flying != 0) {
    land(b);
    launch(b);
  }
  return play_here(b);
}

static alea_status sampler_start(alea_sampler *sampler, uint32_t slot,
                                 const alea_sample_request *requests, size_t count,
                                 const alea_sample_options *options, alea_sample_result *results,
                                 bool *in_flight) {
  gpu_sampler *s = (gpu_sampler *)(void *)sampler;
  gpu_batch *b = &s->batches[slot];
  assert(b->flying == 0);
  *in_flight = false;
  if (!is_served(s, count, options) || !make_room(s, b, count))
    return alea_sampler_run(s->fallback, requests, count, options, results);
  for (size_t i = 0; i < count; i++) {
    if (requests[i].words != NULL && requests[i].word_count != (s->net->fluent_count + 63) / 64)
      return ALEA_USAGE;
    results[i].playouts = results[i].unfinished = results[i].states = 0;
    memset(results[i].sum, 0, s->net->role_count * sizeof *results[i].sum);
    memset(results[i].sum_squares, 0, s->net->role_count * sizeof *results[i].sum_squares);
  }
  b->s = s;
  b->slot = slot;
  b->requests = requests;
  b->options = options != NULL ? *options : (alea_sample_options){0};
  b->results = results;
  b->count = count;
  b->stop_at = b->options.seconds > 0 ? alea_clock_wall() + b->options.seconds : 0;
  b->over = false;
  b->rounds = 1;
  split(b);
  launch(b);
  alea_status status = play_here(b);
  *in_flight = status == ALEA_OK && b->flying != 0;
  if (status != ALEA_OK && b->flying != 0) land(b);
  return status;
}

static alea_status sampler_run(alea_sampler *sampler, const alea_sample_request *requests,
                               size_t count, const alea_sample_options *options,
                               alea_sample_result *results) {
  bool in_flight;
  alea_status status = sampler_start(sampler, 0, requests, count, options, results, &in_flight);
  return in_flight ? sampler_finish(sampler, 0) : status;
}

static alea_status sampler_expand(alea_sampler *sampler, const uint64_t *words, size_t word_count,
                                  uint32_t role, const alea_move *moves, size_t move_count,
                                  const alea_move *others, bool *terminal, int *goals) {
  gpu_sampler *s = (gpu_sampler *)(void *)sampler;
  return alea_sampler_expand(s->fallback, words, word_count, role, moves, move_count, others,
                             terminal, goals);
}

#define MEMBERS                                                                               \
  .free = sampler_free, .run = sampler_run, .expand = sampler_expand, .start = sampler_start, \
  .finish = sampler_finish
static const alea_sampler_class gpu_class = {.engine = "gpu", MEMBERS};
static const alea_sampler_class lost_class = {.engine = "lanes", MEMBERS};
#undef MEMBERS

/* ---- the object ---- */

static uint64_t operations_of(const alea_lanes *lanes) {
  alea_lanes_info info;
  alea_lanes_describe(lanes, &info);
  uint64_t operations = (uint64_t)info.state_ops + info.next_ops + info.goal_ops + info.choices;
  return operations * (info.ticks > 0 ? info.ticks : 1);
}

/* Whether the game's own code would take minutes to compile. */
static bool is_long(const alea_lanes *lanes) {
  alea_lanes_info info;
  alea_lanes_describe(lanes, &info);
  uint64_t operands = (uint64_t)info.operands * (info.ticks > 0 ? info.ticks : 1);
  return operations_of(lanes) > ALEA_GPU_MOST_OPERATIONS || operands > ALEA_GPU_MOST_OPERANDS;
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
  uint64_t fit = t->memory > 0 ? device.memory / 2 / ALEA_SAMPLE_SLOTS / t->memory : blocks;
  if (fit < blocks) blocks = fit > 0 ? fit : 1;
  return (uint32_t)blocks * alea_gpu_shape_wide(&t->shape);
}

/* The tables of the network, whether it is interpreted for good, and when a trip pays. */
static alea_status make_tables(gpu_sampler *s, char *why) {
  alea_gpu_info device;
  bool long_code = is_long(s->lanes);
  bool many = s->lanes->slot_count > ALEA_GPU_FEW_VARIABLES;
  s->least = long_code ? ALEA_GPU_LEAST_LARGE : many ? ALEA_GPU_LEAST_MANY : ALEA_GPU_LEAST_FEW;
  alea_gpu_describe(s->gpu, &device);
  alea_status status = alea_gpu_tables_init(&s->tables, s->lanes, device.shared, s->mem);
  s->large = status == ALEA_OK && long_code;
  s->slow = !s->large && s->lanes->slot_count > ALEA_GPU_MANY_VARIABLES;
  if (status != ALEA_LIMIT) return status;
  if (!long_code) return ALEA_OK; /* it has code of its own */
  snprintf(why, ALEA_GPU_WHY, "the game's network is too large for the GPU");
  return ALEA_UNSUPPORTED;
}

/* The kernel that interprets the tables. */
static alea_status interpret(gpu_sampler *s, alea_gpu_code_info *info, char *why) {
  alea_text source;
  alea_gpu_info device;
  if (s->tables.words.count == 0) return ALEA_LIMIT;
  alea_text_init(&source, s->mem);
  alea_gpu_interpreter(s->lanes, &s->tables, &source);
  alea_status status = source.failed ? alea_mem_lack(s->mem) : ALEA_OK;
  if (status == ALEA_OK)
    status = alea_gpu_compile(&s->interpreter, s->gpu, source.data, &s->tables, 0,
                              s->cache[0] != '\0' ? s->cache : NULL, info, why);
  alea_text_clear(&source);
  if (status != ALEA_OK) return status;
  alea_gpu_describe(s->gpu, &device);
  uint32_t blocks = device.processors * (uint32_t)(info->blocks > 0 ? info->blocks : 1);
  s->held = blocks * alea_gpu_shape_wide(&s->tables.shape) / ALEA_SAMPLE_SLOTS;
  return ALEA_OK;
}

/* Whether the network should be interpreted until its own code is ready. */
static bool may_wait(const gpu_sampler *s) {
  return operations_of(s->lanes) > ALEA_GPU_QUICK_OPERATIONS ||
         s->lanes->slot_count > ALEA_GPU_FEW_VARIABLES;
}

/* The game's own code, or an order for it and the kernel that interprets; both where its own is
 * slow while the device is not full. */
static alea_status make_own(gpu_sampler *s, alea_gpu_code_info *info, char *why) {
  const char *cache = s->cache[0] != '\0' ? s->cache : NULL;
  alea_text_init(&s->source, s->mem);
  alea_gpu_info device;
  alea_gpu_describe(s->gpu, &device);
  s->own_bytes = alea_gpu_source(s->lanes, device.shared, &s->source);
  if (s->source.failed) return alea_mem_lack(s->mem);
  s->waits = may_wait(s) &&
             alea_gpu_order_code(s->gpu, s->source.data, cache, &s->order) == ALEA_GPU_AT_WORK;
  bool interprets = (s->waits || s->slow) && interpret(s, info, why) == ALEA_OK;
  if (interprets && s->waits) return ALEA_OK;
  s->waits = false;
  if (!interprets) forget_interpreter(s);
  alea_status status =
      alea_gpu_compile(&s->own, s->gpu, s->source.data, NULL, s->own_bytes, cache, info, why);
  alea_text_clear(&s->source);
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
  info->interprets = s->own == NULL;
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
  assert(!is_flying(s));
  while (s->waits) {
    take_own_code(s);
    if (s->waits) nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
  }
}
