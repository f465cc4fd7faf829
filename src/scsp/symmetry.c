/* Symmetries of the ground rules, through nauty. */
#include "scsp/symmetry.h"

#include <string.h>

#include "base/hash.h"
#include "sym/sym.h"

/* ---- the graph ----
 *
 * A derived atom has two vertices, DEFINED (its rules hang there) and USED
 * (bodies refer to it), joined by an edge: so edges need no direction.  An atom
 * that occurs negated has a third, NEGATED.  Fluents and moves are only used;
 * what defines them, NEXT and LEGAL, is a vertex of its own beside them. */

enum {
  USED_FLUENT,
  USED_DERIVED,
  TRUTH,
  NEGATED,
  DEFINED_AND, /* one rule: the literals of its body hang here */
  DEFINED_OR,  /* several rules: single literals, and bodies */
  BODY,
  NEXT,
  LEGAL,
  TERMINAL,
  PERCEPT,
  FIRST_ROLE /* moves, goals and percepts of roles come after */
};

typedef struct builder {
  const alea_ground *ground;
  alea_mem *mem;
  alea_sym_graph *graph;
  uint32_t *first_rule; /* per atom: index of its first rule; rules are sorted by head */
  uint32_t *negated;    /* per atom: its NEGATED vertex, or 0 */
  uint8_t *matters;     /* per atom: something that players notice depends on it */
  uint32_t next;        /* vertices handed out */
  bool layers_apart;
} builder;

static uint32_t rule_count(const builder *b, alea_atom atom) {
  return b->first_rule[atom + 1] - b->first_rule[atom];
}

static bool index_rules(builder *b) {
  const alea_ground *g = b->ground;
  b->first_rule = alea_mem_calloc(b->mem, g->atom_count + 1, sizeof *b->first_rule);
  b->negated = alea_mem_calloc(b->mem, g->atom_count, sizeof *b->negated);
  if (b->first_rule == NULL || b->negated == NULL) return false;
  for (size_t i = 0; i < g->rules.count; i++) b->first_rule[g->rules.data[i].head + 1]++;
  for (uint32_t a = 0; a < g->atom_count; a++) b->first_rule[a + 1] += b->first_rule[a];
  return true;
}

static bool is_body(const builder *b, const alea_ground_rule *rule) {
  return rule->lit_count > 1 && rule_count(b, rule->head) > 1;
}

/* ---- what matters ----
 *
 * Fluents that influence nothing but themselves (the white squares of a
 * draughts board) could be permuted at will.  That is true and of no use, so
 * they stay where they are; unless something that matters influences them (an
 * empty tree that bore fruit), for then they have to go along with it. */

static bool note(builder *b, alea_u32s *todo, alea_glit lit) {
  if (b->matters[lit / 2]) return true;
  b->matters[lit / 2] = 1;
  return alea_vec_push(b->mem, todo, lit / 2);
}

static bool note_roots(builder *b, alea_u32s *todo) {
  const alea_ground *g = b->ground;
  bool ok = note(b, todo, g->terminal);
  for (uint32_t i = 0; ok && i < g->move_count; i++) ok = note(b, todo, g->legal[i]);
  for (size_t i = 0; ok && i < g->goals.count; i++) ok = note(b, todo, g->goals.data[i].lit);
  for (size_t i = 0; ok && i < g->sees.count; i++) ok = note(b, todo, g->sees.data[i].lit);
  return ok;
}

/* Whether a literal brings something that matters, or a move, with it. */
static bool brings(const builder *b, alea_glit lit) {
  alea_atom a = lit / 2;
  if (a == 0) return false;
  bool is_move =
      a > b->ground->fluent_count && a <= b->ground->fluent_count + b->ground->move_count;
  return is_move || b->matters[a];
}

/* Lets fluents that are influenced matter as well, as a fixpoint. */
static void add_followers(builder *b) {
  const alea_ground *g = b->ground;
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < g->rules.count; i++) {
      const alea_ground_rule *rule = &g->rules.data[i];
      for (uint32_t k = 0; !b->matters[rule->head] && k < rule->lit_count; k++)
        if (brings(b, g->lits.data[rule->first_lit + k])) b->matters[rule->head] = changed = true;
    }
    for (uint32_t f = 0; f < g->fluent_count; f++)
      if (!b->matters[1 + f] && brings(b, g->next[f])) b->matters[1 + f] = changed = true;
  }
}

