/* Coloured graphs handed to nauty (McKay and Piperno, JSC 2014).
 *
 * Its callback for generators carries no user pointer, so the running call is
 * found through a thread-local variable, set only while it runs; and it is
 * stopped through a variable of the process, so one call runs at a time.  Its
 * sister Traces is not used: it does not look at that variable while it works on
 * a large group, which took seconds, and loses its memory when it is stopped
 * (D138). */
#include "sym/sym.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/vec.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wundef"
#pragma GCC diagnostic ignored "-Wstrict-prototypes"
#pragma GCC diagnostic ignored "-Wpedantic"
#include <nauty/nausparse.h>
#include <nauty/nauty.h>
#pragma GCC diagnostic pop

enum { MAX_VERTICES = 1 << 26 };

typedef struct sym_edge {
  uint32_t a, b;
} sym_edge;

struct alea_sym_graph {
  alea_mem *mem;
  uint32_t n;
  ALEA_VEC(sym_edge) edges;
  uint32_t *colours;
  bool no_memory;
};

typedef struct running {
  const alea_sym_graph *graph;
  void (*on_generator)(void *data, const uint32_t *image);
  void *data;
  uint32_t *image;
} running;

static _Thread_local running *current;

alea_sym_graph *alea_sym_graph_new(alea_mem *mem, uint32_t vertices) {
  if (vertices == 0 || vertices > MAX_VERTICES) return NULL;
  alea_sym_graph *g = alea_mem_zalloc(mem, sizeof *g);
  if (g == NULL) return NULL;
  g->mem = mem;
  g->n = vertices;
  g->colours = alea_mem_calloc(mem, vertices, sizeof *g->colours);
  if (g->colours != NULL) return g;
  alea_sym_graph_free(g);
  return NULL;
}

alea_sym_graph *alea_sym_graph_extended(const alea_sym_graph *graph, uint32_t more, alea_mem *mem) {
  if (graph->no_memory || more > MAX_VERTICES) return NULL;
  alea_sym_graph *g = alea_sym_graph_new(mem, graph->n + more);
  if (g == NULL) return NULL;
  if (!alea_vec_reserve(mem, &g->edges, graph->edges.count)) {
    alea_sym_graph_free(g);
    return NULL;
  }
  memcpy(g->colours, graph->colours, graph->n * sizeof *g->colours);
  if (graph->edges.count > 0)
    memcpy(g->edges.data, graph->edges.data, graph->edges.count * sizeof *g->edges.data);
  g->edges.count = graph->edges.count;
  return g;
}

size_t alea_sym_graph_size(const alea_sym_graph *g) { return g->n + g->edges.count; }
uint32_t alea_sym_graph_vertices(const alea_sym_graph *g) { return g->n; }

void alea_sym_graph_free(alea_sym_graph *g) {
  if (g == NULL) return;
  alea_vec_clear(g->mem, &g->edges);
  alea_mem_free(g->mem, g->colours, g->n * sizeof *g->colours);
  alea_mem_free(g->mem, g, sizeof *g);
}

void alea_sym_graph_colour(alea_sym_graph *g, uint32_t vertex, uint32_t colour) {
  g->colours[vertex] = colour;
}

void alea_sym_graph_edge(alea_sym_graph *g, uint32_t a, uint32_t b) {
  if (!alea_vec_push(g->mem, &g->edges, (sym_edge){a, b})) g->no_memory = true;
}

static void found(int count, int *perm, int *orbits, int orbit_count, int stabiliser, int n) {
  (void)count, (void)orbits, (void)orbit_count, (void)stabiliser;
  for (int i = 0; i < n; i++) current->image[i] = (uint32_t)perm[i];
  current->on_generator(current->data, current->image);
}

typedef struct coloured {
  uint32_t colour, vertex;
} coloured;

