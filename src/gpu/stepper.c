/* Stepping states on a device. */
#include "gpu/stepper.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/hash.h"
#include "game/playout.h"
#include "gpu/module.h"
#include "gpu/source.h"
#include "gpu/step.h"
#include "gpu/step_percepts.h"

enum {
  ARRAYS = ALEA_BATCH_ARRAY_REFUSED + 1,
  PLAYING = 0, /* in 'counts' */
  REFUSED = 1,
  MOVED = 2,
  COUNTS = 3,
};
/* Slots take no more than this; where there are more words, they take turns. */
static const size_t most_slot_bytes = (size_t)1 << 30;

struct alea_gpu_stepper {
  alea_mem *mem;
  const alea_lanes *lanes;
  const alea_net *net;
  size_t count;
  uint64_t seed;
  uint64_t steps, playout_steps; /* that were made, and for playouts */
  uint32_t step_cap;
  bool auto_reset, initial_terminal, lost;
  alea_gpu *gpu;
  alea_gpu_module *module;
  alea_step_tables tables; /* empty where the module is the game's own code */
  bool waits;              /* that is being made: */
  uint64_t order;          /* ask for it by this */
  alea_text own;           /* its source */
  char cache[4096];        /* "" is none */
  alea_step_arguments a;
  alea_gpu_place state; /* positions, legal moves, ends and flags, one after the other */
  size_t state_bytes;
  alea_gpu_place arrays[ARRAYS]; /* flags among them lie in 'state' */
  bool fresh[ARRAYS];            /* filled after the last step */
  alea_gpu_place actions;        /* room for those that come from this machine */
  alea_gpu_place saved, goals;   /* for playouts: the state, and what they reach */
  alea_step_percepts *percepts;  /* NULL: not wanted */
  size_t playing;
  char why[ALEA_GPU_WHY];
};

static const char *const names[] = {
#define NAME(name, threads) "alea_" #name,
    ALEA_STEP_FUNCTIONS(NAME)
#undef NAME
};
static const uint32_t threads_of[] = {
#define THREADS(name, threads) threads,
    ALEA_STEP_FUNCTIONS(THREADS)
#undef THREADS
};

/* ---- sizes ---- */

static size_t words_of(size_t columns) { return (columns + 63) / 64; }

/* Elements of a row, and bytes of an element. */
static size_t row_length(const alea_gpu_stepper *s, alea_batch_array array) {
  switch (array) {
    case ALEA_BATCH_ARRAY_REWARDS: return s->net->role_count;
    case ALEA_BATCH_ARRAY_LEGAL: return s->net->move_count;
    case ALEA_BATCH_ARRAY_LEGAL_BITS: return words_of(s->net->move_count);
    case ALEA_BATCH_ARRAY_FLUENTS:
    case ALEA_BATCH_ARRAY_FLUENT_FLOATS: return s->net->fluent_count;
    case ALEA_BATCH_ARRAY_FLUENT_BITS: return words_of(s->net->fluent_count);
    default: return 1;
  }
}

static size_t element_size(alea_batch_array array) {
  if (array == ALEA_BATCH_ARRAY_LEGAL_BITS || array == ALEA_BATCH_ARRAY_FLUENT_BITS)
    return sizeof(uint64_t);
  bool floats = array == ALEA_BATCH_ARRAY_REWARDS || array == ALEA_BATCH_ARRAY_FLUENT_FLOATS;
  return floats ? sizeof(float) : 1;
}

static size_t array_bytes(const alea_gpu_stepper *s, alea_batch_array array) {
  return s->count * row_length(s, array) * element_size(array);
}

/* ---- calls ---- */

/* Between these two the device may be used. */
static alea_status enter(alea_gpu_stepper *s) {
  if (s->lost) return ALEA_SYSTEM;
  s->why[0] = '\0';
  alea_status status = alea_gpu_enter(s->gpu, s->why);
  if (status != ALEA_OK) return status;
  status = alea_gpu_wait(s->gpu, s->why);
  if (status != ALEA_OK) alea_gpu_leave(s->gpu);
  s->lost = status == ALEA_SYSTEM;
  return status;
}

