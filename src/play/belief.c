/* Beliefs: the true position, or a particle filter (D33). */
#include "play/belief.h"

#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "game/position.h"

/* What is left of the time for a guess, and what a guess takes however late it is: for so long it
 * has many tries for each step. */
static const double GUESS_SECONDS = 0.02, LEAST_GUESS_SECONDS = 1e-3;

enum {
  TRIES_PER_PARTICLE = 20, /* rejection: draws per particle wanted */
  TRIES_PER_LEVEL = 24,    /* history search: random steps before going back */
  TRIES_PER_GUESS = 400,   /* of a step */
  MOST_STEPS = 200000,     /* history search: steps for all particles */
  REDRAWN_PARTICLES = 64,  /* the search is slow: fewer particles are wanted */
};

uint64_t alea_belief_percepts_hash(alea_list percepts) {
  uint64_t sum = percepts.count;
  for (uint32_t i = 0; i < percepts.count; i++) sum += alea_hash_mix(percepts.ids[i] + 1u);
  return sum;
}

uint64_t alea_belief_key(uint64_t key, alea_move own, uint64_t percept_hash) {
  return alea_hash_join(alea_hash_join(key, own), percept_hash);
}

/* ---- particles ---- */

/* The particle at 'index' of a vector, made where it is the first beyond. */
static alea_particle *particle_at(alea_belief *b, alea_particles *particles, uint32_t index) {
  if (index < particles->count) return &particles->data[index];
  alea_particle fresh = {.keys = alea_mem_calloc(b->mem, b->game->role_count, sizeof(uint64_t))};
  if (fresh.keys == NULL) return NULL;
  if (!alea_vec_push(b->mem, particles, fresh)) {
    alea_mem_free(b->mem, fresh.keys, b->game->role_count * sizeof(uint64_t));
    return NULL;
  }
  return &particles->data[index];
}

static void clear_particles(alea_belief *b, alea_particles *particles) {
  for (size_t i = 0; i < particles->count; i++) {
    alea_vec_clear(b->mem, &particles->data[i].words);
    alea_mem_free(b->mem, particles->data[i].keys, b->game->role_count * sizeof(uint64_t));
  }
  alea_vec_clear(b->mem, particles);
}

/* Copies the cursor's position. */
static alea_status save_words(alea_belief *b, alea_particle *particle) {
  return alea_position_keep(&particle->words, b->cursor, b->mem);
}

alea_particle *alea_belief_slot(alea_belief *belief, uint32_t index) {
  return particle_at(belief, &belief->now, index);
}

alea_status alea_belief_keep(alea_belief *belief, alea_particle *particle) {
  return save_words(belief, particle);
}

alea_status alea_particle_load(const alea_particle *particle, alea_cursor *cursor) {
  return alea_cursor_load(cursor, particle->words.data, particle->words.count);
}

/* ---- set up ---- */

alea_status alea_belief_init(alea_belief *belief, const alea_player_setup *setup, uint32_t target) {
  *belief = (alea_belief){.mem = setup->mem, .game = setup->game, .role = setup->role};
  belief->target = setup->game->has_sees ? target : 1;
  alea_rng_seed_stream(&belief->rng, setup->seed, 1);
  belief->joint = alea_mem_calloc(setup->mem, setup->game->role_count, sizeof(alea_move));
  if (belief->joint == NULL) return alea_mem_lack(setup->mem);
  alea_status status = alea_cursor_new(setup->game, setup->mem, &belief->cursor);
  if (status != ALEA_OK) return status;
  alea_particle *first = particle_at(belief, &belief->now, 0);
  if (first == NULL) return alea_mem_lack(setup->mem);
  belief->live = 1; /* the initial position is known to all */
  return save_words(belief, first);
}

