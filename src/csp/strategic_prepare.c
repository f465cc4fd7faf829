/* Strategic CSP: what the search needs before it begins. */
#include "csp/ranking.h"

/* The position in the order of the last quantified variable of a scope, NONE if
 * there is none; '*count' is the number of different ones. */
static uint32_t last_position(const strategic_play *p, const csp_constraint *c, uint32_t *count) {
  uint32_t last = ALEA_CSP_NONE;
  *count = 0;
  for (uint32_t i = 0; i < c->arity; i++) {
    uint32_t at = p->position[c->scope[i]];
    if (at == ALEA_CSP_NONE) continue;
    ++*count;
    if (last == ALEA_CSP_NONE || at > last) last = at;
  }
  return last;
}

static bool is_direct(const csp_constraint *c, uint32_t quantified_count) {
  return quantified_count == 1 && c->type == &csp_iff_type;
}

static direct_link link_of(const strategic_play *p, const csp_prop *prop) {
  const uint32_t *indexes = prop->state;
  int side = p->position[prop->scope[0]] != ALEA_CSP_NONE ? 0 : 1;
  return (direct_link){prop->scope[!side], indexes[!side], indexes[side]};
}

/* Assigns the delayed constraints to their variables and deactivates them. */
static bool delay_constraints(strategic_play *p) {
  csp_engine *engine = p->engine;
  size_t total = engine->prop_count;
  uint32_t count;
  for (int pass = 0; pass < 2; pass++) {
    for (uint32_t i = 0; i < total; i++) {
      const csp_constraint *c = engine->props[i].constraint;
      uint32_t at = last_position(p, c, &count);
      if (at == ALEA_CSP_NONE) continue;
      delayed *d = &p->delays[at];
      bool direct = is_direct(c, count);
      if (pass == 0) {
        d->direct_count += direct;
        d->other_count += !direct;
      } else {
        if (direct)
          d->direct[d->direct_count++] = link_of(p, &engine->props[i]);
        else
          d->other[d->other_count++] = i;
        engine->props[i].active = 0;
      }
    }
    for (uint32_t j = 0; j < p->depth && pass == 0; j++) {
      delayed *d = &p->delays[j];
      d->direct = alea_arena_alloc(&p->arena, (d->direct_count + 1) * sizeof *d->direct);
      d->other = alea_arena_alloc(&p->arena, (d->other_count + 1) * sizeof(uint32_t));
      if (d->direct == NULL || d->other == NULL) return false;
      d->direct_count = d->other_count = 0;
    }
  }
  return true;
}

static bool index_links(strategic_play *p) {
  for (uint32_t j = 0; j < p->depth; j++) {
    delayed *d = &p->delays[j];
    uint32_t size = p->strategic->csp->vars.data[p->strategic->order.data[j].var].size;
    d->by_value = alea_arena_alloc(&p->arena, size * sizeof *d->by_value);
    if (d->by_value == NULL) return false;
    for (uint32_t v = 0; v < size; v++) d->by_value[v] = ALEA_CSP_NONE;
    for (uint32_t i = 0; i < d->direct_count; i++)
      if (d->direct[i].mine < size) d->by_value[d->direct[i].mine] = i;
  }
  return true;
}

/* A quantified variable that has direct constraints alone affects nothing but
 * the state; others may still matter later. */
static void key_variables(strategic_play *p) {
  const alea_csp *csp = p->strategic->csp;
  uint32_t count;
  p->key_count = p->state_count;
  for (uint32_t j = 0; j < p->depth; j++) {
    alea_csp_var var = p->strategic->order.data[j].var;
    bool matters = false;
    for (size_t c = 0; c < csp->constraints.count && !matters; c++) {
      const csp_constraint *constraint = &csp->constraints.data[c];
      if (last_position(p, constraint, &count) == ALEA_CSP_NONE || is_direct(constraint, count))
        continue;
      for (uint32_t i = 0; i < constraint->arity && !matters; i++)
        matters = constraint->scope[i] == var;
    }
    if (matters) p->state[p->key_count++] = var;
  }
}

/* Direct constraints are never woken, so their watches only cost time. */
static bool drop_watches(strategic_play *p) {
  csp_engine *engine = p->engine;
  size_t kept = 0;
  uint32_t count;
  for (size_t i = 0; i < engine->pending.count; i++) {
    csp_pending pending = engine->pending.data[i];
    const csp_constraint *c = engine->props[pending.watch.prop].constraint;
    bool direct = last_position(p, c, &count) != ALEA_CSP_NONE && is_direct(c, count);
    if (!direct) engine->pending.data[kept++] = pending;
  }
  engine->pending.count = kept;
  return csp_engine_layout(engine);
}

