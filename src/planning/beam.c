/* Beam search with one beam after the other, each wider than the one before. */
#include "planning/beam.h"

#include <string.h>

#include "base/hash.h"
#include "base/hash_map.h"
#include "base/heap.h"
#include "planning/goal_distance.h"
#include "planning/parent_links.h"

enum {
  FIRST_WIDTH = 50,
  SLOT_BITS = 20, /* the widest beam has as many positions as these can number */
  TIE_BITS = 22,
  RANK_BITS = 64 - TIE_BITS - SLOT_BITS,
  WIDER = 4,           /* times as wide as the beam before */
  NODES_PER_LOOK = 64, /* at the clock */
  STRETCH = 2,         /* a beam goes that many times as far as playouts do */
};

struct alea_beam {
  alea_mem *mem;
  alea_cursor *cursor;
  alea_goal_distance *distance; /* to the best goal */
  alea_rng rng;
  size_t words; /* per position */
  size_t limit; /* bytes */
  alea_u64s start;
  uint32_t width, stages, stage;
  bool left_out; /* by the beam at work: not all was kept */
  bool spent;
  uint64_t nodes;
  /* Positions at hand, their places in 'links', and which is next. */
  alea_u64s here;
  alea_u32s here_links;
  size_t at;
  /* The best successors so far, by slot; in the heap the worst is on top. */
  alea_u64s kept, there;
  alea_parent_links there_links;
  alea_parent_links links;
  alea_hash_words seen; /* hashes of the beam's positions */
  alea_u32s legal;
  int best;
  alea_u32s moves;
};

/* ---- positions that were met ---- */

enum { FIRST_SEEN = 512 };

static bool grow_seen(alea_beam *b) {
  return b->seen.mask != 0 ? alea_hash_words_grow(&b->seen, b->mem, alea_hash_mix)
                           : alea_hash_words_init(&b->seen, b->mem, FIRST_SEEN);
}

/* Whether the cursor's position is new; from now on it is not. */
static alea_status is_new(alea_beam *b, bool *new) {
  bool fits = 4 * ((size_t)b->seen.count + 1) <= 3 * alea_hash_words_slots(&b->seen);
  if (!fits && !grow_seen(b)) return alea_mem_lack(b->mem);
  uint64_t hash = alea_cursor_hash(b->cursor);
  hash += hash == 0;
  alea_word_probe probe = alea_hash_words_probe(&b->seen, alea_hash_mix(hash));
  while (alea_hash_words_next(&b->seen, &probe) && probe.word != hash) {
  }
  *new = probe.word == 0;
  if (*new) alea_hash_words_put(&b->seen, probe, hash);
  return ALEA_OK;
}

/* ---- the best of them ---- */

/* Small is good; ties are broken at random. */
static alea_status rank(alea_beam *b, const uint64_t *words, uint64_t *word) {
  int goal;
  alea_status status = alea_cursor_goal(b->cursor, 0, &goal);
  double value = (goal > 0 ? goal : 0) / 200.0 + alea_goal_distance_at(b->distance, words) / 2;
  double most = (double)(((uint64_t)1 << RANK_BITS) - 1);
  uint64_t tie = alea_rng_next(&b->rng) >> (64 - TIE_BITS);
  *word = (uint64_t)((1 - value) * most) << (TIE_BITS + SLOT_BITS) | tie << SLOT_BITS;
  return status;
}

static uint32_t slot_of(uint64_t word) {
  return (uint32_t)(word & (((uint64_t)1 << SLOT_BITS) - 1));
}

/* The slot for a position of that rank, ALEA_NO_PARENT where it is not to be kept. */
static alea_status find_slot(alea_beam *b, uint64_t word, uint32_t *slot) {
  *slot = (uint32_t)b->kept.count;
  if (b->kept.count < b->width) {
    bool room = alea_vec_reserve(b->mem, &b->there, b->words) &&
                alea_vec_reserve(b->mem, &b->there_links, 1) &&
                alea_heap_push(b->mem, &b->kept, word | *slot);
    if (!room) return alea_mem_lack(b->mem);
    b->there.count += b->words;
    b->there_links.count++;
    return ALEA_OK;
  }
  b->left_out = true;
  uint64_t worst = b->kept.data[0];
  *slot = word < worst ? slot_of(worst) : ALEA_NO_PARENT;
  if (word < worst) alea_heap_lower_top(&b->kept, word | *slot);
  return ALEA_OK;
}