void alea_belief_clear(alea_belief *belief) {
  if (belief->mem == NULL) return;
  clear_particles(belief, &belief->now);
  clear_particles(belief, &belief->next);
  clear_particles(belief, &belief->path);
  alea_vec_clear(belief->mem, &belief->moves);
  alea_vec_clear(belief->mem, &belief->percept_hashes);
  alea_vec_clear(belief->mem, &belief->seen);
  alea_vec_clear(belief->mem, &belief->seen_ends);
  alea_belief_forget(belief);
  alea_cursor_free(belief->cursor);
  alea_mem_free(belief->mem, belief->joint, belief->game->role_count * sizeof(alea_move));
}

/* ---- one step ---- */

/* Draws moves for all other roles at the cursor, and for the own one where its move is
 * ALEA_NO_MOVE.  ALEA_NO: the own move is not legal here, or the game is over. */
static alea_status draw_joint(alea_belief *b, alea_move own) {
  bool terminal;
  alea_status status = alea_cursor_terminal(b->cursor, &terminal);
  if (status == ALEA_OK && terminal) status = ALEA_NO;
  for (uint32_t r = 0; status == ALEA_OK && r < b->game->role_count; r++) {
    alea_list legal;
    status = alea_cursor_legal(b->cursor, r, &legal);
    if (status != ALEA_OK) break;
    bool given = r == b->role && own != ALEA_NO_MOVE;
    if (legal.count == 0 || (given && !alea_list_has(legal, own))) return ALEA_NO;
    b->joint[r] = given ? own : legal.ids[alea_rng_below(&b->rng, legal.count)];
  }
  return status;
}

/* Steps from 'from' to 'to' with the own move given and all else at random.
 * ALEA_NO: the role would have seen something else than '*percept_hash'; NULL: it does not
 * matter. */
static alea_status step(alea_belief *b, const alea_particle *from, alea_particle *to, alea_move own,
                        const uint64_t *percept_hash) {
  alea_status status = alea_particle_load(from, b->cursor);
  if (status == ALEA_OK) status = draw_joint(b, own);
  if (status == ALEA_OK) status = alea_cursor_play(b->cursor, b->joint);
  for (uint32_t r = 0; status == ALEA_OK && r < b->game->role_count; r++) {
    alea_list percepts;
    status = alea_cursor_percepts(b->cursor, r, &percepts);
    if (status != ALEA_OK) break;
    uint64_t seen = alea_belief_percepts_hash(percepts);
    if (r == b->role && percept_hash != NULL && seen != *percept_hash) return ALEA_NO;
    to->keys[r] = alea_belief_key(from->keys[r], b->joint[r], seen);
  }
  return status == ALEA_OK ? save_words(b, to) : status;
}

static void swap_sets(alea_belief *b) {
  alea_particles particles = b->now;
  b->now = b->next;
  b->next = particles;
  b->live = b->next_count;
  b->next_count = 0;
}

alea_status alea_belief_copy(alea_belief *b, uint32_t from, uint32_t to) {
  alea_particle *copy = particle_at(b, &b->next, to);
  if (copy == NULL) return alea_mem_lack(b->mem);
  const alea_particle *particle = &b->now.data[from];
  memcpy(copy->keys, particle->keys, b->game->role_count * sizeof *copy->keys);
  return alea_position_copy(&copy->words, particle->words.data, particle->words.count, b->mem);
}

void alea_belief_swap(alea_belief *b, uint32_t count) {
  b->next_count = count;
  swap_sets(b);
}

/* Out of time, not of memory: fewer particles than wanted. */
static bool gave_up(const alea_belief *b, alea_status status) {
  return status == ALEA_LIMIT && alea_mem_late(b->mem);
}

static alea_status filter(alea_belief *b, alea_move own, uint64_t percept_hash) {
  b->next_count = 0;
  uint64_t tries = b->live > 0 ? (uint64_t)b->target * TRIES_PER_PARTICLE : 0;
  for (; tries > 0 && b->next_count < b->target && !alea_mem_late(b->mem); tries--) {
    const alea_particle *from = &b->now.data[alea_rng_below(&b->rng, b->live)];
    alea_particle *to = particle_at(b, &b->next, b->next_count);
    if (to == NULL) return alea_mem_lack(b->mem);
    alea_status status = step(b, from, to, own, &percept_hash);
    if (status == ALEA_OK) b->next_count++;
    if (gave_up(b, status)) break;
    if (status != ALEA_OK && status != ALEA_NO) return status;
  }
  swap_sets(b);
  return ALEA_OK;
}

