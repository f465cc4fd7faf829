/* From the constraints of a template to flat arrays of rules. */
#include "encode/flat.h"

#include <string.h>

#include "base/vec.h"
#include "csp/constraints.h"
#include "scsp/core.h"

typedef struct flat_body {
  uint32_t head, part;       /* fact; part or none */
  uint32_t first, count;     /* literals that are counted */
  uint32_t hang;             /* fact of the action that it hangs on, or none */
  uint32_t late, late_count; /* literals that are tried then */
} flat_body;

typedef struct flat_maker {
  const alea_template *t;
  const alea_csp *csp;
  encode_flat *flat;
  alea_mem *mem;
  uint32_t *definer; /* per variable: constraint + 1 */
  uint8_t *needed;   /* per variable */
  uint8_t *check;    /* per constraint: it defines nothing */
  ALEA_VEC(flat_body) bodies;
  ALEA_VEC(encode_flat_literal) counted, late;
  ALEA_VEC(encode_flat_part) parts;
  bool failed, unsupported;
} flat_maker;

static void *take(flat_maker *m, size_t count, size_t size) {
  void *block = NULL;
  if (count < SIZE_MAX / size) block = alea_arena_alloc(&m->flat->arena, count * size + 1);
  if (block == NULL)
    m->failed = true;
  else
    memset(block, 0, count * size);
  return block;
}

/* ---- which constraint defines what ---- */

static alea_csp_var last_of(const csp_constraint *c) {
  alea_csp_var last = 0;
  for (uint32_t i = 0; i < c->arity; i++)
    if (c->scope[i] > last) last = c->scope[i];
  return last;
}

static bool is_action(const flat_maker *m, alea_csp_var var) {
  return m->t->kinds[var] == ALEA_VAR_ACTION || m->t->kinds[var] == ALEA_VAR_CHANCE;
}

static bool is_state(const flat_maker *m, alea_csp_var var) { return var <= m->t->state_count; }

/* Rows are sorted, and the last variable is the last column. */
static bool is_functional(const csp_constraint *c, const csp_table *table) {
  uint32_t arity = c->arity;
  for (size_t i = 1; i < table->count; i++) {
    const uint32_t *row = table->rows + i * arity;
    if (memcmp(row, row - arity, (arity - 1) * sizeof *row) == 0) return false;
  }
  return true;
}

static bool ascends(const csp_constraint *c) {
  for (uint32_t i = 1; i < c->arity; i++)
    if (c->scope[i - 1] >= c->scope[i]) return false;
  return true;
}

static void take_program(flat_maker *m, size_t number) {
  const csp_constraint *c = &m->csp->constraints.data[number];
  const csp_program *p = c->data;
  for (uint32_t h = 0; h < p->head_count; h++) {
    if (m->definer[c->scope[h]] != 0 || is_state(m, c->scope[h])) m->unsupported = true;
    m->definer[c->scope[h]] = (uint32_t)number + 1;
  }
}

static void take_table(flat_maker *m, size_t number) {
  const csp_constraint *c = &m->csp->constraints.data[number];
  const csp_table *table = c->data;
  alea_csp_var last = last_of(c);
  if (!csp_is_table(c->type) || table->forbidden || table->has_star || !ascends(c)) {
    m->unsupported = true;
    return;
  }
  bool defines = m->definer[last] == 0 && !is_state(m, last);
  if (defines && (is_action(m, last) || is_functional(c, table)))
    m->definer[last] = (uint32_t)number + 1;
  else
    m->check[number] = 1;
}

static bool is_program(const csp_constraint *c) {
  return c->type == &csp_program_type || c->type == &csp_choice_type;
}

static void find_definers(flat_maker *m) {
  size_t count = m->csp->constraints.count;
  for (size_t i = 0; i < count; i++)
    if (is_program(&m->csp->constraints.data[i])) take_program(m, i);
  for (size_t i = 0; i < count; i++)
    if (!is_program(&m->csp->constraints.data[i])) take_table(m, i);
  /* A table that leaves a variable a choice must not be all there is about it. */
  for (size_t i = 0; i < count; i++) {
    alea_csp_var last = m->check[i] ? last_of(&m->csp->constraints.data[i]) : 0;
    if (m->check[i] && !is_state(m, last) && m->definer[last] == 0) m->unsupported = true;
    if (m->check[i] && is_action(m, last)) m->unsupported = true;
  }
}

