#ifndef ALEA_CSP_EXPR_H
#define ALEA_CSP_EXPR_H

/* Expressions in the functional notation of XCSP3, kept in postfix order.
 *
 * An operator takes its operands from a stack, so neither reading nor
 * evaluating recurses. */

#include "csp/core.h"

/* name, minimum and maximum number of operands (0: any) */
/* clang-format off */
#define CSP_OPERATORS(X)                                                                     \
  X(NEG, "neg", 1, 1) X(ABS, "abs", 1, 1) X(SQR, "sqr", 1, 1) X(ADD, "add", 1, 0)            \
  X(SUB, "sub", 2, 2) X(MUL, "mul", 1, 0) X(DIV, "div", 2, 2) X(MOD, "mod", 2, 2)            \
  X(POW, "pow", 2, 2) X(DIST, "dist", 2, 2) X(MIN, "min", 1, 0) X(MAX, "max", 1, 0)          \
  X(LT, "lt", 2, 2) X(LE, "le", 2, 2) X(GE, "ge", 2, 2) X(GT, "gt", 2, 2) X(NE, "ne", 2, 0)  \
  X(EQ, "eq", 2, 0) X(NOT, "not", 1, 1) X(AND, "and", 1, 0) X(OR, "or", 1, 0)                \
  X(XOR, "xor", 2, 0) X(IFF, "iff", 2, 0) X(IMP, "imp", 2, 2) X(IF, "if", 3, 3)              \
  X(IN, "in", 1, 0) X(NOTIN, "notin", 1, 0) X(SET, "set", 0, 0)
/* clang-format on */

typedef enum csp_operator {
#define X(id, name, least, most) CSP_OP_##id,
  CSP_OPERATORS(X)
#undef X
      CSP_OP_CONST,
  CSP_OP_VAR,
} csp_operator;

typedef struct csp_code {
  csp_operator op;
  uint32_t count; /* operands */
  int64_t value;  /* constant, or position in the scope */
} csp_code;

typedef struct csp_expr {
  size_t count;
  const csp_code *code;
  size_t depth; /* largest stack needed */
} csp_expr;

/* Reads 'text' into the arena of 'csp' and its scope (distinct variables, in
 * order of appearance) into '*scope'.  ALEA_INPUT with a diagnostic at 'place'
 * for a mistake. */
alea_status csp_expr_read(alea_csp *csp, const char *text, alea_place place, alea_diag *diag,
                          csp_expr *expr, const alea_csp_var **scope, uint32_t *arity);
/* The value for 'values' in scope order; 'stack' has room for expr->depth.
 * False if it is undefined (division by zero, overflow). */
bool csp_expr_eval(const csp_expr *expr, const int32_t *values, int64_t *stack, int64_t *result);

/* Appends the expression in functional notation; names[i] is variable i of
 * the network.  False if out of memory. */
bool csp_expr_write(const csp_expr *expr, const alea_csp_var *scope, const char *const *names,
                    alea_mem *mem, alea_text *text);

/* The expression of a constraint of the type csp_intension_type. */
const csp_expr *csp_intension_expr(const csp_constraint *constraint);

/* The expression must hold: as the constraint that propagates it best. */
alea_status csp_expr_post(alea_csp *csp, const csp_expr *expr, const alea_csp_var *scope,
                          uint32_t arity);
/* A new hidden variable that equals the expression; ALEA_CSP_NONE if it has too
 * many values. */
alea_csp_var csp_expr_view(alea_csp *csp, const csp_expr *expr, const alea_csp_var *scope,
                           uint32_t arity);

/* An expression with its scope. */
typedef struct csp_flat {
  csp_expr expr;
  const alea_csp_var *scope;
  uint32_t arity;
} csp_flat;

/* Takes parts out of an expression of many variables: a part with two of them
 * stays, a larger one becomes a hidden variable (flatten.c).  False: nothing was
 * taken out. */
bool csp_flatten(alea_csp *csp, csp_flat *flat);

/* A new hidden variable that equals the expression, over the values it can
 * take; ALEA_CSP_NONE with a diagnostic if it cannot be made. */
alea_csp_var csp_expr_variable(alea_csp *csp, const char *text, alea_place place, alea_diag *diag);

#endif
