/* Random constraints of XCSP3 against their definitions: values picked from lists and matrices. */
#include "cmocka_all.h"
#include "support/xcsp3_sample.h"

static void make_extremum(xcsp3_sample *s) {
  s->flag = sample_below(s, 2) != 0;
  s->way = sample_below(s, 4); /* 1..3: with an index of rank any, first, last */
  sample_make_cond(s, &s->c, s->lo, s->hi);
  const char *name = s->flag ? "maximum" : "minimum";
  static const char *const ranks[] = {"any", "first", "last"};
  sample_put(s, "<%s><list startIndex=\"1\"> x[0] sub(x[1],1) x[2] </list>", name);
  if (s->way > 0) sample_put(s, "<index rank=\"%s\"> x[4] </index>", ranks[s->way - 1]);
  sample_put_cond(s, &s->c);
  sample_put(s, "</%s>", name);
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

static bool is_extremum(const xcsp3_sample *s, const int *x) {
  const int view[3] = {x[0], x[1] - 1, x[2]};
  int best = extremum(view, 3, s->flag);
  if (!sample_holds(&s->c, x, best)) return false;
  return s->way == 0 || at_place(view, 3, x[4] - 1, best, s->way - 1);
}

static void make_arg(xcsp3_sample *s) {
  s->flag = sample_below(s, 2) != 0;
  s->way = sample_below(s, 3);
  sample_make_cond(s, &s->c, 1, 3);
  static const char *const ranks[] = {"any", "first", "last"};
  const char *name = s->flag ? "maximumArg" : "minimumArg";
  sample_put(s, "<%s rank=\"%s\"><list startIndex=\"1\"> x[0] x[1] x[2] </list>", name,
             ranks[s->way]);
  sample_put_cond(s, &s->c);
  sample_put(s, "</%s>", name);
}

static bool is_arg(const xcsp3_sample *s, const int *x) {
  int best = extremum(x, 3, s->flag);
  for (int i = 0; i < 3; i++)
    if (at_place(x, 3, i, best, s->way) && sample_holds(&s->c, x, i + 1)) return true;
  return false;
}

static void make_element(xcsp3_sample *s) {
  s->way = sample_below(s, 5); /* variables, numbers, no index, rank first, rank last */
  for (int i = 0; i < 4; i++) s->a[i] = sample_value(s);
  s->flag = sample_below(s, 2) != 0;
  sample_make_cond(s, &s->c, s->lo, s->hi);
  sample_put(s, "<element><list startIndex=\"1\">");
  if (s->way == 1)
    sample_put(s, " %d %d %d </list>", s->a[0], s->a[1], s->a[2]);
  else
    sample_put(s, " x[0] x[1] %d </list>", s->a[2]);
  if (s->way != 2)
    sample_put(s, "<index rank=\"%s\"> x[3] </index>",
               s->way == 3   ? "first"
               : s->way == 4 ? "last"
                             : "any");
  if (s->flag || s->way == 2)
    sample_put(s, "<value> x[4] </value>");
  else
    sample_put_cond(s, &s->c);
  sample_put(s, "</element>");
}

static bool is_element(const xcsp3_sample *s, const int *x) {
  const int numbers[3] = {s->a[0], s->a[1], s->a[2]}, mixed[3] = {x[0], x[1], s->a[2]};
  const int *view = s->way == 1 ? numbers : mixed;
  int place = x[3] - 1;
  if (s->way == 2) return sample_occurrences(view, 3, x[4]) > 0;
  if (place < 0 || place > 2) return false;
  if (!(s->flag ? view[place] == x[4] : sample_holds(&s->c, x, view[place]))) return false;
  return at_place(view, 3, place, view[place], s->way == 3 ? 1 : s->way == 4 ? 2 : 0);
}

static void make_element_matrix(xcsp3_sample *s) {
  s->way = sample_below(s, 3); /* pattern, rows of variables, rows of numbers */
  for (int i = 0; i < 6; i++) s->a[i] = sample_value(s);
  sample_make_cond(s, &s->c, s->lo, s->hi);
  sample_put(s, "<element><matrix startRowIndex=\"1\" startColIndex=\"0\">");
  if (s->way == 0) sample_put(s, " y[0..1][1..2] ");
  if (s->way == 1) sample_put(s, " (x[0], 1)(add(x[1],1),x[2]) ");
  if (s->way == 2) sample_put(s, "(%d,%d)(%d,%d)", s->a[0], s->a[1], s->a[2], s->a[3]);
  sample_put(s, "</matrix><index> x[4] x[3] </index>");
  sample_put_cond(s, &s->c);
  sample_put(s, "</element>");
}

static bool is_element_matrix(const xcsp3_sample *s, const int *x) {
  const int views[3][2][2] = {{{x[1], x[2]}, {x[4], x[5]}},
                              {{x[0], 1}, {x[1] + 1, x[2]}},
                              {{s->a[0], s->a[1]}, {s->a[2], s->a[3]}}};
  int row = x[4] - 1, column = x[3];
  return row >= 0 && row < 2 && column >= 0 && column < 2 &&
         sample_holds(&s->c, x, views[s->way][row][column]);
}

static void make_channel(xcsp3_sample *s) {
  s->way = sample_below(s, 4);
  if (s->way == 0) sample_put(s, "<channel><list> x[0..2] </list></channel>");
  if (s->way == 1)
    sample_put(s,
               "<channel><list startIndex=\"1\"> x[0..2] </list><list> x[3..5] </list></channel>");
  if (s->way == 2)
    sample_put(s,
               "<channel><list> x[0..1] </list><list startIndex=\"1\"> x[2..4] </list></channel>");
  if (s->way == 3)
    sample_put(s,
               "<channel><list startIndex=\"1\"> x[0..2] </list><value> x[3] </value></channel>");
}

static bool is_channel(const xcsp3_sample *s, const int *x) {
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

static const xcsp3_kind kinds[] = {
    {"minimum", make_extremum, is_extremum},
    {"minimumArg", make_arg, is_arg},
    {"element", make_element, is_element},
    {"element matrix", make_element_matrix, is_element_matrix},
    {"channel", make_channel, is_channel},
};

static void constraints_mean_what_they_say(void **state) {
  (void)state;
  sample_run(kinds, sizeof kinds / sizeof *kinds, 15);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(constraints_mean_what_they_say)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
