/* The flagship `alea`: tree search over positions with exact bounds, playouts
 * in batches where the sampler plays many at once and guided ones where not, a
 * look ahead for moves that end the game, and in games of one role a planner.
 * bench/players.md tells what each part is worth. */
#include <math.h>

#include "minimax/endgame.h"
#include "play/classes.h"
#include "play/plan_follower.h"
#include "play/rival.h"
#include "play/tree.h"

/* clang-format off */
#define PLAYOUTS(word)                                                              \
  word(PLAYOUT_AUTO, "auto") word(PLAYOUT_BATCH, "batch") word(PLAYOUT_MAST, "mast") \
  word(PLAYOUT_NST, "nst") word(PLAYOUT_UNIFORM, "uniform")
#define PICKS(word)                                                        \
  word(PICK_AUTO, "auto") word(PICK_UCB, "ucb") word(PICK_TUNED, "tuned") \
  word(PICK_MIXED, "mixed") word(PICK_GRAVE, "grave")
#define REFUTES(word) word(REFUTE_AUTO, "auto") word(REFUTE_ON, "on") word(REFUTE_OFF, "off")
#define EVALS(word) word(EVAL_AUTO, "auto") word(EVAL_ON, "on") word(EVAL_OFF, "off")
#define OPTIONS(row)                                                                   \
  row(choice, playout, "auto", 0, 0, ALEA_CHOICE_WORDS(PLAYOUTS),                      \
      "how playouts are made; auto is batch where the sampler plays many at once, else mast") \
  row(integer, playouts, "8", 2, 100000, "N", "batch: playouts from each new node")    \
  row(integer, batch, "16", 1, ALEA_MOST_BATCH, "N", "batch: new nodes played out together") \
  row(integer, follow, "4", 0, ALEA_SAMPLE_LOTS, "N", "batch, without chance: steps of playouts, of 8, that follow what playouts taught") \
  row(real, spread, "0.5", 0, 100, "S", "batch: standard deviations from the mean at which a move is good or bad") \
  row(choice, pick, "auto", 0, 0, ALEA_CHOICE_WORDS(PICKS), "how an arm is chosen in the tree; auto is tuned where dice are thrown or moves are made over and over, else mixed") \
  row(real, c, "0.3", 0, 100, "C", "weight of exploration")                            \
  row(real, filled, "0", 0, 100, "C", "pick=auto: the same where opponents fill a board in any order, as in hex") \
  row(real, floor, "0.2", 0, 100, "F", "moves tried less than F n^(3/4) / moves times in n visits are tried; 0 is none") \
  row(integer, ref, "50", 0, 1e9, "N", "mixed, grave: visits that make a node a reference") \
  row(real, bias, "0.01", 0, 1, "B", "mixed, grave: how fast a move's own mean takes over") \
  row(real, epsilon, "0.4", 0, 1, "P", "mast, nst: share of uniform moves")            \
  row(integer, look, "3", 0, 1e9, "N", "the visit at which a node looks for moves that end the game, the third or later where there hardly are any; 0 is never") \
  row(flag, exact, "on", 0, 0, "", "use bounds and exact values")                      \
  row(choice, refute, "auto", 0, 0, ALEA_CHOICE_WORDS(REFUTES), "exact: what showed that a move loses does not count above the position where it was tried; auto is where moves are made over and over, and new nodes are then looked at as with look=1") \
  row(integer, patience, "300000", 0, 1e15, "N", "simulations from which on, where moves are made over and over, a budget is for finding the best move: moves are tried equally often, and the worse half is dropped again and again; 100000 are as much as a second; 0 is never") \
  row(flag, sym, "on", 0, 0, "", "of moves that are alike by a symmetry of the position, try one") \
  row(flag, reuse, "on", 0, 0, "", "keep the tree from one move to the next")          \
  row(integer, step_cap, "0", 0, 1e9, "N", "steps after which a playout counts 0; 0 is 10000") \
  row(integer, particles, "300", 1, 1e6, "N", "states in the belief, where the game has sees") \
  row(choice, belief, "filter", 0, 0, ALEA_CHOICE_WORDS(ALEA_BELIEF_MODELS), "how such states are found") \
  row(choice, hidden, "auto", 0, 0, ALEA_CHOICE_WORDS(ALEA_HIDDEN_SEARCHES), "how such a game of one role is searched: by a tree of information sets or over beliefs; auto is the latter where uniform play reaches little") \
  row(real, plan, "0.6", 0, 0.95, "P", "games of one role: share of the time for planning; 0 is none") \
  row(integer, threads, "1", 0, 64, "N", "searches at once, which share memory, simulations and CPU time; 0 is one per core; one where the game has sees") \
  row(real, endgame, "0.2", 0, 0.9, "P", "games of two: share of the time for exact values, less where time is short; 0 is none") \
  row(choice, eval, "auto", 0, 0, ALEA_CHOICE_WORDS(EVALS), "games of two: an evaluation that is learnt in the start clock is used in the tree; auto is where it explains three quarters of what playouts tell apart") \
  row(real, minimax, "0.3", 0, 1, "P", "eval: weight of its minimax values when an arm is chosen") \
  row(real, leaf, "0.3", 0, 1, "P", "eval: its weight in the value of a new node") \
  row(integer, cut, "30", 0, 1e9, "N", "eval, batch: steps after which it values playouts; 0 is at the end of the game") \
  row(flag, rival, "on", 0, 0, "", "games of several: in a start clock of 4 s or more try the tree with an evaluation, and minimax, against the tree, and go on with who is likely to win") \
  row(real, effort, "1", 0.001, 1, "P", "part of the budget that is used, for weaker play") \
  row(bytes, memory, "1G", 0, 0, "BYTES", "memory of the tree")
