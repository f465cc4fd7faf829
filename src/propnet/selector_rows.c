/* Rows of terms: ORs that differ in few of very many terms.
 *
 * Rows that are nearly equal are a cluster.  Terms that the same rows of a cluster have are a
 * class, and a row is the OR of its classes, read off a tree over all classes of the cluster. Terms
 * that are in all rows of a cluster would be one class, a different one in each cluster; but terms
 * that come and go together in some cluster belong together in the others, too, and so many classes
 * are the same in many clusters. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "propnet/selectors.h"

enum {
  NEAR = 24, /* a row is near another if one of so many terms differs at most */
  MAX_CLUSTERS = 512,
  PARTS = 8, /* of a tree that make up a row, as a rule */
};

/* ---- clusters ---- */

static uint32_t difference(const alea_selectors *s, size_t a, size_t b) {
  const uint64_t *one = s->bits + a * s->row_words, *two = s->bits + b * s->row_words;
  uint32_t count = 0;
  for (size_t w = 0; w < s->row_words; w++)
    count += (uint32_t)__builtin_popcountll(one[w] ^ two[w]);
  return count;
}

/* Each row joins the nearest of the first rows of clusters, or begins one. */
static bool find_clusters(alea_selectors *s) {
  s->work.count = 0; /* the first rows */
  for (size_t r = 0; r < s->rows.count && s->work.count <= MAX_CLUSTERS; r++) {
    uint32_t least = UINT32_MAX, nearest = 0;
    for (uint32_t c = 0; c < s->work.count; c++) {
      uint32_t d = difference(s, r, s->work.data[c]);
      if (d < least) least = d, nearest = c;
    }
    if ((uint64_t)least * NEAR > s->rows.data[r].terms) {
      nearest = (uint32_t)s->work.count;
      if (!alea_vec_push(s->mem, &s->work, (uint32_t)r)) return false;
    }
    s->rows.data[r].cluster = nearest;
  }
  return true;
}

/* ---- classes of terms ---- */

typedef struct selector_member {
  uint64_t rows; /* of the cluster, as a hash */
  uint32_t label, term;
} selector_member;

typedef struct selector_classes {
  alea_selectors *s;
  alea_mem *mem;
  uint32_t clusters;
  uint64_t *rows_of; /* per term: rows of the present cluster that have it, as a hash */
  uint64_t all_rows; /* the hash of all of them */
  uint32_t *label;   /* per term: a forest of terms that come and go together in some cluster */
  ALEA_VEC(selector_member) members;
  alea_u32s terms, first; /* of all classes */
  alea_hash_map ids;
  alea_u32s of_cluster, cluster_first;
  alea_u32s none;  /* per class: the literal that no term of it holds, or 0 if not made yet */
  alea_u32s parts; /* of the row being made */
  alea_u32s tree;  /* of the present cluster, see make_tree */
  ALEA_VEC(uint8_t) whole; /* per node of the tree: the row has all of it */
} selector_classes;

static uint32_t label_of(selector_classes *c, uint32_t term) {
  while (c->label[term] != term) term = c->label[term] = c->label[c->label[term]];
  return term;
}

static int compare_members(const void *a, const void *b) {
  const selector_member *one = a, *two = b;
  if (one->rows != two->rows) return one->rows < two->rows ? -1 : 1;
  if (one->label != two->label) return one->label < two->label ? -1 : 1;
  return one->term < two->term ? -1 : one->term > two->term;
}

/* The terms of a cluster, sorted by the rows that have them. */
static bool find_members(selector_classes *c, uint32_t cluster) {
  const alea_selectors *s = c->s;
  c->members.count = 0;
  c->all_rows = 0;
  for (size_t r = 0; r < s->rows.count; r++) {
    if (s->rows.data[r].cluster != cluster) continue;
    uint64_t hash = alea_hash_mix(r + 1);
    c->all_rows += hash;
    for (size_t w = 0; w < s->row_words; w++)
      for (uint64_t rest = s->bits[r * s->row_words + w]; rest != 0; rest &= rest - 1)
        c->rows_of[64 * w + (size_t)__builtin_ctzll(rest)] += hash;
  }
  for (uint32_t t = 0; t < s->terms; t++) {
    if (c->rows_of[t] == 0) continue;
    selector_member member = {c->rows_of[t], label_of(c, t), t};
    c->rows_of[t] = 0;
    if (!alea_vec_push(c->mem, &c->members, member)) return false;
  }
  qsort(c->members.data, c->members.count, sizeof *c->members.data, compare_members);
  return true;
}

