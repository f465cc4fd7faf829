/* An evaluation in the tree. */
#include "play/tree_eval.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "game/time_manager.h"
#include "play/leaf_batch.h"
#include "play/move_ranking.h"

enum {
  PER_PLAY = 32, /* positions of a random play, */
  PLAYOUTS = 8,  /* from each of which so many are made */
  BATCH = 64,    /* positions that are played out together */
  MOST_BATCHES = 2000,
  COUNTED_BATCHES = 100, /* where simulations are counted, and not seconds */
  TEST_BATCHES = 8,
  MOST_STEPS = 2000, /* of a play */
  LOOK_STEPS = 16,   /* between two looks at the clock */
  FOLLOW = 4,        /* as the flagship's playouts, */
};
static const double SPREAD = 0.5;                  /* the same */
static const double LEARNING = 0.3, TESTING = 0.1; /* shares of the start clock, */
static const double MOST_CLOCK = 10;               /* of which so many seconds count */
static const double LEAST_CLOCK = 0.2;             /* that is worth it */

void alea_tree_eval_init(alea_tree_eval *eval, const alea_player_setup *setup) {
  const alea_game *game = setup->game;
  *eval = (alea_tree_eval){.skill = -1};
  bool fits = game->role_count == 2 && game->random_role < 0 && !game->has_sees &&
              strcmp(game->class->engine, "net") == 0;
  if (fits) eval->setup = setup;
}

void alea_tree_eval_clear(alea_tree_eval *eval) { alea_linear_eval_clear(&eval->own); }

_Static_assert(ALEA_EVAL_UNIT == 1000, "scores are in the unit of alea_sample_worth");

/* ---- lessons ---- */

/* Positions of random plays, and what playouts from them were worth. */
typedef struct lessons {
  alea_tree_eval *eval;
  alea_cursor *cursor;
  alea_rng rng;
  alea_leaf_batch batch;
  alea_move_ranking ranking;
  alea_u64s positions;
  const alea_budget *budget;
  double end;     /* on the budget's clock */
  uint32_t legal; /* moves of the first position */
  /* Sums over the positions of the examination: of squares of errors, of the variance
   * of a mean that is due to chance, of means and of their squares. */
  double count, errors, noise, sum, squares;
  bool opposed; /* the goals of the two were 100 together so far */
} lessons;

static bool is_over(void *context) {
  const lessons *l = context;
  const atomic_bool *stop = l->budget->stop;
  if (alea_mem_late(l->eval->setup->mem)) return true;
  if (stop != NULL && atomic_load_explicit(stop, memory_order_relaxed)) return true;
  return alea_budget_now(l->budget) >= l->end;
}

/* A random step; '*over': there is none. */
static alea_status step(lessons *l, bool *over) {
  alea_move joint[2];
  alea_status status = alea_cursor_terminal(l->cursor, over);
  for (uint32_t r = 0; status == ALEA_OK && !*over && r < 2; r++) {
    alea_list legal;
    status = alea_cursor_legal(l->cursor, r, &legal);
    *over = legal.count == 0;
    if (status == ALEA_OK && !*over)
      joint[r] = legal.ids[legal.count > 1 ? alea_rng_below(&l->rng, legal.count) : 0];
  }
  return status != ALEA_OK || *over ? status : alea_cursor_play(l->cursor, joint);
}

/* Puts the cursor's position at 'at' of the batch. */
static void put(lessons *l, uint32_t at) {
  size_t count;
  const uint64_t *words = alea_cursor_state(l->cursor, &count);
  memcpy(l->positions.data + at * count, words, count * sizeof *words);
}

/* Plays at random, and adds some of the positions to the batch, any of them as
 * likely as the others. */
static alea_status draw_positions(lessons *l) {
  uint32_t first = l->batch.count, drawn = 0;
  size_t words = l->eval->own.word_count;
  bool over = false;
  alea_status status = alea_cursor_reset(l->cursor);
  for (uint32_t i = 0; status == ALEA_OK && i < MOST_STEPS; i++) {
    status = alea_cursor_terminal(l->cursor, &over);
    if (status != ALEA_OK || over || (i % LOOK_STEPS == LOOK_STEPS - 1 && is_over(l))) break;
    uint32_t at = drawn < PER_PLAY ? drawn++ : alea_rng_below(&l->rng, i + 1);
    if (at < PER_PLAY) put(l, first + at);
    status = step(l, &over);
    if (over) break;
  }
  for (uint32_t i = 0; status == ALEA_OK && i < drawn; i++)
    alea_leaf_batch_add(&l->batch, l->positions.data + (first + i) * words, words, PLAYOUTS);
  return status;
}

/* A playout has ended. */
static void hear(void *context, uint32_t request, const alea_played *moves, size_t count,
                 const uint8_t *goals) {
  lessons *l = context;
  float rewards[2] = {(float)goals[0] / 100, (float)goals[1] / 100};
  (void)request;
  alea_move_ranking_add(&l->ranking, moves, count, rewards);
}

