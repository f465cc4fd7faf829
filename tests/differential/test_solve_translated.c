/* Translated games, solved, against exhaustive evaluation.
 *
 * The rule of a stochastic network: all decisions are made jointly, for the
 * player asked about, and those who decide know what they have seen.  The
 * oracles go over the game's cursor by definition, without a cache: the largest
 * (or least) mean over joint moves, and for games with percepts the same over
 * information sets. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "encode/belief_process.h"
#include "scsp/core.h"
#include "support/stage_check.h"

enum { MOST_PLAYS = 3000, MOST_ROLES = 8, MOST_PLIES = 400, TAIL = 4, MOST_WORDS = 256 };

typedef struct oracle {
  stage_subject *s;
  uint32_t role; /* whose goal */
  bool worst;
  uint64_t plays; /* joint moves made */
  bool given_up;
} oracle;

typedef struct position {
  uint64_t words[MOST_WORDS];
  size_t count;
} position;

static void keep(alea_cursor *cursor, position *p) {
  const uint64_t *words = alea_cursor_state(cursor, &p->count);
  assert_true(p->count <= MOST_WORDS);
  memcpy(p->words, words, p->count * sizeof *words);
}

static void enter(alea_cursor *cursor, const position *p) {
  assert_int_equal(alea_cursor_load(cursor, p->words, p->count), ALEA_OK);
}

static double goal_here(const oracle *o) {
  int goal;
  assert_int_equal(alea_cursor_goal(o->s->cursor, o->role, &goal), ALEA_OK);
  return goal > 0 ? goal / 100.0 : 0;
}

static bool over_here(const oracle *o) {
  bool over;
  assert_int_equal(alea_cursor_terminal(o->s->cursor, &over), ALEA_OK);
  return over;
}

/* The legal moves of a role, in memory of the caller's. */
static uint32_t legal_here(const oracle *o, uint32_t role, alea_move *moves, uint32_t most) {
  alea_list list;
  assert_int_equal(alea_cursor_legal(o->s->cursor, role, &list), ALEA_OK);
  assert_true(list.count > 0 && list.count <= most);
  memcpy(moves, list.ids, list.count * sizeof *moves);
  return list.count;
}

static double better(const oracle *o, double a, double b) { return o->worst == (a < b) ? a : b; }

/* ---- complete information: chance is one of the roles, the last to choose ---- */

static double expectimax(oracle *o, uint32_t left);

typedef struct chooser {
  alea_move joint[MOST_ROLES];
  uint32_t left;
  const position *here;
} chooser;

static double choose(oracle *o, chooser *c, uint32_t role) {
  const alea_game *game = o->s->game;
  int chance = game->random_role;
  if (o->given_up) return 0;
  if (role > game->role_count) {
    if (++o->plays > MOST_PLAYS) o->given_up = true;
    enter(o->s->cursor, c->here);
    assert_int_equal(alea_cursor_play(o->s->cursor, c->joint), ALEA_OK);
    return expectimax(o, c->left - 1);
  }
  /* roles in their order without chance, then chance */
  if (role == game->role_count && chance < 0) return choose(o, c, role + 1);
  uint32_t who = role == game->role_count ? (uint32_t)chance : role;
  if ((int)role == chance && who == role) return choose(o, c, role + 1);
  alea_move moves[4096];
  enter(o->s->cursor, c->here);
  uint32_t count = legal_here(o, who, moves, 4096);
  double best = o->worst ? INFINITY : -INFINITY, sum = 0;
  for (uint32_t i = 0; i < count; i++) {
    c->joint[who] = moves[i];
    double value = choose(o, c, role + 1);
    best = better(o, best, value);
    sum += value / count;
  }
  return (int)who == chance ? sum : best;
}

static double expectimax(oracle *o, uint32_t left) {
  if (over_here(o)) return goal_here(o);
  if (left == 0 || o->given_up) return 0;
  position *here = malloc(sizeof *here);
  assert_non_null(here);
  keep(o->s->cursor, here);
  chooser c = {.left = left, .here = here};
  double value = choose(o, &c, 0);
  free(here);
  return value;
}

/* ---- the network ---- */

static double solved(const alea_process *process, uint32_t horizon, uint32_t player, bool worst) {
  alea_scsp_options options = {.aim = worst ? ALEA_SCSP_WORST : ALEA_SCSP_MAX, .player = player};
  alea_scsp_result by_state, flat;
  assert_int_equal(alea_process_solve(process, horizon, &options, &by_state), ALEA_OK);
  alea_scsp *scsp = alea_process_unroll(process, horizon);
  assert_int_equal(alea_scsp_solve(scsp, &options, &flat), ALEA_OK);
  alea_scsp_free(scsp);
  assert_true(fabs(by_state.value - flat.value) < 1e-9);
  return flat.value;
}

