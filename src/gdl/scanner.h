#ifndef ALEA_GDL_SCANNER_H
#define ALEA_GDL_SCANNER_H

/* A position in a text that tracks its line; shared by the two readers. */

#include <string.h>

#include "base/diag.h"

typedef struct alea_scanner {
  const char *file;
  const char *next, *end;
  const char *line_start;
  uint32_t line;
} alea_scanner;

/* At the start of the text, after a UTF-8 byte order mark. */
static inline alea_scanner alea_scanner_at(const char *text, size_t length, const char *file) {
  const char *end = text + length;
  if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) text += 3;
  return (alea_scanner){file, text, end, text, 1};
}

static inline bool alea_is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/* Skips spaces and comments, which begin with a byte of 'comment' and end with
 * the line.  LF, CR and CR LF each end one line. */
static inline void alea_scanner_skip(alea_scanner *c, const char *comment) {
  bool inside = false;
  for (; c->next < c->end; c->next++) {
    char byte = *c->next;
    if (byte == '\n' || byte == '\r') {
      inside = false;
      if (byte == '\r' && c->next + 1 < c->end && c->next[1] == '\n') continue;
      c->line++;
      c->line_start = c->next + 1;
    } else if (byte != '\0' && strchr(comment, byte) != NULL) {
      inside = true;
    } else if (!inside && !alea_is_space(byte)) {
      return;
    }
  }
}

/* The place of a byte on the current line. */
static inline alea_place alea_scanner_place(const alea_scanner *c, const char *at) {
  return (alea_place){c->file, c->line, (uint32_t)(at - c->line_start) + 1};
}

#endif
