/* Apriori over literals: from examples to a decision list. */
#include "toss/learn.h"

#include <stdlib.h>
#include <string.h>

enum { BINS = 5, MOST_LITERALS = 6, MOST_VARIABLES = 3, MOST_FORMULAS = 3, MOST_KEPT = 400 };
#define NONE ALEA_TOSS_NONE
#define LEAST_GAIN 1.01
#define NEAR_TIE 1.1

typedef struct literal {
  uint32_t relation; /* of the evaluation's file; NONE: args are different elements */
  uint8_t args[2], arity;
  bool negated;
} literal;

typedef struct candidate {
  literal literals[MOST_LITERALS];
  uint32_t count, variables, plan;
  uint8_t *holds; /* per example of the location */
  double score;
} candidate;

typedef ALEA_VEC(candidate) candidates;

typedef struct learner {
  alea_mem *mem;
  const alea_toss_evaluation *evaluation; /* the signature */
  const alea_toss_examples *examples;
  alea_toss_learn_options options;
  alea_cursor *cursor;
  alea_toss_logic logic; /* of the candidates of one level */
  uint32_t location, player;
  uint32_t *chosen; /* examples of the location */
  size_t count;
  uint8_t *bins;   /* per example of the location */
  uint32_t *base;  /* per relation of the evaluation: that of the game, NONE if it never changes */
  uint8_t *phase;  /* 1: the relation before the move; 0: after it; 2: it never changes */
  candidates kept; /* good ones of all levels */
  alea_status status;
} learner;

static void fail(learner *l, alea_status status) {
  if (l->status == ALEA_OK) l->status = status;
}

static void set_defaults(alea_toss_learn_options *o) {
  if (o->rounds == 0) o->rounds = 2;
  if (o->plays == 0) o->plays = 10;
  if (o->iterations == 0) o->iterations = 200;
  if (o->threshold == 0) o->threshold = 3;
  if (o->variables == 0) o->variables = 2;
  if (o->literals == 0) o->literals = 4;
  if (o->beam == 0) o->beam = 20;
  if (o->support <= 0) o->support = 0.01;
  if (o->formulas == 0) o->formulas = MOST_FORMULAS;
  if (o->variables > MOST_VARIABLES) o->variables = MOST_VARIABLES;
  if (o->literals > MOST_LITERALS) o->literals = MOST_LITERALS;
  if (o->formulas > MOST_FORMULAS) o->formulas = MOST_FORMULAS;
}

static void clear_candidates(learner *l, candidates *list) {
  for (size_t i = 0; i < list->count; i++) alea_mem_free(l->mem, list->data[i].holds, l->count);
  alea_vec_clear(l->mem, list);
}

/* ---- extending conjunctions ---- */

static bool same_literal(const literal *a, const literal *b) {
  return a->relation == b->relation && a->arity == b->arity && a->args[0] == b->args[0] &&
         (a->arity == 1 || a->args[1] == b->args[1]);
}

/* Adds 'from' with one more literal, unless it already has one of the same
 * atom. */
static void extend(learner *l, const candidate *from, literal added, candidates *out) {
  candidate made = *from;
  for (uint32_t i = 0; i < made.count; i++) {
    if (same_literal(&made.literals[i], &added)) return;
  }
  made.holds = NULL;
  made.literals[made.count++] = added;
  for (uint32_t i = 0; i < added.arity; i++) {
    if (added.args[i] >= made.variables) made.variables = added.args[i] + 1u;
  }
  if (!alea_vec_push(l->mem, out, made)) fail(l, ALEA_LIMIT);
}

/* Extends by every literal of a relation that shares a variable with the
 * conjunction; a new variable needs a positive literal. */
static void extend_by(learner *l, const candidate *from, uint32_t relation, candidates *out) {
  uint32_t arity = l->evaluation->file->relations.data[relation].arity, old = from->variables;
  uint32_t most = old < l->options.variables ? old + 1 : old;
  if (arity == 0 || arity > 2) return;
  for (uint32_t x = 0; x < most; x++) {
    for (uint32_t y = 0; y < (arity == 2 ? most : 1); y++) {
      bool fresh = x >= old || (arity == 2 && y >= old);
      bool connected = old == 0 || x < old || (arity == 2 && y < old);
      if (!connected || (arity == 2 && x == y)) continue;
      literal made = {relation, {(uint8_t)x, (uint8_t)y}, (uint8_t)arity, false};
      extend(l, from, made, out);
      made.negated = true;
      if (!fresh) extend(l, from, made, out);
    }
  }
}

