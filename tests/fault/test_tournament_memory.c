/* Tournaments without memory: every failing allocation of reading a plan, of
 * playing a unit, and of writing reports. */
#include <string.h>

#include "cmocka_all.h"
#include "tournament/doc.h"
#include "tournament/outcome.h"
#include "tournament/plot.h"

static const char text[] =
    "{games: [tictactoe], players: [random, {name: other, player: legal}], budget: {sims: 2},"
    " matches: 2}";

static alea_status make_plan(alea_tournament_plan *plan, alea_yaml_file *file, alea_diag *diag,
                             alea_mem *mem) {
  alea_tournament_plan_options options = {.seats = 2, .seed = -1};
  alea_status status = alea_yaml_read(file, text, strlen(text), "test", mem, diag);
  return status == ALEA_OK ? alea_tournament_plan_new(plan, file, file->root, &options, mem)
                           : status;
}

static void plans(void **state) {
  (void)state;
  alea_status status = ALEA_SYSTEM;
  for (uint64_t n = 1; status != ALEA_OK; n++) {
    alea_mem mem, own;
    alea_diag diag;
    alea_yaml_file file;
    alea_tournament_plan plan = {0};
    alea_mem_init(&mem, 0);
    alea_mem_init(&own, 0);
    alea_diag_init(&diag, &own);
    mem.fail_in = n;
    plan.mem = &mem;
    alea_arena_init(&plan.arena, &mem);
    status = make_plan(&plan, &file, &diag, &mem);
    assert_true(status == ALEA_OK || status == ALEA_SYSTEM);
    alea_tournament_plan_clear(&plan);
    alea_yaml_clear(&file);
    alea_diag_clear(&diag);
    assert_int_equal(mem.used, 0);
    assert_true(n < 10000);
  }
}

static void units(void **state) {
  (void)state;
  alea_mem mem;
  alea_diag diag;
  alea_yaml_file file;
  alea_tournament_plan plan;
  alea_mem_init(&mem, 0);
  alea_diag_init(&diag, &mem);
  assert_int_equal(make_plan(&plan, &file, &diag, &mem), ALEA_OK);
  alea_worker worker;
  alea_worker_init(&worker, &plan, 0);
  alea_text bytes;
  alea_text_init(&bytes, &mem);
  assert_int_equal(alea_worker_play(&worker, 0, &bytes), ALEA_OK); /* opens the game */
  bool played = false;
  for (uint64_t n = 1; !played; n++) {
    alea_arena arena;
    alea_unit_outcome outcome;
    alea_text_truncate(&bytes, 0);
    worker.mem.fail_in = n;
    alea_arena_init(&arena, &mem);
    assert_int_equal(alea_worker_play(&worker, 1, &bytes), ALEA_OK);
    played = worker.mem.fail_in != 0;
    worker.mem.fail_in = 0;
    assert_int_equal(alea_unit_outcome_unpack(&outcome, bytes.data, bytes.length, &arena), ALEA_OK);
    /* What could not be played says so; a failure that can be lived with is one. */
    assert_true(outcome.status == ALEA_OK || outcome.status == ALEA_SYSTEM);
    assert_true(outcome.status == ALEA_OK || outcome.message[0] != '\0');
    if (played) assert_int_equal(outcome.status, ALEA_OK);
    alea_arena_clear(&arena);
    assert_int_equal(worker.mem.used, 0);
    assert_true(n < 100000);
  }
  alea_text_clear(&bytes);
  alea_worker_clear(&worker);
  alea_tournament_plan_clear(&plan);
  alea_yaml_clear(&file);
  alea_diag_clear(&diag);
  assert_int_equal(mem.used, 0);
}

static void write_doc(alea_mem *mem, alea_text *out) {
  alea_doc doc;
  alea_text svg;
  alea_plot_point points[] = {{0, 1, 0, 2}, {1, 3, 2, 4}};
  alea_plot_series series = {"a", points, 2, false};
  alea_plot plot = {.title = "t", .x = "x", .y = "y", .series = &series, .count = 1};
  alea_doc_init(&doc, mem);
  alea_text_init(&svg, mem);
  alea_plot_svg(&plot, &svg);
  alea_doc_heading(&doc, 1, "one %d", 1);
  alea_doc_table(&doc, "a|b");
  alea_doc_cell(&doc, "%0400d", 1);
  alea_doc_cell(&doc, "<&>");
  alea_doc_figure(&doc, &svg, "caption");
  alea_doc_markdown(&doc, "p", out);
  alea_doc_html(&doc, "title", out);
  alea_text_clear(&svg);
  alea_doc_clear(&doc);
}

static void documents(void **state) {
  (void)state;
  bool whole = false;
  for (uint64_t n = 1; !whole; n++) {
    alea_mem mem;
    alea_text out;
    alea_mem_init(&mem, 0);
    alea_text_init(&out, &mem);
    mem.fail_in = n;
    write_doc(&mem, &out);
    whole = mem.fail_in != 0;
    assert_int_equal(out.failed, !whole);
    if (whole) assert_non_null(strstr(alea_text_string(&out), "&lt;&amp;&gt;"));
    if (whole) assert_non_null(strstr(alea_text_string(&out), "![caption](p-1.svg)"));
    alea_text_clear(&out);
    assert_int_equal(mem.used, 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(plans), cmocka_unit_test(units),
                                     cmocka_unit_test(documents)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
