/* Facts, fluents and moves as relations. */
#include "prover/facts.h"

#include <string.h>

bool alea_facts_init(alea_facts *facts, const alea_rules *rules, alea_terms *terms, alea_mem *mem) {
  *facts = (alea_facts){.mem = mem, .rules = rules, .terms = terms, .stamp = 1};
  for (int i = 0; i < ALEA_LEVELS; i++) alea_arena_init(&facts->arenas[i], mem);
  size_t preds = rules->pred_ids.pairs.count;
  facts->stated = alea_mem_calloc(mem, preds, sizeof *facts->stated);
  facts->functors = alea_mem_calloc(mem, rules->functor_ids.pairs.count, sizeof *facts->functors);
  if (facts->stated == NULL || facts->functors == NULL) return false;
  for (size_t i = 0; i < preds; i++) {
    const alea_pred_info *info = &rules->preds[i];
    facts->stated[i].rows = rules->fact_terms + info->first_fact;
    facts->stated[i].count = info->fact_count;
    facts->stated[i].arity = info->arity;
  }
  for (size_t i = 0; i < rules->functor_ids.pairs.count; i++)
    facts->functors[i].arity = rules->functor_ids.pairs.data[i].b / 2;
  facts->fluents.arity = 1;
  facts->does.arity = 2;
  return true;
}

void alea_facts_clear(alea_facts *facts) {
  if (facts->rules == NULL) return;
  for (int i = 0; i < ALEA_LEVELS; i++) alea_arena_clear(&facts->arenas[i]);
  alea_mem_free(facts->mem, facts->stated,
                facts->rules->pred_ids.pairs.count * sizeof *facts->stated);
  alea_mem_free(facts->mem, facts->functors,
                facts->rules->functor_ids.pairs.count * sizeof *facts->functors);
  alea_vec_clear(facts->mem, &facts->stamps);
  alea_vec_clear(facts->mem, &facts->order);
  alea_vec_clear(facts->mem, &facts->sizes);
}

static uint32_t functor_of(const alea_facts *facts, alea_term fluent) {
  uint32_t shape =
      2 * alea_terms_arity(facts->terms, fluent) + alea_terms_is_list(facts->terms, fluent);
  return alea_pairmap_find(&facts->rules->functor_ids, alea_terms_name(facts->terms, fluent),
                           shape);
}

/* Terms may have been made since the last time: their stamps start at 0. */
static bool stamp_fluents(alea_facts *facts, const alea_term *fluents, uint32_t count) {
  size_t terms = alea_terms_count(facts->terms);
  size_t old = facts->stamps.count;
  if (!alea_vec_reserve(facts->mem, &facts->stamps, terms - old)) return false;
  if (terms > old) memset(facts->stamps.data + old, 0, (terms - old) * sizeof *facts->stamps.data);
  facts->stamps.count = terms;
  for (uint32_t i = 0; i < count; i++) facts->stamps.data[fluents[i]] = facts->stamp;
  return true;
}

/* Counts the fluents of each functor and makes room for their rows. */
static bool count_functors(alea_facts *facts, const alea_term *fluents, uint32_t count) {
  size_t functors = facts->rules->functor_ids.pairs.count;
  facts->order.count = 0;
  facts->sizes.count = 0;
  if (!alea_vec_reserve(facts->mem, &facts->order, count) ||
      !alea_vec_reserve(facts->mem, &facts->sizes, functors))
    return false;
  facts->sizes.count = functors;
  if (functors > 0) memset(facts->sizes.data, 0, functors * sizeof *facts->sizes.data);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t functor = functor_of(facts, fluents[i]);
    facts->order.data[facts->order.count++] = functor;
    if (functor != ALEA_NO_PAIR) facts->sizes.data[functor]++;
  }
  for (size_t i = 0; i < functors; i++) {
    alea_relation *relation = &facts->functors[i];
    size_t terms = (size_t)facts->sizes.data[i] * relation->arity;
    relation->rows = alea_arena_alloc(&facts->arenas[ALEA_STATE], terms * sizeof(alea_term));
    if (relation->rows == NULL) return false;
  }
  return true;
}

/* An empty position, also as the state to be in when memory runs out. */
static void forget_state(alea_facts *facts) {
  for (size_t i = 0; i < facts->rules->functor_ids.pairs.count; i++) {
    facts->functors[i].count = 0;
    facts->functors[i].indexes = NULL;
  }
  facts->fluents.count = 0;
  facts->fluents.indexes = NULL;
  if (++facts->stamp == 0) { /* old stamps would count again */
    facts->stamps.count = 0;
    facts->stamp = 1;
  }
  alea_arena_clear(&facts->arenas[ALEA_STATE]);
}

bool alea_facts_set_state(alea_facts *facts, const alea_term *fluents, uint32_t count) {
  forget_state(facts);
  if (!alea_facts_set_does(facts, NULL, 0)) return false;
  alea_arena *arena = &facts->arenas[ALEA_STATE];
  alea_term *all = alea_arena_alloc(arena, count * sizeof *all);
  if (all == NULL || !stamp_fluents(facts, fluents, count)) return false;
  if (!count_functors(facts, fluents, count)) return false;
  if (count > 0) memcpy(all, fluents, count * sizeof *all);
  facts->fluents.rows = all;
  facts->fluents.count = count;
  for (uint32_t i = 0; i < count; i++) {
    if (facts->order.data[i] == ALEA_NO_PAIR) continue;
    alea_relation *relation = &facts->functors[facts->order.data[i]];
    alea_term *row = relation->rows + (size_t)relation->count++ * relation->arity;
    if (relation->arity > 0)
      memcpy(row, alea_terms_args(facts->terms, fluents[i]), relation->arity * sizeof *row);
  }
  return true;
}

bool alea_facts_set_does(alea_facts *facts, const alea_term *pairs, uint32_t count) {
  facts->does.count = 0;
  facts->does.indexes = NULL;
  alea_arena_clear(&facts->arenas[ALEA_JOINT]);
  alea_term *rows = alea_arena_alloc(&facts->arenas[ALEA_JOINT], 2 * count * sizeof *rows);
  if (rows == NULL) return false;
  if (count > 0) memcpy(rows, pairs, 2 * count * sizeof *rows);
  facts->does.rows = rows;
  facts->does.count = count;
  return true;
}
