/* What a role knows of the position. */
#include "match/knowledge.h"

enum { SAMPLES = 300, CONFLICTS = 500, HISTORY_MB = 128 };

/* Whatever is too much for the clauses is left to the samples. */
static alea_status give_up_proofs(alea_knowledge *k, alea_status status) {
  if (status != ALEA_LIMIT && status != ALEA_UNSUPPORTED) return status;
  alea_history_free(k->history);
  k->history = NULL;
  return ALEA_OK;
}

alea_status alea_knowledge_init(alea_knowledge *knowledge, const alea_player_setup *setup) {
  *knowledge = (alea_knowledge){0};
  alea_listing_init(&knowledge->known, setup->mem);
  alea_listing_init(&knowledge->possible, setup->mem);
  alea_status status = alea_belief_init(&knowledge->belief, setup, SAMPLES);
  if (status != ALEA_OK) return status;
  status = alea_history_new(&knowledge->history, setup->game, setup->role, (size_t)HISTORY_MB << 20,
                            setup->mem);
  return give_up_proofs(knowledge, status);
}

void alea_knowledge_clear(alea_knowledge *knowledge) {
  alea_mem *mem = knowledge->belief.mem;
  if (mem == NULL) return;
  alea_history_free(knowledge->history);
  alea_listing_clear(&knowledge->known);
  alea_listing_clear(&knowledge->possible);
  alea_vec_clear(mem, &knowledge->counts);
  alea_vec_clear(mem, &knowledge->chosen);
  alea_belief_clear(&knowledge->belief);
}

alea_status alea_knowledge_observe(alea_knowledge *knowledge, const alea_observation *seen) {
  alea_status status = alea_belief_observe(&knowledge->belief, seen);
  if (status != ALEA_OK || knowledge->history == NULL) return status;
  return give_up_proofs(knowledge, alea_history_add(knowledge->history, seen->own, seen->percepts));
}

static alea_status count_fluents(alea_knowledge *k, alea_list fluents) {
  for (uint32_t i = 0; i < fluents.count; i++) {
    while (k->counts.count <= fluents.ids[i])
      if (!alea_vec_push(k->belief.mem, &k->counts, 0u)) return ALEA_SYSTEM;
    k->counts.data[fluents.ids[i]]++;
  }
  return ALEA_OK;
}

/* Of the fluents that all samples have: those that are certain. */
static alea_status choose_known(alea_knowledge *k, uint32_t samples) {
  alea_effort effort = {.conflicts = CONFLICTS};
  k->chosen.count = 0;
  for (uint32_t f = 0; samples > 0 && f < k->counts.count; f++)
    if (k->counts.data[f] == samples && !alea_vec_push(k->belief.mem, &k->chosen, f))
      return ALEA_SYSTEM;
  if (k->history == NULL) return ALEA_OK;
  return give_up_proofs(k, alea_history_keep_sure(k->history, true, &k->chosen, &effort));
}

/* After the known ones, everything else that may be. */
static alea_status choose_possible(alea_knowledge *k, uint32_t samples) {
  alea_effort effort = {.conflicts = CONFLICTS};
  for (size_t i = 0; i < k->chosen.count; i++) k->counts.data[k->chosen.data[i]] = 0;
  for (uint32_t f = 0; f < k->counts.count; f++)
    if (k->counts.data[f] > 0 && !alea_vec_push(k->belief.mem, &k->chosen, f)) return ALEA_SYSTEM;
  if (k->history == NULL || samples == 0) return ALEA_OK;
  return give_up_proofs(k, alea_history_add_possible(k->history, true, &k->chosen, &effort));
}

/* Writes chosen[from ...]. */
static alea_status write_chosen(const alea_knowledge *k, size_t from, alea_listing *listing) {
  alea_list list = {k->chosen.data + from, (uint32_t)(k->chosen.count - from)};
  return alea_listing_of_fluents(listing, k->belief.game, list);
}

alea_status alea_knowledge_list(alea_knowledge *k) {
  alea_status status = alea_belief_ready(&k->belief); /* the role knows that the game goes on */
  if (status == ALEA_NONE) status = ALEA_OK;
  uint32_t samples = k->belief.guessed ? 0 : k->belief.live;
  k->counts.count = 0;
  for (uint32_t i = 0; status == ALEA_OK && i < samples; i++) {
    alea_list fluents;
    status = alea_particle_load(&k->belief.now.data[i], k->belief.cursor);
    if (status == ALEA_OK) status = alea_cursor_fluents(k->belief.cursor, &fluents);
    if (status == ALEA_OK) status = count_fluents(k, fluents);
  }
  if (status == ALEA_OK) status = choose_known(k, samples);
  size_t known = k->chosen.count;
  if (status == ALEA_OK) status = write_chosen(k, 0, &k->known);
  if (status == ALEA_OK) status = choose_possible(k, samples);
  return status == ALEA_OK ? write_chosen(k, known, &k->possible) : status;
}
