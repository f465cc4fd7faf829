/* Fluents that are redundant: constants, and copies of another fluent.
 *
 * Constants: a literal is possible if it can become true starting from the
 * initial state when moves are arbitrary and inputs independent.  This is
 * computed forward, each literal becoming possible at most once; a fluent of
 * which only the initial value is possible never changes.
 *
 * Copies: fluents that were always equal, or always opposite, in some random
 * play are guessed to be so for ever.  The guess is proved by induction: they
 * agree at the start, and with every fluent replaced by the first of its
 * class the next values of a class come out as the same literal.  Where they
 * do not, classes are split and the proof is tried again (van Eijk, IEEE TCAD
 * 19, 2000). */
#include <string.h>

#include "base/hash.h"
#include "base/hash_map.h"
#include "base/rng.h"
#include "propnet/graph.h"

/* ---- possible values ---- */

typedef struct fluents_forward {
  const alea_graph *graph;
  alea_mem *mem;
  size_t lits;
  uint8_t *possible;      /* per literal */
  uint32_t *missing;      /* per gate: inputs not yet possible (OR: not yet possibly false) */
  uint32_t *reader_first; /* per literal, CSR: gates, then gate count + fluent for next roots */
  uint32_t *readers;
  uint32_t reader_count;
  alea_u32s queue;
} fluents_forward;

static bool reach(fluents_forward *f, alea_lit lit) {
  if (f->possible[lit]) return true;
  f->possible[lit] = 1;
  return alea_vec_push(f->mem, &f->queue, lit);
}

static void count_readers(fluents_forward *f, bool writing) {
  const alea_graph *graph = f->graph;
  for (size_t k = 0; k < graph->gates.count; k++) {
    const alea_graph_gate *g = &graph->gates.data[k];
    for (uint32_t i = 0; i < g->count; i++) {
      alea_lit lit = graph->inputs.data[g->first + i];
      if (writing) f->readers[f->reader_first[lit]] = (uint32_t)k;
      f->reader_first[lit]++;
    }
  }
  for (uint32_t i = 0; i < graph->ground->fluent_count; i++) {
    alea_lit lit = graph->roots.data[alea_root_next(graph) + i];
    if (writing) f->readers[f->reader_first[lit]] = (uint32_t)graph->gates.count + i;
    f->reader_first[lit]++;
  }
}

static bool make_readers(fluents_forward *f) {
  count_readers(f, false);
  for (size_t i = 0; i < f->lits; i++) {
    uint32_t count = f->reader_first[i];
    f->reader_first[i] = f->reader_count;
    f->reader_count += count;
  }
  f->readers = alea_mem_alloc(f->mem, f->reader_count * sizeof *f->readers);
  if (f->readers == NULL) return false;
  count_readers(f, true);
  memmove(f->reader_first + 1, f->reader_first, f->lits * sizeof *f->reader_first);
  f->reader_first[0] = 0;
  return true;
}

/* 'reader' has an input that 'value' says is now possibly true or false. */
static bool inform(fluents_forward *f, uint32_t reader, bool value) {
  const alea_graph *graph = f->graph;
  if (reader >= graph->gates.count)
    return reach(f, 2 * (1 + reader - (uint32_t)graph->gates.count) + !value);
  const alea_graph_gate *g = &graph->gates.data[reader];
  alea_lit lit = 2 * (graph->leaf_count + reader);
  if (value == (g->kind == ALEA_GATE_OR)) return reach(f, lit + !value);
  return --f->missing[reader] > 0 || reach(f, lit + !value);
}

static bool run_forward(fluents_forward *f) {
  for (size_t i = 0; i < f->queue.count; i++) {
    alea_lit lit = f->queue.data[i];
    for (uint32_t k = f->reader_first[lit]; k < f->reader_first[lit + 1]; k++)
      if (!inform(f, f->readers[k], true)) return false;
    alea_lit other = lit ^ 1;
    for (uint32_t k = f->reader_first[other]; k < f->reader_first[other + 1]; k++)
      if (!inform(f, f->readers[k], false)) return false;
  }
  return true;
}

static bool start_forward(fluents_forward *f) {
  const alea_graph *graph = f->graph;
  const alea_ground *ground = graph->ground;
  bool ok = reach(f, ALEA_LIT_TRUE);
  for (uint32_t i = 0; ok && i < ground->fluent_count; i++)
    ok = reach(f, 2 * (1 + i) + !ground->init[i]);
  for (uint32_t i = 1 + ground->fluent_count; ok && i < graph->leaf_count; i++)
    ok = reach(f, 2 * i) && reach(f, 2 * i + 1);
  for (uint32_t k = 0; ok && k < graph->gates.count; k++) {
    f->missing[k] = graph->gates.data[k].count;
    /* On a cycle falsehood needs no reason. */
    if (graph->gates.data[k].cyclic) ok = reach(f, 2 * (graph->leaf_count + k) + 1);
  }
  return ok;
}

