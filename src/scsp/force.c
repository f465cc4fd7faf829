/* And/or search over positions, pruned by a relaxation in clauses. */
#include "scsp/force.h"

#include <string.h>

#include "game/position.h"
#include "scsp/unroll.h"

enum {
  DEFAULT_CONFLICTS = 2000,
  TABLE_SLOTS = 1 << 14, /* positions remembered */
  LEAST_TO_ASK = 2       /* plies to go */
};

/* A position on the way down: the role's move 'own' of those listed is tried
 * against reply number 'reply'. */
typedef struct frame {
  alea_u64s words;
  alea_u32s moves;  /* legal, role after role */
  uint32_t *firsts; /* role_count + 1 */
  uint64_t own, reply, replies;
} frame;

typedef struct force {
  const alea_game *game;
  alea_mem *mem;
  uint32_t role, depth;
  alea_force_kind kind;
  const alea_force_options *options;
  alea_force_result *result;
  alea_cursor *cursor;
  frame *frames; /* depth + 1 */
  alea_move *joint;
  alea_u32s trail; /* joint moves made, one after the other */
  alea_unroll *unroll;
  alea_slit asked; /* the end in question comes about */
  ALEA_VEC(alea_slit) assumptions;
  bool out; /* of budget */

  /* What is known of positions: by hash, the latest wins.  A slot holds the
   * position, plies to go and value. */
  size_t words;
  uint64_t *table; /* TABLE_SLOTS * (1 + words); first word 0 = empty */
} force;

/* ---- ends ---- */

/* Whether the end at the cursor is what the role wants. */
static alea_status judge(force *f, bool *good) {
  int goal;
  alea_status status = ALEA_OK;
  *good = f->kind == ALEA_FORCE_PREVENT;
  for (uint32_t r = 0; status == ALEA_OK && r < f->game->role_count; r++) {
    if ((r == f->role) != (f->kind == ALEA_FORCE_WIN) || (int)r == f->game->random_role) continue;
    status = alea_cursor_goal(f->cursor, r, &goal);
    if (goal >= 100) *good = f->kind == ALEA_FORCE_WIN;
  }
  return status;
}

/* ---- relaxation ---- */

/* The literal of "state t is the end in question". */
static alea_status make_end(force *f, uint32_t t, alea_slit *end) {
  alea_sat *sat = alea_unroll_sat(f->unroll);
  alea_slit some = ALEA_SLIT_FALSE, goal;
  alea_status status = ALEA_OK;
  for (uint32_t r = 0; status == ALEA_OK && r < f->game->role_count; r++) {
    if ((r == f->role) != (f->kind == ALEA_FORCE_WIN) || (int)r == f->game->random_role) continue;
    status = alea_unroll_goal(f->unroll, t, r, 100, &goal);
    if (status == ALEA_OK) some = alea_sat_gate(sat, true, (alea_slit[]){some, goal}, 2);
  }
  *end = alea_sat_gate(sat, false, (alea_slit[]){some, alea_unroll_terminal(f->unroll, t)}, 2);
  return status;
}

static alea_status make_clauses(force *f) {
  alea_list fluents;
  alea_status status = alea_cursor_fluents(f->cursor, &fluents);
  alea_unroll_options options = {.deadline = f->options->effort.deadline,
                                 .memory = f->options->effort.memory,
                                 .style = ALEA_SAT_SHORT};
  ALEA_VEC(alea_slit) ends = {0};
  if (status == ALEA_OK) status = alea_unroll_new(&f->unroll, f->game, fluents, &options, f->mem);
  for (uint32_t t = 0; status == ALEA_OK && t <= f->depth; t++) {
    alea_slit end = ALEA_SLIT_FALSE;
    if (t > 0) status = alea_unroll_extend(f->unroll);
    if (status == ALEA_OK && t > 0) status = make_end(f, t, &end);
    if (status == ALEA_OK && !alea_vec_push(f->mem, &ends, end)) status = alea_mem_lack(f->mem);
  }
  if (status == ALEA_OK)
    status = alea_unroll_ask_ends(f->unroll, ends.data, 0, f->depth, &f->asked);
  alea_vec_clear(f->mem, &ends);
  if (status != ALEA_NO && status != ALEA_LIMIT) return status;
  /* Too large, or no network: the search has to do without. */
  alea_unroll_free(f->unroll);
  f->unroll = NULL;
  return ALEA_OK;
}

