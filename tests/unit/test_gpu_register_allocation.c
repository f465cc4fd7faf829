/* Register allocation against plain variables: random code is performed with both, and every read
 * must find the same value. */
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "cmocka_all.h"
#include "gpu/register_allocation.h"

enum { SLOTS = 60, STATEMENTS = 400, MOST_READ = 4, ITERATIONS = 4 };

typedef enum kind { PLAIN, CONDITIONAL, RESTART } kind;

typedef struct statement {
  kind kind;
  bool crowded;
  uint32_t reads[MOST_READ], read_count;
  uint32_t write; /* 0: nothing */
} statement;

/* Slots up to CARRIED come from the iteration before, others are written before they are read.
 * Those above CONDITIONAL_ONLY are written within conditions alone. */
enum { CARRIED = 25, CONDITIONAL_ONLY = 52 };

typedef struct code {
  statement at[STATEMENTS];
} code;

static void make_statement(statement *s, alea_rng *rng, bool *written, bool in_condition,
                           bool *written_conditionally) {
  s->kind = in_condition ? CONDITIONAL : PLAIN;
  uint32_t count = 1 + (uint32_t)alea_rng_below(rng, MOST_READ);
  for (uint32_t k = 0; k < count; k++) {
    uint32_t slot = 1 + (uint32_t)alea_rng_below(rng, SLOTS - 1);
    bool conditional = slot > CONDITIONAL_ONLY;
    if (conditional ? in_condition && written_conditionally[slot]
                    : slot <= CARRIED || written[slot])
      s->reads[s->read_count++] = slot;
  }
  uint32_t slot = 1 + (uint32_t)alea_rng_below(rng, SLOTS - 1);
  if (in_condition != (slot > CONDITIONAL_ONLY)) return;
  s->write = slot;
  (in_condition ? written_conditionally : written)[slot] = true;
}

static void make_code(code *c, alea_rng *rng) {
  bool written[SLOTS] = {0}, written_conditionally[SLOTS] = {0};
  memset(c, 0, sizeof *c);
  for (uint32_t i = 0; i < STATEMENTS; i++) {
    if (i % (STATEMENTS / 2) == 0) { /* at the beginning, and where values have been reloaded */
      c->at[i].kind = RESTART;
      continue;
    }
    bool in_condition = i / 20 % 5 == 3;
    if (!in_condition) memset(written_conditionally, 0, sizeof written_conditionally);
    make_statement(&c->at[i], rng, written, in_condition, written_conditionally);
    c->at[i].crowded = i / 30 % 4 == 1;
  }
}

static void note(alea_gpu_allocation *r, const code *c) {
  bool crowded = false, was_conditional = false;
  for (uint32_t i = 0; i < STATEMENTS; i++) {
    const statement *s = &c->at[i];
    if (s->crowded != crowded) alea_gpu_allocation_crowd(r, s->crowded);
    crowded = s->crowded;
    alea_gpu_allocation_begin(r);
    r->in_condition = s->kind == CONDITIONAL;
    if (s->kind == RESTART) alea_gpu_allocation_note(r, CARRIED, ALEA_GPU_RESTART);
    for (uint32_t k = 0; k < s->read_count; k++)
      alea_gpu_allocation_note(r, s->reads[k], ALEA_GPU_READ);
    if (s->write != 0) alea_gpu_allocation_note(r, s->write, ALEA_GPU_WRITE);
    was_conditional = s->kind == CONDITIONAL;
  }
  assert_false(was_conditional);
}

/* Two machines: one with a variable for each slot, one with what the plan says. */
typedef struct machine {
  uint64_t plain[SLOTS], variable[SLOTS], *memory;
  uint32_t place[SLOTS];
  size_t next;
  uint32_t loads;
} machine;

static void perform_moves(machine *m, const alea_gpu_allocation *r, uint32_t number) {
  for (; m->next < r->moves.count && r->moves.data[m->next].statement <= number; m->next++) {
    const alea_gpu_move *move = &r->moves.data[m->next];
    uint32_t s = move->slot;
    assert_in_range(move->place, 0, r->near_count + r->far_count - 1);
    if (move->kind == ALEA_GPU_RELOAD) {
      assert_int_equal(m->place[s], move->place);
      m->variable[s] = m->memory[move->place];
      m->loads++;
    } else {
      assert_int_equal(m->place[s], ALEA_GPU_NO_PLACE);
      if (move->kind == ALEA_GPU_SPILL) m->memory[move->place] = m->variable[s];
      m->variable[s] = 0xdead;
    }
    m->place[s] = move->kind == ALEA_GPU_RELOAD ? ALEA_GPU_NO_PLACE : move->place;
  }
}

static uint64_t *where(machine *m, uint32_t slot) {
  return m->place[slot] == ALEA_GPU_NO_PLACE ? &m->variable[slot] : &m->memory[m->place[slot]];
}

static void perform(machine *m, const statement *s, uint64_t number) {
  uint64_t sum = number;
  for (uint32_t k = 0; k < s->read_count; k++) {
    uint32_t slot = s->reads[k];
    if (s->kind == PLAIN) assert_int_equal(m->place[slot], ALEA_GPU_NO_PLACE);
    assert_int_equal(*where(m, slot), m->plain[slot]);
    sum = sum * 31 + m->plain[slot];
  }
  if (s->write == 0) return;
  m->plain[s->write] = m->variable[s->write] = sum;
  m->place[s->write] = ALEA_GPU_NO_PLACE;
}

