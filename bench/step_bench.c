/* One position at a time: what a step of the engine `net` costs.
 *
 *   build/bench/step_bench FILE [SECONDS]
 *
 * FILE is a rulesheet.  Random plays are recorded first, so that every use makes the same
 * steps and only they are timed; each line is nanoseconds of CPU time per step, the mean and
 * that of the pass over all plays that was least disturbed:
 *
 *   step    the moves of a play, one after the other, nothing asked
 *   legal   the same, and after each step whether the game ended and what is legal
 *   apply   the same, and the moves are looked for among the legal ones, as the public interface
 * does back    at each position of a play a few moves, each asked about and taken back peek    the
 * positions behind these moves alone (alea_net_preview)
 *
 * `legal` and `back` also print a checksum of what was found, the same for every
 * version of the engine. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/rng.h"
#include "base/vec.h"
#include "propnet/propnet.h"
#include "support/ground_maker.h"

enum { STEP_CAP = 400, LEAST_STEPS = 2000, TRIES = 4 };

typedef struct step_bench {
  alea_mem mem;
  alea_cursor *cursor;
  uint32_t roles;
  size_t words;
  alea_u32s plays;  /* steps of each play */
  alea_u32s moves;  /* joint moves, and behind each TRIES other ones, legal in the same place */
  alea_u64s states; /* positions before them */
  uint64_t found;   /* checksum */
} step_bench;

static void must(bool good) {
  if (!good) exit(ALEA_SYSTEM);
}

/* ---- the plays ---- */

static bool is_over(alea_cursor *cursor) {
  bool terminal;
  must(alea_cursor_terminal(cursor, &terminal) == ALEA_OK);
  return terminal;
}

/* A joint move drawn at random; false where a role has none. */
static bool record_joint(step_bench *b, alea_rng *rng) {
  for (uint32_t role = 0; role < b->roles; role++) {
    alea_list list;
    must(alea_cursor_legal(b->cursor, role, &list) == ALEA_OK);
    if (list.count == 0) return false;
    must(alea_vec_push(&b->mem, &b->moves, list.ids[alea_rng_below(rng, list.count)]));
  }
  return true;
}

static bool record_step(step_bench *b, alea_rng *rng) {
  size_t first = b->moves.count;
  const uint64_t *words = alea_cursor_state(b->cursor, &b->words);
  if (is_over(b->cursor)) return false;
  for (int i = 0; i <= TRIES; i++)
    if (!record_joint(b, rng)) return b->moves.count = first, false;
  for (size_t w = 0; w < b->words; w++) must(alea_vec_push(&b->mem, &b->states, words[w]));
  must(alea_cursor_play(b->cursor, b->moves.data + first) == ALEA_OK);
  return true;
}

static void record(step_bench *b) {
  alea_rng rng;
  alea_rng_seed(&rng, 1);
  for (uint32_t all = 0; all < LEAST_STEPS;) {
    uint32_t steps = 0;
    must(alea_cursor_reset(b->cursor) == ALEA_OK);
    while (steps < STEP_CAP && record_step(b, &rng)) steps++;
    must(steps > 0 && alea_vec_push(&b->mem, &b->plays, steps));
    all += steps;
  }
}

/* ---- the uses ---- */

typedef void (*step_use)(step_bench *b, size_t step);

static const alea_move *joint_of(const step_bench *b, size_t step, uint32_t i) {
  return b->moves.data + (step * (TRIES + 1) + i) * b->roles;
}

static void ask(step_bench *b) {
  if (is_over(b->cursor)) return;
  for (uint32_t role = 0; role < b->roles; role++) {
    alea_list list;
    must(alea_cursor_legal(b->cursor, role, &list) == ALEA_OK);
    b->found = alea_hash_join(b->found, list.count > 0 ? list.ids[list.count / 2] : 0);
  }
}

static void use_step(step_bench *b, size_t step) {
  (void)alea_cursor_play(b->cursor, joint_of(b, step, 0));
}

