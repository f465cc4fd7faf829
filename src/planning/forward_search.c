/* Search over the positions of a game with one role, breadth or depth first. */
#include "planning/forward_search.h"

#include <string.h>

#include "base/hash.h"
#include "base/hash_map.h"
#include "game/playout.h"
#include "planning/parent_links.h"

enum { PROBES = 16, PROBE_STEPS = 400, CHILDREN_PER_LOOK = 64, FIRST_POSITIONS = 512 };

/* A successor on the stack of the depth-first search. */
typedef struct forward_search_pending {
  uint32_t node;
  int goal;
} forward_search_pending;

struct alea_forward {
  alea_mem *mem;
  alea_forward_order order;
  alea_rng rng;
  ALEA_VEC(forward_search_pending) stack;
  const alea_game *game;
  alea_cursor *cursor;
  size_t words; /* per position */
  alea_u64s states;
  alea_parent_links links; /* per position */
  alea_hash_map map;       /* positions by their words */
  uint64_t *mask;          /* bits of the words that tell positions apart */
  bool masked;             /* some bit is the clock's */
  bool full;
  size_t limit;
  uint32_t breadth; /* position to look at next */
  uint64_t met;     /* successors */
  int best;         /* goal of the best terminal position so far, -1 = none */
  alea_u32s moves;  /* to it */
  bool ended;       /* the start itself is terminal */
  alea_u32s legal;
};

/* ---- the clock ---- */

typedef struct forward_search_probe {
  alea_u64s first; /* positions of the first playout, step after step */
  uint64_t *same;  /* bits that agreed between playouts at equal steps */
  uint64_t *moved; /* bits that changed at all */
} forward_search_probe;

static void compare(alea_forward *f, forward_search_probe *p, const uint64_t *words, size_t step) {
  for (size_t w = 0; w < f->words; w++) {
    p->moved[w] |= words[w] ^ f->states.data[w];
    if ((step + 1) * f->words <= p->first.count)
      p->same[w] &= ~(words[w] ^ p->first.data[step * f->words + w]);
  }
}

/* One random playout. */
static alea_status probe_once(alea_forward *f, forward_search_probe *p, bool first) {
  alea_status status = alea_cursor_load(f->cursor, f->states.data, f->words);
  for (size_t step = 0; status == ALEA_OK && step < PROBE_STEPS; step++) {
    size_t count;
    const uint64_t *words = alea_cursor_state(f->cursor, &count);
    for (size_t w = 0; first && w < f->words; w++)
      if (!alea_vec_push(f->mem, &p->first, words[w])) return alea_mem_lack(f->mem);
    compare(f, p, words, step);
    bool terminal;
    alea_list legal;
    status = alea_cursor_terminal(f->cursor, &terminal);
    if (status != ALEA_OK || terminal) break;
    status = alea_cursor_legal(f->cursor, 0, &legal);
    if (status != ALEA_OK || legal.count == 0) break;
    alea_move move = legal.ids[alea_rng_below(&f->rng, legal.count)];
    status = alea_cursor_play(f->cursor, &move);
  }
  return status;
}

static alea_status find_clock(alea_forward *f) {
  forward_search_probe p = {.same = alea_mem_calloc(f->mem, f->words, sizeof *p.same),
                            .moved = alea_mem_calloc(f->mem, f->words, sizeof *p.moved)};
  alea_status status = p.same != NULL && p.moved != NULL ? ALEA_OK : alea_mem_lack(f->mem);
  for (size_t w = 0; status == ALEA_OK && w < f->words; w++) p.same[w] = ~(uint64_t)0;
  for (int i = 0; status == ALEA_OK && i < PROBES; i++) status = probe_once(f, &p, i == 0);
  for (size_t w = 0; status == ALEA_OK && w < f->words; w++) {
    bool clock = f->order == ALEA_FORWARD_BREADTH;
    f->mask[w] = clock ? ~(p.same[w] & p.moved[w]) : ~(uint64_t)0;
    f->masked |= f->mask[w] != ~(uint64_t)0;
  }
  alea_vec_clear(f->mem, &p.first);
  alea_mem_free(f->mem, p.same, f->words * sizeof *p.same);
  alea_mem_free(f->mem, p.moved, f->words * sizeof *p.moved);
  return status;
}

/* ---- positions ---- */

static uint64_t hash_of(const alea_forward *f, const uint64_t *words) {
  uint64_t hash = 0;
  for (size_t w = 0; w < f->words; w++) hash = alea_hash_join(hash, words[w] & f->mask[w]);
  return alea_hash_mix(hash);
}

static bool alike(const alea_forward *f, const uint64_t *a, const uint64_t *b) {
  for (size_t w = 0; w < f->words; w++)
    if (((a[w] ^ b[w]) & f->mask[w]) != 0) return false;
  return true;
}

static uint64_t hash_position(const void *forward, uint32_t position) {
  const alea_forward *f = forward;
  return hash_of(f, f->states.data + position * f->words);
}

