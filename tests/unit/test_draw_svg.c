/* Pictures: what is recognised, what hints say, what elements carry. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "draw/draw.h"
#include "gdl/program.h"

enum { MOST_FLUENTS = 128, MOST_BYTES = 4096 };

typedef struct picture {
  const char *title;
  const char *positions[3]; /* fluents separated by '|'; the last is drawn */
  const char *possible;     /* the same, may hold elsewhere; NULL: not known */
  const char *hints;
  const char *rules;
  const char *last, *legal; /* separated by '|'; may be NULL */
  const char *contains[6];  /* fragments of the picture */
  const char *lacks[3];
} picture;

#define ROW(y, c) \
  "(cell 1 " y " " c ")|(cell 2 " y " " c ")|(cell 3 " y " " c ")|(cell 4 " y " " c ")"
#define EMPTY ROW("1", "b") "|" ROW("2", "b") "|" ROW("3", "b") "|" ROW("4", "b")

static const picture pictures[] = {
    {.title = "dice by their names, two in one fluent and whose they are",
     .positions = {"(dice ann 3 5)|(dice bob 1 6)"},
     .possible = "(dice ann 1 1)|(dice ann 2 2)|(dice ann 3 3)|(dice ann 4 4)|(dice ann 5 5)|"
                 "(dice ann 6 6)|(dice bob 1 1)",
     .rules = "(role ann) (role bob)",
     .contains = {"class=\"pip\"", "data-fluent=\"(dice ann 3 5)\"", ">dice ann<"}},
    {.title = "what counts to five is no die, and what is thrown is not all dice",
     .positions = {"(roll 3)|(thrown ball 2)|(step 4)"},
     .possible = "(roll 1)|(roll 2)|(roll 4)|(roll 5)|(step 1)|(step 2)|(step 3)|(step 5)|(step 6)",
     .contains = {"roll", "3"},
     .lacks = {"class=\"pip\""}},
    {.title = "cards by rank and suit, and by a court card in a hand",
     .positions = {"(on-table ace hearts)|(on-table 7 spades)|(holds ann queen)"},
     .possible = "(holds ann jack)|(holds ann 10)",
     .rules = "(role ann)",
     .contains = {"data-fluent=\"(on-table ace hearts)\"", "class=\"card\"", ">holds ann<", ">Q<"}},
    {.title = "chess men in the hand are no cards",
     .positions = {"(inhand ann king)|(inhand ann rook)|(holds ann pawn)|(holds ann king)"},
     .rules = "(role ann)",
     .contains = {"inhand"},
     .lacks = {"class=\"card\""}},
    {.title = "tokens look like their pieces",
     .positions = {"(shown ann rock)|(shown bob scissors)|(penny ann tails)"},
     .hints = "tokens shown 1, tokens penny 1",
     .contains = {"<use href=\"#alea-rock\" class=\"grey\"", "#alea-scissors", "#alea-tails",
                  "data-fluent=\"(shown bob scissors)\"", ">shown ann<"}},
    {.title = "chess men by word, on squares",
     .positions =
         {"(at a 1 white king)|(at b 2 black knight)|(at c 3 white pawn)|(at d 4 black rook)",
          "(at a 2 white king)|(at b 2 black knight)|(at c 3 white pawn)|(at d 4 black rook)"},
     .contains = {"<use href=\"#alea-king\" class=\"white\"",
                  "<use href=\"#alea-knight\" class=\"black\"",
                  "data-cell=\"a 2\" data-fluent=\"(at a 2 white king)\"", "<g id=\"alea-rook\"",
                  "class=\"shade\""},
     .lacks = {"alea-dame", "alea-queen"}},
    {.title = "chess men by two letters",
     .positions = {"(cell a 1 wk)|(cell b 2 bn)|(cell c 3 wp)|(cell d 4 br)|(cell a 3 wb)"},
     .contains = {"#alea-king\" class=\"white\"", "#alea-knight\" class=\"black\"",
                  "#alea-bishop\" class=\"white\""}},
    {.title = "kings among men are crowned men, and one colour of squares is in use",
     .positions =
         {"(cell a 1 white man)|(cell b 2 black king)|(cell c 3 white king)|(cell d 4 black man)",
          "(cell b 2 white man)|(cell a 1 black king)|(cell c 3 white king)|(cell d 4 black man)"},
     .possible =
         "(cell a 3 white man)|(cell b 4 white man)|(cell c 1 white man)|(cell d 2 white man)",
     .contains = {"#alea-dame\" class=\"black\"", "#alea-man\" class=\"white\"", "class=\"shade\"",
                  "data-cell=\"a 2\""},
     .lacks = {"alea-king"}},
    {.title = "six directions of the rules are hexagons",
     .positions = {EMPTY "|(control red)"},
     .rules = "(role red) (right 1 2) (right 2 3) (right 3 4) (up 1 2) (up 2 3) (up 3 4)"
              "(<= (touch ?a ?y ?b ?y) (right ?a ?b) (up ?y ?z))"
              "(<= (touch ?x ?a ?x ?b) (up ?a ?b) (right ?x ?z))"
              "(<= (touch ?a ?d ?b ?c) (right ?a ?b) (up ?c ?d))",
     .contains = {"<path class=\"cell\" d=\"M", "l20 11.5v23.1", "data-cell=\"4 4\""},
     .lacks = {"<rect class=\"cell\""}},
    {.title = "eight directions are squares, whatever the last rules are",
     .positions = {EMPTY "|(control red)"},
     .rules = "(role red) (right 1 2) (right 2 3) (right 3 4) (up 1 2) (up 2 3) (up 3 4)"
              "(<= (touch ?a ?c ?b ?d) (right ?a ?b) (up ?c ?d))"
              "(<= (touch ?a ?y ?b ?y) (right ?a ?b) (up ?y ?z))"
              "(<= (touch ?x ?a ?x ?b) (up ?a ?b) (right ?x ?z))"
              "(<= (touch ?a ?d ?b ?c) (right ?a ?b) (up ?c ?d))",
     .contains = {"<rect class=\"cell\""},
     .lacks = {"l20 11.5"}},
    {.title = "a relation that goes both ways is none",
     .positions = {EMPTY "|(control red)"},
     .rules = "(role red) (right 1 2) (right 2 3) (right 3 4)"
              "(<= (near ?a ?b) (right ?a ?b)) (<= (near ?a ?b) (right ?b ?a))"
              "(<= (touch ?a ?y ?b ?y) (near ?a ?b) (near ?y ?z))"
              "(<= (touch ?x ?a ?x ?b) (near ?a ?b) (near ?x ?z))"
              "(<= (touch ?a ?d ?b ?c) (near ?a ?b) (near ?c ?d))",
     .contains = {"<rect class=\"cell\""},
     .lacks = {"l20 11.5"}},
    {.title = "numbers up to the side of a square are a sudoku",
     .positions = {"(cell 1 1 4)|(cell 2 2 1)|(cell 3 3 2)|(cell 4 4 3)|(cell 1 4 4)|(cell 2 1 b)"},
     .possible = EMPTY,
     .contains = {"class=\"bold\"", ">4</text>", "data-fluent=\"(cell 1 1 4)\""},
     .lacks = {"<circle"}},
    {.title = "cells that nothing reaches are walls inside and left out outside",
     .positions = {"(cell 1 1 x)|(cell 2 1 b)|(cell 3 1 b)|(cell 4 1 b)|(cell 1 2 b)|(cell 3 2 b)|"
                   "(cell 1 3 b)|(cell 2 3 b)|(cell 3 3 o)"},
     .possible = "(cell 1 1 o)",
     .contains = {"class=\"wall\" x=", "data-cell=\"4 1\"", "#alea-cross", "#alea-ring"},
     .lacks = {"data-cell=\"2 2\"", "data-cell=\"4 2\""}},
    {.title = "hints: glyph, colour, kind of cells, order of rows",
     .positions = {"(cell 1 1 ann)|(cell 2 2 bob)|(cell 2 1 cat)|(cell 1 2 x)"},
     .hints = "piece ann robot green, piece bob - purple, cells cell points, flip cell, cells cell "
              "nonsense,"
              "piece, flip, merge, piece x wolf",
     .contains = {"#alea-robot\" class=\"green\"", "#alea-stone\" class=\"purple\"",
                  "class=\"wood\"", "#alea-wolf"}},
    {.title = "dice, counted and owned; cards; pegs; trees",
     .positions = {"(dice ann 6 2)|(dice bob 1 1)|(holds ann king spades)|(on 1 left)|(on 2 "
                   "left)|(on 3 mid)|"
                   "(fruits apple 3)|(fruits pear 0)|(fruits plum 2)"},
     .possible = "(on 1 right)",
     .hints = "dice dice 2 3 1, cards holds 1, pegs on 1 2, trees fruits",
     .rules = "(role a) (succ apple pear) (succ pear plum) (succ left mid) (succ mid right)",
     .contains = {"data-fluent=\"(dice ann 6 2)\"", ">K</text>",
                  "data-cell=\"left\" data-fluent=\"(on 1 left)\"", "class=\"leaf\"",
                  "data-cell=\"apple\" data-fluent=\"(fruits apple 3)\"", ">pear 0</text>"}},
    {.title = "boards upon each other, and one relation's boards merged",
     .positions = {"(peg ann 1 1)|(peg bob 1 1)|(peg ann 2 2)|(peg bob 2 1)"},
     .hints = "grid peg 2 3 1, merge peg, piece ann - red, piece bob - blue",
     .contains = {"class=\"red\" transform=", "class=\"blue\" transform=", "data-cell=\"1 1\""},
     .lacks = {"data-board"}},
    {.title = "Quarto's pieces by four letters",
     .positions =
         {"(cell 1 1 dsrf)|(cell 1 2 dtrh)|(cell 2 1 lssf)|(cell 2 2 ltsh)|(pool dtsf)|(pool lsrh)",
          "(cell 1 1 dsrf)|(cell 1 2 dtrh)|(cell 2 1 lssf)|(cell 2 2 ltsh)|(pool dtsf)|(pool "
          "lsrh)"},
     .possible = "(cell 1 1 dtsf)|(cell 1 1 lsrh)|(cell 1 1 dssf)|(cell 1 1 ltrf)|(pool dssf)",
     .contains = {"<g class=\"brown\"", "<g class=\"white\"", "<ellipse",
                  "data-fluent=\"(pool lsrh)\""}},
    {.title = "the last move and the legal ones",
     .positions = {EMPTY, "(cell 1 1 b)|(cell 2 1 x)|(cell 1 2 b)|(cell 2 2 o)"},
     .last = "(cell 1 1 x)|(cell 2 1 b)|(cell 1 2 b)|(cell 2 2 o)",
     .legal = "(mark 1 2)|noop|(move 2 2 1 1)|(fill 2 1 2)",
     .contains = {"class=\"last\"", "class=\"legal\"", "class=\"taken\""}},
    {.title = "cells that have one name keep it",
     .positions =
         {"(at a9 white)|(at b10 black)|(at c11 white)|(at c12 black)|(at a10 white)|(chosen b11)",
          "(at a9 white)|(at b10 black)|(at c11 white)|(at c10 black)|(chosen b11)|(pawn a9)"},
     .possible =
         "(at b9 white)|(at c9 white)|(at a11 white)|(at b11 white)|(at a12 white)|(at b12 white)|"
         "(chosen a9)|(chosen b9)|(chosen c9)|(chosen a10)|(chosen c11)",
     .legal = "(go a9 a12)",
     .contains = {"data-cell=\"b10\" data-fluent=\"(at b10 black)\"", ">12</text>",
                  "class=\"legal\"", "data-cell=\"b11\" data-fluent=\"(chosen b11)\""},
     .lacks = {"data-cell=\"b 10\""}},
    {.title = "hostile names are escaped everywhere",
     .positions =
         {"(cell 1 1 <&\\\">)|(cell 2 2 ]]>)|(cell 1 2 b)|(<script> 1)|(heap \"q 3)|(heap 'r 2)"},
     .contains = {"&lt;&amp;", "]]&gt;", "&lt;script&gt; 1"},
     .lacks = {"<script", "<&", "]]>"}},
};

