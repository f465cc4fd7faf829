/* Goal latches from the ground rules. */
#include "ground/latches.h"

#include <string.h>

enum { ON = 1, OFF = 2 }; /* once on stays on, once off stays off */

typedef struct latches_finder {
  const alea_ground *ground;
  uint8_t *marks;       /* per atom */
  uint32_t *rule_first; /* per atom */
} latches_finder;

/* What a literal keeps: negation swaps the two. */
static uint8_t keeps(const latches_finder *f, alea_glit lit) {
  uint8_t m = f->marks[lit / 2];
  if (!(lit & 1)) return m;
  return (uint8_t)((m & ON ? OFF : 0) | (m & OFF ? ON : 0));
}

static bool contains(const alea_ground *g, const alea_ground_rule *rule, alea_glit lit) {
  for (uint32_t k = 0; k < rule->lit_count; k++)
    if (g->lits.data[rule->first_lit + k] == lit) return true;
  return false;
}

/* Does fluent 'atom' follow from itself, does all that gives it need it? */
static uint8_t mark_fluent(const latches_finder *f, alea_atom atom) {
  const alea_ground *g = f->ground;
  alea_glit self = 2 * atom, next = g->next[atom - 1];
  if (next == self) return ON | OFF;
  if (next / 2 == 0) return next == ALEA_GLIT_TRUE ? ON : OFF;
  if ((next & 1) || next / 2 <= g->fluent_count + g->move_count) return 0;
  uint8_t mark = OFF;
  for (uint32_t i = f->rule_first[next / 2]; i < f->rule_first[next / 2 + 1]; i++) {
    const alea_ground_rule *rule = &g->rules.data[i];
    bool own = contains(g, rule, self);
    if (own && rule->lit_count == 1) mark |= ON;
    if (!own) mark &= (uint8_t)~OFF;
  }
  return mark;
}

/* Takes marks of derived atoms back until all that remain are justified. */
static void settle(latches_finder *f) {
  const alea_ground *g = f->ground;
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < g->rules.count; i++) {
      const alea_ground_rule *rule = &g->rules.data[i];
      uint8_t mark = f->marks[rule->head];
      for (uint32_t k = 0; mark != 0 && k < rule->lit_count; k++)
        mark &= keeps(f, g->lits.data[rule->first_lit + k]);
      if (mark == f->marks[rule->head]) continue;
      f->marks[rule->head] = mark;
      changed = true;
    }
  }
}

static void mark_atoms(latches_finder *f) {
  const alea_ground *g = f->ground;
  uint32_t derived = 1 + g->fluent_count + g->move_count;
  f->marks[0] = ON | OFF;
  for (alea_atom a = 1; a <= g->fluent_count; a++) f->marks[a] = mark_fluent(f, a);
  for (alea_atom a = derived; a < g->atom_count; a++) f->marks[a] = ON | OFF;
  settle(f);
}

static bool list_goals(const latches_finder *f, alea_latches *latches) {
  const alea_ground *g = f->ground;
  for (size_t i = 0; i < g->goals.count; i++) {
    uint8_t mark = keeps(f, g->goals.data[i].lit);
    alea_latch latch = {g->goals.data[i].role, g->goals.data[i].value, (mark & ON) != 0,
                        (mark & OFF) != 0};
    if (!alea_vec_push(latches->mem, &latches->goals, latch)) return false;
  }
  return true;
}

alea_status alea_latches_init(alea_latches *latches, const alea_ground *ground, alea_mem *mem) {
  *latches = (alea_latches){.mem = mem};
  latches_finder f = {.ground = ground};
  f.marks = alea_mem_calloc(mem, ground->atom_count, 1);
  f.rule_first = alea_mem_calloc(mem, ground->atom_count + 1, sizeof *f.rule_first);
  bool good = f.marks != NULL && f.rule_first != NULL;
  if (good) {
    for (size_t i = 0; i < ground->rules.count; i++) f.rule_first[ground->rules.data[i].head + 1]++;
    for (uint32_t a = 0; a < ground->atom_count; a++) f.rule_first[a + 1] += f.rule_first[a];
    mark_atoms(&f);
    good = list_goals(&f, latches);
  }
  alea_mem_free(mem, f.marks, ground->atom_count);
  alea_mem_free(mem, f.rule_first, (ground->atom_count + 1) * sizeof *f.rule_first);
  if (good) return ALEA_OK;
  alea_latches_clear(latches);
  return alea_mem_lack(mem);
}

void alea_latches_clear(alea_latches *latches) {
  if (latches->mem != NULL) alea_vec_clear(latches->mem, &latches->goals);
}

/* Goals of a role exclude each other in a game that is well formed; where
 * several hold the largest counts, so one that stays is a lower bound, and one
 * that is latched off and larger than what holds cannot come. */
bool alea_latches_bounds(const alea_latches *latches, uint32_t role, int goal, int *lo, int *hi) {
  *lo = 0;
  *hi = -1;
  for (size_t i = 0; i < latches->goals.count; i++) {
    const alea_latch *latch = &latches->goals.data[i];
    if (latch->role != role) continue;
    if (latch->value == goal && latch->stays) *lo = goal;
    bool gone = latch->stays_off && latch->value > goal;
    if (!gone && latch->value > *hi) *hi = latch->value;
  }
  if (*hi < 0) *hi = 0;
  return *lo > 0 || *hi < 100;
}
