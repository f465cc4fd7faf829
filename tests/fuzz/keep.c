/* Changes that keep to the grammar. */
#include "fuzz/keep.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"

enum { DEEPEST = 64 };

/* ---- XML ---- */

/* Where tokens stand: 0 inside a tag, else 1 + the number of elements around them;
 * opening tags have that of their element. */
static void find_depths(const fuzz_text *text, const fuzz_tokens *tokens, uint8_t *depths) {
  unsigned depth = 0;
  bool tag = false;
  for (size_t i = 0; i < tokens->count; i++) {
    size_t at = tokens->list[i].at;
    uint8_t c = text->data[at], next = at + 1 < text->size ? text->data[at + 1] : 0;
    bool opens = c == '<' && next != '/' && next != '?' && next != '!';
    if (c == '<') tag = true;
    if (c == '<' && next == '/' && depth > 0) depth--;
    depths[i] = opens || !tag ? (uint8_t)(1 + depth) : 0;
    if (opens && depth < DEEPEST) depth++;
    if (c != '>') continue;
    tag = false;
    if (at > 0 && text->data[at - 1] == '/' && depth > 0) depth--;
  }
}

bool fuzz_keep_xml(fuzz_text *text, const fuzz_tokens *tokens, alea_rng *rng) {
  static uint8_t depths[FUZZ_MOST_TOKENS];
  find_depths(text, tokens, depths);
  uint32_t a = alea_rng_below(rng, (uint32_t)tokens->count);
  uint32_t b = alea_rng_below(rng, (uint32_t)tokens->count);
  fuzz_piece token = tokens->list[a], other = tokens->list[b];
  const uint8_t *data = text->data;
  bool number = fuzz_is_number(text, token);
  bool words = fuzz_is_word(data[token.at]) && fuzz_is_word(data[other.at]) && !number &&
               !fuzz_is_number(text, other);
  bool elements = data[token.at] == '<' && data[other.at] == '<' && depths[a] > 2;
  if (depths[a] == 0 || !(number || (depths[a] == depths[b] && (elements || words)))) return false;
  if (number) {
    fuzz_change_number(text, token, 4, rng);
    return true;
  }
  if (words) {
    fuzz_copy(text, token, other);
    return true;
  }
  /* An element is left out, written twice, or put in the place of another that is as deep. */
  fuzz_piece piece = fuzz_piece_at(text, token), source = fuzz_piece_at(text, other);
  uint32_t what = alea_rng_below(rng, 4);
  if (what > 0 && what < 3) piece.length = 0;
  if (what == 0)
    fuzz_put(text, piece, NULL, 0);
  else
    fuzz_copy(text, piece, source);
  return true;
}

/* ---- words and brackets ---- */

/* What is known of a token.  Tokens of spaces are left out, and comments. */
typedef struct fuzz_place {
  fuzz_piece piece;
  uint8_t kind;     /* 'w' a word, '0' a number, else the byte itself */
  uint8_t depth;    /* brackets around it */
  uint32_t parent;  /* the bracket around it; NOBODY */
  uint64_t heading; /* the first word of its line */
  uint32_t line;
} fuzz_place;

enum { NOBODY = FUZZ_MOST_TOKENS };

typedef struct fuzz_places {
  fuzz_place list[FUZZ_MOST_TOKENS];
  uint32_t count;
} fuzz_places;

static bool starts_comment(const fuzz_text *text, size_t at) {
  const uint8_t *data = text->data;
  bool slashes = data[at] == '/' && at + 1 < text->size && data[at + 1] == '/' &&
                 (at == 0 || isspace(data[at - 1]));
  return slashes || data[at] == '#';
}

static bool is_closing(uint8_t c) { return c == ')' || c == ']' || c == '}'; }
static bool is_opening(uint8_t c) { return c != '<' && fuzz_closing(c) != 0; }

static void add_place(fuzz_places *places, const fuzz_text *text, fuzz_piece piece,
                      uint32_t *parents, uint32_t *depth) {
  uint8_t c = text->data[piece.at];
  fuzz_place *place = &places->list[places->count];
  if (is_closing(c) && *depth > 0) --*depth;
  place->piece = piece;
  bool dash = c == '-' && piece.length == 1;
  place->kind = isdigit(c) ? '0' : fuzz_is_word(c) && !dash ? 'w' : c;
  place->depth = (uint8_t)*depth;
  place->parent = *depth > 0 ? parents[*depth - 1] : NOBODY;
  if (is_opening(c) && *depth < DEEPEST) parents[(*depth)++] = places->count;
  places->count++;
}

