#ifndef ALEA_NET_PROTOCOL_TEXT_H
#define ALEA_NET_PROTOCOL_TEXT_H

/* The text of a game as it is sent to remote players.
 *
 * The rules are one line of KIF without comments.  If the words are scrambled,
 * texts are translated from our words to theirs and back.  Keywords of GDL and
 * integers are never changed, so a scrambled game is the same game. */

#include "base/diag.h"
#include "base/status.h"
#include "base/symbols.h"
#include "base/text.h"

typedef struct alea_protocol_text {
  alea_mem *mem;
  alea_symbols *ours, *theirs; /* equal symbol numbers; 'theirs' NULL: the same words */
  alea_text rules;
} alea_protocol_text;

typedef struct alea_protocol_text_options {
  bool scramble;
  uint64_t seed; /* for the scrambled words */
  bool tell_all; /* add the rule that every player sees every move */
} alea_protocol_text_options;

/* Reads a rulesheet.  The caller must clear 'protocol' in any case. */
alea_status alea_protocol_text_init(alea_protocol_text *protocol, const char *rules, size_t length,
                                    const alea_protocol_text_options *options, alea_mem *mem,
                                    alea_diag *diag);
void alea_protocol_text_clear(alea_protocol_text *protocol);

/* Translate 'text' (GDL terms) into the words of the other side, or back, and
 * append it to 'out'. */
void alea_protocol_text_encode(const alea_protocol_text *protocol, const char *text, size_t length,
                               alea_text *out);
void alea_protocol_text_decode(const alea_protocol_text *protocol, const char *text, size_t length,
                               alea_text *out);

/* The function in the percepts of the added rule. */
#define ALEA_PROTOCOL_TEXT_DID "did"

#endif