/* Whether the end can come about after the moves of the trail and then, where
 * it is one, 'own'. */
static alea_status ask(force *f, alea_move own, alea_ruling *answer) {
  uint32_t roles = f->game->role_count, made = (uint32_t)f->trail.count / roles;
  uint64_t conflicts = f->options->effort.conflicts;
  f->assumptions.count = 0;
  if (!alea_vec_reserve(f->mem, &f->assumptions, f->trail.count + 2)) return alea_mem_lack(f->mem);
  f->assumptions.data[f->assumptions.count++] = f->asked;
  for (uint32_t i = 0; i < f->trail.count; i++)
    f->assumptions.data[f->assumptions.count++] =
        alea_unroll_move(f->unroll, i / roles, i % roles, f->trail.data[i]);
  if (own != ALEA_NO_MOVE)
    f->assumptions.data[f->assumptions.count++] = alea_unroll_move(f->unroll, made, f->role, own);
  f->result->questions++;
  return alea_unroll_solve(f->unroll, f->assumptions.data, f->assumptions.count,
                           conflicts > 0 ? conflicts : DEFAULT_CONFLICTS, answer);
}

/* ---- known positions ---- */

static uint64_t *slot_of(const force *f, uint32_t to_go) {
  uint64_t hash = alea_cursor_hash(f->cursor) + to_go * 0x9e3779b97f4a7c15u;
  return f->table + (hash % TABLE_SLOTS) * (1 + f->words);
}

static bool known(force *f, uint32_t to_go, bool *value) {
  size_t count;
  const uint64_t *words = alea_cursor_state(f->cursor, &count), *slot = slot_of(f, to_go);
  if (count != f->words || slot[0] >> 1 != to_go + (uint64_t)1) return false;
  if (memcmp(slot + 1, words, count * sizeof *words) != 0) return false;
  *value = slot[0] & 1;
  return true;
}

/* The value of the position of a frame. */
static alea_status learn(force *f, uint32_t level, bool value) {
  const frame *at = &f->frames[level];
  alea_status status = alea_cursor_load(f->cursor, at->words.data, at->words.count);
  if (status != ALEA_OK || at->words.count != f->words) return status;
  uint32_t to_go = f->depth - level;
  uint64_t *slot = slot_of(f, to_go);
  slot[0] = 2 * (to_go + (uint64_t)1) + value;
  memcpy(slot + 1, at->words.data, f->words * sizeof *slot);
  return ALEA_OK;
}

/* ---- search ---- */

/* Fills the frame of a level with the cursor's position and its moves. */
static alea_status fill(force *f, uint32_t level) {
  frame *at = &f->frames[level];
  alea_status status = alea_position_keep(&at->words, f->cursor, f->mem);
  if (status != ALEA_OK) return status;
  at->moves.count = 0;
  at->own = at->reply = 0;
  at->replies = 1;
  for (uint32_t r = 0; r < f->game->role_count; r++) {
    alea_list legal;
    status = alea_cursor_legal(f->cursor, r, &legal);
    if (status != ALEA_OK) return status;
    if (!alea_vec_reserve(f->mem, &at->moves, legal.count)) return alea_mem_lack(f->mem);
    at->firsts[r] = (uint32_t)at->moves.count;
    for (uint32_t i = 0; i < legal.count; i++) at->moves.data[at->moves.count++] = legal.ids[i];
    if (r != f->role) at->replies *= legal.count;
  }
  at->firsts[f->game->role_count] = (uint32_t)at->moves.count;
  return ALEA_OK;
}

static uint32_t own_count(const force *f, const frame *at) {
  return at->firsts[f->role + 1] - at->firsts[f->role];
}

static alea_move own_move(const force *f, const frame *at) {
  return at->moves.data[at->firsts[f->role] + at->own];
}

