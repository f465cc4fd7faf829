/* Every constraint of XCSP3 that the reader knows, with random parts: the
 * instance must have as many solutions as there are assignments of its
 * variables that the definition of the constraint accepts, also after it was
 * written and read again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "csp/json.h"
#include "csp/xcsp3/xcsp3.h"

enum { N = 6, ROUNDS = 16 };

typedef struct cond {
  int kind; /* 0..5: a relation; 6 in, 7 notin (a set); 8 in, 9 notin (a range) */
  int var;  /* -1: 'value' */
  int value, lo, hi;
  int set[3];
} cond;

/* One random case: what was written, in numbers, for the oracle. */
typedef struct sample {
  alea_rng rng;
  alea_text text;
  int lo, hi;     /* domain of all variables */
  int a[24];      /* numbers */
  int v[N];       /* variables or numbers: v >= 0 is x[v], else the number -1 - v */
  int way, count; /* variant, size */
  bool flag;
  cond c, d;
} sample;

static int below(sample *s, int n) { return (int)alea_rng_below(&s->rng, (uint32_t)n); }
static int value_in(sample *s) { return s->lo + below(s, s->hi - s->lo + 1); }

static void put(sample *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(sample *s, const char *format, ...) {
  char text[2048];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  alea_text_put(&s->text, text);
}

static void put_numbers(sample *s, const char *name, const int *numbers, int count) {
  put(s, "<%s>", name);
  for (int i = 0; i < count; i++) put(s, " %d", numbers[i]);
  put(s, " </%s>", name);
}

/* A variable or a small number. */
static int any_operand(sample *s, int most) {
  return below(s, 2) ? below(s, N) : -1 - below(s, most + 1);
}
static int operand(const int *x, int v) { return v >= 0 ? x[v] : -1 - v; }
static void put_operand(sample *s, int v) {
  if (v >= 0)
    put(s, " x[%d]", v);
  else
    put(s, " %d", -1 - v);
}

static bool relate(int op, long a, long b) {
  switch (op) {
    case 0: return a < b;
    case 1: return a <= b;
    case 2: return a >= b;
    case 3: return a > b;
    case 4: return a == b;
    default: return a != b;
  }
}
static const char *const ops[] = {"lt", "le", "ge", "gt", "eq", "ne"};

static bool holds(const cond *c, const int *x, long a) {
  bool in = a == c->set[0] || a == c->set[1] || a == c->set[2];
  if (c->kind < 6) return relate(c->kind, a, c->var >= 0 ? x[c->var] : c->value);
  if (c->kind < 8) return in == (c->kind == 6);
  return (a >= c->lo && a <= c->hi) == (c->kind == 8);
}

static void make_cond(sample *s, cond *c, int lo, int hi) {
  *c = (cond){.kind = below(s, 10), .var = below(s, 3) == 0 ? below(s, N) : -1};
  c->value = lo + below(s, hi - lo + 1);
  c->lo = lo + below(s, hi - lo + 1);
  c->hi = c->lo + below(s, 3);
  for (int i = 0; i < 3; i++) c->set[i] = lo + below(s, hi - lo + 1);
}

static void put_cond(sample *s, const cond *c) {
  put(s, "<condition> ");
  if (c->kind < 6 && c->var >= 0)
    put(s, "(%s,x[%d])", ops[c->kind], c->var);
  else if (c->kind < 6)
    put(s, "( %s , %d )", ops[c->kind], c->value);
  else if (c->kind < 8)
    put(s, "(%s,{%d,%d,%d})", c->kind == 6 ? "in" : "notin", c->set[0], c->set[1], c->set[2]);
  else
    put(s, "(%s,%d..%d)", c->kind == 8 ? "in" : "notin", c->lo, c->hi);
  put(s, " </condition>");
}

/* ---- tasks ---- */

static void make_no_overlap(sample *s) {
  s->flag = below(s, 2) != 0;
  s->way = below(s, 2); /* dimensions - 1 */
  for (int i = 0; i < N; i++) s->v[i] = s->way == 0 ? any_operand(s, 2) : -1 - below(s, 3);
  put(s, "<noOverlap%s>", s->flag ? "" : " zeroIgnored=\"false\"");
  if (s->way == 0) { /* three tasks; a length may be a variable */
    put(s, "<origins> x[0..2] </origins><lengths>");
    for (int i = 0; i < 3; i++) put_operand(s, s->v[i]);
    put(s, " </lengths>");
  } else {
    put(s, "<origins>");
    for (int i = 0; i < 3; i++) put(s, " (x[%d],x[%d])", 2 * i, 2 * i + 1);
    put(s, " </origins><lengths>");
    for (int i = 0; i < 3; i++) put(s, "(%d,%d)", -1 - s->v[2 * i], -1 - s->v[2 * i + 1]);
    put(s, "</lengths>");
  }
  put(s, "</noOverlap>");
}

static bool is_no_overlap(const sample *s, const int *x) {
  int k = s->way + 1;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < i; j++) {
      bool apart = false, none = false;
      for (int d = 0; d < k; d++) {
        int a = x[i * k + d], b = x[j * k + d], la = operand(x, s->v[i * k + d]),
            lb = operand(x, s->v[j * k + d]);
        apart = apart || a + la <= b || b + lb <= a;
        none = none || la == 0 || lb == 0;
      }
      if (!apart && !(none && s->flag)) return false;
    }
  return true;
}

