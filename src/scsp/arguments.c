/* placeholder */
#include "scsp/encode.h"
alea_status scsp_argument_domains(scsp_encoding *e) {
  (void)e;
  return ALEA_OK;
}
