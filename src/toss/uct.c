/* UCT with evaluation games. */
#include "toss/uct.h"

#include <string.h>

#include "toss/regret.h"

enum { MOST_JOINTS = 4096, MOST_PATH = 512 };
#define NONE ALEA_TOSS_NONE

typedef struct node {
  uint32_t words, word_count;
  uint32_t first_child, child_count; /* children lie together, in joint order */
  uint32_t parent;
  uint32_t location;
  bool expanded, terminal;
  double n, plays; /* n(v) with the weight of evaluation; real plays alone */
  double sum[ALEA_TOSS_MOST_PLAYERS], squares[ALEA_TOSS_MOST_PLAYERS];
  uint32_t outcomes[ALEA_TOSS_MOST_OUTCOMES];
} node;

typedef struct tree {
  alea_cursor *cursor;
  alea_mem *mem;
  alea_rng *rng;
  alea_toss_uct_options options;
  uint32_t players, roles;
  ALEA_VEC(node) nodes;
  ALEA_VEC(uint64_t) words;
  alea_toss_stage stage;
  alea_toss_structure *before; /* the structure before a move */
  double payoffs[ALEA_TOSS_MOST_OUTCOMES][ALEA_TOSS_MOST_PLAYERS];
  uint32_t outcome_count;
  alea_status status;
} tree;

static void fail(tree *t, alea_status status) {
  if (t->status == ALEA_OK) t->status = status;
}

static void try(tree *t, alea_status status) {
  if (status != ALEA_OK) fail(t, status);
}

void alea_toss_examples_clear(alea_toss_examples *examples, alea_mem *mem) {
  alea_vec_clear(mem, &examples->list);
  alea_vec_clear(mem, &examples->words);
}

/* ---- positions ---- */

static uint32_t save(tree *t, uint32_t *count) {
  size_t length;
  const uint64_t *words = alea_cursor_state(t->cursor, &length);
  uint32_t first = (uint32_t)t->words.count;
  if (length == 0 || !alea_vec_reserve(t->mem, &t->words, length)) {
    fail(t, ALEA_LIMIT);
    return 0;
  }
  memcpy(t->words.data + first, words, length * sizeof *words);
  t->words.count += length;
  *count = (uint32_t)length;
  return first;
}

static void go(tree *t, const node *v) {
  try(t, alea_cursor_load(t->cursor, t->words.data + v->words, v->word_count));
}

static uint32_t add_node(tree *t, uint32_t parent) {
  node made = {.parent = parent};
  made.words = save(t, &made.word_count);
  alea_toss_cursor_structure(t->cursor, &made.location);
  try(t, alea_cursor_terminal(t->cursor, &made.terminal));
  if (t->status == ALEA_OK && !alea_vec_push(t->mem, &t->nodes, made)) fail(t, ALEA_LIMIT);
  return (uint32_t)t->nodes.count - 1;
}

/* ---- joint actions ---- */

typedef struct joints {
  uint32_t counts[ALEA_TOSS_MOST_PLAYERS + 1];
  uint32_t total;
} joints;

static void count_joints(tree *t, joints *j) {
  j->total = 1;
  for (uint32_t role = 0; role < t->roles && t->status == ALEA_OK; role++) {
    alea_list list;
    try(t, alea_cursor_legal(t->cursor, role, &list));
    j->counts[role] = list.count;
    j->total *= list.count;
    if (list.count == 0 || j->total > MOST_JOINTS) fail(t, ALEA_LIMIT);
  }
}

static void joint_moves(tree *t, const joints *j, uint32_t code, alea_move *moves) {
  for (uint32_t role = 0; role < t->roles; role++) {
    alea_list list;
    try(t, alea_cursor_legal(t->cursor, role, &list));
    moves[role] = list.ids[code % j->counts[role]];
    code /= j->counts[role];
  }
}

/* Chooses a joint action: players by regret over the value of each joint
 * action, chance by chance.  Ties are broken at random. */
