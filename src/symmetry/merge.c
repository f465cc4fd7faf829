/* Equal definitions found by hashing, inputs first. */
#include "symmetry/merge.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/hash_map.h"
#include "ground/atoms.h"

typedef struct merger {
  alea_merged_rules *m;
  alea_atoms atoms;
  alea_hash_map defined; /* atoms by their definitions */
} merger;

static int by_number(const void *a, const void *b) {
  alea_glit x = *(const alea_glit *)a, y = *(const alea_glit *)b;
  return (x > y) - (x < y);
}

static int by_hash(const void *a, const void *b) {
  const alea_merged_body *x = a, *y = b;
  if (x->hash != y->hash) return x->hash < y->hash ? -1 : 1;
  return (x->first > y->first) - (x->first < y->first);
}

static bool same_body(const alea_merged_rules *m, const alea_merged_body *x,
                      const alea_merged_body *y) {
  return x->hash == y->hash && x->count == y->count &&
         memcmp(m->lits.data + x->first, m->lits.data + y->first, x->count * sizeof(alea_glit)) ==
             0;
}

/* ---- one definition ---- */

/* Sorts the literals from 'first' on and takes out repetitions; false where
 * one contradicts another. */
static bool tidy(alea_merged_rules *m, size_t first) {
  alea_glit *lits = m->lits.data + first;
  size_t count = m->lits.count - first, kept = 0;
  if (count > 1) qsort(lits, count, sizeof *lits, by_number);
  for (size_t i = 0; i < count; i++) {
    if (kept > 0 && lits[i] == lits[kept - 1]) continue;
    if (kept > 0 && lits[i] == (lits[kept - 1] ^ 1)) return false;
    lits[kept++] = lits[i];
  }
  m->lits.count = first + kept;
  return true;
}

enum { MOST_WRITTEN_OUT = 16 };

/* The literals that together mean 'lit': those of an atom with one body, or,
 * negated, those of an atom whose bodies are literals.  How bodies were cut
 * into auxiliary atoms then makes no difference.  0: 'lit' itself. */
static uint32_t conjuncts(const merger *g, alea_glit lit, alea_glit *out) {
  const alea_merged_rules *m = g->m;
  alea_atom atom = lit >> 1;
  uint32_t count = m->body_count[atom];
  const alea_merged_body *bodies = m->bodies.data + m->first_body[atom];
  if (!alea_atoms_is_derived(m->ground, atom) || g->atoms.cyclic[g->atoms.part[atom]]) return 0;
  if (!(lit & 1)) {
    if (count != 1 || bodies[0].count > MOST_WRITTEN_OUT) return 0;
    memcpy(out, m->lits.data + bodies[0].first, bodies[0].count * sizeof *out);
    return bodies[0].count;
  }
  if (count > MOST_WRITTEN_OUT) return 0;
  for (uint32_t i = 0; i < count; i++) {
    if (bodies[i].count != 1) return 0;
    out[i] = m->lits.data[bodies[i].first] ^ 1;
  }
  return count;
}

/* Appends a literal of a body.  False without memory. */
static bool add_literal(merger *g, alea_glit lit) {
  alea_merged_rules *m = g->m;
  alea_glit parts[MOST_WRITTEN_OUT];
  uint32_t count = conjuncts(g, lit, parts);
  if (count == 0) return alea_vec_push(m->mem, &m->lits, lit);
  for (uint32_t i = 0; i < count; i++)
    if (!alea_vec_push(m->mem, &m->lits, parts[i])) return false;
  return true;
}

/* Appends a body, unless it can never help to derive its head.  False without
 * memory. */
static bool add_body(merger *g, const alea_ground_rule *rule) {
  alea_merged_rules *m = g->m;
  size_t first = m->lits.count;
  bool possible = true;
  for (uint32_t k = 0; k < rule->lit_count && possible; k++) {
    alea_glit lit = alea_merged_meaning(m, m->ground->lits.data[rule->first_lit + k]);
    possible = lit != ALEA_GLIT_FALSE && lit != 2 * rule->head;
    if (lit == ALEA_GLIT_TRUE) continue;
    if (possible && !add_literal(g, lit)) return false;
  }
  if (!possible || !tidy(m, first)) {
    m->lits.count = first;
    return true;
  }
  if (m->lits.count == first && !alea_vec_push(m->mem, &m->lits, ALEA_GLIT_TRUE)) return false;
  alea_merged_body body = {.first = (uint32_t)first, .count = (uint32_t)(m->lits.count - first)};
  body.hash = alea_hash_u32s(m->lits.data + first, body.count);
  return alea_vec_push(m->mem, &m->bodies, body);
}

/* All bodies of an atom, in an order that does not depend on how they were
 * written. */
