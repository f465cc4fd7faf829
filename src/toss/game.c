/* The interpreter as a game: construction and names. */
#include "toss/game.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SPARE_ELEMENTS = 64 };

void alea_toss_folded(const char *text, bool spelling, alea_text *out) {
  for (; *text != '\0'; text++) {
    bool upper = !spelling && *text >= 'A' && *text <= 'Z';
    alea_text_char(out, upper ? (char)(*text + 32) : *text);
  }
}

void alea_toss_element_text(const alea_toss_file *file, uint32_t element, bool spelling,
                            alea_text *out) {
  if (element < file->start.elements.count) {
    alea_toss_folded(alea_toss_text(file, file->start.elements.data[element]), spelling, out);
  } else {
    alea_text_format(out, "new%u", element);
  }
}

static void game_free(alea_game *game) {
  alea_toss_game *g = (alea_toss_game *)(void *)game;
  alea_mem *mem = g->mem;
  size_t roles = ALEA_TOSS_MOST_PLAYERS + 1;
  alea_toss_ids_free(g->ids);
  alea_toss_rules_free(g->rules);
  alea_mem_free(mem, g->role_text, roles * sizeof *g->role_text);
  alea_mem_free(mem, g->role_spelling, roles * sizeof *g->role_spelling);
  alea_mem_free(mem, g->tokens, g->file->locations.count * sizeof *g->tokens);
  alea_arena_clear(&g->texts);
  alea_toss_free(g->file);
  alea_mem_free(mem, g, sizeof *g);
}

static alea_status cursor_new(const alea_game *game, alea_mem *mem, alea_cursor **cursor) {
  return alea_toss_cursor_new(alea_toss_of(game), mem, cursor);
}

static uint32_t move_count(const alea_game *game, uint32_t role) {
  return alea_toss_ids_count(alea_toss_of(game)->ids, 1 + role);
}

/* The label of a player with the name 'alias', at any location. */
static const alea_toss_label *label_called(const alea_toss_file *f, uint32_t role, uint32_t alias) {
  for (size_t i = 0; i < f->locations.count; i++) {
    const alea_toss_side *side = &f->locations.data[i].sides[role];
    for (size_t j = 0; j < side->labels.count; j++) {
      if (side->labels.data[j].alias == alias) return &side->labels.data[j];
    }
  }
  return NULL;
}

static void put_point(const alea_toss_game *g, const alea_toss_interval *v, uint32_t point,
                      alea_text *out) {
  if (point & ALEA_TOSS_POINT_VALUE) {
    alea_text_format(out, " %.17g", alea_toss_point_value(g, point));
    return;
  }
  bool fixed = v->low.random == ALEA_TOSS_NONE && v->high.random == ALEA_TOSS_NONE;
  double low = fixed ? v->low.number : 0, high = fixed ? v->high.number : 1;
  alea_text_format(out, " %.9g", alea_toss_grid_value(v, point, low, high));
}

/* `(alias element... number...)`, or the alias alone. */
static void put_move(const alea_toss_game *g, const alea_toss_label *label, const uint32_t *key,
                     uint32_t length, bool spelling, alea_text *out) {
  const alea_toss_file *f = g->file;
  uint32_t numbers = (uint32_t)label->params.count + alea_toss_time_chosen(label);
  if (length > 1) alea_text_char(out, '(');
  alea_toss_folded(alea_toss_text(f, key[0]), spelling, out);
  for (uint32_t i = 1; i + numbers < length; i++) {
    alea_text_char(out, ' ');
    alea_toss_element_text(f, key[i], spelling, out);
  }
  for (uint32_t i = 0; i < numbers && numbers < length; i++) {
    bool time = i == label->params.count;
    put_point(g, time ? &label->time : &label->params.data[i], key[length - numbers + i], out);
  }
  if (length > 1) alea_text_char(out, ')');
}

static void move_text(const alea_game *game, uint32_t role, alea_move move, bool spelling,
                      alea_text *out) {
  const alea_toss_game *g = alea_toss_of(game);
  uint32_t key[ALEA_TOSS_MOST_KEY];
  uint32_t length = alea_toss_ids_key(g->ids, 1 + role, move, key, ALEA_TOSS_MOST_KEY);
  if (length == 0) return;
  if (key[0] == ALEA_TOSS_KEY_NOOP) {
    alea_text_put(out, "noop");
  } else if (key[0] == ALEA_TOSS_KEY_CHANCE) {
    alea_text_format(out, "(chance %u)", key[1]);
  } else {
    const alea_toss_label *label = label_called(g->file, role, key[0]);
    if (label != NULL) put_move(g, label, key, length, spelling, out);
  }
}

