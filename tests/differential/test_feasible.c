/* The feasibility constraint c_s of a stage, found by forward checking against a
 * threshold, is what trying every joint move with every value of chance says;
 * by both engines and both methods.  Bounds are made up: any number will do that
 * depends on the position alone. */
#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "cmocka_all.h"
#include "encode/feasible.h"
#include "encode/stage_table.h"
#include "support/match_run.h"

enum { STAGES = 3, MOST_ARMS = 512, MOST_ROLES = 16 };

typedef struct bed {
  alea_opened opened;
  alea_mem mem;
  alea_stage *stages[STAGES]; /* net, table with MAC, table with forward checking */
  alea_cursor *cursor;
  alea_rng rng;
  uint64_t allowed, refused;
} bed;

static float worth(const uint64_t *words, size_t count) {
  return (float)(alea_hash_bytes(words, count * sizeof *words) % 1000) / 999;
}

static alea_status bound(void *data, const uint64_t *words, size_t count, float *most) {
  (void)data;
  *most = worth(words, count);
  return ALEA_OK;
}

static void open_bed(bed *b, const char *game) {
  const alea_template *t;
  *b = (bed){0};
  open_game(&b->opened, game);
  alea_mem_init(&b->mem, 0);
  assert_int_equal(alea_services_template(b->opened.services, ALEA_ENCODER_GROUND, NULL, &t),
                   ALEA_OK);
  alea_stage_options mac = {.method = ALEA_STAGE_MAC}, fc = {.method = ALEA_STAGE_FC};
  const alea_game *g = b->opened.game;
  assert_int_equal(alea_stage_new_net(&b->stages[0], g, &mac, &b->mem), ALEA_OK);
  assert_int_equal(alea_stage_new_table(&b->stages[1], t, g, &mac, NULL, &b->mem), ALEA_OK);
  assert_int_equal(alea_stage_new_table(&b->stages[2], t, g, &fc, NULL, &b->mem), ALEA_OK);
  assert_int_equal(alea_cursor_new(g, &b->mem, &b->cursor), ALEA_OK);
  alea_rng_seed(&b->rng, 3);
}

static void close_bed(bed *b) {
  for (int i = 0; i < STAGES; i++) alea_stage_free(b->stages[i]);
  alea_cursor_free(b->cursor);
  assert_int_equal(b->mem.used, 0);
  alea_opened_clear(&b->opened);
}

/* The mean worth of an arm's successors, by the cursor. */
static double mean_worth(bed *b, const alea_stage_solution *s, const alea_move *arm,
                         const uint64_t *words, size_t count) {
  int chance = b->opened.game->random_role;
  uint32_t values = s->firsts[chance + 1] - s->firsts[chance];
  alea_move joint[MOST_ROLES];
  double sum = 0;
  memcpy(joint, arm, b->opened.game->role_count * sizeof *joint);
  for (uint32_t v = 0; v < values; v++) {
    size_t length;
    joint[chance] = s->moves[s->firsts[chance] + v];
    assert_int_equal(alea_cursor_load(b->cursor, words, count), ALEA_OK);
    assert_int_equal(alea_cursor_play(b->cursor, joint), ALEA_OK);
    const uint64_t *after = alea_cursor_state(b->cursor, &length);
    sum += (double)worth(after, length);
  }
  return sum / values;
}

static void check_stage(bed *b, alea_stage *stage, const alea_stage_solution *s, float theta,
                        const uint64_t *words, size_t count) {
  uint8_t allowed[MOST_ARMS];
  if (s->arms == NULL || s->arm_count > MOST_ARMS) return;
  assert_int_equal(alea_stage_feasible(stage, s, theta, bound, NULL, allowed), ALEA_OK);
  for (uint64_t i = 0; i < s->arm_count; i++) {
    double mean = mean_worth(b, s, s->arms + i * b->opened.game->role_count, words, count);
    if (fabs(mean - (double)theta) < 1e-4) continue; /* a tie is decided by rounding */
    assert_int_equal(allowed[i], mean > (double)theta);
    b->allowed += allowed[i];
    b->refused += !allowed[i];
  }
}

/* A random play; every stage is checked at every position. */
static void check_play(bed *b) {
  uint64_t words[64];
  size_t count;
  assert_int_equal(alea_cursor_reset(b->cursor), ALEA_OK);
  for (int step = 0; step < 12; step++) {
    alea_stage_solution s;
    alea_move joint[MOST_ROLES];
    const uint64_t *here = alea_cursor_state(b->cursor, &count);
    assert_true(count <= 64);
    memcpy(words, here, count * sizeof *words);
    for (int i = 0; i < STAGES; i++) {
      assert_int_equal(alea_stage_solve(b->stages[i], words, count, &s), ALEA_OK);
      for (float theta = 0.3f; theta < 0.8f; theta += 0.2f)
        check_stage(b, b->stages[i], &s, theta, words, count);
    }
    if (s.arm_count == 0) return;
    for (uint32_t r = 0; r < b->opened.game->role_count; r++)
      joint[r] = s.moves[s.firsts[r] + alea_rng_below(&b->rng, s.firsts[r + 1] - s.firsts[r])];
    assert_int_equal(alea_cursor_load(b->cursor, words, count), ALEA_OK);
    assert_int_equal(alea_cursor_play(b->cursor, joint), ALEA_OK);
  }
}

static void constraint_is_brute_force(void **state) {
  (void)state;
  static const char *const games[] = {"orchard-light",   "tictactoe-2x2", "kaseklau",
                                      "blind-tictactoe", "schnappt-hubi", "pacman-shared"};
  for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
    bed b;
    open_bed(&b, games[i]);
    for (int play = 0; play < 3; play++) check_play(&b);
    print_message("%s: %lu arms in c_s, %lu not\n", games[i], (unsigned long)b.allowed,
                  (unsigned long)b.refused);
    assert_true(b.allowed > 0 && b.refused > 0);
    close_bed(&b);
  }
}

/* One value left may make up for those before it, or not. */
static float by_turns(void *data, uint32_t value) {
  ++*(uint32_t *)data;
  return value % 2 == 0 ? 0 : 1;
}

static void checking_stops_early(void **state) {
  (void)state;
  uint32_t looked = 0;
  assert_true(alea_is_feasible(0.5f, 4, by_turns, &looked));
  assert_int_equal(looked, 4);
  looked = 0;
  assert_false(alea_is_feasible(0.6f, 4, by_turns, &looked));
  assert_int_equal(looked, 3); /* 1 of 3, and 1 more is too few */
  looked = 0;
  assert_false(alea_is_feasible(0.9f, 4, by_turns, &looked));
  assert_int_equal(looked, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(constraint_is_brute_force),
      cmocka_unit_test(checking_stops_early),
  };
  return cmocka_run_group_tests_name("feasible", tests, NULL, NULL);
}
