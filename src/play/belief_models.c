/* Beliefs by constraints: the models `csp` and `paper` ([SYM16 §2], D33). */
#include <math.h>
#include <string.h>

#include "encode/independent_belief.h"
#include "play/belief.h"
#include "unroll/history.h"

enum {
  MOST_PARTICLES = 64,   /* drawing is slow: fewer particles are wanted */
  DRAW_STEPS = 20000,    /* on the cursor, per particle */
  DRAW_CONFLICTS = 2000, /* per question */
  MOST_WORK = 30000000,  /* clauses times questions: about half a second */
  HISTORY_MB = 512,
};

/* The share of a draw's overrun that is expected of the next.  The solver looks at the clock only
 * now and then. */
static const double KEPT_OVERRUN = 0.9;

void alea_belief_forget(alea_belief *b) {
  alea_vec_clear(b->mem, &b->legal);
  alea_history_free(b->history);
  alea_independent_belief_free(b->independent);
  b->history = NULL;
  b->independent = NULL;
}

static alea_list percepts_of(const alea_belief *b, size_t step) {
  uint32_t first = step > 0 ? b->seen_ends.data[step - 1] : 0;
  return (alea_list){.ids = b->seen.data + first, .count = b->seen_ends.data[step] - first};
}

/* ---- csp ---- */

static bool is_behind(const alea_belief *b) {
  return alea_history_steps(b->history) < b->moves.count;
}

/* Brings the unrolled history up to date, or as far as time allows.  A limit means that this game
 * is too large for it. */
static alea_status catch_up(alea_belief *b) {
  alea_status status = ALEA_OK;
  if (b->history == NULL)
    status = alea_history_new(&b->history, b->game, b->role, (size_t)HISTORY_MB << 20, b->mem);
  while (status == ALEA_OK && is_behind(b) && !alea_mem_late(b->mem)) {
    uint32_t step = alea_history_steps(b->history);
    status = alea_history_add(b->history, b->moves.data[step], percepts_of(b, step));
  }
  if (status != ALEA_UNSUPPORTED && status != ALEA_LIMIT) return status;
  b->unconstrained = true;
  alea_belief_forget(b);
  return ALEA_OK;
}

/* Plays the drawn moves into a particle, with the keys of all roles. */
static alea_status follow(alea_belief *b, alea_list moves, alea_particle *to) {
  uint32_t roles = b->game->role_count;
  memset(to->keys, 0, roles * sizeof *to->keys);
  alea_status status = alea_cursor_reset(b->cursor);
  for (uint32_t i = 0; status == ALEA_OK && i < moves.count; i += roles) {
    status = alea_cursor_play(b->cursor, moves.ids + i);
    for (uint32_t r = 0; status == ALEA_OK && r < roles; r++) {
      alea_list percepts;
      status = alea_cursor_percepts(b->cursor, r, &percepts);
      if (status == ALEA_OK)
        to->keys[r] =
            alea_belief_key(to->keys[r], moves.ids[i + r], alea_belief_percepts_hash(percepts));
    }
  }
  return status == ALEA_OK ? alea_belief_keep(b, to) : status;
}

/* Particles have no weights; instead a set of them is drawn anew, each as
 * often as its weight says (systematic resampling). */
static alea_status resample(alea_belief *b, const double *weights) {
  double sum = 0, passed = 0;
  for (uint32_t i = 0; i < b->live; i++) sum += weights[i];
  if (b->live < 2 || sum <= 0) return ALEA_OK;
  double at = alea_rng_unit(&b->rng);
  uint32_t count = b->live, made = 0;
  for (uint32_t i = 0; i < count; i++) {
    passed += weights[i] * count / sum;
    for (; made < count && at < passed; at += 1) {
      alea_status status = alea_belief_copy(b, i, made++);
      if (status != ALEA_OK) return status;
    }
  }
  if (made > 0) alea_belief_swap(b, made);
  return ALEA_OK;
}

