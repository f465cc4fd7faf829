/* UCT with evaluation games. */
#include "toss/uct.h"

#include <string.h>

#include "game/position.h"
#include "toss/regret.h"

enum { MOST_PATH = 512, MOST_NODES = 1 << 21 };
#define NONE ALEA_TOSS_NONE

/* A node that was never visited has no position yet. */
typedef struct uct_node {
  uint32_t parent, code; /* the joint action at the parent */
  uint32_t first_child, child_count;
  uint32_t words, word_count; /* words NONE: not visited */
  uint32_t mover;             /* as in alea_toss_joints, once expanded */
  bool expanded, terminal, chance;
  double n; /* plays, and the weight of evaluation plays */
} uct_node;

typedef alea_toss_joints joints_t;

struct alea_toss_uct {
  alea_toss_arena *arena;
  alea_mem *mem;
  alea_rng *rng;
  alea_toss_uct_options options;
  uint32_t players;
  alea_toss_basic basic;
  ALEA_VEC(uct_node) nodes;
  ALEA_VEC(double) sums; /* (node * players + p) * 2: payoffs, and their squares */
  ALEA_VEC(uint64_t) words;
  ALEA_VEC(double) values; /* scratch */
  joints_t root;
  /* With options.examples: per node, the count of each payoff vector. */
  ALEA_VEC(uint32_t) outcomes;
  double payoffs[ALEA_TOSS_MOST_OUTCOMES][ALEA_TOSS_MOST_PLAYERS];
  uint32_t outcome_count;
};

typedef alea_toss_uct tree;

static alea_status lack(const tree *t) { return alea_mem_lack(t->mem); }

tree *alea_toss_uct_new(alea_toss_arena *arena, const alea_toss_uct_options *options, alea_rng *rng,
                        alea_mem *mem) {
  tree *t = alea_mem_zalloc(mem, sizeof *t);
  if (t == NULL) return NULL;
  t->arena = arena;
  t->mem = mem;
  t->rng = rng;
  t->players = arena->players;
  t->options = *options;
  if (t->options.c <= 0) t->options.c = 1;
  if (t->options.weight == 0) t->options.weight = 1;
  if (t->options.step_cap == 0) t->options.step_cap = 1000;
  if (t->options.nodes == 0) t->options.nodes = MOST_NODES;
  return t;
}

void alea_toss_uct_free(tree *t) {
  if (t == NULL) return;
  alea_toss_basic_clear(&t->basic, t->arena->mem);
  alea_vec_clear(t->mem, &t->nodes);
  alea_vec_clear(t->mem, &t->sums);
  alea_vec_clear(t->mem, &t->words);
  alea_vec_clear(t->mem, &t->values);
  alea_vec_clear(t->mem, &t->outcomes);
  alea_mem_free(t->mem, t, sizeof *t);
}

size_t alea_toss_uct_nodes(const tree *t) { return t->nodes.count; }

/* ---- positions ---- */

static alea_status save(tree *t, uint32_t id) {
  size_t length;
  const uint64_t *words = alea_cursor_state(t->arena->cursor, &length);
  if (length == 0 || !alea_vec_reserve(t->mem, &t->words, length)) return lack(t);
  uct_node *v = &t->nodes.data[id];
  v->words = (uint32_t)t->words.count;
  v->word_count = (uint32_t)length;
  memcpy(t->words.data + t->words.count, words, length * sizeof *words);
  t->words.count += length;
  return alea_cursor_terminal(t->arena->cursor, &v->terminal);
}

static alea_status go(tree *t, uint32_t id) {
  const uct_node *v = &t->nodes.data[id];
  return alea_cursor_load(t->arena->cursor, t->words.data + v->words, v->word_count);
}

/* Moves the arena to a node, for the first time through its parent. */
static alea_status visit(tree *t, uint32_t id) {
  const uct_node *v = &t->nodes.data[id];
  if (v->words != NONE) return go(t, id);
  joints_t j;
  alea_status status = go(t, v->parent);
  if (status == ALEA_OK) status = alea_toss_arena_joints(t->arena, &j);
  if (status == ALEA_OK) status = alea_toss_arena_play(t->arena, &j, v->code);
  return status == ALEA_OK ? save(t, id) : status;
}

