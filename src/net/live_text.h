#ifndef ALEA_NET_LIVE_TEXT_H
#define ALEA_NET_LIVE_TEXT_H

/* A text that others may watch over HTTP while it changes.
 *
 * GET is answered with the latest text, as JSON; GET /events with server-sent
 * events, one with the latest text and then one with every change.  A spectator
 * that is slower than the changes misses some and gets the latest. */

#include "net/http_server.h"

typedef struct alea_live_text alea_live_text;

alea_status alea_live_text_new(alea_live_text **live, const alea_http_options *options,
                               alea_diag *diag);
/* Ends the streams of spectators, which get the last text.  NULL is a no-op. */
void alea_live_text_free(alea_live_text *live);
uint16_t alea_live_text_port(const alea_live_text *live);
/* Replaces the text by a copy of 'text', one line of JSON.  If memory is
 * lacking, the old text stays. */
void alea_live_text_put(alea_live_text *live, const char *text, size_t length);

#endif
