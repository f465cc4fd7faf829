/* The papers' stochastic models. */
#include "models/stochastic.h"

#include <stdio.h>

#include "scsp/core.h"

alea_scsp *alea_model_pennies(alea_mem *mem) {
  alea_scsp *scsp = alea_scsp_new(mem, 2);
  if (scsp == NULL) return NULL;
  alea_csp *csp = alea_scsp_network(scsp);
  alea_csp_var x1a = alea_csp_range(csp, "x1a", 0, 1), x1b = alea_csp_range(csp, "x1b", 0, 1);
  alea_csp_var y1 = alea_csp_range(csp, "y1", 0, 0);
  alea_csp_var x2a = alea_csp_range(csp, "x2a", 0, 1), x2b = alea_csp_range(csp, "x2b", 0, 1);
  alea_csp_var y2 = alea_csp_range(csp, "y2", 0, 1);
  const int32_t equal[] = {0, 0, 1, 1};
  alea_csp_table(csp, (alea_csp_var[]){x1a, x2a}, 2, equal, 2, false);
  alea_csp_table(csp, (alea_csp_var[]){x1b, x2b}, 2, equal, 2, false);
  alea_scsp_uniform(scsp, y1);
  alea_scsp_uniform(scsp, y2);
  alea_scsp_soft(scsp, (alea_csp_var[]){x2a, x2b, y2}, 3, (int32_t[]){0, 0, 0, 1, 1, 1},
                 (double[]){1, 1, 1, 1}, 2);
  alea_scsp_threshold(scsp, 0, 0.5);
  alea_scsp_threshold(scsp, 1, 0.5);
  return scsp;
}

alea_scsp *alea_model_p3(alea_mem *mem) {
  alea_scsp *scsp = alea_scsp_new(mem, 1);
  if (scsp == NULL) return NULL;
  alea_csp *csp = alea_scsp_network(scsp);
  alea_csp_var x = alea_csp_range(csp, "x", 0, 2), y = alea_csp_range(csp, "y", 0, 2);
  alea_csp_var z = alea_csp_range(csp, "z", 0, 2);
  alea_scsp_uniform(scsp, y);
  alea_csp_table(csp, (alea_csp_var[]){x, z}, 2, (int32_t[]){0, 0, 1, 1, 2, 2}, 3, false);
  /* x + y >= 1: everything but (0,0); the first match counts */
  alea_scsp_soft(scsp, (alea_csp_var[]){x, y}, 2, (int32_t[]){0, 0, ALEA_CSP_STAR, ALEA_CSP_STAR},
                 (double[]){0, 1}, 2);
  alea_scsp_threshold(scsp, 0, 0.5);
  return scsp;
}

alea_scsp *alea_model_split(alea_mem *mem) {
  alea_scsp *scsp = alea_scsp_new(mem, 1);
  if (scsp == NULL) return NULL;
  alea_csp *csp = alea_scsp_network(scsp);
  alea_csp_var x1 = alea_csp_range(csp, "x1", 1, 3), x2 = alea_csp_range(csp, "x2", 0, 2);
  alea_csp_var y = alea_csp_range(csp, "y", 0, 2);
  alea_scsp_uniform(scsp, y);
  alea_csp_table(csp, (alea_csp_var[]){x1, y}, 2, (int32_t[]){1, 0, 1, 1, 2, 0, 2, 1, 2, 2, 3, 2},
                 6, false);
  alea_csp_table(csp, (alea_csp_var[]){x2, y}, 2,
                 (int32_t[]){0, 0, 0, 1, 1, 0, 1, 1, 1, 2, 2, 0, 2, 1, 2, 2}, 8, false);
  alea_csp_table(csp, (alea_csp_var[]){x1, x2}, 2, (int32_t[]){1, 1, 2, 2}, 2, false);
  alea_scsp_threshold(scsp, 0, 0.75);
  return scsp;
}

/* ---- Orchard ----
 *
 * State: tree_i, raven, and with 'step' the phase (0 roll, 1 choose).
 * Then: over, die, pick, and the next state.  pick 0 is nothing; then come
 * the unordered pairs of trees, which take one fruit from each, and last the
 * single trees, for when one fruit is left. */

typedef struct orchard {
  alea_csp *csp;
  alea_scsp *scsp;
  uint32_t trees, fruits, raven, picks;
  bool step;
  alea_csp_var tree[16], next[16], raven_var, raven_next, phase, phase_next, over, die, pick;
} orchard;

/* How many fruits pick number 'pick' takes from tree 'i'. */
static uint32_t taken(const orchard *o, uint32_t pick, uint32_t i) {
  uint32_t number = 1;
  for (uint32_t a = 0; a < o->trees; a++)
    for (uint32_t b = a; b < o->trees; b++, number++)
      if (number == pick) return (uint32_t)(a == i) + (uint32_t)(b == i);
  return pick == number + i;
}

