/* What contents look like: glyph and colour, by their words and by the set that
 * they form together. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "draw/core.h"

bool alea_drawing_number(const alea_drawing *d, alea_symbol word, unsigned *number) {
  enum { MOST_DIGITS = 4 };
  const char *text = alea_symbols_text(d->symbols, word);
  size_t digits = strspn(text, "0123456789");
  if (digits == 0 || digits > MOST_DIGITS || text[digits] != '\0') return false;
  *number = (unsigned)strtoul(text, NULL, 10);
  return true;
}

static size_t role_index(const alea_drawing *d, alea_symbol word) {
  size_t r = 0;
  while (r < d->roles.count && d->roles.data[r] != word) r++;
  return r;
}

bool alea_drawing_is_role(const alea_drawing *d, alea_symbol word) {
  return role_index(d, word) < d->roles.count;
}

static alea_ink hinted_ink(const alea_drawing *d, alea_symbol word) {
  for (size_t i = 0; i < d->piece_hints.count; i++) {
    if (d->piece_hints.data[i].word == word && d->piece_hints.data[i].ink != ALEA_INK_COUNT)
      return d->piece_hints.data[i].ink;
  }
  return ALEA_INK_COUNT;
}

/* The ink of a colour that a word names; ALEA_INK_COUNT if it names none. */
static alea_ink named_ink(const alea_drawing *d, alea_symbol word) {
  alea_ink ink = hinted_ink(d, word);
  return ink != ALEA_INK_COUNT ? ink : alea_ink_find(alea_symbols_text(d->symbols, word));
}

/* The ink that a word says, by a colour or a role; ALEA_INK_COUNT if it says none. */
static alea_ink ink_of_word(const alea_drawing *d, alea_symbol word) {
  alea_ink ink = named_ink(d, word);
  if (ink == ALEA_INK_COUNT && alea_drawing_is_role(d, word))
    ink = alea_ink_of(role_index(d, word));
  return ink;
}

alea_ink alea_drawing_ink(const alea_drawing *d, alea_symbol word, size_t index) {
  alea_ink ink = ink_of_word(d, word);
  return ink != ALEA_INK_COUNT ? ink : alea_ink_of(index);
}

/* ---- sets of pieces ---- */

static const char man_letters[] = "prnbqk";
static const char *const man_names[] = {"pawn", "rook", "knight", "bishop", "queen", "king"};
static const alea_glyph man_glyphs[] = {ALEA_GLYPH_PAWN,   ALEA_GLYPH_ROOK,  ALEA_GLYPH_KNIGHT,
                                        ALEA_GLYPH_BISHOP, ALEA_GLYPH_QUEEN, ALEA_GLYPH_KING};
enum { MEN = 6, PAWN_BIT = 1, KING_BIT = 1 << 5 };

/* `wp`, `bk`, `rp`, and `wpe`, `wng` with the file or side where the man began: a colour and a
 * man; the index of the man, or MEN. */
static size_t short_man(const char *text) {
  size_t length = strlen(text);
  if (length < 2 || length > 3 || strchr("wbr", text[0]) == NULL) return MEN;
  if (length == 3 && (text[2] < 'a' || text[2] > 'h')) return MEN;
  const char *found = strchr(man_letters, text[1]);
  return found != NULL ? (size_t)(found - man_letters) : MEN;
}

/* What the contents are together. */
typedef struct piece_set {
  unsigned short_men; /* kinds that occur as `wp`, by bit */
  unsigned named_men; /* kinds that occur as a word */
  bool all_short;     /* all contents are such as `wp` */
  bool quarto;        /* words of four letters, each one of two */
  char letters[4][2]; /* ... and those letters, in order */
} piece_set;

/* The next word of a content, as a symbol; ALEA_NO_SYMBOL if it is not known. */
static alea_symbol next_word(const alea_drawing *d, const char **text) {
  size_t length = strcspn(*text, " ");
  alea_symbol word = alea_symbols_find(d->symbols, *text, length);
  *text += length;
  *text += strspn(*text, " ");
  return word;
}

/* The next part of a content: words are taken apart at `_` and `-`, and after a colour that
 * they begin with (`blackpawn`). */
static void next_part(const char **text, char out[32]) {
  size_t length = strcspn(*text, " _-");
  for (int i = 0; i < ALEA_INK_COUNT; i++) {
    size_t colour = strlen(alea_ink_name((alea_ink)i));
    bool begins = length > colour && memcmp(*text, alea_ink_name((alea_ink)i), colour) == 0;
    if (begins) length = colour;
  }
  size_t kept = length < 31 ? length : 31;
  memcpy(out, *text, kept);
  out[kept] = '\0';
  *text += length;
  *text += strspn(*text, " _-");
}

