/* Exact values against plain minimax over all positions. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "minimax/endgame.h"
#include "support/match_run.h"

enum { MOST_POSITIONS = 12000 };

/* ---- the oracle ---- */

typedef struct memo {
  uint64_t hash;
  int value;
} memo;

typedef struct minimax {
  const alea_game *game;
  alea_mem *mem;
  memo *table;
  size_t size, count;
  bool given_up;
} minimax;

static memo *slot_of(minimax *m, uint64_t hash) {
  size_t at = hash & (m->size - 1);
  while (m->table[at].hash != 0 && m->table[at].hash != hash) at = (at + 1) & (m->size - 1);
  return &m->table[at];
}

/* The value for the first role of the position 'words', by trying everything.
 * Games here are short; the depth is that of the game. */
static int value_of(minimax *m, const uint64_t *words, size_t count) {
  alea_cursor *cursor;
  alea_list lists[2];
  bool terminal;
  int goal;
  if (m->given_up) return 0;
  assert_int_equal(alea_cursor_new(m->game, m->mem, &cursor), ALEA_OK);
  assert_int_equal(alea_cursor_load(cursor, words, count), ALEA_OK);
  uint64_t hash = alea_cursor_hash(cursor);
  memo *known = slot_of(m, hash);
  if (known->hash == hash) {
    alea_cursor_free(cursor);
    return known->value;
  }
  assert_int_equal(alea_cursor_terminal(cursor, &terminal), ALEA_OK);
  if (terminal) {
    assert_int_equal(alea_cursor_goal(cursor, 0, &goal), ALEA_OK);
    alea_cursor_free(cursor);
    return goal;
  }
  uint32_t *moves[2], counts[2];
  for (uint32_t r = 0; r < 2; r++) {
    assert_int_equal(alea_cursor_legal(cursor, r, &lists[r]), ALEA_OK);
    counts[r] = lists[r].count;
    moves[r] = malloc(counts[r] * sizeof *moves[r]);
    memcpy(moves[r], lists[r].ids, counts[r] * sizeof *moves[r]);
  }
  bool most = counts[0] > 1;
  int best = most ? 0 : 100;
  for (uint32_t i = 0; i < counts[0] * counts[1]; i++) {
    alea_move joint[2] = {moves[0][i / counts[1]], moves[1][i % counts[1]]};
    size_t child_count;
    assert_int_equal(alea_cursor_load(cursor, words, count), ALEA_OK);
    assert_int_equal(alea_cursor_play(cursor, joint), ALEA_OK);
    const uint64_t *child = alea_cursor_state(cursor, &child_count);
    int value = value_of(m, child, child_count);
    if (most ? value > best : value < best) best = value;
  }
  alea_cursor_free(cursor);
  for (uint32_t r = 0; r < 2; r++) free(moves[r]);
  if (++m->count > MOST_POSITIONS) m->given_up = true;
  *slot_of(m, hash) = (memo){hash, best};
  return best;
}

static bool oracle(const alea_game *game, alea_mem *mem, const uint64_t *words, size_t count,
                   int *value) {
  minimax m = {.game = game, .mem = mem, .size = 1 << 18};
  m.table = calloc(m.size, sizeof *m.table);
  *value = value_of(&m, words, count);
  free(m.table);
  return !m.given_up;
}

/* ---- comparisons ---- */

/* The position after 'steps' random moves, or before the end. */
static void wander(alea_cursor *cursor, alea_rng *rng, uint32_t steps) {
  assert_int_equal(alea_cursor_reset(cursor), ALEA_OK);
  for (uint32_t i = 0; i < steps; i++) {
    alea_move joint[2];
    alea_list list;
    size_t count;
    const uint64_t *words = alea_cursor_state(cursor, &count);
    uint64_t *before = malloc(count * sizeof *before);
    memcpy(before, words, count * sizeof *before);
    for (uint32_t r = 0; r < 2; r++) {
      assert_int_equal(alea_cursor_legal(cursor, r, &list), ALEA_OK);
      joint[r] = list.ids[alea_rng_below(rng, list.count)];
    }
    assert_int_equal(alea_cursor_play(cursor, joint), ALEA_OK);
    bool terminal;
    assert_int_equal(alea_cursor_terminal(cursor, &terminal), ALEA_OK);
    if (terminal) assert_int_equal(alea_cursor_load(cursor, before, count), ALEA_OK);
    free(before);
    if (terminal) return;
  }
}

/* The value that 'move' of 'role' leads to, by the oracle. */
static bool after(const alea_game *game, alea_mem *mem, const uint64_t *words, size_t count,
                  uint32_t role, alea_move move, int *value) {
  alea_cursor *cursor;
  alea_list list;
  alea_move joint[2];
  bool terminal, told = true;
  assert_int_equal(alea_cursor_new(game, mem, &cursor), ALEA_OK);
  assert_int_equal(alea_cursor_load(cursor, words, count), ALEA_OK);
  assert_int_equal(alea_cursor_legal(cursor, 1 - role, &list), ALEA_OK);
  assert_int_equal(list.count, 1);
  joint[1 - role] = list.ids[0];
  joint[role] = move;
  assert_int_equal(alea_cursor_play(cursor, joint), ALEA_OK);
  assert_int_equal(alea_cursor_terminal(cursor, &terminal), ALEA_OK);
  if (terminal) {
    assert_int_equal(alea_cursor_goal(cursor, 0, value), ALEA_OK);
  } else {
    const uint64_t *child = alea_cursor_state(cursor, &count);
    told = oracle(game, mem, child, count, value);
  }
  alea_cursor_free(cursor);
  return told;
}

