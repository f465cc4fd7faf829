/* Symmetries of the ground rules, through nauty. */
#include "symmetry/symmetry.h"

#include <assert.h>
#include <string.h>

#include "base/hash.h"
#include "sym/sym.h"
#include "symmetry/merge.h"

/* ---- the graph ----
 *
 * It stands on the merged rules (merge.h), so that hardly anything but fluents
 * and moves is left to be swapped.  A derived atom has two vertices, DEFINED
 * (its bodies hang there) and USED (bodies refer to it), joined by an edge: so
 * edges need no direction.  (Where nothing recurs there is only one way to pair
 * them off.  Where something does, HEAD says it.)  An atom that occurs negated
 * has one more, NEGATED.
 * Fluents and moves are only used; what defines them, NEXT and LEGAL, is a
 * vertex of its own beside them. */

enum {
  USED_FLUENT,
  USED_AT_START, /* a fluent that holds at the start, where that matters */
  USED_DERIVED,
  TRUTH,
  NEGATED,
  DEFINED_AND, /* one body: its literals hang here */
  DEFINED_OR,  /* several bodies: single literals, and bodies */
  HEAD,        /* between USED and DEFINED, where rules are recursive */
  BODY,
  NEXT,
  COPIED, /* between a NEXT and the fluent that it copies: says which is which */
  LEGAL,
  TERMINAL,
  PERCEPT,
  ROLE,      /* where roles may be exchanged: what is a role's hangs here */
  CHANCE,    /* the same for the role that nobody plays */
  FIRST_ROLE /* moves, goals and percepts of roles come after */
};

typedef struct symmetry_builder {
  const alea_ground *ground;
  alea_mem *mem;
  alea_merged_rules merged;
  alea_sym_graph *graph;
  uint32_t *used;    /* per atom: its USED vertex; fluents and moves have their own numbers */
  uint32_t *negated; /* per atom: its NEGATED vertex, or 0 */
  uint8_t *live;     /* per atom: a root depends on it */
  uint8_t *matters;  /* per atom: something that players notice depends on it */
  uint32_t next;     /* vertices handed out */
  uint32_t roles;    /* vertex of role 0, where roles may be exchanged */
  bool layers_apart, exchange, start, endless; /* the options of the same names */
} symmetry_builder;

static bool is_derived(const symmetry_builder *b, alea_atom atom) {
  return atom > b->ground->fluent_count + b->ground->move_count;
}

static const alea_merged_body *bodies_of(const symmetry_builder *b, alea_atom atom) {
  return b->merged.bodies.data + b->merged.first_body[atom];
}

static alea_glit literal_of(const symmetry_builder *b, const alea_merged_body *body, uint32_t k) {
  return b->merged.lits.data[body->first + k];
}

/* Calls for each root literal of the program, merged; false ends it. */
static bool each_root(symmetry_builder *b, bool all,
                      bool (*visit)(symmetry_builder *b, alea_u32s *todo, alea_glit),
                      alea_u32s *todo) {
  const alea_ground *g = b->ground;
  const alea_merged_rules *m = &b->merged;
  bool good = b->endless || visit(b, todo, alea_merged_meaning(m, g->terminal));
  for (uint32_t i = 0; good && i < g->move_count; i++)
    good = visit(b, todo, alea_merged_meaning(m, g->legal[i]));
  for (size_t i = 0; good && !b->endless && i < g->goals.count; i++)
    good = visit(b, todo, alea_merged_meaning(m, g->goals.data[i].lit));
  for (size_t i = 0; good && i < g->sees.count; i++)
    good = visit(b, todo, alea_merged_meaning(m, g->sees.data[i].lit));
  for (uint32_t i = 0; good && all && i < g->fluent_count; i++)
    good = visit(b, todo, alea_merged_meaning(m, g->next[i]));
  return good;
}

static bool mark(symmetry_builder *b, uint8_t *marks, alea_u32s *todo, alea_glit lit) {
  if (marks[lit / 2]) return true;
  marks[lit / 2] = 1;
  return alea_vec_push(b->mem, todo, lit / 2);
}

