#ifndef ALEA_SYMMETRY_SYMMETRY_H
#define ALEA_SYMMETRY_SYMMETRY_H

/* Symmetries of a game: permutations of fluents and moves that commute with
 * legal, next, terminal, goal and sees ("sound" mode of the constraint-based
 * symmetry detection of [SYM16 §4], D28 to D30: the same permutation acts on
 * the layers t and t + 1).  By induction a state and its image have the same
 * value.
 *
 * They are the automorphisms of a coloured graph over the ground rules, whose
 * vertices stand for fluents, moves, derived atoms and bodies; a fluent at t
 * and at t + 1 is one vertex.  Roles are coloured apart, so no symmetry swaps
 * players.  The initial state is no part of the graph: the group is a property
 * of the rules, and maps states that are reached to states that need not be.
 *
 * A symmetry object is immutable once made and owns its arrays. */

#include "base/clock.h"
#include "base/status.h"
#include "base/vec.h"
#include "ground/ground.h"

typedef struct alea_symmetry {
  alea_mem *mem;
  uint32_t fluent_count, move_count; /* numbered as in the ground program */
  double order;                      /* of the group on fluents and moves; 0 when not known */
  uint32_t generator_count;
  uint32_t *generators;   /* generator g maps point p to generators[g * points + p] */
  uint32_t element_count; /* all elements where there are few, identity first; else 0 */
  uint32_t *elements;     /* same layout */
} alea_symmetry;

/* Points: fluents 0 .. fluent_count-1, then moves. */
static inline uint32_t alea_symmetry_points(const alea_symmetry *s) {
  return s->fluent_count + s->move_count;
}

typedef struct alea_symmetry_options {
  const alea_deadline *deadline; /* may be NULL */
  uint32_t max_vertices;         /* of the graph; 0 = 2,000,000 */
  uint32_t max_elements;         /* larger groups are not listed; 0 = 64 */
  bool layers_apart;             /* "paper" mode: the permutation of the layer t says nothing of the
                                    layer t + 1, so an image may have another value */
  bool exchange;                 /* roles may be exchanged, with all that is theirs, goals too */
  bool start;                    /* only what leaves the initial state as it is; with 'exchange'
                                    except for fluents that only name a role */
  bool endless;                  /* terminal and goals are no part of the graph: what is found are
                                    only candidates (semantic_symmetry.h) */
} alea_symmetry_options;

/* Finds the symmetries of 'ground' and gives them to the caller.  ALEA_LIMIT:
 * the graph is too large or the deadline passed; then '*symmetry' holds the
 * generators found so far (perhaps none) and order 0, and is sound all the
 * same. */
alea_status alea_symmetry_new(alea_symmetry **symmetry, const alea_ground *ground,
                              const alea_symmetry_options *options, alea_mem *mem);
void alea_symmetry_free(alea_symmetry *symmetry); /* NULL is a no-op. */

struct alea_sym_graph;
/* The graph by itself, for one who adds to it before looking for automorphisms:
 * point p is vertex 1 + p.  The caller frees it (sym/sym.h).  ALEA_LIMIT as above. */
alea_status alea_symmetry_graph(struct alea_sym_graph **graph, const alea_ground *ground,
                                const alea_symmetry_options *options, alea_mem *mem);

/* Whether a term has one argument, which is a role: (control white). */
bool alea_symmetry_names_role(const alea_ground *ground, alea_term term);

/* Lists the elements from the generators, if there are at most 'max_elements'
 * (0 = 64); for groups that the caller has built. */
alea_status alea_symmetry_list(alea_symmetry *symmetry, uint32_t max_elements);

struct alea_program;
/* The same from a program.  The rules as written are tried first: splitting
 * bodies, which makes grounding fast, may hide what is symmetric in them.
 * Where they are too many or take more than half of the time, the split rules
 * have to do; their group may be smaller.  '*plain' says which, and fluents and
 * moves are numbered as in grounds[*plain].  grounds[plain] holds ground
 * programs that there are already, or NULL, and gets those that are made: the
 * caller frees them. */
alea_status alea_symmetry_of_rules(alea_symmetry **symmetry, alea_ground *grounds[2], bool *plain,
                                   struct alea_program *program,
                                   const alea_symmetry_options *options, alea_mem *mem);

/* The image of a state (a bitset over fluents) under a permutation of the
 * points. */
void alea_symmetry_map_state(const alea_symmetry *symmetry, const uint32_t *permutation,
                             const uint64_t *words, uint64_t *image);

/* The least image of a state under all elements, and which element made it;
 * 'scratch' has room for the words too.  Needs element_count > 0. */
uint32_t alea_symmetry_canonical(const alea_symmetry *symmetry, const uint64_t *words,
                                 uint64_t *canonical, uint64_t *scratch);

#endif