static int by_colour(const void *a, const void *b) {
  const coloured *x = a, *y = b;
  if (x->colour != y->colour) return x->colour < y->colour ? -1 : 1;
  return x->vertex < y->vertex ? -1 : x->vertex > y->vertex;
}

/* nauty's form of a colouring: vertices by colour, and where a class ends. */
static bool partition(const alea_sym_graph *g, int *lab, int *ptn) {
  coloured *order = alea_mem_alloc(g->mem, g->n * sizeof *order);
  if (order == NULL) return false;
  for (uint32_t i = 0; i < g->n; i++) order[i] = (coloured){g->colours[i], i};
  qsort(order, g->n, sizeof *order, by_colour);
  for (uint32_t i = 0; i < g->n; i++) {
    lab[i] = (int)order[i].vertex;
    ptn[i] = i + 1 < g->n && order[i + 1].colour == order[i].colour;
  }
  alea_mem_free(g->mem, order, g->n * sizeof *order);
  return true;
}

static int by_number(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return x < y ? -1 : x > y;
}

/* Neighbours in order and once each, as nauty wants them.  The
 * gaps that this leaves between the rows are allowed. */
static void make_simple(sparsegraph *form) {
  form->nde = 0;
  for (int v = 0; v < form->nv; v++) {
    int *row = form->e + form->v[v], degree = form->d[v], kept = 0;
    qsort(row, (size_t)degree, sizeof *row, by_number);
    for (int i = 0; i < degree; i++)
      if (i == 0 || row[i] != row[i - 1]) row[kept++] = row[i];
    form->d[v] = kept;
    form->nde += (size_t)kept;
  }
}

/* nauty's sparse form, in one block of memory: offsets, degrees, neighbours. */
static bool sparse(const alea_sym_graph *g, sparsegraph *out, void **block, size_t *bytes) {
  size_t arcs = 2 * g->edges.count;
  *bytes = g->n * (sizeof(size_t) + sizeof(int)) + (arcs + 1) * sizeof(int);
  *block = alea_mem_zalloc(g->mem, *bytes);
  if (*block == NULL) return false;
  *out = (sparsegraph){.nv = (int)g->n, .nde = arcs, .vlen = g->n, .dlen = g->n, .elen = arcs + 1};
  out->v = *block;
  out->d = (int *)(out->v + g->n);
  out->e = out->d + g->n;
  for (size_t i = 0; i < g->edges.count; i++) {
    out->d[g->edges.data[i].a]++;
    out->d[g->edges.data[i].b]++;
  }
  size_t at = 0;
  for (uint32_t v = 0; v < g->n; v++) {
    out->v[v] = at;
    at += (size_t)out->d[v];
    out->d[v] = 0;
  }
  for (size_t i = 0; i < g->edges.count; i++) {
    uint32_t a = g->edges.data[i].a, b = g->edges.data[i].b;
    out->e[out->v[a] + (size_t)out->d[a]++] = (int)b;
    out->e[out->v[b] + (size_t)out->d[b]++] = (int)a;
  }
  make_simple(out);
  return true;
}

/* ---- running within a time ---- */

/* Pulls nauty's switch when the deadline passes before the work is done.  CPU
 * time is that of the thread that works, not of the one that watches. */
typedef struct watchdog {
  const alea_deadline *deadline;
  clockid_t working;
  bool has_clock;
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t wake;
  bool done, started;
} watchdog;

static bool is_over(const watchdog *dog) {
  alea_deadline others = *dog->deadline;
  struct timespec used;
  others.thread_at = 0;
  if (alea_deadline_passed(&others)) return true;
  if (dog->deadline->thread_at == 0 || !dog->has_clock || clock_gettime(dog->working, &used) != 0)
    return false;
  return (double)used.tv_sec + 1e-9 * (double)used.tv_nsec >= dog->deadline->thread_at;
}