/* clang-format on */
ALEA_OPTION_TABLE(OPTIONS)
enum { PLAYOUTS(ALEA_CHOICE_CONSTANT) };
enum { EVALS(ALEA_CHOICE_CONSTANT) };
enum { REFUTES(ALEA_CHOICE_CONSTANT) };
typedef enum alea_pick_choice { PICKS(ALEA_CHOICE_CONSTANT) } alea_pick_choice;

/* What chance takes from a mean, more trials have to make up for. */
static const double CHANCE_EXPLORES = 2;
/* Where moves are made over and over, as in connect four, nothing but their own
 * trials tells them apart. */
static const double REPEATS_EXPLORE = 5.0 / 3;

/* Below it an evaluation in the tree loses matches (bench/players.md). */
static const double LEAST_SKILL = 0.75;

enum { TABLE_PART = 16 }; /* of the memory, one part is for exact values */
/* How much of a budget for a move is much, and the least part of the share for
 * exact values. */
static const double MUCH_SECONDS = 5, MUCH_SIMS = 500000, LEAST_SHARE = 0.1;

/* Shares of a large budget: before it is known whether minimax is asked, and what is left for the
 * tree afterwards if it had to learn. */
static const double FIRST_PART = 0.05, LAST_PART = 0.65;
/* Points, of 100, by which a tree does not tell moves apart, and the part of the best move's
 * trials that makes another one known. */
static const double ALIKE = 10, KNOWN_PART = 0.25;

typedef struct flagship {
  alea_tree tree; /* first: it is an alea_player */
  alea_plan_follower planning;
  alea_endgame *endgame; /* NULL: not for this game */
  alea_endgame_answer answer;
  alea_rival rival;
  alea_move advice; /* what minimax chose among moves that seemed equal; ALEA_NO_MOVE: nothing */
  alea_tree_eval eval;
} flagship;

static flagship *self_of(alea_player *player) { return (flagship *)(void *)player; }

