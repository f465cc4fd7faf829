/* Structures that are no board as SVG: a graph of elements and arrows. */
#include <math.h>
#include <string.h>

#include "draw/canvas.h"
#include "draw/structure_core.h"

enum { MARGIN = 12, NODE = 17 };
#define PI 3.14159265358979323846

/* The side of the plane, by the number of nodes. */
static double plane_side(const alea_structure_drawing *d) {
  size_t alive = 0;
  for (size_t i = 0; i < d->elements.count; i++) alive += d->elements.data[i].alive;
  return alive < 2 ? 130 : alive < 6 ? 280 : 440;
}

/* Places the nodes: by labels x and y if all have them. */
static void place_nodes(alea_structure_drawing *d, double side) {
  double low_x = INFINITY, high_x = -INFINITY, low_y = INFINITY, high_y = -INFINITY;
  bool plane = d->elements.count > 0;
  for (size_t i = 0; i < d->elements.count; i++) {
    alea_element *e = &d->elements.data[i];
    if (!e->alive) continue;
    plane = plane && e->has_x && e->has_y;
    low_x = fmin(low_x, e->x), high_x = fmax(high_x, e->x);
    low_y = fmin(low_y, e->y), high_y = fmax(high_y, e->y);
  }
  double span = fmax(fmax(high_x - low_x, high_y - low_y), 1e-9);
  for (size_t i = 0; i < d->elements.count; i++) {
    alea_element *e = &d->elements.data[i];
    double angle = 2 * PI * (double)i / (double)d->elements.count;
    e->x = plane ? MARGIN + 60 + (e->x - low_x) / span * (side - 120)
                 : MARGIN + side / 2.0 + (side / 2.0 - 60) * sin(angle);
    e->y = plane ? MARGIN + side - 60 - (e->y - low_y) / span * (side - 120)
                 : MARGIN + side / 2.0 - (side / 2.0 - 60) * cos(angle);
  }
}

static void put_arrow(const alea_structure_drawing *d, const alea_arrow *a, alea_text *out) {
  const alea_element *from = &d->elements.data[a->from], *to = &d->elements.data[a->to];
  double dx = to->x - from->x, dy = to->y - from->y, length = sqrt(dx * dx + dy * dy);
  const char *name = alea_toss_text(d->file, d->file->relations.data[a->relation].name);
  if (length < 1) {
    alea_svg_circle(out, "line", from->x, from->y - NODE - 8, 10);
    alea_svg_end(out);
    alea_svg_words(out, "dim", from->x + 12, from->y - NODE - 12, 11, ALEA_ANCHOR_START, name);
    return;
  }
  double end = (length - NODE) / length, middle_x = from->x + dx * 0.5 - dy / length * 8;
  alea_svg_line(out, "line", from->x, from->y, from->x + dx * end, from->y + dy * end);
  alea_text_put(out, " marker-end=\"url(#alea-tip)\"");
  alea_svg_end(out);
  alea_svg_words(out, "dim", middle_x, from->y + dy * 0.5 + dx / length * 8, 11, ALEA_ANCHOR_MIDDLE,
                 name);
}

static void put_node(alea_canvas *canvas, const alea_element *e, size_t index) {
  alea_text *out = &canvas->body;
  alea_svg_circle(out, alea_canvas_ink(canvas, alea_ink_of(index)), e->x, e->y, NODE);
  alea_svg_attribute(out, "data-cell", e->name);
  alea_svg_end(out);
  alea_text_format(out, "<g class=\"%s\" pointer-events=\"none\">",
                   alea_ink_name(alea_ink_of(index)));
  alea_text_put(out,
                "<text style=\"fill:currentColor;stroke:none\" text-anchor=\"middle\" "
                "font-size=\"14\"");
  alea_svg_length(out, "x", e->x);
  alea_svg_length(out, "y", e->y + 5);
  alea_text_char(out, '>');
  alea_svg_escape(out, e->name);
  alea_text_put(out, "</text></g>\n");
  alea_svg_words(out, "ink", e->x, e->y + NODE + 15, 12, ALEA_ANCHOR_MIDDLE,
                 alea_text_string(&e->marks));
  alea_svg_words(out, "dim", e->x, e->y + NODE + 29, 11, ALEA_ANCHOR_MIDDLE,
                 alea_text_string(&e->labels));
}

alea_status alea_structure_svg(alea_structure_drawing *d, const char *const *fluents, size_t count,
                               alea_canvas *canvas) {
  alea_status status = alea_structure_read(d, fluents, count);
  if (status != ALEA_OK) return status;
  double side = plane_side(d);
  place_nodes(d, side);
  canvas->width = side + 2 * MARGIN;
  canvas->height = side + 2 * MARGIN + 20;
  alea_text_put(&canvas->ground,
                "<defs><marker id=\"alea-tip\" markerWidth=\"8\" markerHeight=\"8\" refX=\"7\" "
                "refY=\"4\" orient=\"auto\"><path class=\"spot\" d=\"M0 0L8 4L0 8z\"/></marker>"
                "</defs>\n");
  for (size_t i = 0; i < d->arrows.count; i++) put_arrow(d, &d->arrows.data[i], &canvas->ground);
  for (size_t i = 0; i < d->elements.count; i++) {
    if (d->elements.data[i].alive) put_node(canvas, &d->elements.data[i], i);
  }
  alea_svg_words(&canvas->body, "ink", MARGIN, side + 2 * MARGIN + 8, 13, ALEA_ANCHOR_START,
                 alea_text_string(&d->rest));
  return canvas->body.failed || canvas->ground.failed ? alea_mem_lack(d->mem) : ALEA_OK;
}
