/* Random constraints of XCSP3 against their definitions: templates, tables and automata. */
#include "cmocka_all.h"
#include "support/xcsp3_sample.h"

static void make_slide(xcsp3_sample *s) {
  s->flag = sample_below(s, 2) != 0;
  s->way = sample_below(s, 3);
  sample_put(s, "<slide%s>", s->flag ? " circular=\"true\"" : "");
  if (s->way == 0) sample_put(s, "<list> x[] </list><intension> ne(%%0,%%1) </intension>");
  if (s->way == 1)
    sample_put(s,
               "<list offset=\"2\" collect=\"3\"> x[] </list><sum><list> %%... </list><condition> "
               "(ge,3) </condition></sum>");
  if (s->way == 2)
    sample_put(s,
               "<list collect=\"2\"> x[0..3] </list><list> x[2] x[3] x[4] x[5] </list><intension> "
               "le(add(%%0,%%1),add(%%2,1)) </intension>");
  sample_put(s, "</slide>");
}

static bool is_slide(const xcsp3_sample *s, const int *x) {
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

static void make_group(xcsp3_sample *s) {
  s->way = sample_below(s, 3);
  s->a[0] = sample_below(s, 5);
  if (s->way == 0)
    sample_put(s,
               "<group><sum><list> %%... </list><coeffs> %%0 1x2 </coeffs><condition> (%%1,%%2) "
               "</condition></sum><args> 2 le %d x[0..2] </args><args> -1 ne 0 x[3] x[4] x[5] "
               "</args></group>",
               s->a[0]);
  if (s->way == 1)
    sample_put(s,
               "<group><intension> le(add(%%...),mul(%%0,2)) </intension><args> x[0] x[1] x[2] "
               "</args><args> %d x[3..5] </args></group>",
               s->a[0]);
  if (s->way == 2)
    sample_put(
        s,
        "<block class=\"symmetryBreaking\"><group><extension><list> %%1 %%0 </list><supports> "
        "(0,1)(1,*)(2,2) </supports></extension><args> y[0][0..1] </args><args> add(x[2],x[3]) "
        "x[4] </args></group></block>");
}

static bool pair_allowed(int a, int b) {
  return (a == 0 && b == 1) || a == 1 || (a == 2 && b == 2);
}

static bool is_group(const xcsp3_sample *s, const int *x) {
  if (s->way == 0) return 2 * x[0] + x[1] + x[2] <= s->a[0] && -x[3] + x[4] + x[5] != 0;
  if (s->way == 1) return x[1] + x[2] <= 2 * x[0] && x[3] + x[4] + x[5] <= 2 * s->a[0];
  return pair_allowed(x[1], x[0]) && pair_allowed(x[4], x[2] + x[3]);
}

static void make_extension(xcsp3_sample *s) {
  s->flag = sample_below(s, 2) != 0;
  for (int i = 0; i < 5; i++) s->a[i] = sample_value(s);
  const char *kind = s->flag ? "conflicts" : "supports";
  sample_put(s,
             "<extension><list> x[0] x[1] x[2] </list><%s> (%d,*,%d..%d) (&lt;=%d, {%d,%d} ,!=%d)"
             "(\xe2\x89\xa5%d,%d,*) </%s></extension>",
             kind, s->a[0], s->a[1], s->a[1] + 1, s->a[2], s->a[3], s->a[4], s->a[0], s->a[1],
             s->a[2], kind);
}

static bool is_extension(const xcsp3_sample *s, const int *x) {
  bool in = (x[0] == s->a[0] && x[2] >= s->a[1] && x[2] <= s->a[1] + 1) ||
            (x[0] <= s->a[2] && (x[1] == s->a[3] || x[1] == s->a[4]) && x[2] != s->a[0]) ||
            (x[0] >= s->a[1] && x[1] == s->a[2]);
  return in != s->flag;
}

/* The number of times 1 comes up, modulo 3, is 0 or 2. */
static void make_regular(xcsp3_sample *s) {
  s->flag = sample_below(s, 2) != 0;
  if (s->flag) {
    sample_put(
        s,
        "<mdd><list> x[0] x[1] x[2] </list><transitions> (r,0,a) (r, 1 ,b)(r,2,b)(a,1,c)(b,0,c)"
        "(b,1,d)(c,1,t)(d,2,t) </transitions></mdd>");
    return;
  }
  sample_put(s, "<regular><list> x[0..4] </list><transitions> ");
  for (int q = 0; q < 3; q++)
    for (int v = s->lo; v <= s->hi; v++)
      sample_put(s, "(q%d,%d,q%d)", q, v, v == 1 ? (q + 1) % 3 : q);
  sample_put(s, " </transitions><start> q0 </start><final> q0 q2 </final></regular>");
}

static bool is_regular(const xcsp3_sample *s, const int *x) {
  if (!s->flag) return sample_occurrences(x, 5, 1) % 3 != 1;
  if (x[0] == 0) return x[1] == 1 && x[2] == 1;
  if (x[0] != 1 && x[0] != 2) return false;
  return (x[1] == 0 && x[2] == 1) || (x[1] == 1 && x[2] == 2);
}

static const xcsp3_kind kinds[] = {
    {"slide", make_slide, is_slide},
    {"group", make_group, is_group},
    {"extension", make_extension, is_extension},
    {"regular", make_regular, is_regular},
};

static void constraints_mean_what_they_say(void **state) {
  (void)state;
  sample_run(kinds, sizeof kinds / sizeof *kinds, 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(constraints_mean_what_they_say)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
