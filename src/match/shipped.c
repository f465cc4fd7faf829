/* Looking up shipped games by name. */
#include "match/shipped.h"

#include <string.h>

#include "base/suggest.h"

const char *alea_shipped_nearest(const char *name) {
  alea_suggestion suggestion;
  alea_suggest_start(&suggestion, name);
  for (size_t i = 0; i < alea_shipped_file_count; i++) {
    alea_suggest_offer(&suggestion, alea_shipped_files[i].name);
  }
  return suggestion.nearest;
}

static const char *next_line(const char *line) {
  line += strcspn(line, "\n");
  return *line == '\n' ? line + 1 : line;
}

/* Whether the header lists 'name' in its line of `also:` names. */
static bool has_other_name(const char *text, const char *name) {
  static const char key[] = ";; also:";
  size_t wanted = strlen(name);
  const char *line = text;
  while (line[0] == ';' && strncmp(line, key, sizeof key - 1) != 0) line = next_line(line);
  if (line[0] != ';') return false;
  for (line += sizeof key - 1; *line != '\n' && *line != '\0';) {
    line += strspn(line, ", ");
    size_t length = strcspn(line, ", \n");
    if (length == wanted && strncmp(line, name, length) == 0) return true;
    line += length;
  }
  return false;
}

const alea_shipped_file *alea_shipped_find(const char *name) {
  for (size_t i = 0; i < alea_shipped_file_count; i++) {
    if (strcmp(alea_shipped_files[i].name, name) == 0) return &alea_shipped_files[i];
  }
  for (size_t i = 0; name[0] != '\0' && i < alea_shipped_file_count; i++) {
    if (has_other_name((const char *)alea_shipped_files[i].bytes, name))
      return &alea_shipped_files[i];
  }
  return NULL;
}