static alea_status leave(alea_gpu_stepper *s, alea_status status) {
  if (status == ALEA_OK) status = alea_gpu_wait(s->gpu, s->why);
  alea_gpu_leave(s->gpu);
  s->lost = s->lost || status == ALEA_SYSTEM;
  return status;
}

static alea_status start(alea_gpu_stepper *s, uint32_t function, uint64_t threads) {
  uint64_t blocks = (threads + threads_of[function] - 1) / threads_of[function];
  if (blocks > INT32_MAX) {
    snprintf(s->why, sizeof s->why, "the batch is too large for one launch");
    return ALEA_LIMIT;
  }
  return alea_gpu_module_start(s->module, function, (uint32_t)blocks, threads_of[function], &s->a,
                               s->why);
}

/* ---- steps ---- */

/* Moves the states, or with 'judge' finds their ends and legal moves. */
static alea_status advance(alea_gpu_stepper *s, bool judge) {
  alea_status status = alea_gpu_zero(s->gpu, s->a.counts, COUNTS * sizeof(uint64_t), s->why);
  s->a.judge = judge;
  for (uint32_t base = 0; status == ALEA_OK && base < s->a.stride; base += s->a.chunk) {
    uint32_t left = s->a.stride - base;
    s->a.base = base;
    status = start(s, ALEA_STEP_advance, left < s->a.chunk ? left : s->a.chunk);
  }
  return status;
}

static alea_status read_counts(alea_gpu_stepper *s, uint64_t *counts) {
  alea_status status = alea_gpu_fetch(s->gpu, counts, s->a.counts, COUNTS * sizeof *counts, s->why);
  if (status == ALEA_OK) s->playing = (size_t)counts[PLAYING];
  return status;
}

/* Flags and rewards are filled by what moves the states. */
static void forget_arrays(alea_gpu_stepper *s) {
  for (int i = 0; i < ARRAYS; i++) s->fresh[i] = false;
  s->fresh[ALEA_BATCH_ARRAY_FLAGS] = s->fresh[ALEA_BATCH_ARRAY_REWARDS] = true;
  s->fresh[ALEA_BATCH_ARRAY_TERMINATED] = s->fresh[ALEA_BATCH_ARRAY_REFUSED] = true;
}

static alea_status judge_all(alea_gpu_stepper *s) {
  uint64_t counts[COUNTS];
  size_t rewards = array_bytes(s, ALEA_BATCH_ARRAY_REWARDS);
  alea_status status = alea_gpu_zero(s->gpu, s->arrays[ALEA_BATCH_ARRAY_REWARDS], rewards, s->why);
  if (status == ALEA_OK) status = advance(s, true);
  if (status == ALEA_OK) status = read_counts(s, counts);
  forget_arrays(s);
  return status;
}

/* What the chosen moves tell, before they are made. */
static alea_status note_percepts(alea_gpu_stepper *s) {
  const alea_step_copies *room = alea_step_percepts_room(s->percepts);
  size_t line = s->a.stride * sizeof(uint32_t);
  const struct {
    uint32_t *to;
    alea_gpu_place from;
    size_t lines;
  } copies[] = {{room->planes, s->a.planes, s->net->fluent_count},
                {room->chosen, s->a.chosen, s->net->move_count},
                {room->terminal, s->a.terminal, 1},
                {room->refused, s->a.refused, 1}};
  alea_status status = ALEA_OK;
  for (size_t i = 0; status == ALEA_OK && i < sizeof copies / sizeof *copies; i++)
    status = alea_gpu_fetch(s->gpu, copies[i].to, copies[i].from, copies[i].lines * line, s->why);
  if (status == ALEA_OK) alea_step_percepts_note(s->percepts);
  return status;
}

