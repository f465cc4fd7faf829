/* What a role knows, against all positions that agree with what it did and saw. */
#include <string.h>

#include "cmocka_all.h"
#include "game/position.h"
#include "match/knowledge.h"
#include "match/open.h"

enum { MOST_POSITIONS = 20000 };

typedef struct possible_position {
  alea_u64s words;
} possible_position;
typedef ALEA_VEC(possible_position) positions;

typedef struct world {
  alea_mem mem;
  const alea_game *game;
  uint32_t role;
  alea_cursor *cursor;
  positions now, next;
  bool too_many;
} world;

static void clear_positions(world *w, positions *all) {
  for (size_t i = 0; i < all->count; i++) alea_vec_clear(&w->mem, &all->data[i].words);
  all->count = 0;
}

static void add_position(world *w, positions *all) {
  possible_position fresh = {0};
  assert_int_equal(alea_position_keep(&fresh.words, w->cursor, &w->mem), ALEA_OK);
  for (size_t i = 0; i < all->count; i++) {
    const alea_u64s *old = &all->data[i].words;
    if (old->count == fresh.words.count &&
        memcmp(old->data, fresh.words.data, old->count * sizeof *old->data) == 0) {
      alea_vec_clear(&w->mem, &fresh.words);
      return;
    }
  }
  w->too_many = w->too_many || all->count >= MOST_POSITIONS;
  assert_true(alea_vec_push(&w->mem, all, fresh));
}

static bool same_percepts(alea_list a, const alea_u32s *b) {
  if (a.count != b->count) return false;
  for (uint32_t i = 0; i < a.count; i++)
    if (!alea_list_has((alea_list){b->data, (uint32_t)b->count}, a.ids[i])) return false;
  return true;
}

/* All joint moves from one position, the role's own given. */
static void expand(world *w, const alea_u64s *from, alea_move own, const alea_u32s *seen,
                   alea_move *joint, uint32_t role) {
  alea_list legal;
  assert_int_equal(alea_cursor_load(w->cursor, from->data, from->count), ALEA_OK);
  if (role == w->game->role_count) {
    assert_int_equal(alea_cursor_play(w->cursor, joint), ALEA_OK);
    assert_int_equal(alea_cursor_percepts(w->cursor, w->role, &legal), ALEA_OK);
    if (same_percepts(legal, seen)) add_position(w, &w->next);
    return;
  }
  assert_int_equal(alea_cursor_legal(w->cursor, role, &legal), ALEA_OK);
  alea_u32s moves = {0};
  for (uint32_t i = 0; i < legal.count; i++)
    if (role != w->role || legal.ids[i] == own)
      assert_true(alea_vec_push(&w->mem, &moves, legal.ids[i]));
  for (size_t i = 0; i < moves.count && !w->too_many; i++) {
    joint[role] = moves.data[i];
    expand(w, from, own, seen, joint, role + 1);
  }
  alea_vec_clear(&w->mem, &moves);
}

static void step(world *w, alea_move own, const alea_u32s *seen) {
  alea_move joint[8];
  clear_positions(w, &w->next);
  for (size_t i = 0; i < w->now.count && !w->too_many; i++) {
    bool over;
    assert_int_equal(
        alea_cursor_load(w->cursor, w->now.data[i].words.data, w->now.data[i].words.count),
        ALEA_OK);
    assert_int_equal(alea_cursor_terminal(w->cursor, &over), ALEA_OK);
    if (!over) expand(w, &w->now.data[i].words, own, seen, joint, 0);
  }
  positions now = w->now;
  w->now = w->next;
  w->next = now;
}

/* Lists what holds in all positions that are not over, and in some. */
static void list_known(world *w, alea_listing *known, alea_listing *possible) {
  alea_u32s counts = {0}, chosen = {0};
  uint32_t open = 0;
  for (size_t i = 0; i < w->now.count; i++) {
    bool over;
    alea_list fluents;
    const alea_u64s *words = &w->now.data[i].words;
    assert_int_equal(alea_cursor_load(w->cursor, words->data, words->count), ALEA_OK);
    assert_int_equal(alea_cursor_terminal(w->cursor, &over), ALEA_OK);
    if (over) continue;
    open++;
    assert_int_equal(alea_cursor_fluents(w->cursor, &fluents), ALEA_OK);
    for (uint32_t f = 0; f < fluents.count; f++) {
      while (counts.count <= fluents.ids[f]) assert_true(alea_vec_push(&w->mem, &counts, 0u));
      counts.data[fluents.ids[f]]++;
    }
  }
  for (int all = 1; all >= 0; all--) {
    chosen.count = 0;
    for (uint32_t f = 0; f < counts.count; f++)
      if (counts.data[f] > 0 && (counts.data[f] == open) == (all == 1))
        assert_true(alea_vec_push(&w->mem, &chosen, f));
    alea_list list = {chosen.data, (uint32_t)chosen.count};
    assert_int_equal(alea_listing_of_fluents(all ? known : possible, w->game, list), ALEA_OK);
  }
  alea_vec_clear(&w->mem, &counts);
  alea_vec_clear(&w->mem, &chosen);
}