/* Follows definitions down from what is to be done. */
static bool mark_down(symmetry_builder *b, uint8_t *marks, bool through_time, alea_u32s *todo) {
  const alea_ground *g = b->ground;
  bool good = true;
  while (good && todo->count > 0) {
    alea_atom a = todo->data[--todo->count];
    if (through_time && a >= 1 && a <= g->fluent_count)
      good = mark(b, marks, todo, alea_merged_meaning(&b->merged, g->next[a - 1]));
    for (uint32_t i = 0; good && i < b->merged.body_count[a]; i++)
      for (uint32_t k = 0; good && k < bodies_of(b, a)[i].count; k++)
        good = mark(b, marks, todo, literal_of(b, &bodies_of(b, a)[i], k));
  }
  return good;
}

static bool note_live(symmetry_builder *b, alea_u32s *todo, alea_glit lit) {
  b->negated[lit / 2] |= lit & 1;
  return mark(b, b->live, todo, lit);
}

/* Which atoms have vertices, and which of them a NEGATED one (as a 1). */
static bool find_live(symmetry_builder *b) {
  alea_u32s todo = {0};
  bool good = each_root(b, true, note_live, &todo) && mark_down(b, b->live, false, &todo);
  for (uint32_t a = 0; good && a < b->ground->atom_count; a++)
    for (uint32_t i = 0; b->live[a] && i < b->merged.body_count[a]; i++)
      for (uint32_t k = 0; k < bodies_of(b, a)[i].count; k++) {
        alea_glit lit = literal_of(b, &bodies_of(b, a)[i], k);
        b->negated[lit / 2] |= lit & 1;
      }
  alea_vec_clear(b->mem, &todo);
  return good;
}

/* ---- what matters ----
 *
 * Fluents that influence nothing but themselves (the white squares of a
 * draughts board) could be permuted at will, and so could moves that are never
 * legal.  That is true and of no use, so they stay where they are; unless
 * something that matters influences them (an empty tree that bore fruit), for
 * then they have to go along with it. */

static bool note_matters(symmetry_builder *b, alea_u32s *todo, alea_glit lit) {
  return mark(b, b->matters, todo, lit);
}

/* Whether a literal brings something that matters, or a move, with it. */
static bool brings(const symmetry_builder *b, alea_glit lit) {
  alea_atom a = lit / 2;
  if (a == 0) return false;
  bool is_move = a > b->ground->fluent_count && !is_derived(b, a);
  return is_move || b->matters[a];
}

static bool is_brought(const symmetry_builder *b, alea_atom atom) {
  for (uint32_t i = 0; i < b->merged.body_count[atom]; i++)
    for (uint32_t k = 0; k < bodies_of(b, atom)[i].count; k++)
      if (brings(b, literal_of(b, &bodies_of(b, atom)[i], k))) return true;
  return false;
}

/* Lets fluents that are influenced matter as well, as a fixpoint. */
static void add_followers(symmetry_builder *b) {
  const alea_ground *g = b->ground;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t a = 1 + g->fluent_count + g->move_count; a < g->atom_count; a++)
      if (!b->matters[a] && is_brought(b, a)) b->matters[a] = changed = true;
    for (uint32_t f = 0; f < g->fluent_count; f++)
      if (!b->matters[1 + f] && brings(b, alea_merged_meaning(&b->merged, g->next[f])))
        b->matters[1 + f] = changed = true;
  }
}

static bool find_what_matters(symmetry_builder *b) {
  alea_u32s todo = {0};
  bool good = each_root(b, false, note_matters, &todo) && mark_down(b, b->matters, true, &todo);
  alea_vec_clear(b->mem, &todo);
  if (good) add_followers(b);
  return good;
}

/* ---- vertices and edges ---- */

bool alea_symmetry_names_role(const alea_ground *g, alea_term term) {
  if (alea_terms_arity(g->terms, term) != 1) return false;
  alea_term argument = alea_terms_args(g->terms, term)[0];
  for (uint32_t r = 0; r < g->role_count; r++)
    if (!alea_terms_is_list(g->terms, argument) &&
        alea_terms_name(g->terms, argument) == g->roles[r])
      return true;
  return false;
}

/* A body of several literals beside others has a vertex. */
static bool has_vertex(const symmetry_builder *b, alea_atom atom, const alea_merged_body *body) {
  return body->count > 1 && b->merged.body_count[atom] > 1;
}

/* Is a fluent next what another one, or it itself, is now? */
static bool is_copy(const symmetry_builder *b, uint32_t fluent) {
  alea_glit lit = alea_merged_meaning(&b->merged, b->ground->next[fluent]);
  return !(lit & 1) && lit / 2 >= 1 && lit / 2 <= b->ground->fluent_count;
}