/* Plays the frame's own move against its reply. */
static alea_status descend(force *f, uint32_t level) {
  const frame *at = &f->frames[level];
  uint64_t reply = at->reply;
  for (uint32_t r = 0; r < f->game->role_count; r++) {
    uint32_t count = at->firsts[r + 1] - at->firsts[r];
    if (r == f->role) {
      f->joint[r] = own_move(f, at);
      continue;
    }
    f->joint[r] = at->moves.data[at->firsts[r] + reply % count];
    reply /= count;
  }
  alea_status status = alea_cursor_load(f->cursor, at->words.data, at->words.count);
  if (status == ALEA_OK) status = alea_cursor_play(f->cursor, f->joint);
  f->result->nodes++;
  f->trail.count = (size_t)level * f->game->role_count;
  for (uint32_t r = 0; status == ALEA_OK && r < f->game->role_count; r++)
    if (!alea_vec_push(f->mem, &f->trail, f->joint[r])) status = alea_mem_lack(f->mem);
  return status;
}

/* What can be said of the cursor's position, at 'level', without going
 * deeper. */
static alea_status glance(force *f, uint32_t level, bool *decided, bool *value) {
  bool terminal, prevent = f->kind == ALEA_FORCE_PREVENT;
  alea_status status = alea_cursor_terminal(f->cursor, &terminal);
  if (status != ALEA_OK) return status;
  *decided = true;
  if (terminal) return judge(f, value);
  *value = prevent;
  if (level == f->depth) return ALEA_OK;
  if (known(f, f->depth - level, value)) return ALEA_OK;
  *decided = false;
  if (f->unroll == NULL || f->depth - level < LEAST_TO_ASK) return ALEA_OK;
  alea_ruling possible;
  status = ask(f, ALEA_NO_MOVE, &possible);
  *decided = status == ALEA_OK && possible == ALEA_RULING_REFUTED;
  *value = prevent;
  f->result->pruned += *decided;
  return status;
}

static bool spent(const force *f) {
  const alea_effort *effort = &f->options->effort;
  if (effort->nodes > 0 && f->result->nodes >= effort->nodes) return true;
  return f->result->nodes % 16 == 0 && alea_deadline_passed(effort->deadline);
}

/* Takes the value of a successor into the frame above. */
static void take(frame *at, bool value) {
  if (value) {
    at->reply++;
  } else {
    at->reply = 0;
    at->own++;
  }
}

/* Decides the position in frames[0]. */
static alea_status search(force *f, bool *value) {
  uint32_t level = 0;
  alea_status status = ALEA_OK;
  while (status == ALEA_OK) {
    frame *at = &f->frames[level];
    bool lost = at->own == own_count(f, at), won = !lost && at->reply == at->replies;
    bool stuck = at->replies == 0 || own_count(f, at) == 0; /* the game goes nowhere */
    if (lost || won || stuck) {
      *value = stuck ? f->kind == ALEA_FORCE_PREVENT : won;
      if (level == 0) return ALEA_OK;
      status = learn(f, level, *value);
      take(&f->frames[--level], *value);
      continue;
    }
    if (spent(f)) {
      f->out = true;
      return ALEA_OK;
    }
    bool decided = false;
    status = descend(f, level);
    if (status == ALEA_OK) status = glance(f, level + 1, &decided, value);
    if (status != ALEA_OK) break;
    if (decided) {
      take(at, *value);
    } else {
      status = fill(f, ++level);
    }
  }
  return status;
}

/* ---- the root ---- */

/* Whether an end that is good or bad for the role is possible at all, and with
 * which first moves.  The moves that are hopeless are taken out of the root's
 * frame; for prevention a single harmless one is the answer. */
static alea_status relax(force *f, bool *decided) {
  frame *root = &f->frames[0];
  bool win = f->kind == ALEA_FORCE_WIN;
  alea_ruling possible;
  alea_status status = ask(f, ALEA_NO_MOVE, &possible);
  if (status != ALEA_OK) return status;
  uint32_t kept = 0, count = own_count(f, root), first = root->firsts[f->role];
  for (uint32_t i = 0; status == ALEA_OK && i < count; i++) {
    alea_move move = root->moves.data[first + i];
    alea_ruling with = possible;
    if (possible != ALEA_RULING_REFUTED && count > 1) status = ask(f, move, &with);
    if (with == ALEA_RULING_REFUTED && !win) {
      *decided = true;
      f->result->move = move;
    }
    if (with != ALEA_RULING_REFUTED) root->moves.data[first + kept++] = move;
    if (*decided) break;
  }
  f->result->candidates = kept;
  if (win && kept == 0) *decided = true;
  /* Hopeless moves go behind the end of the list of hopeful ones. */
  if (win) root->own = 0;
  f->result->relaxed = *decided;
  if (*decided) f->result->answer = win ? ALEA_RULING_REFUTED : ALEA_RULING_PROVED;
  return status;
}

