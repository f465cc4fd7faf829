/* Candidates for symmetries. */
#include "symmetry/candidates.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "symmetry/argument_sorts.h"

enum { MOST_CANDIDATES = 4096, MOST_SORTS = 5, FEW_CONSTANTS = 4 };

void alea_candidates_init(alea_candidates *c, const alea_ground *ground, alea_mem *mem) {
  *c = (alea_candidates){.mem = mem, .ground = ground, .roles = ground->role_count};
  c->points = ground->fluent_count + ground->move_count;
  c->percepts = (uint32_t)ground->percepts.count;
  c->size = c->points + c->percepts + c->roles;
}

void alea_candidates_clear(alea_candidates *c) {
  if (c->mem == NULL) return;
  alea_vec_clear(c->mem, &c->maps);
  alea_hash_map_clear(&c->known, c->mem);
}

bool alea_candidates_exchanges(const alea_candidates *c, const uint32_t *map) {
  for (uint32_t r = 0; r < c->roles; r++)
    if (alea_candidates_roles(c, map)[r] != r) return true;
  return false;
}

/* Every kind is permuted, and something moves. */
static bool is_permutation(const uint32_t *map, uint32_t count, uint8_t *taken, bool *moves) {
  memset(taken, 0, count);
  for (uint32_t i = 0; i < count; i++) {
    if (map[i] >= count || taken[map[i]]) return false;
    taken[map[i]] = 1;
    *moves |= map[i] != i;
  }
  return true;
}

static uint64_t hash_of_map(const void *candidates, uint32_t i) {
  const alea_candidates *c = candidates;
  return alea_hash_u32s(alea_candidates_at(c, i), c->size);
}

/* Keeps the map behind the others, unless it is among them. */
static alea_status keep_new(alea_candidates *c) {
  if (!alea_hash_map_reserve(&c->known, c->mem, hash_of_map, c)) return alea_mem_lack(c->mem);
  alea_hash_probe probe = alea_hash_map_probe(&c->known, hash_of_map(c, c->count));
  size_t bytes = c->size * sizeof *c->maps.data;
  while (alea_hash_map_next(&c->known, &probe))
    if (memcmp(alea_candidates_at(c, probe.id), alea_candidates_at(c, c->count), bytes) == 0)
      return ALEA_OK;
  alea_hash_map_put(&c->known, probe, c->count++);
  c->maps.count += c->size;
  return ALEA_OK;
}

/* Keeps the map that was written behind the others, if it is one. */
static alea_status keep(alea_candidates *c) {
  uint32_t *map = alea_candidates_at(c, c->count);
  uint8_t *taken = alea_mem_alloc(c->mem, c->size);
  bool moves = false;
  if (taken == NULL) return alea_mem_lack(c->mem);
  bool good = is_permutation(map, c->points, taken, &moves) &&
              is_permutation(map + c->points, c->percepts, taken, &moves) &&
              is_permutation(map + c->points + c->percepts, c->roles, taken, &moves);
  alea_mem_free(c->mem, taken, c->size);
  return good && moves ? keep_new(c) : ALEA_OK;
}

static alea_status make_room(alea_candidates *c) {
  if (c->count >= MOST_CANDIDATES) return ALEA_LIMIT;
  return alea_vec_reserve(c->mem, &c->maps, c->size) ? ALEA_OK : alea_mem_lack(c->mem);
}

/* ---- permutations of points ---- */

static uint32_t role_of(const alea_ground *g, uint32_t move) {
  uint32_t role = 0;
  while (move >= g->move_first[role + 1]) role++;
  return role;
}

alea_status alea_candidates_add_points(alea_candidates *c, const uint32_t *permutation) {
  const alea_ground *g = c->ground;
  alea_status status = make_room(c);
  if (status != ALEA_OK) return status;
  uint32_t *map = alea_candidates_at(c, c->count), *roles = map + c->points;
  memcpy(map, permutation, c->points * sizeof *map);
  for (uint32_t r = 0; r < c->roles; r++) {
    roles[r] = UINT32_MAX;
    for (uint32_t m = g->move_first[r]; m < g->move_first[r + 1]; m++) {
      uint32_t to = role_of(g, map[g->fluent_count + m] - g->fluent_count);
      if (roles[r] != UINT32_MAX && roles[r] != to) return ALEA_OK;
      roles[r] = to;
    }
    if (roles[r] == UINT32_MAX) roles[r] = r;
  }
  return keep(c);
}

/* ---- renamings ---- */

typedef struct argument_renaming {
  uint32_t reversed; /* a bit per sort of the renamer */
  uint32_t a, b;     /* sorts that are exchanged; equal: none */
  uint32_t role, other;
  uint32_t sort, first, second; /* constants of a sort that are exchanged; equal: none */
} argument_renaming;

/* A term that is a fluent (kind UINT32_MAX), a percept (UINT32_MAX - 1) or a
 * move of the role 'kind'. */
