/* Which value leaves its register: the one that is needed last. */
#include "gpu/registers.h"

#include <stdlib.h>
#include <string.h>

#define NEVER UINT32_MAX
#define NONE UINT32_MAX

/* What lies in memory for a while: a value in between from when it leaves its register to its last
 * reading there; one that comes from the turn before always. */
typedef struct stay {
  uint32_t from, to;
  uint32_t accesses;
  bool always;
  uint32_t place;
} stay;

typedef struct gpu_allocation {
  alea_gpu_registers *r;
  alea_gpu_limits limits;
  alea_mem *mem;
  uint32_t *use;     /* per event: the statement of the next reading into a register, counted on
                      * through the next turn; NEVER: none before it is written anew */
  uint8_t *live;     /* per event: there is a reading of any kind */
  uint8_t *lasting;  /* per slot: it comes from the turn before */
  uint32_t *next;    /* per slot in a register: as 'use' */
  uint32_t *at;      /* per slot: its place in 'held', NONE: it is in no register */
  uint8_t *needed;   /* per slot: as 'live' */
  uint8_t *stored;   /* per slot: its stay has what it has */
  uint32_t *stay_of; /* per slot: NONE until it leaves */
  uint32_t *left;    /* per slot: the statement at which it left */
  uint32_t *apart;   /* per slot: the condition in which it was written last */
  uint32_t *busy;    /* per slot: the statement that has it at hand */
  alea_u32s held;    /* slots in registers */
  ALEA_VEC(stay) stays;
  uint32_t *held_at; /* per statement: values in registers */
  uint32_t block;    /* conditions so far */
  uint32_t barrier;  /* no load comes before this statement */
  bool records;
  bool lacks_memory;
} gpu_allocation;

/* ---- noting ---- */

void alea_gpu_registers_init(alea_gpu_registers *r, uint32_t slot_count, alea_mem *mem) {
  *r = (alea_gpu_registers){.mem = mem, .slot_count = slot_count};
  r->place = alea_mem_calloc(mem, slot_count, sizeof *r->place);
  r->lacks_memory = r->place == NULL;
  for (uint32_t s = 0; !r->lacks_memory && s < slot_count; s++) r->place[s] = ALEA_GPU_NO_PLACE;
}

void alea_gpu_registers_clear(alea_gpu_registers *r) {
  alea_vec_clear(r->mem, &r->events);
  alea_vec_clear(r->mem, &r->crowded);
  alea_vec_clear(r->mem, &r->moves);
  alea_mem_free(r->mem, r->place, r->slot_count * sizeof *r->place);
  r->place = NULL;
}

static void push_event(alea_gpu_registers *r, uint32_t slot, alea_gpu_access access) {
  alea_gpu_event event = {.statement = r->statement, .slot = slot, .access = access};
  if (!alea_vec_push(r->mem, &r->events, event)) r->lacks_memory = true;
}

static void end_statement(alea_gpu_registers *r) {
  if (r->pending == 0) return;
  push_event(r, r->pending, r->apart ? ALEA_GPU_WRITE_APART : ALEA_GPU_WRITE);
  r->pending = 0;
}

void alea_gpu_registers_begin(alea_gpu_registers *r) {
  end_statement(r);
  r->statement++;
}

void alea_gpu_registers_note(alea_gpu_registers *r, uint32_t slot, alea_gpu_access access) {
  if (access == ALEA_GPU_WRITE)
    r->pending = slot;
  else
    push_event(r, slot, access == ALEA_GPU_READ && r->apart ? ALEA_GPU_READ_APART : access);
}

void alea_gpu_registers_crowd(alea_gpu_registers *r, bool crowded) {
  if ((r->crowded.count % 2 == 1) == crowded) return;
  if (!alea_vec_push(r->mem, &r->crowded, r->statement + 1)) r->lacks_memory = true;
}

/* ---- what comes ---- */

