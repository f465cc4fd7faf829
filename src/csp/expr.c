/* Reading and evaluating expressions. */
#include "csp/expr.h"

#include <ctype.h>
#include <stdlib.h>

static const struct {
  const char *name;
  uint32_t least, most;
} operators[] = {
#define X(id, name, least, most) {name, least, most},
    CSP_OPERATORS(X)
#undef X
};
enum { OPERATORS = sizeof operators / sizeof *operators, MAX_MEMBERS = 1 << 16 };

/* ---- reading ---- */

typedef struct open_call {
  csp_operator op;
  uint32_t count;
} open_call;

typedef struct expr_reader {
  alea_csp *csp;
  const char *at;
  alea_place place;
  alea_diag *diag;
  ALEA_VEC(csp_code) code;
  ALEA_VEC(open_call) calls;
  ALEA_VEC(alea_csp_var) scope;
  bool no_memory;
} expr_reader;

static bool mistake(expr_reader *reader, const char *format, const char *what) {
  if (reader->no_memory) return false;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  alea_diag_error(reader->diag, reader->place, "bad-expression", format, what);
#pragma GCC diagnostic pop
  return false;
}

static bool push(expr_reader *reader, csp_code code) {
  if (!alea_vec_push(reader->csp->mem, &reader->code, code)) reader->no_memory = true;
  if (reader->calls.count > 0) reader->calls.data[reader->calls.count - 1].count++;
  return !reader->no_memory;
}

static void skip_space(expr_reader *reader) {
  while (isspace((unsigned char)*reader->at)) reader->at++;
}

/* lo..hi inside a set, or in its place: all its members. */
static bool read_range(expr_reader *reader, long long lo) {
  char *end;
  const char *from = reader->at + 2;
  long long hi = strtoll(from, &end, 10);
  open_call call = reader->calls.count > 0 ? reader->calls.data[reader->calls.count - 1]
                                           : (open_call){CSP_OP_CONST, 0};
  bool inside = call.op == CSP_OP_SET ||
                ((call.op == CSP_OP_IN || call.op == CSP_OP_NOTIN) && call.count == 1);
  if (!inside || end == from || lo > hi || hi > INT32_MAX || hi - lo > MAX_MEMBERS ||
      csp_is_symbol(reader->csp, hi))
    return mistake(reader, "a range is malformed or too large near '%.20s'", from);
  reader->at = end;
  for (long long value = lo; value <= hi; value++)
    if (!push(reader, (csp_code){CSP_OP_CONST, 0, value})) return false;
  return true;
}

static bool read_number(expr_reader *reader) {
  char *end;
  long long value = strtoll(reader->at, &end, 10);
  if (end == reader->at || value > INT32_MAX || value <= INT32_MIN ||
      csp_is_symbol(reader->csp, value))
    return mistake(reader, "a number is malformed or too large near '%.20s'", reader->at);
  reader->at = end;
  if (strncmp(end, "..", 2) == 0) return read_range(reader, value);
  return push(reader, (csp_code){CSP_OP_CONST, 0, value});
}

static bool push_variable(expr_reader *reader, const char *name) {
  alea_csp_var var = alea_csp_find(reader->csp, name);
  if (var == ALEA_CSP_NONE) {
    int32_t symbol = csp_symbol_find(reader->csp, name, strlen(name));
    if (symbol != ALEA_CSP_STAR) return push(reader, (csp_code){CSP_OP_CONST, 0, symbol});
  }
  if (var == ALEA_CSP_NONE) return mistake(reader, "unknown variable or operator '%s'", name);
  reader->csp->vars.data[var].mentioned = true;
  size_t position = 0;
  while (position < reader->scope.count && reader->scope.data[position] != var) position++;
  if (position == reader->scope.count && !alea_vec_push(reader->csp->mem, &reader->scope, var)) {
    reader->no_memory = true;
    return false;
  }
  return push(reader, (csp_code){CSP_OP_VAR, 0, (int64_t)position});
}

