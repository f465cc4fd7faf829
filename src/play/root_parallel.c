/* Searches on several threads. */
#define _DEFAULT_SOURCE /* _SC_NPROCESSORS_ONLN */
#include "play/root_parallel.h"

#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/hash.h"
#include "game/position.h"

enum { MOST_THREADS = 64, WORKER_SEED = 0x6d617465 };
static const double WAIT_SHARE = 0.93; /* of the time, after which workers are not waited for */

/* While 'busy' is false a worker belongs to the main search's thread, else to its
 * own; 'busy', 'round' and 'quit' are under the lock. */
typedef struct root_parallel_worker {
  alea_root_parallel *parallel;
  pthread_t thread;
  alea_mem mem;
  alea_player_setup setup;
  alea_player_stats stats; /* not yet added to the player's */
  alea_search search;
  alea_pace pace;
  alea_particle position;
  alea_budget budget;
  alea_status status; /* of its last search; a worker that failed is not sent again */
  uint64_t round;     /* the last it was sent on */
  bool busy;
} root_parallel_worker;

struct alea_root_parallel {
  alea_mem *mem;
  alea_search *main_search;
  root_parallel_worker *workers;
  uint32_t room, count; /* workers that fit, and that are there */
  uint64_t round;
  double until; /* wall clock until which workers are waited for; 0: as long as it takes */
  bool timed;   /* this round may be halted, */
  bool counted; /* but not because the main search has made its simulations */
  const atomic_bool *stop; /* of the round's budget; may be NULL */
  atomic_bool halt;
  bool quit;
  pthread_mutex_t lock;
  pthread_cond_t go, done;
  alea_node verdict; /* its arms and bounds are below, all else is borrowed */
  ALEA_VEC(alea_arm) arms;
  ALEA_VEC(float) bounds;
};

uint32_t alea_root_parallel_size(uint32_t asked) {
  if (asked > 0) return asked < MOST_THREADS ? asked : MOST_THREADS;
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  if (cores < 1) return 1;
  return cores < MOST_THREADS ? (uint32_t)cores : MOST_THREADS;
}

/* ---- a worker's thread ---- */

static bool has_proved(const alea_search *s) {
  return s->root != 0 && s->options.exact && alea_node_store_at(&s->store, s->root)->exact;
}

static void search(root_parallel_worker *m) {
  alea_time_manager time_manager;
  alea_time_manager_start(&time_manager, &m->budget, &m->pace);
  alea_deadline halt = {.stop = &m->parallel->halt};
  m->mem.deadline = &halt; /* ends it inside a question to the engine, too */
  time_manager.halt = &m->parallel->halt;
  m->status = alea_search_root(&m->search, &m->position);
  if (m->status == ALEA_OK) m->status = alea_search_run(&m->search, &time_manager);
  if (m->status == ALEA_LIMIT && alea_mem_late(&m->mem)) m->status = ALEA_OK;
  m->mem.deadline = NULL;
  alea_time_manager_stop(&time_manager);
}

static void *work(void *argument) {
  root_parallel_worker *m = argument;
  alea_root_parallel *t = m->parallel;
  pthread_mutex_lock(&t->lock);
  for (;;) {
    while (!m->busy && !t->quit) pthread_cond_wait(&t->go, &t->lock);
    if (t->quit) break;
    pthread_mutex_unlock(&t->lock);
    search(m);
    pthread_mutex_lock(&t->lock);
    /* A worker that finishes late must not halt the next round. */
    if (m->round == t->round && t->timed && has_proved(&m->search)) atomic_store(&t->halt, true);
    m->busy = false;
    pthread_cond_signal(&t->done);
  }
  pthread_mutex_unlock(&t->lock);
  return NULL;
}

/* ---- the parallel ---- */

static void clear_worker(root_parallel_worker *m) {
  alea_search_clear(&m->search);
  alea_vec_clear(&m->mem, &m->position.words);
  assert(m->mem.used == 0);
}

static bool start_worker(alea_root_parallel *t, root_parallel_worker *m,
                         const alea_search_options *options, uint32_t number) {
  const alea_player_setup *setup = t->main_search->setup;
  size_t limit = setup->mem->limit, left = limit - setup->mem->used;
  *m = (root_parallel_worker){.parallel = t, .setup = *setup};
  alea_mem_init_with(&m->mem, limit != 0 ? left / (t->room + 1u) + 1 : 0, setup->mem);
  m->setup.mem = &m->mem;
  m->setup.seed = alea_hash_join(setup->seed, WORKER_SEED + number);
  alea_search_options own = *options;
  own.hooks = (alea_search_hooks){0}; /* they belong to the main search's thread */
  bool good = alea_search_init(&m->search, &m->setup, &own, &m->stats) == ALEA_OK;
  good = good && pthread_create(&m->thread, NULL, work, m) == 0;
  if (!good) clear_worker(m);
  return good;
}

