/* Rows of terms: ORs that differ in few of very many terms.
 *
 * Terms that the same rows have are a class.  Classes that mostly the same rows have are a block,
 * so that a row is nearly all of some blocks and nothing of the others: what attacks the king, but
 * for one attacker, and what does so once a certain square is empty.  Of a block a row is read off
 * a tree, and rows share what they have of each. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "propnet/selectors.h"

enum {
  MAX_BLOCKS = 4096,
  MAX_COMPLETED = 1024, /* rows */
  PARTS = 8,            /* of a tree that make up a row, as a rule */
};
#define MOST_BITS (UINT64_C(1) << 30)
#define MOST_WORK (UINT64_C(1) << 31) /* words of classes that are compared */

/* ---- rows as sets of terms ---- */

static bool has_term(const alea_selectors *s, size_t row, uint32_t term) {
  return (s->bits[row * s->row_words + term / 64] >> term % 64 & 1) != 0;
}

static void add_bit(alea_selectors *s, size_t row, uint32_t term) {
  s->bits[row * s->row_words + term / 64] |= UINT64_C(1) << term % 64;
}

/* The terms of a row as they are found. */
static void set_bits(alea_selectors *s, size_t row) {
  const alea_selector_group *group = &s->groups.data[s->group_of.data[row]];
  uint32_t *rank = &s->rows.data[row].rank;
  for (uint32_t i = 0; i < group->count; i++) {
    uint32_t at = s->terms_of[s->uses.data[group->first + i].gate] - 1;
    for (uint32_t k = 0; k < s->gate_terms.data[at]; k++) {
      uint32_t term = s->gate_terms.data[at + 1 + k];
      add_bit(s, row, term);
      if (s->term_rank.data[term] > *rank) *rank = s->term_rank.data[term];
    }
  }
}

/* A row has all terms that imply one of it, unless they depend on what may depend on the row. */
static void add_stronger(alea_selectors *s, size_t row) {
  for (uint32_t t = 0; t < s->terms; t++) {
    if (!has_term(s, row, t)) continue;
    for (uint32_t i = s->stronger_first.data[t]; i < s->stronger_first.data[t + 1]; i++)
      if (s->term_rank.data[s->stronger.data[i]] <= s->rows.data[row].rank)
        add_bit(s, row, s->stronger.data[i]);
  }
}

static uint32_t family_of(const alea_selectors *s, size_t row) {
  return s->family[s->uses.data[s->groups.data[s->group_of.data[row]].first].selector];
}

static bool is_complete(const alea_selectors *s, size_t row) {
  return s->groups.data[s->group_of.data[row]].count >= s->family_size[family_of(s, row)];
}

/* The complete row of the same family that says most nearly the same of the terms in 'mask'. */
static size_t nearest_row(const alea_selectors *s, size_t row, const uint64_t *mask) {
  uint32_t least = UINT32_MAX;
  size_t nearest = row;
  for (size_t r = 0; r < s->rows.count; r++) {
    if (r == row || !is_complete(s, r) || family_of(s, r) != family_of(s, row)) continue;
    const uint64_t *one = s->bits + row * s->row_words, *two = s->bits + r * s->row_words;
    uint32_t differ = 0;
    for (size_t w = 0; w < s->row_words && differ < least; w++)
      differ += (uint32_t)__builtin_popcountll((one[w] ^ two[w]) & mask[w]);
    if (differ < least) least = differ, nearest = r;
  }
  return nearest;
}

/* A row is read where one of its selectors holds, and may say anything of the others. */
static void complete_row(alea_selectors *s, size_t row, uint64_t *mask) {
  const alea_selector_group *group = &s->groups.data[s->group_of.data[row]];
  memset(mask, 0, s->row_words * sizeof *mask);
  for (uint32_t i = 0; i < group->count; i++) {
    uint32_t selector = s->uses.data[group->first + i].selector;
    for (uint32_t k = s->of_selector.data[selector]; k < s->of_selector.data[selector + 1]; k++)
      mask[s->term_at.data[k] / 64] |= UINT64_C(1) << s->term_at.data[k] % 64;
  }
  size_t other = nearest_row(s, row, mask);
  for (uint32_t t = 0; t < s->terms; t++)
    if ((mask[t / 64] >> t % 64 & 1) == 0 && has_term(s, other, t) &&
        s->term_rank.data[t] <= s->rows.data[row].rank)
      add_bit(s, row, t);
}