static alea_pick_fn *find_pick(alea_pick_choice pick, bool chance) {
  switch (pick) {
    case PICK_AUTO: return chance ? alea_pick_tuned : alea_pick_mixed;
    case PICK_UCB: return alea_pick_ucb;
    case PICK_TUNED: return alea_pick_tuned;
    case PICK_MIXED: return alea_pick_mixed;
    case PICK_GRAVE: return alea_pick_grave;
  }
  return alea_pick_mixed;
}

/* A sampler that plays hundreds of games in the time of a few makes up for
 * uniform play by numbers; a plain one is better replaced by guided playouts,
 * one at a time. */
static void choose_playouts(alea_search_options *options, const values *v) {
  bool automatic = v->playout == PLAYOUT_AUTO;
  if (automatic || v->playout == PLAYOUT_BATCH) {
    options->playouts = (uint32_t)v->playouts;
    options->batch = (uint32_t)v->batch;
  }
  if (automatic || v->playout == PLAYOUT_MAST) options->rollout = ALEA_ROLLOUT_MAST;
  if (v->playout == PLAYOUT_NST) options->rollout = ALEA_ROLLOUT_NST;
  options->many_only = automatic;
}

static void hear(void *context, const alea_trace *down, const alea_played *more, size_t count,
                 const float *rewards) {
  flagship *self = context;
  int goal = (int)lroundf(100 * rewards[0]);
  alea_plan_follower_hear(&self->planning, down->data, down->count, more, count, goal);
}

/* The exploration where a board is filled in any order; who plays alone or has to guess explores as
 * usual. */
static double fill_exploration(const alea_game *game, const values *v) {
  bool opponents = game->role_count - (game->random_role >= 0) > 1;
  return v->pick == PICK_AUTO && opponents && !game->has_sees ? v->filled : v->c;
}

/* What the options say of the evaluation, which is learnt later. */
static const alea_tree_eval *prepare_eval(alea_player *player, const values *v) {
  alea_tree_eval *eval = &self_of(player)->eval;
  if (v->eval == EVAL_OFF) return NULL;
  alea_tree_eval_init(eval, &player->setup);
  eval->weight = (float)v->minimax;
  eval->mix = (float)v->leaf;
  eval->cut = (uint32_t)v->cut;
  if (v->eval == EVAL_AUTO) eval->least = LEAST_SKILL;
  return eval;
}

static alea_status init(alea_player *player) {
  const values *v = player->values;
  const alea_game *game = player->setup.game;
  bool chance = game->random_role >= 0 && !game->has_sees;
  alea_pick_fn *pick = find_pick((alea_pick_choice)v->pick, chance);
  alea_search_options options = {
      .pick = pick,
      .c = chance ? CHANCE_EXPLORES * v->c : v->c,
      .amaf = pick == alea_pick_mixed || pick == alea_pick_grave,
      .floor = v->floor,
      .ref = (uint32_t)v->ref,
      .bias = v->bias,
      .epsilon = v->epsilon,
      .step_cap = (uint32_t)v->step_cap,
      .playouts = 1,
      .fill_c = fill_exploration(game, v),
      .follow = chance ? 0 : (uint32_t)v->follow, /* move values depend on the dice */
      .spread = v->spread,
      .look = (uint32_t)v->look,
      .exact = v->exact,
      .refute = v->refute == REFUTE_ON,
      .repeat_proofs = v->refute == REFUTE_AUTO,
      .patience = (uint64_t)v->patience,
      .symmetric_moves = v->sym,
      .reuse = v->reuse,
      .memory = v->memory,
      .threads = alea_root_parallel_size((uint32_t)v->threads),
      .belief = (alea_belief_model)v->belief,
      .hidden = (alea_hidden_search)v->hidden,
  };
  if (v->pick == PICK_AUTO) {
    options.repeat_pick = alea_pick_tuned;
    options.repeat_c = REPEATS_EXPLORE * v->c;
  }
  choose_playouts(&options, v);
  options.eval = prepare_eval(player, v);
  alea_plan_follower_init(&self_of(player)->planning, &player->setup, v->plan, v->memory);
  if (self_of(player)->planning.setup != NULL && options.threads == 1)
    options.hooks = (alea_search_hooks){.heard = hear, .context = self_of(player)};
  self_of(player)->answer = (alea_endgame_answer){.hi = 100, .move = ALEA_NO_MOVE};
  self_of(player)->advice = ALEA_NO_MOVE;
  if (v->rival) alea_rival_init(&self_of(player)->rival, &player->setup, v->memory / TABLE_PART);
  if (v->endgame > 0) {
    alea_status status =
        alea_endgame_new(&self_of(player)->endgame, &player->setup, v->memory / TABLE_PART);
    if (status != ALEA_OK) return status;
  }
  return alea_tree_init(player, &options, (uint32_t)v->particles);
}