static size_t split(char *text, const char **out) {
  size_t count = 0;
  for (char *word = strtok(text, "|"); word != NULL; word = strtok(NULL, "|")) out[count++] = word;
  return count;
}

static alea_status learn_rules(alea_drawing *drawing, const char *rules, alea_mem *mem) {
  alea_program *program = NULL;
  alea_status status = alea_program_new(&program, rules, strlen(rules), "rules", NULL, mem, NULL);
  if (status == ALEA_OK) status = alea_drawing_learn_order(drawing, program);
  for (size_t i = 0; status == ALEA_OK && i < program->roles.count; i++)
    status = alea_drawing_learn_role(drawing,
                                     alea_symbols_text(program->symbols, program->roles.data[i]));
  alea_program_free(program);
  return status;
}

/* Makes the drawing of a case; the position to draw is in 'fluents'. */
static alea_status prepare(alea_drawing *d, const picture *p, char buffer[MOST_BYTES],
                           const char **fluents, size_t *count, alea_mem *mem) {
  alea_status status = ALEA_OK;
  *count = 0;
  snprintf(buffer, MOST_BYTES, "%s", p->possible != NULL ? p->possible : "");
  size_t possible = split(buffer, fluents);
  for (size_t i = 0; i < possible && status == ALEA_OK; i++)
    status = alea_drawing_learn_possible(d, fluents[i]);
  for (size_t i = 0; i < 3 && p->positions[i] != NULL && status == ALEA_OK; i++) {
    snprintf(buffer, MOST_BYTES, "%s", p->positions[i]);
    *count = split(buffer, fluents);
    status = alea_drawing_learn(d, fluents, *count);
    /* What occurs may occur. */
    for (size_t k = 0; k < *count && p->possible != NULL && status == ALEA_OK; k++)
      status = alea_drawing_learn_possible(d, fluents[k]);
  }
  if (status == ALEA_OK && p->rules != NULL) status = learn_rules(d, p->rules, mem);
  if (status == ALEA_OK && p->hints != NULL) status = alea_drawing_hint(d, p->hints);
  return status == ALEA_OK ? alea_drawing_settle(d) : status;
}

