/* Drawing: boards, lists and the rest are found from a few positions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "draw/draw.h"

enum { MOST_FLUENTS = 64 };

typedef struct scene {
  const char *title;
  const char *positions[4]; /* fluents separated by '|'; the last is drawn */
  const char *possible;     /* the same, may hold elsewhere */
  size_t boards;
  const char *picture;
  const char *hints; /* may be NULL */
} scene;

static const scene scenes[] = {
    {"a board with blanks",
     {"(cell 1 1 b)|(cell 1 2 b)|(cell 2 1 b)|(cell 2 2 b)|(control x)",
      "(cell 1 1 x)|(cell 1 2 b)|(cell 2 1 b)|(cell 2 2 o)|(control x)"},
     "",
     1,
     "  +-----+\n"
     "2 | . o |\n"
     "1 | x . |\n"
     "  +-----+\n"
     "    1 2\n"
     "(control x)\n",
     NULL},
    {"pieces alone, letters are columns, a mark on top, no cell where nothing may be",
     {"(at 1 a white king)|(at 2 b black king)|(at 3 c white rook)",
      "(at 1 a white king)|(at 2 b black king)|(goes 2 b)"},
     "(at 2 a white rook)|(at 3 a white king)|(at 1 b white king)|(at 3 b black king)|(goes 1 c)",
     1,
     "  +----------+\n"
     "3 |  .  .  . |\n"
     "2 |  . bk*   |\n"
     "1 | wk  .  . |\n"
     "  +----------+\n"
     "     a  b  c\n"
     "wk white king, bk black king, * goes\n",
     NULL},
    {"a list",
     {"(heap a 1)|(heap b 3)|(heap c 5)", "(heap a 0)|(heap b 3)|(heap c 2)"},
     "",
     0,
     "heap  a: 0  b: 3  c: 2\n",
     NULL},
    {"nothing that is a grid",
     {"(step 3)|(score red 10)|over", "(step 4)|(score red 20)"},
     "",
     0,
     "(step 4)  (score red 20)\n",
     NULL},
    {"hints: a board with the name first, and things that look like boards and are none",
     {"(at ann 1 1)|(at bob 2 2)|(dice 1 2)|(dice 2 1)|(sum ann 3)",
      "(at ann 1 2)|(at bob 2 1)|(dice 1 1)|(dice 2 2)|(sum ann 4)"},
     "(at ann 2 1)|(at ann 2 2)|(at bob 1 1)|(at bob 1 2)|(dice 1 2)|(dice 2 1)",
     1,
     "  +-----+\n"
     "2 | a . |\n"
     "1 | . b |\n"
     "  +-----+\n"
     "    1 2\n"
     "a ann, b bob\n"
     "(dice 1 1)  (dice 2 2)\n",
     "grid at 2 3, text dice, hide sum, nonsense, grid dice 9 1"},
    {"stacks along a track, from the lower right back and forth",
     {"(men 1 white 2)|(men 2 black 1)|(men 3 white 7)|(men 5 black 3)|(off white 0)"},
     "(men 4 white 1)|(men 6 white 1)|(men 7 white 1)|(men 8 black 15)",
     0,
     "    5  6     7  8\n"
     " +----------------+\n"
     " |  b  .  |  .  . |\n"
     " |  b     |       |\n"
     " |  b     |       |\n"
     " |        |       |\n"
     " |        |       |\n"
     " +----------------+\n"
     " |     7  |       |\n"
     " |     w  |       |\n"
     " |     w  |       |\n"
     " |     w  |     w |\n"
     " |  .  w  |  b  w |\n"
     " +----------------+\n"
     "    4  3     2  1\n"
     "w white, b black\n"
     "(off white 0)\n",
     "stacks men 1 4 2, text off"},
    {"lines between dots, and what fills the boxes",
     {"(line 1 1 2 1)|(line 2 2 2 1)|(line 1 2 1 1)|(line 1 2 2 2)|(box 1 1 o)|(line 3 2 3 3)"},
     "(line 1 3 2 3)|(line 3 1 3 2)|(box 2 2 x)|(line 1 1 3 3)",
     0,
     "  3 +   +   +\n"
     "            |\n"
     "  2 +---+   +\n"
     "    | o |    \n"
     "  1 +---+   +\n"
     "    1   2   3\n",
     "lines line box"},
    {"a track from the lower left, shared by relations of one width",
     {"(seeds 1 4)|(seeds 2 12)|(seeds 3 0)|(seeds 4 123456)|(fox 3)|(seeds 5 1)|(fowl 3)|(fish "
      "3)"},
     "(fox 1)|(fox 2)|(fowl 1)|(fowl 2)|(fish 1)|(fish 2)",
     0,
     "           5    4\n"
     " +----------------+\n"
     " |         1 1234 |\n"
     " |    4   12 0fof |\n"
     " +----------------+\n"
     "      1    2    3\n"
     "fo fox, fo fowl, fi fish\n",
     "track seeds 1 3, track fox 1 3, track fowl 1 3, track fish 1 3"},
    {"groups of text",
     {"(open ann x)|(open bob y)|(open ann z)|(card 2 red)|(card 3 red)|(step 1)"},
     "",
     0,
     "open ann: x z\n"
     "open bob: y\n"
     "card: 2-red 3-red\n"
     "(step 1)\n",
     "group open 1, group card"},
    {"rows of hexagons lean, and a wall is none of them",
     {"(cell a 1 x)|(cell b 1 b)|(cell c 1 b)|(cell a 2 b)|(cell c 2 o)|(cell a 3 b)|(cell b 3 b)|"
      "(cell c 3 x)"},
     "(cell a 1 o)",
     1,
     "3   . . x\n"
     "2  .   o\n"
     "1 x . .\n"
     "  a b c\n",
     "cells cell hex"},
    {"walls, and nothing outside",
     {"(cell a 1 x)|(cell b 1 b)|(cell c 1 b)|(cell d 1 b)|(cell a 2 b)|(cell c 2 o)|(cell a 3 b)|"
      "(cell b 3 b)|(cell c 3 x)"},
     "(cell a 1 o)",
     1,
     "  +---------+\n"
     "3 | . . x   |\n"
     "2 | . # o   |\n"
     "1 | x . . . |\n"
     "  +---------+\n"
     "    a b c d\n",
     NULL},
    {"chess men have the letters of chess, and others do not take them",
     {"(cell a 1 white rook)|(cell b 1 white king)|(cell c 2 white pawn)|(cell d 2 white queen)|"
      "(cell a 4 black rook)|(cell b 4 black king)|(cell c 3 black pawn)|(passing a 3)"},
     "",
     1,
     "  +-------------+\n"
     "4 |  r  k  .  . |\n"
     "3 | pa  .  p  . |\n"
     "2 |  .  .  P  Q |\n"
     "1 |  R  K  .  . |\n"
     "  +-------------+\n"
     "     a  b  c  d\n"
     "R white rook, K white king, P white pawn, Q white queen, r black rook, k black king,\n"
     "p black pawn, pa passing\n",
     NULL},
    {"cells of one name; what is none is text, and two letters are no board",
     {"(at a1 x)|(at b2 o)|(at c3 x)|(at a2 x)|(at b3 o)|(heap p1 3)|(heap p2 1)",
      "(at a1 x)|(at b2 o)|(at c3 x)|(at away o)|(heap p1 3)|(heap p2 1)"},
     "",
     0,
     "heap  p1: 3  p2: 1\n"
     "(at a1 x)  (at b2 o)  (at c3 x)  (at away o)\n",
     NULL},
    {"cells of one name",
     {"(at a1 x)|(at b2 o)|(at c3 x)|(at a2 x)|(at b3 o)"},
     "(at a3 x)|(at b1 x)|(at c1 x)|(at c2 x)",
     1,
     "  +-------+\n"
     "3 | . o x |\n"
     "2 | x o . |\n"
     "1 | x . . |\n"
     "  +-------+\n"
     "    a b c\n",
     NULL},
    {"figures that do not fit are text",
     {"(men 1 white)|(line 1 2)|(box a)"},
     "(men 2 black)",
     0,
     "(men 1 white)  (line 1 2)  (box a)\n",
     "stacks men 7 12, lines line box, stacks men 1 0"},
};

