#ifndef ALEA_DRAW_DRAW_H
#define ALEA_DRAW_DRAW_H

/* Draws positions of any game, without knowledge of it.
 *
 * A drawing first learns: it is shown a few positions and looks for fluents
 * that lie on a grid, i.e. have two arguments that are ranges (numbers,
 * letters, a successor chain of the rules; or one that names cells, `c4`) and at most one content
 * in each cell of each position; and for fluents that form a list, one range argument and a value
 * for it.  After alea_drawing_settle it draws: boards for the first, tables for the second, and
 * everything else as text.  In pictures it also guesses what a board is made of (squares, hexagons,
 * points, a frame for discs) and what its contents look like (draw/recognise.c); hints of the
 * rulesheet decide where a guess cannot.
 *
 * Fluents are given as canonical text (alea_listing).  A drawing belongs to one
 * thread and owns what it learned.
 *
 * SVG pictures can be clicked: elements carry their meaning as attributes.
 *
 *   data-cell      on each cell of a board and on what lies on it: the coordinates
 *                  as the relation has them, in the order of its arguments and
 *                  separated by a space: "e 4" of (cell e 4 white pawn).  One name
 *                  on a track, heap or peg: "7" of (seeds 7 4).  A line between dots
 *                  has its arguments: "1 1 1 2".  A cell of one name has that: "c4".
 *   data-board     on the cells of boards that share coordinates with another: the value
 *                  that tells boards of one relation apart, or else the relation's name
 *   data-fluent    on each piece, die, card and word: the canonical text of its fluent
 *
 * Values are escaped for XML; unescaped they are canonical GDL.  A move belongs
 * to a cell if the coordinates occur in it as consecutive arguments. */

#include "base/choice.h"
#include "base/status.h"
#include "base/text.h"

struct alea_program;
typedef struct alea_drawing alea_drawing;

/* Colours of a picture: as its reader prefers, or one of two. */
#define ALEA_THEMES(word) \
  word(ALEA_THEME_AUTO, "auto") word(ALEA_THEME_LIGHT, "light") word(ALEA_THEME_DARK, "dark")
typedef enum alea_theme { ALEA_THEMES(ALEA_CHOICE_CONSTANT) } alea_theme;

/* NULL if out of memory. */
alea_drawing *alea_drawing_new(alea_mem *mem);
void alea_drawing_free(alea_drawing *drawing); /* NULL is a no-op. */

/* From now on draws positions of the rewriting game with this rulesheet: as graphs
 * (draw/structure.h), for which no learning is needed, or as boards where the
 * rulesheet has one. */
alea_status alea_drawing_use_structure(alea_drawing *drawing, const char *rulesheet);
/* Learns from one more position of the game. */
alea_status alea_drawing_learn(alea_drawing *drawing, const char *const *fluents, size_t count);
/* A fluent that may hold in some position: widens the ranges. */
alea_status alea_drawing_learn_possible(alea_drawing *drawing, const char *fluent);
/* Learns the order of names from the binary facts of a rulesheet, such as (succ
 * one two) (succ two three). */
alea_status alea_drawing_learn_order(alea_drawing *drawing, const struct alea_program *program);
/* The roles of the game, in their order: contents that name one have its colour,
 * and numbers that belong to one are a score rather than a heap. */
