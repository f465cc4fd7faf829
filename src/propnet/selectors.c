/* Selectors: exclusive fluents that choose one of many gates.
 *
 * "The king is somewhere, and not attacked there" comes out as
 *
 *     OR over squares k of  f_k AND NOT t_k
 *
 * where t_k, "k is attacked", is an OR itself, and there is one such gate for each k, and again for
 * each move that may block or uncover an attack.  But if at most one f_k holds, then NOT t_k, read
 * beside f_k, is the same as NOT g, where
 *
 *     g  =  OR over k of  f_k AND t_k  =  OR over k and j of  f_k AND t_kj,
 *
 * one gate for all k.  Its terms are shared by all such gates, which differ in few of them: so
 * they are built from classes of terms that occur in the same gates (selector_rows.c).  What other
 * rules ask of k alone is found among them (selector_fit.c), and what an OR of such rules asks in
 * all its alternatives is asked once (selector_pull.c).
 *
 * Families of fluents are guessed from the gates and proved (exclusive.c). */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "propnet/selectors.h"

enum {
  LEAST_SIZE = 8,    /* members of a family, and alternatives that are replaced by one */
  MAX_LOOK = 64,     /* inputs of an alternative */
  MAX_NESTED = 4096, /* gates dissolved in one */
};

/* ---- finding groups ---- */

static bool is_fluent(const alea_graph *graph, alea_lit lit) {
  return (lit & 1) == 0 && lit >> 1 >= 1 && lit >> 1 <= graph->ground->fluent_count;
}

/* The AND that input 'i' of a gate negates, an alternative of an OR, or NULL. */
static const alea_graph_gate *alternative(const alea_graph *graph, const alea_graph_gate *g,
                                          uint32_t i) {
  alea_lit lit = graph->inputs.data[g->first + i];
  if ((lit & 1) == 0 || !alea_graph_is_gate(graph, lit)) return NULL;
  const alea_graph_gate *found = alea_graph_gate_of(graph, lit);
  return found->count <= MAX_LOOK ? found : NULL;
}

static void count_literals(alea_selectors *s, const alea_graph_gate *g, uint32_t step) {
  for (uint32_t i = 0; i < g->count; i++) {
    const alea_graph_gate *one = alternative(s->graph, g, i);
    for (uint32_t k = 0; one != NULL && k < one->count; k++)
      s->seen[s->graph->inputs.data[one->first + k]] += step;
  }
}

/* Splits an alternative into what it has in common with others, its one fluent, and the rest. */
static bool look_at(alea_selectors *s, const alea_graph_gate *g) {
  const alea_graph *graph = s->graph;
  alea_selector_use use = {.gate = (uint32_t)(g - graph->gates.data),
                           .chosen = (uint32_t)s->chosen.count};
  for (uint32_t i = 0; i < g->count; i++) {
    alea_lit lit = graph->inputs.data[g->first + i];
    if (s->seen[lit] >= LEAST_SIZE) {
      use.key += alea_hash_mix(lit + 1);
    } else if (is_fluent(graph, lit)) {
      if (use.selector != 0) return s->chosen.count = use.chosen, true;
      use.selector = lit >> 1;
    } else if (!alea_vec_push(s->mem, &s->chosen, lit)) {
      return false;
    }
  }
  use.chosen_count = (uint32_t)s->chosen.count - use.chosen;
  if (use.selector == 0 || use.chosen_count == 0) return s->chosen.count = use.chosen, true;
  return alea_vec_push(s->mem, &s->found, use);
}

static int compare_uses(const void *a, const void *b) {
  const alea_selector_use *one = a, *two = b;
  if (one->key != two->key) return one->key < two->key ? -1 : 1;
  if (one->selector != two->selector) return one->selector < two->selector ? -1 : 1;
  return one->gate < two->gate ? -1 : one->gate > two->gate;
}

/* Keeps those of one key if they are enough, and no fluent has two gates. */
static bool keep_group(alea_selectors *s, uint32_t reader, size_t first, size_t end) {
  if (end - first < LEAST_SIZE) return true;
  for (size_t i = first + 1; i < end; i++)
    if (s->found.data[i].selector == s->found.data[i - 1].selector) return true;
  alea_selector_group group = {reader, (uint32_t)s->uses.count, (uint32_t)(end - first), 0};
  if (!alea_vec_push(s->mem, &s->groups, group)) return false;
  for (size_t i = first; i < end; i++)
    if (!alea_vec_push(s->mem, &s->uses, s->found.data[i])) return false;
  return true;
}