static void extend_all(learner *l, const candidate *from, candidates *out) {
  const alea_toss_file *f = l->evaluation->file;
  for (uint32_t r = 0; r < f->relations.count && l->status == ALEA_OK; r++) {
    if (f->relations.data[r].body == NONE) extend_by(l, from, r, out);
  }
}

/* ---- testing them ---- */

static void compile_candidate(learner *l, candidate *c) {
  uint32_t codes[MOST_LITERALS + 1], slots[MOST_VARIABLES];
  for (uint32_t i = 0; i < c->variables; i++) slots[i] = i;
  for (uint32_t i = 0; i < c->count; i++) {
    uint32_t args[2] = {c->literals[i].args[0], c->literals[i].args[1]};
    codes[i] =
        alea_toss_code_atom(&l->logic, c->literals[i].relation, args, c->literals[i].negated);
    if (codes[i] == UINT32_MAX) fail(l, ALEA_LIMIT);
  }
  if (l->status != ALEA_OK) return;
  alea_status status =
      alea_toss_plan_new(&l->logic, slots, c->variables, codes, c->count, &c->plan);
  if (status != ALEA_OK) fail(l, status);
  c->holds = alea_mem_zalloc(l->mem, l->count);
  if (c->holds == NULL) fail(l, ALEA_LIMIT);
}

static bool stop(alea_toss_env *env, void *context) {
  (void)env, (void)context;
  return true;
}

static void test_on(learner *l, alea_toss_stage *stage, alea_toss_structure *before, size_t index,
                    candidates *list) {
  const alea_toss_example *e = &l->examples->list.data[l->chosen[index]];
  const uint64_t *words = l->examples->words.data;
  uint32_t location, origins[ALEA_TOSS_MOST_ELEMENTS];
  for (uint32_t i = 0; i < e->origin_count; i++) origins[i] = (uint32_t)words[e->origins + i];
  alea_status status = alea_cursor_load(l->cursor, words + e->before, e->before_count);
  if (status == ALEA_OK &&
      !alea_toss_structure_copy(before, alea_toss_cursor_structure(l->cursor, &location))) {
    status = ALEA_LIMIT;
  }
  if (status == ALEA_OK) status = alea_cursor_load(l->cursor, words + e->after, e->after_count);
  if (status == ALEA_OK) {
    alea_toss_transition move = {before, alea_toss_cursor_structure(l->cursor, &location),
                                 e->origin_count != 0 ? origins : NULL};
    status = alea_toss_stage_set(stage, l->evaluation, &move, location);
  }
  if (status != ALEA_OK) fail(l, status);
  alea_toss_env env;
  if (l->status != ALEA_OK) return;
  status = alea_toss_env_init(&env, &l->logic, stage->structure, l->mem);
  if (status != ALEA_OK) {
    fail(l, status);
    return;
  }
  for (size_t i = 0; i < list->count; i++) {
    candidate *c = &list->data[i];
    c->holds[index] = alea_toss_enumerate(&env, c->plan, stop, NULL);
  }
  alea_toss_env_clear(&env);
}

/* How much better a move was than others at the same position.  The payoff
 * itself depends more on the position than on the move. */
static double merit(const learner *l, size_t index) {
  const alea_toss_example *e = &l->examples->list.data[l->chosen[index]];
  return e->mean[l->player] - e->rivals[l->player];
}

static uint32_t bin_of(const learner *l, size_t index) { return l->bins[index]; }

static int by_value(const void *a, const void *b) {
  const double *x = a, *y = b;
  return *x < *y ? -1 : *x > *y;
}

