/* The places of elements with labels x and y, position by position. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "draw/canvas.h"
#include "draw/structure_core.h"

enum { MARGIN = 34, LINE = 20, PLANE = 480 };

typedef struct stop {
  double x, y;
  bool has_x, has_y;
} stop;

typedef struct path {
  char name[ALEA_ELEMENT_NAME];
  ALEA_VEC(stop) stops; /* one per position; some without coordinates */
} path;

struct alea_paths {
  alea_mem *mem;
  alea_terms *terms; /* of the fluents read */
  size_t positions;
  ALEA_VEC(path) list;
};

alea_paths *alea_paths_new(alea_mem *mem) {
  alea_paths *p = alea_mem_zalloc(mem, sizeof *p);
  if (p == NULL) return NULL;
  p->mem = mem;
  p->terms = alea_terms_new(NULL, mem);
  if (p->terms != NULL) return p;
  alea_paths_free(p);
  return NULL;
}

void alea_paths_free(alea_paths *p) {
  if (p == NULL) return;
  for (size_t i = 0; i < p->list.count; i++) alea_vec_clear(p->mem, &p->list.data[i].stops);
  alea_vec_clear(p->mem, &p->list);
  alea_terms_free(p->terms);
  alea_mem_free(p->mem, p, sizeof *p);
}

static stop *stop_of(alea_paths *p, const char *name) {
  size_t at_path = 0;
  while (at_path < p->list.count && strcmp(p->list.data[at_path].name, name) != 0) at_path++;
  if (at_path == p->list.count) {
    path made = {0};
    snprintf(made.name, sizeof made.name, "%s", name);
    if (!alea_vec_push(p->mem, &p->list, made)) return NULL;
  }
  path *found = &p->list.data[at_path];
  while (found->stops.count < p->positions) {
    if (!alea_vec_push(p->mem, &found->stops, ((stop){0}))) return NULL;
  }
  return &found->stops.data[p->positions - 1];
}

alea_status alea_paths_note(alea_paths *p, const char *const *fluents, size_t count) {
  p->positions++;
  for (size_t i = 0; i < count; i++) {
    alea_structure_fact fact = alea_structure_fact_read(p->terms, fluents[i]);
    if (fact.arity != 2) continue;
    bool x = strcmp(fact.name, "x") == 0, y = strcmp(fact.name, "y") == 0;
    char *end;
    double value = strtod(fact.args[1], &end);
    if ((!x && !y) || end == fact.args[1] || *end != '\0') continue;
    stop *s = stop_of(p, fact.args[0]);
    if (s == NULL) return alea_mem_lack(p->mem);
    if (x) s->x = value, s->has_x = true;
    if (y) s->y = value, s->has_y = true;
  }
  return ALEA_OK;
}

typedef struct window {
  double low_x, low_y, span;
} window;

static bool measure(const alea_paths *p, window *w) {
  double high_x = -INFINITY, high_y = -INFINITY;
  *w = (window){INFINITY, INFINITY, 0};
  for (size_t i = 0; i < p->list.count; i++) {
    for (size_t k = 0; k < p->list.data[i].stops.count; k++) {
      const stop *s = &p->list.data[i].stops.data[k];
      if (!s->has_x || !s->has_y) continue;
      w->low_x = fmin(w->low_x, s->x), high_x = fmax(high_x, s->x);
      w->low_y = fmin(w->low_y, s->y), high_y = fmax(high_y, s->y);
    }
  }
  w->span = fmax(fmax(high_x - w->low_x, high_y - w->low_y), 1e-9);
  return isfinite(w->low_x);
}

static double paper_x(const window *w, double x) {
  return MARGIN + 20 + (x - w->low_x) / w->span * (PLANE - 40);
}

static double paper_y(const window *w, double y) {
  return LINE + PLANE - 20 - (y - w->low_y) / w->span * (PLANE - 40);
}

static bool is_placed(const stop *s) { return s->has_x && s->has_y; }

static void put_path(const path *p, const window *w, alea_ink ink, alea_canvas *canvas) {
  const stop *first = NULL, *last = NULL;
  const char *class = alea_canvas_ink(canvas, ink);
  alea_text *out = &canvas->body;
  alea_text_format(
      out, "<g class=\"%s\"><polyline style=\"fill:none\" stroke-width=\"2\" points=\"", class);
  for (size_t k = 0; k < p->stops.count; k++) {
    const stop *s = &p->stops.data[k];
    if (!is_placed(s)) continue;
    if (first == NULL) first = s;
    last = s;
    alea_text_format(out, "%.2f,%.2f ", paper_x(w, s->x), paper_y(w, s->y));
  }
  alea_text_put(out, "\"/></g>\n");
  for (size_t k = 0; k < p->stops.count; k++) {
    const stop *s = &p->stops.data[k];
    if (!is_placed(s)) continue;
    alea_svg_circle(out, s == first ? "floor" : class, paper_x(w, s->x), paper_y(w, s->y),
                    s == last ? 5 : 3);
    alea_svg_end(out);
  }
  if (last == NULL) return;
  alea_svg_words(out, "ink", paper_x(w, last->x) + 8, paper_y(w, last->y) - 6, 14,
                 ALEA_ANCHOR_START, p->name);
}

alea_status alea_paths_svg(const alea_paths *p, const char *title, alea_theme theme,
                           alea_text *out) {
  window w;
  if (!measure(p, &w)) return ALEA_NONE;
  alea_canvas canvas;
  alea_canvas_init(&canvas, p->mem);
  canvas.width = 2 * MARGIN + PLANE;
  canvas.height = PLANE + 3 * LINE;
  for (size_t i = 0; i < p->list.count; i++)
    put_path(&p->list.data[i], &w, alea_ink_of(i), &canvas);
  char range[128];
  snprintf(range, sizeof range, "x from %g, y from %g, both over %g; the empty dot is the start",
           w.low_x, w.low_y, w.span);
  alea_svg_words(&canvas.body, "dim", MARGIN, PLANE + 2.2 * LINE, 12, ALEA_ANCHOR_START, range);
  alea_canvas_finish(&canvas);
  bool failed = canvas.body.failed;
  alea_svg_open(out, &canvas, theme, title);
  alea_text_put(out, alea_text_string(&canvas.body));
  alea_svg_close(out);
  alea_canvas_clear(&canvas);
  return out->failed || failed ? ALEA_SYSTEM : ALEA_OK;
}
