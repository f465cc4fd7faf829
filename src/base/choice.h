#ifndef ALEA_BASE_CHOICE_H
#define ALEA_BASE_CHOICE_H

/* Words that stand for the constants of an enum, written once.
 *
 *   #define SCALES(word) word(SCALE_SMALL, "small") word(SCALE_PAPER, "paper")
 *
 *   typedef enum scale { SCALES(ALEA_CHOICE_CONSTANT) } scale;
 *   static const char *const scale_words[] = {SCALES(ALEA_CHOICE_STRING)};
 *
 * and ALEA_CHOICE_WORDS(SCALES) is the text "small|paper", which options of the
 * kind `choice` have as the word for their value (base/options.h).  The
 * constants count from 0 in the order of the words. */

#define ALEA_CHOICE_CONSTANT(constant, text) constant,
#define ALEA_CHOICE_STRING(constant, text) text,
#define ALEA_CHOICE_PART(constant, text) "|" text
#define ALEA_CHOICE_WORDS(LIST) (&(LIST(ALEA_CHOICE_PART))[1])

enum { ALEA_NO_CHOICE = -1 };

/* The constant that 'text' stands for among 'words' ("small|paper"), or
 * ALEA_NO_CHOICE. */
int alea_choice_find(const char *words, const char *text);

#endif
