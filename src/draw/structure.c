/* Draws positions of rewriting games as boards and graphs. */
#include "draw/structure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/terms.h"
#include "base/vec.h"
#include "toss/syntax.h"

enum { CELL = 44, MARGIN = 34, LINE = 20, PLANE = 480, NODE = 16, WORD = 96 };
#define NONE ALEA_TOSS_NONE
#define PI 3.14159265358979323846

typedef struct element {
  char name[WORD];
  double x, y;       /* in the plane */
  bool has_x, has_y; /* given by labels */
  bool alive;        /* in the position; others are not drawn */
  alea_text marks;   /* unary relations that hold of it */
  alea_text labels;  /* values of functions */
} element;

typedef struct arrow {
  uint32_t relation; /* index of the file */
  uint32_t from, to;
} arrow;

struct alea_structure_drawing {
  alea_mem *mem;
  alea_toss_file *file;
  alea_terms *terms;          /* of the fluents read */
  ALEA_VEC(element) elements; /* those of the start, then others as they appear */
  size_t start_count;
  bool varies; /* elements come and go: fluents `(element a)` say which are there */
  ALEA_VEC(arrow) arrows;
  alea_text rest; /* what is not drawn elsewhere */
};

typedef alea_structure_drawing drawing;

static alea_status lack(const drawing *d) { return alea_mem_lack(d->mem); }

static void clear_position(drawing *d) {
  for (size_t i = 0; i < d->elements.count; i++) {
    element *e = &d->elements.data[i];
    e->has_x = e->has_y = false;
    e->alive = !d->varies;
    alea_text_truncate(&e->marks, 0);
    alea_text_truncate(&e->labels, 0);
    if (i < d->start_count) continue;
    alea_text_clear(&e->marks);
    alea_text_clear(&e->labels);
  }
  if (d->elements.count > d->start_count) d->elements.count = d->start_count;
  d->arrows.count = 0;
  alea_text_truncate(&d->rest, 0);
}

static uint32_t add_element(drawing *d, const char *name) {
  element made = {0};
  snprintf(made.name, sizeof made.name, "%s", name);
  alea_text_init(&made.marks, d->mem);
  alea_text_init(&made.labels, d->mem);
  made.alive = !d->varies;
  if (!alea_vec_push(d->mem, &d->elements, made)) return NONE;
  return (uint32_t)d->elements.count - 1;
}

drawing *alea_structure_drawing_new(const char *rulesheet, alea_mem *mem) {
  drawing *d = alea_mem_zalloc(mem, sizeof *d);
  if (d == NULL) return NULL;
  d->mem = mem;
  alea_text_init(&d->rest, mem);
  d->terms = alea_terms_new(NULL, mem);
  bool good = d->terms != NULL &&
              alea_toss_read(&d->file, rulesheet, strlen(rulesheet), "game", mem, NULL) == ALEA_OK;
  for (size_t i = 0; good && i < d->file->start.elements.count; i++) {
    good = add_element(d, alea_toss_text(d->file, d->file->start.elements.data[i])) != NONE;
  }
  if (!good) {
    alea_structure_drawing_free(d);
    return NULL;
  }
  d->start_count = d->elements.count;
  for (size_t i = 0; i < d->file->rules.count; i++) {
    d->varies |= !alea_toss_is_preserving(&d->file->rules.data[i]);
  }
  return d;
}

void alea_structure_drawing_free(drawing *d) {
  if (d == NULL) return;
  for (size_t i = 0; i < d->elements.count; i++) {
    alea_text_clear(&d->elements.data[i].marks);
    alea_text_clear(&d->elements.data[i].labels);
  }
  alea_vec_clear(d->mem, &d->elements);
  alea_vec_clear(d->mem, &d->arrows);
  alea_text_clear(&d->rest);
  alea_terms_free(d->terms);
  alea_toss_free(d->file);
  alea_mem_free(d->mem, d, sizeof *d);
}

/* ---- reading a position ---- */

/* A fluent `(name a b)`; positions are made of names and numbers alone. */
typedef struct structure_fact {
  const char *name, *args[2];
  uint32_t arity; /* 0 too where it is no fluent at all */
} structure_fact;