typedef struct named_point {
  uint32_t kind;
  alea_term term;
  uint32_t number;
} named_point;

enum { FLUENT = -1, PERCEPT = -2 };

typedef struct renamer {
  alea_candidates *candidates;
  const alea_ground *ground;
  alea_argument_sorts sorts;
  uint32_t chosen[MOST_SORTS]; /* sorts that are tried, with two constants at least */
  uint32_t count;
  named_point *names; /* in order */
  size_t name_count;
  argument_renaming now;
} renamer;

static int by_name(const void *x, const void *y) {
  const named_point *a = x, *b = y;
  if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
  return a->term < b->term ? -1 : a->term > b->term;
}

static bool name_points(renamer *r) {
  const alea_ground *g = r->ground;
  size_t room = g->fluent_count + (size_t)g->move_count + g->percepts.count;
  r->names = alea_mem_calloc(r->candidates->mem, room, sizeof *r->names);
  if (r->names == NULL) return false;
  for (uint32_t f = 0; f < g->fluent_count; f++)
    r->names[r->name_count++] = (named_point){(uint32_t)FLUENT, g->fluents[f], f};
  for (uint32_t i = 0; i < g->role_count; i++)
    for (uint32_t m = g->move_first[i]; m < g->move_first[i + 1]; m++)
      r->names[r->name_count++] = (named_point){i, g->moves[m], g->fluent_count + m};
  for (uint32_t p = 0; p < g->percepts.count; p++)
    r->names[r->name_count++] = (named_point){(uint32_t)PERCEPT, g->percepts.data[p], p};
  qsort(r->names, r->name_count, sizeof *r->names, by_name);
  return true;
}

static uint32_t find_point(const renamer *r, uint32_t kind, alea_term term) {
  named_point key = {kind, term, 0};
  const named_point *found = bsearch(&key, r->names, r->name_count, sizeof key, by_name);
  return found != NULL ? found->number : UINT32_MAX;
}

static alea_term role_constant(const renamer *r, uint32_t role) {
  return alea_terms_find_constant(r->ground->terms, r->ground->roles[role]);
}

/* The place of a sort among those that are tried, or the number of them. */
static uint32_t place_of(const renamer *r, uint32_t sort) {
  uint32_t i = 0;
  while (i < r->count && r->chosen[i] != sort) i++;
  return i;
}

static alea_term rename_constant(const renamer *r, uint32_t place, alea_term constant) {
  const argument_renaming *now = &r->now;
  if (now->role != now->other) {
    alea_term role = role_constant(r, now->role), other = role_constant(r, now->other);
    if (constant == role) return other;
    if (constant == other) return role;
  }
  if (place == r->count) return constant;
  const alea_u32s *these = &r->sorts.list.data[r->chosen[place]].constants;
  uint32_t i = alea_sort_index(&r->sorts.list.data[r->chosen[place]], constant);
  if (i == UINT32_MAX) return constant;
  if (place == now->sort && now->first != now->second)
    i = i == now->first ? now->second : i == now->second ? now->first : i;
  if (now->reversed >> place & 1) i = (uint32_t)these->count - 1 - i;
  if (now->a != now->b && (place == now->a || place == now->b))
    these = &r->sorts.list.data[r->chosen[place == now->a ? now->b : now->a]].constants;
  return these->data[i];
}

/* Exchanges the k-th argument of sort a with the k-th of sort b; false where
 * there are more of one than of the other. */
static bool exchange_arguments(const renamer *r, uint32_t slot, alea_term *args, uint32_t count) {
  uint32_t i = 0, k = 0;
  if (r->now.a == r->now.b) return true;
  for (;; i++, k++) {
    while (i < count && r->sorts.parent.data[slot + i] != r->chosen[r->now.a]) i++;
    while (k < count && r->sorts.parent.data[slot + k] != r->chosen[r->now.b]) k++;
    if (i == count || k == count) return i == count && k == count;
    alea_term first = args[i];
    args[i] = args[k];
    args[k] = first;
  }
}

enum { MOST_ARGUMENTS = 32 };

static alea_term rename_term(const renamer *r, alea_term term, int depth) {
  const alea_terms *terms = r->ground->terms;
  uint32_t count = alea_terms_arity(terms, term);
  if (!alea_terms_is_list(terms, term) || count == 0) return term;
  uint32_t slot = alea_argument_sorts_slot(&r->sorts, term);
  if (slot == ALEA_NO_SORT || count > MOST_ARGUMENTS) return term;
  alea_term args[MOST_ARGUMENTS];
  for (uint32_t i = 0; i < count; i++) {
    alea_term argument = alea_terms_args(terms, term)[i];
    if (!alea_terms_is_list(terms, argument))
      args[i] = rename_constant(r, place_of(r, r->sorts.parent.data[slot + i]), argument);
    else
      args[i] = depth < ALEA_SORT_MOST_DEPTH ? rename_term(r, argument, depth + 1) : argument;
    if (args[i] == ALEA_NO_TERM) return ALEA_NO_TERM;
  }
  if (!exchange_arguments(r, slot, args, count)) return ALEA_NO_TERM;
  return alea_terms_find_list(terms, alea_terms_name(terms, term), args, count);
}

