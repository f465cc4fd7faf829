/* Arms that are marked as symmetric lead to positions that are images of each other,
 * and a search that tries one of them proves the same values. */
#include <stdlib.h>

#include "cmocka_all.h"
#include "play/symmetric_moves.h"
#include "support/match_run.h"

static const alea_budget long_enough = {.sims = 1};

/* The least image of the position after the joint move of 'arm'. */
static void key_after(const alea_symmetric_moves *symmetric, alea_cursor *cursor,
                      const alea_node *node, uint32_t arm, uint64_t *key, uint64_t *scratch) {
  alea_move joint[2];
  size_t count;
  for (uint32_t r = 0; r < 2; r++) joint[r] = node->moves[node->firsts[r]];
  joint[node->chooser] = node->moves[node->firsts[node->chooser] + arm];
  assert_int_equal(alea_cursor_load(cursor, node->words, node->word_count), ALEA_OK);
  assert_int_equal(alea_cursor_play(cursor, joint), ALEA_OK);
  const uint64_t *words = alea_cursor_state(cursor, &count);
  assert_int_equal(count, symmetric->symmetry->word_count);
  alea_game_symmetry_canonical(symmetric->symmetry, words, key, scratch);
}

/* Checks all arms of the node, and returns how many are tried. */
static uint32_t check_node(const alea_symmetric_moves *symmetric, alea_cursor *cursor,
                           const alea_node *node) {
  size_t bytes = symmetric->symmetry->word_count * sizeof(uint64_t);
  uint64_t *keys = malloc(3 * bytes), *other = keys + symmetric->symmetry->word_count;
  uint32_t p = node->chooser, count = node->firsts[p + 1] - node->firsts[p], tried = 0;
  for (uint32_t a = 0; a < count; a++) {
    if (!alea_node_is_symmetric(node, a)) {
      tried++;
      continue;
    }
    assert_true(node->representatives[a] < a);
    assert_false(alea_node_is_symmetric(node, node->representatives[a]));
    key_after(symmetric, cursor, node, a, keys, other + symmetric->symmetry->word_count);
    key_after(symmetric, cursor, node, node->representatives[a], other,
              other + symmetric->symmetry->word_count);
    assert_memory_equal(keys, other, bytes);
  }
  free(keys);
  return tried;
}

/* The arms that are tried at first, in a game of two. */
static uint32_t first_arms(const char *name) {
  alea_opened opened;
  open_game(&opened, name);
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_player_setup setup = {.game = opened.game, .mem = &mem, .services = opened.services};
  alea_symmetric_moves symmetric = {0};
  alea_node_store store;
  alea_cursor *cursor;
  alea_node_id id;
  assert_int_equal(alea_symmetric_moves_learn(&symmetric, &setup, &long_enough), ALEA_OK);
  assert_int_equal(alea_node_store_init(&store, opened.game, (size_t)1 << 24, false, &mem),
                   ALEA_OK);
  assert_int_equal(alea_cursor_new(opened.game, &mem, &cursor), ALEA_OK);
  assert_int_equal(alea_node_store_make(&store, cursor, &id), ALEA_OK);
  alea_node *node = alea_node_store_at(&store, id);
  assert_int_equal(alea_symmetric_moves_mark(&symmetric, &store, node), ALEA_OK);
  uint32_t tried = symmetric.symmetry != NULL
                       ? check_node(&symmetric, cursor, node)
                       : node->firsts[node->chooser + 1] - node->firsts[node->chooser];
  alea_cursor_free(cursor);
  alea_node_store_clear(&store);
  alea_symmetric_moves_clear(&symmetric);
  assert_int_equal(mem.used, 0);
  alea_opened_clear(&opened);
  return tried;
}

static void arms_of_known_boards(void **state) {
  (void)state;
  assert_int_equal(first_arms("tictactoe"), 3);     /* corner, edge, centre */
  assert_int_equal(first_arms("connect-four"), 4);  /* a column and its symmetry image */
  assert_int_equal(first_arms("pentago"), 6);       /* an eighth of the cells, with the diagonal */
  assert_int_equal(first_arms("breakthrough"), 11); /* left is right */
  assert_int_equal(first_arms("hex"), 41);          /* turned by half; the rules do not show it */
  assert_int_equal(first_arms("reversi"), 1);       /* nor the diagonals */
  assert_int_equal(first_arms("nim"), 16);          /* no two heaps are alike */
}

/* What a player says of the first position. */
static void value_of(const alea_opened *opened, const char *text, uint64_t sims, alea_proof *proof,
                     double *value, uint64_t *used) {
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_player_setup setup = {
      .game = opened->game, .seed = 1, .mem = &mem, .services = opened->services};
  alea_text message;
  alea_player *player;
  alea_move move;
  alea_analysis analysis;
  alea_budget budget = {.sims = sims};
  alea_text_init(&message, &mem);
  assert_int_equal(alea_player_new(&player, text, &setup, &message), ALEA_OK);
  assert_int_equal(alea_player_select(player, &budget, &move), ALEA_OK);
  alea_player_analyse(player, &analysis);
  *proof = analysis.proof;
  *value = analysis.value;
  *used = player->stats.sims;
  alea_player_free(player);
  alea_text_clear(&message);
  assert_int_equal(mem.used, 0);
}

static void proofs_are_the_same_and_sooner(void **state) {
  (void)state;
  alea_opened opened;
  open_game(&opened, "tictactoe");
  alea_proof proofs[2];
  double values[2];
  uint64_t used[2];
  value_of(&opened, "alea:sym=on,endgame=0", 400000, &proofs[0], &values[0], &used[0]);
  value_of(&opened, "alea:sym=off,endgame=0", 400000, &proofs[1], &values[1], &used[1]);
  for (int i = 0; i < 2; i++) {
    assert_int_equal(proofs[i], ALEA_PROOF_EXACT);
    assert_true(values[i] == 50);
  }
  assert_true(used[0] < used[1]);
  alea_opened_clear(&opened);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(arms_of_known_boards),
                                     cmocka_unit_test(proofs_are_the_same_and_sooner)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
