/* Stylesheet, colours and elements of SVG pictures. */
#include "draw/canvas.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "draw/glyph.h"

/* ---- colours ---- */

typedef struct canvas_ink {
  const char *name, *tones[6]; /* fill, outline, detail; light, then dark */
} canvas_ink;

#define INK_ROW(constant, name, a, b, c, d, e, f) {name, {a, b, c, d, e, f}},
static const canvas_ink inks[] = {ALEA_INKS(INK_ROW)};

typedef struct ink_word {
  const char *word;
  alea_ink ink;
} ink_word;

static const ink_word ink_words[] = {
    {"w", ALEA_INK_WHITE},       {"light", ALEA_INK_WHITE},  {"silver", ALEA_INK_GREY},
    {"dark", ALEA_INK_BLACK},    {"gold", ALEA_INK_YELLOW},  {"gray", ALEA_INK_GREY},
    {"violet", ALEA_INK_PURPLE}, {"magenta", ALEA_INK_PINK}, {"cyan", ALEA_INK_TEAL},
    {"x", ALEA_INK_RED},         {"o", ALEA_INK_BLUE},       {"xplayer", ALEA_INK_RED},
    {"oplayer", ALEA_INK_BLUE},
};

alea_ink alea_ink_find(const char *word) {
  for (size_t i = 0; i < ALEA_INK_COUNT; i++) {
    if (strcmp(word, inks[i].name) == 0) return (alea_ink)i;
  }
  for (size_t i = 0; i < sizeof ink_words / sizeof *ink_words; i++) {
    if (strcmp(word, ink_words[i].word) == 0) return ink_words[i].ink;
  }
  return ALEA_INK_COUNT;
}

const char *alea_ink_name(alea_ink ink) { return inks[ink].name; }

alea_ink alea_ink_of(size_t index) {
  static const alea_ink turn[] = {ALEA_INK_RED,    ALEA_INK_BLUE,   ALEA_INK_GREEN,
                                  ALEA_INK_ORANGE, ALEA_INK_PURPLE, ALEA_INK_TEAL,
                                  ALEA_INK_PINK,   ALEA_INK_BROWN,  ALEA_INK_YELLOW};
  return turn[index % (sizeof turn / sizeof *turn)];
}

/* The other classes: name, then the declarations of the light and the dark
 * theme.  Shapes have no outline unless their class gives one. */
typedef struct canvas_class {
  const char *name, *light, *dark;
} canvas_class;

static const canvas_class classes[] = {
    {"paper", "fill:#fff", "fill:#181a1e"},
    {"ink", "fill:#2a2c30", "fill:#e4e7eb"},
    {"faint", "fill:#c3b492", "fill:#59606b"},
    {"dim", "fill:#7b808a", "fill:#969da8"},
    {"cell", "fill:#f6efe1;stroke:#c5b391", "fill:#7d838e;stroke:#4c525c"},
    {"shade", "fill:#dfcca6;stroke:#c5b391", "fill:#5f6671;stroke:#4c525c"},
    {"floor", "fill:#f1f2f4;stroke:#d8dbe0", "fill:#353a42;stroke:#484e58"},
    {"line", "fill:none;stroke:#8d7a57", "fill:none;stroke:#31353c"},
    {"bold", "fill:none;stroke:#4a4236;stroke-width:2", "fill:none;stroke:#cfd4da;stroke-width:2"},
    {"spot", "fill:#8d7a57", "fill:#31353c"},
    {"wall", "fill:#5f6b7c;stroke:#465060", "fill:#15171b;stroke:#5a626e"},
    {"frame", "fill:#3565a4;stroke:#244a7c", "fill:#2d5388;stroke:#6f93c4"},
    {"hole", "fill:#eef2f8;stroke:#244a7c", "fill:#181a1e;stroke:#1d3860"},
    {"wood", "fill:#d2ad76;stroke:#8a6536", "fill:#8a6c45;stroke:#c9a877"},
    {"pit", "fill:#b78b50;stroke:#8a6536", "fill:#6b5030;stroke:#c9a877"},
    {"card", "fill:#fffdf8;stroke:#8f959e", "fill:#e9e7e1;stroke:#15171a"},
    {"pip", "fill:#2d2f33", "fill:#1d1f23"},
    {"felt", "fill:#c9dcc9;stroke:#9bb79b", "fill:#31473a;stroke:#1e2e25"},
    {"leaf", "fill:#7fae74;stroke:#527c49", "fill:#4f7a49;stroke:#8dbb84"},
    {"edge", "fill:none;stroke:#d9dce1", "fill:none;stroke:#3a3f47"},
    {"drawn", "fill:none;stroke:#33363b;stroke-width:4;stroke-linecap:round",
     "fill:none;stroke:#e4e7eb;stroke-width:4;stroke-linecap:round"},
    /* The outline is for those who see or print no colours. */
    {"last", "fill:#f2c230;fill-opacity:.45;stroke:#8a6a00;stroke-width:2;stroke-dasharray:6 3",
     "fill:#f2c230;fill-opacity:.4;stroke:#f2c230;stroke-width:2;stroke-dasharray:6 3"},
    {"legal", "fill:#2f8f5b;fill-opacity:.75", "fill:#7fd6a2;fill-opacity:.85"},
    {"taken", "fill:none;stroke:#2f8f5b;stroke-width:3;stroke-opacity:.75",
     "fill:none;stroke:#7fd6a2;stroke-width:3;stroke-opacity:.85"},
    {"hit", "fill:none;pointer-events:all", "fill:none;pointer-events:all"},
    {"t1", "fill:#cfe3f7", "fill:#3f6286"},
    {"t2", "fill:#fbd9cb", "fill:#8a5643"},
    {"t3", "fill:#d7eccb", "fill:#557a44"},
    {"t4", "fill:#fbeeb8", "fill:#83712d"},
    {"t5", "fill:#e6d8f3", "fill:#674f82"},
    {"t6", "fill:#ccece6", "fill:#3a7870"},
    {"t7", "fill:#f6d5e3", "fill:#845067"},
    {"t8", "fill:#e1e3e6", "fill:#5b626c"},
};
enum { CLASS_COUNT = sizeof classes / sizeof *classes };
_Static_assert(CLASS_COUNT <= 64, "classes are bits of a word");

