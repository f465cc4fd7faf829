/* Alpha-beta search for exact values. */
#include "minimax/endgame.h"

#include <string.h>

#include "base/vec.h"
#include "game/time_manager.h"

enum {
  MOST_DEPTH = 250,      /* of a line */
  FIRST_DEPTH = 2,       /* and how it grows: what a search too shallow for an answer */
  DEPTH_FACTOR = 4,      /* costs is lost, so that there should be few of them */
  LEAST_TABLE = 1 << 12, /* entries */
  MOST_TABLE = 1 << 22,
  WAYS = 4,              /* entries that a position may have */
  CHILDREN_PER_LOOK = 8, /* at the clock: an amazon has thousands of moves */
};

/* What is known of a position.  All of it is for the first role. */
typedef struct endgame_entry {
  uint64_t hash;
  alea_move move;       /* the one to try first */
  uint8_t lo, hi;       /* the value lies between */
  uint8_t depth, bound; /* a search so deep did not tell whether it is at least 'bound' */
} endgame_entry;

typedef struct child {
  uint64_t hash;
  size_t words; /* where its position is, in alea_endgame.words */
  alea_move move;
  uint32_t rank;
  uint8_t lo, hi;
} child;

/* A position on the line at work. */
typedef struct endgame_frame {
  uint64_t hash;
  size_t words, top;     /* position, and where those of the children begin */
  size_t first, at, end; /* children left to search */
  int depth;
  uint8_t lo, hi; /* over the children that are known; of an end of the line, the answer */
  bool most;      /* the first role chooses */
  alea_move best;
} endgame_frame;

struct alea_endgame {
  alea_mem *mem;
  const alea_player_setup *setup;
  alea_cursor *cursor;
  size_t word_count;
  endgame_entry *table;
  size_t table_size; /* a power of two */
  bool unfit;        /* the game turned out to be another kind */
  bool seen[101];    /* goals of the first role that games ended with */
  uint64_t positions;
  uint32_t *history[2]; /* per move: how often it decided */
  uint32_t history_count[2];
  ALEA_VEC(uint64_t) words;
  ALEA_VEC(child) children;
  ALEA_VEC(endgame_frame) frames;
  alea_pace pace;
  alea_time_manager *time_manager; /* of the run at work */
  int bound;                       /* of the search: is the value at least this? */
};

/* ---- the object ---- */

static alea_status prepare(alea_endgame *e, size_t memory) {
  const alea_game *game = e->setup->game;
  alea_status status = alea_cursor_new(game, e->mem, &e->cursor);
  if (status != ALEA_OK) return status;
  (void)alea_cursor_state(e->cursor, &e->word_count);
  e->table_size = LEAST_TABLE;
  while (e->table_size < MOST_TABLE && 2 * e->table_size * sizeof(endgame_entry) <= memory)
    e->table_size *= 2;
  e->table = alea_mem_calloc(e->mem, e->table_size, sizeof *e->table);
  if (e->table == NULL) return alea_mem_lack(e->mem);
  for (uint32_t r = 0; r < 2; r++) {
    e->history_count[r] = alea_game_move_count(game, r);
    e->history[r] = alea_mem_calloc(e->mem, e->history_count[r], sizeof *e->history[r]);
    if (e->history[r] == NULL) return alea_mem_lack(e->mem);
  }
  return ALEA_OK;
}

alea_status alea_endgame_new(alea_endgame **endgame, const alea_player_setup *setup,
                             size_t memory) {
  const alea_game *game = setup->game;
  *endgame = NULL;
  /* The prover finds moves as it goes, and is too slow for this anyway. */
  bool fits = game->role_count == 2 && game->random_role < 0 && !game->has_sees &&
              strcmp(game->class->engine, "net") == 0;
  if (!fits) return ALEA_OK;
  alea_endgame *e = alea_mem_zalloc(setup->mem, sizeof *e);
  if (e == NULL) return alea_mem_lack(setup->mem);
  e->mem = setup->mem;
  e->setup = setup;
  alea_status status = prepare(e, memory);
  if (status != ALEA_OK)
    alea_endgame_free(e);
  else
    *endgame = e;
  return status;
}