static bool open_operator(expr_reader *reader, const char *name) {
  for (int op = 0; op < OPERATORS; op++) {
    if (strcmp(operators[op].name, name) != 0) continue;
    bool in_parent =
        reader->calls.count > 0 && (reader->calls.data[reader->calls.count - 1].op == CSP_OP_IN ||
                                    reader->calls.data[reader->calls.count - 1].op == CSP_OP_NOTIN);
    if (op == CSP_OP_SET && !in_parent)
      return mistake(reader, "'%s' is only understood as the second operand of in or notin", name);
    if (!alea_vec_push(reader->csp->mem, &reader->calls, (open_call){(csp_operator)op, 0}))
      reader->no_memory = true;
    return !reader->no_memory;
  }
  return mistake(reader, "unknown operator '%s'", name);
}

static bool read_name(expr_reader *reader) {
  char name[256];
  size_t length = 0;
  while (isalnum((unsigned char)*reader->at) || strchr("_[]-.$", *reader->at) != NULL) {
    if (*reader->at == '\0' || length + 1 >= sizeof name) break;
    name[length++] = *reader->at++;
  }
  name[length] = '\0';
  if (length == 0) return mistake(reader, "an operand is missing near '%.20s'", reader->at);
  skip_space(reader);
  if (*reader->at != '(') return push_variable(reader, name);
  reader->at++;
  return open_operator(reader, name);
}

/* Closes the innermost call; the operands of a set become operands of 'in'. */
static bool close_call(expr_reader *reader) {
  if (reader->calls.count == 0) return mistake(reader, "a ')' too many%s", "");
  open_call call = reader->calls.data[--reader->calls.count];
  if (call.op == CSP_OP_SET) {
    reader->calls.data[reader->calls.count - 1].count += call.count;
    return true;
  }
  if (call.count < operators[call.op].least ||
      (operators[call.op].most != 0 && call.count > operators[call.op].most))
    return mistake(reader, "wrong number of operands for '%s'", operators[call.op].name);
  return push(reader, (csp_code){call.op, call.count, 0});
}

/* After a finished operand: closing brackets, then a comma or the end. */
static bool read_tail(expr_reader *reader, bool *done) {
  for (;;) {
    skip_space(reader);
    if (*reader->at == ')') {
      reader->at++;
      if (!close_call(reader)) return false;
      continue;
    }
    *done = *reader->at == '\0';
    if (*done) return reader->calls.count == 0 || mistake(reader, "a ')' is missing%s", "");
    if (*reader->at != ',' || reader->calls.count == 0)
      return mistake(reader, "unexpected text '%.20s'", reader->at);
    reader->at++;
    return true;
  }
}

static bool read_all(expr_reader *reader) {
  bool done = false;
  while (!done) {
    skip_space(reader);
    char c = *reader->at;
    size_t calls = reader->calls.count;
    bool number = c == '-' || c == '+' || isdigit((unsigned char)c);
    if (number ? !read_number(reader) : !read_name(reader)) return false;
    if (reader->calls.count > calls) { /* a call was opened: an operand follows, or ')' */
      skip_space(reader);
      if (*reader->at != ')') continue;
    }
    if (!read_tail(reader, &done)) return false;
  }
  return true;
}

static bool is_symbolic(const expr_reader *reader, const csp_code *code) {
  const alea_csp *csp = reader->csp;
  if (code->op == CSP_OP_CONST) return csp_is_symbol(csp, code->value);
  return code->op == CSP_OP_VAR && csp->vars.data[reader->scope.data[code->value]].symbolic;
}

/* Symbols can only be told apart: what takes one as an operand is eq, ne, in or
 * notin.  Operands of a call are the results just before it. */
static bool check_symbols(expr_reader *reader) {
  ALEA_VEC(bool) results = {0}; /* whether each is a symbol */
  bool good = true;
  for (size_t i = 0; i < reader->code.count && good; i++) {
    const csp_code *code = &reader->code.data[i];
    bool equality = code->op == CSP_OP_EQ || code->op == CSP_OP_NE || code->op == CSP_OP_IN ||
                    code->op == CSP_OP_NOTIN;
    for (uint32_t k = 0; k < code->count && good; k++)
      if (results.data[--results.count] && !equality)
        good = mistake(reader, "'%s' of a symbol", operators[code->op].name);
    if (good && !alea_vec_push(reader->csp->mem, &results, is_symbolic(reader, code)))
      good = !(reader->no_memory = true);
  }
  alea_vec_clear(reader->csp->mem, &results);
  return good;
}