static void make_cumulative(sample *s) {
  for (int i = 0; i < 6; i++) s->v[i] = any_operand(s, 2);
  s->a[0] = 1 + below(s, 4);
  s->flag = below(s, 3) == 0; /* ends */
  s->way = below(s, 3);       /* le number, lt number, le variable */
  put(s, "<cumulative><origins> x[0] x[1] x[2] </origins><lengths>");
  for (int i = 0; i < 3; i++) put_operand(s, s->v[i]);
  put(s, " </lengths>");
  if (s->flag) put(s, "<ends> add(x[0],x[5]) 3 x[4] </ends>");
  put(s, "<heights>");
  for (int i = 3; i < 6; i++) put_operand(s, s->v[i]);
  put(s, " </heights><condition> ");
  if (s->way == 2)
    put(s, "(le,x[3])");
  else
    put(s, "(%s,%d)", s->way == 0 ? "le" : "lt", s->a[0]);
  put(s, " </condition></cumulative>");
}

static bool is_cumulative(const sample *s, const int *x) {
  const int ends[3] = {x[0] + x[5], 3, x[4]};
  int limit = s->way == 2 ? x[3] : s->a[0] - (s->way == 1);
  for (int i = 0; i < 3 && s->flag; i++)
    if (x[i] + operand(x, s->v[i]) != ends[i]) return false;
  for (int t = 0; t < 12; t++) {
    int load = 0, tasks = 0;
    for (int i = 0; i < 3; i++)
      if (x[i] <= t && t < x[i] + operand(x, s->v[i])) {
        load += operand(x, s->v[3 + i]);
        tasks++;
      }
    if (tasks > 0 && load > limit) return false;
  }
  return true;
}

/* ---- lists ---- */

static void make_circuit(sample *s) {
  s->count = 3 + below(s, 3);
  s->way = below(s, 3); /* no size, a number, a variable */
  s->a[0] = below(s, 2);
  s->a[1] = 2 + below(s, 3);
  put(s, "<circuit><list startIndex=\"%d\">", s->a[0]);
  for (int i = 0; i < s->count; i++) put(s, " x[%d]", i);
  put(s, " </list>");
  if (s->way == 1) put(s, "<size> %d </size>", s->a[1]);
  if (s->way == 2) put(s, "<size> x[5] </size>");
  put(s, "</circuit>");
}

static bool is_circuit(const sample *s, const int *x) {
  int visited = 0, start = -1, length = 0;
  for (int i = 0; i < s->count; i++) {
    int to = x[i] - s->a[0];
    if (to < 0 || to >= s->count) return false;
    if (to != i) {
      visited++;
      start = i;
    }
  }
  if (start < 0) return false;
  int at = start;
  do {
    at = x[at] - s->a[0];
    length++;
  } while (at != start && length <= s->count);
  if (at != start || length != visited) return false;
  return s->way == 0 || length == (s->way == 1 ? s->a[1] : x[5]);
}

static void make_all_different(sample *s) {
  s->way = below(s, 4);
  s->flag = below(s, 2) != 0;
  s->a[0] = value_in(s);
  s->a[1] = value_in(s);
  if (s->way == 0) {
    put(s,
        "<allDifferent><list> x[0] x[1] </list><list> x[2] x[3] </list><list> x[4] x[1] </list>");
    if (s->flag) put(s, "<except> (%d,%d) </except>", s->a[0], s->a[1]);
  } else if (s->way == 1) {
    put(s, "<allDifferent><matrix> (x[0],x[1],x[2]) (x[3],x[4],x[5]) </matrix>");
    if (s->flag) put(s, "<except> %d %d </except>", s->a[0], s->a[1]);
  } else if (s->way == 2) {
    put(s, "<allDifferent><matrix> y[][] </matrix>");
    if (s->flag) put(s, "<except> %d </except>", s->a[1] = s->a[0]);
  } else {
    put(s, "<allDifferent><list> x[0] add(x[1],1) x[2] neg(x[3]) </list>");
    if (s->flag) put(s, "<except> %d %d </except>", s->a[0], s->a[1]);
  }
  put(s, "</allDifferent>");
}

static bool distinct(const sample *s, const int *x, int count, int step) {
  for (int i = 0; i < count; i++)
    for (int j = 0; j < i; j++) {
      int v = x[i * step];
      if (v == x[j * step] && !(s->flag && (v == s->a[0] || v == s->a[1]))) return false;
    }
  return true;
}

static bool is_all_different(const sample *s, const int *x) {
  if (s->way == 0) {
    const int lists[3][2] = {{x[0], x[1]}, {x[2], x[3]}, {x[4], x[1]}};
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < i; j++)
        if (lists[i][0] == lists[j][0] && lists[i][1] == lists[j][1] &&
            !(s->flag && lists[i][0] == s->a[0] && lists[i][1] == s->a[1]))
          return false;
    return true;
  }
  if (s->way < 3) {
    for (int row = 0; row < 2; row++)
      if (!distinct(s, x + 3 * row, 3, 1)) return false;
    for (int column = 0; column < 3; column++)
      if (!distinct(s, x + column, 2, 3)) return false;
    return true;
  }
  const int view[4] = {x[0], x[1] + 1, x[2], -x[3]};
  return distinct(s, view, 4, 1);
}