static void look_around(fuzz_places *places, const fuzz_text *text, const fuzz_tokens *tokens) {
  uint32_t parents[DEEPEST], depth = 0, line = 0;
  uint64_t heading = 0;
  bool comment = false, begins = true;
  places->count = 0;
  for (size_t i = 0; i < tokens->count; i++) {
    fuzz_piece piece = tokens->list[i];
    if (memchr(text->data + piece.at, '\n', piece.length) != NULL) {
      begins = true, comment = false;
      line++;
    }
    if (!comment) comment = starts_comment(text, piece.at);
    if (comment || isspace(text->data[piece.at])) continue;
    if (begins) heading = alea_hash_bytes(text->data + piece.at, piece.length);
    begins = false;
    add_place(places, text, piece, parents, &depth);
    places->list[places->count - 1].heading = heading;
    places->list[places->count - 1].line = line;
  }
}

static uint8_t kind_at(const fuzz_places *places, uint32_t i, int step) {
  int64_t at = (int64_t)i + step;
  return at < 0 || at >= places->count ? 0 : places->list[at].kind;
}

/* A name that is followed by its arguments, without a space: f(x, y). */
static bool is_call(const fuzz_text *text, const fuzz_places *places, uint32_t bracket) {
  size_t at = places->list[bracket].piece.at;
  return text->data[at] == '(' && at > 0 && fuzz_is_word(text->data[at - 1]);
}

/* The number of commas, or where there are none of items, in a bracket. */
static uint32_t count_items(const fuzz_places *places, uint32_t bracket) {
  uint32_t items = 0, commas = 0;
  for (uint32_t i = bracket + 1; i < places->count; i++) {
    if (places->list[i].depth <= places->list[bracket].depth) break;
    if (places->list[i].parent != bracket) continue;
    items++;
    commas += places->list[i].kind == ',';
  }
  return commas > 0 ? 1000 + commas : items;
}

/* How many arguments a name has, f(x, y) or (f x y); 0: it is no such name. */
static uint32_t arity(const fuzz_text *text, const fuzz_places *places, uint32_t i) {
  if (kind_at(places, i, 1) == '(' && is_call(text, places, i + 1))
    return count_items(places, i + 1);
  return kind_at(places, i, -1) == '(' ? count_items(places, i - 1) : 0;
}

/* The first word inside of a bracket, and the one in front of it. */
static uint64_t label(const fuzz_text *text, const fuzz_places *places, uint32_t bracket) {
  uint64_t sum = 0;
  for (uint32_t i = bracket + 1; i < places->count && i < bracket + 3 && sum == 0; i++)
    if (places->list[i].kind == 'w')
      sum = alea_hash_bytes(text->data + places->list[i].piece.at, places->list[i].piece.length);
  for (uint32_t i = bracket; i > 0 && i + 3 > bracket; i--) {
    const fuzz_place *before = &places->list[i - 1];
    if (before->kind == ',' || is_opening(before->kind)) break;
    if (before->kind != 'w') continue;
    return alea_hash_join(sum,
                          alea_hash_bytes(text->data + before->piece.at, before->piece.length));
  }
  return sum;
}

/* The key whose value a token is part of, `key: value`, in the brackets around it. */
static uint64_t key_of(const fuzz_text *text, const fuzz_places *places, uint32_t i) {
  for (;;) {
    const fuzz_place *list = places->list;
    uint32_t parent = list[i].parent, depth = list[i].depth;
    for (uint32_t k = i; k > 1 && k - 1 != parent && list[k - 1].kind != ','; k--) {
      if (list[k - 1].depth != depth || list[k - 1].kind != ':') continue;
      const fuzz_place *key = list[k - 2].kind == '"' && k > 2 ? &list[k - 3] : &list[k - 2];
      return alea_hash_bytes(text->data + key->piece.at, key->piece.length);
    }
    if (parent == NOBODY) return 0;
    i = parent;
  }
}

static bool is_key(const fuzz_places *places, uint32_t i) {
  return kind_at(places, i, 1) == ':' ||
         (kind_at(places, i, 1) == '"' && kind_at(places, i, 2) == ':');
}

