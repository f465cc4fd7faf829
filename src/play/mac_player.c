/* MAC-UCB as a player: beliefs, clocks, and the search that fits the game; and
 * the table of the players that are this with other defaults. */
#include "play/classes.h"
#include "play/mac_belief.h"

typedef struct mac_player {
  alea_player player; /* first: it is an alea_player */
  alea_belief belief;
  alea_mac mac;
  alea_mac_belief hidden; /* the search with it, where the game has `sees` */
  alea_observed_symmetry observed;
  alea_pace pace;
  bool ready; /* fully set up: what it knows may be kept */
} mac_player;

static mac_player *self_of(alea_player *player) { return (mac_player *)(void *)player; }

static alea_status set_up(alea_player *player, alea_stage_method method) {
  mac_player *self = self_of(player);
  const alea_player_setup *setup = &player->setup;
  const alea_mac_values *v = player->values;
  alea_status status = alea_belief_init(&self->belief, setup, (uint32_t)v->particles);
  if (status != ALEA_OK) return status;
  self->belief.model = (alea_belief_model)v->belief;
  status = alea_mac_init(&self->mac, setup, v, method, &player->stats, player->message);
  if (status == ALEA_OK && setup->game->has_sees)
    status = alea_mac_belief_init(&self->hidden, &self->mac);
  /* Symmetries of one stage say nothing of what was seen in others, and independent beliefs
   * forget it. */
  bool proved = v->sym == ALEA_MAC_SYM_GAME || v->sym == ALEA_MAC_SYM_SOUND;
  if (status == ALEA_OK && setup->game->has_sees && proved && v->belief != ALEA_BELIEF_PAPER) {
    status = alea_observed_symmetry_init(&self->observed, setup);
    self->hidden.observed = &self->observed;
  }
  self->ready = status == ALEA_OK;
  return status;
}

static const char *file(const alea_player *player, bool *written) {
  const alea_mac_values *v = player->values;
  *written = v->cache == ALEA_MAC_CACHE_KEEP;
  return *written ? v->cache_file : NULL;
}

static alea_status init_mac(alea_player *player) { return set_up(player, ALEA_STAGE_MAC); }
static alea_status init_fc(alea_player *player) { return set_up(player, ALEA_STAGE_FC); }

static void clear(alea_player *player) {
  mac_player *self = self_of(player);
  const alea_mac_values *v = player->values;
  /* There is nobody left to tell when this fails; the old file then stays. */
  if (self->ready && v->cache == ALEA_MAC_CACHE_KEEP) (void)alea_mac_save(&self->mac, NULL);
  alea_mac_belief_clear(&self->hidden);
  alea_observed_symmetry_clear(&self->observed);
  alea_mac_clear(&self->mac);
  alea_belief_clear(&self->belief);
}

/* Makes what belongs to the game, each in a share of the time where there is
 * one. */
static alea_status prepare(mac_player *self, const alea_budget *budget, double stage_share,
                           double symmetry_share) {
  bool timed = budget->seconds > 0;
  alea_deadline end = alea_budget_deadline(budget, stage_share * budget->seconds);
  alea_status status = alea_mac_find_stage(&self->mac, timed ? &end : NULL);
  end = alea_budget_deadline(budget, symmetry_share * budget->seconds);
  return status == ALEA_OK ? alea_mac_find_symmetric(&self->mac, timed ? &end : NULL) : status;
}

/* Thinks about the present position. */
static alea_status think(mac_player *self, const alea_budget *budget) {
  alea_time_manager time_manager;
  alea_time_manager_start(&time_manager, budget, &self->pace);
  alea_status status = prepare(self, budget, 0.25, 0.25);
  if (status == ALEA_OK && self->belief.game->has_sees) {
    status = alea_mac_belief_run(&self->hidden, &self->belief, &time_manager);
  } else if (status == ALEA_OK) {
    status = alea_mac_root(&self->mac, &self->belief.now.data[0]);
    if (status == ALEA_OK) status = alea_mac_run(&self->mac, &time_manager);
  }
  alea_time_manager_stop(&time_manager);
  return status;
}

