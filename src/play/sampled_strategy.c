/* A player's strategy by samples: a fresh player for each, led along the view. */
#include "play/sampled_strategy.h"

#include "base/hash.h"

typedef struct strategy_sampling {
  const alea_extensive *tree;
  const alea_sampled_strategy_options *options;
  alea_u32s path; /* the views up to the set at work */
  alea_text *message;
} strategy_sampling;

static alea_status lead(const strategy_sampling *s, alea_player *player) {
  const alea_game *game = s->tree->game;
  const alea_player_views *views = &s->tree->views;
  alea_status status = alea_player_start(player, &s->options->budget);
  for (size_t i = 0; i < s->path.count && status == ALEA_OK; i++) {
    const alea_player_view *view = &views->list.data[s->path.data[i]];
    const uint32_t *items = views->items.data + view->first;
    alea_move thought;
    alea_observation seen = {.own = items[0]};
    if (game->has_sees) {
      seen.percepts = (alea_list){items + 1, view->count - 1};
    } else {
      seen.own = items[player->setup.role];
      seen.joint = items;
    }
    status = alea_player_select(player, &s->options->budget, &thought);
    if (status == ALEA_OK) status = alea_player_observe(player, &seen);
  }
  return status;
}

/* Adds 'weight' to the move in the set; ALEA_NONE: it is not legal. */
static alea_status add_move(const strategy_sampling *s, const alea_extensive_set *set,
                            alea_move move, double weight, double *strategy) {
  for (uint32_t i = 0; i < set->count; i++)
    if (s->tree->moves.data[set->first + i] == move) {
      strategy[set->first + i] += weight;
      return ALEA_OK;
    }
  return ALEA_NONE;
}

/* One answer of a player that is at 'set'. */
static alea_status answer(const strategy_sampling *s, const alea_extensive_set *set,
                          alea_player *player, double *strategy) {
  alea_move move = ALEA_NO_MOVE;
  alea_analysis analysis;
  double weight = 1.0 / s->options->samples;
  alea_status status = alea_player_select(player, &s->options->budget, &move);
  if (status != ALEA_OK) return status;
  alea_player_analyse(player, &analysis);
  if (analysis.shares == NULL) return add_move(s, set, move, weight, strategy);
  for (size_t i = 0; i < analysis.count && status == ALEA_OK; i++)
    status = add_move(s, set, analysis.choices[i].move, weight * analysis.shares[i], strategy);
  return status;
}

/* The same of a new player, which is led there first. */
static alea_status ask(const strategy_sampling *s, const alea_extensive_set *set, uint64_t seed,
                       double *strategy) {
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_player *player = NULL;
  alea_player_setup setup = s->options->setup;
  setup.role = s->tree->roles[set->player];
  setup.seed = seed;
  setup.mem = &mem;
  alea_status status = alea_player_new(&player, s->options->player, &setup, s->message);
  if (status == ALEA_OK) status = lead(s, player);
  if (status == ALEA_OK) status = answer(s, set, player, strategy);
  alea_player_free(player);
  return status;
}

static alea_status sample_set(const strategy_sampling *s, size_t index, double *strategy) {
  const alea_extensive_set *set = &s->tree->sets.data[index];
  for (uint32_t i = 0; i < set->count; i++) strategy[set->first + i] = 0;
  for (uint32_t k = 0; k < s->options->samples; k++) {
    uint64_t seed = alea_hash_join(alea_hash_join(s->options->setup.seed, index), k);
    if (alea_deadline_passed(&s->options->deadline)) return ALEA_LIMIT;
    alea_status status = ask(s, set, seed, strategy);
    if (status != ALEA_OK) return status;
  }
  return ALEA_OK;
}

alea_status alea_sampled_strategy(const alea_extensive *tree,
                                  const alea_sampled_strategy_options *options, double *strategy,
                                  alea_mem *mem, alea_text *message) {
  strategy_sampling s = {.tree = tree, .options = options, .message = message};
  alea_status status = ALEA_OK;
  for (size_t i = 0; i < tree->sets.count && status == ALEA_OK; i++) {
    if (alea_player_views_path(&tree->views, tree->sets.data[i].view, mem, &s.path))
      status = sample_set(&s, i, strategy);
    else
      status = alea_mem_lack(mem);
  }
  alea_vec_clear(mem, &s.path);
  return status;
}
