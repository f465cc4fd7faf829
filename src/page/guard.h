#ifndef ALEA_PAGE_GUARD_H
#define ALEA_PAGE_GUARD_H

/* Who may ask the page for what. */

#include "net/http_server.h"

typedef struct alea_page_guard {
  const char *address; /* that the server is bound to */
  const char *name;    /* one more name of the host; NULL: none */
  uint16_t port;
  const char *token;
} alea_page_guard;

/* The headers of all replies: a strict policy on content, and no word to other
 * origins. */
extern const alea_http_header alea_page_headers[];

/* NULL if the request may be answered.  Otherwise a sentence that says why not,
 * and '*status': 421 for a foreign Host, 403 for a foreign Origin or a missing
 * token, 415 for a body that is not declared as JSON. */
const char *alea_page_guard_refuse(const alea_page_guard *guard, const alea_http_request *request,
                                   unsigned *status);

#endif