static uint64_t count_vertices(const symmetry_builder *b) {
  const alea_ground *g = b->ground;
  uint64_t count = 1 + (uint64_t)g->fluent_count + g->move_count; /* truth and points */
  for (uint32_t a = 0; a < g->atom_count; a++) {
    count += b->negated[a];
    if (!is_derived(b, a) || !b->live[a]) continue;
    count += 2 + b->merged.has_cycles;
    for (uint32_t i = 0; i < b->merged.body_count[a]; i++)
      count += has_vertex(b, a, &bodies_of(b, a)[i]);
  }
  for (uint32_t f = 0; f < g->fluent_count; f++) count += is_copy(b, f);
  count += b->exchange ? g->role_count : 0;
  count += b->endless ? 0 : 1 + g->goals.count;
  return count + g->fluent_count + g->move_count + g->sees.count + g->percepts.count;
}

static uint32_t add_vertex(symmetry_builder *b, uint32_t colour) {
  alea_sym_graph_colour(b->graph, b->next, colour);
  return b->next++;
}

static uint32_t literal_vertex(const symmetry_builder *b, alea_glit lit) {
  return lit & 1 ? b->negated[lit / 2] : b->used[lit / 2];
}

static void add_literals(symmetry_builder *b, uint32_t vertex, const alea_merged_body *body) {
  for (uint32_t k = 0; k < body->count; k++)
    alea_sym_graph_edge(b->graph, vertex, literal_vertex(b, literal_of(b, body, k)));
}

static void add_definition(symmetry_builder *b, alea_atom atom) {
  uint32_t count = b->merged.body_count[atom];
  uint32_t defined = add_vertex(b, count == 1 ? DEFINED_AND : DEFINED_OR);
  uint32_t head = b->used[atom];
  if (b->merged.has_cycles) {
    head = add_vertex(b, HEAD);
    alea_sym_graph_edge(b->graph, b->used[atom], head);
  }
  alea_sym_graph_edge(b->graph, head, defined);
  for (uint32_t i = 0; i < count; i++) {
    const alea_merged_body *body = &bodies_of(b, atom)[i];
    uint32_t place = defined;
    if (has_vertex(b, atom, body)) {
      place = add_vertex(b, BODY);
      alea_sym_graph_edge(b->graph, defined, place);
    }
    add_literals(b, place, body);
  }
}

/* A root: a vertex that ties 'owner' (NO vertex: 0, the vertex of truth, which
 * is fixed anyway) to the literal that decides it. */
static void add_root(symmetry_builder *b, uint32_t colour, uint32_t owner, alea_glit lit) {
  uint32_t root = add_vertex(b, colour);
  if (owner != 0) alea_sym_graph_edge(b->graph, root, owner);
  alea_sym_graph_edge(b->graph, root, literal_vertex(b, alea_merged_meaning(&b->merged, lit)));
}

/* All other edges lead from what is defined to what it is defined by, and the
 * colours show it; from fluent to fluent they need COPIED. */
static void add_next(symmetry_builder *b, uint32_t fluent) {
  alea_glit lit = b->ground->next[fluent];
  uint32_t owner = b->layers_apart ? 0 : 1 + fluent;
  if (!is_copy(b, fluent)) {
    add_root(b, NEXT, owner, lit);
    return;
  }
  uint32_t root = add_vertex(b, NEXT), copied = add_vertex(b, COPIED);
  if (owner != 0) alea_sym_graph_edge(b->graph, root, owner);
  alea_sym_graph_edge(b->graph, root, copied);
  alea_sym_graph_edge(b->graph, copied, literal_vertex(b, alea_merged_meaning(&b->merged, lit)));
}

/* The colour of what belongs to a role: its own, or where roles may be
 * exchanged that of the first, with an edge to the vertex of the role. */
static uint32_t role_colour(const symmetry_builder *b, uint32_t role) {
  return b->exchange ? 0 : role;
}

static void add_ends(symmetry_builder *b) {
  const alea_ground *g = b->ground;
  add_root(b, TERMINAL, 0, g->terminal);
  for (size_t i = 0; i < g->goals.count; i++) {
    const alea_ground_goal *goal = &g->goals.data[i];
    uint32_t colour = FIRST_ROLE + 2 * g->role_count + role_colour(b, goal->role) * 101;
    add_root(b, colour + (uint32_t)goal->value, b->exchange ? b->roles + goal->role : 0, goal->lit);
  }
}

