/* The shipped games against facts that were found without them: numbers of
 * sequences and positions, exact values, and odds of dice. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "game/listing.h"
#include "game/playout.h"
#include "match/open.h"
#include "match/survey.h"
#include "support/least.h"

enum { MOST_DEPTH = 8, MOST_ROLES = 8 };

typedef struct table {
  alea_opened opened;
  alea_cursor *cursor;
  alea_mem mem;
} table;

static void table_open(table *t, const char *name) {
  alea_open_options options = {.engine = ALEA_ENGINE_NET};
  assert_int_equal(alea_open(&t->opened, name, &options, NULL), ALEA_OK);
  alea_mem_init(&t->mem, 0);
  assert_int_equal(alea_cursor_new(t->opened.game, &t->mem, &t->cursor), ALEA_OK);
}

static void table_close(table *t) {
  alea_cursor_free(t->cursor);
  assert_int_equal(t->mem.used, 0);
  alea_opened_clear(&t->opened);
}

/* ---- sequences ---- */

static void sequences(void **state) {
  (void)state;
  FILE *file = fopen(ALEA_SOURCE_DIR "/tests/golden/games/perft.tsv", "r");
  assert_non_null(file);
  char line[512], name[128];
  unsigned games = 0;
  while (fgets(line, sizeof line, file) != NULL) {
    int used;
    if (line[0] == '#' || sscanf(line, "%127s%n", name, &used) != 1) continue;
    uint64_t expected[MOST_DEPTH], counts[MOST_DEPTH];
    uint32_t depth = 0;
    for (char *at = line + used, *end; depth < MOST_DEPTH; at = end) {
      expected[depth] = strtoull(at, &end, 10);
      if (end == at) break;
      depth++;
    }
    table t;
    table_open(&t, name);
    assert_int_equal(alea_perft(t.cursor, depth, NULL, counts, &t.mem), ALEA_OK);
    for (uint32_t i = 0; i < depth; i++)
      if (counts[i] != expected[i])
        fail_msg("%s, depth %u: %llu, not %llu", name, i + 1, (unsigned long long)counts[i],
                 (unsigned long long)expected[i]);
    table_close(&t);
    games += depth > 0;
  }
  fclose(file);
  expect_at_least(25, games, "games", NULL);
}

static void positions(void **state) {
  (void)state;
  /* The well-known number of tic-tac-toe. */
  table t;
  table_open(&t, "tictactoe");
  alea_survey survey;
  assert_int_equal(alea_survey_run(&survey, t.cursor, 10, 1000, 100000, 1, NULL, &t.mem), ALEA_OK);
  assert_int_equal(survey.states, 5478);
  table_close(&t);
}

/* ---- exact values ---- */

/* Values of positions for the first role, by hash: positions of these games
 * are few against 2^64. */
typedef struct memo {
  uint64_t *key;
  double *value;
  size_t mask, count;
} memo;

static size_t slot_of(const memo *m, uint64_t key) {
  size_t i = (size_t)key & m->mask;
  while (m->key[i] != 0 && m->key[i] != key) i = (i + 1) & m->mask;
  return i;
}

/* Expectation over chance, best for role 0, worst over other roles; moves
 * that change nothing are left out, as they only repeat the question. */
static double solve(table *t, memo *m) {
  const alea_game *game = t->opened.game;
  uint64_t key = alea_cursor_hash(t->cursor) | 1;
  size_t slot = slot_of(m, key);
  if (m->key[slot] == key) return m->value[slot];
  bool terminal;
  int goal;
  double result = 0;
  assert_int_equal(alea_cursor_terminal(t->cursor, &terminal), ALEA_OK);
  if (terminal) {
    assert_int_equal(alea_cursor_goal(t->cursor, 0, &goal), ALEA_OK);
    result = goal;
  } else {
    size_t words;
    const uint64_t *now = alea_cursor_state(t->cursor, &words);
    uint64_t *here = malloc(words * sizeof *here);
    assert_non_null(here);
    memcpy(here, now, words * sizeof *here);
    alea_move joint[MOST_ROLES];
    uint32_t chooser = 0, options = 1;
    uint32_t moves[64];
    for (uint32_t r = 0; r < game->role_count; r++) {
      alea_list legal;
      assert_int_equal(alea_cursor_legal(t->cursor, r, &legal), ALEA_OK);
      joint[r] = legal.ids[0];
      if (legal.count == 1) continue;
      assert_true(options == 1 && legal.count <= 64); /* one chooses at a time */
      chooser = r;
      options = legal.count;
      memcpy(moves, legal.ids, options * sizeof *moves);
    }
    bool chance = (int)chooser == game->random_role;
    unsigned counted = 0;
    for (uint32_t i = 0; i < options; i++) {
      if (options > 1) joint[chooser] = moves[i];
      assert_int_equal(alea_cursor_load(t->cursor, here, words), ALEA_OK);
      assert_int_equal(alea_cursor_play(t->cursor, joint), ALEA_OK);
      if ((alea_cursor_hash(t->cursor) | 1) == key) continue;
      double value = solve(t, m);
      if (counted == 0)
        result = value;
      else if (chance)
        result += value;
      else
        result = chooser == 0 ? fmax(result, value) : fmin(result, value);
      counted++;
    }
    if (chance) result /= counted;
    assert_int_equal(alea_cursor_load(t->cursor, here, words), ALEA_OK);
    free(here);
  }
  slot = slot_of(m, key);
  m->key[slot] = key;
  m->value[slot] = result;
  assert_true(++m->count < m->mask);
  return result;
}

