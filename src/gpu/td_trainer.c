/* Temporal differences on a device. */
#include "gpu/td_trainer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/rng.h"
#include "gpu/module.h"
#include "gpu/source.h"
#include "gpu/td_kernel.h"

enum {
  STEPS = 32,   /* of a round */
  OPENING = 12, /* random steps at the beginning of a game, less than so many */
  ROLES = 2,
};
static const float MEAN_KEPT = 0.9f, SQUARE_KEPT = 0.999f;

struct alea_gpu_td {
  alea_mem *mem;
  const alea_net *net;
  uint32_t units, views;
  uint64_t seed;
  uint64_t steps, fits; /* made so far: of games, and of Adam */
  alea_gpu_stepper *games, *next;
  alea_gpu *gpu;
  alea_gpu_module *module;
  alea_td_arguments a;
  bool lost;
  char why[ALEA_GPU_WHY];
};

static const char *const names[] = {
#define NAME(name, threads) "alea_td_" #name,
    ALEA_TD_FUNCTIONS(NAME)
#undef NAME
};
static const uint32_t threads_of[] = {
#define THREADS(name, threads) threads,
    ALEA_TD_FUNCTIONS(THREADS)
#undef THREADS
};

size_t alea_gpu_td_parameters(uint32_t fluents, uint32_t units) {
  return ((size_t)fluents + 2) * units + 2;
}

/* ---- code ---- */

static void put_word(alea_text *text, const char *name, uint32_t value) {
  alea_text_format(text, "#define %s %uu\n", name, value);
}

static void put_sizes(const alea_gpu_td *td, const alea_gpu_td_task *task, alea_text *text) {
  put_word(text, "FLUENTS", td->net->fluent_count);
  put_word(text, "MOVES", td->net->move_count);
  put_word(text, "SECOND", td->net->move_first[1]);
  put_word(text, "UNITS", td->units);
  put_word(text, "VIEWS", td->views);
  put_word(text, "GAME_BLOCK", ALEA_TD_GAME_BLOCK);
  put_word(text, "WIDE_BLOCK", ALEA_TD_WIDE_BLOCK);
  put_word(text, "PARTS", ALEA_TD_PARTS);
  put_word(text, "SUMS", ALEA_TD_SUMS);
  put_word(text, "OPENING", OPENING);
  alea_text_format(text, "#define MOST_WEIGHT %.8ef\n", (double)task->most_weight);
  alea_text_format(text, "#define MOST_WORTH %.8ef\n", (double)task->most_worth);
  alea_text_format(text, "#define MEAN_KEPT %.8ef\n", (double)MEAN_KEPT);
  alea_text_format(text, "#define SQUARE_KEPT %.8ef\n", (double)SQUARE_KEPT);
  alea_text_put(text,
                "#define RANDOM_MOVES 0.05f\n#define WARMTH 0.3f\n#define WORSE 0.7f\n"
                "#define LAMBDA 0.8f\n#define DECAY 2e-5f\n#define TINY 1e-8f\n"
                "#define LEAST_SCALE 0.05f\n#define MOST_OUT (MOST_WORTH * LEAST_SCALE)\n");
}

static void put_arguments(alea_text *text) {
  alea_text_put(text, "typedef unsigned char u8;\ntypedef int i32;\ntypedef struct {\n");
#define PUT_PLACE(type, name) alea_text_put(text, #type " *" #name ";\n");
#define PUT_FLOAT(name) alea_text_put(text, "float " #name ";\n");
#define PUT_WORD(name) alea_text_put(text, "u32 " #name ";\n");
  ALEA_TD_PLACES(PUT_PLACE)
  ALEA_TD_FLOATS(PUT_FLOAT)
  ALEA_TD_WORDS(PUT_WORD)
  alea_text_put(text, "} args;\n");
}

static alea_status make_code(alea_gpu_td *td, const alea_gpu_td_task *task) {
  char cache[4096];
  alea_text text;
  alea_text_init(&text, td->mem);
  alea_gpu_put_prologue(&text);
  put_sizes(td, task, &text);
  put_arguments(&text);
  alea_text_put(&text, alea_step_machine);
  for (size_t i = 0; alea_td_shared[i] != NULL; i++) alea_text_put(&text, alea_td_shared[i]);
  alea_status status = text.failed ? alea_mem_lack(td->mem) : ALEA_OK;
  if (status == ALEA_OK)
    status = alea_gpu_module_new(&td->module, td->gpu, text.data, names, ALEA_TD_FUNCTION_COUNT,
                                 alea_gpu_find_cache(cache, sizeof cache), td->why);
  alea_text_clear(&text);
  return status;
}

