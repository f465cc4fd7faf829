#ifndef ALEA_TOURNAMENT_DOC_H
#define ALEA_TOURNAMENT_DOC_H

/* Documents of headings, paragraphs, tables and figures, written once and
 * printed as Markdown or HTML.
 *
 * Adding never fails visibly; if memory is lacking, the printed text fails. */

#include "base/arena.h"
#include "base/text.h"
#include "base/vec.h"

typedef enum alea_doc_kind {
  ALEA_DOC_HEADING,
  ALEA_DOC_TEXT,
  ALEA_DOC_TABLE, /* 'text' has the headings, separated by '|' */
  ALEA_DOC_CELL,
  ALEA_DOC_FIGURE, /* 'text' is SVG, 'caption' its caption */
} alea_doc_kind;

typedef struct alea_doc_item {
  alea_doc_kind kind;
  uint32_t number; /* level of a heading, columns of a table */
  const char *text, *caption;
} alea_doc_item;

typedef struct alea_doc {
  alea_mem *mem;
  alea_arena arena;
  ALEA_VEC(alea_doc_item) items;
  bool failed;
} alea_doc;

void alea_doc_init(alea_doc *doc, alea_mem *mem);
void alea_doc_clear(alea_doc *doc);
void alea_doc_heading(alea_doc *doc, uint32_t level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void alea_doc_text(alea_doc *doc, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A table; its cells follow, row by row. */
void alea_doc_table(alea_doc *doc, const char *headings);
void alea_doc_cell(alea_doc *doc, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Adds a figure; 'svg' is copied. */
void alea_doc_figure(alea_doc *doc, const alea_text *svg, const char *caption);

/* Figures are left out if 'pictures' is NULL; otherwise they are links to
 * PICTURES-1.svg and so on. */
void alea_doc_markdown(const alea_doc *doc, const char *pictures, alea_text *out);
void alea_doc_html(const alea_doc *doc, const char *title, alea_text *out);
/* The SVG of figure 'number' (from 1); NULL if there are fewer. */
const char *alea_doc_picture(const alea_doc *doc, uint32_t number);

#endif
