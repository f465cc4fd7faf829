/* Predicates: which are static, in which order those are evaluated, and what
 * the roots need. */
#include <string.h>

#include "base/hash.h"
#include "ground/work.h"

/* ---- small services on the rewritten rules ---- */

alea_status work_no_memory(work *w) {
  if (w->mem->over && work_check_time(w) != ALEA_OK) return ALEA_LIMIT;
  if (w->mem->hit_limit) {
    alea_diag_error(w->diag, ((alea_place){w->file, 0, 0}), "memory-limit",
                    "grounding needs more memory than the limit allows; --memory raises it");
    return ALEA_LIMIT;
  }
  return ALEA_SYSTEM;
}

alea_status work_check_time(work *w) {
  if (!alea_deadline_passed(w->deadline)) return ALEA_OK;
  alea_diag_error(w->diag, ((alea_place){w->file, 0, 0}), "time-limit",
                  "grounding takes longer than the time limit allows; --ground-seconds raises it");
  return ALEA_LIMIT;
}

static uint64_t hash_pred(const void *preds, uint32_t id) {
  const pred *p = (const pred *)preds + id;
  return alea_hash_join(p->arity, p->name);
}

uint32_t work_pred(work *w, alea_symbol name, uint32_t arity) {
  if (!alea_hash_map_reserve(&w->pred_map, w->mem, hash_pred, w->preds.data)) return NO_ID;
  alea_hash_probe probe = alea_hash_map_probe(&w->pred_map, alea_hash_join(arity, name));
  while (alea_hash_map_next(&w->pred_map, &probe)) {
    const pred *p = &w->preds.data[probe.id];
    if (p->name == name && p->arity == arity) return probe.id;
  }
  pred fresh = {.name = name, .arity = arity, .demand_pred = NO_ID};
  if (!alea_vec_push(w->mem, &w->preds, fresh)) return NO_ID;
  uint32_t id = (uint32_t)w->preds.count - 1;
  alea_hash_map_put(&w->pred_map, probe, id);
  return id;
}

alea_rule_node_id work_variable_node(work *w, uint32_t variable) {
  alea_rule_node node = {.kind = ALEA_NODE_VARIABLE, .name = variable};
  if (!alea_vec_push(w->mem, &w->nodes, node)) return NO_ID;
  return (alea_rule_node_id)w->nodes.count - 1;
}

alea_rule_node_id work_list_node(work *w, alea_symbol name, const alea_rule_node_id *args,
                                 uint32_t count) {
  if (!alea_vec_reserve(w->mem, &w->children, count)) return NO_ID;
  alea_rule_node node = {.kind = ALEA_NODE_LIST,
                         .name = name,
                         .first_arg = (uint32_t)w->children.count,
                         .arg_count = count};
  if (!alea_vec_push(w->mem, &w->nodes, node)) return NO_ID;
  for (uint32_t i = 0; i < count; i++) w->children.data[w->children.count++] = args[i];
  return (alea_rule_node_id)w->nodes.count - 1;
}

alea_symbol work_fresh_symbol(work *w, const char *stem) {
  alea_text name;
  alea_text_init(&name, w->mem);
  /* A space cannot occur in a name that was read. */
  alea_text_format(&name, "%s %u", stem, w->fresh++);
  alea_symbol symbol =
      name.failed ? ALEA_NO_SYMBOL : alea_symbols_add(w->symbols, name.data, name.length);
  alea_text_clear(&name);
  return symbol;
}

void work_each_variable(const work *w, alea_rule_node_id node,
                        void (*see)(void *context, uint32_t v), void *context) {
  const alea_rule_node *n = &w->nodes.data[node];
  if (n->kind == ALEA_NODE_VARIABLE) {
    see(context, n->name);
    return;
  }
  /* The reader bounds the depth of terms (max_depth), so this recursion is
   * shallow whatever the input. */
  for (uint32_t i = 0; i < n->arg_count; i++)
    work_each_variable(w, w->children.data[n->first_arg + i], see, context);
}

/* ---- strongly connected parts of the predicate graph (Tarjan) ---- */

typedef struct analyse_tarjan {
  work *w;
  uint32_t *order, *low, *part; /* per predicate; order 0 = unseen */
  alea_u32s stack;
  uint32_t next_order, part_count;
} analyse_tarjan;

