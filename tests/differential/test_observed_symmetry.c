/* Symmetries that leave what a role did and saw as it is, found from one witness a
 * step, against all positions that the role may be in, listed with their
 * probabilities: each such symmetry maps the list to itself.  And they are of use:
 * moves are joined after the first step, too. */
#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "cmocka_all.h"
#include "encode/services.h"
#include "play/observed_symmetry.h"
#include "support/match_run.h"

enum {
  MOST_POSITIONS = 1 << 14,
  MOST_WORDS = 4,
  MOST_ROLES = 4,
  MOST_STEPS = 12,
  MOST_MOVES = 512
};

typedef struct possible {
  uint64_t words[MOST_WORDS];
  double weight;
} possible;

/* What the role takes for possible, exactly. */
typedef struct possible_set {
  possible list[MOST_POSITIONS];
  size_t count;
} possible_set;

typedef struct observer {
  alea_opened opened;
  alea_mem mem;
  alea_player_setup setup;
  alea_belief belief;
  alea_observed_symmetry observed;
  const alea_game_symmetry *symmetry;
  alea_cursor *real, *scratch;
  alea_rng rng;
  possible_set now, next;
  size_t width;
  bool overflow; /* too many positions to list */
  uint32_t joined, others;
} observer;

static possible *find(possible_set *set, const uint64_t *words, size_t width) {
  for (size_t i = 0; i < set->count; i++)
    if (memcmp(set->list[i].words, words, width * sizeof *words) == 0) return &set->list[i];
  return NULL;
}

static void add(observer *o, const uint64_t *words, double weight) {
  possible *there = find(&o->next, words, o->width);
  if (there == NULL && o->next.count == MOST_POSITIONS) o->overflow = true;
  if (there == NULL && o->overflow) return;
  if (there == NULL) {
    there = &o->next.list[o->next.count++];
    memcpy(there->words, words, o->width * sizeof *words);
    there->weight = 0;
  }
  there->weight += weight;
}

/* All joint moves at one position, with the own move given. */
static void follow(observer *o, const possible *from, alea_move own, uint64_t seen) {
  uint32_t roles = o->opened.game->role_count, counts[MOST_ROLES];
  static alea_move moves[MOST_ROLES][MOST_MOVES];
  alea_move joint[MOST_ROLES];
  uint64_t all = 1;
  assert_int_equal(alea_cursor_load(o->scratch, from->words, o->width), ALEA_OK);
  for (uint32_t r = 0; r < roles; r++) {
    alea_list list;
    assert_int_equal(alea_cursor_legal(o->scratch, r, &list), ALEA_OK);
    assert_in_range(list.count, 1, MOST_MOVES);
    memcpy(moves[r], list.ids, list.count * sizeof *list.ids);
    counts[r] = r == o->setup.role ? 1 : list.count;
    if (r == o->setup.role) moves[r][0] = own;
    all *= counts[r];
  }
  for (uint64_t j = 0; j < all && !o->overflow; j++) {
    alea_list list;
    size_t count;
    uint64_t rest = j;
    for (uint32_t r = 0; r < roles; r++) joint[r] = moves[r][rest % counts[r]], rest /= counts[r];
    assert_int_equal(alea_cursor_load(o->scratch, from->words, o->width), ALEA_OK);
    assert_int_equal(alea_cursor_play(o->scratch, joint), ALEA_OK);
    assert_int_equal(alea_cursor_percepts(o->scratch, o->setup.role, &list), ALEA_OK);
    if (alea_belief_percepts_hash(list) != seen) continue;
    add(o, alea_cursor_state(o->scratch, &count), from->weight / (double)all);
  }
}

static void drop_ended(observer *o) {
  size_t kept = 0;
  for (size_t i = 0; i < o->now.count; i++) {
    bool end;
    assert_int_equal(alea_cursor_load(o->scratch, o->now.list[i].words, o->width), ALEA_OK);
    assert_int_equal(alea_cursor_terminal(o->scratch, &end), ALEA_OK);
    if (!end) o->now.list[kept++] = o->now.list[i];
  }
  o->now.count = kept;
}

