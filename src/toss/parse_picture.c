/* Drawn structures: `[a, b | P(a); R {(a, b)} | x {a -> 1.5}]`, and boards. */
#include <stdio.h>
#include <string.h>

#include "toss/parser.h"

typedef alea_toss_parser parser;

static uint32_t element_index(const alea_toss_picture *picture, uint32_t name) {
  for (uint32_t i = 0; i < picture->elements.count; i++) {
    if (picture->elements.data[i] == name) return i;
  }
  return ALEA_TOSS_NONE;
}

/* 'token' is where it is named. */
static void add_element(parser *p, alea_toss_picture *picture, uint32_t name,
                        alea_toss_token token) {
  if (!alea_toss_good(p)) return;
  if (element_index(picture, name) != ALEA_TOSS_NONE) {
    alea_toss_point(p, token.line, token.column);
    alea_toss_fail(p, "twice", "element '%s' is named twice", alea_toss_text(p->file, name));
    return;
  }
  if (picture->elements.count == ALEA_TOSS_MOST_ELEMENTS) {
    alea_toss_point(p, token.line, token.column);
    alea_toss_fail(p, "too-many", "more than %d elements", ALEA_TOSS_MOST_ELEMENTS);
    return;
  }
  alea_toss_push(p, &picture->elements, name);
}

/* An element that must have been declared; returns its index. */
static uint32_t read_element(parser *p, const alea_toss_picture *picture) {
  alea_toss_token token = p->token;
  uint32_t name = alea_toss_name(p, "an element");
  if (!alea_toss_good(p)) return 0;
  uint32_t index = element_index(picture, name);
  if (index != ALEA_TOSS_NONE) return index;
  p->token = token;
  alea_toss_fail(p, "unknown-element", "'%s' is not an element of this structure",
                 alea_toss_text(p->file, name));
  return 0;
}

static void add_tuple(parser *p, alea_toss_picture *picture, alea_toss_tuple tuple,
                      const uint32_t *ids, uint32_t count) {
  tuple.first = (uint32_t)picture->ids.count;
  tuple.count = count;
  if (!alea_vec_reserve(p->file->mem, &picture->ids, 1)) alea_toss_no_memory(p);
  for (uint32_t i = 0; i < count; i++) alea_toss_push(p, &picture->ids, ids[i]);
  alea_toss_push(p, &picture->tuples, tuple);
}

/* `a, b)` after the opening parenthesis. */
static void read_tuple(parser *p, alea_toss_picture *picture, alea_toss_tuple tuple) {
  uint32_t ids[ALEA_TOSS_MOST_ARITY], count = 0;
  while (alea_toss_good(p) && !alea_toss_at(p, ")")) {
    if (count == ALEA_TOSS_MOST_ARITY) {
      alea_toss_fail(p, "too-many", "more than %d elements in a tuple", ALEA_TOSS_MOST_ARITY);
      return;
    }
    ids[count++] = read_element(p, picture);
    if (!alea_toss_accept(p, ",")) break;
  }
  alea_toss_expect(p, ")");
  if (alea_toss_good(p)) add_tuple(p, picture, tuple, ids, count);
}

static void read_tuples(parser *p, alea_toss_picture *picture, alea_toss_tuple tuple) {
  while (alea_toss_good(p) && !alea_toss_at(p, "}")) {
    tuple.line = p->token.line, tuple.column = p->token.column;
    if (alea_toss_accept(p, "(")) {
      read_tuple(p, picture, tuple);
    } else {
      uint32_t id = read_element(p, picture);
      add_tuple(p, picture, tuple, &id, 1);
    }
    if (!alea_toss_accept(p, ";") && !alea_toss_accept(p, ",")) break;
  }
  alea_toss_expect(p, "}");
}

/* `_opt_R` is the relation R with optional tuples; R is a name that could be declared. */
static uint32_t strip_optional(parser *p, const alea_toss_tuple *tuple, bool *optional) {
  uint32_t name = tuple->relation;
  const char *text = alea_toss_text(p->file, name);
  *optional = strncmp(text, "_opt_", 5) == 0;
  if (!*optional) return name;
  if (text[5] == '\0' || strncmp(text + 5, "_opt_", 5) == 0) {
    alea_toss_point(p, tuple->line, tuple->column);
    alea_toss_fail(p, "bad-name", "'_opt_' marks optional tuples: no relation begins with it");
    return name;
  }
  uint32_t plain = alea_toss_names_add(&p->file->names, text + 5, strlen(text) - 5);
  if (plain == UINT32_MAX) alea_toss_no_memory(p);
  return plain;
}