static double exact_value(const char *name, size_t room) {
  table t;
  table_open(&t, name);
  memo m = {calloc(room, sizeof *m.key), calloc(room, sizeof *m.value), room - 1, 0};
  assert_true(m.key != NULL && m.value != NULL);
  double value = solve(&t, &m);
  free(m.key);
  free(m.value);
  table_close(&t);
  return value / 100;
}

static void values(void **state) {
  (void)state;
  assert_true(fabs(exact_value("orchard-light", 1 << 10) - 107.0 / 288) < 1e-12);
  assert_true(fabs(exact_value("tictactoe-2x2", 1 << 8) - 0.25) < 1e-12);
  assert_true(fabs(exact_value("tictactoe", 1 << 15) - 0.5) < 1e-12);
  /* With five tokens the second player wins. */
  assert_true(exact_value("token-game", 1 << 10) == 0);
  assert_true(exact_value("nim", 1 << 12) == 0);
  assert_true(exact_value("hanoi", 1 << 15) == 1);
  assert_true(fabs(exact_value("orchard", 1 << 20) - 0.6840474981) < 1e-9);
}

/* ---- dice ---- */

static void play_text(table *t, uint32_t role, const char *text) {
  alea_move joint[MOST_ROLES];
  for (uint32_t r = 0; r < t->opened.game->role_count; r++) {
    alea_list legal;
    assert_int_equal(alea_cursor_legal(t->cursor, r, &legal), ALEA_OK);
    joint[r] = legal.ids[0];
  }
  joint[role] = alea_game_move_find(t->opened.game, role, text);
  assert_true(joint[role] != ALEA_NO_MOVE);
  assert_int_equal(alea_cursor_play(t->cursor, joint), ALEA_OK);
}

/* The sum of the first player, from its binary digits. */
static unsigned left_sum(table *t, alea_listing *list) {
  unsigned sum = 0;
  assert_int_equal(alea_listing_fluents(list, t->cursor), ALEA_OK);
  for (size_t i = 0; i < list->items.count; i++) {
    unsigned digit;
    if (sscanf(list->items.data[i], "(bit left %u)", &digit) == 1) sum += 1u << digit;
  }
  return sum;
}

/* Over all 7776 first throws: how many score, and the sum of what they score.
 * A box of the upper half gets a face on average 5/6 times. */
static void yahtzee_odds(void **state) {
  (void)state;
  static const struct {
    const char *box;
    unsigned scoring, sum;
  } known[] = {
      {"ones", 7776 - 3125, 6480},       {"sixes", 7776 - 3125, 6 * 6480},
      {"full-house", 300, 25 * 300},     {"small-straight", 1200, 30 * 1200},
      {"large-straight", 240, 40 * 240}, {"yahtzee", 6, 50 * 6},
      {"chance", 7776, 136080},          {"four-alike", 156, 2730},
      {"three-alike", 1656, 28980},
  };
  table t;
  table_open(&t, "yahtzee");
  alea_listing list;
  alea_listing_init(&list, &t.mem);
  for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
    unsigned scoring = 0, sum = 0;
    char move[64];
    snprintf(move, sizeof move, "(score %s)", known[k].box);
    for (unsigned code = 0; code < 7776; code++) {
      assert_int_equal(alea_cursor_reset(t.cursor), ALEA_OK);
      for (unsigned die = 0, rest = code; die < 5; die++, rest /= 6) {
        char throw[16];
        snprintf(throw, sizeof throw, "(throw %u)", rest % 6 + 1);
        play_text(&t, 2, throw);
      }
      play_text(&t, 0, move);
      unsigned points = left_sum(&t, &list);
      scoring += points > 0;
      sum += points;
    }
    if (scoring != known[k].scoring || sum != known[k].sum)
      fail_msg("%s: %u throws score, %u in all", known[k].box, scoring, sum);
  }
  alea_listing_clear(&list);
  table_close(&t);
}

