/* A position as SVG: its parts one beside the other, the rest as words. */
#include <math.h>
#include <string.h>

#include "draw/figure.h"
#include "draw/picture.h"
#include "draw/structure.h"

enum { MARGIN = 8, GAP = 16, WORDS = 13, LINE = 20, MOST_WORDS = 300 };
/* Parts flow into rows that are at least so wide. */
static const double least_row = 620;
static const double least_width = 160;

/* ---- parts ---- */

typedef enum part_kind { PART_BOARD, PART_FIGURE, PART_THINGS } part_kind;

typedef struct svg_part {
  part_kind kind;
  uint32_t index, slice;
  alea_svg_size extent;
} svg_part;

typedef ALEA_VEC(svg_part) svg_parts;

/* Many large boards of one relation are bookkeeping of the rules; their fluents are words. */
static bool is_bookkeeping(const alea_view *board) {
  enum { MOST_CELLS = 1024 };
  return board->slice_count > 1 && !board->board->merge && board->cell_count > MOST_CELLS;
}

static alea_status add_part(const alea_svg_picture *p, svg_parts *parts, svg_part part) {
  if (part.extent.width <= 0) return ALEA_OK;
  return alea_vec_push(p->drawing->mem, parts, part) ? ALEA_OK : ALEA_SYSTEM;
}

static alea_status find_parts(const alea_svg_picture *p, svg_parts *parts) {
  alea_status status = ALEA_OK;
  for (uint32_t b = 0; b < p->view->boards.count && status == ALEA_OK; b++) {
    const alea_view *board = &p->view->boards.data[b];
    if (board->board->below != ALEA_NO_INDEX || is_bookkeeping(board)) continue;
    uint32_t slices = board->board->merge ? 1 : board->slice_count;
    for (uint32_t s = 0; s < slices && status == ALEA_OK; s++)
      status = add_part(p, parts, (svg_part){PART_BOARD, b, s, alea_board_extent(p, board)});
  }
  for (uint32_t i = 0; i < p->drawing->shapes.count && status == ALEA_OK; i++) {
    status = add_part(p, parts, (svg_part){PART_FIGURE, i, 0, alea_figure_extent(p, i)});
    if (status == ALEA_OK)
      status = add_part(p, parts, (svg_part){PART_THINGS, i, 0, alea_things_extent(p, i)});
  }
  return status;
}

static alea_status put_part(alea_svg_picture *p, const svg_part *part, double x, double y) {
  if (part->kind == PART_BOARD) return alea_board_svg(p, part->index, part->slice, x, y);
  if (part->kind == PART_FIGURE) alea_figure_svg(p, part->index, x, y);
  if (part->kind == PART_THINGS) alea_things_svg(p, part->index, x, y);
  return ALEA_OK;
}

/* Many boards are laid out about as wide as high. */
static double row_width(const svg_parts *parts) {
  double area = 0;
  for (size_t i = 0; i < parts->count; i++) {
    if (parts->data[i].kind == PART_BOARD)
      area += (parts->data[i].extent.width + GAP) * (parts->data[i].extent.height + GAP);
  }
  return fmax(least_row, 1.15 * sqrt(area));
}

/* Boards flow; everything else has a row of its own. */
static alea_status put_parts(alea_svg_picture *p, const svg_parts *parts) {
  double x = MARGIN, y = MARGIN, row = 0, widest_row = row_width(parts);
  alea_status status = ALEA_OK;
  for (size_t i = 0; i < parts->count && status == ALEA_OK; i++) {
    const svg_part *part = &parts->data[i];
    bool alone = part->kind != PART_BOARD || (i > 0 && parts->data[i - 1].kind != PART_BOARD);
    if (x > MARGIN && (alone || x + part->extent.width > widest_row)) {
      x = MARGIN;
      y += row + GAP;
      row = 0;
    }
    status = put_part(p, part, x, y);
    x += part->extent.width + GAP;
    row = fmax(row, part->extent.height);
    p->canvas->width = fmax(p->canvas->width, x - GAP + MARGIN);
  }
  p->canvas->height = y + row + MARGIN;
  return status;
}

/* ---- words ---- */

/* Where the next words go. */
typedef struct svg_flow {
  double x, y, right;
  size_t count;
} svg_flow;

static void put_dot(alea_svg_picture *p, alea_symbol role, double x, double y) {
  alea_ink ink = alea_drawing_ink(p->drawing, role, role);
  alea_svg_circle(&p->canvas->body, alea_canvas_ink(p->canvas, ink), x + 5, y - 4.5, 5);
  alea_svg_end(&p->canvas->body);
}

/* `control white` for (control white), with a dot of the role's colour. */
static void put_item(alea_svg_picture *p, svg_flow *flow, const char *words, alea_symbol role,
                     const char *fluent) {
  double dot = role != ALEA_NO_SYMBOL ? 15 : 0;
  double width = alea_svg_words_width(words, WORDS) + dot;
  if (flow->x > MARGIN && flow->x + width > flow->right) {
    flow->x = MARGIN;
    flow->y += LINE;
  }
  if (role != ALEA_NO_SYMBOL) put_dot(p, role, flow->x, flow->y);
  alea_text *out = &p->canvas->body;
  alea_text_put(out, "<text class=\"ink\"");
  alea_svg_length(out, "x", flow->x + dot);
  alea_svg_length(out, "y", flow->y);
  alea_text_format(out, " font-size=\"%d\"", WORDS);
  alea_svg_attribute(out, "data-fluent", fluent);
  alea_text_char(out, '>');
  alea_svg_escape(out, words);
  alea_text_put(out, "</text>\n");
  flow->x += width + GAP;
  p->canvas->width = fmax(p->canvas->width, fmin(flow->x - GAP + MARGIN, flow->right + MARGIN));
}

