#ifndef ALEA_CSP_XCSP3_READER_H
#define ALEA_CSP_XCSP3_READER_H

/* Functions that the files of the XCSP3 reader share.
 *
 * A function that returns false has reported the mistake; reading then ends. */

#include <ctype.h>
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <stdio.h>
#include <stdlib.h>

#include "csp/expr.h"
#include "csp/xcsp3/xcsp3.h"

typedef struct names_array { /* an <array>: its cells in the network */
  const char *id;
  uint32_t dims, size[8], start[8];
  const alea_csp_var *cells; /* NONE if the cell does not exist */
} names_array;

typedef ALEA_VEC(alea_csp_var) var_list;
typedef ALEA_VEC(int32_t) int_list;
typedef ALEA_VEC(const char *) word_list;

/* A variable, or (NONE) a number. */
typedef struct operand {
  alea_csp_var var;
  int32_t value;
} operand;
typedef ALEA_VEC(operand) operand_list;

/* Items in bins: they take at least so many values. */
typedef struct packed_list {
  const alea_csp_var *vars;
  size_t count;
  int64_t least;
} packed_list;

typedef struct xml_reader {
  alea_xcsp3 *out;
  alea_csp *csp;
  alea_mem *mem;
  alea_diag *diag;
  const char *file, *text; /* the text of the instance, for places in it */
  size_t length;
  const xmlNode *placed; /* the element of the last xml_place_of */
  ALEA_VEC(names_array) arrays;
  uint32_t declared;     /* variables in <variables>; the rest is auxiliary */
  uint32_t hidden;       /* auxiliary variables made */
  const word_list *args; /* values of %0, %1, ... inside a group; NULL outside */
  size_t rest;           /* the first of them that belongs to %... */
  /* The text of the last table: a group reads the same one repeatedly. */
  const xmlNode *kept;
  const char *kept_text;
  ALEA_VEC(packed_list) packed; /* the lists of binPacking so far */
  bool symbols_seen;            /* since a constraint or objective began */
  bool refused;                 /* a message says why */
  bool failed;
} xml_reader;

typedef struct condition {
  enum { COMPARE, INSIDE, OUTSIDE, BETWEEN, BEYOND } kind;
  alea_op op;
  bool has_var;
  alea_csp_var var;
  int64_t value;  /* COMPARE */
  int_list set;   /* INSIDE, OUTSIDE */
  int64_t lo, hi; /* BETWEEN, BEYOND: a range */
} condition;

/* A weighted sum of variables. */
typedef struct terms {
  var_list vars;
  ALEA_VEC(int64_t) weights;
} terms;

/* Variables in rows of one length. */
typedef struct matrix {
  var_list cells;
  size_t rows, columns;
} matrix;

/* lt, le, ge, gt, eq, ne, in this order */
typedef struct xml_relation {
  const char *name;
  alea_op op;
} xml_relation;
extern const xml_relation xml_relations[6];

enum {
  MAX_INTERVAL = ALEA_CSP_MAX_DOMAIN,
  MAX_OBJECTIVE = 1 << 12, /* values of an objective; of more the bounds are kept */
};

/* text.c: diagnostics, nodes, words, lists */
/* A place for a message about an element.  Finding it takes a walk through the
 * text, which is left to xml_locate, once something is wrong. */
alea_place xml_place_of(xml_reader *r, const xmlNode *node);
/* Gives the last message its place: where the last element asked for has what
 * the message quotes, or the element. */
void xml_locate(const xml_reader *r);
bool xml_refuse(xml_reader *r, const xmlNode *node, const char *code, const char *format,
                const char *what);
