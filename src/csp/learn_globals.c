/* Clauses for constraints over whole lists, automata, and tasks. */
#include "csp/learn_core.h"

enum { MAX_TIMES = 1 << 12 }; /* points of time in a cumulative constraint */

static bool encode_channel(csp_learner *l, const csp_prop *prop) {
  const csp_channel *channel = prop->constraint->data;
  for (uint32_t i = 0; i < channel->left; i++)
    for (uint32_t j = 0; j < channel->right; j++) {
      alea_slit a = learn_eq(l, prop->scope[i], (int64_t)j + channel->right_base);
      alea_slit b = learn_eq(l, prop->scope[channel->left + j], (int64_t)i + channel->left_base);
      learn_clause2(l, -a, b);
      learn_clause2(l, a, -b);
    }
  return true;
}

/* 'equal' says that all places so far are equal.  Then x <= y, and unless x is
 * smaller the next one holds as well. */
static alea_slit lex_step(csp_learner *l, alea_csp_var x, alea_csp_var y, alea_slit equal) {
  alea_slit next = alea_sat_variable(&l->sat);
  const learn_number *a = &l->numbers[x], *b = &l->numbers[y];
  for (uint32_t k = 0; k < a->count; k++) {
    learn_clause3(l, -equal, -a->ge[k], learn_ge(l, y, a->values[k]));
    learn_add(l, -equal);
    learn_add(l, -a->ge[k]);
    learn_add(l, -learn_le(l, y, a->values[k]));
    learn_add(l, next);
    learn_end(l);
  }
  for (uint32_t k = 0; k < b->count; k++)
    learn_clause3(l, -equal, b->ge[k + 1], learn_le(l, x, b->values[k]));
  return next;
}

static bool encode_lex(csp_learner *l, const csp_prop *prop) {
  const csp_lex *lex = prop->constraint->data;
  alea_slit equal = ALEA_SLIT_TRUE;
  for (uint32_t i = 0; i < lex->count; i++)
    equal = lex_step(l, prop->scope[i], prop->scope[lex->count + i], equal);
  if (lex->strict) {
    learn_add(l, -equal);
    learn_end(l);
  }
  return true;
}

static bool encode_differ(csp_learner *l, const csp_prop *prop) {
  const csp_differ *differ = prop->constraint->data;
  if (differ->except_count > 0) return false;
  alea_slit first = (alea_slit)l->sat.variables + 1;
  for (uint32_t i = 0; i < differ->count; i++) alea_sat_variable(&l->sat);
  for (uint32_t i = 0; i < differ->count; i++) {
    alea_csp_var x = prop->scope[i], y = prop->scope[differ->count + i];
    const learn_number *number = &l->numbers[x];
    for (uint32_t k = 0; k < number->count; k++)
      learn_clause3(l, -(first + (alea_slit)i), -learn_eq(l, x, number->values[k]),
                    -learn_eq(l, y, number->values[k]));
  }
  for (uint32_t i = 0; i < differ->count; i++) learn_add(l, first + (alea_slit)i);
  learn_end(l);
  return true;
}

static bool encode_not_both(csp_learner *l, const csp_prop *prop) {
  const csp_pair *pair = prop->constraint->data;
  alea_slit a = alea_sat_variable(&l->sat); /* the first value occurs */
  for (uint32_t i = 0; i < prop->arity; i++) {
    learn_clause2(l, a, -learn_eq(l, prop->scope[i], pair->a));
    learn_clause2(l, -a, -learn_eq(l, prop->scope[i], pair->b));
  }
  return true;
}

/* ---- automata ---- */

/* One layer: a literal for each edge, which implies its ends and its value.
 * Each value, each state before and each state after needs an edge. */
