/* What the alternatives of an OR ask in common, taken out of it.
 *
 * "Blocks the check" comes out as an OR over places k of the king and places t of the checker of
 *
 *     f_k AND c_t AND ... AND nothing but t attacks k once u is empty,
 *
 * for each u.  The last of these is a row beside f_k: the block of what attacks, without t, and the
 * block e_u of what attacks once u is empty.  So the OR is
 *
 *     NOT e_u AND OR over k and t of  f_k AND c_t AND ... AND nothing but t attacks,
 *
 * where the second OR is the same for all u.  An alternative may have only a part of e_u, since t
 * is behind u, but ask itself that u is empty; then e_u adds nothing to what attacks, and the
 * alternative is free of it: it is an alternative of the whole, too. */
#include <string.h>

#include "propnet/selectors.h"

enum {
  MAX_DEPTH = 3,   /* ORs in alternatives */
  MAX_NESTED = 16, /* ANDs in ANDs */
  MAX_TRIES = 4,   /* blocks */
};
#define NONE UINT32_MAX

/* A row that an alternative asks. */
typedef struct pull_use {
  uint32_t row;
  bool is_free; /* of the block that is taken out */
} pull_use;

typedef struct pull {
  alea_selectors *s;
  alea_mem *mem;
  uint32_t reader; /* the gate that negates the OR */
  uint32_t block;  /* that is taken out */
  ALEA_VEC(pull_use) uses;
  size_t next;      /* use, while gates are made in the order in which they were found */
  bool free_only;   /* makes the alternatives that are free */
  uint32_t *asked;  /* per literal: how many ANDs above the present place ask it */
  uint32_t *full;   /* per block: uses of the present OR that have all of it */
  alea_u32s inputs; /* of gates being made, a stack */
  alea_u32s nested;
} pull;

/* ---- where the rows are ---- */

static bool is_row(const pull *p, uint32_t gate, uint32_t selector) {
  const alea_selectors *s = p->s;
  return gate < s->gates && s->row_of[gate] != 0 && s->beside[gate] == selector &&
         s->rows.data[s->row_of[gate] - 1].rank < p->reader;
}

static uint32_t gate_at(const pull *p, alea_lit lit) {
  return alea_graph_is_gate(p->s->graph, lit) ? (lit >> 1) - p->s->graph->leaf_count : NONE;
}

static bool has_row(const pull *p, uint32_t gate, uint32_t selector, uint32_t depth);

/* Whether each alternative of an OR has a row. */
static bool all_have_rows(const pull *p, uint32_t gate, uint32_t selector, uint32_t depth) {
  const alea_graph *graph = p->s->graph;
  const alea_graph_gate *g = &graph->gates.data[gate];
  for (uint32_t i = 0; i < g->count; i++) {
    alea_lit lit = graph->inputs.data[g->first + i];
    uint32_t inner = gate_at(p, lit);
    if ((lit & 1) == 0 || inner == NONE || !has_row(p, inner, selector, depth)) return false;
  }
  return true;
}

/* The input of an AND that is a row, or an OR of such ANDs; NONE if there is none. */
static uint32_t find_carrier(const pull *p, uint32_t gate, uint32_t selector, uint32_t depth) {
  const alea_graph *graph = p->s->graph;
  const alea_graph_gate *g = &graph->gates.data[gate];
  for (uint32_t i = 0; i < g->count; i++) {
    alea_lit lit = graph->inputs.data[g->first + i];
    if ((lit & 1) == 0 && is_row(p, gate_at(p, lit), selector)) return i;
  }
  for (uint32_t i = 0; depth > 0 && i < g->count; i++) {
    alea_lit lit = graph->inputs.data[g->first + i];
    uint32_t inner = gate_at(p, lit);
    if ((lit & 1) != 0 && inner < p->s->gates && all_have_rows(p, inner, selector, depth - 1))
      return i;
  }
  return NONE;
}

static bool has_row(const pull *p, uint32_t gate, uint32_t selector, uint32_t depth) {
  if (gate >= p->s->gates) return false;
  return is_row(p, gate, selector) || find_carrier(p, gate, selector, depth) != NONE;
}

/* ---- what rows have of the block ---- */

static bool has_node(const alea_selectors *s, const alea_selector_row *row, uint32_t node) {
  for (uint32_t i = 0; i < row->count; i++)
    if (s->row_nodes.data[row->first + i] == node) return true;
  return false;
}

