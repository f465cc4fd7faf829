/* Our games against the public rulesheets of the same games.
 *
 * tests/golden/games/twins.txt says which and how names correspond.  Both are
 * played at once, at random: in every position the legal moves must be the
 * same up to names, and so must the end and the goals.  Then the mean length
 * and the mean goals of many playouts are compared.
 *
 * Environment: ALEA_FULL=1 plays 20 times as many, and 100,000 playouts
 * instead of 5,000, and plays the slow ones at all; ALEA_GAME_ONLY=text takes
 * only games whose name contains it. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "cmocka_all.h"
#include "game/sampler.h"
#include "gdl/header_comment.h"
#include "match/open.h"
#include "match/shipped.h"
#include "support/least.h"

enum {
  MOST_ROLES = 8,
  MOST_TOKENS = 24,
  TOKEN_SIZE = 32,
  MOST_TEMPLATES = 64,
  MOST_NAMES = 32,
  PLAYS = 20,
  MOST_STEPS = 400,
};

typedef struct tokens {
  char word[MOST_TOKENS][TOKEN_SIZE];
  size_t count;
} tokens;

typedef struct twin {
  char ours[64], theirs[64];
  char role[MOST_ROLES][TOKEN_SIZE]; /* their role for each of ours */
  size_t roles;
  tokens from[MOST_TEMPLATES], to[MOST_TEMPLATES];
  size_t templates;
  char name[MOST_NAMES][2][TOKEN_SIZE];
  size_t names;
  bool slow; /* only with ALEA_FULL */
} twin;

static bool is_full(void) {
  const char *full = getenv("ALEA_FULL");
  return full != NULL && strcmp(full, "0") != 0;
}

/* ---- the map ---- */

/* Splits at spaces; parentheses are words of their own. */
static void split(const char *text, tokens *out) {
  out->count = 0;
  while (*text != '\0') {
    if (isspace((unsigned char)*text)) {
      text++;
      continue;
    }
    size_t length = 1;
    if (*text != '(' && *text != ')') length = strcspn(text, " ()\n");
    assert_true(out->count < MOST_TOKENS && length < TOKEN_SIZE);
    memcpy(out->word[out->count], text, length);
    out->word[out->count++][length] = '\0';
    text += length;
  }
}

static void join(const tokens *t, char *out, size_t size) {
  size_t used = 0;
  for (size_t i = 0; i < t->count; i++) {
    bool glued = i == 0 || t->word[i][0] == ')' || t->word[i - 1][0] == '(';
    used += (size_t)snprintf(out + used, size - used, "%s%s", glued ? "" : " ", t->word[i]);
    assert_true(used < size);
  }
}

static void read_line(twin *t, char *line) {
  tokens words;
  if (strncmp(line, "twin ", 5) == 0) {
    split(line + 5, &words);
    assert_true(words.count >= 4 && strcmp(words.word[2], ":") == 0);
    memcpy(t->ours, words.word[0], TOKEN_SIZE);
    memcpy(t->theirs, words.word[1], TOKEN_SIZE);
    for (size_t i = 3; i < words.count; i++) memcpy(t->role[t->roles++], words.word[i], TOKEN_SIZE);
  } else if (strncmp(line, "names ", 6) == 0) {
    split(line + 6, &words);
    for (size_t i = 0; i < words.count; i++) {
      char *equal = strchr(words.word[i], '=');
      assert_true(equal != NULL && t->names < MOST_NAMES);
      *equal = '\0';
      memcpy(t->name[t->names][0], words.word[i], TOKEN_SIZE);
      snprintf(t->name[t->names++][1], TOKEN_SIZE, "%s", equal + 1);
    }
  } else if (strncmp(line, "move ", 5) == 0) {
    char *equal = strstr(line, " = ");
    assert_true(equal != NULL && t->templates < MOST_TEMPLATES);
    *equal = '\0';
    split(line + 5, &t->from[t->templates]);
    split(equal + 3, &t->to[t->templates++]);
  } else if (strcmp(line, "slow") == 0) {
    t->slow = true;
  } else {
    fail_msg("twins.txt: cannot read '%s'", line);
  }
}