static void put_theme(alea_text *out, const alea_canvas *canvas, const char *prefix, bool dark) {
  for (size_t i = 0; i < CLASS_COUNT; i++) {
    if ((canvas->classes >> i & 1) == 0) continue;
    alea_text_format(out, "%s .%s{%s}\n", prefix, classes[i].name,
                     dark ? classes[i].dark : classes[i].light);
  }
  for (size_t i = 0; i < ALEA_INK_COUNT; i++) {
    const char *const *tones = inks[i].tones + (dark ? 3 : 0);
    if ((canvas->inks >> i & 1) == 0) continue;
    alea_text_format(out, "%s .%s{fill:%s;stroke:%s;color:%s}\n", prefix, inks[i].name, tones[0],
                     tones[1], tones[2]);
  }
}

void alea_canvas_init(alea_canvas *canvas, alea_mem *mem) {
  *canvas = (alea_canvas){0};
  alea_text_init(&canvas->ground, mem);
  alea_text_init(&canvas->body, mem);
}

void alea_canvas_clear(alea_canvas *canvas) {
  alea_text_clear(&canvas->ground);
  alea_text_clear(&canvas->body);
}

static bool uses(const alea_text *text, const char *class) {
  char attribute[24];
  snprintf(attribute, sizeof attribute, "class=\"%s\"", class);
  return strstr(alea_text_string(text), attribute) != NULL;
}

void alea_canvas_finish(alea_canvas *canvas) {
  canvas->classes = 1; /* the paper */
  for (size_t i = 1; i < CLASS_COUNT; i++) {
    if (uses(&canvas->ground, classes[i].name) || uses(&canvas->body, classes[i].name))
      canvas->classes |= UINT64_C(1) << i;
  }
}

const char *alea_canvas_ink(alea_canvas *canvas, alea_ink ink) {
  canvas->inks |= 1u << ink;
  return inks[ink].name;
}

/* ---- elements ---- */

void alea_svg_number(alea_text *out, double number) {
  double tenths = round(number * 10);
  if (tenths == 0) tenths = 0; /* not -0 */
  bool whole = fmod(tenths, 10) == 0;
  alea_text_format(out, whole ? "%.0f" : "%.1f", tenths / 10);
}

void alea_svg_length(alea_text *out, const char *name, double number) {
  alea_text_format(out, " %s=\"", name);
  alea_svg_number(out, number);
  alea_text_char(out, '"');
}