static bool has_class(const alea_selectors *s, const alea_selector_row *row, uint32_t class) {
  const alea_selector_block *b = &s->blocks.data[s->block_of.data[class]];
  for (uint32_t n = b->leaves + s->leaf_of.data[class]; n > 0; n /= 2)
    if (has_node(s, row, b->node + n)) return true;
  return false;
}

/* Whether one term, where the alternative asks what it does, implies one of another block that the
 * row has. */
static bool is_covered(const pull *p, const alea_selector_row *row, uint32_t term) {
  const alea_selectors *s = p->s;
  for (uint32_t k = s->stronger_first.data[term]; k < s->stronger_first.data[term + 1]; k++) {
    uint32_t other = s->stronger.data[k], class = s->class_of.data[other];
    if (s->block_of.data[class] == p->block || !has_class(s, row, class)) continue;
    uint32_t at = s->first_lit.data[term], end = s->first_lit.data[term + 1];
    bool covered = true;
    for (uint32_t i = s->first_lit.data[other]; covered && i < s->first_lit.data[other + 1]; i++) {
      while (at < end && s->lits.data[at] < s->lits.data[i]) at++;
      covered = (at < end && s->lits.data[at] == s->lits.data[i]) || p->asked[s->lits.data[i]] > 0;
    }
    if (covered) return true;
  }
  return false;
}

/* Whether a use has all of the block, or nothing of its selector is there, or is free of it. */
static bool judge(pull *p, uint32_t selector) {
  const alea_selectors *s = p->s;
  pull_use *use = &p->uses.data[p->next++];
  const alea_selector_row *row = &s->rows.data[use->row];
  use->is_free = false;
  if (has_node(s, row, s->blocks.data[p->block].node + 1)) return true;
  bool any = false;
  for (uint32_t i = s->of_selector.data[selector]; i < s->of_selector.data[selector + 1]; i++) {
    uint32_t term = s->term_at.data[i], class = s->class_of.data[term];
    if (s->block_of.data[class] != p->block) continue;
    any = true;
    if (has_class(s, row, class) && !is_covered(p, row, term)) return false;
  }
  use->is_free = any;
  return true;
}

/* ---- the alternatives ---- */

/* Counts the literals of an AND, ANDs in it dissolved. */
static bool ask(pull *p, uint32_t gate, uint32_t step) {
  const alea_graph *graph = p->s->graph;
  p->nested.count = 0;
  if (!alea_vec_push(p->mem, &p->nested, gate)) return false;
  for (size_t at = 0; at < p->nested.count; at++) {
    const alea_graph_gate *g = &graph->gates.data[p->nested.data[at]];
    for (uint32_t i = 0; i < g->count; i++) {
      alea_lit lit = graph->inputs.data[g->first + i];
      uint32_t inner = gate_at(p, lit);
      if (inner != NONE && inner >= p->s->gates) continue; /* made by now */
      p->asked[lit] += step;
      if ((lit & 1) == 0 && inner != NONE && p->s->row_of[inner] == 0 &&
          p->nested.count < MAX_NESTED && !alea_vec_push(p->mem, &p->nested, inner))
        return false;
    }
  }
  return true;
}

/* Notes the rows of an alternative, or judges them; '*fits' is false where one is no good. */
static bool visit(pull *p, uint32_t gate, uint32_t selector, uint32_t depth, bool *fits) {
  const alea_graph *graph = p->s->graph;
  if (is_row(p, gate, selector)) {
    pull_use use = {.row = p->s->row_of[gate] - 1};
    if (p->block == NONE) return alea_vec_push(p->mem, &p->uses, use);
    *fits = judge(p, selector);
    return true;
  }
  const alea_graph_gate *g = &graph->gates.data[gate];
  alea_lit lit = graph->inputs.data[g->first + find_carrier(p, gate, selector, depth)];
  if (p->block != NONE && !ask(p, gate, 1)) return false;
  bool ok = true;
  if ((lit & 1) == 0) {
    ok = visit(p, gate_at(p, lit), selector, depth, fits);
  } else {
    const alea_graph_gate *inner = alea_graph_gate_of(graph, lit);
    for (uint32_t i = 0; ok && *fits && i < inner->count; i++)
      ok = visit(p, gate_at(p, graph->inputs.data[inner->first + i]), selector, depth - 1, fits);
  }
  return p->block != NONE && ok ? ask(p, gate, UINT32_MAX) : ok;
}

/* ---- new gates ---- */

/* The AND of the inputs from 'first' on, which are taken off the stack. */
static alea_lit make_and(pull *p, size_t first) {
  alea_selectors *s = p->s;
  s->work.count = 0;
  for (size_t i = first; i < p->inputs.count; i++)
    if (!alea_vec_push(s->mem, &s->work, p->inputs.data[i])) return ALEA_NO_LIT;
  p->inputs.count = first;
  return alea_selectors_and(s);
}