static void need_scope(flat_maker *m, const csp_constraint *c) {
  for (uint32_t i = 0; i < c->arity; i++) m->needed[c->scope[i]] = 1;
}

/* What a stage is asked for, and what that depends on. */
static void find_needed(flat_maker *m) {
  const alea_template *t = m->t;
  const csp_constraint *constraints = m->csp->constraints.data;
  m->needed[t->terminal] = 1;
  for (uint32_t r = 0; r < t->ground->role_count; r++) {
    if (t->goal[r] != ALEA_CSP_NONE) m->needed[t->goal[r]] = 1;
    m->needed[t->action[r]] = 1;
  }
  for (uint32_t v = 0; v < t->state_count; v++) m->needed[t->next[v]] = 1;
  /* where two values at once would show that the template is wrong */
  for (uint32_t v = 0; v < t->var_count; v++)
    if (t->guard[v] && t->kinds[v] == ALEA_VAR_DERIVED) m->needed[v] = 1;
  for (size_t i = 0; i < m->csp->constraints.count; i++)
    if (m->check[i]) need_scope(m, &constraints[i]);
  for (uint32_t v = t->var_count; v-- > 0;)
    if (m->needed[v] && m->definer[v] != 0) need_scope(m, &constraints[m->definer[v] - 1]);
}

/* ---- variables ---- */

static void add_vars(flat_maker *m) {
  encode_flat *flat = m->flat;
  const alea_template *t = m->t;
  uint32_t facts = 0, checks = 0;
  for (size_t i = 0; i < m->csp->constraints.count; i++) checks += m->check[i];
  flat->checks = checks;
  flat->var_count = t->var_count + checks;
  flat->vars = take(m, flat->var_count, sizeof *flat->vars);
  if (m->failed) return;
  for (uint32_t v = 0; v < flat->var_count; v++) {
    uint32_t size = v < t->var_count ? m->csp->vars.data[v].size : 1;
    flat->vars[v] = (encode_flat_var){.first = facts,
                                      .size = size,
                                      .fallback = ENCODE_FLAT_NONE,
                                      .turn = ENCODE_FLAT_NONE,
                                      .part = ENCODE_FLAT_NONE,
                                      .moving = v >= t->moving};
    facts += size + 1;
  }
  flat->fact_count = facts;
  flat->facts = take(m, (size_t)facts + 1, sizeof *flat->facts);
  for (uint32_t v = 0; v < flat->var_count && !m->failed; v++)
    for (uint32_t i = 0; i <= flat->vars[v].size; i++) flat->facts[flat->vars[v].first + i].var = v;
}

/* ---- rules ---- */

typedef enum flat_known { KNOWN_FALSE, KNOWN_TRUE, UNKNOWN } flat_known;

/* What is known of a literal in the body of 'head'. */
static flat_known known(const flat_maker *m, alea_csp_var head, alea_csp_var var, uint32_t index,
                        bool negative) {
  const alea_template *t = m->t;
  bool holds;
  if (index == ALEA_CSP_NONE)
    holds = false;
  else if (var == t->ended || (var == t->terminal && head >= t->closing))
    holds = csp_value(&m->csp->vars.data[var], index) == 0;
  else if (m->definer[var] == 0 && var > t->state_count && !is_action(m, var))
    holds = index == 0; /* nothing is said of it: its smallest value */
  else
    return UNKNOWN;
  return holds != negative ? KNOWN_TRUE : KNOWN_FALSE;
}

static void body_open(flat_maker *m, uint32_t head, uint32_t part) {
  flat_body body = {.head = head,
                    .part = part,
                    .first = (uint32_t)m->counted.count,
                    .hang = ENCODE_FLAT_NONE,
                    .late = (uint32_t)m->late.count};
  if (!alea_vec_push(m->mem, &m->bodies, body)) m->failed = true;
}

