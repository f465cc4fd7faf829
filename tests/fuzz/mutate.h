#ifndef ALEA_TESTS_FUZZ_MUTATE_H
#define ALEA_TESTS_FUZZ_MUTATE_H

/* Changes of valid inputs that leave most of them valid.
 *
 * All of our formats are words, numbers and brackets.  A change takes a token,
 * or a bracket with all that is inside, and removes, repeats, moves or replaces
 * it by another of the same input, or a number by one near it or near a limit: so
 * most inputs get past the first check of a reader, where bytes at random do not.
 * In XML most changes keep to its grammar: what stands between tags, and elements
 * that are as deep as each other.  One change in eight is a byte at random after all,
 * in XML one in thirty-two. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Changes 'data' of 'size' bytes, which has room for 'most'; the new size. */
size_t fuzz_mutate(uint8_t *data, size_t size, size_t most, unsigned seed);

/* A target tells whether its reader accepted an input. */
void fuzz_note(bool accepted);
/* How many inputs were noted, and how many of them accepted. */
void fuzz_counts(uint64_t *noted, uint64_t *accepted);

#endif