static alea_status decide(force *f) {
  frame *root = &f->frames[0];
  alea_status status = fill(f, 0);
  if (status != ALEA_OK) return status;
  uint32_t count = own_count(f, root);
  f->result->moves = f->result->candidates = count;
  if (!f->options->plain) status = make_clauses(f);
  bool decided = false, value = false;
  if (status == ALEA_OK && f->unroll != NULL && count > 0) status = relax(f, &decided);
  if (status != ALEA_OK || decided) return status;
  if (f->kind == ALEA_FORCE_WIN && f->result->candidates < count) {
    /* The root has fewer own moves from now on; later roles move up. */
    uint32_t gone = count - f->result->candidates, end = root->firsts[f->role + 1];
    memmove(root->moves.data + end - gone, root->moves.data + end,
            (root->moves.count - end) * sizeof *root->moves.data);
    root->moves.count -= gone;
    for (uint32_t r = f->role + 1; r <= f->game->role_count; r++) root->firsts[r] -= gone;
  }
  status = search(f, &value);
  if (status != ALEA_OK || f->out) return status;
  f->result->answer = value ? ALEA_RULING_PROVED : ALEA_RULING_REFUTED;
  if (value && root->own < own_count(f, root)) f->result->move = own_move(f, root);
  return ALEA_OK;
}

/* ---- set up ---- */

static alea_status set_up(force *f, const uint64_t *words, size_t count) {
  alea_status status = alea_cursor_new(f->game, f->mem, &f->cursor);
  if (status == ALEA_OK && words != NULL) status = alea_cursor_load(f->cursor, words, count);
  if (status != ALEA_OK) return status;
  alea_cursor_state(f->cursor, &f->words);
  f->frames = alea_mem_calloc(f->mem, f->depth + (size_t)1, sizeof *f->frames);
  f->joint = alea_mem_calloc(f->mem, f->game->role_count, sizeof *f->joint);
  f->table = alea_mem_calloc(f->mem, TABLE_SLOTS * (1 + f->words), sizeof *f->table);
  if (f->frames == NULL || f->joint == NULL || f->table == NULL) return alea_mem_lack(f->mem);
  for (uint32_t i = 0; i <= f->depth; i++) {
    f->frames[i].firsts =
        alea_mem_calloc(f->mem, f->game->role_count + (size_t)1, sizeof(uint32_t));
    if (f->frames[i].firsts == NULL) return alea_mem_lack(f->mem);
  }
  return ALEA_OK;
}

static void tear_down(force *f) {
  for (uint32_t i = 0; f->frames != NULL && i <= f->depth; i++) {
    alea_vec_clear(f->mem, &f->frames[i].words);
    alea_vec_clear(f->mem, &f->frames[i].moves);
    alea_mem_free(f->mem, f->frames[i].firsts,
                  (f->game->role_count + (size_t)1) * sizeof(uint32_t));
  }
  alea_mem_free(f->mem, f->frames, (f->depth + (size_t)1) * sizeof *f->frames);
  alea_mem_free(f->mem, f->joint, f->game->role_count * sizeof *f->joint);
  alea_mem_free(f->mem, f->table, TABLE_SLOTS * (1 + f->words) * sizeof *f->table);
  alea_vec_clear(f->mem, &f->trail);
  alea_vec_clear(f->mem, &f->assumptions);
  alea_unroll_free(f->unroll);
  alea_cursor_free(f->cursor);
}

alea_status alea_force_run(alea_force_result *result, const alea_game *game, const uint64_t *words,
                           size_t word_count, uint32_t role, alea_force_kind kind, uint32_t depth,
                           const alea_force_options *options, alea_mem *mem) {
  static const alea_force_options none = {0};
  *result = (alea_force_result){.move = ALEA_NO_MOVE};
  force f = {.game = game,
             .mem = mem,
             .role = role,
             .depth = depth,
             .kind = kind,
             .options = options != NULL ? options : &none,
             .result = result};
  alea_status status = set_up(&f, words, word_count);
  if (status == ALEA_OK) status = decide(&f);
  tear_down(&f);
  return status;
}