static void body_literal(flat_maker *m, alea_csp_var var, uint32_t index, bool negative) {
  encode_flat_literal lit = {var, 2 * index + negative};
  if (!alea_vec_push(m->mem, &m->counted, lit)) m->failed = true;
}

/* A body over a taken action hangs on it; what only the state decides is then
 * tried there, and not counted. */
static void hang(flat_maker *m, flat_body *body) {
  uint32_t kept = body->first, count = (uint32_t)m->counted.count;
  for (uint32_t i = body->first; i < count && body->hang == ENCODE_FLAT_NONE; i++) {
    encode_flat_literal lit = m->counted.data[i];
    if (is_action(m, lit.var) && !(lit.index & 1))
      body->hang = m->flat->vars[lit.var].first + (lit.index >> 1);
  }
  if (body->hang == ENCODE_FLAT_NONE) return;
  for (uint32_t i = body->first; i < count; i++) {
    encode_flat_literal lit = m->counted.data[i];
    if (m->flat->vars[lit.var].first + (lit.index >> 1) == body->hang && !(lit.index & 1)) continue;
    if (lit.var >= m->t->moving)
      m->counted.data[kept++] = lit;
    else if (!alea_vec_push(m->mem, &m->late, lit))
      m->failed = true;
  }
  m->counted.count = kept;
}

static void body_close(flat_maker *m, bool possible) {
  if (m->failed) return;
  flat_body *body = &m->bodies.data[m->bodies.count - 1];
  if (!possible) {
    m->counted.count = body->first;
    m->bodies.count--;
    return;
  }
  if (body->part == ENCODE_FLAT_NONE) hang(m, body);
  body->count = (uint32_t)m->counted.count - body->first;
  body->late_count = (uint32_t)m->late.count - body->late;
}

static void add_rule(flat_maker *m, const csp_constraint *c, const csp_rule *rule, uint32_t part) {
  const csp_program *p = c->data;
  alea_csp_var var = c->scope[rule->head];
  const encode_flat_var *head = &m->flat->vars[var];
  uint32_t index = csp_index(&m->csp->vars.data[var], rule->value);
  bool possible = true;
  if (index == ALEA_CSP_NONE && c->type == &csp_choice_type) return;
  body_open(m, head->first + (index == ALEA_CSP_NONE ? head->size : index), part);
  for (uint32_t i = 0; i < rule->count && possible; i++) {
    csp_literal lit = p->lits[rule->first + i];
    alea_csp_var read = c->scope[lit.position];
    uint32_t at = csp_index(&m->csp->vars.data[read], lit.value);
    flat_known truth = known(m, var, read, at, lit.negative);
    possible = truth != KNOWN_FALSE;
    if (truth == UNKNOWN) body_literal(m, read, at, lit.negative);
  }
  body_close(m, possible);
}

static void add_program(flat_maker *m, const csp_constraint *c) {
  const csp_program *p = c->data;
  bool choice = c->type == &csp_choice_type, part = !choice && p->recursive;
  uint32_t number = part ? (uint32_t)m->parts.count : ENCODE_FLAT_NONE;
  encode_flat_part made = {c->scope[0], p->head_count, (uint32_t)m->bodies.count, 0};
  for (uint32_t h = 0; h < p->head_count; h++) {
    encode_flat_var *head = &m->flat->vars[c->scope[h]];
    head->mode = choice       ? ENCODE_FLAT_CHOICE
                 : part       ? ENCODE_FLAT_PART
                 : p->highest ? ENCODE_FLAT_HIGHEST
                              : ENCODE_FLAT_DEFINED;
    if (!choice) head->fallback = csp_index(&m->csp->vars.data[c->scope[h]], p->defaults[h]);
    head->part = number;
    if (c->scope[h] < made.first_var) made.first_var = c->scope[h];
  }
  for (size_t r = 0; r < p->rule_count && !m->failed; r++) add_rule(m, c, &p->rules[r], number);
  made.rule_count = (uint32_t)m->bodies.count - made.first_rule;
  if (part && !alea_vec_push(m->mem, &m->parts, made)) m->failed = true;
}

