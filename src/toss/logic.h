#ifndef ALEA_TOSS_LOGIC_H
#define ALEA_TOSS_LOGIC_H

/* Formulas and terms, compiled once and evaluated many times ([TOSS10 §3]).
 *
 * Compiling brings formulas into negation normal form, moves quantifiers
 * inward, expands the definitions of defined relations, and gives every bound
 * variable a slot.  A block of element quantifiers becomes a plan: which
 * relation to iterate over, which slots that binds, and what can be checked
 * then.  Enumerating tuples top down, with an index on bound positions,
 * replaces tables of assignments: a formula of five variables would need n^5
 * rows.
 *
 * A relation is *stored* if its tuples are in the structure: all relations that
 * are not defined, and definitions that were materialised because nothing
 * changes them.  Plans walk relations that are stored and *walkable*. */

#include "base/verdict.h"
#include "toss/notes.h"
#include "toss/structure.h"
#include "toss/syntax.h"

typedef enum alea_toss_op {
  ALEA_TOSS_OP_TRUE, /* negated: false */
  ALEA_TOSS_OP_ATOM,
  ALEA_TOSS_OP_EQUAL,
  ALEA_TOSS_OP_IN,
  ALEA_TOSS_OP_LESS,
  ALEA_TOSS_OP_SAME,
  ALEA_TOSS_OP_AND, /* never negated */
  ALEA_TOSS_OP_OR,
  ALEA_TOSS_OP_EXISTS, /* plan */
  ALEA_TOSS_OP_EXISTS_SET,
  ALEA_TOSS_OP_EXISTS_REAL,
  ALEA_TOSS_OP_NUMBER,
  ALEA_TOSS_OP_REAL,
  ALEA_TOSS_OP_FUNCTION,
  ALEA_TOSS_OP_ADD,
  ALEA_TOSS_OP_MUL,
  ALEA_TOSS_OP_NEG,
  ALEA_TOSS_OP_DIV,
  ALEA_TOSS_OP_POW,
  ALEA_TOSS_OP_ROOT,
  ALEA_TOSS_OP_CHAR,
  ALEA_TOSS_OP_MIN,
  ALEA_TOSS_OP_SUM, /* plan, and the term as kid */
  ALEA_TOSS_OP_PROD,
} alea_toss_op;

typedef struct alea_toss_code {
  alea_toss_op op;
  bool negated;
  uint16_t order;        /* FUNCTION */
  uint32_t target;       /* relation or function */
  uint32_t slot;         /* of the variable bound or read */
  uint32_t first, count; /* kids: slots for ATOM, EQUAL, IN, FUNCTION, else codes */
  uint32_t plan;
  uint32_t node; /* where it comes from, or NONE */
  double number;
  alea_interval value; /* NUMBER: the decimal that is written */
} alea_toss_code;

typedef struct alea_toss_step {
  uint32_t atom;                     /* code of the atom to walk, or NONE: every element */
  uint32_t slot;                     /* without atom: the slot that is bound */
  uint32_t index;                    /* position whose list is walked; NONE: all tuples */
  uint32_t binds;                    /* bits: positions that bind their slot */
  uint32_t first_check, check_count; /* kids: codes */
} alea_toss_step;

typedef struct alea_toss_plan {
  uint32_t first_step, step_count;
  uint32_t first_check, check_count; /* before the first step */
} alea_toss_plan;

typedef struct alea_toss_logic {
  alea_mem *mem;
  const alea_toss_file *file;       /* borrowed */
  const uint8_t *stored, *walkable; /* per relation; borrowed */
  ALEA_VEC(alea_toss_code) codes;
  ALEA_VEC(uint32_t) kids;
  ALEA_VEC(alea_toss_plan) plans;
  ALEA_VEC(alea_toss_step) steps;
  uint32_t elements, sets, reals; /* slots of each sort */
  uint32_t size;                  /* nodes compiled so far */
  alea_toss_notes *notes;         /* borrowed, set by the caller; NULL: none are kept */
} alea_toss_logic;

/* The meaning of a free name of a formula. */
typedef struct alea_toss_binding {
  uint32_t name;
  alea_toss_sort sort;
  uint32_t slot;
} alea_toss_binding;

/* The arrays are borrowed for the life of the logic. */
void alea_toss_logic_init(alea_toss_logic *logic, const alea_toss_file *file, const uint8_t *stored,
                          const uint8_t *walkable, alea_mem *mem);
void alea_toss_logic_clear(alea_toss_logic *logic);

/* Compiles the formula or term 'node' whose free names are among 'bindings'.
 * ALEA_LIMIT: the definitions expand too much, or memory. */
alea_status alea_toss_compile(alea_toss_logic *logic, uint32_t node,
                              const alea_toss_binding *bindings, size_t count, uint32_t *code);
