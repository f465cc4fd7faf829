/* Texts and terms of fluents, moves and percepts, and finding a move by its text.
 *
 * Searching must not allocate, since the net is shared by threads, so the
 * canonical form of a text is produced character by character: lower case,
 * one space between elements, none inside parentheses. */
#include "propnet/index.h"

#include <string.h>

#include "base/hash.h"

/* ---- canonical text, one character at a time ---- */

typedef struct index_reader {
  const char *at;
  char previous; /* last character given out, 0 at the start */
  bool gap;      /* a space was given out for what comes now */
} index_reader;

static bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/* The next canonical character, 0 at the end. */
static char read_char(index_reader *r) {
  const char *start = r->at;
  while (is_space(*r->at)) r->at++;
  bool skipped = r->at != start;
  char c = *r->at;
  if (c == '\0') return '\0';
  bool starts = c == '(' || (c != ')' && (skipped || r->previous == '(' || r->previous == ')'));
  if (starts && !r->gap && r->previous != '\0' && r->previous != '(') {
    r->gap = true;
    return ' ';
  }
  r->at++;
  r->gap = false;
  r->previous = c;
  return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static uint64_t hash_text(uint32_t role, const char *text) {
  index_reader r = {text, '\0', false};
  uint64_t hash = 0xcbf29ce484222325u + role;
  for (char c; (c = read_char(&r)) != '\0';) hash = (hash ^ (unsigned char)c) * 0x100000001b3u;
  return alea_hash_mix(hash);
}

static bool same_text(const char *canonical, const char *text) {
  index_reader r = {text, '\0', false};
  for (char c; (c = read_char(&r)) != '\0'; canonical++)
    if (*canonical != c) return false;
  return *canonical == '\0';
}

/* ---- the index ---- */

alea_move alea_net_find_move(const alea_net *net, uint32_t role, const char *text) {
  const alea_hash_map *map = &net->moves_by_text;
  alea_hash_probe probe = alea_hash_map_probe(map, hash_text(role, text));
  while (alea_hash_map_next(map, &probe)) {
    uint32_t move = probe.id;
    if (move < net->move_first[role] || move >= net->move_first[role + 1]) continue;
    if (same_text(net->move_text[move], text)) return move - net->move_first[role];
  }
  return ALEA_NO_MOVE;
}

/* Asked for a few times per move and by players of other machines alone: no
 * index. */
uint32_t alea_net_find_percept(const alea_net *net, const char *text) {
  for (uint32_t i = 0; i < net->percept_count; i++)
    if (same_text(net->percept_text[i], text)) return i;
  return ALEA_NO_PERCEPT;
}

uint32_t alea_net_find_fluent(const alea_net *net, const char *text) {
  for (uint32_t f = 0; f < net->fluent_count; f++)
    if (same_text(net->fluent_text[f], text)) return f;
  return ALEA_NO_FLUENT;
}

static bool index_moves(alea_net *net) {
  if (!alea_hash_map_init(&net->moves_by_text, net->mem, net->move_count)) return false;
  for (uint32_t role = 0; role < net->role_count; role++)
    for (uint32_t m = net->move_first[role]; m < net->move_first[role + 1]; m++)
      alea_hash_map_add(&net->moves_by_text, hash_text(role, net->move_text[m]), m);
  return true;
}

/* ---- texts ---- */

typedef struct texts {
  const char **text, **spelling;
  alea_term *terms;
} texts;

static bool allocate_texts(alea_net *net, size_t count, texts *t) {
  t->text = alea_arena_alloc(&net->texts, count * sizeof *t->text);
  t->spelling = alea_arena_alloc(&net->texts, count * sizeof *t->spelling);
  t->terms = alea_arena_alloc(&net->texts, count * sizeof *t->terms);
  return t->text != NULL && t->spelling != NULL && t->terms != NULL;
}

static bool take_terms(alea_net *net, const alea_ground *ground, const alea_term *terms,
                       size_t count, texts *t) {
  if (!allocate_texts(net, count, t)) return false;
  alea_text buffer;
  alea_text_init(&buffer, net->mem);
  bool ok = true;
  for (size_t i = 0; ok && i < count; i++) {
    alea_text_truncate(&buffer, 0);
    alea_terms_print(ground->terms, terms[i], false, &buffer);
    ok = !buffer.failed;
    if (!ok) break;
    t->text[i] = alea_arena_strdup(&net->texts, alea_text_string(&buffer), buffer.length);
    t->spelling[i] = t->text[i];
    alea_text_truncate(&buffer, 0);
    alea_terms_print(ground->terms, terms[i], true, &buffer);
    ok = t->text[i] != NULL && !buffer.failed;
    /* Most names are written in lower case: one copy serves both. */
    if (ok && strcmp(t->text[i], alea_text_string(&buffer)) != 0)
      t->spelling[i] = alea_arena_strdup(&net->texts, alea_text_string(&buffer), buffer.length);
    t->terms[i] = alea_terms_copy(net->terms, ground->terms, terms[i]);
    ok = ok && t->spelling[i] != NULL && t->terms[i] != ALEA_NO_TERM;
  }
  alea_text_clear(&buffer);
  return ok;
}

static bool take_roles(alea_net *net, const alea_ground *ground) {
  texts t;
  if (!allocate_texts(net, ground->role_count, &t)) return false;
  for (uint32_t i = 0; i < ground->role_count; i++) {
    const char *text = alea_symbols_text(ground->symbols, ground->roles[i]);
    const char *spelling = alea_symbols_spelling(ground->symbols, ground->roles[i]);
    t.text[i] = alea_arena_strdup(&net->texts, text, strlen(text));
    t.spelling[i] = alea_arena_strdup(&net->texts, spelling, strlen(spelling));
    if (t.text[i] == NULL || t.spelling[i] == NULL) return false;
  }
  net->role_text = t.text;
  net->role_spelling = t.spelling;
  return true;
}

alea_status alea_net_take_texts(alea_net *net, const alea_ground *ground) {
  texts fluents, moves, percepts;
  net->terms = alea_terms_new(NULL, net->mem);
  if (net->terms == NULL) return ALEA_SYSTEM;
  if (!take_roles(net, ground) ||
      !take_terms(net, ground, ground->fluents, ground->fluent_count, &fluents) ||
      !take_terms(net, ground, ground->moves, ground->move_count, &moves) ||
      !take_terms(net, ground, ground->percepts.data, ground->percepts.count, &percepts))
    return ALEA_SYSTEM;
  net->fluent_text = fluents.text;
  net->fluent_spelling = fluents.spelling;
  net->move_text = moves.text;
  net->move_spelling = moves.spelling;
  net->percept_text = percepts.text;
  net->percept_spelling = percepts.spelling;
  net->fluent_terms = fluents.terms;
  net->move_terms = moves.terms;
  net->percept_terms = percepts.terms;
  return index_moves(net) ? ALEA_OK : ALEA_SYSTEM;
}
