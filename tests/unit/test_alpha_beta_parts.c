/* Parts of the minimax search: the table that threads share, fluents that only count, passing,
 * repeated positions, and helpers. */
#include <pthread.h>
#include <string.h>

#include "base/hash.h"
#include "cmocka_all.h"
#include "minimax/alpha_beta_core.h"
#include "minimax/piece_eval.h"
#include "propnet/propnet.h"
#include "support/match_run.h"
#include "support/minimax.h"

enum { STORES = 20000, WRITERS = 3 };

/* ---- the table ---- */

/* The entry that everybody stores for a hash: who finds another has found a mixture. */
static ab_entry entry_of(uint64_t hash) {
  uint64_t mixed = alea_hash_mix(hash);
  return (ab_entry){.value = (int32_t)(mixed % 200000001) - 100000000,
                    .move = (alea_move)(mixed >> 32 & 0x7ffff),
                    .depth = (int)(mixed >> 20 & 1023),
                    .bound = AB_AT_MOST,
                    .age = (uint32_t)(mixed & 15)};
}

static void check_entry(const ab_table *table, uint64_t hash, uint32_t *found) {
  ab_entry got, meant = entry_of(hash);
  if (!ab_table_find(table, hash, &got)) return;
  ++*found;
  assert_int_equal(got.value, meant.value);
  assert_int_equal(got.move, meant.move);
  assert_int_equal(got.depth, meant.depth);
  assert_int_equal(got.bound, meant.bound);
  assert_int_equal(got.age, meant.age);
}

static void the_table_keeps_what_is_stored(void **state) {
  (void)state;
  alea_mem mem;
  ab_table table;
  uint32_t found = 0;
  alea_mem_init(&mem, 0);
  assert_true(ab_table_init(&table, 1 << 22, &mem));
  for (uint64_t i = 0; i < STORES; i++) {
    uint64_t hash = alea_hash_mix(i);
    ab_entry entry = entry_of(hash);
    ab_table_store(&table, hash, &entry);
    uint32_t now = 0;
    check_entry(&table, hash, &now); /* what is stored always enters */
    assert_int_equal(now, 1);
  }
  for (uint64_t i = 0; i < STORES; i++) check_entry(&table, alea_hash_mix(i), &found);
  assert_true(found > STORES * 9 / 10); /* in a table of thirteen times as many */
  uint64_t hash = alea_hash_mix(0);
  ab_entry got, bare = {.value = -7, .move = ALEA_NO_MOVE, .depth = 3, .bound = AB_EXACT};
  ab_entry first = entry_of(hash);
  ab_table_store(&table, hash, &first);
  ab_table_store(&table, hash, &bare); /* the move that was known stays */
  assert_true(ab_table_find(&table, hash, &got));
  assert_int_equal(got.move, first.move);
  assert_int_equal(got.value, -7);
  ab_table_forget(&table);
  assert_false(ab_table_find(&table, hash, &got));
  ab_table_clear(&table);
  assert_int_equal(mem.used, 0);
}

typedef struct writer {
  ab_table *table;
  uint64_t seed;
  uint32_t found, wrong;
} writer;

static void *write_and_read(void *argument) {
  writer *w = argument;
  for (uint64_t i = 0; i < 5 * STORES; i++) {
    uint64_t hash = alea_hash_mix(alea_hash_mix(w->seed + i) % 6000);
    ab_entry got, meant = entry_of(hash);
    if (ab_table_find(w->table, hash, &got)) {
      w->found++;
      w->wrong += got.value != meant.value || got.move != meant.move || got.depth != meant.depth;
    }
    ab_table_store(w->table, hash, &meant);
  }
  return NULL;
}

/* In a table of 4,096 entries three threads write 6,000 positions over each other. */
static void threads_find_no_mixtures(void **state) {
  (void)state;
  alea_mem mem;
  ab_table table;
  pthread_t threads[WRITERS];
  writer writers[WRITERS] = {0};
  alea_mem_init(&mem, 0);
  assert_true(ab_table_init(&table, 0, &mem));
  for (uint64_t i = 0; i < WRITERS; i++) {
    writers[i] = (writer){.table = &table, .seed = i << 32};
    assert_int_equal(pthread_create(&threads[i], NULL, write_and_read, &writers[i]), 0);
  }
  for (int i = 0; i < WRITERS; i++) {
    assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_true(writers[i].found > 1000);
    assert_int_equal(writers[i].wrong, 0);
  }
  ab_table_clear(&table);
}

/* ---- a search ---- */

typedef struct searcher {
  alea_opened opened;
  alea_mem mem;
  alea_player_setup setup;
  alea_cursor *cursor;
  alea_rng rng;
  alea_linear_eval eval;
  alea_alpha_beta *search;
} searcher;