/* ---- nodes ---- */

static double *sums_of(tree *t, uint32_t id) { return t->sums.data + (size_t)id * t->players * 2; }

static alea_status add_nodes(tree *t, uint32_t parent, uint32_t count) {
  size_t outcomes = t->options.examples ? (size_t)count * ALEA_TOSS_MOST_OUTCOMES : 0;
  size_t sums = (size_t)count * t->players * 2;
  if (!alea_vec_reserve(t->mem, &t->nodes, count) || !alea_vec_reserve(t->mem, &t->sums, sums) ||
      !alea_vec_reserve(t->mem, &t->outcomes, outcomes)) {
    return lack(t);
  }
  memset(t->sums.data + t->sums.count, 0, sums * sizeof *t->sums.data);
  t->sums.count += sums;
  if (outcomes != 0) {
    memset(t->outcomes.data + t->outcomes.count, 0, outcomes * sizeof *t->outcomes.data);
    t->outcomes.count += outcomes;
  }
  for (uint32_t i = 0; i < count; i++) {
    t->nodes.data[t->nodes.count++] = (uct_node){.parent = parent, .code = i, .words = NONE};
  }
  return ALEA_OK;
}

static void note(tree *t, uint32_t id, const double *payoffs) {
  double *sums = sums_of(t, id);
  t->nodes.data[id].n++;
  for (uint32_t p = 0; p < t->players; p++) {
    sums[p * 2] += payoffs[p];
    sums[p * 2 + 1] += payoffs[p] * payoffs[p];
  }
}

/* E_n plays of the evaluation, or their exact mean, count as E' plays. */
static void begin_children(tree *t, uint32_t first, uint32_t count) {
  double weight = t->options.weight;
  for (uint32_t i = 0; i < count; i++) {
    double *sums = sums_of(t, first + i);
    t->nodes.data[first + i].n = weight;
    for (uint32_t p = 0; p < t->players; p++) {
      sums[p * 2] = weight * t->basic.values.data[(size_t)i * t->players + p];
      sums[p * 2 + 1] = weight * t->basic.squares.data[(size_t)i * t->players + p];
    }
  }
}

/* Adds all moves as children. */
static alea_status expand(tree *t, uint32_t id) {
  joints_t j;
  uint32_t first = (uint32_t)t->nodes.count;
  alea_status status = go(t, id);
  if (status == ALEA_OK) status = alea_toss_arena_joints(t->arena, &j);
  if (status == ALEA_OK) status = add_nodes(t, id, j.total);
  if (status != ALEA_OK) return status;
  if (t->arena->evaluation != NULL) {
    status = alea_toss_basic_assess(&t->basic, t->arena, &j, t->options.plays, t->rng);
    if (status == ALEA_OK) begin_children(t, first, j.total);
  }
  uct_node *v = &t->nodes.data[id];
  v->first_child = first;
  v->child_count = j.total;
  v->mover = j.mover;
  v->chance = j.chance > 1;
  v->expanded = status == ALEA_OK;
  return status;
}

/* ---- selection ---- */

static double bound(tree *t, const uct_node *v, uint32_t child, uint32_t player, bool explore) {
  const uct_node *w = &t->nodes.data[child];
  if (w->n <= 0) return explore ? 1e6 : -1;
  const double *sums = sums_of(t, child) + (size_t)player * 2;
  double mean = sums[0] / w->n, variance = sums[1] / w->n - mean * mean;
  if (!explore) return mean;
  alea_toss_bound_of b = {.mean = mean,
                          .variance = variance > 0 ? variance : 0,
                          .parent_plays = v->n > 1 ? v->n : 1,
                          .plays = w->n,
                          .range = 1,
                          .c = t->options.c,
                          .printed = t->options.printed};
  return alea_toss_ucb_tuned(&b);
}

