/* Matching and rewriting, after the definitions of [TOSS10 §1]. */
#include <stdlib.h>
#include <string.h>

#include "toss/rules.h"

#define NONE ALEA_TOSS_NONE

/* ---- matching ---- */

typedef struct rewrite_collector {
  const alea_toss_pattern *pattern;
  alea_toss_matches *matches;
} rewrite_collector;

static bool collect(alea_toss_env *env, void *context) {
  const rewrite_collector *c = context;
  for (uint32_t i = 0; i < c->pattern->left_count; i++) {
    if (!alea_vec_push(env->mem, c->matches, env->elements[c->pattern->left_slots[i]])) {
      env->status = alea_mem_lack(env->mem);
      return true;
    }
  }
  return false;
}

static bool is_less(const uint32_t *a, const uint32_t *b, uint32_t width) {
  for (uint32_t i = 0; i < width; i++) {
    if (a[i] != b[i]) return a[i] < b[i];
  }
  return false;
}

/* Shell sort: qsort cannot pass the width of a match to the comparison. */
static void sort(uint32_t *matches, size_t count, uint32_t width) {
  uint32_t held[ALEA_TOSS_MOST_SIDE];
  for (size_t gap = count / 2; gap > 0; gap /= 2) {
    for (size_t i = gap; i < count; i++) {
      memcpy(held, matches + i * width, width * sizeof *held);
      size_t j = i;
      for (; j >= gap && is_less(held, matches + (j - gap) * width, width); j -= gap) {
        memcpy(matches + j * width, matches + (j - gap) * width, width * sizeof *held);
      }
      memcpy(matches + j * width, held, width * sizeof *held);
    }
  }
}

alea_status alea_toss_match(const alea_toss_rules *rules, uint32_t rule, alea_toss_env *env,
                            alea_toss_matches *matches) {
  const alea_toss_pattern *p = &rules->patterns[rule];
  size_t before = matches->count;
  rewrite_collector c = {p, matches};
  env->status = ALEA_OK;
  alea_toss_enumerate(env, p->plan, collect, &c);
  if (matches->count > before) {
    sort(matches->data + before, (matches->count - before) / p->left_count, p->left_count);
  }
  return env->status;
}

static void bind(alea_toss_env *env, const uint32_t *slots, const uint32_t *elements,
                 uint32_t count) {
  for (uint32_t i = 0; i < count; i++) env->elements[slots[i]] = elements[i];
}

bool alea_toss_is_match(const alea_toss_rules *rules, uint32_t rule, alea_toss_env *env,
                        const uint32_t *match) {
  const alea_toss_pattern *p = &rules->patterns[rule];
  for (uint32_t i = 0; i < p->left_count; i++) {
    if (!env->structure->alive[match[i]]) return false;
  }
  bind(env, p->left_slots, match, p->left_count);
  return alea_toss_holds(env, p->embedding);
}

bool alea_toss_post_holds(const alea_toss_rules *rules, uint32_t rule, alea_toss_env *env,
                          const uint32_t *images) {
  const alea_toss_pattern *p = &rules->patterns[rule];
  if (p->post == NONE) return true;
  bind(env, p->right_slots, images, p->right_count);
  return alea_toss_holds(env, p->post);
}

/* ---- rewriting ---- */

typedef struct rewriter {
  const alea_toss_rules *rules;
  const alea_toss_pattern *pattern;
  alea_toss_structure *s;
  const uint32_t *match;
  uint32_t *images;
  alea_mem *mem;
  ALEA_VEC(uint32_t) additions; /* added tuples: relation and elements of each */
} rewriter;

static uint32_t position_of(const rewriter *w, uint32_t element) {
  for (uint32_t i = 0; i < w->pattern->left_count; i++) {
    if (w->match[i] == element) return i;
  }
  return NONE;
}

static bool is_inside(const rewriter *w, const uint32_t *tuple, uint32_t arity) {
  for (uint32_t i = 0; i < arity; i++) {
    if (position_of(w, tuple[i]) == NONE) return false;
  }
  return true;
}

/* Adds 'tuple' with matched elements replaced by their replacements in all
 * combinations; 'choice' counts through the right elements at each position. */
static bool vary(rewriter *w, uint32_t relation, const uint32_t *tuple, uint32_t arity) {
  uint32_t choice[ALEA_TOSS_MOST_ARITY] = {0}, lefts[ALEA_TOSS_MOST_ARITY];
  for (uint32_t i = 0; i < arity; i++) lefts[i] = position_of(w, tuple[i]);
  for (;;) {
    bool fits = true;
    for (uint32_t i = 0; i < arity; i++) {
      fits &= lefts[i] == NONE || w->pattern->rule->replaces[choice[i]] == lefts[i];
    }
    if (fits && !alea_vec_push(w->mem, &w->additions, relation)) return false;
    for (uint32_t i = 0; fits && i < arity; i++) {
      uint32_t element = lefts[i] == NONE ? tuple[i] : w->images[choice[i]];
      if (!alea_vec_push(w->mem, &w->additions, element)) return false;
    }
    uint32_t at = 0;
    while (at < arity && (lefts[at] == NONE || ++choice[at] == w->pattern->right_count)) {
      choice[at++] = 0;
    }
    if (at == arity) return true;
  }
}

static bool is_copied(const rewriter *w, uint32_t left) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < w->pattern->right_count; i++) {
    count += w->pattern->rule->replaces[i] == left;
  }
  return count > 1;
}

static bool touches_copy(const rewriter *w, const uint32_t *tuple, uint32_t arity) {
  for (uint32_t i = 0; i < arity; i++) {
    uint32_t left = position_of(w, tuple[i]);
    if (left != NONE && is_copied(w, left)) return true;
  }
  return false;
}