/* Terms that some rows of a cluster have and others do not belong together. */
static bool find_labels(selector_classes *c) {
  for (uint32_t cluster = 0; cluster < c->clusters; cluster++) {
    if (!find_members(c, cluster)) return false;
    for (size_t i = 1; i < c->members.count; i++) {
      const selector_member *one = &c->members.data[i - 1], *two = one + 1;
      if (one->rows != two->rows || one->rows == c->all_rows) continue;
      c->label[label_of(c, two->term)] = label_of(c, one->term);
    }
  }
  return true;
}

static uint32_t class_size(const selector_classes *c, uint32_t id) {
  return c->first.data[id + 1] - c->first.data[id];
}

static uint64_t hash_class(const void *context, uint32_t id) {
  const selector_classes *c = context;
  return alea_hash_u32s(c->terms.data + c->first.data[id], class_size(c, id));
}

/* The class of these members of one cluster, perhaps one of another cluster. */
static bool add_class(selector_classes *c, size_t first, size_t end) {
  uint32_t id = (uint32_t)c->first.count - 1, size = (uint32_t)(end - first);
  for (size_t i = first; i < end; i++)
    if (!alea_vec_push(c->mem, &c->terms, c->members.data[i].term)) return false;
  if (!alea_vec_push(c->mem, &c->first, (uint32_t)c->terms.count) ||
      !alea_hash_map_reserve(&c->ids, c->mem, hash_class, c))
    return false;
  const uint32_t *own = c->terms.data + c->first.data[id];
  alea_hash_probe probe = alea_hash_map_probe(&c->ids, hash_class(c, id));
  while (alea_hash_map_next(&c->ids, &probe)) {
    const uint32_t *other = c->terms.data + c->first.data[probe.id];
    if (class_size(c, probe.id) != size || memcmp(own, other, size * sizeof *own) != 0) continue;
    c->terms.count -= size;
    c->first.count--;
    return alea_vec_push(c->mem, &c->of_cluster, probe.id);
  }
  alea_hash_map_put(&c->ids, probe, id);
  return alea_vec_push(c->mem, &c->of_cluster, id) && alea_vec_push(c->mem, &c->none, 0);
}

static bool find_classes(selector_classes *c) {
  if (!alea_vec_push(c->mem, &c->first, 0) || !alea_vec_push(c->mem, &c->cluster_first, 0))
    return false;
  for (uint32_t cluster = 0; cluster < c->clusters; cluster++) {
    if (!find_members(c, cluster)) return false;
    const selector_member *m = c->members.data;
    for (size_t i = 0, end; i < c->members.count; i = end) {
      for (end = i + 1; end < c->members.count && m[end].rows == m[i].rows; end++)
        if (m[end].label != m[i].label) break;
      if (!add_class(c, i, end)) return false;
    }
    if (!alea_vec_push(c->mem, &c->cluster_first, (uint32_t)c->of_cluster.count)) return false;
  }
  return true;
}

/* ---- the new gates ---- */

/* The literal that none of the terms of a class holds. */
static alea_lit none_of_class(selector_classes *c, uint32_t id) {
  alea_selectors *s = c->s;
  if (c->none.data[id] != 0) return c->none.data[id];
  s->work.count = 0;
  for (uint32_t i = c->first.data[id]; i < c->first.data[id + 1]; i++) {
    uint32_t term = c->terms.data[i];
    alea_lit lit = alea_graph_add(s->graph, ALEA_GATE_AND, s->lits.data + s->first_lit.data[term],
                                  alea_selector_term_size(s, term));
    if (lit == ALEA_NO_LIT || !alea_vec_push(s->mem, &s->work, lit ^ 1)) return ALEA_NO_LIT;
  }
  alea_lit none = alea_graph_add(s->graph, ALEA_GATE_AND, s->work.data, (uint32_t)s->work.count);
  return none == ALEA_NO_LIT ? none : (c->none.data[id] = none);
}

