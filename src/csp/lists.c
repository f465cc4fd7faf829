/* Constraints over two lists: channelling, lexicographic order, difference. */
#include "csp/constraints.h"

static bool watch_all(csp_engine *engine, csp_prop *prop) {
  return csp_watch_scope(engine, prop, false);
}

static const void *join(alea_csp *csp, const alea_csp_var *left, uint32_t left_count,
                        const alea_csp_var *right, uint32_t right_count) {
  alea_csp_var *scope = csp_alloc(csp, (size_t)left_count + right_count, sizeof *scope);
  if (scope == NULL) return NULL;
  if (left_count != 0) memcpy(scope, left, left_count * sizeof *scope);
  if (right_count != 0) memcpy(scope + left_count, right, right_count * sizeof *scope);
  return scope;
}

/* ---- channel ---- */

static bool channel_check(const alea_csp *csp, const csp_constraint *constraint,
                          const int32_t *values) {
  (void)csp;
  const csp_channel *channel = constraint->data;
  const int32_t *right = values + channel->left;
  for (uint32_t i = 0; i < channel->left; i++)
    for (uint32_t j = 0; j < channel->right; j++)
      if (((int64_t)values[i] == (int64_t)j + channel->right_base) !=
          ((int64_t)right[j] == (int64_t)i + channel->left_base))
        return false;
  return true;
}

/* from = a if and only if to = b, one way */
static bool imply(csp_engine *engine, alea_csp_var from, int64_t a, alea_csp_var to, int64_t b) {
  const csp_domain *domain = csp_dom(engine, from);
  if (!csp_has_value(domain, a)) return csp_remove_value(engine, to, b);
  return domain->size > 1 || csp_assign_value(engine, to, b);
}

static bool channel_propagate(csp_engine *engine, csp_prop *prop) {
  const csp_channel *channel = prop->constraint->data;
  for (uint32_t i = 0; i < channel->left; i++)
    for (uint32_t j = 0; j < channel->right; j++) {
      alea_csp_var x = prop->scope[i], y = prop->scope[channel->left + j];
      int64_t a = (int64_t)j + channel->right_base, b = (int64_t)i + channel->left_base;
      if (!imply(engine, x, a, y, b) || !imply(engine, y, b, x, a)) return false;
    }
  return true;
}

const csp_type csp_channel_type = {"channel",     2,         false,
                                   channel_check, watch_all, channel_propagate};

alea_status alea_csp_channel(alea_csp *csp, const alea_csp_var *left, uint32_t left_count,
                             int32_t left_base, const alea_csp_var *right, uint32_t right_count,
                             int32_t right_base) {
  csp_channel *data = csp_alloc(csp, 1, sizeof *data);
  const alea_csp_var *scope = join(csp, left, left_count, right, right_count);
  if (data == NULL || scope == NULL) return csp->state;
  *data = (csp_channel){left_count, right_count, left_base, right_base};
  return csp_post(csp, &csp_channel_type, scope, left_count + right_count, data);
}

/* ---- lexicographic order ---- */

static bool lex_check(const alea_csp *csp, const csp_constraint *constraint,
                      const int32_t *values) {
  (void)csp;
  const csp_lex *lex = constraint->data;
  for (uint32_t i = 0; i < lex->count; i++)
    if (values[i] != values[lex->count + i]) return values[i] < values[lex->count + i];
  return !lex->strict;
}

/* Skips the prefix in which both sides are fixed and equal; at its end the left
 * must not be larger, and must be smaller if what follows cannot hold with
 * equality. */
static bool lex_propagate(csp_engine *engine, csp_prop *prop) {
  const csp_lex *lex = prop->constraint->data;
  for (uint32_t i = 0; i < lex->count; i++) {
    alea_csp_var x = prop->scope[i], y = prop->scope[lex->count + i];
    if (!csp_at_most(engine, x, csp_max(csp_dom(engine, y))) ||
        !csp_at_least(engine, y, csp_min(csp_dom(engine, x))))
      return false;
    const csp_domain *dx = csp_dom(engine, x), *dy = csp_dom(engine, y);
    if (csp_max(dx) < csp_min(dy)) return true;
    if (dx->size != 1 || dy->size != 1) {
      bool rest = !lex->strict || i + 1 < lex->count; /* equality here is still possible */
      for (uint32_t k = i + 1; k < lex->count; k++) {
        const csp_domain *a = csp_dom(engine, prop->scope[k]);
        const csp_domain *b = csp_dom(engine, prop->scope[lex->count + k]);
        if (csp_min(a) < csp_max(b)) break;
        if (csp_min(a) > csp_max(b) || (lex->strict && k + 1 == lex->count)) {
          rest = false;
          break;
        }
      }
      if (rest) return true;
      return csp_at_most(engine, x, (int64_t)csp_max(dy) - 1) &&
             csp_at_least(engine, y, (int64_t)csp_min(dx) + 1);
    }
  }
  return !lex->strict;
}

