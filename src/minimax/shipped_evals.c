/* Evaluations that ship inside the program. */
#include "minimax/shipped_evals.h"

#include "minimax/eval_file.h"

alea_status alea_shipped_eval_read(alea_linear_eval *eval, bool *found) {
  alea_status status = ALEA_OK;
  uint64_t fingerprint = 0;
  bool known = false; /* the fingerprint: plays are needed for it */
  *found = false;
  for (size_t i = 0; status == ALEA_OK && !*found && i < alea_shipped_eval_count; i++) {
    const char *text = (const char *)alea_shipped_evals[i].bytes;
    alea_eval_file_key key = alea_eval_file_key_of(text);
    if (key.fluents != eval->features.fluent_count) continue;
    if (!known) status = alea_eval_fingerprint(eval->game, eval->mem, &fingerprint);
    known = true;
    if (status != ALEA_OK || key.rules != fingerprint) continue;
    status = alea_eval_file_read_text(eval, alea_shipped_evals[i].file, text, NULL);
    *found = status == ALEA_OK;
  }
  return status;
}
