/* Pairs of moves that can be exchanged, by clauses over two stages. */
#include "unroll/partial_order.h"

#include "unroll/core.h"
#include "unroll/mutex.h"

enum {
  MOST_BAD = 2000,         /* pairs taken out before it is given up */
  DEFAULT_CONFLICTS = 3000 /* in all */
};

/* Two orders from one open state: layers 0, 1, 2 play x then y, and 3, 4, 5 play
 * y then x. */
typedef struct partial_order_finder {
  alea_unroll *u;
  alea_mem *mem;
  alea_groups mutex;
  uint32_t count; /* moves */
  uint32_t first; /* node of move 0 */
  uint8_t *bad;   /* by a * count + b */
  ALEA_VEC(alea_slit) differs;
} partial_order_finder;

static alea_slit x_of(const partial_order_finder *f, alea_move m) {
  return f->u->layers.data[0].lits[f->first + m];
}
static alea_slit y_of(const partial_order_finder *f, alea_move m) {
  return f->u->layers.data[1].lits[f->first + m];
}

/* ---- the question ---- */

/* A literal that implies all of 'lits' joins those of which one must hold. */
static alea_status add_case(partial_order_finder *f, const alea_slit *lits, size_t count) {
  alea_sat *sat = &f->u->sat;
  for (size_t i = 0; i < count; i++)
    if (lits[i] == ALEA_SLIT_FALSE) return ALEA_OK;
  alea_slit here = alea_sat_variable(sat);
  for (size_t i = 0; i < count; i++) alea_sat_clause2(sat, -here, lits[i]);
  return alea_vec_push(f->mem, &f->differs, here) ? ALEA_OK : unroll_no_memory(f->mem);
}

/* Fluents of a layer are the next ones of another. */
static alea_status push_next(partial_order_finder *f, size_t from) {
  alea_status status = unroll_layer_push(f->u);
  if (status != ALEA_OK) return status;
  unroll_layer *layers = f->u->layers.data, *last = &layers[f->u->layers.count - 1];
  for (uint32_t i = 0; i < f->u->net->fluent_count; i++)
    last->lits[1 + i] = unroll_layer_lit(&layers[from], f->u->net->next[i]);
  return ALEA_OK;
}

/* Plays in the layer the very moves that were chosen in another. */
static alea_status replay(partial_order_finder *f, size_t at, size_t chosen) {
  unroll_layer *layer = &f->u->layers.data[at];
  for (alea_move m = 0; m < f->count; m++)
    layer->lits[f->first + m] = f->u->layers.data[chosen].lits[f->first + m];
  return unroll_layer_phase(f->u, layer, ALEA_PHASE_NEXT);
}

/* What is exclusive in every state that can be reached is so in the open one. */
static alea_status add_mutex(partial_order_finder *f) {
  const alea_groups *m = &f->mutex;
  alea_unroll *u = f->u;
  uint32_t first = 0;
  for (size_t g = 0; g < m->ends.count; first = m->ends.data[g++]) {
    u->scratch.count = 0;
    if (!alea_vec_reserve(f->mem, &u->scratch, m->ends.data[g] - first))
      return unroll_no_memory(f->mem);
    for (uint32_t i = first; i < m->ends.data[g]; i++)
      u->scratch.data[u->scratch.count++] = u->layers.data[0].lits[1 + m->members.data[i]];
    alea_sat_at_most_one(&u->sat, u->scratch.data, u->scratch.count);
  }
  return ALEA_OK;
}

