/* Reading a file: one declaration after another. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "toss/parser.h"

static const char *const keywords[] = {
    "PLAYERS", "RANGE",    "REL",  "RULE", "LOC",  "START", "MODEL", "PLAYER",
    "PAYOFF",  "MOVES",    "EDGE", "emb",  "with", "pre",   "inv",   "post",
    "update",  "dynamics", "and",  "or",   "not",  "ex",    "all",   "in",
    "true",    "false",    "Sum",  "Prod", "Min",  "Root",  "as",    "by"};

bool alea_toss_is_keyword(const alea_toss_token *token) {
  for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++) {
    if (strlen(keywords[i]) == token->length &&
        memcmp(keywords[i], token->text, token->length) == 0) {
      return true;
    }
  }
  return false;
}

void alea_toss_fail(alea_toss_parser *p, const char *code, const char *format, ...) {
  if (!alea_toss_good(p)) return;
  char message[256];
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  alea_place place = {p->file->file, p->token.line, p->token.column};
  alea_diag_error(p->diag, place, code, "%s", message);
  p->status = ALEA_INPUT;
}

void alea_toss_no_memory(alea_toss_parser *p) {
  if (!alea_toss_good(p)) return;
  p->status = alea_mem_lack(p->file->mem);
}

/* "'foo'" or "the end of the file", in 'buffer'. */
static const char *describe(const alea_toss_token *token, char *buffer, size_t size) {
  if (token->kind == ALEA_TOSS_END) return "the end of the file";
  if (token->kind == ALEA_TOSS_STRING) return "a string";
  int length = token->length < 24 ? (int)token->length : 24;
  snprintf(buffer, size, "'%.*s'", length, token->text);
  return buffer;
}

static void check_token(alea_toss_parser *p) {
  if (p->token.kind == ALEA_TOSS_OPEN) {
    alea_toss_fail(p, "open-string", "a string without its closing quote");
  }
  if (p->token.kind != ALEA_TOSS_BAD) return;
  char c = *p->token.text;
  if (c >= '0' && c <= '9') {
    alea_toss_fail(p, "bad-number", "a number that is too long or too large");
  } else if (c > ' ' && c < 127) {
    alea_toss_fail(p, "bad-byte", "'%c' has no meaning here", c);
  } else {
    alea_toss_fail(p, "bad-byte", "byte 0x%02x has no meaning here", (unsigned char)c);
  }
}

void alea_toss_advance(alea_toss_parser *p) {
  if (!alea_toss_good(p)) return;
  p->token = alea_toss_lexer_next(&p->lexer);
  check_token(p);
}

bool alea_toss_at(const alea_toss_parser *p, const char *text) {
  return alea_toss_good(p) &&
         (p->token.kind == ALEA_TOSS_MARK || p->token.kind == ALEA_TOSS_WORD) &&
         strlen(text) == p->token.length && memcmp(text, p->token.text, p->token.length) == 0;
}

bool alea_toss_accept(alea_toss_parser *p, const char *text) {
  if (!alea_toss_at(p, text)) return false;
  alea_toss_advance(p);
  return true;
}

void alea_toss_expect(alea_toss_parser *p, const char *text) {
  if (!alea_toss_good(p) || alea_toss_accept(p, text) || !alea_toss_good(p)) return;
  char buffer[40];
  alea_toss_fail(p, "syntax", "expected '%s' but found %s", text,
                 describe(&p->token, buffer, sizeof buffer));
}

uint32_t alea_toss_name(alea_toss_parser *p, const char *what) {
  if (!alea_toss_good(p)) return 0;
  char buffer[40];
  if (p->token.kind != ALEA_TOSS_WORD || alea_toss_is_keyword(&p->token)) {
    alea_toss_fail(p, "syntax", "expected %s but found %s", what,
                   describe(&p->token, buffer, sizeof buffer));
    return 0;
  }
  uint32_t name = alea_toss_names_add(&p->file->names, p->token.text, p->token.length);
  if (name == UINT32_MAX) {
    alea_toss_no_memory(p);
    return 0;
  }
  alea_toss_advance(p);
  return name;
}

