/* The plain sampler: one playout after the other with a cursor. */
#include "game/sampler.h"

#include <string.h>

#include "base/clock.h"
#include "base/vec.h"
#include "game/playout.h"

typedef struct plain {
  alea_sampler sampler; /* first: a plain is an alea_sampler */
  alea_mem *mem;
  alea_cursor *cursor;
  alea_rng rng;
  alea_move *joint;
  ALEA_VEC(alea_played) moves; /* of the game in progress, for a listener */
  alea_u64s kept;              /* positions of it, for a watcher; used in turn */
  uint64_t kept_count;         /* so many were put there */
  alea_u64s position;          /* where moves are tried */
  uint8_t *goals;
} plain;

static plain *plain_of(alea_sampler *sampler) { return (plain *)(void *)sampler; }

static void plain_free(alea_sampler *sampler) {
  plain *p = plain_of(sampler);
  alea_mem *mem = p->mem;
  alea_cursor_free(p->cursor);
  alea_mem_free(mem, p->joint, sampler->game->role_count * sizeof *p->joint);
  alea_mem_free(mem, p->goals, sampler->game->role_count);
  alea_vec_clear(mem, &p->moves);
  alea_vec_clear(mem, &p->kept);
  alea_vec_clear(mem, &p->position);
  alea_mem_free(mem, p, sizeof *p);
}

static alea_status go_to(plain *p, const uint64_t *words, size_t count) {
  return words != NULL ? alea_cursor_load(p->cursor, words, count) : alea_cursor_reset(p->cursor);
}

static alea_status add_goals(plain *p, alea_sample_result *result) {
  for (uint32_t r = 0; r < p->sampler.game->role_count; r++) {
    int goal;
    alea_status status = alea_cursor_goal(p->cursor, r, &goal);
    if (status != ALEA_OK) return status;
    p->goals[r] = goal > 0 ? (uint8_t)goal : 0;
    if (goal < 0) continue; /* no goal counts as 0 */
    result->sum[r] += goal;
    result->sum_squares[r] += (double)goal * goal;
  }
  return ALEA_OK;
}

/* ---- games with a guide, a listener or a watcher ---- */

/* Keeps the cursor's position, in the place of the oldest where there are many. */
static alea_status keep(plain *p) {
  size_t count;
  const uint64_t *words = alea_cursor_state(p->cursor, &count);
  size_t place = p->kept_count++ % ALEA_SAMPLE_KEPT;
  if (!alea_vec_reserve(p->mem, &p->kept, ALEA_SAMPLE_KEPT * count)) return alea_mem_lack(p->mem);
  memcpy(p->kept.data + place * count, words, count * sizeof *words);
  return ALEA_OK;
}

static void show(plain *p, const alea_sample_watcher *watcher) {
  size_t words;
  (void)alea_cursor_state(p->cursor, &words);
  uint64_t first = p->kept_count > ALEA_SAMPLE_KEPT ? p->kept_count - ALEA_SAMPLE_KEPT : 0;
  uint32_t count = (uint32_t)(p->kept_count - first), most = watcher->per_game;
  uint64_t lot = alea_rng_next(&p->rng);
  for (uint32_t i = 0; i < most && i < count; i++) {
    uint64_t place = (first + alea_sample_shown(i, count, most, lot)) % ALEA_SAMPLE_KEPT;
    watcher->saw(watcher->context, p->kept.data + place * words, p->goals, false);
  }
  watcher->saw(watcher->context, alea_cursor_state(p->cursor, &words), p->goals, true);
}

/* Number 'n' of the legal moves of rank 'rank'. */
static alea_move nth_of_rank(const alea_sample_guide *guide, uint32_t role, alea_list legal,
                             uint32_t rank, uint32_t n) {
  for (uint32_t i = 0; i < legal.count; i++)
    if (alea_sample_rank(guide, role, legal.ids[i]) == rank && n-- == 0) return legal.ids[i];
  return legal.ids[0];
}

static alea_move guided_move(plain *p, const alea_sample_guide *guide, uint32_t role,
                             alea_list legal) {
  uint32_t counts[ALEA_SAMPLE_RANKS] = {0}, rank = 0;
  for (uint32_t i = 0; i < legal.count; i++) counts[alea_sample_rank(guide, role, legal.ids[i])]++;
  while (counts[rank] == 0) rank++;
  return nth_of_rank(guide, role, legal, rank, alea_rng_below(&p->rng, counts[rank]));
}

/* A move of a role that has several. */
static alea_move draw(plain *p, const alea_sample_guide *guide, uint32_t role, alea_list legal) {
  bool follow = guide != NULL && guide->ranks[role] != NULL &&
                alea_rng_below(&p->rng, ALEA_SAMPLE_LOTS) < guide->follow;
  return follow ? guided_move(p, guide, role, legal)
                : legal.ids[alea_rng_below(&p->rng, legal.count)];
}

