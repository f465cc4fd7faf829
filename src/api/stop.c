/* Flags of the public interface: an atomic that deadlines look at. */
#include "alea/stop.h"

#include "api/core.h"

struct alea_stop_flag {
  alea_mem mem;
  atomic_bool raised;
};

alea_status alea_stop_flag_new(alea_stop_flag **stop) {
  *stop = alea_api_new(sizeof **stop, 0);
  if (*stop == NULL) return ALEA_SYSTEM;
  atomic_init(&(*stop)->raised, false);
  return ALEA_OK;
}

void alea_stop_flag_free(alea_stop_flag *stop) { alea_api_free(stop, sizeof *stop); }

void alea_stop_flag_raise(alea_stop_flag *stop) { atomic_store(&stop->raised, true); }

void alea_stop_flag_lower(alea_stop_flag *stop) { atomic_store(&stop->raised, false); }

bool alea_stop_flag_raised(const alea_stop_flag *stop) { return atomic_load(&stop->raised); }

const atomic_bool *alea_api_flag(const alea_stop_flag *stop) {
  return stop != NULL ? &stop->raised : NULL;
}
