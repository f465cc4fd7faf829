/* The basic strategy, and choosing by regret. */
#include "toss/basic.h"

#include "toss/regret.h"

#define NONE ALEA_TOSS_NONE
#define TIE 1e-9

typedef alea_toss_arena arena_t;
typedef alea_toss_joints joints_t;

/* ---- choosing ---- */

/* The maximum of a sequence of values; ties at random. */
typedef struct best {
  double value;
  uint32_t code, ties;
} best;

static void offer(best *b, double value, uint32_t code, alea_rng *rng) {
  if (b->ties != 0 && value < b->value - TIE) return;
  if (b->ties == 0 || value > b->value + TIE) {
    *b = (best){value, code, 1};
  } else if (alea_rng_below(rng, ++b->ties) == 0) {
    b->code = code;
  }
}

static uint32_t choose_alone(const arena_t *a, const joints_t *j, const double *values,
                             alea_rng *rng) {
  best b = {0};
  uint32_t actions = j->counts[j->mover];
  for (uint32_t i = 0; i < actions; i++) {
    double sum = 0;
    for (uint32_t k = 0; k < j->chance; k++) {
      sum += values[((size_t)k * actions + i) * a->players + j->mover];
    }
    offer(&b, sum / j->chance, i, rng);
  }
  return b.code;
}

/* Draws one of the actions that survive regret minimisation for each player. */
static alea_status choose_together(const arena_t *a, const joints_t *j, const double *means,
                                   uint8_t *marks, alea_rng *rng, uint32_t *code) {
  uint8_t *survivors[ALEA_TOSS_MOST_PLAYERS];
  uint32_t stride = 1;
  for (uint32_t p = 0; p < a->players; p++) {
    survivors[p] = marks;
    marks += j->counts[p];
  }
  alea_toss_normal game = {a->players, j->counts, means};
  alea_status status = alea_toss_minimise_regret(&game, survivors, a->mem);
  *code = 0;
  for (uint32_t p = 0; p < a->players && status == ALEA_OK; p++) {
    uint32_t left = 0, pick;
    for (uint32_t i = 0; i < j->counts[p]; i++) left += survivors[p][i];
    pick = alea_rng_below(rng, left);
    for (uint32_t i = 0; i < j->counts[p]; i++) {
      if (!survivors[p][i] || pick-- != 0) continue;
      *code += i * stride;
      break;
    }
    stride *= j->counts[p];
  }
  return status;
}

static alea_status choose_by_regret(const arena_t *a, const joints_t *j, const double *values,
                                    alea_rng *rng, uint32_t *code) {
  uint32_t players = j->total / j->chance, marks = 0;
  for (uint32_t p = 0; p < a->players; p++) marks += j->counts[p];
  size_t size = (size_t)players * a->players;
  double *means = alea_mem_calloc(a->mem, size, sizeof *means);
  uint8_t *marked = alea_mem_zalloc(a->mem, marks);
  alea_status status = means != NULL && marked != NULL ? ALEA_OK : alea_mem_lack(a->mem);
  for (uint32_t i = 0; status == ALEA_OK && i < j->total; i++) {
    for (uint32_t p = 0; p < a->players; p++) {
      means[(size_t)(i % players) * a->players + p] +=
          values[(size_t)i * a->players + p] / j->chance;
    }
  }
  if (status == ALEA_OK) status = choose_together(a, j, means, marked, rng, code);
  alea_mem_free(a->mem, means, means != NULL ? size * sizeof *means : 0);
  alea_mem_free(a->mem, marked, marked != NULL ? marks : 0);
  return status;
}

alea_status alea_toss_choose(const arena_t *a, const joints_t *j, const double *values,
                             alea_rng *rng, uint32_t *code) {
  alea_status status = ALEA_OK;
  if (j->mover != NONE) {
    *code = choose_alone(a, j, values, rng);
  } else {
    status = choose_by_regret(a, j, values, rng, code);
  }
  if (j->chance > 1) *code += alea_rng_below(rng, j->chance) * (j->total / j->chance);
  return status;
}

/* ---- the evaluation of a move ---- */

void alea_toss_basic_clear(alea_toss_basic *b, alea_mem *mem) {
  alea_vec_clear(mem, &b->verdicts);
  alea_vec_clear(mem, &b->values);
  alea_vec_clear(mem, &b->squares);
}

alea_status alea_toss_basic_assess(alea_toss_basic *b, arena_t *a, const joints_t *j,
                                   uint32_t plays, alea_rng *rng) {
  size_t cells = (size_t)j->total * a->players;
  if (!alea_vec_reserve(a->mem, &b->verdicts, j->total) ||
      !alea_vec_reserve(a->mem, &b->values, cells) ||
      !alea_vec_reserve(a->mem, &b->squares, cells)) {
    return alea_mem_lack(a->mem);
  }
  return alea_toss_arena_judge(a, j, plays, rng, b->verdicts.data, b->values.data, b->squares.data);
}

/* ---- the strategy ---- */

alea_status alea_toss_basic_pick(alea_toss_basic *b, arena_t *a, const joints_t *j, uint32_t plays,
                                 alea_rng *rng, uint32_t *code) {
  *code = 0;
  if (j->total == 1) return ALEA_OK;
  if (a->evaluation == NULL) {
    *code = alea_rng_below(rng, j->total);
    return ALEA_OK;
  }
  alea_status status = alea_toss_basic_assess(b, a, j, plays, rng);
  return status == ALEA_OK ? alea_toss_choose(a, j, b->values.data, rng, code) : status;
}

alea_status alea_toss_basic_finish(alea_toss_basic *b, arena_t *a, uint32_t plays,
                                   uint32_t step_cap, alea_rng *rng, double *payoffs) {
  alea_status status = ALEA_OK;
  for (uint32_t step = 0; step < step_cap && status == ALEA_OK; step++) {
    bool over;
    joints_t j;
    uint32_t code;
    status = alea_cursor_terminal(a->cursor, &over);
    if (status != ALEA_OK || over) break;
    status = alea_toss_arena_joints(a, &j);
    if (status == ALEA_OK) status = alea_toss_basic_pick(b, a, &j, plays, rng, &code);
    if (status == ALEA_OK) status = alea_toss_arena_play(a, &j, code);
  }
  return status == ALEA_OK ? alea_toss_arena_payoffs(a, payoffs) : status;
}
