/* Does it win?  `uct` with a GPU's sampler against `uct` with lanes, the same seconds per move.
 *
 *   gpu_match_bench [-m MATCHES] [-T SECONDS] [-b BATCH] [-p PLAYOUTS] [-l BATCH] [-c C] [-C C]
 *                   [-S SECONDS] [-s SEED] [-o] GAME...
 *
 * The first has batches of -b leaves with -p playouts each, the second of -l leaves with one;
 * -c and -C are their weights of exploration.  Both are in this process and think one after the
 * other, on the same networks; they change roles after each match, and every match has seeds of its
 * own. No match of a game begins after -T seconds.  -o lets the first have one batch at a time, not
 * two in flight.
 *
 * A line for each game: wins, draws and losses of the first; then for each side, where it
 * had a choice, mean and longest seconds of a move, simulations a move, and visits of the root by
 * the end of it, those kept from the move before included.  Needs a game of two, who see all. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "gpu/sampler.h"
#include "match/runner.h"
#include "play/tree.h"

enum { SIDES = 2, MOST_ROLES = 3 };

typedef struct setting {
  uint32_t matches, batch, playouts, lanes_batch;
  double c, lanes_c, seconds, all_seconds;
  uint64_t seed;
  int one; /* batch at a time */
} setting;

typedef struct tally {
  uint64_t moves, sims, visits;
  double seconds, longest;
} tally;

/* What a game needs for all its matches. */
typedef struct table {
  const setting *with;
  alea_opened opened;
  alea_match_sampler lanes;
  alea_sampler_class one; /* the GPU's, without a background */
  tally sides[SIDES];
  uint32_t won, drawn, lost;
} table;

/* One side of a match. */
typedef struct match_side {
  alea_mem mem;
  alea_player *player;
} match_side;

static alea_status make_gpu(const void *context, uint64_t seed, alea_mem *mem,
                            alea_sampler **sampler) {
  const table *t = context;
  char why[ALEA_GPU_WHY];
  const alea_opened *o = &t->opened;
  const alea_game *game = o->lanes_game != NULL ? o->lanes_game : o->game;
  alea_status status = alea_gpu_sampler_new(sampler, game, seed, mem, NULL, why);
  if (status != ALEA_OK) return fprintf(stderr, "%s\n", why), status;
  alea_gpu_sampler_finish(*sampler);
  if (!t->with->one) return ALEA_OK;
  alea_sampler_class *one = (alea_sampler_class *)(uintptr_t)&t->one;
  *one = *(*sampler)->class;
  one->start = NULL;
  one->finish = NULL;
  (*sampler)->class = one;
  return ALEA_OK;
}

static alea_status sit(match_side *g, const table *t, int side, uint32_t role, uint64_t seed) {
  char text[128];
  alea_text message;
  const setting *with = t->with;
  alea_mem_init(&g->mem, 0);
  alea_player_setup setup = {
      .game = t->opened.game, .role = role, .seed = seed, .mem = &g->mem, .unhurried = true};
  setup.services = t->opened.services;
  setup.sampler = side == 0 ? make_gpu : alea_match_make_sampler;
  setup.sampler_context = side == 0 ? (const void *)t : &t->lanes;
  if (side == 0)
    snprintf(text, sizeof text, "uct:c=%g,batch=%u,playouts=%u", with->c, with->batch,
             with->playouts);
  else
    snprintf(text, sizeof text, "uct:c=%g,batch=%u", with->lanes_c, with->lanes_batch);
  alea_text_init(&message, &g->mem);
  alea_status status = alea_player_new(&g->player, text, &setup, &message);
  if (status != ALEA_OK) fprintf(stderr, "%s: %s\n", text, alea_text_string(&message));
  alea_text_clear(&message);
  return status;
}

static uint32_t root_visits(const alea_player *player) {
  const alea_search *search = &((const alea_tree *)(const void *)player)->search;
  return search->root != 0 ? alea_node_store_at(&search->store, search->root)->visits : 0;
}

/* The move of a player; it is counted where there is a choice. */
static alea_status ask(match_side *g, tally *side, const setting *with, bool choice,
                       alea_move *move) {
  alea_budget budget = {.seconds = with->seconds, .clock = ALEA_CLOCK_WALL};
  uint64_t sims = g->player->stats.sims;
  double start = alea_clock_wall();
  alea_status status = alea_player_select(g->player, &budget, move);
  double took = alea_clock_wall() - start;
  if (!choice) return status;
  side->moves++;
  side->seconds += took;
  if (took > side->longest) side->longest = took;
  side->sims += g->player->stats.sims - sims;
  side->visits += root_visits(g->player);
  return status;
}

/* One step of the match; sides[role] is who plays it. */
static alea_status step(table *t, match_side *guests, const int *sides, alea_cursor *cursor,
                        alea_rng *rng) {
  const alea_game *game = t->opened.game;
  alea_move joint[MOST_ROLES];
  alea_status status = ALEA_OK;
  for (uint32_t r = 0; status == ALEA_OK && r < game->role_count; r++) {
    alea_list legal;
    status = alea_cursor_legal(cursor, r, &legal);
    if (status != ALEA_OK || legal.count == 0) return ALEA_USAGE;
    joint[r] = legal.ids[alea_rng_below(rng, legal.count)];
    if (sides[r] >= 0)
      status = ask(&guests[sides[r]], &t->sides[sides[r]], t->with, legal.count > 1, &joint[r]);
  }
  if (status == ALEA_OK) status = alea_cursor_play(cursor, joint);
  for (uint32_t r = 0; status == ALEA_OK && r < game->role_count; r++) {
    alea_observation seen = {.own = joint[r], .joint = joint};
    if (sides[r] >= 0) status = alea_player_observe(guests[sides[r]].player, &seen);
  }
  return status;
}

