#ifndef ALEA_NET_VIEW_H
#define ALEA_NET_VIEW_H

/* A text that others may watch over HTTP while it changes: any GET gets the
 * latest, as JSON. */

#include "net/http_server.h"

typedef struct alea_view alea_view;

alea_status alea_view_new(alea_view **view, const alea_http_options *options, alea_diag *diag);
void alea_view_free(alea_view *view); /* NULL is a no-op. */
uint16_t alea_view_port(const alea_view *view);
/* What is shown from now on; copied.  Without memory the old text stays. */
void alea_view_put(alea_view *view, const char *text, size_t length);

#endif