/* Positions of 'name' after 'steps' moves and more: what the solver says must
 * be so, and with enough budget it says everything.  How many were compared. */
static uint32_t compare(const char *sheet, const char *name, uint32_t steps, uint32_t positions,
                        uint64_t sims) {
  alea_opened opened;
  if (sheet != NULL)
    open_sheet(&opened, sheet);
  else
    open_game(&opened, name);
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_rng rng;
  alea_rng_seed(&rng, 5);
  alea_cursor *cursor;
  uint32_t compared = 0;
  assert_int_equal(alea_cursor_new(opened.game, &mem, &cursor), ALEA_OK);
  for (uint32_t i = 0; i < positions; i++) {
    size_t count;
    int value, reached;
    alea_list list;
    wander(cursor, &rng, steps + i % 3);
    const uint64_t *words = alea_cursor_state(cursor, &count);
    assert_int_equal(alea_cursor_legal(cursor, 0, &list), ALEA_OK);
    alea_player_setup setup = {.game = opened.game, .role = list.count > 1 ? 0 : 1, .mem = &mem};
    assert_int_equal(alea_cursor_legal(cursor, setup.role, &list), ALEA_OK);
    if (list.count < 2 || !oracle(opened.game, &mem, words, count, &value)) continue;
    alea_endgame *endgame;
    alea_endgame_answer answer;
    alea_budget budget = {.sims = sims};
    assert_int_equal(alea_endgame_new(&endgame, &setup, 1 << 22), ALEA_OK);
    assert_non_null(endgame);
    assert_int_equal(alea_endgame_run(endgame, words, count, &budget, &answer), ALEA_OK);
    alea_endgame_free(endgame);
    int own = setup.role == 0 ? value : 100 - value;
    assert_in_range(own, answer.lo, answer.hi);
    if (sims >= 100000) assert_int_equal(answer.lo, answer.hi);
    if (answer.move != ALEA_NO_MOVE &&
        after(opened.game, &mem, words, count, setup.role, answer.move, &reached)) {
      assert_in_range(setup.role == 0 ? reached : 100 - reached, answer.lo, 100);
    }
    compared++;
  }
  alea_cursor_free(cursor);
  assert_int_equal(mem.used, 0);
  alea_opened_clear(&opened);
  return compared;
}

/* ---- games ---- */

static void positions_of_shipped_games(void **state) {
  (void)state;
  assert_true(compare(NULL, "tictactoe", 0, 3, 100000) == 3);
  assert_true(compare(NULL, "tictactoe", 2, 30, 3) > 20); /* little is told, all of it true */
  assert_true(compare(NULL, "nim", 0, 6, 100000) > 3);
  assert_true(compare(NULL, "quarto", 25, 12, 100000) > 5);
  assert_true(compare(NULL, "reversi", 54, 12, 100000) > 5);
  assert_true(compare(NULL, "connect-four", 36, 12, 100000) > 0);
}

/* Replaces 'from', which must be there, wherever it is. */
static char *replace(char *text, const char *from, const char *to) {
  size_t places = 0, from_length = strlen(from), to_length = strlen(to);
  for (const char *at = text; (at = strstr(at, from)) != NULL; at += from_length) places++;
  assert_true(places > 0);
  char *result = malloc(strlen(text) + places * to_length + 1), *end = result;
  for (const char *at = text;;) {
    const char *next = strstr(at, from);
    size_t length = next != NULL ? (size_t)(next - at) : strlen(at);
    memcpy(end, at, length);
    end += length;
    if (next == NULL) break;
    memcpy(end, to, to_length);
    end += to_length;
    at = next + from_length;
  }
  *end = '\0';
  free(text);
  return result;
}

/* The shipped connect four with fewer rows and columns. */
static char *small_connect_four(bool five_columns) {
  alea_opened opened;
  open_game(&opened, "connect-four");
  char *text = strdup(alea_text_string(&opened.source));
  alea_opened_clear(&opened);
  text = replace(text, "(column 6) (column 7)", "");
  if (!five_columns) text = replace(text, "(column 5)", "");
  text = replace(text, "(row 5) (row 6)", "");
  return replace(text, "(cell ?x 6 b)", "(cell ?x 4 b)");
}

static void small_boards(void **state) {
  (void)state;
  char *text = small_connect_four(false);
  assert_true(compare(text, NULL, 7, 4, 1000000) > 1);
  free(text);
}

/* What the endgame search says of the first position of an open game, and how
 * many positions it met; false: it has nothing to do with such games. */