static alea_status fill_values(tree *t, uint32_t id, bool explore) {
  const uct_node *v = &t->nodes.data[id];
  size_t size = (size_t)v->child_count * t->players;
  if (!alea_vec_reserve(t->mem, &t->values, size)) return lack(t);
  for (uint32_t i = 0; i < v->child_count; i++) {
    for (uint32_t p = 0; p < t->players; p++) {
      t->values.data[(size_t)i * t->players + p] = bound(t, v, v->first_child + i, p, explore);
    }
  }
  return ALEA_OK;
}

/* The child for a joint action chosen by regret over mu' (or mu).  If a single
 * player chooses and there is no chance, the legal moves need not be known. */
static alea_status pick(tree *t, uint32_t id, bool explore, uint32_t *code) {
  const uct_node *v = &t->nodes.data[id];
  joints_t j = {.total = v->child_count, .chance = 1, .mover = v->mover};
  alea_status status = fill_values(t, id, explore);
  if (status == ALEA_OK && (v->mover == NONE || v->chance)) {
    status = go(t, id);
    if (status == ALEA_OK) status = alea_toss_arena_joints(t->arena, &j);
  } else if (status == ALEA_OK) {
    j.counts[v->mover] = v->child_count;
  }
  return status == ALEA_OK ? alea_toss_choose(t->arena, &j, t->values.data, t->rng, code) : status;
}

/* Flat search: the basic strategy chooses the first action, too. */
static alea_status pick_first(tree *t, uint32_t *code) {
  alea_status status = go(t, 0);
  if (status != ALEA_OK) return status;
  return alea_toss_basic_pick(&t->basic, t->arena, &t->root, t->options.plays, t->rng, code);
}

/* ---- plays ---- */

static uint32_t outcome_of(tree *t, const double *payoffs) {
  for (uint32_t i = 0; i < t->outcome_count; i++) {
    if (memcmp(t->payoffs[i], payoffs, t->players * sizeof *payoffs) == 0) return i;
  }
  if (t->outcome_count == ALEA_TOSS_MOST_OUTCOMES) return NONE;
  memcpy(t->payoffs[t->outcome_count], payoffs, t->players * sizeof *payoffs);
  return t->outcome_count++;
}

static void count_outcome(tree *t, const double *payoffs, const uint32_t *path, uint32_t length) {
  uint32_t outcome = outcome_of(t, payoffs);
  for (uint32_t i = 0; i < length && outcome != NONE; i++) {
    t->outcomes.data[(size_t)path[i] * ALEA_TOSS_MOST_OUTCOMES + outcome]++;
  }
}

/* Descends the tree to a node that may be expanded, then one step further. */
static alea_status descend(tree *t, uint32_t *path, uint32_t *length) {
  uint32_t id = 0, code;
  alea_status status = ALEA_OK;
  path[(*length)++] = 0;
  while (t->nodes.data[id].expanded && *length + 2 < MOST_PATH) {
    bool flat = t->options.flat && id == 0;
    status = flat ? pick_first(t, &code) : pick(t, id, true, &code);
    if (status != ALEA_OK) return status;
    id = t->nodes.data[id].first_child + code;
    path[(*length)++] = id;
  }
  status = visit(t, id);
  if (status != ALEA_OK || t->nodes.data[id].terminal || t->options.flat) return status;
  if (t->nodes.count + ALEA_TOSS_MOST_JOINTS > UINT32_MAX / 2 ||
      t->nodes.count >= t->options.nodes) {
    return ALEA_OK;
  }
  status = expand(t, id);
  if (status == ALEA_OK) status = pick(t, id, true, &code);
  if (status != ALEA_OK) return status;
  id = t->nodes.data[id].first_child + code;
  path[(*length)++] = id;
  return visit(t, id);
}