static bool find_groups_of(alea_selectors *s, const alea_graph_gate *g) {
  s->found.count = 0;
  count_literals(s, g, 1);
  for (uint32_t i = 0; i < g->count; i++) {
    const alea_graph_gate *one = alternative(s->graph, g, i);
    if (one != NULL && !look_at(s, one)) return false;
  }
  count_literals(s, g, UINT32_MAX);
  if (s->found.count < LEAST_SIZE) return true;
  qsort(s->found.data, s->found.count, sizeof *s->found.data, compare_uses);
  const alea_selector_use *found = s->found.data;
  for (size_t i = 0, end; i < s->found.count; i = end) {
    for (end = i + 1; end < s->found.count && found[end].key == found[i].key;) end++;
    if (!keep_group(s, (uint32_t)(g - s->graph->gates.data), i, end)) return false;
  }
  return true;
}

static bool find_groups(alea_selectors *s) {
  const alea_graph *graph = s->graph;
  for (size_t k = 0; k < graph->gates.count; k++) {
    const alea_graph_gate *g = &graph->gates.data[k];
    size_t groups = s->groups.count, chosen = s->chosen.count;
    if (g->count >= LEAST_SIZE && !find_groups_of(s, g)) return false;
    if (s->groups.count == groups) s->chosen.count = chosen;
  }
  return true;
}

/* ---- families ---- */

static int compare_groups(const void *a, const void *b) {
  const alea_selector_group *one = a, *two = b;
  if (one->count != two->count) return one->count > two->count ? -1 : 1;
  return one->first < two->first ? -1 : one->first > two->first;
}

/* Whether all fluents of a group have this family. */
static bool is_within(const alea_selectors *s, const alea_selector_group *group, uint32_t family) {
  for (uint32_t i = 0; i < group->count; i++)
    if (s->family[s->uses.data[group->first + i].selector] != family) return false;
  return true;
}

/* Proves families, the largest groups first; those that cannot be proved are 'refuted' by a
 * number of their own, so that they are not tried again. */
static alea_status find_families(alea_selectors *s, const alea_deadline *deadline) {
  uint32_t families = 0, tried = 0;
  for (size_t g = 0; g < s->groups.count && tried < ALEA_MAX_FAMILIES; g++) {
    if (alea_deadline_passed(deadline)) break;
    const alea_selector_group *group = &s->groups.data[g];
    bool proved = false;
    if (!is_within(s, group, 0)) continue;
    s->work.count = 0;
    for (uint32_t i = 0; i < group->count; i++)
      if (!alea_vec_push(s->mem, &s->work, s->uses.data[group->first + i].selector))
        return alea_graph_no_memory(s->mem);
    alea_status status =
        alea_graph_prove_exclusive(s->graph, s->work.data, (uint32_t)s->work.count, &proved);
    if (status != ALEA_OK) return status;
    tried++;
    if (proved) s->family_size[++families] = group->count;
    for (size_t i = 0; i < s->work.count; i++)
      s->family[s->work.data[i]] = proved ? families : UINT32_MAX;
  }
  return ALEA_OK;
}

/* ---- contexts ---- */

uint32_t alea_selectors_selector_in(const alea_selectors *s, const alea_graph_gate *g) {
  for (uint32_t i = 0; i < g->count; i++) {
    alea_lit lit = s->graph->inputs.data[g->first + i];
    if (!is_fluent(s->graph, lit)) continue;
    uint32_t family = s->family[lit >> 1];
    if (family != 0 && family != UINT32_MAX) return lit >> 1;
  }
  return 0;
}

static void set_context(alea_selectors *s, alea_lit lit, uint32_t context) {
  if (!alea_graph_is_gate(s->graph, lit)) return;
  uint32_t *known = &s->context[(lit >> 1) - s->graph->leaf_count];
  *known = *known == 0 || *known == context ? context : ALEA_NO_CONTEXT;
}