/* One step; 'actions' lie on the device, 'seed' is that of its random moves. */
static alea_status step_all(alea_gpu_stepper *s, alea_gpu_place actions, uint64_t seed, bool told,
                            uint64_t *counts) {
  size_t chosen = (size_t)s->net->move_count * s->a.stride * sizeof(uint32_t);
  s->a.actions = actions;
  s->a.seed = seed;
  alea_status status = alea_gpu_zero(s->gpu, s->a.chosen, chosen, s->why);
  if (status == ALEA_OK) status = start(s, ALEA_STEP_choose, s->a.stride);
  if (status == ALEA_OK && told && s->percepts != NULL) status = note_percepts(s);
  if (status == ALEA_OK) status = advance(s, false);
  if (status == ALEA_OK) status = read_counts(s, counts);
  return status;
}

static void take_own_code(alea_gpu_stepper *s) {
  alea_gpu_order state = s->waits ? alea_gpu_ask_order(s->order) : ALEA_GPU_AT_WORK;
  if (state == ALEA_GPU_AT_WORK) return;
  alea_gpu_module *own = NULL;
  char why[ALEA_GPU_WHY];
  s->waits = false;
  if (state == ALEA_GPU_IN_FILE &&
      alea_gpu_module_new(&own, s->gpu, alea_text_string(&s->own), names, ALEA_STEP_FUNCTION_COUNT,
                          s->cache, why) == ALEA_OK) {
    alea_gpu_module_free(s->module);
    s->module = own;
    alea_step_tables_clear(&s->tables, s->mem);
    alea_gpu_drop(s->gpu, &s->a.slots);
    alea_gpu_drop(s->gpu, &s->a.tables);
    s->a.chunk = s->a.stride;
  }
  alea_text_clear(&s->own);
}

static alea_status step(alea_gpu_stepper *s, alea_gpu_place actions) {
  uint64_t counts[COUNTS] = {0};
  size_t rewards = array_bytes(s, ALEA_BATCH_ARRAY_REWARDS);
  take_own_code(s);
  alea_status status = alea_gpu_zero(s->gpu, s->arrays[ALEA_BATCH_ARRAY_REWARDS], rewards, s->why);
  if (status == ALEA_OK)
    status = step_all(s, actions, alea_hash_join(s->seed, s->steps++), true, counts);
  forget_arrays(s);
  return status == ALEA_OK && counts[REFUSED] > 0 ? ALEA_INPUT : status;
}

alea_status alea_gpu_stepper_step(alea_gpu_stepper *s, const int32_t *actions) {
  alea_status status = enter(s);
  if (status != ALEA_OK) return status;
  return leave(s, step(s, (alea_gpu_place)(uintptr_t)actions));
}

alea_status alea_gpu_stepper_step_from(alea_gpu_stepper *s, const int32_t *actions) {
  size_t bytes = s->count * s->net->role_count * sizeof *actions;
  alea_status status = enter(s);
  if (status != ALEA_OK) return status;
  if (actions != NULL && s->actions == 0)
    status = alea_gpu_hold(s->gpu, &s->actions, bytes, s->why);
  if (status == ALEA_OK && actions != NULL)
    status = alea_gpu_bring(s->gpu, s->actions, actions, bytes, s->why);
  if (status == ALEA_OK) status = step(s, actions != NULL ? s->actions : 0);
  return leave(s, status);
}

/* ---- arrays ---- */

static alea_status fill(alea_gpu_stepper *s, alea_batch_array array);

/* Bytes or floats, from the bits. */
static alea_status fill_elements(alea_gpu_stepper *s, alea_batch_array array,
                                 alea_batch_array bits) {
  uint64_t elements = (uint64_t)s->count * row_length(s, array);
  alea_status status = fill(s, bits);
  s->a.columns = (uint32_t)row_length(s, array);
  s->a.width = (uint32_t)words_of(s->a.columns);
  s->a.bits = s->arrays[bits];
  s->a.bytes = s->a.floats = s->arrays[array];
  if (status != ALEA_OK) return status;
  return array == ALEA_BATCH_ARRAY_FLUENT_FLOATS ? start(s, ALEA_STEP_floats, elements)
                                                 : start(s, ALEA_STEP_bytes, (elements + 3) / 4);
}