/* Two turns backwards: then the first one knows what comes after it. */
static void look_ahead(gpu_allocation *a) {
  const alea_gpu_registers *r = a->r;
  for (uint32_t s = 0; s < r->slot_count; s++) a->next[s] = NEVER;
  for (uint32_t turn = 2; turn-- > 0;)
    for (size_t e = r->events.count; e-- > 0;) {
      const alea_gpu_event *event = &r->events.data[e];
      uint32_t s = event->slot;
      a->use[e] = a->next[s];
      a->live[e] = a->needed[s];
      if (event->access == ALEA_GPU_READ) a->next[s] = event->statement + turn * (r->statement + 1);
      if (event->access == ALEA_GPU_READ || event->access == ALEA_GPU_READ_APART) a->needed[s] = 1;
      if (event->access == ALEA_GPU_WRITE || event->access == ALEA_GPU_WRITE_APART) {
        a->next[s] = NEVER;
        a->needed[s] = 0;
      }
    }
  memcpy(a->lasting, a->needed, r->slot_count);
}

/* ---- moving ---- */

static stay *stay_of(gpu_allocation *a, uint32_t slot, uint32_t statement) {
  if (a->stay_of[slot] == NONE) {
    stay fresh = {.from = statement, .to = statement, .always = a->lasting[slot] != 0};
    if (!alea_vec_push(a->mem, &a->stays, fresh)) {
      a->lacks_memory = true;
      return NULL;
    }
    a->stay_of[slot] = (uint32_t)a->stays.count - 1;
  }
  return &a->stays.data[a->stay_of[slot]];
}

/* The place of a move is its stay until all places are known. */
static void move(gpu_allocation *a, uint32_t slot, uint32_t statement, alea_gpu_move_kind kind) {
  stay *s = stay_of(a, slot, statement);
  if (s == NULL || !a->records) return;
  alea_gpu_move m = {.statement = statement, .slot = slot, .kind = kind, .place = a->stay_of[slot]};
  s->accesses += kind != ALEA_GPU_LEAVE;
  if (!alea_vec_push(a->mem, &a->r->moves, m)) a->lacks_memory = true;
}

static void release(gpu_allocation *a, uint32_t slot) {
  uint32_t at = a->at[slot], last = a->held.data[--a->held.count];
  a->held.data[at] = last;
  a->at[last] = at;
  a->at[slot] = NONE;
}

/* Makes a register free: of those that the statement does not need the one that is needed last. */
static void leave(gpu_allocation *a, uint32_t statement) {
  uint32_t best = NONE;
  for (size_t i = 0; i < a->held.count; i++) {
    uint32_t slot = a->held.data[i];
    if (a->busy[slot] == statement) continue;
    if (best == NONE || a->next[slot] > a->next[best]) best = slot;
  }
  if (best == NONE) return;
  if (a->needed[best]) {
    move(a, best, statement, a->stored[best] ? ALEA_GPU_LEAVE : ALEA_GPU_STORE);
    a->stored[best] = 1;
    a->left[best] = statement;
  }
  release(a, best);
}

static void hold(gpu_allocation *a, uint32_t slot, uint32_t statement, uint32_t limit) {
  if (a->at[slot] != NONE) return;
  for (size_t before = SIZE_MAX; a->held.count >= limit && a->held.count != before;) {
    before = a->held.count;
    leave(a, statement);
  }
  a->at[slot] = (uint32_t)a->held.count;
  a->held.data[a->held.count++] = slot; /* there is room for all */
}

/* When it is loaded is decided when it is known how far away it is. */
static void load(gpu_allocation *a, uint32_t slot, uint32_t statement) {
  uint32_t earliest = a->left[slot] < statement ? a->left[slot] + 1 : 1;
  move(a, slot, statement, ALEA_GPU_LOAD);
  if (a->stay_of[slot] == NONE) return;
  stay *s = &a->stays.data[a->stay_of[slot]];
  if (s->to < statement) s->to = statement;
  if (earliest < a->barrier) earliest = a->barrier;
  if (a->left[slot] == statement) earliest = statement;
  if (a->records && a->r->moves.count > 0)
    a->r->moves.data[a->r->moves.count - 1].earliest = earliest;
}

/* ---- a statement ---- */

static void read_value(gpu_allocation *a, size_t e, uint32_t limit) {
  const alea_gpu_event *event = &a->r->events.data[e];
  uint32_t slot = event->slot;
  if (a->at[slot] == NONE) {
    hold(a, slot, event->statement, limit);
    load(a, slot, event->statement);
    a->stored[slot] = 1;
  }
  a->next[slot] = a->use[e];
  a->needed[slot] = a->live[e];
}