double alea_toss_number(alea_toss_parser *p) {
  bool minus = alea_toss_accept(p, "-");
  if (!alea_toss_good(p)) return 0;
  if (p->token.kind != ALEA_TOSS_DIGITS) {
    char buffer[40];
    alea_toss_fail(p, "syntax", "expected a number but found %s",
                   describe(&p->token, buffer, sizeof buffer));
    return 0;
  }
  double number = p->token.number;
  alea_toss_advance(p);
  return minus ? -number : number;
}

uint32_t alea_toss_integer(alea_toss_parser *p, uint32_t most) {
  alea_toss_token token = p->token;
  double number = alea_toss_number(p);
  if (!alea_toss_good(p)) return 0;
  if (number < 0 || number > most || number != (double)(uint32_t)number) {
    p->token = token;
    alea_toss_fail(p, "bad-number", "expected a whole number from 0 to %u", (unsigned)most);
    return 0;
  }
  return (uint32_t)number;
}

static void read_players(alea_toss_parser *p) {
  do {
    uint32_t line = p->token.line, column = p->token.column;
    uint32_t name = alea_toss_name(p, "the name of a player");
    if (!alea_toss_good(p)) return;
    for (size_t i = 0; i < p->file->players.count; i++) {
      if (p->file->players.data[i] != name) continue;
      p->token.line = line, p->token.column = column;
      alea_toss_fail(p, "twice", "player '%s' is named twice", alea_toss_text(p->file, name));
      return;
    }
    alea_toss_push(p, &p->file->players, name);
  } while (alea_toss_accept(p, ","));
  if (p->file->players.count > ALEA_TOSS_MOST_PLAYERS) {
    alea_toss_fail(p, "too-many", "more than %d players", ALEA_TOSS_MOST_PLAYERS);
  }
}

static void read_range(alea_toss_parser *p) {
  p->file->least = alea_toss_number(p);
  alea_toss_expect(p, "--");
  p->file->most = alea_toss_number(p);
  if (alea_toss_good(p) && !(p->file->least < p->file->most)) {
    alea_toss_fail(p, "bad-range", "the range of payoffs is empty");
  }
}

/* `Name(x, y) = formula`, or `Name:2` for a relation of the structure. */
static void read_relation(alea_toss_parser *p) {
  alea_toss_relation relation = {
      .body = ALEA_TOSS_NONE, .line = p->token.line, .column = p->token.column};
  relation.name = alea_toss_name(p, "the name of a relation");
  if (alea_toss_accept(p, ":")) {
    relation.arity = alea_toss_integer(p, ALEA_TOSS_MOST_ARITY);
    alea_toss_push(p, &p->file->relations, relation);
    return;
  }
  alea_toss_expect(p, "(");
  uint32_t params[ALEA_TOSS_MOST_ARITY];
  while (alea_toss_good(p) && !alea_toss_at(p, ")")) {
    if (relation.arity == ALEA_TOSS_MOST_ARITY) {
      alea_toss_fail(p, "too-many", "more than %d arguments", ALEA_TOSS_MOST_ARITY);
      return;
    }
    params[relation.arity++] = alea_toss_name(p, "a variable");
    if (!alea_toss_accept(p, ",")) break;
  }
  alea_toss_expect(p, ")");
  alea_toss_expect(p, "=");
  relation.first_param = (uint32_t)p->file->kids.count;
  for (uint32_t i = 0; i < relation.arity; i++) alea_toss_push(p, &p->file->kids, params[i]);
  relation.body = alea_toss_formula(p);
  if (alea_toss_good(p)) alea_toss_push(p, &p->file->relations, relation);
}

static void read_start(alea_toss_parser *p) {
  if (p->file->has_start) {
    alea_toss_fail(p, "twice", "a second starting structure");
    return;
  }
  p->file->has_start = true;
  alea_toss_picture_read(p, &p->file->start, true);
}

static void read_declaration(alea_toss_parser *p) {
  char buffer[40];
  if (alea_toss_accept(p, "PLAYERS")) {
    read_players(p);
  } else if (alea_toss_accept(p, "RANGE")) {
    read_range(p);
  } else if (alea_toss_accept(p, "REL")) {
    read_relation(p);
  } else if (alea_toss_accept(p, "RULE")) {
    alea_toss_rule_read(p);
  } else if (alea_toss_accept(p, "LOC")) {
    alea_toss_location_read(p);
  } else if (alea_toss_accept(p, "START") || alea_toss_accept(p, "MODEL")) {
    read_start(p);
  } else {
    alea_toss_fail(p, "syntax", "expected PLAYERS, RANGE, REL, RULE, LOC or START but found %s",
                   describe(&p->token, buffer, sizeof buffer));
  }
}

