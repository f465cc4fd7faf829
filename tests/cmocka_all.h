#ifndef ALEA_TESTS_CMOCKA_ALL_H
#define ALEA_TESTS_CMOCKA_ALL_H

/* cmocka wants these headers before it; here clang-format cannot sort them. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#endif