/* A ranking game has a search and a table of its own. */
static bool prepare_ranking(strategic_play *p) {
  const char *why;
  if (!p->options->bits) return true;
  const ranking_game *game = ranking_find(p->strategic, &p->arena, &why);
  if (game == NULL) return why != NULL;
  if (ranking_is_game(p->strategic, game) != NULL) return true;
  p->ranking = ranking_search_new(p, game, &p->result->trouble);
  p->result->bits = p->ranking != NULL;
  return p->ranking != NULL;
}

static bool prepare_table(strategic_play *p) {
  if (!p->options->table || p->ranking != NULL) return true;
  uint64_t bytes = p->options->table_bytes != 0 ? p->options->table_bytes : 256u << 20, slots = 1;
  while (2 * slots * sizeof(table_entry) <= bytes) slots *= 2;
  p->table = alea_mem_calloc(p->strategic->mem, slots, sizeof *p->table);
  p->table_mask = slots - 1;
  return p->table != NULL;
}

bool strategic_prepare(strategic_play *p) {
  const alea_csp *csp = p->strategic->csp;
  uint32_t n = (uint32_t)csp->vars.count;
  p->position = alea_arena_alloc(&p->arena, (n + 1) * sizeof *p->position);
  p->state = alea_arena_alloc(&p->arena, (n + 1) * sizeof *p->state);
  p->delays = alea_arena_alloc(&p->arena, (p->depth + 1) * sizeof *p->delays);
  p->frames = alea_arena_alloc(&p->arena, (p->depth + 1) * sizeof *p->frames);
  if (p->position == NULL || p->state == NULL || p->delays == NULL || p->frames == NULL)
    return false;
  memset(p->delays, 0, (p->depth + 1) * sizeof *p->delays);
  for (uint32_t v = 0; v < n; v++) p->position[v] = ALEA_CSP_NONE;
  for (uint32_t j = 0; j < p->depth; j++) {
    alea_csp_var var = p->strategic->order.data[j].var;
    uint32_t size = csp->vars.data[var].size;
    p->position[var] = j;
    if (size > p->widest) p->widest = size;
    p->frames[j].candidates = alea_arena_alloc(&p->arena, size * sizeof(uint32_t));
    if (p->frames[j].candidates == NULL) return false;
  }
  for (uint32_t v = 0; v < n; v++)
    if (p->position[v] == ALEA_CSP_NONE) p->state[p->state_count++] = v;
  key_variables(p);
  size_t cells = 2 * (size_t)(p->widest + 1);
  p->history = alea_arena_alloc(&p->arena, cells * sizeof *p->history);
  p->replies = alea_arena_alloc(&p->arena, cells * sizeof *p->replies);
  if (p->history == NULL || p->replies == NULL) return false;
  memset(p->history, 0, cells * sizeof *p->history);
  memset(p->replies, 0xff, cells * sizeof *p->replies);
  p->engine = csp_engine_new(csp, 0);
  if (p->engine == NULL || !delay_constraints(p) || !index_links(p) || !drop_watches(p))
    return false;
  if (p->options->symmetry && !strategic_group_find(p->strategic, &p->options->deadline, &p->group))
    return false;
  return prepare_ranking(p) && prepare_table(p);
}

void strategic_init(strategic_play *p, const alea_strategic *strategic,
                    alea_strategic_options *options, alea_strategic_result *result) {
  bool classical = options->classical = options->classical || strategic->classical;
  *p = (strategic_play){
      .strategic = strategic,
      .options = options,
      .result = result,
      .until_check = 1024,
      .values_until_check = 1,
      .start = alea_clock_thread(),
      .exact = alea_strategic_get_check(strategic) == ALEA_STRATEGIC_EXACT && !classical,
      .any_exists =
          alea_strategic_get_existential(strategic) == ALEA_STRATEGIC_DEFINITION && !classical,
      .depth = (uint32_t)strategic->order.count};
  alea_arena_init(&p->arena, strategic->mem);
}

void strategic_clear(strategic_play *p) {
  alea_mem *mem = p->strategic->mem;
  csp_engine_free(p->engine);
  ranking_search_free(p->ranking);
  if (p->table != NULL) alea_mem_free(mem, p->table, (p->table_mask + 1) * sizeof *p->table);
  strategic_group_clear(p->strategic, &p->group);
  alea_arena_clear(&p->arena);
}
