/* Learning of the network beside a linear evaluation. */
#include "learning/network_learning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "game/random_joint.h"
#include "learning/eval_trial.h"
#include "learning/network_fit.h"
#include "learning/proved_lines.h"
#include "learning/self_games.h"
#include "learning/td_games.h"
#include "learning/trial_pairs.h"
#include "propnet/propnet.h"

enum {
  MOST_ROLES = 2,
  DIFFERENCES = 30,           /* examples from games, for each from a search, */
  DEVICE_DIFFERENCES = 1000,  /* and where a GPU plays them */
  DIFFERENCE_CHUNK = 1 << 14, /* of them, after which the network is fitted to those */
  DIFFERENCE_ROUNDS = 2,
  SIMS = 30,               /* of a search, */
  FAR_SIMS = 300,          /* and where values were proved */
  TABLE = 10000,           /* bytes, for each simulation of a search */
  FIRST_ROUND = 20000,     /* examples before the network is fitted first */
  FIRST_TRIAL = 60000,     /* before it is tried first, and then from twice as many on */
  ROUNDS = 2,              /* through the examples, each time, */
  FAR_ROUNDS = 8,          /* and where values were proved */
  GENERATIONS = 4,         /* of examples are as many as those; two are kept */
  MOST_EXAMPLES = 2000000, /* that are kept */
  MOST_BYTES = 1 << 28,    /* of them */
  LEAST_EXAMPLES = 256,    /* from which anything is learnt */
  MOST_IDLE = 512,         /* games without an example, after which there are none */
  DRIFT_STEPS = 10000,     /* by which the drift is found */
  TRIAL_PAIRS = 32,
  TRIAL_SIMS = 500,
  DEEP_PAIRS = 16, /* of the second part of a trial, where searches look further */
  DEEP_SIMS = 4000,
  TRIAL_POSITIONS = 150, /* for each example: a half of the work that it was, at most */
};
static const double GROWTH = 0.5; /* of the examples, before the network is fitted anew */
static const float DIFFERENCE_RATE = 3e-3f, LAST_DIFFERENCE_RATE = 1e-5f;
static const float RATE = 3e-4f, PROVED_RATE = 2e-3f, LAST_RATE = 1e-4f;
static const double MOST_LOGIT = 9;
static const double DIFFERENCE_SHARE = 0.6; /* of the time; what came before it is in that */
static const double LEARN_SHARE = 0.85;     /* of the time; then it is tried */
static const double PROVE_SHARE = 0.4;      /* of the time */
static const double CERTAIN = 0.97;         /* of what no logit is enough for */
static const double DRIFT = 0.99;           /* share of moves that change less */
static const float TRUSTS[] = {1, 0.5f};    /* how much of what it says counts, for trials */

typedef struct network_pupil {
  const alea_network_lessons *l;
  alea_linear_eval player; /* the linear evaluation, and the network so far */
  alea_linear_eval best;   /* what has to be beaten: the same without one, with that of before, or
                              with the last that won */
  bool goes_on;            /* with a network that there was */
  alea_self_games self_games;
  alea_td_games td_games;
  alea_fluent_symmetry symmetry;
  alea_network_fit fit;
  alea_network_examples examples;
  size_t proved;        /* examples; they come first, and stay */
  uint64_t seen;        /* examples, those included that are forgotten */
  uint64_t differences; /* examples before them, of games, that are all forgotten, */
  uint64_t factor;      /* and how many of them are wanted for each from a search */
} network_pupil;

/* ---- examples ---- */

/* Examples of a generation, where values were proved. */
static uint64_t generation_of(const network_pupil *p) { return p->proved / GENERATIONS + 1; }

/* How many there is room for. */
static size_t room_of(const network_pupil *p) {
  size_t bytes = p->examples.word_count * sizeof(uint64_t) + sizeof(alea_network_example);
  size_t most = MOST_BYTES / bytes < MOST_EXAMPLES ? MOST_BYTES / bytes : MOST_EXAMPLES;
  size_t kept = p->proved + 2 * generation_of(p);
  return p->proved > 0 && kept < most ? kept : most;
}

