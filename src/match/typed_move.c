/* Moves as people type them. */
#include "match/typed_move.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NAMES = 32, LONGEST_NUMBER = 9 };

/* A line or a move cut into its names, in lower case, parentheses and commas left
 * out; the names end with NUL one after another in a text. */
typedef struct names {
  const char *name[MOST_NAMES];
  size_t count;
  bool whole; /* there were not too many */
} names;

void alea_typed_moves_init(alea_typed_moves *typed, alea_mem *mem) {
  *typed = (alea_typed_moves){.mem = mem};
  alea_text_init(&typed->text, mem);
  alea_text_init(&typed->typed, mem);
}

void alea_typed_moves_clear(alea_typed_moves *typed) {
  alea_vec_clear(typed->mem, &typed->sorted);
  if (typed->mem == NULL) return;
  alea_text_clear(&typed->text);
  alea_text_clear(&typed->typed);
  alea_vec_clear(typed->mem, &typed->fitting);
}

static bool separates(char c) { return isspace((unsigned char)c) || strchr("(),;", c) != NULL; }

/* Whether a name ends between 'left' and 'right'; with 'pieces' also between
 * letters and digits. */
static bool ends_between(char left, char right, bool pieces) {
  if (separates(right)) return true;
  bool digits = isdigit((unsigned char)left) != 0;
  return pieces && digits != (isdigit((unsigned char)right) != 0);
}

/* 'buffer' keeps the names and must not change as long as they are used. */
static names cut(const char *text, bool pieces, alea_text *buffer) {
  names cut = {.whole = true};
  size_t starts[MOST_NAMES];
  alea_text_truncate(buffer, 0);
  for (const char *c = text; *c != '\0';) {
    if (separates(*c)) {
      c++;
      continue;
    }
    if (cut.count == MOST_NAMES) {
      cut.whole = false;
      break;
    }
    starts[cut.count++] = buffer->length;
    do alea_text_char(buffer, (char)tolower((unsigned char)*c));
    while (*++c != '\0' && !ends_between(c[-1], *c, pieces));
    alea_text_char(buffer, '\0');
  }
  if (buffer->failed) return (names){0};
  for (size_t i = 0; i < cut.count; i++) cut.name[i] = alea_text_string(buffer) + starts[i];
  return cut;
}

/* ---- ways to mean a move ---- */

typedef bool way(const names *typed, const names *move);

static bool equal_names(const names *typed, const names *move, size_t from) {
  if (typed->count == 0 || typed->count + from != move->count) return false;
  for (size_t i = 0; i < typed->count; i++)
    if (strcmp(typed->name[i], move->name[i + from]) != 0) return false;
  return true;
}

static bool same(const names *typed, const names *move) { return equal_names(typed, move, 0); }

static bool arguments(const names *typed, const names *move) { return equal_names(typed, move, 1); }

/* `e2e4`, or `wp e2e4`: the typed names joined are the last names joined, two at
 * least: a lone number is more often one of the list. */
static bool joined(const names *typed, const names *move) {
  for (size_t from = 1; from + 2 <= move->count; from++) {
    size_t t = 0, m = from;
    const char *a = typed->count > 0 ? typed->name[0] : "", *b = move->name[from];
    while (t < typed->count && m < move->count && *a == *b) {
      a++, b++;
      if (*a == '\0' && ++t < typed->count) a = typed->name[t];
      if (*b == '\0' && ++m < move->count) b = move->name[m];
    }
    if (t == typed->count && m == move->count) return true;
  }
  return false;
}

static bool is_number(const char *name) {
  return *name != '\0' && strspn(name, "0123456789") == strlen(name);
}

static bool begins(const char *name, const char *beginning) {
  return is_number(beginning) ? strcmp(name, beginning) == 0
                              : strncmp(name, beginning, strlen(beginning)) == 0;
}

/* A beginning of the first name and of those after 'from'. */
static bool begin_at(const names *typed, const names *move, size_t from) {
  bool fits = typed->count > 0 && typed->count + from <= move->count &&
              begins(move->name[0], typed->name[0]);
  for (size_t i = 1; fits && i < typed->count; i++)
    fits = begins(move->name[from + i], typed->name[i]);
  return fits;
}

static bool beginnings(const names *typed, const names *move) { return begin_at(typed, move, 0); }

/* The same with names left out after the first: `m e2` is (move wp e 2 e 3) too. */
static bool gaps(const names *typed, const names *move) {
  for (size_t from = 1; from < move->count; from++)
    if (begin_at(typed, move, from)) return true;
  return false;
}

/* `b3`, `b1c3`: letters that count columns, and the last names of the move are
 * numbers. */
static bool coordinates(const names *typed, const names *move) {
  if (typed->count < 2 || typed->count % 2 != 0 || typed->count >= move->count) return false;
  size_t from = move->count - typed->count;
  for (size_t i = 0; i < typed->count; i += 2) {
    const char *letter = typed->name[i], *column = move->name[from + i];
    bool fits = letter[1] == '\0' && letter[0] >= 'a' && letter[0] <= 'z' && is_number(column) &&
                strlen(column) < LONGEST_NUMBER && atoi(column) == letter[0] - 'a' + 1;
    if (!fits || strcmp(typed->name[i + 1], move->name[from + i + 1]) != 0) return false;
  }
  return true;
}

