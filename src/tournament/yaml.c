/* YAML: builds a tree from the events of libyaml. */
#include "tournament/yaml.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "base/suggest.h"

/* An unfinished list or map. */
typedef struct yaml_level {
  alea_yaml *node, *last; /* last: its newest element */
  const char *key;        /* of a map: read, its value is next */
  uint32_t key_line, key_column;
} yaml_level;

typedef struct yaml_builder {
  alea_yaml_file *file;
  yaml_parser_t parser;
  yaml_level levels[ALEA_YAML_DEPTH];
  size_t depth;
  bool full; /* one document was read */
} yaml_builder;

static alea_place place_of(const alea_yaml_file *file, uint32_t line, uint32_t column) {
  return (alea_place){file->name, line, column};
}

static alea_place place_of_mark(const yaml_builder *b, yaml_mark_t mark) {
  return place_of(b->file, (uint32_t)mark.line + 1, (uint32_t)mark.column + 1);
}

static alea_status complain(const yaml_builder *b, yaml_mark_t mark, const char *message) {
  alea_diag_error(b->file->diag, place_of_mark(b, mark), "yaml", "%s", message);
  return ALEA_INPUT;
}

static alea_status no_memory(const yaml_builder *b) { return alea_mem_lack(b->file->arena.mem); }

/* An error message of libyaml as a diagnostic. */
static alea_status syntax_error(const yaml_builder *b) {
  const yaml_parser_t *parser = &b->parser;
  if (parser->error == YAML_MEMORY_ERROR) return ALEA_SYSTEM;
  const char *problem = parser->problem != NULL ? parser->problem : "not YAML";
  if (parser->error == YAML_READER_ERROR) {
    alea_diag_error(b->file->diag, place_of(b->file, 1, 1), "yaml", "not text: %s at byte %zu",
                    problem, parser->problem_offset);
    return ALEA_INPUT;
  }
  const char *context = parser->context != NULL ? parser->context : "";
  alea_diag_error(b->file->diag, place_of_mark(b, parser->problem_mark), "yaml", "%s%s%s", problem,
                  context[0] != '\0' ? " " : "", context);
  return ALEA_INPUT;
}

/* ---- building ---- */

enum { MOST_KEYS = 1000 }; /* of one map: the search for a key is linear */

static bool has_key(const alea_yaml *map, const char *key) {
  return alea_yaml_get(map, key) != NULL;
}

static alea_status take_key(yaml_builder *b, const yaml_event_t *event, const char *text) {
  yaml_level *top = &b->levels[b->depth - 1];
  if (top->node->count == MOST_KEYS) return complain(b, event->start_mark, "too many keys");
  if (has_key(top->node, text)) return complain(b, event->start_mark, "this key was given before");
  top->key = text;
  top->key_line = (uint32_t)event->start_mark.line + 1;
  top->key_column = (uint32_t)event->start_mark.column + 1;
  return ALEA_OK;
}

static void hang(yaml_level *top, alea_yaml *node) {
  node->key = top->key;
  node->key_line = top->key_line;
  node->key_column = top->key_column;
  top->key = NULL;
  if (top->last != NULL) {
    top->last->next = node;
  } else {
    top->node->first = node;
  }
  top->last = node;
  top->node->count++;
}

static alea_yaml *add_node(yaml_builder *b, const yaml_event_t *event, alea_yaml_kind kind) {
  alea_yaml *node = alea_arena_alloc(&b->file->arena, sizeof *node);
  if (node == NULL) return NULL;
  *node = (alea_yaml){.kind = kind, .text = ""};
  node->line = (uint32_t)event->start_mark.line + 1;
  node->column = (uint32_t)event->start_mark.column + 1;
  if (b->depth > 0) {
    hang(&b->levels[b->depth - 1], node);
  } else {
    b->file->root = node;
  }
  return node;
}

