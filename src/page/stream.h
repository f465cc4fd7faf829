#ifndef ALEA_PAGE_STREAM_H
#define ALEA_PAGE_STREAM_H

/* What the streams of server-sent events of the page share. */

#include <stddef.h>
#include <time.h>

#include "base/text.h"

enum {
  ALEA_PAGE_ID_BYTES = 33,
  ALEA_PAGE_PULSE = 10, /* seconds after which a stream without news says that it is there */
};

/* An id that nobody can guess; false: there is no randomness to be had. */
bool alea_page_make_id(char id[ALEA_PAGE_ID_BYTES]);
/* The end of a wait that begins now, for conditions on CLOCK_MONOTONIC. */
struct timespec alea_page_in_seconds(double seconds);

/* One event on its way to a spectator. */
typedef struct alea_page_notice {
  alea_mem mem;
  alea_text text;
  size_t sent; /* bytes of it */
} alea_page_notice;

void alea_page_notice_init(alea_page_notice *notice);
void alea_page_notice_clear(alea_page_notice *notice);
/* Replaces it by an event of this kind, or, without data, by a comment: whoever is gone
 * is noticed. */
void alea_page_notice_set(alea_page_notice *notice, const char *kind, const alea_text *data);
static inline bool alea_page_notice_is_sent(const alea_page_notice *notice) {
  return notice->sent == notice->text.length;
}
/* Up to 'size' more bytes of it; 0 if there are none. */
size_t alea_page_notice_take(alea_page_notice *notice, char *bytes, size_t size);

#endif