static alea_status start(alea_gpu_td *td, uint32_t function, uint64_t threads) {
  uint64_t blocks = (threads + threads_of[function] - 1) / threads_of[function];
  return alea_gpu_module_start(td->module, function, (uint32_t)blocks, threads_of[function], &td->a,
                               td->why);
}

/* ---- games ---- */

/* A batch failed. */
static alea_status note_why(alea_gpu_td *td, const alea_gpu_stepper *stepper, alea_status status) {
  if (status != ALEA_OK) snprintf(td->why, sizeof td->why, "%s", alea_gpu_stepper_why(stepper));
  return status;
}

/* Tries 32 moves of each game. */
static alea_status try_moves(alea_gpu_td *td, uint32_t pass) {
  td->a.pass = pass;
  alea_status status = start(td, ALEA_TD_spread, td->a.games);
  if (status == ALEA_OK) status = note_why(td, td->next, alea_gpu_stepper_advance(td->next));
  if (status == ALEA_OK) status = start(td, ALEA_TD_value, 32 * (uint64_t)td->a.games);
  return status == ALEA_OK ? start(td, ALEA_TD_pick, td->a.games) : status;
}

/* Chooses a move in each game. */
static alea_status choose(alea_gpu_td *td) {
  uint32_t most = 0;
  alea_status status = alea_gpu_zero(td->gpu, td->a.most, sizeof most, td->why);
  if (status == ALEA_OK) status = try_moves(td, 0);
  if (status == ALEA_OK) status = alea_gpu_fetch(td->gpu, &most, td->a.most, sizeof most, td->why);
  for (uint32_t pass = 1; status == ALEA_OK && 32 * pass < most; pass++)
    status = try_moves(td, pass);
  return status;
}

static void seed_step(alea_gpu_td *td, uint64_t number) {
  uint64_t seed = alea_hash_join(td->seed, number);
  td->a.seed_low = (uint32_t)seed;
  td->a.seed_high = (uint32_t)(seed >> 32);
}

static alea_status step(alea_gpu_td *td, uint32_t number) {
  size_t bytes = (size_t)td->net->fluent_count * td->a.stride * sizeof(uint32_t);
  td->a.step = number;
  seed_step(td, td->steps++);
  alea_status status =
      alea_gpu_copy(td->gpu, td->a.past + number * bytes, td->a.planes, bytes, td->why);
  if (status == ALEA_OK) status = choose(td);
  if (status != ALEA_OK) return status;
  status = alea_gpu_stepper_step(td->games, (const int32_t *)(uintptr_t)td->a.actions);
  if (status == ALEA_INPUT) status = ALEA_OK; /* games in which somebody has no move stand still */
  status = note_why(td, td->games, status);
  return status == ALEA_OK ? start(td, ALEA_TD_end, td->a.games) : status;
}

/* ---- fitting ---- */

/* Goes through the positions once, in another order each time. */
static alea_status fit(alea_gpu_td *td, float rate) {
  uint32_t count = STEPS * td->a.words, rows = td->net->fluent_count + 3;
  uint64_t order = alea_hash_join(~td->seed, td->fits);
  alea_status status = ALEA_OK;
  seed_step(td, ~td->fits);
  td->a.factor = (uint32_t)order | 1;
  td->a.offset = (uint32_t)(order >> 32);
  td->a.mask = count - 1;
  for (td->a.first = 0; status == ALEA_OK && td->a.first < count; td->a.first += td->a.many) {
    float times = (float)++td->fits;
    td->a.rate = rate * sqrtf(1 - powf(SQUARE_KEPT, times)) / (1 - powf(MEAN_KEPT, times));
    status = start(td, ALEA_TD_forward, 32 * (uint64_t)td->a.many);
    if (status == ALEA_OK)
      status = start(td, ALEA_TD_gather, (uint64_t)rows * ALEA_TD_PARTS * td->units);
    if (status == ALEA_OK)
      status = start(td, ALEA_TD_adjust, alea_gpu_td_parameters(td->net->fluent_count, td->units));
  }
  return status;
}

