/* A slow evaluator of ground programs. */
#include "support/oracle.h"

#include <stdlib.h>
#include <string.h>

static bool raise_levels(oracle *o) {
  bool changed = false;
  for (size_t i = 0; i < o->ground->rules.count; i++) {
    const alea_ground_rule *rule = &o->ground->rules.data[i];
    for (uint32_t k = 0; k < rule->lit_count; k++) {
      alea_glit lit = o->ground->lits.data[rule->first_lit + k];
      uint32_t level = o->level[lit >> 1] + (lit & 1);
      if (level <= o->level[rule->head]) continue;
      o->level[rule->head] = level;
      changed = true;
    }
  }
  return changed;
}

bool oracle_init(oracle *o, const alea_ground *ground) {
  o->ground = ground;
  o->atoms = ground->atom_count;
  o->level = calloc(o->atoms, sizeof *o->level);
  o->value = calloc(o->atoms, 1);
  for (size_t round = 0; raise_levels(o); round++)
    if (round > o->atoms) return false;
  o->levels = 0;
  for (size_t i = 0; i < o->atoms; i++)
    if (o->level[i] >= o->levels) o->levels = o->level[i] + 1;
  return true;
}

void oracle_clear(oracle *o) {
  free(o->level);
  free(o->value);
}

bool oracle_value(const oracle *o, alea_glit lit) {
  return (o->value[lit >> 1] != 0) != ((lit & 1) != 0);
}

static bool fires(const oracle *o, const alea_ground_rule *rule) {
  for (uint32_t k = 0; k < rule->lit_count; k++)
    if (!oracle_value(o, o->ground->lits.data[rule->first_lit + k])) return false;
  return true;
}

static bool derive_level(oracle *o, uint32_t level) {
  bool changed = false;
  for (size_t i = 0; i < o->ground->rules.count; i++) {
    const alea_ground_rule *rule = &o->ground->rules.data[i];
    if (o->level[rule->head] != level || o->value[rule->head] || !fires(o, rule)) continue;
    o->value[rule->head] = 1;
    changed = true;
  }
  return changed;
}

void oracle_evaluate(oracle *o, const uint8_t *state, const uint32_t *moves) {
  const alea_ground *g = o->ground;
  memset(o->value, 0, o->atoms);
  o->value[0] = 1;
  if (g->fluent_count > 0) memcpy(o->value + 1, state, g->fluent_count);
  for (uint32_t r = 0; moves != NULL && r < g->role_count; r++)
    o->value[1 + g->fluent_count + g->move_first[r] + moves[r]] = 1;
  for (uint32_t level = 0; level < o->levels; level++)
    while (derive_level(o, level)) continue;
}
