/* What can occur at the arguments of a program. */
#include "gdl/extent.h"

#include "base/hash.h"

/* In words of 'known': an edge, not a member. */
static const uint32_t edge_bit = 1u << 31;

uint32_t alea_extent_element(alea_extent *x, alea_rule_node_id id) {
  const alea_rule_node *node = &x->program->nodes.data[id];
  uint32_t kind = node->kind == ALEA_NODE_LIST ? ALEA_EXTENT_FUNCTION : ALEA_EXTENT_CONSTANT;
  return alea_functors_add(&x->functors, node->name, node->arg_count, kind);
}

uint32_t alea_extent_predicate(alea_extent *x, alea_rule_node_id atom) {
  const alea_rule_node *node = &x->program->nodes.data[atom];
  alea_symbol name = node->name;
  if (node->arg_count == 1 && (name == ALEA_SYM_INIT || name == ALEA_SYM_NEXT))
    name = ALEA_SYM_TRUE;
  if (node->arg_count == 2 && name == ALEA_SYM_LEGAL) name = ALEA_SYM_DOES;
  return alea_functors_add(&x->functors, name, node->arg_count, ALEA_EXTENT_PREDICATE);
}

/* The first position of a functor, whose positions are made on demand. */
static bool find_positions(alea_extent *x, uint32_t functor, uint32_t *first) {
  if (functor == ALEA_NO_FUNCTOR) return false;
  while (x->first_position.count <= functor) {
    uint32_t f = (uint32_t)x->first_position.count;
    uint32_t arity = x->functors.list.data[f].arity;
    if (!alea_vec_reserve(x->mem, &x->positions, arity) ||
        !alea_vec_push(x->mem, &x->first_position, (uint32_t)x->positions.count))
      return false;
    for (uint32_t i = 0; i < arity; i++)
      x->positions.data[x->positions.count++] =
          (alea_extent_position){f, i, UINT32_MAX, UINT32_MAX, 0};
  }
  *first = x->first_position.data[functor];
  return true;
}

static bool push_arguments(alea_extent *x, alea_rule_node_id id, uint32_t functor, uint32_t parent,
                           alea_extent_terms *terms) {
  const alea_rule_node *node = &x->program->nodes.data[id];
  uint32_t first;
  if (!find_positions(x, functor, &first)) return false;
  for (uint32_t i = 0; i < node->arg_count; i++) {
    alea_extent_term term = {alea_program_args(x->program, id)[i], first + i, parent};
    if (!alea_vec_push(x->mem, terms, term)) return false;
  }
  return true;
}

bool alea_extent_spread(alea_extent *x, alea_rule_node_id atom, alea_extent_terms *terms) {
  size_t first = terms->count;
  if (!push_arguments(x, atom, alea_extent_predicate(x, atom), UINT32_MAX, terms)) return false;
  for (size_t i = first; i < terms->count; i++) {
    alea_rule_node_id node = terms->data[i].node;
    if (x->program->nodes.data[node].kind == ALEA_NODE_LIST &&
        !push_arguments(x, node, alea_extent_element(x, node), (uint32_t)i, terms))
      return false;
  }
  return true;
}

/* ---- members and edges ---- */

static uint64_t word_of(uint32_t position, uint32_t other) {
  return (uint64_t)(position + 1) << 32 | other;
}

static bool is_known(const alea_extent *x, uint64_t word) {
  alea_word_probe probe = alea_hash_words_probe(&x->known, alea_hash_mix(word));
  while (alea_hash_words_next(&x->known, &probe))
    if (probe.word == word) return true;
  return false;
}

static bool make_known(alea_extent *x, uint64_t word) {
  if (!alea_hash_words_reserve(&x->known, x->mem, alea_hash_mix)) return false;
  alea_hash_words_add(&x->known, alea_hash_mix(word), word);
  return true;
}

bool alea_extent_has(const alea_extent *x, uint32_t position, uint32_t element) {
  return is_known(x, word_of(position, element));
}

static bool add_member(alea_extent *x, uint32_t position, uint32_t element) {
  if (element == ALEA_NO_FUNCTOR) return false;
  if (alea_extent_has(x, position, element)) return true;
  alea_extent_position *at = &x->positions.data[position];
  alea_extent_member member = {position, element, at->member};
  if (!make_known(x, word_of(position, element)) || !alea_vec_push(x->mem, &x->members, member))
    return false;
  at->member = (uint32_t)x->members.count - 1;
  at->count++;
  return true;
}

static bool add_edge(alea_extent *x, uint32_t from, uint32_t to) {
  uint64_t word = word_of(from, to | edge_bit);
  if (from == to || is_known(x, word)) return true;
  alea_extent_position *at = &x->positions.data[from];
  alea_extent_edge edge = {to, at->edge};
  if (!make_known(x, word) || !alea_vec_push(x->mem, &x->edges, edge)) return false;
  at->edge = (uint32_t)x->edges.count - 1;
  return true;
}

/* Members are appended while they are visited. */
static bool close(alea_extent *x) {
  for (size_t i = 0; i < x->members.count; i++) {
    alea_extent_member member = x->members.data[i];
    for (uint32_t e = x->positions.data[member.position].edge; e != UINT32_MAX;
         e = x->edges.data[e].next)
      if (!add_member(x, x->edges.data[e].to, member.element)) return false;
  }
  return true;
}

/* ---- rules ---- */

/* A variable has a value of every position where the body has it; any of them
 * is an upper bound.  'counts' (NULL: all are taken) says which is smallest. */