/* Gates that matter only where a selector holds: all who read them do. */
static void find_contexts(alea_selectors *s) {
  const alea_graph *graph = s->graph;
  for (size_t i = 0; i < graph->roots.count; i++)
    set_context(s, graph->roots.data[i], ALEA_NO_CONTEXT);
  for (size_t k = s->gates; k-- > 0;) { /* readers come after their inputs */
    const alea_graph_gate *g = &graph->gates.data[k];
    uint32_t own = alea_selectors_selector_in(s, g), context = own != 0 ? own : s->context[k];
    for (uint32_t i = 0; context != 0 && i < g->count; i++)
      set_context(s, graph->inputs.data[g->first + i], context);
    s->context[k] = context;
  }
}

/* ---- rows and their terms ---- */

static uint64_t hash_pair(const void *context, uint32_t id) {
  const alea_selector_pair *pair = &((const alea_selectors *)context)->pairs.data[id];
  return alea_hash_mix((uint64_t)pair->selector << 32 | pair->lit);
}

static uint64_t hash_term(const void *context, uint32_t id) {
  const alea_selectors *s = context;
  uint64_t hash =
      alea_hash_u32s(s->lits.data + s->first_lit.data[id], alea_selector_term_size(s, id));
  return alea_hash_mix(alea_hash_join(hash, s->selector_of.data[id]));
}

/* Appends the literals of an AND, ANDs in it dissolved, sorted. */
static bool add_lits(alea_selectors *s, uint32_t selector, alea_lit lit) {
  const alea_graph *graph = s->graph;
  size_t first = s->lits.count, kept = first;
  if (!alea_vec_push(s->mem, &s->lits, 2 * selector) || !alea_vec_push(s->mem, &s->lits, lit))
    return false;
  for (size_t at = first; at < s->lits.count; at++) {
    alea_lit one = s->lits.data[at];
    if ((one & 1) != 0 || !alea_graph_is_gate(graph, one) || s->lits.count - first > MAX_NESTED) {
      s->lits.data[kept++] = one; /* kept <= at */
      continue;
    }
    const alea_graph_gate *g = alea_graph_gate_of(graph, one);
    for (uint32_t i = 0; i < g->count; i++)
      if (!alea_vec_push(s->mem, &s->lits, graph->inputs.data[g->first + i])) return false;
  }
  s->lits.count = kept;
  alea_sort_u32(s->lits.data + first, kept - first);
  for (size_t i = kept = first; i < s->lits.count; i++)
    if (i == first || s->lits.data[i] != s->lits.data[kept - 1])
      s->lits.data[kept++] = s->lits.data[i];
  s->lits.count = kept;
  return alea_vec_push(s->mem, &s->first_lit, (uint32_t)s->lits.count);
}

/* The number of the term, ALEA_NO_TERM if it is new and terms are complete; false without
 * memory.  The same literals beside another selector are another term. */
static bool find_term(alea_selectors *s, uint32_t selector, alea_lit lit, uint32_t *term) {
  uint32_t id = s->terms;
  if (!add_lits(s, selector, lit) || !alea_vec_push(s->mem, &s->selector_of, selector) ||
      !alea_hash_map_reserve(&s->term_ids, s->mem, hash_term, s))
    return false;
  const uint32_t *own = s->lits.data + s->first_lit.data[id];
  uint32_t size = alea_selector_term_size(s, id);
  alea_hash_probe probe = alea_hash_map_probe(&s->term_ids, hash_term(s, id));
  *term = ALEA_NO_TERM;
  while (*term == ALEA_NO_TERM && alea_hash_map_next(&s->term_ids, &probe)) {
    const uint32_t *other = s->lits.data + s->first_lit.data[probe.id];
    if (s->selector_of.data[probe.id] == selector && alea_selector_term_size(s, probe.id) == size &&
        memcmp(own, other, size * sizeof *own) == 0)
      *term = probe.id;
  }
  if (*term != ALEA_NO_TERM || s->complete) {
    s->lits.count -= size;
    s->first_lit.count--;
    s->selector_of.count--;
    return true;
  }
  *term = s->terms++;
  alea_hash_map_put(&s->term_ids, probe, id);
  return true;
}

