#include "toss/toss.h"
alea_status alea_toss_ground(alea_ground **ground, const alea_toss_file *file, alea_mem *mem,
                             alea_diag *diag) {
  (void)file, (void)mem, (void)diag;
  *ground = NULL;
  return ALEA_NO;
}
