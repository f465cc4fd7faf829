/* Definitions by rules, and choices that rules allow: relations of games
 * without a list of their tuples (D8, D13).
 *
 * A program gives each of its head variables the value that a rule derives, or
 * the default if no rule does (Clark's completion).  If heads occur in bodies,
 * the program means its least model: completion alone would let a cycle of
 * rules support itself. */
#include <stdlib.h>

#include "csp/constraints.h"

/* ---- the definition, for checking ---- */

static bool literal_holds(csp_literal lit, const int32_t *values) {
  return (values[lit.position] == lit.value) != lit.negative;
}

/* Positive literals over heads refer to what was derived, not to what was
 * assigned. */
static bool body_derived(const csp_program *p, const csp_rule *rule, const int32_t *values,
                         const bool *fired) {
  for (uint32_t i = 0; i < rule->count; i++) {
    csp_literal lit = p->lits[rule->first + i];
    if (!p->recursive || lit.position >= p->head_count) {
      if (!literal_holds(lit, values)) return false;
      continue;
    }
    bool derived = false;
    for (size_t r = 0; r < p->rule_count && !derived; r++)
      derived = fired[r] && p->rules[r].head == lit.position && p->rules[r].value == lit.value;
    if (!derived) return false;
  }
  return true;
}

static bool heads_match(const csp_program *p, const int32_t *values, const bool *fired) {
  for (uint32_t h = 0; h < p->head_count; h++) {
    int32_t value = p->defaults[h];
    bool any = false;
    for (size_t r = 0; r < p->rule_count; r++) {
      if (!fired[r] || p->rules[r].head != h) continue;
      if (any && !p->highest && p->rules[r].value != value) return false;
      if (!any || p->rules[r].value > value) value = p->rules[r].value;
      any = true;
    }
    if (values[h] != value) return false;
  }
  return true;
}

static bool program_check(const alea_csp *csp, const csp_constraint *constraint,
                          const int32_t *values) {
  const csp_program *p = constraint->data;
  bool few[64] = {false};
  bool *fired = p->rule_count <= 64 ? few : alea_mem_calloc(csp->mem, p->rule_count, sizeof *fired);
  if (fired == NULL) return false;
  for (bool more = true; more;) {
    more = false;
    for (size_t r = 0; r < p->rule_count; r++) {
      if (fired[r] || !body_derived(p, &p->rules[r], values, fired)) continue;
      fired[r] = true;
      more = p->recursive;
    }
  }
  bool holds = heads_match(p, values, fired);
  if (fired != few) alea_mem_free(csp->mem, fired, p->rule_count * sizeof *fired);
  return holds;
}

static bool choice_check(const alea_csp *csp, const csp_constraint *constraint,
                         const int32_t *values) {
  (void)csp;
  const csp_program *p = constraint->data;
  for (size_t r = 0; r < p->rule_count; r++)
    if (p->rules[r].value == values[0] && body_derived(p, &p->rules[r], values, NULL)) return true;
  return false;
}

/* ---- compiled rules ---- */

/* A literal by value index, and a rule whose body are lits[first .. last-1].
 * In a recursive program the literals over heads come first, up to 'inner'. */
typedef struct compiled_lit {
  alea_csp_var var;
  uint32_t index; /* 2 * value index + negative */
} compiled_lit;

typedef struct compiled_rule {
  uint32_t head, index; /* scope position; value index, ALEA_CSP_NONE outside the domain */
  int32_t value;
  uint32_t first, inner, last;
} compiled_rule;

typedef struct compiled {
  uint32_t rule_count;
  compiled_rule *rules;
  compiled_lit *lits;
  uint64_t *possible; /* scratch: per head, values that a rule may still give */
  uint32_t *offset;   /* per head: its first word in 'possible' */
  uint32_t words;
  uint32_t *defaults; /* index per head, ALEA_CSP_NONE when not in the domain */
  /* for recursive programs only */
  uint64_t *derived;
  uint32_t *missing;            /* scratch: per rule, inner literals not yet derived */
  uint32_t *read_first, *reads; /* rules that read (head, value), by bit of 'possible' */
  uint32_t *queue;
} compiled;

