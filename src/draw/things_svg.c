/* What lies beside the boards, as SVG: dice, cards, heaps, trees, discs on pegs,
 * pieces in hand, chips with words.  Each shape is one block of rows. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "draw/figure.h"
#include "draw/picture.h"

enum { WORDS = 13, DIE = 30, CARD_WIDTH = 34, CARD_HEIGHT = 48, CHIP = 24, LABEL_GAP = 10 };
enum { HEAP_ROW = 22, TREE = 112, PEG = 150, DISC = 16, MOST_ROWS = 24 };
static const double row_width = 330;

static const char *name_of(const alea_svg_picture *p, alea_symbol symbol) {
  return alea_symbols_text(p->drawing->symbols, symbol);
}

/* ---- which ---- */

static bool is_counted(const alea_svg_picture *p, const alea_shape *shape) {
  enum { LARGEST = 24 };
  if (shape->layout != ALEA_LAYOUT_LIST || shape->leaf_count != 2) return false;
  const alea_leaf *keys = &shape->leaves[shape->column],
                  *values = &shape->leaves[1 - shape->column];
  for (size_t i = 0; i < keys->values.count; i++) {
    if (alea_drawing_is_role(p->drawing, keys->values.data[i])) return false;
  }
  for (size_t i = 0; i < values->values.count; i++) {
    unsigned number;
    if (!alea_drawing_number(p->drawing, values->values.data[i], &number) || number > LARGEST)
      return false;
  }
  return true;
}

/* (pool lstf): contents of a board that are not on it. */
static bool is_hand(const alea_svg_picture *p, const alea_shape *shape) {
  if (shape->layout != ALEA_LAYOUT_REST || shape->leaf_count != 1 ||
      shape->hint != ALEA_HINT_NONE || p->drawing->boards.count == 0)
    return false;
  const alea_leaf *values = &shape->leaves[0];
  for (size_t i = 0; i < values->values.count; i++) {
    alea_symbol value = values->values.data[i];
    if (alea_drawing_is_role(p->drawing, value) ||
        alea_drawing_find_label(p->drawing, value) == NULL)
      return false;
  }
  return values->values.count > 2;
}

bool alea_things_take(const alea_svg_picture *p, const alea_shape *shape) {
  switch (shape->hint) {
    case ALEA_HINT_DICE:
    case ALEA_HINT_TOKENS:
    case ALEA_HINT_CARDS:
    case ALEA_HINT_GROUP:
    case ALEA_HINT_PEGS: return alea_figure_takes(p->drawing, shape);
    case ALEA_HINT_HEAPS:
    case ALEA_HINT_TREES:
    case ALEA_HINT_NONE: return is_counted(p, shape) || is_hand(p, shape);
    default: return false;
  }
}

/* ---- fluents of a shape, by rows ---- */

/* A row has the fluents of one owner; without owners there is one row. */
typedef struct things_rows {
  uint32_t owner; /* leaf, or ALEA_NO_INDEX */
  alea_symbol owners[MOST_ROWS];
  size_t count;
  double label; /* width of the names of rows */
} things_rows;

static const alea_flat *flat_at(const alea_svg_picture *p, uint32_t shape, size_t index) {
  const alea_layout_view *view = p->view;
  const alea_flat *flat = NULL;
  if (index < view->figures.count) {
    flat = &view->figures.data[index];
  } else if (index - view->figures.count < view->lists.count) {
    flat = &view->lists.data[index - view->figures.count];
  } else {
    flat = &view->rest.data[index - view->figures.count - view->lists.count];
  }
  return flat->shape == shape ? flat : NULL;
}

static size_t flat_count(const alea_svg_picture *p) {
  return p->view->figures.count + p->view->lists.count + p->view->rest.count;
}

static uint32_t owner_leaf(const alea_shape *shape) {
  uint32_t leaf = ALEA_NO_INDEX;
  if (shape->hint == ALEA_HINT_DICE) leaf = shape->slice;
  if (shape->hint == ALEA_HINT_CARDS || shape->hint == ALEA_HINT_GROUP ||
      shape->hint == ALEA_HINT_TOKENS)
    leaf = shape->column;
  return leaf < shape->leaf_count && shape->leaf_count > 1 ? leaf : ALEA_NO_INDEX;
}

