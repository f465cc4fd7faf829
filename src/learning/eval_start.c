/* Learning from plays in lanes. */
#include "learning/eval_start.h"

#include "learning/eval_mobility.h"
#include "learning/eval_plays.h"
#include "learning/eval_trial.h"
#include "learning/eval_ways.h"
#include "minimax/piece_eval.h"
#include "propnet/propnet.h"

enum {
  SAMPLED_PLAYS = 512,           /* from whose positions moves are counted */
  FEW = 2,                       /* moves that are tried in one half of the rounds, */
  MANY = ALEA_SAMPLE_MOST_TRIES, /* and in the other, so that no single way to play is learnt */
  ROUND = 2048, /* plays, before what is tried is chosen by what they have taught */
  EXAM = 256,   /* plays that tell what an evaluation gets */
  PRICES = 3,   /* of a step that are tried, */
  TRIAL_PAIRS = 16,
  TRIAL_SIMS = 100,     /* for a move, */
  FEW_SIMS = 30,        /* the same after few plays: a verdict is needed soon, */
  LEAST_SIMS = 4,       /* and where time is short */
  ENOUGH_PLAYS = 10000, /* after which what was learnt is believed until it loses */
  MOST_RAISES = 4,
  MOST_SMOOTHS = 2,
  TIE_GATES = 16, /* gates of the rules for each play, above which symmetries are not sought */
};
static const double TIES_SHARE = 0.2;                      /* of the start, for symmetries */
static const double RANDOM_SHARE = 0.2, TRIED_SHARE = 0.5; /* when they end, of the start's */
static const double COUNTED_SHARE = 0.05; /* for counting moves, after random plays */
/* The same for trials of what they taught, of moves and of squares; then what is known before is
 * tried. */
static const double PLAYED_SHARE = 0.56, RAISE_SHARE = 0.68, SMOOTH_SHARE = 0.8;
static const double FIRST_RAISE = 0.1; /* of a kind's worth, in the logit, on average */
static const float SMOOTH = 0.3f;      /* of what squares are worth, that is left */
/* where nobody shares out 100: when plays end, the highest price of a step, in parts of the
 * difference between places, and the points that an evaluation must get more to be better */
static const double APART_SHARE = 0.6, FIRST_PRICE = 0.125, BETTER = 5;
static const double MOST_LOSS = 3; /* cross-entropy of outcomes by patterns that are believed */
static const float KEPT_SQUARES = 0.02f; /* of the random plays' gradients: others count now */

/* What is passed from one step of learning to the next. */
typedef struct beginner {
  alea_eval_start *start;
  alea_eval_plays plays;
  double prepared;           /* share of the time after which what the game is like was known */
  alea_u64s positions;       /* of random plays, */
  alea_eval_moves moves;     /* and what could be done there */
  alea_eval_weights weights; /* of outcomes alone */
  alea_eval_weights first;   /* with moves */
  alea_eval_weights prior;   /* what is known without learning */
  alea_eval_mobility mobility;
  alea_linear_eval candidate; /* what these are worth, for trials */
} beginner;

/* Time is over when this share of what there was after the preparations is. */
static void set_share(beginner *b, double share) {
  b->start->clock->share = b->prepared + share * (b->start->share - b->prepared);
}

/* The same for the i-th of several steps between two shares. */
static void set_part(beginner *b, double from, double to, int i, int count) {
  set_share(b, from + (to - from) * (i + 1) / count);
}

/* Whether symmetries are worth what it takes to find them: in large rules they are dear, and
 * have nothing to teach where there are few plays. */
static bool pays_to_tie(const alea_eval_start *s) {
  return s->clock->seconds > 0 ||
         s->plays >= alea_net_of_game(s->eval->game)->gate_count / TIE_GATES;
}

