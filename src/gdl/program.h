#ifndef ALEA_GDL_PROGRAM_H
#define ALEA_GDL_PROGRAM_H

/* A rulesheet in normal form, the input of the grounder and the prover.
 *
 * The reader turns KIF or HRF text into S-expressions with places
 * (gdl/sexpr.h); alea_program_new turns those into rules
 *
 *     head <= literal, literal, ...
 *
 * where a literal is an atom, a negated atom, or "two terms differ".  What
 * the normal form guarantees to its readers:
 *
 *   - `or`, `and`, nested `not`, `(not (distinct ..))` are gone: expanded, or
 *     moved into auxiliary predicates named `aux-N` where the expansion would
 *     exceed 64 rules; equal terms were substituted;
 *   - every variable of a rule occurs in a positive literal of its body.
 *     Unsafe rules get a sensible reading, with a warning: an unbound
 *     variable under `not` reads "there is no" (an auxiliary predicate
 *     projects it away), an unbound role variable in the head of
 *     legal/goal/sees/input is bounded by `role`, any other unbound head
 *     variable by an auxiliary predicate that lists the domain of the argument
 *     (the rule is left out if that is infinite), and a `distinct` with an
 *     unbound variable is dropped;
 *   - a predicate is a name together with a number of arguments; `p` and
 *     `(p)` are the same predicate of no arguments.  `true` with two
 *     arguments is thus an ordinary predicate;
 *   - a fact is a rule with an empty body, and ground.
 *
 * The order of rules and of body literals is that of the text.  A program is
 * immutable once built and owns everything it points to. */

#include "base/diag.h"
#include "base/symbols.h"
#include "base/terms.h"
#include "gdl/sexpr.h"

/* The words of the language have fixed symbols, the same in every program. */
/* clang-format off */
#define ALEA_GDL_WORDS(word)                                                           \
  word(ROLE, "role") word(INIT, "init") word(TRUE, "true") word(DOES, "does")          \
  word(LEGAL, "legal") word(NEXT, "next") word(TERMINAL, "terminal") word(GOAL, "goal") \
  word(SEES, "sees") word(BASE, "base") word(INPUT, "input") word(RANDOM, "random")     \
  word(NOT, "not") word(OR, "or") word(AND, "and") word(DISTINCT, "distinct")           \
  word(IMPLIED, "<=")

enum {
#define ALEA_GDL_WORD_ENUM(name, text) ALEA_SYM_##name,
  ALEA_GDL_WORDS(ALEA_GDL_WORD_ENUM)
#undef ALEA_GDL_WORD_ENUM
  ALEA_SYM_FIRST_FREE
};
/* clang-format on */

/* A term of a rule: node number in alea_program.nodes. */
typedef uint32_t alea_rule_node_id;

typedef enum alea_rule_node_kind {
  ALEA_NODE_CONSTANT, /* name */
  ALEA_NODE_VARIABLE, /* variable: 0 .. rule.variable_count-1 */
  ALEA_NODE_LIST,     /* name and arguments, perhaps none */
} alea_rule_node_kind;

typedef struct alea_rule_node {
  uint8_t kind;       /* alea_rule_node_kind */
  uint32_t name;      /* symbol, or the variable's number */
  uint32_t first_arg; /* arguments: program->children.data[first_arg ...] */
  uint32_t arg_count;
  uint32_t line, column;
} alea_rule_node;

typedef enum alea_literal_kind {
  ALEA_LITERAL_TRUE,     /* 'atom' holds */
  ALEA_LITERAL_FALSE,    /* 'atom' does not hold */
  ALEA_LITERAL_DISTINCT, /* terms 'atom' and 'other' differ */
} alea_literal_kind;

typedef struct alea_literal {
  uint8_t kind; /* alea_literal_kind */
  alea_rule_node_id atom;
  alea_rule_node_id other; /* DISTINCT only */
} alea_literal;

/* An atom is a node of kind CONSTANT or LIST whose name is the predicate. */
typedef struct alea_rule {
  alea_rule_node_id head;
  uint32_t first_literal; /* body: program->literals.data[first_literal ...] */
  uint32_t literal_count;
  uint32_t variable_count;
  uint32_t line, column; /* of the rule it came from */
} alea_rule;

typedef struct alea_program {
  alea_mem *mem;
  const char *file;      /* owned copy of the name; used in places */
  alea_symbols *symbols; /* owned; the words above come first */
  alea_terms *terms;     /* owned; ground terms of any reader of the program */
  ALEA_VEC(alea_rule_node) nodes;
  ALEA_VEC(alea_rule_node_id) children;
  ALEA_VEC(alea_literal) literals;
  ALEA_VEC(alea_rule) rules;
  ALEA_VEC(alea_symbol) roles; /* in order of their `role` facts; at least one */
  bool has_sees;
  int random_role; /* index in 'roles' of `random`, or -1 */
  char *file_copy;
} alea_program;

typedef struct alea_program_options {
  size_t max_bytes;   /* of text; 0 = 64 MiB */
  uint32_t max_depth; /* of parentheses; 0 = 256 */
  uint32_t max_rules; /* after expansion; 0 = 1,000,000 */
  bool strict;        /* refuse what is not valid GDL (gdl/check.h) */
  uint32_t max_ways;  /* rules that one rule may become before its `or`s
                         turn into auxiliary predicates; 0 = 64 */
} alea_program_options;

/* Reads 'length' bytes of KIF or HRF text called 'file' (for diagnostics).
 * On success '*program' is owned by the caller; 'diag' may hold warnings.
 * On failure it is NULL, 'diag' says why, and the status is ALEA_INPUT (the
 * text), ALEA_LIMIT (options, memory limit) or ALEA_SYSTEM (no memory).
 * 'options' may be NULL. */
alea_status alea_program_new(alea_program **program, const char *text, size_t length,
                             const char *file, const alea_program_options *options, alea_mem *mem,
                             alea_diag *diag);
void alea_program_free(alea_program *program); /* NULL is a no-op. */

/* The arguments of an atom or list node. */
static inline const alea_rule_node_id *alea_program_args(const alea_program *p,
                                                         alea_rule_node_id n) {
  return p->children.data + p->nodes.data[n].first_arg;
}

/* Append a term or a literal (number in 'literals') as KIF; variables print as ?v0, ?v1, ... */
void alea_program_print_node(const alea_program *program, alea_rule_node_id node, alea_text *out);
void alea_program_print_literal(const alea_program *program, uint32_t index, alea_text *out);

#endif
