#ifndef ALEA_TOSS_PARSER_H
#define ALEA_TOSS_PARSER_H

/* Internals of the reader: one token of lookahead, and a status that stays.
 *
 * After the first error every function returns at once and the loops end. */

#include "toss/lexer.h"
#include "toss/syntax.h"

typedef struct alea_toss_parser {
  alea_toss_file *file;
  alea_toss_lexer lexer;
  alea_toss_token token; /* the next one */
  alea_diag *diag;
  alea_status status;
  unsigned depth; /* nesting depth of formulas */
} alea_toss_parser;

static inline bool alea_toss_good(const alea_toss_parser *p) { return p->status == ALEA_OK; }
void alea_toss_advance(alea_toss_parser *p);
bool alea_toss_at(const alea_toss_parser *p,
                  const char *text); /* whether this mark or word is next */
bool alea_toss_accept(alea_toss_parser *p, const char *text); /* the same; consumes it */
void alea_toss_expect(alea_toss_parser *p,
                      const char *text); /* the same; an error if it is not next */
bool alea_toss_is_keyword(const alea_toss_token *token);
uint32_t alea_toss_name(alea_toss_parser *p, const char *what); /* a word that is not a keyword */
bool alea_toss_is_keyword(const alea_toss_token *token);
double alea_toss_number(alea_toss_parser *p); /* with an optional minus */
uint32_t alea_toss_integer(alea_toss_parser *p, uint32_t most);
void alea_toss_fail(alea_toss_parser *p, const char *code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Errors are reported at the next token; this sets another place. */
static inline void alea_toss_point(alea_toss_parser *p, uint32_t line, uint32_t column) {
  p->token.line = line;
  p->token.column = column;
}
void alea_toss_no_memory(alea_toss_parser *p);

/* A formula or a term; returns the node. */
uint32_t alea_toss_formula(alea_toss_parser *p);
uint32_t alea_toss_term(alea_toss_parser *p);
/* `[elements | relations | functions]`, and for START a board after it. */
void alea_toss_picture_read(alea_toss_parser *p, alea_toss_picture *picture, bool drawn);
void alea_toss_rule_read(alea_toss_parser *p);
void alea_toss_location_read(alea_toss_parser *p);
/* `:f(x)'; :g(x)''` after `carry`; and, at the end of the rule, its equations with
 * these derivatives as labels. */
void alea_toss_carry_read(alea_toss_parser *p, alea_toss_rule *rule);
void alea_toss_carry_apply(alea_toss_parser *p, alea_toss_rule *rule);

/* Resolves names and checks the file; false after an error. */
bool alea_toss_check(alea_toss_file *file, alea_diag *diag, alea_status *status);

#define alea_toss_push(p, vec, ...) \
  ((void)(alea_vec_push((p)->file->mem, (vec), __VA_ARGS__) || (alea_toss_no_memory(p), false)))

#endif
