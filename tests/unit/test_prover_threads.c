/* Cursors of one prover game on several threads: each must see what a cursor
 * alone sees.  Run it under the thread sanitizer. */
#include <pthread.h>
#include <string.h>

#include "base/hash.h"
#include "cmocka_all.h"
#include "game/playout.h"
#include "support/load.h"
#include "support/make_engine.h"
#include "support/random_gdl.h"

enum { THREADS = 4, GAMES = 20, STEPS = 6 };

typedef struct worker {
  const alea_game *game;
  uint64_t seed;
  uint64_t digest; /* of the texts of all moves that were legal on the way */
  bool failed;
} worker;

static void digest_legal(worker *w, alea_cursor *cursor, alea_mem *mem) {
  alea_text text;
  alea_text_init(&text, mem);
  for (uint32_t r = 0; r < w->game->role_count; r++) {
    alea_list list;
    if (alea_cursor_legal(cursor, r, &list) != ALEA_OK) w->failed = true;
    for (uint32_t i = 0; i < list.count; i++)
      alea_game_move_text(w->game, r, list.ids[i], true, &text);
  }
  w->digest = alea_hash_join(w->digest, alea_hash_bytes(alea_text_string(&text), text.length));
  alea_text_clear(&text);
}

static void *work(void *data) {
  worker *w = data;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_cursor *cursor = NULL;
  alea_rng rng;
  alea_rng_seed(&rng, w->seed);
  if (alea_cursor_new(w->game, &mem, &cursor) != ALEA_OK) w->failed = true;
  for (int i = 0; i < GAMES && !w->failed; i++) {
    if (alea_cursor_reset(cursor) != ALEA_OK) w->failed = true;
    for (int k = 0; k < STEPS && !w->failed; k++) {
      alea_playout playout;
      if (alea_playout_run(cursor, &rng, 1, &playout) != ALEA_OK) w->failed = true;
      digest_legal(w, cursor, &mem);
    }
  }
  alea_cursor_free(cursor);
  if (mem.used != 0) w->failed = true;
  return NULL;
}

/* Runs workers at the same time or one after the other; returns the digests. */
static void run(const alea_text *sheet, bool together, uint64_t digests[THREADS]) {
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_game *game;
  assert_int_equal(load_text(sheet->data, sheet->length, "sheet", make_prover, &mem, &game),
                   ALEA_OK);
  worker workers[THREADS];
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) {
    int number = together ? i : THREADS - 1 - i; /* so that moves are met in another order */
    workers[i] = (worker){.game = game, .seed = (uint64_t)number};
    assert_int_equal(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
    if (!together) pthread_join(threads[i], NULL);
  }
  for (int i = 0; i < THREADS; i++) {
    if (together) pthread_join(threads[i], NULL);
    assert_false(workers[i].failed);
    digests[workers[i].seed] = workers[i].digest;
  }
  alea_game_free(game);
  assert_int_equal(mem.used, 0);
}

static void threads_see_the_same(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 20; seed++) {
    alea_mem mem;
    alea_mem_init(&mem, 0);
    alea_text sheet;
    alea_text_init(&sheet, &mem);
    random_gdl(&sheet, seed, false);
    uint64_t together[THREADS], alone[THREADS];
    run(&sheet, true, together);
    run(&sheet, false, alone);
    for (int i = 0; i < THREADS; i++) assert_int_equal(together[i], alone[i]);
    alea_text_clear(&sheet);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(threads_see_the_same)};
  return cmocka_run_group_tests_name("prover_threads", tests, NULL, NULL);
}