typedef enum program_truth { FALSE, TRUE, OPEN } lit_truth;

static lit_truth truth_of(const csp_engine *engine, compiled_lit lit) {
  const csp_domain *domain = &engine->domains[lit.var];
  uint32_t index = lit.index >> 1;
  bool negative = lit.index & 1;
  if (!csp_has(domain, index)) return negative ? TRUE : FALSE;
  if (domain->size == 1) return negative ? FALSE : TRUE;
  return OPEN;
}

static bool make(csp_engine *engine, compiled_lit lit, bool wanted) {
  bool negative = lit.index & 1;
  if (wanted != negative) return csp_assign(engine, lit.var, lit.index >> 1);
  return csp_remove(engine, lit.var, lit.index >> 1);
}

/* False: the body can never hold.  Literals that always hold are left out. */
static bool compile_rule(const csp_engine *engine, const csp_prop *prop, const csp_program *p,
                         const csp_rule *rule, compiled *c, uint32_t *used) {
  compiled_rule *out = &c->rules[c->rule_count];
  uint32_t index = csp_index(csp_dom(engine, prop->scope[rule->head])->var, rule->value);
  *out = (compiled_rule){.head = rule->head, .index = index, .value = rule->value, .first = *used};
  for (int inner = 1; inner >= 0; inner--) {
    for (uint32_t i = 0; i < rule->count; i++) {
      csp_literal lit = p->lits[rule->first + i];
      if ((p->recursive && lit.position < p->head_count) != (inner == 1)) continue;
      alea_csp_var var = prop->scope[lit.position];
      uint32_t value = csp_index(csp_dom(engine, var)->var, lit.value);
      if (value == ALEA_CSP_NONE && lit.negative) continue;
      if (value == ALEA_CSP_NONE) {
        *used = out->first;
        return false;
      }
      c->lits[(*used)++] = (compiled_lit){var, 2 * value + lit.negative};
    }
    if (inner == 1) out->inner = *used;
  }
  out->last = *used;
  return true;
}

static bool take_memory(csp_engine *engine, const csp_prop *prop, const csp_program *p,
                        compiled *c) {
  alea_arena *arena = &engine->arena;
  c->rules = alea_arena_alloc(arena, (p->rule_count + 1) * sizeof *c->rules);
  c->lits = alea_arena_alloc(arena, (p->lit_count + 1) * sizeof *c->lits);
  c->offset = alea_arena_alloc(arena, (p->head_count + 1) * sizeof *c->offset);
  c->defaults = alea_arena_alloc(arena, (p->head_count + 1) * sizeof *c->defaults);
  if (c->rules == NULL || c->lits == NULL || c->offset == NULL || c->defaults == NULL) return false;
  for (uint32_t h = 0; h < p->head_count; h++) {
    const csp_domain *domain = csp_dom(engine, prop->scope[h]);
    c->offset[h] = c->words;
    c->words += domain->word_count;
    c->defaults[h] = p->defaults == NULL ? ALEA_CSP_NONE : csp_index(domain->var, p->defaults[h]);
  }
  c->offset[p->head_count] = c->words;
  c->possible = alea_arena_alloc(arena, (c->words + 1) * sizeof *c->possible);
  return c->possible != NULL;
}