static void begin(searcher *s, const char *game, uint32_t role) {
  open_game(&s->opened, game);
  alea_mem_init(&s->mem, 0);
  alea_rng_seed_stream(&s->rng, 11, 0);
  s->setup = (alea_player_setup){.game = s->opened.game, .role = role, .mem = &s->mem};
  assert_int_equal(alea_cursor_new(s->opened.game, &s->mem, &s->cursor), ALEA_OK);
  assert_int_equal(alea_linear_eval_init(&s->eval, s->opened.game, role, &s->mem), ALEA_OK);
  assert_int_equal(alea_piece_eval(&s->eval, s->cursor, &s->rng), ALEA_OK);
  assert_int_equal(alea_alpha_beta_new(&s->search, &s->setup, &s->eval, 1 << 16), ALEA_OK);
  assert_int_equal(alea_cursor_reset(s->cursor), ALEA_OK);
}

static void end(searcher *s) {
  alea_alpha_beta_free(s->search);
  alea_linear_eval_clear(&s->eval);
  alea_cursor_free(s->cursor);
  assert_int_equal(s->mem.used, 0);
  alea_opened_clear(&s->opened);
}

static void search(searcher *s, int depth, uint64_t sims, alea_alpha_beta_answer *answer) {
  size_t count;
  const uint64_t *words = alea_cursor_state(s->cursor, &count);
  alea_budget budget = {.sims = sims};
  assert_int_equal(alea_alpha_beta_run(s->search, words, count, depth, &budget, answer), ALEA_OK);
}

static bool holds(const uint64_t *words, const searcher *s, const char *name) {
  uint32_t f = alea_net_find_fluent(alea_net_of_game(s->opened.game), name);
  assert_int_not_equal(f, ALEA_NO_FLUENT);
  return (words[f >> 6] >> (f & 63) & 1) != 0;
}

/* ---- fluents that only count ---- */

static void play_random(searcher *s, bool *over) {
  alea_move joint[8];
  assert_int_equal(alea_cursor_terminal(s->cursor, over), ALEA_OK);
  for (uint32_t r = 0; r < s->opened.game->role_count && !*over; r++) {
    alea_list legal;
    assert_int_equal(alea_cursor_legal(s->cursor, r, &legal), ALEA_OK);
    joint[r] = legal.ids[alea_rng_below(&s->rng, legal.count)];
  }
  if (!*over) assert_int_equal(alea_cursor_play(s->cursor, joint), ALEA_OK);
}

/* Wherever they are left out, the same is legal for all. */
static void check_counting(searcher *s) {
  const alea_counting_fluents *c = &s->search->counting;
  uint64_t bare[64];
  size_t count;
  assert_true(c->word_count <= 64);
  alea_cursor *other;
  assert_int_equal(alea_cursor_new(s->opened.game, &s->mem, &other), ALEA_OK);
  bool over = false;
  for (int i = 0; i < 60 && !over; i++) {
    const uint64_t *words = alea_cursor_state(s->cursor, &count);
    for (size_t w = 0; w < count; w++) bare[w] = words[w] & ~c->words[w];
    assert_int_equal(alea_cursor_load(other, bare, count), ALEA_OK);
    for (uint32_t r = 0; r < s->opened.game->role_count; r++) {
      alea_list a, b;
      assert_int_equal(alea_cursor_legal(s->cursor, r, &a), ALEA_OK);
      assert_int_equal(alea_cursor_legal(other, r, &b), ALEA_OK);
      assert_int_equal(a.count, b.count);
      assert_memory_equal(a.ids, b.ids, a.count * sizeof *a.ids);
    }
    play_random(s, &over);
  }
  alea_cursor_free(other);
}

static void what_only_counts_is_found(void **state) {
  (void)state;
  static const char *const games[] = {"chess", "english-draughts", "breakthrough", "skirmish"};
  for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
    searcher s;
    begin(&s, games[i], 0);
    check_counting(&s);
    if (i == 0) {
      uint32_t fluents = 0;
      for (size_t w = 0; w < s.search->word_count; w++)
        fluents += (uint32_t)__builtin_popcountll(s.search->counting.words[w]);
      assert_int_equal(fluents, 101); /* (quiet 0) .. (quiet 100) */
      assert_true(holds(s.search->counting.words, &s, "(quiet 7)"));
      assert_false(holds(s.search->counting.words, &s, "(control white)"));
      assert_int_equal(s.search->counting.last,
                       alea_net_find_fluent(alea_net_of_game(s.opened.game), "(quiet 100)"));
    }
    if (i == 2) assert_int_equal(s.search->counting.last, ALEA_NO_FLUENT);
    end(&s);
  }
}

/* ---- repetitions ---- */

