/* Reading evaluations: lines of cases, and blocks that are rewriting games. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "toss/evaluation.h"

#define NONE ALEA_TOSS_NONE
#define CURE "'alea learn GAME --out FILE' writes an evaluation"

typedef struct evaluation_reader {
  alea_toss_evaluation *e;
  alea_diag *diag;
  const char *next;         /* the rest of the text */
  uint32_t line;            /* of 'next' */
  alea_text file;           /* the generated file of all formulas */
  ALEA_VEC(uint32_t) lines; /* the line of the text for each line of the file */
  alea_status status;
} evaluation_reader;

typedef evaluation_reader reader;

static void __attribute__((format(printf, 3, 4)))
fail(reader *r, uint32_t line, const char *format, ...) {
  if (r->status != ALEA_OK) return;
  char message[256];
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  alea_diag_error(r->diag, ((alea_place){NULL, line, 1}), "bad-evaluation", "%s", message);
  r->status = ALEA_INPUT;
}

/* ---- lines ---- */

static const char *skip_blanks(const char *text) { return text + strspn(text, " \t\r"); }
static bool is_end(const char *text) {
  text = skip_blanks(text);
  return *text == '\0' || *text == '\n' || strncmp(text, "//", 2) == 0;
}

static void next_line(reader *r) {
  r->next += strcspn(r->next, "\n");
  r->next += *r->next == '\n';
  r->line++;
}

static bool starts(const char *text, const char *word) {
  size_t length = strlen(word);
  return strncmp(text, word, length) == 0 &&
         (text[length] == ' ' || text[length] == '\t' || is_end(text + length));
}

/* A whole number at '*text', which is advanced; false if there is none. */
static bool read_number(const char **text, unsigned long *number) {
  char *end;
  *text = skip_blanks(*text);
  if (**text < '0' || **text > '9') return false;
  *number = strtoul(*text, &end, 10);
  *text = end;
  return true;
}

/* The index of the location whose number is at '*text'. */
static uint32_t read_location(reader *r, const char **text) {
  const alea_toss_file *f = r->e->game->file;
  unsigned long number;
  if (!read_number(text, &number)) {
    fail(r, r->line, "expected the number of a location, as in 'EVAL 0 true => ...'");
    return NONE;
  }
  for (uint32_t i = 0; i < f->locations.count; i++) {
    if (f->locations.data[i].number == number) return i;
  }
  fail(r, r->line, "the game has no location %lu; LOC lines of its rulesheet number them", number);
  return NONE;
}

static void add_verdict(reader *r, const alea_toss_verdict *v) {
  if (r->status != ALEA_OK) return;
  if (!alea_vec_push(r->e->mem, &r->e->verdicts, *v)) r->status = alea_mem_lack(r->e->mem);
}

/* ---- cases ---- */

/* Appends "REL eval_KIND_VERDICT_PLAYER() = before TEXT after" as a line. */
static void add_relation(reader *r, const char *kind, uint32_t player, const char *text,
                         size_t length, bool term) {
  alea_text_format(&r->file, "REL eval_%s_%zu_%u() = %s", kind, r->e->verdicts.count, player,
                   term ? "(" : "");
  alea_text_add(&r->file, text, length);
  alea_text_put(&r->file, term ? ") = 0\n" : "\n");
  if (!alea_vec_push(r->e->mem, &r->lines, r->line)) r->status = alea_mem_lack(r->e->mem);
}

static bool read_fraction(const char **text, double *number) {
  char *end;
  *text = skip_blanks(*text);
  if (strchr("0123456789.", **text) == NULL || **text == '\0') return false;
  *number = strtod(*text, &end);
  *text = end;
  return *number >= 0 && *number <= 1;
}

/* `(1, 0) 0.75`; false if it is none. */
static bool read_outcome(reader *r, const char **text, alea_toss_outcome *o) {
  uint32_t players = r->e->game->player_count;
  if (**text != '(') return false;
  ++*text;
  for (uint32_t i = 0; i < players; i++) {
    if (!read_fraction(text, &o->payoffs[i])) return false;
    *text = skip_blanks(*text);
    if (**text != (i + 1 < players ? ',' : ')')) return false;
    ++*text;
  }
  return read_fraction(text, &o->probability);
}