static void clear(alea_player *player) {
  alea_rival_clear(&self_of(player)->rival);
  alea_tree_eval_clear(&self_of(player)->eval);
  alea_endgame_free(self_of(player)->endgame);
  alea_plan_follower_clear(&self_of(player)->planning);
  alea_tree_clear(player);
}

/* Plans from the present position with a share of the budget. */
static alea_status plan(flagship *self, const alea_budget *budget, alea_budget *rest) {
  *rest = *budget;
  if (self->planning.setup == NULL) return ALEA_OK;
  const alea_particle *now = &self->tree.belief.now.data[0];
  return alea_plan_follower_run(&self->planning, now->words.data, now->words.count, budget, rest);
}

/* Plans what the search has come across. */
static alea_status take(flagship *self) {
  if (self->planning.setup == NULL) return ALEA_OK;
  const alea_particle *now = &self->tree.belief.now.data[0];
  return alea_plan_follower_take(&self->planning, now->words.data, now->words.count);
}

static alea_budget part_of(const flagship *self, const alea_budget *budget) {
  double effort = ((const values *)self->tree.player.values)->effort;
  alea_budget part = *budget;
  part.seconds *= effort;
  if (part.sims > 0) part.sims = (uint64_t)fmax(1, effort * (double)part.sims);
  return part;
}

static bool is_minimax(const flagship *self) {
  return self->rival.chosen == ALEA_CONTENDER_MINIMAX;
}

/* Finds out who is to play; where nobody challenges the tree, whether it uses an
 * evaluation. */
static alea_status choose_contender(flagship *self, const alea_budget *budget, alea_budget *rest) {
  const alea_player *player = &self->tree.player;
  const values *v = player->values;
  alea_rival_request request = {
      .tree = &self->tree.search.options,
      .eval = v->eval == EVAL_AUTO ? &self->eval : NULL,
      .budget = budget,
      .move = {.seconds = v->effort * player->seconds, .sims = budget->sims},
  };
  alea_status status = alea_rival_start(&self->rival, &request, rest);
  if (status != ALEA_OK || is_minimax(self)) return status;
  if (alea_rival_tried(&self->rival) && v->eval != EVAL_ON) return ALEA_OK;
  alea_budget part = *rest;
  return alea_tree_eval_learn(&self->eval, &part, rest);
}

static alea_status start(alea_player *player, const alea_budget *budget) {
  flagship *self = self_of(player);
  alea_budget part = *budget, rest;
  if (part.sims == 0) part.sims = player->sims; /* a match that counts repeats its start */
  part = rest = part_of(self, &part);
  alea_status status = part.seconds > 0 ? plan(self, &part, &rest) : ALEA_OK;
  if (status != ALEA_OK || alea_plan_follower_proved(&self->planning)) return status;
  part = rest;
  status = choose_contender(self, &part, &rest);
  if (status == ALEA_OK && !is_minimax(self)) status = alea_tree_start(player, &rest);
  return status == ALEA_OK ? take(self) : status;
}

/* The share of the budget for exact values: little where it is small, since
 * few positions near the end are enough for what the tree does not see. */
static double solving_share(const flagship *self, const alea_budget *budget) {
  const values *v = self->tree.player.values;
  double much =
      budget->seconds > 0 ? budget->seconds / MUCH_SECONDS : (double)budget->sims / MUCH_SIMS;
  return v->endgame * fmax(LEAST_SHARE, fmin(1, much));
}

