/* Random constraints of XCSP3 against their definitions: counting and sums. */
#include <stdlib.h>

#include "cmocka_all.h"
#include "support/xcsp3_sample.h"

static void make_cardinality(xcsp3_sample *s) {
  s->flag = sample_below(s, 2) != 0;
  s->way = sample_below(s, 4); /* how the second value is bounded; 3: the value is a variable */
  s->a[0] = sample_below(s, 3);
  s->a[1] = sample_below(s, 3);
  s->a[2] = s->a[1] + sample_below(s, 3);
  if (s->way == 3) s->flag = false;
  sample_put(s, "<cardinality><list> x[0..3] </list><values closed=\"%s\"> %d ",
             s->flag ? "true" : "false", s->lo);
  if (s->way == 3)
    sample_put(s, "x[5] </values><occurs> %d %d </occurs></cardinality>", s->a[0], s->a[1]);
  else if (s->way == 0)
    sample_put(s, "%d </values><occurs> %d %d </occurs></cardinality>", s->lo + 1, s->a[0],
               s->a[1]);
  else if (s->way == 1)
    sample_put(s, "%d </values><occurs> %d %d..%d </occurs></cardinality>", s->lo + 1, s->a[0],
               s->a[1], s->a[2]);
  else
    sample_put(s, "%d </values><occurs> %d x[4] </occurs></cardinality>", s->lo + 1, s->a[0]);
}

static bool is_cardinality(const xcsp3_sample *s, const int *x) {
  int second = sample_occurrences(x, 4, s->way == 3 ? x[5] : s->lo + 1);
  for (int i = 0; i < 4 && s->flag; i++)
    if (x[i] != s->lo && x[i] != s->lo + 1) return false;
  if (sample_occurrences(x, 4, s->lo) != s->a[0]) return false;
  if (s->way == 1) return second >= s->a[1] && second <= s->a[2];
  return second == (s->way == 2 ? x[4] : s->a[1]);
}

static void make_n_values(xcsp3_sample *s) {
  s->flag = sample_below(s, 2) != 0;
  s->a[0] = sample_value(s);
  sample_make_cond(s, &s->c, 0, 4);
  sample_put(s, "<nValues><list> x[0] x[1] abs(x[2]) x[3] </list>");
  if (s->flag) sample_put(s, "<except> %d </except>", s->a[0]);
  sample_put_cond(s, &s->c);
  sample_put(s, "</nValues>");
}

static bool is_n_values(const xcsp3_sample *s, const int *x) {
  const int view[4] = {x[0], x[1], abs(x[2]), x[3]};
  int count = 0;
  for (int i = 0; i < 4; i++) {
    bool known = s->flag && view[i] == s->a[0];
    for (int j = 0; j < i; j++) known = known || view[j] == view[i];
    count += !known;
  }
  return sample_holds(&s->c, x, count);
}

static void make_count(xcsp3_sample *s) {
  s->v[0] = sample_below(s, 2) ? 5 : -1 - sample_below(s, 3);
  s->v[1] = -1 - sample_below(s, 3);
  sample_make_cond(s, &s->c, 0, 4);
  sample_put(s, "<count><list> x[0..3] eq(x[4],1) </list><values>");
  sample_put_operand(s, s->v[0]);
  sample_put_operand(s, s->v[1]);
  sample_put(s, " </values>");
  sample_put_cond(s, &s->c);
  sample_put(s, "</count>");
}

static bool is_count(const xcsp3_sample *s, const int *x) {
  const int view[5] = {x[0], x[1], x[2], x[3], x[4] == 1};
  int count = 0;
  for (int i = 0; i < 5; i++)
    count += view[i] == sample_operand(x, s->v[0]) || view[i] == sample_operand(x, s->v[1]);
  return sample_holds(&s->c, x, count);
}

static void make_sum(xcsp3_sample *s) {
  s->way = sample_below(s, 3); /* numbers, variables, none */
  for (int i = 0; i < 4; i++) s->a[i] = sample_below(s, 7) - 3;
  s->v[0] = sample_below(s, SAMPLE_VARS);
  sample_make_cond(s, &s->c, -4, 8);
  sample_put(s, "<sum><list> x[0] x[1] x[2] mul(x[3],x[4]) </list>");
  if (s->way == 0) sample_put_numbers(s, "coeffs", s->a, 4);
  if (s->way == 1) sample_put(s, "<coeffs> %d x[%d] 2x2 </coeffs>", s->a[0], s->v[0]);
  sample_put_cond(s, &s->c);
  sample_put(s, "</sum>");
}

static bool is_sum(const xcsp3_sample *s, const int *x) {
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
  return sample_holds(&s->c, x, sum);
}