/* Constant fluents get constant leaves. */
static alea_status find_constants(alea_graph *graph, bool *any) {
  fluents_forward f = {.graph = graph, .mem = graph->mem};
  f.lits = 2 * (graph->leaf_count + graph->gates.count);
  f.possible = alea_mem_zalloc(f.mem, f.lits);
  f.missing = alea_mem_calloc(f.mem, graph->gates.count, sizeof *f.missing);
  f.reader_first = alea_mem_calloc(f.mem, f.lits + 1, sizeof *f.reader_first);
  bool ok = f.possible != NULL && f.missing != NULL && f.reader_first != NULL && make_readers(&f) &&
            start_forward(&f) && run_forward(&f);
  for (uint32_t i = 0; ok && i < graph->ground->fluent_count; i++) {
    uint32_t node = 1 + i;
    if (f.possible[2 * node] && f.possible[2 * node + 1]) continue;
    if (graph->leaves.data[node] != 2 * node) continue;
    graph->leaves.data[node] = graph->ground->init[i] ? ALEA_LIT_TRUE : ALEA_LIT_FALSE;
    *any = true;
  }
  alea_mem_free(f.mem, f.possible, f.lits);
  alea_mem_free(f.mem, f.missing, graph->gates.count * sizeof *f.missing);
  alea_mem_free(f.mem, f.reader_first, (f.lits + 1) * sizeof *f.reader_first);
  alea_mem_free(f.mem, f.readers, f.reader_count * sizeof *f.readers);
  alea_vec_clear(f.mem, &f.queue);
  return ok ? ALEA_OK : alea_graph_no_memory(graph->mem);
}

/* ---- guessing by play ---- */

enum { MIN_STEPS = 24, MAX_STEPS = 1000, WORK = 20000000 };

typedef struct fluents_play {
  const alea_graph *graph;
  uint8_t *value;    /* per node */
  uint8_t *next;     /* per fluent */
  uint64_t *history; /* per fluent: sum of random weights of the steps in which it held */
  uint64_t total;    /* of all weights */
  size_t on_moves;   /* the gates before this one do not depend on moves */
  alea_rng rng;
} fluents_play;

static bool lit_value(const fluents_play *p, alea_lit lit) {
  return (p->value[lit >> 1] != 0) != ((lit & 1) != 0);
}

static bool root_value(const fluents_play *p, uint32_t root) {
  return lit_value(p, p->graph->roots.data[root]);
}

static bool gate_value(const fluents_play *p, size_t gate) {
  const alea_graph_gate *g = &p->graph->gates.data[gate];
  bool stop = g->kind == ALEA_GATE_OR;
  for (uint32_t i = 0; i < g->count; i++)
    if (lit_value(p, p->graph->inputs.data[g->first + i]) == stop) return stop;
  return !stop;
}

/* A rebuilt graph is in evaluation order but for cycles.  There one pass gives
 * a wrong value now and then, which may spoil a guess but not a proof. */
static void evaluate(fluents_play *p, size_t from, size_t to) {
  for (size_t k = from; k < to; k++) p->value[p->graph->leaf_count + k] = gate_value(p, k);
}

static size_t first_on_moves(const alea_graph *graph) {
  for (size_t k = 0; k < graph->gates.count; k++) {
    const alea_graph_gate *g = &graph->gates.data[k];
    for (uint32_t i = 0; i < g->count; i++)
      if (alea_graph_is_move(graph, graph->inputs.data[g->first + i])) return k;
  }
  return graph->gates.count;
}

static void start_play(fluents_play *p) {
  const alea_ground *ground = p->graph->ground;
  memset(p->value, 0, p->graph->leaf_count + p->graph->gates.count);
  p->value[0] = 1;
  if (ground->fluent_count > 0) memcpy(p->value + 1, ground->init, ground->fluent_count);
}

/* Makes a random legal move for each role; false: somebody has none. */
static bool choose_moves(fluents_play *p) {
  const alea_ground *ground = p->graph->ground;
  uint32_t first = 1 + ground->fluent_count;
  if (ground->move_count > 0) memset(p->value + first, 0, ground->move_count);
  for (uint32_t role = 0; role < ground->role_count; role++) {
    uint32_t chosen = UINT32_MAX, count = 0;
    for (uint32_t m = ground->move_first[role]; m < ground->move_first[role + 1]; m++)
      if (root_value(p, alea_root_legal(p->graph) + m) && alea_rng_below(&p->rng, ++count) == 0)
        chosen = m;
    if (chosen == UINT32_MAX) return false;
    p->value[first + chosen] = 1;
  }
  return true;
}