static structure_fact read_fact(alea_terms *terms, const char *fluent) {
  structure_fact fact = {.name = ""};
  alea_term term = alea_terms_parse(terms, fluent, NULL);
  if (term == ALEA_NO_TERM) return fact;
  fact.name = alea_symbols_text(terms->symbols, alea_terms_name(terms, term));
  fact.arity = alea_terms_arity(terms, term);
  for (uint32_t i = 0; i < fact.arity && i < 2; i++) {
    alea_term arg = alea_terms_args(terms, term)[i];
    fact.args[i] = alea_symbols_text(terms->symbols, alea_terms_name(terms, arg));
  }
  return fact;
}

static uint32_t find_element(drawing *d, const char *name) {
  for (uint32_t i = 0; i < d->elements.count; i++) {
    if (strcasecmp(d->elements.data[i].name, name) == 0) return i;
  }
  return add_element(d, name);
}

static uint32_t find_relation(const alea_toss_file *f, const char *name) {
  for (uint32_t i = 0; i < f->relations.count; i++) {
    if (strcasecmp(alea_toss_text(f, f->relations.data[i].name), name) == 0) return i;
  }
  return NONE;
}

static bool is_function(const alea_toss_file *f, const char *name) {
  for (uint32_t i = 0; i < f->functions.count; i++) {
    if (strcasecmp(alea_toss_text(f, f->functions.data[i].name), name) == 0) return true;
  }
  return false;
}

static void add_mark(drawing *d, uint32_t element_id, uint32_t relation) {
  alea_text *marks = &d->elements.data[element_id].marks;
  if (marks->length > 0) alea_text_char(marks, '+');
  alea_text_put(marks, alea_toss_text(d->file, d->file->relations.data[relation].name));
}

static void add_label(element *e, const char *name, const char *value) {
  if (strcmp(name, "x") == 0) e->has_x = true, e->x = strtod(value, NULL);
  if (strcmp(name, "y") == 0) e->has_y = true, e->y = strtod(value, NULL);
  alea_text_format(&e->labels, "%s%s %s", e->labels.length > 0 ? "  " : "", name, value);
}

static bool add_arrow(drawing *d, uint32_t relation, uint32_t from, uint32_t to) {
  return alea_vec_push(d->mem, &d->arrows, ((arrow){relation, from, to}));
}

static alea_status read_fluent(drawing *d, const char *fluent) {
  structure_fact fact = read_fact(d->terms, fluent);
  uint32_t relation = find_relation(d->file, fact.name), one, two;
  if (fact.arity == 2 && relation == NONE && is_function(d->file, fact.name)) {
    if ((one = find_element(d, fact.args[0])) == NONE) return lack(d);
    add_label(&d->elements.data[one], fact.name, fact.args[1]);
  } else if (d->varies && fact.arity == 1 && strcmp(fact.name, "element") == 0) {
    if ((one = find_element(d, fact.args[0])) == NONE) return lack(d);
    d->elements.data[one].alive = true;
  } else if (fact.arity == 1 && relation != NONE) {
    if ((one = find_element(d, fact.args[0])) == NONE) return lack(d);
    add_mark(d, one, relation);
  } else if (fact.arity == 2 && relation != NONE) {
    one = find_element(d, fact.args[0]);
    two = find_element(d, fact.args[1]);
    if (one == NONE || two == NONE || !add_arrow(d, relation, one, two)) return lack(d);
  } else {
    alea_text_format(&d->rest, "%s%s", d->rest.length > 0 ? "  " : "", fluent);
  }
  return ALEA_OK;
}

/* Whether a rule changes a relation: what does not change is in no fluent.  Where
 * elements come and go every relation changes, as in toss/rules.c. */
static bool changes(const alea_toss_file *f, uint32_t relation) {
  for (size_t r = 0; r < f->rules.count; r++) {
    const alea_toss_rule *rule = &f->rules.data[r];
    if (!alea_toss_is_preserving(rule)) return true;
    for (size_t k = 0; k < rule->right.tuples.count; k++) {
      if (rule->right.tuples.data[k].relation == relation) return true;
    }
    for (size_t k = 0; k < rule->exact.count; k++) {
      if (rule->exact.data[k] == relation) return true;
    }
  }
  return false;
}

/* The tuples of the initial structure that never change hold. */
static alea_status read_constant(drawing *d) {
  const alea_toss_picture *start = &d->file->start;
  for (size_t i = 0; i < start->tuples.count; i++) {
    const alea_toss_tuple *t = &start->tuples.data[i];
    const uint32_t *ids = start->ids.data + t->first;
    if (changes(d->file, t->relation)) continue;
    if (t->count == 1) add_mark(d, ids[0], t->relation);
    if (t->count == 2 && !add_arrow(d, t->relation, ids[0], ids[1])) return lack(d);
  }
  return ALEA_OK;
}

