/* Tree search: what a search is made of. */
#include "play/search.h"

enum {
  /* Successors that one visit looks at, one by one or many at once: where there
   * are thousands it takes longer than some clocks. */
  FEW_MOVES = 128,
  MANY_MOVES = 8192,
};

/* Lines for a whole batch, and what the sampler needs to play them out. */
static alea_status make_lines(alea_search *s, alea_line_batch *batch) {
  uint32_t count = s->options.batch;
  batch->lines = alea_mem_calloc(s->mem, count, sizeof *batch->lines);
  if (batch->lines == NULL) return alea_mem_lack(s->mem);
  for (uint32_t i = 0; i < count; i++) {
    batch->lines[i].rewards =
        alea_mem_calloc(s->mem, s->setup->game->role_count, sizeof *batch->lines[i].rewards);
    if (batch->lines[i].rewards == NULL) return alea_mem_lack(s->mem);
  }
  return alea_leaf_batch_reserve(&batch->leaves, count);
}

static void clear_batch(alea_search *s, alea_line_batch *batch) {
  uint32_t count = s->options.batch, roles = s->setup->game->role_count;
  alea_leaf_batch_clear(&batch->leaves);
  for (uint32_t i = 0; batch->lines != NULL && i < count; i++) {
    alea_vec_clear(s->mem, &batch->lines[i].path);
    alea_vec_clear(s->mem, &batch->lines[i].picks);
    alea_vec_clear(s->mem, &batch->lines[i].trace);
    alea_vec_clear(s->mem, &batch->lines[i].heard);
    alea_mem_free(s->mem, batch->lines[i].rewards, roles * sizeof *batch->lines[i].rewards);
  }
  alea_mem_free(s->mem, batch->lines, count * sizeof *batch->lines);
}

/* Batches that share the sampler of the first, where it plays in the background. */
static alea_status make_more_batches(alea_search *s) {
  alea_status status = ALEA_OK;
  if (!s->sampled || !alea_sampler_has_background(s->sampler)) return ALEA_OK;
  for (uint32_t i = 1; status == ALEA_OK && i < ALEA_SAMPLE_SLOTS; i++) {
    alea_leaf_batch_share(&s->batches[i].leaves, &s->batches[0].leaves, i);
    status = make_lines(s, &s->batches[i]);
  }
  return status;
}

static alea_status make_sampler(alea_search *s) {
  bool sampled = s->options.playouts > 1 || s->options.batch > 1;
  alea_leaf_batch *leaves = &s->batches[0].leaves;
  if (!sampled && s->options.look == 0) return ALEA_OK;
  alea_status status = alea_leaf_batch_open(leaves, s->setup, &s->rng);
  if (status != ALEA_OK) return status;
  s->sampler = leaves->sampler;
  s->portion = leaves->many ? MANY_MOVES : FEW_MOVES;
  bool single = !leaves->many && s->options.many_only;
  if (single) s->options.playouts = 1;
  s->sampled = sampled && !single;
  return make_more_batches(s);
}

alea_status alea_search_init(alea_search *search, const alea_player_setup *setup,
                             const alea_search_options *options, alea_player_stats *stats) {
  *search = (alea_search){.setup = setup, .options = *options, .mem = setup->mem, .stats = stats};
  uint32_t roles = setup->game->role_count;
  alea_mem *mem = setup->mem;
  alea_leaf_batch_init(&search->batches[0].leaves, setup);
  alea_rng_seed_stream(&search->rng, setup->seed, 2);
  if (search->options.batch < 1) search->options.batch = 1;
  if (search->options.batch > ALEA_MOST_BATCH) search->options.batch = ALEA_MOST_BATCH;
  search->joint = alea_mem_calloc(mem, roles, sizeof *search->joint);
  search->rewards = alea_mem_calloc(mem, roles, sizeof *search->rewards);
  if (search->joint == NULL || search->rewards == NULL) return alea_mem_lack(mem);
  alea_status status = make_lines(search, &search->batches[0]);
  search->batch = &search->batches[0];
  search->line = search->batch->lines;
  if (status == ALEA_OK) status = alea_cursor_new(setup->game, mem, &search->cursor);
  if (status == ALEA_OK)
    status = alea_node_store_init(&search->store, setup->game, options->memory, options->amaf, mem);
  if (status == ALEA_OK && options->amaf)
    status = alea_move_sums_init(&search->move_sums, search->store.amaf_size, mem);
  if (status == ALEA_OK)
    status = alea_rollout_init(&search->rollout, setup->game, options->rollout, options->epsilon,
                               options->step_cap, mem);
  if (status == ALEA_OK) status = make_sampler(search);
  if (status == ALEA_OK && search->options.playouts > 1 && options->follow > 0)
    status = alea_move_ranking_init(&search->ranking, setup->game, options->follow, options->spread,
                                    mem);
  if (status == ALEA_OK && search->ranking.mem != NULL && options->fill_c != options->c)
    status = alea_free_order_init(&search->order, setup->game, setup->seed, options->step_cap, mem);
  return status;
}

void alea_search_clear(alea_search *search) {
  if (search->mem == NULL) return;
  alea_mem *mem = search->mem;
  uint32_t roles = search->setup->game->role_count;
  for (uint32_t i = ALEA_SAMPLE_SLOTS; i-- > 0;) clear_batch(search, &search->batches[i]);
  alea_move_ranking_clear(&search->ranking);
  alea_free_order_clear(&search->order);
  alea_move_sums_clear(&search->move_sums);
  alea_symmetric_moves_clear(&search->symmetric_moves);
  alea_rollout_clear(&search->rollout);
  alea_node_store_clear(&search->store);
  alea_cursor_free(search->cursor);
  alea_mem_free(mem, search->joint, roles * sizeof *search->joint);
  alea_mem_free(mem, search->rewards, roles * sizeof *search->rewards);
  alea_vec_clear(mem, &search->choices);
  alea_vec_clear(mem, &search->goals);
  alea_vec_clear(mem, &search->ends);
}
