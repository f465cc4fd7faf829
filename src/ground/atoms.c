/* Order and evaluation of ground atoms. */
#include "ground/atoms.h"

#include <string.h>

#include "gdl/scc.h"
#include "ground/fluent_map.h"

enum { MOST_STEPS = 500 }; /* of one random play */

static void count_use(alea_atoms *a, alea_glit lit) { a->uses[lit >> 1]++; }

static void count_uses(alea_atoms *a) {
  const alea_ground *g = a->ground;
  for (size_t i = 0; i < g->rules.count; i++) {
    const alea_ground_rule *rule = &g->rules.data[i];
    a->first_rule[rule->head + 1]++;
    for (uint32_t k = 0; k < rule->lit_count; k++) count_use(a, g->lits.data[rule->first_lit + k]);
  }
  for (uint32_t i = 0; i < g->atom_count; i++) a->first_rule[i + 1] += a->first_rule[i];
  for (uint32_t i = 0; i < g->fluent_count; i++) count_use(a, g->next[i]);
  for (uint32_t i = 0; i < g->move_count; i++) count_use(a, g->legal[i]);
  for (size_t i = 0; i < g->goals.count; i++) count_use(a, g->goals.data[i].lit);
  for (size_t i = 0; i < g->sees.count; i++) count_use(a, g->sees.data[i].lit);
  count_use(a, g->terminal);
}

static bool find_parts(alea_atoms *a) {
  const alea_ground *g = a->ground;
  alea_edges edges = {0};
  bool good = true;
  for (size_t i = 0; i < g->rules.count && good; i++) {
    const alea_ground_rule *rule = &g->rules.data[i];
    for (uint32_t k = 0; k < rule->lit_count && good; k++) {
      alea_atom atom = g->lits.data[rule->first_lit + k] >> 1;
      if (alea_atoms_is_derived(g, atom))
        good = alea_vec_push(a->mem, &edges, ((alea_edge){rule->head, atom}));
    }
  }
  good = good && alea_find_components(&edges, g->atom_count, a->part, a->mem);
  for (uint32_t i = 0; i < g->atom_count && good; i++)
    if (a->part[i] >= a->part_count) a->part_count = a->part[i] + 1;
  a->cyclic = good ? alea_mem_calloc(a->mem, a->part_count + 1, sizeof *a->cyclic) : NULL;
  for (size_t i = 0; a->cyclic != NULL && i < edges.count; i++)
    if (a->part[edges.data[i].from] == a->part[edges.data[i].to])
      a->cyclic[a->part[edges.data[i].from]] = 1;
  alea_vec_clear(a->mem, &edges);
  return a->cyclic != NULL;
}

/* Counting sort of the derived atoms by part. */
static bool put_in_order(alea_atoms *a) {
  const alea_ground *g = a->ground;
  uint32_t first = alea_atoms_first_derived(g);
  size_t slots = (size_t)a->part_count + 1;
  uint32_t *start = alea_mem_calloc(a->mem, slots, sizeof *start);
  a->derived_count = g->atom_count - first;
  a->ordered = alea_mem_calloc(a->mem, a->derived_count, sizeof *a->ordered);
  if (start != NULL && a->ordered != NULL) {
    for (uint32_t i = first; i < g->atom_count; i++) start[a->part[i] + 1]++;
    for (size_t i = 1; i < slots; i++) start[i] += start[i - 1];
    for (uint32_t i = first; i < g->atom_count; i++) a->ordered[start[a->part[i]]++] = i;
  }
  bool good = start != NULL && a->ordered != NULL;
  alea_mem_free(a->mem, start, slots * sizeof *start);
  return good;
}