/* Divides merits into bins with equal numbers of examples. */
static void fill_bins(learner *l) {
  double *sorted = alea_mem_calloc(l->mem, l->count, sizeof *sorted);
  if (sorted == NULL) {
    fail(l, ALEA_LIMIT);
    return;
  }
  for (size_t i = 0; i < l->count; i++) sorted[i] = merit(l, i);
  qsort(sorted, l->count, sizeof *sorted, by_value);
  for (size_t i = 0; i < l->count; i++) {
    l->bins[i] = 0;
    for (uint8_t b = 1; b < BINS; b++) {
      if (merit(l, i) > sorted[l->count * b / BINS]) l->bins[i] = b;
    }
  }
  alea_mem_free(l->mem, sorted, l->count * sizeof *sorted);
}

static uint64_t group_of(const learner *l, size_t index) {
  return l->examples->list.data[l->chosen[index]].group;
}

/* Merits of the examples of a formula, and of all, as far as it distinguishes
 * moves of one position: elsewhere it is not about the move. */
typedef struct contrast {
  double here[BINS], all[BINS], n, total;
} contrast;

static void add_group(const learner *l, const uint8_t *holds, const uint8_t *skip, size_t from,
                      size_t to, contrast *c) {
  size_t open = 0, held = 0;
  for (size_t i = from; i < to; i++) {
    if (skip != NULL && skip[i]) continue;
    open++;
    held += holds[i];
  }
  if (held == 0 || held == open) return;
  c->n += (double)held;
  c->total += (double)open;
  for (size_t i = from; i < to; i++) {
    if (skip != NULL && skip[i]) continue;
    c->all[bin_of(l, i)]++;
    if (holds[i]) c->here[bin_of(l, i)]++;
  }
}

/* Whether a formula holds neither almost never nor almost always. */
static bool is_supported(const learner *l, const uint8_t *holds, const uint8_t *skip) {
  double n = 0, total = 0;
  for (size_t i = 0; i < l->count; i++) {
    if (skip != NULL && skip[i]) continue;
    total++;
    n += holds[i];
  }
  return n > 0 && n >= l->options.support * total && n <= (1 - l->options.support) * total;
}

/* n * KL(merits where it holds || merits overall).  Examples marked in 'skip'
 * are ignored. */
static double rate(const learner *l, const uint8_t *holds, const uint8_t *skip) {
  contrast c = {0};
  double score = 0;
  if (!is_supported(l, holds, skip)) return 0;
  for (size_t from = 0, to = 0; from < l->count; from = to) {
    while (to < l->count && group_of(l, to) == group_of(l, from)) to++;
    add_group(l, holds, skip, from, to, &c);
  }
  for (int b = 0; b < BINS; b++) {
    if (c.here[b] > 0) score += c.here[b] * log(c.here[b] / c.n / (c.all[b] / c.total));
  }
  return score;
}

static void test_all(learner *l, candidates *list) {
  alea_toss_stage stage;
  alea_status status = alea_toss_stage_init(&stage, l->evaluation, l->mem);
  alea_toss_structure *before = alea_toss_rules_structure(l->evaluation->game->rules, l->mem);
  if (status != ALEA_OK) fail(l, status);
  if (before == NULL) fail(l, ALEA_LIMIT);
  for (size_t i = 0; i < list->count && l->status == ALEA_OK; i++) {
    compile_candidate(l, &list->data[i]);
  }
  for (size_t i = 0; i < l->count && l->status == ALEA_OK; i++) {
    test_on(l, &stage, before, i, list);
  }
  for (size_t i = 0; i < list->count && l->status == ALEA_OK; i++) {
    list->data[i].score = rate(l, list->data[i].holds, NULL);
  }
  alea_toss_structure_free(before);
  alea_toss_stage_clear(&stage);
}

/* ---- the search ---- */

static int by_score(const void *a, const void *b) {
  const candidate *x = a, *y = b;
  if (x->score != y->score) return x->score > y->score ? -1 : 1;
  return x->count < y->count ? -1 : x->count > y->count;
}

/* Whether two literals of one tuple, before and after the move, show that the
 * move changed it. */
static bool is_change(const learner *l, const literal *a, const literal *b) {
  if (a->arity != b->arity || memcmp(a->args, b->args, a->arity) != 0) return false;
  if (l->phase[a->relation] + l->phase[b->relation] != 1) return false; /* one before, one after */
  bool same = l->base[a->relation] == l->base[b->relation];
  return same ? a->negated != b->negated : !a->negated && !b->negated;
}

