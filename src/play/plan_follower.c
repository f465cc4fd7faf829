/* Following a plan. */
#include "play/plan_follower.h"

#include "game/time_manager.h"

enum {
  NODES_PER_SIM = 50,
  CONFLICTS_PER_SIM = 5,
  CLAUSES_FROM = 5000, /* conflicts: what it takes to write clauses down is not counted */
  LONGEST = 10000,     /* moves of a game that is remembered */
};
static const double LEAST_SECONDS = 0.05; /* setting up costs some of it */

void alea_plan_follower_init(alea_plan_follower *p, const alea_player_setup *setup, double share,
                             size_t memory) {
  const alea_game *game = setup->game;
  bool fits = game->role_count == 1 && game->random_role < 0 && !game->has_sees;
  *p = (alea_plan_follower){
      .share = share, .memory = memory, .plan = {.goal = -1}, .heard_goal = -1};
  if (fits && share > 0) p->setup = setup;
}

static void drop(alea_plan_follower *p) {
  alea_vec_clear(p->setup->mem, &p->plan.moves);
  p->plan = (alea_plan){.goal = -1};
  p->at = 0;
}

void alea_plan_follower_clear(alea_plan_follower *p) {
  if (p->setup == NULL) return;
  drop(p);
  alea_vec_clear(p->setup->mem, &p->heard);
}

bool alea_plan_follower_proved(const alea_plan_follower *p) {
  return p->plan.goal >= 0 && (p->plan.best || p->plan.answer == ALEA_VERDICT_PROVED);
}

alea_status alea_plan_follower_run(alea_plan_follower *p, const uint64_t *words, size_t word_count,
                                   const alea_budget *budget, alea_budget *rest) {
  *rest = *budget;
  if (p->setup == NULL || p->share <= 0 || alea_plan_follower_proved(p)) return ALEA_OK;
  /* What the first time did not find is left to the search more and more. */
  double share = p->tried ? p->share / 3 : p->share;
  if (p->tried && budget->seconds > 0 && share * budget->seconds < LEAST_SECONDS) return ALEA_OK;
  double began = alea_budget_now(budget);
  alea_deadline deadline = {.stop = budget->stop};
  alea_planner_options options = {.effort = {.memory = p->memory}, .seed = p->setup->seed};
  if (budget->seconds > 0) {
    deadline = alea_budget_deadline(budget, share * budget->seconds);
    options.effort.deadline = &deadline;
  } else {
    options.effort.nodes = budget->sims * NODES_PER_SIM;
    options.effort.conflicts = budget->sims * CONFLICTS_PER_SIM;
    if (options.effort.conflicts < CLAUSES_FROM)
      options.methods = ALEA_PLAN_BREADTH | ALEA_PLAN_DEPTH | ALEA_PLAN_ADAPTATION | ALEA_PLAN_BEAM;
  }
  p->tried = true;
  alea_plan plan;
  alea_status status =
      alea_planner_run(&plan, p->setup->game, words, word_count, &options, p->setup->mem);
  bool better = plan.goal > p->plan.goal || (plan.goal == p->plan.goal && plan.best);
  if (status == ALEA_OK && better) {
    drop(p);
    p->plan = plan;
  } else {
    alea_vec_clear(p->setup->mem, &plan.moves);
  }
  if (status == ALEA_UNSUPPORTED) p->share = 0; /* not a network */
  if (budget->seconds > 0)
    rest->seconds -= ALEA_TIME_MANAGER_CHARGE * (alea_budget_now(budget) - began);
  if (budget->seconds > 0 && rest->seconds < 0.05 * budget->seconds)
    rest->seconds = 0.05 * budget->seconds;
  return status == ALEA_UNSUPPORTED || status == ALEA_LIMIT ? ALEA_OK : status;
}

/* ---- games that were heard of ---- */

static bool keep(alea_plan_follower *p, const alea_played *moves, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!alea_vec_push(p->setup->mem, &p->heard, moves[i].move)) return false;
  return true;
}

void alea_plan_follower_hear(alea_plan_follower *p, const alea_played *down, size_t down_count,
                             const alea_played *more, size_t more_count, int goal) {
  if (goal <= p->heard_goal || goal <= p->plan.goal) return;
  p->heard.count = 0;
  p->heard_goal = keep(p, down, down_count) && keep(p, more, more_count) ? goal : -1;
}