static bool find_what_matters(builder *b) {
  const alea_ground *g = b->ground;
  alea_u32s todo = {0};
  b->matters = alea_mem_calloc(b->mem, g->atom_count, 1);
  bool ok = b->matters != NULL && note_roots(b, &todo);
  while (ok && todo.count > 0) {
    alea_atom a = todo.data[--todo.count];
    if (a >= 1 && a <= g->fluent_count) ok = note(b, &todo, g->next[a - 1]);
    for (uint32_t i = b->first_rule[a]; ok && i < b->first_rule[a + 1]; i++)
      for (uint32_t k = 0; ok && k < g->rules.data[i].lit_count; k++)
        ok = note(b, &todo, g->lits.data[g->rules.data[i].first_lit + k]);
  }
  alea_vec_clear(b->mem, &todo);
  if (ok) add_followers(b);
  return ok;
}

/* ---- vertices and edges ---- */

/* Vertices are: one USED per atom (same number), one DEFINED per derived atom,
 * bodies, negations, and the roots. */
static uint64_t count_vertices(const builder *b) {
  const alea_ground *g = b->ground;
  uint64_t count = 2 * (uint64_t)g->atom_count + g->fluent_count + g->move_count + 2;
  for (size_t i = 0; i < g->rules.count; i++) count += is_body(b, &g->rules.data[i]);
  return count + g->atom_count + g->goals.count + g->sees.count + g->percepts.count;
}

static uint32_t add_vertex(builder *b, uint32_t colour) {
  alea_sym_graph_colour(b->graph, b->next, colour);
  return b->next++;
}

static uint32_t literal_vertex(builder *b, alea_glit lit) {
  uint32_t atom = lit / 2;
  if (!(lit & 1)) return atom;
  if (b->negated[atom] == 0) {
    b->negated[atom] = add_vertex(b, NEGATED);
    alea_sym_graph_edge(b->graph, atom, b->negated[atom]);
  }
  return b->negated[atom];
}

static void add_literals(builder *b, uint32_t vertex, const alea_ground_rule *rule) {
  for (uint32_t k = 0; k < rule->lit_count; k++)
    alea_sym_graph_edge(b->graph, vertex,
                        literal_vertex(b, b->ground->lits.data[rule->first_lit + k]));
}

/* A rule that needs its own head derives nothing. */
static bool is_idle(const builder *b, const alea_ground_rule *rule) {
  for (uint32_t k = 0; k < rule->lit_count; k++)
    if (b->ground->lits.data[rule->first_lit + k] == 2 * rule->head) return true;
  return false;
}

static void add_definition(builder *b, alea_atom atom) {
  uint32_t count = rule_count(b, atom);
  uint32_t defined = add_vertex(b, count == 1 ? DEFINED_AND : DEFINED_OR);
  alea_sym_graph_edge(b->graph, atom, defined);
  for (uint32_t i = b->first_rule[atom]; i < b->first_rule[atom + 1]; i++) {
    const alea_ground_rule *rule = &b->ground->rules.data[i];
    uint32_t place = defined;
    if (is_idle(b, rule)) continue;
    if (is_body(b, rule)) {
      place = add_vertex(b, BODY);
      alea_sym_graph_edge(b->graph, defined, place);
    }
    add_literals(b, place, rule);
  }
}

/* A root: a vertex that ties 'owner' (NO vertex: 0, the vertex of truth, which
 * is fixed anyway) to the literal that decides it. */
static void add_root(builder *b, uint32_t colour, uint32_t owner, alea_glit lit) {
  uint32_t root = add_vertex(b, colour);
  if (owner != 0) alea_sym_graph_edge(b->graph, root, owner);
  alea_sym_graph_edge(b->graph, root, literal_vertex(b, lit));
}

static void add_roots(builder *b) {
  const alea_ground *g = b->ground;
  uint32_t roles = g->role_count;
  for (uint32_t i = 0; i < g->fluent_count; i++)
    add_root(b, NEXT, b->layers_apart ? 0 : 1 + i, g->next[i]);
  for (uint32_t i = 0; i < g->move_count; i++)
    add_root(b, LEGAL, 1 + g->fluent_count + i, g->legal[i]);
  add_root(b, TERMINAL, 0, g->terminal);
  for (size_t i = 0; i < g->goals.count; i++) {
    const alea_ground_goal *goal = &g->goals.data[i];
    uint32_t colour = FIRST_ROLE + 2 * roles + goal->role * 101 + (uint32_t)goal->value;
    add_root(b, colour, 0, goal->lit);
  }
  uint32_t percepts = b->next;
  for (size_t i = 0; i < g->percepts.count; i++) add_vertex(b, PERCEPT);
  for (size_t i = 0; i < g->sees.count; i++) {
    const alea_ground_percept *see = &g->sees.data[i];
    add_root(b, FIRST_ROLE + roles + see->role, percepts + see->percept, see->lit);
  }
}