static bool add_term(alea_selectors *s, uint32_t selector, alea_lit lit) {
  if (!alea_hash_map_reserve(&s->pair_ids, s->mem, hash_pair, s)) return false;
  uint64_t hash = alea_hash_mix((uint64_t)selector << 32 | lit);
  alea_hash_probe probe = alea_hash_map_probe(&s->pair_ids, hash);
  while (alea_hash_map_next(&s->pair_ids, &probe)) {
    const alea_selector_pair *pair = &s->pairs.data[probe.id];
    if (pair->selector == selector && pair->lit == lit)
      return alea_vec_push(s->mem, &s->gate_terms, pair->term);
  }
  alea_selector_pair pair = {selector, lit, ALEA_NO_TERM};
  if (!find_term(s, selector, lit, &pair.term) || !alea_vec_push(s->mem, &s->pairs, pair))
    return false;
  alea_hash_map_put(&s->pair_ids, probe, (uint32_t)s->pairs.count - 1);
  return alea_vec_push(s->mem, &s->gate_terms, pair.term);
}

/* The terms of 'selector AND NOT AND(chosen)': ORs in ORs are one. */
static bool add_terms(alea_selectors *s, uint32_t selector, const alea_lit *chosen,
                      uint32_t count) {
  const alea_graph *graph = s->graph;
  s->work.count = 0;
  for (uint32_t i = 0; i < count; i++)
    if (!alea_vec_push(s->mem, &s->work, chosen[i])) return false;
  for (size_t at = 0; at < s->work.count; at++) {
    alea_lit lit = s->work.data[at];
    if ((lit & 1) != 0 || !alea_graph_is_gate(graph, lit) || s->work.count > MAX_NESTED) {
      if (!add_term(s, selector, lit ^ 1)) return false;
      continue;
    }
    const alea_graph_gate *g = alea_graph_gate_of(graph, lit);
    uint8_t *visited = &s->visited[g - graph->gates.data];
    if (!*visited) s->cost += g->count - 1;
    *visited = true;
    for (uint32_t i = 0; i < g->count; i++)
      if (!alea_vec_push(s->mem, &s->work, graph->inputs.data[g->first + i])) return false;
  }
  return true;
}

/* The terms of an alternative, found once. */
static bool find_terms(alea_selectors *s, const alea_selector_use *use) {
  if (s->terms_of[use->gate] != 0) return true;
  size_t at = s->gate_terms.count;
  s->cost += use->chosen_count;
  if (!alea_vec_push(s->mem, &s->gate_terms, 0) ||
      !add_terms(s, use->selector, s->chosen.data + use->chosen, use->chosen_count))
    return false;
  s->gate_terms.data[at] = (uint32_t)(s->gate_terms.count - at - 1);
  s->terms_of[use->gate] = 1 + (uint32_t)at;
  return true;
}

static bool same_gates(const alea_selectors *s, const alea_selector_group *a,
                       const alea_selector_group *b) {
  if (a->count != b->count) return false;
  for (uint32_t i = 0; i < a->count; i++)
    if (s->uses.data[a->first + i].gate != s->uses.data[b->first + i].gate) return false;
  return true;
}

static uint64_t hash_group(const alea_selectors *s, const alea_selector_group *group) {
  uint64_t hash = group->count;
  for (uint32_t i = 0; i < group->count; i++)
    hash = alea_hash_join(hash, s->uses.data[group->first + i].gate);
  return alea_hash_mix(hash);
}

static uint64_t hash_row(const void *context, uint32_t id) {
  const alea_selectors *s = context;
  return hash_group(s, &s->groups.data[s->group_of.data[id]]);
}

