/* Sets of fluents, and ties between them. */
#include "minimax/eval_features.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "minimax/fluent_symmetry.h"
#include "propnet/propnet.h"

static const float DRAW_FLUENT = 400, DRAW_LINE = 40, DRAW_KIND = 2;

/* ---- sets ---- */

typedef struct set_member {
  uint64_t key; /* of the set */
  uint32_t fluent;
} set_member;
typedef ALEA_VEC(set_member) set_members;

static int compare(const void *a, const void *b) {
  const set_member *x = a, *y = b;
  if (x->key != y->key) return x->key < y->key ? -1 : 1;
  return x->fluent < y->fluent ? -1 : x->fluent > y->fluent;
}

bool alea_eval_is_owner(const alea_net *net, alea_term term) {
  if (alea_terms_arity(net->terms, term) > 0) return false;
  const char *text =
      alea_symbols_text(alea_terms_symbols(net->terms), alea_terms_name(net->terms, term));
  for (uint32_t r = 0; r < net->role_count; r++)
    if (strcmp(text, net->role_text[r]) == 0) return true;
  return false;
}

/* Equal for fluents of one kind: they agree in name, in arguments that name a role, and in
 * the last leaf of the last argument. */
static uint64_t kind_key(const alea_net *net, alea_term term) {
  const alea_terms *terms = net->terms;
  uint64_t key = alea_hash_join(0, alea_terms_name(terms, term)), depth = 0;
  for (uint32_t i = 0; i + 1 < alea_terms_arity(terms, term); i++)
    if (alea_eval_is_owner(net, alea_terms_args(terms, term)[i]))
      key = alea_hash_join(alea_hash_join(key, i), alea_terms_args(terms, term)[i]);
  for (uint32_t arity; (arity = alea_terms_arity(terms, term)) > 0; depth++)
    term = alea_terms_args(terms, term)[arity - 1];
  return alea_hash_join(alea_hash_join(key, term), depth);
}

uint64_t alea_eval_place_key(const alea_net *net, alea_term term) {
  const alea_terms *terms = net->terms;
  uint64_t hash = alea_hash_join(0, alea_terms_name(terms, term));
  for (uint32_t arity; (arity = alea_terms_arity(terms, term)) > 0;) {
    const alea_term *args = alea_terms_args(terms, term);
    for (uint32_t i = 0; i + 1 < arity; i++)
      if (!alea_eval_is_owner(net, args[i])) hash = alea_hash_join(hash, args[i]);
    hash = alea_hash_join(hash, arity);
    term = args[arity - 1];
  }
  return hash;
}

static bool list_kinds(const alea_net *net, set_members *list, alea_mem *mem) {
  for (uint32_t f = 0; f < net->fluent_count; f++)
    if (!alea_vec_push(mem, list, ((set_member){kind_key(net, net->fluent_terms[f]), f})))
      return false;
  return true;
}

static bool list_lines(const alea_net *net, set_members *list, alea_mem *mem) {
  for (uint32_t f = 0; f < net->fluent_count; f++) {
    alea_term term = net->fluent_terms[f];
    uint64_t kind = kind_key(net, term);
    for (uint32_t i = 0; i + 1 < alea_terms_arity(net->terms, term); i++) {
      alea_term argument = alea_terms_args(net->terms, term)[i];
      if (alea_eval_is_owner(net, argument)) continue;
      uint64_t key = alea_hash_join(alea_hash_join(kind, i), argument);
      if (!alea_vec_push(mem, list, ((set_member){key, f}))) return false;
    }
  }
  return true;
}

/* Makes features of the sets in the list; of single fluents only with 'all'. */
static bool add_sets(alea_eval_features *e, set_members *list, bool all, float draw) {
  if (list->count > 0) qsort(list->data, list->count, sizeof *list->data, compare);
  for (size_t i = 0, end; i < list->count; i = end) {
    for (end = i + 1; end < list->count && list->data[end].key == list->data[i].key;) end++;
    if (end == i + 1 && !all) continue;
    uint32_t number = (uint32_t)e->list.count;
    if (!alea_vec_push(e->mem, &e->list, ((alea_eval_feature){.draw = draw, .tied = number})) ||
        !alea_vec_push(e->mem, &e->first_member, (uint32_t)e->members.count))
      return false;
    for (size_t k = i; k < end; k++)
      if (!alea_vec_push(e->mem, &e->members, list->data[k].fluent)) return false;
  }
  return true;
}