static uint32_t player_of(const alea_game *game, uint32_t role) {
  return game->random_role >= 0 && (int)role > game->random_role ? role - 1 : role;
}

/* The position of the cursor as the start of the process; false where the
 * groups that were only seen do not hold in it. */
static bool start_here(stage_subject *s, alea_process *process, int32_t *start) {
  alea_list fluents;
  memset(start, 0, (s->t->state_count + 1) * sizeof *start);
  assert_int_equal(alea_cursor_fluents(s->cursor, &fluents), ALEA_OK);
  for (uint32_t i = 0; i < fluents.count; i++) {
    uint32_t f = fluents.ids[i];
    if (start[s->t->fluent_var[f]] != 0) return false;
    start[s->t->fluent_var[f]] = (int32_t)s->t->fluent_value[f];
  }
  process->start = start;
  return true;
}

/* ---- positions near the end of random plays ---- */

/* Plays at random; tail[k] is the position k plies before the end. Returns how
 * many there are, 0 where the play did not end. */
static uint32_t random_play(stage_subject *s, uint64_t seed, position *tail) {
  alea_rng rng;
  alea_rng_seed(&rng, seed);
  assert_int_equal(alea_cursor_reset(s->cursor), ALEA_OK);
  for (uint32_t ply = 0; ply < MOST_PLIES; ply++) {
    bool over;
    alea_move joint[MOST_ROLES];
    memmove(tail + 1, tail, (TAIL - 1) * sizeof *tail);
    keep(s->cursor, &tail[0]);
    assert_int_equal(alea_cursor_terminal(s->cursor, &over), ALEA_OK);
    if (over) return ply + 1 < TAIL ? ply + 1 : TAIL;
    for (uint32_t r = 0; r < s->game->role_count; r++) {
      alea_list list;
      assert_int_equal(alea_cursor_legal(s->cursor, r, &list), ALEA_OK);
      joint[r] = list.ids[alea_rng_below(&rng, list.count)];
    }
    assert_int_equal(alea_cursor_play(s->cursor, joint), ALEA_OK);
  }
  return 0;
}

typedef struct tally {
  uint32_t positions, values, between; /* compared; of them neither 0 nor 1 */
} tally;

/* Compares every player, best and worst, at the cursor's position; false where
 * that is too much for the oracle. */
static bool compare_at(stage_subject *s, const alea_process *process, const position *here,
                       uint32_t horizon, tally *t) {
  for (uint32_t r = 0; r < s->game->role_count; r++) {
    if ((int)r == s->game->random_role) continue;
    for (int worst = 0; worst < 2; worst++) {
      oracle o = {.s = s, .role = r, .worst = worst};
      enter(s->cursor, here);
      double value = expectimax(&o, horizon);
      if (o.given_up) return false;
      double ours = solved(process, horizon, player_of(s->game, r), worst);
      if (fabs(value - ours) > 1e-9)
        fail_msg("role %u, %s, horizon %u: %.12g, not %.12g", r, worst ? "worst" : "best", horizon,
                 ours, value);
      t->values++;
      t->between += value > 0 && value < 1;
    }
  }
  t->positions++;
  return true;
}

static void compare_game(const char *name, uint32_t horizon, tally *t) {
  char path[512];
  stage_subject s;
  snprintf(path, sizeof path, ALEA_SOURCE_DIR "/games/%s.kif", name);
  alea_status status =
      stage_open(&s, path, ALEA_ENCODER_GROUND, NULL, true, &(stage_limits){.prove_seconds = 0.2});
  if (status != ALEA_OK) fail_msg("%s: %s", name, alea_status_text(status));
  alea_process *process = alea_template_process(s.t);
  position *tail = calloc(TAIL + 1, sizeof *tail);
  int32_t *start = calloc(s.t->state_count + 1, sizeof *start);
  assert_non_null(tail);
  assert_non_null(start);
  assert_int_equal(alea_cursor_reset(s.cursor), ALEA_OK);
  keep(s.cursor, &tail[TAIL]);
  /* from the start, with fewer transitions where there are too many plays */
  while (!compare_at(&s, process, &tail[TAIL], horizon, t)) horizon--;
  for (uint64_t seed = 1; seed <= 3; seed++) {
    uint32_t plies = random_play(&s, seed, tail);
    bool done = false;
    for (uint32_t k = plies > 0 ? plies - 1 : 0; k > 0 && !done; k--) {
      enter(s.cursor, &tail[k]);
      if (!start_here(&s, process, start)) break;
      done = compare_at(&s, process, &tail[k], k, t);
    }
  }
  alea_process_free(process);
  free(tail);
  free(start);
  stage_close(&s);
}