static void clear_picture(alea_mem *mem, alea_toss_picture *picture) {
  alea_vec_clear(mem, &picture->elements);
  alea_vec_clear(mem, &picture->ids);
  alea_vec_clear(mem, &picture->tuples);
  alea_vec_clear(mem, &picture->values);
  alea_vec_clear(mem, &picture->declared);
}

static void clear_rule(alea_mem *mem, alea_toss_rule *rule) {
  clear_picture(mem, &rule->left);
  clear_picture(mem, &rule->right);
  alea_vec_clear(mem, &rule->exact);
  alea_vec_clear(mem, &rule->dynamics);
  alea_vec_clear(mem, &rule->update);
}

static void clear_location(alea_mem *mem, alea_toss_location *location, size_t players) {
  for (size_t i = 0; location->sides != NULL && i < players; i++) {
    alea_toss_side *side = &location->sides[i];
    for (size_t j = 0; j < side->labels.count; j++) {
      alea_vec_clear(mem, &side->labels.data[j].params);
      alea_vec_clear(mem, &side->labels.data[j].randoms);
      alea_vec_clear(mem, &side->labels.data[j].targets);
    }
    alea_vec_clear(mem, &side->labels);
  }
  for (size_t i = 0; i < location->edges.count; i++) {
    alea_vec_clear(mem, &location->edges.data[i].targets);
  }
  alea_vec_clear(mem, &location->edges);
  alea_mem_free(mem, location->sides, ALEA_TOSS_MOST_PLAYERS * sizeof *location->sides);
}

void alea_toss_free(alea_toss_file *file) {
  if (file == NULL) return;
  alea_mem *mem = file->mem;
  for (size_t i = 0; i < file->rules.count; i++) clear_rule(mem, &file->rules.data[i]);
  for (size_t i = 0; i < file->locations.count; i++) {
    clear_location(mem, &file->locations.data[i], ALEA_TOSS_MOST_PLAYERS);
  }
  clear_picture(mem, &file->start);
  alea_vec_clear(mem, &file->nodes);
  alea_vec_clear(mem, &file->kids);
  alea_vec_clear(mem, &file->players);
  alea_vec_clear(mem, &file->relations);
  alea_vec_clear(mem, &file->functions);
  alea_vec_clear(mem, &file->rules);
  alea_vec_clear(mem, &file->locations);
  alea_toss_names_clear(&file->names);
  alea_mem_free(mem, file, sizeof *file);
}

static void read_file(alea_toss_parser *p) {
  /* Never NULL, so that "no kids" can be a pointer into it. */
  if (!alea_vec_reserve(p->file->mem, &p->file->kids, 1)) alea_toss_no_memory(p);
  alea_toss_advance(p);
  while (alea_toss_good(p) && p->token.kind != ALEA_TOSS_END) read_declaration(p);
  if (!alea_toss_good(p)) return;
  if (p->file->players.count == 0) {
    alea_toss_fail(p, "no-players", "the file names no PLAYERS");
  } else if (!p->file->has_start) {
    alea_toss_fail(p, "no-start", "the file has no START structure");
  } else if (p->file->locations.count == 0) {
    alea_toss_fail(p, "no-location", "the file has no LOC");
  } else {
    alea_toss_check(p->file, p->diag, &p->status);
  }
}

alea_status alea_toss_read(alea_toss_file **file, const char *text, size_t length, const char *name,
                           alea_mem *mem, alea_diag *diag) {
  *file = NULL;
  alea_toss_file *made = alea_mem_zalloc(mem, sizeof *made);
  if (made == NULL) return alea_mem_lack(mem);
  made->mem = mem;
  made->file = name;
  made->least = -1;
  made->most = 1;
  alea_toss_names_init(&made->names, mem);
  alea_toss_parser p = {.file = made, .diag = diag};
  alea_toss_lexer_init(&p.lexer, text, length);
  read_file(&p);
  if (!alea_toss_good(&p)) {
    alea_toss_free(made);
    return p.status;
  }
  *file = made;
  return ALEA_OK;
}