/* A row of a table: its last value, or that it is there, where it checks. */
static void add_row(flat_maker *m, const csp_constraint *c, const uint32_t *row, uint32_t head,
                    uint32_t columns) {
  bool possible = true;
  alea_csp_var last = c->scope[c->arity - 1];
  body_open(m, head, ENCODE_FLAT_NONE);
  for (uint32_t i = 0; i < columns && possible; i++) {
    flat_known truth = known(m, last, c->scope[i], row[i], false);
    possible = truth != KNOWN_FALSE;
    if (truth == UNKNOWN) body_literal(m, c->scope[i], row[i], false);
  }
  body_close(m, possible);
}

static void add_table(flat_maker *m, const csp_constraint *c) {
  const csp_table *table = c->data;
  alea_csp_var last = last_of(c);
  encode_flat_var *head = &m->flat->vars[last];
  head->mode = is_action(m, last) ? ENCODE_FLAT_CHOICE : ENCODE_FLAT_DEFINED;
  for (size_t i = 0; i < table->count && !m->failed; i++) {
    const uint32_t *row = table->rows + i * c->arity;
    add_row(m, c, row, head->first + row[c->arity - 1], c->arity - 1);
  }
}

static void add_check(flat_maker *m, const csp_constraint *c, uint32_t var) {
  const csp_table *table = c->data;
  encode_flat_var *head = &m->flat->vars[var];
  head->mode = ENCODE_FLAT_DEFINED;
  head->moving = last_of(c) >= m->t->moving;
  for (size_t i = 0; i < table->count && !m->failed; i++)
    add_row(m, c, table->rows + i * c->arity, head->first, c->arity);
}

static bool is_needed(const flat_maker *m, size_t number) {
  const csp_constraint *c = &m->csp->constraints.data[number];
  if (!is_program(c)) return m->needed[last_of(c)];
  const csp_program *p = c->data;
  for (uint32_t h = 0; h < p->head_count; h++)
    if (m->needed[c->scope[h]]) return true;
  return false;
}

static void add_rules(flat_maker *m) {
  uint32_t check = m->t->var_count;
  for (size_t i = 0; i < m->csp->constraints.count && !m->failed; i++) {
    const csp_constraint *c = &m->csp->constraints.data[i];
    if (m->check[i])
      add_check(m, c, check++);
    else if (!is_needed(m, i))
      continue;
    else if (is_program(c))
      add_program(m, c);
    else
      add_table(m, c);
  }
}

/* ---- arrays ---- */

/* A body of one literal has no count of its own. */
static bool is_direct(const flat_body *body) {
  return body->count == 1 && body->part == ENCODE_FLAT_NONE && body->hang == ENCODE_FLAT_NONE;
}

static uint32_t fact_of(const flat_maker *m, encode_flat_literal lit) {
  return m->flat->vars[lit.var].first + (lit.index >> 1);
}

/* Which list of its fact a literal goes into. */
static uint32_t *list_of(flat_maker *m, const flat_body *body, encode_flat_literal lit) {
  encode_flat_fact *fact = &m->flat->facts[fact_of(m, lit)];
  bool negative = lit.index & 1;
  if (is_direct(body)) return negative ? &fact->direct_negative : &fact->direct;
  if (body->part != ENCODE_FLAT_NONE && m->flat->vars[lit.var].part == body->part)
    return &fact->inner;
  return negative ? &fact->negative : &fact->first;
}

static void add_up(encode_flat *flat) {
  uint32_t total = 0;
  for (uint32_t f = 0; f < flat->fact_count; f++) {
    encode_flat_fact *fact = &flat->facts[f];
    uint32_t *lists[] = {&fact->first, &fact->negative, &fact->direct, &fact->direct_negative,
                         &fact->inner};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
      uint32_t count = *lists[i];
      *lists[i] = total;
      total += count;
    }
    fact->end = total;
  }
  flat->target_count = total;
}

