/* Fuzzing the reader of .toss files: whatever it accepts must print as text
 * that reads as the same file again. */
#include <stdlib.h>
#include <string.h>

#include "fuzz/mutate.h"
#include "toss/syntax.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void round_trip(const alea_toss_file *file, alea_mem *mem) {
  alea_text first, second;
  alea_text_init(&first, mem);
  alea_text_init(&second, mem);
  alea_toss_print(file, &first);
  alea_toss_file *again = NULL;
  if (!first.failed) {
    alea_diag diag;
    alea_diag_init(&diag, mem);
    alea_status status =
        alea_toss_read(&again, alea_text_string(&first), first.length, "again", mem, &diag);
    if (status == ALEA_INPUT) abort();
    alea_diag_clear(&diag);
  }
  if (again != NULL) {
    alea_toss_print(again, &second);
    if (!second.failed && strcmp(alea_text_string(&first), alea_text_string(&second)) != 0) abort();
  }
  alea_toss_free(again);
  alea_text_clear(&first);
  alea_text_clear(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  alea_mem mem;
  alea_mem_init(&mem, (size_t)64 << 20);
  alea_diag diag;
  alea_diag_init(&diag, &mem);
  alea_toss_file *file = NULL;
  alea_status status = alea_toss_read(&file, (const char *)data, size, "input", &mem, &diag);
  if (status == ALEA_INPUT && diag.errors == 0) abort(); /* no without a reason */
  fuzz_note(status == ALEA_OK);
  if (status == ALEA_OK) round_trip(file, &mem);
  alea_toss_free(file);
  alea_diag_clear(&diag);
  if (mem.used != 0) abort();
  return 0;
}
