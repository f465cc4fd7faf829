#ifndef ALEA_TESTS_XCSP3_SAMPLE_H
#define ALEA_TESTS_XCSP3_SAMPLE_H

/* Random constraints of XCSP3: the instance must have as many solutions as
 * there are assignments of its variables that the definition of the constraint
 * accepts, also after it was written and read again. */

#include "base/rng.h"
#include "base/text.h"
#include "csp/csp.h"

enum { SAMPLE_VARS = 6 };

typedef struct xcsp3_cond {
  int kind; /* 0..5: a relation; 6 in, 7 notin (a set); 8 in, 9 notin (a range) */
  int var;  /* -1: 'value' */
  int value, lo, hi;
  int set[3];
} xcsp3_cond;

/* One random case: what was written, in numbers, for the oracle. */
typedef struct xcsp3_sample {
  alea_rng rng;
  alea_text text;
  int lo, hi;         /* domain of all variables */
  int a[24];          /* numbers */
  int v[SAMPLE_VARS]; /* variables or numbers: v >= 0 is x[v], else the number -1 - v */
  int way, count;     /* variant, size */
  bool flag;
  xcsp3_cond c, d;
} xcsp3_sample;

int sample_below(xcsp3_sample *s, int n);
int sample_value(xcsp3_sample *s); /* of the domain */

/* Append to the text. */
void sample_put(xcsp3_sample *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
void sample_put_numbers(xcsp3_sample *s, const char *name, const int *numbers, int count);
void sample_put_operand(xcsp3_sample *s, int v);
void sample_put_cond(xcsp3_sample *s, const xcsp3_cond *c);

/* A variable or a small number; and its value. */
int sample_any_operand(xcsp3_sample *s, int most);
int sample_operand(const int *x, int v);

/* Relation number 'op', of which sample_ops has the names. */
extern const char *const sample_ops[6];
bool sample_relate(int op, long a, long b);
void sample_make_cond(xcsp3_sample *s, xcsp3_cond *c, int lo, int hi);
bool sample_holds(const xcsp3_cond *c, const int *x, long a);
int sample_occurrences(const int *x, int count, int value);

/* A constraint: writes a random one, and says what it accepts. */
typedef struct xcsp3_kind {
  const char *name;
  void (*make)(xcsp3_sample *s);
  bool (*accept)(const xcsp3_sample *s, const int *x);
} xcsp3_kind;

/* Compares many random instances of every kind; seeds are numbered from 'first'. */
void sample_run(const xcsp3_kind *kinds, int count, int first);

/* The number of solutions by search; and fails unless it is the expected one. */
uint64_t sample_solutions(const alea_csp *csp, alea_csp_options options);
void sample_compare(const xcsp3_sample *s, const char *what, uint64_t found, uint64_t expected);

#endif
