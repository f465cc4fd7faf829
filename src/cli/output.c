/* Writing documents to files. */
#include "cli/output.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

alea_status alea_cli_write_file(const char *path, const alea_text *text) {
  if (text->failed) return (alea_status)alea_cli_fail(ALEA_SYSTEM, "out of memory");
  FILE *file = fopen(path, "wb");
  bool good = file != NULL && fwrite(alea_text_string(text), 1, text->length, file) == text->length;
  if (file != NULL) good = fclose(file) == 0 && good;
  if (good) return ALEA_OK;
  return (alea_status)alea_cli_fail(ALEA_SYSTEM, "cannot write '%s': %s", path, strerror(errno));
}

static alea_status write_pictures(const alea_doc *doc, const char *svg, alea_mem *mem) {
  alea_status status = ALEA_OK;
  const char *picture;
  for (uint32_t i = 1; status == ALEA_OK && (picture = alea_doc_picture(doc, i)) != NULL; i++) {
    alea_text name, text;
    alea_text_init(&name, mem);
    alea_text_init(&text, mem);
    alea_text_format(&name, "%s-%u.svg", svg, i);
    alea_text_put(&text, picture);
    status = alea_cli_write_file(alea_text_string(&name), &text);
    alea_text_clear(&name);
    alea_text_clear(&text);
  }
  return status;
}

alea_status alea_cli_write_doc(const alea_doc *doc, const char *title, const char *html,
                               const char *svg) {
  alea_status status = ALEA_OK;
  if (html != NULL && html[0] != '\0') {
    alea_text text;
    alea_text_init(&text, doc->mem);
    alea_doc_html(doc, title, &text);
    status = alea_cli_write_file(html, &text);
    alea_text_clear(&text);
  }
  if (status == ALEA_OK && svg != NULL && svg[0] != '\0')
    status = write_pictures(doc, svg, doc->mem);
  return status;
}
