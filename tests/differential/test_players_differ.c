/* No two players are the same program: at equal seeds and simulations they do
 * not make the same moves, nor think the same of them.  And no word of an option
 * means what another one means: each shows in some game.
 *
 * New players and new options are tested as soon as they are in the registry. */
#define _DEFAULT_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "cmocka_all.h"
#include "support/match_run.h"

enum { MOST_ROLES = 4, MOST_WORDS = 8, TEXT = 160 };

/* What a player did in some plays of a game against itself. */
typedef struct story {
  uint64_t moves;    /* that were made */
  uint64_t opinions; /* of every move that could be made */
} story;

/* ---- one play ---- */

typedef struct table {
  const alea_opened *opened;
  alea_mem mem;
  alea_cursor *cursor;
  alea_player *players[MOST_ROLES];
  alea_move joint[MOST_ROLES];
  alea_rng rng;
} table;

/* ALEA_USAGE: the player is not for this game. */
static alea_status sit_down(table *t, const char *text, uint64_t seed) {
  const alea_game *game = t->opened->game;
  alea_text message;
  alea_text_init(&message, &t->mem);
  assert_int_equal(alea_cursor_new(game, &t->mem, &t->cursor), ALEA_OK);
  alea_rng_seed(&t->rng, seed);
  alea_status status = ALEA_OK;
  for (uint32_t r = 0; status == ALEA_OK && r < game->role_count; r++) {
    alea_player_setup setup = {.game = game,
                               .role = r,
                               .seed = seed * 8 + r,
                               .mem = &t->mem,
                               .services = t->opened->services,
                               .rewriting = t->opened->rewriting};
    if ((int)r != game->random_role)
      status = alea_player_new(&t->players[r], text, &setup, &message);
  }
  if (status != ALEA_OK && status != ALEA_USAGE) fail_msg("%s: %s", text, message.data);
  alea_text_clear(&message);
  return status;
}

static void stand_up(table *t) {
  for (uint32_t r = 0; r < t->opened->game->role_count; r++) alea_player_free(t->players[r]);
  alea_cursor_free(t->cursor);
  assert_int_equal(t->mem.used, 0);
}

static void note_opinion(const alea_player *player, story *s) {
  alea_analysis analysis;
  alea_player_analyse((alea_player *)(uintptr_t)player, &analysis);
  for (size_t i = 0; i < analysis.count; i++) {
    s->opinions = alea_hash_join(s->opinions, analysis.choices[i].visits);
    s->opinions = alea_hash_join(s->opinions, (uint64_t)(int64_t)(1e6 * analysis.choices[i].value));
  }
}

static void choose(table *t, uint64_t sims, story *s) {
  const alea_budget budget = {.sims = sims};
  for (uint32_t r = 0; r < t->opened->game->role_count; r++) {
    if (t->players[r] == NULL) {
      alea_list legal;
      assert_int_equal(alea_cursor_legal(t->cursor, r, &legal), ALEA_OK);
      t->joint[r] = legal.ids[alea_rng_below(&t->rng, legal.count)];
      continue;
    }
    assert_int_equal(alea_player_select(t->players[r], &budget, &t->joint[r]), ALEA_OK);
    s->moves = alea_hash_join(s->moves, t->joint[r]);
    note_opinion(t->players[r], s);
  }
}

static void tell_all(table *t) {
  bool sees = t->opened->game->has_sees;
  for (uint32_t r = 0; r < t->opened->game->role_count; r++) {
    alea_observation seen = {.own = t->joint[r], .joint = sees ? NULL : t->joint};
    if (t->players[r] == NULL) continue;
    if (sees) assert_int_equal(alea_cursor_percepts(t->cursor, r, &seen.percepts), ALEA_OK);
    assert_int_equal(alea_player_observe(t->players[r], &seen), ALEA_OK);
  }
}