static alea_status make_orders(partial_order_finder *f) {
  alea_unroll *u = f->u;
  alea_status status = unroll_layer_push_open(u);
  if (status == ALEA_OK) status = add_mutex(f);
  for (size_t t = 0; status == ALEA_OK && t < 2; t++) {
    status = unroll_layer_play(u, &u->layers.data[t]);
    if (status != ALEA_OK) break;
    alea_sat_clause(&u->sat, &u->layers.data[t].play, 1);
    status = push_next(f, t);
    if (status == ALEA_OK && t == 0)
      status = unroll_layer_phase(u, &u->layers.data[1], ALEA_PHASE_STATE);
  }
  if (status == ALEA_OK) status = unroll_layer_push(u);
  if (status != ALEA_OK) return status;
  unroll_layer *first = &u->layers.data[0], *again = &u->layers.data[3];
  for (uint32_t node = 0; node < u->net->phase_end[ALEA_PHASE_STATE]; node++)
    again->lits[node] = first->lits[node];
  status = replay(f, 3, 1);
  if (status == ALEA_OK) status = push_next(f, 3);
  if (status == ALEA_OK) status = unroll_layer_phase(u, &u->layers.data[4], ALEA_PHASE_STATE);
  if (status == ALEA_OK) status = replay(f, 4, 0);
  return status == ALEA_OK ? push_next(f, 4) : status;
}

/* One of: y is illegal at first, x after it, it ends between, or the states
 * after both differ. */
static alea_status make_difference(partial_order_finder *f) {
  const alea_net *net = f->u->net;
  const unroll_layer *layers = f->u->layers.data;
  alea_slit ended = unroll_layer_lit(&layers[4], net->terminal);
  alea_status status = add_case(f, &ended, 1);
  for (alea_move m = 0; status == ALEA_OK && m < f->count; m++) {
    alea_slit y[2] = {y_of(f, m), -unroll_layer_lit(&layers[3], net->legal[m])};
    alea_slit x[2] = {x_of(f, m), -unroll_layer_lit(&layers[4], net->legal[m])};
    status = add_case(f, y, 2);
    if (status == ALEA_OK) status = add_case(f, x, 2);
  }
  for (uint32_t i = 0; status == ALEA_OK && i < net->fluent_count; i++) {
    alea_slit a = layers[2].lits[1 + i], b = layers[5].lits[1 + i];
    if (a == b) continue;
    alea_slit only_a[2] = {a, -b}, only_b[2] = {-a, b};
    status = add_case(f, only_a, 2);
    if (status == ALEA_OK) status = add_case(f, only_b, 2);
  }
  if (status == ALEA_OK) alea_sat_clause(&f->u->sat, f->differs.data, f->differs.count);
  return status;
}

/* x has a larger number than y. */
static void make_order(partial_order_finder *f) {
  alea_sat *sat = &f->u->sat;
  alea_slit up_to = ALEA_SLIT_FALSE; /* x is one of the moves so far */
  for (alea_move m = 0; m < f->count; m++) {
    alea_slit next = alea_sat_variable(sat);
    alea_sat_clause2(sat, -up_to, next);
    alea_sat_clause2(sat, -x_of(f, m), next);
    alea_sat_clause2(sat, -y_of(f, m), -next);
    up_to = next;
  }
}

/* ---- the search ---- */

/* Takes the pair of the model out. */
static void take_out(partial_order_finder *f) {
  alea_move a = alea_unroll_chosen(f->u, 0, 0), b = alea_unroll_chosen(f->u, 1, 0);
  f->bad[(size_t)a * f->count + b] = 1;
  alea_sat_clause2(&f->u->sat, -x_of(f, a), -y_of(f, b));
}

static alea_status find_bad(partial_order_finder *f, const alea_effort *effort, bool *all) {
  uint64_t conflicts = effort->conflicts > 0 ? effort->conflicts : DEFAULT_CONFLICTS;
  *all = false;
  for (uint32_t found = 0; found < MOST_BAD; found++) {
    alea_verdict answer;
    alea_status status = alea_unroll_solve(f->u, NULL, 0, conflicts, &answer);
    if (status != ALEA_OK || answer == ALEA_VERDICT_UNKNOWN) return status;
    if (answer == ALEA_VERDICT_REFUTED) {
      *all = true;
      return ALEA_OK;
    }
    take_out(f);
    if (alea_deadline_passed(effort->deadline)) return ALEA_OK;
  }
  return ALEA_OK;
}