static size_t man_index(const char *name) {
  size_t k = 0;
  while (k < MEN && strcmp(name, man_names[k]) != 0) k++;
  return k;
}

static bool add_letters(piece_set *set, const char *text) {
  if (strlen(text) != 4) return false;
  for (size_t i = 0; i < 4; i++) {
    char *seen = set->letters[i];
    if (seen[0] == '\0' || seen[0] == text[i]) {
      seen[0] = text[i];
    } else if (seen[1] == '\0' || seen[1] == text[i]) {
      seen[1] = text[i];
    } else {
      return false;
    }
  }
  return true;
}

static piece_set find_set(const alea_drawing *d) {
  piece_set set = {0};
  size_t quarto = 0, short_count = 0;
  for (size_t i = 0; i < d->labels.count; i++) {
    const char *text = alea_symbols_text(d->symbols, d->labels.data[i].content);
    size_t man = short_man(text);
    if (man < MEN) set.short_men |= 1u << man;
    quarto += add_letters(&set, text);
    short_count += man < MEN;
    while (*text != '\0') {
      char part[32];
      next_part(&text, part);
      if (man_index(part) < MEN) set.named_men |= 1u << man_index(part);
    }
  }
  set.all_short = short_count > 0 && short_count == d->labels.count;
  set.quarto = quarto >= 8 && quarto == d->labels.count;
  return set;
}

/* Kings among mere men are crowned men. */
static bool is_draughts(unsigned men) {
  return (men & KING_BIT) != 0 && (men & ~(unsigned)(KING_BIT | PAWN_BIT)) == 0;
}

static alea_glyph glyph_of_man(size_t man, unsigned men) {
  if (!is_draughts(men)) return man_glyphs[man];
  return (1u << man) == KING_BIT ? ALEA_GLYPH_DAME : ALEA_GLYPH_MAN;
}

/* ---- Quarto ---- */

/* The properties that letters stand for, as bits: 1 dark, 2 tall, 4 square, 8
 * hollow.  A place whose letters say nothing has the property of its index. */
static unsigned quarto_bit(const char pair[2], size_t index, char letter) {
  bool s = pair[0] == 's' || pair[1] == 's';
  if (strchr("dlbw", pair[0]) != NULL && strchr("dlbw", pair[1]) != NULL)
    return letter == 'd' || letter == 'b' ? 1 : 0;
  if (s && (pair[0] == 't' || pair[1] == 't')) return letter == 't' ? 2 : 0;
  if (s && (pair[0] == 'r' || pair[1] == 'r' || pair[0] == 'c' || pair[1] == 'c'))
    return letter == 's' ? 4 : 0;
  if (pair[0] == 'h' || pair[1] == 'h') return letter == 'h' ? 8 : 0;
  return letter == pair[1] ? 1u << index : 0;
}

static uint8_t quarto_properties(const piece_set *set, const char *text) {
  unsigned bits = 0;
  for (size_t i = 0; i < 4; i++) bits |= quarto_bit(set->letters[i], i, text[i]);
  return (uint8_t)(1 + bits);
}

/* ---- looks ---- */

static void follow_piece_hints(const alea_drawing *d, const char *text, alea_look *look) {
  for (size_t i = 0; i < d->piece_hints.count; i++) {
    const alea_piece_hint *hint = &d->piece_hints.data[i];
    bool meant = strcmp(text, alea_symbols_text(d->symbols, hint->word)) == 0;
    for (const char *at = text; !meant && *at != '\0';) meant = next_word(d, &at) == hint->word;
    if (!meant) continue;
    if (hint->glyph != ALEA_GLYPH_COUNT) look->glyph = hint->glyph;
    if (hint->ink != ALEA_INK_COUNT) look->ink = hint->ink;
  }
}

static void add_look(alea_look *look, alea_ink ink, alea_glyph glyph) {
  if (ink != ALEA_INK_COUNT && look->ink == ALEA_INK_COUNT) look->ink = ink;
  if (glyph != ALEA_GLYPH_COUNT && look->glyph == ALEA_GLYPH_COUNT) look->glyph = glyph;
}

static void read_look_words(const alea_drawing *d, const piece_set *set, const char *text,
                            alea_look *look) {
  for (const char *at = text; *at != '\0';) {
    char part[32];
    next_part(&at, part);
    size_t man = man_index(part);
    add_look(look, alea_ink_find(part),
             man < MEN ? glyph_of_man(man, set->named_men) : alea_glyph_find(part));
  }
  while (*text != '\0') {
    alea_symbol word = next_word(d, &text);
    if (word == ALEA_NO_SYMBOL) continue;
    alea_ink own = look->glyph != ALEA_GLYPH_COUNT ? alea_glyph_ink(look->glyph) : ALEA_INK_COUNT;
    /* A mouse is grey, whatever the role that has its name. */
    add_look(look, own != ALEA_INK_COUNT ? own : ink_of_word(d, word), ALEA_GLYPH_COUNT);
  }
}