static bool add_bodies(merger *g, alea_atom atom) {
  alea_merged_rules *m = g->m;
  size_t first = m->bodies.count;
  for (uint32_t r = g->atoms.first_rule[atom]; r < g->atoms.first_rule[atom + 1]; r++)
    if (!add_body(g, &m->ground->rules.data[r])) return false;
  alea_merged_body *bodies = m->bodies.data + first;
  size_t count = m->bodies.count - first, kept = 0;
  if (count > 1) qsort(bodies, count, sizeof *bodies, by_hash);
  for (size_t i = 0; i < count; i++)
    if (kept == 0 || !same_body(m, &bodies[i], &bodies[kept - 1])) bodies[kept++] = bodies[i];
  m->bodies.count = first + kept;
  m->first_body[atom] = (uint32_t)first;
  m->body_count[atom] = (uint32_t)kept;
  return true;
}

/* ---- equal ones ---- */

static bool same_definition(const alea_merged_rules *m, alea_atom a, alea_atom b) {
  if (m->body_count[a] != m->body_count[b]) return false;
  for (uint32_t i = 0; i < m->body_count[a]; i++)
    if (!same_body(m, &m->bodies.data[m->first_body[a] + i], &m->bodies.data[m->first_body[b] + i]))
      return false;
  return true;
}

/* The atom with the same definition that came first, or 'atom' itself. */
static alea_atom find_equal(merger *g, alea_atom atom) {
  const alea_merged_rules *m = g->m;
  uint64_t hash = m->body_count[atom];
  for (uint32_t i = 0; i < m->body_count[atom]; i++)
    hash = alea_hash_join(hash, m->bodies.data[m->first_body[atom] + i].hash);
  alea_hash_probe probe = alea_hash_map_probe(&g->defined, alea_hash_mix(hash));
  while (alea_hash_map_next(&g->defined, &probe))
    if (same_definition(m, probe.id, atom)) return probe.id;
  alea_hash_map_put(&g->defined, probe, atom);
  return atom;
}

/* What an atom means that is in no cycle. */
static alea_glit meaning_of(merger *g, alea_atom atom) {
  const alea_merged_rules *m = g->m;
  const alea_merged_body *bodies = m->bodies.data + m->first_body[atom];
  uint32_t count = m->body_count[atom];
  if (count == 0) return ALEA_GLIT_FALSE;
  for (uint32_t i = 0; i < count; i++)
    if (m->lits.data[bodies[i].first] == ALEA_GLIT_TRUE) return ALEA_GLIT_TRUE;
  if (count == 1 && bodies[0].count == 1) return m->lits.data[bodies[0].first];
  return 2 * find_equal(g, atom);
}

static bool merge(merger *g, alea_atom atom) {
  alea_merged_rules *m = g->m;
  size_t bodies = m->bodies.count, lits = m->lits.count;
  if (!add_bodies(g, atom)) return false;
  if (g->atoms.cyclic[g->atoms.part[atom]]) return m->has_cycles = true;
  m->meaning[atom] = meaning_of(g, atom);
  if (m->meaning[atom] == 2 * atom) return true;
  m->bodies.count = bodies;
  m->lits.count = lits;
  m->body_count[atom] = 0;
  return true;
}

/* ---- all ---- */

static bool merge_all(merger *g) {
  alea_merged_rules *m = g->m;
  const alea_ground *ground = m->ground;
  bool room = alea_hash_map_init(&g->defined, m->mem, g->atoms.derived_count);
  m->meaning = alea_mem_calloc(m->mem, ground->atom_count, sizeof *m->meaning);
  m->first_body = alea_mem_calloc(m->mem, ground->atom_count, sizeof *m->first_body);
  m->body_count = alea_mem_calloc(m->mem, ground->atom_count, sizeof *m->body_count);
  if (!room || m->meaning == NULL || m->first_body == NULL || m->body_count == NULL) return false;
  for (uint32_t a = 0; a < ground->atom_count; a++) m->meaning[a] = 2 * a;
  for (uint32_t i = 0; i < ground->move_count; i++)
    if (ground->legal[i] == ALEA_GLIT_FALSE)
      m->meaning[1 + ground->fluent_count + i] = ALEA_GLIT_FALSE;
  for (uint32_t i = 0; i < g->atoms.derived_count; i++)
    if (!merge(g, g->atoms.ordered[i])) return false;
  return true;
}

alea_status alea_merged_rules_init(alea_merged_rules *m, const alea_ground *ground, alea_mem *mem) {
  *m = (alea_merged_rules){.ground = ground, .mem = mem};
  merger g = {.m = m};
  alea_status status = alea_atoms_init(&g.atoms, ground, mem);
  if (status != ALEA_OK) return status;
  bool good = merge_all(&g);
  alea_hash_map_clear(&g.defined, mem);
  alea_atoms_clear(&g.atoms);
  if (good) return ALEA_OK;
  alea_merged_rules_clear(m);
  return alea_mem_lack(mem);
}

void alea_merged_rules_clear(alea_merged_rules *m) {
  if (m->ground == NULL) return;
  size_t atoms = m->ground->atom_count;
  alea_mem_free(m->mem, m->meaning, atoms * sizeof *m->meaning);
  alea_mem_free(m->mem, m->first_body, atoms * sizeof *m->first_body);
  alea_mem_free(m->mem, m->body_count, atoms * sizeof *m->body_count);
  alea_vec_clear(m->mem, &m->bodies);
  alea_vec_clear(m->mem, &m->lits);
  *m = (alea_merged_rules){0};
}
