#ifndef ALEA_TOSS_CONSTRUCT_H
#define ALEA_TOSS_CONSTRUCT_H

/* The construction of evaluation games ([TOSS10 §6]).
 *
 * Learning keeps sets of formulas, terms, structures and games over the doubled
 * signature and closes them under productions: the rules of the syntax for
 * formulas and terms; one more element, one more tuple and disjoint sums for
 * structures; vertices over what is there, and composition, for games.  Which
 * production comes next the paper leaves to a chooser outside, and so does this:
 * alea_toss_construct_by takes any.  The chooser that is used in learning is the
 * decision list of the heuristic (alea_toss_construct_list).
 *
 * What a construction holds can only be read and played: a production that would
 * lead out of the language is refused.  Variables are numbers below
 * ALEA_TOSS_MOST_SIDE; in a condition of a rule a free variable is the element of
 * the left structure with that number. */

#include "toss/evaluation.h"

typedef enum alea_toss_production_kind {
  /* formulas */
  ALEA_TOSS_MAKE_TRUE,
  ALEA_TOSS_MAKE_ATOM,   /* a relation, then variables */
  ALEA_TOSS_MAKE_EQUAL,  /* two variables */
  ALEA_TOSS_MAKE_LESS,   /* two terms */
  ALEA_TOSS_MAKE_NOT,    /* a formula */
  ALEA_TOSS_MAKE_AND,    /* two formulas */
  ALEA_TOSS_MAKE_OR,     /* two formulas */
  ALEA_TOSS_MAKE_EXISTS, /* a variable and a formula */
  ALEA_TOSS_MAKE_FORALL,
  /* terms */
  ALEA_TOSS_MAKE_NUMBER,
  ALEA_TOSS_MAKE_LABEL, /* a function and a variable */
  ALEA_TOSS_MAKE_PLUS,  /* two terms */
  ALEA_TOSS_MAKE_TIMES, /* two terms */
  ALEA_TOSS_MAKE_CHAR,  /* a formula */
  ALEA_TOSS_MAKE_SUM,   /* a variable, a formula and a term */
  /* structures */
  ALEA_TOSS_MAKE_POINT,    /* one element */
  ALEA_TOSS_MAKE_ELEMENT,  /* a structure that gets another element */
  ALEA_TOSS_MAKE_TUPLE,    /* a structure, a relation and elements */
  ALEA_TOSS_MAKE_TOGETHER, /* the disjoint sum of two structures */
  /* games */
  ALEA_TOSS_MAKE_END,      /* a closed term for each player */
  ALEA_TOSS_MAKE_CHANCE,   /* pairs of a game and a weight */
  ALEA_TOSS_MAKE_CHOICE,   /* a player, a game whose payoffs count if there is no choice, then for
                              each choice a left and a right structure, a formula and a game;
                              structures NONE: the formula alone decides */
  ALEA_TOSS_MAKE_SEQUENCE, /* a game, and one that is played where it ends */
} alea_toss_production_kind;

enum { ALEA_TOSS_MOST_OPERANDS = 34, ALEA_TOSS_MOST_WEIGHT = 10000 };

typedef struct alea_toss_production {
  alea_toss_production_kind kind;
  uint32_t count, operands[ALEA_TOSS_MOST_OPERANDS];
  double number; /* of MAKE_NUMBER */
} alea_toss_production;

typedef struct alea_toss_construction alea_toss_construction;

/* A construction over the signature of 'evaluation', which it borrows.  NULL if
 * out of memory. */
alea_toss_construction *alea_toss_construction_new(const alea_toss_evaluation *evaluation,
                                                   alea_mem *mem);
void alea_toss_construction_free(alea_toss_construction *c); /* NULL is a no-op. */
/* How many formulas, terms, structures and games there are. */
void alea_toss_construction_counts(const alea_toss_construction *c, uint32_t counts[4]);

/* Adds what a production makes to its set; '*made' is its number there.
 * ALEA_USAGE: the production does not fit; nothing was added.  ALEA_LIMIT: the
 * result would be too large. */
alea_status alea_toss_construct(alea_toss_construction *c, const alea_toss_production *production,
                                uint32_t *made);

/* Says which production comes next; false: none. */
typedef bool alea_toss_chooser(void *context, const alea_toss_construction *c,
                               alea_toss_production *next);
/* Follows a chooser to its end, past productions that do not fit. */
alea_status alea_toss_construct_by(alea_toss_construction *c, alea_toss_chooser *chooser,
                                   void *context);

/* Constructs the list of cases that 'evaluation' has for a location as a game.
 * Probabilities become weights out of ALEA_TOSS_MOST_WEIGHT.  ALEA_UNSUPPORTED:
 * other verdicts are among them, or a formula has sets or real variables. */
alea_status alea_toss_construct_list(alea_toss_construction *c, uint32_t location, uint32_t *game);

/* Appends a game as the rules and locations of a GAME block. */
alea_status alea_toss_construction_print(const alea_toss_construction *c, uint32_t game,
                                         alea_text *out);
/* Appends a whole evaluation that is a list of cases as GAME blocks. */
alea_status alea_toss_evaluation_as_games(const alea_toss_evaluation *evaluation, alea_text *out,
                                          alea_mem *mem);

#endif