static void row_name(const alea_svg_picture *p, const alea_shape *shape, const things_rows *rows,
                     size_t row, char *out, size_t size) {
  if (rows->owner == ALEA_NO_INDEX) {
    snprintf(out, size, "%s", name_of(p, shape->name));
  } else {
    snprintf(out, size, "%s %s", name_of(p, shape->name), name_of(p, rows->owners[row]));
  }
}

static things_rows read_rows(const alea_svg_picture *p, uint32_t index) {
  const alea_shape *shape = &p->drawing->shapes.data[index];
  things_rows rows = {.owner = owner_leaf(shape)};
  for (size_t i = 0; i < flat_count(p) && rows.count < MOST_ROWS; i++) {
    const alea_flat *flat = flat_at(p, index, i);
    if (flat == NULL) continue;
    alea_symbol owner = rows.owner != ALEA_NO_INDEX ? flat->leaves[rows.owner] : ALEA_NO_SYMBOL;
    size_t row = 0;
    while (row < rows.count && rows.owners[row] != owner) row++;
    if (row == rows.count) rows.owners[rows.count++] = owner;
  }
  for (size_t row = 0; row < rows.count; row++) {
    char name[96];
    row_name(p, shape, &rows, row, name, sizeof name);
    rows.label = fmax(rows.label, alea_svg_words_width(name, WORDS) + LABEL_GAP);
  }
  return rows;
}

/* ---- one thing ---- */

/* How a fluent is drawn: size, and how often. */
typedef struct thing {
  double width, height;
  unsigned times;
} thing;

static void chip_words(const alea_svg_picture *p, const alea_shape *shape, const alea_flat *flat,
                       uint32_t owner, char *out, size_t size) {
  size_t used = 0;
  out[0] = '\0';
  for (uint32_t i = 0; i < flat->leaf_count; i++) {
    if (i == owner) continue;
    int added =
        snprintf(out + used, size - used, "%s%s", used > 0 ? " " : "", name_of(p, flat->leaves[i]));
    if (added < 0 || (size_t)added >= size - used) return;
    used += (size_t)added;
  }
  if (used == 0) snprintf(out, size, "%s", name_of(p, shape->name));
}

static thing measure(const alea_svg_picture *p, const alea_shape *shape, const alea_flat *flat,
                     uint32_t owner) {
  char words[96];
  unsigned times;
  switch (shape->hint) {
    case ALEA_HINT_DICE:
      if (shape->row >= flat->leaf_count ||
          !alea_drawing_number(p->drawing, flat->leaves[shape->row], &times))
        times = shape->faces != 0 ? (unsigned)__builtin_popcount(shape->faces) : 1;
      return (thing){DIE + 6, DIE + 6, times < 30 ? times : 30};
    case ALEA_HINT_CARDS: return (thing){CARD_WIDTH + 5, CARD_HEIGHT + 6, 1};
    case ALEA_HINT_GROUP:
      chip_words(p, shape, flat, owner, words, sizeof words);
      return (thing){alea_svg_words_width(words, WORDS) + 20, CHIP + 5, 1};
    default: return (thing){38, 38, 1};
  }
}

static void put_die(alea_svg_picture *p, alea_symbol face, double x, double y,
                    const alea_names *names) {
  static const char *const pips[] = {"", "4", "08", "048", "0268", "02468", "035268"};
  alea_text *out = &p->canvas->body;
  unsigned number;
  alea_svg_rect(out, "card", x, y, DIE, DIE);
  alea_text_put(out, " rx=\"6\"");
  alea_svg_names(out, names);
  alea_svg_end(out);
  if (!alea_drawing_number(p->drawing, face, &number) || number < 1 || number > 6) {
    alea_svg_words(out, "pip", x + DIE / 2.0, y + DIE / 2.0 + 5, 12, ALEA_ANCHOR_MIDDLE,
                   name_of(p, face));
    return;
  }
  for (const char *pip = pips[number]; *pip != '\0'; pip++) {
    int at = *pip - '0';
    alea_svg_circle(out, "pip", x + 7.5 + at % 3 * 7.5, y + 7.5 + at / 3 * 7.5, 2.9);
    alea_svg_end(out);
  }
}