static void games_of_complete_information(void **state) {
  (void)state;
  static const struct {
    const char *name;
    uint32_t horizon; /* from the initial position */
  } games[] = {{"awale", 3},
               {"battleship", 1},
               {"bomberman", 2},
               {"breakthrough", 2},
               {"breakthrough-suicide", 2},
               {"cant-stop", 1},
               {"checkers", 3},
               {"connect-four", 4},
               {"copolymer", 3},
               {"dots-and-boxes-suicide", 2},
               {"eight-puzzle", 6},
               {"english-draughts", 3},
               {"free-for-all", 1},
               {"hanoi", 7},
               {"hex", 1},
               {"kaseklau", 1},
               {"knight-through", 2},
               {"knights-tour", 4},
               {"lights-out", 2},
               {"majorities", 2},
               {"matching-pennies", 2},
               {"nim", 3},
               {"orchard", 3},
               {"orchard-light", 6},
               {"pacman", 1},
               {"pickomino", 1},
               {"prisoners-dilemma", 3},
               {"quarto", 1},
               {"reversi", 3},
               {"rock-paper-scissors", 3},
               {"tictactoe", 5},
               {"tictactoe-2x2", 4},
               {"token-game", 4},
               {"yahtzee", 2}};
  for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
    tally t = {0};
    double begun = alea_clock_thread();
    compare_game(games[i].name, games[i].horizon, &t);
    print_message("%s: %u positions, %u values, %u of them between 0 and 1, %.1f s\n",
                  games[i].name, t.positions, t.values, t.between, alea_clock_thread() - begun);
  }
}

/* ---- percepts: the largest mean over information sets ---- */

typedef struct hidden { /* one history that fits what was seen */
  position at;
  double weight; /* its probability, not normalised */
  char seen[512];
} hidden;

static void see(const oracle *o, uint32_t viewer, char *seen) {
  alea_list list;
  alea_text text;
  assert_int_equal(alea_cursor_percepts(o->s->cursor, viewer, &list), ALEA_OK);
  char *words[32];
  assert_true(list.count <= 32);
  for (uint32_t i = 0; i < list.count; i++) {
    alea_text_init(&text, &o->s->mem);
    alea_game_percept_text(o->s->game, list.ids[i], false, &text);
    words[i] = strdup(alea_text_string(&text));
    alea_text_clear(&text);
    for (uint32_t k = i; k > 0 && strcmp(words[k], words[k - 1]) < 0; k--) {
      char *word = words[k];
      words[k] = words[k - 1];
      words[k - 1] = word;
    }
  }
  size_t used = 0;
  seen[0] = '\0';
  for (uint32_t i = 0; i < list.count; i++) {
    used += (size_t)snprintf(seen + used, 512 - used, "%s;", words[i]);
    assert_true(used < 512);
    free(words[i]);
  }
}

static double informed(oracle *o, uint32_t viewer, const hidden *set, size_t count, uint32_t left);

/* The successors of one history under the viewers' moves; those that are over
 * pay at once. */
static double spread(oracle *o, uint32_t viewer, const hidden *h, const alea_move *chosen,
                     hidden **out, size_t *made) {
  const alea_game *game = o->s->game;
  alea_move joint[MOST_ROLES], chances[64];
  double paid = 0;
  enter(o->s->cursor, &h->at);
  uint32_t count = legal_here(o, (uint32_t)game->random_role, chances, 64);
  for (uint32_t r = 0; r < game->role_count; r++) {
    alea_list list;
    assert_int_equal(alea_cursor_legal(o->s->cursor, r, &list), ALEA_OK);
    joint[r] = list.count == 1 ? list.ids[0] : chosen[r];
  }
  for (uint32_t i = 0; i < count; i++) {
    joint[game->random_role] = chances[i];
    enter(o->s->cursor, &h->at);
    assert_int_equal(alea_cursor_play(o->s->cursor, joint), ALEA_OK);
    if (over_here(o)) {
      paid += h->weight / count * goal_here(o);
      continue;
    }
    *out = realloc(*out, (*made + 1) * sizeof **out);
    assert_non_null(*out);
    hidden *new = &(*out)[(*made)++];
    keep(o->s->cursor, &new->at);
    new->weight = h->weight / count;
    see(o, viewer, new->seen);
  }
  return paid;
}

static int by_seen(const void *a, const void *b) {
  return strcmp(((const hidden *)a)->seen, ((const hidden *)b)->seen);
}

