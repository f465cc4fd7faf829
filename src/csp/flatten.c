/* Flattening: parts of large expressions become hidden variables, so that sums
 * are linear constraints and what is left has few variables.
 *
 * An operator whose operands have two variables together is kept as it is.
 * Otherwise its operands become variables, and so does the operator itself
 * unless it is the whole expression.  Every part has a value for all values of
 * its variables, else nothing is taken out: an undefined part would make the
 * whole false. */
#include "csp/constraints.h"
#include "csp/expr.h"

enum { FEW_VARIABLES = 3, KEPT_VARIABLES = 2 };

/* Postfix code in which a variable has its number in the network. */
typedef struct flat_part {
  csp_code *code;
  size_t count;
} flat_part;

/* The variables of a part in order of appearance, or the first 'most' of them. */
static uint32_t variables_of(const flat_part *part, alea_csp_var *scope, uint32_t most) {
  uint32_t n = 0;
  for (size_t i = 0; i < part->count && n < most; i++) {
    if (part->code[i].op != CSP_OP_VAR) continue;
    uint32_t k = 0;
    while (k < n && scope[k] != (alea_csp_var)part->code[i].value) k++;
    if (k == n) scope[n++] = (alea_csp_var)part->code[i].value;
  }
  return n;
}

static bool join(alea_csp *csp, const csp_code *op, const flat_part *operands, flat_part *out) {
  size_t count = 1, at = 0;
  for (uint32_t i = 0; i < op->count; i++) count += operands[i].count;
  csp_code *code = csp_alloc(csp, count, sizeof *code);
  if (code == NULL) return false;
  for (uint32_t i = 0; i < op->count; i++) {
    memcpy(&code[at], operands[i].code, operands[i].count * sizeof *code);
    at += operands[i].count;
  }
  code[at] = *op;
  *out = (flat_part){code, count};
  return true;
}

/* The part as an expression over the places of a scope. */
static bool as_expression(alea_csp *csp, const flat_part *part, csp_flat *out) {
  csp_code *code = csp_copy(csp, part->code, part->count, sizeof *code);
  alea_csp_var *scope = csp_alloc(csp, part->count, sizeof *scope);
  if (code == NULL || scope == NULL) return false;
  uint32_t arity = variables_of(part, scope, UINT32_MAX);
  size_t depth = 0, most = 0;
  for (size_t i = 0; i < part->count; i++) {
    bool leaf = code[i].op == CSP_OP_VAR || code[i].op == CSP_OP_CONST;
    depth += leaf ? 1 : 1 - (size_t)code[i].count;
    if (depth > most) most = depth;
    for (uint32_t k = 0; k < arity && code[i].op == CSP_OP_VAR; k++)
      if (scope[k] == (alea_csp_var)part->code[i].value) code[i].value = k;
  }
  *out = (csp_flat){{part->count, code, most}, scope, arity};
  return true;
}

static bool is_flag(const alea_csp *csp, const flat_part *part) {
  if (part->count != 1 || part->code[0].op != CSP_OP_VAR) return false;
  const csp_variable *var = &csp->vars.data[part->code[0].value];
  return csp_value(var, 0) >= 0 && csp_value(var, var->size - 1) <= 1;
}

/* Conjunctions and disjunctions of flags are their minimum and maximum. */
static alea_csp_var extremum(alea_csp *csp, const csp_code *op, const flat_part *operands) {
  if (op->op != CSP_OP_AND && op->op != CSP_OP_OR) return ALEA_CSP_NONE;
  alea_csp_var *flags = csp_alloc(csp, op->count, sizeof *flags);
  for (uint32_t i = 0; i < op->count; i++) {
    if (flags == NULL || !is_flag(csp, &operands[i])) return ALEA_CSP_NONE;
    flags[i] = (alea_csp_var)operands[i].code[0].value;
  }
  alea_csp_var result = alea_csp_range(csp, "$flag", 0, 1);
  if (result == ALEA_CSP_NONE) return result;
  alea_csp_hide(csp, result);
  if (op->op == CSP_OP_AND)
    alea_csp_minimum(csp, flags, op->count, result);
  else
    alea_csp_maximum(csp, flags, op->count, result);
  return result;
}

static bool make_leaf(alea_csp *csp, flat_part *part, alea_csp_var var) {
  csp_code *code = csp_alloc(csp, 1, sizeof *code);
  if (code == NULL || var == ALEA_CSP_NONE) return false;
  *code = (csp_code){CSP_OP_VAR, 0, var};
  *part = (flat_part){code, 1};
  return true;
}

static bool take_out(alea_csp *csp, flat_part *part) {
  csp_flat flat;
  if (part->count == 1) return true;
  return as_expression(csp, part, &flat) &&
         make_leaf(csp, part, csp_expr_view(csp, &flat.expr, flat.scope, flat.arity));
}

/* Applies an operator to parts; 'whole' if it is the root. */
static bool apply(alea_csp *csp, const csp_code *op, flat_part *operands, bool whole,
                  flat_part *out) {
  alea_csp_var few[KEPT_VARIABLES + 1];
  if (!join(csp, op, operands, out)) return false;
  if (variables_of(out, few, KEPT_VARIABLES + 1) <= KEPT_VARIABLES) return true;
  for (uint32_t i = 0; i < op->count; i++)
    if (!take_out(csp, &operands[i])) return false;
  if (!join(csp, op, operands, out)) return false;
  if (whole || variables_of(out, few, KEPT_VARIABLES + 1) <= KEPT_VARIABLES) return true;
  alea_csp_var flag = extremum(csp, op, operands);
  return flag != ALEA_CSP_NONE ? make_leaf(csp, out, flag) : take_out(csp, out);
}

static bool always_defined(const csp_expr *expr) {
  for (size_t i = 0; i < expr->count; i++) switch (expr->code[i].op) {
      case CSP_OP_DIV:
      case CSP_OP_MOD:
      case CSP_OP_POW:
      case CSP_OP_IN:
      case CSP_OP_NOTIN:
      case CSP_OP_SET: return false;
      default: break;
    }
  return true;
}

bool csp_flatten(alea_csp *csp, csp_flat *flat) {
  const csp_expr *expr = &flat->expr;
  if (flat->arity <= FEW_VARIABLES || !always_defined(expr)) return false;
  flat_part *stack = csp_alloc(csp, expr->depth + 1, sizeof *stack);
  csp_code *leaves = csp_copy(csp, expr->code, expr->count, sizeof *leaves);
  size_t top = 0, before = csp->vars.count;
  if (stack == NULL || leaves == NULL) return false;
  for (size_t i = 0; i < expr->count; i++) {
    flat_part part = {&leaves[i], 1};
    if (leaves[i].op == CSP_OP_VAR) {
      leaves[i].value = flat->scope[leaves[i].value];
    } else if (leaves[i].op != CSP_OP_CONST) {
      top -= leaves[i].count;
      if (!apply(csp, &leaves[i], &stack[top], i + 1 == expr->count, &part)) return false;
    }
    stack[top++] = part;
  }
  return csp->vars.count > before && as_expression(csp, &stack[0], flat);
}