void alea_endgame_free(alea_endgame *e) {
  if (e == NULL) return;
  alea_mem *mem = e->mem;
  for (uint32_t r = 0; r < 2; r++)
    alea_mem_free(mem, e->history[r], e->history_count[r] * sizeof *e->history[r]);
  alea_mem_free(mem, e->table, e->table_size * sizeof *e->table);
  alea_cursor_free(e->cursor);
  alea_vec_clear(mem, &e->words);
  alea_vec_clear(mem, &e->children);
  alea_vec_clear(mem, &e->frames);
  alea_mem_free(mem, e, sizeof *e);
}

uint64_t alea_endgame_positions(const alea_endgame *e) { return e->positions; }

/* ---- the table ---- */

static endgame_entry *bucket_of(const alea_endgame *e, uint64_t hash) {
  return &e->table[hash & (e->table_size - WAYS)];
}

static const endgame_entry *find(const alea_endgame *e, uint64_t hash) {
  const endgame_entry *bucket = bucket_of(e, hash);
  for (int i = 0; i < WAYS; i++)
    if (bucket[i].hash == hash && bucket[i].hi > 0) return &bucket[i];
  return NULL;
}

/* Which entry may go first: one that says little, and cost little. */
static int worth(const endgame_entry *it) {
  bool known = it->lo > 0 || it->hi < 101;
  return it->hi == 0 ? -1 : it->depth + (known ? DEPTH_FACTOR : 0);
}

/* 'hi' is kept plus one, so that an empty entry is told by 0. */
static void keep(alea_endgame *e, const endgame_frame *f) {
  endgame_entry *bucket = bucket_of(e, f->hash), *to = &bucket[0];
  for (int i = 0; i < WAYS; i++) {
    if (bucket[i].hash == f->hash && bucket[i].hi > 0) {
      to = &bucket[i];
      break;
    }
    if (worth(&bucket[i]) < worth(to)) to = &bucket[i];
  }
  endgame_entry now = {.hash = f->hash, .move = f->best, .lo = f->lo, .hi = (uint8_t)(f->hi + 1)};
  now.depth = (uint8_t)f->depth;
  now.bound = (uint8_t)e->bound;
  if (to->hash == f->hash && to->hi > 0) { /* what was proved before stays, and how */
    bool proved = f->most ? to->lo > 0 && to->lo >= now.lo : to->hi < 101 && to->hi <= now.hi;
    if (proved || now.move == ALEA_NO_MOVE) now.move = to->move;
    if (to->lo > now.lo) now.lo = to->lo;
    if (to->hi < now.hi) now.hi = to->hi;
  }
  *to = now;
}

/* ---- a position and its successors ---- */

static bool decided(const alea_endgame *e, uint8_t lo, uint8_t hi) {
  return lo >= e->bound || hi < e->bound;
}

/* The value of the end of a game at the cursor; the game is unfit where the
 * goals are not two shares of 100. */
static alea_status read_end(alea_endgame *e, uint8_t *value) {
  int goals[2] = {-1, -1};
  alea_status status = alea_cursor_goal(e->cursor, 0, &goals[0]);
  if (status == ALEA_OK) status = alea_cursor_goal(e->cursor, 1, &goals[1]);
  if (goals[0] < 0 || goals[1] < 0 || goals[0] + goals[1] != 100) e->unfit = true;
  *value = (uint8_t)(e->unfit ? 0 : goals[0]);
  e->seen[*value] = true;
  return status;
}

/* Copies the legal moves of the chooser at the cursor to the children, and
 * the other's only move to '*other'. */
static alea_status list_moves(alea_endgame *e, endgame_frame *f, alea_move *other) {
  alea_list lists[2];
  f->first = f->end = e->children.count;
  alea_status status = alea_cursor_legal(e->cursor, 0, &lists[0]);
  if (status != ALEA_OK) return status;
  uint32_t count = lists[0].count;
  alea_move only = count > 0 ? lists[0].ids[0] : ALEA_NO_MOVE;
  if (count > 1) {
    for (uint32_t i = 0; i < count; i++)
      if (!alea_vec_push(e->mem, &e->children, (child){.move = lists[0].ids[i]}))
        return alea_mem_lack(e->mem);
  }
  status = alea_cursor_legal(e->cursor, 1, &lists[1]);
  if (status != ALEA_OK) return status;
  f->most = count > 1;
  if (count == 0 || lists[1].count == 0 || (f->most && lists[1].count > 1)) e->unfit = true;
  *other = f->most ? (lists[1].count > 0 ? lists[1].ids[0] : ALEA_NO_MOVE) : only;
  for (uint32_t i = 0; !f->most && i < lists[1].count; i++)
    if (!alea_vec_push(e->mem, &e->children, (child){.move = lists[1].ids[i]}))
      return alea_mem_lack(e->mem);
  f->end = e->children.count;
  return ALEA_OK;
}

