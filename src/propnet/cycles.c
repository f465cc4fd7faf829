/* Rebuilding a strongly connected part that contains a cycle.
 *
 * The value of a part is its least fixpoint.  A member that is not derivable
 * even when everything outside holds is false for good, one derivable from
 * constants alone is true; what remains is copied with its kinds, because AND
 * and OR are not interchangeable in a least fixpoint.
 *
 * A negation between members is tolerated at first: constants may cut it (the
 * two bounds are then computed in turn, as in the alternating fixpoint of Van
 * Gelder, JCSS 47, 1993).  With ALEA_REBUILD_STRICT it is an error. */
#include <string.h>

#include "propnet/rebuild.h"

enum { FALSE_VALUE, TRUE_VALUE, OPEN };

typedef struct part {
  alea_rebuild *r;
  const uint32_t *members; /* gates of 'from' */
  uint32_t count;
  uint8_t *value;      /* per member: FALSE_VALUE, TRUE_VALUE, OPEN */
  uint8_t *reached;    /* per member, in one derivation */
  uint32_t *missing;   /* per member: inputs that still must hold */
  alea_lit *alias;     /* per member: the one literal of 'from' that it equals, or NO_LIT */
  uint32_t *out_first; /* per member: positive inner edges to readers, CSR */
  uint32_t *out;
  uint32_t out_count;
  alea_u32s queue;
  bool negation; /* some inner edge is negated */
} part;

/* While a part is translated, map[] of its members is ALEA_LEAF_LEGALITY - 1 -
 * position, which is no literal. */
static uint32_t member_of(const part *p, alea_lit lit) {
  alea_lit mapped = p->r->map[lit >> 1];
  uint32_t position = ALEA_LEAF_LEGALITY - 1 - mapped;
  return position < p->count ? position : UINT32_MAX;
}

static const alea_lit *inputs_of(const part *p, uint32_t member, uint32_t *count) {
  const alea_graph_gate *g = &p->r->from->gates.data[p->members[member]];
  *count = g->count;
  return p->r->from->inputs.data + g->first;
}

static bool is_or(const part *p, uint32_t member) {
  return p->r->from->gates.data[p->members[member]].kind == ALEA_GATE_OR;
}

/* ---- constants ---- */

/* Whether the input holds before any member is derived, given that open
 * literals outside (and negated open members) count as 'optimistic'. */
static bool holds(const part *p, alea_lit lit, bool optimistic) {
  uint32_t inner = member_of(p, lit);
  if (inner == UINT32_MAX) {
    alea_lit mapped = alea_rebuild_map(p->r, lit);
    return mapped == ALEA_LIT_TRUE || (optimistic && mapped != ALEA_LIT_FALSE);
  }
  if ((lit & 1) == 0) return false;
  return p->value[inner] == OPEN ? optimistic : p->value[inner] == FALSE_VALUE;
}

static bool reach(part *p, uint32_t member) {
  p->reached[member] = 1;
  return alea_vec_push(p->r->mem, &p->queue, member);
}

/* Derives what can be derived; p->reached tells. */
static bool derive(part *p, bool optimistic) {
  memset(p->reached, 0, p->count);
  p->queue.count = 0;
  for (uint32_t m = 0; m < p->count; m++) {
    uint32_t count, holding = 0;
    const alea_lit *inputs = inputs_of(p, m, &count);
    for (uint32_t i = 0; i < count; i++) holding += holds(p, inputs[i], optimistic);
    p->missing[m] = is_or(p, m) ? (holding > 0 ? 0 : 1) : count - holding;
    if (p->missing[m] == 0 && !reach(p, m)) return false;
  }
  for (size_t i = 0; i < p->queue.count; i++) {
    uint32_t m = p->queue.data[i];
    for (uint32_t k = p->out_first[m]; k < p->out_first[m + 1]; k++) {
      uint32_t reader = p->out[k];
      if (p->reached[reader] || --p->missing[reader] > 0) continue;
      if (!reach(p, reader)) return false;
    }
  }
  return true;
}

static bool find_constants(part *p) {
  bool changed = true;
  while (changed) {
    changed = false;
    for (int optimistic = 1; optimistic >= 0; optimistic--) {
      if (!derive(p, optimistic != 0)) return false;
      for (uint32_t m = 0; m < p->count; m++) {
        if (p->value[m] != OPEN || p->reached[m] == optimistic) continue;
        p->value[m] = optimistic ? FALSE_VALUE : TRUE_VALUE;
        changed = p->negation; /* without negation one round says all */
      }
    }
  }
  return true;
}

/* ---- aliases ---- */

/* The single input on which an open member depends, or ALEA_NO_LIT. */
static alea_lit single_input(const part *p, uint32_t member) {
  uint32_t count;
  const alea_lit *inputs = inputs_of(p, member, &count);
  alea_lit single = ALEA_NO_LIT;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t inner = member_of(p, inputs[i]);
    if (inner == member && (inputs[i] & 1) == 0) continue; /* adds nothing to an OR */
    if (inner != UINT32_MAX && p->value[inner] != OPEN) continue;
    if (inner == UINT32_MAX && p->r->map[inputs[i] >> 1] <= ALEA_LIT_FALSE) continue;
    if (single != ALEA_NO_LIT && single != inputs[i]) return ALEA_NO_LIT;
    single = inputs[i];
  }
  /* A negated member is no alias: two of them could point at each other. */
  if (single != ALEA_NO_LIT && (single & 1) != 0 && member_of(p, single) != UINT32_MAX)
    return ALEA_NO_LIT;
  return single;
}

