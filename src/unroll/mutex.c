/* Exclusive groups of fluents, by induction. */
#include "unroll/mutex.h"

#include <stdlib.h>
#include <string.h>

#include "unroll/core.h"

enum { MOST_ROUNDS = 200 };

typedef struct mutex_prover {
  alea_mutex *mutex;
  alea_unroll *u;
  alea_mem *mem;
  uint8_t *dropped;            /* per group */
  ALEA_VEC(alea_slit) assumed; /* per group: exclusive in the open state */
  ALEA_VEC(alea_slit) broken;  /* per group: two of them hold after the move */
  ALEA_VEC(alea_slit) lits;
} mutex_prover;

/* ---- candidates ---- */

/* A fluent without one argument: the text before it, and the text after it. */
typedef struct mutex_named {
  const char *text;
  size_t before, after; /* length of the first, start of the second */
  uint32_t fluent;
} mutex_named;

/* Finds the last or the first argument. */
static mutex_named cut(const char *text, bool last, uint32_t fluent) {
  mutex_named n = {.text = text, .fluent = fluent};
  int depth = 0;
  size_t i = 0;
  for (; text[i] != '\0'; i++) {
    if (text[i] == '(') depth++;
    if (text[i] == ')') depth--;
    if (text[i] != ' ' || depth != 1) continue;
    if (!last && n.before > 0) {
      n.after = i;
      return n;
    }
    n.before = i;
  }
  n.after = i > 0 ? i - 1 : 0; /* the closing parenthesis */
  return n;
}

static int compare_texts(const char *a, size_t a_length, const char *b, size_t b_length) {
  size_t least = a_length < b_length ? a_length : b_length;
  int order = memcmp(a, b, least);
  return order != 0 ? order : (a_length > b_length) - (a_length < b_length);
}

static int same_key(const mutex_named *x, const mutex_named *y) {
  int order = compare_texts(x->text, x->before, y->text, y->before);
  return order != 0 ? order : strcmp(x->text + x->after, y->text + y->after);
}

static int by_key(const void *a, const void *b) {
  const mutex_named *x = a, *y = b;
  int order = same_key(x, y);
  return order != 0 ? order : (x->fluent > y->fluent) - (x->fluent < y->fluent);
}

/* Adds names[first .. end) as a group if the initial state has one at most. */
static bool add_group(alea_mutex *m, const alea_net *net, const mutex_named *names, uint32_t first,
                      uint32_t end) {
  uint32_t holding = 0;
  for (uint32_t i = first; i < end; i++) holding += net->init[names[i].fluent];
  if (end - first < 2 || holding > 1 || names[first].before == 0) return true;
  for (uint32_t i = first; i < end; i++)
    if (!alea_vec_push(m->mem, &m->fluents, names[i].fluent)) return false;
  return alea_vec_push(m->mem, &m->ends, (uint32_t)m->fluents.count);
}

static alea_status find_candidates(alea_mutex *m, const alea_net *net, bool last) {
  uint32_t count = net->fluent_count, first = 0;
  mutex_named *names = alea_mem_calloc(m->mem, count, sizeof *names);
  if (names == NULL) return unroll_no_memory(m->mem);
  for (uint32_t i = 0; i < count; i++) names[i] = cut(net->fluent_text[i], last, i);
  qsort(names, count, sizeof *names, by_key);
  bool added = true;
  for (uint32_t i = 1; added && i <= count; i++) {
    if (i < count && same_key(&names[i], &names[first]) == 0) continue;
    added = add_group(m, net, names, first, i);
    first = i;
  }
  alea_mem_free(m->mem, names, count * sizeof *names);
  return added ? ALEA_OK : unroll_no_memory(m->mem);
}

/* ---- induction ---- */

static uint32_t group_first(const alea_mutex *m, size_t g) {
  return g > 0 ? m->ends.data[g - 1] : 0;
}

/* The literals of a group in a layer; NULL: no memory. */
static const alea_slit *lits_of(mutex_prover *p, size_t g, const unroll_layer *layer,
                                size_t *count) {
  const alea_mutex *m = p->mutex;
  p->lits.count = 0;
  *count = m->ends.data[g] - group_first(m, g);
  if (!alea_vec_reserve(p->mem, &p->lits, *count)) return NULL;
  for (uint32_t i = group_first(m, g); i < m->ends.data[g]; i++)
    p->lits.data[p->lits.count++] = layer->lits[1 + m->fluents.data[i]];
  return p->lits.data;
}

/* 'guard' implies that none of the literals follows another: each clause of a
 * chain carries the guard. */
static void guard_exclusive(alea_sat *sat, alea_slit guard, const alea_slit *lits, size_t count) {
  alea_slit some = ALEA_SLIT_FALSE;
  for (size_t i = 0; i < count; i++) {
    alea_sat_clause3(sat, -guard, -some, -lits[i]);
    alea_slit next = alea_sat_variable(sat);
    alea_sat_clause2(sat, -some, next);
    alea_sat_clause2(sat, -lits[i], next);
    some = next;
  }
}

/* A literal that implies that two of the literals hold. */
static alea_status make_broken(mutex_prover *p, const alea_slit *lits, size_t count,
                               alea_slit *broken) {
  alea_sat *sat = &p->u->sat;
  alea_slit some = ALEA_SLIT_FALSE; /* one of those before */
  alea_slit none[2], two = ALEA_SLIT_FALSE;
  for (size_t i = 0; i < count; i++) {
    none[0] = some;
    none[1] = lits[i];
    alea_slit both = alea_sat_gate(sat, false, none, 2);
    two = alea_sat_gate(sat, true, (alea_slit[]){two, both}, 2);
    some = alea_sat_gate(sat, true, (alea_slit[]){some, lits[i]}, 2);
  }
  *broken = two;
  return alea_sat_full(sat) ? ALEA_LIMIT : ALEA_OK;
}