/* Plays the child's move from the frame, and finds out what is known there. */
static alea_status look_at(alea_endgame *e, const endgame_frame *f, child *c, alea_move other) {
  alea_move joint[2] = {f->most ? c->move : other, f->most ? other : c->move};
  alea_status status = alea_cursor_load(e->cursor, e->words.data + f->words, e->word_count);
  if (status == ALEA_OK) status = alea_cursor_play(e->cursor, joint);
  bool terminal = false;
  if (status == ALEA_OK) status = alea_cursor_terminal(e->cursor, &terminal);
  if (status != ALEA_OK) return status;
  e->positions++;
  c->lo = 0;
  c->hi = 100;
  if (terminal) {
    status = read_end(e, &c->lo);
    c->hi = c->lo;
    return status;
  }
  c->hash = alea_cursor_hash(e->cursor);
  const endgame_entry *known = find(e, c->hash);
  if (known != NULL) c->lo = known->lo, c->hi = (uint8_t)(known->hi - 1);
  if (decided(e, c->lo, c->hi)) return ALEA_OK;
  size_t count;
  const uint64_t *words = alea_cursor_state(e->cursor, &count);
  c->words = e->words.count;
  if (!alea_vec_reserve(e->mem, &e->words, e->word_count)) return alea_mem_lack(e->mem);
  memcpy(e->words.data + c->words, words, e->word_count * sizeof *words);
  e->words.count += e->word_count;
  return ALEA_OK;
}

/* A child's interval becomes part of the frame's. */
static void take(endgame_frame *f, const child *c) {
  bool better = f->most ? c->lo > f->lo : c->hi < f->hi;
  if (better || f->best == ALEA_NO_MOVE) f->best = c->move;
  if (f->most) {
    if (c->lo > f->lo) f->lo = c->lo;
    if (c->hi > f->hi) f->hi = c->hi;
  } else {
    if (c->lo < f->lo) f->lo = c->lo;
    if (c->hi < f->hi) f->hi = c->hi;
  }
}

static void rank(const alea_endgame *e, const endgame_frame *f, child *c, alea_move first) {
  uint32_t role = f->most ? 0 : 1;
  c->rank = c->move < e->history_count[role] ? e->history[role][c->move] : 0;
  if (c->move == first) c->rank = UINT32_MAX;
}

static void sort(child *children, size_t count) { /* few, and stable */
  for (size_t i = 1; i < count; i++) {
    child c = children[i];
    size_t at = i;
    for (; at > 0 && children[at - 1].rank < c.rank; at--) children[at] = children[at - 1];
    children[at] = c;
  }
}

/* Sets up the frame of a position whose words are at 'words': its children
 * that decide nothing yet wait to be searched, best first.  ALEA_LIMIT: there are
 * so many of them, or they take so long, that the time manager said stop. */
