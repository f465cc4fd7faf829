/* Witnesses by breadth-first search: shortest plays, and proofs for small games. */
#include <string.h>

#include "base/hash.h"
#include "base/hash_map.h"
#include "match/witness_finder.h"

typedef struct witness_position {
  size_t first_word;
  uint32_t word_count;
  uint32_t parent, steps; /* how it was reached first */
  size_t parent_edge;
  size_t first_edge;
  uint32_t edge_count;
  bool lot; /* chance has a choice here */
} witness_position;

typedef struct witness_graph {
  ALEA_VEC(witness_position) positions;
  alea_u64s words;
  alea_u32s targets; /* per edge */
  alea_u32s joints;  /* role_count per edge */
  alea_hash_map map;
  alea_u32s pick; /* per role: index of its move in the list */
  alea_u32s path; /* scratch: moves of a play */
  uint64_t tried; /* joint moves */
  bool complete;  /* no position was left out */
} witness_graph;

static uint64_t hash_words(const uint64_t *words, size_t count) {
  return alea_hash_bytes(words, count * sizeof *words);
}

static uint64_t hash_of(const void *context, uint32_t position) {
  const witness_graph *g = context;
  const witness_position *p = &g->positions.data[position];
  return hash_words(g->words.data + p->first_word, p->word_count);
}

/* The number of the cursor's position.  UINT32_MAX: it is new and there are too
 * many; '*good' is false without memory. */
static uint32_t number_of(witness_finder *f, witness_graph *g, witness_position fresh, bool *good) {
  size_t count;
  const uint64_t *words = alea_cursor_state(f->cursor, &count);
  *good = alea_hash_map_reserve(&g->map, f->mem, hash_of, g);
  if (!*good) return UINT32_MAX;
  alea_hash_probe probe = alea_hash_map_probe(&g->map, hash_words(words, count));
  while (alea_hash_map_next(&g->map, &probe)) {
    const witness_position *p = &g->positions.data[probe.id];
    if (p->word_count == count &&
        memcmp(g->words.data + p->first_word, words, count * sizeof *words) == 0)
      return probe.id;
  }
  if (g->positions.count == f->limits->positions) {
    g->complete = false;
    return UINT32_MAX;
  }
  uint32_t id = (uint32_t)g->positions.count;
  fresh.first_word = g->words.count;
  fresh.word_count = (uint32_t)count;
  *good = alea_vec_reserve(f->mem, &g->words, count) && alea_vec_push(f->mem, &g->positions, fresh);
  if (!*good) return UINT32_MAX;
  memcpy(g->words.data + g->words.count, words, count * sizeof *words);
  g->words.count += count;
  alea_hash_map_put(&g->map, probe, id);
  return id;
}

static alea_status load(witness_finder *f, const witness_graph *g, uint32_t position) {
  const witness_position *p = &g->positions.data[position];
  return alea_cursor_load(f->cursor, g->words.data + p->first_word, p->word_count);
}

/* g->path gets the moves that lead to a position. */
static bool make_path(witness_finder *f, witness_graph *g, uint32_t position) {
  uint32_t roles = f->game->role_count;
  size_t steps = g->positions.data[position].steps;
  g->path.count = 0;
  if (!alea_vec_reserve(f->mem, &g->path, steps * roles)) return false;
  g->path.count = steps * roles;
  for (uint32_t at = position; steps-- > 0; at = g->positions.data[at].parent)
    memcpy(g->path.data + steps * roles, g->joints.data + g->positions.data[at].parent_edge * roles,
           roles * sizeof(uint32_t));
  return true;
}

/* The joint move that g->pick says; '*more' if there is another after it, which
 * g->pick then is. */
static alea_status choose(witness_finder *f, witness_graph *g, bool *more, bool *lot) {
  *more = false;
  *lot = false;
  for (uint32_t role = 0; role < f->game->role_count; role++) {
    alea_list legal;
    alea_status status = alea_cursor_legal(f->cursor, role, &legal);
    if (status != ALEA_OK) return status;
    f->joint[role] = legal.ids[g->pick.data[role]];
    if (!witness_is_player(f, role) && legal.count > 1) *lot = true;
    if (*more) continue;
    *more = ++g->pick.data[role] < legal.count;
    if (!*more) g->pick.data[role] = 0;
  }
  return ALEA_OK;
}

/* Joint moves cost time, too, and there may be very many in one position. */
static bool is_over(const witness_finder *f, const witness_graph *g) {
  return g->tried >= 16 * (uint64_t)f->limits->positions ||
         alea_deadline_passed(f->limits->deadline);
}

/* Adds the positions after all joint moves. */
static alea_status expand(witness_finder *f, witness_graph *g, uint32_t from) {
  memset(g->pick.data, 0, f->game->role_count * sizeof *g->pick.data);
  g->positions.data[from].first_edge = g->targets.count;
  for (bool more = true; more;) {
    bool lot, good;
    if (is_over(f, g)) return ALEA_LIMIT;
    g->tried++;
    alea_status status = load(f, g, from);
    if (status == ALEA_OK) status = choose(f, g, &more, &lot);
    if (status == ALEA_OK) status = alea_cursor_play(f->cursor, f->joint);
    if (status != ALEA_OK) return status;
    g->positions.data[from].lot = lot;
    witness_position fresh = {.parent = from,
                              .parent_edge = g->targets.count,
                              .steps = g->positions.data[from].steps + 1};
    uint32_t to = number_of(f, g, fresh, &good);
    if (!good) return ALEA_SYSTEM;
    if (to == UINT32_MAX) continue;
    if (!alea_vec_push(f->mem, &g->targets, to)) return ALEA_SYSTEM;
    for (uint32_t role = 0; role < f->game->role_count; role++)
      if (!alea_vec_push(f->mem, &g->joints, f->joint[role])) return ALEA_SYSTEM;
    g->positions.data[from].edge_count++;
  }
  return ALEA_OK;
}