/* Lists the rules that read (head, value), for recursion. */
static bool take_readers(csp_engine *engine, const csp_prop *prop, compiled *c) {
  alea_arena *arena = &engine->arena;
  size_t bits = 64 * (size_t)c->words;
  c->derived = alea_arena_alloc(arena, (c->words + 1) * sizeof *c->derived);
  c->missing = alea_arena_alloc(arena, (c->rule_count + 1) * sizeof *c->missing);
  c->queue = alea_arena_alloc(arena, (bits + 1) * sizeof *c->queue);
  c->read_first = alea_arena_alloc(arena, (bits + 2) * sizeof *c->read_first);
  size_t inner = 0;
  for (uint32_t r = 0; r < c->rule_count; r++) inner += c->rules[r].inner - c->rules[r].first;
  c->reads = alea_arena_alloc(arena, (inner + 1) * sizeof *c->reads);
  uint32_t *head_of = alea_mem_calloc(engine->mem, engine->var_count, sizeof *head_of);
  if (c->derived == NULL || c->missing == NULL || c->queue == NULL || c->read_first == NULL ||
      c->reads == NULL || head_of == NULL) {
    alea_mem_free(engine->mem, head_of, engine->var_count * sizeof *head_of);
    return false;
  }
  const csp_program *p = prop->constraint->data;
  for (uint32_t h = 0; h < p->head_count; h++) head_of[prop->scope[h]] = c->offset[h] * 64;
  memset(c->read_first, 0, (bits + 2) * sizeof *c->read_first);
  for (int pass = 0; pass < 2; pass++) {
    for (uint32_t r = 0; r < c->rule_count; r++)
      for (uint32_t i = c->rules[r].first; i < c->rules[r].inner; i++) {
        uint32_t bit = head_of[c->lits[i].var] + (c->lits[i].index >> 1);
        if (pass == 0)
          c->read_first[bit + 2]++;
        else
          c->reads[c->read_first[bit + 1]++] = r;
      }
    for (size_t b = 2; pass == 0 && b < bits + 2; b++) c->read_first[b] += c->read_first[b - 1];
  }
  alea_mem_free(engine->mem, head_of, engine->var_count * sizeof *head_of);
  return true;
}

static bool start(csp_engine *engine, csp_prop *prop) {
  const csp_program *p = prop->constraint->data;
  compiled *c = alea_arena_alloc(&engine->arena, sizeof *c);
  if (c == NULL) return false;
  *c = (compiled){0};
  if (!take_memory(engine, prop, p, c)) return false;
  uint32_t used = 0;
  for (size_t r = 0; r < p->rule_count; r++)
    c->rule_count += compile_rule(engine, prop, p, &p->rules[r], c, &used);
  if (p->recursive && !take_readers(engine, prop, c)) return false;
  prop->state = c;
  return csp_watch_scope(engine, prop, false);
}

/* ---- propagation without recursion: one head ---- */

/* Truth of a body; '*open' is its last open literal, '*opens' the number of
 * them. */
static lit_truth body_truth(const csp_engine *engine, const compiled *c, const compiled_rule *rule,
                            uint32_t *open, uint32_t *opens) {
  *opens = 0;
  for (uint32_t i = rule->first; i < rule->last; i++) {
    lit_truth truth = truth_of(engine, c->lits[i]);
    if (truth == FALSE) return FALSE;
    if (truth == TRUE) continue;
    *open = i;
    ++*opens;
  }
  return *opens == 0 ? TRUE : OPEN;
}

static bool make_body(csp_engine *engine, const compiled *c, const compiled_rule *rule) {
  for (uint32_t i = rule->first; i < rule->last; i++)
    if (!make(engine, c->lits[i], true)) return false;
  return true;
}

/* Whether the head can have this value if the rule fires. */
static bool head_allows(const csp_domain *head, const compiled_rule *rule, bool highest) {
  if (highest) return rule->value <= csp_max(head);
  return rule->index != ALEA_CSP_NONE && csp_has(head, rule->index);
}

static bool fire(csp_engine *engine, alea_csp_var var, const compiled_rule *rule, bool highest) {
  if (!head_allows(csp_dom(engine, var), rule, highest)) return false;
  if (!highest) return csp_assign(engine, var, rule->index);
  return csp_at_least(engine, var, rule->value);
}

