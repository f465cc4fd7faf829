/* Symmetries that the rules do not show: the orders of known games, and what was
 * proved once more by another route, on cursors: in random play, and on small
 * boards in every position.  What is not symmetric must not be proved, even
 * where random play does not notice.
 *
 * Environment: ALEA_FULL=1 compares 1,000,000 states of each game by each
 * generator instead of 2,000, and the positions of twelve steps of pentago on
 * four by four instead of nine. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "cmocka_all.h"
#include "support/load.h"
#include "symmetry/semantic_symmetry.h"

typedef struct subject {
  alea_mem mem;
  alea_ground *ground;
  alea_semantic_symmetry symmetry;
  alea_game *game;
  alea_cursor *plain, *image;
  alea_rng rng;
} subject;

static subject *at_hand; /* make_game has no place for it */

static alea_status make_subject(alea_game **game, alea_program *program, alea_mem *mem,
                                alea_diag *diag) {
  alea_net_options every_rule = {.plain = true, .any_move = true};
  alea_semantic_options options = {.seed = 1, .exchange = true};
  alea_ground *grounds[2] = {NULL, NULL};
  alea_symmetry *graph;
  alea_net *net;
  bool plain;
  assert_int_equal(alea_symmetry_of_rules(&graph, grounds, &plain, program, NULL, mem), ALEA_OK);
  at_hand->ground = grounds[plain];
  alea_ground_free(grounds[!plain]);
  assert_int_equal(alea_net_new(&net, at_hand->ground, &every_rule, mem, diag), ALEA_OK);
  assert_int_equal(alea_semantic_symmetry_init(&at_hand->symmetry, program, at_hand->ground, net,
                                               graph, &options, mem),
                   ALEA_OK);
  alea_symmetry_free(graph);
  alea_program_free(program);
  return alea_net_game_new(game, net, mem);
}

static void open_text(subject *s, const char *text, const char *path) {
  *s = (subject){0};
  alea_mem_init(&s->mem, 0);
  alea_rng_seed(&s->rng, 1);
  at_hand = s;
  assert_int_equal(load_text(text, strlen(text), path, make_subject, &s->mem, &s->game), ALEA_OK);
  assert_int_equal(alea_cursor_new(s->game, &s->mem, &s->plain), ALEA_OK);
  assert_int_equal(alea_cursor_new(s->game, &s->mem, &s->image), ALEA_OK);
}

/* The rulesheet at 'path', with more rules behind it. */
static void open_subject(subject *s, const char *path, const char *more) {
  size_t length;
  char *text = load_file(&length, "%s/%s.kif", ALEA_SOURCE_DIR, path);
  assert_non_null(text);
  char *all = malloc(length + strlen(more) + 1);
  memcpy(all, text, length);
  strcpy(all + length, more);
  open_text(s, all, path);
  free(text);
  free(all);
}

/* A change of a rulesheet: every occurrence of 'old', of which there is one at
 * least. */
typedef struct edit {
  const char *old, *new;
} edit;

static void open_edited(subject *s, const char *path, const edit *edits) {
  size_t length;
  char *text = load_file(&length, "%s/%s.kif", ALEA_SOURCE_DIR, path);
  assert_non_null(text);
  text = realloc(text, 2 * length + 1);
  text[length] = '\0';
  for (const edit *e = edits; e->old != NULL; e++) {
    char *at = strstr(text, e->old);
    if (at == NULL) fail_msg("%s has no '%s'", path, e->old);
    assert_true(strlen(e->new) <= strlen(e->old));
    for (; at != NULL; at = strstr(at + strlen(e->new), e->old)) {
      memmove(at + strlen(e->new), at + strlen(e->old), strlen(at + strlen(e->old)) + 1);
      memcpy(at, e->new, strlen(e->new));
    }
  }
  open_text(s, text, path);
  free(text);
}

static void close_subject(subject *s) {
  alea_cursor_free(s->plain);
  alea_cursor_free(s->image);
  alea_game_free(s->game);
  alea_semantic_symmetry_clear(&s->symmetry);
  alea_ground_free(s->ground);
  assert_int_equal(s->mem.used, 0);
}

static const uint32_t *generator(const subject *s, uint32_t g) {
  return s->symmetry.group.group.generators +
         (size_t)g * (s->ground->fluent_count + s->ground->move_count + s->ground->role_count);
}

