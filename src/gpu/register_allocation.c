/* Register allocation for one iteration of straight-line code: Belady's rule. */
#include "gpu/register_allocation.h"

#include <stdlib.h>
#include <string.h>

#define NEVER UINT32_MAX
#define NONE UINT32_MAX

/* The statements from spilling a value to its last reload.  A loop-carried value has its place in
 * all of them. */
typedef struct spill_range {
  uint32_t from, to;
  uint32_t accesses;
  bool always;
  uint32_t place;
} spill_range;

typedef struct gpu_allocator {
  alea_gpu_allocation *r;
  alea_gpu_limits limits;
  alea_mem *mem;
  uint32_t *use;        /* per event: the statement of the next reading into a register, counted on
                         * through the next iteration; NEVER: none before it is written anew */
  uint8_t *live;        /* per event: there is a reading of any kind */
  uint8_t *carried;     /* per slot: loop-carried, it comes from the iteration before */
  uint32_t *next;       /* per slot in a register: as 'use' */
  uint32_t *at;         /* per slot: its place in 'resident', NONE: it is in no register */
  uint8_t *needed;      /* per slot: as 'live' */
  uint8_t *stored;      /* per slot: its place has its value */
  uint32_t *range_of;   /* per slot: NONE until it is spilled */
  uint32_t *spilled_at; /* per slot: the statement at which it was spilled last */
  uint32_t *written_in; /* per slot: the condition in which it was written last */
  uint32_t *busy;       /* per slot: the statement that has it at hand */
  alea_u32s resident;   /* slots in registers */
  ALEA_VEC(spill_range) ranges;
  uint32_t *pressure; /* per statement: values in registers */
  uint32_t condition; /* conditions so far */
  uint32_t barrier;   /* no reload comes before this statement */
  bool records;       /* moves are: the second iteration */
  bool lacks_memory;
} gpu_allocator;

/* ---- noting ---- */

void alea_gpu_allocation_init(alea_gpu_allocation *r, uint32_t slot_count, alea_mem *mem) {
  *r = (alea_gpu_allocation){.mem = mem, .slot_count = slot_count};
  r->place = alea_mem_calloc(mem, slot_count, sizeof *r->place);
  r->lacks_memory = r->place == NULL;
  for (uint32_t s = 0; !r->lacks_memory && s < slot_count; s++) r->place[s] = ALEA_GPU_NO_PLACE;
}

void alea_gpu_allocation_clear(alea_gpu_allocation *r) {
  alea_vec_clear(r->mem, &r->events);
  alea_vec_clear(r->mem, &r->crowded);
  alea_vec_clear(r->mem, &r->moves);
  alea_vec_clear(r->mem, &r->dead);
  alea_mem_free(r->mem, r->place, r->slot_count * sizeof *r->place);
  r->place = NULL;
}

static void push_event(alea_gpu_allocation *r, uint32_t slot, alea_gpu_access access) {
  alea_gpu_event event = {.statement = r->statement, .slot = slot, .access = access};
  if (!alea_vec_push(r->mem, &r->events, event)) r->lacks_memory = true;
}

static void end_statement(alea_gpu_allocation *r) {
  if (r->pending == 0) return;
  push_event(r, r->pending, r->in_condition ? ALEA_GPU_CONDITIONAL_WRITE : ALEA_GPU_WRITE);
  r->pending = 0;
}

void alea_gpu_allocation_begin(alea_gpu_allocation *r) {
  end_statement(r);
  r->statement++;
}

void alea_gpu_allocation_note(alea_gpu_allocation *r, uint32_t slot, alea_gpu_access access) {
  if (access == ALEA_GPU_WRITE)
    r->pending = slot;
  else
    push_event(r, slot,
               access == ALEA_GPU_READ && r->in_condition ? ALEA_GPU_CONDITIONAL_READ : access);
}

void alea_gpu_allocation_crowd(alea_gpu_allocation *r, bool crowded) {
  if ((r->crowded.count % 2 == 1) == crowded) return;
  if (!alea_vec_push(r->mem, &r->crowded, r->statement + 1)) r->lacks_memory = true;
}