/* Whether a row has the class at this place of its cluster. */
static bool has_class(const selector_classes *c, size_t row, uint32_t place) {
  const alea_selector_row *r = &c->s->rows.data[row];
  for (uint32_t i = 0; i < r->left_count; i++)
    if (r->left[i] == place) return false;
  if (row >= c->s->group_of.count) return true; /* derived */
  uint32_t id = c->of_cluster.data[c->cluster_first.data[r->cluster] + place];
  uint32_t term = c->terms.data[c->first.data[id]];
  return (c->s->bits[row * c->s->row_words + term / 64] >> term % 64 & 1) != 0;
}

/* The tree of a cluster: leaves are its classes, filled up with true, and a node says that no class
 * below it holds.  Node n has the children 2n and 2n + 1; its size is returned in '*leaves'. */
static bool make_tree(selector_classes *c, uint32_t cluster, uint32_t *leaves) {
  uint32_t first = c->cluster_first.data[cluster];
  uint32_t count = c->cluster_first.data[cluster + 1] - first;
  for (*leaves = 1; *leaves < count;) *leaves *= 2;
  c->tree.count = 0;
  if (!alea_vec_reserve(c->mem, &c->tree, 2 * (size_t)*leaves)) return false;
  c->tree.count = 2 * (size_t)*leaves;
  alea_lit *tree = c->tree.data;
  for (uint32_t i = 0; i < *leaves; i++) {
    tree[*leaves + i] = i < count ? none_of_class(c, c->of_cluster.data[first + i]) : ALEA_LIT_TRUE;
    if (tree[*leaves + i] == ALEA_NO_LIT) return false;
  }
  for (uint32_t n = *leaves; n-- > 1;)
    if ((tree[n] = alea_graph_add(c->s->graph, ALEA_GATE_AND, tree + 2 * n, 2)) == ALEA_NO_LIT)
      return false;
  return true;
}

/* A row is the AND of the largest parts of the tree that it has. */
static alea_lit make_row(selector_classes *c, size_t row, uint32_t leaves) {
  uint32_t count = c->cluster_first.data[c->s->rows.data[row].cluster + 1] -
                   c->cluster_first.data[c->s->rows.data[row].cluster];
  c->parts.count = 0;
  c->whole.count = 0;
  if (!alea_vec_reserve(c->mem, &c->whole, 2 * (size_t)leaves)) return ALEA_NO_LIT;
  uint8_t *whole = c->whole.data;
  whole[0] = false;
  for (uint32_t i = 0; i < leaves; i++) whole[leaves + i] = i >= count || has_class(c, row, i);
  for (uint32_t n = leaves; n-- > 1;) whole[n] = whole[2 * n] && whole[2 * n + 1];
  for (uint32_t n = 1; n < 2 * leaves; n++)
    if (whole[n] && !whole[n / 2] && !alea_vec_push(c->mem, &c->parts, c->tree.data[n]))
      return ALEA_NO_LIT;
  return alea_graph_add(c->s->graph, ALEA_GATE_AND, c->parts.data, (uint32_t)c->parts.count);
}

/* The literals that replace gates, per row. */
static bool make_rows(selector_classes *c) {
  alea_lit *lits = c->s->row_lits.data;
  for (uint32_t cluster = 0; cluster < c->clusters; cluster++) {
    uint32_t leaves;
    if (!make_tree(c, cluster, &leaves)) return false;
    for (size_t r = 0; r < c->s->rows.count; r++)
      if (c->s->rows.data[r].cluster == cluster &&
          (lits[r] = make_row(c, r, leaves)) == ALEA_NO_LIT)
        return false;
  }
  return true;
}

/* ---- rows for queries ---- */

/* What a query is compared with. */
typedef struct selector_fit {
  selector_classes *c;
  uint32_t *place;        /* per cluster and term: the place of its class, or UINT32_MAX */
  alea_u32s terms, first; /* of selectors: per fluent node its terms */
  uint32_t *stamp;        /* per term: the last query that has it */
  uint32_t *has,
      *lacks; /* per place: the last trial in which the query has, or lacks, a term of it */
  uint32_t trial;
  uint32_t *rank;        /* per cluster */
  alea_hash_map derived; /* rows by cluster and what they lack */
} selector_fit;

