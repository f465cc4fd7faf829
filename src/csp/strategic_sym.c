/* Symmetries of a strategic network: automorphisms of a coloured graph of its
 * variables, literals and constraints (after [SYM16 §4]).
 *
 * State values keep their value; quantified variables keep their position in
 * the order but may permute their values.  An automorphism therefore maps every
 * play to a play and every state to a state with the same answer. */
#include "base/hash.h"
#include "base/hash_map.h"
#include "csp/strategic_core.h"
#include "sym/sym.h"

typedef struct sketch {
  const alea_strategic *strategic;
  alea_mem *mem;
  alea_sym_graph *graph;
  uint32_t next;      /* next free vertex */
  uint32_t *literals; /* first literal vertex of a variable */
  uint32_t *position; /* in the order, or NONE */
  alea_u64s colours;  /* signatures seen; a colour is an index of this list */
  alea_hash_map colour_ids;
  uint8_t *pinned; /* per variable: 1 if its values are told apart */
  strategic_group *group;
  bool no_memory;
} sketch;

static uint64_t hash_of_colour(const void *context, uint32_t id) {
  return ((const uint64_t *)context)[id];
}

static uint32_t colour(sketch *s, uint64_t kind, uint64_t a, uint64_t b) {
  uint64_t signature = alea_hash_join(alea_hash_join(alea_hash_join(7, kind), a), b);
  uint32_t id = (uint32_t)s->colours.count;
  if (!alea_hash_map_reserve(&s->colour_ids, s->mem, hash_of_colour, s->colours.data))
    return s->no_memory = true, 0;
  alea_hash_probe probe = alea_hash_map_probe(&s->colour_ids, signature);
  while (alea_hash_map_next(&s->colour_ids, &probe))
    if (s->colours.data[probe.id] == signature) return probe.id;
  if (!alea_vec_push(s->mem, &s->colours, signature)) return s->no_memory = true, 0;
  alea_hash_map_put(&s->colour_ids, probe, id);
  return id;
}

static uint64_t domain_signature(const csp_variable *var) {
  uint64_t hash = var->size;
  for (uint32_t i = 0; i < var->size; i++)
    hash = alea_hash_join(hash, (uint64_t)(int64_t)csp_value(var, i));
  return hash;
}

/* Positions that the relation does not distinguish have the same role. */
static uint32_t role(const csp_constraint *c, uint32_t position) {
  if (c->type == &csp_not_both_type || c->type == &csp_all_different_type) return 0;
  bool last = position + 1 == c->arity;
  if (c->type == &csp_parity_type || c->type == &csp_maximum_type || c->type == &csp_minimum_type)
    return last;
  return position;
}

/* What two constraints must have in common to be exchangeable; 'number' if the
 * data is not analysed. */
static uint64_t data_signature(const csp_constraint *c, uint32_t number) {
  if (c->type == &csp_order_type) return (uint64_t)((const csp_linear *)c->data)->rhs;
  if (c->type == &csp_not_both_type) {
    const csp_pair *pair = c->data;
    return (uint64_t)(int64_t)pair->a << 32 ^ (uint32_t)pair->b;
  }
  if (csp_is_table(c->type)) {
    const csp_table *table = c->data;
    return alea_hash_u32s(table->rows, table->count * table->arity) ^ (uint64_t)table->forbidden;
  }
  if (c->type == &csp_parity_type || c->type == &csp_maximum_type || c->type == &csp_minimum_type)
    return 0;
  return UINT64_C(1) << 40 | number;
}

static uint32_t count_vertices(const alea_strategic *strategic) {
  const alea_csp *csp = strategic->csp;
  size_t total = csp->vars.count;
  for (size_t v = 0; v < csp->vars.count; v++) total += csp->vars.data[v].size;
  for (size_t c = 0; c < csp->constraints.count; c++)
    total +=
        1 + (csp->constraints.data[c].type == &csp_iff_type ? 0 : csp->constraints.data[c].arity);
  return total > UINT32_MAX ? UINT32_MAX : (uint32_t)total;
}

static void draw_variable(sketch *s, uint32_t v) {
  const csp_variable *var = &s->strategic->csp->vars.data[v];
  bool chosen = s->position[v] != ALEA_CSP_NONE;
  alea_sym_graph_colour(s->graph, v,
                        colour(s, 1, chosen ? s->position[v] + 1 : 0, domain_signature(var)));
  s->literals[v] = s->next;
  for (uint32_t i = 0; i < var->size; i++) {
    uint64_t value = chosen ? 0 : (uint64_t)(int64_t)csp_value(var, i) + 1;
    alea_sym_graph_colour(s->graph, s->next, colour(s, 2, chosen ? s->position[v] + 1 : 0, value));
    alea_sym_graph_edge(s->graph, v, s->next++);
  }
}

/* A table over a quantified variable refers to its values, so the values of
 * that variable must be fixed: a colour for each literal does it. */
static void pin_values(sketch *s, uint32_t v) {
  const csp_variable *var = &s->strategic->csp->vars.data[v];
  if (s->pinned[v]) return;
  s->pinned[v] = 1;
  for (uint32_t i = 0; i < var->size; i++)
    alea_sym_graph_colour(s->graph, s->literals[v] + i, colour(s, 5, s->position[v] + 1, i));
}