/* ---- what comes ---- */

/* Two iterations backwards: then the first one knows what comes after it. */
static void look_ahead(gpu_allocator *a) {
  const alea_gpu_allocation *r = a->r;
  for (uint32_t s = 0; s < r->slot_count; s++) a->next[s] = NEVER;
  for (uint32_t iteration = 2; iteration-- > 0;)
    for (size_t e = r->events.count; e-- > 0;) {
      const alea_gpu_event *event = &r->events.data[e];
      uint32_t s = event->slot;
      a->use[e] = a->next[s];
      a->live[e] = a->needed[s];
      if (event->access == ALEA_GPU_READ)
        a->next[s] = event->statement + iteration * (r->statement + 1);
      if (event->access == ALEA_GPU_READ || event->access == ALEA_GPU_CONDITIONAL_READ)
        a->needed[s] = 1;
      if (event->access == ALEA_GPU_WRITE || event->access == ALEA_GPU_CONDITIONAL_WRITE) {
        a->next[s] = NEVER;
        a->needed[s] = 0;
      }
    }
  memcpy(a->carried, a->needed, r->slot_count);
}

/* ---- moving ---- */

static spill_range *range_of(gpu_allocator *a, uint32_t slot, uint32_t statement) {
  if (a->range_of[slot] == NONE) {
    spill_range fresh = {.from = statement, .to = statement, .always = a->carried[slot] != 0};
    if (!alea_vec_push(a->mem, &a->ranges, fresh)) {
      a->lacks_memory = true;
      return NULL;
    }
    a->range_of[slot] = (uint32_t)a->ranges.count - 1;
  }
  return &a->ranges.data[a->range_of[slot]];
}

/* The place of a move is the number of its range until all places are known. */
static void move(gpu_allocator *a, uint32_t slot, uint32_t statement, alea_gpu_move_kind kind) {
  spill_range *s = range_of(a, slot, statement);
  if (s == NULL || !a->records) return;
  alea_gpu_move m = {
      .statement = statement, .slot = slot, .kind = kind, .place = a->range_of[slot]};
  s->accesses += kind != ALEA_GPU_DROP;
  if (!alea_vec_push(a->mem, &a->r->moves, m)) a->lacks_memory = true;
}

static void free_register(gpu_allocator *a, uint32_t slot) {
  uint32_t at = a->at[slot], last = a->resident.data[--a->resident.count];
  a->resident.data[at] = last;
  a->at[last] = at;
  a->at[slot] = NONE;
}

/* Frees the register of the value whose next use is furthest, if there is one that the statement
 * does not use. */
static bool spill(gpu_allocator *a, uint32_t statement) {
  uint32_t best = NONE;
  for (size_t i = 0; i < a->resident.count; i++) {
    uint32_t slot = a->resident.data[i];
    if (a->busy[slot] == statement) continue;
    if (best == NONE || a->next[slot] > a->next[best]) best = slot;
  }
  if (best == NONE) return false;
  if (a->needed[best]) {
    move(a, best, statement, a->stored[best] ? ALEA_GPU_DROP : ALEA_GPU_SPILL);
    a->stored[best] = 1;
    a->spilled_at[best] = statement;
  }
  free_register(a, best);
  return true;
}

static void take_register(gpu_allocator *a, uint32_t slot, uint32_t statement, uint32_t limit) {
  if (a->at[slot] != NONE) return;
  while (a->resident.count >= limit && spill(a, statement)) {
  }
  a->at[slot] = (uint32_t)a->resident.count;
  a->resident.data[a->resident.count++] = slot; /* there is room for all */
}

