/* The KIF reader: one pass over the bytes, one entry per expression. */
#include "gdl/sexpr.h"

#include "gdl/scanner.h"

enum { DEFAULT_DEPTH = 256 };
#define DEFAULT_BYTES ((size_t)64 << 20)

typedef struct sexpr_reader {
  alea_scanner at;
  alea_sexprs *list;
  alea_symbols *symbols;
  alea_diag *diag;
  alea_u32s open; /* lists not yet closed, innermost last */
  uint32_t max_depth;
  bool recover; /* reports all that is unbalanced and goes on */
  bool unbalanced;
} sexpr_reader;

static bool is_name(char c) {
  return c != '(' && c != ')' && c != ';' && c != '\0' && !alea_is_space(c);
}

/* A `(<=` begins a rule: nothing else does, and rules do not stand in others. */
static bool starts_rule(const sexpr_reader *r) {
  const char *at = r->at.next + 1;
  while (at < r->at.end && (*at == ' ' || *at == '\t')) at++;
  return r->at.end - at >= 2 && at[0] == '<' && at[1] == '=' &&
         (at + 2 == r->at.end || !is_name(at[2]));
}

/* Reports the outermost open list: it is the rule that lacks the parenthesis,
 * and what came after it was taken for a part of it.  It is left out. */
static void abandon(sexpr_reader *r) {
  const alea_sexpr *first = &r->list->items.data[r->open.data[0]];
  if (r->recover)
    alea_diag_error(r->diag, ((alea_place){r->at.file, first->line, first->column}),
                    "unbalanced-parenthesis", "this '(' is never closed");
  r->unbalanced = true;
  r->list->items.count = r->open.data[0];
  r->open.count = 0;
}

static alea_status open_list(sexpr_reader *r) {
  if (r->recover && r->open.count > 0 && starts_rule(r)) abandon(r);
  alea_place place = alea_scanner_place(&r->at, r->at.next);
  if (r->open.count >= r->max_depth) {
    alea_diag_error(r->diag, place, "too-deep", "lists are nested deeper than %u",
                    (unsigned)r->max_depth);
    return ALEA_LIMIT;
  }
  r->at.next++;
  alea_sexpr e = {ALEA_NO_SYMBOL, 0, place.line, place.column};
  uint32_t index = (uint32_t)r->list->items.count;
  if (!alea_vec_push(r->list->mem, &r->list->items, e) ||
      !alea_vec_push(r->list->mem, &r->open, index))
    return alea_mem_lack(r->list->mem);
  return ALEA_OK;
}

static alea_status close_list(sexpr_reader *r) {
  r->at.next++;
  if (r->open.count == 0) {
    if (r->recover)
      alea_diag_error(r->diag, alea_scanner_place(&r->at, r->at.next - 1), "unbalanced-parenthesis",
                      "this ')' closes a list that was never opened");
    r->unbalanced = true;
    return ALEA_OK;
  }
  uint32_t list = r->open.data[--r->open.count];
  r->list->items.data[list].after = (uint32_t)r->list->items.count;
  return ALEA_OK;
}

static alea_status read_name(sexpr_reader *r) {
  const char *start = r->at.next;
  while (r->at.next < r->at.end && is_name(*r->at.next)) r->at.next++;
  alea_symbol name = alea_symbols_add(r->symbols, start, (size_t)(r->at.next - start));
  if (name == ALEA_NO_SYMBOL) return alea_mem_lack(r->list->mem);
  alea_place place = alea_scanner_place(&r->at, start);
  alea_sexpr e = {name, (uint32_t)r->list->items.count + 1, place.line, place.column};
  return alea_vec_push(r->list->mem, &r->list->items, e) ? ALEA_OK : alea_mem_lack(r->list->mem);
}

static alea_status read_all(sexpr_reader *r) {
  for (alea_scanner_skip(&r->at, ";"); r->at.next < r->at.end; alea_scanner_skip(&r->at, ";")) {
    alea_status status;
    switch (*r->at.next) {
      case '(': status = open_list(r); break;
      case ')': status = close_list(r); break;
      case '\0':
        alea_diag_error(r->diag, alea_scanner_place(&r->at, r->at.next), "nul-byte",
                        "a rulesheet is text and cannot hold a NUL byte");
        r->list->items.count = 0;
        status = ALEA_INPUT;
        break;
      default: status = read_name(r); break;
    }
    if (status != ALEA_OK) return status;
  }
  if (r->open.count > 0) abandon(r);
  return ALEA_OK;
}

alea_status alea_sexprs_read(alea_sexprs *list, const char *text, size_t length, const char *file,
                             const alea_sexpr_limits *limits, alea_symbols *symbols,
                             alea_diag *diag) {
  size_t max_bytes = limits != NULL && limits->max_bytes != 0 ? limits->max_bytes : DEFAULT_BYTES;
  if (max_bytes > UINT32_MAX / 2) max_bytes = UINT32_MAX / 2; /* items have 32-bit numbers */
  if (length > max_bytes) {
    alea_diag_error(diag, ((alea_place){file, 0, 0}), "too-long",
                    "the text has %zu bytes; the limit is %zu", length, max_bytes);
    return ALEA_LIMIT;
  }
  sexpr_reader r = {.at = alea_scanner_at(text, length, file), .list = list, .symbols = symbols};
  r.diag = diag;
  r.max_depth = DEFAULT_DEPTH;
  if (limits != NULL && limits->max_depth != 0) r.max_depth = limits->max_depth;
  alea_status status = read_all(&r);
  if (status == ALEA_OK && r.unbalanced) {
    /* Once more, with guesses about where rules begin, which a balanced text
     * does without. */
    r.at = alea_scanner_at(text, length, file);
    r.recover = true;
    list->items.count = 0;
    status = read_all(&r);
    if (status == ALEA_OK) status = ALEA_INPUT;
  }
  alea_vec_clear(list->mem, &r.open);
  return status;
}

void alea_sexprs_clear(alea_sexprs *list) { alea_vec_clear(list->mem, &list->items); }

/* Closes in 'out' the lists that end at 'index'. */
static void close_ended(const alea_sexprs *list, alea_u32s *open, uint32_t index, alea_text *out) {
  while (open->count > 0 && list->items.data[open->data[open->count - 1]].after == index) {
    alea_text_char(out, ')');
    open->count--;
  }
}

void alea_sexprs_print(const alea_sexprs *list, uint32_t index, const alea_symbols *symbols,
                       bool spelling, alea_text *out) {
  alea_u32s open = {0};
  uint32_t end = list->items.data[index].after;
  for (uint32_t i = index; i < end; i++) {
    alea_symbol atom = list->items.data[i].atom;
    close_ended(list, &open, i, out);
    if (i > index && open.count > 0 && i != open.data[open.count - 1] + 1) alea_text_char(out, ' ');
    if (atom != ALEA_NO_SYMBOL) {
      alea_text_put(
          out, spelling ? alea_symbols_spelling(symbols, atom) : alea_symbols_text(symbols, atom));
      continue;
    }
    alea_text_char(out, '(');
    if (!alea_vec_push(list->mem, &open, i)) {
      out->failed = true;
      break;
    }
  }
  close_ended(list, &open, end, out);
  alea_vec_clear(list->mem, &open);
}
