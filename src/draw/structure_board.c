/* Positions of rewriting games on boards as fluents of a board. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "draw/structure_core.h"

bool alea_structure_has_board(const alea_structure_drawing *drawing) {
  return drawing->file->board_columns > 0;
}

void alea_board_fluents_init(alea_board_fluents *fluents, alea_mem *mem) {
  *fluents = (alea_board_fluents){0};
  alea_arena_init(&fluents->arena, mem);
}

void alea_board_fluents_clear(alea_board_fluents *fluents) {
  alea_mem *mem = fluents->arena.mem;
  alea_vec_clear(mem, &fluents->texts);
  alea_vec_clear(mem, &fluents->originals);
  alea_arena_clear(&fluents->arena);
}

static bool add(alea_board_fluents *out, const char *text, const char *original) {
  size_t size = strlen(text) + 1;
  char *copy = alea_arena_alloc(&out->arena, size);
  if (copy == NULL) return false;
  memcpy(copy, text, size);
  return alea_vec_push(out->arena.mem, &out->texts, copy) &&
         alea_vec_push(out->arena.mem, &out->originals, original);
}

/* Names that are letters of colours are read as those. */
static void content_name(const char *relation, char out[ALEA_ELEMENT_NAME]) {
  if (strcasecmp(relation, "w") == 0) relation = "white";
  if (strcasecmp(relation, "b") == 0) relation = "black";
  size_t length = 0;
  for (; relation[length] != '\0' && length + 1 < ALEA_ELEMENT_NAME; length++)
    out[length] = (char)tolower((unsigned char)relation[length]);
  out[length] = '\0';
}

/* `(cell a 1 CONTENT)` for a cell named a1; false if it is none. */
static bool write_cell(char *out, size_t size, const char *cell, const char *content) {
  size_t letters = 0;
  while (isalpha((unsigned char)cell[letters])) letters++;
  const char *digits = cell + letters;
  if (letters == 0 || *digits == '\0' || digits[strspn(digits, "0123456789")] != '\0') return false;
  snprintf(out, size, "(cell %.*s %s %s)", (int)letters, cell, digits, content);
  return true;
}

/* A mark of a cell; anything else is taken as it is. */
static bool add_fluent(alea_board_fluents *out, alea_structure_drawing *d, const char *fluent) {
  alea_structure_fact fact = alea_structure_fact_read(d->terms, fluent);
  char text[2 * ALEA_ELEMENT_NAME + 16], content[ALEA_ELEMENT_NAME];
  if (fact.arity != 1 || alea_structure_relation(d->file, fact.name) == ALEA_TOSS_NONE ||
      strlen(fact.args[0]) >= ALEA_ELEMENT_NAME)
    return add(out, fluent, fluent);
  content_name(fact.name, content);
  bool cell = write_cell(text, sizeof text, fact.args[0], content);
  return add(out, cell ? text : fluent, fluent);
}

alea_status alea_board_fluents_read(alea_board_fluents *out, alea_structure_drawing *d,
                                    const char *const *fluents, size_t count) {
  out->texts.count = out->originals.count = 0;
  alea_status status = alea_structure_read(d, fluents, count);
  for (size_t i = 0; i < count && status == ALEA_OK; i++) {
    if (!add_fluent(out, d, fluents[i])) status = alea_mem_lack(d->mem);
  }
  for (size_t i = 0; i < d->start_count && status == ALEA_OK; i++) {
    const alea_element *e = &d->elements.data[i];
    char text[2 * ALEA_ELEMENT_NAME + 16];
    bool empty =
        e->alive && e->marks.length == 0 && write_cell(text, sizeof text, e->name, "blank");
    if (empty && !add(out, text, NULL)) status = alea_mem_lack(d->mem);
  }
  return status;
}
