/* Numbers for terms, behind a mutex. */
#include "prover/ids.h"

#include <assert.h>
#include <pthread.h>

#include "base/vec.h"

typedef struct prover_space {
  ALEA_VEC(alea_term) terms; /* per number */
} prover_space;

struct alea_ids {
  pthread_mutex_t lock;
  alea_mem mem; /* of everything below */
  alea_terms *terms;
  alea_u32s *ids; /* per space: number of each term, or ALEA_NO_ID */
  prover_space *spaces;
  uint32_t space_count;
};

alea_status alea_ids_new(alea_ids **ids, alea_symbols *symbols, uint32_t spaces, size_t limit,
                         alea_mem *mem) {
  *ids = NULL;
  alea_ids *d = alea_mem_zalloc(mem, sizeof *d);
  if (d == NULL) return alea_mem_lack(mem);
  if (pthread_mutex_init(&d->lock, NULL) != 0) {
    alea_mem_free(mem, d, sizeof *d);
    return ALEA_SYSTEM;
  }
  alea_mem_init_with(&d->mem, limit, mem);
  d->space_count = spaces;
  d->terms = alea_terms_new(symbols, &d->mem);
  d->spaces = alea_mem_calloc(&d->mem, spaces, sizeof *d->spaces);
  d->ids = alea_mem_calloc(&d->mem, spaces, sizeof *d->ids);
  if (d->terms == NULL || d->spaces == NULL || d->ids == NULL) {
    alea_ids_free(d, mem);
    return limit != 0 ? ALEA_LIMIT : ALEA_SYSTEM;
  }
  *ids = d;
  return ALEA_OK;
}

void alea_ids_free(alea_ids *d, alea_mem *mem) {
  if (d == NULL) return;
  for (uint32_t i = 0; i < d->space_count; i++) {
    if (d->spaces != NULL) alea_vec_clear(&d->mem, &d->spaces[i].terms);
    if (d->ids != NULL) alea_vec_clear(&d->mem, &d->ids[i]);
  }
  alea_mem_free(&d->mem, d->spaces, d->space_count * sizeof *d->spaces);
  alea_mem_free(&d->mem, d->ids, d->space_count * sizeof *d->ids);
  alea_terms_free(d->terms);
  assert(d->mem.used == 0);
  pthread_mutex_destroy(&d->lock);
  alea_mem_free(mem, d, sizeof *d);
}

/* The number of a term of our own table. */
static uint32_t number(alea_ids *d, uint32_t s, alea_term term) {
  alea_u32s *ids = &d->ids[s];
  while (ids->count <= term)
    if (!alea_vec_push(&d->mem, ids, ALEA_NO_ID)) return ALEA_NO_ID;
  if (ids->data[term] == ALEA_NO_ID) {
    if (!alea_vec_push(&d->mem, &d->spaces[s].terms, term)) return ALEA_NO_ID;
    ids->data[term] = (uint32_t)d->spaces[s].terms.count - 1;
  }
  return ids->data[term];
}

uint32_t alea_ids_add(alea_ids *d, uint32_t s, const alea_terms *from, alea_term term) {
  pthread_mutex_lock(&d->lock);
  alea_term copy = alea_terms_copy(d->terms, from, term);
  uint32_t id = copy != ALEA_NO_TERM ? number(d, s, copy) : ALEA_NO_ID;
  pthread_mutex_unlock(&d->lock);
  return id;
}

static bool ends_name(char c) {
  return c == '\0' || c == '(' || c == ')' || c == ';' || c == ' ' || (c >= '\t' && c <= '\r');
}

/* Parsing would add names to the symbols, which other threads are reading. */
static bool knows_names(const alea_symbols *symbols, const char *text) {
  while (*text != '\0') {
    size_t length = 0;
    while (!ends_name(text[length])) length++;
    if (length > 0 && alea_symbols_find(symbols, text, length) == ALEA_NO_SYMBOL) return false;
    text += length > 0 ? length : 1;
  }
  return true;
}

static bool is_blank(const char *text) {
  while (*text == ' ' || (*text >= '\t' && *text <= '\r')) text++;
  return *text == '\0';
}

uint32_t alea_ids_parse(alea_ids *d, uint32_t s, const char *text) {
  if (!knows_names(alea_terms_symbols(d->terms), text)) return ALEA_NO_ID;
  pthread_mutex_lock(&d->lock);
  const char *end = text;
  alea_term term = alea_terms_parse(d->terms, text, &end);
  uint32_t id = term != ALEA_NO_TERM && is_blank(end) ? number(d, s, term) : ALEA_NO_ID;
  pthread_mutex_unlock(&d->lock);
  return id;
}

alea_term alea_ids_term(alea_ids *d, uint32_t s, uint32_t id, alea_terms *to) {
  pthread_mutex_lock(&d->lock);
  alea_term term = ALEA_NO_TERM;
  if (id < d->spaces[s].terms.count)
    term = alea_terms_copy(to, d->terms, d->spaces[s].terms.data[id]);
  pthread_mutex_unlock(&d->lock);
  return term;
}

uint32_t alea_ids_count(alea_ids *d, uint32_t s) {
  pthread_mutex_lock(&d->lock);
  uint32_t count = (uint32_t)d->spaces[s].terms.count;
  pthread_mutex_unlock(&d->lock);
  return count;
}

void alea_ids_print(alea_ids *d, uint32_t s, uint32_t id, bool spelling, alea_text *out) {
  pthread_mutex_lock(&d->lock);
  if (id < d->spaces[s].terms.count)
    alea_terms_print(d->terms, d->spaces[s].terms.data[id], spelling, out);
  pthread_mutex_unlock(&d->lock);
}
