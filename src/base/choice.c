/* Words for the constants of an enum. */
#include "base/choice.h"

#include <string.h>

int alea_choice_find(const char *words, const char *text) {
  size_t length = strlen(text);
  int index = 0;
  for (const char *word = words;; index++) {
    size_t word_length = strcspn(word, "|");
    if (word_length == length && memcmp(word, text, length) == 0) return index;
    if (word[word_length] == '\0') return ALEA_NO_CHOICE;
    word += word_length + 1;
  }
}
