#ifndef ALEA_TESTS_FUZZ_MUTATE_H
#define ALEA_TESTS_FUZZ_MUTATE_H

/* Changes of valid inputs that leave most of them valid.
 *
 * All of our formats are words, numbers and brackets, or XML.  Thirty of thirty-two
 * changes keep to the grammar (fuzz/keep.h): so most inputs get past the first check
 * of a reader, where bytes at random do not.  One removes, repeats or moves any
 * token, or a bracket with all that is inside; one is a byte at random after all. */

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
