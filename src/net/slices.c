/* Splitting messages into terms. */
#include "net/slices.h"

static bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static bool ends_atom(char c) {
  return c == '(' || c == ')' || c == ';' || c == '\0' || is_space(c);
}

static size_t skip_space(const char *at, size_t i, size_t end) {
  bool comment = false;
  for (; i < end; i++) {
    if (comment ? at[i] == '\n' || at[i] == '\r' : at[i] == ';') {
      comment = !comment;
    } else if (at[i] == '\0' || (!comment && !is_space(at[i]))) {
      break;
    }
  }
  return i;
}

alea_slice_next alea_slice_take(alea_slice *rest, alea_slice *term) {
  *term = (alea_slice){rest->at, 0};
  if (rest->length == 0) return ALEA_SLICE_END;
  const char *at = rest->at;
  size_t end = rest->length, start = skip_space(at, 0, end), i = start, depth = 0;
  *term = (alea_slice){at + start, 0};
  if (start == end) return ALEA_SLICE_END;
  for (; i < end; i = skip_space(at, i, end)) {
    char c = at[i];
    if (c == '\0' || (c == ')' && depth == 0)) return ALEA_SLICE_WRONG;
    if (c == '(') depth++;
    if (c == ')') depth--;
    if (c == '(' || c == ')') {
      i++;
    } else {
      while (i < end && !ends_atom(at[i])) i++;
    }
    if (depth == 0) break;
  }
  if (depth > 0) return ALEA_SLICE_WRONG;
  term->length = i - start;
  *rest = (alea_slice){at + i, end - i};
  return ALEA_SLICE_TERM;
}

static char fold(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

bool alea_slice_is(alea_slice term, const char *word) {
  size_t i = 0;
  for (; i < term.length && word[i] != '\0'; i++)
    if (fold(term.at[i]) != fold(word[i])) return false;
  return i == term.length && word[i] == '\0';
}

bool alea_slice_same(alea_slice a, alea_slice b) {
  if (a.length != b.length) return false;
  for (size_t i = 0; i < a.length; i++)
    if (fold(a.at[i]) != fold(b.at[i])) return false;
  return true;
}

bool alea_slice_is_nil(alea_slice term) {
  if (term.length == 0 || alea_slice_is(term, "nil")) return true;
  if (!alea_slice_is_list(term)) return false;
  alea_slice inside = alea_slice_inside(term), first;
  return alea_slice_take(&inside, &first) == ALEA_SLICE_END;
}
