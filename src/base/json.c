/* The JSON writer. */
#include "base/json.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

void alea_json_start(alea_json *json, alea_text *out) { *json = (alea_json){.out = out}; }

/* Writes the comma before a value if needed. */
static void separate(alea_json *json) {
  uint64_t bit = (uint64_t)1 << json->depth;
  if (json->after_key) {
    json->after_key = false;
  } else if ((json->filled & bit) != 0) {
    alea_text_char(json->out, ',');
  }
  json->filled |= bit;
}

void alea_json_open(alea_json *json, char bracket) {
  assert(json->depth < 63);
  separate(json);
  alea_text_char(json->out, bracket);
  json->depth++;
  json->filled &= ~((uint64_t)1 << json->depth);
}

void alea_json_close(alea_json *json, char bracket) {
  assert(json->depth > 0 && !json->after_key);
  json->depth--;
  alea_text_char(json->out, bracket);
}

static void quote(alea_text *out, const char *string) {
  alea_text_char(out, '"');
  for (const unsigned char *s = (const unsigned char *)string; *s != 0;) {
    size_t length = alea_text_utf8(s);
    if (length == 0) {
      alea_text_put(out, "\\ufffd");
      length = 1;
    } else if (*s == '"' || *s == '\\') {
      alea_text_format(out, "\\%c", *s);
    } else if (*s < 0x20) {
      alea_text_format(out, "\\u%04x", *s);
    } else {
      alea_text_add(out, (const char *)s, length);
    }
    s += length;
  }
  alea_text_char(out, '"');
}

void alea_json_key(alea_json *json, const char *key) {
  separate(json);
  quote(json->out, key);
  alea_text_char(json->out, ':');
  json->after_key = true;
}

void alea_json_string(alea_json *json, const char *string) {
  separate(json);
  quote(json->out, string);
}

void alea_json_integer(alea_json *json, int64_t number) {
  separate(json);
  alea_text_format(json->out, "%" PRId64, number);
}

void alea_json_count(alea_json *json, uint64_t number) {
  separate(json);
  alea_text_format(json->out, "%" PRIu64, number);
}

void alea_json_real(alea_json *json, double number) {
  separate(json);
  if (isfinite(number)) {
    /* Six decimals are enough for readers; large numbers have none. */
    double shown = fabs(number) < 1e9 ? round(number * 1e6) / 1e6 : number;
    alea_text_format(json->out, "%.9g", shown);
  } else {
    alea_text_put(json->out, "null");
  }
}

void alea_json_bool(alea_json *json, bool value) {
  separate(json);
  alea_text_put(json->out, value ? "true" : "false");
}

void alea_json_null(alea_json *json) {
  separate(json);
  alea_text_put(json->out, "null");
}

void alea_json_put_string(alea_json *json, const char *key, const char *string) {
  alea_json_key(json, key);
  alea_json_string(json, string);
}

void alea_json_put_count(alea_json *json, const char *key, uint64_t number) {
  alea_json_key(json, key);
  alea_json_count(json, number);
}

void alea_json_put_real(alea_json *json, const char *key, double number) {
  alea_json_key(json, key);
  alea_json_real(json, number);
}

void alea_json_put_bool(alea_json *json, const char *key, bool value) {
  alea_json_key(json, key);
  alea_json_bool(json, value);
}
