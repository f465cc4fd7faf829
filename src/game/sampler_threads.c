/* Several samplers as one, a thread for each. */
#include "game/sampler_threads.h"

#include <pthread.h>

/* One of the samplers with its share of a run. */
typedef struct sampler_threads_worker {
  struct threaded *owner;
  alea_sampler *sampler;
  pthread_t thread;
  alea_sample_request *requests;
  alea_sample_result *results;
  double *sums; /* what the results point to */
  alea_status status;
} sampler_threads_worker;

typedef struct threaded {
  alea_sampler base;
  alea_mem *mem;
  sampler_threads_worker *workers; /* 0 is the caller's */
  size_t count;
  size_t started; /* threads running, of workers 1 .. started */
  pthread_mutex_t lock;
  pthread_cond_t go, done;
  /* Under the lock: */
  uint64_t round; /* runs begun so far */
  size_t busy;    /* threads that have not finished this round */
  bool quit;
  size_t request_count;
  const alea_sample_options *options;
} threaded;

static void work(sampler_threads_worker *w) {
  const threaded *t = w->owner;
  w->status = alea_sampler_run(w->sampler, w->requests, t->request_count, t->options, w->results);
}

static void *thread_main(void *argument) {
  sampler_threads_worker *w = argument;
  threaded *t = w->owner;
  uint64_t seen = 0;
  pthread_mutex_lock(&t->lock);
  for (;;) {
    while (t->round == seen && !t->quit) pthread_cond_wait(&t->go, &t->lock);
    if (t->quit) break;
    seen = t->round;
    pthread_mutex_unlock(&t->lock);
    work(w);
    pthread_mutex_lock(&t->lock);
    if (--t->busy == 0) pthread_cond_signal(&t->done);
  }
  pthread_mutex_unlock(&t->lock);
  return NULL;
}

/* ---- shares ---- */

static uint32_t role_count(const threaded *t) { return t->base.game->role_count; }

/* Worker i's part of 'playouts'.  What does not divide goes to different
 * workers for different requests, so that many small ones are spread evenly. */
static uint32_t share(const threaded *t, uint32_t playouts, size_t i, size_t request) {
  uint32_t parts = (uint32_t)t->count;
  uint32_t place = (uint32_t)((i + request) % parts);
  return playouts / parts + (place < playouts % parts);
}

static bool hand_out(threaded *t, sampler_threads_worker *w, const alea_sample_request *requests,
                     size_t count) {
  size_t index = (size_t)(w - t->workers), roles = role_count(t);
  w->requests = alea_mem_calloc(t->mem, count, sizeof *w->requests);
  w->results = alea_mem_calloc(t->mem, count, sizeof *w->results);
  w->sums = alea_mem_calloc(t->mem, count, 2 * roles * sizeof *w->sums);
  if (w->requests == NULL || w->results == NULL || w->sums == NULL) return false;
  for (size_t i = 0; i < count; i++) {
    w->requests[i] = requests[i];
    w->requests[i].playouts = share(t, requests[i].playouts, index, i);
    w->results[i].sum = w->sums + 2 * roles * i;
    w->results[i].sum_squares = w->sums + 2 * roles * i + roles;
  }
  return true;
}

static void take_back(threaded *t, sampler_threads_worker *w, size_t count) {
  alea_mem_free(t->mem, w->requests, count * sizeof *w->requests);
  alea_mem_free(t->mem, w->results, count * sizeof *w->results);
  alea_mem_free(t->mem, w->sums, count * 2 * role_count(t) * sizeof *w->sums);
  w->requests = NULL;
  w->results = NULL;
  w->sums = NULL;
}

static void add_up(const threaded *t, size_t count, alea_sample_result *results) {
  for (size_t i = 0; i < count; i++) {
    alea_sample_result *to = &results[i];
    to->playouts = to->unfinished = to->states = 0;
    for (uint32_t r = 0; r < role_count(t); r++) to->sum[r] = to->sum_squares[r] = 0;
    for (size_t k = 0; k < t->count; k++) {
      const alea_sample_result *from = &t->workers[k].results[i];
      to->playouts += from->playouts;
      to->unfinished += from->unfinished;
      to->states += from->states;
      for (uint32_t r = 0; r < role_count(t); r++) {
        to->sum[r] += from->sum[r];
        to->sum_squares[r] += from->sum_squares[r];
      }
    }
  }
}