static alea_status make_groups(mutex_prover *p) {
  alea_status status = ALEA_OK;
  for (size_t g = 0; status == ALEA_OK && g < p->mutex->ends.count; g++) {
    size_t count;
    const alea_slit *lits = lits_of(p, g, &p->u->layers.data[0], &count);
    if (lits == NULL) return unroll_no_memory(p->mem);
    alea_slit guard = alea_sat_variable(&p->u->sat), broken;
    guard_exclusive(&p->u->sat, guard, lits, count);
    lits = lits_of(p, g, &p->u->layers.data[1], &count);
    if (lits == NULL) return unroll_no_memory(p->mem);
    status = make_broken(p, lits, count, &broken);
    if (!alea_vec_push(p->mem, &p->assumed, guard) || !alea_vec_push(p->mem, &p->broken, broken))
      return unroll_no_memory(p->mem);
  }
  return status;
}

static alea_status make_stage(mutex_prover *p) {
  alea_unroll *u = p->u;
  alea_status status = unroll_layer_push_open(u);
  if (status == ALEA_OK) status = unroll_layer_play(u, &u->layers.data[0]);
  if (status == ALEA_OK) status = unroll_layer_push(u);
  if (status != ALEA_OK) return status;
  alea_sat_clause(&u->sat, &u->layers.data[0].play, 1);
  for (uint32_t i = 0; i < u->net->fluent_count; i++)
    u->layers.data[1].lits[1 + i] = unroll_layer_lit(&u->layers.data[0], u->net->next[i]);
  return make_groups(p);
}

/* Some group that is left is broken although all that are left held before. */
static alea_status ask(mutex_prover *p, uint64_t conflicts, alea_verdict *answer) {
  size_t groups = p->assumed.count, count = 0;
  p->lits.count = 0;
  if (!alea_vec_reserve(p->mem, &p->lits, 2 * groups + 2)) return unroll_no_memory(p->mem);
  alea_slit some = alea_sat_variable(&p->u->sat);
  alea_slit *clause = p->lits.data + groups + 1, *assumed = p->lits.data;
  assumed[0] = some;
  clause[count++] = -some;
  size_t held = 1;
  for (size_t g = 0; g < groups; g++) {
    if (p->dropped[g]) continue;
    assumed[held++] = p->assumed.data[g];
    clause[count++] = p->broken.data[g];
  }
  alea_sat_clause(&p->u->sat, clause, count);
  return alea_unroll_solve(p->u, assumed, held, conflicts, answer);
}

/* Drops what the model breaks. */
static void drop_broken(mutex_prover *p) {
  for (size_t g = 0; g < p->assumed.count; g++)
    if (alea_sat_value(&p->u->sat, p->broken.data[g])) p->dropped[g] = 1;
}

static alea_status induce(mutex_prover *p, const alea_effort *effort, bool *proved) {
  *proved = false;
  for (int round = 0; round < MOST_ROUNDS; round++) {
    alea_verdict answer;
    alea_status status = ask(p, effort->conflicts, &answer);
    if (status != ALEA_OK || answer == ALEA_VERDICT_UNKNOWN) return status;
    *proved = answer == ALEA_VERDICT_REFUTED;
    if (*proved) return ALEA_OK;
    drop_broken(p);
  }
  return ALEA_OK;
}

/* Keeps the groups that were proved. */
static void keep(alea_mutex *m, const uint8_t *dropped) {
  uint32_t fluents = 0, groups = 0;
  uint32_t first = 0;
  for (size_t g = 0; g < m->ends.count; g++) {
    uint32_t end = m->ends.data[g];
    for (uint32_t i = first; dropped != NULL && !dropped[g] && i < end; i++)
      m->fluents.data[fluents++] = m->fluents.data[i];
    first = end;
    if (dropped != NULL && !dropped[g]) m->ends.data[groups++] = fluents;
  }
  m->fluents.count = fluents;
  m->ends.count = groups;
}

/* ---- the interface ---- */

alea_status alea_mutex_init(alea_mutex *mutex, const alea_game *game, const alea_effort *effort,
                            alea_mem *mem) {
  *mutex = (alea_mutex){.mem = mem};
  mutex_prover p = {.mutex = mutex, .mem = mem};
  alea_unroll_options options = {.deadline = effort->deadline, .memory = effort->memory};
  alea_status status = unroll_make(&p.u, game, &options, mem);
  if (status != ALEA_OK) return status;
  status = find_candidates(mutex, p.u->net, true);
  if (status == ALEA_OK) status = find_candidates(mutex, p.u->net, false);
  size_t groups = mutex->ends.count;
  bool proved = false;
  if (status == ALEA_OK) {
    p.dropped = alea_mem_calloc(mem, groups, 1);
    status = p.dropped != NULL ? make_stage(&p) : unroll_no_memory(mem);
  }
  if (status == ALEA_OK) status = induce(&p, effort, &proved);
  keep(mutex, proved ? p.dropped : NULL);
  alea_mem_free(mem, p.dropped, groups);
  alea_vec_clear(mem, &p.assumed);
  alea_vec_clear(mem, &p.broken);
  alea_vec_clear(mem, &p.lits);
  alea_unroll_free(p.u);
  return status == ALEA_LIMIT ? ALEA_OK : status;
}

void alea_mutex_clear(alea_mutex *mutex) {
  if (mutex->mem == NULL) return;
  alea_vec_clear(mutex->mem, &mutex->fluents);
  alea_vec_clear(mutex->mem, &mutex->ends);
}
