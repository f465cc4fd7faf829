#ifndef ALEA_TESTS_RAW_HTTP_H
#define ALEA_TESTS_RAW_HTTP_H

/* HTTP by hand, for tests that check bytes or send what no library would. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Connects to this machine; asserts success. */
int raw_connect(uint16_t port);
/* Sends as much as possible; false if the other side has closed. */
bool raw_send(int fd, const void *bytes, size_t count);
/* Makes closing a reset. */
void raw_tear(int fd);
/* Reads up to the end of the connection, or for 'seconds', into a string that
 * the caller frees; 'closed' (may be NULL) tells which. */
char *raw_read(int fd, double seconds, bool *closed);
/* The text after the empty line; "" without one. */
const char *raw_body(const char *reply);

typedef enum raw_dialect { RAW_GGP_BASE, RAW_DRESDEN } raw_dialect;
/* A request as that manager sends it; the caller frees it. */
char *raw_request(raw_dialect dialect, const char *message);
/* Sends the message as that manager does and returns the whole reply, after
 * checking that it has the form that all managers read.  The caller frees it. */
char *raw_ask(uint16_t port, raw_dialect dialect, const char *message);
/* The same; true if the body of the reply is 'expected'. */
bool raw_says(uint16_t port, raw_dialect dialect, const char *message, const char *expected);

void raw_sleep(double seconds);
/* Number of threads of this process. */
unsigned raw_threads(void);

#endif