/* Fills the batch and plays it out. */
static alea_status play(lessons *l) {
  alea_sample_options options = {.over = is_over, .over_context = l, .step_cap = MOST_STEPS};
  alea_sample_listener listener = {.context = l, .heard = hear};
  alea_status status = ALEA_OK;
  options.listener = &listener;
  options.guide = alea_move_ranking_guide(&l->ranking, l->legal);
  alea_leaf_batch_begin(&l->batch);
  while (status == ALEA_OK && l->batch.count + PER_PLAY <= BATCH && !is_over(l))
    status = draw_positions(l);
  return status == ALEA_OK ? alea_leaf_batch_run(&l->batch, &options) : status;
}

/* The share of the role that position i of the batch was worth; false: nothing is known. */
static bool outcome(lessons *l, uint32_t i, float *share) {
  float rewards[2];
  if (l->batch.results[i].playouts < 2 || l->batch.results[i].unfinished > 0) return false;
  alea_leaf_batch_rewards(&l->batch, i, rewards);
  if (fabsf(rewards[0] + rewards[1] - 1) > 1e-4f) l->opposed = false;
  *share = rewards[l->eval->setup->role];
  return true;
}

static alea_status learn(lessons *l) {
  alea_linear_eval *linear = &l->eval->own;
  alea_status status = ALEA_OK;
  uint32_t most = l->budget->sims > 0 ? COUNTED_BATCHES : MOST_BATCHES;
  for (uint32_t batches = 0; status == ALEA_OK && batches < most && !is_over(l); batches++) {
    float share;
    status = play(l);
    for (uint32_t i = 0; status == ALEA_OK && i < l->batch.count; i++)
      if (outcome(l, i, &share))
        status = alea_linear_eval_fit(linear, l->batch.requests[i].words, share);
    linear->plays += l->batch.count;
  }
  alea_linear_eval_settle(linear, 1);
  return status;
}

/* What an answer to a position says of the evaluation. */
static void mark(lessons *l, uint32_t i, float share) {
  const alea_sample_result *result = &l->batch.results[i];
  double n = (double)result->playouts, mean = (double)share;
  double variance =
      fmax(0, result->sum_squares[l->eval->setup->role] / n / 1e4 - mean * mean) * n / (n - 1);
  int32_t score = alea_linear_eval_score(&l->eval->own, l->batch.requests[i].words);
  double error = (double)alea_sample_share(score) - mean;
  l->count += 1, l->errors += error * error;
  l->noise += variance / n;
  l->sum += mean, l->squares += mean * mean;
}

static alea_status examine(lessons *l) {
  alea_status status = ALEA_OK;
  for (uint32_t batches = 0; status == ALEA_OK && batches < TEST_BATCHES && !is_over(l);
       batches++) {
    float share;
    status = play(l);
    for (uint32_t i = 0; status == ALEA_OK && i < l->batch.count; i++)
      if (outcome(l, i, &share)) mark(l, i, share);
  }
  double n = fmax(1, l->count), variance = l->squares / n - l->sum * l->sum / n / n;
  double noise = l->noise / n, bias = fmax(0, l->errors / n - noise);
  bool tells = l->opposed && l->count > 0 && variance > noise;
  l->eval->skill = tells ? fmax(0, 1 - bias / (variance - noise)) : 0;
  return status;
}

static alea_status open(lessons *l) {
  const alea_player_setup *setup = l->eval->setup;
  alea_rng_seed_stream(&l->rng, setup->seed, 7);
  alea_leaf_batch_init(&l->batch, setup);
  alea_status status = alea_cursor_new(setup->game, setup->mem, &l->cursor);
  if (status == ALEA_OK) status = alea_leaf_batch_open(&l->batch, setup, &l->rng);
  if (status == ALEA_OK)
    status = alea_move_ranking_init(&l->ranking, setup->game, FOLLOW, SPREAD, setup->mem);
  for (uint32_t r = 0; status == ALEA_OK && r < 2; r++) {
    alea_list legal;
    status = alea_cursor_legal(l->cursor, r, &legal);
    if (status == ALEA_OK && legal.count > l->legal) l->legal = legal.count;
  }
  if (status == ALEA_OK) status = alea_leaf_batch_reserve(&l->batch, BATCH);
  if (status == ALEA_OK &&
      !alea_vec_reserve(setup->mem, &l->positions, BATCH * l->eval->own.word_count))
    status = alea_mem_lack(setup->mem);
  return status;
}

void alea_tree_eval_adopt(alea_tree_eval *eval, const alea_linear_eval *linear) {
  eval->linear = linear;
  eval->worth = (alea_sample_worth){linear->scores, linear->base, linear->role};
  eval->ready = true;
}

void alea_tree_eval_withdraw(alea_tree_eval *eval) { eval->ready = false; }

static void decide(alea_tree_eval *eval, alea_status status) {
  if (status == ALEA_OK && eval->skill > 0 && eval->skill >= eval->least)
    alea_tree_eval_adopt(eval, &eval->own);
}