static uint32_t role_image(const renamer *r, uint32_t role) {
  const argument_renaming *now = &r->now;
  return role == now->role ? now->other : role == now->other ? now->role : role;
}

/* Writes the map of the renaming, and keeps it if it is one. */
static alea_status try_renaming(renamer *r) {
  alea_candidates *c = r->candidates;
  const alea_ground *g = r->ground;
  alea_status status = make_room(c);
  if (status != ALEA_OK) return status;
  uint32_t *map = alea_candidates_at(c, c->count);
  for (uint32_t i = 0; i < c->roles; i++) map[c->points + c->percepts + i] = role_image(r, i);
  for (size_t i = 0; i < r->name_count; i++) {
    const named_point *p = &r->names[i];
    alea_term image = rename_term(r, p->term, 0);
    bool move = p->kind < g->role_count;
    uint32_t kind = move ? role_image(r, p->kind) : p->kind;
    uint32_t to = image != ALEA_NO_TERM ? find_point(r, kind, image) : UINT32_MAX;
    if (to == UINT32_MAX) return ALEA_OK;
    map[p->kind == (uint32_t)PERCEPT ? c->points + p->number : p->number] = to;
  }
  return keep(c);
}

/* ---- which renamings ---- */

/* Sorts of moves first: these are what a player sees of the board. */
static void choose_sorts(renamer *r) {
  for (int moves = 1; moves >= 0; moves--)
    for (uint32_t i = 0; i < r->sorts.list.count && r->count < MOST_SORTS; i++) {
      const alea_sort *sort = &r->sorts.list.data[i];
      if (sort->in_moves == (moves == 1) && sort->constants.count > 1 &&
          sort->constants.count < ALEA_SORT_MOST_CONSTANTS)
        r->chosen[r->count++] = i;
    }
}

static size_t constants_of(const renamer *r, uint32_t place) {
  return r->sorts.list.data[r->chosen[place]].constants.count;
}

/* With all that is set so far, every choice of sorts to reverse. */
static alea_status try_reversals(renamer *r, const alea_deadline *deadline) {
  alea_status status = ALEA_OK;
  for (uint32_t mask = 0; status == ALEA_OK && mask < 1u << r->count; mask++) {
    if (alea_deadline_passed(deadline)) return ALEA_LIMIT;
    r->now.reversed = mask;
    status = try_renaming(r);
  }
  return status;
}

static alea_status try_constants(renamer *r, const alea_deadline *deadline) {
  r->now.sort = r->now.first = r->now.second = 0;
  alea_status status = try_reversals(r, deadline);
  for (uint32_t s = 0; s < r->count; s++)
    for (uint32_t i = 0; constants_of(r, s) <= FEW_CONSTANTS && i < constants_of(r, s); i++)
      for (uint32_t k = 0; status == ALEA_OK && k < i; k++) {
        r->now.sort = s, r->now.first = i, r->now.second = k;
        status = try_reversals(r, deadline);
      }
  return status;
}

static alea_status try_sorts(renamer *r, const alea_deadline *deadline) {
  r->now.a = r->now.b = 0;
  alea_status status = try_constants(r, deadline);
  for (uint32_t a = 0; a < r->count; a++)
    for (uint32_t b = a + 1; status == ALEA_OK && b < r->count; b++) {
      if (constants_of(r, a) != constants_of(r, b)) continue;
      r->now.a = a, r->now.b = b;
      status = try_constants(r, deadline);
    }
  return status;
}

static alea_status try_roles(renamer *r, const alea_deadline *deadline) {
  r->now.role = r->now.other = 0;
  alea_status status = try_sorts(r, deadline);
  for (uint32_t i = 0; i < r->ground->role_count; i++)
    for (uint32_t k = 0; status == ALEA_OK && k < i; k++) {
      if ((int)i == r->ground->random_role || (int)k == r->ground->random_role) continue;
      r->now.role = i, r->now.other = k;
      status = try_sorts(r, deadline);
    }
  return status;
}

alea_status alea_candidates_add_renamings(alea_candidates *c, const alea_program *program,
                                          const alea_deadline *deadline) {
  renamer r = {.candidates = c, .ground = c->ground};
  alea_status status = alea_argument_sorts_init(&r.sorts, program, c->ground, c->mem);
  if (status == ALEA_OK && !name_points(&r)) status = alea_mem_lack(c->mem);
  if (status == ALEA_OK) {
    choose_sorts(&r);
    status = try_roles(&r, deadline);
  }
  size_t room = c->ground->fluent_count + (size_t)c->ground->move_count + c->percepts;
  alea_mem_free(c->mem, r.names, room * sizeof *r.names);
  alea_argument_sorts_clear(&r.sorts);
  return status;
}