/* May one stand where the other stands? */
static bool alike(const fuzz_text *text, const fuzz_places *places, uint32_t a, uint32_t b) {
  const fuzz_place *x = &places->list[a], *y = &places->list[b];
  if (a == b || x->kind != y->kind || x->depth != y->depth || x->heading != y->heading)
    return false;
  for (int step = -2; step <= 1; step++)
    if (kind_at(places, a, step) != kind_at(places, b, step)) return false;
  if (is_key(places, a) || is_key(places, b)) return false;
  if (key_of(text, places, a) != key_of(text, places, b)) return false;
  if (x->kind == 'w') return arity(text, places, a) == arity(text, places, b);
  if (!is_opening(x->kind)) return false;
  return label(text, places, a) == label(text, places, b) &&
         (!is_call(text, places, a) || count_items(places, a) == count_items(places, b));
}

static bool change_number(fuzz_text *text, const fuzz_places *places, alea_rng *rng) {
  const fuzz_place *place = &places->list[alea_rng_below(rng, places->count)];
  if (place->kind == '0') fuzz_change_number(text, place->piece, 2, rng);
  return place->kind == '0';
}

/* A token or bracket and another that may stand there change places, or one is
 * copied over the other. */
static bool change_alike(fuzz_text *text, const fuzz_places *places, alea_rng *rng) {
  uint32_t a = alea_rng_below(rng, places->count), b = alea_rng_below(rng, places->count);
  if (!alike(text, places, a, b)) return false;
  fuzz_piece piece = fuzz_piece_at(text, places->list[a].piece);
  fuzz_piece other = fuzz_piece_at(text, places->list[b].piece);
  if (alea_rng_below(rng, 6) == 0)
    fuzz_copy(text, piece, other);
  else
    fuzz_swap(text, piece, other);
  return true;
}

static bool separates(const fuzz_place *place, uint8_t separator) {
  return place->kind == ';' || place->kind == '|' || (separator == ',' && place->kind == ',');
}

/* An item of a list: from its first place to before 'end'. */
typedef struct fuzz_item {
  uint32_t first, end;
  uint32_t parts; /* as deep as the first */
  fuzz_piece piece;
} fuzz_item;

/* The item that begins at 'first' behind 'separator'; an expression without a
 * separator is one bracket. */
static fuzz_item item_at(const fuzz_places *places, uint32_t first, uint8_t separator) {
  const fuzz_place *list = places->list;
  fuzz_item item = {.first = first, .end = first + 1, .parts = 1};
  for (; item.end < places->count && list[item.end].depth >= list[first].depth; item.end++) {
    bool level = list[item.end].depth == list[first].depth;
    if (level && separator == 0 && !is_closing(list[item.end].kind)) break;
    if (level && separator != 0 && separates(&list[item.end], separator)) break;
    if (separator != 0 && list[first].depth == 0 && list[item.end].line != list[first].line) break;
    item.parts += level;
  }
  fuzz_piece last = list[item.end - 1].piece;
  item.piece = (fuzz_piece){list[first].piece.at, last.at + last.length - list[first].piece.at};
  return item;
}

/* Items that are built alike change places.  Those between semicolons, and
 * expressions one after the other, are left out or written twice, too; those
 * between commas seldom, as most of such lists have a length. */
static bool change_item(fuzz_text *text, const fuzz_places *places, alea_rng *rng) {
  uint32_t a = alea_rng_below(rng, places->count);
  const fuzz_place *first = &places->list[a];
  uint8_t before = kind_at(places, a, -1);
  uint8_t inside = kind_at(places, first->parent != NOBODY ? first->parent + 1 : 0, 0);
  uint8_t separator = before == ',' || before == ';' ? before : 0;
  bool expression = first->kind == '(' && (inside == '(' || inside == '<') &&
                    !is_call(text, places, a) && before != '=';
  if (separator == 0 && !expression) return false;
  fuzz_item item = item_at(places, a, separator);
  uint32_t next = item.end + (separator != 0);
  bool more = next < places->count && places->list[next].parent == first->parent &&
              (separator == 0 || places->list[item.end].kind == separator);
  if (more && alea_rng_below(rng, separator == ',' ? 16 : 2) > 0) {
    fuzz_item other = item_at(places, next, separator);
    if (other.parts != item.parts || places->list[next].kind != first->kind) return false;
    fuzz_swap(text, item.piece, other.piece);
    return true;
  }
  bool call = first->parent != NOBODY && is_call(text, places, first->parent);
  if (call || (separator == ',' && (first->depth == 0 || alea_rng_below(rng, 8) > 0))) return false;
  if (separator != 0) { /* with the separator before it */
    size_t at = first[-1].piece.at;
    item.piece = (fuzz_piece){at, item.piece.at + item.piece.length - at};
  }
  if (alea_rng_below(rng, 2) == 0)
    fuzz_put(text, item.piece, NULL, 0);
  else
    fuzz_copy(text, (fuzz_piece){item.piece.at + item.piece.length, 0}, item.piece);
  return true;
}