static void make_all_equal(sample *s) {
  s->way = below(s, 2);
  if (s->way == 0)
    put(s, "<allEqual> x[0] mul(x[1],2) x[2] </allEqual>");
  else
    put(s, "<allEqual><list> x[0] x[1] </list><list> x[2] x[3] </list></allEqual>");
}

static bool is_all_equal(const sample *s, const int *x) {
  if (s->way == 0) return x[0] == 2 * x[1] && x[0] == x[2];
  return x[0] == x[2] && x[1] == x[3];
}

static void make_ordered(sample *s) {
  s->way = below(s, 4);
  s->flag = below(s, 2) != 0;
  s->v[0] = any_operand(s, 1);
  s->v[1] = any_operand(s, 1);
  put(s, "<ordered><list> x[0] x[1] x[2] </list><operator> %s </operator>", ops[s->way]);
  if (s->flag) {
    put(s, "<lengths>");
    put_operand(s, s->v[0]);
    put_operand(s, s->v[1]);
    put(s, " </lengths>");
  }
  put(s, "</ordered>");
}

static bool is_ordered(const sample *s, const int *x) {
  for (int i = 0; i < 2; i++)
    if (!relate(s->way, x[i] + (s->flag ? operand(x, s->v[i]) : 0), x[i + 1])) return false;
  return true;
}

static void make_lex(sample *s) {
  s->way = below(s, 4);
  s->flag = below(s, 2) != 0;
  if (s->flag)
    put(s, "<lex><matrix> y[][] </matrix>");
  else
    put(s, "<lex><list> x[0] x[1] </list><list> x[2] 1 </list><list> x[3] x[4] </list>");
  put(s, "<operator> %s </operator></lex>", ops[s->way]);
}

static bool lex_holds(int op, const int *a, const int *b, int count, int step) {
  for (int i = 0; i < count; i++)
    if (a[i * step] != b[i * step]) return relate(op, a[i * step], b[i * step]);
  return op == 1 || op == 2;
}

static bool is_lex(const sample *s, const int *x) {
  if (s->flag)
    return lex_holds(s->way, x, x + 3, 3, 1) && lex_holds(s->way, x, x + 1, 2, 3) &&
           lex_holds(s->way, x + 1, x + 2, 2, 3);
  const int rows[3][2] = {{x[0], x[1]}, {x[2], 1}, {x[3], x[4]}};
  return lex_holds(s->way, rows[0], rows[1], 2, 1) && lex_holds(s->way, rows[1], rows[2], 2, 1);
}

static void make_precedence(sample *s) {
  s->way = below(s, 3); /* all values, some, some and all of them occur */
  s->a[0] = s->lo + 1;
  s->a[1] = s->lo;
  s->a[2] = s->lo + 2;
  put(s, "<precedence><list> x[0..4] </list>");
  if (s->way > 0)
    put(s, "<values%s> %d %d %d </values>", s->way == 2 ? " covered=\"true\"" : "", s->a[0],
        s->a[1], s->a[2]);
  put(s, "</precedence>");
}

static int first_place(const int *x, int value) {
  for (int i = 0; i < 5; i++)
    if (x[i] == value) return i;
  return 99;
}

static bool is_precedence(const sample *s, const int *x) {
  int values[16], count = 0;
  for (int v = s->lo; v <= s->hi && s->way == 0; v++) values[count++] = v;
  for (int i = 0; i < 3 && s->way > 0; i++) values[count++] = s->a[i];
  for (int i = 0; i + 1 < count; i++) {
    int before = first_place(x, values[i]), after = first_place(x, values[i + 1]);
    if (after != 99 && before > after) return false;
  }
  return s->way != 2 || first_place(x, values[count - 1]) != 99;
}

static void make_instantiation(sample *s) {
  s->a[0] = value_in(s);
  s->a[1] = value_in(s);
  put(s, "<instantiation><list> x[0..3] </list><values> %dx2 * %d </values></instantiation>",
      s->a[0], s->a[1]);
}

static bool is_instantiation(const sample *s, const int *x) {
  return x[0] == s->a[0] && x[1] == s->a[0] && x[3] == s->a[1];
}

/* ---- counting ---- */

static void make_cardinality(sample *s) {
  s->flag = below(s, 2) != 0;
  s->way = below(s, 4); /* how the second value is bounded; 3: the value is a variable */
  s->a[0] = below(s, 3);
  s->a[1] = below(s, 3);
  s->a[2] = s->a[1] + below(s, 3);
  if (s->way == 3) s->flag = false;
  put(s, "<cardinality><list> x[0..3] </list><values closed=\"%s\"> %d ",
      s->flag ? "true" : "false", s->lo);
  if (s->way == 3)
    put(s, "x[5] </values><occurs> %d %d </occurs></cardinality>", s->a[0], s->a[1]);
  else if (s->way == 0)
    put(s, "%d </values><occurs> %d %d </occurs></cardinality>", s->lo + 1, s->a[0], s->a[1]);
  else if (s->way == 1)
    put(s, "%d </values><occurs> %d %d..%d </occurs></cardinality>", s->lo + 1, s->a[0], s->a[1],
        s->a[2]);
  else
    put(s, "%d </values><occurs> %d x[4] </occurs></cardinality>", s->lo + 1, s->a[0]);
}

