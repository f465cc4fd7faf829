/* Words for the outcomes of fallible calls. */
#include "base/status.h"

const char *alea_status_text(alea_status status) {
  switch (status) {
    case ALEA_OK: return "ok";
    case ALEA_NO: return "no";
    case ALEA_USAGE: return "wrong usage";
    case ALEA_INPUT: return "bad input";
    case ALEA_LIMIT: return "limit reached";
    case ALEA_SYSTEM: return "system failure";
  }
  return "unknown";
}
