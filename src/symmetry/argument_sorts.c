/* Sorts of arguments, from the variables of the rules. */
#include "symmetry/argument_sorts.h"

#include <stdlib.h>
#include <string.h>

enum { PREDICATE, FUNCTION }; /* kinds of functors */

/* ---- functors and slots ---- */

static uint32_t add_functor(alea_argument_sorts *s, const alea_rule_node *node, uint32_t kind) {
  size_t before = s->functors.list.count;
  uint32_t functor = alea_functors_add(&s->functors, node->name, node->arg_count, kind);
  if (functor == ALEA_NO_FUNCTOR || s->functors.list.count == before) return functor;
  if (!alea_vec_push(s->mem, &s->first_slot, (uint32_t)s->parent.count)) return ALEA_NO_FUNCTOR;
  for (uint32_t i = 0; i < node->arg_count; i++) {
    uint32_t slot = (uint32_t)s->parent.count;
    if (!alea_vec_push(s->mem, &s->parent, slot)) return ALEA_NO_FUNCTOR;
  }
  return functor;
}

static uint32_t root_of(const alea_argument_sorts *s, uint32_t slot) {
  while (s->parent.data[slot] != slot) slot = s->parent.data[slot];
  return slot;
}

static void join(alea_argument_sorts *s, uint32_t a, uint32_t b) {
  a = root_of(s, a), b = root_of(s, b);
  s->parent.data[a < b ? b : a] = a < b ? a : b;
}

/* ---- what depends on the state ---- */

static bool is_state_word(alea_symbol name) {
  return name == ALEA_SYM_TRUE || name == ALEA_SYM_DOES || name == ALEA_SYM_LEGAL ||
         name == ALEA_SYM_NEXT || name == ALEA_SYM_INIT || name == ALEA_SYM_SEES ||
         name == ALEA_SYM_GOAL;
}

/* Marks, per functor, the predicates that the state decides; a fixpoint. */
static bool find_dynamic(alea_argument_sorts *s, uint8_t **dynamic) {
  const alea_program *p = s->program;
  for (size_t i = 0; i < p->rules.count; i++)
    if (add_functor(s, &p->nodes.data[p->rules.data[i].head], PREDICATE) == ALEA_NO_FUNCTOR)
      return false;
  for (size_t i = 0; i < p->literals.count; i++)
    if (add_functor(s, &p->nodes.data[p->literals.data[i].atom], PREDICATE) == ALEA_NO_FUNCTOR)
      return false;
  uint8_t *marks = *dynamic = alea_mem_calloc(s->mem, s->functors.list.count, 1);
  if (marks == NULL) return false;
  for (size_t f = 0; f < s->functors.list.count; f++)
    marks[f] = is_state_word(s->functors.list.data[f].name);
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < p->rules.count; i++) {
      const alea_rule *rule = &p->rules.data[i];
      uint32_t head = add_functor(s, &p->nodes.data[rule->head], PREDICATE);
      for (uint32_t k = 0; k < rule->literal_count && !marks[head]; k++) {
        const alea_literal *literal = &p->literals.data[rule->first_literal + k];
        if (literal->kind == ALEA_LITERAL_DISTINCT) continue;
        changed |= marks[head] = marks[add_functor(s, &p->nodes.data[literal->atom], PREDICATE)];
      }
    }
  }
  return true;
}

/* ---- variables ---- */

typedef struct sort_linker {
  alea_argument_sorts *sorts;
  uint32_t *seen; /* per variable of the rule: a slot where it stands, or UINT32_MAX */
} sort_linker;

static bool link_arguments(sort_linker *l, alea_rule_node_id id, uint32_t functor, int depth) {
  alea_argument_sorts *s = l->sorts;
  const alea_rule_node *node = &s->program->nodes.data[id];
  for (uint32_t i = 0; i < node->arg_count; i++) {
    alea_rule_node_id child = alea_program_args(s->program, id)[i];
    const alea_rule_node *argument = &s->program->nodes.data[child];
    uint32_t slot = s->first_slot.data[functor] + i;
    if (argument->kind == ALEA_NODE_VARIABLE) {
      uint32_t *seen = &l->seen[argument->name];
      if (*seen == UINT32_MAX) *seen = slot;
      join(s, *seen, slot);
    } else if (argument->kind == ALEA_NODE_LIST && depth < ALEA_SORT_MOST_DEPTH) {
      uint32_t inner = add_functor(s, argument, FUNCTION);
      if (inner == ALEA_NO_FUNCTOR || !link_arguments(l, child, inner, depth + 1)) return false;
    }
  }
  return true;
}

static bool link_atom(sort_linker *l, alea_rule_node_id atom, const uint8_t *dynamic) {
  uint32_t functor = add_functor(l->sorts, &l->sorts->program->nodes.data[atom], PREDICATE);
  return !dynamic[functor] || link_arguments(l, atom, functor, 0);
}

static bool link_rule(sort_linker *l, const alea_rule *rule, const uint8_t *dynamic) {
  const alea_program *p = l->sorts->program;
  for (uint32_t v = 0; v < rule->variable_count; v++) l->seen[v] = UINT32_MAX;
  bool good = link_atom(l, rule->head, dynamic);
  for (uint32_t k = 0; good && k < rule->literal_count; k++) {
    const alea_literal *literal = &p->literals.data[rule->first_literal + k];
    if (literal->kind != ALEA_LITERAL_DISTINCT) good = link_atom(l, literal->atom, dynamic);
  }
  return good;
}

