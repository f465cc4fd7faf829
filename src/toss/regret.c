/* Regret in normal form, and UCB1-TUNED. */
#include "toss/regret.h"

#include <math.h>
#include <string.h>

#define SAME 1e-9

typedef struct regret_solver {
  const alea_toss_normal *game;
  uint8_t *const *alive;
  uint64_t *strides;
  uint64_t joints;
  double *worst; /* per action of the current player: largest regret */
} regret_solver;

static uint32_t action_of(const regret_solver *s, uint64_t joint, uint32_t player) {
  return (uint32_t)(joint / s->strides[player] % s->game->actions[player]);
}

/* Whether the actions of all but 'player' in 'joint' survive. */
static bool others_alive(const regret_solver *s, uint64_t joint, uint32_t player) {
  for (uint32_t i = 0; i < s->game->players; i++) {
    if (i != player && !s->alive[i][action_of(s, joint, i)]) return false;
  }
  return true;
}

static double payoff(const regret_solver *s, uint64_t joint, uint32_t player) {
  return s->game->payoffs[joint * s->game->players + player];
}

/* 'joint' has action 0 of 'player': computes the regrets of all its actions
 * against the choices of the others in it. */
static void regret_against(regret_solver *s, uint64_t joint, uint32_t player) {
  double best = -INFINITY;
  for (uint32_t a = 0; a < s->game->actions[player]; a++) {
    double value = payoff(s, joint + a * s->strides[player], player);
    if (s->alive[player][a] && value > best) best = value;
  }
  for (uint32_t a = 0; a < s->game->actions[player]; a++) {
    double regret = best - payoff(s, joint + a * s->strides[player], player);
    if (regret > s->worst[a]) s->worst[a] = regret;
  }
}

/* Marks in 'keep' the surviving actions with the smallest maximum regret. */
static bool keep_best(regret_solver *s, uint32_t player, uint8_t *keep) {
  uint32_t count = s->game->actions[player];
  double least = INFINITY;
  bool removed = false;
  for (uint32_t a = 0; a < count; a++) s->worst[a] = 0;
  for (uint64_t joint = 0; joint < s->joints; joint++) {
    if (action_of(s, joint, player) == 0 && others_alive(s, joint, player)) {
      regret_against(s, joint, player);
    }
  }
  for (uint32_t a = 0; a < count; a++) {
    if (s->alive[player][a] && s->worst[a] < least) least = s->worst[a];
  }
  for (uint32_t a = 0; a < count; a++) {
    keep[a] = s->alive[player][a] && s->worst[a] <= least + SAME;
    removed |= keep[a] != s->alive[player][a];
  }
  return removed;
}

static void iterate(regret_solver *s, uint8_t *keep, uint32_t widest) {
  for (bool removed = true; removed;) {
    removed = false;
    for (uint32_t i = 0; i < s->game->players; i++) {
      removed |= keep_best(s, i, keep + (size_t)i * widest);
    }
    for (uint32_t i = 0; i < s->game->players; i++) {
      memcpy(s->alive[i], keep + (size_t)i * widest, s->game->actions[i]);
    }
  }
}

alea_status alea_toss_minimise_regret(const alea_toss_normal *game, uint8_t *const *survivors,
                                      alea_mem *mem) {
  uint32_t widest = 0;
  regret_solver s = {.game = game, .alive = survivors, .joints = 1};
  s.strides = alea_mem_calloc(mem, game->players, sizeof *s.strides);
  for (uint32_t i = 0; s.strides != NULL && i < game->players; i++) {
    s.strides[i] = s.joints;
    s.joints *= game->actions[i];
    if (game->actions[i] > widest) widest = game->actions[i];
    memset(survivors[i], 1, game->actions[i]);
  }
  size_t size = (size_t)widest * game->players;
  uint8_t *keep = alea_mem_alloc(mem, size);
  s.worst = alea_mem_calloc(mem, widest, sizeof *s.worst);
  bool good = s.strides != NULL && keep != NULL && s.worst != NULL;
  if (good) iterate(&s, keep, widest);
  alea_mem_free(mem, s.strides, s.strides != NULL ? game->players * sizeof *s.strides : 0);
  alea_mem_free(mem, keep, keep != NULL ? size : 0);
  alea_mem_free(mem, s.worst, s.worst != NULL ? widest * sizeof *s.worst : 0);
  return good ? ALEA_OK : alea_mem_lack(mem);
}

double alea_toss_ucb_tuned(const alea_toss_bound_of *b) {
  double ratio = log(b->parent_plays) / b->plays, range = b->range;
  if (!(range > 0)) return b->mean;
  double variance = b->printed ? b->variance : b->variance / (range * range);
  double unit = b->printed ? range : 1;
  double upper = variance + unit * sqrt(2 * ratio); /* sigma' */
  double share = upper / unit < 0.25 ? upper / unit : 0.25;
  return b->mean + b->c * range * sqrt(ratio * share);
}