/* How long before the statement it is reloaded depends on its place (reload_ahead). */
static void reload(gpu_allocator *a, uint32_t slot, uint32_t statement) {
  uint32_t earliest = a->spilled_at[slot] < statement ? a->spilled_at[slot] + 1 : 1;
  move(a, slot, statement, ALEA_GPU_RELOAD);
  if (a->range_of[slot] == NONE) return;
  spill_range *s = &a->ranges.data[a->range_of[slot]];
  if (s->to < statement) s->to = statement;
  if (earliest < a->barrier) earliest = a->barrier;
  if (a->spilled_at[slot] == statement) earliest = statement;
  if (a->records && a->r->moves.count > 0)
    a->r->moves.data[a->r->moves.count - 1].earliest = earliest;
}

/* ---- a statement ---- */

static void read_value(gpu_allocator *a, size_t e, uint32_t limit) {
  const alea_gpu_event *event = &a->r->events.data[e];
  uint32_t slot = event->slot;
  if (a->at[slot] == NONE) {
    take_register(a, slot, event->statement, limit);
    reload(a, slot, event->statement);
    a->stored[slot] = 1;
  }
  a->next[slot] = a->use[e];
  a->needed[slot] = a->live[e];
}

static void read_conditionally(gpu_allocator *a, size_t e) {
  const alea_gpu_event *event = &a->r->events.data[e];
  uint32_t slot = event->slot;
  a->barrier = event->statement + 1;
  a->needed[slot] = a->live[e];
  if (a->at[slot] != NONE || a->written_in[slot] == a->condition) return;
  spill_range *s = range_of(a, slot, event->statement);
  if (s == NULL) return;
  s->accesses += a->records;
  if (s->to < event->statement) s->to = event->statement;
}

static void write_value(gpu_allocator *a, size_t e, uint32_t limit) {
  const alea_gpu_event *event = &a->r->events.data[e];
  uint32_t slot = event->slot;
  if (!a->carried[slot]) a->range_of[slot] = NONE; /* another value */
  a->stored[slot] = 0;
  a->next[slot] = a->use[e];
  a->needed[slot] = a->live[e];
  a->busy[slot] = event->statement;
  take_register(a, slot, event->statement, limit);
}

/* Values of events first .. end-1 that are not read any more need no register. */
static void free_dead(gpu_allocator *a, size_t first, size_t end) {
  for (size_t e = first; e < end; e++) {
    uint32_t slot = a->r->events.data[e].slot;
    if (a->at[slot] != NONE && !a->needed[slot]) free_register(a, slot);
  }
}

/* New games begin in some lanes, slots 1 .. last: what is in registers may differ from its place,
 * and a value that is not live has none. */
static void restart(gpu_allocator *a, uint32_t statement, uint32_t last) {
  a->barrier = statement + 1;
  for (size_t i = 0; i < a->resident.count; i++) a->stored[a->resident.data[i]] = 0;
  for (uint32_t s = 1; a->records && s <= last; s++)
    if (!a->needed[s] && !alea_vec_push(a->mem, &a->r->dead, (uint64_t)statement << 32 | s))
      a->lacks_memory = true;
}

/* The events first .. end-1 of a statement. */
static void perform(gpu_allocator *a, size_t first, size_t end, uint32_t limit) {
  const alea_gpu_event *events = a->r->events.data;
  for (size_t e = first; e < end; e++)
    if (events[e].access == ALEA_GPU_READ) a->busy[events[e].slot] = events[e].statement;
  for (size_t e = first; e < end; e++) {
    switch (events[e].access) {
      case ALEA_GPU_READ: read_value(a, e, limit); break;
      case ALEA_GPU_WRITE:
        free_dead(a, first, e);
        write_value(a, e, limit);
        break;
      case ALEA_GPU_CONDITIONAL_READ: read_conditionally(a, e); break;
      case ALEA_GPU_CONDITIONAL_WRITE: a->written_in[events[e].slot] = a->condition; break;
      case ALEA_GPU_RESTART: restart(a, events[e].statement, events[e].slot); break;
    }
  }
  free_dead(a, first, end);
}

/* ---- an iteration ---- */