/* Finds out what the game is like, and ties features. */
static alea_status look(beginner *b) {
  alea_eval_start *s = b->start;
  alea_status status = alea_eval_plays_look(&b->plays);
  if (status != ALEA_OK) return status;
  if (s->eval->shares) alea_eval_patterns_tie(&s->eval->patterns);
  if (!s->eval->shares && s->parts > 1) s->clock->seconds /= s->parts;
  const alea_eval_clock *clock = s->clock;
  alea_deadline deadline =
      alea_budget_deadline(clock->budget, TIES_SHARE * s->share * clock->seconds);
  if (pays_to_tie(s))
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
  alea_status status =
      alea_eval_mobility_init(&b->mobility, eval, b->start->cursor, &b->positions, &b->moves);
  if (status != ALEA_OK) return status;
  alea_eval_mobility_add(&b->mobility, eval, b->mobility.worth);
  return alea_linear_eval_finish(eval, b->start->cursor, b->start->rng);
}

/* 'share' is when these plays end. */
static alea_status learn_random(beginner *b, uint64_t count, double share) {
  alea_linear_eval *eval = b->start->eval;
  set_share(b, share);
  alea_status status = alea_eval_plays_learn(&b->plays, count, 1);
  b->start->clock->share = b->start->share; /* what follows is short */
  uint32_t sampled = count < SAMPLED_PLAYS ? (uint32_t)count : SAMPLED_PLAYS;
  if (status == ALEA_OK) status = alea_eval_plays_collect(&b->plays, sampled, &b->positions);
  if (status == ALEA_OK) status = alea_linear_eval_save(eval, &b->weights);
  set_share(b, share + COUNTED_SHARE);
  if (status == ALEA_OK)
    status = alea_eval_mobility_count(eval, b->start->cursor, &b->positions, alea_eval_clock_over,
                                      b->start->clock, &b->moves);
  b->start->clock->share = b->start->share;
  return status == ALEA_OK ? add_moves(b) : status;
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

/* Plays games of the evaluation against the candidate; what does not win them, or with 'trusted'
 * what loses them, gives way to 'weights', which are the candidate's. */
static alea_status compete(beginner *b, const alea_eval_weights *weights, bool trusted,
                           bool *kept) {
  alea_eval_start *s = b->start;
  uint32_t sims = s->eval->plays < ENOUGH_PLAYS ? FEW_SIMS : TRIAL_SIMS;
  alea_eval_trial trial = {.setup = s->setup,
                           .evals = {s->eval, &b->candidate},
                           .pairs = TRIAL_PAIRS,
                           .sims = sims,
                           .least = LEAST_SIMS,
                           .positions = alea_eval_trial_positions(s->plays),
                           .rng = s->rng,
                           .clock = s->clock};
  alea_status status = alea_eval_trial_run(&trial);
  *kept = trusted ? !alea_eval_trial_lost(&trial) : alea_eval_trial_won(&trial);
  if (status != ALEA_OK || *kept) return status;
  alea_linear_eval_restore(s->eval, weights);
  return alea_linear_eval_finish(s->eval, s->cursor, s->rng);
}

/* Makes the evaluation the candidate, and saves its weights. */
static alea_status nominate(beginner *b, alea_eval_weights *weights) {
  alea_linear_eval_clear(&b->candidate);
  alea_status status = alea_linear_eval_save(b->start->eval, weights);
  return status == ALEA_OK ? alea_linear_eval_copy(&b->candidate, b->start->eval) : status;
}

/* Moves may be worth more than outcomes tell: more and more is tried, as long as it wins. */
static alea_status raise_moves(beginner *b) {
  alea_linear_eval *eval = b->start->eval;
  double worth = FIRST_RAISE * alea_eval_mobility_unit(&b->mobility);
  bool won = worth > 0;
  alea_status status = ALEA_OK;
  for (int i = 0; status == ALEA_OK && won && i < MOST_RAISES; i++, worth *= 2) {
    set_part(b, PLAYED_SHARE, RAISE_SHARE, i, MOST_RAISES);
    if (alea_eval_clock_over(b->start->clock)) return ALEA_OK;
    status = nominate(b, &b->first);
    if (status != ALEA_OK) return status;
    alea_eval_mobility_add(&b->mobility, eval, worth);
    status = alea_linear_eval_finish(eval, b->start->cursor, b->start->rng);
    if (status == ALEA_OK) status = compete(b, &b->first, false, &won);
  }
  return status;
}

/* Where a piece stands may matter less than plays tell, in which nobody knows what to do there.
 * What trials cannot tell apart is smoothed: it says less. */
static alea_status smooth(beginner *b) {
  alea_linear_eval *eval = b->start->eval;
  bool kept = true;
  alea_status status = ALEA_OK;
  for (int i = 0; status == ALEA_OK && kept && i < MOST_SMOOTHS; i++) {
    set_part(b, RAISE_SHARE, SMOOTH_SHARE, i, MOST_SMOOTHS);
    if (alea_eval_clock_over(b->start->clock)) return ALEA_OK;
    status = nominate(b, &b->first);
    if (status != ALEA_OK) return status;
    alea_linear_eval_smooth(eval, SMOOTH);
    status = alea_linear_eval_finish(eval, b->start->cursor, b->start->rng);
    if (status == ALEA_OK) status = compete(b, &b->first, i == 0, &kept);
  }
  return status;
}

/* Makes a count of pieces, with the patterns of the goals unless outcomes of random plays
 * contradict them, as where there are thousands beside each other; '*live': with patterns. */
static alea_status make_prior(beginner *b, bool *live) {
  alea_linear_eval *eval = b->start->eval;
  double loss = 0;
  alea_status status = alea_piece_weights(eval, b->start->cursor, b->start->rng);
  alea_eval_patterns_begin(&eval->patterns, eval->role);
  eval->patterns.live = eval->patterns.list.count > 0;
  alea_linear_eval_settle(eval, 1);
  if (status == ALEA_OK && eval->patterns.live)
    status = alea_eval_plays_foresee(&b->plays, SAMPLED_PLAYS, &loss);
  if (loss > MOST_LOSS) eval->patterns.live = false;
  *live = eval->patterns.live;
  return status == ALEA_OK ? alea_linear_eval_finish(eval, b->start->cursor, b->start->rng)
                           : status;
}

/* What is known without learning, a count of pieces with the patterns of the goals, is kept
 * where what was learnt from enough plays loses against it, or what was learnt from few does
 * not win.  Where there are patterns, more is asked of what knows none: it has to win, as has what
 * was learnt with the patterns added. */
static alea_status consult_prior(beginner *b) {
  alea_eval_start *s = b->start;
  alea_eval_patterns *patterns = &s->eval->patterns;
  bool live = false;
  if (alea_eval_clock_over(s->clock)) return ALEA_OK;
  alea_status status = alea_linear_eval_save(s->eval, &b->first);
  if (status == ALEA_OK) status = make_prior(b, &live);
  if (status == ALEA_OK) status = nominate(b, &b->prior);
  bool kept = false, trusted = !live && s->eval->plays >= ENOUGH_PLAYS;
  int tries = live ? 2 : 1;
  for (int i = 0; status == ALEA_OK && !kept && i < tries; i++) {
    set_part(b, SMOOTH_SHARE, 1, i, tries);
    alea_linear_eval_restore(s->eval, &b->first);
    alea_eval_patterns_begin(patterns, s->eval->role);
    patterns->live = i > 0;
    status = alea_linear_eval_finish(s->eval, s->cursor, s->rng);
    if (status == ALEA_OK) status = compete(b, &b->prior, trusted, &kept);
  }
  return status;
}

/* Plays that try moves, where one loses what the other wins; what they teach must win. */
static alea_status learn_opposed(beginner *b, uint64_t plays) {
  bool won;
  alea_status status = nominate(b, &b->first);
  if (status == ALEA_OK) status = learn_tried(b, plays);
  set_share(b, PLAYED_SHARE);
  if (status == ALEA_OK) status = compete(b, &b->first, false, &won);
  if (status == ALEA_OK) status = raise_moves(b);
  if (status == ALEA_OK) status = smooth(b);
  set_share(b, 1);
  return status == ALEA_OK ? consult_prior(b) : status;
}

/* The weights of now, with places raised at some price of a step; what gets the most in plays of
 * the role stays. */
static alea_status raise_places(beginner *b, const alea_eval_ways *ways) {
  alea_eval_start *s = b->start;
  double most = 0, price = FIRST_PRICE * alea_eval_ways_range(ways, s->eval);
  alea_status status = alea_linear_eval_save(s->eval, &b->prior);
  if (status == ALEA_OK) status = alea_linear_eval_save(s->eval, &b->first);
  if (status == ALEA_OK) status = alea_eval_plays_goal(&b->plays, EXAM, MANY, &most);
  most += BETTER;
  for (int i = 0; status == ALEA_OK && price > 0 && i < PRICES; i++, price /= 2) {
    double goal = -1;
    alea_linear_eval_restore(s->eval, &b->first);
    alea_linear_eval_settle(s->eval, 1);
    status = alea_eval_ways_raise(ways, s->eval, price);
    alea_linear_eval_settle(s->eval, 1);
    if (status == ALEA_OK) status = alea_eval_plays_goal(&b->plays, EXAM, MANY, &goal);
    if (goal <= most || alea_eval_clock_over(s->clock)) continue;
    most = goal;
    if (status == ALEA_OK) status = alea_linear_eval_save(s->eval, &b->prior);
  }
  alea_linear_eval_restore(s->eval, &b->prior);
  return status == ALEA_OK ? alea_linear_eval_finish(s->eval, s->cursor, s->rng) : status;
}

/* Where nobody's loss is another's gain. */
static alea_status learn_apart(beginner *b) {
  alea_eval_start *s = b->start;
  alea_eval_ways ways = {0};
  set_share(b, 1);
  alea_status status =
      alea_eval_ways_init(&ways, s->eval, s->cursor, &b->positions, alea_eval_clock_over, s->clock);
  if (status == ALEA_OK && ways.list.count > 0) status = raise_places(b, &ways);
  alea_eval_ways_clear(&ways, s->eval->mem);
  return status;
}

static alea_status learn(beginner *b) {
  alea_eval_start *s = b->start;
  alea_status status = look(b);
  if (status != ALEA_OK || s->plays == 0) return status;
  bool chance = s->eval->game->random_role >= 0, opposed = s->eval->shares && !chance;
  uint64_t tried = opposed ? s->plays - s->plays / 4 : 0;
  double share = opposed ? RANDOM_SHARE : chance ? 1 : APART_SHARE;
  status = learn_random(b, s->plays - tried, share);
  if (status != ALEA_OK || chance || alea_eval_clock_over(s->clock)) return status;
  return opposed ? learn_opposed(b, tried) : learn_apart(b);
}

alea_status alea_eval_start_learn(alea_eval_start *start) {
  beginner b = {.start = start};
  alea_mem *mem = start->eval->mem;
  alea_status status = alea_eval_plays_init(&b.plays, start->eval, start->setup->services,
                                            alea_rng_next(start->rng));
  b.plays.over = alea_eval_clock_over;
  b.plays.over_context = start->clock;
  start->clock->share = start->share;
  if (status == ALEA_OK) status = learn(&b);
  alea_eval_plays_clear(&b.plays);
  alea_linear_eval_clear(&b.candidate);
  alea_eval_mobility_clear(&b.mobility, mem);
  alea_vec_clear(mem, &b.positions);
  alea_vec_clear(mem, &b.moves);
  alea_vec_clear(mem, &b.weights);
  alea_vec_clear(mem, &b.first);
  alea_vec_clear(mem, &b.prior);
  alea_linear_eval_settle(start->eval, KEPT_SQUARES);
  return status;
}