/* The line that begins with a token, where it is one by itself: no bracket is open
 * before and behind it, and nothing below it is further right. */
static bool find_line(const fuzz_text *text, const fuzz_places *places, uint32_t i,
                      fuzz_piece *line) {
  const fuzz_place *first = &places->list[i];
  if (first->depth != 0 || (i > 0 && places->list[i - 1].line == first->line)) return false;
  uint32_t end = i;
  while (end + 1 < places->count && places->list[end + 1].line == first->line) end++;
  bool opens = is_opening(places->list[end].kind) || is_closing(first->kind);
  if (places->list[end].depth != 0 || opens) return false;
  size_t start = first->piece.at,
         stop = places->list[end].piece.at + places->list[end].piece.length;
  while (start > 0 && text->data[start - 1] != '\n') start--;
  while (stop < text->size && text->data[stop] != '\n') stop++;
  size_t below = stop + 1;
  bool item = text->data[first->piece.at] == '-'; /* of a list of YAML */
  if (stop >= text->size || (start < first->piece.at && !item)) return false;
  if (!item && below < text->size && isblank(text->data[below])) return false;
  *line = (fuzz_piece){start, stop + 1 - start};
  return true;
}

/* Two lines that begin equally far right change places, or one is left out. */
static bool change_line(fuzz_text *text, const fuzz_places *places, alea_rng *rng) {
  fuzz_piece a, b;
  if (!find_line(text, places, alea_rng_below(rng, places->count), &a)) return false;
  if (alea_rng_below(rng, 64) == 0) {
    fuzz_put(text, a, NULL, 0);
    return true;
  }
  if (!find_line(text, places, alea_rng_below(rng, places->count), &b) || a.at == b.at)
    return false;
  if (isblank(text->data[a.at]) != isblank(text->data[b.at])) return false;
  fuzz_swap(text, a, b);
  return true;
}

bool fuzz_keep_words(fuzz_text *text, const fuzz_tokens *tokens, alea_rng *rng) {
  static fuzz_places places; /* large; a fuzzer has one thread */
  look_around(&places, text, tokens);
  for (int i = 0; i < 8 && places.count > 0; i++) {
    uint32_t what = alea_rng_below(rng, 8);
    bool done = false;
    for (int k = 0; k < 400 && !done; k++)
      done = what == 0   ? change_line(text, &places, rng)
             : what == 1 ? change_item(text, &places, rng)
             : what == 2 ? change_number(text, &places, rng)
                         : change_alike(text, &places, rng);
    if (done) return true;
  }
  return false;
}

/* ---- HTTP ---- */

/* The first place of 'word' from 'at' on; the size of the text: none. */
static size_t find(const fuzz_text *text, size_t at, const char *word) {
  size_t length = strlen(word);
  for (; at + length <= text->size; at++)
    if (memcmp(text->data + at, word, length) == 0) return at;
  return text->size;
}

void fuzz_keep_lengths(fuzz_text *text) {
  static const char head[] = "Content-Length: ";
  for (size_t at = 0; (at = find(text, at, head)) < text->size;) {
    fuzz_piece number = {at + sizeof head - 1, 0};
    size_t body = find(text, at, "\r\n\r\n") + 4, end = find(text, at, "\n---\n");
    while (number.at + number.length < text->size && isdigit(text->data[number.at + number.length]))
      number.length++;
    char length[24];
    snprintf(length, sizeof length, "%zu", end > body ? end - body : 0);
    fuzz_put(text, number, length, strlen(length));
    at = number.at;
  }
}
