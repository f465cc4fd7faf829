/* Proposing groups from random play. */
#include "encode/groups.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "game/rows.h"
#include "ground/fluent_map.h"

enum {
  FIRST_STATES = 300,    /* looked at before anything is proposed */
  ENOUGH_STATES = 10000, /* D5 */
  MOST_POSITIONS = 10,   /* arguments that may be keys */
  MOST_ROUNDS = 50       /* proposals that further play may break */
};

alea_glit encode_item_literal(const encode_groups *s, const encode_class *class, uint32_t item) {
  if (class->kind == ENCODE_CLASS_FLUENTS) return 2 * (1 + item);
  return class->kind == ENCODE_CLASS_DERIVED ? 2 * item : s->atoms->ground->sees.data[item].lit;
}

alea_term encode_item_term(const encode_groups *s, const encode_class *class, uint32_t item) {
  const alea_ground *g = s->atoms->ground;
  if (class->kind == ENCODE_CLASS_FLUENTS) return g->fluents[item];
  if (class->kind == ENCODE_CLASS_DERIVED) return g->atom_terms[item];
  return g->percepts.data[g->sees.data[item].percept];
}

/* ---- classes ---- */

/* Where an item belongs; sorting by this brings classes together. */
typedef struct groups_place {
  uint32_t kind, role, name, arity, item;
} groups_place;

static int by_class(const void *a, const void *b) {
  const groups_place *x = a, *y = b;
  if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
  if (x->role != y->role) return x->role < y->role ? -1 : 1;
  if (x->name != y->name) return x->name < y->name ? -1 : 1;
  return (x->arity > y->arity) - (x->arity < y->arity);
}

static int by_place(const void *a, const void *b) {
  int order = by_class(a, b);
  const groups_place *x = a, *y = b;
  return order != 0 ? order : (x->item > y->item) - (x->item < y->item);
}

static groups_place place_of(const encode_groups *s, encode_class_kind kind, uint32_t item) {
  const alea_ground *g = s->atoms->ground;
  encode_class class = {.kind = kind};
  groups_place p = {.kind = kind, .name = ALEA_NO_SYMBOL, .item = item};
  if (kind == ENCODE_CLASS_PERCEPTS) p.role = g->sees.data[item].role;
  alea_term term = encode_item_term(s, &class, item);
  if (term == ALEA_NO_TERM) {
    p.role = item; /* nothing like it */
    return p;
  }
  p.name = alea_terms_name(g->terms, term);
  p.arity = alea_terms_arity(g->terms, term);
  return p;
}

static bool add_class(encode_groups *s, const groups_place *p,
                      const encode_group_options *options) {
  bool boolean =
      p->name == ALEA_NO_SYMBOL || (p->kind != ENCODE_CLASS_FLUENTS && !options->derived);
  encode_class class = {.kind = (encode_class_kind)p->kind,
                        .name = p->name,
                        .arity = p->arity,
                        .role = p->kind == ENCODE_CLASS_PERCEPTS ? p->role : 0,
                        .first = (uint32_t)s->items.count,
                        .whole = boolean || p->arity > MOST_POSITIONS};
  return alea_vec_push(s->mem, &s->classes, class);
}

static bool make_classes(encode_groups *s, const encode_group_options *options) {
  const alea_ground *g = s->atoms->ground;
  ALEA_VEC(groups_place) places = {0};
  bool good = true;
  for (uint32_t i = 0; i < g->fluent_count && good; i++)
    good = alea_vec_push(s->mem, &places, place_of(s, ENCODE_CLASS_FLUENTS, i));
  for (uint32_t i = alea_atoms_first_derived(g); i < g->atom_count && good; i++)
    if (options->skip == NULL || !options->skip[i])
      good = alea_vec_push(s->mem, &places, place_of(s, ENCODE_CLASS_DERIVED, i));
  for (uint32_t i = 0; i < g->sees.count && good; i++)
    good = alea_vec_push(s->mem, &places, place_of(s, ENCODE_CLASS_PERCEPTS, i));
  if (good && places.count > 0) qsort(places.data, places.count, sizeof *places.data, by_place);
  for (size_t i = 0; i < places.count && good; i++) {
    const groups_place *p = &places.data[i];
    if (i == 0 || by_class(p, p - 1) != 0) good = add_class(s, p, options);
    good = good && alea_vec_push(s->mem, &s->items, p->item);
    if (!good) break;
    encode_class *class = &s->classes.data[s->classes.count - 1];
    class->count++;
    if (p->kind == ENCODE_CLASS_FLUENTS && options->whole != NULL && options->whole[p->item])
      class->whole = true;
  }
  alea_vec_clear(s->mem, &places);
  return good;
}