static alea_lit make(pull *p, uint32_t gate, uint32_t selector, uint32_t depth);

/* The OR of the alternatives of a gate; ALEA_LIT_FALSE without any. */
static alea_lit make_or(pull *p, uint32_t gate, uint32_t selector, uint32_t depth) {
  alea_graph *graph = p->s->graph;
  size_t first = p->inputs.count;
  const alea_graph_gate g = graph->gates.data[gate]; /* gates move when some are made */
  for (uint32_t i = 0; i < g.count; i++) {
    alea_lit lit = make(p, gate_at(p, graph->inputs.data[g.first + i]), selector, depth);
    if (lit == ALEA_NO_LIT) return lit;
    if (lit != ALEA_LIT_FALSE && !alea_vec_push(p->mem, &p->inputs, lit ^ 1)) return ALEA_NO_LIT;
  }
  alea_lit none = make_and(p, first);
  return none == ALEA_NO_LIT ? none : none ^ 1;
}

/* A copy of an alternative that does not ask the block; ALEA_LIT_FALSE if it is not wanted. */
static alea_lit make(pull *p, uint32_t gate, uint32_t selector, uint32_t depth) {
  alea_selectors *s = p->s;
  if (is_row(p, gate, selector)) {
    const pull_use *use = &p->uses.data[p->next++];
    if (p->free_only && !use->is_free) return ALEA_LIT_FALSE;
    return alea_selectors_make_row(s, use->row, p->block);
  }
  size_t first = p->inputs.count;
  const alea_graph_gate g = s->graph->gates.data[gate];
  uint32_t carrier = find_carrier(p, gate, selector, depth);
  alea_lit lit = s->graph->inputs.data[g.first + carrier];
  lit = (lit & 1) != 0 ? make_or(p, gate_at(p, lit), selector, depth - 1)
                       : make(p, gate_at(p, lit), selector, depth);
  if (lit == ALEA_NO_LIT || lit == ALEA_LIT_FALSE) return lit;
  if (!alea_vec_push(p->mem, &p->inputs, lit)) return ALEA_NO_LIT;
  for (uint32_t i = 0; i < g.count; i++)
    if (i != carrier && !alea_vec_push(p->mem, &p->inputs, s->graph->inputs.data[g.first + i]))
      return ALEA_NO_LIT;
  return make_and(p, first);
}

/* The selector of an alternative with a row at input 'i' of the reader, or 0. */
static uint32_t selector_at(const pull *p, uint32_t i) {
  const alea_graph_gate *g = &p->s->graph->gates.data[p->reader];
  alea_lit lit = p->s->graph->inputs.data[g->first + i];
  uint32_t gate = gate_at(p, lit);
  if ((lit & 1) == 0 || gate >= p->s->gates) return 0;
  uint32_t selector = alea_selectors_selector_in(p->s, &p->s->graph->gates.data[gate]);
  if (selector == 0 || find_carrier(p, gate, selector, MAX_DEPTH) == NONE) return 0;
  return selector;
}

/* NOT OR of all alternatives, or of those that are free. */
static alea_lit make_none(pull *p, bool free_only) {
  const alea_graph_gate g = p->s->graph->gates.data[p->reader];
  size_t first = p->inputs.count;
  p->free_only = free_only;
  p->next = 0;
  for (uint32_t i = 0; i < g.count; i++) {
    uint32_t selector = selector_at(p, i);
    if (selector == 0) continue;
    uint32_t gate = gate_at(p, p->s->graph->inputs.data[g.first + i]);
    alea_lit lit = make(p, gate, selector, MAX_DEPTH);
    if (lit == ALEA_NO_LIT) return lit;
    if (lit != ALEA_LIT_FALSE && !alea_vec_push(p->mem, &p->inputs, lit ^ 1)) return ALEA_NO_LIT;
  }
  return make_and(p, first);
}

/* ---- one OR ---- */

/* Counts the uses that have all of a block, or forgets the counts. */
static void count_full(pull *p, bool forget) {
  const alea_selectors *s = p->s;
  for (size_t u = 0; u < p->uses.count; u++) {
    const alea_selector_row *row = &s->rows.data[p->uses.data[u].row];
    for (uint32_t i = 0; i < row->count; i++) {
      uint32_t node = s->row_nodes.data[row->first + i], block = s->node_block.data[node];
      if (node == s->blocks.data[block].node + 1) p->full[block] = forget ? 0 : p->full[block] + 1;
    }
  }
}