static alea_status make_round(alea_gpu_td *td, float rate, uint32_t fits) {
  alea_status status = ALEA_OK;
  for (uint32_t k = 0; status == ALEA_OK && k < STEPS; k++) status = step(td, k);
  if (status == ALEA_OK) status = start(td, ALEA_TD_trace, td->a.games);
  for (uint32_t k = 0; status == ALEA_OK && k < fits; k++) status = fit(td, rate);
  return status == ALEA_OK ? alea_gpu_wait(td->gpu, td->why) : status;
}

/* Between these two the device may be used. */
static alea_status enter(alea_gpu_td *td) {
  if (td->lost) return ALEA_SYSTEM;
  td->why[0] = '\0';
  return alea_gpu_enter(td->gpu, td->why);
}

static alea_status leave(alea_gpu_td *td, alea_status status) {
  alea_gpu_leave(td->gpu);
  td->lost = td->lost || status == ALEA_SYSTEM;
  return status;
}

alea_status alea_gpu_td_round(alea_gpu_td *td, float rate, uint32_t fits, uint64_t *positions) {
  *positions = 0;
  alea_status status = enter(td);
  if (status != ALEA_OK) return status;
  status = leave(td, make_round(td, rate, fits));
  if (status == ALEA_OK) *positions = alea_gpu_td_example_count(td);
  return status;
}

alea_status alea_gpu_td_fetch(alea_gpu_td *td, float *parameters) {
  size_t count = alea_gpu_td_parameters(td->net->fluent_count, td->units);
  alea_status status = enter(td);
  if (status != ALEA_OK) return status;
  return leave(td, alea_gpu_fetch(td->gpu, parameters, td->a.parameters, count * sizeof *parameters,
                                  td->why));
}

const char *alea_gpu_td_why(const alea_gpu_td *td) { return td->why; }

/* ---- examples ---- */

size_t alea_gpu_td_example_count(const alea_gpu_td *td) { return (size_t)STEPS * td->a.games; }

static void read_position(const alea_gpu_td *td, const uint32_t *planes, uint32_t game,
                          uint64_t *words) {
  for (uint32_t f = 0; f < td->net->fluent_count; f++)
    if ((planes[(size_t)f * td->a.stride + game / 32] >> game % 32 & 1) != 0)
      words[f / 64] |= UINT64_C(1) << f % 64;
}

alea_status alea_gpu_td_examples(alea_gpu_td *td, uint64_t *words, float *targets) {
  size_t length = (size_t)td->net->fluent_count * td->a.stride,
         count = (td->net->fluent_count + 63) / 64;
  uint32_t *planes = alea_mem_calloc(td->mem, length, sizeof *planes);
  if (planes == NULL) return alea_mem_lack(td->mem);
  alea_status status = enter(td);
  for (uint32_t k = 0; status == ALEA_OK && k < STEPS; k++) {
    status = alea_gpu_fetch(td->gpu, planes, td->a.past + k * length * sizeof *planes,
                            length * sizeof *planes, td->why);
    for (uint32_t g = 0; status == ALEA_OK && g < td->a.games; g++) {
      uint64_t *to = words + ((size_t)k * td->a.games + g) * count;
      memset(to, 0, count * sizeof *to);
      read_position(td, planes, g, to);
    }
  }
  if (status == ALEA_OK)
    status = alea_gpu_fetch(td->gpu, targets, td->a.target,
                            alea_gpu_td_example_count(td) * sizeof *targets, td->why);
  alea_mem_free(td->mem, planes, length * sizeof *planes);
  return leave(td, status);
}

/* ---- making ---- */

/* Which fluent of a position a row is about, for each map and view: the one whose image it is. */
static alea_status bring_sources(alea_gpu_td *td, const alea_gpu_td_task *task) {
  uint32_t fluents = td->net->fluent_count;
  size_t count = (size_t)td->a.maps * td->views * fluents;
  uint32_t *sources = alea_mem_calloc(td->mem, count, sizeof *sources);
  if (sources == NULL) return alea_mem_lack(td->mem);
  for (uint32_t m = 0; m < td->a.maps; m++)
    for (uint32_t v = 0; v < td->views; v++)
      for (uint32_t f = 0; f < fluents; f++) {
        uint32_t image = task->maps[(size_t)m * fluents + f];
        if (v > 0) image = task->exchange[image];
        sources[((size_t)m * td->views + v) * fluents + image] = f;
      }
  alea_status status = alea_gpu_hold(td->gpu, &td->a.sources, count * sizeof *sources, td->why);
  if (status == ALEA_OK)
    status = alea_gpu_bring(td->gpu, td->a.sources, sources, count * sizeof *sources, td->why);
  alea_mem_free(td->mem, sources, count * sizeof *sources);
  return status;
}