static void run(gpu_allocator *a) {
  const alea_gpu_allocation *r = a->r;
  size_t edge = 0;
  bool was_conditional = false;
  a->barrier = 0;
  for (size_t first = 0, end; first < r->events.count; first = end) {
    uint32_t statement = r->events.data[first].statement;
    alea_gpu_access access = r->events.data[first].access;
    for (end = first; end < r->events.count && r->events.data[end].statement == statement;) end++;
    bool conditional = access == ALEA_GPU_CONDITIONAL_READ || access == ALEA_GPU_CONDITIONAL_WRITE;
    if (conditional && !was_conditional) a->condition++;
    was_conditional = conditional;
    while (edge < r->crowded.count && r->crowded.data[edge] <= statement) edge++;
    uint32_t limit = edge % 2 == 1 ? a->limits.crowded : a->limits.registers;
    while (!conditional && a->resident.count > limit && spill(a, statement)) {
    }
    perform(a, first, end, limit);
    a->pressure[statement] = (uint32_t)a->resident.count + a->limits.registers - limit;
  }
}

/* Ends the iteration as it began: 'began' says per slot whether it was in a register. */
static void close_iteration(gpu_allocator *a, const uint8_t *began) {
  uint32_t last = a->r->statement + 1;
  for (uint32_t s = 0; s < a->r->slot_count; s++) {
    bool resident = a->at[s] != NONE;
    if (resident && !began[s] && a->needed[s])
      move(a, s, last, a->stored[s] ? ALEA_GPU_DROP : ALEA_GPU_SPILL);
  }
  for (uint32_t s = 0; s < a->r->slot_count; s++)
    if (began[s] && a->at[s] == NONE) move(a, s, last, ALEA_GPU_RELOAD);
}

/* The first iteration finds out what is in registers at its end, the second begins so. */
static bool run_iterations(gpu_allocator *a, uint8_t *began) {
  run(a);
  for (uint32_t s = 0; s < a->r->slot_count; s++) {
    began[s] = a->at[s] != NONE;
    a->stored[s] = 0;
    a->range_of[s] = NONE;
    a->spilled_at[s] = NEVER;
    a->busy[s] = 0;
    if (a->carried[s] && !began[s]) a->stored[s] = 1;
    if (began[s] && a->next[s] != NEVER) a->next[s] -= a->r->statement + 1;
  }
  a->ranges.count = 0;
  for (uint32_t s = 0; s < a->r->slot_count; s++) {
    if (!a->carried[s]) continue;
    (void)range_of(a, s, 1);
    if (!began[s]) a->r->place[s] = a->range_of[s];
  }
  a->records = true;
  run(a);
  close_iteration(a, began);
  return !a->lacks_memory;
}

/* ---- places ---- */

static uint32_t length_of(const spill_range *s, uint32_t whole) {
  return s->always ? whole : s->to - s->from + 1;
}

typedef struct ranked {
  double worth; /* accesses in a statement */
  uint32_t range;
} ranked;

static int compare_ranked(const void *x, const void *y) {
  const ranked *a = x, *b = y;
  if (a->worth != b->worth) return a->worth > b->worth ? -1 : 1;
  return (a->range > b->range) - (a->range < b->range);
}

/* Columns of statements: bit i says that the place is taken before statement i. */
typedef struct columns {
  uint64_t *bits;
  uint32_t count, room, words;
} columns;

static bool is_free(const columns *c, uint32_t column, uint32_t from, uint32_t to) {
  const uint64_t *bits = c->bits + (size_t)column * c->words;
  for (uint32_t w = from / 64; w <= to / 64; w++) {
    uint64_t mask = UINT64_MAX;
    if (w == from / 64) mask &= UINT64_MAX << (from % 64);
    if (w == to / 64) mask &= UINT64_MAX >> (63 - to % 64);
    if ((bits[w] & mask) != 0) return false;
  }
  return true;
}

static void take(columns *c, uint32_t column, uint32_t from, uint32_t to) {
  uint64_t *bits = c->bits + (size_t)column * c->words;
  for (uint32_t i = from; i <= to; i++) bits[i / 64] |= UINT64_C(1) << (i % 64);
}