alea_status alea_tree_eval_learn(alea_tree_eval *eval, const alea_budget *budget,
                                 alea_budget *rest) {
  *rest = *budget;
  const alea_player_setup *setup = eval->setup;
  if (setup == NULL || eval->skill >= 0 || budget->seconds < LEAST_CLOCK) return ALEA_OK;
  double start = alea_budget_now(budget), seconds = fmin(budget->seconds, MOST_CLOCK);
  if (budget->sims > 0) seconds = budget->seconds / LEARNING; /* counts end it */
  lessons l = {.eval = eval, .budget = budget, .opposed = true};
  alea_status status = alea_linear_eval_init(&eval->own, setup->game, setup->role, setup->mem);
  if (status == ALEA_OK) status = open(&l);
  l.end = start + LEARNING * seconds;
  if (status == ALEA_OK) status = learn(&l);
  l.end = alea_budget_now(budget) + TESTING * seconds;
  if (status == ALEA_OK) status = examine(&l);
  alea_cursor_free(l.cursor);
  alea_move_ranking_clear(&l.ranking);
  alea_leaf_batch_clear(&l.batch);
  alea_vec_clear(setup->mem, &l.positions);
  decide(eval, status);
  if (status == ALEA_LIMIT) status = ALEA_OK; /* neither time nor memory: the tree is there */
  double spent = ALEA_TIME_MANAGER_CHARGE * (alea_budget_now(budget) - start);
  rest->seconds = fmax(0.01 * budget->seconds, budget->seconds - spent);
  return status;
}

const char *alea_tree_eval_note(alea_tree_eval *eval) {
  if (eval->setup == NULL || eval->skill < 0) return NULL;
  snprintf(eval->note, sizeof eval->note,
           "the evaluation explains %.0f %% of what playouts tell apart%s", 100 * eval->skill,
           eval->ready ? "" : ", too little to be used");
  return eval->note;
}

/* ---- in the tree ---- */

/* What is sure is hoped for, no less and no more. */
static void bound(const alea_tree_eval *eval, alea_node *node) {
  uint32_t role = eval->setup->role;
  if (node->hope < node->lo[role]) node->hope = node->lo[role];
  if (node->hope > node->hi[role]) node->hope = node->hi[role];
}

void alea_tree_eval_node(const alea_tree_eval *eval, alea_node *node) {
  node->hope = alea_sample_share(alea_linear_eval_score(eval->linear, node->words));
  bound(eval, node);
}

/* The best arm's hope is that of the node. */
static void choose(const alea_tree_eval *eval, alea_node *node) {
  uint32_t p = node->chooser, count = node->firsts[p + 1] - node->firsts[p];
  float best = 0;
  for (uint32_t a = 0; a < count; a++)
    if (node->hopes[a] > best && !alea_node_is_symmetric(node, a)) best = node->hopes[a];
  node->hope = p == eval->setup->role ? best : 1 - best;
  bound(eval, node);
}

/* What the role hopes for at the cursor's position, one step after 'node'. */
static alea_status hope_behind(const alea_tree_eval *eval, alea_cursor *cursor,
                               const alea_node *node, int32_t score, float *hope) {
  bool terminal;
  size_t words;
  int goal, other;
  uint32_t role = eval->setup->role;
  alea_status status = alea_cursor_terminal(cursor, &terminal);
  if (status != ALEA_OK) return status;
  if (terminal) {
    status = alea_cursor_goal(cursor, role, &goal);
    if (status == ALEA_OK) status = alea_cursor_goal(cursor, 1 - role, &other);
    if (status == ALEA_OK) *hope = (float)alea_linear_eval_goal(eval->linear, goal, other) / 100;
    return status;
  }
  const uint64_t *to = alea_cursor_state(cursor, &words);
  *hope = alea_sample_share(score + alea_linear_eval_step(eval->linear, node->words, to));
  return ALEA_OK;
}

alea_status alea_tree_eval_arms(const alea_tree_eval *eval, alea_cursor *cursor, alea_node *node) {
  if (node->hopes == NULL || node->hoped) return ALEA_OK;
  uint32_t p = node->chooser, first = node->firsts[p], count = node->firsts[p + 1] - first;
  int32_t score = alea_linear_eval_score(eval->linear, node->words);
  alea_move joint[2] = {node->moves[node->firsts[0]], node->moves[node->firsts[1]]};
  alea_status status = ALEA_OK;
  for (uint32_t a = 0; status == ALEA_OK && a < count; a++) {
    float hope = 0;
    joint[p] = node->moves[first + a];
    status = alea_cursor_load(cursor, node->words, node->word_count);
    if (status == ALEA_OK) status = alea_cursor_play(cursor, joint);
    if (status == ALEA_OK) status = hope_behind(eval, cursor, node, score, &hope);
    node->hopes[a] = p == eval->setup->role ? hope : 1 - hope;
  }
  if (status != ALEA_OK) return status;
  node->hoped = true;
  choose(eval, node);
  return ALEA_OK;
}

void alea_tree_eval_back_up(const alea_tree_eval *eval, alea_node *node, uint32_t pick,
                            const alea_node *child) {
  if (node->choosers == 0) {
    node->hope = child->hope;
    bound(eval, node);
  } else if (node->hoped) {
    node->hopes[pick] = alea_tree_eval_hope(eval, child, node->chooser);
    choose(eval, node);
  } else {
    bound(eval, node);
  }
}
