#ifndef ALEA_GDL_HEADER_COMMENT_H
#define ALEA_GDL_HEADER_COMMENT_H

/* The comment lines `;; key: value` at the start of a rulesheet; `//` in
 * rewriting games.
 *
 * A value continues in the following lines that are indented. */

#include <stdbool.h>

#include "base/text.h"

/* Appends the value of 'key' in the header of a rulesheet's text; false if it
 * has none. */
bool alea_header_comment(const char *text, const char *key, alea_text *value);

#endif