/* Every symmetry that is left maps the list to itself. */
static void compare(observer *o) {
  uint32_t classes[MOST_MOVES];
  alea_move moves[MOST_MOVES];
  alea_list list;
  assert_int_equal(alea_cursor_legal(o->real, o->setup.role, &list), ALEA_OK);
  assert_in_range(list.count, 1, MOST_MOVES);
  memcpy(moves, list.ids, list.count * sizeof *moves);
  uint32_t count = list.count;
  assert_int_equal(alea_observed_symmetry_orbits(&o->observed, o->symmetry, moves, count, classes),
                   ALEA_OK);
  for (uint32_t i = 0; i < count; i++) {
    assert_true(classes[i] <= i && classes[classes[i]] == classes[i]);
    if (o->observed.percepts.count > 0) o->joined += classes[i] != i, o->others += classes[i] == i;
  }
  if (o->observed.lost) return;
  for (uint32_t e = 0; e < o->symmetry->group.element_count; e++) {
    if (!(o->observed.left >> e & 1)) continue;
    for (size_t i = 0; i < o->now.count; i++) {
      uint64_t image[MOST_WORDS];
      alea_game_symmetry_words(o->symmetry, alea_game_symmetry_element(o->symmetry, e),
                               o->now.list[i].words, image);
      const possible *there = find(&o->now, image, o->width);
      assert_non_null(there);
      assert_true(fabs(there->weight - o->now.list[i].weight) < 1e-12);
    }
  }
}

/* A random joint move of the real play, and what it tells. */
static void step(observer *o) {
  alea_move joint[MOST_ROLES];
  alea_list list;
  for (uint32_t r = 0; r < o->opened.game->role_count; r++) {
    assert_int_equal(alea_cursor_legal(o->real, r, &list), ALEA_OK);
    joint[r] = list.ids[alea_rng_below(&o->rng, list.count)];
  }
  assert_int_equal(alea_cursor_play(o->real, joint), ALEA_OK);
  assert_int_equal(alea_cursor_percepts(o->real, o->setup.role, &list), ALEA_OK);
  alea_observation observation = {.own = joint[o->setup.role], .percepts = list};
  assert_int_equal(alea_observed_symmetry_step(&o->observed, &o->belief, &observation), ALEA_OK);
  assert_int_equal(alea_belief_observe(&o->belief, &observation), ALEA_OK);
  o->next.count = 0;
  for (size_t i = 0; i < o->now.count && !o->overflow; i++)
    follow(o, &o->now.list[i], observation.own, alea_belief_percepts_hash(list));
  o->now = o->next;
}

static void play(observer *o, uint64_t seed) {
  bool end = false;
  alea_rng_seed(&o->rng, seed);
  o->setup.seed = seed;
  assert_int_equal(alea_belief_init(&o->belief, &o->setup, 50), ALEA_OK);
  assert_int_equal(alea_observed_symmetry_init(&o->observed, &o->setup), ALEA_OK);
  assert_int_equal(alea_cursor_reset(o->real), ALEA_OK);
  const uint64_t *words = alea_cursor_state(o->real, &o->width);
  assert_in_range(o->width, 1, MOST_WORDS);
  o->overflow = false;
  o->next.count = 0;
  add(o, words, 1);
  o->now = o->next;
  for (int i = 0; i < MOST_STEPS && !end; i++) {
    assert_int_equal(alea_belief_ready(&o->belief), ALEA_OK);
    drop_ended(o);
    compare(o);
    step(o);
    if (o->overflow) break;
    assert_int_equal(alea_cursor_terminal(o->real, &end), ALEA_OK);
  }
  alea_observed_symmetry_clear(&o->observed);
  alea_belief_clear(&o->belief);
}

static observer o; /* too large for the stack */

static void check(const char *name, uint64_t plays, bool joins) {
  o = (observer){0};
  open_game(&o.opened, name);
  alea_mem_init(&o.mem, 0);
  uint32_t role = o.opened.game->random_role == 0;
  o.setup = (alea_player_setup){
      .game = o.opened.game, .role = role, .mem = &o.mem, .services = o.opened.services};
  assert_int_equal(
      alea_services_game_symmetry(o.opened.services, ALEA_SYMMETRY_GAME, NULL, &o.symmetry),
      ALEA_OK);
  assert_true(alea_game_symmetry_is_small(o.symmetry));
  assert_int_equal(alea_cursor_new(o.opened.game, &o.mem, &o.real), ALEA_OK);
  assert_int_equal(alea_cursor_new(o.opened.game, &o.mem, &o.scratch), ALEA_OK);
  for (uint64_t seed = 1; seed <= plays; seed++) play(&o, seed);
  print_message("%s, group of %u: %u of %u moves joined with others after the first step\n", name,
                o.symmetry->group.element_count, o.joined, o.joined + o.others);
  assert_true((o.joined > 0) == joins);
  alea_cursor_free(o.real);
  alea_cursor_free(o.scratch);
  assert_int_equal(o.mem.used, 0);
  alea_opened_clear(&o.opened);
}

static void possible_positions(void **state) {
  (void)state;
  check("mastermind", 5, true);
  check("monty-hall", 5, true);
  check("blind-tictactoe", 3, true);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(possible_positions)};
  return cmocka_run_group_tests_name("observed_symmetry", tests, NULL, NULL);
}