static alea_status fill_bits(alea_gpu_stepper *s, alea_batch_array array) {
  bool legal = array == ALEA_BATCH_ARRAY_LEGAL_BITS;
  s->a.from = legal ? s->a.legal : s->a.planes;
  s->a.columns = legal ? s->net->move_count : s->net->fluent_count;
  s->a.width = (uint32_t)words_of(s->a.columns);
  s->a.bits = s->arrays[array];
  return start(s, ALEA_STEP_rows, (uint64_t)s->a.stride * s->a.width);
}

/* The array as it is after the last step. */
static alea_status fill(alea_gpu_stepper *s, alea_batch_array array) {
  alea_status status = ALEA_OK;
  if (s->fresh[array] || array_bytes(s, array) == 0) return ALEA_OK;
  if (s->arrays[array] == 0) /* elements are written four at a time */
    status = alea_gpu_hold(s->gpu, &s->arrays[array], array_bytes(s, array) + 4, s->why);
  if (status != ALEA_OK) return status;
  if (array == ALEA_BATCH_ARRAY_LEGAL_BITS || array == ALEA_BATCH_ARRAY_FLUENT_BITS)
    status = fill_bits(s, array);
  else
    status = fill_elements(s, array,
                           array == ALEA_BATCH_ARRAY_LEGAL ? ALEA_BATCH_ARRAY_LEGAL_BITS
                                                           : ALEA_BATCH_ARRAY_FLUENT_BITS);
  s->fresh[array] = status == ALEA_OK;
  return status;
}

alea_status alea_gpu_stepper_array(alea_gpu_stepper *s, alea_batch_array array, const void **at) {
  *at = NULL;
  alea_status status = s->lost ? ALEA_SYSTEM : ALEA_OK;
  if (status == ALEA_OK && !s->fresh[array]) {
    status = enter(s);
    if (status == ALEA_OK) status = leave(s, fill(s, array));
  }
  if (status == ALEA_OK) *at = (const void *)(uintptr_t)s->arrays[array];
  return status;
}

alea_status alea_gpu_stepper_fetch(alea_gpu_stepper *s, const alea_batch_arrays *out) {
  void *const to[ARRAYS] = {[ALEA_BATCH_ARRAY_FLAGS] = out->flags,
                            [ALEA_BATCH_ARRAY_REWARDS] = out->rewards,
                            [ALEA_BATCH_ARRAY_LEGAL] = out->legal,
                            [ALEA_BATCH_ARRAY_LEGAL_BITS] = out->legal_bits,
                            [ALEA_BATCH_ARRAY_FLUENTS] = out->fluents,
                            [ALEA_BATCH_ARRAY_FLUENT_FLOATS] = out->fluent_floats,
                            [ALEA_BATCH_ARRAY_FLUENT_BITS] = out->fluent_bits};
  alea_status status = enter(s);
  if (status != ALEA_OK) return status;
  for (int i = 0; status == ALEA_OK && i < ARRAYS; i++) {
    if (to[i] == NULL) continue;
    status = fill(s, (alea_batch_array)i);
    if (status == ALEA_OK)
      status =
          alea_gpu_fetch(s->gpu, to[i], s->arrays[i], array_bytes(s, (alea_batch_array)i), s->why);
  }
  return leave(s, status);
}

/* ---- without a step ---- */

alea_status alea_gpu_stepper_judge(alea_gpu_stepper *s) {
  alea_status status = enter(s);
  return status == ALEA_OK ? leave(s, judge_all(s)) : status;
}

static alea_status reset(alea_gpu_stepper *s, const uint8_t *which) {
  alea_gpu_place there = 0;
  alea_status status = ALEA_OK;
  if (which != NULL) status = alea_gpu_hold(s->gpu, &there, s->count, s->why);
  if (status == ALEA_OK && which != NULL)
    status = alea_gpu_bring(s->gpu, there, which, s->count, s->why);
  s->a.which = there;
  if (status == ALEA_OK) status = start(s, ALEA_STEP_restore, s->a.stride);
  if (status == ALEA_OK) status = judge_all(s);
  alea_gpu_drop(s->gpu, &there);
  return status;
}

