#ifndef ALEA_CSP_XCSP3_READER_H
#define ALEA_CSP_XCSP3_READER_H

/* What the files of the XCSP3 reader share.  A function returns false after
 * it has reported the mistake; the reading then ends. */

#include <ctype.h>
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <stdio.h>
#include <stdlib.h>

#include "csp/expr.h"
#include "csp/xcsp3.h"

typedef struct names_array { /* an <array>: where its cells are in the network */
  const char *id;
  uint32_t dims, size[8], start[8];
  const alea_csp_var *cells; /* NONE where the cell does not exist */
} names_array;

typedef ALEA_VEC(alea_csp_var) var_list;
typedef ALEA_VEC(int32_t) int_list;

typedef struct xml_reader {
  alea_xcsp3 *out;
  alea_csp *csp;
  alea_mem *mem;
  alea_diag *diag;
  const char *file;
  ALEA_VEC(names_array) arrays;
  uint32_t hidden;      /* auxiliary variables made */
  const var_list *args; /* what %0, %1, ... stand for inside a group; NULL outside */
  bool failed;
} xml_reader;

typedef struct condition {
  enum { COMPARE, INSIDE, OUTSIDE } kind;
  alea_op op;
  bool has_var;
  alea_csp_var var;
  int32_t value;
  int_list set;
} condition;

/* lt, le, ge, gt, eq, ne, in this order */
typedef struct xml_relation {
  const char *name;
  alea_op op;
} xml_relation;
extern const xml_relation xml_relations[6];

enum { MAX_INTERVAL = 1 << 21 };

/* xcsp3_text.c: diagnostics, nodes, words, lists */
alea_place xml_place_of(const xml_reader *r, const xmlNode *node);
bool xml_refuse(xml_reader *r, const xmlNode *node, const char *code, const char *format,
                const char *what);
bool xml_no_memory(xml_reader *r);
const char *xml_name_of(const xmlNode *node);
bool xml_is(const xmlNode *node, const char *name);
xmlNode *xml_first_element(const xmlNode *node);
xmlNode *xml_next_element(const xmlNode *node);
xmlNode *xml_child_named(const xmlNode *node, const char *name);
bool xml_only_children(xml_reader *r, const xmlNode *node, const char *const *allowed);
const char *xml_text_of(xml_reader *r, const xmlNode *node);
const char *xml_attribute(xml_reader *r, const xmlNode *node, const char *name);
bool xml_next_word(const char **at, const char **word, size_t *length);
bool xml_read_int(xml_reader *r, const xmlNode *node, const char **at, int32_t *value);
alea_csp_var xml_constant_var(xml_reader *r, int32_t value);
alea_csp_var xml_range_var(xml_reader *r, int64_t lo, int64_t hi);
bool xml_read_vars(xml_reader *r, const xmlNode *node, const char *at, var_list *list);
bool xml_read_list(xml_reader *r, const xmlNode *node, var_list *list);

/* xcsp3_vars.c: variables and arrays */
bool xml_read_ints(xml_reader *r, const xmlNode *node, const char *at, int_list *list);
bool xml_read_var(xml_reader *r, xmlNode *node, xmlNode *variables);
bool xml_read_array(xml_reader *r, xmlNode *node, xmlNode *variables);
const names_array *xml_find_array(const xml_reader *r, const char *word, size_t length);
bool xml_add_cells(xml_reader *r, const xmlNode *node, const char *word, size_t length,
                   const names_array *array, var_list *list);
bool xml_check_type(xml_reader *r, xmlNode *node, bool *stochastic);
alea_csp_var xml_make_var(xml_reader *r, const xmlNode *node, const char *name,
                          const int_list *values);

/* xcsp3_tables.c: extension, sums, counts, extrema, element */
bool xml_read_condition(xml_reader *r, const xmlNode *parent, condition *out);
bool xml_post_condition(xml_reader *r, alea_csp_var var, const condition *c);
bool xml_read_extension(xml_reader *r, const xmlNode *node, var_list *list);
bool xml_read_sum(xml_reader *r, const xmlNode *node, var_list *list);
bool xml_read_count(xml_reader *r, const xmlNode *node, var_list *list);
bool xml_read_n_values(xml_reader *r, const xmlNode *node, var_list *list);
bool xml_read_cardinality(xml_reader *r, const xmlNode *node, var_list *list);
bool xml_read_extremum(xml_reader *r, const xmlNode *node, var_list *list);
bool xml_read_element(xml_reader *r, const xmlNode *node, var_list *list);
alea_csp_var xml_sum_variable(xml_reader *r, const xmlNode *node, const var_list *list,
                              const int_list *coeffs);
bool xml_read_coeffs(xml_reader *r, const xmlNode *node, size_t count, int_list *coeffs);

/* xcsp3_lists.c: constraints over whole lists */
bool xml_read_all_different(xml_reader *r, const xmlNode *node, var_list *list);
bool xml_read_all_equal(xml_reader *r, const xmlNode *node, var_list *list);
bool xml_read_ordered(xml_reader *r, const xmlNode *node, var_list *list);
bool xml_read_lex(xml_reader *r, const xmlNode *node, var_list *list);
bool xml_read_channel(xml_reader *r, const xmlNode *node, var_list *list);
bool xml_read_instantiation(xml_reader *r, const xmlNode *node, var_list *list);
bool xml_read_automaton(xml_reader *r, const xmlNode *node, var_list *list);

#endif