/* Filling moved every start to its end, which is the next one's start. */
static void set_back(encode_flat *flat) {
  uint32_t start = 0;
  for (uint32_t f = 0; f < flat->fact_count; f++) {
    encode_flat_fact *fact = &flat->facts[f];
    uint32_t *lists[] = {&fact->first, &fact->negative, &fact->direct, &fact->direct_negative,
                         &fact->inner};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
      uint32_t end = *lists[i];
      *lists[i] = start;
      start = end;
    }
  }
}

static void link_readers(flat_maker *m) {
  encode_flat *flat = m->flat;
  for (int pass = 0; pass < 2 && !m->failed; pass++) {
    for (uint32_t b = 0; b < m->bodies.count; b++) {
      const flat_body *body = &m->bodies.data[b];
      for (uint32_t i = 0; i < body->count; i++) {
        uint32_t *list = list_of(m, body, m->counted.data[body->first + i]);
        if (pass == 1) flat->targets[*list] = is_direct(body) ? body->head : b;
        ++*list;
      }
    }
    if (pass == 1) break;
    add_up(flat);
    flat->targets = take(m, flat->target_count, sizeof *flat->targets);
  }
  if (!m->failed) set_back(flat);
}

static void link_hanging(flat_maker *m) {
  encode_flat *flat = m->flat;
  flat->hang_first = take(m, (size_t)flat->fact_count + 2, sizeof *flat->hang_first);
  if (m->failed) return;
  for (uint32_t b = 0; b < m->bodies.count; b++)
    if (m->bodies.data[b].hang != ENCODE_FLAT_NONE) flat->hang_first[m->bodies.data[b].hang + 2]++;
  for (uint32_t f = 1; f < flat->fact_count + 2; f++)
    flat->hang_first[f] += flat->hang_first[f - 1];
  flat->hanging_count = flat->hang_first[flat->fact_count + 1];
  flat->hangings = take(m, flat->hanging_count, sizeof *flat->hangings);
  flat->literals = take(m, m->late.count, sizeof *flat->literals);
  if (m->failed) return;
  for (uint32_t b = 0; b < m->bodies.count; b++) {
    const flat_body *body = &m->bodies.data[b];
    if (body->hang != ENCODE_FLAT_NONE)
      flat->hangings[flat->hang_first[body->hang + 1]++] =
          (encode_flat_hanging){b, body->late, body->late_count};
  }
  if (m->late.count > 0)
    memcpy(flat->literals, m->late.data, m->late.count * sizeof *flat->literals);
}

static void fill_rules(flat_maker *m) {
  encode_flat *flat = m->flat;
  flat->rule_count = (uint32_t)m->bodies.count;
  flat->part_count = (uint32_t)m->parts.count;
  flat->rules = take(m, flat->rule_count, sizeof *flat->rules);
  flat->missing = take(m, flat->rule_count, sizeof *flat->missing);
  flat->parts = take(m, flat->part_count, sizeof *flat->parts);
  if (m->failed) return;
  for (uint32_t b = 0; b < flat->rule_count; b++) {
    const flat_body *body = &m->bodies.data[b];
    flat->rules[b] = (encode_flat_rule){body->head, body->part};
    flat->missing[b] = is_direct(body) ? UINT32_MAX : body->hang != ENCODE_FLAT_NONE;
    for (uint32_t i = 0; i < body->count && !is_direct(body); i++)
      flat->missing[b] += !(m->counted.data[body->first + i].index & 1);
  }
  if (flat->part_count > 0)
    memcpy(flat->parts, m->parts.data, flat->part_count * sizeof *flat->parts);
}

/* Two values may both have support, or none, or one that is not in the domain. */
static void find_risks(flat_maker *m) {
  encode_flat *flat = m->flat;
  uint32_t *seen = take(m, flat->var_count, sizeof *seen);
  if (m->failed) return;
  for (uint32_t v = 0; v < flat->var_count; v++) {
    const encode_flat_var *var = &flat->vars[v];
    flat->vars[v].risky = var->mode == ENCODE_FLAT_DEFINED && var->fallback == ENCODE_FLAT_NONE;
  }
  for (uint32_t b = 0; b < flat->rule_count; b++) {
    uint32_t head = flat->rules[b].head, v = flat->facts[head].var;
    encode_flat_var *var = &flat->vars[v];
    if (var->mode != ENCODE_FLAT_DEFINED) continue;
    if (seen[v] != 0 && seen[v] != head + 1) var->risky = 1;
    if (head == var->first + var->size) var->risky = 1;
    seen[v] = head + 1;
  }
}