/* The block that most uses have all of, or NONE; not again. */
static uint32_t next_block(pull *p) {
  uint32_t best = NONE, most = 0;
  for (uint32_t block = 0; block < p->s->blocks.count; block++)
    if (p->full[block] > most) best = block, most = p->full[block];
  if (best != NONE) p->full[best] = 0;
  return best;
}

/* Visits all alternatives that have rows; '*count' of them. */
static bool visit_all(pull *p, uint32_t *count, bool *fits) {
  const alea_graph *graph = p->s->graph;
  const alea_graph_gate *g = &graph->gates.data[p->reader];
  p->next = *count = 0;
  for (uint32_t i = 0; *fits && i < g->count; i++) {
    uint32_t selector = selector_at(p, i);
    if (selector == 0) continue;
    ++*count;
    if (!visit(p, gate_at(p, graph->inputs.data[g->first + i]), selector, MAX_DEPTH, fits))
      return false;
  }
  return true;
}

static bool rewrite(pull *p) {
  alea_selectors *s = p->s;
  alea_lit none = make_none(p, false), none_free = make_none(p, true);
  if (none == ALEA_NO_LIT || none_free == ALEA_NO_LIT) return false;
  p->inputs.count = 0;
  if (!alea_vec_push(p->mem, &p->inputs, none ^ 1) ||
      !alea_vec_push(p->mem, &p->inputs, s->node_lits.data[s->blocks.data[p->block].node + 1]))
    return false;
  alea_lit made = make_and(p, 0);
  if (made == ALEA_NO_LIT) return false;
  const alea_graph_gate *g = &s->graph->gates.data[p->reader];
  for (uint32_t i = 0; i < g->count; i++)
    if (selector_at(p, i) == 0 &&
        !alea_vec_push(p->mem, &p->inputs, s->graph->inputs.data[g->first + i]))
      return false;
  if (!alea_vec_push(p->mem, &p->inputs, made ^ 1)) return false;
  if (none_free != ALEA_LIT_TRUE && !alea_vec_push(p->mem, &p->inputs, none_free)) return false;
  memcpy(s->graph->inputs.data + g->first, p->inputs.data, p->inputs.count * sizeof(alea_lit));
  s->graph->gates.data[p->reader].count = (uint32_t)p->inputs.count & 0x3fffffffu;
  p->inputs.count = 0;
  return true;
}

/* Looks for a block that fits; those that most uses have all of are tried first. */
static bool choose_block(pull *p, bool *fits) {
  uint32_t count;
  bool ok = true;
  *fits = false;
  count_full(p, false);
  for (uint32_t tries = 0; ok && !*fits && tries < MAX_TRIES; tries++) {
    p->block = next_block(p);
    if (p->block == NONE) break;
    *fits = true;
    ok = visit_all(p, &count, fits);
  }
  count_full(p, true);
  return ok;
}

/* Two alternatives or more make room for the two inputs that replace them. */
static bool pull_from(pull *p, uint32_t reader) {
  uint32_t count = 0;
  bool fits = true;
  p->reader = reader;
  p->block = NONE;
  p->uses.count = 0;
  if (!visit_all(p, &count, &fits)) return false;
  if (count < 2) return true;
  return choose_block(p, &fits) && (!fits || rewrite(p));
}

bool alea_selectors_pull(alea_selectors *s, const alea_deadline *deadline) {
  pull p = {.s = s, .mem = s->mem};
  size_t lits = 2 * (s->graph->leaf_count + s->gates);
  p.asked = alea_mem_calloc(s->mem, lits, sizeof *p.asked);
  p.full = alea_mem_calloc(s->mem, 1 + s->blocks.count, sizeof *p.full);
  bool ok = p.asked != NULL && p.full != NULL;
  for (uint32_t k = 0; ok && k < s->gates; k++) {
    if (k % 64 == 0 && alea_deadline_passed(deadline)) break;
    bool within = s->context[k] != 0 && s->context[k] != ALEA_NO_CONTEXT;
    if (!within) ok = pull_from(&p, k);
  }
  alea_mem_free(s->mem, p.asked, lits * sizeof *p.asked);
  alea_mem_free(s->mem, p.full, (1 + s->blocks.count) * sizeof *p.full);
  alea_vec_clear(s->mem, &p.uses);
  alea_vec_clear(s->mem, &p.inputs);
  alea_vec_clear(s->mem, &p.nested);
  return ok;
}