static size_t bytes_held(const alea_forward *f) {
  return f->states.capacity * sizeof(uint64_t) + f->links.capacity * sizeof(alea_parent_link) +
         alea_hash_map_slots(&f->map) * sizeof *f->map.slots;
}

static bool map_is_full(const alea_forward *f) {
  return 4 * (f->links.count + 1) > 3 * alea_hash_map_slots(&f->map);
}

/* Room for one more position.  'full' is set where the limit forbids it:
 * vectors double, so that half of the limit is the last safe moment. */
static alea_status make_room(alea_forward *f) {
  bool grows = f->links.count == f->links.capacity ||
               f->states.capacity - f->states.count < f->words || map_is_full(f);
  if (grows && (bytes_held(f) > f->limit / 2 || f->links.count >= ALEA_NO_PARENT - 1)) {
    f->full = true;
    return ALEA_OK;
  }
  if (map_is_full(f) && !alea_hash_map_grow(&f->map, f->mem, hash_position, f))
    return alea_mem_lack(f->mem);
  if (!alea_vec_reserve(f->mem, &f->states, f->words) || !alea_vec_reserve(f->mem, &f->links, 1))
    return alea_mem_lack(f->mem);
  return ALEA_OK;
}

/* Puts the cursor's position, which was added last, on the stack. */
static alea_status push(alea_forward *f) {
  forward_search_pending last = {.node = (uint32_t)f->links.count - 1};
  alea_status status = alea_cursor_goal(f->cursor, 0, &last.goal);
  if (status == ALEA_OK && !alea_vec_push(f->mem, &f->stack, last)) status = alea_mem_lack(f->mem);
  return status;
}

/* Adds the cursor's position unless it is known. */
static alea_status add_position(alea_forward *f, uint32_t parent, alea_move move) {
  alea_status status = make_room(f);
  if (status != ALEA_OK || f->full) return status;
  size_t count;
  const uint64_t *words = alea_cursor_state(f->cursor, &count);
  alea_hash_probe probe = alea_hash_map_probe(&f->map, hash_of(f, words));
  while (alea_hash_map_next(&f->map, &probe))
    if (alike(f, words, f->states.data + probe.id * f->words)) return ALEA_OK;
  memcpy(f->states.data + f->states.count, words, f->words * sizeof *words);
  f->states.count += f->words;
  f->links.data[f->links.count++] = (alea_parent_link){.parent = parent, .move = move};
  alea_hash_map_put(&f->map, probe, (uint32_t)f->links.count - 1);
  return f->order == ALEA_FORWARD_DEPTH ? push(f) : ALEA_OK;
}

/* ---- search ---- */

/* Looks at the cursor's position, reached from 'parent'. */
static alea_status meet(alea_forward *f, uint32_t parent, alea_move move) {
  bool terminal;
  alea_status status = alea_cursor_terminal(f->cursor, &terminal);
  f->met++;
  if (status != ALEA_OK || !terminal) {
    return status == ALEA_OK ? add_position(f, parent, move) : status;
  }
  int goal;
  status = alea_cursor_goal(f->cursor, 0, &goal);
  if (status == ALEA_OK && goal < 0) goal = 0;
  if (status != ALEA_OK || goal <= f->best) return status;
  f->best = goal;
  return alea_parent_links_path(&f->links, parent, move, &f->moves, f->mem);
}

static void shuffle(alea_forward *f, alea_u32s *moves) {
  for (size_t i = moves->count; i > 1; i--) {
    uint32_t j = alea_rng_below(&f->rng, (uint32_t)i), move = moves->data[j];
    moves->data[j] = moves->data[i - 1];
    moves->data[i - 1] = move;
  }
}

/* Sorts the top of the stack, from 'first' on, so that the best comes last. */
static void sort_top(alea_forward *f, size_t first) {
  for (size_t i = first + 1; i < f->stack.count; i++) {
    forward_search_pending moving = f->stack.data[i];
    size_t j = i;
    for (; j > first && f->stack.data[j - 1].goal > moving.goal; j--)
      f->stack.data[j] = f->stack.data[j - 1];
    f->stack.data[j] = moving;
  }
}

/* Adds the successors of a position; past the deadline some are missing, and
 * the search cannot go on. */
static alea_status look_at(alea_forward *f, uint32_t node, const alea_deadline *deadline) {
  alea_list legal;
  alea_status status = alea_cursor_load(f->cursor, f->states.data + node * f->words, f->words);
  if (status == ALEA_OK) status = alea_cursor_legal(f->cursor, 0, &legal);
  if (status != ALEA_OK) return status;
  f->legal.count = 0;
  if (!alea_vec_reserve(f->mem, &f->legal, legal.count)) return alea_mem_lack(f->mem);
  if (legal.count > 0) memcpy(f->legal.data, legal.ids, legal.count * sizeof *legal.ids);
  f->legal.count = legal.count;
  size_t top = f->stack.count;
  if (f->order == ALEA_FORWARD_DEPTH) shuffle(f, &f->legal);
  for (size_t i = 0; status == ALEA_OK && !f->full && i < f->legal.count; i++) {
    alea_move move = f->legal.data[i];
    if (f->met % CHILDREN_PER_LOOK == 0 && alea_deadline_passed(deadline)) f->full = true;
    if (i > 0) status = alea_cursor_load(f->cursor, f->states.data + node * f->words, f->words);
    if (status == ALEA_OK) status = alea_cursor_play(f->cursor, &move);
    if (status == ALEA_OK) status = meet(f, node, move);
  }
  sort_top(f, top);
  return status;
}