/* Keeps the cursor's position, unless there are better ones. */
static alea_status keep(alea_beam *b, uint32_t parent, alea_move move) {
  bool new;
  uint64_t word;
  uint32_t slot;
  alea_status status = is_new(b, &new);
  if (status != ALEA_OK || !new) return status;
  size_t count;
  const uint64_t *words = alea_cursor_state(b->cursor, &count);
  status = rank(b, words, &word);
  if (status == ALEA_OK) status = find_slot(b, word, &slot);
  if (status != ALEA_OK || slot == ALEA_NO_PARENT) return status;
  memcpy(b->there.data + slot * b->words, words, b->words * sizeof *words);
  b->there_links.data[slot] = (alea_parent_link){.parent = parent, .move = move};
  return ALEA_OK;
}

/* ---- steps ---- */

/* Looks at the cursor's position. */
static alea_status meet(alea_beam *b, uint32_t parent, alea_move move) {
  bool terminal;
  alea_status status = alea_cursor_terminal(b->cursor, &terminal);
  b->nodes++;
  if (status != ALEA_OK || !terminal) return status == ALEA_OK ? keep(b, parent, move) : status;
  int goal;
  status = alea_cursor_goal(b->cursor, 0, &goal);
  if (goal < 0) goal = 0;
  if (status != ALEA_OK || goal <= b->best) return status;
  b->best = goal;
  return alea_parent_links_path(&b->links, parent, move, &b->moves, b->mem);
}

/* Meets the successors of the next position at hand; past the deadline not
 * all of them, and that is the end. */
static alea_status look_at_next(alea_beam *b, const alea_deadline *deadline) {
  const uint64_t *from = b->here.data + b->at * b->words;
  uint32_t link = b->here_links.data[b->at++];
  alea_list legal;
  alea_status status = alea_cursor_load(b->cursor, from, b->words);
  if (status == ALEA_OK) status = alea_cursor_legal(b->cursor, 0, &legal);
  if (status != ALEA_OK) return status;
  b->legal.count = 0;
  if (!alea_vec_reserve(b->mem, &b->legal, legal.count)) return alea_mem_lack(b->mem);
  if (legal.count > 0) memcpy(b->legal.data, legal.ids, legal.count * sizeof *legal.ids);
  b->legal.count = legal.count;
  for (size_t i = 0; status == ALEA_OK && !b->spent && i < b->legal.count; i++) {
    if (b->nodes % NODES_PER_LOOK == 0 && alea_deadline_passed(deadline)) b->spent = true;
    if (i > 0) status = alea_cursor_load(b->cursor, from, b->words);
    if (status == ALEA_OK) status = alea_cursor_play(b->cursor, &b->legal.data[i]);
    if (status == ALEA_OK) status = meet(b, link, b->legal.data[i]);
  }
  return status;
}

/* ---- beams ---- */

/* A beam of the start alone. */
static alea_status begin(alea_beam *b) {
  b->stage = 0;
  b->left_out = false;
  b->at = b->kept.count = b->links.count = 0;
  b->here.count = b->here_links.count = b->there.count = b->there_links.count = 0;
  alea_hash_words_empty(&b->seen);
  bool room = alea_vec_reserve(b->mem, &b->here, b->words) &&
              alea_vec_push(b->mem, &b->here_links, 0) &&
              alea_vec_push(b->mem, &b->links, (alea_parent_link){.parent = ALEA_NO_PARENT});
  if (!room) return alea_mem_lack(b->mem);
  memcpy(b->here.data, b->start.data, b->words * sizeof *b->start.data);
  b->here.count = b->words;
  return ALEA_OK;
}

/* After the last position at hand: on with those that were kept. */
static alea_status next_stage(alea_beam *b) {
  b->here_links.count = 0;
  for (size_t slot = 0; slot < b->kept.count; slot++)
    if (!alea_vec_push(b->mem, &b->here_links, (uint32_t)b->links.count) ||
        !alea_vec_push(b->mem, &b->links, b->there_links.data[slot]))
      return alea_mem_lack(b->mem);
  alea_u64s behind = b->here;
  b->here = b->there;
  b->there = behind;
  b->there.count = b->there_links.count = b->kept.count = b->at = 0;
  b->stage++;
  return ALEA_OK;
}

static size_t bytes_held(const alea_beam *b) {
  size_t words =
      b->here.capacity + b->there.capacity + b->kept.capacity + alea_hash_words_slots(&b->seen);
  size_t links = b->links.capacity + b->there_links.capacity;
  return words * sizeof(uint64_t) + links * sizeof(alea_parent_link) +
         b->here_links.capacity * sizeof(uint32_t);
}