/* Whether a key is expected next. */
static bool wants_key(const yaml_builder *b) {
  if (b->depth == 0) return false;
  const yaml_level *top = &b->levels[b->depth - 1];
  return top->node->kind == ALEA_YAML_MAP && top->key == NULL;
}

static alea_status take_text(yaml_builder *b, const yaml_event_t *event) {
  const char *bytes = (const char *)event->data.scalar.value;
  size_t length = event->data.scalar.length;
  if (event->data.scalar.tag != NULL)
    return complain(b, event->start_mark, "tags are not understood");
  if (memchr(bytes, '\0', length) != NULL)
    return complain(b, event->start_mark, "the text holds a zero byte");
  const char *text = alea_arena_strdup(&b->file->arena, bytes, length);
  if (text == NULL) return no_memory(b);
  if (wants_key(b)) return take_key(b, event, text);
  alea_yaml *node = add_node(b, event, ALEA_YAML_TEXT);
  if (node == NULL) return no_memory(b);
  node->text = text;
  return ALEA_OK;
}

static alea_status open_level(yaml_builder *b, const yaml_event_t *event, alea_yaml_kind kind) {
  if (wants_key(b)) return complain(b, event->start_mark, "a key must be a text");
  if (b->depth == ALEA_YAML_DEPTH) {
    alea_diag_error(b->file->diag, place_of_mark(b, event->start_mark), "too-deep",
                    "nested more than %d deep", (int)ALEA_YAML_DEPTH);
    return ALEA_LIMIT;
  }
  alea_yaml *node = add_node(b, event, kind);
  if (node == NULL) return no_memory(b);
  b->levels[b->depth++] = (yaml_level){.node = node};
  return ALEA_OK;
}

static alea_status take(yaml_builder *b, const yaml_event_t *event) {
  switch (event->type) {
    case YAML_ALIAS_EVENT: return complain(b, event->start_mark, "aliases are not understood");
    case YAML_SCALAR_EVENT: return take_text(b, event);
    case YAML_SEQUENCE_START_EVENT: return open_level(b, event, ALEA_YAML_LIST);
    case YAML_MAPPING_START_EVENT: return open_level(b, event, ALEA_YAML_MAP);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT: b->depth--; return ALEA_OK;
    case YAML_DOCUMENT_START_EVENT:
      if (b->full) return complain(b, event->start_mark, "a second document begins here");
      b->full = true;
      return ALEA_OK;
    default: return ALEA_OK;
  }
}

static alea_status read_events(yaml_builder *b) {
  for (;;) {
    yaml_event_t event;
    if (!yaml_parser_parse(&b->parser, &event)) return syntax_error(b);
    bool end = event.type == YAML_STREAM_END_EVENT;
    alea_status status = take(b, &event);
    yaml_event_delete(&event);
    if (status != ALEA_OK || end) return status;
  }
}

alea_status alea_yaml_read(alea_yaml_file *file, const char *text, size_t length, const char *name,
                           alea_mem *mem, alea_diag *diag) {
  *file = (alea_yaml_file){.name = name, .diag = diag};
  alea_arena_init(&file->arena, mem);
  if (length > ALEA_YAML_BYTES) {
    alea_diag_error(diag, place_of(file, 0, 0), "too-large", "is larger than %d bytes",
                    (int)ALEA_YAML_BYTES);
    return ALEA_LIMIT;
  }
  yaml_builder b = {.file = file};
  if (!yaml_parser_initialize(&b.parser)) return ALEA_SYSTEM;
  yaml_parser_set_input_string(&b.parser, (const unsigned char *)text, length);
  alea_status status = read_events(&b);
  yaml_parser_delete(&b.parser);
  if (status == ALEA_OK && file->root == NULL) {
    alea_diag_error(diag, place_of(file, 1, 1), "yaml", "the file is empty");
    status = ALEA_INPUT;
  }
  if (status != ALEA_OK) file->root = NULL;
  return status;
}

void alea_yaml_clear(alea_yaml_file *file) {
  alea_arena_clear(&file->arena);
  file->root = NULL;
}