/* Forgets all positions but the first; the clock counts from now on. */
static void begin_again(alea_forward *f) {
  for (size_t w = 0; w < f->words; w++) f->mask[w] = ~(uint64_t)0;
  f->masked = false;
  f->breadth = 0;
  f->states.count = f->words;
  f->links.count = 1;
  alea_hash_map_empty(&f->map);
  alea_hash_map_add(&f->map, hash_of(f, f->states.data), 0);
}

static bool nothing_left(const alea_forward *f) {
  return f->order == ALEA_FORWARD_DEPTH ? f->stack.count == 0 : f->breadth == f->links.count;
}

alea_status alea_forward_run(alea_forward *f, int target, uint64_t nodes,
                             const alea_deadline *deadline, alea_verdict *answer) {
  uint64_t stop = nodes > 0 ? f->met + nodes : UINT64_MAX;
  alea_status status = ALEA_OK;
  *answer = ALEA_VERDICT_UNKNOWN;
  while (status == ALEA_OK && f->best < target) {
    if (f->full || f->met >= stop) return ALEA_OK;
    if (f->ended || (nothing_left(f) && !f->masked)) {
      *answer = ALEA_VERDICT_REFUTED;
      return ALEA_OK;
    }
    if (nothing_left(f)) begin_again(f);
    uint32_t node =
        f->order == ALEA_FORWARD_DEPTH ? f->stack.data[--f->stack.count].node : f->breadth++;
    status = look_at(f, node, deadline);
  }
  if (status == ALEA_OK) *answer = ALEA_VERDICT_PROVED;
  return status;
}

bool alea_forward_full(const alea_forward *f) { return f->full; }
uint64_t alea_forward_nodes(const alea_forward *f) { return f->met; }
int alea_forward_best(const alea_forward *f) { return f->best; }

alea_list alea_forward_path(const alea_forward *f) {
  return (alea_list){.ids = f->moves.data, .count = (uint32_t)f->moves.count};
}

/* ---- set up ---- */

static alea_status start(alea_forward *f, const uint64_t *words) {
  f->mask = alea_mem_calloc(f->mem, f->words, sizeof *f->mask);
  if (f->mask == NULL) return alea_mem_lack(f->mem);
  if (!alea_hash_map_init(&f->map, f->mem, FIRST_POSITIONS) ||
      !alea_vec_reserve(f->mem, &f->states, f->words))
    return alea_mem_lack(f->mem);
  memcpy(f->states.data, words, f->words * sizeof *words);
  alea_status status = find_clock(f); /* reads the first position, which is not counted yet */
  if (status == ALEA_OK) status = alea_cursor_load(f->cursor, f->states.data, f->words);
  if (status == ALEA_OK) status = alea_cursor_terminal(f->cursor, &f->ended);
  if (status == ALEA_OK && f->ended) status = alea_cursor_goal(f->cursor, 0, &f->best);
  if (status == ALEA_OK && !f->ended) status = add_position(f, ALEA_NO_PARENT, 0);
  return status;
}

alea_status alea_forward_new(alea_forward **forward, const alea_game *game, const uint64_t *words,
                             size_t word_count, alea_forward_order order, uint64_t seed,
                             size_t memory, alea_mem *mem) {
  alea_forward *f = *forward = alea_mem_zalloc(mem, sizeof *f);
  if (f == NULL) return alea_mem_lack(mem);
  f->mem = mem;
  f->game = game;
  f->words = word_count;
  f->order = order;
  alea_rng_seed(&f->rng, seed);
  f->limit = memory > 0 ? memory : (size_t)1 << 30;
  f->best = -1;
  alea_status status = alea_cursor_new(game, mem, &f->cursor);
  if (status == ALEA_OK) status = start(f, words);
  if (status != ALEA_OK) {
    alea_forward_free(f);
    *forward = NULL;
  }
  return status;
}

void alea_forward_free(alea_forward *f) {
  if (f == NULL) return;
  alea_vec_clear(f->mem, &f->states);
  alea_vec_clear(f->mem, &f->links);
  alea_vec_clear(f->mem, &f->legal);
  alea_vec_clear(f->mem, &f->stack);
  alea_vec_clear(f->mem, &f->moves);
  alea_hash_map_clear(&f->map, f->mem);
  alea_mem_free(f->mem, f->mask, f->words * sizeof *f->mask);
  alea_cursor_free(f->cursor);
  alea_mem_free(f->mem, f, sizeof *f);
}
