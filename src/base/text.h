#ifndef ALEA_BASE_TEXT_H
#define ALEA_BASE_TEXT_H

/* A growing string.
 *
 * Appending never fails visibly: a lack of memory sets 'failed', which the
 * owner checks once, at the end. */

#include "base/mem.h"

typedef struct alea_text {
  alea_mem *mem;
  char *data; /* NUL-terminated once something was appended; else NULL */
  size_t length;
  size_t capacity;
  bool failed;
} alea_text;

void alea_text_init(alea_text *text, alea_mem *mem);
void alea_text_clear(alea_text *text);                   /* frees; usable again */
void alea_text_truncate(alea_text *text, size_t length); /* keeps the memory */
void alea_text_add(alea_text *text, const char *bytes, size_t count);
void alea_text_put(alea_text *text, const char *string);
void alea_text_char(alea_text *text, char c);
void alea_text_format(alea_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Appends a string that comes from outside so that it can be printed: control
 * characters and bytes that are not UTF-8 become \xNN. */
void alea_text_escape(alea_text *text, const char *string);
/* Appends bytes as the text of an XML or HTML element. */
void alea_text_xml(alea_text *text, const char *bytes, size_t count);
/* Length of the UTF-8 sequence at 's', a NUL-terminated string; 0 if it is
 * invalid. */
size_t alea_text_utf8(const unsigned char *s);
/* The string so far; "" if empty. */
const char *alea_text_string(const alea_text *text);

#endif