const csp_type csp_lex_type = {"lex", 2, false, lex_check, watch_all, lex_propagate};

alea_status alea_csp_lex(alea_csp *csp, const alea_csp_var *left, const alea_csp_var *right,
                         uint32_t count, bool strict) {
  csp_lex *data = csp_alloc(csp, 1, sizeof *data);
  const alea_csp_var *scope = join(csp, left, count, right, count);
  if (data == NULL || scope == NULL) return csp->state;
  *data = (csp_lex){count, strict};
  return csp_post(csp, &csp_lex_type, scope, 2 * count, data);
}

/* ---- two lists that differ ---- */

static bool excepted(const csp_differ *differ, const int32_t *tuple) {
  for (size_t e = 0; e < differ->except_count; e++)
    if (memcmp(&differ->except[e * differ->count], tuple, differ->count * sizeof *tuple) == 0)
      return true;
  return false;
}

static bool differ_check(const alea_csp *csp, const csp_constraint *constraint,
                         const int32_t *values) {
  (void)csp;
  const csp_differ *differ = constraint->data;
  return memcmp(values, values + differ->count, differ->count * sizeof *values) != 0 ||
         excepted(differ, values);
}

static bool differ_start(csp_engine *engine, csp_prop *prop) {
  const csp_differ *differ = prop->constraint->data;
  prop->state = alea_arena_alloc(&engine->arena, differ->count * sizeof(int32_t));
  if (prop->state == NULL) return false;
  for (uint32_t i = 0; i < prop->arity; i++)
    if (!csp_watch_add(engine, prop, i, 1, false)) return false;
  return true;
}

/* All other places are equal: removes 'value' from the domain of the open
 * variable. */
static bool forbid(csp_engine *engine, const csp_differ *differ, int32_t *tuple, uint32_t place,
                   alea_csp_var open, int32_t value) {
  tuple[place] = value;
  return excepted(differ, tuple) || csp_remove_value(engine, open, value);
}

/* The variable that one place leaves open and the value that would make it
 * equal; false: two variables are open. */
static bool open_place(const csp_engine *engine, alea_csp_var x, alea_csp_var y, alea_csp_var *var,
                       int32_t *value) {
  const csp_domain *a = csp_dom(engine, x), *b = csp_dom(engine, y);
  *var = a->size == 1 ? y : x;
  *value = csp_min(a->size == 1 ? a : b);
  return a->size == 1 || b->size == 1;
}

/* Nothing to do while two variables are open.  One may be open in several
 * places: a list shifted by one says that not all of its variables are equal. */
static bool differ_propagate(csp_engine *engine, csp_prop *prop) {
  const csp_differ *differ = prop->constraint->data;
  int32_t *tuple = prop->state, value = 0;
  uint32_t n = differ->count, place = 0;
  alea_csp_var open = ALEA_CSP_NONE;
  bool fixed = true; /* the left side, except the open place */
  for (uint32_t i = 0; i < n; i++) {
    alea_csp_var x = prop->scope[i], y = prop->scope[n + i], var;
    const csp_domain *a = csp_dom(engine, x), *b = csp_dom(engine, y);
    int32_t other;
    tuple[i] = csp_min(a);
    if (x == y) {
      fixed = fixed && a->size == 1;
      continue;
    }
    if (a->size == 1 && b->size == 1) {
      if (csp_min(a) != csp_min(b)) return true;
      continue;
    }
    if (!open_place(engine, x, y, &var, &other)) return true;
    if (open != ALEA_CSP_NONE && (var != open || other != value || differ->except_count > 0))
      return true;
    open = var;
    value = other;
    place = i;
  }
  if (open == ALEA_CSP_NONE)
    return (!fixed && differ->except_count > 0) || (fixed && excepted(differ, tuple));
  if (!fixed && differ->except_count > 0) return true;
  return forbid(engine, differ, tuple, place, open, value);
}

const csp_type csp_differ_type = {"differ", 1, false, differ_check, differ_start, differ_propagate};

alea_status alea_csp_differ(alea_csp *csp, const alea_csp_var *left, const alea_csp_var *right,
                            uint32_t count, const int32_t *except, size_t except_count) {
  csp_differ *data = csp_alloc(csp, 1, sizeof *data);
  const alea_csp_var *scope = join(csp, left, count, right, count);
  if (data == NULL || scope == NULL) return csp->state;
  *data = (csp_differ){count, except_count,
                       csp_copy(csp, except, except_count * count, sizeof *except)};
  return csp_post(csp, &csp_differ_type, scope, 2 * count, data);
}