static void find_moved(alea_atoms *a) {
  const alea_ground *g = a->ground;
  for (uint32_t m = 0; m < g->move_count; m++) a->moved[1 + g->fluent_count + m] = 1;
  for (uint32_t i = 0; i < a->derived_count;) {
    uint32_t end = i, part = a->part[a->ordered[i]];
    bool moved = false;
    for (; end < a->derived_count && a->part[a->ordered[end]] == part; end++)
      for (uint32_t r = a->first_rule[a->ordered[end]]; r < a->first_rule[a->ordered[end] + 1]; r++)
        for (uint32_t k = 0; k < g->rules.data[r].lit_count; k++)
          moved = moved || a->moved[g->lits.data[g->rules.data[r].first_lit + k] >> 1];
    for (; i < end; i++) a->moved[a->ordered[i]] = moved;
  }
}

alea_status alea_atoms_init(alea_atoms *a, const alea_ground *g, alea_mem *mem) {
  *a = (alea_atoms){.ground = g, .mem = mem};
  a->first_rule = alea_mem_calloc(mem, g->atom_count + 1, sizeof *a->first_rule);
  a->uses = alea_mem_calloc(mem, g->atom_count, sizeof *a->uses);
  a->part = alea_mem_calloc(mem, g->atom_count, sizeof *a->part);
  a->moved = alea_mem_calloc(mem, g->atom_count, sizeof *a->moved);
  bool good = a->first_rule != NULL && a->uses != NULL && a->part != NULL && a->moved != NULL;
  if (good) count_uses(a);
  good = good && find_parts(a) && put_in_order(a);
  if (good) find_moved(a);
  if (good) return ALEA_OK;
  alea_atoms_clear(a);
  return alea_mem_lack(mem);
}

void alea_atoms_clear(alea_atoms *a) {
  const alea_ground *g = a->ground;
  if (g == NULL) return;
  alea_mem_free(a->mem, a->first_rule, (g->atom_count + 1) * sizeof *a->first_rule);
  alea_mem_free(a->mem, a->uses, g->atom_count * sizeof *a->uses);
  alea_mem_free(a->mem, a->part, g->atom_count * sizeof *a->part);
  alea_mem_free(a->mem, a->moved, g->atom_count * sizeof *a->moved);
  alea_mem_free(a->mem, a->cyclic, ((size_t)a->part_count + 1) * sizeof *a->cyclic);
  alea_mem_free(a->mem, a->ordered, a->derived_count * sizeof *a->ordered);
  *a = (alea_atoms){0};
}

/* ---- evaluation ---- */

static bool derivable(const alea_atoms *a, const uint8_t *values, alea_atom atom) {
  const alea_ground *g = a->ground;
  for (uint32_t r = a->first_rule[atom]; r < a->first_rule[atom + 1]; r++) {
    const alea_ground_rule *rule = &g->rules.data[r];
    uint32_t k = 0;
    while (k < rule->lit_count && alea_atoms_holds(values, g->lits.data[rule->first_lit + k])) k++;
    if (k == rule->lit_count) return true;
  }
  return false;
}

void alea_atoms_evaluate(const alea_atoms *a, uint8_t *values, bool moved) {
  for (uint32_t i = 0; i < a->derived_count;) {
    uint32_t start = i, part = a->part[a->ordered[i]];
    while (i < a->derived_count && a->part[a->ordered[i]] == part) i++;
    if (a->moved[a->ordered[start]] != moved) continue;
    for (uint32_t k = start; k < i; k++) values[a->ordered[k]] = 0;
    for (bool more = true; more;) {
      more = false;
      for (uint32_t k = start; k < i; k++) {
        if (values[a->ordered[k]] || !derivable(a, values, a->ordered[k])) continue;
        values[a->ordered[k]] = 1;
        more = a->cyclic[part];
      }
    }
  }
}

/* ---- random play ---- */