/* A formula that mentions no change is about positions, not moves. */
static bool tells_change(const learner *l, const candidate *c) {
  for (uint32_t i = 0; i < c->count; i++) {
    for (uint32_t k = 0; k < i; k++) {
      if (is_change(l, &c->literals[i], &c->literals[k])) return true;
    }
  }
  return false;
}

static bool is_rare(const learner *l, const candidate *c) {
  size_t n = 0;
  for (size_t i = 0; i < l->count; i++) n += c->holds[i];
  return (double)n < l->options.support * (double)l->count;
}

/* Keeps the best of a level.  Formulas that select the same examples are
 * duplicates; a formula that holds nearly always selects nothing yet, but may
 * when it is extended. */
static void prune(learner *l, candidates *list) {
  size_t kept = 0;
  if (list->count > 1) qsort(list->data, list->count, sizeof *list->data, by_score);
  for (size_t i = 0; i < list->count; i++) {
    const candidate *c = &list->data[i];
    bool useful = kept < l->options.beam && !is_rare(l, c) && (c->count == 1 || tells_change(l, c));
    for (size_t k = 0; useful && list->data[i].score > 0 && k < kept; k++) {
      useful = memcmp(list->data[k].holds, list->data[i].holds, l->count) != 0;
    }
    if (useful) {
      list->data[kept++] = list->data[i];
    } else {
      alea_mem_free(l->mem, list->data[i].holds, l->count);
    }
  }
  list->count = kept;
}

static void keep(learner *l, const candidates *level) {
  for (size_t i = 0; i < level->count && l->kept.count < MOST_KEPT; i++) {
    if (!tells_change(l, &level->data[i])) continue;
    candidate copy = level->data[i];
    copy.holds = alea_mem_alloc(l->mem, l->count);
    if (copy.holds == NULL || !alea_vec_push(l->mem, &l->kept, copy)) {
      alea_mem_free(l->mem, copy.holds, copy.holds != NULL ? l->count : 0);
      fail(l, ALEA_LIMIT);
      return;
    }
    memcpy(copy.holds, level->data[i].holds, l->count);
  }
}

static void search(learner *l) {
  candidates level = {0};
  candidate nothing = {0};
  double best = 0;
  extend_all(l, &nothing, &level);
  for (uint32_t length = 1; l->status == ALEA_OK; length++) {
    alea_toss_logic_init(&l->logic, l->evaluation->file, l->evaluation->rules->stored,
                         l->evaluation->rules->walkable, l->mem);
    l->logic.elements = MOST_VARIABLES;
    test_all(l, &level);
    alea_toss_logic_clear(&l->logic);
    if (l->status != ALEA_OK) break;
    prune(l, &level);
    keep(l, &level);
    double now = level.count != 0 ? level.data[0].score : 0;
    bool stale = length > 1 && best > 0 && now <= best * LEAST_GAIN;
    if (stale || level.count == 0 || length == l->options.literals) break;
    best = now;
    candidates next = {0};
    for (size_t i = 0; i < level.count; i++) extend_all(l, &level.data[i], &next);
    clear_candidates(l, &level);
    level = next;
  }
  clear_candidates(l, &level);
}

/* ---- the decision list ---- */

static void put_formula(const learner *l, const candidate *c, alea_text *out) {
  const alea_toss_file *f = l->evaluation->file;
  static const char names[] = "xyz";
  alea_text_put(out, "ex ");
  for (uint32_t i = 0; i < c->variables; i++) {
    alea_text_format(out, i == 0 ? "%c" : ", %c", names[i]);
  }
  alea_text_put(out, " (");
  for (uint32_t i = 0; i < c->count; i++) {
    const literal *x = &c->literals[i];
    alea_text_format(out, "%s%s%s(%c", i == 0 ? "" : " and ", x->negated ? "not " : "",
                     alea_toss_text(f, f->relations.data[x->relation].name), names[x->args[0]]);
    if (x->arity == 2) alea_text_format(out, ", %c", names[x->args[1]]);
    alea_text_char(out, ')');
  }
  alea_text_char(out, ')');
}

/* Whether a verdict applies to an example. */
static bool is_meant(const uint8_t *holds, const uint8_t *taken, size_t index) {
  return !taken[index] && (holds == NULL || holds[index]);
}

