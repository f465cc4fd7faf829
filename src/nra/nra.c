/* Questions about real numbers, put to Z3. */
#include "nra/nra.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <z3.h>

enum {
  MOST_EXPRESSIONS = 1 << 18, /* of a question */
  STEPS = 2000000,            /* of the solver, in a question: a second or so */
  MOST_VARIABLES = 64,        /* bound by one quantifier */
};

struct alea_nra {
  Z3_context context;
  Z3_sort real;
  uint32_t expressions;
  unsigned variables;
  bool failed;         /* without memory, or an expression that the solver refuses */
  bool has_quantifier; /* in this question */
};

/* Failures show in what the functions return. */
static void ignore(Z3_context context, Z3_error_code code) {
  (void)context;
  (void)code;
}

static bool open_context(alea_nra *nra) {
  Z3_config config = Z3_mk_config();
  if (config == NULL) return false;
  Z3_set_param_value(config, "model", "false");
  nra->context = Z3_mk_context(config);
  Z3_del_config(config);
  if (nra->context == NULL) return false;
  Z3_set_error_handler(nra->context, ignore);
  nra->real = Z3_mk_real_sort(nra->context);
  return nra->real != NULL;
}

alea_nra *alea_nra_new(void) {
  alea_nra *nra = calloc(1, sizeof *nra);
  if (nra == NULL) return NULL;
  if (!open_context(nra)) {
    alea_nra_free(nra);
    return NULL;
  }
  return nra;
}

void alea_nra_free(alea_nra *nra) {
  if (nra == NULL) return;
  if (nra->context != NULL) Z3_del_context(nra->context);
  free(nra);
}

/* A context frees what is in it when it goes itself. */
void alea_nra_begin(alea_nra *nra) {
  if (nra->expressions > MOST_EXPRESSIONS / 4 || nra->context == NULL) {
    if (nra->context != NULL) Z3_del_context(nra->context);
    nra->context = NULL;
    nra->expressions = 0;
  }
  nra->failed = nra->context == NULL && !open_context(nra);
  nra->has_quantifier = false;
  nra->variables = 0;
}

static alea_nra_expr made(alea_nra *nra, Z3_ast expression) {
  bool good = expression != NULL && Z3_get_error_code(nra->context) == Z3_OK;
  if (!good || nra->expressions++ > MOST_EXPRESSIONS) nra->failed = true;
  return nra->failed ? NULL : expression;
}

/* ---- terms ---- */

alea_nra_expr alea_nra_number(alea_nra *nra, double x) {
  if (nra->failed || !isfinite(x)) return NULL;
  char text[64], digits[400];
  int precision = 1;
  do snprintf(text, sizeof text, "%.*e", precision - 1, x);
  while (strtod(text, NULL) != x && ++precision <= 17);
  /* The solver reads no exponents: d.ddde-7 is written out. */
  int exponent = atoi(strchr(text, 'e') + 1), places = precision - 1 - exponent;
  if (places > 320 || exponent > 320) return NULL;
  snprintf(digits, sizeof digits, "%.*f", places > 0 ? places : 0, x);
  return made(nra, Z3_mk_numeral(nra->context, digits, nra->real));
}

alea_nra_expr alea_nra_variable(alea_nra *nra) {
  if (nra->failed) return NULL;
  Z3_symbol name = Z3_mk_int_symbol(nra->context, (int)nra->variables++);
  return made(nra, Z3_mk_const(nra->context, name, nra->real));
}

alea_nra_expr alea_nra_add(alea_nra *nra, alea_nra_expr a, alea_nra_expr b) {
  if (nra->failed || a == NULL || b == NULL) return NULL;
  return made(nra, Z3_mk_add(nra->context, 2, (Z3_ast[]){a, b}));
}

alea_nra_expr alea_nra_mul(alea_nra *nra, alea_nra_expr a, alea_nra_expr b) {
  if (nra->failed || a == NULL || b == NULL) return NULL;
  return made(nra, Z3_mk_mul(nra->context, 2, (Z3_ast[]){a, b}));
}

alea_nra_expr alea_nra_neg(alea_nra *nra, alea_nra_expr a) {
  if (nra->failed || a == NULL) return NULL;
  return made(nra, Z3_mk_unary_minus(nra->context, a));
}