static void record(fluents_play *p) {
  const alea_ground *ground = p->graph->ground;
  uint64_t weight = alea_rng_next(&p->rng);
  p->total += weight;
  for (uint32_t i = 0; i < ground->fluent_count; i++)
    if (p->value[1 + i]) p->history[i] += weight;
}

static void run_play(fluents_play *p) {
  const alea_graph *graph = p->graph;
  const alea_ground *ground = graph->ground;
  size_t size = graph->inputs.count + graph->leaf_count + 1, steps = WORK / size;
  steps = steps < MIN_STEPS ? MIN_STEPS : steps > MAX_STEPS ? MAX_STEPS : steps;
  start_play(p);
  p->on_moves = first_on_moves(graph);
  for (size_t step = 0; step < steps && !alea_mem_given_up(graph->mem); step++) {
    record(p);
    evaluate(p, 0, p->on_moves);
    if (root_value(p, alea_root_terminal(graph)) || !choose_moves(p)) {
      start_play(p);
      continue;
    }
    evaluate(p, p->on_moves, graph->gates.count);
    for (uint32_t i = 0; i < ground->fluent_count; i++)
      p->next[i] = root_value(p, alea_root_next(graph) + i);
    if (ground->fluent_count > 0) memcpy(p->value + 1, p->next, ground->fluent_count);
  }
}

/* ---- classes ---- */

/* Gives equal keys the number of the first fluent that has them; keys[i] == 0
 * stands alone.  'classes' has one entry per fluent. */
static bool classify(const uint64_t *keys, uint32_t count, uint32_t *classes, alea_mem *mem) {
  alea_hash_map map;
  if (!alea_hash_map_init(&map, mem, count)) return false;
  for (uint32_t i = 0; i < count; i++) {
    classes[i] = i;
    if (keys[i] == 0) continue;
    alea_hash_probe probe = alea_hash_map_probe(&map, alea_hash_mix(keys[i]));
    while (alea_hash_map_next(&map, &probe) && keys[probe.id] != keys[i]) {
    }
    if (probe.id == ALEA_HASH_NONE)
      alea_hash_map_put(&map, probe, i);
    else
      classes[i] = probe.id;
  }
  alea_hash_map_clear(&map, mem);
  return true;
}

/* Equal keys: the fluents were always equal, or always opposite.  Fluents that
 * never changed are left out: most of them merely were not reached. */
static void keys_of_play(const fluents_play *p, uint64_t *keys) {
  const alea_ground *ground = p->graph->ground;
  for (uint32_t i = 0; i < ground->fluent_count; i++) {
    bool plain = p->graph->leaves.data[1 + i] == 2 * (1 + i);
    keys[i] = !plain ? 0 : ground->init[i] ? p->total - p->history[i] : p->history[i];
  }
}

static alea_status guess(const alea_graph *graph, uint64_t *keys) {
  alea_mem *mem = graph->mem;
  uint32_t fluents = graph->ground->fluent_count;
  size_t nodes = graph->leaf_count + graph->gates.count;
  fluents_play p = {.graph = graph};
  alea_rng_seed(&p.rng, 1);
  p.value = alea_mem_alloc(mem, nodes);
  p.next = alea_mem_alloc(mem, fluents);
  p.history = alea_mem_calloc(mem, fluents, sizeof *p.history);
  bool ok = p.value != NULL && p.next != NULL && p.history != NULL;
  if (ok) {
    run_play(&p);
    keys_of_play(&p, keys);
  }
  alea_mem_free(mem, p.value, nodes);
  alea_mem_free(mem, p.next, fluents);
  alea_mem_free(mem, p.history, fluents * sizeof *p.history);
  return ok ? ALEA_OK : alea_graph_no_memory(mem);
}

/* ---- the proof ---- */

enum { MAX_ROUNDS = 6 };

/* The literal that stands for fluent i: the first of its class, or its negation. */
static alea_lit representative(const alea_ground *ground, const uint32_t *classes, uint32_t i) {
  return 2 * (1 + classes[i]) + (ground->init[i] != ground->init[classes[i]]);
}