/* Stages or a whole beam are over. */
static alea_status go_on(alea_beam *b) {
  bool cut = b->stage == b->stages;
  if (b->kept.count > 0 && !cut) return next_stage(b);
  b->spent = !cut && !b->left_out;
  if (cut) b->stages *= 2;
  b->width *= WIDER;
  b->spent |= b->width > 1u << SLOT_BITS || bytes_held(b) > b->limit / 3;
  return begin(b);
}

alea_status alea_beam_run(alea_beam *b, int target, uint64_t nodes, const alea_deadline *deadline) {
  uint64_t stop = b->nodes + nodes;
  alea_status status = ALEA_OK;
  while (status == ALEA_OK && !b->spent && b->best < target && b->nodes < stop) {
    if (bytes_held(b) > b->limit) b->spent = true;
    status = b->at < b->here_links.count ? look_at_next(b, deadline) : go_on(b);
  }
  return status;
}

bool alea_beam_spent(const alea_beam *b) { return b->spent; }
uint64_t alea_beam_nodes(const alea_beam *b) { return b->nodes; }
int alea_beam_best(const alea_beam *b) { return b->best; }

alea_list alea_beam_moves(const alea_beam *b) {
  return (alea_list){.ids = b->moves.data, .count = (uint32_t)b->moves.count};
}

/* ---- set up ---- */

static alea_lit best_goal(const alea_net *net) {
  alea_lit lit = ALEA_LIT_FALSE;
  int best = -1;
  for (size_t i = 0; i < net->goals.count; i++) {
    const alea_net_goal *goal = &net->goals.data[i];
    if (goal->role != 0 || goal->value <= best || goal->lit == ALEA_LIT_FALSE) continue;
    best = goal->value;
    lit = goal->lit;
  }
  return lit;
}

static alea_status set_up(alea_beam *b, const alea_game *game, const uint64_t *words) {
  const alea_net *net = alea_net_of_game(game);
  if (net == NULL) return ALEA_UNSUPPORTED;
  alea_status status = alea_cursor_new(game, b->mem, &b->cursor);
  if (status == ALEA_OK) status = alea_goal_distance_new(&b->distance, net, best_goal(net), b->mem);
  if (status == ALEA_OK && !alea_vec_reserve(b->mem, &b->start, b->words))
    status = alea_mem_lack(b->mem);
  if (status != ALEA_OK) return status;
  memcpy(b->start.data, words, b->words * sizeof *words);
  b->start.count = b->words;
  status = alea_cursor_load(b->cursor, words, b->words);
  if (status == ALEA_OK) status = alea_cursor_terminal(b->cursor, &b->spent);
  return status == ALEA_OK ? begin(b) : status;
}

alea_status alea_beam_new(alea_beam **beam, const alea_game *game, const uint64_t *words,
                          size_t word_count, const alea_beam_options *options, alea_mem *mem) {
  alea_beam *b = *beam = alea_mem_zalloc(mem, sizeof *b);
  if (b == NULL) return alea_mem_lack(mem);
  b->mem = mem;
  b->words = word_count;
  b->width = FIRST_WIDTH;
  b->stages = STRETCH * (options->stages > 0 ? options->stages : 1);
  b->limit = options->memory > 0 ? options->memory : (size_t)1 << 30;
  b->best = -1;
  alea_rng_seed(&b->rng, options->seed);
  alea_status status = set_up(b, game, words);
  if (status != ALEA_OK) {
    alea_beam_free(b);
    *beam = NULL;
  }
  return status;
}

void alea_beam_free(alea_beam *b) {
  if (b == NULL) return;
  alea_vec_clear(b->mem, &b->start);
  alea_vec_clear(b->mem, &b->here);
  alea_vec_clear(b->mem, &b->here_links);
  alea_vec_clear(b->mem, &b->kept);
  alea_vec_clear(b->mem, &b->there);
  alea_vec_clear(b->mem, &b->there_links);
  alea_vec_clear(b->mem, &b->links);
  alea_vec_clear(b->mem, &b->legal);
  alea_vec_clear(b->mem, &b->moves);
  alea_hash_words_clear(&b->seen, b->mem);
  alea_goal_distance_free(b->distance);
  alea_cursor_free(b->cursor);
  alea_mem_free(b->mem, b, sizeof *b);
}