static bool is_single(const orchard *o, uint32_t pick) { return pick + o->trees >= o->picks; }

/* The fruits must be there; a single one only where it is the last. */
static void orchard_there(orchard *o, uint32_t i) {
  int32_t *rows = csp_alloc(o->csp, 2 * (size_t)(o->fruits + 1) * o->picks, sizeof *rows);
  size_t count = 0;
  if (rows == NULL) return;
  for (uint32_t fruits = 0; fruits <= o->fruits; fruits++)
    for (uint32_t pick = 0; pick < o->picks; pick++) {
      uint32_t wants = taken(o, pick, i);
      if (is_single(o, pick) ? fruits != wants : fruits < wants) continue;
      rows[2 * count] = (int32_t)fruits;
      rows[2 * count++ + 1] = (int32_t)pick;
    }
  alea_csp_table(o->csp, (alea_csp_var[]){o->tree[i], o->pick}, 2, rows, count, false);
}

static void orchard_vars(orchard *o) {
  char name[32];
  for (uint32_t i = 0; i < o->trees; i++) {
    snprintf(name, sizeof name, "tree%u", i + 1);
    o->tree[i] = alea_csp_range(o->csp, name, 0, (int32_t)o->fruits);
  }
  o->raven_var = alea_csp_range(o->csp, "raven", 0, (int32_t)o->raven);
  if (o->step) o->phase = alea_csp_range(o->csp, "phase", 0, 1);
  o->over = alea_csp_range(o->csp, "over", 0, 1);
  o->die = alea_csp_range(o->csp, "die", 0, (int32_t)o->trees + 1);
  o->pick = alea_csp_range(o->csp, "pick", 0, (int32_t)o->picks - 1);
  for (uint32_t i = 0; i < o->trees; i++) {
    snprintf(name, sizeof name, "tree%u'", i + 1);
    o->next[i] = alea_csp_range(o->csp, name, 0, (int32_t)o->fruits);
  }
  o->raven_next = alea_csp_range(o->csp, "raven'", 0, (int32_t)o->raven);
  if (o->step) o->phase_next = alea_csp_range(o->csp, "phase'", 0, 1);
  alea_scsp_uniform(o->scsp, o->die);
}

/* over = 1 if and only if the raven has arrived or all trees are empty */
static void orchard_over(orchard *o) {
  alea_csp_lit lits[17];
  uint32_t starts[3] = {0, 1, 1 + o->trees};
  lits[0] = (alea_csp_lit){o->raven_var, 0, false};
  for (uint32_t i = 0; i < o->trees; i++) lits[1 + i] = (alea_csp_lit){o->tree[i], 0, false};
  alea_csp_rules(o->csp, (alea_csp_lit){o->over, 1, false}, lits, starts, 2);
}

/* Whether the round is one in which the basket's fruits are chosen. */
static bool choosing(const orchard *o, uint32_t over, uint32_t die, uint32_t phase) {
  if (over) return false;
  return o->step ? phase == 1 : die == o->trees + 1;
}

static bool rolling(const orchard *o, uint32_t over, uint32_t phase) {
  return !over && (!o->step || phase == 0);
}

/* pick = 0 if and only if nothing is to be chosen */
static void orchard_pick(orchard *o) {
  int32_t rows[4 * 4096];
  size_t count = 0;
  uint32_t phases = o->step ? 2 : 1;
  for (uint32_t over = 0; over < 2; over++)
    for (uint32_t die = 0; die < o->trees + 2; die++)
      for (uint32_t phase = 0; phase < phases; phase++)
        for (uint32_t pick = 0; pick < o->picks && count < 4096; pick++) {
          if (choosing(o, over, die, phase) != (pick != 0)) continue;
          int32_t row[4] = {(int32_t)over, (int32_t)die, (int32_t)pick, (int32_t)phase};
          memcpy(&rows[count++ * (2 + 1 + o->step)], row, (3u + o->step) * sizeof *row);
        }
  alea_csp_table(o->csp, (alea_csp_var[]){o->over, o->die, o->pick, o->phase}, 3 + o->step, rows,
                 count, false);
}

/* What tree i holds after the round. */
static uint32_t tree_after(const orchard *o, uint32_t i, uint32_t fruits, uint32_t over,
                           uint32_t die, uint32_t pick, uint32_t phase) {
  uint32_t less = taken(o, pick, i);
  if (rolling(o, over, phase) && die == i) less++;
  return less > fruits ? 0 : fruits - less;
}