static alea_status open_frame(alea_endgame *e, size_t words, uint64_t hash, int depth) {
  endgame_frame f = {.hash = hash, .words = words, .top = e->words.count, .depth = depth};
  f.best = ALEA_NO_MOVE;
  alea_move other, first = ALEA_NO_MOVE;
  alea_status status = alea_cursor_load(e->cursor, e->words.data + words, e->word_count);
  if (status == ALEA_OK) status = list_moves(e, &f, &other);
  if (status != ALEA_OK) return status;
  const endgame_entry *known = find(e, hash);
  if (known != NULL) first = known->move;
  f.lo = f.most ? 0 : 100;
  f.hi = f.most ? 0 : 100;
  size_t kept = f.first;
  for (size_t i = f.first; i < f.end && status == ALEA_OK && !e->unfit; i++) {
    if ((i - f.first) % CHILDREN_PER_LOOK == CHILDREN_PER_LOOK - 1 &&
        alea_time_manager_late(e->time_manager))
      return ALEA_LIMIT;
    child c = e->children.data[i];
    status = look_at(e, &f, &c, other);
    bool settled = decided(e, c.lo, c.hi);
    if (settled) take(&f, &c);
    if (settled && (c.lo >= e->bound) == f.most) { /* the chooser has what it wants */
      kept = f.first;
      f.best = c.move;
      if (f.most)
        f.hi = 100;
      else
        f.lo = 0;
      break;
    }
    rank(e, &f, &c, first);
    if (!settled) e->children.data[kept++] = c;
  }
  f.at = f.first;
  f.end = e->children.count = kept;
  sort(e->children.data + f.first, kept - f.first);
  if (status == ALEA_OK && !alea_vec_push(e->mem, &e->frames, f)) return alea_mem_lack(e->mem);
  return status;
}

/* ---- search ---- */

static bool on_the_line(const alea_endgame *e, uint64_t hash) {
  for (size_t i = 0; i < e->frames.count; i++)
    if (e->frames.data[i].hash == hash) return true;
  return false;
}

/* Whether the frame's chooser has got what it wants. */
static bool cut(const alea_endgame *e, const endgame_frame *f) {
  return f->most ? f->lo >= e->bound : f->hi < e->bound;
}

/* Notes that the frame's best move decided, for the order of moves elsewhere. */
static void praise(alea_endgame *e, const endgame_frame *f) {
  uint32_t role = f->most ? 0 : 1;
  if (f->best >= e->history_count[role]) return;
  uint32_t *score = &e->history[role][f->best];
  uint32_t by = (uint32_t)(f->depth + 1) * (uint32_t)(f->depth + 1);
  if (*score < UINT32_MAX / 2) *score += by;
}

/* The frame at the end of the line is through: its interval goes to the table
 * and to the frame before it. */
static void close_frame(alea_endgame *e) {
  endgame_frame f = e->frames.data[--e->frames.count];
  if (cut(e, &f)) {
    praise(e, &f);
    if (f.most) /* moves that were not looked at may be better still */
      f.hi = f.at < f.end ? 100 : f.hi;
    else
      f.lo = f.at < f.end ? 0 : f.lo;
  }
  keep(e, &f);
  e->children.count = f.first;
  e->words.count = f.top;
  if (e->frames.count == 0) return;
  endgame_frame *above = &e->frames.data[e->frames.count - 1];
  child *c = &e->children.data[above->at++];
  if (f.lo > c->lo) c->lo = f.lo;
  if (f.hi < c->hi) c->hi = f.hi;
  take(above, c);
}

/* The child whose turn it is says nothing more than is known of it. */
static void pass_over(alea_endgame *e, endgame_frame *f) { take(f, &e->children.data[f->at++]); }

/* Goes on with the frame at the end of the line. */
static alea_status advance(alea_endgame *e) {
  endgame_frame *f = &e->frames.data[e->frames.count - 1];
  if (f->at == f->end || cut(e, f)) {
    close_frame(e);
    return ALEA_OK;
  }
  child *c = &e->children.data[f->at];
  const endgame_entry *known = find(e, c->hash);
  if (known != NULL) { /* a sister may have led there */
    if (known->lo > c->lo) c->lo = known->lo;
    if (known->hi - 1 < c->hi) c->hi = (uint8_t)(known->hi - 1);
  }
  bool vain = known != NULL && known->bound == e->bound && known->depth >= f->depth - 1;
  if (f->depth == 0 || vain || decided(e, c->lo, c->hi) || e->frames.count >= MOST_DEPTH ||
      on_the_line(e, c->hash)) {
    pass_over(e, f);
    return ALEA_OK;
  }
  return open_frame(e, c->words, c->hash, f->depth - 1);
}

/* One search: is the value of the root at least 'bound'?  ALEA_LIMIT: the
 * time manager said stop. */