static alea_status play_match(table *t, uint32_t number) {
  const alea_game *game = t->opened.game;
  match_side guests[SIDES] = {0};
  int sides[MOST_ROLES], next = (int)(number % 2), goals[SIDES] = {0};
  uint64_t seed = t->with->seed + (uint64_t)number * SIDES;
  alea_mem mem;
  alea_rng rng;
  alea_cursor *cursor = NULL;
  bool terminal = false;
  alea_mem_init(&mem, 0);
  alea_rng_seed(&rng, seed);
  alea_status status = alea_cursor_new(game, &mem, &cursor);
  for (uint32_t r = 0; r < game->role_count; r++) {
    sides[r] = (int)r == game->random_role ? -1 : next;
    if (sides[r] < 0) continue;
    if (status == ALEA_OK) status = sit(&guests[next], t, next, r, seed + (uint64_t)next);
    next = 1 - next;
  }
  while (status == ALEA_OK && !terminal) {
    status = step(t, guests, sides, cursor, &rng);
    if (status == ALEA_OK) status = alea_cursor_terminal(cursor, &terminal);
  }
  for (uint32_t r = 0; status == ALEA_OK && r < game->role_count; r++)
    if (sides[r] >= 0) status = alea_cursor_goal(cursor, r, &goals[sides[r]]);
  t->won += status == ALEA_OK && goals[0] > goals[1];
  t->drawn += status == ALEA_OK && goals[0] == goals[1];
  t->lost += status == ALEA_OK && goals[0] < goals[1];
  for (int i = 0; i < SIDES; i++) alea_player_free(guests[i].player);
  alea_cursor_free(cursor);
  return status;
}

static void print_side(const char *name, const tally *side) {
  double moves = side->moves > 0 ? (double)side->moves : 1;
  printf("  %s: %.4f s a move, %.4f at most, %.0f simulations, %.0f visits", name,
         side->seconds / moves, side->longest, (double)side->sims / moves,
         (double)side->visits / moves);
}

static int play(const char *name, const setting *with) {
  static table t; /* it must not move, and is large */
  alea_open_options options = {.engine = ALEA_ENGINE_AUTO, .ground_seconds = 60};
  alea_mem mem;
  t = (table){.with = with};
  alea_mem_init(&mem, 0);
  alea_status status = alea_open(&t.opened, name, &options, NULL);
  const alea_game *game = t.opened.game;
  bool fits = status == ALEA_OK && t.opened.net != NULL && !game->has_sees &&
              game->role_count - (game->random_role >= 0) == SIDES;
  if (fits) alea_match_sampler_init(&t.lanes, &t.opened, ALEA_ENGINE_AUTO, &mem);
  if (!fits) status = ALEA_UNSUPPORTED;
  double end = alea_clock_wall() + with->all_seconds;
  for (uint32_t i = 0; status == ALEA_OK && i < with->matches && alea_clock_wall() < end; i++)
    status = play_match(&t, i);
  printf("%-28s %u/%u/%u", name, t.won, t.drawn, t.lost);
  print_side("gpu", &t.sides[0]);
  print_side("lanes", &t.sides[1]);
  printf("%s\n", status == ALEA_OK ? "" : fits ? "  failed" : "  not for this game");
  fflush(stdout);
  if (fits) alea_match_sampler_clear(&t.lanes);
  alea_opened_clear(&t.opened);
  return status == ALEA_OK ? 0 : 1;
}

int main(int count, char **words) {
  setting with = {.matches = 40,
                  .batch = 64,
                  .playouts = 512,
                  .lanes_batch = 32,
                  .c = 1,
                  .lanes_c = 1,
                  .seconds = 0.1,
                  .all_seconds = 1e9,
                  .seed = 5};
  int result = 0, option;
  while ((option = getopt(count, words, "b:c:C:l:m:op:s:S:T:")) != -1) {
    if (option == 'm') with.matches = (uint32_t)strtoul(optarg, NULL, 10);
    if (option == 'b') with.batch = (uint32_t)strtoul(optarg, NULL, 10);
    if (option == 'p') with.playouts = (uint32_t)strtoul(optarg, NULL, 10);
    if (option == 'c') with.c = strtod(optarg, NULL);
    if (option == 'C') with.lanes_c = strtod(optarg, NULL);
    if (option == 'l') with.lanes_batch = (uint32_t)strtoul(optarg, NULL, 10);
    if (option == 's') with.seed = strtoull(optarg, NULL, 10);
    if (option == 'S') with.seconds = strtod(optarg, NULL);
    if (option == 'T') with.all_seconds = strtod(optarg, NULL);
    if (option == 'o') with.one = 1;
  }
  for (int i = optind; i < count; i++) result |= play(words[i], &with);
  return result;
}