/* Looks for the exact value of the present position; '*rest' is the budget
 * that remains. */
static alea_status solve(flagship *self, const alea_budget *budget, alea_budget *rest) {
  const alea_particle *at = &self->tree.belief.now.data[0];
  double share = solving_share(self, budget), began = alea_budget_now(budget);
  uint64_t before = alea_endgame_positions(self->endgame);
  alea_budget part = alea_budget_part(budget, share);
  *rest = *budget;
  self->answer = (alea_endgame_answer){.hi = 100, .move = ALEA_NO_MOVE};
  if (budget->sims > 0 && part.sims == 0) return ALEA_OK;
  alea_status status =
      alea_endgame_run(self->endgame, at->words.data, at->words.count, &part, &self->answer);
  uint64_t sims = (alea_endgame_positions(self->endgame) - before) / ALEA_ENDGAME_PER_SIM;
  if (sims >= budget->sims) sims = budget->sims > 0 ? budget->sims - 1 : 0;
  if (budget->sims > 0) rest->sims -= sims;
  double left = budget->seconds - ALEA_TIME_MANAGER_CHARGE * (alea_budget_now(budget) - began);
  if (budget->seconds > 0) rest->seconds = fmax(0.5 * budget->seconds, left);
  self->tree.player.stats.sims += sims;
  return status;
}

static bool is_solved(const flagship *self) {
  return self->endgame != NULL && self->answer.lo == self->answer.hi;
}

static void count_positions(flagship *self, uint64_t before) {
  uint64_t met = alea_alpha_beta_positions(self->rival.search) - before;
  self->tree.player.stats.sims += met / ALEA_ENDGAME_PER_SIM;
  self->tree.player.stats.nodes += met;
}

/* Lets minimax choose. */
static alea_status ask_rival(flagship *self, const alea_budget *budget, alea_move *move) {
  bool forced;
  alea_status status = alea_belief_begin(&self->tree.belief, &self->tree.player, move, &forced);
  if (status != ALEA_OK || forced) return status;
  const alea_particle *at = &self->tree.belief.now.data[0];
  uint64_t before = alea_alpha_beta_positions(self->rival.search);
  status = alea_rival_select(&self->rival, at->words.data, at->words.count, budget, move);
  count_positions(self, before);
  return status;
}

/* Whether the tree finds a move about as good as the best. */
static bool is_alike(flagship *self, alea_move move) {
  alea_analysis analysis = {.value = -1};
  uint64_t most = 0, tried = 0;
  double value = -1;
  alea_tree_analyse(&self->tree.player, &analysis);
  for (size_t i = 0; i < analysis.count; i++) {
    const alea_choice *choice = &analysis.choices[i];
    if (choice->visits > most) most = choice->visits;
    if (choice->move == move && choice->proof == ALEA_PROOF_NONE)
      value = choice->value, tried = choice->visits;
  }
  return analysis.proof == ALEA_PROOF_NONE && value >= analysis.value - ALIKE &&
         (double)tried >= KNOWN_PART * (double)most;
}

/* Whether there is a choice that minimax may be asked about. */
static bool is_open(flagship *self) {
  alea_analysis analysis = {.value = -1};
  alea_tree_analyse(&self->tree.player, &analysis);
  return self->tree.search.ranking.repeats && self->rival.setup != NULL && analysis.count > 1 &&
         analysis.proof == ALEA_PROOF_NONE;
}

/* Asks minimax with a part of a budget, which '*share' becomes. */
static alea_status ask_advice(flagship *self, const alea_budget *budget, double *share,
                              alea_move *advice) {
  const alea_particle *at = &self->tree.belief.now.data[0];
  alea_status status =
      alea_rival_advise(&self->rival, at->words.data, at->words.count, budget, share, advice);
  self->tree.player.stats.sims += alea_budget_part(budget, *share).sims;
  return status;
}

