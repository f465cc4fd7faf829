/* Backward induction with regret, and plays, in small games. */
#include "toss/value.h"

#include <string.h>

#include "game/position.h"
#include "toss/regret.h"

enum { MOST_JOINTS = 4096, MOST_CASES = 4096 };
#define NONE ALEA_TOSS_NONE

typedef struct valuer {
  alea_cursor *cursor;
  const alea_toss_game *game;
  alea_mem *mem;
  bool uniform;
  uint32_t left; /* positions that may still be visited */
} valuer;

/* The position and its moves.  Joint action a_0 + counts[0] * (a_1 + ...). */
typedef struct crossing {
  alea_u64s here;
  uint32_t counts[ALEA_TOSS_MOST_PLAYERS], total, location;
  ALEA_VEC(alea_move) moves; /* of all players, one after the other */
  ALEA_VEC(double) values;   /* total * players */
} crossing;

static void clear_crossing(valuer *v, crossing *x) {
  alea_vec_clear(v->mem, &x->here);
  alea_vec_clear(v->mem, &x->moves);
  alea_vec_clear(v->mem, &x->values);
}

static alea_status open_crossing(valuer *v, crossing *x) {
  uint64_t total = 1;
  *x = (crossing){0};
  alea_toss_cursor_structure(v->cursor, &x->location);
  alea_status status = alea_position_keep(&x->here, v->cursor, v->mem);
  if (status == ALEA_OK && x->here.count == 0) status = alea_mem_lack(v->mem);
  for (uint32_t p = 0; p < v->game->player_count && status == ALEA_OK; p++) {
    alea_list list;
    status = alea_cursor_legal(v->cursor, p, &list);
    x->counts[p] = list.count;
    total *= list.count;
    if (total > MOST_JOINTS) status = ALEA_LIMIT;
    if (status == ALEA_OK && !alea_vec_reserve(v->mem, &x->moves, list.count)) {
      status = alea_mem_lack(v->mem);
    }
    if (status != ALEA_OK) break;
    memcpy(x->moves.data + x->moves.count, list.ids, list.count * sizeof *list.ids);
    x->moves.count += list.count;
  }
  x->total = (uint32_t)total;
  if (status == ALEA_OK && !alea_vec_reserve(v->mem, &x->values, total * v->game->player_count)) {
    status = alea_mem_lack(v->mem);
  }
  return status;
}

static void joint_of(const valuer *v, const crossing *x, uint32_t code, alea_move *joint) {
  const alea_move *moves = x->moves.data;
  for (uint32_t p = 0; p < v->game->player_count; p++) {
    joint[p] = moves[code % x->counts[p]];
    code /= x->counts[p];
    moves += x->counts[p];
  }
}

/* ---- chance ---- */

/* The tokens of chance differ only in the edge they take and in the quantiles of
 * random bounds: one token stands for all that agree in both. */
typedef struct chance_case {
  uint32_t token;
  double probability;
} chance_case;

typedef ALEA_VEC(chance_case) chance_cases;

static alea_status find_cases(valuer *v, const crossing *x, const alea_move *joint,
                              chance_cases *cases) {
  const alea_toss_game *g = v->game;
  uint32_t labels[ALEA_TOSS_MOST_PLAYERS];
  for (uint32_t p = 0; p < g->player_count; p++) {
    const alea_toss_label *label = alea_toss_cursor_label(v->cursor, p, joint[p]);
    const alea_toss_side *side = &g->file->locations.data[x->location].sides[p];
    labels[p] = label != NULL ? (uint32_t)(label - side->labels.data) : NONE;
  }
  const alea_toss_targets *targets = alea_toss_edge_of(g->file, x->location, labels);
  uint32_t edges = alea_toss_denominator(g->file, x->location);
  uint32_t draws = g->tokens[x->location] / edges;
  cases->count = 0;
  if ((uint64_t)draws * (targets != NULL ? targets->count : 1) > MOST_CASES) return ALEA_LIMIT;
  for (uint32_t draw = 0; draw < draws; draw++) {
    uint32_t token = draw * edges;
    for (size_t i = 0; i < (targets != NULL ? targets->count : 1); i++) {
      const alea_toss_target *t = targets != NULL ? &targets->data[i] : NULL;
      uint32_t share = t != NULL ? (uint32_t)((uint64_t)edges * t->weight / t->scale) : edges;
      chance_case made = {token, (double)share / edges / draws};
      if (!alea_vec_push(v->mem, cases, made)) return alea_mem_lack(v->mem);
      token += share;
    }
  }
  return ALEA_OK;
}