/* Splits 'text' at '|', in place. */
static size_t split(char *text, const char **out) {
  size_t count = 0;
  for (char *word = strtok(text, "|"); word != NULL; word = strtok(NULL, "|")) out[count++] = word;
  return count;
}

static void draw_scene(const scene *s) {
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_drawing *drawing = alea_drawing_new(&mem);
  assert_non_null(drawing);
  char buffer[1024];
  const char *fluents[MOST_FLUENTS];
  size_t count = 0;
  strcpy(buffer, s->possible);
  count = split(buffer, fluents);
  for (size_t i = 0; i < count; i++) {
    assert_int_equal(alea_drawing_learn_possible(drawing, fluents[i]), ALEA_OK);
  }
  for (size_t i = 0; i < 4 && s->positions[i] != NULL; i++) {
    strcpy(buffer, s->positions[i]);
    count = split(buffer, fluents);
    assert_int_equal(alea_drawing_learn(drawing, fluents, count), ALEA_OK);
  }
  if (s->hints != NULL) assert_int_equal(alea_drawing_hint(drawing, s->hints), ALEA_OK);
  assert_int_equal(alea_drawing_settle(drawing), ALEA_OK);
  assert_int_equal(alea_drawing_boards(drawing), s->boards);
  alea_text out;
  alea_text_init(&out, &mem);
  assert_int_equal(alea_drawing_text(drawing, fluents, count, true, ALEA_LEGEND_ALL, &out),
                   ALEA_OK);
  assert_string_equal(alea_text_string(&out), s->picture);
  alea_text_truncate(&out, 0);
  assert_int_equal(alea_drawing_svg(drawing, fluents, count, "<title>", &out), ALEA_OK);
  assert_non_null(strstr(out.data, "&lt;title&gt;"));
  alea_text_clear(&out);
  alea_drawing_free(drawing);
  assert_int_equal(mem.used, 0);
}