static alea_status bring_linear(alea_gpu_td *td, const alea_gpu_td_task *task) {
  size_t count = td->net->fluent_count;
  float *linear = alea_mem_calloc(td->mem, count, sizeof *linear);
  if (linear == NULL) return alea_mem_lack(td->mem);
  for (size_t f = 0; f < count; f++) linear[f] = (float)task->scores[f] / 1000;
  td->a.base = (float)task->base / 1000;
  alea_status status = alea_gpu_hold(td->gpu, &td->a.linear, count * sizeof *linear, td->why);
  if (status == ALEA_OK)
    status = alea_gpu_bring(td->gpu, td->a.linear, linear, count * sizeof *linear, td->why);
  alea_mem_free(td->mem, linear, count * sizeof *linear);
  return status;
}

/* Games begin at once, and after different numbers of random steps. */
static alea_status bring_openings(alea_gpu_td *td) {
  size_t count = td->a.games;
  uint32_t *openings = alea_mem_calloc(td->mem, count, sizeof *openings);
  if (openings == NULL) return alea_mem_lack(td->mem);
  alea_rng rng;
  alea_rng_seed(&rng, td->seed);
  for (size_t g = 0; g < count; g++) openings[g] = alea_rng_below(&rng, OPENING);
  alea_status status =
      alea_gpu_bring(td->gpu, td->a.opening, openings, count * sizeof *openings, td->why);
  alea_mem_free(td->mem, openings, count * sizeof *openings);
  return status;
}

static alea_status hold_all(alea_gpu_td *td) {
  size_t games = td->a.games, fluents = td->net->fluent_count, units = td->units, word = 4;
  size_t parameters = alea_gpu_td_parameters(td->net->fluent_count, td->units),
         examples = 32 * (size_t)td->a.many;
  const struct {
    alea_gpu_place *at;
    size_t bytes;
  } rooms[] = {{&td->a.actions, ROLES * games * word},
               {&td->a.moves, 32 * games * word},
               {&td->a.logits, 32 * games * word},
               {&td->a.chooser, games * word},
               {&td->a.count, games * word},
               {&td->a.replies, games * word},
               {&td->a.opening, games * word},
               {&td->a.best, games * word},
               {&td->a.made, games * word},
               {&td->a.chance, games * word},
               {&td->a.most, word},
               {&td->a.past, STEPS * fluents * td->a.stride * word},
               {&td->a.worth, STEPS * games * word},
               {&td->a.kind, STEPS * games},
               {&td->a.outcome, STEPS * games * word},
               {&td->a.target, STEPS * games * word},
               {&td->a.parameters, parameters * word},
               {&td->a.means, parameters * word},
               {&td->a.squares, parameters * word},
               {&td->a.back, examples * td->views * units * word},
               {&td->a.firing, examples * units * word},
               {&td->a.errors, examples * word},
               {&td->a.logit, examples * word},
               {&td->a.gradients, (fluents + 3) * ALEA_TD_PARTS * units * word}};
  alea_status status = ALEA_OK;
  for (size_t i = 0; status == ALEA_OK && i < sizeof rooms / sizeof *rooms; i++)
    status = alea_gpu_hold(td->gpu, rooms[i].at, rooms[i].bytes, td->why);
  return status;
}

static void drop_all(alea_gpu_td *td) {
  /* what lies in the batches is theirs */
  td->a.planes = td->a.legal = td->a.rewards = td->a.terminated = 0;
  td->a.next_planes = td->a.next_chosen = td->a.next_terminal = td->a.next_refused = 0;
  td->a.next_rewards = 0;
#define DROP(type, name) alea_gpu_drop(td->gpu, &td->a.name);
  ALEA_TD_PLACES(DROP)
#undef DROP
  alea_gpu_module_free(td->module);
}