static bool ask(const alea_opened *opened, const alea_budget *budget, alea_endgame_answer *answer,
                uint64_t *positions) {
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_player_setup setup = {.game = opened->game, .mem = &mem};
  alea_endgame *endgame;
  assert_int_equal(alea_endgame_new(&endgame, &setup, 64 << 20), ALEA_OK);
  if (endgame != NULL) {
    alea_cursor *cursor;
    size_t count;
    assert_int_equal(alea_cursor_new(opened->game, &mem, &cursor), ALEA_OK);
    const uint64_t *words = alea_cursor_state(cursor, &count);
    assert_int_equal(alea_endgame_run(endgame, words, count, budget, answer), ALEA_OK);
    *positions = alea_endgame_positions(endgame);
    print_message("%d to %d after %llu positions\n", answer->lo, answer->hi,
                  (unsigned long long)*positions);
    alea_cursor_free(cursor);
  }
  bool fits = endgame != NULL;
  alea_endgame_free(endgame);
  assert_int_equal(mem.used, 0);
  return fits;
}

/* The proved value of the first position, -1 without a proof. */
static int prove(const char *text, uint64_t sims) {
  alea_opened opened;
  alea_endgame_answer answer;
  uint64_t positions;
  open_sheet(&opened, text);
  assert_true(ask(&opened, &(alea_budget){.sims = sims}, &answer, &positions));
  alea_opened_clear(&opened);
  return answer.lo == answer.hi ? answer.lo : -1;
}

/* Connect four on 4 x 4 and on 5 x 4 is a draw (Tromp's table). */
static void whole_games(void **state) {
  (void)state;
  char *text = small_connect_four(false);
  assert_int_equal(prove(text, 1000000), 50);
  free(text);
  text = small_connect_four(true);
  assert_int_equal(prove(text, 10000000), 50);
  free(text);
}

/* The flagship says what was proved: of the move that was found, and of its
 * mirror image; no other column is worth more. */
static void said_of_both_sides(void **state) {
  (void)state;
  char *sheet = small_connect_four(false);
  alea_opened opened;
  open_sheet(&opened, sheet);
  free(sheet);
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_player_setup setup = {
      .game = opened.game, .seed = 1, .mem = &mem, .services = opened.services};
  alea_text message;
  alea_player *player;
  alea_move move;
  alea_analysis analysis;
  alea_text_init(&message, &mem);
  assert_int_equal(alea_player_new(&player, "alea:endgame=0.9", &setup, &message), ALEA_OK);
  assert_int_equal(alea_player_select(player, &(alea_budget){.sims = 60000}, &move), ALEA_OK);
  alea_player_analyse(player, &analysis);
  assert_int_equal(analysis.proof, ALEA_PROOF_EXACT);
  assert_true(analysis.value == 50);
  assert_int_equal(analysis.count, 4);
  size_t proved = 0;
  for (size_t i = 0; i < analysis.count; i++) {
    const alea_choice *choice = &analysis.choices[i], *image = &analysis.choices[3 - i];
    assert_int_equal(choice->proof, image->proof);
    assert_true(choice->value == image->value);
    assert_true(choice->value <= 50);
    proved += choice->proof == ALEA_PROOF_EXACT;
  }
  assert_int_equal(proved, 2); /* all four: the tree proved it, not the endgame search */
  alea_player_free(player);
  alea_text_clear(&message);
  assert_int_equal(mem.used, 0);
  alea_opened_clear(&opened);
}

static void refuse(const char *name, bool at_once) {
  alea_opened opened;
  alea_endgame_answer answer = {.hi = 100, .move = ALEA_NO_MOVE};
  uint64_t positions;
  open_game(&opened, name);
  assert_int_equal(ask(&opened, &(alea_budget){.sims = 1000}, &answer, &positions), !at_once);
  assert_int_equal(answer.lo, 0);
  assert_int_equal(answer.hi, 100);
  assert_true(answer.move == ALEA_NO_MOVE);
  alea_opened_clear(&opened);
}

static void other_kinds_of_games(void **state) {
  (void)state;
  refuse("backgammon", true);
  refuse("eight-puzzle", true);
  refuse("chinese-checkers", true);
  refuse("prisoners-dilemma", false);
  refuse("rock-paper-scissors", false);
}

/* Amazons has two thousand first moves; a clock does not wait for all of them. */
static void wide_positions_are_left_in_time(void **state) {
  (void)state;
  atomic_bool stop = true;
  alea_opened opened;
  alea_endgame_answer answer;
  uint64_t positions;
  open_game(&opened, "amazons");
  assert_true(ask(&opened, &(alea_budget){.stop = &stop}, &answer, &positions));
  assert_true(positions < 20);
  alea_opened_clear(&opened);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(positions_of_shipped_games),
      cmocka_unit_test(small_boards),
      cmocka_unit_test(whole_games),
      cmocka_unit_test(said_of_both_sides),
      cmocka_unit_test(other_kinds_of_games),
      cmocka_unit_test(wide_positions_are_left_in_time),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
