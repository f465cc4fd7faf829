/* Games for temporal differences. */
#include "learning/td_games.h"

#include <math.h>
#include <string.h>

#include "game/random_joint.h"
#include "propnet/propnet.h"

enum {
  MOST_STEPS = 400, /* of a game */
  OPENING = 12,     /* random steps at the beginning, less than so many */
};
static const float LAMBDA = 0.8f;        /* what is found out later counts so much */
static const double RANDOM_MOVES = 0.05; /* of those behind the opening */
static const float WARMTH =
    0.3f;                        /* by so much of a logit moves differ whose choice is still open */
static const float WORSE = 0.7f; /* a move that loses more of a logit is a mistake */
static const float DECIDED = 12; /* the logit of a game that is won */

alea_status alea_td_games_init(alea_td_games *g) {
  alea_mem *mem = g->eval->mem;
  const alea_net *net = alea_net_of_game(g->eval->game);
  for (uint32_t r = 0; r < ALEA_TD_ROLES; r++) {
    g->ends[r] = alea_mem_calloc(mem, net->move_first[r + 1] - net->move_first[r], 1);
    if (g->ends[r] == NULL) return alea_mem_lack(mem);
  }
  return ALEA_OK;
}

void alea_td_games_clear(alea_td_games *g) {
  if (g->eval == NULL) return;
  alea_mem *mem = g->eval->mem;
  const alea_net *net = alea_net_of_game(g->eval->game);
  for (uint32_t r = 0; r < ALEA_TD_ROLES; r++)
    alea_mem_free(mem, g->ends[r], net->move_first[r + 1] - net->move_first[r]);
  alea_vec_clear(mem, &g->words);
  alea_vec_clear(mem, &g->moves);
  alea_vec_clear(mem, &g->steps);
}

/* The position where a move is chosen. */
typedef struct td_place {
  const uint64_t *words;
  size_t count;
  alea_move joint[ALEA_TD_ROLES];
  uint32_t chooser; /* as many as there are roles: nobody chooses */
  bool alone;       /* nobody else does */
  int32_t linear;   /* score */
  alea_network_sums sums;
  float best, made; /* logits for the chooser: of the best move, and of that which is made */
} td_place;

static float probability(float logit) { return 1 / (1 + expf(-logit)); }

/* The logit of a goal. */
static float logit_of(int goal) {
  return goal >= 100 ? DECIDED : goal <= 0 ? -DECIDED : logf((float)goal / (float)(100 - goal));
}

/* What the evaluation's role has got where the cursor stands, if the game is over there. */
static alea_status look_for_end(const alea_td_games *g, bool *over, float *logit) {
  int goals[ALEA_TD_ROLES];
  uint32_t role = g->eval->role;
  alea_status status = alea_cursor_terminal(g->cursor, over);
  for (uint32_t r = 0; status == ALEA_OK && *over && r < ALEA_TD_ROLES; r++)
    status = alea_cursor_goal(g->cursor, r, &goals[r]);
  if (status == ALEA_OK && *over)
    *logit = logit_of(alea_linear_eval_goal(g->eval, goals[role], goals[1 - role]));
  return status;
}

/* The same behind a joint move; the cursor comes back. */
static alea_status try_end(const alea_td_games *g, const td_place *at, bool *over, float *logit) {
  alea_status status = alea_cursor_play(g->cursor, at->joint);
  if (status == ALEA_OK) status = look_for_end(g, over, logit);
  return status == ALEA_OK ? alea_cursor_load(g->cursor, at->words, at->count) : status;
}

/* What the evaluation says of the position behind a joint move, as a logit for its role. */
static float look_ahead(const alea_td_games *g, const td_place *at) {
  const alea_eval_network *network = &g->eval->network;
  const uint64_t *to = alea_net_preview(g->cursor, at->joint);
  alea_network_sums sums;
  alea_eval_network_step(network, at->words, to, at->count, &at->sums, &sums);
  int32_t score = at->linear + alea_linear_eval_step(g->eval, at->words, to) +
                  alea_eval_network_value(network, &sums);
  return g->scale * (float)score / ALEA_EVAL_UNIT;
}

/* The logit of a move of the one who chooses, for him. */
static alea_status value_move(const alea_td_games *g, td_place *at, alea_move move, float *logit) {
  bool over = false;
  alea_status status = ALEA_OK;
  at->joint[at->chooser] = move;
  if (g->ends[at->chooser][move]) status = try_end(g, at, &over, logit);
  if (!over) *logit = look_ahead(g, at);
  if (at->chooser != g->eval->role) *logit = -*logit;
  return status;
}

/* Distributed so that the largest of logits to which it is added is drawn as by a softmax
 * (Gumbel). */
static float noise(alea_rng *rng) { return -logf(-logf((float)alea_rng_unit(rng) + 1e-9f)); }