/* ---- the whole history ---- */

/* path[0] becomes the initial position. */
static alea_status begin_path(alea_belief *b) {
  alea_particle *first = particle_at(b, &b->path, 0);
  if (first == NULL) return alea_mem_lack(b->mem);
  memset(first->keys, 0, b->game->role_count * sizeof *first->keys);
  alea_status status = alea_cursor_reset(b->cursor);
  return status == ALEA_OK ? save_words(b, first) : status;
}

/* Whether the cursor's position will do as the last of the path. */
static alea_status check_end(alea_belief *b, bool running) {
  bool terminal = false;
  alea_status status = running ? alea_cursor_terminal(b->cursor, &terminal) : ALEA_OK;
  return status == ALEA_OK && terminal ? ALEA_NO : status;
}

/* Goes from the initial position to one that agrees with the history, depth
 * first: a level that fails TRIES_PER_LEVEL times gives up its source as
 * well.  ALEA_NONE: out of steps; ALEA_LIMIT: out of time. */
static alea_status walk_history(alea_belief *b, bool running, uint32_t *steps) {
  alea_status status = begin_path(b);
  size_t level = 0;
  uint32_t tries = 0;
  while (status == ALEA_OK && level < b->moves.count) {
    if ((*steps)++ >= MOST_STEPS) return ALEA_NONE;
    if (alea_mem_late(b->mem)) return ALEA_LIMIT;
    alea_particle *to = particle_at(b, &b->path, (uint32_t)level + 1);
    if (to == NULL) return alea_mem_lack(b->mem);
    status =
        step(b, &b->path.data[level], to, b->moves.data[level], &b->percept_hashes.data[level]);
    if (status == ALEA_OK && level + 1 == b->moves.count) status = check_end(b, running);
    if (status == ALEA_OK) {
      level++;
      tries = 0;
    } else if (status == ALEA_NO) {
      status = ALEA_OK;
      if (++tries < TRIES_PER_LEVEL) continue;
      /* One level back, with only a few tries left there. */
      if (level > 0) level--;
      tries = TRIES_PER_LEVEL / 2;
    }
  }
  return status;
}

/* The end of the path becomes another particle. */
static alea_status keep_end(alea_belief *b) {
  const alea_particle *end = &b->path.data[b->moves.count];
  alea_particle *to = particle_at(b, &b->now, b->live);
  if (to == NULL) return alea_mem_lack(b->mem);
  memcpy(to->keys, end->keys, b->game->role_count * sizeof *to->keys);
  alea_status status = alea_position_copy(&to->words, end->words.data, end->words.count, b->mem);
  if (status == ALEA_OK) b->live++;
  return status;
}

/* By search. */
static alea_status search_history(alea_belief *b, bool running) {
  uint32_t steps = 0, wanted = b->target < REDRAWN_PARTICLES ? b->target : REDRAWN_PARTICLES;
  for (b->live = 0; b->live < wanted;) {
    alea_status status = walk_history(b, running, &steps);
    if (status == ALEA_NONE || gave_up(b, status)) return ALEA_OK;
    if (status == ALEA_OK) status = keep_end(b);
    if (status != ALEA_OK) return status;
  }
  return ALEA_OK;
}

static alea_status redraw_once(alea_belief *b, bool running) {
  alea_status status = alea_belief_constrain(b, running);
  if (gave_up(b, status)) status = ALEA_OK;
  return status == ALEA_OK && b->live == 0 ? search_history(b, running) : status;
}

/* Takes half of the time that is left, and the rest only where that has found
 * nothing: somebody wants to think as well.  Time for a guess is left in any case. */
