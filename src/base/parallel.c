/* Tasks on several threads. */
#include "base/parallel.h"

#include <pthread.h>
#include <stdatomic.h>

typedef struct parallel_work {
  const alea_parallel *parallel;
  atomic_uint next; /* task */
  atomic_bool failed;
} parallel_work;

typedef struct parallel_worker {
  pthread_t thread;
  parallel_work *work;
  alea_mem mem;
  void *own;
  alea_status status;
  uint32_t task; /* that failed, where one did */
  bool running;
} parallel_worker;

static void run_tasks(parallel_worker *w) {
  parallel_work *work = w->work;
  const alea_parallel *p = work->parallel;
  while (w->status == ALEA_OK && !atomic_load(&work->failed)) {
    w->task = atomic_fetch_add(&work->next, 1);
    if (w->task >= p->tasks) return;
    w->status = p->run(p->context, w->own, w->task, &w->mem);
  }
}

static void *work(void *argument) {
  parallel_worker *w = argument;
  const alea_parallel *p = w->work->parallel;
  w->own = alea_mem_zalloc(&w->mem, p->worker_size);
  w->status = w->own == NULL ? alea_mem_lack(&w->mem) : ALEA_OK;
  if (w->status == ALEA_OK && p->begin != NULL) w->status = p->begin(p->context, w->own, &w->mem);
  run_tasks(w);
  if (w->status != ALEA_OK) atomic_store(&w->work->failed, true);
  if (w->own != NULL && p->end != NULL) p->end(p->context, w->own, &w->mem);
  alea_mem_free(&w->mem, w->own, p->worker_size);
  return NULL;
}

alea_status alea_parallel_run(const alea_parallel *p, alea_mem *mem) {
  static const parallel_worker FRESH = {0};
  parallel_worker workers[ALEA_PARALLEL_MOST];
  parallel_work shared = {.parallel = p};
  uint32_t count = p->threads < ALEA_PARALLEL_MOST ? p->threads : ALEA_PARALLEL_MOST;
  if (count > p->tasks) count = p->tasks;
  if (count == 0) count = 1;
  size_t left = mem->limit != 0 ? (mem->limit - mem->used) / count + 1 : 0;
  atomic_init(&shared.next, 0);
  atomic_init(&shared.failed, false);
  for (uint32_t i = 0; i < count; i++) {
    parallel_worker *w = &workers[i];
    *w = FRESH;
    w->work = &shared;
    alea_mem_init_with(&w->mem, left, mem);
    if (i > 0) w->running = pthread_create(&w->thread, NULL, work, w) == 0;
  }
  work(&workers[0]);
  const parallel_worker *failed = workers[0].status != ALEA_OK ? &workers[0] : NULL;
  for (uint32_t i = 1; i < count; i++) {
    if (!workers[i].running) continue;
    pthread_join(workers[i].thread, NULL);
    if (workers[i].status == ALEA_OK) continue;
    if (failed == NULL || workers[i].task < failed->task) failed = &workers[i];
  }
  return failed != NULL ? failed->status : ALEA_OK;
}