static alea_status collect(alea_partial_order *c, const partial_order_finder *f) {
  for (alea_move a = 0; a < f->count; a++) {
    c->run_first[a] = (uint32_t)c->runs.count;
    for (alea_move b = 0; b < a; b++) {
      if (f->bad[(size_t)a * f->count + b]) continue;
      c->pairs++;
      bool goes_on =
          b > 0 && c->runs.count > c->run_first[a] && c->runs.data[c->runs.count - 1].last == b - 1;
      if (goes_on) {
        c->runs.data[c->runs.count - 1].last = b;
      } else if (!alea_vec_push(c->mem, &c->runs, (alea_partial_order_run){b, b})) {
        return unroll_no_memory(c->mem);
      }
    }
  }
  c->run_first[f->count] = (uint32_t)c->runs.count;
  return ALEA_OK;
}

/* Move k is a cut where no bad pair reaches over it: b < k <= a. */
static void find_cuts(alea_partial_order *c, const partial_order_finder *f) {
  for (alea_move k = 1; k < f->count; k++) c->cuts[k] = 1;
  for (alea_move a = 0; a < f->count; a++) {
    alea_move b = 0;
    while (b < a && !f->bad[(size_t)a * f->count + b]) b++;
    for (alea_move k = b + 1; k <= a; k++) c->cuts[k] = 0;
  }
}

static alea_status make_result(alea_partial_order **order, const partial_order_finder *f) {
  alea_partial_order *c = *order = alea_mem_zalloc(f->mem, sizeof *c);
  if (c == NULL) return unroll_no_memory(f->mem);
  c->mem = f->mem;
  c->move_count = f->count;
  c->run_first = alea_mem_calloc(f->mem, f->count + (size_t)1, sizeof *c->run_first);
  c->cuts = alea_mem_calloc(f->mem, f->count, sizeof *c->cuts);
  alea_status status =
      c->run_first != NULL && c->cuts != NULL ? collect(c, f) : unroll_no_memory(f->mem);
  if (status == ALEA_OK) find_cuts(c, f);
  if (status != ALEA_OK || c->pairs == 0) {
    alea_partial_order_free(c);
    *order = NULL;
  }
  return status;
}

/* ---- set up ---- */

enum { MOST_MOVES = 4000 };

alea_status alea_partial_order_new(alea_partial_order **order, const alea_game *game,
                                   const alea_effort *effort, alea_mem *mem) {
  *order = NULL;
  partial_order_finder f = {.mem = mem};
  alea_unroll_options options = {
      .deadline = effort->deadline, .memory = effort->memory, .style = ALEA_SAT_SHORT};
  alea_status status = unroll_make(&f.u, game, &options, mem);
  if (status != ALEA_OK) return status;
  f.count = alea_game_move_count(game, 0);
  f.first = 1 + f.u->net->fluent_count;
  size_t cells = f.count <= MOST_MOVES ? (size_t)f.count * f.count : 0;
  bool all = false;
  if (cells > 0) f.bad = alea_mem_calloc(mem, cells, 1);
  if (cells > 0 && f.bad == NULL) status = unroll_no_memory(mem);
  if (status == ALEA_OK && cells > 0) status = alea_mutex_find(&f.mutex, game, effort, mem);
  if (status == ALEA_OK && cells > 0) status = make_orders(&f);
  if (status == ALEA_OK && cells > 0) status = make_difference(&f);
  if (status == ALEA_OK && cells > 0) {
    make_order(&f);
    status = find_bad(&f, effort, &all);
  }
  if (status == ALEA_OK && all) status = make_result(order, &f);
  alea_mem_free(mem, f.bad, cells);
  alea_vec_clear(mem, &f.differs);
  alea_groups_clear(&f.mutex);
  alea_unroll_free(f.u);
  return status == ALEA_LIMIT ? ALEA_OK : status;
}

void alea_partial_order_free(alea_partial_order *c) {
  if (c == NULL) return;
  alea_mem_free(c->mem, c->run_first, (c->move_count + (size_t)1) * sizeof *c->run_first);
  alea_mem_free(c->mem, c->cuts, c->move_count * sizeof *c->cuts);
  alea_vec_clear(c->mem, &c->runs);
  alea_mem_free(c->mem, c, sizeof *c);
}