static uint32_t role_image(const subject *s, const uint32_t *map, uint32_t role) {
  uint32_t points = s->ground->fluent_count + s->ground->move_count;
  return map[points + role] - points;
}

/* The image of a move, as a move of the image of the role. */
static alea_move move_image(const subject *s, const uint32_t *map, uint32_t role, alea_move move) {
  const alea_ground *g = s->ground;
  uint32_t to = map[g->fluent_count + g->move_first[role] + move] - g->fluent_count;
  return to - g->move_first[role_image(s, map, role)];
}

static void load_image(const subject *s, const uint32_t *map, const uint64_t *words, size_t count) {
  uint64_t *image = calloc(count, sizeof *image);
  alea_symmetry_map_state(s->symmetry.symmetry, map, words, image);
  assert_int_equal(alea_cursor_load(s->image, image, count), ALEA_OK);
  free(image);
}

/* Compares the position of the plain cursor with its image; false at an end. */
static bool compare(const subject *s, const uint32_t *map) {
  bool end, other;
  assert_int_equal(alea_cursor_terminal(s->plain, &end), ALEA_OK);
  assert_int_equal(alea_cursor_terminal(s->image, &other), ALEA_OK);
  assert_true(end == other);
  for (uint32_t r = 0; r < s->game->role_count; r++) {
    uint32_t to = role_image(s, map, r);
    int a, b;
    alea_list list, images;
    assert_int_equal(alea_cursor_goal(s->plain, r, &a), ALEA_OK);
    assert_int_equal(alea_cursor_goal(s->image, to, &b), ALEA_OK);
    if (end) assert_int_equal(a, b);
    if (end) continue;
    assert_int_equal(alea_cursor_legal(s->plain, r, &list), ALEA_OK);
    assert_int_equal(alea_cursor_legal(s->image, to, &images), ALEA_OK);
    assert_int_equal(list.count, images.count);
    for (uint32_t i = 0; i < list.count; i++)
      assert_true(alea_list_has(images, move_image(s, map, r, list.ids[i])));
  }
  return !end;
}

/* Plays a joint move and its image, and compares the states. */
static void step_both(subject *s, const uint32_t *map, const alea_move *joint) {
  alea_move image[8];
  size_t count;
  for (uint32_t r = 0; r < s->game->role_count; r++)
    image[role_image(s, map, r)] = move_image(s, map, r, joint[r]);
  assert_int_equal(alea_cursor_play(s->plain, joint), ALEA_OK);
  assert_int_equal(alea_cursor_play(s->image, image), ALEA_OK);
  const uint64_t *words = alea_cursor_state(s->plain, &count);
  uint64_t *expected = calloc(count, sizeof *expected);
  alea_symmetry_map_state(s->symmetry.symmetry, map, words, expected);
  assert_memory_equal(expected, alea_cursor_state(s->image, &count), count * sizeof *expected);
  free(expected);
}

/* ---- random play ---- */

static unsigned long play_once(subject *s, const uint32_t *map) {
  unsigned long states = 1;
  size_t count;
  assert_int_equal(alea_cursor_reset(s->plain), ALEA_OK);
  const uint64_t *words = alea_cursor_state(s->plain, &count);
  load_image(s, map, words, count);
  for (; compare(s, map) && states < 500; states++) {
    alea_move joint[8];
    for (uint32_t r = 0; r < s->game->role_count; r++) {
      alea_list list;
      assert_int_equal(alea_cursor_legal(s->plain, r, &list), ALEA_OK);
      joint[r] = list.ids[alea_rng_below(&s->rng, list.count)];
    }
    step_both(s, map, joint);
  }
  return states;
}

static void check_random(subject *s, const char *name) {
  unsigned long enough = getenv("ALEA_FULL") != NULL ? 1000000 : 2000, all = 0;
  double start = alea_clock_thread();
  for (uint32_t g = 0; g < s->symmetry.group.group.generator_count; g++) {
    unsigned long states = 0;
    while (states < enough) states += play_once(s, generator(s, g));
    all += states;
  }
  print_message("%s: %lu random states by %u generators, %.1f CPU s\n", name, all,
                s->symmetry.group.group.generator_count, alea_clock_thread() - start);
}

typedef struct known_group {
  const char *game;
  double start, rules, exchange_start, exchange_rules;
} known_group;