/* Searches the tree; with patience minimax is asked, too, and chooses among moves that
 * the tree does not tell apart. */
static alea_status search_tree(flagship *self, const alea_budget *budget, alea_move *move) {
  alea_player *player = &self->tree.player;
  double share = 1 - FIRST_PART, began = alea_budget_now(budget), asked = 0;
  alea_budget first = alea_budget_part(budget, FIRST_PART),
              part = alea_budget_part(budget, LAST_PART);
  alea_move advice = ALEA_NO_MOVE;
  if (player->setup.game->role_count != 2 || !alea_search_has_patience(&self->tree.search, &part))
    return alea_tree_select(player, budget, move);
  alea_status status = alea_tree_select(player, &first, move);
  if (status == ALEA_OK && is_open(self)) status = ask_advice(self, budget, &asked, &advice);
  part = alea_budget_part(budget, share - asked);
  double left = budget->seconds - ALEA_TIME_MANAGER_CHARGE * (alea_budget_now(budget) - began);
  if (budget->seconds > 0) part.seconds = fmax(FIRST_PART * budget->seconds, left);
  uint64_t *patience = &self->tree.search.options.patience, before = *patience;
  *patience = 1; /* the budget is large, however much minimax had of it */
  if (status == ALEA_OK) status = alea_tree_select(player, &part, move);
  *patience = before;
  if (status != ALEA_OK || advice == ALEA_NO_MOVE || advice == *move) return status;
  if (is_alike(self, advice)) *move = self->advice = advice;
  return ALEA_OK;
}

/* Thinks where nothing is planned: looks for an exact value, and searches the
 * tree with the rest.  While values are exact from move to move there is
 * nothing to search for. */
static alea_status think(flagship *self, const alea_budget *budget, alea_move *move) {
  alea_player *player = &self->tree.player;
  if (is_minimax(self)) return ask_rival(self, budget, move);
  alea_budget rest = *budget;
  bool before = is_solved(self);
  alea_status status = self->endgame != NULL ? solve(self, budget, &rest) : ALEA_OK;
  if (status == ALEA_OK && before && is_solved(self) && self->answer.move != ALEA_NO_MOVE) {
    *move = self->answer.move;
    return ALEA_OK;
  }
  if (status == ALEA_OK) status = search_tree(self, &rest, move);
  if (status != ALEA_OK || self->answer.move == ALEA_NO_MOVE) return status;
  /* What is exact is certain, the mean of a search is not. */
  alea_analysis analysis = {.value = -1};
  alea_tree_analyse(player, &analysis);
  if (!is_solved(self) && self->answer.lo < analysis.value) return ALEA_OK;
  *move = self->answer.move;
  self->advice = ALEA_NO_MOVE;
  return ALEA_OK;
}

static alea_status select(alea_player *player, const alea_budget *budget, alea_move *move) {
  flagship *self = self_of(player);
  alea_budget part = part_of(self, budget), rest;
  self->advice = ALEA_NO_MOVE;
  alea_status status = plan(self, &part, &rest);
  if (status == ALEA_OK && alea_plan_follower_proved(&self->planning)) {
    *move = alea_plan_follower_move(&self->planning, -1);
    if (*move != ALEA_NO_MOVE) return ALEA_OK;
  }
  if (status == ALEA_OK) status = think(self, &rest, move);
  if (status == ALEA_OK) status = take(self);
  if (status != ALEA_OK || self->planning.plan.goal < 0) return status;
  /* What a plan is worth is certain, the mean of a search is not. */
  alea_analysis analysis = {.value = -1};
  alea_tree_analyse(player, &analysis);
  double value = analysis.value > 0 ? analysis.value : 0;
  alea_move planned = alea_plan_follower_move(&self->planning, value);
  if (planned != ALEA_NO_MOVE) *move = planned;
  return ALEA_OK;
}

static alea_status observe(alea_player *player, const alea_observation *observation) {
  alea_plan_follower_observe(&self_of(player)->planning, observation->own);
  return alea_tree_observe(player, observation);
}