/* Suits by name: a path around its centre, and whether it is red. */
typedef struct card_suit {
  const char *name, *path;
  bool red;
} card_suit;

static const card_suit suits[] = {
    {"hearts", "M0 7C-9 1-7-6-3.4-6-1.4-6 0-4.4 0-3 0-4.4 1.4-6 3.4-6 7-6 9 1 0 7z", true},
    {"diamonds", "M0-8L6 0 0 8-6 0z", true},
    {"spades",
     "M0-7.5C8-1.5 7 4 3.4 4 2 4 .8 3.2.6 2.4L2 7.5H-2L-.6 2.4C-.8 3.2-2 4-3.4 4-7 4-8-1.5 0-7.5z",
     false},
    {"clubs",
     "M-3-4a3 3 0 1 1 6 0C3-2.6 1.8-1.6 1-1a3.2 3.2 0 1 1 0 4l1 4.5H-2L-1 3a3.2 3.2 0 1 1 0-4"
     "C-1.8-1.6-3-2.6-3-4z",
     false},
    {"red", NULL, true},
    {"black", NULL, false},
};

static const card_suit *find_suit(const char *name) {
  size_t length = strlen(name);
  for (size_t i = 0; length > 2 && i < sizeof suits / sizeof *suits; i++) {
    if (strncmp(name, suits[i].name, length) == 0) return &suits[i];
  }
  return NULL;
}

static void rank_letters(const char *name, char out[4]) {
  static const char *const courts[] = {"jack", "queen", "king", "ace", "ten"};
  static const char *const letters[] = {"J", "Q", "K", "A", "10"};
  for (size_t i = 0; i < 5; i++) {
    if (strcmp(name, courts[i]) == 0) name = letters[i];
  }
  strncpy(out, name, 3);
  out[3] = '\0';
}

static void put_card(alea_svg_picture *p, const alea_flat *flat, uint32_t owner, double x, double y,
                     const alea_names *names) {
  alea_text *out = &p->canvas->body;
  const card_suit *suit = NULL;
  char rank[4] = "";
  for (uint32_t i = 0; i < flat->leaf_count; i++) {
    if (i == owner) continue;
    const card_suit *found = find_suit(name_of(p, flat->leaves[i]));
    if (found != NULL) {
      suit = found;
    } else if (rank[0] == '\0') {
      rank_letters(name_of(p, flat->leaves[i]), rank);
    }
  }
  alea_svg_rect(out, "card", x, y, CARD_WIDTH, CARD_HEIGHT);
  alea_text_put(out, " rx=\"4\"");
  alea_svg_names(out, names);
  alea_svg_end(out);
  bool pip = suit != NULL && suit->path != NULL;
  alea_ink ink = suit != NULL && suit->red ? ALEA_INK_RED : ALEA_INK_BLACK;
  alea_text_format(out,
                   "<g class=\"%s\" stroke=\"none\" transform=\"translate(%.1f %.1f)\">"
                   "<text y=\"%d\" text-anchor=\"middle\" font-size=\"20\" style=\"stroke:none\">",
                   alea_canvas_ink(p->canvas, ink), x + CARD_WIDTH / 2.0, y + CARD_HEIGHT / 2.0,
                   pip ? -2 : 7);
  alea_svg_escape(out, rank);
  alea_text_put(out, "</text>");
  if (pip)
    alea_text_format(out, "<path transform=\"translate(0 12)\" style=\"stroke:none\" d=\"%s\"/>",
                     suit->path);
  alea_text_put(out, "</g>\n");
}

static void put_chip(alea_svg_picture *p, const char *words, double x, double y, double width,
                     const alea_names *names) {
  alea_text *out = &p->canvas->body;
  alea_svg_rect(out, "floor", x, y, width - 6, CHIP);
  alea_text_put(out, " rx=\"6\"");
  alea_svg_names(out, names);
  alea_svg_end(out);
  alea_svg_words(out, "ink", x + (width - 6) / 2, y + CHIP / 2.0 + 4.5, WORDS, ALEA_ANCHOR_MIDDLE,
                 words);
}