static int occurrences(const int *x, int count, int value) {
  int n = 0;
  for (int i = 0; i < count; i++) n += x[i] == value;
  return n;
}

static bool is_cardinality(const sample *s, const int *x) {
  int second = occurrences(x, 4, s->way == 3 ? x[5] : s->lo + 1);
  for (int i = 0; i < 4 && s->flag; i++)
    if (x[i] != s->lo && x[i] != s->lo + 1) return false;
  if (occurrences(x, 4, s->lo) != s->a[0]) return false;
  if (s->way == 1) return second >= s->a[1] && second <= s->a[2];
  return second == (s->way == 2 ? x[4] : s->a[1]);
}

static void make_n_values(sample *s) {
  s->flag = below(s, 2) != 0;
  s->a[0] = value_in(s);
  make_cond(s, &s->c, 0, 4);
  put(s, "<nValues><list> x[0] x[1] abs(x[2]) x[3] </list>");
  if (s->flag) put(s, "<except> %d </except>", s->a[0]);
  put_cond(s, &s->c);
  put(s, "</nValues>");
}

static bool is_n_values(const sample *s, const int *x) {
  const int view[4] = {x[0], x[1], abs(x[2]), x[3]};
  int count = 0;
  for (int i = 0; i < 4; i++) {
    bool known = s->flag && view[i] == s->a[0];
    for (int j = 0; j < i; j++) known = known || view[j] == view[i];
    count += !known;
  }
  return holds(&s->c, x, count);
}

static void make_count(sample *s) {
  s->v[0] = below(s, 2) ? 5 : -1 - below(s, 3);
  s->v[1] = -1 - below(s, 3);
  make_cond(s, &s->c, 0, 4);
  put(s, "<count><list> x[0..3] eq(x[4],1) </list><values>");
  put_operand(s, s->v[0]);
  put_operand(s, s->v[1]);
  put(s, " </values>");
  put_cond(s, &s->c);
  put(s, "</count>");
}

static bool is_count(const sample *s, const int *x) {
  const int view[5] = {x[0], x[1], x[2], x[3], x[4] == 1};
  int count = 0;
  for (int i = 0; i < 5; i++)
    count += view[i] == operand(x, s->v[0]) || view[i] == operand(x, s->v[1]);
  return holds(&s->c, x, count);
}

static void make_sum(sample *s) {
  s->way = below(s, 3); /* numbers, variables, none */
  for (int i = 0; i < 4; i++) s->a[i] = below(s, 7) - 3;
  s->v[0] = below(s, N);
  make_cond(s, &s->c, -4, 8);
  put(s, "<sum><list> x[0] x[1] x[2] mul(x[3],x[4]) </list>");
  if (s->way == 0) put_numbers(s, "coeffs", s->a, 4);
  if (s->way == 1) put(s, "<coeffs> %d x[%d] 2x2 </coeffs>", s->a[0], s->v[0]);
  put_cond(s, &s->c);
  put(s, "</sum>");
}

static bool is_sum(const sample *s, const int *x) {
  const int view[4] = {x[0], x[1], x[2], x[3] * x[4]};
  long sum = 0;
  for (int i = 0; i < 4; i++) {
    int weight = s->way == 0   ? s->a[i]
                 : s->way == 2 ? 1
                 : i == 0      ? s->a[0]
                 : i == 1      ? x[s->v[0]]
                               : 2;
    sum += (long)weight * view[i];
  }
  return holds(&s->c, x, sum);
}

static void make_knapsack(sample *s) {
  s->flag = below(s, 2) != 0;
  for (int i = 0; i < 6; i++) s->a[i] = below(s, 4);
  make_cond(s, &s->c, 0, 9);
  make_cond(s, &s->d, 0, 9);
  if (s->flag) s->c = (cond){.kind = 1, .var = -1, .value = s->c.value};
  put(s, "<knapsack><list> x[0..2] </list>");
  put_numbers(s, "weights", s->a, 3);
  if (s->flag)
    put(s, "<limit> %d </limit>", s->c.value);
  else
    put_cond(s, &s->c);
  put_numbers(s, "profits", s->a + 3, 3);
  put_cond(s, &s->d);
  put(s, "</knapsack>");
}

static bool is_knapsack(const sample *s, const int *x) {
  long weight = 0, profit = 0;
  for (int i = 0; i < 3; i++) {
    weight += (long)s->a[i] * x[i];
    profit += (long)s->a[3 + i] * x[i];
  }
  return holds(&s->c, x, weight) && holds(&s->d, x, profit);
}

static void make_bin_packing(sample *s) {
  s->way = below(s, 3);
  for (int i = 0; i < 4; i++) s->a[i] = 1 + below(s, 3);
  make_cond(s, &s->c, 2, 9);
  for (int i = 0; i < 2; i++) s->v[i] = below(s, 3) == 0 ? 4 + i : -1 - (2 + below(s, 5));
  put(s, "<binPacking><list> x[0..3] </list>");
  put_numbers(s, "sizes", s->a, 4);
  if (s->way == 0) {
    put_cond(s, &s->c);
  } else {
    put(s, s->way == 1 ? "<limits startIndex=\"%d\">" : "<loads startIndex=\"%d\">", s->lo + 1);
    put_operand(s, s->v[0]);
    put_operand(s, s->v[1]);
    put(s, s->way == 1 ? " </limits>" : " </loads>");
  }
  put(s, "</binPacking>");
}