/* What the cursor's position is worth to the role of the tries. */
static alea_status weigh_here(plain *p, const alea_sample_tries *tries, int64_t *sum) {
  size_t count;
  bool over;
  int goal = 0;
  const uint64_t *words = alea_cursor_state(p->cursor, &count);
  *sum = 0;
  for (size_t w = 0; w < count; w++)
    for (uint64_t bits = words[w]; bits != 0; bits &= bits - 1)
      *sum += tries->weights[64 * w + (unsigned)__builtin_ctzll(bits)];
  alea_status status = alea_cursor_terminal(p->cursor, &over);
  if (status != ALEA_OK || !over) return status;
  status = alea_cursor_goal(p->cursor, tries->role, &goal);
  *sum = goal > 50 ? INT32_MAX : goal < 50 ? -(int64_t)INT32_MAX : 0;
  return status;
}

/* What is behind the joint move, for 'role'; the cursor stays where it is. */
static alea_status weigh(plain *p, const alea_sample_tries *tries, uint32_t role, size_t words,
                         int64_t *sum) {
  alea_status status = alea_cursor_play(p->cursor, p->joint);
  if (status == ALEA_OK) status = weigh_here(p, tries, sum);
  if (role != tries->role) *sum = -*sum;
  return status == ALEA_OK ? alea_cursor_load(p->cursor, p->position.data, words) : status;
}

/* Draws some more moves of the only role that has several, and keeps the best. */
static alea_status try_moves(plain *p, const alea_sample_options *options, uint32_t role) {
  alea_move moves[ALEA_SAMPLE_MOST_TRIES], best = p->joint[role];
  uint32_t count = options->tries->count;
  int64_t most = 0, sum = 0;
  alea_list legal;
  size_t words;
  const uint64_t *at = alea_cursor_state(p->cursor, &words);
  alea_status status = alea_cursor_legal(p->cursor, role, &legal);
  if (count > ALEA_SAMPLE_MOST_TRIES) return ALEA_USAGE;
  if (status != ALEA_OK) return status;
  if (!alea_vec_reserve(p->mem, &p->position, words)) return alea_mem_lack(p->mem);
  memcpy(p->position.data, at, words * sizeof *at);
  for (uint32_t i = 0; i < count; i++)
    moves[i] = i > 0 ? draw(p, options->guide, role, legal) : best;
  for (uint32_t i = 0; status == ALEA_OK && i < count; i++) {
    p->joint[role] = moves[i];
    status = weigh(p, options->tries, role, words, &sum);
    if (i == 0 || sum > most) most = sum, best = moves[i];
  }
  p->joint[role] = best;
  return status;
}

static alea_status choose(plain *p, const alea_sample_options *options) {
  uint32_t choosers = 0, chooser = 0;
  for (uint32_t r = 0; r < p->sampler.game->role_count; r++) {
    alea_list legal;
    alea_status status = alea_cursor_legal(p->cursor, r, &legal);
    if (status != ALEA_OK) return status;
    if (legal.count == 0) return ALEA_NONE;
    p->joint[r] = legal.ids[0];
    if (legal.count == 1) continue;
    choosers++, chooser = r;
    p->joint[r] = draw(p, options->guide, r, legal);
    if (options->listener != NULL &&
        !alea_vec_push(p->mem, &p->moves, ((alea_played){r, p->joint[r]})))
      return alea_mem_lack(p->mem);
  }
  const alea_sample_tries *tries = options->tries;
  bool tried = choosers == 1 && tries != NULL && (chooser == tries->role || !tries->alone);
  return tried ? try_moves(p, options, chooser) : ALEA_OK;
}

static alea_status play_choosing(plain *p, const alea_sample_options *options, uint32_t step_cap,
                                 alea_playout *result) {
  *result = (alea_playout){0};
  p->moves.count = 0;
  p->kept_count = 0;
  if (step_cap == 0) step_cap = ALEA_DEFAULT_STEP_CAP;
  for (;;) {
    alea_status status = alea_cursor_terminal(p->cursor, &result->finished);
    if (status != ALEA_OK || result->finished || result->steps == step_cap) return status;
    if (options->watcher != NULL && result->steps % options->watcher->every == 0) status = keep(p);
    if (status == ALEA_OK) status = choose(p, options);
    if (status == ALEA_NONE) return ALEA_OK;
    if (status == ALEA_OK) status = alea_cursor_play(p->cursor, p->joint);
    if (status != ALEA_OK) return status;
    result->steps++;
  }
}

/* ---- games ---- */

static alea_status play(plain *p, const alea_sample_options *options, alea_playout *playout) {
  uint32_t step_cap = options != NULL ? options->step_cap : 0;
  if (options != NULL && (options->guide != NULL || options->listener != NULL ||
                          options->watcher != NULL || options->tries != NULL))
    return play_choosing(p, options, step_cap, playout);
  return alea_playout_run(p->cursor, &p->rng, step_cap, playout);
}