/* The members of a set that is no single fluent. */
static const uint32_t *members_of(const alea_eval_features *e, uint32_t feature, uint32_t *count) {
  uint32_t set = feature - e->fluent_count, first = e->first_member.data[set];
  size_t end = set + 1 < e->first_member.count ? e->first_member.data[set + 1] : e->members.count;
  *count = (uint32_t)end - first;
  return e->members.data + first;
}

uint32_t alea_eval_features_kind_size(const alea_eval_features *e, uint32_t kind) {
  uint32_t count;
  (void)members_of(e, e->fluent_count + kind, &count);
  return count;
}

static alea_status make_sets(alea_eval_features *e, const alea_net *net) {
  set_members kinds = {0}, lines = {0};
  bool good = list_kinds(net, &kinds, e->mem) && list_lines(net, &lines, e->mem);
  for (uint32_t f = 0; good && f < e->fluent_count; f++)
    good = alea_vec_push(e->mem, &e->list, ((alea_eval_feature){.draw = DRAW_FLUENT, .tied = f}));
  good = good && add_sets(e, &kinds, true, DRAW_KIND);
  e->kind_count = (uint32_t)e->first_member.count;
  for (uint32_t k = 0, count; good && k < e->kind_count; k++) {
    const uint32_t *members = members_of(e, e->fluent_count + k, &count);
    for (uint32_t i = 0; i < count; i++) e->kind_of[members[i]] = k;
  }
  good = good && add_sets(e, &lines, false, DRAW_LINE);
  alea_vec_clear(e->mem, &kinds);
  alea_vec_clear(e->mem, &lines);
  return good ? ALEA_OK : alea_mem_lack(e->mem);
}

/* ---- parts ---- */

static alea_eval_part part_of(const alea_eval_features *e, uint32_t feature) {
  const alea_eval_feature *it = &e->list.data[feature];
  bool dead = e->list.data[it->tied].void_;
  return (alea_eval_part){it->tied, dead ? 0 : it->opposite ? -1 : 1};
}

/* Lists for each fluent the features that count it, as they are tied. */
static alea_status make_parts(alea_eval_features *e) {
  e->parts.count = e->first_part.count = 0;
  uint32_t *counts = alea_mem_calloc(e->mem, e->fluent_count + 1, sizeof *counts);
  if (counts == NULL) return alea_mem_lack(e->mem);
  for (size_t i = 0; i < e->members.count; i++) counts[e->members.data[i]]++;
  uint32_t at = 0;
  bool good = true;
  for (uint32_t f = 0; good && f < e->fluent_count; f++) {
    good = alea_vec_push(e->mem, &e->first_part, at);
    at += 1 + counts[f];
    counts[f] = 1;
  }
  good =
      good && alea_vec_push(e->mem, &e->first_part, at) && alea_vec_reserve(e->mem, &e->parts, at);
  e->parts.count = good ? at : 0;
  for (uint32_t f = 0; good && f < e->fluent_count; f++)
    e->parts.data[e->first_part.data[f]] = part_of(e, f);
  for (uint32_t s = e->fluent_count, count; good && s < e->list.count; s++) {
    const uint32_t *members = members_of(e, s, &count);
    for (uint32_t i = 0; i < count; i++)
      e->parts.data[e->first_part.data[members[i]] + counts[members[i]]++] = part_of(e, s);
  }
  alea_mem_free(e->mem, counts, (e->fluent_count + 1) * sizeof *counts);
  return good ? ALEA_OK : alea_mem_lack(e->mem);
}

