#ifndef ALEA_PROPNET_LANES_FORM_H
#define ALEA_PROPNET_LANES_FORM_H

/* The forms of operations for which the evaluator has a loop of its own; all
 * others take the long way.  X(plain, negated, nand, imply, either), each with
 * and without inversion: form number 2 * place in the list + inverted. */

/* clang-format off */
#define ALEA_LANES_FORMS(X)                                                                       \
  X(1, 0, 0, 0, 0) X(0, 1, 0, 0, 0) X(2, 0, 0, 0, 0) X(1, 1, 0, 0, 0) X(0, 2, 0, 0, 0)            \
  X(3, 0, 0, 0, 0) X(2, 1, 0, 0, 0) X(1, 2, 0, 0, 0) X(0, 3, 0, 0, 0) X(4, 0, 0, 0, 0)            \
  X(3, 1, 0, 0, 0) X(2, 2, 0, 0, 0) X(1, 3, 0, 0, 0) X(0, 4, 0, 0, 0) X(1, 0, 1, 0, 0)            \
  X(1, 0, 0, 1, 0) X(1, 0, 0, 0, 1) X(0, 1, 1, 0, 0) X(0, 1, 0, 1, 0) X(0, 1, 0, 0, 1)            \
  X(2, 0, 1, 0, 0) X(2, 0, 0, 1, 0) X(2, 0, 0, 0, 1) X(1, 1, 1, 0, 0) X(1, 1, 0, 1, 0)            \
  X(1, 1, 0, 0, 1) X(0, 2, 1, 0, 0) X(0, 2, 0, 1, 0) X(0, 2, 0, 0, 1) X(0, 0, 2, 0, 0)            \
  X(0, 0, 1, 1, 0) X(0, 0, 1, 0, 1) X(0, 0, 0, 2, 0) X(0, 0, 0, 1, 1) X(0, 0, 0, 0, 2)
/* clang-format on */

#define ALEA_LANES_COUNT_FORM(p, q, n, i, e) +1
enum {
  ALEA_LANES_LONG = 2 * (0 ALEA_LANES_FORMS(ALEA_LANES_COUNT_FORM)), /* then a word: the form */
  ALEA_LANES_LOOP,  /* count leaves follow: they become false, and the loop begins */
  ALEA_LANES_KEPT,  /* a loop whose leaves are kept.  A word follows: how much code there is
                     * from after it to the loop's end, where the loop may be passed over, or
                     * 0; then the leaves, which become false where all begins anew */
  ALEA_LANES_AGAIN, /* count pairs of leaf and target follow, and whether to complement it:
                     * leaves become targets; back to the loop's start if one changed */
};

/* How ALEA_LANES_LONG says what form it has. */
#define ALEA_LANES_PACK(form) alea_lanes_form_key(form)
static inline alea_lanes_form alea_lanes_form_unpack(uint32_t key) {
  return (alea_lanes_form){.plain = key & 31,
                           .negated = key >> 5 & 31,
                           .nand = key >> 10 & 15,
                           .imply = key >> 14 & 15,
                           .either = key >> 18 & 15,
                           .invert = key >> 22 & 1};
}

/* The form of a run with this number, for those who do not have a loop for each; '*code' is after
 * the header, and is moved past what belongs to it. */
static inline alea_lanes_form alea_lanes_form_of_run(uint32_t number, const uint32_t **code) {
#define ALEA_LANES_BOTH_FORMS(p, q, n, i, e) {p, q, n, i, e, 0}, {p, q, n, i, e, 1},
  static const alea_lanes_form forms[] = {ALEA_LANES_FORMS(ALEA_LANES_BOTH_FORMS)};
#undef ALEA_LANES_BOTH_FORMS
  return number < ALEA_LANES_LONG ? forms[number] : alea_lanes_form_unpack(*(*code)++);
}

#endif