static alea_status read_position(drawing *d, const char *const *fluents, size_t count) {
  clear_position(d);
  alea_status status = read_constant(d);
  for (size_t i = 0; i < count && status == ALEA_OK; i++) status = read_fluent(d, fluents[i]);
  return status;
}

/* ---- boards ---- */

static const element *at(const drawing *d, uint32_t column, uint32_t row) {
  char name[16];
  snprintf(name, sizeof name, "%c%u", (int)('a' + column), row + 1);
  for (size_t i = 0; i < d->start_count; i++) {
    const element *e = &d->elements.data[i];
    if (strcmp(e->name, name) == 0) return e->alive ? e : NULL;
  }
  return NULL;
}

static void put_padded(alea_text *out, const char *text, size_t width) {
  alea_text_format(out, " %-*s", (int)width, text);
}

static void put_board(drawing *d, alea_text *out) {
  uint32_t columns = d->file->board_columns, rows = d->file->board_rows;
  size_t width = 1;
  for (size_t i = 0; i < d->start_count; i++) {
    size_t length = d->elements.data[i].marks.length;
    if (length > width) width = length;
  }
  for (uint32_t r = rows; r-- > 0;) {
    alea_text_format(out, "%3u ", r + 1);
    for (uint32_t c = 0; c < columns; c++) {
      const element *e = at(d, c, r);
      const char *marks = e != NULL && e->marks.length > 0 ? alea_text_string(&e->marks) : ".";
      put_padded(out, e != NULL ? marks : "", width);
    }
    while (out->length > 0 && out->data[out->length - 1] == ' ') {
      alea_text_truncate(out, out->length - 1);
    }
    alea_text_char(out, '\n');
  }
  alea_text_put(out, "    ");
  for (uint32_t c = 0; c < columns; c++) {
    char letter[2] = {(char)('a' + c), '\0'};
    put_padded(out, letter, c + 1 < columns ? width : 1);
  }
  alea_text_char(out, '\n');
}

/* Elements that are not cells, and arrows that the board does not show
 * already. */
static bool is_cell(const drawing *d, uint32_t index) {
  return d->file->board_columns > 0 && index < d->start_count;
}

static bool is_of_board(const drawing *d, const arrow *a) {
  const char *name = alea_toss_text(d->file, d->file->relations.data[a->relation].name);
  return is_cell(d, a->from) && is_cell(d, a->to) &&
         (strcmp(name, "R") == 0 || strcmp(name, "C") == 0);
}

static void put_rest(drawing *d, bool ascii, alea_text *out) {
  for (uint32_t i = 0; i < d->elements.count; i++) {
    const element *e = &d->elements.data[i];
    if (!e->alive || (is_cell(d, i) && e->labels.length == 0)) continue;
    if (i >= d->start_count || !is_cell(d, i) || e->labels.length > 0) {
      alea_text_format(out, "%s: %s%s%s\n", e->name, alea_text_string(&e->marks),
                       e->marks.length > 0 && e->labels.length > 0 ? "  " : "",
                       alea_text_string(&e->labels));
    }
  }
  for (size_t i = 0; i < d->arrows.count; i++) {
    const arrow *a = &d->arrows.data[i];
    if (is_of_board(d, a)) continue;
    alea_text_format(
        out, "%s: %s %s %s\n", alea_toss_text(d->file, d->file->relations.data[a->relation].name),
        d->elements.data[a->from].name, ascii ? "->" : "→", d->elements.data[a->to].name);
  }
  alea_text_format(out, "%s\n", alea_text_string(&d->rest));
}

alea_status alea_structure_text(drawing *d, const char *const *fluents, size_t count, bool ascii,
                                alea_text *out) {
  alea_status status = read_position(d, fluents, count);
  if (status != ALEA_OK) return status;
  if (d->file->board_columns > 0) put_board(d, out);
  put_rest(d, ascii, out);
  return out->failed ? lack(d) : ALEA_OK;
}

/* ---- SVG ---- */

static void put_words(alea_text *out, double x, double y, const char *style, const char *words) {
  alea_text_format(out, "<text x=\"%g\" y=\"%g\"%s>", x, y, style);
  alea_text_xml(out, words, strlen(words));
  alea_text_put(out, "</text>\n");
}

static void open_svg(alea_text *out, double width, double height, const char *title) {
  alea_text_format(out,
                   "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%g\" height=\"%g\" "
                   "viewBox=\"0 0 %g %g\" font-family=\"sans-serif\" font-size=\"14\">\n"
                   "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
                   width, height, width, height);
  put_words(out, MARGIN, LINE, " font-weight=\"bold\"", title);
}