/* Chooses a move, one of the best or, with 'random', the one that was drawn. */
static alea_status choose(alea_td_games *g, td_place *at, bool random) {
  alea_list legal;
  alea_status status = alea_cursor_legal(g->cursor, at->chooser, &legal);
  if (status != ALEA_OK) return status;
  g->moves.count = 0;
  if (!alea_vec_reserve(g->eval->mem, &g->moves, legal.count)) return alea_mem_lack(g->eval->mem);
  g->moves.count = legal.count;
  memcpy(g->moves.data, legal.ids, legal.count * sizeof *legal.ids);
  alea_move drawn = at->joint[at->chooser], chosen = drawn;
  float most = -INFINITY;
  at->best = -INFINITY;
  for (size_t i = 0; status == ALEA_OK && i < g->moves.count; i++) {
    alea_move move = g->moves.data[i];
    float logit = 0;
    status = value_move(g, at, move, &logit);
    float chance = random ? (float)(move == drawn) : logit / WARMTH + noise(g->rng);
    if (logit > at->best) at->best = logit;
    if (chance <= most) continue;
    most = chance;
    chosen = move;
    at->made = logit;
  }
  at->joint[at->chooser] = chosen;
  return status;
}

/* Notes what the position is worth. */
static bool note(alea_td_games *g, const td_place *at) {
  float sign = at->chooser == g->eval->role ? 1 : -1;
  alea_td_step step = {.forced = at->chooser == ALEA_TD_ROLES, .follows = true};
  if (!step.forced) {
    step.value = probability(sign * at->best);
    step.follows = at->made > at->best - WORSE;
    step.shared = !at->alone;
  }
  return alea_vec_push(g->eval->mem, &g->steps, step);
}

/* Keeps the position, and finds out who chooses there. */
static alea_status arrive(alea_td_games *g, td_place *at, bool *stuck) {
  alea_list legal;
  const uint64_t *words = alea_cursor_state(g->cursor, &at->count);
  if (!alea_vec_reserve(g->eval->mem, &g->words, at->count)) return alea_mem_lack(g->eval->mem);
  memcpy(g->words.data + g->words.count, words, at->count * sizeof *words);
  at->words = g->words.data + g->words.count;
  g->words.count += at->count;
  alea_status status =
      alea_random_joint(g->cursor, ALEA_TD_ROLES, g->rng, at->joint, &at->chooser, stuck);
  if (status != ALEA_OK || *stuck || at->chooser == ALEA_TD_ROLES) return status;
  status = alea_cursor_legal(g->cursor, 1 - at->chooser, &legal);
  at->alone = status == ALEA_OK && legal.count == 1;
  at->linear = alea_linear_eval_score(g->eval, at->words);
  alea_eval_network_begin(&g->eval->network, at->words, at->count, &at->sums);
  return status;
}

/* A step of the game. */
static alea_status step(alea_td_games *g, bool random, bool *over, float *logit) {
  td_place at = {0};
  bool stuck = false;
  alea_status status = arrive(g, &at, &stuck);
  if (status == ALEA_OK && stuck) return g->words.count -= at.count, *over = true, ALEA_OK;
  if (status == ALEA_OK && at.chooser < ALEA_TD_ROLES)
    status = choose(g, &at, random || alea_rng_unit(g->rng) < RANDOM_MOVES);
  if (status == ALEA_OK && !note(g, &at)) return alea_mem_lack(g->eval->mem);
  if (status == ALEA_OK) status = alea_cursor_play(g->cursor, at.joint);
  if (status == ALEA_OK) status = look_for_end(g, over, logit);
  if (*over && at.chooser < ALEA_TD_ROLES) g->ends[at.chooser][at.joint[at.chooser]] = 1;
  return status;
}

/* Tells of the positions, the last first. */
static alea_status tell(const alea_td_games *g, bool over, float logit) {
  alea_status status = ALEA_OK;
  size_t count = g->steps.count, word_count = count > 0 ? g->words.count / count : 0;
  float worth = over ? probability(logit) : 0;
  bool known = over;
  for (size_t i = count; status == ALEA_OK && i-- > 0;) {
    const alea_td_step *it = &g->steps.data[i];
    if (it->shared || (it->forced && !known)) continue;
    if (!it->forced)
      worth = known && it->follows ? LAMBDA * worth + (1 - LAMBDA) * it->value : it->value;
    known = true;
    status = g->hear(g->context, g->words.data + i * word_count, worth);
  }
  return status;
}

alea_status alea_td_games_play(alea_td_games *g) {
  uint32_t opening = alea_rng_below(g->rng, OPENING);
  bool over = false;
  float logit = 0;
  g->steps.count = 0;
  g->words.count = 0;
  alea_status status = alea_cursor_reset(g->cursor);
  for (uint32_t i = 0; status == ALEA_OK && i < MOST_STEPS && !over; i++) {
    if (g->over(g->context)) break;
    status = step(g, i < opening, &over, &logit);
  }
  return status == ALEA_OK ? tell(g, over, logit) : status;
}