static void read_relation(parser *p, alea_toss_picture *picture) {
  alea_toss_tuple tuple = {.line = p->token.line, .column = p->token.column};
  tuple.relation = alea_toss_name(p, "a relation");
  if (!alea_toss_good(p)) return;
  tuple.relation = strip_optional(p, &tuple, &tuple.optional);
  if (!alea_toss_good(p)) return;
  if (alea_toss_accept(p, ":")) {
    alea_toss_declaration declared = {tuple.relation, 0, tuple.line, tuple.column};
    declared.arity = alea_toss_integer(p, ALEA_TOSS_MOST_ARITY);
    alea_toss_push(p, &picture->declared, declared);
  } else if (alea_toss_accept(p, "(")) {
    read_tuple(p, picture, tuple);
    return;
  }
  alea_toss_expect(p, "{");
  read_tuples(p, picture, tuple);
}

static void declare_function(parser *p, alea_toss_picture *picture, alea_toss_declaration d) {
  for (size_t i = 0; i < picture->declared.count; i++) {
    const alea_toss_declaration *known = &picture->declared.data[i];
    if (known->name == d.name && known->arity == d.arity) return;
  }
  if (alea_toss_good(p)) alea_toss_push(p, &picture->declared, d);
}

static void read_function(parser *p, alea_toss_picture *picture) {
  alea_toss_declaration declared = {0, ALEA_TOSS_NONE, p->token.line, p->token.column};
  uint32_t function = declared.name = alea_toss_name(p, "a function");
  declare_function(p, picture, declared);
  alea_toss_expect(p, "{");
  while (alea_toss_good(p) && !alea_toss_at(p, "}")) {
    alea_toss_value value = {
        .function = function, .line = p->token.line, .column = p->token.column};
    value.element = read_element(p, picture);
    alea_toss_expect(p, "->");
    value.number = alea_toss_number(p);
    alea_toss_push(p, &picture->values, value);
    if (!alea_toss_accept(p, ",") && !alea_toss_accept(p, ";")) break;
  }
  alea_toss_expect(p, "}");
}

/* ---- boards ---- */

typedef struct board {
  const char *text, *end;
  uint32_t columns, rows;
} board;

/* The next row that is not blank; false at the end. */
static bool next_row(const char **text, const char *end, const char **row, const char **row_end) {
  while (*text < end) {
    *row = *text;
    while (*text < end && **text != '\n') ++*text;
    *row_end = *text;
    if (*text < end) ++*text;
    for (const char *c = *row; c < *row_end; c++) {
      if (*c != ' ' && *c != '\t' && *c != '\r') return true;
    }
  }
  return false;
}

static bool next_cell(const char **text, const char *end, const char **cell, size_t *length) {
  while (*text < end && (**text == ' ' || **text == '\t' || **text == '\r')) ++*text;
  *cell = *text;
  while (*text < end && **text != ' ' && **text != '\t' && **text != '\r') ++*text;
  *length = (size_t)(*text - *cell);
  return *length != 0;
}

/* Places errors of a board where they are, not at its beginning. */
static void point_at(parser *p, const char *at) {
  uint32_t line = p->token.line, column = p->token.column + 1;
  for (const char *c = p->token.text; c < at; c++) {
    column = *c == '\n' ? 1 : column + 1;
    line += *c == '\n';
  }
  alea_toss_point(p, line, column);
}

static void measure(parser *p, board *b) {
  const char *text = b->text, *row, *end, *cell;
  size_t length;
  while (next_row(&text, b->end, &row, &end)) {
    uint32_t columns = 0;
    const char *first = row + strspn(row, " \t\r");
    while (next_cell(&row, end, &cell, &length)) columns++;
    if (b->rows != 0 && columns != b->columns) {
      point_at(p, first);
      alea_toss_fail(p, "uneven-board", "row %u of the board has %u cells, the first has %u",
                     b->rows + 1, columns, b->columns);
      return;
    }
    b->columns = columns;
    b->rows++;
  }
  if (b->columns > 26 || b->rows > 99 || b->columns == 0) {
    alea_toss_fail(p, "bad-board", "a board has 1 to 26 columns and 1 to 99 rows");
  }
}

static uint32_t cell_name(parser *p, uint32_t column, uint32_t row) {
  char text[8];
  int length = snprintf(text, sizeof text, "%c%u", (int)('a' + column), row + 1);
  uint32_t name = alea_toss_names_add(&p->file->names, text, (size_t)length);
  if (name == UINT32_MAX) alea_toss_no_memory(p);
  return name;
}

