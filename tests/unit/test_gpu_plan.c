/* Plans of games for a kernel that interprets them: every value is made before it is read, and
 * no two lie in the same place while both are needed. */
#include <stdio.h>
#include <stdlib.h>

#include "cmocka_all.h"
#include "gpu/interpreter.h"
#include "gpu/plan.h"
#include "gpu/source.h"
#include "support/load.h"
#include "support/make_engine.h"

/* A value's life in its place. */
typedef struct life {
  uint32_t place, made, last, value;
} life;

static int compare_lives(const void *a, const void *b) {
  const life *x = a, *y = b;
  if (x->place != y->place) return x->place < y->place ? -1 : 1;
  return (x->made > y->made) - (x->made < y->made);
}

static bool is_chosen(const alea_gpu_plan *plan, uint32_t value) {
  return value - plan->program->first_move_slot < plan->program->move_count;
}

/* What an instruction reads was made at a lower level, but for cells of its own loop. */
static void check_order(const alea_gpu_plan *plan, const char *name) {
  for (size_t i = 0; i < plan->instructions.count; i++) {
    const alea_gpu_instruction *at = &plan->instructions.data[i];
    assert_in_range(at->pairs, 1, ALEA_GPU_PAIRS);
    assert_in_range(at->ors, 0, at->pairs);
    assert_in_range(at->level, 1, plan->last);
    for (uint32_t k = 0; k < 2u * at->pairs; k++) {
      const alea_gpu_value *read = &plan->values.data[at->literals[k] >> 1];
      if (read->cell && at->loop != 0 && read->loop == at->loop) continue;
      if (read->level >= at->level) fail_msg("%s: a value is read before it is made", name);
      if (read->made != 0 && read->last < at->level)
        fail_msg("%s: a value is read after its life", name);
    }
  }
}

/* A chosen move takes the place of what said that it is legal; a fluent's next value that of
 * the fluent, which nobody else reads any more. */
static void check_places(const alea_gpu_plan *plan, const char *name) {
  size_t count = 0;
  life *lives = calloc(plan->values.count, sizeof *lives);
  assert_non_null(lives);
  for (uint32_t v = 0; v < plan->values.count; v++) {
    const alea_gpu_value *value = &plan->values.data[v];
    if (value->made == 0 || is_chosen(plan, v)) continue;
    if (value->place == ALEA_GPU_NONE) fail_msg("%s: a value has no place", name);
    lives[count++] = (life){value->place, value->made, value->last, v};
  }
  qsort(lives, count, sizeof *lives, compare_lives);
  for (size_t i = 1; i < count; i++)
    if (lives[i].place == lives[i - 1].place && lives[i].made <= lives[i - 1].last)
      fail_msg("%s: values %u and %u share a place at level %u", name, lives[i - 1].value,
               lives[i].value, lives[i].made);
  free(lives);
}

/* Who reads a fluent after its next value was written, in its place? */
static void check_next(const alea_gpu_plan *plan, const char *name) {
  for (size_t i = 0; i < plan->instructions.count; i++) {
    const alea_gpu_instruction *at = &plan->instructions.data[i];
    for (uint32_t k = 0; k < 2u * at->pairs; k++) {
      uint32_t fluent = at->literals[k] >> 1;
      if (!alea_gpu_is_fluent(plan, fluent)) continue;
      uint32_t next = plan->next[fluent - ALEA_LANES_FIRST_FLUENT] >> 1;
      const alea_gpu_value *value = &plan->values.data[next];
      if (next != fluent && value->place == fluent && at->value != next && at->level >= value->made)
        fail_msg("%s: a fluent is read after it changed", name);
    }
  }
}

static void check_game(const char *name, uint32_t window) {
  alea_mem mem;
  alea_game *made;
  alea_lanes *lanes;
  char path[512];
  alea_mem_init(&mem, 0);
  snprintf(path, sizeof path, "%s/games/%s.kif", ALEA_SOURCE_DIR, name);
  assert_int_equal(load_game(path, make_net, &mem, &made), ALEA_OK);
  const alea_net *net = alea_net_of_game(made);
  assert_int_equal(alea_gpu_lanes_new(&lanes, net, &mem), ALEA_OK);
  for (uint32_t t = 0; t < alea_lanes_tick_count(lanes); t++) {
    alea_gpu_plan plan;
    assert_int_equal(alea_gpu_plan_init(&plan, alea_lanes_program_at(lanes, t), net, window, &mem),
                     ALEA_OK);
    check_order(&plan, name);
    check_places(&plan, name);
    check_next(&plan, name);
    alea_gpu_plan_clear(&plan);
  }
  alea_lanes_free(lanes);
  alea_game_free(made);
  assert_int_equal(mem.used, 0);
}

static void plans_are_sound(void **state) {
  (void)state;
  static const char *const names[] = {
      "tictactoe",  "connect-four", "hex",      "chess",  "amazons",   "chinese-checkers",
      "backgammon", "awale",        "skirmish", "pacman", "cant-stop", "knights-tour"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    check_game(names[i], UINT32_MAX);
    check_game(names[i], 100);
  }
}

/* Whichever allocation fails, it is a lack of memory and nothing is lost. */
static void memory_may_lack(void **state) {
  (void)state;
  alea_mem mem;
  alea_game *made;
  alea_lanes *lanes;
  char path[512];
  alea_mem_init(&mem, 0);
  snprintf(path, sizeof path, "%s/games/tictactoe.kif", ALEA_SOURCE_DIR);
  assert_int_equal(load_game(path, make_net, &mem, &made), ALEA_OK);
  assert_int_equal(alea_gpu_lanes_new(&lanes, alea_net_of_game(made), &mem), ALEA_OK);
  size_t before = mem.used;
  alea_status status = ALEA_SYSTEM;
  uint32_t fails = 0;
  for (; status != ALEA_OK; fails++) {
    alea_gpu_tables tables;
    mem.fail_in = fails + 1;
    status = alea_gpu_tables_init(&tables, lanes, 100000, &mem);
    mem.fail_in = 0;
    if (status == ALEA_OK)
      alea_gpu_tables_clear(&tables, &mem);
    else
      assert_int_equal(status, ALEA_SYSTEM);
    assert_int_equal(mem.used, before);
  }
  assert_true(fails > 20);
  alea_lanes_free(lanes);
  alea_game_free(made);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(plans_are_sound),
                                     cmocka_unit_test(memory_may_lack)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