/* ---- keys ---- */

typedef struct proposer {
  encode_groups *groups;
  ALEA_VEC(uint64_t) samples; /* one bit per item position, row by row */
  size_t row;                 /* words */
  uint32_t *group_of;         /* scratch, as long as the items: of the rows of a class */
  uint32_t *held;             /* scratch: rows that hold in a sample */
  ALEA_VEC(uint32_t) open;    /* groups of several members that are not proved */
} proposer;

/* The items of a class as rows, their arguments as columns. */
static bool make_rows(const encode_groups *s, const encode_class *class, alea_rows *rows) {
  const alea_terms *terms = s->atoms->ground->terms;
  if (alea_rows_init(rows, class->count, class->arity, s->mem) != ALEA_OK) return false;
  for (uint32_t i = 0; i < class->count; i++) {
    alea_term term = encode_item_term(s, class, s->items.data[class->first + i]);
    for (uint32_t k = 0; k < class->arity; k++)
      alea_rows_at(rows, i)[k] = alea_terms_args(terms, term)[k];
  }
  return true;
}

/* Whether no sample has two items of a group. */
static bool one_per_key(proposer *p, const encode_class *class, alea_rows *rows) {
  size_t count = p->row == 0 ? 0 : p->samples.count / p->row;
  for (size_t r = 0; r < count; r++) {
    const uint64_t *sample = &p->samples.data[r * p->row];
    size_t held = 0;
    for (uint32_t i = 0; i < class->count; i++) {
      uint32_t position = class->first + i;
      if (sample[position >> 6] >> (position & 63) & 1) p->held[held++] = i;
    }
    if (!alea_rows_differ(rows, p->group_of, p->held, held)) return false;
  }
  return true;
}

/* The smallest set of positions that works; among equals the fewest groups. */
static bool choose_keys(proposer *p, encode_class *class) {
  alea_rows rows;
  if (class->whole) return true;
  bool good = make_rows(p->groups, class, &rows);
  uint32_t best = UINT32_MAX;
  for (uint32_t size = 0; good && best == UINT32_MAX && size < class->arity; size++) {
    for (uint32_t mask = 0; mask < UINT32_C(1) << class->arity; mask++) {
      if ((uint32_t)__builtin_popcount(mask) != size) continue;
      uint32_t values = alea_rows_group(&rows, mask, p->group_of);
      if (values >= best || !one_per_key(p, class, &rows)) continue;
      best = values;
      class->keys = mask;
    }
  }
  class->whole = best == UINT32_MAX;
  alea_rows_clear(&rows);
  return good;
}

/* Adds a group of the class: groups->members from 'first' on. */
static bool add_group(encode_groups *s, uint32_t class, uint32_t first) {
  encode_group group = {class, first, (uint32_t)s->members.count - first, false};
  return alea_vec_push(s->mem, &s->groups, group);
}

static bool group_class(encode_groups *s, uint32_t c) {
  const encode_class *class = &s->classes.data[c];
  alea_groups found = {0};
  alea_rows rows = {0};
  bool good =
      make_rows(s, class, &rows) && alea_groups_init(&found, &rows, class->keys, s->mem) == ALEA_OK;
  for (size_t g = 0; g < found.ends.count && good; g++) {
    uint32_t first = (uint32_t)s->members.count;
    for (uint32_t i = alea_groups_first(&found, g); i < found.ends.data[g] && good; i++)
      good =
          alea_vec_push(s->mem, &s->members, s->items.data[class->first + found.members.data[i]]);
    good = good && add_group(s, c, first);
  }
  alea_groups_clear(&found);
  alea_rows_clear(&rows);
  return good;
}

