/* The hints of rulesheets: `;; draw:`. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/choice.h"
#include "draw/core.h"

enum { MOST_WORDS = 5, LONGEST_WORD = 63 };

/* The words of one hint. */
typedef struct hint_words {
  char at[MOST_WORDS][LONGEST_WORD + 1];
  size_t count;
} hint_words;

static const char *read_words(const char *text, hint_words *words) {
  words->count = 0;
  for (text += strspn(text, " "); *text != ',' && *text != '\0'; text += strspn(text, " ")) {
    size_t length = strcspn(text, " ,");
    if (words->count < MOST_WORDS && length <= LONGEST_WORD) {
      memcpy(words->at[words->count], text, length);
      words->at[words->count++][length] = '\0';
    }
    text += length;
  }
  return *text == ',' ? text + 1 : text;
}

static alea_symbol symbol_of(alea_drawing *d, const char *word) {
  return alea_symbols_add(d->symbols, word, strlen(word));
}

/* The number that a word is, or 0. */
static uint32_t number_at(const hint_words *words, size_t index) {
  if (index >= words->count) return 0;
  char *end;
  unsigned long number = strtoul(words->at[index], &end, 10);
  return *end == '\0' && number < 1000 ? (uint32_t)number : 0;
}

/* The leaf of an argument numbered from 1. */
static uint32_t leaf_number(uint32_t argument) {
  return argument >= 1 && argument <= ALEA_MOST_LEAVES ? argument - 1 : ALEA_NO_INDEX;
}

static alea_status add_layout(alea_drawing *d, const hint_words *words, alea_hint_kind kind) {
  alea_hint hint = {.name = symbol_of(d, words->at[1]),
                    .kind = kind,
                    .column = leaf_number(number_at(words, 2)),
                    .row = leaf_number(number_at(words, 3)),
                    .slice = leaf_number(number_at(words, 4)),
                    .width = number_at(words, 3),
                    .gap = number_at(words, 4)};
  if (hint.name == ALEA_NO_SYMBOL || !alea_vec_push(d->mem, &d->hints, hint)) return ALEA_SYSTEM;
  if (kind != ALEA_HINT_LINES || words->count < 3) return ALEA_OK;
  hint.kind = ALEA_HINT_BOXES;
  hint.name = symbol_of(d, words->at[2]);
  bool good = hint.name != ALEA_NO_SYMBOL && alea_vec_push(d->mem, &d->hints, hint);
  return good ? ALEA_OK : ALEA_SYSTEM;
}

/* `cells REL KIND SIDE`, `flip REL`, `merge REL`. */
static alea_status add_board_hint(alea_drawing *d, const hint_words *words) {
  alea_board_hint hint = {.cells = ALEA_CELLS_GUESS,
                          .flip = strcmp(words->at[0], "flip") == 0,
                          .merge = strcmp(words->at[0], "merge") == 0};
  if (!hint.flip && !hint.merge) {
    int cells = words->count > 2 ? alea_choice_find(ALEA_CHOICE_WORDS(ALEA_CELLS), words->at[2])
                                 : ALEA_NO_CHOICE;
    if (cells == ALEA_NO_CHOICE) return ALEA_OK;
    hint.cells = (alea_cells)cells;
    hint.block = number_at(words, 3);
  }
  hint.name = symbol_of(d, words->at[1]);
  bool good = hint.name != ALEA_NO_SYMBOL && alea_vec_push(d->mem, &d->board_hints, hint);
  return good ? ALEA_OK : ALEA_SYSTEM;
}

static alea_status add_piece_hint(alea_drawing *d, const hint_words *words) {
  alea_piece_hint hint = {symbol_of(d, words->at[1]), ALEA_GLYPH_COUNT, ALEA_INK_COUNT};
  if (words->count > 2) hint.glyph = alea_glyph_find(words->at[2]);
  if (words->count > 3) hint.ink = alea_ink_find(words->at[3]);
  bool good = hint.word != ALEA_NO_SYMBOL && alea_vec_push(d->mem, &d->piece_hints, hint);
  return good ? ALEA_OK : ALEA_SYSTEM;
}

static alea_status add_hint(alea_drawing *d, const hint_words *words) {
  static const char *const kinds[] = {
      [ALEA_HINT_HIDE] = "hide",     [ALEA_HINT_TEXT] = "text",    [ALEA_HINT_GRID] = "grid",
      [ALEA_HINT_STACKS] = "stacks", [ALEA_HINT_TRACK] = "track",  [ALEA_HINT_GROUP] = "group",
      [ALEA_HINT_LINES] = "lines",   [ALEA_HINT_PEGS] = "pegs",    [ALEA_HINT_DICE] = "dice",
      [ALEA_HINT_CARDS] = "cards",   [ALEA_HINT_HEAPS] = "heaps",  [ALEA_HINT_TREES] = "trees",
      [ALEA_HINT_ON] = "on",         [ALEA_HINT_TOKENS] = "tokens"};
  if (words->count < 2) return ALEA_OK;
  const char *kind = words->at[0];
  if (strcmp(kind, "cells") == 0 || strcmp(kind, "flip") == 0 || strcmp(kind, "merge") == 0)
    return add_board_hint(d, words);
  if (strcmp(kind, "piece") == 0) return add_piece_hint(d, words);
  for (size_t k = ALEA_HINT_HIDE; k < sizeof kinds / sizeof *kinds; k++) {
    if (strcmp(kind, kinds[k]) == 0) return add_layout(d, words, (alea_hint_kind)k);
  }
  return ALEA_OK;
}

alea_status alea_drawing_hint(alea_drawing *d, const char *hints) {
  alea_status status = ALEA_OK;
  while (status == ALEA_OK && *hints != '\0') {
    hint_words words;
    hints = read_words(hints, &words);
    status = add_hint(d, &words);
  }
  return status;
}
