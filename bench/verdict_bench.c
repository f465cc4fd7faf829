/* verdict_bench [--time S | --sims N | --ladder N] [--count N] [--proof S] GAME PLAYER...
 *
 * Measures how often a player's move keeps the exact value of the position.
 * Positions come from games of two fast players; they are examined from the end
 * backwards as far as the endgame search proves the value of every move in S
 * CPU seconds each.  Positions where moves differ in value are kept, the
 * earliest few of each game.  This takes minutes where matches take hours, but
 * answers a narrower question: a player that keeps values in the second half of
 * a game need not win it.  For zero-sum games of two players without chance.
 *
 * --ladder N asks with 1,000 simulations, with ten times as many, and so on up to N:
 * the share of moves that keep the value has to rise (bench/convergence.md). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "game/position.h"
#include "match/open.h"
#include "match/runner.h"
#include "minimax/endgame.h"

enum { ROLES = 2, FROM_A_GAME = 2, MOST_STEPS = 1000, GUIDE_SIMS = 1000, VAIN_GAMES = 20 };

typedef struct verdict {
  alea_move move;
  int goal; /* for the role that chooses */
} verdict;

typedef struct question {
  alea_u32s joints; /* moves that lead to the position, two per step */
  uint32_t role;    /* that chooses */
  ALEA_VEC(verdict) verdicts;
  int best;
} question;

typedef struct bench {
  alea_opened opened;
  alea_mem mem;
  alea_match_sampler sampler;
  alea_cursor *cursor;
  alea_player_setup umpires[ROLES]; /* of the endgame searches */
  alea_endgame *endgames[ROLES];
  double proof;
  alea_budget budget; /* of the players being measured */
  uint64_t ladder;    /* the most simulations they are asked with, one step after the other */
  size_t count;
  alea_u32s joints; /* of the current game, two per step */
  ALEA_VEC(question) questions;
} bench;

static void die(const char *what) {
  fprintf(stderr, "verdict_bench: %s\n", what);
  exit(1);
}

static void must(alea_status status) {
  if (status != ALEA_OK) die(alea_status_text(status));
}

static alea_player *make(bench *b, const char *text, uint32_t role, uint64_t seed) {
  alea_player_setup setup = {.game = b->opened.game,
                             .role = role,
                             .seed = seed,
                             .mem = &b->mem,
                             .sampler = alea_match_make_sampler,
                             .sampler_context = &b->sampler,
                             .services = b->opened.services};
  alea_text message;
  alea_text_init(&message, &b->mem);
  alea_player *player;
  if (alea_player_new(&player, text, &setup, &message) != ALEA_OK) die(alea_text_string(&message));
  alea_text_clear(&message);
  return player;
}

static bool has_ended(bench *b) {
  bool terminal;
  must(alea_cursor_terminal(b->cursor, &terminal));
  return terminal;
}

static alea_status note(void *context, alea_cursor *cursor, const alea_move *joint,
                        const alea_record *record) {
  bench *b = context;
  (void)cursor, (void)record;
  for (uint32_t r = 0; joint != NULL && r < ROLES; r++)
    if (!alea_vec_push(&b->mem, &b->joints, joint[r])) die("no memory");
  return ALEA_OK;
}

/* Plays one game of two fast players; records the joint moves. */
static void play(bench *b, uint64_t seed) {
  static const char *const guides[ROLES] = {"uct", "uct"};
  alea_match_options options = {.players = guides,
                                .player_count = ROLES,
                                .sims = GUIDE_SIMS,
                                .seed = seed,
                                .step_cap = MOST_STEPS,
                                .engine = ALEA_ENGINE_AUTO};
  alea_record record;
  alea_record_init(&record, &b->mem);
  b->joints.count = 0;
  must(alea_match_run(&record, &b->opened, &options, note, b, NULL));
  alea_record_clear(&record);
}

static void go_to(bench *b, size_t steps) {
  must(alea_cursor_reset(b->cursor));
  for (size_t i = 0; i < steps; i++) must(alea_cursor_play(b->cursor, b->joints.data + i * ROLES));
}

/* The first move of each role, and the role that has more than one; ROLES:
 * none. */