/* Draws a case twice, once as a film of one frame. */
static alea_status draw(const picture *p, alea_mem *mem, alea_text *out, alea_text *film_out) {
  char buffer[MOST_BYTES], last_text[MOST_BYTES], legal_text[MOST_BYTES];
  const char *fluents[MOST_FLUENTS], *last[MOST_FLUENTS], *legal[MOST_FLUENTS];
  size_t count;
  alea_drawing *d = alea_drawing_new(mem);
  if (d == NULL) return ALEA_SYSTEM;
  alea_status status = prepare(d, p, buffer, fluents, &count, mem);
  snprintf(last_text, sizeof last_text, "%s", p->last != NULL ? p->last : "");
  snprintf(legal_text, sizeof legal_text, "%s", p->legal != NULL ? p->legal : "");
  alea_drawing_last(d, last, split(last_text, last));
  alea_drawing_legal(d, legal, split(legal_text, legal));
  if (status == ALEA_OK) status = alea_drawing_svg(d, fluents, count, "a <title>", out);
  alea_film *film = status == ALEA_OK ? alea_film_new(d) : NULL;
  if (status == ALEA_OK && film == NULL) status = ALEA_SYSTEM;
  if (status == ALEA_OK) status = alea_film_add(film, fluents, count);
  if (status == ALEA_OK) status = alea_film_svg(film, "a <title>", 0.5, film_out);
  alea_film_free(film);
  alea_drawing_free(d);
  return status;
}