/* '*settled': another run would change nothing. */
static bool propagate_one(csp_engine *engine, csp_prop *prop, bool *settled) {
  const csp_program *p = prop->constraint->data;
  compiled *c = prop->state;
  alea_csp_var var = prop->scope[0];
  const csp_domain *head = csp_dom(engine, var);
  uint32_t live = 0, last = 0, size = head->size;
  bool fired = false, open_bodies = false;
  memset(c->possible, 0, c->words * sizeof *c->possible);
  for (uint32_t r = 0; r < c->rule_count; r++) {
    const compiled_rule *rule = &c->rules[r];
    uint32_t open = 0, opens = 0;
    lit_truth truth = body_truth(engine, c, rule, &open, &opens);
    if (truth == FALSE) continue;
    if (truth == TRUE) {
      fired = true;
      if (!fire(engine, var, rule, p->highest)) return false;
    } else if (!head_allows(head, rule, p->highest)) {
      open_bodies = open_bodies || opens == 1;
      if (opens == 1 && !make(engine, c->lits[open], false)) return false;
      continue;
    } else {
      open_bodies = true;
    }
    if (rule->index == ALEA_CSP_NONE) continue;
    c->possible[rule->index >> 6] |= UINT64_C(1) << (rule->index & 63);
    live++;
    last = r;
  }
  uint32_t fallback = c->defaults[0];
  if (fallback != ALEA_CSP_NONE && !fired)
    c->possible[fallback >> 6] |= UINT64_C(1) << (fallback & 63);
  if (!csp_keep(engine, var, c->possible)) return false;
  *settled = !open_bodies || head->size == size;
  bool must = fallback == ALEA_CSP_NONE || !csp_has(csp_dom(engine, var), fallback);
  if (!must || live != 1 || fired || p->highest) return true;
  *settled = true; /* only this rule is left, and now it holds */
  return make_body(engine, c, &c->rules[last]);
}

/* ---- propagation with recursion: two least fixpoints ---- */

/* Records what a rule derives.  False if that is certainly outside the
 * domain. */
static bool reach(const csp_engine *engine, const csp_prop *prop, compiled *c, uint32_t r,
                  uint64_t *derived, bool sure, uint32_t *tail) {
  const compiled_rule *rule = &c->rules[r];
  const csp_domain *head = csp_dom(engine, prop->scope[rule->head]);
  if (rule->index == ALEA_CSP_NONE || !csp_has(head, rule->index)) return !sure;
  uint32_t bit = c->offset[rule->head] * 64 + rule->index;
  if (derived[bit >> 6] >> (bit & 63) & 1) return true;
  derived[bit >> 6] |= UINT64_C(1) << (bit & 63);
  c->queue[(*tail)++] = bit;
  return true;
}

/* What rules derive if open literals count as false ('sure') or as true. */
static bool derive(const csp_engine *engine, const csp_prop *prop, compiled *c, uint64_t *derived,
                   bool sure) {
  uint32_t head = 0, tail = 0;
  memset(derived, 0, c->words * sizeof *derived);
  for (uint32_t r = 0; r < c->rule_count; r++) {
    const compiled_rule *rule = &c->rules[r];
    c->missing[r] = rule->inner - rule->first;
    for (uint32_t i = rule->inner; i < rule->last; i++) {
      lit_truth truth = truth_of(engine, c->lits[i]);
      if (truth != FALSE && (truth == TRUE || !sure)) continue;
      c->missing[r] = UINT32_MAX; /* never */
      break;
    }
  }
  for (uint32_t r = 0; r < c->rule_count; r++)
    if (c->missing[r] == 0 && !reach(engine, prop, c, r, derived, sure, &tail)) return false;
  while (head < tail) {
    uint32_t read = c->queue[head++];
    for (uint32_t k = c->read_first[read]; k < c->read_first[read + 1]; k++) {
      uint32_t r = c->reads[k];
      if (c->missing[r] == UINT32_MAX || --c->missing[r] != 0) continue;
      if (!reach(engine, prop, c, r, derived, sure, &tail)) return false;
    }
  }
  return true;
}