static void encode_layer(csp_learner *l, const csp_regular *regular, alea_csp_var var,
                         const alea_slit *now, const alea_slit *then, alea_slit *edges) {
  for (size_t e = 0; e < regular->edge_count; e++) {
    const alea_csp_edge *edge = &regular->edges[e];
    alea_slit value = learn_eq(l, var, edge->value);
    edges[e] = ALEA_SLIT_FALSE;
    if (value == ALEA_SLIT_FALSE || now[edge->from] == ALEA_SLIT_FALSE ||
        then[edge->to] == ALEA_SLIT_FALSE)
      continue;
    edges[e] = alea_sat_variable(&l->sat);
    learn_clause2(l, -edges[e], value);
    learn_clause2(l, -edges[e], now[edge->from]);
    learn_clause2(l, -edges[e], then[edge->to]);
  }
  const learn_number *number = &l->numbers[var];
  for (uint32_t k = 0; k < number->count; k++) {
    learn_add(l, -learn_eq(l, var, number->values[k]));
    for (size_t e = 0; e < regular->edge_count; e++)
      if (regular->edges[e].value == number->values[k]) learn_add(l, edges[e]);
    learn_end(l);
  }
  for (int side = 0; side < 2; side++)
    for (uint32_t s = 0; s < regular->states; s++) {
      alea_slit state = side == 0 ? now[s] : then[s];
      if (state == ALEA_SLIT_FALSE) continue;
      learn_add(l, -state);
      for (size_t e = 0; e < regular->edge_count; e++)
        if ((side == 0 ? regular->edges[e].from : regular->edges[e].to) == s)
          learn_add(l, edges[e]);
      learn_end(l);
    }
}

/* One state in each layer: the first is the start, the last is final. */
static bool encode_regular(csp_learner *l, const csp_prop *prop) {
  const csp_regular *regular = prop->constraint->data;
  uint64_t cost = (uint64_t)prop->arity * regular->states * (regular->edge_count + 1);
  size_t states = regular->states, room = 2 * states + regular->edge_count + 1;
  if (cost > 1 << 24) return false;
  alea_slit *lits = alea_mem_alloc(l->mem, room * sizeof *lits);
  if (lits == NULL) {
    l->no_memory = true;
    return false;
  }
  alea_slit *now = lits, *then = lits + states;
  for (size_t s = 0; s < states; s++)
    now[s] = s == regular->start ? ALEA_SLIT_TRUE : ALEA_SLIT_FALSE;
  for (uint32_t i = 0; i < prop->arity; i++) {
    bool last = i + 1 == prop->arity;
    for (size_t s = 0; s < states; s++)
      then[s] = last && !regular->final[s] ? ALEA_SLIT_FALSE : alea_sat_variable(&l->sat);
    alea_sat_at_most_one(&l->sat, then, states);
    encode_layer(l, regular, prop->scope[i], now, then, lits + 2 * states);
    memcpy(now, then, states * sizeof *now);
  }
  alea_mem_free(l->mem, lits, room * sizeof *lits);
  return true;
}

/* ---- tasks ---- */

/* Where the literal holds, a + length <= b. */
static void before_if(csp_learner *l, alea_slit when, alea_csp_var a, int64_t length,
                      alea_csp_var b) {
  const learn_number *x = &l->numbers[a], *y = &l->numbers[b];
  for (uint32_t k = 0; k < x->count; k++)
    learn_clause3(l, -when, -x->ge[k], learn_ge(l, b, x->values[k] + length));
  for (uint32_t k = 0; k < y->count; k++)
    learn_clause3(l, -when, y->ge[k + 1], learn_le(l, a, y->values[k] - length));
}

/* With fixed lengths above 0: of each pair one is before the other in some
 * dimension. */