/* Whether a query says what the cluster says of its selector but for a few whole classes. */
static bool fits(selector_fit *f, const alea_selector_query *query, uint32_t cluster,
                 uint32_t stamp, alea_selector_row *row) {
  const alea_selectors *s = f->c->s;
  const uint32_t *place = f->place + (size_t)cluster * s->terms;
  const uint32_t *terms = s->gate_terms.data + query->terms + 1;
  f->trial++;
  *row = (alea_selector_row){.cluster = cluster, .rank = f->rank[cluster]};
  for (uint32_t i = 0; i < s->gate_terms.data[query->terms]; i++)
    if (place[terms[i]] == UINT32_MAX) return false;
  for (uint32_t i = f->first.data[query->selector]; i < f->first.data[query->selector + 1]; i++) {
    uint32_t term = f->terms.data[i], at = place[term];
    if (at == UINT32_MAX) continue;
    if (f->stamp[term] == stamp) {
      f->has[at] = f->trial;
    } else if (f->lacks[at] != f->trial) {
      f->lacks[at] = f->trial;
      if (row->left_count == ALEA_MAX_LEFT) return false;
      row->left[row->left_count++] = at;
    }
    if (f->has[at] == f->trial && f->lacks[at] == f->trial) return false;
  }
  alea_sort_u32(row->left, row->left_count);
  return true;
}

static uint64_t hash_left(const alea_selector_row *row) {
  return alea_hash_mix(alea_hash_join(row->cluster, alea_hash_u32s(row->left, row->left_count)));
}

static uint64_t hash_derived(const void *context, uint32_t id) {
  return hash_left(&((const alea_selectors *)context)->rows.data[id]);
}

/* The number of a row that was derived, a new one or not; ALEA_HASH_NONE without memory. */
static uint32_t find_derived(selector_fit *f, const alea_selector_row *row) {
  alea_selectors *s = f->c->s;
  if (!alea_hash_map_reserve(&f->derived, s->mem, hash_derived, s)) return ALEA_HASH_NONE;
  alea_hash_probe probe = alea_hash_map_probe(&f->derived, hash_left(row));
  while (alea_hash_map_next(&f->derived, &probe)) {
    const alea_selector_row *other = &s->rows.data[probe.id];
    if (other->cluster == row->cluster && other->left_count == row->left_count &&
        memcmp(other->left, row->left, row->left_count * sizeof *row->left) == 0)
      return probe.id;
  }
  if (!alea_vec_push(s->mem, &s->rows, *row)) return ALEA_HASH_NONE;
  alea_hash_map_put(&f->derived, probe, (uint32_t)s->rows.count - 1);
  return (uint32_t)s->rows.count - 1;
}

static bool fit_query(selector_fit *f, uint32_t number) {
  alea_selectors *s = f->c->s;
  const alea_selector_query *query = &s->queries.data[number];
  const uint32_t *terms = s->gate_terms.data + query->terms + 1;
  alea_selector_row row;
  for (uint32_t i = 0; i < s->gate_terms.data[query->terms]; i++) f->stamp[terms[i]] = 1 + number;
  for (uint32_t cluster = 0; cluster < f->c->clusters; cluster++) {
    if (!fits(f, query, cluster, 1 + number, &row)) continue;
    uint32_t found = find_derived(f, &row);
    if (found == ALEA_HASH_NONE) return false;
    s->row_of[query->gate] = 1 + found;
    s->beside[query->gate] = query->selector;
    return true;
  }
  return true;
}

static bool prepare_fit(selector_fit *f) {
  selector_classes *c = f->c;
  alea_selectors *s = c->s;
  size_t fluents = 2 + (size_t)s->graph->ground->fluent_count;
  memset(f->place, 0xff, (size_t)c->clusters * s->terms * sizeof *f->place);
  for (uint32_t cluster = 0; cluster < c->clusters; cluster++)
    for (uint32_t at = c->cluster_first.data[cluster]; at < c->cluster_first.data[cluster + 1];
         at++)
      for (uint32_t id = c->of_cluster.data[at], i = c->first.data[id]; i < c->first.data[id + 1];
           i++)
        f->place[(size_t)cluster * s->terms + c->terms.data[i]] =
            at - c->cluster_first.data[cluster];
  for (size_t r = 0; r < s->rows.count; r++) {
    const alea_selector_row *row = &s->rows.data[r];
    if (row->rank > f->rank[row->cluster]) f->rank[row->cluster] = row->rank;
  }
  if (!alea_vec_reserve(s->mem, &f->first, fluents) ||
      !alea_vec_reserve(s->mem, &f->terms, s->terms))
    return false;
  f->first.count = fluents;
  f->terms.count = s->terms;
  memset(f->first.data, 0, fluents * sizeof *f->first.data);
  for (uint32_t t = 0; t < s->terms; t++) f->first.data[s->selector_of.data[t] + 1]++;
  for (size_t i = 1; i < fluents; i++) f->first.data[i] += f->first.data[i - 1];
  for (uint32_t t = s->terms; t-- > 0;) /* places are filled from their ends */
    f->terms.data[--f->first.data[s->selector_of.data[t] + 1]] = t;
  memmove(f->first.data, f->first.data + 1, (fluents - 1) * sizeof *f->first.data);
  f->first.data[fluents - 1] = s->terms;
  return true;
}

