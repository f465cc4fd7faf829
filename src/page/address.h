#ifndef ALEA_PAGE_ADDRESS_H
#define ALEA_PAGE_ADDRESS_H

/* Addresses that a person names and the server, or what it starts, calls: players elsewhere,
 * and servers of events.
 *
 * A page that called whatever it is told to would be a way into every network that this
 * machine sees.  So it calls this machine's own ports, and what the options name. */

#include <stdbool.h>

typedef struct alea_page_address {
  char host[256]; /* without brackets */
  char port[6];
} alea_page_address;

/* Reads `http://HOST:PORT`, with or without a `/` at its end; false: it is none. */
bool alea_page_address_read(alea_page_address *address, const char *text);
/* Whether it is a loopback address, or one of 'allowed': `HOST:PORT`, separated by commas;
 * NULL: none. */
bool alea_page_address_is_allowed(const alea_page_address *address, const char *allowed);

#endif
