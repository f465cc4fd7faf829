/* Signatures of match records. */
#include "match/signature.h"

#include <jansson.h>
#include <math.h>
#include <openssl/evp.h>
#include <openssl/x509.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DEPTH = 32, MOST_KEY = 1 << 14 };

/* ---- the canonical form ---- */

/* The code point at '*at', valid UTF-8 because the reader of JSON checked it. */
static uint32_t next_code(const unsigned char **at) {
  const unsigned char *s = *at;
  size_t length = s[0] < 0x80 ? 1 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
  static const unsigned char masks[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
  uint32_t code = s[0] & masks[length];
  for (size_t i = 1; i < length; i++) code = code << 6 | (s[i] & 0x3fu);
  *at = s + length;
  return code;
}

/* Escapes what org.json escapes: quotes, backslashes, control characters, a few
 * ranges of others, and a slash after `<`. */
static void put_string(alea_text *out, const char *string) {
  static const char named[] = "\b\t\n\f\r", letters[] = "btnfr";
  uint32_t before = 0;
  alea_text_char(out, '"');
  for (const unsigned char *at = (const unsigned char *)string; *at != '\0';) {
    const unsigned char *start = at;
    uint32_t code = next_code(&at);
    const char *known = code < 0x20 ? strchr(named, (int)code) : NULL;
    bool odd = code < 0x20 || (code >= 0x80 && code < 0xa0) || (code >= 0x2000 && code < 0x2100);
    if (code == '"' || code == '\\' || (code == '/' && before == '<')) alea_text_char(out, '\\');
    if (known != NULL) {
      alea_text_format(out, "\\%c", letters[known - named]);
    } else if (odd) {
      alea_text_format(out, "\\u%04x", code);
    } else {
      alea_text_add(out, (const char *)start, (size_t)(at - start));
    }
    before = code;
  }
  alea_text_char(out, '"');
}

/* The fewest digits that give the same number: "d.ddde+xx". */
static void shortest(double number, char *digits, size_t size) {
  for (int precision = 0; precision < 18; precision++) {
    snprintf(digits, size, "%.*e", precision, number);
    if (strtod(digits, NULL) == number) return;
  }
}

/* As Java: digits with a point between 10^-3 and 10^7, otherwise d.dE-5; no zeros
 * at the end of digits with a point. */
static void put_real(alea_text *out, double number) {
  char digits[40];
  double size = fabs(number);
  if (size == 0) {
    alea_text_put(out, "0");
    return;
  }
  shortest(number, digits, sizeof digits);
  char *power = strchr(digits, 'e');
  int exponent = atoi(power + 1), places = (int)(power - digits) - 1 - (number < 0);
  places -= places > 0; /* the point */
  if (size >= 1e-3 && size < 1e7) {
    int after = places - exponent;
    alea_text_format(out, "%.*f", after > 0 ? after : 0, number);
    return;
  }
  *power = '\0';
  alea_text_format(out, "%s%sE%d", digits, strchr(digits, '.') == NULL ? ".0" : "", exponent);
}

static bool put_value(alea_text *out, const json_t *value, unsigned depth);

static int compare_keys(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool put_object(alea_text *out, json_t *object, unsigned depth) {
  size_t count = 0, size = json_object_size(object);
  const char **keys = calloc(size + 1, sizeof *keys);
  bool good = keys != NULL;
  for (void *at = json_object_iter(object); good && at != NULL;
       at = json_object_iter_next(object, at))
    keys[count++] = json_object_iter_key(at);
  if (good) qsort(keys, count, sizeof *keys, compare_keys);
  alea_text_char(out, '{');
  for (size_t i = 0; good && i < count; i++) {
    if (i > 0) alea_text_char(out, ',');
    put_string(out, keys[i]);
    alea_text_char(out, ':');
    good = put_value(out, json_object_get(object, keys[i]), depth + 1);
  }
  alea_text_char(out, '}');
  free(keys);
  return good;
}

static bool put_array(alea_text *out, const json_t *array, unsigned depth) {
  bool good = true;
  alea_text_char(out, '[');
  for (size_t i = 0; good && i < json_array_size(array); i++) {
    if (i > 0) alea_text_char(out, ',');
    good = put_value(out, json_array_get(array, i), depth + 1);
  }
  alea_text_char(out, ']');
  return good;
}

/* False: nested too deeply, or out of memory. */
static bool put_value(alea_text *out, const json_t *value, unsigned depth) {
  if (depth > MOST_DEPTH) return false;
  switch (json_typeof(value)) {
    case JSON_OBJECT: return put_object(out, (json_t *)(uintptr_t)value, depth);
    case JSON_ARRAY: return put_array(out, value, depth);
    case JSON_STRING: put_string(out, json_string_value(value)); break;
    case JSON_INTEGER: alea_text_format(out, "%lld", (long long)json_integer_value(value)); break;
    case JSON_REAL: put_real(out, json_real_value(value)); break;
    case JSON_TRUE: alea_text_put(out, "true"); break;
    case JSON_FALSE: alea_text_put(out, "false"); break;
    case JSON_NULL: alea_text_put(out, "null"); break;
  }
  return !out->failed;
}

/* ---- keys and signatures ---- */

/* Decodes base64 after 'prefix'; the length, or -1.  'bytes' has room for
 * MOST_KEY. */
static int decode(const char *text, const char *prefix, unsigned char *bytes) {
  size_t skip = strlen(prefix);
  if (text == NULL || strncmp(text, prefix, skip) != 0) return -1;
  text += skip;
  size_t length = strlen(text);
  if (length == 0 || length % 4 != 0 || length > MOST_KEY) return -1;
  int count = EVP_DecodeBlock(bytes, (const unsigned char *)text, (int)length);
  return count < 0 ? -1 : count - (text[length - 1] == '=') - (text[length - 2] == '=');
}

static void encode(alea_text *out, const char *prefix, const unsigned char *bytes, size_t length) {
  alea_text_put(out, prefix);
  for (size_t i = 0; i < length; i += 3) {
    unsigned char four[5];
    (void)EVP_EncodeBlock(four, bytes + i, length - i < 3 ? (int)(length - i) : 3);
    alea_text_put(out, (const char *)four);
  }
}

static EVP_PKEY *read_key(const char *text, bool secret) {
  unsigned char bytes[MOST_KEY];
  int length = decode(text, "0", bytes);
  const unsigned char *at = bytes;
  if (length <= 0) return NULL;
  EVP_PKEY *key = secret ? d2i_AutoPrivateKey(NULL, &at, length) : d2i_PUBKEY(NULL, &at, length);
  if (key != NULL && EVP_PKEY_base_id(key) == EVP_PKEY_RSA) return key;
  EVP_PKEY_free(key);
  return NULL;
}

static bool verify(EVP_PKEY *key, const unsigned char *signature, size_t length,
                   const alea_text *text) {
  EVP_MD_CTX *context = EVP_MD_CTX_new();
  bool good = context != NULL && EVP_DigestVerifyInit(context, NULL, EVP_sha1(), NULL, key) == 1 &&
              EVP_DigestVerify(context, signature, length,
                               (const unsigned char *)alea_text_string(text), text->length) == 1;
  EVP_MD_CTX_free(context);
  return good;
}

static bool check_signed(json_t *record) {
  unsigned char bytes[MOST_KEY];
  const char *text = json_string_value(json_object_get(record, "matchHostSignature"));
  int length = decode(text, "A0", bytes);
  EVP_PKEY *key = read_key(json_string_value(json_object_get(record, "matchHostPK")), false);
  alea_mem mem;
  alea_text form;
  alea_mem_init(&mem, 0);
  alea_text_init(&form, &mem);
  json_object_del(record, "matchHostSignature");
  bool good = length > 0 && key != NULL && put_value(&form, record, 0) &&
              verify(key, bytes, (size_t)length, &form);
  alea_text_clear(&form);
  EVP_PKEY_free(key);
  return good;
}

alea_signature_verdict alea_signature_check(const char *text, size_t length) {
  json_t *record = json_loadb(text, length, 0, NULL);
  alea_signature_verdict verdict = ALEA_SIGNATURE_NONE;
  bool some = json_object_get(record, "matchHostPK") != NULL ||
              json_object_get(record, "matchHostSignature") != NULL;
  if (some) verdict = check_signed(record) ? ALEA_SIGNATURE_GOOD : ALEA_SIGNATURE_WRONG;
  json_decref(record);
  return verdict;
}

/* The signature of 'text', appended to 'out' as it stands in a record. */
static bool sign(EVP_PKEY *key, const alea_text *text, alea_text *out) {
  unsigned char bytes[MOST_KEY];
  size_t length = sizeof bytes;
  EVP_MD_CTX *context = EVP_MD_CTX_new();
  bool good = context != NULL && EVP_DigestSignInit(context, NULL, EVP_sha1(), NULL, key) == 1 &&
              EVP_DigestSign(context, bytes, &length, (const unsigned char *)alea_text_string(text),
                             text->length) == 1;
  EVP_MD_CTX_free(context);
  if (good) encode(out, "A0", bytes, length);
  return good;
}

/* Appends the two members to the record, which ends with `}`. */
static bool add_members(alea_text *record, EVP_PKEY *secret, const char *public) {
  json_t *whole = json_loadb(alea_text_string(record), record->length, 0, NULL);
  alea_text form, signature;
  alea_text_init(&form, record->mem);
  alea_text_init(&signature, record->mem);
  bool good = json_is_object(whole) &&
              json_object_set_new(whole, "matchHostPK", json_string(public)) == 0 &&
              put_value(&form, whole, 0) && sign(secret, &form, &signature);
  if (good) {
    alea_text_truncate(record, record->length - 1);
    alea_text_put(record, ",\"matchHostPK\":\"");
    alea_text_put(record, public);
    alea_text_put(record, "\",\"matchHostSignature\":\"");
    alea_text_put(record, alea_text_string(&signature));
    alea_text_put(record, "\"}");
  }
  alea_text_clear(&signature);
  alea_text_clear(&form);
  json_decref(whole);
  return good && !record->failed;
}

alea_status alea_signature_add(alea_text *record, const char *text, size_t length, const char *name,
                               alea_diag *diag) {
  json_t *keys = json_loadb(text, length, 0, NULL);
  const char *public = json_string_value(json_object_get(keys, "PK"));
  EVP_PKEY *secret = read_key(json_string_value(json_object_get(keys, "SK")), true);
  EVP_PKEY *key = read_key(public, false);
  bool pair = secret != NULL && key != NULL && EVP_PKEY_eq(secret, key) == 1;
  alea_status status = pair ? ALEA_OK : ALEA_INPUT;
  if (pair && !add_members(record, secret, public)) status = ALEA_SYSTEM;
  if (!pair)
    alea_diag_error(
        diag, ((alea_place){name, 0, 0}), "key",
        "is no pair of RSA keys: {\"PK\": \"0...\", \"SK\": \"0...\"}, as ggp-base has them");
  EVP_PKEY_free(secret);
  EVP_PKEY_free(key);
  json_decref(keys);
  return status;
}