/* Keeps an example, in the place of the oldest where there is no room for more. */
static alea_status keep(network_pupil *p, const uint64_t *words, alea_network_example example) {
  alea_network_examples *e = &p->examples;
  alea_mem *mem = p->l->setup->mem;
  size_t bytes = e->word_count * sizeof *words, at = e->list.count;
  if (at >= room_of(p)) {
    at = p->proved + (p->seen - p->proved) % (at - p->proved);
  } else {
    if (!alea_vec_reserve(mem, &e->words, e->word_count) || !alea_vec_push(mem, &e->list, example))
      return alea_mem_lack(mem);
    e->words.count += e->word_count;
  }
  memcpy(e->words.data + at * e->word_count, words, bytes);
  e->list.data[at] = example;
  p->seen++;
  return ALEA_OK;
}

/* Whether searches have valued as many positions as they are to. */
static bool is_enough(const network_pupil *p) { return p->seen - p->proved >= p->l->positions; }

static alea_network_example example_of(const network_pupil *p, const uint64_t *words,
                                       double target) {
  float linear = (float)alea_linear_eval_score(&p->player, words) / ALEA_EVAL_UNIT;
  return (alea_network_example){.linear = linear, .target = (float)target};
}

/* Plays games against itself, and makes what searches think of their positions examples. */
static alea_status gather_opinions(network_pupil *p) {
  alea_self_games *games = &p->self_games;
  double belief = alea_network_fit_scale(&p->fit);
  alea_status status = alea_self_games_next(games, p->l->positions - (p->seen - p->proved));
  for (size_t i = 0; status == ALEA_OK && i < games->value.count && !is_enough(p); i++) {
    const uint64_t *words = games->words.data + i * p->examples.word_count;
    double logit = belief * log(games->value.data[i] / (100 - games->value.data[i]));
    logit = fmax(-MOST_LOGIT, fmin(MOST_LOGIT, logit));
    status = keep(p, words, example_of(p, words, 1 / (1 + exp(-logit))));
  }
  return status;
}

/* Makes positions examples whose values are proved, half of those that there is room for at
 * most. */
static alea_status gather_proofs(network_pupil *p) {
  uint64_t wanted = room_of(p) / 2 < p->l->proved ? room_of(p) / 2 : p->l->proved;
  alea_proved_lines lines;
  alea_status status =
      alea_proved_lines_init(&lines, p->l->setup, alea_rng_next(p->l->rng), p->l->threads);
  lines.stop = p->l->clock->budget->stop;
  p->l->clock->share = PROVE_SHARE;
  while (status == ALEA_OK && p->seen < wanted && !alea_eval_clock_over(p->l->clock)) {
    status = alea_proved_lines_next(&lines);
    if (lines.values.count == 0) break;
    for (size_t i = 0; status == ALEA_OK && i < lines.values.count && p->seen < wanted; i++) {
      const uint64_t *words = lines.words.data + i * lines.word_count;
      double share = lines.values.data[i] / 100.0;
      status = keep(p, words, example_of(p, words, 0.5 + CERTAIN * (share - 0.5)));
    }
  }
  p->l->clock->share = LEARN_SHARE;
  p->proved = p->examples.list.count;
  alea_proved_lines_clear(&lines);
  return status;
}

/* ---- fitting ---- */

static int compare(const void *a, const void *b) {
  const int32_t *x = a, *y = b;
  return *x < *y ? -1 : *x > *y;
}

typedef ALEA_VEC(int32_t) drift_sizes;

