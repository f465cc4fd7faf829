/* One content of a cell: a glyph, a Quarto piece, a number, or letters on a
 * disc. */
#include <string.h>

#include "draw/picture.h"

void alea_svg_names(alea_text *out, const alea_names *names) {
  alea_svg_attribute(out, "data-cell", names->cell);
  alea_svg_attribute(out, "data-board", names->board);
  alea_svg_attribute(out, "data-fluent", names->fluent);
}

static void open_group(alea_text *out, const char *class, double x, double y, double scale,
                       const alea_names *names) {
  alea_text_format(out, "<g class=\"%s\" transform=\"translate(", class);
  alea_svg_number(out, x);
  alea_text_char(out, ' ');
  alea_svg_number(out, y);
  alea_text_char(out, ')');
  if (scale != 1) alea_text_format(out, "scale(%.2g)", scale);
  alea_text_char(out, '"');
  alea_svg_names(out, names);
  alea_text_put(out, ">\n");
}

/* Seen from the front and a little from above.  Properties as in draw/look.c. */
static void quarto_piece(alea_text *out, unsigned properties) {
  bool tall = properties & 2, square = properties & 4, hollow = properties & 8;
  int top = tall ? -11 : -1, height = 13 - top;
  if (square) {
    alea_text_format(out,
                     "<path stroke-linejoin=\"round\" d=\"M-11 %dh16v%dh-16zM-11 %dl6-5h16l-6 5z"
                     "M5 %dl6-5v%dl-6 5z\"/>\n",
                     top, height, top, top, height);
  } else {
    alea_text_format(
        out, "<path d=\"M-10 %dv%da10 4 0 0 0 20 0v-%da10 4 0 0 0-20 0a10 4 0 0 0 20 0\"/>\n", top,
        height - 3, height - 3);
  }
  if (hollow) {
    alea_text_format(out,
                     "<ellipse cx=\"0\" cy=\"%g\" rx=\"4.5\" ry=\"1.9\" fill=\"currentColor\" "
                     "stroke=\"none\"/>\n",
                     square ? top - 2.5 : top);
  }
}

static void lettered_disc(alea_text *out, const char *label) {
  static const int sizes[] = {16, 16, 13, 11, 9};
  size_t length = strlen(label);
  int size = length < 5 ? sizes[length] : 7;
  alea_text_format(out,
                   "<circle r=\"14\"/><text y=\"%g\" font-size=\"%d\" text-anchor=\"middle\" "
                   "fill=\"currentColor\" stroke=\"none\">",
                   size * 0.35, size);
  alea_svg_escape(out, label);
  alea_text_put(out, "</text>\n");
}

/* Letters alone: numbers, and what is not known. */
static void plain_words(alea_text *out, const char *words, double x, double y, double scale,
                        const alea_names *names) {
  double size = (strlen(words) < 3 ? 20 : 14) * scale;
  alea_text_put(out, "<text class=\"ink\"");
  alea_svg_length(out, "x", x);
  alea_svg_length(out, "y", y + size * 0.35);
  alea_svg_length(out, "font-size", size);
  alea_text_put(out, " text-anchor=\"middle\"");
  alea_svg_names(out, names);
  alea_text_char(out, '>');
  alea_svg_escape(out, words);
  alea_text_put(out, "</text>\n");
}

void alea_piece_svg(alea_svg_picture *picture, alea_symbol content, const alea_look *look, double x,
                    double y, double scale, const alea_names *names) {
  alea_text *out = &picture->canvas->body;
  const alea_label *label = alea_drawing_find_label(picture->drawing, content);
  char shown[8] = {0};
  strncpy(shown, alea_symbols_text(picture->drawing->symbols, content), label != NULL ? 7 : 4);
  bool unknown = names->fluent == NULL && strcmp(shown, "?") == 0;
  if (unknown || (look->number && look->glyph == ALEA_GLYPH_COUNT)) {
    plain_words(out, shown, x, y, scale, names);
    return;
  }
  if (look->quarto == 0 && look->glyph != ALEA_GLYPH_COUNT) {
    alea_glyph_use(picture->canvas, out, look->glyph, look->ink, x, y, scale);
    alea_svg_names(out, names);
    alea_svg_end(out);
    return;
  }
  alea_ink ink = look->ink;
  if (look->quarto > 0) ink = (look->quarto - 1) & 1 ? ALEA_INK_BROWN : ALEA_INK_WHITE;
  open_group(out, alea_canvas_ink(picture->canvas, ink), x, y, scale, names);
  if (look->quarto > 0) {
    quarto_piece(out, look->quarto - 1u);
  } else {
    lettered_disc(out, label != NULL ? label->text : shown);
  }
  alea_text_put(out, "</g>\n");
}