/* Adds a play to the story; false where the player is not for this game. */
static bool play(const alea_opened *opened, const char *text, uint64_t sims, uint64_t seed,
                 uint32_t most_steps, story *s) {
  table t = {.opened = opened};
  bool terminal = false;
  alea_mem_init(&t.mem, 0);
  bool able = sit_down(&t, text, seed) == ALEA_OK;
  for (uint32_t step = 0; able && !terminal && step < most_steps; step++) {
    choose(&t, sims, s);
    assert_int_equal(alea_cursor_play(t.cursor, t.joint), ALEA_OK);
    tell_all(&t);
    assert_int_equal(alea_cursor_terminal(t.cursor, &terminal), ALEA_OK);
  }
  stand_up(&t);
  return able;
}

/* ---- players ---- */

static void players_differ_in(const char *name, uint64_t sims, uint64_t plays,
                              uint32_t most_steps) {
  static const char *const players[] = {"mac-ucb", "mac-ucb-75", "mac-ucb-sym", "fc-ucb",
                                        "uct",     "grave",      "sancho-like"};
  enum { PLAYERS = sizeof players / sizeof *players };
  story stories[PLAYERS] = {{0}};
  alea_opened opened;
  open_game(&opened, name);
  for (size_t i = 0; i < PLAYERS; i++) {
    for (uint64_t seed = 1; seed <= plays; seed++)
      assert_true(play(&opened, players[i], sims, seed, most_steps, &stories[i]));
    for (size_t j = 0; j < i; j++) {
      if (stories[i].moves == stories[j].moves)
        fail_msg("%s: %s and %s make the same moves", name, players[j], players[i]);
      if (stories[i].opinions == stories[j].opinions)
        fail_msg("%s: %s and %s think the same", name, players[j], players[i]);
    }
  }
  alea_opened_clear(&opened);
}

static void players_differ(void **state) {
  (void)state;
  players_differ_in("mastermind", 100, 4, 60);
  players_differ_in("latent-tictactoe", 240, 1, 6); /* there are up to 196 moves */
  players_differ_in("guess-dice", 60, 24, 60);
  players_differ_in("war", 40, 1, 12);
  players_differ_in("kuhn-poker", 60, 24, 60);
}

/* ---- options ---- */

/* Where two words need not differ. */
static const struct exception {
  const char *player, *option; /* NULL: of all */
  const char *word;            /* of the two, NULL: any */
  const char *reason;
} exceptions[] = {
    {NULL, NULL, "auto", "stands for another word, by the game"},
    {"toss-uct-eval", NULL, NULL, "needs the file of an evaluation"},
    {"alea", "rival", NULL, "needs a start clock (unit/test_rival)"},
    {"alea", "eval", NULL, "needs a start clock (unit/test_tree_eval)"},
    {NULL, "ucb", NULL,
     "the games that ship have the range of payoffs with which both are one (D46)"},
};

static bool is_excepted(const char *player, const char *option, const char *a, const char *b) {
  for (size_t i = 0; i < sizeof exceptions / sizeof *exceptions; i++) {
    const struct exception *e = &exceptions[i];
    if (e->player != NULL && strcmp(e->player, player) != 0) continue;
    if (e->option != NULL && strcmp(e->option, option) != 0) continue;
    if (e->word == NULL || strcmp(e->word, a) == 0 || strcmp(e->word, b) == 0) return true;
  }
  return false;
}

/* A goal that can no longer change long before the game ends. */
static const char latched[] =
    "(role you) (init (step 1)) (succ 1 2) (succ 2 3) (succ 3 4)"
    "(legal you good) (legal you bad)"
    "(<= (next won) (does you good) (true (step 1)))"
    "(<= (next won) (true won))"
    "(<= (next (step ?y)) (true (step ?x)) (succ ?x ?y))"
    "(<= terminal (true (step 4)))"
    "(<= (goal you 100) (true won))"
    "(<= (goal you 0) (not (true won)))";

/* Games in which the words are tried, one after the other until all differ. */
static const struct trial {
  const char *game; /* its name, or its rules */
  uint64_t sims;
  uint32_t most_steps;
} trials[] = {
    {"mastermind", 150, 60},    {"tictactoe", 100, 60},  {"matching-pennies", 100, 60},
    {"orchard-light", 60, 12},  {"kaseklau", 60, 6},     {"connect-four-simultaneous", 40, 4},
    {"blind-tictactoe", 60, 6}, {"connect-four", 60, 8}, {"breakthrough", 60, 8},
    {"toss-tictactoe", 60, 60}, {latched, 60, 60},
};
enum { TRIALS = sizeof trials / sizeof *trials };