static alea_status search(alea_endgame *e, const uint64_t *words, uint64_t hash, int depth) {
  e->words.count = e->children.count = e->frames.count = 0;
  if (!alea_vec_reserve(e->mem, &e->words, e->word_count)) return alea_mem_lack(e->mem);
  memcpy(e->words.data, words, e->word_count * sizeof *words);
  e->words.count = e->word_count;
  alea_status status = open_frame(e, 0, hash, depth);
  while (status == ALEA_OK && !e->unfit && e->frames.count > 0) {
    if (alea_time_manager_over(e->time_manager, e->positions / ALEA_ENDGAME_PER_SIM))
      return ALEA_LIMIT;
    status = advance(e);
  }
  return status;
}

/* What the table says of the root. */
static void read_root(const alea_endgame *e, uint64_t hash, int *lo, int *hi, alea_move *move) {
  const endgame_entry *it = find(e, hash);
  *lo = it != NULL ? it->lo : 0;
  *hi = it != NULL ? it->hi - 1 : 100;
  *move = it != NULL ? it->move : ALEA_NO_MOVE;
}

/* The least value above 'lo' that a game is known to end with. */
static int next_value(const alea_endgame *e, int lo, int hi) {
  for (int value = lo + 1; value < hi; value++)
    if (e->seen[value]) return value;
  return hi;
}

/* Deepens until the value is known: first whether it is as good as it may
 * be, then whether it is better than it must be. */
static alea_status deepen(alea_endgame *e, const uint64_t *words, uint64_t hash) {
  int lo, hi;
  alea_move move;
  alea_status status = ALEA_OK;
  for (int depth = FIRST_DEPTH; depth < MOST_DEPTH && status == ALEA_OK; depth *= DEPTH_FACTOR) {
    uint64_t before = e->positions;
    for (int side = 0; side < 2 && status == ALEA_OK && !e->unfit; side++) {
      read_root(e, hash, &lo, &hi, &move);
      if (lo == hi) return ALEA_OK;
      int bound = side == 0 ? hi : next_value(e, lo, hi);
      if (side > 0 && bound == e->bound) continue;
      e->bound = bound;
      status = search(e, words, hash, depth);
    }
    if (e->unfit || e->positions == before) break;
  }
  return status;
}

alea_status alea_endgame_run(alea_endgame *e, const uint64_t *words, size_t word_count,
                             const alea_budget *budget, alea_endgame_answer *answer) {
  *answer = (alea_endgame_answer){.hi = 100, .move = ALEA_NO_MOVE};
  if (e->unfit || word_count != e->word_count) return ALEA_OK;
  alea_time_manager time_manager;
  alea_status status = alea_cursor_load(e->cursor, words, word_count);
  if (status != ALEA_OK) return status;
  bool terminal;
  status = alea_cursor_terminal(e->cursor, &terminal);
  if (status != ALEA_OK || terminal) return status;
  alea_list list;
  status = alea_cursor_legal(e->cursor, e->setup->role, &list);
  if (status != ALEA_OK || list.count < 2) return status;
  uint64_t hash = alea_cursor_hash(e->cursor);
  alea_time_manager_start(&time_manager, budget, &e->pace);
  if (time_manager.limit != UINT64_MAX) time_manager.limit += e->positions / ALEA_ENDGAME_PER_SIM;
  e->time_manager = &time_manager;
  status = deepen(e, words, hash);
  e->time_manager = NULL;
  alea_time_manager_stop(&time_manager);
  if (status == ALEA_LIMIT && !e->mem->hit_limit) status = ALEA_OK;
  if (status != ALEA_OK || e->unfit) return status;
  int lo, hi;
  read_root(e, hash, &lo, &hi, &answer->move);
  bool first = e->setup->role == 0;
  answer->lo = first ? lo : 100 - hi;
  answer->hi = first ? hi : 100 - lo;
  if (answer->lo == 0) answer->move = ALEA_NO_MOVE;
  return ALEA_OK;
}

bool alea_endgame_proves(const alea_endgame *e, alea_cursor *cursor, uint32_t chooser,
                         alea_move *move) {
  int lo, hi;
  *move = ALEA_NO_MOVE;
  if (e->unfit) return false;
  read_root(e, alea_cursor_hash(cursor), &lo, &hi, move);
  int least = chooser == 0 ? lo : 100 - hi, most = chooser == 0 ? hi : 100 - lo;
  return most == 0 || (*move != ALEA_NO_MOVE && (least == 100 || least == most));
}
