#ifndef ALEA_TESTS_LEAST_H
#define ALEA_TESTS_LEAST_H

/* A test that compares whatever it finds must not pass where it finds nothing. */

#include <stdlib.h>

#include "cmocka_all.h"

/* Fails where fewer than 'least' of 'what' were compared.  One is enough where
 * the variable 'filter' of the environment is set; 'filter' may be NULL. */
static inline void expect_at_least(unsigned long least, unsigned long count, const char *what,
                                   const char *filter) {
  if (filter != NULL && getenv(filter) != NULL) least = 1;
  if (count < least) fail_msg("%lu %s compared, at least %lu expected", count, what, least);
}

#endif
