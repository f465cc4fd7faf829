/* Dice and cards where no hint speaks of them: by the name of a relation together with the
 * names of its values, since either alone would take chess men for cards, or a row of a
 * board for a die. */
#include <ctype.h>
#include <string.h>

#include "draw/core.h"

static const char *const dice_words[] = {"die", "dice", "roll", "rolled", "throw", "thrown"};
static const char *const card_words[] = {"card", "cards", "hand",  "hold",  "holds", "held",
                                         "deck", "stock", "dealt", "table", "trick", "holding"};
static const char *const suits[] = {"hearts", "spades", "clubs", "diamonds",
                                    "heart",  "spade",  "club",  "diamond"};
static const char *const courts[] = {"ace", "king", "queen", "jack", "knave"};
static const char *const ranks[] = {"ace",   "king",  "queen", "jack", "knave", "ten",   "nine",
                                    "eight", "seven", "six",   "five", "four",  "three", "two",
                                    "a",     "k",     "q",     "j",    "t"};
#define IS_AMONG(list, text, length) is_among(list, sizeof list / sizeof *list, text, length)

static bool is_among(const char *const *list, size_t count, const char *text, size_t length) {
  for (size_t i = 0; i < count; i++)
    if (strlen(list[i]) == length && strncmp(list[i], text, length) == 0) return true;
  return false;
}

/* Whether a name, or a part of it between signs and digits, is one of the words. */
static bool has_word(const char *name, const char *const *list, size_t count) {
  while (*name != '\0') {
    size_t length = 0;
    while (isalpha((unsigned char)name[length])) length++;
    if (length > 0 && is_among(list, count, name, length)) return true;
    name += length > 0 ? length : 1;
  }
  return false;
}

/* Whether the values are the faces of a die, all six of them. */
static bool has_faces(const alea_drawing *d, const alea_leaf *leaf) {
  unsigned number;
  if (leaf->values.count != 6) return false;
  for (size_t i = 0; i < 6; i++)
    if (!alea_drawing_number(d, leaf->values.data[i], &number) || number < 1 || number > 6)
      return false;
  return true;
}

static bool are_roles(const alea_drawing *d, const alea_leaf *leaf) {
  for (size_t i = 0; i < leaf->values.count; i++)
    if (!alea_drawing_is_role(d, leaf->values.data[i])) return false;
  return leaf->values.count > 0;
}

/* Every leaf is a face, or one names the owners. */
static bool guess_dice(const alea_drawing *d, alea_shape *shape) {
  uint32_t faces = 0, owner = ALEA_NO_INDEX;
  for (uint32_t i = 0; i < shape->leaf_count; i++) {
    if (has_faces(d, &shape->leaves[i])) {
      faces |= 1u << i;
    } else if (owner == ALEA_NO_INDEX && are_roles(d, &shape->leaves[i])) {
      owner = i;
    } else {
      return false;
    }
  }
  if (faces == 0) return false;
  shape->hint = ALEA_HINT_DICE;
  shape->faces = faces;
  shape->column = (uint32_t)__builtin_ctz(faces);
  shape->row = ALEA_NO_INDEX;
  shape->slice = owner;
  return true;
}

static bool are_suits(const alea_drawing *d, const alea_leaf *leaf) {
  for (size_t i = 0; i < leaf->values.count; i++) {
    const char *name = alea_symbols_text(d->symbols, leaf->values.data[i]);
    if (!IS_AMONG(suits, name, strlen(name))) return false;
  }
  return leaf->values.count >= 2;
}

/* Names of ranks or numbers up to 14; '*court': one of them is a king or the like. */
static bool are_ranks(const alea_drawing *d, const alea_leaf *leaf, bool *court) {
  unsigned number;
  for (size_t i = 0; i < leaf->values.count; i++) {
    const char *name = alea_symbols_text(d->symbols, leaf->values.data[i]);
    if (IS_AMONG(courts, name, strlen(name))) *court = true;
    if (IS_AMONG(ranks, name, strlen(name))) continue;
    if (!alea_drawing_number(d, leaf->values.data[i], &number) || number > 14) return false;
  }
  return leaf->values.count >= 2;
}

/* One leaf of ranks, one of suits or none, one of owners or none.  Without suits there must
 * be a court card, and a word for cards in the relation's name. */
static bool guess_cards(const alea_drawing *d, alea_shape *shape) {
  uint32_t rank = ALEA_NO_INDEX, suit = ALEA_NO_INDEX, owner = ALEA_NO_INDEX;
  bool court = false;
  for (uint32_t i = 0; i < shape->leaf_count; i++) {
    const alea_leaf *leaf = &shape->leaves[i];
    if (owner == ALEA_NO_INDEX && are_roles(d, leaf)) {
      owner = i;
    } else if (suit == ALEA_NO_INDEX && are_suits(d, leaf)) {
      suit = i;
    } else if (rank == ALEA_NO_INDEX && are_ranks(d, leaf, &court)) {
      rank = i;
    } else {
      return false;
    }
  }
  const char *name = alea_symbols_text(d->symbols, shape->name);
  bool named = has_word(name, card_words, sizeof card_words / sizeof *card_words);
  if (rank == ALEA_NO_INDEX || (suit == ALEA_NO_INDEX && !(court && named))) return false;
  shape->hint = ALEA_HINT_CARDS;
  shape->column = owner;
  return true;
}

bool alea_drawing_guess(const alea_drawing *d, alea_shape *shape) {
  if (shape->leaf_count == 0 || shape->hint != ALEA_HINT_NONE) return false;
  const char *name = alea_symbols_text(d->symbols, shape->name);
  bool dice = has_word(name, dice_words, sizeof dice_words / sizeof *dice_words);
  return (dice && guess_dice(d, shape)) || guess_cards(d, shape);
}