typedef struct analyse_frame {
  uint32_t pred, rule, lit; /* where the walk over the body literals stands */
} analyse_frame;
typedef ALEA_VEC(analyse_frame) frames;

/* The next predicate that 'f' depends on, or NO_ID. */
static uint32_t next_dependency(const work *w, analyse_frame *f) {
  const pred *p = &w->preds.data[f->pred];
  for (; f->rule < p->rules.count; f->rule++, f->lit = 0) {
    const wrule *r = &w->rules.data[p->rules.data[f->rule]];
    while (f->lit < r->count) {
      const wlit *l = &w->lits.data[r->first + f->lit++];
      if (l->kind != ALEA_LITERAL_DISTINCT) return l->pred;
    }
  }
  return NO_ID;
}

static bool enter(analyse_tarjan *t, uint32_t p, frames *walk) {
  t->order[p] = t->low[p] = ++t->next_order;
  analyse_frame f = {p, 0, 0};
  return alea_vec_push(t->w->mem, &t->stack, p) && alea_vec_push(t->w->mem, walk, f);
}

static void leave(analyse_tarjan *t, uint32_t p) {
  if (t->low[p] != t->order[p]) return;
  uint32_t member;
  do {
    member = t->stack.data[--t->stack.count];
    t->part[member] = t->part_count;
  } while (member != p);
  t->part_count++;
}

/* Parts come out in order of dependency: what a part needs has a smaller number. */
static bool visit(analyse_tarjan *t, uint32_t root) {
  frames walk = {0};
  bool ok = enter(t, root, &walk);
  while (ok && walk.count > 0) {
    analyse_frame *f = &walk.data[walk.count - 1];
    uint32_t p = f->pred, q = next_dependency(t->w, f);
    if (q == NO_ID) {
      leave(t, p);
      walk.count--;
      if (walk.count > 0) {
        uint32_t parent = walk.data[walk.count - 1].pred;
        if (t->low[p] < t->low[parent]) t->low[parent] = t->low[p];
      }
    } else if (t->order[q] == 0) {
      ok = enter(t, q, &walk);
    } else if (t->part[q] == NO_ID && t->order[q] < t->low[p]) {
      t->low[p] = t->order[q];
    }
  }
  alea_vec_clear(t->w->mem, &walk);
  return ok;
}

static bool find_parts(work *w, uint32_t *part, uint32_t *part_count) {
  size_t n = w->preds.count;
  analyse_tarjan t = {.w = w, .part = part};
  t.order = alea_mem_calloc(w->mem, n, sizeof *t.order);
  t.low = alea_mem_calloc(w->mem, n, sizeof *t.low);
  bool ok = t.order != NULL && t.low != NULL;
  for (size_t p = 0; ok && p < n; p++) part[p] = NO_ID;
  for (uint32_t p = 0; ok && p < n; p++)
    if (t.order[p] == 0) ok = visit(&t, p);
  *part_count = t.part_count;
  alea_mem_free(w->mem, t.order, n * sizeof *t.order);
  alea_mem_free(w->mem, t.low, n * sizeof *t.low);
  alea_vec_clear(w->mem, &t.stack);
  return ok;
}

/* ---- the analysis ---- */

static bool is_word(const pred *p, alea_symbol name, uint32_t arity) {
  return p->name == name && p->arity == arity;
}

static bool is_input(const pred *p) {
  return is_word(p, ALEA_SYM_TRUE, 1) || is_word(p, ALEA_SYM_DOES, 2);
}

static bool is_root(const pred *p) {
  return is_word(p, ALEA_SYM_LEGAL, 2) || is_word(p, ALEA_SYM_NEXT, 1) ||
         is_word(p, ALEA_SYM_GOAL, 2) || is_word(p, ALEA_SYM_TERMINAL, 0) ||
         is_word(p, ALEA_SYM_SEES, 2) || is_word(p, ALEA_SYM_INIT, 1) ||
         is_word(p, ALEA_SYM_ROLE, 1);
}

static bool is_evaluated_once(const pred *p) {
  return is_word(p, ALEA_SYM_INIT, 1) || is_word(p, ALEA_SYM_ROLE, 1);
}

