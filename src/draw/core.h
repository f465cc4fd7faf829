#ifndef ALEA_DRAW_CORE_H
#define ALEA_DRAW_CORE_H

/* Internals of drawings, shared by the files of src/draw alone.
 *
 * A fluent is flattened to its leaves: (cell (at 1 2) x) has the shape
 * `cell(at(..).)` and the leaves 1, 2, x.  Fluents of one shape are treated
 * alike. */

#include "base/symbols.h"
#include "base/terms.h"
#include "base/vec.h"
#include "draw/draw.h"
#include "draw/glyph.h"

enum { ALEA_MOST_LEAVES = 12 };
#define ALEA_NO_INDEX UINT32_MAX

/* The values seen at one leaf; after settling, in order if they form a
 * range. */
typedef struct alea_leaf {
  ALEA_VEC(alea_symbol) values;
  alea_u32s rank; /* by symbol: index in 'values', or ALEA_NO_INDEX */
  bool is_range;
  char letter; /* ranges: 'a' of letters, '1' of numbers, otherwise the first letter of the common
                  prefix */
} alea_leaf;

typedef enum alea_hint_kind {
  ALEA_HINT_NONE,
  ALEA_HINT_HIDE,
  ALEA_HINT_TEXT,
  ALEA_HINT_GRID,
  ALEA_HINT_STACKS, /* figures: draw/figure.h */
  ALEA_HINT_TRACK,
  ALEA_HINT_GROUP,
  ALEA_HINT_LINES,
  ALEA_HINT_PEGS,
  ALEA_HINT_DICE,
  ALEA_HINT_CARDS,
  ALEA_HINT_TOKENS,
  ALEA_HINT_HEAPS, /* lists that are drawn as things */
  ALEA_HINT_TREES,
  ALEA_HINT_ON,    /* on the first board in pictures, text elsewhere */
  ALEA_HINT_BOXES, /* the second relation of a `lines` */
} alea_hint_kind;

typedef struct alea_hint {
  alea_symbol name;
  alea_hint_kind kind;
  uint32_t column, row, slice; /* leaves; 'slice' may be ALEA_NO_INDEX */
  uint32_t width, gap;         /* STACKS: places in a row, and between gaps */
} alea_hint;

/* What a board is made of. */
/* clang-format off */
#define ALEA_CELLS(word)                                                       \
  word(ALEA_CELLS_PLAIN, "plain") word(ALEA_CELLS_CHEQUERED, "chequered")      \
  word(ALEA_CELLS_HEX, "hex") word(ALEA_CELLS_SLANTED, "slanted")              \
  word(ALEA_CELLS_POINTS, "points") word(ALEA_CELLS_FRAME, "frame")            \
  word(ALEA_CELLS_TILES, "tiles") word(ALEA_CELLS_BLOCKS, "blocks")            \
  word(ALEA_CELLS_FLOOR, "floor") word(ALEA_CELLS_FELT, "felt")
/* clang-format on */
typedef enum alea_cells { ALEA_CELLS(ALEA_CHOICE_CONSTANT) ALEA_CELLS_GUESS } alea_cells;

/* `cells` and `flip` of a relation. */
typedef struct alea_board_hint {
  alea_symbol name;
  alea_cells cells; /* ALEA_CELLS_GUESS: not said */
  bool flip, merge;
  uint32_t block; /* side of the blocks of cells, 0: not said */
} alea_board_hint;

/* `piece`: what contents with this word look like. */
typedef struct alea_piece_hint {
  alea_symbol word;
  alea_glyph glyph; /* ALEA_GLYPH_COUNT: as guessed */
  alea_ink ink;     /* ALEA_INK_COUNT: as guessed */
} alea_piece_hint;

typedef enum alea_layout { ALEA_LAYOUT_REST, ALEA_LAYOUT_LIST, ALEA_LAYOUT_GRID } alea_layout;

typedef struct alea_shape {
  alea_symbol key, name;
  uint32_t leaf_count;
  alea_leaf leaves[ALEA_MOST_LEAVES];
  uint32_t split;    /* leaf that is the column of a name such as c4, the next its row; or
                        ALEA_NO_INDEX */
  alea_u32s records; /* position number (or ALEA_NO_INDEX), then the leaves */
  alea_layout layout;
  uint32_t column, row; /* leaves; LIST uses 'column' alone */
  uint32_t slice;       /* leaf that picks one of several boards, or ALEA_NO_INDEX */
  double score;
  uint32_t board; /* index of the board it is drawn on, or ALEA_NO_INDEX */
  alea_hint_kind hint;
  uint32_t width, gap; /* from the hint */
  uint32_t faces;      /* DICE: leaves that are faces, by bit; 0: 'column' alone */
} alea_shape;