static void add_roots(symmetry_builder *b) {
  const alea_ground *g = b->ground;
  for (uint32_t i = 0; i < g->fluent_count; i++) add_next(b, i);
  for (uint32_t i = 0; i < g->move_count; i++)
    add_root(b, LEGAL, 1 + g->fluent_count + i, g->legal[i]);
  if (!b->endless) add_ends(b);
  uint32_t percepts = b->next;
  for (size_t i = 0; i < g->percepts.count; i++) add_vertex(b, PERCEPT);
  for (size_t i = 0; i < g->sees.count; i++) {
    const alea_ground_percept *see = &g->sees.data[i];
    uint32_t root = b->next;
    add_root(b, FIRST_ROLE + g->role_count + role_colour(b, see->role), percepts + see->percept,
             see->lit);
    if (b->exchange) alea_sym_graph_edge(b->graph, root, b->roles + see->role);
  }
}

/* Vertices of atoms and their negations: truth, fluents and moves by their
 * numbers, then derived atoms that are live. */
static void add_atoms(symmetry_builder *b) {
  const alea_ground *g = b->ground;
  uint32_t alone = FIRST_ROLE + 103 * g->role_count;
  for (uint32_t a = 0; a < g->atom_count; a++) {
    bool is_fluent = a >= 1 && a <= g->fluent_count;
    if (is_derived(b, a) && !b->live[a]) continue;
    uint32_t colour = a == 0 ? TRUTH : is_fluent ? USED_FLUENT : USED_DERIVED;
    if (is_fluent && b->start && g->init[a - 1] &&
        !(b->exchange && alea_symmetry_names_role(g, g->fluents[a - 1])))
      colour = USED_AT_START;
    b->used[a] = add_vertex(b, is_fluent && !b->matters[a] ? alone + a : colour);
  }
  for (uint32_t r = 0; r < g->role_count; r++)
    for (uint32_t m = g->move_first[r]; m < g->move_first[r + 1]; m++) {
      uint32_t move = 1 + g->fluent_count + m;
      bool never =
          alea_merged_meaning(&b->merged, g->legal[m]) == ALEA_GLIT_FALSE && !b->live[move];
      alea_sym_graph_colour(b->graph, move, never ? alone + move : FIRST_ROLE + role_colour(b, r));
    }
  for (uint32_t a = 0; a < g->atom_count; a++) {
    if (b->negated[a] == 0) continue;
    b->negated[a] = add_vertex(b, NEGATED);
    alea_sym_graph_edge(b->graph, b->used[a], b->negated[a]);
  }
}

static void add_roles(symmetry_builder *b) {
  const alea_ground *g = b->ground;
  b->roles = b->next;
  for (uint32_t r = 0; r < g->role_count; r++)
    add_vertex(b, (int)r == g->random_role ? CHANCE : ROLE);
  for (uint32_t r = 0; r < g->role_count; r++)
    for (uint32_t m = g->move_first[r]; m < g->move_first[r + 1]; m++)
      alea_sym_graph_edge(b->graph, b->roles + r, 1 + g->fluent_count + m);
}

static void build(symmetry_builder *b) {
  const alea_ground *g = b->ground;
  add_atoms(b);
  if (b->exchange) add_roles(b);
  for (uint32_t a = 1 + g->fluent_count + g->move_count; a < g->atom_count; a++)
    if (b->live[a]) add_definition(b, a);
  add_roots(b);
}

static alea_status prepare(symmetry_builder *b) {
  uint32_t atoms = b->ground->atom_count;
  b->used = alea_mem_calloc(b->mem, atoms, sizeof *b->used);
  b->negated = alea_mem_calloc(b->mem, atoms, sizeof *b->negated);
  b->live = alea_mem_calloc(b->mem, atoms, 1);
  b->matters = alea_mem_calloc(b->mem, atoms, 1);
  if (b->used == NULL || b->negated == NULL || b->live == NULL || b->matters == NULL)
    return ALEA_SYSTEM;
  alea_status status = alea_merged_rules_init(&b->merged, b->ground, b->mem);
  if (status != ALEA_OK) return status;
  return find_live(b) && find_what_matters(b) ? ALEA_OK : ALEA_SYSTEM;
}