/* The leaf of the face of die number 'index' of a fluent. */
static uint32_t face_leaf(const alea_shape *shape, unsigned index) {
  uint32_t faces = shape->faces;
  if (faces == 0) return shape->column < shape->leaf_count ? shape->column : 0;
  for (; index > 0; index--) faces &= faces - 1;
  return (uint32_t)__builtin_ctz(faces);
}

/* A thing as the piece of its name looks. */
static void put_token(alea_svg_picture *p, alea_symbol value, double x, double y,
                      const alea_names *names) {
  alea_look look = alea_drawing_look(p->drawing, value);
  alea_piece_svg(p, value, &look, x + 17, y + 17, 0.85, names);
}

/* Draws thing number 'index' of those that a fluent stands for. */
static void put_thing(alea_svg_picture *p, const alea_shape *shape, const alea_flat *flat,
                      uint32_t owner, unsigned index, double x, double y) {
  alea_names names = {NULL, NULL, flat->fluent};
  char words[96];
  switch (shape->hint) {
    case ALEA_HINT_DICE: put_die(p, flat->leaves[face_leaf(shape, index)], x, y, &names); break;
    case ALEA_HINT_TOKENS:
      put_token(p, flat->leaves[owner == 0 && flat->leaf_count > 1], x, y, &names);
      break;
    case ALEA_HINT_CARDS: put_card(p, flat, owner, x, y, &names); break;
    case ALEA_HINT_GROUP:
      chip_words(p, shape, flat, owner, words, sizeof words);
      put_chip(p, words, x, y, measure(p, shape, flat, owner).width, &names);
      break;
    default: put_token(p, flat->leaves[0], x, y, &names); break;
  }
}

/* Goes through the rows of a shape; draws where 'draw' is set. */
static alea_svg_size go_through(alea_svg_picture *p, uint32_t index, double left, double top,
                                bool draw) {
  const alea_shape *shape = &p->drawing->shapes.data[index];
  things_rows rows = read_rows(p, index);
  double y = top, widest = 0;
  for (size_t row = 0; row < rows.count; row++) {
    double x = left + rows.label, height = CHIP;
    char name[96];
    row_name(p, shape, &rows, row, name, sizeof name);
    double first = y;
    for (size_t i = 0; i < flat_count(p); i++) {
      const alea_flat *flat = flat_at(p, index, i);
      if (flat == NULL) continue;
      if (rows.owner != ALEA_NO_INDEX && flat->leaves[rows.owner] != rows.owners[row]) continue;
      thing t = measure(p, shape, flat, rows.owner);
      height = t.height;
      for (unsigned k = 0; k < t.times; k++, x += t.width) {
        if (x + t.width > left + row_width && x > left + rows.label) {
          x = left + rows.label;
          y += t.height;
        }
        if (draw) put_thing(p, shape, flat, rows.owner, k, x, y);
        widest = fmax(widest, x + t.width - left);
      }
    }
    if (draw)
      alea_svg_words(&p->canvas->body, "dim", left, first + height / 2 + 2, WORDS,
                     ALEA_ANCHOR_START, name);
    y += height + 4;
  }
  return (alea_svg_size){widest, rows.count > 0 ? y - top : 0};
}

/* ---- heaps and trees ---- */

static unsigned number_of_key(const alea_svg_picture *p, uint32_t index, alea_symbol key,
                              const char **fluent) {
  const alea_shape *shape = &p->drawing->shapes.data[index];
  *fluent = NULL;
  for (size_t i = 0; i < p->view->lists.count; i++) {
    const alea_flat *flat = &p->view->lists.data[i];
    unsigned number;
    if (flat->shape != index || flat->leaves[shape->column] != key) continue;
    *fluent = flat->fluent;
    if (alea_drawing_number(p->drawing, flat->leaves[1 - shape->column], &number)) return number;
  }
  return 0;
}

static unsigned largest_number(const alea_svg_picture *p, uint32_t index) {
  const alea_shape *shape = &p->drawing->shapes.data[index];
  const alea_leaf *keys = &shape->leaves[shape->column];
  unsigned most = 1;
  for (size_t i = 0; i < keys->values.count; i++) {
    const char *fluent;
    unsigned number = number_of_key(p, index, keys->values.data[i], &fluent);
    if (number > most) most = number;
  }
  return most;
}

