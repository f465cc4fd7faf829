/* Reports: severity by mode, order by place. */
#include "gdl/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct report_row {
  const char *text;
  alea_severity play, strict;
  const char *meaning;
} report_row;

static const report_row rows[] = {
#define ALEA_CODE_ROW(name, text, play, strict, meaning) \
  {text, ALEA_##play, ALEA_##strict, meaning},
    ALEA_GDL_CODES(ALEA_CODE_ROW)
#undef ALEA_CODE_ROW
};

const char *alea_code_text(alea_code code) { return rows[code].text; }

const char *alea_code_meaning(alea_code code) { return rows[code].meaning; }

alea_severity alea_code_severity(alea_code code, bool strict) {
  return strict ? rows[code].strict : rows[code].play;
}

void alea_report(alea_reporter *reporter, alea_code code, uint32_t line, uint32_t column,
                 const char *format, ...) {
  alea_severity severity = alea_code_severity(code, reporter->strict);
  if (severity == ALEA_ERROR) reporter->errors++;
  char message[1024];
  va_list list;
  va_start(list, format);
  (void)vsnprintf(message, sizeof message, format, list);
  va_end(list);
  alea_diag_report(reporter->diag, severity, (alea_place){reporter->file, line, column},
                   rows[code].text, "%s", message);
}

static int compare(const void *a, const void *b) {
  const alea_diag_entry *x = a, *y = b;
  if (x->place.line != y->place.line) return x->place.line < y->place.line ? -1 : 1;
  if (x->place.column != y->place.column) return x->place.column < y->place.column ? -1 : 1;
  if (x->severity != y->severity) return x->severity < y->severity ? -1 : 1;
  int order = strcmp(x->code, y->code);
  return order != 0 ? order : strcmp(x->message, y->message);
}

void alea_report_sort(alea_diag *diag, size_t first) {
  if (diag == NULL || diag->entries.count <= first) return;
  qsort(diag->entries.data + first, diag->entries.count - first, sizeof *diag->entries.data,
        compare);
}