/* Variables that somebody reads get a turn, in the order of their numbers:
 * each follows from those before it. */
static void give_turns(flat_maker *m) {
  enum { BLOCK = 4096 };
  encode_flat *flat = m->flat;
  uint32_t most = flat->var_count + 2 * BLOCK, turn = 0;
  flat->turns = take(m, most, sizeof *flat->turns);
  uint8_t *late = take(m, flat->var_count, 1);
  if (m->failed) return;
  memset(flat->turns, 0xff, most * sizeof *flat->turns);
  for (size_t i = 0; i < m->late.count; i++) late[m->late.data[i].var] = 1;
  for (uint32_t v = 0; v < m->t->var_count; v++) {
    encode_flat_var *var = &flat->vars[v];
    if (v == m->t->moving) flat->moving_turn = turn = (turn + BLOCK - 1) / BLOCK * BLOCK;
    bool read = late[v] || flat->facts[var->first].first != flat->facts[var->first + var->size].end;
    bool part = var->mode == ENCODE_FLAT_PART;
    if (var->mode != ENCODE_FLAT_DEFINED && var->mode != ENCODE_FLAT_HIGHEST && !part) continue;
    if (part && flat->parts[var->part].first_var != v) continue;
    if (!read && !part) continue;
    flat->turns[turn] = v;
    var->turn = turn++;
  }
  flat->turn_count = (turn + BLOCK - 1) / BLOCK * BLOCK;
  for (uint32_t v = 0; v < m->t->var_count; v++)
    if (flat->vars[v].mode == ENCODE_FLAT_PART)
      flat->vars[v].turn = flat->vars[flat->parts[flat->vars[v].part].first_var].turn;
}

/* ---- the whole ---- */

static void make(flat_maker *m) {
  m->definer = alea_mem_calloc(m->mem, m->t->var_count, sizeof *m->definer);
  m->needed = alea_mem_calloc(m->mem, m->t->var_count, 1);
  m->check = alea_mem_calloc(m->mem, m->csp->constraints.count, 1);
  m->failed = m->definer == NULL || m->needed == NULL || m->check == NULL;
  if (m->failed) return;
  find_definers(m);
  if (m->unsupported) return;
  find_needed(m);
  add_vars(m);
  if (!m->failed) add_rules(m);
  if (!m->failed) link_readers(m);
  if (!m->failed) link_hanging(m);
  if (!m->failed) fill_rules(m);
  if (!m->failed) find_risks(m);
  if (!m->failed) give_turns(m);
}

alea_status encode_flat_new(encode_flat **made, const alea_template *t, alea_mem *mem) {
  *made = NULL;
  encode_flat *flat = alea_mem_zalloc(mem, sizeof *flat);
  if (flat == NULL) return alea_mem_lack(mem);
  flat->mem = mem;
  alea_arena_init(&flat->arena, mem);
  flat_maker m = {.t = t, .csp = t->scsp->csp, .flat = flat, .mem = mem};
  make(&m);
  alea_mem_free(mem, m.definer, t->var_count * sizeof *m.definer);
  alea_mem_free(mem, m.needed, t->var_count);
  alea_mem_free(mem, m.check, m.csp->constraints.count);
  alea_vec_clear(mem, &m.bodies);
  alea_vec_clear(mem, &m.counted);
  alea_vec_clear(mem, &m.late);
  alea_vec_clear(mem, &m.parts);
  if (!m.failed && !m.unsupported) {
    *made = flat;
    return ALEA_OK;
  }
  encode_flat_free(flat);
  return m.failed ? alea_mem_lack(mem) : ALEA_UNSUPPORTED;
}

void encode_flat_free(encode_flat *flat) {
  if (flat == NULL) return;
  alea_mem *mem = flat->mem;
  alea_arena_clear(&flat->arena);
  alea_mem_free(mem, flat, sizeof *flat);
}