/* Follows aliases to a literal of 'from'.  Chains end: members in a ring of
 * aliases would not be derivable, hence not open. */
static alea_lit resolve(const part *p, alea_lit lit) {
  alea_lit sign = lit & 1;
  lit ^= sign;
  for (;;) {
    uint32_t inner = member_of(p, lit);
    if (inner == UINT32_MAX || (lit & 1) != 0 || p->alias[inner] == ALEA_NO_LIT) break;
    lit = p->alias[inner];
  }
  return lit ^ sign;
}

/* ---- copying ---- */

/* final[m]: the literal of member m in 'to'. */
static alea_lit translate_lit(const part *p, const alea_lit *final, alea_lit lit) {
  uint32_t inner = member_of(p, lit);
  if (inner != UINT32_MAX) return final[inner] ^ (lit & 1);
  return alea_rebuild_map(p->r, lit);
}

static bool reserve_gates(part *p, alea_lit *final) {
  alea_rebuild *r = p->r;
  for (uint32_t m = 0; m < p->count; m++) {
    final[m] = p->value[m] == TRUE_VALUE ? ALEA_LIT_TRUE : ALEA_LIT_FALSE;
    if (p->value[m] != OPEN || p->alias[m] != ALEA_NO_LIT) continue;
    const alea_graph_gate *g = &r->from->gates.data[p->members[m]];
    final[m] = alea_rebuild_append(r, (alea_gate_kind)g->kind, NULL, 0);
    if (r->failed) return false;
    alea_graph_gate *made = alea_graph_gate_of(r->to, final[m]);
    made->cyclic = 1;
    made->origin = g->origin;
    r->shared.data[(final[m] >> 1) - r->to->leaf_count] = 1;
  }
  for (uint32_t m = 0; m < p->count; m++)
    if (p->value[m] == OPEN && p->alias[m] != ALEA_NO_LIT)
      final[m] = translate_lit(p, final, resolve(p, 2 * (r->from->leaf_count + p->members[m])));
  return true;
}

/* Sorted distinct inputs of member m into r->list, without neutral ones. */
static bool collect(part *p, const alea_lit *final, uint32_t m) {
  alea_rebuild *r = p->r;
  alea_lit neutral = is_or(p, m) ? ALEA_LIT_FALSE : ALEA_LIT_TRUE;
  uint32_t count;
  const alea_lit *inputs = inputs_of(p, m, &count);
  r->list.count = 0;
  if (!alea_vec_reserve(r->mem, &r->list, count)) return false;
  for (uint32_t i = 0; i < count; i++) {
    alea_lit lit = translate_lit(p, final, inputs[i]);
    if (lit == neutral || lit == final[m]) continue;
    r->list.data[r->list.count++] = lit;
  }
  alea_sort_u32(r->list.data, r->list.count);
  size_t kept = 0;
  bool dominated = false;
  for (size_t i = 0; i < r->list.count; i++) {
    if (kept > 0 && r->list.data[kept - 1] == r->list.data[i]) continue;
    if (kept > 0 && r->list.data[kept - 1] == (r->list.data[i] ^ 1)) dominated = true;
    if (r->list.data[i] == (neutral ^ 1)) dominated = true;
    r->list.data[kept++] = r->list.data[i];
  }
  r->list.count = kept;
  if (dominated) { /* the next pass folds it */
    r->list.data[0] = neutral ^ 1;
    r->list.count = 1;
  }
  return true;
}

static bool fill(part *p, const alea_lit *final, uint32_t m) {
  alea_rebuild *r = p->r;
  if (alea_mem_given_up(r->mem) || !collect(p, final, m)) return false;
  alea_graph_gate *gate = alea_graph_gate_of(r->to, final[m]);
  uint32_t count = (uint32_t)r->list.count;
  alea_lit twin = alea_rebuild_find(r, (alea_gate_kind)gate->kind, r->list.data, count);
  if (twin != ALEA_NO_LIT) { /* the next pass replaces it by its twin */
    r->list.data[0] = twin;
    count = 1;
  }
  if (!alea_vec_reserve(r->mem, &r->to->inputs, count)) return false;
  gate->first = (uint32_t)r->to->inputs.count;
  gate->count = count & 0x3fffffffu;
  for (uint32_t i = 0; i < count; i++) r->to->inputs.data[r->to->inputs.count++] = r->list.data[i];
  if (twin == ALEA_NO_LIT && count > 1) alea_rebuild_enter(r, (final[m] >> 1) - r->to->leaf_count);
  return !r->failed;
}

/* ---- the part as a whole ---- */