static bool make_bits(alea_selectors *s, const alea_deadline *deadline) {
  s->row_words = (s->terms + 63) / 64;
  if (s->rows.count == 0 || s->rows.count * s->row_words > MOST_BITS / 64) return true;
  uint64_t *mask = alea_mem_alloc(s->mem, s->row_words * sizeof *mask);
  s->bits = alea_mem_calloc(s->mem, s->rows.count * s->row_words, sizeof *s->bits);
  bool ok = mask != NULL && s->bits != NULL;
  uint32_t completed = 0;
  for (size_t r = 0; ok && r < s->rows.count; r++) {
    set_bits(s, r);
    if (!alea_deadline_passed(deadline)) add_stronger(s, r);
  }
  for (size_t r = 0; ok && r < s->rows.count && !alea_deadline_passed(deadline); r++)
    if (!is_complete(s, r) && completed++ < MAX_COMPLETED) complete_row(s, r, mask);
  alea_mem_free(s->mem, mask, s->row_words * sizeof *mask);
  return ok;
}

/* ---- classes ---- */

/* The partition of terms, refined by one row after the other. */
typedef struct selector_partition {
  uint32_t *size;  /* per class */
  uint32_t *hits;  /* per class: its terms in the present row */
  uint32_t *moved; /* per class: the class of those */
  uint32_t classes;
} selector_partition;

/* Terms of a class that the row has become a class of their own, if it lacks others. */
static bool refine(alea_selectors *s, selector_partition *p, size_t row) {
  const uint64_t *bits = s->bits + row * s->row_words;
  uint32_t *class_of = s->class_of.data;
  s->work.count = 0; /* classes in the row */
  for (size_t w = 0; w < s->row_words; w++)
    for (uint64_t rest = bits[w]; rest != 0; rest &= rest - 1) {
      uint32_t class = class_of[64 * w + (size_t)__builtin_ctzll(rest)];
      if (p->hits[class]++ == 0 && !alea_vec_push(s->mem, &s->work, class)) return false;
    }
  for (size_t i = 0; i < s->work.count; i++) {
    uint32_t class = s->work.data[i], made = class;
    if (p->hits[class] < p->size[class]) {
      made = p->classes++;
      p->size[made] = p->hits[class];
      p->size[class] -= p->hits[class];
    }
    p->moved[class] = made;
  }
  for (size_t w = 0; w < s->row_words; w++)
    for (uint64_t rest = bits[w]; rest != 0; rest &= rest - 1) {
      uint32_t *class = &class_of[64 * w + (size_t)__builtin_ctzll(rest)];
      *class = p->moved[*class];
    }
  for (size_t i = 0; i < s->work.count; i++) p->hits[s->work.data[i]] = 0;
  return true;
}

/* Numbers the classes by their first terms, and lists their terms. */
static bool number_classes(alea_selectors *s, selector_partition *p) {
  uint32_t *number = p->moved, count = 0;
  memset(number, 0xff, s->terms * sizeof *number);
  for (uint32_t t = 0; t < s->terms; t++) {
    uint32_t *class = &s->class_of.data[t];
    if (number[*class] == UINT32_MAX) number[*class] = count++;
    *class = number[*class];
  }
  for (uint32_t c = 0; c <= count; c++)
    if (!alea_vec_push(s->mem, &s->class_first, 0)) return false;
  for (uint32_t t = 0; t < s->terms; t++) s->class_first.data[s->class_of.data[t]]++;
  for (uint32_t c = 1; c <= count; c++) s->class_first.data[c] += s->class_first.data[c - 1];
  for (uint32_t t = s->terms; t-- > 0;) /* places are filled from their ends */
    s->class_terms.data[--s->class_first.data[s->class_of.data[t]]] = t;
  return true;
}

static bool find_classes(alea_selectors *s) {
  selector_partition p = {.classes = 1};
  p.size = alea_mem_calloc(s->mem, s->terms, sizeof *p.size);
  p.hits = alea_mem_calloc(s->mem, s->terms, sizeof *p.hits);
  p.moved = alea_mem_calloc(s->mem, s->terms, sizeof *p.moved);
  bool ok = p.size != NULL && p.hits != NULL && p.moved != NULL &&
            alea_vec_reserve(s->mem, &s->class_of, s->terms) &&
            alea_vec_reserve(s->mem, &s->class_terms, s->terms);
  if (ok) {
    s->class_of.count = s->class_terms.count = s->terms;
    memset(s->class_of.data, 0, s->terms * sizeof *s->class_of.data);
    p.size[0] = s->terms;
    for (size_t r = 0; ok && r < s->rows.count; r++) ok = refine(s, &p, r);
    ok = ok && number_classes(s, &p);
  }
  alea_mem_free(s->mem, p.size, s->terms * sizeof *p.size);
  alea_mem_free(s->mem, p.hits, s->terms * sizeof *p.hits);
  alea_mem_free(s->mem, p.moved, s->terms * sizeof *p.moved);
  return ok;
}

