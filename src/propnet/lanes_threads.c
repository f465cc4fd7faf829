/* Lanes on several threads: one compilation, one set of lanes per thread. */
#include "game/sampler_threads.h"
#include "propnet/lanes_compile.h"

typedef struct lanes_threads {
  alea_sampler base;
  alea_mem *mem;
  alea_lanes *lanes;
  alea_mem *mems;       /* one per thread: a ledger is used by one thread at a time */
  alea_sampler **parts; /* until 'together' owns them */
  uint32_t count;
  alea_sampler *together;
} lanes_threads;

static alea_status threads_run(alea_sampler *sampler, const alea_sample_request *requests,
                               size_t count, const alea_sample_options *options,
                               alea_sample_result *results) {
  return alea_sampler_run(((lanes_threads *)(void *)sampler)->together, requests, count, options,
                          results);
}

static alea_status threads_expand(alea_sampler *sampler, const uint64_t *words, size_t word_count,
                                  uint32_t role, const alea_move *moves, size_t move_count,
                                  const alea_move *others, bool *terminal, int *goals) {
  return alea_sampler_expand(((lanes_threads *)(void *)sampler)->together, words, word_count, role,
                             moves, move_count, others, terminal, goals);
}

static void threads_free(alea_sampler *sampler) {
  lanes_threads *t = (lanes_threads *)(void *)sampler;
  alea_mem *mem = t->mem;
  alea_sampler_free(t->together);
  for (uint32_t i = 0; t->together == NULL && t->parts != NULL && i < t->count; i++)
    alea_sampler_free(t->parts[i]);
  alea_lanes_free(t->lanes);
  alea_mem_free(mem, t->mems, t->count * sizeof *t->mems);
  alea_mem_free(mem, t->parts, t->count * sizeof *t->parts);
  alea_mem_free(mem, t, sizeof *t);
}

static const alea_sampler_class threads_class = {
    .engine = "lanes", .free = threads_free, .run = threads_run, .expand = threads_expand};

/* What is left of the limit is shared out among the threads. */
static size_t limit_each(const alea_mem *mem, uint32_t count) {
  return mem->limit == 0 ? 0 : (mem->limit - mem->used) / count + 1;
}

static alea_status make_parts(lanes_threads *t, const alea_net *net, uint64_t seed) {
  alea_status status = alea_lanes_new(&t->lanes, net, t->mem);
  t->mems = alea_mem_calloc(t->mem, t->count, sizeof *t->mems);
  t->parts = alea_mem_calloc(t->mem, t->count, sizeof *t->parts);
  if (t->mems == NULL || t->parts == NULL) return alea_mem_lack(t->mem);
  for (uint32_t i = 0; status == ALEA_OK && i < t->count; i++) {
    alea_rng rng;
    alea_rng_seed_stream(&rng, seed, i);
    alea_mem_init(&t->mems[i], limit_each(t->mem, t->count));
    status = alea_lanes_sampler_new_shared(&t->parts[i], t->lanes, t->base.game,
                                           alea_rng_next(&rng), &t->mems[i]);
  }
  if (status != ALEA_OK) return status;
  return alea_sampler_new_threaded(&t->together, t->parts, t->count, t->mem);
}

alea_status alea_lanes_sampler_new_threads(alea_sampler **sampler, const alea_game *game,
                                           uint64_t seed, uint32_t threads, alea_mem *mem) {
  *sampler = NULL;
  const alea_net *net = alea_net_of_game(game);
  if (net == NULL || threads == 0) return ALEA_USAGE;
  lanes_threads *t = alea_mem_zalloc(mem, sizeof *t);
  if (t == NULL) return alea_mem_lack(mem);
  t->base = (alea_sampler){.class = &threads_class, .game = game};
  t->mem = mem;
  t->count = threads;
  alea_status status = make_parts(t, net, seed);
  if (status != ALEA_OK)
    threads_free(&t->base);
  else
    *sampler = &t->base;
  return status;
}