static bool is_bin_packing(const sample *s, const int *x) {
  for (int bin = s->lo; bin <= s->hi; bin++) {
    int load = 0, b = bin - s->lo - 1;
    for (int i = 0; i < 4; i++) load += x[i] == bin ? s->a[i] : 0;
    if (s->way == 0) {
      if (!holds(&s->c, x, load)) return false;
      continue;
    }
    if (b < 0 || b > 1) {
      if (load > 0) return false;
      continue;
    }
    if (!relate(s->way == 1 ? 1 : 4, load, operand(x, s->v[b]))) return false;
  }
  return true;
}

/* ---- picking ---- */

static void make_extremum(sample *s) {
  s->flag = below(s, 2) != 0;
  s->way = below(s, 4); /* 1..3: with an index of rank any, first, last */
  make_cond(s, &s->c, s->lo, s->hi);
  const char *name = s->flag ? "maximum" : "minimum";
  static const char *const ranks[] = {"any", "first", "last"};
  put(s, "<%s><list startIndex=\"1\"> x[0] sub(x[1],1) x[2] </list>", name);
  if (s->way > 0) put(s, "<index rank=\"%s\"> x[4] </index>", ranks[s->way - 1]);
  put_cond(s, &s->c);
  put(s, "</%s>", name);
}

/* The extremum and whether place i holds it, with the rank. */
static int extremum(const int *view, int count, bool maximum) {
  int best = view[0];
  for (int i = 1; i < count; i++)
    if (maximum ? view[i] > best : view[i] < best) best = view[i];
  return best;
}

static bool at_place(const int *view, int count, int place, int value, int rank) {
  if (place < 0 || place >= count || view[place] != value) return false;
  for (int i = 0; i < count; i++)
    if (view[i] == value && ((rank == 1 && i < place) || (rank == 2 && i > place))) return false;
  return true;
}

static bool is_extremum(const sample *s, const int *x) {
  const int view[3] = {x[0], x[1] - 1, x[2]};
  int best = extremum(view, 3, s->flag);
  if (!holds(&s->c, x, best)) return false;
  return s->way == 0 || at_place(view, 3, x[4] - 1, best, s->way - 1);
}

static void make_arg(sample *s) {
  s->flag = below(s, 2) != 0;
  s->way = below(s, 3);
  make_cond(s, &s->c, 1, 3);
  static const char *const ranks[] = {"any", "first", "last"};
  const char *name = s->flag ? "maximumArg" : "minimumArg";
  put(s, "<%s rank=\"%s\"><list startIndex=\"1\"> x[0] x[1] x[2] </list>", name, ranks[s->way]);
  put_cond(s, &s->c);
  put(s, "</%s>", name);
}

static bool is_arg(const sample *s, const int *x) {
  int best = extremum(x, 3, s->flag);
  for (int i = 0; i < 3; i++)
    if (at_place(x, 3, i, best, s->way) && holds(&s->c, x, i + 1)) return true;
  return false;
}

static void make_element(sample *s) {
  s->way = below(s, 5); /* variables, numbers, no index, rank first, rank last */
  for (int i = 0; i < 4; i++) s->a[i] = value_in(s);
  s->flag = below(s, 2) != 0;
  make_cond(s, &s->c, s->lo, s->hi);
  put(s, "<element><list startIndex=\"1\">");
  if (s->way == 1)
    put(s, " %d %d %d </list>", s->a[0], s->a[1], s->a[2]);
  else
    put(s, " x[0] x[1] %d </list>", s->a[2]);
  if (s->way != 2)
    put(s, "<index rank=\"%s\"> x[3] </index>",
        s->way == 3   ? "first"
        : s->way == 4 ? "last"
                      : "any");
  if (s->flag || s->way == 2)
    put(s, "<value> x[4] </value>");
  else
    put_cond(s, &s->c);
  put(s, "</element>");
}

static bool is_element(const sample *s, const int *x) {
  const int numbers[3] = {s->a[0], s->a[1], s->a[2]}, mixed[3] = {x[0], x[1], s->a[2]};
  const int *view = s->way == 1 ? numbers : mixed;
  int place = x[3] - 1;
  if (s->way == 2) return occurrences(view, 3, x[4]) > 0;
  if (place < 0 || place > 2) return false;
  if (!(s->flag ? view[place] == x[4] : holds(&s->c, x, view[place]))) return false;
  return at_place(view, 3, place, view[place], s->way == 3 ? 1 : s->way == 4 ? 2 : 0);
}

static void make_element_matrix(sample *s) {
  s->way = below(s, 3); /* pattern, rows of variables, rows of numbers */
  for (int i = 0; i < 6; i++) s->a[i] = value_in(s);
  make_cond(s, &s->c, s->lo, s->hi);
  put(s, "<element><matrix startRowIndex=\"1\" startColIndex=\"0\">");
  if (s->way == 0) put(s, " y[0..1][1..2] ");
  if (s->way == 1) put(s, " (x[0], 1)(add(x[1],1),x[2]) ");
  if (s->way == 2) put(s, "(%d,%d)(%d,%d)", s->a[0], s->a[1], s->a[2], s->a[3]);
  put(s, "</matrix><index> x[4] x[3] </index>");
  put_cond(s, &s->c);
  put(s, "</element>");
}