/* The mean after one joint move: what is over, and each thing that can be seen. */
static double outcome(oracle *o, uint32_t viewer, const hidden *set, size_t count, uint32_t left,
                      const alea_move *chosen) {
  hidden *next = NULL;
  size_t made = 0;
  double value = 0;
  for (size_t i = 0; i < count; i++) value += spread(o, viewer, &set[i], chosen, &next, &made);
  if (made > 0) qsort(next, made, sizeof *next, by_seen);
  for (size_t first = 0, end; first < made; first = end) {
    for (end = first; end < made && strcmp(next[end].seen, next[first].seen) == 0; end++) {
    }
    value += informed(o, viewer, next + first, end - first, left - 1);
  }
  free(next);
  return value;
}

static double informed_role(oracle *o, uint32_t viewer, const hidden *set, size_t count,
                            uint32_t left, uint32_t role, alea_move *chosen) {
  const alea_game *game = o->s->game;
  if (role == game->role_count) return outcome(o, viewer, set, count, left, chosen);
  alea_move moves[512];
  enter(o->s->cursor, &set[0].at);
  uint32_t options = legal_here(o, role, moves, 512);
  if ((int)role == game->random_role || options == 1)
    return informed_role(o, viewer, set, count, left, role + 1, chosen);
  double best = o->worst ? INFINITY : -INFINITY;
  for (uint32_t i = 0; i < options; i++) {
    chosen[role] = moves[i];
    best = better(o, best, informed_role(o, viewer, set, count, left, role + 1, chosen));
  }
  return best;
}

static double informed(oracle *o, uint32_t viewer, const hidden *set, size_t count, uint32_t left) {
  alea_move chosen[MOST_ROLES] = {0};
  if (left == 0) return 0;
  return informed_role(o, viewer, set, count, left, 0, chosen);
}

static void compare_hidden(const char *name, uint32_t viewer, uint32_t horizon) {
  char path[512];
  stage_subject s;
  snprintf(path, sizeof path, ALEA_SOURCE_DIR "/games/%s.kif", name);
  assert_int_equal(
      stage_open(&s, path, ALEA_ENCODER_GROUND, NULL, true, &(stage_limits){.prove_seconds = 0.1}),
      ALEA_OK);
  alea_process *process;
  alea_belief_options options = {.horizon = horizon, .label = name};
  assert_int_equal(alea_belief_process(&process, s.game, &options, &s.mem, &s.diag), ALEA_OK);
  hidden *first = calloc(1, sizeof *first);
  assert_non_null(first);
  for (uint32_t r = 0; r < s.game->role_count; r++) {
    if ((int)r == s.game->random_role) continue;
    for (int worst = 0; worst < 2; worst++) {
      oracle o = {.s = &s, .role = r, .worst = worst};
      assert_int_equal(alea_cursor_reset(s.cursor), ALEA_OK);
      keep(s.cursor, &first->at);
      first->weight = 1;
      double value = informed(&o, viewer, first, 1, horizon);
      double ours = solved(process, horizon, player_of(s.game, r), worst);
      print_message("%s, role %u, %s, horizon %u: %.12g\n", name, r, worst ? "worst" : "best",
                    horizon, ours);
      assert_true(fabs(value - ours) < 1e-9);
    }
  }
  free(first);
  alea_process_free(process);
  stage_close(&s);
}

static void games_with_percepts(void **state) {
  (void)state;
  compare_hidden("guess-dice", 0, 2);
  compare_hidden("monty-hall", 0, 4);
  compare_hidden("mastermind", 0, 2);
  compare_hidden("schnappt-hubi", 0, 3);
  compare_hidden("pacman-shared", 0, 3);
  compare_hidden("wumpus", 0, 5);
  compare_hidden("sheep-and-wolf", 0, 4);
}

/* Who decides and sees different things is refused, by name. */
static void private_information(void **state) {
  (void)state;
  static const char *const names[] = {"kuhn-poker", "blind-tictactoe", "liars-dice"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char path[512];
    stage_subject s;
    snprintf(path, sizeof path, ALEA_SOURCE_DIR "/games/%s.kif", names[i]);
    assert_int_equal(stage_open(&s, path, ALEA_ENCODER_GROUND, NULL, true,
                                &(stage_limits){.prove_seconds = 0.1}),
                     ALEA_OK);
    alea_process *process;
    alea_belief_options options = {.horizon = -1, .label = names[i]};
    assert_int_equal(alea_belief_process(&process, s.game, &options, &s.mem, &s.diag),
                     ALEA_UNSUPPORTED);
    assert_null(process);
    assert_true(s.diag.errors > 0);
    stage_close(&s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(games_of_complete_information),
                                     cmocka_unit_test(games_with_percepts),
                                     cmocka_unit_test(private_information)};
  return cmocka_run_group_tests_name("solve translated", tests, NULL, NULL);
}