alea_status alea_toss_uct_iterate(tree *t) {
  uint32_t path[MOST_PATH], length = 0;
  double payoffs[ALEA_TOSS_MOST_PLAYERS];
  alea_status status = descend(t, path, &length);
  if (status == ALEA_OK) {
    status = alea_toss_basic_finish(&t->basic, t->arena, t->options.plays, t->options.step_cap,
                                    t->rng, payoffs);
  }
  if (status != ALEA_OK) return status;
  for (uint32_t i = 0; i < length; i++) note(t, path[i], payoffs);
  if (t->options.examples) count_outcome(t, payoffs, path, length);
  return ALEA_OK;
}

alea_status alea_toss_uct_start(tree *t) {
  t->nodes.count = t->sums.count = t->words.count = t->outcomes.count = 0;
  t->outcome_count = 0;
  alea_status status = add_nodes(t, 0, 1);
  if (status == ALEA_OK) status = save(t, 0);
  if (status == ALEA_OK && t->nodes.data[0].terminal) return ALEA_NONE;
  if (status == ALEA_OK) status = expand(t, 0);
  if (status == ALEA_OK) status = go(t, 0);
  return status == ALEA_OK ? alea_toss_arena_joints(t->arena, &t->root) : status;
}

/* ---- results ---- */

alea_status alea_toss_uct_choose(tree *t, alea_move *joint) {
  uint32_t code;
  alea_status status = pick(t, 0, false, &code);
  if (status == ALEA_OK) status = go(t, 0);
  return status == ALEA_OK ? alea_toss_arena_moves(t->arena, &t->root, code, joint) : status;
}

bool alea_toss_uct_action(const tree *t, uint32_t player, uint32_t index, double *plays,
                          double *mean) {
  uint32_t stride = 1;
  double sum = 0, n = 0;
  if (t->nodes.count == 0 || index >= t->root.counts[player]) return false;
  for (uint32_t p = 0; p < player; p++) stride *= t->root.counts[p];
  for (uint32_t code = 0; code < t->root.total; code++) {
    if (code / stride % t->root.counts[player] != index) continue;
    uint32_t child = t->nodes.data[0].first_child + code;
    n += t->nodes.data[child].n;
    sum += t->sums.data[((size_t)child * t->players + player) * 2];
  }
  *plays = n;
  *mean = n > 0 ? sum / n : -1;
  return true;
}

/* ---- the main line ---- */

enum { LEAST_PLAYS = 4 }; /* of a joint action that is expected */

/* Whether the joint action 'code' at the arena's position has all moves of 'joint' that
 * are not open.  'moves' are those of the action, in the interpreter's numbers. */
static bool agrees(tree *t, const joints_t *j, uint32_t code, const alea_move *joint,
                   alea_move *moves) {
  if (alea_toss_arena_moves(t->arena, j, code, moves) != ALEA_OK) return false;
  for (uint32_t role = 0; role < t->arena->roles; role++) {
    moves[role] = alea_toss_arena_export(t->arena, role, moves[role]);
    if (joint[role] != ALEA_NO_MOVE && joint[role] != moves[role]) return false;
  }
  return true;
}

/* The child with most plays that agrees with 'joint', whose open moves are filled in;
 * NONE: there is none.  A single child needs no plays. */
static uint32_t likeliest_child(tree *t, uint32_t id, alea_move *joint) {
  const uct_node *v = &t->nodes.data[id];
  alea_move moves[ALEA_TOSS_MOST_PLAYERS + 1], most[ALEA_TOSS_MOST_PLAYERS + 1];
  uint32_t found = NONE, count = 0;
  joints_t j;
  if (!v->expanded || go(t, id) != ALEA_OK || alea_toss_arena_joints(t->arena, &j) != ALEA_OK)
    return NONE;
  for (uint32_t code = 0; code < v->child_count; code++) {
    uint32_t child = v->first_child + code;
    if (!agrees(t, &j, code, joint, moves)) continue;
    count++;
    if (found != NONE && t->nodes.data[child].n <= t->nodes.data[found].n) continue;
    found = child;
    memcpy(most, moves, sizeof most);
  }
  if (found == NONE || (count > 1 && t->nodes.data[found].n < LEAST_PLAYS)) return NONE;
  memcpy(joint, most, t->arena->roles * sizeof *joint);
  return found;
}