/* Sorts the predicates by their part, which is their stratum (counting sort). */
static bool sort_by_stratum(work *w, const uint32_t *part, uint32_t part_count) {
  size_t n = w->preds.count, slots = (size_t)part_count + 1;
  uint32_t *start = alea_mem_calloc(w->mem, slots, sizeof *start);
  w->by_stratum.count = 0;
  bool good = start != NULL && alea_vec_reserve(w->mem, &w->by_stratum, n);
  if (good) {
    for (size_t p = 0; p < n; p++) start[part[p] + 1]++;
    for (size_t i = 1; i < slots; i++) start[i] += start[i - 1];
    for (uint32_t p = 0; p < n; p++) w->by_stratum.data[start[part[p]]++] = p;
    w->by_stratum.count = n;
  }
  alea_mem_free(w->mem, start, slots * sizeof *start);
  return good;
}

static bool rule_is_dynamic(const work *w, const wrule *r, const uint32_t *part,
                            const uint8_t *dynamic) {
  for (uint32_t k = 0; k < r->count; k++) {
    const wlit *l = &w->lits.data[r->first + k];
    if (l->kind == ALEA_LITERAL_DISTINCT) continue;
    bool loop = l->kind == ALEA_LITERAL_FALSE && part[l->pred] == part[r->head_pred];
    if (loop || dynamic[part[l->pred]]) return true;
  }
  return false;
}

/* A part is dynamic when it holds an input or a root of play, depends on a
 * dynamic part, or is not stratified by name: then only the ground rules can
 * tell.  What a part depends on comes before it, so one pass is enough. */
static void mark_dynamic(work *w, const uint32_t *part, uint8_t *dynamic) {
  for (size_t i = 0; i < w->by_stratum.count; i++) {
    const pred *p = &w->preds.data[w->by_stratum.data[i]];
    uint8_t *mine = &dynamic[part[w->by_stratum.data[i]]];
    if (is_input(p) || (is_root(p) && !is_evaluated_once(p))) *mine = 1;
    for (size_t k = 0; k < p->rules.count && !*mine; k++)
      *mine = rule_is_dynamic(w, &w->rules.data[p->rules.data[k]], part, dynamic);
  }
}

static bool mark_needed(work *w) {
  alea_u32s todo = {0};
  bool ok = true;
  for (uint32_t p = 0; ok && p < w->preds.count; p++) {
    if (!is_root(&w->preds.data[p])) continue;
    w->preds.data[p].needed = true;
    ok = alea_vec_push(w->mem, &todo, p);
  }
  while (ok && todo.count > 0) {
    analyse_frame f = {todo.data[--todo.count], 0, 0};
    for (uint32_t q; ok && (q = next_dependency(w, &f)) != NO_ID;) {
      if (w->preds.data[q].needed) continue;
      w->preds.data[q].needed = true;
      ok = alea_vec_push(w->mem, &todo, q);
    }
  }
  alea_vec_clear(w->mem, &todo);
  return ok;
}

static bool list_rules(work *w) {
  for (size_t p = 0; p < w->preds.count; p++) w->preds.data[p].rules.count = 0;
  for (uint32_t i = 0; i < w->rules.count; i++) {
    alea_u32s *rules = &w->preds.data[w->rules.data[i].head_pred].rules;
    if (!alea_vec_push(w->mem, rules, i)) return false;
  }
  return true;
}

alea_status work_analyse(work *w) {
  if (!list_rules(w) || !mark_needed(w)) return work_no_memory(w);
  size_t n = w->preds.count;
  uint32_t *part = alea_mem_calloc(w->mem, n, sizeof *part);
  uint8_t *dynamic = alea_mem_calloc(w->mem, n + 1, 1);
  alea_status status = work_check_time(w);
  uint32_t part_count = 0;
  if (part == NULL || dynamic == NULL || !find_parts(w, part, &part_count) ||
      !sort_by_stratum(w, part, part_count)) {
    status = work_no_memory(w);
  } else {
    mark_dynamic(w, part, dynamic);
    for (size_t p = 0; p < n; p++) {
      pred *q = &w->preds.data[p];
      q->stratum = part[p];
      q->is_static = !dynamic[part[p]];
      q->fixed = is_input(q) || is_root(q);
    }
  }
  alea_mem_free(w->mem, part, n * sizeof *part);
  alea_mem_free(w->mem, dynamic, n + 1);
  return status;
}
