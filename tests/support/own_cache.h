#ifndef ALEA_TESTS_OWN_CACHE_H
#define ALEA_TESTS_OWN_CACHE_H

/* Tests that compile code for a GPU keep it in a folder of their own, which is gone afterwards:
 * set-up and tear-down of a group of tests. */

#include <stdio.h>
#include <stdlib.h>

#include "cmocka_all.h"

static char own_cache[] = "/tmp/alea-cache-XXXXXX";

static inline int make_own_cache(void **state) {
  (void)state;
  return mkdtemp(own_cache) != NULL ? setenv("XDG_CACHE_HOME", own_cache, 1) : -1;
}

static inline int remove_own_cache(void **state) {
  char command[64];
  (void)state;
  snprintf(command, sizeof command, "rm -r %s", own_cache);
  return system(command) == 0 ? 0 : -1;
}

#endif