static bool link_rules(alea_argument_sorts *s) {
  const alea_program *p = s->program;
  uint8_t *dynamic = NULL;
  uint32_t most = 1;
  for (size_t i = 0; i < p->rules.count; i++)
    if (p->rules.data[i].variable_count > most) most = p->rules.data[i].variable_count;
  sort_linker l = {s, alea_mem_calloc(s->mem, most, sizeof *l.seen)};
  bool good = l.seen != NULL && find_dynamic(s, &dynamic);
  size_t marks = s->functors.list.count; /* functions come after */
  for (size_t i = 0; good && i < p->rules.count; i++)
    good = link_rule(&l, &p->rules.data[i], dynamic);
  alea_mem_free(s->mem, dynamic, dynamic != NULL ? marks : 0);
  alea_mem_free(s->mem, l.seen, most * sizeof *l.seen);
  return good;
}

/* ---- constants ---- */

uint32_t alea_argument_sorts_slot(const alea_argument_sorts *s, alea_term term) {
  const alea_terms *terms = s->ground->terms;
  const char *text = alea_symbols_text(terms->symbols, alea_terms_name(terms, term));
  alea_symbol name = alea_symbols_find(s->program->symbols, text, strlen(text));
  if (name == ALEA_NO_SYMBOL) return ALEA_NO_SORT;
  uint32_t functor =
      alea_functors_find(&s->functors, name, alea_terms_arity(terms, term), FUNCTION);
  return functor == ALEA_NO_FUNCTOR ? ALEA_NO_SORT : s->first_slot.data[functor];
}

uint32_t alea_sort_index(const alea_sort *sort, alea_term constant) {
  for (size_t i = 0; i < sort->constants.count; i++)
    if (sort->constants.data[i] == constant) return (uint32_t)i;
  return UINT32_MAX;
}

static bool note_constants(alea_argument_sorts *s, alea_term term, bool move, int depth) {
  const alea_terms *terms = s->ground->terms;
  uint32_t slot = alea_argument_sorts_slot(s, term);
  for (uint32_t i = 0; slot != ALEA_NO_SORT && i < alea_terms_arity(terms, term); i++) {
    alea_term argument = alea_terms_args(terms, term)[i];
    alea_sort *sort = &s->list.data[s->parent.data[slot + i]];
    if (alea_terms_is_list(terms, argument)) {
      if (depth < ALEA_SORT_MOST_DEPTH && !note_constants(s, argument, move, depth + 1))
        return false;
      continue;
    }
    sort->in_moves |= move;
    if (sort->constants.count == ALEA_SORT_MOST_CONSTANTS) continue;
    if (alea_sort_index(sort, argument) == UINT32_MAX &&
        !alea_vec_push(s->mem, &sort->constants, argument))
      return false;
  }
  return true;
}

/* Shorter names first, and by letter among those: so numbers are by size. */
static int as_written(const char *a, const char *b) {
  size_t m = strlen(a), n = strlen(b);
  return m != n ? (m < n ? -1 : 1) : strcmp(a, b);
}

static void put_in_order(const alea_terms *terms, alea_u32s *constants) {
  for (size_t i = 1; i < constants->count; i++)
    for (size_t k = i; k > 0; k--) {
      uint32_t *pair = constants->data + k - 1;
      const char *a = alea_symbols_text(terms->symbols, alea_terms_name(terms, pair[0]));
      const char *b = alea_symbols_text(terms->symbols, alea_terms_name(terms, pair[1]));
      if (as_written(a, b) <= 0) break;
      uint32_t first = pair[0];
      pair[0] = pair[1];
      pair[1] = first;
    }
}

/* Numbers the sorts, and writes these numbers where the union-find was. */
static bool number_sorts(alea_argument_sorts *s) {
  for (uint32_t i = 0; i < s->parent.count; i++) {
    uint32_t root = s->parent.data[i];
    /* a root is its least slot, and parents come before: so they are numbered */
    uint32_t number = root == i ? (uint32_t)s->list.count : s->parent.data[root];
    if (root == i && !alea_vec_push(s->mem, &s->list, (alea_sort){0})) return false;
    s->parent.data[i] = number;
  }
  return true;
}

static bool find_constants(alea_argument_sorts *s) {
  const alea_ground *g = s->ground;
  bool good = true;
  for (uint32_t i = 0; good && i < g->fluent_count; i++)
    good = note_constants(s, g->fluents[i], false, 0);
  for (uint32_t i = 0; good && i < g->move_count; i++)
    good = note_constants(s, g->moves[i], true, 0);
  for (size_t i = 0; good && i < g->percepts.count; i++)
    good = note_constants(s, g->percepts.data[i], false, 0);
  for (size_t i = 0; good && i < s->list.count; i++)
    put_in_order(g->terms, &s->list.data[i].constants);
  return good;
}

/* ---- the object ---- */

alea_status alea_argument_sorts_init(alea_argument_sorts *s, const alea_program *program,
                                     const alea_ground *ground, alea_mem *mem) {
  *s = (alea_argument_sorts){.mem = mem, .program = program, .ground = ground};
  alea_functors_init(&s->functors, mem);
  bool good = link_rules(s) && number_sorts(s) && find_constants(s);
  return good ? ALEA_OK : alea_mem_lack(mem);
}

void alea_argument_sorts_clear(alea_argument_sorts *s) {
  if (s->mem == NULL) return;
  for (size_t i = 0; i < s->list.count; i++) alea_vec_clear(s->mem, &s->list.data[i].constants);
  alea_vec_clear(s->mem, &s->list);
  alea_vec_clear(s->mem, &s->parent);
  alea_vec_clear(s->mem, &s->first_slot);
  alea_functors_clear(&s->functors);
}