/* ---- blocks ---- */

typedef struct selector_blocks {
  alea_selectors *s;
  uint32_t classes;
  size_t words;
  uint64_t *rows;  /* per class 'words' words: rows that have it */
  uint32_t *count; /* per class: how many */
  uint64_t *order; /* classes, those of most rows first */
  uint64_t work;
  alea_u32s leader; /* per block: the class it began with */
} selector_blocks;

/* False past the deadline. */
static bool find_rows_of_classes(selector_blocks *b, const alea_deadline *deadline) {
  const alea_selectors *s = b->s;
  for (uint32_t c = 0; c < b->classes; c++) {
    if (alea_deadline_passed(deadline)) return false;
    uint32_t term = s->class_terms.data[s->class_first.data[c]];
    for (size_t r = 0; r < s->rows.count; r++) {
      if (!has_term(s, r, term)) continue;
      b->rows[c * b->words + r / 64] |= UINT64_C(1) << r % 64;
      b->count[c]++;
    }
    b->order[c] = (uint64_t)(UINT32_MAX - b->count[c]) << 32 | c;
  }
  return true;
}

static int compare_u64(const void *a, const void *b) {
  uint64_t one = *(const uint64_t *)a, two = *(const uint64_t *)b;
  return one < two ? -1 : one > two;
}

/* Whether more rows have both classes than have one of them alone. */
static bool is_alike(const selector_blocks *b, uint32_t one, uint32_t two) {
  uint32_t both = 0, sum = b->count[one] + b->count[two];
  if (2 * b->count[one] < b->count[two] || 2 * b->count[two] < b->count[one]) return false;
  for (size_t w = 0; w < b->words; w++)
    both +=
        (uint32_t)__builtin_popcountll(b->rows[one * b->words + w] & b->rows[two * b->words + w]);
  return 3 * both > sum;
}

/* Puts each class to the first block whose leader is like it, or lets it begin one. */
static bool group_classes(selector_blocks *b, const alea_deadline *deadline, bool *complete) {
  alea_selectors *s = b->s;
  qsort(b->order, b->classes, sizeof *b->order, compare_u64);
  for (uint32_t i = 0; i < b->classes; i++) {
    uint32_t class = (uint32_t)b->order[i], block = 0;
    b->work += b->leader.count * b->words;
    if (b->leader.count > MAX_BLOCKS || b->work > MOST_WORK) return true;
    if (alea_deadline_passed(deadline)) return true;
    while (block < b->leader.count && !is_alike(b, class, b->leader.data[block])) block++;
    if (block == b->leader.count && !alea_vec_push(s->mem, &b->leader, class)) return false;
    s->block_of.data[class] = block;
  }
  *complete = true;
  return true;
}

/* Sorts classes by their blocks. */
static bool sort_classes(alea_selectors *s, uint32_t classes, size_t count) {
  if (!alea_vec_reserve(s->mem, &s->block_classes, classes) ||
      !alea_vec_reserve(s->mem, &s->blocks, count))
    return false;
  s->block_classes.count = classes;
  s->blocks.count = count;
  memset(s->blocks.data, 0, count * sizeof *s->blocks.data);
  for (uint32_t c = 0; c < classes; c++)
    s->leaf_of.data[c] = s->blocks.data[s->block_of.data[c]].count++;
  for (size_t block = 1; block < count; block++)
    s->blocks.data[block].first = s->blocks.data[block - 1].first + s->blocks.data[block - 1].count;
  for (uint32_t c = 0; c < classes; c++)
    s->block_classes.data[s->blocks.data[s->block_of.data[c]].first + s->leaf_of.data[c]] = c;
  return true;
}