static void check_orders(const subject *s, const known_group *known) {
  const alea_semantic_symmetry *y = &s->symmetry;
  print_message("%s: %g of %g, with exchange %g of %g; %u proved\n", known->game, y->kept.start,
                y->kept.rules, y->exchanged.start, y->exchanged.rules, y->proved);
  assert_true(y->kept.start == known->start && y->kept.rules == known->rules);
  assert_true(y->exchanged.start == known->exchange_start &&
              y->exchanged.rules == known->exchange_rules);
  assert_true(y->symmetry->order == known->rules);
}

static void known_games(void **state) {
  (void)state;
  static const known_group known[] = {
      {"games/hex", 2, 2, 4, 4},          {"games/reversi", 4, 8, 8, 16},
      {"games/breakthrough", 2, 2, 4, 4}, {"games/connect-four", 2, 2, 4, 4},
      {"games/tictactoe", 8, 8, 16, 16},  {"games/amazons", 2, 8, 4, 16},
      {"games/pentago", 8, 8, 16, 16},    {"games/english-draughts", 1, 1, 2, 2},
      {"games/majorities", 6, 6, 12, 12}, /* three directions, each in two orders */
      {"games/skirmish", 1, 1, 2, 2},     /* king and queen differ */
      {"games/ttcc4", 1, 1, 1, 1},        /* discs fall, and the corners are turned by half */
      {"games/cant-stop", 2, 2, 4, 4},    /* columns 2 to 12 or 12 to 2 */
  };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    subject s;
    open_subject(&s, known[i].game, "");
    check_orders(&s, &known[i]);
    assert_int_equal(s.symmetry.tested, 0);
    check_random(&s, known[i].game);
    close_subject(&s);
  }
}

/* ---- every position ---- */

typedef struct visited_set {
  uint64_t *words; /* position after position */
  size_t width, count, room;
  uint32_t *slots;
  size_t mask;
} visited_set;

/* Adds a position unless it is there. */
static void visit(visited_set *v, const uint64_t *words) {
  size_t at = alea_hash_bytes(words, v->width * sizeof *words) & v->mask;
  for (; v->slots[at] != 0; at = (at + 1) & v->mask)
    if (memcmp(v->words + (v->slots[at] - 1) * v->width, words, v->width * sizeof *words) == 0)
      return;
  assert_true(v->count < v->room);
  memcpy(v->words + v->count * v->width, words, v->width * sizeof *words);
  v->slots[at] = (uint32_t)++v->count;
}

/* Compares one position with its image, and its successors with theirs. */
static void expand(subject *s, visited_set *v, size_t position, const uint32_t *map) {
  const uint64_t *words = v->words + position * v->width;
  alea_move joint[2];
  alea_list lists[2];
  uint32_t moves[2][64];
  size_t count;
  assert_int_equal(alea_cursor_load(s->plain, words, v->width), ALEA_OK);
  load_image(s, map, words, v->width);
  if (!compare(s, map)) return;
  for (uint32_t r = 0; r < 2; r++) {
    assert_int_equal(alea_cursor_legal(s->plain, r, &lists[r]), ALEA_OK);
    assert_in_range(lists[r].count, 1, 64);
    memcpy(moves[r], lists[r].ids, lists[r].count * sizeof(uint32_t));
  }
  for (uint32_t i = 0; i < lists[0].count; i++)
    for (uint32_t k = 0; k < lists[1].count; k++) {
      joint[0] = moves[0][i], joint[1] = moves[1][k];
      assert_int_equal(alea_cursor_load(s->plain, words, v->width), ALEA_OK);
      load_image(s, map, words, v->width);
      step_both(s, map, joint);
      visit(v, alea_cursor_state(s->plain, &count));
    }
}

/* Every position that can be reached in fewer than 'steps', with its successors, by each
 * generator. */
static void check_everywhere(subject *s, const char *name, uint32_t steps) {
  for (uint32_t g = 0; g < s->symmetry.group.group.generator_count; g++) {
    visited_set v = {.room = 8000000, .mask = (1u << 24) - 1};
    double start = alea_clock_thread();
    uint32_t done = 0;
    assert_int_equal(alea_cursor_reset(s->plain), ALEA_OK);
    const uint64_t *words = alea_cursor_state(s->plain, &v.width);
    v.words = calloc(v.room, v.width * sizeof *v.words);
    v.slots = calloc(v.mask + 1, sizeof *v.slots);
    visit(&v, words);
    size_t at = 0;
    for (; at < v.count && done < steps; done++)
      for (size_t level = v.count; at < level; at++) expand(s, &v, at, generator(s, g));
    print_message("%s: %s %zu positions, %u steps, %.1f CPU s\n", name,
                  at == v.count ? "all" : "the first", at, done, alea_clock_thread() - start);
    assert_true(at > 1000);
    free(v.words);
    free(v.slots);
  }
}

