/* The closure of a stage, by differences. */
#include "encode/closure.h"

#include <string.h>

/* ---- supports ---- */

static inline void mark(encode_closure *c, uint32_t turn) {
  c->dirty[turn >> 6] |= UINT64_C(1) << (turn & 63);
  c->summary[turn >> 12] |= UINT64_C(1) << ((turn >> 6) & 63);
}

/* Whether the supports leave no value. */
static bool is_wrong(const encode_flat_var *var, const encode_closure_var *now) {
  if (now->held == 0) return var->fallback == ENCODE_FLAT_NONE;
  return now->held > 1 || now->sum == var->size;
}

/* A fact has its first support, or has lost its last. */
static inline void cross(encode_closure *c, uint32_t fact, bool gained) {
  uint32_t v = c->flat->facts[fact].var, root = c->roots[fact];
  const encode_flat_var *var = &c->flat->vars[v];
  encode_closure_var *now = &c->vars[v];
  if (root != ENCODE_FLAT_NONE) c->bits[root >> 6] ^= UINT64_C(1) << (root & 63);
  if (var->risky) c->wrong[var->moving] -= is_wrong(var, now);
  now->held += gained ? 1u : UINT32_MAX;
  now->sum ^= fact - var->first;
  if (var->risky) c->wrong[var->moving] += is_wrong(var, now);
  if (var->turn != ENCODE_FLAT_NONE) mark(c, var->turn);
}

static inline void gain(encode_closure *c, uint32_t fact) {
  if (c->support[fact]++ == 0) cross(c, fact, true);
}

static inline void lose(encode_closure *c, uint32_t fact) {
  if (--c->support[fact] == 0) cross(c, fact, false);
}

/* A body holds, or does so no longer. */
static inline void rule_on(encode_closure *c, uint32_t rule) {
  encode_flat_rule r = c->flat->rules[rule];
  if (r.part == ENCODE_FLAT_NONE)
    gain(c, r.head);
  else
    mark(c, c->flat->vars[c->flat->parts[r.part].first_var].turn);
}

static inline void rule_off(encode_closure *c, uint32_t rule) {
  encode_flat_rule r = c->flat->rules[rule];
  if (r.part == ENCODE_FLAT_NONE) {
    lose(c, r.head);
    return;
  }
  c->reset[r.part] = 1;
  mark(c, c->flat->vars[c->flat->parts[r.part].first_var].turn);
}

static inline void satisfy(encode_closure *c, const uint32_t *rules, const uint32_t *end) {
  for (; rules < end; rules++)
    if (--c->missing[*rules] == 0) rule_on(c, *rules);
}

static inline void unsatisfy(encode_closure *c, const uint32_t *rules, const uint32_t *end) {
  for (; rules < end; rules++)
    if (c->missing[*rules]++ == 0) rule_off(c, *rules);
}

/* A fact holds from now on; its own part is not told. */
static void rise(encode_closure *c, uint32_t number) {
  const encode_flat_fact *fact = &c->flat->facts[number];
  const uint32_t *targets = c->flat->targets;
  satisfy(c, targets + fact->first, targets + fact->negative);
  unsatisfy(c, targets + fact->negative, targets + fact->direct);
  for (uint32_t i = fact->direct; i < fact->direct_negative; i++) gain(c, targets[i]);
  for (uint32_t i = fact->direct_negative; i < fact->inner; i++) lose(c, targets[i]);
}

static void fall(encode_closure *c, uint32_t number) {
  const encode_flat_fact *fact = &c->flat->facts[number];
  const uint32_t *targets = c->flat->targets;
  unsatisfy(c, targets + fact->first, targets + fact->negative);
  satisfy(c, targets + fact->negative, targets + fact->direct);
  for (uint32_t i = fact->direct; i < fact->direct_negative; i++) lose(c, targets[i]);
  for (uint32_t i = fact->direct_negative; i < fact->inner; i++) gain(c, targets[i]);
}

void encode_closure_set(encode_closure *c, uint32_t var, uint32_t index) {
  uint32_t first = c->flat->vars[var].first, old = c->vars[var].value;
  if (old == index) return;
  c->vars[var].value = index;
  if (old != ENCODE_FLAT_NONE) fall(c, first + old);
  if (index != ENCODE_FLAT_NONE) rise(c, first + index);
}

/* ---- values ---- */

uint32_t encode_closure_value(const encode_closure *c, uint32_t v) {
  const encode_flat_var *var = &c->flat->vars[v];
  const encode_closure_var *now = &c->vars[v];
  if (var->mode == ENCODE_FLAT_GIVEN || var->mode == ENCODE_FLAT_PART)
    return now->value == ENCODE_FLAT_NONE ? 0 : now->value;
  if (now->held == 0) return var->fallback == ENCODE_FLAT_NONE ? 0 : var->fallback;
  if (now->held == 1) return now->sum < var->size ? now->sum : 0;
  /* several: the highest is meant, or it is wrong and any will do */
  uint32_t index = var->size - 1;
  while (index > 0 && c->support[var->first + index] == 0) index--;
  return index;
}