static void open_locks(alea_root_parallel *t) {
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_mutex_init(&t->lock, NULL);
  pthread_cond_init(&t->go, NULL);
  pthread_cond_init(&t->done, &attributes);
  pthread_condattr_destroy(&attributes);
}

alea_root_parallel *alea_root_parallel_new(alea_search *main_search,
                                           const alea_search_options *options, uint32_t threads) {
  alea_mem *mem = main_search->mem;
  alea_root_parallel *t = threads > 1 ? alea_mem_zalloc(mem, sizeof *t) : NULL;
  if (t == NULL) return NULL;
  t->mem = mem;
  t->main_search = main_search;
  t->room = threads - 1;
  open_locks(t);
  t->workers = alea_mem_calloc(mem, t->room, sizeof *t->workers);
  for (uint32_t i = 0; t->workers != NULL && i < t->room; i++) {
    if (!start_worker(t, &t->workers[i], options, i)) break;
    t->count++;
  }
  if (t->count > 0) return t;
  alea_root_parallel_free(t);
  return NULL;
}

void alea_root_parallel_free(alea_root_parallel *t) {
  if (t == NULL) return;
  pthread_mutex_lock(&t->lock);
  t->quit = true;
  atomic_store(&t->halt, true);
  pthread_cond_broadcast(&t->go);
  pthread_mutex_unlock(&t->lock);
  for (uint32_t i = 0; i < t->count; i++) {
    pthread_join(t->workers[i].thread, NULL);
    clear_worker(&t->workers[i]);
  }
  pthread_cond_destroy(&t->done);
  pthread_cond_destroy(&t->go);
  pthread_mutex_destroy(&t->lock);
  alea_vec_clear(t->mem, &t->arms);
  alea_vec_clear(t->mem, &t->bounds);
  alea_mem_free(t->mem, t->workers, t->room * sizeof *t->workers);
  alea_mem_free(t->mem, t, sizeof *t);
}

/* ---- a round ---- */

static bool copy_position(root_parallel_worker *m, const alea_particle *position) {
  const alea_u64s *words = &position->words;
  return alea_position_copy(&m->position.words, words->data, words->count, &m->mem) == ALEA_OK;
}

static bool is_free(const root_parallel_worker *m) { return !m->busy && m->status == ALEA_OK; }

static alea_budget share_of(const alea_budget *budget, uint32_t index, uint32_t count) {
  alea_budget share = *budget;
  share.sims = budget->sims / count + (index < budget->sims % count);
  if (index > 0) share.watch = NULL; /* one thread alone is looked at */
  if (budget->clock == ALEA_CLOCK_CPU) share.seconds /= count;
  return share;
}

void alea_root_parallel_begin(alea_root_parallel *t, const alea_particle *position,
                              const alea_budget *budget, alea_budget *own,
                              const atomic_bool **halt) {
  *own = *budget;
  *halt = t != NULL ? &t->halt : NULL;
  if (t == NULL) return;
  bool wall = budget->seconds > 0 && budget->clock == ALEA_CLOCK_WALL;
  uint32_t heads = 1, index = 1;
  pthread_mutex_lock(&t->lock);
  t->round++;
  t->timed = budget->seconds > 0;
  t->counted = budget->sims > 0;
  t->stop = budget->stop;
  t->until = wall ? alea_clock_wall() + WAIT_SHARE * budget->seconds : 0;
  atomic_store(&t->halt, false);
  for (uint32_t i = 0; i < t->count; i++)
    if (is_free(&t->workers[i]) && copy_position(&t->workers[i], position)) heads++;
  *own = share_of(budget, 0, heads);
  for (uint32_t i = 0; i < t->count && index < heads; i++) {
    root_parallel_worker *m = &t->workers[i];
    if (!is_free(m) || m->position.words.count != position->words.count) continue;
    m->budget = share_of(budget, index++, heads);
    if (budget->sims > 0 && m->budget.sims == 0) continue; /* 0 would be no limit */
    m->round = t->round;
    m->busy = true;
  }
  pthread_cond_broadcast(&t->go);
  pthread_mutex_unlock(&t->lock);
}

/* Whether workers still search in this round. */
static bool has_busy(const alea_root_parallel *t) {
  for (uint32_t i = 0; i < t->count; i++)
    if (t->workers[i].busy && t->workers[i].round == t->round) return true;
  return false;
}

/* The lock is held.  A clock on the wall is over for all when it is for the
 * main search; of CPU time each worker has a share, and needs its own time. */
static void await(alea_root_parallel *t) {
  const atomic_bool *stop = t->stop;
  bool over = (t->until > 0 && !t->counted) || (stop != NULL && atomic_load(stop));
  if (over || (t->timed && has_proved(t->main_search))) atomic_store(&t->halt, true);
  while (has_busy(t)) {
    if (t->until == 0) {
      pthread_cond_wait(&t->done, &t->lock);
      continue;
    }
    if (alea_clock_wall() >= t->until) return;
    struct timespec at = {.tv_sec = (time_t)t->until,
                          .tv_nsec = (long)((t->until - (double)(time_t)t->until) * 1e9)};
    pthread_cond_timedwait(&t->done, &t->lock, &at);
  }
}