static void put_board_svg(drawing *d, const char *title, alea_text *out) {
  uint32_t columns = d->file->board_columns, rows = d->file->board_rows;
  double top = LINE + 12, width = 2 * MARGIN + columns * CELL;
  open_svg(out, width < 300 ? 300 : width, top + rows * CELL + 2.5 * LINE + 8, title);
  for (uint32_t r = 0; r < rows; r++) {
    double y = top + (rows - 1 - r) * CELL;
    char number[16];
    snprintf(number, sizeof number, "%u", r + 1);
    put_words(out, MARGIN - 8, y + CELL / 2.0 + 5, " text-anchor=\"end\" fill=\"#777\"", number);
    for (uint32_t c = 0; c < columns; c++) {
      const element *e = at(d, c, r);
      double x = MARGIN + c * CELL;
      if (e == NULL) continue;
      alea_text_format(out,
                       "<rect x=\"%g\" y=\"%g\" width=\"%d\" height=\"%d\" fill=\"%s\" "
                       "stroke=\"#999\"/>\n",
                       x, y, CELL, CELL, (r + c) % 2 == 0 ? "#e8e0d0" : "#f7f3ea");
      if (e->marks.length == 0) continue;
      put_words(out, x + CELL / 2.0, y + CELL / 2.0 + 6,
                " text-anchor=\"middle\" font-size=\"18\" font-weight=\"bold\"",
                alea_text_string(&e->marks));
    }
  }
  for (uint32_t c = 0; c < columns; c++) {
    char letter[2] = {(char)('a' + c), '\0'};
    put_words(out, MARGIN + c * CELL + CELL / 2.0, top + rows * CELL + LINE - 4,
              " text-anchor=\"middle\" fill=\"#777\"", letter);
  }
  put_words(out, MARGIN, top + rows * CELL + 2 * LINE, "", alea_text_string(&d->rest));
  alea_text_put(out, "</svg>\n");
}

/* Places the nodes: by labels x and y if all have them. */
static void place_nodes(drawing *d) {
  double low_x = INFINITY, high_x = -INFINITY, low_y = INFINITY, high_y = -INFINITY;
  bool plane = d->elements.count > 0;
  for (size_t i = 0; i < d->elements.count; i++) {
    element *e = &d->elements.data[i];
    if (!e->alive) continue;
    plane = plane && e->has_x && e->has_y;
    low_x = fmin(low_x, e->x), high_x = fmax(high_x, e->x);
    low_y = fmin(low_y, e->y), high_y = fmax(high_y, e->y);
  }
  double span = fmax(fmax(high_x - low_x, high_y - low_y), 1e-9);
  for (size_t i = 0; i < d->elements.count; i++) {
    element *e = &d->elements.data[i];
    double angle = 2 * PI * (double)i / (double)d->elements.count;
    e->x = plane ? MARGIN + 40 + (e->x - low_x) / span * (PLANE - 80)
                 : MARGIN + PLANE / 2.0 + (PLANE / 2.0 - 50) * sin(angle);
    e->y = plane ? LINE + PLANE - 40 - (e->y - low_y) / span * (PLANE - 80)
                 : LINE + PLANE / 2.0 - (PLANE / 2.0 - 50) * cos(angle);
  }
}

static void put_arrow(const drawing *d, const arrow *a, alea_text *out) {
  const element *from = &d->elements.data[a->from], *to = &d->elements.data[a->to];
  double dx = to->x - from->x, dy = to->y - from->y, length = sqrt(dx * dx + dy * dy);
  const char *name = alea_toss_text(d->file, d->file->relations.data[a->relation].name);
  if (length < 1) {
    alea_text_format(out, "<circle cx=\"%g\" cy=\"%g\" r=\"%d\" fill=\"none\" stroke=\"#888\"/>\n",
                     from->x, from->y - NODE - 8, 10);
    put_words(out, from->x + 12, from->y - NODE - 12, " font-size=\"11\" fill=\"#555\"", name);
    return;
  }
  double end = (length - NODE) / length, middle_x = from->x + dx * 0.5 - dy / length * 8;
  alea_text_format(out,
                   "<line x1=\"%g\" y1=\"%g\" x2=\"%g\" y2=\"%g\" stroke=\"#888\" "
                   "marker-end=\"url(#tip)\"/>\n",
                   from->x, from->y, from->x + dx * end, from->y + dy * end);
  put_words(out, middle_x, from->y + dy * 0.5 + dx / length * 8,
            " font-size=\"11\" fill=\"#555\" text-anchor=\"middle\"", name);
}

