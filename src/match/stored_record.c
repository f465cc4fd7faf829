/* Reading records of matches. */
#include "match/stored_record.h"

#include <jansson.h>
#include <libxml/parser.h>
#include <string.h>

#include "base/text.h"

enum { MOST_DEPTH = 100 }; /* of terms in XML */

typedef struct record_reader {
  alea_stored_record *record;
  alea_mem *mem;
  const char *name;
  alea_diag *diag;
  alea_text text; /* scratch */
} record_reader;

static alea_status refuse(record_reader *r, const char *why) {
  alea_diag_error(r->diag, ((alea_place){r->name, 0, 0}), "bad-record", "%s", why);
  return ALEA_INPUT;
}

/* Begins a joint move of 'count' texts. */
static const char **begin_move(record_reader *r, size_t count) {
  const char **texts = alea_arena_alloc(&r->record->arena, (count > 0 ? count : 1) * sizeof *texts);
  alea_stored_move move = {texts, count};
  if (texts == NULL || !alea_vec_push(r->mem, &r->record->moves, move)) return NULL;
  return texts;
}

/* ---- JSON ---- */

static alea_status read_json_row(record_reader *r, const json_t *row) {
  size_t count = json_array_size(row);
  const char **texts = begin_move(r, count);
  if (texts == NULL) return alea_mem_lack(r->mem);
  for (size_t i = 0; i < count; i++) {
    const char *text = json_string_value(json_array_get(row, i));
    if (text == NULL) return refuse(r, "is no match record: a move is not a text");
    texts[i] = alea_arena_strdup(&r->record->arena, text, strlen(text));
    if (texts[i] == NULL) return alea_mem_lack(r->mem);
  }
  return ALEA_OK;
}

static alea_status read_json(record_reader *r, const char *text, size_t length) {
  json_t *whole = json_loadb(text, length, 0, NULL);
  const json_t *moves = json_object_get(whole, "moves");
  alea_status status = ALEA_OK;
  if (!json_is_array(moves)) status = refuse(r, "is not a match record");
  for (size_t i = 0; status == ALEA_OK && i < json_array_size(moves); i++) {
    const json_t *row = json_array_get(moves, i);
    status = json_is_array(row) ? read_json_row(r, row)
                                : refuse(r, "is no match record: a joint move is not a list");
  }
  json_decref(whole);
  return status;
}

/* ---- XML ---- */

static bool is_element(const xmlNode *node, const char *name) {
  return node->type == XML_ELEMENT_NODE && strcmp((const char *)node->name, name) == 0;
}

/* The next element with that name from 'node' on; NULL: none. */
static xmlNode *find_element(xmlNode *node, const char *name) {
  while (node != NULL && !is_element(node, name)) node = node->next;
  return node;
}

/* A constant is text; a function is <relation>name</relation> and one
 * <argument> for each argument. */
static bool put_term(xmlNode *node, unsigned depth, alea_text *out) {
  xmlNode *name = find_element(node->children, "relation");
  if (depth > MOST_DEPTH) return false;
  if (name == NULL) {
    xmlChar *content = xmlNodeGetContent(node);
    if (content != NULL) alea_text_put(out, (const char *)content);
    xmlFree(content);
    return find_element(node->children, "argument") == NULL;
  }
  alea_text_char(out, '(');
  bool good = put_term(name, depth + 1, out);
  for (xmlNode *at = find_element(name, "argument"); good && at != NULL;
       at = find_element(at->next, "argument")) {
    alea_text_char(out, ' ');
    good = put_term(at, depth + 1, out);
  }
  alea_text_char(out, ')');
  return good;
}

static alea_status read_xml_move(record_reader *r, xmlNode *move) {
  size_t count = 0, i = 0;
  xmlNode *at = find_element(move->children, "action");
  for (; at != NULL; at = find_element(at->next, "action")) count++;
  const char **texts = begin_move(r, count);
  if (texts == NULL) return alea_mem_lack(r->mem);
  for (at = find_element(move->children, "action"); i < count; i++) {
    alea_text_truncate(&r->text, 0);
    if (!put_term(at, 0, &r->text)) return refuse(r, "is no match record: an action is no term");
    if (r->text.failed) return alea_mem_lack(r->mem);
    texts[i] = alea_arena_strdup(&r->record->arena, alea_text_string(&r->text), r->text.length);
    if (texts[i] == NULL) return alea_mem_lack(r->mem);
    at = find_element(at->next, "action");
  }
  return ALEA_OK;
}

/* Nothing is fetched; a document type, which could define entities that grow
 * without end, is refused. */
static alea_status read_xml(record_reader *r, const char *text, size_t length) {
  int flags = XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING;
  xmlDoc *document =
      length <= INT32_MAX ? xmlReadMemory(text, (int)length, "record", NULL, flags) : NULL;
  bool plain = document != NULL && document->intSubset == NULL;
  xmlNode *root = plain ? xmlDocGetRootElement(document) : NULL;
  xmlNode *history =
      root != NULL && is_element(root, "match") ? find_element(root->children, "history") : NULL;
  alea_status status = history != NULL ? ALEA_OK : refuse(r, "is not a match record");
  xmlNode *at = history != NULL ? find_element(history->children, "move") : NULL;
  for (; status == ALEA_OK && at != NULL; at = find_element(at->next, "move"))
    status = read_xml_move(r, at);
  xmlFreeDoc(document);
  return status;
}

alea_status alea_stored_record_read(alea_stored_record *record, const char *text, size_t length,
                                    const char *name, alea_mem *mem, alea_diag *diag) {
  *record = (alea_stored_record){0};
  alea_arena_init(&record->arena, mem);
  record_reader r = {.record = record, .mem = mem, .name = name, .diag = diag};
  alea_text_init(&r.text, mem);
  size_t space = 0;
  while (space < length && strchr(" \t\r\n", text[space]) != NULL && text[space] != '\0') space++;
  bool xml = space < length && text[space] == '<';
  alea_status status = (xml ? read_xml : read_json)(&r, text, length);
  alea_text_clear(&r.text);
  return status;
}

void alea_stored_record_clear(alea_stored_record *record) {
  alea_vec_clear(record->arena.mem, &record->moves);
  alea_arena_clear(&record->arena);
}