static void *watch(void *data) {
  watchdog *dog = data;
  pthread_mutex_lock(&dog->lock);
  while (!dog->done) {
    if (is_over(dog)) nauty_kill_request = 1;
    struct timespec soon;
    clock_gettime(CLOCK_MONOTONIC, &soon);
    soon.tv_nsec += 5000000;
    if (soon.tv_nsec >= 1000000000) soon.tv_sec++, soon.tv_nsec -= 1000000000;
    pthread_cond_timedwait(&dog->wake, &dog->lock, &soon);
  }
  pthread_mutex_unlock(&dog->lock);
  return NULL;
}

static void unleash(watchdog *dog, const alea_deadline *deadline) {
  *dog = (watchdog){.deadline = deadline};
  if (deadline == NULL) return;
  dog->has_clock = pthread_getcpuclockid(pthread_self(), &dog->working) == 0;
  pthread_mutex_init(&dog->lock, NULL);
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(&dog->wake, &attributes);
  pthread_condattr_destroy(&attributes);
  dog->started = pthread_create(&dog->thread, NULL, watch, dog) == 0;
}

static void call_back(watchdog *dog) {
  if (dog->deadline == NULL) return;
  if (dog->started) {
    pthread_mutex_lock(&dog->lock);
    dog->done = true;
    pthread_cond_signal(&dog->wake);
    pthread_mutex_unlock(&dog->lock);
    pthread_join(dog->thread, NULL);
  }
  pthread_mutex_destroy(&dog->lock);
  pthread_cond_destroy(&dog->wake);
}

/* 'numbers' holds labels, partition and orbits.  What nauty keeps for the next
 * graph is as large as the largest, and stands in no ledger. */
static int run_nauty(sparsegraph *form, int *numbers, double *order) {
  static DEFAULTOPTIONS_SPARSEGRAPH(defaults);
  optionblk options = defaults;
  statsblk stats;
  int n = form->nv;
  options.defaultptn = FALSE;
  options.userautomproc = found;
  sparsenauty(form, numbers, numbers + n, numbers + 2 * n, &options, &stats, NULL);
  *order = stats.grpsize1 * pow(10, stats.grpsize2);
  nauty_freedyn();
  nautil_freedyn();
  nausparse_freedyn();
  return stats.errstatus;
}

static alea_status run(sparsegraph *form, int *numbers, const alea_deadline *deadline,
                       double *order) {
  static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
  watchdog dog;
  if (alea_deadline_passed(deadline)) return ALEA_LIMIT;
  pthread_mutex_lock(&one_at_a_time);
  nauty_kill_request = 0;
  unleash(&dog, deadline);
  int error = run_nauty(form, numbers, order);
  call_back(&dog);
  bool killed = nauty_kill_request != 0;
  nauty_kill_request = 0;
  pthread_mutex_unlock(&one_at_a_time);
  if (killed) *order = 0;
  if (killed) return ALEA_LIMIT;
  return error == 0 ? ALEA_OK : ALEA_SYSTEM;
}

alea_status alea_sym_automorphisms(alea_sym_graph *g, const alea_deadline *deadline,
                                   void (*on_generator)(void *data, const uint32_t *image),
                                   void *data, double *order) {
  sparsegraph form;
  void *block = NULL;
  size_t bytes = 3 * g->n * sizeof(int), words = g->n * sizeof(uint32_t), block_bytes = 0;
  int *numbers = alea_mem_alloc(g->mem, bytes);
  running mine = {g, on_generator, data, alea_mem_alloc(g->mem, words)};
  alea_status status = ALEA_SYSTEM;
  *order = 0;
  if (!g->no_memory && numbers != NULL && mine.image != NULL &&
      partition(g, numbers, numbers + g->n) && sparse(g, &form, &block, &block_bytes)) {
    current = &mine;
    status = run(&form, numbers, deadline, order);
    current = NULL;
  }
  alea_mem_free(g->mem, block, block_bytes);
  alea_mem_free(g->mem, numbers, bytes);
  alea_mem_free(g->mem, mine.image, words);
  return status;
}