static bool is_element_matrix(const sample *s, const int *x) {
  const int views[3][2][2] = {{{x[1], x[2]}, {x[4], x[5]}},
                              {{x[0], 1}, {x[1] + 1, x[2]}},
                              {{s->a[0], s->a[1]}, {s->a[2], s->a[3]}}};
  int row = x[4] - 1, column = x[3];
  return row >= 0 && row < 2 && column >= 0 && column < 2 &&
         holds(&s->c, x, views[s->way][row][column]);
}

static void make_channel(sample *s) {
  s->way = below(s, 4);
  if (s->way == 0) put(s, "<channel><list> x[0..2] </list></channel>");
  if (s->way == 1)
    put(s, "<channel><list startIndex=\"1\"> x[0..2] </list><list> x[3..5] </list></channel>");
  if (s->way == 2)
    put(s, "<channel><list> x[0..1] </list><list startIndex=\"1\"> x[2..4] </list></channel>");
  if (s->way == 3)
    put(s, "<channel><list startIndex=\"1\"> x[0..2] </list><value> x[3] </value></channel>");
}

static bool is_channel(const sample *s, const int *x) {
  for (int i = 0; i < 3 && s->way == 0; i++)
    if (x[i] < 0 || x[i] > 2 || x[x[i]] != i) return false;
  for (int i = 0; i < 3 && s->way == 1; i++) {
    if (x[i] < 0 || x[i] > 2 || x[3 + i] < 1 || x[3 + i] > 3) return false;
    if (x[3 + x[i]] != i + 1 || x[x[3 + i] - 1] != i) return false;
  }
  for (int i = 0; i < 2 && s->way == 2; i++)
    if (x[i] < 1 || x[i] > 3 || x[2 + x[i] - 1] != i) return false;
  if (s->way == 3 && (x[3] < 1 || x[3] > 3)) return false;
  for (int i = 0; i < 3 && s->way == 3; i++)
    if ((x[i] == 1) != (x[3] == i + 1)) return false;
  return true;
}

/* ---- templates, tables ---- */

static void make_slide(sample *s) {
  s->flag = below(s, 2) != 0;
  s->way = below(s, 3);
  put(s, "<slide%s>", s->flag ? " circular=\"true\"" : "");
  if (s->way == 0) put(s, "<list> x[] </list><intension> ne(%%0,%%1) </intension>");
  if (s->way == 1)
    put(s,
        "<list offset=\"2\" collect=\"3\"> x[] </list><sum><list> %%... </list><condition> "
        "(ge,3) </condition></sum>");
  if (s->way == 2)
    put(s,
        "<list collect=\"2\"> x[0..3] </list><list> x[2] x[3] x[4] x[5] </list><intension> "
        "le(add(%%0,%%1),add(%%2,1)) </intension>");
  put(s, "</slide>");
}

static bool is_slide(const sample *s, const int *x) {
  if (s->way == 0)
    for (int i = 0; i < (s->flag ? 6 : 5); i++)
      if (x[i] == x[(i + 1) % 6]) return false;
  if (s->way == 1)
    for (int i = 0; i < (s->flag ? 6 : 4); i += 2)
      if (x[i] + x[(i + 1) % 6] + x[(i + 2) % 6] < 3) return false;
  if (s->way == 2)
    for (int i = 0; i < (s->flag ? 4 : 3); i++)
      if (x[i] + x[(i + 1) % 4] > x[2 + i] + 1) return false;
  return true;
}

static void make_group(sample *s) {
  s->way = below(s, 3);
  s->a[0] = below(s, 5);
  if (s->way == 0)
    put(s,
        "<group><sum><list> %%... </list><coeffs> %%0 1x2 </coeffs><condition> (%%1,%%2) "
        "</condition></sum><args> 2 le %d x[0..2] </args><args> -1 ne 0 x[3] x[4] x[5] "
        "</args></group>",
        s->a[0]);
  if (s->way == 1)
    put(s,
        "<group><intension> le(add(%%...),mul(%%0,2)) </intension><args> x[0] x[1] x[2] "
        "</args><args> %d x[3..5] </args></group>",
        s->a[0]);
  if (s->way == 2)
    put(s,
        "<block class=\"symmetryBreaking\"><group><extension><list> %%1 %%0 </list><supports> "
        "(0,1)(1,*)(2,2) </supports></extension><args> y[0][0..1] </args><args> add(x[2],x[3]) "
        "x[4] </args></group></block>");
}

static bool pair_allowed(int a, int b) {
  return (a == 0 && b == 1) || a == 1 || (a == 2 && b == 2);
}

static bool is_group(const sample *s, const int *x) {
  if (s->way == 0) return 2 * x[0] + x[1] + x[2] <= s->a[0] && -x[3] + x[4] + x[5] != 0;
  if (s->way == 1) return x[1] + x[2] <= 2 * x[0] && x[3] + x[4] + x[5] <= 2 * s->a[0];
  return pair_allowed(x[1], x[0]) && pair_allowed(x[4], x[2] + x[3]);
}