/* Notes by how much a random move at an example changes what the network says. */
static alea_status note_change(network_pupil *p, const uint64_t *words, drift_sizes *sizes) {
  const alea_eval_network *network = &p->player.network;
  size_t count = p->examples.word_count;
  alea_move joint[MOST_ROLES];
  alea_network_sums sums[2];
  uint32_t chooser;
  bool stuck;
  alea_status status = alea_cursor_load(p->l->cursor, words, count);
  if (status == ALEA_OK)
    status = alea_random_joint(p->l->cursor, MOST_ROLES, p->l->rng, joint, &chooser, &stuck);
  if (status != ALEA_OK || stuck) return status;
  const uint64_t *to = alea_net_preview(p->l->cursor, joint);
  alea_eval_network_begin(network, words, count, &sums[0]);
  alea_eval_network_step(network, words, to, count, &sums[0], &sums[1]);
  int32_t size =
      abs(alea_eval_network_value(network, &sums[1]) - alea_eval_network_value(network, &sums[0]));
  alea_mem *mem = p->l->setup->mem;
  return alea_vec_push(mem, sizes, size) ? ALEA_OK : alea_mem_lack(mem);
}

static alea_status find_drift(network_pupil *p) {
  drift_sizes sizes = {0};
  alea_status status = ALEA_OK;
  uint32_t count = (uint32_t)p->examples.list.count;
  for (int i = 0; status == ALEA_OK && count > 0 && i < DRIFT_STEPS; i++) {
    size_t at = alea_rng_below(p->l->rng, count);
    status = note_change(p, p->examples.words.data + at * p->examples.word_count, &sizes);
  }
  if (sizes.count > 0) qsort(sizes.data, sizes.count, sizeof *sizes.data, compare);
  p->player.network.drift = sizes.count > 0 ? sizes.data[(size_t)(DRIFT * (double)sizes.count)] : 0;
  alea_vec_clear(p->l->setup->mem, &sizes);
  return status;
}

/* Makes what was fitted the player's network. */
static alea_status take(network_pupil *p, float trust) {
  alea_network_fit_export(&p->fit, trust, &p->player.network);
  return find_drift(p);
}

/* The size of steps, which become smaller from round to round. */
static float rate_of(const network_pupil *p, int round, int rounds) {
  float first = p->proved > 0 ? PROVED_RATE : RATE;
  return first * (1 - (float)round / (float)rounds) + LAST_RATE;
}

static alea_status fit(network_pupil *p) {
  alea_status status = ALEA_OK;
  int rounds = p->proved > 0 ? FAR_ROUNDS : ROUNDS;
  for (int i = 0; status == ALEA_OK && i < rounds && !alea_eval_clock_over(p->l->clock); i++)
    status = alea_network_fit_round(&p->fit, &p->examples, rate_of(p, i, rounds), p->l->rng);
  return status == ALEA_OK ? take(p, 1) : status;
}

/* ---- trials ---- */

/* Games of the player against the best so far. */
static alea_eval_trial new_trial(const network_pupil *p, uint32_t pairs, uint32_t sims) {
  return (alea_eval_trial){.setup = p->l->setup,
                           .evals = {&p->player, &p->best},
                           .pairs = pairs,
                           .sims = sims,
                           .least = sims,
                           .positions = TRIAL_POSITIONS * (p->seen + p->differences / p->factor),
                           .clock = p->l->clock};
}

/* Whether the network does not lose where searches look further: what is right in quiet positions
 * alone wins only while they look at little else.  There are as many pairs as fit into the
 * positions, by what those of the first part took.  The learning's random numbers are left alone.
 */
static alea_status look_deeper(const network_pupil *p, const alea_eval_trial *first, bool *holds) {
  alea_rng rng = *p->l->rng;
  alea_eval_trial trial = new_trial(p, DEEP_PAIRS, DEEP_SIMS);
  uint64_t pair = 2 * (first->met / first->games) * DEEP_SIMS / TRIAL_SIMS + 1;
  uint64_t pairs = trial.positions / pair + 1;
  if (pairs < trial.pairs) trial.pairs = (uint32_t)pairs;
  alea_status status = alea_trial_pairs_run(&trial, alea_rng_next(&rng), p->l->threads);
  *holds = status == ALEA_OK && trial.games > 0 && trial.won >= 0.5 * trial.games;
  return status;
}