/* ---- variables that define each other ---- */

static void derive(encode_closure *c, uint32_t part, uint32_t rule, uint32_t *tail) {
  uint32_t fact = c->flat->rules[rule].head, v = c->flat->facts[fact].var;
  const encode_flat_var *var = &c->flat->vars[v];
  uint32_t index = fact - var->first;
  if (c->vars[v].value == index) return;
  if (index == var->size || c->vars[v].value != var->fallback) {
    if (!c->torn[part]) c->wrong[var->moving]++;
    c->torn[part] = 1;
    return;
  }
  c->vars[v].value = index;
  c->queue[(*tail)++] = fact;
}

/* Takes back what was derived. */
static void take_back(encode_closure *c, uint32_t part) {
  const encode_flat *flat = c->flat;
  const encode_flat_part *p = &flat->parts[part];
  for (uint32_t v = p->first_var; v < p->first_var + p->var_count; v++) {
    const encode_flat_var *var = &flat->vars[v];
    uint32_t value = c->vars[v].value;
    if (value == var->fallback || value == ENCODE_FLAT_NONE) continue;
    const encode_flat_fact *fact = &flat->facts[var->first + value];
    for (uint32_t i = fact->inner; i < fact->end; i++) c->missing[flat->targets[i]]++;
    c->vars[v].value = var->fallback;
  }
  if (c->torn[part]) c->wrong[flat->vars[p->first_var].moving]--;
  c->torn[part] = c->reset[part] = 0;
}

/* The least model of a part: on from what is derived where supports were only
 * gained, else from nothing. */
static void run_part(encode_closure *c, uint32_t part) {
  const encode_flat *flat = c->flat;
  const encode_flat_part *p = &flat->parts[part];
  uint32_t tail = 0;
  for (uint32_t i = 0; i < p->var_count; i++) {
    encode_closure_var *now = &c->vars[p->first_var + i];
    c->old[i] = now->value;
    if (now->value == ENCODE_FLAT_NONE) now->value = flat->vars[p->first_var + i].fallback;
  }
  if (c->reset[part]) take_back(c, part);
  for (uint32_t r = p->first_rule; r < p->first_rule + p->rule_count; r++)
    if (c->missing[r] == 0) derive(c, part, r, &tail);
  for (uint32_t k = 0; k < tail; k++) {
    const encode_flat_fact *fact = &flat->facts[c->queue[k]];
    for (uint32_t i = fact->inner; i < fact->end; i++)
      if (--c->missing[flat->targets[i]] == 0) derive(c, part, flat->targets[i], &tail);
  }
  for (uint32_t i = 0; i < p->var_count; i++) {
    uint32_t v = p->first_var + i, now = c->vars[v].value;
    if (now == c->old[i]) continue;
    if (c->old[i] != ENCODE_FLAT_NONE) fall(c, flat->vars[v].first + c->old[i]);
    if (now != ENCODE_FLAT_NONE) rise(c, flat->vars[v].first + now);
  }
}

/* ---- turns ---- */

static void visit(encode_closure *c, uint32_t turn) {
  uint32_t v = c->flat->turns[turn];
  c->visits++;
  if (c->flat->vars[v].mode == ENCODE_FLAT_PART)
    run_part(c, c->flat->vars[v].part);
  else
    encode_closure_set(c, v, encode_closure_value(c, v));
}

static void run_turns(encode_closure *c, uint32_t from, uint32_t to) {
  for (uint32_t s = from >> 12; s < to >> 12; s++)
    while (c->summary[s] != 0) {
      uint32_t word = 64 * s + (uint32_t)__builtin_ctzll(c->summary[s]);
      while (c->dirty[word] != 0) {
        uint64_t bits = c->dirty[word];
        c->dirty[word] = bits & (bits - 1);
        visit(c, 64 * word + (uint32_t)__builtin_ctzll(bits));
      }
      c->summary[s] &= ~(UINT64_C(1) << (word & 63));
    }
}

bool encode_closure_run(encode_closure *c) {
  run_turns(c, 0, c->flat->moving_turn);
  return c->wrong[0] == 0;
}

/* ---- actions ---- */

static bool holds(const encode_closure *c, const encode_flat_hanging *hanging) {
  const encode_flat_literal *lits = c->flat->literals + hanging->first;
  for (uint32_t i = 0; i < hanging->count; i++)
    if ((c->vars[lits[i].var].value == lits[i].index >> 1) == (lits[i].index & 1)) return false;
  return true;
}

