/* Symmetries are sound: for each generator and random states, legal moves,
 * successors, ends and goals commute with the permutation.
 *
 * Environment:
 *   ALEA_FULL=1         every game, shipped or of the corpus, and 1,000 states
 *                       for each generator
 *   ALEA_SYMMETRY_ONLY  then: only rulesheets whose name contains this
 *   ALEA_SYMMETRY_LOG   then: a file that gets a line per game; what has one
 *                       already is not run again */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "propnet/propnet.h"
#include "support/least.h"
#include "support/load.h"
#include "symmetry/symmetry.h"

typedef struct subject {
  alea_mem mem;
  alea_symmetry *symmetry;
  alea_game *game;
} subject;

static subject *at_hand; /* make_game has no place for it */

/* The symmetries as players get them, and the game on the same ground rules. */
static alea_status make_subject(alea_game **game, alea_program *program, alea_mem *mem,
                                alea_diag *diag) {
  /* images need not be reachable, so the net may take nothing for granted */
  alea_net_options every_rule = {.plain = true, .any_move = true};
  alea_deadline deadline = {.thread_at = alea_clock_thread() + 10};
  alea_symmetry_options few = {.deadline = &deadline};
  alea_ground *grounds[2] = {NULL, NULL};
  alea_net *net = NULL;
  bool plain;
  alea_status status =
      alea_symmetry_of_rules(&at_hand->symmetry, grounds, &plain, program, &few, mem);
  alea_program_free(program);
  if (status == ALEA_OK && at_hand->symmetry->generator_count > 0)
    status = alea_net_new(&net, grounds[plain], &every_rule, mem, diag);
  for (int i = 0; i < 2; i++) alea_ground_free(grounds[i]);
  return net != NULL ? alea_net_game_new(game, net, mem) : status;
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

/* One random play beside its image; returns how many states were compared. */
static unsigned play_mirrored(const subject *s, const uint32_t *permutation, pair *p) {
  size_t count;
  assert_int_equal(alea_cursor_reset(p->plain), ALEA_OK);
  const uint64_t *words = alea_cursor_state(p->plain, &count);
  uint64_t *image = calloc(count + 1, sizeof *image);
  alea_symmetry_map_state(s->symmetry, permutation, words, image);
  assert_int_equal(alea_cursor_load(p->mirrored, image, count), ALEA_OK);
  free(image);
  for (unsigned step = 1; step <= 200; step++) {
    check_images(s, permutation, p, count);
    if (!check_step(s, permutation, p)) return step;
  }
  return 200;
}

static bool full(void) { return getenv("ALEA_FULL") != NULL; }

enum { MOST_SECONDS = 20 }; /* of CPU time for one game */

/* Returns the states that were compared, of all generators together; '*whole'
 * says whether there was time for all of them. */
static unsigned long check_generators(subject *s, bool *whole) {
  unsigned long sum = 0, enough = full() ? 1000 : 200;
  double until = alea_clock_thread() + MOST_SECONDS;
  *whole = true;
  if (s->symmetry->generator_count == 0) return 0;
  pair p = {0};
  alea_rng_seed(&p.rng, 1);
  assert_int_equal(alea_cursor_new(s->game, &s->mem, &p.plain), ALEA_OK);
  assert_int_equal(alea_cursor_new(s->game, &s->mem, &p.mirrored), ALEA_OK);
  uint32_t points = alea_symmetry_points(s->symmetry);
  for (uint32_t g = 0; g < s->symmetry->generator_count && *whole; g++) {
    unsigned long states = 0;
    *whole = alea_clock_thread() < until;
    while (states < enough)
      states += play_mirrored(s, s->symmetry->generators + (size_t)g * points, &p);
    sum += states;
  }
  alea_cursor_free(p.plain);
  alea_cursor_free(p.mirrored);
  return sum;
}

static void known_orders(void **state) {
  (void)state;
  static const struct {
    const char *file;
    double order;
  } known[] = {{"tictactoe", 8},
               {"connect-four", 2},
               {"breakthrough", 2},
               {"amazons", 8},
               {"sheep-and-wolf", 1} /* four turns in a ring, which cannot be walked backwards */};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    subject s;
    char path[512];
    snprintf(path, sizeof path, ALEA_SOURCE_DIR "/games/%s.kif", known[i].file);
    assert_true(open_subject(&s, path));
    print_message("%s: order %g\n", known[i].file, s.symmetry->order);
    assert_true(s.symmetry->order == known[i].order);
    bool whole;
    assert_true((check_generators(&s, &whole) > 0) == (known[i].order > 1) && whole);
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

/* ---- all games ---- */

static int is_rulesheet(const struct dirent *entry) {
  const char *only = getenv("ALEA_SYMMETRY_ONLY");
  return strstr(entry->d_name, ".kif") != NULL &&
         (only == NULL || strstr(entry->d_name, only) != NULL);
}

static bool is_logged(const char *path) {
  const char *log = getenv("ALEA_SYMMETRY_LOG");
  FILE *file = log != NULL ? fopen(log, "r") : NULL;
  char line[2048];
  size_t length = strlen(path);
  bool found = false;
  while (file != NULL && !found && fgets(line, sizeof line, file) != NULL)
    found = strncmp(line, path, length) == 0 && line[length] == '\t';
  if (file != NULL) fclose(file);
  return found;
}

static void note(const char *path, const subject *s, bool open, unsigned long states, bool whole) {
  const char *log = getenv("ALEA_SYMMETRY_LOG");
  FILE *file = log != NULL ? fopen(log, "a") : NULL;
  if (file == NULL) return;
  if (open)
    fprintf(file, "%s\torder %g\t%u generators\t%lu states\t%s\n", path, s->symmetry->order,
            s->symmetry->generator_count, states, whole ? "whole" : "cut");
  else
    fprintf(file, "%s\tnot opened\n", path);
  fclose(file);
}

typedef struct tally {
  unsigned opened, games, generators;
  unsigned long states;
} tally;

static void check_rulesheet(const char *path, tally *sum) {
  subject s;
  bool open = open_subject(&s, path);
  bool whole = true;
  unsigned long states = open ? check_generators(&s, &whole) : 0;
  if (full()) note(path, &s, open, states, whole);
  sum->opened += open;
  sum->games += states > 0;
  sum->generators += open ? s.symmetry->generator_count : 0;
  sum->states += states;
  close_subject(&s);
}

/* Of so many rulesheets one is taken. */
static void check_folder(const char *folder, int every) {
  struct dirent **entries;
  int count = scandir(folder, &entries, is_rulesheet, alphasort);
  if (count < 0) {
    print_message("skipped: nothing at %s\n", folder);
    skip();
  }
  tally sum = {0};
  unsigned logged = 0;
  for (int i = 0; i < count; i++) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
    free(entries[i]);
    if (i % every != 0) continue;
    if (full() && is_logged(path))
      logged++;
    else
      check_rulesheet(path, &sum);
  }
  free(entries);
  print_message("%u opened, %u with symmetries: %u generators, %lu states\n", sum.opened, sum.games,
                sum.generators, sum.states);
  if (logged > 0) return;
  expect_at_least(10, sum.opened, "games", "ALEA_SYMMETRY_ONLY");
  expect_at_least(1000, sum.states, "states", "ALEA_SYMMETRY_ONLY");
}

static void shipped_is_sound(void **state) {
  (void)state;
  if (!full()) skip(); /* some of them are in test_mirror.c */
  check_folder(ALEA_SOURCE_DIR "/games", 1);
}

static void corpus_is_sound(void **state) {
  (void)state;
  check_folder(ALEA_SHARED_DIR "/corpus/games", full() ? 1 : 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(known_orders),
      cmocka_unit_test(canonical_forms),
      cmocka_unit_test(shipped_is_sound),
      cmocka_unit_test(corpus_is_sound),
  };
  return cmocka_run_group_tests_name("symmetry", tests, NULL, NULL);
}