alea_status alea_drawing_learn_role(alea_drawing *drawing, const char *role);
/* Applies the hints of a rulesheet (`;; draw:` in its header), separated by commas:
 *
 *   hide held          is not shown
 *   text dice          is text even where it looks like a board
 *   grid at 2 3        is a board: columns are argument 2, rows argument 3
 *   grid peg 2 3 1     ... one board for each value of argument 1
 *   on shot 1 2        lies on the first board in pictures, and is text in the terminal
 *   cells cell hex     the cells of its board: plain, chequered, hex, slanted (hex, the
 *                      other diagonal), points, frame, tiles, blocks, felt or floor; `cells cell
 *                      blocks 3` says how large the blocks are
 *   merge peg          pictures: its boards lie upon each other, and whose it is shows in
 *                      the colours of the pieces
 *   flip cell          the first row of its board is at the top
 *   piece at knight red  contents and relations of this name, or with this word in
 *                      theirs, have this glyph (draw/glyph.h; `-` keeps the guess),
 *                      and this colour if one is given
 *   stacks men 1 12 6  stacks along a track: argument 1 is the place, 12 per row
 *                      with a gap after 6; a numeric argument is the height
 *   track seeds 1 6    places in rows of 6 from the lower left, back and forth, with
 *                      their contents; relations of one width share a track
 *   pegs on 1 2        argument 1 is a disc on peg argument 2, small ones on top
 *   dice dice 2 0 1    argument 2 is the face of a die; 0: of one die, or the argument
 *                      that counts them; 1: the argument that owns them, if any
 *   cards holds 1      cards, grouped by argument 1; the other arguments are rank
 *                      and suit
 *   tokens shown 1     things, each as its piece looks, grouped by argument 1
 *   heaps heap         numbers as heaps of things; `trees fruits` as fruit on trees
 *   group open 1       text, grouped by argument 1: `open ann: x y`
 *   lines line box     (line x1 y1 x2 y2) is a line between dots, (box x y ...)
 *                      fills the box whose lower left dot is x y
 *
 * Dice and cards are also guessed, by the names of a relation and of its values.
 * Malformed hints are ignored: a drawing is never an error. */
alea_status alea_drawing_hint(alea_drawing *drawing, const char *hints);
/* Ends the learning. */
alea_status alea_drawing_settle(alea_drawing *drawing);

/* Which abbreviations to explain below a board. */
typedef enum alea_legend {
  ALEA_LEGEND_ALL,
  ALEA_LEGEND_NEW, /* those that no drawing has explained yet */
} alea_legend;

/* Appends the position in box-drawing characters, or in plain ASCII. */
alea_status alea_drawing_text(alea_drawing *drawing, const char *const *fluents, size_t count,
                              bool ascii, alea_legend legend, alea_text *out);
/* Cells about which nothing is known but that one of these fluents may hold are
 * drawn with a question mark from now on.  Borrowed; a count of 0 ends it. */
void alea_drawing_possible(alea_drawing *drawing, const char *const *fluents, size_t count);
/* Text from now on: cells that have a tint are shown in bold colour, by the
 * escape sequences of terminals. */
void alea_drawing_colour_text(alea_drawing *drawing, bool colour);
/* The same without colour: they stand in brackets. */
void alea_drawing_bracket_text(alea_drawing *drawing, bool brackets);
/* Text from now on: lines of fluents and legends are broken at so many columns. */
void alea_drawing_width(alea_drawing *drawing, uint32_t columns);
/* Tints cells from now on: tints[i] is 1 + the class of fluent i of the drawn
 * position, 0: no tint.  Borrowed; NULL ends it. */
void alea_drawing_tint(alea_drawing *drawing, const uint32_t *tints);
/* Pictures from now on: cells whose contents differ from those of this position,
 * the one before, are marked.  Borrowed; a count of 0 ends it. */
void alea_drawing_last(alea_drawing *drawing, const char *const *fluents, size_t count);
/* Pictures from now on: cells that one of these moves (canonical text) goes to are
 * marked.  Borrowed; a count of 0 ends it. */
void alea_drawing_legal(alea_drawing *drawing, const char *const *moves, size_t count);
void alea_drawing_theme(alea_drawing *drawing, alea_theme theme);
/* Appends the position as an SVG document. */
alea_status alea_drawing_svg(alea_drawing *drawing, const char *const *fluents, size_t count,
                             const char *title, alea_text *out);

/* A play as one SVG document that shows its positions in turn.  Frames are added
 * in order, after the marks of each are set; the caller clears the film. */
typedef struct alea_film alea_film;
alea_film *alea_film_new(alea_drawing *drawing); /* NULL if out of memory */
void alea_film_free(alea_film *film);            /* NULL is a no-op. */
alea_status alea_film_add(alea_film *film, const char *const *fluents, size_t count);
/* Appends the document; each frame is shown for 'seconds', the last for longer. */
alea_status alea_film_svg(alea_film *film, const char *title, double seconds, alea_text *out);

/* The number of boards found. */
size_t alea_drawing_boards(const alea_drawing *drawing);

#endif