static bool add_variable(alea_extent *x, uint32_t variable, uint32_t to, const uint32_t *counts) {
  uint32_t best = UINT32_MAX;
  for (size_t i = 0; i < x->body.count; i++) {
    const alea_rule_node *node = &x->program->nodes.data[x->body.data[i].node];
    uint32_t from = x->body.data[i].position;
    if (node->kind != ALEA_NODE_VARIABLE || node->name != variable) continue;
    if (counts == NULL && !add_edge(x, from, to)) return false;
    if (counts == NULL || counts[from] == 0) continue;
    if (best == UINT32_MAX || counts[from] < counts[best]) best = from;
  }
  return best == UINT32_MAX || add_edge(x, best, to);
}

static bool add_rule(alea_extent *x, const alea_rule *rule, const uint32_t *counts) {
  const alea_program *p = x->program;
  x->head.count = x->body.count = 0;
  uint32_t predicate = alea_extent_predicate(x, rule->head);
  if (predicate == ALEA_NO_FUNCTOR || !alea_marks_set(&x->defined, predicate, 1)) return false;
  if (!alea_extent_spread(x, rule->head, &x->head)) return false;
  for (uint32_t i = 0; i < rule->literal_count; i++) {
    const alea_literal *literal = &p->literals.data[rule->first_literal + i];
    if (literal->kind == ALEA_LITERAL_TRUE && !alea_extent_spread(x, literal->atom, &x->body))
      return false;
  }
  for (size_t i = 0; i < x->head.count; i++) {
    alea_extent_term term = x->head.data[i];
    const alea_rule_node *node = &p->nodes.data[term.node];
    bool ok = node->kind == ALEA_NODE_VARIABLE
                  ? add_variable(x, node->name, term.position, counts)
                  : add_member(x, term.position, alea_extent_element(x, term.node));
    if (!ok) return false;
  }
  return true;
}

/* Whether the program asks for `base` or `input`. */
static bool asks_for_lists(const alea_program *p) {
  for (size_t i = 0; i < p->literals.count; i++) {
    const alea_literal *literal = &p->literals.data[i];
    alea_symbol name = p->nodes.data[literal->atom].name;
    if (literal->kind != ALEA_LITERAL_DISTINCT && (name == ALEA_SYM_BASE || name == ALEA_SYM_INPUT))
      return true;
  }
  return false;
}

static bool add_rules(alea_extent *x, const uint32_t *counts) {
  const alea_program *p = x->program;
  bool lists = asks_for_lists(p);
  for (size_t i = 0; i < p->rules.count; i++) {
    alea_symbol head = p->nodes.data[p->rules.data[i].head].name;
    if (!lists && (head == ALEA_SYM_BASE || head == ALEA_SYM_INPUT)) continue;
    if (!add_rule(x, &p->rules.data[i], counts)) return false;
  }
  return close(x);
}

/* A first run follows every position of a variable, a second one only the
 * smallest. */
static bool refine(alea_extent *x) {
  size_t count = x->positions.count;
  uint32_t *counts = alea_mem_calloc(x->mem, count, sizeof *counts);
  if (counts == NULL) return false;
  for (size_t i = 0; i < count; i++) {
    counts[i] = x->positions.data[i].count;
    x->positions.data[i].member = x->positions.data[i].edge = UINT32_MAX;
    x->positions.data[i].count = 0;
  }
  x->members.count = x->edges.count = 0;
  alea_hash_words_empty(&x->known);
  bool ok = add_rules(x, counts);
  alea_mem_free(x->mem, counts, count * sizeof *counts);
  return ok;
}

bool alea_extent_init(alea_extent *x, const alea_program *program) {
  *x = (alea_extent){.mem = program->mem, .program = program};
  alea_functors_init(&x->functors, x->mem);
  alea_marks_init(&x->defined, x->mem);
  return add_rules(x, NULL) && refine(x);
}

void alea_extent_clear(alea_extent *x) {
  alea_functors_clear(&x->functors);
  alea_marks_clear(&x->defined);
  alea_vec_clear(x->mem, &x->first_position);
  alea_vec_clear(x->mem, &x->positions);
  alea_vec_clear(x->mem, &x->members);
  alea_vec_clear(x->mem, &x->edges);
  alea_vec_clear(x->mem, &x->head);
  alea_vec_clear(x->mem, &x->body);
  alea_vec_clear(x->mem, &x->terms);
  alea_hash_words_clear(&x->known, x->mem);
}

bool alea_extent_mismatch(alea_extent *x, alea_rule_node_id atom, uint32_t *index) {
  *index = ALEA_NO_FUNCTOR;
  x->terms.count = 0;
  uint32_t predicate = alea_extent_predicate(x, atom);
  if (predicate == ALEA_NO_FUNCTOR) return false;
  if (!alea_marks_has(&x->defined, predicate)) return true;
  if (!alea_extent_spread(x, atom, &x->terms)) return false;
  for (size_t i = 0; i < x->terms.count; i++) {
    alea_extent_term term = x->terms.data[i];
    if (x->program->nodes.data[term.node].kind == ALEA_NODE_VARIABLE) continue;
    if (x->positions.data[term.position].count == 0) continue;
    uint32_t element = alea_extent_element(x, term.node);
    if (element == ALEA_NO_FUNCTOR) return false;
    if (alea_extent_has(x, term.position, element)) continue;
    *index = (uint32_t)i;
    return true;
  }
  return true;
}