/* Makes the player's network that which is kept, and has to be beaten. */
static alea_status accept(network_pupil *p) {
  alea_eval_network *kept[] = {&p->l->eval->network, &p->best.network};
  alea_status status = ALEA_OK;
  for (size_t i = 0; status == ALEA_OK && i < sizeof kept / sizeof *kept; i++) {
    alea_eval_network_clear(kept[i]);
    status = alea_eval_network_copy(kept[i], &p->player.network);
  }
  return status;
}

/* Lets the network play against the best so far, with so many of the shares of what it says, and
 * keeps what wins. */
static alea_status examine(network_pupil *p, size_t trusts) {
  for (size_t i = 0; i < trusts; i++) {
    bool holds = false;
    alea_eval_trial trial = new_trial(p, TRIAL_PAIRS, TRIAL_SIMS);
    alea_status status = take(p, TRUSTS[i]);
    if (status == ALEA_OK)
      status = alea_trial_pairs_run(&trial, alea_rng_next(p->l->rng), p->l->threads);
    if (status == ALEA_OK && alea_eval_trial_won(&trial)) status = look_deeper(p, &trial, &holds);
    if (status == ALEA_OK && holds) status = accept(p);
    if (status != ALEA_OK) return status;
  }
  return ALEA_OK;
}

/* The same, of all that it says, while learning goes on, so that who stops it keeps something. What
 * is learnt afterwards does not depend on it. */
static alea_status examine_beside(network_pupil *p) {
  alea_eval_network network;
  alea_rng rng = *p->l->rng;
  alea_status status = alea_eval_network_copy(&network, &p->player.network);
  if (status == ALEA_OK) status = examine(p, 1);
  if (status != ALEA_OK) return alea_eval_network_clear(&network), status;
  alea_eval_network_clear(&p->player.network);
  p->player.network = network;
  *p->l->rng = rng;
  return ALEA_OK;
}

/* ---- temporal differences ---- */

static uint64_t most_differences(const network_pupil *p) {
  if (p->l->differences > 0) return p->l->differences;
  uint64_t positions = p->l->positions;
  return positions < UINT64_MAX / p->factor ? p->factor * positions : UINT64_MAX;
}

static bool has_played_enough(void *context) {
  const network_pupil *p = context;
  return p->differences >= most_differences(p) || alea_eval_clock_over(p->l->clock);
}

static alea_status hear_of_game(void *context, const uint64_t *words, float target) {
  network_pupil *p = context;
  p->differences++;
  return keep(p, words, example_of(p, words, target));
}

/* How far it has come, 0..1; 'began': seconds that were left then. */
static float progress(const network_pupil *p, double began) {
  double part = (double)p->differences / (double)most_differences(p);
  if (p->l->clock->seconds > 0)
    part = fmax(part, 1 - alea_eval_clock_left(p->l->clock) / fmax(began, 1e-9));
  return (float)fmin(part, 1);
}

/* Fits the network to the examples at hand, and lets games go on by it. */
static alea_status fit_differences(network_pupil *p, double began) {
  float rate = DIFFERENCE_RATE * (1 - progress(p, began)) + LAST_DIFFERENCE_RATE;
  alea_status status = ALEA_OK;
  for (int i = 0; status == ALEA_OK && i < DIFFERENCE_ROUNDS; i++)
    status = alea_network_fit_round(&p->fit, &p->examples, rate, p->l->rng);
  alea_network_fit_export(&p->fit, 1, &p->player.network);
  p->td_games.scale = alea_network_fit_scale(&p->fit);
  return status;
}

static void forget_examples(network_pupil *p) {
  p->examples.list.count = 0;
  p->examples.words.count = 0;
  p->seen = 0;
}

/* Positions of games on a GPU: the network knows them, its drift is found by them. */
static alea_status hear_from_there(void *context, const uint64_t *words, float target) {
  network_pupil *p = context;
  return keep(p, words, example_of(p, words, target));
}