/* Of the 1296 throws of four dice, those that can make a sum with two. */
static void cant_stop_odds(void **state) {
  (void)state;
  static const unsigned known[13] = {0, 0, 171, 302, 461, 580, 727, 834, 727, 580, 461, 302, 171};
  unsigned found[13] = {0};
  table t;
  table_open(&t, "cant-stop");
  alea_listing list;
  alea_listing_init(&list, &t.mem);
  for (unsigned code = 0; code < 1296; code++) {
    assert_int_equal(alea_cursor_reset(t.cursor), ALEA_OK);
    for (unsigned half = 0, rest = code; half < 2; half++, rest /= 36) {
      char throw[24];
      snprintf(throw, sizeof throw, "(throw %u %u)", rest % 6 + 1, rest / 6 % 6 + 1);
      play_text(&t, 2, throw);
    }
    bool makes[13] = {false};
    assert_int_equal(alea_listing_legal(&list, t.cursor, 0), ALEA_OK);
    for (size_t i = 0; i < list.items.count; i++) {
      unsigned a, b;
      assert_int_equal(sscanf(list.items.data[i], "(climb %u %u)", &a, &b), 2);
      makes[a] = makes[b] = true;
    }
    for (unsigned c = 2; c <= 12; c++) found[c] += makes[c];
  }
  for (unsigned c = 2; c <= 12; c++) assert_int_equal(found[c], known[c]);
  alea_listing_clear(&list);
  table_close(&t);
}

/* Ways to play the opening throws of backgammon: positions that a throw can
 * lead to, from an independent program. */
static void backgammon_openings(void **state) {
  (void)state;
  FILE *file = fopen(ALEA_SOURCE_DIR "/tests/golden/games/backgammon-openings.tsv", "r");
  assert_non_null(file);
  table t;
  table_open(&t, "backgammon");
  char line[128];
  unsigned rows = 0;
  while (fgets(line, sizeof line, file) != NULL) {
    unsigned a, b, expected;
    if (sscanf(line, "%u %u %u", &a, &b, &expected) != 3) continue;
    char throw[24];
    snprintf(throw, sizeof throw, "(throw %u %u)", a, b);
    assert_int_equal(alea_cursor_reset(t.cursor), ALEA_OK);
    play_text(&t, 2, throw);
    /* Breadth first through the moves of white, positions told by hash. */
    enum { MOST = 4096 };
    size_t words;
    (void)alea_cursor_state(t.cursor, &words);
    uint64_t *level = malloc(2 * MOST * words * sizeof *level), *seen = malloc(MOST * sizeof *seen);
    assert_true(level != NULL && seen != NULL);
    memcpy(level, alea_cursor_state(t.cursor, &words), words * sizeof *level);
    size_t count = 1;
    for (unsigned die = 0; die < (a == b ? 4u : 2u); die++) {
      uint64_t *from = level + (die % 2) * MOST * words, *to = level + (1 - die % 2) * MOST * words;
      size_t reached = 0;
      for (size_t i = 0; i < count; i++) {
        alea_list legal;
        assert_int_equal(alea_cursor_load(t.cursor, from + i * words, words), ALEA_OK);
        assert_int_equal(alea_cursor_legal(t.cursor, 0, &legal), ALEA_OK);
        uint32_t moves[64], options = legal.count;
        assert_true(options <= 64);
        memcpy(moves, legal.ids, options * sizeof *moves);
        for (uint32_t k = 0; k < options; k++) {
          assert_int_equal(alea_cursor_load(t.cursor, from + i * words, words), ALEA_OK);
          alea_move joint[3] = {moves[k], 0, 0};
          for (uint32_t r = 1; r < 3; r++) {
            assert_int_equal(alea_cursor_legal(t.cursor, r, &legal), ALEA_OK);
            joint[r] = legal.ids[0];
          }
          assert_int_equal(alea_cursor_play(t.cursor, joint), ALEA_OK);
          uint64_t hash = alea_cursor_hash(t.cursor);
          bool known = false;
          for (size_t s = 0; s < reached && !known; s++) known = seen[s] == hash;
          if (known) continue;
          assert_true(reached < MOST);
          seen[reached] = hash;
          memcpy(to + reached++ * words, alea_cursor_state(t.cursor, &words), words * sizeof *to);
        }
      }
      count = reached;
    }
    if (count != expected) fail_msg("%u-%u leads to %zu positions, not %u", a, b, count, expected);
    free(level);
    free(seen);
    rows++;
  }
  assert_int_equal(rows, 21);
  fclose(file);
  table_close(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sequences),      cmocka_unit_test(positions),
      cmocka_unit_test(values),         cmocka_unit_test(yahtzee_odds),
      cmocka_unit_test(cant_stop_odds), cmocka_unit_test(backgammon_openings),
  };
  return cmocka_run_group_tests_name("game_facts", tests, NULL, NULL);
}
