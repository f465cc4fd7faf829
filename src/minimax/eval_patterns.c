/* Patterns of the goals, and what they are worth. */
#include "minimax/eval_patterns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "minimax/eval_features.h"
#include "minimax/number_places.h"
#include "minimax/pattern_search.h"

enum {
  MOST_TOUCHES = 1 << 16, /* pairs of a pattern and a fluent */
  MOST_ROLES = 64,
};
static const float PRIOR_LAST = 1, PRIOR_FACTOR = 1 / 6.0f; /* one fluent is missing; one more is */
static const float DRAW = 400, FIRST_SQUARES = 1e-3f;

/* ---- patterns ---- */

/* The literal of a role's best goal; false: there is none. */
static bool best_goal(const alea_net *net, uint32_t role, alea_lit *lit) {
  int best = -1;
  for (size_t i = 0; i < net->goals.count; i++) {
    const alea_net_goal *goal = &net->goals.data[i];
    if (goal->role == role && goal->lit != ALEA_LIT_FALSE && goal->value > best)
      best = goal->value, *lit = goal->lit;
  }
  return best > 0;
}

/* The first count of the class, which is made if it is new; SIZE_MAX without memory. */
static size_t class_of(alea_eval_patterns *p, uint32_t role, uint32_t length) {
  for (size_t i = 0; i < p->classes.count; i++)
    if (p->classes.data[i].role == role && p->classes.data[i].length == length)
      return p->classes.data[i].first_count;
  uint32_t first = (uint32_t)p->counts.count;
  if (!alea_vec_push(p->mem, &p->classes, ((alea_eval_pattern_class){role, length, first})))
    return SIZE_MAX;
  for (uint32_t k = 0; k <= length; k++) {
    alea_eval_pattern_count count = {.tied = first + k, .sign = 1};
    if (!alea_vec_push(p->mem, &p->counts, count)) return SIZE_MAX;
  }
  return first;
}

static bool add_patterns(alea_eval_patterns *p, uint32_t role, const alea_conjunctions *found) {
  for (size_t at = 0; at < found->count; at += found->data[at] + 1) {
    uint32_t length = found->data[at];
    size_t first_count = class_of(p, role, length);
    alea_eval_pattern pattern = {.first = (uint32_t)p->fluents.count,
                                 .length = (uint16_t)length,
                                 .first_count = (uint32_t)first_count};
    if (first_count == SIZE_MAX || !alea_vec_push(p->mem, &p->list, pattern) ||
        !alea_vec_reserve(p->mem, &p->fluents, length))
      return false;
    for (uint32_t i = 1; i <= length; i++)
      p->fluents.data[p->fluents.count++] = found->data[at + i];
  }
  return true;
}

static alea_status find_patterns(alea_eval_patterns *p, const alea_net *net) {
  alea_status status = ALEA_OK;
  for (uint32_t r = 0; status == ALEA_OK && r < net->role_count && r < MOST_ROLES; r++) {
    alea_conjunctions found = {0};
    alea_lit lit;
    if ((int)r == net->random_role || !best_goal(net, r, &lit)) continue;
    status = alea_pattern_search(net, lit, &found, p->mem);
    if (status == ALEA_OK && !add_patterns(p, r, &found)) status = alea_mem_lack(p->mem);
    alea_vec_clear(p->mem, &found);
  }
  return status;
}

/* ---- numbers ---- */

/* Marks what stands at the place of another fluent of the pattern; whether there is any. */
static bool mark_pairs(const alea_eval_patterns *p, const alea_eval_pattern *pattern,
                       const uint64_t *keys, uint64_t *places) {
  const uint32_t *fluents = p->fluents.data + pattern->first;
  bool found = false;
  for (uint32_t i = 0; i < pattern->length; i++)
    for (uint32_t k = 0; k < pattern->length; k++)
      if (i != k && keys[fluents[i]] == keys[fluents[k]])
        places[fluents[i]] = keys[fluents[i]], found = true;
  return found;
}

/* Leaves out patterns that compare numbers, as of pieces left: nobody completes them one by
 * one. */
static void drop_comparisons(alea_eval_patterns *p, const bool *numbers) {
  size_t kept = 0;
  for (size_t i = 0; i < p->list.count; i++) {
    const alea_eval_pattern *it = &p->list.data[i];
    bool compares = false;
    for (uint32_t k = 0; k < it->length; k++)
      compares = compares || numbers[p->fluents.data[it->first + k]];
    if (!compares) p->list.data[kept++] = *it;
  }
  p->list.count = kept;
}