static alea_status report_negation(part *p, uint32_t member) {
  const alea_ground *ground = p->r->from->ground;
  alea_atom atom = p->r->from->gates.data[p->members[member]].origin;
  alea_text text;
  alea_text_init(&text, p->r->mem);
  if (atom != 0 && ground->atom_terms != NULL && ground->atom_terms[atom] != ALEA_NO_TERM)
    alea_terms_print(ground->terms, ground->atom_terms[atom], true, &text);
  else
    alea_text_format(&text, "aux-%u", (unsigned)atom);
  alea_diag_error(p->r->diag, (alea_place){0}, "negative-cycle", "%s depends on its own negation",
                  alea_text_string(&text));
  alea_text_clear(&text);
  return ALEA_INPUT;
}

/* Inner edges; also notes negation. */
static bool connect(part *p) {
  for (int pass = 0; pass < 2; pass++) {
    for (uint32_t m = 0; m < p->count; m++) {
      uint32_t count;
      const alea_lit *inputs = inputs_of(p, m, &count);
      for (uint32_t i = 0; i < count; i++) {
        uint32_t inner = member_of(p, inputs[i]);
        if (inner == UINT32_MAX) continue;
        if ((inputs[i] & 1) != 0) {
          p->negation = true;
        } else if (pass == 0) {
          p->out_first[inner + 1]++;
        } else {
          p->out[p->out_first[inner]++] = m;
        }
      }
    }
    if (pass == 1) break;
    for (uint32_t m = 0; m < p->count; m++) p->out_first[m + 1] += p->out_first[m];
    p->out_count = p->out_first[p->count];
    p->out = alea_mem_alloc(p->r->mem, p->out_count * sizeof *p->out);
    if (p->out == NULL) return false;
  }
  memmove(p->out_first + 1, p->out_first, p->count * sizeof *p->out_first);
  p->out_first[0] = 0;
  return true;
}

static bool negation_left(const part *p, uint32_t *member) {
  for (uint32_t m = 0; m < p->count; m++) {
    if (p->value[m] != OPEN) continue;
    uint32_t count;
    const alea_lit *inputs = inputs_of(p, m, &count);
    for (uint32_t i = 0; i < count; i++) {
      uint32_t inner = member_of(p, inputs[i]);
      if (inner == UINT32_MAX || (inputs[i] & 1) == 0 || p->value[inner] != OPEN) continue;
      *member = m;
      return true;
    }
  }
  return false;
}

static alea_status translate(part *p, alea_lit *final) {
  alea_rebuild *r = p->r;
  if (!connect(p) || !find_constants(p)) return alea_graph_no_memory(r->mem);
  uint32_t culprit;
  if ((r->what & ALEA_REBUILD_STRICT) != 0 && p->negation && negation_left(p, &culprit))
    return report_negation(p, culprit);
  for (uint32_t m = 0; m < p->count; m++)
    p->alias[m] = p->value[m] == OPEN ? single_input(p, m) : ALEA_NO_LIT;
  if (!reserve_gates(p, final)) return alea_graph_no_memory(r->mem);
  for (uint32_t m = 0; m < p->count; m++)
    if (p->value[m] == OPEN && p->alias[m] == ALEA_NO_LIT && !fill(p, final, m))
      return alea_graph_no_memory(r->mem);
  for (uint32_t m = 0; m < p->count; m++) r->map[r->from->leaf_count + p->members[m]] = final[m];
  r->any_cycle = true;
  return ALEA_OK;
}

alea_status alea_rebuild_cycle(alea_rebuild *r, const uint32_t *members, uint32_t count) {
  part p = {.r = r, .members = members, .count = count};
  for (uint32_t m = 0; m < count; m++)
    r->map[r->from->leaf_count + members[m]] = ALEA_LEAF_LEGALITY - 1 - m;
  alea_lit *final = alea_mem_alloc(r->mem, count * sizeof *final);
  p.value = alea_mem_alloc(r->mem, count);
  p.reached = alea_mem_alloc(r->mem, count);
  p.missing = alea_mem_alloc(r->mem, count * sizeof *p.missing);
  p.alias = alea_mem_alloc(r->mem, count * sizeof *p.alias);
  p.out_first = alea_mem_calloc(r->mem, (size_t)count + 1, sizeof *p.out_first);
  alea_status status = alea_graph_no_memory(r->mem);
  if (final != NULL && p.value != NULL && p.reached != NULL && p.missing != NULL &&
      p.alias != NULL && p.out_first != NULL) {
    memset(p.value, OPEN, count);
    status = translate(&p, final);
  }
  alea_mem_free(r->mem, final, count * sizeof *final);
  alea_mem_free(r->mem, p.value, count);
  alea_mem_free(r->mem, p.reached, count);
  alea_mem_free(r->mem, p.missing, count * sizeof *p.missing);
  alea_mem_free(r->mem, p.alias, count * sizeof *p.alias);
  alea_mem_free(r->mem, p.out_first, ((size_t)count + 1) * sizeof *p.out_first);
  alea_mem_free(r->mem, p.out, p.out_count * sizeof *p.out);
  alea_vec_clear(r->mem, &p.queue);
  return status;
}
