#ifndef ALEA_TESTS_CMOCKA_TEST_H
#define ALEA_TESTS_CMOCKA_TEST_H

/* cmocka.h with the headers that it needs before itself. */

/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#endif
