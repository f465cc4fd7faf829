/* Measures how much symmetries shrink a search. */
#include "experiment/symmetry_gain.h"

#include <stdio.h>

#include "base/clock.h"
#include "encode/services.h"
#include "match/runner.h"

typedef struct symmetry_gain_walk {
  const alea_opened *opened;
  const alea_symmetry_gain_options *options;
  alea_symmetry_gain *gain;
  alea_mem *mem;
  alea_match_sampler sampler;
  alea_cursor *cursor;
  alea_rng rng;
  uint32_t role;             /* its decisions are searched */
  ALEA_VEC(alea_move) moves; /* played so far, one joint move after another */
  double until;              /* in CPU time of this thread */
} symmetry_gain_walk;

/* ---- the group ---- */

static void find_group(alea_symmetry_gain *gain, const alea_opened *opened, double seconds) {
  alea_deadline deadline = alea_deadline_in(seconds);
  const alea_ground *ground = NULL;
  const alea_symmetry *symmetry = NULL;
  const alea_semantic_symmetry *semantic;
  if (opened->services == NULL) return;
  if (alea_services_ground(opened->services, true, &deadline, &ground) == ALEA_OK)
    gain->rules = ground->rules.count;
  if (alea_services_symmetry(opened->services, &deadline, &symmetry, &ground) != ALEA_OK) return;
  gain->rules = ground->rules.count; /* the rules in which the group was found */
  if (alea_services_semantic(opened->services, false, &deadline, &semantic) == ALEA_OK)
    symmetry = semantic->symmetry;
  gain->order = symmetry->order;
  gain->generators = symmetry->generator_count;
}

/* ---- one search ---- */

/* Lets a new player observe what was played. */
static alea_status catch_up(const symmetry_gain_walk *w, alea_player *player) {
  uint32_t roles = w->opened->game->role_count;
  alea_status status = ALEA_OK;
  for (size_t at = 0; status == ALEA_OK && at < w->moves.count; at += roles) {
    const alea_move *joint = w->moves.data + at;
    status = alea_player_observe(player, &(alea_observation){joint[w->role], joint, {0}});
  }
  return status;
}

static alea_status search(symmetry_gain_walk *w, const char *text, alea_player_stats *stats) {
  alea_player_setup setup = {.game = w->opened->game,
                             .role = w->role,
                             .seed = w->options->seed,
                             .mem = w->mem,
                             .sampler = alea_match_make_sampler,
                             .sampler_context = &w->sampler,
                             .services = w->opened->services};
  alea_budget budget = {.sims = w->options->sims};
  alea_player *player = NULL;
  alea_text message;
  alea_move move;
  alea_text_init(&message, w->mem);
  alea_status status = alea_player_new(&player, text, &setup, &message);
  if (status == ALEA_OK) status = alea_player_start(player, &budget);
  if (status == ALEA_OK) status = catch_up(w, player);
  if (status == ALEA_OK) status = alea_player_select(player, &budget, &move);
  if (status == ALEA_OK) *stats = player->stats;
  alea_player_free(player);
  alea_text_clear(&message);
  return status;
}

static alea_status compare(symmetry_gain_walk *w) {
  alea_player_stats with = {0}, without = {0};
  char plain[64];
  alea_status status = search(w, "mac-ucb-sym:rho=0.5", &with);
  if (status != ALEA_OK) return status;
  /* Symmetry takes its share of the effort before solving and sampling share
   * the rest; shares are in thousandths. */
  double rho = 0.5 / (1 - (double)with.mirroring / 1000);
  snprintf(plain, sizeof plain, "mac-ucb-sym:sym=off,rho=%.4f", rho < 1 ? rho : 1);
  status = search(w, plain, &without);
  if (status != ALEA_OK || alea_clock_thread() > w->until) return status;
  w->gain->with += with.nodes;
  w->gain->hits += with.symmetry_hits;
  w->gain->without += without.nodes;
  w->gain->positions++;
  return ALEA_OK;
}

/* ---- a random play ---- */

/* Draws a move for every role; ALEA_NONE: a role has none.  '*choice': the role
 * whose decisions are searched has more than one move. */
static alea_status draw(symmetry_gain_walk *w, bool *choice) {
  uint32_t roles = w->opened->game->role_count;
  if (!alea_vec_reserve(w->mem, &w->moves, roles)) return alea_mem_lack(w->mem);
  for (uint32_t r = 0; r < roles; r++) {
    alea_list list;
    alea_status status = alea_cursor_legal(w->cursor, r, &list);
    if (status == ALEA_OK && list.count == 0) status = ALEA_NONE;
    if (status != ALEA_OK) return status;
    w->moves.data[w->moves.count + r] = list.ids[alea_rng_below(&w->rng, list.count)];
    if (r == w->role) *choice = list.count > 1;
  }
  return ALEA_OK;
}

static alea_status step(symmetry_gain_walk *w, bool *over) {
  bool choice = false;
  alea_status status = draw(w, &choice);
  *over = status == ALEA_NONE;
  if (status != ALEA_OK) return *over ? ALEA_OK : status;
  if (choice) status = compare(w);
  if (status == ALEA_OK) status = alea_cursor_play(w->cursor, w->moves.data + w->moves.count);
  w->moves.count += w->opened->game->role_count;
  return status == ALEA_OK ? alea_cursor_terminal(w->cursor, over) : status;
}

static alea_status play(symmetry_gain_walk *w) {
  bool over = false;
  alea_status status = alea_cursor_terminal(w->cursor, &over);
  while (status == ALEA_OK && !over && w->gain->positions < w->options->positions &&
         alea_clock_thread() <= w->until)
    status = step(w, &over);
  return status;
}

alea_status alea_symmetry_gain_measure(alea_symmetry_gain *gain, const alea_opened *opened,
                                       const alea_symmetry_gain_options *options, alea_mem *mem) {
  *gain = (alea_symmetry_gain){0};
  find_group(gain, opened, options->seconds);
  if (gain->order == 0 || opened->game->has_sees) return ALEA_OK;
  symmetry_gain_walk w = {.opened = opened,
                          .options = options,
                          .gain = gain,
                          .mem = mem,
                          .role = opened->game->random_role == 0 ? 1 : 0,
                          .until = alea_clock_thread() + options->seconds};
  alea_rng_seed(&w.rng, options->seed);
  alea_match_sampler_init(&w.sampler, opened, ALEA_ENGINE_AUTO, mem);
  alea_status status = alea_cursor_new(opened->game, mem, &w.cursor);
  if (status == ALEA_OK) status = play(&w);
  alea_cursor_free(w.cursor);
  alea_vec_clear(mem, &w.moves);
  alea_match_sampler_clear(&w.sampler);
  return status;
}
