/* Tasks on several threads: each is run once, workers begin and end, and what fails first by its
 * number is what is told. */
#include <string.h>

#include "base/parallel.h"
#include "cmocka_all.h"

enum { TASKS = 500, NONE = TASKS };

typedef struct bench {
  atomic_uint runs[TASKS], begun, ended;
  atomic_uint wrong; /* things that a worker saw: it must not leave its thread by an assertion */
  uint32_t fails;    /* from this task on */
  bool lame;         /* workers cannot begin */
  alea_status statuses[2]; /* of even and odd tasks that fail */
} bench;

static void expect(bench *b, bool right) { atomic_fetch_add(&b->wrong, !right); }

typedef struct hand {
  void *block;
  bool ready;
} hand;

static alea_status begin(void *context, void *worker, alea_mem *mem) {
  bench *b = context;
  hand *h = worker;
  expect(b, h->block == NULL && !h->ready); /* zeroed */
  atomic_fetch_add(&b->begun, 1);
  if (b->lame) return ALEA_LIMIT;
  h->block = alea_mem_alloc(mem, 100);
  h->ready = true;
  return h->block != NULL ? ALEA_OK : alea_mem_lack(mem);
}

static void end(void *context, void *worker, alea_mem *mem) {
  bench *b = context;
  atomic_fetch_add(&b->ended, 1);
  alea_mem_free(mem, ((hand *)worker)->block, 100);
  expect(b, mem->used == sizeof(hand));
}

static alea_status run(void *context, void *worker, uint32_t task, alea_mem *mem) {
  bench *b = context;
  expect(b, ((hand *)worker)->ready && mem->used == 100 + sizeof(hand));
  atomic_fetch_add(&b->runs[task], 1);
  return task < b->fails ? ALEA_OK : b->statuses[task % 2];
}

static alea_status start(bench *b, uint32_t threads, uint32_t tasks, size_t limit) {
  alea_mem mem;
  alea_mem_init(&mem, limit);
  for (int i = 0; i < TASKS; i++) atomic_store(&b->runs[i], 0);
  atomic_store(&b->begun, 0);
  atomic_store(&b->ended, 0);
  alea_parallel parallel = {.threads = threads,
                            .tasks = tasks,
                            .run = run,
                            .begin = begin,
                            .end = end,
                            .worker_size = sizeof(hand),
                            .context = b};
  alea_status status = alea_parallel_run(&parallel, &mem);
  assert_int_equal(mem.used, 0);
  assert_int_equal(atomic_load(&b->wrong), 0);
  return status;
}

static void each_task_is_run_once(void **state) {
  (void)state;
  static const uint32_t threads[] = {0, 1, 2, 7, 1000};
  bench b = {.fails = NONE};
  for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
    assert_int_equal(start(&b, threads[i], TASKS, 0), ALEA_OK);
    for (int task = 0; task < TASKS; task++) assert_int_equal(atomic_load(&b.runs[task]), 1);
    assert_int_equal(atomic_load(&b.begun), atomic_load(&b.ended));
    assert_true(atomic_load(&b.begun) >= 1 && atomic_load(&b.begun) <= ALEA_PARALLEL_MOST);
  }
}

static void few_tasks_need_few_workers(void **state) {
  (void)state;
  bench b = {.fails = NONE};
  assert_int_equal(start(&b, 8, 3, 0), ALEA_OK);
  assert_true(atomic_load(&b.begun) <= 3);
  assert_int_equal(start(&b, 8, 0, 0), ALEA_OK);
  assert_int_equal(atomic_load(&b.runs[0]), 0);
}

/* Tasks with lower numbers have begun before: the first that fails is known. */
static void the_first_failure_is_told(void **state) {
  (void)state;
  for (uint32_t threads = 1; threads <= 8; threads++) {
    bench b = {.fails = 40, .statuses = {ALEA_LIMIT, ALEA_INPUT}};
    assert_int_equal(start(&b, threads, TASKS, 0), ALEA_LIMIT);
    for (uint32_t task = 0; task <= 40; task++) assert_int_equal(atomic_load(&b.runs[task]), 1);
    assert_int_equal(atomic_load(&b.runs[TASKS - 1]), 0);
    assert_int_equal(atomic_load(&b.begun), atomic_load(&b.ended));
  }
}

static void workers_may_not_begin(void **state) {
  (void)state;
  bench b = {.fails = NONE, .lame = true};
  assert_int_equal(start(&b, 4, TASKS, 0), ALEA_LIMIT);
  assert_int_equal(atomic_load(&b.runs[0]), 0);
  assert_int_equal(atomic_load(&b.begun), atomic_load(&b.ended));
  b.lame = false;
  assert_int_equal(start(&b, 4, TASKS, 50), ALEA_LIMIT); /* bytes for all of them */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_task_is_run_once),
      cmocka_unit_test(few_tasks_need_few_workers),
      cmocka_unit_test(the_first_failure_is_told),
      cmocka_unit_test(workers_may_not_begin),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
