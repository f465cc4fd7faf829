/* Header comments of rulesheets. */
#include "gdl/header_comment.h"

#include <string.h>

static const char *next_line(const char *line) {
  line += strcspn(line, "\n");
  return *line == '\n' ? line + 1 : line;
}

static void add_trimmed(const char *line, alea_text *value) {
  line += strspn(line, " \t");
  size_t length = strcspn(line, "\r\n");
  while (length > 0 && (line[length - 1] == ' ' || line[length - 1] == '\t')) length--;
  alea_text_add(value, line, length);
}

bool alea_header_comment(const char *text, const char *key, alea_text *value) {
  size_t length = strlen(key);
  const char *line = text;
  /* `;;` in GDL, `//` in rewriting games */
  for (; (line[0] == ';' || line[0] == '/') && line[1] == line[0]; line = next_line(line)) {
    if (line[2] != ' ' || strncmp(line + 3, key, length) != 0 || line[3 + length] != ':') continue;
    add_trimmed(line + 4 + length, value);
    for (line = next_line(line); strncmp(line, ";;   ", 5) == 0 || strncmp(line, "//   ", 5) == 0;
         line = next_line(line)) {
      alea_text_char(value, ' ');
      add_trimmed(line + 5, value);
    }
    return true;
  }
  return false;
}