static void make_knapsack(xcsp3_sample *s) {
  s->flag = sample_below(s, 2) != 0;
  for (int i = 0; i < 6; i++) s->a[i] = sample_below(s, 4);
  sample_make_cond(s, &s->c, 0, 9);
  sample_make_cond(s, &s->d, 0, 9);
  if (s->flag) s->c = (xcsp3_cond){.kind = 1, .var = -1, .value = s->c.value};
  sample_put(s, "<knapsack><list> x[0..2] </list>");
  sample_put_numbers(s, "weights", s->a, 3);
  if (s->flag)
    sample_put(s, "<limit> %d </limit>", s->c.value);
  else
    sample_put_cond(s, &s->c);
  sample_put_numbers(s, "profits", s->a + 3, 3);
  sample_put_cond(s, &s->d);
  sample_put(s, "</knapsack>");
}

static bool is_knapsack(const xcsp3_sample *s, const int *x) {
  long weight = 0, profit = 0;
  for (int i = 0; i < 3; i++) {
    weight += (long)s->a[i] * x[i];
    profit += (long)s->a[3 + i] * x[i];
  }
  return sample_holds(&s->c, x, weight) && sample_holds(&s->d, x, profit);
}

/* Arcs 3 -> 4 -> 5, 3 -> 5 and back from 5 to 3. */
static const int flow_arcs[4][2] = {{3, 4}, {4, 5}, {3, 5}, {5, 3}};

static void make_flow(xcsp3_sample *s) {
  s->flag = sample_below(s, 2) != 0; /* with a cost */
  s->v[0] = sample_below(s, 3) == 0 ? 5 : -1 - sample_below(s, 3);
  s->a[0] = sample_below(s, 3) - 1;
  for (int i = 1; i < 5; i++) s->a[i] = sample_below(s, 4);
  sample_make_cond(s, &s->c, 0, 9);
  sample_put(s, "<flow><list> x[0..3] </list><balance>");
  sample_put_operand(s, s->v[0]);
  sample_put(s, " %d %s </balance><arcs> (3,4)(4,5)(3,5)(5,3) </arcs>", s->a[0],
             s->flag ? "x[4]" : "-1");
  if (s->flag) sample_put_numbers(s, "weights", s->a + 1, 4);
  if (s->flag) sample_put_cond(s, &s->c);
  sample_put(s, "</flow>");
}

static bool is_flow(const xcsp3_sample *s, const int *x) {
  int net[3] = {0};
  long cost = 0;
  for (int i = 0; i < 4; i++) {
    net[flow_arcs[i][0] - 3] += x[i];
    net[flow_arcs[i][1] - 3] -= x[i];
    cost += (long)s->a[1 + i] * x[i];
  }
  if (net[0] != sample_operand(x, s->v[0]) || net[1] != s->a[0]) return false;
  return net[2] == (s->flag ? x[4] : -1) && (!s->flag || sample_holds(&s->c, x, cost));
}

static void make_bin_packing(xcsp3_sample *s) {
  s->way = sample_below(s, 4);
  for (int i = 0; i < 4; i++) s->a[i] = 1 + sample_below(s, 3);
  sample_make_cond(s, &s->c, 2, 9);
  for (int i = 0; i < 2; i++)
    s->v[i] = sample_below(s, 3) == 0 ? 4 + i : -1 - (2 + sample_below(s, 5));
  sample_put(s, "<binPacking><list> x[0..3] </list>");
  sample_put_numbers(s, "sizes", s->a, 4);
  if (s->way == 0) {
    sample_put_cond(s, &s->c);
  } else if (s->way == 3) {
    sample_put(s, "<conditions startIndex=\"%d\"> (le,", s->lo + 1);
    sample_put_operand(s, s->v[0]);
    sample_put(s, ") (le,");
    sample_put_operand(s, s->v[1]);
    sample_put(s, ") </conditions>");
  } else {
    sample_put(s, s->way == 1 ? "<limits startIndex=\"%d\">" : "<loads startIndex=\"%d\">",
               s->lo + 1);
    sample_put_operand(s, s->v[0]);
    sample_put_operand(s, s->v[1]);
    sample_put(s, s->way == 1 ? " </limits>" : " </loads>");
  }
  sample_put(s, "</binPacking>");
}

static bool is_bin_packing(const xcsp3_sample *s, const int *x) {
  for (int bin = s->lo; bin <= s->hi; bin++) {
    int load = 0, b = bin - s->lo - 1;
    for (int i = 0; i < 4; i++) load += x[i] == bin ? s->a[i] : 0;
    if (s->way == 0) {
      if (!sample_holds(&s->c, x, load)) return false;
      continue;
    }
    if (b < 0 || b > 1) {
      if (load > 0) return false;
      continue;
    }
    if (!sample_relate(s->way == 2 ? 4 : 1, load, sample_operand(x, s->v[b]))) return false;
  }
  return true;
}

static const xcsp3_kind kinds[] = {
    {"cardinality", make_cardinality, is_cardinality},
    {"nValues", make_n_values, is_n_values},
    {"count", make_count, is_count},
    {"sum", make_sum, is_sum},
    {"knapsack", make_knapsack, is_knapsack},
    {"binPacking", make_bin_packing, is_bin_packing},
    {"flow", make_flow, is_flow},
};

static void constraints_mean_what_they_say(void **state) {
  (void)state;
  sample_run(kinds, sizeof kinds / sizeof *kinds, 9);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(constraints_mean_what_they_say)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
