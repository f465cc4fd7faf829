/* Translation and stages without memory: the N-th allocation fails, for every
 * N; nothing leaks, nothing crashes, every failure is a status. */
#include <stdio.h>
#include <stdlib.h>

#include "cmocka_all.h"
#include "propnet/propnet.h"
#include "support/make_engine.h"
#include "support/stage_check.h"
#include "symmetry/symmetry.h"

typedef struct base {
  alea_mem mem; /* of what is not under test */
  alea_program *program;
  alea_ground *ground, *plain;
  alea_game *game;
} base;

static void open_base(base *b, const char *name) {
  char path[512];
  alea_stage_options options = {0};
  stage_subject s;
  snprintf(path, sizeof path, ALEA_SOURCE_DIR "/games/%s.kif", name);
  assert_int_equal(stage_open(&s, path, ALEA_ENCODER_GROUND, &options, false,
                              &(stage_limits){.prove_seconds = 1}),
                   ALEA_OK);
  stage_close(&s); /* it opens; now by parts, with a ledger that does not fail */
  *b = (base){0};
  alea_mem_init(&b->mem, 0);
  assert_int_equal(load_game(path, make_net, &b->mem, &b->game), ALEA_OK);
  size_t length;
  char *text = load_file(&length, "%s", path);
  assert_non_null(text);
  assert_int_equal(alea_program_new(&b->program, text, length, path, NULL, &b->mem, NULL), ALEA_OK);
  free(text);
  assert_int_equal(alea_ground_new(&b->ground, b->program, NULL, &b->mem, NULL), ALEA_OK);
  assert_int_equal(
      alea_ground_new(&b->plain, b->program, &(alea_ground_options){.plain = true}, &b->mem, NULL),
      ALEA_OK);
}

static void close_base(base *b) {
  alea_ground_free(b->ground);
  alea_ground_free(b->plain);
  alea_program_free(b->program);
  alea_game_free(b->game);
  assert_int_equal(b->mem.used, 0);
}

/* One template, one stage, the first position and a successor. */
static alea_status use(const base *b, alea_encoder encoder, alea_stage_method method,
                       alea_mem *mem) {
  alea_template *t = NULL;
  alea_stage *stage = NULL;
  alea_cursor *cursor = NULL;
  alea_template_options how = {
      .encoder = encoder, .sac_seconds = 0.01, .game = b->game, .flat = true};
  alea_stage_options options = {.method = method};
  alea_stage_solution solution;
  alea_move joint[8];
  const uint64_t *words = NULL;
  size_t count = 0;
  bool paper = encoder == ALEA_ENCODER_PAPER;
  alea_status status = alea_template_new(&t, paper ? b->plain : b->ground, b->program, &how, mem);
  if (status == ALEA_OK) status = alea_stage_new_table(&stage, t, b->game, &options, NULL, mem);
  if (status == ALEA_OK) status = alea_cursor_new(b->game, mem, &cursor);
  if (status == ALEA_OK) {
    words = alea_cursor_state(cursor, &count);
    status = alea_stage_solve(stage, words, count, &solution);
  }
  if (status == ALEA_OK) {
    assert_true(solution.arm_count > 0);
    for (uint32_t r = 0; r < b->game->role_count; r++)
      joint[r] = solution.moves[solution.firsts[r]];
    status = alea_stage_next(stage, joint, &words, &count);
  }
  alea_cursor_free(cursor);
  alea_stage_free(stage);
  alea_template_free(t);
  return status;
}

static void starve(const char *name, alea_encoder encoder, alea_stage_method method) {
  base b;
  open_base(&b, name);
  uint64_t allocations = 0;
  bool all = getenv("ALEA_FULL") != NULL;
  for (uint64_t n = 1;; n += all ? 1 : 1 + n / 40) { /* else densely at first, then in strides */
    alea_mem mem;
    alea_mem_init(&mem, 0);
    mem.fail_in = n;
    alea_status status = use(&b, encoder, method, &mem);
    assert_int_equal(mem.used, 0);
    if (status == ALEA_OK && mem.fail_in > 0) break;
    assert_true(status == ALEA_SYSTEM || status == ALEA_OK);
    allocations = n;
  }
  print_message("%s: failures up to allocation %lu\n", name, (unsigned long)allocations);
  assert_true(allocations > 100);
  close_base(&b);
}

static void ground(void **state) {
  (void)state;
  starve("orchard-light", ALEA_ENCODER_GROUND, ALEA_STAGE_MAC);
}

static void paper(void **state) {
  (void)state;
  starve("orchard-light", ALEA_ENCODER_PAPER, ALEA_STAGE_MAC);
}

static void forward(void **state) {
  (void)state;
  starve("tictactoe-2x2", ALEA_ENCODER_GROUND, ALEA_STAGE_FC);
}

/* Symmetries of the rules as written, or of the split ones, with the order. */
static void symmetry(void **state) {
  (void)state;
  base b;
  open_base(&b, "orchard-light");
  const alea_ground *grounds[] = {b.ground, b.plain};
  for (int i = 0; i < 2; i++) {
    bool done = false;
    for (uint64_t n = 1; !done; n++) {
      alea_mem mem;
      alea_mem_init(&mem, 0);
      mem.fail_in = n;
      alea_symmetry *symmetry = NULL;
      alea_status status = alea_symmetry_new(&symmetry, grounds[i], NULL, &mem);
      done = mem.fail_in > 0;
      assert_int_equal(status, done ? ALEA_OK : ALEA_SYSTEM);
      if (done) assert_true(symmetry->order == 2); /* two kinds of fruit */
      alea_symmetry_free(symmetry);
      assert_int_equal(mem.used, 0);
    }
  }
  close_base(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ground),
      cmocka_unit_test(paper),
      cmocka_unit_test(forward),
      cmocka_unit_test(symmetry),
  };
  return cmocka_run_group_tests_name("stage_memory", tests, NULL, NULL);
}