/* Shifts a distribution towards payoffs that are good (or bad) for the player,
 * by exponential tilting, until its mean is 'mean'. */
static void tilt(const learner *l, double *shares, double mean) {
  double low = -40, high = 40, least = 1, most = 0;
  uint32_t count = l->examples->outcome_count;
  for (uint32_t k = 0; k < count; k++) {
    double payoff = l->examples->payoffs[k][l->player];
    if (shares[k] > 0 && payoff < least) least = payoff;
    if (shares[k] > 0 && payoff > most) most = payoff;
  }
  if (!(mean > least && mean < most)) return; /* a single payoff, or unreachable */
  for (int i = 0; i < 60; i++) {
    double middle = (low + high) / 2, total = 0, sum = 0;
    for (uint32_t k = 0; k < count; k++) {
      double share = shares[k] * exp(middle * l->examples->payoffs[k][l->player]);
      total += share;
      sum += share * l->examples->payoffs[k][l->player];
    }
    if (sum < mean * total) {
      low = middle;
    } else {
      high = middle;
    }
  }
  double total = 0;
  for (uint32_t k = 0; k < count; k++) {
    shares[k] *= exp(low * l->examples->payoffs[k][l->player]);
    total += shares[k];
  }
  for (uint32_t k = 0; k < count; k++) shares[k] /= total;
}

/* The distribution of payoffs for a verdict.  Verdicts are compared with each
 * other at one position, but were observed at different ones; so all share the
 * outcomes observed at the location, shifted by the merit of their moves. */
static void find_outcomes(const learner *l, const uint8_t *holds, const uint8_t *taken,
                          double *shares, uint32_t *support) {
  double total = 0, mean = 0, here = 0, all = 0;
  for (size_t i = 0; i < l->count; i++) {
    const alea_toss_example *e = &l->examples->list.data[l->chosen[i]];
    for (uint32_t k = 0; k < l->examples->outcome_count; k++) {
      shares[k] += e->outcomes[k];
      total += e->outcomes[k];
      mean += e->outcomes[k] * l->examples->payoffs[k][l->player];
    }
    all += merit(l, i);
    if (!is_meant(holds, taken, i)) continue;
    here += merit(l, i);
    ++*support;
  }
  for (uint32_t k = 0; k < l->examples->outcome_count; k++) shares[k] /= total;
  tilt(l, shares, mean / total + here / *support - all / (double)l->count);
}

static void put_outcomes(const learner *l, const uint8_t *holds, const uint8_t *taken,
                         alea_text *out) {
  double shares[ALEA_TOSS_MOST_OUTCOMES] = {0};
  uint32_t support = 0;
  find_outcomes(l, holds, taken, shares, &support);
  alea_text_put(out, " =>");
  for (uint32_t k = 0; k < l->examples->outcome_count; k++) {
    if (shares[k] <= 0) continue;
    alea_text_put(out, " (");
    for (uint32_t p = 0; p < l->evaluation->game->player_count; p++) {
      alea_text_format(out, p == 0 ? "%g" : ", %g", l->examples->payoffs[k][p]);
    }
    alea_text_format(out, ") %.6f;", shares[k]);
  }
  alea_text_format(out, " // support %u of %zu\n", support, l->count);
}

static size_t open_count(const learner *l, const uint8_t *taken) {
  size_t open = 0;
  for (size_t i = 0; i < l->count; i++) open += !taken[i];
  return open;
}

/* The best formula for the examples that earlier formulas leave, the shortest
 * of near ties: formulas are in order of length. */
static const candidate *best_left(const learner *l, const uint8_t *taken) {
  const candidate *best = NULL;
  double score = 0;
  for (size_t i = 0; i < l->kept.count; i++) {
    const candidate *c = &l->kept.data[i];
    double now = rate(l, c->holds, taken);
    if (now > score * NEAR_TIE && now > 0) best = c, score = now;
  }
  return best;
}