static alea_look find_look(const alea_drawing *d, const piece_set *set, alea_symbol content,
                           size_t index) {
  alea_look look = {ALEA_GLYPH_COUNT, ALEA_INK_COUNT, 0, false};
  const char *text = alea_symbols_text(d->symbols, content);
  unsigned number;
  size_t man = short_man(text);
  bool several = is_draughts(set->short_men) || (set->short_men & (set->short_men - 1)) != 0;
  bool men = man < MEN && (several || set->all_short);
  look.number = alea_drawing_number(d, content, &number);
  if (set->quarto && strlen(text) == 4) look.quarto = quarto_properties(set, text);
  if (men) {
    look.glyph = glyph_of_man(man, set->short_men);
    look.ink = text[0] == 'w' ? ALEA_INK_WHITE : text[0] == 'r' ? ALEA_INK_RED : ALEA_INK_BLACK;
  } else {
    read_look_words(d, set, text, &look);
  }
  /* A content that only says whose it is, is a stone. */
  bool plain = ink_of_word(d, content) != ALEA_INK_COUNT || strcmp(text, "b") == 0;
  if (plain && look.glyph == ALEA_GLYPH_COUNT) look.glyph = ALEA_GLYPH_DISC;
  if (strcmp(text, "b") == 0 && look.ink == ALEA_INK_COUNT) look.ink = ALEA_INK_BLACK;
  follow_piece_hints(d, text, &look);
  if (look.ink == ALEA_INK_COUNT && look.glyph != ALEA_GLYPH_COUNT)
    look.ink = alea_glyph_ink(look.glyph);
  if (look.ink == ALEA_INK_COUNT) look.ink = alea_ink_of(index);
  return look;
}

alea_look alea_drawing_look(const alea_drawing *d, alea_symbol content) {
  const alea_label *label = alea_drawing_find_label(d, content);
  return label != NULL ? label->look : find_look(d, &(piece_set){0}, content, content);
}

alea_look alea_drawing_look_on(const alea_drawing *d, const alea_shape *shape,
                               alea_symbol content) {
  alea_look look = alea_drawing_look(d, content);
  for (size_t i = 0; i < d->piece_hints.count; i++) {
    const alea_piece_hint *hint = &d->piece_hints.data[i];
    if (hint->word != shape->name) continue;
    if (hint->glyph != ALEA_GLYPH_COUNT) look.glyph = hint->glyph;
    if (hint->ink != ALEA_INK_COUNT) look.ink = hint->ink;
  }
  return look;
}

static bool is_chess_man(const alea_look *look) {
  bool man = look->glyph >= ALEA_GLYPH_PAWN && look->glyph <= ALEA_GLYPH_KING;
  return man && (look->ink == ALEA_INK_WHITE || look->ink == ALEA_INK_BLACK);
}

/* Whether there are chess men, and none looks like another. */
static bool is_chess(const alea_drawing *d) {
  unsigned seen[2] = {0, 0};
  size_t men = 0;
  for (size_t i = 0; i < d->labels.count; i++) {
    const alea_look *look = &d->labels.data[i].look;
    if (!is_chess_man(look)) continue;
    unsigned bit = 1u << look->glyph, *side = &seen[look->ink == ALEA_INK_WHITE];
    if ((*side & bit) != 0) return false;
    *side |= bit;
    men++;
  }
  return men > MEN;
}

/* Letters of chess: capitals are white. */
static void use_chess_letters(alea_drawing *d) {
  static const char letters[] = "PRNBQK";
  for (size_t i = 0; i < d->labels.count; i++) {
    alea_label *label = &d->labels.data[i];
    if (!is_chess_man(&label->look)) continue;
    char letter = letters[label->look.glyph - ALEA_GLYPH_PAWN];
    bool white = label->look.ink == ALEA_INK_WHITE;
    label->text[0] = white ? letter : (char)tolower((unsigned char)letter);
  }
}

void alea_drawing_find_looks(alea_drawing *d) {
  piece_set set = find_set(d);
  for (size_t i = 0; i < d->labels.count; i++)
    d->labels.data[i].look = find_look(d, &set, d->labels.data[i].content, i);
  if (is_chess(d)) use_chess_letters(d);
}
