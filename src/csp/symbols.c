/* Symbols: names that are values of variables. */
#include <ctype.h>

#include "base/hash.h"
#include "csp/core.h"

static uint64_t hash_symbol(const void *symbols, uint32_t id) {
  const char *name = ((const char *const *)symbols)[id];
  return alea_hash_bytes(name, strlen(name));
}

/* The probe ends at the symbol or where it belongs. */
static alea_hash_probe probe_symbol(const alea_csp *csp, const char *name, size_t length) {
  alea_hash_probe probe = alea_hash_map_probe(&csp->symbol_ids, alea_hash_bytes(name, length));
  while (alea_hash_map_next(&csp->symbol_ids, &probe)) {
    const char *own = csp->symbols.data[probe.id];
    if (strlen(own) == length && memcmp(own, name, length) == 0) break;
  }
  return probe;
}

int32_t csp_symbol_find(const alea_csp *csp, const char *name, size_t length) {
  if (csp->symbols.count == 0) return ALEA_CSP_STAR;
  uint32_t id = probe_symbol(csp, name, length).id;
  return id == ALEA_HASH_NONE ? ALEA_CSP_STAR : (int32_t)(CSP_SYMBOL_BASE + id);
}

int32_t csp_symbol_add(alea_csp *csp, const char *name, size_t length) {
  int32_t known = csp_symbol_find(csp, name, length);
  if (known != ALEA_CSP_STAR) return known;
  char *copy = csp_alloc(csp, length + 1, 1);
  if (copy == NULL) return ALEA_CSP_STAR;
  memcpy(copy, name, length);
  copy[length] = '\0';
  if (csp->symbols.count >= ALEA_CSP_MAX_DOMAIN) {
    csp_fail(csp, ALEA_LIMIT);
    return ALEA_CSP_STAR;
  }
  if (!alea_hash_map_reserve(&csp->symbol_ids, csp->mem, hash_symbol, csp->symbols.data) ||
      !alea_vec_push(csp->mem, &csp->symbols, (const char *)copy)) {
    csp_fail(csp, ALEA_SYSTEM);
    return ALEA_CSP_STAR;
  }
  uint32_t id = (uint32_t)csp->symbols.count - 1;
  alea_hash_map_put(&csp->symbol_ids, probe_symbol(csp, copy, length), id);
  return (int32_t)(CSP_SYMBOL_BASE + id);
}

size_t csp_symbol_length(const char *text) {
  size_t length = 0;
  unsigned char c = (unsigned char)*text;
  if (!isalpha(c) && c != '_' && c < 0x80) return 0;
  while (isalnum(c) || c == '_' || c == '-' || c >= 0x80) c = (unsigned char)text[++length];
  return length;
}

const char *alea_csp_symbol(const alea_csp *csp, alea_csp_var var, int32_t value) {
  size_t id = (size_t)((int64_t)value - CSP_SYMBOL_BASE);
  return csp->vars.data[var].symbolic && id < csp->symbols.count ? csp->symbols.data[id] : NULL;
}