static void colour_atoms(builder *b) {
  const alea_ground *g = b->ground;
  alea_sym_graph_colour(b->graph, 0, TRUTH);
  uint32_t alone = FIRST_ROLE + 103 * g->role_count;
  for (uint32_t a = 1; a < g->atom_count; a++) {
    bool is_fluent = a <= g->fluent_count;
    uint32_t colour = is_fluent ? USED_FLUENT : USED_DERIVED;
    alea_sym_graph_colour(b->graph, a, is_fluent && !b->matters[a] ? alone + a : colour);
  }
  for (uint32_t r = 0; r < g->role_count; r++)
    for (uint32_t m = g->move_first[r]; m < g->move_first[r + 1]; m++)
      alea_sym_graph_colour(b->graph, 1 + g->fluent_count + m, FIRST_ROLE + r);
}

static void build(builder *b) {
  const alea_ground *g = b->ground;
  colour_atoms(b);
  b->next = g->atom_count;
  for (uint32_t a = 1 + g->fluent_count + g->move_count; a < g->atom_count; a++)
    add_definition(b, a);
  add_roots(b);
}

/* ---- the group ---- */

typedef struct collector {
  alea_symmetry *s;
  alea_u32s points; /* generators, one after the other */
  bool no_memory;
} collector;

/* Keeps the action on fluents and moves, unless it moves none of them. */
static void keep(void *data, const uint32_t *image) {
  collector *c = data;
  uint32_t points = alea_symmetry_points(c->s);
  bool moves = false;
  for (uint32_t p = 0; p < points && !moves; p++) moves = image[1 + p] != 1 + p;
  if (!moves) return;
  if (!alea_vec_reserve(c->s->mem, &c->points, points)) {
    c->no_memory = true;
    return;
  }
  for (uint32_t p = 0; p < points; p++) c->points.data[c->points.count++] = image[1 + p] - 1;
  c->s->generator_count++;
}

enum { MOST_ELEMENTS = 64 };

/* Is 'candidate' among the elements listed so far? */
static bool is_listed(const alea_u32s *list, const uint64_t *hashes, uint32_t count,
                      const uint32_t *candidate, uint64_t hash, uint32_t points) {
  for (uint32_t e = 0; e < count; e++)
    if (hashes[e] == hash &&
        memcmp(list->data + (size_t)e * points, candidate, points * sizeof *candidate) == 0)
      return true;
  return false;
}

/* Lists the group by closing the generators under composition.  Gives up,
 * with 0 elements, when there are more than 'most'. */
alea_status alea_symmetry_list(alea_symmetry *s, uint32_t most) {
  if (most == 0) most = MOST_ELEMENTS;
  uint32_t points = alea_symmetry_points(s), count = 1;
  alea_u32s list = {0};
  uint64_t *hashes = alea_mem_calloc(s->mem, most + 1, sizeof *hashes);
  bool ok = hashes != NULL && alea_vec_reserve(s->mem, &list, points);
  for (uint32_t p = 0; ok && p < points; p++) list.data[list.count++] = p;
  if (ok) hashes[0] = alea_hash_u32s(list.data, points);
  for (uint32_t e = 0; ok && e < count && count <= most; e++)
    for (uint32_t g = 0; ok && g < s->generator_count && count <= most; g++) {
      if (!(ok = alea_vec_reserve(s->mem, &list, points))) break;
      const uint32_t *generator = s->generators + (size_t)g * points;
      const uint32_t *element = list.data + (size_t)e * points;
      uint32_t *product = list.data + list.count;
      for (uint32_t p = 0; p < points; p++) product[p] = generator[element[p]];
      uint64_t hash = alea_hash_u32s(product, points);
      if (is_listed(&list, hashes, count, product, hash, points)) continue;
      if (count < most) hashes[count] = hash;
      list.count += points;
      count++;
    }
  if (ok && count <= most) {
    s->element_count = count;
    s->order = count;
    s->elements = alea_mem_alloc(s->mem, (size_t)count * points * sizeof *s->elements);
    ok = s->elements != NULL;
    if (ok) memcpy(s->elements, list.data, (size_t)count * points * sizeof *s->elements);
    if (!ok) s->element_count = 0;
  }
  alea_vec_clear(s->mem, &list);
  alea_mem_free(s->mem, hashes, (most + 1) * sizeof *hashes);
  return ok ? ALEA_OK : ALEA_SYSTEM;
}

static alea_status find_group(alea_symmetry *s, alea_sym_graph *graph,
                              const alea_symmetry_options *options) {
  collector c = {.s = s};
  alea_status status = alea_sym_automorphisms(graph, options != NULL ? options->deadline : NULL,
                                              keep, &c, &s->order);
  if (c.no_memory) status = ALEA_SYSTEM;
  size_t bytes = (size_t)s->generator_count * alea_symmetry_points(s) * sizeof *s->generators;
  s->generators = alea_mem_alloc(s->mem, bytes);
  if (s->generators == NULL) {
    s->generator_count = 0;
    status = ALEA_SYSTEM;
  } else if (bytes > 0) {
    memcpy(s->generators, c.points.data, bytes);
  }
  alea_vec_clear(s->mem, &c.points);
  uint32_t most = options != NULL ? options->max_elements : 0;
  if (status == ALEA_OK) status = alea_symmetry_list(s, most);
  return status;
}