static void fluent_text(const alea_game *game, uint32_t fluent, bool spelling, alea_text *out) {
  const alea_toss_game *g = alea_toss_of(game);
  uint32_t key[ALEA_TOSS_MOST_KEY];
  uint32_t length = alea_toss_ids_key(g->ids, 0, fluent, key, ALEA_TOSS_MOST_KEY);
  if (length == 0) return;
  if (key[0] == ALEA_TOSS_KEY_LOCATION) {
    alea_text_format(out, "(location %u)", g->file->locations.data[key[1]].number);
    return;
  }
  if (key[0] == ALEA_TOSS_KEY_ELEMENT) {
    alea_text_put(out, "(element ");
    alea_toss_element_text(g->file, key[1], spelling, out);
    alea_text_char(out, ')');
    return;
  }
  bool function = key[0] >= ALEA_TOSS_KEY_FUNCTION;
  uint32_t name = function ? g->file->functions.data[key[0] - ALEA_TOSS_KEY_FUNCTION].name
                           : g->file->relations.data[key[0]].name;
  bool list = length > 1;
  if (list) alea_text_char(out, '(');
  alea_toss_folded(alea_toss_text(g->file, name), spelling, out);
  for (uint32_t i = 1; i < (function ? 2 : length); i++) {
    alea_text_char(out, ' ');
    alea_toss_element_text(g->file, key[i], spelling, out);
  }
  if (function) {
    double number;
    memcpy(&number, key + 2, sizeof number);
    alea_text_format(out, " %.9g", number);
  }
  if (list) alea_text_char(out, ')');
}

/* Names and numbers become words in one place, so terms are read from there. */
static alea_term read_term(alea_text *text, alea_terms *terms) {
  alea_term term =
      text->failed ? ALEA_NO_TERM : alea_terms_parse(terms, alea_text_string(text), NULL);
  alea_text_clear(text);
  return term;
}

static alea_term move_term(const alea_game *game, uint32_t role, alea_move move,
                           alea_terms *terms) {
  alea_text text;
  alea_text_init(&text, terms->mem);
  move_text(game, role, move, true, &text);
  return read_term(&text, terms);
}

static alea_term fluent_term(const alea_game *game, uint32_t fluent, alea_terms *terms) {
  alea_text text;
  alea_text_init(&text, terms->mem);
  fluent_text(game, fluent, true, &text);
  return read_term(&text, terms);
}

static void percept_text(const alea_game *game, uint32_t percept, bool spelling, alea_text *out) {
  (void)game, (void)percept, (void)spelling, (void)out; /* there are no percepts */
}

static uint32_t percept_find(const alea_game *game, const char *text) {
  (void)game, (void)text;
  return ALEA_NO_PERCEPT;
}

/* ---- moves from text ---- */

/* The next word, in lower case; false at the end. */
static bool next_word(const char **text, char *word, size_t size) {
  size_t length = 0;
  *text += strspn(*text, " \t\r\n()");
  for (; **text != '\0' && strchr(" \t\r\n()", **text) == NULL; ++*text) {
    if (length + 1 == size) return false;
    char c = **text;
    word[length++] = c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
  }
  word[length] = '\0';
  return length != 0;
}

static bool is_folded(const char *text, const char *folded) {
  for (; *text != '\0' && *folded != '\0'; text++, folded++) {
    char c = *text >= 'A' && *text <= 'Z' ? (char)(*text + 32) : *text;
    if (c != *folded) return false;
  }
  return *text == *folded;
}

static uint32_t find_element(const alea_toss_game *g, const char *word) {
  const alea_toss_file *f = g->file;
  for (uint32_t i = 0; i < f->start.elements.count; i++) {
    if (is_folded(alea_toss_text(f, f->start.elements.data[i]), word)) return i;
  }
  unsigned number;
  if (sscanf(word, "new%u", &number) == 1 && number < g->rules->capacity) return number;
  return UINT32_MAX;
}