/* `(1, 0) 0.75; (0, 1) 0.25` up to the end of the line. */
static void read_outcomes(reader *r, alea_toss_verdict *v, const char *text) {
  double total = 0;
  for (text = skip_blanks(text); !is_end(text) && r->status == ALEA_OK;) {
    if (v->outcome_count == ALEA_TOSS_MOST_OUTCOMES) {
      fail(r, r->line, "more than %d outcomes", ALEA_TOSS_MOST_OUTCOMES);
      return;
    }
    alea_toss_outcome *o = &v->outcomes[v->outcome_count++];
    if (!read_outcome(r, &text, o)) {
      fail(r, r->line,
           "expected an outcome such as '(1, 0) 0.75': a payoff from 0 to 1 for each of the %u "
           "players, and its probability",
           (unsigned)r->e->game->player_count);
      return;
    }
    total += o->probability;
    text = skip_blanks(text);
    if (*text == ';') text = skip_blanks(text + 1);
  }
  if (!(total > 0.999 && total < 1.001)) {
    fail(r, r->line, "the probabilities add up to %g instead of 1", total);
  }
}

/* `value term; term`, one term for each player; each becomes one side of an
 * equation, which the reader of files can read. */
static void read_terms(reader *r, alea_toss_verdict *v, const char *text) {
  uint32_t players = r->e->game->player_count;
  v->kind = ALEA_TOSS_TERMS;
  for (uint32_t i = 0; i < players && r->status == ALEA_OK; i++) {
    size_t length = strcspn(text, ";\n");
    const char *comment = strstr(text, "//");
    if (comment != NULL && comment < text + length) length = (size_t)(comment - text);
    if (strspn(text, " \t\r") >= length) {
      fail(r, r->line, "expected %u terms, one for each player, with ';' between them",
           (unsigned)players);
      return;
    }
    add_relation(r, "term", i, text, length, true);
    text += length;
    text += *text == ';';
  }
  if (!is_end(text)) fail(r, r->line, "more terms than players");
}

static void read_case(reader *r, const char *text) {
  const char *stop = text + strcspn(text, "\n"), *arrow = strstr(text, "=>");
  alea_toss_verdict v = {.kind = ALEA_TOSS_OUTCOMES, .location = read_location(r, &text)};
  if (r->status != ALEA_OK) return;
  if (arrow == NULL || arrow > stop) {
    fail(r, r->line, "expected 'EVAL location formula => outcomes' but there is no '=>'");
    return;
  }
  const char *outcomes = skip_blanks(arrow + 2);
  if (strncmp(outcomes, "value ", 6) == 0) {
    read_terms(r, &v, outcomes + 6);
  } else {
    read_outcomes(r, &v, outcomes);
  }
  add_relation(r, "formula", 0, text, (size_t)(arrow - text), false);
  add_verdict(r, &v);
  next_line(r);
}

/* ---- games ---- */

/* Reports the first error of 'found', whose lines are those of a generated text
 * with 'ahead' lines less before them. */
static void pass_on(reader *r, const alea_diag *found, const uint32_t *lines, size_t count,
                    uint32_t ahead) {
  for (size_t i = 0; i < found->entries.count; i++) {
    const alea_diag_entry *entry = &found->entries.data[i];
    if (entry->severity != ALEA_ERROR) continue;
    uint32_t at = entry->place.line;
    uint32_t line = lines == NULL ? at + ahead : at >= 1 && at <= count ? lines[at - 1] : 0;
    if (line > r->line) line = r->line; /* something is missing at the end */
    alea_diag_error(r->diag, ((alea_place){NULL, line, entry->place.column}), "bad-evaluation",
                    "%s", entry->message);
    return;
  }
}

static void put_header(const alea_toss_game *g, alea_text *out) {
  const alea_toss_file *f = g->file;
  alea_text_put(out, "PLAYERS ");
  for (size_t i = 0; i < f->players.count; i++) {
    alea_text_format(out, "%s%s", i == 0 ? "" : ", ", alea_toss_text(f, f->players.data[i]));
  }
  alea_text_format(out, " RANGE %.12f -- %.12f\n", f->least, f->most);
}