static bool make_groups(encode_groups *s) {
  bool good = true;
  s->groups.count = s->members.count = 0;
  for (uint32_t c = 0; c < s->classes.count && good; c++) {
    const encode_class *class = &s->classes.data[c];
    if (!class->whole) good = group_class(s, c);
    for (uint32_t i = 0; i < class->count && class->whole && good; i++) {
      uint32_t first = (uint32_t)s->members.count;
      good = alea_vec_push(s->mem, &s->members, s->items.data[class->first + i]) &&
             add_group(s, c, first);
    }
  }
  return good;
}

static void count_groups(encode_groups *s) {
  s->proved = s->watched = 0;
  for (size_t i = 0; i < s->groups.count; i++) {
    if (s->groups.data[i].count < 2) continue;
    if (s->groups.data[i].proved)
      s->proved++;
    else
      s->watched++;
  }
}

bool encode_groups_split(encode_groups *s, const uint8_t *classes) {
  size_t count = s->groups.count;
  bool good = true;
  for (size_t i = 0; i < count && good; i++) {
    encode_group group = s->groups.data[i];
    if (!classes[group.class] || group.count < 2) continue;
    s->classes.data[group.class].whole = true;
    s->groups.data[i] = (encode_group){group.class, group.first, 1, true};
    for (uint32_t k = 1; k < group.count && good; k++)
      good = alea_vec_push(s->mem, &s->groups,
                           ((encode_group){group.class, group.first + k, 1, true}));
  }
  count_groups(s);
  return good;
}

/* ---- sampling ---- */

static bool take_sample(proposer *p, const uint8_t *values) {
  encode_groups *s = p->groups;
  if (!alea_vec_reserve(s->mem, &p->samples, p->row)) return false;
  uint64_t *row = p->samples.data + p->samples.count;
  memset(row, 0, p->row * sizeof *row);
  p->samples.count += p->row;
  for (uint32_t c = 0; c < s->classes.count; c++) {
    const encode_class *class = &s->classes.data[c];
    for (uint32_t i = 0; i < class->count && !class->whole; i++) {
      uint32_t at = class->first + i;
      if (alea_atoms_holds(values, encode_item_literal(s, class, s->items.data[at])))
        row[at >> 6] |= UINT64_C(1) << (at & 63);
    }
  }
  return true;
}

static bool list_open(proposer *p) {
  const encode_groups *s = p->groups;
  bool good = true;
  p->open.count = 0;
  for (uint32_t i = 0; i < s->groups.count && good; i++)
    if (s->groups.data[i].count > 1 && !s->groups.data[i].proved)
      good = alea_vec_push(s->mem, &p->open, i);
  return good;
}

/* Whether some group that is not proved has two members here. */
static bool breaks(const proposer *p, const uint8_t *values) {
  const encode_groups *s = p->groups;
  for (size_t i = 0; i < p->open.count; i++) {
    const encode_group *group = &s->groups.data[p->open.data[i]];
    const encode_class *class = &s->classes.data[group->class];
    uint32_t holding = 0;
    for (uint32_t k = 0; k < group->count; k++)
      holding += alea_atoms_holds(values,
                                  encode_item_literal(s, class, s->members.data[group->first + k]));
    if (holding > 1) return true;
  }
  return false;
}

/* Time for a proof: of what a deadline leaves no more than a quarter, for a
 * proof is the one thing that can be done without. */
static double time_to_prove(double most, const alea_deadline *deadline) {
  if (deadline == NULL) return most;
  double wall = (deadline->at - alea_clock_wall()) / 4;
  double thread = (deadline->thread_at - alea_clock_thread()) / 4;
  if (deadline->at != 0 && wall < most) most = wall;
  if (deadline->thread_at != 0 && thread < most) most = thread;
  return most > 0 ? most : 0;
}

