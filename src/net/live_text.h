#ifndef ALEA_NET_LIVE_TEXT_H
#define ALEA_NET_LIVE_TEXT_H

/* A text that others may watch over HTTP while it changes: every GET is
 * answered with the latest text, as JSON. */

#include "net/http_server.h"

typedef struct alea_live_text alea_live_text;

alea_status alea_live_text_new(alea_live_text **live, const alea_http_options *options,
                               alea_diag *diag);
void alea_live_text_free(alea_live_text *live); /* NULL is a no-op. */
uint16_t alea_live_text_port(const alea_live_text *live);
/* Replaces the text by a copy of 'text'.  If memory is lacking, the old text
 * stays. */
void alea_live_text_put(alea_live_text *live, const char *text, size_t length);

#endif