static void orchard_tree(orchard *o, uint32_t i) {
  uint32_t phases = o->step ? 2 : 1, arity = 5 + (uint32_t)o->step;
  size_t rows = (size_t)(o->fruits + 1) * 2 * (o->trees + 2) * o->picks * phases, count = 0;
  int32_t *tuples = csp_alloc(o->csp, rows * arity, sizeof *tuples);
  if (tuples == NULL) return;
  for (uint32_t fruits = 0; fruits <= o->fruits; fruits++)
    for (uint32_t over = 0; over < 2; over++)
      for (uint32_t die = 0; die < o->trees + 2; die++)
        for (uint32_t pick = 0; pick < o->picks; pick++)
          for (uint32_t phase = 0; phase < phases; phase++) {
            int32_t *t = &tuples[count++ * arity];
            uint32_t after = tree_after(o, i, fruits, over, die, pick, phase);
            int32_t row[6] = {(int32_t)fruits, (int32_t)over,  (int32_t)die,
                              (int32_t)pick,   (int32_t)after, (int32_t)phase};
            memcpy(t, row, arity * sizeof *t);
          }
  alea_csp_table(o->csp,
                 (alea_csp_var[]){o->tree[i], o->over, o->die, o->pick, o->next[i], o->phase},
                 arity, tuples, count, false);
}

static void orchard_raven(orchard *o) {
  uint32_t phases = o->step ? 2 : 1, arity = 4 + (uint32_t)o->step;
  size_t rows = (size_t)(o->raven + 1) * 2 * (o->trees + 2) * phases, count = 0;
  int32_t *tuples = csp_alloc(o->csp, rows * arity, sizeof *tuples);
  if (tuples == NULL) return;
  for (uint32_t raven = 0; raven <= o->raven; raven++)
    for (uint32_t over = 0; over < 2; over++)
      for (uint32_t die = 0; die < o->trees + 2; die++)
        for (uint32_t phase = 0; phase < phases; phase++) {
          bool nearer = rolling(o, over, phase) && die == o->trees && raven > 0;
          int32_t row[5] = {(int32_t)raven, (int32_t)over, (int32_t)die, (int32_t)(raven - nearer),
                            (int32_t)phase};
          memcpy(&tuples[count++ * arity], row, arity * sizeof *row);
        }
  alea_csp_table(o->csp, (alea_csp_var[]){o->raven_var, o->over, o->die, o->raven_next, o->phase},
                 arity, tuples, count, false);
}

/* The basket opens the choosing phase; choosing closes it. */
static void orchard_phase(orchard *o) {
  int32_t rows[4 * 128];
  size_t count = 0;
  for (uint32_t over = 0; over < 2; over++)
    for (uint32_t die = 0; die < o->trees + 2; die++)
      for (uint32_t phase = 0; phase < 2; phase++) {
        bool opens = rolling(o, over, phase) && die == o->trees + 1;
        int32_t row[4] = {(int32_t)phase, (int32_t)over, (int32_t)die,
                          over ? (int32_t)phase : (int32_t)opens};
        memcpy(&rows[4 * count++], row, sizeof row);
      }
  alea_csp_table(o->csp, (alea_csp_var[]){o->phase, o->over, o->die, o->phase_next}, 4, rows, count,
                 false);
}

alea_process *alea_model_orchard(alea_mem *mem, uint32_t trees, uint32_t fruits, uint32_t raven,
                                 bool step) {
  if (trees == 0 || trees > 7 || fruits == 0 || fruits > 60 || raven == 0 || raven > 60)
    return NULL;
  orchard o = {.trees = trees,
               .fruits = fruits,
               .raven = raven,
               .step = step,
               .picks = 1 + trees * (trees + 1) / 2 + trees};
  o.scsp = alea_scsp_new(mem, 1);
  if (o.scsp == NULL) return NULL;
  o.csp = alea_scsp_network(o.scsp);
  orchard_vars(&o);
  orchard_over(&o);
  orchard_pick(&o);
  for (uint32_t i = 0; i < trees; i++) orchard_there(&o, i);
  for (uint32_t i = 0; i < trees; i++) orchard_tree(&o, i);
  orchard_raven(&o);
  if (step) orchard_phase(&o);
  alea_csp_var nexts[16];
  int32_t start[16], empty[16];
  for (uint32_t i = 0; i < trees; i++) {
    nexts[i] = o.next[i];
    start[i] = (int32_t)fruits;
    empty[i] = 0;
  }
  nexts[trees] = o.raven_next;
  start[trees] = (int32_t)raven;
  nexts[trees + 1] = o.phase_next;
  start[trees + 1] = 0;
  alea_process *process = alea_process_new(o.scsp, trees + 1 + (uint32_t)step, nexts, start);
  if (process != NULL) alea_process_final(process, o.tree, trees, empty, (double[]){1}, 1);
  return process;
}