static void write_list(learner *l, alea_text *out) {
  uint32_t number = l->evaluation->game->file->locations.data[l->location].number;
  uint8_t *taken = alea_mem_zalloc(l->mem, l->count);
  if (taken == NULL) {
    fail(l, ALEA_LIMIT);
    return;
  }
  for (uint32_t i = 0; i < l->options.formulas; i++) {
    const candidate *c = best_left(l, taken);
    if (c == NULL) break;
    alea_text_format(out, "EVAL %u ", number);
    put_formula(l, c, out);
    put_outcomes(l, c->holds, taken, out);
    for (size_t k = 0; k < l->count; k++) taken[k] |= c->holds[k];
  }
  if (open_count(l, taken) != 0) {
    alea_text_format(out, "EVAL %u true", number);
    put_outcomes(l, NULL, taken, out);
  }
  alea_mem_free(l->mem, taken, l->count);
}

static uint32_t mover_of(const alea_toss_game *game, uint32_t location) {
  for (uint32_t p = 0; p < game->player_count; p++) {
    if (game->file->locations.data[location].sides[p].labels.count != 0) return p;
  }
  return 0;
}

static void learn_location(learner *l, uint32_t location, alea_text *out) {
  l->location = location;
  l->player = mover_of(l->evaluation->game, location);
  l->count = 0;
  for (uint32_t i = 0; i < l->examples->list.count; i++) {
    if (l->examples->list.data[i].location == location) l->chosen[l->count++] = i;
  }
  if (l->count == 0) return;
  l->bins = alea_mem_zalloc(l->mem, l->count);
  if (l->bins == NULL) fail(l, ALEA_LIMIT);
  if (l->status == ALEA_OK) fill_bins(l);
  if (l->status == ALEA_OK) search(l);
  if (l->status == ALEA_OK) write_list(l, out);
  clear_candidates(l, &l->kept);
  alea_mem_free(l->mem, l->bins, l->bins != NULL ? l->count : 0);
}

/* Finds which relations of the evaluation are the same relation before and
 * after the move. */
static bool find_bases(learner *l) {
  const alea_toss_evaluation *e = l->evaluation;
  size_t count = e->file->relations.count;
  l->base = alea_mem_calloc(l->mem, count, sizeof *l->base);
  l->phase = alea_mem_alloc(l->mem, count);
  if (l->base == NULL || l->phase == NULL) return false;
  for (size_t r = 0; r < count; r++) l->base[r] = NONE, l->phase[r] = 2;
  for (uint32_t r = 0; r < e->game->file->relations.count; r++) {
    if (e->doubled.old[r] == NONE) continue;
    l->base[e->doubled.now[r]] = l->base[e->doubled.old[r]] = r;
    l->phase[e->doubled.now[r]] = 0;
    l->phase[e->doubled.old[r]] = 1;
  }
  return true;
}

alea_status alea_toss_learn_formulas(const alea_game *game, const alea_toss_examples *examples,
                                     const alea_toss_learn_options *options, alea_text *result,
                                     alea_mem *mem) {
  alea_toss_evaluation *signature;
  alea_status status = alea_toss_evaluation_new(&signature, game, NULL, mem, NULL);
  if (status != ALEA_OK) return status;
  learner l = {.mem = mem, .evaluation = signature, .examples = examples, .options = *options};
  set_defaults(&l.options);
  size_t size = examples->list.count * sizeof *l.chosen;
  l.chosen = alea_mem_alloc(mem, size);
  if (l.chosen == NULL || !find_bases(&l)) fail(&l, ALEA_LIMIT);
  if (l.status == ALEA_OK) l.status = alea_cursor_new(game, mem, &l.cursor);
  for (uint32_t i = 0; l.status == ALEA_OK && i < signature->game->file->locations.count; i++) {
    learn_location(&l, i, result);
  }
  alea_cursor_free(l.cursor);
  alea_mem_free(mem, l.chosen, l.chosen != NULL ? size : 0);
  size_t relations = signature->file->relations.count;
  alea_mem_free(mem, l.base, l.base != NULL ? relations * sizeof *l.base : 0);
  alea_mem_free(mem, l.phase, l.phase != NULL ? relations : 0);
  alea_toss_evaluation_free(signature);
  return l.status;
}

/* ---- self-play ---- */

typedef struct self_play {
  const alea_game *game;
  alea_toss_learn_options options;
  alea_toss_evaluation *evaluation; /* of the previous round, or NULL */
  alea_toss_arena arena;
  alea_toss_examples examples;
  alea_rng rng;
  alea_mem *mem;
} self_play;