alea_status alea_eval_features_init(alea_eval_features *e, const alea_game *game, alea_mem *mem) {
  const alea_net *net = alea_net_of_game(game);
  *e = (alea_eval_features){.mem = mem, .game = game, .fluent_count = net->fluent_count};
  e->kind_of = alea_mem_calloc(mem, e->fluent_count, sizeof *e->kind_of);
  if (e->kind_of == NULL) return alea_mem_lack(mem);
  alea_status status = make_sets(e, net);
  return status == ALEA_OK ? make_parts(e) : status;
}

void alea_eval_features_clear(alea_eval_features *e) {
  if (e->mem == NULL) return;
  alea_mem_free(e->mem, e->kind_of, e->fluent_count * sizeof *e->kind_of);
  alea_vec_clear(e->mem, &e->list);
  alea_vec_clear(e->mem, &e->members);
  alea_vec_clear(e->mem, &e->first_member);
  alea_vec_clear(e->mem, &e->parts);
  alea_vec_clear(e->mem, &e->first_part);
  *e = (alea_eval_features){0};
}

/* ---- ties ---- */

/* The feature whose weight this one has, and whether with the other sign. */
static uint32_t root_of(const alea_eval_features *e, uint32_t feature, bool *opposite) {
  *opposite = false;
  while (e->list.data[feature].tied != feature) {
    *opposite ^= e->list.data[feature].opposite;
    feature = e->list.data[feature].tied;
  }
  return feature;
}

static void tie(alea_eval_features *e, uint32_t a, uint32_t b, bool opposite) {
  bool sign_a, sign_b;
  uint32_t x = root_of(e, a, &sign_a), y = root_of(e, b, &sign_b);
  bool differ = sign_a ^ sign_b ^ opposite;
  if (x == y) {
    if (differ) e->list.data[x].void_ = true;
    return;
  }
  uint32_t low = x < y ? x : y, high = x < y ? y : x;
  e->list.data[high].tied = low;
  e->list.data[high].opposite = differ;
  e->list.data[low].void_ |= e->list.data[high].void_;
}

/* Whether all images of one set's members are members of another, of the same size. */
static bool maps_to(const alea_eval_features *e, const uint32_t *map, uint32_t set,
                    uint32_t image) {
  uint32_t count, other;
  const uint32_t *members = members_of(e, set, &count), *images = members_of(e, image, &other);
  if (count != other) return false;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t k = 0;
    while (k < count && images[k] != map[members[i]]) k++;
    if (k == count) return false;
  }
  return true;
}

/* Ties by one symmetry, a permutation of the game's fluents. */
static void tie_by(alea_eval_features *e, const uint32_t *map, bool opposite) {
  for (uint32_t f = 0; f < e->fluent_count; f++) tie(e, f, map[f], opposite);
  for (uint32_t s = e->fluent_count; s < e->list.count; s++) {
    uint32_t count;
    const uint32_t *members = members_of(e, s, &count);
    bool is_kind = s < e->fluent_count + e->kind_count;
    uint32_t from =
        is_kind ? e->fluent_count + e->kind_of[map[members[0]]] : e->fluent_count + e->kind_count;
    uint32_t end = is_kind ? from + 1 : (uint32_t)e->list.count;
    for (uint32_t image = from; image < end; image++)
      if (maps_to(e, map, s, image)) tie(e, s, image, opposite);
  }
}

alea_status alea_eval_features_tie(alea_eval_features *e, alea_services *services, bool exchange,
                                   const alea_deadline *deadline) {
  alea_fluent_symmetry symmetry;
  alea_status status =
      alea_fluent_symmetry_find(&symmetry, e->game, services, exchange, deadline, e->mem);
  for (uint32_t i = 0; status == ALEA_OK && i < symmetry.count; i++) {
    tie_by(e, alea_fluent_symmetry_at(&symmetry, i), symmetry.exchanges.data[i]);
    if (symmetry.exchanges.data[i]) e->exchanges = true;
  }
  bool found = symmetry.count > 0;
  alea_fluent_symmetry_clear(&symmetry);
  if (status != ALEA_OK || !found) return status;
  for (uint32_t i = 0; i < e->list.count; i++) {
    bool opposite;
    uint32_t root = root_of(e, i, &opposite);
    e->list.data[i].tied = root;
    e->list.data[i].opposite = opposite;
  }
  return make_parts(e);
}