static uint32_t choose(tree *t, const joints *j, const double *values) {
  uint32_t players = 1, chance = t->roles > t->players ? j->counts[t->players] : 1;
  for (uint32_t p = 0; p < t->players; p++) players *= j->counts[p];
  size_t size = (size_t)players * t->players;
  double *means = alea_mem_calloc(t->mem, size, sizeof *means);
  uint8_t *marks = alea_mem_alloc(t->mem, MOST_JOINTS * ALEA_TOSS_MOST_PLAYERS);
  uint8_t *survivors[ALEA_TOSS_MOST_PLAYERS];
  uint32_t code = 0, stride = 1;
  if (means == NULL || marks == NULL) {
    fail(t, ALEA_LIMIT);
  } else {
    for (uint32_t i = 0; i < players * chance; i++) {
      for (uint32_t p = 0; p < t->players; p++) {
        means[i % players * t->players + p] += values[(size_t)i * t->players + p] / chance;
      }
    }
    for (uint32_t p = 0; p < t->players; p++) survivors[p] = marks + (size_t)p * MOST_JOINTS;
    alea_toss_normal game = {t->players, j->counts, means};
    try(t, alea_toss_minimise_regret(&game, survivors, t->mem));
    for (uint32_t p = 0; p < t->players && t->status == ALEA_OK; p++) {
      uint32_t left = 0, pick;
      for (uint32_t a = 0; a < j->counts[p]; a++) left += survivors[p][a];
      pick = alea_rng_below(t->rng, left);
      for (uint32_t a = 0; a < j->counts[p]; a++) {
        if (!survivors[p][a] || pick-- != 0) continue;
        code += a * stride;
        break;
      }
      stride *= j->counts[p];
    }
    code += alea_rng_below(t->rng, chance) * stride;
  }
  alea_mem_free(t->mem, means, means != NULL ? size * sizeof *means : 0);
  alea_mem_free(t->mem, marks, marks != NULL ? MOST_JOINTS * ALEA_TOSS_MOST_PLAYERS : 0);
  return code;
}

/* ---- evaluation of a move ---- */

static void remember(tree *t, uint32_t *location) {
  const alea_toss_structure *s = alea_toss_cursor_structure(t->cursor, location);
  if (!alea_toss_structure_copy(t->before, s)) fail(t, ALEA_LIMIT);
}

/* Payoffs that the evaluation game gives for the move from 'before' to here. */
static void assess(tree *t, uint32_t location, double *payoffs) {
  uint32_t here;
  const alea_toss_structure *s = alea_toss_cursor_structure(t->cursor, &here);
  try(t, alea_toss_stage_set(&t->stage, t->options.evaluation, t->before, s));
  alea_toss_evaluation_play(t->options.evaluation, &t->stage, location, t->rng, payoffs);
}

static void goals(tree *t, double *payoffs) {
  for (uint32_t p = 0; p < t->players; p++) {
    int goal = 0;
    try(t, alea_cursor_goal(t->cursor, p, &goal));
    payoffs[p] = goal / 100.0;
  }
}

/* ---- the basic strategy ---- */

static void step_at_random(tree *t) {
  alea_move moves[ALEA_TOSS_MOST_PLAYERS + 1];
  for (uint32_t role = 0; role < t->roles && t->status == ALEA_OK; role++) {
    alea_list list;
    try(t, alea_cursor_legal(t->cursor, role, &list));
    moves[role] = list.count != 0 ? list.ids[alea_rng_below(t->rng, list.count)] : 0;
  }
  if (t->status == ALEA_OK) try(t, alea_cursor_play(t->cursor, moves));
}

/* Every joint action is tried and assessed, and the regret of it decides. */
static void step_by_evaluation(tree *t) {
  joints j;
  uint32_t location, count = 0;
  size_t mark = t->words.count;
  count_joints(t, &j);
  if (t->status != ALEA_OK) return;
  size_t size = (size_t)j.total * t->players;
  double *values = alea_mem_calloc(t->mem, size, sizeof *values);
  alea_move moves[ALEA_TOSS_MOST_PLAYERS + 1];
  node here = {0};
  here.words = save(t, &count);
  here.word_count = count;
  remember(t, &location);
  for (uint32_t code = 0; values != NULL && code < j.total && t->status == ALEA_OK; code++) {
    joint_moves(t, &j, code, moves);
    try(t, alea_cursor_play(t->cursor, moves));
    assess(t, location, values + (size_t)code * t->players);
    go(t, &here);
  }
  if (values == NULL) fail(t, ALEA_LIMIT);
  if (t->status == ALEA_OK) {
    joint_moves(t, &j, choose(t, &j, values), moves);
    try(t, alea_cursor_play(t->cursor, moves));
  }
  t->words.count = mark;
  alea_mem_free(t->mem, values, values != NULL ? size * sizeof *values : 0);
}