/* One move: search, examples, and the move on both cursors. */
static alea_status make_move(self_play *s, alea_toss_uct *uct, alea_cursor *cursor) {
  alea_move joint[ALEA_TOSS_MOST_PLAYERS + 1];
  alea_status status = alea_toss_uct_start(uct);
  for (uint32_t i = 0; i < s->options.iterations && status == ALEA_OK; i++) {
    if (i > 0 && alea_deadline_passed(s->options.deadline)) break;
    status = alea_toss_uct_iterate(uct);
  }
  if (status == ALEA_OK) {
    status = alea_toss_uct_collect(uct, cursor, s->options.threshold, &s->examples);
  }
  if (status == ALEA_OK) status = alea_toss_uct_choose(uct, joint);
  if (status != ALEA_OK) return status;
  status = alea_cursor_play(s->arena.cursor, joint);
  for (uint32_t role = 0; role < s->arena.roles; role++) {
    joint[role] = alea_toss_arena_export(&s->arena, role, joint[role]);
  }
  return status == ALEA_OK ? alea_cursor_play(cursor, joint) : status;
}

static alea_status play_one(self_play *s) {
  alea_cursor *cursor;
  alea_status status = alea_cursor_new(s->game, s->mem, &cursor);
  if (status == ALEA_OK) status = alea_cursor_reset(s->arena.cursor);
  alea_toss_uct_options options = {.examples = true, .plays = s->options.eval_plays};
  alea_toss_uct *uct =
      status == ALEA_OK ? alea_toss_uct_new(&s->arena, &options, &s->rng, s->mem) : NULL;
  if (status == ALEA_OK && uct == NULL) status = ALEA_LIMIT;
  for (int step = 0; step < 1000 && status == ALEA_OK; step++) {
    bool terminal;
    status = alea_cursor_terminal(cursor, &terminal);
    if (status != ALEA_OK || terminal || alea_deadline_passed(s->options.deadline)) break;
    status = make_move(s, uct, cursor);
  }
  alea_toss_uct_free(uct);
  alea_cursor_free(cursor);
  return status;
}

static alea_status teach(self_play *s, uint32_t round, alea_text *text) {
  s->examples = (alea_toss_examples){0};
  alea_status status =
      alea_toss_arena_open(&s->arena, s->game, s->evaluation, s->options.build, s->mem);
  for (uint32_t play = 0; play < s->options.plays && status == ALEA_OK; play++) {
    if (play > 0 && alea_deadline_passed(s->options.deadline)) break;
    status = play_one(s);
    if (s->options.progress != NULL) {
      s->options.progress(s->options.context, round, play, s->examples.list.count);
    }
  }
  alea_toss_arena_close(&s->arena);
  alea_text_truncate(text, 0);
  if (status == ALEA_OK) {
    status = alea_toss_learn_formulas(s->game, &s->examples, &s->options, text, s->mem);
  }
  alea_toss_examples_clear(&s->examples, s->mem);
  return status;
}

alea_status alea_toss_learn(const alea_game *game, const alea_toss_learn_options *options,
                            alea_text *result, alea_mem *mem) {
  self_play s = {.game = game, .options = *options, .mem = mem};
  set_defaults(&s.options);
  alea_rng_seed(&s.rng, options->seed);
  alea_text text;
  alea_text_init(&text, mem);
  alea_status status = ALEA_OK;
  for (uint32_t round = 0; round < s.options.rounds && status == ALEA_OK; round++) {
    if (round > 0 && alea_deadline_passed(s.options.deadline)) break;
    status = teach(&s, round, &text);
    alea_toss_evaluation_free(s.evaluation);
    s.evaluation = NULL;
    if (status == ALEA_OK && round + 1 < s.options.rounds && text.length != 0) {
      status = alea_toss_evaluation_new(&s.evaluation, game, alea_text_string(&text), mem, NULL);
    }
  }
  alea_toss_evaluation_free(s.evaluation);
  alea_text_put(result, alea_text_string(&text));
  if (text.failed || result->failed) status = ALEA_LIMIT;
  alea_text_clear(&text);
  return status;
}
