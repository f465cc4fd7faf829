/* Short, distinct labels for the contents of cells. */
#include <string.h>

#include "draw/core.h"

enum { LONGEST = sizeof(((alea_label *)NULL)->text) - 1 };

const alea_label *alea_drawing_find_label(const alea_drawing *d, alea_symbol content) {
  for (size_t i = 0; i < d->labels.count; i++) {
    if (d->labels.data[i].content == content) return &d->labels.data[i];
  }
  return NULL;
}

const char *alea_drawing_label(const alea_drawing *d, alea_symbol content) {
  const alea_label *label = alea_drawing_find_label(d, content);
  return label != NULL ? label->text : "?";
}

/* 'letters' letters of each word; a knight is n, as in chess notation. */
static void abbreviate(const char *content, size_t letters, char out[LONGEST + 1]) {
  size_t length = 0;
  for (const char *word = content; *word != '\0'; word += strspn(word, " ")) {
    size_t word_length = strcspn(word, " ");
    if (letters == 1 && word_length == 6 && memcmp(word, "knight", 6) == 0) word++, word_length--;
    size_t taken = word_length < letters ? word_length : letters;
    if (taken > LONGEST - length) taken = LONGEST - length;
    memcpy(out + length, word, taken);
    length += taken;
    word += word_length;
  }
  out[length] = '\0';
}

/* The shortest abbreviation that no other label has. */
static void choose(alea_drawing *d, size_t index, size_t letters) {
  alea_label *label = &d->labels.data[index];
  if (label->text[0] != '\0') return;
  for (bool taken = true; taken && letters <= LONGEST; letters++) {
    abbreviate(alea_symbols_text(d->symbols, label->content), letters, label->text);
    taken = false;
    for (size_t i = 0; i < d->labels.count && !taken; i++) {
      taken = i != index && strcmp(d->labels.data[i].text, label->text) == 0;
    }
  }
}

static alea_status note_content(alea_drawing *d, alea_symbol content) {
  if (content == ALEA_NO_SYMBOL) return ALEA_SYSTEM;
  for (size_t i = 0; i < d->boards.count; i++) {
    if (d->boards.data[i].blank == content) return ALEA_OK;
  }
  for (size_t i = 0; i < d->labels.count; i++) {
    if (d->labels.data[i].content == content) return ALEA_OK;
  }
  return alea_vec_push(d->mem, &d->labels, (alea_label){.content = content}) ? ALEA_OK
                                                                             : ALEA_SYSTEM;
}

static alea_status note_shape(alea_drawing *d, const alea_shape *shape) {
  enum { MOST_LABELS = 500 };
  size_t width = 1 + shape->leaf_count;
  for (size_t r = 0; r + width <= shape->records.count && d->labels.count < MOST_LABELS;
       r += width) {
    alea_symbol content = alea_drawing_content(d, shape, shape->records.data + r + 1);
    alea_status status = note_content(d, content);
    if (status != ALEA_OK) return status;
  }
  return ALEA_OK;
}

/* Shapes that define a board come first and get the shortest labels; what the contents look
 * like may give some. */
alea_status alea_drawing_make_labels(alea_drawing *d) {
  alea_status status = ALEA_OK;
  for (size_t i = 0; status == ALEA_OK && i < d->boards.count; i++) {
    status = note_shape(d, &d->shapes.data[d->boards.data[i].shape]);
  }
  for (size_t i = 0; status == ALEA_OK && i < d->shapes.count; i++) {
    if (d->shapes.data[i].layout == ALEA_LAYOUT_GRID) status = note_shape(d, &d->shapes.data[i]);
  }
  alea_drawing_find_looks(d);
  size_t longest = 0;
  for (size_t i = 0; i < d->labels.count; i++) {
    size_t length = strlen(alea_symbols_text(d->symbols, d->labels.data[i].content));
    if (length > longest) longest = length;
  }
  /* Names of one or two letters stay as they are. */
  for (size_t i = 0; i < d->labels.count; i++) choose(d, i, longest <= 2 ? 2 : 1);
  return status;
}
