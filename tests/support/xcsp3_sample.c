#include "support/xcsp3_sample.h"

#include <stdio.h>
#include <string.h>

#include "cmocka_all.h"
#include "csp/json.h"
#include "csp/xcsp3/xcsp3.h"

enum { ROUNDS = 16 };

int sample_below(xcsp3_sample *s, int n) { return (int)alea_rng_below(&s->rng, (uint32_t)n); }
int sample_value(xcsp3_sample *s) { return s->lo + sample_below(s, s->hi - s->lo + 1); }

void sample_put(xcsp3_sample *s, const char *format, ...) {
  char text[2048];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  alea_text_put(&s->text, text);
}

void sample_put_numbers(xcsp3_sample *s, const char *name, const int *numbers, int count) {
  sample_put(s, "<%s>", name);
  for (int i = 0; i < count; i++) sample_put(s, " %d", numbers[i]);
  sample_put(s, " </%s>", name);
}

int sample_any_operand(xcsp3_sample *s, int most) {
  return sample_below(s, 2) ? sample_below(s, SAMPLE_VARS) : -1 - sample_below(s, most + 1);
}
int sample_operand(const int *x, int v) { return v >= 0 ? x[v] : -1 - v; }
void sample_put_operand(xcsp3_sample *s, int v) {
  if (v >= 0)
    sample_put(s, " x[%d]", v);
  else
    sample_put(s, " %d", -1 - v);
}

bool sample_relate(int op, long a, long b) {
  switch (op) {
    case 0: return a < b;
    case 1: return a <= b;
    case 2: return a >= b;
    case 3: return a > b;
    case 4: return a == b;
    default: return a != b;
  }
}
const char *const sample_ops[6] = {"lt", "le", "ge", "gt", "eq", "ne"};

bool sample_holds(const xcsp3_cond *c, const int *x, long a) {
  bool in = a == c->set[0] || a == c->set[1] || a == c->set[2];
  if (c->kind < 6) return sample_relate(c->kind, a, c->var >= 0 ? x[c->var] : c->value);
  if (c->kind < 8) return in == (c->kind == 6);
  return (a >= c->lo && a <= c->hi) == (c->kind == 8);
}

void sample_make_cond(xcsp3_sample *s, xcsp3_cond *c, int lo, int hi) {
  *c = (xcsp3_cond){.kind = sample_below(s, 10),
                    .var = sample_below(s, 3) == 0 ? sample_below(s, SAMPLE_VARS) : -1};
  c->value = lo + sample_below(s, hi - lo + 1);
  c->lo = lo + sample_below(s, hi - lo + 1);
  c->hi = c->lo + sample_below(s, 3);
  for (int i = 0; i < 3; i++) c->set[i] = lo + sample_below(s, hi - lo + 1);
}

void sample_put_cond(xcsp3_sample *s, const xcsp3_cond *c) {
  sample_put(s, "<condition> ");
  if (c->kind < 6 && c->var >= 0)
    sample_put(s, "(%s,x[%d])", sample_ops[c->kind], c->var);
  else if (c->kind < 6)
    sample_put(s, "( %s , %d )", sample_ops[c->kind], c->value);
  else if (c->kind < 8)
    sample_put(s, "(%s,{%d,%d,%d})", c->kind == 6 ? "in" : "notin", c->set[0], c->set[1],
               c->set[2]);
  else
    sample_put(s, "(%s,%d..%d)", c->kind == 8 ? "in" : "notin", c->lo, c->hi);
  sample_put(s, " </condition>");
}

int sample_occurrences(const int *x, int count, int value) {
  int n = 0;
  for (int i = 0; i < count; i++) n += x[i] == value;
  return n;
}

static uint64_t oracle(const xcsp3_kind *k, const xcsp3_sample *s) {
  int x[SAMPLE_VARS];
  uint64_t count = 0;
  for (int i = 0; i < SAMPLE_VARS; i++) x[i] = s->lo;
  for (;;) {
    count += k->accept(s, x);
    int i = SAMPLE_VARS;
    while (i > 0 && ++x[i - 1] > s->hi) x[--i] = s->lo;
    if (i == 0) return count;
  }
}