bool alea_toss_uct_expect(tree *t, const alea_move *before, size_t steps, alea_move *joint) {
  uint32_t id = t->nodes.count > 0 ? 0 : NONE, roles = t->arena->roles;
  for (size_t i = 0; i < steps && id != NONE; i++) {
    alea_move made[ALEA_TOSS_MOST_PLAYERS + 1];
    memcpy(made, before + i * roles, roles * sizeof *made);
    id = likeliest_child(t, id, made);
  }
  return id != NONE && likeliest_child(t, id, joint) != NONE;
}

/* ---- examples ---- */

void alea_toss_examples_clear(alea_toss_examples *examples, alea_mem *mem) {
  alea_vec_clear(mem, &examples->list);
  alea_vec_clear(mem, &examples->words);
}

static uint32_t copy_position(tree *t, alea_cursor *cursor, alea_toss_examples *out,
                              uint32_t *count) {
  size_t length;
  const uint64_t *words = alea_cursor_state(cursor, &length);
  uint32_t first = (uint32_t)out->words.count;
  if (length == 0 || !alea_vec_reserve(t->mem, &out->words, length)) return NONE;
  memcpy(out->words.data + first, words, length * sizeof *words);
  out->words.count += length;
  *count = (uint32_t)length;
  return first;
}

/* Appends the correspondents of the elements after the last move of the cursor. */
static bool copy_origins(tree *t, alea_cursor *cursor, alea_toss_examples *out,
                         alea_toss_example *made) {
  uint32_t location, count = alea_toss_cursor_structure(cursor, &location)->capacity;
  const uint32_t *origins = alea_toss_cursor_origins(cursor);
  if (origins == NULL) return true;
  if (!alea_vec_reserve(t->mem, &out->words, count)) return false;
  made->origins = (uint32_t)out->words.count;
  made->origin_count = count;
  for (uint32_t i = 0; i < count; i++) out->words.data[out->words.count++] = origins[i];
  return true;
}

/* The joint move that led to a node, in the numbers of the interpreter. */
static alea_status export_joint(tree *t, uint32_t id, alea_move *joint) {
  joints_t j;
  const uct_node *w = &t->nodes.data[id];
  alea_status status = go(t, w->parent);
  if (status == ALEA_OK) status = alea_toss_arena_joints(t->arena, &j);
  if (status == ALEA_OK) status = alea_toss_arena_moves(t->arena, &j, w->code, joint);
  for (uint32_t role = 0; status == ALEA_OK && role < t->arena->roles; role++) {
    joint[role] = alea_toss_arena_export(t->arena, role, joint[role]);
  }
  return status;
}

/* Moves the cursor of the interpreter from the root to the parent of a node. */
static alea_status lead(tree *t, alea_cursor *cursor, uint32_t id) {
  uint32_t path[MOST_PATH], length = 0;
  for (uint32_t at = t->nodes.data[id].parent; at != 0 && length < MOST_PATH;) {
    path[length++] = at;
    at = t->nodes.data[at].parent;
  }
  alea_status status = ALEA_OK;
  while (length > 0 && status == ALEA_OK) {
    alea_move joint[ALEA_TOSS_MOST_PLAYERS + 1];
    status = export_joint(t, path[--length], joint);
    if (status == ALEA_OK) status = alea_cursor_play(cursor, joint);
  }
  return status;
}

static uint32_t shared_outcome(const tree *t, alea_toss_examples *out, uint32_t outcome) {
  for (uint32_t i = 0; i < out->outcome_count; i++) {
    if (memcmp(out->payoffs[i], t->payoffs[outcome], t->players * sizeof(double)) == 0) return i;
  }
  if (out->outcome_count == ALEA_TOSS_MOST_OUTCOMES) return NONE;
  memcpy(out->payoffs[out->outcome_count], t->payoffs[outcome], sizeof t->payoffs[outcome]);
  return out->outcome_count++;
}