/* The same on a GPU; what it cannot do is left to learn_differences_here. */
static alea_status learn_differences_there(network_pupil *p, bool *learnt) {
  p->factor = DEVICE_DIFFERENCES;
  alea_td_device_games games = {.eval = &p->player,
                                .fit = &p->fit,
                                .clock = p->l->clock,
                                .device = p->l->device,
                                .seed = alea_rng_next(p->l->rng),
                                .positions = most_differences(p),
                                .hear = hear_from_there,
                                .context = p};
  alea_status status = alea_td_device_learn(&games);
  *learnt = status == ALEA_OK;
  if (*learnt) p->differences = games.positions;
  return *learnt || p->l->device->why[0] != '\0' ? ALEA_OK : status;
}

static alea_status learn_differences_here(network_pupil *p) {
  p->factor = DIFFERENCES;
  p->td_games = (alea_td_games){.eval = &p->player,
                                .cursor = p->l->cursor,
                                .rng = p->l->rng,
                                .scale = alea_network_fit_scale(&p->fit),
                                .hear = hear_of_game,
                                .over = has_played_enough,
                                .context = p};
  double began = alea_eval_clock_left(p->l->clock);
  alea_status status = alea_td_games_init(&p->td_games);
  alea_network_fit_export(&p->fit, 1, &p->player.network);
  while (status == ALEA_OK && !has_played_enough(p)) {
    if (p->seen >= DIFFERENCE_CHUNK) forget_examples(p);
    status = alea_td_games_play(&p->td_games);
    if (status == ALEA_OK && p->seen >= DIFFERENCE_CHUNK) status = fit_differences(p, began);
  }
  if (status == ALEA_OK && p->seen < DIFFERENCE_CHUNK) status = fit_differences(p, began);
  return status;
}

/* Learns from games in which everybody looks one move ahead: millions of positions, and the end of
 * the game in sight. */
static alea_status learn_differences(network_pupil *p) {
  bool learnt = false;
  p->l->clock->share = DIFFERENCE_SHARE;
  alea_status status = p->l->device != NULL ? learn_differences_there(p, &learnt) : ALEA_OK;
  if (status == ALEA_OK && !learnt) status = learn_differences_here(p);
  if (status == ALEA_OK) status = take(p, 1);
  /* games may leave little of the linear evaluation, whose units searches think in */
  if (status == ALEA_OK) alea_network_fit_import(&p->fit, &p->player.network);
  forget_examples(p);
  return status;
}

/* ---- all of it ---- */

/* Learns from proved values, which searches then start from. */
static alea_status learn_proofs(network_pupil *p) {
  alea_status status = p->l->proved > 0 ? gather_proofs(p) : ALEA_OK;
  return status == ALEA_OK && p->proved > 0 ? fit(p) : status;
}

/* What it begins with: values that are proved, or games. */
static alea_status begin(network_pupil *p) {
  alea_status status = learn_proofs(p);
  if (status != ALEA_OK || p->proved > 0) return status;
  if (p->goes_on && p->l->differences == 0) return ALEA_OK;
  status = learn_differences(p);
  p->l->clock->share = LEARN_SHARE;
  return status == ALEA_OK ? examine_beside(p) : status;
}

static bool is_over(const network_pupil *p) {
  return is_enough(p) || alea_eval_clock_over(p->l->clock);
}

