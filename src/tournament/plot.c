/* Plots as SVG. */
#include "tournament/plot.h"

#include <math.h>
#include <string.h>

enum { FIELD = 480, HEIGHT = 400, LEFT = 64, TOP = 40, BOTTOM = 48, ROW = 22 };
enum { LETTER = 7, BROAD = 12 }; /* estimated widths of letters */

/* Distinguishable with colour blindness, too. */
static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                      "#e69f00", "#56b4e9", "#000000", "#8c6d31"};
enum { COLOURS = sizeof colours / sizeof *colours };

/* Published values are dashed; colours that repeat are dotted. */
static const char *dashes(bool dashed, size_t series) {
  if (dashed)
    return series < COLOURS ? " stroke-dasharray=\"6 4\"" : " stroke-dasharray=\"6 3 2 3\"";
  return series < COLOURS ? "" : " stroke-dasharray=\"2 3\"";
}

typedef struct plot_frame {
  double x_low, x_high, y_low, y_high; /* of the data */
  double left, right, top, bottom;     /* of the drawing */
} plot_frame;

static void label(alea_text *out, double x, double y, const char *anchor, const char *more,
                  const char *text) {
  alea_text_format(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\"%s>", x, y, anchor, more);
  alea_text_xml(out, text, strlen(text));
  alea_text_put(out, "</text>\n");
}

static void line(alea_text *out, double x1, double y1, double x2, double y2, const char *stroke) {
  alea_text_format(out, "<path d=\"M%.1f %.1fL%.1f %.1f\" stroke=\"%s\" fill=\"none\"/>\n", x1, y1,
                   x2, y2, stroke);
}

/* Estimated width of a text, rather too much than too little: it must not be cut. */
static double width_of(const char *text) {
  double width = 0;
  for (; *text != '\0'; text++)
    if (((unsigned char)*text & 0xc0) != 0x80)
      width += strchr("mwMW", *text) != NULL ? BROAD : LETTER;
  return width;
}

static double legend_width(const alea_plot *plot) {
  double width = 0;
  for (size_t s = 0; s < plot->count; s++) width = fmax(width, width_of(plot->series[s].name));
  return width + 50;
}

static double left_of(const alea_plot *plot) {
  double width = LEFT - 16;
  for (size_t n = 0; n < plot->name_count; n++) width = fmax(width, width_of(plot->names[n]));
  return width + 16;
}

/* ---- ranges ---- */

static void stretch(double *low, double *high, double value) {
  if (value < *low) *low = value;
  if (value > *high) *high = value;
}

static plot_frame frame_of(const alea_plot *plot) {
  plot_frame f = {.x_low = INFINITY, .x_high = -INFINITY, .y_low = INFINITY, .y_high = -INFINITY};
  for (size_t s = 0; s < plot->count; s++) {
    for (size_t i = 0; i < plot->series[s].count; i++) {
      const alea_plot_point *p = &plot->series[s].points[i];
      stretch(&f.x_low, &f.x_high, p->x);
      stretch(&f.y_low, &f.y_high, p->y);
      if (p->low < p->high) stretch(&f.y_low, &f.y_high, p->low);
      if (p->low < p->high) stretch(&f.y_low, &f.y_high, p->high);
    }
  }
  if (plot->y_low < plot->y_high) {
    f.y_low = plot->y_low;
    f.y_high = plot->y_high;
  }
  if (!(f.x_low < f.x_high)) f.x_low = isfinite(f.x_low) ? f.x_low - 1 : 0, f.x_high = f.x_low + 2;
  if (!(f.y_low < f.y_high)) f.y_low = isfinite(f.y_low) ? f.y_low - 1 : 0, f.y_high = f.y_low + 2;
  return f;
}

/* 1, 2 or 5 times a power of ten, so that about six steps fill the range. */
static double step_of(double range) {
  double raw = range / 6, power = pow(10, floor(log10(raw))), mantissa = raw / power;
  return power * (mantissa < 1.5 ? 1 : mantissa < 3.5 ? 2 : mantissa < 7.5 ? 5 : 10);
}

static double across(const plot_frame *f, double x) {
  return f->left + (x - f->x_low) / (f->x_high - f->x_low) * (f->right - f->left);
}

static double down(const plot_frame *f, double y) {
  return f->bottom - (y - f->y_low) / (f->y_high - f->y_low) * (f->bottom - f->top);
}

/* ---- lines ---- */

static void number(alea_text *out, double x, double y, const char *anchor, double value) {
  alea_text_format(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%g</text>\n", x, y, anchor,
                   fabs(value) < 1e-12 ? 0.0 : value);
}

static void axes(const alea_plot *plot, const plot_frame *f, alea_text *out) {
  double step = step_of(f->y_high - f->y_low);
  for (double y = ceil(f->y_low / step) * step; y <= f->y_high + step / 1e6; y += step) {
    line(out, f->left, down(f, y), f->right, down(f, y), "#e0e0e0");
    number(out, f->left - 6, down(f, y) + 4, "end", y);
  }
  step = step_of(f->x_high - f->x_low);
  for (double x = ceil(f->x_low / step) * step; x <= f->x_high + step / 1e6; x += step) {
    line(out, across(f, x), f->bottom, across(f, x), f->bottom + 4, "#888");
    number(out, across(f, x), f->bottom + 18, "middle", x);
  }
  line(out, f->left, f->bottom, f->right, f->bottom, "#888");
  label(out, (f->left + f->right) / 2, f->bottom + 38, "middle", "", plot->x);
  label(out, 16, (f->top + f->bottom) / 2, "middle", " transform=\"rotate(-90 16 200)\"", plot->y);
}