alea_nra_expr alea_nra_pow(alea_nra *nra, alea_nra_expr a, unsigned n) {
  alea_nra_expr power = alea_nra_number(nra, 1);
  for (unsigned i = 0; i < n && power != NULL; i++)
    power = i == 0 ? a : alea_nra_mul(nra, power, a);
  return a != NULL ? power : NULL;
}

/* ---- formulas ---- */

alea_nra_expr alea_nra_truth(alea_nra *nra, bool value) {
  if (nra->failed) return NULL;
  return made(nra, value ? Z3_mk_true(nra->context) : Z3_mk_false(nra->context));
}

alea_nra_expr alea_nra_less(alea_nra *nra, alea_nra_expr a, alea_nra_expr b) {
  if (nra->failed || a == NULL || b == NULL) return NULL;
  return made(nra, Z3_mk_lt(nra->context, a, b));
}

alea_nra_expr alea_nra_equal(alea_nra *nra, alea_nra_expr a, alea_nra_expr b) {
  if (nra->failed || a == NULL || b == NULL) return NULL;
  return made(nra, Z3_mk_eq(nra->context, a, b));
}

alea_nra_expr alea_nra_not(alea_nra *nra, alea_nra_expr a) {
  if (nra->failed || a == NULL) return NULL;
  return made(nra, Z3_mk_not(nra->context, a));
}

static bool all_made(const alea_nra_expr *parts, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (parts[i] == NULL) return false;
  return true;
}

alea_nra_expr alea_nra_and(alea_nra *nra, const alea_nra_expr *parts, size_t count) {
  if (nra->failed || !all_made(parts, count)) return NULL;
  return made(nra, Z3_mk_and(nra->context, (unsigned)count, parts));
}

alea_nra_expr alea_nra_or(alea_nra *nra, const alea_nra_expr *parts, size_t count) {
  if (nra->failed || !all_made(parts, count)) return NULL;
  return made(nra, Z3_mk_or(nra->context, (unsigned)count, parts));
}

alea_nra_expr alea_nra_exists(alea_nra *nra, const alea_nra_expr *variables, size_t count,
                              alea_nra_expr body) {
  Z3_app bound[MOST_VARIABLES];
  if (nra->failed || body == NULL || count > MOST_VARIABLES || !all_made(variables, count))
    return NULL;
  if (count == 0) return body;
  for (size_t i = 0; i < count; i++) bound[i] = Z3_to_app(nra->context, variables[i]);
  nra->has_quantifier = true;
  return made(nra, Z3_mk_exists_const(nra->context, 0, (unsigned)count, bound, 0, NULL, body));
}

/* ---- questions ---- */

static Z3_solver solver_of(alea_nra *nra) {
  const char *name = nra->has_quantifier ? "nlqsat" : "qfnra-nlsat";
  Z3_tactic tactic = Z3_mk_tactic(nra->context, name);
  if (tactic == NULL) return NULL;
  Z3_tactic_inc_ref(nra->context, tactic);
  Z3_solver solver = Z3_mk_solver_from_tactic(nra->context, tactic);
  Z3_tactic_dec_ref(nra->context, tactic);
  if (solver == NULL) return NULL;
  Z3_solver_inc_ref(nra->context, solver);
  Z3_params params = Z3_mk_params(nra->context);
  Z3_params_inc_ref(nra->context, params);
  Z3_params_set_uint(nra->context, params, Z3_mk_string_symbol(nra->context, "rlimit"), STEPS);
  Z3_solver_set_params(nra->context, solver, params);
  Z3_params_dec_ref(nra->context, params);
  return solver;
}

alea_status alea_nra_ask(alea_nra *nra, alea_nra_expr formula, alea_verdict *answer) {
  *answer = ALEA_VERDICT_UNKNOWN;
  if (nra->context == NULL) return ALEA_SYSTEM;
  if (nra->failed || formula == NULL) return ALEA_OK;
  Z3_solver solver = solver_of(nra);
  if (solver == NULL) return ALEA_SYSTEM;
  Z3_solver_assert(nra->context, solver, formula);
  Z3_lbool result = Z3_solver_check(nra->context, solver);
  if (result == Z3_L_TRUE) *answer = ALEA_VERDICT_PROVED;
  if (result == Z3_L_FALSE) *answer = ALEA_VERDICT_REFUTED;
  if (Z3_get_error_code(nra->context) != Z3_OK) *answer = ALEA_VERDICT_UNKNOWN;
  Z3_solver_dec_ref(nra->context, solver);
  return ALEA_OK;
}