alea_status alea_gpu_stepper_reset(alea_gpu_stepper *s, const uint8_t *which) {
  alea_status status = enter(s);
  return status == ALEA_OK ? leave(s, reset(s, which)) : status;
}

static alea_status load(alea_gpu_stepper *s, size_t first, size_t count, const uint64_t *words) {
  size_t width = words_of(s->net->fluent_count), bytes = count * width * sizeof *words;
  alea_gpu_place there;
  alea_status status = alea_gpu_hold(s->gpu, &there, bytes, s->why);
  if (status == ALEA_OK) status = alea_gpu_bring(s->gpu, there, words, bytes, s->why);
  s->a.bits = there;
  s->a.width = (uint32_t)width;
  s->a.start = first;
  s->a.many = count;
  if (status == ALEA_OK) status = start(s, ALEA_STEP_enter, (uint64_t)s->a.stride * width);
  if (status == ALEA_OK) status = judge_all(s);
  alea_gpu_drop(s->gpu, &there);
  return status;
}

alea_status alea_gpu_stepper_load(alea_gpu_stepper *s, size_t first, size_t count,
                                  const uint64_t *words) {
  size_t width = words_of(s->net->fluent_count), over = s->net->fluent_count % 64;
  if (first > s->count || count > s->count - first) return ALEA_USAGE;
  for (size_t i = 0; over != 0 && i < count; i++)
    if (words[(i + 1) * width - 1] >> over != 0) return ALEA_INPUT;
  if (count == 0 || width == 0) return ALEA_OK;
  alea_status status = enter(s);
  return status == ALEA_OK ? leave(s, load(s, first, count, words)) : status;
}

alea_status alea_gpu_stepper_percepts(const alea_gpu_stepper *s, const uint64_t **first,
                                      const uint32_t **percepts) {
  return s->percepts != NULL ? alea_step_percepts_told(s->percepts, first, percepts) : ALEA_USAGE;
}

size_t alea_gpu_stepper_playing(const alea_gpu_stepper *s) { return s->playing; }

/* ---- playouts ---- */

static alea_status play_to_end(alea_gpu_stepper *s, uint64_t *steps) {
  uint32_t cap = s->step_cap != 0 ? s->step_cap : ALEA_DEFAULT_STEP_CAP;
  uint64_t counts[COUNTS] = {[PLAYING] = s->playing, [MOVED] = 1};
  alea_status status = ALEA_OK;
  for (uint32_t k = 0; status == ALEA_OK && k < cap && counts[PLAYING] > 0 && counts[MOVED] > 0;
       k++) {
    uint64_t seed = alea_hash_join(~s->seed, s->playout_steps++); /* not what steps draw */
    status = step_all(s, 0, seed, false, counts);
    *steps += counts[MOVED];
  }
  return status;
}

/* The states are put aside, and goals written where rewards were. */
static alea_status playout(alea_gpu_stepper *s, float *goals, uint64_t *steps) {
  size_t elements = s->count * s->net->role_count, bytes = elements * sizeof *goals;
  size_t playing = s->playing;
  alea_status status = ALEA_OK;
  for (size_t i = 0; i < elements; i++) goals[i] = -1;
  if (s->saved == 0) status = alea_gpu_hold(s->gpu, &s->saved, s->state_bytes, s->why);
  if (status == ALEA_OK && s->goals == 0) status = alea_gpu_hold(s->gpu, &s->goals, bytes, s->why);
  if (status == ALEA_OK) status = alea_gpu_bring(s->gpu, s->goals, goals, bytes, s->why);
  if (status == ALEA_OK) status = alea_gpu_copy(s->gpu, s->saved, s->state, s->state_bytes, s->why);
  if (status != ALEA_OK) return status;
  s->a.rewards = s->goals;
  s->a.again = false;
  status = play_to_end(s, steps);
  s->a.rewards = s->arrays[ALEA_BATCH_ARRAY_REWARDS];
  s->a.again = s->auto_reset && !s->initial_terminal;
  s->playing = playing;
  alea_status back = alea_gpu_copy(s->gpu, s->state, s->saved, s->state_bytes, s->why);
  if (status == ALEA_OK) status = back;
  return status == ALEA_OK ? alea_gpu_fetch(s->gpu, goals, s->goals, bytes, s->why) : status;
}