/* Plays the choices that were heard, forced moves between them; these are
 * among what was heard or not ('all').  The goal at the end, -1 where the
 * choices do not lead to one. */
static alea_status play_heard(alea_plan_follower *p, alea_cursor *cursor, bool all,
                              alea_u32s *moves, int *goal) {
  alea_status status = ALEA_OK;
  size_t at = 0;
  *goal = -1;
  moves->count = 0;
  while (status == ALEA_OK && moves->count < LONGEST) {
    bool terminal;
    alea_list legal;
    status = alea_cursor_terminal(cursor, &terminal);
    if (status != ALEA_OK || terminal)
      return status != ALEA_OK ? status : alea_cursor_goal(cursor, 0, goal);
    status = alea_cursor_legal(cursor, 0, &legal);
    if (status != ALEA_OK || legal.count == 0) return status;
    bool fits = at < p->heard.count && alea_list_has(legal, p->heard.data[at]);
    if (legal.count > 1 && !fits) return ALEA_OK;
    alea_move move = fits ? p->heard.data[at] : legal.ids[0];
    at += fits && (all || legal.count > 1);
    if (!alea_vec_push(p->setup->mem, moves, move)) return alea_mem_lack(p->setup->mem);
    status = alea_cursor_play(cursor, &move);
  }
  return status;
}

alea_status alea_plan_follower_take(alea_plan_follower *p, const uint64_t *words,
                                    size_t word_count) {
  if (p->setup == NULL || p->heard_goal <= p->plan.goal) return ALEA_OK;
  alea_mem *mem = p->setup->mem;
  alea_cursor *cursor = NULL;
  alea_u32s moves = {0};
  int goal = -1;
  alea_status status = alea_cursor_new(p->setup->game, mem, &cursor);
  for (int all = 1; all >= 0 && status == ALEA_OK && goal < p->heard_goal; all--) {
    status = alea_cursor_load(cursor, words, word_count);
    if (status == ALEA_OK) status = play_heard(p, cursor, all, &moves, &goal);
  }
  alea_cursor_free(cursor);
  p->heard_goal = -1; /* it is the plan, or of no use */
  if (status == ALEA_OK && goal > p->plan.goal) {
    drop(p);
    p->plan.goal = goal;
    p->plan.moves = moves;
    if (goal == 100) p->plan.answer = ALEA_VERDICT_PROVED;
    return ALEA_OK;
  }
  alea_vec_clear(mem, &moves);
  return status;
}

/* ---- following ---- */

alea_move alea_plan_follower_move(const alea_plan_follower *p, double value) {
  if (p->plan.goal < 0 || p->plan.goal < value || p->at >= p->plan.moves.count) return ALEA_NO_MOVE;
  return p->plan.moves.data[p->at];
}

alea_move alea_plan_follower_after(const alea_plan_follower *p, const alea_u32s *before) {
  if (p->plan.goal < 0 || p->at + before->count >= p->plan.moves.count) return ALEA_NO_MOVE;
  const alea_move *planned = p->plan.moves.data + p->at;
  for (size_t i = 0; i < before->count; i++)
    if (before->data[i] != planned[i]) return ALEA_NO_MOVE;
  return planned[before->count];
}

void alea_plan_follower_observe(alea_plan_follower *p, alea_move own) {
  p->heard_goal = -1; /* that was from another position */
  if (p->setup == NULL || p->plan.goal < 0) return;
  if (p->at >= p->plan.moves.count || p->plan.moves.data[p->at] != own) {
    drop(p);
  } else {
    p->at++;
  }
}

void alea_plan_follower_analyse(alea_plan_follower *p, alea_analysis *analysis) {
  alea_proof proof = p->plan.goal == 100 ? ALEA_PROOF_WIN : ALEA_PROOF_EXACT;
  p->choice =
      (alea_choice){.move = alea_plan_follower_move(p, -1), .value = p->plan.goal, .proof = proof};
  *analysis =
      (alea_analysis){.choices = &p->choice, .count = 1, .value = p->plan.goal, .proof = proof};
}
