/* Coloured graphs handed to nauty (McKay and Piperno, JSC 2014).
 *
 * nauty's callback for generators carries no user pointer, so the running
 * call is found through a thread-local variable, set only while it runs. */
#include "sym/sym.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wundef"
#pragma GCC diagnostic ignored "-Wstrict-prototypes"
#pragma GCC diagnostic ignored "-Wpedantic"
#include <nauty/nausparse.h>
#include <nauty/nauty.h>
#pragma GCC diagnostic pop

enum { MAX_VERTICES = 1 << 16 };

typedef struct edge {
  uint32_t a, b;
} edge;

struct alea_graph {
  alea_mem *mem;
  uint32_t n;
  ALEA_VEC(edge) edges;
  uint32_t *colours;
  bool no_memory;
};

typedef struct running {
  const alea_graph *graph;
  void (*on_generator)(void *data, const uint32_t *image);
  void *data;
  uint32_t *image;
} running;

static _Thread_local running *current;

alea_graph *alea_graph_new(alea_mem *mem, uint32_t vertices) {
  if (vertices == 0 || vertices > MAX_VERTICES) return NULL;
  alea_graph *g = alea_mem_zalloc(mem, sizeof *g);
  if (g == NULL) return NULL;
  g->mem = mem;
  g->n = vertices;
  g->colours = alea_mem_calloc(mem, vertices, sizeof *g->colours);
  if (g->colours != NULL) return g;
  alea_graph_free(g);
  return NULL;
}

void alea_graph_free(alea_graph *g) {
  if (g == NULL) return;
  alea_vec_clear(g->mem, &g->edges);
  alea_mem_free(g->mem, g->colours, g->n * sizeof *g->colours);
  alea_mem_free(g->mem, g, sizeof *g);
}

void alea_graph_colour(alea_graph *g, uint32_t vertex, uint32_t colour) {
  g->colours[vertex] = colour;
}

void alea_graph_edge(alea_graph *g, uint32_t a, uint32_t b) {
  if (!alea_vec_push(g->mem, &g->edges, (edge){a, b})) g->no_memory = true;
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
static bool partition(const alea_graph *g, int *lab, int *ptn) {
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

/* nauty's sparse form, in one block of memory: offsets, degrees, neighbours. */
static bool sparse(const alea_graph *g, sparsegraph *out, void **block, size_t *bytes) {
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
  return true;
}

alea_status alea_graph_automorphisms(alea_graph *g,
                                     void (*on_generator)(void *data, const uint32_t *image),
                                     void *data, double *order) {
  static DEFAULTOPTIONS_SPARSEGRAPH(defaults);
  optionblk options = defaults;
  statsblk stats;
  sparsegraph form;
  void *block = NULL;
  size_t bytes = 3 * g->n * sizeof(int), words = g->n * sizeof(uint32_t), block_bytes = 0;
  int *numbers = alea_mem_alloc(g->mem, bytes);
  running run = {g, on_generator, data, alea_mem_alloc(g->mem, words)};
  alea_status status = ALEA_SYSTEM;
  if (!g->no_memory && numbers != NULL && run.image != NULL &&
      partition(g, numbers, numbers + g->n) && sparse(g, &form, &block, &block_bytes)) {
    options.defaultptn = FALSE;
    options.userautomproc = found;
    current = &run;
    sparsenauty(&form, numbers, numbers + g->n, numbers + 2 * g->n, &options, &stats, NULL);
    current = NULL;
    *order = stats.grpsize1 * pow(10, stats.grpsize2);
    status = stats.errstatus == 0 ? ALEA_OK : ALEA_SYSTEM;
  }
  alea_mem_free(g->mem, block, block_bytes);
  alea_mem_free(g->mem, numbers, bytes);
  alea_mem_free(g->mem, run.image, words);
  return status;
}
