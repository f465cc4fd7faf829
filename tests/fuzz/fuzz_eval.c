/* Fuzz target of evaluations (`alea learn`): an input is a rewriting game, a line
 * of dashes, and an evaluation of it. */
#include <stdlib.h>
#include <string.h>

#include "fuzz/mutate.h"
#include "toss/evaluation.h"
#include "toss/toss.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char mark[] = "\n---\n";

static void read_evaluation(const alea_game *game, const char *text, alea_mem *mem) {
  alea_diag diag;
  alea_toss_evaluation *evaluation = NULL;
  alea_diag_init(&diag, mem);
  alea_status status = alea_toss_evaluation_new(&evaluation, game, text, mem, &diag);
  fuzz_note(status == ALEA_OK);
  if (status == ALEA_INPUT && diag.errors == 0) abort(); /* no without a reason */
  if ((status == ALEA_OK) != (evaluation != NULL)) abort();
  alea_toss_evaluation_free(evaluation);
  alea_diag_clear(&diag);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  alea_mem mem;
  alea_mem_init(&mem, (size_t)64 << 20);
  char *text = malloc(size + 1);
  if (text == NULL) abort();
  memcpy(text, data, size);
  text[size] = '\0';
  char *evaluation = strstr(text, mark);
  size_t length = evaluation != NULL ? (size_t)(evaluation - text) : strlen(text);
  alea_toss_file *file = NULL;
  alea_game *game = NULL;
  alea_diag diag;
  alea_diag_init(&diag, &mem);
  alea_status status = alea_toss_read(&file, text, length, "input", &mem, &diag);
  if (status == ALEA_OK) status = alea_toss_game_new(&game, file, NULL, &mem, &diag);
  if (status == ALEA_OK && evaluation != NULL)
    read_evaluation(game, evaluation + strlen(mark), &mem);
  else
    fuzz_note(false);
  alea_game_free(game);
  alea_diag_clear(&diag);
  if (mem.used != 0) abort();
  free(text);
  return 0;
}
