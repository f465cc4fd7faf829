#ifndef ALEA_CSP_JSON_H
#define ALEA_CSP_JSON_H

/* The JSON form of networks, plain and strategic (stochastic networks are read
 * in scsp, with the helpers here).
 *
 *   {"format": "alea-csp", "type": "csp" | "strategic" | "scsp" | "process",
 *    "variables": [{"name": "x", "range": [0, 9]}, {"name": "y", "values": [1, 3]}],
 *    "constraints": [{"type": "table", "scope": ["x", "y"], "tuples": [[0, 1], ["*", 3]]}, ...],
 *    "quantifiers": [["exists", "x"], ["forall", "y"]]}
 *
 * Unknown keys are errors, except "note" anywhere. */

#include <jansson.h>

#include "csp/strategic.h"

/* A reader; it keeps the current place for messages such as "constraints[3]:
 * unknown variable 'z'". */
typedef struct csp_json {
  alea_csp *csp;
  alea_mem *mem;
  alea_diag *diag;
  const char *file;
  const alea_deadline *deadline; /* of parsing; NULL: none */
  char where[96];
  bool failed;
} csp_json;

/* All report the mistake and return false. */
bool csp_json_error(csp_json *r, const char *what, const char *name);
void csp_json_at(csp_json *r, const char *part, size_t index);
/* Parses an object; NULL with a diagnostic that gives the line, or without one
 * and with '*limit' where that of memory or the deadline was reached. */
json_t *csp_json_parse(csp_json *r, const char *text, size_t length, bool *limit);
/* Gives messages about parts of the instance, which have no line, their place in
 * its text. */
void csp_json_locate(alea_diag *diag, const char *text, size_t length);
bool csp_json_variables(csp_json *r, const json_t *root);
bool csp_json_constraints(csp_json *r, const json_t *root);
/* Looks up variables by name; the vector belongs to r->mem. */
typedef ALEA_VEC(alea_csp_var) csp_json_vars;
bool csp_json_scope(csp_json *r, const json_t *list, csp_json_vars *scope);
typedef ALEA_VEC(int32_t) csp_json_ints;
/* A list of integers, or of lists of 'width' integers; "*" is a star. */
bool csp_json_rows(csp_json *r, const json_t *list, size_t width, csp_json_ints *out);
/* Checks that every key of an object is one of 'keys', words separated by
 * spaces. */
bool csp_json_only(csp_json *r, const json_t *object, const char *keys);
/* Checks that "format" is alea-csp and that the other keys are known. */
bool csp_json_header(csp_json *r, const json_t *root, const char *keys);
/* Looks up one variable by name. */
bool csp_json_var(csp_json *r, const json_t *name, alea_csp_var *var);
/* What reading came to: INPUT after a mistake, or the state of the network. */
alea_status csp_json_status(const csp_json *r);
bool csp_json_int(csp_json *r, const json_t *value, const char *what, int64_t *out);

/* The inverse: JSON values owned by the caller, or NULL if out of memory. */
json_t *csp_json_write_variables(const alea_csp *csp);
json_t *csp_json_write_constraints(const alea_csp *csp);
json_t *csp_json_names(const alea_csp *csp, const alea_csp_var *vars, size_t count);

json_t *alea_csp_write_json(const alea_csp *csp);
/* Appends an instance with one variable, constraint ... per line. */
bool alea_csp_json_text(const json_t *root, alea_text *text);

/* Reads a plain network; NULL on failure with '*status'. */
alea_csp *alea_csp_read_json(alea_mem *mem, const json_t *root, const char *file, alea_diag *diag,
                             alea_status *status);
alea_strategic *alea_strategic_read_json(alea_mem *mem, const json_t *root, const char *file,
                                         alea_diag *diag, alea_status *status);
json_t *alea_strategic_write_json(const alea_strategic *strategic);

#endif