static void add_outcomes(const tree *t, uint32_t id, alea_toss_examples *out,
                         alea_toss_example *made) {
  const uint32_t *counts = t->outcomes.data + (size_t)id * ALEA_TOSS_MOST_OUTCOMES;
  for (uint32_t k = 0; k < t->outcome_count; k++) {
    uint32_t shared = shared_outcome(t, out, k);
    if (shared == NONE) continue;
    made->outcomes[shared] += counts[k];
    made->plays += counts[k];
    for (uint32_t p = 0; p < t->players; p++) made->mean[p] += counts[k] * t->payoffs[k][p];
  }
  for (uint32_t p = 0; p < t->players && made->plays > 0; p++) made->mean[p] /= made->plays;
}

/* The mean payoff of the moves that were tried at the same position. */
static void add_rivals(tree *t, uint32_t id, alea_toss_example *made) {
  const uct_node *v = &t->nodes.data[t->nodes.data[id].parent];
  uint32_t tried = 0;
  for (uint32_t i = 0; i < v->child_count; i++) {
    uint32_t child = v->first_child + i;
    double n = t->nodes.data[child].n;
    if (t->nodes.data[child].words == NONE || n <= 0) continue;
    tried++;
    for (uint32_t p = 0; p < t->players; p++) made->rivals[p] += sums_of(t, child)[p * 2] / n;
  }
  for (uint32_t p = 0; p < t->players && tried > 0; p++) made->rivals[p] /= tried;
}

static uint64_t plays_of(const tree *t, uint32_t id) {
  uint64_t plays = 0;
  for (uint32_t k = 0; k < t->outcome_count; k++) {
    plays += t->outcomes.data[(size_t)id * ALEA_TOSS_MOST_OUTCOMES + k];
  }
  return plays;
}

/* Whether the moves at a node have enough plays on average.  Then all moves
 * that were tried are examples: those that were played often alone would favour
 * bad moves that were lucky. */
static bool is_explored(const tree *t, uint32_t id, uint32_t threshold) {
  const uct_node *v = &t->nodes.data[id];
  return v->expanded && v->child_count > 1 &&
         plays_of(t, id) > (uint64_t)threshold * v->child_count;
}

static alea_status collect_one(tree *t, alea_cursor *cursor, uint32_t id, alea_toss_examples *out) {
  alea_toss_example made = {.group = out->groups + t->nodes.data[id].parent};
  alea_move joint[ALEA_TOSS_MOST_PLAYERS + 1];
  alea_status status = lead(t, cursor, id);
  if (status != ALEA_OK) return status;
  alea_toss_cursor_structure(cursor, &made.location);
  made.before = copy_position(t, cursor, out, &made.before_count);
  status = export_joint(t, id, joint);
  if (status == ALEA_OK) status = alea_cursor_play(cursor, joint);
  made.after = copy_position(t, cursor, out, &made.after_count);
  add_outcomes(t, id, out, &made);
  add_rivals(t, id, &made);
  bool good = made.before != NONE && made.after != NONE && copy_origins(t, cursor, out, &made);
  if (good && !alea_vec_push(t->mem, &out->list, made)) good = false;
  return status == ALEA_OK && !good ? lack(t) : status;
}

alea_status alea_toss_uct_collect(tree *t, alea_cursor *cursor, uint32_t threshold,
                                  alea_toss_examples *out) {
  alea_u64s root = {0};
  alea_status status = alea_position_keep(&root, cursor, t->mem);
  if (status != ALEA_OK || root.count == 0) return lack(t);
  for (uint32_t id = 0; id < t->nodes.count && status == ALEA_OK; id++) {
    const uct_node *v = &t->nodes.data[id];
    if (!is_explored(t, id, threshold)) continue;
    for (uint32_t i = 0; i < v->child_count && status == ALEA_OK; i++) {
      if (plays_of(t, v->first_child + i) == 0) continue;
      status = collect_one(t, cursor, v->first_child + i, out);
      if (status == ALEA_OK) status = alea_cursor_load(cursor, root.data, root.count);
    }
  }
  out->groups += t->nodes.count;
  alea_vec_clear(t->mem, &root);
  return status == ALEA_OK ? go(t, 0) : status;
}