/* Codes made directly; UINT32_MAX if out of memory. */
uint32_t alea_toss_code_atom(alea_toss_logic *logic, uint32_t relation, const uint32_t *slots,
                             bool negated);
uint32_t alea_toss_code_equal(alea_toss_logic *logic, uint32_t a, uint32_t b, bool negated);
/* An atom of a relation that may be defined by a formula. */
alea_status alea_toss_compile_atom(alea_toss_logic *logic, uint32_t relation, const uint32_t *slots,
                                   bool negated, uint32_t *code);
/* A plan that finds every assignment to 'slots' under which all of 'conjuncts'
 * hold, each once.  Conjunctions among them are split. */
alea_status alea_toss_plan_new(alea_toss_logic *logic, const uint32_t *slots, size_t slot_count,
                               const uint32_t *conjuncts, size_t count, uint32_t *plan);

/* ---- evaluation ---- */

/* How numbers that are known as intervals compare.  In the logic of the paper one
 * is less than another if it certainly is, and a negation is the opposite.  The
 * other two ask of the true values, whatever they are: does the whole formula
 * certainly hold, and may it hold?  Quantifiers over numbers and sets that read
 * labels are then open. */
typedef enum alea_toss_doubt {
  ALEA_TOSS_AS_KNOWN,
  ALEA_TOSS_SURELY,
  ALEA_TOSS_POSSIBLY
} alea_toss_doubt;

/* The environment in which formulas are evaluated; one per thread.  'status'
 * reports a lack of memory or a limit, after which answers are meaningless.
 *
 * A formula holds if it surely does: where a real quantifier stays unknown it
 * counts as false, and as true where it is negated. */
typedef struct alea_toss_env {
  const alea_toss_logic *logic;
  const alea_toss_structure *structure;
  uint32_t *elements;
  uint64_t *sets; /* slot * set_words */
  size_t set_words;
  alea_interval *reals;
  const alea_interval *derivatives; /* ((order - 1) * functions + function) * capacity + element */
  alea_status status;
  alea_toss_doubt doubt;
  bool negative;        /* what is evaluated stands under an odd number of negations */
  uint64_t undecided;   /* real quantifiers that stayed unknown */
  struct alea_nra *nra; /* made when it is needed (nra/nra.h) */
  struct alea_toss_real_question *question; /* which open checks are left to; or NULL */
  alea_mem *mem;
  uint32_t element_slots, set_slots, real_slots; /* allocated */
} alea_toss_env;

/* Allocates slots for all that 'logic' has compiled so far. */
alea_status alea_toss_env_init(alea_toss_env *env, const alea_toss_logic *logic,
                               const alea_toss_structure *structure, alea_mem *mem);
void alea_toss_env_clear(alea_toss_env *env);

bool alea_toss_holds(alea_toss_env *env, uint32_t code);
/* Whether it holds for all true values, for none, or for some perhaps. */
alea_verdict alea_toss_certainly(alea_toss_env *env, uint32_t code);
/* The same of all that an assignment of a plan has to satisfy. */
alea_verdict alea_toss_plan_certainly(alea_toss_env *env, uint32_t plan);
alea_interval alea_toss_evaluate(alea_toss_env *env, uint32_t code);

/* Calls 'visit' for every assignment; it returns true to stop.  Returns true if
 * stopped.  'visit' must not change the structure. */
typedef bool alea_toss_visit(alea_toss_env *env, void *context);
bool alea_toss_enumerate(alea_toss_env *env, uint32_t plan, alea_toss_visit *visit, void *context);

/* Real quantifiers and minima, in reals.c; `code` is the body. */
alea_verdict alea_toss_exists_real(alea_toss_env *env, uint32_t code, uint32_t slot);
alea_interval alea_toss_least_real(alea_toss_env *env, uint32_t code, uint32_t slot);
/* Whether a code, or something that a plan checks, reads labels. */
bool alea_toss_reads_labels(const alea_toss_logic *logic, uint32_t code);
bool alea_toss_plan_reads_labels(const alea_toss_logic *logic, uint32_t plan);
/* Whether a code reads the real variable. */
bool alea_toss_reads_real(const alea_toss_logic *logic, uint32_t code, uint32_t slot);
/* Set quantifiers, in sets.c: whether there are sets for 'slot', and for those of
 * the quantifiers at the top of the body; they are then in the environment. */
bool alea_toss_exists_set(alea_toss_env *env, uint32_t code, uint32_t slot);

/* Adds the tuples of the relations marked in 'materialise', all defined by
 * formulas over stored ones, to the structure, in order of definition. */
alea_status alea_toss_materialise(const alea_toss_file *file, alea_toss_structure *structure,
                                  const uint8_t *materialise, alea_toss_notes *notes,
                                  alea_mem *mem);

#endif
