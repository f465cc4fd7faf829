/* Random constraints of XCSP3 against their definitions: lists. */
#include "cmocka_all.h"
#include "support/xcsp3_sample.h"

static void make_circuit(xcsp3_sample *s) {
  s->count = 3 + sample_below(s, 3);
  s->way = sample_below(s, 3); /* no size, a number, a variable */
  s->a[0] = sample_below(s, 2);
  s->a[1] = 2 + sample_below(s, 3);
  sample_put(s, "<circuit><list startIndex=\"%d\">", s->a[0]);
  for (int i = 0; i < s->count; i++) sample_put(s, " x[%d]", i);
  sample_put(s, " </list>");
  if (s->way == 1) sample_put(s, "<size> %d </size>", s->a[1]);
  if (s->way == 2) sample_put(s, "<size> x[5] </size>");
  sample_put(s, "</circuit>");
}

static bool is_circuit(const xcsp3_sample *s, const int *x) {
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

static void make_all_different(xcsp3_sample *s) {
  s->way = sample_below(s, 4);
  s->flag = sample_below(s, 2) != 0;
  s->a[0] = sample_value(s);
  s->a[1] = sample_value(s);
  if (s->way == 0) {
    sample_put(
        s,
        "<allDifferent><list> x[0] x[1] </list><list> x[2] x[3] </list><list> x[4] x[1] </list>");
    if (s->flag) sample_put(s, "<except> (%d,%d) </except>", s->a[0], s->a[1]);
  } else if (s->way == 1) {
    sample_put(s, "<allDifferent><matrix> (x[0],x[1],x[2]) (x[3],x[4],x[5]) </matrix>");
    if (s->flag) sample_put(s, "<except> %d %d </except>", s->a[0], s->a[1]);
  } else if (s->way == 2) {
    sample_put(s, "<allDifferent><matrix> y[][] </matrix>");
    if (s->flag) sample_put(s, "<except> %d </except>", s->a[1] = s->a[0]);
  } else {
    sample_put(s, "<allDifferent><list> x[0] add(x[1],1) x[2] neg(x[3]) </list>");
    if (s->flag) sample_put(s, "<except> %d %d </except>", s->a[0], s->a[1]);
  }
  sample_put(s, "</allDifferent>");
}

static bool distinct(const xcsp3_sample *s, const int *x, int count, int step) {
  for (int i = 0; i < count; i++)
    for (int j = 0; j < i; j++) {
      int v = x[i * step];
      if (v == x[j * step] && !(s->flag && (v == s->a[0] || v == s->a[1]))) return false;
    }
  return true;
}

static bool is_all_different(const xcsp3_sample *s, const int *x) {
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

static void make_all_equal(xcsp3_sample *s) {
  s->way = sample_below(s, 2);
  if (s->way == 0)
    sample_put(s, "<allEqual> x[0] mul(x[1],2) x[2] </allEqual>");
  else
    sample_put(s, "<allEqual><list> x[0] x[1] </list><list> x[2] x[3] </list></allEqual>");
}

static bool is_all_equal(const xcsp3_sample *s, const int *x) {
  if (s->way == 0) return x[0] == 2 * x[1] && x[0] == x[2];
  return x[0] == x[2] && x[1] == x[3];
}

static void make_ordered(xcsp3_sample *s) {
  s->way = sample_below(s, 4);
  s->flag = sample_below(s, 2) != 0;
  s->v[0] = sample_any_operand(s, 1);
  s->v[1] = sample_any_operand(s, 1);
  sample_put(s, "<ordered><list> x[0] x[1] x[2] </list><operator> %s </operator>",
             sample_ops[s->way]);
  if (s->flag) {
    sample_put(s, "<lengths>");
    sample_put_operand(s, s->v[0]);
    sample_put_operand(s, s->v[1]);
    sample_put(s, " </lengths>");
  }
  sample_put(s, "</ordered>");
}

static bool is_ordered(const xcsp3_sample *s, const int *x) {
  for (int i = 0; i < 2; i++)
    if (!sample_relate(s->way, x[i] + (s->flag ? sample_operand(x, s->v[i]) : 0), x[i + 1]))
      return false;
  return true;
}

static void make_lex(xcsp3_sample *s) {
  s->way = sample_below(s, 4);
  s->flag = sample_below(s, 2) != 0;
  if (s->flag)
    sample_put(s, "<lex><matrix> y[][] </matrix>");
  else
    sample_put(s, "<lex><list> x[0] x[1] </list><list> x[2] 1 </list><list> x[3] x[4] </list>");
  sample_put(s, "<operator> %s </operator></lex>", sample_ops[s->way]);
}

static bool lex_holds(int op, const int *a, const int *b, int count, int step) {
  for (int i = 0; i < count; i++)
    if (a[i * step] != b[i * step]) return sample_relate(op, a[i * step], b[i * step]);
  return op == 1 || op == 2;
}

static bool is_lex(const xcsp3_sample *s, const int *x) {
  if (s->flag)
    return lex_holds(s->way, x, x + 3, 3, 1) && lex_holds(s->way, x, x + 1, 2, 3) &&
           lex_holds(s->way, x + 1, x + 2, 2, 3);
  const int rows[3][2] = {{x[0], x[1]}, {x[2], 1}, {x[3], x[4]}};
  return lex_holds(s->way, rows[0], rows[1], 2, 1) && lex_holds(s->way, rows[1], rows[2], 2, 1);
}

static void make_precedence(xcsp3_sample *s) {
  s->way = sample_below(s, 3); /* all values, some, some and all of them occur */
  s->a[0] = s->lo + 1;
  s->a[1] = s->lo;
  s->a[2] = s->lo + 2;
  sample_put(s, "<precedence><list> x[0..4] </list>");
  if (s->way > 0)
    sample_put(s, "<values%s> %d %d %d </values>", s->way == 2 ? " covered=\"true\"" : "", s->a[0],
               s->a[1], s->a[2]);
  sample_put(s, "</precedence>");
}

static int first_place(const int *x, int value) {
  for (int i = 0; i < 5; i++)
    if (x[i] == value) return i;
  return 99;
}

static bool is_precedence(const xcsp3_sample *s, const int *x) {
  int values[16], count = 0;
  for (int v = s->lo; v <= s->hi && s->way == 0; v++) values[count++] = v;
  for (int i = 0; i < 3 && s->way > 0; i++) values[count++] = s->a[i];
  for (int i = 0; i + 1 < count; i++) {
    int before = first_place(x, values[i]), after = first_place(x, values[i + 1]);
    if (after != 99 && before > after) return false;
  }
  return s->way != 2 || first_place(x, values[count - 1]) != 99;
}

static void make_instantiation(xcsp3_sample *s) {
  s->a[0] = sample_value(s);
  s->a[1] = sample_value(s);
  sample_put(s, "<instantiation><list> x[0..3] </list><values> %dx2 * %d </values></instantiation>",
             s->a[0], s->a[1]);
}

static bool is_instantiation(const xcsp3_sample *s, const int *x) {
  return x[0] == s->a[0] && x[1] == s->a[0] && x[3] == s->a[1];
}

static const xcsp3_kind kinds[] = {
    {"circuit", make_circuit, is_circuit},
    {"allDifferent", make_all_different, is_all_different},
    {"allEqual", make_all_equal, is_all_equal},
    {"ordered", make_ordered, is_ordered},
    {"lex", make_lex, is_lex},
    {"precedence", make_precedence, is_precedence},
    {"instantiation", make_instantiation, is_instantiation},
};

static void constraints_mean_what_they_say(void **state) {
  (void)state;
  sample_run(kinds, sizeof kinds / sizeof *kinds, 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(constraints_mean_what_they_say)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