static uint32_t find_point(const alea_toss_game *g, const alea_toss_interval *v, const char *word) {
  alea_mem none;
  alea_mem_init(&none, 0);
  for (uint32_t i = 0; i < alea_toss_grid_size(v); i++) {
    alea_text text;
    alea_text_init(&text, &none);
    put_point(g, v, i, &text);
    bool same = strcmp(alea_text_string(&text) + 1, word) == 0;
    alea_text_clear(&text);
    if (same) return i;
  }
  char *end; /* not a grid point: perhaps a value between them */
  double value = strtod(word, &end);
  if (end == word || *end != '\0') return UINT32_MAX;
  return alea_toss_value_point(g, v, value);
}

/* Whether a label has moves with this many elements. */
static bool takes(const alea_toss_game *g, const alea_toss_label *label, uint32_t elements) {
  uint32_t width = g->rules->patterns[label->rule].left_count;
  if (label->many == ALEA_TOSS_ONE) return elements == width;
  return label->many == ALEA_TOSS_ALL ? elements == 0 : elements != 0 && elements % width == 0;
}

/* `element... number...`: the parameters, then the time, which may be left out of
 * a single match and is then the last one listed. */
static alea_move read_arguments(const alea_toss_game *g, uint32_t role,
                                const alea_toss_label *label, const char *text) {
  uint32_t key[ALEA_TOSS_MOST_KEY], length = 1, words = 0;
  uint32_t params = (uint32_t)label->params.count, timed = alea_toss_time_chosen(label);
  char word[64];
  for (const char *at = text; next_word(&at, word, sizeof word);) words++;
  if (words < params || words > 512) return ALEA_NO_MOVE;
  bool brief = timed && label->many != ALEA_TOSS_ANY && takes(g, label, words - params);
  uint32_t elements = words - params - (brief ? 0 : timed);
  bool fits = words >= params + (brief ? 0 : timed) && takes(g, label, elements);
  key[0] = label->alias;
  for (uint32_t i = 0; fits && i < words && next_word(&text, word, sizeof word); i++) {
    uint32_t n = i - elements;
    key[length] = i < elements ? find_element(g, word)
                  : n < params ? find_point(g, &label->params.data[n], word)
                               : find_point(g, &label->time, word);
    fits = key[length++] != UINT32_MAX;
  }
  if (brief) key[length++] = alea_toss_grid_size(&label->time) - 1;
  return fits ? alea_toss_ids_add(g->ids, 1 + role, key, length) : ALEA_NO_MOVE;
}

static alea_move find_chance(const alea_toss_game *g, uint32_t role, const char *text) {
  char *end;
  unsigned long token = strtoul(text, &end, 10);
  uint32_t most = 0;
  for (size_t i = 0; i < g->file->locations.count; i++) {
    if (g->tokens[i] > most) most = g->tokens[i];
  }
  if (end == text || token >= most) return ALEA_NO_MOVE;
  uint32_t key[2] = {ALEA_TOSS_KEY_CHANCE, (uint32_t)token};
  return alea_toss_ids_add(g->ids, 1 + role, key, 2);
}

static alea_move move_find(const alea_game *game, uint32_t role, const char *text) {
  const alea_toss_game *g = alea_toss_of(game);
  char word[64];
  if (!next_word(&text, word, sizeof word)) return ALEA_NO_MOVE;
  if (strcmp(word, "noop") == 0) {
    uint32_t key = ALEA_TOSS_KEY_NOOP;
    return alea_toss_ids_add(g->ids, 1 + role, &key, 1);
  }
  if (role >= g->player_count) {
    return strcmp(word, "chance") == 0 ? find_chance(g, role, text) : ALEA_NO_MOVE;
  }
  for (size_t i = 0; i < g->file->locations.count; i++) {
    const alea_toss_side *side = &g->file->locations.data[i].sides[role];
    for (size_t j = 0; j < side->labels.count; j++) {
      const alea_toss_label *label = &side->labels.data[j];
      if (!is_folded(alea_toss_text(g->file, label->alias), word)) continue;
      alea_move move = read_arguments(g, role, label, text);
      if (move != ALEA_NO_MOVE) return move;
    }
  }
  return ALEA_NO_MOVE;
}

static void report_notes(const alea_game *game, alea_diag *diag) {
  alea_toss_notes_report(alea_toss_of(game)->rules->notes, diag);
}

static const alea_game_class toss_class = {
    .engine = "toss",
    .free = game_free,
    .cursor_new = cursor_new,
    .move_count = move_count,
    .move_text = move_text,
    .move_term = move_term,
    .move_find = move_find,
    .fluent_text = fluent_text,
    .fluent_term = fluent_term,
    .percept_text = percept_text,
    .percept_find = percept_find,
    .notes = report_notes,
};