/* The row of a group, that of an equal one if there was one. */
static bool add_row(alea_selectors *s, uint32_t number) {
  alea_selector_group *group = &s->groups.data[number];
  if (!alea_hash_map_reserve(&s->row_ids, s->mem, hash_row, s)) return false;
  alea_hash_probe probe = alea_hash_map_probe(&s->row_ids, hash_group(s, group));
  while (alea_hash_map_next(&s->row_ids, &probe))
    if (same_gates(s, group, &s->groups.data[s->group_of.data[probe.id]]))
      return group->row = 1 + probe.id, true;
  alea_hash_map_put(&s->row_ids, probe, (uint32_t)s->rows.count);
  group->row = 1 + (uint32_t)s->rows.count;
  for (uint32_t i = 0; i < group->count; i++) {
    const alea_selector_use *use = &s->uses.data[group->first + i];
    alea_lit x = s->chosen.data[use->chosen];
    if (!find_terms(s, use)) return false;
    if (use->chosen_count != 1 || (x & 1) != 0 || !alea_graph_is_gate(s->graph, x)) continue;
    alea_selector_query query = {(x >> 1) - s->graph->leaf_count, use->selector,
                                 s->terms_of[use->gate] - 1};
    if (s->beside[query.gate] != 0) continue;
    s->beside[query.gate] = use->selector;
    if (!alea_vec_push(s->mem, &s->queries, query)) return false;
  }
  alea_selector_row row = {0};
  return alea_vec_push(s->mem, &s->rows, row) && alea_vec_push(s->mem, &s->group_of, number);
}

static bool add_rows(alea_selectors *s) {
  for (uint32_t g = 0; g < s->groups.count; g++) {
    const alea_selector_group *group = &s->groups.data[g];
    uint32_t family = s->family[s->uses.data[group->first].selector];
    if (family == 0 || family == UINT32_MAX || !is_within(s, group, family)) continue;
    if (2 * group->count < s->family_size[family]) continue;
    if (!add_row(s, g)) return false;
    s->cost += group->count;
  }
  return true;
}

/* The most terms of an alternative. */
static uint32_t most_terms(const alea_selectors *s) {
  uint32_t most = 0;
  for (size_t at = 0; at < s->gate_terms.count; at += 1 + s->gate_terms.data[at])
    if (s->gate_terms.data[at] > most) most = s->gate_terms.data[at];
  return most;
}

/* Gates that matter only where a selector holds and have about as many terms as alternatives have,
 * all of them known: "attacked" is asked by rules that no group has. */
static bool add_queries(alea_selectors *s) {
  uint64_t cost = s->cost; /* queries may find no row, and do not count */
  uint32_t most = most_terms(s);
  s->complete = true;
  for (uint32_t k = 0; k < s->gates && most > 0; k++) {
    uint32_t context = s->context[k], known = 0;
    alea_lit lit = 2 * (s->graph->leaf_count + k);
    if (context == 0 || context == ALEA_NO_CONTEXT || s->beside[k] != 0 || s->terms_of[k] != 0)
      continue;
    size_t at = s->gate_terms.count;
    alea_selector_query query = {k, context, (uint32_t)at};
    if (!alea_vec_push(s->mem, &s->gate_terms, 0) || !add_terms(s, context, &lit, 1)) return false;
    uint32_t count = (uint32_t)(s->gate_terms.count - at - 1);
    for (uint32_t i = 0; i < count; i++) known += s->gate_terms.data[at + 1 + i] != ALEA_NO_TERM;
    s->gate_terms.data[at] = count;
    if (3 * count < most || known < count)
      s->gate_terms.count = at;
    else if (!alea_vec_push(s->mem, &s->queries, query))
      return false;
  }
  s->cost = cost;
  return true;
}

/* ---- the whole ---- */

/* 'common AND some selector AND row', in the place of a group. */
static alea_lit make_alternative(alea_selectors *s, const alea_selector_group *group,
                                 alea_lit row) {
  alea_graph *graph = s->graph;
  const alea_selector_use *use = &s->uses.data[group->first];
  const alea_graph_gate g = graph->gates.data[use->gate];
  s->work.count = 0;
  for (uint32_t i = 0; i < group->count; i++)
    if (!alea_vec_push(s->mem, &s->work, 2 * use[i].selector + 1)) return ALEA_NO_LIT;
  alea_lit none = alea_graph_add(graph, ALEA_GATE_AND, s->work.data, group->count);
  s->work.count = 0;
  for (uint32_t i = 0; i < g.count; i++) {
    alea_lit lit = graph->inputs.data[g.first + i];
    bool is_own = lit == 2 * use->selector;
    for (uint32_t k = 0; k < use->chosen_count; k++)
      is_own = is_own || lit == s->chosen.data[use->chosen + k];
    if (!is_own && !alea_vec_push(s->mem, &s->work, lit)) return ALEA_NO_LIT;
  }
  if (none == ALEA_NO_LIT || !alea_vec_push(s->mem, &s->work, none ^ 1) ||
      !alea_vec_push(s->mem, &s->work, row))
    return ALEA_NO_LIT;
  return alea_graph_add(graph, ALEA_GATE_AND, s->work.data, (uint32_t)s->work.count);
}

