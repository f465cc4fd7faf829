/* belief_bench [--plays N] [--steps N] FILE...
 *
 * Beliefs in random plays of games with `sees`, by depth: the share of steps
 * after which some position agrees with all observations, the number of such
 * positions, and CPU time per step.  A line for each game, with a column for
 *
 *   search   the particle filter, dead ends by search alone
 *   filter   the particle filter, dead ends by constraints first
 *   csp      all particles by constraints */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "match/open.h"
#include "play/belief.h"

enum { MODELS = 3, MOST_ROLES = 16, PARTICLES = 100, DEPTHS = 3 };
static const char *const names[MODELS] = {"search", "filter", "csp"};

typedef struct tally {
  unsigned steps, alive;
  double different, seconds;
} tally;

static unsigned count_different(const alea_belief *b) {
  unsigned different = 0;
  for (uint32_t i = 0; i < b->live; i++) {
    bool known = false;
    for (uint32_t j = 0; j < i && !known; j++) {
      const alea_u64s *x = &b->now.data[i].words, *y = &b->now.data[j].words;
      known = x->count == y->count && memcmp(x->data, y->data, x->count * sizeof *x->data) == 0;
    }
    different += !known;
  }
  return different;
}

/* Plays at random.  False at the end. */
static bool step(alea_cursor *cursor, alea_rng *rng, alea_move *joint) {
  bool terminal;
  if (alea_cursor_terminal(cursor, &terminal) != ALEA_OK || terminal) return false;
  for (uint32_t r = 0; r < cursor->game->role_count; r++) {
    alea_list legal;
    if (alea_cursor_legal(cursor, r, &legal) != ALEA_OK || legal.count == 0) return false;
    joint[r] = legal.ids[alea_rng_below(rng, legal.count)];
  }
  if (alea_cursor_play(cursor, joint) != ALEA_OK) return false;
  return alea_cursor_terminal(cursor, &terminal) == ALEA_OK && !terminal;
}

static void run(const alea_game *game, int model, uint32_t role, uint64_t seed, unsigned steps,
                tally *by_depth) {
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_cursor *cursor;
  alea_rng rng;
  alea_rng_seed(&rng, seed);
  alea_player_setup setup = {.game = game, .role = role, .seed = seed, .mem = &mem};
  alea_belief belief;
  alea_move joint[MOST_ROLES];
  if (alea_belief_init(&belief, &setup, PARTICLES) != ALEA_OK) exit(1);
  if (model == 2) belief.model = ALEA_BELIEF_CSP;
  if (model == 0) belief.unconstrained = true;
  if (alea_cursor_new(game, &mem, &cursor) != ALEA_OK) exit(1);
  for (unsigned s = 0; s < steps && step(cursor, &rng, joint); s++) {
    alea_observation seen = {.own = joint[role]};
    if (alea_cursor_percepts(cursor, role, &seen.percepts) != ALEA_OK) exit(1);
    double began = alea_clock_thread();
    alea_status status = alea_belief_observe(&belief, &seen);
    if (status == ALEA_OK) status = alea_belief_ready(&belief);
    unsigned depth = s < 4 ? 0 : s < 12 ? 1 : 2;
    tally *t = &by_depth[depth];
    t->seconds += alea_clock_thread() - began;
    t->steps++;
    t->alive += status == ALEA_OK;
    if (status == ALEA_OK) t->different += count_different(&belief);
  }
  alea_cursor_free(cursor);
  alea_belief_clear(&belief);
}

static void measure(const alea_game *game, const char *name, unsigned plays, unsigned steps) {
  for (int model = 0; model < MODELS; model++) {
    tally by_depth[DEPTHS] = {{0}};
    for (unsigned i = 0; i < plays; i++) {
      uint32_t role = i % game->role_count;
      if ((int)role == game->random_role) role = (role + 1) % game->role_count;
      run(game, model, role, 1 + i, steps, by_depth);
    }
    printf("| %s | %s |", name, names[model]);
    for (int d = 0; d < DEPTHS; d++) {
      const tally *t = &by_depth[d];
      if (t->steps == 0) {
        printf(" |");
        continue;
      }
      printf(" %.0f %%, %.0f, %.1f ms |", 100.0 * t->alive / t->steps,
             t->alive > 0 ? t->different / t->alive : 0, 1000 * t->seconds / t->steps);
    }
    printf("\n");
    fflush(stdout);
  }
}

int main(int argc, char **argv) {
  unsigned plays = 6, steps = 30;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--plays") == 0 && i + 1 < argc) {
      plays = (unsigned)atoi(argv[++i]);
      continue;
    }
    if (strcmp(argv[i], "--steps") == 0 && i + 1 < argc) {
      steps = (unsigned)atoi(argv[++i]);
      continue;
    }
    alea_opened opened;
    alea_mem mem;
    alea_mem_init(&mem, 0);
    alea_diag diag;
    alea_diag_init(&diag, &mem);
    alea_open_options options = {
        .engine = ALEA_ENGINE_NET, .ground_seconds = 60, .memory = (size_t)4 << 30};
    alea_status status = alea_open(&opened, argv[i], &options, &diag);
    const char *name = strrchr(argv[i], '/');
    name = name != NULL ? name + 1 : argv[i];
    if (status != ALEA_OK) fprintf(stderr, "%s: cannot be opened\n", name);
    if (status == ALEA_OK && opened.game->has_sees && opened.game->role_count <= MOST_ROLES)
      measure(opened.game, name, plays, steps);
    alea_diag_clear(&diag);
    alea_opened_clear(&opened);
  }
  return 0;
}
