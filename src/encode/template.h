#ifndef ALEA_ENCODE_TEMPLATE_H
#define ALEA_ENCODE_TEMPLATE_H

/* A game as a stochastic constraint network: one stage (µSCSP, [MACUCB16 §3.2
 * to §4.1], [SCSP14 §4]), the same for every instant, to be instantiated with a
 * state.
 *
 * Variables, in this order; value 0 of each is `undefined`:
 *   state      one per group of fluents of which at most one holds (groups.h),
 *   ended      1 once the game was over at an earlier instant,
 *   derived    predicates of the rules that depend on the state alone, among
 *              them `terminal`,
 *   goals      one per role: the goal value,
 *   flags      one per move of chance: the move is legal,
 *   actions    one per role: its move; the one of chance, if any, is the last
 *              and is the stochastic variable, uniform over the raised flags,
 *   derived    what depends on the moves,
 *   next       the state variables of the next instant, percepts.
 * Each follows from variables before it but the actions, which are chosen.
 * Once the game is over every later variable but `terminal` is undefined.
 *
 * The encoder `ground` takes the rules as the grounder left them: derived
 * atoms are Boolean.  `paper` takes them as written and has one variable per
 * predicate, split by keys where a predicate holds several tuples at once.
 *
 * A template is immutable and may be used by any number of threads; it borrows
 * the ground program and counts its memory with the 'mem' it was made with. */

#include "base/clock.h"
#include "base/json.h"
#include "ground/ground.h"
#include "scsp/scsp.h"

struct alea_program;
struct encode_flat;

typedef enum alea_encoder { ALEA_ENCODER_GROUND, ALEA_ENCODER_PAPER } alea_encoder;

typedef enum alea_template_kind {
  ALEA_VAR_STATE,
  ALEA_VAR_ENDED,
  ALEA_VAR_DERIVED,
  ALEA_VAR_TERMINAL,
  ALEA_VAR_GOAL,
  ALEA_VAR_FLAG,
  ALEA_VAR_ACTION,
  ALEA_VAR_CHANCE,
  ALEA_VAR_NEXT,
  ALEA_VAR_PERCEPT
} alea_template_kind;

/* What a network has: variables of one instant (the next state belongs to the
 * next), the largest domain, constraints, hard and soft. */
typedef struct alea_template_sizes {
  uint64_t vars, constraints;
  double max_domain; /* products of argument domains can be astronomic */
} alea_template_sizes;

/* What each step of the preprocessing ([MACUCB16 §4.1], D14) took away. */
typedef struct alea_template_log {
  uint32_t merged;    /* constraints merged with another on the same scope */
  uint32_t unary;     /* constraints moved into domains */
  uint32_t universal; /* variables taken out of a scope */
  uint32_t dropped;   /* constraints left without variables */
  uint32_t statics;   /* variables of static relations and of `role`, universal everywhere */
  double unsupported; /* values of argument products without a ground instance */
  uint64_t sac;       /* values removed by singleton arc consistency */
  bool sac_complete;
} alea_template_log;

typedef struct alea_template_options {
  alea_encoder encoder;
  uint64_t table_rows;  /* explicit tables up to this product of domains; 0 = 2^18 */
  uint64_t table_cells; /* of all tables together, small ones first; 0 = 2^22 */
  double prove_seconds; /* for proving groups; 0 = 2; at most a quarter of the deadline */
  double sac_seconds;   /* 0 = no singleton arc consistency, unless 'counted' */
  bool counted;  /* proofs of groups and singleton arc consistency are limited by counts in place
                    of seconds, so that the same rules make the same template on any machine */
  uint64_t seed; /* of the random playouts that propose groups */
  const struct alea_game *game; /* for these playouts, faster than the rules; or NULL */
  const uint8_t *whole;         /* per fluent: 1 = its predicate is not to be grouped; or NULL */
  const alea_deadline *deadline;
  bool flat; /* for stages (encode/stage_table.h): the rules as flat arrays too */
} alea_template_options;

typedef struct alea_template {
  alea_mem *mem;
  const alea_ground *ground; /* borrowed */
  alea_encoder encoder;
  alea_scsp *raw;   /* before preprocessing: owns what 'scsp' shares */
  alea_csp *middle; /* between two passes of it, or NULL: likewise */
  alea_scsp *scsp;  /* the network */
  uint8_t *kinds;   /* per variable: alea_template_kind */
  uint32_t var_count;

  uint32_t state_count;     /* state variables are 0 .. state_count-1 */
  alea_csp_var *next;       /* per state variable */
  alea_csp_var *fluent_var; /* per fluent: its state variable ... */
  uint32_t *fluent_value;   /* ... and value; a fluent of no variable has value 0 */
  uint32_t *value_first;    /* per state variable: fluents[value_first[v] + value - 1] */
  uint32_t *fluents;
  alea_csp_var ended, terminal;
  alea_csp_var *goal;       /* per role, ALEA_CSP_NONE where it never has one */
  int *goal_values;         /* goal_first[role] + value - 1: the number */
  uint32_t *goal_first;     /* role_count + 1 */
  alea_csp_var *action;     /* per role; value 1 + m is move move_first[role] + m */
  alea_csp_var *sees_var;   /* per entry of ground->sees: its percept variable ... */
  uint32_t *sees_value;     /* ... and value */
  uint32_t closing;         /* variables before this follow from the state */
  uint32_t moving;          /* variables from here on depend on the actions */
  bool guarded;             /* some group was seen, not proved, to hold at most one fluent */
  uint8_t *guard;           /* per variable: its group is only seen */
  struct encode_flat *flat; /* the rules as propagation wants them (encode/flat.h), or NULL */

  alea_template_sizes before, after;
  alea_template_log log;
  uint32_t groups_proved, groups_watched; /* of several members */
  uint64_t states_sampled;
  double seconds;
} alea_template;

/* Builds the template of 'ground', which is plain (ground.h) for the encoder
 * `paper`, and of 'program' for its lifted part (NULL with `ground`).
 * ALEA_LIMIT: a domain or the whole is too large, or the deadline passed. */
alea_status alea_template_new(alea_template **made, const alea_ground *ground,
                              const struct alea_program *program,
                              const alea_template_options *options, alea_mem *mem);
void alea_template_free(alea_template *t); /* NULL is a no-op. */

/* The process (K4): the template from the initial state on, for solving and
 * writing.  It shares data with the template and must not outlive it.  NULL
 * without memory. */
alea_process *alea_template_process(const alea_template *t);
/* One stage with the state fixed to the initial one. */
alea_scsp *alea_template_stage(const alea_template *t);

/* Appends the constraint graph in the language of dot. */
void alea_template_dot(const alea_template *t, alea_text *out);
/* Puts the same as an object: "variables", each with "name", "kind" and "size", and the
 * "scopes" of constraints, lists of variables by number, soft ones behind the others; both null
 * where there are more than 'most' variables. */
void alea_template_json(const alea_template *t, uint32_t most, alea_json *json);

#endif