static void check_picture(const picture *p) {
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_text out, film;
  alea_text_init(&out, &mem);
  alea_text_init(&film, &mem);
  assert_int_equal(draw(p, &mem, &out, &film), ALEA_OK);
  for (size_t i = 0; i < 6 && p->contains[i] != NULL; i++) {
    if (strstr(out.data, p->contains[i]) == NULL)
      fail_msg("%s: lacks %s in\n%s", p->title, p->contains[i], out.data);
    assert_non_null(strstr(film.data, p->contains[i]));
  }
  for (size_t i = 0; i < 3 && p->lacks[i] != NULL; i++) {
    if (strstr(out.data, p->lacks[i]) != NULL)
      fail_msg("%s: contains %s in\n%s", p->title, p->lacks[i], out.data);
  }
  assert_non_null(strstr(out.data, "<title>a &lt;title&gt;</title>"));
  assert_non_null(strstr(film.data, "alea-frame alea-final"));
  alea_text_clear(&out);
  alea_text_clear(&film);
  assert_int_equal(mem.used, 0);
}

static void pictures_are_drawn(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof pictures / sizeof *pictures; i++) check_picture(&pictures[i]);
}

/* Marks lie where the moves go: one cell changed hands, one was left, two are goals. */
static void marks_lie_on_their_cells(void **state) {
  (void)state;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_text out, film;
  alea_text_init(&out, &mem);
  alea_text_init(&film, &mem);
  const picture *p = NULL;
  for (size_t i = 0; i < sizeof pictures / sizeof *pictures; i++) {
    if (pictures[i].last != NULL) p = &pictures[i];
  }
  assert_int_equal(draw(p, &mem, &out, &film), ALEA_OK);
  size_t last = 0, legal = 0;
  for (const char *at = out.data; (at = strstr(at, "class=\"last\"")) != NULL; at++) last++;
  for (const char *at = out.data; (at = strstr(at, "class=\"legal\"")) != NULL; at++) legal++;
  assert_int_equal(last, 2);
  assert_int_equal(legal, 2);
  alea_text_clear(&out);
  alea_text_clear(&film);
}