static void put_advice(const flagship *self, alea_analysis *analysis) {
  analysis->note = "minimax chose among moves that the tree does not tell apart";
  for (size_t i = 0; i < analysis->count; i++)
    if (analysis->choices[i].move == self->advice) analysis->value = analysis->choices[i].value;
}

/* No move is worth more than the position is, and the one found, or one like
 * it, just that. */
static void analyse(alea_player *player, alea_analysis *analysis) {
  flagship *self = self_of(player);
  if (alea_plan_follower_proved(&self->planning)) {
    alea_plan_follower_analyse(&self->planning, analysis);
    return;
  }
  alea_tree_analyse(player, analysis);
  analysis->note = alea_tree_eval_note(&self->eval);
  if (self->advice != ALEA_NO_MOVE) put_advice(self, analysis);
  alea_rival_analyse(&self->rival, analysis);
  if (is_minimax(self) || !is_solved(self)) return;
  int value = self->answer.lo;
  analysis->value = value;
  analysis->proof = value == 100 ? ALEA_PROOF_WIN : value == 0 ? ALEA_PROOF_LOSS : ALEA_PROOF_EXACT;
  for (size_t i = 0; i < analysis->count; i++) {
    alea_choice *choice = &self->tree.search.choices.data[i];
    if (choice->value > value) choice->value = value;
    if (value > 0 && !alea_search_are_alike(&self->tree.search, choice->move, self->answer.move))
      continue;
    choice->value = value;
    choice->proof = analysis->proof;
  }
}

/* The plan while the line is on it; what was proved where only one chooses; else what
 * the tree knows. */
static bool expect(alea_player *player, alea_cursor *cursor, const alea_u32s *before,
                   alea_move *joint, bool *proved) {
  flagship *self = self_of(player);
  alea_move move = alea_plan_follower_after(&self->planning, before);
  if (move != ALEA_NO_MOVE && joint[0] == ALEA_NO_MOVE) {
    *proved = alea_plan_follower_proved(&self->planning);
    joint[0] = move;
    return true;
  }
  uint32_t chooser = joint[0] == ALEA_NO_MOVE ? 0 : 1;
  bool alone = self->endgame != NULL && (joint[0] == ALEA_NO_MOVE) != (joint[1] == ALEA_NO_MOVE);
  bool sure = alone && alea_endgame_proves(self->endgame, cursor, chooser, &move), also = true;
  if (sure && move != ALEA_NO_MOVE) {
    joint[chooser] = move;
    return true;
  }
  bool known = alea_tree_expect(player, cursor, before, joint, &also);
  *proved = *proved && (sure || also);
  return known;
}

static alea_status ponder_minimax(flagship *self, alea_move own, const atomic_bool *stop) {
  bool found;
  alea_status status = alea_tree_look_ahead(&self->tree, own, &found);
  const alea_u64s *words = &self->tree.ahead.words;
  uint64_t before = alea_alpha_beta_positions(self->rival.search);
  if (status != ALEA_OK || !found) return status;
  status = alea_alpha_beta_ponder(self->rival.search, words->data, words->count, stop);
  count_positions(self, before);
  return status;
}

static alea_status ponder(alea_player *player, alea_move own, const atomic_bool *stop) {
  flagship *self = self_of(player);
  if (alea_plan_follower_proved(&self->planning)) return ALEA_OK;
  return is_minimax(self) ? ponder_minimax(self, own, stop) : alea_tree_ponder(player, own, stop);
}

const alea_player_class alea_player_alea = {
    .name = "alea",
    .summary = "the flagship: everything that was found to win matches",
    .options = rows,
    .option_count = sizeof rows / sizeof *rows,
    .values_size = sizeof(values),
    .size = sizeof(flagship),
    .init = init,
    .clear = clear,
    .start = start,
    .select = select,
    .observe = observe,
    .analyse = analyse,
    .expect = expect,
    .ponder = ponder,
};