static uint32_t find_chooser(bench *b, alea_move *joint, alea_list *choices) {
  uint32_t chooser = ROLES;
  for (uint32_t r = 0; r < ROLES; r++) {
    alea_list legal;
    must(alea_cursor_legal(b->cursor, r, &legal));
    if (legal.count == 0) die("a role has no move");
    joint[r] = legal.ids[0];
    if (legal.count == 1) continue;
    if (chooser != ROLES) die("both choose at once");
    chooser = r;
    *choices = legal;
  }
  return chooser;
}

/* The exact goal of 'role' at the cursor's position; -1 if it was not
 * proved. */
static int prove(bench *b, uint32_t role) {
  alea_endgame_answer answer;
  alea_budget budget = {.seconds = b->proof, .clock = ALEA_CLOCK_CPU};
  alea_move joint[ROLES];
  alea_list choices;
  alea_u64s position = {0};
  uint32_t chooser = ROLES;
  int goal;
  while (!has_ended(b) && (chooser = find_chooser(b, joint, &choices)) == ROLES)
    must(alea_cursor_play(b->cursor, joint));
  if (has_ended(b)) return must(alea_cursor_goal(b->cursor, role, &goal)), goal;
  must(alea_position_keep(&position, b->cursor, &b->mem));
  must(alea_endgame_run(b->endgames[chooser], position.data, position.count, &budget, &answer));
  alea_vec_clear(&b->mem, &position);
  if (answer.lo != answer.hi) return -1;
  return role == chooser ? answer.lo : 100 - answer.lo;
}

/* Computes the value of every move after 'steps' steps.  False: not all were
 * proved. */
static bool ask(bench *b, size_t steps, question *q) {
  alea_list choices = {0};
  alea_move joint[ROLES];
  alea_u32s moves = {0};
  bool proved = true;
  go_to(b, steps);
  q->role = find_chooser(b, joint, &choices);
  for (uint32_t i = 0; i < choices.count; i++)
    if (!alea_vec_push(&b->mem, &moves, choices.ids[i])) die("no memory");
  q->best = -1;
  for (size_t i = 0; proved && i < moves.count; i++) {
    verdict v = {.move = joint[q->role] = moves.data[i]};
    if (i > 0) go_to(b, steps);
    must(alea_cursor_play(b->cursor, joint));
    v.goal = prove(b, q->role);
    proved = v.goal >= 0;
    if (v.goal > q->best) q->best = v.goal;
    if (!alea_vec_push(&b->mem, &q->verdicts, v)) die("no memory");
  }
  alea_vec_clear(&b->mem, &moves);
  for (size_t i = 0; i < steps * ROLES; i++)
    if (!alea_vec_push(&b->mem, &q->joints, b->joints.data[i])) die("no memory");
  return proved;
}

static bool is_open(const question *q) {
  for (size_t i = 0; i < q->verdicts.count; i++)
    if (q->verdicts.data[i].goal < q->best) return true;
  return false;
}

static void drop(bench *b, question *q) {
  alea_vec_clear(&b->mem, &q->joints);
  alea_vec_clear(&b->mem, &q->verdicts);
  *q = (question){0};
}

static void gather(bench *b) {
  question found[FROM_A_GAME] = {0};
  size_t count = 0;
  for (size_t steps = b->joints.count / ROLES; steps-- > 0;) {
    question q = {0};
    bool proved = ask(b, steps, &q);
    if (!proved || !is_open(&q)) {
      drop(b, &q);
    } else {
      drop(b, &found[count % FROM_A_GAME]);
      found[count++ % FROM_A_GAME] = q;
    }
    if (!proved) break;
  }
  for (size_t i = 0; i < FROM_A_GAME; i++) {
    if (found[i].verdicts.count == 0) continue;
    if (!alea_vec_push(&b->mem, &b->questions, found[i])) die("no memory");
  }
}