static void small_boards(void **state) {
  (void)state;
  static const known_group known[] = {{"tests/differential/hex-3x3", 2, 2, 4, 4},
                                      {"tests/differential/breakthrough-3x5", 2, 2, 4, 4},
                                      {"tests/differential/reversi-4x4", 4, 8, 8, 16},
                                      {"games/tictactoe", 8, 8, 16, 16}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    subject s;
    open_subject(&s, known[i].game, "");
    check_orders(&s, &known[i]);
    check_everywhere(&s, known[i].game, UINT32_MAX);
    close_subject(&s);
  }
}

/* Rulesheets that ship, on a smaller board. */
static void smaller_boards(void **state) {
  (void)state;
  static const edit connect[] = {{"(column 5) (column 6) (column 7)", ""},
                                 {"(row 5) (row 6)", ""},
                                 {"(succ 4 5) (succ 5 6) (succ 6 7)", ""},
                                 {"(cell ?x 6 b)", "(cell ?x 4 b)"},
                                 {NULL, NULL}};
  static const edit amazons[] = {
      {"(column d) (column e)\n(column f) (column g) (column h) (column i) (column j)", ""},
      {"(row 4) (row 5) (row 6) (row 7) (row 8) (row 9) (row 10)", ""},
      {"(right c d) (right d e) (right e f)\n(right f g) (right g h) (right h i) (right i j)", ""},
      {"(up 3 4) (up 4 5) (up 5 6) (up 6 7) (up 7 8) (up 8 9) (up 9 10)", ""},
      {"(init (cell a 4 white)) (init (cell d 1 white)) (init (cell g 1 white)) "
       "(init (cell j 4 white))",
       "(init (cell b 1 white))"},
      {"(init (cell a 7 black)) (init (cell d 10 black)) (init (cell g 10 black)) "
       "(init (cell j 7 black))",
       "(init (cell b 3 black))"},
      {NULL, NULL}};
  static const edit draughts[] = {
      {"(column e) (column f) (column g) (column h)", ""},
      {"(row 5) (row 6) (row 7) (row 8)", ""},
      {"(right d e) (right e f) (right f g) (right g h)", ""},
      {"(up 4 5) (up 5 6) (up 6 7) (up 7 8)", ""},
      {"(home white 1) (home white 2) (home white 3)", "(home white 1)"},
      {"(home black 6) (home black 7) (home black 8)", "(home black 4)"},
      {"(crown white 8)", "(crown white 4)"},
      {NULL, NULL}};
  /* four by four, quarters of two by two: with three in a line there are more than eight million
   * positions, so not all of them; with two in a line every one */
#define SMALL_PENTAGO                                                                         \
  {"(index 5) (index 6)", ""}, {"(succ 4 5) (succ 5 6)", ""}, {"(mirror second second)", ""}, \
      {"(third low 2 second) (third low 3 last)", "(third low 2 last)"}, {                    \
    "(third high 4 first) (third high 5 second) (third high 6 last)",                         \
        "(third high 3 first) (third high 4 last)"                                            \
  }
  static const edit two_in_line[] = {
      SMALL_PENTAGO,
      {"?a ?b ?c ?d ?e", "?a ?b"},
      {"?f ?g ?h ?i ?j", "?f ?g"},
      {" (succ ?b ?c) (succ ?c ?d) (succ ?d ?e)", ""},
      {"(true (cell ?c ?y ?p))\n    (true (cell ?d ?y ?p)) (true (cell ?e ?y ?p))", ""},
      {"(true (cell ?x ?c ?p))\n    (true (cell ?x ?d ?p)) (true (cell ?x ?e ?p))", ""},
      {"(true (cell ?c ?h ?p))\n    (true (cell ?d ?i ?p)) (true (cell ?e ?j ?p))", ""},
      {"(true (cell ?a ?j ?p)) (true (cell ?b ?i ?p)) (true (cell ?c ?h ?p))\n"
       "    (true (cell ?d ?g ?p)) (true (cell ?e ?f ?p))",
       "(true (cell ?a ?g ?p)) (true (cell ?b ?f ?p))"},
      {NULL, NULL}};
  static const edit pentago[] = {
      SMALL_PENTAGO,
      {"?a ?b ?c ?d ?e", "?a ?b ?c"},
      {"?f ?g ?h ?i ?j", "?f ?g ?h"},
      {" (succ ?c ?d) (succ ?d ?e)", ""},
      {"(true (cell ?d ?y ?p)) (true (cell ?e ?y ?p))", ""},
      {"(true (cell ?x ?d ?p)) (true (cell ?x ?e ?p))", ""},
      {"(true (cell ?d ?i ?p)) (true (cell ?e ?j ?p))", ""},
      {"(true (cell ?a ?j ?p)) (true (cell ?b ?i ?p)) (true (cell ?c ?h ?p))\n"
       "    (true (cell ?d ?g ?p)) (true (cell ?e ?f ?p))",
       "(true (cell ?a ?h ?p)) (true (cell ?b ?g ?p)) (true (cell ?c ?f ?p))"},
      {NULL, NULL}};
  static const struct {
    known_group group;
    const edit *edits;
    uint32_t steps, full_steps; /* that are made; the same where ALEA_FULL is set */
  } boards[] = {{{"games/connect-four", 2, 2, 4, 4}, connect, UINT32_MAX, UINT32_MAX},
                {{"games/amazons", 2, 8, 4, 16}, amazons, UINT32_MAX, UINT32_MAX},
                {{"games/english-draughts", 1, 1, 2, 2}, draughts, UINT32_MAX, UINT32_MAX},
                {{"games/pentago", 8, 8, 16, 16}, pentago, 9, 12},
                {{"games/pentago", 8, 8, 16, 16}, two_in_line, UINT32_MAX, UINT32_MAX}};
  bool full = getenv("ALEA_FULL") != NULL;
  for (size_t i = 0; i < sizeof boards / sizeof *boards; i++) {
    subject s;
    open_edited(&s, boards[i].group.game, boards[i].edits);
    check_orders(&s, &boards[i].group);
    check_everywhere(&s, boards[i].group.game, full ? boards[i].full_steps : boards[i].steps);
    close_subject(&s);
  }
}

