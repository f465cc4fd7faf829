/* The basic strategy, and choosing by regret. */
#include "toss/basic.h"

#include "toss/optimise.h"
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

/* ---- positions with continuous moves ---- */

/* The normal form of a position: the actions of each player are the kinds of its
 * moves. */
typedef struct normal_form {
  alea_u32s kinds[ALEA_TOSS_MOST_PLAYERS + 1];
  joints_t joints;
  ALEA_VEC(alea_toss_numbers) numbers; /* code * players + p */
  ALEA_VEC(double) values;
} normal_form;

static void clear_normal(normal_form *n, arena_t *a) {
  for (uint32_t role = 0; role < a->roles; role++) alea_vec_clear(a->mem, &n->kinds[role]);
  alea_vec_clear(a->mem, &n->numbers);
  alea_vec_clear(a->mem, &n->values);
}

static alea_status open_normal(normal_form *n, arena_t *a) {
  uint64_t total = 1;
  uint32_t choosers = 0;
  *n = (normal_form){.joints = {.chance = 1}};
  for (uint32_t role = 0; role < a->roles; role++) {
    alea_list list;
    alea_status status = ALEA_OK;
    if (role < a->players) {
      status = alea_toss_cursor_kinds(a->cursor, role, &n->kinds[role]);
    } else if ((status = alea_cursor_legal(a->cursor, role, &list)) == ALEA_OK) {
      for (uint32_t i = 0; i < list.count && status == ALEA_OK; i++) {
        if (!alea_vec_push(a->mem, &n->kinds[role], list.ids[i])) status = alea_mem_lack(a->mem);
      }
    }
    if (status != ALEA_OK) return status;
    uint32_t count = n->joints.counts[role] = (uint32_t)n->kinds[role].count;
    total *= count;
    if (total > ALEA_TOSS_MOST_JOINTS) return ALEA_LIMIT;
    if (role == a->players) n->joints.chance = count;
    if (role < a->players && count > 1 && choosers++ == 0) n->joints.mover = role;
  }
  if (choosers > 1) n->joints.mover = NONE;
  n->joints.total = (uint32_t)total;
  return ALEA_OK;
}

static void joint_of(const normal_form *n, const arena_t *a, uint32_t code, alea_move *joint) {
  for (uint32_t role = 0; role < a->roles; role++) {
    joint[role] = n->kinds[role].data[code % n->joints.counts[role]];
    code /= n->joints.counts[role];
  }
}

/* Optimises every joint action and chooses by regret. */
static alea_status choose_best(normal_form *n, arena_t *a, alea_rng *rng, uint32_t *code) {
  size_t cells = (size_t)n->joints.total * a->players;
  if (!alea_vec_reserve(a->mem, &n->numbers, cells) ||
      !alea_vec_reserve(a->mem, &n->values, cells)) {
    return alea_mem_lack(a->mem);
  }
  alea_status status = ALEA_OK;
  for (uint32_t i = 0; i < n->joints.total && status == ALEA_OK; i++) {
    alea_move joint[ALEA_TOSS_MOST_PLAYERS + 1];
    size_t cell = (size_t)i * a->players;
    joint_of(n, a, i, joint);
    status = alea_toss_optimise_joint(a, joint, n->numbers.data + cell, n->values.data + cell);
  }
  return status == ALEA_OK ? alea_toss_choose(a, &n->joints, n->values.data, rng, code) : status;
}

/* One step of the basic strategy: with an evaluation the best numbers of each
 * action count; without one both the action and its numbers are drawn. */
static alea_status step_in_box(arena_t *a, alea_rng *rng) {
  alea_move joint[ALEA_TOSS_MOST_PLAYERS + 1];
  alea_toss_numbers drawn[ALEA_TOSS_MOST_PLAYERS], *numbers = drawn;
  normal_form n;
  uint32_t code = 0;
  alea_status status = open_normal(&n, a);
  if (status == ALEA_OK && a->evaluation != NULL) status = choose_best(&n, a, rng, &code);
  if (status == ALEA_OK && a->evaluation == NULL) code = alea_rng_below(rng, n.joints.total);
  if (status == ALEA_OK) {
    joint_of(&n, a, code, joint);
    if (a->evaluation != NULL) numbers = n.numbers.data + (size_t)code * a->players;
    if (a->evaluation == NULL) alea_toss_draw_numbers(a, joint, drawn, rng);
    status = alea_toss_cursor_play_with(a->cursor, joint, numbers);
  }
  clear_normal(&n, a);
  return status;
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
    if (alea_toss_has_box(a)) {
      status = step_in_box(a, rng);
      continue;
    }
    status = alea_toss_arena_joints(a, &j);
    if (status == ALEA_OK) status = alea_toss_basic_pick(b, a, &j, plays, rng, &code);
    if (status == ALEA_OK) status = alea_toss_arena_play(a, &j, code);
  }
  return status == ALEA_OK ? alea_toss_arena_payoffs(a, payoffs) : status;
}