static void add_stats(alea_player_stats *to, alea_player_stats *from) {
#define ADD(field, help) to->field += from->field;
  ALEA_PLAYER_STATS(ADD)
#undef ADD
  *from = (alea_player_stats){0};
}

/* ---- the verdict ---- */

static const alea_node *root_of(const alea_search *s) {
  return s->root != 0 ? alea_node_store_at(&s->store, s->root) : NULL;
}

/* A copy of 'root' whose arms and bounds may be changed. */
static bool copy_root(alea_root_parallel *t, const alea_node *root) {
  uint32_t roles = t->main_search->setup->game->role_count, arms = root->firsts[roles];
  t->arms.count = t->bounds.count = 0;
  if (!alea_vec_reserve(t->mem, &t->arms, arms + 1u) ||
      !alea_vec_reserve(t->mem, &t->bounds, 2 * roles))
    return false;
  memcpy(t->arms.data, root->arms, arms * sizeof *root->arms);
  memcpy(t->bounds.data, root->lo, roles * sizeof *root->lo);
  memcpy(t->bounds.data + roles, root->hi, roles * sizeof *root->hi);
  t->verdict = *root;
  t->verdict.arms = t->arms.data;
  t->verdict.lo = t->bounds.data;
  t->verdict.hi = t->bounds.data + roles;
  return true;
}

/* Both bounds hold, so what lies in both does.  Where nothing does, two
 * searches took different ones of several best moves of somebody else, and
 * the first is as good as the other (play/exact.c). */
static void narrow(float *lo, float *hi, float other_lo, float other_hi) {
  float low = other_lo > *lo ? other_lo : *lo, high = other_hi < *hi ? other_hi : *hi;
  if (low > high) return;
  *lo = low;
  *hi = high;
}

static alea_arm *arm_of(alea_node *node, uint32_t role, uint32_t guess, alea_move move) {
  if (guess < node->firsts[role + 1] && node->moves[guess] == move) return &node->arms[guess];
  for (uint32_t a = node->firsts[role]; a < node->firsts[role + 1]; a++)
    if (node->moves[a] == move) return &node->arms[a];
  return NULL;
}

static void add_root(alea_root_parallel *t, const alea_node *root) {
  alea_node *all = &t->verdict;
  all->visits += root->visits;
  for (uint32_t r = 0; r < t->main_search->setup->game->role_count; r++) {
    narrow(&all->lo[r], &all->hi[r], root->lo[r], root->hi[r]);
    for (uint32_t a = root->firsts[r]; a < root->firsts[r + 1]; a++) {
      const alea_arm *arm = &root->arms[a];
      alea_arm *sum = arm_of(all, r, a, root->moves[a]);
      if (sum == NULL) continue;
      sum->visits += arm->visits;
      sum->sum += arm->sum;
      sum->squares += arm->squares;
      narrow(&sum->lo, &sum->hi, arm->lo, arm->hi);
    }
  }
}

static bool has_opinion(const alea_root_parallel *t, const root_parallel_worker *m) {
  return !m->busy && m->round == t->round && m->status == ALEA_OK && m->search.root != 0;
}

/* The root of a search that has proved it comes first. */
static const alea_node *first_root(const alea_root_parallel *t) {
  const alea_node *found = root_of(t->main_search);
  for (uint32_t i = 0; i < t->count && !has_proved(t->main_search); i++) {
    const root_parallel_worker *m = &t->workers[i];
    if (!has_opinion(t, m)) continue;
    if (has_proved(&m->search)) return root_of(&m->search);
    if (found == NULL) found = root_of(&m->search);
  }
  return found;
}

static void judge(alea_root_parallel *t) {
  const alea_node *first = first_root(t), *own = root_of(t->main_search);
  if (first == NULL || first->terminal || !copy_root(t, first)) return;
  if (own != NULL && own != first) add_root(t, own);
  for (uint32_t i = 0; i < t->count; i++) {
    const root_parallel_worker *m = &t->workers[i];
    if (has_opinion(t, m) && root_of(&m->search) != first) add_root(t, root_of(&m->search));
  }
  t->main_search->verdict = &t->verdict;
}

void alea_root_parallel_end(alea_root_parallel *t) {
  if (t == NULL) return;
  pthread_mutex_lock(&t->lock);
  await(t);
  for (uint32_t i = 0; i < t->count; i++)
    if (!t->workers[i].busy) add_stats(t->main_search->stats, &t->workers[i].stats);
  judge(t); /* under the lock: no worker finishes meanwhile */
  pthread_mutex_unlock(&t->lock);
}