static void draw_interval(const alea_plot_point *p, const plot_frame *f, const char *colour,
                          alea_text *out) {
  if (p->low < p->high)
    line(out, across(f, p->x), down(f, p->low), across(f, p->x), down(f, p->high), colour);
}

static void draw_series(const alea_plot *plot, size_t index, const plot_frame *f, alea_text *out) {
  const alea_plot_series *series = &plot->series[index];
  const char *colour = colours[index % COLOURS];
  if (series->count == 0) return;
  alea_text_put(out, "<path d=\"");
  for (size_t i = 0; i < series->count; i++)
    alea_text_format(out, "%c%.1f %.1f", i == 0 ? 'M' : 'L', across(f, series->points[i].x),
                     down(f, series->points[i].y));
  alea_text_format(out, "\" stroke=\"%s\" stroke-width=\"2\" fill=\"none\"%s/>\n", colour,
                   dashes(series->dashed, index));
  enum { MOST_DOTS = 40 };
  for (size_t i = 0; i < series->count && series->count <= MOST_DOTS; i++) {
    draw_interval(&series->points[i], f, colour, out);
    alea_text_format(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>\n",
                     across(f, series->points[i].x), down(f, series->points[i].y),
                     series->dashed ? "#fff\" stroke=\"#888" : colour);
  }
}

static void legend(const alea_plot *plot, double x, double y, alea_text *out) {
  for (size_t s = 0; s < plot->count; s++, y += 18) {
    alea_text_format(out, "<path d=\"M%.1f %.1fh20\" stroke=\"%s\" stroke-width=\"2\"%s/>\n", x,
                     y - 4, colours[s % COLOURS], dashes(plot->series[s].dashed, s));
    label(out, x + 26, y, "start", "", plot->series[s].name);
  }
}

static void draw_lines(const alea_plot *plot, alea_text *out) {
  plot_frame f = frame_of(plot);
  f.left = LEFT, f.right = LEFT + FIELD, f.top = TOP, f.bottom = HEIGHT - BOTTOM;
  axes(plot, &f, out);
  for (size_t s = 0; s < plot->count; s++) draw_series(plot, s, &f, out);
  legend(plot, f.right + 14, f.top + 12, out);
}

/* ---- dots beside names ---- */

static void value_axis(const alea_plot *plot, const plot_frame *f, alea_text *out) {
  double step = step_of(f->x_high - f->x_low);
  for (double x = ceil(f->x_low / step) * step; x <= f->x_high + step / 1e6; x += step) {
    line(out, across(f, x), f->top, across(f, x), f->bottom, "#e0e0e0");
    number(out, across(f, x), f->bottom + 16, "middle", x);
  }
  label(out, (f->left + f->right) / 2, f->bottom + 36, "middle", "", plot->y);
}

static void draw_dots(const alea_plot *plot, alea_text *out, double height) {
  plot_frame data = frame_of(plot);
  plot_frame f = {.x_low = data.y_low,
                  .x_high = data.y_high,
                  .left = left_of(plot),
                  .right = left_of(plot) + FIELD,
                  .top = TOP,
                  .bottom = height - BOTTOM};
  value_axis(plot, &f, out);
  for (size_t n = 0; n < plot->name_count; n++)
    label(out, f.left - 10, f.top + ROW * ((double)n + 0.5) + 4, "end", "", plot->names[n]);
  for (size_t s = 0; s < plot->count; s++) {
    const char *colour = colours[s % COLOURS];
    double shift = plot->count > 1 ? 8.0 * ((double)s / (double)(plot->count - 1) - 0.5) : 0;
    for (size_t i = 0; i < plot->series[s].count; i++) {
      const alea_plot_point *p = &plot->series[s].points[i];
      double y = f.top + ROW * (p->x + 0.5) + shift;
      if (p->low < p->high) line(out, across(&f, p->low), y, across(&f, p->high), y, colour);
      alea_text_format(out,
                       "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\" stroke=\"%s\" fill=\"%s\"/>\n",
                       across(&f, p->y), y, colour, plot->series[s].dashed ? "#fff" : colour);
    }
  }
  legend(plot, f.right + 14, f.top + 12, out);
}

void alea_plot_svg(const alea_plot *plot, alea_text *out) {
  double height = plot->names != NULL ? TOP + BOTTOM + ROW * (double)plot->name_count : HEIGHT;
  double needed = TOP + BOTTOM + 18.0 * (double)plot->count;
  if (height < needed) height = needed;
  double width = left_of(plot) + FIELD + legend_width(plot);
  alea_text_format(
      out,
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" "
      "height=\"%.0f\" font-family=\"sans-serif\" font-size=\"12\" fill=\"#222\">\n"
      "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
      width, height, width, height);
  label(out, LEFT, 22, "start", " font-size=\"15\" font-weight=\"bold\"", plot->title);
  if (plot->names != NULL) {
    draw_dots(plot, out, height);
  } else {
    draw_lines(plot, out);
  }
  alea_text_put(out, "</svg>\n");
}
