/* Pieces of streams of events. */
#include "page/stream.h"

#include <stdio.h>
#include <string.h>
#include <sys/random.h>

bool alea_page_make_id(char id[ALEA_PAGE_ID_BYTES]) {
  unsigned char noise[(ALEA_PAGE_ID_BYTES - 1) / 2];
  if (getrandom(noise, sizeof noise, 0) != sizeof noise) return false;
  for (size_t i = 0; i < sizeof noise; i++) snprintf(id + 2 * i, 3, "%02x", noise[i]);
  return true;
}

struct timespec alea_page_in_seconds(double seconds) {
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_sec += (time_t)seconds;
  return until;
}

void alea_page_notice_init(alea_page_notice *notice) {
  *notice = (alea_page_notice){.sent = 0};
  alea_mem_init(&notice->mem, 0);
  alea_text_init(&notice->text, &notice->mem);
}

void alea_page_notice_clear(alea_page_notice *notice) { alea_text_clear(&notice->text); }

void alea_page_notice_set(alea_page_notice *notice, const char *kind, const alea_text *data) {
  alea_text_truncate(&notice->text, 0);
  notice->sent = 0;
  if (data == NULL) {
    alea_text_put(&notice->text, ": idle\n\n");
    return;
  }
  alea_text_format(&notice->text, "event: %s\ndata: ", kind);
  alea_text_add(&notice->text, data->data, data->length);
  alea_text_put(&notice->text, "\n\n");
}

size_t alea_page_notice_take(alea_page_notice *notice, char *bytes, size_t size) {
  size_t left = notice->text.length - notice->sent, count = left < size ? left : size;
  if (notice->text.failed || count == 0) return 0;
  memcpy(bytes, notice->text.data + notice->sent, count);
  notice->sent += count;
  return count;
}