/* Values the cursor's position by what holds there. */
static void add_worth(plain *p, const alea_sample_worth *worth, alea_sample_result *result) {
  size_t count;
  const uint64_t *words = alea_cursor_state(p->cursor, &count);
  int32_t score = worth->base;
  for (size_t w = 0; w < count; w++)
    for (uint64_t bits = words[w]; bits != 0; bits &= bits - 1)
      score += worth->scores[64 * w + (unsigned)__builtin_ctzll(bits)];
  double share = 100 * (double)alea_sample_share(score);
  for (uint32_t r = 0; r < 2; r++) {
    double goal = r == worth->role ? share : 100 - share;
    result->sum[r] += goal;
    result->sum_squares[r] += goal * goal;
    p->goals[r] = (uint8_t)lrint(goal);
  }
}

static alea_status one_game(plain *p, const alea_sample_request *requests, uint32_t index,
                            const alea_sample_options *options, alea_sample_result *result) {
  const alea_sample_request *request = &requests[index];
  alea_playout playout;
  alea_status status = go_to(p, request->words, request->word_count);
  if (status == ALEA_OK) status = play(p, options, &playout);
  if (status != ALEA_OK) return status;
  result->states += playout.steps;
  if (!playout.finished) {
    result->unfinished++;
    bool cut = options != NULL && options->worth != NULL && playout.steps > 0 &&
               playout.steps == options->step_cap;
    if (!cut) return ALEA_OK;
    add_worth(p, options->worth, result);
  } else {
    result->playouts++;
    status = add_goals(p, result);
  }
  const alea_sample_listener *listener = options != NULL ? options->listener : NULL;
  if (status == ALEA_OK && listener != NULL)
    listener->heard(listener->context, index, p->moves.data, p->moves.count, p->goals);
  if (status == ALEA_OK && playout.finished && options != NULL && options->watcher != NULL)
    show(p, options->watcher);
  return status;
}

static alea_status plain_run(alea_sampler *sampler, const alea_sample_request *requests,
                             size_t count, const alea_sample_options *options,
                             alea_sample_result *results) {
  plain *p = plain_of(sampler);
  double seconds = options != NULL ? options->seconds : 0;
  double start = alea_clock_thread();
  if (options != NULL && options->tries != NULL && options->listener != NULL) return ALEA_USAGE;
  for (size_t i = 0; i < count; i++) {
    alea_sample_result *result = &results[i];
    *result = (alea_sample_result){.sum = result->sum, .sum_squares = result->sum_squares};
    memset(result->sum, 0, sampler->game->role_count * sizeof *result->sum);
    memset(result->sum_squares, 0, sampler->game->role_count * sizeof *result->sum_squares);
  }
  for (size_t i = 0; i < count; i++) {
    for (uint32_t k = 0; k < requests[i].playouts; k++) {
      if (seconds > 0 && alea_clock_thread() - start >= seconds) return ALEA_OK;
      if (options != NULL && options->over != NULL && options->over(options->over_context))
        return ALEA_OK;
      alea_status status = one_game(p, requests, (uint32_t)i, options, &results[i]);
      if (status != ALEA_OK) return status;
    }
  }
  return ALEA_OK;
}

static alea_status look(plain *p, bool *terminal, int *goals) {
  alea_status status = alea_cursor_terminal(p->cursor, terminal);
  for (uint32_t r = 0; r < p->sampler.game->role_count && status == ALEA_OK; r++)
    status = alea_cursor_goal(p->cursor, r, &goals[r]);
  return status;
}

static alea_status plain_expand(alea_sampler *sampler, const uint64_t *words, size_t word_count,
                                uint32_t role, const alea_move *moves, size_t move_count,
                                const alea_move *others, bool *terminal, int *goals) {
  plain *p = plain_of(sampler);
  uint32_t roles = sampler->game->role_count;
  for (uint32_t r = 0; r < roles; r++)
    if (r != role) p->joint[r] = others[r];
  for (size_t i = 0; i < move_count; i++) {
    alea_status status = go_to(p, words, word_count);
    p->joint[role] = moves[i];
    if (status == ALEA_OK) status = alea_cursor_play(p->cursor, p->joint);
    if (status == ALEA_OK) status = look(p, &terminal[i], goals + i * roles);
    if (status != ALEA_OK) return status;
  }
  return ALEA_OK;
}

static const alea_sampler_class plain_class = {
    .engine = "plain", .free = plain_free, .run = plain_run, .expand = plain_expand};

alea_status alea_sampler_new_plain(alea_sampler **sampler, const alea_game *game, uint64_t seed,
                                   alea_mem *mem) {
  *sampler = NULL;
  plain *p = alea_mem_zalloc(mem, sizeof *p);
  if (p == NULL) return alea_mem_lack(mem);
  p->sampler = (alea_sampler){&plain_class, game};
  p->mem = mem;
  alea_rng_seed(&p->rng, seed);
  p->joint = alea_mem_calloc(mem, game->role_count, sizeof *p->joint);
  alea_status status = alea_mem_lack(mem);
  p->goals = alea_mem_zalloc(mem, game->role_count);
  if (p->joint != NULL && p->goals != NULL) status = alea_cursor_new(game, mem, &p->cursor);
  if (status != ALEA_OK) {
    plain_free(&p->sampler);
    return status;
  }
  *sampler = &p->sampler;
  return ALEA_OK;
}