/* The rewriting game in 'body', which begins after line 'line'. */
static void make_game(reader *r, const char *body, size_t length, uint32_t line, bool uniform) {
  alea_mem *mem = r->e->mem;
  alea_text text;
  alea_diag found;
  alea_toss_file *file = NULL;
  alea_toss_evaluation_game made = {.uniform = uniform};
  alea_text_init(&text, mem);
  alea_diag_init(&found, mem);
  put_header(r->e->game, &text);
  alea_text_add(&text, body, length);
  alea_text_char(&text, '\n');
  alea_toss_doubled_signature(r->e->game, &text);
  alea_status status = text.failed ? alea_mem_lack(mem) : ALEA_OK;
  if (status == ALEA_OK) {
    status = alea_toss_read(&file, text.data, text.length, "evaluation", mem, &found);
  }
  if (status == ALEA_OK) {
    file->given_start = true;
    status = alea_toss_game_new(&made.game, file, NULL, mem, &found);
  }
  if (status == ALEA_INPUT || status == ALEA_LIMIT) pass_on(r, &found, NULL, 0, line - 1);
  if (status == ALEA_OK) {
    const alea_toss_game *g = alea_toss_of(made.game);
    status = alea_toss_doubled_init(&made.doubled, r->e->game, g->file, mem);
    if (status == ALEA_OK) status = alea_toss_doubled_constant(&made.doubled, g->rules->start);
    if (status == ALEA_OK && !alea_vec_push(mem, &r->e->games, made)) status = alea_mem_lack(mem);
    if (status != ALEA_OK) {
      alea_toss_doubled_clear(&made.doubled);
      alea_game_free(made.game);
    }
  }
  alea_diag_clear(&found);
  alea_text_clear(&text);
  r->status = status;
}

/* Adds a verdict that always holds for each location in `0, 1`; returns what
 * follows. */
static const char *read_locations(reader *r, const char *text, alea_toss_verdict_kind kind) {
  for (;;) {
    alea_toss_verdict v = {.kind = kind, .node = NONE, .game = (uint32_t)r->e->games.count};
    v.location = read_location(r, &text);
    add_verdict(r, &v);
    text = skip_blanks(text);
    if (r->status != ALEA_OK || *text != ',') return text;
    text++;
  }
}

/* `GAME 0, 1 uniform`, the game, and `END`. */
static void read_game(reader *r, const char *text) {
  uint32_t line = r->line;
  text = read_locations(r, text, ALEA_TOSS_GAME);
  bool uniform = r->status == ALEA_OK && starts(text, "uniform");
  if (uniform) text += strlen("uniform");
  if (!is_end(text)) fail(r, line, "expected 'GAME locations' or 'GAME locations uniform'");
  if (r->status != ALEA_OK) return;
  next_line(r);
  const char *body = r->next;
  while (*r->next != '\0' && !starts(skip_blanks(r->next), "END")) next_line(r);
  if (*r->next == '\0') {
    fail(r, line, "a GAME without the line END after it");
    return;
  }
  make_game(r, body, (size_t)(r->next - body), line, uniform);
  next_line(r);
}

static void read_self(reader *r, const char *text) {
  text = read_locations(r, text, ALEA_TOSS_SELF);
  if (!is_end(text)) fail(r, r->line, "expected nothing after the locations of SELF");
  next_line(r);
}

/* ---- the text ---- */

static void read_statement(reader *r) {
  const char *text = skip_blanks(r->next);
  if (is_end(text)) {
    next_line(r);
  } else if (starts(text, "EVAL")) {
    read_case(r, text + 4);
  } else if (starts(text, "GAME")) {
    read_game(r, text + 4);
  } else if (starts(text, "SELF")) {
    read_self(r, text + 4);
  } else {
    int length = (int)strcspn(text, " \t\r\n");
    fail(r, r->line, "expected EVAL, GAME or SELF but found '%.*s'; " CURE,
         length < 24 ? length : 24, text);
  }
}

static void read_signature(reader *r) {
  alea_toss_evaluation *e = r->e;
  alea_diag found;
  alea_diag_init(&found, e->mem);
  alea_text_put(&r->file, "PLAYERS nobody LOC 0 { } ");
  alea_toss_doubled_signature(e->game, &r->file);
  r->status = r->file.failed ? alea_mem_lack(e->mem)
                             : alea_toss_read(&e->file, r->file.data, r->file.length, "evaluation",
                                              e->mem, &found);
  if (r->status == ALEA_INPUT) pass_on(r, &found, r->lines.data, r->lines.count, 0);
  alea_diag_clear(&found);
}

alea_status alea_toss_evaluation_read(alea_toss_evaluation *e, const char *text, alea_diag *diag) {
  reader r = {.e = e, .diag = diag, .next = text != NULL ? text : "", .line = 1};
  alea_text_init(&r.file, e->mem);
  while (*r.next != '\0' && r.status == ALEA_OK) read_statement(&r);
  if (text != NULL && r.status == ALEA_OK && e->verdicts.count == 0) {
    fail(&r, r.line, "there is no EVAL, GAME or SELF in it; " CURE);
  }
  if (r.status == ALEA_OK) read_signature(&r);
  alea_text_clear(&r.file);
  alea_vec_clear(e->mem, &r.lines);
  return r.status;
}
