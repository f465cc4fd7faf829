/* What a stage costs beside the engine it propagates with.
 *
 *   stage_bench GAME [SECONDS]
 *
 * Over positions of random plays: loading one, asking for the end, all legal
 * moves and goals, and playing one joint move, by a cursor; and the same
 * through a stage (solve, next), with MAC and with forward checking.  Prints
 * CPU nanoseconds per position and the ratio. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "match/open.h"
#include "scsp/stage.h"

enum { MOST = 4096, ROLES = 64 };

typedef struct sample {
  uint64_t *words[MOST];
  alea_move joint[MOST][ROLES];
  size_t count, word_count;
} sample;

/* Positions that are not over, each with a random joint move. */
static void collect(sample *s, alea_cursor *cursor) {
  alea_rng rng;
  alea_rng_seed(&rng, 1);
  (void)alea_cursor_reset(cursor);
  while (s->count < MOST) {
    bool terminal;
    (void)alea_cursor_terminal(cursor, &terminal);
    alea_move *joint = s->joint[s->count];
    for (uint32_t r = 0; !terminal && r < cursor->game->role_count; r++) {
      alea_list legal;
      (void)alea_cursor_legal(cursor, r, &legal);
      if (legal.count == 0) terminal = true;
      if (!terminal) joint[r] = legal.ids[alea_rng_below(&rng, legal.count)];
    }
    if (terminal) {
      (void)alea_cursor_reset(cursor);
      continue;
    }
    const uint64_t *words = alea_cursor_state(cursor, &s->word_count);
    s->words[s->count] = malloc((s->word_count + 1) * sizeof *words);
    memcpy(s->words[s->count++], words, s->word_count * sizeof *words);
    (void)alea_cursor_play(cursor, joint);
  }
}

static void by_cursor(const sample *s, alea_cursor *cursor) {
  for (size_t i = 0; i < s->count; i++) {
    bool terminal;
    (void)alea_cursor_load(cursor, s->words[i], s->word_count);
    (void)alea_cursor_terminal(cursor, &terminal);
    for (uint32_t r = 0; r < cursor->game->role_count; r++) {
      int goal;
      alea_list legal;
      (void)alea_cursor_goal(cursor, r, &goal);
      (void)alea_cursor_legal(cursor, r, &legal);
    }
    (void)alea_cursor_play(cursor, s->joint[i]);
  }
}

static void by_stage(const sample *s, alea_stage *stage) {
  for (size_t i = 0; i < s->count; i++) {
    alea_stage_solution solution;
    const uint64_t *words;
    size_t count;
    (void)alea_stage_solve(stage, s->words[i], s->word_count, &solution);
    (void)alea_stage_next(stage, s->joint[i], &words, &count);
  }
}

static double time_one(const sample *s, alea_cursor *cursor, alea_stage *stage, double seconds) {
  double start = alea_clock_thread(), spent;
  uint64_t rounds = 0;
  do {
    if (stage != NULL) {
      by_stage(s, stage);
    } else {
      by_cursor(s, cursor);
    }
    rounds++;
    spent = alea_clock_thread() - start;
  } while (spent < seconds);
  return spent / (double)(rounds * s->count) * 1e9;
}

int main(int argc, char **argv) {
  alea_opened opened;
  alea_open_options options = {.engine = "auto", .ground_seconds = 60};
  if (argc < 2 || alea_open(&opened, argv[1], &options, NULL) != ALEA_OK) return 2;
  double seconds = argc > 2 ? atof(argv[2]) : 1;
  alea_cursor *cursor;
  alea_stage *mac, *fc;
  alea_stage_options mac_options = {.method = ALEA_STAGE_MAC},
                     fc_options = {.method = ALEA_STAGE_FC};
  if (alea_cursor_new(opened.game, &opened.mem, &cursor) != ALEA_OK ||
      alea_stage_new_net(&mac, opened.game, &mac_options, &opened.mem) != ALEA_OK ||
      alea_stage_new_net(&fc, opened.game, &fc_options, &opened.mem) != ALEA_OK)
    return 5;
  sample *s = calloc(1, sizeof *s);
  collect(s, cursor);
  double engine = time_one(s, cursor, NULL, seconds), stage = time_one(s, cursor, mac, seconds);
  double checked = time_one(s, cursor, fc, seconds);
  printf("%-16s engine %8.0f ns   stage %8.0f ns (%.2f)   fc %8.0f ns (%.2f)   %.1f arms\n",
         opened.label, engine, stage, stage / engine, checked, checked / engine,
         (double)mac->stats.arms / (double)mac->stats.solved);
  for (size_t i = 0; i < s->count; i++) free(s->words[i]);
  free(s);
  alea_stage_free(mac);
  alea_stage_free(fc);
  alea_cursor_free(cursor);
  alea_opened_clear(&opened);
  return 0;
}