bool alea_atom_walker_init(alea_atom_walker *w, const alea_atoms *atoms, uint64_t seed) {
  size_t count = atoms->ground->atom_count;
  *w = (alea_atom_walker){.atoms = atoms, .fresh = true};
  w->values = alea_mem_calloc(atoms->mem, count, 1);
  w->after = alea_mem_calloc(atoms->mem, count, 1);
  alea_rng_seed(&w->rng, seed);
  return w->values != NULL && w->after != NULL;
}

void alea_atom_walker_clear(alea_atom_walker *w) {
  if (w->atoms == NULL) return;
  alea_mem_free(w->atoms->mem, w->values, w->atoms->ground->atom_count);
  alea_mem_free(w->atoms->mem, w->after, w->atoms->ground->atom_count);
  *w = (alea_atom_walker){0};
}

/* A random legal move for every role; false where a role has none. */
static bool choose(alea_atom_walker *w) {
  const alea_ground *g = w->atoms->ground;
  uint8_t *moves = w->values + 1 + g->fluent_count;
  memset(moves, 0, g->move_count);
  for (uint32_t r = 0; r < g->role_count; r++) {
    uint32_t seen = 0, chosen = 0;
    for (uint32_t m = g->move_first[r]; m < g->move_first[r + 1]; m++)
      if (alea_atoms_holds(w->values, g->legal[m]) && alea_rng_below(&w->rng, ++seen) == 0)
        chosen = m;
    if (seen == 0) return false;
    moves[chosen] = 1;
  }
  return true;
}

void alea_atom_walker_use(alea_atom_walker *w, alea_cursor *cursor, alea_fluent_map *texts) {
  w->cursor = cursor;
  w->texts = texts;
  w->fresh = true;
}

/* A random joint move of the game; false where there is none. */
static bool play_on(alea_atom_walker *w) {
  const alea_game *game = w->cursor->game;
  alea_move joint[64];
  bool terminal = true;
  if (alea_cursor_terminal(w->cursor, &terminal) != ALEA_OK || terminal) return false;
  for (uint32_t r = 0; r < game->role_count; r++) {
    alea_list list;
    if (r >= 64 || alea_cursor_legal(w->cursor, r, &list) != ALEA_OK || list.count == 0)
      return false;
    joint[r] = list.ids[alea_rng_below(&w->rng, list.count)];
  }
  return alea_cursor_play(w->cursor, joint) == ALEA_OK;
}

static void step_game(alea_atom_walker *w) {
  alea_list list = {0};
  if (w->fresh || w->steps++ > MOST_STEPS || !play_on(w)) {
    alea_cursor_reset(w->cursor);
    w->fresh = false;
    w->steps = 0;
  }
  memset(w->values, 0, w->atoms->ground->atom_count);
  w->values[0] = 1;
  if (alea_cursor_fluents(w->cursor, &list) != ALEA_OK) return;
  for (uint32_t i = 0; i < list.count; i++) {
    uint32_t fluent = alea_fluent_map_find(w->texts, list.ids[i]);
    if (fluent != UINT32_MAX) w->values[1 + fluent] = 1;
  }
}

void alea_atom_walker_step(alea_atom_walker *w) {
  if (w->cursor != NULL) {
    step_game(w);
    return;
  }
  const alea_ground *g = w->atoms->ground;
  uint8_t *after = w->after;
  if (w->fresh || w->steps++ > MOST_STEPS) {
    memcpy(after, g->init, g->fluent_count);
    w->steps = 0;
  } else {
    for (uint32_t i = 0; i < g->fluent_count; i++)
      after[i] = alea_atoms_holds(w->values, g->next[i]);
  }
  memset(w->values, 0, g->atom_count);
  w->values[0] = 1;
  memcpy(w->values + 1, after, g->fluent_count);
  alea_atoms_evaluate(w->atoms, w->values, false);
  w->fresh = alea_atoms_holds(w->values, g->terminal) || !choose(w);
  if (w->fresh) memset(w->values + 1 + g->fluent_count, 0, g->move_count);
  alea_atoms_evaluate(w->atoms, w->values, true);
}