alea_status alea_gpu_stepper_playout(alea_gpu_stepper *s, float *goals, uint64_t *steps) {
  uint64_t made = 0;
  alea_status status = enter(s);
  if (status == ALEA_OK) {
    take_own_code(s);
    status = leave(s, playout(s, goals, &made));
  }
  if (steps != NULL) *steps = made;
  return status;
}

/* ---- for code there ---- */

const alea_step_arguments *alea_gpu_stepper_places(const alea_gpu_stepper *s) { return &s->a; }

alea_status alea_gpu_stepper_advance(alea_gpu_stepper *s) {
  if (s->lost) return ALEA_SYSTEM;
  alea_status status = alea_gpu_enter(s->gpu, s->why);
  if (status != ALEA_OK) return status;
  take_own_code(s);
  status = advance(s, false);
  forget_arrays(s);
  alea_gpu_leave(s->gpu);
  s->lost = status == ALEA_SYSTEM;
  return status;
}

/* ---- the object ---- */

const char *alea_gpu_stepper_why(const alea_gpu_stepper *s) { return s->why; }

void alea_gpu_stepper_finish(alea_gpu_stepper *s) {
  char why[ALEA_GPU_WHY];
  while (s->waits) {
    if (alea_gpu_ask_order(s->order) == ALEA_GPU_AT_WORK) {
      nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    } else {
      if (alea_gpu_enter(s->gpu, why) != ALEA_OK) return;
      take_own_code(s);
      alea_gpu_leave(s->gpu);
    }
  }
}

static void drop_all(alea_gpu_stepper *s) {
  alea_gpu_place *const places[] = {&s->state,    &s->saved,     &s->goals,         &s->actions,
                                    &s->a.chosen, &s->a.initial, &s->a.first_legal, &s->a.slots,
                                    &s->a.tables, &s->a.counts};
  s->arrays[ALEA_BATCH_ARRAY_FLAGS] = s->arrays[ALEA_BATCH_ARRAY_TERMINATED] =
      s->arrays[ALEA_BATCH_ARRAY_REFUSED] = 0;
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) alea_gpu_drop(s->gpu, places[i]);
  for (int i = 0; i < ARRAYS; i++) alea_gpu_drop(s->gpu, &s->arrays[i]);
  alea_gpu_module_free(s->module);
}

void alea_gpu_stepper_free(alea_gpu_stepper *s) {
  if (s == NULL) return;
  char why[ALEA_GPU_WHY];
  if (s->gpu != NULL) {
    bool entered = alea_gpu_enter(s->gpu, why) == ALEA_OK;
    drop_all(s);
    if (entered) alea_gpu_leave(s->gpu);
  }
  alea_gpu_close(s->gpu);
  alea_step_tables_clear(&s->tables, s->mem);
  alea_step_percepts_free(s->percepts);
  alea_text_clear(&s->own);
  alea_mem_free(s->mem, s, sizeof *s);
}

/* ---- making ---- */

/* Takes 'bytes' of what is being laid out, from where a line of memory begins. */
static size_t take(size_t *total, size_t bytes) {
  size_t at = *total;
  *total += (bytes + 255) / 256 * 256;
  return at;
}

/* Where everything lies that a step changes. */
static alea_status lay_out(alea_gpu_stepper *s) {
  size_t word = sizeof(uint32_t), stride = s->a.stride, total = 0;
  size_t planes = take(&total, s->net->fluent_count * stride * word);
  size_t legal = take(&total, s->net->move_count * stride * word);
  size_t terminal = take(&total, stride * word), refused = take(&total, stride * word);
  size_t flags = take(&total, 32 * stride), terminated = take(&total, 32 * stride);
  size_t declined = take(&total, 32 * stride);
  alea_status status = alea_gpu_hold(s->gpu, &s->state, total, s->why);
  s->state_bytes = total;
  s->a.planes = s->state + planes;
  s->a.legal = s->state + legal;
  s->a.terminal = s->state + terminal;
  s->a.refused = s->state + refused;
  s->a.flags = s->arrays[ALEA_BATCH_ARRAY_FLAGS] = s->state + flags;
  s->a.terminated = s->arrays[ALEA_BATCH_ARRAY_TERMINATED] = s->state + terminated;
  s->a.declined = s->arrays[ALEA_BATCH_ARRAY_REFUSED] = s->state + declined;
  return status;
}