static void play_named(searcher *s, const char *white, const char *black) {
  alea_move joint[2] = {alea_game_move_find(s->opened.game, 0, white),
                        alea_game_move_find(s->opened.game, 1, black)};
  assert_true(joint[0] != ALEA_NO_MOVE && joint[1] != ALEA_NO_MOVE);
  assert_int_equal(alea_cursor_play(s->cursor, joint), ALEA_OK);
}

/* Who is worse off goes back to where it was, if that was in the match. */
static void the_weaker_side_repeats(void **state) {
  (void)state;
  for (int noted = 0; noted < 2; noted++) {
    searcher s;
    alea_alpha_beta_answer answer;
    size_t count;
    begin(&s, "chess", 1);
    memset(s.eval.scores, 0, 64 * s.eval.word_count * sizeof *s.eval.scores);
    s.eval.base = -2000; /* whatever happens */
    const uint64_t *words = alea_cursor_state(s.cursor, &count);
    if (noted) alea_alpha_beta_note(s.search, words, count);
    play_named(&s, "(move g 1 f 3)", "noop");
    play_named(&s, "noop", "(move g 8 f 6)");
    play_named(&s, "(move f 3 g 1)", "noop");
    search(&s, 2, 1000000, &answer);
    bool back = answer.move == alea_game_move_find(s.opened.game, 1, "(move f 6 g 8)");
    assert_true(noted ? back && answer.value == 50 : answer.value < 40);
    end(&s);
  }
}

/* ---- passing ---- */

static void to_pass_is_to_exchange_the_turn(void **state) {
  (void)state;
  searcher s;
  alea_alpha_beta_answer answer;
  begin(&s, "breakthrough", 0);
  alea_alpha_beta_set_passing(s.search, true);
  search(&s, 0, 3000, &answer);
  alea_alpha_beta *ab = s.search;
  assert_true(ab->turns.usable);
  ab_stand(ab, 0);
  assert_true(ab_list(ab, 0) && ab_pass(ab, 0));
  const uint64_t *from = ab->words, *to = ab->words + ab->word_count;
  uint32_t changed = 0;
  for (size_t w = 0; w < ab->word_count; w++)
    changed += (uint32_t)__builtin_popcountll(from[w] ^ to[w]);
  assert_int_equal(changed, 2);
  assert_true(holds(from, &s, "(control white)") && holds(to, &s, "(control black)"));
  ab_stand(ab, 1);
  assert_true(ab_list(ab, 1) && ab_is_alone(ab, 1));
  assert_int_equal(ab_chooser(ab, 1, 0), 1);
  end(&s);
}

/* ---- what is unusual ---- */

/* Where every move sets a stone, nothing is followed at the end of lines; where some take, that
 * is. */
static void stones_are_not_followed(void **state) {
  (void)state;
  static const struct {
    const char *game;
    bool all;
  } cases[] = {{"gomoku", true}, {"reversi", true}, {"breakthrough", false}, {"chess", false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    searcher s;
    alea_alpha_beta_answer answer;
    begin(&s, cases[i].game, 0);
    search(&s, 0, 500, &answer);
    alea_alpha_beta *ab = s.search;
    ab_begin(ab, ab->words);
    assert_true(ab_list(ab, 0));
    assert_int_equal(ab_all_trade(ab, 0), cases[i].all);
    end(&s);
  }
}

/* ---- helpers ---- */

/* With threads, too, what is proved is what plain minimax finds. */
static void helpers_prove_the_same(void **state) {
  (void)state;
  searcher s;
  begin(&s, "tictactoe", 0);
  assert_int_equal(alea_alpha_beta_set_threads(s.search, 3), ALEA_OK);
  for (int i = 0; i < 12; i++) {
    minimax_line line;
    alea_alpha_beta_answer answer;
    minimax_wander(&line, s.cursor, &s.rng, 2 + 2 * ((uint32_t)i % 2));
    minimax_replay(&line, s.cursor);
    uint64_t before = alea_alpha_beta_positions(s.search);
    search(&s, 0, 1000000, &answer);
    assert_true(alea_alpha_beta_positions(s.search) > before);
    int value = minimax_value(s.cursor, 0);
    assert_int_equal(answer.proof, value == 100 ? ALEA_PROOF_WIN
                                   : value == 0 ? ALEA_PROOF_LOSS
                                                : ALEA_PROOF_EXACT);
  }
  assert_int_equal(alea_alpha_beta_set_threads(s.search, 1), ALEA_OK);
  end(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_table_keeps_what_is_stored),  cmocka_unit_test(threads_find_no_mixtures),
      cmocka_unit_test(what_only_counts_is_found),       cmocka_unit_test(the_weaker_side_repeats),
      cmocka_unit_test(to_pass_is_to_exchange_the_turn), cmocka_unit_test(stones_are_not_followed),
      cmocka_unit_test(helpers_prove_the_same)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