static void draw_iff(sketch *s, const csp_constraint *c) {
  const csp_pair *pair = c->data;
  uint32_t node = s->next++;
  const int32_t values[2] = {pair->a, pair->b};
  alea_sym_graph_colour(s->graph, node, colour(s, 3, 0, 0));
  for (int side = 0; side < 2; side++) {
    uint32_t index = csp_index(&s->strategic->csp->vars.data[c->scope[side]], values[side]);
    if (index != ALEA_CSP_NONE)
      alea_sym_graph_edge(s->graph, node, s->literals[c->scope[side]] + index);
  }
  /* Between two quantified variables the first value matters later: it is part
   * of the key of the table and must not change. */
  if (s->position[c->scope[0]] == ALEA_CSP_NONE || s->position[c->scope[1]] == ALEA_CSP_NONE)
    return;
  pin_values(s, c->scope[0]);
  pin_values(s, c->scope[1]);
}

static void draw_constraint(sketch *s, const csp_constraint *c, uint32_t number) {
  if (c->type == &csp_iff_type) {
    draw_iff(s, c);
    return;
  }
  uint32_t node = s->next++;
  alea_sym_graph_colour(s->graph, node,
                        colour(s, 4, alea_hash_bytes(c->type->name, strlen(c->type->name)),
                               data_signature(c, number)));
  for (uint32_t i = 0; i < c->arity; i++) {
    uint32_t slot = s->next++;
    alea_sym_graph_colour(s->graph, slot, colour(s, 6, role(c, i), 0));
    alea_sym_graph_edge(s->graph, node, slot);
    alea_sym_graph_edge(s->graph, slot, c->scope[i]);
    if (s->position[c->scope[i]] != ALEA_CSP_NONE) pin_values(s, c->scope[i]);
  }
}

/* State variables with classes must be mapped to variables with equal classes;
 * models give all cells the same, which the colours of the domains imply. */
static void keep_generator(void *data, const uint32_t *image) {
  sketch *s = data;
  strategic_group *g = s->group;
  if (g->count >= STRATEGIC_MAX_GROUP) return;
  memcpy(&g->images[(size_t)g->count++ * g->vars], image, g->vars * sizeof *image);
}

static bool known(const strategic_group *g, const uint32_t *image) {
  for (uint32_t i = 0; i < g->count; i++)
    if (memcmp(&g->images[(size_t)i * g->vars], image, g->vars * sizeof *image) == 0) return true;
  return false;
}

/* Adds all products of the generators while there is room. */
static void close_group(strategic_group *g, uint32_t generators, uint32_t *scratch) {
  for (uint32_t e = 0; e < g->count; e++)
    for (uint32_t k = 1; k <= generators && g->count < STRATEGIC_MAX_GROUP; k++) {
      const uint32_t *a = &g->images[(size_t)e * g->vars], *b = &g->images[(size_t)k * g->vars];
      for (uint32_t v = 0; v < g->vars; v++) scratch[v] = a[b[v]];
      if (!known(g, scratch))
        memcpy(&g->images[(size_t)g->count++ * g->vars], scratch, g->vars * sizeof *scratch);
    }
}

static void draw(sketch *s) {
  const alea_csp *csp = s->strategic->csp;
  s->next = s->group->vars;
  for (uint32_t v = 0; v < s->group->vars; v++) draw_variable(s, v);
  for (size_t c = 0; c < csp->constraints.count; c++)
    draw_constraint(s, &csp->constraints.data[c], (uint32_t)c);
}

bool strategic_group_find(const alea_strategic *strategic, const alea_deadline *deadline,
                          strategic_group *group) {
  alea_mem *mem = strategic->mem;
  uint32_t n = (uint32_t)strategic->csp->vars.count;
  sketch s = {.strategic = strategic, .mem = mem, .group = group};
  *group = (strategic_group){.vars = n, .count = 1, .order = 1};
  group->images = alea_mem_calloc(mem, (size_t)STRATEGIC_MAX_GROUP * n, sizeof *group->images);
  uint32_t *room = alea_mem_calloc(mem, 3 * (size_t)n, sizeof *room);
  s.graph = alea_sym_graph_new(mem, count_vertices(strategic));
  s.pinned = alea_mem_zalloc(mem, n);
  bool good = group->images != NULL && room != NULL && s.pinned != NULL;
  if (good) {
    for (uint32_t v = 0; v < n; v++) group->images[v] = v;
    s.literals = room;
    s.position = room + n;
    for (uint32_t v = 0; v < n; v++) s.position[v] = ALEA_CSP_NONE;
    for (size_t j = 0; j < strategic->order.count; j++)
      s.position[strategic->order.data[j].var] = (uint32_t)j;
  }
  if (good && s.graph != NULL) { /* a graph that is too large only means no symmetry */
    draw(&s);
    if (!s.no_memory) /* those found in time are symmetries all the same */
      good = alea_sym_automorphisms(s.graph, deadline, keep_generator, &s, &group->order) !=
             ALEA_SYSTEM;
    close_group(group, group->count - 1, room + 2 * n);
    group->order = group->count;
  }
  alea_sym_graph_free(s.graph);
  alea_vec_clear(mem, &s.colours);
  alea_hash_map_clear(&s.colour_ids, mem);
  alea_mem_free(mem, s.pinned, n);
  alea_mem_free(mem, room, 3 * (size_t)n * sizeof *room);
  return good && !s.no_memory;
}

void strategic_group_clear(const alea_strategic *strategic, strategic_group *group) {
  if (group->images != NULL)
    alea_mem_free(strategic->mem, group->images,
                  (size_t)STRATEGIC_MAX_GROUP * group->vars * sizeof *group->images);
  *group = (strategic_group){0};
}
