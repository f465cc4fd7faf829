/* Verdicts as words. */
#include "base/verdict.h"

const char *alea_verdict_text(alea_verdict answer) {
  static const char *const texts[] = {"unknown", "proved", "refuted"};
  return texts[answer];
}
