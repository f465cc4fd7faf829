#ifndef ALEA_GDL_REPORT_H
#define ALEA_GDL_REPORT_H

/* All problems that a rulesheet can have, as one table.
 *
 * A code that is a warning for play and an error under --strict marks a text
 * that is not valid GDL but has a sensible reading.  tests/malformed has a file
 * for every code. */

#include "base/diag.h"

#define ALEA_GDL_CODES(X)                                                                          \
  /* name, text, for play, strict, meaning */                                                      \
  X(NUL_BYTE, "nul-byte", ERROR, ERROR, "the text holds a NUL byte")                               \
  X(TOO_LONG, "too-long", ERROR, ERROR, "the text is longer than the limit")                       \
  X(TOO_DEEP, "too-deep", ERROR, ERROR, "parentheses are nested deeper than the limit")            \
  X(TOO_LARGE, "too-large", ERROR, ERROR, "expanding a rule exceeds the limits")                   \
  X(UNBALANCED, "unbalanced-parenthesis", ERROR, ERROR, "a parenthesis lacks its partner")         \
  X(HRF_SYNTAX, "hrf-syntax", ERROR, ERROR, "infix text that is not a clause")                     \
  X(EMPTY_LIST, "empty-list", ERROR, ERROR, "the list ()")                                         \
  X(BAD_OPERATOR, "bad-operator", ERROR, ERROR, "a list that does not begin with a name")          \
  X(MALFORMED_RULE, "malformed-rule", ERROR, ERROR, "a rule without a head, or another arrow")     \
  X(MALFORMED_HEAD, "malformed-head", ERROR, ERROR, "a head that is not a plain sentence")         \
  X(MALFORMED_LITERAL, "malformed-literal", ERROR, ERROR, "a condition that is none")              \
  X(BARE_CONNECTIVE, "bare-connective", WARNING, ERROR, "`not p` instead of `(not p)`")            \
  X(EMPTY_CONNECTIVE, "empty-connective", WARNING, ERROR, "`(or)` or `(and)`")                     \
  X(AND_IN_BODY, "and-in-body", WARNING, ERROR, "`and`, which is not a word of GDL")               \
  X(NEGATED_CONNECTIVE, "negated-connective", WARNING, ERROR,                                      \
    "`not` applied to something other than a plain sentence")                                      \
  X(EMPTY_BODY, "empty-body", WARNING, WARNING, "a rule without conditions")                       \
  X(NO_ROLE, "no-role", ERROR, ERROR, "nobody plays")                                              \
  X(BAD_ROLE, "bad-role", ERROR, ERROR, "a role that is not a plain name")                         \
  X(ROLE_RULE, "role-rule", WARNING, ERROR, "roles given by a rule instead of facts")              \
  X(ROLE_UNKNOWN, "role-unknown", ERROR, ERROR, "a rule for roles that cannot be evaluated")       \
  X(DUPLICATE_ROLE, "duplicate-role", WARNING, WARNING, "a role named twice")                      \
  X(NO_INIT, "no-init", WARNING, WARNING, "the first state is empty")                              \
  X(NO_NEXT, "no-next", WARNING, WARNING, "all later states are empty")                            \
  X(NO_LEGAL, "no-legal", WARNING, ERROR, "nobody can move")                                       \
  X(NO_GOAL, "no-goal", WARNING, ERROR, "nobody can win")                                          \
  X(NO_TERMINAL, "no-terminal", WARNING, ERROR, "the game never ends")                             \
  X(ROLE_WITHOUT_LEGAL, "role-without-legal", WARNING, WARNING, "a role that can never move")      \
  X(ROLE_WITHOUT_GOAL, "role-without-goal", WARNING, WARNING, "a role that has no goal")           \
  X(GOAL_VALUE, "goal-value", WARNING, ERROR, "a goal that is not a number from 0 to 100")         \
  X(KEYWORD_PLACEMENT, "keyword-placement", WARNING, ERROR,                                        \
    "a word of the language where it has no meaning")                                              \
  X(KEYWORD_DEFINED, "keyword-defined", ERROR, ERROR, "a definition of `true` or `does`")          \
  X(KEYWORD_ARITY, "keyword-arity", WARNING, ERROR,                                                \
    "a word of the language with the wrong number of arguments")                                   \
  X(KEYWORD_AS_TERM, "keyword-as-term", WARNING, ERROR,                                            \
    "a word of the language as the name of a thing")                                               \
  X(KEYWORD_DEPENDENCY, "keyword-dependency", WARNING, ERROR,                                      \
    "`init` depends on the state, or `legal`, `goal`, `terminal` on the moves")                    \
  X(ARITY_MISMATCH, "arity-mismatch", WARNING, ERROR,                                              \
    "a relation with different numbers of arguments")                                              \
  X(FUNCTION_ARITY, "function-arity", WARNING, WARNING,                                            \
    "a function with different numbers of arguments")                                              \
  X(NAME_CLASH, "name-clash", WARNING, WARNING, "one name for a relation and a function")          \
  X(ZERO_ARITY_LIST, "zero-arity-list", WARNING, WARNING, "`(p)` where `p` is meant")              \
  X(UNDEFINED_RELATION, "undefined-relation", WARNING, WARNING, "a condition that never holds")    \
  X(STRAY_WORD, "stray-word", WARNING, WARNING, "a word by itself, such as a comment's")           \
  X(QUOTED_NAME, "quoted-name", WARNING, WARNING, "a name in quotes, which belong to it")          \
  X(PUNCTUATION, "punctuation", WARNING, WARNING, "a comma or bracket, which belongs to a name")   \
  X(ARITHMETIC, "arithmetic", WARNING, WARNING,                                                    \
    "a term such as `(+ ?n 1)`, which is not calculated")                                          \
  X(LEGAL_IN_NEXT, "legal-in-next", WARNING, WARNING, "a next state by what might have been done") \
  X(DISTINCT_EQUAL, "distinct-equal", WARNING, WARNING, "`distinct` of one term and itself")       \
  X(CASE_DUPLICATE, "case-duplicate", WARNING, WARNING,                                            \
    "a sentence that another one is, but for the case of letters")                                 \
  X(UNUSED_RELATION, "unused-relation", WARNING, WARNING, "a relation that no rule asks for")      \
  X(NEVER_TRUE, "never-true", WARNING, WARNING, "a fluent that no rule produces")                  \
  X(NEVER_LEGAL, "never-legal", WARNING, WARNING, "a move that no rule for `legal` allows")        \
  X(NEVER_MATCHES, "never-matches", WARNING, WARNING, "a name that never occurs in its place")     \
  X(NEVER_MEETS, "never-meets", WARNING, WARNING,                                                  \
    "a variable in two places that have no value in common")                                       \
  X(NEVER_USED, "never-used", WARNING, WARNING, "a fluent that no condition asks for")             \
  X(NEVER_APPLIES, "never-applies", WARNING, WARNING,                                              \
    "a rule for `goal` or `terminal` with a condition that never holds")                           \
  X(NOT_A_ROLE, "not-a-role", WARNING, WARNING, "a player that no `role` names")                   \
  X(UNSAFE_VARIABLE, "unsafe-variable", WARNING, ERROR, "a variable that no condition binds")      \
  X(UNBOUNDED_DOMAIN, "unbounded-domain", WARNING, ERROR,                                          \
    "an unsafe variable for which infinitely many terms fit")                                      \
  X(UNSTRATIFIED, "unstratified-negation", WARNING, ERROR,                                         \
    "a relation that depends on its own negation")                                                 \
  X(RECURSION, "recursion-restriction", WARNING, ERROR,                                            \
    "a recursion that may build ever larger terms")

typedef enum alea_code {
#define ALEA_CODE_ENUM(name, text, play, strict, meaning) ALEA_CODE_##name,
  ALEA_GDL_CODES(ALEA_CODE_ENUM)
#undef ALEA_CODE_ENUM
      ALEA_CODE_COUNT
} alea_code;

const char *alea_code_text(alea_code code);
alea_severity alea_code_severity(alea_code code, bool strict);
const char *alea_code_meaning(alea_code code);

/* The destination of reports on one text. */
typedef struct alea_reporter {
  alea_diag *diag; /* may be NULL */
  const char *file;
  bool strict;
  size_t errors; /* reported so far */
} alea_reporter;

void alea_report(alea_reporter *reporter, alea_code code, uint32_t line, uint32_t column,
                 const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Sorts the entries of 'diag' from number 'first' on by place. */
void alea_report_sort(alea_diag *diag, size_t first);

#endif
