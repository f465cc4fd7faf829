/* Ground terms: one array of cells, one hash table over them. */
#include "base/terms.h"

#include <string.h>

#include "base/hash.h"

typedef alea_term_cell cell;

#define LIST ALEA_TERM_LIST
enum { MAX_DEPTH = 64, FIRST_TERMS = 512 };

alea_terms *alea_terms_new(alea_symbols *symbols, alea_mem *mem) {
  alea_terms *terms = alea_mem_zalloc(mem, sizeof *terms);
  if (terms == NULL) return NULL;
  terms->mem = mem;
  terms->owns_symbols = symbols == NULL;
  terms->symbols = symbols != NULL ? symbols : alea_symbols_new(mem);
  bool good = alea_hash_words_init(&terms->map, mem, FIRST_TERMS);
  if (terms->symbols != NULL && good) return terms;
  alea_terms_free(terms);
  return NULL;
}

void alea_terms_free(alea_terms *terms) {
  if (terms == NULL) return;
  alea_mem *mem = terms->mem;
  alea_hash_words_clear(&terms->map, mem);
  alea_vec_clear(mem, &terms->cells);
  alea_vec_clear(mem, &terms->args);
  alea_vec_clear(mem, &terms->stack);
  alea_vec_clear(mem, &terms->done);
  if (terms->owns_symbols) alea_symbols_free(terms->symbols);
  alea_mem_free(mem, terms, sizeof *terms);
}

static uint32_t hash_cell(alea_symbol name, const alea_term *args, uint32_t arity) {
  uint64_t hash = alea_hash_join(arity, name);
  for (uint32_t i = 0; i < (arity & ~LIST); i++) hash = alea_hash_join(hash, args[i]);
  return (uint32_t)(hash >> 32);
}

static alea_term find_hashed(const alea_terms *terms, alea_symbol name, const alea_term *args,
                             uint32_t arity, uint32_t hash) {
  alea_word_probe probe = alea_hash_words_probe(&terms->map, hash);
  while (alea_hash_words_next(&terms->map, &probe)) {
    if (alea_hash_of_tag(probe.word) != hash) continue;
    const cell *c = &terms->cells.data[alea_hash_tag_id(probe.word)];
    if (c->name != name || c->arity != arity) continue;
    uint32_t count = arity & ~LIST;
    if (count == 0 || memcmp(terms->args.data + c->first, args, count * sizeof *args) == 0)
      return alea_hash_tag_id(probe.word);
  }
  return ALEA_NO_TERM;
}

/* Depth and size from those of the arguments, so that nobody walks a term to
 * learn them.  An argument may be a number that is no term (ground/ranges.c). */
static void measure(const alea_terms *terms, cell *c, const alea_term *args, uint32_t count) {
  uint32_t depth = 0, size = 1;
  for (uint32_t i = 0; i < count; i++) {
    if (args[i] >= terms->cells.count) continue;
    const cell *arg = &terms->cells.data[args[i]];
    if (arg->depth > depth) depth = arg->depth;
    size += arg->size; /* both are below 2^24: no overflow */
    if (size > ALEA_TERM_MOST_SIZE) size = ALEA_TERM_MOST_SIZE;
  }
  if ((c->arity & LIST) && depth < ALEA_TERM_MOST_DEPTH) depth++;
  c->depth = depth & ALEA_TERM_MOST_DEPTH;
  c->size = size & ALEA_TERM_MOST_SIZE;
}

static alea_term insert(alea_terms *terms, alea_symbol name, const alea_term *args,
                        uint32_t arity) {
  uint32_t hash = hash_cell(name, args, arity);
  alea_term term = find_hashed(terms, name, args, arity, hash);
  if (term != ALEA_NO_TERM) return term;
  if (terms->cells.count >= UINT32_MAX / 2) return ALEA_NO_TERM;
  if (!alea_hash_words_reserve(&terms->map, terms->mem, alea_hash_of_tag)) return ALEA_NO_TERM;
  uint32_t count = arity & ~LIST;
  if (!alea_vec_reserve(terms->mem, &terms->args, count)) return ALEA_NO_TERM;
  cell c = {.name = name, .first = (uint32_t)terms->args.count, .arity = arity, .hash = hash};
  measure(terms, &c, args, count);
  if (!alea_vec_push(terms->mem, &terms->cells, c)) return ALEA_NO_TERM;
  for (uint32_t i = 0; i < count; i++) terms->args.data[terms->args.count++] = args[i];
  term = (alea_term)terms->cells.count - 1;
  alea_hash_words_add(&terms->map, hash, alea_hash_tag(hash, term));
  return term;
}

alea_term alea_terms_constant(alea_terms *terms, alea_symbol name) {
  return insert(terms, name, NULL, 0);
}

alea_term alea_terms_list(alea_terms *terms, alea_symbol name, const alea_term *args,
                          uint32_t count) {
  return insert(terms, name, args, count | LIST);
}

static alea_term find(const alea_terms *terms, alea_symbol name, const alea_term *args,
                      uint32_t arity) {
  return find_hashed(terms, name, args, arity, hash_cell(name, args, arity));
}