/* ---- construction ---- */

static bool name_role(alea_toss_game *g, uint32_t role, const char *name) {
  char folded[256];
  size_t length = strlen(name);
  if (length >= sizeof folded) length = sizeof folded - 1;
  for (size_t i = 0; i < length; i++) {
    folded[i] = name[i] >= 'A' && name[i] <= 'Z' ? (char)(name[i] + 32) : name[i];
  }
  g->role_text[role] = alea_arena_strdup(&g->texts, folded, length);
  g->role_spelling[role] = alea_arena_strdup(&g->texts, name, strlen(name));
  return g->role_text[role] != NULL && g->role_spelling[role] != NULL;
}

/* Counts the equally likely moves of chance at each location; false if they are
 * too many somewhere. */
static bool count_tokens(alea_toss_game *g, bool *chance, alea_diag *diag) {
  for (uint32_t i = 0; i < g->file->locations.count; i++) {
    const alea_toss_location *location = &g->file->locations.data[i];
    uint64_t tokens = alea_toss_denominator(g->file, i);
    uint32_t randoms = alea_toss_label_randoms(location, g->player_count);
    for (uint32_t j = 0; j < randoms && tokens <= ALEA_TOSS_MOST_TOKENS; j++) {
      tokens *= ALEA_TOSS_QUANTILES;
    }
    if (tokens > ALEA_TOSS_MOST_TOKENS) {
      alea_diag_error(diag, ((alea_place){g->file->file, location->line, location->column}),
                      "chance",
                      "the probabilities of this location need more than %d equally likely cases: "
                      "use simpler fractions or fewer random bounds",
                      ALEA_TOSS_MOST_TOKENS);
      return false;
    }
    g->tokens[i] = (uint32_t)tokens;
    *chance |= tokens > 1;
  }
  return true;
}

static alea_status build(alea_toss_game *g, const alea_toss_options *options, alea_diag *diag) {
  uint32_t spare = options != NULL ? options->spare_elements : 0;
  alea_status status = alea_toss_rules_new(&g->rules, g->file, spare != 0 ? spare : SPARE_ELEMENTS,
                                           false, g->mem, diag);
  if (status != ALEA_OK) return status;
  size_t roles = ALEA_TOSS_MOST_PLAYERS + 1;
  g->tokens = alea_mem_calloc(g->mem, g->file->locations.count, sizeof *g->tokens);
  g->role_text = alea_mem_calloc(g->mem, roles, sizeof *g->role_text);
  g->role_spelling = alea_mem_calloc(g->mem, roles, sizeof *g->role_spelling);
  alea_status lack = alea_mem_lack(g->mem);
  if (g->tokens == NULL || g->role_text == NULL || g->role_spelling == NULL) return lack;
  bool chance = false;
  if (!count_tokens(g, &chance, diag)) return ALEA_LIMIT;
  for (uint32_t i = 0; i < g->player_count; i++) {
    if (!name_role(g, i, alea_toss_text(g->file, g->file->players.data[i]))) return lack;
  }
  g->game.role_count = g->player_count + chance;
  g->game.random_role = chance ? (int)g->player_count : -1;
  if (chance && !name_role(g, g->player_count, "random")) return lack;
  g->game.role_text = g->role_text;
  g->game.role_spelling = g->role_spelling;
  g->ids = alea_toss_ids_new(2 + g->game.role_count, g->mem);
  return g->ids != NULL ? ALEA_OK : lack;
}

alea_status alea_toss_game_new(alea_game **game, alea_toss_file *file,
                               const alea_toss_options *options, alea_mem *mem, alea_diag *diag) {
  *game = NULL;
  alea_toss_game *g = alea_mem_zalloc(mem, sizeof *g);
  if (g == NULL) {
    alea_toss_free(file);
    return alea_mem_lack(mem);
  }
  g->game.class = &toss_class;
  g->game.random_role = -1;
  g->mem = mem;
  g->file = file;
  g->player_count = (uint32_t)file->players.count;
  alea_arena_init(&g->texts, mem);
  alea_status status = build(g, options, diag);
  if (status != ALEA_OK) {
    game_free(&g->game);
    return status;
  }
  *game = &g->game;
  return ALEA_OK;
}