/* One grid in the drawing: all slices of the shape that defines it. */
typedef struct alea_board {
  uint32_t shape;
  alea_symbol blank; /* content drawn as a dot, or ALEA_NO_SYMBOL */
  /* For pictures (draw/recognise.c): */
  alea_cells cells;
  bool flip;      /* the first row is at the top */
  bool merge;     /* slices lie upon each other, their names are the contents */
  uint32_t block; /* side of its blocks, 0: none */
  uint32_t below; /* the board that this one lies upon, or ALEA_NO_INDEX */
  uint8_t *kinds; /* alea_cell_kind of each cell of a slice */
  size_t kind_count;
} alea_board;

/* A cell that nothing can ever lie on is outside the board, or a wall if it is
 * enclosed. */
typedef enum alea_cell_kind { ALEA_CELL_OUTSIDE, ALEA_CELL_WALL, ALEA_CELL_INSIDE } alea_cell_kind;

/* What a content looks like in pictures. */
typedef struct alea_look {
  alea_glyph glyph; /* ALEA_GLYPH_COUNT: its letters on a disc, or alone */
  alea_ink ink;
  uint8_t quarto; /* 1 + four properties of a piece (draw/recognise.c); 0: none */
  bool number;    /* a number without a disc */
} alea_look;

/* How a content is written in a cell. */
typedef struct alea_label {
  alea_symbol content;
  char text[8];
  bool explained; /* a legend has explained it */
  alea_look look;
} alea_label;

struct alea_drawing {
  const uint32_t *tints;       /* per fluent of the next drawing; NULL = none */
  const char *const *possible; /* fluents that may hold */
  size_t possible_count;
  const char *const *originals; /* what the fluents that are drawn stand for; NULL: themselves */
  const char *const *last;      /* the position before */
  size_t last_count;
  const char *const *legal; /* moves whose goals are marked */
  size_t legal_count;
  alea_theme theme;
  bool colour;    /* of text: for cells with a tint */
  bool brackets;  /* the same: around them */
  uint32_t width; /* of text, in columns */
  alea_mem *mem;
  alea_symbols *symbols;
  alea_terms *terms;
  ALEA_VEC(alea_shape) shapes;
  ALEA_VEC(alea_board) boards;
  ALEA_VEC(alea_label) labels;
  ALEA_VEC(alea_hint) hints;
  ALEA_VEC(alea_board_hint) board_hints;
  ALEA_VEC(alea_piece_hint) piece_hints;
  alea_u32s roles;     /* symbols */
  alea_cells adjacent; /* HEX or SLANTED if the rules have six neighbours, else GUESS */
  bool has_possible;   /* the possible fluents are known */
  alea_u32s after;     /* by symbol: its successor by the facts of the rules, or ALEA_NO_INDEX */
  alea_u32s before;
  uint32_t positions;
  alea_text scratch;
  struct alea_structure_drawing *structure; /* of a rewriting game, else NULL */
};

/* A flattened fluent. */
typedef struct alea_flat {
  uint32_t shape; /* index; ALEA_NO_INDEX if there is none */
  uint32_t leaf_count;
  alea_symbol leaves[ALEA_MOST_LEAVES];
  const char *fluent; /* borrowed */
} alea_flat;

/* Flattens a fluent; with 'add' unknown shapes are added. */
alea_status alea_drawing_flatten(alea_drawing *d, const char *fluent, bool add, alea_flat *flat);
/* The content of a cell as one name: the leaves that are not coordinates, or
 * the name of the predicate. */
alea_symbol alea_drawing_content(alea_drawing *d, const alea_shape *shape,
                                 const alea_symbol *leaves);
/* Index of 'value' in the range of the leaf; ALEA_NO_INDEX if it is outside. */
uint32_t alea_leaf_index(const alea_leaf *leaf, alea_symbol value);
/* Notes a value of a leaf; false if out of memory. */
bool alea_leaf_note(alea_drawing *d, alea_leaf *leaf, alea_symbol value);
/* Finds arguments that name cells (draw/split.c), and replaces one of 'count' leaves, of which
 * there is room for one more, by two; false if it is no such name. */
