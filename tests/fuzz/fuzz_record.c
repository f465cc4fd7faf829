/* Fuzzing what others write about matches: records in JSON and XML, their
 * signatures, and answers to INFO.  No input crashes, leaks, or is refused
 * without a reason; what was read of a record is terms of bounded number. */
#include <stdlib.h>
#include <string.h>

#include "fuzz/mutate.h"
#include "match/signature.h"
#include "match/stored_record.h"
#include "net/ggp.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void look_at_record(const char *text, size_t size) {
  alea_mem mem;
  alea_diag diag;
  alea_stored_record record;
  alea_mem_init(&mem, (size_t)64 << 20);
  alea_diag_init(&diag, &mem);
  alea_status status = alea_stored_record_read(&record, text, size, "input", &mem, &diag);
  fuzz_note(status == ALEA_OK);
  if (status == ALEA_INPUT && diag.errors == 0) abort();
  size_t texts = 0;
  for (size_t i = 0; status == ALEA_OK && i < record.moves.count; i++)
    for (size_t j = 0; j < record.moves.data[i].count; j++)
      texts += record.moves.data[i].texts[j] != NULL;
  if (texts > size) abort(); /* every text takes bytes of the input */
  alea_stored_record_clear(&record);
  alea_diag_clear(&diag);
  if (mem.used != 0) abort();
}

static void look_at_info(const char *text, size_t size) {
  alea_ggp_info info = alea_ggp_read_info(text, size);
  bool inside = info.name.length == 0 ||
                (info.name.at >= text && info.name.at + info.name.length <= text + size);
  if (!inside) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const char *text = size > 0 ? (const char *)data : "";
  look_at_record(text, size);
  look_at_info(text, size);
  /* A signature that somebody made by chance would be news. */
  if (size < 400 && alea_signature_check(text, size) == ALEA_SIGNATURE_GOOD) abort();
  return 0;
}