/* Some iterations; conditions hold in every other one. */
static void perform_iterations(machine *m, const alea_gpu_allocation *r, const code *c) {
  memcpy(m->place, r->place, sizeof m->place);
  for (uint32_t iteration = 0; iteration < ITERATIONS; iteration++) {
    m->next = 0;
    for (uint32_t i = 0; i < STATEMENTS; i++) {
      const statement *s = &c->at[i];
      bool holds = s->kind == PLAIN || iteration % 2 == 0;
      if (s->kind != CONDITIONAL) perform_moves(m, r, i + 1); /* else they wait */
      if (!holds) continue;
      for (uint32_t slot = 1; s->kind == RESTART && slot <= CARRIED; slot++) {
        m->plain[slot] = 1000 * iteration + slot;
        if (alea_gpu_allocation_restarts(r, i + 1, slot)) *where(m, slot) = m->plain[slot];
      }
      perform(m, s, 7 * iteration + i);
    }
    perform_moves(m, r, STATEMENTS + 1);
    assert_int_equal(m->next, r->moves.count);
    for (uint32_t slot = 1; slot <= CARRIED; slot++) /* as it began */
      if (r->place[slot] != ALEA_GPU_NO_PLACE) assert_int_equal(m->place[slot], r->place[slot]);
  }
}

static uint32_t try_allocation(uint64_t seed, const alea_gpu_limits *limits) {
  alea_mem mem;
  alea_rng rng;
  alea_gpu_allocation r;
  code *c = malloc(sizeof *c);
  assert_non_null(c);
  alea_mem_init(&mem, 0);
  alea_rng_seed(&rng, seed);
  make_code(c, &rng);
  alea_gpu_allocation_init(&r, SLOTS, &mem);
  note(&r, c);
  assert_true(alea_gpu_allocation_make(&r, limits));
  assert_in_range(r.near_count, 0, limits->near);
  machine m = {.memory = calloc(r.near_count + r.far_count + 1, sizeof *m.memory)};
  assert_non_null(m.memory);
  perform_iterations(&m, &r, c);
  free(m.memory);
  free(c);
  alea_gpu_allocation_clear(&r);
  assert_int_equal(mem.used, 0);
  return m.loads;
}

static void same_values(void **state) {
  (void)state;
  const alea_gpu_limits limits[] = {
      {.registers = 6, .crowded = 6, .near = 8, .pressure = 6},
      {.registers = 12, .crowded = 8, .near = 5, .ahead = 3, .far_ahead = 20, .pressure = 15},
      {.registers = 20, .crowded = 10, .near = 0, .ahead = 3, .far_ahead = 50, .pressure = 40},
      {.registers = 59, .crowded = 59, .near = 8, .pressure = 59}};
  for (uint64_t seed = 1; seed <= 50; seed++) {
    uint32_t loads[4];
    for (int i = 0; i < 4; i++) loads[i] = try_allocation(seed, &limits[i]);
    assert_true(loads[0] > loads[1] && loads[1] > loads[2] && loads[2] > loads[3]);
  }
}

/* Of three values for two registers the one that is read last is spilled. */
static void furthest_use_is_spilled(void **state) {
  (void)state;
  alea_mem mem;
  alea_gpu_allocation r;
  alea_mem_init(&mem, 0);
  alea_gpu_allocation_init(&r, 4, &mem);
  for (uint32_t slot = 1; slot <= 3; slot++) {
    alea_gpu_allocation_begin(&r);
    alea_gpu_allocation_note(&r, slot, ALEA_GPU_WRITE);
  }
  static const uint32_t order[] = {2, 3, 1};
  for (uint32_t i = 0; i < 3; i++) {
    alea_gpu_allocation_begin(&r);
    alea_gpu_allocation_note(&r, order[i], ALEA_GPU_READ);
  }
  const alea_gpu_limits limits = {.registers = 2, .crowded = 2, .near = 1, .pressure = 2};
  assert_true(alea_gpu_allocation_make(&r, &limits));
  assert_int_equal(r.moves.count, 2);
  assert_int_equal(r.moves.data[0].slot, 1);
  assert_int_equal(r.moves.data[0].kind, ALEA_GPU_SPILL);
  assert_int_equal(r.moves.data[0].statement, 3);
  assert_int_equal(r.moves.data[1].slot, 1);
  assert_int_equal(r.moves.data[1].kind, ALEA_GPU_RELOAD);
  assert_int_equal(r.moves.data[1].statement, 6);
  assert_int_equal(r.near_count, 1);
  assert_int_equal(r.far_count, 0);
  alea_gpu_allocation_clear(&r);
  assert_int_equal(mem.used, 0);
}

/* Memory that ends at any time is noticed, and given back. */
static void lack_of_memory(void **state) {
  (void)state;
  const alea_gpu_limits limits = {.registers = 6, .crowded = 6, .near = 8, .pressure = 6};
  bool good = false;
  for (size_t bytes = 64; !good && bytes < 1u << 22; bytes += bytes / 4) {
    alea_mem mem;
    alea_rng rng;
    alea_gpu_allocation r;
    code *c = malloc(sizeof *c);
    assert_non_null(c);
    alea_mem_init(&mem, bytes);
    alea_rng_seed(&rng, 3);
    make_code(c, &rng);
    alea_gpu_allocation_init(&r, SLOTS, &mem);
    if (!r.lacks_memory) note(&r, c);
    good = !r.lacks_memory && alea_gpu_allocation_make(&r, &limits);
    alea_gpu_allocation_clear(&r);
    assert_int_equal(mem.used, 0);
    free(c);
  }
  assert_true(good);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(same_values),
                                     cmocka_unit_test(furthest_use_is_spilled),
                                     cmocka_unit_test(lack_of_memory)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
