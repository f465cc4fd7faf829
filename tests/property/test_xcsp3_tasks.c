/* Random constraints of XCSP3 against their definitions: tasks. */
#include "cmocka_all.h"
#include "support/xcsp3_sample.h"

static void make_no_overlap(xcsp3_sample *s) {
  s->flag = sample_below(s, 2) != 0;
  s->way = sample_below(s, 2); /* dimensions - 1 */
  for (int i = 0; i < SAMPLE_VARS; i++)
    s->v[i] = s->way == 0 ? sample_any_operand(s, 2) : -1 - sample_below(s, 3);
  sample_put(s, "<noOverlap%s>", s->flag ? "" : " zeroIgnored=\"false\"");
  if (s->way == 0) { /* three tasks; a length may be a variable */
    sample_put(s, "<origins> x[0..2] </origins><lengths>");
    for (int i = 0; i < 3; i++) sample_put_operand(s, s->v[i]);
    sample_put(s, " </lengths>");
  } else {
    sample_put(s, "<origins>");
    for (int i = 0; i < 3; i++) sample_put(s, " (x[%d],x[%d])", 2 * i, 2 * i + 1);
    sample_put(s, " </origins><lengths>");
    for (int i = 0; i < 3; i++) sample_put(s, "(%d,%d)", -1 - s->v[2 * i], -1 - s->v[2 * i + 1]);
    sample_put(s, "</lengths>");
  }
  sample_put(s, "</noOverlap>");
}

static bool is_no_overlap(const xcsp3_sample *s, const int *x) {
  int k = s->way + 1;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < i; j++) {
      bool apart = false, none = false;
      for (int d = 0; d < k; d++) {
        int a = x[i * k + d], b = x[j * k + d], la = sample_operand(x, s->v[i * k + d]),
            lb = sample_operand(x, s->v[j * k + d]);
        apart = apart || a + la <= b || b + lb <= a;
        none = none || la == 0 || lb == 0;
      }
      if (!apart && !(none && s->flag)) return false;
    }
  return true;
}

static void make_cumulative(xcsp3_sample *s) {
  for (int i = 0; i < 6; i++) s->v[i] = sample_any_operand(s, 2);
  s->a[0] = 1 + sample_below(s, 4);
  s->flag = sample_below(s, 3) == 0; /* ends */
  s->way = sample_below(s, 3);       /* le number, lt number, le variable */
  sample_put(s, "<cumulative><origins> x[0] x[1] x[2] </origins><lengths>");
  for (int i = 0; i < 3; i++) sample_put_operand(s, s->v[i]);
  sample_put(s, " </lengths>");
  if (s->flag) sample_put(s, "<ends> add(x[0],x[5]) 3 x[4] </ends>");
  sample_put(s, "<heights>");
  for (int i = 3; i < 6; i++) sample_put_operand(s, s->v[i]);
  sample_put(s, " </heights><condition> ");
  if (s->way == 2)
    sample_put(s, "(le,x[3])");
  else
    sample_put(s, "(%s,%d)", s->way == 0 ? "le" : "lt", s->a[0]);
  sample_put(s, " </condition></cumulative>");
}

static bool is_cumulative(const xcsp3_sample *s, const int *x) {
  const int ends[3] = {x[0] + x[5], 3, x[4]};
  int limit = s->way == 2 ? x[3] : s->a[0] - (s->way == 1);
  for (int i = 0; i < 3 && s->flag; i++)
    if (x[i] + sample_operand(x, s->v[i]) != ends[i]) return false;
  for (int t = 0; t < 12; t++) {
    int load = 0, tasks = 0;
    for (int i = 0; i < 3; i++)
      if (x[i] <= t && t < x[i] + sample_operand(x, s->v[i])) {
        load += sample_operand(x, s->v[3 + i]);
        tasks++;
      }
    if (tasks > 0 && load > limit) return false;
  }
  return true;
}

static const xcsp3_kind kinds[] = {
    {"noOverlap", make_no_overlap, is_no_overlap},
    {"cumulative", make_cumulative, is_cumulative},
};

static void constraints_mean_what_they_say(void **state) {
  (void)state;
  sample_run(kinds, sizeof kinds / sizeof *kinds, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(constraints_mean_what_they_say)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