bool encode_closure_take(encode_closure *c, const uint32_t *actions, const uint32_t *indexes,
                         uint32_t count) {
  const encode_flat *flat = c->flat;
  for (uint32_t i = 0; i < count; i++) encode_closure_set(c, actions[i], indexes[i]);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t fact = flat->vars[actions[i]].first + indexes[i];
    for (uint32_t h = flat->hang_first[fact]; h < flat->hang_first[fact + 1]; h++) {
      if (!holds(c, &flat->hangings[h])) continue;
      uint32_t rule = flat->hangings[h].rule;
      c->taken[c->taken_count++] = rule;
      if (--c->missing[rule] == 0) rule_on(c, rule);
    }
  }
  run_turns(c, flat->moving_turn, flat->turn_count);
  return c->wrong[1] == 0;
}

/* What follows from the actions keeps its turns until others are taken. */
void encode_closure_leave(encode_closure *c, const uint32_t *actions, uint32_t count) {
  for (uint32_t i = 0; i < c->taken_count; i++)
    if (c->missing[c->taken[i]]++ == 0) rule_off(c, c->taken[i]);
  c->taken_count = 0;
  for (uint32_t i = 0; i < count; i++) encode_closure_set(c, actions[i], ENCODE_FLAT_NONE);
}

/* ---- the first closure ---- */

/* No fact holds: bodies without a positive literal do. */
static void start(encode_closure *c) {
  const encode_flat *flat = c->flat;
  memcpy(c->missing, flat->missing, flat->rule_count * sizeof *c->missing);
  for (uint32_t v = 0; v < flat->var_count; v++) {
    const encode_flat_var *var = &flat->vars[v];
    c->vars[v] = (encode_closure_var){.value = ENCODE_FLAT_NONE};
    if (var->risky) c->wrong[var->moving] += is_wrong(var, &c->vars[v]);
    if (var->turn != ENCODE_FLAT_NONE) mark(c, var->turn);
  }
  for (uint32_t f = 0; f < flat->fact_count; f++)
    for (uint32_t i = flat->facts[f].direct_negative; i < flat->facts[f].inner; i++)
      gain(c, flat->targets[i]);
  for (uint32_t r = 0; r < flat->rule_count; r++)
    if (c->missing[r] == 0) rule_on(c, r);
}

bool encode_closure_init(encode_closure *c, const encode_flat *flat, uint32_t *roots,
                         size_t bit_words, alea_mem *mem) {
  *c = (encode_closure){.flat = flat, .mem = mem, .roots = roots, .bit_words = bit_words};
  c->vars = alea_mem_calloc(mem, flat->var_count, sizeof *c->vars);
  c->support = alea_mem_calloc(mem, flat->fact_count, sizeof *c->support);
  c->missing = alea_mem_calloc(mem, flat->rule_count, sizeof *c->missing);
  c->bits = alea_mem_calloc(mem, bit_words, sizeof *c->bits);
  c->dirty = alea_mem_calloc(mem, flat->turn_count / 64, sizeof *c->dirty);
  c->summary = alea_mem_calloc(mem, flat->turn_count / 4096, sizeof *c->summary);
  c->reset = alea_mem_calloc(mem, flat->part_count, 1);
  c->torn = alea_mem_calloc(mem, flat->part_count, 1);
  c->old = alea_mem_calloc(mem, flat->var_count, sizeof *c->old);
  c->queue = alea_mem_calloc(mem, flat->fact_count, sizeof *c->queue);
  c->taken = alea_mem_calloc(mem, flat->hanging_count, sizeof *c->taken);
  if (c->vars == NULL || c->support == NULL || c->missing == NULL || c->bits == NULL ||
      c->dirty == NULL || c->summary == NULL || c->reset == NULL || c->torn == NULL ||
      c->old == NULL || c->queue == NULL || c->taken == NULL)
    return false;
  start(c);
  return true;
}

void encode_closure_clear(encode_closure *c) {
  const encode_flat *flat = c->flat;
  if (flat == NULL) return;
  alea_mem_free(c->mem, c->vars, flat->var_count * sizeof *c->vars);
  alea_mem_free(c->mem, c->support, flat->fact_count * sizeof *c->support);
  alea_mem_free(c->mem, c->missing, flat->rule_count * sizeof *c->missing);
  alea_mem_free(c->mem, c->bits, c->bit_words * sizeof *c->bits);
  alea_mem_free(c->mem, c->dirty, flat->turn_count / 64 * sizeof *c->dirty);
  alea_mem_free(c->mem, c->summary, flat->turn_count / 4096 * sizeof *c->summary);
  alea_mem_free(c->mem, c->reset, flat->part_count);
  alea_mem_free(c->mem, c->torn, flat->part_count);
  alea_mem_free(c->mem, c->old, flat->var_count * sizeof *c->old);
  alea_mem_free(c->mem, c->queue, flat->fact_count * sizeof *c->queue);
  alea_mem_free(c->mem, c->taken, flat->hanging_count * sizeof *c->taken);
  c->flat = NULL;
}