static void read_apart(gpu_allocation *a, size_t e) {
  const alea_gpu_event *event = &a->r->events.data[e];
  uint32_t slot = event->slot;
  a->barrier = event->statement + 1;
  a->needed[slot] = a->live[e];
  if (a->at[slot] != NONE || a->apart[slot] == a->block) return;
  stay *s = stay_of(a, slot, event->statement);
  if (s == NULL) return;
  s->accesses += a->records;
  if (s->to < event->statement) s->to = event->statement;
}

static void write_value(gpu_allocation *a, size_t e, uint32_t limit) {
  const alea_gpu_event *event = &a->r->events.data[e];
  uint32_t slot = event->slot;
  if (!a->lasting[slot]) a->stay_of[slot] = NONE; /* another value */
  a->stored[slot] = 0;
  a->next[slot] = a->use[e];
  a->needed[slot] = a->live[e];
  a->busy[slot] = event->statement;
  hold(a, slot, event->statement, limit);
}

static void perform(gpu_allocation *a, size_t first, size_t end, uint32_t limit) {
  const alea_gpu_registers *r = a->r;
  uint32_t statement = r->events.data[first].statement;
  for (size_t e = first; e < end; e++)
    if (r->events.data[e].access == ALEA_GPU_READ) a->busy[r->events.data[e].slot] = statement;
  for (size_t e = first; e < end; e++) {
    const alea_gpu_event *event = &r->events.data[e];
    uint32_t slot = event->slot;
    if (event->access == ALEA_GPU_READ) read_value(a, e, limit);
    if (event->access == ALEA_GPU_READ_APART) read_apart(a, e);
    if (event->access == ALEA_GPU_WRITE_APART) a->apart[slot] = a->block;
    if (event->access == ALEA_GPU_WRITE) {
      for (size_t k = first; k < e; k++) { /* what is not read any more makes room */
        uint32_t done = r->events.data[k].slot;
        if (a->at[done] != NONE && !a->needed[done]) release(a, done);
      }
      write_value(a, e, limit);
    }
    if (event->access == ALEA_GPU_RESTART) {
      a->barrier = statement + 1;
      for (size_t i = 0; i < a->held.count; i++) a->stored[a->held.data[i]] = 0;
    }
  }
  for (size_t e = first; e < end; e++) {
    uint32_t slot = r->events.data[e].slot;
    if (a->at[slot] != NONE && !a->needed[slot]) release(a, slot);
  }
}

/* ---- a turn ---- */

static void run(gpu_allocation *a) {
  const alea_gpu_registers *r = a->r;
  size_t edge = 0;
  bool was_apart = false;
  a->barrier = 0;
  for (size_t first = 0, end; first < r->events.count; first = end) {
    uint32_t statement = r->events.data[first].statement;
    alea_gpu_access access = r->events.data[first].access;
    for (end = first; end < r->events.count && r->events.data[end].statement == statement;) end++;
    bool apart = access == ALEA_GPU_READ_APART || access == ALEA_GPU_WRITE_APART;
    if (apart && !was_apart) a->block++;
    was_apart = apart;
    while (edge < r->crowded.count && r->crowded.data[edge] <= statement) edge++;
    uint32_t limit = edge % 2 == 1 ? a->limits.crowded : a->limits.registers;
    for (size_t before = SIZE_MAX; a->held.count > limit && a->held.count != before && !apart;) {
      before = a->held.count;
      leave(a, statement);
    }
    perform(a, first, end, limit);
    a->held_at[statement] = (uint32_t)a->held.count + a->limits.registers - limit;
  }
}

/* Ends the turn as it began: 'began' says per slot whether it was in a register. */
static void close_turn(gpu_allocation *a, const uint8_t *began) {
  uint32_t last = a->r->statement + 1;
  for (uint32_t s = 0; s < a->r->slot_count; s++) {
    bool held = a->at[s] != NONE;
    if (held && !began[s] && a->needed[s])
      move(a, s, last, a->stored[s] ? ALEA_GPU_LEAVE : ALEA_GPU_STORE);
  }
  for (uint32_t s = 0; s < a->r->slot_count; s++)
    if (began[s] && a->at[s] == NONE) move(a, s, last, ALEA_GPU_LOAD);
}