/* ---- the order of lists ---- */

typedef struct listed_move {
  const char *text;
  alea_move move;
} listed_move;

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* By letters, and by value where both have digits. */
static int by_words(const void *x, const void *y) {
  const listed_move *one = x, *other = y;
  const char *a = one->text, *b = other->text;
  while (*a != '\0' && *b != '\0') {
    if (is_digit(*a) && is_digit(*b)) {
      char *after_a, *after_b;
      unsigned long long m = strtoull(a, &after_a, 10), n = strtoull(b, &after_b, 10);
      if (m != n) return m < n ? -1 : 1;
      a = after_a;
      b = after_b;
    } else if (*a != *b) {
      return (unsigned char)*a < (unsigned char)*b ? -1 : 1;
    } else {
      a++;
      b++;
    }
  }
  if (*a != *b) return *a == '\0' ? -1 : 1;
  return one->move < other->move ? -1 : one->move > other->move;
}

/* Writes the moves one after another, with a zero byte after each. */
static bool write_texts(alea_typed_moves *typed, const alea_game *game, uint32_t role,
                        alea_list legal, listed_move *list) {
  alea_text_truncate(&typed->text, 0);
  for (uint32_t i = 0; i < legal.count; i++) {
    alea_game_move_text(game, role, legal.ids[i], true, &typed->text);
    alea_text_add(&typed->text, "", 1);
  }
  if (typed->text.failed) return false;
  const char *at = alea_text_string(&typed->text);
  for (uint32_t i = 0; i < legal.count; i++, at += strlen(at) + 1)
    list[i] = (listed_move){at, legal.ids[i]};
  return true;
}

alea_status alea_typed_moves_legal(alea_typed_moves *typed, alea_cursor *cursor, uint32_t role,
                                   alea_list *legal) {
  alea_status status = alea_cursor_legal(cursor, role, legal);
  if (status != ALEA_OK) return status;
  size_t count = legal->count;
  listed_move *list = alea_mem_calloc(typed->mem, count, sizeof *list);
  typed->sorted.count = 0;
  bool good = list != NULL && alea_vec_reserve(typed->mem, &typed->sorted, count) &&
              write_texts(typed, cursor->game, role, *legal, list);
  if (good && count > 0) qsort(list, count, sizeof *list, by_words);
  for (size_t i = 0; good && i < count; i++) typed->sorted.data[i] = list[i].move;
  typed->sorted.count = good ? count : 0;
  *legal = (alea_list){typed->sorted.data, (uint32_t)typed->sorted.count};
  alea_mem_free(typed->mem, list, count * sizeof *list);
  return good ? ALEA_OK : ALEA_SYSTEM;
}

/* ---- reading ---- */

static alea_status keep(alea_typed_moves *typed, alea_move move) {
  return alea_vec_push(typed->mem, &typed->fitting, move) ? ALEA_OK : ALEA_SYSTEM;
}

static alea_status collect(alea_typed_moves *typed, const alea_game *game, uint32_t role,
                           alea_list legal, const names *line, way *fits, alea_text *scratch) {
  for (uint32_t i = 0; i < legal.count; i++) {
    alea_text_truncate(&typed->text, 0);
    alea_game_move_text(game, role, legal.ids[i], true, &typed->text);
    names move = cut(alea_text_string(&typed->text), false, scratch);
    if (typed->text.failed || scratch->failed) return ALEA_SYSTEM;
    alea_status status = move.whole && fits(line, &move) ? keep(typed, legal.ids[i]) : ALEA_OK;
    if (status != ALEA_OK) return status;
  }
  return ALEA_OK;
}

/* `7` or `#7`. */
static alea_status by_number(alea_typed_moves *typed, alea_list legal, const char *line) {
  const char *digits = line + (line[0] == '#');
  if (!is_number(digits) || strlen(digits) > LONGEST_NUMBER) return ALEA_OK;
  unsigned long number = strtoul(digits, NULL, 10);
  return number >= 1 && number <= legal.count ? keep(typed, legal.ids[number - 1]) : ALEA_OK;
}

alea_status alea_typed_moves_read(alea_typed_moves *typed, const alea_game *game, uint32_t role,
                                  alea_list legal, bool numbers, const char *line) {
  static const struct {
    way *fits;
    bool pieces;
  } ways[] = {{same, false},      {arguments, false}, {joined, false}, {beginnings, false},
              {beginnings, true}, {gaps, false},      {gaps, true},    {coordinates, true}};
  alea_text scratch;
  alea_text_init(&scratch, typed->mem);
  typed->fitting.count = 0;
  alea_status status = numbers && line[0] == '#' ? by_number(typed, legal, line) : ALEA_OK;
  for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
    if (status != ALEA_OK || typed->fitting.count > 0) break;
    names cut_line = cut(line, ways[w].pieces, &typed->typed);
    if (typed->typed.failed) status = ALEA_SYSTEM;
    if (status == ALEA_OK && cut_line.whole)
      status = collect(typed, game, role, legal, &cut_line, ways[w].fits, &scratch);
  }
  if (status == ALEA_OK && numbers && typed->fitting.count == 0)
    status = by_number(typed, legal, line);
  alea_text_clear(&scratch);
  return status;
}