static alea_status redraw(alea_belief *b, bool running) {
  const alea_deadline *clock = b->mem->deadline;
  double left = alea_deadline_left(clock);
  alea_deadline whole = alea_deadline_sooner(clock, fmin(GUESS_SECONDS, left / 4));
  alea_deadline half = alea_deadline_half(&whole);
  b->redrawn++;
  b->mem->deadline = &half;
  alea_status status = redraw_once(b, running);
  b->mem->deadline = &whole;
  bool more = status == ALEA_OK && b->live == 0 && alea_deadline_passed(&half);
  if (more && !alea_mem_late(b->mem)) status = search_history(b, running);
  b->mem->deadline = clock;
  return status;
}

/* ---- guessing ---- */

/* Steps from path[level], as 'step' makes them, until the game goes on after one, while there are
 * tries and patience. */
static alea_status try_steps(alea_belief *b, uint32_t level, alea_move own, const uint64_t *seen,
                             const alea_deadline *patience) {
  alea_particle *to = particle_at(b, &b->path, level + 1);
  if (to == NULL) return alea_mem_lack(b->mem);
  alea_status status;
  uint32_t tries = 0;
  do {
    status = step(b, &b->path.data[level], to, own, seen);
    if (status == ALEA_OK) status = check_end(b, true);
  } while (status == ALEA_NO && ++tries < TRIES_PER_GUESS && !alea_deadline_passed(patience));
  return status;
}

/* A step that agrees with what was seen, or in which the own move is legal, or any. */
static alea_status guess_step(alea_belief *b, uint32_t level, const alea_deadline *patience) {
  alea_move own = b->moves.data[level];
  alea_status status = try_steps(b, level, own, &b->percept_hashes.data[level], patience);
  if (status == ALEA_NO) status = try_steps(b, level, own, NULL, patience);
  return status == ALEA_NO ? try_steps(b, level, ALEA_NO_MOVE, NULL, patience) : status;
}

static alea_status guess_path(alea_belief *b, const alea_deadline *patience) {
  alea_status status = begin_path(b);
  for (uint32_t level = 0; status == ALEA_OK && level < b->moves.count; level++)
    status = guess_step(b, level, patience);
  return status;
}

/* There is no position, or there was no time to find one. */
static alea_status nothing_found(const alea_belief *b) {
  return alea_mem_late(b->mem) ? ALEA_LIMIT : ALEA_NONE;
}

/* What has to be done however late it is can still be stopped. */
static alea_deadline without_clock(const alea_deadline *deadline) {
  return (alea_deadline){.stop = deadline != NULL ? deadline->stop : NULL};
}

/* A guess is made however late it is: it is better than no move. */
static alea_status guess(alea_belief *b) {
  const alea_deadline *clock = b->mem->deadline;
  double left = alea_deadline_left(clock);
  alea_deadline stop = without_clock(clock), patience = stop;
  if (isfinite(left))
    patience = alea_deadline_in(fmax(LEAST_GUESS_SECONDS, fmin(left / 2, GUESS_SECONDS)));
  b->mem->deadline = &stop;
  alea_status status = guess_path(b, &patience);
  b->mem->deadline = clock;
  if (status == ALEA_NO) return nothing_found(b);
  if (status == ALEA_OK) status = keep_end(b);
  b->guessed = status == ALEA_OK;
  return status;
}

/* ---- the interface ---- */

/* Adds a step to the history. */
static alea_status record(alea_belief *b, const alea_observation *seen, uint64_t percept_hash) {
  size_t end = b->seen.count + seen->percepts.count;
  if (!alea_vec_reserve(b->mem, &b->moves, 1) || !alea_vec_reserve(b->mem, &b->percept_hashes, 1) ||
      !alea_vec_reserve(b->mem, &b->seen, seen->percepts.count) ||
      !alea_vec_push(b->mem, &b->seen_ends, (uint32_t)end))
    return alea_mem_lack(b->mem);
  b->moves.data[b->moves.count++] = seen->own;
  b->percept_hashes.data[b->percept_hashes.count++] = percept_hash;
  for (uint32_t i = 0; i < seen->percepts.count; i++)
    b->seen.data[b->seen.count++] = seen->percepts.ids[i];
  return ALEA_OK;
}