/* Plays a joint action from the crossing with a token of chance. */
static alea_status cross(valuer *v, const crossing *x, alea_move *joint, uint32_t token) {
  const alea_toss_game *g = v->game;
  alea_status status = alea_cursor_load(v->cursor, x->here.data, x->here.count);
  if (g->game.random_role >= 0) {
    uint32_t key[2] = {ALEA_TOSS_KEY_CHANCE, token}, role = (uint32_t)g->game.random_role;
    if (g->tokens[x->location] == 1) key[0] = ALEA_TOSS_KEY_NOOP;
    joint[role] = alea_toss_ids_add(g->ids, 1 + role, key, key[0] == ALEA_TOSS_KEY_NOOP ? 1 : 2);
    if (joint[role] == ALEA_NO_MOVE) return alea_mem_lack(v->mem);
  }
  return status == ALEA_OK ? alea_cursor_play(v->cursor, joint) : status;
}

/* ---- values ---- */

static alea_status value_at(valuer *v, uint32_t depth, double *payoffs);

static alea_status payoffs_of(valuer *v, double *payoffs) {
  alea_status status = ALEA_OK;
  for (uint32_t p = 0; p < v->game->player_count && status == ALEA_OK; p++) {
    status = alea_toss_cursor_payoff(v->cursor, p, &payoffs[p]);
  }
  return status;
}

/* The value of a joint action: the mean over chance. */
static alea_status value_joint(valuer *v, const crossing *x, uint32_t code, uint32_t depth,
                               double *mean) {
  alea_move joint[ALEA_TOSS_MOST_PLAYERS + 1];
  uint32_t players = v->game->player_count;
  chance_cases cases = {0};
  joint_of(v, x, code, joint);
  alea_status status = alea_cursor_load(v->cursor, x->here.data, x->here.count);
  if (status == ALEA_OK) status = find_cases(v, x, joint, &cases);
  for (uint32_t p = 0; p < players; p++) mean[p] = 0;
  for (size_t i = 0; i < cases.count && status == ALEA_OK; i++) {
    double payoffs[ALEA_TOSS_MOST_PLAYERS] = {0};
    status = cross(v, x, joint, cases.data[i].token);
    if (status == ALEA_OK) status = value_at(v, depth + 1, payoffs);
    for (uint32_t p = 0; p < players; p++) mean[p] += cases.data[i].probability * payoffs[p];
  }
  alea_vec_clear(v->mem, &cases);
  return status;
}

static alea_status value_all(valuer *v, crossing *x, uint32_t depth) {
  alea_status status = ALEA_OK;
  for (uint32_t code = 0; code < x->total && status == ALEA_OK; code++) {
    double *mean = x->values.data + (size_t)code * v->game->player_count;
    status = value_joint(v, x, code, depth, mean);
  }
  return status;
}

/* Marks the moves that players may choose: marks of all players, one after the
 * other. */
static alea_status find_choices(valuer *v, const crossing *x, uint8_t *marks) {
  uint8_t *survivors[ALEA_TOSS_MOST_PLAYERS];
  memset(marks, 1, x->moves.count);
  if (v->uniform) return ALEA_OK;
  for (uint32_t p = 0; p < v->game->player_count; p++) {
    survivors[p] = marks;
    marks += x->counts[p];
  }
  alea_toss_normal normal = {v->game->player_count, x->counts, x->values.data};
  return alea_toss_minimise_regret(&normal, survivors, v->mem);
}

/* The mean over the joint actions of chosen moves. */
static void mean_of(const valuer *v, const crossing *x, const uint8_t *marks, double *payoffs) {
  uint32_t players = v->game->player_count, count = 0;
  for (uint32_t p = 0; p < players; p++) payoffs[p] = 0;
  for (uint32_t code = 0; code < x->total; code++) {
    const uint8_t *at = marks;
    uint32_t rest = code;
    bool chosen = true;
    for (uint32_t p = 0; p < players; p++) {
      chosen = chosen && at[rest % x->counts[p]];
      rest /= x->counts[p];
      at += x->counts[p];
    }
    if (!chosen) continue;
    count++;
    for (uint32_t p = 0; p < players; p++) payoffs[p] += x->values.data[(size_t)code * players + p];
  }
  for (uint32_t p = 0; p < players; p++) payoffs[p] /= count;
}

