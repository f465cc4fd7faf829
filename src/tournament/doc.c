/* Documents as Markdown and HTML. */
#include "tournament/doc.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void alea_doc_init(alea_doc *doc, alea_mem *mem) {
  *doc = (alea_doc){.mem = mem};
  alea_arena_init(&doc->arena, mem);
}

void alea_doc_clear(alea_doc *doc) {
  alea_vec_clear(doc->mem, &doc->items);
  alea_arena_clear(&doc->arena);
}

/* ---- adding ---- */

static void add(alea_doc *doc, alea_doc_item item, const char *text, size_t length) {
  item.text = alea_arena_strdup(&doc->arena, text, length);
  if (item.text == NULL || !alea_vec_push(doc->mem, &doc->items, item)) doc->failed = true;
}

__attribute__((format(printf, 3, 0))) static void add_format(alea_doc *doc, alea_doc_item item,
                                                             const char *format, va_list list) {
  char small[256];
  va_list again;
  va_copy(again, list);
  int length = vsnprintf(small, sizeof small, format, list);
  if (length >= 0 && (size_t)length < sizeof small) {
    add(doc, item, small, (size_t)length);
  } else if (length >= 0) {
    char *large = alea_arena_alloc(&doc->arena, (size_t)length + 1);
    if (large != NULL) vsnprintf(large, (size_t)length + 1, format, again);
    if (large != NULL) add(doc, item, large, (size_t)length);
    if (large == NULL) doc->failed = true;
  }
  va_end(again);
}

#define ADD_FORMAT(...)                                        \
  do {                                                         \
    va_list list;                                              \
    va_start(list, format);                                    \
    add_format(doc, (alea_doc_item)__VA_ARGS__, format, list); \
    va_end(list);                                              \
  } while (0)

void alea_doc_heading(alea_doc *doc, uint32_t level, const char *format, ...) {
  ADD_FORMAT({.kind = ALEA_DOC_HEADING, .number = level});
}

void alea_doc_text(alea_doc *doc, const char *format, ...) { ADD_FORMAT({.kind = ALEA_DOC_TEXT}); }

void alea_doc_cell(alea_doc *doc, const char *format, ...) { ADD_FORMAT({.kind = ALEA_DOC_CELL}); }

void alea_doc_table(alea_doc *doc, const char *headings) {
  uint32_t columns = 1;
  for (const char *at = headings; *at != '\0'; at++) columns += *at == '|';
  alea_doc_item item = {.kind = ALEA_DOC_TABLE, .number = columns};
  add(doc, item, headings, strlen(headings));
}

void alea_doc_figure(alea_doc *doc, const alea_text *svg, const char *caption) {
  alea_doc_item item = {.kind = ALEA_DOC_FIGURE};
  item.caption = alea_arena_strdup(&doc->arena, caption, strlen(caption));
  if (item.caption == NULL || svg->failed) {
    doc->failed = true;
    return;
  }
  add(doc, item, alea_text_string(svg), svg->length);
}

const char *alea_doc_picture(const alea_doc *doc, uint32_t number) {
  for (size_t i = 0; i < doc->items.count; i++)
    if (doc->items.data[i].kind == ALEA_DOC_FIGURE && --number == 0) return doc->items.data[i].text;
  return NULL;
}

/* ---- cells ---- */

/* The number of cells of the table at item 'at', without headings. */
static size_t count_cells(const alea_doc *doc, size_t at) {
  size_t count = 0;
  while (at + 1 + count < doc->items.count && doc->items.data[at + 1 + count].kind == ALEA_DOC_CELL)
    count++;
  return count;
}

/* Heading number 'column', as a pointer and a length. */
static const char *heading(const char *headings, size_t column, size_t *length) {
  while (column-- > 0) headings += strcspn(headings, "|") + 1;
  *length = strcspn(headings, "|");
  return headings;
}

/* Columns on the screen: continuation bytes of UTF-8 take none. */
static size_t width_of(const char *text, size_t length) {
  size_t width = 0;
  for (size_t i = 0; i < length; i++) width += ((unsigned char)text[i] & 0xc0) != 0x80;
  return width;
}

static size_t column_width(const alea_doc *doc, size_t at, size_t column) {
  size_t length, columns = doc->items.data[at].number;
  const char *head = heading(doc->items.data[at].text, column, &length);
  size_t width = width_of(head, length);
  for (size_t i = column; i < count_cells(doc, at); i += columns) {
    const char *text = doc->items.data[at + 1 + i].text;
    size_t wide = width_of(text, strlen(text));
    if (wide > width) width = wide;
  }
  return width < 3 ? 3 : width;
}

/* ---- Markdown ---- */

static void put_padded(alea_text *out, const char *text, size_t length, size_t width) {
  alea_text_put(out, " ");
  alea_text_add(out, text, length);
  for (size_t i = width_of(text, length); i < width; i++) alea_text_char(out, ' ');
  alea_text_put(out, " |");
}

static void put_rule(alea_text *out, size_t width) {
  alea_text_char(out, ' ');
  for (size_t i = 0; i < width; i++) alea_text_char(out, '-');
  alea_text_put(out, " |");
}

