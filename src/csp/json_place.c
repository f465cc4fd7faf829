/* Where in the text a message about a part of a JSON instance belongs.
 *
 * The parser keeps no places.  Messages begin with the part that they are about,
 * "constraints[3]: ..."; for a message without a line the text is walked again
 * as far as that part. */
#include <stdio.h>
#include <string.h>

#include "csp/json.h"

typedef struct json_walk {
  const char *at, *end;
} json_walk;

static void skip_space(json_walk *w) {
  while (w->at < w->end && strchr(" \t\r\n", *w->at) != NULL && *w->at != '\0') w->at++;
}

static void skip_string(json_walk *w) {
  for (w->at++; w->at < w->end && *w->at != '"'; w->at++)
    if (*w->at == '\\' && w->at + 1 < w->end) w->at++;
  if (w->at < w->end) w->at++;
}

/* Skips a value; the text is known to be JSON. */
static void skip_value(json_walk *w) {
  size_t depth = 0;
  skip_space(w);
  do {
    char c = w->at < w->end ? *w->at : '\0';
    if (c == '"') {
      skip_string(w);
      continue;
    }
    if (depth == 0 && (c == ',' || c == ']' || c == '}')) return;
    depth += c == '[' || c == '{';
    depth -= c == ']' || c == '}';
    w->at++;
    if (depth == 0 && (c == ']' || c == '}')) return;
  } while (w->at < w->end);
}

/* To the value of a key of the object at hand; false: it has no such key. */
static bool enter_key(json_walk *w, const char *key, size_t length) {
  skip_space(w);
  if (w->at == w->end || *w->at != '{') return false;
  for (w->at++; w->at < w->end; w->at++) {
    skip_space(w);
    if (w->at == w->end || *w->at != '"') return false;
    const char *name = w->at + 1;
    skip_string(w);
    bool same = (size_t)(w->at - name) == length + 1 && memcmp(name, key, length) == 0;
    skip_space(w);
    if (w->at == w->end || *w->at != ':') return false;
    w->at++;
    skip_space(w);
    if (same) return true;
    skip_value(w);
    skip_space(w);
    if (w->at == w->end || *w->at != ',') return false;
  }
  return false;
}

static bool enter_item(json_walk *w, unsigned long index) {
  skip_space(w);
  if (w->at == w->end || *w->at != '[') return false;
  w->at++;
  for (unsigned long i = 0; i < index; i++) {
    skip_value(w);
    skip_space(w);
    if (w->at == w->end || *w->at != ',') return false;
    w->at++;
  }
  skip_space(w);
  return true;
}

/* The part that a message begins with: "name" or "name[3]", then a colon. */
static void enter_part(json_walk *w, const char *message) {
  size_t length = strcspn(message, "[:");
  unsigned long index;
  json_walk inner = *w;
  if (message[length] == '\0' || !enter_key(&inner, message, length)) return;
  *w = inner;
  if (message[length] != '[' || sscanf(message + length, "[%lu]", &index) != 1) return;
  if (enter_item(&inner, index)) *w = inner;
}

void csp_json_locate(alea_diag *diag, const char *text, size_t length) {
  for (size_t i = 0; diag != NULL && i < diag->entries.count; i++) {
    alea_diag_entry *entry = &diag->entries.data[i];
    if (entry->place.line != 0) continue;
    json_walk w = {text, text + length};
    skip_space(&w);
    enter_part(&w, entry->message);
    entry->place.line = entry->place.column = 1;
    for (const char *c = text; c < w.at; c++) {
      entry->place.column = *c == '\n' ? 1 : entry->place.column + 1;
      entry->place.line += *c == '\n';
    }
  }
}
