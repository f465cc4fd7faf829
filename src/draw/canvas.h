#ifndef ALEA_DRAW_CANVAS_H
#define ALEA_DRAW_CANVAS_H

/* What every SVG picture is made of: a stylesheet, colours by name, and a
 * canvas that collects elements.
 *
 * Elements get their colours from classes, and the classes from the stylesheet
 * of the picture, so one picture can follow the light or dark preference of its
 * reader.  Plain classes rather than CSS variables: programs that turn SVG into
 * PDF for a paper know the former alone.  Internal to src/draw. */

#include "base/text.h"
#include "draw/draw.h"

/* The colours of pieces: name, then fill, outline and detail (lines and letters
 * on the fill) in the light theme and in the dark one. */
/* clang-format off */
#define ALEA_INKS(ink)                                                                   \
  ink(WHITE, "white", "#fdfbf6", "#3a352e", "#3a352e", "#f4f2ec", "#15171a", "#3a352e")   \
  ink(BLACK, "black", "#3b3936", "#1c1b19", "#e9e3d6", "#202226", "#c3c8cf", "#dfe3e8")   \
  ink(RED, "red", "#c8443f", "#7a2320", "#ffffff", "#d95b52", "#2a0f0d", "#ffffff")       \
  ink(BLUE, "blue", "#3b6bb5", "#1f3d6d", "#ffffff", "#5e8fdb", "#0e1c33", "#ffffff")     \
  ink(GREEN, "green", "#4a9460", "#275236", "#ffffff", "#5fb078", "#0f2316", "#ffffff")   \
  ink(YELLOW, "yellow", "#ecc246", "#8f6f14", "#3a2f0c", "#edc54f", "#2b220a", "#2b220a") \
  ink(ORANGE, "orange", "#df8a3a", "#86480f", "#ffffff", "#e59a52", "#2e1a06", "#2e1a06") \
  ink(PURPLE, "purple", "#8560a8", "#4b3163", "#ffffff", "#a581cb", "#1d1228", "#ffffff") \
  ink(TEAL, "teal", "#3d9a98", "#1b5655", "#ffffff", "#56b3b0", "#0b2424", "#ffffff")     \
  ink(PINK, "pink", "#d38aa8", "#86465f", "#ffffff", "#dd9bb6", "#2b141d", "#2b141d")     \
  ink(BROWN, "brown", "#a57a4e", "#5d4023", "#fff6e9", "#b08a61", "#241809", "#fff6e9")   \
  ink(GREY, "grey", "#9aa0a8", "#565b63", "#ffffff", "#8d949e", "#14171b", "#ffffff")
/* clang-format on */

#define ALEA_INK_CONSTANT(constant, ...) ALEA_INK_##constant,
typedef enum alea_ink { ALEA_INKS(ALEA_INK_CONSTANT) ALEA_INK_COUNT } alea_ink;

/* The ink of that name, or of another word for the colour (`w`, `dark`, `gold`);
 * ALEA_INK_COUNT if it is none. */
alea_ink alea_ink_find(const char *word);
const char *alea_ink_name(alea_ink ink);
/* Inks for things without a colour of their own, in turn. */
alea_ink alea_ink_of(size_t index);

/* Collects the elements of one picture.  'ground' is what lies below and seldom
 * changes (cells, coordinates), 'body' what lies on it. */
typedef struct alea_canvas {
  alea_text ground, body;
  uint32_t inks;    /* used, by bit */
  uint64_t glyphs;  /* used, by bit (draw/glyph.h) */
  uint64_t classes; /* used, by bit: alea_canvas_finish */
  double width, height;
} alea_canvas;

void alea_canvas_init(alea_canvas *canvas, alea_mem *mem);
void alea_canvas_clear(alea_canvas *canvas);

/* Notes which classes the elements use, so that the stylesheet has no others. */
void alea_canvas_finish(alea_canvas *canvas);

/* The class of an ink, which from now on is in the stylesheet. */
const char *alea_canvas_ink(alea_canvas *canvas, alea_ink ink);

/* Appends a number with at most one decimal. */
void alea_svg_number(alea_text *out, double number);
/* Appends ` name="number"`. */
void alea_svg_length(alea_text *out, const char *name, double number);
/* Appends ` name="value"`, escaped; nothing if 'value' is NULL. */
void alea_svg_attribute(alea_text *out, const char *name, const char *value);
/* Appends text, escaped; control characters and bytes that are no UTF-8 become question
 * marks. */
void alea_svg_escape(alea_text *out, const char *text);

/* Append an element without its end: attributes and alea_svg_end follow. */
void alea_svg_rect(alea_text *out, const char *class, double x, double y, double w, double h);
void alea_svg_circle(alea_text *out, const char *class, double x, double y, double r);
void alea_svg_line(alea_text *out, const char *class, double x1, double y1, double x2, double y2);
void alea_svg_end(alea_text *out); /* "/>" and a newline */

typedef enum alea_anchor { ALEA_ANCHOR_START, ALEA_ANCHOR_MIDDLE, ALEA_ANCHOR_END } alea_anchor;
/* Appends a text element; 'size' is the height of its letters in user units. */
void alea_svg_words(alea_text *out, const char *class, double x, double y, double size,
                    alea_anchor anchor, const char *words);
/* The width that words of this size take, an upper estimate. */
double alea_svg_words_width(const char *words, double size);

/* Opens and closes a document of a canvas that is complete: the root with its
 * title and size, the stylesheet, the glyphs that are used. */
void alea_svg_open(alea_text *out, const alea_canvas *canvas, alea_theme theme, const char *title);
void alea_svg_close(alea_text *out);

#endif