typedef struct words {
  char text[MOST_WORDS][TEXT]; /* each */
  size_t count;
} words;

static void split_words(const alea_option *option, words *w) {
  char list[4 * TEXT];
  w->count = 0;
  snprintf(list, sizeof list, "%s", option->kind == ALEA_OPTION_flag ? "on|off" : option->value);
  for (char *rest = list, *word; (word = strsep(&rest, "|")) != NULL;) {
    assert_true(w->count < MOST_WORDS);
    snprintf(w->text[w->count++], TEXT, "%s", word);
  }
}

/* Two plays, so that what is kept from one match to the next can show. */
static bool try_word(const struct trial *trial, const alea_opened *opened, const char *player,
                     const char *option, const char *word, story *s) {
  char text[2 * TEXT], file[] = "/tmp/alea-test-XXXXXX";
  bool keep = strcmp(word, "keep") == 0;
  snprintf(text, sizeof text, "%s:%s=%s", player, option, word);
  if (keep) {
    int fd = mkstemp(file);
    assert_true(fd >= 0);
    close(fd);
    unlink(file);
    snprintf(text + strlen(text), sizeof text - strlen(text), ",cache-file=%s", file);
  }
  bool able = true;
  for (uint64_t seed = 1; able && seed <= 2; seed++)
    able = play(opened, text, trial->sims, seed, trial->most_steps, s);
  if (keep) unlink(file);
  return able;
}

/* Strikes out the pairs of words that differ in a game; how many are left. */
static size_t strike_out(const alea_opened *opened, const struct trial *trial, const char *player,
                         const char *option, const words *w, bool same[MOST_WORDS][MOST_WORDS]) {
  story stories[MOST_WORDS] = {{0}};
  bool able[MOST_WORDS] = {false};
  size_t left = 0;
  for (size_t i = 0; i < w->count; i++)
    able[i] = try_word(trial, opened, player, option, w->text[i], &stories[i]);
  for (size_t i = 0; i < w->count; i++)
    for (size_t j = 0; j < i; j++) {
      bool differ =
          stories[i].opinions != stories[j].opinions || stories[i].moves != stories[j].moves;
      if (able[i] && able[j] && differ) same[i][j] = false;
      left += same[i][j];
    }
  return left;
}

static void words_differ(const alea_opened *games, const char *player, const alea_option *option) {
  words w;
  bool same[MOST_WORDS][MOST_WORDS] = {{false}};
  char name[ALEA_OPTION_NAME];
  size_t left = 0;
  split_words(option, &w);
  alea_option_name(option, name);
  for (size_t i = 0; i < w.count; i++)
    for (size_t j = 0; j < i; j++)
      left += same[i][j] = !is_excepted(player, name, w.text[i], w.text[j]);
  for (size_t g = 0; g < TRIALS && left > 0; g++)
    left = strike_out(&games[g], &trials[g], player, name, &w, same);
  for (size_t i = 0; i < w.count; i++)
    for (size_t j = 0; j < i; j++)
      if (same[i][j]) fail_msg("%s: %s=%s is the same as %s", player, name, w.text[j], w.text[i]);
}

static void options_differ(void **state) {
  (void)state;
  alea_opened games[TRIALS];
  size_t count;
  const alea_player_class *const *classes = alea_player_classes(&count);
  for (size_t g = 0; g < TRIALS; g++) {
    bool rules = trials[g].game[0] == '(';
    (rules ? open_sheet : open_game)(&games[g], trials[g].game);
  }
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < classes[i]->option_count; k++) {
      const alea_option *option = &classes[i]->options[k];
      if (option->kind == ALEA_OPTION_choice || option->kind == ALEA_OPTION_flag)
        words_differ(games, classes[i]->name, option);
    }
  for (size_t g = 0; g < TRIALS; g++) alea_opened_clear(&games[g]);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(players_differ),
                                     cmocka_unit_test(options_differ)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
