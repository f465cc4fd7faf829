/* Handles, options that can grow, and diagnostics. */
#include "api/core.h"

#include <stdio.h>
#include <string.h>

#include "alea/alea.h"

const char *alea_version(void) { return ALEA_VERSION_TEXT; }
int alea_version_number(void) { return ALEA_VERSION_NUMBER; }

void *alea_api_new(size_t size, size_t memory) {
  alea_mem mem;
  alea_mem_init(&mem, memory);
  alea_mem *object = alea_mem_zalloc(&mem, size);
  if (object != NULL) *object = mem;
  return object;
}

void alea_api_free(void *object, size_t size) {
  if (object == NULL) return;
  alea_mem mem = *(alea_mem *)object;
  alea_mem_free(&mem, object, size);
}

alea_status alea_api_options(void *own, size_t size, const void *given) {
  enum { LARGEST = 4096 }; /* of any version: what is above was never set */
  if (given == NULL) return ALEA_OK;
  size_t theirs;
  memcpy(&theirs, given, sizeof theirs);
  if (theirs < sizeof theirs || theirs > LARGEST || theirs % sizeof theirs != 0) return ALEA_USAGE;
  const char *bytes = given;
  for (size_t i = size; i < theirs; i++)
    if (bytes[i] != 0) return ALEA_USAGE;
  memcpy(own, given, theirs < size ? theirs : size);
  return ALEA_OK;
}

size_t alea_api_put(alea_text *text, char *buffer, size_t size) {
  size_t length = text->failed ? 0 : text->length;
  if (size > 0) snprintf(buffer, size, "%s", length > 0 ? text->data : "");
  alea_text_clear(text);
  return length;
}

/* ---- diagnostics ---- */

struct alea_diagnostics {
  alea_mem mem;
  alea_diag diag; /* its files lie in its arena */
};

void alea_api_report(const alea_diag *diag, alea_diagnostics **list) {
  if (list == NULL) return;
  *list = NULL;
  if (diag->entries.count == 0) return;
  alea_diagnostics *made = alea_api_new(sizeof *made, 0);
  if (made == NULL) return;
  alea_diag_init(&made->diag, &made->mem);
  for (size_t i = 0; i < diag->entries.count; i++) {
    const alea_diag_entry *entry = &diag->entries.data[i];
    alea_place place = entry->place;
    if (place.file != NULL)
      place.file = alea_arena_strdup(&made->diag.arena, place.file, strlen(place.file));
    alea_diag_report(&made->diag, entry->severity, place, entry->code, "%s", entry->message);
  }
  *list = made;
}

size_t alea_diagnostics_count(const alea_diagnostics *list) {
  return list != NULL ? list->diag.entries.count : 0;
}

const alea_diag_entry *alea_diagnostics_at(const alea_diagnostics *list, size_t index) {
  return index < alea_diagnostics_count(list) ? &list->diag.entries.data[index] : NULL;
}

void alea_diagnostics_free(alea_diagnostics *list) {
  if (list == NULL) return;
  alea_diag_clear(&list->diag);
  alea_api_free(list, sizeof *list);
}