bool xml_no_memory(xml_reader *r);
const char *xml_name_of(const xmlNode *node);
bool xml_is(const xmlNode *node, const char *name);
xmlNode *xml_first_element(const xmlNode *node);
xmlNode *xml_next_element(const xmlNode *node);
xmlNode *xml_child_named(const xmlNode *node, const char *name);
xmlNode *xml_next_named(const xmlNode *node, const char *name);
bool xml_only_children(xml_reader *r, const xmlNode *node, const char *const *allowed);
/* The text of a node, with group arguments instead of %0, %1, ... */
const char *xml_text_of(xml_reader *r, const xmlNode *node);
const char *xml_attribute(xml_reader *r, const xmlNode *node, const char *name);
bool xml_flag(xml_reader *r, const xmlNode *node, const char *name, bool otherwise, bool *out);
/* Words end at spaces outside of brackets. */
bool xml_next_word(const char **at, const char **word, size_t *length);
bool xml_read_int(xml_reader *r, const xmlNode *node, const char **at, int32_t *value);
alea_csp_var xml_constant_var(xml_reader *r, int32_t value);
bool xml_is_constant(const xml_reader *r, alea_csp_var var, int32_t *value);
alea_csp_var xml_range_var(xml_reader *r, int64_t lo, int64_t hi);
/* The same, but from 'most' values on only the bounds are kept. */
alea_csp_var xml_bounds_var(xml_reader *r, int64_t lo, int64_t hi, int64_t most);
/* False: only the bounds of the variable are kept, its values cannot be listed. */
bool xml_few_values(xml_reader *r, const xmlNode *node, const csp_variable *var);
/* A hidden 0/1 variable: var = value. */
alea_csp_var xml_indicator(xml_reader *r, alea_csp_var var, int32_t value);
/* A hidden variable equal to an expression; NONE after an error was
 * reported. */