/* Reads the next block of the file; false at its end. */
static bool read_twin(FILE *file, twin *t) {
  memset(t, 0, sizeof *t);
  char line[1024];
  while (fgets(line, sizeof line, file) != NULL) {
    line[strcspn(line, "\n")] = '\0';
    if (line[0] == ';') continue;
    if (line[0] != '\0') read_line(t, line);
    if (line[0] == '\0' && t->roles > 0) return true;
  }
  return t->roles > 0;
}

static const char *renamed(const twin *t, const char *word) {
  for (size_t i = 0; i < t->names; i++)
    if (strcmp(t->name[i][0], word) == 0) return t->name[i][1];
  return word;
}

/* Our move by the template, or false where it does not fit. */
static bool translate(const twin *t, size_t template, const tokens *move, char *out, size_t size) {
  const tokens *from = &t->from[template];
  tokens result = t->to[template];
  const char *argument[10] = {0};
  if (from->count != move->count) return false;
  for (size_t i = 0; i < from->count; i++) {
    if (from->word[i][0] == '$')
      argument[from->word[i][1] - '0'] = move->word[i];
    else if (strcmp(from->word[i], move->word[i]) != 0)
      return false;
  }
  for (size_t i = 0; i < result.count; i++) {
    char kind = result.word[i][0];
    if (kind != '$' && kind != '%') continue;
    const char *word = argument[result.word[i][1] - '0'];
    assert_non_null(word);
    snprintf(result.word[i], TOKEN_SIZE, "%s", kind == '%' ? renamed(t, word) : word);
  }
  join(&result, out, size);
  return true;
}

/* ---- both at once ---- */

typedef struct pair {
  const twin *map;
  alea_opened ours, theirs;
  alea_cursor *our, *their;
  uint32_t their_role[MOST_ROLES]; /* of each of our roles */
  alea_mem mem;
} pair;

static uint32_t find_role(const alea_game *game, const char *name) {
  for (uint32_t r = 0; r < game->role_count; r++)
    if (strcmp(game->role_text[r], name) == 0) return r;
  fail_msg("no role %s", name);
  return 0;
}

static void open_pair(pair *p, const twin *map, const char *folder) {
  alea_open_options options = {.engine = ALEA_ENGINE_NET};
  p->map = map;
  alea_mem_init(&p->mem, 0);
  char path[1024];
  snprintf(path, sizeof path, "%s/%s.kif", folder, map->theirs);
  assert_int_equal(alea_open(&p->ours, map->ours, &options, NULL), ALEA_OK);
  assert_int_equal(alea_open(&p->theirs, path, &options, NULL), ALEA_OK);
  assert_int_equal(p->ours.game->role_count, map->roles);
  assert_int_equal(p->theirs.game->role_count, map->roles);
  assert_int_equal(alea_cursor_new(p->ours.game, &p->mem, &p->our), ALEA_OK);
  assert_int_equal(alea_cursor_new(p->theirs.game, &p->mem, &p->their), ALEA_OK);
  for (uint32_t r = 0; r < map->roles; r++)
    p->their_role[r] = find_role(p->theirs.game, map->role[r]);
}

static void close_pair(pair *p) {
  alea_cursor_free(p->our);
  alea_cursor_free(p->their);
  assert_int_equal(p->mem.used, 0);
  alea_opened_clear(&p->ours);
  alea_opened_clear(&p->theirs);
}

static bool is_among(const alea_list *list, alea_move move) {
  for (uint32_t i = 0; i < list->count; i++)
    if (list->ids[i] == move) return true;
  return false;
}