/* ---- a run ---- */

static void work_together(threaded *t, size_t count, const alea_sample_options *options) {
  pthread_mutex_lock(&t->lock);
  t->request_count = count;
  t->options = options;
  t->busy = t->started;
  t->round++;
  pthread_cond_broadcast(&t->go);
  pthread_mutex_unlock(&t->lock);
  work(&t->workers[0]);
  pthread_mutex_lock(&t->lock);
  while (t->busy > 0) pthread_cond_wait(&t->done, &t->lock);
  pthread_mutex_unlock(&t->lock);
}

static alea_status threaded_run(alea_sampler *sampler, const alea_sample_request *requests,
                                size_t count, const alea_sample_options *options,
                                alea_sample_result *results) {
  threaded *t = (threaded *)(void *)sampler;
  bool ok = true;
  alea_status status = ALEA_OK;
  for (size_t i = 0; i < t->count; i++) ok = ok && hand_out(t, &t->workers[i], requests, count);
  if (ok) {
    work_together(t, count, options);
    for (size_t i = 0; i < t->count; i++)
      if (status == ALEA_OK) status = t->workers[i].status;
    if (status == ALEA_OK) add_up(t, count, results);
  } else {
    status = alea_mem_lack(t->mem);
  }
  for (size_t i = 0; i < t->count; i++) take_back(t, &t->workers[i], count);
  return status;
}

static alea_status threaded_expand(alea_sampler *sampler, const uint64_t *words, size_t word_count,
                                   uint32_t role, const alea_move *moves, size_t move_count,
                                   const alea_move *others, bool *terminal, int *goals) {
  return alea_sampler_expand(((threaded *)(void *)sampler)->workers[0].sampler, words, word_count,
                             role, moves, move_count, others, terminal, goals);
}

/* ---- the object ---- */

static void stop_threads(threaded *t) {
  pthread_mutex_lock(&t->lock);
  t->quit = true;
  pthread_cond_broadcast(&t->go);
  pthread_mutex_unlock(&t->lock);
  for (size_t i = 1; i <= t->started; i++) pthread_join(t->workers[i].thread, NULL);
  pthread_cond_destroy(&t->done);
  pthread_cond_destroy(&t->go);
  pthread_mutex_destroy(&t->lock);
}

static void release(threaded *t) {
  alea_mem_free(t->mem, t->workers, t->count * sizeof *t->workers);
  alea_mem_free(t->mem, t, sizeof *t);
}

static void threaded_free(alea_sampler *sampler) {
  threaded *t = (threaded *)(void *)sampler;
  stop_threads(t);
  for (size_t i = 0; i < t->count; i++) alea_sampler_free(t->workers[i].sampler);
  release(t);
}

static const alea_sampler_class threaded_class = {
    .engine = "threads", .free = threaded_free, .run = threaded_run, .expand = threaded_expand};

static bool start_threads(threaded *t) {
  pthread_mutex_init(&t->lock, NULL);
  pthread_cond_init(&t->go, NULL);
  pthread_cond_init(&t->done, NULL);
  for (size_t i = 1; i < t->count; i++) {
    if (pthread_create(&t->workers[i].thread, NULL, thread_main, &t->workers[i]) != 0) {
      stop_threads(t);
      return false;
    }
    t->started++;
  }
  return true;
}

alea_status alea_sampler_new_threaded(alea_sampler **sampler, alea_sampler *const *parts,
                                      size_t count, alea_mem *mem) {
  *sampler = NULL;
  threaded *t = alea_mem_zalloc(mem, sizeof *t);
  if (t == NULL) return alea_mem_lack(mem);
  t->base = (alea_sampler){.class = &threaded_class, .game = parts[0]->game};
  t->mem = mem;
  t->count = count;
  t->workers = alea_mem_calloc(mem, count, sizeof *t->workers);
  for (size_t i = 0; t->workers != NULL && i < count; i++)
    t->workers[i] = (sampler_threads_worker){.owner = t, .sampler = parts[i]};
  if (t->workers == NULL || !start_threads(t)) {
    release(t);
    return alea_mem_lack(mem);
  }
  *sampler = &t->base;
  return ALEA_OK;
}