alea_csp_var xml_view(xml_reader *r, const xmlNode *node, const char *text);
/* Posts an expression formatted as by printf. */
bool xml_post_text(xml_reader *r, const xmlNode *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
const char *xml_var_name(const xml_reader *r, alea_csp_var var);
/* Numbers stay numbers, or become hidden variables. */
bool xml_read_operands(xml_reader *r, const xmlNode *node, const char *at, operand_list *list);
bool xml_read_vars(xml_reader *r, const xmlNode *node, const char *at, var_list *list);
bool xml_read_list(xml_reader *r, const xmlNode *node, var_list *list);
/* Exactly one variable or number. */
bool xml_read_one(xml_reader *r, const xmlNode *node, alea_csp_var *var);
/* (x,y)(z,w)..., or a pattern such as x[][]. */
bool xml_read_matrix(xml_reader *r, const xmlNode *node, matrix *out);
/* Tuples of numbers "(1,2)(3,4)", all of one length. */
bool xml_read_tuples(xml_reader *r, const xmlNode *node, size_t width, int_list *out);
bool xml_start_index(xml_reader *r, const xmlNode *node, const char *name, int32_t *base);

/* vars.c: variables and arrays */
bool xml_read_ints(xml_reader *r, const xmlNode *node, const char *at, int_list *list);
bool xml_read_var(xml_reader *r, xmlNode *node, xmlNode *variables);
bool xml_read_array(xml_reader *r, xmlNode *node, xmlNode *variables);
const names_array *xml_find_array(const xml_reader *r, const char *word, size_t length);
bool xml_add_cells(xml_reader *r, const xmlNode *node, const char *word, size_t length,
                   const names_array *array, var_list *list);

/* sums.c: conditions, and constraints that are sums */
bool xml_read_condition(xml_reader *r, const xmlNode *parent, condition *out);
bool xml_condition_of(xml_reader *r, const xmlNode *node, condition *out);
bool xml_condition_from(xml_reader *r, const xmlNode *node, const char *text, condition *out);
/* The right-hand side of the condition as a variable; NONE after an error was
 * reported. */
alea_csp_var xml_condition_var(xml_reader *r, const xmlNode *node, const condition *c);
bool xml_post_condition(xml_reader *r, const xmlNode *node, alea_csp_var var, const condition *c);
bool xml_add_term(xml_reader *r, terms *sum, alea_csp_var var, int64_t weight);
void xml_clear_terms(xml_reader *r, terms *sum);
bool xml_post_sum(xml_reader *r, const xmlNode *node, const terms *sum, const condition *c);
/* A hidden variable equal to the sum; NONE after an error was reported.  Of more
 * than 'most' values it has only bounds. */
alea_csp_var xml_sum_variable(xml_reader *r, const xmlNode *node, const terms *sum, int64_t most);
/* <list> with its <coeffs>, which may be variables. */
bool xml_read_terms(xml_reader *r, const xmlNode *node, var_list *list, terms *sum);
/* One term per value that occurs in the list. */
bool xml_distinct_terms(xml_reader *r, const xmlNode *node, const var_list *list,
                        const int_list *except, terms *sum);
bool xml_read_sum(xml_reader *r, const xmlNode *node, var_list *list);
bool xml_read_count(xml_reader *r, const xmlNode *node, var_list *list);
bool xml_read_n_values(xml_reader *r, const xmlNode *node, var_list *list);
bool xml_read_cardinality(xml_reader *r, const xmlNode *node, var_list *list);
bool xml_read_knapsack(xml_reader *r, const xmlNode *node, var_list *list);
/* Adds weight * var, where the weight may be a variable. */
bool xml_add_product(xml_reader *r, const xmlNode *node, terms *sum, alea_csp_var var,
                     operand weight);
/* Every value that occurs in a domain of the list, once, in order. */
bool xml_all_values(xml_reader *r, const xmlNode *node, const var_list *list, int_list *values);

/* packing.c: binPacking */
bool xml_read_bin_packing(xml_reader *r, const xmlNode *node, var_list *list);
/* How many different values the list takes at least, as items in bins. */
int64_t xml_least_bins(const xml_reader *r, const var_list *list);

/* tables.c: extension, automata, precedence, stretch */
bool xml_read_extension(xml_reader *r, const xmlNode *node, var_list *list);
bool xml_read_automaton(xml_reader *r, const xmlNode *node, var_list *list);
bool xml_read_precedence(xml_reader *r, const xmlNode *node, var_list *list);
bool xml_read_stretch(xml_reader *r, const xmlNode *node, var_list *list);

/* pick.c: minimum, maximum, element, channel */
bool xml_read_extremum(xml_reader *r, const xmlNode *node, var_list *list);
bool xml_read_arg(xml_reader *r, const xmlNode *node, var_list *list);
bool xml_read_element(xml_reader *r, const xmlNode *node, var_list *list);
bool xml_read_channel(xml_reader *r, const xmlNode *node, var_list *list);
alea_csp_var xml_extremum_variable(xml_reader *r, const xmlNode *node, const var_list *list,
                                   bool maximum);

/* lists.c: constraints over whole lists, and over tasks */
bool xml_read_all_different(xml_reader *r, const xmlNode *node, var_list *list);
bool xml_read_all_equal(xml_reader *r, const xmlNode *node, var_list *list);
bool xml_read_ordered(xml_reader *r, const xmlNode *node, var_list *list);
bool xml_read_lex(xml_reader *r, const xmlNode *node, var_list *list);
bool xml_read_clause(xml_reader *r, const xmlNode *node, var_list *list);
bool xml_read_instantiation(xml_reader *r, const xmlNode *node, var_list *list);
bool xml_read_circuit(xml_reader *r, const xmlNode *node, var_list *list);
bool xml_read_no_overlap(xml_reader *r, const xmlNode *node, var_list *list);
bool xml_read_cumulative(xml_reader *r, const xmlNode *node, var_list *list);

/* flow.c */
bool xml_read_flow(xml_reader *r, const xmlNode *node, var_list *list);

/* goals.c: the objective, quantification and stages */
bool xml_read_objectives(xml_reader *r, const xmlNode *node);
bool xml_read_quantification(xml_reader *r, const xmlNode *node);
bool xml_read_stages(xml_reader *r, const xmlNode *node);

#endif