/* Proposals, proof, and where that leaves something open, more play. */
static alea_status settle(proposer *p, alea_atom_walker *walker,
                          const encode_group_options *options) {
  encode_groups *s = p->groups;
  double prove = options->prove_seconds > 0 ? options->prove_seconds : 2;
  if (options->counted) prove = HUGE_VAL;
  for (int round = 0; round < MOST_ROUNDS; round++) {
    for (size_t c = 0; c < s->classes.count; c++)
      if (!choose_keys(p, &s->classes.data[c])) return ALEA_SYSTEM;
    if (!make_groups(s)) return ALEA_SYSTEM;
    double seconds = options->counted ? prove : time_to_prove(prove, options->deadline);
    alea_status status = encode_groups_prove(s, seconds, options->deadline);
    if (status == ALEA_SYSTEM) return status;
    /* it will not do better the next time */
    if (status == ALEA_LIMIT && !options->counted) prove = 0.1;
    count_groups(s);
    if (!list_open(p)) return ALEA_SYSTEM;
    bool broken = false;
    while (!broken && s->watched > 0 && s->states < ENOUGH_STATES) {
      if (alea_deadline_passed(options->deadline)) return ALEA_LIMIT;
      alea_atom_walker_step(walker);
      s->states++;
      broken = breaks(p, walker->values);
    }
    if (!broken) return ALEA_OK;
    if (!take_sample(p, walker->values)) return ALEA_SYSTEM;
  }
  /* Too many surprises: nothing of several members that is not proved. */
  for (size_t i = 0; i < s->groups.count; i++)
    if (!s->groups.data[i].proved && s->groups.data[i].count > 1)
      s->classes.data[s->groups.data[i].class].whole = true;
  if (!make_groups(s)) return ALEA_SYSTEM;
  alea_status status = encode_groups_prove(s, prove, options->deadline);
  count_groups(s);
  return status == ALEA_SYSTEM ? status : ALEA_OK;
}

/* The game plays where it can. */
static bool start_walker(alea_atom_walker *walker, const alea_atoms *atoms, alea_fluent_map *texts,
                         const encode_group_options *options) {
  if (!alea_atom_walker_init(walker, atoms, options->seed)) return false;
  if (options->game == NULL || options->derived) return true;
  alea_cursor *cursor = NULL;
  if (!alea_fluent_map_init(texts, atoms->ground, options->game, atoms->mem) ||
      alea_cursor_new(options->game, atoms->mem, &cursor) != ALEA_OK)
    return false;
  alea_atom_walker_use(walker, cursor, texts);
  return true;
}

alea_status encode_groups_init(encode_groups *s, const alea_atoms *atoms,
                               const encode_group_options *options) {
  *s = (encode_groups){.atoms = atoms, .mem = atoms->mem};
  proposer p = {.groups = s};
  alea_atom_walker walker = {0};
  alea_fluent_map texts = {0};
  alea_status status = ALEA_SYSTEM;
  if (make_classes(s, options) && start_walker(&walker, atoms, &texts, options)) {
    p.row = (s->items.count + 63) / 64;
    p.group_of = alea_mem_calloc(s->mem, s->items.count, sizeof *p.group_of);
    p.held = alea_mem_calloc(s->mem, s->items.count, sizeof *p.held);
    bool good = p.group_of != NULL && p.held != NULL;
    for (; good && s->states < FIRST_STATES; s->states++) {
      if (alea_deadline_passed(options->deadline)) break;
      alea_atom_walker_step(&walker);
      good = take_sample(&p, walker.values);
    }
    if (good) status = settle(&p, &walker, options);
    if (texts.failed) status = ALEA_SYSTEM;
    if (alea_deadline_passed(options->deadline)) status = ALEA_LIMIT;
  }
  alea_mem_free(s->mem, p.group_of, s->items.count * sizeof *p.group_of);
  alea_mem_free(s->mem, p.held, s->items.count * sizeof *p.held);
  alea_vec_clear(s->mem, &p.samples);
  alea_vec_clear(s->mem, &p.open);
  alea_cursor_free(walker.cursor);
  alea_atom_walker_clear(&walker);
  alea_fluent_map_clear(&texts);
  if (status == ALEA_OK) return status;
  encode_groups_clear(s);
  return status == ALEA_SYSTEM && atoms->mem->hit_limit ? ALEA_LIMIT : status;
}

void encode_groups_clear(encode_groups *s) {
  if (s->mem == NULL) return;
  alea_vec_clear(s->mem, &s->classes);
  alea_vec_clear(s->mem, &s->items);
  alea_vec_clear(s->mem, &s->groups);
  alea_vec_clear(s->mem, &s->members);
  *s = (encode_groups){0};
}