static bool encode_boxes(csp_learner *l, const csp_prop *prop) {
  const csp_boxes *boxes = prop->constraint->data;
  uint32_t k = boxes->dims, sides = boxes->count * k;
  for (uint32_t i = 0; i < sides; i++) {
    const csp_domain *length = csp_dom(l->engine, prop->scope[sides + i]);
    if (length->size != 1 || csp_min(length) <= 0) return false;
  }
  for (uint32_t i = 0; i < boxes->count; i++)
    for (uint32_t j = 0; j < i; j++) {
      l->lits.count = 0;
      for (uint32_t d = 0; d < 2 * k; d++) {
        uint32_t a = (d < k ? i : j) * k + d % k, b = (d < k ? j : i) * k + d % k;
        alea_slit first = alea_sat_variable(&l->sat);
        before_if(l, first, prop->scope[a], csp_min(csp_dom(l->engine, prop->scope[sides + a])),
                  prop->scope[b]);
        if (!alea_vec_push(l->mem, &l->lits, first)) l->no_memory = true;
      }
      alea_sat_clause(&l->sat, l->lits.data, l->lits.count);
      l->lits.count = 0;
    }
  return true;
}

/* The tasks that can run at a time, by literals, weigh no more than the
 * limit. */
static bool encode_time(csp_learner *l, const csp_prop *prop, int64_t time) {
  uint32_t n = ((const csp_tasks *)prop->constraint->data)->count, count = 0;
  learn_number *terms = alea_arena_alloc(&l->arena, ((size_t)n + 1) * sizeof *terms);
  int64_t sure = 0;
  if (terms == NULL) return false;
  for (uint32_t i = 0; i < n; i++) {
    int64_t length = csp_min(csp_dom(l->engine, prop->scope[n + i]));
    int64_t height = csp_min(csp_dom(l->engine, prop->scope[2 * n + i]));
    alea_slit ends[] = {learn_le(l, prop->scope[i], time),
                        learn_ge(l, prop->scope[i], time - length + 1)};
    alea_slit runs = alea_sat_gate(&l->sat, false, ends, 2);
    if (runs == ALEA_SLIT_TRUE) sure += height;
    if (runs == ALEA_SLIT_TRUE || runs == ALEA_SLIT_FALSE || height == 0) continue;
    learn_number flag = learn_flag(l, runs);
    int64_t *values = alea_arena_alloc(&l->arena, 2 * sizeof *values);
    if (values == NULL || flag.count != 2) return false;
    values[0] = 0;
    values[1] = height;
    terms[count++] = (learn_number){2, values, flag.ge};
  }
  if (count == 0 && sure == 0) return true;
  terms[count++] = learn_term(l, prop->scope[3 * n], -1);
  return learn_sum(l, terms, count, ALEA_LE, -sure);
}

static bool encode_tasks(csp_learner *l, const csp_prop *prop) {
  uint32_t n = ((const csp_tasks *)prop->constraint->data)->count;
  int64_t from = INT64_MAX, to = INT64_MIN;
  for (uint32_t i = 0; i < n; i++) {
    const csp_domain *origin = csp_dom(l->engine, prop->scope[i]);
    const csp_domain *length = csp_dom(l->engine, prop->scope[n + i]);
    const csp_domain *height = csp_dom(l->engine, prop->scope[2 * n + i]);
    if (length->size != 1 || height->size != 1 || csp_min(height) < 0) return false;
    if (csp_min(origin) < from) from = csp_min(origin);
    if (csp_max(origin) + (int64_t)csp_min(length) > to) to = csp_max(origin) + csp_min(length);
  }
  if (n == 0 || to - from > MAX_TIMES) return false;
  for (int64_t time = from; time < to; time++)
    if (!encode_time(l, prop, time)) return false;
  return true;
}

bool learn_encode_global(csp_learner *l, const csp_prop *prop) {
  const csp_type *type = prop->type;
  if (type == &csp_channel_type) return encode_channel(l, prop);
  if (type == &csp_lex_type) return encode_lex(l, prop);
  if (type == &csp_differ_type) return encode_differ(l, prop);
  if (type == &csp_not_both_type) return encode_not_both(l, prop);
  if (type == &csp_regular_type) return encode_regular(l, prop);
  if (type == &csp_boxes_type) return encode_boxes(l, prop);
  if (type == &csp_tasks_type) return encode_tasks(l, prop);
  return false;
}