/* The first column that is free. */
static uint32_t find_column(columns *c, const spill_range *s, uint32_t whole) {
  uint32_t from = s->always ? 0 : s->from, to = s->always ? whole : s->to;
  uint32_t column = 0;
  while (column < c->count && !is_free(c, column, from, to)) column++;
  if (column == c->room) return NONE;
  if (column == c->count) c->count++;
  take(c, column, from, to);
  return column;
}

static bool make_columns(gpu_allocator *a, columns *c, uint32_t room) {
  *c = (columns){.room = room, .words = (a->r->statement + 2) / 64 + 1};
  c->bits = alea_mem_calloc(a->mem, (size_t)room * c->words, sizeof *c->bits);
  return c->bits != NULL;
}

static void clear_columns(gpu_allocator *a, columns *c) {
  alea_mem_free(a->mem, c->bits, (size_t)c->room * c->words * sizeof *c->bits);
}

/* Near what is read most in the shortest time, as far as there is room. */
static bool place_ranges(gpu_allocator *a) {
  uint32_t whole = a->r->statement + 1;
  size_t count = a->ranges.count;
  ranked *order = alea_mem_calloc(a->mem, count, sizeof *order);
  columns near, far;
  bool ok = order != NULL;
  ok = make_columns(a, &near, a->limits.near) && ok;
  ok = make_columns(a, &far, a->r->slot_count) && ok;
  for (uint32_t i = 0; ok && i < count; i++) {
    const spill_range *s = &a->ranges.data[i];
    order[i] = (ranked){.worth = (double)s->accesses / length_of(s, whole), .range = i};
  }
  if (ok) qsort(order, count, sizeof *order, compare_ranked);
  for (size_t i = 0; ok && i < count; i++) {
    spill_range *s = &a->ranges.data[order[i].range];
    if (s->accesses == 0) continue;
    uint32_t column = find_column(&near, s, whole);
    s->place = column;
    if (column == NONE) s->place = a->limits.near + find_column(&far, s, whole);
  }
  a->r->near_count = near.count;
  a->r->far_count = far.count;
  clear_columns(a, &near);
  clear_columns(a, &far);
  alea_mem_free(a->mem, order, count * sizeof *order);
  return ok;
}

/* From the numbers of ranges to places. */
static uint32_t place_of(const gpu_allocator *a, uint32_t number) {
  uint32_t place = a->ranges.data[number].place;
  return place < a->limits.near ? place : place - a->limits.near + a->r->near_count;
}

static int compare_moves(const void *x, const void *y) {
  const alea_gpu_move *a = x, *b = y;
  if (a->statement != b->statement) return a->statement < b->statement ? -1 : 1;
  if ((a->kind == ALEA_GPU_RELOAD) != (b->kind == ALEA_GPU_RELOAD))
    return a->kind == ALEA_GPU_RELOAD ? 1 : -1;
  return (a->slot > b->slot) - (a->slot < b->slot);
}

/* Loads as early as there are registers for it. */
static void reload_ahead(const gpu_allocator *a, alea_gpu_move *m) {
  uint32_t ahead = m->place < a->r->near_count ? a->limits.ahead : a->limits.far_ahead;
  for (; ahead > 0 && m->statement > m->earliest; ahead--) {
    uint32_t *resident = &a->pressure[m->statement - 1];
    if (*resident >= a->limits.pressure) break;
    m->statement--;
    ++*resident;
  }
}

static bool finish(gpu_allocator *a) {
  alea_gpu_allocation *r = a->r;
  if (!place_ranges(a)) return false;
  for (size_t i = 0; i < r->moves.count; i++) {
    alea_gpu_move *m = &r->moves.data[i];
    m->place = place_of(a, m->place);
    if (m->kind != ALEA_GPU_RELOAD || m->earliest == 0) continue;
    reload_ahead(a, m);
  }
  for (uint32_t s = 0; s < r->slot_count; s++)
    if (r->place[s] != ALEA_GPU_NO_PLACE) r->place[s] = place_of(a, r->place[s]);
  qsort(r->moves.data, r->moves.count, sizeof *r->moves.data, compare_moves);
  return true;
}

