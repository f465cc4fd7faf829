/* Numbers by place, as text and SVG. */
#include "draw/eval_map.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "propnet/propnet.h"

enum { MOST_SIDE = 40, CELL_WIDTH = 52, CELL_HEIGHT = 28, MARGIN = 24, TITLE = 26 };

/* The fluents of one kind, by column and row. */
typedef struct value_board {
  const alea_net *net;
  const char *columns[MOST_SIDE], *rows[MOST_SIDE];
  uint32_t width, height;
  int32_t scores[MOST_SIDE][MOST_SIDE]; /* by row and column */
  bool there[MOST_SIDE][MOST_SIDE];
  int32_t most; /* of their sizes */
} value_board;

void alea_eval_map_init(alea_eval_map *map, bool svg, alea_mem *mem) {
  *map = (alea_eval_map){.mem = mem, .svg = svg, .height = MARGIN};
  alea_text_init(&map->body, mem);
}

void alea_eval_map_clear(alea_eval_map *map) { alea_text_clear(&map->body); }

/* ---- boards ---- */

static const char *text_of(const alea_net *net, alea_term term) {
  return alea_symbols_text(alea_terms_symbols(net->terms), alea_terms_name(net->terms, term));
}

/* The arguments that tell where a fluent stands, two at most; false: it stands nowhere. */
static bool find_place(const alea_net *net, uint32_t fluent, const char *place[2]) {
  alea_term term = net->fluent_terms[fluent];
  uint32_t found = 0;
  place[0] = place[1] = "";
  for (uint32_t i = 0; i + 1 < alea_terms_arity(net->terms, term); i++) {
    alea_term argument = alea_terms_args(net->terms, term)[i];
    if (alea_eval_is_owner(net, argument)) continue;
    if (found == 2 || alea_terms_arity(net->terms, argument) > 0) return false;
    place[found++] = text_of(net, argument);
  }
  return found > 0;
}

/* Numbers by size, and before words. */
static int compare(const void *a, const void *b) {
  const char *x = *(const char *const *)a, *y = *(const char *const *)b;
  char *end_x, *end_y;
  long m = strtol(x, &end_x, 10), n = strtol(y, &end_y, 10);
  bool number_x = *end_x == '\0', number_y = *end_y == '\0';
  if (number_x != number_y) return number_x ? -1 : 1;
  if (number_x && m != n) return m < n ? -1 : 1;
  return strcmp(x, y);
}

/* Where a name is in the list; its end: it is not there. */
static uint32_t index_of(const char *const *names, uint32_t count, const char *name) {
  uint32_t i = 0;
  while (i < count && strcmp(names[i], name) != 0) i++;
  return i;
}

static bool add_name(const char **names, uint32_t *count, const char *name) {
  if (index_of(names, *count, name) < *count) return true;
  if (*count == MOST_SIDE) return false;
  names[(*count)++] = name;
  return true;
}

/* The board of a kind; false: it has none, or nothing was learnt of it. */
static bool read_board(const alea_linear_eval *eval, uint32_t kind, value_board *board) {
  const alea_eval_features *features = &eval->features;
  const char *place[2];
  if (alea_eval_features_kind_size(features, kind) < ALEA_EVAL_LEAST_PLACES) return false;
  for (uint32_t f = 0; f < features->fluent_count; f++) {
    if (features->kind_of[f] != kind) continue;
    if (!find_place(board->net, f, place) || !add_name(board->columns, &board->width, place[0]) ||
        !add_name(board->rows, &board->height, place[1]))
      return false;
    if (abs(eval->scores[f]) > board->most) board->most = abs(eval->scores[f]);
  }
  qsort(board->columns, board->width, sizeof *board->columns, compare);
  qsort(board->rows, board->height, sizeof *board->rows, compare);
  for (uint32_t f = 0; f < features->fluent_count; f++) {
    if (features->kind_of[f] != kind || !find_place(board->net, f, place)) continue;
    uint32_t column = index_of(board->columns, board->width, place[0]);
    uint32_t row = index_of(board->rows, board->height, place[1]);
    board->scores[row][column] = eval->scores[f];
    board->there[row][column] = true;
  }
  return board->most > 0;
}

/* The name of a kind: a fluent of it, with its place left open. */
static void put_kind(const alea_linear_eval *eval, uint32_t kind, alea_text *out) {
  const alea_net *net = alea_net_of_game(eval->game);
  uint32_t f = 0;
  while (eval->features.kind_of[f] != kind) f++;
  alea_term term = net->fluent_terms[f];
  uint32_t arity = alea_terms_arity(net->terms, term);
  alea_text_format(out, "(%s", text_of(net, term));
  for (uint32_t i = 0; i < arity; i++) {
    alea_term argument = alea_terms_args(net->terms, term)[i];
    bool open = i + 1 < arity && !alea_eval_is_owner(net, argument);
    alea_text_format(out, " %s", open ? "?" : text_of(net, argument));
  }
  alea_text_char(out, ')');
}

/* ---- text ---- */

static void put_text(alea_eval_map *map, const value_board *board) {
  for (uint32_t row = board->height; row-- > 0;) {
    alea_text_format(&map->body, "%6s", board->rows[row]);
    for (uint32_t column = 0; column < board->width; column++) {
      if (board->there[row][column])
        alea_text_format(&map->body, " %6" PRId32, board->scores[row][column]);
      else
        alea_text_put(&map->body, "      .");
    }
    alea_text_char(&map->body, '\n');
  }
  alea_text_put(&map->body, "      ");
  for (uint32_t column = 0; column < board->width; column++)
    alea_text_format(&map->body, " %6s", board->columns[column]);
  alea_text_put(&map->body, "\n\n");
}