static alea_status leave_numbers_out(alea_eval_patterns *p, const alea_game *game) {
  const alea_net *net = alea_net_of_game(game);
  size_t fluents = (size_t)p->fluent_count + 1;
  uint64_t *keys = alea_mem_calloc(p->mem, fluents, sizeof *keys);
  uint64_t *places = alea_mem_calloc(p->mem, fluents, sizeof *places);
  bool *numbers = alea_mem_calloc(p->mem, fluents, sizeof *numbers), asked = false;
  bool good = keys != NULL && places != NULL && numbers != NULL;
  for (uint32_t f = 0; good && f < p->fluent_count; f++)
    keys[f] = alea_eval_place_key(net, net->fluent_terms[f]);
  for (size_t i = 0; good && i < p->list.count; i++)
    asked = mark_pairs(p, &p->list.data[i], keys, places) || asked;
  alea_status status = good ? ALEA_OK : alea_mem_lack(p->mem);
  if (good && asked) status = alea_number_places_find(game, places, numbers, p->mem);
  if (status == ALEA_OK) drop_comparisons(p, numbers);
  alea_mem_free(p->mem, keys, fluents * sizeof *keys);
  alea_mem_free(p->mem, places, fluents * sizeof *places);
  alea_mem_free(p->mem, numbers, fluents * sizeof *numbers);
  return status;
}

/* ---- what blocks them ---- */

/* A fluent at its place, with the roles whose patterns it is in. */
typedef struct placed_fluent {
  uint64_t place, roles;
  uint32_t fluent;
} placed_fluent;

static int compare(const void *a, const void *b) {
  const placed_fluent *x = a, *y = b;
  if (x->place != y->place) return x->place < y->place ? -1 : 1;
  return x->fluent < y->fluent ? -1 : x->fluent > y->fluent;
}

static uint32_t role_of(const alea_eval_patterns *p, const alea_eval_pattern *pattern) {
  size_t i = 0;
  while (p->classes.data[i].first_count != pattern->first_count) i++;
  return p->classes.data[i].role;
}

static bool contains(const uint32_t *fluents, size_t count, uint32_t fluent) {
  for (size_t i = 0; i < count; i++)
    if (fluents[i] == fluent) return true;
  return false;
}

/* Copies the fluents of a pattern to 'out', and those that block it. */
static bool add_blockers(alea_eval_patterns *p, alea_eval_pattern *pattern,
                         const placed_fluent *order, const uint32_t *where, alea_u32s *out) {
  uint64_t own = UINT64_C(1) << role_of(p, pattern);
  uint32_t first = (uint32_t)out->count;
  for (uint32_t i = 0; i < pattern->length; i++)
    if (!alea_vec_push(p->mem, out, p->fluents.data[pattern->first + i])) return false;
  for (uint32_t i = 0; i < pattern->length; i++) {
    uint32_t at = where[out->data[first + i]], low = at, high = at + 1;
    while (low > 0 && order[low - 1].place == order[at].place) low--;
    while (high < p->fluent_count && order[high].place == order[at].place) high++;
    for (uint32_t k = low; k < high; k++) {
      if ((order[k].roles & ~own) == 0 ||
          contains(out->data + first, out->count - first, order[k].fluent))
        continue;
      if (pattern->blockers == UINT16_MAX) break;
      if (!alea_vec_push(p->mem, out, order[k].fluent)) return false;
      pattern->blockers++;
    }
  }
  pattern->first = first;
  return true;
}

/* Finds the fluents that block patterns; 'order' and 'where' have room for all fluents. */
static bool find_blockers(alea_eval_patterns *p, const alea_net *net, placed_fluent *order,
                          uint32_t *where) {
  for (uint32_t f = 0; f < p->fluent_count; f++)
    order[f] =
        (placed_fluent){.place = alea_eval_place_key(net, net->fluent_terms[f]), .fluent = f};
  for (size_t i = 0; i < p->list.count; i++)
    for (uint32_t k = 0; k < p->list.data[i].length; k++)
      order[p->fluents.data[p->list.data[i].first + k]].roles |= UINT64_C(1)
                                                                 << role_of(p, &p->list.data[i]);
  qsort(order, p->fluent_count, sizeof *order, compare);
  for (uint32_t i = 0; i < p->fluent_count; i++) where[order[i].fluent] = i;
  alea_u32s out = {0};
  bool good = true;
  for (size_t i = 0; good && i < p->list.count; i++)
    good = add_blockers(p, &p->list.data[i], order, where, &out);
  alea_vec_clear(p->mem, &p->fluents);
  p->fluents = out;
  return good;
}