static void finish(tree *t, double *payoffs) {
  bool terminal = false;
  for (uint32_t step = 0; step < t->options.step_cap && t->status == ALEA_OK; step++) {
    try(t, alea_cursor_terminal(t->cursor, &terminal));
    if (terminal || t->status != ALEA_OK) break;
    if (t->options.evaluation != NULL) {
      step_by_evaluation(t);
    } else {
      step_at_random(t);
    }
  }
  goals(t, payoffs);
}

/* ---- the tree ---- */

static void note(node *v, const double *payoffs, uint32_t players, double weight) {
  v->n += weight;
  for (uint32_t p = 0; p < players; p++) {
    v->sum[p] += payoffs[p] * weight;
    v->squares[p] += payoffs[p] * payoffs[p] * weight;
  }
}

/* All moves become children, each begun with evaluation plays. */
static void expand(tree *t, uint32_t id) {
  joints j;
  go(t, &t->nodes.data[id]);
  count_joints(t, &j);
  uint32_t location;
  remember(t, &location);
  uint32_t first = (uint32_t)t->nodes.count;
  for (uint32_t code = 0; code < j.total && t->status == ALEA_OK; code++) {
    alea_move moves[ALEA_TOSS_MOST_PLAYERS + 1];
    go(t, &t->nodes.data[id]);
    joint_moves(t, &j, code, moves);
    try(t, alea_cursor_play(t->cursor, moves));
    uint32_t child = add_node(t, id);
    for (uint32_t i = 0; t->options.evaluation != NULL && i < t->options.plays; i++) {
      double payoffs[ALEA_TOSS_MOST_PLAYERS];
      if (t->status != ALEA_OK) break;
      assess(t, location, payoffs);
      note(&t->nodes.data[child], payoffs, t->players,
           (double)t->options.weight / t->options.plays);
    }
  }
  node *v = &t->nodes.data[id];
  v->first_child = first;
  v->child_count = j.total;
  v->expanded = t->status == ALEA_OK;
}