static alea_status learn(network_pupil *p) {
  p->l->clock->share = LEARN_SHARE;
  alea_status status = begin(p);
  bool far = p->proved > 0;
  p->self_games.sims = far ? FAR_SIMS : SIMS;
  p->self_games.table = TABLE * p->self_games.sims;
  uint64_t next = p->proved + (far ? generation_of(p) : FIRST_ROUND), trial = FIRST_TRIAL;
  uint32_t idle = 0; /* games since the last example: small games are proved at every move */
  while (status == ALEA_OK && !is_over(p) && idle < MOST_IDLE) {
    uint64_t before = p->seen;
    status = gather_opinions(p);
    idle = p->seen > before ? 0 : idle + ALEA_SELF_GAMES_BATCH;
    if (status != ALEA_OK || p->seen < next || is_over(p)) continue;
    status = fit(p);
    next = p->seen + (far ? generation_of(p) : (uint64_t)(GROWTH * (double)p->seen));
    if (status != ALEA_OK || p->seen < trial) continue;
    status = examine_beside(p);
    trial = 2 * p->seen;
  }
  p->l->clock->share = 1;
  if (status != ALEA_OK || p->examples.list.count < LEAST_EXAMPLES) return status;
  return fit(p);
}

/* Makes the fit, and the player's network: that which there was, if it sees positions as the
 * symmetries say, or one that says nothing. */
static alea_status make_network(network_pupil *p) {
  alea_eval_network *network = &p->player.network;
  alea_mem *mem = p->l->setup->mem;
  const uint32_t *image = alea_fluent_symmetry_exchange(&p->symmetry);
  size_t bytes = p->symmetry.fluent_count * sizeof *image;
  alea_status status = alea_network_fit_init(&p->fit, &p->symmetry, p->l->rng, mem);
  if (status != ALEA_OK) return status;
  p->goes_on = network->mem != NULL && (image == NULL) == (network->image == NULL) &&
               (image == NULL || memcmp(image, network->image, bytes) == 0);
  if (p->goes_on) return alea_network_fit_import(&p->fit, network), ALEA_OK;
  alea_eval_network_clear(network);
  return alea_eval_network_init(network, p->symmetry.fluent_count, image, mem);
}

static alea_status prepare(network_pupil *p) {
  const alea_network_lessons *l = p->l;
  alea_mem *mem = l->setup->mem;
  const alea_eval_network *before = &l->eval->network;
  bool apart = l->proved > 0 || (before->mem != NULL && before->image == NULL);
  alea_status status = alea_linear_eval_copy(&p->player, l->eval);
  if (status == ALEA_OK) status = alea_linear_eval_copy(&p->best, l->eval);
  /* what is good for one is as bad for the other; but who began is one of them, and where a board
   * is filled it matters to the end who did: with proofs each role is learnt for itself */
  if (status == ALEA_OK)
    status = alea_fluent_symmetry_find(&p->symmetry, l->setup->game, l->setup->services, !apart,
                                       NULL, mem);
  p->examples.word_count = p->player.word_count;
  if (status == ALEA_OK) status = make_network(p);
  p->self_games = (alea_self_games){.setup = l->setup,
                                    .eval = &p->player,
                                    .clock = l->clock,
                                    .seed = alea_rng_next(l->rng),
                                    .threads = l->threads};
  return status;
}

alea_status alea_network_learn(const alea_network_lessons *l) {
  network_pupil p = {.l = l, .factor = DIFFERENCES};
  const alea_game *game = l->setup->game;
  alea_mem *mem = l->setup->mem;
  bool asked = l->positions > 0 || l->differences > 0 || l->proved > 0;
  if (!asked || game->role_count != MOST_ROLES || game->random_role >= 0 || !l->eval->shares)
    return ALEA_OK;
  alea_status status = prepare(&p);
  if (status == ALEA_OK) status = learn(&p);
  size_t trusts = p.proved > 0 ? 1 : sizeof TRUSTS / sizeof *TRUSTS; /* proofs are not halved */
  if (status == ALEA_OK && p.examples.list.count >= LEAST_EXAMPLES) status = examine(&p, trusts);
  alea_self_games_clear(&p.self_games);
  alea_td_games_clear(&p.td_games);
  alea_linear_eval_clear(&p.player);
  alea_linear_eval_clear(&p.best);
  alea_network_fit_clear(&p.fit);
  alea_fluent_symmetry_clear(&p.symmetry);
  alea_vec_clear(mem, &p.examples.words);
  alea_vec_clear(mem, &p.examples.list);
  return status;
}
