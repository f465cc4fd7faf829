#ifndef ALEA_TESTS_FUZZ_KEEP_H
#define ALEA_TESTS_FUZZ_KEEP_H

/* Changes that keep to the grammar of an input, whichever that is: XML, or words
 * and brackets (rules, JSON, YAML, rewriting games, SQL).  The grammar is not
 * written down anywhere: what stands in the same surroundings may stand there in
 * place of each other, the items of a list may change places, a line may be
 * left out.  What a reader asks beyond that (names that exist, types that fit)
 * refuses some of the inputs, as it should. */

#include "fuzz/tokens.h"

/* One change; false where the tokens that were drawn do not fit each other, and
 * nothing has changed. */
bool fuzz_keep_xml(fuzz_text *text, const fuzz_tokens *tokens, alea_rng *rng);
bool fuzz_keep_words(fuzz_text *text, const fuzz_tokens *tokens, alea_rng *rng);

/* Gives every request of HTTP in the text the length that its body has. */
void fuzz_keep_lengths(fuzz_text *text);

#endif