alea_term alea_terms_find_constant(const alea_terms *terms, alea_symbol name) {
  return find(terms, name, NULL, 0);
}

alea_term alea_terms_find_list(const alea_terms *terms, alea_symbol name, const alea_term *args,
                               uint32_t count) {
  return find(terms, name, args, count | LIST);
}

static bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static size_t name_length(const char *text) {
  size_t n = 0;
  while (text[n] != '\0' && text[n] != '(' && text[n] != ')' && text[n] != ';' &&
         !is_space(text[n]))
    n++;
  return n;
}

alea_term alea_terms_parse(alea_terms *terms, const char *text, const char **end) {
  /* A stack of open lists: the name of each, and where its arguments begin. */
  alea_symbol names[MAX_DEPTH];
  size_t starts[MAX_DEPTH];
  size_t depth = 0;
  ALEA_VEC(alea_term) done = {0};
  alea_term result = ALEA_NO_TERM;
  for (;;) {
    while (is_space(*text)) text++;
    alea_term term;
    if (*text == '(') {
      text++;
      while (is_space(*text)) text++;
      size_t n = name_length(text);
      if (n == 0 || depth == MAX_DEPTH) break;
      names[depth] = alea_symbols_add(terms->symbols, text, n);
      if (names[depth] == ALEA_NO_SYMBOL) break;
      starts[depth++] = done.count;
      text += n;
      continue;
    }
    if (*text == ')') {
      if (depth == 0) break;
      depth--;
      term = alea_terms_list(terms, names[depth], done.data + starts[depth],
                             (uint32_t)(done.count - starts[depth]));
      done.count = starts[depth];
      text++;
    } else {
      size_t n = name_length(text);
      if (n == 0 || *text == '?') break;
      alea_symbol name = alea_symbols_add(terms->symbols, text, n);
      if (name == ALEA_NO_SYMBOL) break;
      term = alea_terms_constant(terms, name);
      text += n;
    }
    if (term == ALEA_NO_TERM) break;
    if (depth == 0) {
      result = term;
      break;
    }
    if (!alea_vec_push(terms->mem, &done, term)) break;
  }
  alea_vec_clear(terms->mem, &done);
  if (end != NULL) *end = text;
  return result;
}

static alea_symbol copy_name(alea_terms *to, const alea_terms *from, alea_symbol name) {
  if (to->symbols == from->symbols) return name;
  const char *text = alea_symbols_spelling(from->symbols, name);
  return alea_symbols_add(to->symbols, text, strlen(text));
}

/* Terms may be deep, so with a stack. */
alea_term alea_terms_copy(alea_terms *to, const alea_terms *from, alea_term term) {
  to->stack.count = to->done.count = 0;
  alea_term_frame first = {term, 0};
  if (!alea_vec_push(to->mem, &to->stack, first)) return ALEA_NO_TERM;
  while (to->stack.count > 0) {
    alea_term_frame *top = &to->stack.data[to->stack.count - 1];
    uint32_t arity = alea_terms_arity(from, top->term);
    if (top->next < arity) {
      alea_term_frame child = {alea_terms_args(from, top->term)[top->next++], 0};
      if (!alea_vec_push(to->mem, &to->stack, child)) return ALEA_NO_TERM;
      continue;
    }
    to->done.count -= arity;
    alea_symbol name = copy_name(to, from, alea_terms_name(from, top->term));
    if (name == ALEA_NO_SYMBOL) return ALEA_NO_TERM;
    alea_term copy = alea_terms_is_list(from, top->term)
                         ? alea_terms_list(to, name, to->done.data + to->done.count, arity)
                         : alea_terms_constant(to, name);
    if (copy == ALEA_NO_TERM || !alea_vec_push(to->mem, &to->done, copy)) return ALEA_NO_TERM;
    to->stack.count--;
  }
  return to->done.data[0];
}

void alea_terms_print(const alea_terms *terms, alea_term term, bool spelling, alea_text *out) {
  /* An explicit stack of (term, next argument): terms may be deep. */
  ALEA_VEC(alea_term_frame) stack = {0};
  alea_term_frame first = {term, 0};
  if (!alea_vec_push(terms->mem, &stack, first)) {
    out->failed = true;
    return;
  }
  while (stack.count > 0) {
    alea_term_frame *top = &stack.data[stack.count - 1];
    const cell *c = &terms->cells.data[top->term];
    if (top->next == 0) {
      if (c->arity & LIST) alea_text_char(out, '(');
      alea_text_put(out, spelling ? alea_symbols_spelling(terms->symbols, c->name)
                                  : alea_symbols_text(terms->symbols, c->name));
    }
    if (top->next < (c->arity & ~LIST)) {
      alea_text_char(out, ' ');
      alea_term_frame child = {terms->args.data[c->first + top->next++], 0};
      if (!alea_vec_push(terms->mem, &stack, child)) {
        out->failed = true;
        break;
      }
      continue;
    }
    if (c->arity & LIST) alea_text_char(out, ')');
    stack.count--;
  }
  alea_vec_clear(terms->mem, &stack);
}