static void put_graph_svg(drawing *d, const char *title, alea_text *out) {
  place_nodes(d);
  open_svg(out, 2 * MARGIN + PLANE, PLANE + 4 * LINE, title);
  alea_text_put(out,
                "<defs><marker id=\"tip\" markerWidth=\"8\" markerHeight=\"8\" refX=\"7\" "
                "refY=\"4\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" fill=\"#888\"/></marker>"
                "</defs>\n");
  for (size_t i = 0; i < d->arrows.count; i++) put_arrow(d, &d->arrows.data[i], out);
  for (size_t i = 0; i < d->elements.count; i++) {
    const element *e = &d->elements.data[i];
    if (!e->alive) continue;
    alea_text_format(out,
                     "<circle cx=\"%g\" cy=\"%g\" r=\"%d\" fill=\"#f7f3ea\" stroke=\"#555\"/>\n",
                     e->x, e->y, NODE);
    put_words(out, e->x, e->y + 5, " text-anchor=\"middle\"", e->name);
    put_words(out, e->x, e->y + NODE + 14, " text-anchor=\"middle\" font-size=\"12\"",
              alea_text_string(&e->marks));
    put_words(out, e->x, e->y + NODE + 28, " text-anchor=\"middle\" font-size=\"11\" fill=\"#555\"",
              alea_text_string(&e->labels));
  }
  put_words(out, MARGIN, PLANE + 3 * LINE, "", alea_text_string(&d->rest));
  alea_text_put(out, "</svg>\n");
}

alea_status alea_structure_svg(drawing *d, const char *const *fluents, size_t count,
                               const char *title, alea_text *out) {
  alea_status status = read_position(d, fluents, count);
  if (status != ALEA_OK) return status;
  if (d->file->board_columns > 0) {
    put_board_svg(d, title, out);
  } else {
    put_graph_svg(d, title, out);
  }
  return out->failed ? lack(d) : ALEA_OK;
}

/* ---- paths ---- */

typedef struct stop {
  double x, y;
  bool has_x, has_y;
} stop;

typedef struct path {
  char name[WORD];
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
    structure_fact fact = read_fact(p->terms, fluents[i]);
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

static void put_path(const path *p, const window *w, const char *colour, alea_text *out) {
  const stop *first = NULL, *last = NULL;
  alea_text_format(out, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"",
                   colour);
  for (size_t k = 0; k < p->stops.count; k++) {
    const stop *s = &p->stops.data[k];
    if (!s->has_x || !s->has_y) continue;
    if (first == NULL) first = s;
    last = s;
    alea_text_format(out, "%.2f,%.2f ", paper_x(w, s->x), paper_y(w, s->y));
  }
  alea_text_put(out, "\"/>\n");
  for (size_t k = 0; k < p->stops.count; k++) {
    const stop *s = &p->stops.data[k];
    if (!s->has_x || !s->has_y) continue;
    alea_text_format(out, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"%d\" fill=\"%s\"/>\n",
                     paper_x(w, s->x), paper_y(w, s->y), s == last ? 5 : 3,
                     s == first ? "#fff\" stroke=\"#000" : colour);
  }
  if (last == NULL) return;
  put_words(out, paper_x(w, last->x) + 8, paper_y(w, last->y) - 6, " font-weight=\"bold\"",
            p->name);
}

alea_status alea_paths_svg(const alea_paths *p, const char *title, alea_text *out) {
  static const char *const colours[] = {"#b22", "#25a", "#283", "#a62", "#727", "#278"};
  window w;
  if (!measure(p, &w)) return ALEA_NONE;
  open_svg(out, 2 * MARGIN + PLANE, PLANE + 3 * LINE, title);
  for (size_t i = 0; i < p->list.count; i++) {
    put_path(&p->list.data[i], &w, colours[i % (sizeof colours / sizeof *colours)], out);
  }
  char range[128];
  snprintf(range, sizeof range, "x from %g, y from %g, both over %g; the empty dot is the start",
           w.low_x, w.low_y, w.span);
  put_words(out, MARGIN, PLANE + 2.2 * LINE, " font-size=\"12\" fill=\"#555\"", range);
  alea_text_put(out, "</svg>\n");
  return out->failed ? ALEA_SYSTEM : ALEA_OK;
}