static alea_status bring_initial(alea_gpu_stepper *s) {
  size_t fluents = s->net->fluent_count, bytes = fluents * sizeof(uint32_t);
  uint32_t *initial = alea_mem_calloc(s->mem, fluents, sizeof *initial);
  if (initial == NULL) return alea_mem_lack(s->mem);
  for (size_t f = 0; f < fluents; f++) initial[f] = s->net->init[f] != 0 ? UINT32_MAX : 0;
  alea_status status = alea_gpu_hold(s->gpu, &s->a.initial, bytes, s->why);
  if (status == ALEA_OK) status = alea_gpu_bring(s->gpu, s->a.initial, initial, bytes, s->why);
  alea_mem_free(s->mem, initial, bytes);
  return status;
}

static alea_status hold_all(alea_gpu_stepper *s) {
  size_t moves = s->net->move_count * sizeof(uint32_t);
  alea_status status = lay_out(s);
  if (status == ALEA_OK) status = bring_initial(s);
  if (status == ALEA_OK) status = alea_gpu_hold(s->gpu, &s->a.chosen, moves * s->a.stride, s->why);
  if (status == ALEA_OK) status = alea_gpu_hold(s->gpu, &s->a.first_legal, moves, s->why);
  if (status == ALEA_OK)
    status = alea_gpu_hold(s->gpu, &s->a.counts, COUNTS * sizeof(uint64_t), s->why);
  if (status == ALEA_OK)
    status = alea_gpu_hold(s->gpu, &s->arrays[ALEA_BATCH_ARRAY_REWARDS],
                           array_bytes(s, ALEA_BATCH_ARRAY_REWARDS), s->why);
  s->a.rewards = s->arrays[ALEA_BATCH_ARRAY_REWARDS];
  return status;
}

/* The tables and the slots that they are performed on. */
static alea_status bring_tables(alea_gpu_stepper *s) {
  size_t words = s->tables.words.count * sizeof *s->tables.words.data;
  size_t slots = s->lanes->slot_count * sizeof(uint32_t), most = most_slot_bytes / slots;
  most = most / ALEA_STEP_BLOCK * ALEA_STEP_BLOCK;
  if (most == 0) most = ALEA_STEP_BLOCK;
  if (most < s->a.chunk) s->a.chunk = (uint32_t)most;
  alea_status status = alea_gpu_hold(s->gpu, &s->a.tables, words, s->why);
  if (status == ALEA_OK)
    status = alea_gpu_bring(s->gpu, s->a.tables, s->tables.words.data, words, s->why);
  if (status == ALEA_OK) status = alea_gpu_hold(s->gpu, &s->a.slots, slots * s->a.chunk, s->why);
  return status;
}

static alea_status perform_tables(alea_gpu_stepper *s) {
  alea_text source;
  alea_text_init(&source, s->mem);
  alea_status status = alea_step_tables_init(&s->tables, s->lanes, s->mem);
  if (status == ALEA_OK) alea_step_source(s->lanes, &s->tables, &source);
  if (status == ALEA_OK && source.failed) status = alea_mem_lack(s->mem);
  if (status == ALEA_OK)
    status = alea_gpu_module_new(&s->module, s->gpu, source.data, names, ALEA_STEP_FUNCTION_COUNT,
                                 s->cache[0] != '\0' ? s->cache : NULL, s->why);
  alea_text_clear(&source);
  return status == ALEA_OK ? bring_tables(s) : status;
}