static size_t stack_depth(const csp_code *code, size_t count) {
  size_t depth = 0, most = 0;
  for (size_t i = 0; i < count; i++) {
    depth = depth + 1 - code[i].count;
    if (depth > most) most = depth;
  }
  return most;
}

alea_status csp_expr_read(alea_csp *csp, const char *text, alea_place place, alea_diag *diag,
                          csp_expr *expr, const alea_csp_var **scope, uint32_t *arity) {
  if (csp->state != ALEA_OK) return csp->state;
  expr_reader reader = {.csp = csp, .at = text, .place = place, .diag = diag};
  alea_status status = ALEA_INPUT;
  if (read_all(&reader) && (csp->symbols.count == 0 || check_symbols(&reader))) {
    expr->count = reader.code.count;
    expr->code = csp_copy(csp, reader.code.data, reader.code.count, sizeof *expr->code);
    *scope = csp_copy(csp, reader.scope.data, reader.scope.count, sizeof **scope);
    *arity = (uint32_t)reader.scope.count;
    expr->depth = stack_depth(reader.code.data, reader.code.count);
    status = csp->state;
  }
  if (reader.no_memory) status = csp_fail(csp, ALEA_SYSTEM);
  alea_vec_clear(csp->mem, &reader.code);
  alea_vec_clear(csp->mem, &reader.calls);
  alea_vec_clear(csp->mem, &reader.scope);
  return status;
}

/* ---- evaluating ---- */

static bool power(int64_t base, int64_t exponent, int64_t *result) {
  *result = 1;
  if (exponent < 0) return false;
  if (base == 0 || base == 1) {
    *result = exponent == 0 ? 1 : base;
    return true;
  }
  for (; exponent > 0; exponent--)
    if (__builtin_mul_overflow(*result, base, result)) return false;
  return true;
}

static bool fold(csp_operator op, int64_t *args, uint32_t count) {
  int64_t *a = args;
  for (uint32_t i = 1; i < count; i++) {
    int64_t b = args[i];
    switch (op) {
      case CSP_OP_ADD:
        if (__builtin_add_overflow(*a, b, a)) return false;
        break;
      case CSP_OP_MUL:
        if (__builtin_mul_overflow(*a, b, a)) return false;
        break;
      case CSP_OP_MIN: *a = *a < b ? *a : b; break;
      case CSP_OP_MAX: *a = *a > b ? *a : b; break;
      case CSP_OP_AND: *a = *a && b; break;
      case CSP_OP_OR: *a = *a || b; break;
      case CSP_OP_XOR: *a = (*a != 0) != (b != 0); break;
      default: break;
    }
  }
  if (op == CSP_OP_AND || op == CSP_OP_OR) *a = *a != 0;
  return true;
}

/* eq: all equal; ne: all different; iff: all with the same truth value. */
static int64_t compare_all(csp_operator op, const int64_t *args, uint32_t count) {
  for (uint32_t i = 1; i < count; i++) {
    if (op == CSP_OP_EQ && args[i] != args[0]) return 0;
    if (op == CSP_OP_IFF && (args[i] != 0) != (args[0] != 0)) return 0;
    for (uint32_t j = 0; j < i && op == CSP_OP_NE; j++)
      if (args[i] == args[j]) return 0;
  }
  return 1;
}

static int64_t member(const int64_t *args, uint32_t count) {
  for (uint32_t i = 1; i < count; i++)
    if (args[i] == args[0]) return 1;
  return 0;
}

static bool divide(csp_operator op, int64_t *a, int64_t b) {
  if (b == 0 || (*a == INT64_MIN && b == -1)) return false;
  *a = op == CSP_OP_DIV ? *a / b : *a % b;
  return true;
}