alea_status alea_drawing_split_names(alea_drawing *d);
bool alea_leaves_split(alea_drawing *d, alea_symbol *leaves, uint32_t count, uint32_t at);
/* Whether the cells of its board have one name, such as c4. */
bool alea_drawing_joins(const alea_drawing *d, const alea_shape *shape);
/* Find layouts and boards (draw/layout.c), and labels (draw/label.c). */
alea_status alea_drawing_find_layouts(alea_drawing *d);
alea_status alea_drawing_make_labels(alea_drawing *d);
const char *alea_drawing_label(const alea_drawing *d, alea_symbol content);

/* Whether a shape without a hint is dice or cards by its names (draw/guess.c); it has the hint
 * then. */
bool alea_drawing_guess(const alea_drawing *d, alea_shape *shape);

/* What boards and contents look like (draw/recognise.c, draw/look.c). */
alea_status alea_drawing_recognise(alea_drawing *d);
void alea_drawing_find_looks(alea_drawing *d);
/* Learns from the rules which cells are neighbours (draw/adjacency.c). */
alea_cells alea_drawing_adjacency(const struct alea_program *program);
/* What a content looks like, on a board or elsewhere. */
alea_look alea_drawing_look(const alea_drawing *d, alea_symbol content);
/* ... as the content of a relation, which may have a hint of its own. */
alea_look alea_drawing_look_on(const alea_drawing *d, const alea_shape *shape, alea_symbol content);
const alea_label *alea_drawing_find_label(const alea_drawing *d, alea_symbol content);
/* The ink of a word: of the colour or role that it names, or one by 'index'. */
alea_ink alea_drawing_ink(const alea_drawing *d, alea_symbol word, size_t index);
/* Whether it is the name of a role. */
bool alea_drawing_is_role(const alea_drawing *d, alea_symbol word);
/* The number that a name is; false if it is none or above 9999. */
bool alea_drawing_number(const alea_drawing *d, alea_symbol word, unsigned *number);

/* Draws a position of a rewriting game as that of a board like any other: calls 'draw' with
 * its cells, while tints and marks are those of the cells. */
typedef alea_status alea_cells_drawer(alea_drawing *d, const char *const *fluents, size_t count,
                                      void *context);
alea_status alea_drawing_as_cells(alea_drawing *d, const char *const *fluents, size_t count,
                                  alea_cells_drawer *draw, void *context);

/* The layout of a position on one board. */
typedef struct alea_view {
  const alea_board *board;
  const alea_leaf *columns, *rows, *slices; /* slices may be NULL */
  uint32_t column_count, row_count, slice_count;
  alea_symbol *cells; /* [slice][row][column]; ALEA_NO_SYMBOL is empty */
  uint8_t *marked;    /* there is something else on the cell as well */
  uint8_t *known;     /* there is a fluent on the cell */
  uint32_t *tints;    /* 1 + class of the fluent on the cell, 0 = none */
  uint8_t *marks;     /* of pictures, by bit (draw/picture.h) */
  size_t cell_count;
} alea_view;

/* Something on a cell. */
typedef struct alea_placed {
  uint32_t board;
  uint32_t cell; /* index in alea_view.cells */
  uint32_t shape;
  alea_symbol content;
  const char *fluent; /* borrowed; NULL if it is not known what is there */
} alea_placed;

typedef struct alea_layout_view {
  ALEA_VEC(alea_view) boards;
  ALEA_VEC(alea_placed) placed; /* without blanks */
  ALEA_VEC(alea_flat) lists;    /* fluents of LIST shapes, by shape, in order */
  ALEA_VEC(alea_flat) figures;  /* fluents of shapes that are drawn as figures */
  ALEA_VEC(alea_flat) rest;     /* everything else */
  ALEA_VEC(alea_symbol) marks;  /* names of shapes that only mark cells */
} alea_layout_view;

alea_status alea_view_init(alea_layout_view *view, alea_drawing *d, const char *const *fluents,
                           size_t count);
void alea_view_clear(alea_layout_view *view, alea_drawing *d);
/* The cell of a fluent on its board; SIZE_MAX if it is outside. */
size_t alea_view_cell(const alea_view *board, const alea_shape *shape, const alea_flat *flat);

#endif