static double bound(const tree *t, const node *v, const node *w, uint32_t player, bool explore) {
  if (w->n == 0) return explore ? 1e6 : 0;
  double mean = w->sum[player] / w->n;
  double variance = w->squares[player] / w->n - mean * mean;
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

/* The child for a joint action chosen by regret over mu' (or mu). */
static uint32_t child_of(tree *t, uint32_t id, bool explore, joints *j) {
  const node *v = &t->nodes.data[id];
  go(t, v);
  count_joints(t, j);
  size_t size = (size_t)v->child_count * t->players;
  double *values = alea_mem_calloc(t->mem, size, sizeof *values);
  uint32_t code = 0;
  if (values == NULL) fail(t, ALEA_LIMIT);
  for (uint32_t i = 0; t->status == ALEA_OK && i < v->child_count; i++) {
    const node *w = &t->nodes.data[v->first_child + i];
    for (uint32_t p = 0; p < t->players; p++) {
      values[(size_t)i * t->players + p] = bound(t, v, w, p, explore);
    }
  }
  if (t->status == ALEA_OK) code = choose(t, j, values);
  alea_mem_free(t->mem, values, values != NULL ? size * sizeof *values : 0);
  return code;
}

static uint32_t outcome_of(tree *t, const double *payoffs) {
  for (uint32_t i = 0; i < t->outcome_count; i++) {
    if (memcmp(t->payoffs[i], payoffs, t->players * sizeof *payoffs) == 0) return i;
  }
  if (t->outcome_count == ALEA_TOSS_MOST_OUTCOMES) return NONE;
  memcpy(t->payoffs[t->outcome_count], payoffs, t->players * sizeof *payoffs);
  return t->outcome_count++;
}

static void iterate(tree *t) {
  uint32_t path[MOST_PATH], length = 0, id = 0;
  joints j;
  path[length++] = 0;
  while (t->nodes.data[id].expanded && length + 1 < MOST_PATH && t->status == ALEA_OK) {
    id = t->nodes.data[id].first_child + child_of(t, id, true, &j);
    path[length++] = id;
  }
  if (!t->nodes.data[id].terminal && t->status == ALEA_OK) {
    expand(t, id);
    if (t->status == ALEA_OK) {
      id = t->nodes.data[id].first_child + child_of(t, id, true, &j);
      path[length++] = id;
    }
  }
  if (t->status != ALEA_OK) return;
  double payoffs[ALEA_TOSS_MOST_PLAYERS];
  go(t, &t->nodes.data[id]);
  finish(t, payoffs);
  uint32_t outcome = outcome_of(t, payoffs);
  for (uint32_t i = 0; i < length; i++) {
    node *v = &t->nodes.data[path[i]];
    note(v, payoffs, t->players, 1);
    v->plays++;
    if (outcome != NONE) v->outcomes[outcome]++;
  }
}

/* ---- examples ---- */

static uint32_t copy_words(const tree *t, const node *v, alea_toss_examples *out, alea_mem *mem) {
  uint32_t first = (uint32_t)out->words.count;
  if (!alea_vec_reserve(mem, &out->words, v->word_count)) return NONE;
  memcpy(out->words.data + first, t->words.data + v->words, v->word_count * sizeof(uint64_t));
  out->words.count += v->word_count;
  return first;
}

static uint32_t shared_outcome(const tree *t, alea_toss_examples *out, uint32_t outcome) {
  for (uint32_t i = 0; i < out->outcome_count; i++) {
    if (memcmp(out->payoffs[i], t->payoffs[outcome], t->players * sizeof(double)) == 0) return i;
  }
  if (out->outcome_count == ALEA_TOSS_MOST_OUTCOMES) return NONE;
  memcpy(out->payoffs[out->outcome_count], t->payoffs[outcome], sizeof t->payoffs[outcome]);
  return out->outcome_count++;
}

static void collect(tree *t, alea_toss_examples *out, uint32_t threshold) {
  for (uint32_t i = 1; i < t->nodes.count && t->status == ALEA_OK; i++) {
    const node *w = &t->nodes.data[i], *v = &t->nodes.data[w->parent];
    if (w->plays <= threshold) continue;
    alea_toss_example made = {.location = v->location, .plays = (uint32_t)w->plays};
    made.before = copy_words(t, v, out, t->mem);
    made.after = copy_words(t, w, out, t->mem);
    made.before_count = v->word_count;
    made.after_count = w->word_count;
    double total = 0;
    for (uint32_t k = 0; k < t->outcome_count; k++) {
      uint32_t shared = shared_outcome(t, out, k);
      if (shared == NONE) continue;
      made.outcomes[shared] += w->outcomes[k];
      total += w->outcomes[k];
      for (uint32_t p = 0; p < t->players; p++) made.mean[p] += w->outcomes[k] * t->payoffs[k][p];
    }
    for (uint32_t p = 0; p < t->players && total > 0; p++) made.mean[p] /= total;
    if (made.before == NONE || made.after == NONE || !alea_vec_push(t->mem, &out->list, made)) {
      fail(t, ALEA_LIMIT);
    }
  }
}

static void set_defaults(alea_toss_uct_options *o) {
  if (o->iterations == 0) o->iterations = 500;
  if (o->c == 0) o->c = 1;
  if (o->plays == 0) o->plays = 1;
  if (o->weight == 0) o->weight = 1;
  if (o->step_cap == 0) o->step_cap = 1000;
}

alea_status alea_toss_uct_choose(alea_cursor *cursor, const alea_toss_uct_options *options,
                                 alea_rng *rng, alea_move *joint, alea_toss_examples *examples,
                                 uint32_t threshold, alea_mem *mem) {
  if (strcmp(cursor->game->class->engine, "toss") != 0) return ALEA_USAGE;
  const alea_toss_game *game = alea_toss_of(cursor->game);
  tree t = {.cursor = cursor,
            .mem = mem,
            .rng = rng,
            .options = *options,
            .players = game->player_count,
            .roles = cursor->game->role_count};
  set_defaults(&t.options);
  t.before = alea_toss_rules_structure(game->rules, mem);
  if (t.before == NULL) fail(&t, ALEA_LIMIT);
  if (t.status == ALEA_OK && options->evaluation != NULL) {
    try(&t, alea_toss_stage_init(&t.stage, options->evaluation, mem));
  }
  if (t.status == ALEA_OK) add_node(&t, 0);
  for (uint32_t i = 0; i < t.options.iterations && t.status == ALEA_OK; i++) iterate(&t);
  joints j;
  if (t.status == ALEA_OK && !t.nodes.data[0].expanded) fail(&t, ALEA_NO); /* play is over */
  if (t.status == ALEA_OK) {
    uint32_t code = child_of(&t, 0, false, &j);
    go(&t, &t.nodes.data[0]);
    joint_moves(&t, &j, code, joint);
  }
  if (t.status == ALEA_OK && examples != NULL) collect(&t, examples, threshold);
  if (options->evaluation != NULL) alea_toss_stage_clear(&t.stage);
  alea_toss_structure_free(t.before);
  alea_vec_clear(mem, &t.nodes);
  alea_vec_clear(mem, &t.words);
  return t.status;
}