static void make_extension(sample *s) {
  s->flag = below(s, 2) != 0;
  for (int i = 0; i < 5; i++) s->a[i] = value_in(s);
  const char *kind = s->flag ? "conflicts" : "supports";
  put(s,
      "<extension><list> x[0] x[1] x[2] </list><%s> (%d,*,%d..%d) (&lt;=%d, {%d,%d} ,!=%d)"
      "(\xe2\x89\xa5%d,%d,*) </%s></extension>",
      kind, s->a[0], s->a[1], s->a[1] + 1, s->a[2], s->a[3], s->a[4], s->a[0], s->a[1], s->a[2],
      kind);
}

static bool is_extension(const sample *s, const int *x) {
  bool in = (x[0] == s->a[0] && x[2] >= s->a[1] && x[2] <= s->a[1] + 1) ||
            (x[0] <= s->a[2] && (x[1] == s->a[3] || x[1] == s->a[4]) && x[2] != s->a[0]) ||
            (x[0] >= s->a[1] && x[1] == s->a[2]);
  return in != s->flag;
}

/* The number of times 1 comes up, modulo 3, is 0 or 2. */
static void make_regular(sample *s) {
  s->flag = below(s, 2) != 0;
  if (s->flag) {
    put(s,
        "<mdd><list> x[0] x[1] x[2] </list><transitions> (r,0,a) (r, 1 ,b)(r,2,b)(a,1,c)(b,0,c)"
        "(b,1,d)(c,1,t)(d,2,t) </transitions></mdd>");
    return;
  }
  put(s, "<regular><list> x[0..4] </list><transitions> ");
  for (int q = 0; q < 3; q++)
    for (int v = s->lo; v <= s->hi; v++) put(s, "(q%d,%d,q%d)", q, v, v == 1 ? (q + 1) % 3 : q);
  put(s, " </transitions><start> q0 </start><final> q0 q2 </final></regular>");
}

static bool is_regular(const sample *s, const int *x) {
  if (!s->flag) return occurrences(x, 5, 1) % 3 != 1;
  if (x[0] == 0) return x[1] == 1 && x[2] == 1;
  if (x[0] != 1 && x[0] != 2) return false;
  return (x[1] == 0 && x[2] == 1) || (x[1] == 1 && x[2] == 2);
}

/* ---- running ---- */

typedef struct kind {
  const char *name;
  void (*make)(sample *s);
  bool (*accept)(const sample *s, const int *x);
} kind;