/* ---- what is no symmetry ---- */

static void broken(const char *game, const char *more, double rules, double exchange, bool seen) {
  subject s;
  open_subject(&s, game, more);
  print_message("%s, broken: %g and %g proved, %u not refuted\n", game, s.symmetry.kept.rules,
                s.symmetry.exchanged.rules, s.symmetry.tested);
  assert_true(s.symmetry.kept.rules == rules && s.symmetry.exchanged.rules == exchange);
  assert_true((s.symmetry.tested == 0) == seen);
  close_subject(&s);
}

/* Random play sees the first kind at once; the second needs positions that it
 * never reaches, so that candidates survive and only the proof can fail. */
static void not_symmetric(void **state) {
  (void)state;
  broken("games/hex", "(<= terminal (true (cell a 2 red)))", 1, 1, true);
  broken("tests/differential/hex-3x3", "(<= terminal (true (cell a 2 red)))", 1, 1, true);
  broken("games/hex",
         "(<= terminal (true (cell a 1 red)) (true (cell b 1 blue)) (true (cell c 1 blue))"
         " (true (cell d 1 red)) (true (cell e 1 blue)) (true (cell f 1 red))"
         " (true (cell g 1 red)) (true (cell h 1 blue)) (true (cell i 1 red))"
         " (true (cell a 2 blue)) (true (cell b 2 red)) (true (cell c 2 blue))"
         " (true (cell d 2 blue)) (true (cell e 2 red)) (true (cell f 2 blue))"
         " (true (cell g 2 red)) (true (cell h 2 red)) (true (cell i 2 blue)))",
         1, 1, false);
  broken("games/reversi", "(<= (goal black 25) (total black 8 0) (true (cell 1 2 white)))", 1, 1,
         false);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(known_games), cmocka_unit_test(small_boards),
                                     cmocka_unit_test(smaller_boards),
                                     cmocka_unit_test(not_symmetric)};
  return cmocka_run_group_tests_name("semantic_symmetry", tests, NULL, NULL);
}