static bool propagate_all(csp_engine *engine, csp_prop *prop, bool *settled) {
  const csp_program *p = prop->constraint->data;
  compiled *c = prop->state;
  *settled = true;
  if (!derive(engine, prop, c, c->derived, true)) return false;
  derive(engine, prop, c, c->possible, false);
  for (uint32_t h = 0; h < p->head_count; h++) {
    const uint64_t *sure = c->derived + c->offset[h];
    uint64_t *may = c->possible + c->offset[h];
    uint32_t words = csp_dom(engine, prop->scope[h])->word_count;
    uint32_t size = csp_dom(engine, prop->scope[h])->size;
    bool any = false;
    for (uint32_t w = 0; w < words; w++)
      for (uint64_t rest = sure[w]; rest != 0; rest &= rest - 1) {
        any = true;
        uint32_t index = 64 * w + (uint32_t)__builtin_ctzll(rest);
        if (!csp_has(csp_dom(engine, prop->scope[h]), index)) return false;
        if (!csp_assign(engine, prop->scope[h], index)) return false;
      }
    uint32_t fallback = c->defaults[h];
    if (!any && fallback != ALEA_CSP_NONE) may[fallback >> 6] |= UINT64_C(1) << (fallback & 63);
    if (!csp_keep(engine, prop->scope[h], may)) return false;
    if (csp_dom(engine, prop->scope[h])->size != size) *settled = false;
  }
  return true;
}

static bool program_propagate(csp_engine *engine, csp_prop *prop) {
  const csp_program *p = prop->constraint->data;
  bool settled = false, held = true;
  while (held && !settled)
    held = p->recursive ? propagate_all(engine, prop, &settled)
                        : propagate_one(engine, prop, &settled);
  return held;
}

static bool choice_propagate(csp_engine *engine, csp_prop *prop) {
  compiled *c = prop->state;
  alea_csp_var var = prop->scope[0];
  uint32_t live = 0, last = 0;
  bool decided = true;
  memset(c->possible, 0, c->words * sizeof *c->possible);
  for (uint32_t r = 0; r < c->rule_count; r++) {
    const compiled_rule *rule = &c->rules[r];
    uint32_t open, opens;
    if (rule->index == ALEA_CSP_NONE || !csp_has(csp_dom(engine, var), rule->index)) continue;
    lit_truth truth = body_truth(engine, c, rule, &open, &opens);
    if (truth == FALSE) continue;
    decided = decided && truth == TRUE;
    c->possible[rule->index >> 6] |= UINT64_C(1) << (rule->index & 63);
    live++;
    last = r;
  }
  if (!csp_keep(engine, var, c->possible)) return false;
  /* If every body is decided, all values left in the domain are allowed. */
  if (decided) csp_activate(engine, prop, false);
  return live != 1 || make_body(engine, c, &c->rules[last]);
}

const csp_type csp_program_type = {"program", 1, true, program_check, start, program_propagate};
const csp_type csp_choice_type = {"choice", 1, true, choice_check, start, choice_propagate};

/* ---- posting ---- */

typedef struct program_poster {
  alea_csp *csp;
  alea_csp_var *scope;
  uint32_t arity;
  uint32_t *position; /* per variable: place in the scope + 1 */
} program_poster;

/* A network of a million definitions cannot allocate a new array for each. */
static uint32_t *places(alea_csp *csp) {
  size_t old = csp->places.count, vars = csp->vars.count;
  if (old < vars) {
    if (!alea_vec_reserve(csp->mem, &csp->places, vars - old)) return NULL;
    memset(csp->places.data + old, 0, (vars - old) * sizeof *csp->places.data);
    csp->places.count = vars;
  }
  return csp->places.data;
}