alea_status alea_belief_constrain(alea_belief *b, bool running) {
  b->live = 0;
  alea_status status = b->unconstrained ? ALEA_OK : catch_up(b);
  if (status != ALEA_OK || b->unconstrained || is_behind(b)) return status;
  uint32_t wanted = b->target < MOST_PARTICLES ? b->target : MOST_PARTICLES;
  double weights[MOST_PARTICLES];
  uint64_t before = alea_history_statistics(b->history).questions;
  alea_effort effort = {
      .nodes = DRAW_STEPS, .conflicts = DRAW_CONFLICTS, .deadline = b->mem->deadline};
  while (status == ALEA_OK && b->live < wanted) {
    alea_history_stats stats = alea_history_statistics(b->history);
    if (alea_mem_late(b->mem) || alea_deadline_left(b->mem->deadline) < b->overrun) break;
    if ((stats.questions - before) * stats.clauses > MOST_WORK) break;
    alea_verdict answer;
    alea_list moves;
    status = alea_history_draw(b->history, running, &b->rng, &effort, &answer, &moves,
                               &weights[b->live]);
    b->overrun = fmax(KEPT_OVERRUN * b->overrun, -alea_deadline_left(b->mem->deadline));
    if (status != ALEA_OK || answer != ALEA_VERDICT_PROVED) break;
    alea_particle *to = alea_belief_slot(b, b->live);
    if (to == NULL) return alea_mem_lack(b->mem);
    status = follow(b, moves, to);
    if (status == ALEA_OK) b->live++;
  }
  return status == ALEA_OK ? resample(b, weights) : status;
}

/* ---- paper ---- */

/* The key of what the role did and saw; independent know nothing of the others. */
static uint64_t own_key(const alea_belief *b) {
  uint64_t key = 0;
  for (size_t i = 0; i < b->moves.count; i++)
    key = alea_belief_key(key, b->moves.data[i], b->percept_hashes.data[i]);
  return key;
}

/* Copies the legal moves of the only particle. */
static alea_status note_legal(alea_belief *b) {
  alea_list legal;
  alea_status status = alea_belief_legal(b, &legal);
  b->legal.count = 0;
  if (status == ALEA_OK && !alea_vec_reserve(b->mem, &b->legal, legal.count))
    return alea_mem_lack(b->mem);
  for (uint32_t i = 0; status == ALEA_OK && i < legal.count; i++)
    b->legal.data[b->legal.count++] = legal.ids[i];
  return status;
}

/* Loads a thrown state.  ALEA_NO: the role would have other moves there. */
static alea_status consider(alea_belief *b, const uint64_t *words, size_t count) {
  alea_list legal;
  alea_status status = alea_cursor_load(b->cursor, words, count);
  if (status == ALEA_OK) status = alea_cursor_legal(b->cursor, b->role, &legal);
  if (status != ALEA_OK) return status;
  bool same = legal.count == b->legal.count &&
              memcmp(legal.ids, b->legal.data, legal.count * sizeof *legal.ids) == 0;
  return same ? ALEA_OK : ALEA_NO;
}

static alea_status add_thrown(alea_belief *b, uint64_t key) {
  alea_particle *to = alea_belief_slot(b, b->live);
  if (to == NULL) return alea_mem_lack(b->mem);
  memset(to->keys, 0, b->game->role_count * sizeof *to->keys);
  to->keys[b->role] = key;
  b->live++;
  return alea_belief_keep(b, to);
}

alea_status alea_belief_toss(alea_belief *b) {
  alea_status status = note_legal(b);
  if (status == ALEA_OK && b->independent == NULL && !b->unconstrained)
    status = alea_independent_belief_new(&b->independent, b->game, b->role, 1, b->mem);
  if (status == ALEA_NONE || status == ALEA_UNSUPPORTED || b->unconstrained)
    return ALEA_OK; /* keeps what there is */
  alea_list seen = percepts_of(b, b->moves.count - 1);
  uint64_t key = own_key(b);
  for (uint32_t i = 0; status == ALEA_OK && i < b->target; i++) {
    const uint64_t *words;
    size_t count;
    status = alea_independent_belief_draw(b->independent, seen, &b->rng, &words, &count);
    if (status == ALEA_NONE) break;
    if (status == ALEA_OK) status = consider(b, words, count);
    if (status == ALEA_OK) status = add_thrown(b, key);
    if (status == ALEA_NO) status = ALEA_OK;
  }
  if (b->live > 1) { /* the first was no throw */
    alea_particle first = b->now.data[0];
    b->now.data[0] = b->now.data[--b->live];
    b->now.data[b->live] = first;
  }
  return status == ALEA_NONE ? ALEA_OK : status;
}
