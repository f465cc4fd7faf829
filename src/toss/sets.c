/* stub */
#include "toss/logic.h"
bool alea_toss_exists_set(alea_toss_env *env, uint32_t code, uint32_t slot) {
  (void)code, (void)slot;
  env->status = ALEA_LIMIT;
  return false;
}