/* The OR of a group reads the row in the place of the alternatives. */
static bool read_row(alea_selectors *s, const alea_selector_group *group, alea_lit row) {
  alea_lit made = make_alternative(s, group, row);
  if (made == ALEA_NO_LIT) return false;
  for (uint32_t i = 0; i < group->count; i++) s->marked[s->uses.data[group->first + i].gate] = true;
  alea_graph_gate *g = &s->graph->gates.data[group->reader];
  alea_lit *in = s->graph->inputs.data + g->first;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < g->count; i++) {
    bool is_gate = (in[i] & 1) != 0 && alea_graph_is_gate(s->graph, in[i]);
    uint32_t gate = (in[i] >> 1) - s->graph->leaf_count;
    if (!is_gate || gate >= s->gates || !s->marked[gate]) in[kept++] = in[i];
  }
  in[kept++] = made ^ 1;
  g->count = kept & 0x3fffffffu;
  for (uint32_t i = 0; i < group->count; i++)
    s->marked[s->uses.data[group->first + i].gate] = false;
  return true;
}

/* A gate that is read where its selector holds becomes the row, unless that may depend on the
 * reader. */
static void read_row_beside(alea_selectors *s, uint32_t gate, const alea_lit *rows) {
  const alea_graph_gate *g = &s->graph->gates.data[gate];
  alea_lit *in = s->graph->inputs.data + g->first;
  for (uint32_t i = 0; i < g->count; i++) {
    uint32_t x = (in[i] >> 1) - s->graph->leaf_count;
    if (!alea_graph_is_gate(s->graph, in[i]) || x >= s->gates || s->row_of[x] == 0) continue;
    if (s->beside[x] != s->context[gate] || s->rows.data[s->row_of[x] - 1].rank >= gate) continue;
    in[i] = rows[s->row_of[x] - 1] ^ (in[i] & 1);
  }
}

static bool make_rows(alea_selectors *s) {
  if (!alea_selectors_make_nodes(s) || !alea_vec_reserve(s->mem, &s->row_lits, s->rows.count))
    return false;
  for (uint32_t r = 0; r < s->rows.count; r++) {
    alea_lit lit = alea_selectors_make_row(s, r, UINT32_MAX);
    if (lit == ALEA_NO_LIT) return false;
    s->row_lits.data[s->row_lits.count++] = lit;
  }
  return true;
}

static bool read_rows(alea_selectors *s, const alea_deadline *deadline) {
  const alea_lit *rows = s->row_lits.data;
  for (size_t g = 0; g < s->groups.count; g++) {
    const alea_selector_group *group = &s->groups.data[g];
    if (group->row != 0 && !read_row(s, group, rows[group->row - 1])) return false;
  }
  if (!alea_selectors_pull(s, deadline)) return false;
  for (uint32_t k = 0; k < s->gates; k++) read_row_beside(s, k, rows);
  return true;
}

static bool replace(alea_selectors *s, const alea_deadline *deadline) {
  bool worth = false;
  if (!alea_selectors_find_rows(s, deadline, &worth)) return false;
  if (!worth) return true;
  return alea_selectors_fit_queries(s, deadline) && make_rows(s) && read_rows(s, deadline);
}

static alea_status select_all(alea_selectors *s, const alea_deadline *deadline) {
  if (!find_groups(s)) return alea_graph_no_memory(s->mem);
  if (s->groups.count == 0) return ALEA_OK;
  qsort(s->groups.data, s->groups.count, sizeof *s->groups.data, compare_groups);
  alea_status status = find_families(s, deadline);
  if (status != ALEA_OK) return status;
  find_contexts(s);
  bool ok = alea_vec_push(s->mem, &s->first_lit, 0) && add_rows(s) &&
            alea_selectors_relate_terms(s, deadline) && add_queries(s) && replace(s, deadline);
  return ok ? ALEA_OK : alea_graph_no_memory(s->mem);
}

