#ifndef ALEA_TOSS_RULES_H
#define ALEA_TOSS_RULES_H

/* Compiled rewriting rules: matching and rewriting ([TOSS10 §1]).
 *
 * All rules of a file share one logic.  It is known what each rule may change;
 * definitions over relations that no rule changes are materialised in the
 * initial structure. */

#include "toss/logic.h"

typedef struct alea_toss_pattern {
  const alea_toss_rule *rule; /* borrowed from the file */
  uint32_t left_count, right_count;
  uint32_t left_slots[ALEA_TOSS_MOST_SIDE]; /* of the elements in the logic */
  uint32_t right_slots[ALEA_TOSS_MOST_SIDE];
  uint32_t heir[ALEA_TOSS_MOST_SIDE]; /* left: the right element that keeps its number, or NONE */
  uint32_t plan;                      /* finds matches that satisfy 'pre' */
  uint32_t embedding;                 /* code: the slots hold an embedding */
  uint32_t inv, post;                 /* codes, or NONE */
  bool preserving; /* the right elements are the left ones: none are added or deleted */
  uint8_t *exact;  /* per relation */
} alea_toss_pattern;

typedef struct alea_toss_rules {
  alea_mem *mem;
  const alea_toss_file *file; /* borrowed */
  size_t relation_count, rule_count;
  uint8_t *changing;      /* per relation: some rule changes it, or a relation in its definition */
  uint8_t *stored;        /* per relation: its tuples are in the structure */
  uint8_t *walkable;      /* per relation: plans walk it */
  alea_toss_notes *notes; /* of all that is evaluated with these rules */
  alea_toss_logic logic;
  alea_toss_pattern *patterns;
  uint32_t *payoffs; /* location * player count + player: code, or NONE */
  uint32_t *params;  /* per name: its real slot; NONE if the name is no parameter */
  size_t name_count;
  uint32_t *dynamics_codes, *update_codes; /* of all rules, one after the other */
  uint32_t *first_dynamics, *first_update; /* per rule */
  size_t dynamics_count, update_count;
  uint32_t capacity;          /* elements that a structure of this game may have */
  alea_toss_structure *start; /* with materialised relations */
} alea_toss_rules;

/* Compiles 'file', which must outlive the result.  'spare': capacity for new
 * elements, used if some rule adds any.  'certain': plans walk only relations
 * that no rule changes, as symbolic evaluation needs. */
alea_status alea_toss_rules_new(alea_toss_rules **rules, const alea_toss_file *file, uint32_t spare,
                                bool certain, alea_mem *mem, alea_diag *diag);
void alea_toss_rules_free(alea_toss_rules *rules); /* NULL is a no-op. */

/* An empty structure with the signature of the game. */
alea_toss_structure *alea_toss_rules_structure(const alea_toss_rules *rules, alea_mem *mem);

/* Appends the matches of a rule in the env's structure, left_count elements
 * each, in lexicographic order. */
typedef ALEA_VEC(uint32_t) alea_toss_matches;
alea_status alea_toss_match(const alea_toss_rules *rules, uint32_t rule, alea_toss_env *env,
                            alea_toss_matches *matches);
/* Whether 'match' is an embedding in the env's structure; `pre` is not
 * checked. */
bool alea_toss_is_match(const alea_toss_rules *rules, uint32_t rule, alea_toss_env *env,
                        const uint32_t *match);

/* Rewrites 'structure' (the env's) at 'match'.  'images' gets the numbers of
 * the right elements.  ALEA_LIMIT: no number is left for a new element. */
alea_status alea_toss_rewrite(const alea_toss_rules *rules, uint32_t rule, alea_toss_env *env,
                              alea_toss_structure *structure, const uint32_t *match,
                              uint32_t *images);
/* Whether `post` holds of 'images'. */
bool alea_toss_post_holds(const alea_toss_rules *rules, uint32_t rule, alea_toss_env *env,
                          const uint32_t *images);

#endif