static const kind kinds[] = {
    {"noOverlap", make_no_overlap, is_no_overlap},
    {"cumulative", make_cumulative, is_cumulative},
    {"circuit", make_circuit, is_circuit},
    {"allDifferent", make_all_different, is_all_different},
    {"allEqual", make_all_equal, is_all_equal},
    {"ordered", make_ordered, is_ordered},
    {"lex", make_lex, is_lex},
    {"precedence", make_precedence, is_precedence},
    {"instantiation", make_instantiation, is_instantiation},
    {"cardinality", make_cardinality, is_cardinality},
    {"nValues", make_n_values, is_n_values},
    {"count", make_count, is_count},
    {"sum", make_sum, is_sum},
    {"knapsack", make_knapsack, is_knapsack},
    {"binPacking", make_bin_packing, is_bin_packing},
    {"minimum", make_extremum, is_extremum},
    {"minimumArg", make_arg, is_arg},
    {"element", make_element, is_element},
    {"element matrix", make_element_matrix, is_element_matrix},
    {"channel", make_channel, is_channel},
    {"slide", make_slide, is_slide},
    {"group", make_group, is_group},
    {"extension", make_extension, is_extension},
    {"regular", make_regular, is_regular},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static uint64_t oracle(const kind *k, const sample *s) {
  int x[N];
  uint64_t count = 0;
  for (int i = 0; i < N; i++) x[i] = s->lo;
  for (;;) {
    count += k->accept(s, x);
    int i = N;
    while (i > 0 && ++x[i - 1] > s->hi) x[--i] = s->lo;
    if (i == 0) return count;
  }
}

static uint64_t solutions(const alea_csp *csp, alea_csp_options options) {
  alea_csp_result result;
  options.goal = ALEA_CSP_COUNT;
  alea_csp_solve(csp, &options, &result);
  assert_true(result.status == ALEA_OK || result.status == ALEA_NO);
  assert_int_equal(result.self_check_errors, 0);
  return result.solutions;
}

static void compare(const sample *s, const char *what, uint64_t found, uint64_t expected) {
  if (found != expected)
    fail_msg("%s: %d solutions, not %d\n%s", what, (int)found, (int)expected,
             alea_text_string(&s->text));
}

static void read_again(alea_mem *mem, const sample *s, const alea_csp *csp, uint64_t expected) {
  alea_text text;
  alea_status status;
  alea_xcsp3 again;
  alea_text_init(&text, mem);
  assert_int_equal(alea_xcsp3_write(csp, NULL, &text), ALEA_OK);
  assert_int_equal(alea_xcsp3_read(&again, mem, text.data, text.length, "again", NULL), ALEA_OK);
  compare(s, "written as XCSP3", solutions(again.csp, (alea_csp_options){0}), expected);
  alea_xcsp3_clear(&again, mem);
  alea_text_clear(&text);
  json_t *root = alea_csp_write_json(csp);
  assert_non_null(root);
  alea_csp *copy = alea_csp_read_json(mem, root, "again", NULL, &status);
  json_decref(root);
  assert_int_equal(status, ALEA_OK);
  compare(s, "written as JSON", solutions(copy, (alea_csp_options){0}), expected);
  alea_csp_free(copy);
}

static void one_round(alea_mem *mem, const kind *k, uint64_t seed) {
  sample s = {.lo = 0, .hi = 3};
  alea_rng_seed_stream(&s.rng, 23, seed);
  bool negative =
      below(&s, 3) == 0 && strcmp(k->name, "cumulative") != 0 && strcmp(k->name, "noOverlap") != 0;
  if (negative) {
    s.lo = -1;
    s.hi = 2;
  }
  alea_text_init(&s.text, mem);
  /* y is x once more, in two rows of three */
  put(&s,
      "<instance format=\"XCSP3\" type=\"CSP\"><variables><array id=\"x\" size=\"[6]\"> %d..%d "
      "</array><array id=\"y\" size=\"[2][3]\" as=\"x\"/></variables><constraints>",
      s.lo, s.hi);
  for (int i = 0; i < N; i++)
    put(&s, "<intension> eq(x[%d],y[%d][%d]) </intension>", i, i / 3, i % 3);
  k->make(&s);
  put(&s, "</constraints></instance>");
  alea_xcsp3 instance;
  alea_diag diag;
  alea_diag_init(&diag, mem);
  alea_status status = alea_xcsp3_read(&instance, mem, s.text.data, s.text.length, k->name, &diag);
  if (status != ALEA_OK)
    fail_msg("%s: %s\n%s", k->name, diag.entries.count ? diag.entries.data[0].message : "refused",
             s.text.data);
  uint64_t expected = oracle(k, &s);
  compare(&s, k->name, solutions(instance.csp, (alea_csp_options){.self_check = true}), expected);
  compare(&s, "input order",
          solutions(instance.csp,
                    (alea_csp_options){
                        .order = ALEA_CSP_INPUT, .values = ALEA_CSP_MAX, .simplify = true}),
          expected);
  read_again(mem, &s, instance.csp, expected);
  alea_xcsp3_clear(&instance, mem);
  alea_diag_clear(&diag);
  alea_text_clear(&s.text);
}

static void constraints_mean_what_they_say(void **state) {
  (void)state;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  for (int k = 0; k < KINDS; k++)
    for (int round = 0; round < ROUNDS; round++)
      one_round(&mem, &kinds[k], (uint64_t)(k * 1000 + round));
  assert_int_equal(mem.used, 0);
}

/* ---- expressions over domains too large for a table ---- */

typedef struct formula {
  sample *s;
  int depth;
} formula;

static void put_formula(sample *s, int depth) {
  static const char *const unary[] = {"neg", "abs", "sqr", "not"};
  static const char *const binary[] = {"add", "sub", "mul", "div", "mod", "dist", "min",
                                       "max", "lt",  "le",  "ge",  "gt",  "eq",   "ne",
                                       "and", "or",  "xor", "iff", "imp"};
  int pick = depth == 0 ? below(s, 2) : 2 + below(s, 10);
  if (pick == 0) {
    put(s, "%d", below(s, 11) - 5);
  } else if (pick == 1) {
    put(s, "z[%d]", below(s, 3));
  } else if (pick == 2) {
    put(s, "%s(", unary[below(s, 4)]);
    put_formula(s, depth - 1);
    put(s, ")");
  } else if (pick == 3) {
    put(s, below(s, 2) ? "if(" : "add(");
    for (int i = 0; i < 3; i++) {
      if (i > 0) put(s, ",");
      put_formula(s, depth - 1);
    }
    put(s, ")");
  } else if (pick == 4) {
    put(s, below(s, 2) ? "in(" : "notin(");
    put_formula(s, depth - 1);
    put(s, ",set(%d,%d..%d))", below(s, 9) - 4, 1, 1 + below(s, 4));
  } else {
    put(s, "%s(", binary[below(s, 19)]);
    put_formula(s, depth - 1);
    put(s, ",");
    put_formula(s, depth - 1);
    put(s, ")");
  }
}

/* Intervals may never lose a solution: the count by propagation is that of
 * plain evaluation, also where the expression is a variable. */
static void intervals_lose_nothing(void **state) {
  (void)state;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  for (uint64_t seed = 0; seed < 30; seed++) {
    sample s = {0};
    alea_rng_seed_stream(&s.rng, 29, seed);
    alea_text_init(&s.text, &mem);
    alea_csp *csp = alea_csp_new(&mem);
    for (int i = 0; i < 3; i++) {
      char name[8];
      snprintf(name, sizeof name, "z[%d]", i);
      alea_csp_range(csp, name, -20, 20 + below(&s, 10));
    }
    put_formula(&s, 3);
    assert_int_equal(alea_csp_intension(csp, s.text.data, (alea_place){0}, NULL), ALEA_OK);
    compare(&s, "intervals", solutions(csp, (alea_csp_options){.values = ALEA_CSP_MAX}),
            alea_csp_brute_force(csp));
    alea_csp_free(csp);
    alea_text_clear(&s.text);
  }
  assert_int_equal(mem.used, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(constraints_mean_what_they_say),
                                     cmocka_unit_test(intervals_lose_nothing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
