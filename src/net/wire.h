#ifndef ALEA_NET_WIRE_H
#define ALEA_NET_WIRE_H

/* A game as players elsewhere get to see it: its rules as one line of KIF
 * without comments, and, where the words are scrambled, the way from our words
 * to theirs and back.  Words of the language and integers are never changed,
 * so that a scrambled game is the same game. */

#include "base/diag.h"
#include "base/status.h"
#include "base/symbols.h"
#include "base/text.h"

typedef struct alea_wire {
  alea_mem *mem;
  alea_symbols *ours, *theirs; /* the same numbers; 'theirs' NULL: same words */
  alea_text rules;
} alea_wire;

typedef struct alea_wire_options {
  bool scramble;
  uint64_t seed; /* of the scrambled words */
  bool tell_all; /* add the rule that every player is told every move */
} alea_wire_options;

/* Reads a rulesheet.  The caller clears 'wire' in any case. */
alea_status alea_wire_init(alea_wire *wire, const char *rules, size_t length,
                           const alea_wire_options *options, alea_mem *mem, alea_diag *diag);
void alea_wire_clear(alea_wire *wire);

/* Append 'text' (terms) in the other side's words. */
void alea_wire_encode(const alea_wire *wire, const char *text, size_t length, alea_text *out);
void alea_wire_decode(const alea_wire *wire, const char *text, size_t length, alea_text *out);

/* The word in the percepts of the added rule. */
#define ALEA_WIRE_DID "did"

#endif
