#ifndef ALEA_BASE_JSON_H
#define ALEA_BASE_JSON_H

/* Writes JSON into an alea_text, one value after another, with commas and
 * escapes:
 *
 *   alea_json json;
 *   alea_json_start(&json, &text);
 *   alea_json_open(&json, '{');
 *   alea_json_key(&json, "step");
 *   alea_json_integer(&json, 0);
 *   alea_json_close(&json, '}');
 *
 * Calls must be balanced, at most 63 deep.  A lack of memory sets 'failed' of
 * the text.  Bytes that are not UTF-8 are written as U+FFFD. */

#include <stdint.h>

#include "base/text.h"

typedef struct alea_json {
  alea_text *out;  /* borrowed */
  uint64_t filled; /* bit d: the value open at depth d has an element */
  unsigned depth;
  bool after_key;
} alea_json;

void alea_json_start(alea_json *json, alea_text *out);
void alea_json_open(alea_json *json, char bracket);  /* '{' or '[' */
void alea_json_close(alea_json *json, char bracket); /* '}' or ']' */
void alea_json_key(alea_json *json, const char *key);
void alea_json_string(alea_json *json, const char *string);
void alea_json_integer(alea_json *json, int64_t number);
void alea_json_count(alea_json *json, uint64_t number);
/* As few digits as needed for six decimals; NaN and infinities are null. */
void alea_json_real(alea_json *json, double number);
void alea_json_bool(alea_json *json, bool value);
void alea_json_null(alea_json *json);

/* Shorthands for a member of an object. */
void alea_json_put_string(alea_json *json, const char *key, const char *string);
void alea_json_put_count(alea_json *json, const char *key, uint64_t number);
void alea_json_put_real(alea_json *json, const char *key, double number);
void alea_json_put_bool(alea_json *json, const char *key, bool value);

#endif