/* The first turn finds out what is in registers at its end, the second begins so. */
static bool run_turns(gpu_allocation *a, uint8_t *began) {
  run(a);
  for (uint32_t s = 0; s < a->r->slot_count; s++) {
    began[s] = a->at[s] != NONE;
    a->stored[s] = 0;
    a->stay_of[s] = NONE;
    a->left[s] = NEVER;
    a->busy[s] = 0;
    if (a->lasting[s] && !began[s]) a->stored[s] = 1;
    if (began[s] && a->next[s] != NEVER) a->next[s] -= a->r->statement + 1;
  }
  a->stays.count = 0;
  for (uint32_t s = 0; s < a->r->slot_count; s++) {
    if (!a->lasting[s]) continue;
    (void)stay_of(a, s, 1);
    if (!began[s]) a->r->place[s] = a->stay_of[s];
  }
  a->records = true;
  run(a);
  close_turn(a, began);
  return !a->lacks_memory;
}

/* ---- places ---- */

static uint32_t length_of(const stay *s, uint32_t whole) {
  return s->always ? whole : s->to - s->from + 1;
}

typedef struct ranked {
  double worth; /* accesses in a statement */
  uint32_t stay;
} ranked;

static int compare_ranked(const void *x, const void *y) {
  const ranked *a = x, *b = y;
  if (a->worth != b->worth) return a->worth > b->worth ? -1 : 1;
  return (a->stay > b->stay) - (a->stay < b->stay);
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
static uint32_t find_column(columns *c, const stay *s, uint32_t whole) {
  uint32_t from = s->always ? 0 : s->from, to = s->always ? whole : s->to;
  uint32_t column = 0;
  while (column < c->count && !is_free(c, column, from, to)) column++;
  if (column == c->room) return NONE;
  if (column == c->count) c->count++;
  take(c, column, from, to);
  return column;
}

static bool make_columns(gpu_allocation *a, columns *c, uint32_t room) {
  *c = (columns){.room = room, .words = (a->r->statement + 2) / 64 + 1};
  c->bits = alea_mem_calloc(a->mem, (size_t)room * c->words, sizeof *c->bits);
  return c->bits != NULL;
}

static void clear_columns(gpu_allocation *a, columns *c) {
  alea_mem_free(a->mem, c->bits, (size_t)c->room * c->words * sizeof *c->bits);
}

/* Near what is read most in the shortest time, as far as there is room. */
static bool place_stays(gpu_allocation *a) {
  uint32_t whole = a->r->statement + 1;
  size_t count = a->stays.count;
  ranked *order = alea_mem_calloc(a->mem, count, sizeof *order);
  columns near, far;
  bool ok = order != NULL;
  ok = make_columns(a, &near, a->limits.near) && ok;
  ok = make_columns(a, &far, a->r->slot_count) && ok;
  for (uint32_t i = 0; ok && i < count; i++) {
    const stay *s = &a->stays.data[i];
    order[i] = (ranked){.worth = (double)s->accesses / length_of(s, whole), .stay = i};
  }
  if (ok) qsort(order, count, sizeof *order, compare_ranked);
  for (size_t i = 0; ok && i < count; i++) {
    stay *s = &a->stays.data[order[i].stay];
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

/* From the numbers of stays to places. */
static uint32_t place_of(const gpu_allocation *a, uint32_t number) {
  uint32_t place = a->stays.data[number].place;
  return place < a->limits.near ? place : place - a->limits.near + a->r->near_count;
}

static int compare_moves(const void *x, const void *y) {
  const alea_gpu_move *a = x, *b = y;
  if (a->statement != b->statement) return a->statement < b->statement ? -1 : 1;
  if ((a->kind == ALEA_GPU_LOAD) != (b->kind == ALEA_GPU_LOAD))
    return a->kind == ALEA_GPU_LOAD ? 1 : -1;
  return (a->slot > b->slot) - (a->slot < b->slot);
}

/* Loads as early as there are registers for it. */
static void load_ahead(const gpu_allocation *a, alea_gpu_move *m) {
  uint32_t ahead = m->place < a->r->near_count ? a->limits.ahead : a->limits.far_ahead;
  for (; ahead > 0 && m->statement > m->earliest; ahead--) {
    uint32_t *held = &a->held_at[m->statement - 1];
    if (*held >= a->limits.held) break;
    m->statement--;
    ++*held;
  }
}

static bool finish(gpu_allocation *a) {
  alea_gpu_registers *r = a->r;
  if (!place_stays(a)) return false;
  for (size_t i = 0; i < r->moves.count; i++) {
    alea_gpu_move *m = &r->moves.data[i];
    m->place = place_of(a, m->place);
    if (m->kind != ALEA_GPU_LOAD || m->earliest == 0) continue;
    load_ahead(a, m);
  }
  for (uint32_t s = 0; s < r->slot_count; s++)
    if (r->place[s] != ALEA_GPU_NO_PLACE) r->place[s] = place_of(a, r->place[s]);
  qsort(r->moves.data, r->moves.count, sizeof *r->moves.data, compare_moves);
  return true;
}

/* ---- the whole ---- */

static bool make_arrays(gpu_allocation *a) {
  size_t events = a->r->events.count, slots = a->r->slot_count;
  a->use = alea_mem_calloc(a->mem, events, sizeof *a->use);
  a->live = alea_mem_calloc(a->mem, events, 1);
  a->lasting = alea_mem_calloc(a->mem, slots, 1);
  a->next = alea_mem_calloc(a->mem, slots, sizeof *a->next);
  a->at = alea_mem_calloc(a->mem, slots, sizeof *a->at);
  a->needed = alea_mem_calloc(a->mem, slots, 1);
  a->stored = alea_mem_calloc(a->mem, slots, 1);
  a->stay_of = alea_mem_calloc(a->mem, slots, sizeof *a->stay_of);
  a->left = alea_mem_calloc(a->mem, slots, sizeof *a->left);
  a->apart = alea_mem_calloc(a->mem, slots, sizeof *a->apart);
  a->busy = alea_mem_calloc(a->mem, slots, sizeof *a->busy);
  a->held_at = alea_mem_calloc(a->mem, a->r->statement + 2, sizeof *a->held_at);
  return alea_vec_reserve(a->mem, &a->held, slots) && a->use != NULL && a->live != NULL &&
         a->lasting != NULL && a->next != NULL && a->at != NULL && a->needed != NULL &&
         a->stored != NULL && a->stay_of != NULL && a->left != NULL && a->apart != NULL &&
         a->busy != NULL && a->held_at != NULL;
}

static void clear_arrays(gpu_allocation *a) {
  size_t events = a->r->events.count, slots = a->r->slot_count;
  alea_mem_free(a->mem, a->use, events * sizeof *a->use);
  alea_mem_free(a->mem, a->live, events);
  alea_mem_free(a->mem, a->lasting, slots);
  alea_mem_free(a->mem, a->next, slots * sizeof *a->next);
  alea_mem_free(a->mem, a->at, slots * sizeof *a->at);
  alea_mem_free(a->mem, a->needed, slots);
  alea_mem_free(a->mem, a->stored, slots);
  alea_mem_free(a->mem, a->stay_of, slots * sizeof *a->stay_of);
  alea_mem_free(a->mem, a->left, slots * sizeof *a->left);
  alea_mem_free(a->mem, a->apart, slots * sizeof *a->apart);
  alea_mem_free(a->mem, a->busy, slots * sizeof *a->busy);
  alea_mem_free(a->mem, a->held_at, (a->r->statement + 2) * sizeof *a->held_at);
  alea_vec_clear(a->mem, &a->held);
  alea_vec_clear(a->mem, &a->stays);
}

bool alea_gpu_registers_plan(alea_gpu_registers *r, const alea_gpu_limits *limits) {
  gpu_allocation a = {.r = r, .limits = *limits, .mem = r->mem};
  end_statement(r);
  uint8_t *began = alea_mem_calloc(r->mem, r->slot_count, 1);
  bool ok = !r->lacks_memory && began != NULL && make_arrays(&a);
  for (uint32_t s = 0; ok && s < r->slot_count; s++) {
    a.at[s] = a.stay_of[s] = NONE;
    a.left[s] = NEVER;
  }
  if (ok) look_ahead(&a);
  ok = ok && run_turns(&a, began) && finish(&a);
  clear_arrays(&a);
  alea_mem_free(r->mem, began, r->slot_count);
  return ok;
}
