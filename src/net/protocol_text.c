/* Rules in the form in which they are sent, and scrambled words. */
#include "net/protocol_text.h"

#include <string.h>

#include "base/rng.h"
#include "gdl/hrf.h"
#include "gdl/program.h"

static const char tell_all[] =
    "(<= (sees ?p (" ALEA_PROTOCOL_TEXT_DID " ?q ?m)) (role ?p) (does ?q ?m))";

static bool add_words(alea_symbols *symbols) {
#define ADD(name, text) \
  if (alea_symbols_add_word(symbols, text, sizeof text - 1) == ALEA_NO_SYMBOL) return false;
  ALEA_GDL_WORDS(ADD)
#undef ADD
  return true;
}

/* ---- scrambling ---- */

static bool is_integer(const char *word) {
  if (*word == '-' || *word == '+') word++;
  if (*word == '\0') return false;
  return word[strspn(word, "0123456789")] == '\0';
}

/* Two to four syllables; variables stay variables. */
static void make_word(alea_rng *rng, bool variable, char word[16]) {
  static const char consonants[] = "bcdfghjklmnprstvwz", vowels[] = "aeiou";
  size_t length = 0;
  if (variable) word[length++] = '?';
  for (uint32_t left = 2 + alea_rng_below(rng, 3); left > 0; left--) {
    word[length++] = consonants[alea_rng_below(rng, sizeof consonants - 1)];
    word[length++] = vowels[alea_rng_below(rng, sizeof vowels - 1)];
  }
  word[length] = '\0';
}

static bool scramble(alea_protocol_text *w, uint64_t seed) {
  alea_rng rng;
  alea_rng_seed_stream(&rng, seed, 0x776f726473);
  w->theirs = alea_symbols_new(w->mem);
  if (w->theirs == NULL) return false;
  for (alea_symbol s = 0; s < alea_symbols_count(w->ours); s++) {
    const char *own = alea_symbols_spelling(w->ours, s);
    char word[16];
    bool same = s < ALEA_SYM_FIRST_FREE || is_integer(own) || strcmp(own, "?") == 0;
    /* A new word is one that neither side has, so that symbol numbers agree. */
    do make_word(&rng, own[0] == '?', word);
    while (!same && (alea_symbols_find(w->ours, word, strlen(word)) != ALEA_NO_SYMBOL ||
                     alea_symbols_find(w->theirs, word, strlen(word)) != ALEA_NO_SYMBOL));
    const char *text = same ? own : word;
    if (alea_symbols_add(w->theirs, text, strlen(text)) != s) return false;
  }
  return true;
}

/* ---- translation ---- */

static bool ends_atom(char c) {
  return c == '(' || c == ')' || c == ';' || c == '\0' || c == ' ' || (c >= '\t' && c <= '\r');
}

static void translate(const alea_symbols *from, const alea_symbols *to, const char *text,
                      size_t length, alea_text *out) {
  for (size_t i = 0; i < length;) {
    size_t start = i;
    while (i < length && !ends_atom(text[i])) i++;
    alea_symbol s = i > start ? alea_symbols_find(from, text + start, i - start) : ALEA_NO_SYMBOL;
    if (s != ALEA_NO_SYMBOL) {
      alea_text_put(out, alea_symbols_spelling(to, s));
    } else {
      alea_text_add(out, text + start, i - start);
    }
    if (i < length) alea_text_char(out, text[i++]);
  }
}

void alea_protocol_text_encode(const alea_protocol_text *w, const char *text, size_t length,
                               alea_text *out) {
  if (w->theirs == NULL) {
    alea_text_add(out, text, length);
  } else {
    translate(w->ours, w->theirs, text, length, out);
  }
}

void alea_protocol_text_decode(const alea_protocol_text *w, const char *text, size_t length,
                               alea_text *out) {
  if (w->theirs == NULL) {
    alea_text_add(out, text, length);
  } else {
    translate(w->theirs, w->ours, text, length, out);
  }
}

/* ---- rules ---- */

static void print_rules(alea_protocol_text *w, const alea_sexprs *list) {
  alea_text rule;
  alea_text_init(&rule, w->mem);
  for (uint32_t i = 0; i < list->items.count; i = list->items.data[i].after) {
    alea_text_truncate(&rule, 0);
    alea_sexprs_print(list, i, w->ours, true, &rule);
    if (w->rules.length > 0) alea_text_char(&w->rules, ' ');
    alea_protocol_text_encode(w, alea_text_string(&rule), rule.length, &w->rules);
    w->rules.failed = w->rules.failed || rule.failed;
  }
  alea_text_clear(&rule);
}

alea_status alea_protocol_text_init(alea_protocol_text *w, const char *rules, size_t length,
                                    const alea_protocol_text_options *options, alea_mem *mem,
                                    alea_diag *diag) {
  *w = (alea_protocol_text){.mem = mem, .ours = alea_symbols_new(mem)};
  alea_text_init(&w->rules, mem);
  if (w->ours == NULL || !add_words(w->ours)) return alea_mem_lack(mem);
  alea_sexprs list = {.mem = mem}, added = {.mem = mem};
  const char *more = options->tell_all ? tell_all : "";
  alea_status status = alea_gdl_read(&list, rules, length, "rules", NULL, w->ours, diag);
  if (status == ALEA_OK)
    status = alea_sexprs_read(&added, more, strlen(more), "rules", NULL, w->ours, diag);
  alea_symbols_settle(w->ours);
  if (status == ALEA_OK && options->scramble && !scramble(w, options->seed))
    status = alea_mem_lack(mem);
  if (status == ALEA_OK) print_rules(w, &list);
  if (status == ALEA_OK) print_rules(w, &added);
  alea_sexprs_clear(&list);
  alea_sexprs_clear(&added);
  return status == ALEA_OK && w->rules.failed ? alea_mem_lack(mem) : status;
}

void alea_protocol_text_clear(alea_protocol_text *w) {
  alea_symbols_free(w->ours);
  alea_symbols_free(w->theirs);
  alea_text_clear(&w->rules);
  w->ours = w->theirs = NULL;
}