/* Their move for one of ours: noop is noop, all else goes by the templates. */
static alea_move counterpart(const pair *p, uint32_t role, alea_move move,
                             const alea_list *their_legal) {
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_text text;
  alea_text_init(&text, &mem);
  alea_game_move_text(p->ours.game, role, move, false, &text);
  tokens words;
  split(alea_text_string(&text), &words);
  alea_move found = ALEA_NO_MOVE;
  uint32_t theirs = p->their_role[role];
  for (size_t i = 0; i <= p->map->templates && found == ALEA_NO_MOVE; i++) {
    char out[256] = "noop";
    bool is_noop = strcmp(alea_text_string(&text), "noop") == 0;
    if (i < p->map->templates ? !translate(p->map, i, &words, out, sizeof out) : !is_noop) continue;
    alea_move candidate = alea_game_move_find(p->theirs.game, theirs, out);
    if (candidate != ALEA_NO_MOVE && is_among(their_legal, candidate)) found = candidate;
  }
  if (found == ALEA_NO_MOVE)
    print_error("%s: %s has no counterpart in %s here\n", p->map->ours, alea_text_string(&text),
                p->map->theirs);
  alea_text_clear(&text);
  return found;
}

/* Compares the moves of one role and picks one at random, for both sides. */
static void pick(pair *p, uint32_t role, alea_rng *rng, alea_move *our, alea_move *their) {
  alea_list ours, theirs;
  assert_int_equal(alea_cursor_legal(p->our, role, &ours), ALEA_OK);
  assert_int_equal(alea_cursor_legal(p->their, p->their_role[role], &theirs), ALEA_OK);
  uint32_t choice = alea_rng_below(rng, ours.count);
  if (ours.count != theirs.count)
    fail_msg("%s: %u moves of role %u, %s has %u", p->map->ours, ours.count, role, p->map->theirs,
             theirs.count);
  bool *used = calloc(theirs.count, sizeof *used);
  assert_non_null(used);
  for (uint32_t i = 0; i < ours.count; i++) {
    alea_move other = counterpart(p, role, ours.ids[i], &theirs);
    assert_true(other != ALEA_NO_MOVE);
    for (uint32_t k = 0; k < theirs.count; k++) {
      if (theirs.ids[k] != other) continue;
      assert_false(used[k]); /* different moves have different counterparts */
      used[k] = true;
    }
    if (i == choice) *our = ours.ids[i], *their = other;
  }
  free(used);
}

/* One random play; returns its length. */
static uint32_t play(pair *p, alea_rng *rng) {
  alea_cursor_reset(p->our);
  alea_cursor_reset(p->their);
  for (uint32_t step = 0;; step++) {
    bool over, over_there;
    assert_int_equal(alea_cursor_terminal(p->our, &over), ALEA_OK);
    assert_int_equal(alea_cursor_terminal(p->their, &over_there), ALEA_OK);
    assert_int_equal(over, over_there);
    if (over || step == MOST_STEPS) return step;
    alea_move ours[MOST_ROLES], theirs[MOST_ROLES];
    for (uint32_t r = 0; r < p->map->roles; r++)
      pick(p, r, rng, &ours[r], &theirs[p->their_role[r]]);
    assert_int_equal(alea_cursor_play(p->our, ours), ALEA_OK);
    assert_int_equal(alea_cursor_play(p->their, theirs), ALEA_OK);
  }
}

static void same_goals(pair *p) {
  bool over;
  assert_int_equal(alea_cursor_terminal(p->our, &over), ALEA_OK);
  for (uint32_t r = 0; over && r < p->map->roles; r++) {
    int ours, theirs;
    assert_int_equal(alea_cursor_goal(p->our, r, &ours), ALEA_OK);
    assert_int_equal(alea_cursor_goal(p->their, p->their_role[r], &theirs), ALEA_OK);
    /* Public rulesheets may leave a goal out, which then counts as 0. */
    assert_int_equal(ours, theirs < 0 ? 0 : theirs);
  }
}

/* ---- means of many playouts ---- */

/* Playouts come in batches, whose means give the error of the whole mean. */
enum { BATCHES = 100 };

typedef struct means {
  double length[BATCHES], goal[MOST_ROLES][BATCHES];
} means;