static bool allocate(alea_selectors *s, size_t gates) {
  s->family =
      alea_mem_calloc(s->mem, 1 + (size_t)s->graph->ground->fluent_count, sizeof *s->family);
  s->seen = alea_mem_calloc(s->mem, 2 * (s->graph->leaf_count + gates), sizeof *s->seen);
  s->row_of = alea_mem_calloc(s->mem, gates, sizeof *s->row_of);
  s->beside = alea_mem_calloc(s->mem, gates, sizeof *s->beside);
  s->terms_of = alea_mem_calloc(s->mem, gates, sizeof *s->terms_of);
  s->context = alea_mem_calloc(s->mem, gates, sizeof *s->context);
  s->marked = alea_mem_calloc(s->mem, gates, sizeof *s->marked);
  s->visited = alea_mem_calloc(s->mem, gates, sizeof *s->visited);
  return s->family != NULL && s->seen != NULL && s->row_of != NULL && s->beside != NULL &&
         s->terms_of != NULL && s->context != NULL && s->marked != NULL && s->visited != NULL;
}

static void release(alea_selectors *s, size_t gates) {
  alea_mem *mem = s->mem;
  alea_mem_free(mem, s->family, (1 + (size_t)s->graph->ground->fluent_count) * sizeof *s->family);
  alea_mem_free(mem, s->seen, 2 * (s->graph->leaf_count + gates) * sizeof *s->seen);
  alea_mem_free(mem, s->row_of, gates * sizeof *s->row_of);
  alea_mem_free(mem, s->beside, gates * sizeof *s->beside);
  alea_mem_free(mem, s->terms_of, gates * sizeof *s->terms_of);
  alea_mem_free(mem, s->context, gates * sizeof *s->context);
  alea_mem_free(mem, s->marked, gates * sizeof *s->marked);
  alea_mem_free(mem, s->visited, gates * sizeof *s->visited);
  if (s->bits != NULL)
    alea_mem_free(mem, s->bits, s->group_of.count * s->row_words * sizeof *s->bits);
  alea_vec_clear(mem, &s->found);
  alea_vec_clear(mem, &s->uses);
  alea_vec_clear(mem, &s->chosen);
  alea_vec_clear(mem, &s->groups);
  alea_vec_clear(mem, &s->pairs);
  alea_hash_map_clear(&s->pair_ids, mem);
  alea_vec_clear(mem, &s->lits);
  alea_vec_clear(mem, &s->first_lit);
  alea_hash_map_clear(&s->term_ids, mem);
  alea_vec_clear(mem, &s->selector_of);
  alea_vec_clear(mem, &s->rows);
  alea_vec_clear(mem, &s->queries);
  alea_vec_clear(mem, &s->term_rank);
  alea_vec_clear(mem, &s->stronger_first);
  alea_vec_clear(mem, &s->stronger);
  alea_vec_clear(mem, &s->of_selector);
  alea_vec_clear(mem, &s->term_at);
  alea_vec_clear(mem, &s->row_nodes);
  alea_vec_clear(mem, &s->class_of);
  alea_vec_clear(mem, &s->class_terms);
  alea_vec_clear(mem, &s->class_first);
  alea_vec_clear(mem, &s->blocks);
  alea_vec_clear(mem, &s->block_classes);
  alea_vec_clear(mem, &s->block_of);
  alea_vec_clear(mem, &s->leaf_of);
  alea_vec_clear(mem, &s->node_block);
  alea_vec_clear(mem, &s->node_lits);
  alea_hash_map_clear(&s->made, mem);
  alea_vec_clear(mem, &s->row_lits);
  alea_vec_clear(mem, &s->work);
  alea_vec_clear(mem, &s->gate_terms);
  alea_vec_clear(mem, &s->group_of);
  alea_hash_map_clear(&s->row_ids, mem);
}

alea_status alea_graph_select(alea_graph *graph, const alea_deadline *deadline) {
  size_t gates = graph->gates.count;
  alea_selectors s = {.graph = graph, .gates = gates, .mem = graph->mem};
  for (size_t k = 0; k < gates; k++)
    if (graph->gates.data[k].cyclic) return ALEA_OK;
  alea_status status = allocate(&s, gates) ? select_all(&s, deadline) : alea_graph_no_memory(s.mem);
  release(&s, gates);
  return status;
}
