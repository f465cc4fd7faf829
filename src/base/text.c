/* Growing strings. */
#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void alea_text_init(alea_text *text, alea_mem *mem) { *text = (alea_text){.mem = mem}; }

void alea_text_clear(alea_text *text) {
  alea_mem_free(text->mem, text->data, text->capacity);
  alea_text_init(text, text->mem);
}

void alea_text_truncate(alea_text *text, size_t length) {
  if (length >= text->length) return;
  text->length = length;
  text->data[length] = '\0';
}

static bool reserve(alea_text *text, size_t extra) {
  if (text->failed) return false;
  if (extra < text->capacity - text->length) return true;
  size_t wanted = text->capacity < 64 ? 64 : 2 * text->capacity;
  if (extra > SIZE_MAX / 4 || wanted > SIZE_MAX / 4) {
    text->failed = true;
    return false;
  }
  if (wanted < text->length + extra + 1) wanted = text->length + extra + 1;
  char *moved = alea_mem_resize(text->mem, text->data, text->capacity, wanted);
  if (moved == NULL) {
    text->failed = true;
    return false;
  }
  text->data = moved;
  text->capacity = wanted;
  return true;
}

void alea_text_add(alea_text *text, const char *bytes, size_t count) {
  if (!reserve(text, count)) return;
  if (count > 0) memcpy(text->data + text->length, bytes, count); /* 'bytes' may be NULL else */
  text->length += count;
  text->data[text->length] = '\0';
}

void alea_text_put(alea_text *text, const char *string) {
  alea_text_add(text, string, strlen(string));
}

void alea_text_char(alea_text *text, char c) { alea_text_add(text, &c, 1); }

void alea_text_format(alea_text *text, const char *format, ...) {
  va_list first, second;
  va_start(first, format);
  va_copy(second, first);
  int length = vsnprintf(NULL, 0, format, first);
  va_end(first);
  if (length >= 0 && reserve(text, (size_t)length)) {
    vsnprintf(text->data + text->length, (size_t)length + 1, format, second);
    text->length += (size_t)length;
  }
  va_end(second);
}

size_t alea_text_utf8(const unsigned char *s) {
  size_t length = s[0] < 0x80                   ? 1
                  : s[0] >= 0xc2 && s[0] < 0xe0 ? 2
                  : (s[0] & 0xf0) == 0xe0       ? 3
                  : s[0] >= 0xf0 && s[0] < 0xf5 ? 4
                                                : 0;
  for (size_t i = 1; i < length; i++) {
    if ((s[i] & 0xc0) != 0x80) return 0;
  }
  /* Rejects overlong forms, surrogates, and code points above U+10FFFF. */
  if (s[0] == 0xe0 && s[1] < 0xa0) return 0;
  if (s[0] == 0xed && s[1] >= 0xa0) return 0;
  if (s[0] == 0xf0 && s[1] < 0x90) return 0;
  if (s[0] == 0xf4 && s[1] >= 0x90) return 0;
  return length;
}

/* U+0080 to U+009F are control characters, too: 0x9b alone begins an escape
 * sequence for some terminals. */
static bool is_control(const unsigned char *s, size_t length) {
  if (length == 1) return *s < 0x20 || *s == 0x7f;
  return length == 2 && s[0] == 0xc2 && s[1] < 0xa0;
}

void alea_text_escape(alea_text *text, const char *string) {
  for (const unsigned char *s = (const unsigned char *)string; *s != 0;) {
    size_t length = alea_text_utf8(s);
    if (length > 0 && !is_control(s, length)) {
      alea_text_add(text, (const char *)s, length);
      s += length;
      continue;
    }
    for (size_t i = 0; i < (length > 0 ? length : 1); i++) alea_text_format(text, "\\x%02x", *s++);
  }
}

void alea_text_xml(alea_text *text, const char *bytes, size_t count) {
  for (size_t i = 0; i < count; i++) {
    switch (bytes[i]) {
      case '&': alea_text_put(text, "&amp;"); break;
      case '<': alea_text_put(text, "&lt;"); break;
      case '>': alea_text_put(text, "&gt;"); break;
      default: alea_text_char(text, bytes[i]);
    }
  }
}

const char *alea_text_string(const alea_text *text) { return text->data != NULL ? text->data : ""; }