static void sample(const alea_opened *opened, uint32_t playouts, means *out) {
  static double sums[BATCHES][MOST_ROLES], squares[BATCHES][MOST_ROLES];
  alea_sample_request requests[BATCHES];
  alea_sample_result results[BATCHES];
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_sampler *sampler;
  assert_int_equal(alea_open_sampler(&sampler, opened, true, 2, &mem), ALEA_OK);
  for (size_t i = 0; i < BATCHES; i++) {
    requests[i] = (alea_sample_request){.playouts = playouts / BATCHES};
    results[i] = (alea_sample_result){.sum = sums[i], .sum_squares = squares[i]};
  }
  assert_int_equal(alea_sampler_run(sampler, requests, BATCHES, NULL, results), ALEA_OK);
  for (size_t i = 0; i < BATCHES; i++) {
    double n = (double)results[i].playouts;
    assert_int_equal(results[i].unfinished, 0);
    out->length[i] = (double)results[i].states / n;
    for (uint32_t r = 0; r < opened->game->role_count; r++) out->goal[r][i] = sums[i][r] / n;
  }
  alea_sampler_free(sampler);
  assert_int_equal(mem.used, 0);
}

static double mean_of(const double *values, double *variance) {
  double sum = 0, squares = 0;
  for (size_t i = 0; i < BATCHES; i++) sum += values[i];
  for (size_t i = 0; i < BATCHES; i++) {
    double off = values[i] - sum / BATCHES;
    squares += off * off;
  }
  *variance = squares / (BATCHES - 1) / BATCHES; /* of the mean */
  return sum / BATCHES;
}

/* Within four standard errors. */
static void near(const char *game, const char *what, const double *ours, const double *theirs) {
  double v, w, a = mean_of(ours, &v), b = mean_of(theirs, &w);
  if (fabs(a - b) > 4 * sqrt(v + w) + 1e-9)
    fail_msg("%s: mean %s %g and %g, standard error %g", game, what, a, b, sqrt(v + w));
}

static void compare_means(pair *p, uint32_t playouts) {
  static means ours, theirs;
  sample(&p->ours, playouts, &ours);
  sample(&p->theirs, playouts, &theirs);
  near(p->map->ours, "length", ours.length, theirs.length);
  for (uint32_t r = 0; r < p->map->roles; r++)
    near(p->map->ours, "goal", ours.goal[r], theirs.goal[p->their_role[r]]);
}

/* The header of our game tells its readers of the other. */
static void is_mentioned(const twin *map) {
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_text text;
  alea_text_init(&text, &mem);
  const alea_shipped_file *file = alea_shipped_find(map->ours);
  assert_non_null(file);
  alea_header_comment((const char *)file->bytes, "public", &text);
  if (strstr(alea_text_string(&text), map->theirs) == NULL)
    fail_msg("games/%s does not mention %s", file->file, map->theirs);
  alea_text_clear(&text);
}

static void twins_agree(void **state) {
  (void)state;
  const char *folder = ALEA_SHARED_DIR "/corpus/games";
  if (access(folder, R_OK) != 0) {
    print_message("skipped: no corpus at %s\n", folder);
    skip();
  }
  FILE *file = fopen(ALEA_SOURCE_DIR "/tests/golden/games/twins.txt", "r");
  assert_non_null(file);
  const char *only = getenv("ALEA_GAME_ONLY");
  static twin map;
  unsigned long pairs = 0, positions = 0;
  while (read_twin(file, &map)) {
    if (only != NULL ? strstr(map.ours, only) == NULL : map.slow && !is_full()) continue;
    is_mentioned(&map);
    pair p;
    open_pair(&p, &map, folder);
    alea_rng rng;
    alea_rng_seed(&rng, 1);
    alea_deadline enough = alea_deadline_in(is_full() ? 3600 : 2);
    uint32_t plays = 0, steps = 0;
    while (plays < (is_full() ? 20 * PLAYS : PLAYS) &&
           (plays < 2 || !alea_deadline_passed(&enough))) {
      steps += play(&p, &rng);
      same_goals(&p);
      plays++;
    }
    compare_means(&p, is_full() ? 100000 : 5000);
    print_message("%s = %s: %u plays, %u positions\n", map.ours, map.theirs, plays, steps);
    close_pair(&p);
    pairs++;
    positions += steps;
  }
  fclose(file);
  expect_at_least(20, pairs, "pairs", "ALEA_GAME_ONLY");
  expect_at_least(10 * pairs, positions, "positions", NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(twins_agree)};
  return cmocka_run_group_tests_name("twins", tests, NULL, NULL);
}
