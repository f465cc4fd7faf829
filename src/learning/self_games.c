/* Games of searches against themselves on several threads. */
#include "learning/self_games.h"

#include <string.h>

#include "base/hash.h"
#include "base/parallel.h"

/* What one of them told. */
typedef struct self_game {
  alea_mem mem; /* of the rest */
  alea_u64s words;
  ALEA_VEC(double) value;
  uint64_t calm, trades;
} self_game;

typedef struct self_batch {
  const alea_self_games *games;
  self_game game[ALEA_SELF_GAMES_BATCH];
  uint64_t most;
  atomic_uint_fast64_t told; /* by those that are over */
} self_batch;

typedef struct self_worker {
  alea_player_setup setup;
  alea_cursor *cursor;
  self_batch *batch;
  self_game *game; /* at hand */
} self_worker;

static bool is_over(void *context) {
  const self_worker *w = context;
  return alea_eval_clock_over(w->batch->games->clock);
}

static alea_status hear(void *context, const alea_opinion *opinion) {
  const self_worker *w = context;
  self_game *game = w->game;
  size_t words = w->batch->games->eval->word_count;
  if (!alea_vec_reserve(&game->mem, &game->words, words) ||
      !alea_vec_push(&game->mem, &game->value, opinion->value))
    return alea_mem_lack(&game->mem);
  memcpy(game->words.data + game->words.count, opinion->words, words * sizeof(uint64_t));
  game->words.count += words;
  return ALEA_OK;
}

static alea_status play(void *context, void *worker, uint32_t index, alea_mem *mem) {
  self_batch *batch = context;
  self_worker *w = worker;
  const alea_self_games *games = batch->games;
  /* games that are over have lower numbers than those that are not begun */
  if (atomic_load(&batch->told) >= batch->most || is_over(w)) return ALEA_OK;
  alea_rng rng;
  alea_rng_seed(&rng, alea_hash_mix(games->seed ^ alea_hash_mix(games->games + index)));
  w->game = &batch->game[index];
  alea_self_play self = {.setup = &w->setup,
                         .eval = games->eval,
                         .cursor = w->cursor,
                         .rng = &rng,
                         .sims = games->sims,
                         .hear = hear,
                         .over = is_over,
                         .context = w,
                         .calm = games->calm,
                         .trades = games->trades};
  alea_mem_init_with(&w->game->mem, mem->limit, mem);
  alea_status status = alea_alpha_beta_new(&self.search, &w->setup, games->eval, games->table);
  if (status == ALEA_OK) status = alea_self_play_game(&self);
  alea_alpha_beta_free(self.search);
  w->game->calm = self.calm - games->calm;
  w->game->trades = self.trades - games->trades;
  atomic_fetch_add(&batch->told, w->game->value.count);
  return status;
}

static alea_status begin(void *context, void *worker, alea_mem *mem) {
  self_worker *w = worker;
  w->batch = context;
  w->setup = *w->batch->games->setup;
  w->setup.mem = mem;
  return alea_cursor_new(w->setup.game, mem, &w->cursor);
}

static void end(void *context, void *worker, alea_mem *mem) {
  (void)context;
  (void)mem;
  alea_cursor_free(((self_worker *)worker)->cursor);
}

/* Puts what the games told one behind the other, until it is enough. */
static alea_status collect(alea_self_games *g, const self_batch *batch) {
  alea_mem *mem = g->setup->mem;
  for (uint32_t i = 0; i < ALEA_SELF_GAMES_BATCH && g->value.count < batch->most; i++) {
    const self_game *game = &batch->game[i];
    if (!alea_vec_reserve(mem, &g->words, game->words.count) ||
        !alea_vec_reserve(mem, &g->value, game->value.count))
      return alea_mem_lack(mem);
    if (game->value.count > 0) {
      memcpy(g->words.data + g->words.count, game->words.data,
             game->words.count * sizeof(uint64_t));
      memcpy(g->value.data + g->value.count, game->value.data, game->value.count * sizeof(double));
    }
    g->words.count += game->words.count;
    g->value.count += game->value.count;
    g->calm += game->calm;
    g->trades += game->trades;
  }
  return ALEA_OK;
}

alea_status alea_self_games_next(alea_self_games *g, uint64_t most) {
  alea_mem *mem = g->setup->mem;
  g->words.count = g->value.count = 0;
  self_batch *batch = alea_mem_zalloc(mem, sizeof *batch);
  if (batch == NULL) return alea_mem_lack(mem);
  batch->games = g;
  batch->most = most;
  atomic_init(&batch->told, 0);
  alea_parallel parallel = {.threads = g->threads,
                            .tasks = ALEA_SELF_GAMES_BATCH,
                            .run = play,
                            .begin = begin,
                            .end = end,
                            .worker_size = sizeof(self_worker),
                            .context = batch};
  alea_status status = alea_parallel_run(&parallel, mem);
  if (status == ALEA_OK) status = collect(g, batch);
  g->games += ALEA_SELF_GAMES_BATCH;
  for (uint32_t i = 0; i < ALEA_SELF_GAMES_BATCH; i++) {
    alea_vec_clear(&batch->game[i].mem, &batch->game[i].words);
    alea_vec_clear(&batch->game[i].mem, &batch->game[i].value);
  }
  alea_mem_free(mem, batch, sizeof *batch);
  return status;
}

void alea_self_games_clear(alea_self_games *g) {
  if (g->setup == NULL) return;
  alea_vec_clear(g->setup->mem, &g->words);
  alea_vec_clear(g->setup->mem, &g->value);
}
