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

/* One answer of a new player at 'set'. */
static alea_status ask(const strategy_sampling *s, const alea_extensive_set *set, uint64_t seed,
                       alea_move *move) {
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_player *player = NULL;
  alea_player_setup setup = s->options->setup;
  setup.role = s->tree->roles[set->player];
  setup.seed = seed;
  setup.mem = &mem;
  alea_status status = alea_player_new(&player, s->options->player, &setup, s->message);
  if (status == ALEA_OK) status = lead(s, player);
  if (status == ALEA_OK) status = alea_player_select(player, &s->options->budget, move);
  alea_player_free(player);
  return status;
}

static alea_status sample_set(const strategy_sampling *s, size_t index, double *strategy) {
  const alea_extensive_set *set = &s->tree->sets.data[index];
  uint32_t samples = s->options->samples;
  for (uint32_t i = 0; i < set->count; i++) strategy[set->first + i] = 0;
  for (uint32_t k = 0; k < samples; k++) {
    uint64_t seed = alea_hash_join(alea_hash_join(s->options->setup.seed, index), k);
    alea_move move = ALEA_NO_MOVE;
    if (alea_deadline_passed(&s->options->deadline)) return ALEA_LIMIT;
    alea_status status = ask(s, set, seed, &move);
    if (status != ALEA_OK) return status;
    uint32_t i = 0;
    while (i < set->count && s->tree->moves.data[set->first + i] != move) i++;
    if (i == set->count) return ALEA_NONE;
    strategy[set->first + i] += 1.0 / samples;
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
