/* The list of diagnostics. */
#include "base/diag.h"

#include <stdio.h>

void alea_diag_init(alea_diag *diag, alea_mem *mem) {
  *diag = (alea_diag){0};
  alea_arena_init(&diag->arena, mem);
}

void alea_diag_clear(alea_diag *diag) {
  alea_mem *mem = diag->arena.mem;
  alea_vec_clear(mem, &diag->entries);
  alea_arena_clear(&diag->arena);
  alea_diag_init(diag, mem);
}

static const char *format_message(alea_diag *diag, const char *format, va_list list)
    __attribute__((format(printf, 2, 0)));

static const char *format_message(alea_diag *diag, const char *format, va_list list) {
  char buffer[1024];
  int length = vsnprintf(buffer, sizeof buffer, format, list);
  if (length < 0) return "message lost";
  size_t kept = (size_t)length < sizeof buffer ? (size_t)length : sizeof buffer - 1;
  const char *copy = alea_arena_strdup(&diag->arena, buffer, kept);
  return copy != NULL ? copy : "message lost: no memory";
}

void alea_diag_report(alea_diag *diag, alea_severity severity, alea_place place, const char *code,
                      const char *format, ...) {
  if (diag == NULL) return;
  /* Counted even if there is no memory to keep it: an error stays an error. */
  if (severity == ALEA_ERROR) {
    diag->errors++;
  } else {
    diag->warnings++;
  }
  va_list list;
  va_start(list, format);
  const char *message = format_message(diag, format, list);
  va_end(list);
  alea_diag_entry entry = {place, severity, code, message};
  (void)alea_vec_push(diag->arena.mem, &diag->entries, entry);
}