static uint32_t place(program_poster *p, alea_csp_var var) {
  if (p->position[var] == 0) {
    p->scope[p->arity] = var;
    p->position[var] = ++p->arity;
  }
  return p->position[var] - 1;
}

static bool copy_rules(program_poster *p, csp_program *program, const alea_csp_rule *rules,
                       size_t count, const alea_csp_lit *lits) {
  size_t total = 0;
  for (size_t r = 0; r < count; r++) total += rules[r].count;
  csp_rule *own = csp_alloc(p->csp, count, sizeof *own);
  csp_literal *literals = csp_alloc(p->csp, total, sizeof *literals);
  if (own == NULL || literals == NULL) return false;
  total = 0;
  for (size_t r = 0; r < count; r++) {
    own[r] = (csp_rule){rules[r].head, rules[r].value, (uint32_t)total, rules[r].count};
    for (uint32_t i = 0; i < rules[r].count; i++) {
      alea_csp_lit lit = lits[rules[r].first + i];
      if (lit.var >= p->csp->vars.count) return false;
      uint32_t at = place(p, lit.var);
      if (at < program->head_count) {
        program->recursive = true;
        if (lit.negative) return false; /* no definition may depend on its own negation */
      }
      literals[total++] = (csp_literal){at, lit.value, lit.negative};
    }
  }
  program->rules = own;
  program->lits = literals;
  program->lit_count = total;
  return true;
}

static alea_status post(alea_csp *csp, const csp_type *type, const alea_csp_var *heads,
                        const int32_t *defaults, uint32_t head_count, const alea_csp_rule *rules,
                        size_t rule_count, const alea_csp_lit *lits, bool highest) {
  if (csp->state != ALEA_OK) return csp->state;
  size_t total = head_count;
  for (size_t r = 0; r < rule_count; r++) {
    if (rules[r].head >= head_count) return csp_fail(csp, ALEA_USAGE);
    total += rules[r].count;
  }
  if (total > csp->vars.count) total = csp->vars.count;
  csp_program *program = csp_alloc(csp, 1, sizeof *program);
  program_poster p = {.csp = csp, .scope = csp_alloc(csp, total + 1, sizeof *p.scope)};
  p.position = places(csp);
  bool good = program != NULL && p.scope != NULL && p.position != NULL;
  if (good) {
    *program = (csp_program){.head_count = head_count, .rule_count = rule_count};
    program->highest = highest;
    if (defaults != NULL) program->defaults = csp_copy(csp, defaults, head_count, sizeof *defaults);
    for (uint32_t h = 0; h < head_count && good; h++)
      good = heads[h] < csp->vars.count && place(&p, heads[h]) == h;
    if (type == &csp_choice_type)
      program->head_count = 0; /* the variable may occur in its own bodies */
    good = good && copy_rules(&p, program, rules, rule_count, lits);
    program->head_count = head_count;
  }
  for (uint32_t i = 0; i < p.arity; i++) p.position[p.scope[i]] = 0;
  if (!good) return csp_fail(csp, csp->mem->hit_limit ? ALEA_LIMIT : ALEA_USAGE);
  if (program->recursive && highest) return csp_fail(csp, ALEA_USAGE);
  if (!program->recursive && head_count != 1) program->recursive = true;
  return csp_post(csp, type, p.scope, p.arity, program);
}

alea_status alea_csp_program(alea_csp *csp, const alea_csp_var *heads, const int32_t *defaults,
                             uint32_t head_count, const alea_csp_rule *rules, size_t rule_count,
                             const alea_csp_lit *lits, bool highest) {
  return post(csp, &csp_program_type, heads, defaults, head_count, rules, rule_count, lits,
              highest);
}

alea_status alea_csp_choice(alea_csp *csp, alea_csp_var var, const alea_csp_rule *rules,
                            size_t rule_count, const alea_csp_lit *lits) {
  return post(csp, &csp_choice_type, &var, NULL, 1, rules, rule_count, lits, false);
}