/* ---- the object ---- */

/* Lists for each fluent the patterns that it is in, or blocks. */
static bool list_touched(alea_eval_patterns *p, uint32_t *counts) {
  for (size_t i = 0; i < p->fluents.count; i++) counts[p->fluents.data[i]]++;
  uint32_t at = 0;
  bool good = alea_vec_reserve(p->mem, &p->touched, p->fluents.count);
  for (uint32_t f = 0; good && f < p->fluent_count; f++) {
    good = alea_vec_push(p->mem, &p->first_touched, at);
    at += counts[f];
    counts[f] = at - counts[f];
  }
  good = good && alea_vec_push(p->mem, &p->first_touched, at);
  p->touched.count = good ? at : 0;
  for (size_t i = 0; good && i < p->list.count; i++) {
    const alea_eval_pattern *it = &p->list.data[i];
    for (uint32_t k = 0; k < it->length + (uint32_t)it->blockers; k++)
      p->touched.data[counts[p->fluents.data[it->first + k]]++] = (uint32_t)i;
  }
  return good;
}

static void drop_all(alea_eval_patterns *p) {
  p->list.count = p->classes.count = p->counts.count = p->fluents.count = 0;
}

static alea_status prepare(alea_eval_patterns *p, const alea_net *net) {
  size_t fluents = p->fluent_count;
  placed_fluent *order = alea_mem_calloc(p->mem, fluents + 1, sizeof *order);
  uint32_t *where = alea_mem_calloc(p->mem, fluents + 1, sizeof *where);
  bool good = order != NULL && where != NULL;
  if (good) good = find_blockers(p, net, order, where);
  if (p->fluents.count > MOST_TOUCHES) drop_all(p);
  if (good) memset(where, 0, (fluents + 1) * sizeof *where);
  good = good && list_touched(p, where);
  alea_mem_free(p->mem, order, (fluents + 1) * sizeof *order);
  alea_mem_free(p->mem, where, (fluents + 1) * sizeof *where);
  return good ? ALEA_OK : alea_mem_lack(p->mem);
}

alea_status alea_eval_patterns_init(alea_eval_patterns *p, const alea_game *game, alea_mem *mem) {
  const alea_net *net = alea_net_of_game(game);
  *p = (alea_eval_patterns){.mem = mem, .fluent_count = net->fluent_count};
  alea_status status = find_patterns(p, net);
  if (p->fluents.count > MOST_TOUCHES) drop_all(p);
  if (status == ALEA_OK) status = leave_numbers_out(p, game);
  return status == ALEA_OK ? prepare(p, net) : status;
}

void alea_eval_patterns_clear(alea_eval_patterns *p) {
  if (p->mem == NULL) return;
  alea_vec_clear(p->mem, &p->list);
  alea_vec_clear(p->mem, &p->fluents);
  alea_vec_clear(p->mem, &p->classes);
  alea_vec_clear(p->mem, &p->counts);
  alea_vec_clear(p->mem, &p->touched);
  alea_vec_clear(p->mem, &p->first_touched);
  *p = (alea_eval_patterns){0};
}

void alea_eval_patterns_tie(alea_eval_patterns *p) {
  for (size_t i = 0; i < p->classes.count; i++) {
    const alea_eval_pattern_class *a = &p->classes.data[i];
    for (size_t k = 0; k < i; k++) {
      const alea_eval_pattern_class *b = &p->classes.data[k];
      if (a->length != b->length || a->role == b->role) continue;
      for (uint32_t n = 0; n <= a->length; n++) {
        p->counts.data[a->first_count + n].tied = b->first_count + n;
        p->counts.data[a->first_count + n].sign = -1;
      }
    }
  }
}