/* Rows for queries: those of a cluster without a few of its classes. */
static bool fit_queries(selector_classes *c) {
  alea_selectors *s = c->s;
  selector_fit f = {.c = c};
  size_t places = (size_t)c->clusters * s->terms, most = c->of_cluster.count;
  f.place = alea_mem_alloc(s->mem, places * sizeof *f.place);
  f.stamp = alea_mem_calloc(s->mem, s->terms, sizeof *f.stamp);
  f.has = alea_mem_calloc(s->mem, most, sizeof *f.has);
  f.lacks = alea_mem_calloc(s->mem, most, sizeof *f.lacks);
  f.rank = alea_mem_calloc(s->mem, c->clusters, sizeof *f.rank);
  bool ok =
      f.place != NULL && f.stamp != NULL && f.has != NULL && f.lacks != NULL && f.rank != NULL;
  ok = ok && prepare_fit(&f);
  for (uint32_t g = 0; ok && g < s->queries.count; g++) ok = fit_query(&f, g);
  alea_mem_free(s->mem, f.place, places * sizeof *f.place);
  alea_mem_free(s->mem, f.stamp, s->terms * sizeof *f.stamp);
  alea_mem_free(s->mem, f.has, most * sizeof *f.has);
  alea_mem_free(s->mem, f.lacks, most * sizeof *f.lacks);
  alea_mem_free(s->mem, f.rank, c->clusters * sizeof *f.rank);
  alea_vec_clear(s->mem, &f.terms);
  alea_vec_clear(s->mem, &f.first);
  alea_hash_map_clear(&f.derived, s->mem);
  return ok;
}

/* ---- the whole ---- */

/* Two-input gates for classes and rows, before pairs are shared. */
static uint64_t cost_of_classes(const selector_classes *c) {
  uint64_t cost = c->s->lits.count + c->terms.count + c->of_cluster.count;
  return cost + PARTS * c->s->group_of.count;
}

static void release(selector_classes *c) {
  alea_mem *mem = c->mem;
  alea_mem_free(mem, c->rows_of, c->s->terms * sizeof *c->rows_of);
  alea_mem_free(mem, c->label, c->s->terms * sizeof *c->label);
  alea_vec_clear(mem, &c->members);
  alea_vec_clear(mem, &c->terms);
  alea_vec_clear(mem, &c->first);
  alea_hash_map_clear(&c->ids, mem);
  alea_vec_clear(mem, &c->of_cluster);
  alea_vec_clear(mem, &c->cluster_first);
  alea_vec_clear(mem, &c->none);
  alea_vec_clear(mem, &c->parts);
  alea_vec_clear(mem, &c->tree);
  alea_vec_clear(mem, &c->whole);
}

bool alea_selectors_make_rows(alea_selectors *s, bool *worth) {
  selector_classes c = {.s = s, .mem = s->mem};
  *worth = false;
  if (!find_clusters(s)) return false;
  if (s->work.count > MAX_CLUSTERS) return true;
  c.clusters = (uint32_t)s->work.count;
  c.rows_of = alea_mem_calloc(s->mem, s->terms, sizeof *c.rows_of);
  c.label = alea_mem_alloc(s->mem, s->terms * sizeof *c.label);
  bool ok = c.rows_of != NULL && c.label != NULL;
  for (uint32_t t = 0; ok && t < s->terms; t++) c.label[t] = t;
  ok = ok && find_labels(&c) && find_classes(&c);
  ok = ok && fit_queries(&c);
  if (ok && 3 * cost_of_classes(&c) < 2 * s->cost) {
    ok = alea_vec_reserve(s->mem, &s->row_lits, s->rows.count) && make_rows(&c);
    *worth = ok;
  }
  release(&c);
  return ok;
}
