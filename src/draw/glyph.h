#ifndef ALEA_DRAW_GLYPH_H
#define ALEA_DRAW_GLYPH_H

/* Pieces as drawings: chess men, stones, and the creatures and things of other
 * games.  A glyph fits a cell of 40 by 40 units around its centre.  Its shape
 * takes fill and outline from the ink it is used with, its details the ink's
 * third tone.  Internal to src/draw. */

#include "draw/canvas.h"

/* clang-format off */
#define ALEA_GLYPHS(glyph)                                                                \
  glyph(DISC, "disc") glyph(STONE, "stone") glyph(MAN, "man") glyph(DAME, "dame")          \
  glyph(PAWN, "pawn") glyph(ROOK, "rook") glyph(KNIGHT, "knight") glyph(BISHOP, "bishop")  \
  glyph(QUEEN, "queen") glyph(KING, "king") glyph(CROSS, "cross") glyph(RING, "ring")      \
  glyph(PELLET, "pellet") glyph(MUNCHER, "muncher") glyph(GHOST, "ghost")                  \
  glyph(CRATE, "crate") glyph(BOMB, "bomb") glyph(FIRE, "fire") glyph(ROBOT, "robot")      \
  glyph(DIRT, "dirt") glyph(PIT, "pit") glyph(COIN, "coin") glyph(MONSTER, "monster")      \
  glyph(PERSON, "person") glyph(ARROW, "arrow") glyph(SHIP, "ship") glyph(MOUSE, "mouse")  \
  glyph(CAT, "cat") glyph(CHEESE, "cheese") glyph(RABBIT, "rabbit") glyph(WOLF, "wolf")    \
  glyph(SHEEP, "sheep") glyph(BRUSH, "brush") glyph(LAMP, "lamp") glyph(STAR, "star")      \
  glyph(SPLASH, "splash") glyph(BLOCK, "block") glyph(TRACE, "trace") glyph(RAVEN, "raven") \
  glyph(ROCKET, "rocket") glyph(CAR, "car") glyph(DOOR, "door") glyph(PAINT, "paint")      \
  glyph(ROCK, "rock") glyph(PAPER, "paper") glyph(SCISSORS, "scissors")                    \
  glyph(HEADS, "heads") glyph(TAILS, "tails")
/* clang-format on */

#define ALEA_GLYPH_CONSTANT(constant, name) ALEA_GLYPH_##constant,
typedef enum alea_glyph {
  ALEA_GLYPHS(ALEA_GLYPH_CONSTANT) ALEA_GLYPH_COUNT,
} alea_glyph;

/* The glyph of that name, or one that the word stands for (`checker`, `gold`);
 * ALEA_GLYPH_COUNT if there is none. */
alea_glyph alea_glyph_find(const char *word);
/* The ink of a glyph that comes in one colour; ALEA_INK_COUNT for others. */
alea_ink alea_glyph_ink(alea_glyph glyph);
/* Whether it lies on the ground, so that others stand on it. */
bool alea_glyph_is_ground(alea_glyph glyph);

/* Appends a use of the glyph around (x, y) without its end, scaled by 'scale'. */
void alea_glyph_use(alea_canvas *canvas, alea_text *out, alea_glyph glyph, alea_ink ink, double x,
                    double y, double scale);
/* Appends the definitions of the glyphs in a set of bits. */
void alea_glyphs_define(alea_text *out, uint64_t glyphs);

#endif
