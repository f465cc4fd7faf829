/* Learning from plays in lanes. */
#include "play/eval_start.h"

#include "play/eval_mobility.h"
#include "play/eval_plays.h"
#include "play/eval_trial.h"

enum {
  SAMPLED_PLAYS = 512,           /* from whose positions moves are counted */
  FEW = 2,                       /* moves that are tried in one half of the rounds, */
  MANY = ALEA_SAMPLE_MOST_TRIES, /* and in the other, so that no single way to play is learnt */
  ROUND = 2048, /* plays, before what is tried is chosen by what they have taught */
  TRIAL_PAIRS = 16,
  TRIAL_SIMS = 100, /* for a move */
  MOST_RAISES = 4,
};
static const double TIES_SHARE = 0.2;                        /* of the start, for symmetries */
static const double RANDOM_SHARE = 0.25, TRIED_SHARE = 0.75; /* when they end, of the start's */
static const double FIRST_RAISE = 0.1;   /* of a kind's worth, in the logit, on average */
static const float KEPT_SQUARES = 0.02f; /* of the random plays' gradients: others count now */

/* What is passed from one step of learning to the next. */
typedef struct beginner {
  alea_eval_start *start;
  alea_eval_plays plays;
  double prepared;           /* share of the time after which what the game is like was known */
  alea_u64s positions;       /* of random plays */
  alea_eval_weights weights; /* of outcomes alone */
  alea_eval_weights first;   /* with moves */
  alea_eval_mobility mobility;
  alea_linear_eval candidate; /* what these are worth, for trials */
} beginner;

/* Time is over when this share of what there was after the preparations is. */
static void set_share(beginner *b, double share) {
  b->start->clock->share = b->prepared + share * (b->start->share - b->prepared);
}

/* Finds out what the game is like, and ties features. */
static alea_status look(beginner *b) {
  alea_eval_start *s = b->start;
  alea_status status = alea_eval_plays_look(&b->plays);
  if (status != ALEA_OK) return status;
  if (!s->eval->shares && s->parts > 1) s->clock->seconds /= s->parts;
  const alea_eval_clock *clock = s->clock;
  alea_deadline deadline =
      alea_budget_deadline(clock->budget, TIES_SHARE * s->share * clock->seconds);
  status = alea_eval_features_tie(&s->eval->features, s->setup->services, s->eval->shares,
                                  clock->seconds > 0 ? &deadline : NULL);
  if (clock->seconds > 0)
    b->prepared = (alea_budget_now(clock->budget) - clock->start) / clock->seconds;
  if (b->prepared > s->share) b->prepared = s->share;
  return status;
}

/* Makes scores, with what moves are worth. */
static alea_status add_moves(beginner *b) {
  alea_linear_eval *eval = b->start->eval;
  alea_eval_mobility_clear(&b->mobility, eval->mem);
  alea_linear_eval_settle(eval, 1);
  alea_status status = alea_eval_mobility_init(&b->mobility, eval, b->start->cursor, &b->positions);
  if (status != ALEA_OK) return status;
  alea_eval_mobility_add(&b->mobility, eval, b->mobility.worth);
  return alea_linear_eval_finish(eval, b->start->cursor, b->start->rng);
}

static alea_status learn_random(beginner *b, uint64_t count) {
  alea_linear_eval *eval = b->start->eval;
  alea_status status = alea_eval_plays_learn(&b->plays, count, 1);
  b->start->clock->share = b->start->share; /* what follows is short */
  if (status == ALEA_OK) status = alea_eval_plays_collect(&b->plays, SAMPLED_PLAYS, &b->positions);
  if (status == ALEA_OK) status = alea_linear_eval_save(eval, &b->weights);
  if (status == ALEA_OK) status = add_moves(b);
  if (status == ALEA_OK) status = alea_linear_eval_save(eval, &b->first);
  return status == ALEA_OK ? alea_linear_eval_copy(&b->candidate, eval) : status;
}