/* ---- SVG ---- */

static void put_label(alea_eval_map *map, double x, double y, const char *class, const char *text) {
  alea_text_format(&map->body, "<text x=\"%g\" y=\"%g\" class=\"%s\">", x, y, class);
  alea_text_xml(&map->body, text, strlen(text));
  alea_text_put(&map->body, "</text>\n");
}

/* The deeper the colour, the larger the number. */
static void put_cell(alea_eval_map *map, double x, double y, int32_t score, int32_t most) {
  alea_text_format(&map->body,
                   "<rect x=\"%g\" y=\"%g\" width=\"%d\" height=\"%d\" fill=\"%s\" "
                   "fill-opacity=\"%.2f\" stroke=\"#999\"/>\n",
                   x, y, CELL_WIDTH, CELL_HEIGHT, score < 0 ? "#c8443f" : "#3b6bb5",
                   0.75 * fabs((double)score) / most);
  alea_text_format(&map->body, "<text x=\"%g\" y=\"%g\" class=\"n\">%" PRId32 "</text>\n",
                   x + CELL_WIDTH / 2.0, y + CELL_HEIGHT / 2.0 + 4, score);
}

static void put_svg(alea_eval_map *map, const value_board *board) {
  double left = 2 * MARGIN;
  for (uint32_t i = 0; i < board->height; i++) {
    uint32_t row = board->height - 1 - i;
    double y = map->height + i * (double)CELL_HEIGHT;
    put_label(map, left - 8, y + CELL_HEIGHT / 2.0 + 4, "r", board->rows[row]);
    for (uint32_t column = 0; column < board->width; column++)
      if (board->there[row][column])
        put_cell(map, left + column * (double)CELL_WIDTH, y, board->scores[row][column],
                 board->most);
  }
  map->height += board->height * (double)CELL_HEIGHT + 16;
  for (uint32_t column = 0; column < board->width; column++)
    put_label(map, left + (column + 0.5) * CELL_WIDTH, map->height, "n", board->columns[column]);
  map->height += 2 * MARGIN;
  map->width = fmax(map->width, left + board->width * (double)CELL_WIDTH + MARGIN);
}

/* ---- the picture ---- */

static void put_line(alea_eval_map *map, const char *text) {
  if (!map->svg) {
    alea_text_format(&map->body, "%s\n", text);
    return;
  }
  put_label(map, MARGIN, map->height, "t", text);
  map->height += TITLE;
  map->width = fmax(map->width, 2 * MARGIN + 9 * (double)strlen(text));
}

static alea_status put_title(alea_eval_map *map, const alea_linear_eval *eval, uint32_t kind) {
  alea_text title;
  alea_text_init(&title, map->mem);
  alea_text_format(&title, "for %s: ", alea_net_of_game(eval->game)->role_spelling[eval->role]);
  put_kind(eval, kind, &title);
  put_line(map, alea_text_string(&title));
  alea_status status = title.failed ? alea_mem_lack(map->mem) : ALEA_OK;
  alea_text_clear(&title);
  return status;
}

static alea_status put_patterns(alea_eval_map *map, const alea_linear_eval *eval) {
  const alea_eval_patterns *patterns = &eval->patterns;
  alea_text line;
  alea_text_init(&line, map->mem);
  for (size_t i = 0; patterns->live && i < patterns->classes.count; i++) {
    const alea_eval_pattern_class *it = &patterns->classes.data[i];
    const char *const *roles = alea_net_of_game(eval->game)->role_spelling;
    alea_text_truncate(&line, 0);
    alea_text_format(&line,
                     "for %s: 1 to %" PRIu32 " of %" PRIu32 " that win for %s:", roles[eval->role],
                     it->length - 1, it->length, roles[it->role]);
    for (uint32_t k = 1; k < it->length; k++)
      alea_text_format(&line, " %" PRId32, patterns->counts.data[it->first_count + k].score);
    put_line(map, alea_text_string(&line));
  }
  alea_status status = line.failed ? alea_mem_lack(map->mem) : ALEA_OK;
  alea_text_clear(&line);
  return status;
}

alea_status alea_eval_map_add(alea_eval_map *map, const alea_linear_eval *eval) {
  alea_status status = ALEA_OK;
  value_board *board = alea_mem_zalloc(map->mem, sizeof *board);
  if (board == NULL) return alea_mem_lack(map->mem);
  for (uint32_t k = 0; status == ALEA_OK && k < eval->features.kind_count; k++) {
    *board = (value_board){.net = alea_net_of_game(eval->game)};
    if (!read_board(eval, k, board)) continue;
    status = put_title(map, eval, k);
    if (map->svg)
      put_svg(map, board);
    else
      put_text(map, board);
  }
  alea_mem_free(map->mem, board, sizeof *board);
  return status == ALEA_OK ? put_patterns(map, eval) : status;
}

alea_status alea_eval_map_finish(const alea_eval_map *map, alea_text *out) {
  if (map->body.failed) return alea_mem_lack(map->mem);
  if (map->svg)
    alea_text_format(out,
                     "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %g %g\" "
                     "font-family=\"sans-serif\" font-size=\"12\">\n"
                     "<style>text{fill:#222}.t{font-size:14px;font-weight:bold}"
                     ".n{text-anchor:middle}.r{text-anchor:end}"
                     "@media(prefers-color-scheme:dark){text{fill:#eee}}</style>\n",
                     fmax(map->width, MARGIN), map->height);
  alea_text_put(out, alea_text_string(&map->body));
  if (map->svg) alea_text_put(out, "</svg>\n");
  return out->failed ? alea_mem_lack(map->mem) : ALEA_OK;
}
