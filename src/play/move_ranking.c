/* Means of moves, and their ranking. */
#include "play/move_ranking.h"

#include <math.h>

enum {
  FIRST_GAMES = 256, /* before anything is ranked */
  ENOUGH = 8,        /* visits that make a mean worth ranking by */
};

static const double OFTEN = 1.5; /* times in a game that a move is made */

alea_status alea_move_ranking_init(alea_move_ranking *l, const alea_game *game, uint32_t follow,
                                   double spread, alea_mem *mem) {
  *l = (alea_move_ranking){.mem = mem, .game = game, .spread = spread};
  uint32_t roles = game->role_count;
  l->counts = alea_mem_calloc(mem, roles, sizeof *l->counts);
  l->first = alea_mem_calloc(mem, roles + 1u, sizeof *l->first);
  l->rows = alea_mem_calloc(mem, roles, sizeof *l->rows);
  if (l->counts == NULL || l->first == NULL || l->rows == NULL) return alea_mem_lack(mem);
  for (uint32_t r = 0; r < roles; r++) {
    l->counts[r] = alea_game_move_count(game, r);
    l->first[r + 1] = l->first[r] + l->counts[r];
  }
  l->moves = alea_mem_calloc(mem, l->first[roles], sizeof *l->moves);
  l->ranks = alea_mem_calloc(mem, l->first[roles], 1);
  if (l->moves == NULL || l->ranks == NULL) return alea_mem_lack(mem);
  for (uint32_t r = 0; r < roles; r++)
    l->rows[r] = (int)r == game->random_role ? NULL : l->ranks + l->first[r];
  l->guide = (alea_sample_guide){.ranks = l->rows, .counts = l->counts, .follow = follow};
  return ALEA_OK;
}

void alea_move_ranking_clear(alea_move_ranking *l) {
  if (l->mem == NULL) return;
  uint32_t roles = l->game->role_count, moves = l->first != NULL ? l->first[roles] : 0;
  alea_mem_free(l->mem, l->counts, roles * sizeof *l->counts);
  alea_mem_free(l->mem, l->first, (roles + 1u) * sizeof *l->first);
  alea_mem_free(l->mem, l->rows, roles * sizeof *l->rows);
  alea_mem_free(l->mem, l->moves, moves * sizeof *l->moves);
  alea_mem_free(l->mem, l->ranks, moves);
  *l = (alea_move_ranking){0};
}

void alea_move_ranking_add(alea_move_ranking *l, const alea_played *moves, size_t count,
                           const float *rewards) {
  for (size_t i = 0; i < count; i++) {
    if (moves[i].move >= l->counts[moves[i].role]) continue;
    alea_amaf *stat = &l->moves[l->first[moves[i].role] + moves[i].move];
    stat->visits += 1;
    stat->sum += rewards[moves[i].role];
  }
  l->games++;
}

static float mean_of(const alea_amaf *stat) { return stat->sum / stat->visits; }

/* Mean and standard deviation of the means of a role's moves, each weighted
 * by how often it is played. */
static void measure(const alea_amaf *moves, uint32_t count, double *mean, double *deviation) {
  double weight = 0, sum = 0, squares = 0;
  for (uint32_t m = 0; m < count; m++) {
    if (moves[m].visits < ENOUGH) continue;
    double value = (double)mean_of(&moves[m]), visits = (double)moves[m].visits;
    weight += visits;
    sum += visits * value;
    squares += visits * value * value;
  }
  *mean = weight > 0 ? sum / weight : 0;
  *deviation = weight > 0 ? sqrt(fmax(0, squares / weight - *mean * *mean)) : 0;
}

static void rank_role(alea_move_ranking *l, uint32_t role) {
  const alea_amaf *moves = l->moves + l->first[role];
  uint8_t *ranks = l->ranks + l->first[role];
  double mean, deviation;
  measure(moves, l->counts[role], &mean, &deviation);
  float good = (float)(mean + l->spread * deviation), bad = (float)(mean - l->spread * deviation);
  for (uint32_t m = 0; m < l->counts[role]; m++) {
    ranks[m] = ALEA_SAMPLE_RANKS / 2;
    if (moves[m].visits < ENOUGH) continue;
    if (mean_of(&moves[m]) > good) ranks[m] = 0;
    if (mean_of(&moves[m]) < bad) ranks[m] = ALEA_SAMPLE_RANKS - 1;
  }
}

/* Whether the game is one of putting stones on a board until it is full: any
 * move may be made at any time, 'legal' of them now, and about every one is
 * made in every game, once or, where a move is a column, several times. */
static void judge(alea_move_ranking *l, uint32_t legal) {
  double made = 0, moves = 0;
  uint32_t roles = 0;
  for (uint32_t r = 0; r < l->game->role_count; r++) {
    uint32_t known = 0;
    if (l->rows[r] == NULL) continue;
    for (uint32_t m = l->first[r]; m < l->first[r + 1]; m++) {
      if (l->moves[m].visits < ENOUGH) continue;
      known++;
      made += (double)l->moves[m].visits;
    }
    roles += known > 0;
    moves += known;
  }
  l->judged = true;
  if (moves <= 0) return;
  double per_role = moves / roles, each = made / (double)l->games / per_role;
  l->vain = each > 0.5 && legal > per_role / 2;
  l->repeats = l->vain && each > OFTEN;
}

const alea_sample_guide *alea_move_ranking_guide(alea_move_ranking *l, uint32_t legal) {
  if (l->guide.follow == 0 || l->games < FIRST_GAMES) return NULL;
  if (!l->judged) judge(l, legal);
  if (l->vain) return NULL;
  if (l->games >= l->ranked + l->ranked / 4) { /* means move slowly once there are many */
    for (uint32_t r = 0; r < l->game->role_count; r++) rank_role(l, r);
    l->ranked = l->games;
  }
  return &l->guide;
}

void alea_move_ranking_fade(alea_move_ranking *l, float factor) {
  if (l->mem == NULL) return;
  for (uint32_t i = 0; i < l->first[l->game->role_count]; i++) {
    l->moves[i].visits *= factor;
    l->moves[i].sum *= factor;
  }
  l->games = (uint64_t)((float)l->games * factor);
  l->ranked = 0;
}