void alea_svg_escape(alea_text *out, const char *text) {
  for (; *text != '\0'; text++) {
    unsigned char c = (unsigned char)*text;
    size_t length = c >= 0x80 ? alea_text_utf8((const unsigned char *)text) : 1;
    if (length > 1) {
      alea_text_add(out, text, length);
      text += length - 1;
    } else if (c == '<') {
      alea_text_put(out, "&lt;");
    } else if (c == '>') {
      alea_text_put(out, "&gt;");
    } else if (c == '&') {
      alea_text_put(out, "&amp;");
    } else if (c == '"') {
      alea_text_put(out, "&quot;");
    } else {
      alea_text_char(out, c < 0x20 || c >= 0x7f ? '?' : (char)c); /* no XML otherwise */
    }
  }
}

void alea_svg_attribute(alea_text *out, const char *name, const char *value) {
  if (value == NULL) return;
  alea_text_format(out, " %s=\"", name);
  alea_svg_escape(out, value);
  alea_text_char(out, '"');
}

void alea_svg_rect(alea_text *out, const char *class, double x, double y, double w, double h) {
  alea_text_format(out, "<rect class=\"%s\"", class);
  alea_svg_length(out, "x", x);
  alea_svg_length(out, "y", y);
  alea_svg_length(out, "width", w);
  alea_svg_length(out, "height", h);
}

void alea_svg_circle(alea_text *out, const char *class, double x, double y, double r) {
  alea_text_format(out, "<circle class=\"%s\"", class);
  alea_svg_length(out, "cx", x);
  alea_svg_length(out, "cy", y);
  alea_svg_length(out, "r", r);
}

void alea_svg_line(alea_text *out, const char *class, double x1, double y1, double x2, double y2) {
  alea_text_format(out, "<line class=\"%s\"", class);
  alea_svg_length(out, "x1", x1);
  alea_svg_length(out, "y1", y1);
  alea_svg_length(out, "x2", x2);
  alea_svg_length(out, "y2", y2);
}

void alea_svg_end(alea_text *out) { alea_text_put(out, "/>\n"); }

void alea_svg_words(alea_text *out, const char *class, double x, double y, double size,
                    alea_anchor anchor, const char *words) {
  static const char *const anchors[] = {"", " text-anchor=\"middle\"", " text-anchor=\"end\""};
  alea_text_format(out, "<text class=\"%s\"", class);
  alea_svg_length(out, "x", x);
  alea_svg_length(out, "y", y);
  alea_svg_length(out, "font-size", size);
  alea_text_format(out, "%s>", anchors[anchor]);
  alea_svg_escape(out, words);
  alea_text_put(out, "</text>\n");
}

double alea_svg_words_width(const char *words, double size) {
  double width = 0;
  for (; *words != '\0'; words++) width += strchr("iljtf.,:;'|()[] ", *words) != NULL ? 0.36 : 0.62;
  return width * size;
}

/* ---- documents ---- */

/* Pictures wider than this are scaled down where they are shown as they are. */
static const double usual_width = 640;

void alea_svg_open(alea_text *out, const alea_canvas *canvas, alea_theme theme, const char *title) {
  static const char *const names[] = {"auto", "light", "dark"};
  double scale = canvas->width > usual_width ? usual_width / canvas->width : 1;
  char prefix[24];
  snprintf(prefix, sizeof prefix, ".alea-%s", names[theme]);
  alea_text_format(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"alea-%s\"",
                   names[theme]);
  alea_svg_length(out, "width", ceil(canvas->width * scale));
  alea_svg_length(out, "height", ceil(canvas->height * scale));
  alea_text_format(out, " viewBox=\"0 0 %.0f %.0f\" font-family=\"Helvetica,Arial,sans-serif\">\n",
                   ceil(canvas->width), ceil(canvas->height));
  alea_text_put(out, "<title>");
  alea_svg_escape(out, title);
  alea_text_put(out, "</title>\n<style>\n");
  put_theme(out, canvas, prefix, theme == ALEA_THEME_DARK);
  if (theme == ALEA_THEME_AUTO) {
    alea_text_put(out, "@media(prefers-color-scheme:dark){\n");
    put_theme(out, canvas, prefix, true);
    alea_text_put(out, "}\n");
  }
  alea_text_put(out, "</style>\n");
  alea_glyphs_define(out, canvas->glyphs);
  alea_text_put(out, "<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n");
}

void alea_svg_close(alea_text *out) { alea_text_put(out, "</svg>\n"); }
