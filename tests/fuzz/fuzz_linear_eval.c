/* Fuzz target of evaluations of GDL games (`alea learn`, games/NAME.eval): an input is what
 * follows the first lines of a file in the short form for tic-tac-toe, which bytes at random would
 * not get past. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/mutate.h"
#include "match/open.h"
#include "minimax/eval_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What its network says must not depend on how a position was reached. */
static void ask(const alea_linear_eval *eval) {
  uint64_t none[16] = {0}, all[16];
  alea_network_sums sums[3];
  if (eval->word_count > 16) abort();
  memset(all, 255, sizeof all);
  alea_eval_network_begin(&eval->network, none, eval->word_count, &sums[0]);
  alea_eval_network_step(&eval->network, none, all, eval->word_count, &sums[0], &sums[1]);
  alea_eval_network_begin(&eval->network, all, eval->word_count, &sums[2]);
  if (alea_eval_network_value(&eval->network, &sums[1]) !=
      alea_eval_network_value(&eval->network, &sums[2]))
    abort();
}

/* Whether it was accepted for this role. */
static bool read_for(const alea_game *game, uint32_t role, const char *text, alea_mem *mem) {
  alea_linear_eval eval;
  alea_text message;
  alea_text_init(&message, mem);
  if (alea_linear_eval_init(&eval, game, role, mem) != ALEA_OK) abort();
  alea_status status = alea_eval_file_read_text(&eval, "input", text, &message);
  if (status != ALEA_OK && status != ALEA_INPUT) abort();
  if ((status == ALEA_INPUT) != (message.length > 0)) abort(); /* no without a reason */
  if (eval.role != role) abort();
  if (status == ALEA_OK && eval.network.mem != NULL) ask(&eval);
  alea_linear_eval_clear(&eval);
  alea_text_clear(&message);
  return status == ALEA_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static alea_opened opened;
  static uint64_t fingerprint;
  alea_mem mem;
  alea_mem_init(&mem, (size_t)64 << 20);
  if (opened.game == NULL) {
    alea_diag diag;
    alea_diag_init(&diag, &mem);
    alea_open_options options = {.engine = ALEA_ENGINE_NET};
    if (alea_open(&opened, "tictactoe", &options, &diag) != ALEA_OK) abort();
    alea_diag_clear(&diag);
    if (alea_eval_fingerprint(opened.game, &mem, &fingerprint) != ALEA_OK) abort();
  }
  alea_text text;
  alea_text_init(&text, &mem);
  alea_eval_file_begin_short(&text, fingerprint, opened.game);
  alea_text_add(&text, (const char *)data, size);
  bool accepted[2];
  for (uint32_t role = 0; role < 2; role++)
    accepted[role] = read_for(opened.game, role, alea_text_string(&text), &mem);
  fuzz_note(accepted[0] || accepted[1]);
  alea_text_clear(&text);
  if (mem.used != 0) abort();
  return 0;
}