/* Recursion is bounded by ALEA_TOSS_VALUE_DEPTH. */
static alea_status value_at(valuer *v, uint32_t depth, double *payoffs) {
  bool over;
  if (v->left == 0 || depth > ALEA_TOSS_VALUE_DEPTH) return ALEA_LIMIT;
  v->left--;
  alea_status status = alea_cursor_terminal(v->cursor, &over);
  if (status != ALEA_OK || over) return status == ALEA_OK ? payoffs_of(v, payoffs) : status;
  crossing x;
  status = open_crossing(v, &x);
  if (status == ALEA_OK) status = value_all(v, &x, depth);
  uint8_t *marks = alea_mem_alloc(v->mem, x.moves.count);
  if (status == ALEA_OK)
    status = marks != NULL ? find_choices(v, &x, marks) : alea_mem_lack(v->mem);
  if (status == ALEA_OK) mean_of(v, &x, marks, payoffs);
  alea_mem_free(v->mem, marks, marks != NULL ? x.moves.count : 0);
  clear_crossing(v, &x);
  return status;
}

static valuer valuer_of(alea_cursor *cursor, bool uniform, alea_mem *mem) {
  return (valuer){cursor, alea_toss_of(cursor->game), mem, uniform, ALEA_TOSS_VALUE_POSITIONS};
}

alea_status alea_toss_value_find(alea_cursor *cursor, bool uniform, double *payoffs,
                                 alea_mem *mem) {
  valuer v = valuer_of(cursor, uniform, mem);
  return value_at(&v, 0, payoffs);
}

/* ---- plays ---- */

/* Draws a joint action of chosen moves. */
static uint32_t draw_joint(const valuer *v, const crossing *x, const uint8_t *marks,
                           alea_rng *rng) {
  uint32_t code = 0, stride = 1;
  for (uint32_t p = 0; p < v->game->player_count; p++) {
    uint32_t left = 0, pick, at = 0;
    for (uint32_t i = 0; i < x->counts[p]; i++) left += marks[i];
    pick = left > 1 ? alea_rng_below(rng, left) : 0;
    while (!marks[at] || pick-- > 0) at++;
    code += at * stride;
    stride *= x->counts[p];
    marks += x->counts[p];
  }
  return code;
}

static alea_status step(valuer *v, crossing *x, uint8_t *marks, alea_rng *rng) {
  alea_move joint[ALEA_TOSS_MOST_PLAYERS + 1];
  v->left = ALEA_TOSS_VALUE_POSITIONS;
  alea_status status = v->uniform ? ALEA_OK : value_all(v, x, 0);
  if (status == ALEA_OK) status = find_choices(v, x, marks);
  if (status != ALEA_OK) return status;
  joint_of(v, x, draw_joint(v, x, marks, rng), joint);
  uint32_t tokens = v->game->tokens[x->location];
  return cross(v, x, joint, tokens > 1 ? alea_rng_below(rng, tokens) : 0);
}

alea_status alea_toss_value_play(alea_cursor *cursor, bool uniform, alea_rng *rng, double *payoffs,
                                 alea_mem *mem) {
  valuer v = valuer_of(cursor, uniform, mem);
  alea_status status = ALEA_OK;
  for (int i = 0; i < ALEA_TOSS_VALUE_STEPS; i++) {
    bool over;
    status = alea_cursor_terminal(cursor, &over);
    if (status != ALEA_OK || over) break;
    crossing x;
    status = open_crossing(&v, &x);
    uint8_t *marks = status == ALEA_OK ? alea_mem_alloc(mem, x.moves.count) : NULL;
    if (status == ALEA_OK && marks == NULL) status = alea_mem_lack(mem);
    if (status == ALEA_OK) status = step(&v, &x, marks, rng);
    alea_mem_free(mem, marks, marks != NULL ? x.moves.count : 0);
    clear_crossing(&v, &x);
    if (status != ALEA_OK) break;
  }
  return status == ALEA_OK ? payoffs_of(&v, payoffs) : status;
}
