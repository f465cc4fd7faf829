/* A minimax search on several threads: helpers search the same position, each for itself,
 * and share the table with the search that is asked (lazy SMP).  What one has found out there
 * the others need not search again; every other helper is a depth ahead, so that they do not
 * all do the same.
 *
 * Threads are made for a search and gone when it ends.  Helpers stop when the search does, and
 * on a clock of the wall somewhat earlier. */
#include <pthread.h>

#include "minimax/alpha_beta_core.h"

static const double HELP_SHARE = 0.93; /* of a clock of the wall, after which helpers stop */

typedef struct ab_helper {
  pthread_t thread;
  alea_mem mem;
  alea_player_setup setup;
  alea_alpha_beta *search;
  ab_task task;
  alea_alpha_beta_answer answer;
  alea_status status;
  bool running;
} ab_helper;

struct ab_team {
  ab_helper *helpers;
  uint32_t room, count; /* that fit, and that are there */
  atomic_bool halt;
};

void ab_team_free(alea_alpha_beta *ab) {
  ab_team *team = ab->team;
  if (team == NULL) return;
  for (uint32_t i = 0; i < team->count; i++) alea_alpha_beta_free(team->helpers[i].search);
  alea_mem_free(ab->mem, team->helpers, team->room * sizeof *team->helpers);
  alea_mem_free(ab->mem, team, sizeof *team);
  ab->team = NULL;
}

static bool add_helper(alea_alpha_beta *ab, ab_helper *helper) {
  size_t limit = ab->mem->limit, left = limit - ab->mem->used;
  helper->setup = *ab->setup;
  helper->setup.mem = &helper->mem;
  alea_mem_init_with(&helper->mem, limit != 0 ? left / ab->team->room + 1 : 0, ab->mem);
  if (alea_alpha_beta_new(&helper->search, &helper->setup, ab->eval, 0) != ALEA_OK) return false;
  helper->search->table = &ab->own_table;
  helper->search->passes = ab->passes;
  helper->search->others = ab->others;
  return true;
}

alea_status alea_alpha_beta_set_threads(alea_alpha_beta *ab, uint32_t threads) {
  ab_team_free(ab);
  if (threads <= 1) return ALEA_OK;
  ab_team *team = ab->team = alea_mem_zalloc(ab->mem, sizeof *team);
  if (team == NULL) return alea_mem_lack(ab->mem);
  team->helpers = alea_mem_calloc(ab->mem, threads - 1, sizeof *team->helpers);
  if (team->helpers == NULL) return alea_mem_lack(ab->mem);
  team->room = threads - 1;
  while (team->count < team->room && add_helper(ab, &team->helpers[team->count])) team->count++;
  return ALEA_OK; /* with fewer, where there is no memory for more */
}

void ab_team_each(alea_alpha_beta *ab, void (*visit)(alea_alpha_beta *helper, const void *context),
                  const void *context) {
  for (uint32_t i = 0; ab->team != NULL && i < ab->team->count; i++)
    visit(ab->team->helpers[i].search, context);
}

static void *help(void *argument) {
  ab_helper *helper = argument;
  helper->status = ab_run(helper->search, &helper->task, &helper->answer);
  return NULL;
}

/* The part of a budget that one of 'count' threads has: of the wall's clock all, of simulations
 * and CPU time a share. */
static alea_budget share_of(const alea_budget *budget, uint32_t index, uint32_t count) {
  alea_budget share = *budget;
  bool wall = budget->clock == ALEA_CLOCK_WALL;
  if (budget->sims > 0) share.sims = budget->sims / count + (index < budget->sims % count);
  if (budget->sims > 0 && share.sims == 0) share.sims = 1;
  if (index > 0) share.watch = NULL; /* one thread alone is looked at */
  if (!wall) share.seconds /= count;
  if (wall && index > 0) share.seconds *= HELP_SHARE;
  return share;
}

/* A proof counts most, then depth; the search that was asked comes first. */
static bool is_better(const alea_alpha_beta_answer *a, const alea_alpha_beta_answer *b) {
  if (a->move == ALEA_NO_MOVE) return false;
  bool proved = a->proof != ALEA_PROOF_NONE, other = b->proof != ALEA_PROOF_NONE;
  return proved != other ? proved : a->depth > b->depth;
}

alea_status ab_team_run(alea_alpha_beta *ab, const ab_task *task, alea_alpha_beta_answer *answer) {
  ab_team *team = ab->team;
  alea_budget own = share_of(task->budget, 0, team->count + 1);
  alea_budget *budgets = alea_mem_calloc(ab->mem, team->count, sizeof *budgets);
  uint32_t count = budgets != NULL ? team->count : 0;
  atomic_store(&team->halt, false);
  for (uint32_t i = 0; i < count; i++) {
    ab_helper *helper = &team->helpers[i];
    budgets[i] = share_of(task->budget, i + 1, team->count + 1);
    helper->task = *task;
    helper->task.budget = &budgets[i];
    helper->task.halt = &team->halt;
    helper->task.first_depth = 1 + (int)(i + 1) % 2;
    helper->search->age = ab->age;
    helper->running = pthread_create(&helper->thread, NULL, help, helper) == 0;
  }
  ab_task main_task = *task;
  main_task.budget = &own;
  alea_status status = ab_run(ab, &main_task, answer);
  if (own.seconds > 0 || answer->proof != ALEA_PROOF_NONE) atomic_store(&team->halt, true);
  for (uint32_t i = 0; i < count; i++) {
    ab_helper *helper = &team->helpers[i];
    if (!helper->running) continue;
    pthread_join(helper->thread, NULL);
    if (helper->status == ALEA_OK && is_better(&helper->answer, answer)) *answer = helper->answer;
  }
  alea_mem_free(ab->mem, budgets, team->count * sizeof *budgets);
  return status;
}

uint64_t ab_team_positions(const alea_alpha_beta *ab) {
  uint64_t sum = 0;
  for (uint32_t i = 0; ab->team != NULL && i < ab->team->count; i++)
    sum += ab->team->helpers[i].search->positions;
  return sum;
}
