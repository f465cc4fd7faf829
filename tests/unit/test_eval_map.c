/* Pictures of evaluations: each number stands at its place, in text and in SVG. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "draw/eval_map.h"
#include "propnet/propnet.h"
#include "support/match_run.h"

typedef struct pictured {
  alea_opened opened;
  alea_mem mem;
  alea_linear_eval eval;
  alea_text out;
} pictured;

/* An evaluation in which men of white at (x, y) are worth 1000 * x + y, and nothing else. */
static void begin(pictured *p, bool svg) {
  open_game(&p->opened, "breakthrough");
  alea_mem_init(&p->mem, 0);
  alea_text_init(&p->out, &p->mem);
  assert_int_equal(alea_linear_eval_init(&p->eval, p->opened.game, 0, &p->mem), ALEA_OK);
  const alea_net *net = alea_net_of_game(p->opened.game);
  for (uint32_t f = 0; f < net->fluent_count; f++) {
    int x, y, end = 0;
    if (sscanf(net->fluent_text[f], "(cell %d %d white)%n", &x, &y, &end) == 2 && end > 0)
      p->eval.scores[f] = 1000 * x + y;
  }
  alea_eval_map map;
  alea_eval_map_init(&map, svg, &p->mem);
  assert_int_equal(alea_eval_map_add(&map, &p->eval), ALEA_OK);
  assert_int_equal(alea_eval_map_finish(&map, &p->out), ALEA_OK);
  alea_eval_map_clear(&map);
}

static void end(pictured *p) {
  alea_text_clear(&p->out);
  alea_linear_eval_clear(&p->eval);
  assert_int_equal(p->mem.used, 0);
  alea_opened_clear(&p->opened);
}

static void numbers_stand_at_their_places(void **state) {
  (void)state;
  pictured p;
  begin(&p, false);
  const char *at = alea_text_string(&p.out), *title = "for white: (cell ? ? white)\n";
  assert_memory_equal(at, title, strlen(title)); /* of black men nothing is known */
  at += strlen(title);
  for (int y = 8; y >= 1; y--) {
    char *next;
    assert_int_equal(strtol(at, &next, 10), y);
    for (int x = 1; x <= 8; x++) assert_int_equal(strtol(at = next, &next, 10), 1000 * x + y);
    at = next;
  }
  end(&p);
}

static void svg_has_all_numbers(void **state) {
  (void)state;
  pictured p;
  begin(&p, true);
  const char *text = alea_text_string(&p.out);
  assert_memory_equal(text, "<svg ", 5);
  assert_string_equal(text + p.out.length - 7, "</svg>\n");
  for (int x = 1; x <= 8; x++)
    for (int y = 1; y <= 8; y++) {
      char number[32];
      snprintf(number, sizeof number, ">%d</text>", 1000 * x + y);
      assert_non_null(strstr(text, number));
    }
  end(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers_stand_at_their_places),
      cmocka_unit_test(svg_has_all_numbers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
