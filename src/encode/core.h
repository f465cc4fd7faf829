#ifndef ALEA_ENCODE_CORE_H
#define ALEA_ENCODE_CORE_H

/* The inside of the translation: a template under construction.
 *
 * Definitions are kept as rules over (variable, value) until all are known;
 * then each becomes a table or a rule propagator (post.c). */

#include "csp/constraints.h"
#include "encode/groups.h"
#include "encode/template.h"

typedef enum encode_def_kind {
  ENCODE_DEF_DEFINE,
  ENCODE_DEF_HIGHEST,
  ENCODE_DEF_CHOICE
} encode_def_kind;

typedef struct encode_def {
  encode_def_kind kind;
  uint32_t first_head, head_count; /* heads[first_head ...]; several: a recursive part */
  uint32_t first_rule, rule_count;
} encode_def;

typedef struct encode_encoding {
  alea_template *t;
  const alea_template_options *options;
  const struct alea_program *program;
  alea_atoms atoms;
  encode_groups groups;
  alea_csp *csp;          /* of t->raw */
  uint8_t *private;       /* per atom: used once, as a root; no variable of its own */
  alea_atom terminal;     /* the atom that `terminal` stands for, or 0 */
  alea_csp_var *atom_var; /* per atom: variable and value that mean it */
  uint32_t *atom_value;
  uint32_t *group_var; /* per group */
  ALEA_VEC(encode_def) defs;
  ALEA_VEC(alea_csp_var) heads;
  ALEA_VEC(alea_csp_rule) rules; /* 'first' is an index into lits */
  ALEA_VEC(alea_csp_lit) lits;
  ALEA_VEC(uint8_t) kinds;
  ALEA_VEC(uint8_t) guard;
  ALEA_VEC(double)
  products; /* per variable: size of its domain before values without instance go */
  bool failed;
} encode_encoding;

/* A new variable over 0 .. values; the name is made unique. */
alea_csp_var encode_add_var(encode_encoding *e, alea_template_kind kind, const char *name,
                            uint32_t values);

void encode_def_open(encode_encoding *e, encode_def_kind kind);
void encode_def_head(encode_encoding *e, alea_csp_var var);
/* Rules that give head number 'head' the value where 'lit' holds, and the
 * 'extra' literals with it. */
void encode_def_rules(encode_encoding *e, uint32_t head, uint32_t value, alea_glit lit,
                      const alea_csp_lit *extra, uint32_t extra_count);
void encode_def_body(encode_encoding *e, uint32_t head, uint32_t value, const alea_csp_lit *lits,
                     uint32_t count);
void encode_def_close(encode_encoding *e);

/* Tables and propagators for all definitions (post.c). */
alea_status encode_post_defs(encode_encoding *e);
/* Preprocessing, chance and payments (prepare.c). */
alea_status encode_prepare(encode_encoding *e);

/* Argument domains of the lifted rules (arguments.c): sizes of the domains
 * that the paper's encoder would start from, per variable, into e->products;
 * static relations into the sizes and the log. */
alea_status encode_argument_domains(encode_encoding *e);

#endif