static alea_status search(witness_finder *f, witness_graph *g) {
  bool good;
  alea_status status = alea_cursor_reset(f->cursor);
  if (status != ALEA_OK) return status;
  if (number_of(f, g, (witness_position){0}, &good) == UINT32_MAX) return ALEA_SYSTEM;
  for (uint32_t i = 0; i < g->positions.count; i++) {
    bool over;
    if (is_over(f, g)) return ALEA_LIMIT;
    if ((status = load(f, g, i)) != ALEA_OK) return status;
    if ((status = witness_look(f, &over)) != ALEA_OK) return status;
    if (f->here.count > 0) {
      if (!make_path(f, g, i)) return ALEA_SYSTEM;
      status = witness_add_here(f, g->path.data, g->positions.data[i].steps);
    }
    if (status == ALEA_OK && !over) status = expand(f, g, i);
    if (status != ALEA_OK) return status;
  }
  return ALEA_OK;
}

/* ---- cycles ---- */

/* The edges of the cycle on the stack from 'first' on, after the way there. */
static alea_status add_cycle(witness_finder *f, witness_graph *g, const alea_u32s *stack,
                             const alea_u32s *taken, size_t first) {
  uint32_t roles = f->game->role_count, start = stack->data[first];
  uint32_t steps = g->positions.data[start].steps;
  if (!make_path(f, g, start)) return ALEA_SYSTEM;
  for (size_t i = first; i < stack->count; i++) {
    const witness_position *p = &g->positions.data[stack->data[i]];
    size_t edge = p->first_edge + taken->data[i] - 1;
    if (!alea_vec_reserve(f->mem, &g->path, roles)) return ALEA_SYSTEM;
    memcpy(g->path.data + g->path.count, g->joints.data + edge * roles, roles * sizeof(uint32_t));
    g->path.count += roles;
  }
  alea_witness witness = {.kind = ALEA_WITNESS_ENDLESS, .cycle = true, .cycle_at = steps};
  return witness_add(f, &witness, g->path.data, steps + (uint32_t)(stack->count - first));
}

enum { UNSEEN, ON_STACK, DONE };

/* Depth first from 'root'; only where chance has no say, since a play that
 * needs luck again and again ends with probability 1. */
static alea_status find_cycle(witness_finder *f, witness_graph *g, uint32_t root, uint8_t *colour,
                              alea_u32s *stack, alea_u32s *taken) {
  stack->count = taken->count = 0;
  if (!alea_vec_push(f->mem, stack, root) || !alea_vec_push(f->mem, taken, 0)) return ALEA_SYSTEM;
  colour[root] = ON_STACK;
  while (stack->count > 0) {
    uint32_t at = stack->data[stack->count - 1];
    const witness_position *p = &g->positions.data[at];
    uint32_t next = taken->data[taken->count - 1]++;
    if (p->lot || next == p->edge_count) {
      colour[at] = DONE;
      stack->count--;
      taken->count--;
      continue;
    }
    uint32_t to = g->targets.data[p->first_edge + next];
    if (colour[to] == ON_STACK) {
      size_t first = 0;
      while (stack->data[first] != to) first++;
      return add_cycle(f, g, stack, taken, first);
    }
    if (colour[to] == DONE) continue;
    colour[to] = ON_STACK;
    if (!alea_vec_push(f->mem, stack, to) || !alea_vec_push(f->mem, taken, 0)) return ALEA_SYSTEM;
  }
  return ALEA_OK;
}

static alea_status search_cycles(witness_finder *f, witness_graph *g) {
  alea_u32s stack = {0}, taken = {0};
  size_t count = g->positions.count;
  uint8_t *colour = alea_mem_calloc(f->mem, count, 1);
  alea_status status = colour != NULL ? ALEA_OK : ALEA_SYSTEM;
  for (uint32_t i = 0; status == ALEA_OK && i < count; i++)
    if (colour[i] == UNSEEN && witness_is_wanted(f, ALEA_WITNESS_ENDLESS, 0))
      status = find_cycle(f, g, i, colour, &stack, &taken);
  alea_mem_free(f->mem, colour, colour != NULL ? count : 0);
  alea_vec_clear(f->mem, &stack);
  alea_vec_clear(f->mem, &taken);
  return status;
}

alea_status witness_search_positions(witness_finder *f) {
  /* Every position is loaded several times, which is slow without a network. */
  if (f->limits->positions == 0 || f->net == NULL) return ALEA_LIMIT;
  witness_graph g = {.complete = true};
  alea_status status = ALEA_OK;
  for (uint32_t role = 0; status == ALEA_OK && role < f->game->role_count; role++)
    if (!alea_vec_push(f->mem, &g.pick, 0)) status = ALEA_SYSTEM;
  if (status == ALEA_OK) status = search(f, &g);
  if (status == ALEA_OK) f->all = g.complete;
  if (status == ALEA_OK || status == ALEA_LIMIT) status = search_cycles(f, &g);
  alea_vec_clear(f->mem, &g.positions);
  alea_vec_clear(f->mem, &g.words);
  alea_vec_clear(f->mem, &g.targets);
  alea_vec_clear(f->mem, &g.joints);
  alea_vec_clear(f->mem, &g.pick);
  alea_vec_clear(f->mem, &g.path);
  alea_hash_map_clear(&g.map, f->mem);
  return status;
}