static void scenes_are_drawn(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) draw_scene(&scenes[i]);
}

/* Every allocation fails once; nothing leaks, nothing crashes. */
static void no_memory(void **state) {
  (void)state;
  for (uint64_t n = 1; n < 400; n++) {
    alea_mem mem;
    alea_mem_init(&mem, 0);
    mem.fail_in = n;
    static const char *const fluents[] = {
        "(cell 1 1 b)", "(cell 1 2 x)",  "(cell 2 1 o)",    "(cell 2 2 b)",   "(heap a 2)",
        "(heap b 3)",   "(men 1 red 2)", "(men 2 green 1)", "(line 1 1 1 2)", "(line 2 1 2 2)"};
    enum { COUNT = sizeof fluents / sizeof *fluents };
    alea_text out;
    alea_text_init(&out, &mem);
    alea_drawing *drawing = alea_drawing_new(&mem);
    alea_status status =
        drawing != NULL ? alea_drawing_learn(drawing, fluents, COUNT) : ALEA_SYSTEM;
    if (status == ALEA_OK)
      status = alea_drawing_hint(drawing, "text heap, stacks men 1 2, lines line, group cell 1");
    if (status == ALEA_OK) status = alea_drawing_settle(drawing);
    if (status == ALEA_OK) {
      status = alea_drawing_text(drawing, fluents, COUNT, true, ALEA_LEGEND_ALL, &out);
    }
    if (status == ALEA_OK) (void)alea_drawing_svg(drawing, fluents, COUNT, "t", &out);
    alea_text_clear(&out);
    alea_drawing_free(drawing);
    assert_int_equal(mem.used, 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(scenes_are_drawn),
      cmocka_unit_test(no_memory),
  };
  return cmocka_run_group_tests_name("draw", tests, NULL, NULL);
}