static void put_fluent(alea_svg_picture *p, svg_flow *flow, const alea_flat *flat) {
  const char *fluent = flat->fluent;
  size_t length = strlen(fluent);
  alea_text *scratch = &p->drawing->scratch;
  alea_text_truncate(scratch, 0);
  if (fluent[0] == '(' && length > 2) {
    alea_text_add(scratch, fluent + 1, length - 2);
  } else {
    alea_text_put(scratch, fluent);
  }
  alea_symbol role = flat->leaf_count == 1 && alea_drawing_is_role(p->drawing, flat->leaves[0])
                         ? flat->leaves[0]
                         : ALEA_NO_SYMBOL;
  put_item(p, flow, alea_text_string(scratch), role, fluent);
}

/* Whether something is drawn and need not be said. */
static bool is_drawn(const alea_svg_picture *p, const alea_flat *flat) {
  if (flat->shape == ALEA_NO_INDEX) return false;
  const alea_shape *shape = &p->drawing->shapes.data[flat->shape];
  return shape->hint == ALEA_HINT_ON || alea_things_take(p, shape);
}

static void put_words(alea_svg_picture *p) {
  const alea_layout_view *view = p->view;
  double right = fmax(p->canvas->width - MARGIN, 440);
  svg_flow flow = {MARGIN, p->canvas->height + LINE - 6, right, 0};
  size_t total = view->lists.count + view->rest.count;
  for (size_t i = 0; i < total; i++) {
    const alea_flat *flat =
        i < view->lists.count ? &view->lists.data[i] : &view->rest.data[i - view->lists.count];
    if (is_drawn(p, flat)) continue;
    if (++flow.count > MOST_WORDS) continue;
    put_fluent(p, &flow, flat);
  }
  for (size_t i = 0; i < view->placed.count; i++) {
    const alea_placed *placed = &view->placed.data[i];
    if (!is_bookkeeping(&view->boards.data[placed->board]) || placed->fluent == NULL) continue;
    if (++flow.count <= MOST_WORDS) put_fluent(p, &flow, &(alea_flat){.fluent = placed->fluent});
  }
  if (flow.count > MOST_WORDS) put_item(p, &flow, "and more", ALEA_NO_SYMBOL, NULL);
  if (flow.count > 0) p->canvas->height = flow.y + MARGIN;
}

/* ---- pictures ---- */

/* Draws a position on an empty canvas. */
static alea_status put_position(alea_drawing *d, const char *const *fluents, size_t count,
                                alea_canvas *canvas) {
  alea_layout_view view;
  alea_svg_picture p = {d, &view, canvas};
  svg_parts parts = {0};
  alea_status status = alea_view_init(&view, d, fluents, count);
  if (status == ALEA_OK) status = alea_svg_picture_mark(&p);
  if (status == ALEA_OK) status = find_parts(&p, &parts);
  if (status == ALEA_OK) status = put_parts(&p, &parts);
  if (status == ALEA_OK) put_words(&p);
  canvas->width = fmax(canvas->width, least_width);
  alea_vec_clear(d->mem, &parts);
  alea_view_clear(&view, d);
  if (canvas->body.failed || canvas->ground.failed || d->scratch.failed) return ALEA_SYSTEM;
  return status;
}

static alea_status put_cells(alea_drawing *d, const char *const *fluents, size_t count,
                             void *canvas) {
  return put_position(d, fluents, count, canvas);
}

alea_status alea_drawing_put(alea_drawing *d, const char *const *fluents, size_t count,
                             alea_canvas *canvas) {
  alea_status status = ALEA_OK;
  if (d->structure == NULL) {
    status = put_position(d, fluents, count, canvas);
  } else if (alea_structure_has_board(d->structure)) {
    status = alea_drawing_as_cells(d, fluents, count, put_cells, canvas);
  } else {
    status = alea_structure_svg(d->structure, fluents, count, canvas);
  }
  alea_canvas_finish(canvas);
  return status;
}

alea_status alea_drawing_svg(alea_drawing *d, const char *const *fluents, size_t count,
                             const char *title, alea_text *out) {
  alea_canvas canvas;
  alea_canvas_init(&canvas, d->mem);
  alea_status status = alea_drawing_put(d, fluents, count, &canvas);
  if (status == ALEA_OK) {
    alea_svg_open(out, &canvas, d->theme, title);
    alea_text_put(out, alea_text_string(&canvas.ground));
    alea_text_put(out, alea_text_string(&canvas.body));
    alea_svg_close(out);
  }
  alea_canvas_clear(&canvas);
  return out->failed ? ALEA_SYSTEM : status;
}
