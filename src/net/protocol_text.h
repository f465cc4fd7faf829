#ifndef ALEA_NET_PROTOCOL_TEXT_H
#define ALEA_NET_PROTOCOL_TEXT_H

/* A game as players elsewhere get to see it: its rules as one line of KIF
 * without comments, and, where the words are scrambled, the way from our words
 * to theirs and back.  Words of the language and integers are never changed,
 * so that a scrambled game is the same game. */

#include "base/diag.h"
#include "base/status.h"
#include "base/symbols.h"
#include "base/text.h"

typedef struct alea_protocol_text {
  alea_mem *mem;
  alea_symbols *ours, *theirs; /* the same numbers; 'theirs' NULL: same words */
  alea_text rules;
} alea_protocol_text;

typedef struct alea_protocol_text_options {
  bool scramble;
  uint64_t seed; /* of the scrambled words */
  bool tell_all; /* add the rule that every player is told every move */
} alea_protocol_text_options;

/* Reads a rulesheet.  The caller clears 'protocol' in any case. */
alea_status alea_protocol_text_init(alea_protocol_text *protocol, const char *rules, size_t length,
                                    const alea_protocol_text_options *options, alea_mem *mem,
                                    alea_diag *diag);
void alea_protocol_text_clear(alea_protocol_text *protocol);

/* Append 'text' (terms) in the other side's words. */
void alea_protocol_text_encode(const alea_protocol_text *protocol, const char *text, size_t length,
                               alea_text *out);
void alea_protocol_text_decode(const alea_protocol_text *protocol, const char *text, size_t length,
                               alea_text *out);

/* The word in the percepts of the added rule. */
#define ALEA_PROTOCOL_TEXT_DID "did"

#endif
