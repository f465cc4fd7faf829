/* Symmetries are sound: for each generator and random states, legal moves,
 * successors, ends and goals commute with the permutation. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "propnet/propnet.h"
#include "scsp/symmetry.h"
#include "support/load.h"

typedef struct subject {
  alea_mem mem;
  alea_symmetry *symmetry;
  alea_game *game;
} subject;

static subject *at_hand; /* make_game has no place for it */

/* The game, and from the rules as written its symmetries. */
static alea_status make_subject(alea_game **game, alea_program *program, alea_mem *mem,
                                alea_diag *diag) {
  alea_deadline deadline = alea_deadline_in(20);
  alea_ground_options options = {.deadline = &deadline, .plain = true, .max_instances = 1000000};
  alea_symmetry_options few = {.deadline = &deadline};
  alea_ground *ground = NULL;
  alea_net *net = NULL;
  alea_status status = alea_ground_new(&ground, program, &options, mem, diag);
  alea_program_free(program);
  if (status == ALEA_OK) status = alea_symmetry_new(&at_hand->symmetry, ground, &few, mem);
  if (status == ALEA_OK) status = alea_net_new(&net, ground, NULL, mem, diag);
  alea_ground_free(ground);
  return status == ALEA_OK ? alea_net_game_new(game, net, mem) : status;
}

static bool open_subject(subject *s, const char *path) {
  *s = (subject){0};
  alea_mem_init(&s->mem, 0);
  at_hand = s;
  return load_game(path, make_subject, &s->mem, &s->game) == ALEA_OK;
}

static void close_subject(subject *s) {
  alea_game_free(s->game);
  alea_symmetry_free(s->symmetry);
  assert_int_equal(s->mem.used, 0);
}

/* Where a move of 'role' goes; moves of a role are numbered from 'first'. */
static alea_move map_move(const subject *s, const uint32_t *permutation, uint32_t first,
                          alea_move move) {
  uint32_t point = s->symmetry->fluent_count + first + move;
  return permutation[point] - s->symmetry->fluent_count - first;
}

static bool is_legal(alea_cursor *cursor, uint32_t role, alea_move move) {
  alea_list list;
  assert_int_equal(alea_cursor_legal(cursor, role, &list), ALEA_OK);
  for (uint32_t i = 0; i < list.count; i++)
    if (list.ids[i] == move) return true;
  return false;
}

typedef struct pair {
  alea_cursor *plain, *mirrored;
  alea_rng rng;
} pair;

/* The two cursors stand at a state and its image.  Compares them, and plays a
 * random joint move and its image.  False at the end of the game. */
static bool check_step(const subject *s, const uint32_t *permutation, pair *p) {
  alea_move joint[64], image[64];
  bool end, other;
  assert_int_equal(alea_cursor_terminal(p->plain, &end), ALEA_OK);
  assert_int_equal(alea_cursor_terminal(p->mirrored, &other), ALEA_OK);
  assert_true(end == other);
  uint32_t first = 0;
  for (uint32_t r = 0; r < s->game->role_count; r++) {
    int a, b;
    assert_int_equal(alea_cursor_goal(p->plain, r, &a), ALEA_OK);
    assert_int_equal(alea_cursor_goal(p->mirrored, r, &b), ALEA_OK);
    assert_int_equal(a, b);
    if (end) continue;
    alea_list list, mirrored;
    assert_int_equal(alea_cursor_legal(p->mirrored, r, &mirrored), ALEA_OK);
    assert_int_equal(alea_cursor_legal(p->plain, r, &list), ALEA_OK);
    assert_int_equal(list.count, mirrored.count);
    for (uint32_t i = 0; i < list.count; i++)
      assert_true(is_legal(p->mirrored, r, map_move(s, permutation, first, list.ids[i])));
    if (list.count == 0) return false;
    joint[r] = list.ids[alea_rng_below(&p->rng, list.count)];
    image[r] = map_move(s, permutation, first, joint[r]);
    first += alea_game_move_count(s->game, r);
  }
  if (end) return false;
  assert_int_equal(alea_cursor_play(p->plain, joint), ALEA_OK);
  assert_int_equal(alea_cursor_play(p->mirrored, image), ALEA_OK);
  return true;
}

static void check_images(const subject *s, const uint32_t *permutation, pair *p, size_t count) {
  size_t again;
  uint64_t *image = calloc(count + 1, sizeof *image);
  alea_symmetry_map_state(s->symmetry, permutation, alea_cursor_state(p->plain, &again), image);
  assert_memory_equal(image, alea_cursor_state(p->mirrored, &again), count * sizeof *image);
  free(image);
}