static void examine(bench *b, const char *text) {
  double kept = 0, lost = 0, n = (double)b->questions.count;
  for (size_t i = 0; i < b->questions.count; i++) {
    const question *q = &b->questions.data[i];
    alea_player *player = make(b, text, q->role, i + 1);
    alea_move move;
    for (size_t j = 0; j < q->joints.count; j += ROLES) {
      const alea_move *joint = q->joints.data + j;
      must(alea_player_observe(player, &(alea_observation){.own = joint[q->role], .joint = joint}));
    }
    must(alea_player_select(player, &b->budget, &move));
    for (size_t j = 0; j < q->verdicts.count; j++) {
      if (q->verdicts.data[j].move != move) continue;
      kept += q->verdicts.data[j].goal == q->best;
      lost += q->best - q->verdicts.data[j].goal;
    }
    alea_player_free(player);
  }
  double share = kept / n;
  printf("| %s | %llu | %.1f ± %.1f | %.2f | %.0f |\n", text, (unsigned long long)b->budget.sims,
         100 * share, 196 * sqrt(share * (1 - share) / n), lost / n, n);
  fflush(stdout);
}

static void climb(bench *b, const char *text) {
  if (b->ladder == 0) examine(b, text);
  for (uint64_t sims = 1000; sims <= b->ladder; sims *= 10) {
    b->budget.sims = sims;
    examine(b, text);
  }
}

static void open_game(bench *b, const char *name) {
  alea_diag diag;
  alea_diag_init(&diag, &b->mem);
  alea_open_options options = {
      .engine = ALEA_ENGINE_NET, .ground_seconds = 60, .memory = (size_t)4 << 30};
  if (alea_open(&b->opened, name, &options, &diag) != ALEA_OK) die("the game cannot be opened");
  alea_diag_clear(&diag);
  const alea_game *game = b->opened.game;
  if (game->role_count != ROLES || game->random_role >= 0 || game->has_sees)
    die("not a game of two without chance");
  alea_match_sampler_init(&b->sampler, &b->opened, ALEA_ENGINE_AUTO, &b->mem);
  must(alea_cursor_new(game, &b->mem, &b->cursor));
  for (uint32_t r = 0; r < ROLES; r++) {
    b->umpires[r] = (alea_player_setup){.game = game, .role = r, .mem = &b->mem};
    must(alea_endgame_new(&b->endgames[r], &b->umpires[r], (size_t)512 << 20));
    if (b->endgames[r] == NULL) die("the endgame search does not play this game");
  }
}

/* Reads the options; returns the index of the first operand. */
static int read_options(bench *b, int argc, char **argv) {
  int i = 1;
  for (; i + 1 < argc && strncmp(argv[i], "--", 2) == 0; i += 2) {
    double number = atof(argv[i + 1]);
    if (strcmp(argv[i], "--time") == 0)
      b->budget.seconds = number;
    else if (strcmp(argv[i], "--sims") == 0)
      b->budget.sims = (uint64_t)number;
    else if (strcmp(argv[i], "--ladder") == 0)
      b->ladder = (uint64_t)number;
    else if (strcmp(argv[i], "--count") == 0)
      b->count = (size_t)number;
    else if (strcmp(argv[i], "--proof") == 0)
      b->proof = number;
    else
      die("options are --time, --sims, --ladder, --count and --proof");
  }
  if (b->budget.seconds <= 0 && b->budget.sims == 0 && b->ladder == 0) b->budget.seconds = 0.1;
  return i;
}

int main(int argc, char **argv) {
  bench b = {.proof = 1, .budget = {.clock = ALEA_CLOCK_CPU}, .count = 200};
  alea_mem_init(&b.mem, 0);
  int at = read_options(&b, argc, argv);
  if (at >= argc) die("which game?");
  open_game(&b, argv[at++]);
  for (uint64_t seed = 1; b.questions.count < b.count; seed++) {
    if (seed > VAIN_GAMES && b.questions.count == 0) die("nothing is proved in this game");
    play(&b, seed);
    gather(&b);
  }
  printf("| player | simulations | keeps the value, %% | goals lost | positions |\n");
  printf("|---|---|---|---|---|\n");
  for (; at < argc; at++) climb(&b, argv[at]);
  alea_vec_clear(&b.mem, &b.joints);
  for (size_t q = 0; q < b.questions.count; q++) drop(&b, &b.questions.data[q]);
  alea_vec_clear(&b.mem, &b.questions);
  for (uint32_t r = 0; r < ROLES; r++) alea_endgame_free(b.endgames[r]);
  alea_cursor_free(b.cursor);
  alea_match_sampler_clear(&b.sampler);
  alea_opened_clear(&b.opened);
  if (b.mem.used != 0) fprintf(stderr, "%zu bytes leaked\n", b.mem.used);
  return 0;
}