/* Clause (b): copies inherit old tuples. */
static bool inherit(rewriter *w) {
  for (uint32_t r = 0; r < w->s->relation_count; r++) {
    const alea_toss_table *t = &w->s->tables[r];
    for (uint32_t slot = 0; slot < t->slot_count; slot++) {
      const uint32_t *tuple = alea_toss_table_tuple(t, slot);
      if (!t->used[slot] || !touches_copy(w, tuple, t->arity)) continue;
      if (w->pattern->exact[r] && is_inside(w, tuple, t->arity)) continue;
      if (!vary(w, r, tuple, t->arity)) return false;
    }
  }
  return true;
}

/* Exact relations lose the tuples within the matched part. */
static void clear_inside(rewriter *w, uint32_t relation) {
  alea_toss_table *t = &w->s->tables[relation];
  if (t->arity == 0) {
    alea_toss_structure_empty(w->s, relation);
    return;
  }
  for (uint32_t i = 0; i < w->pattern->left_count; i++) {
    uint32_t slot = alea_toss_table_first(w->s, relation, 0, w->match[i]);
    while (slot != ALEA_TOSS_NO_SLOT) {
      uint32_t next = alea_toss_table_next(t, slot, 0);
      uint32_t tuple[ALEA_TOSS_MOST_ARITY];
      memcpy(tuple, alea_toss_table_tuple(t, slot), t->arity * sizeof *tuple);
      if (is_inside(w, tuple, t->arity)) alea_toss_structure_remove(w->s, relation, tuple);
      slot = next;
    }
  }
}

static alea_status name_images(rewriter *w) {
  const alea_toss_pattern *p = w->pattern;
  for (uint32_t i = 0; i < p->right_count; i++) {
    uint32_t left = p->rule->replaces[i];
    bool heir = left != NONE && p->heir[left] == i;
    w->images[i] = heir ? w->match[left] : alea_toss_structure_element(w->s);
    if (w->images[i] == ALEA_TOSS_NO_SLOT) return ALEA_LIMIT;
  }
  return ALEA_OK;
}

static bool add_made(rewriter *w) {
  for (size_t i = 0; i < w->additions.count;) {
    uint32_t relation = w->additions.data[i++];
    if (!alea_toss_structure_add(w->s, relation, w->additions.data + i)) return false;
    i += w->s->tables[relation].arity;
  }
  const alea_toss_picture *right = &w->pattern->rule->right;
  for (size_t i = 0; i < right->tuples.count; i++) {
    const alea_toss_tuple *tuple = &right->tuples.data[i];
    uint32_t elements[ALEA_TOSS_MOST_ARITY];
    for (uint32_t j = 0; j < tuple->count; j++) {
      elements[j] = w->images[right->ids.data[tuple->first + j]];
    }
    if (!alea_toss_structure_add(w->s, tuple->relation, elements)) return false;
  }
  return true;
}

static void set_label(rewriter *w, uint32_t function, uint32_t right, alea_interval value) {
  w->s->values[(size_t)function * w->s->capacity + w->images[right]] = value;
}

/* Labels of the right elements ([TOSS10 §2]): by update, or those of the
 * replaced element. */
static alea_status label(rewriter *w, alea_toss_env *env, size_t rule, alea_interval *values) {
  const alea_toss_pattern *p = w->pattern;
  const alea_toss_rule *source = p->rule;
  bind(env, p->left_slots, w->match, p->left_count);
  for (size_t i = 0; i < source->update.count; i++) {
    values[i] = alea_toss_evaluate(env, w->rules->update_codes[w->rules->first_update[rule] + i]);
  }
  for (uint32_t i = 0; i < p->right_count; i++) {
    uint32_t left = source->replaces[i];
    for (uint32_t f = 0; left != NONE && f < w->s->function_count; f++) {
      set_label(w, f, i, w->s->values[(size_t)f * w->s->capacity + w->match[left]]);
    }
  }
  for (size_t i = 0; i < source->update.count; i++) {
    set_label(w, source->update.data[i].function, source->update.data[i].element, values[i]);
  }
  return ALEA_OK;
}

static alea_status set_labels(rewriter *w, alea_toss_env *env, size_t rule) {
  if (w->s->function_count == 0) return ALEA_OK;
  size_t size = w->pattern->rule->update.count * sizeof(alea_interval);
  alea_interval *values = alea_mem_alloc(w->mem, size);
  if (values == NULL) return ALEA_SYSTEM;
  alea_status status = label(w, env, rule, values);
  alea_mem_free(w->mem, values, size);
  return status;
}

alea_status alea_toss_rewrite(const alea_toss_rules *rules, uint32_t rule, alea_toss_env *env,
                              alea_toss_structure *structure, const uint32_t *match,
                              uint32_t *images) {
  const alea_toss_pattern *p = &rules->patterns[rule];
  rewriter w = {rules, p, structure, match, images, env->mem, {0}};
  alea_status status = name_images(&w);
  if (status == ALEA_LIMIT) alea_toss_notes_add(rules->notes, ALEA_TOSS_NOTE_ROOM, rule, 0);
  if (status == ALEA_OK) status = set_labels(&w, env, rule);
  bool good = status == ALEA_OK && (p->preserving || inherit(&w));
  for (size_t i = 0; good && i < p->rule->exact.count; i++) {
    clear_inside(&w, p->rule->exact.data[i]);
  }
  for (uint32_t i = 0; good && i < p->left_count; i++) {
    if (p->heir[i] == NONE) alea_toss_structure_kill(structure, match[i]);
  }
  good = good && add_made(&w);
  alea_vec_clear(w.mem, &w.additions);
  if (status != ALEA_OK) return status;
  return good ? ALEA_OK : alea_mem_lack(env->mem);
}