static alea_status make_batches(alea_gpu_td *td, const alea_gpu_td_task *task) {
  alea_batch_options options = {.size = sizeof options,
                                .seed = task->seed,
                                .auto_reset = true,
                                .device_number = task->device_number};
  alea_status status = alea_gpu_stepper_new(&td->games, task->lanes, task->games, &options,
                                            ALEA_GPU_FORM_AUTO, td->mem, td->why);
  options.auto_reset = false;
  if (status == ALEA_OK)
    status = alea_gpu_stepper_new(&td->next, task->lanes, 32 * (size_t)task->games, &options,
                                  ALEA_GPU_FORM_AUTO, td->mem, td->why);
  if (status != ALEA_OK) return status;
  const alea_step_arguments *games = alea_gpu_stepper_places(td->games);
  const alea_step_arguments *next = alea_gpu_stepper_places(td->next);
  td->a.planes = games->planes;
  td->a.legal = games->legal;
  td->a.rewards = games->rewards;
  td->a.terminated = games->terminated;
  td->a.stride = games->stride;
  td->a.next_planes = next->planes;
  td->a.next_chosen = next->chosen;
  td->a.next_terminal = next->terminal;
  td->a.next_refused = next->refused;
  td->a.next_rewards = next->rewards;
  td->a.next_stride = next->stride;
  return ALEA_OK;
}

static alea_status prepare(alea_gpu_td *td, const alea_gpu_td_task *task) {
  size_t count = alea_gpu_td_parameters(td->net->fluent_count, td->units);
  alea_status status = make_code(td, task);
  if (status == ALEA_OK) status = hold_all(td);
  if (status == ALEA_OK) status = bring_sources(td, task);
  if (status == ALEA_OK) status = bring_linear(td, task);
  if (status == ALEA_OK) status = bring_openings(td);
  if (status != ALEA_OK) return status;
  return alea_gpu_bring(td->gpu, td->a.parameters, task->parameters, count * sizeof(float),
                        td->why);
}

static alea_status open_device(alea_gpu_td *td, const alea_gpu_td_task *task) {
  alea_status status = make_batches(td, task);
  if (status == ALEA_OK) status = alea_gpu_open(&td->gpu, task->device_number, td->mem, td->why);
  if (status == ALEA_OK) status = alea_gpu_enter(td->gpu, td->why);
  if (status != ALEA_OK) return status;
  status = prepare(td, task);
  if (status == ALEA_OK) status = alea_gpu_wait(td->gpu, td->why);
  alea_gpu_leave(td->gpu);
  return status;
}

alea_status alea_gpu_td_new(alea_gpu_td **trainer, const alea_gpu_td_task *task, alea_mem *mem,
                            char *why) {
  const alea_net *net = task->lanes->net;
  *trainer = NULL;
  snprintf(why, ALEA_GPU_WHY, "there is not enough memory");
  if (net->role_count != ROLES || task->games < 32 || (task->games & (task->games - 1)) != 0 ||
      task->batch < 32 || (task->batch & (task->batch - 1)) != 0 || task->units % 4 != 0 ||
      task->map_count == 0) {
    snprintf(why, ALEA_GPU_WHY, "such a network, or game, is not learnt there");
    return ALEA_UNSUPPORTED;
  }
  alea_gpu_td *td = alea_mem_zalloc(mem, sizeof *td);
  if (td == NULL) return alea_mem_lack(mem);
  td->mem = mem;
  td->net = net;
  td->units = task->units;
  td->views = task->exchange != NULL ? 2 : 1;
  td->seed = task->seed;
  td->a.games = task->games;
  td->a.words = task->games / 32;
  td->a.many = task->batch / 32 < STEPS * td->a.words ? task->batch / 32 : STEPS * td->a.words;
  td->a.role = task->role;
  td->a.shares = task->shares;
  td->a.steps = STEPS;
  td->a.maps = task->map_count;
  alea_status status = open_device(td, task);
  if (status == ALEA_OK) {
    *trainer = td;
  } else {
    memcpy(why, td->why, sizeof td->why);
    alea_gpu_td_free(td);
  }
  return status;
}

void alea_gpu_td_free(alea_gpu_td *td) {
  if (td == NULL) return;
  char why[ALEA_GPU_WHY];
  if (td->gpu != NULL) {
    bool entered = alea_gpu_enter(td->gpu, why) == ALEA_OK;
    drop_all(td);
    if (entered) alea_gpu_leave(td->gpu);
  }
  alea_gpu_close(td->gpu);
  alea_gpu_stepper_free(td->games);
  alea_gpu_stepper_free(td->next);
  alea_mem_free(td->mem, td, sizeof *td);
}