static bool copy_graph(alea_graph *copy, const alea_graph *graph) {
  alea_graph_init(copy, graph->ground, graph->mem);
  bool ok = alea_vec_reserve(copy->mem, &copy->gates, graph->gates.count) &&
            alea_vec_reserve(copy->mem, &copy->inputs, graph->inputs.count) &&
            alea_vec_reserve(copy->mem, &copy->roots, graph->roots.count) &&
            alea_vec_reserve(copy->mem, &copy->leaves, graph->leaves.count);
  if (!ok) return false;
  copy->gates.count = graph->gates.count;
  copy->inputs.count = graph->inputs.count;
  copy->roots.count = graph->roots.count;
  copy->leaves.count = graph->leaves.count;
  if (graph->gates.count > 0)
    memcpy(copy->gates.data, graph->gates.data, graph->gates.count * sizeof *graph->gates.data);
  if (graph->inputs.count > 0)
    memcpy(copy->inputs.data, graph->inputs.data, graph->inputs.count * sizeof(alea_lit));
  memcpy(copy->roots.data, graph->roots.data, graph->roots.count * sizeof(alea_lit));
  memcpy(copy->leaves.data, graph->leaves.data, graph->leaves.count * sizeof(alea_lit));
  return true;
}

/* Assumes the classes and splits those whose next values differ. */
static alea_status try_classes(const alea_graph *graph, unsigned what, uint32_t *classes,
                               uint64_t *keys, bool *proved) {
  const alea_ground *ground = graph->ground;
  alea_graph copy;
  alea_status status = ALEA_OK;
  if (!copy_graph(&copy, graph)) status = alea_graph_no_memory(graph->mem);
  for (uint32_t i = 0; status == ALEA_OK && i < ground->fluent_count; i++)
    if (classes[i] != i) copy.leaves.data[1 + i] = representative(ground, classes, i);
  if (status == ALEA_OK) status = alea_graph_rebuild(&copy, what, NULL);
  *proved = true;
  for (uint32_t i = 0; status == ALEA_OK && i < ground->fluent_count; i++) {
    alea_lit next = copy.roots.data[alea_root_next(&copy) + i] ^ (ground->init[i] ? 1u : 0u);
    alea_lit first =
        copy.roots.data[alea_root_next(&copy) + classes[i]] ^ (ground->init[classes[i]] ? 1u : 0u);
    *proved = *proved && next == first;
    if (keys[i] != 0) keys[i] = ((uint64_t)classes[i] + 1) << 32 | next;
  }
  alea_graph_clear(&copy);
  return status;
}

static alea_status prove(alea_graph *graph, unsigned what, const alea_deadline *deadline,
                         uint32_t *classes, uint64_t *keys, bool *any) {
  const alea_ground *ground = graph->ground;
  bool proved = false;
  for (int round = 0; !proved; round++) {
    if (!classify(keys, ground->fluent_count, classes, graph->mem))
      return alea_graph_no_memory(graph->mem);
    bool together = false;
    for (uint32_t i = 0; i < ground->fluent_count; i++) together = together || classes[i] != i;
    if (!together || round == MAX_ROUNDS || alea_deadline_passed(deadline)) return ALEA_OK;
    alea_status status = try_classes(graph, what, classes, keys, &proved);
    if (status != ALEA_OK) return status;
  }
  for (uint32_t i = 0; i < ground->fluent_count; i++) {
    if (classes[i] == i) continue;
    graph->leaves.data[1 + i] = representative(ground, classes, i);
    *any = true;
  }
  return ALEA_OK;
}

/* Rebuilds with the leaves found; a fluent that is read as something else has
 * the next value of that. */
static alea_status apply_leaves(alea_graph *graph, unsigned what) {
  uint32_t next = alea_root_next(graph);
  for (uint32_t i = 0; i < graph->ground->fluent_count; i++) {
    alea_lit lit = graph->leaves.data[1 + i];
    if (lit >> 1 == 1 + i) continue;
    graph->roots.data[next + i] =
        lit <= ALEA_LIT_FALSE ? lit : graph->roots.data[next + (lit >> 1) - 1] ^ (lit & 1);
  }
  return alea_graph_rebuild(graph, what, NULL);
}

alea_status alea_graph_merge_fluents(alea_graph *graph, unsigned what,
                                     const alea_deadline *deadline) {
  bool any = false;
  alea_status status = find_constants(graph, &any);
  if (status == ALEA_OK && any) status = apply_leaves(graph, what);
  if (status != ALEA_OK || alea_deadline_passed(deadline)) return status;
  uint32_t fluents = graph->ground->fluent_count;
  uint64_t *keys = alea_mem_calloc(graph->mem, fluents, sizeof *keys);
  uint32_t *classes = alea_mem_calloc(graph->mem, fluents, sizeof *classes);
  status = keys != NULL && classes != NULL ? guess(graph, keys) : alea_graph_no_memory(graph->mem);
  any = false;
  if (status == ALEA_OK) status = prove(graph, what, deadline, classes, keys, &any);
  alea_mem_free(graph->mem, keys, fluents * sizeof *keys);
  alea_mem_free(graph->mem, classes, fluents * sizeof *classes);
  if (status == ALEA_OK && any) status = apply_leaves(graph, what);
  return status;
}