/* `P+Q`: the unary relations of a cell; `.` is none. */
static void fill_cell(parser *p, alea_toss_picture *picture, uint32_t element, const char *cell,
                      size_t length) {
  alea_toss_tuple tuple = {.line = p->token.line, .column = p->token.column};
  if (length == 1 && *cell == '.') return;
  for (size_t from = 0, at = 0; at <= length && alea_toss_good(p); at++) {
    if (at < length && cell[at] != '+') continue;
    alea_toss_lexer lexer;
    alea_toss_lexer_init(&lexer, cell + from, at - from);
    alea_toss_token token = alea_toss_lexer_next(&lexer);
    bool word = token.kind == ALEA_TOSS_WORD && token.length == at - from;
    bool marked = word && token.length > 5 && memcmp(token.text, "_opt_", 5) == 0;
    if (!word || marked || alea_toss_is_keyword(&token)) {
      point_at(p, cell + from);
      alea_toss_fail(p, "bad-board",
                     "'%.*s' on the board is no name of a relation; cells are '.', '_', 'P' or "
                     "'P+Q'",
                     (int)((at - from) % 64), cell + from);
      return;
    }
    tuple.relation = alea_toss_names_add(&p->file->names, token.text, token.length);
    if (tuple.relation == UINT32_MAX) alea_toss_no_memory(p);
    add_tuple(p, picture, tuple, &element, 1);
    from = at + 1;
  }
}

static void link(parser *p, alea_toss_picture *picture, const char *relation, uint32_t a,
                 uint32_t b) {
  if (a == ALEA_TOSS_NONE || b == ALEA_TOSS_NONE || !alea_toss_good(p)) return;
  alea_toss_tuple tuple = {.line = p->token.line, .column = p->token.column};
  tuple.relation = alea_toss_names_add(&p->file->names, relation, 1);
  if (tuple.relation == UINT32_MAX) alea_toss_no_memory(p);
  uint32_t ids[2] = {a, b};
  add_tuple(p, picture, tuple, ids, 2);
}

/* Rows are drawn from the top; `a1` is at the bottom left, R leads one cell to
 * the right and C one cell up. */
static void fill_board(parser *p, alea_toss_picture *picture, const board *b, uint32_t *cells) {
  const char *text = b->text, *row, *end, *cell;
  size_t length;
  for (uint32_t y = b->rows; y-- > 0 && next_row(&text, b->end, &row, &end);) {
    for (uint32_t x = 0; x < b->columns && next_cell(&row, end, &cell, &length); x++) {
      bool hole = length == 1 && *cell == '_';
      cells[y * b->columns + x] = hole ? ALEA_TOSS_NONE : (uint32_t)picture->elements.count;
      if (hole) continue;
      add_element(p, picture, cell_name(p, x, y), p->token);
      if (!alea_toss_good(p)) return;
      fill_cell(p, picture, cells[y * b->columns + x], cell, length);
    }
  }
  for (uint32_t y = 0; y < b->rows; y++) {
    for (uint32_t x = 0; x < b->columns; x++) {
      uint32_t here = cells[y * b->columns + x];
      if (x + 1 < b->columns) link(p, picture, "R", here, cells[y * b->columns + x + 1]);
      if (y + 1 < b->rows) link(p, picture, "C", here, cells[(y + 1) * b->columns + x]);
    }
  }
}

static void read_board(parser *p, alea_toss_picture *picture) {
  board b = {.text = p->token.text, .end = p->token.text + p->token.length};
  measure(p, &b);
  if (!alea_toss_good(p)) return;
  size_t size = (size_t)b.columns * b.rows * sizeof(uint32_t);
  uint32_t *cells = alea_mem_alloc(p->file->mem, size);
  if (cells == NULL) {
    alea_toss_no_memory(p);
    return;
  }
  fill_board(p, picture, &b, cells);
  alea_mem_free(p->file->mem, cells, size);
  p->file->board_columns = b.columns;
  p->file->board_rows = b.rows;
  alea_toss_advance(p);
}

/* The parts of `[elements | relations | functions]`; the last two may be left
 * out, and a lone `-` is an empty part. */
void alea_toss_picture_read(parser *p, alea_toss_picture *picture, bool drawn) {
  alea_toss_expect(p, "[");
  while (alea_toss_good(p) && p->token.kind == ALEA_TOSS_WORD) {
    alea_toss_token token = p->token;
    add_element(p, picture, alea_toss_name(p, "an element"), token);
    if (!alea_toss_accept(p, ",")) break;
  }
  if (alea_toss_accept(p, "|") && !alea_toss_accept(p, "-")) {
    while (alea_toss_good(p) && p->token.kind == ALEA_TOSS_WORD) {
      read_relation(p, picture);
      if (!alea_toss_accept(p, ";")) break;
    }
  }
  if (alea_toss_accept(p, "|") && !alea_toss_accept(p, "-")) {
    while (alea_toss_good(p) && p->token.kind == ALEA_TOSS_WORD) {
      read_function(p, picture);
      if (!alea_toss_accept(p, ";")) break;
    }
  }
  alea_toss_expect(p, "]");
  if (drawn && alea_toss_good(p) && p->token.kind == ALEA_TOSS_STRING) read_board(p, picture);
}