alea_status alea_belief_observe(alea_belief *belief, const alea_observation *observation) {
  if (!belief->game->has_sees) {
    alea_status status = alea_particle_load(&belief->now.data[0], belief->cursor);
    if (status == ALEA_OK) status = alea_cursor_play(belief->cursor, observation->joint);
    return status == ALEA_OK ? save_words(belief, &belief->now.data[0]) : status;
  }
  uint64_t percept_hash = alea_belief_percepts_hash(observation->percepts);
  alea_status status = record(belief, observation, percept_hash);
  if (status != ALEA_OK) return status;
  if (belief->guessed) belief->live = 0; /* found out from the history */
  belief->guessed = false;
  if (belief->model != ALEA_BELIEF_FILTER) {
    belief->live = 0; /* drawn when it is needed */
    return ALEA_OK;
  }
  status = filter(belief, observation->own, percept_hash);
  return status == ALEA_OK && belief->live == 0 ? redraw(belief, false) : status;
}

/* One particle that is possible tells the role's legal moves, which it knows;
 * independent that say otherwise are thrown again. */
static alea_status throw_coins(alea_belief *b) {
  uint32_t target = b->target;
  b->target = 1;
  alea_status status = redraw(b, true);
  b->target = target;
  if (status == ALEA_OK && b->live == 0) return guess(b);
  return status == ALEA_OK ? alea_belief_toss(b) : status;
}

alea_status alea_belief_ready(alea_belief *belief) {
  if (!belief->game->has_sees) return ALEA_OK;
  if (belief->model == ALEA_BELIEF_PAPER && belief->moves.count > 0) return throw_coins(belief);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < belief->live; i++) {
    bool terminal;
    alea_status status = alea_particle_load(&belief->now.data[i], belief->cursor);
    if (status == ALEA_OK) status = alea_cursor_terminal(belief->cursor, &terminal);
    if (gave_up(belief, status)) break;
    if (status != ALEA_OK) return status;
    if (terminal) continue;
    alea_particle particle = belief->now.data[i];
    belief->now.data[i] = belief->now.data[kept];
    belief->now.data[kept++] = particle;
  }
  belief->live = kept;
  alea_status status = kept == 0 ? redraw(belief, true) : ALEA_OK;
  return status == ALEA_OK && belief->live == 0 ? guess(belief) : status;
}

const alea_particle *alea_belief_draw(const alea_belief *belief, alea_rng *rng) {
  return &belief->now.data[belief->live > 1 ? alea_rng_below(rng, belief->live) : 0];
}

static alea_status find_legal(alea_belief *b, alea_list *list) {
  bool terminal = false;
  alea_status status = alea_particle_load(&b->now.data[0], b->cursor);
  if (status == ALEA_OK) status = alea_cursor_terminal(b->cursor, &terminal);
  if (status == ALEA_OK && terminal) return ALEA_NONE; /* whatever the rules call legal there */
  if (status == ALEA_OK) status = alea_cursor_legal(b->cursor, b->role, list);
  return status == ALEA_OK && list->count == 0 ? ALEA_NONE : status;
}

alea_status alea_belief_legal(alea_belief *belief, alea_list *list) {
  const alea_deadline *clock = belief->mem->deadline;
  alea_deadline stop = without_clock(clock);
  belief->mem->deadline = &stop;
  alea_status status = find_legal(belief, list);
  belief->mem->deadline = clock;
  return status;
}

alea_status alea_belief_begin(alea_belief *belief, alea_player *player, alea_move *move,
                              bool *forced) {
  alea_list legal;
  alea_status status = alea_belief_ready(belief);
  player->stats.particles = belief->live;
  player->stats.redrawn = belief->redrawn;
  if (status == ALEA_OK) status = alea_belief_legal(belief, &legal);
  if (status != ALEA_OK) return status;
  *forced = legal.count == 1;
  *move = legal.ids[*forced ? 0 : alea_rng_below(&player->rng, legal.count)];
  return ALEA_OK;
}