static alea_status start(alea_player *player, const alea_budget *budget) {
  mac_player *self = self_of(player);
  /* Simulations are counted per move; before the first there is only time. */
  if (budget->seconds <= 0) return ALEA_OK;
  double start = alea_budget_now(budget);
  alea_status status = prepare(self, budget, 0.25, 0.7);
  alea_budget rest = *budget;
  rest.seconds -= alea_budget_now(budget) - start;
  return status == ALEA_OK && rest.seconds > 0 ? think(self, &rest) : status;
}

static alea_status best(mac_player *self, alea_move *move) {
  if (self->belief.game->has_sees) return alea_mac_belief_best(&self->hidden, move);
  return alea_mac_best(&self->mac, move);
}

static alea_status select(alea_player *player, const alea_budget *budget, alea_move *move) {
  mac_player *self = self_of(player);
  bool forced;
  alea_status status = alea_belief_begin(&self->belief, player, move, &forced);
  if (status != ALEA_OK || (forced && self->belief.game->has_sees)) return status;
  if (forced) return alea_mac_root(&self->mac, &self->belief.now.data[0]);
  status = think(self, budget);
  if (status != ALEA_OK) return status;
  status = best(self, move);
  return status == ALEA_NONE ? ALEA_OK : status;
}

static alea_status observe(alea_player *player, const alea_observation *observation) {
  mac_player *self = self_of(player);
  alea_status status = ALEA_OK;
  if (self->hidden.observed != NULL)
    status = alea_observed_symmetry_step(&self->observed, &self->belief, observation);
  return status == ALEA_OK ? alea_belief_observe(&self->belief, observation) : status;
}

static void analyse(alea_player *player, alea_analysis *analysis) {
  mac_player *self = self_of(player);
  if (self->belief.game->has_sees) {
    alea_mac_belief_analyse(&self->hidden, analysis);
  } else {
    alea_mac_analyse(&self->mac, analysis);
  }
  analysis->note = self->mac.fallback;
}

static bool expect(alea_player *player, alea_cursor *cursor, const alea_u32s *before,
                   alea_move *joint, bool *proved) {
  (void)before;
  mac_player *self = self_of(player);
  return !self->belief.game->has_sees && alea_mac_expect(&self->mac, cursor, joint, proved);
}

/* ---- the players ---- */

#define MAC_ROW(...) ALEA_OPTION_ROW_IN(alea_mac_values, __VA_ARGS__)

/* clang-format off */
#define PLAYER(id, label, method, rho, sym, line)                                      \
  static const alea_option id##_rows[] = {ALEA_MAC_OPTIONS(MAC_ROW, rho, sym)};        \
  const alea_player_class alea_player_##id = {                                         \
      .name = label,                                                                   \
      .summary = line,                                                                 \
      .options = id##_rows,                                                            \
      .option_count = sizeof id##_rows / sizeof *id##_rows,                            \
      .values_size = sizeof(alea_mac_values),                                          \
      .size = sizeof(mac_player),                                                      \
      .file = file,                                                                    \
      .init = init_##method,                                                           \
      .clear = clear,                                                                  \
      .start = start,                                                                  \
      .select = select,                                                                \
      .observe = observe,                                                              \
      .analyse = analyse,                                                              \
      .expect = expect,                                                                \
  };

/* Name, consistency of a stage, the defaults of `rho` and `sym`, summary. */

/* [MACUCB16 §4]: MAC on each stage, nine tenths of the effort on solving. */
PLAYER(mac_ucb, "mac-ucb", mac, "0.9", "off",
       "stages solved with MAC and sampled with UCB, 90 % of the effort on solving")
/* With the shares of the article on symmetries ([SYM16 §5]). */
PLAYER(mac_ucb_75, "mac-ucb-75", mac, "0.75", "off",
       "the same with 75 % on solving")
/* [SYM16 §4], D30: positions that a symmetry of the game maps to each other are
 * solved and sampled once. */
PLAYER(mac_ucb_sym, "mac-ucb-sym", mac, "0.5", "game",
       "the same with symmetries: 50 % solving, 25 % sampling, 25 % symmetry")
/* [MACUCB16 §5.1]: stages solved whole by forward checking, chance not split off. */
PLAYER(fc_ucb, "fc-ucb", fc, "0.9", "off",
       "mac-ucb with forward checking alone in place of MAC")
/* clang-format on */
