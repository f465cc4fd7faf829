/* The duties of backgammon's rulesheet against a plain move generator: both
 * dice must be played if they can be, else the larger if it can be. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "game/listing.h"
#include "match/open.h"

enum { OFF = 0, BAR = 25, PLAYS = 400, MOST_STEPS = 4000 };

/* The men by their pips to the end, as the one to move counts them. */
typedef struct board {
  int mine[26]; /* [OFF] are borne off, [BAR] wait */
  int theirs[26];
  int dice[7]; /* how many of each are left */
  unsigned mover;
} board;

static void read_board(alea_listing *fluents, board *b) {
  memset(b, 0, sizeof *b);
  for (size_t i = 0; i < fluents->items.count; i++)
    if (strcmp(fluents->items.data[i], "(control black)") == 0) b->mover = 1;
  static const char *const names[] = {"white", "black"};
  for (size_t i = 0; i < fluents->items.count; i++) {
    const char *text = fluents->items.data[i];
    char who[8];
    int point, count;
    if (sscanf(text, "(dice %d %d)", &point, &count) == 2) b->dice[point] = count;
    if (sscanf(text, "(bar %7s %d)", who, &count) == 2 && strcmp(who, names[b->mover]) == 0)
      b->mine[BAR] = count;
    if (sscanf(text, "(men %d %7s %d)", &point, who, &count) != 3) continue;
    int pips = b->mover == 0 ? point : 25 - point;
    *(strcmp(who, names[b->mover]) == 0 ? &b->mine[pips] : &b->theirs[pips]) = count;
  }
}

/* Plays one die from a place; false where the rules of the game forbid it. */
static bool step(board *b, int from, int die) {
  int to = from - die, last = BAR;
  if (b->mine[from] == 0 || (from != BAR && b->mine[BAR] > 0)) return false;
  while (b->mine[last] == 0) last--;
  if (to > OFF && b->theirs[to] > 1) return false;
  if (to <= OFF && (last > 6 || (to < OFF && last > from))) return false;
  if (to < OFF) to = OFF;
  b->mine[from]--;
  b->mine[to]++;
  b->theirs[to] = 0;
  b->dice[die]--;
  return true;
}

/* How many dice can be played from here at most; who is home wants no more. */
static int most_dice(const board *b) {
  int best = 0, left = 0;
  for (int pips = 1; pips <= BAR; pips++) left += b->mine[pips];
  if (left == 0) return 4;
  for (int die = 1; die <= 6; die++) {
    for (int from = 1; b->dice[die] > 0 && from <= BAR; from++) {
      board after = *b;
      if (!step(&after, from, die)) continue;
      int count = 1 + most_dice(&after);
      if (count > best) best = count;
      if (best >= 4) return best;
    }
  }
  return best;
}

/* The plays that are allowed: those that leave as much as possible to play,
 * and if that is one of two dice, those of the larger. */
static size_t allowed(const board *b, bool moves[7][26]) {
  int worth[7][26] = {{0}}, best = 0, largest = 0;
  size_t count = 0;
  memset(moves, 0, sizeof(bool[7][26]));
  for (int die = 1; die <= 6; die++) {
    for (int from = 1; b->dice[die] > 0 && from <= BAR; from++) {
      board after = *b;
      if (!step(&after, from, die)) continue;
      worth[die][from] = 1 + most_dice(&after);
      if (worth[die][from] > best) best = worth[die][from];
      largest = die;
    }
  }
  int dice = 0;
  for (int die = 1; die <= 6; die++) dice += b->dice[die];
  if (best > dice) best = dice; /* home */
  for (int die = 1; die <= 6; die++)
    for (int from = 1; from <= BAR; from++) {
      if (worth[die][from] == 0 || worth[die][from] < best || (best == 1 && die != largest))
        continue;
      moves[die][from] = true;
      count++;
    }
  return count;
}

/* Whether the two ways to see the position agree; 'bound' tells whether a duty
 * took moves away. */
static void compare(const board *b, const alea_listing *legal, bool *bound) {
  bool moves[7][26];
  size_t count = allowed(b, moves), free_moves = 0;
  for (int die = 1; die <= 6; die++)
    for (int from = 1; from <= BAR; from++) {
      board after = *b;
      free_moves += b->dice[die] > 0 && step(&after, from, die);
    }
  *bound = count < free_moves;
  if (count == 0) {
    assert_int_equal(legal->items.count, 1);
    assert_string_equal(legal->items.data[0], "pass");
    return;
  }
  if (legal->items.count != count)
    fail_msg("%zu moves, %zu are allowed", legal->items.count, count);
  for (size_t i = 0; i < legal->items.count; i++) {
    int point, die, from = BAR;
    if (sscanf(legal->items.data[i], "(move %d %d)", &point, &die) == 2)
      from = b->mover == 0 ? point : 25 - point;
    else
      assert_int_equal(sscanf(legal->items.data[i], "(move bar %d)", &die), 1);
    if (!moves[die][from]) fail_msg("%s is not allowed", legal->items.data[i]);
  }
}

static void random_step(const alea_game *game, alea_cursor *cursor, alea_rng *rng) {
  alea_move joint[3];
  for (uint32_t r = 0; r < game->role_count; r++) {
    alea_list legal;
    assert_int_equal(alea_cursor_legal(cursor, r, &legal), ALEA_OK);
    joint[r] = legal.ids[alea_rng_below(rng, legal.count)];
  }
  assert_int_equal(alea_cursor_play(cursor, joint), ALEA_OK);
}

static void duties(void **state) {
  (void)state;
  alea_opened opened;
  alea_open_options options = {.engine = ALEA_ENGINE_NET};
  assert_int_equal(alea_open(&opened, "backgammon", &options, NULL), ALEA_OK);
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_cursor *cursor;
  assert_int_equal(alea_cursor_new(opened.game, &mem, &cursor), ALEA_OK);
  alea_listing fluents, legal;
  alea_listing_init(&fluents, &mem);
  alea_listing_init(&legal, &mem);
  alea_rng rng;
  alea_rng_seed(&rng, 5);
  size_t seen = 0, bound_in = 0;
  for (unsigned play = 0; play < PLAYS; play++) {
    assert_int_equal(alea_cursor_reset(cursor), ALEA_OK);
    bool over = false;
    for (unsigned steps = 0; !over && steps < MOST_STEPS; steps++) {
      board b;
      assert_int_equal(alea_listing_fluents(&fluents, cursor), ALEA_OK);
      read_board(&fluents, &b);
      bool throwing = true, bound;
      for (int die = 1; die <= 6; die++) throwing = throwing && b.dice[die] == 0;
      if (!throwing) {
        assert_int_equal(alea_listing_legal(&legal, cursor, b.mover), ALEA_OK);
        compare(&b, &legal, &bound);
        seen++;
        bound_in += bound;
      }
      random_step(opened.game, cursor, &rng);
      assert_int_equal(alea_cursor_terminal(cursor, &over), ALEA_OK);
    }
  }
  print_message("%zu positions, a duty in %zu\n", seen, bound_in);
  assert_true(bound_in > 50);
  alea_listing_clear(&fluents);
  alea_listing_clear(&legal);
  alea_cursor_free(cursor);
  assert_int_equal(mem.used, 0);
  alea_opened_clear(&opened);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(duties)};
  return cmocka_run_group_tests_name("backgammon", tests, NULL, NULL);
}