alea_status alea_symmetry_new(alea_symmetry **symmetry, const alea_ground *ground,
                              const alea_symmetry_options *options, alea_mem *mem) {
  uint32_t most = options != NULL && options->max_vertices != 0 ? options->max_vertices : 2000000;
  builder b = {.ground = ground, .mem = mem};
  b.layers_apart = options != NULL && options->layers_apart;
  alea_symmetry *s = alea_mem_zalloc(mem, sizeof *s);
  *symmetry = s;
  if (s == NULL) return ALEA_SYSTEM;
  s->mem = mem;
  s->fluent_count = ground->fluent_count;
  s->move_count = ground->move_count;
  alea_status status = index_rules(&b) && find_what_matters(&b) ? ALEA_OK : ALEA_SYSTEM;
  uint64_t vertices = status == ALEA_OK ? count_vertices(&b) : 0;
  if (status == ALEA_OK && vertices > most) status = ALEA_LIMIT;
  if (status == ALEA_OK) {
    b.graph = alea_sym_graph_new(mem, (uint32_t)vertices);
    if (b.graph == NULL) status = ALEA_SYSTEM;
  }
  if (status == ALEA_OK) {
    build(&b);
    /* Vertices that were counted but not needed are all alike, and alone. */
    while (b.next < vertices) add_vertex(&b, FIRST_ROLE + 103 * ground->role_count + b.next);
    status = find_group(s, b.graph, options);
  }
  alea_sym_graph_free(b.graph);
  alea_mem_free(mem, b.first_rule, (ground->atom_count + 1) * sizeof *b.first_rule);
  alea_mem_free(mem, b.negated, ground->atom_count * sizeof *b.negated);
  alea_mem_free(mem, b.matters, ground->atom_count);
  if (status == ALEA_SYSTEM) {
    if (mem->hit_limit) status = ALEA_LIMIT;
    alea_symmetry_free(s);
    *symmetry = NULL;
  }
  return status;
}

void alea_symmetry_free(alea_symmetry *s) {
  if (s == NULL) return;
  size_t row = alea_symmetry_points(s) * sizeof *s->generators;
  alea_mem_free(s->mem, s->generators, s->generator_count * row);
  alea_mem_free(s->mem, s->elements, s->element_count * row);
  alea_mem_free(s->mem, s, sizeof *s);
}

/* Rules as written can have many more instances than split ones. */
enum { MOST_PLAIN_INSTANCES = 1000000 };

alea_status alea_symmetry_of_rules(alea_symmetry **symmetry, struct alea_program *program,
                                   const alea_symmetry_options *options, alea_mem *mem) {
  alea_ground_options plain = {.deadline = options != NULL ? options->deadline : NULL,
                               .max_instances = MOST_PLAIN_INSTANCES,
                               .plain = true};
  alea_ground *ground = NULL;
  *symmetry = NULL;
  alea_status status = alea_ground_new(&ground, program, &plain, mem, NULL);
  if (status == ALEA_OK) status = alea_symmetry_new(symmetry, ground, options, mem);
  alea_ground_free(ground);
  return status;
}

/* ---- states ---- */

void alea_symmetry_map_state(const alea_symmetry *s, const uint32_t *permutation,
                             const uint64_t *words, uint64_t *image) {
  size_t count = (s->fluent_count + 63) / 64;
  memset(image, 0, count * sizeof *image);
  for (size_t w = 0; w < count; w++)
    for (uint64_t left = words[w]; left != 0; left &= left - 1) {
      uint32_t to = permutation[64 * w + (unsigned)__builtin_ctzll(left)];
      image[to / 64] |= (uint64_t)1 << (to % 64);
    }
}

uint32_t alea_symmetry_canonical(const alea_symmetry *s, const uint64_t *words, uint64_t *canonical,
                                 uint64_t *scratch) {
  size_t bytes = (s->fluent_count + 63) / 64 * sizeof *words;
  uint32_t best = 0, points = alea_symmetry_points(s);
  memcpy(canonical, words, bytes);
  for (uint32_t e = 1; e < s->element_count; e++) {
    alea_symmetry_map_state(s, s->elements + (size_t)e * points, words, scratch);
    if (memcmp(scratch, canonical, bytes) >= 0) continue;
    memcpy(canonical, scratch, bytes);
    best = e;
  }
  return best;
}