/* The theme is that of the picture alone; `auto` has both. */
static void themes(void **state) {
  (void)state;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  static const char *const fluents[] = {"(cell 1 1 b)", "(cell 1 2 x)", "(cell 2 1 o)",
                                        "(cell 2 2 b)"};
  static const char *const roots[] = {"class=\"alea-auto\"", "class=\"alea-light\"",
                                      "class=\"alea-dark\""};
  for (int theme = ALEA_THEME_AUTO; theme <= ALEA_THEME_DARK; theme++) {
    alea_text out;
    alea_text_init(&out, &mem);
    alea_drawing *d = alea_drawing_new(&mem);
    assert_int_equal(alea_drawing_learn(d, fluents, 4), ALEA_OK);
    assert_int_equal(alea_drawing_settle(d), ALEA_OK);
    alea_drawing_theme(d, (alea_theme)theme);
    assert_int_equal(alea_drawing_svg(d, fluents, 4, "t", &out), ALEA_OK);
    assert_non_null(strstr(out.data, roots[theme]));
    assert_int_equal(strstr(out.data, "prefers-color-scheme") != NULL, theme == ALEA_THEME_AUTO);
    assert_int_equal(strstr(out.data, "fill:#fff}") != NULL, theme != ALEA_THEME_DARK);
    assert_int_equal(strstr(out.data, "fill:#181a1e}") != NULL, theme != ALEA_THEME_LIGHT);
    alea_drawing_free(d);
    alea_text_clear(&out);
  }
  assert_int_equal(mem.used, 0);
}

/* Every allocation fails once; nothing leaks, nothing crashes. */
static void no_memory(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof pictures / sizeof *pictures; i += 2) {
    bool failed = true;
    for (uint64_t n = 1; failed; n += 1 + n / 40) {
      alea_mem mem;
      alea_mem_init(&mem, 0);
      mem.fail_in = n;
      alea_text out, film;
      alea_text_init(&out, &mem);
      alea_text_init(&film, &mem);
      failed = draw(&pictures[i], &mem, &out, &film) != ALEA_OK;
      alea_text_clear(&out);
      alea_text_clear(&film);
      assert_int_equal(mem.used, 0);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pictures_are_drawn),
      cmocka_unit_test(marks_lie_on_their_cells),
      cmocka_unit_test(themes),
      cmocka_unit_test(no_memory),
  };
  return cmocka_run_group_tests_name("draw_svg", tests, NULL, NULL);
}
