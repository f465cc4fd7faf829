/* Checks on rules for `goal` and `terminal` that can never apply. */
#include "base/hash.h"
#include "gdl/checks.h"
#include "gdl/marks.h"

typedef struct liveness {
  const alea_program *p;
  alea_extent *x;
  alea_marks live; /* predicates that some rule can derive */
  alea_hash_words places;
} liveness;

/* Whether a positive condition may hold, as far as is known. */
static bool may_hold(liveness *l, alea_rule_node_id atom, bool *holds) {
  uint32_t predicate = alea_extent_predicate(l->x, atom), index;
  if (predicate == ALEA_NO_FUNCTOR || !alea_extent_mismatch(l->x, atom, &index)) return false;
  alea_functor f = l->x->functors.list.data[predicate];
  bool given =
      (f.name == ALEA_SYM_TRUE && f.arity == 1) || (f.name == ALEA_SYM_DOES && f.arity == 2);
  *holds = index == ALEA_NO_FUNCTOR && (given || alea_marks_has(&l->live, predicate));
  return true;
}

/* '*line': of the first condition that never holds; 0: the rule may apply. */
static bool find_obstacle(liveness *l, const alea_rule *rule, uint32_t *line) {
  *line = 0;
  for (uint32_t i = 0; *line == 0 && i < rule->literal_count; i++) {
    const alea_literal *literal = &l->p->literals.data[rule->first_literal + i];
    bool holds = true;
    if (literal->kind == ALEA_LITERAL_TRUE && !may_hold(l, literal->atom, &holds)) return false;
    uint32_t place = l->p->nodes.data[literal->atom].line;
    if (!holds) *line = place > 0 ? place : rule->line;
  }
  return true;
}

static bool spread_life(liveness *l) {
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < l->p->rules.count; i++) {
      const alea_rule *rule = &l->p->rules.data[i];
      uint32_t predicate = alea_extent_predicate(l->x, rule->head), line;
      if (predicate == ALEA_NO_FUNCTOR) return false;
      if (alea_marks_has(&l->live, predicate)) continue;
      if (!find_obstacle(l, rule, &line)) return false;
      if (line > 0) continue;
      if (!alea_marks_set(&l->live, predicate, 1)) return false;
      changed = true;
    }
  }
  return true;
}

static uint64_t place_of(const alea_rule *rule) {
  return (uint64_t)rule->line << 32 | rule->column;
}

static bool is_noted(const liveness *l, uint64_t place) {
  alea_word_probe probe = alea_hash_words_probe(&l->places, alea_hash_mix(place));
  while (alea_hash_words_next(&l->places, &probe))
    if (probe.word == place) return true;
  return false;
}

static bool note(liveness *l, uint64_t place) {
  if (is_noted(l, place)) return true;
  if (!alea_hash_words_reserve(&l->places, l->x->mem, alea_hash_mix)) return false;
  alea_hash_words_add(&l->places, alea_hash_mix(place), place);
  return true;
}

static bool is_result(const liveness *l, const alea_rule *rule) {
  const alea_rule_node *head = &l->p->nodes.data[rule->head];
  return rule->line > 0 && ((head->name == ALEA_SYM_GOAL && head->arg_count == 2) ||
                            (head->name == ALEA_SYM_TERMINAL && head->arg_count == 0));
}

/* An `or` makes several rules of one; it may apply if one of them may. */
static bool check_results(liveness *l, alea_reporter *reporter) {
  uint32_t line;
  for (int pass = 0; pass < 2; pass++) {
    for (size_t i = 0; i < l->p->rules.count; i++) {
      const alea_rule *rule = &l->p->rules.data[i];
      if (!is_result(l, rule) || is_noted(l, place_of(rule))) continue;
      if (!find_obstacle(l, rule, &line)) return false;
      if ((line == 0 || pass == 1) && !note(l, place_of(rule))) return false;
      if (line > 0 && pass == 1)
        alea_report(reporter, ALEA_CODE_NEVER_APPLIES, rule->line, rule->column,
                    "this rule for `%s` never applies: its condition on line %u never holds",
                    alea_symbols_text(l->p->symbols, l->p->nodes.data[rule->head].name),
                    (unsigned)line);
    }
  }
  return true;
}

bool alea_check_unreachable(alea_reporter *reporter, const alea_program *program,
                            alea_extent *extent) {
  liveness l = {.p = program, .x = extent};
  alea_marks_init(&l.live, extent->mem);
  bool ok = spread_life(&l) && check_results(&l, reporter);
  alea_marks_clear(&l.live);
  alea_hash_words_clear(&l.places, extent->mem);
  return ok;
}