static void assert_same(const alea_listing *got, const alea_listing *expected) {
  for (size_t i = 0; i < got->items.count && i < expected->items.count; i++)
    assert_string_equal(got->items.data[i], expected->items.data[i]);
  assert_int_equal(got->items.count, expected->items.count);
}

/* A random play; returns the positions compared. */
static uint32_t play_once(world *w, const alea_opened *opened, uint64_t seed) {
  alea_player_setup setup = {.game = opened->game, .role = w->role, .seed = seed, .mem = &w->mem};
  alea_knowledge knowledge;
  alea_listing known, possible;
  alea_cursor *truth;
  alea_rng rng;
  alea_u32s seen = {0};
  uint32_t compared = 0;
  alea_rng_seed(&rng, seed);
  alea_listing_init(&known, &w->mem);
  alea_listing_init(&possible, &w->mem);
  assert_int_equal(alea_knowledge_init(&knowledge, &setup), ALEA_OK);
  assert_int_equal(alea_cursor_new(opened->game, &w->mem, &truth), ALEA_OK);
  assert_int_equal(alea_cursor_reset(w->cursor), ALEA_OK);
  w->too_many = false;
  clear_positions(w, &w->now);
  add_position(w, &w->now);
  for (bool over = false; !over && !w->too_many;) {
    alea_move joint[8];
    for (uint32_t r = 0; r < w->game->role_count; r++) {
      alea_list legal;
      assert_int_equal(alea_cursor_legal(truth, r, &legal), ALEA_OK);
      joint[r] = legal.ids[alea_rng_below(&rng, legal.count)];
    }
    assert_int_equal(alea_cursor_play(truth, joint), ALEA_OK);
    assert_int_equal(alea_cursor_terminal(truth, &over), ALEA_OK);
    alea_observation observed = {.own = joint[w->role]};
    assert_int_equal(alea_cursor_percepts(truth, w->role, &observed.percepts), ALEA_OK);
    seen.count = 0;
    for (uint32_t i = 0; i < observed.percepts.count; i++)
      assert_true(alea_vec_push(&w->mem, &seen, observed.percepts.ids[i]));
    assert_int_equal(alea_knowledge_observe(&knowledge, &observed), ALEA_OK);
    step(w, joint[w->role], &seen);
    if (over || w->too_many) break;
    assert_int_equal(alea_knowledge_list(&knowledge), ALEA_OK);
    list_known(w, &known, &possible);
    assert_same(&knowledge.known, &known);
    assert_same(&knowledge.possible, &possible);
    compared++;
  }
  alea_vec_clear(&w->mem, &seen);
  alea_cursor_free(truth);
  alea_knowledge_clear(&knowledge);
  alea_listing_clear(&known);
  alea_listing_clear(&possible);
  return compared;
}

static void knows_what_agrees_with_all_it_saw(void **state) {
  (void)state;
  static const struct {
    const char *game;
    uint64_t plays;
  } games[] = {{"kuhn-poker", 20},    {"blind-tictactoe", 8}, {"guess-dice", 5},
               {"monty-hall", 10},    {"mastermind", 5},      {"leduc-poker", 10},
               {"vacuum-cleaner", 1}, {"liars-dice", 5}};
  for (size_t g = 0; g < sizeof games / sizeof *games; g++) {
    alea_opened opened;
    alea_open_options options = {.ground_seconds = 60};
    assert_int_equal(alea_open(&opened, games[g].game, &options, NULL), ALEA_OK);
    world w = {.game = opened.game};
    alea_mem_init(&w.mem, 0);
    assert_int_equal(alea_cursor_new(opened.game, &w.mem, &w.cursor), ALEA_OK);
    uint32_t compared = 0;
    for (uint64_t seed = 1; seed <= games[g].plays; seed++) {
      w.role = (uint32_t)(seed % w.game->role_count);
      if ((int)w.role == w.game->random_role) w.role = (w.role + 1) % w.game->role_count;
      compared += play_once(&w, &opened, seed);
    }
    print_message("%s: %u positions\n", games[g].game, compared);
    assert_true(compared > 0);
    clear_positions(&w, &w.now);
    clear_positions(&w, &w.next);
    alea_vec_clear(&w.mem, &w.now);
    alea_vec_clear(&w.mem, &w.next);
    alea_cursor_free(w.cursor);
    assert_int_equal(w.mem.used, 0);
    alea_opened_clear(&opened);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(knows_what_agrees_with_all_it_saw)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