static void clear(symmetry_builder *b) {
  uint32_t atoms = b->ground->atom_count;
  alea_sym_graph_free(b->graph);
  alea_mem_free(b->mem, b->used, atoms * sizeof *b->used);
  alea_mem_free(b->mem, b->negated, atoms * sizeof *b->negated);
  alea_mem_free(b->mem, b->live, atoms);
  alea_mem_free(b->mem, b->matters, atoms);
  alea_merged_rules_clear(&b->merged);
}

/* ---- the group ---- */

typedef struct symmetry_collector {
  alea_symmetry *s;
  alea_u32s points; /* generators, one after the other */
  bool no_memory;
} symmetry_collector;

/* Keeps the action on fluents and moves, unless it moves none of them. */
static void keep(void *data, const uint32_t *image) {
  symmetry_collector *c = data;
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
 * with 0 elements, when there are more than 'max_elements'. */
alea_status alea_symmetry_list(alea_symmetry *s, uint32_t max_elements) {
  if (max_elements == 0) max_elements = MOST_ELEMENTS;
  uint32_t points = alea_symmetry_points(s), count = 1;
  alea_u32s list = {0};
  uint64_t *hashes = alea_mem_calloc(s->mem, max_elements + 1, sizeof *hashes);
  bool ok = hashes != NULL && alea_vec_reserve(s->mem, &list, points);
  for (uint32_t p = 0; ok && p < points; p++) list.data[list.count++] = p;
  if (ok) hashes[0] = alea_hash_u32s(list.data, points);
  for (uint32_t e = 0; ok && e < count && count <= max_elements; e++)
    for (uint32_t g = 0; ok && g < s->generator_count && count <= max_elements; g++) {
      if (!(ok = alea_vec_reserve(s->mem, &list, points))) break;
      const uint32_t *generator = s->generators + (size_t)g * points;
      const uint32_t *element = list.data + (size_t)e * points;
      uint32_t *product = list.data + list.count;
      for (uint32_t p = 0; p < points; p++) product[p] = generator[element[p]];
      uint64_t hash = alea_hash_u32s(product, points);
      if (is_listed(&list, hashes, count, product, hash, points)) continue;
      if (count < max_elements) hashes[count] = hash;
      list.count += points;
      count++;
    }
  if (ok && count <= max_elements) {
    s->element_count = count;
    s->order = count;
    s->elements = alea_mem_alloc(s->mem, (size_t)count * points * sizeof *s->elements);
    ok = s->elements != NULL;
    if (ok) memcpy(s->elements, list.data, (size_t)count * points * sizeof *s->elements);
    if (!ok) s->element_count = 0;
  }
  alea_vec_clear(s->mem, &list);
  alea_mem_free(s->mem, hashes, (max_elements + 1) * sizeof *hashes);
  return ok ? ALEA_OK : ALEA_SYSTEM;
}

static void ignore(void *data, const uint32_t *image) { (void)data, (void)image; }

/* Whether vertices may move while all fluents and moves stay: those of cycles,
 * of percepts, and of goals that mean the same. */
static bool is_loose(const symmetry_builder *b) {
  const alea_ground *g = b->ground;
  if (b->layers_apart || b->exchange || b->merged.has_cycles || g->percepts.count > 0) return true;
  for (size_t i = 0; i < g->goals.count; i++)
    for (size_t k = 0; k < i; k++)
      if (alea_merged_meaning(&b->merged, g->goals.data[i].lit) ==
              alea_merged_meaning(&b->merged, g->goals.data[k].lit) &&
          g->goals.data[i].role == g->goals.data[k].role &&
          g->goals.data[i].value == g->goals.data[k].value)
        return true;
  return false;
}

/* The order on fluents and moves: what moves none of them does not count. */
static alea_status correct_order(alea_symmetry *s, alea_sym_graph *graph,
                                 const alea_deadline *deadline) {
  double fixing;
  for (uint32_t p = 0; p < alea_symmetry_points(s); p++)
    alea_sym_graph_colour(graph, 1 + p, UINT32_MAX - p);
  alea_status status = alea_sym_automorphisms(graph, deadline, ignore, NULL, &fixing);
  s->order = status == ALEA_OK ? s->order / fixing : 0;
  return status;
}

static alea_status find_group(alea_symmetry *s, const symmetry_builder *b,
                              const alea_symmetry_options *options) {
  symmetry_collector c = {.s = s};
  alea_status status = alea_sym_automorphisms(b->graph, options != NULL ? options->deadline : NULL,
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
  if (status == ALEA_OK && s->element_count == 0 && is_loose(b))
    status = correct_order(s, b->graph, options != NULL ? options->deadline : NULL);
  return status;
}

static symmetry_builder builder_of(const alea_ground *ground, const alea_symmetry_options *options,
                                   alea_mem *mem) {
  symmetry_builder b = {.ground = ground, .mem = mem};
  if (options == NULL) return b;
  b.layers_apart = options->layers_apart;
  b.exchange = options->exchange;
  b.start = options->start;
  b.endless = options->endless;
  return b;
}

static alea_status make_graph(symmetry_builder *b, const alea_symmetry_options *options) {
  uint32_t most = options != NULL && options->max_vertices != 0 ? options->max_vertices : 2000000;
  alea_status status = prepare(b);
  if (status != ALEA_OK) return status;
  if (options != NULL && alea_deadline_passed(options->deadline)) return ALEA_LIMIT;
  uint64_t vertices = count_vertices(b);
  if (vertices > most) return ALEA_LIMIT;
  b->graph = alea_sym_graph_new(b->mem, (uint32_t)vertices);
  if (b->graph == NULL) return ALEA_SYSTEM;
  build(b);
  assert(b->next == vertices);
  return ALEA_OK;
}

alea_status alea_symmetry_graph(struct alea_sym_graph **graph, const alea_ground *ground,
                                const alea_symmetry_options *options, alea_mem *mem) {
  symmetry_builder b = builder_of(ground, options, mem);
  alea_status status = make_graph(&b, options);
  *graph = NULL;
  if (status == ALEA_OK) {
    *graph = b.graph;
    b.graph = NULL;
  }
  clear(&b);
  return status == ALEA_SYSTEM && mem->hit_limit ? ALEA_LIMIT : status;
}

alea_status alea_symmetry_new(alea_symmetry **symmetry, const alea_ground *ground,
                              const alea_symmetry_options *options, alea_mem *mem) {
  symmetry_builder b = builder_of(ground, options, mem);
  alea_symmetry *s = alea_mem_zalloc(mem, sizeof *s);
  *symmetry = s;
  if (s == NULL) return ALEA_SYSTEM;
  s->mem = mem;
  s->fluent_count = ground->fluent_count;
  s->move_count = ground->move_count;
  alea_status status = make_graph(&b, options);
  if (status == ALEA_OK) status = find_group(s, &b, options);
  clear(&b);
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

static alea_status of_ground(alea_symmetry **symmetry, alea_ground **ground, bool plain,
                             struct alea_program *program, const alea_symmetry_options *options,
                             alea_mem *mem) {
  alea_ground_options how = {.deadline = options->deadline,
                             .max_instances = plain ? MOST_PLAIN_INSTANCES : 0,
                             .plain = plain};
  *symmetry = NULL;
  alea_status status =
      *ground != NULL ? ALEA_OK : alea_ground_new(ground, program, &how, mem, NULL);
  return status == ALEA_OK ? alea_symmetry_new(symmetry, *ground, options, mem) : status;
}

alea_status alea_symmetry_of_rules(alea_symmetry **symmetry, alea_ground *grounds[2], bool *plain,
                                   struct alea_program *program,
                                   const alea_symmetry_options *options, alea_mem *mem) {
  alea_symmetry_options sooner = options != NULL ? *options : (alea_symmetry_options){0};
  alea_symmetry_options then = sooner;
  /* so that something is left for the other way */
  alea_deadline half = alea_deadline_half(sooner.deadline);
  sooner.deadline = &half;
  *plain = true;
  alea_status status = of_ground(symmetry, &grounds[true], true, program, &sooner, mem);
  if (status != ALEA_LIMIT || alea_deadline_passed(then.deadline)) return status;
  alea_symmetry *part = *symmetry;
  status = of_ground(symmetry, &grounds[false], false, program, &then, mem);
  *plain = false;
  if (status == ALEA_OK || part == NULL) {
    alea_symmetry_free(part);
    return status;
  }
  alea_symmetry_free(*symmetry);
  *symmetry = part;
  *plain = true;
  return ALEA_LIMIT;
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