/* Blocks with their classes and trees, of which only the sizes are known yet. */
static bool lay_out_blocks(alea_selectors *s, uint32_t classes, size_t count) {
  uint32_t node = 0;
  if (!sort_classes(s, classes, count)) return false;
  for (uint32_t t = 0; t < s->terms; t++) {
    alea_selector_block *b = &s->blocks.data[s->block_of.data[s->class_of.data[t]]];
    if (s->term_rank.data[t] > b->rank) b->rank = s->term_rank.data[t];
  }
  for (uint32_t block = 0; block < count; block++) {
    alea_selector_block *b = &s->blocks.data[block];
    for (b->leaves = 1; b->leaves < b->count;) b->leaves *= 2;
    b->node = node;
    node += 2 * b->leaves;
    for (uint32_t n = 0; n < 2 * b->leaves; n++)
      if (!alea_vec_push(s->mem, &s->node_block, block)) return false;
  }
  return true;
}

static bool find_blocks(alea_selectors *s, const alea_deadline *deadline, bool *complete) {
  selector_blocks b = {.s = s, .classes = (uint32_t)s->class_first.count - 1};
  b.words = (s->rows.count + 63) / 64;
  if (b.classes * b.words > MOST_BITS / 64) return true;
  b.rows = alea_mem_calloc(s->mem, b.classes * b.words, sizeof *b.rows);
  b.count = alea_mem_calloc(s->mem, b.classes, sizeof *b.count);
  b.order = alea_mem_calloc(s->mem, b.classes, sizeof *b.order);
  bool ok = b.rows != NULL && b.count != NULL && b.order != NULL &&
            alea_vec_reserve(s->mem, &s->block_of, b.classes) &&
            alea_vec_reserve(s->mem, &s->leaf_of, b.classes);
  if (ok) {
    s->block_of.count = s->leaf_of.count = b.classes;
    if (find_rows_of_classes(&b, deadline)) ok = group_classes(&b, deadline, complete);
    if (ok && *complete) ok = lay_out_blocks(s, b.classes, b.leader.count);
  }
  alea_mem_free(s->mem, b.rows, b.classes * b.words * sizeof *b.rows);
  alea_mem_free(s->mem, b.count, b.classes * sizeof *b.count);
  alea_mem_free(s->mem, b.order, b.classes * sizeof *b.order);
  alea_vec_clear(s->mem, &b.leader);
  return ok;
}

/* ---- rows as parts of blocks ---- */

bool alea_selectors_add_nodes(alea_selectors *s, uint32_t block, uint8_t *whole) {
  const alea_selector_block *b = &s->blocks.data[block];
  for (uint32_t n = b->leaves + b->count; n < 2 * b->leaves; n++) whole[n] = true;
  for (uint32_t n = b->leaves; n-- > 1;) whole[n] = whole[2 * n] && whole[2 * n + 1];
  whole[0] = false;
  for (uint32_t n = 1; n < b->leaves + b->count; n++)
    if (whole[n] && !whole[n / 2] && !alea_vec_push(s->mem, &s->row_nodes, b->node + n))
      return false;
  return true;
}

static bool find_nodes(alea_selectors *s, size_t row, uint8_t *whole) {
  s->rows.data[row].first = (uint32_t)s->row_nodes.count;
  for (uint32_t block = 0; block < s->blocks.count; block++) {
    const alea_selector_block *b = &s->blocks.data[block];
    bool any = false;
    for (uint32_t i = 0; i < b->count; i++) {
      uint32_t class = s->block_classes.data[b->first + i];
      uint8_t has = has_term(s, row, s->class_terms.data[s->class_first.data[class]]);
      whole[b->leaves + i] = has;
      any = any || has;
    }
    if (any && !alea_selectors_add_nodes(s, block, whole)) return false;
  }
  s->rows.data[row].count = (uint32_t)s->row_nodes.count - s->rows.data[row].first;
  return true;
}

/* Two-input gates for classes and rows, before pairs are shared. */
static uint64_t cost_of_rows(const alea_selectors *s) {
  return s->lits.count + s->terms + s->class_first.count + PARTS * s->rows.count;
}

bool alea_selectors_find_rows(alea_selectors *s, const alea_deadline *deadline, bool *worth) {
  bool complete = false;
  *worth = false;
  if (!make_bits(s, deadline)) return false;
  if (s->bits == NULL) return true;
  if (!find_classes(s) || !find_blocks(s, deadline, &complete)) return false;
  if (!complete || 3 * cost_of_rows(s) >= 2 * s->cost) return true;
  uint8_t *whole = alea_mem_alloc(s->mem, 1 + s->node_block.count);
  bool ok = whole != NULL;
  *worth = true;
  for (size_t r = 0; ok && *worth && r < s->rows.count; r++) {
    ok = find_nodes(s, r, whole);
    *worth = ok && !alea_deadline_passed(deadline);
  }
  alea_mem_free(s->mem, whole, 1 + s->node_block.count);
  return ok;
}