static alea_status learn_tried(beginner *b, uint64_t count) {
  alea_linear_eval *eval = b->start->eval;
  alea_status status = ALEA_OK;
  set_share(b, TRIED_SHARE);
  alea_linear_eval_restore(eval, &b->weights);
  alea_linear_eval_settle(eval, KEPT_SQUARES);
  for (uint32_t i = 0; status == ALEA_OK && count > 0 && !alea_eval_clock_over(b->start->clock);
       i++) {
    uint64_t round = count < ROUND ? count : ROUND;
    status = alea_eval_plays_learn(&b->plays, round, i % 2 == 0 ? FEW : MANY);
    alea_linear_eval_settle(eval, 1);
    count -= round;
  }
  return status == ALEA_OK ? add_moves(b) : status;
}

/* Plays games against the candidate; what loses them gives way to 'weights'. */
static alea_status compete(beginner *b, const alea_eval_weights *weights, bool *won) {
  alea_eval_start *s = b->start;
  alea_eval_trial trial = {.setup = s->setup,
                           .evals = {s->eval, &b->candidate},
                           .pairs = TRIAL_PAIRS,
                           .sims = TRIAL_SIMS,
                           .positions = alea_eval_trial_positions(s->plays),
                           .rng = s->rng,
                           .over = alea_eval_clock_over,
                           .over_context = s->clock};
  alea_status status = alea_eval_trial_run(&trial);
  *won = alea_eval_trial_won(&trial);
  if (status != ALEA_OK || *won) return status;
  alea_linear_eval_restore(s->eval, weights);
  return alea_linear_eval_finish(s->eval, s->cursor, s->rng);
}

/* Moves may be worth more than outcomes tell: more and more is tried, as long as it wins. */
static alea_status raise_moves(beginner *b) {
  alea_linear_eval *eval = b->start->eval;
  double worth = FIRST_RAISE * alea_eval_mobility_unit(&b->mobility);
  bool won = worth > 0;
  alea_status status = ALEA_OK;
  for (int i = 0; status == ALEA_OK && won && i < MOST_RAISES; i++, worth *= 2) {
    if (alea_eval_clock_over(b->start->clock)) return ALEA_OK;
    alea_linear_eval_clear(&b->candidate);
    status = alea_linear_eval_save(eval, &b->first);
    if (status == ALEA_OK) status = alea_linear_eval_copy(&b->candidate, eval);
    if (status != ALEA_OK) return status;
    alea_eval_mobility_add(&b->mobility, eval, worth);
    status = alea_linear_eval_finish(eval, b->start->cursor, b->start->rng);
    if (status == ALEA_OK) status = compete(b, &b->first, &won);
  }
  return status;
}

static alea_status learn(beginner *b) {
  alea_eval_start *s = b->start;
  alea_status status = look(b);
  if (status != ALEA_OK || s->plays == 0) return status;
  bool opposed = s->eval->shares && s->eval->game->random_role < 0;
  uint64_t tried = opposed ? s->plays - s->plays / 4 : 0;
  set_share(b, opposed ? RANDOM_SHARE : 1);
  status = learn_random(b, s->plays - tried);
  if (status != ALEA_OK || tried == 0 || alea_eval_clock_over(s->clock)) return status;
  status = learn_tried(b, tried);
  set_share(b, 1);
  bool won;
  if (status == ALEA_OK) status = compete(b, &b->first, &won);
  return status == ALEA_OK ? raise_moves(b) : status;
}

alea_status alea_eval_start_learn(alea_eval_start *start) {
  beginner b = {.start = start};
  alea_mem *mem = start->eval->mem;
  alea_status status = alea_eval_plays_init(&b.plays, start->eval, alea_rng_next(start->rng));
  b.plays.over = alea_eval_clock_over;
  b.plays.over_context = start->clock;
  start->clock->share = start->share;
  if (status == ALEA_OK) status = learn(&b);
  alea_eval_plays_clear(&b.plays);
  alea_linear_eval_clear(&b.candidate);
  alea_eval_mobility_clear(&b.mobility, mem);
  alea_vec_clear(mem, &b.positions);
  alea_vec_clear(mem, &b.weights);
  alea_vec_clear(mem, &b.first);
  alea_linear_eval_settle(start->eval, KEPT_SQUARES);
  return status;
}