static double keys_width(const alea_svg_picture *p, const alea_leaf *keys) {
  double widest = 0;
  for (size_t i = 0; i < keys->values.count; i++)
    widest = fmax(widest, alea_svg_words_width(name_of(p, keys->values.data[i]), WORDS));
  return widest + LABEL_GAP;
}

static void put_heaps(alea_svg_picture *p, uint32_t index, double x, double y) {
  const alea_shape *shape = &p->drawing->shapes.data[index];
  const alea_leaf *keys = &shape->leaves[shape->column];
  double label = keys_width(p, keys);
  for (size_t i = 0; i < keys->values.count; i++, y += HEAP_ROW) {
    const char *fluent, *key = name_of(p, keys->values.data[i]);
    unsigned number = number_of_key(p, index, keys->values.data[i], &fluent);
    alea_ink ink = alea_drawing_look(p->drawing, keys->values.data[i]).ink;
    if (alea_ink_find(key) == ALEA_INK_COUNT) ink = ALEA_INK_BROWN;
    alea_names names = {key, NULL, fluent};
    alea_svg_words(&p->canvas->ground, "dim", x, y + 15, WORDS, ALEA_ANCHOR_START, key);
    alea_svg_rect(&p->canvas->ground, "hit", x, y, label + number * 20.0, HEAP_ROW);
    alea_svg_attribute(&p->canvas->ground, "data-cell", key);
    alea_svg_end(&p->canvas->ground);
    for (unsigned k = 0; k < number; k++) {
      alea_svg_circle(&p->canvas->body, alea_canvas_ink(p->canvas, ink), x + label + 8 + k * 20.0,
                      y + 10, 8);
      alea_svg_names(&p->canvas->body, &names);
      alea_svg_end(&p->canvas->body);
    }
  }
}

static alea_ink fruit_ink(const alea_svg_picture *p, alea_symbol fruit, size_t index) {
  static const char *const fruits[] = {"apple", "pear", "cherry", "plum", "lemon", "grape"};
  static const alea_ink inks[] = {ALEA_INK_RED,    ALEA_INK_YELLOW, ALEA_INK_PINK,
                                  ALEA_INK_PURPLE, ALEA_INK_YELLOW, ALEA_INK_BLUE};
  for (size_t i = 0; i < sizeof inks / sizeof *inks; i++) {
    if (strcmp(name_of(p, fruit), fruits[i]) == 0) return inks[i];
  }
  return alea_drawing_ink(p->drawing, fruit, index);
}

static void put_tree(alea_svg_picture *p, uint32_t index, size_t key, double x, double y) {
  const alea_shape *shape = &p->drawing->shapes.data[index];
  alea_symbol fruit = shape->leaves[shape->column].values.data[key];
  const char *fluent, *name = name_of(p, fruit);
  unsigned number = number_of_key(p, index, fruit, &fluent);
  alea_text *ground = &p->canvas->ground;
  alea_text_format(ground, "<path class=\"wood\" d=\"M%.0f %.0fl3-30h8l3 30z\"", x + 45, y + 106);
  alea_svg_end(ground);
  alea_text_format(
      ground,
      "<path class=\"leaf\" d=\"M%.0f %.0fa20 20 0 0 1-8-34a22 22 0 0 1 22-30a24 24 0 0 1 "
      "44 2a22 22 0 0 1 18 30a20 20 0 0 1-12 32z\"",
      x + 18, y + 82);
  alea_svg_attribute(ground, "data-cell", name);
  alea_svg_end(ground);
  alea_names names = {name, NULL, fluent};
  for (unsigned i = 0; i < number && i < 16; i++) {
    double row = i / 4, column = i % 4 + ((int)row % 2 == 0 ? 0 : 0.4);
    alea_svg_circle(&p->canvas->body, alea_canvas_ink(p->canvas, fruit_ink(p, fruit, key)),
                    x + 22 + column * 18, y + 70 - row * 16, 6.5);
    alea_svg_names(&p->canvas->body, &names);
    alea_svg_end(&p->canvas->body);
  }
  char words[64];
  snprintf(words, sizeof words, "%.40s %u", name, number);
  alea_svg_words(&p->canvas->body, "dim", x + 52, y + 122, WORDS, ALEA_ANCHOR_MIDDLE, words);
}