static void markdown_table(const alea_doc *doc, size_t at, alea_text *out) {
  const alea_doc_item *table = &doc->items.data[at];
  enum { MOST_COLUMNS = 64 };
  size_t widths[MOST_COLUMNS],
      columns = table->number < MOST_COLUMNS ? table->number : MOST_COLUMNS;
  for (size_t c = 0; c < columns; c++) widths[c] = column_width(doc, at, c);
  for (size_t c = 0; c < columns; c++) {
    size_t length;
    const char *text = heading(table->text, c, &length);
    if (c == 0) alea_text_char(out, '|');
    put_padded(out, text, length, widths[c]);
  }
  alea_text_put(out, "\n|");
  for (size_t c = 0; c < columns; c++) put_rule(out, widths[c]);
  for (size_t i = 0; i < count_cells(doc, at); i++) {
    if (i % table->number == 0) alea_text_put(out, "\n|");
    if (i % table->number >= columns) continue;
    const char *text = doc->items.data[at + 1 + i].text;
    put_padded(out, text, strlen(text), widths[i % table->number]);
  }
  alea_text_put(out, "\n\n");
}

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash != NULL ? slash + 1 : path;
}

void alea_doc_markdown(const alea_doc *doc, const char *pictures, alea_text *out) {
  uint32_t figure = 0;
  if (doc->failed) out->failed = true;
  for (size_t i = 0; i < doc->items.count; i++) {
    const alea_doc_item *item = &doc->items.data[i];
    switch (item->kind) {
      case ALEA_DOC_HEADING:
        alea_text_add(out, "######", item->number);
        alea_text_format(out, " %s\n\n", item->text);
        break;
      case ALEA_DOC_TEXT: alea_text_format(out, "%s\n\n", item->text); break;
      case ALEA_DOC_TABLE: markdown_table(doc, i, out); break;
      case ALEA_DOC_FIGURE:
        figure++;
        if (pictures != NULL)
          alea_text_format(out, "![%s](%s-%u.svg)\n\n", item->caption, base_name(pictures), figure);
        break;
      case ALEA_DOC_CELL: break;
    }
  }
  while (out->length > 1 && out->data[out->length - 1] == '\n' &&
         out->data[out->length - 2] == '\n')
    alea_text_truncate(out, out->length - 1);
}

/* ---- HTML ---- */

static void put_element(alea_text *out, const char *name, const char *text, size_t length) {
  alea_text_format(out, "<%s>", name);
  alea_text_xml(out, text, length);
  alea_text_format(out, "</%s>", name);
}

static void html_table(const alea_doc *doc, size_t at, alea_text *out) {
  const alea_doc_item *table = &doc->items.data[at];
  alea_text_put(out, "<table>\n<tr>");
  for (size_t c = 0; c < table->number; c++) {
    size_t length;
    const char *text = heading(table->text, c, &length);
    put_element(out, "th", text, length);
  }
  for (size_t i = 0; i < count_cells(doc, at); i++) {
    const char *text = doc->items.data[at + 1 + i].text;
    if (i % table->number == 0) alea_text_put(out, "</tr>\n<tr>");
    put_element(out, "td", text, strlen(text));
  }
  alea_text_put(out, "</tr>\n</table>\n");
}

static const char style[] =
    "body{font:15px/1.5 system-ui,sans-serif;max-width:60em;margin:2em auto;padding:0 1em;"
    "color:#222;background:#fff}table{border-collapse:collapse;margin:1em 0;font-size:14px;"
    "font-variant-numeric:tabular-nums}th,td{text-align:left;padding:.2em .7em;"
    "border-bottom:1px solid #ddd}th{border-bottom:2px solid #999}figure{margin:1.5em 0}"
    "figcaption{color:#555;font-size:13px}svg{max-width:100%;height:auto}";

void alea_doc_html(const alea_doc *doc, const char *title, alea_text *out) {
  if (doc->failed) out->failed = true;
  alea_text_put(out, "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n");
  put_element(out, "title", title, strlen(title));
  alea_text_format(out, "\n<style>%s</style>\n", style);
  for (size_t i = 0; i < doc->items.count; i++) {
    const alea_doc_item *item = &doc->items.data[i];
    char level[3] = {'h', (char)('0' + item->number % 10), '\0'};
    switch (item->kind) {
      case ALEA_DOC_HEADING: put_element(out, level, item->text, strlen(item->text)); break;
      case ALEA_DOC_TEXT: put_element(out, "p", item->text, strlen(item->text)); break;
      case ALEA_DOC_TABLE: html_table(doc, i, out); break;
      case ALEA_DOC_FIGURE:
        alea_text_format(out, "<figure>%s", item->text);
        put_element(out, "figcaption", item->caption, strlen(item->caption));
        alea_text_put(out, "</figure>");
        break;
      case ALEA_DOC_CELL: continue;
    }
    alea_text_char(out, '\n');
  }
  alea_text_put(out, "</html>\n");
}
