/* Tables of all moves as first: what a line's games add to them is what going through every game
 * for every node adds. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "play/search_amaf.h"
#include "support/match_run.h"

enum { DEPTH = 4, GAMES = 5, LOTS = 9000, MOST_MOVES = 12, VISITS = 30, ROUNDS = 40 };

typedef struct table {
  alea_opened opened;
  alea_mem mem;
  alea_player_setup setup;
  alea_player_stats stats;
  alea_search search;
  alea_rng rng;
} table;

static void begin(table *t, const char *game) {
  memset(t, 0, sizeof *t);
  open_game(&t->opened, game);
  alea_mem_init(&t->mem, 0);
  alea_rng_seed_stream(&t->rng, 5, 0);
  t->setup = (alea_player_setup){.game = t->opened.game, .mem = &t->mem, .seed = 1};
  alea_search_options options = {
      .pick = alea_pick_mixed, .amaf = true, .ref = VISITS, .memory = (size_t)1 << 24};
  assert_int_equal(alea_search_init(&t->search, &t->setup, &options, &t->stats), ALEA_OK);
}

static void end(table *t) {
  alea_search_clear(&t->search);
  assert_int_equal(t->mem.used, 0);
  alea_opened_clear(&t->opened);
}

static alea_played draw_move(table *t) {
  uint32_t role = alea_rng_below(&t->rng, t->setup.game->role_count);
  uint32_t moves = t->search.store.amaf_first[role + 1] - t->search.store.amaf_first[role];
  return (alea_played){role, alea_rng_below(&t->rng, moves)};
}

/* A line of positions along random play, with one move noted behind each; every other node was
 * visited often. */
static void make_line(table *t, alea_line *line) {
  alea_search *s = &t->search;
  alea_rng rng = t->rng;
  line->path.count = line->trace.count = 0;
  assert_int_equal(alea_cursor_reset(s->cursor), ALEA_OK);
  for (uint32_t i = 0; i < DEPTH; i++) {
    alea_node_id id = alea_node_store_find(&s->store, s->cursor);
    if (id == 0) assert_int_equal(alea_node_store_make(&s->store, s->cursor, &id), ALEA_OK);
    alea_node *node = alea_node_store_at(&s->store, id);
    node->visits = i % 2 == 0 ? VISITS : 1;
    alea_stop stop = {.id = id, .trace = (uint32_t)line->trace.count};
    assert_true(alea_vec_push(&t->mem, &line->path, stop));
    assert_true(alea_vec_push(&t->mem, &line->trace, draw_move(t)));
    for (uint32_t r = 0; r < t->setup.game->role_count; r++)
      s->joint[r] = node->moves[node->firsts[r] +
                                alea_rng_below(&rng, node->firsts[r + 1] - node->firsts[r])];
    assert_int_equal(alea_cursor_play(s->cursor, s->joint), ALEA_OK);
  }
}

/* What every node on the line is to learn of one game, game by game. */
static void expect(const table *t, const alea_line *line, const alea_played *moves, size_t count,
                   const float *rewards, alea_amaf *wanted) {
  const alea_node_store *store = &t->search.store;
  for (size_t i = 0; i < line->path.count; i++)
    for (size_t m = line->path.data[i].trace; m < line->trace.count + count; m++) {
      alea_played made = m < line->trace.count ? line->trace.data[m] : moves[m - line->trace.count];
      alea_amaf *sum = &wanted[i * store->amaf_size + store->amaf_first[made.role] + made.move];
      sum->visits += 1;
      sum->sum += rewards[made.role];
    }
}

static void check_line(table *t, alea_line *line, int games) {
  uint32_t size = t->search.store.amaf_size;
  alea_amaf *wanted = calloc((size_t)DEPTH * size, sizeof *wanted);
  make_line(t, line);
  for (uint32_t i = 0; i < DEPTH; i++) {
    const alea_node *node = alea_node_store_at(&t->search.store, line->path.data[i].id);
    if (node->amaf != NULL) memcpy(wanted + i * size, node->amaf, size * sizeof *wanted);
  }
  for (int g = 0; g < games; g++) {
    alea_played moves[MOST_MOVES];
    float rewards[2] = {(float)(g % 3) / 2, 1 - (float)(g % 3) / 2};
    size_t count = alea_rng_below(&t->rng, MOST_MOVES + 1);
    for (size_t i = 0; i < count; i++) moves[i] = draw_move(t);
    alea_search_note_game(&t->search, line, moves, count, rewards);
    expect(t, line, moves, count, rewards, wanted);
  }
  alea_search_spread_games(&t->search, line);
  for (uint32_t i = 0; i < DEPTH; i++) {
    const alea_node *node = alea_node_store_at(&t->search.store, line->path.data[i].id);
    assert_true(node->amaf != NULL || i % 2 == 1);
    for (uint32_t m = 0; node->amaf != NULL && m < size; m++) {
      assert_true(node->amaf[m].visits == wanted[i * size + m].visits);
      assert_true(fabsf(node->amaf[m].sum - wanted[i * size + m].sum) <= 1e-5f * (float)games);
    }
  }
  assert_int_equal(line->heard.count + line->games, 0);
  free(wanted);
}

/* Few moves, where tables are added to as a whole, and many, where they are not. */
static void games_are_spread_as_one_by_one(void **state) {
  (void)state;
  static const char *const games[] = {"tictactoe", "breakthrough"};
  for (size_t i = 0; i < 2; i++) {
    table t;
    begin(&t, games[i]);
    for (int round = 0; round < ROUNDS; round++) check_line(&t, t.search.line, GAMES);
    check_line(&t, t.search.line, LOTS); /* more than a line keeps */
    end(&t);
  }
}

/* Where several choose at once no node has a table. */
static void who_choose_at_once_have_no_table(void **state) {
  (void)state;
  table t;
  begin(&t, "connect-four-simultaneous");
  make_line(&t, t.search.line);
  assert_false(alea_search_teaches(&t.search, t.search.line));
  end(&t);
  begin(&t, "tictactoe");
  make_line(&t, t.search.line);
  assert_true(alea_search_teaches(&t.search, t.search.line));
  t.search.ranking.repeats = true;
  t.search.options.repeat_pick = alea_pick_tuned;
  assert_false(alea_search_teaches(&t.search, t.search.line));
  end(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(games_are_spread_as_one_by_one),
      cmocka_unit_test(who_choose_at_once_have_no_table),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
