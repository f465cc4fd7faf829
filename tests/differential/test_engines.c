/* The network against the prover, on random states of every shipped game and
 * of the corpus.
 *
 * Environment: ALEA_FULL=1 gives each game 20 seconds instead of a fraction of
 * one; ALEA_GAME_ONLY=text takes only games whose file name contains it. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "cmocka_all.h"
#include "support/compare_games.h"
#include "support/least.h"
#include "support/make_engine.h"

typedef struct tally {
  unsigned games, positions, only_prover, unread;
} tally;

static bool is_full(void) {
  const char *full = getenv("ALEA_FULL");
  return full != NULL && strcmp(full, "0") != 0;
}

static int is_rulesheet(const struct dirent *entry) {
  const char *only = getenv("ALEA_GAME_ONLY");
  size_t length = strlen(entry->d_name);
  return length > 4 && strcmp(entry->d_name + length - 4, ".kif") == 0 &&
         (only == NULL || strstr(entry->d_name, only) != NULL);
}

/* Grounding beyond these bounds is left to `make corpus`. */
static alea_status make_small_net(alea_game **game, alea_program *program, alea_mem *mem,
                                  alea_diag *diag) {
  if (!is_full()) mem->limit = (size_t)100 << 20;
  return make_net(game, program, mem, diag);
}

static void compare_file(const char *path, double seconds, tally *t) {
  alea_mem slow, fast;
  alea_mem_init(&slow, 0);
  alea_mem_init(&fast, 0);
  alea_game *prover = NULL, *net = NULL;
  comparison result;
  if (load_game(path, make_prover, &slow, &prover) != ALEA_OK) {
    t->unread++;
  } else if (load_game(path, make_small_net, &fast, &net) != ALEA_OK) {
    t->only_prover++;
  } else {
    bool same = compare_games(prover, net, 7, 1000, 200, seconds, &result);
    t->games++;
    t->positions += result.positions;
    if (!same) print_error("%s: %s\n", path, result.message);
    assert_true(same);
  }
  alea_game_free(prover);
  alea_game_free(net);
  assert_int_equal(slow.used, 0);
  assert_int_equal(fast.used, 0);
}

/* False when there is no such folder. */
static bool compare_folder(const char *folder, double seconds, tally *t) {
  *t = (tally){0};
  struct dirent **entries;
  int count = scandir(folder, &entries, is_rulesheet, alphasort);
  if (count < 0) return false;
  for (int i = 0; i < count; i++) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
    free(entries[i]);
    compare_file(path, seconds, t);
  }
  free(entries);
  print_message("%u games, %u positions; %u too large for this test, %u not readable\n", t->games,
                t->positions, t->only_prover, t->unread);
  return true;
}

static void shipped_games_agree(void **state) {
  (void)state;
  tally t;
  assert_true(compare_folder(ALEA_SOURCE_DIR "/games", is_full() ? 20 : 0.2, &t));
  assert_int_equal(t.unread, 0);
  expect_at_least(60, t.games, "games", "ALEA_GAME_ONLY");
  expect_at_least(t.games, t.positions, "positions", NULL);
}

static void corpus_agrees(void **state) {
  (void)state;
  tally t;
  if (!compare_folder(ALEA_SHARED_DIR "/corpus/games", is_full() ? 20 : 0.05, &t)) {
    print_message("skipped: no corpus at " ALEA_SHARED_DIR "/corpus\n");
    skip();
  }
  expect_at_least(250, t.games, "games", "ALEA_GAME_ONLY");
  expect_at_least(t.games, t.positions, "positions", NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shipped_games_agree),
      cmocka_unit_test(corpus_agrees),
  };
  return cmocka_run_group_tests_name("engines", tests, NULL, NULL);
}