void alea_eval_patterns_begin(alea_eval_patterns *p, uint32_t role) {
  for (size_t i = 0; i < p->classes.count; i++) {
    const alea_eval_pattern_class *it = &p->classes.data[i];
    float prior = it->role == role ? PRIOR_LAST : -PRIOR_LAST;
    alea_eval_pattern_count *counts = p->counts.data + it->first_count;
    counts[it->length].prior = counts[it->length].weight = prior; /* the end, or near it */
    for (uint32_t k = it->length; k-- > 1; prior *= PRIOR_FACTOR)
      counts[k].prior = counts[k].weight = prior;
  }
}

/* ---- positions ---- */

static bool holds(const uint64_t *words, uint32_t fluent) {
  return (words[fluent >> 6] >> (fluent & 63) & 1) != 0;
}

/* How many fluents of a pattern hold; 0 where it is blocked. */
static uint32_t held(const alea_eval_patterns *p, const alea_eval_pattern *it,
                     const uint64_t *words) {
  const uint32_t *fluents = p->fluents.data + it->first;
  uint32_t count = 0;
  for (uint32_t i = it->length; i < it->length + (uint32_t)it->blockers; i++)
    if (holds(words, fluents[i])) return 0;
  for (uint32_t i = 0; i < it->length; i++) count += holds(words, fluents[i]);
  return count;
}

float alea_eval_patterns_look(alea_eval_patterns *p, const uint64_t *words) {
  float sum = 0;
  for (size_t i = 0; i < p->list.count; i++) {
    const alea_eval_pattern *it = &p->list.data[i];
    uint32_t k = held(p, it, words);
    if (k == 0) continue;
    const alea_eval_pattern_count *count = &p->counts.data[it->first_count + k];
    alea_eval_pattern_count *root = &p->counts.data[count->tied];
    root->value += count->sign;
    sum += (float)count->sign * root->weight;
  }
  return sum;
}

void alea_eval_patterns_fit(alea_eval_patterns *p, float gradient, float rate) {
  for (size_t i = 0; i < p->counts.count; i++) {
    alea_eval_pattern_count *it = &p->counts.data[i];
    float value = (float)it->value;
    it->value = 0;
    if (value == 0) continue;
    it->seen += 1;
    float slope = gradient * value - DRAW / (DRAW + it->seen) * (it->weight - it->prior);
    it->squares += slope * slope;
    it->weight += rate * slope / sqrtf(FIRST_SQUARES + it->squares);
  }
}

int32_t alea_eval_patterns_score(const alea_eval_patterns *p, const uint64_t *words) {
  int32_t sum = 0;
  for (size_t i = 0; p->live && i < p->list.count; i++) {
    const alea_eval_pattern *it = &p->list.data[i];
    uint32_t k = held(p, it, words);
    if (k > 0) sum += p->counts.data[it->first_count + k].score;
  }
  return sum;
}

/* Whether a fluent of a smaller number changes that is in the pattern, or blocks it. */
static bool changed_before(const alea_eval_patterns *p, const alea_eval_pattern *it,
                           uint32_t fluent, const uint64_t *from, const uint64_t *to) {
  const uint32_t *fluents = p->fluents.data + it->first;
  for (uint32_t i = 0; i < it->length + (uint32_t)it->blockers; i++)
    if (fluents[i] < fluent && holds(from, fluents[i]) != holds(to, fluents[i])) return true;
  return false;
}

static int32_t step_of_fluent(const alea_eval_patterns *p, uint32_t fluent, const uint64_t *from,
                              const uint64_t *to) {
  int32_t sum = 0;
  for (uint32_t t = p->first_touched.data[fluent]; t < p->first_touched.data[fluent + 1]; t++) {
    const alea_eval_pattern *it = &p->list.data[p->touched.data[t]];
    uint32_t a = held(p, it, from), b = held(p, it, to);
    if (a == b || changed_before(p, it, fluent, from, to)) continue;
    const alea_eval_pattern_count *counts = p->counts.data + it->first_count;
    sum += (b > 0 ? counts[b].score : 0) - (a > 0 ? counts[a].score : 0);
  }
  return sum;
}

int32_t alea_eval_patterns_step(const alea_eval_patterns *p, const uint64_t *from,
                                const uint64_t *to) {
  int32_t sum = 0;
  for (size_t w = 0; 64 * w < p->fluent_count; w++)
    for (uint64_t change = from[w] ^ to[w]; change != 0; change &= change - 1)
      sum += step_of_fluent(p, (uint32_t)(64 * w) + (unsigned)__builtin_ctzll(change), from, to);
  return sum;
}
