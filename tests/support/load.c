/* Reading files and rulesheets for tests. */
#include "support/load.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

char *load_file(size_t *length, const char *path, ...) {
  char full[4096];
  va_list arguments;
  va_start(arguments, path);
  int used = vsnprintf(full, sizeof full, path, arguments);
  va_end(arguments);
  FILE *file = used >= 0 && (size_t)used < sizeof full ? fopen(full, "rb") : NULL;
  if (file == NULL) return NULL;
  char *text = NULL;
  size_t capacity = 0;
  *length = 0;
  do {
    text = realloc(text, (capacity += 65536) + 1);
    if (text == NULL) abort();
    *length += fread(text + *length, 1, capacity - *length, file);
  } while (*length == capacity);
  fclose(file);
  text[*length] = '\0';
  return text;
}

alea_status load_text(const char *text, size_t length, const char *name, make_game *make,
                      alea_mem *mem, alea_game **game) {
  *game = NULL;
  alea_diag diag;
  alea_diag_init(&diag, mem);
  alea_program *program;
  alea_status status = alea_program_new(&program, text, length, name, NULL, mem, &diag);
  if (status == ALEA_OK) status = make(game, program, mem, &diag);
  for (size_t i = 0; status != ALEA_OK && i < diag.entries.count; i++)
    if (diag.entries.data[i].severity == ALEA_ERROR)
      fprintf(stderr, "%s:%u: %s\n", name, diag.entries.data[i].place.line,
              diag.entries.data[i].message);
  alea_diag_clear(&diag);
  return status;
}

alea_status load_game(const char *path, make_game *make, alea_mem *mem, alea_game **game) {
  *game = NULL;
  size_t length = 0;
  char *text = load_file(&length, "%s", path);
  if (text == NULL) return ALEA_USAGE;
  alea_status status = load_text(text, length, path, make, mem, game);
  free(text);
  return status;
}