/* The game's own code at once, or an order for it and tables until then. */
static alea_status make_code(alea_gpu_stepper *s, alea_gpu_form form) {
  const char *cache = s->cache[0] != '\0' ? s->cache : NULL;
  uint64_t statements = alea_step_statements(s->lanes);
  if (form == ALEA_GPU_FORM_TABLES ||
      (form == ALEA_GPU_FORM_AUTO && statements > ALEA_GPU_STEP_MOST))
    return perform_tables(s);
  alea_step_source(s->lanes, NULL, &s->own);
  if (s->own.failed) return alea_mem_lack(s->mem);
  s->waits = form == ALEA_GPU_FORM_AUTO && statements > ALEA_GPU_STEP_QUICK &&
             alea_gpu_order_code(s->gpu, s->own.data, cache, &s->order) == ALEA_GPU_AT_WORK;
  if (s->waits) return perform_tables(s);
  alea_status status = alea_gpu_module_new(&s->module, s->gpu, s->own.data, names,
                                           ALEA_STEP_FUNCTION_COUNT, cache, s->why);
  alea_text_clear(&s->own);
  return status;
}

/* What is the same in every state is found in state 0. */
static alea_status begin(alea_gpu_stepper *s) {
  uint32_t terminal = 0;
  alea_status status = hold_all(s);
  if (status == ALEA_OK) status = reset(s, NULL);
  if (status == ALEA_OK && s->count > 0) status = start(s, ALEA_STEP_first, s->net->move_count);
  if (status == ALEA_OK && s->count > 0)
    status = alea_gpu_fetch(s->gpu, &terminal, s->a.terminal, sizeof terminal, s->why);
  s->initial_terminal = (terminal & 1) != 0;
  s->a.again = s->auto_reset && !s->initial_terminal;
  return status;
}

static alea_status prepare(alea_gpu_stepper *s, const alea_batch_options *options,
                           alea_gpu_form form) {
  size_t words = (s->count + 31) / 32;
  words = (words + ALEA_STEP_BLOCK - 1) / ALEA_STEP_BLOCK * ALEA_STEP_BLOCK;
  snprintf(s->why, sizeof s->why, "the batch is too large");
  if (s->count > SIZE_MAX / 64 || words > UINT32_MAX / 64) return ALEA_LIMIT;
  s->a.count = s->count;
  s->a.stride = s->a.chunk = (uint32_t)words;
  snprintf(s->why, sizeof s->why, "there is not enough memory");
  alea_status status = ALEA_OK;
  if (options->percepts)
    status = alea_step_percepts_new(&s->percepts, s->lanes, s->count, words, s->mem);
  if (status == ALEA_OK) status = alea_gpu_open(&s->gpu, options->device_number, s->mem, s->why);
  if (status == ALEA_OK) status = alea_gpu_enter(s->gpu, s->why);
  if (status != ALEA_OK) return status;
  status = make_code(s, form);
  if (status == ALEA_OK) status = begin(s);
  return leave(s, status);
}

alea_status alea_gpu_stepper_new(alea_gpu_stepper **stepper, const alea_lanes *lanes, size_t count,
                                 const alea_batch_options *options, alea_gpu_form form,
                                 alea_mem *mem, char *why) {
  *stepper = NULL;
  snprintf(why, ALEA_GPU_WHY, "there is not enough memory");
  alea_gpu_stepper *s = alea_mem_zalloc(mem, sizeof *s);
  if (s == NULL) return alea_mem_lack(mem);
  s->mem = mem;
  s->lanes = lanes;
  s->net = lanes->net;
  s->count = count;
  s->seed = options->seed;
  s->step_cap = options->steps;
  s->auto_reset = options->auto_reset;
  alea_text_init(&s->own, mem);
  if (alea_gpu_find_cache(s->cache, sizeof s->cache) == NULL) s->cache[0] = '\0';
  alea_status status = prepare(s, options, form);
  if (status == ALEA_OK) {
    *stepper = s;
  } else {
    memcpy(why, s->why, sizeof s->why);
    alea_gpu_stepper_free(s);
  }
  return status;
}
