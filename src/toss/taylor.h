#ifndef ALEA_TOSS_TAYLOR_H
#define ALEA_TOSS_TAYLOR_H

/* Continuous moves with parameters kept as variables ([TOSS10 §5], D43).
 *
 * The solution of the equations is approximated by its Taylor polynomial in
 * time, whose coefficients are polynomials in the parameters; at a given time
 * every label is then a polynomial in the parameters.  Terms with roots, with
 * divisors that vary, or with formulas are not polynomials: such moves are left
 * to samples. */

#include "toss/game.h"

enum { ALEA_TOSS_TAYLOR_ORDER = 5, ALEA_TOSS_MOST_MONOMIALS = 128 };

/* A polynomial in up to MOST_PARAMS variables. */
typedef struct alea_toss_monomial {
  uint8_t powers[ALEA_TOSS_MOST_PARAMS];
  double factor;
} alea_toss_monomial;

typedef struct alea_toss_poly {
  uint32_t count;
  alea_toss_monomial parts[ALEA_TOSS_MOST_MONOMIALS];
} alea_toss_poly;

double alea_toss_poly_at(const alea_toss_poly *p, const double *x);
/* The derivative by a variable. */
void alea_toss_poly_derive(const alea_toss_poly *p, uint32_t variable, alea_toss_poly *out);
/* The total degree. */
uint32_t alea_toss_poly_degree(const alea_toss_poly *p);

/* The labels after 'acts' evolved for 'time' and the rule of the first act was
 * applied, as polynomials in the parameters of acts[0]: for each right element
 * i and function f, values[i * functions + f].  Other acts keep their
 * parameters.  ALEA_UNSUPPORTED: no polynomials. */
alea_status alea_toss_taylor(const alea_toss_rules *rules, alea_toss_env *env,
                             const alea_toss_structure *structure, const alea_toss_act *acts,
                             size_t count, double time, uint32_t order, alea_toss_poly *values);

/* The same for a joint move at a cursor: the labels of the elements that
 * 'player' rewrites, as polynomials in the parameters of its label.  'elements'
 * gets the numbers of the right elements.  ALEA_UNSUPPORTED also if the rule has
 * an invariant, or adds or deletes elements. */
alea_status alea_toss_cursor_taylor(alea_cursor *cursor, const alea_move *joint, uint32_t player,
                                    alea_toss_poly *values, uint32_t *elements, uint32_t *count);

/* A term of labels as a polynomial: 'label' gives the polynomial of function f
 * at an element, or false if it is the number in the structure. */
typedef bool alea_toss_label_poly(void *context, uint32_t function, uint32_t element,
                                  alea_toss_poly *out);
alea_status alea_toss_term_poly(alea_toss_env *env, uint32_t code, alea_toss_label_poly *label,
                                void *context, alea_toss_poly *out);

#endif