static void play_mirrored(const subject *s, const uint32_t *permutation, pair *p) {
  size_t count;
  assert_int_equal(alea_cursor_reset(p->plain), ALEA_OK);
  const uint64_t *words = alea_cursor_state(p->plain, &count);
  uint64_t *image = calloc(count + 1, sizeof *image);
  alea_symmetry_map_state(s->symmetry, permutation, words, image);
  assert_int_equal(alea_cursor_load(p->mirrored, image, count), ALEA_OK);
  free(image);
  for (int step = 0; step < 60; step++) {
    check_images(s, permutation, p, count);
    if (!check_step(s, permutation, p)) return;
  }
}

static unsigned check_generators(subject *s) {
  pair p = {0};
  alea_rng_seed(&p.rng, 1);
  assert_int_equal(alea_cursor_new(s->game, &s->mem, &p.plain), ALEA_OK);
  assert_int_equal(alea_cursor_new(s->game, &s->mem, &p.mirrored), ALEA_OK);
  uint32_t points = alea_symmetry_points(s->symmetry);
  for (uint32_t g = 0; g < s->symmetry->generator_count; g++)
    for (int play = 0; play < 20; play++)
      play_mirrored(s, s->symmetry->generators + (size_t)g * points, &p);
  alea_cursor_free(p.plain);
  alea_cursor_free(p.mirrored);
  return s->symmetry->generator_count;
}

static void known_orders(void **state) {
  (void)state;
  static const struct {
    const char *file;
    double order;
  } known[] = {{"tictactoe", 8}, {"connect-four", 2}, {"breakthrough", 2}, {"amazons", 8}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    subject s;
    char path[512];
    snprintf(path, sizeof path, ALEA_SOURCE_DIR "/games/%s.kif", known[i].file);
    assert_true(open_subject(&s, path));
    print_message("%s: order %g\n", known[i].file, s.symmetry->order);
    assert_true(s.symmetry->order == known[i].order);
    check_generators(&s);
    close_subject(&s);
  }
}

/* All images of a state have one canonical form. */
static void canonical_forms(void **state) {
  (void)state;
  subject s;
  assert_true(open_subject(&s, ALEA_SOURCE_DIR "/games/tictactoe.kif"));
  const alea_symmetry *y = s.symmetry;
  uint64_t words[8] = {0x9 | 1u << 20}, image[8] = {0}, first[8] = {0}, other[8] = {0}, room[8];
  alea_symmetry_canonical(y, words, first, room);
  for (uint32_t e = 0; e < y->element_count; e++) {
    const uint32_t *element = y->elements + (size_t)e * alea_symmetry_points(y);
    alea_symmetry_map_state(y, element, words, image);
    uint32_t by = alea_symmetry_canonical(y, image, other, room);
    assert_memory_equal(first, other, (y->fluent_count + 63) / 64 * sizeof *first);
    alea_symmetry_map_state(y, y->elements + (size_t)by * alea_symmetry_points(y), image, room);
    assert_memory_equal(room, other, (y->fluent_count + 63) / 64 * sizeof *room);
  }
  close_subject(&s);
}

static int is_rulesheet(const struct dirent *entry) {
  return strstr(entry->d_name, ".kif") != NULL;
}

static void corpus_is_sound(void **state) {
  (void)state;
  struct dirent **entries;
  int count = scandir(ALEA_SHARED_DIR "/corpus/games", &entries, is_rulesheet, alphasort);
  if (count < 0) {
    print_message("no corpus at " ALEA_SHARED_DIR "/corpus\n");
    skip();
  }
  unsigned games = 0, generators = 0;
  for (int i = 0; i < count; i++) {
    subject s;
    char path[1024];
    snprintf(path, sizeof path, ALEA_SHARED_DIR "/corpus/games/%s", entries[i]->d_name);
    free(entries[i]);
    /* Some of them: the rest is for longer runs. */
    if (i % 20 != 0 && getenv("ALEA_FULL") == NULL) continue;
    bool open = open_subject(&s, path);
    unsigned found = open ? check_generators(&s) : 0;
    games += found > 0;
    generators += found;
    close_subject(&s);
  }
  free(entries);
  print_message("%u games with symmetries, %u generators\n", games, generators);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(known_orders),
      cmocka_unit_test(canonical_forms),
      cmocka_unit_test(corpus_is_sound),
  };
  return cmocka_run_group_tests_name("symmetry", tests, NULL, NULL);
}
