#ifndef ALEA_TESTS_SHA256_H
#define ALEA_TESTS_SHA256_H

/* SHA-256 (FIPS 180-4), for the hashes in the reference traces. */

#include <stddef.h>
#include <stdint.h>

typedef struct sha256 {
  uint32_t state[8];
  uint64_t length; /* bytes so far */
  unsigned char block[64];
} sha256;

void sha256_init(sha256 *hash);
void sha256_add(sha256 *hash, const void *bytes, size_t count);
/* The digest as 64 lower-case hex digits and a NUL. */
void sha256_hex(sha256 *hash, char hex[65]);

#endif