static void use_legal(step_bench *b, size_t step) {
  use_step(b, step);
  ask(b);
}

static void use_apply(step_bench *b, size_t step) {
  if (is_over(b->cursor)) return;
  for (uint32_t role = 0; role < b->roles; role++) {
    bool admits;
    must(alea_cursor_admits(b->cursor, role, joint_of(b, step, 0)[role], &admits) == ALEA_OK &&
         admits);
  }
  use_step(b, step);
}

static void use_back(step_bench *b, size_t step) {
  for (uint32_t i = 1; i <= TRIES; i++) {
    (void)alea_cursor_play(b->cursor, joint_of(b, step, i));
    ask(b);
    (void)alea_cursor_load(b->cursor, b->states.data + step * b->words, b->words);
  }
  use_step(b, step);
}

static void use_peek(step_bench *b, size_t step) {
  for (uint32_t i = 1; i <= TRIES; i++)
    b->found ^= alea_net_preview(b->cursor, joint_of(b, step, i))[0];
  use_step(b, step);
}

static uint64_t all_plays(step_bench *b, step_use use) {
  size_t step = 0;
  for (size_t play = 0; play < b->plays.count; play++) {
    (void)alea_cursor_reset(b->cursor);
    for (uint32_t i = 0; i < b->plays.data[play]; i++) use(b, step++);
  }
  return step;
}

static void measure(step_bench *b, const char *what, step_use use, uint32_t per_step,
                    double seconds) {
  uint64_t steps = 0;
  double spent = 0, least = 1e9;
  b->found = 0;
  (void)all_plays(b, use);
  uint64_t found = b->found;
  while (spent < seconds) {
    double start = alea_clock_thread();
    uint64_t made = all_plays(b, use) * per_step;
    double took = alea_clock_thread() - start;
    if (took / (double)made < least) least = took / (double)made;
    spent += took;
    steps += made;
  }
  printf("  %-6s %9.1f ns, at least %9.1f  %016llx\n", what, 1e9 * spent / (double)steps,
         1e9 * least, (unsigned long long)found);
}

static alea_game *open_game(const char *path, alea_mem *mem) {
  alea_diag diag;
  alea_diag_init(&diag, mem);
  alea_ground *ground = ground_from_file(path, mem, &diag);
  must(ground != NULL);
  alea_net *net;
  alea_game *game;
  alea_net_options options = {.aim = ALEA_NET_FEW_CHANGES};
  must(alea_net_new(&net, ground, &options, mem, &diag) == ALEA_OK);
  printf("%s: %u fluents, %u moves, %u gates\n", path, net->fluent_count, net->move_count,
         net->gate_count);
  alea_ground_free(ground);
  must(alea_net_game_new(&game, net, mem) == ALEA_OK);
  alea_diag_clear(&diag);
  return game;
}

int main(int argc, char **argv) {
  if (argc < 2) return ALEA_USAGE;
  double seconds = argc > 2 ? atof(argv[2]) : 0.3;
  step_bench b = {0};
  alea_mem_init(&b.mem, 0);
  alea_game *game = open_game(argv[1], &b.mem);
  must(alea_cursor_new(game, &b.mem, &b.cursor) == ALEA_OK);
  b.roles = game->role_count;
  record(&b);
  measure(&b, "step", use_step, 1, seconds);
  measure(&b, "legal", use_legal, 1, seconds);
  measure(&b, "apply", use_apply, 1, seconds);
  measure(&b, "back", use_back, TRIES + 1, seconds);
  measure(&b, "peek", use_peek, TRIES + 1, seconds);
  alea_vec_clear(&b.mem, &b.plays);
  alea_vec_clear(&b.mem, &b.moves);
  alea_vec_clear(&b.mem, &b.states);
  alea_cursor_free(b.cursor);
  alea_game_free(game);
  return b.mem.used == 0 ? 0 : ALEA_SYSTEM;
}