/* ---- the whole ---- */

static bool make_arrays(gpu_allocator *a) {
  size_t events = a->r->events.count, slots = a->r->slot_count;
  a->use = alea_mem_calloc(a->mem, events, sizeof *a->use);
  a->live = alea_mem_calloc(a->mem, events, 1);
  a->carried = alea_mem_calloc(a->mem, slots, 1);
  a->next = alea_mem_calloc(a->mem, slots, sizeof *a->next);
  a->at = alea_mem_calloc(a->mem, slots, sizeof *a->at);
  a->needed = alea_mem_calloc(a->mem, slots, 1);
  a->stored = alea_mem_calloc(a->mem, slots, 1);
  a->range_of = alea_mem_calloc(a->mem, slots, sizeof *a->range_of);
  a->spilled_at = alea_mem_calloc(a->mem, slots, sizeof *a->spilled_at);
  a->written_in = alea_mem_calloc(a->mem, slots, sizeof *a->written_in);
  a->busy = alea_mem_calloc(a->mem, slots, sizeof *a->busy);
  a->pressure = alea_mem_calloc(a->mem, a->r->statement + 2, sizeof *a->pressure);
  return alea_vec_reserve(a->mem, &a->resident, slots) && a->use != NULL && a->live != NULL &&
         a->carried != NULL && a->next != NULL && a->at != NULL && a->needed != NULL &&
         a->stored != NULL && a->range_of != NULL && a->spilled_at != NULL &&
         a->written_in != NULL && a->busy != NULL && a->pressure != NULL;
}

static void clear_arrays(gpu_allocator *a) {
  size_t events = a->r->events.count, slots = a->r->slot_count;
  alea_mem_free(a->mem, a->use, events * sizeof *a->use);
  alea_mem_free(a->mem, a->live, events);
  alea_mem_free(a->mem, a->carried, slots);
  alea_mem_free(a->mem, a->next, slots * sizeof *a->next);
  alea_mem_free(a->mem, a->at, slots * sizeof *a->at);
  alea_mem_free(a->mem, a->needed, slots);
  alea_mem_free(a->mem, a->stored, slots);
  alea_mem_free(a->mem, a->range_of, slots * sizeof *a->range_of);
  alea_mem_free(a->mem, a->spilled_at, slots * sizeof *a->spilled_at);
  alea_mem_free(a->mem, a->written_in, slots * sizeof *a->written_in);
  alea_mem_free(a->mem, a->busy, slots * sizeof *a->busy);
  alea_mem_free(a->mem, a->pressure, (a->r->statement + 2) * sizeof *a->pressure);
  alea_vec_clear(a->mem, &a->resident);
  alea_vec_clear(a->mem, &a->ranges);
}

bool alea_gpu_allocation_make(alea_gpu_allocation *r, const alea_gpu_limits *limits) {
  gpu_allocator a = {.r = r, .limits = *limits, .mem = r->mem};
  end_statement(r);
  uint8_t *began = alea_mem_calloc(r->mem, r->slot_count, 1);
  bool ok = !r->lacks_memory && began != NULL && make_arrays(&a);
  for (uint32_t s = 0; ok && s < r->slot_count; s++) {
    a.at[s] = a.range_of[s] = NONE;
    a.spilled_at[s] = NEVER;
  }
  if (ok) look_ahead(&a);
  ok = ok && run_iterations(&a, began) && finish(&a);
  clear_arrays(&a);
  alea_mem_free(r->mem, began, r->slot_count);
  return ok;
}

bool alea_gpu_allocation_restarts(const alea_gpu_allocation *r, uint32_t statement, uint32_t slot) {
  uint64_t wanted = (uint64_t)statement << 32 | slot;
  size_t low = 0, high = r->dead.count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (r->dead.data[middle] < wanted)
      low = middle + 1;
    else
      high = middle;
  }
  return low == r->dead.count || r->dead.data[low] != wanted;
}