/* ---- queries ---- */

const alea_yaml *alea_yaml_get(const alea_yaml *map, const char *key) {
  if (map == NULL || map->kind != ALEA_YAML_MAP) return NULL;
  for (const alea_yaml *at = map->first; at != NULL; at = at->next)
    if (strcmp(at->key, key) == 0) return at;
  return NULL;
}

const char *alea_yaml_text(const alea_yaml *map, const char *key, const char *fallback) {
  const alea_yaml *node = alea_yaml_get(map, key);
  return node != NULL && node->kind == ALEA_YAML_TEXT ? node->text : fallback;
}

bool alea_yaml_number(const alea_yaml *node, double *number) {
  if (node == NULL || node->kind != ALEA_YAML_TEXT) return false;
  /* strtod also reads "inf", "nan" and hexadecimal; these are not allowed
   * here. */
  if (node->text[0] == '\0' || strspn(node->text, "+-.0123456789eE") != strlen(node->text))
    return false;
  char *end;
  *number = strtod(node->text, &end);
  return *end == '\0' && isfinite(*number);
}

/* ---- diagnostics ---- */

void alea_yaml_error(const alea_yaml_file *file, const alea_yaml *node, const char *format, ...) {
  char message[512];
  va_list list;
  va_start(list, format);
  vsnprintf(message, sizeof message, format, list);
  va_end(list);
  alea_diag_error(file->diag, place_of(file, node->line, node->column), "tournament", "%s",
                  message);
}

bool alea_yaml_expect(const alea_yaml_file *file, const alea_yaml *node, alea_yaml_kind kind) {
  static const char *const words[] = {"a text", "a list", "a map (key: value)"};
  if (node->kind == kind) return true;
  if (node->key != NULL) {
    alea_yaml_error(file, node, "'%s' must be %s", node->key, words[kind]);
  } else {
    alea_yaml_error(file, node, "this must be %s", words[kind]);
  }
  return false;
}

/* Takes the next word from 'known'. */
static bool next_word(const char **known, char word[64]) {
  if (**known == '\0') return false;
  size_t length = strcspn(*known, " ");
  snprintf(word, 64, "%.*s", (int)length, *known);
  *known += length + ((*known)[length] == ' ');
  return true;
}

static bool known_key(const alea_yaml_file *file, const alea_yaml *node, const char *known) {
  alea_suggestion suggestion;
  alea_suggest_start(&suggestion, node->key);
  char words[48][64];
  for (size_t i = 0; i < 48 && next_word(&known, words[i]); i++) {
    if (strcmp(words[i], node->key) == 0) return true;
    alea_suggest_offer(&suggestion, words[i]);
  }
  alea_place place = place_of(file, node->key_line, node->key_column);
  if (suggestion.nearest != NULL) {
    alea_diag_error(file->diag, place, "unknown-key", "unknown key '%s'; did you mean '%s'?",
                    node->key, suggestion.nearest);
  } else {
    alea_diag_error(file->diag, place, "unknown-key", "unknown key '%s'", node->key);
  }
  return false;
}

bool alea_yaml_keys(const alea_yaml_file *file, const alea_yaml *map, const char *known) {
  bool good = true;
  for (const alea_yaml *at = map->first; at != NULL; at = at->next)
    if (!known_key(file, at, known)) good = false;
  return good;
}

bool alea_yaml_read_number(const alea_yaml_file *file, const alea_yaml *map, const char *key,
                           double least, double largest, bool whole, double *number) {
  const alea_yaml *node = alea_yaml_get(map, key);
  if (node == NULL) return true;
  double read;
  if (alea_yaml_number(node, &read) && read >= least && read <= largest &&
      (!whole || read == floor(read))) {
    *number = read;
    return true;
  }
  alea_yaml_error(file, node, "'%s' must be a %s from %.15g to %.15g", key,
                  whole ? "whole number" : "number", least, largest);
  return false;
}