static bool apply(csp_operator op, int64_t *args, uint32_t count) {
  int64_t *a = args, b = count > 1 ? args[1] : 0;
  switch (op) {
    case CSP_OP_NEG: return !__builtin_sub_overflow(INT64_C(0), *a, a);
    case CSP_OP_ABS: return *a >= 0 || !__builtin_sub_overflow(INT64_C(0), *a, a);
    case CSP_OP_SQR: return !__builtin_mul_overflow(*a, *a, a);
    case CSP_OP_SUB: return !__builtin_sub_overflow(*a, b, a);
    case CSP_OP_DIV:
    case CSP_OP_MOD: return divide(op, a, b);
    case CSP_OP_POW: return power(*a, b, a);
    case CSP_OP_DIST:
      return !__builtin_sub_overflow(*a, b, a) &&
             (*a >= 0 || !__builtin_sub_overflow(INT64_C(0), *a, a));
    case CSP_OP_LT: *a = *a < b; return true;
    case CSP_OP_LE: *a = *a <= b; return true;
    case CSP_OP_GE: *a = *a >= b; return true;
    case CSP_OP_GT: *a = *a > b; return true;
    case CSP_OP_NE:
    case CSP_OP_EQ:
    case CSP_OP_IFF: *a = compare_all(op, args, count); return true;
    case CSP_OP_NOT: *a = !*a; return true;
    case CSP_OP_IMP: *a = !*a || b; return true;
    case CSP_OP_IF: *a = *a ? args[1] : args[2]; return true;
    case CSP_OP_IN: *a = member(args, count); return true;
    case CSP_OP_NOTIN: *a = !member(args, count); return true;
    default: return fold(op, args, count);
  }
}

bool csp_expr_eval(const csp_expr *expr, const int32_t *values, int64_t *stack, int64_t *result) {
  size_t top = 0;
  for (size_t i = 0; i < expr->count; i++) {
    const csp_code *code = &expr->code[i];
    if (code->op == CSP_OP_CONST)
      stack[top++] = code->value;
    else if (code->op == CSP_OP_VAR)
      stack[top++] = values[code->value];
    else {
      top -= code->count;
      if (!apply(code->op, &stack[top], code->count)) return false;
      top++;
    }
  }
  *result = stack[0];
  return true;
}

/* ---- writing ---- */

/* The operands of 'in' after the first one are a set. */
static void join(alea_text *piece, csp_operator op, alea_text *operands, uint32_t count) {
  bool set = op == CSP_OP_IN || op == CSP_OP_NOTIN;
  alea_text_format(piece, "%s(", operators[op].name);
  for (uint32_t k = 0; k < count; k++) {
    if (k > 0) alea_text_char(piece, ',');
    if (k == 1 && set) alea_text_put(piece, "set(");
    alea_text_put(piece, alea_text_string(&operands[k]));
    alea_text_clear(&operands[k]);
  }
  if (set) alea_text_put(piece, count > 1 ? ")" : ",set()");
  alea_text_char(piece, ')');
}

/* Postfix to functional notation, by a stack of text pieces. */
bool csp_expr_write(const csp_expr *expr, const alea_csp_var *scope, const char *const *names,
                    alea_mem *mem, alea_text *text) {
  ALEA_VEC(alea_text) stack = {0};
  bool good = true;
  for (size_t i = 0; i < expr->count && good; i++) {
    const csp_code *code = &expr->code[i];
    alea_text piece;
    alea_text_init(&piece, mem);
    if (code->op == CSP_OP_CONST) {
      alea_text_format(&piece, "%lld", (long long)code->value);
    } else if (code->op == CSP_OP_VAR) {
      alea_text_put(&piece, names[scope[code->value]]);
    } else {
      stack.count -= code->count;
      join(&piece, code->op, &stack.data[stack.count], code->count);
    }
    good = !piece.failed && alea_vec_push(mem, &stack, piece);
    if (!good) alea_text_clear(&piece);
  }
  if (good) alea_text_put(text, alea_text_string(&stack.data[0]));
  for (size_t i = 0; i < stack.count; i++) alea_text_clear(&stack.data[i]);
  alea_vec_clear(mem, &stack);
  return good;
}