/* ---- gates ---- */

static uint64_t hash_made(const void *context, uint32_t id) {
  const alea_graph *graph = ((const alea_selectors *)context)->graph;
  const alea_graph_gate *g = &graph->gates.data[id];
  return alea_hash_u32s(graph->inputs.data + g->first, g->count);
}

alea_lit alea_selectors_and(alea_selectors *s) {
  alea_graph *graph = s->graph;
  uint32_t *in = s->work.data, count = 0;
  alea_sort_u32(in, s->work.count);
  for (size_t i = 0; i < s->work.count; i++)
    if (in[i] != ALEA_LIT_TRUE && (count == 0 || in[i] != in[count - 1])) in[count++] = in[i];
  s->work.count = 0;
  if (count < 2) return count == 0 ? ALEA_LIT_TRUE : in[0];
  if (!alea_hash_map_reserve(&s->made, s->mem, hash_made, s)) return ALEA_NO_LIT;
  alea_hash_probe probe = alea_hash_map_probe(&s->made, alea_hash_u32s(in, count));
  while (alea_hash_map_next(&s->made, &probe)) {
    const alea_graph_gate *g = &graph->gates.data[probe.id];
    if (g->count == count && memcmp(graph->inputs.data + g->first, in, count * sizeof *in) == 0)
      return 2 * (graph->leaf_count + probe.id);
  }
  alea_lit lit = alea_graph_add(graph, ALEA_GATE_AND, in, count);
  if (lit != ALEA_NO_LIT) alea_hash_map_put(&s->made, probe, (lit >> 1) - graph->leaf_count);
  return lit;
}

/* The literal that none of the terms of a class holds. */
static alea_lit none_of_class(alea_selectors *s, uint32_t class) {
  s->work.count = 0;
  for (uint32_t i = s->class_first.data[class]; i < s->class_first.data[class + 1]; i++) {
    uint32_t term = s->class_terms.data[i];
    alea_lit lit = alea_graph_add(s->graph, ALEA_GATE_AND, s->lits.data + s->first_lit.data[term],
                                  alea_selector_term_size(s, term));
    if (lit == ALEA_NO_LIT || !alea_vec_push(s->mem, &s->work, lit ^ 1)) return ALEA_NO_LIT;
  }
  return alea_selectors_and(s);
}

static alea_lit both(alea_selectors *s, alea_lit a, alea_lit b) {
  s->work.count = 0;
  if (!alea_vec_push(s->mem, &s->work, a) || !alea_vec_push(s->mem, &s->work, b))
    return ALEA_NO_LIT;
  return alea_selectors_and(s);
}

bool alea_selectors_make_nodes(alea_selectors *s) {
  if (!alea_vec_reserve(s->mem, &s->node_lits, s->node_block.count)) return false;
  s->node_lits.count = s->node_block.count;
  for (size_t block = 0; block < s->blocks.count; block++) {
    const alea_selector_block b = s->blocks.data[block];
    alea_lit *lits = s->node_lits.data + b.node;
    for (uint32_t n = 2 * b.leaves; n-- > 0;) {
      uint32_t leaf = n - b.leaves;
      if (n >= b.leaves)
        lits[n] = leaf < b.count ? none_of_class(s, s->block_classes.data[b.first + leaf])
                                 : ALEA_LIT_TRUE;
      else
        lits[n] = n == 0 ? ALEA_LIT_TRUE : both(s, lits[2 * n], lits[2 * n + 1]);
      if (lits[n] == ALEA_NO_LIT) return false;
    }
  }
  return true;
}

alea_lit alea_selectors_make_row(alea_selectors *s, uint32_t row, uint32_t without) {
  const alea_selector_row r = s->rows.data[row];
  alea_lit all = ALEA_LIT_TRUE;
  for (uint32_t i = 0, end; i < r.count; i = end) {
    uint32_t block = s->node_block.data[s->row_nodes.data[r.first + i]];
    s->work.count = 0;
    for (end = i; end < r.count; end++) {
      uint32_t node = s->row_nodes.data[r.first + end];
      if (s->node_block.data[node] != block) break;
      if (!alea_vec_push(s->mem, &s->work, s->node_lits.data[node])) return ALEA_NO_LIT;
    }
    if (block == without) continue;
    alea_lit part = alea_selectors_and(s);
    if (part == ALEA_NO_LIT || (all = both(s, all, part)) == ALEA_NO_LIT) return ALEA_NO_LIT;
  }
  return all;
}
