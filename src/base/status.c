/* Words and exit statuses for the outcomes of fallible calls. */
#include "base/status.h"

const char *alea_status_text(alea_status status) {
  switch (status) {
    case ALEA_OK: return "ok";
    case ALEA_NO: return "no";
    case ALEA_USAGE: return "wrong usage";
    case ALEA_INPUT: return "bad input";
    case ALEA_LIMIT: return "limit reached";
    case ALEA_SYSTEM: return "system failure";
    case ALEA_NONE: return "none";
    case ALEA_UNSUPPORTED: return "not supported";
  }
  return "unknown";
}

int alea_status_exit(alea_status status) {
  return status == ALEA_NONE || status == ALEA_UNSUPPORTED ? ALEA_NO : (int)status;
}