uint64_t sample_solutions(const alea_csp *csp, alea_csp_options options) {
  alea_csp_result result;
  options.goal = ALEA_CSP_COUNT;
  alea_csp_solve(csp, &options, &result);
  assert_true(result.status == ALEA_OK || result.status == ALEA_NO);
  assert_int_equal(result.self_check_errors, 0);
  return result.solutions;
}

void sample_compare(const xcsp3_sample *s, const char *what, uint64_t found, uint64_t expected) {
  if (found != expected)
    fail_msg("%s: %d solutions, not %d\n%s", what, (int)found, (int)expected,
             alea_text_string(&s->text));
}

static void read_again(alea_mem *mem, const xcsp3_sample *s, const alea_csp *csp,
                       uint64_t expected) {
  alea_text text;
  alea_status status;
  alea_xcsp3 again;
  alea_text_init(&text, mem);
  assert_int_equal(alea_xcsp3_write(csp, NULL, &text), ALEA_OK);
  assert_int_equal(alea_xcsp3_read(&again, mem, text.data, text.length, "again", NULL), ALEA_OK);
  sample_compare(s, "written as XCSP3", sample_solutions(again.csp, (alea_csp_options){0}),
                 expected);
  alea_xcsp3_clear(&again, mem);
  alea_text_clear(&text);
  json_t *root = alea_csp_write_json(csp);
  assert_non_null(root);
  alea_csp *copy = alea_csp_read_json(mem, root, "again", NULL, &status);
  json_decref(root);
  assert_int_equal(status, ALEA_OK);
  sample_compare(s, "written as JSON", sample_solutions(copy, (alea_csp_options){0}), expected);
  alea_csp_free(copy);
}

static void one_round(alea_mem *mem, const xcsp3_kind *k, uint64_t seed) {
  xcsp3_sample s = {.lo = 0, .hi = 3};
  alea_rng_seed_stream(&s.rng, 23, seed);
  bool negative = sample_below(&s, 3) == 0 && strcmp(k->name, "cumulative") != 0 &&
                  strcmp(k->name, "noOverlap") != 0;
  if (negative) {
    s.lo = -1;
    s.hi = 2;
  }
  alea_text_init(&s.text, mem);
  /* y is x once more, in two rows of three */
  sample_put(
      &s,
      "<instance format=\"XCSP3\" type=\"CSP\"><variables><array id=\"x\" size=\"[6]\"> %d..%d "
      "</array><array id=\"y\" size=\"[2][3]\" as=\"x\"/></variables><constraints>",
      s.lo, s.hi);
  for (int i = 0; i < SAMPLE_VARS; i++)
    sample_put(&s, "<intension> eq(x[%d],y[%d][%d]) </intension>", i, i / 3, i % 3);
  k->make(&s);
  sample_put(&s, "</constraints></instance>");
  alea_xcsp3 instance;
  alea_diag diag;
  alea_diag_init(&diag, mem);
  alea_status status = alea_xcsp3_read(&instance, mem, s.text.data, s.text.length, k->name, &diag);
  if (status != ALEA_OK)
    fail_msg("%s: %s\n%s", k->name, diag.entries.count ? diag.entries.data[0].message : "refused",
             s.text.data);
  uint64_t expected = oracle(k, &s);
  sample_compare(&s, k->name,
                 sample_solutions(instance.csp, (alea_csp_options){.self_check = true}), expected);
  sample_compare(&s, "input order",
                 sample_solutions(instance.csp, (alea_csp_options){.order = ALEA_CSP_INPUT,
                                                                   .values = ALEA_CSP_MAX,
                                                                   .simplify = true}),
                 expected);
  read_again(mem, &s, instance.csp, expected);
  alea_xcsp3_clear(&instance, mem);
  alea_diag_clear(&diag);
  alea_text_clear(&s.text);
}

void sample_run(const xcsp3_kind *kinds, int count, int first) {
  alea_mem mem;
  alea_mem_init(&mem, 0);
  for (int k = 0; k < count; k++)
    for (int round = 0; round < ROUNDS; round++)
      one_round(&mem, &kinds[k], (uint64_t)((first + k) * 1000 + round));
  assert_int_equal(mem.used, 0);
}