/* ---- pegs ---- */

static void put_pegs(alea_svg_picture *p, uint32_t index, double x, double y) {
  const alea_shape *shape = &p->drawing->shapes.data[index];
  const alea_leaf *discs = &shape->leaves[shape->column], *pegs = &shape->leaves[shape->row];
  double bottom = y + 16 + (double)discs->values.count * DISC;
  double step = (PEG - 34.0) / (double)discs->values.count;
  for (size_t peg = 0; peg < pegs->values.count; peg++) {
    double centre = x + ((double)peg + 0.5) * PEG, level = bottom;
    const char *name = name_of(p, pegs->values.data[peg]);
    alea_svg_rect(&p->canvas->ground, "wood", centre - 3.5, y, 7, bottom - y + 3);
    alea_text_put(&p->canvas->ground, " rx=\"3\"");
    alea_svg_attribute(&p->canvas->ground, "data-cell", name);
    alea_svg_end(&p->canvas->ground);
    alea_svg_words(&p->canvas->ground, "dim", centre, bottom + 24, WORDS, ALEA_ANCHOR_MIDDLE, name);
    for (size_t size = discs->values.count; size-- > 0;) {
      for (size_t i = 0; i < p->view->figures.count; i++) {
        const alea_flat *flat = &p->view->figures.data[i];
        if (flat->shape != index || flat->leaves[shape->row] != pegs->values.data[peg] ||
            flat->leaves[shape->column] != discs->values.data[size])
          continue;
        double half = 12 + step * (double)(size + 1) / 2;
        level -= DISC;
        alea_svg_rect(&p->canvas->body, alea_canvas_ink(p->canvas, alea_ink_of(size)),
                      centre - half, level, 2 * half, DISC);
        alea_text_put(&p->canvas->body, " rx=\"6\"");
        alea_svg_names(&p->canvas->body, &(alea_names){name, NULL, flat->fluent});
        alea_svg_end(&p->canvas->body);
      }
    }
  }
  alea_svg_rect(&p->canvas->ground, "wood", x, bottom, (double)pegs->values.count * PEG, 7);
  alea_text_put(&p->canvas->ground, " rx=\"3\"");
  alea_svg_end(&p->canvas->ground);
}

/* ---- all of them ---- */

alea_svg_size alea_things_extent(const alea_svg_picture *p, uint32_t index) {
  const alea_shape *shape = &p->drawing->shapes.data[index];
  if (!alea_things_take(p, shape)) return (alea_svg_size){0, 0};
  if (shape->hint == ALEA_HINT_PEGS)
    return (alea_svg_size){(double)shape->leaves[shape->row].values.count * PEG,
                           (double)shape->leaves[shape->column].values.count * DISC + 44};
  if (is_counted(p, shape)) {
    const alea_leaf *keys = &shape->leaves[shape->column];
    double count = (double)keys->values.count;
    if (shape->hint == ALEA_HINT_TREES) return (alea_svg_size){count * TREE, 126};
    return (alea_svg_size){keys_width(p, keys) + 20.0 * largest_number(p, index), count * HEAP_ROW};
  }
  alea_svg_picture copy = *p; /* nothing is drawn */
  return go_through(&copy, index, 0, 0, false);
}

void alea_things_svg(alea_svg_picture *p, uint32_t index, double x, double y) {
  const alea_shape *shape = &p->drawing->shapes.data[index];
  if (shape->hint == ALEA_HINT_PEGS) {
    put_pegs(p, index, x, y);
  } else if (!is_counted(p, shape)) {
    go_through(p, index, x, y, true);
  } else if (shape->hint == ALEA_HINT_TREES) {
    for (size_t i = 0; i < shape->leaves[shape->column].values.count; i++)
      put_tree(p, index, i, x + (double)i * TREE, y);
  } else {
    put_heaps(p, index, x, y);
  }
}
