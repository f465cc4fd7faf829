/* Trials of evaluations on several threads. */
#include "learning/trial_pairs.h"

#include "base/hash.h"
#include "base/parallel.h"

/* How a pair came out. */
typedef struct trial_pair {
  uint64_t met; /* positions */
  uint32_t games;
  double won;
} trial_pair;

typedef struct trial_pairs {
  const alea_eval_trial *trial;
  uint64_t seed;
  trial_pair *pair;
  atomic_uint_fast64_t met; /* by those that are over */
} trial_pairs;

static alea_status play(void *context, void *worker, uint32_t index, alea_mem *mem) {
  trial_pairs *pairs = context;
  alea_eval_trial one = *pairs->trial;
  (void)worker;
  /* pairs that are over have lower numbers than those that are not begun */
  if (atomic_load(&pairs->met) > one.positions) return ALEA_OK;
  alea_rng rng;
  alea_rng_seed(&rng, alea_hash_mix(pairs->seed ^ alea_hash_mix(index)));
  alea_player_setup setup = *one.setup;
  setup.mem = mem;
  one.setup = &setup;
  one.pairs = 1;
  one.rng = &rng;
  alea_status status = alea_eval_trial_run(&one);
  pairs->pair[index] = (trial_pair){.met = one.met, .games = one.games, .won = one.won};
  atomic_fetch_add(&pairs->met, one.met);
  return status;
}

alea_status alea_trial_pairs_run(alea_eval_trial *trial, uint64_t seed, uint32_t threads) {
  alea_mem *mem = trial->setup->mem;
  size_t bytes = trial->pairs * sizeof(trial_pair);
  trial_pairs pairs = {.trial = trial, .seed = seed, .pair = alea_mem_zalloc(mem, bytes)};
  if (pairs.pair == NULL) return alea_mem_lack(mem);
  atomic_init(&pairs.met, 0);
  alea_parallel parallel = {
      .threads = threads, .tasks = trial->pairs, .run = play, .context = &pairs};
  alea_status status = alea_parallel_run(&parallel, mem);
  trial->games = 0;
  trial->won = 0;
  trial->met = 0;
  for (uint32_t i = 0; i < trial->pairs; i++) {
    const trial_pair *pair = &pairs.pair[i];
    if (trial->met > trial->positions) break;
    trial->games += pair->games;
    trial->won += pair->won;
    trial->met += pair->met;
  }
  alea_mem_free(mem, pairs.pair, bytes);
  return status;
}
